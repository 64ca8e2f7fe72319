// FNV-1a: spreads evenly, and the same on every machine.
#pragma once

#include "bytes/ascii.hpp"

#include <cstdint>
#include <span>

namespace thaw {

constexpr std::uint64_t fnv1a(std::span<const std::uint8_t> bytes) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const auto byte : bytes) {
    hash = (hash ^ byte) * 1099511628211ULL;
  }
  return hash;
}

/// Of words whose case does not count, in 32 bits.
struct WordHash {
  static constexpr std::uint32_t kStart = 2166136261U;

  static constexpr std::uint32_t add(std::uint32_t hash, char c) {
    return (hash ^ static_cast<unsigned char>(ascii::lower(c))) * 16777619U;
  }
  static constexpr std::uint32_t of(std::string_view text) {
    std::uint32_t hash = kStart;
    for (const char c : text) {
      hash = add(hash, c);
    }
    return hash;
  }
};

}  // namespace thaw
