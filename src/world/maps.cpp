// Maps and heights of a tile as pictures.
#include <thaw/world.hpp>

#include <algorithm>
#include <cmath>

namespace thaw::world {
namespace {

constexpr std::uint32_t kTileMapSide = wdt::kMapSide * kChunksPerSide;

GreyImage grey(std::uint32_t side, unsigned bits) {
  GreyImage image{side, side, bits, {}};
  image.values.assign(std::size_t{side} * side, std::uint16_t{0});
  return image;
}

/// Calls `put(chunk, left, top)` with the place of each chunk's square of `side` pixels.
template <class F>
void for_each_chunk(const wdt::Tile& tile, std::size_t side, F&& put) {
  for (const auto& chunk : tile.chunks) {
    put(chunk, chunk.slot % kChunksPerSide * side, chunk.slot / kChunksPerSide % kChunksPerSide * side);
  }
}

template <class F>
GreyImage per_chunk(const wdt::Tile& tile, F&& value) {
  GreyImage image = grey(kChunksPerSide, 16);
  for_each_chunk(tile, 1, [&](const wdt::Chunk& chunk, std::size_t x, std::size_t y) {
    image.values[y * kChunksPerSide + x] = value(chunk);
  });
  return image;
}

/// In half cells from the chunk's north-west corner, 0 to 16. Half-way between two corners of a cell lies an
/// edge of its triangles.
float lattice_height(const wdt::Chunk& chunk, std::size_t row, std::size_t column) {
  const std::size_t r = row / 2;
  const std::size_t c = column / 2;
  if (row % 2 == 1 && column % 2 == 1) {
    return chunk.inner(r, c);
  }
  const auto first = double{chunk.outer(r, c)};
  const auto second = double{chunk.outer(r + row % 2, c + column % 2)};
  return static_cast<float>((first + second) / 2);
}

float area_height(const wdl::Area& area, std::size_t row, std::size_t column) {
  const std::size_t r = row / 2;
  const std::size_t c = column / 2;
  if (row % 2 == 1 && column % 2 == 1) {
    return area.inner_at(r, c);
  }
  return static_cast<float>((area.outer_at(r, c) + area.outer_at(r + row % 2, c + column % 2)) / 2.0);
}

}  // namespace

Image alpha_map(const wdt::Tile& tile) {
  Image image{kTileMapSide, kTileMapSide,
              Bytes(std::size_t{kTileMapSide} * kTileMapSide * 4, std::uint8_t{0})};
  for (std::size_t i = 3; i < image.rgba.size(); i += 4) {
    image.rgba[i] = 255;
  }
  for_each_chunk(tile, wdt::kMapSide, [&](const wdt::Chunk& chunk, std::size_t left, std::size_t top) {
    const std::size_t layers = std::min(chunk.layers.size(), wdt::kMostLayers);
    for (std::size_t layer = 1; layer < layers; ++layer) {
      for (std::size_t y = 0; y < wdt::kMapSide; ++y) {
        for (std::size_t x = 0; x < wdt::kMapSide; ++x) {
          image.rgba[((top + y) * kTileMapSide + left + x) * 4 + layer - 1] = chunk.alpha_at(layer, x, y);
        }
      }
    }
  });
  return image;
}

GreyImage shadow_map(const wdt::Tile& tile) {
  GreyImage image = grey(kTileMapSide, 8);
  for_each_chunk(tile, wdt::kMapSide, [&](const wdt::Chunk& chunk, std::size_t left, std::size_t top) {
    for (std::size_t y = 0; y < wdt::kMapSide; ++y) {
      for (std::size_t x = 0; x < wdt::kMapSide; ++x) {
        image.values[(top + y) * kTileMapSide + left + x] = chunk.shadow_at(x, y) ? 255 : 0;
      }
    }
  });
  return image;
}

GreyImage area_map(const wdt::Tile& tile) {
  return per_chunk(tile, [](const wdt::Chunk& chunk) { return chunk.header.area; });
}

GreyImage zone_map(const wdt::Tile& tile) {
  return per_chunk(tile, [](const wdt::Chunk& chunk) { return chunk.header.zone; });
}

GreyImage hole_map(const wdt::Tile& tile) {
  constexpr std::uint32_t kSide = kChunksPerSide * kCellsPerSide;
  GreyImage image = grey(kSide, 8);
  for_each_chunk(tile, kCellsPerSide, [&](const wdt::Chunk& chunk, std::size_t left, std::size_t top) {
    for (std::size_t row = 0; row < kCellsPerSide; ++row) {
      for (std::size_t column = 0; column < kCellsPerSide; ++column) {
        image.values[(top + row) * kSide + left + column] = chunk.has_hole(row, column) ? 255 : 0;
      }
    }
  });
  return image;
}

HeightGrid heights_of(const wdt::Tile& tile, std::uint32_t side) {
  HeightGrid grid;
  grid.side = std::find(kGrids.begin(), kGrids.end(), side) != kGrids.end() ? side : kGrids.front();
  const std::size_t samples = (grid.side - 1) / kChunksPerSide;       // per chunk
  const std::size_t step = std::size_t{2} * kCellsPerSide / samples;  // in half cells
  const std::size_t width = grid.side;
  grid.heights.assign(width * width, std::nanf(""));
  for_each_chunk(tile, samples, [&](const wdt::Chunk& chunk, std::size_t left, std::size_t top) {
    for (std::size_t row = 0; row <= samples; ++row) {
      for (std::size_t column = 0; column <= samples; ++column) {
        grid.heights[(top + row) * width + left + column] = lattice_height(chunk, row * step, column * step);
      }
    }
  });
  for (float& height : grid.heights) {
    if (!std::isfinite(height)) {
      height = 0;
      ++grid.missing;
    }
  }
  return grid;
}

HeightGrid heights_of(const wdl::Area& area, std::uint32_t side) {
  HeightGrid grid;
  grid.side = side == wdl::kOuterSide ? side : 2 * static_cast<std::uint32_t>(wdl::kOuterSide) - 1;
  const std::size_t step = side == wdl::kOuterSide ? 2 : 1;
  for (std::size_t row = 0; row < grid.side; ++row) {
    for (std::size_t column = 0; column < grid.side; ++column) {
      grid.heights.push_back(area_height(area, row * step, column * step));
    }
  }
  return grid;
}

}  // namespace thaw::world
