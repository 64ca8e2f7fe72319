// How the scene of a glTF file is read, also for a writer.
#pragma once

#include <thaw/codes.hpp>
#include <thaw/gltf_read.hpp>
#include <thaw/scene.hpp>
#include <thaw/sources.hpp>

#include "formats/descriptor.hpp"

#include <algorithm>

namespace thaw::open {

/// What the writer has a place for is read.
inline void read_for(const SceneWriter& writer, GltfReadOptions& reading) {
  reading.base_colors = writer.colors;
  reading.kept_materials = writer.layers;
  reading.names_of = writer.names;
  reading.surfaces = writer.surfaces;
}

inline bool has_triangles(const scene::Scene& scene) {
  return std::any_of(scene.meshes.begin(), scene.meshes.end(),
                     [](const scene::Mesh& mesh) { return !mesh.indices.empty(); });
}

/// Why a model would come out without what is seen of the scene: models of games have no points and lines.
inline Result<void> keep_geometry(const SceneWriter& writer, const scene::Scene& scene) {
  const bool wires = std::any_of(scene.meshes.begin(), scene.meshes.end(),
                                 [](const scene::Mesh& mesh) { return !mesh.wires.empty(); });
  return !writer.network && wires && !has_triangles(scene)
             ? fail(codes::kWriteUnsupported, "the scene has points and lines only, which models do not have")
             : Result<void>();
}

/// What lies beside a `.gltf` is looked for in `sources`, which outlive the reader.
inline void look_in(const Sources& sources, GltfReadOptions& reading, FileKind kind = FileKind::any) {
  reading.open = [&sources, kind](std::string_view uri) -> Result<Bytes> {
    auto found = sources.find(uri, kind);
    return found ? Result<Bytes>(std::move(found->bytes))
                 : fail(codes::kGltfReference, std::string(uri) + " is in no source");
  };
}

}  // namespace thaw::open
