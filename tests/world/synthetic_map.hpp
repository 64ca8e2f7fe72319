// A small map for tests: rolling ground, two layers, shadows.
#pragma once

#include <thaw/wdt.hpp>

#include <cmath>
#include <initializer_list>

namespace thaw::test {

/// Height at a place of the whole map, in cells from its north-west corner.
inline float synthetic_height(double row, double column) {
  return static_cast<float>(20 * std::sin(row / 17) + 12 * std::cos(column / 11));
}

inline wdt::Chunk synthetic_chunk(const wdt::Tile& tile, std::uint16_t slot) {
  wdt::Chunk chunk;
  chunk.slot = slot;
  chunk.header.x = slot % 16U;
  chunk.header.y = slot / 16U;
  chunk.header.area = static_cast<std::uint16_t>(slot % 7);
  chunk.header.zone = 10;
  const double row0 = static_cast<double>(tile.y() * 128 + slot / 16U * 8);
  const double column0 = static_cast<double>(tile.x() * 128 + slot % 16U * 8);
  for (std::size_t i = 0; i < 81; ++i) {
    chunk.heights.at(i) =
        synthetic_height(row0 + static_cast<double>(i / 9), column0 + static_cast<double>(i % 9));
  }
  for (std::size_t i = 0; i < 64; ++i) {
    chunk.heights.at(81 + i) =
        synthetic_height(row0 + static_cast<double>(i / 8) + 0.5, column0 + static_cast<double>(i % 8) + 0.5);
  }
  chunk.normals.fill({0, 0, 127});
  chunk.layers.resize(2);
  chunk.layers[1].texture_id = 1;
  chunk.layers[1].flags = wdt::Layer::kUsesAlpha;
  chunk.alpha.assign(wdt::kAlphaSize, std::uint8_t{0});
  return chunk;
}

inline wdt::Document synthetic_map(std::initializer_list<wdt::TilePosition> tiles) {
  wdt::Document document;
  document.map.doodad_names = wdt::join_names({"World\\Tree.mdx", "World\\Rock.mdl"});
  document.map.map_object_names = wdt::join_names({"World\\Hut.wmo"});
  for (const auto& place : tiles) {
    wdt::Tile& tile = document.tiles.emplace_back();
    tile.index = static_cast<std::uint16_t>(place.y * 64 + place.x);
    tile.textures = wdt::join_names({"Tileset\\A.blp", "Tileset\\B.blp"});
    for (std::uint16_t slot = 0; slot < 256; ++slot) {
      tile.chunks.push_back(synthetic_chunk(tile, slot));
    }
  }
  wdt::lay_out(document);
  return document;
}

inline wdt::Liquid synthetic_liquid(float height) {
  wdt::Liquid liquid;
  liquid.minimum = liquid.maximum = height;
  for (auto& vertex : liquid.vertices) {
    vertex.height = height;
  }
  liquid.cells.fill(wdt::Liquid::kHidden);
  return liquid;
}

}  // namespace thaw::test
