// The 256 colours that stand best for a picture's.
#pragma once

#include <thaw/image.hpp>

#include <array>
#include <vector>

namespace thaw {

struct Palette {
  using Color = std::array<std::uint8_t, 3>;  ///< R G B

  std::vector<Color> colors;  ///< 1 to 256
  bool exact = false;         ///< every colour of the picture is among them
};

/// Of pictures with at most 256 colours these, in the order of their values; otherwise by cutting the colours
/// at the widest variance and moving the means. Alpha takes no part, except that pixels nobody can see do not
/// count.
Palette make_palette(const Image& image);

/// The entry nearest to each pixel's colour.
Bytes palette_indices(const Image& image, const Palette& palette);

}  // namespace thaw
