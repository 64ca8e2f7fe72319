// Gives the parts of a new file their places.
#pragma once

#include "describe/parts.hpp"

#include <vector>

namespace thaw {

/// Hands out places one behind the other and keeps the gaps between them, filled with 0xCD as by the tools of
/// the time.
class Placer {
 public:
  Placer(std::uint64_t at, std::vector<Gap>& gaps) : at_(at), gaps_(gaps) {}

  [[nodiscard]] std::uint64_t here() const { return at_; }

  std::uint64_t place(std::uint64_t size, std::uint64_t alignment) {
    align(alignment);
    const std::uint64_t place = at_;
    at_ += size;
    return place;
  }

  void align(std::uint64_t alignment, std::uint8_t byte = kFill) {
    fill(align_up(at_, alignment) - at_, byte);
  }

  void fill(std::uint64_t size, std::uint8_t byte = kFill) {
    if (size > 0) {
      gaps_.push_back({at_, Bytes(static_cast<std::size_t>(size), byte)});
      at_ += size;
    }
  }

 private:
  static constexpr std::uint8_t kFill = 0xCD;

  std::uint64_t at_;
  std::vector<Gap>& gaps_;
};

template <class Values>
std::uint64_t bytes_of(const Values& values) {
  return values.size() * sizeof(typename Values::value_type);
}

}  // namespace thaw
