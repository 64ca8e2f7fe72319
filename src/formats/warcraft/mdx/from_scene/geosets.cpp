// Meshes as geosets: parts of one material each, within the game's limits, with what moves them
// (mdx.md#geosets, mdx.md#weights).
#include "formats/warcraft/mdx/from_scene/model_builder.hpp"

#include "bytes/order.hpp"
#include "bytes/text.hpp"
#include "formats/warcraft/mdx/convert/skin_split.hpp"
#include "scene/normals.hpp"
#include "scene/pose.hpp"
#include "scene/roles.hpp"
#include "scene/uv.hpp"

#include <algorithm>
#include <numeric>
#include <set>

namespace thaw::mdx {
namespace {

/// The classic game draws geosets of more wrong (mdx.md#geosets).
constexpr std::size_t kMostClassicVertices = 7432;
constexpr std::size_t kMostVertices = 65535;
constexpr std::size_t kMostGroups = 256;
constexpr std::uint32_t kUnset = ~std::uint32_t{0};

struct Share {
  std::uint32_t id = 0;
  double weight = 0;
};
using Shares = std::vector<Share>;  ///< of a vertex, the largest first

/// Bones whose average moves the vertex: equal shares, some of them perhaps several times.
std::optional<GroupBones> as_group(const Shares& shares, unsigned most_times) {
  constexpr double kRounding = 2e-5;
  if (shares.empty()) {
    return GroupBones{};
  }
  for (std::size_t parts = shares.size(); parts <= shares.size() * most_times && parts <= 64; ++parts) {
    GroupBones bones;
    bool fits = true;
    for (const Share& share : shares) {
      const double times = share.weight * static_cast<double>(parts);
      const double whole = std::round(times);
      fits = fits && whole >= 1 && std::abs(times - whole) <= kRounding * static_cast<double>(parts);
      for (double i = 0; fits && i < whole; ++i) {
        bones.push_back(share.id);
      }
    }
    if (fits && bones.size() == parts) {
      std::sort(bones.begin(), bones.end());
      return bones;
    }
    if (parts == shares.size() && shares.size() > 8) {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

class MeshSplitter {
 public:
  MeshSplitter(ModelBuilder& builder, Index mesh)
      : builder_(builder), index_(mesh), mesh_(builder.scene.meshes[mesh]) {}

  void make();

 private:
  struct Vertex {
    Vec3 position{};
    Vec3 normal{};
    Vec4 tangent{};
    Shares shares;
    std::uint32_t group = 0;
  };

  [[nodiscard]] bool wants_hd() const;
  [[nodiscard]] bool is_hd(const scene::MeshPart& part) const;
  void take_vertices();
  void take_shares();
  [[nodiscard]] Vertex vertex(std::size_t at, const Array<Vec3>& normals) const;
  [[nodiscard]] Mat4d bound(std::size_t at) const;
  void find_groups();
  void make_part(const scene::MeshPart& part);
  void close(const scene::MeshPart& part, const std::vector<std::uint32_t>& vertices,
             Array<std::uint16_t> indices);
  void add_groups(Geoset& geoset, const std::vector<std::uint32_t>& vertices) const;
  void add_weights(Geoset& geoset, const std::vector<std::uint32_t>& vertices);
  void add_animation(std::size_t geoset, const std::vector<std::uint32_t>& vertices);
  [[nodiscard]] std::int32_t level() const;
  [[nodiscard]] std::optional<scene::UvTransform> standing_transform(const scene::MeshPart& part,
                                                                     std::size_t set) const;
  [[nodiscard]] const Value& mdx_extras() const { return ModelBuilder::mdx_extras(mesh_); }

  ModelBuilder& builder_;
  Index index_;
  const scene::Mesh& mesh_;
  const scene::Skin* skin_ = nullptr;
  std::vector<Mat4d> bound_;  ///< by joint: from the mesh's space to where the game's rest is
  bool one_pose_ = true;
  bool mirrored_ = false;
  std::vector<Vertex> vertices_;
  bool weighted_ = false;
  bool sd_ = false;  ///< groups of bones and no tangents, in whichever version
  bool hd_ = false;  ///< weights and tangents, because a material requires them
  std::vector<GroupBones> groups_;
  std::vector<std::uint32_t> place_;  ///< of each vertex in the geoset that is being made
  std::size_t fewer_ = 0;             ///< vertices with more than four bones
};

bool near_identity(const Mat4d& m) {
  for (std::size_t i = 0; i < m.size(); ++i) {
    if (std::abs(m.at(i) - scene::kIdentity.at(i)) > 2e-6) {
      return false;
    }
  }
  return true;
}

/// Where the joints of a skin put a vertex while the game's keys say nothing.
Mat4d MeshSplitter::bound(std::size_t at) const {
  if (one_pose_) {
    return bound_.front();
  }
  Mat4d sum{};
  for (unsigned i = 0; i < mesh_.influences; ++i) {
    const auto weight = double{mesh_.weights[at * mesh_.influences + i]};
    for (std::size_t e = 0; weight > 0 && e < sum.size(); ++e) {
      sum.at(e) += weight * bound_[mesh_.joints[at * mesh_.influences + i]].at(e);
    }
  }
  return sum;
}

MeshSplitter::Vertex MeshSplitter::vertex(std::size_t at, const Array<Vec3>& normals) const {
  const Mat4d matrix = bound(at);
  const bool still = one_pose_ && near_identity(matrix);
  const Mat4d directions = still ? scene::kIdentity : scene::directions_of(matrix);
  const Axes axes = builder_.scene.axes;
  Vertex vertex;
  const Vec3d place = scene::widen(mesh_.positions[at]);
  vertex.position = builder_.position(still ? place : scene::transform_point(matrix, place));
  if (at < normals.size()) {
    const Vec3d normal = scene::widen(normals[at]);
    vertex.normal = scene::narrow(scene::to_z_up(
        still ? normal : scene::unit(scene::transform_point(directions, normal), {0, 1, 0}), axes));
  }
  if (!mesh_.tangents.empty()) {
    const Vec4& t = mesh_.tangents[at];
    const Vec3d along{double{t[0]}, double{t[1]}, double{t[2]}};
    Mat4d turn = matrix;
    turn[12] = turn[13] = turn[14] = 0;
    const Vec3 out = scene::narrow(
        scene::to_z_up(still ? along : scene::unit(scene::transform_point(turn, along), {1, 0, 0}), axes));
    vertex.tangent = {out[0], out[1], out[2], mirrored_ ? -t[3] : t[3]};
  }
  return vertex;
}

void MeshSplitter::take_vertices() {
  skin_ = scene::sound_skin(builder_.scene, mesh_);
  if (skin_ != nullptr) {
    for (std::size_t j = 0; j < skin_->joints.size(); ++j) {
      bound_.push_back(
          scene::multiply(builder_.reference[skin_->joints[j]], scene::widen(skin_->inverse_bind[j])));
      for (std::size_t e = 0; e < 16; ++e) {
        const double size = e < 12 ? 1 : std::max(1.0, builder_.size / builder_.units);
        one_pose_ = one_pose_ && std::abs(bound_[j].at(e) - bound_[0].at(e)) <= 2e-6 * size;
      }
    }
  } else {
    bound_.push_back(mesh_.node < builder_.reference.size() ? builder_.reference[mesh_.node]
                                                            : scene::kIdentity);
  }
  mirrored_ = scene::mirrors(bound_.front());
  const Array<Vec3> computed = mesh_.normals.empty() ? scene::smooth_normals(mesh_) : Array<Vec3>();
  const auto& normals = mesh_.normals.empty() ? computed : mesh_.normals;
  vertices_.reserve(mesh_.positions.size());
  for (std::size_t i = 0; i < mesh_.positions.size(); ++i) {
    vertices_.push_back(vertex(i, normals));
  }
}

void MeshSplitter::take_shares() {
  std::vector<std::int64_t> id_of_joint;
  for (std::size_t j = 0; skin_ != nullptr && j < skin_->joints.size(); ++j) {
    const Index object = builder_.carrier(skin_->joints[j]);
    id_of_joint.push_back(object == kNone ? -1 : builder_.objects[object].id);
  }
  Index carrier = skin_ == nullptr ? builder_.carrier(mesh_.node) : kNone;
  carrier = carrier == kNone ? builder_.root_bone : carrier;
  for (std::size_t v = 0; v < vertices_.size(); ++v) {
    Shares& shares = vertices_[v].shares;
    if (skin_ == nullptr) {
      if (carrier != kNone) {
        shares.push_back({static_cast<std::uint32_t>(builder_.objects[carrier].id), 1});
      }
      continue;
    }
    for (unsigned i = 0; i < mesh_.influences; ++i) {
      const std::size_t at = v * mesh_.influences + i;
      const std::int64_t id = id_of_joint[mesh_.joints[at]];
      if (mesh_.weights[at] <= 0 || id < 0) {
        continue;
      }
      const auto known =
          std::find_if(shares.begin(), shares.end(), [&](const Share& share) { return share.id == id; });
      if (known == shares.end()) {
        shares.push_back({static_cast<std::uint32_t>(id), double{mesh_.weights[at]}});
      } else {
        known->weight += double{mesh_.weights[at]};
      }
    }
    double sum = 0;
    for (const Share& share : shares) {
      sum += share.weight;
    }
    for (Share& share : shares) {
      share.weight /= sum;
    }
    std::sort(shares.begin(), shares.end(), [](const Share& a, const Share& b) {
      return a.weight > b.weight || (a.weight == b.weight && a.id < b.id);
    });
  }
}

/// Groups where they say the same, else weights.
void MeshSplitter::find_groups() {
  const bool tangents = !mesh_.tangents.empty();
  // Bones that a group names several times are what some models have; none is made so anew.
  constexpr unsigned kMostTimes = 8;
  const unsigned most_times = ModelBuilder::mdx_extras(builder_.scene).is_null() ? 1 : kMostTimes;
  const bool moved = !vertices_.empty() && !vertices_.front().shares.empty();
  weighted_ = builder_.options.version >= 900 && !sd_ && ((tangents && skin_ != nullptr) || (hd_ && moved));
  std::map<GroupBones, std::uint32_t, ListOrder> numbers;
  for (auto& vertex : vertices_) {
    const auto bones = weighted_ ? std::nullopt : as_group(vertex.shares, most_times);
    if (!bones) {
      weighted_ = true;
      return;
    }
    const auto [entry, fresh] = numbers.emplace(*bones, static_cast<std::uint32_t>(groups_.size()));
    if (fresh) {
      groups_.push_back(*bones);
    }
    vertex.group = entry->second;
  }
}

void MeshSplitter::add_groups(Geoset& geoset, const std::vector<std::uint32_t>& vertices) const {
  std::map<std::uint32_t, std::uint8_t> numbers;
  for (const std::uint32_t vertex : vertices) {
    const std::uint32_t group = vertices_[vertex].group;
    const auto [entry, fresh] = numbers.emplace(group, static_cast<std::uint8_t>(numbers.size()));
    if (fresh) {
      geoset.matrix_groups.push_back(static_cast<std::uint32_t>(groups_[group].size()));
      geoset.matrix_indices.insert(geoset.matrix_indices.end(), groups_[group].begin(), groups_[group].end());
    }
    geoset.vertex_groups.push_back(entry->second);
  }
}

/// Whole parts of 255: what rounding leaves goes to those that lost most by it.
std::array<std::uint16_t, 4> parts_of(std::span<const Share> shares) {
  constexpr int kWhole = 255;
  std::array<std::uint16_t, 4> parts{};
  std::array<double, 4> left{};
  double sum = 0;
  for (const Share& share : shares) {
    sum += share.weight;
  }
  int given = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const double exact = shares[i].weight / sum * kWhole;
    const double whole = std::floor(exact + 1e-3);
    parts.at(i) = static_cast<std::uint16_t>(whole);
    left.at(i) = exact - whole;
    given += static_cast<int>(whole);
  }
  for (; given < kWhole; ++given) {
    const auto most = static_cast<std::size_t>(std::max_element(left.begin(), left.end()) - left.begin());
    ++parts.at(most);
    left.at(most) -= 1;
  }
  return parts;
}

void MeshSplitter::add_weights(Geoset& geoset, const std::vector<std::uint32_t>& vertices) {
  std::set<std::uint32_t> bones;
  auto& wide = geoset.wide_skin.emplace();
  for (const std::uint32_t vertex : vertices) {
    const Shares& shares = vertices_[vertex].shares;
    fewer_ += shares.size() > kSkinBones ? 1U : 0U;
    const auto used = std::span(shares).first(std::min(shares.size(), kSkinBones));
    const auto parts = parts_of(used);
    std::array<std::uint16_t, 8> entry{};
    for (std::size_t i = 0; i < used.size(); ++i) {
      entry.at(i) = static_cast<std::uint16_t>(used[i].id);
      entry.at(i + kSkinBones) = parts.at(i);
      bones.insert(used[i].id);
    }
    wide.push_back(entry);
  }
  constexpr std::uint8_t kBySkin = 255;
  geoset.vertex_groups.assign(vertices.size(), kBySkin);
  geoset.matrix_indices.assign(bones.begin(), bones.end());
  geoset.matrix_groups.assign(bones.size(), 1);
}

std::int32_t MeshSplitter::level() const {
  if (const auto stated = mdx_extras()["lod"].integer()) {
    return static_cast<std::int32_t>(std::clamp<std::int64_t>(*stated, -1, 1000));
  }
  if (const auto typed = mesh_.properties["wc3_lod"].number()) {
    return static_cast<std::int32_t>(std::clamp(*typed, 0.0, 3.0));
  }
  const std::size_t at = mesh_.name.size() < 5 ? std::string::npos : mesh_.name.size() - 5;
  if (at != std::string::npos && ascii::same(std::string_view(mesh_.name).substr(at, 4), "_lod") &&
      mesh_.name.back() >= '0' && mesh_.name.back() <= '3') {
    return mesh_.name.back() - '0';
  }
  const auto& levels = builder_.levels;
  return mesh_.node < levels.size() ? static_cast<std::int32_t>(levels[mesh_.node].level) : 0;
}

/// Of colours that vertices have, the game has the mean.
Vec3 mean_color(ModelBuilder& builder, const scene::Mesh& mesh, const std::vector<std::uint32_t>& vertices) {
  Vec3d sum{};
  bool differ = false;
  for (const std::uint32_t vertex : vertices) {
    const Vec4& color = mesh.colors[vertex];
    for (std::size_t i = 0; i < 4; ++i) {
      differ = differ || std::abs(color.at(i) - mesh.colors[vertices.front()].at(i)) > 0.5F / 255;
    }
    sum = scene::add(sum, {double{color[0]}, double{color[1]}, double{color[2]}});
  }
  if (differ) {
    builder.counted["geosets whose vertex colours were reduced to their mean"] += 1;
  }
  return scene::narrow(
      scene::scaled(sum, 1 / static_cast<double>(std::max<std::size_t>(1, vertices.size()))));
}

void MeshSplitter::add_animation(std::size_t geoset, const std::vector<std::uint32_t>& vertices) {
  const Value& extras = mdx_extras()["geosetAnimation"];
  GeosetAnimation animation;
  animation.geoset_id = static_cast<std::int32_t>(geoset);
  animation.alpha = mesh_.alpha;
  Vec3 color = mesh_.color;
  if (!mesh_.colors.empty()) {
    const Vec3 mean = mean_color(builder_, mesh_, vertices);
    color = {color[0] * mean[0], color[1] * mean[1], color[2] * mean[2]};
  }
  animation.flags = static_cast<std::uint32_t>(
      std::clamp<std::int64_t>(extras["flags"].integer().value_or(0), 0, 0xFFFFFFFF));
  animation.color = color;
  const Target target{Target::Kind::mesh, index_, 0};
  builder_.add_scalar(animation.tracks, FourCC{"KGAO"}, target, Property::mesh_alpha, mesh_.alpha);
  const std::size_t before = animation.tracks.size();
  builder_.add_color(animation.tracks, FourCC{"KGAC"}, target, Property::mesh_color, mesh_.color);
  const bool colored = color != Vec3{1, 1, 1} || animation.tracks.size() > before;
  if (colored) {
    animation.flags |= GeosetAnimation::kUseColor;
  } else if ((animation.flags & GeosetAnimation::kUseColor) == 0) {
    for (std::size_t i = 0; i < 3; ++i) {
      animation.color.at(i) = static_cast<float>(extras["color"][i].number().value_or(1));
    }
  }
  if (colored || animation.alpha != 1 || !animation.tracks.empty() || !extras.is_null()) {
    chunk_of<GeosetAnimations>(builder_.document, FourCC{"GEOA"}).items.push_back(std::move(animation));
  }
}

/// What the material does to the coordinates of a set and never changes.
std::optional<scene::UvTransform> MeshSplitter::standing_transform(const scene::MeshPart& part,
                                                                   std::size_t set) const {
  if (part.material >= builder_.scene.materials.size()) {
    return std::nullopt;
  }
  for (const auto& layer : builder_.scene.materials[part.material].layers) {
    if (layer.uv_set == set && builder_.stands(layer.uv_animation)) {
      return builder_.scene.uv_animations[layer.uv_animation].rest;
    }
  }
  return std::nullopt;
}

void MeshSplitter::close(const scene::MeshPart& part, const std::vector<std::uint32_t>& vertices,
                         Array<std::uint16_t> indices) {
  Geoset geoset;
  for (const std::uint32_t vertex : vertices) {
    geoset.positions.push_back(vertices_[vertex].position);
    geoset.normals.push_back(vertices_[vertex].normal);
  }
  if (!mesh_.tangents.empty() && builder_.options.version >= 900 && !sd_) {
    auto& tangents = geoset.tangents.emplace();
    for (const std::uint32_t vertex : vertices) {
      tangents.push_back(vertices_[vertex].tangent);
    }
  }
  for (std::size_t number = 0; number < mesh_.uv_sets.size(); ++number) {
    const auto standing = standing_transform(part, number);
    auto& uv_set = geoset.uv_sets.emplace_back();
    for (const std::uint32_t vertex : vertices) {
      const Vec2& uv = mesh_.uv_sets[number][vertex];
      uv_set.coordinates.push_back(standing ? scene::transformed(uv, *standing) : uv);
    }
  }
  if (geoset.uv_sets.empty()) {
    geoset.uv_sets.emplace_back().coordinates.assign(vertices.size(), Vec2{});
    ++builder_.counted["+texture coordinates (all 0) added to geosets"];
  }
  geoset.primitive_types.assign(1, PrimitiveType::triangles);
  geoset.primitive_counts.assign(1, static_cast<std::uint32_t>(indices.size()));
  geoset.indices = std::move(indices);
  if (builder_.options.version >= 900 && !sd_ && !geoset.tangents && (weighted_ || hd_)) {
    geoset.tangents = tangents_of(geoset);
  }
  if (weighted_) {
    add_weights(geoset, vertices);
  } else {
    add_groups(geoset, vertices);
  }
  geoset.material_id = static_cast<std::int32_t>(
      part.material < builder_.scene.materials.size() ? part.material : builder_.scene.materials.size());
  const auto word = [&](const char* key) {
    return static_cast<std::uint32_t>(
        std::clamp<std::int64_t>(mdx_extras()[key].integer().value_or(0), 0, 0xFFFFFFFF));
  };
  geoset.selection_group = word("selectionGroup");
  geoset.selection_flags = word("selectionFlags");
  if (builder_.options.version >= 900) {
    geoset.lod = level();
    const bool numbered = ascii::begins_with(mesh_.name, "Geoset ") && mdx_extras()["lod"].integer();
    geoset.lod_name = fixed<80>(builder_, numbered ? "" : mesh_.name);
  }
  auto& geosets = chunk_of<Geosets>(builder_.document, FourCC{"GEOS"}).items;
  if (mesh_.source.number != kNone) {
    builder_.geoset_of_mesh.emplace(mesh_.source.number, static_cast<std::int32_t>(geosets.size()));
  }
  geosets.push_back(std::move(geoset));
  builder_.sources.push_back({index_, vertices});
  add_animation(geosets.size() - 1, vertices);
}

bool MeshSplitter::is_hd(const scene::MeshPart& part) const {
  const auto& materials = builder_.scene.materials;
  return part.material < materials.size() &&
         std::any_of(
             materials[part.material].layers.begin(), materials[part.material].layers.end(),
             [&](const scene::Layer& layer) { return builder_.is_hd(layer); });
}

/// In the order of the triangles, as many as fit: what is not HD is drawn by the classic renderer, whatever
/// the version.
void MeshSplitter::make_part(const scene::MeshPart& part) {
  const std::size_t most = is_hd(part) ? kMostVertices : kMostClassicVertices;
  std::vector<std::uint32_t>& place = place_;
  std::vector<std::uint32_t> used;
  std::set<std::uint32_t> groups;
  Array<std::uint16_t> indices;
  std::size_t geoset_count = 0;
  bool by_vertices = false;
  bool by_groups = false;
  const auto finish = [&] {
    // In the order that they had, so that a mesh that fits stays as it is.
    std::vector<std::uint32_t> order = used;
    std::sort(order.begin(), order.end());
    std::vector<std::uint16_t> moved(used.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
      moved[place[order[i]]] = static_cast<std::uint16_t>(i);
    }
    for (auto& corner : indices) {
      corner = moved[corner];
    }
    for (const std::uint32_t vertex : used) {
      place[vertex] = kUnset;
    }
    close(part, order, std::exchange(indices, {}));
    used.clear();
    groups.clear();
    ++geoset_count;
  };
  for (std::size_t t = 0; t + 2 < part.index_count; t += 3) {
    std::array<std::uint32_t, 3> corners{};
    std::copy_n(mesh_.indices.begin() + static_cast<std::ptrdiff_t>(part.first_index + t), 3,
                corners.begin());
    if (mirrored_) {
      std::swap(corners[1], corners[2]);
    }
    std::set<std::uint32_t> fresh_groups;
    std::size_t fresh = 0;
    for (const std::uint32_t corner : corners) {
      fresh += place[corner] == kUnset ? 1U : 0U;
      if (!weighted_ && !groups.contains(vertices_[corner].group)) {
        fresh_groups.insert(vertices_[corner].group);
      }
    }
    const bool many_vertices = used.size() + fresh > most;
    const bool many_groups = groups.size() + fresh_groups.size() > kMostGroups;
    if (many_vertices || many_groups) {
      by_vertices = by_vertices || many_vertices;
      by_groups = by_groups || many_groups;
      finish();
    }
    for (const std::uint32_t corner : corners) {
      if (place[corner] == kUnset) {
        place[corner] = static_cast<std::uint32_t>(used.size());
        used.push_back(corner);
      }
      if (!weighted_) {
        groups.insert(vertices_[corner].group);
      }
      indices.push_back(static_cast<std::uint16_t>(place[corner]));
    }
  }
  if (geoset_count == 0 && mesh_.parts.size() == 1 && vertices_.size() <= most && !used.empty()) {
    for (std::uint32_t vertex = 0; vertex < vertices_.size(); ++vertex) {
      const bool fits = weighted_ || groups.contains(vertices_[vertex].group) || groups.size() < kMostGroups;
      if (place[vertex] == kUnset && fits) {
        groups.insert(vertices_[vertex].group);
        place[vertex] = static_cast<std::uint32_t>(used.size());
        used.push_back(vertex);  // no triangle shows it, but it is there
      }
    }
  }
  if (!indices.empty()) {
    finish();
  }
  if (geoset_count > 1) {
    builder_.change("\"" + mesh_.name + "\" was divided into " + std::to_string(geoset_count) +
                    " geosets, because each can have at most " +
                    (by_vertices ? std::to_string(most) + " vertices" : "") +
                    (by_vertices && by_groups ? " and " : "") +
                    (by_groups ? std::to_string(kMostGroups) + " matrix groups" : ""));
  }
}

/// Of a model that comes back, meshes are what they were.
bool MeshSplitter::wants_hd() const {
  const bool foreign = ModelBuilder::mdx_extras(builder_.scene).is_null();
  return (foreign || builder_.options.hd == true) &&
         std::any_of(mesh_.parts.begin(), mesh_.parts.end(),
                     [&](const scene::MeshPart& part) { return is_hd(part); });
}

void MeshSplitter::make() {
  if (!mesh_.wires.empty()) {
    ++builder_.counted["meshes whose points and lines were left out"];
  }
  if (mesh_.indices.empty()) {
    const bool shape = scene::is_collision(builder_.scene, mesh_);
    builder_.counted["meshes without triangles left out"] += shape || !mesh_.wires.empty() ? 0U : 1U;
    return;
  }
  if (builder_.options.version < 900 && level() > 0) {
    ++builder_.counted["meshes of coarser levels of detail left out (they need version 900)"];
    return;
  }
  if (!mesh_.morph_targets.empty()) {
    builder_.counted["morph targets left out"] += mesh_.morph_targets.size();
  }
  sd_ = builder_.options.hd == false;
  hd_ = wants_hd();
  take_vertices();
  take_shares();
  find_groups();
  place_.assign(vertices_.size(), kUnset);
  for (const auto& part : mesh_.parts) {
    make_part(part);
  }
  if (fewer_ > 0) {
    builder_.change("\"" + mesh_.name + "\": " + std::to_string(fewer_) + " of " +
                    std::to_string(vertices_.size()) +
                    " vertices with more than four bones; the strongest four are used");
  }
}

}  // namespace

Result<void> make_geosets(ModelBuilder& builder) {
  // Those of a model that comes back in the order that they had; other programs change it.
  const auto& meshes = builder.scene.meshes;
  std::vector<Index> order(meshes.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](Index a, Index b) {
    return std::pair(meshes[a].source.number, a) < std::pair(meshes[b].source.number, b);
  });
  std::size_t done = 0;
  for (const Index mesh : order) {
    if (!proceed(builder.options.control, "meshes", done++, order.size())) {
      return fail(codes::kStopped, "");
    }
    MeshSplitter(builder, mesh).make();
  }
  return {};
}

}  // namespace thaw::mdx
