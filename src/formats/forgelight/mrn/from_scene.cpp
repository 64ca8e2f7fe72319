// Animations out of scenes. See mrn.md#sampling-a-scene.
#include <thaw/codes.hpp>

#include "bytes/number_text.hpp"
#include "bytes/text.hpp"
#include "formats/forgelight/mrn/encode_clip.hpp"
#include "formats/forgelight/mrn/links.hpp"
#include "formats/forgelight/mrn/scene_parts.hpp"
#include "formats/forgelight/nsa/numbers.hpp"
#include "scene/math.hpp"

#include <algorithm>
#include <cmath>

namespace thaw::mrn {
namespace {

using scene::Index;
using scene::kNone;

constexpr std::size_t kMostSamples = 1U << 16U;
/// Sampled values of all tracks together: three quarters of an hour for a hundred bones.
constexpr std::size_t kMostValues = 1U << 23U;
constexpr double kFastest = 1e4;

/// The samples of one bone.
struct BoneTracks {
  Array<Vec3> translations;
  Array<Vec4> rotations;
  Array<Vec3> scales;

  void add(const scene::Transform& transform) {
    translations.push_back(transform.translation);
    rotations.push_back(scene::narrow(scene::normalized(scene::widen(transform.rotation))));
    scales.push_back(transform.scale);
  }
  void finish() {
    nsa::keep_side(rotations);
    shorten(translations);
    shorten(rotations);
    shorten(scales);
  }
  [[nodiscard]] bool scaled() const {
    constexpr float kTolerance = 1e-4F;
    return std::any_of(scales.begin(), scales.end(), [](const Vec3& scale) {
      return std::any_of(scale.begin(), scale.end(),
                         [](float factor) { return std::abs(factor - 1) > kTolerance; });
    });
  }

 private:
  template <class Values>
  static void shorten(Values& values) {
    const auto same = [&](const auto& value) { return value == values.front(); };
    if (!values.empty() && std::all_of(values.begin(), values.end(), same)) {
      values.resize(1);
    }
  }
};

bool moves_a_bone(scene::Property property) {
  return property == scene::Property::translation || property == scene::Property::rotation ||
         property == scene::Property::scale;
}

/// Curves of nodes.
std::vector<const scene::Curve*> curves_of(const scene::Clip& clip, const std::vector<bool>& nodes) {
  std::vector<const scene::Curve*> found;
  for (const auto& channel : clip.channels) {
    if (channel.target.kind == scene::Target::Kind::node && moves_a_bone(channel.property) &&
        channel.target.index < nodes.size() && nodes[channel.target.index]) {
      found.push_back(&channel.curve);
    }
  }
  return found;
}

bool varies(const scene::Curve& curve) {
  const std::size_t width = curve.components;
  for (std::size_t i = width; i < curve.values.size(); ++i) {
    if (curve.values[i] != curve.values[i % width]) {
      return true;
    }
  }
  return false;
}

/// The last key of all curves.
double end_of(const std::vector<const scene::Curve*>& curves) {
  double end = 0;
  for (const scene::Curve* curve : curves) {
    end = std::max(end, curve->empty() ? 0.0 : double{curve->times.back()});
  }
  return end;
}

bool on_grid(const std::vector<const scene::Curve*>& curves, double rate) {
  constexpr double kTolerance = 2e-3;  // of a step
  return std::all_of(curves.begin(), curves.end(), [&](const scene::Curve* curve) {
    return std::all_of(curve->times.begin(), curve->times.end(), [&](float time) {
      const double steps = double{time} * rate;
      return std::abs(steps - std::round(steps)) <= kTolerance;
    });
  });
}

/// The rate at which a curve has keys, if they are as far from each other and from the start.
double key_rate(const scene::Curve& curve) {
  const std::size_t steps = curve.times.size() - 1;
  if (curve.times.size() < 2 || !(curve.times.back() > 0) || curve.mode == scene::CurveMode::cubic) {
    return 0;
  }
  const double rate = static_cast<double>(steps) / double{curve.times.back()};
  const double whole = std::round(rate);
  return !on_grid({&curve}, rate) ? 0 : std::abs(rate - whole) < 1e-4 * rate ? whole : rate;
}

bool usable(double rate) { return rate > 0 && rate <= kFastest; }

/// The slowest of usual rates that has a sample at every key.
double usual_rate(const std::vector<const scene::Curve*>& curves) {
  constexpr double kUsual = 30;
  for (const double rate : {kUsual, 24.0, 25.0, 60.0, 50.0, 48.0, 100.0, 120.0}) {
    if (on_grid(curves, rate)) {
      return rate;
    }
  }
  return kUsual;
}

struct Timing {
  double rate = 0;
  std::size_t samples = 1;

  [[nodiscard]] float at(std::size_t sample) const {
    return static_cast<float>(static_cast<double>(sample) / rate);
  }
};

/// As many samples as reach the last key of what moves, and fill `duration`.
Timing timing_of(const std::vector<const scene::Curve*>& moving, double rate, double duration) {
  constexpr double kTolerance = 2e-3;
  double steps = std::ceil(end_of(moving) * rate - kTolerance);
  if (!moving.empty() && duration * rate - steps > 1) {
    steps = std::floor(duration * rate + kTolerance);
  }
  return {rate, static_cast<std::size_t>(std::clamp(steps, 0.0, static_cast<double>(kMostSamples))) + 1};
}

std::vector<const scene::Curve*> varying(std::vector<const scene::Curve*> curves) {
  curves.erase(
      std::remove_if(curves.begin(), curves.end(), [](const auto* curve) { return !varies(*curve); }),
      curves.end());
  return curves;
}

/// A number that the clip remembers of the animation that it was.
std::optional<double> remembered(const scene::Clip& clip, std::string_view what) {
  const auto number = clip.extras[what].number();
  return number && *number >= 0 && std::isfinite(*number) ? number : std::nullopt;
}

/// How a clip is cut into samples: the body, and the way of bone 0.
struct Plan {
  Timing body;
  Timing root;
  double duration = 0;  ///< of the body
};

class Sampling {
 public:
  Sampling(const scene::Scene& scene, const scene::Clip& clip, const Rig& rig, const ChannelBones& bones,
           const FromSceneOptions& options, Diagnostics& diagnostics)
      : scene_(scene),
        clip_(clip),
        rig_(rig),
        bones_(bones),
        options_(options),
        diagnostics_(diagnostics),
        motion_(scene, &clip, rig) {
    // A map may give bone 0 a channel; an animation that had a way of its own keeps that.
    const bool has_channel = std::find(bones.begin(), bones.end(), 0) != bones.end();
    root_in_channel_ = has_channel && !remembered(clip, "rootRate");
  }

  Result<nsa::Clip> run() {
    const Plan plan = planned();
    const auto moving = static_cast<std::size_t>(
        std::count_if(bones_.begin(), bones_.end(), [](std::int32_t bone) { return bone >= 0; }));
    const std::size_t lanes = std::max(rig_.nodes.size(), moving) + 1;  // several may move one bone
    const std::size_t most = std::min(kMostSamples, kMostValues / lanes);
    if (std::max(plan.body.samples, plan.root.samples) > most) {
      return fail(codes::kWriteUnsupported,
                  "the animation has " + std::to_string(std::max(plan.body.samples, plan.root.samples)) +
                      " samples, more than the " + std::to_string(most) + " that " +
                      counted(lanes - 1, "bone") + " allow; set a lower --rate");
    }
    report_losses();
    nsa::Clip sampled;
    sampled.duration = static_cast<float>(plan.duration);
    sampled.rate = static_cast<float>(plan.body.rate);
    sampled.channels = static_cast<std::uint32_t>(bones_.size());
    sampled.samples = static_cast<std::uint32_t>(plan.body.samples);
    add_body(tracks(plan.body), sampled);
    add_root(plan.root, sampled);
    if (!sampled.scales.empty()) {
      diagnostics_.add(codes::kUnproven,
                       "scales are written like translations, which no published file confirms");
    }
    return sampled;
  }

 private:
  /// By node: whether it moves one of these bones.
  template <class Requested>
  [[nodiscard]] std::vector<bool> movers(const Requested& requested) const {
    std::vector<bool> result(scene_.nodes.size(), false);
    for (std::size_t bone = 0; bone < rig_.nodes.size(); ++bone) {
      for (const Index node : requested(bone) ? motion_.movers(bone) : std::vector<Index>{}) {
        result[node] = true;
      }
    }
    return result;
  }

  [[nodiscard]] Plan planned() const {
    const auto body =
        varying(curves_of(clip_, movers([&](std::size_t bone) { return bone > 0 || root_in_channel_; })));
    const auto root =
        varying(curves_of(clip_, movers([&](std::size_t bone) { return bone == 0 && !root_in_channel_; })));
    Plan plan;
    double rate = double{options_.rate > 0 ? options_.rate : clip_.sample_rate.value_or(0)};
    rate = usable(rate) ? rate : usual_rate(body.empty() ? root : body);
    plan.duration = std::isfinite(clip_.duration) && clip_.duration > 0 ? double{clip_.duration} : 0;
    plan.duration = remembered(clip_, "bodyDuration").value_or(plan.duration);
    plan.body = timing_of(body, rate, plan.duration);
    plan.root = timing_of(root, root_rate(root, rate), 0);
    return plan;
  }

  [[nodiscard]] double root_rate(const std::vector<const scene::Curve*>& root, double body) const {
    if (options_.rate > 0) {
      return body;
    }
    if (const auto source_rate = remembered(clip_, "rootRate"); source_rate && usable(*source_rate)) {
      return *source_rate;
    }
    double rate = 0;
    for (const scene::Curve* curve : root) {
      rate = std::max(rate, key_rate(*curve));
    }
    return usable(rate) && rate <= body && on_grid(root, rate) ? rate : body;
  }

  [[nodiscard]] std::vector<BoneTracks> tracks(const Timing& timing) const {
    std::vector<BoneTracks> result(rig_.nodes.size());
    for (std::size_t i = 0; i < timing.samples; ++i) {
      const auto pose = motion_.pose(timing.at(i));
      for (std::size_t bone = 0; bone < pose.size(); ++bone) {
        result[bone].add(pose[bone]);
      }
    }
    return result;
  }

  void add_body(const std::vector<BoneTracks>& all, nsa::Clip& sampled) const {
    for (std::size_t channel = 0; channel < bones_.size(); ++channel) {
      const std::int32_t bone = bones_[channel];
      if (bone < 0 || (bone == 0 && !root_in_channel_)) {
        continue;
      }
      BoneTracks track = all[static_cast<std::size_t>(bone)];
      track.finish();
      const auto number = static_cast<std::uint16_t>(channel);
      if (track.scaled()) {
        sampled.scales.push_back({number, std::move(track.scales)});
      }
      sampled.translations.push_back({number, std::move(track.translations)});
      sampled.rotations.push_back({number, std::move(track.rotations)});
    }
  }

  /// Bone 0 moves with the root, unless it stays in its bind pose.
  void add_root(const Timing& timing, nsa::Clip& sampled) const {
    if (root_in_channel_ || rig_.nodes.empty() || rig_.nodes[0] == kNone) {
      return;
    }
    BoneTracks track = tracks(timing)[0];
    track.finish();
    if (track.scaled()) {
      diagnostics_.add(codes::kSceneLost,
                       "scale of " + rig_.names[0] + " left out; root motion cannot store it");
    }
    const bool still = track.translations.size() == 1 && track.rotations.size() == 1;
    if (still && track.translations[0] == rig_.bind[0].translation &&
        track.rotations[0] == rig_.bind[0].rotation && !remembered(clip_, "rootRate")) {
      return;
    }
    if (!options_.root_motion) {
      diagnostics_.add(codes::kSceneLost, "root motion of " + rig_.names[0] + " left out as requested");
      return;
    }
    nsa::RootMotion& root = sampled.root.emplace();
    root.rate = static_cast<float>(timing.rate);
    root.translations = std::move(track.translations);
    root.rotations = std::move(track.rotations);
  }

  /// What an animation of a skeleton has no place for.
  void report_losses() const {
    std::vector<bool> driven(rig_.nodes.size(), false);
    for (const std::int32_t bone : bones_) {
      if (bone >= 0) {
        driven[static_cast<std::size_t>(bone)] = true;
      }
    }
    if (!driven.empty()) {
      driven[0] = true;
    }
    const std::vector<bool> heard = movers([&](std::size_t bone) { return driven[bone]; });
    std::size_t boneless = 0;
    std::string first;
    for (const auto& channel : clip_.channels) {
      const bool node =
          channel.target.kind == scene::Target::Kind::node && channel.target.index < scene_.nodes.size();
      if (!node || !moves_a_bone(channel.property) || !heard[channel.target.index]) {
        ++boneless;
        first = first.empty() && node ? scene_.nodes[channel.target.index].name : first;
      }
    }
    if (boneless > 0) {
      diagnostics_.add(codes::kSceneLost,
                       counted(boneless, "channel") + " without a bone of the skeleton left out" +
                           (first.empty() ? "" : ", such as those of " + first),
                       {}, clip_.name);
    }
  }

  const scene::Scene& scene_;
  const scene::Clip& clip_;
  const Rig& rig_;
  const ChannelBones& bones_;
  const FromSceneOptions& options_;
  Diagnostics& diagnostics_;
  BoneMotion motion_;
  bool root_in_channel_ = false;
};

const scene::Clip* find_clip(const scene::Scene& scene, std::string_view name) {
  for (const auto& clip : scene.clips) {
    if (name.empty() ? !clip.global : clip.name == name) {
      return &clip;
    }
  }
  for (const auto& clip : scene.clips) {
    if (ascii::same(clip.name, name)) {
      return &clip;
    }
  }
  return nullptr;
}

/// Rotations of an animation replace those of the skeleton: who rests otherwise moves otherwise.
void report_rest(const scene::Scene& scene, const Rig& rig, Diagnostics& diagnostics) {
  constexpr double kTolerance = 5;  // degrees
  const auto rest = BoneMotion(scene, nullptr, rig).pose(0);
  std::size_t others = 0;
  std::string first;
  for (std::size_t bone = 0; bone < rest.size(); ++bone) {
    const double angle =
        scene::rotation_angle(scene::widen(rest[bone].rotation), scene::widen(rig.bind[bone].rotation));
    if (rig.nodes[bone] != kNone && angle / scene::kRadiansPerDegree > kTolerance) {
      first = others++ == 0 ? rig.names[bone] : first;
    }
  }
  if (others > 0) {
    diagnostics.add(codes::kSceneChanged,
                    "the rest pose of " + counted(others, "bone") + ", such as " + first +
                        ", differs from the skeleton's; the animation uses the scene's rotations");
  }
}

}  // namespace

std::optional<double> rate_of_keys(const scene::Scene& scene, const scene::Clip& clip) {
  const auto curves = varying(curves_of(clip, std::vector<bool>(scene.nodes.size(), true)));
  for (const double rate : {60.0, 100.0, 120.0, 200.0, 240.0, 250.0, 300.0, 500.0, 1000.0}) {
    if (on_grid(curves, rate)) {
      return rate;
    }
  }
  return std::nullopt;
}

Result<nsa::Clip> sampled_clip(const scene::Scene& scene, const scene::Clip& clip, const Rig& rig,
                               const ChannelBones& bones, const FromSceneOptions& options,
                               Diagnostics& diagnostics) {
  return Sampling(scene, clip, rig, bones, options, diagnostics).run();
}

ChannelBones channel_bones(const Document& network, const Skeleton& skeleton, std::string_view clip) {
  Diagnostics ignored(0);
  const auto all = animations(network);
  const Links links(network);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (ascii::same(all[i].name, clip)) {
      BoneMap map = links.bone_map(skeleton, all[i].document->channels(), i, ignored);
      if (map.origin != BoneMap::Origin::offset) {
        return std::move(map.bones);
      }
    }
  }
  const RigMap* best = nullptr;
  for (const RigMap* map : network.all<RigMap>()) {
    if (map->skeleton_bones() == skeleton.bones() &&
        (best == nullptr || map->bones.size() > best->bones.size())) {
      best = map;
    }
  }
  ChannelBones bones;
  if (best != nullptr) {
    for (const std::uint16_t bone : best->bones) {
      bones.push_back(bone < skeleton.bones() ? std::int32_t{bone} : -1);
    }
    return bones;
  }
  for (std::size_t bone = 1; bone < skeleton.bones(); ++bone) {
    bones.push_back(static_cast<std::int32_t>(bone));
  }
  return bones;
}

Result<JoinedRig> joined_rig(const scene::Scene& scene, const Document& network,
                             const FromSceneOptions& options, Diagnostics& diagnostics, Index top) {
  const auto chosen = find_skeleton(network, options.skeleton, diagnostics);
  if (!chosen) {
    return tl::unexpected<Error>(chosen.error());
  }
  JoinedRig result{*chosen, rig_of(*network.all<Skeleton>()[*chosen], diagnostics)};
  join_by_name(scene, options.bone_names, result.rig, top);
  const std::size_t bones = result.rig.nodes.size();
  const std::size_t joined = result.rig.joined();
  if (joined == 0) {
    return fail(
        codes::kWriteUnsupported,
        "no node of the scene has the name of a bone of the skeleton; --bone-map assigns other names");
  }
  if (joined < bones) {
    diagnostics.add(codes::kMrnJoin, std::to_string(bones - joined) + " of " + counted(bones, "bone") +
                                         " left in bind pose, because the scene lacks them");
  }
  report_rest(scene, result.rig, diagnostics);
  return result;
}

std::vector<const scene::Clip*> clips_to_make(const scene::Scene& scene,
                                              const std::vector<std::string>& names) {
  std::vector<const scene::Clip*> found;
  for (const auto& clip : scene.clips) {
    const bool named = std::find(names.begin(), names.end(), clip.name) != names.end();
    if (names.empty() ? !clip.global : named) {
      found.push_back(&clip);
    }
  }
  return found;
}

Result<nsa::Clip> clip_from_scene(const scene::Scene& scene, const Document& network,
                                  const FromSceneOptions& options, Diagnostics& diagnostics) {
  const scene::Clip* source = find_clip(scene, options.clip);
  if (source == nullptr) {
    return fail(codes::kSceneNoClip, options.clip.empty() ? "the scene has no animation"
                                                          : "the scene has no animation " + options.clip);
  }
  return joined_rig(scene, network, options, diagnostics).and_then([&](const JoinedRig& joined) {
    const Skeleton& skeleton = *network.all<Skeleton>()[joined.skeleton];
    return sampled_clip(scene, *source, joined.rig, channel_bones(network, skeleton, source->name), options,
                        diagnostics);
  });
}

}  // namespace thaw::mrn
