// Metres per unit of a game, where somebody chose others than usual.
#pragma once

#include <thaw/scene.hpp>

#include <optional>
#include <string_view>

namespace thaw::scene {

/// The same of what is kept of a scene.
inline std::optional<float> stated_scale(const Value& kept, std::string_view format = {}) {
  for (const auto& [name, own] : kept.object()) {
    const double stated = own["scale"].number().value_or(0);
    if ((format.empty() || name == format || name == "options") && stated > 1e-6 && stated < 1e6) {
      return static_cast<float>(stated);
    }
  }
  return std::nullopt;
}

/// What a scene that was read says that it was made with, above 0; of any format where none is named.
inline std::optional<float> stated_scale(const Scene& scene, std::string_view format = {}) {
  return stated_scale(scene.extras["thaw"], format);
}

}  // namespace thaw::scene
