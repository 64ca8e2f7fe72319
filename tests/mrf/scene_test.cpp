// Morph models as scenes, scenes as morph models, and morph models in the models that show them.
#include <thaw/codes.hpp>
#include <thaw/gltf.hpp>
#include <thaw/mrf.hpp>

#include <gtest/gtest.h>

#include <cmath>

#include "scene/curve.hpp"
#include "scene/math.hpp"
#include "support/scene_pose.hpp"

namespace thaw::mrf {
namespace {

/// A triangle that rises; its height in frame i is `height(i)`.
template <class Height>
Document rising(std::size_t frames, const Height& height) {
  Document document;
  document.header.frame_duration = 0.1F;
  const std::string path = "a\\b.blp";
  document.texture_path.assign(path.begin(), path.end());
  document.texture_path.push_back('\0');
  for (const std::uint16_t index : {std::uint16_t{0}, std::uint16_t{1}, std::uint16_t{2}}) {
    document.indices.push_back(index);
  }
  for (int i = 0; i < 3; ++i) {
    document.uvs.push_back({static_cast<float>(i) / 2, 0.25F});
  }
  for (std::size_t i = 0; i < frames; ++i) {
    Frame& frame = document.frames.emplace_back();
    const float z = height(i);
    frame.vertices.push_back({0, 0, z, 0, 0, 1});
    frame.vertices.push_back({100, 0, z, 0, 0, 1});
    frame.vertices.push_back({0, 100, z, 0, 0, 1});
  }
  lay_out(document);
  return document;
}

float line(std::size_t i) { return 10.0F * static_cast<float>(i); }

TEST(MrfScene, TurnsAxesAndScales) {
  Diagnostics diagnostics;
  const auto scene = to_scene(rising(3, line), "m", {}, diagnostics);
  ASSERT_EQ(scene.meshes.size(), 1U);
  const auto& mesh = scene.meshes[0];
  EXPECT_EQ(mesh.positions[1], (Vec3{1, 0, 0}));
  EXPECT_EQ(mesh.positions[2], (Vec3{0, 0, -1}));
  EXPECT_EQ(mesh.normals[0], (Vec3{0, 1, 0}));
  ASSERT_EQ(mesh.morph_targets.size(), 2U);
  EXPECT_FLOAT_EQ(mesh.morph_targets[1].positions[0][1], 0.2F);
  ASSERT_EQ(scene.clips.size(), 1U);
  EXPECT_FLOAT_EQ(scene.clips[0].duration, 0.2F);
  EXPECT_EQ(scene.bounds.maximum, (Vec3{1, 0, 0}));
  EXPECT_EQ(scene.clips[0].channels.at(0).curve.values, (Array<float>{0, 0, 1, 0, 0, 1}));
}

/// Of the clip of a scene, by target.
float weight_at(const scene::Scene& scene, float time, std::size_t target) {
  const auto& curve = scene.clips.at(0).channels.at(0).curve;
  std::vector<float> values(curve.components);
  scene::evaluate(curve, time, values);
  return values.at(target);
}

TEST(MrfScene, ElapsedIsWhereTheClipBegins) {
  Diagnostics diagnostics;
  auto document = rising(6, line);
  document.header.elapsed = 0.2F;
  const auto ahead = to_scene(document, "m", {}, diagnostics);
  EXPECT_FLOAT_EQ(ahead.clips.at(0).duration, 0.3F);
  EXPECT_NEAR(weight_at(ahead, 0, 1), 1, 1e-5) << "frame 2 at once";
  document.header.elapsed = -0.3F;
  const auto delayed = to_scene(document, "m", {}, diagnostics);
  EXPECT_FLOAT_EQ(delayed.clips.at(0).duration, 0.8F);
  EXPECT_NEAR(weight_at(delayed, 0.3F, 0), 0, 1e-5);
  EXPECT_NEAR(weight_at(delayed, 0.4F, 0), 1, 1e-4);
  const auto again = from_scene(delayed, {}, diagnostics);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->frames.size(), 6U);
  EXPECT_FLOAT_EQ(again->header.elapsed, -0.3F);
  EXPECT_NEAR(again->frames[3].vertices[0][2], line(3), 1e-3);
}

TEST(MrfScene, AFrameOfNoTimeShowsNothing) {
  Diagnostics diagnostics;
  auto document = rising(3, line);
  document.header.frame_duration = 0;
  const auto scene = to_scene(document, "m", {}, diagnostics);
  ASSERT_EQ(scene.meshes.size(), 1U);
  EXPECT_EQ(scene.meshes[0].alpha, 0);
  EXPECT_TRUE(scene.clips.empty());
}

TEST(MrfScene, ThinsOut) {
  Diagnostics diagnostics;
  SceneOptions options;
  options.every = 4;
  const auto every = to_scene(rising(11, line), "m", options, diagnostics);
  EXPECT_EQ(every.meshes[0].morph_targets.size(), 3U);  // 4, 8 and the last
  EXPECT_FLOAT_EQ(every.clips[0].duration, 1.0F);
  options = {};
  options.max_error = 1e-4F;
  EXPECT_EQ(to_scene(rising(11, line), "m", options, diagnostics).meshes[0].morph_targets.size(), 1U);
  // One frame that is off by 3 cm stays, with what is needed around it.
  const auto bent = [](std::size_t i) { return i == 5 ? 53.0F : line(i); };
  const auto reduced = to_scene(rising(11, bent), "m", options, diagnostics);
  const auto& weights = reduced.clips[0].channels[0].curve;
  std::vector<float> at(weights.components);
  scene::evaluate(weights, 0.5F, at);
  float height = 0;
  for (std::size_t i = 0; i < at.size(); ++i) {
    height += at[i] * reduced.meshes[0].morph_targets[i].positions[0][1];
  }
  EXPECT_NEAR(height, 0.53F, 1e-4);
}

TEST(MrfScene, DoesWhatTheGameDoesWithOddTimes) {
  Diagnostics diagnostics;
  auto negative = rising(3, line);
  negative.header.frame_duration = -1;
  const auto last = to_scene(negative, "m", {}, diagnostics);
  EXPECT_TRUE(last.clips.empty());
  EXPECT_FLOAT_EQ(last.meshes[0].positions[0][1], 0.2F);
  EXPECT_TRUE(diagnostics.items().empty());
  auto zero = rising(3, line);
  zero.header.frame_duration = 0;
  EXPECT_TRUE(to_scene(zero, "m", {}, diagnostics).clips.empty());
  EXPECT_EQ(diagnostics.items().size(), 1U);
}

/// The game would show nothing of it: who wants it back gets frames that pass, and is told.
TEST(MrfFromScene, FramesOfNoTimeGetOne) {
  Diagnostics diagnostics;
  auto original = rising(3, line);
  original.header.frame_duration = 0;
  const auto scene = to_scene(original, "m", {}, diagnostics);
  Diagnostics findings;
  const auto back = from_scene(scene, {}, findings);
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_GT(back->header.frame_duration, 0);
  EXPECT_TRUE(std::any_of(findings.items().begin(), findings.items().end(), [](const auto& finding) {
    return finding.code == codes::kSceneChanged &&
           finding.message == "frame duration changed from 0 s to 0.0333 s";
  }));
}

TEST(MrfFromScene, GltfAndBackIsTheSame) {
  Diagnostics diagnostics;
  const auto original = rising(7, [](std::size_t i) { return 20 * std::sin(static_cast<float>(i)); });
  const auto files = write_gltf(to_scene(original, "m", {}, diagnostics), {}, diagnostics);
  ASSERT_TRUE(files);
  const auto scene = read_gltf(files->front().bytes, {}, diagnostics);
  ASSERT_TRUE(scene) << scene.error().message;
  const auto back = from_scene(*scene, {}, diagnostics);
  ASSERT_TRUE(back) << back.error().message;
  ASSERT_EQ(back->frames.size(), original.frames.size());
  EXPECT_EQ(back->header.frame_duration, original.header.frame_duration);
  EXPECT_EQ(back->uvs, original.uvs);
  EXPECT_EQ(back->indices, original.indices);
  EXPECT_EQ(back->texture_path, original.texture_path);
  for (std::size_t i = 0; i < original.frames.size(); ++i) {
    for (std::size_t v = 0; v < 3; ++v) {
      for (std::size_t axis = 0; axis < 6; ++axis) {
        ASSERT_NEAR(back->frames[i].vertices[v][axis], original.frames[i].vertices[v][axis], 1e-4)
            << i << " " << v << " " << axis;
      }
    }
  }
  EXPECT_TRUE(diagnostics.items().empty());
}

/// A mesh on a node that moves, without morph targets and normals.
scene::Scene moving_triangle() {
  scene::Scene scene;
  scene.nodes.emplace_back().kind = scene::NodeKind::mesh;
  scene.textures.emplace_back().path = "Textures\\a.blp";
  scene::Mesh& mesh = scene.meshes.emplace_back();
  for (const Vec3& position : {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 0, -1}}) {
    mesh.positions.push_back(position);
  }
  for (const std::uint32_t index : {0U, 1U, 2U}) {
    mesh.indices.push_back(index);
  }
  mesh.node = 0;
  scene::Clip& clip = scene.clips.emplace_back();
  clip.duration = 1;
  scene::Channel& channel = clip.channels.emplace_back();
  channel.curve.components = 3;
  for (const float value : {0.0F, 0.25F, 0.5F, 0.75F, 1.0F}) {
    channel.curve.times.push_back(value);
    for (const float number : {0.0F, value, 0.0F}) {
      channel.curve.values.push_back(number);
    }
  }
  return scene;
}

TEST(MrfFromScene, SamplesMovingNodes) {
  Diagnostics diagnostics;
  const auto document = from_scene(moving_triangle(), {}, diagnostics);
  ASSERT_TRUE(document) << document.error().message;
  EXPECT_EQ(document->header.frame_duration, 0.25F);  // the keys' distance
  ASSERT_EQ(document->frames.size(), 5U);
  EXPECT_FLOAT_EQ(document->frames[2].vertices[0][2], 50);
  EXPECT_EQ(document->frames[0].vertices[1], (Vertex{100, 0, 0, 0, 0, 1}));  // its normal is the face's
  EXPECT_EQ(document->texture_stem(), "Textures\\a");
  FromSceneOptions options;
  options.frame_duration = 0.1F;
  options.texture = "x";
  const auto finer = from_scene(moving_triangle(), options, diagnostics);
  ASSERT_TRUE(finer);
  EXPECT_EQ(finer->frames.size(), 11U);
  EXPECT_EQ(finer->texture_stem(), "x");
  ReadOptions strict;
  strict.strict = true;
  EXPECT_TRUE(read(write(*finer), strict, diagnostics));
}

TEST(MrfFromScene, WhatTurnsAndScalesPicturesStandsInTheCoordinates) {
  scene::Scene scene = moving_triangle();
  auto& mesh = scene.meshes.front();
  mesh.uv_sets = {{{0, 0}, {1, 0}, {0, 1}}};
  mesh.parts = {{0, 3, 0}};
  scene.materials.resize(1);
  scene.materials[0].layers.resize(1);
  scene.materials[0].layers[0].uv_animation = 0;
  scene.uv_animations.emplace_back().rest.scale = {0.5F, 0.25F};
  Diagnostics diagnostics;
  const auto document = from_scene(scene, {}, diagnostics);
  ASSERT_TRUE(document) << document.error().message;
  EXPECT_EQ(document->uvs[0], (Vec2{0.25F, 0.375F})) << "about the middle";
  EXPECT_EQ(document->uvs[2], (Vec2{0.25F, 0.625F}));
}

TEST(MrfFromScene, NodesThatMirrorAndStretchTurnFacesAndNormals) {
  scene::Scene scene;
  scene.nodes.emplace_back().rest.scale = {-2, 1, 1};
  auto& mesh = scene.meshes.emplace_back();
  mesh.node = 0;
  mesh.positions = {{0, 0, 0}, {1, -1, 0}, {0, 0, 1}};
  mesh.normals.resize(3, Vec3{-std::sqrt(0.5F), -std::sqrt(0.5F), 0});  // as its face
  mesh.indices = {0, 1, 2};
  mesh.parts = {{0, 3, scene::kNone}};
  Diagnostics diagnostics;
  const auto document = from_scene(scene, {}, diagnostics);
  ASSERT_TRUE(document) << document.error().message;
  EXPECT_EQ(document->indices, (Array<std::uint16_t>{0, 2, 1}));
  const auto& vertices = document->frames.at(0).vertices;
  const auto side = [&](std::size_t corner) {
    const auto& at = vertices[document->indices[corner]];
    return scene::Vec3d{double{at[0]}, double{at[1]}, double{at[2]}};
  };
  auto face = scene::cross(scene::subtract(side(1), side(0)), scene::subtract(side(2), side(0)));
  face = scene::scaled(face, 1 / scene::length(face));
  for (std::size_t axis = 0; axis < 3; ++axis) {
    EXPECT_NEAR(double{vertices[0][3 + axis]}, face.at(axis), 1e-6);
  }
}

TEST(MrfFromScene, TakesTheFinestLevelAndNoCollision) {
  auto scene = moving_triangle();
  const auto mesh = scene.meshes.at(0);
  const auto add_below = [&](scene::Index parent) {
    scene.nodes.emplace_back().parent = parent;
    scene.meshes.push_back(mesh);
    scene.meshes.back().node = static_cast<scene::Index>(scene.nodes.size() - 1);
    return scene.meshes.back().node;
  };
  const scene::Index coarse = add_below(scene::kNone);
  scene.nodes[mesh.node].lods = {coarse};
  add_below(coarse);
  scene.nodes[add_below(scene::kNone)].kind = scene::NodeKind::collision;
  add_below(scene::kNone);
  scene.meshes.back().name = "Collision_hull";
  Diagnostics diagnostics;
  const auto document = from_scene(scene, {}, diagnostics);
  ASSERT_TRUE(document) << document.error().message;
  EXPECT_EQ(document->frames.at(0).vertices.size(), mesh.positions.size());
  EXPECT_EQ(document->indices.size(), mesh.indices.size());
  ASSERT_EQ(diagnostics.items().size(), 4U);
  EXPECT_EQ(diagnostics.items()[0].code, codes::kSceneLost);
}

/// Two bones, the second of which turns and grows below the first, each with a vertex of its own and one that
/// both hold.
scene::Scene skinned_triangle() {
  scene::Scene scene;
  scene.nodes.resize(2);
  scene.nodes[1].parent = 0;
  scene.nodes[1].rest.translation = {0, 2, 0};
  scene::Skin skin;
  skin.joints = {0, 1};
  skin.inverse_bind = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1},
                       {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -2, 0, 1}};
  scene.skins.push_back(skin);
  scene::Mesh mesh;
  mesh.positions = {{1, 0, 0}, {0, 3, 0}, {0, 1, 1}};
  mesh.normals = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}};
  mesh.indices = {0, 1, 2};
  mesh.influences = 2;
  mesh.joints = {0, 0, 1, 0, 0, 1};
  mesh.weights = {1, 0, 1, 0, 0.25F, 0.75F};
  mesh.skin = 0;
  scene.meshes.push_back(mesh);
  scene::Clip clip;
  clip.name = "Turn";
  clip.duration = 1;
  scene::Channel turn;
  turn.target = {scene::Target::Kind::node, 1};
  turn.property = scene::Property::rotation;
  turn.curve.components = 4;
  turn.curve.times = {0, 1};
  turn.curve.values = {0, 0, 0, 1, 0, 0, 0.70710677F, 0.70710677F};
  clip.channels.push_back(turn);
  scene::Channel grow;
  grow.target = {scene::Target::Kind::node, 1};
  grow.property = scene::Property::scale;
  grow.curve.components = 3;
  grow.curve.times = {0, 1};
  grow.curve.values = {1, 1, 1, 2, 2, 2};
  clip.channels.push_back(grow);
  scene.clips.push_back(clip);
  return scene;
}

TEST(MrfFromScene, PlaysSkinsAsTheOtherEvaluatorDoes) {
  const scene::Scene scene = skinned_triangle();
  FromSceneOptions options;
  options.scale = 1;
  options.frame_duration = 0.05F;
  Diagnostics diagnostics;
  const auto document = from_scene(scene, options, diagnostics);
  ASSERT_TRUE(document) << document.error().message;
  ASSERT_GT(document->frames.size(), 10U);
  for (std::size_t f = 0; f < document->frames.size(); ++f) {
    const double time = static_cast<double>(f) * double{document->header.frame_duration};
    const auto expected = test::scene_positions(scene, {0, std::min(time, 1.0), 0}).at(0);
    for (std::size_t v = 0; v < 3; ++v) {
      const auto& vertex = document->frames[f].vertices[v];
      EXPECT_NEAR(vertex[0], expected[v][0], 1e-5) << f << ' ' << v;
      EXPECT_NEAR(vertex[1], -expected[v][2], 1e-5) << f << ' ' << v;
      EXPECT_NEAR(vertex[2], expected[v][1], 1e-5) << f << ' ' << v;
    }
  }
  EXPECT_NE(document->frames.front().vertices[1], document->frames.back().vertices[1]);
}

TEST(MrfFromScene, RefusesWhatDoesNotFit) {
  Diagnostics diagnostics;
  const auto nothing = from_scene({}, {}, diagnostics);
  ASSERT_FALSE(nothing);
  EXPECT_EQ(nothing.error().code, codes::kWriteUnsupported);
  auto scene = moving_triangle();
  scene.meshes[0].positions.resize(65537, Vec3{});
  EXPECT_FALSE(from_scene(scene, {}, diagnostics));
  FromSceneOptions options;
  options.frame_duration = 1e-5F;
  EXPECT_FALSE(from_scene(moving_triangle(), options, diagnostics));
}

/// A model of one clip from frame 1000 to 3000 whose events show and hide the morph model "A".
scene::Scene model_with_events(std::vector<std::int32_t> shows, std::vector<std::int32_t> hides) {
  scene::Scene scene;
  scene.nodes.emplace_back().kind = scene::NodeKind::root;
  scene.events.push_back({0, "MRFxA", scene::kNone, std::move(shows)});
  scene.events.push_back({0, "MRDxA", scene::kNone, std::move(hides)});
  scene.events.push_back({0, "SNDxWHAT", scene::kNone, {1500}});
  scene::Clip& clip = scene.clips.emplace_back();
  clip.duration = 2;
  clip.interval = {1000, 3000};
  return scene;
}

float value_at(const scene::Channel& channel, float time, std::size_t component = 0) {
  std::vector<float> values(channel.curve.components);
  scene::evaluate(channel.curve, time, values);
  return values[component];
}

TEST(MrfAttach, FindsIds) {
  const auto scene = model_with_events({1200}, {});
  EXPECT_EQ(event_ids(scene), std::vector<std::string>{"A"});
  EXPECT_EQ(game_path("A"), "doodads\\cinematic\\arthasillidanfight\\arthascapeA.mrf");
}

TEST(MrfAttach, ShowsAndPlaysFromTheEventOn) {
  Diagnostics diagnostics;
  auto scene = model_with_events({1500}, {2500});
  attach(scene, "A", rising(6, line), {}, diagnostics);
  ASSERT_EQ(scene.meshes.size(), 1U);
  EXPECT_EQ(scene.meshes[0].alpha, 0);
  EXPECT_EQ(scene.nodes[scene.meshes[0].node].parent, 0U);
  ASSERT_EQ(scene.clips[0].channels.size(), 2U);
  const auto& alpha = scene.clips[0].channels[0];
  EXPECT_EQ(value_at(alpha, 0.4F), 0);
  EXPECT_EQ(value_at(alpha, 0.6F), 1);
  EXPECT_EQ(value_at(alpha, 1.6F), 0);
  const auto& weights = scene.clips[0].channels[1];
  EXPECT_NEAR(value_at(weights, 0.6F, 0), 1, 1e-5);  // frame 1, a tenth of a second later
  EXPECT_NEAR(value_at(weights, 0.65F, 1), 0.5, 1e-4);
  EXPECT_NEAR(value_at(weights, 1.4F, 4), 1, 1e-5);  // the last frame stays
}

TEST(MrfAttach, ElapsedBeginsLaterOrDelays) {
  Diagnostics diagnostics;
  auto document = rising(6, line);
  document.header.elapsed = 0.2F;
  auto ahead = model_with_events({1000}, {});
  attach(ahead, "A", document, {}, diagnostics);
  EXPECT_NEAR(value_at(ahead.clips[0].channels[1], 0, 1), 1, 1e-5);  // frame 2 at once
  document.header.elapsed = -0.3F;
  auto delayed = model_with_events({1000}, {});
  attach(delayed, "A", document, {}, diagnostics);
  EXPECT_NEAR(value_at(delayed.clips[0].channels[1], 0.3F, 0), 0, 1e-5);
  EXPECT_NEAR(value_at(delayed.clips[0].channels[1], 0.4F, 0), 1, 1e-4);
}

TEST(MrfAttach, StaysHiddenWithoutAnEvent) {
  Diagnostics diagnostics;
  auto scene = model_with_events({5000}, {});
  attach(scene, "A", rising(3, line), {}, diagnostics);
  EXPECT_TRUE(scene.clips[0].channels.empty());
  EXPECT_EQ(scene.meshes[0].alpha, 0);
}

TEST(MrfAttach, EachShowBeginsAnew) {
  Diagnostics diagnostics;
  auto scene = model_with_events({1000, 2000}, {});
  attach(scene, "A", rising(6, line), {}, diagnostics);
  const auto& weights = scene.clips[0].channels[1];
  EXPECT_NEAR(value_at(weights, 0.9F, 4), 1, 1e-5);
  EXPECT_NEAR(value_at(weights, 1.1F, 0), 1, 1e-4);
}

// --- limits of the scene
// --------------------------------------------------------------------------------------------------

TEST(MrfScene, NormalsTurnAsPositionsDo) {
  auto document = rising(2, line);
  document.frames[0].vertices[0] = {1, 2, 3, 0.6F, 0.8F, 0.25F};
  document.frames[1].vertices[0] = {2, 2, 3, 0.5F, 1, 0};
  Diagnostics diagnostics;
  const auto scene = to_scene(document, "m", {}, diagnostics);
  const auto& mesh = scene.meshes.at(0);
  EXPECT_EQ(mesh.positions[0], (Vec3{0.01F, 0.03F, -0.02F}));
  EXPECT_EQ(mesh.normals[0], (Vec3{0.6F, 0.25F, -0.8F}));
  EXPECT_EQ(mesh.morph_targets.at(0).normals[0], (Vec3{0.5F - 0.6F, -0.25F, 0.8F - 1.0F}));
  EXPECT_EQ(mesh.morph_targets.at(0).name, "frame 1");
  EXPECT_EQ(mesh.uv_sets.at(0)[1], (Vec2{0.5F, 0.25F}));
  EXPECT_EQ(mesh.alpha, 1);
  EXPECT_EQ(mesh.node, 1U);
  EXPECT_EQ(scene.nodes.at(1).parent, 0U);
  EXPECT_EQ(scene.textures.at(0).path, "a\\b.blp");
  ASSERT_EQ(mesh.parts.size(), 1U);
  EXPECT_EQ(mesh.parts[0].first_index, 0U);
  EXPECT_EQ(mesh.parts[0].index_count, 3U);
  EXPECT_EQ(mesh.parts[0].material, 0U);
  EXPECT_FALSE(scene.clips.at(0).looping);
}

TEST(MrfScene, TrianglesOfMissingVerticesAreDroppedAndCounted) {
  const auto dropped = [](std::initializer_list<std::uint16_t> indices) {
    auto document = rising(2, line);
    document.indices = indices;
    lay_out(document);
    Diagnostics diagnostics;
    const auto scene = to_scene(document, "m", {}, diagnostics);
    return std::pair(scene.meshes.at(0).indices.size(),
                     diagnostics.items().empty() ? std::string() : diagnostics.items()[0].message);
  };
  using Reported = std::pair<std::size_t, std::string>;
  EXPECT_EQ(dropped({0, 1, 2, 2, 1, 0}), (Reported{6, ""}));
  const auto report = [](int count) {
    return std::to_string(count) + (count == 1 ? " index" : " indices") +
           " of incomplete triangles, or of triangles with missing vertices, left out";
  };
  EXPECT_EQ(dropped({3, 1, 2, 2, 1, 0}), (Reported{3, report(3)}));
  EXPECT_EQ(dropped({0, 3, 2}), (Reported{0, report(3)}));
  EXPECT_EQ(dropped({0, 1, 3}), (Reported{0, report(3)}));
  EXPECT_EQ(dropped({0, 1, 2, 0}), (Reported{3, report(1)}));
  EXPECT_EQ(dropped({0, 1, 2, 0, 1}), (Reported{3, report(2)}));
  EXPECT_EQ(dropped({0, 1, 9, 0, 1}), (Reported{0, report(5)}));
}

std::vector<std::string> target_names(const scene::Scene& scene) {
  std::vector<std::string> names;
  for (const auto& target : scene.meshes.at(0).morph_targets) {
    names.push_back(target.name);
  }
  return names;
}

TEST(MrfScene, EverySoManyFramesWithTheLast) {
  const auto names = [](std::size_t frames, std::uint32_t every) {
    SceneOptions options;
    options.every = every;
    Diagnostics diagnostics;
    return target_names(to_scene(rising(frames, line), "m", options, diagnostics));
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(names(7, 3), (Names{"frame 3", "frame 6"})) << "the last is one of them";
  EXPECT_EQ(names(8, 3), (Names{"frame 3", "frame 6", "frame 7"}));
  EXPECT_EQ(names(3, 0), (Names{"frame 1", "frame 2"}));
  EXPECT_EQ(names(1, 1), Names{});
}

TEST(MrfScene, ErrorsUpToTheBoundAreTaken) {
  // Frame 1 lies a quarter of a unit beside the line between its neighbours.
  const auto target_count = [](float bound) {
    SceneOptions options;
    options.scale = 1;
    options.max_error = bound;
    Diagnostics diagnostics;
    const auto bent = [](std::size_t i) { return i == 1 ? 1.25F : static_cast<float>(i); };
    return target_names(to_scene(rising(3, bent), "m", options, diagnostics)).size();
  };
  Diagnostics none;
  SceneOptions exact;
  exact.max_error = 0;
  const auto single = to_scene(rising(1, line), "m", exact, none);
  EXPECT_TRUE(single.meshes.at(0).morph_targets.empty()) << "one frame is no animation";
  EXPECT_TRUE(single.clips.empty());
  EXPECT_EQ(target_count(0.25F), 1U);
  EXPECT_EQ(target_count(0.2499F), 2U);
  EXPECT_EQ(target_count(0), 2U);
  EXPECT_EQ(target_count(-1), 2U);
  // What lies on the line exactly is not needed for an error of 0; each vertex counts.
  exact.scale = 1;
  auto document = rising(3, line);
  EXPECT_EQ(target_names(to_scene(document, "m", exact, none)).size(), 1U);
  document.frames[1].vertices.data()[0][2] += 1;
  EXPECT_EQ(target_names(to_scene(document, "m", exact, none)).size(), 2U);
}

TEST(MrfScene, FramesOnALineAreLeftOutAnywhere) {
  SceneOptions options;
  options.max_error = 0.01F;
  Diagnostics diagnostics;
  const auto late = [](std::size_t i) { return i < 2 ? 0 : 10 * static_cast<float>(i - 1); };
  EXPECT_EQ(target_names(to_scene(rising(6, late), "m", options, diagnostics)),
            (std::vector<std::string>{"frame 1", "frame 5"}));
}

TEST(MrfScene, OneInterpolationStandsForNoMoreThan256Frames) {
  SceneOptions options;
  options.max_error = 1;
  const auto names = [&](std::size_t frames) {
    Diagnostics diagnostics;
    return target_names(
        to_scene(rising(frames, [](std::size_t) { return 0.0F; }), "m", options, diagnostics));
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(names(257), (Names{"frame 256"}));
  EXPECT_EQ(names(258), (Names{"frame 256", "frame 257"}));
}

TEST(MrfScene, FarTooManyFramesAreThinnedAndReported) {
  Diagnostics diagnostics;
  const auto most = to_scene(rising(1024, line), "m", {}, diagnostics);
  EXPECT_EQ(most.meshes.at(0).morph_targets.size(), 1023U);
  EXPECT_TRUE(diagnostics.items().empty());
  const auto thinned = to_scene(rising(1025, line), "m", {}, diagnostics);
  EXPECT_EQ(thinned.meshes.at(0).morph_targets.size(), 512U);
  ASSERT_EQ(diagnostics.items().size(), 1U);
  EXPECT_EQ(diagnostics.items()[0].code, codes::kSceneApproximated);
}

TEST(MrfScene, AnAnimationThatNeverBeginsHasNoClip) {
  Diagnostics diagnostics;
  auto document = rising(3, line);
  document.header.elapsed = -1e6F;
  EXPECT_TRUE(to_scene(document, "m", {}, diagnostics).clips.empty());
  document.header.elapsed = std::nextafter(-1e6F, 0.0F);
  EXPECT_EQ(to_scene(document, "m", {}, diagnostics).clips.size(), 1U);
  document = rising(1, line);
  document.header.elapsed = 0.5F;
  EXPECT_TRUE(to_scene(document, "m", {}, diagnostics).clips.empty());
}

TEST(MrfScene, WithoutFramesThereIsNoMesh) {
  Diagnostics diagnostics;
  const auto scene = to_scene(rising(0, line), "m", {}, diagnostics);
  EXPECT_TRUE(scene.meshes.empty());
  EXPECT_EQ(scene.nodes.size(), 1U);
}

// --- limits of what is written
// --------------------------------------------------------------------------------------------------

/// A mesh that stands still, three metres wide.
scene::Scene still_triangle() {
  auto scene = moving_triangle();
  scene.clips.clear();
  scene.meshes.at(0).normals.resize(3, Vec3{0, 0, 0.5F});
  return scene;
}

std::vector<std::string> messages(const Diagnostics& diagnostics) {
  std::vector<std::string> result;
  for (const auto& finding : diagnostics.items()) {
    result.push_back(finding.message);
  }
  return result;
}
using Messages = std::vector<std::string>;

TEST(MrfFromScene, NormalsAreMadeUnitOrPointUp) {
  auto scene = still_triangle();
  scene.meshes[0].normals[1] = {0, 0, 0};
  scene.meshes[0].normals[2] = {0, 0, 1};
  const auto document = from_scene(scene);
  ASSERT_TRUE(document) << document.error().message;
  ASSERT_EQ(document->frames.size(), 1U);
  const auto& vertices = document->frames[0].vertices;
  EXPECT_EQ(vertices[0], (Vertex{0, 0, 0, 0, -1, 0}));
  EXPECT_EQ(vertices[1], (Vertex{100, 0, 0, 0, 0, 1}));
  EXPECT_EQ(vertices[2], (Vertex{0, 100, 0, 0, -1, 0}));
  EXPECT_FLOAT_EQ(document->header.radius, 100);
  EXPECT_FLOAT_EQ(document->header.frame_duration, 1.0F / 30);
}

TEST(MrfFromScene, TheRadiusReachesTheFarthestVertex) {
  FromSceneOptions options;
  options.scale = 100;
  auto scene = still_triangle();
  const auto small = from_scene(scene, options);
  ASSERT_TRUE(small);
  EXPECT_FLOAT_EQ(small->header.radius, 0.01F);
  scene.meshes[0].positions[0] = {2, 3, 6};
  const auto all = from_scene(scene, options);
  ASSERT_TRUE(all);
  EXPECT_FLOAT_EQ(all->header.radius, 0.07F);
}

TEST(MrfFromScene, MorphTargetsMayBeShorterThanTheMesh) {
  auto scene = still_triangle();
  auto& target = scene.meshes[0].morph_targets.emplace_back();
  target.positions.resize(3, Vec3{7, 7, 7});  // what lies behind the end is not looked at
  target.positions.resize(1);
  target.positions[0] = {0, 1, 0};
  target.normals.resize(3, Vec3{9, 9, 9});
  target.normals.resize(1);
  target.normals[0] = {0, 0.5F, -0.5F};
  scene::Clip& clip = scene.clips.emplace_back();
  clip.duration = 1;
  scene::Channel& channel = clip.channels.emplace_back();
  channel.target = {scene::Target::Kind::mesh, 0, 0};
  channel.property = scene::Property::weights;
  channel.curve.components = 1;
  channel.curve.times = {0, 1};
  channel.curve.values = {0, 1};
  const auto document = from_scene(scene);
  ASSERT_TRUE(document) << document.error().message;
  ASSERT_EQ(document->frames.size(), 2U);
  EXPECT_EQ(document->frames[0].vertices[0], (Vertex{0, 0, 0, 0, -1, 0}));
  EXPECT_EQ(document->frames[1].vertices[0], (Vertex{0, 0, 100, 0, 0, 1}));
  EXPECT_EQ(document->frames[1].vertices[1], document->frames[0].vertices[1]);
  EXPECT_EQ(document->frames[1].vertices[2], document->frames[0].vertices[2]);
  // A channel of another mesh, or with another number of weights, is not its own.
  scene.clips[0].channels[0].target.index = 1;
  EXPECT_EQ(from_scene(scene)->frames[1], from_scene(scene)->frames[0]);
  scene.clips[0].channels[0].target.index = 0;
  scene.clips[0].channels[0].curve.components = 2;
  scene.clips[0].channels[0].curve.values = {0, 0, 1, 1};
  EXPECT_EQ(from_scene(scene)->frames[1], from_scene(scene)->frames[0]);
  EXPECT_EQ(from_scene(scene)->frames[0].vertices[0][2], 0) << "a target that nothing plays";
}

TEST(MrfFromScene, FrameDurations) {
  auto scene = moving_triangle();
  const auto duration = [&] { return from_scene(scene).value().header.frame_duration; };
  auto& curve = scene.clips[0].channels[0].curve;
  EXPECT_EQ(duration(), 0.25F);
  // Up to a hundredth of the distance is still even.
  curve.times[2] = 0.502F;
  EXPECT_EQ(duration(), 0.25F);
  curve.times[2] = 0.503F;
  EXPECT_FLOAT_EQ(duration(), 1.0F / 30);
  curve.times[2] = 0.5F;
  // Of several channels the one with the most keys.
  scene.clips[0].channels.push_back(scene.clips[0].channels[0]);
  scene.clips[0].channels[1].curve.times = {0, 1};
  EXPECT_EQ(duration(), 0.25F);
  scene.clips[0].channels[1].curve.times = scene.clips[0].channels[0].curve.times;  // as many
  for (float& time : scene.clips[0].channels[1].curve.times) {
    time *= 2;
  }
  EXPECT_EQ(duration(), 0.25F);
  scene.clips[0].channels[1].curve.times = {0, 1};
  scene.clips[0].channels.erase(scene.clips[0].channels.begin());
  EXPECT_EQ(duration(), 1);
  scene.clips[0].channels[0].curve.times = {0.5F};
  EXPECT_FLOAT_EQ(duration(), 1.0F / 30);
  scene.clips[0].channels.clear();
  EXPECT_FLOAT_EQ(duration(), 1.0F / 30);
  scene.vertex_animation.emplace().frame_duration = 0.125F;
  EXPECT_EQ(duration(), 0.125F);
  scene.vertex_animation->frame_duration = -1;
  EXPECT_EQ(from_scene(scene)->frames.size(), 1U);
  scene.vertex_animation->frame_duration = std::numeric_limits<float>::infinity();
  EXPECT_FLOAT_EQ(duration(), 1.0F / 30);
}

TEST(MrfFromScene, TimesAreRoundedToFramesAndReported) {
  auto scene = moving_triangle();
  FromSceneOptions options;
  const auto frames = [&](float frame_duration, Messages expected) {
    options.frame_duration = frame_duration;
    Diagnostics diagnostics;
    const auto document = from_scene(scene, options, diagnostics);
    EXPECT_EQ(messages(diagnostics), expected);
    return document ? document->frames.size() : 0;
  };
  EXPECT_EQ(frames(0.5F, {}), 3U);
  EXPECT_EQ(frames(0.375F, {"animation length changed from 1 s to 1.125 s, a whole number of frames"}), 4U);
  EXPECT_EQ(frames(0.45F, {"animation length changed from 1 s to 0.9 s, a whole number of frames"}), 3U);
  EXPECT_EQ(frames(3, {"animation length changed from 1 s to 0 s, a whole number of frames"}), 1U);
}

TEST(MrfFromScene, LossesAreReportedOnce) {
  auto scene = still_triangle();
  Diagnostics none;
  ASSERT_TRUE(from_scene(scene, {}, none));
  EXPECT_EQ(messages(none), Messages{});
  scene.meshes[0].uv_sets.resize(1);
  scene.meshes[0].parts.push_back({0, 3, 0});
  scene.materials.emplace_back().layers.emplace_back().texture = 0;
  scene.clips.resize(1);
  ASSERT_TRUE(from_scene(scene, {}, none));
  EXPECT_EQ(messages(none), Messages{});
  scene.meshes[0].uv_sets.resize(2);
  scene.meshes[0].colors.resize(3);
  scene.meshes.push_back(scene.meshes[0]);
  scene.materials.resize(2);
  scene.clips.resize(4);
  scene::Layer both;
  both.two_sided = true;
  scene.materials[1].layers = {both, {}};
  scene::MeshPart part;
  part.material = 1;
  scene.meshes[1].parts = {part};
  Diagnostics diagnostics;
  ASSERT_TRUE(from_scene(scene, {}, diagnostics));
  EXPECT_EQ(messages(diagnostics),
            (Messages{"2 materials reduced to one texture", "all UV sets except the first left out",
                      "vertex and base colours left out", "layers after the first left out of 1 material",
                      "back faces left out of 1 material", "animations after the first left out: 3"}));
}

TEST(MrfFromScene, ElapsedTimesOfAWaitThatIsNoneAreIgnored) {
  auto scene = moving_triangle();
  scene.vertex_animation.emplace().frame_duration = 0.25F;
  scene.vertex_animation->radius = 12;
  const auto written = [&](float elapsed, Diagnostics& diagnostics) {
    scene.vertex_animation->elapsed = elapsed;
    return from_scene(scene, {}, diagnostics);
  };
  for (const float elapsed : {1e6F, -1e6F, 0.0F}) {
    Diagnostics diagnostics;
    const auto document = written(elapsed, diagnostics);
    ASSERT_TRUE(document) << elapsed;
    EXPECT_EQ(document->frames.size(), 5U) << elapsed;
    EXPECT_EQ(document->header.elapsed, elapsed);
    EXPECT_EQ(document->header.radius, 12) << "the radius is the one that the scene remembers";
    EXPECT_EQ(messages(diagnostics), Messages{}) << elapsed;
  }
  Diagnostics diagnostics;
  const auto later = written(0.5F, diagnostics);
  ASSERT_TRUE(later);
  EXPECT_EQ(later->frames.size(), 7U);
  EXPECT_EQ(later->frames[0], later->frames[2]) << "before the clip begins, it is as when it begins";
  EXPECT_NE(later->frames[2], later->frames[3]);
  ASSERT_EQ(diagnostics.items().size(), 1U);
  EXPECT_EQ(diagnostics.items()[0].code, codes::kSceneChanged);
  const auto never = written(-5, diagnostics);
  ASSERT_TRUE(never);
  EXPECT_EQ(never->frames.size(), 1U);
  EXPECT_FALSE(written(std::nextafter(1e6F, 0.0F), diagnostics)) << "far too many frames";
}

TEST(MrfFromScene, TexturesOfTheScene) {
  auto scene = still_triangle();
  const auto path = [&](std::string_view texture = {}) {
    FromSceneOptions options;
    options.texture = texture;
    const auto document = from_scene(scene, options).value();
    EXPECT_EQ(document.texture_path.data()[document.texture_path.size() - 1], '\0');
    return std::string(document.texture_path.begin(), document.texture_path.end() - 1);
  };
  EXPECT_EQ(path(), "Textures\\a.blp");
  scene.vertex_animation.emplace().texture = "Known.tga";
  EXPECT_EQ(path(), "Known.tga");
  EXPECT_EQ(path("Said"), "Said.blp") << "the game needs a dot";
  scene.vertex_animation.reset();
  scene.textures.clear();
  EXPECT_EQ(path(), "Textures\\white.blp");
  scene.vertex_animation.emplace();
  EXPECT_EQ(path(), ".blp") << "as the file had it";
}

TEST(MrfFromScene, MeshesThatAreNoneAreLeftOut) {
  auto scene = still_triangle();
  const auto good = scene.meshes[0];
  const auto add = [&](Array<std::uint32_t> indices) {
    scene.meshes.push_back(good);
    scene.meshes.back().indices = std::move(indices);
  };
  add({0, 1, 3});     // of a vertex that is not there
  add({0, 1});        // no triangle
  add({0, 1, 2, 0});  // and a corner
  add({});
  auto document = from_scene(scene);
  ASSERT_TRUE(document);
  EXPECT_EQ(document->uvs.size(), 3U);
  add({2, 1, 0});
  scene.meshes.back().uv_sets = {Array<Vec2>{{1, 2}, {3, 4}}};
  document = from_scene(scene);
  ASSERT_TRUE(document);
  EXPECT_EQ(document->indices, (Array<std::uint16_t>{0, 1, 2, 5, 4, 3})) << "behind those of the first";
  EXPECT_EQ(document->uvs, (Array<Vec2>{{0, 0}, {0, 0}, {0, 0}, {1, 2}, {3, 4}, {0, 0}}));
  scene.skins.emplace_back();
  scene.meshes.back().skin = 1;
  Diagnostics diagnostics;
  EXPECT_TRUE(from_scene(scene, {}, diagnostics));
  ASSERT_EQ(diagnostics.items().size(), 1U);
  EXPECT_EQ(diagnostics.items()[0].code, codes::kSceneReference);
  EXPECT_EQ(diagnostics.items()[0].path, "meshes[5]");
}

TEST(MrfFromScene, VerticesAndFramesAtTheirLimits) {
  auto scene = still_triangle();
  const auto with_vertices = [&](std::size_t count) {
    scene.meshes[0].positions.resize(count, Vec3{});
    return from_scene(scene);
  };
  const auto most = with_vertices(65536);
  ASSERT_TRUE(most);
  EXPECT_EQ(most->uvs.size(), 65536U);
  const auto more = with_vertices(65537);
  ASSERT_FALSE(more);
  EXPECT_EQ(more.error().message,
            "65537 vertices exceed the morph model's limit of 65536; simplify the mesh");
  const auto none = from_scene(scene::Scene{});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message,
            "no mesh has valid triangles; collision meshes and coarser levels of detail do not count");
  scene.meshes[0].positions.resize(3);
  scene.clips.resize(1);
  FromSceneOptions options;
  options.frame_duration = 1;
  scene.clips[0].duration = 4095;
  const auto frames = from_scene(scene, options);
  ASSERT_TRUE(frames);
  EXPECT_EQ(frames->frames.size(), 4096U);
  scene.clips[0].duration = 4096;
  const auto too_many = from_scene(scene, options);
  ASSERT_FALSE(too_many);
  EXPECT_EQ(too_many.error().code, codes::kWriteUnsupported);
  // A GiB, of 65536 vertices of 24 bytes each: 682 frames.
  scene.meshes[0].positions.resize(65536, Vec3{});
  scene.clips[0].duration = 682;
  EXPECT_FALSE(from_scene(scene, options));
}

// --- limits of what events show
// --------------------------------------------------------------------------------------------------

scene::Scene shown(const Document& document, std::vector<std::int32_t> shows,
                   std::vector<std::int32_t> hides) {
  Diagnostics diagnostics;
  auto scene = model_with_events(std::move(shows), std::move(hides));
  attach(scene, "A", document, {}, diagnostics);
  EXPECT_TRUE(diagnostics.items().empty());
  return scene;
}

TEST(MrfAttach, TheMeshHangsAtANodeOfItsOwn) {
  const auto scene = shown(rising(3, line), {1500}, {});
  const auto& mesh = scene.meshes.at(0);
  EXPECT_EQ(mesh.name, "Morph A");
  ASSERT_EQ(mesh.node, 1U);
  EXPECT_EQ(scene.nodes[1].name, "Morph A");
  EXPECT_EQ(scene.nodes[1].kind, scene::NodeKind::mesh);
  EXPECT_EQ(mesh.parts.at(0).material, 0U);
  for (const auto& channel : scene.clips[0].channels) {
    EXPECT_EQ(channel.target.kind, scene::Target::Kind::mesh);
    EXPECT_EQ(channel.target.index, 0U);
    EXPECT_EQ(channel.target.sub, 0U);
  }
  scene::Scene bare = model_with_events({1500}, {});
  bare.nodes[0].kind = scene::NodeKind::bone;
  bare.meshes.resize(2);
  attach(bare, "A", rising(3, line));
  EXPECT_EQ(bare.nodes.at(1).parent, scene::kNone) << "without a root it stands beside the others";
  EXPECT_EQ(bare.clips[0].channels.at(0).target.index, 2U);
  bare.nodes.clear();
  attach(bare, "A", rising(3, line));
  EXPECT_EQ(bare.nodes.at(0).parent, scene::kNone);
  const std::size_t meshes = bare.meshes.size();
  attach(bare, "A", rising(0, line));
  EXPECT_EQ(bare.meshes.size(), meshes) << "of no frame, nothing";
}

TEST(MrfAttach, AnIdNeedsACharacter) {
  auto scene = model_with_events({1200}, {});
  scene.events.push_back({0, "MRFx", scene::kNone, {1300}});
  scene.events.push_back({0, "MRFyB", scene::kNone, {1300}});
  scene.events.push_back({0, "MRFzB", scene::kNone, {1300}});
  scene.events.push_back({0, "MRDxC", scene::kNone, {1300}});
  EXPECT_EQ(event_ids(scene), (std::vector<std::string>{"A", "B"}));
  scene.meshes.emplace_back().name = "Morph A";
  EXPECT_EQ(event_ids(scene), std::vector<std::string>{"B"}) << "that one is there already";
}

TEST(MrfAttach, AShowThatEndsAtAFrameHasNoKeyTwice) {
  auto document = rising(6, line);
  document.header.frame_duration = 0.25F;
  const auto scene = shown(document, {1000}, {1500});
  const auto& alpha = scene.clips[0].channels.at(0).curve;
  EXPECT_EQ(alpha.times, (Array<float>{0, 0.5F}));
  EXPECT_EQ(alpha.values, (Array<float>{1, 0}));
  const auto& weights = scene.clips[0].channels.at(1).curve;
  EXPECT_EQ(weights.components, 5U);
  EXPECT_EQ(weights.times, (Array<float>{0, 0.25F, 0.5F}));
  // And one that begins between frames has its first and last moment as keys.
  const auto between = shown(document, {1125}, {1500}).clips[0].channels.at(1).curve;
  EXPECT_EQ(between.times, (Array<float>{0.125F, 0.375F, 0.5F}));
}

TEST(MrfAttach, ShowsAtTheEdgesOfTheClip) {
  const auto alpha = [](std::vector<std::int32_t> shows, std::vector<std::int32_t> hides) {
    auto scene = shown(rising(6, line), std::move(shows), std::move(hides));
    return scene.clips[0].channels.empty() ? scene::Curve{} : scene.clips[0].channels[0].curve;
  };
  EXPECT_TRUE(alpha({999}, {}).empty()) << "before the clip";
  EXPECT_EQ(alpha({1000}, {}).values, Array<float>{1}) << "from its first frame to its end";
  EXPECT_EQ(alpha({1001}, {}).times, (Array<float>{0, 0.001F}));
  EXPECT_TRUE(alpha({3000}, {}).empty()) << "nothing of it is seen";
  EXPECT_EQ(alpha({2999}, {}).times, (Array<float>{0, 1.999F}));
  EXPECT_TRUE(alpha({3001}, {}).empty());
  // A hide at the same frame came before the show.
  EXPECT_EQ(alpha({1500}, {1500}).times, (Array<float>{0, 0.5F}));
  EXPECT_EQ(alpha({1500}, {1501}).times, (Array<float>{0, 0.5F, 0.501F}));
  // One show ends where the next begins.
  EXPECT_EQ(alpha({2000, 1500}, {2500}).times, (Array<float>{0, 0.5F, 1, 1.5F}));
  EXPECT_EQ(alpha({2000, 1500}, {2500}).values, (Array<float>{0, 1, 1, 0}));
}

TEST(MrfAttach, GlobalEventsAndClipsShowNothing) {
  auto scene = model_with_events({1500}, {});
  scene.clips[0].global = true;
  attach(scene, "A", rising(3, line));
  EXPECT_TRUE(scene.clips[0].channels.empty());
  scene.clips[0].global = false;
  scene.clips[0].interval.reset();
  attach(scene, "A", rising(3, line));
  EXPECT_TRUE(scene.clips[0].channels.empty());
  scene.clips[0].interval = {1000, 3000};
  scene.events[0].global_loop = 0;
  attach(scene, "A", rising(3, line));
  EXPECT_TRUE(scene.clips[0].channels.empty());
  scene.events[0].global_loop = scene::kNone;
  attach(scene, "A", rising(3, line));
  EXPECT_EQ(scene.clips[0].channels.size(), 2U);
}

TEST(MrfAttach, OneFrameIsShownWithoutWeights) {
  const auto scene = shown(rising(1, line), {1500}, {});
  ASSERT_EQ(scene.clips[0].channels.size(), 1U);
  EXPECT_EQ(scene.clips[0].channels[0].property, scene::Property::mesh_alpha);
  auto nothing = rising(3, line);
  nothing.header.frame_duration = 0;
  auto other = model_with_events({1500}, {});
  attach(other, "A", nothing);
  EXPECT_TRUE(other.clips[0].channels.empty());
}

TEST(MrfAttach, FarTooManyEventsStandStillAndAreReported) {
  // 1024 frames have 1026 keys of 1023 weights at most: sixteen shows of them are more than 2^24 numbers.
  const auto document = rising(1024, line);
  std::vector<std::int32_t> shows;
  const auto channels = [&](std::size_t count, Diagnostics& diagnostics) {
    shows.clear();
    for (std::size_t i = 0; i < count; ++i) {
      shows.push_back(1000 + static_cast<std::int32_t>(i));
    }
    auto scene = model_with_events(shows, {1000 + static_cast<std::int32_t>(count)});
    attach(scene, "A", document, {}, diagnostics);
    return scene.clips[0].channels.size();
  };
  Diagnostics diagnostics;
  EXPECT_EQ(channels(15, diagnostics), 2U);
  EXPECT_TRUE(diagnostics.items().empty());
  EXPECT_EQ(channels(16, diagnostics), 1U) << "shown and hidden, but still";
  ASSERT_EQ(diagnostics.items().size(), 1U);
  EXPECT_EQ(diagnostics.items()[0].code, codes::kSceneApproximated);
  // All clips together: twice eight are as many.
  auto twice = model_with_events({1000, 1001, 1002, 1003, 1004, 1005, 1006, 1007}, {1008});
  twice.clips.push_back(twice.clips[0]);
  attach(twice, "A", document, {}, diagnostics);
  EXPECT_EQ(twice.clips[0].channels.size(), 2U);
  EXPECT_EQ(twice.clips[1].channels.size(), 1U);
}

}  // namespace
}  // namespace thaw::mrf
