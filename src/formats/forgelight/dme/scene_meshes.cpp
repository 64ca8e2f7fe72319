// Meshes: vertices by their layout, triangles by draw call, joints by each call's own palette
// (materials.md#vertices).
#include <thaw/codes.hpp>

#include "bytes/number_text.hpp"
#include "formats/forgelight/dme/scene_parts.hpp"
#include "formats/forgelight/dme/vertices.hpp"
#include "scene/math.hpp"

#include <cmath>

namespace thaw::dme {
namespace {

using materials::Usage;
using scene::cross;
using scene::dot;
using scene::Index;
using scene::kNone;
using scene::length;
using scene::scaled;
using scene::subtract;
using scene::Vec3d;

constexpr unsigned kInfluences = 4;
constexpr std::uint32_t kUnowned = ~std::uint32_t{0};

Vec3d direction(const Attribute& attribute, std::size_t vertex) {
  const auto v = attribute.at(vertex);
  const bool bytes = attribute.type() == materials::Type::ubyte4_normalized;
  Vec3d result{};
  for (std::size_t i = 0; i < 3; ++i) {
    result[i] = bytes ? double{v[i]} * 2 - 1 : double{v[i]};
  }
  return result;
}

/// None for what has no direction.
std::optional<Vec3d> unit(const Vec3d& v) {
  const double size = length(v);
  return size > 1e-6 ? std::optional(scaled(v, 1 / size)) : std::nullopt;
}

class MeshBuilder {
 public:
  MeshBuilder(Build& build, std::size_t index, const std::string& name)
      : build_(build), index_(index), source_(build.document.meshes[index]) {
    mesh_.name = name;
    const auto& materials = build.palette.materials;
    const std::uint32_t definition = index < materials.size() ? materials[index].definition : 0;
    found_ = mesh_layout(source_, definition, build.document.version, build.options.library);
  }

  void run() {
    const Attribute positions(source_, found_.layout, Usage::position);
    if (!positions || source_.index_count() < 3) {
      note(codes::kSceneGeoset,
           positions ? "mesh without triangles left out" : "mesh without positions left out");
      return;
    }
    note_layout();
    collect_calls();
    read_positions(positions);
    read_directions();
    read_uvs();
    read_colors();
    read_skin();
    add_triangles();
    if (mesh_.indices.empty()) {
      note(codes::kSceneGeoset, "mesh without triangles left out");
      return;
    }
    settle_winding();
    finish();
  }

 private:
  void note(const Code& code, std::string message) {
    build_.diagnostics.add(code, std::move(message), {}, "meshes[" + std::to_string(index_) + "]");
  }

  void note_layout() {
    const std::string name = "the layout " + found_.layout.name;
    if (found_.guessed) {
      note(codes::kDmeLayout, name +
                                  " was chosen by the vertex size; name the material definitions with "
                                  "--materials FILE to be certain");
    }
    if (found_.cut) {
      note(codes::kDmeStride, name + " is larger than the vertices; its last parts are ignored");
    }
    for (unsigned i = 0; i < source_.streams.size(); ++i) {
      const std::size_t known = found_.layout.stride(i);
      if (known < source_.streams[i].stride) {
        note(codes::kDmeStride, "unknown data left out: the last " +
                                    counted(source_.streams[i].stride - known, "byte") +
                                    " of each vertex in stream " + std::to_string(i));
      }
    }
  }

  /// The draw calls of the mesh; all indices as one where there are none.
  void collect_calls() {
    const auto& calls = build_.document.draw_calls;
    const std::size_t first = std::min<std::size_t>(source_.first_draw_call, calls.size());
    const std::size_t count = build_.document.version >= 4
                                  ? std::min<std::size_t>(source_.draw_call_count, calls.size() - first)
                                  : 0;
    calls_.assign(calls.begin() + static_cast<std::ptrdiff_t>(first),
                  calls.begin() + static_cast<std::ptrdiff_t>(first + count));
    if (calls_.empty()) {
      DrawCall all;
      all.bone_count = static_cast<std::uint32_t>(build_.document.bone_map.size());
      all.index_count = static_cast<std::uint32_t>(source_.index_count());
      calls_.push_back(all);
    }
    // Calls may share indices, so that a hostile list of them could request any number of triangles.
    std::uint64_t room = 2 * std::uint64_t{source_.index_count()};
    for (DrawCall& call : calls_) {
      const std::uint64_t left =
          source_.index_count() - std::min<std::uint64_t>(call.first_index, source_.index_count());
      call.index_count = static_cast<std::uint32_t>(std::min({std::uint64_t{call.index_count}, left, room}));
      room -= call.index_count;
    }
    owners_.assign(source_.vertex_count, kUnowned);
    bool shared = false;
    for (std::uint32_t c = 0; c < calls_.size(); ++c) {
      for_each_index(calls_[c], [&](std::uint32_t vertex) {
        const bool same =
            owners_[vertex] == kUnowned || calls_[owners_[vertex]].first_bone == calls_[c].first_bone;
        shared = shared || !same;
        owners_[vertex] = owners_[vertex] == kUnowned ? c : owners_[vertex];
      });
    }
    if (shared) {
      note(codes::kSceneGeoset,
           "draw calls with different palettes share vertices; the first palette is used");
    }
  }

  /// Every index of a call that means a vertex.
  template <class F>
  void for_each_index(const DrawCall& call, F&& each) const {
    const std::uint64_t end = std::uint64_t{call.first_index} + call.index_count;
    for (std::uint64_t i = call.first_index; i < end; ++i) {
      const std::uint32_t vertex = source_.index(static_cast<std::size_t>(i));
      if (vertex < source_.vertex_count) {
        each(vertex);
      }
    }
  }

  void read_positions(const Attribute& positions) {
    mesh_.positions.resize(source_.vertex_count);
    for (std::size_t i = 0; i < mesh_.positions.size(); ++i) {
      const auto v = positions.at(i);
      mesh_.positions[i] = {v[0], v[1], v[2]};
    }
  }

  /// Normals as stored, else from the tangent space; then tangents that fit them.
  void read_directions() {
    const Attribute normals(source_, found_.layout, Usage::normal);
    const Attribute tangents(source_, found_.layout, Usage::tangent);
    const Attribute binormals(source_, found_.layout, Usage::binormal);
    signed_ = tangents && tangents.type() == materials::Type::ubyte4_normalized;
    if (!normals && !(tangents && binormals)) {
      return;
    }
    mesh_.normals.resize(mesh_.positions.size());
    for (std::size_t i = 0; i < mesh_.positions.size(); ++i) {
      const double sign = signed_ && tangents.bytes(i)[3] < 128 ? -1 : 1;
      const Vec3d normal = normals ? stored_normal(normals, i)
                                   : scaled(cross(direction(binormals, i), direction(tangents, i)), -sign);
      const Vec3d outward = unit(normal).value_or(Vec3d{0, 1, 0});
      mesh_.normals[i] = scene::narrow(outward);
    }
    if (tangents && binormals && signed_) {
      read_tangents(tangents);
    }
  }

  static Vec3d stored_normal(const Attribute& normals, std::size_t vertex) {
    Vec3d normal = direction(normals, vertex);
    if (normals.type() == materials::Type::ubyte4_normalized) {
      const auto bytes = normals.bytes(vertex);
      for (std::size_t i = 0; i < 3; ++i) {
        normal[i] = double{static_cast<float>(bytes[i])} / 128 - 1;
      }
    }
    return normal;
  }

  void read_tangents(const Attribute& tangents) {
    mesh_.tangents.resize(mesh_.positions.size());
    for (std::size_t i = 0; i < mesh_.positions.size(); ++i) {
      const Vec3d normal = scene::widen(mesh_.normals[i]);
      const Vec3d along = direction(tangents, i);
      const Vec3d flat = subtract(along, scaled(normal, dot(along, normal)));
      const Vec3d other = std::fabs(normal[0]) < 0.9 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
      const Vec3d tangent = unit(flat).value_or(*unit(cross(normal, other)));
      const Vec3 narrow = scene::narrow(tangent);
      mesh_.tangents[i] = {narrow[0], narrow[1], narrow[2], tangents.bytes(i)[3] < 128 ? -1.0F : 1.0F};
    }
  }

  void read_uvs() {
    constexpr unsigned kMost = 8;
    for (unsigned set = 0; set < kMost; ++set) {
      const Attribute uvs(source_, found_.layout, Usage::texcoord, set);
      if (!uvs) {
        return;
      }
      Array<Vec2> values(mesh_.positions.size());
      for (std::size_t i = 0; i < values.size(); ++i) {
        const auto v = uvs.at(i);
        values[i] = {v[0], v[1]};
      }
      mesh_.uv_sets.push_back(std::move(values));
    }
  }

  void read_colors() {
    const Attribute colors(source_, found_.layout, Usage::color);
    if (!colors) {
      return;
    }
    mesh_.colors.resize(mesh_.positions.size());
    for (std::size_t i = 0; i < mesh_.colors.size(); ++i) {
      mesh_.colors[i] = colors.at(i);
    }
  }

  // --- skin
  // ------------------------------------------------------------------------------------------------

  /// Index into the model's bones, or none if the palette does not lead to one.
  [[nodiscard]] std::optional<std::uint16_t> bone_of(std::size_t vertex, std::uint8_t place) const {
    const auto& document = build_.document;
    const std::uint32_t owner = owners_[vertex];
    const DrawCall& call = calls_[owner == kUnowned ? 0 : owner];
    const std::uint64_t entry = std::uint64_t{call.first_bone} + place;
    if (place >= call.bone_count || entry >= document.bone_map.size()) {
      return std::nullopt;
    }
    const std::uint16_t bone = document.bone_map[static_cast<std::size_t>(entry)][0];
    return bone < document.bone_hashes.size() ? std::optional(bone) : std::nullopt;
  }

  void read_skin() {
    const Attribute weights(source_, found_.layout, Usage::blend_weight);
    const Attribute indices(source_, found_.layout, Usage::blend_indices);
    const Attribute binormals(source_, found_.layout, Usage::binormal);
    if (build_.skin == kNone) {
      return;
    }
    if (weights && indices) {
      read_weights(weights, indices);
    } else if (found_.layout.is_rigid() && binormals &&
               binormals.type() == materials::Type::ubyte4_normalized) {
      mesh_.influences = 1;
      mesh_.joints.assign(mesh_.positions.size(), 0);
      mesh_.weights.assign(mesh_.positions.size(), 1);
      for (std::size_t i = 0; i < mesh_.joints.size(); ++i) {
        const auto bone = bone_of(i, binormals.bytes(i)[3]);
        lost_ += bone ? 0U : 1U;
        mesh_.joints[i] = bone.value_or(0);
      }
    }
    if (lost_ > 0) {
      note(codes::kSceneReference, counted(lost_, "weight") +
                                       " of missing bones left out; vertices without another bone "
                                       "follow the first one");
    }
    mesh_.skin = mesh_.influences > 0 ? build_.skin : kNone;
  }

  void read_weights(const Attribute& weights, const Attribute& indices) {
    mesh_.influences = kInfluences;
    mesh_.joints.assign(mesh_.positions.size() * kInfluences, 0);
    mesh_.weights.assign(mesh_.positions.size() * kInfluences, 0);
    for (std::size_t i = 0; i < mesh_.positions.size(); ++i) {
      const auto shares = weights.at(i);
      const auto places = indices.bytes(i);
      std::array<double, kInfluences> valid_shares{};
      double sum = 0;
      for (unsigned k = 0; k < kInfluences; ++k) {
        const double share = std::max(0.0, double{shares[k]});
        const auto bone = share > 0 ? bone_of(i, places[k]) : std::nullopt;
        lost_ += share > 0 && !bone ? 1U : 0U;
        valid_shares[k] = bone ? share : 0;
        sum += valid_shares[k];
        mesh_.joints[i * kInfluences + k] = bone.value_or(0);
      }
      for (unsigned k = 0; k < kInfluences; ++k) {
        // A vertex that hangs on nothing stays with the first bone.
        mesh_.weights[i * kInfluences + k] = static_cast<float>(sum > 0  ? valid_shares[k] / sum
                                                                : k == 0 ? 1
                                                                         : 0);
      }
    }
  }

  // --- triangles
  // -------------------------------------------------------------------------------------------

  void add_triangles() {
    std::size_t broken = 0;
    for (const DrawCall& call : calls_) {
      scene::MeshPart part;
      part.first_index = static_cast<Index>(mesh_.indices.size());
      const std::uint64_t end = std::uint64_t{call.first_index} + call.index_count;
      for (std::uint64_t i = call.first_index; i + 3 <= end; i += 3) {
        broken += add_triangle(static_cast<std::size_t>(i)) ? 0U : 1U;
      }
      part.index_count = static_cast<Index>(mesh_.indices.size()) - part.first_index;
      part.material =
          build_.materials.empty() ? kNone : build_.materials[std::min(index_, build_.materials.size() - 1)];
      if (part.index_count > 0) {
        mesh_.parts.push_back(part);
      }
    }
    if (broken > 0) {
      note(codes::kSceneGeoset, counted(broken, "triangle") + " with missing vertices left out");
    }
  }

  /// The file's triangles are clockwise from outside.
  bool add_triangle(std::size_t first) {
    const std::array<std::uint32_t, 3> corners = {source_.index(first), source_.index(first + 2),
                                                  source_.index(first + 1)};
    for (const std::uint32_t corner : corners) {
      if (corner >= source_.vertex_count) {
        return false;
      }
    }
    mesh_.indices.insert(mesh_.indices.end(), corners.begin(), corners.end());
    return true;
  }

  /// Where the sign of the tangent space is known, the normals are right and show triangles that are the
  /// other way round in all of the mesh; where it is not, the triangles show the side of the normals.
  void settle_winding() {
    if (mesh_.normals.empty()) {
      return;
    }
    std::size_t with = 0;
    std::size_t against = 0;
    for (std::size_t i = 0; i + 2 < mesh_.indices.size(); i += 3) {
      const Vec3d a = scene::widen(mesh_.positions[mesh_.indices[i]]);
      const Vec3d b = scene::widen(mesh_.positions[mesh_.indices[i + 1]]);
      const Vec3d c = scene::widen(mesh_.positions[mesh_.indices[i + 2]]);
      const double side =
          dot(cross(subtract(b, a), subtract(c, a)), scene::widen(mesh_.normals[mesh_.indices[i]]));
      with += side > 0 ? 1U : 0U;
      against += side < 0 ? 1U : 0U;
    }
    if (against <= with) {
      return;
    }
    const Attribute normals(source_, found_.layout, Usage::normal);
    if (signed_ || normals) {
      for (std::size_t i = 0; i + 2 < mesh_.indices.size(); i += 3) {
        std::swap(mesh_.indices[i + 1], mesh_.indices[i + 2]);
      }
      return;
    }
    for (auto& normal : mesh_.normals) {
      normal = {0 - normal[0], 0 - normal[1], 0 - normal[2]};
    }
  }

  void finish() {
    scene::Node node;
    node.name = mesh_.name;
    node.kind = scene::NodeKind::mesh;
    node.parent = build_.parent;
    mesh_.node = static_cast<Index>(build_.scene.nodes.size());
    mesh_.extras.set("layout", found_.layout.name);
    build_.scene.nodes.push_back(std::move(node));
    build_.scene.meshes.push_back(std::move(mesh_));
  }

  Build& build_;
  std::size_t index_;
  const Mesh& source_;
  MeshLayout found_;
  scene::Mesh mesh_;
  std::vector<DrawCall> calls_;
  std::vector<std::uint32_t> owners_;  ///< draw call of each vertex
  bool signed_ = false;
  std::size_t lost_ = 0;
};

}  // namespace

void add_mesh(Build& build, std::size_t index, const std::string& name) {
  MeshBuilder(build, index, name).run();
}

}  // namespace thaw::dme
