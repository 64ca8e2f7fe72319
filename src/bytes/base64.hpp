// Bytes as letters (RFC 4648).
#pragma once

#include <thaw/bytes.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace thaw {

/// Four letters for every three bytes, the last four filled up with `=`.
void append_base64(std::string& text, ByteView bytes);

/// Takes the alphabet of URLs, too, and texts without `=`; none for any other character.
std::optional<Bytes> decode_base64(std::string_view text);

}  // namespace thaw
