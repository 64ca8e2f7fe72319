// BC7, after the tables of the Direct3D 11 functional specification, section "BC7 format".

#include "describe/description.hpp"
#include "image/blocks.hpp"
#include "image/pixels.hpp"

namespace thaw::bc7 {
namespace {

struct Mode {
  unsigned subsets;
  unsigned partition_bits;
  unsigned rotation_bits;
  unsigned selector_bits;  ///< which of the two index sets is the colour's
  unsigned color_bits;
  unsigned alpha_bits;
  unsigned end_parity;     ///< one low bit for each end
  unsigned shared_parity;  ///< one low bit for both ends of a subset
  unsigned index_bits;
  unsigned second_index_bits;
};

constexpr std::array<Mode, 8> kModes = {{
    {3, 4, 0, 0, 4, 0, 1, 0, 3, 0},
    {2, 6, 0, 0, 6, 0, 0, 1, 3, 0},
    {3, 6, 0, 0, 5, 0, 0, 0, 2, 0},
    {2, 6, 0, 0, 7, 0, 1, 0, 2, 0},
    {1, 0, 2, 1, 5, 6, 0, 0, 2, 3},
    {1, 0, 2, 0, 7, 8, 0, 0, 2, 2},
    {1, 0, 0, 0, 7, 7, 1, 0, 4, 0},
    {2, 6, 0, 0, 5, 5, 1, 0, 2, 0},
}};

constexpr std::size_t kPixels = 16;

/// Bit i is the subset of pixel i.
constexpr std::array<std::uint16_t, 64> kTwoSubsets = {
    0xCCCC, 0x8888, 0xEEEE, 0xECC8, 0xC880, 0xFEEC, 0xFEC8, 0xEC80, 0xC800, 0xFFEC, 0xFE80, 0xE800, 0xFFE8,
    0xFF00, 0xFFF0, 0xF000, 0xF710, 0x008E, 0x7100, 0x08CE, 0x008C, 0x7310, 0x3100, 0x8CCE, 0x088C, 0x3110,
    0x6666, 0x366C, 0x17E8, 0x0FF0, 0x718E, 0x399C, 0xAAAA, 0xF0F0, 0x5A5A, 0x33CC, 0x3C3C, 0x55AA, 0x9696,
    0xA55A, 0x73CE, 0x13C8, 0x324C, 0x3BDC, 0x6996, 0xC33C, 0x9966, 0x0660, 0x0272, 0x04E4, 0x4E40, 0x2720,
    0xC936, 0x936C, 0x39C6, 0x639C, 0x9336, 0x9CC6, 0x817E, 0xE718, 0xCCF0, 0x0FCC, 0x7744, 0xEE22};

/// Bits 2i and 2i + 1 are the subset of pixel i.
constexpr std::array<std::uint32_t, 64> kThreeSubsets = {
    0xAA685050, 0x6A5A5040, 0x5A5A4200, 0x5450A0A8, 0xA5A50000, 0xA0A05050, 0x5555A0A0, 0x5A5A5050,
    0xAA550000, 0xAA555500, 0xAAAA5500, 0x90909090, 0x94949494, 0xA4A4A4A4, 0xA9A59450, 0x2A0A4250,
    0xA5945040, 0x0A425054, 0xA5A5A500, 0x55A0A0A0, 0xA8A85454, 0x6A6A4040, 0xA4A45000, 0x1A1A0500,
    0x0050A4A4, 0xAAA59090, 0x14696914, 0x69691400, 0xA08585A0, 0xAA821414, 0x50A4A450, 0x6A5A0200,
    0xA9A58000, 0x5090A0A8, 0xA8A09050, 0x24242424, 0x00AA5500, 0x24924924, 0x24499224, 0x50A50A50,
    0x500AA550, 0xAAAA4444, 0x66660000, 0xA5A0A5A0, 0x50A050A0, 0x69286928, 0x44AAAA44, 0x66666600,
    0xAA444444, 0x54A854A8, 0x95809580, 0x96969600, 0xA85454A8, 0x80959580, 0xAA141414, 0x96960000,
    0xAAAA1414, 0xA05050A0, 0xA0A5A5A0, 0x96000000, 0x40804080, 0xA9A8A9A8, 0xAAAAAA44, 0x2A4A5254};

// The anchor of a subset is the pixel whose index lacks its high bit. That of subset 0 is pixel 0.
constexpr std::array<std::uint8_t, 64> kAnchorOfTwo = {
    15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 2,  8, 2, 2, 8,
    8,  15, 2,  8,  2,  2,  8,  8,  2,  2,  15, 15, 6,  8,  2,  8,  15, 15, 2, 8, 2, 2,
    2,  15, 15, 6,  6,  2,  6,  8,  15, 15, 2,  2,  15, 15, 15, 15, 15, 2,  2, 15};
constexpr std::array<std::uint8_t, 64> kFirstAnchorOfThree = {
    3,  3,  15, 15, 8, 3,  15, 15, 8,  8,  6, 6,  6, 5,  3, 3,  3,  3,  8,  15, 3,  3,
    6,  10, 5,  8,  8, 6,  8,  5,  15, 15, 8, 15, 3, 5,  6, 10, 8,  15, 15, 3,  15, 5,
    15, 15, 15, 15, 3, 15, 5,  5,  5,  8,  5, 10, 5, 10, 8, 13, 15, 12, 3,  3};
constexpr std::array<std::uint8_t, 64> kSecondAnchorOfThree = {
    15, 8, 8, 3,  15, 15, 3,  8,  15, 15, 15, 15, 15, 15, 15, 8,  15, 8,  15, 3,  15, 8,
    15, 8, 3, 15, 6,  10, 15, 15, 10, 8,  15, 3,  15, 10, 10, 8,  9,  10, 6,  15, 8,  15,
    3,  6, 6, 8,  15, 3,  15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 3,  15, 15, 8};

constexpr std::array<std::uint8_t, 4> kWeights2 = {0, 21, 43, 64};
constexpr std::array<std::uint8_t, 8> kWeights3 = {0, 9, 18, 27, 37, 46, 55, 64};
constexpr std::array<std::uint8_t, 16> kWeights4 = {0,  4,  9,  13, 17, 21, 26, 30,
                                                    34, 38, 43, 47, 51, 55, 60, 64};

/// Takes bits from the low end of 128.
class Bits {
 public:
  explicit Bits(const std::uint8_t* block)
      : low_(load_plain<std::uint64_t>(block)), high_(load_plain<std::uint64_t>(block + 8)) {}

  std::uint32_t take(unsigned count) { return static_cast<std::uint32_t>(take_long(count)); }

  /// Up to 63 bits.
  std::uint64_t take_long(unsigned count) {
    if (count == 0) {
      return 0;
    }
    const std::uint64_t value = low_ & ((std::uint64_t{1} << count) - 1);
    low_ = low_ >> count | high_ << (64 - count);
    high_ >>= count;
    return value;
  }

 private:
  std::uint64_t low_;
  std::uint64_t high_;
};

/// A colour with 16 bits per channel, so that all four are interpolated at once.
using Lanes = std::uint64_t;
constexpr Lanes kByteOfLanes = 0x00FF00FF00FF00FFU;

constexpr Lanes lane(std::uint32_t value, unsigned channel) { return Lanes{value} << (16 * channel); }

constexpr std::uint32_t pack_lanes(Lanes lanes) {
  const Lanes pairs = (lanes | lanes >> 8U) & 0x0000FFFF0000FFFFU;
  const auto word = static_cast<std::uint32_t>(pairs | pairs >> 16U);
  return pack_rgba(word & 255U, word >> 8U & 255U, word >> 16U & 255U, word >> 24U);
}

struct Ends {
  Lanes from;
  Lanes to;
};

/// 4 to 8 bits become 8.
constexpr std::uint32_t widen(std::uint32_t value, unsigned bits) {
  return value << (8 - bits) | value >> (2 * bits - 8);
}

/// A rotation exchanges alpha with one of the colours; here before they are interpolated.
constexpr unsigned alpha_lane(std::uint32_t rotation) { return rotation == 0 ? 3 : rotation - 1; }

/// The stored ends: `[channel][end]`, parity bits included.
template <std::size_t mode>
auto read_raw_ends(Bits& bits) {
  constexpr Mode kMode = kModes[mode];
  constexpr unsigned kChannels = kMode.alpha_bits > 0 ? 4 : 3;
  constexpr unsigned kParity = kMode.end_parity | kMode.shared_parity;
  std::array<std::array<std::uint32_t, std::size_t{2} * kMode.subsets>, kChannels> raw;
  for (unsigned channel = 0; channel < kChannels; ++channel) {
    for (auto& value : raw[channel]) {
      value = bits.take(channel == 3 ? kMode.alpha_bits : kMode.color_bits) << kParity;
    }
  }
  if constexpr (kParity != 0) {
    for (std::size_t end = 0; end < raw[0].size(); end += kMode.shared_parity + 1) {
      const std::uint32_t parity = bits.take(1);
      for (auto& channel : raw) {
        channel[end] |= parity;
        channel[end + kMode.shared_parity] |= parity;
      }
    }
  }
  return raw;
}

template <std::size_t mode>
std::array<Ends, kModes[mode].subsets> read_ends(Bits& bits, std::uint32_t rotation) {
  constexpr Mode kMode = kModes[mode];
  constexpr unsigned kParity = kMode.end_parity | kMode.shared_parity;
  const auto raw = read_raw_ends<mode>(bits);
  const unsigned alpha = alpha_lane(rotation);
  const auto lanes_of = [&](std::size_t end) {
    Lanes lanes = 0;
    for (unsigned channel = 0; channel < 3; ++channel) {
      const std::uint32_t value = widen(raw[channel][end], kMode.color_bits + kParity);
      lanes |= lane(value, channel == alpha ? 3 : channel);
    }
    if constexpr (kMode.alpha_bits > 0) {
      return lanes | lane(widen(raw[3][end], kMode.alpha_bits + kParity), alpha);
    } else {
      return lanes | lane(255, alpha);
    }
  };
  std::array<Ends, kMode.subsets> ends;
  for (std::size_t subset = 0; subset < kMode.subsets; ++subset) {
    ends[subset] = {lanes_of(2 * subset), lanes_of(2 * subset + 1)};
  }
  return ends;
}

template <unsigned subsets>
std::uint32_t subset_of(std::uint32_t partition, std::size_t pixel) {
  if constexpr (subsets == 1) {
    return 0;
  } else if constexpr (subsets == 2) {
    return static_cast<std::uint32_t>(kTwoSubsets[partition]) >> pixel & 1U;
  } else {
    return kThreeSubsets[partition] >> (2 * pixel) & 3U;
  }
}

/// The indices of all pixels, `bits` each, with the high bits that the anchors lack put back as zeros.
template <unsigned bits>
struct Indices {
  std::uint64_t packed = 0;

  void widen_anchor(unsigned pixel) {
    const std::uint64_t below = (std::uint64_t{1} << (pixel * bits + bits - 1)) - 1;
    packed = (packed & below) | (packed & ~below) << 1U;
  }
  [[nodiscard]] std::uint32_t weight(std::size_t pixel) const {
    const auto index = static_cast<std::size_t>(packed >> (pixel * bits) & ((1U << bits) - 1));
    if constexpr (bits == 2) {
      return kWeights2[index];
    } else if constexpr (bits == 3) {
      return kWeights3[index];
    } else {
      return kWeights4[index];
    }
  }
};

template <unsigned bits, unsigned subsets>
Indices<bits> read_indices(Bits& source, std::uint32_t partition) {
  Indices<bits> indices{source.take_long(kPixels * bits - subsets)};
  indices.widen_anchor(0);
  if constexpr (subsets == 2) {
    indices.widen_anchor(kAnchorOfTwo[partition]);
  } else if constexpr (subsets == 3) {
    const unsigned first = kFirstAnchorOfThree[partition];
    const unsigned second = kSecondAnchorOfThree[partition];
    indices.widen_anchor(std::min(first, second));
    indices.widen_anchor(std::max(first, second));
  }
  return indices;
}

constexpr Lanes interpolate(const Ends& ends, std::uint32_t weight) {
  constexpr Lanes kHalf = 0x0020002000200020U;
  return (ends.from * (64 - weight) + ends.to * weight + kHalf) >> 6U & kByteOfLanes;
}

void put(std::uint8_t* rgba, std::size_t stride, std::size_t pixel, Lanes lanes) {
  const std::uint32_t word = pack_lanes(lanes);
  std::memcpy(rgba + pixel / 4 * stride + pixel % 4 * sizeof word, &word, sizeof word);
}

/// Modes whose colour and alpha have indices of their own: the lanes in `mask` take theirs from `alpha`.
template <unsigned color_bits, unsigned alpha_bits>
void put_separate(const Ends& ends, Indices<color_bits> color, Indices<alpha_bits> alpha, Lanes mask,
                  std::uint8_t* rgba, std::size_t stride) {
  for (std::size_t i = 0; i < kPixels; ++i) {
    put(rgba, stride, i,
        (interpolate(ends, color.weight(i)) & ~mask) | (interpolate(ends, alpha.weight(i)) & mask));
  }
}

template <std::size_t mode>
void decode_mode(Bits bits, std::uint8_t* rgba, std::size_t stride) {
  constexpr Mode kMode = kModes[mode];
  bits.take(mode + 1);
  const std::uint32_t partition = bits.take(kMode.partition_bits);
  const std::uint32_t rotation = bits.take(kMode.rotation_bits);
  const bool exchanged = bits.take(kMode.selector_bits) != 0;
  const auto ends = read_ends<mode>(bits, rotation);
  const auto indices = read_indices<kMode.index_bits, kMode.subsets>(bits, partition);
  if constexpr (kMode.second_index_bits == 0) {
    for (std::size_t i = 0; i < kPixels; ++i) {
      put(rgba, stride, i, interpolate(ends[subset_of<kMode.subsets>(partition, i)], indices.weight(i)));
    }
  } else {
    const auto second = read_indices<kMode.second_index_bits, 1>(bits, 0);
    const Lanes mask = lane(0xFFFF, alpha_lane(rotation));
    if (exchanged) {
      put_separate(ends[0], second, indices, mask, rgba, stride);
    } else {
      put_separate(ends[0], indices, second, mask, rgba, stride);
    }
  }
}

}  // namespace

void decode_block(const std::uint8_t* block, std::uint8_t* rgba, std::size_t stride) {
  const Bits bits(block);
  switch (std::countr_zero(block[0])) {
    case 0:
      return decode_mode<0>(bits, rgba, stride);
    case 1:
      return decode_mode<1>(bits, rgba, stride);
    case 2:
      return decode_mode<2>(bits, rgba, stride);
    case 3:
      return decode_mode<3>(bits, rgba, stride);
    case 4:
      return decode_mode<4>(bits, rgba, stride);
    case 5:
      return decode_mode<5>(bits, rgba, stride);
    case 6:
      return decode_mode<6>(bits, rgba, stride);
    case 7:
      return decode_mode<7>(bits, rgba, stride);
    default:
      for (std::size_t i = 0; i < kPixels; ++i) {
        put(rgba, stride, i, 0);
      }
  }
}

}  // namespace thaw::bc7
