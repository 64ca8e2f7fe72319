// What reading damaged archives gave, and what it took.
#pragma once

#include "support/heap.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <random>
#include <utility>

namespace thaw::test {

struct ArchiveTally {
  std::size_t opened = 0;
  std::size_t files = 0;
  std::size_t unpacked = 0;
  std::size_t largest_peak = 0;
  std::chrono::duration<double> slowest{};

  /// Reads something of so many bytes, and expects memory in proportion to them, of which nothing is left.
  template <class F>
  void measure(std::size_t size, F&& reading) {
    constexpr std::size_t kBase = std::size_t{64} << 20U;
    const auto start = std::chrono::steady_clock::now();
    const HeapMeter meter;
    std::forward<F>(reading)();
    EXPECT_LE(meter.peak(), kBase + 16 * size);
    EXPECT_EQ(meter.current(), 0U);
    largest_peak = std::max(largest_peak, meter.peak());
    slowest = std::max<std::chrono::duration<double>>(slowest, std::chrono::steady_clock::now() - start);
  }

  void report(const char* what, std::size_t mutants) const {
    std::cout << what << ": " << mutants << " mutants, " << opened << " open, " << unpacked << " of " << files
              << " files unpack, largest peak " << largest_peak << " bytes, slowest " << slowest.count()
              << " s\n";
  }
};

/// How many mutants to try, unless the variable of the environment says another number.
inline std::size_t mutant_count(const char* variable, std::size_t usual) {
  const char* text = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe)
  return text == nullptr ? usual : static_cast<std::size_t>(std::strtoul(text, nullptr, 10));
}

/// One of those that break readers, or any.
inline std::uint8_t damaged_byte(std::mt19937& dice) {
  constexpr std::array<std::uint8_t, 5> kExtremes = {0, 1, 0x7F, 0x80, 0xFF};
  return dice() % 2 == 0 ? kExtremes.at(dice() % 5) : static_cast<std::uint8_t>(dice());
}

}  // namespace thaw::test
