// Archives as packers, editors and protectors of maps leave them.
#include <thaw/archive.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bytes/text.hpp"
#include "formats/archives/mpq/crypt.hpp"
#include "formats/archives/mpq/decompress.hpp"
#include "formats/archives/mpq/explode.hpp"
#include "support/files.hpp"
#include "support/mpq_packer.hpp"
#include "support/paths.hpp"

#include <algorithm>

namespace thaw::mpq {
namespace {

using namespace test;
using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

std::string text_of(const Bytes& bytes) { return {bytes.begin(), bytes.end()}; }

/// Packs well, over several sectors, with zeros and runs in it.
std::string sample_text() {
  std::string text;
  for (int i = 0; i < 700; ++i) {
    text += "line " + std::to_string(i * 7919 % 1000) + " of the file\r\n";
  }
  text.append(5000, '\0');
  text.append(3000, 'x');
  return text;
}

struct Opened {
  Diagnostics findings;
  Result<Archive> archive = fail(codes::kMpqNoHeader, "");

  explicit Opened(Bytes bytes, const OpenOptions& options = {}) {
    archive = Archive::open(memory_storage(std::move(bytes)), options, findings);
    EXPECT_TRUE(archive) << archive.error().message;
  }
  [[nodiscard]] const Archive& operator*() const { return *archive; }
  [[nodiscard]] std::vector<std::string_view> codes() const {
    std::vector<std::string_view> codes;
    for (const auto& finding : findings.items()) {
      codes.push_back(finding.code.id);
    }
    return codes;
  }
};

/// The file of a name, or what is wrong with it.
std::string read(const Archive& archive, std::string_view name) {
  const auto entry = archive.find(name);
  if (!entry) {
    return "no entry";
  }
  Diagnostics findings;
  const auto unpacked = archive.unpack(*entry, findings);
  std::string text = unpacked ? text_of(unpacked->bytes) : std::string(unpacked.error().code.id);
  for (const auto& finding : findings.items()) {
    text += " + " + std::string(finding.code.id);
  }
  return text;
}

std::vector<std::string> names(const Archive& archive) {
  std::vector<std::string> names;
  for (const auto& entry : archive.entries()) {
    names.push_back(display_name(entry, ".bin"));
  }
  return names;
}

constexpr std::array kPackings = {MpqPacking::stored, MpqPacking::zlib,       MpqPacking::bzip2,
                                  MpqPacking::lzma,   MpqPacking::pkware,     MpqPacking::implode,
                                  MpqPacking::sparse, MpqPacking::sparse_zlib};

TEST(Archive, ReadsEveryPackingInEveryWay) {
  const std::array<std::uint32_t, 6> ways = {
      0, kEncrypted, kEncrypted | kKeyAdjusted, kSingleUnit, kSingleUnit | kEncrypted, kSectorChecksums};
  for (const MpqPacking packing : kPackings) {
    for (const std::uint32_t flags : ways) {
      std::vector<PackedFile> files;
      for (const std::size_t size : {0U, 1U, 3U, 4095U, 4096U, 4097U, 8192U, 20000U}) {
        files.push_back({"Dir\\f" + std::to_string(size), sample_text().substr(0, size), packing, flags});
      }
      const Opened opened(pack_mpq(files));
      EXPECT_THAT(opened.codes(), IsEmpty());
      for (const auto& file : files) {
        EXPECT_EQ(read(*opened, file.name), file.content)
            << file.name << ", packing " << static_cast<int>(packing) << ", flags " << flags;
      }
    }
  }
}

TEST(Archive, ReportsHowFilesArePacked) {
  const std::array<std::string, 8> words = {"stored", "zlib",   "bzip2",  "LZMA",
                                            "PKWARE", "PKWARE", "sparse", "sparse+zlib"};
  for (std::size_t i = 0; i < kPackings.size(); ++i) {
    const Opened opened(pack_mpq({{"a", sample_text(), kPackings.at(i)}}));
    Diagnostics findings;
    const auto unpacked = (*opened).unpack(*(*opened).find("a"), findings);
    ASSERT_TRUE(unpacked);
    EXPECT_EQ(methods_text(unpacked->methods), words.at(i));
  }
}

TEST(Archive, FindsNamesWithoutRegardToCaseAndSlashes) {
  const Opened opened(pack_mpq({{"Units\\Human\\Footman.mdx", "model"}}));
  EXPECT_EQ(read(*opened, "units/HUMAN/footman.MDX"), "model");
  EXPECT_EQ(read(*opened, "Footman.mdx"), "no entry");
  EXPECT_THAT(names(*opened), ElementsAre("Units/Human/Footman.mdx", "(listfile)"));
}

TEST(Archive, FindsLatinNamesByUtf8) {
  const Opened opened(pack_mpq({{"B\xE4r.blp", "bear"}}));
  EXPECT_EQ(read(*opened, "B\xC3\xA4r.blp"), "bear");
  EXPECT_EQ((*opened).find("B\xC3\xA4r.blp")->name, "B\xE4r.blp");
}

TEST(Archive, BeginsAfterAMapsHeader) {
  PackOptions options;
  options.before = map_prefix("The Death Sheep");
  // Nothing but the name and the offset tells the key of the second.
  const Opened opened(pack_mpq({{"war3map.j", "function main"},
                                {"note", "nothing known", MpqPacking::stored, kEncrypted | kKeyAdjusted}},
                               options));
  EXPECT_TRUE((*opened).header().map_prefix);
  EXPECT_EQ((*opened).header().offset, 512U);
  EXPECT_EQ((*opened).map_name(), "The Death Sheep");
  EXPECT_EQ(read(*opened, "war3map.j"), "function main");
  EXPECT_EQ(read(*opened, "note"), "nothing known");
}

TEST(Archive, IsFoundAnywhereInStepsOf512) {
  PackOptions options;
  options.before = std::string(512 * 5, 'x');
  EXPECT_EQ(read(*Opened(pack_mpq({{"a", "b"}}, options)), "a"), "b");
  options.before = std::string(512 * 5 + 4, 'x');
  Diagnostics findings;
  const auto none = Archive::open(memory_storage(pack_mpq({{"a", "b"}}, options)), {}, findings);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, codes::kMpqNoHeader);
}

TEST(Archive, IsFoundThroughAUserDataBlock) {
  PackOptions options;
  options.before = std::string("MPQ\x1B\0\2\0\0\x30\2\0\0\x10\0\0\0", 16);  // header at 0x230
  options.before.resize(0x230);
  const Opened opened(pack_mpq({{"a", "b"}}, options));
  EXPECT_TRUE((*opened).header().user_data);
  EXPECT_EQ(read(*opened, "a"), "b");
}

TEST(Archive, ADecoyHeaderIsPassedOver) {
  PackOptions options;
  options.before = std::string("MPQ\x1A\x20\0\0\0", 8) + std::string(24, '\xFF');
  options.before.resize(512);
  const Opened opened(pack_mpq({{"a", "b"}}, options));
  EXPECT_EQ((*opened).header().offset, 512U);
  EXPECT_EQ(read(*opened, "a"), "b");
}

TEST(Archive, ReadsHeadersOfAllVersions) {
  for (std::uint16_t version = 0; version < 4; ++version) {
    PackOptions options;
    options.version = version;
    options.high_blocks = version > 0;
    const Opened opened(pack_mpq({{"a", sample_text()}}, options));
    EXPECT_EQ((*opened).header().version, version + 1U);
    EXPECT_EQ(read(*opened, "a"), sample_text());
    EXPECT_THAT(opened.codes(), IsEmpty());
  }
}

// --- protected maps
// -----------------------------------------------------------------------------------------------

Bytes map_with(std::string_view content) {
  PackOptions options;
  options.before = map_prefix("protected");
  return pack_mpq({{"war3map.j", std::string(content)}}, options);
}

constexpr std::size_t kHeader = 512;

TEST(ProtectedMap, SizesAndVersionInTheHeaderDoNotMatter) {
  Bytes bytes = map_with("script");
  put_u32(bytes, kHeader + 4, 0x6D9E4B86);  // size of the header
  put_u32(bytes, kHeader + 8, 0);           // size of the archive
  put_u16(bytes, kHeader + 12, 3);          // version
  const Opened opened(std::move(bytes));
  EXPECT_EQ(read(*opened, "war3map.j"), "script");
  EXPECT_EQ((*opened).header().version, 1U);
  EXPECT_THAT(opened.codes(), ElementsAre("mpq.header", "mpq.header"));
}

TEST(ProtectedMap, CountsBeyondTheFileAreCut) {
  Bytes bytes = map_with("script");
  put_u32(bytes, kHeader + 28, 0x7FFFFFFF);  // blocks
  const Opened opened(std::move(bytes));
  EXPECT_EQ(read(*opened, "war3map.j"), "script");
  EXPECT_THAT(opened.codes(), Contains("mpq.table"));
}

TEST(ProtectedMap, UpperBitsOfCountsDoNotCount) {
  Bytes bytes = map_with("script");
  put_u32(bytes, kHeader + 28, get_u32(bytes, kHeader + 28) | 0x10000000U);
  const Opened opened(std::move(bytes));
  EXPECT_EQ(read(*opened, "war3map.j"), "script");
  EXPECT_THAT(opened.codes(), IsEmpty());
}

TEST(ProtectedMap, PlacesMayWrapAt4GiB) {
  Bytes bytes = map_with("script");
  const std::size_t table = kHeader + get_u32(bytes, kHeader + 16);
  // The hash table is copied before the archive, in the map's own header.
  PackOptions options;
  options.hash_count = 8;
  options.before = map_prefix("wrapped");
  bytes = pack_mpq({{"war3map.j", "script"}}, options);
  const std::size_t from = kHeader + get_u32(bytes, kHeader + 16);
  std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(from), 8 * 16, bytes.begin() + 256);
  std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(from), 8 * 16, std::uint8_t{0});
  put_u32(bytes, kHeader + 16, 0xFFFFFF00);  // −256
  EXPECT_GT(table, 0U);
  EXPECT_EQ(read(*Opened(std::move(bytes)), "war3map.j"), "script");
}

// --- entries
// ------------------------------------------------------------------------------------------------------

TEST(Entries, DeletedOnesAreCountedNotListed) {
  PackedFile gone{"gone.txt", "x"};
  gone.deleted = true;
  const Opened opened(pack_mpq({{"kept.txt", "y"}, gone}));
  EXPECT_THAT(names(*opened), ElementsAre("kept.txt", "(listfile)"));
  EXPECT_EQ((*opened).counts().deleted, 1U);
  EXPECT_EQ((*opened).counts().unreachable, 1U);
  EXPECT_EQ(read(*opened, "gone.txt"), "no entry");
}

TEST(Entries, OfUnknownNameGoByTheirHash) {
  PackOptions options;
  options.listfile = false;
  const Opened opened(pack_mpq({{"Secret\\name.mdx", "MDLXVERS"}, {"war3map.w3i", "info"}}, options));
  const std::string hash = display_name(Entry{"", entry_hash("secret\\name.mdx")}, "");
  EXPECT_THAT(names(*opened), ElementsAre(hash + ".bin", "war3map.w3i"));
  EXPECT_EQ(read(*opened, hash), "MDLXVERS");
  EXPECT_EQ(read(*opened, hash + ".mdx"), "MDLXVERS");
  EXPECT_EQ(read(*opened, "Secret/Name.mdx"), "MDLXVERS");
  EXPECT_THAT(opened.codes(), ElementsAre("mpq.names"));
  EXPECT_FALSE((*opened).has_listfile());
}

TEST(Entries, GetNamesFromListsOfTheUser) {
  PackOptions options;
  options.listfile = false;
  OpenOptions open;
  open.names = parse_listfile(to_bytes("other.txt;secret/NAME.mdx\r\n\r\nthird"));
  EXPECT_THAT(open.names, ElementsAre("other.txt", "secret/NAME.mdx", "third"));
  const Opened opened(pack_mpq({{"Secret\\name.mdx", "MDLXVERS"}}, options), open);
  EXPECT_THAT(names(*opened), ElementsAre("secret/NAME.mdx"));
}

TEST(Entries, OfSeveralLocalesTheNeutralOneIsFound) {
  PackedFile german{"war3map.wts", "Schaf"};
  german.locale = 0x0407;
  const Opened opened(pack_mpq({german, {"war3map.wts", "sheep"}}));
  EXPECT_EQ(read(*opened, "war3map.wts"), "sheep");
  EXPECT_EQ((*opened).entries().size(), 3U);
  EXPECT_EQ((*opened).entries()[0].locale, 0x0407);
}

/// An archive whose whole hash table, but for the list's own place, is the one file in it.
Bytes pack_of_one_name(const std::string& name, std::uint32_t places) {
  PackOptions options;
  options.hash_count = places;
  Bytes bytes = pack_mpq({{name, "y"}}, options);
  const std::size_t table = get_u32(bytes, 16);
  const std::uint32_t key = hash_name("(hash table)", 3);
  const std::size_t size = std::size_t{places} * 16;
  decrypt(std::span(bytes).subspan(table, size), key);
  for (std::uint32_t i = 0; i < places; ++i) {
    if (get_u32(bytes, table + i * 16 + 12) == 0xFFFFFFFF) {
      put_u32(bytes, table + i * 16, hash_name(name, 1));
      put_u32(bytes, table + i * 16 + 4, hash_name(name, 2));
      put_u32(bytes, table + i * 16 + 12, 0);
    }
  }
  encrypt(&bytes[table], size, key);
  return bytes;
}

std::size_t bytes_of_names(const Archive& archive) {
  std::size_t bytes = 0;
  for (const auto& entry : archive.entries()) {
    bytes += entry.name.size();
  }
  return bytes;
}

TEST(Entries, OneNameInEveryPlaceStaysInProportion) {
  const std::string name(1000, 'A');
  const Opened few(pack_of_one_name(name, 64));
  EXPECT_EQ((*few).entries().size(), 64U) << "every place of a modest table has the name";
  const Opened many(pack_of_one_name(name, 32768));
  EXPECT_LE(bytes_of_names(*many), std::size_t{17} << 20U);
  EXPECT_GT((*many).counts().duplicate, 10000U);
  EXPECT_EQ(read(*many, name), "y");
}

TEST(Entries, NamesBeyondAllPathsAreNone) {
  const Opened opened(pack_of_one_name(std::string(5000, 'A'), 64));
  EXPECT_LT(bytes_of_names(*opened), 100U);
  EXPECT_THAT(opened.codes(), Contains("mpq.names"));
  EXPECT_EQ(read(*opened, std::string(5000, 'A')), "y") << "who knows the name still finds the file";
}

TEST(Entries, NamelessDecoysOfABlockAreDropped) {
  PackOptions options;
  Bytes bytes = pack_mpq({{"real.txt", "y"}}, options);
  // Every free place of the hash table gets a name of its own and the first block.
  const std::size_t table = get_u32(bytes, 16);
  const std::uint32_t key = hash_name("(hash table)", 3);
  const std::size_t size = std::size_t{options.hash_count} * 16;
  decrypt(std::span(bytes).subspan(table, size), key);
  for (std::uint32_t i = 0; i < options.hash_count; ++i) {
    if (get_u32(bytes, table + i * 16 + 12) == 0xFFFFFFFF) {
      put_u32(bytes, table + i * 16, i);
      put_u32(bytes, table + i * 16 + 12, 0);
    }
  }
  encrypt(&bytes[table], size, key);
  const Opened opened(std::move(bytes));
  EXPECT_THAT(names(*opened), ElementsAre("real.txt", "(listfile)"));
  EXPECT_EQ((*opened).counts().duplicate, options.hash_count - 2);
}

TEST(Entries, EncryptedOnesOfUnknownNameAreReadWhereTheirContentReportsTheKey) {
  PackOptions options;
  options.listfile = false;
  const std::string model = "MDLXVERS" + sample_text();
  for (const std::uint32_t flags : {kEncrypted, kEncrypted | kKeyAdjusted, kEncrypted | kSectorChecksums}) {
    const Opened opened(pack_mpq({{"a", sample_text(), MpqPacking::zlib, flags},
                                  {"b", model, MpqPacking::stored, flags & ~kSectorChecksums},
                                  {"c", "nothing known", MpqPacking::stored, flags & ~kSectorChecksums}},
                                 options));
    EXPECT_EQ(read(*opened, display_name(Entry{"", entry_hash("a")}, "")), sample_text());
    EXPECT_EQ(read(*opened, display_name(Entry{"", entry_hash("b")}, "")), model);
    EXPECT_EQ(read(*opened, display_name(Entry{"", entry_hash("c")}, "")), "mpq.key");
    EXPECT_EQ(read(*opened, "c"), "nothing known");
  }
}

TEST(Entries, AreReadInPartWhereThatIsRequested) {
  const Opened opened(pack_mpq({{"a", sample_text()}}));
  Diagnostics findings;
  const auto part = (*opened).unpack(*(*opened).find("a"), findings, 5000);
  ASSERT_TRUE(part);
  EXPECT_EQ(text_of(part->bytes), sample_text().substr(0, 8192));  // whole sectors
}

// --- damage
// -------------------------------------------------------------------------------------------------------

TEST(Damage, AWrongChecksumIsReported) {
  Bytes bytes = pack_mpq({{"a", sample_text(), MpqPacking::stored, kSectorChecksums | kCompressed}});
  bytes[32 + 4000] ^= 1U;
  EXPECT_THAT(read(*Opened(std::move(bytes)), "a"), ::testing::EndsWith(" + mpq.checksum"));
}

TEST(Damage, AWrongSumOfZlibIsReportedAndTheDataRead) {
  for (const auto packing : {MpqPacking::zlib_wrong_sum, MpqPacking::zlib_no_sum}) {
    for (const std::uint32_t flags : {0U, std::uint32_t{kSingleUnit}, std::uint32_t{kEncrypted}}) {
      const Opened opened(pack_mpq({{"a", sample_text(), packing, flags}, {"b", "fine"}}));
      EXPECT_EQ(read(*opened, "a"), sample_text() + " + mpq.checksum") << flags;
      EXPECT_EQ(read(*opened, "b"), "fine");
    }
  }
}

/// The file with a word of a block changed: 0 place, 1 packed size, 2 size, 3 flags.
Bytes with_block_word(Bytes bytes, std::size_t block, std::size_t word, std::uint32_t value) {
  const std::size_t table = get_u32(bytes, 20);
  const std::size_t size = std::size_t{get_u32(bytes, 28)} * 16;
  const std::uint32_t key = hash_name("(block table)", 3);
  decrypt(std::span(bytes).subspan(table, size), key);
  put_u32(bytes, table + block * 16 + word * 4, value);
  encrypt(&bytes[table], size, key);
  return bytes;
}

TEST(Damage, BlocksThatOverlapAreReported) {
  const Bytes sound = pack_mpq({{"a", sample_text()}, {"b", "fine", MpqPacking::stored}});
  EXPECT_THAT(Opened(sound).codes(), ::testing::Not(Contains("mpq.table")));
  const Opened opened(with_block_word(sound, 1, 0, 32 + 10));
  EXPECT_THAT(opened.codes(), Contains("mpq.table"));
  EXPECT_EQ(read(*opened, "a"), sample_text());
}

TEST(Peek, UnpacksNoMoreThanIsRequestedFor) {
  const std::string text = sample_text() + std::string(4000000, '\0');
  constexpr std::size_t kRequested = 4096;
  for (const auto packing :
       {MpqPacking::stored, MpqPacking::zlib, MpqPacking::bzip2, MpqPacking::lzma, MpqPacking::pkware,
        MpqPacking::sparse, MpqPacking::sparse_zlib, MpqPacking::implode}) {
    for (const std::uint32_t flags : {0U, std::uint32_t{kSingleUnit}}) {
      PackOptions options;
      options.sector_shift = 12;  // 2 MiB
      const Opened opened(pack_mpq({{"a", text, packing, flags}}, options));
      Diagnostics findings;
      const auto file = (*opened).unpack(*(*opened).find("a"), findings, kRequested);
      ASSERT_TRUE(file) << file.error().message << static_cast<int>(packing);
      ASSERT_GE(file->bytes.size(), kRequested);
      EXPECT_EQ(text_of(file->bytes), text.substr(0, file->bytes.size()));
      EXPECT_TRUE(packing == MpqPacking::stored || file->bytes.size() < 200000) << static_cast<int>(packing);
      EXPECT_TRUE(findings.items().empty());
    }
  }
}

TEST(Damage, OfOneFileLeavesTheOthers) {
  Bytes bytes = pack_mpq({{"a", sample_text()}, {"b", "fine"}});
  std::fill_n(bytes.begin() + 32 + 60, 300, std::uint8_t{0xA5});
  const Opened opened(std::move(bytes));
  EXPECT_EQ(read(*opened, "a"), "mpq.data");
  EXPECT_EQ(read(*opened, "b"), "fine");
}

TEST(Damage, PatchFilesAreNamedNotRead) {
  EXPECT_EQ(read(*Opened(pack_mpq({{"a", "x", MpqPacking::stored, kPatch}})), "a"), "mpq.patch");
}

TEST(Damage, SizesBeyondProportionAreRefused) {
  const Bytes bytes = with_block_word(pack_mpq({{"a", "x", MpqPacking::stored}}), 0, 2, 0xFFFFFFF0);
  EXPECT_EQ(read(*Opened(bytes), "a"), "input.too-large");
}

TEST(Damage, InputsAboveTheLimitAreRefused) {
  OpenOptions options;
  options.limits.max_input_bytes = 100;
  Diagnostics findings;
  const auto archive = Archive::open(memory_storage(pack_mpq({{"a", "x"}})), options, findings);
  ASSERT_FALSE(archive);
  EXPECT_EQ(archive.error().code, codes::kInputTooLarge);
}

// --- unpacking
// ----------------------------------------------------------------------------------------------------

TEST(Explode, AStreamFromTheFormatsDescription) {
  const Bytes packed = {0x00, 0x04, 0x82, 0x24, 0x25, 0x8F, 0x80, 0x7F};
  const auto bytes = explode(packed, 100);
  ASSERT_TRUE(bytes);
  EXPECT_EQ(text_of(*bytes), "AIAIAIAIAIAIA");
  EXPECT_EQ(explode(packed, 5)->size(), 5U);
}

TEST(Explode, CodedLiterals) {
  // A space is the only literal of four bits, whose code is all ones, which come inverted; then the end.
  const Bytes packed = {0x01, 0x04, 0xDE, 0xFB, 0x80, 0x7F};
  const auto bytes = explode(packed, 100);
  ASSERT_TRUE(bytes);
  EXPECT_EQ(text_of(*bytes), "   ");
}

TEST(Explode, WhatIsNoStreamIsAnError) {
  for (const Bytes& packed : {Bytes{}, Bytes{0, 4}, Bytes{2, 4, 0, 0}, Bytes{0, 3, 0, 0}, Bytes{0, 7, 0, 0},
                              Bytes{0, 4, 0x01, 0x00, 0x00}, Bytes{0, 4, 0x82}}) {
    const auto bytes = explode(packed, 100);
    ASSERT_FALSE(bytes);
    EXPECT_EQ(bytes.error().code, codes::kMpqData);
  }
}

TEST(Sparse, RunsOfZerosAndOfOtherBytes) {
  const Bytes packed = {0, 0, 0, 9, 0x82, 'a', 'b', 'c', 0x01, 0x81, 'd', 'e', 0x7F};
  EXPECT_EQ(text_of(*unpack_sparse(packed, 100)), std::string("abc\0\0\0\0de", 9));
  EXPECT_FALSE(unpack_sparse(Bytes{0, 0, 0, 9, 0x85, 'a'}, 100));
  EXPECT_FALSE(unpack_sparse(Bytes{0, 0}, 100));
}

TEST(Decompress, NeedsExactlyTheStatedSize) {
  Unpacking done;
  EXPECT_FALSE(decompress(Bytes{}, 1, done));
  EXPECT_FALSE(decompress(Bytes{0x00, 1, 2}, 3, done));
  EXPECT_FALSE(decompress(Bytes{0x04, 1, 2}, 3, done));
  EXPECT_FALSE(decompress(Bytes{0x20, 0, 0, 0, 1, 0x80, 'a'}, 2, done));
  EXPECT_TRUE(decompress(Bytes{0x20, 0, 0, 0, 1, 0x80, 'a'}, 1, done));
}

// --- the corpus
// ---------------------------------------------------------------------------------------------------

TEST(Corpus, AOneFileArchiveGivesItsFile) {
  THAW_REQUIRE_CORPUS("alpha/_derived/trolltent14.wmo.MPQ");
  const auto folder = corpus_dir() / "alpha/_derived";
  const Opened opened(load(folder / "trolltent14.wmo.MPQ"));
  for (const std::string path : {"World\\wmo\\trolltent14.wmo", "trolltent14.wmo", "something else"}) {
    const auto entry = (*opened).find_single(path);
    ASSERT_TRUE(entry) << path;
    Diagnostics findings;
    const auto unpacked = (*opened).unpack(*entry, findings);
    ASSERT_TRUE(unpacked);
    EXPECT_EQ(unpacked->bytes, load(folder / "trolltent14.wmo")) << path;
  }
}

TEST(Corpus, AMapOfTheGame) {
  THAW_REQUIRE_CORPUS("alpha/wowserhq+blizzardry/spec/fixtures/TheDeathSheep.w3m");
  const Opened opened(load(corpus_dir() / "alpha/wowserhq+blizzardry/spec/fixtures/TheDeathSheep.w3m"));
  EXPECT_THAT(opened.codes(), IsEmpty());
  EXPECT_EQ((*opened).map_name(), "The Death Sheep");
  EXPECT_EQ((*opened).entries().size(), 18U);
  for (const auto& entry : (*opened).entries()) {
    Diagnostics findings;  // an (attributes) with checksums is in it
    const auto unpacked = (*opened).unpack(entry, findings);
    ASSERT_TRUE(unpacked) << entry.name;
    EXPECT_EQ(unpacked->bytes.size(), entry.size);
    EXPECT_THAT(findings.items(), IsEmpty()) << entry.name;
  }
}

}  // namespace
}  // namespace thaw::mpq
