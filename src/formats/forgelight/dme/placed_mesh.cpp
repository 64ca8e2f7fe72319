#include "formats/forgelight/dme/placed_mesh.hpp"

#include <thaw/codes.hpp>
#include <thaw/forgelight.hpp>

#include "bytes/number_text.hpp"
#include "scene/normals.hpp"
#include "scene/pose.hpp"
#include "scene/roles.hpp"
#include "scene/skinned.hpp"
#include "scene/uv.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <span>

namespace thaw::dme {
namespace {

using scene::Index;
using scene::kNone;
using scene::Mat4d;
using scene::Vec3d;

constexpr std::uint16_t kNoBone = 0xFFFF;

/// Axes and place of a bone, without what scales it.
Mat4d rigid(const Mat4d& world) {
  const scene::Transform parts = scene::decompose(world);
  return scene::compose(scene::translation_of(world), scene::normalized(scene::widen(parts.rotation)),
                        {1, 1, 1});
}

/// Shares of 255 that sum to it.
void quantise(const std::array<double, kMostInfluences>& shares,
              std::array<std::uint8_t, kMostInfluences>& to) {
  double sum = 0;
  for (const double share : shares) {
    sum += share;
  }
  int left = 255;
  std::array<std::pair<double, std::size_t>, kMostInfluences> rests{};
  for (std::size_t i = 0; i < kMostInfluences; ++i) {
    const double exact = sum > 0 ? shares.at(i) / sum * 255 : i == 0 ? 255 : 0;
    to.at(i) = static_cast<std::uint8_t>(exact);
    left -= to.at(i);
    rests.at(i) = {static_cast<double>(to.at(i)) - exact, i};
  }
  std::sort(rests.begin(), rests.end());
  for (std::size_t i = 0; left > 0; ++i, --left) {
    ++to.at(rests.at(i % kMostInfluences).second);
  }
}

const scene::Layer* first_layer(const scene::Scene& scene, Index material) {
  const bool known = material < scene.materials.size() && !scene.materials[material].layers.empty();
  return known ? &scene.materials[material].layers.front() : nullptr;
}

}  // namespace

ModelBones::ModelBones(const scene::Scene& scene, Diagnostics& diagnostics)
    : scene_(scene),
      world_(scene::Poser(scene, nullptr).world_matrices(0, scene::Axes::x_front)),
      bone_of_(scene.nodes.size(), kNoBone) {
  std::vector<bool> joints(scene.nodes.size(), false);
  for (const auto& skin : scene.skins) {
    for (const Index joint : skin.joints) {
      joints[joint] = true;
    }
  }
  std::set<std::uint32_t> hashes;
  std::string alike;
  for (Index node = 0; node < joints.size(); ++node) {
    if (!joints[node]) {
      continue;
    }
    if (nodes_.size() < kNoBone) {
      bone_of_[node] = static_cast<std::uint16_t>(nodes_.size());
    }
    nodes_.push_back(node);
    if (!hashes.insert(forgelight::hash_upper(scene.nodes[node].name)).second) {
      alike += (alike.empty() ? "" : ", ") + scene.nodes[node].name;
    }
  }
  for (Index node = 0; node < bone_of_.size(); ++node) {  // parents stand before their children
    const Index parent = scene.nodes[node].parent;
    const std::uint16_t above = parent < node ? bone_above_[parent] : kNoBone;
    bone_above_.push_back(bone_of_[node] == kNoBone ? above : bone_of_[node]);
  }
  if (!alike.empty()) {
    diagnostics.add(codes::kSceneChanged, "bones with duplicate names, which a skeleton merges: " + alike);
  }
}

void ModelBones::set_weights(const scene::Mesh& mesh, const scene::Skin& skin, std::size_t vertex,
                             PlacedVertex& to) {
  std::map<std::uint16_t, double> shares;
  for (std::size_t i = vertex * mesh.influences; i < (vertex + 1) * mesh.influences; ++i) {
    if (mesh.weights[i] > 0) {
      shares[bone_of_[skin.joints[mesh.joints[i]]]] += double{mesh.weights[i]};
    }
  }
  std::vector<std::pair<double, std::uint16_t>> order;
  for (const auto& [bone, share] : shares) {
    order.emplace_back(-share, bone);
  }
  std::sort(order.begin(), order.end());
  cut_ += order.size() > kMostInfluences ? order.size() - kMostInfluences : 0;
  std::array<double, kMostInfluences> strongest{};
  for (std::size_t i = 0; i < std::min(order.size(), kMostInfluences); ++i) {
    strongest.at(i) = -order[i].first;
    to.bones.at(i) = order[i].second;
  }
  quantise(strongest, to.weights);
}

std::vector<PlacedMesh> ModelBones::placed(const scene::Mesh& mesh) {
  const scene::Skin* skin = mesh.influences > 0 ? scene::sound_skin(scene_, mesh) : nullptr;
  const std::uint16_t bone =
      skin == nullptr && mesh.node < bone_above_.size() ? bone_above_[mesh.node] : kNoBone;
  const Array<Vec3> normals =
      mesh.normals.size() == mesh.positions.size() ? mesh.normals : scene::smooth_normals(mesh);
  const bool stated = mesh.tangents.size() == mesh.positions.size();
  const Array<Vec4> tangents = stated ? mesh.tangents : scene::tangents_by_uvs(mesh, normals);
  const Mat4d rigid_world =
      skin == nullptr && mesh.node < world_.size() ? world_[mesh.node] : scene::kIdentity;
  std::vector<std::uint32_t> place(mesh.positions.size(), kNone);  // in one part after the other
  const auto add = [&](std::uint32_t vertex, const scene::Layer* layer, PlacedVertex& to) {
    const Mat4d world = skin == nullptr ? rigid_world : scene::skinning_matrix(mesh, *skin, world_, vertex);
    to.position = scene::narrow(scene::transform_point(world, scene::widen(mesh.positions[vertex])));
    to.normal = scene::unit(
        scene::transform_point(scene::directions_of(world), scene::widen(normals[vertex])), {0, 1, 0});
    const Vec4 tangent = tangents.empty() ? Vec4{0, 0, 0, 1} : tangents[vertex];
    const Vec3d along = {double{tangent[0]}, double{tangent[1]}, double{tangent[2]}};
    const Vec3d turned = scene::subtract(scene::transform_point(world, along), scene::translation_of(world));
    const Vec3d flat = scene::subtract(turned, scene::scaled(to.normal, scene::dot(turned, to.normal)));
    to.tangent = scene::unit(flat, scene::unit(scene::perpendicular(to.normal), {1, 0, 0}));
    to.side = (tangent[3] < 0) != scene::mirrors(world) ? -1 : 1;
    const scene::UvTransform* moved = layer != nullptr && layer->uv_animation < scene_.uv_animations.size()
                                          ? &scene_.uv_animations[layer->uv_animation].rest
                                          : nullptr;
    for (std::size_t set = 0; set < std::min(kMostUvSets, mesh.uv_sets.size()); ++set) {
      const Vec2 uv = vertex < mesh.uv_sets[set].size() ? mesh.uv_sets[set][vertex] : Vec2{};
      to.uvs.at(set) = moved != nullptr && set == layer->uv_set ? scene::transformed(uv, *moved) : uv;
    }
    to.color = vertex < mesh.colors.size() ? mesh.colors[vertex] : Vec4{1, 1, 1, 1};
    for (std::size_t i = 0; i < mesh.color.size(); ++i) {
      to.color.at(i) *= mesh.color.at(i);
    }
    if (skin != nullptr) {
      set_weights(mesh, *skin, vertex, to);
    } else if (bone != kNoBone) {
      to.weights = {255, 0, 0, 0};
      to.bones[0] = bone;
    }
    return scene::mirrors(world);
  };
  std::vector<PlacedMesh> parts;
  for (const auto& part : mesh.parts) {
    PlacedMesh& output = parts.emplace_back();
    output.skinned = skin != nullptr || bone != kNoBone;
    output.colored = !mesh.colors.empty() || mesh.color != Vec3{1, 1, 1};
    output.uv_sets = mesh.uv_sets.size();
    const scene::Layer* layer = first_layer(scene_, part.material);
    std::size_t mirrored = 0;
    const std::size_t begin = std::min<std::size_t>(part.first_index, mesh.indices.size());
    const std::size_t count = std::min<std::size_t>(part.index_count, mesh.indices.size() - begin) / 3 * 3;
    const auto corners = std::span(mesh.indices).subspan(begin, count);
    for (const std::uint32_t vertex : corners) {
      if (place[vertex] == kNone) {
        place[vertex] = static_cast<std::uint32_t>(output.vertices.size());
        mirrored += add(vertex, layer, output.vertices.emplace_back()) ? 1U : 0U;
      }
      output.indices.push_back(place[vertex]);
    }
    for (const std::uint32_t vertex : corners) {
      place[vertex] = kNone;
    }
    if (mirrored * 2 > output.vertices.size()) {
      for (std::size_t i = 0; i + 2 < output.indices.size(); i += 3) {
        std::swap(output.indices[i + 1], output.indices[i + 2]);
      }
    }
  }
  return parts;
}

void ModelBones::describe(const std::vector<PlacedMesh>& meshes, Document& document) const {
  std::vector<Mat4d> back;
  for (const Index node : nodes_) {
    const Mat4d inverse = scene::inverse(rigid(world_[node]));
    back.push_back(inverse);
    BoneMatrix& matrix = document.bone_inverse_binds.emplace_back();
    for (std::size_t column = 0; column < 4; ++column) {
      for (std::size_t row = 0; row < 3; ++row) {
        matrix.at(column * 3 + row) = scene::to_float(inverse.at(column * 4 + row));
      }
    }
    document.bone_hashes.push_back(forgelight::hash_upper(scene_.nodes[node].name));
  }
  document.bone_bounds = Array<Box>(nodes_.size(), Box{});
  std::vector<bool> begun(nodes_.size(), false);
  for (const auto& mesh : meshes) {
    for (const auto& vertex : mesh.vertices) {
      for (std::size_t i = 0; mesh.skinned && i < kMostInfluences; ++i) {
        const std::uint16_t bone = vertex.bones.at(i);
        if (vertex.weights.at(i) == 0) {
          continue;
        }
        const Vec3 there = scene::narrow(scene::transform_point(back[bone], scene::widen(vertex.position)));
        Box& box = document.bone_bounds[bone];
        for (std::size_t axis = 0; axis < 3; ++axis) {
          box[0].at(axis) = begun[bone] ? std::min(box[0].at(axis), there.at(axis)) : there.at(axis);
          box[1].at(axis) = begun[bone] ? std::max(box[1].at(axis), there.at(axis)) : there.at(axis);
        }
        begun[bone] = true;
      }
    }
  }
}

}  // namespace thaw::dme
