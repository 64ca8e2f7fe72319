// Options of the library for conversions, from those of the command line.
#pragma once

#include <thaw/convert.hpp>
#include <thaw/gltf.hpp>

#include "cli/arguments/settings.hpp"
#include "cli/inputs/inputs.hpp"
#include "cli/inputs/textures.hpp"
#include "cli/jobs/product.hpp"

#include <functional>

namespace thaw::cli {

/// One input on its way.
struct ConversionInput {
  const Input& input;
  const Content& content;
  std::string_view target;  ///< the word of --to; "png" for a picture of the scene
  std::filesystem::path output;
  const Settings& settings;
  TextureFolders& folders;
  Diagnostics& findings;
};

/// All that options say, with the files that they name. The error is that of such a file.
Result<ConvertOptions> options_of(const ConversionInput& work);
/// Where the files are that the input names, with those of --replaceable.
Sources sources_of(const ConversionInput& work);
/// What `convert` makes of the input.
Result<Product> convert_work(const ConversionInput& work);

/// --max-scene, or what is usual.
std::uint64_t max_scene_bytes(const InputSettings& settings);
/// What --lod says: a level, or none for all of them. The error is in words.
tl::expected<std::optional<std::uint32_t>, std::string> requested_lod(const SceneSettings& settings);
/// How glTF is written: --profile, --extras, --quantize, --compress, --animations,
/// --texture-format.
GltfOptions written_gltf(const SceneSettings& settings);
/// Files next to a glTF file are read from its folder.
GltfReadOptions gltf_options(const Input& input, const Settings& settings);
/// Spelling and layout of MDL as the command line requests them.
mdl::WriteOptions text_options(const TextSettings& settings);
/// What --png-level says, in the range that there is.
int png_level(const TextureSettings& settings);

/// Why --clip cannot be; empty if it can.
std::string check_clips(const SceneSettings& settings);
/// Why --format-version does not fit the output; empty if it does.
std::string check_version(const FromSceneSettings& settings, std::string_view target);

}  // namespace thaw::cli
