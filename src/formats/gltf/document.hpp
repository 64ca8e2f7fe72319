// The layout of GLB, once.
#pragma once

#include <thaw/gltf.hpp>

#include "describe/description.hpp"

namespace thaw::gltf {

struct Context {};

inline constexpr FourCC kMagic{"glTF"};
inline constexpr FourCC kJson{"JSON"};

/// True if a whole chunk comes next.
inline bool chunk_follows(ByteView rest) {
  return rest.size() >= Chunk::kMinSize &&
         load_plain<std::uint32_t>(rest.data()) <= rest.size() - Chunk::kMinSize;
}

template <class V>
void describe(V& v, As<V, Chunk>& chunk) {
  auto length = static_cast<std::uint32_t>(chunk.data.size());
  v.field("length", length);
  v.field("type", chunk.type.bytes);
  v.bulk("data", chunk.data, length);
}

template <class V>
void describe(V& v, As<V, Document>& document) {
  v.tag(kMagic);
  v.field("version", document.version);
  v.field("length", document.length);
  if constexpr (V::kReads) {
    while (chunk_follows(v.rest())) {
      describe(v, document.chunks.emplace_back());
    }
  } else {
    v.objects("chunks", document.chunks);
  }
  v.gaps("gaps", document.gaps);
}

}  // namespace thaw::gltf
