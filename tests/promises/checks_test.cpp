// The checks see what they are for: each promise is broken once, and the place is told.
#include <thaw/nsa.hpp>
#include <thaw/wdl.hpp>

#include "support/promises.hpp"

#include <gmock/gmock.h>

#include <limits>

namespace thaw {
namespace {

using testing::Contains;
using testing::StartsWith;

constexpr float kNoNumber = std::numeric_limits<float>::quiet_NaN();

/// A skinned triangle with a morph target, a material and a clip.
scene::Scene sound_scene() {
  scene::Scene scene;
  scene.nodes.resize(3);
  scene.nodes[1].parent = 0;
  scene.nodes[2].parent = 1;
  scene.images.push_back({"white", "", Image{1, 1, Bytes(4, 255)}, false});
  scene.textures.resize(1);
  scene.textures[0].image = 0;
  scene.materials.resize(1);
  scene.materials[0].layers.resize(1);
  scene.materials[0].layers[0].texture = 0;
  scene.skins.push_back({"skin", {2}, {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}}});
  scene::Mesh mesh;
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  mesh.normals = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}};
  mesh.uv_sets = {{{0, 0}, {1, 0}, {0, 1}}};
  mesh.influences = 1;
  mesh.joints = {0, 0, 0};
  mesh.weights = {1, 1, 1};
  mesh.indices = {0, 1, 2};
  mesh.parts = {{0, 3, 0}};
  mesh.morph_targets.push_back({"up", {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}}, {}});
  mesh.skin = 0;
  mesh.node = 1;
  scene.meshes.push_back(mesh);
  scene::Clip clip;
  clip.name = "Stand";
  clip.duration = 1;
  clip.channels.push_back({{scene::Target::Kind::node, 2, 0},
                           scene::Property::rotation,
                           {scene::CurveMode::linear, 4, {0, 0.5F}, {0, 0, 0, 1, 0, 1, 0, 0}}});
  scene.clips.push_back(clip);
  return scene;
}

struct Break {
  const char* place;
  void (*apply)(scene::Scene&);
};

class BrokenScene : public testing::TestWithParam<Break> {};

TEST_P(BrokenScene, IsReportedWithItsPlace) {
  auto scene = sound_scene();
  ASSERT_EQ(test::problems_of(scene), test::Problems());
  GetParam().apply(scene);
  EXPECT_THAT(test::problems_of(scene), Contains(StartsWith(GetParam().place)));
}

INSTANTIATE_TEST_SUITE_P(
    Promises, BrokenScene,
    testing::Values(
        Break{"nodes[2].parent", [](auto& scene) { scene.nodes[2].parent = 2; }},
        Break{"nodes[2]", [](auto& scene) { scene.nodes[2].parent = scene::kNone; }},
        Break{"nodes[1].lods[0]", [](auto& scene) { scene.nodes[1].lods = {2}; }},
        Break{"nodes[1].lod_coverage", [](auto& scene) { scene.nodes[1].lod_coverage = {1, 0.5F}; }},
        Break{"nodes[1].rest.rotation", [](auto& scene) { scene.nodes[1].rest.rotation = {0, 0, 0, 2}; }},
        Break{"nodes[1].name", [](auto& scene) { scene.nodes[1].name = "\xFF"; }},
        Break{"images[0].image", [](auto& scene) { scene.images[0].image.rgba.resize(3); }},
        Break{"images[1].name", [](auto& scene) { scene.images.push_back(scene.images[0]); }},
        Break{"textures[0].image", [](auto& scene) { scene.textures[0].image = 1; }},
        Break{"materials[0].layers[0].texture",
              [](auto& scene) { scene.materials[0].layers[0].texture = 1; }},
        Break{"skins[0].joints[0]", [](auto& scene) { scene.skins[0].joints[0] = 3; }},
        Break{"skins[0]", [](auto& scene) { scene.skins[0].inverse_bind.clear(); }},
        Break{"meshes[0].positions[1]", [](auto& scene) { scene.meshes[0].positions[1][2] = kNoNumber; }},
        Break{"meshes[0].normals", [](auto& scene) { scene.meshes[0].normals.resize(2); }},
        Break{"meshes[0].uv_sets[0]", [](auto& scene) { scene.meshes[0].uv_sets[0].resize(2); }},
        Break{"meshes[0].indices[2]", [](auto& scene) { scene.meshes[0].indices[2] = 3; }},
        Break{"meshes[0].parts", [](auto& scene) { scene.meshes[0].parts.clear(); }},
        Break{"meshes[0].parts[0].material", [](auto& scene) { scene.meshes[0].parts[0].material = 1; }},
        Break{"meshes[0].weights[1]", [](auto& scene) { scene.meshes[0].weights[1] = 0.5F; }},
        Break{"meshes[0].joints[1]", [](auto& scene) { scene.meshes[0].joints[1] = 1; }},
        Break{"meshes[0].influences", [](auto& scene) { scene.meshes[0].skin = scene::kNone; }},
        Break{"meshes[0].morph_targets[0].positions",
              [](auto& scene) { scene.meshes[0].morph_targets[0].positions.pop_back(); }},
        Break{"meshes[1].node", [](auto& scene) { scene.meshes.push_back(scene.meshes[0]); }},
        Break{"clips[0].duration", [](auto& scene) { scene.clips[0].duration = -1; }},
        Break{"clips[0].channels[0].curve.times[1]",
              [](auto& scene) { scene.clips[0].channels[0].curve.times[1] = 0; }},
        Break{"clips[0].channels[0].curve.times[1]",
              [](auto& scene) { scene.clips[0].channels[0].curve.times[1] = 2; }},
        Break{"clips[0].channels[0].curve.values",
              [](auto& scene) { scene.clips[0].channels[0].curve.values.pop_back(); }},
        Break{"clips[0].channels[0].curve.values[4]",
              [](auto& scene) { scene.clips[0].channels[0].curve.values[4] = 1; }},
        Break{"clips[0].channels[0].target.index",
              [](auto& scene) { scene.clips[0].channels[0].target.index = 3; }},
        Break{"clips[0].channels[0].target.kind",
              [](auto& scene) { scene.clips[0].channels[0].target.kind = scene::Target::Kind::mesh; }},
        Break{"placements[0].model", [](auto& scene) { scene.placements.push_back({0, 0}); }},
        Break{"models[0]: null", [](auto& scene) { scene.models.emplace_back(); }},
        Break{"models[0].nodes[1].rest.scale",
              [](auto& scene) {
                auto model = sound_scene();
                model.nodes[1].rest.scale[0] = kNoNumber;
                scene.models.push_back(std::make_shared<const scene::Scene>(model));
              }},
        Break{"bounds.radius", [](auto& scene) { scene.bounds.radius = kNoNumber; }}));

frame::Frame sound_frame() {
  frame::Frame frame;
  frame.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  frame.uvs = {{0, 0}, {1, 0}, {0, 1}};
  frame.indices = {0, 1, 2};
  frame.draws.resize(1);
  frame.draws[0].index_count = frame.draws[0].vertex_count = 3;
  frame.draws[0].base_uv = 0;
  frame.triangles = 1;
  return frame;
}

struct BreakFrame {
  const char* place;
  void (*apply)(frame::Frame&);
};

class BrokenFrame : public testing::TestWithParam<BreakFrame> {};

TEST_P(BrokenFrame, IsReportedWithItsPlace) {
  auto frame = sound_frame();
  ASSERT_EQ(test::problems_of(frame, {}), test::Problems());
  GetParam().apply(frame);
  EXPECT_THAT(test::problems_of(frame, {}), Contains(StartsWith(GetParam().place)));
}

INSTANTIATE_TEST_SUITE_P(
    Promises, BrokenFrame,
    testing::Values(BreakFrame{"view", [](auto& frame) { frame.view[3] = kNoNumber; }},
                    BreakFrame{"positions[2]", [](auto& frame) { frame.positions[2][0] = kNoNumber; }},
                    BreakFrame{"triangles", [](auto& frame) { frame.triangles = 2; }},
                    BreakFrame{"draws[0].base_position",
                               [](auto& frame) { frame.draws[0].base_position = 1; }},
                    BreakFrame{"draws[0].base_uv", [](auto& frame) { frame.uvs.pop_back(); }},
                    BreakFrame{"draws[0].base_color", [](auto& frame) { frame.draws[0].base_color = 0; }},
                    BreakFrame{"draws[0].first_index", [](auto& frame) { frame.draws[0].first_index = 1; }},
                    BreakFrame{"draws[0].index_count", [](auto& frame) { frame.draws[0].index_count = 2; }},
                    BreakFrame{"draws[0].indices", [](auto& frame) { frame.indices[1] = 3; }},
                    BreakFrame{"draws[0].texture", [](auto& frame) { frame.draws[0].texture.image = 0; }},
                    BreakFrame{"draws[0].color", [](auto& frame) { frame.draws[0].color[0] = kNoNumber; }}));

TEST(BrokenDocument, IsReportedWithItsPlace) {
  wdl::Document document;
  document.offsets.resize(wdl::kTiles, 0);
  ASSERT_EQ(test::problems_of(document, wdl::write(document)), test::Problems());
  EXPECT_THAT(test::problems_of(document, {}), Contains(StartsWith("write: ")));
  document.areas.resize(2);
  EXPECT_THAT(test::problems_of(document, wdl::write(document)), Contains(StartsWith("document.areas[1]")));
}

TEST(BrokenPicture, IsReported) {
  EXPECT_EQ(test::problems_of(Image{1, 2, Bytes(8)}), test::Problems());
  EXPECT_FALSE(test::problems_of(Image{1, 2, Bytes(4)}).empty());
  EXPECT_FALSE(test::problems_of(Image()).empty());
}

TEST(BrokenAnimation, IsReported) {
  nsa::Clip clip;
  clip.channels = 1;
  clip.samples = 2;
  clip.rotations.push_back({0, {{0, 0, 0, 1}, {0, 0, 0, 1}}});
  EXPECT_EQ(test::problems_of(clip), test::Problems());
  clip.rotations[0].values[1] = {0, 0, 0, -1};
  EXPECT_THAT(test::problems_of(clip), Contains(StartsWith("rotations[0][1]")));
}

}  // namespace
}  // namespace thaw
