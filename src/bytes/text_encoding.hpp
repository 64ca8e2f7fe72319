// Hexadecimal digits: written in lower case, read in either.
#pragma once

#include <thaw/bytes.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace thaw {

/// Two digits per byte.
void append_hex(std::string& text, ByteView bytes);

/// The last `digits` digits of a number, 1 to 16.
std::string hex_text(std::uint64_t value, unsigned digits = 16);

/// "0x0001a4c0": at least eight digits.
std::string offset_text(std::uint64_t offset);

/// Up to 16 digits; none for any other text.
std::optional<std::uint64_t> parse_hex(std::string_view text);

/// Two digits per byte; none for any other text.
std::optional<Bytes> bytes_of_hex(std::string_view text);

// Bytes as letters (RFC 4648).

/// Four letters for every three bytes, the last four filled up with `=`.
void append_base64(std::string& text, ByteView bytes);

/// Takes the alphabet of URLs, too, and texts without `=`; none for any other character.
std::optional<Bytes> decode_base64(std::string_view text);

// Names as parts of a URI (RFC 3986).

/// All but letters, digits and `-._~` of ASCII, and but the characters in `safe`, becomes `%20` and so on.
std::string percent_encoded(std::string_view name, std::string_view safe = {});

/// `%20` becomes a blank and so on; what is no code stays as it is.
std::string percent_decoded(std::string_view uri);

}  // namespace thaw
