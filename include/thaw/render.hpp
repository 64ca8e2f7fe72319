// Images of scenes and maps as `thaw render` and `thaw thumb` draw them: one image, films, sheets of clips.
#pragma once

#include <thaw/frame.hpp>
#include <thaw/lit.hpp>
#include <thaw/load.hpp>
#include <thaw/raster.hpp>
#include <thaw/value.hpp>
#include <thaw/world.hpp>

#include <tl/expected.hpp>

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)

namespace thaw {

/// A moment of a clip.
struct ClipTime {
  double amount = 0;   ///< seconds, or
  bool share = false;  ///< hundredths of the clip
};

/// What a picture is to show, and how.
struct Shot {
  std::uint32_t width = 512;  ///< pixels
  std::uint32_t height = 512;
  /// By name or number; empty: what the model does when it stands (frame::default_clip); "none": its rest
  /// pose.
  std::string clip;
  /// None: its start, or the middle of one that does not loop.
  std::optional<ClipTime> moment;
  /// Framed from its front ("" or "auto"), "portrait", a side ("front", "left", "back", "right", "top"), a
  /// camera of the model by name, or "azimuth,elevation[,distance]" in degrees and times the usual distance.
  /// Portraits are seen by their own camera unless something is stated.
  std::string camera;
  /// Where next to nothing would be seen, another moment, clip or side is not chosen.
  bool as_stated = false;
  frame::Options frame;
  raster::Options raster;  ///< but for its sides
};

/// A place of the camera, and what it looks at, in units of the scene.
struct Viewpoint {
  std::array<double, 3> eye{};
  std::array<double, 3> target{};
  std::optional<double> field_of_view;  ///< radians between bottom and top; none: what is usual
};

/// Whether no pixel of a picture differs from what is drawn where nothing is.
bool is_empty_picture(const Image& image, const raster::Options& drawn);

/// One scene in front of the camera.
class SceneRenderer {
 public:
  /// `models` are those that hang in the scene (models_within); portraits are known by `file_name`, without
  /// extension. Scene and models must outlive the renderer. Errors, which list what there is: scene.no-clip,
  /// scene.no-camera.
  static Result<SceneRenderer> open(const scene::Scene& scene, const std::vector<frame::NamedModel>& models,
                                    std::string file_name, const Shot& shot);

  /// The picture of the shot. Where that leaves it open and next to nothing would be seen, another moment,
  /// clip or side is chosen first, and holds from then on; where what is seen would stand small, the camera
  /// goes nearer.
  raster::Picture picture();
  /// The choice alone.
  void settle();
  /// `time` in seconds of the clip.
  raster::Picture shoot(double time);
  /// Seen from a place on a circle around the model, `turn` degrees from the requested camera.
  raster::Picture shoot_around(double time, double turn);
  /// From a place.
  raster::Picture shoot_from(double time, const Viewpoint& view);
  /// From now on another clip, at the moment of the shot, or in its middle.
  void show_clip(frame::Index clip);
  /// The same at another size.
  void resize(std::uint32_t width, std::uint32_t height);

  /// What is shown; null for the rest pose.
  [[nodiscard]] const scene::Clip* clip() const;
  /// Seconds of that clip.
  [[nodiscard]] double time() const { return time_; }
  /// The moment of the clip that is shown at `time`: loops begin anew, of others the end stays.
  [[nodiscard]] double time_of_clip() const;
  /// Reports clips that end before the moment of the shot (option.effect).
  void report_ends(Diagnostics& findings) const;
  /// Of the last picture.
  [[nodiscard]] const frame::Camera& camera() const { return used_; }
  [[nodiscard]] std::uint32_t triangles() const { return frame_.triangles; }  ///< Of the last picture.
  [[nodiscard]] std::uint32_t particles() const { return frame_.particles; }  ///< Of the last picture.
  /// Sprites of the last picture in place of models and effects that no source has.
  [[nodiscard]] std::uint32_t stand_ins() const { return frame_.stand_ins; }
  /// Why there may be nothing to see.
  [[nodiscard]] std::string reason_of_nothing() const;

 private:
  SceneRenderer(const scene::Scene& scene, const std::vector<frame::NamedModel>& models,
                std::string file_name, Shot shot);
  [[nodiscard]] bool has_surfaces() const;
  std::optional<Error> choose_clip();
  void choose_time();
  Image small_picture(std::uint32_t side);
  double share_seen();
  bool aim(const Image& picture);
  [[nodiscard]] bool may_choose() const { return !shot_.moment && !shot_.as_stated; }
  void find_something(double seen);
  void try_moments(frame::Index clip);
  void try_sides();
  void look(const frame::View& view);
  std::optional<Error> choose_camera();
  frame::Camera camera(double time);
  void find_circle(float aspect);
  [[nodiscard]] frame::Camera following(frame::Camera camera, double time) const;
  raster::Picture shoot(double time, const frame::Camera& camera);

  const scene::Scene* scene_;
  bool with_models_;
  std::string file_name_;
  Shot shot_;
  std::unique_ptr<frame::Evaluator> evaluator_;
  raster::Textures textures_;
  frame::Index clip_ = frame::kNone;
  double time_ = 0;
  std::vector<frame::Index> ended_;  ///< clips that are shorter than the moment of the shot
  frame::View view_;
  frame::Index camera_ = frame::kNone;  ///< of the model, unless it is framed
  std::optional<frame::Camera> framed_;
  std::optional<frame::Camera> circle_;  ///< seen from azimuth 0
  frame::Camera used_;
  frame::Frame frame_;
  /// What has been looked at in search of something to see.
  struct Sight {
    frame::Index clip = frame::kNone;
    double time = 0;
    frame::View view;
    double share = 0;  ///< of the picture that shows something
  };
  Sight best_;
};

/// One picture of a scene. Errors as SceneRenderer::open.
Result<raster::Picture> render(const scene::Scene& scene, const Shot& shot = {},
                               const std::vector<frame::NamedModel>& models = {});

// --- films: camera paths, all clips of a model, models next to each other

/// The way of a camera: keys in time, or places that are walked by (docs/user/look.md#camera-paths). Moments
/// are seconds; places are those of Viewpoint.
class CameraPath {
 public:
  using Point = std::array<double, 3>;  ///< X, Y and Z
  /// How high the ground is at a place; none where there is none.
  using Ground = std::function<std::optional<double>(const Point& place)>;

  /// {"keys": [{"time", "eye", "target", "fov"}, …]} or {"walk": [[X, Y, Z], …], "speed", "fov"}, both with
  /// "curve". The error is in words.
  static tl::expected<CameraPath, std::string> of(const Value& json);

  [[nodiscard]] double duration() const { return times_.back(); }  ///< seconds
  /// Heights count from the ground, which only maps have.
  [[nodiscard]] bool above_ground() const { return eyes_.above_ground || targets_.above_ground; }
  /// At a moment from 0 to `duration`; beyond, as at the ends. None where there is no ground to be above.
  [[nodiscard]] std::optional<Viewpoint> at(double time, const Ground& ground = {}) const;

 private:
  /// A place per key, or none at all.
  struct Places {
    std::vector<Point> at;
    bool above_ground = false;
  };
  friend class PathReader;

  template <std::size_t N>
  [[nodiscard]] std::array<double, N> between(const std::vector<std::array<double, N>>& values,
                                              double time) const;
  [[nodiscard]] Point ahead(double time) const;

  std::vector<double> times_;  ///< of keys, at least two; from 0, increasing
  Places eyes_;
  Places targets_;                           ///< none: ahead on the way
  std::vector<std::array<double, 1>> fovs_;  ///< radians, or none
  bool linear_ = false;
};

/// All clips of a model in one picture, each with its name.
class ClipSheet {
 public:
  /// `renderer` of that scene, and `shot`, must outlive the sheet. Each clip is as large as `shot` says.
  /// Loops that run alongside all clips have no cell; a model without clips has one for its rest pose.
  ClipSheet(SceneRenderer& renderer, const scene::Scene& scene, const Shot& shot);

  [[nodiscard]] std::size_t cells() const { return clips_.size(); }  ///< how many clips it shows
  /// Each clip at the requested time, or in its middle, framed by itself.
  raster::Picture draw();
  /// Whether nothing is visible in any of them.
  [[nodiscard]] bool empty() const { return empty_; }

 private:
  void put(const Image& picture, std::size_t cell, std::string_view text);

  SceneRenderer& renderer_;
  const Shot& shot_;
  std::vector<frame::Index> clips_;
  std::uint32_t columns_ = 1;
  std::uint32_t row_height_ = 0;
  Image image_;
  bool empty_ = true;
};

/// A scene with the models within it.
struct SceneOfFile {
  scene::Scene scene;
  std::vector<frame::NamedModel> models;
  std::string file_name;  ///< without extension
};

/// From the left to the right as one sees them from in front, each in its usual clip, on one ground.
SceneOfFile side_by_side(std::vector<SceneOfFile> all);

// --- maps of WoW Alpha: tiles from above, views from a position or along a path

/// How a picture of a map is taken. Of the shot count its size, background and what the rasteriser and the
/// frame take.
struct MapShot {
  Shot shot;
  wdt::TileRange tiles;              ///< from above
  world::SceneOptions scene;         ///< but for where models and textures come from
  world::GroundLight light;          ///< where there is no lights.lit
  world::ViewOptions view;           ///< from a place; its camera is where one looks from
  double heading = 0;                ///< radians from north towards west
  double pitch = 0;                  ///< radians above the horizon
  bool override_fog = false;         ///< `shot.frame.fog` counts, and not that of the place
  bool override_background = false;  ///< the shot's counts, and not the sky of a day or the colour of the fog
  bool override_bake_size =
      false;  ///< SceneOptions::bake_size counts, and not what the picture's size requires
};

/// A map, and what belongs to it.
struct MapToRender {
  const wdt::World& world;
  const MapModels& models;
  std::string name;                    ///< of its scenes
  const wdl::Document* far = nullptr;  ///< far terrain of the same map
  const lit::Document* lights = nullptr;
};

/// A picture, and what is in it.
struct MapPicture {
  Image image;
  bool complete = true;  ///< the work was not stopped
  std::size_t tiles = 0;
  std::uint64_t triangles = 0;
  std::uint64_t particles = 0;
  std::optional<frame::Camera> camera;  ///< of a picture from a place
};

/// All tiles of the range next to each other, north up, each with what stands on it. Findings that several
/// tiles have in common are reported once. Errors: world.no-tile, world.too-large for more tiles than the
/// picture has pixels, limit.pixels.
Result<MapPicture> render_from_above(const MapToRender& map, const MapShot& shot, const ReadOptions& read,
                                     Diagnostics& diagnostics = Diagnostics::discarded());

/// What is seen from MapShot::view's camera. Errors: limit.pixels.
Result<MapPicture> render_from_place(const MapToRender& map, const MapShot& shot, const ReadOptions& read,
                                     Diagnostics& diagnostics = Diagnostics::discarded());

/// What is seen along a path at each of these seconds; ends early, without an error, where the work is
/// stopped. Errors: as above, world.no-tile where there is no ground to be above.
Result<void> render_along_path(const MapToRender& map, const MapShot& shot, const CameraPath& path,
                               std::span<const double> times, const ReadOptions& read,
                               const std::function<void(MapPicture picture)>& take,
                               Diagnostics& diagnostics = Diagnostics::discarded());

}  // namespace thaw

#pragma GCC visibility pop
