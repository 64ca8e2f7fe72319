// Which clip shows a model.
#include <gtest/gtest.h>

#include "scene/clips.hpp"

namespace thaw::scene {
namespace {

Clip clip_of(std::string name, bool looping = true) {
  Clip clip;
  clip.name = std::move(name);
  clip.duration = 1;
  clip.looping = looping;
  return clip;
}

/// A triangle, and clips by name.
Scene scene_of(const std::vector<std::string>& names) {
  Scene scene;
  scene.nodes.resize(1);
  Mesh& mesh = scene.meshes.emplace_back();
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  mesh.indices = {0, 1, 2};
  mesh.parts = {{0, 3, kNone}};
  mesh.node = 0;
  for (const auto& name : names) {
    scene.clips.push_back(clip_of(name));
  }
  return scene;
}

void add(Clip& clip, const Target& target, Property property, const std::vector<float>& value) {
  Channel& channel = clip.channels.emplace_back();
  channel.target = target;
  channel.property = property;
  channel.curve.components = static_cast<unsigned>(value.size());
  channel.curve.times = {0};
  channel.curve.values.assign(value.begin(), value.end());
}

void hide(Clip& clip) { add(clip, {Target::Kind::mesh, 0, 0}, Property::mesh_alpha, {0}); }

TEST(DefaultClip, IsThePlainestStand) {
  EXPECT_EQ(default_clip(scene_of({"Walk", "Stand Ready", "Stand - 2", "Portrait"})), 2U);
  EXPECT_EQ(default_clip(scene_of({"Walk", "Death"})), 0U);
  EXPECT_EQ(default_clip(scene_of({})), kNone);
  Scene scene = scene_of({"Death", "Walk"});
  scene.clips[0].looping = false;
  EXPECT_EQ(default_clip(scene), 1U) << "a clip that loops";
}

TEST(DefaultClip, OfAPortraitIsAPortrait) {
  const Scene scene = scene_of({"Stand", "Portrait Talk", "Portrait - 1"});
  EXPECT_FALSE(is_portrait(scene)) << "its own body is seen as well";
  EXPECT_EQ(default_clip(scene), 0U);
  EXPECT_TRUE(is_portrait(scene, "Footman_Portrait"));
  EXPECT_EQ(default_clip(scene, "Footman_Portrait"), 2U);
  EXPECT_EQ(default_clip(scene_of({"Base", "Portrait Talk", "Portrait"})), 2U);
  EXPECT_EQ(default_clip(scene_of({"Portrait - 1", "Portrait", "Portrait - 2"})), 1U);
  Scene named = scene;
  named.name = "footman_portrait";
  EXPECT_EQ(default_clip(named), 2U);
}

TEST(DefaultClip, ShowsSomething) {
  Scene scene = scene_of({"Stand", "Walk", "Death"});
  hide(scene.clips[0]);
  EXPECT_FALSE(shows_something(scene, scene.clips.data(), 0));
  EXPECT_TRUE(shows_something(scene, nullptr, 0));
  EXPECT_EQ(default_clip(scene), 1U);
  hide(scene.clips[1]);
  hide(scene.clips[2]);
  EXPECT_EQ(default_clip(scene), 0U) << "where none does, it is as ever";
}

TEST(DefaultClip, ScalesAndLayersHideAsWell) {
  Scene scene = scene_of({"Stand", "Walk"});
  add(scene.clips[0], {Target::Kind::node, 0, 0}, Property::scale, {0, 0, 0});
  EXPECT_EQ(default_clip(scene), 1U);
  scene = scene_of({"Stand", "Walk"});
  scene.materials.emplace_back().layers.emplace_back();
  scene.meshes[0].parts[0].material = 0;
  add(scene.clips[0], {Target::Kind::layer, 0, 0}, Property::layer_alpha, {0});
  EXPECT_EQ(default_clip(scene), 1U);
}

TEST(DefaultClip, SparksAreSomethingToSee) {
  Scene scene = scene_of({"Stand", "Death"});
  hide(scene.clips[0]);
  scene.emitters.emplace_back().node = 0;
  EXPECT_EQ(default_clip(scene), 0U);
  add(scene.clips[0], {Target::Kind::node, 0, 0}, Property::visibility, {0});
  EXPECT_EQ(default_clip(scene), 1U);
}

TEST(DefaultClip, ABrokenSceneIsRequested) {
  Scene scene = scene_of({"Stand"});
  scene.meshes[0].parts[0].material = 7;
  scene.meshes[0].node = 9;
  scene.nodes[0].parent = 4;
  add(scene.clips[0], {Target::Kind::node, 9, 0}, Property::scale, {0, 0, 0});
  add(scene.clips[0], {Target::Kind::node, 0, 0}, Property::scale, {0});
  EXPECT_EQ(default_clip(scene), 0U);
}

}  // namespace
}  // namespace thaw::scene
