// Memory that a scene takes.
#pragma once

#include <thaw/diagnostics.hpp>
#include <thaw/scene.hpp>

#include <cstdint>
#include <string>

namespace thaw::open {

/// Pictures are counted by scene::pixel_bytes, and not here.
struct SceneWeight {
  std::uint64_t bytes = 0;  ///< of the models within it, too, each of them once
  std::string heaviest;     ///< "clip Walk", "mesh 3 Body"
  std::uint64_t of_heaviest = 0;
};
SceneWeight weigh(const scene::Scene& scene);

/// limit.scene with what takes most of it, if it weighs more.
Result<void> hold_to_bound(const scene::Scene& scene, std::uint64_t bound);

}  // namespace thaw::open
