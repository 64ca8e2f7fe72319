#include "cli/convert/options.hpp"

#include <thaw/codes.hpp>
#include <thaw/convert.hpp>

#include "bytes/number_text.hpp"
#include "bytes/text.hpp"
#include "cli/inputs/distinct.hpp"
#include "cli/inputs/replaceables.hpp"
#include "cli/inputs/world_input.hpp"
#include "cli/jobs/targets.hpp"
#include "cli/platform/job_control.hpp"
#include "cli/report/console.hpp"
#include "cli/report/report.hpp"
#include "cli/report/text.hpp"

#include <algorithm>

namespace thaw::cli {
namespace {

namespace fs = std::filesystem;

// --- clips, skeletons, animations

/// --skeleton FILE[:NAME].
struct SkeletonChoice {
  std::string file;
  std::string name;
};

SkeletonChoice parse_skeleton(const std::string& text) {
  std::error_code error;
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos || fs::is_regular_file(text, error)) {
    return {text, ""};
  }
  return {text.substr(0, colon), text.substr(colon + 1)};
}

/// Whether --skeleton names a file: for an animation always, for a model that is to stand on one, and for
/// animations that are made of glTF.
bool takes_network(const ConversionInput& work) {
  const auto format = work.content.identity.format;
  const bool requested = !work.settings.skeleton.empty() || !work.settings.animations.empty() ||
                         work.settings.root_motion == "off";
  if (format.is_interchange()) {
    return work.target == "nsa" || (work.target == "mrn" && !work.settings.skeleton.empty());
  }
  return format == "nsa" || (format == "dme" && requested);
}

Result<std::shared_ptr<const mrn::Document>> read_network(const std::string& file,
                                                          const ConversionInput& work) {
  if (file.empty()) {
    return fail(
        codes::kMrnSkeleton,
        "An animation file contains no skeleton. Name one with --skeleton FILE.mrn or FILE.mrn:NAME.");
  }
  const auto content = load(named_input(file, work.settings), work.settings);
  if (!content) {
    return tl::unexpected<Error>(error_in(file, content.error()));
  }
  if (!mrn::layout_of(content->bytes)) {
    return fail(codes::kFormatForeign, concat({file, ": ", content->identity.explanation,
                                               "; --skeleton needs an animation network (MRN)"}));
  }
  return mrn::read(content->bytes, read_options(work.settings), work.findings)
      .map([](mrn::Document&& network) { return std::make_shared<const mrn::Document>(std::move(network)); })
      .map_error([&](Error error) { return error_in(file, std::move(error)); });
}

/// --skeleton.
Result<void> choose_skeleton(const ConversionInput& work, OpenSceneOptions& request) {
  if (!takes_network(work)) {
    request.skeleton = work.settings.skeleton;
    return {};
  }
  const SkeletonChoice choice = parse_skeleton(work.settings.skeleton);
  request.skeleton = choice.name;
  return read_network(choice.file, work).map([&](std::shared_ptr<const mrn::Document>&& network) {
    request.network = std::move(network);
  });
}

/// --animation.
Result<void> read_animations(const ConversionInput& work, OpenSceneOptions& request) {
  for (const std::string& file : work.settings.animations) {
    auto content = load(named_input(file, work.settings), work.settings);
    auto animation = content ? nsa::read(content->bytes, read_options(work.settings), work.findings)
                             : tl::unexpected<Error>(std::move(content.error()));
    if (animation && content->identity.format != "nsa") {
      animation =
          fail(codes::kFormatForeign,
               concat({content->identity.explanation, "; --animation needs an animation file (NSA)"}));
    }
    if (!animation) {
      return fail(animation.error().code, concat({file, ": ", animation.error().message}));
    }
    request.animations.push_back(
        {fs::path(file).stem().string(), std::make_shared<const nsa::Document>(std::move(*animation))});
  }
  return {};
}

/// --bone-map: a file, or a program whose names are known.
Result<void> read_bone_names(const Settings& settings, mrn::BoneNames& names) {
  const std::string& named = settings.scene_bone_map;
  std::error_code error;
  if (named.empty()) {
    return {};
  }
  if (auto known = fs::exists(named, error) ? std::nullopt : mrn::known_bone_map(named)) {
    names = std::move(*known);
    return {};
  }
  auto bytes = read_file(named, read_options(settings).limits);
  auto read = bytes ? mrn::read_bone_map(as_text(*bytes)) : tl::unexpected<Error>(std::move(bytes.error()));
  if (!read) {
    return tl::unexpected<Error>(error_in(concat({"--bone-map ", named}), std::move(read.error())));
  }
  names = std::move(*read);
  return {};
}

// --- scenes

/// The input's path below its folder, without the archive that it may be in.
std::string relative_name(const ConversionInput& work) {
  const auto& named = work.input.relative.empty() ? work.input.path : work.input.relative;
  return (work.input.name == "-" ? work.output : named).filename().generic_string();
}

/// The game's name of the file: a member's, or the last part of a path.
std::string game_path(const ConversionInput& work) {
  const auto* member = work.input.member.get();
  return member != nullptr ? normalize_game_path(member->entry.name) : relative_name(work);
}

/// --materials.
Result<void> read_library(const ConversionInput& work, OpenSceneOptions& request) {
  const std::string& file = work.settings.materials;
  if (file.empty()) {
    return {};
  }
  auto content = load(named_input(file, work.settings), work.settings);
  auto library = content ? materials::read_library({std::move(content->bytes)})
                         : tl::unexpected<Error>(std::move(content.error()));
  if (!library) {
    return tl::unexpected<Error>(error_in(file, std::move(library.error())));
  }
  request.library = std::make_shared<const materials::Library>(std::move(*library));
  return {};
}

std::vector<wdt::TilePosition> requested_tiles(const MapSettings& settings) {
  constexpr std::uint8_t kSide = 64;
  std::vector<wdt::TilePosition> tiles;
  const auto range = settings.tiles.empty() ? std::nullopt : parse_tiles(settings.tiles);
  for (std::uint8_t y = 0; y < kSide; ++y) {
    for (std::uint8_t x = 0; x < kSide; ++x) {
      if (range && range->holds(x, y)) {
        tiles.push_back({x, y});
      }
    }
  }
  return tiles;
}

template <class Number>
std::optional<float> as_float(const std::optional<Number>& value) {
  return value ? std::optional(static_cast<float>(*value)) : std::nullopt;
}

void say_what_to_show(const ConversionInput& work, OpenSceneOptions& request) {
  constexpr std::uint64_t kMostFrames = 1U << 16U;
  const Settings& settings = work.settings;
  request.tiles = requested_tiles(settings);
  request.doodad_set = settings.doodad_set;
  request.collision = settings.collision;
  request.swap_inheritance = settings.swap_inheritance;
  request.portals = settings.portals;
  request.lod = requested_lod(settings).value_or(std::optional<std::uint32_t>(0));
  request.bones = settings.bones;
  request.every =
      static_cast<std::uint32_t>(std::clamp<std::uint64_t>(settings.every.value_or(1), 1, kMostFrames));
  request.max_error = as_float(settings.max_error).value_or(request.max_error);
  if (work.target != "png" || work.content.identity.format.converts_to("png")) {
    ConvertOptions named;  // a picture is of one clip, which its command looks for
    static_cast<void>(set_option(named, "clip", settings.clip));
    request.clips.requested = std::move(named.scene.clips.requested);
  }
  request.clips.root_motion = settings.root_motion != "off";
}

OpenSceneOptions scene_options(const ConversionInput& work) {
  OpenSceneOptions request;
  request.path = game_path(work);
  request.name = work.output.stem().string();
  request.read = read_options(work.settings);
  request.max_scene_bytes = max_scene_bytes(work.settings);
  request.all_team_colors = work.settings.team_color == kAllTeamColors;
  request.team_color = requested_team_color(work.settings).value_or(scene::TeamColor{});
  request.replaceables = chosen_replaceables(work.settings).paths;
  request.adjacent = work.folders.files_next_to(work.input);
  request.path_of_id = [&folders = work.folders](std::uint32_t id) { return folders.file_ids().path_of(id); };
  request.scale = as_float(work.settings.scale);
  say_what_to_show(work, request);
  return request;
}

// --- models and pictures

/// --onto.
Result<void> read_original(const ConversionInput& work, ModelOptions& model) {
  const std::string& file = work.settings.onto;
  if (file.empty() || !work.content.identity.format.is_interchange()) {
    return {};
  }
  const auto content = load(named_input(file, work.settings), work.settings);
  if (!content) {
    return tl::unexpected<Error>(error_in(file, content.error()));
  }
  const fs::path path = file;
  Sources adjacent;
  adjacent.add_folder(path.has_parent_path() ? path.parent_path() : ".");
  return thaw::read_original(content->bytes, path.filename().string(), adjacent, read_options(work.settings),
                             work.findings)
      .map([&](AnyDocument&& original) {
        model.onto = std::make_shared<const AnyDocument>(std::move(original));
        model.onto_name = path.filename().string();
      })
      .map_error([&](Error error) { return error_in(file, std::move(error)); });
}

ModelOptions model_options(const Settings& settings) {
  constexpr std::uint64_t kLargestVersion = 0xFFFFFFFF;
  ConvertOptions named;
  if (!settings.front.empty()) {
    static_cast<void>(set_option(named, "front", settings.front));
  }
  ModelOptions model = std::move(named.model);
  if (settings.format_version) {
    model.version = static_cast<std::uint32_t>(std::min(*settings.format_version, kLargestVersion));
  }
  model.weights = settings.weights;
  model.tolerance = as_float(settings.tolerance);
  model.hd = settings.sd || settings.hd ? std::optional(settings.hd) : std::nullopt;
  model.bare = settings.bare;
  model.texture_path = settings.texture_path;
  model.levels = static_cast<std::size_t>(settings.new_levels.value_or(0));
  model.classic = settings.with_textures;
  model.rate = as_float(settings.sample_rate).value_or(0);
  return model;
}

TextureOptions texture_options(const TextureSettings& settings, bool disabled) {
  ConvertOptions named;
  static_cast<void>(set_option(named, "encoding", settings.encoding));
  if (settings.quality) {
    static_cast<void>(set_option(named, "quality", std::to_string(*settings.quality)));
  }
  TextureOptions& options = named.texture;
  options.encode.mipmaps = !settings.no_mipmaps;
  options.png_level = png_level(settings);
  options.longest_side = longest_side(settings);
  options.disabled = disabled;
  return options;
}

/// Buffers and pictures of glTF lie next to it; those of an original next to that.
Sources sources_next_to(const Input& input, const std::string& onto) {
  Sources result;
  if (!onto.empty()) {
    result.add_folder(fs::path(onto).has_parent_path() ? fs::path(onto).parent_path() : ".");
  }
  if (input.name != "-") {
    result.add_folder(input.path.has_parent_path() ? input.path.parent_path() : ".");
  }
  return result;
}

}  // namespace

Result<ConvertOptions> options_of(const ConversionInput& work) {
  const Settings& settings = work.settings;
  ConvertOptions options;
  options.scene = scene_options(work);
  options.bake_loops = settings.bake_global;
  options.gltf = written_gltf(settings);
  options.scene.keep_files = options.gltf.texture_format == GltfTextureFormat::keep;
  options.model = model_options(settings);
  options.texture = texture_options(settings, settings.disabled);
  options.text = text_options(settings);
  const auto read = read_library(work, options.scene)
                        .and_then([&] { return choose_skeleton(work, options.scene); })
                        .and_then([&] { return read_animations(work, options.scene); })
                        .and_then([&] { return read_bone_names(settings, options.model.bone_names); })
                        .and_then([&] { return read_original(work, options.model); });
  return read ? Result<ConvertOptions>(std::move(options)) : tl::unexpected<Error>(read.error());
}

Sources sources_of(const ConversionInput& work) {
  Sources sources = work.folders.for_model(work.input);
  if (auto files = chosen_replaceables(work.settings).files) {
    sources.add(std::move(files));
  }
  return sources;
}

Result<Product> convert_work(const ConversionInput& work) {
  return options_of(work).and_then([&](const ConvertOptions& options) {
    const Sources sources =
        is_gltf(work.content.identity) ? sources_next_to(work.input, work.settings.onto) : sources_of(work);
    auto converted = convert({work.content.bytes, relative_name(work)},
                             {work.target, work.output.filename().string(), goes_to_stdout(work.settings),
                              is_batch(work.settings)},
                             options, sources, work.findings);
    report_outside(work.input, sources, work.findings);
    return std::move(converted).map([](Outputs&& outputs) {
      Product product;
      static_cast<Outputs&>(product) = std::move(outputs);
      return product;
    });
  });
}

std::uint64_t max_scene_bytes(const InputSettings& settings) {
  return settings.max_scene.value_or(OpenSceneOptions().max_scene_bytes);
}

tl::expected<std::optional<std::uint32_t>, std::string> requested_lod(const SceneSettings& settings) {
  if (settings.lod == "all") {
    return std::optional<std::uint32_t>();
  }
  const auto level = parse_whole(settings.lod);
  if (!level) {
    return tl::unexpected<std::string>(
        concat({"--lod ", settings.lod, ": expected a level (0 is the finest) or `all`"}));
  }
  return level;
}

GltfOptions written_gltf(const SceneSettings& settings) {
  ConvertOptions named;
  static_cast<void>(set_option(named, "profile", settings.profile));
  static_cast<void>(set_option(named, "extras", settings.gltf_extras));
  static_cast<void>(set_option(named, "compress", settings.compress));
  static_cast<void>(set_option(named, "animations", settings.animation_files));
  static_cast<void>(set_option(named, "texture-format", settings.texture_format));
  named.gltf.quantize = settings.quantize;
  named.gltf.instances = settings.instances;
  return named.gltf;
}

GltfReadOptions gltf_options(const Input& input, const Settings& settings) {
  GltfReadOptions options;
  options.limits = read_options(settings).limits;
  options.control = current_control();
  if (input.name != "-") {
    const fs::path parent = input.path.parent_path();
    const auto folder = open_folder(parent.empty() ? "." : parent);
    options.open = [folder](std::string_view uri) -> Result<Bytes> {
      if (auto bytes = folder->read_as(normalize_game_path(uri), FileKind::data)) {
        return std::move(*bytes);
      }
      return fail(codes::kGltfReference, concat({uri, " is missing, or outside the file's folder"}));
    };
  }
  return options;
}

mdl::WriteOptions text_options(const TextSettings& settings) {
  ConvertOptions named;
  static_cast<void>(set_option(named, "indent", settings.indent));
  static_cast<void>(set_option(named, "line-ending", settings.line_ending));
  static_cast<void>(set_option(named, "mdl-dialect", settings.mdl_dialect));
  named.text.precision = static_cast<unsigned>(settings.precision.value_or(0));
  named.text.plain = settings.plain;
  return named.text;
}

int png_level(const TextureSettings& settings) {
  return static_cast<int>(
      settings.png_level.value_or(static_cast<std::uint64_t>(TextureOptions().png_level)));
}

std::string check_clips(const SceneSettings& settings) {
  ConvertOptions named;
  return set_option(named, "clip", settings.clip)
             ? ""
             : concat({"--clip ", settings.clip, " is not a valid regular expression"});
}

std::string check_version(const FromSceneSettings& settings, std::string_view target) {
  const auto known = find_format(target).written_versions();
  const auto version = settings.format_version;
  if (!version || known.empty() || std::find(known.begin(), known.end(), *version) != known.end()) {
    return "";
  }
  std::string list;
  for (const auto each : known) {
    list += concat({list.empty() ? "" : ", ", std::to_string(each)});
  }
  return concat({"--format-version ", std::to_string(*version), ": expected one of ", list});
}

}  // namespace thaw::cli
