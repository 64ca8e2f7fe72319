#include <thaw/codes.hpp>
#include <thaw/load.hpp>
#include <thaw/render.hpp>

#include "support/paths.hpp"

#include <gmock/gmock.h>

#include <array>
#include <cstdlib>

namespace thaw {
namespace {

scene::Scene knight() {
  const auto path = test::samples_dir() / "knight.mdx";
  OpenSceneOptions request;
  request.path = "knight.mdx";
  return open_scene(load(path)->document, model_sources(path, {}), request)->scene;
}

Shot small() {
  Shot shot;
  shot.width = 64;
  shot.height = 48;
  shot.raster.samples = 1;
  return shot;
}

TEST(Render, ShowsTheModel) {
  const auto picture = render(knight(), small());
  ASSERT_TRUE(picture) << picture.error().message;
  EXPECT_EQ(picture->image.width, 64U);
  EXPECT_EQ(picture->image.height, 48U);
  EXPECT_FALSE(is_empty_picture(picture->image, small().raster));
}

TEST(Render, EveryPartOfTheShotCounts) {
  const scene::Scene scene = knight();
  const Image usual = render(scene, small())->image;
  const auto differs = [&](const auto& change) {
    Shot shot = small();
    change(shot);
    const auto other = render(scene, shot);
    return other && other->image.rgba != usual.rgba;
  };
  EXPECT_TRUE(differs([](Shot& shot) { shot.camera = "back"; }));
  EXPECT_TRUE(differs([](Shot& shot) { shot.camera = "90,20,1.5"; }));
  EXPECT_TRUE(differs([](Shot& shot) { shot.clip = "Death"; }));
  EXPECT_TRUE(differs([](Shot& shot) {
    shot.clip = "Walk";
    shot.moment = {50, true};
  }));
  EXPECT_TRUE(differs([](Shot& shot) { shot.raster.background = {255, 255, 255, 255}; }));
  EXPECT_FALSE(differs([](Shot& shot) { shot.camera = "auto"; }));
}

/// Of a picture, how far from edge to edge something is seen: the longer side, 0 to 1.
double extent(const Image& image, const std::array<std::uint8_t, 4>& background) {
  std::size_t left = image.width;
  std::size_t right = 0;
  std::size_t top = image.height;
  std::size_t bottom = 0;
  for (std::size_t i = 0; i < image.pixels(); ++i) {
    if (std::abs(image.rgba[i * 4] - background[0]) > 8) {
      left = std::min(left, i % image.width);
      right = std::max(right, i % image.width + 1);
      top = std::min(top, i / image.width);
      bottom = std::max(bottom, i / image.width + 1);
    }
  }
  return right == 0 ? 0
                    : std::max(static_cast<double>(right - left) / image.width,
                               static_cast<double>(bottom - top) / image.height);
}

TEST(Render, GoesNearToWhatIsSeen) {
  scene::Scene scene = knight();
  // Far around it lie black things, which nobody sees before black.
  scene::Material black;
  black.layers.emplace_back().unshaded = true;
  scene.materials.push_back(black);
  scene::Mesh around;
  around.positions = {{-7, 0, -7}, {-6, 0, -7}, {-7, 0, -6}, {7, 0, 7}, {6, 0, 7}, {7, 0, 6}};
  around.indices = {0, 1, 2, 3, 5, 4};
  around.color = {};
  around.normals.assign(6, {0, 1, 0});
  scene::MeshPart part;
  part.material = static_cast<scene::Index>(scene.materials.size() - 1);
  part.index_count = 6;
  around.parts.push_back(part);
  around.node = scene.meshes.front().node;
  scene.meshes.push_back(around);
  Shot shot = small();
  shot.raster.background = {0, 0, 0, 255};
  const auto near = render(scene, shot);
  ASSERT_TRUE(near) << near.error().message;
  EXPECT_GT(extent(near->image, shot.raster.background), 0.6);
  shot.as_stated = true;
  const auto far = render(scene, shot);
  EXPECT_GT(extent(far->image, shot.raster.background), 0);
  EXPECT_LT(extent(far->image, shot.raster.background), 0.3);
}

TEST(Render, LooksThroughTheCameraOfASceneThatIsASpeck) {
  constexpr int kSeeds = 20;
  for (int seed = 0; seed < kSeeds; ++seed) {
    scene::Scene scene = knight();
    ASSERT_FALSE(scene.cameras.empty());
    scene.cameras.front().name = "Menu";
    scene.cameras.resize(1);
    // What is seen of them is all around, further away with each seed, and so small that it is nothing.
    const float far = 20.0F + 5.0F * static_cast<float>(seed);
    scene::Mesh around;
    around.positions = {{-far, 0, -far}, {-far + 0.1F, 0, -far}, {-far, 0, -far + 0.1F},
                        {far, far, far}, {far - 0.1F, far, far}, {far, far, far - 0.1F}};
    around.indices = {0, 1, 2, 3, 5, 4};
    around.normals.assign(6, {0, 1, 0});
    scene::MeshPart part;
    part.material = scene.meshes.front().parts.front().material;
    part.index_count = 6;
    around.parts.push_back(part);
    around.node = scene.meshes.front().node;
    scene.meshes.push_back(around);
    Shot shot = small();
    const auto shown = render(scene, shot);
    ASSERT_TRUE(shown) << shown.error().message;
    shot.camera = "Menu";
    EXPECT_EQ(shown->image, render(scene, shot)->image) << seed;
    // A camera for portraits is for them alone.
    scene.cameras.front().name = "Camera Portrait";
    shot.camera = {};
    EXPECT_NE(shown->image, render(scene, shot)->image) << seed;
  }
}

TEST(Render, NamesWhatThereIs) {
  Shot shot = small();
  shot.clip = "Swim";
  const auto no_clip = render(knight(), shot);
  ASSERT_FALSE(no_clip);
  EXPECT_EQ(no_clip.error().code, codes::kSceneNoClip);
  EXPECT_THAT(no_clip.error().message, testing::HasSubstr("Walk"));
  shot.clip.clear();
  for (const char* camera : {"behind", "1", "1,x", "1,2,0", "1,2,3,4"}) {
    shot.camera = camera;
    const auto no_camera = render(knight(), shot);
    ASSERT_FALSE(no_camera) << camera;
    EXPECT_EQ(no_camera.error().code, codes::kSceneNoCamera);
  }
}

TEST(Render, ReportsClipsThatEndBefore) {
  const scene::Scene scene = knight();
  Shot shot = small();
  shot.moment = {1000, false};
  const auto renderer = SceneRenderer::open(scene, {}, "knight", shot);
  ASSERT_TRUE(renderer);
  Diagnostics findings;
  renderer->report_ends(findings);
  EXPECT_EQ(findings.items().size(), 1U);
  EXPECT_LT(renderer->time_of_clip(), 1000);
}

}  // namespace
}  // namespace thaw
