// Files that something became.
#pragma once

#include <thaw/bytes.hpp>
#include <thaw/value.hpp>

#include <string>
#include <vector>

#pragma GCC visibility push(default)

namespace thaw {

/// A file of the output.
struct OutputFile {
  std::string name;  ///< without a folder
  Bytes bytes;
  friend bool operator==(const OutputFile&, const OutputFile&) = default;
};

/// What a file became.
struct Outputs {
  std::vector<OutputFile> files;  ///< the first is what was asked for, others belong beside it
  std::string note;               ///< for people: "6 clips", "version 800 → 1000 · nothing lost"
  std::string details;            ///< further lines for people, each with its end
  Value::Object json;             ///< the same for machines
};

}  // namespace thaw

#pragma GCC visibility pop
