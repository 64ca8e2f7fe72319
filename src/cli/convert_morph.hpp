// Morph models: made from glTF, and shown in the models whose events name them.
#pragma once

#include <thaw/gltf_read.hpp>
#include <thaw/scene.hpp>
#include <thaw/sources.hpp>

#include "cli/inputs.hpp"
#include "cli/product.hpp"

namespace thaw::cli {

/// Files that a glTF file refers to are read from its own folder, never from above.
GltfReadOptions gltf_options(const Input& input, const Settings& settings);

/// A glTF file as MRF.
Result<Product> make_morph(const Input& input, const Content& content, const std::string& name,
                           const Settings& settings, Diagnostics& findings);

/// What --every and --max-error say, for SceneRequest.
void set_thinning(const Settings& settings, std::uint32_t& every, float& max_error);

}  // namespace thaw::cli
