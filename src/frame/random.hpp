// Numbers that look random and depend on nothing but what they are made from.
#pragma once

#include <cstdint>

namespace thaw::frame {

inline std::uint64_t mixed(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15U;
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31U);
}

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  /// 0 up to but not including 1.
  double unit() {
    state_ = mixed(state_);
    return static_cast<double>(state_ >> 11U) * (1.0 / 9007199254740992.0);
  }
  double between(double least, double most) { return least + (most - least) * unit(); }

 private:
  std::uint64_t state_;
};

}  // namespace thaw::frame
