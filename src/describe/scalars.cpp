#include "describe/scalars.hpp"

#include "bytes/half.hpp"
#include "bytes/number_text.hpp"
#include "bytes/text_encoding.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace thaw {
namespace {

template <class T>
T load(const void* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

template <class T>
bool append_integer(std::string& text, const void* from) {
  text += std::to_string(load<T>(from));
  return true;
}

/// The float's own bits alone distinguish one NaN from another.
template <class T>
bool append_float(std::string& text, T value, ByteView big_endian_bits, bool usual_nan) {
  if (std::isfinite(value)) {
    append_number(text, value);
    return true;
  }
  if (std::isinf(value)) {
    text += value > 0 ? "inf" : "-inf";
    return false;
  }
  text += "nan";
  if (!usual_nan) {
    text += ':';
    append_hex(text, big_endian_bits);
  }
  return false;
}

template <class Bits, class T>
bool append_float_bits(std::string& text, Bits bits, T value, Bits usual_nan) {
  std::array<std::uint8_t, sizeof(Bits)> digits{};
  for (std::size_t i = 0; i < digits.size(); ++i) {
    digits[i] = static_cast<std::uint8_t>(static_cast<std::uint64_t>(bits) >> (8U * (digits.size() - 1 - i)));
  }
  return append_float(text, value, digits, bits == usual_nan);
}

/// "[0.5, 0, 1]", and the two bits after them where they are not 0.
void append_packed(std::string& text, std::uint32_t bits) {
  constexpr std::uint32_t kMost = 1023;
  for (const unsigned shift : {0U, 10U, 20U}) {
    text += shift == 0 ? "[" : ", ";
    append_number(text, static_cast<float>(bits >> shift & kMost) / float{kMost});
  }
  text += bits >> 30U == 0 ? "]" : ", " + std::to_string(bits >> 30U) + "]";
}

}  // namespace

std::size_t scalar_size(ScalarKind kind) {
  if (kind == kPacked10) {
    return sizeof(std::uint32_t);
  }
  switch (kind) {
    case ScalarKind::u8:
    case ScalarKind::i8:
      return 1;
    case ScalarKind::u16:
    case ScalarKind::i16:
    case ScalarKind::f16:
      return 2;
    case ScalarKind::u32:
    case ScalarKind::i32:
    case ScalarKind::f32:
      return 4;
    case ScalarKind::u64:
    case ScalarKind::i64:
    case ScalarKind::f64:
      return 8;
  }
  return 1;
}

bool append_scalar(std::string& text, ScalarKind kind, const void* from) {
  if (kind == kPacked10) {
    append_packed(text, load<std::uint32_t>(from));
    return true;
  }
  switch (kind) {
    case ScalarKind::u8:
      return append_integer<std::uint8_t>(text, from);
    case ScalarKind::i8:
      return append_integer<std::int8_t>(text, from);
    case ScalarKind::u16:
      return append_integer<std::uint16_t>(text, from);
    case ScalarKind::i16:
      return append_integer<std::int16_t>(text, from);
    case ScalarKind::u32:
      return append_integer<std::uint32_t>(text, from);
    case ScalarKind::i32:
      return append_integer<std::int32_t>(text, from);
    case ScalarKind::u64:
      return append_integer<std::uint64_t>(text, from);
    case ScalarKind::i64:
      return append_integer<std::int64_t>(text, from);
    case ScalarKind::f16: {
      const auto bits = load<std::uint16_t>(from);
      return append_float_bits<std::uint16_t>(text, bits, half_to_float(bits), 0x7E00);
    }
    case ScalarKind::f32:
      return append_float_bits<std::uint32_t>(text, load<std::uint32_t>(from), load<float>(from), 0x7FC00000);
    case ScalarKind::f64:
      return append_float_bits<std::uint64_t>(text, load<std::uint64_t>(from), load<double>(from),
                                              0x7FF8000000000000);
  }
  return true;
}

std::string leaf_text(const Leaf& leaf) {
  const ByteView bytes = leaf_bytes(leaf);
  const auto* const end = std::find(bytes.data(), bytes.data() + bytes.size(), std::uint8_t{0});
  return to_utf8({reinterpret_cast<const char*>(bytes.data()), static_cast<std::size_t>(end - bytes.data())});
}

}  // namespace thaw
