// Words in pictures, in letters of 5 × 9 pixels.
#pragma once

#include <thaw/image.hpp>

#include <array>
#include <string_view>

namespace thaw {

inline constexpr std::uint32_t kLetterWidth = 6;   ///< with the gap to the next
inline constexpr std::uint32_t kLetterHeight = 9;  ///< seven above the base line, two below

/// Writes a text of UTF-8 with its upper left corner at a pixel of a picture of four bytes per pixel, each
/// dot `size` pixels wide and high. Letters beyond ASCII are boxes; what lies beyond `width` is left out.
void put_text(Image& image, std::uint32_t left, std::uint32_t top, std::uint32_t width, std::string_view text,
              const std::array<std::uint8_t, 4>& color, std::uint32_t size = 1);

}  // namespace thaw
