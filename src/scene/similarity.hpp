// Similarity transform of a whole model, in double: turned, scaled, then moved.
#pragma once

#include "scene/math.hpp"

#include <thaw/edit.hpp>

#include <string>
#include <utility>

namespace thaw::scene {

/// What is no turn, no scale or no move leaves numbers as they are, −0 too.
struct Similarity {
  Vec4d turn{0, 0, 0, 1};
  std::array<Vec3d, 3> rows{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};  ///< of the turn as a matrix
  bool turns = false;
  double scale = 1;
  Vec3d offset{};

  [[nodiscard]] Vec3d turned(const Vec3d& v) const {
    return turns ? Vec3d{dot(rows[0], v), dot(rows[1], v), dot(rows[2], v)} : v;
  }
  [[nodiscard]] Vec3d direction(const Vec3d& v) const { return scaled(turned(v), scale); }
  [[nodiscard]] Vec3d point(const Vec3d& v) const {
    return offset == Vec3d{} ? direction(v) : add(direction(v), offset);
  }
  [[nodiscard]] Vec3 point(const Vec3& v) const { return narrow(point(widen(v))); }
  [[nodiscard]] float length(float value) const { return to_float(double{value} * scale); }
  /// Axes become axes, so that boxes stay boxes.
  [[nodiscard]] bool keeps_axes() const;
  [[nodiscard]] bool is_identity() const { return !turns && scale == 1 && offset == Vec3d{}; }
  /// "turned, scaled"
  [[nodiscard]] std::string words() const;
  friend bool operator==(const Similarity&, const Similarity&) = default;
};

/// Right angles are exact.
Similarity similarity_of(const thaw::Placement& placement);
/// What is nearly a whole number as that number.
double snapped(double x);

/// The box around a transformed box: its minimum and maximum.
std::pair<Vec3, Vec3> transformed_box(const Similarity& similarity, const Vec3& minimum, const Vec3& maximum);

}  // namespace thaw::scene
