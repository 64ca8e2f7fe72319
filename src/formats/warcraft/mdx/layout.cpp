#include "formats/warcraft/mdx/layout.hpp"

#include "describe/description.hpp"

#include <algorithm>

namespace thaw::mdx {
namespace {

constexpr std::size_t kNodeSize = 96;

bool begins_with(ByteView bytes, std::size_t at, FourCC tag) {
  return bytes.size() >= at + 4 && std::memcmp(bytes.data() + at, tag.bytes.data(), 4) == 0;
}

/// Could a node begin here, or does the chunk end?
bool plausible(ByteView rest) {
  if (rest.empty()) {
    return true;
  }
  if (rest.size() < kNodeSize) {
    return false;
  }
  const auto size = load_plain<std::uint32_t>(rest.data());
  if (size < kNodeSize || size > rest.size()) {
    return false;
  }
  if (size > kNodeSize && !begins_with(rest, kNodeSize, FourCC{"KGTR"}) &&
      !begins_with(rest, kNodeSize, FourCC{"KGRT"}) && !begins_with(rest, kNodeSize, FourCC{"KGSC"})) {
    return false;
  }
  if (std::memchr(rest.data() + 4, 0, 80) == nullptr) {
    return false;
  }
  return load_plain<std::int32_t>(rest.data() + 84) >= -1 && load_plain<std::int32_t>(rest.data() + 88) >= -1;
}

std::span<const std::uint32_t> payload_candidates(std::uint32_t type) {
  // The community layout first, then the engine's, then that of tools that write one vertex.
  static constexpr std::array<std::uint32_t, 1> kBox = {24};
  static constexpr std::array<std::uint32_t, 3> kPlane = {24, 20, 12};
  static constexpr std::array<std::uint32_t, 1> kSphere = {16};
  static constexpr std::array<std::uint32_t, 3> kCylinder = {28, 8, 16};
  switch (type) {
    case 0:
      return kBox;
    case 1:
      return kPlane;
    case 2:
      return kSphere;
    case 3:
      return kCylinder;
    default:
      return {};
  }
}

/// Records that begin with a text: letters, then NUL within the field of the name.
std::uint64_t count_named(ByteView chunk, std::size_t record, std::size_t name) {
  std::uint64_t named = 0;
  for (std::size_t at = 0; at + record <= chunk.size(); at += record) {
    std::size_t letters = 0;
    while (letters < name && chunk[at + letters] >= ' ') {
      ++letters;
    }
    named += letters > 0 && letters < name && chunk[at + letters] == 0 ? 1U : 0U;
  }
  return named;
}

}  // namespace

bool fresnel_fields_follow(ByteView rest) {
  constexpr std::size_t kFresnelSize = 20;
  static constexpr std::array kTracks = {FourCC{"KMTF"}, FourCC{"KMTA"}, FourCC{"KMTE"},
                                         FourCC{"KFC3"}, FourCC{"KFCA"}, FourCC{"KFTC"}};
  const bool track_is_next =
      std::any_of(kTracks.begin(), kTracks.end(), [&](FourCC tag) { return begins_with(rest, 0, tag); });
  return !track_is_next && rest.size() >= kFresnelSize;
}

bool has_short_sound_tracks(ByteView chunk) {
  constexpr std::size_t kLong = 272;
  constexpr std::size_t kShort = 56;
  const bool fits_short = chunk.size() % kShort == 0;
  if (fits_short != (chunk.size() % kLong == 0)) {
    return fits_short;
  }
  return count_named(chunk, kShort, 44) * (chunk.size() / kLong) >
         count_named(chunk, kLong, 260) * (chunk.size() / kShort);
}

bool event_has_global_sequence(ByteView rest, std::uint32_t count) {
  const std::uint64_t frames = std::uint64_t{count} * 4;
  const bool fits_with = frames + 4 <= rest.size();
  const bool fits_without = frames <= rest.size();
  if (fits_with && plausible(rest.subspan(static_cast<std::size_t>(frames) + 4))) {
    return true;
  }
  return !(fits_without && plausible(rest.subspan(static_cast<std::size_t>(frames))));
}

std::size_t usual_collision_payload(std::uint32_t type, std::size_t left) {
  const auto candidates = payload_candidates(type);
  return !candidates.empty() && candidates.front() <= left ? candidates.front() : 0;
}

std::vector<std::uint32_t> plan_collision_payloads(ByteView chunk) {
  struct Step {
    std::size_t node;       // where the shape begins
    std::size_t candidate;  // next candidate to try
  };
  std::vector<Step> steps = {{0, 0}};
  std::vector<bool> dead(chunk.size() + 1);  // offsets from which no reading reaches the end
  std::vector<std::uint32_t> plan;
  while (!steps.empty()) {
    auto& step = steps.back();
    if (step.node == chunk.size()) {
      return plan;
    }
    std::size_t next = 0;
    const std::size_t left = chunk.size() - step.node;
    const std::size_t node_size = left >= 4 ? load_plain<std::uint32_t>(chunk.data() + step.node) : 0;
    if (node_size >= kNodeSize && node_size <= left && left - node_size >= 4) {
      const std::size_t payload = step.node + node_size + 4;
      const auto candidates = payload_candidates(load_plain<std::uint32_t>(chunk.data() + payload - 4));
      while (next == 0 && step.candidate < candidates.size()) {
        const std::uint32_t size = candidates[step.candidate++];
        const std::size_t end = payload + size;
        if (end <= chunk.size() && !dead[end] && plausible(chunk.subspan(end))) {
          next = end;
          plan.push_back(size);
        }
      }
    }
    if (next != 0) {
      steps.push_back({next, 0});
      continue;
    }
    dead[step.node] = true;
    steps.pop_back();
    if (!plan.empty()) {
      plan.pop_back();
    }
  }
  return {};
}

}  // namespace thaw::mdx
