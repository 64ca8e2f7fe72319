#include <thaw/bytes.hpp>

#include "bytes/code_page.hpp"
#include "bytes/utf8.hpp"

#include <algorithm>

namespace thaw {
namespace {

/// Windows-1252 for 0x80..0x9F; its five undefined bytes keep their control code.
constexpr std::array<std::uint16_t, 32> kWindows1252 = {
    0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0x008D, 0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178};

/// Length of the valid UTF-8 sequence at the start, 0 if there is none.
std::size_t utf8_length(std::string_view text) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = at(0);
  if (lead < 0x80) {
    return 1;
  }
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) {
    return 0;
  }
  for (std::size_t i = 1; i < length; ++i) {
    if ((at(i) & 0xC0U) != 0x80U) {
      return 0;
    }
  }
  const unsigned second = at(1);
  const bool overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
  const bool surrogate = lead == 0xED && second >= 0xA0;
  const bool beyond = lead == 0xF4 && second >= 0x90;
  return overlong || surrogate || beyond ? 0 : length;
}

}  // namespace

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0) {
      return false;
    }
    text.remove_prefix(length);
  }
  return true;
}

std::string FourCC::text() const {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte <= 0x7E) {
      text.push_back(c);
    } else {
      text += "\\x";
      text.push_back(kHex[byte >> 4U]);
      text.push_back(kHex[byte & 0xFU]);
    }
  }
  return text;
}

std::string to_utf8(std::string_view bytes) {
  const CodePage page = current_code_page();
  if (page > CodePage::utf8) {
    return to_utf8(bytes, page);
  }
  if (is_utf8(bytes)) {
    return std::string(bytes);
  }
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    append_utf8(text, byte >= 0x80 && byte < 0xA0 ? kWindows1252.at(byte - 0x80U) : byte);
  }
  return text;
}

namespace {

class Memory : public Storage {
 public:
  explicit Memory(Bytes bytes) : bytes_(std::move(bytes)) {}

  [[nodiscard]] std::uint64_t size() const override { return bytes_.size(); }
  [[nodiscard]] bool read(std::uint64_t offset, std::span<std::uint8_t> out) const override {
    if (offset > bytes_.size() || out.size() > bytes_.size() - offset) {
      return false;
    }
    std::copy_n(bytes_.data() + offset, out.size(), out.data());
    return true;
  }

 private:
  Bytes bytes_;
};

}  // namespace

std::shared_ptr<const Storage> memory_storage(Bytes bytes) {
  return std::make_shared<Memory>(std::move(bytes));
}

}  // namespace thaw
