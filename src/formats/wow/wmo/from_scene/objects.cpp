// Objects in a building: portals, lights, doodads, fogs (wmo.md#portals, wmo.md#doodads).
#include "bytes/text.hpp"
#include "formats/wow/wmo/from_scene/sorted.hpp"
#include "formats/wow/wmo/from_scene/wmo_builder.hpp"
#include "scene/skinned.hpp"

#include <algorithm>
#include <cmath>
#include <thaw/wmo.hpp>

namespace thaw::wmo {
namespace {

constexpr std::size_t kMostReferences = 0xFFFF;

Vec3d vector_of(const Value& value) {
  return {value[0].number().value_or(0), value[1].number().value_or(0), value[2].number().value_or(0)};
}

std::string quoted(const std::string& name) { return "\"" + name + "\""; }

// --- portals

/// A plane with the corners of its hole, counter-clockwise about the normal.
struct Opening {
  std::vector<Vec3> corners;
  Vec3d normal{};
};

Vec3d middle_of(const std::vector<Vec3>& corners) {
  Vec3d sum{};
  for (const Vec3& corner : corners) {
    sum = scene::add(sum, scene::widen(corner));
  }
  return scene::scaled(sum, 1 / static_cast<double>(std::max<std::size_t>(1, corners.size())));
}

/// Of a mesh: its corners around their middle, beginning with the first.
Opening opening_of(const WmoBuilder& builder, const scene::Mesh& mesh) {
  Opening opening;
  const auto rest = scene::rest_mesh(builder.scene, mesh, builder.world);
  for (const Vec3d& position : rest.positions) {
    const Vec3 corner = builder.position(position);
    if (std::find(opening.corners.begin(), opening.corners.end(), corner) == opening.corners.end() &&
        opening.corners.size() < kMostReferences) {
      opening.corners.push_back(corner);
    }
  }
  for (std::size_t i = 0; i + 3 <= mesh.indices.size(); i += 3) {
    const auto at = [&](std::size_t corner) {
      const std::uint32_t vertex = std::min<std::uint32_t>(
          mesh.indices[i + corner], static_cast<std::uint32_t>(rest.positions.size() - 1));
      return scene::widen(builder.position(rest.positions[vertex]));
    };
    opening.normal = scene::add(opening.normal,
                                scene::cross(scene::subtract(at(1), at(0)), scene::subtract(at(2), at(0))));
  }
  opening.normal = scene::scaled(scene::unit(opening.normal, {}), rest.inside_out ? -1 : 1);
  const Vec3d middle = middle_of(opening.corners);
  if (opening.corners.empty()) {
    return opening;
  }
  const Vec3d first = scene::subtract(scene::widen(opening.corners.front()), middle);
  const Vec3d across = scene::cross(opening.normal, first);
  const auto angle = [&](const Vec3& corner) {
    const Vec3d offset = scene::subtract(scene::widen(corner), middle);
    const double turn = scene::arc_tangent(scene::dot(offset, across), scene::dot(offset, first));
    return turn < -1e-6 ? turn + 2 * scene::kPi : turn;
  };
  sort_by(opening.corners, angle);
  return opening;
}

/// The opening that write_gltf exported, moved with its node.
Opening exported_opening(const WmoBuilder& builder, Index node) {
  Opening opening;
  const Mat4d& world = builder.world[node];
  const auto at = [&](const Vec3d& place) {
    return builder.position(world == scene::kIdentity ? place : scene::transform_point(world, place));
  };
  for (const Value& corner : builder.wmo_extras(node)["vertices"].list()) {
    opening.corners.push_back(at(vector_of(corner)));
  }
  const Vec3d normal = vector_of(builder.wmo_extras(node)["normal"]);
  Mat4d turn = world;
  turn[12] = turn[13] = turn[14] = 0;
  opening.normal = scene::widen(WmoBuilder::direction(
      world == scene::kIdentity ? normal : scene::unit(scene::transform_point(turn, normal), {})));
  return opening;
}

/// The groups on the side that the normal points to and on the other; none if they are unknown.
using Sides = std::optional<std::pair<std::size_t, std::size_t>>;

Sides exported_sides(const WmoBuilder& builder, Index node) {
  const auto& sides = builder.wmo_extras(node)["sides"].list();
  Sides result;
  if (sides.size() == 2) {
    // Where a reference leads, seen from the other group.
    const auto group = [&](std::int64_t side) {
      for (const Value& value : sides) {
        if (value["side"].integer() == -side) {
          const auto found = builder.draft_of_group.find(value["group"].integer().value_or(-1));
          return found == builder.draft_of_group.end() ? std::optional<std::size_t>() : found->second;
        }
      }
      return std::optional<std::size_t>();
    };
    const auto front = group(1);
    const auto back = group(-1);
    if (front && back) {
      result.emplace(*front, *back);
    }
  }
  return result;
}

Sides sides_by_place(const WmoBuilder& builder, const Opening& opening) {
  constexpr double kStep = 0.5;  // yards
  const Vec3d middle = middle_of(opening.corners);
  const auto at = [&](double side) {
    return builder.room_at(scene::narrow(scene::add(middle, scene::scaled(opening.normal, side * kStep))), 0);
  };
  const auto front = at(1);
  const auto back = at(-1);
  return front && back && *front != *back ? Sides(std::pair(*front, *back)) : std::nullopt;
}

void add_portal(WmoBuilder& builder, const Opening& opening, Sides sides, const std::string& name) {
  if (opening.corners.size() < 3 || opening.normal == Vec3d{}) {
    builder.lose("portal " + quoted(name) + " left out: it has fewer than three corners, or no area");
    return;
  }
  if (builder.portals.size() >= kMostReferences ||
      builder.portal_corners.items.size() + opening.corners.size() > kMostReferences) {
    ++builder.counted_losses["portals beyond the format's 65535 portals or 65535 vertices left out"];
    return;
  }
  if (!sides) {
    sides = sides_by_place(builder, opening);
  }
  if (!sides) {
    builder.lose("portal " + quoted(name) + " left out: it does not lie between two groups");
    return;
  }
  const auto number = static_cast<std::uint16_t>(builder.portals.size());
  Portal portal;
  portal.first_vertex = static_cast<std::uint16_t>(builder.portal_corners.items.size());
  portal.vertex_count = static_cast<std::uint16_t>(opening.corners.size());
  portal.normal = scene::narrow(opening.normal);
  portal.distance = scene::to_float(-scene::dot(opening.normal, scene::widen(opening.corners.front())));
  for (const Vec3& corner : opening.corners) {
    builder.portal_corners.items.push_back(corner);
  }
  builder.portals.push_back(portal);
  const auto [front, back] = *sides;
  builder.drafts[front].portals.push_back({number, static_cast<std::uint16_t>(back), 1, 0});
  builder.drafts[back].portals.push_back({number, static_cast<std::uint16_t>(front), -1, 0});
}

// --- objects that groups name

/// Adds to the groups that a thing lies in; to the first where it lies in none.
template <class List>
void name_in_rooms(WmoBuilder& builder, const Vec3& place, float reach, std::uint16_t number, List list) {
  bool named = false;
  for (Draft& draft : builder.drafts) {
    bool inside = true;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      inside = inside && place.at(axis) >= draft.box.minimum.at(axis) - reach &&
               place.at(axis) <= draft.box.maximum.at(axis) + reach;
    }
    if (inside) {
      list(draft).push_back(number);
      named = true;
    }
  }
  if (!named && !builder.drafts.empty()) {
    list(builder.drafts.front()).push_back(number);
  }
}

/// What groups named before, by the numbers that these have now.
void restore_names(WmoBuilder& builder, const char* key, const std::map<std::int64_t, std::uint16_t>& numbers,
                   Array<std::uint16_t> Draft::* list) {
  for (Draft& draft : builder.drafts) {
    if (draft.node >= builder.scene.nodes.size()) {
      continue;
    }
    for (const Value& value : builder.wmo_extras(draft.node)[key].list()) {
      const auto found = numbers.find(value.integer().value_or(-1));
      if (found != numbers.end()) {
        (draft.*list).push_back(found->second);
      }
    }
  }
}

}  // namespace

void add_portals(WmoBuilder& builder) {
  std::map<Index, const scene::Mesh*> meshes;  // of portals, by node
  for (const auto& mesh : builder.scene.meshes) {
    if (mesh.node < builder.roles.size() && builder.roles[mesh.node] == Role::portal &&
        !mesh.positions.empty()) {
      meshes.emplace(mesh.node, &mesh);
    }
  }
  for (Index node = 0; node < builder.scene.nodes.size(); ++node) {
    const auto mesh = meshes.find(node);
    const bool has_exported =
        builder.wmo_extras(node)["portal"].integer() && !builder.wmo_extras(node)["vertices"].list().empty();
    if (mesh == meshes.end() && !has_exported) {
      continue;
    }
    const Opening opening =
        mesh == meshes.end() ? exported_opening(builder, node) : opening_of(builder, *mesh->second);
    add_portal(builder, opening, exported_sides(builder, node), builder.scene.nodes[node].name);
  }
}

void add_lights(WmoBuilder& builder) {
  std::map<std::int64_t, std::uint16_t> numbers;  // by those of the building that came back
  for (const auto& source : builder.scene.lights) {
    if (source.node >= builder.scene.nodes.size() || builder.in_doodad[source.node] ||
        builder.lights.size() >= kMostReferences) {
      continue;
    }
    const Value& extras = builder.wmo_extras(source.node);
    Light light;
    light.type = source.kind == scene::Light::Kind::directional ? 2
                 : source.kind == scene::Light::Kind::ambient   ? 3
                 : extras["type"].text() == "spot"              ? 1
                                                                : 0;
    light.color = color_of(source.color);
    light.position = builder.place_of(source.node);
    light.intensity = source.intensity;
    light.use_attenuation = source.attenuation_end > 0 ? 1 : 0;
    light.attenuation_start = scene::to_float(double{source.attenuation_start} * builder.units);
    light.attenuation_end =
        std::max(light.attenuation_start, scene::to_float(double{source.attenuation_end} * builder.units));
    const auto number = static_cast<std::uint16_t>(builder.lights.size());
    builder.lights.push_back(light);
    if (const auto stated = extras["light"].integer()) {
      numbers.emplace(*stated, number);
    } else {
      name_in_rooms(builder, light.position, light.attenuation_end, number,
                    [](Draft& draft) -> auto& { return draft.lights; });
    }
  }
  restore_names(builder, "lights", numbers, &Draft::lights);
}

// --- doodads

std::string doodad_path(const scene::Node& node) {
  const std::string& exported = scene::extras_of(node, "wmo")["model"].text();
  const std::string& typed = node.properties["wmo_doodad"].text();
  if (!typed.empty() || !exported.empty()) {
    return typed.empty() ? exported : typed;
  }
  const auto ends = [&](std::string_view end) {
    return node.name.size() > end.size() && ascii::same(node.name.substr(node.name.size() - end.size()), end);
  };
  return ends(".mdx") || ends(".mdl") || ends(".m2") ? node.name : std::string();
}

namespace {

constexpr std::string_view kDefaultSet = "Set_$DefaultGlobal";

/// The set that a doodad stands in: the next node above that is one, or is called so.
std::string set_of(const WmoBuilder& builder, Index node) {
  for (Index at = builder.scene.nodes[node].parent; at < builder.scene.nodes.size();
       at = builder.scene.nodes[at].parent) {
    if (builder.wmo_extras(at)["doodadSet"].integer() ||
        ascii::begins_with(builder.scene.nodes[at].name, "set_")) {
      return builder.scene.nodes[at].name;
    }
  }
  return std::string(kDefaultSet);
}

Doodad doodad_of(WmoBuilder& builder, Index node, const std::string& path) {
  const Value& extras = builder.wmo_extras(node);
  const scene::Transform place = scene::decompose(builder.world[node]);
  scene::Vec4d q = scene::widen(place.rotation);
  if (extras["turned"] == Value(true)) {
    q = scene::quaternion_product(q, scene::conjugate(scene::widen(kModelTurn)));
  }
  Doodad doodad;
  doodad.set_name_offset(builder.doodad_names.add(path));
  doodad.flags = whole<std::uint8_t>(extras["flags"], 0);
  doodad.position = builder.place_of(node);
  doodad.rotation = scene::narrow(scene::Vec4d{q[2], q[0], q[1], q[3]});
  const auto [low, high] = std::minmax({place.scale[0], place.scale[1], place.scale[2]});
  doodad.scale = low / 3 + high / 3 + (place.scale[0] + place.scale[1] + place.scale[2] - low - high) / 3;
  if (high - low <= 1e-6F * high) {
    doodad.scale = place.scale[0];
  } else {
    ++builder.counted_losses["doodads with nonuniform scale changed to the mean"];
  }
  doodad.color = color_of(extras["color"], {255, 255, 255, 255});
  return doodad;
}

/// The names of the sets in their order: those that the building had, then new ones.
std::vector<std::string> set_names(WmoBuilder& builder, const std::vector<std::string>& met) {
  std::vector<std::string> names;
  std::uint64_t hidden = 0;
  for (const auto& set : builder.scene.object_sets) {
    names.push_back(set.name);
    hidden += set.shown ? 0 : set.count;
  }
  if (hidden > 0) {
    builder.lost_doodads =
        "doodads of hidden sets left out (to include them, convert the original WMO again with --doodad-set "
        "all): " +
        std::to_string(hidden);
  }
  if (names.empty()) {
    names.emplace_back(kDefaultSet);
  }
  for (const std::string& name : met) {
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      names.push_back(name);
    }
  }
  return names;
}

}  // namespace

void add_doodads(WmoBuilder& builder) {
  std::vector<std::pair<Index, std::string>> found;  // nodes and their sets
  std::vector<std::string> met;
  for (Index node = 0; node < builder.scene.nodes.size(); ++node) {
    if (!builder.in_doodad[node] && is_doodad(builder, node)) {
      found.emplace_back(node, set_of(builder, node));
      met.push_back(found.back().second);
    }
  }
  builder.doodad_names.add("");
  std::map<std::int64_t, std::uint16_t> numbers;
  for (const std::string& name : set_names(builder, met)) {
    DoodadSet set;
    constexpr std::size_t kMostLetters = 19;
    if (name.size() > kMostLetters) {
      ++builder.counted_losses["names of doodad sets truncated to 19 bytes"];
    }
    set.name = FixedText<20>(name.substr(0, kMostLetters));
    set.first = static_cast<std::uint32_t>(builder.doodads.size());
    for (const auto& [node, of] : found) {
      if (of != name) {
        continue;
      }
      if (builder.doodads.size() >= kMostReferences) {
        ++builder.counted_losses["doodads beyond the format's 65535 left out"];
        continue;
      }
      const auto number = static_cast<std::uint16_t>(builder.doodads.size());
      builder.doodads.push_back(doodad_of(builder, node, doodad_path(builder.scene.nodes[node])));
      if (const auto stated = builder.wmo_extras(node)["doodad"].integer()) {
        numbers.emplace(*stated, number);
      } else {
        name_in_rooms(builder, builder.doodads.back().position, 0, number,
                      [](Draft& draft) -> auto& { return draft.doodads; });
      }
    }
    set.count = static_cast<std::uint32_t>(builder.doodads.size()) - set.first;
    builder.doodad_sets.push_back(set);
  }
  restore_names(builder, "doodads", numbers, &Draft::doodads);
}

// --- fogs

void add_fogs(WmoBuilder& builder) {
  for (Index node = 0; node < builder.scene.nodes.size(); ++node) {
    const Value& extras = builder.wmo_extras(node);
    if (!extras["fog"].integer()) {
      continue;
    }
    const auto values = [&](const Value& source) {
      Fog::Values result;
      const double end = source["end"].number().value_or(0);
      result.end = scene::to_float(end * builder.units);
      // Files have shares of few digits, of which the product lost the last.
      constexpr double kDigits = 1e6;
      result.start_scalar =
          end == 0
              ? 0
              : scene::to_float(std::round(source["start"].number().value_or(0) / end * kDigits) / kDigits);
      result.color = color_of(source["color"], {});
      return result;
    };
    Fog fog;
    fog.flags = whole<std::uint32_t>(extras["flags"], 0);
    fog.position = builder.place_of(node);
    fog.small_radius = scene::to_float(extras["smallRadius"].number().value_or(0) * builder.units);
    fog.large_radius = scene::to_float(extras["largeRadius"].number().value_or(0) * builder.units);
    fog.air = values(extras["air"]);
    fog.water = values(extras["water"]);
    builder.fogs.push_back(fog);
  }
  if (builder.fogs.empty()) {
    // As files have it that set nothing (wmo.md#fogs).
    constexpr Bgra kAir = {160, 150, 140, 255};
    constexpr Bgra kWater = {90, 60, 10, 255};
    builder.fogs.push_back({0, {}, 0, 0, {444.4445F, 0.25F, kAir}, {222.2222F, -0.5F, kWater}});
    builder.add("default fog added, because the scene has none");
  }
}

}  // namespace thaw::wmo
