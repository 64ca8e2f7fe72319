// The first page: files in, documents and findings out, and back. What a document holds is in the header of
// its format, <thaw/mdx.hpp>; scenes are in <thaw/load.hpp>, glTF in <thaw/gltf.hpp>, pictures in
// <thaw/raster.hpp>.
#pragma once

#include <thaw/load.hpp>      // IWYU pragma: export
#include <thaw/validate.hpp>  // IWYU pragma: export
#include <thaw/version.hpp>   // IWYU pragma: export
