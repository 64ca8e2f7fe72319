// What becomes of one input before it is written.
#pragma once

#include <thaw/gltf.hpp>
#include <thaw/value.hpp>

#include <string>
#include <vector>

namespace thaw::cli {

struct Product {
  std::vector<GltfFile> files;  ///< the first is the output itself
  std::string facts;            ///< "6 clips", "256 × 256"
  std::string details;          ///< further lines, told of single files
  Value::Object json;           ///< the same for machines
};

}  // namespace thaw::cli
