// Reading of the scene of a glTF file, also for a writer.
#pragma once

#include <thaw/codes.hpp>
#include <thaw/format.hpp>
#include <thaw/gltf.hpp>
#include <thaw/scene.hpp>
#include <thaw/sources.hpp>

#include "formats/descriptor.hpp"

#include <algorithm>

namespace thaw::open {

/// What the writer has a place for is read.
inline void read_for(const SceneWriter& writer, GltfReadOptions& reading) {
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
             ? fail(codes::kWriteUnsupported,
                    "the scene has only points and lines, which models cannot contain")
             : Result<void>();
}

/// ModelOptions::onto of formats that are written as a whole: the original's own bytes where the scene says
/// what it said unedited, else a new file, which is reported.
inline Result<Outputs> written_onto(const WriteContext& context,
                                    Result<Outputs> (*write)(const WriteContext&)) {
  if (context.onto == nullptr) {
    return write(context);
  }
  const auto encode = [&](const scene::Scene& scene, Diagnostics& findings) {
    return write(
        {scene, context.options, findings, context.file_name, context.clips, nullptr, context.alone});
  };
  Diagnostics discarded(0);
  Diagnostics findings;
  const auto before = encode(context.onto->scene, discarded);
  auto after = encode(context.scene, findings);
  if (before && after && before->files == after->files) {
    after->files.resize(1);
    after->files.front().bytes = write_any(context.onto->document);
    return after;
  }
  for (const Diagnostic& finding : findings.items()) {
    context.findings.add(finding);
  }
  if (after) {
    context.findings.add(
        codes::kSceneChanged,
        "the edited file is written from scratch: parts of the original that glTF cannot hold are lost");
  }
  return after;
}

/// Files next to a `.gltf` are looked for in `sources`, which outlive the reader.
inline void look_in(const Sources& sources, GltfReadOptions& reading, FileKind kind = FileKind::any) {
  reading.open = [&sources, kind](std::string_view uri) -> Result<Bytes> {
    auto found = sources.find(uri, kind);
    return found ? Result<Bytes>(std::move(found->bytes))
                 : fail(codes::kGltfReference, std::string(uri) + " is not in any source");
  };
}

}  // namespace thaw::open
