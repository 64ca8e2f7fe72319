#include "gltf/draco.hpp"

#include <thaw/gltf.hpp>

#include "bytes/number_text.hpp"

#include <draco/compression/decode.h>
#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <new>
#include <string>

namespace thaw::gltf {
namespace {

tl::unexpected<Error> damaged(std::string message) {
  return fail(codes::kGltfReference, "the Draco data " + std::move(message));
}

/// The numbers that the library reserves memory by, from the front of the bytes (Draco's bitstream
/// specification, versions 2.2: header, sequential and edgebreaker connectivity).
struct Stated {
  std::uint32_t triangles = 0;
  std::uint32_t vertices = 0;  ///< of edgebreaker before seams divide them
};

/// Seven bits each, the lowest first.
std::optional<std::uint32_t> take_number(ByteView& bytes) {
  std::uint32_t value = 0;
  for (unsigned shift = 0; shift < 32 && !bytes.empty(); shift += 7) {
    const std::uint8_t part = bytes.front();
    bytes = bytes.subspan(1);
    value |= (part & 0x7FU) << shift;
    if (part < 0x80) {
      return value;
    }
  }
  return std::nullopt;
}

std::optional<Stated> stated_sizes(ByteView bytes) {
  constexpr std::size_t kHeader = 11;
  constexpr std::uint8_t kMesh = 1;
  constexpr std::uint8_t kMetadata = 0x80;
  if (bytes.size() < kHeader + 1 || std::memcmp(bytes.data(), "DRACO\2\2", 7) != 0 || bytes[7] != kMesh ||
      (bytes[10] & kMetadata) != 0) {
    return std::nullopt;
  }
  const bool edgebreaker = bytes[8] == 1;
  bytes = bytes.subspan(kHeader + (edgebreaker ? 1 : 0));
  const auto first = take_number(bytes);
  const auto second = take_number(bytes);
  if (!first || !second) {
    return std::nullopt;
  }
  return edgebreaker ? Stated{*second, *first} : Stated{*first, *second};
}

template <class T>
void append(Bytes& out, T value) {
  std::array<std::uint8_t, sizeof(T)> bytes{};
  std::memcpy(bytes.data(), &value, sizeof value);
  if constexpr (std::endian::native == std::endian::big) {
    std::reverse(bytes.begin(), bytes.end());
  }
  out.insert(out.end(), bytes.begin(), bytes.end());
}

template <class T>
bool append_vertices(const draco::PointAttribute& attribute, const DracoStream& stream, Bytes& out) {
  std::array<T, 4> values{};
  for (std::uint32_t i = 0; i < stream.count; ++i) {
    const auto at = attribute.mapped_index(draco::PointIndex(i));
    if (!attribute.ConvertValue<T>(at, static_cast<std::int8_t>(stream.components), values.data())) {
      return false;
    }
    for (unsigned c = 0; c < stream.components; ++c) {
      append(out, values.at(c));
    }
  }
  return true;
}

template <class T>
bool append_corners(const draco::Mesh& mesh, Bytes& out) {
  for (std::uint32_t face = 0; face < mesh.num_faces(); ++face) {
    for (const auto& point : mesh.face(draco::FaceIndex(face))) {
      if (point.value() >= mesh.num_points() || point.value() > std::numeric_limits<T>::max()) {
        return false;
      }
      append(out, static_cast<T>(point.value()));
    }
  }
  return true;
}

bool append_corners(const draco::Mesh& mesh, std::uint64_t component, Bytes& out) {
  switch (component) {
    case 5121:
      return append_corners<std::uint8_t>(mesh, out);
    case 5123:
      return append_corners<std::uint16_t>(mesh, out);
    case 5125:
      return append_corners<std::uint32_t>(mesh, out);
    default:
      return false;
  }
}

/// Calls `append` with a value of the component's type; false for a type that glTF does not have.
template <class Append>
bool by_component(std::uint64_t component, Append append) {
  switch (component) {
    case 5120:
      return append(std::int8_t{});
    case 5121:
      return append(std::uint8_t{});
    case 5122:
      return append(std::int16_t{});
    case 5123:
      return append(std::uint16_t{});
    case 5125:
      return append(std::uint32_t{});
    case 5126:
      return append(float{});
    default:
      return false;
  }
}

Result<Bytes> vertices_of(const draco::Mesh& mesh, const DracoStream& stream) {
  const auto* attribute = mesh.GetAttributeByUniqueId(stream.id);
  if (attribute == nullptr) {
    return damaged("has no attribute " + std::to_string(stream.id));
  }
  Bytes out;
  const bool sound = by_component(stream.component, [&](auto value) {
    return append_vertices<decltype(value)>(*attribute, stream, out);
  });
  return sound ? Result<Bytes>(std::move(out))
               : damaged("has values in attribute " + std::to_string(stream.id) +
                         " that do not fit into its accessor");
}

Result<DracoMesh> unpack_sound(ByteView packed, const DracoStream& corners,
                               std::span<const DracoStream> vertices) {
  draco::DecoderBuffer buffer;
  buffer.Init(reinterpret_cast<const char*>(packed.data()), packed.size());
  draco::Decoder decoder;
  const auto decoded = decoder.DecodeMeshFromBuffer(&buffer);
  if (!decoded.ok()) {
    return damaged("cannot be decoded: " + decoded.status().error_msg_string());
  }
  const draco::Mesh& mesh = *decoded.value();
  const bool agrees = std::size_t{mesh.num_faces()} * 3 == corners.count &&
                      std::all_of(vertices.begin(), vertices.end(), [&](const DracoStream& stream) {
                        return stream.count == mesh.num_points();
                      });
  if (!agrees) {
    return damaged("has " + counted(mesh.num_faces(), "triangle") + " and " +
                   counted(mesh.num_points(), "vertex") + ", which differs from its accessors");
  }
  DracoMesh result;
  if (!append_corners(mesh, corners.component, result.corners)) {
    return damaged("has vertex indices that do not fit into the component type of their accessor");
  }
  for (const DracoStream& stream : vertices) {
    auto bytes = vertices_of(mesh, stream);
    if (!bytes) {
      return tl::unexpected<Error>(std::move(bytes.error()));
    }
    result.vertices.push_back(std::move(*bytes));
  }
  return result;
}

}  // namespace

bool reads_draco() { return true; }

Result<DracoMesh> unpack_draco(ByteView packed, const DracoStream& corners,
                               std::span<const DracoStream> vertices) {
  std::size_t count = 0;
  for (const DracoStream& stream : vertices) {
    count = std::max(count, stream.count);
  }
  const auto stated = stated_sizes(packed);
  if (!stated || std::size_t{stated->triangles} * 3 != corners.count || stated->vertices > count) {
    return damaged(stated ? "states " + counted(stated->triangles, "triangle") + " and " +
                                counted(stated->vertices, "vertex") + ", which differs from its accessors"
                          : "is not a mesh of version 2.2");
  }
  try {
    return unpack_sound(packed, corners, vertices);
  } catch (const std::bad_alloc&) {
    return damaged("needs more memory than is available");
  }
}

}  // namespace thaw::gltf
