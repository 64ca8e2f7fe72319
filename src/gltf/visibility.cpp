#include "gltf/visibility.hpp"

#include "scene/curve.hpp"
#include "scene/game_rules.hpp"

#include <algorithm>
#include <cmath>

namespace thaw::gltf {
namespace {

float clamped(float opacity) { return std::isfinite(opacity) ? std::clamp(opacity, 0.0F, 1.0F) : 1; }

}  // namespace

void Visibility::add(const Target& target, Property property, float rest) {
  Group& group = groups_.back();
  group.empty = false;
  if (!channels_.any(target, property)) {
    group.constant = std::max(group.constant, clamped(rest));
    return;
  }
  group.sources.push_back({target, property, clamped(rest),
                           channels_.typical_alpha(target, property, clamped(rest)),
                           channels_.any_in_sequences(target, property)});
}

float Visibility::value(const Source& source, std::size_t clip, float time) const {
  if (const Curve* curve = channels_.find(clip, source.target, source.property)) {
    return clamped(scene::evaluate_scalar(*curve, time));
  }
  // A sequence without the channel shows the rest value; what another clock drives is unknown here.
  return source.in_sequences && !channels_.clips()[clip].global ? source.rest : source.typical;
}

float Visibility::opacity(std::size_t clip, float time) const {
  float product = 1;
  for (const auto& group : groups_) {
    product *= group.strongest([&](const Source& source) { return value(source, clip, time); });
  }
  return product;
}

std::vector<const Curve*> Visibility::curves_in(std::size_t clip) const {
  std::vector<const Curve*> curves;
  for (const auto& group : groups_) {
    for (const auto& source : group.sources) {
      if (const Curve* curve = channels_.find(clip, source.target, source.property)) {
        curves.push_back(curve);
      }
    }
  }
  return curves;
}

/// The first moment of the later state, `from` and `to` being of different states.
float Visibility::find_switch(std::size_t clip, float from, float to) const {
  const bool before = seen(opacity(clip, from));
  for (int i = 0; i < 40; ++i) {
    const float middle = from + (to - from) / 2;
    if (middle <= from || middle >= to) {
      break;
    }
    (seen(opacity(clip, middle)) == before ? from : to) = middle;
  }
  return to;
}

std::optional<Curve> Visibility::make_curve(std::size_t clip) const {
  const auto curves = curves_in(clip);
  const bool sequence = !channels_.clips()[clip].global;
  const bool says = std::any_of(groups_.begin(), groups_.end(), [&](const auto& group) {
    return std::any_of(group.sources.begin(), group.sources.end(),
                       [](const Source& source) { return source.in_sequences; });
  });
  if (curves.empty() && !(sequence && says)) {
    return std::nullopt;
  }
  Curve result;
  result.mode = scene::CurveMode::step;
  const auto add = [&](float time, bool state) {
    if (result.times.empty() || (result.values.back() > 0) != state) {
      result.times.push_back(time);
      result.values.push_back(state ? 1 : 0);
    }
  };
  add(0, seen(opacity(clip, 0)));
  // Between two keys a curve may dip and return.
  constexpr int kParts = 8;
  float last = 0;
  for (const float time : scene::merged_times(curves)) {
    for (int part = 1; part <= kParts; ++part) {
      const float next = part == kParts ? time : last + (time - last) * static_cast<float>(part) / kParts;
      const float from = result.times.back() > last ? result.times.back() : last;
      const bool state = seen(opacity(clip, next));
      if (next > from && state != (result.values.back() > 0)) {
        add(find_switch(clip, from, next), state);
      }
    }
    last = std::max(last, time);
  }
  return result;
}

bool Visibility::varies() const {
  return std::any_of(groups_.begin(), groups_.end(),
                     [](const Group& group) { return !group.sources.empty(); });
}

void Visibility::finish(bool with_clips) {
  float typical = 1;
  float initial = 1;
  for (const auto& group : groups_) {
    typical *= group.strongest([](const Source& source) { return source.typical; });
    initial *= group.strongest([&](const Source& source) {
      return clamped(channels_.initial(source.target, source.property, source.rest));
    });
  }
  // One material stands for all opacities; what is fainter than half of it is nearer to nothing.
  threshold_ = std::max(scene::kInvisible, std::min(0.5F, typical / 2));
  initially_ = initial > scene::kInvisible;
  if (!with_clips || !varies()) {
    return;
  }
  curves_.resize(channels_.clips().size());
  for (std::size_t clip = 0; clip < curves_.size(); ++clip) {
    curves_[clip] = make_curve(clip);
    for (const float state : curves_[clip] ? curves_[clip]->values : Array<float>{}) {
      animated_ = animated_ || (state > 0) != initially_;
    }
  }
}

}  // namespace thaw::gltf
