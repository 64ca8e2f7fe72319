// Morph models as scenes, scenes as morph models, and morph models in the models that show them.
#include <thaw/gltf.hpp>
#include <thaw/gltf_read.hpp>
#include <thaw/mrf_scene.hpp>
#include <thaw/scene_codes.hpp>

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
  const auto kept = to_scene(rising(11, bent), "m", options, diagnostics);
  const auto& weights = kept.clips[0].channels[0].curve;
  std::vector<float> at(weights.components);
  scene::evaluate(weights, 0.5F, at);
  float height = 0;
  for (std::size_t i = 0; i < at.size(); ++i) {
    height += at[i] * kept.meshes[0].morph_targets[i].positions[0][1];
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
           finding.message == "the duration of frames of 0 s becomes 0.0333 s";
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

}  // namespace
}  // namespace thaw::mrf
