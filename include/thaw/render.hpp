// Pictures of models as `thaw render` and `thaw thumb` take them: a scene (open_scene.hpp) in front of a
// camera that finds what there is to see.
#pragma once

#include <thaw/frame.hpp>
#include <thaw/raster.hpp>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#pragma GCC visibility push(default)

namespace thaw {

/// A moment of a clip.
struct ShotMoment {
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
  std::optional<ShotMoment> moment;
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
  /// Seen from a place on a circle around the model, `turn` degrees from where the camera is asked for.
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
                std::string file_name, const Shot& shot);
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

}  // namespace thaw

#pragma GCC visibility pop
