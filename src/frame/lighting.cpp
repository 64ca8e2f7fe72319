#include "frame/lighting.hpp"

#include <algorithm>
#include <cmath>

namespace thaw::frame {
namespace {

Vec3 unit(const Vec3d& v) { return scene::narrow(scene::scaled(v, 1 / std::max(scene::length(v), 1e-12))); }

Vec3 times(const Vec3& v, float factor) { return {v[0] * factor, v[1] * factor, v[2] * factor}; }

}  // namespace

LightRig::LightRig(Lighting lighting, const Viewer& viewer) : lighting_(lighting) {
  switch (lighting) {
    case Lighting::renderer: {
      const auto from = [&](double right, double up, double back) {
        return unit(scene::add(
            scene::add(scene::scaled(viewer.right, right), scene::scaled(viewer.back, back)), {0, up, 0}));
      };
      ambient_ = {0.46F, 0.46F, 0.48F};
      sources_.push_back({from(-0.55, 0.85, 0.6), {0.66F, 0.65F, 0.62F}, 0, 0, false});
      sources_.push_back({from(0.7, 0.35, -0.6), {0.16F, 0.18F, 0.22F}, 0, 0, false});
      most_ = 1.15F;
      break;
    }
    case Lighting::overhead:
      ambient_ = {0.7F, 0.7F, 0.7F};
      sources_.push_back({{0, 1, 0}, {1, 1, 1}, 0, 0, false});
      break;
    case Lighting::scene:
      ambient_ = {};
      break;
    case Lighting::none:
      break;
  }
}

void LightRig::add(const scene::Light& light, const WorldTransform& place) {
  if (lighting_ != Lighting::scene) {
    return;
  }
  for (std::size_t i = 0; i < 3; ++i) {
    ambient_[i] += light.ambient_color[i] * light.ambient_intensity;
  }
  const Vec3 color = times(light.color, light.intensity);
  if (light.kind == scene::Light::Kind::ambient) {
    ambient_ = {ambient_[0] + color[0], ambient_[1] + color[1], ambient_[2] + color[2]};
  } else if (light.kind == scene::Light::Kind::directional) {
    // It shines along the node's −Y.
    sources_.push_back({scene::narrow(rotated(place.rotation, {0, 1, 0})), color, 0, 0, false});
  } else {
    sources_.push_back({scene::narrow(scene::translation_of(place.world)), color, light.attenuation_start,
                        light.attenuation_end, true});
  }
}

Vec3 LightRig::at(const Vec3& position, const Vec3& normal) const {
  Vec3 sum = ambient_;
  for (const Light& source : sources_) {
    Vec3 towards = source.place;
    float share = 1;
    if (source.near) {
      towards = {towards[0] - position[0], towards[1] - position[1], towards[2] - position[2]};
      const float distance =
          std::sqrt(towards[0] * towards[0] + towards[1] * towards[1] + towards[2] * towards[2]);
      towards = times(towards, distance > 1e-9F ? 1 / distance : 0);
      const float range = source.end - source.start;
      share = range > 0 ? std::clamp((source.end - distance) / range, 0.0F, 1.0F)
                        : (distance <= source.end ? 1.0F : 0.0F);
    }
    const float facing = normal[0] * towards[0] + normal[1] * towards[1] + normal[2] * towards[2];
    if (facing > 0) {
      for (std::size_t i = 0; i < 3; ++i) {
        sum[i] += source.color[i] * facing * share;
      }
    }
  }
  for (float& part : sum) {
    part = part > 0 ? std::min(part, most_) : 0.0F;
  }
  return sum;
}

/// A mirror sees what shines from one side as a part of all around: a quarter is the mean over a ball.
void LightRig::describe(Illumination& into) const {
  into.most = most_;
  into.ambient = ambient_;
  into.surroundings = ambient_;
  into.lights.clear();
  for (const bool near : {false, true}) {
    for (const Light& source : sources_) {
      if (source.near == near && into.lights.size() < kMostLights) {
        into.lights.push_back(source);
      }
    }
  }
  for (const Light& source : into.lights) {
    for (std::size_t i = 0; i < 3 && !source.near; ++i) {
      into.surroundings[i] += source.color[i] / 4;
    }
  }
  for (float& part : into.surroundings) {
    part = part > 0 ? std::min(part, 1.0F) : 0.0F;
  }
}

}  // namespace thaw::frame
