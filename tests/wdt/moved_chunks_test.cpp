// Chunks of one tile put into another: what comes along, what stays, and what is refused.
#include "formats/wow/wdt/moved_chunks.hpp"

#include "formats/wow/wdt/map_writer.hpp"

#include <gtest/gtest.h>

namespace thaw::wdt {
namespace {

/// A flat tile with a texture, and a doodad that its first chunk names.
Tile tile_of(std::uint16_t index, std::string_view texture, float height) {
  Tile tile;
  tile.index = index;
  tile.textures = join_names({texture});
  tile.doodads.resize(1);
  tile.doodads[0].unique_id = index;
  tile.doodads[0].position = {height, 0, 0};
  for (std::uint16_t slot = 0; slot < kChunks; ++slot) {
    Chunk& chunk = tile.chunks.emplace_back();
    chunk.slot = slot;
    chunk.header.x = slot % kChunksPerSide;
    chunk.header.y = slot / kChunksPerSide;
    chunk.heights.fill(height);
    chunk.layers.resize(1);
  }
  tile.chunks[0].references = {0};
  tile.chunks[0].header.doodad_reference_count = 1;
  return tile;
}

ChunkMove move_of(std::size_t x, std::size_t y, int east = 0, int south = 0) {
  ChunkMove move;
  move.tile = {1, 1};
  move.first_x = move.last_x = x;
  move.first_y = move.last_y = y;
  move.east = east;
  move.south = south;
  return move;
}

constexpr std::uint16_t kPlace = 65;  // 1_1

TEST(MovedChunks, BringTexturesAndWhatStandsOnThem) {
  Tile to = tile_of(kPlace, "Grass.blp", 0);
  const auto moved = MovedChunks::of(tile_of(kPlace, "Rock.blp", 5), move_of(0, 0));
  ASSERT_TRUE(moved);
  EXPECT_EQ(moved->put_into(to), 1U) << "what stood on the chunk before";
  EXPECT_EQ(split_names(to.textures), (std::vector<std::string_view>{"Grass.blp", "Rock.blp"}));
  EXPECT_EQ(to.chunks[0].layers[0].texture_id, 1U);
  EXPECT_EQ(to.chunks[1].layers[0].texture_id, 0U);
  ASSERT_EQ(to.doodads.size(), 1U);
  EXPECT_EQ(to.doodads[0].position[0], 5);
  EXPECT_EQ(to.chunks[0].references, (Array<std::uint32_t>{0}));
  EXPECT_EQ(to.chunks[0].outer(8, 8), 5);
  EXPECT_EQ(to.chunks[1].outer(8, 8), 0);
}

TEST(MovedChunks, WhatOthersNameStaysAndIsNumberedAnew) {
  Tile to = tile_of(kPlace, "Grass.blp", 0);
  to.doodads.push_back(to.doodads[0]);
  to.doodads[1].position = {9, 9, 9};
  to.chunks[7].references = {1};
  to.chunks[7].header.doodad_reference_count = 1;
  const auto moved = MovedChunks::of(tile_of(kPlace, "Grass.blp", 5), move_of(0, 0));
  ASSERT_TRUE(moved);
  EXPECT_EQ(moved->put_into(to), 1U);
  ASSERT_EQ(to.doodads.size(), 2U);
  EXPECT_EQ(to.doodads[to.chunks[7].references[0]].position[0], 9);
  EXPECT_EQ(to.doodads[to.chunks[0].references[0]].position[0], 5);
}

TEST(MovedChunks, TheSameThingAtTheSamePlaceStaysOne) {
  Tile to = tile_of(kPlace, "Grass.blp", 5);
  Tile from = tile_of(kPlace, "Grass.blp", 5);
  from.doodads[0].unique_id = 777;
  const auto moved = MovedChunks::of(from, move_of(0, 0));
  ASSERT_TRUE(moved);
  EXPECT_EQ(moved->put_into(to), 0U);
  EXPECT_EQ(to, tile_of(kPlace, "Grass.blp", 5));
}

TEST(MovedChunks, LieInOtherTiles) {
  const auto moved = MovedChunks::of(tile_of(kPlace, "Rock.blp", 5), move_of(0, 15, -1, 1));
  ASSERT_TRUE(moved);
  EXPECT_EQ(moved->tiles(), (std::vector<std::size_t>{2 * kTilesPerSide}));
  ASSERT_NE(moved->at(15, 32), nullptr);
  Tile to = tile_of(2 * kTilesPerSide, "Grass.blp", 0);
  moved->put_into(to);
  EXPECT_EQ(to.chunks[15].outer(0, 0), 5);
  EXPECT_EQ(to.chunks[15].header.x, 15U);
  EXPECT_EQ(to.chunks[15].header.y, 0U);
  EXPECT_EQ(to.chunks[15].slot, 15);
  EXPECT_EQ(to.chunks.size(), kChunks);
}

TEST(MovedChunks, EdgesThatDoNotMeetAreCounted) {
  const Tile to = tile_of(kPlace, "Grass.blp", 0);
  const auto moved = MovedChunks::of(tile_of(kPlace, "Rock.blp", 5), move_of(3, 4));
  ASSERT_TRUE(moved);
  const auto edges = moved->open_edges(
      [&](std::size_t x, std::size_t y) { return to.chunk(x % kChunksPerSide, y % kChunksPerSide); });
  EXPECT_EQ(edges.count, 4U);
  EXPECT_EQ(edges.most, 5);
  EXPECT_EQ(edges.where, "1_1.MCNK[67]");
  EXPECT_EQ(moved->open_edges([](std::size_t, std::size_t) { return nullptr; }).count, 0U);
}

TEST(MovedChunks, FarTerrainHasTheirCornersAndMiddles) {
  const auto moved = MovedChunks::of(tile_of(kPlace, "Rock.blp", -2.5F), move_of(15, 0));
  ASSERT_TRUE(moved);
  wdl::Area own;
  own.index = kPlace;
  moved->put_into(own);
  EXPECT_EQ(own.outer_at(0, 15), -3);
  EXPECT_EQ(own.outer_at(1, 16), -3);
  EXPECT_EQ(own.outer_at(0, 14), 0);
  EXPECT_EQ(own.inner_at(0, 15), -3);
  wdl::Area east;
  east.index = kPlace + 1;
  moved->put_into(east);
  EXPECT_EQ(east.outer_at(1, 0), -3) << "the edge that they share";
  EXPECT_EQ(east.inner_at(0, 0), 0);
}

TEST(MovedChunks, WhatNoChunkCanBeIsRefusedWithItsPlace) {
  const auto refused = [](const Tile& from, const ChunkMove& move) {
    const auto moved = MovedChunks::of(from, move);
    return moved ? "" : moved.error().path + ": " + moved.error().message;
  };
  Tile from = tile_of(kPlace, "Rock.blp", 5);
  EXPECT_EQ(refused(from, move_of(0, 0, -17)), "1_1.MCNK[0]: the chunk would be outside the map");
  from.chunks[5].layers.resize(5);
  EXPECT_EQ(refused(from, move_of(5, 0)), "1_1.MCNK[5]: the chunk has 5 layers; the client draws up to 4");
  from.chunks[6].layers[0].texture_id = 1;
  EXPECT_EQ(refused(from, move_of(6, 0)),
            "1_1.MCNK[6]: the chunk refers to a texture or placement that its tile does not have");
  from.chunks[7].alpha.resize(15000);
  EXPECT_NE(refused(from, move_of(7, 0)).find("the client's limit is 15000"), std::string::npos);
  from.chunks.erase(from.chunks.begin());
  EXPECT_EQ(refused(from, move_of(0, 0)), "1_1.MCNK[0]: the chunk does not exist");
}

}  // namespace
}  // namespace thaw::wdt
