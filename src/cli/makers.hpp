// What `convert` makes of a document, by its format: one maker per format, in a file of its own.
#pragma once

#include <thaw/format.hpp>
#include <thaw/scene.hpp>

#include "cli/inputs.hpp"
#include "cli/product.hpp"
#include "cli/settings.hpp"
#include "cli/targets.hpp"
#include "cli/textures.hpp"

namespace thaw::cli {

/// One input on its way.
struct Work {
  const Input& input;
  const Content& content;
  Target target;
  std::filesystem::path output;
  const Settings& settings;
  scene::TeamColor team_color;
  TextureFolders& folders;
  Diagnostics& findings;

  /// --scale, or what is usual for the format.
  [[nodiscard]] float scale(float usual) const {
    return settings.scale ? static_cast<float>(*settings.scale) : usual;
  }
};

/// A document as a scene, without pictures; none for documents that are no models.
std::optional<scene::Scene> make_scene(const Work& work, const AnyDocument& document);

/// Game paths by replaceable id.
using ReplaceablePaths = std::vector<std::pair<std::uint32_t, std::string>>;

/// The scene as glTF, with its pictures and with the models that it shows. `replaceables` are what the format
/// knows of its own; --replaceable comes before them.
Result<Product> export_scene(const Work& work, scene::Scene scene, const ReplaceablePaths& replaceables = {});

/// Whatever the content becomes when its target is not a texture, a morph model, MDX or MDL.
Result<Product> make_from(const Work& work, const AnyDocument& document);

}  // namespace thaw::cli
