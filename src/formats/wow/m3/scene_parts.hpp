// What a scene is made of, shared by the files that make it.
#pragma once

#include <thaw/m3_scene.hpp>

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
