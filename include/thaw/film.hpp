// What takes more than one picture: a camera on its way, all clips of a model, models beside each other.
#pragma once

#include <thaw/render.hpp>
#include <thaw/value.hpp>

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#pragma GCC visibility push(default)

namespace thaw {

/// The way of a camera: keys in time, or places that are walked by (docs/user/look.md#camera-paths). Moments
/// are seconds; places are those of Viewpoint.
class CameraPath {
 public:
  using Place = std::array<double, 3>;  ///< X, Y and Z
  /// How high the ground is at a place; none where there is none.
  using Ground = std::function<std::optional<double>(const Place& place)>;

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
    std::vector<Place> at;
    bool above_ground = false;
  };
  friend class PathReader;

  template <std::size_t N>
  [[nodiscard]] std::array<double, N> between(const std::vector<std::array<double, N>>& values,
                                              double time) const;
  [[nodiscard]] Place ahead(double time) const;

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
  /// Loops that run beside all clips have no cell; a model without clips has one for its rest pose.
  ClipSheet(SceneRenderer& renderer, const scene::Scene& scene, const Shot& shot);

  [[nodiscard]] std::size_t cells() const { return clips_.size(); }  ///< how many clips it shows
  /// Each clip at the moment that is asked for, or in its middle, framed by itself.
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

}  // namespace thaw

#pragma GCC visibility pop
