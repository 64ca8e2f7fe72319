// One animation while it is being put together.
#pragma once

#include "gltf/export.hpp"
#include "scene/curve.hpp"

#include <set>
#include <span>
#include <string>
#include <utility>

namespace thaw::gltf {

class AnimationBuilder {
 public:
  explicit AnimationBuilder(Export& out);

  void add_node(Index node, std::string_view path, Curve curve);
  /// Left out if it only says what the node has at rest.
  void add_node(Index node, std::string_view path, Curve curve, std::span<const float> rest);
  /// KHR_animation_pointer; an empty curve is left out.
  void add_pointer(std::string pointer, Curve curve);
  /// KHR_node_visibility from steps between 0 and 1.
  void add_visibility(Index node, const Curve& states);
  /// The curve that moves a node; null if none does.
  [[nodiscard]] const Curve* curve_of(Index node, std::string_view path) const;
  /// The fingerprints of all that moves nodes, together: by them a clip is known that lost its name.
  [[nodiscard]] double moves() const;
  void set_extras(Value extras) { animation_.extras = std::move(extras); }

  /// What moves: a node and one of its properties.
  using Moved = std::set<std::pair<Index, std::string>>;
  void note_moved(Moved& moved) const;
  /// Leaves to others what they move.
  void leave(const Moved& to_others);

  /// Gives it a key `duration` seconds after its begin, the last for this clip's curves.
  void anchor(float duration);
  /// Adds the animation to the document.
  void finish(std::string name);

 private:
  struct Channel {
    Index node = kNone;
    std::string_view path;
    std::string pointer;
    Curve curve;
    bool flags = false;  ///< the values are truth values
  };

  Index add_sampler(const Channel& channel);

  Export& out_;
  Animation animation_;
  std::vector<Channel> channels_;
  std::map<std::tuple<Index, Index, std::string_view>, Index> samplers_;
};

/// What only KHR_animation_pointer can move: materials and lights.
void add_pointers(Export& out, std::size_t clip, AnimationBuilder& animation);

}  // namespace thaw::gltf
