// What the fuzz targets of the texture formats share: any bytes may be refused; what reads must write back,
// show itself and decode or say why not.
#pragma once

#include <thaw/inspect.hpp>

#include "require.hpp"

namespace thaw::fuzz {

/// Receives everything and keeps nothing.
class Silence : public Inspector {
 public:
  void begin(std::string_view /*name*/, bool /*is_list*/, std::uint64_t /*offset*/) override {}
  void end(std::uint64_t /*offset*/) override {}
  void leaf(const Leaf& leaf) override {
    const auto* bytes = static_cast<const std::uint8_t*>(leaf.data);
    if (bytes != nullptr && leaf.size > 0) {
      sum_ = sum_ + bytes[0] + bytes[leaf.size - 1];
    }
  }

 private:
  volatile unsigned sum_ = 0;
};

/// `read`, `write`, `inspect`, `level_count` and `decode` are found by the document's type.
template <class Document>
void exercise(const Result<Document>& document, ByteView bytes, const ReadOptions& options) {
  if (!document) {
    return;
  }
  require(write(*document) == Bytes(bytes.begin(), bytes.end()), "does not write back\n");
  Silence silence;
  inspect(*document, silence);
  Diagnostics diagnostics;
  for (std::size_t level = 0; level <= level_count(*document); ++level) {
    const auto image = decode(*document, level, options, diagnostics);
    require(!image || image->rgba.size() == image->pixels() * 4, "a picture of another size\n");
  }
}

inline ReadOptions small_limits() {
  ReadOptions options;
  options.limits.max_image_pixels = 1U << 16U;
  return options;
}

}  // namespace thaw::fuzz
