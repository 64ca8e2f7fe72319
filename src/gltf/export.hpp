// What the parts of the glTF writer share while one scene is being written.
#pragma once

#include <thaw/gltf.hpp>

#include "gltf/materials.hpp"
#include "gltf/visibility.hpp"

#include <memory>

namespace thaw::gltf {

/// Where a mesh of the scene went.
struct PlacedMesh {
  Index mesh = kNone;  ///< of the document; kNone if it has no triangles
  Index node = kNone;  ///< of the document; no other mesh is there, and its scale is that of `scale`
  Vec3 scale{1, 1, 1};
  bool skinned = false;
  unsigned morph_targets = 0;  ///< without the one that hides
  std::unique_ptr<Visibility> visibility;

  /// A target that takes all vertices to one point: hides what a node's scale cannot, because skinned meshes
  /// ignore their node.
  [[nodiscard]] bool has_hiding_target() const {
    return skinned && (visibility->animated() || !visibility->initially());
  }
};

struct Export {
  Export(const scene::Scene& scene_, const GltfOptions& options_, Diagnostics& diagnostics_)
      : scene(scene_),
        options(options_),
        diagnostics(diagnostics_),
        channels(scene_, diagnostics_),
        pictures(scene_, options_, document, buffer),
        materials(scene_, options_, channels, pictures, document, diagnostics_) {}

  const scene::Scene& scene;
  const GltfOptions& options;
  Diagnostics& diagnostics;
  Document document;
  Buffer buffer{document};
  Channels channels;
  Pictures pictures;
  Materials materials;
  UniqueNames node_names;

  Index root = kNone;              ///< the node above all others
  std::vector<Index> skins;        ///< by skin of the scene
  std::vector<PlacedMesh> meshes;  ///< by mesh of the scene
  std::vector<Index> lights;       ///< by light of the scene
  /// By node of the scene: the node whose scale shows and hides what hangs there, or kNone.
  std::vector<Index> switches;
  std::vector<std::unique_ptr<Visibility>> node_visibility;

  [[nodiscard]] bool rich() const { return options.profile == GltfProfile::rich; }
  /// A new node; kNone as parent for the top level.
  Index add_node(std::string name, Index parent);
};

// In this order.
void add_nodes(Export& out);
void add_skins(Export& out);
void add_meshes(Export& out);
void add_lights(Export& out);
void add_cameras(Export& out);
void add_extras(Export& out);
void add_animations(Export& out);

/// True if what the writer makes of this channel cannot be turned back into it.
bool needs_extras(const Export& out, const scene::Channel& channel);
Value channel_extras(const scene::Channel& channel);
/// Where the events of the scene fall into a clip; null if none do.
Value event_extras(const Export& out, std::size_t clip);

}  // namespace thaw::gltf
