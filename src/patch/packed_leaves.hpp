// Positions of the leaves of a file, one or two bytes for each of those that follow each other.
#pragma once

#include <thaw/bytes.hpp>

#include <cstdint>

namespace thaw {

class PackedLeaves {
 public:
  void add(std::uint64_t at, std::uint64_t size) {
    const bool jumps = at != next_;
    put(size * 2 + (jumps ? 1 : 0));
    if (jumps) {
      put(at);
    }
    next_ = at + size;
  }

  /// Goes through them in their order.
  class Reader {
   public:
    explicit Reader(const PackedLeaves& leaves) : bytes_(leaves.bytes_) {}

    [[nodiscard]] bool at_end() const { return from_ == bytes_.size(); }
    /// The next one, if there is one.
    void next(std::uint64_t& at, std::uint64_t& size) {
      const std::uint64_t word = get();
      at = (word & 1U) != 0 ? get() : place_;
      size = word / 2;
      place_ = at + size;
    }

   private:
    std::uint64_t get() {
      std::uint64_t value = 0;
      for (unsigned shift = 0;; shift += kBits) {
        const std::uint8_t byte = bytes_[from_++];
        value |= static_cast<std::uint64_t>(byte & kMask) << shift;
        if (byte <= kMask) {
          return value;
        }
      }
    }

    const Bytes& bytes_;
    std::size_t from_ = 0;
    std::uint64_t place_ = 0;
  };

 private:
  static constexpr unsigned kBits = 7;
  static constexpr std::uint8_t kMask = (1U << kBits) - 1;

  void put(std::uint64_t value) {
    for (; value > kMask; value >>= kBits) {
      bytes_.push_back(static_cast<std::uint8_t>(value | (kMask + 1U)));
    }
    bytes_.push_back(static_cast<std::uint8_t>(value));
  }

  Bytes bytes_;
  std::uint64_t next_ = 0;
};

}  // namespace thaw
