// Result of one input before it is written.
#pragma once

#include <thaw/format.hpp>

#include <optional>
#include <vector>

namespace thaw::cli {

struct Product : Outputs {
  std::optional<std::uint64_t> input_size;
  std::vector<Value::Object> of_files;  ///< further members of the outputs, for machines
};

}  // namespace thaw::cli
