// Where the vertices of a scene are while a clip and the global loops play.
#pragma once

#include <thaw/scene.hpp>

#include <array>
#include <vector>

namespace thaw::test {

/// Time within a clip (kNone: none) and the clock of the global loops, both in seconds.
struct SceneMoment {
  scene::Index clip = scene::kNone;
  double time = 0;
  double clock = 0;
};

/// All channels as curves of one key: what the scene shows at that moment.
scene::Clip frozen(const scene::Scene& scene, const SceneMoment& moment);

/// All vertices of all meshes, in the scene's space.
std::vector<std::vector<std::array<double, 3>>> scene_positions(const scene::Scene& scene,
                                                                const SceneMoment& moment);

/// The alpha of all meshes.
std::vector<double> scene_alphas(const scene::Scene& scene, const SceneMoment& moment);

}  // namespace thaw::test
