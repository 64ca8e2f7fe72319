// Tiles of a map beside each other in one picture, north up and west to the left.
#pragma once

#include <thaw/image.hpp>
#include <thaw/wdt.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace thaw::cli {

/// The rectangle of columns and rows that all of some tiles lie in.
struct TileFrame {
  std::size_t left = wdt::kTilesPerSide;
  std::size_t top = wdt::kTilesPerSide;
  std::size_t right = 0;   ///< one behind the last
  std::size_t bottom = 0;  ///< one behind the last

  explicit TileFrame(const std::vector<wdt::TilePosition>& tiles);

  [[nodiscard]] std::size_t columns() const { return right - left; }
  [[nodiscard]] std::size_t rows() const { return bottom - top; }
};

class TilePicture {
 public:
  TilePicture() = default;
  /// `side` is that of a tile in pixels; where no tile is, the background shows.
  TilePicture(const TileFrame& frame, std::uint32_t side, const std::array<std::uint8_t, 4>& background);

  /// `part` is the picture of the tile, `side` pixels wide and high; the tile lies in the frame.
  void put(const Image& part, std::size_t x, std::size_t y);

  [[nodiscard]] const Image& image() const { return image_; }
  Image take() { return std::move(image_); }

 private:
  std::size_t left_ = 0;
  std::size_t top_ = 0;
  Image image_;
};

}  // namespace thaw::cli
