// Layout of a mesh: the file states only the size of its vertices
// (materials.md#from-a-mesh-to-its-layout).
#include <thaw/dme.hpp>
#include <thaw/forgelight.hpp>

#include <algorithm>

namespace thaw::dme {
namespace {

using materials::Layout;
using materials::Type;
using materials::Usage;

constexpr std::uint32_t kSkinnedStride = 20;

std::uint32_t stride_of(const Mesh& mesh, std::size_t stream) {
  return stream < mesh.streams.size() ? mesh.streams[stream].stride : 0;
}

bool fits_exactly(const Layout& layout, const Mesh& mesh) {
  for (unsigned stream = 0; stream < mesh.streams.size(); ++stream) {
    if (layout.stride(stream) != stride_of(mesh, stream)) {
      return false;
    }
  }
  return true;
}

/// Drops the entries that the file's vertices have no room for; true if there were any.
bool cut(Layout& layout, const Mesh& mesh) {
  const auto outside = [&](const materials::Entry& entry) {
    return entry.offset + materials::type_size(entry.type) > stride_of(mesh, entry.stream);
  };
  const auto from = std::remove_if(layout.entries.begin(), layout.entries.end(), outside);
  const bool some = from != layout.entries.end();
  layout.entries.erase(from, layout.entries.end());
  return some;
}

/// [20, …] is skinned, [12, …] rigid, and what is left of the second stream are pairs of half floats.
Layout guess(const Mesh& mesh) {
  Layout layout{stride_of(mesh, 0) >= kSkinnedStride ? "skinned" : "rigid", {}};
  layout.entries.push_back({0, Type::float3, Usage::position, 0, 0});
  if (stride_of(mesh, 0) >= kSkinnedStride) {
    layout.entries.push_back({0, Type::ubyte4_normalized, Usage::blend_weight, 0, 12});
    layout.entries.push_back({0, Type::d3d_color, Usage::blend_indices, 0, 16});
  }
  layout.entries.push_back({1, Type::ubyte4_normalized, Usage::tangent, 0, 0});
  layout.entries.push_back({1, Type::ubyte4_normalized, Usage::binormal, 0, 4});
  constexpr unsigned kMostUvs = 4;
  for (unsigned uv = 0, offset = 8; uv < kMostUvs; ++uv, offset += 4) {
    layout.entries.push_back({1, Type::half2, Usage::texcoord, uv, offset});
  }
  return layout;
}

/// One stream, before version 4: only the position is known where no definition says more.
Layout guess_old(const Mesh& mesh) {
  constexpr std::uint32_t kWithNormalAndUv = 32;
  Layout layout{"old", {{0, Type::float3, Usage::position, 0, 0}}};
  if (stride_of(mesh, 0) == kWithNormalAndUv) {
    layout.entries.push_back({0, Type::float3, Usage::normal, 0, 12});
    layout.entries.push_back({0, Type::float2, Usage::texcoord, 0, 24});
  }
  return layout;
}

const Layout* defined_layout(std::uint32_t definition, const materials::Library* library) {
  const auto* found = library == nullptr ? nullptr : library->find_definition(definition);
  return found == nullptr ? nullptr : library->find_layout(found->layout);
}

/// The best of the layouts that are known without a library: the definition's namesake, else one of exactly
/// these sizes.
Layout without_library(const Mesh& mesh, std::uint32_t definition, bool& guessed) {
  const auto known = materials::known_layouts();
  const auto namesake = std::find_if(known.begin(), known.end(), [&](const Layout& layout) {
    return forgelight::hash(layout.name) == definition && stride_of(mesh, 0) == layout.stride(0);
  });
  guessed = namesake == known.end();
  if (!guessed) {
    return *namesake;
  }
  // The sizes of skinned and rigid characters leave no doubt but for what follows the binormal.
  const auto same = std::find_if(known.begin(), known.end(),
                                 [&](const Layout& layout) { return fits_exactly(layout, mesh); });
  return same == known.end() ? guess(mesh) : *same;
}

}  // namespace

MeshLayout mesh_layout(const Mesh& mesh, std::uint32_t definition, std::uint32_t version,
                       const materials::Library* library) {
  constexpr std::uint32_t kSeveralStreams = 4;
  MeshLayout result;
  if (const Layout* defined = defined_layout(definition, library)) {
    result.layout = *defined;
  } else if (version < kSeveralStreams) {
    result.layout = guess_old(mesh);
    result.guessed = true;
  } else {
    result.layout = without_library(mesh, definition, result.guessed);
  }
  const bool some = cut(result.layout, mesh);
  result.cut = some && !result.guessed;
  return result;
}

}  // namespace thaw::dme
