// Properties as tracks.
#include "formats/warcraft/mdx/from_scene/model_builder.hpp"

#include "formats/warcraft/mdx/scene/track.hpp"
#include "scene/curve.hpp"

#include <algorithm>

namespace thaw::mdx {
namespace {

using scene::Curve;
using scene::CurveMode;

bool same(const Double4& a, const Double4& b) { return apart(a, b, false) == 0; }

/// All others stand in a field where they have no track.
bool has_no_field(Property property) {
  constexpr std::array kTracksAlone = {Property::translation, Property::rotation,    Property::scale,
                                       Property::uv_offset,   Property::uv_rotation, Property::uv_scale};
  return std::find(kTracksAlone.begin(), kTracksAlone.end(), property) != kTracksAlone.end();
}

}  // namespace

std::optional<Track> ModelBuilder::track(const Target& target, Property property, const TrackRule& rule) {
  const auto found = channels.find({target.kind, target.index, target.sub, property});
  // Nodes may rest elsewhere than where the game's rest is.
  const Double4 resting = rule.convert(rule.rest, true);
  const bool rests = same(rule.rotation ? normalized(resting) : resting, track_default(rule.tag));
  const bool alone = has_no_field(property);
  if (found == channels.end() && (rests || !alone)) {
    return std::nullopt;
  }
  TrackBuilder builder(rule, track_type(rule.tag).components);
  std::int32_t global = -1;
  std::vector<const scene::Curve*> curves(scene.clips.size());
  if (found != channels.end()) {
    for (const auto& [clip, curve] : found->second) {
      curves[clip] = curve;
    }
  }
  std::size_t loops = 0;
  bool in_sequences = false;
  for (std::size_t clip = 0; clip < curves.size(); ++clip) {
    loops += curves[clip] != nullptr && spans[clip].global >= 0 ? 1U : 0U;
    in_sequences = in_sequences || (curves[clip] != nullptr && spans[clip].global < 0);
  }
  if (loops > (in_sequences ? 0U : 1U)) {
    ++counted
        ["properties whose global sequence was left out, because clips or another global sequence animate "
         "them"];
  }
  for (std::size_t clip = 0; clip < curves.size(); ++clip) {
    const ClipSpan& span = spans[clip];
    if (!in_sequences && loops > 0) {
      if (curves[clip] != nullptr && global < 0) {
        global = span.global;
        builder.add(span, *curves[clip]);
      }
    } else if (span.global < 0 && curves[clip] != nullptr) {
      builder.add(span, *curves[clip]);
    } else if (span.global < 0 && !rests) {
      builder.add_constant(span, rule.rest);
    }
  }
  return builder.empty() ? std::nullopt : builder.finish(global, alone ? track_default(rule.tag) : resting);
}

void ModelBuilder::add_scalar(Tracks& tracks, FourCC tag, const Target& target, Property property,
                              float resting, double factor, bool stepped) {
  TrackRule rule;
  rule.tag = tag;
  rule.convert = [factor](const Double4& value, bool) { return Double4{value[0] * factor, 0, 0, 0}; };
  rule.rest = {double{resting}, 0, 0, 0};
  rule.tolerance = double{options.tolerance} * std::max(1.0, std::abs(double{resting} * factor));
  rule.stepped = stepped;
  add_track(tracks, track(target, property, rule));
}

void ModelBuilder::add_color(Tracks& tracks, FourCC tag, const Target& target, Property property,
                             const Vec3& resting, bool reversed) {
  TrackRule rule;
  rule.tag = tag;
  rule.convert = [reversed](const Double4& v, bool) {
    return reversed ? Double4{v[2], v[1], v[0], 0} : Double4{v[0], v[1], v[2], 0};
  };
  rule.rest = {double{resting[0]}, double{resting[1]}, double{resting[2]}, 0};
  rule.tolerance = double{options.tolerance};
  add_track(tracks, track(target, property, rule));
}

void ModelBuilder::add_turns(Tracks& tracks, const Target& target, float resting) {
  const auto quaternion = [](double angle) {
    return Double4{0, 0, scene::sine(angle / 2), scene::cosine(angle / 2)};
  };
  const auto found = channels.find({target.kind, target.index, 0, Property::uv_rotation});
  constexpr Index kTurns = 1;  // besides the layers' own numbers, which texture animations do not have
  for (std::size_t i = 0; found != channels.end() && i < found->second.size(); ++i) {
    const auto& clip = found->second[i].first;
    const auto& angles = found->second[i].second;
    Curve& turned = derived_curves.emplace_back();
    turned.mode = angles->mode == CurveMode::step ? CurveMode::step : CurveMode::linear;
    turned.components = 4;
    const auto key = [&](float time) {
      const Double4 value = quaternion(double{scene::evaluate_scalar(*angles, time)});
      turned.times.push_back(time);
      for (const double part : value) {
        turned.values.push_back(to_float(part));
      }
    };
    for (std::size_t at = 0; at < angles->times.size(); ++at) {
      key(angles->times[at]);
      if (at + 1 == angles->times.size() || turned.mode == CurveMode::step) {
        continue;
      }
      const float from = angles->times[at];
      const float to = angles->times[at + 1];
      const double angle_change = std::abs(double{scene::evaluate_scalar(*angles, to)} -
                                           double{scene::evaluate_scalar(*angles, from)});
      const double part_count = angles->mode == CurveMode::cubic ? 32.0 : std::ceil(angle_change);
      const int parts = static_cast<int>(std::clamp(part_count, 1.0, 1000.0));
      for (int part = 1; part < parts; ++part) {
        const float time = from + (to - from) * static_cast<float>(part) / static_cast<float>(parts);
        if (time > turned.times.back() && time < to) {
          key(time);
        }
      }
    }
    channels[{target.kind, target.index, kTurns, Property::uv_rotation}].emplace_back(clip, &turned);
  }
  TrackRule rule;
  rule.tag = FourCC{"KTAR"};
  rule.convert = [](const Double4& v, bool) { return v; };
  rule.rest = quaternion(double{resting});
  rule.rotation = true;
  rule.tolerance = double{options.tolerance};
  add_track(tracks, track({target.kind, target.index, kTurns}, Property::uv_rotation, rule));
}

void ModelBuilder::add_visibility(Tracks& tracks, FourCC tag, Index node) {
  add_scalar(tracks, tag, {Target::Kind::node, node, 0}, Property::visibility, 1, 1, true);
}

}  // namespace thaw::mdx
