#include "gltf/uri.hpp"

#include "bytes/text_encoding.hpp"

namespace thaw::gltf {

std::optional<Bytes> from_data_uri(std::string_view uri) {
  constexpr std::string_view kMark = ";base64,";
  const auto mark = uri.find(kMark);
  if (uri.substr(0, 5) != "data:" || mark == std::string_view::npos) {
    return std::nullopt;
  }
  return decode_base64(uri.substr(mark + kMark.size()));
}

}  // namespace thaw::gltf
