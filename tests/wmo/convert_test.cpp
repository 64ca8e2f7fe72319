// Version 14 to 17 and back.
#include <thaw/codes.hpp>
#include <thaw/wmo.hpp>

#include "formats/wow/wmo/convert.hpp"
#include "support/files.hpp"
#include "support/paths.hpp"
#include "wmo/files.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <set>

namespace thaw::wmo {
namespace {

namespace fs = std::filesystem;
using test::corpus_dir;

Document read_or_fail(const Bytes& bytes) {
  Diagnostics diagnostics;
  auto document = read(bytes, {}, diagnostics);
  EXPECT_TRUE(document);
  return document ? std::move(*document) : Document{};
}

struct Later {
  Document root;
  std::vector<Document> groups;

  [[nodiscard]] std::vector<const Document*> pointers() const {
    std::vector<const Document*> result;
    for (const auto& group : groups) {
      result.push_back(&group);
    }
    return result;
  }
};

/// As files: written and read again.
Later later_of(const Document& document, Diagnostics& diagnostics) {
  auto split = to_later(document, {}, diagnostics);
  EXPECT_TRUE(split);
  Later later;
  if (split) {
    later.root = read_or_fail(write(split->root));
    EXPECT_EQ(later.root, split->root);
    for (const auto& group : split->groups) {
      later.groups.push_back(read_or_fail(write(group)));
      EXPECT_EQ(later.groups.back(), group);
    }
  }
  return later;
}

Document alpha_of(const Later& later, Diagnostics& diagnostics) {
  auto document = to_alpha(later.root, later.pointers(), diagnostics);
  EXPECT_TRUE(document) << document.error().message;
  return document ? read_or_fail(write(*document)) : Document{};
}

TEST(WmoConvert, ThereAndBackIsTheSameFile) {
  std::vector<fs::path> files = {test::samples_dir() / "house.wmo"};
  for (const auto& path : files) {
    const Bytes bytes = test::load(path);
    Diagnostics diagnostics;
    const Later later = later_of(read_or_fail(bytes), diagnostics);
    const Document again = alpha_of(later, diagnostics);
    EXPECT_EQ(again, read_or_fail(bytes)) << path;
    EXPECT_EQ(write(again), bytes) << path;
    EXPECT_EQ(diagnostics.count(Severity::warning), 0U) << "nothing is lost";
  }
}

/// The conversion rounds batch boxes outwards (wmo.md#batches), so they may grow by up to a yard on each
/// side. Those of the derived file are rounded so already.
void with_outward_boxes(Document& document, const Document& like) {
  const auto groups = like.groups();
  std::size_t number = 0;
  for (auto& chunk : document.chunks) {
    if (auto* group = std::get_if<Group>(&chunk.body)) {
      auto& batches = group->find<Batches>(FourCC{"MOBA"})->items;
      const auto& outward = groups.at(number++)->find<Batches>(FourCC{"MOBA"})->items;
      for (std::size_t i = 0; i < batches.size(); ++i) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
          EXPECT_LE(outward[i].box[axis], batches[i].box[axis]);
          EXPECT_GE(outward[i].box[axis], batches[i].box[axis] - 1);
          EXPECT_GE(outward[i].box[axis + 3], batches[i].box[axis + 3]);
          EXPECT_LE(outward[i].box[axis + 3], batches[i].box[axis + 3] + 1);
        }
        batches[i].box = outward[i].box;
      }
    }
  }
}

TEST(WmoConvert, TrollTentThereAndBackIsTheSameButForRoundedBatchBoxes) {
  THAW_REQUIRE_CORPUS("alpha/_derived");
  const Document original = load_document(corpus_dir() / "alpha/_derived/trolltent14.wmo");
  Diagnostics diagnostics;
  const Document once = alpha_of(later_of(original, diagnostics), diagnostics);
  EXPECT_EQ(diagnostics.count(Severity::warning), 0U);
  Document expected = original;
  with_outward_boxes(expected, once);
  EXPECT_EQ(once, expected);
  Diagnostics again;
  EXPECT_EQ(alpha_of(later_of(once, again), again), once) << "and then it stays";
}

/// All that a corner of a face is.
using Corner = std::array<float, 8>;
Corner corner_of(const Group& group, std::size_t index) {
  const auto& p = group.find<Points>(FourCC{"MOVT"})->items.at(index);
  const auto& n = group.find<Points>(FourCC{"MONR"})->items.at(index);
  const auto& t = group.find<Coordinates>(FourCC{"MOTV"})->items.at(index);
  return {p[0], p[1], p[2], n[0], n[1], n[2], t[0], t[1]};
}

void expect_same_later_root(const Document& made, const Document& original) {
  for (const char* tag : {"MOTX", "MOGN", "MODN", "MOSB"}) {
    FourCC name;
    std::copy_n(tag, 4, name.bytes.begin());
    EXPECT_EQ(*made.find<Strings>(name), *original.find<Strings>(name)) << tag;
  }
  // What version 14 has no room for: a flag of MOHD, and what belongs to the third texture of a material.
  auto header = *original.find<Header>(FourCC{"MOHD"});
  EXPECT_EQ(header.flags, 1U);
  header.flags = 0;
  EXPECT_EQ(*made.find<Header>(FourCC{"MOHD"}), header);
  auto materials = *original.find<Materials>(FourCC{"MOMT"});
  for (auto& material : materials.items) {
    material.padding = {};
    material.later = {};
  }
  EXPECT_EQ(*made.find<Materials>(FourCC{"MOMT"}), materials);
  EXPECT_EQ(*made.find<DoodadSets>(FourCC{"MODS"}), *original.find<DoodadSets>(FourCC{"MODS"}));
  EXPECT_EQ(*made.find<Fogs>(FourCC{"MFOG"}), *original.find<Fogs>(FourCC{"MFOG"}));
  EXPECT_EQ(*made.find<Lights>(FourCC{"MOLT"}), *original.find<Lights>(FourCC{"MOLT"}));
  EXPECT_EQ(made.chunks.size(), original.chunks.size());
  for (std::size_t i = 0; i < original.chunks.size(); ++i) {
    EXPECT_EQ(made.chunks[i].tag, original.chunks[i].tag) << "the order of chunks";
  }
}

/// The derived version 14 against the files that it was made from, field by field.
TEST(WmoConvert, TrollTentEqualsTheFilesItWasMadeFrom) {
  THAW_REQUIRE_CORPUS("alpha/_derived");
  const Document root = load_document(corpus_dir() / kFixtures / "trolltent.wmo");
  const Document file = load_document(corpus_dir() / kFixtures / "trolltent_000.wmo");
  Diagnostics diagnostics;
  const Later later = later_of(load_document(corpus_dir() / "alpha/_derived/trolltent14.wmo"), diagnostics);
  expect_same_later_root(later.root, root);
  // The generator of the derived file put the group's own flags into MOGI; the original has fewer there.
  auto info = root.find<GroupInfos>(FourCC{"MOGI"})->items.at(0);
  info.flags = 9;
  EXPECT_EQ(later.root.find<GroupInfos>(FourCC{"MOGI"})->items.at(0), info);

  const Group& made = *later.groups.at(0).groups().at(0);
  const Group& original = *file.groups().at(0);
  EXPECT_EQ(made.header, original.header);
  EXPECT_EQ(*made.find<Faces>(FourCC{"MOPY"}), *original.find<Faces>(FourCC{"MOPY"}));
  EXPECT_EQ(*made.find<BspNodes>(FourCC{"MOBN"}), *original.find<BspNodes>(FourCC{"MOBN"}));
  EXPECT_EQ(*made.find<Indices>(FourCC{"MOBR"}), *original.find<Indices>(FourCC{"MOBR"}));
  const auto& indices = made.find<Indices>(FourCC{"MOVI"})->items;
  const auto& before = original.find<Indices>(FourCC{"MOVI"})->items;
  ASSERT_EQ(indices.size(), before.size());
  for (std::size_t i = 0; i < indices.size(); ++i) {
    ASSERT_EQ(corner_of(made, indices[i]), corner_of(original, before[i])) << "corner " << i;
  }
  EXPECT_LE(made.find<Points>(FourCC{"MOVT"})->items.size(),
            original.find<Points>(FourCC{"MOVT"})->items.size());
  const auto& batches = made.find<Batches>(FourCC{"MOBA"})->items;
  const auto& old_batches = original.find<Batches>(FourCC{"MOBA"})->items;
  ASSERT_EQ(batches.size(), old_batches.size());
  for (std::size_t i = 0; i < batches.size(); ++i) {
    EXPECT_EQ(batches[i].first_index, old_batches[i].first_index);
    EXPECT_EQ(batches[i].index_count, old_batches[i].index_count);
    EXPECT_EQ(batches[i].material, old_batches[i].material);
    EXPECT_EQ(batches[i].box, old_batches[i].box);
  }
}

/// And the other way: what is made of the later files is the derived file but for boxes and MOGI's flags.
TEST(WmoConvert, LaterFilesBecomeTheDerivedOne) {
  THAW_REQUIRE_CORPUS("alpha/_derived");
  const Later later{load_document(corpus_dir() / kFixtures / "trolltent.wmo"),
                    {load_document(corpus_dir() / kFixtures / "trolltent_000.wmo")}};
  Diagnostics diagnostics;
  const Document made = alpha_of(later, diagnostics);
  Document expected = load_document(corpus_dir() / "alpha/_derived/trolltent14.wmo");
  with_outward_boxes(expected, made);
  for (auto& chunk : std::get<Root>(expected.chunks.at(1).body).chunks) {
    if (auto* infos = std::get_if<GroupInfos>(&chunk.body)) {
      infos->items.at(0).flags = 8;
    }
  }
  EXPECT_EQ(made, expected);
}

TEST(WmoConvert, LiquidsLieWhereTheyLay) {
  const Document house = load_document(test::samples_dir() / "house.wmo");
  Diagnostics diagnostics;
  const Later later = later_of(house, diagnostics);
  const Liquid& old = house.groups()[0]->find<Liquids>(FourCC{"MLIQ"})->items[0];
  const Liquid& made = later.groups[0].groups()[0]->find<Liquids>(FourCC{"MLIQ"})->items[0];
  EXPECT_EQ(made.x_tiles, old.y_tiles);
  EXPECT_EQ(made.y_tiles, old.x_tiles);
  std::map<std::pair<long, long>, LiquidVertex> places;
  for (std::int32_t y = 0; y < old.y_vertices; ++y) {
    for (std::int32_t x = 0; x < old.x_vertices; ++x) {
      const Vec3 p = liquid_position(old, 14, x, y);
      places[{std::lround(p[0] * 100), std::lround(p[1] * 100)}] =
          old.vertices[static_cast<std::size_t>(y * old.x_vertices + x)];
    }
  }
  for (std::int32_t y = 0; y < made.y_vertices; ++y) {
    for (std::int32_t x = 0; x < made.x_vertices; ++x) {
      const Vec3 p = liquid_position(made, 17, x, y);
      const auto found = places.find({std::lround(p[0] * 100), std::lround(p[1] * 100)});
      ASSERT_NE(found, places.end()) << p[0] << ' ' << p[1];
      EXPECT_EQ(found->second, made.vertices[static_cast<std::size_t>(y * made.x_vertices + x)]);
    }
  }
}

TEST(WmoConvert, LossesAreReported) {
  Document house = load_document(test::samples_dir() / "house.wmo");
  auto& group = std::get<Group>(house.chunks.back().body);
  group.chunks.push_back({FourCC{"MPBV"}, Runs{{{1, 2}}}, {}, {}});
  group.header.flags |= GroupHeader::kPortalBatches;
  Remainder unknown;
  unknown.state = Remainder::State::replaces_fields;
  unknown.bytes = {1, 2, 3};
  group.chunks.push_back({FourCC{"XYZZ"}, Opaque{}, unknown, {}});
  Diagnostics diagnostics;
  const Later later = later_of(house, diagnostics);
  EXPECT_EQ(later.groups.at(1).groups().at(0)->header.flags & GroupHeader::kPortalBatches, 0U);
  std::set<std::string> lost;
  for (const auto& finding : diagnostics.items()) {
    if (finding.code == codes::kWmoLost) {
      lost.insert(finding.path + ": " + finding.message);
    }
  }
  EXPECT_EQ(lost,
            (std::set<std::string>{"group 1: chunk MPBV left out", "group 1: unknown chunk XYZZ left out"}));
}

TEST(WmoConvert, WhatTheAlphaHasNoRoomForIsReported) {
  Diagnostics diagnostics;
  const Document house = load_document(test::samples_dir() / "house.wmo");
  Later later = later_of(house, diagnostics);
  diagnostics = Diagnostics();
  ASSERT_TRUE(to_alpha(later.root, later.pointers(), diagnostics));
  const auto lost_of = [](const Diagnostics& findings) {
    std::set<std::string> lost;
    for (const auto& finding : findings.items()) {
      if (finding.code == codes::kWmoLost) {
        lost.insert(finding.path + ": " + finding.message);
      }
    }
    return lost;
  };
  const auto before = lost_of(diagnostics);
  for (auto& chunk : later.root.chunks) {
    if (auto* lights = std::get_if<Lights>(&chunk.body)) {
      lights->items.at(0).rotation = {0, 0, 0, 1};
    }
  }
  Group& group = std::get<Group>(later.groups.at(0).chunks.back().body);
  group.header.later = {7, 8};
  for (auto& part : group.chunks) {
    if (auto* coordinates = std::get_if<Coordinates>(&part.body)) {
      coordinates->items.resize(1);
    }
  }
  diagnostics = Diagnostics();
  ASSERT_TRUE(to_alpha(later.root, later.pointers(), diagnostics));
  auto more = lost_of(diagnostics);
  for (const auto& known : before) {
    more.erase(known);
  }
  ASSERT_EQ(more.size(), 3U);
  EXPECT_EQ(more.count("MOLT[0]: rotation of a light left out"), 1U);
  EXPECT_EQ(more.count("group 0: the last fields of MOGP left out"), 1U);
  EXPECT_EQ(more.lower_bound("group 0: MOTV")->substr(0, 23), "group 0: MOTV left out:");
}

TEST(WmoConvert, PaddingThatHoldsSomethingIsReported) {
  Document house = load_document(test::samples_dir() / "house.wmo");
  for (auto& chunk : house.chunks) {
    if (auto* root = std::get_if<Root>(&chunk.body)) {
      std::get<Header>(root->chunks.at(0).body).padding[3] = 1;
    }
    if (auto* group = std::get_if<Group>(&chunk.body)) {
      group->header.padding[5] = 1;
    }
  }
  Diagnostics diagnostics;
  ASSERT_TRUE(to_later(house, {}, diagnostics));
  std::set<std::string> places;
  for (const auto& finding : diagnostics.items()) {
    if (finding.code == codes::kWmoLost &&
        finding.message == "padding bytes with values other than 0 left out") {
      places.insert(finding.path);
    }
  }
  EXPECT_EQ(places.count("MOHD"), 1U);
  EXPECT_EQ(places.count("group 0"), 1U);
}

TEST(WmoConvert, FlagsSayWhichChunksAGroupHas) {
  Document house = load_document(test::samples_dir() / "house.wmo");
  for (auto& chunk : house.chunks) {
    if (auto* group = std::get_if<Group>(&chunk.body)) {
      group->header.flags |= GroupHeader::kDoodads | GroupHeader::kLights | GroupHeader::kBsp;
      for (auto& part : group->chunks) {
        if (auto* list = std::get_if<Indices>(&part.body); part.tag == FourCC{"MODR"} && list != nullptr) {
          list->items.clear();
        }
      }
    }
  }
  Diagnostics diagnostics;
  for (const auto& document : later_of(house, diagnostics).groups) {
    const Group& group = *document.groups().at(0);
    const auto agrees = [&](FourCC tag, std::uint32_t flag) {
      const bool has = std::any_of(group.chunks.begin(), group.chunks.end(),
                                   [&](const Chunk& part) { return part.tag == tag; });
      EXPECT_EQ(has, (group.header.flags & flag) != 0) << tag.text();
    };
    agrees(FourCC{"MODR"}, GroupHeader::kDoodads);
    agrees(FourCC{"MOLR"}, GroupHeader::kLights);
    agrees(FourCC{"MOBN"}, GroupHeader::kBsp);
    agrees(FourCC{"MOCV"}, GroupHeader::kVertexColors);
    agrees(FourCC{"MLIQ"}, GroupHeader::kLiquid);
  }
}

TEST(WmoConvert, LightmapsBecomeVertexColors) {
  Document house = load_document(test::samples_dir() / "house.wmo");
  auto& group = std::get<Group>(house.chunks.at(2).body);
  Lightmap lightmap;
  lightmap.texels.resize(Lightmap::kTexels, 0);
  // Blocks of DXT1: red, then green for all texels of the right half.
  for (std::size_t block = 0; block < Lightmap::kTexels / 8; ++block) {
    const bool right = block % 64 >= 32;
    lightmap.texels[block * 8 + 1] = right ? 0x07 : 0xF8;
    lightmap.texels[block * 8] = right ? 0xE0 : 0x00;
  }
  auto& coordinates = group.find<Coordinates>(FourCC{"MOLV"})->items;
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    coordinates[i] = {i % 2 == 0 ? 0.25F : 0.75F, 0.5F};
  }
  group.chunks.push_back({FourCC{"MOLD"}, Lightmaps{{lightmap}}, {}, {}});
  group.header.flags |= GroupHeader::kLightmaps;
  Diagnostics diagnostics;
  const Later later = later_of(house, diagnostics);
  const Group& made = *later.groups.at(0).groups().at(0);
  const auto* colors = made.find<Colors>(FourCC{"MOCV"});
  ASSERT_NE(colors, nullptr);
  EXPECT_NE(made.header.flags & GroupHeader::kVertexColors, 0U);
  EXPECT_EQ(made.header.flags & GroupHeader::kLightmaps, 0U);
  const auto& indices = made.find<Indices>(FourCC{"MOVI"})->items;
  EXPECT_EQ(colors->items.at(indices[0]), (Bgra{24, 24, 255, 255})) << "no darker than 24";
  EXPECT_EQ(colors->items.at(indices[1]), (Bgra{24, 255, 24, 255}));
}

TEST(WmoConvert, WhatCannotBeIsRefused) {
  Diagnostics diagnostics;
  Document house = load_document(test::samples_dir() / "house.wmo");
  Later later = later_of(house, diagnostics);
  const std::array<const Document*, 2> missing = {nullptr, &later.groups[1]};
  const auto without = to_alpha(later.root, missing, diagnostics);
  ASSERT_FALSE(without);
  EXPECT_EQ(without.error().code, codes::kWriteUnsupported);

  auto& group = std::get<Group>(later.groups[0].chunks.at(1).body);
  group.find<Indices>(FourCC{"MOVI"})->items.resize(65538, 0);
  const auto large = to_alpha(later.root, later.pointers(), diagnostics);
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().code, codes::kWriteUnsupported);
}

// --- rules of conversion at their limits
// --------------------------------------------------------------------------------------------------

/// What a conversion says with one code, as "path: message".
std::vector<std::string> lines_of(const Diagnostics& diagnostics, const Code& code) {
  std::vector<std::string> lines;
  for (const auto& finding : diagnostics.items()) {
    if (finding.code == code) {
      lines.push_back(finding.path + ": " + finding.message);
    }
  }
  return lines;
}
Document sample_house() { return load_document(test::samples_dir() / "house.wmo"); }

TEST(WmoConvert, TheLaterRootHasTheBoxOfAllGroups) {
  const Document document = sample_house();
  Diagnostics diagnostics;
  const Later later = later_of(document, diagnostics);
  const auto& infos = document.find<GroupInfos>(FourCC{"MOGI"})->items;
  const Box& box = later.root.find<Header>(FourCC{"MOHD"})->box;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    EXPECT_EQ(box.minimum[axis], std::min(infos[0].box.minimum[axis], infos[1].box.minimum[axis]));
    EXPECT_EQ(box.maximum[axis], std::max(infos[0].box.maximum[axis], infos[1].box.maximum[axis]));
  }
  for (const auto& info : later.root.find<GroupInfos>(FourCC{"MOGI"})->items) {
    EXPECT_EQ(info.offset, 0U);
    EXPECT_EQ(info.size, 0U);
  }
  EXPECT_EQ(later.root.find<Strings>(FourCC{"MOSB"})->text.size(), 4U);
  EXPECT_EQ(later.root.version(), 17U);
  EXPECT_EQ(later.groups.at(0).version(), 17U);
}

TEST(WmoConvert, AGroupIsInteriorOrExterior) {
  for (const std::uint32_t flags : {0U, GroupHeader::kExterior | 0U, GroupHeader::kInterior | 0U}) {
    Document document = sample_house();
    group_of(document, 0).header.flags = flags;
    Diagnostics diagnostics;
    const auto later = to_later(document, {}, diagnostics);
    ASSERT_TRUE(later);
    const auto made = later->groups[0].groups()[0]->header.flags;
    EXPECT_NE((made & GroupHeader::kExterior) != 0, (made & GroupHeader::kInterior) != 0) << flags;
    const auto lines = lines_of(diagnostics, codes::kWmoMade);
    EXPECT_EQ(std::count(lines.begin(), lines.end(),
                         "group 0: interior flag added, because the group is not exterior"),
              flags == 0 ? 1 : 0)
        << flags;
  }
}

TEST(WmoConvert, WhatOneMaterialLoses) {
  Document document = sample_house();
  auto& materials = chunk_in<Materials>(root_of(document), FourCC{"MOMT"}).items;
  ASSERT_GE(materials.size(), 3U);
  materials[1].version = 2;
  materials[2].padding[7] = 1;
  Diagnostics diagnostics;
  const auto later = to_later(document, {}, diagnostics);
  ASSERT_TRUE(later);
  EXPECT_EQ(lines_of(diagnostics, codes::kWmoLost),
            (Lines{"MOMT[1]: material version 2 left out; later versions store the shader in this field",
                   "MOMT[2]: padding bytes with values other than 0 left out"}));
  EXPECT_EQ(later->root.find<Materials>(FourCC{"MOMT"})->items[1].version, 0U);
  EXPECT_EQ(later->root.find<Materials>(FourCC{"MOMT"})->items[2].padding, (std::array<std::uint8_t, 8>{}));
  // The other way.
  Diagnostics ignored;
  Later back = later_of(sample_house(), ignored);
  auto& made = chunk_in<Materials>(back.root.chunks, FourCC{"MOMT"}).items;
  const auto kept = made[0].flags | 0x80U;
  made[0].version = 3;
  made[0].flags = kept | 0x100U;
  made[0].later[4] = 1;  // which the game writes as it runs
  made[1].later[3] = 1;
  made[2].padding[0] = 1;
  Diagnostics findings;
  const auto alpha = to_alpha(back.root, back.pointers(), findings);
  ASSERT_TRUE(alpha);
  EXPECT_EQ(lines_of(findings, codes::kWmoLost),
            (Lines{"MOMT[0]: shader 3 left out", "MOMT[0]: flags 256 left out",
                   "MOMT[1]: third texture and its settings left out",
                   "MOMT[2]: third texture and its settings left out"}));
  EXPECT_EQ(alpha->find<Materials>(FourCC{"MOMT"})->items[0].flags, kept);
}

TEST(WmoConvert, WhatARootLosesForTheAlpha) {
  Diagnostics ignored;
  const Later later = later_of(sample_house(), ignored);
  const auto lost = [&](const auto& change) {
    Document root = later.root;
    change(root.chunks);
    Diagnostics diagnostics;
    EXPECT_TRUE(to_alpha(root, later.pointers(), diagnostics));
    return lines_of(diagnostics, codes::kWmoLost);
  };
  EXPECT_EQ(lost([](auto&) {}), Lines{});
  EXPECT_EQ(
      lost([](auto& chunks) { chunk_in<Strings>(chunks, FourCC{"MOSB"}).text = {'s', 'k', 'y', '\0'}; }),
      Lines{"MOSB: skybox left out: sky"});
  EXPECT_EQ(lost([](auto& chunks) { chunk_in<Points>(chunks, FourCC{"MOVV"}).items.push_back({1, 2, 3}); }),
            Lines{"MOVV: visible vertex blocks left out"});
  EXPECT_EQ(lost([](auto& chunks) { chunk_in<Runs>(chunks, FourCC{"MOVB"}).items.push_back({1, 2}); }),
            Lines{"MOVV: visible vertex blocks left out"});
  EXPECT_EQ(lost([](auto& chunks) { chunk_in<Header>(chunks, FourCC{"MOHD"}).flags = 6; }),
            Lines{"MOHD: flags 6 of MOHD left out"});
  EXPECT_EQ(lost([](auto& chunks) { chunks.push_back(chunks.at(3)); }).size(), 1U) << "another of the same";
  EXPECT_EQ(lost([](auto& chunks) { chunks.at(2).remainder.bytes = {1, 2, 3}; }).size(), 1U);
  EXPECT_EQ(lost([](auto& chunks) {
              chunks.at(2).remainder.bytes = {1, 2, 3};
              chunks.at(2).remainder.state = Remainder::State::replaces_fields;
            }).at(0),
            "root: damaged chunk MOTX left out");
}

TEST(WmoConvert, PlanesAroundTheBuildingComeAlong) {
  Diagnostics ignored;
  Later later = later_of(sample_house(), ignored);
  later.root.chunks.push_back({FourCC{"MCVP"}, Planes{{{1, 0, 0, 5}, {0, 1, 0, 6}}}, {}, {}});
  const Document made = alpha_of(later, ignored);
  const auto* planes = made.find<Planes>(FourCC{"MCVP"});
  ASSERT_NE(planes, nullptr);
  EXPECT_EQ(planes->items, (Array<Vec4>{{1, 0, 0, 5}, {0, 1, 0, 6}}));
}

TEST(WmoConvert, CountsOfTheAlphasHeader) {
  Diagnostics ignored;
  Later later = later_of(sample_house(), ignored);
  auto& header = chunk_in<Header>(later.root.chunks, FourCC{"MOHD"});
  header.material_count = header.group_count = header.portal_count = header.light_count = 77;
  header.doodad_count = header.doodad_name_count = header.doodad_set_count = 77;
  const Document made = alpha_of(later, ignored);
  EXPECT_EQ(*made.find<Header>(FourCC{"MOHD"}), *sample_house().find<Header>(FourCC{"MOHD"}));
}

TEST(WmoConvert, BoxesOfBatchesAreWholeYardsOutwards) {
  Diagnostics ignored;
  Later later = later_of(sample_house(), ignored);
  auto& group = std::get<Group>(later.groups[0].chunks.at(1).body);
  auto& batches = chunk_in<Batches>(group.chunks, FourCC{"MOBA"}).items;
  auto& points = chunk_in<Points>(group.chunks, FourCC{"MOVT"}).items;
  auto& indices = chunk_in<Indices>(group.chunks, FourCC{"MOVI"}).items;
  Vec3* corner = points.data() + indices[batches[0].first_index];
  const auto box_with = [&](Vec3 place) {
    *corner = place;
    batches[0].box = {0, 0, 0, 0, 0, 0};
    Diagnostics diagnostics;
    const auto alpha = to_alpha(later.root, later.pointers(), diagnostics);
    EXPECT_TRUE(alpha);
    return alpha->groups()[0]->find<Batches>(FourCC{"MOBA"})->items[0].box;
  };
  const auto near = box_with({-100.25F, 200.25F, 50});
  EXPECT_EQ(near[0], -101);
  EXPECT_EQ(near[4], 201);
  EXPECT_EQ(near[5], 50);
  const auto far = box_with({-40000, 40000, 50.5F});
  EXPECT_EQ(far[0], -32768);
  EXPECT_EQ(far[4], 32767);
  EXPECT_EQ(far[5], 51);
}

TEST(WmoConvert, ACornerThatIsNowhereLiesAtTheOriginOfItsBox) {
  Diagnostics ignored;
  Later later = later_of(sample_house(), ignored);
  auto& group = std::get<Group>(later.groups[0].chunks.at(1).body);
  auto& batch = chunk_in<Batches>(group.chunks, FourCC{"MOBA"}).items[0];
  auto& points = chunk_in<Points>(group.chunks, FourCC{"MOVT"}).items;
  for (std::size_t i = 0; i < points.size(); ++i) {
    points.data()[i][0] += 1000;
  }
  batch.box = {3000, 0, 0, 3000, 0, 0};
  const auto box = [&] {
    return to_alpha(later.root, later.pointers(), ignored)
        ->groups()[0]
        ->find<Batches>(FourCC{"MOBA"})
        ->items[0]
        .box;
  };
  EXPECT_GT(box()[0], 900);
  points.data()[chunk_in<Indices>(group.chunks, FourCC{"MOVI"}).items[batch.first_index]][0] = NAN;
  EXPECT_EQ(box()[0], 0);
}

TEST(WmoConvert, RunsAndRangesOfTheAlphasBatches) {
  Diagnostics ignored;
  Later later = later_of(sample_house(), ignored);
  const Document made = alpha_of(later, ignored);
  for (const auto* group : made.groups()) {
    const auto& batches = group->find<Batches>(FourCC{"MOBA"})->items;
    std::size_t named = 0;
    for (const auto* runs : {&group->header.interior, &group->header.exterior}) {
      for (const auto& run : *runs) {
        if (run.batch_count == 0) {
          EXPECT_EQ(run, BatchRun{});
          continue;
        }
        named += run.batch_count;
        const auto& first = batches.at(run.first_batch);
        const auto& last = batches.at(run.first_batch + run.batch_count - 1U);
        EXPECT_EQ(run.first_vertex, first.first_index);
        EXPECT_EQ(run.first_vertex + run.vertex_count, last.first_index + last.index_count);
      }
    }
    EXPECT_EQ(named, batches.size());
    for (const auto& batch : batches) {
      EXPECT_EQ(batch.first_vertex, batch.first_index) << "every corner is a vertex";
      EXPECT_EQ(batch.last_vertex, batch.first_index + batch.index_count - 1);
    }
  }
  // Inside first, then outside.
  auto& group = std::get<Group>(later.groups[0].chunks.at(1).body);
  const auto count = static_cast<std::uint16_t>(chunk_in<Batches>(group.chunks, FourCC{"MOBA"}).items.size());
  ASSERT_GE(count, 2);
  group.header.transition_batches = 0;
  group.header.interior_batches = 1;
  group.header.exterior_batches = static_cast<std::uint16_t>(count - 1);
  const Document split = alpha_of(later, ignored);
  const auto& header = split.groups()[0]->header;
  EXPECT_EQ(header.interior[0].first_batch, 0);
  EXPECT_EQ(header.interior[0].batch_count, 1);
  EXPECT_EQ(header.exterior[0].first_batch, 1);
  EXPECT_EQ(header.exterior[0].batch_count, count - 1);
  // And back: they keep their kinds.
  const Later again = later_of(split, ignored);
  EXPECT_EQ(again.groups[0].groups()[0]->header.interior_batches, 1);
  EXPECT_EQ(again.groups[0].groups()[0]->header.exterior_batches, count - 1);
}

TEST(WmoConvert, BatchesThatNoneNamesGoWithTheirGroup) {
  for (const bool outside : {false, true}) {
    Document document = sample_house();
    Group& group = group_of(document, 0);
    group.header.interior = {};
    group.header.exterior = {};
    group.header.flags = outside ? GroupHeader::kExterior : GroupHeader::kInterior;
    const auto count = chunk_in<Batches>(group.chunks, FourCC{"MOBA"}).items.size();
    Diagnostics ignored;
    const auto later = to_later(document, {}, ignored);
    ASSERT_TRUE(later);
    const auto& header = later->groups[0].groups()[0]->header;
    EXPECT_EQ(header.exterior_batches, outside ? count : 0);
    EXPECT_EQ(header.interior_batches, outside ? 0 : count);
  }
  // A batch that two runs name is drawn once; a run may reach beyond the batches.
  Document document = sample_house();
  Group& group = group_of(document, 0);
  const auto count = static_cast<std::uint16_t>(chunk_in<Batches>(group.chunks, FourCC{"MOBA"}).items.size());
  group.header.interior = {BatchRun{0, 0, 1, 1}};
  group.header.exterior = {BatchRun{0, 0, 1, 999}};
  group.header.flags |= GroupHeader::kExterior;
  Diagnostics ignored;
  const auto later = to_later(document, {}, ignored);
  ASSERT_TRUE(later);
  const Group& made = *later->groups[0].groups()[0];
  EXPECT_EQ(made.header.interior_batches, 1);
  EXPECT_EQ(made.header.exterior_batches, count - 1);
  EXPECT_EQ(made.find<Batches>(FourCC{"MOBA"})->items.size(), count);
  EXPECT_EQ(made.find<Batches>(FourCC{"MOBA"})->items[0].material,
            group.find<Batches>(FourCC{"MOBA"})->items[1].material);
}

TEST(WmoConvert, BatchesBeyondTheCornersBecomeEmpty) {
  Diagnostics ignored;
  Later later = later_of(sample_house(), ignored);
  auto& group = std::get<Group>(later.groups[0].chunks.at(1).body);
  auto& batch = chunk_in<Batches>(group.chunks, FourCC{"MOBA"}).items[0];
  const auto made = [&](std::uint32_t first, std::uint16_t count, bool lost) {
    batch.first_index = first;
    batch.index_count = count;
    Diagnostics diagnostics;
    const auto alpha = to_alpha(later.root, later.pointers(), diagnostics);
    EXPECT_TRUE(alpha);
    EXPECT_EQ(lines_of(diagnostics, codes::kWmoGroup),
              lost ? Lines{"group 0: 1 batch emptied, because version 14 supports at most 65535 corners"}
                   : Lines{});
    return alpha->groups()[0]->find<Batches>(FourCC{"MOBA"})->items[0];
  };
  const Batch fits = made(65533, 3, false);
  EXPECT_EQ(fits.first_index, 65533U);
  EXPECT_EQ(fits.last_vertex, 65535);
  for (const Batch& none : {made(65534, 3, true), made(65536, 0, true), made(0xFFFFFFFF, 3, true)}) {
    EXPECT_EQ(none.first_index, 0U);
    EXPECT_EQ(none.index_count, 0);
    EXPECT_EQ(none.first_vertex, 0);
    EXPECT_EQ(none.last_vertex, 0);
  }
}

/// A lightmap of one block in the corner: two colours, and which each of its texels has.
Lightmap lightmap_of(std::uint16_t first, std::uint16_t second, std::array<std::uint8_t, 4> rows) {
  Lightmap lightmap;
  lightmap.texels.resize(Lightmap::kTexels, 0);
  const std::array<std::uint16_t, 2> colors = {first, second};
  std::memcpy(lightmap.texels.data(), colors.data(), sizeof colors);
  std::memcpy(lightmap.texels.data() + 4, rows.data(), rows.size());
  return lightmap;
}
constexpr float kTexel = 1.0F / 256;

TEST(WmoLightmaps, TexelsAreThoseOfDxt1) {
  constexpr std::uint16_t kRed = 0xF800, kBlue = 0x001F;
  // Each texel of the first row has another choice.
  const Lightmap four = lightmap_of(kRed, kBlue, {0xE4, 0, 0, 0x55});
  const auto at = [](const Lightmap& lightmap, float x, float y) {
    return lightmap_color(lightmap, {(x + 0.5F) * kTexel, (y + 0.5F) * kTexel});
  };
  EXPECT_EQ(at(four, 0, 0), (Bgra{24, 24, 255, 255}));
  EXPECT_EQ(at(four, 1, 0), (Bgra{255, 24, 24, 255}));
  EXPECT_EQ(at(four, 2, 0), (Bgra{85, 24, 170, 255}));
  EXPECT_EQ(at(four, 3, 0), (Bgra{170, 24, 85, 255}));
  EXPECT_EQ(at(four, 3, 1), (Bgra{24, 24, 255, 255}));
  EXPECT_EQ(at(four, 3, 3), (Bgra{255, 24, 24, 255}));
  EXPECT_EQ(at(four, 4, 0), (Bgra{24, 24, 24, 255})) << "the next block is black";
  EXPECT_EQ(at(four, 0, 4), (Bgra{24, 24, 24, 255}));
  // The other way round there are three, and black.
  const Lightmap three = lightmap_of(kBlue, kRed, {0xE4, 0, 0, 0});
  EXPECT_EQ(at(three, 0, 0), (Bgra{255, 24, 24, 255}));
  EXPECT_EQ(at(three, 2, 0), (Bgra{127, 24, 127, 255}));
  EXPECT_EQ(at(three, 3, 0), (Bgra{24, 24, 24, 255}));
  const Lightmap equal = lightmap_of(kRed, kRed, {0xE4, 0, 0, 0});
  EXPECT_EQ(at(equal, 2, 0), (Bgra{24, 24, 255, 255}));
  EXPECT_EQ(at(equal, 3, 0), (Bgra{24, 24, 24, 255}));
  // Five bits become eight, six, too.
  const Lightmap grey = lightmap_of(0x8410, 0, {0, 0, 0, 0});
  EXPECT_EQ(at(grey, 0, 0), (Bgra{132, 130, 132, 255}));
}

TEST(WmoLightmaps, CoordinatesRepeat) {
  Lightmap lightmap = lightmap_of(0xF800, 0x001F, {0, 0, 0, 0});
  const Bgra red = {24, 24, 255, 255};
  for (const float whole : {0.0F, 1.0F, -1.0F, 7.0F, NAN, INFINITY}) {
    EXPECT_EQ(lightmap_color(lightmap, {whole, 0}), red) << whole;
    EXPECT_EQ(lightmap_color(lightmap, {0, whole}), red) << whole;
  }
  EXPECT_EQ(lightmap_color(lightmap, {3.5F * kTexel - 2, 0}), red);
  EXPECT_NE(lightmap_color(lightmap, {4.5F * kTexel - 2, 0}), red);
  // The last texel, from below and from behind 1 by less than a float tells.
  lightmap = lightmap_of(0, 0, {0, 0, 0, 0});
  lightmap.texels.data()[Lightmap::kTexels - 7] = 0xF8;
  const float last = std::nextafter(1.0F, 0.0F);
  EXPECT_EQ(lightmap_color(lightmap, {last, last}), red);
  EXPECT_EQ(lightmap_color(lightmap, {-1e-30F, -1e-30F}), red);
}

TEST(WmoLightmaps, VerticesTakeThatOfTheirBatch) {
  Group group;
  Lightmaps lightmaps;
  lightmaps.items = {lightmap_of(0xF800, 0, {0, 0, 0, 0}), lightmap_of(0x001F, 0, {0, 0, 0, 0})};
  Batch first;
  first.lightmap = 1;
  first.first_vertex = 1;
  first.last_vertex = 2;
  Batch none = first;
  none.lightmap = 2;
  none.first_vertex = none.last_vertex = 3;
  Batch beyond = first;
  beyond.lightmap = 0;
  beyond.first_vertex = 4;
  beyond.last_vertex = 9;
  add_chunk(group.chunks, FourCC{"MOVT"}, Points{Array<Vec3>(5, Vec3{})});
  add_chunk(group.chunks, FourCC{"MOLV"}, Coordinates{Array<Vec2>(5, Vec2{})});
  add_list(group.chunks, FourCC{"MOBA"}, std::vector<Batch>{first, none, beyond});
  add_chunk(group.chunks, FourCC{"MOLD"}, lightmaps);
  const Bgra white = {255, 255, 255, 255};
  const Bgra red = {24, 24, 255, 255};
  const Bgra blue = {255, 24, 24, 255};
  EXPECT_EQ(baked_lightmaps(GroupParts(group)), (Array<Bgra>{white, blue, blue, white, red}));
  // One that has lost its end says nothing.
  std::get<Lightmaps>(group.chunks.back().body).items[0].texels.resize(Lightmap::kTexels - 1);
  EXPECT_EQ(baked_lightmaps(GroupParts(group)), (Array<Bgra>{white, blue, blue, white, white}));
  std::get<Coordinates>(group.chunks[1].body).items.resize(4);
  EXPECT_TRUE(baked_lightmaps(GroupParts(group)).empty());
}

TEST(WmoLightmaps, BatchesOverEachOtherPaintFourTimes) {
  Group group;
  Lightmaps lightmaps;
  lightmaps.items = {lightmap_of(0xF800, 0, {0, 0, 0, 0}), lightmap_of(0x001F, 0, {0, 0, 0, 0})};
  add_chunk(group.chunks, FourCC{"MOVT"}, Points{Array<Vec3>(5, Vec3{})});
  add_chunk(group.chunks, FourCC{"MOLV"}, Coordinates{Array<Vec2>(5, Vec2{})});
  add_chunk(group.chunks, FourCC{"MOLD"}, lightmaps);
  std::vector<Batch> batches(4);
  for (Batch& batch : batches) {
    batch.last_vertex = 4;
  }
  batches[3].lightmap = 1;
  add_list(group.chunks, FourCC{"MOBA"}, batches);
  const Bgra red = {24, 24, 255, 255};
  const Bgra blue = {255, 24, 24, 255};
  EXPECT_EQ(baked_lightmaps(GroupParts(group)), Array<Bgra>(5, blue));
  batches[3].lightmap = 0;
  batches.push_back(batches[3]);
  batches[4].lightmap = 1;
  std::get<Batches>(group.chunks.back().body).items = batches;
  EXPECT_EQ(baked_lightmaps(GroupParts(group)), Array<Bgra>(5, red)) << "the fifth has no say";
}

TEST(WmoConvert, BatchesOverEachOther) {
  // The alpha's: the last that draws a face has it, to the last face.
  Document house = sample_house();
  Group& group = group_of(house, 0);
  auto& batches = chunk_in<Batches>(group.chunks, FourCC{"MOBA"}).items;
  const auto corners = chunk_in<Indices>(group.chunks, FourCC{"MOIN"}).items.size();
  Batch whole = batches[0];
  whole.first_index = 0;
  whole.index_count = static_cast<std::uint16_t>(corners);
  batches = {whole, whole};
  batches[1].material = static_cast<std::uint8_t>(whole.material + 1);
  Diagnostics ignored;
  const Later later = later_of(house, ignored);
  const auto& faces = later.groups[0].groups()[0]->find<Faces>(FourCC{"MOPY"})->later;
  ASSERT_EQ(faces.size(), corners / 3);
  const std::size_t second = whole.material + 1U;
  EXPECT_TRUE(std::all_of(faces.begin(), faces.end(), [&](const auto& face) { return face[1] == second; }));

  // Later ones: each has the box of all that it draws.
  Later other = later_of(sample_house(), ignored);
  auto& of_other =
      chunk_in<Batches>(std::get<Group>(other.groups[0].chunks.at(1).body).chunks, FourCC{"MOBA"});
  Batch all = of_other.items[0];
  all.first_index = 0;
  all.index_count =
      static_cast<std::uint16_t>(other.groups[0].groups()[0]->find<Indices>(FourCC{"MOVI"})->items.size());
  of_other.items.assign(4, all);
  const auto alpha = to_alpha(other.root, other.pointers(), ignored);
  ASSERT_TRUE(alpha);
  for (const Batch& batch : alpha->groups()[0]->find<Batches>(FourCC{"MOBA"})->items) {
    EXPECT_EQ(batch.last_vertex, all.index_count - 1);
  }
}

TEST(WmoConvert, AsManyCornersAsIndicesCanName) {
  Diagnostics ignored;
  Later later = later_of(sample_house(), ignored);
  auto& group = std::get<Group>(later.groups[0].chunks.at(1).body);
  auto& indices = chunk_in<Indices>(group.chunks, FourCC{"MOVI"}).items;
  const auto with_corners = [&](std::size_t count) {
    indices.resize(count, 0);
    Diagnostics diagnostics;
    return to_alpha(later.root, later.pointers(), diagnostics);
  };
  const auto most = with_corners(65535);
  ASSERT_TRUE(most);
  EXPECT_EQ(most->groups()[0]->find<Points>(FourCC{"MOVT"})->items.size(), 65535U);
  EXPECT_TRUE(with_corners(65537)) << "of which 65535 are whole triangles";
  EXPECT_FALSE(with_corners(65538));
  EXPECT_FALSE(with_corners(0)) << "vertices without a corner";
}

TEST(WmoConvert, EveryGroupHasItsEntry) {
  Diagnostics ignored;
  Document document = sample_house();
  chunk_in<GroupInfos>(root_of(document), FourCC{"MOGI"}).items.pop_back();
  const auto later = to_later(document, {}, ignored);
  ASSERT_FALSE(later);
  EXPECT_EQ(later.error().message, "MOGI lists 1 group, but the file has 2");
}

TEST(WmoConvert, PortalsThatAreTooManyHaveNoRoom) {
  const auto lost = [](std::uint32_t first, std::uint32_t count) {
    Document document = sample_house();
    group_of(document, 1).header.first_portal = first;
    group_of(document, 1).header.portal_count = count;
    Diagnostics diagnostics;
    const auto later = to_later(document, {}, diagnostics);
    EXPECT_TRUE(later);
    EXPECT_LE(later->groups[1].groups()[0]->header.first_portal, 0xFFFFU);
    return lines_of(diagnostics, codes::kWmoLost);
  };
  EXPECT_EQ(lost(0xFFFF, 0xFFFF), Lines{});
  EXPECT_EQ(lost(0x10000, 0), Lines{"group 1: first portal 65536 reduced to 65535, the limit of its field"});
  EXPECT_EQ(lost(0, 0x10000), Lines{"group 1: portal count 65536 reduced to 65535, the limit of its field"});
}

TEST(WmoConvert, FurtherLiquidsAreLost) {
  Document document = sample_house();
  auto& liquids = chunk_in<Liquids>(group_of(document, 0).chunks, FourCC{"MLIQ"}).items;
  liquids.push_back(liquids[0]);
  liquids.push_back(liquids[0]);
  Diagnostics diagnostics;
  const auto later = to_later(document, {}, diagnostics);
  ASSERT_TRUE(later);
  EXPECT_EQ(lines_of(diagnostics, codes::kWmoLost),
            Lines{"group 0: 2 liquids left out; a group has only one"});
  EXPECT_EQ(later->groups[0].groups()[0]->find<Liquids>(FourCC{"MLIQ"})->items.size(), 1U);
  const auto made = lines_of(diagnostics, codes::kWmoMade);
  EXPECT_EQ(std::count(made.begin(), made.end(),
                       "group 0: liquid grid transposed, because the versions order it differently"),
            1);
  EXPECT_EQ(std::count(made.begin(), made.end(),
                       "group 1: liquid grid transposed, because the versions order it differently"),
            0);
  // Nothing is transposed from version 17 to 17.
  Diagnostics again;
  const std::array<const Document*, 2> files = {&later->groups[0], &later->groups[1]};
  const auto same = to_later(later->root, files, again);
  ASSERT_TRUE(same);
  const auto lines = lines_of(again, codes::kWmoMade);
  EXPECT_EQ(std::count_if(lines.begin(), lines.end(),
                          [](const auto& line) { return line.find("transposed") != std::string::npos; }),
            0);
}

TEST(WmoConvert, OneLiquidTooMany) {
  Document document = sample_house();
  auto& liquids = chunk_in<Liquids>(group_of(document, 0).chunks, FourCC{"MLIQ"}).items;
  liquids.push_back(liquids[0]);
  Diagnostics diagnostics;
  ASSERT_TRUE(to_later(document, {}, diagnostics));
  EXPECT_EQ(lines_of(diagnostics, codes::kWmoLost),
            Lines{"group 0: 1 liquid left out; a group has only one"});
}

TEST(WmoConvert, AnEmptyBatchKeepsItsRange) {
  Document document = sample_house();
  auto& group = group_of(document, 0);
  auto& batch = chunk_in<Batches>(group.chunks, FourCC{"MOBA"}).items.at(0);
  batch.first_index = static_cast<std::uint32_t>(group.find<Indices>(FourCC{"MOIN"})->items.size() - 1);
  batch.index_count = 0;
  batch.first_vertex = 3;
  batch.last_vertex = 2;
  Diagnostics ignored;
  const auto later = to_later(document, {}, ignored);
  ASSERT_TRUE(later);
  const auto& batches = later->groups[0].groups()[0]->find<Batches>(FourCC{"MOBA"})->items;
  const auto empty =
      std::find_if(batches.begin(), batches.end(), [](const Batch& made) { return made.index_count == 0; });
  ASSERT_NE(empty, batches.end());
  EXPECT_EQ(empty->first_vertex, 3);
  EXPECT_EQ(empty->last_vertex, 2);
}

TEST(WmoConvert, EqualCornersBecomeOneVertex) {
  Diagnostics ignored;
  const Later later = later_of(sample_house(), ignored);
  for (const auto& file : later.groups) {
    const Group& group = *file.groups()[0];
    const auto& indices = group.find<Indices>(FourCC{"MOVI"})->items;
    const auto& batches = group.find<Batches>(FourCC{"MOBA"})->items;
    const std::size_t count = group.find<Points>(FourCC{"MOVT"})->items.size();
    EXPECT_LT(count, indices.size());
    EXPECT_EQ(group.find<Points>(FourCC{"MONR"})->items.size(), count);
    EXPECT_EQ(group.find<Coordinates>(FourCC{"MOTV"})->items.size(), count);
    for (const auto& batch : batches) {
      std::set<std::array<std::uint32_t, 8>> corners;  // by their bits: 0 and -0 are two
      std::set<std::uint16_t> vertices;
      for (std::size_t i = batch.first_index; i < std::size_t{batch.first_index} + batch.index_count; ++i) {
        corners.insert(std::bit_cast<std::array<std::uint32_t, 8>>(corner_of(group, indices[i])));
        vertices.insert(indices[i]);
      }
      EXPECT_EQ(*vertices.begin(), batch.first_vertex);
      EXPECT_EQ(*vertices.rbegin(), batch.last_vertex);
      const auto* colors = group.find<Colors>(FourCC{"MOCV"});
      if (colors == nullptr) {
        EXPECT_EQ(vertices.size(), corners.size()) << "none twice in a batch";
      }
    }
  }
}

TEST(WmoConvert, BrokenGeometryIsKeptAsItIs) {
  Document document = sample_house();
  auto& group = group_of(document, 0);
  chunk_in<Indices>(group.chunks, FourCC{"MOIN"}).items.data()[4] = 0xFFFF;
  Diagnostics diagnostics;
  const auto later = to_later(document, {}, diagnostics);
  ASSERT_TRUE(later);
  const Group& made = *later->groups[0].groups()[0];
  EXPECT_EQ(made.find<Points>(FourCC{"MOVT"})->items, group.find<Points>(FourCC{"MOVT"})->items);
  EXPECT_EQ(made.find<Indices>(FourCC{"MOVI"})->items, group.find<Indices>(FourCC{"MOIN"})->items);
  // On the way to the alpha such corners take the first vertex, which is reported.
  Diagnostics findings;
  const std::array<const Document*, 2> files = {&later->groups[0], &later->groups[1]};
  const auto alpha = to_alpha(later->root, files, findings);
  ASSERT_TRUE(alpha);
  EXPECT_EQ(lines_of(findings, codes::kWmoGroup),
            Lines{"group 0: indices out of range replaced with the first vertex"});
  const auto& points = alpha->groups()[0]->find<Points>(FourCC{"MOVT"})->items;
  EXPECT_EQ(points[4], points[0]);
}

TEST(WmoConvert, CornersOfLiquidsMoveByWholeCells) {
  Document document = sample_house();
  auto& liquid = chunk_in<Liquids>(group_of(document, 0).chunks, FourCC{"MLIQ"}).items[0];
  const auto moved = [&](float corner) {
    liquid.corner[0] = corner;
    Diagnostics ignored;
    const auto later = to_later(document, {}, ignored);
    const Liquid& made = later->groups[0].groups()[0]->find<Liquids>(FourCC{"MLIQ"})->items[0];
    const std::array<const Document*, 2> files = {&later->groups[0], &later->groups[1]};
    EXPECT_NEAR(
        to_alpha(later->root, files, ignored)->groups()[0]->find<Liquids>(FourCC{"MLIQ"})->items[0].corner[0],
        corner, 1e-6);
    return double{made.corner[0]};
  };
  const double steps = liquid.y_vertices - 1;
  EXPECT_NEAR(moved(0), -steps * 100 / 24, 1e-5);
  EXPECT_NEAR(moved(static_cast<float>(700.0 / 24)), (7 - steps) * 100 / 24, 1e-5);
  EXPECT_NEAR(moved(0.5F), 0.5 - steps * 100 / 24, 1e-5);
}

}  // namespace
}  // namespace thaw::wmo
