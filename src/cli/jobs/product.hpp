// What becomes of one input before it is written.
#pragma once

#include <thaw/gltf.hpp>
#include <thaw/value.hpp>

#include <optional>
#include <string>
#include <vector>

namespace thaw::cli {

struct Product {
  std::vector<GltfFile> files;  ///< the first is the output itself; none: there is nothing to write
  std::string facts;            ///< "6 clips", "256 × 256"
  std::string details;          ///< further lines, told of single files
  Value::Object json;           ///< the same for machines
  std::optional<std::uint64_t> input_size;
  std::vector<Value::Object> of_files;  ///< further members of the outputs, for machines
};

}  // namespace thaw::cli
