// What `convert` makes of a document that becomes a scene; formats with ways of their own have files of
// theirs.
#pragma once

#include <thaw/gltf.hpp>
#include <thaw/mrn.hpp>
#include <thaw/open_scene.hpp>

#include "cli/arguments/settings.hpp"
#include "cli/inputs/inputs.hpp"
#include "cli/inputs/textures.hpp"
#include "cli/jobs/product.hpp"
#include "cli/jobs/targets.hpp"

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

/// --max-scene, or what is usual.
std::uint64_t max_scene_bytes(const InputSettings& settings);
/// What --lod says: a level, or none for all of them. The error is in words.
tl::expected<std::optional<std::uint32_t>, std::string> requested_lod(const SceneSettings& settings);

/// What the options ask of open_scene, with the files that they name.
struct Asked {
  SceneRequest request;
  std::shared_ptr<const materials::Library> library;             ///< --materials
  std::shared_ptr<const mrn::Document> network;                  ///< --skeleton, where it is a file
  std::vector<std::shared_ptr<const nsa::Document>> animations;  ///< --animation
  std::shared_ptr<const Source> files;                           ///< --replaceable; null without any
};
/// The error is that of a file which an option names.
Result<Asked> asked_of(const Work& work);

/// What --profile says.
GltfProfile gltf_profile(const SceneSettings& settings);

/// A document as a scene with its pictures; format.unsupported for documents that are no models.
Result<OpenedScene> make_scene(const Work& work, const AnyDocument& document);

/// A document as glTF, by way of its scene.
Result<Product> make_gltf(const Work& work, const AnyDocument& document);

}  // namespace thaw::cli
