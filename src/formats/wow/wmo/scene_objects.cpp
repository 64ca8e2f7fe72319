// Objects in a building: portals, lights, fogs, doodads.
#include "bytes/number_text.hpp"
#include "bytes/text.hpp"
#include "formats/wow/wmo/scene_builder.hpp"
#include "scene/math.hpp"

#include <thaw/codes.hpp>

namespace thaw::wmo {
namespace {

using scene::Index;
using scene::kNone;

/// The corners of a portal, as many as there are.
std::span<const Vec3> corners_of(const Building& building, const Portal& portal) {
  const auto& all = building.portal_vertices;
  const std::size_t first = std::min<std::size_t>(portal.first_vertex, all.size());
  return {all.data() + first, std::min<std::size_t>(portal.vertex_count, all.size() - first)};
}

void add_portal_mesh(SceneBuilder& builder, std::span<const Vec3> corners, Index node) {
  scene::Mesh mesh;
  for (const Vec3& corner : corners) {
    mesh.positions.push_back(builder.position(corner));
  }
  for (std::uint32_t i = 2; i < corners.size(); ++i) {
    mesh.indices.insert(mesh.indices.end(), {0U, i - 1, i});
  }
  if (mesh.indices.empty()) {
    return;
  }
  mesh.name = builder.scene.nodes[node].name;
  mesh.node = node;
  builder.scene.nodes[node].kind = scene::NodeKind::mesh;
  paint(builder, mesh, Surface::portal);
  builder.scene.meshes.push_back(std::move(mesh));
}

}  // namespace

void add_portals(SceneBuilder& builder) {
  const Building& building = builder.building;
  if (building.portals.empty()) {
    return;
  }
  std::vector<Value> sides(building.portals.size());
  for (const auto& reference : building.portal_references) {
    if (reference.portal < sides.size()) {
      sides[reference.portal].push(Value()
                                       .set("group", static_cast<int>(reference.group))
                                       .set("side", static_cast<int>(reference.side)));
    }
  }
  const Index parent = builder.add_node("Portals", 0, scene::NodeKind::helper);
  // Portals of good files share no vertices; those of bad ones must not multiply what comes out.
  std::size_t budget = 4 * building.portal_vertices.size();
  for (std::size_t i = 0; i < building.portals.size(); ++i) {
    const Portal& portal = building.portals[i];
    const Index node = builder.add_node("portal " + std::to_string(i), parent, scene::NodeKind::helper);
    auto corners = corners_of(building, portal);
    corners = corners.first(std::min(corners.size(), budget));
    budget -= corners.size();
    Value vertices = Value::List{};
    for (const Vec3& corner : corners) {
      vertices.push(list_of(builder.position(corner)));
    }
    Value& extras = builder.scene.nodes[node].extras;
    extras.set("portal", static_cast<std::int64_t>(i));
    extras.set("vertices", std::move(vertices));
    extras.set("normal", list_of(to_y_up(portal.normal)));
    extras.set("distance", finite_or_zero(portal.distance) * builder.options.scale);
    extras.set("sides", std::move(sides[i]));
    if (builder.options.portals) {
      add_portal_mesh(builder, corners, node);
    }
  }
}

void add_lights(SceneBuilder& builder) {
  static constexpr std::array<const char*, 4> kTypes = {"omni", "spot", "direct", "ambient"};
  const auto& lights = builder.building.lights;
  if (lights.empty()) {
    return;
  }
  const Index parent = builder.add_node("Lights", 0, scene::NodeKind::helper);
  for (std::size_t i = 0; i < lights.size(); ++i) {
    const Light& source = lights[i];
    const Index node = builder.add_node("light " + std::to_string(i), parent, scene::NodeKind::light);
    builder.scene.nodes[node].rest.translation = builder.position(source.position);
    Value& extras = builder.scene.nodes[node].extras;
    extras.set("light", static_cast<std::int64_t>(i));
    extras.set("type", source.type < kTypes.size() ? kTypes.at(source.type) : "unknown");
    scene::Light light;
    light.node = node;
    light.kind = source.type == 2   ? scene::Light::Kind::directional
                 : source.type == 3 ? scene::Light::Kind::ambient
                                    : scene::Light::Kind::omni;
    const Vec4 color = to_color(source.color);
    light.color = {color[0], color[1], color[2]};
    light.intensity = finite_or_zero(source.intensity);
    if (source.use_attenuation != 0) {
      light.attenuation_start = finite_or_zero(source.attenuation_start) * builder.options.scale;
      light.attenuation_end = finite_or_zero(source.attenuation_end) * builder.options.scale;
    }
    builder.scene.lights.push_back(light);
  }
}

namespace {

Value fog_values(const Fog::Values& values, float scale) {
  Value result;
  result.set("start", finite_or_zero(values.end) * finite_or_zero(values.start_scalar) * scale);
  result.set("end", finite_or_zero(values.end) * scale);
  result.set("color", list_of(values.color));
  return result;
}

}  // namespace

void add_fogs(SceneBuilder& builder) {
  const auto& fogs = builder.building.fogs;
  if (fogs.empty()) {
    return;
  }
  const float scale = builder.options.scale;
  const Index parent = builder.add_node("Fogs", 0, scene::NodeKind::helper);
  for (std::size_t i = 0; i < fogs.size(); ++i) {
    const Index node = builder.add_node("fog " + std::to_string(i), parent, scene::NodeKind::helper);
    builder.scene.nodes[node].rest.translation = builder.position(fogs[i].position);
    Value& extras = builder.scene.nodes[node].extras;
    extras.set("fog", static_cast<std::int64_t>(i));
    extras.set("flags", fogs[i].flags);
    extras.set("smallRadius", finite_or_zero(fogs[i].small_radius) * scale);
    extras.set("largeRadius", finite_or_zero(fogs[i].large_radius) * scale);
    extras.set("air", fog_values(fogs[i].air, scale));
    extras.set("water", fog_values(fogs[i].water, scale));
  }
}

// --- doodads
// ----------------------------------------------------------------------------------------------------

namespace {

std::optional<std::size_t> find_set(const Building& building, const std::string& requested) {
  for (std::size_t i = 0; i < building.doodad_sets.size(); ++i) {
    if (ascii::same(building.set_name(i), requested)) {
      return i;
    }
  }
  const auto index = parse_whole(requested);
  return index && *index < building.doodad_sets.size() ? std::optional<std::size_t>(*index) : std::nullopt;
}

/// Makes each model once.
class Models {
 public:
  explicit Models(SceneBuilder& builder) : builder_(builder) {}

  struct Entry {
    Index model = kNone;
    Vec4 turn{0, 0, 0, 1};
  };

  const Entry& of(std::string_view path) {
    const auto [entry, fresh] = entries_.emplace(ascii::lowered(path), Entry{});
    if (fresh && builder_.options.load_model && !path.empty()) {
      Model model = builder_.options.load_model(path);
      if (model.scene != nullptr) {
        entry->second = {static_cast<Index>(builder_.scene.models.size()), model.turn};
        builder_.scene.models.push_back(std::move(model.scene));
      } else {
        builder_.diagnostics.add(codes::kWmoDoodad,
                                 "doodad model " + to_utf8(path) + " not found in any source, or unreadable",
                                 {}, "MODN");
      }
    }
    return entry->second;
  }

 private:
  SceneBuilder& builder_;
  std::map<std::string, Entry> entries_;
};

/// T · R · S of a doodad in the axes of the scene, with the model's own turn (wow-alpha-world.md#placements).
scene::Transform transform_of(const SceneBuilder& builder, const Doodad& doodad, const Vec4& turn) {
  const Vec4& q = doodad.rotation;
  const Vec4 turned = {finite_or_zero(q[1]), finite_or_zero(q[2]), finite_or_zero(q[0]),
                       finite_or_zero(q[3])};
  const auto rotation =
      scene::quaternion_product(scene::normalized(scene::widen(turned)), scene::widen(turn));
  const float size = finite_or_zero(doodad.scale);
  return {builder.position(doodad.position), scene::narrow(scene::normalized(rotation)), {size, size, size}};
}

void add_doodad(SceneBuilder& builder, Models& models, std::size_t index, Index parent) {
  const Doodad& doodad = builder.building.doodads[index];
  const std::string_view path = name_at(builder.building.doodad_names, doodad.name_offset());
  const auto& model = models.of(path);
  const std::string name = path.empty() ? "doodad" : path_stem(path);
  const Index node = builder.add_node(name + " " + std::to_string(index), parent, scene::NodeKind::helper);
  builder.scene.nodes[node].rest = transform_of(builder, doodad, model.turn);
  Value& extras = builder.scene.nodes[node].extras;
  extras.set("doodad", static_cast<std::int64_t>(index));
  extras.set("model", to_utf8(path));
  extras.set("flags", static_cast<int>(doodad.flags));
  extras.set("color", list_of(doodad.color));
  if (model.turn != Vec4{0, 0, 0, 1}) {
    extras.set("turned", true);  // for its model: the doodad itself is not
  }
  if (model.model != kNone) {
    builder.scene.placements.push_back({node, model.model});
  }
}

}  // namespace

Result<std::vector<bool>> shown_sets(const Building& building, const SceneOptions& options) {
  const std::string requested = ascii::lowered(options.doodad_set);
  std::vector<bool> shown(building.doodad_sets.size(), requested == "all");
  if (requested == "all" || requested == "none") {
    return shown;
  }
  if (!shown.empty()) {
    shown[0] = true;
  }
  if (!requested.empty() && requested != "0") {
    const auto set = find_set(building, options.doodad_set);
    if (!set) {
      std::string names;
      for (std::size_t i = 0; i < building.doodad_sets.size() && names.size() < 500; ++i) {
        names += (i > 0 ? ", " : "") + std::to_string(i) + " " + building.set_name(i);
      }
      return fail(codes::kWmoDoodadSet, "no doodad set " + options.doodad_set +
                                            "; the sets are: " + (names.empty() ? "none" : names));
    }
    shown[*set] = true;
  }
  return shown;
}

void add_doodads(SceneBuilder& builder, const std::vector<bool>& shown) {
  const Building& building = builder.building;
  Models models(builder);
  // Sets of good files share no doodads; those of bad ones must not multiply what comes out.
  std::size_t budget = 4 * building.doodads.size();
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const DoodadSet& set = building.doodad_sets[i];
    if (!shown[i]) {
      continue;
    }
    const Index parent = builder.add_node(building.set_name(i), 0, scene::NodeKind::helper);
    builder.scene.nodes[parent].extras.set("doodadSet", static_cast<std::int64_t>(i));
    const std::size_t first = std::min<std::size_t>(set.first, building.doodads.size());
    const std::size_t count = std::min<std::size_t>(set.count, building.doodads.size() - first);
    if (count < set.count) {
      builder.diagnostics.add(
          codes::kSceneReference,
          "doodad set " + std::to_string(i) + " refers to missing doodads, which are left out", {}, "MODS");
    }
    for (std::size_t k = 0; k < std::min(count, budget); ++k) {
      add_doodad(builder, models, first + k, parent);
    }
    budget -= std::min(count, budget);
  }
}

}  // namespace thaw::wmo
