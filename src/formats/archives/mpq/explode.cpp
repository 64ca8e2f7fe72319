#include "formats/archives/mpq/explode.hpp"

#include "formats/archives/mpq/bits.hpp"

namespace thaw::mpq {
namespace {

using Lengths = std::span<const std::uint8_t>;

/// Bits of each literal's code, of which 0x80 to 0x9F and most control characters are the rarest.
constexpr std::array<std::uint8_t, 256> kLiteralBits = {
    11, 12, 12, 12, 12, 12, 12, 12, 12, 8,  7,  12, 12, 7,  12, 12,  // 0x00
    12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 13, 12, 12, 12, 12, 12,  // 0x10
    4,  10, 8,  12, 10, 12, 10, 8,  7,  7,  8,  9,  7,  6,  7,  8,   // 0x20
    7,  6,  7,  7,  7,  7,  8,  7,  7,  8,  8,  12, 11, 7,  9,  11,  // 0x30
    12, 6,  7,  6,  6,  5,  7,  8,  8,  6,  11, 9,  6,  7,  6,  6,   // 0x40
    7,  11, 6,  6,  6,  7,  9,  8,  9,  9,  11, 8,  11, 9,  12, 8,   // 0x50
    12, 5,  6,  6,  6,  5,  6,  6,  6,  5,  11, 7,  5,  6,  5,  5,   // 0x60
    6,  10, 5,  5,  5,  5,  8,  7,  8,  8,  10, 11, 11, 12, 12, 12,  // 0x70
    13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13,  // 0x80
    13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13,  // 0x90
    13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13,  // 0xA0
    12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12,  // 0xB0
    12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12,  // 0xC0
    12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12,  // 0xD0
    13, 12, 13, 13, 13, 12, 13, 13, 13, 12, 13, 13, 13, 13, 12, 13,  // 0xE0
    13, 13, 12, 12, 12, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13,  // 0xF0
};

constexpr std::array<std::uint8_t, 16> kLengthBits = {2, 3, 3, 3, 4, 4, 4, 5, 5, 5, 5, 6, 6, 6, 7, 7};
constexpr std::array<std::uint16_t, 16> kLengthBase = {3,  2,  4,  5,  6,  7,  8,   9,
                                                       10, 12, 16, 24, 40, 72, 136, 264};
constexpr std::array<std::uint8_t, 16> kLengthExtra = {0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8};
constexpr unsigned kEnd = 519;

constexpr std::array<std::uint8_t, 64> kDistanceBits = {
    2, 4, 4, 5, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
    7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8};

/// A canonical code: of each length, the number of symbols; the symbols in the order of their codes.
struct PrefixCode {
  static constexpr unsigned kLongest = 13;
  std::array<std::uint16_t, kLongest + 1> count{};
  std::array<std::uint8_t, 256> symbols{};

  constexpr explicit PrefixCode(Lengths lengths) {
    std::size_t at = 0;
    for (unsigned length = 1; length <= kLongest; ++length) {
      for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol) {
        if (lengths[symbol] == length) {
          ++count[length];
          symbols[at++] = static_cast<std::uint8_t>(symbol);
        }
      }
    }
  }
};

constexpr PrefixCode kLiterals(kLiteralBits);
constexpr PrefixCode kLengths(kLengthBits);
constexpr PrefixCode kDistances(kDistanceBits);

/// The bits of a code come highest first and inverted.
unsigned decode(Bits& bits, const PrefixCode& code) {
  unsigned value = 0;
  unsigned first = 0;
  unsigned index = 0;
  for (unsigned length = 1; length <= PrefixCode::kLongest; ++length) {
    value |= bits.take(1) ^ 1U;
    const unsigned count = code.count[length];
    if (value < first + count) {
      return code.symbols[index + (value - first)];
    }
    index += count;
    first = (first + count) << 1U;
    value <<= 1U;
  }
  return 0;  // not reached: the codes are complete
}

tl::unexpected<Error> broken(const char* why) { return fail(codes::kMpqData, why); }

void copy_back(Bytes& out, std::size_t distance, std::size_t length) {
  for (std::size_t i = 0; i < length; ++i) {
    const std::uint8_t byte = out[out.size() - distance];  // may have been written by this very copy
    out.push_back(byte);
  }
}

}  // namespace

Result<Bytes> explode(ByteView packed, std::size_t most) {
  Bits bits(packed);
  const bool coded_literals = bits.take(8) == 1;
  const unsigned dictionary_bits = bits.take(8);
  if (packed.size() < 3 || packed[0] > 1 || dictionary_bits < 4 || dictionary_bits > 6) {
    return broken("invalid header of imploded data");
  }
  Bytes out;
  while (out.size() < most && !bits.overrun()) {
    if (bits.take(1) == 0) {
      out.push_back(static_cast<std::uint8_t>(coded_literals ? decode(bits, kLiterals) : bits.take(8)));
      continue;
    }
    const unsigned symbol = decode(bits, kLengths);
    const unsigned length = kLengthBase[symbol] + bits.take(kLengthExtra[symbol]);
    if (length == kEnd) {
      return out;
    }
    const unsigned low_bits = length == 2 ? 2 : dictionary_bits;
    const unsigned high = decode(bits, kDistances) << low_bits;
    const std::size_t distance = high + bits.take(low_bits) + 1U;
    if (distance > out.size()) {
      return broken("imploded data refers to bytes before its start");
    }
    copy_back(out, distance, std::min<std::size_t>(length, most - out.size()));
  }
  return bits.overrun() ? Result<Bytes>(broken("imploded data ends too early"))
                        : Result<Bytes>(std::move(out));
}

}  // namespace thaw::mpq
