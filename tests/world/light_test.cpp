// Light, fog and distance against values worked out by hand (wow-alpha-world.md#fog, lit.md#values).
#include <thaw/lit.hpp>
#include <thaw/world.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace thaw::world {
namespace {

constexpr std::uint32_t kRed = 0xFF0000;
constexpr std::uint32_t kBlue = 0x0000FF;

lit::Values empty_values() {
  lit::Values values;
  values.counts.assign(lit::kMostTracks, 0);
  values.tracks.resize(lit::kMostTracks);
  for (auto& track : values.tracks) {
    track.words.assign(lit::kSlots * 2, 0);
  }
  return values;
}

void add_marker(lit::Values& values, std::size_t track, std::int32_t time, std::uint32_t color) {
  const auto at = static_cast<std::size_t>(values.counts[track]++);
  values.tracks[track].words[2 * at] = static_cast<std::uint32_t>(time);
  values.tracks[track].words[2 * at + 1] = color;
}

void set_fog(lit::Values& values, std::initializer_list<float> ends, float scaler) {
  std::size_t at = 0;
  for (const float end : ends) {
    values.fog_end.at(at) = end;
    values.fog_start_scaler.at(at++) = scaler;
  }
}

/// One colour on every track and one fog, all day.
lit::Values plain(std::uint32_t color, float fog_yards, float scaler) {
  lit::Values values = empty_values();
  for (std::size_t track = 0; track < lit::kMostTracks; ++track) {
    add_marker(values, track, 0, color);
  }
  set_fog(values, {fog_yards * 36}, scaler);
  return values;
}

lit::Light whole_map() {
  lit::Light light;
  light.chunk_x = light.chunk_y = light.chunk_radius = -1;
  return light;
}

void add_light(lit::Document& document, const lit::Light& light, const lit::Values& values) {
  document.lights.push_back(light);
  document.light_count = static_cast<std::int32_t>(document.lights.size());
  for (std::size_t i = 0; i < lit::kWeathers; ++i) {
    document.values.push_back(values);
  }
}

void expect_near(const Vec3& a, const Vec3& b, float within = 1e-6F) {
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(a.at(i), b.at(i), within) << "component " << i;
  }
}

TEST(FarClip, IsTakenFrom177To777Only) {
  EXPECT_FALSE(accepts_far_clip(176.99F));
  EXPECT_TRUE(accepts_far_clip(177));
  EXPECT_TRUE(accepts_far_clip(350));
  EXPECT_TRUE(accepts_far_clip(777));
  EXPECT_FALSE(accepts_far_clip(777.01F));
  EXPECT_FALSE(accepts_far_clip(0));
  EXPECT_FALSE(accepts_far_clip(-500));
  EXPECT_FALSE(accepts_far_clip(std::nanf("")));
}

TEST(FogVisibility, IsLinearBetweenBothClamps) {
  EXPECT_EQ(fog_visibility(0, 100, 300), 1);
  EXPECT_EQ(fog_visibility(100, 100, 300), 1);
  EXPECT_FLOAT_EQ(fog_visibility(150, 100, 300), 0.75F);
  EXPECT_FLOAT_EQ(fog_visibility(200, 100, 300), 0.5F);
  EXPECT_EQ(fog_visibility(300, 100, 300), 0);
  EXPECT_EQ(fog_visibility(5000, 100, 300), 0) << "never below 0";
  EXPECT_FLOAT_EQ(fog_visibility(111.1111F, -111.1111F, 222.2222F), 1.0F / 3)
      << "under water it starts behind";
}

TEST(FogVisibility, WhereItEndsAsItStarts) {
  EXPECT_EQ(fog_visibility(199.9F, 200, 200), 1);
  EXPECT_EQ(fog_visibility(200, 200, 200), 0);
  EXPECT_EQ(fog_visibility(10, 300, 200), 1) << "start behind end";
  EXPECT_EQ(fog_visibility(250, 300, 200), 0);
  EXPECT_EQ(fog_visibility(10, std::nanf(""), 200), 1);
}

TEST(UpperLayers, FadeOver256Yards) {
  EXPECT_EQ(upper_layers(100, 200), 1);
  EXPECT_EQ(upper_layers(200, 200), 1);
  EXPECT_FLOAT_EQ(upper_layers(328, 200), 0.5F);
  EXPECT_EQ(upper_layers(456, 200), 0);
  EXPECT_EQ(upper_layers(9000, 200), 0);
}

TEST(Grid, PlacesAndTiles) {
  EXPECT_EQ(tile_at({1, 1, 0}), (TileIndex{31, 31})) << "north-west of the middle";
  EXPECT_EQ(tile_at({-1, -1, 0}), (TileIndex{32, 32}));
  EXPECT_EQ(tile_at({100, -600, 9}), (TileIndex{33, 31}));
  EXPECT_EQ(tile_at({17066, 17066, 0}), (TileIndex{0, 0}));
  EXPECT_FALSE(tile_at({17067, 0, 0}));
  EXPECT_FALSE(tile_at({0, -17067, 0}));
  EXPECT_FALSE(tile_at({std::nanf(""), 0, 0}));
  expect_near(corner_of({32, 31}), {533.33333F, 0, 0}, 1e-4F);
  expect_near(corner_of({32, 31}, 3, 2), {466.66667F, -100, 0}, 1e-4F);
  EXPECT_EQ((TileIndex{38, 46}).index(), 2982U);
}

TEST(Distance, ToBoxes) {
  const Box box{{0, 0, 0}, {10, 10, 10}};
  EXPECT_EQ(distance_to({5, 5, 5}, box), 0);
  EXPECT_FLOAT_EQ(distance_to({13, 14, 5}, box), 5);
  EXPECT_FLOAT_EQ(distance_to({-2, 13, 16}, box), 7);
}

TEST(Distance, TilesWithinTheFarClip) {
  // In the middle of tile 31, 31, each side is 266.67 away and each corner 377.12.
  const Vec3 middle{266.66667F, 266.66667F, 50};
  const auto near = tiles_within(middle, 177);
  ASSERT_EQ(near.size(), 1U);
  EXPECT_EQ(near[0].tile, (TileIndex{31, 31}));
  EXPECT_EQ(near[0].distance, 0);
  EXPECT_EQ(tiles_within(middle, 300).size(), 5U) << "and its four neighbours";
  const auto wide = tiles_within(middle, 380);
  ASSERT_EQ(wide.size(), 9U);
  EXPECT_EQ(wide[0].tile, (TileIndex{30, 30}));
  EXPECT_NEAR(wide[0].distance, 377.1236F, 1e-3F);
  EXPECT_EQ(tiles_within(middle, 777).size(), 9U) << "the next ring begins 800 away";
  EXPECT_EQ(tiles_within({0, 0, 0}, 777).size(), 16U) << "at a corner: the furthest are 754 away";
  EXPECT_EQ(tiles_within({17000, 17000, 0}, 177).size(), 1U) << "nothing beyond the map";
}

TEST(Colors, InterpolateBetweenMarkersAndOverMidnight) {
  lit::Values values = empty_values();
  add_marker(values, 0, 720, kRed);
  add_marker(values, 0, 1440, kBlue);
  expect_near(*color_at(values, 0, 720), {1, 0, 0});
  expect_near(*color_at(values, 0, 900), {0.75F, 0, 0.25F});
  expect_near(*color_at(values, 0, 1440), {0, 0, 1});
  // From noon on, 2160 half-minutes to the first marker of the next day.
  expect_near(*color_at(values, 0, 1980), {0.25F, 0, 0.75F});
  expect_near(*color_at(values, 0, 0), {1440.0F / 2160, 0, 720.0F / 2160});
  expect_near(*color_at(values, 0, 2880), *color_at(values, 0, 0));
  expect_near(*color_at(values, 0, -900), *color_at(values, 0, 1980));
  EXPECT_FALSE(color_at(values, 1, 0)) << "no markers";
  EXPECT_FALSE(color_at(values, 99, 0));
}

TEST(Colors, TakeBadMarkers) {
  lit::Values values = empty_values();
  add_marker(values, 0, 2000, kRed);
  add_marker(values, 0, 100, kBlue);
  values.counts[0] = 1000;
  EXPECT_TRUE(color_at(values, 0, 50));
  EXPECT_TRUE(color_at(values, 0, std::nanf("")));
  values.counts[0] = -5;
  EXPECT_FALSE(color_at(values, 0, 50));
}

TEST(FogOfTheDay, SpreadsItsSlotsEvenly) {
  lit::Values values = empty_values();
  set_fog(values, {36 * 100.0F, 36 * 200.0F, 36 * 300.0F, 36 * 400.0F}, 0.25F);
  add_marker(values, 7, 0, kBlue);
  const auto midnight = fog_at(values, 0);
  ASSERT_TRUE(midnight);
  EXPECT_FLOAT_EQ(midnight->end, 100);
  EXPECT_FLOAT_EQ(midnight->start, 25) << "the scaler multiplies the end";
  expect_near(midnight->color, {0, 0, 1});
  EXPECT_FLOAT_EQ(fog_at(values, 720)->end, 200);
  EXPECT_FLOAT_EQ(fog_at(values, 1080)->end, 250);
  EXPECT_FLOAT_EQ(fog_at(values, 2520)->end, 250) << "half-way from the last slot to the first";
  EXPECT_FALSE(fog_at(empty_values(), 0));
}

TEST(LightAt, TheWholeMapThenWhatReachesThePlace) {
  lit::Document document;
  lit::Light near;
  near.position = {36 * 17066.66667F, 36 * 20.0F, 36 * 16966.66667F};
  near.radius = 36 * 50;
  near.dropoff = 36 * 100;
  add_light(document, near, plain(kBlue, 100, 0.5F));
  add_light(document, whole_map(), plain(kRed, 500, 0.25F));
  expect_near(light_position(near, false), {100, 0, 20}, 1e-2F);

  const auto inside = light_at(document, {{100, 30, 20}});
  ASSERT_TRUE(inside);
  expect_near(inside->colors[0], {0, 0, 1});
  EXPECT_FLOAT_EQ(inside->fog->end, 100);
  ASSERT_EQ(inside->shares.size(), 2U);
  EXPECT_EQ(inside->shares[0].light, 1U) << "the map's own first";

  // 75 beyond the place: a quarter of the dropoff.
  const auto edge = light_at(document, {{100, 75, 20}});
  EXPECT_NEAR(edge->shares[1].weight, 0.75F, 1e-3F);
  expect_near(edge->colors[0], {0.25F, 0, 0.75F}, 1e-3F);
  EXPECT_NEAR(edge->fog->end, 200, 0.3F);
  EXPECT_NEAR(edge->fog->start, 0.25F * 125 + 0.75F * 50, 0.1F);

  const auto far = light_at(document, {{100, 400, 20}});
  EXPECT_EQ(far->shares.size(), 1U);
  expect_near(far->colors[0], {1, 0, 0});
  EXPECT_FLOAT_EQ(far->fog->end, 500);
}

TEST(LightAt, WeatherAndWater) {
  lit::Document document;
  add_light(document, whole_map(), plain(kRed, 400, 0));
  document.values[1] = plain(kBlue, 100, 0);
  document.values[2] = plain(0x00FF00, 50, 0);
  document.values[3] = plain(0x00FF00, 30, 0);
  expect_near(light_at(document, {{}, 0, 0})->colors[1], {1, 0, 0});
  const auto drizzle = light_at(document, {{}, 0, 0.25F});
  expect_near(drizzle->colors[1], {0.75F, 0, 0.25F});
  EXPECT_FLOAT_EQ(drizzle->fog->end, 325);
  EXPECT_FLOAT_EQ(light_at(document, {{}, 0, 1})->fog->end, 100);
  EXPECT_FLOAT_EQ(light_at(document, {{}, 0, 0, true})->fog->end, 50);
  EXPECT_FLOAT_EQ(light_at(document, {{}, 0, 0.5F, true})->fog->end, 40);
}

TEST(LightAt, OneSetAloneAndNone) {
  lit::Document document;
  document.light_count = -1;
  EXPECT_FALSE(light_at(document, {}));
  document.values.push_back(plain(kBlue, 90, 0.5F));
  const auto alone = light_at(document, {{}, 10, 1, true});
  ASSERT_TRUE(alone);
  expect_near(alone->colors[0], {0, 0, 1});
  EXPECT_FLOAT_EQ(alone->fog->start, 45);
}

TEST(LightAt, PositionsOnMapsOfOneBuilding) {
  lit::Light light;
  light.position = {36, 72, 108};
  expect_near(light_position(light, true), {3, 1, 2});
}

TEST(IndoorFog, ReplacesTheOutdoorFogByItsWeight) {
  const Fog outdoor{100, 400, {1, 0, 0}};
  const IndoorFog everywhere{{}, 0, 0, false, 200, 0.25F, {0, 0, 1}};
  const auto inside = indoor_fog(std::array{everywhere}, {5, 5, 5}, outdoor);
  ASSERT_TRUE(inside);
  EXPECT_EQ(*inside, (Fog{50, 200, {0, 0, 1}})) << "nothing of the outdoor fog is left";

  const IndoorFog ball{{10, 0, 0}, 10, 30, false, 100, 0.5F, {0, 1, 0}};
  EXPECT_EQ(*indoor_fog(std::array{ball}, {10, 0, 40}, outdoor), outdoor) << "out of reach";
  EXPECT_EQ(*indoor_fog(std::array{ball}, {10, 9, 0}, outdoor), (Fog{50, 100, {0, 1, 0}}));
  const auto half = indoor_fog(std::array{ball}, {10, 20, 0}, outdoor);
  EXPECT_FLOAT_EQ(half->end, 250);
  EXPECT_FLOAT_EQ(half->start, 75);
  expect_near(half->color, {0.5F, 0.5F, 0});
  EXPECT_EQ(indoor_fog(std::array{everywhere, ball}, {10, 20, 0}, outdoor)->end, 150) << "in order";
  IndoorFog endless = ball;
  endless.everywhere = true;
  EXPECT_EQ(indoor_fog(std::array{endless}, {10, 0, 400}, outdoor)->end, 100);
  EXPECT_FALSE(indoor_fog({}, {}, std::nullopt));
  EXPECT_EQ(indoor_fog(std::array{ball}, {10, 25, 0}, std::nullopt)->end, 100);
}

}  // namespace
}  // namespace thaw::world
