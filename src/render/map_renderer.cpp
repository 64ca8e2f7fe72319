#include <thaw/codes.hpp>
#include <thaw/control.hpp>
#include <thaw/render.hpp>

#include "bytes/number_text.hpp"
#include "scene/math.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace thaw {
namespace {

/// Of a tile's baked picture seen from above, when it is drawn smaller.
constexpr std::uint32_t kLeastBake = 64;
constexpr std::uint32_t kMostBake = 1024;

std::string key_of(const Diagnostic& finding) {
  return std::string(finding.code.id) + '\n' + finding.path + '\n' + finding.message;
}

/// Findings that many tiles have in common are reported once.
class OnceOnly {
 public:
  explicit OnceOnly(Diagnostics& findings) : findings_(findings) {}

  void add(const Diagnostics& more) {
    for (const auto& finding : more.items()) {
      if (reported_.insert(key_of(finding)).second) {
        findings_.add(finding);
      }
    }
  }

 private:
  Diagnostics& findings_;
  std::set<std::string> reported_;
};

/// Tiles next to each other in one picture.
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
world::GroundLight light_of(const MapShot& map_shot, const lit::Document* lights) {
  world::GroundLight light = map_shot.light;
  if (lights != nullptr) {
    if (const auto values = world::light_at(*lights, map_shot.view.light)) {
      light.direct = values->colors[0];
      light.ambient = values->colors[1];
    }
  }
  return light;
}

}  // namespace

Result<MapPicture> render_from_above(const MapToRender& map, const MapShot& shot, const ReadOptions& read,
                                     Diagnostics& diagnostics) {
  const auto tiles = map.world.tiles(shot.tiles);
  if (tiles.empty()) {
    return fail(codes::kWorldNoTile, "");
  }
  const world::GroundLight light = light_of(shot, map.lights);
  FromAbove picture(shot, tiles, light);
  if (picture.side() == 0) {
    return fail(codes::kWorldTooLarge,
                std::to_string(tiles.size()) +
                    " tiles do not fit the image at one pixel per tile; use a larger --size");
  }
  OnceOnly reported(diagnostics);
  std::size_t done = 0;
  for (const auto& place : tiles) {
    if (!proceed(read.control, "tiles", done++, tiles.size())) {
      break;
    }
    Diagnostics of_tile;
    const auto tile = map.world.tile(place.x, place.y, of_tile);
    if (tile) {
      world::SceneOptions options = shot.scene;
      options.control = read.control;
      MapSceneParts parts(read, of_tile);
      map.models.open_for(options, parts);
      options.bake_size = shot.override_bake_size ? shot.scene.bake_size : bake_size_for(picture.side());
      picture.add(map.world.map(), *tile, map.name, options, of_tile);
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

namespace {

/// Looks from places of a map, one after the other.
class FromPlaces {
 public:
  FromPlaces(const MapToRender& map, const MapShot& map_shot, const ReadOptions& read, Diagnostics& findings)
      : map_(map), map_shot_(map_shot), read_(read), findings_(findings) {
    options_.view = map_shot.view;
    options_.heading = map_shot.heading;
    options_.pitch = map_shot.pitch;
    options_.aspect = static_cast<float>(map_shot.shot.width) / static_cast<float>(map_shot.shot.height);
    options_.height = map_shot.override_bake_size ? 0 : map_shot.shot.height;
    options_.scene = map_shot.scene;
    options_.scene.control = read.control;
    options_.light = map_shot.light;
    if (!map_shot.override_background) {
      options_.otherwise = world::usual_light(options_.view.far_clip);
    }
  }

  /// Of a path, with its target; everything moves as it does at that many seconds.
  Result<MapPicture> shoot(const Vec3& eye, double time, const Viewpoint* along = nullptr) {
    options_.view.camera = eye;
    if (along != nullptr) {
      const scene::Vec3d direction = scene::subtract(along->target, along->eye);
      options_.heading = scene::arc_tangent(direction[1], direction[0]);
      options_.pitch = scene::arc_tangent(
          direction[2], std::sqrt(direction[0] * direction[0] + direction[1] * direction[1]));
      options_.field_of_view =
          along->field_of_view ? scene::to_float(*along->field_of_view) : options_.field_of_view;
    }
    Diagnostics of_map;
    MapSceneParts parts(read_, of_map);
    MapSceneParts unreported(read_, Diagnostics::discarded());
    map_.models.open_for(options_.scene, parts);
    options_.view.open_fogs = map_.models.fogs(options_.view.light.under_water, unreported);
    const world::Sight sight =
        world::look_from(map_.world, map_.far, map_.lights, map_.name, options_, of_map);
    findings_.add(of_map);
    return parts.failure() ? tl::unexpected<Error>(*parts.failure())
                           : Result<MapPicture>(picture_of(sight, time));
  }

 private:
  MapPicture picture_of(const world::Sight& sight, double time) const {
    frame::Options shown = map_shot_.shot.frame;
    shown.lighting = sight.options.lighting;
    shown.night = sight.options.night;
    if (!map_shot_.override_fog) {
      shown.fog = sight.options.fog;
    }
    const frame::Evaluator evaluator(sight.scene);
    const frame::Frame frame = evaluator.evaluate({frame::kNone, time, time}, sight.camera, shown);
    raster::Textures textures(evaluator.images());
    raster::Options raster = map_shot_.shot.raster;
    raster.width = map_shot_.shot.width;
    raster.height = map_shot_.shot.height;
    if (!map_shot_.override_background && shown.fog.enabled) {  // of maps without a sky
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
      picture.tiles += map_.world.has_tile(near.tile.x, near.tile.y) ? 1U : 0U;
    }
    return picture;
  }

  const MapToRender& map_;
  const MapShot& map_shot_;
  const ReadOptions& read_;
  OnceOnly findings_;
  world::PictureOptions options_;
};

}  // namespace

Result<MapPicture> render_from_place(const MapToRender& map, const MapShot& shot, const ReadOptions& read,
                                     Diagnostics& diagnostics) {
  return FromPlaces(map, shot, read, diagnostics).shoot(shot.view.camera, 0);
}

Result<void> render_along_path(const MapToRender& map, const MapShot& shot, const CameraPath& path,
                               std::span<const double> times, const ReadOptions& read,
                               const std::function<void(MapPicture picture)>& take,
                               Diagnostics& diagnostics) {
  FromPlaces places(map, shot, read, diagnostics);
  const auto ground = [&](const CameraPath::Point& place) -> std::optional<double> {
    const auto height = world::ground_at(map.world, scene::narrow(place), diagnostics);
    return height ? std::optional(double{*height}) : std::nullopt;
  };
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (!proceed(read.control, "pictures", i, times.size())) {
      break;
    }
    const auto view = path.at(times[i], ground);
    if (!view) {
      return fail(codes::kWorldNoTile, "the map has no ground below the path at " + short_number(times[i]) +
                                           " seconds; move the path, or use absolute heights");
    }
    auto picture = places.shoot(scene::narrow(view->eye), times[i], &*view);
    if (!picture) {
      return tl::unexpected<Error>(std::move(picture.error()));
    }
    take(std::move(*picture));
  }
  return {};
}

}  // namespace thaw
