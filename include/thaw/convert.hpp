// Conversions exactly as `thaw convert` does them: models to glTF and back, textures, other versions and
// formats, tiles of maps. A plan names every output before the first one is made. <thaw/world.hpp> joins
// maps.
#pragma once

#include <thaw/bytes.hpp>
#include <thaw/format.hpp>
#include <thaw/gltf.hpp>
#include <thaw/image.hpp>
#include <thaw/load.hpp>
#include <thaw/mdl.hpp>
#include <thaw/render.hpp>
#include <thaw/sources.hpp>
#include <thaw/world.hpp>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)

namespace thaw {

/// How models and animations of games are written.
struct ModelOptions {
  /// Of the file; none: that of the original or of the model that the scene was made of, else the format's
  /// usual.
  std::optional<std::uint32_t> version;
  bool weights = false;  ///< mdx::ConversionOptions::weights
  /// What curves may be off, as a share of the model's size and in radians; none: what is usual.
  std::optional<float> tolerance;
  std::optional<bool> hd;         ///< materials of HD for all, or for none; none: as the scene has them
  bool bare = false;              ///< nothing is added that the game expects, such as Stand and Death
  std::string texture_path;       ///< folder of the game that textures come to lie in
  std::optional<GltfAxis> front;  ///< of glTF: GltfReadOptions::front
  std::size_t levels = 0;         ///< coarser levels of detail to make, at most 9
  /// From HD to version 800 with pictures of its own (make_classic): the version has to be 800.
  bool classic = false;
  float rate = 0;             ///< Hz, as mrn::FromSceneOptions
  mrn::BoneNames bone_names;  ///< the same
  /// The model that a glTF file was made of: parts that were not edited stay as they are in it. Of buildings
  /// of version 17 with all groups, as read_original gives it.
  std::shared_ptr<const AnyDocument> onto;
  std::string onto_name;  ///< what its file is called, after which its animation is
};

/// How textures are written.
struct TextureOptions {
  EncodeOptions encode;
  int png_level = 6;               ///< 1 (fast) to 12; also of pictures in glTF
  std::uint32_t longest_side = 0;  ///< as `fitted`
  bool disabled = false;           ///< as the game draws icons of what cannot be used (disabled_icon)
};

/// What is made of maps of World of Warcraft's alpha.
struct MapOptions {
  wdt::TileRange tiles;  ///< those that are taken
  bool by_tile = false;  ///< an output of each tile, and not one of all
  /// Of glTF: unit, content and ground. Its textures and models come from the sources.
  world::SceneOptions scene;
  world::GroundLight light;                    ///< of minimaps
  std::uint32_t picture_size = 256;            ///< pixels a side of a minimap's tile, a multiple of 16
  std::uint32_t grid = world::kGrids.front();  ///< samples a side of a heightmap's tile, of kGrids
  double metres = world::kMetresPerYard;       ///< per yard, of heightmaps
  std::optional<std::pair<float, float>>
      height_range;  ///< yards of black and white; none: lowest and highest
};

/// What is made of a file, and how. Members about what is not in it do nothing.
struct ConvertOptions {
  /// What of a file becomes its scene. Its `read` is how everything is read; limits and control hold for the
  /// whole conversion, also where other options have a control of their own.
  OpenSceneOptions scene;
  bool bake_loops = false;  ///< loops alongside all animations become part of each (scene::bake_loops)
  GltfOptions gltf;         ///< but for what the target says: binary, embedded pictures, name
  ModelOptions model;
  TextureOptions texture;
  mdl::WriteOptions text;
  MapOptions map;
};

/// A file to convert.
struct ConvertInput {
  ByteView bytes;
  /// What it is called, with its extension: the names of clips and of files that belong to it follow from
  /// that.
  std::string name;
  /// The bytes as a document, where somebody read them already.
  const AnyDocument* document = nullptr;
  /// Of `plan`: where a map lies, of which one tile at a time is read; null: in `bytes`.
  std::shared_ptr<const Storage> storage = nullptr;
};

/// What it shall become.
struct ConvertTarget {
  /// "glb", "mdx", "png": a word of Format::converts_to.
  std::string_view word;
  /// Of the output, without a folder; empty: the input's with the extension of the target.
  std::string file_name;
  bool alone = false;  ///< no file can lie next to it: it goes into a pipe
  /// Outputs of other files lie next to it: all pictures are named after their model, and not only those that
  /// have no name of their own ("Image_0").
  bool among_others = false;
};

/// What a word of Format::converts_to stands for.
struct TargetInfo {
  std::string_view word;
  /// For people, all that is made alike: "textures to .blp", of glTF "animations"; empty: the extension says
  /// it.
  std::string_view label;
  std::string_view extension;   ///< with its dot; empty: what is made is not known by one
  bool has_sidecars = false;    ///< other files may lie next to it
  bool of_scenes = false;       ///< any glTF file becomes it
  bool of_maps = false;         ///< one map becomes many, or many files become one map
  bool needs_skeleton = false;  ///< only for the skeleton of OpenSceneOptions::network
};
/// Those with an extension, glTF first; each may be said of some source.
std::span<const TargetInfo> convert_targets();
/// Null for other words.
const TargetInfo* find_target(std::string_view word);
/// What files of a format become with a word; none if they do not.
std::optional<TargetInfo> find_target(Format from, std::string_view word);

/// Why nothing is made of a document that reads: what it needs and lacks, such as the buffers of a glTF
/// file. Files next to it are searched if there are `sources`. None where all is well.
std::optional<Error> refusal_of(const AnyDocument& document, const Sources* sources = nullptr);

/// The file that edits are to be put into (ModelOptions::onto), with the groups of a building of version 17,
/// which lie next to it (`adjacent`). Errors: those of read_any.
Result<AnyDocument> read_original(ByteView bytes, const std::string& name, const Sources& adjacent,
                                  const ReadOptions& options = {},
                                  Diagnostics& diagnostics = Diagnostics::discarded());

/// An output before it is made.
struct PlannedOutput {
  std::string file_name;                 ///< without a folder
  std::vector<wdt::TilePosition> tiles;  ///< of a map, that it shows
  bool more_sidecars = false;            ///< which files lie next to it is known only after making it
  bool last = false;                     ///< to be made when all others are there
};

/// What a file becomes: every output by its name, made one at a time, so that memory does not grow with their
/// number. Outputs may be made in any order and by several threads at once.
class ConvertPlan {
 public:
  ConvertPlan() = default;
  ConvertPlan(const ConvertPlan&) = delete;
  ConvertPlan(ConvertPlan&&) = delete;
  ConvertPlan& operator=(const ConvertPlan&) = delete;
  ConvertPlan& operator=(ConvertPlan&&) = delete;
  virtual ~ConvertPlan() = default;

  /// All outputs, in the order of their tiles.
  [[nodiscard]] const std::vector<PlannedOutput>& outputs() const { return outputs_; }
  /// The files that are known to lie next to an output of that name.
  [[nodiscard]] virtual std::vector<std::string> sidecars(std::size_t output,
                                                          std::string_view file_name) const;
  /// Makes an output, called `file_name` or, if that is empty, as planned. Errors: as `convert`, and those of
  /// reading tiles.
  virtual Result<Outputs> make(std::size_t output, std::string_view file_name = {},
                               const Control* control = nullptr,
                               Diagnostics& diagnostics = Diagnostics::discarded()) const = 0;

 protected:
  /// Adds one.
  void plan_output(PlannedOutput output) { outputs_.push_back(std::move(output)); }

 private:
  std::vector<PlannedOutput> outputs_;
};

/// Names all that `convert` or, of a map, MapOptions::by_tile makes of a file. `input` and `sources` must
/// outlive the plan, maps in `storage` excepted. ReadOptions::control is for planning alone. Errors:
/// format.unsupported, world.no-tile, those of reading a map's own part.
Result<std::unique_ptr<const ConvertPlan>> plan(const ConvertInput& input, const ConvertTarget& target,
                                                const ConvertOptions& options, const Sources& sources,
                                                Diagnostics& diagnostics = Diagnostics::discarded());

/// Makes one output of one file; what the input names is looked for in `sources`. Same input, same bytes.
/// Losses are findings (scene.lost, scene.changed, convert.*); with ReadOptions::strict the first of a glTF
/// file is the error. Errors: format.unsupported where the file does not become that, those of reading it, of
/// open_scene, of write_gltf and of the formats' writers (write.unsupported), input.unreadable for a
/// replaceable texture that is nowhere, limit.stopped.
Result<Outputs> convert(const ConvertInput& input, const ConvertTarget& requested,
                        const ConvertOptions& options, const Sources& sources,
                        Diagnostics& diagnostics = Diagnostics::discarded());

/// Writes all files into a folder that is there, under their names. Errors: write.exists for the first that
/// is there, before anything is written, and write.failed.
Result<void> write_outputs(const Outputs& outputs, const std::filesystem::path& folder,
                           Overwrite overwrite = Overwrite::no);

/// Reads a file, converts it to what the extension of `to` says, and writes that and the files next to it.
/// What the input names is looked for as model_sources does. Errors are those above, input.unreadable,
/// write.exists for the first file that is there, before anything is written, and write.failed.
Result<Outputs> convert(const std::filesystem::path& from, const std::filesystem::path& to,
                        const ConvertOptions& options = {},
                        Diagnostics& diagnostics = Diagnostics::discarded(),
                        Overwrite overwrite = Overwrite::no);

// --- options by their names on the command line, with values as text: for bindings, settings files and pages

/// An option that has a name.
struct NamedOption {
  std::string_view name;    ///< without dashes: "team-color"
  std::string_view values;  ///< "on|off", "1 to 12", "above 0", "compat|rich|blender", "text"
};

/// The options of conversions and of scenes, sorted by name.
std::span<const NamedOption> convert_option_names();
/// Sets one of them. Errors: option.value for a name that none has and a value that it cannot have; the
/// message begins with the name.
Result<void> set_option(ConvertOptions& options, std::string_view name, std::string_view value);

/// The options of pictures, sorted by name.
std::span<const NamedOption> shot_option_names();
/// The same for a picture. A fog without a colour has that of the background as it is then.
Result<void> set_option(Shot& shot, std::string_view name, std::string_view value);

}  // namespace thaw

#pragma GCC visibility pop
