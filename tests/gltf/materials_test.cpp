// Layers as materials: what is baked, what becomes a primitive of its own, and how pictures come out.
#include "gltf/written.hpp"

#include <thaw/codes.hpp>

#include <algorithm>
#include <cmath>

namespace thaw::test {
namespace {

using scene::BlendMode;
using scene::Property;
using scene::Target;

using Pixel = std::array<std::uint8_t, 4>;

Pixel pixel(const Image& image, std::size_t index) {
  Pixel result{};
  std::copy_n(image.rgba.begin() + static_cast<std::ptrdiff_t>(4 * index), 4, result.begin());
  return result;
}

struct Drawn {
  Written written;

  explicit Drawn(const scene::Scene& scene, GltfProfile profile = GltfProfile::compat)
      : written(write(scene, profile)) {}
  [[nodiscard]] int primitives() const { return size_of(at(written.json, "meshes", 0, "primitives")); }
  [[nodiscard]] const Value& material(int primitive = 0) const {
    const Value& item = at(written.json, "meshes", 0, "primitives", primitive);
    return at(written.json, "materials", static_cast<int>(number(at(item, "material"))));
  }
  [[nodiscard]] Image color(int primitive = 0) const {
    return written.picture(at(material(primitive), "pbrMetallicRoughness", "baseColorTexture", "index"));
  }
};

scene::Scene with_layers(const std::vector<scene::Layer>& layers, scene::Scene scene) {
  add_quad(scene, add_material(scene, layers));
  return scene;
}

class GltfMaterial : public ::testing::Test {
 protected:
  scene::Scene scene_ = empty_scene();
  scene::Index team_ = add_texture(scene_, "team", {{255, 0, 0, 255}, {255, 0, 0, 255}});
  scene::Index skin_ =
      add_texture(scene_, "skin", {{0, 0, 200, 0}, {0, 0, 200, 255}, {0, 0, 200, 128}, {40, 80, 120, 255}});
};

TEST_F(GltfMaterial, FilterModes) {
  const auto alpha_mode = [&](BlendMode mode) {
    const Drawn drawn(with_layers({layer(mode, skin_)}, scene_));
    return has(drawn.material(), "alphaMode") ? text(at(drawn.material(), "alphaMode"))
                                              : std::string("OPAQUE");
  };
  EXPECT_EQ(alpha_mode(BlendMode::opaque), "OPAQUE");
  EXPECT_EQ(alpha_mode(BlendMode::mask), "MASK");
  for (const auto mode : {BlendMode::blend, BlendMode::additive, BlendMode::add_alpha, BlendMode::modulate,
                          BlendMode::modulate2x}) {
    EXPECT_EQ(alpha_mode(mode), "BLEND");
  }
  const Drawn masked(with_layers({layer(BlendMode::mask, skin_)}, scene_));
  EXPECT_EQ(number(at(masked.material(), "alphaCutoff")), 0.75);
  const Drawn added(with_layers({layer(BlendMode::add_alpha, skin_)}, scene_));
  EXPECT_EQ(text(at(added.material(), "extras", "thaw", "blend")), "addAlpha");
}

TEST_F(GltfMaterial, TeamColorIsBaked) {
  const Drawn drawn(with_layers({layer(BlendMode::opaque, team_), layer(BlendMode::blend, skin_)}, scene_));
  ASSERT_EQ(drawn.primitives(), 1);
  EXPECT_FALSE(has(drawn.material(), "alphaMode"));
  const Image image = drawn.color();
  EXPECT_EQ(image.height, 2U);
  EXPECT_EQ(pixel(image, 0), (Pixel{255, 0, 0, 255}));
  EXPECT_EQ(pixel(image, 1), (Pixel{0, 0, 200, 255}));
  EXPECT_EQ(pixel(image, 2), (Pixel{127, 0, 100, 255}));
  EXPECT_EQ(pixel(image, 3), (Pixel{40, 80, 120, 255}));
}

/// Variants in which `team` is red and blue.
void add_variants(scene::Scene& scene, scene::Index team) {
  const scene::Index blue = add_texture(scene, "blue", {{0, 0, 255, 255}, {0, 0, 255, 255}});
  scene.variants = {{"red", {{team, scene.textures[team].image}}},
                    {"blue", {{team, scene.textures[blue].image}}}};
}

/// What two primitives over each other show: the second as opaque as it is, and of one color.
Image over(const Image& base, const Image& top, const Pixel& color) {
  Image result = base;
  for (std::size_t i = 0; i < base.pixels(); ++i) {
    const double share = pixel(top, i)[3] / 255.0;
    for (std::size_t c = 0; c < 3; ++c) {
      const double over_it = pixel(top, i).at(c) / 255.0 * color.at(c);
      result.rgba[4 * i + c] =
          static_cast<std::uint8_t>(std::lround(pixel(base, i).at(c) * (1 - share) + over_it * share));
    }
  }
  return result;
}

TEST_F(GltfMaterial, TeamColorsAreVariantsOfOnePicture) {
  auto scene = with_layers({layer(BlendMode::opaque, team_), layer(BlendMode::blend, skin_)}, scene_);
  const Drawn baked(scene);
  add_variants(scene, team_);
  const Drawn drawn(scene);
  const Value& json = drawn.written.json;
  ASSERT_EQ(drawn.primitives(), 2);
  EXPECT_FALSE(has(drawn.material(0), "alphaMode"));
  EXPECT_EQ(text(at(drawn.material(1), "alphaMode")), "BLEND");
  EXPECT_EQ(size_of(at(json, "images")), 2);
  const Image shown = over(drawn.color(0), drawn.color(1), {255, 0, 0, 255});
  for (std::size_t i = 0; i < shown.rgba.size(); ++i) {
    EXPECT_NEAR(shown.rgba[i], baked.color().rgba[i], 1) << i;
  }
  EXPECT_EQ(text(at(json, "extensions", "KHR_materials_variants", "variants", 1, "name")), "blue");
  const Value& primitives = at(json, "meshes", 0, "primitives");
  const Value& unchanged = at(primitives, 0, "extensions", "KHR_materials_variants", "mappings");
  ASSERT_EQ(size_of(unchanged), 1) << "Blender 3.4 reads no mesh in which some primitives have none";
  EXPECT_EQ(number(at(unchanged, 0, "material")), number(at(primitives, 0, "material")));
  EXPECT_EQ(size_of(at(unchanged, 0, "variants")), 2);
  const Value& mappings = at(primitives, 1, "extensions", "KHR_materials_variants", "mappings");
  ASSERT_EQ(size_of(mappings), 2);
  const Value& blue = at(json, "materials", static_cast<int>(number(at(mappings, 1, "material"))));
  EXPECT_EQ(text(at(blue, "name")), text(at(drawn.material(0), "name")) + " blue");
  EXPECT_EQ(number(at(mappings, 1, "variants", 0)), 1);
  const Value& factor = at(blue, "pbrMetallicRoughness", "baseColorFactor");
  EXPECT_EQ(number(at(factor, 0)), 0);
  EXPECT_EQ(number(at(factor, 2)), 1);
}

TEST_F(GltfMaterial, OnlyWhatHasATeamColorHasVariants) {
  auto scene = with_layers({layer(BlendMode::opaque, skin_)}, scene_);
  add_variants(scene, team_);
  const Drawn plain(scene);
  EXPECT_EQ(plain.primitives(), 1);
  EXPECT_FALSE(has(plain.written.json, "extensionsUsed"));
  // What is baked with another blend has an image for each player.
  auto glowing = with_layers({layer(BlendMode::opaque, skin_), layer(BlendMode::additive, team_)}, scene_);
  add_variants(glowing, team_);
  const Drawn drawn(glowing);
  EXPECT_EQ(drawn.primitives(), 1);
  EXPECT_EQ(size_of(at(drawn.written.json, "images")), 2);
  EXPECT_EQ(size_of(at(drawn.written.json, "materials")), 3);
}

TEST_F(GltfMaterial, BakedOncePerStack) {
  auto scene = with_layers({layer(BlendMode::opaque, team_), layer(BlendMode::blend, skin_)}, scene_);
  scene.materials.push_back(scene.materials[0]);
  scene.materials[1].layers[0].two_sided = true;
  add_quad(scene, 1);
  const Drawn drawn(scene);
  EXPECT_EQ(size_of(at(drawn.written.json, "images")), 1);
  EXPECT_EQ(size_of(at(drawn.written.json, "materials")), 2);
}

TEST_F(GltfMaterial, OtherUvsBecomeAnOverlay) {
  auto over = layer(BlendMode::blend, skin_);
  over.uv_set = 1;
  auto scene = with_layers(
      {layer(BlendMode::opaque, add_texture(scene_, "base", {{1, 2, 3, 255}, {4, 5, 6, 255}})), over},
      scene_);
  scene.meshes[0].uv_sets.push_back(scene.meshes[0].uv_sets[0]);
  const Drawn drawn(scene);
  ASSERT_EQ(drawn.primitives(), 2);
  EXPECT_FALSE(has(drawn.material(0), "alphaMode"));
  EXPECT_EQ(text(at(drawn.material(1), "alphaMode")), "BLEND");
  EXPECT_EQ(number(at(drawn.material(1), "pbrMetallicRoughness", "baseColorTexture", "texCoord")), 1);
  const auto& primitives = at(drawn.written.json, "meshes", 0, "primitives");
  EXPECT_EQ(number(at(primitives, 0, "indices")), number(at(primitives, 1, "indices")));
}

TEST_F(GltfMaterial, LightOverAShadedBaseIsEmission) {
  auto light = layer(BlendMode::additive, skin_);
  light.unshaded = true;
  light.alpha = 0.5F;
  const Drawn drawn(with_layers({layer(BlendMode::opaque, team_), light}, scene_));
  ASSERT_EQ(drawn.primitives(), 1);
  EXPECT_EQ(number(at(drawn.material(), "emissiveFactor", 0)), 1);
  const Image image = drawn.written.picture(at(drawn.material(), "emissiveTexture", "index"));
  EXPECT_EQ(pixel(image, 0), (Pixel{0, 0, 0, 255}));
  EXPECT_EQ(pixel(image, 1), (Pixel{0, 0, 100, 255}));
}

TEST_F(GltfMaterial, AdditiveBecomesGlow) {
  const auto texture = add_texture(scene_, "glow", {{0, 0, 0, 255}, {100, 50, 0, 255}});
  const Drawn drawn(with_layers({layer(BlendMode::additive, texture)}, scene_));
  const Image image = drawn.color();
  EXPECT_EQ(pixel(image, 0)[3], 0);
  EXPECT_EQ(pixel(image, 1), (Pixel{255, 128, 0, 100}));
}

TEST_F(GltfMaterial, ModulateDarkens) {
  const auto texture = add_texture(
      scene_, "shadow", {{0, 0, 0, 255}, {255, 255, 255, 255}, {0, 0, 0, 1}, {128, 128, 128, 255}});
  const Image once = Drawn(with_layers({layer(BlendMode::modulate, texture)}, scene_)).color();
  EXPECT_EQ(pixel(once, 0), (Pixel{0, 0, 0, 255}));
  EXPECT_EQ(pixel(once, 1)[3], 0);
  EXPECT_EQ(pixel(once, 2)[3], 0);
  const Image twice = Drawn(with_layers({layer(BlendMode::modulate2x, texture)}, scene_)).color();
  EXPECT_NEAR(pixel(twice, 3)[3], 0, 1);
  EXPECT_EQ(pixel(twice, 1), (Pixel{255, 255, 255, 255}));
}

TEST_F(GltfMaterial, FlagsAndTint) {
  auto unshaded = layer(BlendMode::blend, skin_);
  unshaded.unshaded = true;
  unshaded.two_sided = true;
  unshaded.alpha = 0.5F;
  scene_.textures[skin_].wrap_u = true;
  auto scene = with_layers({unshaded}, scene_);
  scene.meshes[0].color = {1, 0.5F, 0};
  scene.meshes[0].alpha = 0.5F;
  const Drawn drawn(scene);
  const Value& material = drawn.material();
  EXPECT_TRUE(has(at(material, "extensions"), "KHR_materials_unlit"));
  EXPECT_TRUE(has(material, "doubleSided"));
  const Value& factor = at(material, "pbrMetallicRoughness", "baseColorFactor");
  EXPECT_NEAR(number(at(factor, 1)), 0.21404, 1e-5);
  EXPECT_EQ(number(at(factor, 3)), 0.25);
  EXPECT_EQ(number(at(drawn.written.json, "samplers", 0, "wrapS")), 10497);
  EXPECT_EQ(number(at(drawn.written.json, "samplers", 0, "wrapT")), 33071);
}

TEST_F(GltfMaterial, StaticUvTransform) {
  scene_.uv_animations.push_back({{{0.25F, 0}, 0, {2, 1}}});
  auto moved = layer(BlendMode::opaque, skin_);
  moved.uv_animation = 0;
  const Drawn drawn(with_layers({moved}, scene_));
  const Value& transform =
      at(drawn.material(), "pbrMetallicRoughness", "baseColorTexture", "extensions", "KHR_texture_transform");
  // u' = 2 (u + 0.25 − 0.5) + 0.5
  EXPECT_EQ(number(at(transform, "offset", 0)), 0);
  EXPECT_EQ(number(at(transform, "scale", 0)), 2);
  EXPECT_EQ(number(at(transform, "offset", 1)), 0);
}

/// KHR_texture_transform as its document defines it, against the scene's order of operations.
TEST_F(GltfMaterial, RotatedUvTransform) {
  for (const float across : {2.0F, -2.0F}) {  // also mirrored
    const scene::UvTransform source{{0.1F, -0.3F}, 0.7F, {2, across}};
    scene_.uv_animations = {{source}};
    auto moved = layer(BlendMode::opaque, skin_);
    moved.uv_animation = 0;
    const Drawn drawn(with_layers({moved}, scene_));
    const Value& transform = at(drawn.material(), "pbrMetallicRoughness", "baseColorTexture", "extensions",
                                "KHR_texture_transform");
    const double angle = number(at(transform, "rotation"));
    for (const auto& [u, v] : {std::pair{0.0, 0.0}, {1.0, 0.0}, {0.3, 0.8}}) {
      const double su = u * number(at(transform, "scale", 0));
      const double sv = v * number(at(transform, "scale", 1));
      const double got_u = std::cos(angle) * su + std::sin(angle) * sv + number(at(transform, "offset", 0));
      const double got_v = -std::sin(angle) * su + std::cos(angle) * sv + number(at(transform, "offset", 1));
      const double x = u + 0.1 - 0.5;
      const double y = v - 0.3 - 0.5;
      EXPECT_NEAR(got_u, 2 * (x * std::cos(0.7) - y * std::sin(0.7)) + 0.5, 1e-6);
      EXPECT_NEAR(got_v, double{across} * (x * std::sin(0.7) + y * std::cos(0.7)) + 0.5, 1e-6);
    }
  }
}

TEST_F(GltfMaterial, LayersThatNoneSees) {
  auto invisible = layer(BlendMode::blend, skin_);
  invisible.alpha = 0;
  const Drawn baked(with_layers({layer(BlendMode::opaque, team_), invisible}, scene_));
  EXPECT_EQ(baked.primitives(), 1);
  EXPECT_EQ(pixel(baked.color(), 0), (Pixel{255, 0, 0, 255}));
  const Drawn alone(with_layers({invisible}, scene_));
  EXPECT_EQ(number(at(alone.material(), "pbrMetallicRoughness", "baseColorFactor", 3)), 0);
  EXPECT_EQ(text(at(alone.material(), "alphaMode")), "BLEND");
}

TEST_F(GltfMaterial, PlaceholdersDoNotGlow) {
  scene_.images[skin_].placeholder = true;
  const Drawn drawn(
      with_layers({layer(BlendMode::opaque, team_), layer(BlendMode::additive, skin_)}, scene_));
  EXPECT_EQ(drawn.primitives(), 1);
  EXPECT_FALSE(has(drawn.material(), "emissiveTexture"));
}

TEST_F(GltfMaterial, PhysicallyBased) {
  auto layer = scene::Layer{};
  layer.physically_based = true;
  layer.texture = add_texture(scene_, "diffuse", {{200, 100, 50, 255}, {200, 100, 50, 255}});
  layer.normal = add_texture(scene_, "normal", {{128, 128, 0, 255}, {255, 128, 0, 255}});
  layer.orm = add_texture(scene_, "orm", {{255, 128, 0, 0}, {10, 20, 30, 255}});
  layer.emissive = add_texture(scene_, "emissive", {{0, 0, 0, 255}, {255, 255, 255, 255}});
  layer.team_color = team_;
  layer.emissive_gain = 3;
  auto scene = with_layers({layer}, scene_);
  scene.meshes[0].tangents.resize(4, Vec4{1, 0, 0, -1});
  const Drawn drawn(scene);
  const Value& material = drawn.material();
  const Image color = drawn.color();
  EXPECT_EQ(pixel(color, 0), (Pixel{200, 100, 50, 255}));
  EXPECT_EQ(pixel(color, 1), (Pixel{200, 0, 0, 255}));
  const Image normal = drawn.written.picture(at(material, "normalTexture", "index"));
  EXPECT_EQ(pixel(normal, 0), (Pixel{128, 128, 255, 255}));
  EXPECT_NEAR(pixel(normal, 1)[2], 128, 1);
  const Value& pbr = at(material, "pbrMetallicRoughness");
  EXPECT_EQ(number(at(pbr, "metallicRoughnessTexture", "index")),
            number(at(material, "occlusionTexture", "index")));
  EXPECT_FALSE(has(pbr, "metallicFactor"));
  EXPECT_EQ(number(at(material, "extensions", "KHR_materials_emissive_strength", "emissiveStrength")), 3);
  EXPECT_TRUE(has(at(drawn.written.json, "meshes", 0, "primitives", 0, "attributes"), "TANGENT"));
}

TEST_F(GltfMaterial, TeamColorsOfPhysicallyBasedLayersAreVariants) {
  auto layer = scene::Layer{};
  layer.physically_based = true;
  layer.texture = add_texture(scene_, "diffuse", {{200, 100, 50, 255}, {200, 100, 50, 255}});
  layer.orm = add_texture(scene_, "orm", {{255, 128, 0, 0}, {10, 20, 30, 255}});
  layer.team_color = team_;
  auto scene = with_layers({layer}, scene_);
  const Drawn baked(scene);
  add_variants(scene, team_);
  const Drawn drawn(scene);
  ASSERT_EQ(drawn.primitives(), 2);
  const Image shown = over(drawn.color(0), drawn.color(1), {255, 0, 0, 255});
  EXPECT_EQ(shown.rgba, baked.color().rgba);
  EXPECT_EQ(size_of(at(drawn.written.json, "images")), 3);  // as without variants, and the share
}

TEST_F(GltfMaterial, TexturesHaveTheRequestedFormat) {
  std::vector<Pixel> pixels;
  unsigned noise_of_pixel = 1;
  for (unsigned i = 0; i < 4096; ++i) {
    const unsigned noise = noise_of_pixel = noise_of_pixel * 1664525U + 1013904223U;
    pixels.push_back({static_cast<std::uint8_t>(noise >> 24U), static_cast<std::uint8_t>(noise >> 16U),
                      static_cast<std::uint8_t>(noise >> 8U), 255});
  }
  const scene::Index noise = add_texture(scene_, "noise", pixels);
  Image& square = scene_.images[scene_.textures[noise].image].image;
  square.width = square.height = 64;
  auto scene = with_layers({layer(BlendMode::opaque, noise)}, scene_);
  for (const scene::Index other : {skin_, team_}) {
    add_quad(scene, add_material(scene, {layer(BlendMode::opaque, other)}));
  }
  GltfOptions options;
  options.texture_format = GltfTextureFormat::jpeg;
  options.jpeg_quality = 50;
  const Written jpeg = write(scene, options);
  EXPECT_EQ(text(at(jpeg.json, "images", 0, "mimeType")), "image/jpeg");
  EXPECT_EQ(text(at(jpeg.json, "images", 1, "mimeType")), "image/png");
  EXPECT_TRUE(decode_texture(jpeg.image_file(0)).has_value());
  ASSERT_EQ(jpeg.diagnostics.items().size(), 1U);
  EXPECT_EQ(jpeg.diagnostics.items()[0].message,
            "textures written as JPEG, which is lossy: 1 of 3; PNG because of alpha: 1, because it is "
            "smaller: 1");
  options.texture_format = GltfTextureFormat::keep;
  const Bytes file(jpeg.image_file(0).begin(), jpeg.image_file(0).end());
  scene.images[scene.textures[noise].image].file = std::make_shared<const Bytes>(file);
  const Written kept = write(scene, options);
  EXPECT_EQ(text(at(kept.json, "images", 0, "mimeType")), "image/jpeg");
  EXPECT_TRUE(std::equal(file.begin(), file.end(), kept.image_file(0).begin(), kept.image_file(0).end()));
  ASSERT_EQ(kept.diagnostics.items().size(), 1U);
  EXPECT_NE(kept.diagnostics.items()[0].message.find("PNG: 2 of 3"), std::string::npos);
  options.binary = options.embed_images = false;
  const auto files = write_gltf(scene, options);
  ASSERT_TRUE(files.has_value());
  EXPECT_EQ(files->at(2).name, "model_noise.jpg");
  EXPECT_EQ(files->at(2).bytes, file);
  EXPECT_EQ(files->at(3).name, "model_skin.png");
}

TEST_F(GltfMaterial, AFresnelRimIsKeptAndReported) {
  const auto reported = [&](float opacity, bool physical) {
    auto layer = scene::Layer{};
    layer.physically_based = physical;
    layer.fresnel_opacity = opacity;
    const Drawn drawn(with_layers({layer}, scene_));
    return drawn.written.diagnostics.count(codes::kSceneApproximated.severity) > 0;
  };
  EXPECT_TRUE(reported(0.5F, true));
  EXPECT_FALSE(reported(0, true));
  EXPECT_FALSE(reported(0.5F, false));
}

TEST_F(GltfMaterial, TableOfAllLayersIsKept) {
  auto hidden = layer(BlendMode::modulate, skin_);
  hidden.sphere_map = true;
  hidden.alpha = 0;
  const Drawn drawn(with_layers({layer(BlendMode::opaque, team_), hidden}, scene_));
  const Value& kept = at(drawn.written.json, "scenes", 0, "extras", "thaw", "materials", 0, "layers", 1);
  EXPECT_EQ(text(at(kept, "blend")), "modulate");
  EXPECT_TRUE(has(kept, "sphereMap"));
  EXPECT_EQ(text(at(drawn.written.json, "scenes", 0, "extras", "thaw", "textures", 1, "path")), "skin.blp");
}

}  // namespace
}  // namespace thaw::test
