#include <thaw/mrn_scene.hpp>
#include <thaw/scene_codes.hpp>

#include "bytes/ascii.hpp"
#include "bytes/finite.hpp"
#include "formats/forgelight/mrn/links.hpp"
#include "formats/forgelight/mrn/scene_parts.hpp"
#include "scene/bounds.hpp"
#include "scene/math.hpp"

#include <algorithm>
#include <cmath>

namespace thaw::mrn {
namespace {

using scene::Index;
using scene::kNone;
using scene::Property;

// --- skeletons

Vec4 unit(const Vec4& q) { return scene::narrow(scene::normalized(scene::widen(q))); }

class SkeletonBuilder {
 public:
  SkeletonBuilder(const Skeleton& skeleton, Index parent, scene::Scene& scene, Diagnostics& diagnostics)
      : skeleton_(skeleton), top_(parent), scene_(scene), parents_(parents(skeleton, diagnostics)) {}

  PlacedSkeleton run() {
    placed_.nodes.assign(parents_.size(), kNone);
    std::vector<std::size_t> way;
    for (std::size_t bone = 0; bone < parents_.size(); ++bone) {
      // Parents first, wherever they stand.
      for (std::size_t at = bone; placed_.nodes[at] == kNone;) {
        way.push_back(at);
        if (parents_[at] < 0) {
          break;
        }
        at = static_cast<std::size_t>(parents_[at]);
      }
      for (; !way.empty(); way.pop_back()) {
        add(way.back());
      }
    }
    return std::move(placed_);
  }

 private:
  void add(std::size_t bone) {
    scene::Node node;
    node.name = bone_name(skeleton_, bone);
    node.kind = scene::NodeKind::bone;
    node.parent = parents_[bone] < 0 ? top_ : placed_.nodes[static_cast<std::size_t>(parents_[bone])];
    node.rest = bind_transform(skeleton_, bone);
    node.extras.set("bone", static_cast<std::int64_t>(bone));
    const auto index = static_cast<Index>(scene_.nodes.size());
    placed_.nodes[bone] = index;
    placed_.by_name.emplace(node.name, index);
    scene_.nodes.push_back(std::move(node));
  }

  const Skeleton& skeleton_;
  Index top_;
  scene::Scene& scene_;
  std::vector<std::int32_t> parents_;
  PlacedSkeleton placed_;
};

// --- clips

/// When the samples of a track are.
struct Timing {
  double rate = 0;
  double duration = 0;

  [[nodiscard]] float at(std::size_t sample) const {
    return static_cast<float>(static_cast<double>(sample) / rate);
  }
};

double usable_rate(float stated, double duration, std::size_t samples) {
  constexpr double kUsual = 30;
  constexpr float kSlowest = 0.1F;
  constexpr float kFastest = 1e4F;
  if (stated >= kSlowest && stated <= kFastest) {
    return double{stated};
  }
  return duration > 0 && samples > 1 ? static_cast<double>(samples - 1) / duration : kUsual;
}

template <class Values>
scene::Curve curve_of(const Values& values, const Timing& timing) {
  scene::Curve curve;
  curve.components = static_cast<unsigned>(std::tuple_size_v<typename Values::value_type>);
  const auto add = [&](float time, const auto& value) {
    curve.times.push_back(time);
    curve.values.insert(curve.values.end(), value.begin(), value.end());
  };
  for (std::size_t i = 0; i < values.size(); ++i) {
    add(timing.at(i), values[i]);
  }
  const auto end = static_cast<float>(timing.duration);
  if (values.size() == 1 && end > 0) {
    add(end, values[0]);
  }
  return curve;
}

class ClipBuilder {
 public:
  ClipBuilder(const PlacedSkeleton& skeleton, const nsa::Clip& source, scene::Clip& clip)
      : skeleton_(skeleton), source_(source), clip_(clip), used_(3 * skeleton.nodes.size(), false) {}

  void run(const BoneMap& map, bool root_motion) {
    const std::size_t samples = source_.samples;
    const double stated = std::max(0.0, double{source_.duration});
    timing_.rate = usable_rate(source_.rate, stated, samples);
    timing_.duration = std::max(stated, static_cast<double>(samples - (samples > 0 ? 1 : 0)) / timing_.rate);
    own_duration_ = timing_.duration;
    Timing root = timing_;
    if (root_motion && source_.root) {
      const std::size_t steps = std::max(source_.root->translations.size(), source_.root->rotations.size());
      root.rate = usable_rate(source_.root->rate, timing_.duration, steps);
      // A root that takes longer than the body, which then stands still, is played to its end.
      timing_.duration =
          std::max(timing_.duration, static_cast<double>(steps - (steps > 0 ? 1 : 0)) / root.rate);
      root.duration = timing_.duration;
    }
    clip_.duration = static_cast<float>(timing_.duration);
    if (root_motion && source_.root) {
      add_root(*source_.root, root);
    }
    for (const auto& track : source_.translations) {
      add(bone_of(map, track.channel), Property::translation, curve_of(track.values, timing_));
    }
    for (const auto& track : source_.rotations) {
      add(bone_of(map, track.channel), Property::rotation, curve_of(track.values, timing_));
    }
    for (const auto& track : source_.scales) {
      add(bone_of(map, track.channel), Property::scale, curve_of(track.values, timing_));
    }
  }

  /// Tracks that drive no bone, or one that another drives already.
  [[nodiscard]] std::size_t lost() const { return lost_; }
  /// Without the root's, in seconds: what events count in parts of.
  [[nodiscard]] float own_duration() const { return static_cast<float>(own_duration_); }

 private:
  static std::int32_t bone_of(const BoneMap& map, std::size_t channel) {
    return channel < map.bones.size() ? map.bones[channel] : -1;
  }

  void add_root(const nsa::RootMotion& root, const Timing& timing) {
    if (!root.translations.empty()) {
      add(0, Property::translation, curve_of(root.translations, timing));
    }
    if (!root.rotations.empty()) {
      add(0, Property::rotation, curve_of(root.rotations, timing));
    }
  }

  void add(std::int32_t bone, Property property, scene::Curve curve) {
    const auto kind = static_cast<std::size_t>(property) - static_cast<std::size_t>(Property::translation);
    const std::size_t slot = 3 * static_cast<std::size_t>(std::max(bone, 0)) + kind;
    if (bone < 0 || slot >= used_.size() || used_[slot] || curve.empty()) {
      ++lost_;
      return;
    }
    used_[slot] = true;
    const Index node = skeleton_.nodes[static_cast<std::size_t>(bone)];
    clip_.channels.push_back({{scene::Target::Kind::node, node, 0}, property, std::move(curve)});
  }

  const PlacedSkeleton& skeleton_;
  const nsa::Clip& source_;
  scene::Clip& clip_;
  std::vector<bool> used_;
  Timing timing_;
  double own_duration_ = 0;
  std::size_t lost_ = 0;
};

std::string_view origin_name(BoneMap::Origin origin) {
  switch (origin) {
    case BoneMap::Origin::network:
      return "network";
    case BoneMap::Origin::map:
      return "map";
    default:
      return "order";
  }
}

Value events_value(const std::vector<const EventTrack*>& tracks, float duration) {
  Value list = Value::List();
  for (const EventTrack* track : tracks) {
    for (const Event& event : track->events) {
      Value value;
      value.set("track", to_utf8(track->text()));
      value.set("time", event.start * duration);
      value.set("duration", event.duration * duration);
      value.set("userData", event.user_data);
      value.set("trackUserData", track->user_data);
      value.set("channel", track->channel);
      list.push(std::move(value));
    }
  }
  return list;
}

struct ClipSource {
  const nsa::Document& animation;
  std::string_view name;
  std::optional<std::size_t> index;  ///< among the network's animations
};

/// Adds clips of a network's animations to one of its skeletons.
class ClipMaker {
 public:
  ClipMaker(const Document& document, const PlacedSkeleton& placed)
      : links_(document), skeletons_(document.all<Skeleton>()), placed_(placed) {}

  void add(const ClipSource& source, const ClipOptions& options, scene::Scene& scene,
           Diagnostics& diagnostics) const {
    const nsa::Clip curves = nsa::decode(source.animation, diagnostics);
    const BoneMap map =
        links_.bone_map(*skeletons_[placed_.skeleton], curves.channels, source.index, diagnostics);
    scene::Clip& clip = scene.clips.emplace_back();
    clip.name = std::string(source.name);
    ClipBuilder builder(placed_, curves, clip);
    builder.run(map, options.root_motion);
    if (builder.lost() > 0) {
      diagnostics.add(codes::kMrnJoin, std::to_string(builder.lost()) + " tracks drive no bone of their own",
                      {}, std::string(source.name));
    }
    clip.sample_rate = curves.rate;
    // What the curves do not show, for the way back.
    if (curves.duration >= 0 && curves.duration != clip.duration) {
      clip.extras.set("bodyDuration", curves.duration);
    }
    if (curves.root && (curves.root->rate != curves.rate || curves.root->translations.size() <= 1)) {
      clip.extras.set("rootRate", curves.root->rate);
    }
    clip.extras.set("channels", curves.channels);
    clip.extras.set("samples", curves.samples);
    clip.extras.set("joinedBy", origin_name(map.origin));
    const auto tracks = source.index ? links_.events_of(*source.index) : std::vector<const EventTrack*>{};
    if (!tracks.empty()) {
      clip.extras.set("events", events_value(tracks, builder.own_duration()));
    }
  }

  /// True if a map joins the animation to another skeleton, and none to this one.
  [[nodiscard]] bool is_for_another(const nsa::Document& animation, std::size_t index) const {
    const Skeleton* own = skeletons_[placed_.skeleton];
    return !links_.fits(*own, animation.channels(), index) &&
           std::any_of(skeletons_.begin(), skeletons_.end(), [&](const Skeleton* other) {
             return other != own && links_.fits(*other, animation.channels(), index);
           });
  }

 private:
  Links links_;
  std::vector<const Skeleton*> skeletons_;
  const PlacedSkeleton& placed_;
};

void add_extras(const Document& document, const PlacedSkeleton& placed, scene::Scene& scene) {
  const auto all = skeletons(document);
  const Skeleton& skeleton = *all[placed.skeleton].skeleton;
  scene.extras.set("skeleton", all[placed.skeleton].name);
  const auto& names = placed.nodes;
  const auto name_of = [&](std::int32_t bone) {
    return bone >= 0 && static_cast<std::size_t>(bone) < names.size()
               ? Value(scene.nodes[names[static_cast<std::size_t>(bone)]].name)
               : Value();
  };
  scene.extras.set("trajectoryBone", name_of(skeleton.trajectory_bone));
  scene.extras.set("rootBone", name_of(skeleton.root_bone));
  Value tracks = Value::List();
  for (const EventTrack* track : document.all<EventTrack>()) {
    Value value;
    value.set("name", to_utf8(track->text()));
    value.set("userData", track->user_data);
    value.set("channel", track->channel);
    Value events = Value::List();
    for (const Event& event : track->events) {
      events.push(
          Value().set("start", event.start).set("duration", event.duration).set("userData", event.user_data));
    }
    value.set("events", std::move(events));
    tracks.push(std::move(value));
  }
  if (!tracks.empty()) {
    scene.extras.set("eventTracks", std::move(tracks));
  }
}

scene::Bounds bounds_of(const PlacedSkeleton& placed, const scene::Scene& scene) {
  scene::BoundsOfPoints bounds;
  for (const Vec3& point : joint_positions(placed, scene)) {
    bounds.add(point);
  }
  return bounds.bounds();
}

/// A scene with a skeleton and no clips.
Result<std::pair<scene::Scene, PlacedSkeleton>> begin_scene(const Document& document, std::string_view name,
                                                            const SceneOptions& options,
                                                            Diagnostics& diagnostics) {
  const auto chosen = find_skeleton(document, options.skeleton, diagnostics);
  if (!chosen) {
    return tl::unexpected<Error>(chosen.error());
  }
  scene::Scene scene;
  scene.name = std::string(name);
  scene.source_format = "mrn";
  scene.axes = scene::Axes::x_front;
  scene::Node root;
  root.name = scene.name;
  root.kind = scene::NodeKind::root;
  scene.nodes.push_back(std::move(root));
  PlacedSkeleton placed = add_skeleton(document, *chosen, 0, scene, diagnostics);
  add_extras(document, placed, scene);
  scene.bounds = bounds_of(placed, scene);
  if (options.bones) {
    add_bone_shapes(placed, scene);
  }
  return std::pair(std::move(scene), std::move(placed));
}

void add_loose(const Document& document, const PlacedSkeleton& placed, const SceneOptions& options,
               scene::Scene& scene, Diagnostics& diagnostics) {
  for (const auto& [name, animation] : options.animations) {
    add_clip(document, placed, *animation, name, options.clips, scene, diagnostics);
  }
}

}  // namespace

std::string bone_name(const Skeleton& skeleton, std::size_t bone) {
  std::string name = to_utf8(skeleton.names.text(bone));
  return name.empty() ? "Bone " + std::to_string(bone) : name;
}

scene::Transform bind_transform(const Skeleton& skeleton, std::size_t bone) {
  scene::Transform transform;
  const auto& pose = skeleton.bind_pose;
  if (bone < pose.positions.size()) {
    const Vec4& p = pose.positions[bone];
    transform.translation = {finite_or_zero(p[0]), finite_or_zero(p[1]), finite_or_zero(p[2])};
  }
  if (bone < pose.rotations.size()) {
    transform.rotation = unit(pose.rotations[bone]);
  }
  return transform;
}

Result<std::size_t> find_skeleton(const Document& document, std::string_view name, Diagnostics& diagnostics) {
  const auto all = skeletons(document);
  if (all.empty()) {
    return fail(codes::kMrnSkeleton, "the network holds no skeleton that can be read");
  }
  if (name.empty()) {
    if (all.size() > 1) {
      diagnostics.add(codes::kMrnSkeletonChoice, "the first of " + std::to_string(all.size()) +
                                                     " skeletons was taken, " + all.front().name);
    }
    return std::size_t{0};
  }
  const auto index_where = [&](auto&& matches) -> std::optional<std::size_t> {
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (matches(i)) {
        return i;
      }
    }
    return std::nullopt;
  };
  if (const auto exact = index_where([&](std::size_t i) { return all[i].name == name; })) {
    return *exact;
  }
  if (const auto alike = index_where([&](std::size_t i) { return ascii::same(all[i].name, name); })) {
    return *alike;
  }
  if (const auto number = index_where([&](std::size_t i) { return std::to_string(i) == name; })) {
    return *number;
  }
  std::string known;
  for (const auto& skeleton : all) {
    known += (known.empty() ? "" : ", ") + skeleton.name;
  }
  return fail(codes::kMrnSkeleton, "no skeleton " + std::string(name) + "; there is " + known);
}

PlacedSkeleton add_skeleton(const Document& document, std::size_t skeleton, Index parent, scene::Scene& scene,
                            Diagnostics& diagnostics) {
  const Skeleton& chosen = *document.all<Skeleton>()[skeleton];
  if (chosen.bind_pose.positions.size() < chosen.bones() ||
      chosen.bind_pose.rotations.size() < chosen.bones()) {
    diagnostics.add(codes::kMrnHierarchy, "the bind pose does not cover every bone", {}, "bindPose");
  }
  PlacedSkeleton placed = SkeletonBuilder(chosen, parent, scene, diagnostics).run();
  placed.skeleton = skeleton;
  return placed;
}

std::size_t add_clips(const Document& document, const PlacedSkeleton& skeleton, const ClipOptions& options,
                      scene::Scene& scene, Diagnostics& diagnostics) {
  const auto all = animations(document);
  const ClipMaker maker(document, skeleton);
  std::size_t added = 0;
  std::size_t others = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (options.wanted && !options.wanted(all[i].name)) {
      continue;
    }
    if (maker.is_for_another(*all[i].document, i)) {
      ++others;
      continue;
    }
    maker.add({*all[i].document, all[i].name, i}, options, scene, diagnostics);
    ++added;
  }
  if (others > 0) {
    diagnostics.add(codes::kMrnOtherSkeleton, std::to_string(others) + " animations for other skeletons");
  }
  return added;
}

void add_clip(const Document& document, const PlacedSkeleton& skeleton, const nsa::Document& animation,
              std::string_view name, const ClipOptions& options, scene::Scene& scene,
              Diagnostics& diagnostics) {
  ClipMaker(document, skeleton).add({animation, name, std::nullopt}, options, scene, diagnostics);
}

namespace {

/// A scene has one skeleton. Whoever did not choose it hears which others stay behind, and how to get them.
void report_other_skeletons(const Document& document, const SceneOptions& options, std::size_t clips,
                            Diagnostics& diagnostics) {
  const auto all = skeletons(document);
  if (!options.skeleton.empty() || all.size() < 2) {
    return;
  }
  std::string others;
  for (std::size_t i = 1; i < all.size(); ++i) {
    others += (i > 1 ? ", " : "") + all[i].name;
  }
  std::size_t wanted = 0;
  for (const auto& animation : animations(document)) {
    wanted += !options.clips.wanted || options.clips.wanted(animation.name) ? 1U : 0U;
  }
  diagnostics.add(codes::kSceneLost,
                  std::to_string(all.size() - 1) + " of " + std::to_string(all.size()) + " skeletons (" +
                      others + ") and " + std::to_string(wanted - clips) +
                      " animations for them are left out; --skeleton NAME converts another than " +
                      all.front().name);
}

}  // namespace

Result<scene::Scene> to_scene(const Document& document, std::string_view name, const SceneOptions& options,
                              Diagnostics& diagnostics) {
  return begin_scene(document, name, options, diagnostics).map([&](auto&& begun) {
    const std::size_t clips = add_clips(document, begun.second, options.clips, begun.first, diagnostics);
    report_other_skeletons(document, options, clips, diagnostics);
    add_loose(document, begun.second, options, begun.first, diagnostics);
    return std::move(begun.first);
  });
}

Result<scene::Scene> to_scene(const nsa::Document& animation, const Document& network, std::string_view name,
                              const SceneOptions& options, Diagnostics& diagnostics) {
  return begin_scene(network, name, options, diagnostics).map([&](auto&& begun) {
    add_clip(network, begun.second, animation, name, options.clips, begun.first, diagnostics);
    add_loose(network, begun.second, options, begun.first, diagnostics);
    return std::move(begun.first);
  });
}

}  // namespace thaw::mrn
