// Bytes put together by hand, for files that no document would give.
#pragma once

#include <thaw/bytes.hpp>

#include <functional>
#include <string_view>

namespace thaw::test {

class RawBytes {
 public:
  RawBytes& tag(std::string_view four) { return text(four, 4); }
  RawBytes& u8(std::uint8_t value) {
    bytes_.push_back(value);
    return *this;
  }
  RawBytes& u16(std::uint16_t value) { return little_endian(value, 2); }
  RawBytes& u32(std::uint32_t value) { return little_endian(value, 4); }
  RawBytes& i32(std::int32_t value) { return u32(static_cast<std::uint32_t>(value)); }
  RawBytes& f32(float value) {
    std::uint32_t word = 0;
    std::memcpy(&word, &value, sizeof word);
    return u32(word);
  }
  RawBytes& text(std::string_view value, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) {
      u8(i < value.size() ? static_cast<std::uint8_t>(value[i]) : std::uint8_t{0});
    }
    return *this;
  }
  RawBytes& zeros(std::size_t count) { return text("", count); }
  RawBytes& append(const RawBytes& other) {
    bytes_.insert(bytes_.end(), other.bytes_.begin(), other.bytes_.end());
    return *this;
  }
  RawBytes& repeat(const RawBytes& other, std::size_t times) {
    bytes_.reserve(bytes_.size() + other.size() * times);
    for (std::size_t i = 0; i < times; ++i) {
      append(other);
    }
    return *this;
  }
  /// A tag, the size of the content, the content.
  RawBytes& chunk(std::string_view four, const RawBytes& content) {
    return tag(four).u32(static_cast<std::uint32_t>(content.size())).append(content);
  }
  /// The size of the content and of itself, the content.
  RawBytes& sized(const RawBytes& content) {
    return u32(static_cast<std::uint32_t>(content.size()) + 4).append(content);
  }

  [[nodiscard]] std::size_t size() const { return bytes_.size(); }
  [[nodiscard]] const Bytes& bytes() const { return bytes_; }
  [[nodiscard]] ByteView view() const { return bytes_; }

 private:
  RawBytes& little_endian(std::uint32_t value, unsigned size) {
    for (unsigned i = 0; i < size; ++i) {
      u8(static_cast<std::uint8_t>(value >> (8 * i)));
    }
    return *this;
  }

  Bytes bytes_;
};

}  // namespace thaw::test
