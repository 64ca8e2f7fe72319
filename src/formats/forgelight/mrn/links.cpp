#include "formats/forgelight/mrn/links.hpp"

#include <algorithm>
#include <iterator>
#include <set>

namespace thaw::mrn {
namespace {

/// Lists name channels by 16 bits; whatever a file states, there are no more.
constexpr std::size_t kMostChannels = 65536;

std::vector<std::int32_t> bones_of(const RigMap& map, std::size_t channels, std::size_t bones) {
  std::vector<std::int32_t> result(std::min(channels, kMostChannels), -1);
  for (std::size_t channel = 0; channel < std::min(result.size(), map.bones.size()); ++channel) {
    result[channel] = map.bones[channel] < bones ? std::int32_t{map.bones[channel]} : -1;
  }
  return result;
}

/// Channel c drives bone c + (bones − channels): the last bones, in order (mrn.md#rig-maps).
std::vector<std::int32_t> bones_in_order(std::size_t channels, std::size_t bones) {
  std::vector<std::int32_t> result(std::min(channels, kMostChannels), -1);
  for (std::size_t channel = 0; channel < result.size(); ++channel) {
    if (channel + bones >= channels) {
      result[channel] = static_cast<std::int32_t>(channel + bones - channels);
    }
  }
  return result;
}

}  // namespace

Links::Links(const Document& document) {
  for (const Packet& packet : document.packets) {
    if (const auto* map = packet.get_if<RigMap>()) {
      maps_.emplace(packet.asset_id, map);
      maps_by_size_.emplace(std::pair(map->bones.size(), std::size_t{map->skeleton_bones()}), map);
    } else if (const auto* track = packet.get_if<EventTrack>()) {
      tracks_.emplace(packet.asset_id, track);
      all_tracks_.push_back(track);
    } else if (const auto* network = packet.get_if<Network>()) {
      add_players(*network);
    } else if (packet.get_if<nsa::Document>() != nullptr) {
      ++animations_;
    }
  }
}

void Links::add_players(const Network& network) {
  for (const Node& node : network.nodes) {
    for (const AttributeSpan& attribute : node.attributes) {
      if (attribute.animation && (*attribute.animation)->animation >= 0) {
        const SourceAnimation& animation = **attribute.animation;
        players_.emplace(static_cast<std::size_t>(animation.animation), Player{&node, &animation});
      }
    }
  }
}

const RigMap* Links::named_map(std::size_t index) const {
  const auto [begin, end] = players_.equal_range(index);
  for (auto player = begin; player != end; ++player) {
    const auto map = maps_.find(static_cast<std::uint32_t>(player->second.animation->rig_map));
    if (map != maps_.end()) {
      return map->second;
    }
  }
  return nullptr;
}

const RigMap* Links::sized_map(std::size_t channels, std::size_t bones) const {
  const auto map = maps_by_size_.find(std::pair(channels, bones));
  return map == maps_by_size_.end() ? nullptr : map->second;
}

BoneMap Links::bone_map(const Skeleton& skeleton, std::uint32_t channels, std::optional<std::size_t> index,
                        Diagnostics& diagnostics) const {
  const std::size_t bones = skeleton.bones();
  if (const RigMap* named = index ? named_map(*index) : nullptr) {
    return {BoneMap::Origin::network, bones_of(*named, channels, bones)};
  }
  if (const RigMap* map = sized_map(channels, bones)) {
    return {BoneMap::Origin::map, bones_of(*map, channels, bones)};
  }
  diagnostics.add(codes::kMrnNoRigMap, "the network has no rig map from " + std::to_string(channels) +
                                           " channels to " + std::to_string(bones) +
                                           " bones; channels are assigned in order");
  return {BoneMap::Origin::offset, bones_in_order(channels, bones)};
}

bool Links::fits(const Skeleton& skeleton, std::uint32_t channels, std::optional<std::size_t> index) const {
  if (const RigMap* named = index ? named_map(*index) : nullptr) {
    return named->skeleton_bones() == skeleton.bones();
  }
  return sized_map(channels, skeleton.bones()) != nullptr;
}

std::vector<const EventTrack*> Links::events_of(std::size_t index) const {
  if (animations_ == 1) {
    return all_tracks_;
  }
  // Several players may show one clip: each track once, in the order of the file.
  std::set<const EventTrack*> requested;
  std::set<const Node*> seen;
  const auto [begin, end] = players_.equal_range(index);
  for (auto player = begin; player != end; ++player) {
    const Node* node = player->second.node;
    if (!seen.insert(node).second) {
      continue;
    }
    for (const AttributeSpan& attribute : node->attributes) {
      for (std::size_t set = 0; attribute.event_tracks && set < 3; ++set) {
        for (const std::uint64_t id : (*attribute.event_tracks)->sets[set].ids) {
          const auto track = tracks_.find(id);
          if (track != tracks_.end()) {
            requested.insert(track->second);
          }
        }
      }
    }
  }
  std::vector<const EventTrack*> found;
  std::copy_if(all_tracks_.begin(), all_tracks_.end(), std::back_inserter(found),
               [&](const EventTrack* track) { return requested.contains(track); });
  return found;
}

BoneMap bone_map(const Document& document, const Skeleton& skeleton, std::uint32_t channels,
                 std::optional<std::size_t> index, Diagnostics& diagnostics) {
  return Links(document).bone_map(skeleton, channels, index, diagnostics);
}

std::vector<const EventTrack*> events_of(const Document& document, std::size_t index) {
  return Links(document).events_of(index);
}

}  // namespace thaw::mrn
