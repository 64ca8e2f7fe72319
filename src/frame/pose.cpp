#include "frame/pose.hpp"

#include "scene/axes.hpp"

#include <algorithm>

namespace thaw::frame {
namespace {

using scene::Billboard;
using scene::conjugate;
using scene::quaternion_product;
using scene::reciprocal;
using scene::unit;

Vec4d axis_turn(const Vec3d& axis, double angle) {
  const double s = scene::sine(angle / 2);
  return {axis[0] * s, axis[1] * s, axis[2] * s, scene::cosine(angle / 2)};
}

}  // namespace

Vec3d rotated(const Vec4d& q, const Vec3d& v) {
  const Vec3d axis = {q[0], q[1], q[2]};
  const Vec3d once = scene::scaled(scene::cross(axis, v), 2);
  return scene::add(v, scene::add(scene::scaled(once, q[3]), scene::cross(axis, once)));
}

Viewer viewer_of(const Camera& camera) {
  Viewer viewer;
  viewer.eye = scene::widen(camera.eye);
  viewer.back = unit(scene::subtract(viewer.eye, scene::widen(camera.target)), {0, 0, 1});
  const Vec3d sideways = std::fabs(viewer.back[1]) < 0.999 ? Vec3d{0, 1, 0} : Vec3d{1, 0, 0};
  const Vec3d up = unit(scene::widen(camera.up), sideways);
  Vec3d right = scene::cross(up, viewer.back);
  if (scene::length(right) < 1e-6) {
    right = scene::cross(sideways, viewer.back);
  }
  viewer.right = unit(right, {1, 0, 0});
  viewer.up = scene::cross(viewer.back, viewer.right);
  return viewer;
}

Vec4d facing(const Viewer& viewer, scene::Axes axes) {
  const bool right = axes == scene::Axes::x_right;
  const Vec3d& x = right ? viewer.back : viewer.right;
  const Vec3d& y = viewer.up;
  const Vec3d z = right ? scene::scaled(viewer.right, -1) : viewer.back;
  const scene::Transform transform =
      scene::decompose({x[0], x[1], x[2], 0, y[0], y[1], y[2], 0, z[0], z[1], z[2], 0, 0, 0, 0, 1});
  return scene::normalized(scene::widen(transform.rotation));
}

Skeleton::Skeleton(const scene::Scene& scene) : scene_(scene) {
  const auto world = scene::Poser(scene, nullptr).world_matrices(0);
  rest_positions_.resize(world.size());
  std::transform(world.begin(), world.end(), rest_positions_.begin(), scene::translation_of);
  for (Index node = 0; node < scene.nodes.size(); ++node) {
    depths_.push_back(parent(node) == kNone ? 1 : depths_[parent(node)] + 1);
  }
}

/// The rotation of a billboard within the rotation that it inherits. Locked ones turn about one axis of the
/// source's frame.
Vec4d Pose::turned(Index node, const Vec4d& local, const Vec4d& above, Vec3d& scale) const {
  const Billboard kind = skeleton_.scene().nodes[node].billboard;
  if (kind == Billboard::none) {
    return local;
  }
  if (kind == Billboard::full) {
    return quaternion_product(quaternion_product(conjugate(above), facing_), local);
  }
  const Vec4d inverse = quaternion_product(conjugate(local), conjugate(above));
  const Vec3d ray = rotated(inverse, viewer_.back);
  const scene::Axes axes = skeleton_.scene().axes;
  const auto [x, y, z] = scene::to_z_up(ray, axes);
  if (kind == Billboard::lock_x) {
    scale[1] = -scale[1];  // "empirical" in the sources that have it
    return quaternion_product(local,
                              axis_turn(scene::to_y_up(Vec3d{1, 0, 0}, axes), scene::arc_tangent(z, y)));
  }
  if (kind == Billboard::lock_y) {
    return quaternion_product(local,
                              axis_turn(scene::to_y_up(Vec3d{0, 1, 0}, axes), scene::arc_tangent(-z, x)));
  }
  return quaternion_product(local, axis_turn(scene::to_y_up(Vec3d{0, 0, 1}, axes), scene::arc_tangent(y, x)));
}

WorldTransform Pose::place(Index node, const Times& times, const Above& above) const {
  const scene::Node& flags = skeleton_.scene().nodes[node];
  const scene::Transform local = player_.local(node, times);
  const WorldTransform& parent = above.parent == nullptr ? instance_ : *above.parent;
  const WorldTransform& whole = above.root != nullptr ? *above.root : instance_;
  const bool turns_alone = above.parent != nullptr && !flags.inherit_rotation;
  Vec4d rotation = scene::normalized(scene::widen(local.rotation));
  Vec3d scale = scene::widen(local.scale);
  rotation = turned(node, rotation, turns_alone ? whole.rotation : parent.rotation, scale);
  if (above.parent != nullptr) {
    if (turns_alone) {
      rotation = quaternion_product(quaternion_product(conjugate(parent.rotation), whole.rotation), rotation);
    }
    if (!flags.inherit_scale) {
      scale = scene::multiply(scene::multiply(reciprocal(parent.scale), whole.scale), scale);
    }
  }
  WorldTransform result;
  result.world =
      scene::multiply(parent.world, scene::compose(scene::widen(local.translation), rotation, scale));
  result.rotation = scene::normalized(quaternion_product(parent.rotation, rotation));
  result.scale = scene::multiply(parent.scale, scale);
  if (above.parent == nullptr) {
    return result;
  }
  const Vec3d from = scene::translation_of(parent.world);
  if (!flags.inherit_translation) {
    const Vec3d rest =
        scene::transform_point(instance_.world, skeleton_.rest_position(skeleton_.parent(node)));
    for (std::size_t i = 0; i < 3; ++i) {
      result.world[12 + i] -= from[i] - rest[i];
    }
  }
  if (flags.camera_anchored) {
    const double distance = scene::length(scene::widen(local.translation));
    const Vec3d towards = unit(scene::subtract(viewer_.eye, from), viewer_.back);
    for (std::size_t i = 0; i < 3; ++i) {
      result.world[12 + i] = from[i] + towards[i] * distance;
    }
  }
  return result;
}

std::vector<WorldTransform> Pose::places(const Times& times) const {
  const auto count = static_cast<Index>(skeleton_.scene().nodes.size());
  std::vector<WorldTransform> placements(count);
  std::vector<Index> tops(count);
  for (Index node = 0; node < count; ++node) {
    const Index parent = skeleton_.parent(node);
    tops[node] = parent == kNone ? node : tops[parent];
    Above above;
    if (parent != kNone) {
      above.parent = &placements[parent];
      const bool places = skeleton_.scene().nodes[tops[node]].kind == scene::NodeKind::root;
      above.root = places ? &placements[tops[node]] : nullptr;
    }
    placements[node] = place(node, times, above);
  }
  return placements;
}

WorldTransform Pose::place(Index node, const Times& times) const {
  std::vector<Index> path;
  for (Index at = node; at != kNone; at = skeleton_.parent(at)) {
    path.push_back(at);
  }
  const WorldTransform top = place(path.back(), times, {});
  const bool places = skeleton_.scene().nodes[path.back()].kind == scene::NodeKind::root;
  WorldTransform current = top;
  for (std::size_t i = path.size() - 1; i-- > 0;) {
    const WorldTransform parent = current;
    current = place(path[i], times, {&parent, places ? &top : nullptr});
  }
  return current;
}

/// Only emitters ask.
void Pose::find_moving() {
  const scene::Scene& scene = skeleton_.scene();
  moving_.resize(scene.emitters.empty() ? 0 : scene.nodes.size());
  for (Index node = 0; node < moving_.size(); ++node) {
    const Index parent = skeleton_.parent(node);
    moving_[node] = player_.moves(node) || (parent != kNone && moving_[parent]);
  }
}

}  // namespace thaw::frame
