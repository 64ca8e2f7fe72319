// Packed data bit by bit.
#pragma once

#include <thaw/bytes.hpp>

namespace thaw::mpq {

/// Bits from the lowest on. After the end there are zeros, which `overrun` reports.
class Bits {
 public:
  explicit Bits(ByteView bytes) : bytes_(bytes) {}

  unsigned take(unsigned count) {
    while (available_ < count) {
      overrun_ = overrun_ || at_ >= bytes_.size();
      const std::uint32_t byte = at_ < bytes_.size() ? bytes_[at_] : 0U;
      ++at_;
      buffer_ |= byte << available_;
      available_ += 8;
    }
    const std::uint32_t value = buffer_ & ((1U << count) - 1U);
    buffer_ >>= count;
    available_ -= count;
    return value;
  }

  [[nodiscard]] bool overrun() const { return overrun_; }

 private:
  ByteView bytes_;
  std::size_t at_ = 0;
  std::uint32_t buffer_ = 0;
  unsigned available_ = 0;
  bool overrun_ = false;
};

}  // namespace thaw::mpq
