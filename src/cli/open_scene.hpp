// A file as a scene that can be shown: with its pictures and with the models that hang in it. What `render`
// and `thumb` share with `convert` is make_scene (cli/makers.hpp).
#pragma once

#include <thaw/frame.hpp>

#include "cli/makers.hpp"

namespace thaw::cli {

struct ShownScene {
  scene::Scene scene;
  std::vector<frame::NamedModel> models;
  std::size_t missing_textures = 0;
  std::size_t textures = 0;
  std::optional<std::uint32_t> version;
};

/// Any format that becomes a scene, and glTF. format.unsupported for everything else.
Result<ShownScene> open_scene(const Work& work);

}  // namespace thaw::cli
