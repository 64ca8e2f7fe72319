// What glTF becomes besides animations: morph models and M3 models; and how it is read.
#pragma once

#include <thaw/gltf_read.hpp>

#include "cli/convert/makers.hpp"

namespace thaw::cli {

/// Files beside a glTF file are read from its folder.
GltfReadOptions gltf_options(const Input& input, const Settings& settings);

/// A glTF file as MRF.
Result<Product> make_morph(const Work& work);
/// A glTF file as M3.
Result<Product> make_m3(const Work& work);

}  // namespace thaw::cli
