// The layout of PNG, once. Numbers are big-endian in this format, so they are described as bytes.
#pragma once

#include <thaw/png.hpp>

#include "document/description.hpp"

namespace thaw::png {

struct Context {};

using BigEndian = std::array<std::uint8_t, 4>;

constexpr BigEndian to_big_endian(std::uint32_t value) {
  return {static_cast<std::uint8_t>(value >> 24U), static_cast<std::uint8_t>(value >> 16U),
          static_cast<std::uint8_t>(value >> 8U), static_cast<std::uint8_t>(value)};
}
constexpr std::uint32_t from_big_endian(const BigEndian& bytes) {
  return std::uint32_t{bytes[0]} << 24U | std::uint32_t{bytes[1]} << 16U | std::uint32_t{bytes[2]} << 8U |
         bytes[3];
}

inline constexpr std::array<std::uint8_t, 8> kSignature = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
inline constexpr FourCC kEnd{"IEND"};

/// CRC-32 of type and data, as it stands behind them.
BigEndian checksum(const Chunk& chunk);

/// True if a whole chunk comes next.
inline bool chunk_follows(ByteView rest) {
  if (rest.size() < Chunk::kMinSize) {
    return false;
  }
  return from_big_endian(load_plain<BigEndian>(rest.data())) <= rest.size() - Chunk::kMinSize;
}

template <class V>
void describe(V& v, As<V, Chunk>& chunk) {
  BigEndian length = to_big_endian(static_cast<std::uint32_t>(chunk.data.size()));
  v.field("length", length);
  v.field("type", chunk.type.bytes);
  v.bulk("data", chunk.data, from_big_endian(length));
  v.field("crc", chunk.crc);
}

template <class V>
void describe(V& v, As<V, Document>& document) {
  auto signature = kSignature;
  v.field("signature", signature);
  if constexpr (V::kReads) {
    while (chunk_follows(v.rest())) {
      Chunk& chunk = document.chunks.emplace_back();
      describe(v, chunk);
      if (chunk.type == kEnd) {
        break;
      }
    }
  } else {
    v.objects("chunks", document.chunks);
  }
  v.gaps("gaps", document.gaps);
}

}  // namespace thaw::png
