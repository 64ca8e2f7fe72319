#include "terrain.hpp"

#include "build.hpp"

#include <algorithm>
#include <cmath>

namespace thaw::samples {
namespace {

using wdt::kCellsPerSide;
using wdt::kChunks;
using wdt::kChunksPerSide;
using wdt::kHeights;
using wdt::kMapSide;
using wdt::kOuterCount;
using wdt::kOuterSide;

/// Cells along one side of a tile.
constexpr double kTileCells = 128;

/// Height of the ground over the cells of the map, counted from its corner. It repeats with every tile, so
/// that all tiles meet all tiles.
using Ground = float (*)(double row, double column);

float hills(double row, double column) {
  return snap(9 * std::sin(row * kPi / 64) + 7 * std::cos(column * kPi / 32) +
              2 * std::sin((row + column) * kPi / 16));
}

/// Higher towards the middle of the two tiles, below the sea at their edges.
float island_height(double row, double column) {
  const double south = (row - (double{kWestTile.y} + 0.5) * kTileCells) / 64;
  const double east = (column - double{kEastTile.x} * kTileCells) / 128;
  const double away = std::min(1.0, south * south + east * east);
  return snap(60 * (1 - away) * (1 - away) - 12 + double{hills(row, column)} * (1.2 - away) / 2);
}

/// Row and column of height `i` of a chunk, in cells of the chunk.
std::array<double, 2> place_of(std::size_t i) {
  if (i < kOuterCount) {
    return {static_cast<double>(i / kOuterSide), static_cast<double>(i % kOuterSide)};
  }
  const std::size_t inner = i - kOuterCount;
  return {static_cast<double>(inner / kCellsPerSide) + 0.5, static_cast<double>(inner % kCellsPerSide) + 0.5};
}

wdt::Normal normal_at(Ground ground, double row, double column) {
  constexpr double kStep = 0.5;
  const double across = 2 * kStep * wdt::kCellSize;
  const double north = double{ground(row - kStep, column) - ground(row + kStep, column)} / across;
  const double west = double{ground(row, column - kStep) - ground(row, column + kStep)} / across;
  const double length = std::sqrt(north * north + west * west + 1);
  const auto part = [&](double value) { return static_cast<std::int8_t>(std::lround(value / length * 127)); };
  return {part(-north), part(-west), part(1)};
}

void shape(wdt::Chunk& chunk, const wdt::Tile& tile, Ground ground) {
  const double row = static_cast<double>((tile.y() * kChunksPerSide + chunk.header.y) * kCellsPerSide);
  const double column = static_cast<double>((tile.x() * kChunksPerSide + chunk.header.x) * kCellsPerSide);
  for (std::size_t i = 0; i < kHeights; ++i) {
    const auto place = place_of(i);
    chunk.heights.at(i) = ground(row + place[0], column + place[1]);
    chunk.normals.at(i) = normal_at(ground, row + place[0], column + place[1]);
  }
  chunk.header.radius = wdt::radius_of(chunk);
}

/// A map of 4 bits per texel: `value(x, y)` is 0 to 15.
template <class F>
void add_alpha(wdt::Chunk& chunk, std::uint32_t texture, F&& value) {
  wdt::Layer layer;
  layer.texture_id = texture;
  if (!chunk.layers.empty()) {
    layer.flags = wdt::Layer::kUsesAlpha;
    layer.alpha_offset = static_cast<std::uint32_t>(chunk.alpha.size());
    for (unsigned i = 0; i < kMapSide * kMapSide; i += 2) {
      const unsigned low = value(i % kMapSide, i / kMapSide);
      const unsigned high = value(i % kMapSide + 1, i / kMapSide);
      chunk.alpha.push_back(static_cast<std::uint8_t>(low | high << 4U));
    }
  }
  chunk.layers.push_back(layer);
}

wdt::Chunk plain_chunk(const wdt::Tile& tile, std::size_t slot, Ground ground) {
  wdt::Chunk chunk;
  chunk.slot = static_cast<std::uint16_t>(slot);
  chunk.header.x = static_cast<std::uint32_t>(slot % kChunksPerSide);
  chunk.header.y = static_cast<std::uint32_t>(slot / kChunksPerSide);
  chunk.header.area = 1;
  chunk.header.zone = 12;
  shape(chunk, tile, ground);
  add_alpha(chunk, 0, [](unsigned, unsigned) { return 0U; });
  return chunk;
}

/// A second layer everywhere, a third and a fourth on every other chunk.
void paint(wdt::Chunk& chunk) {
  add_alpha(chunk, 1, [](unsigned x, unsigned) { return x / 4; });
  if ((chunk.header.x + chunk.header.y) % 2 == 0) {
    add_alpha(chunk, 2, [](unsigned, unsigned y) { return y < 32 ? 0 : (y - 32) / 2; });
    add_alpha(chunk, 3, [](unsigned x, unsigned y) { return (x / 8 + y / 8) % 2 == 0 ? 0U : 9U; });
  }
  for (unsigned row = 0; row < kCellsPerSide; ++row) {
    chunk.header.predominant_layers.at(row * 2) = 0x50;
    chunk.header.predominant_layers.at(row * 2 + 1) = 0xA5;
  }
  chunk.header.no_effect_doodads.at(3) = 0x18;
}

void add_shadow(wdt::Chunk& chunk) {
  chunk.header.flags |= wdt::ChunkHeader::kHasShadow;
  chunk.shadow.assign(wdt::kShadowSize, 0);
  for (std::size_t y = 8; y < 40; ++y) {
    for (std::size_t x = 16; x < 16 + y; ++x) {
      chunk.shadow[y * 8 + x / 8] |= static_cast<std::uint8_t>(1U << (x % 8));
    }
  }
}

void add_liquid(wdt::Chunk& chunk, wdt::LiquidKind kind, float level) {
  constexpr std::array<std::uint8_t, wdt::kLiquidKinds> kCells = {4, 1, 6, 3};
  wdt::Liquid liquid;
  liquid.minimum = liquid.maximum = level;
  for (std::size_t i = 0; i < liquid.vertices.size(); ++i) {
    const auto step = static_cast<std::uint8_t>(i % kOuterSide * 8);
    liquid.vertices.at(i).height = level;
    liquid.vertices.at(i).data = {100, step, 0, 0};
    if (kind == wdt::LiquidKind::magma) {
      liquid.vertices.at(i).data = {step, 0, static_cast<std::uint8_t>(i / kOuterSide * 8), 0};
    }
  }
  liquid.cells.fill(
      static_cast<std::uint8_t>(kCells.at(static_cast<std::size_t>(kind)) | wdt::Liquid::kFishable));
  if (kind == wdt::LiquidKind::river) {
    for (std::size_t row = 0; row < kCellsPerSide; ++row) {
      liquid.cells.at(row * kCellsPerSide) = wdt::Liquid::kHidden;
    }
    liquid.flow_count = 1;
    liquid.flows[0] = {{-100, 50, level}, 20, {1, 0, 0}, 2, 0.5F, 1};
  }
  chunk.header.flags |= 4U << static_cast<unsigned>(kind);
  chunk.liquids.push_back(liquid);
}

/// The sea wherever the ground lies below it.
void add_sea(wdt::Chunk& chunk) {
  constexpr float kSea = 0;
  if (*std::min_element(chunk.heights.begin(), chunk.heights.end()) < kSea) {
    add_liquid(chunk, wdt::LiquidKind::ocean, kSea);
    auto& sea = chunk.liquids.back();
    for (auto& vertex : sea.vertices) {
      vertex.data = {80, 0, 0, 0};
    }
  }
}

/// What stands in a file for a place in the world: north, west, up.
Vec3 stored_place(double north, double west, double up) {
  return {static_cast<float>(wdt::kMiddle - west), static_cast<float>(up),
          static_cast<float>(wdt::kMiddle - north)};
}

/// The middle of a cell of a chunk, on the ground.
Vec3 ground_place(const wdt::Tile& tile, const wdt::Chunk& chunk, std::size_t row, std::size_t column) {
  return stored_place(wdt::north_of(tile.y(), chunk.header.y, static_cast<double>(row) + 0.5),
                      wdt::west_of(tile.x(), chunk.header.x, static_cast<double>(column) + 0.5),
                      double{chunk.inner(row, column)});
}

void place_doodad(wdt::Tile& tile, std::size_t slot, std::size_t row, std::size_t column,
                  std::uint16_t scale) {
  wdt::Chunk& chunk = tile.chunks.at(slot);
  wdt::Doodad doodad;
  doodad.unique_id = static_cast<std::uint32_t>(tile.index * kChunks + tile.doodads.size());
  doodad.position = ground_place(tile, chunk, row, column);
  doodad.rotation = {0, static_cast<float>(tile.doodads.size() * 40), 0};
  doodad.scale = scale;
  chunk.references.push_back(static_cast<std::uint32_t>(tile.doodads.size()));
  ++chunk.header.doodad_reference_count;
  tile.doodads.push_back(doodad);
}

void place_building(wdt::Tile& tile, std::size_t slot) {
  wdt::Chunk& chunk = tile.chunks.at(slot);
  wdt::MapObject object;
  object.unique_id = 0x00010000;
  object.position = ground_place(tile, chunk, 4, 4);
  object.rotation = {0, 90, 0};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    object.box_minimum.at(axis) = object.position.at(axis) - 8;
    object.box_maximum.at(axis) = object.position.at(axis) + 8;
  }
  object.doodad_set = 1;
  chunk.references.push_back(static_cast<std::uint32_t>(tile.map_objects.size()));
  ++chunk.header.map_object_reference_count;
  tile.map_objects.push_back(object);
}

wdt::Tile plain_tile(wdt::TilePosition position, Ground ground) {
  wdt::Tile tile;
  tile.index = static_cast<std::uint16_t>(position.y * wdt::kTilesPerSide + position.x);
  tile.textures = wdt::join_names({"Tileset\\Thaw\\Grass.blp", "Tileset\\Thaw\\Rock.blp",
                                   "Tileset\\Thaw\\Sand.blp", "Tileset\\Thaw\\Path.blp"});
  for (std::size_t slot = 0; slot < kChunks; ++slot) {
    tile.chunks.push_back(plain_chunk(tile, slot, ground));
  }
  return tile;
}

constexpr std::size_t slot_at(std::size_t x, std::size_t y) { return y * kChunksPerSide + x; }

wdt::Tile west_tile() {
  wdt::Tile tile = plain_tile(kWestTile, island_height);
  for (auto& chunk : tile.chunks) {
    paint(chunk);
    add_sea(chunk);
  }
  add_shadow(tile.chunks.at(slot_at(12, 7)));
  tile.chunks.at(slot_at(13, 8)).header.holes = 0x0660;
  tile.chunks.at(slot_at(0, 0)).header.flags |= wdt::ChunkHeader::kImpassable;
  for (std::size_t i = 0; i < 3; ++i) {
    place_doodad(tile, slot_at(12 + i, 6 + i), 2 + i, 5 - i, static_cast<std::uint16_t>(768 + 256 * i));
  }
  return tile;
}

wdt::Tile east_tile() {
  wdt::Tile tile = plain_tile(kEastTile, island_height);
  for (std::size_t slot = 0; slot < tile.chunks.size(); slot += 3) {
    add_alpha(tile.chunks.at(slot), 2, [](unsigned x, unsigned y) { return (x + y) / 9; });
  }
  for (auto& chunk : tile.chunks) {
    add_sea(chunk);
  }
  const auto dry = [&](std::size_t x, std::size_t y) -> wdt::Chunk& { return tile.chunks.at(slot_at(x, y)); };
  add_liquid(dry(3, 7), wdt::LiquidKind::river, dry(3, 7).inner(4, 4) + 1);
  add_liquid(dry(4, 8), wdt::LiquidKind::magma, dry(4, 8).inner(4, 4) + 1);
  add_liquid(dry(2, 9), wdt::LiquidKind::river, dry(2, 9).inner(4, 4) + 0.5F);
  add_liquid(dry(2, 9), wdt::LiquidKind::slime, dry(2, 9).inner(4, 4) + 1);
  wdt::SoundEmitter emitter;
  emitter.sound_point_id = 7;
  emitter.sound_name_id = 42;
  emitter.position = ground_place(tile, dry(3, 7), 4, 4);
  emitter.minimum_distance = 5;
  emitter.maximum_distance = 50;
  emitter.cutoff_distance = 80;
  emitter.end_time = 1440;
  dry(3, 7).emitters.push_back(emitter);
  place_doodad(tile, slot_at(1, 6), 4, 4, 1024);
  place_building(tile, slot_at(1, 7));
  return tile;
}

}  // namespace

wdt::Document island() {
  wdt::Document document;
  document.map.doodad_names = wdt::join_names({"Creature\\Beetle\\Beetle.mdx"});
  document.map.map_object_names = wdt::join_names({"house.wmo"});
  document.tiles = {west_tile(), east_tile()};
  wdt::lay_out(document);
  return document;
}

wdl::Document island_far() {
  wdl::Document document;
  for (const auto position : {kWestTile, kEastTile}) {
    wdl::Area& area = document.areas.emplace_back();
    area.index = static_cast<std::uint16_t>(position.y * wdt::kTilesPerSide + position.x);
    const auto height = [&](double row, double column) {
      return static_cast<std::int16_t>(std::lround(double{island_height(
          position.y * kTileCells + row * kCellsPerSide, position.x * kTileCells + column * kCellsPerSide)}));
    };
    for (std::size_t i = 0; i < area.outer.size(); ++i) {
      area.outer.at(i) =
          height(static_cast<double>(i / wdl::kOuterSide), static_cast<double>(i % wdl::kOuterSide));
    }
    for (std::size_t i = 0; i < area.inner.size(); ++i) {
      area.inner.at(i) = height(static_cast<double>(i / wdl::kInnerSide) + 0.5,
                                static_cast<double>(i % wdl::kInnerSide) + 0.5);
    }
  }
  wdl::lay_out(document);
  return document;
}

void write_continent(std::size_t tiles, const std::function<void(ByteView)>& put) {
  tiles = std::clamp<std::size_t>(tiles, 1, wdt::kTiles);
  const auto side = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(tiles))));
  const std::size_t corner = (wdt::kTilesPerSide - side) / 2;
  // One tile is made and its table of chunks moved; no place in the world is in it but the placement's.
  wdt::Document one;
  one.map.doodad_names = wdt::join_names({"Creature\\Beetle\\Beetle.mdx"});
  one.tiles = {plain_tile({0, 0}, hills)};
  for (std::size_t slot = 0; slot < kChunks; slot += 8) {
    paint(one.tiles[0].chunks.at(slot));  // not all: a continent is large enough
  }
  place_doodad(one.tiles[0], slot_at(8, 8), 4, 4, 1024);
  wdt::lay_out(one);
  const wdt::TileEntry entry = one.map.tiles[0];
  const Bytes whole = wdt::write(one);
  const std::size_t size = whole.size() - entry.offset;
  for (std::size_t i = 0; i < tiles; ++i) {
    const std::size_t index = (corner + i / side) * wdt::kTilesPerSide + corner + i % side;
    one.map.tiles[index] = {static_cast<std::uint32_t>(entry.offset + i * size), entry.size, 0, 0};
  }
  one.map.tiles[0] = {};
  one.tiles.clear();
  const Bytes head = wdt::write(one);
  put(head);
  Bytes tile(whole.begin() + static_cast<std::ptrdiff_t>(entry.offset), whole.end());
  constexpr std::size_t kTable = 8 + 64 + 8;
  for (std::size_t i = 0; i < tiles; ++i) {
    put(tile);
    for (std::size_t slot = 0; slot < kChunks; ++slot) {
      std::uint8_t* at = tile.data() + kTable + slot * sizeof(wdt::ChunkEntry);
      std::uint32_t offset = 0;
      std::memcpy(&offset, at, sizeof offset);
      offset += static_cast<std::uint32_t>(size);
      std::memcpy(at, &offset, sizeof offset);
    }
  }
}

}  // namespace thaw::samples
