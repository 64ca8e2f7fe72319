// Groups: geometry, liquids, collision.
#include "formats/wow/wmo/scene_builder.hpp"

#include <thaw/codes.hpp>

#include <algorithm>

namespace thaw::wmo {
namespace {

using scene::Index;
using scene::kNone;

/// Triangles of a group by material, in the order in which materials are first met.
class Triangles {
 public:
  explicit Triangles(const GroupParts& parts)
      : parts_(parts), covered_(parts.indices.size() / 3), budget_(2 * parts.indices.size()) {
    for (const auto& batch : parts.batches) {
      add_batch(batch);
    }
    // The face list counts for drawing only where no batch has the face (wmo.md#faces).
    const std::size_t faces = std::min(covered_.size(), parts.faces.size());
    for (std::size_t face = 0; face < faces; ++face) {
      if (!covered_[face] && parts.faces[face].material != Faces::kNoMaterial) {
        add_face(face, parts.faces[face].material);
      }
    }
  }

  [[nodiscard]] const std::vector<std::pair<std::size_t, Array<std::uint32_t>>>& by_material() const {
    return lists_;
  }
  [[nodiscard]] std::size_t dropped() const { return dropped_; }

 private:
  void add_batch(const Batch& batch) {
    const std::size_t count = parts_.indices.size();
    const std::size_t end = std::min<std::size_t>(std::size_t{batch.first_index} + batch.index_count, count);
    dropped_ += std::size_t{batch.first_index} + batch.index_count > end ? 1U : 0U;
    for (std::size_t i = batch.first_index; i + 3 <= end && budget_ >= 3; i += 3, budget_ -= 3) {
      // Batches begin and end between faces; a crooked one still draws what its indices say.
      covered_[i / 3] = true;
      add(i, batch.material);
    }
  }

  void add_face(std::size_t face, std::size_t material) { add(face * 3, material); }

  void add(std::size_t first, std::size_t material) {
    const auto* corner = &parts_.indices[first];
    if (std::max({corner[0], corner[1], corner[2]}) >= parts_.positions.size()) {
      ++dropped_;
      return;
    }
    auto& list = list_of_material(material);
    list.insert(list.end(), {corner[0], corner[1], corner[2]});
  }

  Array<std::uint32_t>& list_of_material(std::size_t material) {
    const auto found =
        std::find_if(lists_.begin(), lists_.end(), [&](const auto& list) { return list.first == material; });
    return found != lists_.end() ? found->second
                                 : lists_.emplace_back(material, Array<std::uint32_t>{}).second;
  }

  const GroupParts& parts_;
  std::vector<bool> covered_;
  std::vector<std::pair<std::size_t, Array<std::uint32_t>>> lists_;  ///< at most 256
  /// Batches of good files share no triangles; those of bad ones must not multiply the work.
  std::size_t budget_ = 0;
  std::size_t dropped_ = 0;
};

Array<Vec3> positions_of(const SceneBuilder& builder, const GroupParts& parts) {
  Array<Vec3> positions;
  positions.reserve(parts.positions.size());
  for (const Vec3& v : parts.positions) {
    positions.push_back(builder.position(v));
  }
  return positions;
}

/// Vertex colours, or what the lightmaps say instead of them; empty if the group has neither.
Array<Vec4> colors_of(SceneBuilder& builder, const GroupParts& parts, const std::string& name) {
  Array<Vec4> colors;
  if (parts.positions.empty()) {
    return colors;
  }
  const bool has_colors = parts.colors.size() == parts.positions.size();
  const Array<Bgra> lightmaps = has_colors ? Array<Bgra>{} : baked_lightmaps(parts);
  if (!lightmaps.empty()) {
    builder.diagnostics.add(
        codes::kUnproven,
        "lightmaps are read as DXT1 of 256 × 256 and converted to vertex colours; please share the file", {},
        name);
  }
  for (const Bgra& color : has_colors ? parts.colors : lightmaps) {
    Vec4 value = to_color(color);
    value[3] = 1;  // what the alpha channel means is not known; it is no opacity
    colors.push_back(value);
  }
  return colors;
}

bool is_interior(const GroupHeader& header) {
  return (header.flags & (GroupHeader::kExterior | GroupHeader::kExteriorLit)) == 0;
}

Value group_extras(std::size_t number, const GroupParts& parts) {
  const GroupHeader& header = parts.header;
  Value extras;
  extras.set("group", static_cast<std::int64_t>(number));
  extras.set("flags", header.flags);
  extras.set("interior", is_interior(header));
  extras.set("fogs", list_of(header.fogs));
  extras.set("liquid", header.liquid);
  extras.set("uniqueId", header.unique_id);
  extras.set("portals", Value().set("first", header.first_portal).set("count", header.portal_count));
  if (!parts.lights.empty()) {
    extras.set("lights", list_of(parts.lights));
  }
  if (!parts.doodads.empty()) {
    extras.set("doodads", list_of(parts.doodads));
  }
  return extras;
}

Vec3 unit_or_up(const Vec3& normal) {
  const Vec3 turned = to_y_up(normal);
  return turned == Vec3{} ? Vec3{0, 1, 0} : turned;
}

void fill_vertices(SceneBuilder& builder, const GroupParts& parts, const std::string& name,
                   scene::Mesh& mesh) {
  const std::size_t count = parts.positions.size();
  mesh.positions = positions_of(builder, parts);
  if (parts.normals.size() == count) {
    for (const Vec3& normal : parts.normals) {
      mesh.normals.push_back(unit_or_up(normal));
    }
  }
  for (const Array<Vec2>* set : parts.coordinate_sets) {
    if (set->size() != count) {
      break;  // the next would have another number
    }
    auto& uvs = mesh.uv_sets.emplace_back();
    for (const Vec2& uv : *set) {
      uvs.push_back({finite_or_zero(uv[0]), finite_or_zero(uv[1])});
    }
  }
  mesh.colors = colors_of(builder, parts, name);
}

void note_fixed(SceneBuilder& builder, const GroupParts& parts, const Triangles& triangles,
                const std::string& name) {
  const std::size_t count = parts.positions.size();
  const auto note = [&](std::string text) {
    builder.diagnostics.add(codes::kWmoGroup, std::move(text), {}, name);
  };
  if (triangles.dropped() > 0) {
    note("triangles with missing vertices, or parts of batches past the last index, left out: " +
         std::to_string(triangles.dropped()));
  }
  if (parts.normals.size() != count) {
    note("normals left out: " + std::to_string(parts.normals.size()) + " for " + std::to_string(count) +
         " vertices");
  }
  if (parts.color_sets > 1) {
    builder.diagnostics.add(codes::kSceneLost, "second vertex colours (MOCV) left out", {}, name);
  }
  if (parts.coordinates.size() != count) {
    note("texture coordinates left out: " + std::to_string(parts.coordinates.size()) + " for " +
         std::to_string(count) + " vertices");
  }
  if (!parts.colors.empty() && parts.colors.size() != count) {
    note("vertex colours left out: " + std::to_string(parts.colors.size()) + " for " + std::to_string(count) +
         " vertices");
  }
}

/// Is a face one that stops players? Of a BSP tree those that it lists, of those only solid ones
/// (wmo.md#faces).
std::vector<bool> solid_faces(const GroupParts& parts) {
  const std::size_t count = std::min(parts.faces.size(), parts.indices.size() / 3);
  std::vector<bool> listed(count, parts.bsp_faces.empty());
  for (const std::uint16_t face : parts.bsp_faces) {
    if (face < count) {
      listed[face] = true;
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    const auto face = parts.faces[i];
    const bool detail = (face.flags & Faces::kDetail) != 0 && face.material != Faces::kNoMaterial;
    listed[i] = listed[i] && !detail;
  }
  return listed;
}

scene::Mesh liquid_mesh(const SceneBuilder& builder, const Liquid& liquid) {
  constexpr float kLiquidTile = 100.0F / 24;
  constexpr float kDepth = 0.5F;  // the file says nothing of it
  scene::Mesh mesh;
  mesh.uv_sets.resize(2);
  std::map<std::pair<std::int32_t, std::int32_t>, std::uint32_t> corners;
  const auto corner = [&](std::int32_t x, std::int32_t y) {
    const auto [entry, fresh] =
        corners.emplace(std::pair(x, y), static_cast<std::uint32_t>(mesh.positions.size()));
    if (fresh) {
      mesh.positions.push_back(builder.position(liquid_position(liquid, builder.building.version, x, y)));
      mesh.normals.push_back({0, 1, 0});
      mesh.uv_sets[scene::kLiquidUvs].push_back(
          {static_cast<float>(x) * kLiquidTile / 8, static_cast<float>(y) * kLiquidTile / 8});
      mesh.uv_sets[scene::kDepthUvs].push_back({kDepth, 0.5F});
    }
    return entry->second;
  };
  const std::int32_t width = std::min(liquid.x_tiles, std::max(liquid.x_vertices, 1) - 1);
  const std::int32_t height = std::min(liquid.y_tiles, std::max(liquid.y_vertices, 1) - 1);
  for (std::int32_t y = 0; y < height; ++y) {
    for (std::int32_t x = 0; x < width; ++x) {
      const auto tile = static_cast<std::size_t>(y) * static_cast<std::size_t>(liquid.x_tiles) +
                        static_cast<std::size_t>(x);
      if (tile >= liquid.tiles.size() || (liquid.tiles[tile] & 0xFU) == Liquid::kNone) {
        continue;
      }
      const auto a = corner(x, y);
      const auto b = corner(x + 1, y);
      const auto c = corner(x + 1, y + 1);
      const auto d = corner(x, y + 1);
      mesh.indices.insert(mesh.indices.end(), {a, b, c, a, c, d});
    }
  }
  return mesh;
}

/// What only the game makes use of, as numbers of corners and of wet tiles.
void count_details(const Liquid& liquid, Value& extras) {
  constexpr std::uint8_t kFishable = 0x40;
  constexpr std::uint8_t kShared = 0x80;
  const auto tiles = [&](std::uint8_t bit) {
    return std::count_if(liquid.tiles.begin(), liquid.tiles.end(), [&](std::uint8_t tile) {
      return (tile & 0xFU) != Liquid::kNone && (tile & bit) != 0;
    });
  };
  const auto note = [&](std::string_view name, std::ptrdiff_t count) {
    if (count > 0) {
      extras.set(name, static_cast<std::int64_t>(count));
    }
  };
  note("flow", std::count_if(liquid.vertices.begin(), liquid.vertices.end(),
                             [](const LiquidVertex& vertex) { return vertex.flow != LiquidVertex().flow; }));
  note("fishable", tiles(kFishable));
  note("shared", tiles(kShared));
}

}  // namespace

void add_liquids(SceneBuilder& builder, const GroupParts& parts, const std::string& name, Index parent) {
  /// By LiquidKind. Without liquid there is no mesh to paint.
  static constexpr std::array<std::pair<std::string_view, scene::Liquid>, 5> kKinds = {
      {{"none", scene::Liquid::river},
       {"water", scene::Liquid::river},
       {"ocean", scene::Liquid::ocean},
       {"magma", scene::Liquid::magma},
       {"slime", scene::Liquid::slime}}};
  for (const auto* liquid : parts.liquids) {
    const LiquidKind kind = liquid_kind(*liquid);
    scene::Mesh mesh = kind == LiquidKind::none ? scene::Mesh{} : liquid_mesh(builder, *liquid);
    const auto& [word, look] = kKinds.at(static_cast<std::size_t>(kind));
    const Index node =
        builder.add_node(name + " " + std::string(word), parent,
                         mesh.indices.empty() ? scene::NodeKind::helper : scene::NodeKind::mesh);
    Value& extras = builder.scene.nodes[node].extras;
    extras.set("liquid", word);
    extras.set("tiles", list_of(std::array{liquid->x_tiles, liquid->y_tiles}));
    extras.set("material", static_cast<int>(liquid->material));
    count_details(*liquid, extras);
    if (mesh.indices.empty()) {
      continue;
    }
    mesh.name = builder.scene.nodes[node].name;
    mesh.node = node;
    if (!builder.liquids) {
      builder.liquids.emplace(builder.scene, builder.options.liquid_texture);
    }
    mesh.parts = {{0, static_cast<Index>(mesh.indices.size()), builder.liquids->material(look)}};
    builder.scene.meshes.push_back(std::move(mesh));
  }
}

void add_collision(SceneBuilder& builder, const GroupParts& parts, const std::string& name, Index parent) {
  scene::Mesh mesh;
  const auto solid = solid_faces(parts);
  for (std::size_t face = 0; face < solid.size(); ++face) {
    const auto* corner = &parts.indices[face * 3];
    if (solid[face] && std::max({corner[0], corner[1], corner[2]}) < parts.positions.size()) {
      mesh.indices.insert(mesh.indices.end(), {corner[0], corner[1], corner[2]});
    }
  }
  if (mesh.indices.empty()) {
    return;
  }
  mesh.positions = positions_of(builder, parts);
  mesh.name = name + " collision";
  mesh.node = builder.add_node(mesh.name, parent, scene::NodeKind::mesh);
  builder.scene.nodes[mesh.node].extras.set("bspNodes", static_cast<std::int64_t>(parts.bsp_nodes.size()));
  paint(builder, mesh, Surface::collision);
  builder.scene.meshes.push_back(std::move(mesh));
}

void add_group(SceneBuilder& builder, std::size_t number, const Group& group) {
  const GroupParts parts(group);
  const std::string name = builder.building.group_name(number);
  const Index node = builder.add_node(name, 0, scene::NodeKind::mesh);
  builder.scene.nodes[node].extras = group_extras(number, parts);

  const Triangles triangles(parts);
  note_fixed(builder, parts, triangles, name);
  scene::Mesh mesh;
  mesh.name = name;
  mesh.node = node;
  fill_vertices(builder, parts, name, mesh);
  const bool baked = is_interior(group.header) && !mesh.colors.empty();
  for (const auto& [material, indices] : triangles.by_material()) {
    const Index used = builder.material(material, baked);
    if (used == kNone) {
      builder.diagnostics.add(codes::kSceneReference,
                              "material " + std::to_string(material) + " does not exist; its faces have none",
                              {}, name);
    }
    const auto first = static_cast<Index>(mesh.indices.size());
    mesh.indices.insert(mesh.indices.end(), indices.begin(), indices.end());
    mesh.parts.push_back({first, static_cast<Index>(indices.size()), used});
  }
  if (mesh.indices.empty()) {
    builder.scene.nodes[node].kind = scene::NodeKind::helper;
  } else {
    builder.scene.meshes.push_back(std::move(mesh));
  }
  add_liquids(builder, parts, name, node);
  if (builder.options.collision) {
    add_collision(builder, parts, name, node);
  }
}

}  // namespace thaw::wmo
