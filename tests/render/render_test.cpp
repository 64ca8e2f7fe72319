#include <thaw/load.hpp>
#include <thaw/open_scene.hpp>
#include <thaw/render.hpp>
#include <thaw/scene_codes.hpp>

#include "support/paths.hpp"

#include <gmock/gmock.h>

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
