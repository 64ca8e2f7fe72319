// Bounding boxes, and everything in a model that has one.
#pragma once

#include "bytes/finite.hpp"
#include "formats/warcraft/mdx/rules/model.hpp"

#include "describe/rules.hpp"

#include <algorithm>
#include <cmath>

namespace thaw::mdx::rules {

/// For rules about the extents of the model, its sequences, its geosets and their sequence extents.
inline constexpr auto kExtents = [](const Model& model, const auto& use) {
  if (model.header != nullptr) {
    use(model.header->extent, std::string("MODL.extent"));
  }
  for (const auto& sequence : model.sequences) {
    use(sequence->extent, sequence.path + ".extent");
  }
  for (const auto& geoset : model.geosets) {
    use(geoset->extent, geoset.path + ".extent");
    for (std::size_t i = 0; i < geoset->sequence_extents.size(); ++i) {
      use(geoset->sequence_extents[i], say(geoset.path, ".sequenceExtents[", i, "]"));
    }
  }
};

struct Box {
  Vec3 minimum{};
  Vec3 maximum{};
  float radius = 0;  ///< of a sphere about the origin
  bool valid = false;

  void add(const Vec3& point) {
    if (!all_finite(point)) {
      return;
    }
    float square = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      minimum.at(axis) = valid ? std::min(minimum.at(axis), point.at(axis)) : point.at(axis);
      maximum.at(axis) = valid ? std::max(maximum.at(axis), point.at(axis)) : point.at(axis);
      square += point.at(axis) * point.at(axis);
    }
    radius = std::max(radius, std::sqrt(square));
    valid = true;
  }
};

inline Extent extent_of(const Box& box) { return {box.radius, box.minimum, box.maximum}; }

inline Box box_of(const Geoset& geoset) {
  Box box;
  for (const auto& point : geoset.positions) {
    box.add(point);
  }
  return box;
}
inline Box box_of(const Model& model) {
  Box box;
  for (const auto& geoset : model.geosets) {
    for (const auto& point : geoset->positions) {
      box.add(point);
    }
  }
  return box;
}

/// With one unit to spare: exporters round.
inline bool holds(const Extent& extent, const Box& box) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (box.minimum.at(axis) < extent.minimum.at(axis) - 1 ||
        box.maximum.at(axis) > extent.maximum.at(axis) + 1) {
      return false;
    }
  }
  return true;
}

}  // namespace thaw::mdx::rules
