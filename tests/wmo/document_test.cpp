// Buildings: what reads writes the same bytes, damaged or not, and the parts are where docs/formats/wmo.md
// has them.
#include <thaw/archive.hpp>
#include <thaw/codes.hpp>
#include <thaw/format.hpp>
#include <thaw/sources.hpp>
#include <thaw/wmo.hpp>

#include "support/files.hpp"
#include "support/mutate.hpp"
#include "support/paths.hpp"
#include "wmo/files.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace thaw::wmo {
namespace {

namespace fs = std::filesystem;
using test::corpus_dir;

TEST(Wmo, SampleWritesBackExactly) {
  const Bytes bytes = test::load(test::samples_dir() / "house.wmo");
  Diagnostics diagnostics;
  const auto document = read(bytes, {}, diagnostics);
  ASSERT_TRUE(document);
  EXPECT_TRUE(diagnostics.items().empty()) << diagnostics.items().front().message;
  EXPECT_EQ(write(*document), bytes);
  EXPECT_EQ(account_bytes([&](Inspector& inspector) { inspect(*document, inspector); }).raw, 0U);
  ASSERT_EQ(document->groups().size(), 2U);
  EXPECT_EQ(document->groups()[0]->find<Liquids>(FourCC{"MLIQ"})->items[0].x_tiles, 2);
  const auto* names = document->find<Strings>(FourCC{"MODN"});
  EXPECT_EQ(names->at(document->find<Doodads>(FourCC{"MODD"})->items[0].name_offset()), "chest.mdx");
  const auto& info = document->find<GroupInfos>(FourCC{"MOGI"})->items[1];
  EXPECT_EQ(std::memcmp(bytes.data() + info.offset, "PGOM", 4), 0);
  EXPECT_EQ(info.offset + info.size, bytes.size());
}

TEST(Wmo, CorpusWritesBackExactly) {
  THAW_REQUIRE_CORPUS("alpha");
  std::size_t count = 0;
  for (const auto& path : test::files_below(corpus_dir() / "alpha", ".wmo")) {
    const Bytes bytes = test::load(path);
    Diagnostics diagnostics;
    const auto document = read(bytes, {}, diagnostics);
    ASSERT_TRUE(document) << path;
    EXPECT_TRUE(diagnostics.items().empty()) << path << ": " << diagnostics.items().front().message;
    EXPECT_EQ(write(*document), bytes) << path;
    EXPECT_EQ(account_bytes([&](Inspector& inspector) { inspect(*document, inspector); }).raw, 0U) << path;
    ++count;
  }
  EXPECT_GE(count, 3U);
}

/// The values of wmo.md#test-files.
TEST(Wmo, TrollTentIsAsThePageReports) {
  THAW_REQUIRE_CORPUS("alpha/_derived");
  const Document document = load_document(corpus_dir() / "alpha/_derived/trolltent14.wmo");
  EXPECT_EQ(document.version(), 14U);
  const auto* header = document.find<Header>(FourCC{"MOHD"});
  ASSERT_NE(header, nullptr);
  EXPECT_EQ(header->wmo_id, 1830U);
  EXPECT_EQ(document.find<Materials>(FourCC{"MOMT"})->items.size(), 3U);
  ASSERT_EQ(document.groups().size(), 1U);
  const Group& group = *document.groups()[0];
  EXPECT_EQ(group.header.flags, 9U);
  EXPECT_EQ(group.header.liquid, 15U);
  EXPECT_EQ(group.header.unique_id, 8603U);
  EXPECT_EQ(group.header.exterior[0], (BatchRun{0, 2016, 0, 3}));
  EXPECT_FLOAT_EQ(group.header.box.maximum[1], 21.33861F);
  const auto& faces = *group.find<Faces>(FourCC{"MOPY"});
  EXPECT_EQ(faces.size(), 1228U);
  std::size_t drawn = 0;
  for (std::size_t i = 0; i < faces.size(); ++i) {
    drawn += faces[i].material != Faces::kNoMaterial ? 1U : 0U;
  }
  EXPECT_EQ(drawn, 672U);
  EXPECT_EQ(group.find<Points>(FourCC{"MOVT"})->items.size(), 3684U);
  const auto& batches = group.find<Batches>(FourCC{"MOBA"})->items;
  ASSERT_EQ(batches.size(), 3U);
  EXPECT_EQ(batches[1].material, 1);
  EXPECT_EQ(batches[1].first_index, 516U);
  EXPECT_EQ(batches[2].index_count, 804);
  EXPECT_EQ(group.find<BspNodes>(FourCC{"MOBN"})->items.size(), 5024U / 16);
  EXPECT_EQ(group.find<Indices>(FourCC{"MOBR"})->items.size(), 7310U / 2);
}

TEST(Wmo, OneFileArchivesAreTheirFiles) {
  THAW_REQUIRE_CORPUS("alpha/_derived");
  const fs::path folder = corpus_dir() / "alpha/_derived";
  const Bytes plain = test::load(folder / "trolltent14.wmo");
  const auto storage = open_storage(folder / "trolltent14.wmo.MPQ");
  ASSERT_TRUE(storage);
  Diagnostics diagnostics;
  const auto archive = mpq::Archive::open(*storage, {}, diagnostics);
  ASSERT_TRUE(archive);
  const auto entry = archive->find_single("trolltent14.wmo");
  ASSERT_TRUE(entry);
  const auto unpacked = archive->unpack(*entry, diagnostics);
  ASSERT_TRUE(unpacked);
  EXPECT_EQ(unpacked->bytes, plain);
}

TEST(Wmo, IdentifyReportsTheParts) {
  THAW_REQUIRE_CORPUS("alpha");
  const auto identity = [](const fs::path& path) { return identify(test::load(corpus_dir() / path)); };
  const auto whole = identity("alpha/_derived/trolltent14.wmo");
  EXPECT_EQ(whole.format, "wmo");
  EXPECT_EQ(whole.dialect, "wow-alpha");
  EXPECT_EQ(whole.version, 14U);
  EXPECT_TRUE(whole.readable);
  EXPECT_EQ(identity(kFixtures / "trolltent.wmo").dialect, "root");
  EXPECT_EQ(identity(kFixtures / "trolltent_000.wmo").dialect, "group");
}

TEST(Wmo, LaterRootAndGroupAreRead) {
  THAW_REQUIRE_CORPUS(kFixtures);
  const Document root = load_document(corpus_dir() / kFixtures / "trolltent.wmo");
  const Document group = load_document(corpus_dir() / kFixtures / "trolltent_000.wmo");
  EXPECT_EQ(root.version(), 17U);
  EXPECT_TRUE(root.groups().empty());
  ASSERT_EQ(group.groups().size(), 1U);
  EXPECT_FALSE(group.groups()[0]->header.wide);
  EXPECT_EQ(group.groups()[0]->header.exterior_batches, 3);
  EXPECT_EQ(group.groups()[0]->find<Faces>(FourCC{"MOPY"})->later.size(), 1228U);
  EXPECT_EQ(group.groups()[0]->find<Batches>(FourCC{"MOBA"})->items[1].material, 1);
}

// --- made by hand
// ------------------------------------------------------------------------------------------------

class RawFile {
 public:
  RawFile& u32(std::uint32_t value) { return append(&value, sizeof value); }
  RawFile& u16(std::uint16_t value) { return append(&value, sizeof value); }
  RawFile& f32(float value) { return append(&value, sizeof value); }
  RawFile& zeros(std::size_t count) {
    bytes.resize(bytes.size() + count, 0);
    return *this;
  }
  RawFile& chunk(std::string_view tag, const Bytes& content) {
    const std::string backwards(tag.rbegin(), tag.rend());
    append(backwards.data(), 4).u32(static_cast<std::uint32_t>(content.size()));
    return append(content.data(), content.size());
  }
  Bytes bytes;

 private:
  RawFile& append(const void* from, std::size_t size) {
    const auto* begin = static_cast<const std::uint8_t*>(from);
    bytes.insert(bytes.end(), begin, begin + size);
    return *this;
  }
};

RawFile versioned(std::uint32_t version) { return RawFile().chunk("MVER", RawFile().u32(version).bytes); }

/// Every chunk of a group that needs no other, with the layout of a version.
Bytes everything_in_a_group(std::uint32_t version, bool with_lightmap = true) {
  RawFile group;
  group.zeros(version < 16 ? 128 : 68);
  group.chunk("MOPY", RawFile().zeros(version < 17 ? 8 : 4).bytes);
  for (const auto* tag : {"MOVT", "MONR", "MPBG"}) {
    group.chunk(tag, RawFile().f32(1).f32(2).f32(3).bytes);
  }
  for (const auto* tag : {"MOTV", "MOLV"}) {
    group.chunk(tag, RawFile().f32(1).f32(2).bytes);
  }
  for (const auto* tag : {"MOIN", "MOVI", "MOLR", "MODR", "MOBR", "MPBI"}) {
    group.chunk(tag, RawFile().u16(0).u16(1).bytes);
  }
  for (const auto* tag : {"MPBV", "MPBP", "MOCV", "MOLM"}) {
    group.chunk(tag, RawFile().u16(4).u16(5).bytes);
  }
  group.chunk("MOBA", RawFile().zeros(version == 16 ? 32 : 24).bytes);
  group.chunk("MOBN", RawFile().zeros(16).bytes);
  if (with_lightmap) {
    group.chunk("MOLD", RawFile().zeros(32772).bytes);
  }
  RawFile liquids;
  for (int i = 0; i < 2; ++i) {
    liquids.u32(2).u32(2).u32(1).u32(1).f32(0).f32(0).f32(0).u16(0).zeros(32 + 1);
  }
  group.chunk("MLIQ", liquids.bytes);
  group.chunk("XXXX", RawFile().u32(7).bytes);
  return group.bytes;
}

Bytes everything_in_a_root(std::uint32_t version) {
  RawFile root;
  root.chunk("MOHD", RawFile().zeros(64).bytes);
  for (const auto* tag : {"MOTX", "MOGN", "MODN", "MOSB"}) {
    root.chunk(tag, RawFile().u32(0x00616261).bytes);
  }
  root.chunk("MOMT", RawFile().zeros(version < 16 ? 44 : 64).bytes);
  root.chunk("MOGI", RawFile().zeros(version < 16 ? 40 : 32).bytes);
  root.chunk("MOPV", RawFile().zeros(12).bytes).chunk("MOPT", RawFile().zeros(20).bytes);
  root.chunk("MOPR", RawFile().zeros(8).bytes).chunk("MOVV", RawFile().zeros(12).bytes);
  root.chunk("MOVB", RawFile().zeros(4).bytes).chunk("MOLT", RawFile().zeros(version < 16 ? 32 : 48).bytes);
  root.chunk("MODS", RawFile().zeros(32).bytes).chunk("MODD", RawFile().zeros(40).bytes);
  return root.chunk("MFOG", RawFile().zeros(48).bytes).chunk("MCVP", RawFile().zeros(16).bytes).bytes;
}

Bytes everything(std::uint32_t version, bool with_lightmap = true) {
  RawFile file = versioned(version);
  if (version < 16) {
    file.chunk("MOMO", everything_in_a_root(version));
  } else {
    const Bytes root = everything_in_a_root(version);
    file.bytes.insert(file.bytes.end(), root.begin(), root.end());
  }
  return file.chunk("MOGP", everything_in_a_group(version, with_lightmap)).bytes;
}

TEST(Wmo, EveryChunkOfEveryVersionIsUnderstood) {
  for (const std::uint32_t version : {14U, 16U, 17U}) {
    const Bytes bytes = everything(version);
    Diagnostics diagnostics;
    const auto document = read(bytes, {}, diagnostics);
    ASSERT_TRUE(document);
    EXPECT_EQ(write(*document), bytes);
    std::size_t unknown = 0;
    for (const auto& finding : diagnostics.items()) {
      EXPECT_TRUE(finding.code == codes::kChunkUnknown || finding.code == codes::kUnproven)
          << finding.message;
      unknown += finding.code == codes::kChunkUnknown ? 1U : 0U;
    }
    EXPECT_EQ(unknown, 1U) << "XXXX alone";
    EXPECT_EQ(account_bytes([&](Inspector& inspector) { inspect(*document, inspector); }).raw, 4U);
    const Group& group = *document->groups().at(0);
    EXPECT_EQ(group.find<Liquids>(FourCC{"MLIQ"})->items.size(), 2U) << "one behind the other in one chunk";
    EXPECT_EQ(group.find<Faces>(FourCC{"MOPY"})->size(), 2U);
    EXPECT_EQ(group.find<Lightmaps>(FourCC{"MOLD"})->items.size(), 1U);
  }
}

TEST(Wmo, TheOtherHeaderIsTakenWhereOnlyItFits) {
  RawFile group;
  group.zeros(68).chunk("MOPY", {}).zeros(80);
  const Bytes bytes = versioned(14).chunk("MOMO", everything_in_a_root(14)).chunk("MOGP", group.bytes).bytes;
  Diagnostics diagnostics;
  const auto document = read(bytes, {}, diagnostics);
  ASSERT_TRUE(document);
  EXPECT_FALSE(document->groups().at(0)->header.wide);
  EXPECT_EQ(write(*document), bytes);
}

/// What reading says, as "code: message".
Lines said_of(ByteView bytes) {
  Diagnostics diagnostics;
  const auto document = read(bytes, {}, diagnostics);
  EXPECT_TRUE(document);
  std::vector<std::string> lines;
  for (const auto& finding : diagnostics.items()) {
    lines.push_back(std::string(finding.code.id) + ": " + finding.message);
  }
  return lines;
}
TEST(Wmo, WhatTheHeaderCountsHasToBeThere) {
  struct Part {
    std::size_t at;
    const char* tag;
  };
  // Materials, groups, portals, lights, doodads, sets.
  for (const Part part :
       {Part{0, "MOMT"}, Part{4, "MOGI"}, Part{8, "MOPT"}, Part{12, "MOLT"}, Part{24, "MODS"}}) {
    Bytes header(64, 0);
    header[part.at] = 3;
    const Bytes without = versioned(17).chunk("MOHD", header).bytes;
    EXPECT_EQ(said_of(without), (Lines{std::string("read.tag: MOHD states 3 entries of ") + part.tag +
                                       ", but the chunk is missing"}))
        << part.tag;
    const Bytes with_it = versioned(17).chunk("MOHD", header).chunk(part.tag, {}).bytes;
    EXPECT_EQ(said_of(with_it), Lines{}) << part.tag << ": of any length";
    header[part.at] = 0;
    EXPECT_EQ(said_of(versioned(17).chunk("MOHD", header).bytes), Lines{}) << part.tag;
  }
  Bytes header(64, 0);
  header[20] = 1;  // doodads, which need their names
  EXPECT_EQ(said_of(versioned(17).chunk("MOHD", header).bytes).size(), 2U);
  header[20] = 0;
  header[16] = 1;  // names alone
  EXPECT_EQ(said_of(versioned(17).chunk("MOHD", header).bytes), Lines{});
}

TEST(Wmo, AWholeFileHoldsItsGroups) {
  Bytes header(64, 0);
  header[4] = 2;
  const Bytes root = RawFile().chunk("MOHD", header).chunk("MOGI", {}).bytes;
  const Bytes group = RawFile().zeros(128).chunk("MOPY", {}).bytes;
  RawFile file = versioned(14).chunk("MOMO", root).chunk("MOGP", group);
  EXPECT_EQ(said_of(file.bytes), Lines{"read.tag: MOHD states 2 groups, but the file has 1"});
  file.chunk("MOGP", group);
  EXPECT_EQ(said_of(file.bytes), Lines{});
  file.chunk("MOGP", group);
  EXPECT_EQ(said_of(file.bytes), Lines{}) << "more are no harm";
  // Of a later version they are files of their own.
  EXPECT_EQ(said_of(versioned(17).chunk("MOHD", header).chunk("MOGI", {}).bytes), Lines{});
}

TEST(Wmo, VersionsAreReported) {
  const auto lines = [](std::uint32_t version) {
    return said_of(versioned(version).chunk("MOHD", Bytes(64, 0)).bytes);
  };
  EXPECT_EQ(lines(14), Lines{});
  EXPECT_EQ(lines(17), Lines{});
  EXPECT_EQ(lines(16), Lines{"read.unproven: the layout of version 16 is confirmed by no published file; "
                             "please share the file"});
  for (const std::uint32_t other : {0U, 13U, 15U, 18U}) {
    const Lines said = lines(other);
    ASSERT_EQ(said.size(), 1U) << other;
    EXPECT_EQ(said[0], "wmo.version: unknown version " + std::to_string(other) + " is read like version " +
                           (other < 16 ? "14" : "17"));
  }
}

TEST(Wmo, PartsAreKnownByTheirSecondChunk) {
  EXPECT_EQ(part_of(versioned(14).chunk("MOMO", {}).bytes), Part::whole);
  EXPECT_EQ(part_of(versioned(14).chunk("MOHD", {}).bytes), Part::root);
  EXPECT_EQ(part_of(versioned(14).chunk("MOGP", {}).bytes), Part::group);
  EXPECT_EQ(part_of(versioned(14).chunk("MOPY", {}).bytes), Part::none);
  EXPECT_EQ(part_of(versioned(14).bytes), Part::none);
  const Bytes bytes = versioned(14).chunk("MOMO", {}).bytes;
  EXPECT_EQ(part_of(ByteView(bytes).first(16)), Part::whole) << "as soon as its tag is there";
  EXPECT_EQ(part_of(ByteView(bytes).first(15)), Part::none);
  EXPECT_EQ(part_of(ByteView(bytes).first(11)), Part::none);
  Bytes other = bytes;
  other[0] = 'X';
  EXPECT_EQ(part_of(other), Part::none);
}

TEST(Wmo, IdentityNamesThePart) {
  const auto of = [](std::string_view tag) { return identify(versioned(14).chunk(tag, Bytes(64, 0)).bytes); };
  EXPECT_EQ(of("MOMO").dialect, "wow-alpha");
  EXPECT_EQ(of("MOMO").version, 14U);
  EXPECT_EQ(of("MOHD").dialect, "root");
  EXPECT_EQ(of("MOGP").dialect, "group");
  EXPECT_EQ(of("MOGP").name, "World of Warcraft building part (WMO group)");
}

TEST(Wmo, ChunksOfNoKnownPlaceAreKeptRaw) {
  // MOMO in MOMO, MOGP in MOGP, MOMO in MOGP: as deep as that no container is read.
  const Bytes inner = RawFile().chunk("MOHD", Bytes(64, 0)).bytes;
  const Bytes group = RawFile().zeros(128).chunk("MOGP", Bytes(130, 0)).chunk("MOMO", inner).bytes;
  const Bytes root = RawFile().chunk("MOMO", inner).chunk("MOGP", group).bytes;
  const Bytes bytes = versioned(14).chunk("MOMO", root).bytes;
  Diagnostics diagnostics;
  const auto document = read(bytes, {}, diagnostics);
  ASSERT_TRUE(document);
  EXPECT_EQ(write(*document), bytes);
  EXPECT_EQ(document->find<Header>(FourCC{"MOHD"}), nullptr) << "it lies too deep";
  ASSERT_EQ(document->groups().size(), 1U);
  EXPECT_EQ(document->groups()[0]->chunks.size(), 2U);
  EXPECT_EQ(diagnostics.items().size(), 3U);
  for (const auto& finding : diagnostics.items()) {
    EXPECT_EQ(finding.code, codes::kChunkUnknown);
  }
}

TEST(Wmo, AChunkThatReachesBeyondTheFileHasWhatIsThere) {
  Bytes bytes = versioned(17).chunk("MOHD", Bytes(64, 0)).chunk("MOTX", Bytes(8, 'a')).bytes;
  bytes[bytes.size() - 12] = 9;  // of which eight are there
  const Lines lines = said_of(bytes);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0],
            "read.chunk-overrun: chunk MOTX states a size of 9 bytes, but 8 remain; read to the end");
  const Document document = *read(bytes);
  EXPECT_EQ(document.find<Strings>(FourCC{"MOTX"})->text.size(), 8U);
  EXPECT_EQ(document.chunks.back().stated_size, 9U);
  EXPECT_EQ(write(document), bytes);
  // Seven bytes are no chunk, and stay behind.
  bytes = versioned(17).chunk("MOHD", Bytes(64, 0)).zeros(7).bytes;
  const Document tail = *read(bytes);
  EXPECT_EQ(tail.tail.size(), 7U);
  EXPECT_EQ(write(tail), bytes);
}

TEST(Wmo, MoreChunksThanAnyFileHasStayRaw) {
  RawFile file = versioned(17).chunk("MOHD", Bytes(64, 0));
  for (int i = 2; i < 65536; ++i) {
    file.chunk("MCVP", {});
  }
  const auto most = read(file.bytes);
  ASSERT_TRUE(most);
  EXPECT_EQ(most->chunks.size(), 65536U);
  EXPECT_TRUE(most->tail.empty());
  file.chunk("MCVP", {});
  const auto more = read(file.bytes);
  ASSERT_TRUE(more);
  EXPECT_EQ(more->chunks.size(), 65536U);
  EXPECT_EQ(more->tail.size(), 8U);
  EXPECT_EQ(write(*more), file.bytes);
}

TEST(Wmo, TextsAreFoundByTheirOffset) {
  Strings strings;
  const std::string text("ab\0c\0\0de", 8);
  strings.text.assign(text.begin(), text.end());
  EXPECT_EQ(strings.at(0), "ab");
  EXPECT_EQ(strings.at(1), "b");
  EXPECT_EQ(strings.at(2), "");
  EXPECT_EQ(strings.at(3), "c");
  EXPECT_EQ(strings.at(6), "de") << "without an end";
  EXPECT_EQ(strings.at(7), "e");
  EXPECT_EQ(strings.at(8), "");
  EXPECT_EQ(strings.at(~0ULL), "");
  std::string begins;
  for (std::size_t i = 0; i < 9; ++i) {
    begins += strings.begins_at(i) ? '1' : '0';
  }
  EXPECT_EQ(begins, "100101100");
  EXPECT_FALSE(Strings{}.begins_at(0));
}

TEST(Wmo, FactsOfTheSample) {
  const Bytes bytes = test::load(test::samples_dir() / "house.wmo");
  const Facts facts = summarize(*read_any(bytes));
  const Document document = *read(bytes);
  const auto counted = [&](std::string_view kind) -> std::size_t {
    for (const auto& count : facts.counts) {
      if (count.kind == kind) {
        return count.count;
      }
    }
    return 0;
  };
  std::size_t vertices = 0;
  std::size_t triangles = 0;
  for (const auto* group : document.groups()) {
    vertices += group->find<Points>(FourCC{"MOVT"})->items.size();
    triangles += group->find<Indices>(FourCC{"MOIN"})->items.size() / 3;
  }
  EXPECT_EQ(counted("group"), 2U);
  EXPECT_EQ(counted("vertex"), vertices);
  EXPECT_EQ(counted("triangle"), triangles);
  EXPECT_EQ(counted("portal"), 1U);
  EXPECT_EQ(counted("light"), 2U);
  EXPECT_EQ(counted("doodad"), 3U);
  EXPECT_EQ(counted("doodad set"), 2U);
  EXPECT_EQ(counted("fog"), document.find<Fogs>(FourCC{"MFOG"})->items.size());
  EXPECT_EQ(counted("liquid"), 1U);
  EXPECT_GT(counted("BSP node"), 0U);
  EXPECT_EQ(counted("material"), document.find<Materials>(FourCC{"MOMT"})->items.size());
  EXPECT_GT(counted("batch"), 0U);
  const auto& infos = document.find<GroupInfos>(FourCC{"MOGI"})->items;
  EXPECT_EQ(facts.name,
            document.find<Strings>(FourCC{"MOGN"})->at(static_cast<std::uint64_t>(infos[0].name)));
  ASSERT_TRUE(facts.bounds);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    EXPECT_EQ(facts.bounds->minimum[axis], std::min(infos[0].box.minimum[axis], infos[1].box.minimum[axis]));
    EXPECT_EQ(facts.bounds->maximum[axis], std::max(infos[0].box.maximum[axis], infos[1].box.maximum[axis]));
  }
  Document wide = document;
  Box& far = chunk_in<GroupInfos>(root_of(wide), FourCC{"MOGI"}).items[1].box;
  far = {{-1000, -2000, -3000}, {1000, 2000, 3000}};
  const Facts of_wide = summarize(*read_any(write(wide)));
  EXPECT_EQ(of_wide.bounds->minimum, far.minimum);
  EXPECT_EQ(of_wide.bounds->maximum, far.maximum);
  std::set<std::string> paths;
  for (const auto& texture : facts.textures) {
    EXPECT_TRUE(paths.insert(texture.path).second) << "each once";
    EXPECT_FALSE(texture.path.empty());
    EXPECT_EQ(texture.replaceable_id, 0U);
  }
  EXPECT_FALSE(paths.empty());
}

TEST(Wmo, FactsOfAPart) {
  RawFile group;
  group.u32(0).u32(0).u32(0);
  for (const float value : {-1.0F, -2.0F, -3.0F, 4.0F, 5.0F, 6.0F}) {
    group.f32(value);
  }
  group.zeros(68 - 36).chunk("MOPY", Bytes(4, 0)).chunk("MOVT", Bytes(24, 0));
  const Facts facts = summarize(*read_any(versioned(17).chunk("MOGP", group.bytes).bytes));
  ASSERT_TRUE(facts.bounds) << "that of the group itself";
  EXPECT_EQ(facts.bounds->minimum, (Vec3{-1, -2, -3}));
  EXPECT_EQ(facts.bounds->maximum, (Vec3{4, 5, 6}));
  ASSERT_EQ(facts.counts.size(), 3U) << "of what there is";
  EXPECT_EQ(facts.counts[0].kind, "group");
  EXPECT_EQ(facts.counts[0].count, 1U);
  EXPECT_EQ(facts.counts[1].count, 2U);
  EXPECT_EQ(facts.counts[2].count, 2U);
  EXPECT_TRUE(facts.textures.empty());
}

/// Empty if the mutant is treated right.
std::string check(ByteView mutant) {
  Diagnostics diagnostics;
  const auto document = read(mutant, {}, diagnostics);
  ReadOptions strict;
  strict.strict = true;
  const auto strictly = read(mutant, strict, diagnostics);
  if (!document) {
    return strictly ? "strict reads what the default does not" : "";
  }
  const Bytes original(mutant.begin(), mutant.end());
  if (write(*document) != original || (strictly && write(*strictly) != original)) {
    return "writes other bytes";
  }
  const auto inspection = [&](Inspector& inspector) { inspect(*document, inspector); };
  return test::layout_of(inspection).end == mutant.size() ? "" : "the inspection does not cover the file";
}

/// What reads also converts: into a scene, and into the other version or an error.
std::string check_conversions(ByteView mutant) {
  Diagnostics diagnostics;
  const auto document = read(mutant, {}, diagnostics);
  if (!document) {
    return "";
  }
  SceneOptions options;
  options.collision = options.portals = true;
  options.doodad_set = "all";
  if (!to_scene(*document, {}, "mutant", options, diagnostics)) {
    return "no scene";
  }
  if (const auto later = to_later(*document, {}, diagnostics)) {
    (void)write(later->root);
  }
  const std::array<const Document*, 1> groups = {&*document};
  if (const auto alpha = to_alpha(*document, groups, diagnostics)) {
    (void)write(*alpha);
  }
  return "";
}

class WmoMutation : public testing::TestWithParam<std::uint32_t> {};

TEST_P(WmoMutation, EveryCutAndEveryBadWord) {
  const Bytes bytes = everything(GetParam(), false);
  Diagnostics diagnostics;
  const auto document = read(bytes, {}, diagnostics);
  ASSERT_TRUE(document);
  const auto layout = test::layout_of([&](Inspector& inspector) { inspect(*document, inspector); });
  for (const auto at : layout.boundaries) {
    for (const std::uint64_t length : {at, at + 1, at == 0 ? 0 : at - 1}) {
      ASSERT_EQ(check(ByteView(bytes).first(std::min<std::size_t>(length, bytes.size()))), "")
          << "cut at " << length;
    }
  }
  ASSERT_GT(layout.words.size(), 100U);
  std::size_t turn = 0;
  for (const auto& word : layout.words) {
    const auto values = test::hostile_values(bytes, word);
    const auto value = values[turn++ % values.size()];
    ASSERT_EQ(check(test::with_word(bytes, word, value)), "")
        << word.name << " at " << word.offset << " := " << value;
    ASSERT_EQ(check_conversions(test::with_word(bytes, word, value)), "")
        << word.name << " at " << word.offset << " := " << value;
  }
}

INSTANTIATE_TEST_SUITE_P(Versions, WmoMutation, testing::Values(14U, 16U, 17U),
                         [](const auto& version) { return "v" + std::to_string(version.param); });

TEST(Wmo, RealDamageConverts) {
  const Bytes bytes = test::load(test::samples_dir() / "house.wmo");
  Diagnostics diagnostics;
  const auto document = read(bytes, {}, diagnostics);
  ASSERT_TRUE(document);
  const auto layout = test::layout_of([&](Inspector& inspector) { inspect(*document, inspector); });
  std::size_t turn = 0;
  for (std::size_t i = 0; i < layout.words.size(); i += 1 + layout.words.size() / 20) {
    const auto& word = layout.words[i];
    const auto values = test::hostile_values(bytes, word);
    const Bytes mutant = test::with_word(bytes, word, values[turn++ % values.size()]);
    ASSERT_EQ(check(mutant), "") << word.name << " at " << word.offset;
    ASSERT_EQ(check_conversions(mutant), "") << word.name << " at " << word.offset;
  }
}

}  // namespace
}  // namespace thaw::wmo
