// The frame of every PNG that is written.
#pragma once

#include <thaw/bytes.hpp>

namespace thaw::png {

struct Frame {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::uint8_t depth = 8;  ///< bits per channel
  std::uint8_t kind = 0;   ///< colour type of the specification
};

/// A PNG of these rows, each with its filter's number in front. Empty if it cannot be written.
Bytes assemble(const Frame& frame, const Bytes& rows, int level);

}  // namespace thaw::png
