// Parts of a scene, shared by the files that make it.
#pragma once

#include <thaw/m3.hpp>

#include "scene/math.hpp"

#include <cmath>

namespace thaw::m3 {

/// Bones of a model; their nodes stand below one of the scene.
struct Rig {
  scene::Index skin = scene::kNone;
  Influences influences;
};

/// Z up to Y up, in metres.
inline Vec3 turned(const Vec3& v, float scale = 1) {
  const auto finite = [&](float value) { return std::isfinite(value) ? value * scale : 0.0F; };
  return {finite(v[0]), finite(v[2]), 0.0F - finite(v[1])};
}

/// Whether the matrices are each other's inverse, as far as floats show.
inline bool undoes(const scene::Mat4d& a, const scene::Mat4d& b) {
  const auto most = [](const scene::Mat4d& m, std::size_t from, std::size_t to) {
    double found = 0;
    for (std::size_t i = from; i < to; ++i) {
      found = std::max(found, std::fabs(m.at(i)));
    }
    return found;
  };
  const scene::Mat4d product = scene::multiply(a, b);
  const double turned = 1 + most(a, 0, 12) * most(b, 0, 12);
  const double moved = 1 + most(a, 12, 15) + most(a, 0, 12) * most(b, 12, 15);
  constexpr double kRounding = 1e-6;
  for (std::size_t i = 0; i < product.size(); ++i) {
    if (std::fabs(product.at(i) - scene::kIdentity.at(i)) > kRounding * (i < 12 ? turned : moved)) {
      return false;
    }
  }
  return true;
}

/// A matrix of the file (row vectors) in the axes and units of the scene.
scene::Mat4d turned_matrix(const std::array<float, 16>& matrix, float scale);

/// Adds the materials of M3SI to the scene, one for each instance.
void add_materials(const Materials& materials, const SceneOptions& options, scene::Scene& scene,
                   Diagnostics& diagnostics);

/// An instance as a scene has it, with at most `entries` samplers, uniforms and such.
scene::ShaderInstance shader_of(const Instance& instance, std::size_t& entries);
/// The reverse.
Instance instance_from(const scene::ShaderInstance& shader);

}  // namespace thaw::m3
