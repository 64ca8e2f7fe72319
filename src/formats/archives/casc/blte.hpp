// Encoded files: chunks that are stored, packed or encrypted (casc.md#blte).
#pragma once

#include <thaw/casc.hpp>

#include "formats/archives/casc/numbers.hpp"

namespace thaw::casc {

/// Where an encoded file lies, and what is known of it.
struct Encoded {
  const thaw::Storage* storage = nullptr;
  std::uint64_t offset = 0;  ///< of its "BLTE"
  std::uint64_t size = 0;
  std::optional<std::uint64_t> plain_size;
  std::optional<Key> key;  ///< to compare with, where all is to be checked
};

/// What came out.
struct Decoded {
  Bytes bytes;
  std::string method;  ///< "stored", "zlib", "stored+zlib"
  bool whole = true;   ///< nothing is missing: neither encrypted, nor cut by `most`
};

/// The plain content, or at least `most` bytes of it. casc.data, casc.absent for zeros where a file should
/// begin, casc.unsupported.
Result<Decoded> decode(const Encoded& encoded, const Limits& limits, std::uint64_t most,
                       Diagnostics& diagnostics);

}  // namespace thaw::casc
