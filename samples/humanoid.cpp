#include <thaw/nsa.hpp>

#include "humanoid.hpp"

#include "build.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace thaw::samples {
namespace {

constexpr float kRate = 30;

enum Bone : std::uint16_t {
  kWorld,
  kHuman,
  kWorldRoot,
  kCog,
  kPelvis,
  kSpineLower,
  kSpineMiddle,
  kSpineUpper,
  kNeck,
  kHead,
  kLeftShoulder,
  kLeftElbow,
  kLeftWrist,
  kRightShoulder,
  kRightElbow,
  kRightWrist,
  kLeftHip,
  kLeftKnee,
  kLeftAnkle,
  kRightHip,
  kRightKnee,
  kRightAnkle,
  kBones,
};

double radians(double degrees) { return degrees * kPi / 180; }

Vec4 quaternion(const std::vector<float>& v) { return {v[0], v[1], v[2], v[3]}; }
std::vector<float> list(const Vec4& q) { return {q[0], q[1], q[2], q[3]}; }

Vec4 about(const Vec3& axis, double degrees) { return quaternion(turn(axis, radians(degrees))); }
Vec4 combined(const Vec4& outer, const Vec4& inner) {
  const std::vector<float> product = combine(list(outer), list(inner));
  double square = 0;
  for (const float component : product) {
    square += double{component} * double{component};
  }
  Vec4 result{};
  for (std::size_t i = 0; i < 4; ++i) {
    result[i] = static_cast<float>(double{product[i]} / std::sqrt(square));
  }
  return result;
}

/// A vector seen from axes that are turned about +Z.
Vec3 seen_from(double lean, const Vec3& v) {
  const double sine = std::sin(radians(lean));
  const double cosine = std::cos(radians(lean));
  return snap(cosine * double{v[0]} + sine * double{v[1]}, cosine * double{v[1]} - sine * double{v[0]},
              double{v[2]});
}

// --- animations

/// Local rotations and places over time, as differences from the bind pose.
struct Motion {
  double seconds = 0;
  std::function<double(std::uint16_t bone, double phase)> swing;  ///< degrees about +X
  std::function<Vec3(std::uint16_t bone, double phase)> shift;    ///< m
};

double wave(double phase, double offset = 0) { return std::sin(2 * kPi * (phase + offset)); }

double walking(std::uint16_t bone, double phase) {
  switch (bone) {
    case kLeftHip:
      return -28 * wave(phase);
    case kRightHip:
      return 28 * wave(phase);
    case kLeftKnee:
      return 22 + 20 * wave(phase, 0.3);
    case kRightKnee:
      return 22 - 20 * wave(phase, 0.3);
    case kLeftShoulder:
      return 20 * wave(phase);
    case kRightShoulder:
      return -20 * wave(phase);
    case kLeftElbow:
    case kRightElbow:
      return -18;
    case kSpineUpper:
      return 3 + 1.5 * wave(2 * phase);
    default:
      return 0;
  }
}

Vec3 bobbing(std::uint16_t bone, double phase) {
  return bone == kCog ? snap(0.012 * wave(phase), -0.02 + 0.018 * wave(2 * phase, 0.1), 0) : Vec3{};
}

template <class Track, class Value>
void add_track(std::vector<Track>& tracks, std::uint16_t channel, const std::vector<Value>& values) {
  Track& track = tracks.emplace_back();
  track.channel = channel;
  const bool same = std::all_of(values.begin(), values.end(), [&](const Value& v) { return v == values[0]; });
  track.values.assign(values.begin(), same ? values.begin() + 1 : values.end());
}

/// Of the bones that a map has, in its order.
nsa::Clip make_clip(const std::vector<std::uint16_t>& bones, const Motion& motion) {
  const auto skeleton = human_skeleton();
  nsa::Clip clip;
  clip.duration = static_cast<float>(motion.seconds);
  clip.rate = kRate;
  clip.channels = static_cast<std::uint32_t>(bones.size());
  clip.samples = static_cast<std::uint32_t>(std::lround(motion.seconds * double{kRate})) + 1;
  for (std::size_t i = 0; i < bones.size(); ++i) {
    std::vector<Vec3> places;
    std::vector<Vec4> turns;
    const mrn::Bone& bind = skeleton[bones[i]];
    for (std::uint32_t sample = 0; sample < clip.samples; ++sample) {
      const double phase = clip.samples > 1 ? sample / double(clip.samples - 1) : 0;
      const Vec3 shift = motion.shift ? motion.shift(bones[i], phase) : Vec3{};
      const double swing = motion.swing ? motion.swing(bones[i], phase) : 0;
      places.push_back(
          {bind.translation[0] + shift[0], bind.translation[1] + shift[1], bind.translation[2] + shift[2]});
      turns.push_back(swing == 0 ? bind.rotation : combined(bind.rotation, about({1, 0, 0}, swing)));
    }
    add_track(clip.translations, static_cast<std::uint16_t>(i), places);
    add_track(clip.rotations, static_cast<std::uint16_t>(i), turns);
  }
  return clip;
}

std::vector<std::uint16_t> whole_body() {
  std::vector<std::uint16_t> bones;
  for (std::uint16_t bone = kHuman; bone < kBones; ++bone) {
    bones.push_back(bone);
  }
  return bones;
}

std::vector<std::uint16_t> upper_body() {
  return {kSpineLower, kSpineMiddle, kSpineUpper,    kNeck,       kHead,      kLeftShoulder,
          kLeftElbow,  kLeftWrist,   kRightShoulder, kRightElbow, kRightWrist};
}

nsa::Clip walk() {
  nsa::Clip clip = make_clip(whole_body(), {1.2, walking, bobbing});
  nsa::RootMotion& root = clip.root.emplace();
  root.rate = kRate;
  for (std::uint32_t i = 0; i < clip.samples; ++i) {
    const double phase = i / double(clip.samples - 1);
    root.translations.push_back(snap(0.1 * phase * phase, 0, 1.5 * phase));
    root.rotations.push_back(about({0, 1, 0}, 8 * phase));
  }
  return clip;
}

nsa::Clip nod() {
  return make_clip(upper_body(), {0.8,
                                  [](std::uint16_t bone, double phase) {
                                    return bone == kHead ? 12 * (1 - std::cos(2 * kPi * phase)) : 0.0;
                                  },
                                  {}});
}

nsa::Clip pose() {
  nsa::Clip clip = make_clip(whole_body(), {0,
                                            [](std::uint16_t bone, double /*phase*/) {
                                              return bone == kLeftHip || bone == kRightHip     ? -80.0
                                                     : bone == kLeftKnee || bone == kRightKnee ? 85.0
                                                                                               : 0.0;
                                            },
                                            {}});
  clip.duration = 2;  // a pose that is held
  return clip;
}

nsa::Clip sidestep() {
  nsa::Clip clip = make_clip(whole_body(), {1, walking, bobbing});
  nsa::RootMotion& root = clip.root.emplace();
  root.rate = kRate / 2;  // coarser than the body
  for (int i = 0; i <= 15; ++i) {
    root.translations.push_back(snap(i / 15.0, 0, 0));
  }
  root.rotations.push_back(about({0, 1, 0}, 90));
  return clip;
}

nsa::Clip grow() {
  nsa::Clip clip = make_clip(whole_body(), {0.5, {}, {}});
  std::vector<Vec3> head;
  for (std::uint32_t i = 0; i < clip.samples; ++i) {
    const double size = 1 + 0.5 * i / double(clip.samples - 1);
    head.push_back(snap(size, size, size));
  }
  add_track(clip.scales, kHead - kHuman, head);
  add_track(clip.scales, kLeftWrist - kHuman, std::vector<Vec3>{{1.25F, 1.25F, 1.25F}});
  add_track(clip.scales, kRightWrist - kHuman, std::vector<Vec3>{{1.5F, 1, 1}});
  return clip;
}

nsa::Document quantised(const nsa::Clip& clip) { return nsa::from_curves(clip, {}).value().document; }

template <class T>
mrn::Packet& add_packet(mrn::Document& document, std::uint32_t type, std::uint32_t asset, T body) {
  mrn::Packet& packet = document.packets.emplace_back();
  packet.type = type;
  packet.asset_id = asset;
  packet.body = Boxed<T>(std::move(body));
  return packet;
}

void add_events(mrn::Document& document) {
  constexpr std::uint32_t kDiscrete = 0x03;
  constexpr std::uint32_t kDuration = 0x04;
  const std::vector<mrn::Event> steps = {{0.25F, 0, 1}, {0.75F, 0, 2}};
  const std::vector<mrn::Event> contact = {{0, 0.5F, 1}, {0.5F, 0.5F, 2}};
  add_packet(document, kDiscrete, 0x3001, mrn::make_event_track("Footstep", 7, 0, steps)).alignment = 4;
  add_packet(document, kDuration, 0x4001, mrn::make_event_track("FootContact", 9, 1, contact)).alignment = 4;
}

}  // namespace

const std::vector<HumanBone>& human_bones() {
  static const std::vector<HumanBone> kTable = {
      {"CharacterWorldSpaceTM", -1, {0, 0, 0}, 0},
      {"Human", kWorld, {0, 0, 0}, 0},
      {"worldRoot", kHuman, {0, 0, 0}, 0},
      {"COG", kWorldRoot, {0, 1, 0}, 0},
      {"pelvis", kCog, {0, 1.0625F, 0}, 0},
      {"spineLower", kCog, {0, 1.125F, 0}, 0},
      {"spineMiddle", kSpineLower, {0, 1.25F, 0}, 0},
      {"spineUpper", kSpineMiddle, {0, 1.375F, 0}, 0},
      {"neck", kSpineUpper, {0, 1.53125F, 0}, 0},
      {"head", kNeck, {0, 1.625F, 0.015625F}, 0},
      {"L_shoulder", kSpineUpper, {0.1875F, 1.5F, 0}, 35},
      {"L_elbow", kLeftShoulder, {0.359375F, 1.265625F, 0}, 35},
      {"L_wrist", kLeftElbow, {0.53125F, 1.03125F, 0}, 35},
      {"R_shoulder", kSpineUpper, {-0.1875F, 1.5F, 0}, -35},
      {"R_elbow", kRightShoulder, {-0.359375F, 1.265625F, 0}, -35},
      {"R_wrist", kRightElbow, {-0.53125F, 1.03125F, 0}, -35},
      {"L_hip", kPelvis, {0.109375F, 1, 0}, 0},
      {"L_knee", kLeftHip, {0.109375F, 0.546875F, 0.015625F}, 0},
      {"L_ankle", kLeftKnee, {0.109375F, 0.09375F, 0}, 0},
      {"R_hip", kPelvis, {-0.109375F, 1, 0}, 0},
      {"R_knee", kRightHip, {-0.109375F, 0.546875F, 0.015625F}, 0},
      {"R_ankle", kRightKnee, {-0.109375F, 0.09375F, 0}, 0},
  };
  return kTable;
}

Vec4 human_rotation(std::size_t bone) { return about({0, 0, 1}, human_bones().at(bone).lean); }

std::vector<mrn::Bone> human_skeleton() {
  std::vector<mrn::Bone> bones;
  for (const HumanBone& bone : human_bones()) {
    const HumanBone above =
        bone.parent < 0 ? HumanBone{} : human_bones()[static_cast<std::size_t>(bone.parent)];
    const Vec3 way = {bone.position[0] - above.position[0], bone.position[1] - above.position[1],
                      bone.position[2] - above.position[2]};
    bones.push_back({std::string(bone.name), bone.parent, seen_from(above.lean, way),
                     about({0, 0, 1}, bone.lean - above.lean)});
  }
  return bones;
}

nsa::Document human_walk() { return quantised(walk()); }

mrn::Document human_network() {
  struct Entry {
    std::string_view name;
    nsa::Clip (*make)();
  };
  constexpr std::array kClips = {Entry{"Human_Walk", walk}, Entry{"Human_Nod", nod}, Entry{"Human_Sit", pose},
                                 Entry{"Human_Sidestep", sidestep}, Entry{"Human_Grow", grow}};
  mrn::Document document;
  std::vector<mrn::AnimationName> names;
  for (std::uint32_t i = 0; i < kClips.size(); ++i) {
    mrn::Packet& packet = add_packet(document, 0x10, i, quantised(kClips.at(i).make()));
    for (std::uint8_t byte = 0; byte < packet.guid.size(); ++byte) {
      packet.guid.at(byte) = byte;
    }
    const std::string name(kClips.at(i).name);
    names.push_back({name + ".nsa", "nsa", "//anims/" + name + ".xmd", name});
  }
  const auto bones = human_skeleton();
  const auto count = static_cast<std::uint32_t>(bones.size());
  add_packet(document, 0x01, 0x1001, mrn::make_skeleton(bones, kHuman, kWorldRoot));
  add_packet(document, 0x02, 0x2001, mrn::make_rig_map(whole_body(), count));
  add_packet(document, 0x02, 0x2002, mrn::make_rig_map(upper_body(), count));
  add_events(document);
  add_packet(document, 0x0C, 0, mrn::make_plugins(std::vector<std::string>{"MorphemeCore"}));
  add_packet(document, 0x0E, 0, mrn::make_file_names(names));
  add_packet(document, 0x0F, 0,
             mrn::make_skeleton_names(std::vector<std::string>{std::string(kHumanSkeleton)}));
  mrn::lay_out(document);
  return document;
}

}  // namespace thaw::samples
