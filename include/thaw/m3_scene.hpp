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
  /// Mesh version (M3VR) to write: 2, 3 or 4; none: that of the model that the scene was made of, else 3.
  /// With 4, material instances are of version 4, too.
  std::optional<std::uint32_t> version = std::nullopt;
  /// As ReadOptions::control.
  const Control* control = nullptr;
};

/// A model at rest, with the bones of all skins in one list. Each part of a mesh with a material of its own
/// becomes a geoset; Node::lods, or else names that end in `_lod1` and so on, tell the level. A level without
/// a geoset that a finer one has gets an empty one, because all levels have equally many. A mesh called
/// "collision", or on a node of kind collision, becomes M3CL. Of a scene that was made of an M3, in memory or
/// through a GLB of this library, instances, batches, M3XF, versions and streams without a place in scenes
/// come back from the extras, as far as they still fit; materials of others become an instance without
/// library for each layer (scene.approximated). Names and parents of bones, animations, morph targets and
/// what else the format has no place for are left out (scene.lost). Errors: write.unsupported for a scene
/// without triangles, more than 67,108,864 indices, more than 65,535 geosets or materials, or another
/// version; limit.stopped.
Result<Document> from_scene(const scene::Scene& scene, const FromSceneOptions& options = {},
                            Diagnostics& diagnostics = Diagnostics::unwanted());

}  // namespace thaw::m3

#pragma GCC visibility pop
