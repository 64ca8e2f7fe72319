#include "cli/picture/render_map.hpp"

#include <thaw/map_models.hpp>
#include <thaw/world_picture.hpp>
#include <thaw/wow_codes.hpp>

#include "cli/platform/job_control.hpp"
#include "cli/report/text.hpp"

#include "scene/math.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace thaw::cli {
namespace {

/// Of a tile's baked picture seen from above, when it is drawn smaller.
constexpr std::uint32_t kLeastBake = 64;
constexpr std::uint32_t kMostBake = 1024;

/// Findings that many tiles have in common are told once.
class OnceOnly {
 public:
  explicit OnceOnly(Diagnostics& findings) : findings_(findings) {}

  void add(const Diagnostics& more) {
    for (const auto& finding : more.items()) {
      if (reported_.insert(concat({finding.code.id, "\n", finding.path, "\n", finding.message})).second) {
        findings_.add(finding);
      }
    }
  }

 private:
  Diagnostics& findings_;
  std::set<std::string> reported_;
};

/// Tiles beside each other in one picture.
class FromAbove {
 public:
  FromAbove(const MapShot& map_shot, const std::vector<wdt::TilePosition>& tiles,
            const world::GroundLight& light)
      : map_shot_(map_shot), light_(light) {
    const world::TileFrame frame(tiles);
    side_ = static_cast<std::uint32_t>(
        std::min(map_shot.shot.width / frame.columns(), map_shot.shot.height / frame.rows()));
    ground_ = world::TilePicture(frame, side_, map_shot.shot.raster.background);
  }

  /// In pixels; 0 if the picture is too small for its tiles.
  [[nodiscard]] std::uint32_t side() const { return side_; }

  void add(const wdt::Map& map, const wdt::Tile& tile, std::string_view name,
           const world::SceneOptions& options, Diagnostics& findings) {
    const world::Sight sight = world::look_down(map, tile, name, options, light_, findings);
    frame::Options shown = map_shot_.shot.frame;
    shown.lighting = sight.options.lighting;
    const frame::Evaluator evaluator(sight.scene);
    const frame::Frame frame = evaluator.evaluate({}, sight.camera, shown);
    raster::Textures textures(evaluator.images());
    raster::Options raster = map_shot_.shot.raster;
    raster.width = side_;
    raster.height = side_;
    const raster::Picture part = raster::draw(frame, textures, raster);
    ground_.put(part.image, tile.x(), tile.y());
    picture_.complete = picture_.complete && part.complete;
    picture_.triangles += frame.triangles;
    picture_.particles += frame.particles;
    ++picture_.tiles;
  }

  MapPicture take() {
    picture_.image = ground_.take();
    return std::move(picture_);
  }

 private:
  const MapShot& map_shot_;
  world::GroundLight light_;
  std::uint32_t side_ = 0;
  world::TilePicture ground_;
  MapPicture picture_;
};

/// Bakes no finer than the picture shows.
std::uint32_t bake_size_for(std::uint32_t side) { return std::clamp(side + side / 2, kLeastBake, kMostBake); }

/// Of the hour, where lights.lit says it of the whole map.
world::GroundLight light_of(const MapShot& map_shot, const Companions& beside) {
  world::GroundLight light = map_shot.map.light;
  if (beside.lights) {
    if (const auto values = world::light_at(*beside.lights, map_shot.view.light)) {
      light.direct = values->colors[0];
      light.ambient = values->colors[1];
    }
  }
  return light;
}

Result<MapPicture> draw_from_above(const MapShot& map_shot, const wdt::World& map, const MapModels& models,
                                   const std::string& name, const Companions& beside,
                                   const Settings& settings, Diagnostics& findings) {
  const auto tiles = map.tiles(map_shot.map.tiles);
  if (tiles.empty()) {
    return fail(codes::kWorldNoTile, "");
  }
  const world::GroundLight light = light_of(map_shot, beside);
  FromAbove picture(map_shot, tiles, light);
  if (picture.side() == 0) {
    return fail(codes::kWorldTooLarge,
                concat({std::to_string(tiles.size()),
                        " tiles; a picture with a pixel for each takes a larger --size"}));
  }
  OnceOnly reported(findings);
  std::size_t done = 0;
  for (const auto& place : tiles) {
    if (!proceed(current_control(), "tiles", done++, tiles.size())) {
      break;
    }
    Diagnostics of_tile;
    const auto tile = map.tile(place.x, place.y, of_tile);
    if (tile) {
      world::SceneOptions options = map_shot.map.scene;
      options.control = current_control();
      MapSceneParts parts(read_options(settings), of_tile);
      models.open_for(options, parts);
      options.bake_size = settings.bake_size ? map_shot.map.scene.bake_size : bake_size_for(picture.side());
      picture.add(map.map(), *tile, name, options, of_tile);
      if (parts.failure()) {
        return tl::unexpected<Error>(*parts.failure());
      }
    } else {
      of_tile.add(tile.error());
    }
    reported.add(of_tile);
  }
  return picture.take();
}

/// Looks from places of a map, one after the other.
class FromPlaces {
 public:
  FromPlaces(const MapShot& map_shot, const wdt::World& map, const MapModels& models, std::string_view name,
             const Companions& beside, const Settings& settings, Diagnostics& findings)
      : map_shot_(map_shot),
        map_(map),
        models_(models),
        name_(name),
        beside_(beside),
        settings_(settings),
        findings_(findings) {
    options_.view = map_shot.view;
    options_.heading = map_shot.heading;
    options_.pitch = map_shot.pitch;
    options_.aspect = static_cast<float>(map_shot.shot.width) / static_cast<float>(map_shot.shot.height);
    options_.height = settings.bake_size ? 0 : map_shot.shot.height;
    options_.scene = map_shot.map.scene;
    options_.scene.control = current_control();
    options_.light = map_shot.map.light;
    if (settings.background.empty()) {
      options_.otherwise = world::usual_light(options_.view.far_clip);
    }
  }

  /// Of a path, with its target; everything moves as it does at that many seconds.
  Result<MapPicture> shoot(const Vec3& eye, double time, const Viewpoint* along = nullptr) {
    options_.view.camera = eye;
    if (along != nullptr) {
      const scene::Vec3d way = scene::subtract(along->target, along->eye);
      options_.heading = scene::arc_tangent(way[1], way[0]);
      options_.pitch = scene::arc_tangent(way[2], std::sqrt(way[0] * way[0] + way[1] * way[1]));
      options_.field_of_view =
          along->field_of_view ? scene::to_float(*along->field_of_view) : options_.field_of_view;
    }
    Diagnostics of_map;
    MapSceneParts parts(read_options(settings_), of_map);
    MapSceneParts unreported(read_options(settings_), Diagnostics::unwanted());
    models_.open_for(options_.scene, parts);
    options_.view.open_fogs = models_.fogs(options_.view.light.under_water, unreported);
    const world::Sight sight =
        world::look_from(map_, beside_.far ? &*beside_.far : nullptr,
                         beside_.lights ? &*beside_.lights : nullptr, name_, options_, of_map);
    findings_.add(of_map);
    return parts.failure() ? tl::unexpected<Error>(*parts.failure())
                           : Result<MapPicture>(picture_of(sight, time));
  }

 private:
  MapPicture picture_of(const world::Sight& sight, double time) const {
    frame::Options shown = map_shot_.shot.frame;
    shown.lighting = sight.options.lighting;
    shown.night = sight.options.night;
    if (!map_shot_.fog_stated) {
      shown.fog = sight.options.fog;
    }
    const frame::Evaluator evaluator(sight.scene);
    const frame::Frame frame = evaluator.evaluate({frame::kNone, time, time}, sight.camera, shown);
    raster::Textures textures(evaluator.images());
    raster::Options raster = map_shot_.shot.raster;
    raster.width = map_shot_.shot.width;
    raster.height = map_shot_.shot.height;
    if (settings_.background.empty() && shown.fog.enabled) {  // of maps without a sky
      for (std::size_t i = 0; i < shown.fog.color.size(); ++i) {
        raster.background.at(i) =
            static_cast<std::uint8_t>(std::clamp(shown.fog.color.at(i), 0.0F, 1.0F) * 255);
      }
    }
    raster::Picture drawn = raster::draw(frame, textures, raster);
    MapPicture picture;
    picture.image = std::move(drawn.image);
    picture.complete = drawn.complete;
    picture.triangles = frame.triangles;
    picture.particles = frame.particles;
    picture.camera = sight.camera;
    for (const auto& near : world::tiles_within(options_.view.camera, options_.view.far_clip)) {
      picture.tiles += map_.has_tile(near.tile.x, near.tile.y) ? 1U : 0U;
    }
    return picture;
  }

  const MapShot& map_shot_;
  const wdt::World& map_;
  const MapModels& models_;
  std::string_view name_;
  const Companions& beside_;
  const Settings& settings_;
  OnceOnly findings_;
  world::PictureOptions options_;
};

Result<void> draw_along_path(const MapFilm& film, const wdt::World& map, FromPlaces& places,
                             const TakePicture& take, Diagnostics& findings) {
  const auto ground = [&](const CameraPath::Place& place) -> std::optional<double> {
    const auto height = world::ground_at(map, scene::narrow(place), findings);
    return height ? std::optional(double{*height}) : std::nullopt;
  };
  for (std::size_t i = 0; i < film.times.size(); ++i) {
    if (!proceed(current_control(), "pictures", i, film.times.size())) {
      break;
    }
    const auto view = film.path->at(film.times[i], ground);
    if (!view) {
      return fail(codes::kWorldNoTile, concat({"the path leads, at ", std::to_string(film.times[i]),
                                               " seconds, where there is no ground to be above"}));
    }
    auto picture = places.shoot(scene::narrow(view->eye), film.times[i], &*view);
    if (!picture) {
      return tl::unexpected<Error>(std::move(picture.error()));
    }
    take(std::move(*picture));
  }
  return {};
}

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
  const auto map = open_map(input, settings, Diagnostics::unwanted());
  return map && *map && (*map)->map().is_dungeon() && (*map)->tiles().empty();
}

bool is_map_shot(const Settings& settings, const Input& input) {
  return settings.viewpoint.empty() && input.name != "-" && identify_file(input).format == "wdt";
}

tl::expected<MapShot, std::string> parse_map_shot(const Settings& settings, const Shot& shot) {
  const auto wrong = [](std::string message) { return tl::unexpected<std::string>(std::move(message)); };
  MapShot map_shot;
  map_shot.fog_stated = !settings.fog.empty();
  map_shot.shot = shot;
  auto map = map_options(settings);
  if (!map) {
    return wrong(std::move(map.error()));
  }
  map_shot.map = std::move(*map);
  if (std::string why = take_view_options(settings, map_shot.view); !why.empty()) {
    return wrong(std::move(why));
  }
  if (settings.eye.empty()) {
    return map_shot;
  }
  map_shot.eye = parse_eye(settings.eye);
  if (!map_shot.eye) {
    return wrong(concat({"--eye ", settings.eye, " is no place such as 100,-250.5,40 or 100,-250.5,+2"}));
  }
  if (!settings.look.empty() && !parse_look(settings.look, map_shot)) {
    return wrong(concat({"--look ", settings.look,
                         ": degrees from north towards west, and after a comma above "
                         "the horizon, such as 90,-15"}));
  }
  return map_shot;
}

Result<void> draw_map(const MapFilm& film, const Input& input, const Settings& settings,
                      TextureFolders& folders, const TakePicture& take, Diagnostics& findings) {
  const MapShot& map_shot = film.shot;
  const auto opened = open_map(input, settings, findings);
  if (!opened) {
    return tl::unexpected<Error>(opened.error());
  }
  if (!*opened) {
    return fail(codes::kFormatUnsupported, "far terrain alone is no map: --camera auto shows it as a model");
  }
  const MapModels models(folders.for_model(input), map_scene_options(settings));
  const wdt::World& map = **opened;
  const std::string name = to_utf8(input.relative.stem().string());
  Companions beside;
  if (auto error = read_companions(settings, input, beside, findings)) {
    return tl::unexpected<Error>(std::move(*error));
  }
  if (film.path == nullptr && !map_shot.eye) {
    return draw_from_above(map_shot, map, models, name, beside, settings, findings).map(take);
  }
  FromPlaces places(map_shot, map, models, name, beside, settings, findings);
  if (film.path != nullptr) {
    return draw_along_path(film, map, places, take, findings);
  }
  const auto eye = place_of(*map_shot.eye, map, findings);
  return eye ? places.shoot(*eye, 0).map(take) : tl::unexpected<Error>(eye.error());
}

}  // namespace thaw::cli
