// The parts of optimize by themselves: what a difference counts, how far models are apart, and what each part
// leaves at the very edge of what is allowed.

#include <gtest/gtest.h>

#include "formats/warcraft/mdx/optimize/steps.hpp"
#include "support/mdx_objects.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace thaw::mdx {
namespace {

using test::make_bone;
using test::make_document;
using test::make_node;
using test::make_pivots;
using test::make_sequence;
using test::make_track;
using test::TrackKey;

constexpr double kEdge = 1e-9;  ///< less than any step of the numbers here

Track line_of(std::vector<TrackKey> keys, std::string_view tag = "KGTR") {
  return make_track(tag, Interpolation::linear, keys);
}

/// Vertices that each follow one group of bones.
Geoset vertices_of(std::initializer_list<Vec3> positions, std::vector<std::vector<std::uint32_t>> groups) {
  Geoset geoset;
  geoset.positions.assign(positions.begin(), positions.end());
  for (const auto& group : groups) {
    geoset.vertex_groups.push_back(static_cast<std::uint8_t>(geoset.matrix_groups.size()));
    geoset.matrix_groups.push_back(static_cast<std::uint32_t>(group.size()));
    geoset.matrix_indices.insert(geoset.matrix_indices.end(), group.begin(), group.end());
  }
  return geoset;
}

// --- what a difference counts

/// A root, its child at (3, 0, 0), and another child of the root at (0, 0, 2).
template <class... Bodies>
Document three_bones(Bodies... more) {
  return make_document(
      test::list_of<Bone>({make_bone("Root", 0), make_bone("Arm", 1, 0), make_bone("Leg", 2, 0)}),
      make_pivots({{0, 0, 0}, {3, 0, 0}, {0, 0, 2}, {3, 0, 12}}), std::move(more)...);
}

/// How far from a node anything is that it moves, in a model of the size 100.
double reach_of(const Document& document, std::int32_t id) {
  const Node node = make_node("", id);
  TrackFacts facts;
  facts.node = &node;
  return 100 / Units(document, 100).of(line_of({}, "KGRT"), facts);
}

TEST(OptimizeUnits, ATurnReachesAsFarAsWhatItMoves) {
  const auto document = three_bones(test::list_of<Geoset>(
      {vertices_of({{3, 40, 0}, {3, 30, 0}, {0, 24, 2}, {0, 0, 500}}, {{1}, {1, 2}, {2}, {77}})}));
  EXPECT_NEAR(reach_of(document, 1), 40, kEdge);
  EXPECT_NEAR(reach_of(document, 2), std::hypot(3, 30, 2), kEdge);
  EXPECT_NEAR(reach_of(document, 0), 43, kEdge) << "3 to its child, and on from there";
  EXPECT_NEAR(reach_of(document, 99), 100, kEdge) << "no such node: as it is";
}

TEST(OptimizeUnits, WhatCarriesNoVertexReachesAShareOfTheModel) {
  Attachment held;
  held.node = make_node("Held", 3, 1);
  ParticleEmitter2 sprites;
  sprites.node = make_node("Sprites", 3, 1);
  EXPECT_NEAR(reach_of(three_bones(), 1), 5, kEdge);
  EXPECT_NEAR(reach_of(three_bones(), 0), 8, kEdge) << "by way of the child at 3";
  EXPECT_NEAR(reach_of(three_bones(test::list_of<Attachment>({held})), 1), 12 + 25, kEdge);
  EXPECT_NEAR(reach_of(three_bones(test::list_of<ParticleEmitter2>({sprites})), 1), 12 + 100, kEdge);
  EXPECT_NEAR(reach_of(three_bones(test::list_of<ParticleEmitter2>({sprites})), 0), 3 + 12 + 100, kEdge);
}

TEST(OptimizeUnits, WeightsReachWhereTheyAreAboveNothing) {
  Geoset geoset;
  geoset.positions = {{3, 60, 0}, {0, 80, 2}};
  geoset.skin.emplace(1, std::array<std::uint8_t, 8>{0, 1, 2, 0, 0, 255, 0, 0});
  geoset.skin->push_back({0, 1, 0, 2, 0, 0, 0, 1});
  auto wide = geoset;
  wide.skin.reset();
  wide.wide_skin.emplace(1, std::array<std::uint16_t, 8>{0, 1, 2, 0, 0, 255, 0, 0});
  wide.wide_skin->push_back({0, 1, 0, 2, 0, 0, 0, 1});
  for (const auto& skinned : {geoset, wide}) {
    const auto document = three_bones(test::list_of<Geoset>({skinned}));
    EXPECT_NEAR(reach_of(document, 1), 60, kEdge);
    EXPECT_NEAR(reach_of(document, 2), 80, kEdge);
  }
}

TEST(OptimizeUnits, LoopsOfParentsAndNumbersThatAreNoneEnd) {
  const auto document =
      make_document(test::list_of<Bone>({make_bone("A", 0, 1), make_bone("B", 1, 0), make_bone("C", 2, 9)}),
                    make_pivots({{0, 0, 0}, {1, 0, 0}, {NAN, 0, 0}}),
                    test::list_of<Geoset>({vertices_of({{1, 1, 1}}, {{2}})}));
  EXPECT_GT(reach_of(document, 0), 5);
  EXPECT_TRUE(std::isfinite(reach_of(document, 0)));
  EXPECT_NEAR(reach_of(document, 2), 5, kEdge);
}

TEST(OptimizeUnits, OtherTracksCountByTheirKindOrTheirLargestValue) {
  const Units units(Document{}, 100);
  const auto unit = [&](const Track& track, std::optional<Double4> rest = std::nullopt) {
    TrackFacts facts;
    facts.rest = rest;
    return units.of(track, facts);
  };
  EXPECT_EQ(unit(line_of({{0, {2, 0, 0}}}, "KCTR")), 100);
  for (const char* share : {"KMTA", "KGAO", "KATV", "KTAR", "KTAS", "KCRL", "KRAL"}) {
    EXPECT_EQ(unit(line_of({{0, {7, 7, 7, 7}}}, share)), 1) << share;
  }
  EXPECT_EQ(unit(test::make_integer_track("KMTF", {{0, 9}})), 1);
  const auto lights = line_of({{0, {2}}, {10, {-5}}, {20, {NAN}}, {30, {4}}}, "KLAI");
  EXPECT_EQ(unit(lights), 5);
  EXPECT_EQ(unit(lights, Double4{3, 50, 50, 50}), 5);
  EXPECT_EQ(unit(lights, Double4{-7, 0, 0, 0}), 7);
  EXPECT_EQ(unit(lights, Double4{INFINITY, 0, 0, 0}), 5);
  EXPECT_EQ(unit(line_of({{0, {0}}}, "KLAI")), 1e-6) << "nothing is divided by";
}

TEST(OptimizeMeasure, TheSizeOfAModelIsTheDiagonalOfItsBox) {
  const auto of = [](std::initializer_list<Vec3> vertices, std::initializer_list<Vec3> pivots) {
    Geoset geoset;
    geoset.positions.assign(vertices.begin(), vertices.end());
    return model_size(make_document(test::list_of<Geoset>({geoset}), make_pivots(pivots)));
  };
  EXPECT_EQ(of({{1, 2, 3}, {2, 4, 5}}, {{100, 100, 100}}), 3);
  EXPECT_EQ(of({{1, 2, 3}, {2, 4, 5}, {NAN, INFINITY, 4}}, {}), 3);
  EXPECT_EQ(of({}, {{-1, 0, 0}, {1, 4, 4}}), 6) << "by pivots where there are no vertices";
  EXPECT_EQ(of({}, {{5, 5, 5}}), 1);
  EXPECT_EQ(of({}, {}), 1);
}

// --- how far models are apart

double apart(const Document& before, const Document& after, double size) {
  const TimeLines lines(before);
  return measure_deviation(before, after, lines, Units(before, size), size);
}

/// A bone that turns about its pivot at (0, 0, 0) to an angle, beside one that stands.
Document turned_by(double angle, const Geoset& geoset) {
  const auto half = angle / 2;
  const auto turn =
      make_track("KGRT", Interpolation::linear,
                 {{0, {0, 0, static_cast<float>(std::sin(half)), static_cast<float>(std::cos(half))}}});
  return make_document(test::list_of<Sequence>({make_sequence("Stand", 0, 1000)}),
                       test::list_of<Geoset>({geoset}),
                       test::list_of<Bone>({make_bone("Turns", 0, -1, {turn}), make_bone("Stands", 1)}),
                       make_pivots({{0, 0, 0}, {0, 5, 0}}));
}

TEST(OptimizeMeasure, VerticesAreMeasuredByAllThatMovesThem) {
  constexpr double kAngle = 0.2;
  const double chord = 2 * 10 * std::sin(kAngle / 2);  // at 10 from the pivot
  Geoset weighted;
  weighted.positions = {{10, 0, 0}};
  weighted.skin.emplace(1, std::array<std::uint8_t, 8>{1, 0, 0, 0, 192, 64, 0, 0});
  Geoset wide = weighted;
  wide.skin.reset();
  wide.wide_skin.emplace(1, std::array<std::uint16_t, 8>{1, 1, 1, 0, 64, 64, 64, 64});
  Geoset late = weighted;
  late.positions.insert(late.positions.begin(), Vec3{0, 0, 0});
  late.skin->insert(late.skin->begin(), std::array<std::uint8_t, 8>{0, 0, 0, 0, 255, 0, 0, 0});
  struct Case {
    const char* what;
    Geoset geoset;
    double moved;
  };
  for (const auto& [what, geoset, moved] : {
           Case{"one bone", vertices_of({{10, 0, 0}}, {{0}}), chord},
           Case{"two bones", vertices_of({{10, 0, 0}}, {{0, 1}}), chord / 2},
           Case{"three of which one is no bone", vertices_of({{10, 0, 0}}, {{0, 1, 77}}), chord / 2},
           Case{"the second group", vertices_of({{10, 0, 0}, {10, 0, 0}}, {{1}, {1, 1, 0}}), chord / 3},
           Case{"a bone that stands", vertices_of({{10, 0, 0}}, {{1}}), 0},
           Case{"nothing", vertices_of({{10, 0, 0}}, {{}}), 0},
           Case{"weights", weighted, chord / 4},
           Case{"wide weights", wide, chord / 4},
           Case{"the last vertex", late, chord / 4},
       }) {
    EXPECT_NEAR(apart(turned_by(0, geoset), turned_by(kAngle, geoset), 20), moved / 20, 1e-6) << what;
  }
  auto fewer = vertices_of({{10, 0, 0}, {20, 0, 0}}, {{0}});  // the second has no group
  EXPECT_NEAR(apart(turned_by(0, fewer), turned_by(kAngle, fewer), 20), chord / 20, 1e-6);
  fewer.vertex_groups = {0, 9};
  EXPECT_NEAR(apart(turned_by(0, fewer), turned_by(kAngle, fewer), 20), chord / 20, 1e-6);
}

TEST(OptimizeMeasure, NodesAreMeasuredAtTheirPivots) {
  auto before = turned_by(0, {});
  auto after = turned_by(0.2, {});
  EXPECT_NEAR(apart(before, after, 20), 0, kEdge) << "a turn moves no pivot but those of children";
  for (auto* document : {&before, &after}) {
    document->find<Bones>()->items[1].node.parent_id = 0;
  }
  EXPECT_NEAR(apart(before, after, 20), 2 * 5 * std::sin(0.1) / 20, 1e-6);
  before = make_document(test::list_of<Sequence>({make_sequence("Stand", 0, 1000)}),
                         test::list_of<Bone>({make_bone("Goes", 0, -1, {line_of({{0, {1, 0, 0}}})})}),
                         make_pivots({{0, 0, 0}}));
  after = before;
  after.find<Bones>()->items[0].node.tracks = {line_of({{0, {1, 0, 3}}})};
  EXPECT_NEAR(apart(before, after, 10), 0.3, 1e-6);
}

/// A light whose intensity is 1 without keys.
Document lit(Tracks tracks, std::vector<std::uint32_t> globals = {}) {
  Light light;
  light.node = make_node("Light", 0);
  light.intensity = 1;
  light.tracks = std::move(tracks);
  GlobalSequences durations;
  durations.durations.assign(globals.begin(), globals.end());
  return make_document(test::list_of<Sequence>({make_sequence("Stand", 0, 1000)}), durations,
                       test::list_of<Light>({light}), make_pivots({{0, 0, 0}}));
}

TEST(OptimizeMeasure, WhatMovesNothingIsMeasuredByItsLargestValue) {
  const auto before = lit({line_of({{0, {4}}, {1000, {8}}}, "KLAI")});
  EXPECT_EQ(apart(before, before, 10), 0);
  EXPECT_NEAR(apart(before, lit({line_of({{0, {4}}, {1000, {4}}}, "KLAI")}), 10), 0.98 * 4 / 8, 1e-6);
  EXPECT_NEAR(apart(before, lit({line_of({{0, {2}}, {1000, {8}}}, "KLAI")}), 10), 2.0 / 8, 1e-6);
  EXPECT_NEAR(apart(before, lit({}), 10), (3 + 0.98 * 4) / 8, 1e-6) << "it shows the light's own 1";
  const auto constant = lit({line_of({{0, {4}}}, "KLAI")});
  EXPECT_NEAR(apart(constant, lit({line_of({{0, {3}}}, "KLAI")}), 10), 1.0 / 4, 1e-6);
  EXPECT_NEAR(apart(constant, lit({}), 10), 3.0 / 4, 1e-6);
}

TEST(OptimizeMeasure, TracksAreMeasuredInTheTimeThatTheyPlayIn) {
  const auto at = [](std::int32_t global, float late) {
    auto track = line_of({{0, {4}}, {1000, {4}}, {3000, {late}}}, "KLAI");
    track.global_sequence = global;
    return lit({track}, {1000, 3000});
  };
  EXPECT_EQ(apart(at(-1, 8), at(-1, 4), 10), 0) << "no sequence is there at 3000";
  EXPECT_EQ(apart(at(0, 8), at(0, 4), 10), 0) << "nor the first global one";
  EXPECT_GT(apart(at(1, 8), at(1, 4), 10), 0.4);
  EXPECT_EQ(apart(at(2, 8), at(2, 4), 10), 0) << "no such global sequence";
  EXPECT_EQ(apart(at(-2, 8), at(-2, 4), 10), 0);
}

TEST(OptimizeMeasure, TimeLinesAreThoseOfTheDocument) {
  const auto document =
      make_document(test::list_of<Sequence>({make_sequence("A", 10, 20), make_sequence("Backwards", 50, 40)}),
                    test::make_globals({7}), test::make_globals({0, 9}));
  const TimeLines lines(document);
  Track track;
  const auto ends = [&](std::int32_t global) {
    track.global_sequence = global;
    std::vector<std::int64_t> result;
    for (const Window& window : lines.of(track)) {
      EXPECT_EQ(window.global, global != -1);
      result.push_back(window.end);
    }
    return result;
  };
  using Ends = std::vector<std::int64_t>;
  EXPECT_EQ(ends(-1), (Ends{20, 50}));
  EXPECT_EQ(ends(0), Ends{7});
  EXPECT_EQ(ends(1), Ends{0});
  EXPECT_EQ(ends(2), Ends{9});
  EXPECT_EQ(ends(3), Ends{});
  EXPECT_EQ(ends(-2), Ends{});
}

// --- keys

std::vector<std::int32_t> frames_left(Track track, const std::vector<Window>& windows, double tolerance) {
  const std::size_t before = track.size();
  const std::size_t removed = thin_track(track, windows, tolerance);
  std::vector<std::int32_t> frames;
  for (std::size_t k = 0; k < track.size(); ++k) {
    frames.push_back(track.frame(k));
  }
  EXPECT_EQ(before - frames.size(), removed);
  return frames;
}

using Frames = std::vector<std::int32_t>;
const std::vector<Window> kOne = {{0, 1000, false}};

TEST(OptimizeKeys, AKeyGoesAtJustWhatIsAllowed) {
  const auto bent = [](float y) { return line_of({{0, {0, 0, 0}}, {500, {1, y, 0}}, {1000, {2, 0, 0}}}); };
  EXPECT_EQ(frames_left(bent(0.25F), kOne, 0.25), (Frames{0, 1000}));
  EXPECT_EQ(frames_left(bent(0.25F), kOne, 0.25 - kEdge), (Frames{0, 500, 1000}));
  EXPECT_EQ(frames_left(bent(0), kOne, 0), (Frames{0, 1000}));
  const auto at = [](std::int32_t frame) {
    return line_of({{0, {0, 0, 0}}, {frame, {8, 0, 0}}, {1000, {32, 0, 0}}});
  };
  EXPECT_EQ(frames_left(at(250), kOne, 0), (Frames{0, 1000})) << "8 is a quarter of the way";
  EXPECT_EQ(frames_left(at(260), kOne, 0.2), (Frames{0, 260, 1000}));
}

TEST(OptimizeKeys, RoundingHidesWhatIsSmallAdjacentTheValue) {
  const auto flat = [](float middle) {
    return line_of({{0, {1e6F, 0, 0}}, {500, {1e6F, middle, 0}}, {1000, {1e6F, 0, 0}}});
  };
  EXPECT_EQ(frames_left(flat(0.0625F), kOne, 0), Frames{0});
  EXPECT_EQ(frames_left(flat(0.25F), kOne, 0), (Frames{0, 500, 1000}));
}

TEST(OptimizeKeys, LongLinesAreOneWhateverTheirKeys) {
  std::vector<TrackKey> keys;
  for (std::int32_t k = 0; k <= 500; ++k) {
    keys.push_back({2 * k, {static_cast<float>(k), 0, 0}});
  }
  EXPECT_EQ(frames_left(line_of(keys), kOne, 0), (Frames{0, 1000}));
  keys[321].numbers[1] = 1;
  EXPECT_EQ(frames_left(line_of(keys), kOne, 0), (Frames{0, 640, 642, 644, 1000}));
}

TEST(OptimizeKeys, WhatSequencesShareStays) {
  const auto track = line_of({{0, {0, 0, 0}}, {400, {4, 0, 0}}, {600, {6, 0, 0}}, {1000, {10, 0, 0}}});
  EXPECT_EQ(frames_left(track, {{0, 1000, false}, {2000, 3000, false}}, 0), (Frames{0, 1000}));
  EXPECT_EQ(frames_left(track, {{0, 1000, false}, {300, 500, false}}, 0), (Frames{0, 400, 1000}));
  EXPECT_EQ(frames_left(track, {{0, 1000, false}, {0, 1000, false}}, 0), (Frames{0, 400, 600, 1000}));
}

TEST(OptimizeKeys, OfConstantsOneKeyStaysAndOfDefaultsNone) {
  const auto track = line_of({{0, {1, 0, 0}},
                              {500, {1, 0, 0}},
                              {1000, {1, 0, 0}},
                              {2000, {0, 0, 0}},
                              {2500, {0, 0, 0}},
                              {3000, {0, 0, 0}},
                              {4000, {3, 0, 0}},
                              {5000, {3, 1, 0}}});
  const std::vector<Window> windows = {{0, 1000, false}, {2000, 3000, false}, {4000, 5000, false}};
  EXPECT_EQ(frames_left(track, windows, 0), (Frames{0, 4000, 5000}));
  EXPECT_EQ(frames_left(line_of({{0, {0, 0, 0}}, {500, {0, 0, 0}}}), kOne, 0), Frames{0})
      << "the track stays";
}

TEST(OptimizeKeys, StepsStayWhereTheyChange) {
  const auto track = make_track("KGAO", Interpolation::none,
                                {{0, {1}}, {100, {0}}, {200, {0}}, {300, {1}}, {400, {1}}, {1000, {1}}});
  EXPECT_EQ(frames_left(track, kOne, 0.5), (Frames{0, 100, 300}));
}

TEST(OptimizeKeys, KeysThatNonePlaysGo) {
  const auto track = line_of({{-5, {9, 0, 0}}, {0, {1, 0, 0}}, {1000, {2, 0, 0}}, {1001, {9, 0, 0}}});
  EXPECT_EQ(frames_left(track, kOne, 0), (Frames{0, 1000}));
  EXPECT_EQ(frames_left(track, {{5000, 6000, false}}, 0), Frames{-5}) << "the track stays";
  const auto late = line_of({{1500, {1, 0, 0}}, {2000, {2, 0, 0}}});
  EXPECT_EQ(frames_left(late, {{0, 1000, true}}, 0), Frames{1500}) << "which a global sequence shows";
  EXPECT_EQ(frames_left(track, {{0, 1000, true}}, 0), (Frames{0, 1000}));
}

TEST(OptimizeKeys, CurvesKeepWhatIsBetweenTheirKeys) {
  // The two ends are equal; between them it goes out by an eighth of the tangents, and back.
  const auto bulge = [](float out) {
    return make_track("KGTR", Interpolation::hermite,
                      {{0, {1, 0, 0, 0, 0, 0, out, 0, 0}}, {1000, {1, 0, 0, -out, 0, 0, 0, 0, 0}}});
  };
  EXPECT_EQ(frames_left(bulge(1), kOne, 0.25 + kEdge), Frames{0});
  EXPECT_EQ(frames_left(bulge(1), kOne, 0.25 - 1e-6), (Frames{0, 1000}));
  // A key in the middle of one parabola is one of the curve; elsewhere it is not.
  const auto parabola = [](float y) {
    return make_track("KGTR", Interpolation::hermite,
                      {{0, {0, 0, 0, 0, 0, 0, 4, 0, 0}},
                       {500, {1, y, 0, 0, 0, 0, 0, 0, 0}},
                       {1000, {0, 0, 0, -4, 0, 0, 0, 0, 0}}});
  };
  auto whole = parabola(0);
  EXPECT_EQ(frames_left(whole, kOne, 0.3), (Frames{0, 1000}));
  EXPECT_EQ(frames_left(parabola(0.5F), kOne, 0.3), (Frames{0, 500, 1000}));
}

TEST(OptimizeKeys, TurnsAreTheSameWithEitherSign) {
  const float c = std::cos(0.2F);
  const float s = std::sin(0.2F);
  const auto turn = line_of({{0, {s, 0, 0, c}}, {500, {-s, 0, 0, -c}}, {1000, {s, 0, 0, c}}}, "KGRT");
  EXPECT_EQ(frames_left(turn, kOne, 0), Frames{0});
  const auto turns = line_of({{0, {s, 0, 0, c}}, {500, {0, 0, 0, 1}}, {1000, {-s, 0, 0, c}}}, "KGRT");
  EXPECT_EQ(frames_left(turns, kOne, 1e-6), (Frames{0, 1000})) << "an even turn";
  const auto uneven = line_of({{0, {s, 0, 0, c}}, {600, {0, 0, 0, 1}}, {1000, {-s, 0, 0, c}}}, "KGRT");
  // It is a tenth of 0.8 late there.
  EXPECT_EQ(frames_left(uneven, kOne, 0.0801), (Frames{0, 1000}));
  EXPECT_EQ(frames_left(uneven, kOne, 0.0799), (Frames{0, 600, 1000}));
}

TEST(OptimizeKeys, KeysOutOfOrderStay) {
  EXPECT_EQ(frames_left(line_of({{500, {1, 0, 0}}, {0, {1, 0, 0}}}), kOne, 9), (Frames{500, 0}));
  EXPECT_EQ(frames_left(line_of({{500, {NAN, 0, 0}}, {600, {1, 0, 0}}}), kOne, 9), (Frames{500, 600}));
}

// --- tracks that show what is there without them

std::size_t idle_tracks(const Track& track, double tolerance = 0) {
  auto document = lit({track}, {1000});
  const TimeLines lines(document);
  const Units units(document, 1);
  return drop_idle_tracks(document, {lines, units, tolerance, {}});
}

TEST(OptimizeTracks, ATrackGoesThatIsAtRestAllTheTime) {
  EXPECT_EQ(idle_tracks(line_of({{0, {1}}, {1000, {1}}}, "KLAI")), 1U);
  EXPECT_EQ(idle_tracks(line_of({{0, {1}}}, "KLAI")), 1U);
  EXPECT_EQ(idle_tracks(line_of({{0, {1.5F}}}, "KLAI")), 0U);
  EXPECT_EQ(idle_tracks(line_of({{0, {1}}, {500, {1.25F}}, {1000, {1}}}, "KLAI")), 0U);
  // The unit is the largest value, 1.25: 0.25 is a fifth of it.
  EXPECT_EQ(idle_tracks(line_of({{0, {1}}, {500, {1.25F}}, {1000, {1}}}, "KLAI"), 0.2 + kEdge), 1U);
  EXPECT_EQ(idle_tracks(line_of({{0, {1}}, {500, {1.25F}}, {1000, {1}}}, "KLAI"), 0.2 - kEdge), 0U);
  EXPECT_EQ(idle_tracks(line_of({{0, {1}}, {1000, {1}}, {2000, {5}}}, "KLAI")), 1U) << "nobody gets there";
  EXPECT_EQ(idle_tracks(make_track("KLAI", Interpolation::hermite, {{0, {1, 0, 1}}, {1000, {1, -1, 0}}})), 0U)
      << "between the keys it is elsewhere";
  EXPECT_EQ(idle_tracks(line_of({{5000, {1}}}, "KLAI")), 0U) << "without keys it is 0";
  Track none = line_of({{0, {1}}}, "KLAI");
  none.global_sequence = 3;
  EXPECT_EQ(idle_tracks(none), 0U) << "nobody knows when it plays";
}

TEST(OptimizeTracks, WhatIsAlwaysSeenNeedsNoTrack) {
  const auto seen = [](float first, float second) {
    return idle_tracks(make_track("KLAV", Interpolation::none, {{0, {first}}, {500, {second}}}));
  };
  EXPECT_EQ(seen(1, 1), 1U);
  EXPECT_EQ(seen(1, 0.25F), 1U) << "anything above 0 is seen";
  EXPECT_EQ(seen(1, 0), 0U);
  EXPECT_EQ(seen(0, 0), 0U);
}

// --- curves

/// What a track with tangents becomes within a tolerance: its frames, and whether it has tangents still.
struct Fitted {
  std::size_t changed = 0;
  std::vector<std::int32_t> frames;
  bool tangents = false;
};

Fitted fitted(const Track& track, double tolerance, std::uint32_t end = 1000) {
  auto document = lit({track});
  document.find<Sequences>()->items[0].end = end;
  const TimeLines lines(document);
  const Units units(document, 1);
  Thinning thinning{lines, units, tolerance, {}};
  Fitted result;
  result.changed = fit_curves(document, thinning, true);
  EXPECT_EQ(thinning.rounded.size(), result.changed) << "what is allowed is used up";
  const Track& made = document.all<Lights>()[0]->tracks.at(0);
  for (std::size_t k = 0; k < made.size(); ++k) {
    result.frames.push_back(made.frame(k));
  }
  result.tangents = made.has_tangents();
  return result;
}

TEST(OptimizeCurves, LinesAreFoundFarFromNothingAndOverALongTime) {
  // 200 seconds: more milliseconds than points are looked at.
  const auto line = make_track("KLAI", Interpolation::hermite,
                               {{0, {500, 100, 100}}, {100000, {600, 100, 100}}, {200000, {700, 100, 100}}});
  const auto made = fitted(line, 1e-4, 200000);
  EXPECT_EQ(made.changed, 1U);
  EXPECT_EQ(made.frames, (Frames{0, 200000}));
  EXPECT_FALSE(made.tangents);
}

TEST(OptimizeCurves, TurnsAreKeptWhereTheyAreSmallerThanLines) {
  // One parabola with a key in its middle; in lines it would be dozens of keys.
  const auto parabola =
      make_track("KLAI", Interpolation::hermite, {{0, {0, 0, 4}}, {500, {1, 0, 0}}, {1000, {0, -4, 0}}});
  EXPECT_EQ(fitted(parabola, 1e-5).changed, 0U);
  EXPECT_EQ(fitted(parabola, 0).changed, 0U) << "nothing is allowed";
  const auto step = make_track("KLAI", Interpolation::linear, {{0, {0}}, {500, {1}}, {1000, {0}}});
  EXPECT_EQ(fitted(step, 0.9).changed, 0U) << "it has no tangents";
}

TEST(OptimizeCurves, WhereSequencesOverlapNothingIsFitted) {
  std::vector<TrackKey> keys;
  for (const std::int32_t frame : {0, 300, 600, 601, 800, 1000}) {
    keys.push_back({frame, {5, 0, 0}});
    keys.back().numbers[0] += frame > 600 ? 1.0F : 0.0F;
  }
  const auto flat = make_track("KLAI", Interpolation::hermite, keys);
  for (const std::uint32_t second : {600U, 601U}) {
    auto document = lit({flat});
    document.find<Sequences>()->items = {make_sequence("Late", second, 1000), make_sequence("Early", 0, 600)};
    const TimeLines lines(document);
    const Units units(document, 1);
    Thinning thinning{lines, units, 1e-3, {}};
    EXPECT_EQ(fit_curves(document, thinning, false), second == 601 ? 1U : 0U) << second;
  }
}

TEST(OptimizeCurves, WhereASequenceHasOneKeyItKeepsIt) {
  std::vector<TrackKey> keys = {{0, {5, 1, 1}}, {500, {6, 1, 1}}, {1000, {7, 1, 1}}};
  auto global = make_track("KLAI", Interpolation::hermite, keys);
  global.global_sequence = 0;
  keys.push_back({2500, {9, 0, 0}});
  const auto own = make_track("KLAI", Interpolation::hermite, keys);
  for (const Track& track : {global, own}) {
    auto document = lit({track}, {1000});
    document.find<Sequences>()->items = {make_sequence("First", 0, 1000),
                                         make_sequence("Second", 2000, 3000)};
    const TimeLines lines(document);
    const Units units(document, 1);
    Thinning thinning{lines, units, 1e-3, {}};
    EXPECT_EQ(fit_curves(document, thinning, false), 1U);
    const Track& made = document.all<Lights>()[0]->tracks.at(0);
    EXPECT_EQ(made.interpolation, Interpolation::linear);
    const KeyList list = prepare(comparison_use(made));
    const TrackPlayer first(list, lines.of(track).front());
    EXPECT_NEAR(first.at(0.25)[0], 5.5, 1e-2);
    const TrackPlayer last(list, lines.of(track).back());
    EXPECT_NEAR(last.at(0.5)[0], track.global_sequence == 0 ? 6 : 9, 1e-2);
  }
}

}  // namespace
}  // namespace thaw::mdx
