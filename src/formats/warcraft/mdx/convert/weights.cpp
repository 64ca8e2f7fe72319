// Matrix groups as weights, the inverse of skin.cpp: equal shares of 255 for each bone of a group,
// and several for one that it names several times. The arrays are laid out as in the game's own models
// (mdx.md#weights): GNDX 255 for every vertex, one group per bone, and a tangent for each vertex, because no
// geoset of the game has weights without tangents.
#include "formats/warcraft/mdx/convert/conversion_job.hpp"
#include "formats/warcraft/mdx/poses.hpp"
#include "formats/warcraft/mdx/scene/math.hpp"
#include "formats/warcraft/mdx/scene/triangles.hpp"

#include <algorithm>
#include <set>

namespace thaw::mdx {
namespace {

using scene::Vec3d;

constexpr std::uint32_t kWhole = 255;
/// 255 in GNDX means "see SKIN".
constexpr std::uint8_t kBySkin = 255;

using BoneIds = std::vector<std::uint32_t>;

/// A bone of a matrix group.
struct GroupBone {
  std::uint32_t id = 0;
  double exact = 0;         ///< its part of 1
  std::uint32_t share = 0;  ///< its part of kWhole
};
using Group = std::vector<GroupBone>;

/// The shares of all bones of a group add up to kWhole.
Group group_of(const std::multiset<std::uint32_t>& ids) {
  Group group;
  std::uint64_t before = 0;
  std::uint64_t given = 0;
  for (auto id = ids.begin(); id != ids.end(); id = ids.upper_bound(*id)) {
    const std::uint64_t times = ids.count(*id);
    before += times;
    const std::uint64_t up_to_here = (before * kWhole + ids.size() - 1) / ids.size();
    group.push_back({*id, static_cast<double>(times) / static_cast<double>(ids.size()),
                     static_cast<std::uint32_t>(up_to_here - given)});
    given = up_to_here;
  }
  return group;
}

/// The bones of each matrix group, sorted by id; none where MATS ends before.
std::vector<Group> bones_of_groups(const Geoset& geoset) {
  std::vector<Group> groups;
  std::size_t at = 0;
  for (const std::uint32_t size : geoset.matrix_groups) {
    const std::size_t left = geoset.matrix_indices.size() - at;
    const std::size_t end = at + std::min<std::size_t>(size, left);
    const auto begin = geoset.matrix_indices.begin();
    groups.push_back(
        group_of({begin + static_cast<std::ptrdiff_t>(at), begin + static_cast<std::ptrdiff_t>(end)}));
    at = end;
  }
  return groups;
}

Vec3d unit(const Vec3d& vector, const Vec3d& fallback) {
  const double length = scene::length(vector);
  return length > 1e-12 ? scene::scaled(vector, 1 / length) : fallback;
}

/// The directions in which U and V grow, summed over the triangles of each vertex.
struct Frames {
  std::vector<Vec3d> along_u;
  std::vector<Vec3d> along_v;

  Frames(const Geoset& geoset, const Array<Vec2>& uvs)
      : along_u(geoset.positions.size()), along_v(geoset.positions.size()) {
    const auto triangles = triangulate(geoset).indices;
    for (std::size_t t = 0; t + 2 < triangles.size(); t += 3) {
      const std::array corners = {triangles[t], triangles[t + 1], triangles[t + 2]};
      if (std::all_of(corners.begin(), corners.end(), [&](std::uint32_t v) { return v < uvs.size(); })) {
        add(geoset, uvs, corners);
      }
    }
  }

 private:
  template <class Corners>
  void add(const Geoset& geoset, const Array<Vec2>& uvs, const Corners& corners) {
    const auto side = [&](std::size_t corner) {
      return scene::subtract(scene::widen(geoset.positions[corners[corner]]),
                             scene::widen(geoset.positions[corners[0]]));
    };
    const auto uv = [&](std::size_t corner, std::size_t axis) {
      return double{uvs[corners[corner]][axis]} - double{uvs[corners[0]][axis]};
    };
    const double area = uv(1, 0) * uv(2, 1) - uv(2, 0) * uv(1, 1);
    if (!(std::abs(area) > 1e-20)) {
      return;
    }
    const Vec3d u = scene::scaled(
        scene::subtract(scene::scaled(side(1), uv(2, 1)), scene::scaled(side(2), uv(1, 1))), 1 / area);
    const Vec3d v = scene::scaled(
        scene::subtract(scene::scaled(side(2), uv(1, 0)), scene::scaled(side(1), uv(2, 0))), 1 / area);
    for (const std::uint32_t corner : corners) {
      along_u[corner] = scene::add(along_u[corner], u);
      along_v[corner] = scene::add(along_v[corner], v);
    }
  }
};

}  // namespace

Array<Vec4> tangents_of(const Geoset& geoset) {
  static const Array<Vec2> kNoUvs;
  const Frames frames(geoset, geoset.uv_sets.empty() ? kNoUvs : geoset.uv_sets.front().coordinates);
  Array<Vec4> tangents;
  for (std::size_t v = 0; v < geoset.positions.size(); ++v) {
    const Vec3d up = {0, 0, 1};
    const Vec3d normal = unit(v < geoset.normals.size() ? scene::widen(geoset.normals[v]) : up, up);
    const Vec3d& u = frames.along_u[v];
    const Vec3d flat = scene::subtract(u, scene::scaled(normal, scene::dot(normal, u)));
    const Vec3 tangent = scene::narrow(unit(flat, unit(scene::perpendicular(normal), {1, 0, 0})));
    const bool mirrored = scene::dot(scene::cross(normal, u), frames.along_v[v]) < 0;
    tangents.push_back({tangent[0], tangent[1], tangent[2], mirrored ? -1.0F : 1.0F});
  }
  return tangents;
}

namespace {

class WeightBuilder {
 public:
  WeightBuilder(const ConversionJob& job, const Geoset& geoset, const Poses& poses)
      : geoset_(geoset),
        poses_(poses),
        groups_(bones_of_groups(geoset)),
        widest_(job.to < 1400 ? 0xFF : 0xFFFF) {
    for (const auto* bone : job.source.all<Bones>()) {
      bones_.push_back(static_cast<std::uint32_t>(bone->node.object_id));
    }
    std::sort(bones_.begin(), bones_.end());
  }

  /// Why weights cannot say what the groups say; empty if they can.
  [[nodiscard]] std::string obstacle() const;
  [[nodiscard]] Array<std::array<std::uint16_t, 8>> weights() const;
  /// How far the rounding to parts of 255 moves a vertex, in units of the game.
  [[nodiscard]] double deviation() const;
  [[nodiscard]] const BoneIds& bones() const { return bones_; }

 private:
  [[nodiscard]] const Group& group(std::size_t vertex) const {
    return groups_[geoset_.vertex_groups[vertex]];
  }

  const Geoset& geoset_;
  const Poses& poses_;
  std::vector<Group> groups_;
  BoneIds bones_;  ///< object ids, sorted
  std::uint32_t widest_ = 0;
};

std::string WeightBuilder::obstacle() const {
  if (geoset_.vertex_groups.size() != geoset_.positions.size()) {
    return "not every vertex has a matrix group";
  }
  for (const std::uint8_t number : geoset_.vertex_groups) {
    if (number >= groups_.size() || groups_[number].empty()) {
      return "a vertex has no bone";
    }
  }
  for (const auto& group : groups_) {
    if (group.size() > kSkinBones) {
      return "a matrix group has " + std::to_string(group.size()) + " bones; weights allow four";
    }
    for (const auto& [id, exact, share] : group) {
      if (!std::binary_search(bones_.begin(), bones_.end(), id)) {
        return "a matrix group contains object " + std::to_string(id) + ", which is not a bone";
      }
      if (id > widest_) {
        return "bone id " + std::to_string(id) + " is above " + std::to_string(widest_) +
               ", the last that weights of this version can store";
      }
    }
  }
  return {};
}

Array<std::array<std::uint16_t, 8>> WeightBuilder::weights() const {
  Array<std::array<std::uint16_t, 8>> result;
  for (std::size_t v = 0; v < geoset_.positions.size(); ++v) {
    const auto& bones = group(v);
    std::array<std::uint16_t, 8> entry{};
    for (std::size_t i = 0; i < bones.size(); ++i) {
      entry.at(i) = static_cast<std::uint16_t>(bones[i].id);
      entry.at(kSkinBones + i) = static_cast<std::uint16_t>(bones[i].share);
    }
    result.push_back(entry);
  }
  return result;
}

double WeightBuilder::deviation() const {
  double worst = 0;
  for (std::size_t v = 0; v < geoset_.positions.size(); ++v) {
    const auto& bones = group(v);
    if (std::all_of(bones.begin(), bones.end(), [](const GroupBone& bone) {
          return std::abs(bone.exact * kWhole - bone.share) < 1e-9;
        })) {
      continue;
    }
    const Vec3d place = scene::widen(to_position(geoset_.positions[v], 1));
    for (std::size_t m = 0; m < poses_.moments(); ++m) {
      Vec3d away{};
      for (const auto& bone : bones) {
        const double change = static_cast<double>(bone.share) / kWhole - bone.exact;
        const auto node = poses_.node(bone.id);
        const Vec3d there = node < 0 ? place : scene::transform_point(poses_.matrix(m, node), place);
        away = scene::add(away, scene::scaled(there, change));
      }
      worst = std::max(worst, scene::length(away));
    }
  }
  return worst;
}

}  // namespace

void groups_to_skin(ConversionJob& job, Geoset& geoset, std::size_t index, const Poses& poses) {
  const std::string path = place("GEOS", index);
  const WeightBuilder builder(job, geoset, poses);
  if (const std::string why = builder.obstacle(); !why.empty()) {
    job.lose(codes::kConvertSkin, path + ".matrixGroups", "matrix groups not converted to weights: " + why);
    return;
  }
  const auto weights = builder.weights();
  if (job.to >= 1400) {
    geoset.wide_skin = weights;
  } else {
    geoset.skin.emplace();
    for (const auto& entry : weights) {
      std::array<std::uint8_t, 8> narrow{};
      std::transform(entry.begin(), entry.end(), narrow.begin(),
                     [](std::uint16_t element) { return static_cast<std::uint8_t>(element); });
      geoset.skin->push_back(narrow);
    }
  }
  if (const double deviation = builder.deviation(); deviation > 0) {
    job.lose(codes::kConvertSkin, path + ".skin", "weights are rounded to 1/255", deviation);
  }
  if (!geoset.tangents) {
    geoset.tangents = tangents_of(geoset);
  }
  geoset.vertex_groups.assign(geoset.positions.size(), kBySkin);
  geoset.matrix_indices.assign(builder.bones().begin(), builder.bones().end());
  geoset.matrix_groups.assign(builder.bones().size(), 1);
}

}  // namespace thaw::mdx
