// Decoder of EXT_meshopt_compression: vertices, triangles and sequences of indices.
//
// Source: the extension's specification, appendices A (bitstream) and B (filters). See
// docs/dev/decisions/meshopt-of-our-own.md.
#pragma once

#include <thaw/bytes.hpp>
#include <thaw/diagnostics.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace thaw::gltf {

/// How a view is packed, as its extension says.
struct Packing {
  std::string_view mode;    ///< ATTRIBUTES, TRIANGLES, INDICES
  std::string_view filter;  ///< NONE or empty, OCTAHEDRAL, QUATERNION, EXPONENTIAL
  std::size_t count = 0;    ///< elements
  std::size_t stride = 0;   ///< bytes of each
};

/// The `count` elements of `stride` bytes. gltf.reference for a mode, a filter or sizes that the extension
/// does not allow, and for bytes that are not what it says; never takes more room than 64 times the bytes.
Result<Bytes> unpack(ByteView packed, const Packing& packing);

}  // namespace thaw::gltf
