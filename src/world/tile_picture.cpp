#include <thaw/world.hpp>

#include <algorithm>

namespace thaw::world {

TileFrame::TileFrame(const std::vector<wdt::TilePosition>& tiles) {
  for (const auto& tile : tiles) {
    left = std::min<std::size_t>(left, tile.x);
    right = std::max<std::size_t>(right, tile.x + std::size_t{1});
    top = std::min<std::size_t>(top, tile.y);
    bottom = std::max<std::size_t>(bottom, tile.y + std::size_t{1});
  }
}

TilePicture::TilePicture(const TileFrame& frame, std::uint32_t side,
                         const std::array<std::uint8_t, 4>& background)
    : left_(frame.left), top_(frame.top) {
  image_.width = static_cast<std::uint32_t>(frame.columns() * side);
  image_.height = static_cast<std::uint32_t>(frame.rows() * side);
  image_.rgba.resize(static_cast<std::size_t>(image_.pixels() * 4));
  for (std::size_t i = 0; i < image_.rgba.size(); ++i) {
    image_.rgba[i] = background.at(i % 4);
  }
}

void TilePicture::put(const Image& part, std::size_t x, std::size_t y) {
  const std::size_t left = (x - left_) * part.width;
  const std::size_t top = (y - top_) * part.height;
  for (std::size_t row = 0; row < part.height; ++row) {
    std::copy_n(part.rgba.data() + row * part.width * 4, part.width * std::size_t{4},
                image_.rgba.data() + ((top + row) * image_.width + left) * 4);
  }
}

}  // namespace thaw::world
