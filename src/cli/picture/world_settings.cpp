// The options about maps in one struct.
#include "cli/picture/world_settings.hpp"

#include <thaw/lit.hpp>
#include <thaw/sources.hpp>

#include "cli/convert/options.hpp"
#include "cli/inputs/world_input.hpp"
#include "cli/report/text.hpp"

#include <algorithm>

namespace thaw::cli {
namespace {

constexpr std::uint32_t kMinimapSize = 256;

std::optional<world::TileLayers> parse_layers(std::string_view text) {
  world::TileLayers layers;
  if (text.empty()) {
    return layers;
  }
  layers = {false, false, false, false, false};
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    bool* layer = word == "terrain"  ? &layers.terrain
                  : word == "liquid" ? &layers.liquid
                  : word == "wmo"    ? &layers.buildings
                  : word == "doodad" ? &layers.doodads
                  : word == "wdl"    ? &layers.far_terrain
                                     : nullptr;
    if (layer == nullptr) {
      return std::nullopt;
    }
    *layer = true;
  }
  return layers;
}

/// "MIN,MAX" in metres.
std::optional<std::pair<float, float>> parse_range(std::string_view text) {
  const std::size_t comma = text.find(',');
  const auto least = parse_number(text.substr(0, comma));
  const auto most = comma == std::string_view::npos ? std::nullopt : parse_number(text.substr(comma + 1));
  return least && most && *least < *most ? std::optional(std::pair(*least, *most)) : std::nullopt;
}

world::GroundStyle look_named(std::string_view name) {
  return name == "splat"   ? world::GroundStyle::splat
         : name == "plain" ? world::GroundStyle::plain
                           : world::GroundStyle::baked;
}

}  // namespace

tl::expected<MapOptions, std::string> map_options(const Settings& settings) {
  MapOptions result;
  const auto wrong = [](std::string message) { return tl::unexpected<std::string>(std::move(message)); };
  const auto tiles = parse_tiles(settings.tiles);
  if (!tiles) {
    return wrong(check_tiles(settings));
  }
  const auto layers = parse_layers(settings.layers);
  if (!layers) {
    return wrong(
        concat({"--layers ", settings.layers, ": expected a list of terrain, liquid, wmo, doodad and wdl"}));
  }
  result.tiles = *tiles;
  result.scene.layers = *layers;
  result.scene.look = look_named(settings.terrain);
  if (settings.scale) {
    result.scene.scale = static_cast<float>(*settings.scale);
    result.metres = *settings.scale;
  }
  constexpr std::uint64_t kMost = 8192;
  const auto size = static_cast<std::uint32_t>(std::min(settings.bake_size.value_or(0), kMost));
  // A multiple of the chunks per side, as the library takes it, so that parts of pictures fit together.
  constexpr std::uint32_t kStep = world::kChunksPerSide;
  result.picture_size = std::max(kStep, (size == 0 ? kMinimapSize : size) / kStep * kStep);
  result.scene.bake_size = size == 0 ? result.scene.bake_size : std::max(kStep, size / kStep * kStep);
  const auto grid = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(settings.grid.value_or(world::kGrids.front()), kMost));
  if (std::find(world::kGrids.begin(), world::kGrids.end(), grid) == world::kGrids.end()) {
    return wrong("--grid must be 257, 129 or 17");
  }
  result.grid = grid;
  if (!settings.height_range.empty()) {
    const auto range = parse_range(settings.height_range);
    if (!range) {
      return wrong(
          concat({"--height-range ", settings.height_range, ": expected a range such as -100,450.5"}));
    }
    const auto yards = [&](float metres) { return static_cast<float>(double{metres} / result.metres); };
    result.height_range = std::pair(yards(range->first), yards(range->second));
  }
  return result;
}

OpenSceneOptions map_scene_options(const Settings& settings) {
  OpenSceneOptions options;
  options.max_scene_bytes = max_scene_bytes(settings);
  options.collision = settings.collision;
  options.portals = settings.portals;
  options.doodad_set = settings.doodad_set;
  options.longest_side = longest_side(settings);
  return options;
}

std::string check_hour(const MapSettings& settings) {
  if (settings.time.empty()) {
    return "";
  }
  if (settings.lights.empty()) {
    return "--hour and --time need --lights FILE.lit";
  }
  return parse_time(settings.time) ? ""
                                   : concat({"--hour ", settings.time, ": expected a time such as 13:30"});
}

Result<world::GroundLight> ground_light(const Settings& settings) {
  world::GroundLight light;
  if (settings.lights.empty()) {
    return light;
  }
  const auto bytes = read_file(settings.lights, read_options(settings).limits);
  if (!bytes) {
    return tl::unexpected<Error>(bytes.error());
  }
  Diagnostics ignored;
  const auto document = lit::read(*bytes, read_options(settings), ignored);
  if (!document) {
    return tl::unexpected<Error>(document.error());
  }
  world::LightQuery query;
  query.time = parse_time(settings.time).value_or(query.time);
  if (const auto values = world::light_at(*document, query)) {
    light.direct = values->colors[0];
    light.ambient = values->colors[1];
  }
  return light;
}

}  // namespace thaw::cli
