// Damaged archives: no crash, no hang, and memory in proportion to the file.
//
// THAW_MPQ_MUTANTS in the environment sets the number of mutants (default 1000).

#include <thaw/mpq.hpp>

#include <gtest/gtest.h>
#include <chrono>
#include <cstdlib>
#include <random>

#include "support/files.hpp"
#include "support/heap.hpp"
#include "support/mpq_packer.hpp"
#include "support/paths.hpp"

namespace thaw::mpq {
namespace {

using namespace test;

std::string content(unsigned seed, std::size_t size) {
  std::mt19937 dice(seed);
  std::string text;
  while (text.size() < size) {
    text += seed % 2 == 0 ? static_cast<char>(dice() % 64) : "ab\0\0\0\0\0\0"[text.size() / 100 % 8];
  }
  return text;
}

std::vector<Bytes> originals() {
  const std::array packings = {Packing::stored, Packing::zlib,    Packing::bzip2,  Packing::lzma,
                               Packing::pkware, Packing::implode, Packing::sparse, Packing::sparse_zlib};
  std::vector<Bytes> archives;
  for (const std::uint32_t flags :
       {0U, kEncrypted | kKeyAdjusted, std::uint32_t{kSingleUnit}, kSectorChecksums | kEncrypted}) {
    std::vector<PackedFile> files;
    for (const Packing packing : packings) {
      const auto index = static_cast<unsigned>(files.size());
      files.push_back(
          {"Folder\\file" + std::to_string(index), content(index, 1500 + index * 1000), packing, flags});
    }
    PackOptions options;
    options.before = flags == 0 ? map_prefix("map") : "";
    options.version = flags == kSingleUnit ? 3 : 0;
    options.sector_shift = flags == kSingleUnit ? 3 : 1;
    options.listfile = flags != (kEncrypted | kKeyAdjusted);
    archives.push_back(pack(files, options));
  }
  return archives;
}

std::size_t place_of_header(const Bytes& bytes) { return bytes[0] == 'H' ? 512 : 0; }

/// One to eight bytes changed: in the header, in the tables or anywhere; or the file cut.
Bytes mutate(Bytes bytes, std::mt19937& dice) {
  const std::size_t header = place_of_header(bytes);
  if (dice() % 16 == 0) {
    bytes.resize(dice() % bytes.size());
    return bytes;
  }
  const std::size_t first = std::array<std::size_t, 3>{header, bytes.size() - 1400, 0}.at(dice() % 3);
  const std::size_t count = first == header ? 64 : bytes.size() - first;
  const unsigned changes = 1 + dice() % 8;
  for (unsigned i = 0; i < changes; ++i) {
    constexpr std::array<std::uint8_t, 5> kExtremes = {0, 1, 0x7F, 0x80, 0xFF};
    const std::size_t at = first + dice() % count;
    bytes[at] = dice() % 2 == 0 ? kExtremes.at(dice() % 5) : static_cast<std::uint8_t>(dice());
  }
  return bytes;
}

struct Tally {
  std::size_t opened = 0;
  std::size_t files = 0;
  std::size_t unpacked = 0;
  std::size_t largest_peak = 0;
  std::chrono::duration<double> slowest{};
};

void open_all(const Bytes& bytes, Tally& tally) {
  const auto start = std::chrono::steady_clock::now();
  const HeapMeter meter;
  {
    Diagnostics findings;
    const auto archive = Archive::open(memory_storage(bytes), {}, findings);
    tally.opened += archive ? 1U : 0U;
    for (std::size_t i = 0; archive && i < archive->entries().size(); ++i) {
      const auto unpacked = archive->unpack(archive->entries()[i], findings);
      ++tally.files;
      tally.unpacked += unpacked ? 1U : 0U;
      if (unpacked) {
        EXPECT_EQ(unpacked->bytes.size(), archive->entries()[i].size);
      }
    }
  }
  constexpr std::size_t kBase = std::size_t{64} << 20U;
  EXPECT_LE(meter.peak(), kBase + 16 * bytes.size());
  EXPECT_EQ(meter.current(), 0U);
  tally.largest_peak = std::max(tally.largest_peak, meter.peak());
  tally.slowest =
      std::max<std::chrono::duration<double>>(tally.slowest, std::chrono::steady_clock::now() - start);
}

void report(const char* what, std::size_t mutants, const Tally& tally) {
  std::cout << what << ": " << mutants << " mutants, " << tally.opened << " open, " << tally.unpacked
            << " of " << tally.files << " files unpack, largest peak " << tally.largest_peak
            << " bytes, slowest " << tally.slowest.count() << " s\n";
}

std::size_t mutants() {
  const char* text = std::getenv("THAW_MPQ_MUTANTS");  // NOLINT(concurrency-mt-unsafe)
  return text == nullptr ? 1000 : static_cast<std::size_t>(std::strtoul(text, nullptr, 10));
}

TEST(Mutation, OfArchivesMadeHere) {
  const auto archives = originals();
  Tally sound;
  for (const auto& archive : archives) {
    open_all(archive, sound);
  }
  // In the archive without a list, nothing tells the key of the stored file.
  EXPECT_EQ(sound.unpacked, sound.files - 1);
  EXPECT_EQ(sound.files, archives.size() * 8 + 3);
  std::mt19937 dice(20);
  Tally tally;
  for (std::size_t i = 0; i < mutants(); ++i) {
    open_all(mutate(archives[i % archives.size()], dice), tally);
  }
  report("made here", mutants(), tally);
  EXPECT_GT(tally.opened, mutants() / 4);
  EXPECT_LT(tally.slowest.count(), 20.0);
}

TEST(Mutation, OfRealArchives) {
  THAW_REQUIRE_CORPUS("alpha");
  std::mt19937 dice(30);
  Tally tally;
  std::vector<Bytes> archives;
  for (const char* extension : {".w3m", ".w3x", ".mpq"}) {
    for (const auto& path : files_below(corpus_dir() / "alpha", extension)) {
      archives.push_back(load(path));
    }
  }
  ASSERT_FALSE(archives.empty());
  for (std::size_t i = 0; i < mutants() / 4; ++i) {
    open_all(mutate(archives[i % archives.size()], dice), tally);
  }
  report("real", mutants() / 4, tally);
  EXPECT_LT(tally.slowest.count(), 20.0);
}

TEST(Mutation, CutAtEveryPlaceOfASmallArchive) {
  const Bytes bytes = pack({{"a", "text text text text text text text", Packing::zlib}, {"b", "x"}});
  Tally tally;
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    open_all(Bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)), tally);
  }
  EXPECT_GT(tally.opened, 0U);
}

TEST(Bomb, ZerosPackedInAFewBytesStayInProportion) {
  // 15 MB of zeros in one piece: allowed, as it is below the base; memory must not be a multiple of it.
  for (const Packing packing : {Packing::zlib, Packing::bzip2, Packing::lzma}) {
    Tally tally;
    open_all(pack({{"a", std::string(15'000'000, '\0'), packing, kSingleUnit}}), tally);
    EXPECT_EQ(tally.unpacked, tally.files);
  }
}

}  // namespace
}  // namespace thaw::mpq
