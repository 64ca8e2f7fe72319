// The description of a material list, for its own files and for models.
#pragma once

#include <thaw/dma.hpp>

#include "describe/description.hpp"

#include <algorithm>

namespace thaw::dma {

template <class V>
void describe(V& v, As<V, Parameter>& parameter) {
  v.field("semantic", parameter.semantic);
  v.field("class", parameter.parameter_class);
  v.field("type", parameter.type);
  v.counted("data", parameter.data);
}

/// A part whose size stands before it without being counted in it.
template <class V, class F>
void describe_sized(V& v, As<V, std::optional<std::uint32_t>>& stated, As<V, Remainder>& remainder,
                    FourCC name, F&& body) {
  if constexpr (V::kReads) {
    std::uint32_t size = 0;
    v.field("length", size);
    if (v.failed()) {
      return;  // a payload would take this failure for its own
    }
    const std::size_t left = v.left();
    v.payload(remainder, name, size, std::forward<F>(body));
    if (size > left) {
      stated = size;
      v.note(codes::kTruncated, "",
             std::string(name == FourCC{"DMAT"} ? "the material list" : "the material") +
                 " states a size of " + std::to_string(size) + " bytes, but " + std::to_string(left) +
                 " remain; read to the end");
    }
  } else {
    const std::uint64_t at = v.here();
    v.size_word("length", stated);
    const std::uint64_t start = v.here();
    v.payload(remainder, name, 0, std::forward<F>(body));
    if (!stated) {
      v.patch(at, v.here() - start);
    }
  }
}

template <class V>
void describe(V& v, As<V, Material>& material) {
  v.field("nameHash", material.name_hash);
  describe_sized(v, material.stated_length, material.remainder, FourCC{"MATL"}, [&] {
    v.field("definition", material.definition);
    v.counted_list("parameters", material.parameters);
  });
}

template <class V>
void describe(V& v, As<V, Document>& document) {
  v.tag(FourCC{"DMAT"});
  v.field("version", document.version);
  v.counted("names", document.names);
  v.counted_list("materials", document.materials);
}

}  // namespace thaw::dma
