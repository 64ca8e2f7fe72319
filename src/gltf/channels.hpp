// The clips of a scene, made fit for writing, and what they say about one property.
#pragma once

#include <thaw/diagnostics.hpp>
#include <thaw/scene.hpp>

#include <map>
#include <tuple>
#include <vector>

namespace thaw::gltf {

using scene::Clip;
using scene::Curve;
using scene::Property;
using scene::Target;

/// Numbers per key of a property; 0 where it depends on the target.
unsigned components_of(Property property);

class Channels {
 public:
  /// Channels that refer to nothing, are empty, or of the wrong width are left out and reported.
  Channels(const scene::Scene& scene, Diagnostics& diagnostics);

  /// Index for index the scene's clips, with sound channels only; redundant keys are left out.
  [[nodiscard]] const std::vector<Clip>& clips() const { return clips_; }
  /// Null if the clip does not have it.
  [[nodiscard]] const Curve* find(std::size_t clip, const Target& target, Property property) const;
  [[nodiscard]] bool any(const Target& target, Property property) const;
  /// True if a clip that is no global loop has it.
  [[nodiscard]] bool any_in_sequences(const Target& target, Property property) const;

  /// As scene::default_clip.
  [[nodiscard]] scene::Index default_clip() const { return default_clip_; }
  /// The value at the start of the default clip, or of a global loop that drives the property; `rest` if
  /// neither does.
  [[nodiscard]] float initial(const Target& target, Property property, float rest) const;
  [[nodiscard]] Vec3 initial(const Target& target, Property property, const Vec3& rest) const;
  /// The value that stands for an animated opacity where only one can be said: the initial one, or, when that
  /// is invisible, the largest. 0 to 1.
  [[nodiscard]] float typical_alpha(const Target& target, Property property, float rest) const;

 private:
  using Key = std::tuple<Target::Kind, scene::Index, scene::Index, Property>;
  struct Entry {
    std::size_t clip = 0;
    std::size_t channel = 0;
  };

  static Key key(const Target& target, Property property) {
    return {target.kind, target.index, target.sub, property};
  }
  void add_clip(const scene::Scene& scene, std::size_t index, Diagnostics& diagnostics);
  [[nodiscard]] const Curve* initial_curve(const Target& target, Property property) const;
  [[nodiscard]] const Curve& curve(const Entry& entry) const {
    return clips_[entry.clip].channels[entry.channel].curve;
  }
  [[nodiscard]] const std::vector<Entry>* entries(const Target& target, Property property) const;

  std::vector<Clip> clips_;
  std::map<Key, std::vector<Entry>> table_;  ///< entries by rising clip
  scene::Index default_clip_ = scene::kNone;
};

}  // namespace thaw::gltf
