#include "formats/wow/m3/skin_writer.hpp"

#include <thaw/codes.hpp>

#include "bytes/number_text.hpp"
#include "describe/description.hpp"
#include "formats/wow/m3/from_scene.hpp"
#include "scene/axes.hpp"
#include "scene/pose.hpp"
#include "scene/roles.hpp"

#include <algorithm>

namespace thaw::m3 {
namespace {

using scene::Index;
using scene::kNone;
using scene::Mat4d;

constexpr std::size_t kBones = 4;  // that move a vertex

/// Row vectors in the axes and units of the file: turned_matrix the other way round.
std::array<Vec4, 4> stored_rows(const Mat4d& m, double units) {
  constexpr std::array<std::size_t, 3> kFrom = {0, 2, 1};
  constexpr std::array<double, 3> kSign = {1, 1, -1};
  std::array<Vec4, 4> rows{};
  for (std::size_t column = 0; column < 3; ++column) {
    for (std::size_t row = 0; row < 3; ++row) {
      const double value = m[column * 4 + row] * kSign.at(row) * kSign.at(column);
      rows.at(kFrom.at(column)).at(kFrom.at(row)) = scene::to_float(value + 0.0);
    }
    rows[3].at(kFrom.at(column)) = scene::to_float(m[12 + column] * kSign.at(column) * units + 0.0);
  }
  rows[3][3] = 1;
  return rows;
}

bool is_skinned(const scene::Scene& scene, const scene::Mesh& mesh) {
  return mesh.influences > 0 && !scene::is_collision(scene, mesh) &&
         scene::sound_skin(scene, mesh) != nullptr;
}

}  // namespace

SkinWriter::SkinWriter(const scene::Scene& scene, const std::vector<Mat4d>& world, float scale)
    : scene_(scene), units_(1 / double{scale}) {
  for (const auto& mesh : scene.meshes) {
    if (!is_skinned(scene, mesh) || skins_.contains(mesh.skin)) {
      continue;
    }
    const scene::Skin& skin = scene.skins[mesh.skin];
    auto& bones = skins_[mesh.skin];
    for (std::size_t joint = 0; joint < skin.joints.size(); ++joint) {
      bones.push_back(bone_of(skin.joints[joint], skin.inverse_bind[joint], world[skin.joints[joint]]));
    }
  }
}

/// Vertices are written as they stand at rest, so the pose of a bone is that of its rest: as the skin states
/// it where that is the same, else made anew, without the shear that no node of a scene can have.
SkinWriter::Bone SkinWriter::bone_of(Index node, const scene::Mat4& inverse_bind, Mat4d world) {
  const auto [entry, fresh] =
      bones_.try_emplace({node, inverse_bind}, static_cast<Bone>(poses_.size() / kBones));
  if (!fresh) {
    return entry->second;
  }
  Mat4d pose =
      scene::multiply(scene::widen(inverse_bind), scene::front_turned(scene::Axes::x_right, scene_.axes));
  if (const Mat4d placed = scene::compose(scene::decompose(world)); !undoes(pose, placed)) {
    posed_ += undoes(pose, world) ? 0U : 1U;
    pose = scene::inverse(placed);
  }
  const auto rows = stored_rows(pose, units_);
  poses_.insert(poses_.end(), rows.begin(), rows.end());
  first_of_node_.emplace(node, entry->second);
  return entry->second;
}

/// What no skin moves follows the nearest bone above it, or one that stands where the model does.
SkinWriter::Bone SkinWriter::still_bone(Index node) {
  for (; node < scene_.nodes.size(); node = scene_.nodes[node].parent) {
    if (const auto known = first_of_node_.find(node); known != first_of_node_.end()) {
      return known->second;
    }
  }
  return bone_of(kNone, scene::narrow(scene::kIdentity), scene::kIdentity);
}

void SkinWriter::begin(const scene::Mesh& mesh) {
  mesh_ = &mesh;
  joints_ = is_skinned(scene_, mesh) ? &skins_.at(mesh.skin) : nullptr;
  still_ = joints_ == nullptr && used() ? still_bone(mesh.node) : 0;
}

void SkinWriter::add(std::size_t vertex) {
  if (!used()) {
    return;
  }
  std::vector<Share> shares;
  for (std::size_t i = 0; joints_ != nullptr && i < mesh_->influences; ++i) {
    const std::size_t at = vertex * mesh_->influences + i;
    const Bone bone = (*joints_)[mesh_->joints[at]];
    const auto weight = double{mesh_->weights[at]};
    const auto known =
        std::find_if(shares.begin(), shares.end(), [&](const Share& share) { return share.bone == bone; });
    if (weight > 0 && known != shares.end()) {
      known->weight += weight;
    } else if (weight > 0) {
      shares.push_back({bone, weight});
    }
  }
  if (shares.empty()) {
    shares.push_back({joints_ == nullptr ? still_ : joints_->front(), 1});
  }
  store(shares);
}

/// Four bones at most, in 255ths that add up to 255: what rounding leaves goes to those that lost most by it.
void SkinWriter::store(std::vector<Share>& shares) {
  constexpr double kWhole = 255;
  std::sort(shares.begin(), shares.end(), [](const Share& a, const Share& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.bone < b.bone;
  });
  if (shares.size() > kBones) {
    cut_ += shares[kBones].weight > 0.5 / kWhole ? 1U : 0U;
    shares.resize(kBones);
  }
  double sum = 0;
  for (const Share& share : shares) {
    sum += share.weight;
  }
  auto& bones = indices_.emplace_back();
  auto& weights = weights_.emplace_back();
  bones = {};
  weights = {};
  std::vector<std::pair<double, std::size_t>> left;
  unsigned given = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const double exact = shares[i].weight / sum * kWhole;
    weights.at(i) = static_cast<std::uint8_t>(exact);
    bones.at(i) = static_cast<std::uint16_t>(shares[i].bone);
    given += weights.at(i);
    left.emplace_back(std::floor(exact) - exact, i);
  }
  std::sort(left.begin(), left.end());
  for (std::size_t i = 0; given < 255; ++i, ++given) {
    ++weights.at(left[i].second);
  }
}

void SkinWriter::add_chunks(Mesh& mesh) const {
  const std::size_t bones = poses_.size() / kBones;
  if (!used() || bones > 65536) {
    return;
  }
  Weights weights;
  const ElementFormat format = bones > 256 ? ElementFormat::u16x4 : ElementFormat::u8x4;
  weights.properties.index_format = element_tag(format);
  for (std::size_t i = 0; i < indices_.size(); ++i) {
    for (const std::uint16_t bone : indices_[i]) {
      weights.data.push_back(static_cast<std::uint8_t>(bone & 0xFFU));
      if (format == ElementFormat::u16x4) {
        weights.data.push_back(static_cast<std::uint8_t>(bone >> 8U));
      }
    }
    weights.data.insert(weights.data.end(), weights_[i].begin(), weights_[i].end());
  }
  mesh.chunks.push_back({FourCC{"VWTS"}, std::move(weights), {}, {}});
  Buffer poses;
  poses.properties.format = element_tag(ElementFormat::f32x4);
  poses.elements = Array<Vec4>(poses_.begin(), poses_.end());
  mesh.chunks.push_back({FourCC{"VIBP"}, std::move(poses), {}, {}});
}

void SkinWriter::report(Diagnostics& diagnostics) const {
  if (!used()) {
    return;
  }
  if (poses_.size() / kBones > 65536) {
    diagnostics.add(
        codes::kSceneLost,
        "skins left out, because together they have more than 65536 bones; their meshes are in rest pose");
    return;
  }
  if (scene_.source_format != "m3") {
    diagnostics.add(codes::kSceneLost, "names and parents left out of " +
                                           counted(poses_.size() / kBones, "bone") +
                                           "; the format has neither");
  }
  diagnostics.add(codes::kUnproven,
                  "weights written per vertex and bones as 4 × 4 matrices, which no published file confirms",
                  {}, "MES3.VWTS");
  if (cut_ > 0) {
    diagnostics.add(codes::kSceneLost, counted(cut_, "vertex") + " reduced to the four strongest bones");
  }
  if (posed_ > 0) {
    diagnostics.add(codes::kSceneChanged,
                    "bind pose of " + counted(posed_, "bone") + " replaced by the rest pose, which differs");
  }
}

}  // namespace thaw::m3
