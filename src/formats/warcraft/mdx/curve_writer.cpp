#include "formats/warcraft/mdx/curve_writer.hpp"

#include <algorithm>

namespace thaw::mdx {
namespace {

/// Less per second than fitting is exact to.
bool negligible(const Double4& slope) {
  constexpr double kNoise = 1e-9;
  return std::all_of(slope.begin(), slope.end(), [](double s) { return std::abs(s) < kNoise; });
}

bool same_floats(const Double4& a, const Double4& b) {
  return std::equal(a.begin(), a.end(), b.begin(),
                    [](double x, double y) { return to_float(x) == to_float(y); });
}

void negate(CurveWriter::Point& point) {
  point.value = negated(point.value);
  point.slope = negated(point.slope);
}

}  // namespace

void CurveWriter::segment(Point from, Point to) {
  if (rotation_) {
    if (dot(from.value, to.value) < 0) {
      negate(to);
    }
    if (!keys_.empty() && dot(keys_.back().value, from.value) < 0) {
      negate(from);
      negate(to);
    }
  }
  if (keys_.empty()) {
    push(from, {});
  }
  keys_.back().out = from.slope;
  push(to, to.slope);
}

void CurveWriter::jump(const Point& to) {
  Point target = to;
  if (!keys_.empty()) {
    if (rotation_ && dot(keys_.back().value, target.value) < 0) {
      negate(target);
    }
    auto& last = keys_.back();
    const float earlier = std::nextafter(last.time, -std::numeric_limits<float>::infinity());
    const bool room = keys_.size() == 1 ? earlier >= 0 : earlier > keys_[keys_.size() - 2].time;
    if (mode_ != scene::CurveMode::step && last.time >= static_cast<float>(target.time) && room) {
      last.time = earlier;
    }
    last.out = {};
  }
  push(target, {});
}

void CurveWriter::push(const Point& point, const Double4& in) {
  const auto time = static_cast<float>(point.time);
  if (!keys_.empty() && !(time > keys_.back().time)) {
    // Too close to distinguish: what comes later wins, as in the game.
    keys_.back().value = point.value;
    keys_.back().out = {};
    return;
  }
  keys_.push_back({time, point.value, in, {}});
}

bool CurveWriter::constant() const {
  const auto& first = keys_.front();
  return std::all_of(keys_.begin(), keys_.end(), [&](const Entry& key) {
    const bool flat = mode_ != scene::CurveMode::cubic || (negligible(key.in) && negligible(key.out));
    return flat && same_floats(key.value, first.value);
  });
}

scene::Curve CurveWriter::finish(const Double4& offset) const {
  scene::Curve curve;
  curve.components = components_;
  const bool single = keys_.size() == 1 || constant();
  curve.mode = single && mode_ == scene::CurveMode::cubic ? scene::CurveMode::linear : mode_;
  const std::size_t count = single ? 1 : keys_.size();
  const bool cubic = curve.mode == scene::CurveMode::cubic;
  curve.times.reserve(count);
  curve.values.reserve(count * components_ * (cubic ? 3 : 1));
  const auto append = [&](const Double4& value, const Double4& base) {
    for (unsigned i = 0; i < components_; ++i) {
      curve.values.push_back(to_float(value[i] + base[i]));
    }
  };
  for (std::size_t i = 0; i < count; ++i) {
    curve.times.push_back(single ? 0 : keys_[i].time);
    if (cubic) {
      append(keys_[i].in, {});
    }
    append(keys_[i].value, offset);
    if (cubic) {
      append(keys_[i].out, {});
    }
  }
  return curve;
}

}  // namespace thaw::mdx
