#include <thaw/image.hpp>

namespace thaw {

Image disabled_icon(const Image& icon) {
  constexpr unsigned kColor = 1;  // of the colour, to three of the brightness
  Image result = icon;
  for (std::size_t at = 0; at + 3 < result.rgba.size(); at += 4) {
    const unsigned brightness =
        (result.rgba[at] * 299U + result.rgba[at + 1] * 587U + result.rgba[at + 2] * 114U + 500U) / 1000U;
    for (std::size_t i = at; i < at + 3; ++i) {
      result.rgba[i] = static_cast<std::uint8_t>((result.rgba[i] * kColor + brightness * 3U) / 8U);
    }
  }
  return result;
}

}  // namespace thaw
