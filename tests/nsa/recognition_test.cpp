// Animations are recognised by evidence: a header may be odd in what it says.
#include <thaw/format.hpp>
#include <thaw/nsa.hpp>
#include <thaw/validate.hpp>

#include "support/files.hpp"
#include "support/paths.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>

namespace thaw::nsa {
namespace {

std::vector<std::filesystem::path> animations() {
  auto paths = test::files_below(test::samples_dir(), ".nsa");
  if (std::filesystem::exists(test::corpus_dir() / "mrn")) {
    for (const auto& path : test::files_below(test::corpus_dir() / "mrn", ".nsa")) {
      paths.push_back(path);
    }
  }
  return paths;
}

template <class T>
Bytes with(Bytes bytes, std::size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
  return bytes;
}

/// An oddity, and whether only rules that look at the whole animation tell it.
struct Odd {
  std::string name;
  std::function<Bytes(Bytes)> make;
};

std::vector<Odd> oddities() {
  std::vector<Odd> all = {
      {"no static segment", [](Bytes b) { return with<std::uint64_t>(std::move(b), 0xA0, 0); }},
      {"rate 0", [](Bytes b) { return with<float>(std::move(b), 0x1C, 0); }},
      {"filled words", [](Bytes b) { return with<std::uint64_t>(std::move(b), 8, 0xCDCDCDCDCDCDCDCD); }},
      {"more animated than channels",
       [](Bytes b) {
         const std::uint32_t more = b[0x20] + 1U;
         return with<std::uint32_t>(std::move(b), 0x24, more);
       }},
      {"no static segment, rate 0, filled words, alignment 64",
       [](Bytes b) {
         b = with<std::uint64_t>(std::move(b), 0xA0, 0);
         b = with<float>(std::move(b), 0x1C, 0);
         b = with<std::uint64_t>(std::move(b), 8, 1);
         return with<std::uint32_t>(std::move(b), 0x14, 64);
       }},
  };
  for (std::uint32_t alignment = 1; alignment <= 4096; alignment *= 2) {
    if (alignment != 4 && alignment != 16) {
      all.push_back({"alignment " + std::to_string(alignment),
                     [alignment](Bytes b) { return with<std::uint32_t>(std::move(b), 0x14, alignment); }});
    }
  }
  return all;
}

std::size_t findings(const Bytes& bytes, const Document& document, const Diagnostics& reading) {
  Diagnostics decoding;
  decode(document, decoding);
  const Diagnostics rules = validate(*read_any(bytes));
  const auto reported = std::count_if(rules.items().begin(), rules.items().end(), [](const auto& finding) {
    return finding.code.id != "nsa.crc" && finding.code.id != "nsa.root-timing";
  });
  return reading.items().size() + decoding.items().size() + static_cast<std::size_t>(reported);
}

TEST(NsaRecognition, OddHeadersAreReadWithFindings) {
  for (const auto& path : animations()) {
    const Bytes file = test::load(path);
    for (const Odd& odd : oddities()) {
      SCOPED_TRACE(path.filename().string() + ": " + odd.name);
      const Bytes bytes = odd.make(file);
      ASSERT_EQ(identify(bytes).format, "nsa");
      EXPECT_EQ(layout_of(bytes), Layout::v26);
      Diagnostics reading;
      const auto document = read(bytes, {}, reading);
      ASSERT_TRUE(document);
      EXPECT_EQ(write(*document), bytes);
      EXPECT_GT(findings(bytes, *document, reading), 0U);
    }
  }
}

/// What moves is not lost with what does not.
TEST(NsaRecognition, WithoutStaticSegmentTheRestDecodes) {
  const Bytes file = test::load(test::samples_dir() / "forgelight" / "Human_Walk.nsa");
  const Clip whole = decode(*read(file));
  Diagnostics findings;
  const Clip rest = decode(*read(with<std::uint64_t>(file, 0xA0, 0)), findings);
  EXPECT_GT(findings.items().size(), 0U);
  const auto moving = [](const auto& tracks) {
    return std::count_if(tracks.begin(), tracks.end(), [](const auto& t) { return t.values.size() > 1; });
  };
  EXPECT_GT(moving(rest.rotations), 0);
  EXPECT_EQ(moving(rest.rotations), moving(whole.rotations));
  EXPECT_EQ(rest.root, whole.root);
}

/// The parts of an animation of version 24: lists and static segment, without anything that moves.
Bytes version_24() {
  Bytes bytes(0x160);
  std::fill(bytes.begin(), bytes.end(), std::uint8_t{0});
  bytes = with<std::uint32_t>(std::move(bytes), 0x10, 16);
  bytes = with<float>(std::move(bytes), 0x28, 0.5F);
  bytes = with<float>(std::move(bytes), 0x2C, 30.0F);
  bytes = with<std::uint32_t>(std::move(bytes), 0x30, 4);
  bytes = with<std::uint64_t>(std::move(bytes), 0x40, 0xC0);  // translations of channels 1, 2
  bytes = with<std::uint64_t>(std::move(bytes), 0x48, 0xC8);  // rotations of channel 3
  bytes = with<std::array<std::uint16_t, 3>>(std::move(bytes), 0xC0, {2, 1, 2});
  bytes = with<std::array<std::uint16_t, 2>>(std::move(bytes), 0xC8, {1, 3});
  bytes = with<std::uint64_t>(std::move(bytes), 0x90, 0xD0);
  bytes = with<std::array<std::uint32_t, 2>>(std::move(bytes), 0xD0, {2, 1});
  bytes = with<std::uint64_t>(std::move(bytes), 0xD0 + 0x38, 0x48);
  return with<std::uint64_t>(std::move(bytes), 0xD0 + 0x40, 0x58);
}

TEST(NsaRecognition, Version24Alike) {
  const Bytes good = version_24();
  const std::vector<std::pair<std::string, Bytes>> files = {
      {"good", good},
      {"no static segment", with<std::uint64_t>(good, 0x90, 0)},
      {"rate 0", with<float>(good, 0x2C, 0)},
      {"alignment 64", with<std::uint32_t>(good, 0x10, 64)},
      {"more sets than channels", with<std::uint32_t>(good, 0x3C, 5)},
  };
  for (const auto& [name, bytes] : files) {
    SCOPED_TRACE(name);
    EXPECT_EQ(layout_of(bytes), Layout::v24);
    Diagnostics reading;
    const auto document = read(bytes, {}, reading);
    ASSERT_TRUE(document);
    EXPECT_EQ(write(*document), bytes);
    EXPECT_GT(findings(bytes, *document, reading), 0U);
  }
}

TEST(NsaRecognition, NothingElseIsTakenForOne) {
  std::mt19937 random(1);
  std::size_t taken = 0;
  const auto look = [&](const Bytes& bytes) { taken += is_nsa(bytes) ? 1U : 0U; };
  Bytes bytes(4096);
  for (int round = 0; round < 2000; ++round) {
    const std::uint32_t most = 1U << (1 + round % 31);
    for (std::size_t at = 0; at < bytes.size(); at += 4) {
      // Small and large integers, pairs of one and 0, floats, offsets that rise.
      const auto number = static_cast<std::uint32_t>(random() % most);
      const bool high = at % 8 == 4;
      const std::uint32_t word = round % 4 == 0   ? number
                                 : round % 4 == 1 ? (high ? 0 : number)
                                 : round % 4 == 2 ? (high ? 0 : static_cast<std::uint32_t>(0xC0 + at))
                                                  : 0x3F000000U + number % 0x01000000U;
      bytes = with(std::move(bytes), at, word);
    }
    look(bytes);
  }
  EXPECT_EQ(taken, 0U);
}

}  // namespace
}  // namespace thaw::nsa
