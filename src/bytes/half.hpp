// IEEE 754 numbers of 16 bits.
#pragma once

#include <algorithm>
#include <cmath>
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

/// To the nearest, of two the even one; what is too large becomes infinite.
inline std::uint16_t float_to_half(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  const std::uint32_t sign = bits >> 16U & 0x8000U;
  const std::uint32_t size = bits & 0x7FFFFFFFU;
  if (size > 0x7F800000U) {
    // What is left of the payload must not be the zero of an infinity.
    const std::uint32_t payload = size >> 13U & 0x3FFU;
    return static_cast<std::uint16_t>(sign | 0x7C00U | (payload != 0 ? payload : 1U));
  }
  if (size < 0x38800000U) {  // below 2^-14: a subnormal half
    const double units = std::fabs(double{value}) * 16777216.0;
    const double down = std::floor(units);
    const bool up = units - down > 0.5 || (units - down == 0.5 && std::fmod(down, 2) == 1);
    return static_cast<std::uint16_t>(sign | (static_cast<std::uint32_t>(down) + (up ? 1U : 0U)));
  }
  const std::uint32_t rounded = size - 0x38000000U + 0xFFFU + (size >> 13U & 1U);
  return static_cast<std::uint16_t>(sign | std::min<std::uint32_t>(rounded >> 13U, 0x7C00U));
}

}  // namespace thaw
