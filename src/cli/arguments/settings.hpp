// Settings of the command line, in groups: a function takes those that it reads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace thaw::cli {

/// How a run ends. Documented in docs/user/command.md and `thaw help exit-codes`.
enum Exit : std::uint8_t {
  kOk = 0,
  kDifferent = 1,   ///< a check failed or differences were found
  kUsage = 2,       ///< the command line is wrong
  kUnreadable = 3,  ///< an input cannot be read, is of no known format, or is broken
  kUnwritable = 4,  ///< an output cannot be written
  kPartly = 5,      ///< a batch ended with some failures
  kRefused = 6,     ///< a limit forbids it
  kBug = 70,        ///< an error in thaw itself
  kInterrupted = 130,
};

// Members stand in the order of the help, which costs a few bytes of padding.
// NOLINTBEGIN(clang-analyzer-optin.performance.Padding)

/// Of every run: what it is about, how it is reported, how it ends.
struct RunSettings {
  std::string command;
  std::vector<std::string> inputs;
  /// Long names of the options on the command line, in the order of the help.
  std::vector<std::string_view> given;
  [[nodiscard]] bool is_given(std::string_view option) const {
    return std::find(given.begin(), given.end(), option) != given.end();
  }
  bool help = false;
  bool json = false;
  bool quiet = false;
  bool verbose = false;
  std::string color = "auto";
  std::string progress = "auto";
  std::optional<std::uint64_t> max_memory;
  std::optional<double> timeout;
  bool isolate = false;
};

/// Which files are read, and how.
struct InputSettings {
  bool strict = false;
  std::string code_page = "auto";
  std::optional<std::uint64_t> max_input;
  std::optional<std::uint64_t> max_pixels;
  std::optional<std::uint64_t> max_scene;
  bool recursive = false;
  bool into_archives = false;
  std::vector<std::string> include;
  std::vector<std::string> exclude;
  std::string files_from;
  std::optional<std::vector<std::string>> listed;  ///< what stands in that, once it was read
  bool null_separated = false;
  std::string shard;
};

/// Of jobs that write files.
struct BatchSettings {
  std::string output;
  std::string to;
  bool flat = false;
  bool force = false;
  bool skip_existing = false;
  bool dry_run = false;
  std::optional<std::uint64_t> jobs;
  bool fail_fast = false;
  std::optional<std::uint64_t> max_output;
};

/// Where the files are that others name.
struct SourceSettings {
  std::vector<std::string> sources;
  std::vector<std::string> listfiles;
  std::vector<std::string> variants;
  bool no_default_sources = false;
};

/// What of a file becomes its scene, and glTF.
struct SceneSettings {
  std::string profile = "compat";
  std::string gltf_extras = "full";
  bool quantize = false;
  bool instances = false;
  std::string compress = "none";
  std::string animation_files = "together";
  std::string texture_format = "png";
  std::optional<double> scale;
  std::string lod = "0";
  std::optional<std::uint64_t> new_levels;
  std::string doodad_set;
  bool collision = false;
  bool swap_inheritance = false;
  bool portals = false;
  std::string team_color;
  std::vector<std::string> replaceables;
  std::optional<std::uint64_t> every;
  std::optional<double> max_error;
  std::string materials;
  std::string skeleton;
  std::vector<std::string> animations;
  std::string root_motion = "on";
  bool bones = false;
  std::string clip;
  bool bake_global = false;
};

/// Of models that are made of scenes, and of other versions.
struct FromSceneSettings {
  std::optional<std::uint64_t> format_version;
  bool weights = false;
  std::optional<double> tolerance;
  bool sd = false;
  bool hd = false;
  bool bare = false;
  std::string texture_path;
  std::string front;
  std::string onto;
  bool with_textures = false;
  std::optional<double> sample_rate;
  std::string scene_bone_map;
};

/// What `edit` changes.
struct EditSettings {
  std::vector<std::string> renamed_sequences;
  std::vector<std::string> repaths;
  std::vector<std::string> removals;
  std::vector<std::string> rotations;
  std::string move;
  std::vector<std::string> added_attachments;
  std::vector<std::string> team_color_layers;
  std::vector<std::string> copied_clips;
  std::vector<std::string> bone_map;
  std::vector<std::string> attached;
  bool optimize = false;
  bool disabled = false;
};

/// Which steps `optimize` goes.
struct OptimizeSettings {
  std::vector<std::string> only_steps;
  std::vector<std::string> skip_steps;
};

/// How pictures are stored.
struct TextureSettings {
  std::optional<std::uint64_t> png_level;
  std::string encoding = "auto";
  std::optional<std::uint64_t> quality;
  std::optional<std::uint64_t> max_side;
  bool no_mipmaps = false;
};

/// How models are written as text.
struct TextSettings {
  std::optional<std::uint64_t> precision;
  std::string indent = "tab";
  std::string line_ending = "lf";
  std::string mdl_dialect = "community";
  bool plain = false;
};

/// How archives are written.
struct ArchiveSettings {
  bool single_unit = false;
  bool checksums = false;
  bool store = false;
  std::optional<std::uint64_t> archive_version;
};

/// For the commands that look at fields and at what belongs together.
struct ShowSettings {
  std::string patch_file;
  bool paths = false;
  bool decoded = false;
  bool patch = false;
  std::string unused;
  std::string trust;
  std::string untrust;
  bool merge = false;
  std::string csv;
  std::string hash;
  std::optional<std::uint64_t> depth;
  std::optional<std::uint64_t> limit;
};

/// Of maps: their parts, ground, light, and what is seen from a place.
struct MapSettings {
  std::string tiles;
  std::string move_tiles;
  std::string chunks;
  std::string move_chunks;
  std::string layers;
  std::string terrain = "baked";
  std::optional<std::uint64_t> bake_size;
  std::optional<std::uint64_t> grid;
  std::string height_range;
  std::string lights;
  std::string time;
  std::optional<double> far_clip;
  std::string wdl;
  std::optional<double> storm;
  bool under_water = false;
  std::optional<double> texture_detail;
};

/// Of pictures of models.
struct PictureSettings {
  std::string picture_size;
  std::vector<std::string> thumb_sizes;
  std::string moment;
  std::string viewpoint;
  std::string eye;
  std::string look;
  std::string path;
  std::string fog;
  std::string background;
  std::string light = "studio";
  std::optional<std::uint64_t> samples;
  std::optional<std::uint64_t> seed;
  std::optional<std::uint64_t> frames;
  std::optional<std::uint64_t> fps;
  bool wireframe = false;
  bool extents = false;
  bool grid_lines = false;
  bool no_emitters = false;
  bool turntable = false;
  bool play = false;
  bool sheet = false;
  bool no_sheet = false;
};

/// Of the page.
struct ViewSettings {
  std::optional<std::uint64_t> port;
  bool no_browser = false;
};

/// Of `validate`.
struct ValidateSettings {
  std::string target = "hive";
  std::string kind = "auto";
  std::vector<std::string> ignore;
  std::vector<std::string> only;
  std::string fail_on = "severe";
  std::string report = "text";
  std::string fix;  ///< "safe" or "all"; empty: nothing is fixed
  bool list_rules = false;
  std::string explain;
  std::string manifest;
};

// NOLINTEND(clang-analyzer-optin.performance.Padding)

/// All of them: who reads one group takes that.
struct Settings : RunSettings,
                  InputSettings,
                  BatchSettings,
                  SourceSettings,
                  SceneSettings,
                  FromSceneSettings,
                  EditSettings,
                  OptimizeSettings,
                  TextureSettings,
                  TextSettings,
                  ArchiveSettings,
                  ShowSettings,
                  MapSettings,
                  PictureSettings,
                  ViewSettings,
                  ValidateSettings {};

}  // namespace thaw::cli
