// Animations out of scenes.
#include <thaw/scene_codes.hpp>

#include "bytes/ascii.hpp"
#include "bytes/number_text.hpp"
#include "formats/forgelight/mrn/links.hpp"
#include "formats/forgelight/mrn/scene_parts.hpp"
#include "formats/forgelight/nsa/numbers.hpp"
#include "scene/math.hpp"
#include "scene/pose.hpp"

#include <algorithm>
#include <cmath>

namespace thaw::mrn {
namespace {

using scene::Index;
using scene::kNone;
using scene::Mat4d;

constexpr std::size_t kMostSamples = 1U << 16U;
/// Sampled values of all tracks together: three quarters of an hour for a hundred bones.
constexpr std::size_t kMostValues = 1U << 23U;

/// Of equal names the first counts, and among them nodes that are bones before others.
std::map<std::string, Index> nodes_by_name(const scene::Scene& scene) {
  std::vector<bool> joints(scene.nodes.size(), false);
  for (const auto& skin : scene.skins) {
    for (const Index joint : skin.joints) {
      if (joint < joints.size()) {
        joints[joint] = true;
      }
    }
  }
  std::map<std::string, Index> found;
  for (const bool bones : {true, false}) {
    for (Index i = 0; i < scene.nodes.size(); ++i) {
      const bool is_bone = joints[i] || scene.nodes[i].kind == scene::NodeKind::bone;
      if (is_bone == bones) {
        found.emplace(ascii::lowered(scene.nodes[i].name), i);
      }
    }
  }
  return found;
}

/// A scene whose bones are joined to a skeleton's.
class Sampler {
 public:
  Sampler(const scene::Scene& scene, const scene::Clip& clip, const Skeleton& skeleton,
          std::vector<std::int32_t> parents)
      : scene_(scene), poser_(scene, &clip), skeleton_(skeleton), parents_(std::move(parents)) {
    const auto names = nodes_by_name(scene);
    for (std::size_t bone = 0; bone < skeleton.bones(); ++bone) {
      const auto node = names.find(ascii::lowered(bone_name(skeleton, bone)));
      nodes_.push_back(node == names.end() ? kNone : node->second);
      joined_ += nodes_.back() != kNone ? 1U : 0U;
    }
    for (std::size_t bone = 0; bone < nodes_.size(); ++bone) {
      needs_world_ = needs_world_ || (nodes_[bone] != kNone && !is_direct(bone));
    }
  }

  [[nodiscard]] std::size_t joined() const { return joined_; }
  /// By node: whether it moves a bone, itself or by what hangs in it.
  [[nodiscard]] std::vector<bool> movers() const {
    std::vector<bool> result(scene_.nodes.size());
    for (Index node : nodes_) {
      while (node < result.size() && !result[node]) {
        result[node] = true;
        node = needs_world_ ? scene_.nodes[node].parent : kNone;
      }
    }
    return result;
  }
  [[nodiscard]] bool has(std::size_t bone) const { return nodes_[bone] != kNone; }

  /// All bones in the space of their parents in the skeleton.
  [[nodiscard]] std::vector<scene::Transform> pose(float time) const {
    std::vector<Mat4d> world;
    if (needs_world_) {
      world = poser_.world_matrices(time);
    }
    std::vector<scene::Transform> result;
    result.reserve(nodes_.size());
    for (std::size_t bone = 0; bone < nodes_.size(); ++bone) {
      const Index node = nodes_[bone];
      if (node == kNone) {
        result.push_back(bind_transform(skeleton_, bone));
      } else if (is_direct(bone)) {
        result.push_back(poser_.local(node, time));
      } else {
        const Mat4d back = scene::inverse(world[nodes_[static_cast<std::size_t>(parents_[bone])]]);
        result.push_back(scene::decompose(scene::multiply(back, world[node])));
      }
    }
    return result;
  }

 private:
  /// The node hangs where the bone does, or at the top: its own transform is the bone's.
  [[nodiscard]] bool is_direct(std::size_t bone) const {
    const std::int32_t parent = parents_[bone];
    if (parent < 0) {
      return true;
    }
    const Index above = nodes_[static_cast<std::size_t>(parent)];
    return above == kNone || scene_.nodes[nodes_[bone]].parent == above;
  }

  const scene::Scene& scene_;
  scene::Poser poser_;
  const Skeleton& skeleton_;
  std::vector<std::int32_t> parents_;
  std::vector<Index> nodes_;
  std::size_t joined_ = 0;
  bool needs_world_ = false;
};

template <class Values>
bool all_equal(const Values& values) {
  return std::all_of(values.begin(), values.end(), [&](const auto& value) { return value == values[0]; });
}

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
    if (!values.empty() && all_equal(values)) {
      values.resize(1);
    }
  }
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

/// The channels of an animation of this name if the network has one, else those of the map that covers most.
std::vector<std::int32_t> channel_bones(const Document& network, const Skeleton& skeleton,
                                        std::string_view clip) {
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
  std::vector<std::int32_t> bones;
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

struct Sampling {
  double rate = 30;
  double duration = 0;
  std::size_t samples = 1;
};

Sampling timing_of(const scene::Clip& clip, const FromSceneOptions& options) {
  constexpr float kUsual = 30;
  Sampling timing;
  timing.duration = double{clip.duration};
  timing.rate = double{options.rate > 0 ? options.rate : clip.sample_rate.value_or(kUsual)};
  timing.rate = timing.rate > 0 && timing.rate <= 1e4 ? timing.rate : double{kUsual};
  timing.duration = timing.duration > 0 && std::isfinite(timing.duration) ? timing.duration : 0;
  const double steps = std::floor(timing.duration * timing.rate + 0.5);
  timing.samples = static_cast<std::size_t>(std::min(steps, static_cast<double>(kMostSamples))) + 1;
  return timing;
}

std::string time_text(double value) {
  std::string text;
  append_number(text, std::round(value * 1e4) / 1e4);
  return text + " s";
}

/// What an animation of a skeleton has no place for.
void report_losses(const scene::Scene& scene, const scene::Clip& clip, const Sampler& sampler,
                   const Sampling& timing, Diagnostics& diagnostics) {
  const std::vector<bool> movers = sampler.movers();
  std::size_t boneless = 0;
  std::string first;
  for (const auto& channel : clip.channels) {
    const bool node =
        channel.target.kind == scene::Target::Kind::node && channel.target.index < scene.nodes.size();
    if (!node || !movers[channel.target.index]) {
      ++boneless;
      first = first.empty() && node ? scene.nodes[channel.target.index].name : first;
    }
  }
  if (boneless > 0) {
    diagnostics.add(codes::kSceneLost,
                    "channels that move no bone of the skeleton are left out: " + std::to_string(boneless) +
                        (first.empty() ? "" : ", the first of " + first));
  }
  constexpr double kTolerance = 1e-4;
  const double written = static_cast<double>(timing.samples - 1) / timing.rate;
  if (std::abs(written - timing.duration) > kTolerance) {
    diagnostics.add(codes::kSceneChanged, "the animation lasts " + time_text(timing.duration) +
                                              ", its last sample is at " + time_text(written));
  }
}

void add_root(BoneTracks& tracks, const scene::Transform& bind, nsa::Clip& clip) {
  tracks.finish();
  const bool moves = tracks.translations.size() > 1 || tracks.rotations.size() > 1;
  if (!moves && tracks.translations.front() == bind.translation &&
      tracks.rotations.front() == bind.rotation) {
    return;
  }
  nsa::RootMotion& root = clip.root.emplace();
  root.rate = clip.rate;
  root.translations = std::move(tracks.translations);
  root.rotations = std::move(tracks.rotations);
}

}  // namespace

Result<nsa::Clip> clip_from_scene(const scene::Scene& scene, const Document& network,
                                  const FromSceneOptions& options, Diagnostics& diagnostics) {
  const auto chosen = find_skeleton(network, options.skeleton, diagnostics);
  if (!chosen) {
    return tl::unexpected<Error>(chosen.error());
  }
  const scene::Clip* source = find_clip(scene, options.clip);
  if (source == nullptr) {
    return fail(codes::kSceneNoClip,
                options.clip.empty() ? "the scene has no animation" : "no animation " + options.clip);
  }
  const Skeleton& skeleton = *network.all<Skeleton>()[*chosen];
  const Sampler sampler(scene, *source, skeleton, parents(skeleton, diagnostics));
  if (sampler.joined() == 0) {
    return fail(codes::kWriteUnsupported, "no node of the scene has the name of a bone");
  }
  if (sampler.joined() < skeleton.bones()) {
    diagnostics.add(codes::kMrnJoin, std::to_string(skeleton.bones() - sampler.joined()) + " of " +
                                         std::to_string(skeleton.bones()) +
                                         " bones are not in the scene and stay in bind pose");
  }
  const auto bones = channel_bones(network, skeleton, source->name);
  const Sampling timing = timing_of(*source, options);
  // Several channels may move one bone.
  const auto moving = static_cast<std::size_t>(
      std::count_if(bones.begin(), bones.end(), [](std::int32_t bone) { return bone > 0; }));
  const std::size_t lanes = std::max(skeleton.bones(), moving) + 1;
  if (timing.samples > kMostSamples || timing.samples > kMostValues / lanes) {
    return fail(codes::kWriteUnsupported, "an animation of more than " +
                                              std::to_string(std::min(kMostSamples, kMostValues / lanes)) +
                                              " samples for " + std::to_string(lanes - 1) + " bones");
  }
  report_losses(scene, *source, sampler, timing, diagnostics);
  std::vector<BoneTracks> tracks(skeleton.bones());
  for (std::size_t i = 0; i < timing.samples; ++i) {
    const auto pose = sampler.pose(static_cast<float>(static_cast<double>(i) / timing.rate));
    for (std::size_t bone = 0; bone < pose.size(); ++bone) {
      tracks[bone].add(pose[bone]);
    }
  }
  nsa::Clip clip;
  clip.duration = static_cast<float>(timing.duration);
  clip.rate = static_cast<float>(timing.rate);
  clip.channels = static_cast<std::uint32_t>(bones.size());
  clip.samples = static_cast<std::uint32_t>(timing.samples);
  if (options.root_motion && !tracks.empty() && sampler.has(0)) {
    add_root(tracks[0], bind_transform(skeleton, 0), clip);
  }
  for (std::size_t channel = 0; channel < bones.size(); ++channel) {
    if (bones[channel] <= 0) {
      continue;  // bone 0 is the root motion's
    }
    BoneTracks track = tracks[static_cast<std::size_t>(bones[channel])];
    track.finish();
    const auto number = static_cast<std::uint16_t>(channel);
    if (track.scaled()) {
      clip.scales.push_back({number, std::move(track.scales)});
    }
    clip.translations.push_back({number, std::move(track.translations)});
    clip.rotations.push_back({number, std::move(track.rotations)});
  }
  if (!clip.scales.empty()) {
    diagnostics.add(codes::kUnproven,
                    "scales are written as translations are, which no published file proves");
  }
  return clip;
}

}  // namespace thaw::mrn
