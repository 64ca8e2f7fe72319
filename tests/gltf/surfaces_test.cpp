// Surfaces, lights and cameras of other programs as those of a scene.
#include <thaw/gltf.hpp>
#include <thaw/image.hpp>

#include <gtest/gtest.h>

#include "bytes/text.hpp"
#include "bytes/text_encoding.hpp"
#include "support/promises.hpp"

#include <algorithm>
#include <cmath>

namespace thaw {
namespace {

using scene::kNone;

/// A picture of one colour as a URI.
std::string picture(std::array<std::uint8_t, 4> color, std::uint32_t side = 2) {
  Image image{side, side, {}};
  for (std::uint64_t i = 0; i < image.pixels(); ++i) {
    image.rgba.insert(image.rgba.end(), color.begin(), color.end());
  }
  std::string uri = "data:image/png;base64,";
  append_base64(uri, encode_png(image));
  return uri;
}

/// As a model is made of it, or as it is shown.
enum class For : std::uint8_t { model, picture };

scene::Scene read(const std::string& more, Diagnostics& findings = Diagnostics::discarded(),
                  For purpose = For::model) {
  const std::string text = R"({"asset":{"version":"2.0"},)" + more + "}";
  GltfReadOptions options;
  options.kept_materials = purpose == For::model;
  options.surfaces = purpose == For::picture;
  auto scene = read_gltf(as_bytes(text), options, findings);
  EXPECT_TRUE(scene) << scene.error().message;
  EXPECT_EQ(test::problems_of(*scene), test::Problems());
  return scene ? std::move(*scene) : scene::Scene();
}

/// A triangle of each of the first materials: one that nothing shows is left out.
std::string meshes_of(int materials) {
  std::string parts;
  for (int i = 0; i < materials; ++i) {
    parts += std::string(i == 0 ? "" : ",") + R"({"attributes":{"POSITION":0},"material":)" +
             std::to_string(i) + "}";
  }
  return R"("nodes":[{"mesh":0}],"meshes":[{"primitives":[)" + parts +
         R"(]}],"accessors":[{"componentType":5126,"count":3,"type":"VEC3"}])";
}

std::string with_pictures(const std::vector<std::string>& uris, const std::string& material) {
  std::string images;
  std::string textures;
  for (std::size_t i = 0; i < uris.size(); ++i) {
    const std::string comma = i == 0 ? "" : ",";
    images += comma + R"({"uri":")" + uris[i] + R"("})";
    textures += comma + R"({"source":)" + std::to_string(i) + "}";
  }
  return R"("images":[)" + images + R"(],"textures":[)" + textures + R"(],"materials":[)" + material + "]," +
         meshes_of(1);
}

const Image& shown(const scene::Scene& scene, scene::Index texture) {
  static const Image kNothing;
  const auto& textures = scene.textures;
  return texture < textures.size() && textures[texture].image < scene.images.size()
             ? scene.images[textures[texture].image].image
             : kNothing;
}

std::array<int, 4> first_pixel(const Image& image) {
  return image.rgba.size() < 4
             ? std::array<int, 4>{-1, -1, -1, -1}
             : std::array<int, 4>{image.rgba[0], image.rgba[1], image.rgba[2], image.rgba[3]};
}

TEST(GltfSurfaces, OcclusionRoughnessAndMetalAreOnePictureWithTheirFactors) {
  const auto scene = read(with_pictures(
      {picture({100, 1, 2, 255}), picture({9, 200, 100, 255}, 4)},
      R"({"name":"iron","occlusionTexture":{"index":0,"strength":0.5},"pbrMetallicRoughness":{"metallicFactor":0.5,
          "metallicRoughnessTexture":{"index":1}}})"));
  const auto& layer = scene.materials.at(0).layers.at(0);
  EXPECT_TRUE(layer.physically_based);
  EXPECT_EQ(shown(scene, layer.orm).width, 4U);
  EXPECT_EQ(first_pixel(shown(scene, layer.orm)), (std::array<int, 4>{178, 200, 50, 0}));
}

TEST(GltfSurfaces, FactorsAloneAreAPicture) {
  const auto scene = read(
      R"("materials":[{"pbrMetallicRoughness":{"metallicFactor":0,"roughnessFactor":0.5}},{"name":"plain"}],)" +
      meshes_of(2));
  ASSERT_EQ(scene.materials.size(), 2U);
  EXPECT_EQ(first_pixel(shown(scene, scene.materials[0].layers[0].orm)),
            (std::array<int, 4>{255, 128, 0, 0}));
  EXPECT_FALSE(scene.materials[1].layers[0].physically_based);
}

TEST(GltfSurfaces, EmissionIsStoredAndItsStrengthIsTheGain) {
  const auto scene = read(with_pictures(
      {picture({200, 100, 50, 255})},
      R"({"pbrMetallicRoughness":{"roughnessFactor":1},"emissiveFactor":[1,0.2140411,0],"emissiveTexture":{"index":0},
          "extensions":{"KHR_materials_emissive_strength":{"emissiveStrength":3}}})"));
  const auto& layer = scene.materials.at(0).layers.at(0);
  EXPECT_EQ(first_pixel(shown(scene, layer.emissive)), (std::array<int, 4>{200, 50, 0, 255}));
  EXPECT_EQ(layer.emissive_gain, 3);
}

TEST(GltfSurfaces, WhatOnlyShinesHasALayerOfLight) {
  const auto scene = read(with_pictures({picture({200, 100, 50, 255})},
                                        R"({"emissiveFactor":[1,1,1],"emissiveTexture":{"index":0}})"));
  const auto& layers = scene.materials.at(0).layers;
  ASSERT_EQ(layers.size(), 2U);
  EXPECT_FALSE(layers[0].physically_based);
  EXPECT_EQ(layers[1].blend, scene::BlendMode::additive);
  EXPECT_TRUE(layers[1].unshaded);
  EXPECT_EQ(first_pixel(shown(scene, layers[1].texture)),
            (std::array<int, 4>{-1, -1, -1, -1}));  // the file's own
  EXPECT_EQ(layers[1].texture, 0U);
}

TEST(GltfSurfaces, LightOfALayerIsWeakerAndNeverStronger) {
  const auto material_of = [](std::string_view strength) {
    return with_pictures({picture({200, 100, 50, 255})},
                         R"({"emissiveFactor":[1,1,1],"emissiveTexture":{"index":0},"extensions":{)"
                         R"("KHR_materials_emissive_strength":{"emissiveStrength":)" +
                             std::string(strength) + "}}}");
  };
  Diagnostics findings;
  EXPECT_EQ(read(material_of("0.25"), findings).materials.at(0).layers.at(1).alpha, 0.25F);
  EXPECT_TRUE(findings.items().empty());
  EXPECT_EQ(read(material_of("4"), findings).materials.at(0).layers.at(1).alpha, 1.0F);
  ASSERT_EQ(findings.items().size(), 1U);
  EXPECT_EQ(findings.items()[0].code, codes::kGltfUnsupported);
}

TEST(GltfSurfaces, AMaskIsCutWhereTheFileCutsIt) {
  const auto mask = [](int alpha) {
    return with_pictures(
        {picture({1, 2, 3, static_cast<std::uint8_t>(alpha)})},
        R"({"alphaMode":"MASK","alphaCutoff":0.5,"pbrMetallicRoughness":{"baseColorTexture":{"index":0}}})");
  };
  for (const int alpha : {0, 64, 127, 128, 200, 255}) {
    const auto scene = read(mask(alpha));
    const int moved = first_pixel(shown(scene, scene.materials.at(0).layers.at(0).texture))[3];
    EXPECT_EQ(moved >= 192, alpha >= 128) << alpha << " became " << moved;
  }
}

TEST(GltfSurfaces, ATransformOfCoordinatesIsThatOfTheScene) {
  const auto scene = read(with_pictures(
      {picture({1, 2, 3, 255})},
      R"({"pbrMetallicRoughness":{"baseColorTexture":{"index":0,"extensions":{"KHR_texture_transform":
          {"offset":[0.25,-0.5],"rotation":0.5,"scale":[2,2]}}}}})"));
  const auto& rest = scene.uv_animations.at(scene.materials.at(0).layers.at(0).uv_animation).rest;
  for (const Vec2& uv : {Vec2{0, 0}, Vec2{1, 0}, Vec2{0.3F, 0.8F}}) {
    // As the extension has it: size, turn, offset.
    const double u = 2 * double{uv[0]};
    const double v = 2 * double{uv[1]};
    const double expected_u = std::cos(0.5) * u + std::sin(0.5) * v + 0.25;
    const double expected_v = -std::sin(0.5) * u + std::cos(0.5) * v - 0.5;
    const double x = double{uv[0]} + double{rest.offset[0]} - 0.5;
    const double y = double{uv[1]} + double{rest.offset[1]} - 0.5;
    const double turn = double{rest.rotation};
    EXPECT_NEAR((x * std::cos(turn) - y * std::sin(turn)) * double{rest.scale[0]} + 0.5, expected_u, 1e-5);
    EXPECT_NEAR((x * std::sin(turn) + y * std::cos(turn)) * double{rest.scale[1]} + 0.5, expected_v, 1e-5);
  }
}

/// The base colour alone is what is baked of several layers: a picture of the file shows that.
TEST(GltfSurfaces, PicturesShowWhatModelsAreMadeOf) {
  const std::string material = with_pictures(
      {picture({200, 100, 50, 255})},
      R"({"emissiveFactor":[1,1,1],"emissiveTexture":{"index":0},"extras":{"thaw":{"material":0}},
          "pbrMetallicRoughness":{"baseColorTexture":{"index":0,"texCoord":3,"extensions":{"KHR_texture_transform":
          {"texCoord":1,"scale":[2,2]}}}}})");
  const auto shown_scene = read(material, Diagnostics::discarded(), For::picture);
  const auto& layers = shown_scene.materials.at(0).layers;
  ASSERT_EQ(layers.size(), 1U) << "a layer of light would wear the colours of vertices";
  EXPECT_EQ(layers[0].emissive, 0U);
  EXPECT_EQ(layers[0].uv_set, 1U);
  EXPECT_EQ(shown_scene.uv_animations.at(layers[0].uv_animation).rest.scale, (Vec2{2, 2}));
}

TEST(GltfSurfaces, LightsAndCamerasOfOthersComeAlong) {
  Diagnostics findings;
  const auto scene = read(
      R"("scene":0,"scenes":[{"nodes":[0,1,2,3]}],"extensions":{"KHR_lights_punctual":{"lights":[
          {"type":"directional","intensity":3.1415927,"color":[1,0,0]},{"type":"spot","intensity":12.566371,"range":30}]}},
         "cameras":[{"type":"perspective","name":"Eye","perspective":{"yfov":0.6,"znear":0.1}},
                    {"type":"orthographic","orthographic":{"xmag":1,"ymag":1,"znear":0,"zfar":1}}],
         "nodes":[{"name":"Sun","extensions":{"KHR_lights_punctual":{"light":0}}},
                  {"name":"Lamp","extensions":{"KHR_lights_punctual":{"light":1}}},{"name":"C","camera":0},
                  {"name":"F","camera":1}])",
      findings);
  ASSERT_EQ(scene.lights.size(), 2U);
  EXPECT_EQ(scene.lights[0].kind, scene::Light::Kind::directional);
  EXPECT_NEAR(scene.lights[0].intensity, 1, 1e-6);
  EXPECT_EQ(scene.lights[0].color, (Vec3{1, 0, 0}));
  // It shines along its node's −Y, which is the −Z of the node that glTF names.
  EXPECT_EQ(scene.nodes[scene.lights[0].node].parent, 0U);
  EXPECT_NEAR(scene.nodes[scene.lights[0].node].rest.rotation[0], std::sqrt(0.5), 1e-6);
  EXPECT_EQ(scene.lights[1].kind, scene::Light::Kind::omni);
  EXPECT_NEAR(scene.lights[1].attenuation_start, 2, 1e-5);
  EXPECT_NEAR(scene.lights[1].attenuation_end, 30, 1e-5);
  ASSERT_EQ(scene.cameras.size(), 1U);
  EXPECT_EQ(scene.cameras[0].name, "Eye");
  EXPECT_NEAR(scene.cameras[0].field_of_view, 1, 1e-6);
  const auto reported = [&](std::string_view words) {
    return std::any_of(findings.items().begin(), findings.items().end(),
                       [&](const auto& finding) { return finding.message.find(words) != std::string::npos; });
  };
  EXPECT_TRUE(reported("spot light"));
  EXPECT_TRUE(reported("orthographic camera"));
}

}  // namespace
}  // namespace thaw
