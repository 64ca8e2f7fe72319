// What is seen at a place of a picture.
#pragma once

#include <thaw/frame.hpp>

namespace thaw::page {

/// A triangle that is seen.
struct Hit {
  std::uint32_t draw = 0;                  ///< into Frame::draws
  std::array<std::uint32_t, 3> corners{};  ///< counted from the draw's bases
  Vec3 shares{};                           ///< of the corners, adding up to 1
};

/// The nearest triangle at a place of the picture, −1 to 1 from left to right and from bottom to top, that is
/// not clear there. Lines are passed by. `images` are those of the evaluator.
std::optional<Hit> pick(const frame::Frame& frame, std::span<const Image* const> images, float x, float y);

}  // namespace thaw::page
