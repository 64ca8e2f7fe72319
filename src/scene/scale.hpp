// Metres per unit of a game, where somebody chose others than usual.
#pragma once

#include <thaw/scene.hpp>

#include <optional>
#include <string_view>

namespace thaw::scene {

/// What a scene that was read says that it was made with, above 0; of any format where none is named.
inline std::optional<float> stated_scale(const Scene& scene, std::string_view format = {}) {
  for (const auto& [name, own] : scene.extras["thaw"].object()) {
    const double stated = own["scale"].number().value_or(0);
    if ((format.empty() || name == format) && stated > 1e-6 && stated < 1e6) {
      return static_cast<float>(stated);
    }
  }
  return std::nullopt;
}

}  // namespace thaw::scene
