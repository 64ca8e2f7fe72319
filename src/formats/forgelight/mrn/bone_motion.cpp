#include "formats/forgelight/mrn/bone_motion.hpp"

#include <thaw/mrn.hpp>

#include "bytes/text.hpp"
#include "formats/forgelight/mrn/scene_parts.hpp"
#include "scene/math.hpp"
#include "scene/roles.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace thaw::mrn {
namespace {

using scene::Index;
using scene::kNone;
using scene::Mat4d;
using scene::Vec3d;
using scene::Vec4d;

/// To which the game's skeletons look.
constexpr scene::Axes kFront = scene::Axes::x_front;

Vec3d turned(const Vec4d& rotation, const Vec3d& v) {
  const Vec3d axis = {rotation[0], rotation[1], rotation[2]};
  const Vec3d twice = scene::scaled(scene::cross(axis, v), 2);
  return scene::add(scene::add(v, scene::scaled(twice, rotation[3])), scene::cross(axis, twice));
}

Vec3d scale_of(const Mat4d& m) {
  return {scene::length({m[0], m[1], m[2]}), scene::length({m[4], m[5], m[6]}),
          scene::length({m[8], m[9], m[10]})};
}

bool is_one(const Vec3d& scale) {
  constexpr double kTolerance = 1e-6;
  return std::all_of(scale.begin(), scale.end(),
                     [](double factor) { return std::abs(factor - 1) <= kTolerance; });
}

bool is_identity(const scene::Transform& transform) { return transform == scene::Transform{}; }

/// What a name becomes by the first pattern that fits it: of both sides a `*` stands for the same.
std::string renamed_by(const std::vector<std::pair<std::string, std::string>>& patterns,
                       const std::string& name) {
  for (const auto& [from, to] : patterns) {
    const std::size_t star = from.find('*');
    const std::string_view head = std::string_view(from).substr(0, star);
    const std::string_view tail =
        star == std::string::npos ? std::string_view{} : std::string_view(from).substr(star + 1);
    const std::string_view whole = name;
    if (star == std::string::npos
            ? !ascii::same(whole, from)
            : whole.size() < head.size() + tail.size() || !ascii::same(whole.substr(0, head.size()), head) ||
                  !ascii::same(whole.substr(whole.size() - tail.size()), tail)) {
      continue;
    }
    const std::size_t place = to.find('*');
    if (star == std::string::npos || place == std::string::npos) {
      return to;
    }
    const auto middle = whole.substr(head.size(), whole.size() - head.size() - tail.size());
    return to.substr(0, place) + std::string(middle) + to.substr(place + 1);
  }
  return name;
}

/// Of equal names the first below `top` counts, and among them nodes that are bones before others.
std::map<std::string, Index> nodes_by_name(const scene::Scene& scene, Index top,
                                           const std::vector<std::pair<std::string, std::string>>& renamed) {
  std::vector<bool> joints(scene.nodes.size(), false);
  for (const auto& skin : scene.skins) {
    for (const Index joint : skin.joints) {
      if (joint < joints.size()) {
        joints[joint] = true;
      }
    }
  }
  const std::vector<bool> below = nodes_below(scene, top);
  std::map<std::string, Index> found;
  for (const bool bones : {true, false}) {
    for (Index i = 0; i < scene.nodes.size(); ++i) {
      const bool is_bone = joints[i] || scene.nodes[i].kind == scene::NodeKind::bone;
      if (is_bone == bones && below[i]) {
        found.emplace(ascii::lowered(renamed_by(renamed, scene.nodes[i].name)), i);
      }
    }
  }
  return found;
}

std::vector<std::size_t> parents_first(const std::vector<std::int32_t>& parents) {
  std::vector<std::size_t> order;
  std::vector<bool> placed(parents.size(), false);
  std::vector<std::size_t> chain;
  for (std::size_t bone = 0; bone < parents.size(); ++bone) {
    for (std::size_t at = bone; !placed[at];) {
      chain.push_back(at);
      if (parents[at] < 0) {
        break;
      }
      at = static_cast<std::size_t>(parents[at]);
    }
    for (; !chain.empty(); chain.pop_back()) {
      if (!placed[chain.back()]) {
        placed[chain.back()] = true;
        order.push_back(chain.back());
      }
    }
  }
  return order;
}

}  // namespace

std::vector<Index> skeleton_tops(const scene::Scene& scene) {
  std::vector<Index> tops;
  for (Index node = 0; node < scene.nodes.size(); ++node) {
    if (!scene.nodes[node].extras["skeleton"].text().empty()) {
      tops.push_back(node);
    }
  }
  return tops;
}

std::vector<bool> nodes_below(const scene::Scene& scene, Index top) {
  std::vector<bool> below(scene.nodes.size(), top == kNone);
  for (Index node = 0; node < scene.nodes.size() && top != kNone; ++node) {
    const Index parent = scene.nodes[node].parent;
    below[node] = parent == top || (parent < node && below[parent]);
  }
  return below;
}

std::size_t Rig::joined() const {
  return static_cast<std::size_t>(
      std::count_if(nodes.begin(), nodes.end(), [](Index node) { return node != kNone; }));
}

Rig rig_of(const Skeleton& skeleton, Diagnostics& diagnostics) {
  Rig rig{parents(skeleton, diagnostics), {}, {}};
  for (std::size_t bone = 0; bone < rig.parents.size(); ++bone) {
    rig.bind.push_back(bind_transform(skeleton, bone));
    rig.names.push_back(bone_name(skeleton, bone));
  }
  rig.nodes.assign(rig.parents.size(), kNone);
  return rig;
}

void join_by_name(const scene::Scene& scene, const std::vector<std::pair<std::string, std::string>>& renamed,
                  Rig& rig, Index top) {
  const auto names = nodes_by_name(scene, top, renamed);
  for (std::size_t bone = 0; bone < rig.names.size(); ++bone) {
    const auto node = names.find(ascii::lowered(rig.names[bone]));
    rig.nodes[bone] = node == names.end() ? kNone : node->second;
  }
}

BoneMotion::BoneMotion(const scene::Scene& scene, const scene::Clip* clip, const Rig& rig)
    : scene_(scene), rig_(rig), poser_(scene, clip), order_(parents_first(rig.parents)) {
  const scene::Poser rest(scene, nullptr);
  std::vector<Vec3d> mirrored;
  for (const Mat4d& world : rest.world_matrices(0)) {
    rest_scales_.push_back(scale_of(world));
    mirrored.push_back(scene::scaled(rest_scales_.back(), scene::mirrors(world) ? -1 : 1));
  }
  find_direct(mirrored);
  find_movers();
}

/// The nearest bone above that follows a node; −1 for none.
std::int32_t BoneMotion::joined_above(std::size_t bone) const {
  std::int32_t above = rig_.parents[bone];
  while (above >= 0 && rig_.nodes[static_cast<std::size_t>(above)] == kNone) {
    above = rig_.parents[static_cast<std::size_t>(above)];
  }
  return above;
}

void BoneMotion::find_direct(const std::vector<Vec3d>& rest_scales) {
  direct_.assign(rig_.nodes.size(), false);
  for (std::size_t bone = 0; bone < rig_.nodes.size(); ++bone) {
    const Index node = rig_.nodes[bone];
    if (node == kNone) {
      continue;
    }
    Index above = scene_.nodes[node].parent;
    if (rig_.parents[bone] >= 0) {
      direct_[bone] = above != kNone && above == rig_.nodes[static_cast<std::size_t>(rig_.parents[bone])] &&
                      is_one(rest_scales[node]) && is_one(rest_scales[above]);
    } else {
      while (above != kNone && is_identity(scene_.nodes[above].rest) && !poser_.moves(above)) {
        above = scene_.nodes[above].parent;
      }
      direct_[bone] = above == kNone && is_one(rest_scales[node]) && scene_.axes == kFront;
    }
    all_direct_ = all_direct_ && direct_[bone];
  }
}

void BoneMotion::find_movers() {
  movers_.resize(rig_.nodes.size());
  for (std::size_t bone = 0; bone < rig_.nodes.size(); ++bone) {
    const Index node = rig_.nodes[bone];
    if (node == kNone || direct_[bone]) {
      movers_[bone].assign(node == kNone ? 0 : 1, node);
      continue;
    }
    const std::int32_t joined = joined_above(bone);
    const Index stop = joined < 0 ? kNone : rig_.nodes[static_cast<std::size_t>(joined)];
    Index at = node;
    for (; at != kNone && at != stop; at = scene_.nodes[at].parent) {
      movers_[bone].push_back(at);
    }
    for (Index other = at == stop ? kNone : stop; other != kNone; other = scene_.nodes[other].parent) {
      movers_[bone].push_back(other);
    }
  }
}

BoneMotion::Frame BoneMotion::frame_of(Index node, const Mat4d& world) const {
  const scene::Transform parts = scene::decompose(world);
  const Vec3d scale = scene::widen(parts.scale);
  Frame frame{scene::translation_of(world), scene::normalized(scene::widen(parts.rotation)), {}};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double rest = rest_scales_[node][axis];
    frame.growth[axis] = rest > 0 ? std::abs(scale[axis]) / rest : 1;
  }
  return frame;
}

scene::Transform BoneMotion::local(const Frame& frame, const Frame& parent) {
  const Vec4d back = scene::conjugate(parent.turn);
  const Vec3d offset = turned(back, scene::subtract(frame.place, parent.place));
  const Vec3d smaller = scene::reciprocal(parent.growth);
  return {scene::narrow(scene::multiply(offset, smaller)),
          scene::narrow(scene::normalized(scene::quaternion_product(back, frame.turn))),
          scene::narrow(scene::multiply(frame.growth, smaller))};
}

BoneMotion::Frame BoneMotion::below(const Frame& parent, const scene::Transform& local) {
  const Vec3d offset = scene::multiply(scene::widen(local.translation), parent.growth);
  return {scene::add(parent.place, turned(parent.turn, offset)),
          scene::normalized(scene::quaternion_product(parent.turn, scene::widen(local.rotation))),
          scene::multiply(parent.growth, scene::widen(local.scale))};
}

std::vector<scene::Transform> BoneMotion::pose(float time) const {
  std::vector<scene::Transform> result(rig_.bind);
  std::vector<Mat4d> world;
  if (!all_direct_) {
    world = poser_.world_matrices(time, kFront);
  }
  std::vector<Frame> frames(all_direct_ ? 0 : result.size());
  for (const std::size_t bone : order_) {
    const Index node = rig_.nodes[bone];
    if (direct_[bone]) {
      result[bone] = poser_.local(node, time);
    }
    if (all_direct_) {
      continue;
    }
    const std::int32_t above = rig_.parents[bone];
    const Frame parent = above < 0 ? Frame{} : frames[static_cast<std::size_t>(above)];
    frames[bone] = node == kNone ? below(parent, result[bone]) : frame_of(node, world[node]);
    if (node != kNone && !direct_[bone]) {
      result[bone] = local(frames[bone], parent);
    }
  }
  return result;
}

}  // namespace thaw::mrn
