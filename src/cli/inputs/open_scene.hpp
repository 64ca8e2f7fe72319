// An input as a scene that can be shown, for `render` and `thumb`.
#pragma once

#include <thaw/frame.hpp>
#include <thaw/render.hpp>

#include "cli/convert/options.hpp"

namespace thaw::cli {

struct ShownScene : SceneOfFile {
  std::size_t missing_textures = 0;
  std::size_t textures = 0;
  std::optional<std::uint32_t> version;
};

/// Any format that becomes a scene, and glTF. format.unsupported for everything else.
Result<ShownScene> open_scene(const ConversionInput& work);

}  // namespace thaw::cli
