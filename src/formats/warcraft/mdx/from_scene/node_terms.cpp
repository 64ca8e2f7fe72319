#include "formats/warcraft/mdx/from_scene/node_terms.hpp"

#include <algorithm>

namespace thaw::mdx {
namespace {

using scene::Mat4d;
using scene::Vec3d;

/// What differs from nothing by the rounding of floats is nothing.
Double4 rounded(const Double4& value, const Double4& nothing, double noise) {
  const Double4 difference = combine(value, 1, nothing, -1);
  return noise > 0 && dot(difference, difference) <= noise * noise ? nothing : value;
}

Double4 mirrored(const Double4& q) { return {q[0], -q[1], -q[2], q[3]}; }

/// Of a direction.
Vec3d turned_by(const Mat4d& m, const Vec3d& v) {
  return scene::subtract(scene::transform_point(m, v), scene::translation_of(m));
}

}  // namespace

NodeTerms::NodeTerms(const Mat4d& above, const Mat4d& reference, Axes axes, double units, double size)
    : above_(above), from_reference_(scene::inverse(reference)), axes_(axes), units_(units), size_(size) {
  const Mat4d local = scene::multiply(scene::inverse(above_), reference);
  const scene::Transform outer = scene::decompose(above_);
  const scene::Transform inner = scene::decompose(local);
  mirrored_ = outer.scale[0] < 0;
  turn_ = scene::normalized(scene::widen(outer.rotation));
  rest_turn_ = scene::normalized(scene::widen(inner.rotation));
  scale_turn_ = scene::quaternion_product(turn_, mirrored_ ? mirrored(rest_turn_) : rest_turn_);
  rest_scale_ = scene::reciprocal(scene::widen(inner.scale));
  rest_place_ = scene::translation_of(local);
}

Double4 NodeTerms::translation(const Double4& v, bool offset) const {
  const Vec3d local = offset ? scene::subtract({v[0], v[1], v[2]}, rest_place_) : Vec3d{v[0], v[1], v[2]};
  const Vec3d out{above_[0] * local[0] + above_[4] * local[1] + above_[8] * local[2],
                  above_[1] * local[0] + above_[5] * local[1] + above_[9] * local[2],
                  above_[2] * local[0] + above_[6] * local[1] + above_[10] * local[2]};
  const Vec3d turned = scene::to_z_up(out, axes_);
  return rounded({turned[0] * units_, turned[1] * units_, turned[2] * units_, 0}, {},
                 offset ? size_ * 1e-7 : 0);
}

Double4 NodeTerms::rotation(const Double4& q, bool offset) const {
  Double4 inner = scene::quaternion_product(q, scene::conjugate(rest_turn_));
  inner = mirrored_ ? mirrored(inner) : inner;
  const Double4 out =
      scene::quaternion_product(turn_, scene::quaternion_product(inner, scene::conjugate(turn_)));
  const Vec3d axis = scene::to_z_up(Vec3d{out[0], out[1], out[2]}, axes_);
  return rounded({axis[0], axis[1], axis[2], out[3]}, {0, 0, 0, 1}, offset ? 1e-7 : 0);
}

Double4 NodeTerms::scale(const Double4& v) const {
  const Vec3d factors = scene::multiply({v[0], v[1], v[2]}, rest_scale_);
  const Mat4d axes = scene::compose({}, scale_turn_, {1, 1, 1});
  Vec3d out{};
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t column = 0; column < 3; ++column) {
      const double share = axes.at(column * 4 + row);
      out.at(row) += share * share * factors.at(column);
    }
  }
  const Vec3d turned = axes_ == Axes::x_right ? Vec3d{out[0], out[2], out[1]} : Vec3d{out[2], out[0], out[1]};
  return rounded({turned[0], turned[1], turned[2], 0}, {1, 1, 1, 0}, 1e-7);
}

double NodeTerms::error(const Double4& rotation_key, const Vec3d& scale_key) const {
  const Mat4d exact = scene::multiply(
      above_, scene::multiply(scene::compose({}, normalized(rotation_key), scale_key), from_reference_));
  const Double4 sizes = scale({scale_key[0], scale_key[1], scale_key[2], 0});
  const Mat4d keys =
      scene::compose({}, normalized(rotation(rotation_key, true)), {sizes[0], sizes[1], sizes[2]});
  double most = 0;
  for (const Vec3d& axis : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}}) {
    const Vec3d converted = turned_by(keys, scene::to_z_up(axis, axes_));
    const Vec3d miss = scene::subtract(converted, scene::to_z_up(turned_by(exact, axis), axes_));
    most = std::max(most, scene::length(miss));
  }
  return most;
}

}  // namespace thaw::mdx
