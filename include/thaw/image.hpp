// Pictures: what every texture format decodes to, and PNG in and out.
#pragma once

#include <thaw/bytes.hpp>
#include <thaw/diagnostics.hpp>
#include <thaw/options.hpp>

#pragma GCC visibility push(default)

namespace thaw {

/// 8 bits per channel, R G B A, straight alpha, sRGB as stored, top row first, no padding between rows.
struct Image {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  Bytes rgba;

  /// Width × height.
  [[nodiscard]] std::uint64_t pixels() const { return std::uint64_t{width} * height; }
  friend bool operator==(const Image&, const Image&) = default;
};

/// Any texture that the library reads (BLP1, BLP2, DDS, TGA, PNG, JPEG, and WebP for glTF), recognised by
/// content, at its largest level that decodes. Broken levels are reported as image.mip.
Result<Image> decode_texture(ByteView bytes, const ReadOptions& options = {},
                             Diagnostics& diagnostics = Diagnostics::unwanted());

/// The same, reduced as `fitted` does until no side is longer than `longest` (0: as it is). PNG and JPEG are
/// reduced while they are decoded, which takes no memory for the whole, so that they may have 16 times as
/// many pixels as the limits state; not if they are interlaced or progressive.
Result<Image> decode_fitted(ByteView bytes, std::uint32_t longest, const ReadOptions& options = {},
                            Diagnostics& diagnostics = Diagnostics::unwanted());

/// Any PNG as 8-bit RGBA. Errors: image.malformed, input.too-large.
Result<Image> decode_png(ByteView bytes, const ReadOptions& options = {});

/// What conversions use: level 6 makes files 6 % smaller and takes three times as long.
inline constexpr int kDefaultPngLevel = 1;

/// A PNG file; RGB without alpha channel if every pixel is opaque. Same picture, same bytes. `level` 1 (fast)
/// to 12. Empty for an image without pixels, or whose `rgba` does not have width × height × 4 bytes, and if
/// `control` was stopped.
Bytes encode_png(const Image& image, int level = kDefaultPngLevel, const Control* control = nullptr);

}  // namespace thaw

#pragma GCC visibility pop
