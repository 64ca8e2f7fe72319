// Maps as scenes in front of a camera.
#include <thaw/codes.hpp>
#include <thaw/control.hpp>
#include <thaw/world.hpp>

#include "world/axes.hpp"
#include "world/indoor.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace thaw::world {
namespace {

/// 0 by day, 1 from 21 to 3 hours; it dawns from 3 to 4 and darkens from 20 to 21.
float night_at(float half_minutes) {
  constexpr float kDay = 2880;
  constexpr float kHour = 120;
  const float wrapped = half_minutes - std::floor(half_minutes / kDay) * kDay;
  const float from_noon = std::fabs(wrapped - kDay / 2);
  return std::clamp((from_noon - 8 * kHour) / kHour, 0.0F, 1.0F);
}

using scene::Index;
using scene::kNone;

/// The bands of the sky in lights.lit (lit.md#tracks), from the top down, and how high each stands. The
/// format names five colours and no heights: these are chosen.
constexpr std::size_t kFirstSkyTrack = 2;
constexpr std::array<double, 5> kSkyHeights = {90, 35, 15, 6, 1};  ///< degrees
constexpr std::size_t kSkySides = 24;
constexpr double kTurn = 2 * scene::kPi;

Index add_node(scene::Scene& scene, std::string name, const Vec3& place) {
  scene::Node node;
  node.name = std::move(name);
  node.kind = scene::NodeKind::helper;
  node.parent = scene.nodes.empty() ? kNone : 0;
  node.rest.translation = place;
  scene.nodes.push_back(std::move(node));
  return static_cast<Index>(scene.nodes.size() - 1);
}

/// The rotation that turns +Y to a direction of length 1.
Vec4 rotation_to(const Vec3& direction) {
  const scene::Vec4d turn{double{direction[2]}, 0, -double{direction[0]}, 1 + double{direction[1]}};
  const double length = std::sqrt(turn[0] * turn[0] + turn[2] * turn[2] + turn[3] * turn[3]);
  if (length < 1e-6) {
    return {1, 0, 0, 0};  // straight down
  }
  return scene::narrow(scene::Vec4d{turn[0] / length, 0, turn[2] / length, turn[3] / length});
}

void add_light(scene::Scene& scene, const GroundLight& light) {
  const Vec3& direction = light.direction;
  scene::Light sun;
  sun.node = add_node(scene, "sun", {});
  scene.nodes[sun.node].rest.rotation =
      rotation_to(to_scene_axes(double{direction[0]}, double{direction[1]}, double{direction[2]}));
  sun.kind = scene::Light::Kind::directional;
  sun.color = light.direct;
  sun.intensity = 1;
  sun.ambient_color = light.ambient;
  sun.ambient_intensity = 1;
  scene.lights.push_back(sun);
}

/// A ring of the sky around the eye.
void add_ring(scene::Mesh& mesh, double radius, double degrees, const Vec3& color) {
  const double height = scene::sine(degrees * scene::kRadiansPerDegree) * radius;
  const double out = scene::cosine(degrees * scene::kRadiansPerDegree) * radius;
  for (std::size_t i = 0; i < kSkySides; ++i) {
    const double angle = kTurn * static_cast<double>(i) / kSkySides;
    mesh.positions.push_back({static_cast<float>(out * scene::cosine(angle)), static_cast<float>(height),
                              static_cast<float>(out * scene::sine(angle))});
    mesh.colors.push_back({color[0], color[1], color[2], 1});
  }
}

/// The sky's colours over each other, the fog's below the horizon. It stands behind everything.
void add_sky(scene::Scene& scene, const LightValues& light, const Vec3& eye, double radius) {
  scene::Mesh mesh;
  mesh.name = "sky";
  const Vec3 horizon =
      light.fog ? light.fog->color : light.colors.at(kFirstSkyTrack + kSkyHeights.size() - 1);
  for (std::size_t band = 0; band < kSkyHeights.size(); ++band) {
    add_ring(mesh, radius, kSkyHeights.at(band), light.colors.at(kFirstSkyTrack + band));
  }
  add_ring(mesh, radius, 0, horizon);
  add_ring(mesh, radius, -90, horizon);
  const std::size_t rings = mesh.positions.size() / kSkySides;
  for (std::size_t ring = 0; ring + 1 < rings; ++ring) {
    for (std::size_t i = 0; i < kSkySides; ++i) {
      const auto at = [&](std::size_t row, std::size_t column) {
        return static_cast<std::uint32_t>(row * kSkySides + column % kSkySides);
      };
      for (const std::uint32_t index : {at(ring, i), at(ring + 1, i), at(ring, i + 1), at(ring, i + 1),
                                        at(ring + 1, i), at(ring + 1, i + 1)}) {
        mesh.indices.push_back(index);
      }
    }
  }
  scene::Material material;
  material.name = "sky";
  material.draw_order = -1;
  scene::Layer& layer = material.layers.emplace_back();
  layer.unshaded = true;
  layer.unfogged = true;
  layer.two_sided = true;
  mesh.parts.push_back(
      {0, static_cast<Index>(mesh.indices.size()), static_cast<Index>(scene.materials.size())});
  scene.materials.push_back(std::move(material));
  mesh.node = add_node(scene, "sky", eye);
  scene.nodes[mesh.node].kind = scene::NodeKind::mesh;
  scene.meshes.push_back(std::move(mesh));
}

/// Only the chunks that the far clip leaves.
wdt::Tile within(wdt::Tile tile, TileIndex place, const ViewOptions& view) {
  std::erase_if(tile.chunks, [&](const wdt::Chunk& chunk) {
    return distance_to(view.camera, chunk_box(place, chunk)) > view.far_clip;
  });
  return tile;
}

frame::Camera camera_of(const PictureOptions& options, double scale, float far_clip) {
  const Vec3& eye = options.view.camera;
  const double level = scene::cosine(options.pitch);
  const Vec3 ahead = to_scene_axes(level * scene::cosine(options.heading),
                                   level * scene::sine(options.heading), scene::sine(options.pitch));
  frame::Camera camera;
  camera.eye = to_scene_axes(double{eye[0]}, double{eye[1]}, double{eye[2]}, scale);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    camera.target.at(axis) = camera.eye.at(axis) + ahead.at(axis) * static_cast<float>(scale);
  }
  if (std::fabs(level) < 1e-3) {
    camera.up = to_scene_axes(scene::cosine(options.heading), scene::sine(options.heading), 0);
  }
  camera.field_of_view = options.field_of_view;
  camera.aspect = options.aspect;
  camera.near_clip = static_cast<float>(0.25 * scale);
  camera.far_clip = far_clip;
  return camera;
}

/// What is seen of a map from one place.
class Looker {
 public:
  Looker(const wdt::World& world, const lit::Document* lights, std::string_view name,
         const PictureOptions& options, Diagnostics& diagnostics)
      : world_(world),
        options_(options),
        diagnostics_(diagnostics),
        light_(light_of(world, lights, options)),
        fog_(world.map(), options.view, light_ ? light_->fog : std::nullopt),
        builder_(world.map(), name, scene_options(options, light_), findings_) {}

  Sight look(const wdl::Document* far) {
    add_tiles();
    if (world_.map().is_dungeon()) {
      builder_.add_map_object();
    }
    if (far != nullptr) {
      add_far(*far);
    }
    report();
    return finish();
  }

 private:
  static std::optional<LightValues> light_of(const wdt::World& world, const lit::Document* lights,
                                             const PictureOptions& options) {
    std::optional<LightValues> light;
    if (lights != nullptr) {
      LightQuery query = options.view.light;
      query.place = options.view.camera;
      query.indoor_map = world.map().is_dungeon();
      light = light_at(*lights, query);
    }
    return light || world.map().is_dungeon() ? light : options.otherwise;
  }

  /// Those of lights.lit, where it has them: the ocean's come first there.
  static std::optional<std::array<Vec3, 4>> water_of(const std::optional<LightValues>& light) {
    constexpr std::size_t kOcean = 14;
    constexpr std::size_t kRiver = 16;
    if (!light || light->tracks < kRiver + 2) {
      return std::nullopt;
    }
    const auto& all = light->colors;
    const std::array<Vec3, 4> colors = {all[kRiver], all[kRiver + 1], all[kOcean], all[kOcean + 1]};
    return colors == std::array<Vec3, 4>{} ? std::nullopt : std::optional(colors);
  }

  static SceneOptions scene_options(const PictureOptions& options, const std::optional<LightValues>& light) {
    SceneOptions scene = options.scene;
    scene.water = water_of(light);
    scene.upper_layers = [view = options.view](TileIndex tile, const wdt::Chunk& chunk) {
      return upper_layers(distance_to(view.camera, chunk_box(tile, chunk)), view.texture_detail);
    };
    if (options.height > 0) {
      scene.chunk_pictures = [&options](TileIndex tile, const wdt::Chunk& chunk) {
        return picture_of_chunk(options, distance_to(options.view.camera, chunk_box(tile, chunk)));
      };
    }
    return scene;
  }

  /// As many pixels as the chunk takes when seen head on, or 0 where the tile's picture does as well.
  static std::uint32_t picture_of_chunk(const PictureOptions& options, float distance) {
    constexpr double kNearest = 3;  // yards from the eye to the ground
    constexpr std::uint32_t kLeast = 128;
    constexpr std::uint32_t kMost = 1024;
    const double angle = double{options.field_of_view} / 2;
    const double seen = 2 * std::max(double{distance}, kNearest) * scene::sine(angle) / scene::cosine(angle);
    const double requested = kChunkSize * options.height / seen;
    std::uint32_t side = kLeast;
    while (side < kMost && 2 * side <= requested) {
      side *= 2;
    }
    return requested < kLeast || side * kChunksPerSide <= options.scene.bake_size ? 0 : side;
  }

  void add_tiles() {
    const auto around = tiles_within(options_.view.camera, options_.view.far_clip);
    std::size_t done = 0;
    for (const NearTile& near : around) {
      if (!proceed(options_.scene.control, "tiles", done++, around.size())) {
        return;
      }
      if (!world_.has_tile(near.tile.x, near.tile.y)) {
        continue;
      }
      auto tile = world_.tile(near.tile.x, near.tile.y, diagnostics_);
      if (!tile) {
        diagnostics_.add(tile.error());
        continue;
      }
      const wdt::Tile shown = within(std::move(*tile), near.tile, options_.view);
      builder_.add_tile(shown);
      for (const wdt::Chunk& chunk : shown.chunks) {
        keep(near.tile, chunk);
      }
      for (const wdt::MapObject& object : shown.map_objects) {
        fog_.pass(object);
      }
    }
  }

  /// What far terrain needs of the ground that is drawn.
  void keep(TileIndex tile, const wdt::Chunk& chunk) {
    constexpr std::size_t kSide = kChunksPerSide;
    wdt::Chunk& stored = near_[{tile.y * kSide + chunk.slot / kSide, tile.x * kSide + chunk.slot % kSide}];
    stored.slot = chunk.slot;
    stored.heights = chunk.heights;
  }

  /// Drawn where no chunk is, in the colour of the fog (wdl.md#what-the-client-does). The client leaves out
  /// whole tiles that are loaded: where one is cut by the far clip nothing would stand.
  void add_far(const wdl::Document& far) {
    const std::optional<Fog>& fog = fog_.fog();
    const bool foggy = options_.fog && fog;
    for (const auto& area : far.areas) {
      builder_.add_far(area, foggy ? std::optional(fog->color) : std::nullopt,
                       [&](std::size_t row, std::size_t column) {
                         const auto found = near_.find({row, column});
                         return found == near_.end() ? nullptr : &found->second;
                       });
      has_far_ = true;
    }
  }

  /// A chunk beyond the far clip that refers to a placement is not missing.
  void report() {
    for (const auto& finding : findings_.items()) {
      if (finding.code != codes::kWorldUnseen) {
        diagnostics_.add(finding);
      }
    }
  }

  Sight finish() {
    const auto scale = double{options_.scene.scale};
    const float clip = options_.view.far_clip;
    Sight sight;
    sight.scene = builder_.take();
    // Far terrain may lie at the other end of the map.
    const double reach = has_far_ ? 2 * kMapEdge : std::max(double{clip} * 2, 1000.0);
    sight.camera = camera_of(options_, scale, static_cast<float>(reach * 1.5 * scale));
    GroundLight light = options_.light;
    if (light_) {
      light.direct = light_->colors[0];
      light.ambient = light_->colors[1];
      light_->fog = fog_.fog();
      add_sky(sight.scene, *light_, sight.camera.eye, reach * scale);
    }
    add_light(sight.scene, light);
    sight.options.lighting = frame::Lighting::scene;
    sight.options.night = night_at(options_.view.light.time);
    if (const auto& fog = fog_.fog(); options_.fog && fog) {
      sight.options.fog = {true, fog->color, static_cast<float>(double{fog->start} * scale),
                           static_cast<float>(double{fog->end} * scale)};
    }
    return sight;
  }

  const wdt::World& world_;
  const PictureOptions& options_;
  Diagnostics& diagnostics_;
  Diagnostics findings_;
  std::optional<LightValues> light_;
  FogAtEye fog_;
  SceneBuilder builder_;
  std::map<std::pair<std::size_t, std::size_t>, wdt::Chunk> near_;  ///< by row and column of the map
  bool has_far_ = false;
};

}  // namespace

LightValues usual_light(float far_clip) {
  constexpr float kFogEnd = 444.4445F;  // wmo.md#fogs
  constexpr float kFogStart = 0.25F;
  constexpr std::size_t kFogTrack = 7;
  const GroundLight light;
  LightValues values;
  values.tracks = kFogTrack + 1;
  values.colors[0] = light.direct;
  values.colors[1] = light.ambient;
  values.colors[2] = {0.16F, 0.36F, 0.66F};
  values.colors[3] = {0.30F, 0.50F, 0.76F};
  values.colors[4] = {0.48F, 0.64F, 0.83F};
  values.colors[5] = {0.64F, 0.75F, 0.87F};
  values.colors[6] = {0.74F, 0.81F, 0.88F};
  values.colors[kFogTrack] = {0.76F, 0.82F, 0.87F};
  const float end = std::min(kFogEnd, far_clip);
  values.fog = Fog{end * kFogStart, end, values.colors[kFogTrack]};
  return values;
}

Sight look_from(const wdt::World& world, const wdl::Document* far, const lit::Document* lights,
                std::string_view name, const PictureOptions& options, Diagnostics& diagnostics) {
  return Looker(world, lights, name, options, diagnostics).look(far);
}

Sight look_down(const wdt::Map& map, const wdt::Tile& tile, std::string_view name,
                const SceneOptions& options, const GroundLight& light, Diagnostics& diagnostics) {
  SceneBuilder builder(map, name, options, diagnostics);
  builder.add_tile(tile);
  Sight sight;
  sight.scene = builder.take();
  add_light(sight.scene, light);
  sight.options.lighting = frame::Lighting::scene;
  const auto place = TileIndex{static_cast<std::uint8_t>(tile.x()), static_cast<std::uint8_t>(tile.y())};
  const Vec3 corner = corner_of(place);
  const auto scale = double{options.scale};
  // Above everything that may stand there; parallel light does not care how far.
  constexpr double kAbove = 5000;
  const double low = double{sight.scene.bounds.minimum[1]} / scale;
  const double high = double{sight.scene.bounds.maximum[1]} / scale;
  const double north = double{corner[0]} - kTileSize / 2;
  const double west = double{corner[1]} - kTileSize / 2;
  frame::Camera& camera = sight.camera;
  camera.eye = to_scene_axes(north, west, high + kAbove, scale);
  camera.target = to_scene_axes(north, west, low, scale);
  camera.up = to_scene_axes(1, 0, 0);
  camera.height = static_cast<float>(kTileSize * scale);
  camera.near_clip = static_cast<float>(scale);
  camera.far_clip = static_cast<float>((high - low + 2 * kAbove) * scale);
  return sight;
}

}  // namespace thaw::world
