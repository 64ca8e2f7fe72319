#include "cli/picture/map_shot.hpp"

#include <thaw/codes.hpp>

#include "cli/inputs/world_input.hpp"
#include "cli/report/text.hpp"
#include "scene/math.hpp"

#include <cmath>

namespace thaw::cli {
namespace {

/// "HEADING" or "HEADING,PITCH" in degrees.
bool parse_look(std::string_view text, MapShot& map_shot) {
  const std::size_t comma = text.find(',');
  const auto heading = parse_number(text.substr(0, comma));
  const auto pitch =
      comma == std::string_view::npos ? std::optional(0.0F) : parse_number(text.substr(comma + 1));
  if (!heading || !pitch || std::fabs(*pitch) > 90) {
    return false;
  }
  map_shot.heading = double{*heading} * scene::kRadiansPerDegree;
  map_shot.pitch = double{*pitch} * scene::kRadiansPerDegree;
  return true;
}

}  // namespace

bool is_one_building(const Settings& settings, const Input& input) {
  if (input.name == "-" || identify_file(input).format != "wdt") {
    return false;
  }
  const auto map = open_map(input, settings, Diagnostics::discarded());
  return map && *map && (*map)->map().is_dungeon() && (*map)->tiles().empty();
}

bool is_map_shot(const Settings& settings, const Input& input) {
  return settings.viewpoint.empty() && input.name != "-" && identify_file(input).format == "wdt";
}

tl::expected<StatedMapShot, std::string> parse_map_shot(const Settings& settings, const Shot& shot) {
  const auto wrong = [](std::string message) { return tl::unexpected<std::string>(std::move(message)); };
  StatedMapShot map_shot;
  map_shot.override_fog = !settings.fog.empty();
  map_shot.override_background = !settings.background.empty();
  map_shot.override_bake_size = settings.bake_size.has_value();
  map_shot.shot = shot;
  auto map = map_options(settings);
  if (!map) {
    return wrong(std::move(map.error()));
  }
  map_shot.tiles = map->tiles;
  map_shot.scene = std::move(map->scene);
  map_shot.light = map->light;
  if (std::string why = take_view_options(settings, map_shot.view); !why.empty()) {
    return wrong(std::move(why));
  }
  if (settings.eye.empty()) {
    return map_shot;
  }
  map_shot.eye = parse_eye(settings.eye);
  if (!map_shot.eye) {
    return wrong(
        concat({"--eye ", settings.eye, ": expected a position such as 100,-250.5,40 or 100,-250.5,+2"}));
  }
  if (!settings.look.empty() && !parse_look(settings.look, map_shot)) {
    return wrong(
        concat({"--look ", settings.look,
                ": expected degrees from north towards west and degrees above the horizon, such as 90,-15"}));
  }
  return map_shot;
}

Result<void> draw_map(const MapFilm& film, const Input& input, const Settings& settings,
                      TextureFolders& folders, const TakePicture& take, Diagnostics& findings) {
  const auto opened = open_map(input, settings, findings);
  if (!opened) {
    return tl::unexpected<Error>(opened.error());
  }
  if (!*opened) {
    return fail(codes::kFormatUnsupported,
                "far terrain (WDL) is not a map by itself. Render it as a model with --camera auto.");
  }
  Companions companions;
  if (auto error = read_companions(settings, input, companions, findings)) {
    return tl::unexpected<Error>(std::move(*error));
  }
  const MapModels models(folders.for_model(input), map_scene_options(settings));
  const MapToRender map{**opened, models, to_utf8(input.relative.stem().string()),
                        companions.far ? &*companions.far : nullptr,
                        companions.lights ? &*companions.lights : nullptr};
  const ReadOptions read = read_options(settings);
  if (film.path != nullptr) {
    return render_along_path(map, film.shot, *film.path, film.times, read, take, findings);
  }
  if (!film.shot.eye) {
    return render_from_above(map, film.shot, read, findings).map(take);
  }
  const auto eye = place_of(*film.shot.eye, map.world, findings);
  if (!eye) {
    return tl::unexpected<Error>(eye.error());
  }
  auto shot = film.shot;
  shot.view.camera = *eye;
  return render_from_place(map, shot, read, findings).map(take);
}

}  // namespace thaw::cli
