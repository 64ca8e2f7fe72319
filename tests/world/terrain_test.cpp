// Tiles as scenes, pictures and heights, against numbers from formulas (wdt.md#heights).
#include <thaw/codes.hpp>
#include <thaw/gltf.hpp>
#include <thaw/lit.hpp>
#include <thaw/wdl.hpp>
#include <thaw/wdt.hpp>
#include <thaw/world.hpp>

#include "support/files.hpp"
#include "support/paths.hpp"
#include "synthetic_map.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace thaw::world {
namespace {

using test::synthetic_height;
using test::synthetic_liquid;
using test::synthetic_map;

constexpr double kMetres = 0.9144;
constexpr double kCell = 533.33333333 / 128;

std::size_t found(const Diagnostics& diagnostics, const Code& code) {
  std::size_t count = 0;
  for (const auto& finding : diagnostics.items()) {
    count += finding.code.id == code.id ? 1U : 0U;
  }
  return count;
}

SceneOptions plain_options() {
  SceneOptions options;
  options.look = GroundStyle::plain;
  options.scale = static_cast<float>(kMetres);
  return options;
}

scene::Scene scene_of(const wdt::Document& document, const SceneOptions& options, Diagnostics& diagnostics) {
  SceneBuilder builder(document.map, "Test", options, diagnostics);
  for (const auto& tile : document.tiles) {
    builder.add_tile(tile);
  }
  return builder.take();
}

scene::Scene scene_of(const wdt::Document& document) {
  Diagnostics diagnostics;
  scene::Scene scene = scene_of(document, plain_options(), diagnostics);
  EXPECT_TRUE(diagnostics.items().empty());
  return scene;
}

/// In the world, yards: x north, y west, z up.
std::array<double, 3> placed(const scene::Scene& scene, const scene::Mesh& mesh, std::size_t vertex) {
  std::array<double, 3> at{};
  for (std::size_t i = 0; i < 3; ++i) {
    at.at(i) = double{mesh.positions[vertex].at(i)};
  }
  for (auto node = mesh.node; node != scene::kNone; node = scene.nodes[node].parent) {
    for (std::size_t i = 0; i < 3; ++i) {
      at.at(i) += double{scene.nodes[node].rest.translation.at(i)};
    }
  }
  return {at[2] / kMetres, at[0] / kMetres, at[1] / kMetres};
}

TEST(TerrainScene, VerticesLieWhereTheFormulaSays) {
  const auto document = synthetic_map({{32, 31}});
  const auto scene = scene_of(document);
  ASSERT_EQ(scene.meshes.size(), 1U);
  const auto& mesh = scene.meshes[0];
  ASSERT_EQ(mesh.positions.size(), 256U * 145);
  EXPECT_EQ(mesh.indices.size(), 256U * 64 * 4 * 3);
  for (const std::size_t vertex : {0U, 80U, 81U, 144U, 145U * 37 + 12, 145U * 255 + 80}) {
    const std::size_t slot = vertex / 145;
    const std::size_t i = vertex % 145;
    const double row = i < 81 ? static_cast<double>(i / 9) : static_cast<double>((i - 81) / 8) + 0.5;
    const double column = i < 81 ? static_cast<double>(i % 9) : static_cast<double>((i - 81) % 8) + 0.5;
    const double map_row = 31 * 128 + static_cast<double>(slot / 16 * 8) + row;
    const double map_column = 32 * 128 + static_cast<double>(slot % 16 * 8) + column;
    const auto at = placed(scene, mesh, vertex);
    EXPECT_NEAR(at[0], 17066.66667 - map_row * kCell, 2e-3);
    EXPECT_NEAR(at[1], 17066.66667 - map_column * kCell, 2e-3);
    EXPECT_NEAR(at[2], double{synthetic_height(map_row, map_column)}, 1e-4);
  }
}

TEST(TerrainScene, TrianglesFaceUp) {
  const auto scene = scene_of(synthetic_map({{32, 31}}));
  const auto& mesh = scene.meshes[0];
  for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
    const auto& a = mesh.positions[mesh.indices[i]];
    const auto& b = mesh.positions[mesh.indices[i + 1]];
    const auto& c = mesh.positions[mesh.indices[i + 2]];
    // Y of (b - a) × (c - a).
    ASSERT_GT((b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2]), 0) << "triangle " << i / 3;
  }
}

TEST(TerrainScene, NeighboursMeet) {
  const auto scene = scene_of(synthetic_map({{32, 31}, {33, 31}, {32, 32}}));
  ASSERT_EQ(scene.meshes.size(), 3U);
  for (std::size_t along = 0; along < 16; ++along) {
    for (std::size_t i = 0; i < 9; ++i) {
      const auto east = placed(scene, scene.meshes[0], (along * 16 + 15) * 145 + i * 9 + 8);
      const auto west = placed(scene, scene.meshes[1], along * 16 * 145 + i * 9);
      const auto south = placed(scene, scene.meshes[0], (15 * 16 + along) * 145 + 72 + i);
      const auto north = placed(scene, scene.meshes[2], along * 145 + i);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        ASSERT_NEAR(east.at(axis), west.at(axis), 1e-3);
        ASSERT_NEAR(south.at(axis), north.at(axis), 1e-3);
      }
    }
  }
}

TEST(TerrainScene, HolesAreCut) {
  auto document = synthetic_map({{0, 0}});
  document.tiles[0].chunks[5].header.holes = 0x8001;  // two of 2 × 2 cells
  document.tiles[0].chunks[6].header.holes = 0xFFFF;
  const auto scene = scene_of(document);
  EXPECT_EQ(scene.meshes[0].indices.size() / 3, (256U * 64 - 8 - 64) * 4);
  EXPECT_EQ(scene.meshes[0].positions.size(), 256U * 145) << "vertices keep their places";
}

TEST(TerrainScene, NormalsTurnWithTheAxes) {
  auto document = synthetic_map({{0, 0}});
  document.tiles[0].chunks[0].normals[3] = {0, 127, 0};
  document.tiles[0].chunks[0].normals[4] = {0, 0, 0};
  document.tiles[0].chunks[0].normals[5] = {-76, 0, 102};
  const auto scene = scene_of(document);
  const auto& normals = scene.meshes[0].normals;
  EXPECT_EQ(normals[0], (Vec3{0, 1, 0}));
  EXPECT_EQ(normals[3], (Vec3{1, 0, 0})) << "west is +X";
  EXPECT_EQ(normals[4], (Vec3{0, 1, 0})) << "no direction: up";
  EXPECT_NEAR(normals[5][2], -76 / std::sqrt(76.0 * 76 + 102 * 102), 1e-6);
}

TEST(TerrainScene, HeightsThatAreNoNumbers) {
  auto document = synthetic_map({{0, 0}});
  document.tiles[0].chunks[0].heights[7] = std::nanf("");
  Diagnostics diagnostics;
  const auto scene = scene_of(document, plain_options(), diagnostics);
  EXPECT_EQ(found(diagnostics, codes::kWorldHeight), 1U);
  EXPECT_EQ(scene.meshes[0].positions[7][1], 0);
}

TEST(TerrainScene, LiquidsOfAllKinds) {
  auto document = synthetic_map({{0, 0}});
  auto& chunk = document.tiles[0].chunks[17];
  chunk.header.flags |= 0x3C;
  for (std::size_t kind = 0; kind < 4; ++kind) {
    auto liquid = synthetic_liquid(static_cast<float>(kind));
    for (std::size_t cell = 0; cell <= kind; ++cell) {
      liquid.cells.at(cell * 9) = 4;  // on the diagonal
    }
    liquid.vertices[80].height = 1e38F;  // under a cell that is not shown
    liquid.vertices[0].data = {128, 0, 0, 1};
    chunk.liquids.push_back(liquid);
  }
  chunk.liquids[0].flow_count = 1;
  chunk.liquids[0].flows[0].velocity = 2.5F;
  const auto scene = scene_of(document);
  ASSERT_EQ(scene.meshes.size(), 5U);
  for (std::size_t kind = 0; kind < 4; ++kind) {
    const auto& mesh = scene.meshes[kind + 1];
    EXPECT_EQ(mesh.indices.size(), (kind + 1) * 6);
    EXPECT_NEAR(mesh.positions[0][1], double(kind) * kMetres, 1e-5);
    // North-west corner of chunk 1, 1.
    EXPECT_NEAR(mesh.positions[0][0], -533.33333 / 16 * kMetres, 1e-3);
  }
  EXPECT_EQ(scene.meshes[1].name, wdt::liquid_name(wdt::LiquidKind::river));
  EXPECT_EQ(scene.meshes[3].uv_sets[0][0], (Vec2{128 * 3.0F / 256, 256 * 3.0F / 256})) << "magma has its own";
  ASSERT_NE(scene.meshes[1].extras.find("flows"), nullptr);
  EXPECT_EQ(to_json(*scene.meshes[1].extras.find("flows")).find("\"velocity\":2.5") != std::string::npos,
            true);

  document.tiles[0].chunks[17].liquids[0].vertices[0].height = std::nanf("");
  Diagnostics diagnostics;
  EXPECT_EQ(scene_of(document, plain_options(), diagnostics).meshes.size(), 4U);
  EXPECT_EQ(found(diagnostics, codes::kWorldLiquid), 1U);
}

// --- placements

/// wow-alpha-world.md#placements with matrices and the C library, for points of a model.
std::array<double, 3> by_matrix(const Vec3& position, const Vec3& degrees, double scale,
                                std::array<double, 3> v) {
  const auto turn = [](std::size_t a, std::size_t b, double angle, std::array<double, 3>& at) {
    const double c = std::cos(angle * 3.14159265358979 / 180);
    const double s = std::sin(angle * 3.14159265358979 / 180);
    const double first = at.at(a) * c - at.at(b) * s;
    at.at(b) = at.at(a) * s + at.at(b) * c;
    at.at(a) = first;
  };
  for (double& value : v) {
    value *= scale;
  }
  turn(1, 2, double{degrees[2]}, v);        // about x
  turn(2, 0, double{degrees[0]}, v);        // about y
  turn(0, 1, double{degrees[1]} + 180, v);  // about z
  constexpr double kMiddle = 32 * 533.33333333;
  return {v[0] + kMiddle - double{position[2]}, v[1] + kMiddle - double{position[0]},
          v[2] + double{position[1]}};
}

std::array<double, 3> by_pose(const Pose& pose, std::array<double, 3> v) {
  const auto& q = pose.rotation;
  for (double& value : v) {
    value *= pose.scale;
  }
  const std::array<double, 3> t = {2 * (q[1] * v[2] - q[2] * v[1]), 2 * (q[2] * v[0] - q[0] * v[2]),
                                   2 * (q[0] * v[1] - q[1] * v[0])};
  return {v[0] + q[3] * t[0] + q[1] * t[2] - q[2] * t[1] + pose.position[0],
          v[1] + q[3] * t[1] + q[2] * t[0] - q[0] * t[2] + pose.position[1],
          v[2] + q[3] * t[2] + q[0] * t[1] - q[1] * t[0] + pose.position[2]};
}

TEST(Placements, StandAsTheMatrixSays) {
  for (const Vec3& degrees : {Vec3{0, 0, 0}, Vec3{0, 90, 0}, Vec3{10, 200, -35}, Vec3{-80, 7, 120}}) {
    wdt::Doodad doodad;
    doodad.position = {17000, 33, 16900.5F};
    doodad.rotation = degrees;
    doodad.scale = 1536;
    const auto a = by_pose(pose_of(doodad), {3, -4, 5});
    const auto b = by_matrix(doodad.position, degrees, 1.5, {3, -4, 5});
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(a.at(i), b.at(i), 1e-4);
    }
  }
  wdt::MapObject object;
  object.position = {1, 2, 3};
  EXPECT_EQ(pose_of_map(object).position, (std::array<double, 3>{3, 1, 2}));
}

wdt::Document map_with_placements() {
  auto document = synthetic_map({{31, 31}, {32, 31}});
  for (auto& tile : document.tiles) {
    tile.doodads.resize(3);
    for (std::uint32_t i = 0; i < 3; ++i) {
      tile.doodads[i].unique_id = 100 + i;
      tile.doodads[i].name_id = i % 2;
      tile.doodads[i].position = {17000, 5, 17000};
    }
    tile.map_objects.resize(1);
    tile.map_objects[0].unique_id = 100;
    tile.map_objects[0].doodad_set = 2;
    tile.chunks[9].references = {0, 1, 0};
    tile.chunks[9].header.doodad_reference_count = 2;
    tile.chunks[9].header.map_object_reference_count = 1;
  }
  wdt::lay_out(document);
  return document;
}

TEST(Placements, AreInstancesOfModelsAndStandOnce) {
  const auto document = map_with_placements();
  auto model = std::make_shared<scene::Scene>();
  std::vector<std::string> requested;
  SceneOptions options = plain_options();
  options.open_model = [&](PlacedKind kind, std::string_view name, std::uint16_t set) {
    requested.push_back(std::string(name) + (kind == PlacedKind::building ? "#" + std::to_string(set) : ""));
    return kind == PlacedKind::doodad && name == "World\\Tree.mdx" ? model : nullptr;
  };
  Diagnostics diagnostics;
  const auto scene = scene_of(document, options, diagnostics);
  EXPECT_EQ(requested, (std::vector<std::string>{"World\\Tree.mdx", "World\\Rock.mdl", "World\\Hut.wmo#2"}));
  EXPECT_EQ(scene.placements.size(), 1U);
  EXPECT_EQ(found(diagnostics, codes::kWorldModelMissing), 2U);
  EXPECT_EQ(found(diagnostics, codes::kWorldUnseen), 2U) << "the third doodad, in each tile";
  std::size_t placed = 0;
  for (const auto& node : scene.nodes) {
    placed += node.extras.find("uniqueId") != nullptr ? 1U : 0U;
  }
  EXPECT_EQ(placed, 3U) << "once, though two tiles have them, and those without models too";
  options.layers = {true, true, false, false, false};
  Diagnostics none;
  EXPECT_EQ(scene_of(document, options, none).nodes.size(), 5U) << "root, tiles and their ground";
}

// --- far terrain

TEST(FarTerrain, IsALesserDetailOrStandsAlone) {
  const auto document = synthetic_map({{3, 2}});
  wdl::Area area;
  area.index = 2 * 64 + 3;
  area.outer.fill(100);
  area.inner.fill(110);
  SceneOptions options = plain_options();
  options.layers.far_terrain = true;
  Diagnostics diagnostics;
  SceneBuilder both(document.map, "Test", options, diagnostics);
  both.add_tile(document.tiles[0], &area);
  const auto scene = both.take();
  ASSERT_EQ(scene.meshes.size(), 2U);
  EXPECT_EQ(scene.meshes[1].positions.size(), 545U);
  EXPECT_EQ(scene.meshes[1].indices.size(), 3072U);
  EXPECT_NEAR(scene.meshes[1].positions[0][1], 100 * kMetres, 1e-3);
  EXPECT_EQ(scene.nodes[scene.meshes[0].node].lods, std::vector<scene::Index>{scene.meshes[1].node});
  EXPECT_EQ(scene.nodes[scene.meshes[1].node].parent, scene::kNone);
  options.layers.terrain = false;
  SceneBuilder alone(document.map, "Test", options, diagnostics);
  alone.add_tile(document.tiles[0], &area);
  const auto far = alone.take();
  ASSERT_EQ(far.meshes.size(), 1U);
  EXPECT_NE(far.nodes[far.meshes[0].node].parent, scene::kNone);
  wdl::Document whole;
  whole.areas.push_back(area);
  const auto world = to_scene(whole, "Test", 1);
  EXPECT_NEAR(world.nodes[1].rest.translation[2], 17066.66667 - 2 * 533.33333, 1e-2);
}

// --- pictures

std::shared_ptr<const Image> solid(std::uint8_t r, std::uint8_t g, std::uint8_t b) {
  auto image = std::make_shared<Image>(Image{2, 2, {}});
  for (int i = 0; i < 4; ++i) {
    image->rgba.insert(image->rgba.end(), {r, g, b, std::uint8_t{255}});
  }
  return image;
}

OpenTexture red_and_blue() {
  return [](std::string_view name) {
    return name == "Tileset\\A.blp"   ? solid(200, 0, 0)
           : name == "Tileset\\B.blp" ? solid(0, 0, 100)
                                      : nullptr;
  };
}

std::array<int, 3> color_at(const Image& image, std::size_t x, std::size_t y) {
  const std::uint8_t* at = image.rgba.data() + (y * image.width + x) * 4;
  return {at[0], at[1], at[2]};
}

TEST(Bake, BlendsLayersInOrderAndDarkens) {
  auto document = synthetic_map({{0, 0}});
  auto& chunk = document.tiles[0].chunks[0];
  chunk.alpha[0] = 0xF5;  // pixel 0 has 5 · 17 = 85, pixel 1 has 255
  chunk.shadow.assign(512, std::uint8_t{0});
  chunk.shadow[1] = 1;  // pixel 8
  document.tiles[0].chunks[1].layers.clear();
  const Image image = bake(document.tiles[0], red_and_blue(), 1024);
  ASSERT_EQ(image.width, 1024U);
  EXPECT_EQ(color_at(image, 2, 0), (std::array{200, 0, 0}));
  EXPECT_EQ(color_at(image, 0, 0), (std::array{133, 0, 33})) << "a third of the second layer";
  EXPECT_EQ(color_at(image, 1, 0), (std::array{0, 0, 100}));
  EXPECT_EQ(color_at(image, 8, 0), (std::array{200 * 150 / 255, 0, 0}));
  EXPECT_EQ(color_at(image, 64, 0), (std::array{128, 128, 128})) << "no layers";
  EXPECT_EQ(bake(document.tiles[0], red_and_blue(), 250).width, 256U);
  EXPECT_EQ(color_at(bake(document.tiles[0], red_and_blue(), 2048), 1000, 1000), (std::array{200, 0, 0}));
  chunk.alpha.assign(wdt::kAlphaSize, std::uint8_t{0xF0});
  EXPECT_EQ(color_at(bake(document.tiles[0], red_and_blue(), 16), 0, 0)[2], 50)
      << "every second pixel: the mean";
}

TEST(Bake, TexturesThatAreNotThereHaveColoursOfTheirOwn) {
  const auto document = synthetic_map({{0, 0}});
  const Image image = bake(document.tiles[0], nullptr, 64);
  EXPECT_NE(color_at(image, 0, 0), (std::array{128, 128, 128}));
  EXPECT_EQ(image, bake(document.tiles[0], nullptr, 64));
}

TEST(Minimap, IsLitByTheNormalsAndHasHoles) {
  auto document = synthetic_map({{0, 0}});
  document.tiles[0].chunks[0].header.holes = 1;
  document.tiles[0].chunks[2].normals.fill({127, 0, 0});
  GroundLight light;
  light.direct = {0.5F, 0.5F, 0.5F};
  light.ambient = {0.25F, 0.25F, 0.25F};
  light.direction = {0, 0, 1};
  const Image image = minimap(document.tiles[0], red_and_blue(), 256, light);
  EXPECT_EQ(image.rgba[3], 0) << "a hole";
  EXPECT_EQ(color_at(image, 20, 4), (std::array{150, 0, 0}));
  EXPECT_EQ(color_at(image, 40, 4), (std::array{50, 0, 0})) << "turned away";
}

TEST(Maps, HoldWhatTheChunksSay) {
  auto document = synthetic_map({{0, 0}});
  auto& chunk = document.tiles[0].chunks[17];
  chunk.alpha[0] = 0x0F;
  chunk.shadow.assign(512, std::uint8_t{0});
  chunk.shadow[0] = 2;
  chunk.header.holes = 2;
  const Image alpha = alpha_map(document.tiles[0]);
  EXPECT_EQ(color_at(alpha, 64, 64), (std::array{255, 0, 0}));
  EXPECT_EQ(color_at(alpha, 65, 64), (std::array{0, 0, 0}));
  EXPECT_EQ(shadow_map(document.tiles[0]).values[64 * 1024 + 65], 255);
  EXPECT_EQ(shadow_map(document.tiles[0]).values[64 * 1024 + 64], 0);
  EXPECT_EQ(area_map(document.tiles[0]).values[17], 17 % 7);
  EXPECT_EQ(zone_map(document.tiles[0]).values[17], 10);
  EXPECT_EQ(hole_map(document.tiles[0]).values[8 * 128 + 10], 255);
  EXPECT_EQ(hole_map(document.tiles[0]).values[8 * 128 + 9], 0);
}

TEST(Heights, TakeTheLatticeOfHalfCells) {
  const auto document = synthetic_map({{5, 6}});
  const auto& tile = document.tiles[0];
  const auto grid = heights_of(tile, 257);
  ASSERT_EQ(grid.side, 257U);
  EXPECT_EQ(grid.missing, 0U);
  const auto at = [&](std::size_t row, std::size_t column) { return grid.heights[row * 257 + column]; };
  EXPECT_EQ(at(0, 0), synthetic_height(768, 640));
  EXPECT_EQ(at(17, 35), synthetic_height(768 + 8.5, 640 + 17.5)) << "the middle of a cell";
  EXPECT_EQ(at(256, 256), synthetic_height(896, 768));
  EXPECT_FLOAT_EQ(at(2, 3), (synthetic_height(769, 641) + synthetic_height(769, 642)) / 2) << "on an edge";
  const auto corners = heights_of(tile, 129);
  EXPECT_EQ(corners.heights[129 * 5 + 7], at(10, 14));
  const auto chunks = heights_of(tile, 17);
  EXPECT_EQ(chunks.heights[17 * 3 + 2], at(48, 32));
}

TEST(Heights, OfFarTerrainAndOfMissingChunks) {
  wdl::Area area;
  area.outer.fill(10);
  area.inner.fill(30);
  area.outer[1] = 20;
  const auto grid = heights_of(area, 33);
  ASSERT_EQ(grid.side, 33U);
  EXPECT_EQ(grid.heights[0], 10);
  EXPECT_EQ(grid.heights[1], 15);
  EXPECT_EQ(grid.heights[2], 20);
  EXPECT_EQ(grid.heights[33 + 1], 30);
  auto document = synthetic_map({{0, 0}});
  document.tiles[0].chunks.pop_back();
  EXPECT_EQ(heights_of(document.tiles[0], 17).missing, 1U) << "the last corner; the others have neighbours";
}

TEST(GreyPng, KeepsBothBytes) {
  GreyImage image{3, 2, 16, {}};
  image.values = {0, 1, 256, 65535, 4660, 22136};
  const Bytes png = encode_png(image, 6);
  ASSERT_GT(png.size(), 33U);
  EXPECT_EQ(png[24], 16) << "bits";
  EXPECT_EQ(png[25], 0) << "grey";
  const auto decoded = decode_png(png, {});
  ASSERT_TRUE(decoded);
  EXPECT_EQ(decoded->rgba[4 * 4], 4660 >> 8) << "the high byte";
  EXPECT_EQ(encode_raw(image)[8], 4660 & 255);
  image.values.pop_back();
  EXPECT_TRUE(encode_png(image, 6).empty());
}

/// Its normals were measured on real terrain: they agree with the ground only in the right axes.
TEST(TerrainScene, NormalsOfRealGroundFitItsTriangles) {
  THAW_REQUIRE_CORPUS("alpha/_derived/Azeroth.wdt");
  Diagnostics diagnostics;
  const auto document =
      wdt::read(test::load(test::corpus_dir() / "alpha/_derived/Azeroth.wdt"), {}, diagnostics);
  ASSERT_TRUE(document);
  const auto scene = scene_of(*document);
  const auto& mesh = scene.meshes.at(0);
  const auto vertex = [&](std::size_t i) { return mesh.positions[mesh.indices[i]]; };
  double sum = 0;
  for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
    std::array<double, 3> u{};
    std::array<double, 3> v{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      u.at(axis) = double{vertex(i + 1).at(axis)} - double{vertex(i).at(axis)};
      v.at(axis) = double{vertex(i + 2).at(axis)} - double{vertex(i).at(axis)};
    }
    const std::array<double, 3> n = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2],
                                     u[0] * v[1] - u[1] * v[0]};
    const auto& stored = mesh.normals[mesh.indices[i]];
    sum += (n[0] * double{stored[0]} + n[1] * double{stored[1]} + n[2] * double{stored[2]}) /
           std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  }
  EXPECT_GT(sum / static_cast<double>(mesh.indices.size() / 3), 0.95);
}

// --- views

TEST(View, CountsWhatIsWithinTheFarClip) {
  auto document = map_with_placements();
  document.tiles[0].chunks[0].header.holes = 1;
  Diagnostics diagnostics;
  const auto world = wdt::open(memory_storage(wdt::write(document)), {}, diagnostics);
  ASSERT_TRUE(world);
  // In the middle of tile 31, 31.
  ViewOptions options;
  options.camera = {266.66667F, 266.66667F, 10};
  options.far_clip = 777;
  const View all = view_from(*world, nullptr, nullptr, options, diagnostics);
  EXPECT_EQ(all.standing_on, (TileIndex{31, 31}));
  EXPECT_EQ(all.tiles.size(), 9U);
  EXPECT_EQ(all.tiles[4].chunks, 256U);
  EXPECT_EQ(all.tiles[4].triangles, (256U * 64 - 4) * 4);
  EXPECT_EQ(all.tiles[5].exists, true);
  EXPECT_EQ(all.tiles[3].exists, false);
  EXPECT_EQ(all.placements.size(), 3U) << "two doodads and a building";
  EXPECT_FALSE(all.light);

  // Counted again by squares of 33.33 yards, heights left aside: they are within some 32 yards.
  options.far_clip = 300;
  const View near = view_from(*world, nullptr, nullptr, options, diagnostics);
  std::size_t least = 0;
  std::size_t most = 0;
  for (int tile = 0; tile < 2; ++tile) {
    for (int slot = 0; slot < 256; ++slot) {
      const double north = 533.33333 - slot / 16 * 33.333333;
      const double west = 533.33333 * (1 - tile) - slot % 16 * 33.333333;
      const double dx = std::max({0.0, 266.66667 - north, north - 33.333333 - 266.66667});
      const double dy = std::max({0.0, 266.66667 - west, west - 33.333333 - 266.66667});
      most += std::sqrt(dx * dx + dy * dy) <= 300 ? 1U : 0U;
      least += std::sqrt(dx * dx + dy * dy + 50 * 50) <= 300 ? 1U : 0U;
    }
  }
  EXPECT_GE(near.chunks.size(), least);
  EXPECT_LE(near.chunks.size(), most);
  EXPECT_LT(near.chunks.size(), 300U);
}

TEST(View, FogAndFarTerrain) {
  const auto document = synthetic_map({{31, 31}});
  Diagnostics diagnostics;
  const auto world = wdt::open(memory_storage(wdt::write(document)), {}, diagnostics);
  ASSERT_TRUE(world);
  lit::Document lights;
  lights.light_count = -1;
  lit::Values& values = lights.values.emplace_back();
  values.counts.assign(18, 0);
  values.tracks.resize(18);
  values.fog_end[0] = 36 * 400;
  values.fog_start_scaler[0] = 0.25F;
  wdl::Document far;
  for (const std::uint16_t index : std::array<std::uint16_t, 3>{2015, 2016, 5}) {
    far.areas.emplace_back().index = index;
  }
  ViewOptions options;
  options.camera = {266.66667F, 266.66667F, 0};
  const View view = view_from(*world, &far, &lights, options, diagnostics);
  ASSERT_TRUE(view.light && view.light->fog);
  EXPECT_FLOAT_EQ(view.light->fog->start, 100);
  for (const auto& chunk : view.chunks) {
    ASSERT_FLOAT_EQ(chunk.seen.visibility, fog_visibility(chunk.seen.distance, 100, 400));
  }
  EXPECT_EQ(view.far_tiles, (std::vector<TileIndex>{{32, 31}, {5, 0}})) << "not where the tile is loaded";
  EXPECT_EQ(view.far_triangles, 2048U);
}

}  // namespace
}  // namespace thaw::world
