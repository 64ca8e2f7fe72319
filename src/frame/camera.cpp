// Cameras: those of a scene, and one that frames all that a clip shows.
#include <thaw/control.hpp>
#include <thaw/frame.hpp>

#include "bytes/number_text.hpp"
#include "bytes/text.hpp"
#include "frame/pose.hpp"
#include "scene/axes.hpp"
#include "scene/clips.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace thaw::frame {
namespace {

constexpr double kMargin = 0.92;  ///< of the picture's half that the model may fill

/// How far points reach along the planes of a view frustum, whatever its apex: with the slope t of a plane,
/// the largest (x − t·depth) and (−x − t·depth), and the same for y.
struct Reach {
  double right = -1e300;
  double left = -1e300;
  double top = -1e300;
  double bottom = -1e300;
  double nearest = 1e300;
  double farthest = -1e300;
  std::array<double, 2> least{1e300, 1e300};  ///< without regard to depth
  std::array<double, 2> most{-1e300, -1e300};
  bool any = false;
};

class Fitter {
 public:
  Fitter(const Viewer& viewer, double slope, double aspect)
      : viewer_(viewer), slope_x_(slope * aspect * kMargin), slope_y_(slope * kMargin) {}

  void add(const Vec3d& p) {
    const double x = scene::dot(p, viewer_.right);
    const double y = scene::dot(p, viewer_.up);
    const double depth = -scene::dot(p, viewer_.back);
    if (!std::isfinite(x + y + depth)) {
      return;
    }
    reach_.right = std::max(reach_.right, x - slope_x_ * depth);
    reach_.left = std::max(reach_.left, -x - slope_x_ * depth);
    reach_.top = std::max(reach_.top, y - slope_y_ * depth);
    reach_.bottom = std::max(reach_.bottom, -y - slope_y_ * depth);
    reach_.nearest = std::min(reach_.nearest, depth);
    reach_.farthest = std::max(reach_.farthest, depth);
    reach_.least = {std::min(reach_.least[0], x), std::min(reach_.least[1], y)};
    reach_.most = {std::max(reach_.most[0], x), std::max(reach_.most[1], y)};
    reach_.any = true;
  }

  /// Adds what was added to another fitter of this view.
  void add(const Fitter& other) {
    const Reach& more = other.reach_;
    reach_.right = std::max(reach_.right, more.right);
    reach_.left = std::max(reach_.left, more.left);
    reach_.top = std::max(reach_.top, more.top);
    reach_.bottom = std::max(reach_.bottom, more.bottom);
    reach_.nearest = std::min(reach_.nearest, more.nearest);
    reach_.farthest = std::max(reach_.farthest, more.farthest);
    for (std::size_t axis = 0; axis < reach_.least.size(); ++axis) {
      reach_.least.at(axis) = std::min(reach_.least.at(axis), more.least.at(axis));
      reach_.most.at(axis) = std::max(reach_.most.at(axis), more.most.at(axis));
    }
    reach_.any = reach_.any || more.any;
  }

  [[nodiscard]] bool any() const { return reach_.any; }
  /// The longer side of what was added, across the view.
  [[nodiscard]] double size() const {
    return any() ? std::max(reach_.most[0] - reach_.least[0], reach_.most[1] - reach_.least[1]) : 0;
  }

  /// The eye from which everything is just seen; `distance` moves it further back.
  [[nodiscard]] Camera camera(Camera camera, double distance) const {
    const double x = (reach_.right - reach_.left) / 2;
    const double y = (reach_.top - reach_.bottom) / 2;
    const double depth_x = -(reach_.right + reach_.left) / (2 * slope_x_);
    const double depth_y = -(reach_.top + reach_.bottom) / (2 * slope_y_);
    const double middle = (reach_.nearest + reach_.farthest) / 2;
    const double fit = std::min({depth_x, depth_y, reach_.nearest - 1e-4});
    // A thing without size is looked at from a little way off.
    const double away = std::max((middle - fit) * distance, 1e-3);
    const double apex = middle - away;
    const auto at = [&](double depth) {
      return scene::narrow(
          scene::add(scene::add(scene::scaled(viewer_.right, x), scene::scaled(viewer_.up, y)),
                     scene::scaled(viewer_.back, -depth)));
    };
    camera.eye = at(apex);
    camera.target = at(middle);
    const double near = std::max(reach_.nearest - apex, away * 0.02);
    camera.near_clip = static_cast<float>(near * 0.8);
    camera.far_clip = static_cast<float>(std::max(reach_.farthest - apex, near) * 1.5 + away * 0.5);
    return camera;
  }

 private:
  const Viewer& viewer_;
  double slope_x_;
  double slope_y_;
  Reach reach_;
};

/// Glows and shadows reach far beyond what a model is.
bool is_body(const Draw& draw) {
  return draw.origin == Origin::mesh && (draw.blend == Blend::none || draw.blend == Blend::alpha);
}

/// `moved`: how far the frame's content has walked away. Corners of triangles share points, each of which is
/// looked at once; `seen` is room for that.
void add_points(Fitter& bodies, Fitter& others, const Frame& frame, const Vec3d& moved,
                std::vector<std::uint8_t>& seen) {
  seen.assign(frame.positions.size(), 0);
  for (const auto& draw : frame.draws) {
    const bool body = is_body(draw);
    const std::uint8_t bit = body ? 1 : 2;
    Fitter& fitter = body ? bodies : others;
    for (std::uint32_t i = draw.first_index; i < draw.first_index + draw.index_count; ++i) {
      const std::size_t index = draw.base_position + frame.indices[i];
      if ((seen[index] & bit) == 0) {
        seen[index] |= bit;
        fitter.add(scene::subtract(scene::widen(frame.positions[index]), moved));
      }
    }
  }
}

std::vector<double> moments_of(const scene::Scene& scene, Index clip) {
  constexpr std::size_t kMostVertices = 200000;
  std::size_t vertices = 0;
  for (const auto& mesh : scene.meshes) {
    vertices += mesh.positions.size();
  }
  const int count = clip >= scene.clips.size() ? 1 : vertices > kMostVertices ? 3 : 9;
  const double duration = clip < scene.clips.size() ? double{scene.clips[clip].duration} : 0;
  std::vector<double> times;
  times.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    times.push_back(count > 1 ? duration * i / (count - 1) : 0);
  }
  return times;
}

/// The box that bones stand in.
struct BoneBox {
  Vec3d least{1e300, 1e300, 1e300};
  Vec3d most{-1e300, -1e300, -1e300};

  [[nodiscard]] Vec3d middle() const { return scene::scaled(scene::add(least, most), 0.5); }
  [[nodiscard]] double size() const { return scene::length(scene::subtract(most, least)); }
};

BoneBox bones_at(const scene::Scene& scene, const std::vector<WorldTransform>& places) {
  BoneBox box;
  for (std::size_t node = 0; node < places.size(); ++node) {
    const scene::NodeKind kind = scene.nodes[node].kind;
    if (kind != scene::NodeKind::bone && kind != scene::NodeKind::helper) {
      continue;
    }
    const Vec3d at = scene::translation_of(places[node].world);
    for (std::size_t axis = 0; axis < at.size(); ++axis) {
      box.least.at(axis) = std::min(box.least.at(axis), at.at(axis));
      box.most.at(axis) = std::max(box.most.at(axis), at.at(axis));
    }
  }
  return box;
}

}  // namespace

Camera auto_camera(const Evaluator& evaluator, const scene::Scene& scene, Index clip, const View& view,
                   float aspect, const Options& options) {
  const auto azimuth = double{view.azimuth};
  const double elevation = std::clamp(double{view.elevation}, -1.55, 1.55);
  Camera camera;
  camera.aspect = aspect;
  camera.target = {};
  const Vec3d towards = {scene::cosine(elevation) * scene::cosine(azimuth),
                         scene::cosine(elevation) * scene::sine(azimuth), scene::sine(elevation)};
  camera.eye = scene::narrow(scene::to_y_up(towards, scene.axes));
  const Viewer viewer = viewer_of(camera);
  const double half = double{camera.field_of_view} / 2;
  const double slope = scene::sine(half) / scene::cosine(half);
  Fitter bodies(viewer, slope, double{aspect});
  Fitter all(viewer, slope, double{aspect});
  std::vector<std::uint8_t> seen;
  Frame frame;
  for (const double time : view.moment ? std::vector{*view.moment} : moments_of(scene, clip)) {
    if (is_stopped(options.control)) {
      break;
    }
    evaluator.evaluate({clip, time, time}, camera, options, frame);
    const Vec3d moved = scene::scaled(scene::widen(view.travel), time);
    add_points(bodies, all, frame, moved, seen);
  }
  all.add(bodies);
  const double distance = std::clamp(double{view.distance}, 0.01, 1000.0);
  // Some effects hang on a geoset that is hardly more than a point.
  constexpr double kWorthALook = 0.02;
  if (bodies.any() && bodies.size() >= all.size() * kWorthALook) {
    return bodies.camera(camera, distance);
  }
  if (!all.any()) {
    all.add(scene::widen(scene.bounds.minimum));
    all.add(scene::widen(scene.bounds.maximum));
  }
  return all.camera(camera, distance);
}

Vec3 travel(const scene::Scene& scene, Index clip) {
  if (clip >= scene.clips.size() || !(scene.clips[clip].duration > 0)) {
    return {};
  }
  const Skeleton skeleton(scene);
  const Player player(scene, clip);
  const Viewer viewer;
  const WorldTransform world;
  const Pose pose(skeleton, player, viewer, world);
  const auto duration = double{scene.clips[clip].duration};
  const auto begin = bones_at(scene, pose.places(player.times({clip, 0, 0})));
  const auto end = bones_at(scene, pose.places(player.times({clip, duration, duration})));
  const Vec3d displacement = scene::subtract(end.middle(), begin.middle());
  const double length = scene::length(displacement);
  const double size = std::max({begin.size(), end.size(), double{scene.bounds.radius}});
  // What repeats and does not end where it began walks; what happens once may fall or leap.
  const double least = size * (scene.clips[clip].looping ? 0.1 : 1.0);
  return std::isfinite(length) && length > least ? scene::narrow(scene::scaled(displacement, 1 / duration))
                                                 : Vec3{};
}

std::optional<Camera> scene_camera(const scene::Scene& scene, Index index, const PlayTime& moment,
                                   float aspect) {
  if (index >= scene.cameras.size() || scene.cameras[index].node >= scene.nodes.size()) {
    return std::nullopt;
  }
  const scene::Camera& source = scene.cameras[index];
  const Skeleton skeleton(scene);
  const Player player(scene, moment.clip);
  const Viewer viewer;
  const WorldTransform world;
  const Pose pose(skeleton, player, viewer, world);
  const Times now = player.times(moment);
  const WorldTransform place = pose.place(source.node, now);
  Camera camera;
  camera.aspect = aspect;
  const Vec3d eye = scene::translation_of(place.world);
  camera.eye = scene::narrow(eye);
  const Vec3d forward = rotated(place.rotation, {0, 0, -1});
  double distance = 1;
  if (source.target_node < scene.nodes.size()) {
    const Vec3d target = scene::translation_of(pose.place(source.target_node, now).world);
    distance = std::max(scene::length(scene::subtract(target, eye)), 1e-3);
  }
  camera.target = scene::narrow(scene::add(eye, scene::scaled(forward, distance)));
  camera.up = scene::narrow(rotated(place.rotation, {0, 1, 0}));
  const auto ratio = double{aspect};
  const auto fov = double{source.field_of_view};
  if (source.diagonal) {
    camera.field_of_view = static_cast<float>(fov / std::sqrt(ratio * ratio + 1));
  } else {
    const double half = fov / 2;
    const double slope = scene::sine(half) / std::max(scene::cosine(half), 1e-6) / (16.0 / 9);
    camera.field_of_view = static_cast<float>(2 * scene::arc_tangent(slope, 1));
  }
  if (!(camera.field_of_view > 0.01F && camera.field_of_view < 3)) {
    camera.field_of_view = Camera().field_of_view;
  }
  const bool sound = source.near_clip > 0 && source.far_clip > source.near_clip;
  camera.near_clip = sound ? source.near_clip : static_cast<float>(distance * 0.02);
  camera.far_clip = sound ? source.far_clip : static_cast<float>(distance * 100);
  return camera;
}

std::optional<Index> portrait_camera(const scene::Scene& scene) {
  for (Index i = 0; i < scene.cameras.size(); ++i) {
    if (ascii::lowered(scene.cameras[i].name).find("portrait") != std::string::npos) {
      return i;
    }
  }
  return scene.cameras.empty() ? std::nullopt : std::optional<Index>(0);
}

bool is_portrait(const scene::Scene& scene, std::string_view file_name) {
  return scene::is_portrait(scene, file_name) && portrait_camera(scene).has_value();
}

Index default_clip(const scene::Scene& scene, std::string_view file_name) {
  return scene::default_clip(scene, file_name);
}

std::optional<Index> find_clip(const scene::Scene& scene, std::string_view name) {
  const std::string requested = ascii::lowered(name);
  const auto matches = [&](auto&& test) -> std::optional<Index> {
    for (Index i = 0; i < scene.clips.size(); ++i) {
      if (test(ascii::lowered(scene.clips[i].name))) {
        return i;
      }
    }
    return std::nullopt;
  };
  if (auto exact = matches([&](const std::string& clip) { return clip == requested; })) {
    return exact;
  }
  if (const auto index = parse_whole(requested); index && *index < scene.clips.size()) {
    return index;
  }
  return requested.empty() ? std::nullopt
                           : matches([&](const std::string& clip) { return clip.starts_with(requested); });
}

}  // namespace thaw::frame
