// A character from its actor: model, materials, textures, skeleton and animations in one scene
// (adr.md#assembly).
#pragma once

#include <thaw/adr.hpp>
#include <thaw/dme_scene.hpp>
#include <thaw/mrn_scene.hpp>
#include <thaw/scene.hpp>
#include <thaw/sources.hpp>

#include <string_view>

#pragma GCC visibility push(default)

namespace thaw::adr {

/// Which levels of detail become part of the scene.
struct LodChoice {
  bool all = false;     ///< all of them, the coarser ones as Node::lods
  std::size_t one = 0;  ///< else this one; 0 is the finest
};

/// Skeleton, clips and levels of detail of a character, and what its materials need.
struct SceneOptions {
  const materials::Library* library = nullptr;  ///< as dme::SceneOptions::library
  /// In place of the actor's own; as mrn::find_skeleton takes it.
  std::string skeleton;
  mrn::ClipOptions clips;
  std::vector<mrn::LooseAnimation> animations = {};  ///< as mrn::SceneOptions
  LodChoice lod;
  ReadOptions read;
};

/// Files are looked for in `sources` under the names in the actor. A network `X.mrn` may be there as
/// `XX64.mrn`, as later games have it. What is missing is told by adr.missing-file: without the materials'
/// own file the model's are taken, without the network there are neither hierarchy nor clips. The error is
/// that of the model.
Result<scene::Scene> to_scene(const Actor& actor, std::string_view name, const Sources& sources,
                              const SceneOptions& options = {},
                              Diagnostics& diagnostics = Diagnostics::unwanted());

}  // namespace thaw::adr

#pragma GCC visibility pop
