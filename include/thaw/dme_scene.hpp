// Models of the Forgelight engine as scenes (docs/formats/dme.md). Numbers are taken as they stand: the
// engine is right-handed, Y up, in metres, and its characters look along +Z, as glTF's do.
#pragma once

#include <thaw/adr.hpp>
#include <thaw/diagnostics.hpp>
#include <thaw/dme.hpp>
#include <thaw/materials.hpp>
#include <thaw/scene.hpp>

#include <map>
#include <span>
#include <string>

#pragma GCC visibility push(default)

namespace thaw {
class Sources;
}

namespace thaw::dme {

/// Nodes of bones by forgelight::hash_upper of their names.
using BoneNodes = std::map<std::uint32_t, scene::Index>;

/// What a model is shown with besides its own file.
struct SceneOptions {
  /// How vertices are laid out; without it, or where it does not know a material, that is guessed from their
  /// size with the finding dme.layout.
  const materials::Library* library = nullptr;
  /// Materials in place of the model's own.
  const dma::Document* palette = nullptr;
  /// Textures in place of the materials' own.
  std::span<const adr::Alias> aliases;
  /// Where specular and normal maps are found, from which pictures are made; without it only colour comes.
  const Sources* sources = nullptr;
  ReadOptions read;
  /// Where bones hang that nothing carries; the model's parent if kNone.
  scene::Index bone_parent = scene::kNone;
};

/// Adds the model below `parent` (a node, or kNone): one mesh per mesh of the file, one part per draw call,
/// and one skin for all if there are bones. Bones that `bones` has are those nodes; others get nodes where
/// they lie in the bind pose, below the nearest bone that is known to carry them, and are added to `bones`.
void add_model(const Document& document, std::string_view name, const SceneOptions& options,
               scene::Index parent, BoneNodes& bones, scene::Scene& scene,
               Diagnostics& diagnostics = Diagnostics::unwanted());

/// The model alone, below a root node. Indices are in range, numbers finite, parents before children.
scene::Scene to_scene(const Document& document, std::string_view name, const SceneOptions& options = {},
                      Diagnostics& diagnostics = Diagnostics::unwanted());

/// The layout of a mesh's streams: that of its material's definition if it fits, entries cut to the strides
/// of the file, which win. `guessed` if no definition says it.
struct MeshLayout {
  materials::Layout layout;
  bool guessed = false;
  bool cut = false;  ///< the definition's is larger than the file's vertices
};
/// Looks in `library`, which may be null, for the definition (a hash of its name), then among the layouts
/// that published models have, then at the strides alone. `version` is the model's: before 4 there is one
/// stream.
MeshLayout mesh_layout(const Mesh& mesh, std::uint32_t definition, std::uint32_t version,
                       const materials::Library* library);

}  // namespace thaw::dme

#pragma GCC visibility pop
