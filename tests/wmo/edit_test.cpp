// Buildings repathed, scaled and moved.

#include <gtest/gtest.h>
#include <thaw/codes.hpp>
#include <thaw/wmo.hpp>

#include "support/edits.hpp"
#include "support/files.hpp"
#include "support/paths.hpp"
#include "wmo/files.hpp"

#include <algorithm>
#include <cmath>

namespace thaw {
namespace {

using test::Log, test::expect_there_and_back, test::kMove, test::placement_of, test::warnings;

wmo::Document house() { return wmo::load_document(test::samples_dir() / "house.wmo"); }

std::vector<std::string> textures_of(const wmo::Document& document) {
  std::vector<std::string> paths;
  const auto* names = document.find<wmo::Strings>(FourCC{"MOTX"});
  for (const auto& material : document.find<wmo::Materials>(FourCC{"MOMT"})->items) {
    paths.emplace_back(names->at(material.texture1));
  }
  return paths;
}

TEST(WmoEdit, OffsetsFollowPathsOfAnotherLength) {
  const wmo::Document before = house();
  wmo::Document document = before;
  Log log;
  ASSERT_TRUE(wmo::repath(document, "Textures\\*", "War3mapImported\\Longer\\*", log.log));
  EXPECT_FALSE(log.log.changes.empty());
  EXPECT_EQ(log.log.changes.front().path, "MOMO.MOTX.texts[0]");
  const auto was = textures_of(before);
  const auto is = textures_of(document);
  ASSERT_EQ(was.size(), is.size());
  for (std::size_t i = 0; i < was.size(); ++i) {
    EXPECT_EQ(is[i], "War3mapImported\\Longer\\" + was[i].substr(9));
  }
  ReadOptions strict;
  strict.strict = true;
  const Bytes bytes = wmo::write(document);
  ASSERT_TRUE(wmo::read(bytes, strict));
  EXPECT_LE(warnings(document), warnings(before));
  ASSERT_TRUE(wmo::repath(document, "War3mapImported\\Longer\\*", "Textures\\*", log.log));
  EXPECT_EQ(wmo::write(document), wmo::write(before));
}

TEST(WmoEdit, DoodadsFollowToo) {
  wmo::Document document = house();
  const auto names = [&] {
    std::vector<std::string> list;
    for (const auto& doodad : document.find<wmo::Doodads>(FourCC{"MODD"})->items) {
      list.emplace_back(document.find<wmo::Strings>(FourCC{"MODN"})->at(doodad.name_offset()));
    }
    return list;
  };
  const auto before = names();
  Log log;
  ASSERT_TRUE(wmo::repath(document, "*.md*", "much\\longer\\*.md*", log.log));
  const auto after = names();
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_EQ(after[i], "much\\longer\\" + before[i]);
  }
}

TEST(WmoEdit, AllThatHasAPlaceGoesAlong) {
  const wmo::Document before = house();
  wmo::Document document = before;
  Log log;
  ASSERT_TRUE(wmo::place(document, placement_of(2, kMove[0], kMove[1], kMove[2]), log.log));
  EXPECT_LE(warnings(document), warnings(before));
  const auto was = wmo::to_scene(before, {}, "house");
  const auto is = wmo::to_scene(document, {}, "house");
  ASSERT_TRUE(was && is);
  ASSERT_EQ(was->meshes.size(), is->meshes.size());
  for (std::size_t m = 0; m < was->meshes.size(); ++m) {
    const auto& a = was->meshes[m].positions;
    const auto& b = is->meshes[m].positions;
    if (a.size() != b.size()) {
      continue;  // a liquid has more tiles
    }
    for (std::size_t v = 0; v < a.size(); v += 7) {
      // Y up, north is +Z, west +X.
      EXPECT_NEAR(b[v][0], double{a[v][0]} * 2 + kMove[1], 1e-4);
      EXPECT_NEAR(b[v][1], double{a[v][1]} * 2 + kMove[2], 1e-4);
      EXPECT_NEAR(b[v][2], double{a[v][2]} * 2 + kMove[0], 1e-4);
    }
  }
  const auto* portals = document.find<wmo::Portals>(FourCC{"MOPT"});
  const auto* corners = document.find<wmo::Points>(FourCC{"MOPV"});
  for (const auto& portal : portals->items) {
    for (std::size_t i = 0; i < portal.vertex_count; ++i) {
      const Vec3& at = corners->items[portal.first_vertex + i];
      EXPECT_NEAR(
          portal.normal[0] * at[0] + portal.normal[1] * at[1] + portal.normal[2] * at[2] + portal.distance, 0,
          1e-4);
    }
  }
  EXPECT_FLOAT_EQ(document.find<wmo::Lights>(FourCC{"MOLT"})->items[0].attenuation_end,
                  before.find<wmo::Lights>(FourCC{"MOLT"})->items[0].attenuation_end * 2);
  EXPECT_FLOAT_EQ(document.find<wmo::Doodads>(FourCC{"MODD"})->items[0].scale,
                  before.find<wmo::Doodads>(FourCC{"MODD"})->items[0].scale * 2);
  EXPECT_FLOAT_EQ(document.find<wmo::Fogs>(FourCC{"MFOG"})->items[0].air.end,
                  before.find<wmo::Fogs>(FourCC{"MFOG"})->items[0].air.end * 2);
}

/// Faces are on the sides of the tree's planes where they were.
TEST(WmoEdit, TheTreeOfPlanesStaysTrue) {
  wmo::Document document = house();
  Log log;
  ASSERT_TRUE(wmo::place(document, placement_of(1.7, 3.3, -4.1, 0.9), log.log));
  for (std::size_t g = 0; g < 2; ++g) {
    const wmo::Group& group = wmo::group_of(document, g);
    const auto& nodes = group.find<wmo::BspNodes>(FourCC{"MOBN"})->items;
    const auto& listed = group.find<wmo::Indices>(FourCC{"MOBR"})->items;
    const auto& points = group.find<wmo::Points>(FourCC{"MOVT"})->items;
    const auto& corners = group.find<wmo::Indices>(FourCC{"MOIN"})->items;
    const std::function<void(std::int16_t, Vec3, Vec3)> look = [&](std::int16_t at, Vec3 low, Vec3 high) {
      const auto& node = nodes.at(static_cast<std::size_t>(at));
      if ((node.flags & wmo::BspNode::kLeaf) == 0) {
        Vec3 below = high;
        Vec3 above = low;
        below.at(node.flags) = above.at(node.flags) = node.distance;
        if (node.negative >= 0) {
          look(node.negative, low, below);
        }
        if (node.positive >= 0) {
          look(node.positive, above, high);
        }
        return;
      }
      for (std::size_t i = node.first_face; i < node.first_face + node.face_count; ++i) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
          float least = std::numeric_limits<float>::max();
          float most = -least;
          for (std::size_t c = 0; c < 3; ++c) {
            const float x = points[corners[std::size_t{listed[i]} * 3 + c]].at(axis);
            least = std::min(least, x);
            most = std::max(most, x);
          }
          EXPECT_LE(least, high.at(axis) + 0.1F);
          EXPECT_GE(most, low.at(axis) - 0.1F);
        }
      }
    };
    constexpr float kFar = 1e9F;
    look(0, {-kFar, -kFar, -kFar}, {kFar, kFar, kFar});
  }
}

TEST(WmoEdit, ALiquidHasMoreTilesWhereItIsLarger) {
  const wmo::Document before = house();
  const auto liquid_of = [](const wmo::Document& document) -> const wmo::Liquid* {
    for (const auto* group : document.groups()) {
      if (const auto* list = group->find<wmo::Liquids>(FourCC{"MLIQ"})) {
        return &list->items.front();
      }
    }
    return nullptr;
  };
  wmo::Document document = before;
  Log log;
  ASSERT_TRUE(wmo::place(document, placement_of(2, 0, 0, 1), log.log));
  const auto* was = liquid_of(before);
  const auto* is = liquid_of(document);
  ASSERT_TRUE(was != nullptr && is != nullptr);
  EXPECT_EQ(is->x_tiles, was->x_tiles * 2);
  EXPECT_EQ(is->y_vertices, was->y_tiles * 2 + 1);
  EXPECT_FLOAT_EQ(is->vertices.front().height, was->vertices.front().height * 2 + 1);
  EXPECT_FALSE(log.has(codes::kEditInexact));
  expect_there_and_back(before, wmo::place);
}

TEST(WmoEdit, ALargerLiquidKeepsItsSlope) {
  wmo::Document document = house();
  auto& liquid = wmo::chunk_in<wmo::Liquids>(wmo::group_of(document, 0).chunks, FourCC{"MLIQ"}).items.at(0);
  std::fill(liquid.tiles.begin(), liquid.tiles.end(), std::uint8_t{4});
  // A yard higher with each column, ten with each row.
  const auto height = [&](std::int32_t x, std::int32_t y) -> float& {
    return liquid.vertices[static_cast<std::size_t>(y * liquid.x_vertices + x)].height;
  };
  for (std::int32_t y = 0; y < liquid.y_vertices; ++y) {
    for (std::int32_t x = 0; x < liquid.x_vertices; ++x) {
      height(x, y) = static_cast<float>(x + 10 * y);
    }
  }
  Log log;
  ASSERT_TRUE(wmo::place(document, placement_of(4, 0, 0, 0), log.log));
  for (std::int32_t y = 0; y < liquid.y_vertices; ++y) {
    for (std::int32_t x = 0; x < liquid.x_vertices; ++x) {
      EXPECT_FLOAT_EQ(height(x, y), static_cast<float>(x + 10 * y)) << x << " " << y;
    }
  }
}

TEST(WmoEdit, ALiquidWithoutAGridIsNotScaled) {
  for (const bool columns : {true, false}) {
    wmo::Document document = house();
    auto& liquid = wmo::chunk_in<wmo::Liquids>(wmo::group_of(document, 0).chunks, FourCC{"MLIQ"}).items.at(0);
    (columns ? liquid.x_tiles : liquid.y_tiles) = 0;
    (columns ? liquid.x_vertices : liquid.y_vertices) = 1;
    liquid.tiles.clear();
    liquid.vertices.resize(static_cast<std::size_t>(liquid.x_vertices) *
                           static_cast<std::size_t>(liquid.y_vertices));
    Log log;
    const auto placed = wmo::place(document, placement_of(2, 0, 0, 0), log.log);
    ASSERT_FALSE(placed);
    EXPECT_NE(placed.error().message.find("without a grid"), std::string::npos) << placed.error().message;
  }
}

TEST(WmoEdit, BoxesOfBatchesGoAlong) {
  wmo::Document document = house();
  wmo::Group& group = wmo::group_of(document, 0);
  auto& batches = wmo::chunk_in<wmo::Batches>(group.chunks, FourCC{"MOBA"}).items;
  ASSERT_GE(batches.size(), 2U);
  const auto& corners = group.find<wmo::Points>(FourCC{"MOVT"})->items;
  // The first box encloses its vertices, the second is arbitrary, the last is empty.
  const wmo::Batch first = batches.at(0);
  batches.at(1).box = {1, 2, 3, 4, 5, 6};
  batches.push_back(first);
  batches.back().box = {};
  Log log;
  ASSERT_TRUE(wmo::place(document, placement_of(2, 10, 0, 0), log.log));
  for (std::size_t axis = 0; axis < 3; ++axis) {
    float least = 1e9F;
    float most = -1e9F;
    for (std::size_t i = first.first_vertex; i <= first.last_vertex; ++i) {
      least = std::min(least, corners[i].at(axis));
      most = std::max(most, corners[i].at(axis));
    }
    EXPECT_EQ(batches.at(0).box.at(axis), std::floor(least)) << axis;
    EXPECT_EQ(batches.at(0).box.at(axis + 3), std::ceil(most)) << axis;
  }
  EXPECT_EQ(batches.at(1).box, (decltype(first.box){12, 4, 6, 18, 10, 12}));
  EXPECT_EQ(batches.back().box, decltype(first.box){});
}

TEST(WmoEdit, OnlyPlanesOfTheTreeHaveAPlace) {
  wmo::Document document = house();
  auto& nodes = wmo::chunk_in<wmo::BspNodes>(wmo::group_of(document, 0).chunks, FourCC{"MOBN"}).items;
  nodes.resize(3);
  nodes.at(0).flags = 1;
  nodes.at(1).flags = wmo::BspNode::kLeaf;
  nodes.at(2).flags = 3;  // no axis
  for (auto& node : nodes) {
    node.distance = 5;
  }
  Log log;
  ASSERT_TRUE(wmo::place(document, placement_of(2, 1, 7, 3), log.log));
  EXPECT_EQ(nodes.at(0).distance, 17);
  EXPECT_EQ(nodes.at(1).distance, 5);
  EXPECT_EQ(nodes.at(2).distance, 5);
}

TEST(WmoEdit, TextsKeepTheirFill) {
  constexpr std::string_view kTexts("\0\0\0\0aa.blp\0\0bbbb.blp\0\0\0\0cc\0\0\0\0\0\0", 32);
  wmo::Document document = house();
  auto& text = wmo::chunk_in<wmo::Strings>(wmo::root_of(document), FourCC{"MOTX"}).text;
  auto& materials = wmo::chunk_in<wmo::Materials>(wmo::root_of(document), FourCC{"MOMT"}).items;
  text.assign(kTexts.begin(), kTexts.end());
  materials.resize(3);
  materials[0].texture1 = 4;
  materials[0].texture2 = 0;    // nothing
  materials[1].texture1 = 12;   // the second text
  materials[1].texture2 = 11;   // the end of the first one's fill
  materials[2].texture1 = 13;   // within the second
  materials[2].texture2 = 100;  // nowhere
  Log log;
  ASSERT_TRUE(wmo::repath(document, "aa.blp", "longer.blp", log.log));
  EXPECT_EQ(std::string_view(text.data(), text.size()),
            std::string_view("\0\0\0\0longer.blp\0\0bbbb.blp\0\0\0\0cc\0\0\0\0\0\0", 36));
  EXPECT_EQ(materials[0].texture1, 4U);
  EXPECT_EQ(materials[0].texture2, 0U);
  EXPECT_EQ(materials[1].texture1, 16U);
  EXPECT_EQ(materials[1].texture2, 15U);
  EXPECT_EQ(materials[2].texture1, 17U);
  EXPECT_EQ(materials[2].texture2, 100U);
  // The last has four bytes more than it needs, which it keeps.
  ASSERT_TRUE(wmo::repath(document, "cc", "ccc.blp", log.log));
  EXPECT_EQ(text.size(), 40U);
  // A text with no padding but its NUL gets some when it becomes longer.
  constexpr std::string_view kFits("\0\0\0\0abc\0dd\0\0", 12);
  text.assign(kFits.begin(), kFits.end());
  ASSERT_TRUE(wmo::repath(document, "abc", "abcde", log.log));
  EXPECT_EQ(std::string_view(text.data(), text.size()), std::string_view("\0\0\0\0abcde\0\0\0dd\0\0", 16));
  // Where one is not aligned, none is.
  text.assign(kTexts.begin() + 3, kTexts.end());
  ASSERT_TRUE(wmo::repath(document, "aa.blp", "aaa.blp", log.log));
  EXPECT_EQ(text.size(), kTexts.size() - 3 + 1);
}

TEST(WmoEdit, AMovedLiquidIsHigherWhereItIsSeen) {
  wmo::Document document = house();
  wmo::Liquid* liquid = nullptr;
  for (std::size_t i = 0; i < document.groups().size() && liquid == nullptr; ++i) {
    if (auto* list = wmo::group_of(document, i).find<wmo::Liquids>(FourCC{"MLIQ"})) {
      liquid = &list->items.front();
    }
  }
  ASSERT_NE(liquid, nullptr);
  std::fill(liquid->tiles.begin(), liquid->tiles.end(), wmo::Liquid::kNone);
  liquid->tiles.data()[liquid->tiles.size() - 1] = 0;  // south-west, with the corners around it
  for (auto& vertex : liquid->vertices) {
    vertex.height = 1;
  }
  Log log;
  ASSERT_TRUE(wmo::place(document, placement_of(1, 0, 0, 2), log.log));
  for (std::int32_t y = 0; y < liquid->y_vertices; ++y) {
    for (std::int32_t x = 0; x < liquid->x_vertices; ++x) {
      const bool wet = x >= liquid->x_tiles - 1 && y >= liquid->y_tiles - 1;
      EXPECT_EQ(liquid->vertices[static_cast<std::size_t>(y * liquid->x_vertices + x)].height, wet ? 3 : 1)
          << x << " " << y;
    }
  }
}

TEST(WmoEdit, APortalKeepsTheSignThatItHad) {
  for (const float sign : {1.0F, -1.0F}) {
    wmo::Document document = house();
    auto& portals = wmo::chunk_in<wmo::Portals>(wmo::root_of(document), FourCC{"MOPT"}).items;
    for (auto& portal : portals) {
      portal.distance *= sign;
    }
    Log log;
    ASSERT_TRUE(wmo::place(document, placement_of(2, 8, -4, 2), log.log));
    const auto& corners = wmo::chunk_in<wmo::Points>(wmo::root_of(document), FourCC{"MOPV"}).items;
    for (const auto& portal : portals) {
      ASSERT_NE(portal.distance, 0);
      float at = 0;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        at += portal.normal.at(axis) * corners[portal.first_vertex].at(axis);
      }
      EXPECT_NEAR(at + sign * portal.distance, 0, 1e-3) << sign;
    }
  }
}

TEST(WmoEdit, WhatIsNotCertainIsReported) {
  const auto reported = [](wmo::Document document, const Placement& placement) {
    Log log;
    EXPECT_TRUE(wmo::place(document, placement, log.log));
    return log.has(codes::kEditInexact);
  };
  wmo::Document document = house();
  ASSERT_FALSE(reported(document, placement_of(1, 3, 0, 0)));
  wmo::root_of(document).push_back({FourCC{"MCVP"}, wmo::Planes{}, {}, {}});
  EXPECT_FALSE(reported(document, placement_of(1, 3, 0, 0))) << "no planes";
  std::get<wmo::Planes>(wmo::root_of(document).back().body).items.push_back({0, 0, 1, 4});
  EXPECT_TRUE(reported(document, placement_of(1, 3, 0, 0)));
  Log log;
  for (const std::size_t axis : {0U, 1U, 2U}) {
    wmo::Document moved = document;
    auto& plane = std::get<wmo::Planes>(wmo::root_of(moved).back().body).items.at(0);
    plane = {0, 0, 0, 4};
    plane.at(axis) = 1;
    EXPECT_TRUE(wmo::place(moved, placement_of(2, 1, 2, 3), log.log));
    EXPECT_EQ(plane[3], 8 - static_cast<float>(axis + 1));
  }
  EXPECT_FALSE(reported(document, placement_of(2, 0, 0, 0)))
      << "whatever they are for, they are twice as far";

  auto later = wmo::to_later(house(), {});
  ASSERT_TRUE(later);
  EXPECT_TRUE(reported(later->root, placement_of(1, 3, 0, 0))) << "its groups are files of their own";
  const auto box_of = [](const wmo::Document& root) { return root.find<wmo::Header>(FourCC{"MOHD"})->box; };
  wmo::Document moved = later->root;
  ASSERT_TRUE(wmo::place(moved, placement_of(1, 3, 0, 0), log.log));
  EXPECT_FLOAT_EQ(box_of(moved).minimum[0], box_of(later->root).minimum[0] + 3);
  EXPECT_FLOAT_EQ(box_of(moved).maximum[0], box_of(later->root).maximum[0] + 3);
  wmo::chunk_in<wmo::Header>(later->root.chunks, FourCC{"MOHD"}).group_count = 0;
  EXPECT_FALSE(reported(later->root, placement_of(1, 3, 0, 0)));
}

TEST(WmoEdit, WhatCannotBeIsRefused) {
  wmo::Document document = house();
  Log log;
  Placement turned;
  turned.turn = {0, 0, 1, 0};
  EXPECT_EQ(wmo::place(document, turned, log.log).error().code.id, codes::kEditRefused.id);
  EXPECT_EQ(wmo::place(document, placement_of(1e6, 0, 0, 0), log.log).error().code.id,
            codes::kEditRefused.id);
}

TEST(WmoEdit, ARealBuilding) {
  THAW_REQUIRE_CORPUS("alpha");
  for (const char* name : {"trolltent.wmo", "trolltent_000.wmo"}) {
    const auto before = wmo::load_document(test::corpus_dir() / wmo::kFixtures / name);
    expect_there_and_back(before, wmo::place);
    wmo::Document document = before;
    Log log;
    ASSERT_TRUE(wmo::place(document, placement_of(3, 100, 0, 0), log.log));
    EXPECT_LE(warnings(document), warnings(before)) << name;
    ASSERT_TRUE(wmo::repath(document, "*", "a\\longer\\path\\*", log.log));
    ASSERT_TRUE(wmo::repath(document, "a\\longer\\path\\*", "*", log.log));
    ASSERT_TRUE(wmo::place(document, placement_of(1, -100, 0, 0), log.log));
    wmo::Document other = before;
    ASSERT_TRUE(wmo::place(other, placement_of(3, 0, 0, 0), log.log));
    if (document.find<wmo::Strings>(FourCC{"MOTX"}) != nullptr) {
      EXPECT_EQ(document.find<wmo::Strings>(FourCC{"MOTX"})->text,
                before.find<wmo::Strings>(FourCC{"MOTX"})->text);
      EXPECT_EQ(textures_of(document), textures_of(before));
    }
  }
}

}  // namespace
}  // namespace thaw
