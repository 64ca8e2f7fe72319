#include "cli/convert/exporters.hpp"

#include <thaw/gltf.hpp>

#include "bytes/number_text.hpp"
#include "cli/convert/convert_animation.hpp"
#include "cli/convert/convert_file.hpp"
#include "cli/convert/convert_gltf.hpp"
#include "cli/inputs/replaceables.hpp"
#include "cli/inputs/world_input.hpp"
#include "cli/platform/job_control.hpp"
#include "cli/report/console.hpp"
#include "cli/report/report.hpp"
#include "cli/report/text.hpp"
#include "scene/loops.hpp"

#include <algorithm>

namespace thaw::cli {
namespace {

/// The game's name of the file: a member's, or the last part of a path.
std::string game_path(const Work& work) {
  if (const auto* member = work.input.member.get()) {
    return normalize_game_path(member->entry.name);
  }
  const auto& named = work.input.relative.empty() ? work.input.path : work.input.relative;
  return (work.input.name == "-" ? work.output : named).filename().generic_string();
}

/// --materials.
Result<std::shared_ptr<const materials::Library>> named_library(const Work& work) {
  const std::string& file = work.settings.materials;
  if (file.empty()) {
    return nullptr;
  }
  auto content = load(named_input(file, work.settings), work.settings);
  auto library = content ? materials::read_library({std::move(content->bytes)})
                         : tl::unexpected<Error>(std::move(content.error()));
  if (!library) {
    library.error().message = concat({file, ": ", library.error().message});
    return tl::unexpected<Error>(std::move(library.error()));
  }
  return std::make_shared<const materials::Library>(std::move(*library));
}

/// --skeleton names a file: of an animation always, of a model where it is to stand on one.
bool takes_network(const Work& work) {
  const auto format = work.content.identity.format;
  const bool asked = !work.settings.skeleton.empty() || !work.settings.animations.empty() ||
                     work.settings.root_motion == "off";
  return format == "nsa" || (format == "dme" && asked);
}

/// The network of --skeleton, where the content needs one.
Result<std::shared_ptr<const mrn::Document>> named_network(const Work& work, const SkeletonChoice& choice) {
  if (!takes_network(work)) {
    return nullptr;
  }
  auto network = read_network(choice, work.settings, work.findings);
  if (!network) {
    return tl::unexpected<Error>(std::move(network.error()));
  }
  return std::make_shared<const mrn::Document>(std::move(*network));
}

/// --animation.
Result<void> read_animations(const Work& work, Asked& asked) {
  for (const std::string& file : work.settings.animations) {
    auto content = load(named_input(file, work.settings), work.settings);
    auto animation = content ? nsa::read(content->bytes, read_options(work.settings), work.findings)
                             : tl::unexpected<Error>(std::move(content.error()));
    if (animation && content->identity.format != "nsa") {
      animation = fail(codes::kFormatForeign, concat({content->identity.explanation, ", not an animation"}));
    }
    if (!animation) {
      return fail(animation.error().code, concat({file, ": ", animation.error().message}));
    }
    asked.animations.push_back(std::make_shared<const nsa::Document>(std::move(*animation)));
    asked.request.animations.push_back(
        {std::filesystem::path(file).stem().string(), asked.animations.back().get()});
  }
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

/// What --every and --max-error say.
void ask_for_frames(const SceneSettings& settings, SceneRequest& request) {
  constexpr std::uint64_t kMost = 1U << 16U;
  request.every = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(settings.every.value_or(1), 1, kMost));
  if (settings.max_error) {
    request.max_error = static_cast<float>(*settings.max_error);
  }
}

void ask_what_to_show(const Work& work, SceneRequest& request) {
  request.tiles = requested_tiles(work.settings);
  request.doodad_set = work.settings.doodad_set;
  request.collision = work.settings.collision;
  request.portals = work.settings.portals;
  request.lod = requested_lod(work.settings).value_or(std::optional<std::uint32_t>(0));
  request.path_of_id = [&folders = work.folders](std::uint32_t id) { return folders.file_ids().path_of(id); };
  ask_for_frames(work.settings, request);
  if (work.target != targets::kPng) {  // a picture is of one clip, which its command looks for
    request.clips.wanted = wanted_clips(work.settings);
  }
  request.clips.root_motion = work.settings.root_motion != "off";
}

Product model_product(const OpenedScene& opened, std::vector<GltfFile> files) {
  const scene::Scene& scene = opened.scene;
  const auto clips = static_cast<std::uint64_t>(std::count_if(
      scene.clips.begin(), scene.clips.end(), [](const scene::Clip& clip) { return !clip.global; }));
  const auto missing = static_cast<std::uint64_t>(
      std::count_if(scene.images.begin(), scene.images.end(),
                    [](const scene::NamedImage& image) { return image.placeholder; }));
  Product product;
  product.files = std::move(files);
  product.facts = counted(clips, "clip");
  product.facts += missing > 0 ? concat({" · ", counted(missing, "texture"), " missing"}) : "";
  product.facts += opened.morphs > 0 ? concat({" · ", counted(opened.morphs, "morph model")}) : "";
  product.json = {{"clips", static_cast<std::int64_t>(clips)},
                  {"textures", static_cast<std::int64_t>(scene.images.size())},
                  {"textures_missing", static_cast<std::int64_t>(missing)}};
  return product;
}

Result<Product> export_scene(const Work& work, OpenedScene& opened) {
  if (work.settings.bake_global) {
    scene::bake_loops(opened.scene, work.findings);
  }
  GltfOptions options;
  options.profile = gltf_profile(work.settings);
  options.binary = work.target == targets::kGlb;
  options.embed_images = options.binary;
  options.name = work.output.stem().string();
  options.png_level = png_level(work.settings);
  options.control = current_control();
  return write_gltf(opened.scene, options, work.findings).map([&](std::vector<GltfFile>&& files) {
    return model_product(opened, std::move(files));
  });
}

}  // namespace

GltfProfile gltf_profile(const SceneSettings& settings) {
  return settings.profile == "rich"      ? GltfProfile::rich
         : settings.profile == "blender" ? GltfProfile::blender
                                         : GltfProfile::compat;
}

std::uint64_t max_scene_bytes(const InputSettings& settings) {
  return settings.max_scene.value_or(SceneRequest().max_scene_bytes);
}

tl::expected<std::optional<std::uint32_t>, std::string> requested_lod(const SceneSettings& settings) {
  if (settings.lod == "all") {
    return std::optional<std::uint32_t>();
  }
  const auto level = parse_whole(settings.lod);
  if (!level) {
    return tl::unexpected<std::string>(
        concat({"--lod ", settings.lod, ": a level, 0 being the finest, or `all`"}));
  }
  return level;
}

Result<Asked> asked_of(const Work& work) {
  Asked asked;
  SceneRequest& request = asked.request;
  request.path = game_path(work);
  request.name = work.output.stem().string();
  request.read = read_options(work.settings);
  request.max_scene_bytes = max_scene_bytes(work.settings);
  request.team_color = work.team_color;
  request.beside = work.folders.beside(work.input);
  if (work.settings.scale) {
    request.scale = static_cast<float>(*work.settings.scale);
  }
  ask_what_to_show(work, request);
  Replaceables chosen = chosen_replaceables(work.settings);
  request.replaceables = std::move(chosen.paths);
  asked.files = std::move(chosen.files);
  const bool alone = takes_network(work);
  const SkeletonChoice choice = alone ? parse_skeleton(work.settings.skeleton) : SkeletonChoice{};
  request.skeleton = alone ? choice.name : work.settings.skeleton;
  request.bones = work.settings.bones;
  auto library = named_library(work);
  if (!library) {
    return tl::unexpected<Error>(std::move(library.error()));
  }
  auto network = named_network(work, choice);
  if (!network) {
    return tl::unexpected<Error>(std::move(network.error()));
  }
  if (auto read = read_animations(work, asked); !read) {
    return tl::unexpected<Error>(std::move(read.error()));
  }
  asked.library = std::move(*library);
  asked.network = std::move(*network);
  request.library = asked.library.get();
  request.network = asked.network.get();
  return asked;
}

Result<OpenedScene> make_scene(const Work& work, const AnyDocument& document) {
  return asked_of(work).and_then([&](const Asked& asked) {
    Sources sources = work.folders.for_model(work.input);
    if (asked.files != nullptr) {
      sources.add(asked.files);
    }
    return open_scene(document, sources, asked.request, work.findings).and_then([&](OpenedScene&& opened) {
      report_outside(work.input, sources, work.findings);
      return check_replaceables(work.settings, opened.scene, sources, work.findings).map([&] {
        return std::move(opened);
      });
    });
  });
}

Result<Product> make_gltf(const Work& work, const AnyDocument& document) {
  return make_scene(work, document).and_then([&](OpenedScene&& opened) {
    return export_scene(work, opened);
  });
}

}  // namespace thaw::cli
