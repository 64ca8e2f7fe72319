#include <thaw/codes.hpp>
#include <thaw/control.hpp>
#include <thaw/render.hpp>
#include <thaw/sources.hpp>
#include <thaw/value.hpp>

#include "bytes/text.hpp"
#include "support/paths.hpp"

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace thaw {
namespace {

/// The sample map with everything that belongs to it.
class Island : public testing::Test {
 protected:
  Island() : world_(wdt::open(open_storage(path_).value()).value()), models_(model_sources(path_, {}), {}) {
    shot_.shot.width = 64;
    shot_.shot.height = 32;
    shot_.shot.raster.samples = 1;
  }

  [[nodiscard]] MapToRender map() const { return {world_, models_, "Island"}; }

  std::filesystem::path path_ = test::samples_dir() / "World/Maps/Island/Island.wdt";
  wdt::World world_;
  MapModels models_;
  MapShot shot_;
};

TEST_F(Island, IsSeenFromAbove) {
  const auto picture = render_from_above(map(), shot_, {});
  ASSERT_TRUE(picture) << picture.error().message;
  EXPECT_EQ(picture->tiles, 2U);
  EXPECT_EQ(picture->image.width, 64U);
  EXPECT_GT(picture->triangles, 10000U);
  EXPECT_FALSE(picture->camera);
  shot_.tiles = {0, 1, 0, 1};
  EXPECT_EQ(render_from_above(map(), shot_, {}).error().code, codes::kWorldNoTile);
  shot_.tiles = {};
  shot_.shot.width = 1;
  EXPECT_EQ(render_from_above(map(), shot_, {}).error().code, codes::kWorldTooLarge);
}

TEST_F(Island, IsSeenFromAPlaceAndAlongAWay) {
  const wdt::TilePosition tile = world_.tiles().front();
  const Vec3 middle = world::corner_of({tile.x, tile.y});
  shot_.view.camera = {middle[0] - 200, middle[1] - 200, 120};
  shot_.pitch = -0.5;
  const auto picture = render_from_place(map(), shot_, {});
  ASSERT_TRUE(picture) << picture.error().message;
  EXPECT_GT(picture->triangles, 0U);
  EXPECT_TRUE(picture->camera);

  const auto key = [&](int time, int up) {
    const std::string place = std::to_string(middle[0] - 200) + "," + std::to_string(middle[1] - 200) + ",";
    return R"({"time":)" + std::to_string(time) + R"(,"eye":[)" + place + std::to_string(up) +
           R"(],"target":[)" + std::to_string(middle[0]) + "," + std::to_string(middle[1]) + ",0]}";
  };
  const std::string keys = R"({"keys":[)" + key(0, 120) + "," + key(2, 300) + R"(],"curve":"linear"})";
  const auto path = CameraPath::of(parse_json(as_bytes(keys)).value());
  ASSERT_TRUE(path) << path.error();
  EXPECT_EQ(path->duration(), 2);
  std::vector<MapPicture> film;
  const std::array<double, 3> times = {0, 1, 2};
  const auto take = [&](MapPicture one) { film.push_back(std::move(one)); };
  ASSERT_TRUE(render_along_path(map(), shot_, *path, times, {}, take));
  ASSERT_EQ(film.size(), 3U);
  EXPECT_NE(film[0].image.rgba, film[2].image.rgba);
  EXPECT_NEAR(film[1].camera->eye[1], 210, 0.01);  // Y is up in scenes

  Control control;
  control.stop();
  ReadOptions stopped;
  stopped.control = &control;
  film.clear();
  ASSERT_TRUE(render_along_path(map(), shot_, *path, times, stopped, take));
  EXPECT_TRUE(film.empty());
}

TEST_F(Island, ReportsWhatIsMissingOnce) {
  const MapModels nothing(Sources(), {});
  Diagnostics findings;
  const auto picture = render_from_above({world_, nothing, "Island"}, shot_, {}, findings);
  ASSERT_TRUE(picture) << picture.error().message;
  std::set<std::string> messages;
  for (const Diagnostic& finding : findings.items()) {
    EXPECT_TRUE(messages.insert(finding.path + finding.message).second) << finding.message;
  }
  EXPECT_GT(findings.items().size(), 3U);
}

}  // namespace
}  // namespace thaw
