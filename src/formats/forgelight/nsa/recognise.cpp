// Recognition of an animation's layout. There is no magic number and every word of a header may be odd, so
// independent facts are weighed. See nsa.md#recognition.
#include "formats/forgelight/nsa/description.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace thaw::nsa {
namespace {

/// From here on it is an animation: a header in good order with one pointer, or an odd one with lists.
constexpr int kEnough = 8;
/// Below this, no list or segment could make up for it.
constexpr int kHopeless = -1;

/// Where a layout keeps what identifies it.
struct Places {
  std::uint64_t alignment;
  std::uint64_t duration;
  std::uint64_t rate;
  std::uint64_t channels;
  std::uint64_t fewer;  ///< of a number that channels are not fewer than
  std::span<const std::uint64_t> zeros;
  std::span<const std::uint64_t> pointers;
  std::span<const std::uint64_t> lists;         ///< to lists of channels
  std::span<const std::uint64_t> static_lists;  ///< whose lengths the static segment repeats
  std::uint64_t static_segment;
};

constexpr std::array<std::uint64_t, 1> kZerosV26 = {0x08};
constexpr std::array<std::uint64_t, 13> kPointersV26 = {0x28, 0x30, 0x38, 0x40, 0x48, 0x50, 0x70,
                                                        0x88, 0x90, 0x98, 0xA0, 0xA8, 0xB0};
constexpr std::array<std::uint64_t, 6> kListsV26 = {0x28, 0x30, 0x38, 0x40, 0x48, 0x50};
constexpr std::array<std::uint64_t, 10> kPointersV24 = {0x08, 0x40, 0x48, 0x50, 0x58,
                                                        0x80, 0x88, 0x90, 0xB0, 0xB8};
constexpr std::array<std::uint64_t, 2> kListsV24 = {0x40, 0x48};

constexpr Places kV26 = {
    0x14, 0x18, 0x1C, 0x20, 0x24, kZerosV26, kPointersV26, kListsV26, std::span(kListsV26).first(2), 0xA0};
constexpr Places kV24 = {0x10, 0x28, 0x2C, 0x30, 0x3C, {}, kPointersV24, kListsV24, kListsV24, 0x90};

template <class T>
T loaded(ByteView bytes, std::uint64_t at) {
  return load_plain<T>(bytes.data() + at);
}

int alignment_points(std::uint32_t alignment) {
  constexpr std::uint32_t kMostAlignment = 4096;
  if (alignment == 4 || alignment == 16) {
    return 2;
  }
  const bool power = alignment != 0 && (alignment & (alignment - 1)) == 0;
  return power && alignment <= kMostAlignment ? 1 : -4;
}

/// Small integers are tiny numbers if they are taken for floats.
int duration_points(float seconds) {
  constexpr float kShortest = 1e-4F;
  constexpr float kLongest = 1e5F;
  if (!(seconds >= 0 && seconds <= kLongest)) {
    return -4;
  }
  return seconds == 0 || seconds >= kShortest ? 1 : 0;
}

int rate_points(float rate) {
  constexpr float kSlowest = 1e-3F;
  constexpr float kFastest = 1e4F;
  if (!(rate >= 0 && rate <= kFastest)) {
    return -2;
  }
  return rate >= kSlowest ? 1 : 0;
}

int channel_points(std::uint32_t channels, std::uint32_t fewer) {
  return (channels > 0 && channels <= kMostChannels ? 1 : -6) + (fewer <= channels ? 1 : 0);
}

/// Any number of pointers is no better than three: tables of other formats are full of such words.
int pointer_points(ByteView bytes, std::span<const std::uint64_t> places) {
  constexpr std::uint64_t kFarthest = std::uint64_t{1} << 32U;
  constexpr int kMost = 3;
  int sound = 0;
  int unsound = 0;
  for (const std::uint64_t at : places) {
    const auto pointer = loaded<std::uint64_t>(bytes, at);
    if (pointer != 0) {
      ++(pointer >= kHeaderSize && pointer < kFarthest ? sound : unsound);
    }
  }
  return std::min(sound, kMost) - 3 * unsound;
}

/// How many channels the list at a pointer holds: rising numbers that the animation has. 0 if it is none,
/// or lies after what is there to be seen.
std::uint32_t list_length(ByteView bytes, std::uint64_t place, std::uint32_t channels) {
  const auto at = loaded<std::uint64_t>(bytes, place);
  if (at < kHeaderSize || at >= bytes.size() || bytes.size() - at < 2) {
    return 0;
  }
  const std::uint32_t count = loaded<std::uint16_t>(bytes, at);
  if (count > channels || bytes.size() - at - 2 < 2 * std::uint64_t{count}) {
    return 0;
  }
  std::int32_t last = -1;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::int32_t channel = loaded<std::uint16_t>(bytes, at + 2 + 2 * std::uint64_t{i});
    if (channel <= last || static_cast<std::uint32_t>(channel) >= channels) {
      return 0;
    }
    last = channel;
  }
  return count;
}

/// Channels that are listed, and a static segment that has as many.
int content_points(ByteView bytes, const Places& places) {
  constexpr int kMost = 6;
  const auto channels = loaded<std::uint32_t>(bytes, places.channels);
  int points = 0;
  for (const std::uint64_t place : places.lists) {
    points += list_length(bytes, place, channels) > 0 ? 2 : 0;
  }
  points = std::min(points, kMost);
  const auto segment = loaded<std::uint64_t>(bytes, places.static_segment);
  const std::uint64_t counts = 4 * places.static_lists.size();
  if (segment < kHeaderSize || segment >= bytes.size() || bytes.size() - segment < counts) {
    return points;
  }
  bool all = true;
  bool any = false;
  for (std::size_t i = 0; i < places.static_lists.size(); ++i) {
    const std::uint32_t length = list_length(bytes, places.static_lists[i], channels);
    all = all && loaded<std::uint32_t>(bytes, segment + 4 * i) == length;
    any = any || length > 0;
  }
  return points + (all && any ? 3 : 0);
}

int points_of(ByteView bytes, const Places& places) {
  int points = alignment_points(loaded<std::uint32_t>(bytes, places.alignment)) +
               duration_points(loaded<float>(bytes, places.duration)) +
               rate_points(loaded<float>(bytes, places.rate)) +
               channel_points(loaded<std::uint32_t>(bytes, places.channels),
                              loaded<std::uint32_t>(bytes, places.fewer)) +
               pointer_points(bytes, places.pointers);
  for (const std::uint64_t at : places.zeros) {
    points += loaded<std::uint64_t>(bytes, at) == 0 ? 1 : 0;
  }
  return points < kHopeless ? points : points + content_points(bytes, places);
}

}  // namespace

std::optional<Layout> layout_of(ByteView bytes) {
  if (bytes.size() < kHeaderSize) {
    return std::nullopt;
  }
  const int v26 = points_of(bytes, kV26);
  const int v24 = points_of(bytes, kV24);
  if (std::max(v26, v24) < kEnough) {
    return std::nullopt;
  }
  return v26 >= v24 ? Layout::v26 : Layout::v24;
}

bool is_nsa(ByteView bytes) { return layout_of(bytes).has_value(); }

}  // namespace thaw::nsa
