#include "bytes/escape.hpp"

#include <thaw/bytes.hpp>

#include "bytes/text_encoding.hpp"

#include <cstdint>

namespace thaw {
namespace {

/// C0, DEL and C1; the marks and overrides of direction; the other ends of lines and paragraphs.
bool is_escaped(std::uint32_t point) {
  return point < 0x20 || (point >= 0x7F && point < 0xA0) || point == 0x61C || point == 0x200E ||
         point == 0x200F || (point >= 0x2028 && point <= 0x202E) || (point >= 0x2066 && point <= 0x2069);
}

void append_escaped(std::string& text, std::uint32_t point) {
  switch (point) {
    case '\n':
      text += "\\n";
      break;
    case '\r':
      text += "\\r";
      break;
    case '\t':
      text += "\\t";
      break;
    default:
      text += point < 0x80 ? "\\x" + hex_text(point, 2) : "\\u" + hex_text(point, 4);
  }
}

/// The character that begins here and its size; one that is never escaped where it has four bytes.
std::uint32_t point_at(std::string_view text, std::size_t& size) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(i < text.size() ? text[i] : 0); };
  const std::uint32_t lead = byte(0);
  size = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  const auto low = [&](std::size_t i) { return byte(i) & 0x3FU; };
  return size == 1   ? lead
         : size == 2 ? (lead & 0x1FU) << 6U | low(1)
         : size == 3 ? (lead & 0xFU) << 12U | low(1) << 6U | low(2)
                     : ~std::uint32_t{0};
}

}  // namespace

std::string shown(std::string_view text) {
  const std::string utf8 = to_utf8(text);
  std::string out;
  out.reserve(utf8.size());
  for (std::string_view rest = utf8; !rest.empty();) {
    std::size_t size = 1;
    const std::uint32_t point = point_at(rest, size);
    if (is_escaped(point)) {
      append_escaped(out, point);
    } else {
      out += rest.substr(0, size);
    }
    rest.remove_prefix(std::min(size, rest.size()));
  }
  return out;
}

}  // namespace thaw
