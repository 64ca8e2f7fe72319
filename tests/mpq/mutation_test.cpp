// Damaged archives: no crash, no hang, and memory in proportion to the file.
//
// THAW_MPQ_MUTANTS in the environment sets the number of mutants (default 1000).

#include <thaw/archive.hpp>

#include <gtest/gtest.h>
#include <random>

#include "support/archive_tally.hpp"
#include "support/files.hpp"
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
  const std::array packings = {MpqPacking::stored, MpqPacking::zlib,       MpqPacking::bzip2,
                               MpqPacking::lzma,   MpqPacking::pkware,     MpqPacking::implode,
                               MpqPacking::sparse, MpqPacking::sparse_zlib};
  std::vector<Bytes> archives;
  for (const std::uint32_t flags :
       {0U, kEncrypted | kKeyAdjusted, std::uint32_t{kSingleUnit}, kSectorChecksums | kEncrypted}) {
    std::vector<PackedFile> files;
    for (const MpqPacking packing : packings) {
      const auto index = static_cast<unsigned>(files.size());
      files.push_back(
          {"Folder\\file" + std::to_string(index), content(index, 1500 + index * 1000), packing, flags});
    }
    PackOptions options;
    options.before = flags == 0 ? map_prefix("map") : "";
    options.version = flags == kSingleUnit ? 3 : 0;
    options.sector_shift = flags == kSingleUnit ? 3 : 1;
    options.listfile = flags != (kEncrypted | kKeyAdjusted);
    archives.push_back(pack_mpq(files, options));
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
    const std::size_t at = first + dice() % count;
    bytes[at] = damaged_byte(dice);
  }
  return bytes;
}

void open_all(const Bytes& bytes, ArchiveTally& tally) {
  tally.measure(bytes.size(), [&] {
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
  });
}

std::size_t mutants() { return mutant_count("THAW_MPQ_MUTANTS", 1000); }

TEST(Mutation, OfArchivesMadeHere) {
  const auto archives = originals();
  ArchiveTally sound;
  for (const auto& archive : archives) {
    open_all(archive, sound);
  }
  // In the archive without a list, nothing tells the key of the stored file.
  EXPECT_EQ(sound.unpacked, sound.files - 1);
  EXPECT_EQ(sound.files, archives.size() * 8 + 3);
  std::mt19937 dice(20);
  ArchiveTally tally;
  for (std::size_t i = 0; i < mutants(); ++i) {
    open_all(mutate(archives[i % archives.size()], dice), tally);
  }
  tally.report("made here", mutants());
  EXPECT_GT(tally.opened, mutants() / 4);
  EXPECT_LT(tally.slowest.count(), 20.0);
}

TEST(Mutation, OfRealArchives) {
  THAW_REQUIRE_CORPUS("alpha");
  std::mt19937 dice(30);
  ArchiveTally tally;
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
  tally.report("real", mutants() / 4);
  EXPECT_LT(tally.slowest.count(), 20.0);
}

TEST(Mutation, CutAtEveryPlaceOfASmallArchive) {
  const Bytes bytes = pack_mpq({{"a", "text text text text text text text", MpqPacking::zlib}, {"b", "x"}});
  ArchiveTally tally;
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    open_all(Bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)), tally);
  }
  EXPECT_GT(tally.opened, 0U);
}

TEST(Bomb, ZerosPackedInAFewBytesStayInProportion) {
  // 15 MB of zeros in one piece: allowed, as it is below the base; memory must not be a multiple of it.
  for (const MpqPacking packing : {MpqPacking::zlib, MpqPacking::bzip2, MpqPacking::lzma}) {
    ArchiveTally tally;
    open_all(pack_mpq({{"a", std::string(15'000'000, '\0'), packing, kSingleUnit}}), tally);
    EXPECT_EQ(tally.unpacked, tally.files);
  }
}

}  // namespace
}  // namespace thaw::mpq
