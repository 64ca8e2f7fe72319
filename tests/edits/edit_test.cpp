// Models of other games renamed, repathed, scaled and moved: what was asked for changes, and what they show
// goes along.

#include <gtest/gtest.h>
#include <thaw/adr_edit.hpp>
#include <thaw/edit_codes.hpp>
#include <thaw/m3_edit.hpp>
#include <thaw/mrn_edit.hpp>
#include <thaw/validate.hpp>
#include <thaw/wmo_edit.hpp>
#include <thaw/wmo_scene.hpp>

#include "m3/sample.hpp"
#include "support/files.hpp"
#include "support/paths.hpp"
#include "wmo/files.hpp"

#include <algorithm>
#include <cmath>

namespace thaw {
namespace {

struct Log {
  Diagnostics findings;
  EditLog log{{}, findings};

  [[nodiscard]] bool has(const Code& code) const {
    return std::any_of(findings.items().begin(), findings.items().end(),
                       [&](const Diagnostic& finding) { return finding.code.id == code.id; });
  }
};

/// What the rules find in the file.
template <class Document>
std::size_t warnings(const Document& document) {
  const auto any = read_any(write(document));
  EXPECT_TRUE(any);
  return any ? validate(*any).count(Severity::warning) : 0;
}

Placement placement_of(double scale, double x, double y, double z) {
  Placement placement;
  placement.scale = scale;
  placement.move = {x, y, z};
  return placement;
}

/// Halves and wholes, so that there and back is the same to the bit.
constexpr std::array<double, 3> kMove = {8, -4, 2};

template <class Document>
void expect_there_and_back(const Document& before,
                           Result<void> (*place)(Document&, const Placement&, EditLog&)) {
  Document document = before;
  Log log;
  ASSERT_TRUE(place(document, placement_of(2, 0, 0, 0), log.log));
  EXPECT_FALSE(document == before);
  ASSERT_TRUE(place(document, placement_of(0.5, 0, 0, 0), log.log));
  EXPECT_TRUE(document == before);
  EXPECT_EQ(log.log.changes.size(), 2U);
}

// --- M3

TEST(M3Edit, NumbersOfPicturesAreItsPaths) {
  const m3::Document before = m3::sample();
  m3::Document document = before;
  Log log;
  ASSERT_TRUE(m3::repath(document, "9001*", "77*", log.log));
  EXPECT_EQ(log.log.changes.size(), 2U);
  EXPECT_EQ(document.find<m3::Materials>()->instances[0].sampler_textures.back(), 7700);
  ASSERT_TRUE(m3::repath(document, "77*", "9001*", log.log));
  EXPECT_EQ(document, before);
  EXPECT_TRUE(log.findings.items().empty());
  ASSERT_TRUE(m3::repath(document, "textures\\*", "x*", log.log));
  EXPECT_TRUE(log.has(codes::kEditNothing));
  const auto refused = m3::repath(document, "900100", "house.blp", log.log);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code.id, codes::kEditRefused.id);
  EXPECT_EQ(document, before);
}

Array<float> numbers(const m3::Document& document, FourCC tag) {
  return decode(*document.find<m3::Mesh>()->find<m3::Buffer>(tag), m3::Range::as_stored);
}

TEST(M3Edit, AllThatHasAPlaceGoesAlong) {
  for (const unsigned version : {2U, 3U, 4U}) {
    const m3::Document before = m3::sample(version);
    expect_there_and_back(before, m3::place);
    m3::Document document = before;
    Log log;
    ASSERT_TRUE(m3::place(document, placement_of(2, kMove[0], kMove[1], kMove[2]), log.log));
    const auto was = numbers(before, FourCC{"VPOS"});
    const auto is = numbers(document, FourCC{"VPOS"});
    ASSERT_EQ(was.size(), is.size());
    for (std::size_t i = 0; i < was.size(); ++i) {
      EXPECT_FLOAT_EQ(is[i], was[i] * 2 + static_cast<float>(kMove.at(i % 3)));
    }
    EXPECT_EQ(numbers(before, FourCC{"VNML"}), numbers(document, FourCC{"VNML"}));
    const auto& box = document.find<m3::ModelHeader>()->box;
    EXPECT_FLOAT_EQ(box.maximum[2], before.find<m3::ModelHeader>()->box.maximum[2] * 2 + 2);
    EXPECT_FLOAT_EQ(document.find<m3::ModelHeader>()->radius, before.find<m3::ModelHeader>()->radius * 2);
    EXPECT_LE(warnings(document), warnings(before));
  }
}

/// A vertex stands in its bone's frame where it stood, but for the size.
TEST(M3Edit, BindPosesTakeTheWayBack) {
  const m3::Document before = m3::sample();
  const auto poses = m3::inverse_bind_poses(*before.find<m3::Mesh>());
  ASSERT_TRUE(poses) << "the sample is made with bind poses";
  m3::Document document = before;
  Log log;
  Placement placement = placement_of(2, kMove[0], kMove[1], kMove[2]);
  placement.turn = {0, 0, 1, 0};
  ASSERT_TRUE(m3::place(document, placement, log.log));
  EXPECT_TRUE(log.has(codes::kEditInexact));
  const auto now = m3::inverse_bind_poses(*document.find<m3::Mesh>());
  ASSERT_TRUE(now);
  const auto was = numbers(before, FourCC{"VPOS"});
  const auto is = numbers(document, FourCC{"VPOS"});
  const auto in_frame = [](const std::array<float, 16>& pose, const Array<float>& points, std::size_t vertex,
                           std::size_t row) {
    return pose.at(row) * points[vertex * 3] + pose.at(4 + row) * points[vertex * 3 + 1] +
           pose.at(8 + row) * points[vertex * 3 + 2] + pose.at(12 + row);
  };
  for (std::size_t bone = 0; bone < poses->size(); ++bone) {
    for (std::size_t vertex = 0; vertex < was.size() / 3; vertex += 97) {
      for (std::size_t row = 0; row < 3; ++row) {
        EXPECT_NEAR(in_frame((*now)[bone], is, vertex, row), 2 * in_frame((*poses)[bone], was, vertex, row),
                    1e-4);
      }
    }
  }
}

// --- WMO

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

// --- Forgelight

TEST(AdrEdit, NamesOfFilesChangeInTheTextAndNothingElse) {
  const Bytes bytes = test::load(test::samples_dir() / "forgelight/Human.adr");
  auto document = xml::read(bytes).value();
  Log log;
  ASSERT_TRUE(adr::repath(document, "human_*", "Elf & \"Co\"_*", log.log));
  ASSERT_EQ(log.log.changes.size(), 3U);
  EXPECT_EQ(log.log.changes[0].path, "ActorRuntime.Base.fileName");
  const auto actor = adr::read_actor(document);
  ASSERT_TRUE(actor);
  EXPECT_EQ(actor->base.model, "Elf & \"Co\"_LOD0.dme");
  EXPECT_EQ(actor->aliases.front().texture, "Elf & \"Co\"_C.dds");
  EXPECT_EQ(actor->network, "Human.mrn");
  ASSERT_TRUE(adr::repath(document, "Elf & \"Co\"_*", "Human_*", log.log));
  EXPECT_EQ(xml::write(document), bytes);
  EXPECT_TRUE(log.findings.items().empty());
}

TEST(MrnEdit, AnimationsAreRenamedWithTheirFiles) {
  const Bytes bytes = test::load(test::samples_dir() / "forgelight/human.mrn");
  const auto before = mrn::read(bytes).value();
  mrn::Document document = before;
  const std::string name = mrn::animations(document).front().name;
  const std::string file(document.find<mrn::FileNames>()->files.text(0));
  Log log;
  ASSERT_TRUE(mrn::rename_animations(document, name, "A name that is longer", log.log));
  ASSERT_EQ(log.log.changes.size(), 1U);
  EXPECT_TRUE(log.findings.items().empty());
  ReadOptions strict;
  strict.strict = true;
  const auto again = mrn::read(mrn::write(document), strict);
  ASSERT_TRUE(again);
  EXPECT_EQ(*again, document);
  EXPECT_EQ(mrn::animations(*again).front().name, "A name that is longer");
  EXPECT_EQ(mrn::animations(*again).size(), mrn::animations(before).size());
  EXPECT_EQ(warnings(*again), warnings(before));
  ASSERT_TRUE(mrn::rename_animations(document, "a name that*", name, log.log));
  EXPECT_EQ(document.find<mrn::FileNames>()->files.text(0), file);
  EXPECT_EQ(mrn::write(document), bytes);
  ASSERT_TRUE(mrn::rename_animations(document, "none", "x", log.log));
  EXPECT_TRUE(log.has(codes::kEditNothing));
  std::erase_if(document.packets,
                [](const mrn::Packet& packet) { return packet.get_if<mrn::FileNames>() != nullptr; });
  EXPECT_EQ(mrn::rename_animations(document, "*", "x", log.log).error().code.id, codes::kEditRefused.id);
}

}  // namespace
}  // namespace thaw
