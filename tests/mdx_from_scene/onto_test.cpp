#include "formats/warcraft/mdx/from_scene/onto_surface.hpp"
#include "formats/warcraft/mdx/from_scene/onto_tracks.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace thaw::mdx {
namespace {

const ObjectNames kNames = {{0, "Root"}, {1, "Hand"}};

/// A strip of squares along X, with bone 0 on the left and bone 1 on the right.
Geoset strip() {
  Geoset geoset;
  constexpr std::uint16_t kColumns = 4;
  geoset.uv_sets.resize(1);
  for (std::uint16_t x = 0; x < kColumns; ++x) {
    for (const float y : {0.0F, 10.0F}) {
      geoset.positions.push_back({static_cast<float>(x) * 10, y, 0});
      geoset.normals.push_back({0, 0, 1});
      geoset.uv_sets[0].coordinates.push_back({static_cast<float>(x) / 4, y / 10});
      geoset.vertex_groups.push_back(x < 2 ? 0 : 1);
    }
    if (x > 0) {
      const auto at = static_cast<std::uint16_t>(2 * x);
      for (const int corner : {-2, 0, -1, -1, 0, 1}) {
        geoset.indices.push_back(static_cast<std::uint16_t>(at + corner));
      }
    }
  }
  geoset.matrix_groups = {1, 1};
  geoset.matrix_indices = {0, 1};
  geoset.primitive_types = {PrimitiveType::triangles};
  geoset.primitive_counts = {static_cast<std::uint32_t>(geoset.indices.size())};
  return geoset;
}

/// Each corner a vertex of its own, in reverse order of the triangles, a little off: as programs write.
Geoset shuffled(const Geoset& from) {
  Geoset result = from;
  result.positions.clear();
  result.normals.clear();
  result.vertex_groups.clear();
  result.uv_sets[0].coordinates.clear();
  result.indices.clear();
  for (std::size_t face = from.indices.size(); face > 0; face -= 3) {
    for (std::size_t corner = 0; corner < 3; ++corner) {
      const std::uint16_t vertex = from.indices[face - 3 + (corner + 1) % 3];
      const Vec3& p = from.positions[vertex];
      result.indices.push_back(static_cast<std::uint16_t>(result.positions.size()));
      result.positions.push_back({p[0] + 2e-6F, p[1], p[2] - 2e-6F});
      result.normals.push_back({1e-4F, 0, 1});
      result.vertex_groups.push_back(from.vertex_groups[vertex]);
      result.uv_sets[0].coordinates.push_back(from.uv_sets[0].coordinates[vertex]);
    }
  }
  return result;
}

bool merge(Geoset& original, const Geoset& before, const Geoset& after) {
  return merge_surface(original, {before, kNames}, {after, kNames});
}

TEST(OntoSurface, OrderAndSplittingOfVerticesAreNoEdit) {
  const Geoset before = strip();
  Geoset original = before;
  ASSERT_TRUE(merge(original, before, shuffled(before)));
  EXPECT_EQ(original, before);
}

TEST(OntoSurface, AFaceThatIsDoubleOrWithoutAreaMayBeGone) {
  Geoset before = strip();
  before.indices.insert(before.indices.end(), {0, 2, 1, 3, 3, 1});
  before.primitive_counts = {static_cast<std::uint32_t>(before.indices.size())};
  Geoset original = before;
  ASSERT_TRUE(merge(original, before, shuffled(strip())));
  EXPECT_EQ(original, before);
}

TEST(OntoSurface, AVertexThatMovedIsTheOnlyEdit) {
  const Geoset before = strip();
  Geoset edited = before;
  edited.positions[7] = {33, 12, 1};
  Geoset after = edited;
  after.positions.push_back({0, 0, 0});  // one that no face has
  after.normals.push_back({0, 0, 1});
  after.vertex_groups.push_back(0);
  after.uv_sets[0].coordinates.push_back({0, 0});
  Geoset original = before;
  ASSERT_TRUE(merge(original, before, after));
  EXPECT_EQ(original, edited);
}

TEST(OntoSurface, OtherFacesAndOtherBonesAreNotTheSame) {
  const Geoset before = strip();
  Geoset fewer = before;
  fewer.indices.resize(fewer.indices.size() - 3);
  fewer.primitive_counts = {static_cast<std::uint32_t>(fewer.indices.size())};
  Geoset other_bone = before;
  other_bone.vertex_groups[7] = 0;
  for (const Geoset& after : {fewer, other_bone}) {
    Geoset original = before;
    EXPECT_FALSE(merge(original, before, after));
    EXPECT_EQ(original, before);
  }
  EXPECT_DOUBLE_EQ(share_of_triangles({before, kNames}, {before, kNames}), 100);
  EXPECT_NEAR(share_of_triangles({before, kNames}, {fewer, kNames}), 100 * 5.0 / 6, 1e-9);
}

TEST(OntoSurface, ADirectionThatWasTurnedIsTaken) {
  const Geoset before = strip();
  Geoset after = before;
  after.normals[0] = {0, 1, 0};
  Geoset original = before;
  ASSERT_TRUE(merge(original, before, after));
  EXPECT_EQ(original, after);
}

// --- tracks

std::uint32_t bits(float value) {
  std::uint32_t result = 0;
  std::memcpy(&result, &value, sizeof result);
  return result;
}

Track track(Interpolation interpolation,
            const std::vector<std::pair<std::uint32_t, std::vector<float>>>& keys) {
  Track result;
  result.tag = FourCC{"KGTR"};
  result.interpolation = interpolation;
  for (const auto& [frame, values] : keys) {
    result.words.push_back(frame);
    for (const float value : values) {
      result.words.push_back(bits(value));
    }
  }
  return result;
}

const std::vector<Window> kSequences = {{0, 100, false}, {200, 300, false}};

TEST(OntoTracks, ACurveOfOtherKeysIsTheSame) {
  const Track before = track(Interpolation::linear, {{0, {0, 0, 0}}, {100, {10, 0, 0}}});
  const Track after =
      track(Interpolation::linear, {{0, {0, 0, 0}}, {50, {5.0001F, 0, 0}}, {100, {10, 0, 0}}});
  Track original = track(Interpolation::linear, {{0, {0, 0, 0}}, {100, {10, 0, 0}}, {150, {7, 7, 7}}});
  const Track was = original;
  EXPECT_EQ(merge_track(original, before, after, kSequences, kSequences, 0), TrackMerge::merged);
  EXPECT_EQ(original, was);
}

TEST(OntoTracks, OnlyTheSequenceThatWasEditedHasOtherKeys) {
  const Track before =
      track(Interpolation::linear, {{0, {0, 0, 0}}, {100, {1, 0, 0}}, {200, {2, 0, 0}}, {300, {3, 0, 0}}});
  const Track after =
      track(Interpolation::linear, {{0, {0, 0, 0}}, {100, {1, 0, 0}}, {200, {2, 0, 0}}, {300, {9, 0, 3}}});
  const std::vector<float> flat(6, 0);
  const auto key = [](float x, const std::vector<float>& tangents) {
    std::vector<float> values = {x, 0, 0};
    values.insert(values.end(), tangents.begin(), tangents.end());
    return values;
  };
  for (const Interpolation smooth : {Interpolation::hermite, Interpolation::bezier}) {
    Track original =
        track(smooth, {{0, key(0, flat)}, {100, key(1, flat)}, {200, key(2, flat)}, {300, key(3, flat)}});
    ASSERT_EQ(merge_track(original, before, after, kSequences, kSequences, 0), TrackMerge::merged);
    EXPECT_EQ(original.size(), 4U);
    EXPECT_EQ(original.value(1, 2), (Vec4{0, 0, 0, 0}));
    EXPECT_EQ(original.value(3), (Vec4{9, 0, 3, 0}));
    // Straight from (2, 0, 0) to (9, 0, 3).
    const Vec4 out = original.value(2, 2);
    EXPECT_FLOAT_EQ(out[0], smooth == Interpolation::hermite ? 7 : 2 + 7.0F / 3);
    EXPECT_FLOAT_EQ(out[2], smooth == Interpolation::hermite ? 3 : 1);
  }
  Track stepped = track(Interpolation::none, {{0, {0, 0, 0}}, {300, {3, 0, 0}}});
  EXPECT_EQ(merge_track(stepped, before, after, kSequences, kSequences, 0), TrackMerge::rewritten);
  EXPECT_EQ(stepped, after);
}

TEST(OntoTracks, KeysGoWhereTheirSequenceGoes) {
  Document document;
  Sequences sequences;
  sequences.items.resize(3);
  for (std::uint32_t i = 0; i < 3; ++i) {
    sequences.items[i].start = 100 * i;
    sequences.items[i].end = 100 * i + 50;
  }
  document.chunks.push_back({FourCC{"SEQS"}, sequences, {}, {}});
  Bones bones;
  bones.items.emplace_back();
  bones.items[0].node.tracks = {
      track(Interpolation::linear,
            {{0, {0, 0, 0}}, {75, {9, 9, 9}}, {110, {1, 0, 0}}, {150, {2, 0, 0}}, {200, {3, 0, 0}}})};
  document.chunks.push_back({FourCC{"BONE"}, bones, {}, {}});
  // The first is gone, the second was copied, the third moved.
  const std::vector<SequenceMove> moves = {
      {1, {100, 150, false}}, {1, {500, 530, false}}, {2, {1000, 1050, false}}, {-1, {2000, 2050, false}}};
  retime(document, moves);
  const Track& moved = document.all<Bones>()[0]->node.tracks[0];
  std::vector<std::int32_t> frames;
  for (std::size_t i = 0; i < moved.size(); ++i) {
    frames.push_back(moved.frame(i));
  }
  // What is cut off the copy is gone, what lies between sequences stays.
  EXPECT_EQ(frames, (std::vector<std::int32_t>{75, 110, 150, 510, 1000}));
}

}  // namespace
}  // namespace thaw::mdx
