// Codes of glTF files that ask for more than is read.
#pragma once

#include <thaw/codes.hpp>

#pragma GCC visibility push(default)

namespace thaw::codes {

inline constexpr Code kGltfRequired{"gltf.required", Severity::error, "required extension not supported"};

/// Every code of this page.
inline constexpr std::array kGltf = {kGltfRequired};

}  // namespace thaw::codes

#pragma GCC visibility pop
