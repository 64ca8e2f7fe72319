#include "formats/wow/m3/from_scene.hpp"

#include "scene/axes.hpp"
#include "scene/normals.hpp"
#include "scene/pose.hpp"
#include "scene/roles.hpp"
#include "scene/skinned.hpp"
#include "scene/uv.hpp"

#include <algorithm>
#include <numeric>

namespace thaw::m3 {
namespace {

using scene::Index;
using scene::Mat4d;
using scene::Vec3d;

constexpr std::uint32_t kNowhere = ~std::uint32_t{0};

/// In the axes of the file, as floats.
Vec3 stored(const Vec3d& v) { return scene::narrow(scene::to_z_up(v)); }

bool is_identity(const Mat4d& m) { return m == scene::kIdentity; }

/// What a matrix and its inverse leave of the identity.
Mat4d without_dust(const Mat4d& m) {
  Mat4d result = m;
  for (double& number : result) {
    const double whole = std::floor(number + 0.5);
    number = std::fabs(number - whole) < 1e-12 ? whole : number;
  }
  return result;
}

const scene::Layer& first_layer(const scene::Scene& scene, Index material) {
  static const scene::Layer kPlain;
  const bool none = material >= scene.materials.size() || scene.materials[material].layers.empty();
  return none ? kPlain : scene.materials[material].layers.front();
}

/// How opaque vertices are that no stream of the source says anything of.
float opacity(const scene::Scene& scene, const scene::Mesh& mesh, const scene::MeshPart& part) {
  const scene::Layer& layer = first_layer(scene, part.material);
  return mesh.alpha * (layer.blend == scene::BlendMode::opaque ? 1.0F : layer.alpha);
}

}  // namespace

std::vector<Mat4d> rest_places(const scene::Scene& scene, const Mat4d& base) {
  auto places = scene::Poser(scene, nullptr).world_matrices(0, scene::Axes::x_right);
  for (Mat4d& place : places) {
    place = is_identity(base) ? place : without_dust(scene::multiply(base, place));
  }
  return places;
}

VertexWriter::VertexWriter(const scene::Scene& scene, const std::vector<Mat4d>& world, float scale,
                           SkinWriter* skins)
    : scene_(scene), units_(1 / double{scale}), world_(world), skins_(skins) {
  for (const auto& mesh : scene.meshes) {
    uv_count_ = std::max(uv_count_, std::min(mesh.uv_sets.size(), uv_sets_.size()));
    tangents_used_ = tangents_used_ || !mesh.tangents.empty();
    colors_used_ = colors_used_ || !mesh.colors.empty() || mesh.color != Vec3{1, 1, 1};
    for (const auto& part : mesh.parts) {
      colors_used_ = colors_used_ || opacity(scene, mesh, part) != 1;
    }
  }
}

/// What the first layer does to coordinates stands in them.
void VertexWriter::add_uvs(const scene::Mesh& mesh, const scene::MeshPart& part, std::size_t vertex) {
  const bool layered =
      part.material < scene_.materials.size() && !scene_.materials[part.material].layers.empty();
  const scene::Layer* layer = layered ? &scene_.materials[part.material].layers.front() : nullptr;
  const scene::UvTransform* moved = layered ? scene::rest_transform(scene_, *layer) : nullptr;
  for (std::size_t set = 0; set < uv_count_; ++set) {
    const bool mapped = set < mesh.uv_sets.size() && vertex < mesh.uv_sets[set].size();
    const Vec2 uv = mapped ? mesh.uv_sets[set][vertex] : Vec2{};
    uv_sets_.at(set).push_back(
        moved != nullptr && mapped && set == layer->uv_set ? scene::transformed(uv, *moved) : uv);
  }
}

void VertexWriter::add_vertex(const scene::Mesh& mesh, const Array<Vec3>& normals, std::size_t vertex,
                              const Mat4d& world, const Mat4d& directions) {
  const Vec3d place = scene::transform_point(world, scene::widen(mesh.positions[vertex]));
  positions_.push_back(stored(scene::scaled(place, units_)));
  const Vec3d normal = scene::widen(normals[vertex]);
  // What no transform touches keeps its last bit.
  normals_.push_back(stored(
      is_identity(world) ? normal : scene::unit(scene::transform_point(directions, normal), {0, 1, 0})));
  if (tangents_used_) {
    const Vec4 tangent = vertex < mesh.tangents.size() ? mesh.tangents[vertex] : Vec4{1, 0, 0, 1};
    const Vec3d along{double{tangent[0]}, double{tangent[1]}, double{tangent[2]}};
    const Vec3d turned = scene::subtract(scene::transform_point(world, along), scene::translation_of(world));
    const Vec3 direction = stored(is_identity(world) ? along : scene::unit(turned, {1, 0, 0}));
    const float side = scene::mirrors(world) ? -tangent[3] : tangent[3];
    tangents_.push_back({direction[0], direction[1], direction[2], side});
  }
}

/// With what the mesh and its material say for all vertices.
void VertexWriter::add_color(const scene::Mesh& mesh, const scene::MeshPart& part, std::size_t vertex) {
  Vec4 color = vertex < mesh.colors.size() ? mesh.colors[vertex] : Vec4{1, 1, 1, 1};
  for (std::size_t i = 0; i < 3; ++i) {
    color.at(i) *= mesh.color.at(i);
  }
  color[3] *= opacity(scene_, mesh, part);
  colors_.push_back(color);
}

/// What all parts of a mesh need: there may be as many of them as vertices.
void VertexWriter::begin(const scene::Mesh& mesh) {
  if (mesh_ == &mesh) {
    return;
  }
  mesh_ = &mesh;
  normals_of_mesh_ =
      mesh.normals.size() == mesh.positions.size() ? mesh.normals : scene::smooth_normals(mesh);
  place_.assign(mesh.positions.size(), kNowhere);
  const scene::Skin* skin = mesh.influences > 0 ? scene::sound_skin(scene_, mesh) : nullptr;
  bound_ = skin != nullptr;
  for (std::size_t joint = 0; bound_ && joint < skin->joints.size(); ++joint) {
    bound_ = undoes(scene::widen(skin->inverse_bind[joint]), world_[skin->joints[joint]]);
  }
}

/// A mesh of one part keeps all its vertices; of several, each takes those that it uses, in their order.
std::vector<std::uint32_t> VertexWriter::vertices_of(const scene::Mesh& mesh, std::size_t begin_index,
                                                     std::size_t end) {
  std::vector<std::uint32_t> used;
  if (mesh.parts.size() <= 1) {
    used.resize(place_.size());
    std::iota(used.begin(), used.end(), 0U);
    return used;
  }
  for (std::size_t i = begin_index; i < end; ++i) {
    const std::uint32_t vertex = mesh.indices[i];
    if (vertex < place_.size() && place_[vertex] == kNowhere) {
      place_[vertex] = 0;
      used.push_back(vertex);
    }
  }
  std::sort(used.begin(), used.end());
  return used;
}

void VertexWriter::add(const scene::Mesh& mesh, const scene::MeshPart& part) {
  // The joints of a skin alone say where a mesh is, its node does not.
  const scene::Skin* skin = mesh.influences > 0 ? scene::sound_skin(scene_, mesh) : nullptr;
  Mat4d world = skin == nullptr && mesh.node < world_.size() ? world_[mesh.node] : scene::kIdentity;
  Mat4d directions = scene::directions_of(world);
  std::size_t mirrored = 0;
  begin(mesh);
  if (skins_ != nullptr) {
    skins_->begin(mesh);
  }
  const std::size_t begin_index = std::min<std::size_t>(part.first_index, mesh.indices.size());
  const std::size_t end =
      begin_index + std::min<std::size_t>(part.index_count, mesh.indices.size() - begin_index);
  const auto used = vertices_of(mesh, begin_index, end);
  for (const std::uint32_t vertex : used) {
    place_[vertex] = static_cast<std::uint32_t>(positions_.size());
    if (skin != nullptr) {
      world = bound_ ? scene::kIdentity : scene::skinning_matrix(mesh, *skin, world_, vertex);
      directions = scene::directions_of(world);
      mirrored += scene::mirrors(world) ? 1U : 0U;
    }
    add_vertex(mesh, normals_of_mesh_, vertex, world, directions);
    add_uvs(mesh, part, vertex);
    if (colors_used_) {
      add_color(mesh, part, vertex);
    }
    if (skins_ != nullptr) {
      skins_->add(vertex);
    }
  }
  const bool turn = skin == nullptr ? scene::mirrors(world) : mirrored * 2 > used.size();
  for (std::size_t i = begin_index; i + 3 <= end; i += 3) {
    const auto* corner = mesh.indices.data() + i;
    if (std::max({corner[0], corner[1], corner[2]}) < place_.size()) {
      indices_.insert(indices_.end(),
                      {place_[corner[0]], place_[corner[turn ? 2 : 1]], place_[corner[turn ? 1 : 2]]});
    }
  }
  for (const std::uint32_t vertex : used) {
    place_[vertex] = kNowhere;
  }
}

void VertexWriter::add_streams(Mesh& mesh) const {
  const auto add = [&](FourCC tag, ElementFormat format, Elements elements) {
    Buffer buffer;
    buffer.properties.format = element_tag(format);
    buffer.elements = std::move(elements);
    mesh.chunks.push_back({tag, std::move(buffer), {}, {}});
  };
  add(FourCC{"VPOS"}, ElementFormat::f32x3, positions_);
  add(FourCC{"VNML"}, ElementFormat::f32x3, normals_);
  for (std::size_t set = 0; set < uv_count_; ++set) {
    add(kUvTags.at(set), ElementFormat::f32x2, uv_sets_.at(set));
  }
  if (tangents_used_) {
    add(FourCC{"VTAN"}, ElementFormat::f32x4, tangents_);
  }
  if (skins_ != nullptr) {
    skins_->add_chunks(mesh);
  }
  if (colors_used_) {
    Array<float> numbers;
    for (const Vec4& color : colors_) {
      numbers.insert(numbers.end(), color.begin(), color.end());
    }
    mesh.chunks.push_back({FourCC{"VCL0"}, encode(ElementFormat::u8n_x4, numbers, Range::share), {}, {}});
  }
}

}  // namespace thaw::m3
