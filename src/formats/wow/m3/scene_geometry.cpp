#include "formats/wow/m3/scene_geometry.hpp"

#include "formats/wow/m3/source_model.hpp"

#include "bytes/number_text.hpp"
#include "describe/description.hpp"

#include <algorithm>

namespace thaw::m3 {
namespace {

/// How many times over the geosets may use the buffers: real ones do so once.
constexpr std::uint64_t kMaxUses = 4;

}  // namespace

template <std::size_t N>
Array<std::array<float, N>> Streams::load(const Mesh& mesh, FourCC tag, Range range,
                                          const std::array<float, N>& fill, Diagnostics& diagnostics) const {
  Array<std::array<float, N>> result;
  const auto* buffer = mesh.find<Buffer>(tag);
  if (buffer == nullptr) {
    return result;
  }
  if (!positions_.empty() && buffer->size() != positions_.size()) {
    diagnostics.add(codes::kSceneGeoset,
                    "stream left out: it has " + counted(buffer->size(), "element") + " for " +
                        counted(positions_.size(), "vertex"),
                    {}, "MES3." + tag.text());
    return result;
  }
  const Array<float> values = decode(*buffer, range);
  const std::size_t components = element_components(buffer->format());
  result.resize(buffer->size(), fill);
  for (std::size_t i = 0; i < result.size(); ++i) {
    for (std::size_t part = 0; part < std::min(components, N); ++part) {
      const float value = values[i * components + part];
      result[i].at(part) = std::isfinite(value) ? value : 0.0F;
    }
  }
  return result;
}

void Streams::load_uv_sets(const Mesh& mesh, Diagnostics& diagnostics) {
  for (std::size_t set = 0; set < kUvTags.size(); ++set) {
    auto coordinates = load<2>(mesh, kUvTags.at(set), Range::as_stored, {}, diagnostics);
    if (coordinates.empty()) {
      continue;
    }
    while (uv_sets_.size() < set) {  // a missing one must not move the others
      uv_sets_.emplace_back().resize(positions_.size(), Vec2{});
    }
    uv_sets_.push_back(std::move(coordinates));
  }
}

Streams::Streams(const Mesh& mesh, float scale, Diagnostics& diagnostics) {
  positions_ = load<3>(mesh, FourCC{"VPOS"}, Range::as_stored, {}, diagnostics);
  normals_ = load<3>(mesh, FourCC{"VNML"}, Range::direction, {}, diagnostics);
  tangents_ = load<4>(mesh, FourCC{"VTAN"}, Range::direction, {0, 0, 0, 1}, diagnostics);
  colors_ = load<4>(mesh, FourCC{"VCL0"}, Range::share, {0, 0, 0, 1}, diagnostics);
  second_colors_ = load<4>(mesh, FourCC{"VCL1"}, Range::share, {0, 0, 0, 1}, diagnostics);
  load_uv_sets(mesh, diagnostics);
  for (auto& position : positions_) {
    position = turned(position, scale);
  }
  for (auto& normal : normals_) {
    normal = turned(normal);
  }
  for (auto& tangent : tangents_) {
    const Vec3 direction = turned({tangent[0], tangent[1], tangent[2]});
    tangent = {direction[0], direction[1], direction[2], tangent[3]};
  }
  if (const auto* indices = mesh.find<Buffer>(FourCC{"VINX"})) {
    indices_ = decode_indices(*indices);
    if (indices_.empty() && indices->size() > 0) {
      diagnostics.add(codes::kSceneGeoset,
                      "triangles left out, because indices of the format " +
                          indices->properties.format.text() + " are not supported",
                      {}, "MES3.VINX");
    }
  }
}

bool faces_inward(const Streams& streams) {
  const auto& positions = streams.positions();
  const auto& normals = streams.normals();
  const auto& indices = streams.indices();
  std::size_t with = 0;
  std::size_t against = 0;
  for (std::size_t i = 0; i + 2 < indices.size() && !normals.empty(); i += 3) {
    const auto* corner = indices.data() + i;
    if (std::max({corner[0], corner[1], corner[2]}) >= positions.size()) {
      continue;
    }
    const auto a = scene::widen(positions[corner[0]]);
    const auto face = scene::cross(scene::subtract(scene::widen(positions[corner[1]]), a),
                                   scene::subtract(scene::widen(positions[corner[2]]), a));
    const auto normal =
        scene::add(scene::add(scene::widen(normals[corner[0]]), scene::widen(normals[corner[1]])),
                   scene::widen(normals[corner[2]]));
    const double side = scene::dot(face, normal);
    with += side > 0 ? 1U : 0U;
    against += side < 0 ? 1U : 0U;
  }
  return against > with;
}

GeosetBuilder::GeosetBuilder(const Mesh& mesh, const Streams& streams, const Rig& rig,
                             Diagnostics& diagnostics)
    : mesh_(mesh),
      streams_(streams),
      rig_(rig),
      diagnostics_(diagnostics),
      levels_(level_layout(mesh)),
      turn_(faces_inward(streams)),
      index_budget_(kMaxUses * streams.indices().size()),
      vertex_budget_(kMaxUses * streams.positions().size()) {
  if (const auto* batches = mesh.find<Batches>(FourCC{"RBAT"})) {
    for (const Batch& batch : batches->items) {
      materials_[batch.geoset] = batch.material;
    }
  }
  if (turn_) {
    diagnostics_.add(codes::kM3Winding, "most triangles face against their normals; all flipped", {},
                     "MES3.VINX");
  }
}

/// Corners of whole triangles of vertices that exist.
std::vector<std::uint32_t> GeosetBuilder::corners(const Geoset& geoset, const std::string& path) {
  const auto& indices = streams_.indices();
  const std::size_t from = std::min<std::size_t>(geoset.index_start, indices.size());
  const std::size_t count = std::min<std::size_t>(geoset.index_count, indices.size() - from);
  std::vector<std::uint32_t> result;
  std::size_t dropped = geoset.index_count - count / 3 * 3;
  if (count > index_budget_) {
    diagnostics_.add(codes::kSceneGeoset,
                     "geoset left out, because the geosets use the same triangles too often", {}, path);
    return result;
  }
  index_budget_ -= count;
  for (std::size_t i = from; i + 3 <= from + count; i += 3) {
    const auto* corner = indices.data() + i;
    if (std::max({corner[0], corner[1], corner[2]}) >= streams_.positions().size()) {
      dropped += 3;
      continue;
    }
    result.insert(result.end(), {corner[0], corner[turn_ ? 2 : 1], corner[turn_ ? 1 : 2]});
  }
  if (dropped > 0) {
    diagnostics_.add(codes::kSceneGeoset,
                     std::to_string(dropped) + (dropped == 1 ? " index" : " indices") +
                         " of incomplete triangles or of triangles with missing vertices left out",
                     {}, path);
  }
  return result;
}

/// The vertices in the range of the geoset, or those that its triangles use where they use others.
std::vector<std::uint32_t> GeosetBuilder::vertices(const Geoset& geoset,
                                                   const std::vector<std::uint32_t>& corners) {
  const std::uint64_t end = std::uint64_t{geoset.vertex_start} + geoset.vertex_count;
  const bool self_contained = end <= streams_.positions().size() && geoset.vertex_count <= vertex_budget_ &&
                              std::all_of(corners.begin(), corners.end(), [&](std::uint32_t corner) {
                                return corner >= geoset.vertex_start && corner < end;
                              });
  std::vector<std::uint32_t> result;
  if (self_contained) {
    vertex_budget_ -= geoset.vertex_count;
    for (std::uint64_t vertex = geoset.vertex_start; vertex < end; ++vertex) {
      result.push_back(static_cast<std::uint32_t>(vertex));
    }
    return result;
  }
  result = corners;
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

void GeosetBuilder::copy_vertices(const std::vector<std::uint32_t>& vertices, scene::Mesh& to) const {
  const auto copy = [&](const auto& from, auto& target) {
    if (!from.empty()) {
      target.reserve(vertices.size());
      for (const std::uint32_t vertex : vertices) {
        target.push_back(from[vertex]);
      }
    }
  };
  copy(streams_.positions(), to.positions);
  copy(streams_.normals(), to.normals);
  copy(streams_.tangents(), to.tangents);
  copy(streams_.colors(), to.colors);
  copy(streams_.second_colors(), to.second_colors);
  for (const auto& set : streams_.uv_sets()) {
    copy(set, to.uv_sets.emplace_back());
  }
  if (rig_.skin == scene::kNone) {
    return;
  }
  to.skin = rig_.skin;
  to.influences = 4;
  for (const std::uint32_t vertex : vertices) {
    const auto& bones = rig_.influences.bones[vertex];
    const auto& weights = rig_.influences.weights[vertex];
    to.joints.insert(to.joints.end(), bones.begin(), bones.end());
    to.weights.insert(to.weights.end(), weights.begin(), weights.end());
  }
}

Value GeosetBuilder::extras(const Geoset& geoset, std::size_t index) const {
  Value value;
  value.set("geoset", static_cast<std::int64_t>(index));
  value.set("level", static_cast<std::int64_t>(index / std::max<std::size_t>(1, levels_.per_level)));
  value.set("vertexStart", geoset.vertex_start);
  if (geoset.unknown != 0) {
    value.set("unknown", geoset.unknown);
  }
  if (geoset.extra != std::array<std::uint32_t, 10>{}) {
    Value::List extra;
    for (const std::uint32_t word : geoset.extra) {
      extra.emplace_back(word);
    }
    value.set("extra", std::move(extra));
  }
  return value;
}

/// As material_of, for many geosets.
scene::Index GeosetBuilder::material(std::size_t geoset) const {
  auto found = materials_.find(geoset);
  if (found == materials_.end() && levels_.per_level > 0) {
    found = materials_.find(geoset % levels_.per_level);
  }
  return found == materials_.end() ? scene::kNone : static_cast<scene::Index>(found->second);
}

std::optional<scene::Mesh> GeosetBuilder::make(const Geoset& geoset, std::size_t index) {
  const std::string path = "MES3.VGEO.geosets[" + std::to_string(index) + "]";
  const auto corner_list = corners(geoset, path);
  if (corner_list.empty()) {
    return std::nullopt;
  }
  const auto vertex_list = vertices(geoset, corner_list);
  scene::Mesh mesh;
  mesh.name = geoset_name(mesh_, geoset);
  if (mesh.name.empty()) {
    mesh.name = "geoset " + std::to_string(index);
  }
  copy_vertices(vertex_list, mesh);
  for (const std::uint32_t corner : corner_list) {
    const auto at = std::lower_bound(vertex_list.begin(), vertex_list.end(), corner);
    mesh.indices.push_back(static_cast<std::uint32_t>(at - vertex_list.begin()));
  }
  mesh.parts.push_back({0, static_cast<scene::Index>(mesh.indices.size()), material(index)});
  mesh.extras = extras(geoset, index);
  mesh.extras.set("vertices", vertex_sum(mesh));
  return mesh;
}

std::optional<scene::Mesh> collision_mesh(const Collision& collision, float scale, Diagnostics& diagnostics) {
  const auto* points = collision.points(FourCC{"CPOS"});
  const auto* corners = collision.corners();
  if (points == nullptr || corners == nullptr) {
    return std::nullopt;
  }
  scene::Mesh mesh;
  mesh.name = "collision";
  for (const Vec3& point : *points) {
    mesh.positions.push_back(turned(point, scale));
  }
  // One normal for each vertex; those for each face are what the triangles say anyway.
  if (const auto* normals = collision.points(FourCC{"CNML"});
      normals != nullptr && normals->size() == points->size()) {
    for (const Vec3& normal : *normals) {
      mesh.normals.push_back(turned(normal));
    }
  }
  std::size_t dropped = corners->size() % 3;
  for (std::size_t i = 0; i + 2 < corners->size(); i += 3) {
    const auto* corner = corners->data() + i;
    if (std::max({corner[0], corner[1], corner[2]}) >= points->size()) {
      dropped += 3;
      continue;
    }
    mesh.indices.insert(mesh.indices.end(), {corner[0], corner[1], corner[2]});
  }
  if (dropped > 0) {
    diagnostics.add(codes::kSceneGeoset,
                    std::to_string(dropped) + (dropped == 1 ? " index" : " indices") +
                        " of incomplete triangles, or of triangles with missing vertices, left out",
                    {}, "M3CL.CINX");
  }
  if (mesh.indices.empty()) {
    return std::nullopt;
  }
  mesh.parts.push_back({0, static_cast<scene::Index>(mesh.indices.size()), scene::kNone});
  return mesh;
}

Bytes element_bytes(const Buffer& buffer) {
  return std::visit(
      [](const auto& elements) {
        using Element = typename std::remove_cvref_t<decltype(elements)>::value_type;
        Bytes bytes(elements.size() * sizeof(Element));
        copy_plain<Element>(bytes.data(), elements.data(), elements.size());
        return bytes;
      },
      buffer.elements);
}

}  // namespace thaw::m3
