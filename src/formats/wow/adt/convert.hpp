// Parts shared by both directions of the conversion.
#pragma once

#include <thaw/adt.hpp>
#include <thaw/codes.hpp>

#include <string>
#include <string_view>

namespace thaw::adt {

inline constexpr std::size_t kRows = 17;  ///< of 9 and 8 heights by turns

/// Where the height `i` of an alpha chunk stands among those of a later one (wdt.md#heights).
constexpr std::size_t interleaved(std::size_t i) {
  if (i < wdt::kOuterCount) {
    return i / wdt::kOuterSide * kRows + i % wdt::kOuterSide;
  }
  const std::size_t inner = i - wdt::kOuterCount;
  return inner / wdt::kCellsPerSide * kRows + wdt::kOuterSide + inner % wdt::kCellsPerSide;
}

/// The name with another extension, if it ends in `from` (any case); capitals stay capitals.
std::string with_extension(std::string_view name, std::string_view from, std::string_view to);

/// Reports a loss once, however often it is met.
class Losses {
 public:
  Losses(std::string where, Diagnostics& diagnostics) : where_(std::move(where)), diagnostics_(diagnostics) {}

  void report(Code code, std::string message) {
    for (const auto& known : reported_) {
      if (known == message) {
        return;
      }
    }
    diagnostics_.add(code, message, {}, where_);
    reported_.push_back(std::move(message));
  }

 private:
  std::string where_;
  Diagnostics& diagnostics_;
  std::vector<std::string> reported_;
};

/// Liquids of an MH2O chunk for one terrain chunk, by kind; none where there is no such liquid.
using LiquidSet = std::array<std::optional<wdt::Liquid>, wdt::kLiquidKinds>;
/// `water` is the content of MH2O. False if something in it does not lie inside it.
bool read_water(ByteView water, std::size_t slot, LiquidSet& liquids);

/// 64 × 64 values of four bits from an alpha map of a later version. `eight_bits`: uncompressed maps have a
/// byte for each. `whole`: the last row and column count. False if the map is cut off.
bool read_alpha(ByteView map, bool compressed, bool eight_bits, bool whole,
                std::array<std::uint8_t, wdt::kAlphaSize>& nibbles);

}  // namespace thaw::adt
