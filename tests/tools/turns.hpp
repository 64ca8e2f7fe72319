// Turns of workers, for the probes of both systems: each says when it had its turn, and no two had it at
// once.
#pragma once

#include "cli/platform/isolation.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <thread>
#include <utility>
#include <vector>

namespace thaw::cli {

using Times = std::array<std::int64_t, 2>;

inline std::int64_t now() { return std::chrono::steady_clock::now().time_since_epoch().count(); }

/// A piece of work that asks twice, as one with several scenes does. It may die in its turn.
inline Bytes work_in_turn(bool dies) {
  Workers::take_turn();
  Times times{now(), 0};
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  Workers::take_turn();
  if (dies) {
    volatile int* nowhere = nullptr;
    *nowhere = 1;
  }
  times[1] = now();
  Bytes bytes(sizeof(times));
  std::memcpy(bytes.data(), times.data(), sizeof(times));
  return bytes;
}

inline const char* order_of(const std::vector<Bytes>& results) {
  std::vector<Times> turns;
  for (const Bytes& bytes : results) {
    Times times{};
    std::memcpy(times.data(), bytes.data(), std::min(bytes.size(), sizeof(times)));
    turns.push_back(times);
  }
  std::sort(turns.begin(), turns.end());
  const bool apart = std::adjacent_find(turns.begin(), turns.end(), [](const Times& one, const Times& next) {
                       return next[0] < one[1];
                     }) == turns.end();
  return apart ? "one after the other\n" : "AT ONCE\n";
}

}  // namespace thaw::cli
