// Facts about geoset animations, for rules and for mending.
#pragma once

#include <thaw/mdx.hpp>

#include <algorithm>

namespace thaw::mdx::rules {

/// A geoset that is always so is taken for one that was forgotten. Checkers use alphas of 0.1 and 0.2.
inline bool is_faint(const GeosetAnimation& animation) {
  constexpr float kFaint = 0.2F;
  const auto& tracks = animation.tracks;
  return animation.alpha < kFaint &&
         std::none_of(
             tracks.begin(), tracks.end(), [](const Track& track) { return track.tag == FourCC{"KGAO"}; });
}

}  // namespace thaw::mdx::rules
