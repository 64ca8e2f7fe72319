// Decoder of KHR_draco_mesh_compression: the triangles and vertices of a primitive.
#pragma once

#include <thaw/bytes.hpp>
#include <thaw/diagnostics.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace thaw::gltf {

/// Elements that an accessor describes, and that the packed bytes hold.
struct DracoStream {
  std::uint32_t id = 0;         ///< of the attribute in the packed bytes; of no meaning for triangles
  std::uint64_t component = 0;  ///< componentType of glTF
  unsigned components = 0;      ///< 1 to 4
  std::size_t count = 0;        ///< vertices, or corners of triangles
};

struct DracoMesh {
  Bytes corners;                ///< of triangles
  std::vector<Bytes> vertices;  ///< of each attribute
};

/// False in builds without the library, in which unpack_draco fails.
bool reads_draco();

/// The elements as the streams describe them, little-endian and one after the other. gltf.reference for bytes
/// that are not of version 2.2 or have other numbers of corners and vertices than stated, before anything is
/// made of them; for attributes that they lack, and for indices that do not fit into their component.
Result<DracoMesh> unpack_draco(ByteView packed, const DracoStream& corners,
                               std::span<const DracoStream> vertices);

}  // namespace thaw::gltf
