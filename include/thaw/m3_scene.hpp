// M3 models as scenes, and back. See m3.md#conversion.
#pragma once

#include <thaw/diagnostics.hpp>
#include <thaw/m3.hpp>
#include <thaw/scene.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#pragma GCC visibility push(default)

namespace thaw::m3 {

/// What `to_scene` leaves open: unit, level of detail, collision mesh, names of textures.
struct SceneOptions {
  /// Metres per unit of the game, above 0. One unit is a yard; what is usual is to leave it at 1.
  float scale = 1;
  /// Level of detail, 0 being the finest; none: all of them, each as nodes of their own that Node::lods of
  /// the finest name.
  std::optional<std::uint32_t> lod = 0;
  /// Also the collision mesh, as a mesh of its own.
  bool collision = false;
  /// The game path of a FileDataID; empty or not set: "<id>.blp".
  std::function<std::string(std::uint32_t)> path_of;
};

/// One mesh per geoset, named as it is, with all UV sets, tangents and the first colours; Z up becomes Y up.
/// Materials are those of M3SI: the blend mode, and of the textures the last sampler's (m3.md#materials); all
/// samplers and uniforms are kept as extras. Where the bytes decide how weights and bind poses lie
/// (m3.md#weights) the meshes are skinned to bones without a hierarchy, else weights are kept as extras. M3XF
/// is applied. Triangles that face against their normals are turned around (m3.winding). Broken parts are
/// left out with a finding; numbers that are not finite become 0.
scene::Scene to_scene(const Document& document, std::string_view name, const SceneOptions& options = {},
                      Diagnostics& diagnostics = Diagnostics::unwanted());

// --- the way back

/// What `from_scene` leaves open: unit and mesh version.
struct FromSceneOptions {
  /// Metres per unit of the game, above 0.
  float scale = 1;
  /// Mesh version (M3VR) to write: 2, 3 or 4. With 4, material instances are of version 4, too.
  std::uint32_t version = 3;
  /// As ReadOptions::control.
  const Control* control = nullptr;
};

/// A static model. Each part of a mesh with a material of its own becomes a geoset; Node::lods, or else names
/// that end in `_lod1` and so on, tell the level. A level without a geoset that a finer one has gets an empty
/// one, because all levels have equally many. A mesh called "collision", or on a node of kind collision,
/// becomes M3CL. Materials that came from M3 get their instances back from the extras; others become
/// instances without library and textures (scene.approximated). Skins, animations and morph targets are left
/// out (scene.approximated). Errors: write.unsupported for a scene without triangles, more than 67,108,864
/// indices, or another version; limit.stopped.
Result<Document> from_scene(const scene::Scene& scene, const FromSceneOptions& options = {},
                            Diagnostics& diagnostics = Diagnostics::unwanted());

}  // namespace thaw::m3

#pragma GCC visibility pop
