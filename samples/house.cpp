#include "house.hpp"

#include "build.hpp"
#include "house_mesh.hpp"

#include <thaw/wmo.hpp>

#include <algorithm>
#include <cmath>

namespace thaw::samples {
namespace {

enum Stuff : std::uint8_t { kStone, kPlaster, kRoof, kPlanks, kGrass, kIvy, kWindow, kStuffs };
constexpr std::array<const char*, kStuffs> kTextures = {
    "Textures\\house_stone.blp",  "Textures\\house_plaster.blp", "Textures\\house_roof.blp",
    "Textures\\house_planks.blp", "Textures\\house_grass.blp",   "Textures\\house_ivy.blp",
    "Textures\\house_window.blp"};

// The house, in yards. Its front is at kFront, the door in the middle of it.
constexpr double kBack = -6, kFront = 2, kSide = 5, kEaves = 4.6, kRidge = 8.8,
                 kMiddle = (kBack + kFront) / 2;
constexpr double kWall = 0.4, kDoor = 1.1, kLintel = 3.0, kPlinth = 1.2;
constexpr double kCeiling = 4.2;
constexpr double kCell = 100.0 / 24;  // of liquids
constexpr double kPoolLow = kCell, kPoolHigh = 2 * kCell, kPoolEnd = 3 * kCell, kRim = 0.35,
                 kRimHeight = 0.75, kWater = 0.55;

// --- outside
// ----------------------------------------------------------------------------------------------------

/// A wall with a foot of stone, as seen from outside: from corner `a` to corner `b` to the right of it.
void add_wall(GroupMesh& mesh, const Point& a, const Point& b, double bottom = 0, double top = kEaves) {
  const auto at = [](const Point& p, double z) { return Point{p[0], p[1], z}; };
  if (bottom < kPlinth) {
    mesh.quad(kStone, at(a, bottom), at(b, bottom), at(b, kPlinth), at(a, kPlinth), 2.4);
  }
  mesh.quad(kPlaster, at(a, std::max(bottom, kPlinth)), at(b, std::max(bottom, kPlinth)), at(b, top),
            at(a, top), 3.4);
}

void add_walls(GroupMesh& mesh) {
  add_wall(mesh, {kFront, -kSide, 0}, {kFront, -kDoor, 0});
  add_wall(mesh, {kFront, kDoor, 0}, {kFront, kSide, 0});
  add_wall(mesh, {kFront, -kDoor, 0}, {kFront, kDoor, 0}, kLintel);
  add_wall(mesh, {kFront, kSide, 0}, {kBack, kSide, 0});
  add_wall(mesh, {kBack, kSide, 0}, {kBack, -kSide, 0});
  add_wall(mesh, {kBack, -kSide, 0}, {kFront, -kSide, 0});
  mesh.triangle(kPlaster, {kFront, kSide, kEaves}, {kBack, kSide, kEaves}, {kMiddle, kSide, kRidge}, 3.4);
  mesh.triangle(kPlaster, {kBack, -kSide, kEaves}, {kFront, -kSide, kEaves}, {kMiddle, -kSide, kRidge}, 3.4);
  // The sides of the doorway.
  const double inside = kFront - kWall;
  mesh.quad(kStone, {inside, -kDoor, 0}, {inside, -kDoor, kLintel}, {kFront, -kDoor, kLintel},
            {kFront, -kDoor, 0}, 2.4);
  mesh.quad(kStone, {kFront, kDoor, 0}, {kFront, kDoor, kLintel}, {inside, kDoor, kLintel},
            {inside, kDoor, 0}, 2.4);
  mesh.quad(kPlanks, {inside, -kDoor, kLintel}, {inside, kDoor, kLintel}, {kFront, kDoor, kLintel},
            {kFront, -kDoor, kLintel}, 2);
}

void add_slope(GroupMesh& mesh, double side) {
  constexpr double kOver = 0.9;  // beyond the walls
  constexpr double kThick = 0.3;
  const double run = kFront - kMiddle;
  const double fall = (kRidge - kEaves) / run;
  const double edge_x = kMiddle + side * (run + kOver);
  const double edge_z = kEaves - fall * kOver;
  const double y = kSide + kOver;
  const auto quad = [&](Stuff stuff, Point a, Point b, Point c, Point d, double yards) {
    if (side < 0) {
      std::swap(a, b);
      std::swap(c, d);
    }
    mesh.quad(stuff, a, b, c, d, yards);
  };
  const double top = kThick;
  quad(kRoof, {edge_x, -y, edge_z + top}, {edge_x, y, edge_z + top}, {kMiddle, y, kRidge + top},
       {kMiddle, -y, kRidge + top}, 3);
  quad(kPlanks, {edge_x, y, edge_z}, {edge_x, -y, edge_z}, {kMiddle, -y, kRidge}, {kMiddle, y, kRidge}, 2);
  quad(kPlanks, {edge_x, -y, edge_z}, {edge_x, y, edge_z}, {edge_x, y, edge_z + top},
       {edge_x, -y, edge_z + top}, 2);
  quad(kPlanks, {edge_x, y, edge_z}, {kMiddle, y, kRidge}, {kMiddle, y, kRidge + top},
       {edge_x, y, edge_z + top}, 2);
  quad(kPlanks, {kMiddle, -y, kRidge}, {edge_x, -y, edge_z}, {edge_x, -y, edge_z + top},
       {kMiddle, -y, kRidge + top}, 2);
}

void add_ground(GroupMesh& mesh) {
  constexpr double kSouth = -10, kNorth = 12, kEast = -10, kWest = 15;
  mesh.box(kGrass, {kSouth, kEast, -0.6}, {kNorth, kWest, 0}, 5, "t");
  mesh.box(kStone, {kSouth, kEast, -0.6}, {kNorth, kWest, 0}, 2.4, "nswe");
  // A path to the door, a hand above the grass.
  mesh.box(kStone, {kFront, -1.3, 0}, {kNorth, 1.3, 0.08}, 2.4, "nwet");
}

void add_pool(GroupMesh& mesh) {
  const double low_x = kPoolLow, high_x = kPoolHigh, low_y = kPoolLow, high_y = kPoolEnd;
  mesh.box(kStone, {low_x - kRim, low_y - kRim, 0}, {low_x, high_y + kRim, kRimHeight}, 2.4, "snwet");
  mesh.box(kStone, {high_x, low_y - kRim, 0}, {high_x + kRim, high_y + kRim, kRimHeight}, 2.4, "snwet");
  mesh.box(kStone, {low_x, low_y - kRim, 0}, {high_x, low_y, kRimHeight}, 2.4, "wet");
  mesh.box(kStone, {low_x, high_y, 0}, {high_x, high_y + kRim, kRimHeight}, 2.4, "wet");
  // Nobody falls in: what stops players need not be seen.
  const double z = 3;
  mesh.barrier({low_x - kRim, high_y, 0}, {low_x - kRim, low_y, 0}, {low_x - kRim, low_y, z},
               {low_x - kRim, high_y, z});
  mesh.barrier({high_x + kRim, low_y, 0}, {high_x + kRim, high_y, 0}, {high_x + kRim, high_y, z},
               {high_x + kRim, low_y, z});
}

void add_details(GroupMesh& mesh) {
  mesh.box(kStone, {kBack - 0.5, -1.2, 0}, {kBack + 0.7, 1.2, 10.2}, 2.4, "nswet");
  const double out = kFront + 0.03;
  for (const double y : {-3.1, 3.1}) {
    mesh.quad(kWindow, {out, y - 0.7, 1.7}, {out, y + 0.7, 1.7}, {out, y + 0.7, 3.5}, {out, y - 0.7, 3.5},
              1.8, GroupMesh::kDecoration);
  }
  const double side = kSide + 0.04;
  mesh.quad(kIvy, {kFront, side, 0}, {kMiddle - 1, side, 0}, {kMiddle - 1, side, 4.6}, {kFront, side, 4.6},
            4.6, GroupMesh::kDecoration);
}

wmo::Liquid pool() {
  wmo::Liquid liquid;
  // Before version 17, x runs west and y south from the corner.
  liquid.x_vertices = 3;
  liquid.y_vertices = 2;
  liquid.x_tiles = 2;
  liquid.y_tiles = 1;
  liquid.corner = {static_cast<float>(kPoolHigh), static_cast<float>(kPoolLow), static_cast<float>(kWater)};
  liquid.material = kGrass;
  for (int i = 0; i < 6; ++i) {
    liquid.vertices.push_back({{0, 0, static_cast<std::uint8_t>(40 * i), 0}, static_cast<float>(kWater)});
  }
  liquid.tiles = {0x44, 0x04};
  return liquid;
}

wmo::Group outside() {
  GroupMesh mesh(kStuffs);
  add_walls(mesh);
  add_slope(mesh, 1);
  add_slope(mesh, -1);
  add_ground(mesh);
  add_pool(mesh);
  add_details(mesh);
  wmo::Group group = mesh.finish();
  add_bsp(group);
  group.header.flags |= wmo::GroupHeader::kExterior | wmo::GroupHeader::kLiquid;
  group.chunks.push_back({FourCC{"MLIQ"}, wmo::Liquids{{pool()}}, {}, {}});
  return group;
}

// --- inside
// -----------------------------------------------------------------------------------------------------

constexpr Point kHearth{kBack + 1.5, 0, 1.0};
constexpr Point kLamp{kMiddle, 0, 3.4};

/// Warm from the hearth, soft from the lamp.
Point room_light(const Point& place, const Point& normal) {
  const auto lit = [&](const Point& from, double reach) {
    const Point way = from - place;
    const double distance = std::sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
    const Point direction = normalized(way);
    const double facing = direction[0] * normal[0] + direction[1] * normal[1] + direction[2] * normal[2];
    return std::max(0.0, 0.35 + 0.65 * facing) * std::max(0.0, 1 - distance / reach);
  };
  const double fire = lit(kHearth, 8);
  const double lamp = lit(kLamp, 9);
  return {0.18 + 0.75 * fire + 0.60 * lamp, 0.16 + 0.38 * fire + 0.52 * lamp,
          0.17 + 0.14 * fire + 0.38 * lamp};
}

wmo::Group inside() {
  GroupMesh mesh(kStuffs);
  const double x = kBack + kWall, X = kFront - kWall, y = -kSide + kWall, Y = kSide - kWall, Z = kCeiling;
  mesh.grid(kPlanks, {x, y, 0.05}, {X, y, 0.05}, {X, Y, 0.05}, {x, Y, 0.05}, 2.2, 8, 10);
  mesh.grid(kPlanks, {x, Y, Z}, {X, Y, Z}, {X, y, Z}, {x, y, Z}, 2.2, 8, 10);
  mesh.grid(kPlaster, {x, y, 0}, {x, Y, 0}, {x, Y, Z}, {x, y, Z}, 3.4, 8, 4);
  mesh.grid(kPlaster, {X, y, 0}, {x, y, 0}, {x, y, Z}, {X, y, Z}, 3.4, 8, 4);
  mesh.grid(kPlaster, {x, Y, 0}, {X, Y, 0}, {X, Y, Z}, {x, Y, Z}, 3.4, 8, 4);
  mesh.grid(kPlaster, {X, Y, 0}, {X, kDoor, 0}, {X, kDoor, Z}, {X, Y, Z}, 3.4, 4, 4);
  mesh.grid(kPlaster, {X, -kDoor, 0}, {X, y, 0}, {X, y, Z}, {X, -kDoor, Z}, 3.4, 4, 4);
  mesh.grid(kPlaster, {X, kDoor, kLintel}, {X, -kDoor, kLintel}, {X, -kDoor, Z}, {X, kDoor, Z}, 3.4, 2, 2);
  mesh.box(kStone, {x, -1.4, 0}, {x + 0.8, 1.4, 1.5}, 2.4, "nwet");
  mesh.box(kStone, {x, -1.0, 1.5}, {x + 0.6, 1.0, Z}, 2.4, "nwe");
  wmo::Group group = mesh.finish(room_light);
  add_bsp(group);
  group.header.flags |= wmo::GroupHeader::kInterior | wmo::GroupHeader::kLights | wmo::GroupHeader::kDoodads;
  const auto bsp = std::find_if(group.chunks.begin(), group.chunks.end(),
                                [](const wmo::Chunk& chunk) { return chunk.tag == FourCC{"MOBN"}; });
  const auto at = group.chunks.insert(bsp, {FourCC{"MOLR"}, wmo::Indices{{0, 1}}, {}, {}});
  group.chunks.insert(at + 1, {FourCC{"MODR"}, wmo::Indices{{0, 1, 2}}, {}, {}});
  return group;
}

// --- the building
// -----------------------------------------------------------------------------------------------

class Names {
 public:
  std::uint32_t add(std::string_view name) {
    const auto offset = static_cast<std::uint32_t>(strings.text.size());
    strings.text.insert(strings.text.end(), name.begin(), name.end());
    strings.text.push_back('\0');
    return offset;
  }
  wmo::Strings strings;
};

std::vector<wmo::Material> materials(Names& names) {
  std::vector<wmo::Material> result;
  for (std::size_t i = 0; i < kStuffs; ++i) {
    wmo::Material& material = result.emplace_back();
    material.texture1 = material.texture2 = names.add(kTextures.at(i));
    material.diffuse_color = {150, 150, 150, 255};
    material.ground_type = i == kGrass ? 3 : 1;
  }
  result[kIvy].blend_mode = 1;
  result[kIvy].flags = wmo::Material::kTwoSided;
  result[kWindow].flags = wmo::Material::kUnlit | wmo::Material::kNightGlow | wmo::Material::kWindow;
  result[kWindow].glow_color = {40, 140, 230, 255};
  return result;
}

wmo::Light light(const Point& place, const wmo::Bgra& color, float intensity, float end) {
  wmo::Light light;
  light.use_attenuation = 1;
  light.color = color;
  light.position = snap(place[0], place[1], place[2]);
  light.intensity = intensity;
  light.attenuation_start = 1;
  light.attenuation_end = end;
  return light;
}

wmo::Doodad doodad(std::uint32_t name, const Point& place, double degrees, double scale) {
  wmo::Doodad doodad;
  doodad.set_name_offset(name);
  doodad.position = snap(place[0], place[1], place[2]);
  const double half = degrees * kPi / 360;
  doodad.rotation = {0, 0, snap(std::sin(half)), snap(std::cos(half))};
  doodad.scale = static_cast<float>(scale);
  doodad.color = {255, 255, 255, 255};
  return doodad;
}

wmo::DoodadSet doodad_set(std::string_view name, std::uint32_t first, std::uint32_t count) {
  return {FixedText<20>(name), first, count, 0};
}

wmo::Fog fog() {
  wmo::Fog fog;
  fog.air = {444.4445F, 0.25F, {190, 170, 150, 255}};
  fog.water = {222.2222F, -0.5F, {90, 60, 10, 255}};
  return fog;
}

void set_box(wmo::Group& group) {
  constexpr double kInflation = 1.0 / 36;
  const auto& positions = group.find<wmo::Points>(FourCC{"MOVT"})->items;
  wmo::Box& box = group.header.box;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    float low = positions[0][axis];
    float high = low;
    for (const Vec3& position : positions) {
      low = std::min(low, position[axis]);
      high = std::max(high, position[axis]);
    }
    box.minimum[axis] = static_cast<float>(double{low} - kInflation);
    box.maximum[axis] = static_cast<float>(double{high} + kInflation);
  }
}

/// All vertices and batches are of the group's one kind.
void finish_group(wmo::Group& group, std::uint32_t name, std::uint32_t portal, std::uint32_t id) {
  auto& header = group.header;
  header.name = header.description = name;
  header.first_portal = portal;
  header.portal_count = 1;
  header.liquid = 15;
  header.unique_id = id;
  set_box(group);
  const auto& batches = group.find<wmo::Batches>(FourCC{"MOBA"})->items;
  const std::uint32_t drawn = batches.back().first_index + batches.back().index_count;
  const wmo::BatchRun run{0, static_cast<std::uint16_t>(drawn), 0,
                          static_cast<std::uint16_t>(batches.size())};
  ((header.flags & wmo::GroupHeader::kExterior) != 0 ? header.exterior : header.interior)[0] = run;
}

template <class Body>
void add(std::vector<wmo::Chunk>& chunks, FourCC tag, Body body) {
  chunks.push_back({tag, std::move(body), {}, {}});
}

std::vector<wmo::Chunk> root_chunks(const std::vector<wmo::Group>& groups, const Names& group_names) {
  const double door = kFront - kWall / 2;
  Names textures;
  auto stuff = materials(textures);
  Names models;
  models.add("");
  const auto chest = models.add("chest.mdx");
  const auto knight = models.add("knight.mdl");
  wmo::Header header;
  header.ambient_color = {60, 55, 50, 255};
  header.wmo_id = 4714;
  wmo::GroupInfos infos;
  for (const auto& group : groups) {
    infos.items.push_back(
        {0, 0, group.header.flags, group.header.box, static_cast<std::int32_t>(group.header.name)});
  }
  std::vector<wmo::Chunk> chunks;
  add(chunks, FourCC{"MOHD"}, header);
  add(chunks, FourCC{"MOTX"}, textures.strings);
  add(chunks, FourCC{"MOMT"}, wmo::Materials{std::move(stuff)});
  add(chunks, FourCC{"MOGN"}, group_names.strings);
  add(chunks, FourCC{"MOGI"}, std::move(infos));
  wmo::Points corners;
  for (const auto& [y, z] : {std::pair{-kDoor, 0.0}, {kDoor, 0.0}, {kDoor, kLintel}, {-kDoor, kLintel}}) {
    corners.items.push_back(snap(door, y, z));
  }
  add(chunks, FourCC{"MOPV"}, std::move(corners));
  add(chunks, FourCC{"MOPT"}, wmo::Portals{{{0, 4, {1, 0, 0}, snap(-door)}}});
  add(chunks, FourCC{"MOPR"}, wmo::PortalReferences{{{0, 1, 1, 0}, {0, 0, -1, 0}}});
  add(chunks, FourCC{"MOLT"},
      wmo::Lights{
          {light(kHearth, {60, 140, 255, 255}, 1.2F, 9), light(kLamp, {170, 220, 255, 255}, 0.8F, 8)}});
  add(chunks, FourCC{"MODS"},
      wmo::DoodadSets{{doodad_set("Set_$DefaultGlobal", 0, 1), doodad_set("Set_Guard", 1, 2)}});
  add(chunks, FourCC{"MODN"}, models.strings);
  add(chunks, FourCC{"MODD"},
      wmo::Doodads{{doodad(chest, {kMiddle - 1, 3.4, 0.05}, -60, 0.03),
                    doodad(knight, {kFront + 2.2, -2.2, 0}, 0, 0.02),
                    doodad(knight, {kFront + 2.2, 2.2, 0}, 0, 0.02)}});
  add(chunks, FourCC{"MFOG"}, wmo::Fogs{{fog()}});
  return chunks;
}

}  // namespace

wmo::Document house() {
  std::vector<wmo::Group> groups = {outside(), inside()};
  Names names;
  names.add("");
  names.add("");
  finish_group(groups[0], names.add("House"), 0, 1);
  finish_group(groups[1], names.add("Room"), 1, 2);
  wmo::Document document;
  add(document.chunks, FourCC{"MVER"}, wmo::Version{wmo::kAlphaVersion});
  add(document.chunks, FourCC{"MOMO"}, wmo::Root{root_chunks(groups, names)});
  for (auto& group : groups) {
    add(document.chunks, FourCC{"MOGP"}, std::move(group));
  }
  wmo::lay_out(document);
  return document;
}

}  // namespace thaw::samples
