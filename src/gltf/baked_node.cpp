#include "gltf/baked_node.hpp"

#include <algorithm>
#include <cmath>

namespace thaw::gltf {
namespace {

using scene::CurveMode;

bool close(const scene::Transform& from, const scene::Transform& to, float part,
           const scene::Transform& exact, float length_tolerance) {
  constexpr double kAngleTolerance = 2e-5;
  constexpr float kScaleTolerance = 2e-5F;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto at = [&](const Vec3& a, const Vec3& b) { return a[i] + (b[i] - a[i]) * part; };
    if (!(std::fabs(at(from.translation, to.translation) - exact.translation[i]) <= length_tolerance) ||
        !(std::fabs(at(from.scale, to.scale) - exact.scale[i]) <= kScaleTolerance)) {
      return false;
    }
  }
  const auto rotation = scene::slerp(scene::widen(from.rotation), scene::widen(to.rotation), double{part});
  return scene::rotation_angle(rotation, scene::widen(exact.rotation)) <= kAngleTolerance;
}

/// Where the node stands in the frame of its parent.
scene::Transform local_transform(const scene::Poser& poser, Index node, Index parent, float time) {
  return scene::decompose(
      scene::multiply(scene::inverse(poser.place(parent, time).world), poser.place(node, time).world));
}

}  // namespace

BakedNode bake(Budget& budget, const scene::Poser& poser, Index node, Index parent, std::size_t depth,
               float tolerance) {
  const auto curves = poser.curves(node);
  const bool stepped = std::all_of(curves.begin(), curves.end(),
                                   [](const Curve* curve) { return curve->mode == CurveMode::step; });
  const auto evaluate = [&](float time) { return local_transform(poser, node, parent, time); };
  const auto fits = [&](const scene::Transform& from, const scene::Transform& to, float part,
                        const scene::Transform& exact) {
    return stepped || close(from, to, part, exact, tolerance) || !budget.spend(depth);
  };
  BakedNode baked;
  baked.rotation.components = 4;
  baked.translation.components = baked.scale.components = 3;
  for (Curve* curve : {&baked.translation, &baked.rotation, &baked.scale}) {
    curve->mode = stepped ? CurveMode::step : CurveMode::linear;
  }
  for (const auto& sample :
       scene::sample_adaptively<scene::Transform>(scene::merged_times(curves), evaluate, fits)) {
    const auto add = [&](Curve& curve, const auto& values) {
      curve.times.push_back(sample.time);
      curve.values.insert(curve.values.end(), values.begin(), values.end());
    };
    add(baked.translation, sample.value.translation);
    add(baked.rotation, sample.value.rotation);
    add(baked.scale, sample.value.scale);
  }
  for (Curve* curve : {&baked.translation, &baked.rotation, &baked.scale}) {
    scene::drop_redundant_keys(*curve);
  }
  return baked;
}

void keep_side(Curve& rotation) {
  if (rotation.mode == CurveMode::cubic) {
    return;
  }
  const auto key = [&](std::size_t at) {
    const float* values = rotation.values.data() + at;
    return Vec4{values[0], values[1], values[2], values[3]};
  };
  for (std::size_t at = 4; at + 4 <= rotation.values.size(); at += 4) {
    const Vec4 near = scene::on_side_of(key(at - 4), key(at));
    std::copy(near.begin(), near.end(), rotation.values.data() + at);
  }
}

float whole_millisecond(float time) { return static_cast<float>(std::round(double{time} * 1000) / 1000); }

void divide_half_turns(Curve& rotation) {
  if (rotation.mode != CurveMode::linear) {
    return;
  }
  constexpr double kNearlyHalf = 0.087;  // of 170 degrees
  const auto key = [&](std::size_t at) {
    const float* values = rotation.values.data() + 4 * at;
    return Vec4{values[0], values[1], values[2], values[3]};
  };
  Curve divided = rotation;
  divided.times.clear();
  divided.values.clear();
  const auto add = [&](float time, const Vec4& value) {
    divided.times.push_back(time);
    divided.values.insert(divided.values.end(), value.begin(), value.end());
  };
  for (std::size_t i = 0; i < rotation.times.size(); ++i) {
    if (i > 0 && std::abs(scene::dot(scene::widen(key(i - 1)), scene::widen(key(i)))) < kNearlyHalf) {
      const float middle =
          whole_millisecond(rotation.times[i - 1] + (rotation.times[i] - rotation.times[i - 1]) / 2);
      if (middle > rotation.times[i - 1] && middle < rotation.times[i]) {
        add(middle, scene::evaluate_rotation(rotation, middle));
      }
    }
    add(rotation.times[i], key(i));
  }
  rotation = std::move(divided);
  keep_side(rotation);
}

}  // namespace thaw::gltf
