// Loops that run beside all clips, put into them.
#include <gtest/gtest.h>

#include "scene/clips.hpp"
#include "scene/curve.hpp"
#include "scene/math.hpp"

namespace thaw::scene {
namespace {

Channel rising(Index node) {
  Channel channel;
  channel.target = {Target::Kind::node, node, 0};
  channel.property = Property::translation;
  channel.curve.mode = CurveMode::linear;
  channel.curve.components = 3;
  channel.curve.times = {0, 0.5F};
  channel.curve.values = {0, 0, 0, 0, 1, 0};
  return channel;
}

/// Two clips of 1.25 s, the second of which moves node 1 itself, and a loop of half a second that moves both.
Scene looping() {
  Scene scene;
  scene.nodes.resize(2);
  for (const char* name : {"Stand", "Walk"}) {
    Clip& clip = scene.clips.emplace_back();
    clip.name = name;
    clip.duration = 1.25F;
  }
  Clip& loop = scene.clips.emplace_back();
  loop.name = "global:0";
  loop.global = true;
  loop.duration = 0.5F;
  loop.channels = {rising(0), rising(1)};
  scene.clips[1].channels = {rising(1)};
  return scene;
}

float height(const Channel& channel, float time) {
  Vec3 value{};
  evaluate(channel.curve, time, value);
  return value[1];
}

TEST(BakeLoops, RepeatsThemInEveryClip) {
  Scene scene = looping();
  Diagnostics diagnostics;
  bake_loops(scene, diagnostics);
  ASSERT_EQ(scene.clips.size(), 2U) << "the loop is gone";
  ASSERT_EQ(scene.clips[0].channels.size(), 2U);
  for (const float start : {0.0F, 0.5F, 1.0F}) {
    EXPECT_NEAR(height(scene.clips[0].channels[0], start + 0.01F), 0.02, 1e-4);
    EXPECT_NEAR(height(scene.clips[0].channels[0], start + 0.2F), 0.4, 1e-4);
  }
  EXPECT_NEAR(height(scene.clips[0].channels[0], 0.499F), 0.998, 1e-3);
  EXPECT_LE(scene.clips[0].channels[0].curve.times.back(), 1.25F) << "the clip is no longer for it";
}

TEST(BakeLoops, LeavesToAClipWhatItMoves) {
  Scene scene = looping();
  Diagnostics diagnostics;
  bake_loops(scene, diagnostics);
  ASSERT_EQ(scene.clips[1].channels.size(), 2U);
  EXPECT_EQ(scene.clips[1].channels[0].curve.times.size(), 2U) << "its own";
  EXPECT_EQ(scene.clips[1].channels[1].target.index, 0U);
}

TEST(BakeLoops, KeepsLoopsOnWhichEventsFire) {
  Scene scene = looping();
  scene.clips.insert(scene.clips.begin() + 2, scene.clips[2]);
  scene.events.emplace_back().global_loop = 3;
  Diagnostics diagnostics;
  bake_loops(scene, diagnostics);
  ASSERT_EQ(scene.clips.size(), 3U);
  EXPECT_EQ(scene.events[0].global_loop, 2U);
  EXPECT_TRUE(scene.clips[2].channels.empty());
}

TEST(BakeLoops, CubicOnesKeepTheirSlopesWhereATurnIsCut) {
  Scene scene = looping();
  // A parabola from 0 to 1 over the second half of the loop, which stands still before it: 2 per second at
  // the end.
  Channel& channel = scene.clips[2].channels[0];
  channel.curve.mode = CurveMode::cubic;
  channel.curve.times = {0.25F, 0.5F};
  channel.curve.values = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 1, 0, 0, 0, 0};
  const Channel loop = channel;
  scene.clips[0].duration = 0.9F;
  Diagnostics diagnostics;
  bake_loops(scene, diagnostics);
  const Channel& baked = scene.clips[0].channels[0];
  EXPECT_EQ(baked.curve.values.size(), baked.curve.times.size() * 9);
  EXPECT_NEAR(baked.curve.times.back(), 0.9, 1e-6);
  for (const float time : {0.1F, 0.3F, 0.4F, 0.45F, 0.6F, 0.74F, 0.8F, 0.85F, 0.9F}) {
    EXPECT_NEAR(height(baked, time), height(loop, time < 0.5F ? time : time - 0.5F), 1e-3) << time;
  }
  // The cut is a key with the slope that the parabola, 16 t², has there.
  // at 0.25.
  EXPECT_NEAR(baked.curve.values[baked.curve.values.size() - 9 + 1], 16 * 2 * 0.15, 0.05);
}

TEST(BakeLoops, RotationsTurnTheShorterWay) {
  Scene scene = looping();
  Channel& channel = scene.clips[2].channels[0];
  channel.property = Property::rotation;
  channel.curve.components = 4;
  channel.curve.times = {0.25F, 0.5F};
  const auto half = static_cast<float>(std::sqrt(0.5));
  channel.curve.values = {0, 0, 0, 1, 0, 0, -half, -half};
  scene.clips[0].duration = 0.375F;
  Diagnostics diagnostics;
  bake_loops(scene, diagnostics);
  const Curve& baked = scene.clips[0].channels[0].curve;
  ASSERT_EQ(baked.times.size(), 3U) << "where the loop begins, its key, and the cut";
  EXPECT_NEAR(std::fabs(baked.values[8 + 2]), std::sin(kPi / 8), 1e-5);
  EXPECT_NEAR(std::fabs(baked.values[8 + 3]), std::cos(kPi / 8), 1e-5);
}

TEST(BakeLoops, StayWhereNothingElsePlays) {
  Scene scene = looping();
  scene.clips.erase(scene.clips.begin(), scene.clips.begin() + 2);
  Diagnostics diagnostics;
  bake_loops(scene, diagnostics);
  ASSERT_EQ(scene.clips.size(), 1U);
  EXPECT_EQ(scene.clips[0].channels.size(), 2U);
}

TEST(BakeLoops, AreNotMadeOfMoreKeysThanAnybodyCanUse) {
  Scene scene = looping();
  scene.clips[0].duration = 1e9F;
  scene.clips[2].duration = 1e-6F;
  Diagnostics diagnostics;
  bake_loops(scene, diagnostics);
  EXPECT_EQ(scene.clips.size(), 3U);
  EXPECT_EQ(diagnostics.items().size(), 1U);
}

}  // namespace
}  // namespace thaw::scene
