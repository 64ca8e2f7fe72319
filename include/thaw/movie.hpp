// Pictures that move: APNG and GIF, and PNG with words in it.
#pragma once

#include <thaw/image.hpp>

#include <span>
#include <string>
#include <vector>

#pragma GCC visibility push(default)

namespace thaw {

/// A comment in a PNG file: a keyword (Latin-1, 1 to 79 characters) and its text.
struct PngText {
  std::string keyword;
  std::string text;
  friend bool operator==(const PngText&, const PngText&) = default;
};

/// A PNG with tEXt chunks; otherwise as encode_png.
Bytes encode_png(const Image& image, std::span<const PngText> texts, int level = kDefaultPngLevel,
                 const Control* control = nullptr);

/// The tEXt chunks of a PNG; none if it is not one.
std::vector<PngText> png_texts(ByteView bytes);

/// All pictures, one after the other, `delay` milliseconds each, again and again. Viewers that know no APNG
/// show the first. Empty if there are no pictures or their sizes differ, and if `control` was stopped.
Bytes encode_apng(std::span<const Image> images, unsigned delay, int level = kDefaultPngLevel,
                  const Control* control = nullptr);

/// The same as GIF: 255 colours that fit all pictures, alpha below one half is clear, delays in hundredths of
/// a second. Sides up to 65,535. Empty if `control` was stopped.
Bytes encode_gif(std::span<const Image> images, unsigned delay, const Control* control = nullptr);

}  // namespace thaw

#pragma GCC visibility pop
