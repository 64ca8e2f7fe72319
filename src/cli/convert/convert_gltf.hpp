// What glTF becomes, and how it is read.
#pragma once

#include <thaw/gltf_read.hpp>

#include "cli/convert/exporters.hpp"

namespace thaw::cli {

/// Files beside a glTF file are read from its folder.
GltfReadOptions gltf_options(const Input& input, const Settings& settings);

/// A glTF file as a file of the target's format; for the skeleton that --skeleton names, if it needs one.
Result<Product> make_of_scene(const Work& work);

}  // namespace thaw::cli
