// Maps in front of a camera: what is in the scene, and what is in the picture.
#include <thaw/bytes.hpp>
#include <thaw/lit.hpp>
#include <thaw/raster.hpp>
#include <thaw/wdl.hpp>
#include <thaw/wdt.hpp>
#include <thaw/world.hpp>

#include "scene/math.hpp"
#include "support/files.hpp"
#include "support/paths.hpp"
#include "synthetic_map.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace thaw::world {
namespace {

using test::synthetic_map;

wdt::World opened(const wdt::Document& document) {
  Diagnostics diagnostics;
  return wdt::open(memory_storage(wdt::write(document)), {}, diagnostics).value();
}

/// The middle of tile 31, 31, above the ground.
PictureOptions in_the_middle() {
  PictureOptions options;
  options.view.camera = {266.66667F, 266.66667F, 60};
  options.scene.look = GroundStyle::plain;
  return options;
}

Sight look(const wdt::World& world, const PictureOptions& options, const wdl::Document* far = nullptr,
           const lit::Document* lights = nullptr) {
  Diagnostics diagnostics;
  Sight sight = look_from(world, far, lights, "Test", options, diagnostics);
  EXPECT_TRUE(diagnostics.items().empty());
  return sight;
}

std::size_t triangles(const scene::Scene& scene) {
  std::size_t count = 0;
  for (const auto& mesh : scene.meshes) {
    count += mesh.indices.size() / 3;
  }
  return count;
}

const scene::Mesh* mesh_named(const scene::Scene& scene, std::string_view name) {
  const auto found = std::find_if(scene.meshes.begin(), scene.meshes.end(), [&](const scene::Mesh& mesh) {
    return scene.nodes[mesh.node].name == name;
  });
  return found == scene.meshes.end() ? nullptr : &*found;
}

raster::Picture drawn(const Sight& sight, std::uint32_t width, std::uint32_t height) {
  const frame::Evaluator evaluator(sight.scene);
  raster::Textures textures(evaluator.images());
  raster::Options options;
  options.width = width;
  options.height = height;
  return raster::draw(evaluator.evaluate({}, sight.camera, sight.options), textures, options);
}

std::array<int, 4> pixel(const Image& image, std::size_t x, std::size_t y) {
  const std::uint8_t* at = image.rgba.data() + (y * image.width + x) * 4;
  return {at[0], at[1], at[2], at[3]};
}

/// 18 tracks, one colour each; fog from 100 to 400 yards.
lit::Document synthetic_lights() {
  lit::Document lights;
  lights.light_count = -1;
  lit::Values& values = lights.values.emplace_back();
  values.counts.assign(18, 1);
  values.tracks.resize(18);
  for (std::uint32_t i = 0; i < 18; ++i) {
    values.tracks[i].words.assign(64, 0);
    values.tracks[i].words[1] = 0x100000U + 0x800U * i;
  }
  values.fog_end[0] = 36 * 400;
  values.fog_start_scaler[0] = 0.25F;
  return lights;
}

TEST(LookFrom, ShowsTheChunksWithinTheFarClip) {
  const wdt::World world = opened(synthetic_map({{31, 31}, {32, 31}, {40, 31}}));
  PictureOptions options = in_the_middle();
  for (const float far_clip : {177.0F, 300.0F, 777.0F}) {
    options.view.far_clip = far_clip;
    Diagnostics diagnostics;
    const View view = view_from(world, nullptr, nullptr, options.view, diagnostics);
    EXPECT_EQ(triangles(look(world, options).scene), view.triangles) << far_clip;
  }
}

TEST(LookFrom, TheGroundNearTheEyeIsAsFineAsThePicture) {
  auto document = synthetic_map({{31, 31}});
  for (wdt::Chunk& chunk : document.tiles[0].chunks) {
    for (std::size_t i = 0; i < chunk.alpha.size(); ++i) {
      chunk.alpha[i] = static_cast<std::uint8_t>(i * 7 + chunk.slot * 31U);
    }
  }
  const wdt::World world = opened(document);
  PictureOptions options = in_the_middle();
  options.scene.look = GroundStyle::baked;
  options.pitch = -0.7;
  options.view.camera[2] = 10 + ground_at(world, options.view.camera).value_or(0);
  const Sight coarse = look(world, options);
  EXPECT_EQ(coarse.scene.images.size(), 1U);
  options.height = 256;
  const Sight fine = look(world, options);
  const auto& images = fine.scene.images;
  EXPECT_GT(images.size(), 5U);
  EXPECT_LT(images.size(), 100U) << "far away, the tile's picture does";
  EXPECT_TRUE(std::any_of(images.begin(), images.end(),
                          [](const scene::NamedImage& image) { return image.image.width == 512; }));
  // Both show the same ground.
  const Image one = drawn(coarse, 48, 48).image;
  const Image other = drawn(fine, 48, 48).image;
  double difference = 0;
  for (std::size_t i = 0; i < one.rgba.size(); ++i) {
    difference += std::abs(int{one.rgba[i]} - int{other.rgba[i]});
  }
  EXPECT_LT(difference / static_cast<double>(one.rgba.size()), 4);
}

TEST(LookFrom, TheGroundIsFoundBelowAPlace) {
  auto document = synthetic_map({{31, 31}});
  document.tiles[0].chunks[0].header.holes = 1;
  const wdt::World world = opened(document);
  // Corners and middles of cells have the heights of the file, and between them it is straight.
  constexpr double kCell = kChunkSize / 8;
  const auto at = [&](double row, double column) {
    return ground_at(world, {static_cast<float>(kTileSize - row * kCell),
                             static_cast<float>(kTileSize - column * kCell), 0});
  };
  const auto expected = [](double row, double column) {
    return test::synthetic_height(31 * 128 + row, 31 * 128 + column);
  };
  EXPECT_NEAR(at(64.001, 40.001).value(), expected(64, 40), 0.05);
  EXPECT_NEAR(at(20.5, 99.5).value(), expected(20.5, 99.5), 0.05);
  EXPECT_NEAR(at(20.5, 99.25).value(), (expected(20, 99) + expected(21, 99) + 2 * expected(20.5, 99.5)) / 4,
              0.05);
  EXPECT_NEAR(at(20.75, 99.5).value(), (expected(21, 99) + expected(21, 100) + 2 * expected(20.5, 99.5)) / 4,
              0.05);
  EXPECT_FALSE(at(0.5, 0.5)) << "a hole";
  EXPECT_FALSE(ground_at(world, {-100, -100, 0})) << "no tile";
}

TEST(LookFrom, LeavesOutWhatOnlyFarChunksReferTo) {
  auto document = synthetic_map({{31, 31}});
  wdt::Tile& tile = document.tiles[0];
  tile.doodads.resize(2);
  tile.doodads[1].unique_id = 1;
  tile.chunks[119].references = {0};
  tile.chunks[119].header.doodad_reference_count = 1;
  tile.chunks[0].references = {1};
  tile.chunks[0].header.doodad_reference_count = 1;
  wdt::lay_out(document);
  const wdt::World world = opened(document);
  PictureOptions options = in_the_middle();
  options.scene.open_model = [](PlacedKind, std::string_view, std::uint16_t) {
    return std::make_shared<const scene::Scene>();
  };
  EXPECT_EQ(look(world, options).scene.placements.size(), 2U);
  options.view.far_clip = 177;
  EXPECT_EQ(look(world, options).scene.placements.size(), 1U);
}

TEST(LookFrom, TheCameraLooksWhereItIsReported) {
  const wdt::World world = opened(synthetic_map({{31, 31}}));
  PictureOptions options = in_the_middle();
  const auto ahead = [&] {
    const Sight sight = look(world, options);
    std::array<double, 3> direction{};
    for (std::size_t i = 0; i < 3; ++i) {
      direction.at(i) = double{sight.camera.target.at(i)} - double{sight.camera.eye.at(i)};
    }
    return direction;  // west, up, north
  };
  constexpr double kNear = 1e-3;
  EXPECT_NEAR(ahead()[2], 1, kNear) << "north";
  options.heading = 1.5707963;
  EXPECT_NEAR(ahead()[0], 1, kNear) << "west";
  options.pitch = -0.5235988;
  EXPECT_NEAR(ahead()[1], -0.5, kNear) << "down";
  EXPECT_NEAR(ahead()[0], 0.8660254, kNear);
  options.scene.scale = 0.5F;
  EXPECT_EQ(look(world, options).camera.eye, (Vec3{133.333335F, 30, 133.333335F}));
}

TEST(LookFrom, FogLightAndSkyAreThoseOfTheHour) {
  const wdt::World world = opened(synthetic_map({{31, 31}}));
  const lit::Document lights = synthetic_lights();
  PictureOptions options = in_the_middle();
  const Sight sight = look(world, options, nullptr, &lights);
  EXPECT_TRUE(sight.options.fog.enabled);
  EXPECT_FLOAT_EQ(sight.options.fog.start, 100);
  EXPECT_FLOAT_EQ(sight.options.fog.end, 400);
  EXPECT_EQ(sight.options.lighting, frame::Lighting::scene);
  ASSERT_EQ(sight.scene.lights.size(), 1U);
  EXPECT_NEAR(sight.scene.lights[0].ambient_color[1], 8.0 / 255, 1e-6) << "track 1";
  const scene::Mesh* sky = mesh_named(sight.scene, "sky");
  ASSERT_NE(sky, nullptr);
  EXPECT_NEAR(sky->colors.front()[1], 16.0 / 255, 1e-6) << "track 2 at the top";
  EXPECT_NEAR(sky->colors.back()[1], 56.0 / 255, 1e-6) << "the fog below the horizon";
  options.fog = false;
  EXPECT_FALSE(look(world, options, nullptr, &lights).options.fog.enabled);
  EXPECT_EQ(mesh_named(look(world, options).scene, "sky"), nullptr);

  // What the picture shows: the sky's colour above, of a light without its own colours the fog's far away.
  options.fog = true;
  options.pitch = 1.5;
  const auto above = pixel(drawn(look(world, options, nullptr, &lights), 16, 16).image, 8, 8);
  EXPECT_EQ(above[3], 255);
  EXPECT_NEAR(above[1], 17, 3);
}

TEST(LookFrom, WithoutLightsTheSkyAndFogAreTheUsualOnes) {
  const wdt::World world = opened(synthetic_map({{31, 31}}));
  PictureOptions options = in_the_middle();
  options.otherwise = usual_light(options.view.far_clip);
  const Sight sight = look(world, options);
  EXPECT_FLOAT_EQ(sight.options.fog.end, 444.4445F);
  EXPECT_FLOAT_EQ(sight.options.fog.start, 444.4445F / 4);
  EXPECT_FLOAT_EQ(usual_light(200).fog->end, 200);
  const Image image = drawn(sight, 16, 16).image;
  for (std::size_t i = 0; i < 16; ++i) {
    EXPECT_EQ(pixel(image, i, i)[3], 255) << "no background is left";
  }
  const lit::Document lights = synthetic_lights();
  EXPECT_FLOAT_EQ(look(world, options, nullptr, &lights).options.fog.end, 400) << "the file comes first";
  auto cellar = synthetic_map({});
  cellar.map.map_objects_frame.present = true;
  cellar.map.map_objects.resize(1);
  const wdt::World underground = opened(cellar);
  Diagnostics discarded;
  EXPECT_FALSE(look_from(underground, nullptr, nullptr, "Cellar", options, discarded).options.fog.enabled);
}

TEST(LookFrom, NightComesAfterEight) {
  const wdt::World world = opened(synthetic_map({{31, 31}}));
  PictureOptions options = in_the_middle();
  const auto night = [&](float hours) {
    options.view.light.time = hours * 120;
    return look(world, options).options.night;
  };
  for (const float day : {4.0F, 12.0F, 20.0F, 36.0F}) {
    EXPECT_EQ(night(day), 0) << day;
  }
  for (const float dark : {0.0F, 3.0F, 21.0F, 24.0F, -1.0F}) {
    EXPECT_EQ(night(dark), 1) << dark;
  }
  EXPECT_FLOAT_EQ(night(20.5F), 0.5F);
  EXPECT_FLOAT_EQ(night(3.5F), 0.5F);
}

TEST(LookFrom, FarTerrainStandsWhereNoTileIsLoaded) {
  const wdt::World world = opened(synthetic_map({{31, 31}}));
  wdl::Document far;
  for (const std::uint16_t index : std::array<std::uint16_t, 3>{2015, 2016, 5}) {
    far.areas.emplace_back().index = index;
  }
  const lit::Document lights = synthetic_lights();
  const Sight sight = look(world, in_the_middle(), &far, &lights);
  EXPECT_EQ(mesh_named(sight.scene, "far terrain 31_31"), nullptr) << "all of its chunks are drawn";
  const scene::Mesh* far_tile = mesh_named(sight.scene, "far terrain 32_31");
  ASSERT_NE(far_tile, nullptr);
  ASSERT_FALSE(far_tile->colors.empty());
  EXPECT_NEAR(far_tile->colors[0][1], 56.0 / 255, 1e-6) << "in the colour of the fog";
  // East of its neighbour, whose corner is at 533.33 yards west.
  EXPECT_NEAR(sight.scene.nodes[far_tile->node].rest.translation[0], 0, 1e-3);
  EXPECT_NEAR(sight.scene.nodes[far_tile->node].rest.translation[2], 533.33333, 1e-3);
  EXPECT_TRUE(mesh_named(look(world, in_the_middle(), &far).scene, "far terrain 32_31")->colors.empty());
}

/// Far terrain of synthetic_map's ground, a few yards off.
wdl::Document synthetic_far(std::initializer_list<wdt::TilePosition> tiles) {
  wdl::Document far;
  for (const auto& place : tiles) {
    wdl::Area& area = far.areas.emplace_back();
    area.index = static_cast<std::uint16_t>(place.y * 64 + place.x);
    const auto height = [&](double row, double column) {
      return static_cast<std::int16_t>(test::synthetic_height(
          static_cast<double>(place.y * 128) + row * 8, static_cast<double>(place.x * 128) + column * 8));
    };
    for (std::size_t i = 0; i < wdl::kOuterCount; ++i) {
      area.outer.at(i) =
          height(static_cast<double>(i / wdl::kOuterSide), static_cast<double>(i % wdl::kOuterSide));
    }
    for (std::size_t i = 0; i < wdl::kInnerCount; ++i) {
      area.inner.at(i) = height(static_cast<double>(i / wdl::kInnerSide) + 0.5,
                                static_cast<double>(i % wdl::kInnerSide) + 0.5);
    }
  }
  return far;
}

std::size_t clear_pixels_below_the_horizon(const Image& image) {
  std::size_t clear = 0;
  for (std::size_t y = image.height * 5 / 8; y < image.height; ++y) {
    for (std::size_t x = 0; x < image.width; ++x) {
      clear += pixel(image, x, y)[3] < 255 ? 1U : 0U;
    }
  }
  return clear;
}

TEST(LookFrom, NothingIsSeenThroughBetweenNearAndFarTerrain) {
  const std::initializer_list<wdt::TilePosition> tiles = {{30, 30}, {31, 30}, {32, 30}, {30, 31}, {31, 31},
                                                          {32, 31}, {30, 32}, {31, 32}, {32, 32}};
  const wdt::World world = opened(synthetic_map(tiles));
  const wdl::Document far = synthetic_far(tiles);
  PictureOptions options = in_the_middle();
  options.view.far_clip = 177;
  options.pitch = -0.12;
  std::size_t without = 0;
  // In each quarter of the tile, and in its middle; the far clip cuts through tiles in each of these views.
  for (const auto& [north, west] :
       {std::pair(266.7F, 266.7F), {400.0F, 400.0F}, {400.0F, 130.0F}, {130.0F, 400.0F}, {130.0F, 130.0F}}) {
    options.view.camera = {north, west, 75};
    for (int turn = 0; turn < 8; ++turn) {
      options.heading = turn * 0.7853982;
      EXPECT_EQ(clear_pixels_below_the_horizon(drawn(look(world, options, &far), 160, 96).image), 0U)
          << north << ", " << west << " towards " << turn * 45;
    }
    without += clear_pixels_below_the_horizon(drawn(look(world, options), 160, 96).image);
  }
  EXPECT_GT(without, 1000U) << "of the ground alone";
}

TEST(LookFrom, NothingIsSeenThroughFromPlacesAlongAPath) {
  const std::initializer_list<wdt::TilePosition> tiles = {{30, 30}, {31, 30}, {32, 30}, {30, 31}, {31, 31},
                                                          {32, 31}, {30, 32}, {31, 32}, {32, 32}};
  const wdt::World world = opened(synthetic_map(tiles));
  const wdl::Document far = synthetic_far(tiles);
  PictureOptions options = in_the_middle();
  options.view.far_clip = 177;
  options.pitch = -0.05;
  constexpr int kPlaces = 40;
  std::size_t quarters = 0;
  for (int i = 0; i < kPlaces; ++i) {  // once around through all quarters of the tile
    const double angle = 2 * scene::kPi * i / kPlaces;
    const auto north = static_cast<float>(266.7 + 210 * scene::cosine(angle));
    const auto west = static_cast<float>(266.7 + 210 * scene::sine(angle));
    options.view.camera = {north, west, 0};
    options.view.camera[2] = ground_at(world, options.view.camera).value_or(0) + 25;
    options.heading = angle + scene::kPi / 2;
    EXPECT_EQ(clear_pixels_below_the_horizon(drawn(look(world, options, &far), 120, 80).image), 0U)
        << "place " << i << ": " << north << ", " << west;
    quarters |= std::size_t{1} << ((north > 266.7F ? 2U : 0U) + (west > 266.7F ? 1U : 0U));
  }
  EXPECT_EQ(quarters, 15U);
}

/// A map on which a building stands around its middle, and is told of by its chunk.
wdt::Document map_with_hut() {
  auto document = synthetic_map({{31, 31}});
  wdt::Tile& tile = document.tiles[0];
  wdt::MapObject& hut = tile.map_objects.emplace_back();
  const auto middle = static_cast<float>(kMapEdge - 266.66667);
  hut.position = {middle, 60, middle};
  hut.rotation = {0, 90, 0};
  hut.box_minimum = {middle - 20, 40, middle - 20};
  hut.box_maximum = {middle + 20, 90, middle + 20};
  wdt::lay_out(document);
  return document;
}

TEST(LookFrom, InABuildingTheFogIsTheBuildings) {
  const wdt::World world = opened(map_with_hut());
  PictureOptions options = in_the_middle();
  options.view.camera[0] += 4;  // north
  options.otherwise = usual_light(options.view.far_clip);
  std::vector<Vec3> requested;
  options.view.open_fogs = [&](std::string_view name, const Vec3& place) {
    EXPECT_EQ(name, "World\\Hut.wmo");
    requested.push_back(place);
    IndoorFog fog;
    fog.everywhere = true;
    fog.end = 40;
    fog.start_scalar = 0.25F;
    fog.color = {1, 0, 0};
    return std::optional(std::vector{fog});
  };
  const Sight within = look(world, options);
  ASSERT_EQ(requested.size(), 1U);
  // Turned by 90 + 180 degrees: what is north of it is to its west.
  EXPECT_NEAR(requested[0][0], 0, 1e-3);
  EXPECT_NEAR(std::fabs(requested[0][1]), 4, 1e-3);
  EXPECT_EQ(within.options.fog.start, 10);
  EXPECT_EQ(within.options.fog.end, 40);
  EXPECT_EQ(within.options.fog.color, (Vec3{1, 0, 0}));
  const scene::Mesh* sky = mesh_named(within.scene, "sky");
  ASSERT_NE(sky, nullptr);
  EXPECT_EQ(sky->colors.back(), (Vec4{1, 0, 0, 1})) << "its horizon";

  Diagnostics findings;
  const View view = view_from(world, nullptr, nullptr, options.view, findings);
  EXPECT_EQ(view.indoors, "World\\Hut.wmo");
  EXPECT_EQ(view.fog, (Fog{10, 40, {1, 0, 0}}));
  for (const auto& chunk : view.chunks) {
    EXPECT_EQ(chunk.seen.visibility, fog_visibility(chunk.seen.distance, 10, 40));
  }
  requested.pop_back();

  options.view.camera[0] += 60;
  EXPECT_NE(look(world, options).options.fog.end, 40) << "outside of its box nobody asks";
  EXPECT_EQ(requested.size(), 1U);
  options.view.camera[0] -= 60;
  options.view.open_fogs = [](std::string_view, const Vec3&) {
    return std::optional<std::vector<IndoorFog>>();
  };
  EXPECT_NE(look(world, options).options.fog.end, 40) << "beside its rooms";
}

TEST(FogsAround, AreThoseOfTheSmallestRoom) {
  wmo::Document house = wmo::read(test::load(test::samples_dir() / "house.wmo"), {}).value();
  const auto* infos = house.find<wmo::GroupInfos>(FourCC{"MOGI"});
  ASSERT_NE(infos, nullptr);
  std::size_t rooms = 0;
  for (const auto& info : infos->items) {
    Vec3 middle{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      middle.at(axis) = (info.box.minimum.at(axis) + info.box.maximum.at(axis)) / 2;
    }
    const auto fogs = fogs_around(house, {}, middle);
    rooms += fogs ? 1U : 0U;
    if (fogs) {
      ASSERT_FALSE(fogs->empty());
      EXPECT_GT(fogs->front().end, 0);
      const auto below = fogs_around(house, {}, middle, true);
      ASSERT_TRUE(below);
      EXPECT_NE(below->front().end, fogs->front().end) << "under water it is another";
    }
  }
  EXPECT_GT(rooms, 0U);
  EXPECT_FALSE(fogs_around(house, {}, {1000, 0, 0}));
}

TEST(LookFrom, WaterHasTheColoursOfTheHour) {
  auto document = synthetic_map({{31, 31}});
  auto& chunk = document.tiles[0].chunks[7 * 16 + 7];
  chunk.header.flags |= 4;
  auto liquid = test::synthetic_liquid(50);
  liquid.cells.fill(4);
  chunk.liquids.push_back(liquid);
  wdt::lay_out(document);
  const wdt::World world = opened(document);
  const lit::Document lights = synthetic_lights();
  const auto depths = [](const scene::Scene& scene) {
    const auto found =
        std::find_if(scene.images.begin(), scene.images.end(),
                     [](const scene::NamedImage& image) { return image.name == "river depths"; });
    return found == scene.images.end() ? std::array<int, 4>{} : pixel(found->image, 0, 0);
  };
  EXPECT_EQ(depths(look(world, in_the_middle(), nullptr, &lights).scene)[1], 8 * 16)
      << "track 16: shallow river";
  EXPECT_NE(depths(look(world, in_the_middle()).scene)[1], 8 * 16);
}

TEST(LookFrom, FarTerrainHasACellForEachChunkThatIsNotDrawn) {
  const wdt::World world = opened(synthetic_map({{31, 31}}));
  const wdl::Document far = synthetic_far({{31, 31}});
  PictureOptions options = in_the_middle();
  options.view.far_clip = 177;
  const std::size_t ground = triangles(look(world, options).scene);
  const Sight sight = look(world, options, &far);
  const scene::Mesh* mesh = mesh_named(sight.scene, "far terrain 31_31");
  ASSERT_NE(mesh, nullptr);
  const std::size_t chunks = ground / (64 * 4);
  EXPECT_GT(chunks, 50U);
  EXPECT_LT(chunks, 256U);
  const std::size_t walls = (mesh->positions.size() - 545) / 18;
  EXPECT_GT(walls, 20U);
  EXPECT_EQ(mesh->indices.size() / 3, (256 - chunks) * 4 + walls * 16);
  // A wall goes from the height that is far to the one that is near.
  const Vec3& low = mesh->positions[545];
  const Vec3& high = mesh->positions[546];
  EXPECT_EQ(low[0], high[0]);
  EXPECT_EQ(low[2], high[2]);
  EXPECT_NEAR(low[1], high[1], 1.21F) << "whole yards of the same ground, and a tenth more at both ends";
}

TEST(LookDown, ShowsTheTileAsAMapHasIt) {
  auto document = synthetic_map({{31, 31}});
  wdt::Tile& tile = document.tiles[0];
  tile.chunks[0].header.holes = 0xFFFF;  // north-west
  tile.chunks[255].layers[0].texture_id = 1;
  wdt::lay_out(document);
  SceneOptions options;
  options.bake_size = 256;
  options.open_texture = [](std::string_view name) {
    const bool first = name.find("A.blp") != std::string_view::npos;
    Image image{1, 1, {}};
    image.rgba = {static_cast<std::uint8_t>(first ? 200 : 0), 0, static_cast<std::uint8_t>(first ? 0 : 100),
                  255};
    return std::make_shared<const Image>(std::move(image));
  };
  GroundLight light;
  light.direct = {0.5F, 0.5F, 0.5F};
  light.ambient = {0.25F, 0.25F, 0.25F};
  light.direction = {0, 0, 1};
  Diagnostics diagnostics;
  const Image image =
      drawn(look_down(document.map, document.tiles[0], "Test", options, light, diagnostics), 160, 160).image;
  EXPECT_EQ(pixel(image, 4, 4)[3], 0) << "the hole is in the north-west";
  EXPECT_EQ(pixel(image, 80, 80), (std::array{150, 0, 0, 255}));
  EXPECT_EQ(pixel(image, 155, 155), (std::array{0, 0, 75, 255})) << "the last chunk is in the south-east";
  EXPECT_EQ(pixel(image, 0, 159)[3], 255) << "the tile fills the picture";
  // The flat minimap is made without a camera.
  const Image flat = minimap(document.tiles[0], options.open_texture, 160, light);
  std::size_t equal = 0;
  for (std::size_t y = 0; y < 160; ++y) {
    for (std::size_t x = 0; x < 160; ++x) {
      const auto a = pixel(image, x, y);
      const auto b = pixel(flat, x, y);
      bool same = true;
      for (std::size_t c = 0; c < 4; ++c) {
        same = same && (b[3] == 0 ? a[3] == 0 : std::abs(a.at(c) - b.at(c)) <= 2);
      }
      equal += same ? 1U : 0U;
    }
  }
  EXPECT_GT(equal, 160U * 160U * 98 / 100);
}

}  // namespace
}  // namespace thaw::world
