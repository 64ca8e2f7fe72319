// Loops that run beside all clips, put into them.
#include <gtest/gtest.h>

#include "scene/curve.hpp"
#include "scene/loops.hpp"

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
