// Models of Warcraft III as the alpha has them, and back again.
#include <thaw/format.hpp>
#include <thaw/mdx.hpp>
#include <thaw/mdx_alpha.hpp>
#include <thaw/validate.hpp>

#include "scene/math.hpp"
#include "support/files.hpp"
#include "support/paths.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace thaw::mdx_alpha {
namespace {

mdx::Document model(const char* name) {
  const auto read = mdx::read(test::load(test::samples_dir() / name));
  EXPECT_TRUE(read);
  return read ? *read : mdx::Document{};
}

Document alpha_of(const mdx::Document& warcraft, Diagnostics& findings = Diagnostics::discarded()) {
  return from_warcraft(warcraft, findings);
}

bool has(const Diagnostics& findings, const Code& code, std::string_view words) {
  const auto& items = findings.items();
  return std::any_of(items.begin(), items.end(), [&](const auto& finding) {
    return finding.code == code && finding.message.find(words) != std::string::npos;
  });
}

void expect_sound(const Document& document) {
  const Bytes bytes = write(document);
  ReadOptions strict;
  strict.strict = true;
  const auto again = read(bytes, strict);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(write(*again), bytes);
  const auto any = read_any(bytes);
  ASSERT_TRUE(any);
  const auto wrong = validate(*any);
  for (const auto& finding : wrong.items()) {
    if (finding.code.severity != Severity::info) {
      ADD_FAILURE() << finding.code.id << " " << finding.path << " " << finding.message;
    }
  }
}

TEST(AlphaFromWarcraft, WhatIsMadeIsSound) {
  for (const char* name : {"knight.mdx", "everything_v800.mdx"}) {
    SCOPED_TRACE(name);
    expect_sound(alpha_of(model(name)));
  }
}

TEST(AlphaFromWarcraft, ObjectsAreNumberedInTheClientsOrder) {
  const mdx::Document warcraft = model("everything_v800.mdx");
  const Document alpha = alpha_of(warcraft);
  const auto nodes = all_nodes(alpha);
  const auto* pivots = alpha.find<Pivots>();
  const auto* old = warcraft.find<mdx::Pivots>();
  ASSERT_EQ(nodes.size(), pivots->points.size());
  EXPECT_EQ(alpha.find<Model>()->object_count, nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    EXPECT_EQ(nodes[i].node->object_id, static_cast<std::int32_t>(i));
  }
  // A node keeps its pivot and its parent, whatever their numbers are.
  const auto helpers = warcraft.all<mdx::Helpers>();
  const auto ours = alpha.all<Helpers>();
  ASSERT_EQ(helpers.size(), ours.size());
  for (std::size_t i = 0; i < helpers.size(); ++i) {
    EXPECT_EQ(pivots->points[static_cast<std::size_t>(ours[i]->node.object_id)],
              old->points[static_cast<std::size_t>(helpers[i]->node.object_id)]);
  }
}

TEST(AlphaFromWarcraft, TheWayBackSaysTheSame) {
  const mdx::Document warcraft = model("knight.mdx");
  const mdx::Document back = to_warcraft(alpha_of(warcraft));
  const auto before = warcraft.all<mdx::Geosets>();
  const auto after = back.all<mdx::Geosets>();
  ASSERT_EQ(before.size(), after.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_EQ(before[i]->positions, after[i]->positions);
    EXPECT_EQ(before[i]->normals, after[i]->normals);
    EXPECT_EQ(before[i]->indices, after[i]->indices);
    EXPECT_EQ(before[i]->vertex_groups, after[i]->vertex_groups);
    EXPECT_EQ(before[i]->uv_sets, after[i]->uv_sets);
    EXPECT_EQ(before[i]->sequence_extents, after[i]->sequence_extents);
  }
  const auto sequences = warcraft.all<mdx::Sequences>();
  const auto again = back.all<mdx::Sequences>();
  ASSERT_EQ(sequences.size(), again.size());
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    EXPECT_EQ(sequences[i]->name, again[i]->name);
    EXPECT_EQ(sequences[i]->start, again[i]->start);
    EXPECT_EQ(sequences[i]->end, again[i]->end);
  }
  // Rotations are packed: within half a step, which is 2^-20.
  const auto bones = warcraft.all<mdx::Bones>();
  const auto packed = back.all<mdx::Bones>();
  ASSERT_EQ(bones.size(), packed.size());
  std::size_t keys = 0;
  double worst = 0;
  for (std::size_t i = 0; i < bones.size(); ++i) {
    EXPECT_EQ(bones[i]->node.name, packed[i]->node.name);
    const auto* track = mdx::find_track(bones[i]->node.tracks, FourCC{"KGRT"});
    const auto* other = mdx::find_track(packed[i]->node.tracks, FourCC{"KGRT"});
    ASSERT_EQ(track == nullptr, other == nullptr);
    for (std::size_t key = 0; track != nullptr && key < track->size(); ++key) {
      EXPECT_EQ(track->frame(key), other->frame(key));
      worst = std::max(worst, scene::rotation_angle(scene::normalized(scene::widen(track->value(key))),
                                                    scene::normalized(scene::widen(other->value(key)))));
      ++keys;
    }
  }
  EXPECT_GT(keys, 50U);
  EXPECT_LT(worst, 3e-3);  // where w is near 0 the square root of a step is left of it
}

TEST(AlphaFromWarcraft, BonesAreListedForSortedVertices) {
  const Document alpha = alpha_of(model("knight.mdx"));
  for (const auto* geoset : alpha.all<Geosets>()) {
    Array<std::uint8_t> sorted = geoset->vertex_groups;
    std::sort(sorted.begin(), sorted.end());
    ASSERT_EQ(geoset->bone_indices.size(), sorted.size());
    ASSERT_EQ(geoset->bone_weights.size(), sorted.size());
    for (std::size_t v = 0; v < sorted.size(); ++v) {
      std::size_t first = 0;
      for (std::size_t g = 0; g < sorted[v]; ++g) {
        first += geoset->matrix_groups[g];
      }
      const std::size_t count = std::min<std::size_t>(geoset->matrix_groups[sorted[v]], 4);
      unsigned sum = 0;
      for (std::size_t i = 0; i < 4; ++i) {
        const unsigned bone = geoset->bone_indices[v] >> (8 * i) & 0xFFU;
        const unsigned weight = geoset->bone_weights[v] >> (24 - 8 * i) & 0xFFU;
        sum += weight;
        EXPECT_EQ(bone, i < count ? geoset->matrix_indices[first + i] : 0U);
        EXPECT_EQ(weight == 0, i >= count);
      }
      EXPECT_EQ(sum, 255U);
    }
  }
}

TEST(AlphaFromWarcraft, FrequenciesOfAKindSumToOne) {
  mdx::Document warcraft;
  mdx::Sequences list;
  for (const char* name : {"Stand", "Stand - 2", "Walk"}) {
    mdx::Sequence sequence;
    sequence.name = FixedText<80>(name);
    list.items.push_back(sequence);
  }
  list.items[1].rarity = 3;
  warcraft.chunks.push_back({FourCC{"SEQS"}, std::move(list), {}, {}});
  const auto sequences = alpha_of(warcraft).find<Sequences>()->items;
  EXPECT_FLOAT_EQ(sequences[0].frequency, 0.8F);
  EXPECT_FLOAT_EQ(sequences[1].frequency, 0.2F);
  EXPECT_FLOAT_EQ(sequences[2].frequency, 1.0F);
}

TEST(AlphaFromWarcraft, ThingsCollideWithABox) {
  const Document alpha = alpha_of(model("everything_v800.mdx"));
  const auto* mesh = alpha.find<CollisionMesh>();
  ASSERT_NE(mesh, nullptr);
  ASSERT_EQ(mesh->indices.size(), 36U);
  ASSERT_EQ(mesh->normals.size(), 12U);
  for (std::size_t i = 0; i < 12; ++i) {
    const auto at = [&](std::size_t corner) {
      return scene::widen(mesh->positions[mesh->indices[i * 3 + corner]]);
    };
    const auto normal = scene::cross(scene::subtract(at(1), at(0)), scene::subtract(at(2), at(0)));
    EXPECT_GT(scene::dot(normal, scene::widen(mesh->normals[i])), 0);
  }
}

TEST(AlphaFromWarcraft, ShapesOfTheCommunityBecomeThoseOfTheEngine) {
  mdx::Document warcraft;
  mdx::CollisionShapes shapes;
  const auto add = [&](mdx::CollisionShape::Type type, std::initializer_list<float> payload) {
    auto& shape = shapes.items.emplace_back();
    shape.node.object_id = static_cast<std::int32_t>(shapes.items.size()) - 1;
    shape.type = type;
    shape.payload.assign(payload.begin(), payload.end());
  };
  add(mdx::CollisionShape::Type::cylinder, {0, 0, 1, 0, 0, 5, 2});
  add(mdx::CollisionShape::Type::plane, {-1, -2, 0, 1, 2, 0});
  add(mdx::CollisionShape::Type::sphere, {1, 2, 3, 4});
  warcraft.chunks.push_back({FourCC{"CLID"}, std::move(shapes), {}, {}});
  const Document alpha = alpha_of(warcraft);
  const auto hits = alpha.all<HitTests>();
  ASSERT_EQ(hits.size(), 3U);
  EXPECT_EQ(hits[0]->shape, HitTest::Shape::cylinder);
  EXPECT_EQ(hits[0]->payload, (Array<float>{0, 0, 1, 4, 2}));
  EXPECT_EQ(hits[1]->shape, HitTest::Shape::plane);
  EXPECT_EQ(hits[1]->payload, (Array<float>{2, 4}));
  EXPECT_EQ(hits[2]->shape, HitTest::Shape::sphere);
}

TEST(AlphaFromWarcraft, WhatIsLostIsReported) {
  Diagnostics findings;
  alpha_of(model("everything_v800.mdx"), findings);
  EXPECT_TRUE(has(findings, codes::kConvertTexture, "replaceable id"));
  EXPECT_TRUE(has(findings, codes::kConvertField, "the target game does not use it"));
  EXPECT_TRUE(has(findings, codes::kConvertChunk, "collision mesh approximated"));
}

}  // namespace
}  // namespace thaw::mdx_alpha
