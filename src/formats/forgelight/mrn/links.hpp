// References within a network, looked up once: networks have thousands of animations.
#pragma once

#include <thaw/mrn.hpp>

#include <map>
#include <utility>

namespace thaw::mrn {

class Links {
 public:
  /// The document must outlive the links.
  explicit Links(const Document& document);

  [[nodiscard]] BoneMap bone_map(const Skeleton& skeleton, std::uint32_t channels,
                                 std::optional<std::size_t> index, Diagnostics& diagnostics) const;
  /// A map joins these channels to the skeleton, so that they need not be taken in order.
  [[nodiscard]] bool fits(const Skeleton& skeleton, std::uint32_t channels,
                          std::optional<std::size_t> index) const;
  [[nodiscard]] std::vector<const EventTrack*> events_of(std::size_t index) const;

 private:
  struct Player {
    const Node* node = nullptr;
    const SourceAnimation* animation = nullptr;
  };

  void add_players(const Network& network);
  [[nodiscard]] const RigMap* named_map(std::size_t index) const;
  [[nodiscard]] const RigMap* sized_map(std::size_t channels, std::size_t bones) const;

  std::map<std::uint32_t, const RigMap*> maps_;
  std::map<std::pair<std::size_t, std::size_t>, const RigMap*> maps_by_size_;  ///< channels, bones
  std::map<std::uint64_t, const EventTrack*> tracks_;
  std::vector<const EventTrack*> all_tracks_;
  std::multimap<std::size_t, Player> players_;  ///< by animation
  std::size_t animations_ = 0;
};

}  // namespace thaw::mrn
