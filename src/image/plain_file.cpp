#include "image/plain_file.hpp"

#include "bytes/text.hpp"
#include "image/jpeg.hpp"
#include "image/png_parts.hpp"

#include <algorithm>

namespace thaw {
namespace {

/// Of pHYs: pixels a metre along each side.
bool is_oblong(ByteView sides) {
  constexpr std::ptrdiff_t kSide = sizeof(png::BigEndian);
  return std::ssize(sides) >= 2 * kSide &&
         !std::equal(sides.begin(), sides.begin() + kSide, sides.begin() + kSide);
}

}  // namespace

bool is_plain_file(ByteView bytes) {
  const auto& signature = png::kSignature;
  if (bytes.size() < signature.size() || !std::equal(signature.begin(), signature.end(), bytes.begin())) {
    return is_jpeg(bytes);
  }
  ByteView rest = bytes.subspan(signature.size());
  while (const auto data = png::next_chunk(rest)) {
    const std::string_view type = as_text(rest.subspan(sizeof(png::BigEndian), sizeof(FourCC)));
    if (type == "iCCP" || type == "acTL" || (type == "pHYs" && is_oblong(*data))) {
      return false;
    }
    rest = rest.subspan(data->size() + png::kChunkFrame);
  }
  return true;
}

}  // namespace thaw
