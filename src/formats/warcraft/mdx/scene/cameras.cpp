// Cameras: a node that looks at another one (mdx.md#cameras, warcraft3-rendering.md#cameras).
#include "formats/warcraft/mdx/curve_fit.hpp"
#include "formats/warcraft/mdx/scene/builder.hpp"
#include "formats/warcraft/mdx/scene/values.hpp"

#include <algorithm>

namespace thaw::mdx {
namespace {

using scene::Curve;
using scene::CurveMode;
using scene::Index;
using scene::Property;
using scene::Target;

using scene::cross;

/// a · s + b · t
Double3 mix(const Double3& a, double s, const Double3& b, double t) {
  return {a[0] * s + b[0] * t, a[1] * s + b[1] * t, a[2] * s + b[2] * t};
}

/// Unit length, or `otherwise` where there is no direction.
Double3 direction_or(const Double3& v, const Double3& otherwise) {
  const double size = scene::length(v);
  return size > 1e-9 && std::isfinite(size) ? mix(v, 1 / size, v, 0) : otherwise;
}

/// The rotation whose columns are these right-handed unit vectors.
Double4 rotation_of(const Double3& x, const Double3& y, const Double3& z) {
  const double trace = x[0] + y[1] + z[2];
  if (trace > 0) {
    return normalized({y[2] - z[1], z[0] - x[2], x[1] - y[0], 1 + trace});
  }
  if (x[0] >= y[1] && x[0] >= z[2]) {
    return normalized({1 + x[0] - y[1] - z[2], x[1] + y[0], z[0] + x[2], y[2] - z[1]});
  }
  if (y[1] >= z[2]) {
    return normalized({x[1] + y[0], 1 - x[0] + y[1] - z[2], y[2] + z[1], z[0] - x[2]});
  }
  return normalized({z[0] + x[2], y[2] + z[1], 1 - x[0] - y[1] + z[2], x[1] - y[0]});
}

bool is_cinematic(const scene::Camera& camera) { return camera.name.find("CAM_") != std::string::npos; }

/// warcraft3-rendering.md#cameras: cinematic cameras roll about the line of sight, portraits about the
/// model's X axis.
Double3 up_vector(const Double3& forward, double roll, bool about_sight) {
  if (!about_sight) {
    return {0, scene::cosine(roll), scene::sine(roll)};
  }
  const Double3 above = mix({0, 1, 0}, 1, forward, -forward[1]);
  const Double3 up = direction_or(above, {1, 0, 0});
  return mix(up, scene::cosine(roll), cross(forward, up), -scene::sine(roll));
}

Double4 look(const Double3& position, const Double3& target, double roll, bool about_sight) {
  const Double3 forward = direction_or(mix(target, 1, position, -1), {-1, 0, 0});
  const Double3 up = up_vector(forward, roll, about_sight);
  const Double3 level = direction_or(cross(forward, {0, 0, 1}), {0, 1, 0});
  const Double3 right = direction_or(cross(forward, up), level);
  return rotation_of(right, cross(right, forward), mix(forward, -1, forward, 0));
}

/// Values of a curve at any time, as the part between two given times continues.
class CurvePart {
 public:
  CurvePart(const Curve* curve, const Double3& rest, double from, double to) : curve_(curve), rest_(rest) {
    if (curve == nullptr) {
      return;
    }
    const auto middle = static_cast<float>((from + to) / 2);
    const auto after = std::upper_bound(curve->times.begin(), curve->times.end(), middle);
    const auto index = static_cast<std::size_t>(after - curve->times.begin());
    key_ = index == 0 ? 0 : index - 1;
    moving_ = index > 0 && index < curve->times.size() && curve->mode != CurveMode::step;
  }

  [[nodiscard]] Double3 at(double time) const {
    if (curve_ == nullptr) {
      return rest_;
    }
    if (!moving_) {
      return row(key_, cubic() ? 1 : 0);
    }
    const auto t0 = double{curve_->times[key_]};
    const double span = double{curve_->times[key_ + 1]} - t0;
    const double s = (time - t0) / span;
    if (!cubic()) {
      return mix(row(key_, 0), 1 - s, row(key_ + 1, 0), s);
    }
    const double s2 = s * s;
    const double s3 = s2 * s;
    const Double3 values = mix(row(key_, 1), 2 * s3 - 3 * s2 + 1, row(key_ + 1, 1), 3 * s2 - 2 * s3);
    const Double3 slopes = mix(row(key_, 2), (s3 - 2 * s2 + s) * span, row(key_ + 1, 0), (s3 - s2) * span);
    return mix(values, 1, slopes, 1);
  }

 private:
  [[nodiscard]] bool cubic() const { return curve_->mode == CurveMode::cubic; }
  [[nodiscard]] Double3 row(std::size_t key, std::size_t part) const {
    const std::size_t base = (key * (cubic() ? 3 : 1) + part) * curve_->components;
    Double3 values{};
    for (unsigned i = 0; i < curve_->components; ++i) {
      values[i] = double{curve_->values[base + i]};
    }
    return values;
  }

  const Curve* curve_;
  Double3 rest_;
  std::size_t key_ = 0;
  bool moving_ = false;
};

/// The view between two moments at which none of the curves has a key.
class ViewPart {
 public:
  ViewPart(const SceneBuilder& builder, const scene::Camera& camera, const ViewCurves& curves, double from,
           double to)
      : position_(curves.position, rest(builder.scene, camera.node), from, to),
        target_(curves.target, rest(builder.scene, camera.target_node), from, to),
        roll_(curves.roll, {}, from, to),
        about_sight_(builder.dialect.rolls_about_sight || is_cinematic(camera)) {}

  [[nodiscard]] Double4 at(double time) const {
    return look(position_.at(time), target_.at(time), roll_.at(time)[0], about_sight_);
  }

 private:
  static Double3 rest(const scene::Scene& scene, Index node) {
    const Vec3& place = scene.nodes[node].rest.translation;
    return {double{place[0]}, double{place[1]}, double{place[2]}};
  }

  CurvePart position_;
  CurvePart target_;
  CurvePart roll_;
  bool about_sight_;
};

std::vector<float> key_times(const ViewCurves& curves) {
  std::vector<float> times;
  for (const auto* curve : {curves.position, curves.target, curves.roll}) {
    if (curve != nullptr) {
      times.insert(times.end(), curve->times.begin(), curve->times.end());
    }
  }
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

Index add_node(SceneBuilder& builder, const std::string& name, scene::NodeKind kind, const Vec3& position) {
  scene::Node node;
  node.name = name;
  node.parent = 0;
  node.kind = kind;
  node.rest.translation = builder.position(position);
  builder.scene.nodes.push_back(std::move(node));
  builder.pivots.push_back(builder.scene.nodes.back().rest.translation);
  return static_cast<Index>(builder.scene.nodes.size() - 1);
}

/// Binds a track of the camera and notes it as part of its rig.
void bind_part(SceneBuilder& builder, const Camera& source, FourCC tag, const Binding& binding,
               CameraRig& rig) {
  if (builder.bind(source.tracks, tag, rig.place, binding)) {
    rig.bindings.push_back(builder.bindings.size() - 1);
  }
}

void bind_camera(SceneBuilder& builder, const Camera& source, CameraRig rig) {
  const scene::Camera& camera = builder.scene.cameras[rig.camera];
  const auto mover = [&](Index node) {
    const Vec3& rest = builder.scene.nodes[node].rest.translation;
    Binding binding;
    binding.target = {Target::Kind::node, node, 0};
    binding.property = Property::translation;
    binding.use.conversion = Conversion::translation;
    binding.use.factor = builder.scale();
    binding.use.rest = {double{rest[0]}, double{rest[1]}, double{rest[2]}, 0};
    binding.use.offset = binding.use.rest;
    return binding;
  };
  bind_part(builder, source, FourCC{"KCTR"}, mover(camera.node), rig);
  bind_part(builder, source, FourCC{"KTTR"}, mover(camera.target_node), rig);
  Binding roll;
  roll.target = {Target::Kind::camera, rig.camera, 0};
  roll.property = Property::camera_roll;
  bind_part(builder, source, FourCC{"KCRL"}, roll, rig);
  builder.bind_visibility(source.tracks, FourCC{"KCVS"}, rig.place, camera.node);
  if (!rig.bindings.empty()) {
    builder.rigs.push_back(std::move(rig));
  }
}

}  // namespace

Curve view_curve(const SceneBuilder& builder, const scene::Camera& camera, const ViewCurves& curves) {
  const auto times = key_times(curves);
  CurveWriter writer(times.size() > 1 ? CurveMode::cubic : CurveMode::linear, 4, true);
  if (times.size() <= 1) {
    writer.jump({0, ViewPart(builder, camera, curves, 0, 0).at(0), {}});
    return writer.finish({});
  }
  for (std::size_t i = 0; i + 1 < times.size(); ++i) {
    const auto from = double{times[i]};
    const auto to = double{times[i + 1]};
    const ViewPart part(builder, camera, curves, from, to);
    const auto at = [&](double u) { return part.at(from + (to - from) * u); };
    const bool broken = !writer.empty() && std::abs(dot(writer.last_value(), at(0))) < 1 - 1e-12;
    if (broken) {
      writer.jump({from, at(0), {}});
    }
    fit_cubic(at, {from, to, 0, 1}, double{builder.options.rotation_tolerance}, true, writer);
  }
  return writer.finish({});
}

void build_cameras(SceneBuilder& builder) {
  static constexpr std::array kRare = {FourCC{"IDUF"}, FourCC{"ELAF"}, FourCC{"PTSF"}};
  const auto cameras = builder.document.all<Cameras>();
  for (std::size_t i = 0; i < cameras.size(); ++i) {
    const Camera& source = *cameras[i];
    scene::Camera camera;
    camera.name = to_utf8(source.name.view());
    camera.node = add_node(builder, camera.name, scene::NodeKind::camera, source.position);
    camera.target_node = add_node(builder, camera.name + " Target", scene::NodeKind::target, source.target);
    camera.field_of_view = finite_or(source.field_of_view, 0);
    camera.diagonal = !is_cinematic(camera);
    camera.near_clip = to_length(source.near_clip, builder.scale());
    camera.far_clip = to_length(source.far_clip, builder.scale());
    auto& node = builder.scene.nodes[camera.node];
    const Double4 rotation = ViewPart(builder, camera, {}, 0, 0).at(0);
    for (std::size_t c = 0; c < 4; ++c) {
      node.rest.rotation[c] = to_float(rotation[c]);
    }
    if (source.variant != 0) {
      node.extras.set("variant", int{source.variant});
    }
    if (Value tracks = rare_tracks(source.tracks, kRare); !tracks.is_null()) {
      node.extras.set("tracks", std::move(tracks));
    }
    builder.scene.cameras.push_back(std::move(camera));
    bind_camera(builder, source, {{FourCC{"CAMS"}, i}, static_cast<Index>(i), {}});
  }
}

}  // namespace thaw::mdx
