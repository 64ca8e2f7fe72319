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

/// Adds the morph models that the model's events show and the sources have; those that they have not are
/// reported as scene.reference. Returns how many were added.
std::size_t attach_morphs(scene::Scene& model, const Sources& sources, float scale, const Settings& settings,
                          Diagnostics& findings);

/// What --every and --max-error say.
void set_thinning(const Settings& settings, std::uint32_t& every, float& max_error, float scale);

}  // namespace thaw::cli
