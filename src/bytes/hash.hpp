// FNV-1a: spreads evenly, and the same on every machine.
#pragma once

#include <thaw/bytes.hpp>

#include "bytes/text.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string>

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

// MD5 (RFC 1321): by it the lists of a client's original files know them. Not for anything that must be safe.

using Md5 = std::array<std::uint8_t, 16>;
Md5 md5(ByteView bytes);

/// 32 hexadecimal digits in lower case.
std::string md5_text(const Md5& digest);

// SHA-256 (FIPS 180-4): by it equal files are found.

using Sha256 = std::array<std::uint8_t, 32>;
Sha256 sha256(ByteView bytes);

}  // namespace thaw
