// Deviation of an animation from the curves that it was made of.
#include <thaw/codes.hpp>

#include "bytes/number_text.hpp"
#include "formats/forgelight/mrn/encode_clip.hpp"
#include "scene/deviation.hpp"
#include "scene/pose.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace thaw::mrn {
namespace {

/// Between two samples: the first, and how far it is to the next.
struct Step {
  std::size_t from = 0;
  std::size_t to = 0;
  double share = 0;
};

Step step_at(double time, double rate, std::size_t samples) {
  const double at = std::clamp(time * rate, 0.0, static_cast<double>(samples - 1));
  const auto from = static_cast<std::size_t>(at);
  return {from, std::min(from + 1, samples - 1), at - static_cast<double>(from)};
}

scene::Vec3d value_at(const Array<Vec3>& values, double time, double rate) {
  const Step step = step_at(time, rate, values.size());
  const scene::Vec3d from = scene::widen(values[step.from]);
  return scene::add(from, scene::scaled(scene::subtract(scene::widen(values[step.to]), from), step.share));
}
scene::Vec4d value_at(const Array<Vec4>& values, double time, double rate) {
  const Step step = step_at(time, rate, values.size());
  return scene::slerp(scene::widen(values[step.from]), scene::widen(values[step.to]), step.share);
}

/// Times at which curves are compared: four in each step, and all keys of what moves.
std::vector<float> times_of(const scene::Clip& clip, double rate, double duration) {
  constexpr double kPerStep = 4;
  constexpr std::size_t kMost = 1U << 14U;
  std::vector<float> times;
  const double steps = std::min(std::ceil(duration * rate * kPerStep), static_cast<double>(kMost));
  for (std::size_t i = 0; i <= static_cast<std::size_t>(steps); ++i) {
    times.push_back(static_cast<float>(std::min(static_cast<double>(i) / (rate * kPerStep), duration)));
  }
  for (const auto& channel : clip.channels) {
    for (const float time : channel.curve.times) {
      if (times.size() < 2 * kMost && double{time} <= duration) {
        times.push_back(time);
      }
    }
  }
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

class Comparison {
 public:
  explicit Comparison(const Rig& rig) : rig_(rig) {}

  void translation(std::size_t bone, const scene::Vec3d& requested, const scene::Vec3d& got) {
    note(bone, scene::length(scene::subtract(requested, got)), error_.translation);
  }
  void turn(std::size_t bone, const scene::Vec4d& requested, const scene::Vec4d& got) {
    note(bone, scene::rotation_angle(scene::normalized(requested), got) / scene::kRadiansPerDegree,
         error_.turn);
  }
  void scale(std::size_t bone, const scene::Vec3d& requested, const scene::Vec3d& got) {
    note(bone, scene::length(scene::subtract(requested, got)), error_.scale);
  }
  [[nodiscard]] CurveError& error() { return error_; }

 private:
  void note(std::size_t bone, double off, double& worst) {
    if (off > worst) {
      worst = off;
      error_.bone = rig_.names[bone];
    }
  }

  const Rig& rig_;
  CurveError error_;
};

/// What quantising alone costs.
void set_bounds(const std::vector<nsa::ChannelError>& errors, CurveError& error) {
  for (const auto& channel : errors) {
    const double step = scene::length(scene::widen(channel.step)) / 2;
    if (channel.kind == nsa::kRotation) {
      constexpr double kAngleOfVector = 4;  // of a small rotation the vector is a quarter of the angle
      error.turn_bound = std::max(error.turn_bound, step * kAngleOfVector / scene::kRadiansPerDegree);
    } else {
      double& bound = channel.kind == nsa::kTranslation ? error.translation_bound : error.scale_bound;
      bound = std::max(bound, step);
    }
  }
}

void compare_body(const nsa::Clip& decoded, const ChannelBones& bones, float time,
                  const std::vector<scene::Transform>& pose, Comparison& comparison) {
  const auto rate = double{decoded.rate};
  const auto bone_of = [&](std::uint16_t channel) { return static_cast<std::size_t>(bones[channel]); };
  for (const auto& track : decoded.translations) {
    const std::size_t bone = bone_of(track.channel);
    comparison.translation(bone, scene::widen(pose[bone].translation),
                           value_at(track.values, double{time}, rate));
  }
  for (const auto& track : decoded.rotations) {
    const std::size_t bone = bone_of(track.channel);
    comparison.turn(bone, scene::widen(pose[bone].rotation), value_at(track.values, double{time}, rate));
  }
  for (const auto& track : decoded.scales) {
    const std::size_t bone = bone_of(track.channel);
    comparison.scale(bone, scene::widen(pose[bone].scale), value_at(track.values, double{time}, rate));
  }
}

/// The bones at a time as they are read again, in the space of the scene.
std::vector<scene::Mat4d> worlds_of(const nsa::Clip& decoded, const ChannelBones& bones, const Rig& rig,
                                    double time) {
  std::vector<scene::Transform> pose = rig.bind;
  const auto put = [&](const auto& tracks, const auto& values_of) {
    for (const auto& track : tracks) {
      auto& to = values_of(pose[static_cast<std::size_t>(bones[track.channel])]);
      to = scene::narrow(value_at(track.values, time, double{decoded.rate}));
    }
  };
  const auto translation = [](scene::Transform& of) -> Vec3& { return of.translation; };
  const auto rotation = [](scene::Transform& of) -> Vec4& { return of.rotation; };
  const auto scale = [](scene::Transform& of) -> Vec3& { return of.scale; };
  put(decoded.translations, translation);
  put(decoded.rotations, rotation);
  put(decoded.scales, scale);
  if (decoded.root && !decoded.root->translations.empty()) {
    pose.front().translation =
        scene::narrow(value_at(decoded.root->translations, time, double{decoded.root->rate}));
  }
  if (decoded.root && !decoded.root->rotations.empty()) {
    pose.front().rotation =
        scene::narrow(value_at(decoded.root->rotations, time, double{decoded.root->rate}));
  }
  std::vector<scene::Mat4d> world;
  for (std::size_t bone = 0; bone < pose.size(); ++bone) {
    world.push_back(scene::compose(pose[bone]));
    for (std::int32_t at = rig.parents[bone]; at >= 0; at = rig.parents[static_cast<std::size_t>(at)]) {
      world.back() = scene::multiply(scene::compose(pose[static_cast<std::size_t>(at)]), world.back());
    }
  }
  return world;
}

/// By node the bone that it hangs at; −1 for none.
std::vector<std::int32_t> bones_above(const scene::Scene& scene, const Rig& rig) {
  std::vector<std::int32_t> found(scene.nodes.size(), -1);
  for (std::size_t bone = 0; bone < rig.nodes.size(); ++bone) {
    if (rig.nodes[bone] < found.size()) {
      found[rig.nodes[bone]] = static_cast<std::int32_t>(bone);
    }
  }
  for (scene::Index node = 0; node < found.size(); ++node) {
    const scene::Index parent = scene.nodes[node].parent;
    found[node] = found[node] < 0 && parent < node ? found[parent] : found[node];
  }
  return found;
}

/// Place and turn of a bone, as models hold it in the pose in which they are bound.
scene::Mat4d bound(const scene::Mat4d& world) {
  const scene::Transform parts = scene::decompose(world);
  return scene::compose({parts.translation, parts.rotation, {1, 1, 1}});
}

bool is_sheared(const scene::Mat4d& world) {
  constexpr double kSquare = 1e-3;
  const auto [x, y, z] =
      std::tuple(scene::Vec3d{world[0], world[1], world[2]}, scene::Vec3d{world[4], world[5], world[6]},
                 scene::Vec3d{world[8], world[9], world[10]});
  const auto off = [](const scene::Vec3d& a, const scene::Vec3d& b) {
    return std::abs(scene::dot(a, b)) > kSquare * scene::length(a) * scene::length(b);
  };
  return off(x, y) || off(y, z) || off(z, x);
}

void compare_vertices(const scene::Scene& scene, const scene::Clip& clip, const Rig& rig,
                      const ChannelBones& bones, const nsa::Clip& decoded, CurveError& error) {
  constexpr int kMoments = 48;
  const auto above = bones_above(scene, rig);
  const auto rest = scene::Poser(scene, nullptr).world_matrices(0, scene::Axes::x_front);
  const scene::Poser poser(scene, &clip);
  for (int i = 0; i <= kMoments; ++i) {
    const double time = double{decoded.duration} * i / kMoments;
    const auto here = poser.world_matrices(static_cast<float>(time), scene::Axes::x_front);
    const auto world = worlds_of(decoded, bones, rig, time);
    auto there = here;  // what hangs at no bone stays
    for (std::size_t node = 0; node < there.size(); ++node) {
      if (above[node] >= 0) {
        const auto bone = static_cast<std::size_t>(above[node]);
        there[node] = scene::multiply(
            world[bone], scene::multiply(scene::inverse(bound(rest[rig.nodes[bone]])), rest[node]));
        error.sheared = error.sheared || is_sheared(here[node]);
      }
    }
    error.vertex = std::max(error.vertex, scene::placed_deviation(scene, here, there));
  }
}

CurveError error_of(const scene::Scene& scene, const scene::Clip& clip, const Rig& rig,
                    const ChannelBones& bones, const nsa::Clip& decoded) {
  const BoneMotion motion(scene, &clip, rig);
  Comparison comparison(rig);
  for (const float time : times_of(clip, double{decoded.rate}, double{decoded.duration})) {
    compare_body(decoded, bones, time, motion.pose(time), comparison);
  }
  if (decoded.root && !rig.nodes.empty()) {
    const auto rate = double{decoded.root->rate};
    for (const float time : times_of(clip, rate, double{clip.duration})) {
      const scene::Transform root = motion.pose(time).front();
      if (!decoded.root->translations.empty()) {
        comparison.translation(0, scene::widen(root.translation),
                               value_at(decoded.root->translations, double{time}, rate));
      }
      if (!decoded.root->rotations.empty()) {
        comparison.turn(0, scene::widen(root.rotation),
                        value_at(decoded.root->rotations, double{time}, rate));
      }
    }
  }
  compare_vertices(scene, clip, rig, bones, decoded, comparison.error());
  return comparison.error();
}

std::string number(double value) {
  std::string text;
  append_number(text, static_cast<float>(value));
  return text;
}

void report(const CurveError& error, const scene::Scene& scene, const scene::Clip& clip, double rate,
            Diagnostics& diagnostics) {
  constexpr double kSlack = 2;
  constexpr double kLeastTranslation = 1e-5;  // m
  constexpr double kLeastTurn = 0.003;        // degrees
  constexpr double kLeastScale = 1e-4;
  if (error.sheared) {
    diagnostics.add(
        codes::kSceneLost,
        "non-uniform scales approximated; vertices deviate by up to " + number(error.vertex) + " m", {},
        clip.name);
  }
  const bool near_scale = error.scale <= kSlack * error.scale_bound + kLeastScale;
  if (error.translation <= kSlack * error.translation_bound + kLeastTranslation &&
      error.turn <= kSlack * error.turn_bound + kLeastTurn && near_scale) {
    return;
  }
  const auto better = rate_of_keys(scene, clip);
  diagnostics.add(codes::kSceneChanged,
                  "between its samples at " + number(rate) +
                      " Hz the animation deviates from the curves by up to " + number(error.translation) +
                      " m and " + number(error.turn) + " degrees (" + error.bone + ")" +
                      (near_scale ? "" : ", scales by " + number(error.scale)) + "; --rate " +
                      (better && *better > rate ? number(*better) + " has a sample at every key"
                                                : "with a higher value reduces this"),
                  {}, clip.name);
}

}  // namespace

Result<EncodedAnimation> encode_animation(const scene::Scene& scene, const scene::Clip& clip, const Rig& rig,
                                          const ChannelBones& bones, const FromSceneOptions& options,
                                          Diagnostics& diagnostics) {
  return sampled_clip(scene, clip, rig, bones, options, diagnostics)
      .and_then([](const nsa::Clip& curves) { return nsa::from_curves(curves); })
      .map([&](nsa::Quantised&& quantised) {
        Diagnostics ignored(0);
        const nsa::Clip decoded = nsa::decode(quantised.document, ignored);
        EncodedAnimation animation{clip.name, std::move(quantised.document),
                                   error_of(scene, clip, rig, bones, decoded)};
        set_bounds(quantised.errors, animation.error);
        report(animation.error, scene, clip, double{decoded.rate}, diagnostics);
        return animation;
      });
}

}  // namespace thaw::mrn
