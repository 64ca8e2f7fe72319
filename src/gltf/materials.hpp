// Layered materials of games as glTF materials: passes over each other become one picture where that is
// possible, else primitives over each other.
#pragma once

#include "gltf/channels.hpp"
#include "gltf/pictures.hpp"
#include "scene/unique_names.hpp"

namespace thaw::gltf {

/// One pass over the triangles of a part: one glTF primitive.
struct Draw {
  std::vector<Index> layers;       ///< of the scene's material, in the order in which they are drawn
  Material material;               ///< without what a mesh adds
  Index pointer_layer = kNone;     ///< the layer whose animations can be written as pointers
  std::vector<Material> variants;  ///< one for each of the scene, or none where they do not differ
  bool is_team_color = false;      ///< over the draw before it, as opaque as the mesh whatever its alpha is
};

/// What a mesh adds to its materials.
struct Tint {
  Vec3 color{1, 1, 1};  ///< as the game stores it
  float alpha = 1;
  /// kNone, or the mesh that needs materials of its own because its colour is animated by pointers.
  Index owner = kNone;
  friend bool operator<(const Tint& a, const Tint& b) {
    return std::tie(a.color, a.alpha, a.owner) < std::tie(b.color, b.alpha, b.owner);
  }
};

/// A glTF material that is animated by pointers.
struct AnimatedMaterial {
  Index material = kNone;  ///< of the document
  Index source = kNone;    ///< of the scene
  Index layer = kNone;
  Tint tint;
};

class Materials {
 public:
  Materials(const scene::Scene& scene, const GltfOptions& options, const Channels& channels,
            Pictures& pictures, Asset& document, Diagnostics& diagnostics)
      : scene_(scene),
        rich_(options.profile == GltfProfile::rich),
        channels_(channels),
        pictures_(pictures),
        document_(document),
        diagnostics_(diagnostics) {}

  /// At least one. An unknown material is plain white.
  const std::vector<Draw>& draws(Index material);
  /// The document's material for a pass of a material on a mesh.
  Index add(Index material, std::size_t draw, const Tint& tint);
  /// The variants of a material that `add` returned.
  [[nodiscard]] std::vector<Index> variants_of(Index material) const {
    const auto found = variants_.find(material);
    return found == variants_.end() ? std::vector<Index>() : found->second;
  }
  [[nodiscard]] const std::vector<AnimatedMaterial>& animated() const { return animated_; }

 private:
  [[nodiscard]] std::vector<Draw> make_draws(Index material);
  [[nodiscard]] Value surface_of(const Material& material) const;
  Index push(Material result, const std::string& name, Index known, const Draw& source, const Tint& tint);

  const scene::Scene& scene_;
  bool rich_;
  const Channels& channels_;
  Pictures& pictures_;
  Asset& document_;
  Diagnostics& diagnostics_;
  scene::UniqueNames names_;
  std::map<Index, std::vector<Draw>> draws_;
  std::map<std::tuple<Index, std::size_t, Tint>, Index> added_;
  std::map<Index, std::vector<Index>> variants_;  ///< by material of the document
  std::vector<AnimatedMaterial> animated_;
};

/// The nearest that glTF can say. Exact unless a rotation meets different scales of U and V.
TextureTransform to_texture_transform(const scene::UvTransform& transform);

}  // namespace thaw::gltf
