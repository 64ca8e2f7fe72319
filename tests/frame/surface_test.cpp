// Physically based surfaces: normals, reflections and the light around, pixel by pixel.
#include "frame/surface.hpp"
#include "frame/lighting.hpp"
#include "frame/scenes.hpp"
#include "scene/normals.hpp"
#include "support/promises.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace thaw::frame {
namespace {

using Texel = std::array<std::uint8_t, 4>;

constexpr Texel kGrey = {128, 128, 128, 255};
constexpr Texel kFlat = {128, 128, 255, 255};
constexpr Texel kRough = {255, 255, 0, 0};
constexpr Texel kMirror = {255, 0, 255, 0};
constexpr std::uint32_t kSide = 32;

Image plain(const Texel& texel, std::uint32_t side = 4) {
  Image image{side, side, {}};
  for (std::uint64_t i = 0; i < image.pixels(); ++i) {
    image.rgba.insert(image.rgba.end(), texel.begin(), texel.end());
  }
  return image;
}

/// Red above the horizon, green below.
Image red_sky() {
  Image image = plain({200, 0, 0, 255}, 32);
  for (std::size_t i = image.rgba.size() / 2; i < image.rgba.size(); i += 4) {
    image.rgba[i] = 0;
    image.rgba[i + 1] = 200;
  }
  return image;
}

/// A square whose front is towards +X, of one material with all pictures.
scene::Scene plate(const Image& normal, const Texel& orm, const Image& environment = red_sky()) {
  scene::Scene scene = test::empty_scene();
  const auto add = [&](const Image& image) {
    const auto texture = static_cast<Index>(scene.textures.size());
    test::add_picture(scene, "picture " + std::to_string(texture), image);
    return texture;
  };
  const auto material = test::add_material(scene, scene::BlendMode::opaque, add(plain(kGrey)));
  scene::Layer& layer = scene.materials[material].layers[0];
  layer.physically_based = true;
  layer.normal = add(normal);
  layer.orm = add(plain(orm));
  layer.environment = add(environment);
  test::add_square(scene, test::add_node(scene, scene::NodeKind::mesh, {}), material);
  return scene;
}

/// The middle of the plate, seen from +X.
std::array<int, 3> middle(const scene::Scene& scene, const Options& options = {}) {
  Camera camera;
  camera.eye = {3, 0, 0};
  const Image image = test::picture(scene, {}, camera, kSide, 1, options);
  const std::uint8_t* pixel = &image.rgba[(kSide / 2 * kSide + kSide / 2) * 4];
  return {pixel[0], pixel[1], pixel[2]};
}

/// One light far away, from above.
scene::Scene& lit_from_above(scene::Scene& scene) {
  scene::Light sun;
  sun.node = test::add_node(scene, scene::NodeKind::light, {});
  sun.kind = scene::Light::Kind::directional;
  sun.intensity = 1;
  scene.lights.push_back(sun);
  return scene;
}

TEST(Surfaces, ANormalPictureTurnsTheSurfaceToTheLightAndAway) {
  Options options;
  options.lighting = Lighting::scene;
  const auto brightness = [&](const Texel& normal) {
    auto scene = plate(plain(normal), kRough, plain(kGrey));
    return middle(lit_from_above(scene), options)[0];
  };
  // v falls upwards, so G above the middle leans up.
  EXPECT_LT(brightness(kFlat), 20);
  EXPECT_LT(brightness({128, 40, 200, 255}), 20);
  EXPECT_GT(brightness({128, 218, 218, 255}), 70);
}

TEST(Surfaces, NormalsInAlphaAreTheSame) {
  Image in_red = plain({60, 190, 255, 255});
  in_red.rgba[0] = 61;  // one that varies: a picture of one colour could be either
  Image in_alpha = in_red;
  for (std::size_t i = 0; i < in_alpha.rgba.size(); i += 4) {
    std::swap(in_alpha.rgba[i], in_alpha.rgba[i + 3]);
  }
  const auto seen = middle(plate(in_red, kRough));
  EXPECT_EQ(seen, middle(plate(in_alpha, kRough)));
  EXPECT_NE(seen, middle(plate(plain(kFlat), kRough)));
}

TEST(Surfaces, AMirrorShowsWhatIsAround) {
  const Texel up = {128, 218, 218, 255};
  const Texel down = {128, 38, 218, 255};
  const auto above = middle(plate(plain(up), kMirror));
  const auto below = middle(plate(plain(down), kMirror));
  EXPECT_GT(above[0], above[1] + 40);
  EXPECT_GT(below[1], below[0] + 40);
  // Of what is rough and no metal, only the light around has a colour.
  const auto rough = middle(plate(plain(up), kRough));
  EXPECT_LT(rough[0] - rough[1], (above[0] - above[1]));
}

TEST(Surfaces, OcclusionTakesLightFromAround) {
  const auto brightness = [](const Texel& orm) { return middle(plate(plain(kFlat), orm, plain(kGrey)))[0]; };
  EXPECT_LT(brightness({0, 255, 0, 0}), brightness(kRough) - 20);
}

TEST(Surfaces, FresnelGlowsWhereASurfaceTurnsAway) {
  const auto red = [](const Texel& normal, float opacity, float team) {
    auto scene = plate(plain(normal), kRough, plain(kGrey));
    scene::Layer& layer = scene.materials[0].layers[0];
    layer.fresnel_color = {1, 0, 0};
    layer.fresnel_opacity = opacity;
    layer.fresnel_team_color = team;
    return middle(scene);
  };
  const Texel aside = {128, 250, 140, 255};
  EXPECT_GT(red(aside, 1, 0)[0], red(aside, 0, 0)[0] + 30);
  EXPECT_EQ(red(aside, 1, 0)[1], red(aside, 0, 0)[1]) << "in its own colour alone";
  EXPECT_GT(red(aside, 1, 1)[1], red(aside, 1, 0)[1] + 30) << "white is the team's colour";
  EXPECT_EQ(red(kFlat, 1, 0), red(kFlat, 0, 0)) << "not towards the eye";
}

TEST(Surfaces, WithoutLightOrWithoutSuchLayersNothingIsLitByPixel) {
  const auto scene = plate(plain(kFlat), kRough);
  Options dark;
  dark.lighting = Lighting::none;
  EXPECT_EQ(evaluate(scene, {}, test::front_camera(), dark).draws.at(0).base_normal, kNone);
  const Frame classic = evaluate(test::filter_scene(scene::BlendMode::blend), {}, test::front_camera());
  EXPECT_TRUE(classic.normals.empty());
  EXPECT_EQ(test::problems_of_frames(scene), test::Problems());
}

TEST(Surfaces, WhatHasNoSurroundingsReflectsTheUsualOnes) {
  auto scene = plate(plain(kFlat), kMirror);
  scene.materials[0].layers[0].environment = kNone;
  const Evaluator evaluator(scene);
  const Frame frame = evaluator.evaluate({}, test::front_camera());
  EXPECT_EQ(evaluator.images()[frame.draws.at(0).environment.image], &surroundings());
  EXPECT_NEAR(environment_gain(surroundings()), 1.6, 0.4);
}

TEST(Surfaces, LightsFarAwayComeFirstAndNoMoreThanTheMost) {
  LightRig rig(Lighting::scene, {});
  scene::Light lamp;
  lamp.intensity = 1;
  lamp.attenuation_end = 5;
  for (std::size_t i = 0; i < kMostLights + 2; ++i) {
    rig.add(lamp, {});
  }
  lamp.kind = scene::Light::Kind::directional;
  rig.add(lamp, {});
  Illumination light;
  rig.describe(light);
  ASSERT_EQ(light.lights.size(), kMostLights);
  EXPECT_FALSE(light.lights[0].near);
  EXPECT_TRUE(light.lights[1].near);
  EXPECT_EQ(light.surroundings, (Vec3{0.25F, 0.25F, 0.25F}));
}

TEST(Tangents, AreThereWhereANormalPictureIs) {
  scene::Scene scene = plate(plain(kFlat), kRough);
  scene.meshes[0].tangents.assign(4, {0, 0, 1, 0.5F});
  scene.meshes[0].tangents.data()[2][3] = -0.5F;
  Frame frame = evaluate(scene, {}, test::front_camera());
  ASSERT_EQ(frame.draws.size(), 1U);
  ASSERT_EQ(frame.draws[0].base_tangent, 0U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(frame.tangents.at(i), (Vec4{0, 0, 1, i == 2 ? -1.0F : 1.0F}));
  }
  scene.meshes[0].tangents.clear();
  EXPECT_EQ(evaluate(scene, {}, test::front_camera()).tangents.size(), 4U) << "made by the coordinates";
  scene.materials[0].layers[0].normal = scene::kNone;
  const Evaluator evaluator(scene);
  EXPECT_TRUE(evaluator.rest_meshes().at(0).tangents.empty());
}

TEST(Tangents, PointWhereUGrowsAndReportOnWhichSideVFalls) {
  scene::Scene scene = test::empty_scene();
  auto& mesh = scene.meshes.emplace_back();
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  mesh.indices = {0, 1, 2};
  const Array<Vec3> normals(3, Vec3{0, 0, 1});
  EXPECT_TRUE(scene::tangents_by_uvs(mesh, normals).empty());
  mesh.uv_sets = {{{0, 1}, {1, 1}, {0, 0}}};
  EXPECT_EQ(scene::tangents_by_uvs(mesh, normals), Array<Vec4>(3, Vec4{1, 0, 0, 1}));
  mesh.uv_sets = {{{1, 1}, {0, 1}, {1, 0}}};
  EXPECT_EQ(scene::tangents_by_uvs(mesh, normals), Array<Vec4>(3, Vec4{-1, 0, 0, -1}));
}

}  // namespace
}  // namespace thaw::frame
