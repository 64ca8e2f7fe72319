// Pictures of a scene as the options of `render` and `thumb` ask for them.
#pragma once

#include <thaw/frame.hpp>
#include <thaw/raster.hpp>

#include "cli/arguments/settings.hpp"
#include "cli/inputs/open_scene.hpp"
#include "cli/picture/camera_path.hpp"

#include <memory>
#include <string>
#include <tl/expected.hpp>

namespace thaw::cli {

/// "512", "640x480": width and height.
std::optional<std::pair<std::uint32_t, std::uint32_t>> parse_picture_size(const std::string& text);

/// Whether no pixel of a picture differs from what is drawn where nothing is.
bool is_empty_picture(const Image& image, const raster::Options& drawn);
/// scene.empty-picture, with what may be the reason.
void report_of_empty_picture(Diagnostics& findings, const std::string& reason);

/// A moment of a clip.
struct Moment {
  double amount = 0;   ///< seconds, or
  bool share = false;  ///< hundredths of the clip
};

/// What the options say that does not depend on the model.
struct Shot {
  std::uint32_t width = 512;
  std::uint32_t height = 512;
  frame::Options frame;
  raster::Options raster;
  bool fog_asked = false;  ///< `frame.fog` is what the options want, even if it is none
  std::optional<Moment> moment;
};
/// The error is a usage error in words.
tl::expected<Shot, std::string> parse_shot(const Settings& settings);

/// One model in front of the camera.
class SceneRenderer {
 public:
  /// Fails with scene.no-clip or scene.no-camera. Everything must outlive the studio.
  static Result<SceneRenderer> open(const ShownScene& shown, const Settings& settings, const Shot& shot);

  /// The picture that the options ask for. Where they leave it open and next to nothing would be seen,
  /// another moment, clip or side is chosen first, and holds from then on.
  raster::Picture picture();
  /// The choice alone.
  void settle();
  /// `time` in seconds of the clip.
  raster::Picture shoot(double time);
  /// Seen from a place on a circle around the model, `turn` degrees from where the camera is asked for.
  raster::Picture shoot_around(double time, double turn);
  /// From a place on a path.
  raster::Picture shoot_from(double time, const PathView& view);
  /// From now on another clip, at the moment that the options ask for, or in its middle.
  void show_clip(frame::Index clip);
  /// The same at another size.
  void resize(std::uint32_t width, std::uint32_t height);

  [[nodiscard]] const scene::Clip* clip() const;
  [[nodiscard]] double time() const { return time_; }
  /// The moment of the clip that is shown at `time`: loops begin anew, of others the end stays.
  [[nodiscard]] double time_of_clip() const;
  /// Tells of clips that end before the moment which was asked for.
  void report_of_ends(Diagnostics& findings) const;
  /// Of the last picture.
  [[nodiscard]] const frame::Camera& camera() const { return used_; }
  [[nodiscard]] std::uint32_t triangles() const { return frame_.triangles; }
  [[nodiscard]] std::uint32_t particles() const { return frame_.particles; }
  [[nodiscard]] std::uint32_t stand_ins() const { return frame_.stand_ins; }
  /// Why there may be nothing to see.
  [[nodiscard]] std::string reason_of_nothing() const;

 private:
  SceneRenderer(const ShownScene& shown, const Settings& settings, Shot shot);
  [[nodiscard]] bool has_surfaces() const;
  std::optional<Error> choose_clip();
  void choose_time();
  double share_seen();
  [[nodiscard]] bool may_choose() const { return !shot_.moment && !settings_->play; }
  void find_something(double seen);
  void try_moments(frame::Index clip);
  void try_sides();
  void look(const frame::View& view);
  std::optional<Error> choose_camera();
  frame::Camera camera(double time);
  void find_circle(float aspect);
  [[nodiscard]] frame::Camera following(frame::Camera camera, double time) const;
  raster::Picture shoot(double time, const frame::Camera& camera);

  const ShownScene* shown_;
  const Settings* settings_;
  Shot shot_;
  std::unique_ptr<frame::Evaluator> evaluator_;
  raster::Textures textures_;
  frame::Index clip_ = frame::kNone;
  double time_ = 0;
  std::vector<frame::Index> ended_;  ///< clips that are shorter than --time
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

}  // namespace thaw::cli
