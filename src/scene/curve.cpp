#include "scene/curve.hpp"

#include "bytes/finite.hpp"
#include "scene/math.hpp"

#include <algorithm>
#include <cmath>

namespace thaw::scene {
namespace {

std::size_t stride(const Curve& curve) {
  return std::size_t{curve.components} * (curve.mode == CurveMode::cubic ? 3 : 1);
}

/// Key `key`; part 0 in tangent, 1 value, 2 out tangent.
std::span<const float> key_part(const Curve& curve, std::size_t key, std::size_t part) {
  const std::size_t skip = curve.mode == CurveMode::cubic ? part * curve.components : 0;
  return std::span<const float>(curve.values).subspan(key * stride(curve) + skip, curve.components);
}

std::span<const float> key_value(const Curve& curve, std::size_t key) { return key_part(curve, key, 1); }

struct Segment {
  std::size_t from = 0;
  std::size_t to = 0;
  double part = 0;    ///< 0 to 1
  double length = 0;  ///< seconds
};

Segment find_segment(const Curve& curve, float time) {
  const auto after = std::upper_bound(curve.times.begin(), curve.times.end(), time);
  const auto next = static_cast<std::size_t>(after - curve.times.begin());
  if (next == 0 || next == curve.times.size()) {
    const std::size_t key = next == 0 ? 0 : next - 1;
    return {key, key, 0, 0};
  }
  const double start{curve.times[next - 1]};
  const double length = double{curve.times[next]} - start;
  return {next - 1, next, (double{time} - start) / length, length};
}

double hermite(const Curve& curve, const Segment& at, std::size_t component) {
  const double t = at.part;
  const double t2 = t * t;
  const double t3 = t2 * t;
  const double from{key_value(curve, at.from)[component]};
  const double to{key_value(curve, at.to)[component]};
  const double leave = double{key_part(curve, at.from, 2)[component]} * at.length;
  const double arrive = double{key_part(curve, at.to, 0)[component]} * at.length;
  return from * (2 * t3 - 3 * t2 + 1) + leave * (t3 - 2 * t2 + t) + to * (3 * t2 - 2 * t3) +
         arrive * (t3 - t2);
}

Vec4d quaternion(std::span<const float> v) {
  return normalized({double{v[0]}, double{v[1]}, double{v[2]}, double{v[3]}});
}

bool equal(std::span<const float> a, std::span<const float> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

bool zero(std::span<const float> values) {
  return std::all_of(values.begin(), values.end(), [](float value) { return value == 0; });
}

/// True if the curve stands still between two neighbouring keys.
bool still(const Curve& curve, std::size_t from) {
  if (!equal(key_value(curve, from), key_value(curve, from + 1))) {
    return false;
  }
  return curve.mode != CurveMode::cubic ||
         (zero(key_part(curve, from, 2)) && zero(key_part(curve, from + 1, 0)));
}

void copy_key(const Curve& from, std::size_t key, Curve& to) {
  to.times.push_back(from.times[key]);
  const auto values = std::span<const float>(from.values).subspan(key * stride(from), stride(from));
  to.values.insert(to.values.end(), values.begin(), values.end());
}

void normalize_keys(Curve& curve) {
  for (std::size_t key = 0; key < curve.times.size(); ++key) {
    const auto value = key_value(curve, key);
    const Vec4 unit = narrow(quaternion(value));
    const auto at = static_cast<std::size_t>(value.data() - curve.values.data());
    std::copy(unit.begin(), unit.end(), curve.values.begin() + static_cast<std::ptrdiff_t>(at));
  }
}

}  // namespace

void evaluate(const Curve& curve, float time, std::span<float> out) {
  const Segment at = find_segment(curve, time);
  const auto from = key_value(curve, at.from);
  if (at.from == at.to || curve.mode == CurveMode::step) {
    std::copy(from.begin(), from.end(), out.begin());
    return;
  }
  const auto to = key_value(curve, at.to);
  for (std::size_t i = 0; i < from.size(); ++i) {
    const double value = curve.mode == CurveMode::cubic
                             ? hermite(curve, at, i)
                             : double{from[i]} + (double{to[i]} - double{from[i]}) * at.part;
    out[i] = static_cast<float>(value);
  }
}

Vec4 evaluate_rotation(const Curve& curve, float time) {
  const Segment at = find_segment(curve, time);
  const Vec4d from = quaternion(key_value(curve, at.from));
  if (at.from == at.to || curve.mode == CurveMode::step) {
    return narrow(from);
  }
  if (curve.mode == CurveMode::cubic) {
    Vec4d value{};
    for (std::size_t i = 0; i < value.size(); ++i) {
      value[i] = hermite(curve, at, i);
    }
    return narrow(normalized(value));
  }
  return narrow(slerp(from, quaternion(key_value(curve, at.to)), at.part));
}

Curve cleaned(const Curve& curve, bool rotation) {
  Curve out;
  out.mode = curve.mode;
  out.components = curve.components;
  if (curve.components == 0 || (rotation && curve.components != 4)) {
    return out;
  }
  const std::size_t keys = std::min(curve.times.size(), curve.values.size() / stride(curve));
  for (std::size_t key = 0; key < keys; ++key) {
    const float time = curve.times[key];
    const auto values = std::span<const float>(curve.values).subspan(key * stride(curve), stride(curve));
    const bool later = time >= 0 && (out.times.empty() || time > out.times.back());
    if (std::isfinite(time) && later && all_finite(values)) {
      copy_key(curve, key, out);
    }
  }
  if (rotation) {
    normalize_keys(out);
  }
  return out;
}

void drop_redundant_keys(Curve& curve) {
  const std::size_t keys = curve.times.size();
  if (keys < 2) {
    return;
  }
  Curve selected;
  selected.mode = curve.mode;
  selected.components = curve.components;
  for (std::size_t key = 0; key < keys; ++key) {
    const bool before = key > 0 && still(curve, key - 1);
    // A step needs nothing of what follows; the others need the end of a constant run.
    const bool after = key + 1 == keys || curve.mode == CurveMode::step || still(curve, key);
    if (!before || !after) {
      copy_key(curve, key, selected);
    }
  }
  curve = std::move(selected);
}

bool is_constant(const Curve& curve, std::span<const float> value) {
  for (std::size_t key = 0; key < curve.times.size(); ++key) {
    if (!equal(key_value(curve, key), value) ||
        (key > 0 && !still(curve, key - 1) && curve.mode == CurveMode::cubic)) {
      return false;
    }
  }
  return true;
}

std::vector<float> merged_times(std::span<const Curve* const> curves) {
  const bool stepped = std::all_of(curves.begin(), curves.end(),
                                   [](const Curve* curve) { return curve->mode == CurveMode::step; });
  std::vector<float> times;
  for (const Curve* curve : curves) {
    for (std::size_t key = 0; key < curve->times.size(); ++key) {
      const float time = curve->times[key];
      if (!stepped && curve->mode == CurveMode::step && key > 0) {
        times.push_back(std::nextafter(time, 0.0F));
      }
      times.push_back(time);
    }
  }
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

Curve combined(std::span<const Curve* const> curves, unsigned components, float tolerance,
               const std::function<void(float time, std::span<float> out)>& evaluate) {
  const bool stepped = std::all_of(curves.begin(), curves.end(),
                                   [](const Curve* curve) { return curve->mode == CurveMode::step; });
  using Values = std::vector<float>;
  const auto value_at = [&](float time) {
    Values values(components);
    evaluate(time, values);
    return values;
  };
  const auto close = [&](const Values& from, const Values& to, float part, const Values& exact) {
    for (std::size_t i = 0; i < exact.size(); ++i) {
      if (!(std::fabs(from[i] + (to[i] - from[i]) * part - exact[i]) <= tolerance)) {
        return stepped;
      }
    }
    return true;
  };
  Curve out;
  out.mode = stepped ? CurveMode::step : CurveMode::linear;
  out.components = components;
  for (const auto& sample : sample_adaptively<Values>(merged_times(curves), value_at, close)) {
    out.times.push_back(sample.time);
    out.values.insert(out.values.end(), sample.value.begin(), sample.value.end());
  }
  return out;
}

}  // namespace thaw::scene
