// Decisions from the bytes of a mesh where no source states the layout (m3.md#weights).
#pragma once

#include <thaw/m3.hpp>

namespace thaw::m3 {

/// `count` elements of a format, `stride` bytes apart.
Buffer gather(ElementFormat format, ByteView bytes, std::size_t stride, std::size_t count);

/// Settles the layout of weights and says what is read by unproven rules. Paths are those within the mesh.
void decide(Mesh& mesh, Diagnostics& findings);

}  // namespace thaw::m3
