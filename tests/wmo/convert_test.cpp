// Version 14 to 17 and back.
#include <thaw/wmo_convert.hpp>
#include <thaw/wmo_scene.hpp>
#include <thaw/wow_codes.hpp>

#include "support/files.hpp"
#include "support/paths.hpp"
#include "wmo/files.hpp"

#include <gtest/gtest.h>

#include <algorithm>
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
  EXPECT_EQ(lost, (std::set<std::string>{"group 1: MPBV", "group 1: XYZZ, which is not known"}));
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
  EXPECT_EQ(more.count("MOLT[0]: the rotation of a light"), 1U);
  EXPECT_EQ(more.count("group 0: the last words of MOGP"), 1U);
  EXPECT_EQ(more.lower_bound("group 0: MOTV")->substr(0, 14), "group 0: MOTV:");
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
    if (finding.code == codes::kWmoLost && finding.message == "what stood in the padding") {
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

}  // namespace
}  // namespace thaw::wmo
