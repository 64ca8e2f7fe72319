// How a chunk stands in a file whose chunks have fixed places.
#pragma once

#include <thaw/bytes.hpp>

#include <optional>

#pragma GCC visibility push(default)

namespace thaw {

/// What tag, size and content of such a chunk say beyond the content.
struct ChunkFrame {
  bool present = true;  ///< false: the file does not have the chunk
  /// Where it is not the size of the content: the chunk runs past the end of what holds it.
  std::optional<std::uint32_t> stated_size;
  Remainder remainder;

  friend bool operator==(const ChunkFrame&, const ChunkFrame&) = default;
};

}  // namespace thaw

#pragma GCC visibility pop
