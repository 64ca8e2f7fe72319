// Bones: the model has inverse bind matrices and hashes of names, and no hierarchy (dme.md#bones).
#include <thaw/codes.hpp>
#include <thaw/forgelight.hpp>

#include "bytes/number_text.hpp"
#include "bytes/text_encoding.hpp"
#include "formats/forgelight/dme/scene_parts.hpp"
#include "scene/math.hpp"

#include <algorithm>
#include <cmath>

namespace thaw::dme {
namespace {

using scene::compose;
using scene::decompose;
using scene::Index;
using scene::inverse;
using scene::kNone;
using scene::multiply;

/// Axes are columns and the translation is the fourth.
std::optional<scene::Mat4> matrix_of(const BoneMatrix& bone) {
  scene::Mat4 matrix{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  for (std::size_t column = 0; column < 4; ++column) {
    for (std::size_t row = 0; row < 3; ++row) {
      const float value = bone[column * 3 + row];
      if (!std::isfinite(value)) {
        return std::nullopt;
      }
      matrix[column * 4 + row] = value;
    }
  }
  return matrix;
}

std::string bone_name(std::uint32_t hash) {
  const auto* known = forgelight::known_bone(hash);
  return known == nullptr ? "bone_" + hex_text(hash, 8) : std::string(known->name);
}

/// Where a node is in the rest pose.
scene::Mat4d world_of(const scene::Scene& scene, Index node) {
  scene::Mat4d world = scene::kIdentity;
  for (; node != kNone; node = scene.nodes[node].parent) {
    world = multiply(compose(scene.nodes[node].rest), world);
  }
  return world;
}

class Skeleton {
 public:
  Skeleton(Build& build, BoneNodes& bones) : build_(build), bones_(bones) {}

  void run() {
    const auto& hashes = build_.document.bone_hashes;
    scene::Skin skin;
    skin.name = "skin";
    joints_.assign(hashes.size(), kNone);
    by_hash_.reserve(hashes.size());
    for (std::uint32_t i = 0; i < hashes.size(); ++i) {
      by_hash_.emplace_back(hashes[i], i);
      const auto found = bones_.find(hashes[i]);
      joints_[i] = found == bones_.end() ? kNone : found->second;
    }
    std::sort(by_hash_.begin(), by_hash_.end());
    const bool joined = !bones_.empty();
    add_known();
    for (std::uint32_t i = 0; i < hashes.size(); ++i) {
      if (joints_[i] == kNone) {
        add_bone(i, kNone);
      }
    }
    for (std::uint32_t i = 0; i < hashes.size(); ++i) {
      skin.joints.push_back(joints_[i]);
      skin.inverse_bind.push_back(inverse_bind(i));
    }
    if (joined && !added_.empty()) {
      build_.diagnostics.add(codes::kAdrBones, std::to_string(added_count_) + " of " +
                                                   counted(hashes.size(), "bone") +
                                                   " added, because the skeleton lacks them: " + added_);
    }
    build_.skin = static_cast<Index>(build_.scene.skins.size());
    build_.scene.skins.push_back(std::move(skin));
  }

 private:
  [[nodiscard]] scene::Mat4 inverse_bind(std::uint32_t bone) {
    if (const auto matrix = matrix_of(build_.document.bone_inverse_binds[bone])) {
      return *matrix;
    }
    build_.diagnostics.add(codes::kSceneReference, "bind matrix not finite; the identity is used instead", {},
                           "boneInverseBinds[" + std::to_string(bone) + "]");
    return {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  }

  [[nodiscard]] std::optional<std::uint32_t> index_of(std::uint32_t hash) const {
    const auto at = std::lower_bound(by_hash_.begin(), by_hash_.end(), std::pair(hash, 0U));
    return at != by_hash_.end() && at->first == hash ? std::optional(at->second) : std::nullopt;
  }

  /// Known bones in an order in which those that carry others come first.
  void add_known() {
    for (const auto& known : forgelight::known_bones()) {
      const auto index = index_of(forgelight::hash(known.name));
      if (index && joints_[*index] == kNone) {
        add_bone(*index, carrier_of(known));
      }
    }
  }

  /// The nearest bone up the known hierarchy that is there.
  [[nodiscard]] Index carrier_of(const forgelight::KnownBone& bone) const {
    const auto* known = &bone;
    while (known != nullptr && !known->parent.empty()) {
      const std::uint32_t hash = forgelight::hash(known->parent);
      if (const auto found = bones_.find(hash); found != bones_.end()) {
        return found->second;
      }
      known = forgelight::known_bone(hash);
    }
    return kNone;
  }

  void add_bone(std::uint32_t index, Index parent) {
    const std::uint32_t hash = build_.document.bone_hashes[index];
    const auto matrix = matrix_of(build_.document.bone_inverse_binds[index]);
    const scene::Mat4d world = matrix ? inverse(scene::widen(*matrix)) : scene::kIdentity;
    scene::Node node;
    node.name = bone_name(hash);
    node.kind = scene::NodeKind::bone;
    const Index top = build_.options.bone_parent == kNone ? build_.parent : build_.options.bone_parent;
    node.parent = parent == kNone ? top : parent;
    node.rest = decompose(multiply(inverse(world_of(build_.scene, node.parent)), world));
    node.extras.set("hash", hash);
    joints_[index] = static_cast<Index>(build_.scene.nodes.size());
    bones_.emplace(hash, joints_[index]);
    constexpr std::size_t kLongest = 200;
    if (added_.size() < kLongest) {
      added_ += (added_.empty() ? "" : ", ") + node.name;
    }
    ++added_count_;
    build_.scene.nodes.push_back(std::move(node));
  }

  Build& build_;
  BoneNodes& bones_;
  std::vector<Index> joints_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> by_hash_;
  std::string added_;
  std::size_t added_count_ = 0;
};

}  // namespace

void add_bones(Build& build, BoneNodes& bones) {
  const auto& document = build.document;
  if (!document.bone_hashes.empty() && document.bone_inverse_binds.size() == document.bone_hashes.size()) {
    Skeleton(build, bones).run();
  }
}

}  // namespace thaw::dme
