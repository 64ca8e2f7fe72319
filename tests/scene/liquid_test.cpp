// What liquids look like: the client's pictures or made ones, one after the other, by depth and current.
#include <thaw/frame.hpp>

#include "scene/liquid.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace thaw::scene {
namespace {

std::shared_ptr<const Image> plain_image(std::uint8_t grey) {
  Image image{4, 4, {}};
  for (int i = 0; i < 16; ++i) {
    image.rgba.insert(image.rgba.end(), {grey, grey, grey, 255});
  }
  return std::make_shared<const Image>(std::move(image));
}

TEST(Liquids, ShowThePicturesOfTheClientUntilOneIsMissing) {
  Scene scene;
  std::vector<std::string> requested;
  LiquidMaterials liquids(scene, [&](std::string_view path) {
    requested.emplace_back(path);
    return path.ends_with(".4.blp") ? nullptr : plain_image(static_cast<std::uint8_t>(requested.size()));
  });
  const Index river = liquids.material(Liquid::river);
  EXPECT_EQ(liquids.material(Liquid::river), river) << "each once";
  ASSERT_EQ(requested.size(), 4U);
  EXPECT_EQ(requested[0], "XTextures\\river\\lake_a.1.blp");
  EXPECT_FALSE(liquids.lacks(Liquid::river));
  ASSERT_EQ(scene.clips.size(), 1U);
  EXPECT_TRUE(scene.clips[0].global);
  EXPECT_FLOAT_EQ(scene.clips[0].duration, 1.8F);
  const Curve& curve = scene.clips[0].channels.at(0).curve;
  ASSERT_EQ(curve.times.size(), 3U);
  EXPECT_FLOAT_EQ(curve.times[1], 0.6F);
  const Layer& surface = scene.materials[river].layers.back();
  EXPECT_EQ(static_cast<Index>(curve.values[0]), surface.texture);
  const auto last = static_cast<Index>(curve.values[2]);
  EXPECT_EQ(scene.images[scene.textures[last].image].image.rgba[0], 3);
}

TEST(Liquids, AreMadeWhereTheClientsPicturesAreNot) {
  for (const Liquid liquid : {Liquid::river, Liquid::ocean, Liquid::magma, Liquid::slime}) {
    Scene scene;
    LiquidMaterials liquids(scene, [](std::string_view) { return nullptr; });
    const Material material = scene.materials.at(liquids.material(liquid));
    EXPECT_TRUE(liquids.lacks(liquid));
    const bool water = liquid == Liquid::river || liquid == Liquid::ocean;
    ASSERT_EQ(material.layers.size(), water ? 2U : 1U);
    EXPECT_EQ(material.layers.back().unshaded, liquid == Liquid::magma);
    std::set<Bytes> pictures;
    for (const auto& texture : scene.textures) {
      if (texture.wrap_u) {
        pictures.insert(scene.images.at(texture.image).image.rgba);
      }
    }
    EXPECT_EQ(pictures.size(), 10U) << "all of them different";
    // Edges meet: a step over the border is no larger than the largest within.
    const Image& image = scene.images.back().image;
    const auto red = [&](std::uint32_t x, std::uint32_t y) {
      return int{image.rgba.at((std::size_t{y} * image.width + x) * 4)};
    };
    int within = 0;
    int over = 0;
    for (std::uint32_t y = 0; y < image.height; ++y) {
      for (std::uint32_t x = 0; x + 1 < image.width; ++x) {
        within = std::max(within, std::abs(red(x, y) - red(x + 1, y)));
      }
      over = std::max(over, std::abs(red(image.width - 1, y) - red(0, y)));
    }
    EXPECT_GT(within, 4);
    EXPECT_LE(over, within);
  }
}

TEST(Liquids, AreMoreOpaqueTheDeeperTheyAre) {
  const WaterColors water = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}}};
  EXPECT_LT(liquid_color(Liquid::river, 0)[3], liquid_color(Liquid::river, 1)[3]);
  EXPECT_LT(liquid_color(Liquid::ocean, 0)[3], liquid_color(Liquid::ocean, 1)[3]);
  const Vec4 half = liquid_color(Liquid::river, 0.5F, water);
  EXPECT_EQ((Vec3{half[0], half[1], half[2]}), (Vec3{0.5F, 0.5F, 0}));
  EXPECT_EQ(liquid_color(Liquid::ocean, 0, water)[2], 1);
  EXPECT_EQ(liquid_color(Liquid::magma, 0, water), liquid_color(Liquid::magma, 0)) << "water's colours alone";
}

TEST(Liquids, DriftWithTheCurrent) {
  Scene scene;
  LiquidMaterials liquids(scene, {});
  const Index still = liquids.material(Liquid::river);
  const Index moved = liquids.material(Liquid::river, {0.31F, -0.5F});
  EXPECT_NE(still, moved);
  EXPECT_FALSE(liquids.lacks(Liquid::river)) << "nobody was asked";
  EXPECT_EQ(scene.materials[still].layers.back().uv_animation, kNone);
  EXPECT_EQ(scene.materials[moved].layers.back().uv_animation, 0U);
  EXPECT_EQ(scene.materials[moved].layers.front().uv_animation, kNone) << "depth stays where it is";
  ASSERT_EQ(scene.clips.size(), 2U);
  const Clip& currents = scene.clips[1];
  const Curve& curve = currents.channels.at(0).curve;
  // Coordinates count against the way; whole pictures, so that the loop has no seam.
  EXPECT_EQ(curve.values, (Array<float>{0, 0, -19, 30}));
  EXPECT_EQ(currents.duration, 60);
}

TEST(Liquids, MoveInFrames) {
  Scene scene;
  scene.nodes.emplace_back();
  LiquidMaterials liquids(scene, {});
  Mesh mesh;
  mesh.node = 0;
  mesh.positions = {{0, 0, 0}, {0, 0, 1}, {1, 0, 0}};
  mesh.normals.assign(3, {0, 1, 0});
  mesh.uv_sets = {{{0, 0}, {0, 1}, {1, 0}}, {{0.2F, 0.5F}, {0.2F, 0.5F}, {0.9F, 0.5F}}};
  mesh.indices = {0, 1, 2};
  mesh.parts = {{0, 3, liquids.material(Liquid::ocean, {1, 0})}};
  scene.meshes.push_back(mesh);
  const frame::Evaluator evaluator(scene);
  const auto at = [&](double time) { return evaluator.evaluate({frame::kNone, 0, time}, {}); };
  const frame::Frame start = at(0);
  const frame::Frame later = at(1.7);
  ASSERT_EQ(start.draws.size(), 2U);
  EXPECT_EQ(start.draws[0].blend, frame::Blend::alpha);
  EXPECT_EQ(start.draws[1].blend, frame::Blend::add);
  EXPECT_EQ(start.draws[0].texture.image, later.draws[0].texture.image);
  EXPECT_NE(start.draws[1].texture.image, later.draws[1].texture.image);
  EXPECT_NEAR(later.draws[1].uv_matrix[4], -1.7, 1e-4);
}

}  // namespace
}  // namespace thaw::scene
