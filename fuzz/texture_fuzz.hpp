// What the fuzz targets of the texture formats share: any bytes may be refused; what reads must write back,
// show itself and decode or say why not.
#pragma once

#include "checks.hpp"

namespace thaw::fuzz {

/// `read`, `write`, `inspect`, `level_count` and `decode` are found by the document's type.
template <class Document>
void exercise(const Result<Document>& document, ByteView bytes, const ReadOptions& options) {
  if (!document) {
    return;
  }
  require(write(*document) == Bytes(bytes.begin(), bytes.end()), "does not write back\n");
  check(test::problems_of(*document, bytes));
  Diagnostics diagnostics;
  for (std::size_t level = 0; level <= level_count(*document); ++level) {
    const auto image = decode(*document, level, options, diagnostics);
    check(image ? test::problems_of(*image) : test::Problems());
  }
}

inline ReadOptions small_limits() {
  ReadOptions options;
  options.limits.max_image_pixels = 1U << 16U;
  return options;
}

}  // namespace thaw::fuzz
