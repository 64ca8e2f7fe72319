// glTF 2.0 as a scene: what other programs make, on its way into a game's format.
#pragma once

#include <thaw/bytes.hpp>
#include <thaw/diagnostics.hpp>
#include <thaw/options.hpp>
#include <thaw/scene.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#pragma GCC visibility push(default)

namespace thaw {

/// An axis of a file.
enum class GltfAxis : std::uint8_t { x, y, z, minus_x, minus_y, minus_z };

/// Limits, where the files beside a .gltf come from, and what becomes of base colours.
struct GltfReadOptions {
  Limits limits;
  /// Where the model faces, if that is known better than from the file: by `asset.extras.thaw.front`, else +Z
  /// as glTF has it. The scene is turned so that it faces +Z; a file that faces +X becomes one of
  /// Axes::x_right.
  std::optional<GltfAxis> front;
  /// Gives the content of a file that a .gltf refers to by a relative URI, percent-decoded. Without it only
  /// what the file itself holds is read.
  std::function<Result<Bytes>(std::string_view uri)> open;
  /// Base colours of materials multiply the colours of vertices, which only they have in a scene. Primitives
  /// that share their vertices and differ in it have vertices of their own then.
  bool base_colors = true;
  /// Materials are read whole, not by their base colour alone: emission, normals, occlusion, roughness,
  /// metal, cutoffs and transforms of pictures; and so are lights and cameras without extras. Factors go into
  /// the pictures. What is left out then is told as gltf.unsupported.
  bool surfaces = false;
  /// As `surfaces`, and meshes get the materials that extras keep, with all their layers, textures and
  /// texture animations, and their own colour and opacity, in place of those that glTF shows; what write_gltf
  /// added so that viewers hide things goes. Materials without such extras stay glTF's own.
  bool kept_materials = false;
  /// With `kept_materials`: formats (Scene::source_format, separated by blanks) of the game for which the
  /// scene is read. Scenes of these name their textures as extras keep it. Those of other games, whose files
  /// that game does not have, get the pictures that the file shows, as far as it has them; layers that it
  /// shows as one become one. Empty: all keep their names.
  std::string names_of;
  /// As ReadOptions::control.
  const Control* control = nullptr;
};

/// Reads nodes with those that MSFT_lod names, meshes with all their vertex attributes that a scene has,
/// morph targets, skins, cameras' and lights' nodes, materials by name and base colour, and animations of
/// nodes and weights. A node that carries a mesh is followed by no other: each mesh of the scene has one
/// node, so a mesh that glTF uses twice comes twice. Pictures inside the file come as Texture::content.
/// Strips and fans become triangles; all sets of joints and weights are read; of materials what is beyond the
/// base colour is read with GltfReadOptions::surfaces alone. What write_gltf kept under extras.thaw becomes
/// fields again: of nodes, clips and materials what glTF does not say, and lights, cameras, attachments,
/// events, shapes, emitters and ribbons, with the channels, materials and textures of these
/// (docs/library/gltf.md says which). Extras stay beside as they stand.
///
/// Packed views (EXT_meshopt_compression) are unpacked; instances (EXT_mesh_gpu_instancing) become nodes.
///
/// A picture that cannot be read, and streams of lengths that do not fit, cost themselves (gltf.reference).
/// Errors: json.malformed, read.truncated for a GLB without JSON, input.too-large (also for an object of more
/// than 1,024 members outside of extras and extensions); gltf.required for an extension that the file needs
/// and that is not read; gltf.reference for a file without asset or from another major version, for what
/// names something that is not there (a buffer, an item, an element, a vertex), for nodes that are no trees,
/// for more copies than the file can hold, and with `surfaces` for meshes of which the scene shows nothing.
Result<scene::Scene> read_gltf(ByteView bytes, const GltfReadOptions& options = {},
                               Diagnostics& diagnostics = Diagnostics::unwanted());

}  // namespace thaw

#pragma GCC visibility pop
