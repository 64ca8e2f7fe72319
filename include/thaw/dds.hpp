// DirectDraw surfaces, which Warcraft III: Reforged uses for its textures, as documents and as pictures.
// write(read(x)) == x for every file that reads.
//
// docs/formats/dds.md describes the format.
#pragma once

#include <thaw/bytes.hpp>
#include <thaw/diagnostics.hpp>
#include <thaw/image.hpp>
#include <thaw/inspect.hpp>
#include <thaw/options.hpp>

#include <optional>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)

/// DirectDraw surfaces.
namespace thaw::dds {

/// The pixel format inside the header.
struct PixelFormat {
  static constexpr std::uint32_t kAlphaPixels = 0x1;    ///< `alpha_mask` is there
  static constexpr std::uint32_t kAlphaOnly = 0x2;      ///< alpha and nothing else
  static constexpr std::uint32_t kFourCC = 0x4;         ///< stored as `four_cc` says
  static constexpr std::uint32_t kRgb = 0x40;           ///< stored as the masks say
  static constexpr std::uint32_t kLuminance = 0x20000;  ///< one channel of brightness

  std::uint32_t size = 32;
  std::uint32_t flags = 0;
  FourCC four_cc;
  std::uint32_t bits = 0;
  std::uint32_t red_mask = 0;
  std::uint32_t green_mask = 0;
  std::uint32_t blue_mask = 0;
  std::uint32_t alpha_mask = 0;

  friend bool operator==(const PixelFormat&, const PixelFormat&) = default;
};

/// The extension that follows the header when its FourCC is DX10.
struct Header10 {
  static constexpr std::uint32_t kTexture3D = 4;      ///< of `dimension`
  static constexpr std::uint32_t kTextureCube = 0x4;  ///< of `misc_flags`

  std::uint32_t format = 0;  ///< DXGI_FORMAT
  std::uint32_t dimension = 0;
  std::uint32_t misc_flags = 0;
  std::uint32_t array_size = 0;
  std::uint32_t misc_flags2 = 0;  ///< low three bits: 1 straight alpha, 2 premultiplied, 3 opaque

  friend bool operator==(const Header10&, const Header10&) = default;
};

/// A file. The fields are those of the file.
struct Document {
  static constexpr std::uint32_t kCubeMap = 0x200;     ///< of `caps2`
  static constexpr std::uint32_t kCubeFaces = 0xFC00;  ///< of `caps2`
  static constexpr std::uint32_t kVolume = 0x200000;   ///< of `caps2`

  std::uint32_t size = 124;
  std::uint32_t flags = 0;
  std::uint32_t height = 0;
  std::uint32_t width = 0;
  std::uint32_t pitch = 0;  ///< bytes of a row, or of the largest level
  std::uint32_t depth = 0;
  std::uint32_t mip_count = 0;  ///< 0 means 1
  std::array<std::uint32_t, 11> reserved{};
  PixelFormat pixel_format;
  std::uint32_t caps = 0;
  std::uint32_t caps2 = 0;
  std::uint32_t caps3 = 0;
  std::uint32_t caps4 = 0;
  std::uint32_t reserved2 = 0;
  std::optional<Header10> header10;
  Bytes data;             ///< all surfaces, each with all its levels, as far as the file goes
  std::vector<Gap> gaps;  ///< what follows them; everything, if the pixel format is not known

  /// The bytes of a level of the first surface (of a volume its first slice); empty if they are not all
  /// there.
  [[nodiscard]] ByteView level_data(std::size_t level) const;
  /// Short word for people and machines: "bc1", "bc7", "rgb565", "unknown".
  [[nodiscard]] std::string_view encoding() const;
  /// Bits of alpha per pixel.
  [[nodiscard]] unsigned alpha() const;

  friend bool operator==(const Document&, const Document&) = default;
};

/// True if the bytes begin as a DDS file does.
bool is_dds(ByteView bytes);

/// Reads a file whose header is complete; missing picture data is reported as read.truncated and costs only
/// the levels that it belongs to (with `options.strict` it is the error). Other errors: format.unknown
/// without the magic, read.truncated, input.too-large.
Result<Document> read(ByteView bytes, const ReadOptions& options = {},
                      Diagnostics& diagnostics = Diagnostics::discarded());

/// The file's bytes. Nothing is normalised.
Bytes write(const Document& document);

/// Shows every field with its offset.
void inspect(const Document& document, Inspector& inspector);

/// Levels of the first surface.
std::size_t level_count(const Document& document);

/// Level 0 is the largest. One channel (BC4, luminance) becomes grey; of two (BC5) the blue is 0: the Z of a
/// normal map is for the caller to rebuild. Premultiplied alpha (DXT2, DXT4) is divided out. Errors:
/// image.malformed, image.unsupported (BC6H, floating point, YUV), input.too-large.
Result<Image> decode(const Document& document, std::size_t level, const ReadOptions& options = {},
                     Diagnostics& diagnostics = Diagnostics::discarded());

/// A picture as a file with the classic header, BC1 or with alpha BC3 unless requested otherwise. Errors:
/// image.unsupported for JPEG and palette, image.malformed without pixels.
Result<Document> encode(const Image& image, const EncodeOptions& options = {},
                        Diagnostics& diagnostics = Diagnostics::discarded());

}  // namespace thaw::dds

#pragma GCC visibility pop
