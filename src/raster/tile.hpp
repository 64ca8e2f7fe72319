// One tile of the picture: covers samples, tests depth, samples textures, blends.
#pragma once

#include "raster/triangles.hpp"

#include <vector>

namespace thaw::raster {

/// Where the samples of a pixel lie, in parts of a pixel from its upper left corner.
struct Pattern {
  std::uint32_t count = 1;
  std::array<std::int32_t, 16> x{};
  std::array<std::int32_t, 16> y{};
};
Pattern pattern_of(unsigned samples);

/// What draws share, ready for use.
struct Paint {
  const frame::Draw* draw = nullptr;
  const Pyramid* texture = nullptr;
  const Pyramid* orm = nullptr;
  const Pyramid* emissive = nullptr;
  const Pyramid* team_color = nullptr;
  const Pyramid* normal = nullptr;
  const Pyramid* environment = nullptr;
  bool fogged = false;
};

/// What is the same for a whole picture.
struct Canvas {
  const frame::Frame* frame = nullptr;
  Pattern pattern;
  std::vector<Paint> paints;  ///< per draw
  bool perspective = true;
};

/// Samples of a tile, those of one pixel together.
struct Tile {
  std::int32_t left = 0;
  std::int32_t top = 0;
  std::int32_t right = 0;  ///< first pixel beyond
  std::int32_t bottom = 0;
  std::vector<Rgba> colors;  ///< colour times alpha
  std::vector<float> depths;
  std::uint64_t work_left = 0;  ///< pixels that may still be looked at
  bool complete = true;
};

void draw_tile(const Canvas& canvas, const Batch& batch, const std::vector<std::uint32_t>& triangles,
               Tile& tile);

}  // namespace thaw::raster
