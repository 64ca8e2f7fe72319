#include <thaw/codes.hpp>
#include <thaw/mrn.hpp>

#include "bytes/finite.hpp"
#include "bytes/number_text.hpp"
#include "bytes/text.hpp"
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
    std::vector<std::size_t> chain;
    for (std::size_t bone = 0; bone < parents_.size(); ++bone) {
      // Parents first, wherever they stand.
      for (std::size_t at = bone; placed_.nodes[at] == kNone;) {
        chain.push_back(at);
        if (parents_[at] < 0) {
          break;
        }
        at = static_cast<std::size_t>(parents_[at]);
      }
      for (; !chain.empty(); chain.pop_back()) {
        add(chain.back());
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
    body_duration_ = timing_.duration;
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
  [[nodiscard]] float body_duration() const { return static_cast<float>(body_duration_); }

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
  double body_duration_ = 0;
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

/// Makes clips of a network's animations, for its skeletons.
class NetworkClipBuilder {
 public:
  explicit NetworkClipBuilder(const Document& document)
      : links_(document), skeletons_(document.all<Skeleton>()) {}

  /// Adds the channels for a skeleton to a clip, which may have those of another. Returns their keys.
  std::size_t add(const ClipSource& source, const PlacedSkeleton& placed, const ClipOptions& options,
                  scene::Clip& clip, Diagnostics& diagnostics) const {
    const nsa::Clip curves = nsa::decode(source.animation, diagnostics);
    const BoneMap map =
        links_.bone_map(*skeletons_[placed.skeleton], curves.channels, source.index, diagnostics);
    clip.name = std::string(source.name);
    ClipBuilder builder(placed, curves, clip);
    builder.run(map, options.root_motion);
    if (builder.lost() > 0) {
      diagnostics.add(codes::kMrnJoin, counted(builder.lost(), "track") + " without a bone left out", {},
                      std::string(source.name));
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
      clip.extras.set("events", events_value(tracks, builder.body_duration()));
    }
    return map.bones.size() * std::size_t{curves.samples};
  }

  /// Those of the placed skeletons that a map joins the animation to; the first if no map joins it to any.
  [[nodiscard]] std::vector<const PlacedSkeleton*> played_by(
      const nsa::Document& animation, std::size_t index, const std::vector<PlacedSkeleton>& placed) const {
    const auto fits = [&](const Skeleton* skeleton) {
      return links_.fits(*skeleton, animation.channels(), index);
    };
    std::vector<const PlacedSkeleton*> found;
    for (const auto& skeleton : placed) {
      if (fits(skeletons_[skeleton.skeleton])) {
        found.push_back(&skeleton);
      }
    }
    if (found.empty() && std::none_of(skeletons_.begin(), skeletons_.end(), fits)) {
      found.push_back(&placed.front());
    }
    return found;
  }

 private:
  Links links_;
  std::vector<const Skeleton*> skeletons_;
};

/// What else a skeleton says, for the way back.
void add_skeleton_extras(const NamedSkeleton& named, const PlacedSkeleton& placed, const scene::Scene& scene,
                         Value& extras) {
  const auto& names = placed.nodes;
  const auto name_of = [&](std::int32_t bone) {
    return bone >= 0 && static_cast<std::size_t>(bone) < names.size()
               ? Value(scene.nodes[names[static_cast<std::size_t>(bone)]].name)
               : Value();
  };
  extras.set("skeleton", named.name);
  extras.set("trajectoryBone", name_of(named.skeleton->trajectory_bone));
  extras.set("rootBone", name_of(named.skeleton->root_bone));
}

void add_event_tracks(const Document& document, scene::Scene& scene) {
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

scene::Bounds bounds_of(const std::vector<PlacedSkeleton>& placed, const scene::Scene& scene) {
  PlacedSkeleton all;
  for (const auto& skeleton : placed) {
    all.nodes.insert(all.nodes.end(), skeleton.nodes.begin(), skeleton.nodes.end());
  }
  scene::BoundsOfPoints bounds;
  for (const Vec3& point : joint_positions(all, scene)) {
    bounds.add(point);
  }
  return bounds.bounds();
}

/// A scene with skeletons and no clips.
struct Begun {
  scene::Scene scene;
  std::vector<PlacedSkeleton> skeletons;
};

/// Each of several skeletons below a node of its own, because their bones share names.
void add_each(const Document& document, scene::Scene& scene, std::vector<PlacedSkeleton>& placed,
              Diagnostics& diagnostics) {
  for (const auto& named : skeletons(document)) {
    const auto top = static_cast<Index>(scene.nodes.size());
    scene::Node node;
    node.name = named.name;
    node.parent = 0;
    scene.nodes.push_back(std::move(node));
    placed.push_back(add_skeleton(document, placed.size(), top, scene, diagnostics));
    Value extras;
    add_skeleton_extras(named, placed.back(), scene, extras);
    scene.nodes[top].extras = std::move(extras);
  }
}

/// The chosen skeleton, or `all` if none is chosen.
Result<Begun> begin_scene(const Document& document, std::string_view name, const SceneOptions& options,
                          bool all, Diagnostics& diagnostics) {
  Begun begun;
  scene::Scene& scene = begun.scene;
  scene.name = std::string(name);
  scene.source_format = "mrn";
  scene.axes = scene::Axes::x_front;
  scene::Node root;
  root.name = scene.name;
  root.kind = scene::NodeKind::root;
  scene.nodes.push_back(std::move(root));
  if (all && options.skeleton.empty() && document.all<Skeleton>().size() > 1) {
    add_each(document, scene, begun.skeletons, diagnostics);
  } else {
    const auto chosen = find_skeleton(document, options.skeleton, diagnostics);
    if (!chosen) {
      return tl::unexpected<Error>(chosen.error());
    }
    begun.skeletons.push_back(add_skeleton(document, *chosen, 0, scene, diagnostics));
    add_skeleton_extras(skeletons(document)[*chosen], begun.skeletons.front(), scene, scene.extras);
  }
  add_event_tracks(document, scene);
  scene.bounds = bounds_of(begun.skeletons, scene);
  if (options.bones) {
    add_bone_shapes(begun.skeletons, scene);
  }
  return begun;
}

void add_loose(const Document& document, const PlacedSkeleton& placed, const SceneOptions& options,
               scene::Scene& scene, Diagnostics& diagnostics) {
  for (const auto& [name, animation] : options.animations) {
    add_clip(document, placed, *animation, name, options.clips, scene, diagnostics);
  }
}

/// Keys of animations that several skeletons share, for all but the first of these.
constexpr std::size_t kMostSharedKeys = std::size_t{1} << 24U;

std::size_t add_clips(const Document& document, const std::vector<PlacedSkeleton>& placed,
                      const ClipOptions& options, scene::Scene& scene, Diagnostics& diagnostics) {
  const auto all = animations(document);
  const NetworkClipBuilder builder(document);
  std::size_t added = 0;
  std::size_t others = 0;
  std::size_t shared = 0;
  std::size_t cut = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (options.requested && !options.requested(all[i].name)) {
      continue;
    }
    const auto players = builder.played_by(*all[i].document, i, placed);
    if (players.empty()) {
      ++others;
      continue;
    }
    scene::Clip& clip = scene.clips.emplace_back();
    for (const PlacedSkeleton* player : players) {
      if (player != players.front() && shared > kMostSharedKeys) {
        ++cut;
        break;
      }
      const std::size_t keys =
          builder.add({*all[i].document, all[i].name, i}, *player, options, clip, diagnostics);
      shared += player == players.front() ? 0 : keys;
    }
    ++added;
  }
  if (others > 0) {
    diagnostics.add(
        codes::kMrnOtherSkeleton,
        counted(others, "animation") + " for other skeletons left out; --skeleton NAME chooses another");
  }
  if (cut > 0) {
    diagnostics.add(codes::kSceneLost, counted(cut, "animation") +
                                           " reduced to some of the skeletons, because all of them have too "
                                           "many keys. --skeleton NAME converts one skeleton.");
  }
  return added;
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
    return fail(codes::kMrnSkeleton, "the network contains no readable skeleton");
  }
  if (name.empty()) {
    if (all.size() > 1) {
      diagnostics.add(codes::kMrnSkeletonChoice, "the first of " + std::to_string(all.size()) +
                                                     " skeletons is used: " + all.front().name +
                                                     "; --skeleton NAME chooses another");
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
  return fail(codes::kMrnSkeleton,
              "no such skeleton: " + std::string(name) + "; the skeletons are: " + known);
}

PlacedSkeleton add_skeleton(const Document& document, std::size_t skeleton, Index parent, scene::Scene& scene,
                            Diagnostics& diagnostics) {
  const Skeleton& chosen = *document.all<Skeleton>()[skeleton];
  if (chosen.bind_pose.positions.size() < chosen.bones() ||
      chosen.bind_pose.rotations.size() < chosen.bones()) {
    diagnostics.add(codes::kMrnHierarchy,
                    "the bind pose does not cover every bone; the other bones coincide with their parents",
                    {}, "bindPose");
  }
  PlacedSkeleton placed = SkeletonBuilder(chosen, parent, scene, diagnostics).run();
  placed.skeleton = skeleton;
  return placed;
}

std::size_t add_clips(const Document& document, const PlacedSkeleton& skeleton, const ClipOptions& options,
                      scene::Scene& scene, Diagnostics& diagnostics) {
  return add_clips(document, std::vector{skeleton}, options, scene, diagnostics);
}

void add_clip(const Document& document, const PlacedSkeleton& skeleton, const nsa::Document& animation,
              std::string_view name, const ClipOptions& options, scene::Scene& scene,
              Diagnostics& diagnostics) {
  NetworkClipBuilder(document).add({animation, name, std::nullopt}, skeleton, options,
                                   scene.clips.emplace_back(), diagnostics);
}

Result<scene::Scene> to_scene(const Document& document, std::string_view name, const SceneOptions& options,
                              Diagnostics& diagnostics) {
  return begin_scene(document, name, options, true, diagnostics).map([&](Begun&& begun) {
    add_clips(document, begun.skeletons, options.clips, begun.scene, diagnostics);
    add_loose(document, begun.skeletons.front(), options, begun.scene, diagnostics);
    return std::move(begun.scene);
  });
}

Result<scene::Scene> to_scene(const nsa::Document& animation, const Document& network, std::string_view name,
                              const SceneOptions& options, Diagnostics& diagnostics) {
  return begin_scene(network, name, options, false, diagnostics).map([&](Begun&& begun) {
    const PlacedSkeleton& skeleton = begun.skeletons.front();
    add_clip(network, skeleton, animation, name, options.clips, begun.scene, diagnostics);
    add_loose(network, skeleton, options, begun.scene, diagnostics);
    return std::move(begun.scene);
  });
}

}  // namespace thaw::mrn
