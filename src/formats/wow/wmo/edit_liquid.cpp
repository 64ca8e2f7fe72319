// A grid of liquid, whose tiles have one size, over a larger or smaller place (wmo.md#liquids).
#include "formats/wow/wmo/edit.hpp"

#include <algorithm>
#include <cmath>

namespace thaw::wmo {
namespace {

/// More tiles than a building of any size has.
constexpr double kMostTiles = 4096;

class Grid {
 public:
  explicit Grid(const Liquid& liquid) : liquid_(liquid) {}

  /// The vertex at a place of the grid, in tiles. Corners of hidden tiles have no height to mix in.
  [[nodiscard]] LiquidVertex at(double x, double y) const {
    const std::int32_t left = std::clamp(static_cast<std::int32_t>(x), 0, liquid_.x_tiles - 1);
    const std::int32_t top = std::clamp(static_cast<std::int32_t>(y), 0, liquid_.y_tiles - 1);
    const double right = std::clamp(x - left, 0.0, 1.0);
    const double below = std::clamp(y - top, 0.0, 1.0);
    double sum = 0;
    double weights = 0;
    for (std::int32_t corner = 0; corner < 4; ++corner) {
      const std::int32_t dx = corner % 2;
      const std::int32_t dy = corner / 2;
      const double weight = (dx == 1 ? right : 1 - right) * (dy == 1 ? below : 1 - below);
      if (is_wet(left + dx, top + dy)) {
        sum += weight * double{vertex(left + dx, top + dy).height};
        weights += weight;
      }
    }
    LiquidVertex result = vertex(left + (right > 0.5 ? 1 : 0), top + (below > 0.5 ? 1 : 0));
    result.height = static_cast<float>(weights > 0 ? sum / weights : double{result.height});
    return result;
  }

  /// Does a tile with liquid have this corner?
  [[nodiscard]] bool is_wet(std::int32_t x, std::int32_t y) const {
    for (std::int32_t row = std::max(0, y - 1); row <= std::min(y, liquid_.y_tiles - 1); ++row) {
      for (std::int32_t column = std::max(0, x - 1); column <= std::min(x, liquid_.x_tiles - 1); ++column) {
        if ((tile_at(column, row) & 0x0FU) != Liquid::kNone) {
          return true;
        }
      }
    }
    return false;
  }

  [[nodiscard]] std::uint8_t tile(double x, double y) const {
    const auto column = std::clamp(static_cast<std::int32_t>(x), 0, liquid_.x_tiles - 1);
    const auto row = std::clamp(static_cast<std::int32_t>(y), 0, liquid_.y_tiles - 1);
    return tile_at(column, row);
  }

 private:
  [[nodiscard]] const LiquidVertex& vertex(std::int32_t x, std::int32_t y) const {
    return liquid_.vertices[static_cast<std::size_t>(y) * static_cast<std::size_t>(liquid_.x_vertices) +
                            static_cast<std::size_t>(x)];
  }
  [[nodiscard]] std::uint8_t tile_at(std::int32_t x, std::int32_t y) const {
    return liquid_.tiles[static_cast<std::size_t>(y) * static_cast<std::size_t>(liquid_.x_tiles) +
                         static_cast<std::size_t>(x)];
  }
  const Liquid& liquid_;
};

bool has_grid(const Liquid& liquid) {
  const auto product = [](std::int32_t a, std::int32_t b) {
    return static_cast<std::size_t>(a) * static_cast<std::size_t>(b);
  };
  return liquid.x_tiles > 0 && liquid.y_tiles > 0 && liquid.x_vertices == liquid.x_tiles + 1 &&
         liquid.y_vertices == liquid.y_tiles + 1 &&
         liquid.vertices.size() == product(liquid.x_vertices, liquid.y_vertices) &&
         liquid.tiles.size() == product(liquid.x_tiles, liquid.y_tiles);
}

/// The same liquid where everything is larger.
Liquid scaled(const Liquid& liquid, double scale) {
  const auto tiles = [&](std::int32_t count) {
    return std::max(std::int32_t{1}, static_cast<std::int32_t>(std::lround(count * scale)));
  };
  const Grid grid(liquid);
  Liquid result = liquid;
  result.x_tiles = tiles(liquid.x_tiles);
  result.y_tiles = tiles(liquid.y_tiles);
  result.x_vertices = result.x_tiles + 1;
  result.y_vertices = result.y_tiles + 1;
  result.vertices.clear();
  result.tiles.clear();
  for (std::int32_t y = 0; y < result.y_vertices; ++y) {
    for (std::int32_t x = 0; x < result.x_vertices; ++x) {
      result.vertices.push_back(grid.at(x / scale, y / scale));
    }
  }
  for (std::int32_t y = 0; y < result.y_tiles; ++y) {
    for (std::int32_t x = 0; x < result.x_tiles; ++x) {
      result.tiles.push_back(grid.tile((x + 0.5) / scale, (y + 0.5) / scale));
    }
  }
  return result;
}

}  // namespace

bool place_liquid(Liquid& liquid, const scene::Similarity& transform) {
  const bool grid = has_grid(liquid);
  if (transform.scale != 1) {
    if (!grid || std::max(liquid.x_tiles, liquid.y_tiles) * transform.scale > kMostTiles) {
      return false;
    }
    liquid = scaled(liquid, transform.scale);
  }
  liquid.corner = transform.point(liquid.corner);
  for (std::size_t i = 0; i < liquid.vertices.size(); ++i) {
    const auto columns = static_cast<std::size_t>(liquid.x_vertices);
    // What no tile shows has height 0.
    if (!grid ||
        Grid(liquid).is_wet(static_cast<std::int32_t>(i % columns), static_cast<std::int32_t>(i / columns))) {
      float& height = liquid.vertices[i].height;
      height = scene::to_float(double{height} * transform.scale + transform.offset[2]);
    }
  }
  return true;
}

}  // namespace thaw::wmo
