// Scenes as models of Warcraft III.
#include <thaw/codes.hpp>
#include <thaw/gltf.hpp>
#include <thaw/mdx.hpp>
#include <thaw/validate.hpp>

#include <gtest/gtest.h>

#include "formats/warcraft/mdx/from_scene/onto.hpp"
#include "support/files.hpp"
#include "support/findings.hpp"
#include "support/paths.hpp"

#include <algorithm>
#include <cmath>

namespace thaw {
namespace {

using mdx::Document;
using scene::Index;
using scene::kNone;

bool has(const Diagnostics& findings, const Code& code, std::string_view words) {
  const auto& items = findings.items();
  return std::any_of(items.begin(), items.end(), [&](const auto& finding) {
    return finding.code == code && finding.message.find(words) != std::string::npos;
  });
}

/// A square in front of the viewer.
scene::Scene square() {
  scene::Scene scene;
  scene.name = "square";
  scene.axes = scene::Axes::x_front;
  scene.nodes.emplace_back().name = "Square";
  scene.nodes.back().kind = scene::NodeKind::mesh;
  scene::Mesh& mesh = scene.meshes.emplace_back();
  mesh.name = "Square";
  mesh.node = 0;
  mesh.positions = {{-1, 0, 0}, {1, 0, 0}, {1, 2, 0}, {-1, 2, 0}};
  mesh.normals = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}};
  mesh.uv_sets.push_back({{0, 1}, {1, 1}, {1, 0}, {0, 0}});
  mesh.indices = {0, 1, 2, 0, 2, 3};
  mesh.parts = {{0, 6, kNone}};
  return scene;
}

scene::Channel& add_channel(scene::Clip& clip, Index node, scene::Property property, unsigned components) {
  scene::Channel& channel = clip.channels.emplace_back();
  channel.target = {scene::Target::Kind::node, node, 0};
  channel.property = property;
  channel.curve.components = components;
  return channel;
}

Document model_of(const scene::Scene& scene, mdx::FromSceneOptions options = {},
                  Diagnostics& findings = Diagnostics::discarded()) {
  auto made = mdx::from_scene(scene, options, findings);
  EXPECT_TRUE(made) << made.error().message;
  return made ? std::move(made->document) : Document();
}

scene::Node node_of(std::string name, Index parent = kNone, scene::NodeKind kind = scene::NodeKind::helper) {
  scene::Node node;
  node.name = std::move(name);
  node.parent = parent;
  node.kind = kind;
  return node;
}

TEST(FromScene, AMeshThatHangsNowhereGetsABoneAStandAndAnOrigin) {
  Diagnostics findings;
  const Document model = model_of(square(), {}, findings);
  const auto bones = model.all<mdx::Bones>();
  ASSERT_EQ(bones.size(), 1U);
  EXPECT_EQ(bones[0]->node.name.view(), "Root");
  ASSERT_EQ(model.all<mdx::Sequences>().size(), 1U);
  EXPECT_EQ(model.all<mdx::Sequences>()[0]->name.view(), "Stand");
  EXPECT_EQ(model.all<mdx::Attachments>()[0]->node.name.view(), "Origin Ref");
  EXPECT_TRUE(has(findings, codes::kSceneAdded, "Root"));
  EXPECT_TRUE(has(findings, codes::kSceneAdded, "Stand"));
  EXPECT_TRUE(has(findings, codes::kSceneAdded, "white"));
  const auto* geoset = model.all<mdx::Geosets>()[0];
  // A hundred units are a metre; what looks along +Z looks along the game's +X.
  EXPECT_NEAR(geoset->positions[1][1], 100, 1e-3);
  EXPECT_NEAR(geoset->positions[2][2], 200, 1e-3);
  EXPECT_NEAR(geoset->normals[0][0], 1, 1e-6);
  EXPECT_NEAR(geoset->extent.maximum[2], 200, 1e-3);
  EXPECT_EQ(geoset->sequence_extents.size(), 1U);
}

TEST(FromScene, BareAddsNothing) {
  mdx::FromSceneOptions options;
  options.bare = true;
  const Document model = model_of(square(), options);
  EXPECT_TRUE(model.all<mdx::Bones>().empty());
  EXPECT_TRUE(model.all<mdx::Sequences>().empty());
  EXPECT_TRUE(model.all<mdx::Attachments>().empty());
}

/// Two clips that turn a bone whose rest pose is turned.
scene::Scene turning() {
  scene::Scene scene = square();
  scene.nodes[0].rest.rotation = {0, 0, std::sqrt(0.5F), std::sqrt(0.5F)};
  for (const char* name : {"Stand", "Attack"}) {
    scene::Clip& clip = scene.clips.emplace_back();
    clip.name = name;
    clip.duration = 1;
    auto& turn = add_channel(clip, 0, scene::Property::rotation, 4).curve;
    turn.times = {0, 0.5F, 1};
    turn.values = {0, 0, std::sqrt(0.5F), std::sqrt(0.5F), 0, 0, 0, 1,
                   0, 0, std::sqrt(0.5F), std::sqrt(0.5F)};
  }
  return scene;
}

TEST(FromScene, ClipsLieApartOnOneTimeLineAndRestRotationsAreInTheVertices) {
  const Document model = model_of(turning());
  const auto sequences = model.all<mdx::Sequences>();
  ASSERT_EQ(sequences.size(), 2U);
  EXPECT_EQ(sequences[0]->end - sequences[0]->start, 1000U);
  EXPECT_GT(sequences[1]->start, sequences[0]->end);
  EXPECT_EQ(sequences[0]->flags, 0U);
  EXPECT_EQ(sequences[1]->flags, mdx::Sequence::kNonLooping);  // by its name
  const auto* bone = model.all<mdx::Bones>()[0];
  const auto* turn = mdx::find_track(bone->node.tracks, FourCC{"KGRT"});
  ASSERT_NE(turn, nullptr);
  ASSERT_EQ(turn->size(), 6U);
  EXPECT_EQ(turn->frame(3), static_cast<std::int32_t>(sequences[1]->start));
  EXPECT_NEAR(turn->value(0)[3], 1, 1e-6);                         // at rest the game's keys say nothing
  EXPECT_NEAR(std::abs(turn->value(1)[0]), std::sqrt(0.5), 1e-5);  // the scene's Z is the game's X
}

/// A square below a node that is turned, which hangs at one with a scale of its own.
scene::Scene stretched(const Vec3& scale) {
  scene::Scene scene = square();
  scene.nodes = {node_of("Stretch"), node_of("Turn", 0), node_of("Square", 1, scene::NodeKind::mesh)};
  scene.nodes[0].rest.scale = scale;
  scene.meshes[0].node = 2;
  scene::Clip& clip = scene.clips.emplace_back();
  clip.duration = 1;
  auto& turn = add_channel(clip, 1, scene::Property::rotation, 4).curve;
  turn.times = {0, 1};
  turn.values = {0, 0, 0, 1, 0, 0, std::sqrt(0.5F), std::sqrt(0.5F)};
  return scene;
}

TEST(FromScene, UnequalScalesAboveWhatTurnsAreHeld) {
  Diagnostics findings;
  const auto even = mdx::from_scene(stretched({2, 2, 2}), {}, findings);
  ASSERT_TRUE(even);
  EXPECT_LT(even->deviation, 0.01);
  EXPECT_FALSE(has(findings, codes::kSceneAdded, "unequal scales"));
  const auto made = mdx::from_scene(stretched({1, 2, 1}), {}, findings);
  ASSERT_TRUE(made);
  EXPECT_LT(made->deviation, 0.01);
  EXPECT_TRUE(has(findings, codes::kSceneAdded, "helpers added to hold unequal scales: "));
  EXPECT_FALSE(has(findings, codes::kSceneLost, "unequal scales"));
}

TEST(FromScene, UnequalScalesThatCannotBeHeldAreLostWithTheirDistance) {
  scene::Scene scene = stretched({1, 2, 1});
  scene.nodes[1].billboard = scene::Billboard::full;  // it faces the camera whatever stands above it
  Diagnostics findings;
  const auto made = mdx::from_scene(scene, {}, findings);
  ASSERT_TRUE(made);
  EXPECT_GT(made->deviation, 50);
  EXPECT_TRUE(has(findings, codes::kSceneLost, "unequal scales of 1 node approximated, vertices within "));
}

TEST(FromScene, KeysThatALineMeetsGo) {
  scene::Scene scene = square();
  scene::Clip& clip = scene.clips.emplace_back();
  clip.duration = 1;
  auto& way = add_channel(clip, 0, scene::Property::translation, 3).curve;
  for (int i = 0; i <= 20; ++i) {
    const float time = static_cast<float>(i) / 20;
    way.times.push_back(time);
    way.values.insert(way.values.end(), {time, time < 0.5F ? 0 : time - 0.5F, 0});
  }
  const Document model = model_of(scene);
  const auto* track = mdx::find_track(model.all<mdx::Bones>()[0]->node.tracks, FourCC{"KGTR"});
  ASSERT_NE(track, nullptr);
  EXPECT_EQ(track->size(), 3U);
}

TEST(FromScene, UnequalWeightsBecomeGroupsOrWeightsByVersion) {
  scene::Scene scene = square();
  scene.nodes.push_back(node_of("Arm", kNone, scene::NodeKind::bone));
  scene.nodes.push_back(node_of("Hand", 1, scene::NodeKind::bone));
  scene.skins.push_back({"", {1, 2}, {}});
  scene::Mat4 identity{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  scene.skins[0].inverse_bind = {identity, identity};
  scene::Mesh& mesh = scene.meshes[0];
  mesh.skin = 0;
  mesh.influences = 2;
  mesh.joints = {0, 1, 0, 1, 0, 1, 0, 1};
  mesh.weights = {1, 0, 0.5F, 0.5F, 0.7F, 0.3F, 0, 1};
  Diagnostics findings;
  const Document classic = model_of(scene, {}, findings);
  EXPECT_FALSE(classic.all<mdx::Geosets>()[0]->skin);
  EXPECT_FALSE(classic.all<mdx::Geosets>()[0]->wide_skin);
  EXPECT_TRUE(has(findings, codes::kConvertSkin, "1 of 4 vertices"));
  mdx::FromSceneOptions options;
  options.version = 1000;
  const Document later = model_of(scene, options);
  const auto* geoset = later.all<mdx::Geosets>()[0];
  ASSERT_TRUE(geoset->skin);
  EXPECT_EQ((*geoset->skin)[2][4] + (*geoset->skin)[2][5], 255);
  EXPECT_NEAR((*geoset->skin)[2][4], 178.5, 1);
  // Of equal shares there is nothing to lose.
  mesh.weights = {1, 0, 0.5F, 0.5F, 0.5F, 0.5F, 0, 1};
  Diagnostics equal;
  static_cast<void>(model_of(scene, {}, equal));
  EXPECT_FALSE(has(equal, codes::kConvertSkin, ""));
}

TEST(FromScene, NamesAndPropertiesOfArtistsAreUnderstood) {
  scene::Scene scene = turning();
  scene.nodes.push_back(node_of("Chest Ref.001"));
  scene.nodes.push_back(node_of("SNDxAFTB"));
  scene.nodes.back().properties.set("wc3_times", R"({"Attack": [0.25]})");
  scene.nodes.push_back(node_of("CollisionSphere01"));
  scene.nodes.push_back(node_of("Smoke"));
  scene.nodes.back().properties.set("wc3_billboard", "lockZ");
  const Document model = model_of(scene);
  EXPECT_EQ(model.all<mdx::Attachments>()[0]->node.name.view(), "Chest Ref");
  const auto events = model.all<mdx::EventObjects>();
  ASSERT_EQ(events.size(), 1U);
  ASSERT_TRUE(events[0]->track);
  EXPECT_EQ(events[0]->track->frames[0],
            static_cast<std::int32_t>(model.all<mdx::Sequences>()[1]->start) + 250);
  const auto shapes = model.all<mdx::CollisionShapes>();
  ASSERT_EQ(shapes.size(), 1U);
  EXPECT_EQ(shapes[0]->type, mdx::CollisionShape::Type::sphere);
  const auto helpers = model.all<mdx::Helpers>();
  ASSERT_EQ(helpers.size(), 1U);
  EXPECT_EQ(helpers[0]->node.flags, mdx::node_flag::kBillboardedLockZ);
}

TEST(FromScene, WhatTheGameCannotHoldIsReportedAndWhatNoModelCanBeOfIsRefused) {
  scene::Scene scene = square();
  scene.meshes[0].morph_targets.emplace_back().name = "smile";
  scene.meshes[0].colors = {{1, 1, 1, 1}, {0, 1, 1, 1}, {1, 1, 1, 1}, {1, 1, 1, 1}};
  Diagnostics findings;
  static_cast<void>(model_of(scene, {}, findings));
  EXPECT_TRUE(has(findings, codes::kSceneLost, "morph targets"));
  EXPECT_TRUE(has(findings, codes::kSceneLost, "colours"));
  EXPECT_FALSE(mdx::from_scene(scene::Scene()));
  scene.clips.emplace_back().duration = 1e9F;
  EXPECT_FALSE(mdx::from_scene(scene));
}

// --- models of the game, through glTF and back

struct RoundTrip {
  Document document;
  Diagnostics findings;
};

std::optional<RoundTrip> through_gltf(const Document& document) {
  const scene::Scene scene = mdx::to_scene(document);
  const auto files = write_gltf(scene);
  if (!files) {
    return std::nullopt;
  }
  RoundTrip result;
  GltfReadOptions reading;
  reading.kept_materials = true;
  const auto back = read_gltf(files->front().bytes, reading);
  mdx::FromSceneOptions options;
  options.version = document.version();
  result.document = model_of(*back, options, result.findings);
  return result;
}

TEST(FromScene, ModelsComeBackThroughGltf) {
  THAW_REQUIRE_CORPUS("wc3");
  constexpr std::size_t kOneIn = 40;
  const auto paths = test::files_below(test::corpus_dir() / "wc3", ".mdx");
  for (std::size_t i = 0; i < paths.size(); i += kOneIn) {
    const auto& path = paths[i];
    const auto document = mdx::read(test::load(path));
    if (!document || document->all<mdx::Geosets>().empty()) {
      continue;
    }
    const auto back = through_gltf(*document);
    ASSERT_TRUE(back) << path;
    EXPECT_GE(back->document.all<mdx::Sequences>().size(), document->all<mdx::Sequences>().size()) << path;
    EXPECT_EQ(back->document.all<mdx::Attachments>().size(), document->all<mdx::Attachments>().size())
        << path;
    EXPECT_EQ(back->document.all<mdx::ParticleEmitters2>().size(),
              document->all<mdx::ParticleEmitters2>().size())
        << path;
    const Document merged =
        mdx::merge_onto(*document, back->document, back->document, {}, Diagnostics::discarded());
    EXPECT_EQ(mdx::write(merged), mdx::write(*document)) << path;
  }
}

TEST(FromScene, OntoAnOriginalOnlyTheEditDiffers) {
  const Document original = model_of(turning());
  Document before = original;
  Document after = original;
  after.find<mdx::Geosets>()->items[0].positions[2] = {1, 2, 3};
  Document kept = original;
  kept.chunks.push_back({FourCC{"ZZZZ"}, mdx::Opaque(), {}, {}});
  const Document merged = mdx::merge_onto(kept, before, after, {}, Diagnostics::discarded());
  Document expected = kept;
  expected.find<mdx::Geosets>()->items[0].positions[2] = {1, 2, 3};
  EXPECT_EQ(mdx::write(merged), mdx::write(expected));
}

TEST(FromScene, OntoAnOriginalNumbersFollowWhatWasAddedAndRemoved) {
  scene::Scene scene = turning();
  scene.nodes.push_back(node_of("Hand Right Ref", 0));
  scene.nodes.push_back(node_of("Overhead Ref", 0));
  const Document original = model_of(scene);
  ASSERT_EQ(original.all<mdx::Attachments>().size(), 2U + 1U);  // with Origin Ref
  scene::Scene added = scene;
  added.nodes.push_back(node_of("Bone_New", 0));
  scene::Scene removed = scene;
  removed.nodes[scene.nodes.size() - 2].name = "Overhead Ref";
  removed.nodes.pop_back();
  for (const scene::Scene* edited : {&added, &removed}) {
    const Document after = model_of(*edited);
    Diagnostics findings;
    const Document merged = mdx::merge_onto(original, original, after, {}, findings);
    EXPECT_EQ(mdx::write(merged), mdx::write(after));
    EXPECT_TRUE(findings.items().empty());
  }
}

TEST(FromScene, OntoAModelOfAnotherKindThatIsReported) {
  Diagnostics findings;
  scene::Scene other = turning();
  for (auto& node : other.nodes) {
    node.name = "Other " + node.name;
  }
  other.nodes.push_back(node_of("Bone_More", 0));
  const Document original = model_of(turning());
  const Document after = model_of(other);
  (void)mdx::merge_onto(original, original, after, {}, findings);
  EXPECT_TRUE(has(findings, codes::kSceneChanged, "another model"));
}

TEST(FromScene, GeosetsWithoutTrianglesStayInTheOriginal) {
  const Document before = model_of(turning());
  Document after = before;
  after.find<mdx::Geosets>()->items[0].positions[2] = {1, 2, 3};
  Document original = before;
  auto& geosets = original.find<mdx::Geosets>()->items;
  geosets.insert(geosets.begin(), mdx::Geoset());
  Document expected = original;
  expected.find<mdx::Geosets>()->items[1].positions[2] = {1, 2, 3};
  Diagnostics findings;
  EXPECT_EQ(mdx::write(mdx::merge_onto(original, before, after, {}, findings)), mdx::write(expected));
  EXPECT_TRUE(findings.items().empty());
}

/// What is not HD is drawn by the classic renderer in every version.
TEST(FromScene, ClassicGeosetsAreDividedBeforeTheLimitOfTheRule) {
  constexpr std::size_t kRefused = 7433;
  scene::Scene scene = square();
  scene::Mesh& mesh = scene.meshes[0];
  mesh.positions.clear();
  mesh.indices.clear();
  for (std::size_t i = 0; i < kRefused; ++i) {
    mesh.positions.push_back({static_cast<float>(i), static_cast<float>(i % 2), 0});
  }
  for (std::uint32_t i = 0; i + 2 < kRefused; ++i) {
    mesh.indices.insert(mesh.indices.end(), {i, i + 1, i + 2});
  }
  mesh.normals.assign(kRefused, Vec3{0, 0, 1});
  mesh.uv_sets = {Array<Vec2>(kRefused, Vec2{})};
  mesh.parts = {{0, static_cast<Index>(mesh.indices.size()), kNone}};
  for (const std::uint32_t version : {800U, 900U, 1000U, 1100U, 1800U}) {
    mdx::FromSceneOptions options;
    options.version = version;
    const Document model = model_of(scene, options);
    EXPECT_EQ(model.all<mdx::Geosets>().size(), 2U) << version;
    const Diagnostics problems = validate(model);
    for (const auto& problem : problems.items()) {
      EXPECT_NE(problem.code.id, "mdx.geoset-too-many-vertices") << version;
    }
  }
  mdx::FromSceneOptions hd;
  hd.version = 1100;
  scene.materials.emplace_back().layers.emplace_back().physically_based = true;
  scene.meshes[0].parts[0].material = 0;
  EXPECT_EQ(model_of(scene, hd).all<mdx::Geosets>().size(), 1U) << "HD has no such limit";
}

TEST(FromScene, NamesOfOtherProgramsLoseBlanksAroundThem) {
  scene::Scene scene = square();
  scene.nodes.push_back(node_of("  Bone_Root ", kNone, scene::NodeKind::bone));
  scene.nodes.push_back(node_of("   ", 1, scene::NodeKind::bone));
  scene::Clip& clip = scene.clips.emplace_back();
  clip.name = " Stand ";
  clip.duration = 1;
  const Document model = model_of(scene);
  ASSERT_FALSE(model.all<mdx::Sequences>().empty());
  EXPECT_EQ(model.all<mdx::Sequences>()[0]->name.view(), "Stand");
  const auto bones = model.all<mdx::Bones>();
  EXPECT_TRUE(std::any_of(bones.begin(), bones.end(),
                          [](const mdx::Bone* bone) { return bone->node.name.view() == "Bone_Root"; }));
}

TEST(FromScene, WalkingSpeedsOfOtherGamesAreInTheUnitsOfTheModel) {
  scene::Scene scene = turning();
  scene.clips[0].extras.set("moveSpeed", 2.5);
  scene.clips[0].source.format = scene.source.format = "mdx-alpha";
  scene.source.scale = 1;
  mdx::FromSceneOptions options;
  EXPECT_EQ(model_of(scene, options).all<mdx::Sequences>()[0]->move_speed, 250);
  options.scale = 1;
  EXPECT_EQ(model_of(scene, options).all<mdx::Sequences>()[0]->move_speed, 2.5F);
}

TEST(MdxFromScene, EffectsComeWithVersion900) {
  const auto original = mdx::read(test::load(test::samples_dir() / "everything_v1000.mdx"));
  ASSERT_TRUE(original);
  ASSERT_FALSE(original->all<mdx::PopcornEmitters>().empty());
  const scene::Scene scene = mdx::to_scene(*original);
  for (const std::uint32_t version : {800U, 900U}) {
    Diagnostics findings;
    mdx::FromSceneOptions options;
    options.version = version;
    const auto model = mdx::from_scene(scene, options, findings);
    ASSERT_TRUE(model);
    const Document& document = model->document;
    const std::size_t effects = document.all<mdx::PopcornEmitters>().size();
    EXPECT_EQ(effects == 0, version == 800);
    EXPECT_EQ(has(findings, codes::kSceneLost, "replaced with a helper (it needs version 900)"),
              version == 800);
    EXPECT_TRUE(version > 800 || document.all<mdx::FaceEffects>().empty());
    // Read as its version has it, nothing is left that the version does not know.
    Diagnostics again;
    ASSERT_TRUE(mdx::read(mdx::write(document), {}, again));
    EXPECT_FALSE(test::has(again, codes::kChunkUnknown));
  }
}

}  // namespace
}  // namespace thaw
