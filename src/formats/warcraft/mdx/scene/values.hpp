// Documents' fields as extras.
#pragma once

#include <thaw/mdx.hpp>
#include <thaw/value.hpp>

namespace thaw::mdx {

template <std::size_t N>
Value to_value(const std::array<float, N>& numbers) {
  Value::List list(numbers.begin(), numbers.end());
  return {std::move(list)};
}

template <std::size_t N>
Value to_value(const FixedText<N>& text) {
  return {to_utf8(text.view())};
}

Value to_value(const Extent& extent);

/// All of a track, for those that no property of a scene says.
Value to_value(const Track& track);

/// Those of `tags` that are present, as {"tag": track}; null if none is.
Value rare_tracks(const Tracks& tracks, std::span<const FourCC> tags);

}  // namespace thaw::mdx
