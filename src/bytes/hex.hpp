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

}  // namespace thaw
