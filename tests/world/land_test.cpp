// Maps made of pictures, and maps that are written tile by tile.
#include <thaw/bytes.hpp>
#include <thaw/codes.hpp>
#include <thaw/image.hpp>
#include <thaw/value.hpp>
#include <thaw/wdt.hpp>
#include <thaw/world.hpp>

#include "bytes/text.hpp"
#include "formats/wow/wdt/map_writer.hpp"
#include "support/files.hpp"
#include "support/paths.hpp"
#include "world/height_field.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace thaw::world {
namespace {

GreyImage picture(std::uint32_t width, std::uint32_t height, unsigned bits, std::uint16_t value = 0) {
  GreyImage image{width, height, bits, {}};
  image.values.assign(std::size_t{width} * height, value);
  return image;
}

LandPlan flat(std::uint16_t value = 0) {
  LandPlan plan;
  plan.corner = {30, 40};
  plan.heights = picture(129, 129, 16, value);
  plan.low = 0;
  plan.high = 100;
  plan.layers.push_back({"Grass.blp", {}});
  return plan;
}

wdt::Tile tile_of(LandPlan plan, Diagnostics& findings = Diagnostics::discarded()) {
  const auto land = Land::of(std::move(plan));
  EXPECT_TRUE(land);
  return land->tile(30, 40, findings);
}

TEST(MapWriter, WritesWhatTheDocumentWrites) {
  const Bytes bytes = test::load(test::samples_dir() / "World/Maps/Island/Island.wdt");
  const auto document = wdt::read(bytes);
  ASSERT_TRUE(document);
  MemorySink sink;
  wdt::MapWriter writer(sink, document->map);
  ASSERT_TRUE(writer.begin());
  for (const auto& tile : document->tiles) {
    ASSERT_TRUE(writer.add(tile));
  }
  ASSERT_TRUE(writer.finish());
  EXPECT_EQ(sink.bytes(), bytes);
}

class Full : public MemorySink {
 public:
  [[nodiscard]] bool append(ByteView bytes) override { return size() < 70000 && MemorySink::append(bytes); }
};

TEST(MapWriter, AFullDiskIsReported) {
  Full sink;
  wdt::MapWriter writer(sink, wdt::Map());
  ASSERT_TRUE(writer.begin());
  ASSERT_TRUE(writer.add(tile_of(flat())));
  const auto done = writer.add(tile_of(flat()));
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, codes::kWriteFailed);
}

TEST(Land, FlatGroundPointsUp) {
  const wdt::Tile tile = tile_of(flat(65535));
  ASSERT_EQ(tile.chunks.size(), 256U);
  for (const auto& chunk : tile.chunks) {
    EXPECT_EQ(chunk.heights[0], 100);
    EXPECT_EQ(chunk.heights[144], 100);
    EXPECT_EQ(chunk.normals[70], (wdt::Normal{0, 0, 127}));
    EXPECT_FLOAT_EQ(chunk.header.radius, 23.570227F);
    EXPECT_EQ(chunk.layers.size(), 1U);
    EXPECT_TRUE(chunk.alpha.empty());
  }
}

TEST(Land, MiddlesHaveTheirOwnHeightsInFinePictures) {
  LandPlan plan = flat();
  plan.heights = picture(257, 257, 16);
  for (std::size_t i = 0; i < plan.heights.values.size(); ++i) {
    plan.heights.values[i] = static_cast<std::uint16_t>(i * 40503U % 65536U);
  }
  const auto values = plan.heights.values;
  const wdt::Tile tile = tile_of(std::move(plan));
  for (const auto& chunk : tile.chunks) {
    for (std::size_t r = 0; r < 8; ++r) {
      for (std::size_t c = 0; c < 8; ++c) {
        const std::size_t row = chunk.header.y * 16 + r * 2;
        const std::size_t column = chunk.header.x * 16 + c * 2;
        const auto yards = [&](std::size_t y, std::size_t x) {
          return static_cast<float>(100.0 * values[y * 257 + x] / 65535);
        };
        ASSERT_EQ(chunk.outer(r, c), yards(row, column));
        ASSERT_EQ(chunk.inner(r, c), yards(row + 1, column + 1));
      }
    }
  }
}

TEST(Land, SlopesLeanBack) {
  LandPlan plan = flat();
  for (std::uint32_t y = 0; y < 129; ++y) {
    for (std::uint32_t x = 0; x < 129; ++x) {
      plan.heights.values[y * 129 + x] = static_cast<std::uint16_t>(y * 400);  // rises to the south
    }
  }
  const wdt::Tile tile = tile_of(std::move(plan));
  const auto& normal = tile.chunks[100].normals[40];
  const double slope = 100.0 * 400 / 65535 / wdt::kCellSize;
  EXPECT_EQ(normal[0], std::lround(slope / std::hypot(slope, 1) * 127));  // north
  EXPECT_EQ(normal[1], 0);
}

TEST(Land, LayersAreThereWhereTheyAreSeen) {
  LandPlan plan = flat();
  GreyImage mask = picture(1024, 1024, 8);
  for (std::size_t y = 0; y < 64; ++y) {
    for (std::size_t x = 0; x < 64; ++x) {
      mask.values[y * 1024 + x] = static_cast<std::uint16_t>(x < 32 ? 255 : 34);
    }
  }
  plan.layers.push_back({"Rock.blp", std::move(mask)});
  const wdt::Tile tile = tile_of(std::move(plan));
  const auto& painted = tile.chunks[0];
  ASSERT_EQ(painted.layers.size(), 2U);
  EXPECT_EQ(painted.layers[1].flags, wdt::Layer::kUsesAlpha);
  EXPECT_EQ(painted.alpha_at(1, 31, 63), 255);
  EXPECT_EQ(painted.alpha_at(1, 32, 0), 34);
  // Two bits for each of eight cells: the second layer in the west, the first in the east.
  EXPECT_EQ(painted.header.predominant_layers[0], 0x55);
  EXPECT_EQ(painted.header.predominant_layers[1], 0);
  EXPECT_EQ(tile.chunks[1].layers.size(), 1U);
  EXPECT_EQ(tile.chunks[16].layers.size(), 1U);
}

TEST(Land, LiquidsFollowLevelOrMask) {
  LandPlan plan = flat();
  for (std::size_t y = 0; y < 129; ++y) {
    for (std::size_t x = 0; x < 129; ++x) {
      plan.heights.values[y * 129 + x] = x < 4 ? 0 : 65535;
    }
  }
  plan.liquids.push_back({wdt::LiquidKind::ocean, 50, {}});
  GreyImage mask = picture(128, 128, 8);
  mask.values[9] = 255;
  plan.liquids.push_back({wdt::LiquidKind::slime, 120, std::move(mask)});
  const wdt::Tile tile = tile_of(std::move(plan));
  const auto* sea = tile.chunks[0].liquid(wdt::LiquidKind::ocean);
  ASSERT_NE(sea, nullptr);
  EXPECT_TRUE(sea->shows(0, 3));
  EXPECT_FALSE(sea->shows(0, 4));
  EXPECT_EQ(sea->vertices[0].data[0], 255);
  EXPECT_EQ(sea->vertices[8].data[0], 0);
  EXPECT_EQ(tile.chunks[0].header.flags, 8U);
  const auto* slime = tile.chunks[1].liquid(wdt::LiquidKind::slime);
  ASSERT_NE(slime, nullptr);
  EXPECT_TRUE(slime->shows(0, 1));
  EXPECT_FALSE(slime->shows(1, 1));
  EXPECT_EQ(slime->vertices[40].height, 120);
  EXPECT_EQ(tile.chunks[1].header.flags, 0x20U);
}

TEST(Land, PicturesOfMagmaGoOnFromChunkToChunk) {
  LandPlan plan = flat();
  plan.liquids.push_back({wdt::LiquidKind::magma, 1e6F, {}});
  const wdt::Tile tile = tile_of(std::move(plan));
  const auto u = [&](std::size_t chunk, std::size_t corner) {
    const auto& data = tile.chunks[chunk].liquid(wdt::LiquidKind::magma)->vertices.at(corner).data;
    return data[0] + 256 * data[1];
  };
  EXPECT_EQ(u(3, 8), u(4, 0));
  EXPECT_LT(u(4, 0), u(4, 1));
  EXPECT_EQ(u(15, 8) * 3 % 256, 0) << "whole pictures up to the next tile";
}

/// A triangle of a node, whose corners are given in yards; x is west, z north, y up.
scene::Scene triangle(const std::vector<Vec3>& corners) {
  scene::Scene scene;
  scene.nodes.emplace_back();
  scene::Mesh& mesh = scene.meshes.emplace_back();
  mesh.node = 0;
  mesh.positions.assign(corners.begin(), corners.end());
  mesh.indices = {0, 1, 2};
  return scene;
}

TEST(HeightField, TakesWhatLiesAboveTheLandAndNothingElse) {
  constexpr wdt::TilePosition kTile = {32, 32};  // begins in the middle of the map
  const auto heights = [&](const std::vector<Vec3>& corners) {
    return *world::heights_of(triangle(corners), {}, kTile, 1, 1, nullptr);
  };
  const auto slope = heights({{100, 10, 100}, {100, 10, -2000}, {-2000, 31, 100}});
  EXPECT_EQ(slope.missing, 0U);
  EXPECT_NEAR(slope.field.at(0, 0), 11, 1e-4);
  EXPECT_NEAR(slope.field.at(0, 256), 11 + wdt::kTileSize / 100, 1e-3);
  // However far it is, whatever it takes to count there.
  for (const float far : {1e7F, 1e15F, 1e25F, -1e7F, -1e15F, -1e25F}) {
    const auto none = heights({{far, 5, far}, {far, 5, far * 1.5F}, {far * 1.5F, 5, far}});
    EXPECT_EQ(none.missing, none.field.corners.size() + none.field.middles.size()) << far;
  }
}

TEST(Land, ChunksThatAreFullReportWhatTheyLose) {
  LandPlan plan = flat();
  for (int i = 0; i < 4000; ++i) {
    LandObject object;
    object.name = "Tree.mdx";
    object.north = wdt::north_of(40, 0, 4);
    object.west = wdt::west_of(30, 0, 4);
    plan.objects.push_back(object);
  }
  Diagnostics findings;
  const wdt::Tile tile = tile_of(std::move(plan), findings);
  EXPECT_EQ(tile.doodads.size(), 4000U);
  EXPECT_LT(tile.chunks[0].references.size(), 4000U);
  EXPECT_EQ(tile.chunks[0].header.doodad_reference_count, tile.chunks[0].references.size());
  ASSERT_EQ(findings.items().size(), 1U);
  wdt::TileEntry entry;
  wdt::Tile written = tile;
  wdt::write_at(written, 0, entry);
  EXPECT_LT(written.chunk_table[0].size, wdt::kChunkLimit);
  EXPECT_GT(written.chunk_table[0].size, wdt::kChunkLimit - 8);
}

TEST(Land, WhatNoMapCanBeIsRefused) {
  LandPlan plan = flat();
  plan.columns = 40;
  EXPECT_FALSE(Land::of(plan));
  plan = flat();
  plan.layers.resize(5);
  EXPECT_FALSE(Land::of(plan));
  plan = flat();
  plan.heights = picture(1, 129, 16);
  EXPECT_FALSE(Land::of(plan));
}

TEST(Land, FarTerrainRoundsTheSameHeights) {
  LandPlan plan = flat();
  plan.heights.values[8] = 32768 + 400;
  const auto land = Land::of(std::move(plan));
  const wdl::Document far = land->far_terrain();
  ASSERT_EQ(far.areas.size(), 1U);
  const wdl::Area& area = far.areas.front();
  EXPECT_EQ(area.index, 40 * 64 + 30);
  EXPECT_EQ(area.outer_at(0, 1), 51);
  EXPECT_EQ(area.outer_at(0, 0), 0);
  EXPECT_EQ(area.inner_at(0, 0), 0);
}

TEST(Land, ADescriptionSaysWhereItIsWrong) {
  const auto message_of = [](const char* text) {
    LandFiles files;
    files.open = [](const std::string& /*name*/) {
      return Result<Bytes>(encode_png(picture(129, 129, 16), 1));
    };
    const auto plan = read_land_plan(parse_json(as_bytes(text)).value(), files);
    return plan ? std::string() : plan.error().message;
  };
  const std::string good = R"({"tile":[30,40],"heights":"h.png","range":[0,9],"layers":[{"texture":"a"}]})";
  EXPECT_EQ(message_of(good.c_str()), "");
  EXPECT_EQ(message_of(R"({"tile":[30,64]})"), "tile: expected a whole number from 0 to 63");
  EXPECT_EQ(message_of(R"({"tile":[30,40],"heights":"h.png","range":[0,9],"layers":[{"texture":"a"},{}]})"),
            "layers[1].texture: expected a non-empty string");
}

// --- maps of other maps

std::shared_ptr<const Storage> island() {
  return memory_storage(test::load(test::samples_dir() / "World/Maps/Island/Island.wdt"));
}

Result<wdt::Document> written(MapJoin& join) {
  MemorySink sink;
  const auto done = join.write(sink);
  return done ? wdt::read(sink.bytes()) : tl::unexpected<Error>(done.error());
}

TEST(MapJoin, AMapAloneStaysWhatItIs) {
  const std::vector<JoinPart> maps = {{"Island.wdt", island()}};
  auto join = MapJoin::open(maps, {});
  ASSERT_TRUE(join) << join.error().message;
  EXPECT_EQ(join->tiles(), 2U);
  MemorySink sink;
  ASSERT_TRUE(join->write(sink));
  EXPECT_EQ(sink.bytes(), test::load(test::samples_dir() / "World/Maps/Island/Island.wdt"));
}

TEST(MapJoin, MovesTilesAndKeepsIdsApart) {
  const std::vector<JoinPart> maps = {{"A.wdt", island()}, {"B.wdt", island()}};
  Diagnostics findings;
  auto same = MapJoin::open(maps, {}, findings);
  ASSERT_TRUE(same) << same.error().message;
  EXPECT_EQ(same->tiles(), 2U);  // those of the last map
  EXPECT_EQ(findings.items().front().code, codes::kSceneChanged);

  JoinOptions options;
  options.east = 3;
  const std::vector<JoinPart> one = {{"A.wdt", island()}};
  auto moved = MapJoin::open(one, options);
  ASSERT_TRUE(moved) << moved.error().message;
  const auto document = written(*moved);
  ASSERT_TRUE(document) << document.error().message;
  EXPECT_NE(document->tile(34, 48), nullptr);
  EXPECT_EQ(document->tile(31, 48), nullptr);
  options.east = 40;
  EXPECT_EQ(MapJoin::open(one, options).error().code, codes::kWriteUnsupported);
}

TEST(MapJoin, TakesFarTerrainOfItsTiles) {
  const auto far = wdl::read(test::load(test::samples_dir() / "World/Maps/Island/Island.wdl"));
  ASSERT_TRUE(far);
  const std::vector<JoinPart> maps = {{"Island.wdt", island()}};
  JoinOptions options;
  options.tiles = {32, 32, 48, 48};
  const auto join = MapJoin::open(maps, options);
  ASSERT_TRUE(join);
  const std::vector<const wdl::Document*> documents = {&*far};
  const auto merged = join->far_terrain(documents);
  ASSERT_TRUE(merged);
  ASSERT_EQ(merged->areas.size(), 1U);
  EXPECT_EQ(merged->areas.front().index, 48 * 64 + 32);
  EXPECT_FALSE(join->far_terrain({}));
}

TEST(MapJoin, StopsBetweenTiles) {
  Control control;
  JoinOptions options;
  options.read.control = &control;
  const std::vector<JoinPart> maps = {{"Island.wdt", island()}};
  auto join = MapJoin::open(maps, options);
  ASSERT_TRUE(join);
  control.stop();
  MemorySink sink;
  EXPECT_EQ(join->write(sink).error().code, codes::kStopped);
}

}  // namespace
}  // namespace thaw::world
