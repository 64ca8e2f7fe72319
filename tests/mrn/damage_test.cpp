// A damaged packet costs itself: the others are found by what every packet begins with.
#include <thaw/format.hpp>
#include <thaw/validate.hpp>

#include "mrn/human.hpp"

#include <algorithm>
#include <iostream>

namespace thaw::mrn {
namespace {

std::vector<std::filesystem::path> networks() {
  std::vector<std::filesystem::path> paths = {test::samples_dir() / "forgelight" / "human.mrn"};
  if (std::filesystem::exists(test::corpus_dir() / "mrn")) {
    for (const auto& path : test::files_below(test::corpus_dir() / "mrn", ".mrn")) {
      paths.push_back(path);
    }
  }
  return paths;
}

bool is_content(const Packet& packet) {
  return packet.get_if<Skeleton>() != nullptr || packet.get_if<nsa::Document>() != nullptr;
}

/// Where each packet begins, and behind the last one the end.
std::vector<std::size_t> starts(const Document& document) {
  std::vector<std::size_t> places = {0};
  for (const Packet& packet : document.packets) {
    Document alone;
    alone.layout = document.layout;
    alone.packets = {packet};
    places.push_back(places.back() + write(alone).size());
  }
  return places;
}

/// Skeletons and clips of `good` that `read` has lost, without the packet `damaged`.
std::size_t lost(const Document& good, const Document& read, std::size_t damaged) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < good.packets.size(); ++i) {
    const Packet& packet = good.packets[i];
    if (is_content(packet) && i != damaged &&
        std::none_of(read.packets.begin(), read.packets.end(),
                     [&](const Packet& other) { return other.body == packet.body; })) {
      ++count;
    }
  }
  return count;
}

struct Score {
  std::size_t tried = 0;
  std::size_t intact = 0;  ///< every skeleton and clip of the other packets
  std::size_t all = 0;     ///< that of the damaged packet, too
};

void try_one(const Bytes& file, const Document& good, std::size_t packet, std::size_t at, std::uint8_t value,
             Score& score) {
  Bytes bytes = file;
  bytes[at] = value;
  ++score.tried;
  Diagnostics findings;
  const auto document = read(bytes, {}, findings);
  if (!document || identify(bytes).format != "mrn") {
    return;
  }
  EXPECT_EQ(write(*document), bytes) << packet << " at " << at;
  score.intact += lost(good, *document, packet) == 0 ? 1U : 0U;
  score.all += lost(good, *document, good.packets.size()) == 0 ? 1U : 0U;
}

constexpr std::size_t kHeaderBytes = 0x28;

void expect(const Score& score, const std::filesystem::path& path, const char* what) {
  const auto percent = [&](std::size_t part) {
    return 100.0 * static_cast<double>(part) / static_cast<double>(score.tried);
  };
  std::cout << path.filename().string() << ": of " << score.tried << ' ' << what << " in packet headers "
            << percent(score.intact) << " of 100 keep the skeletons and clips of the others, "
            << percent(score.all) << " all\n";
  EXPECT_GE(percent(score.intact), 99);
  EXPECT_GE(percent(score.all), 90);
}

TEST(MrnDamage, OneBitOfAHeaderCostsNoOtherPacket) {
  for (const auto& path : networks()) {
    const Bytes file = test::load(path);
    const Document good = *read(file);
    const auto places = starts(good);
    ASSERT_EQ(places.back(), file.size());
    Score score;
    for (std::size_t i = 0; i < good.packets.size(); ++i) {
      for (std::size_t bit = 0; bit < 8 * kHeaderBytes; ++bit) {
        const std::size_t at = places[i] + bit / 8;
        try_one(file, good, i, at, static_cast<std::uint8_t>(file[at] ^ (1U << bit % 8)), score);
      }
    }
    expect(score, path, "bits");
  }
}

TEST(MrnDamage, NorDoesAByte) {
  for (const auto& path : networks()) {
    const Bytes file = test::load(path);
    const Document good = *read(file);
    const auto places = starts(good);
    Score score;
    for (std::size_t i = 0; i < good.packets.size(); ++i) {
      for (std::size_t byte = 0; byte < kHeaderBytes; ++byte) {
        for (const unsigned value : {0x00U, 0x01U, 0x10U, 0x7FU, 0x80U, 0xCDU, 0xFFU}) {
          try_one(file, good, i, places[i] + byte, static_cast<std::uint8_t>(value), score);
        }
      }
    }
    expect(score, path, "bytes");
  }
}

TEST(MrnDamage, AHeaderThatIsGoneLeavesAStretchWithAFinding) {
  for (const auto& path : networks()) {
    const Bytes file = test::load(path);
    const Document good = *read(file);
    const auto places = starts(good);
    for (std::size_t i = 1; i < good.packets.size(); ++i) {
      SCOPED_TRACE(path.filename().string() + ' ' + std::to_string(i));
      Bytes bytes = file;
      std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(places[i]), kHeaderBytes, std::uint8_t{0});
      Diagnostics findings;
      const auto document = read(bytes, {}, findings);
      ASSERT_TRUE(document);
      EXPECT_EQ(write(*document), bytes);
      EXPECT_EQ(lost(good, *document, i), 0U);
      EXPECT_TRUE(std::any_of(findings.items().begin(), findings.items().end(), [&](const auto& finding) {
        return finding.code == codes::kMrnPacket && finding.offset == places[i];
      }));
      if (i + 1 < good.packets.size()) {
        ASSERT_EQ(document->packets.size(), good.packets.size() - 1);
        EXPECT_EQ(document->packets[i].before.size(), places[i + 1] - places[i]);
        EXPECT_EQ(document->packets[i].body, good.packets[i + 1].body);
      } else {
        EXPECT_EQ(document->rest.size(), places[i + 1] - places[i]);
      }
    }
  }
}

TEST(MrnDamage, AnOddFirstPacketIsNoOtherFormat) {
  for (const auto& path : networks()) {
    const Bytes file = test::load(path);
    const Document good = *read(file);
    const auto odd = [&](std::size_t at, std::uint32_t value) {
      SCOPED_TRACE(path.filename().string() + ": " + std::to_string(value) + " at " + std::to_string(at));
      Bytes bytes = file;
      std::memcpy(bytes.data() + at, &value, sizeof value);
      EXPECT_EQ(identify(bytes).format, "mrn");
      EXPECT_EQ(identify(bytes).version, 26U);
      Diagnostics findings;
      const auto document = read(bytes, {}, findings);
      ASSERT_TRUE(document);
      EXPECT_EQ(write(*document), bytes);
      EXPECT_EQ(lost(good, *document, 0), 0U);
      const Diagnostics rules = validate(*read_any(bytes));
      EXPECT_GT(findings.items().size() + rules.items().size(), 0U);
    };
    for (const std::uint32_t alignment : {0U, 3U, 17U, 8192U, 0xCDCDCDCDU}) {
      odd(0x24, alignment);
    }
    for (const std::uint32_t type : {0U, 0x100U, 0x12345678U}) {
      odd(8, type);
    }
    odd(0, 0x1B);
    odd(0, 0xFF);
    odd(4, 0xFF);
    odd(0x20, 0xFFFFFFFF);
  }
}

/// There are no other packets that would say what the magic is: the file's end does.
TEST(MrnDamage, OneOddPacketAloneIsANetwork) {
  const Bytes whole = test::load(test::samples_dir() / "forgelight" / "human.mrn");
  const std::size_t end = starts(*read(whole))[1];
  const Bytes good(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(end));
  using Word = std::pair<std::size_t, std::uint32_t>;
  for (const auto& [at, value] :
       {Word{0x24, 3}, Word{0x24, 0xCDCDCDCDU}, Word{8, 0x100}, Word{8, 0x12345678}}) {
    Bytes bytes = good;
    std::memcpy(bytes.data() + at, &value, sizeof value);
    EXPECT_EQ(identify(bytes).format, "mrn") << at << ' ' << value;
    Diagnostics findings;
    const auto read_again = read(bytes, {}, findings);
    ASSERT_TRUE(read_again) << at << ' ' << value;
    EXPECT_EQ(read_again->packets.size(), 1U);
    EXPECT_EQ(write(*read_again), bytes);
    bytes.resize(bytes.size() + 64, 0x41);
    EXPECT_NE(identify(bytes).format, "mrn") << "it does not end with the packet";
  }
}

/// Files of other formats may hold networks, and begin otherwise.
TEST(MrnDamage, PacketsSomewhereAreNoNetwork) {
  Bytes bytes = test::load(test::samples_dir() / "forgelight" / "human.mrn");
  bytes.insert(bytes.begin(), 64, std::uint8_t{0x41});
  EXPECT_FALSE(layout_of(bytes));
  EXPECT_NE(identify(bytes).format, "mrn");
}

}  // namespace
}  // namespace thaw::mrn
