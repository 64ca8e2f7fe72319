#include "formats/archives/archive/names.hpp"

#include <thaw/archive.hpp>

#include "bytes/text.hpp"
#include "bytes/text_encoding.hpp"

#include <algorithm>

namespace thaw {
namespace {

constexpr std::size_t kHashDigits = 16;

bool separates(std::uint8_t byte) { return byte == '\r' || byte == '\n' || byte == ';' || byte == 0; }

}  // namespace

void for_each_name(ByteView text, const std::function<void(std::string_view)>& each) {
  text = as_bytes(without_byte_order_mark(as_text(text)));
  while (!text.empty()) {
    const auto end = std::find_if(text.begin(), text.end(), separates);
    const auto length = static_cast<std::size_t>(end - text.begin());
    if (length > 0) {
      each(as_text(text.first(length)));
    }
    text = text.subspan(std::min(text.size(), length + 1));
  }
}

std::vector<std::string> parse_listfile(ByteView text) {
  std::vector<std::string> names;
  for_each_name(text, [&names](std::string_view name) { names.emplace_back(name); });
  return names;
}

std::optional<std::uint64_t> hash_in_name(std::string_view name) {
  if (name.size() < kHashDigits || (name.size() > kHashDigits && name[kHashDigits] != '.')) {
    return std::nullopt;
  }
  return parse_hex(name.substr(0, kHashDigits));
}

std::string hash_text(std::uint64_t hash) { return hex_text(hash); }

std::string display_name(const ArchiveEntry& entry, std::string_view extension) {
  if (entry.name.empty()) {
    return hash_text(entry.hash) + std::string(extension);
  }
  std::string name = to_utf8(entry.name);
  std::replace(name.begin(), name.end(), '\\', '/');
  return name;
}

}  // namespace thaw
