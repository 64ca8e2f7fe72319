// Visibility over time, as a state of two values: games state it by opacities and visibility tracks.
#pragma once

#include "gltf/channels.hpp"
#include "scene/game_rules.hpp"

#include <algorithm>
#include <optional>

namespace thaw::gltf {

/// Several opacities together. Within a group the strongest counts, the groups are multiplied.
class Visibility {
 public:
  explicit Visibility(const Channels& channels) : channels_(channels) {}

  void add_group() { groups_.emplace_back(); }
  /// To the last group.
  void add(const Target& target, Property property, float rest);
  /// Something that is always seen, to the last group.
  void add_visible() {
    groups_.back().constant = 1;
    groups_.back().empty = false;
  }
  /// True if some clip affects it.
  [[nodiscard]] bool varies() const;
  /// Finds out when; call it once, after all sources are there. Without clips only the initial state counts.
  void finish(bool with_clips);

  /// What is seen before any clip plays: the start of the default clip.
  [[nodiscard]] bool initially() const { return initially_; }
  [[nodiscard]] bool animated() const { return animated_; }
  /// Steps between 0 and 1; none if the clip has no say. Not empty for any sequence of what is animated in
  /// some sequence, because viewers leave things as the last clip left them.
  [[nodiscard]] const Curve* curve(std::size_t clip) const {
    return animated_ && curves_[clip] ? &*curves_[clip] : nullptr;
  }

 private:
  struct Source {
    Target target;
    Property property = Property::visibility;
    float rest = 1;
    float typical = 1;
    bool in_sequences = false;
  };

  /// Opacities that no clip changes are only worth their strongest: a material may have thousands of layers.
  struct Group {
    std::vector<Source> sources;
    float constant = 0;
    bool empty = true;

    /// The strongest of all, `value` giving that of a source.
    template <class Value>
    [[nodiscard]] float strongest(const Value& value) const {
      float result = empty ? 1.0F : constant;
      for (const auto& source : sources) {
        result = std::max(result, value(source));
      }
      return result;
    }
  };

  [[nodiscard]] float opacity(std::size_t clip, float time) const;
  [[nodiscard]] float value(const Source& source, std::size_t clip, float time) const;
  [[nodiscard]] std::vector<const Curve*> curves_in(std::size_t clip) const;
  [[nodiscard]] std::optional<Curve> make_curve(std::size_t clip) const;
  [[nodiscard]] float find_switch(std::size_t clip, float from, float to) const;
  [[nodiscard]] bool seen(float opacity) const { return opacity > threshold_; }

  const Channels& channels_;
  std::vector<Group> groups_;
  std::vector<std::optional<Curve>> curves_;
  float threshold_ = scene::kInvisible;
  bool initially_ = true;
  bool animated_ = false;
};

}  // namespace thaw::gltf
