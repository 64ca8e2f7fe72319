// Networks of scenes: into one that is there, or all of it anew. See mrn.md#a-new-network.
#include <thaw/codes.hpp>
#include <thaw/control.hpp>
#include <thaw/mrn.hpp>

#include "bytes/hash.hpp"
#include "bytes/number_text.hpp"
#include "bytes/text.hpp"
#include "formats/forgelight/mrn/built_network.hpp"
#include "formats/forgelight/mrn/names.hpp"
#include "formats/forgelight/mrn/scene_parts.hpp"
#include "scene/math.hpp"
#include "scene/pose.hpp"

#include <algorithm>
#include <list>
#include <map>
#include <set>

namespace thaw::mrn {
namespace {

using scene::Index;
using scene::kNone;

constexpr std::string_view kWorldBone = "CharacterWorldSpaceTM";

/// What packets are numbered from, by type, as in the synthetic network.
constexpr std::uint32_t kSkeletonId = 0x1001;
constexpr std::uint32_t kMapId = 0x2001;
constexpr std::uint32_t kDiscreteId = 0x3001;
constexpr std::uint32_t kDurationId = 0x4001;

template <class T>
Packet packet_of(std::uint32_t type, std::uint32_t asset, T body) {
  Packet packet;
  packet.type = type;
  packet.asset_id = asset;
  packet.body = Boxed<T>(std::move(body));
  return packet;
}

// --- the skeleton

bool moves(const scene::Channel& channel) {
  return channel.target.kind == scene::Target::Kind::node &&
         (channel.property == scene::Property::translation || channel.property == scene::Property::rotation ||
          channel.property == scene::Property::scale);
}

/// Bones of skins and nodes that are bones; of a scene without either, what its clips move.
std::vector<bool> bones_among(const scene::Scene& scene) {
  std::vector<bool> bones(scene.nodes.size(), false);
  for (const auto& skin : scene.skins) {
    for (const Index joint : skin.joints) {
      bones[joint] = true;
    }
  }
  for (Index node = 0; node < scene.nodes.size(); ++node) {
    bones[node] = bones[node] || scene.nodes[node].kind == scene::NodeKind::bone;
  }
  if (std::find(bones.begin(), bones.end(), true) != bones.end()) {
    return bones;
  }
  for (const auto& clip : scene.clips) {
    for (const auto& channel : clip.channels) {
      if (moves(channel) && channel.target.index < bones.size()) {
        bones[channel.target.index] = true;
      }
    }
  }
  return bones;
}

/// In the order of the skeleton that they were, if they remember one that has parents first.
std::vector<Index> ordered_bones(const scene::Scene& scene, const std::vector<bool>& below) {
  const std::vector<bool> bones = bones_among(scene);
  std::vector<Index> order;
  for (Index node = 0; node < scene.nodes.size(); ++node) {
    if (bones[node] && below[node]) {
      order.push_back(node);
    }
  }
  const auto place = [&](Index node) { return scene.nodes[node].extras["bone"].integer(); };
  if (!std::all_of(order.begin(), order.end(), [&](Index node) { return place(node).has_value(); })) {
    return order;
  }
  std::vector<Index> remembered(order);
  std::sort(remembered.begin(), remembered.end(),
            [&](Index a, Index b) { return std::pair(*place(a), a) < std::pair(*place(b), b); });
  std::vector<bool> seen(scene.nodes.size(), false);
  for (const Index node : remembered) {
    Index above = scene.nodes[node].parent;
    while (above != kNone && !bones[above]) {
      above = scene.nodes[above].parent;
    }
    if (above != kNone && !seen[above]) {
      return order;
    }
    seen[node] = true;
  }
  return remembered;
}

/// Bones of a scene below a node as a rig, below a bone for the place in the world.
Rig rig_of_scene(const scene::Scene& scene, const std::vector<bool>& below) {
  Rig rig;
  const std::vector<Index> order = ordered_bones(scene, below);
  std::vector<std::int32_t> bone_of(scene.nodes.size(), -1);
  const auto add = [&](std::string name, std::int32_t parent, Index node) {
    rig.names.push_back(std::move(name));
    rig.parents.push_back(parent);
    rig.nodes.push_back(node);
    rig.bind.emplace_back();
  };
  const bool has_world = !order.empty() && scene.nodes[order.front()].name == kWorldBone;
  if (!order.empty() && !has_world) {
    add(std::string(kWorldBone), -1, kNone);
  }
  for (const Index node : order) {
    Index above = scene.nodes[node].parent;
    while (above != kNone && bone_of[above] < 0) {
      above = scene.nodes[above].parent;
    }
    const bool first = rig.names.empty();
    bone_of[node] = static_cast<std::int32_t>(rig.names.size());
    add(scene.nodes[node].name, above != kNone ? bone_of[above] : first ? -1 : 0, node);
  }
  rig.bind = BoneMotion(scene, nullptr, rig).pose(0);
  return rig;
}

/// Names by which bones are joined have to be of one bone each.
void distinguish_names(Rig& rig, Diagnostics& diagnostics) {
  std::set<std::string> used;
  std::size_t renamed = 0;
  for (std::string& name : rig.names) {
    const std::string requested = name.empty() ? "Bone" : name;
    std::string unique = requested;
    for (int number = 2; !used.insert(unique).second; ++number) {
      unique = requested + "_" + std::to_string(number);
    }
    renamed += unique != name ? 1U : 0U;
    name = std::move(unique);
  }
  if (renamed > 0) {
    diagnostics.add(codes::kSceneChanged,
                    counted(renamed, "bone") +
                        " with missing or duplicate names renamed, because bones are matched by name");
  }
}

const Value& remembered(const scene::Scene& scene, std::string_view what) { return scene.extras[what]; }

std::int32_t bone_named(const Rig& rig, const std::string& name, std::int32_t otherwise) {
  const auto found = std::find(rig.names.begin(), rig.names.end(), name);
  return found == rig.names.end() ? otherwise : static_cast<std::int32_t>(found - rig.names.begin());
}

Skeleton skeleton_of(const Value& extras, const Rig& rig) {
  std::vector<Bone> bones;
  for (std::size_t i = 0; i < rig.names.size(); ++i) {
    bones.push_back({rig.names[i], rig.parents[i], rig.bind[i].translation,
                     scene::narrow(scene::normalized(scene::widen(rig.bind[i].rotation)))});
  }
  const auto last = static_cast<std::int32_t>(bones.size()) - 1;
  return make_skeleton(bones, bone_named(rig, extras["trajectoryBone"].text(), 0),
                       bone_named(rig, extras["rootBone"].text(), std::min(1, last)));
}

// --- maps

/// A clip has channels for the bones that it says something of. In version 26 a map is known by its number
/// of channels alone, so that of two sets of one size the second takes all bones.
class Maps {
 public:
  explicit Maps(std::size_t bones) : bones_(bones) {
    for (std::size_t bone = 1; bone < bones; ++bone) {
      whole_.push_back(static_cast<std::int32_t>(bone));
    }
  }

  const ChannelBones& map_for(const scene::Scene& scene, const scene::Clip& clip, const Rig& rig) {
    std::vector<bool> moved(scene.nodes.size(), false);
    for (const auto& channel : clip.channels) {
      if (moves(channel) && channel.target.index < moved.size()) {
        moved[channel.target.index] = true;
      }
    }
    const BoneMotion motion(scene, &clip, rig);
    ChannelBones moving;
    for (const std::int32_t bone : whole_) {
      const auto& movers = motion.movers(static_cast<std::size_t>(bone));
      if (std::any_of(movers.begin(), movers.end(), [&](Index node) { return moved[node]; })) {
        moving.push_back(bone);
      }
    }
    moving = moving.empty() ? whole_ : std::move(moving);
    const auto known = std::find_if(maps_.begin(), maps_.end(),
                                    [&](const auto& map) { return map.size() == moving.size(); });
    if (known == maps_.end()) {
      return maps_.emplace_back(std::move(moving));
    }
    return *known == moving ? *known : whole_map();
  }

  void add_to(std::vector<Packet>& packets, std::uint32_t& id) const {
    for (const auto& map : maps_) {
      const std::vector<std::uint16_t> bones(map.begin(), map.end());
      packets.push_back(packet_of(0x02, id++, make_rig_map(bones, static_cast<std::uint32_t>(bones_))));
    }
  }

 private:
  const ChannelBones& whole_map() {
    const auto known = std::find(maps_.begin(), maps_.end(), whole_);
    return known == maps_.end() ? maps_.emplace_back(whole_) : *known;
  }

  std::size_t bones_;
  ChannelBones whole_;
  std::list<ChannelBones> maps_;  // whose items stay where they are
};

// --- several skeletons

/// A skeleton of a scene, and what hangs below its node.
struct Body {
  Index top = kNone;  ///< kNone: the scene's only one
  std::vector<bool> below;
  Rig rig;

  [[nodiscard]] bool has(Index node) const { return node < below.size() && below[node]; }
};

/// A clip without the channels of other bodies.
scene::Clip clip_of_body(const scene::Clip& clip, const Body& body) {
  scene::Clip result = clip;
  result.channels.erase(std::remove_if(result.channels.begin(), result.channels.end(),
                                       [&](const scene::Channel& channel) {
                                         return body.top != kNone &&
                                                channel.target.kind == scene::Target::Kind::node &&
                                                !body.has(channel.target.index);
                                       }),
                        result.channels.end());
  return result;
}

/// The bodies that a clip moves; the first if it moves none.
std::vector<std::size_t> moved_by(const scene::Clip& clip, const std::vector<Body>& bodies) {
  std::vector<std::size_t> moved;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (std::any_of(clip.channels.begin(), clip.channels.end(), [&](const scene::Channel& channel) {
          return moves(channel) && bodies[i].has(channel.target.index);
        })) {
      moved.push_back(i);
    }
  }
  return moved.empty() ? std::vector<std::size_t>{0} : moved;
}

Result<std::vector<Body>> bodies_of(const scene::Scene& scene, Diagnostics& diagnostics) {
  auto tops = skeleton_tops(scene);
  tops = tops.empty() ? std::vector{kNone} : tops;
  std::vector<Body> bodies;
  for (const Index top : tops) {
    Body& body = bodies.emplace_back(Body{top, nodes_below(scene, top), {}});
    body.rig = rig_of_scene(scene, body.below);
    if (body.rig.names.empty()) {
      return fail(codes::kWriteUnsupported, "the scene has no bones and no animated nodes");
    }
    constexpr std::size_t kMostBones = 0xFFFF;
    if (body.rig.names.size() > kMostBones) {
      return fail(codes::kWriteUnsupported, "a skeleton has " + counted(body.rig.names.size(), "bone") +
                                                "; a network supports at most 65535");
    }
    distinguish_names(body.rig, diagnostics);
  }
  return bodies;
}

// --- events

struct TrackOfScene {
  std::string name;
  std::uint32_t user_data = 0;
  std::uint32_t channel = 0;
  std::vector<Event> events;
};

float share_of(const Value& value) { return static_cast<float>(value.number().value_or(0)); }
std::uint32_t word_of(const Value& value) { return static_cast<std::uint32_t>(value.integer().value_or(0)); }

/// As `eventTracks` of the scene, else as `events` of its clips state them.
std::vector<TrackOfScene> tracks_of(const scene::Scene& scene, const std::vector<const scene::Clip*>& clips) {
  std::vector<TrackOfScene> tracks;
  for (const Value& track : remembered(scene, "eventTracks").list()) {
    TrackOfScene& created = tracks.emplace_back(
        TrackOfScene{track["name"].text(), word_of(track["userData"]), word_of(track["channel"]), {}});
    for (const Value& event : track["events"].list()) {
      created.events.push_back(
          {share_of(event["start"]), share_of(event["duration"]), word_of(event["userData"])});
    }
  }
  if (!tracks.empty()) {
    return tracks;
  }
  for (const scene::Clip* clip : clips) {
    const std::size_t first = tracks.size();
    const float length = clip->duration > 0 ? clip->duration : 1;
    for (const Value& event : clip->extras["events"].list()) {
      const TrackOfScene event_track{
          event["track"].text(), word_of(event["trackUserData"]), word_of(event["channel"]), {}};
      auto known = std::find_if(
          tracks.begin() + static_cast<std::ptrdiff_t>(first), tracks.end(), [&](const TrackOfScene& track) {
            return track.name == event_track.name && track.channel == event_track.channel;
          });
      known = known == tracks.end() ? tracks.insert(known, event_track) : known;
      known->events.push_back({share_of(event["time"]) / length, share_of(event["duration"]) / length,
                               word_of(event["userData"])});
    }
  }
  return tracks;
}

void add_events(const std::vector<TrackOfScene>& tracks, Document& network) {
  constexpr std::uint32_t kDiscrete = 0x03;
  constexpr std::uint32_t kDuration = 0x04;
  std::uint32_t discrete = kDiscreteId;
  std::uint32_t lasting = kDurationId;
  for (const auto& track : tracks) {
    const bool lasts = std::any_of(track.events.begin(), track.events.end(),
                                   [](const Event& event) { return event.duration > 0; });
    network.packets.push_back(
        packet_of(lasts ? kDuration : kDiscrete, lasts ? lasting++ : discrete++,
                  make_event_track(track.name, track.user_data, track.channel, track.events)));
    network.packets.back().alignment = 4;
  }
}

void report_losses(const scene::Scene& scene, std::size_t tracks, std::size_t clips,
                   Diagnostics& diagnostics) {
  diagnostics.add(codes::kMrnNoDefinition,
                  "The network does not define which state plays which animation, and no game is known to "
                  "load such a file. Use an existing network with --skeleton FILE.mrn.");
  if (!scene.events.empty()) {
    diagnostics.add(codes::kSceneLost, counted(scene.events.size(), "event") +
                                           " of nodes left out, because Forgelight animations have none");
  }
  if (tracks > 0 && clips > 1) {
    diagnostics.add(
        codes::kSceneChanged,
        counted(tracks, "event track") +
            " written without the animations they belong to, because the network has no definition of its "
            "states; use an existing network with --skeleton FILE.mrn");
  }
}

// --- names

AnimationName name_of(const std::string& take) { return {take + ".nsa", "nsa", "", take}; }

/// Names of animations have to be of one each.
void distinguish_files(std::vector<EncodedAnimation>& animations) {
  std::set<std::string> used;
  for (auto& animation : animations) {
    const std::string requested = animation.name.empty() ? "Animation" : animation.name;
    animation.name = requested;
    for (int number = 2; !used.insert(animation.name).second; ++number) {
      animation.name = requested + "_" + std::to_string(number);
    }
  }
}

std::array<std::uint8_t, 16> common_guid(const std::vector<EncodedAnimation>& animations) {
  std::string names;
  for (const auto& animation : animations) {
    names += animation.name + '\n';
  }
  return md5(to_bytes(names));
}

constexpr std::uint32_t kAnimation = 0x10;

}  // namespace

Result<std::vector<EncodedAnimation>> animations_of(const scene::Scene& scene, const Document& network,
                                                    const std::vector<const scene::Clip*>& clips,
                                                    const FromSceneOptions& options,
                                                    Diagnostics& diagnostics) {
  // Each of several skeletons has the name of the node above it, unless one is chosen for all.
  auto tops = options.skeleton.empty() ? skeleton_tops(scene) : std::vector<Index>{};
  tops = tops.empty() ? std::vector{kNone} : tops;
  std::vector<Body> bodies;
  std::vector<JoinedRig> rigs;
  for (const Index top : tops) {
    FromSceneOptions body_options = options;
    body_options.skeleton = top == kNone ? options.skeleton : scene.nodes[top].extras["skeleton"].text();
    auto joined = joined_rig(scene, network, body_options, diagnostics, top);
    if (!joined) {
      return tl::unexpected<Error>(joined.error());
    }
    bodies.push_back({top, nodes_below(scene, top), {}});
    rigs.push_back(std::move(*joined));
  }
  std::vector<EncodedAnimation> encoded;
  for (const scene::Clip* clip : clips) {
    if (!proceed(options.control, "animations", encoded.size(), clips.size())) {
      return fail(codes::kStopped, "");
    }
    const std::size_t body = moved_by(*clip, bodies).front();
    const Skeleton& skeleton = *network.all<Skeleton>()[rigs[body].skeleton];
    auto animation = encode_animation(scene, clip_of_body(*clip, bodies[body]), rigs[body].rig,
                                      channel_bones(network, skeleton, clip->name), options, diagnostics);
    if (!animation) {
      return tl::unexpected<Error>(std::move(animation.error()));
    }
    encoded.push_back(std::move(*animation));
  }
  distinguish_files(encoded);
  return encoded;
}

Result<BuiltNetwork> network_of(const scene::Scene& scene, const std::vector<const scene::Clip*>& clips,
                                const FromSceneOptions& options, Diagnostics& diagnostics) {
  const auto bodies = bodies_of(scene, diagnostics);
  if (!bodies) {
    return tl::unexpected<Error>(bodies.error());
  }
  BuiltNetwork built;
  std::map<std::size_t, Maps> maps;  // by number of bones, which with that of channels is all that names one
  for (const auto& body : *bodies) {
    built.bones += body.rig.names.size();
    maps.try_emplace(body.rig.names.size(), body.rig.names.size());
  }
  for (const scene::Clip* clip : clips) {
    if (!proceed(options.control, "animations", built.animations.size(), clips.size())) {
      return fail(codes::kStopped, "");
    }
    // An animation that moves several bodies is made for the first; maps join it to the others.
    const auto moved = moved_by(*clip, *bodies);
    for (const std::size_t number : moved) {
      const Body& body = (*bodies)[number];
      const scene::Clip body_clip = clip_of_body(*clip, body);
      const auto& bones = maps.at(body.rig.names.size()).map_for(scene, body_clip, body.rig);
      if (number != moved.front()) {
        continue;
      }
      auto animation = encode_animation(scene, body_clip, body.rig, bones, options, diagnostics);
      if (!animation) {
        return tl::unexpected<Error>(std::move(animation.error()));
      }
      built.animations.push_back(std::move(*animation));
    }
  }
  distinguish_files(built.animations);
  const auto guid = common_guid(built.animations);
  std::vector<AnimationName> names;
  auto& packets = built.document.packets;
  for (auto& animation : built.animations) {
    packets.push_back(
        packet_of(kAnimation, static_cast<std::uint32_t>(packets.size()), std::move(animation.document)));
    packets.back().guid = guid;
    names.push_back(name_of(animation.name));
  }
  std::vector<std::string> body_names;
  std::uint32_t skeleton_id = kSkeletonId;
  for (const auto& body : *bodies) {
    const Value& extras = body.top == kNone ? scene.extras : scene.nodes[body.top].extras;
    packets.push_back(packet_of(0x01, skeleton_id++, skeleton_of(extras, body.rig)));
    body_names.push_back(body.top != kNone          ? extras["skeleton"].text()
                         : options.skeleton.empty() ? skeleton_name(scene)
                                                    : options.skeleton);
  }
  std::uint32_t map_id = kMapId;
  for (const auto& sized : maps) {
    sized.second.add_to(packets, map_id);
  }
  const auto tracks = tracks_of(scene, clips);
  add_events(tracks, built.document);
  packets.push_back(packet_of(0x0C, 0, make_plugins(std::vector<std::string>{"MorphemeCore"})));
  packets.push_back(packet_of(0x0E, 0, make_file_names(names)));
  packets.push_back(packet_of(0x0F, 0, make_skeleton_names(body_names)));
  lay_out(built.document);
  report_losses(scene, tracks.size(), clips.size(), diagnostics);
  return built;
}

Result<void> put_animation(Document& network, const std::string& name, nsa::Document animation) {
  const auto all = animations(network);
  const auto same =
      std::find_if(all.begin(), all.end(), [&](const Animation& it) { return it.name == name; });
  if (same != all.end()) {
    replace_animation(network, static_cast<std::size_t>(same - all.begin()), std::move(animation));
    return {};
  }
  if (network.layout != Layout::v26_le64) {
    return fail(codes::kWriteUnsupported,
                "networks of this version contain no animations; use separate .nsa files");
  }
  Packet packet = packet_of(kAnimation, static_cast<std::uint32_t>(all.size()), std::move(animation));
  packet.version = network.version;
  packet.platform = network.platform;
  packet.guid = all.empty() ? packet.guid : network.packets[all.back().packet].guid;
  FileNames* table = names_of(network);
  if (table == nullptr) {
    return fail(codes::kWriteUnsupported,
                "the network has no list of animation names, so no animation can be added");
  }
  std::vector<AnimationName> names = listed(*table);
  names.resize(std::max(table->files.size(), all.size()));
  names.push_back(name_of(name));
  *table = make_file_names(names);
  const std::size_t place = all.empty() ? 0 : all.back().packet + 1;
  network.packets.insert(network.packets.begin() + static_cast<std::ptrdiff_t>(place), std::move(packet));
  lay_out(network);
  return {};
}

std::string skeleton_name(const scene::Scene& scene) {
  for (const std::string& name :
       {remembered(scene, "skeleton").text(), remembered(scene, "animation_set").text(), scene.name}) {
    if (!name.empty()) {
      return name;
    }
  }
  return "Skeleton";
}

Result<Document> network_from_scene(const scene::Scene& scene, const FromSceneOptions& options,
                                    Diagnostics& diagnostics) {
  const auto clips =
      clips_to_make(scene, options.clip.empty() ? std::vector<std::string>{} : std::vector{options.clip});
  return network_of(scene, clips, options, diagnostics).map([](BuiltNetwork&& built) {
    return std::move(built.document);
  });
}

}  // namespace thaw::mrn
