// Meshes as groups: which mesh is in which, faces by material, batches, what stops players
// (wmo.md#chunks-of-a-group).
#include "formats/wow/wmo/from_scene/wmo_builder.hpp"

#include "bytes/number_text.hpp"
#include "bytes/text.hpp"
#include "formats/wow/wmo/bsp.hpp"
#include "formats/wow/wmo/from_scene/sorted.hpp"
#include "scene/skinned.hpp"
#include "scene/uv.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace thaw::wmo {
namespace {

constexpr std::size_t kMostGroups = 384;
constexpr std::size_t kMostFaces = 0xFFFF / 3;

// --- which mesh is in which group

/// The node that stands for the group of a drawn mesh: the marked one above it, else its own.
Index group_node(const WmoBuilder& builder, const scene::Mesh& mesh) {
  return mesh.node < builder.group_of_node.size() && builder.group_of_node[mesh.node] != kNone
             ? builder.group_of_node[mesh.node]
             : mesh.node;
}

bool is_drawn(const WmoBuilder& builder, const scene::Mesh& mesh) {
  return mesh.node >= builder.roles.size() || builder.roles[mesh.node] == Role::drawn;
}

/// Nodes of groups in the order that these have: that of the building that came back, then the scene's.
std::vector<Index> group_nodes(WmoBuilder& builder) {
  std::vector<Index> nodes;
  std::set<Index> known;
  for (Index i = 0; i < builder.scene.nodes.size(); ++i) {
    if (builder.group_of_node[i] == i && known.insert(i).second) {
      nodes.push_back(i);
    }
  }
  for (const auto& mesh : builder.scene.meshes) {
    if (is_drawn(builder, mesh) && !mesh.indices.empty() && known.insert(group_node(builder, mesh)).second) {
      nodes.push_back(group_node(builder, mesh));
    }
  }
  const auto number = [&](Index node) {
    const auto stated = node < builder.scene.nodes.size() ? builder.wmo_extras(node)["group"].integer()
                                                          : std::optional<std::int64_t>();
    return stated.value_or(std::numeric_limits<std::int64_t>::max());
  };
  sort_by(nodes, number);
  return nodes;
}

std::string name_of(const WmoBuilder& builder, Index node) {
  return node < builder.scene.nodes.size() ? builder.scene.nodes[node].name : std::string("Building");
}

// --- geometry

class MeshFaces {
 public:
  MeshFaces(WmoBuilder& builder, const scene::Mesh& mesh)
      : builder_(builder), mesh_(mesh), rest_(scene::rest_mesh(builder.scene, mesh, builder.world)) {}

  void add_to(Draft& draft) {
    draft.colored = draft.colored || !mesh_.colors.empty() || mesh_.color != Vec3{1, 1, 1};
    for (const auto& part : mesh_.parts) {
      const std::uint8_t material = material_of(builder_, part.material);
      const auto transform = transform_of(part.material);
      each_triangle(part, [&](const std::array<std::uint32_t, 3>& vertices) {
        Face& face = draft.faces.emplace_back();
        face.material = material;
        for (std::size_t i = 0; i < 3; ++i) {
          face.corners.at(i) = corner(vertices.at(i), transform);
        }
      });
    }
  }

  void add_collision_to(Draft& draft) {
    draft.has_collision = true;
    for (const auto& part : mesh_.parts) {
      each_triangle(part, [&](const std::array<std::uint32_t, 3>& vertices) {
        auto& face = draft.collision.emplace_back();
        for (std::size_t i = 0; i < 3; ++i) {
          face.at(i) = builder_.position(rest_.positions[vertices.at(i)]);
        }
      });
    }
  }

 private:
  template <class F>
  void each_triangle(const scene::MeshPart& part, F&& take) {
    const std::size_t end =
        std::min<std::size_t>(std::size_t{part.first_index} + part.index_count, mesh_.indices.size());
    for (std::size_t i = part.first_index; i + 3 <= end; i += 3) {
      std::array<std::uint32_t, 3> vertices = {mesh_.indices[i], mesh_.indices[i + 1], mesh_.indices[i + 2]};
      if (rest_.inside_out) {
        std::swap(vertices[1], vertices[2]);
      }
      if (*std::max_element(vertices.begin(), vertices.end()) < mesh_.positions.size()) {
        take(vertices);
      }
    }
  }

  /// What stands in the coordinates themselves.
  [[nodiscard]] std::optional<scene::UvTransform> transform_of(Index material) const {
    const auto& materials = builder_.scene.materials;
    if (material >= materials.size() || materials[material].layers.empty()) {
      return std::nullopt;
    }
    const Index animation = materials[material].layers.front().uv_animation;
    return animation < builder_.scene.uv_animations.size()
               ? std::optional(builder_.scene.uv_animations[animation].rest)
               : std::nullopt;
  }

  [[nodiscard]] Corner corner(std::uint32_t vertex, const std::optional<scene::UvTransform>& transform) {
    Corner corner;
    corner.position = builder_.position(rest_.positions[vertex]);
    corner.normal = WmoBuilder::direction(rest_.normals[vertex]);
    if (!mesh_.uv_sets.empty() && vertex < mesh_.uv_sets.front().size()) {
      const Vec2 uv = mesh_.uv_sets.front()[vertex];
      corner.uv = transform ? scene::transformed(uv, *transform) : uv;
    }
    Vec3 color = mesh_.color;
    if (vertex < mesh_.colors.size()) {
      const Vec4& vertex_color = mesh_.colors[vertex];
      color = {color[0] * vertex_color[0], color[1] * vertex_color[1], color[2] * vertex_color[2]};
      if (vertex_color[3] < 1 && !reported_opacity_) {
        reported_opacity_ = true;
        ++builder_.counted_losses["meshes written without their vertex transparency"];
      }
    }
    corner.color = color_of(color);
    return corner;
  }

  WmoBuilder& builder_;
  const scene::Mesh& mesh_;
  scene::RestMesh rest_;
  bool reported_opacity_ = false;
};

// --- collision

/// A triangle by its corners, wherever it begins.
using FaceKey = std::array<Vec3, 3>;
FaceKey key_of(FaceKey corners) {
  std::rotate(corners.begin(), std::min_element(corners.begin(), corners.end()), corners.end());
  return corners;
}

/// Drawn faces that are not among those that stop players let them through; those that are not drawn become
/// faces without a material.
void apply_collision(Draft& draft) {
  if (!draft.has_collision) {
    return;
  }
  std::map<FaceKey, bool> solid;  // and whether it is drawn
  for (const auto& face : draft.collision) {
    solid.emplace(key_of(face), false);
  }
  for (Face& face : draft.faces) {
    const auto found =
        solid.find(key_of({face.corners[0].position, face.corners[1].position, face.corners[2].position}));
    if (found == solid.end()) {
      face.flags |= Faces::kDetail;
    } else {
      found->second = true;
    }
  }
  for (const auto& corners : draft.collision) {
    bool& drawn = solid.at(key_of(corners));
    if (drawn) {
      continue;
    }
    drawn = true;  // once
    const auto wide = [&](std::size_t i) { return scene::widen(corners.at(i)); };
    const Vec3 normal = scene::narrow(scene::unit(
        scene::cross(scene::subtract(wide(1), wide(0)), scene::subtract(wide(2), wide(0))), {0, 0, 1}));
    Face& face = draft.faces.emplace_back();
    face.flags = Faces::kCollision;
    for (std::size_t i = 0; i < 3; ++i) {
      face.corners.at(i) = {corners.at(i), normal, {}, {255, 255, 255, 255}};
    }
  }
  draft.collision.clear();
}

// --- sizes

void measure(Draft& draft) {
  constexpr double kInflation = 1.0 / 36;
  if (draft.faces.empty()) {
    return;
  }
  Vec3 low = draft.faces.front().corners[0].position;
  Vec3 high = low;
  for (const Face& face : draft.faces) {
    for (const Corner& corner : face.corners) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        low.at(axis) = std::min(low.at(axis), corner.position.at(axis));
        high.at(axis) = std::max(high.at(axis), corner.position.at(axis));
      }
    }
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    draft.box.minimum.at(axis) = scene::to_float(double{low.at(axis)} - kInflation);
    draft.box.maximum.at(axis) = scene::to_float(double{high.at(axis)} + kInflation);
  }
}

float middle_of(const Face& face, std::size_t axis) {
  return face.corners[0].position.at(axis) / 3 + face.corners[1].position.at(axis) / 3 +
         face.corners[2].position.at(axis) / 3;
}

/// Across the longest side of the box, until each part has few enough faces.
void divide(Draft draft, std::vector<Draft>& to) {
  if (draft.faces.size() <= kMostFaces) {
    measure(draft);
    to.push_back(std::move(draft));
    return;
  }
  measure(draft);
  std::size_t axis = 0;
  for (std::size_t i = 1; i < 3; ++i) {
    const auto side = [&](std::size_t a) { return draft.box.maximum.at(a) - draft.box.minimum.at(a); };
    axis = side(i) > side(axis) ? i : axis;
  }
  sort_by(draft.faces, [&](const Face& face) { return middle_of(face, axis); });
  const auto half = draft.faces.begin() + static_cast<std::ptrdiff_t>(draft.faces.size() / 2);
  Draft second;
  second.name = draft.name;
  second.node = draft.node;
  second.colored = draft.colored;
  second.faces.assign(half, draft.faces.end());
  draft.faces.erase(half, draft.faces.end());
  divide(std::move(draft), to);
  divide(std::move(second), to);
}

/// The client of WoW Alpha takes so many groups.
void join_groups(WmoBuilder& builder) {
  const std::size_t count = builder.drafts.size();
  if (count <= kMostGroups) {
    return;
  }
  builder.change(std::to_string(count) + " groups joined into " + std::to_string(kMostGroups) +
                 ", the limit of the WoW Alpha client");
  std::vector<Draft> joined(kMostGroups);
  std::vector<std::size_t> became(count);
  for (std::size_t i = 0; i < count; ++i) {
    became[i] = i * kMostGroups / count;
    Draft& to = joined[became[i]];
    Draft& from = builder.drafts[i];
    if (to.name.empty()) {
      to.name = from.name;
      to.node = from.node;
    }
    to.faces.insert(to.faces.end(), from.faces.begin(), from.faces.end());
    to.collision.insert(to.collision.end(), from.collision.begin(), from.collision.end());
    to.has_collision = to.has_collision || from.has_collision;
    to.colored = to.colored || from.colored;
  }
  builder.drafts = std::move(joined);
  for (auto& [number, draft] : builder.draft_of_group) {
    draft = became[draft];
  }
}

// --- the file's terms

std::array<std::int16_t, 6> whole_yards(const Draft& draft, std::size_t first, std::size_t count) {
  std::array<std::int16_t, 6> box{};
  const auto whole = [](double value) {
    return static_cast<std::int16_t>(std::clamp(value, -32768.0, 32767.0));
  };
  for (std::size_t i = first; i < first + count; ++i) {
    for (const Corner& corner : draft.faces[i].corners) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto value = double{corner.position.at(axis)};
        const std::int16_t low = whole(std::floor(value));
        const std::int16_t high = whole(std::ceil(value));
        const bool fresh = i == first && &corner == draft.faces[i].corners.data();
        box.at(axis) = fresh ? low : std::min(box.at(axis), low);
        box.at(axis + 3) = fresh ? high : std::max(box.at(axis + 3), high);
      }
    }
  }
  return box;
}

std::vector<Batch> batches_of(const Draft& draft) {
  std::vector<Batch> batches;
  for (std::size_t i = 0; i < draft.faces.size();) {
    const std::uint8_t material = draft.faces[i].material;
    std::size_t end = i;
    while (end < draft.faces.size() && draft.faces[end].material == material) {
      ++end;
    }
    if (material != Faces::kNoMaterial) {
      Batch& batch = batches.emplace_back();
      batch.material = material;
      batch.box = whole_yards(draft, i, end - i);
      batch.first_index = static_cast<std::uint32_t>(i * 3);
      batch.index_count = static_cast<std::uint16_t>((end - i) * 3);
      batch.first_vertex = static_cast<std::uint16_t>(i * 3);
      batch.last_vertex = static_cast<std::uint16_t>(end * 3 - 1);
    }
    i = end;
  }
  return batches;
}

bool is_called_interior(std::string_view name) {
  const std::string lower = ascii::lowered(name);
  return lower.find("interior") != std::string::npos || lower.find("indoor") != std::string::npos;
}

std::uint32_t flags_of(const WmoBuilder& builder, const Draft& draft) {
  constexpr std::uint32_t kPreserved = GroupHeader::kExterior | GroupHeader::kExteriorLit |
                                       GroupHeader::kUnreachable | GroupHeader::kInterior |
                                       GroupHeader::kAlwaysDraw;
  if (draft.node < builder.scene.nodes.size()) {
    if (const auto stated = builder.wmo_extras(draft.node)["flags"].integer()) {
      return static_cast<std::uint32_t>(*stated) & kPreserved;
    }
    const Value& typed = builder.scene.nodes[draft.node].properties["wmo_interior"];
    if (!typed.is_null()) {
      return typed == Value(true) || typed.number().value_or(0) != 0 ? GroupHeader::kInterior
                                                                     : GroupHeader::kExterior;
    }
  }
  return is_called_interior(draft.name) ? GroupHeader::kInterior : GroupHeader::kExterior;
}

GroupHeader header_of(const WmoBuilder& builder, const Draft& draft, std::size_t number,
                      const std::vector<Batch>& batches) {
  static const Value kNothing;
  const Value& extras = draft.node < builder.scene.nodes.size() ? builder.wmo_extras(draft.node) : kNothing;
  GroupHeader header;
  header.flags = flags_of(builder, draft);
  header.box = draft.box;
  header.liquid = whole<std::uint32_t>(extras["liquid"], Liquid::kNone);
  header.unique_id = whole<std::uint32_t>(extras["uniqueId"], static_cast<std::uint32_t>(number + 1));
  for (std::size_t i = 0; i < header.fogs.size(); ++i) {
    const auto fog = whole<std::uint8_t>(extras["fogs"][i], 0);
    header.fogs.at(i) = fog < builder.fogs.size() ? fog : std::uint8_t{0};
  }
  if (!batches.empty()) {
    const Batch& last = batches.back();
    const BatchRun run{0, static_cast<std::uint16_t>(last.first_index + last.index_count), 0,
                       static_cast<std::uint16_t>(batches.size())};
    const bool outside = (header.flags & (GroupHeader::kExterior | GroupHeader::kExteriorLit)) != 0;
    (outside ? header.exterior : header.interior)[0] = run;
  }
  return header;
}

}  // namespace

Result<void> draft_groups(WmoBuilder& builder) {
  std::map<Index, std::size_t> draft_of_node;
  for (const Index node : group_nodes(builder)) {
    draft_of_node.emplace(node, builder.drafts.size());
    const auto stated = node < builder.scene.nodes.size() ? builder.wmo_extras(node)["group"].integer()
                                                          : std::optional<std::int64_t>();
    if (stated) {
      builder.draft_of_group.emplace(*stated, builder.drafts.size());
    }
    Draft& draft = builder.drafts.emplace_back();
    draft.name = name_of(builder, node);
    draft.node = node;
  }
  for (const auto& mesh : builder.scene.meshes) {
    if (is_drawn(builder, mesh) && !mesh.indices.empty()) {
      MeshFaces(builder, mesh).add_to(builder.drafts[draft_of_node.at(group_node(builder, mesh))]);
    }
  }
  if (builder.materials.size() > Faces::kNoMaterial) {
    return fail(codes::kWriteUnsupported, "the scene has " + std::to_string(builder.materials.size()) +
                                              " materials; the faces of a WMO support at most 255");
  }
  for (Draft& draft : builder.drafts) {
    measure(draft);
  }
  bool collides = false;
  for (const auto& mesh : builder.scene.meshes) {
    if (mesh.node < builder.roles.size() && builder.roles[mesh.node] == Role::collision &&
        !mesh.positions.empty()) {
      const Vec3 first =
          builder.position(scene::rest_mesh(builder.scene, mesh, builder.world).positions.front());
      MeshFaces(builder, mesh).add_collision_to(draft_for(builder, mesh, first));
      collides = true;
    }
  }
  if (builder.came_back && !collides) {
    builder.lost_collision =
        "all faces collide, because the file has no collision mesh (to include one, convert the original WMO "
        "again with --collision)";
  }
  join_groups(builder);
  for (Draft& draft : builder.drafts) {
    apply_collision(draft);
  }
  const bool any = std::any_of(builder.drafts.begin(), builder.drafts.end(),
                               [](const Draft& draft) { return !draft.faces.empty(); });
  return any ? Result<void>() : fail(codes::kWriteUnsupported, "the scene has no triangles");
}

Draft& draft_for(WmoBuilder& builder, const scene::Mesh& mesh, const Vec3& middle) {
  const Index marked = builder.group_of_node[mesh.node];
  const std::string name = ascii::lowered(builder.scene.nodes[mesh.node].name);
  for (Draft& draft : builder.drafts) {
    if (draft.node == marked && marked != kNone) {
      return draft;
    }
  }
  for (Draft& draft : builder.drafts) {
    if (!draft.name.empty() && name.find(ascii::lowered(draft.name)) != std::string::npos) {
      return draft;
    }
  }
  if (builder.drafts.empty()) {
    builder.drafts.emplace_back().name = builder.scene.nodes[mesh.node].name;
  }
  return builder.drafts[builder.room_at(middle, 1).value_or(0)];
}

void divide_groups(WmoBuilder& builder) {
  std::vector<Draft> divided;
  std::map<std::int64_t, std::size_t> first_of;
  for (std::size_t i = 0; i < builder.drafts.size(); ++i) {
    for (const auto& [number, draft] : builder.draft_of_group) {
      if (draft == i) {
        first_of[number] = divided.size();
      }
    }
    const std::size_t before = divided.size();
    divide(std::move(builder.drafts[i]), divided);
    if (divided.size() > before + 1) {
      builder.change("\"" + divided[before].name + "\" has more than " + std::to_string(kMostFaces) +
                     " faces and was divided into " + counted(divided.size() - before, "group"));
    }
  }
  builder.drafts = std::move(divided);
  builder.draft_of_group = std::move(first_of);
  if (builder.drafts.size() > kMostGroups) {
    builder.change(std::to_string(builder.drafts.size()) +
                   " groups written, but the WoW Alpha client supports at most " +
                   std::to_string(kMostGroups) + "; split the WMO");
  }
  for (Draft& draft : builder.drafts) {
    sort_by(draft.faces, [](const Face& face) { return face.material; });
  }
}

Group make_group(const WmoBuilder& builder, const Draft& draft, std::size_t number) {
  wmo::Faces faces;
  Points positions;
  Points normals;
  Coordinates coordinates;
  Indices indices;
  Colors colors;
  for (const Face& face : draft.faces) {
    faces.items.push_back({face.flags, Faces::kNoMaterial, face.material, 0});
    for (const Corner& corner : face.corners) {
      indices.items.push_back(static_cast<std::uint16_t>(positions.items.size()));
      positions.items.push_back(corner.position);
      normals.items.push_back(corner.normal);
      coordinates.items.push_back(corner.uv);
      colors.items.push_back(corner.color);
    }
  }
  Coordinates light_coordinates;
  light_coordinates.items.resize(positions.items.size(), Vec2{});
  std::vector<Batch> batches = batches_of(draft);
  Group group;
  group.header = header_of(builder, draft, number, batches);
  auto& chunks = group.chunks;
  add_chunk(chunks, FourCC{"MOPY"}, std::move(faces));
  add_chunk(chunks, FourCC{"MOVT"}, std::move(positions));
  add_chunk(chunks, FourCC{"MONR"}, std::move(normals));
  add_chunk(chunks, FourCC{"MOTV"}, std::move(coordinates));
  add_chunk(chunks, FourCC{"MOLV"}, std::move(light_coordinates));
  add_chunk(chunks, FourCC{"MOIN"}, std::move(indices));
  add_list(chunks, FourCC{"MOBA"}, std::move(batches));
  if (!draft.lights.empty()) {
    group.header.flags |= GroupHeader::kLights;
    add_chunk(chunks, FourCC{"MOLR"}, Indices{draft.lights});
  }
  if (!draft.doodads.empty()) {
    group.header.flags |= GroupHeader::kDoodads;
    add_chunk(chunks, FourCC{"MODR"}, Indices{draft.doodads});
  }
  add_bsp(group);
  if (draft.colored) {
    group.header.flags |= GroupHeader::kVertexColors;
    add_chunk(chunks, FourCC{"MOCV"}, std::move(colors));
  }
  if (!draft.liquids.empty()) {
    group.header.flags |= GroupHeader::kLiquid;
    add_list(chunks, FourCC{"MLIQ"}, draft.liquids);
  }
  return group;
}

}  // namespace thaw::wmo
