#include "bytes/hash.hpp"

#include "bytes/text_encoding.hpp"

namespace thaw {
namespace {

using State = std::array<std::uint32_t, 4>;

constexpr std::size_t kBlock = 64;

/// The whole part of 2³² · |sin(i + 1)|.
constexpr std::array<std::uint32_t, 64> kSines = {
    0xD76AA478, 0xE8C7B756, 0x242070DB, 0xC1BDCEEE, 0xF57C0FAF, 0x4787C62A, 0xA8304613, 0xFD469501,
    0x698098D8, 0x8B44F7AF, 0xFFFF5BB1, 0x895CD7BE, 0x6B901122, 0xFD987193, 0xA679438E, 0x49B40821,
    0xF61E2562, 0xC040B340, 0x265E5A51, 0xE9B6C7AA, 0xD62F105D, 0x02441453, 0xD8A1E681, 0xE7D3FBC8,
    0x21E1CDE6, 0xC33707D6, 0xF4D50D87, 0x455A14ED, 0xA9E3E905, 0xFCEFA3F8, 0x676F02D9, 0x8D2A4C8A,
    0xFFFA3942, 0x8771F681, 0x6D9D6122, 0xFDE5380C, 0xA4BEEA44, 0x4BDECFA9, 0xF6BB4B60, 0xBEBFBC70,
    0x289B7EC6, 0xEAA127FA, 0xD4EF3085, 0x04881D05, 0xD9D4D039, 0xE6DB99E5, 0x1FA27CF8, 0xC4AC5665,
    0xF4292244, 0x432AFF97, 0xAB9423A7, 0xFC93A039, 0x655B59C3, 0x8F0CCC92, 0xFFEFF47D, 0x85845DD1,
    0x6FA87E4F, 0xFE2CE6E0, 0xA3014314, 0x4E0811A1, 0xF7537E82, 0xBD3AF235, 0x2AD7D2BB, 0xEB86D391};

constexpr std::array<std::array<unsigned, 4>, 4> kTurns = {
    {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}}};

std::uint32_t turned_left(std::uint32_t value, unsigned bits) {
  return value << bits | value >> (32U - bits);
}

std::uint32_t load_word(const std::uint8_t* from) {
  return std::uint32_t{from[0]} | std::uint32_t{from[1]} << 8U | std::uint32_t{from[2]} << 16U |
         std::uint32_t{from[3]} << 24U;
}

struct Mixed {
  std::uint32_t value;
  std::size_t word;
};

Mixed mix(std::size_t step, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
  switch (step / 16) {
    case 0:
      return {(b & c) | (~b & d), step};
    case 1:
      return {(d & b) | (~d & c), (5 * step + 1) % 16};
    case 2:
      return {b ^ c ^ d, (3 * step + 5) % 16};
    default:
      return {c ^ (b | ~d), 7 * step % 16};
  }
}

void add_block(const std::uint8_t* block, State& state) {
  State now = state;
  for (std::size_t step = 0; step < kSines.size(); ++step) {
    const Mixed mixed = mix(step, now[1], now[2], now[3]);
    const std::uint32_t sum = now[0] + mixed.value + kSines.at(step) + load_word(block + mixed.word * 4);
    now = {now[3], now[1] + turned_left(sum, kTurns.at(step / 16).at(step % 4)), now[1], now[2]};
  }
  for (std::size_t i = 0; i < state.size(); ++i) {
    state.at(i) += now.at(i);
  }
}

}  // namespace

Md5 md5(ByteView bytes) {
  State state = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476};
  const std::size_t whole = bytes.size() / kBlock * kBlock;
  for (std::size_t at = 0; at < whole; at += kBlock) {
    add_block(bytes.data() + at, state);
  }
  // What is left, a bit, zeros, and the number of bits.
  std::array<std::uint8_t, 2 * kBlock> tail{};
  const std::size_t left = bytes.size() - whole;
  std::copy(bytes.begin() + static_cast<std::ptrdiff_t>(whole), bytes.end(), tail.begin());
  tail.at(left) = 0x80;
  const std::size_t size = left + 9 <= kBlock ? kBlock : tail.size();
  const std::uint64_t bits = std::uint64_t{bytes.size()} * 8;
  for (std::size_t i = 0; i < 8; ++i) {
    tail.at(size - 8 + i) = static_cast<std::uint8_t>(bits >> (8 * i));
  }
  for (std::size_t at = 0; at < size; at += kBlock) {
    add_block(tail.data() + at, state);
  }
  Md5 digest{};
  for (std::size_t i = 0; i < digest.size(); ++i) {
    digest.at(i) = static_cast<std::uint8_t>(state.at(i / 4) >> (8 * (i % 4)));
  }
  return digest;
}

std::string md5_text(const Md5& digest) {
  std::string text;
  append_hex(text, digest);
  return text;
}

}  // namespace thaw
