// Tracks as curves: what is played between, before and behind keys (warcraft3-rendering.md#playing-a-track).

#include <gtest/gtest.h>
#include <thaw/mdx.hpp>

#include "scene/curve.hpp"
#include "scene/math.hpp"
#include "support/mdx_objects.hpp"
#include "support/mdx_oracle.hpp"
#include "support/promises.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace thaw {
namespace {

using mdx::Interpolation;
using scene::CurveMode;
using scene::Property;
using test::make_track;
using test::TrackKey;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

mdx::SceneOptions unit_scale() {
  mdx::SceneOptions options;
  options.scale = 1;
  return options;
}

/// One bone with one track, one geoset animation of static alpha 0.5, sequences as given.
struct Trial {
  mdx::Track track;
  std::vector<mdx::Sequence> sequences = {test::make_sequence("Stand", 1000, 1400)};
  mdx::SceneOptions options = unit_scale();
  std::vector<std::uint32_t> globals = {};

  scene::Scene scene = {};
  Diagnostics diagnostics = Diagnostics(100);

  mdx::Document document() const {
    mdx::GlobalSequences durations;
    durations.durations.assign(globals.begin(), globals.end());
    mdx::GeosetAnimation animation;
    animation.alpha = 0.5F;
    animation.geoset_id = 0;
    mdx::Bone bone = test::make_bone("Bone", 0);
    (track.tag == FourCC{"KGAO"} ? animation.tracks : bone.node.tracks).push_back(track);
    return test::make_document(test::list_of(sequences), durations, test::list_of<mdx::Geoset>({{}}),
                               test::list_of<mdx::GeosetAnimation>({animation}),
                               test::list_of<mdx::Bone>({bone}));
  }

  /// The curve in a clip; null if the clip leaves the property at rest.
  const scene::Curve* play(std::size_t clip = 0) {
    scene = mdx::to_scene(document(), options, diagnostics);
    EXPECT_EQ(test::problems_of(scene), std::vector<std::string>{});
    if (clip >= scene.clips.size() || scene.clips[clip].channels.empty()) {
      return nullptr;
    }
    EXPECT_EQ(scene.clips[clip].channels.size(), 1U);
    return &scene.clips[clip].channels[0].curve;
  }

  [[nodiscard]] bool reported(const Code& code) const {
    const auto& items = diagnostics.items();
    return std::any_of(items.begin(), items.end(), [&](const Diagnostic& item) { return item.code == code; });
  }
};

/// Keys of KGTR that move along the game's X only, which is the scene's X.
std::vector<TrackKey> along_x(std::initializer_list<std::pair<std::int32_t, float>> keys) {
  std::vector<TrackKey> result;
  for (const auto& [frame, x] : keys) {
    result.push_back({frame, {x, 0, 0}});
  }
  return result;
}

float x_at(const scene::Curve& curve, float time) {
  std::vector<float> out(curve.components);
  scene::evaluate(curve, time, out);
  return out[0];
}

TEST(SceneTracks, LinearKeysBecomeLinearKeysFromZero) {
  Trial trial{make_track("KGTR", Interpolation::linear, {{1000, {1, 2, 3}}, {1400, {4, 5, 6}}})};
  trial.options.scale = 0.5F;
  const auto* curve = trial.play();
  ASSERT_NE(curve, nullptr);
  EXPECT_EQ(curve->mode, CurveMode::linear);
  EXPECT_EQ(curve->times, (Array<float>{0, 0.4F}));
  // (x, y, z) in units is (x, z, −y) in metres.
  EXPECT_EQ(curve->values, (Array<float>{0.5F, 1.5F, -1, 2, 3, -2.5F}));
  EXPECT_EQ(trial.scene.clips[0].duration, 0.4F);
}

TEST(SceneTracks, ScalesAlongTheGamesAxes) {
  Trial trial{make_track("KGSC", Interpolation::linear, {{1000, {2, 3, 4}}})};
  const auto* curve = trial.play();
  ASSERT_NE(curve, nullptr);
  EXPECT_EQ(curve->values, (Array<float>{2, 4, 3}));
}

TEST(SceneTracks, OutsideTheKeysTheWayLeadsFromTheLastToTheFirst) {
  Trial trial{make_track("KGTR", Interpolation::linear, along_x({{1100, 0}, {1300, 10}}))};
  const auto* curve = trial.play();
  ASSERT_NE(curve, nullptr);
  // The wrapped segment is 200 ms long: 100 behind the last key, 100 before the first one.
  EXPECT_EQ(curve->times, (Array<float>{0, 0.1F, 0.3F, 0.4F}));
  EXPECT_FLOAT_EQ(x_at(*curve, 0), 5);
  EXPECT_FLOAT_EQ(x_at(*curve, 0.05F), 2.5F);
  EXPECT_FLOAT_EQ(x_at(*curve, 0.1F), 0);
  EXPECT_FLOAT_EQ(x_at(*curve, 0.3F), 10);
  EXPECT_FLOAT_EQ(x_at(*curve, 0.4F), 5);
}

TEST(SceneTracks, BeforeTheFirstKeyTheOptionExtrapolates) {
  Trial trial{make_track("KGTR", Interpolation::linear, along_x({{1100, 0}, {1300, 10}}))};
  trial.options.extrapolate_before_first_key = true;
  const auto* curve = trial.play();
  ASSERT_NE(curve, nullptr);
  // t = (f − first) / 200 from the last to the first key: 10 + (0 − 10) · t.
  EXPECT_FLOAT_EQ(x_at(*curve, 0), 15);
  EXPECT_FLOAT_EQ(x_at(*curve, 0.05F), 12.5F);
  EXPECT_FLOAT_EQ(x_at(*curve, 0.1F), 0);
}

TEST(SceneTracks, OneKeyIsAConstant) {
  Trial trial{make_track("KGTR", Interpolation::hermite, {{1200, {7, 0, 0, 9, 9, 9, 9, 9, 9}}})};
  const auto* curve = trial.play();
  ASSERT_NE(curve, nullptr);
  EXPECT_EQ(curve->times, (Array<float>{0}));
  EXPECT_EQ(curve->values, (Array<float>{7, 0, 0}));
}

TEST(SceneTracks, KeysThatSayTheSameAreAConstantUnlessTheirTangentsMove) {
  const auto keys_of = [](Interpolation interpolation, std::vector<float> numbers) {
    Trial trial{make_track("KGTR", interpolation, {{1000, numbers}, {1200, numbers}, {1400, numbers}})};
    const auto* curve = trial.play();
    return curve == nullptr ? 0 : curve->times.size();
  };
  EXPECT_EQ(keys_of(Interpolation::none, {7, 0, 0}), 1U);
  EXPECT_EQ(keys_of(Interpolation::linear, {7, 0, 0}), 1U);
  EXPECT_EQ(keys_of(Interpolation::hermite, {7, 0, 0, 0, 0, 0, 0, 0, 0}), 1U);
  EXPECT_EQ(keys_of(Interpolation::bezier, {7, 0, 0, 7, 0, 0, 7, 0, 0}), 1U);
  EXPECT_EQ(keys_of(Interpolation::hermite, {7, 0, 0, 0, 0, 0, 0, 2, 0}), 3U);
  EXPECT_EQ(keys_of(Interpolation::hermite, {7, 0, 0, 0, 0, 2, 0, 0, 0}), 3U);
  EXPECT_EQ(keys_of(Interpolation::bezier, {7, 0, 0, 7, 0, 0, 7, 1, 0}), 3U);
}

TEST(SceneTracks, KeysOutsideTheSequenceGiveTheDefault) {
  Trial moved{make_track("KGTR", Interpolation::linear, along_x({{999, 7}, {1401, 8}}))};
  EXPECT_EQ(moved.play(), nullptr);
  // The static alpha of 0.5 counts only where there is no track at all.
  Trial faded{make_track("KGAO", Interpolation::none, {{0, {0.25F}}})};
  const auto* curve = faded.play();
  ASSERT_NE(curve, nullptr);
  EXPECT_EQ(curve->values, (Array<float>{1}));
}

TEST(SceneTracks, KeysOnTheBordersBelongToTheSequence) {
  Trial trial{make_track("KGTR", Interpolation::linear, along_x({{1000, 1}, {1400, 3}}))};
  trial.sequences.push_back(test::make_sequence("Next", 1400, 1500));
  ASSERT_NE(trial.play(), nullptr);
  const auto* next = trial.play(1);
  ASSERT_NE(next, nullptr);
  EXPECT_EQ(next->values, (Array<float>{3, 0, 0}));
}

TEST(SceneTracks, StepsTakeTheLowerKeyAndBeforeTheFirstOneTheLast) {
  Trial trial{make_track("KGAO", Interpolation::none, {{1100, {0}}, {1200, {0.75F}}})};
  const auto* curve = trial.play();
  ASSERT_NE(curve, nullptr);
  EXPECT_EQ(curve->mode, CurveMode::step);
  EXPECT_EQ(x_at(*curve, 0.05F), 0.75F);
  EXPECT_EQ(x_at(*curve, 0.1F), 0);
  EXPECT_EQ(x_at(*curve, 0.199F), 0);
  EXPECT_EQ(x_at(*curve, 0.4F), 0.75F);
}

TEST(SceneTracks, OfTwoKeysAtOneFrameTheCurveJumpsToTheLast) {
  Trial trial{make_track("KGTR", Interpolation::linear,
                         along_x({{1000, 0}, {1200, 2}, {1200, 50}, {1200, 8}, {1400, 10}}))};
  const auto* curve = trial.play();
  ASSERT_NE(curve, nullptr);
  EXPECT_FLOAT_EQ(x_at(*curve, 0.1F), 1);
  EXPECT_NEAR(x_at(*curve, 0.1999F), 2, 2e-3);
  EXPECT_FLOAT_EQ(x_at(*curve, 0.2F), 8);
  EXPECT_FLOAT_EQ(x_at(*curve, 0.3F), 9);
}

/// Keys of one frame stay in the file's order, or the curve depended on the library's sort.
TEST(SceneTracks, UnsortedKeysOfOneFrameStayInOrder) {
  constexpr int kKeys = 40;  // more than a sort takes one by one
  std::vector<TrackKey> keys = {{1400, {100, 0, 0}}};
  for (int i = 0; i < kKeys; ++i) {
    keys.push_back({i % 2 == 0 ? 1000 : 1200, {static_cast<float>(i), 0, 0}});
  }
  Trial trial{make_track("KGTR", Interpolation::linear, keys)};
  const auto* curve = trial.play();
  ASSERT_NE(curve, nullptr);
  EXPECT_FLOAT_EQ(x_at(*curve, 0.1F), (kKeys - 2 + 1) / 2.0F)
      << "from the last of the first to the first of the next";
  EXPECT_FLOAT_EQ(x_at(*curve, 0.3F), (kKeys - 1 + 100) / 2.0F);
}

TEST(SceneTracks, UnsortedKeysAreSortedAndReported) {
  Trial trial{make_track("KGTR", Interpolation::linear, along_x({{1400, 4}, {1000, 0}, {1200, 1}}))};
  const auto* curve = trial.play();
  ASSERT_NE(curve, nullptr);
  EXPECT_FLOAT_EQ(x_at(*curve, 0.1F), 0.5F);
  EXPECT_FLOAT_EQ(x_at(*curve, 0.3F), 2.5F);
  EXPECT_TRUE(trial.reported(codes::kSceneTrack));
}

TEST(SceneTracks, NumbersThatAreNoneBecomeTheDefault) {
  Trial moved{make_track("KGTR", Interpolation::linear, {{1000, {kNan, 2, 3}}, {1400, {4, 5, 6}}})};
  const auto* curve = moved.play();
  ASSERT_NE(curve, nullptr);
  EXPECT_EQ(curve->values[0], 0);
  EXPECT_TRUE(moved.reported(codes::kSceneTrack));
  Trial turned{make_track("KGRT", Interpolation::linear, {{1000, {0, 0, 0, 0}}, {1400, {0, 0, 2, 0}}})};
  const auto* rotation = turned.play();
  ASSERT_NE(rotation, nullptr);
  EXPECT_EQ(rotation->values, (Array<float>{0, 0, 0, 1, 0, 1, 0, 0}));
}

/// Compares a translation track with the formula, wrapped ends included.
void expect_formula(Interpolation interpolation) {
  const std::vector<TrackKey> keys = {{1050, {1, 0, 0, 2, 0, 0, -3, 0, 0}},
                                      {1150, {4, 0, 0, 1, 0, 0, 6, 0, 0}},
                                      {1330, {-2, 0, 0, 5, 0, 0, 2, 0, 0}}};
  Trial trial{make_track("KGTR", interpolation, keys)};
  const auto* curve = trial.play();
  ASSERT_NE(curve, nullptr);
  EXPECT_EQ(curve->mode, CurveMode::cubic);
  EXPECT_EQ(curve->times.size(), 5U);
  const auto document = trial.document();
  const test::MdxOracle oracle(document);
  for (int ms = 0; ms <= 400; ms += 7) {
    const auto expected = oracle.value(&trial.track, {0, static_cast<double>(ms), 0}, {});
    EXPECT_NEAR(x_at(*curve, static_cast<float>(ms) / 1000), expected[0], 2e-5) << ms;
  }
}

TEST(SceneTracks, HermiteIsExactAlsoWhereTheEndsCutIt) { expect_formula(Interpolation::hermite); }
TEST(SceneTracks, BezierIsExactAlsoWhereTheEndsCutIt) { expect_formula(Interpolation::bezier); }

/// Quaternions about changing axes, not all of unit length or equal sign.
std::vector<TrackKey> turning(bool tangents) {
  std::vector<TrackKey> keys = {{1040, {0.1F, 0.2F, 0.3F, 0.9F}},
                                {1120, {-0.7F, 0.1F, 0.4F, -0.5F}},
                                {1260, {0.2F, 1.8F, -0.3F, 0.8F}},
                                {1380, {0.5F, 0.5F, 0.5F, -0.5F}}};
  if (tangents) {
    for (auto& key : keys) {
      auto& n = key.numbers;
      n.insert(n.end(), {n[0] + 0.2F, n[1], n[2] - 0.1F, n[3]});
      n.insert(n.end(), {n[0], n[1] - 0.15F, n[2], n[3] + 0.1F});
    }
  }
  return keys;
}

void expect_rotation(Interpolation interpolation, float tolerance, double allowed) {
  Trial trial{make_track("KGRT", interpolation, turning(interpolation != Interpolation::linear))};
  trial.options.rotation_tolerance = tolerance;
  const auto* curve = trial.play();
  ASSERT_NE(curve, nullptr);
  const auto document = trial.document();
  const test::MdxOracle oracle(document);
  for (double ms = 0; ms <= 400; ms += 1.3) {
    const auto q = oracle.value(&trial.track, {0, ms, 0}, {});
    const Vec4 played = scene::evaluate_rotation(*curve, static_cast<float>(ms / 1000));
    const scene::Vec4d expected = {q[0], q[2], -q[1], q[3]};
    EXPECT_LT(scene::rotation_angle(scene::widen(played), expected), allowed) << ms;
  }
  const std::size_t stride = curve->mode == CurveMode::cubic ? 12 : 4;
  const std::size_t value = curve->mode == CurveMode::cubic ? 4 : 0;
  for (std::size_t key = 1; key < curve->times.size(); ++key) {
    float product = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      product += curve->values[(key - 1) * stride + value + i] * curve->values[key * stride + value + i];
    }
    EXPECT_GE(product, 0) << "neighbouring keys of different sign";
  }
}

TEST(SceneTracks, LinearRotationsTakeTheShorterWay) { expect_rotation(Interpolation::linear, 2e-5F, 2e-6); }
TEST(SceneTracks, HermiteRotationsAreFitted) { expect_rotation(Interpolation::hermite, 2e-5F, 3e-5); }
TEST(SceneTracks, BezierRotationsAreFitted) { expect_rotation(Interpolation::bezier, 2e-5F, 3e-5); }
TEST(SceneTracks, TheToleranceOfFittingIsAnOption) { expect_rotation(Interpolation::hermite, 1e-2F, 1.1e-2); }

TEST(SceneTracks, LooserToleranceNeedsFewerKeys) {
  Trial fine{make_track("KGRT", Interpolation::hermite, turning(true))};
  Trial coarse{make_track("KGRT", Interpolation::hermite, turning(true))};
  coarse.options.rotation_tolerance = 1e-2F;
  const auto* many = fine.play();
  const auto* few = coarse.play();
  ASSERT_TRUE(many != nullptr && few != nullptr);
  EXPECT_LT(few->times.size(), many->times.size());
}

TEST(SceneTracks, GlobalSequencesGetClipsOfTheirOwn) {
  Trial trial{make_track("KGTR", Interpolation::linear, along_x({{0, 0}, {500, 5}}), 1)};
  trial.globals = {700, 1000};
  ASSERT_EQ(trial.play(0), nullptr);
  const auto* curve = trial.play(1);
  ASSERT_NE(curve, nullptr);
  ASSERT_EQ(trial.scene.clips.size(), 2U);
  EXPECT_EQ(trial.scene.clips[1].name, "global:1");
  EXPECT_TRUE(trial.scene.clips[1].global);
  EXPECT_EQ(trial.scene.clips[1].duration, 1);
  EXPECT_FLOAT_EQ(x_at(*curve, 0.75F), 2.5F);  // half of the way back
}

TEST(SceneTracks, GlobalSequencesWithoutLengthStandAtTheirStart) {
  Trial trial{make_track("KGTR", Interpolation::linear, along_x({{0, 3}, {500, 5}}), 0)};
  trial.globals = {0};
  const auto* curve = trial.play(1);
  ASSERT_NE(curve, nullptr);
  EXPECT_EQ(trial.scene.clips[1].duration, 0);
  EXPECT_EQ(curve->values, (Array<float>{3, 0, 0}));
}

TEST(SceneTracks, AGlobalTrackThatBeginsTooLateIsAConstant) {
  Trial trial{make_track("KGTR", Interpolation::linear, along_x({{900, 3}, {950, 5}}), 0)};
  trial.globals = {800};
  const auto* curve = trial.play(1);
  ASSERT_NE(curve, nullptr);
  EXPECT_EQ(curve->values, (Array<float>{3, 0, 0}));
}

TEST(SceneTracks, AGlobalSequenceThatDoesNotExistIsNone) {
  Trial trial{make_track("KGTR", Interpolation::linear, along_x({{1000, 3}, {1400, 5}}), 4)};
  EXPECT_NE(trial.play(0), nullptr);
  EXPECT_TRUE(trial.reported(codes::kSceneReference));
}

TEST(SceneTracks, SequencesWithoutLengthShowTheirStart) {
  Trial trial{make_track("KGTR", Interpolation::linear, along_x({{1000, 3}, {1400, 5}}))};
  trial.sequences = {test::make_sequence("Point", 1400, 1400), test::make_sequence("Backwards", 1000, 400)};
  const auto* point = trial.play(0);
  ASSERT_NE(point, nullptr);
  EXPECT_EQ(point->values, (Array<float>{5, 0, 0}));
  const auto* backwards = trial.play(1);
  ASSERT_NE(backwards, nullptr);
  EXPECT_EQ(backwards->values, (Array<float>{3, 0, 0}));
  EXPECT_EQ(trial.scene.clips[1].duration, 0);
  EXPECT_TRUE(trial.reported(codes::kSceneSequence));
}

TEST(SceneTracks, FramesAtTheEndsOfTheNumberRangeKeepTimesInOrder) {
  constexpr std::int32_t kLow = std::numeric_limits<std::int32_t>::min();
  constexpr std::int32_t kHigh = std::numeric_limits<std::int32_t>::max();
  Trial trial{make_track("KGTR", Interpolation::hermite,
                         {{kLow, {1, 0, 0, 3e38F, 0, 0, 3e38F, 0, 0}},
                          {kHigh - 1, {2, 0, 0, 3e38F, 0, 0, -3e38F, 0, 0}},
                          {kHigh, {3e38F, 0, 0, 1, 0, 0, 1, 0, 0}}})};
  trial.sequences = {test::make_sequence("All", 0x80000000U, 0x7FFFFFFFU)};
  EXPECT_NE(trial.play(), nullptr);  // problems_of has looked at the times and numbers
}

TEST(SceneTracks, ClipsBeyondTheLimitAreLeftOut) {
  Trial trial{make_track("KGTR", Interpolation::linear, along_x({{0, 0}, {100, 1}, {2000, 2}}))};
  trial.sequences.assign(100, test::make_sequence("Again", 0, 2000));
  trial.options.max_curve_values = 500;
  trial.play();
  EXPECT_LT(trial.scene.clips.size(), 50U);
  EXPECT_GT(trial.scene.clips.size(), 10U);
  EXPECT_TRUE(trial.reported(codes::kInputTooLarge));
}

TEST(SceneTracks, ClipsAreNamedAsInTheGame) {
  Trial trial{make_track("KGTR", Interpolation::linear, along_x({{1000, 0}}))};
  trial.sequences = {test::make_sequence("Stand - 1 ", 0, 10), test::make_sequence("", 10, 20)};
  trial.sequences[1].flags = mdx::Sequence::kNonLooping;
  trial.play();
  EXPECT_EQ(trial.scene.clips[0].name, "Stand - 1 ");
  EXPECT_TRUE(trial.scene.clips[0].looping);
  EXPECT_EQ(trial.scene.clips[1].name, "Sequence 1");
  EXPECT_FALSE(trial.scene.clips[1].looping);
}

}  // namespace
}  // namespace thaw
