// First versions of chunks, tracks and flags (mdx.md#versions): for rules, conversions and
// writers.
#pragma once

#include <thaw/mdx.hpp>

#include <algorithm>

namespace thaw::mdx {

/// What a tag names begins with a version.
struct FirstVersion {
  FourCC tag;
  std::uint32_t version;
};

/// All others are in version 800.
inline constexpr std::array kFirstVersions = {
    FirstVersion{FourCC{"BPOS"}, 900},  FirstVersion{FourCC{"FAFX"}, 900},
    FirstVersion{FourCC{"CORN"}, 900},  FirstVersion{FourCC{"KMTE"}, 900},
    FirstVersion{FourCC{"KFC3"}, 1000}, FirstVersion{FourCC{"KFCA"}, 1000},
    FirstVersion{FourCC{"KFTC"}, 1000}, FirstVersion{FourCC{"KLSS"}, 1300},
    FirstVersion{FourCC{"KLSE"}, 1300}, FirstVersion{FourCC{"KLQF"}, 1600},
    FirstVersion{FourCC{"KLLF"}, 1600}, FirstVersion{FourCC{"KLDA"}, 1600},
};

/// The version from which on a chunk or a track is known.
inline std::uint32_t first_version(FourCC tag) {
  const auto* const found = std::find_if(kFirstVersions.begin(), kFirstVersions.end(),
                                         [&](const FirstVersion& row) { return row.tag == tag; });
  return found == kFirstVersions.end() ? 800 : found->version;
}

}  // namespace thaw::mdx
