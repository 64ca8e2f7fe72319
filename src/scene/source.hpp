// What parts of a scene say in the terms of the game that they came from.
#pragma once

#include <thaw/scene.hpp>

#include <optional>
#include <string_view>

namespace thaw::scene {

/// The extras of a part that read_gltf read, if they are in the terms of this format; null if not.
template <class Part>
const Value& extras_of(const Part& part, std::string_view format) {
  static const Value kNothing;
  return part.source.format == format ? part.extras : kNothing;
}

/// Metres per unit of the source, if the file states it and the source is of this format or none is named.
inline std::optional<float> stated_scale(const Scene& scene, std::string_view format = {}) {
  const SceneSource& source = scene.source;
  const bool same = format.empty() || source.format.empty() || source.format == format;
  return same && source.scale > 0 ? std::optional(source.scale) : std::nullopt;
}

}  // namespace thaw::scene
