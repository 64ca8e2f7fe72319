// Materials of scenes as layers of SD and slots of HD.
#include <thaw/codes.hpp>
#include <thaw/image.hpp>
#include <thaw/mdx.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace thaw {
namespace {

using scene::kNone;

bool loses(const Diagnostics& findings, std::string_view words) {
  const auto& items = findings.items();
  return std::any_of(items.begin(), items.end(), [&](const auto& finding) {
    return finding.code == codes::kSceneLost && finding.message.find(words) != std::string::npos;
  });
}

scene::Index add_picture(scene::Scene& scene, std::string name, std::array<std::uint8_t, 4> color) {
  scene::Texture texture;
  texture.path = std::move(name);
  texture.content = std::make_shared<const Bytes>(encode_png(Image{1, 1, Bytes(color.begin(), color.end())}));
  scene.textures.push_back(std::move(texture));
  return static_cast<scene::Index>(scene.textures.size() - 1);
}

/// A triangle with everything that a physically based material has.
scene::Scene surface() {
  scene::Scene scene;
  scene.axes = scene::Axes::x_front;
  scene.nodes.emplace_back().name = "Plate";
  scene.nodes.back().kind = scene::NodeKind::mesh;
  scene::Mesh& mesh = scene.meshes.emplace_back();
  mesh.name = "Plate";
  mesh.node = 0;
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  mesh.normals = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}};
  mesh.uv_sets.push_back({{0, 1}, {1, 1}, {0, 0}});
  mesh.indices = {0, 1, 2};
  mesh.parts = {{0, 3, 0}};
  scene::Layer& layer = scene.materials.emplace_back().layers.emplace_back();
  layer.physically_based = true;
  layer.texture = add_picture(scene, "paint.png", {10, 20, 30, 64});
  layer.normal = add_picture(scene, "bumps.png", {128, 128, 255, 255});
  layer.emissive = add_picture(scene, "glow.png", {255, 0, 0, 255});
  scene::Texture orm;
  orm.path = "plate ORM";
  orm.image = 0;
  scene.images.push_back({"orm", {}, Image{2, 2, Bytes(16, 0)}, false});
  layer.orm = static_cast<scene::Index>(scene.textures.size());
  scene.textures.push_back(std::move(orm));
  return scene;
}

mdx::ModelOfScene model_of(const scene::Scene& scene, std::uint32_t version,
                           std::optional<bool> hd = std::nullopt,
                           Diagnostics& findings = Diagnostics::discarded()) {
  mdx::FromSceneOptions options;
  options.version = version;
  options.hd = hd;
  auto made = mdx::from_scene(scene, options, findings);
  EXPECT_TRUE(made) << made.error().message;
  return made ? std::move(*made) : mdx::ModelOfScene();
}

std::string path_of(const mdx::Document& document, std::int32_t texture) {
  const auto textures = document.all<mdx::Textures>();
  const auto at = static_cast<std::size_t>(texture);
  return at < textures.size() ? std::string(textures[at]->path.view()) : "none";
}

TEST(FromSceneMaterials, PhysicallyBasedOnesHaveTheSixPicturesOfHd) {
  const auto model = model_of(surface(), 1100);
  const auto& layer = model.document.all<mdx::Materials>().at(0)->layers.at(0);
  ASSERT_EQ(layer.slots.size(), 6U);
  EXPECT_EQ(path_of(model.document, layer.slots[0].texture_id), "paint.dds");
  EXPECT_EQ(path_of(model.document, layer.slots[1].texture_id), "bumps.dds");
  EXPECT_EQ(path_of(model.document, layer.slots[2].texture_id), "plate ORM.dds");
  EXPECT_EQ(path_of(model.document, layer.slots[3].texture_id), "glow.dds");
  EXPECT_EQ(model.document.all<mdx::Textures>()[static_cast<std::size_t>(layer.slots[4].texture_id)]
                ->replaceable_id,
            1U);
  EXPECT_EQ(path_of(model.document, layer.slots[5].texture_id), "ReplaceableTextures/EnvironmentMap.blp");
  // Weights and tangents are what the shader of HD asks for.
  const auto* geoset = model.document.all<mdx::Geosets>().at(0);
  EXPECT_TRUE(geoset->skin);
  ASSERT_TRUE(geoset->tangents);
  EXPECT_EQ(geoset->tangents->size(), 3U);
  const auto normals = std::count_if(model.pictures.begin(), model.pictures.end(),
                                     [](const auto& picture) { return picture.normals; });
  EXPECT_EQ(normals, 1);
}

TEST(FromSceneMaterials, SdHasALayerOfLightAndReportsWhatIsLost) {
  for (const std::uint32_t version : {800U, 1100U}) {
    Diagnostics findings;
    const auto model =
        model_of(surface(), version, version == 800 ? std::nullopt : std::optional(false), findings);
    const auto& layers = model.document.all<mdx::Materials>().at(0)->layers;
    ASSERT_EQ(layers.size(), 2U) << version;
    EXPECT_EQ(layers[1].filter_mode, mdx::FilterMode::additive);
    EXPECT_NE(layers[1].shading_flags & mdx::Layer::kUnshaded, 0U);
    EXPECT_TRUE(loses(findings, "normal map"));
    EXPECT_FALSE(model.document.all<mdx::Geosets>().at(0)->skin);
    EXPECT_FALSE(model.document.all<mdx::Geosets>().at(0)->tangents);
  }
}

TEST(FromSceneMaterials, HdForAllFillsItsSlotsAndBeginsWithItsVersion) {
  scene::Scene scene = surface();
  scene.materials[0].layers[0] = scene::Layer();
  const auto model = model_of(scene, 1000, true);
  const auto& layers = model.document.all<mdx::Materials>().at(0)->layers;
  ASSERT_EQ(layers.size(), 6U);  // version 1000 says slots as layers
  EXPECT_EQ(path_of(model.document, layers[1].texture_id), "Textures/normal.blp");
  EXPECT_EQ(path_of(model.document, layers[3].texture_id), "Textures/Black32.blp");
  mdx::FromSceneOptions options;
  options.hd = true;
  const auto refused = mdx::from_scene(scene, options);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("900"), std::string::npos);
}

TEST(FromSceneMaterials, ATeamColorLiesBelowThePictureOrIsItsMask) {
  scene::Scene scene = surface();
  scene.materials[0].properties.set("wc3_team_color", true);
  const auto classic = model_of(scene, 800);
  const auto& layers = classic.document.all<mdx::Materials>().at(0)->layers;
  ASSERT_EQ(layers.size(), 3U);
  const auto textures = classic.document.all<mdx::Textures>();
  EXPECT_EQ(textures.at(static_cast<std::size_t>(layers[0].texture_id))->replaceable_id, 1U);
  EXPECT_EQ(layers[0].filter_mode, mdx::FilterMode::none);
  EXPECT_EQ(layers[1].filter_mode, mdx::FilterMode::blend);
  const auto hd = model_of(scene, 1100);
  EXPECT_EQ(hd.document.all<mdx::Materials>().at(0)->layers.size(), 1U);
  const auto mask = std::find_if(hd.pictures.begin(), hd.pictures.end(),
                                 [](const auto& picture) { return picture.image.pixels() > 0; });
  ASSERT_NE(mask, hd.pictures.end());
  EXPECT_EQ(mask->image.rgba[3], 255 - 64);
}

/// A clip may show for its whole length what is not the value at rest.
TEST(FromSceneMaterials, AConstantOpacityThatIsNotTheRestingOneIsSaid) {
  scene::Scene scene = surface();
  scene.meshes[0].alpha = 0.25F;
  scene::Clip& clip = scene.clips.emplace_back();
  clip.name = "Stand";
  clip.duration = 1;
  scene::Channel& channel = clip.channels.emplace_back();
  channel.target = {scene::Target::Kind::mesh, 0, 0};
  channel.property = scene::Property::mesh_alpha;
  channel.curve.times = {0};
  channel.curve.values = {1};
  const auto model = model_of(scene, 800);
  const auto animations = model.document.all<mdx::GeosetAnimations>();
  ASSERT_EQ(animations.size(), 1U);
  EXPECT_EQ(animations[0]->alpha, 0.25F);
  const auto* track = mdx::find_track(animations[0]->tracks, FourCC{"KGAO"});
  ASSERT_NE(track, nullptr);
  EXPECT_EQ(track->value(0)[0], 1);
}

TEST(FromSceneMaterials, WhatNeverMovesStandsInTheCoordinates) {
  scene::Scene scene = surface();
  scene.uv_animations.push_back({{{0.5F, 0}, 0, {1, 1}}});
  scene.materials[0].layers[0].uv_animation = 0;
  const auto model = model_of(scene, 800);
  EXPECT_TRUE(model.document.all<mdx::TextureAnimations>().empty());
  EXPECT_EQ(model.document.all<mdx::Materials>().at(0)->layers.at(0).texture_animation_id, -1);
  EXPECT_NEAR(model.document.all<mdx::Geosets>().at(0)->uv_sets.at(0).coordinates[0][0], 0.5, 1e-6);
}

TEST(FromSceneMaterials, PicturesThatNothingShowsAreLeftOut) {
  const auto sd = model_of(surface(), 800);
  ASSERT_EQ(sd.document.all<mdx::Textures>().size(), 2U);
  ASSERT_EQ(sd.pictures.size(), 2U);
  EXPECT_EQ(sd.pictures[0].path, "paint");
  EXPECT_EQ(sd.pictures[1].path, "glow");
  const auto& layers = sd.document.all<mdx::Materials>().at(0)->layers;
  EXPECT_EQ(path_of(sd.document, static_cast<std::int32_t>(layers.at(0).texture_id)), "paint.blp");
  EXPECT_EQ(path_of(sd.document, static_cast<std::int32_t>(layers.at(1).texture_id)), "glow.blp");
  EXPECT_EQ(model_of(surface(), 1100).pictures.size(), 4U);
}

}  // namespace
}  // namespace thaw
