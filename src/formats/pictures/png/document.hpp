// The layout of PNG, once. Numbers are big-endian in this format, so they are described as bytes.
#pragma once

#include <thaw/image.hpp>

#include "describe/description.hpp"
#include "image/png_parts.hpp"

namespace thaw::png {

struct Context {};

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
    while (next_chunk(v.rest())) {
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
