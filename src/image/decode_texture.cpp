#include <thaw/blp.hpp>
#include <thaw/dds.hpp>
#include <thaw/image.hpp>
#include <thaw/png.hpp>
#include <thaw/tga.hpp>

#include "image/jpeg.hpp"

namespace thaw {
namespace {

/// The largest level that decodes.
template <class Document>
Result<Image> decode_largest(const Result<Document>& document, const ReadOptions& options,
                             Diagnostics& diagnostics) {
  if (!document) {
    return tl::unexpected<Error>(document.error());
  }
  const std::size_t count = level_count(*document);
  Error first{codes::kImageMalformed, {}, {}, "no level has data"};
  for (std::size_t level = 0; level < count; ++level) {
    auto image = decode(*document, level, options, diagnostics);
    // What is too large or undefined at one level is not better at the next.
    if (image || !(image.error().code == codes::kImageMalformed)) {
      return image;
    }
    const std::string path = "levels[" + std::to_string(level) + "]";
    diagnostics.add(codes::kImageMip, image.error().message, image.error().offset, path);
    if (level == 0) {
      first = std::move(image.error());
    }
  }
  return tl::unexpected<Error>(std::move(first));
}

}  // namespace

Result<Image> decode_texture(ByteView bytes, const ReadOptions& options, Diagnostics& diagnostics) {
  if (blp::is_blp(bytes)) {
    return decode_largest(blp::read(bytes, options, diagnostics), options, diagnostics);
  }
  if (dds::is_dds(bytes)) {
    return decode_largest(dds::read(bytes, options, diagnostics), options, diagnostics);
  }
  if (png::is_png(bytes)) {
    return decode_largest(png::read(bytes, options, diagnostics), options, diagnostics);
  }
  if (is_jpeg(bytes)) {
    return decode_jpeg(bytes, options, diagnostics);
  }
  if (tga::is_tga(bytes)) {
    return decode_largest(tga::read(bytes, options, diagnostics), options, diagnostics);
  }
  return fail(codes::kFormatUnknown, "the content is of no texture format that is known", 0);
}

}  // namespace thaw
