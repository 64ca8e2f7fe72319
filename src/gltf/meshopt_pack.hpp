// Packs what EXT_meshopt_compression unpacks (gltf/meshopt.hpp).
#pragma once

#include <thaw/bytes.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace thaw::gltf {

/// Elements of `stride` bytes, a multiple of 4 up to 256, in the mode ATTRIBUTES.
Bytes pack_attributes(ByteView elements, std::size_t stride);
/// Corners of triangles, `stride` 2 or 4 bytes each, in the mode TRIANGLES. Triangles keep their order and
/// their side, but not the corner that they begin with.
Bytes pack_triangles(ByteView corners, std::size_t stride);

// The filters, each of an element in `out`.

/// EXPONENTIAL: rounds the number to a whole multiple of a power of 2, of which `most`, the largest of its
/// kind, is at most 32768.
void fold_exponent(float& number, float most, Bytes& out);
/// OCTAHEDRAL of four bytes: a vector of length 1.
void fold_octahedron(std::span<const float> vector, Bytes& out);
/// QUATERNION: a rotation.
void fold_quaternion(std::span<const float> rotation, Bytes& out);

}  // namespace thaw::gltf
