// Animations are recognised by evidence: a header may be odd in what it says.
#include <thaw/format.hpp>
#include <thaw/nsa.hpp>
#include <thaw/validate.hpp>

#include "support/files.hpp"
#include "support/paths.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
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
  std::size_t accepted = 0;
  const auto look = [&](const Bytes& bytes) { accepted += is_nsa(bytes) ? 1U : 0U; };
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
  EXPECT_EQ(accepted, 0U);
}

// --- just enough, and just too little
// --------------------------------------------------------------------------------------------------

/// A header in good order with one pointer: taken away any of it, it is no animation.
struct Sparse {
  std::uint64_t reserved = 0;
  std::uint32_t alignment = 16;
  float duration = 0.5F;
  float rate = 30;
  std::uint32_t channels = 4;
  std::uint32_t animated = 4;
  std::map<std::size_t, std::uint64_t> pointers = {{0x88, 0xC0}};  ///< to factors
  Bytes after = Bytes(0x40, 0);

  [[nodiscard]] Bytes bytes() const {
    Bytes all(0xC0, 0);
    all = with(std::move(all), 0x08, reserved);
    all = with(std::move(all), 0x14, alignment);
    all = with(std::move(all), 0x18, duration);
    all = with(std::move(all), 0x1C, rate);
    all = with(std::move(all), 0x20, channels);
    all = with(std::move(all), 0x24, animated);
    for (const auto& [at, pointer] : pointers) {
      all = with(std::move(all), at, pointer);
    }
    all.insert(all.end(), after.begin(), after.end());
    return all;
  }
  [[nodiscard]] bool is_recognised() const { return layout_of(bytes()) == Layout::v26; }
};

/// Whether the sparse header with one change is an animation.
template <class Change>
bool recognised_with(const Change& change) {
  Sparse sparse;
  change(sparse);
  return sparse.is_recognised();
}

TEST(NsaRecognition, AHeaderInGoodOrderWithOnePointerIsEnough) {
  EXPECT_TRUE(Sparse().is_recognised());
  EXPECT_FALSE(recognised_with([](Sparse& s) { s.pointers.clear(); }));
  EXPECT_FALSE(recognised_with([](Sparse& s) { s.reserved = 1; }));
  EXPECT_FALSE(is_nsa(ByteView(Sparse().bytes()).first(0xBF)));
  EXPECT_TRUE(is_nsa(ByteView(Sparse().bytes()).first(0xC0)));
}

TEST(NsaRecognition, Alignments) {
  const auto recognised = [](std::uint32_t alignment, std::size_t pointers) {
    return recognised_with([&](Sparse& s) {
      s.alignment = alignment;
      for (std::size_t i = 1; i < pointers; ++i) {
        s.pointers[0x88 + 8 * i] = 0xC0;
      }
    });
  };
  EXPECT_TRUE(recognised(4, 1));
  EXPECT_TRUE(recognised(16, 1));
  for (const std::uint32_t other : {1U, 2U, 8U, 32U, 4096U}) {
    EXPECT_FALSE(recognised(other, 1)) << other;
    EXPECT_TRUE(recognised(other, 2)) << other << ": another pointer makes up for it";
  }
  for (const std::uint32_t none : {0U, 3U, 12U, 8192U, 0x80000000U}) {
    EXPECT_FALSE(recognised(none, 3)) << none;
  }
}

TEST(NsaRecognition, DurationsAndRates) {
  const auto lasting = [](float duration) {
    return recognised_with([&](Sparse& s) { s.duration = duration; });
  };
  for (const float good : {0.0F, 1e-4F, 1.0F, 1e5F}) {
    EXPECT_TRUE(lasting(good)) << good;
  }
  for (const float bad : {9.9e-5F, 1.4e-45F, -0.1F, 1.01e5F, NAN, INFINITY}) {
    EXPECT_FALSE(lasting(bad)) << bad;
  }
  const auto running = [](float rate) { return recognised_with([&](Sparse& s) { s.rate = rate; }); };
  for (const float good : {1e-3F, 30.0F, 1e4F}) {
    EXPECT_TRUE(running(good)) << good;
  }
  for (const float bad : {0.0F, 9e-4F, -1.0F, 1.01e4F, NAN, INFINITY}) {
    EXPECT_FALSE(running(bad)) << bad;
  }
}

TEST(NsaRecognition, NumbersOfChannels) {
  const auto of = [](std::uint32_t channels, std::uint32_t animated) {
    return recognised_with([&](Sparse& s) {
      s.channels = channels;
      s.animated = animated;
    });
  };
  EXPECT_TRUE(of(1, 0));
  EXPECT_TRUE(of(1, 1));
  EXPECT_FALSE(of(1, 2));
  EXPECT_FALSE(of(0, 0));
  EXPECT_TRUE(of(65535, 65535));
  EXPECT_FALSE(of(65536, 0));
}

TEST(NsaRecognition, PointersLeadAfterTheHeaderAndNotTooFar) {
  const auto to = [](std::uint64_t pointer) {
    return recognised_with([&](Sparse& s) { s.pointers = {{0x88, pointer}}; });
  };
  EXPECT_TRUE(to(0xC0));
  EXPECT_TRUE(to(0xFFFFFFFF));
  EXPECT_FALSE(to(0xBF));
  EXPECT_FALSE(to(1));
  EXPECT_FALSE(to(0x100000000));
  // Three are as good as any number, and one that is none is worse than three.
  const auto with_pointers = [](std::size_t count, std::uint64_t odd) {
    return recognised_with([&](Sparse& s) {
      s.rate = 0;
      s.alignment = 64;
      for (std::size_t i = 0; i < count; ++i) {
        s.pointers[0x88 + 8 * i] = 0xC0 + 0x40;
      }
      s.reserved = odd;
    });
  };
  EXPECT_FALSE(with_pointers(2, 0));
  EXPECT_TRUE(with_pointers(3, 0));
  EXPECT_FALSE(with_pointers(3, 1));
  EXPECT_FALSE(with_pointers(6, 1));
  EXPECT_TRUE(recognised_with(
      [](Sparse& s) { s.pointers = {{0x70, 0xC0}, {0x88, 0xC0}, {0x90, 0xC0}, {0x98, 0xC0}}; }));
  EXPECT_FALSE(
      recognised_with([](Sparse& s) { s.pointers = {{0x70, 0xC0}, {0x88, 0xC0}, {0x90, 0xC0}, {0x98, 1}}; }));
}

/// A list of channels at 0xC0 in a header that would not be enough without it.
bool listed(std::initializer_list<std::uint16_t> words, std::uint32_t channels, std::size_t size = 0x40) {
  Sparse sparse;
  sparse.rate = 0;
  sparse.alignment = 64;
  sparse.channels = sparse.animated = channels;
  sparse.pointers = {{0x28, 0xC0}};
  std::memcpy(sparse.after.data(), std::data(words), 2 * words.size());
  const Bytes bytes = sparse.bytes();
  return layout_of(ByteView(bytes).first(0xC0 + size)) == Layout::v26;
}

TEST(NsaRecognition, ListsAreRisingChannels) {
  EXPECT_TRUE(listed({1, 0}, 1));
  EXPECT_TRUE(listed({1, 3}, 4));
  EXPECT_TRUE(listed({3, 0, 1, 3}, 4));
  EXPECT_TRUE(listed({4, 0, 1, 2, 3}, 4));
  EXPECT_FALSE(listed({0}, 4)) << "of none";
  EXPECT_FALSE(listed({1, 4}, 4)) << "a channel that is not there";
  EXPECT_FALSE(listed({2, 1, 1}, 4));
  EXPECT_FALSE(listed({2, 2, 1}, 4));
  EXPECT_FALSE(listed({5, 0, 1, 2, 3, 4}, 4));
  // It has to be there to its end.
  EXPECT_TRUE(listed({2, 0, 1}, 4, 6));
  EXPECT_FALSE(listed({2, 0, 1}, 4, 5));
  EXPECT_FALSE(listed({2, 0, 1}, 4, 2));
  EXPECT_FALSE(listed({2, 0, 1}, 4, 1));
  EXPECT_FALSE(listed({2, 0, 1}, 4, 0));
}

/// A poor header whose two lists and static segment agree, or not.
Sparse with_segment(std::uint32_t translations, std::uint32_t rotations) {
  Sparse sparse;
  sparse.alignment = 3;
  sparse.pointers = {{0x28, 0xC0}, {0xA0, 0xD0}};
  sparse.after = with<std::array<std::uint16_t, 2>>(std::move(sparse.after), 0, {1, 2});
  sparse.after = with<std::array<std::uint32_t, 2>>(std::move(sparse.after), 0x10, {translations, rotations});
  return sparse;
}

TEST(NsaRecognition, AStaticSegmentHasAsManyAsAreListed) {
  EXPECT_TRUE(with_segment(1, 0).is_recognised());
  EXPECT_FALSE(with_segment(2, 0).is_recognised());
  EXPECT_FALSE(with_segment(1, 1).is_recognised());
  EXPECT_FALSE(with_segment(0, 0).is_recognised());
  Sparse sparse = with_segment(1, 0);
  sparse.pointers[0xA0] = 0xC0 + 0x40 - 8;
  sparse.after = with<std::array<std::uint32_t, 2>>(std::move(sparse.after), 0x38, {1, 0});
  EXPECT_TRUE(sparse.is_recognised()) << "at the end of the file";
  EXPECT_FALSE(layout_of(ByteView(sparse.bytes()).first(0xFF)).has_value()) << "cut by a byte";
  // What nobody lists proves nothing.
  Sparse empty;
  empty.rate = 0;
  empty.alignment = 64;
  empty.pointers = {{0xA0, 0xC0}};
  EXPECT_FALSE(empty.is_recognised());
  // And a worse header is not made up for.
  sparse = with_segment(1, 0);
  sparse.rate = 0;
  EXPECT_FALSE(sparse.is_recognised());
}

TEST(NsaRecognition, AsMuchAsContentCanMakeUpFor) {
  Sparse sparse = with_segment(1, 1);
  sparse.pointers[0x30] = 0xC0;
  sparse.pointers[0x40] = 0xC0;
  sparse.rate = 0;
  sparse.reserved = 1;
  sparse.pointers[0x98] = 1;  // no pointer
  EXPECT_TRUE(sparse.is_recognised());
  sparse.animated = 5;
  EXPECT_FALSE(sparse.is_recognised());
  // Four lists are no better than three.
  sparse.pointers[0x48] = 0xC0;
  EXPECT_FALSE(sparse.is_recognised());
}

}  // namespace
}  // namespace thaw::nsa
