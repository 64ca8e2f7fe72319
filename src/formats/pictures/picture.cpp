#include "formats/pictures/picture.hpp"
#include "formats/list.hpp"
#include "image/jpeg.hpp"
#include "image/png_parts.hpp"
#include "image/reduction.hpp"
#include "image/webp.hpp"

#include <thaw/image.hpp>

namespace thaw {

Facts pictures::facts(std::uint32_t width, std::uint32_t height, std::size_t levels, unsigned alpha_bits,
                      std::string_view encoding) {
  Facts facts;
  facts.picture =
      Facts::Picture{width, height, static_cast<std::uint32_t>(levels), alpha_bits, std::string(encoding)};
  return facts;
}

namespace {

Evidence evidence_of_picture(const FormatDescriptor& format, ByteView bytes) {
  const Evidence found = format.recognise(bytes);
  const bool maybe = found == Evidence::none && format.picture->may_be != nullptr;
  return maybe ? if_found(format.picture->may_be(bytes), Evidence::plausible) : found;
}

}  // namespace

Result<Image> decode_texture(ByteView bytes, const ReadOptions& options, Diagnostics& diagnostics) {
  if (is_webp(bytes)) {
    return decode_webp(bytes, options);
  }
  const FormatDescriptor* best = nullptr;
  Evidence most = Evidence::none;
  for (const auto* format : kPictureFormats) {
    const Evidence found = format->strongest > most ? evidence_of_picture(*format, bytes) : Evidence::none;
    if (found > most) {
      best = format;
      most = found;
    }
  }
  return best != nullptr ? best->picture->decode(bytes, options, diagnostics)
                         : fail(codes::kFormatUnknown,
                                "unknown texture format; supported are BLP, DDS, JPEG, PNG and TGA", 0);
}

Result<Image> decode_fitted(ByteView bytes, std::uint32_t longest, const ReadOptions& options,
                            Diagnostics& diagnostics) {
  const auto decode = [&]() -> Result<Image> {
    if (is_jpeg(bytes)) {
      return decode_fitted_jpeg(bytes, longest, options, diagnostics);
    }
    if (png::is_png(bytes)) {
      return png::read(bytes, options, diagnostics).and_then([&](const png::Document& document) {
        return png::decode_pixels(png::write(document), options, diagnostics, longest);
      });
    }
    return decode_texture(bytes, options, diagnostics);
  };
  return (longest == 0 ? decode_texture(bytes, options, diagnostics) : decode()).map([&](Image&& image) {
    return fitted_in_place(std::move(image), longest);
  });
}

}  // namespace thaw
