// IEEE 754 numbers of 16 bits.
#pragma once

#include <cstdint>
#include <cstring>

namespace thaw {

/// Exact; the payload of a not-a-number is kept.
inline float half_to_float(std::uint16_t half) {
  const std::uint32_t sign = (half & 0x8000U) << 16U;
  const std::uint32_t exponent = half >> 10U & 0x1FU;
  const std::uint32_t mantissa = half & 0x3FFU;
  if (exponent == 0) {
    const float small = static_cast<float>(mantissa) / 16777216.0F;  // 2^-24 each
    return sign != 0 ? -small : small;
  }
  const std::uint32_t wide = exponent == 0x1F ? 0xFFU : exponent + 112U;
  const std::uint32_t bits = sign | wide << 23U | mantissa << 13U;
  float value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

}  // namespace thaw
