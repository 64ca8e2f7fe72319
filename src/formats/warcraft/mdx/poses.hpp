// Positions of the nodes of a model at a number of times, for measuring what a change does to its vertices.
#pragma once

#include "scene/math.hpp"

#include <thaw/mdx.hpp>

#include <unordered_map>
#include <vector>

namespace thaw::mdx {

/// In the game's units with Y up. Moments are spread evenly over all sequences, with the global sequences
/// playing alongside them.
class Poses {
 public:
  /// At most `moments`, fewer where they would need too much memory; one, the rest pose, without sequences.
  Poses(const Document& document, std::size_t moments);

  [[nodiscard]] std::size_t moments() const { return moments_; }
  /// Index for `matrix`, or −1 if there is no such node.
  [[nodiscard]] std::ptrdiff_t node(std::int64_t object_id) const;
  /// Takes a point at rest to where the node takes it.
  [[nodiscard]] const scene::Mat4d& matrix(std::size_t moment, std::ptrdiff_t node) const {
    return matrices_[moment * nodes_ + static_cast<std::size_t>(node)];
  }

 private:
  std::size_t moments_ = 0;
  std::size_t nodes_ = 0;
  std::unordered_map<std::int32_t, scene::Index> node_of_id_;
  std::vector<scene::Mat4d> matrices_;
};

}  // namespace thaw::mdx
