// From a document to a scene that can be shown or exported: with its pictures, with what it is made of
// besides (group files, materials, skeletons, morph models), and with the models that hang in it. Where those
// files are is the caller's: everything is looked for in `Sources`.
#pragma once

#include <thaw/adr_scene.hpp>
#include <thaw/format.hpp>
#include <thaw/frame.hpp>
#include <thaw/materials.hpp>
#include <thaw/mrn_scene.hpp>
#include <thaw/scene.hpp>
#include <thaw/sources.hpp>
#include <thaw/tile_position.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#pragma GCC visibility push(default)

namespace thaw {

/// What is not in the document. Every member may be left as it is.
struct OpenSceneOptions {
  /// The file as the sources know it, or its bare name. What belongs to a file by its name is found with it:
  /// group files of buildings, skins, pictures of M3.
  std::string path;
  /// Of the scene; empty: the stem of `path`.
  std::string name;
  /// Scene units per unit of the game, above 0; none: what is usual for the format.
  std::optional<float> scale;
  ReadOptions read;
  /// Bytes that the scene may take besides its pictures, the models within it included: one that takes more
  /// is an error (limit.scene).
  std::uint64_t max_scene_bytes = std::uint64_t{1} << 30U;

  scene::TeamColor team_color;
  bool all_team_colors = false;  ///< as scene::ImageOptions, as keep_files
  bool keep_files = false;
  /// As scene::ImageOptions; they come before what the format knows of its own.
  std::vector<std::pair<std::uint32_t, std::string>> replaceables;
  /// Files in the model's own folder, by names that the sources know: among them are the skins of a model of
  /// World of Warcraft's alpha (mdx_alpha::skins_beside).
  std::vector<std::string> beside;
  /// Also pictures that nothing but an emitter names; glTF has no use for them.
  bool emitter_pictures = false;
  std::uint32_t longest_side = 0;  ///< of pictures, as scene::ImageOptions

  std::string doodad_set;         ///< of buildings, as wmo::SceneOptions
  bool collision = false;         ///< of buildings and M3
  bool swap_inheritance = false;  ///< of models (MDX, MDL), as mdx::SceneOptions::swap_inheritance_flags
  bool portals = false;           ///< of buildings
  /// Level of detail of M3 and actors, 0 being the finest; none: all.
  std::optional<std::uint32_t> lod = 0;
  /// The game path of a FileDataID; empty or not set: M3 pictures go by `<model>_<id>.blp` or `<id>.blp`.
  std::function<std::string(std::uint32_t)> path_of_id;

  std::uint32_t every = 1;  ///< of morph models, as mrf::SceneOptions
  float max_error = -1;     ///< of morph models, in units of the game; negative: keep all frames

  /// How vertices of DME lie; null: `materials_3.xml` of the sources, if it is there.
  std::shared_ptr<const materials::Library> library;
  std::shared_ptr<const mrn::Document> network;  ///< of an animation that is a file of its own, or a model
  std::vector<mrn::LooseAnimation> animations;   ///< that play on the skeleton, besides the network's
  std::string skeleton;                          ///< as mrn::find_skeleton
  mrn::ClipOptions clips;
  bool bones = false;  ///< a skeleton without a character gets shapes

  /// Of a map; empty: the first that is there, or to convert all of them. Others than those that are there
  /// are ignored.
  std::vector<wdt::TilePosition> tiles;
};

/// A scene with everything that belongs to it.
struct OpenedScene {
  scene::Scene scene;
  std::size_t morphs = 0;  ///< morph models of events that were added
};

/// The picture of a FileDataID, by which M3 models know theirs, under the names that it goes by: what
/// `path_of_id` says, `<model>_<id>.blp` as unnamed files are called, or `<id>.blp`. The first that is there,
/// else the first that is more than a number.
std::string picture_of_id(const Sources& sources, const OpenSceneOptions& request, std::uint32_t id);

/// The scene of any document that has one, without pictures of its own (those of models within it are there,
/// and so are those that are made of several files). Errors: format.unsupported for documents that are no
/// models, limit.pixels, limit.scene, limit.stopped, mrn.skeleton for an animation without a network,
/// wmo.doodad-set, and what a broken file of materials says.
Result<scene::Scene> bare_scene(const AnyDocument& document, const Sources& sources,
                                const OpenSceneOptions& request,
                                Diagnostics& diagnostics = Diagnostics::unwanted());

/// Adds morph models that events show (scene.reference for those that no source has) and all pictures.
/// Returns how many morph models there were. For scenes that come from elsewhere, as from glTF. Errors:
/// limit.pixels, limit.scene, limit.stopped.
Result<std::size_t> resolve_dependencies(scene::Scene& scene, const Sources& sources,
                                         const OpenSceneOptions& request,
                                         Diagnostics& diagnostics = Diagnostics::unwanted());

/// Reports pictures in OpenSceneOptions::replaceables whose id no texture of the scene has (option.effect).
/// Errors: input.unreadable for one that is in no source.
Result<void> check_replaceables(const scene::Scene& scene, const Sources& sources,
                                const OpenSceneOptions& request,
                                Diagnostics& diagnostics = Diagnostics::unwanted());

/// As `bare_scene` and then `resolve_dependencies`, with the skins that are among OpenSceneOptions::beside.
/// Errors are those of both.
Result<OpenedScene> open_scene(const AnyDocument& document, const Sources& sources,
                               const OpenSceneOptions& asked,
                               Diagnostics& diagnostics = Diagnostics::unwanted());

/// The models that hang at a scene's nodes or that its emitters throw, and those that hang in them: what
/// frame::Evaluator takes. Those that no source has are left out; at most 64 come. Errors: limit.pixels (the
/// scene's own pictures count, too), limit.stopped.
Result<std::vector<frame::NamedModel>> models_within(const scene::Scene& scene, const Sources& sources,
                                                     const OpenSceneOptions& request);

}  // namespace thaw

#pragma GCC visibility pop
