// What converting to morph models states and writes next to them.
#include <thaw/codes.hpp>
#include <thaw/convert.hpp>
#include <thaw/gltf.hpp>
#include <thaw/image.hpp>
#include <thaw/mrf.hpp>

#include "support/findings.hpp"

#include <gtest/gtest.h>

namespace thaw::mrf {
namespace {

/// A triangle of one metre in a glTF file; 0.1 s after another it is one metre higher, in the way of `mode`.
scene::Scene rising_triangle(scene::CurveMode mode) {
  scene::Scene scene;
  scene.nodes.emplace_back().kind = scene::NodeKind::mesh;
  scene::Mesh& mesh = scene.meshes.emplace_back();
  mesh.node = 0;
  mesh.positions = {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 0, -1}};
  mesh.indices = {0, 1, 2};
  mesh.uv_sets = {{{0, 0}, {1, 0}, {0, 1}}};
  scene::Clip& clip = scene.clips.emplace_back();
  clip.duration = 0.2F;
  scene::Channel& channel = clip.channels.emplace_back();
  channel.curve.mode = mode;
  channel.curve.components = 3;
  channel.curve.times = {0, 0.1F, 0.2F};
  channel.curve.values = {0, 0, 0, 0, 1, 0, 0, 2, 0};
  return scene;
}

Result<Outputs> converted(const scene::Scene& scene, const ConvertOptions& options = {}) {
  const auto files = write_gltf(scene);
  return convert({files->front().bytes, "triangle.glb"}, {"mrf", {}}, options, {});
}

double deviation_of(const Outputs& outputs) {
  for (const auto& [name, value] : outputs.json) {
    if (name == "max_deviation") {
      return value.number().value();
    }
  }
  return -1;
}

TEST(MrfConvert, StatesHowFarFramesAreOff) {
  const auto exact = converted(rising_triangle(scene::CurveMode::linear));
  ASSERT_TRUE(exact) << exact.error().message;
  EXPECT_NEAR(deviation_of(*exact), 0, 1e-4);
  // The game moves between two frames where the scene waits: by half of 100 units in the middle.
  const auto waiting = converted(rising_triangle(scene::CurveMode::step));
  ASSERT_TRUE(waiting) << waiting.error().message;
  EXPECT_NEAR(deviation_of(*waiting), 50, 1e-4);
  EXPECT_NE(waiting->note.find("largest deviation 50 units"), std::string::npos) << waiting->note;
}

TEST(MrfConvert, WritesTheEmbeddedTexture) {
  auto scene = rising_triangle(scene::CurveMode::linear);
  EXPECT_EQ(converted(scene)->files.size(), 1U) << "none is embedded";
  scene.images.push_back({"skin", {}, {2, 2, Bytes(16, std::uint8_t{200})}});
  scene.textures.push_back({"Textures\\skin.blp"});
  scene.textures.back().image = 0;
  scene.materials.emplace_back().layers.emplace_back().texture = 0;
  scene.meshes.front().parts.push_back({0, 3, 0});
  const auto outputs = converted(scene);
  ASSERT_TRUE(outputs) << outputs.error().message;
  ASSERT_EQ(outputs->files.size(), 2U);
  const auto document = read(outputs->files[0].bytes);
  ASSERT_TRUE(document);
  EXPECT_EQ(outputs->files[1].name, std::string(document->texture_stem()) + ".blp");
  EXPECT_EQ(decode_texture(outputs->files[1].bytes)->pixels(), 4U);
  // A model that names its own is not given another.
  scene.vertex_animation.emplace().texture = "Known.blp";
  EXPECT_EQ(converted(scene)->files.size(), 1U);
}

TEST(MrfConvert, WhatHasNoTextureIsWhite) {
  auto scene = rising_triangle(scene::CurveMode::linear);
  scene.meshes.front().color = {1, 0, 0};
  // Of a glTF material, which says how rough it is and has no picture.
  const auto files = write_gltf(scene);
  Diagnostics findings;
  const auto outputs = convert({files->front().bytes, "triangle.glb"}, {"mrf", {}}, {}, {}, findings);
  ASSERT_TRUE(outputs) << outputs.error().message;
  EXPECT_EQ(outputs->files.size(), 1U);
  EXPECT_EQ(read(outputs->files[0].bytes)->texture_stem(), "Textures\\white");
  EXPECT_TRUE(test::has(findings, "scene.added"));
  EXPECT_TRUE(test::has(findings, "scene.lost")) << "red";
}

TEST(MrfConvert, GoesIntoMorphModelsOnly) {
  const auto scene = rising_triangle(scene::CurveMode::linear);
  const Bytes own = converted(scene)->files.front().bytes;
  ConvertOptions options;
  options.model.onto = std::make_shared<AnyDocument>(*read_original(own, "triangle.mrf", {}));
  EXPECT_TRUE(converted(scene, options));
  const auto gltf = write_gltf(scene);
  options.model.onto = std::make_shared<AnyDocument>(*read_original(gltf->front().bytes, "triangle.glb", {}));
  const auto refused = converted(scene, options);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, codes::kWriteUnsupported);
}

TEST(MrfConvert, ErrorsAreBoundInUnitsOfTheScene) {
  // Frame 1 is 100 units beside the line between its neighbours, which are one metre.
  auto bent = rising_triangle(scene::CurveMode::linear);
  bent.clips.front().channels.front().curve.values = {0, 0, 0, 0, 1, 0, 0, 0, 0};
  const Bytes model = converted(bent)->files.front().bytes;
  const auto target_count = [&](float bound) {
    ConvertOptions options;
    options.scene.max_error = bound;
    const auto outputs = convert({model, "triangle.mrf"}, {"glb", {}}, options, {});
    const auto scene = read_gltf(outputs->files.front().bytes, {});
    return scene->meshes.front().morph_targets.size();
  };
  EXPECT_EQ(target_count(99), 2U);
  EXPECT_EQ(target_count(101), 1U);
}

}  // namespace
}  // namespace thaw::mrf
