#include <thaw/render.hpp>

#include "bytes/number_text.hpp"
#include "scene/math.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace thaw {
namespace {

constexpr double kMostSeconds = 3600;
constexpr double kAhead = 1;  // seconds of the way to the place that is looked at

using Point = CameraPath::Point;

double apart(const Point& a, const Point& b) { return scene::length(scene::subtract(a, b)); }

}  // namespace

/// Reads the description of a path; what is wrong with it ends the reading.
class PathReader {
 public:
  explicit PathReader(const Value& json) : json_(json) {}

  tl::expected<CameraPath, std::string> read() {
    const bool walk = json_.find("walk") != nullptr;
    if (json_.object().empty() || walk == (json_.find("keys") != nullptr)) {
      return tl::unexpected<std::string>(R"(a path must be an object with either "keys" or "walk")");
    }
    if (walk) {
      knows(json_, {"walk", "speed", "fov", "curve"}, "");
      read_walk();
    } else {
      knows(json_, {"keys", "curve"}, "");
      read_keys();
    }
    const std::string& curve = json_["curve"].text();
    path_.linear_ = curve == "linear";
    if (json_.find("curve") != nullptr && curve != "linear" && curve != "smooth") {
      wrong("curve must be smooth or linear");
    }
    check();
    return wrong_.empty() ? tl::expected<CameraPath, std::string>(std::move(path_))
                          : tl::unexpected<std::string>(std::move(wrong_));
  }

 private:
  void wrong(std::string text) {
    if (wrong_.empty()) {
      wrong_ = std::move(text);
    }
  }

  void knows(const Value& value, std::initializer_list<std::string_view> names, const std::string& where) {
    for (const auto& [name, member] : value.object()) {
      if (std::find(names.begin(), names.end(), name) == names.end()) {
        std::string known;
        for (const std::string_view one : names) {
          known += (known.empty() ? "" : ", ") + std::string(one);
        }
        wrong(where + "\"" + name + "\" is unknown here; members are " + known);
      }
    }
  }

  /// Of three numbers; the last may be a text such as "+2".
  void read_place(const Value& value, const std::string& where, CameraPath::Places& places) {
    Point place{};
    bool above = false;
    for (std::size_t i = 0; i < place.size(); ++i) {
      auto number = value[i].number();
      if (const std::string& text = value[i].text(); i + 1 == place.size() && text.starts_with('+')) {
        above = true;
        double height = 0;
        number =
            parse_double(std::string_view(text).substr(1), height) ? std::optional(height) : std::nullopt;
      }
      if (!number || !std::isfinite(*number) || std::fabs(*number) > kFarthest) {
        return wrong(where +
                     " is not a position such as [1, 2.5, 3], or in a map [1, 2.5, \"+2\"], with numbers up "
                     "to 1000000");
      }
      place.at(i) = *number;
    }
    if (value.list().size() != place.size()) {
      wrong(where + " is not a position of three numbers");
    }
    if (!places.at.empty() && places.above_ground != above) {
      wrong(where + ": either all heights are relative to the ground, or none");
    }
    places.above_ground = above;
    places.at.push_back(place);
  }

  void read_fov(const Value& value, const std::string& where) {
    const auto degrees = value.number();
    if (!degrees || !(*degrees > 0 && *degrees < 180)) {
      return wrong(where + "fov must be between 0 and 180 degrees");
    }
    path_.fovs_.push_back({*degrees * scene::kRadiansPerDegree});
  }

  void read_keys() {
    for (const Value& key : json_["keys"].list()) {
      const std::string where = "keys[" + std::to_string(path_.times_.size()) + "].";
      knows(key, {"time", "eye", "target", "fov"}, where);
      const auto time = key["time"].number();
      const double last = path_.times_.empty() ? 0 : path_.times_.back();
      const bool begins = path_.times_.empty() && time && *time == 0;
      if (!begins && !(time && !path_.times_.empty() && *time > last && *time <= kMostSeconds)) {
        wrong(where + "time: expected 0 in the first key, then increasing seconds up to 3600");
      }
      path_.times_.push_back(time.value_or(last));
      read_place(key["eye"], where + "eye", path_.eyes_);
      if (key.find("target") != nullptr) {
        read_place(key["target"], where + "target", path_.targets_);
      }
      if (key.find("fov") != nullptr) {
        read_fov(key["fov"], where);
      }
    }
  }

  void read_walk() {
    constexpr double kSpeed = 7;  // of a character that runs, in yards per second
    const Value* stated = json_.find("speed");
    const auto speed = stated == nullptr ? std::optional(kSpeed) : stated->number();
    if (!speed || !(*speed > 0 && std::isfinite(*speed))) {
      return wrong("speed must be above 0 units per second");
    }
    for (const Value& place : json_["walk"].list()) {
      read_place(place, "walk[" + std::to_string(path_.eyes_.at.size()) + "]", path_.eyes_);
    }
    for (std::size_t i = 0; i < path_.eyes_.at.size() && wrong_.empty(); ++i) {
      const double seconds = i == 0 ? 0 : apart(path_.eyes_.at[i - 1], path_.eyes_.at[i]) / *speed;
      path_.times_.push_back(i == 0 ? 0 : path_.times_.back() + seconds);
      if (i > 0 && !(seconds > 0 && path_.times_.back() <= kMostSeconds)) {
        wrong("walk[" + std::to_string(i) +
              (seconds > 0 ? "]: the position is reached after more than an hour; raise the speed"
                           : "]: the position repeats the previous one"));
      }
    }
    if (json_.find("fov") != nullptr) {
      read_fov(json_["fov"], "");
      const auto fov = path_.fovs_;
      path_.fovs_.assign(fov.empty() ? 0 : path_.times_.size(), fov.empty() ? std::array{0.0} : fov.front());
    }
  }

  void check() {
    const std::size_t count = path_.times_.size();
    if (count < 2) {
      wrong("a path needs at least two positions, not " + std::to_string(count));
    }
    for (const auto& [name, size] :
         {std::pair("target", path_.targets_.at.size()), {"fov", path_.fovs_.size()}}) {
      if (size != 0 && size != count) {
        wrong(std::to_string(size) + " of " + std::to_string(count) + " keys with a " + name +
              "; all must have one, or none");
      }
    }
    const Point& first = path_.eyes_.at.empty() ? Point() : path_.eyes_.at.front();
    if (path_.targets_.at.empty() && std::all_of(path_.eyes_.at.begin(), path_.eyes_.at.end(),
                                                 [&](const Point& eye) { return eye == first; })) {
      wrong("a camera that does not move needs a target");
    }
  }

  static constexpr double kFarthest = 1e6;

  const Value& json_;
  CameraPath path_;
  std::string wrong_;
};

tl::expected<CameraPath, std::string> CameraPath::of(const Value& json) { return PathReader(json).read(); }

/// Of smooth ones a cubic curve, which at a key goes on as the parabola through it and its neighbours.
template <std::size_t N>
std::array<double, N> CameraPath::between(const std::vector<std::array<double, N>>& values,
                                          double time) const {
  const double at = std::clamp(time, 0.0, duration());
  const auto after = std::upper_bound(times_.begin() + 1, times_.end() - 1, at);
  const auto i = static_cast<std::size_t>(after - times_.begin()) - 1;
  const double span = times_[i + 1] - times_[i];
  const double s = (at - times_[i]) / span;
  std::array<double, N> result{};
  for (std::size_t axis = 0; axis < N; ++axis) {
    const auto slope = [&](std::size_t k) {
      return (values[k + 1].at(axis) - values[k].at(axis)) / (times_[k + 1] - times_[k]);
    };
    const auto tangent = [&](std::size_t k) {
      if (k == 0 || k + 1 == times_.size()) {
        return slope(k == 0 ? 0 : k - 1);
      }
      const double before = times_[k] - times_[k - 1];
      const double next = times_[k + 1] - times_[k];
      return (slope(k - 1) * next + slope(k) * before) / (before + next);
    };
    const double from = values[i].at(axis);
    const double to = values[i + 1].at(axis);
    const double bend =
        s * (1 - s) *
        ((1 - s) * (tangent(i) * span - (to - from)) - s * (tangent(i + 1) * span - (to - from)));
    result.at(axis) = from + (to - from) * s + (linear_ ? 0 : bend);
  }
  return result;
}

/// Where it will be, or beyond the end would be; of one that stands, where it goes next.
Point CameraPath::ahead(double time) const {
  const Point eye = between(eyes_.at, time);
  double later = time + kAhead;
  while (later < duration()) {
    if (const Point place = between(eyes_.at, later); apart(place, eye) > 1e-3) {
      return place;
    }
    later += kAhead;
  }
  constexpr double kInstant = 1e-3;
  const Point end = between(eyes_.at, duration());
  double back = kInstant;
  Point before = between(eyes_.at, duration() - back);
  while (apart(before, end) < 1e-6 && back < duration()) {
    back *= 2;
    before = between(eyes_.at, duration() - back);
  }
  const double share = (time + kAhead - duration()) / back;
  return scene::add(end, scene::scaled(scene::subtract(end, before), std::max(share, 1.0)));
}

std::optional<Viewpoint> CameraPath::at(double time, const Ground& ground) const {
  const auto lifted = [&](Point place, bool above) -> std::optional<Point> {
    if (above) {
      const auto height = ground ? ground(place) : std::nullopt;
      if (!height) {
        return std::nullopt;
      }
      place[2] += *height;
    }
    return place;
  };
  Viewpoint view;
  const auto eye = lifted(between(eyes_.at, time), eyes_.above_ground);
  if (!eye) {
    return std::nullopt;
  }
  view.eye = *eye;
  if (targets_.at.empty()) {
    const Point next = ahead(time);
    // What is ahead may lie beyond the ground.
    view.target = lifted(next, eyes_.above_ground).value_or(Point{next[0], next[1], (*eye)[2]});
  } else {
    const auto target = lifted(between(targets_.at, time), targets_.above_ground);
    if (!target) {
      return std::nullopt;
    }
    view.target = *target;
  }
  if (!fovs_.empty()) {
    constexpr double kLeast = scene::kRadiansPerDegree;
    view.field_of_view = std::clamp(between(fovs_, time)[0], kLeast, scene::kPi - kLeast);
  }
  return view;
}

}  // namespace thaw
