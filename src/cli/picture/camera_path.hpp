// The way of a camera: keys in time, or places that are walked by (docs/rendering.md#camera-paths).
#pragma once

#include <thaw/bytes.hpp>
#include <thaw/render.hpp>
#include <thaw/value.hpp>

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace thaw::cli {

class CameraPath {
 public:
  using Place = std::array<double, 3>;
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

}  // namespace thaw::cli
