// A model that is turned, scaled and moved shows, at every moment, what it showed, there.

#include <gtest/gtest.h>
#include <thaw/codes.hpp>
#include <thaw/mdx.hpp>

#include "formats/warcraft/mdx/poses.hpp"
#include "support/effort.hpp"
#include "support/files.hpp"
#include "support/mdx_objects.hpp"
#include "support/mdx_oracle.hpp"
#include "support/paths.hpp"

#include <algorithm>
#include <cmath>

namespace thaw {
namespace {

using scene::Vec3d;
using scene::Vec4d;

constexpr std::uint32_t kBillboards = mdx::node_flag::kBillboarded | mdx::node_flag::kBillboardedLockX |
                                      mdx::node_flag::kBillboardedLockY | mdx::node_flag::kBillboardedLockZ;

Placement askew() {
  Placement placement;
  placement.turn = scene::normalized(Vec4d{0.2, -0.5, 0.3, 0.8});
  placement.scale = 2.5;
  placement.move = {10, -20, 30};
  return placement;
}
Placement upright() {
  Placement placement = askew();
  placement.turn = {0, 0, std::sqrt(0.5), std::sqrt(0.5)};  // a quarter
  return placement;
}
Placement straight() {
  Placement placement = askew();
  placement.turn = {0, 0, 0, 1};
  return placement;
}

Vec3d turned(const Placement& placement, const Vec3d& v) {
  return scene::transform_point(scene::compose({}, placement.turn, {1, 1, 1}), v);
}
Vec3d placed(const Placement& placement, const Vec3d& v) {
  return scene::add(scene::scaled(turned(placement, v), placement.scale), placement.move);
}

Diagnostics place(mdx::Document& document, const Placement& placement) {
  Diagnostics findings;
  EditLog log{{}, findings};
  mdx::place(document, placement, log);
  return findings;
}

bool has(const mdx::Document& document, std::uint32_t flags) {
  const auto flagged = [&](const auto& items) {
    return std::any_of(items.begin(), items.end(),
                       [&](const auto* item) { return (item->node.flags & flags) != 0; });
  };
  return flagged(document.all<mdx::Bones>()) || flagged(document.all<mdx::Helpers>());
}

/// The farthest that a vertex is from where it belongs, as a share of the model's size.
double worst_vertex(const mdx::Document& before, const mdx::Document& after, const Placement& placement) {
  const test::MdxOracle was(before);
  const test::MdxOracle is(after);
  double worst = 0;
  const std::size_t count = std::min<std::size_t>(was.sequences(), 5);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t sequence = i * was.sequences() / count;
    const test::Moment moment{static_cast<int>(sequence), was.duration(sequence) * 0.37, 118.3};
    const auto a = was.positions(moment);
    const auto b = is.positions(moment);
    for (std::size_t geoset = 0; geoset < a.size(); ++geoset) {
      for (std::size_t v = 0; v < a[geoset].size(); ++v) {
        const double off = scene::length(scene::subtract(placed(placement, a[geoset][v]), b[geoset][v]));
        worst = std::max(worst, std::isnan(off) ? 1 : off);
      }
    }
  }
  return worst / (was.size() * placement.scale);
}

bool scales_unlike_by_axis(const mdx::Document& document) {
  mdx::Document copy = document;
  Placement slightly;
  slightly.turn = scene::normalized(Vec4d{0.1, 0.2, 0.3, 1});
  const auto findings = place(copy, slightly);
  return std::any_of(findings.items().begin(), findings.items().end(), [](const Diagnostic& finding) {
    return finding.message.find("nonuniform") != std::string::npos;
  });
}

void expect_placed(const mdx::Document& before, const std::string& name) {
  for (const Placement& placement : {straight(), upright(), askew()}) {
    const bool askew_scales = placement.turn[0] != 0 && scales_unlike_by_axis(before);
    const bool turns_billboards = placement.turn[3] != 1 && has(before, kBillboards);
    if (askew_scales || turns_billboards) {
      continue;
    }
    mdx::Document document = before;
    place(document, placement);
    EXPECT_LT(worst_vertex(before, document, placement), 2e-5) << name;
  }
}

TEST(MdxPlace, VerticesAreWhereTheyBelongAtEveryMoment) {
  for (const auto& file : test::warcraft_samples()) {
    const auto document = mdx::read(test::load(file));
    ASSERT_TRUE(document);
    expect_placed(*document, file.filename().string());
  }
}

TEST(MdxPlace, OfRealModelsToo) {
  THAW_REQUIRE_CORPUS("wc3");
  const auto files = test::files_below(test::corpus_dir() / "wc3", ".mdx");
  const std::size_t step = 60 * test::one_in();
  for (std::size_t i = 0; i < files.size(); i += step) {
    const auto document = mdx::read(test::load(files[i]));
    if (document && !document->all<mdx::Geosets>().empty()) {
      expect_placed(*document, files[i].filename().string());
    }
  }
}

Vec3d up(const Vec3d& v) { return {v[0], v[2], -v[1]}; }

/// Particles fly and what hangs is held in the node's own frame, which has to turn.
std::size_t expect_turned_frames(const mdx::Document& before, const Placement& placement) {
  mdx::Document after = before;
  place(after, placement);
  const mdx::Poses was(before, 24);
  const mdx::Poses is(after, 24);
  std::size_t looked = 0;
  const auto look = [&](const auto& items) {
    for (const auto* item : items) {
      const auto node = was.node(item->node.object_id);
      for (std::size_t moment = 0; moment < was.moments(); ++moment) {
        const scene::Mat4d& a = was.matrix(moment, node);
        const scene::Mat4d& b = is.matrix(moment, node);
        for (std::size_t axis = 0; axis < 3; ++axis) {
          const Vec3d old{a[axis * 4], -a[axis * 4 + 2], a[axis * 4 + 1]};  // Z up
          const Vec3d requested = up(turned(placement, old));
          for (std::size_t i = 0; i < 3; ++i) {
            EXPECT_NEAR(b[axis * 4 + i], requested.at(i), 1e-4) << item->node.name.view();
          }
        }
        ++looked;
      }
    }
  };
  look(before.all<mdx::Attachments>());
  look(before.all<mdx::RibbonEmitters>());
  look(before.all<mdx::ParticleEmitters>());
  look(before.all<mdx::ParticleEmitters2>());
  return looked;
}

TEST(MdxPlace, FramesOfEmittersAndAttachmentsTurn) {
  std::size_t looked = 0;
  for (const auto& file : test::warcraft_samples()) {
    auto document = *mdx::read(test::load(file));
    for (auto& bone : document.find<mdx::Bones>()->items) {
      bone.node.flags &= ~kBillboards;
    }
    if (!has(document, kBillboards)) {
      looked += expect_turned_frames(document, upright());
    }
  }
  EXPECT_GT(looked, 0U);
}

mdx::Document with_bone(std::uint32_t flags, mdx::Tracks tracks) {
  mdx::Document document;
  mdx::Sequences sequences;
  sequences.items.resize(1);
  sequences.items[0].end = 1000;
  sequences.items[0].move_speed = 100;
  sequences.items[0].extent = {50, {-1, -2, -3}, {1, 2, 3}};
  mdx::Bones bones;
  bones.items.push_back({test::make_node("Bone", 0, -1, std::move(tracks))});
  bones.items[0].node.flags |= flags;
  mdx::Geosets geosets;
  geosets.items.resize(1);
  auto& geoset = geosets.items[0];
  geoset.positions = {{12, 0, 0}, {10, 3, 0}};
  geoset.normals = {{1, 0, 0}, {0, 1, 0}};
  geoset.vertex_groups = {0, 0};
  geoset.matrix_groups = {1};
  geoset.matrix_indices = {0};
  document.chunks.push_back({FourCC{"SEQS"}, sequences, {}, {}});
  document.chunks.push_back({FourCC{"GEOS"}, geosets, {}, {}});
  document.chunks.push_back({FourCC{"BONE"}, bones, {}, {}});
  document.chunks.push_back({FourCC{"PIVT"}, mdx::Pivots{{{10, 0, 0}}}, {}, {}});
  return document;
}

TEST(MdxPlace, WhatABillboardShowsFacesTheViewerAsBefore) {
  mdx::Document document = with_bone(mdx::node_flag::kBillboarded, {});
  place(document, upright());
  const auto& positions = document.find<mdx::Geosets>()->items[0].positions;
  EXPECT_EQ(document.find<mdx::Pivots>()->points[0], (Vec3{10, 5, 30}));  // 10, 0, 0 by a quarter, 2.5 times
  EXPECT_EQ(positions[0], (Vec3{15, 5, 30}));                             // still to the right of its pivot
  EXPECT_EQ(positions[1], (Vec3{10, 12.5, 30}));
  EXPECT_EQ(document.find<mdx::Geosets>()->items[0].normals[0], (Vec3{1, 0, 0}));
  EXPECT_TRUE(document.find<mdx::Bones>()->items[0].node.tracks.empty());
}

TEST(MdxPlace, ScalesGoWithTheirAxes) {
  const auto track = test::make_track("KGSC", mdx::Interpolation::linear, {{0, {1, 2, 3}}});
  mdx::Document document = with_bone(0, {track});
  EXPECT_TRUE(place(document, upright()).items().empty());
  const auto& scaling = document.find<mdx::Bones>()->items[0].node.tracks[0];
  EXPECT_EQ(scaling.value(0)[0], 2);
  EXPECT_EQ(scaling.value(0)[1], 1);
  EXPECT_EQ(scaling.value(0)[2], 3);
  document = with_bone(0, {track});
  const auto findings = place(document, askew());
  ASSERT_EQ(findings.items().size(), 1U);
  EXPECT_EQ(findings.items()[0].code.id, codes::kEditInexact.id);
}

TEST(MdxPlace, BoundsSpeedAndShapesGoAlong) {
  mdx::Document document = with_bone(0, {});
  mdx::CollisionShapes shapes;
  shapes.items.resize(3);
  shapes.items[0].node = test::make_node("Box", 1);
  shapes.items[0].payload = {-1, -2, -3, 1, 2, 3};
  shapes.items[1].node = test::make_node("Sphere", 2);
  shapes.items[1].type = mdx::CollisionShape::Type::sphere;
  shapes.items[1].payload = {1, 0, 0, 7};
  shapes.items[2].node = test::make_node("Cylinder", 3);
  shapes.items[2].type = mdx::CollisionShape::Type::plane;
  shapes.items[2].payload = {0, 0, 0, 4, 6};
  document.chunks.push_back({FourCC{"CLID"}, shapes, {}, {}});
  place(document, upright());
  const auto& sequence = document.find<mdx::Sequences>()->items[0];
  EXPECT_EQ(sequence.move_speed, 250);
  EXPECT_EQ(sequence.extent.minimum, (Vec3{5, -22.5, 22.5}));
  EXPECT_EQ(sequence.extent.maximum, (Vec3{15, -17.5, 37.5}));
  const auto& made = document.find<mdx::CollisionShapes>()->items;
  EXPECT_EQ(made[0].payload, (Array<float>{5, -22.5, 22.5, 15, -17.5, 37.5}));
  EXPECT_TRUE(made[0].node.tracks.empty());
  EXPECT_EQ(made[1].payload, (Array<float>{10, -17.5, 30, 17.5}));
  EXPECT_EQ(made[2].payload, (Array<float>{10, -20, 30, 10, 15}));
}

TEST(MdxPlace, BindPosesSayWhereNodesAre) {
  mdx::Document document = *mdx::read(test::load(test::samples_dir() / "everything_v1800.mdx"));
  const mdx::Document before = document;
  ASSERT_NE(before.find<mdx::BindPoses>(), nullptr);
  place(document, askew());
  const auto& was = before.find<mdx::BindPoses>()->poses;
  const auto& is = document.find<mdx::BindPoses>()->poses;
  ASSERT_EQ(was.size(), is.size());
  for (std::size_t i = 0; i < was.size(); ++i) {
    const Vec3d at = placed(askew(), {double{was[i][9]}, double{was[i][10]}, double{was[i][11]}});
    for (std::size_t axis = 0; axis < 3; ++axis) {
      EXPECT_NEAR(is[i].at(9 + axis), at.at(axis), 1e-3);
    }
  }
}

TEST(MdxPlace, ThereAndBackIsTheSameModelButForRounding) {
  const auto before = mdx::read(test::load(test::samples_dir() / "knight.mdx"));
  ASSERT_TRUE(before);
  mdx::Document document = *before;
  Placement there;
  there.scale = 4;
  Placement back;
  back.scale = 0.25;
  place(document, there);
  EXPECT_NE(document, *before);
  EXPECT_EQ(document.find<mdx::Sequences>()->items[1].move_speed,
            before->find<mdx::Sequences>()->items[1].move_speed * 4);
  place(document, back);
  EXPECT_EQ(document, *before);
  place(document, Placement());
  EXPECT_EQ(document, *before);
}

}  // namespace
}  // namespace thaw
