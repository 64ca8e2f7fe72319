// Reads files into documents and writes them back; opens documents as scenes with everything they refer to.
// Most programs begin here.
#pragma once

#include <thaw/adr.hpp>
#include <thaw/dme.hpp>
#include <thaw/format.hpp>
#include <thaw/frame.hpp>
#include <thaw/materials.hpp>
#include <thaw/mdx.hpp>
#include <thaw/mrn.hpp>
#include <thaw/scene.hpp>
#include <thaw/sources.hpp>
#include <thaw/wdt.hpp>
#include <thaw/world.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#pragma GCC visibility push(default)

namespace thaw {

/// A document, and what was found while it was read.
struct Loaded {
  AnyDocument document;
  Diagnostics findings;
};

/// Reads a file of any format, determined by its content. Errors: input.unreadable, and those of `read_any`.
Result<Loaded> load(const std::filesystem::path& path, const ReadOptions& options = {});
/// The same of a file that is in memory.
Result<Loaded> load(ByteView bytes, const ReadOptions& options = {});

/// What `save` does where a file is.
enum class Overwrite : std::uint8_t { no, yes };

/// Writes a document's file, which is complete or not there. Errors: write.exists, write.failed.
Result<void> save(const AnyDocument& document, const std::filesystem::path& path,
                  Overwrite overwrite = Overwrite::no);

/// The same of a document of one format, as it was read or made: `thaw::save(model, "knight.mdx")`.
template <class Document>
Result<void> save(const Document& document, const std::filesystem::path& path,
                  Overwrite overwrite = Overwrite::no) {
  return save(AnyDocument(Identity{}, document), path, overwrite);
}

}  // namespace thaw

// --- a Forgelight actor as a scene: model, materials, textures, skeleton, animations (adr.md#assembly)

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
/// `XX64.mrn`, as later games have it. What is missing is reported (adr.missing-file): without the materials'
/// file the model's are taken, without the network there are neither hierarchy nor clips. The error is
/// that of the model.
Result<scene::Scene> to_scene(const Actor& actor, std::string_view name, const Sources& sources,
                              const SceneOptions& options = {},
                              Diagnostics& diagnostics = Diagnostics::discarded());

}  // namespace thaw::adr

// --- documents to scenes that can be shown or exported, with textures, group files, materials, skeletons,
// morph models and attached models, all of them found in `Sources`

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
  /// WoW Alpha (mdx_alpha::adjacent_skins).
  std::vector<std::string> adjacent;
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
                                Diagnostics& diagnostics = Diagnostics::discarded());

/// Adds morph models that events show (scene.reference for those that no source has) and all pictures.
/// Returns how many morph models there were. For scenes that come from elsewhere, as from glTF. Errors:
/// limit.pixels, limit.scene, limit.stopped.
Result<std::size_t> resolve_dependencies(scene::Scene& scene, const Sources& sources,
                                         const OpenSceneOptions& request,
                                         Diagnostics& diagnostics = Diagnostics::discarded());

/// Reports pictures in OpenSceneOptions::replaceables whose id no texture of the scene has (option.effect).
/// Errors: input.unreadable for one that is in no source.
Result<void> check_replaceables(const scene::Scene& scene, const Sources& sources,
                                const OpenSceneOptions& request,
                                Diagnostics& diagnostics = Diagnostics::discarded());

/// As `bare_scene` and then `resolve_dependencies`, with the skins among OpenSceneOptions::adjacent.
/// Errors are those of both.
Result<OpenedScene> open_scene(const AnyDocument& document, const Sources& sources,
                               const OpenSceneOptions& requested,
                               Diagnostics& diagnostics = Diagnostics::discarded());

/// The models that hang at a scene's nodes or that its emitters throw, and those that hang in them: what
/// frame::Evaluator takes. Those that no source has are left out; at most 64 come. Errors: limit.pixels (the
/// scene's own pictures count, too), limit.stopped.
Result<std::vector<frame::NamedModel>> models_within(const scene::Scene& scene, const Sources& sources,
                                                     const OpenSceneOptions& request);

// --- the files that a model refers to, and where they are

/// One file that another requests.
struct Dependency {
  /// What became of it.
  enum class State : std::uint8_t {
    found,
    missing,   ///< no source has it
    supplied,  ///< the game puts it there: team colours and the like
    unknown,   ///< the game's table that says which file it is, is in no source
  };

  std::string kind;  ///< "texture", "attached model", "sound"
  std::string path;  ///< as it is requested, UTF-8 with `/`; of events of unknown files the event's name
  std::string by;    ///< the requester: the model's path, or that of the model within it
  State state = State::missing;
  FileKind asset = FileKind::any;  ///< what it is requested for
  std::string name;                ///< as the sources know what was found
  std::string where;               ///< where that lies, as Source::place
  bool by_table =
      false;  ///< a table of the game requests it, not the model: its path cannot be changed there
};

/// The word for a state: "found", "missing", "supplied", "unknown".
std::string_view state_name(Dependency::State state);

/// Everything that a document needs and what the models within it need, each once, in the order of the
/// requests. Sounds, splats and spawned models of events are found by the game's tables (SLK) if the
/// sources have them (mdx.md#event-objects). A portrait is among them if it is there.
std::vector<Dependency> dependencies(const AnyDocument& document, const Sources& sources,
                                     const OpenSceneOptions& request);

namespace mdx {

/// Calls `each` with what kind of file a path of the model leads to, and with the path, which may be changed.
/// Empty ones are left out.
void for_each_path(Document& document,
                   const std::function<void(std::string_view kind, FixedText<260>& path)>& each);

}  // namespace mdx

// --- textures of a Reforged model for the classic game: BLP, team colour

/// The pictures of a model that was made one of version 800, and what became of them.
struct ClassicTextures {
  std::vector<std::pair<std::string, Bytes>> pictures;  ///< names and content
  std::size_t masks = 0;                                ///< pictures that show the colour of players through
  std::size_t unused = 0;            ///< textures and materials that nothing shows any more
  std::vector<std::string> missing;  ///< paths of pictures that no source has, or that do not decode
};

/// Finishes what `mdx::convert_version` made of `original`: materials and textures that nothing shows go,
/// pictures become BLP1 and paths say so, and where the picture of a physically based material has a mask for
/// the colour of players, that colour lies below it.
ClassicTextures make_classic(mdx::Document& converted, const mdx::Document& original, const Sources& sources);

// --- models and textures of map tiles, each opened once for all tiles within a memory limit

/// A model as it was opened: once for all scenes of a map.
struct MapModel {
  std::shared_ptr<const scene::Scene> scene;  ///< null: it is not there, or `failure`
  Diagnostics findings;
  std::optional<Error> failure;  ///< limit.pixels
};

/// What one scene of a map has in common: the findings about each of its models are reported once, and the
/// pictures of all its models are bounded together.
class MapSceneParts {
 public:
  /// Bounded by ReadOptions::limits, stopped by its control. `findings` must live as long.
  MapSceneParts(const ReadOptions& read, Diagnostics& findings);

  /// The scene of a model that becomes part of this one; null if there is none, or no room for its pictures.
  std::shared_ptr<const scene::Scene> take(const std::shared_ptr<const MapModel>& model,
                                           std::string_view name);
  [[nodiscard]] Diagnostics& findings() const { return findings_; }  ///< those of the scene
  [[nodiscard]] const ReadOptions& read() const { return read_; }    ///< how its files are read
  /// Why the scene is not complete, if so: limit.pixels.
  [[nodiscard]] const std::optional<Error>& failure() const { return failure_; }

 private:
  ReadOptions read_;
  Diagnostics& findings_;
  std::uint64_t pixel_bytes_ = 0;
  std::set<std::shared_ptr<const MapModel>> models_;
  std::optional<Error> failure_;
};

/// The models and pictures of one map. May be used by several threads at once, each with parts of its own.
class MapModels {
 public:
  /// Of the options count those of buildings and pictures: collision, portals, doodad_set, longest_side.
  MapModels(Sources sources, const OpenSceneOptions& options);
  /// Takes what the other has opened.
  MapModels(MapModels&&) noexcept;
  /// As the move constructor.
  MapModels& operator=(MapModels&&) noexcept;
  MapModels(const MapModels&) = delete;
  MapModels& operator=(const MapModels&) = delete;
  ~MapModels();

  // What follows refers to this and to `parts`, which must live as long as the result.

  /// Textures of the ground; one that is not there or does not decode is reported (texture.missing).
  [[nodiscard]] world::OpenTexture textures(MapSceneParts& parts) const;
  /// The client's pictures of liquids; a missing one is not reported, since no map names it.
  [[nodiscard]] world::OpenTexture liquid_textures(MapSceneParts& parts) const;
  /// Doodads and buildings, `scale` as world::SceneOptions.
  [[nodiscard]] world::OpenModel models(float scale, MapSceneParts& parts) const;
  /// Fog within buildings; one that is not there or does not read is reported (world.model-missing).
  [[nodiscard]] world::OpenFogs fogs(bool under_water, MapSceneParts& parts) const;
  /// These three, as members of the options of a scene of that map.
  void open_for(world::SceneOptions& options, MapSceneParts& parts) const;

  /// Where all is looked for.
  [[nodiscard]] const Sources& sources() const;

 private:
  struct Opened;
  std::unique_ptr<Opened> opened_;
};

}  // namespace thaw

#pragma GCC visibility pop
