// The ground from above, lit.
#include "world/bake.hpp"
#include "world/ground.hpp"

#include <algorithm>
#include <cmath>

namespace thaw::world {
namespace {

/// The light on one corner of a cell, R G B.
Vec3 lit(const wdt::Normal& normal, const GroundLight& light) {
  double along = 0;
  double square = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    along += double(normal.at(axis)) * double{light.direction.at(axis)};
    square += double(normal.at(axis)) * double(normal.at(axis));
  }
  const double share = square > 0 ? std::max(0.0, along / std::sqrt(square)) : double{light.direction[2]};
  Vec3 result{};
  for (std::size_t c = 0; c < 3; ++c) {
    result.at(c) = static_cast<float>(double{light.ambient.at(c)} + share * double{light.direct.at(c)});
  }
  return result;
}

/// What happens to the pixels of one chunk.
class ChunkPicture {
 public:
  ChunkPicture(const wdt::Chunk& chunk, const GroundTextures& textures, std::uint32_t side,
               const GroundLight& light)
      : chunk_(chunk), side_(side), pixels_(bake_chunk(chunk, textures, side)) {
    for (std::size_t i = 0; i < wdt::kOuterCount; ++i) {
      light_.at(i) = lit(chunk.normals.at(i), light);
    }
  }

  void put(Image& image, std::size_t left, std::size_t top) const {
    for (std::size_t y = 0; y < side_; ++y) {
      for (std::size_t x = 0; x < side_; ++x) {
        const auto color = pixel(x, y);
        std::memcpy(image.rgba.data() + ((top + y) * image.width + left + x) * 4, color.data(), 4);
      }
    }
  }

 private:
  /// A place in cells: the cell, and how far into it.
  struct Spot {
    std::size_t cell = 0;
    float share = 0;
  };
  [[nodiscard]] Spot spot(std::size_t pixel) const {
    const float at =
        (static_cast<float>(pixel) + 0.5F) * static_cast<float>(kCellsPerSide) / static_cast<float>(side_);
    const auto cell = std::min<std::size_t>(static_cast<std::size_t>(at), kCellsPerSide - 1);
    return {cell, at - static_cast<float>(cell)};
  }

  [[nodiscard]] std::array<std::uint8_t, 4> pixel(std::size_t x, std::size_t y) const {
    const Spot row = spot(y);
    const Spot column = spot(x);
    std::array<float, 3> color{};
    const std::size_t corner = row.cell * wdt::kOuterSide + column.cell;
    const bool hole = chunk_.has_hole(row.cell, column.cell);
    for (std::size_t c = 0; c < 3; ++c) {
      const auto at = [&](std::size_t i) { return light_.at(i).at(c); };
      const float upper = at(corner) + (at(corner + 1) - at(corner)) * column.share;
      const float lower = at(corner + wdt::kOuterSide) +
                          (at(corner + wdt::kOuterSide + 1) - at(corner + wdt::kOuterSide)) * column.share;
      color.at(c) =
          static_cast<float>(pixels_[(y * side_ + x) * 3 + c]) * (upper + (lower - upper) * row.share);
    }
    float alpha = hole ? 0.0F : 1.0F;
    add_liquids(row.cell, column.cell, color, alpha);
    const auto byte = [](float value) { return static_cast<std::uint8_t>(std::clamp(value, 0.0F, 255.0F)); };
    return {byte(color[0]), byte(color[1]), byte(color[2]), byte(alpha * 255)};
  }

  /// Liquids that stand above the ground of the cell.
  void add_liquids(std::size_t row, std::size_t column, std::array<float, 3>& color, float& alpha) const {
    for (std::size_t i = 0; i < wdt::kLiquidKinds; ++i) {
      const auto kind = static_cast<wdt::LiquidKind>(i);
      const wdt::Liquid* liquid = chunk_.liquid(kind);
      if (liquid == nullptr || !liquid->shows(row, column) ||
          !(liquid->vertices.at(row * wdt::kOuterSide + column).height > chunk_.inner(row, column))) {
        continue;
      }
      const auto& corner = liquid->vertices.at(row * wdt::kOuterSide + column);
      const Vec4 over = scene::liquid_color(liquid_of(kind), liquid_depth(kind, corner));
      for (std::size_t c = 0; c < 3; ++c) {
        color.at(c) += (over.at(c) * 255 - color.at(c)) * over[3];
      }
      alpha = std::max(alpha, over[3]);
    }
  }

  const wdt::Chunk& chunk_;
  std::size_t side_;
  Bytes pixels_;
  std::array<Vec3, wdt::kOuterCount> light_{};
};

}  // namespace

Image minimap(const wdt::Tile& tile, const OpenTexture& open_texture, std::uint32_t size,
              const GroundLight& light) {
  const std::uint32_t whole = usable_size(size);
  const std::uint32_t side = whole / kChunksPerSide;
  const GroundTextures textures(tile, open_texture, side);
  Image image{whole, whole, Bytes(std::size_t{whole} * whole * 4, std::uint8_t{0})};
  for (const auto& chunk : tile.chunks) {
    ChunkPicture(chunk, textures, side, light)
        .put(image, chunk.slot % kChunksPerSide * std::size_t{side},
             chunk.slot / kChunksPerSide % kChunksPerSide * std::size_t{side});
  }
  return image;
}

}  // namespace thaw::world
