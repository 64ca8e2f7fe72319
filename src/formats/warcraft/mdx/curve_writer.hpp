// Collects the keys of one curve, with strictly increasing times whatever it is given.
#pragma once

#include "formats/warcraft/mdx/scene/math.hpp"

#include <thaw/scene.hpp>

namespace thaw::mdx {

class CurveWriter {
 public:
  struct Point {
    double time = 0;  ///< s
    Double4 value{};
    Double4 slope{};  ///< per second; cubic only
  };

  /// With `rotation`, neighbouring keys get the sign that makes their dot product positive.
  CurveWriter(scene::CurveMode mode, unsigned components, bool rotation)
      : mode_(mode), components_(components), rotation_(rotation) {}

  /// Continues the curve from one point to the next. The first point is a key of its own only at the
  /// beginning and after a jump.
  void segment(Point from, Point to);
  /// A key that does not continue what came before: at once for steps, one float earlier for the old value
  /// otherwise.
  void jump(const Point& to);

  [[nodiscard]] bool empty() const { return keys_.empty(); }
  [[nodiscard]] const Double4& last_value() const { return keys_.back().value; }
  /// The curve; a single key if all keys say the same.
  [[nodiscard]] scene::Curve finish(const Double4& offset) const;

 private:
  struct Entry {
    float time = 0;
    Double4 value{};
    Double4 in{};
    Double4 out{};
  };

  void push(const Point& point, const Double4& in);
  [[nodiscard]] bool constant() const;

  scene::CurveMode mode_;
  unsigned components_;
  bool rotation_;
  std::vector<Entry> keys_;
};

}  // namespace thaw::mdx
