// Parts shared by the formats of pictures.
#pragma once

#include "formats/descriptor.hpp"

#include <array>

namespace thaw::pictures {

/// The facts of a picture for `thaw info`.
Facts facts(std::uint32_t width, std::uint32_t height, std::size_t levels, unsigned alpha_bits,
            std::string_view encoding);

/// The largest level that decodes. Broken levels are reported as image.mip.
template <class Document>
Result<Image> decode_largest(const Result<Document>& document, const ReadOptions& options,
                             Diagnostics& diagnostics) {
  if (!document) {
    return tl::unexpected<Error>(document.error());
  }
  const std::size_t count = level_count(*document);
  Error first{codes::kImageMalformed, {}, {}, "no mip level of the texture has data"};
  for (std::size_t level = 0; level < count; ++level) {
    auto image = decode(*document, level, options, diagnostics);
    // What is too large or undefined at one level is not better at the next.
    if (image || !(image.error().code == codes::kImageMalformed)) {
      return image;
    }
    const std::string path = "levels[" + std::to_string(level) + "]";
    diagnostics.add(codes::kImageMip,
                    image.error().message + (level + 1 < count ? "; the next level is tried" : ""),
                    image.error().offset, path);
    if (level == 0) {
      first = std::move(image.error());
    }
  }
  return tl::unexpected<Error>(std::move(first));
}

/// PictureOperations::decode of a document type.
template <class Document, Result<Document> (*kRead)(ByteView, const ReadOptions&, Diagnostics&)>
Result<Image> decode_file(ByteView bytes, const ReadOptions& options, Diagnostics& diagnostics) {
  return decode_largest(kRead(bytes, options, diagnostics), options, diagnostics);
}

/// What all of them become: PNG, BLP1, BLP2, DDS, TGA and JPEG (conversions.cpp).
extern const std::array<Conversion, 7> kConversions;

}  // namespace thaw::pictures
