// Materials of both generations, and what the game puts where a file says nothing.

#include <gtest/gtest.h>
#include <thaw/mdx.hpp>

#include "support/mdx_objects.hpp"
#include "support/promises.hpp"

#include <algorithm>
#include <cmath>

namespace thaw {
namespace {

using scene::Property;

struct ConvertedOfMaterial {
  ConvertedOfMaterial(std::uint32_t version, const mdx::Material& material, std::size_t textures = 6) {
    mdx::Textures list;
    for (std::size_t i = 0; i < textures; ++i) {
      mdx::Texture texture;
      texture.path.assign("picture.blp");
      texture.flags = i % 2 == 1 ? mdx::Texture::kWrapWidth : 0;
      list.items.push_back(texture);
    }
    mdx::Geoset geoset;
    geoset.uv_sets.resize(2);
    const auto document = test::make_document(
        mdx::Version{version}, test::list_of<mdx::Sequence>({test::make_sequence("Stand", 0, 100)}), list,
        test::list_of<mdx::Material>({material}), test::list_of<mdx::Geoset>({geoset}),
        test::list_of<mdx::TextureAnimation>({{}}));
    scene = mdx::to_scene(document, {}, diagnostics);
    EXPECT_EQ(test::problems_of(scene), std::vector<std::string>{});
  }
  [[nodiscard]] const std::vector<scene::Layer>& layers() const { return scene.materials.at(0).layers; }
  [[nodiscard]] std::string path(scene::Index texture) const { return scene.textures.at(texture).path; }
  [[nodiscard]] const scene::Curve* curve(Property property) const {
    for (const auto& channel : scene.clips.at(0).channels) {
      if (channel.property == property) {
        return &channel.curve;
      }
    }
    return nullptr;
  }

  scene::Scene scene;
  Diagnostics diagnostics;
};

mdx::Layer layer_of(std::int32_t texture, mdx::FilterMode mode = mdx::FilterMode::none,
                    std::uint32_t flags = 0) {
  mdx::Layer layer;
  layer.texture_id = texture;
  layer.filter_mode = mode;
  layer.shading_flags = flags;
  return layer;
}

mdx::Material six_layers(std::string_view shader) {
  mdx::Material material;
  material.shader.assign(shader);
  for (std::int32_t i = 0; i < 6; ++i) {
    material.layers.push_back(layer_of(i));
  }
  material.layers[0].emissive_gain = 2;
  return material;
}

TEST(SceneMaterials, ClassicLayersAreDrawnOverEachOther) {
  mdx::Material material;
  material.priority_plane = -2;
  material.flags = mdx::Material::kTwoSided;  // means nothing to classic materials
  material.layers = {layer_of(0),
                     layer_of(1, mdx::FilterMode::blend, mdx::Layer::kUnshaded | mdx::Layer::kTwoSided),
                     layer_of(2, static_cast<mdx::FilterMode>(38338316), mdx::Layer::kNoDepthSet)};
  material.layers[1].coord_id = 1;
  material.layers[1].texture_animation_id = 0;
  material.layers[2].coord_id = 321;
  material.layers[2].texture_animation_id = 7;
  material.layers[2].texture_id = 99;
  const ConvertedOfMaterial made(800, material);
  ASSERT_EQ(made.layers().size(), 3U);
  EXPECT_EQ(made.scene.materials[0].draw_order, -2);
  EXPECT_FALSE(made.layers()[0].two_sided);
  EXPECT_TRUE(made.layers()[1].two_sided && made.layers()[1].unshaded);
  EXPECT_EQ(made.layers()[1].uv_set, 1U);
  EXPECT_EQ(made.layers()[1].uv_animation, 0U);
  EXPECT_EQ(made.layers()[2].blend, scene::BlendMode::blend);
  EXPECT_TRUE(made.layers()[2].no_depth_write);
  EXPECT_EQ(made.layers()[2].uv_set, 0U);
  EXPECT_EQ(made.layers()[2].uv_animation, scene::kNone);
  EXPECT_EQ(made.layers()[2].texture, scene::kNone);
  EXPECT_EQ(made.diagnostics.count(Severity::warning), 4U);
  EXPECT_TRUE(made.scene.textures[1].wrap_u);
  EXPECT_FALSE(made.scene.textures[1].wrap_v);
}

TEST(SceneMaterials, FresnelFieldsAreOfFilesThatHaveThem) {
  mdx::Material material;
  material.layers = {layer_of(0)};
  material.layers[0].has_fresnel = true;
  material.layers[0].fresnel_color = {1, 0.5F, 0};
  material.layers[0].fresnel_opacity = 0.75F;
  material.layers[0].fresnel_team_color = 0.25F;
  const ConvertedOfMaterial made(1000, material);
  EXPECT_EQ(made.layers()[0].fresnel_color, (Vec3{1, 0.5F, 0}));
  EXPECT_EQ(made.layers()[0].fresnel_opacity, 0.75F);
  EXPECT_EQ(made.layers()[0].fresnel_team_color, 0.25F);
  material.layers[0].has_fresnel = false;
  EXPECT_EQ(ConvertedOfMaterial(800, material).layers()[0].fresnel_opacity, 0);
}

TEST(SceneMaterials, TexturesWrapInEachDirectionByItself) {
  for (const std::uint32_t flags : {0U, 1U, 2U, 3U, 4U}) {
    mdx::Texture texture;
    texture.flags = flags;
    Diagnostics diagnostics;
    const auto scene =
        mdx::to_scene(test::make_document(test::list_of<mdx::Texture>({texture})), {}, diagnostics);
    EXPECT_EQ(scene.textures.at(0).wrap_u, flags == 1 || flags == 3);
    EXPECT_EQ(scene.textures.at(0).wrap_v, flags == 2 || flags == 3);
  }
}

TEST(SceneMaterials, SixHdLayersAreOne) {
  auto material = six_layers("shader_hd_defaultunit");  // names are matched without regard to case
  material.flags = mdx::Material::kTwoSided;
  const ConvertedOfMaterial made(1000, material);
  ASSERT_EQ(made.layers().size(), 1U);
  const auto& layer = made.layers()[0];
  EXPECT_TRUE(layer.physically_based && layer.two_sided);
  EXPECT_EQ(layer.texture, 0U);
  EXPECT_EQ(layer.normal, 1U);
  EXPECT_EQ(layer.orm, 2U);
  EXPECT_EQ(layer.emissive, 3U);
  EXPECT_EQ(layer.team_color, 4U);
  EXPECT_EQ(layer.environment, 5U);
  EXPECT_EQ(layer.emissive_gain, 2);
}

TEST(SceneMaterials, TheNameOfAShaderIsKeptWhereVersionsHaveOne) {
  const auto kept = [](std::uint32_t version) {
    return ConvertedOfMaterial(version, six_layers("Mine")).scene.materials[0].extras.find("shader") !=
           nullptr;
  };
  EXPECT_FALSE(kept(800));
  EXPECT_TRUE(kept(900));
  EXPECT_TRUE(kept(1000));
  EXPECT_FALSE(kept(1100));
}

TEST(SceneMaterials, OnlySixLayersOfThatShaderAreFolded) {
  EXPECT_EQ(ConvertedOfMaterial(1000, six_layers("")).layers().size(), 6U);
  EXPECT_EQ(ConvertedOfMaterial(800, six_layers("Shader_HD_DefaultUnit")).layers().size(), 6U);
  auto five = six_layers("Shader_HD_DefaultUnit");
  five.layers.pop_back();
  EXPECT_EQ(ConvertedOfMaterial(1000, five).layers().size(), 5U);
}

TEST(SceneMaterials, SlotsAreNotListIndicesAndEmptyOnesHaveDefaults) {
  mdx::Material material;
  material.layers = {layer_of(0)};
  auto& layer = material.layers[0];
  layer.shader_id = 1;
  layer.texture_id = 5;  // the legacy field means nothing here
  layer.slots.resize(4);
  layer.slots[0] = {2, 3, {}};
  layer.slots[1] = {1, 0, {}};
  layer.slots[2] = {4, 2, {}};
  layer.slots[3] = {0, 6, {}};
  const ConvertedOfMaterial made(1200, material);
  const auto& result = made.layers().at(0);
  EXPECT_TRUE(result.physically_based);
  EXPECT_EQ(result.texture, 1U);
  EXPECT_EQ(result.emissive, 2U);
  EXPECT_EQ(result.orm, 4U);
  EXPECT_EQ(made.path(result.normal), "Textures/normal.blp");
  EXPECT_EQ(made.path(result.environment), "ReplaceableTextures/EnvironmentMap.blp");
  EXPECT_EQ(made.scene.textures.at(result.team_color).replaceable_id, 1U);
  EXPECT_EQ(made.scene.textures.size(), 9U);
  EXPECT_EQ(made.diagnostics.count(Severity::warning), 1U);  // slot 6
}

TEST(SceneMaterials, ClassicShadersWithSlotsStayClassic) {
  mdx::Material material;
  material.layers = {layer_of(0)};
  material.layers[0].slots = {{3, 0, {}}};
  const ConvertedOfMaterial made(1100, material);
  EXPECT_FALSE(made.layers().at(0).physically_based);
  EXPECT_EQ(made.layers().at(0).texture, 3U);
  EXPECT_EQ(made.layers().at(0).normal, scene::kNone);
}

TEST(SceneMaterials, FlipbooksAndAlphaBecomeChannels) {
  mdx::Material material;
  material.layers = {layer_of(1)};
  auto flipbook = test::make_integer_track("KMTF", {{0, 2}, {50, 3}, {80, 77}});
  flipbook.interpolation = mdx::Interpolation::linear;  // integers are steps whatever they say
  material.layers[0].tracks = {flipbook,
                               test::make_track("KMTA", mdx::Interpolation::linear, {{500, {0.5F}}})};
  const ConvertedOfMaterial made(800, material);
  const auto* pictures = made.curve(Property::layer_texture);
  ASSERT_NE(pictures, nullptr);
  EXPECT_EQ(pictures->mode, scene::CurveMode::step);
  EXPECT_EQ(pictures->values, (Array<float>{2, 3, 1, 1}));  // what does not exist shows the static texture
  EXPECT_EQ(made.curve(Property::layer_alpha), nullptr);    // no key in the sequence: 1, as at rest
}

TEST(SceneMaterials, FlipbooksMoveWithTheirSlot) {
  mdx::Material material;
  material.layers = {layer_of(0)};
  material.layers[0].slots = {{1, 0, test::make_integer_track("KMTF", {{0, 2}})}};
  const ConvertedOfMaterial made(1100, material);
  ASSERT_NE(made.curve(Property::layer_texture), nullptr);
  EXPECT_EQ(made.curve(Property::layer_texture)->values, (Array<float>{2}));
}

/// A texture animation whose quaternion turns about Z by these degrees.
mdx::Track turning(mdx::Interpolation interpolation,
                   std::initializer_list<std::pair<std::int32_t, float>> keys) {
  std::vector<test::TrackKey> result;
  for (const auto& [frame, degrees] : keys) {
    const float half = degrees * 3.14159265F / 360;
    std::vector<float> numbers;
    for (int part = 0; part < (interpolation == mdx::Interpolation::linear ? 1 : 3); ++part) {
      numbers.insert(numbers.end(), {0, 0, std::sin(half), std::cos(half)});
    }
    result.push_back({frame, std::move(numbers)});
  }
  return test::make_track("KTAR", interpolation, result);
}

void expect_full_turn(mdx::Interpolation interpolation) {
  mdx::TextureAnimation animation;
  animation.tracks = {turning(interpolation, {{0, 0}, {100, 120}, {200, 240}, {300, 360}})};
  Diagnostics diagnostics;
  const auto made =
      mdx::to_scene(test::make_document(test::list_of<mdx::Sequence>({test::make_sequence("Stand", 0, 300)}),
                                        test::list_of<mdx::TextureAnimation>({animation})),
                    {}, diagnostics);
  ASSERT_EQ(made.clips.at(0).channels.size(), 1U);
  const auto& curve = made.clips[0].channels[0].curve;
  EXPECT_EQ(made.clips[0].channels[0].property, Property::uv_rotation);
  const std::size_t stride = curve.mode == scene::CurveMode::cubic ? 3 : 1;
  // On and on in one direction: a jump back by a full turn would spin the picture.
  for (std::size_t key = 0; key < curve.times.size(); ++key) {
    EXPECT_NEAR(curve.values[key * stride + stride / 2], curve.times[key] / 0.3F * 2 * 3.14159265F, 1e-3)
        << curve.times[key];
  }
  EXPECT_FLOAT_EQ(curve.times.back(), 0.3F);
}

TEST(SceneMaterials, TexturesTurnOnBeyondAFullTurn) { expect_full_turn(mdx::Interpolation::linear); }
TEST(SceneMaterials, FittedTurnsHaveNoJumpsEither) { expect_full_turn(mdx::Interpolation::hermite); }

}  // namespace
}  // namespace thaw
