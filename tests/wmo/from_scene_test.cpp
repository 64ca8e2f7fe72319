// Scenes as buildings: what comes back of a building, and what other programs' scenes become.
#include <thaw/codes.hpp>
#include <thaw/convert.hpp>
#include <thaw/format.hpp>
#include <thaw/gltf.hpp>
#include <thaw/validate.hpp>
#include <thaw/wmo.hpp>

#include "formats/list.hpp"
#include "formats/wow/wmo/bsp.hpp"
#include "formats/wow/wmo/building.hpp"
#include "formats/wow/wmo/from_scene/from_scene.hpp"
#include "scene/math.hpp"
#include "scene/source.hpp"
#include "support/paths.hpp"
#include "wmo/files.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

namespace thaw::wmo {
namespace {

using scene::Index;
using scene::kNone;

bool has(const Diagnostics& findings, const Code& code, std::string_view words) {
  const auto& items = findings.items();
  return std::any_of(items.begin(), items.end(), [&](const auto& finding) {
    return finding.code == code && finding.message.find(words) != std::string::npos;
  });
}

Document house_document() { return load_document(test::samples_dir() / "house.wmo"); }

/// As `convert` does it, with everything that can be asked for.
scene::Scene through_gltf(const Document& building, bool collision = true) {
  SceneOptions options;
  options.collision = collision;
  options.portals = collision;
  options.doodad_set = "all";
  Diagnostics findings;
  const auto scene = to_scene(building, {}, "house", options, findings);
  const auto files = write_gltf(*scene, {}, findings);
  GltfReadOptions reading;
  reading.kept_materials = true;
  auto back = read_gltf(files->front().bytes, reading, findings);
  EXPECT_TRUE(back);
  return back ? std::move(*back) : scene::Scene{};
}

Document building_of(const scene::Scene& scene, Diagnostics& findings = Diagnostics::discarded()) {
  auto made = from_scene(scene, {}, findings);
  EXPECT_TRUE(made) << (made ? "" : made.error().message);
  return made ? std::move(made->document) : Document{};
}

void expect_clean(const Document& document) {
  const Bytes bytes = write(document);
  Diagnostics findings;
  const auto again = read(bytes, {}, findings);
  ASSERT_TRUE(again);
  EXPECT_EQ(write(*again), bytes);
  EXPECT_EQ(findings.items().size(), 0U);
  const auto any = read_any(bytes, {}, findings);
  ASSERT_TRUE(any);
  const auto wrong = validate(*any);
  for (const auto& finding : wrong.items()) {
    ADD_FAILURE() << finding.code.id << " " << finding.path << " " << finding.message;
  }
}

/// A face as it is drawn, whatever its place in the file.
struct StoredFace {
  std::string texture;
  std::uint8_t flags;
  std::vector<float> numbers;
  friend bool operator<(const StoredFace& a, const StoredFace& b) {
    return std::tie(a.texture, a.flags, a.numbers) < std::tie(b.texture, b.flags, b.numbers);
  }
  friend bool operator==(const StoredFace&, const StoredFace&) = default;
};

std::vector<StoredFace> drawn_faces(const Document& document, std::size_t number) {
  const Building building(document, {});
  const GroupParts parts(*building.groups.at(number));
  std::vector<StoredFace> result;
  for (std::size_t face = 0; face < parts.faces.size(); ++face) {
    StoredFace drawn;
    drawn.flags = parts.faces[face].flags;
    if (parts.faces[face].material != Faces::kNoMaterial) {
      drawn.texture =
          name_at(building.texture_names, building.materials.at(parts.faces[face].material).texture1);
    }
    for (std::size_t i = face * 3; i < face * 3 + 3; ++i) {
      const auto& position = parts.positions[parts.indices[i]];
      drawn.numbers.insert(drawn.numbers.end(), position.begin(), position.end());
      if (!drawn.texture.empty()) {
        const auto& normal = parts.normals[parts.indices[i]];
        const auto& uv = parts.coordinates[parts.indices[i]];
        drawn.numbers.insert(drawn.numbers.end(), normal.begin(), normal.end());
        drawn.numbers.insert(drawn.numbers.end(), uv.begin(), uv.end());
        if (!parts.colors.empty()) {
          const auto& color = parts.colors[parts.indices[i]];
          drawn.numbers.insert(drawn.numbers.end(), color.begin(), color.begin() + 3);
        }
      }
    }
    result.push_back(std::move(drawn));
  }
  std::sort(result.begin(), result.end());
  return result;
}

template <class Body>
const auto& items_of(const Document& document, const char (&tag)[5]) {
  return document.find<Body>(FourCC{tag})->items;
}

/// Builds scenes as other programs export them.
struct MeshBuilder {
  scene::Scene scene;

  Index node(std::string name, const Vec3& at = {}) {
    auto& node = scene.nodes.emplace_back();
    node.name = std::move(name);
    node.rest.translation = at;
    return static_cast<Index>(scene.nodes.size() - 1);
  }
  scene::Mesh& mesh(std::string name) {
    const Index at = node(name);
    scene.nodes[at].kind = scene::NodeKind::mesh;
    auto& made = scene.meshes.emplace_back();
    made.name = std::move(name);
    made.node = at;
    return made;
  }
  /// The inside or outside of a box.
  scene::Mesh& box(std::string name, const Vec3& low, const Vec3& high) {
    auto& made = mesh(std::move(name));
    for (unsigned i = 0; i < 8; ++i) {
      made.positions.push_back({(i & 1U) != 0 ? high[0] : low[0], (i & 2U) != 0 ? high[1] : low[1],
                                (i & 4U) != 0 ? high[2] : low[2]});
    }
    for (const std::uint32_t i : {0U, 2U, 1U, 1U, 2U, 3U, 4U, 5U, 6U, 5U, 7U, 6U, 0U, 1U, 4U, 1U, 5U, 4U,
                                  2U, 6U, 3U, 3U, 6U, 7U, 0U, 4U, 2U, 2U, 4U, 6U, 1U, 3U, 5U, 3U, 7U, 5U}) {
      made.indices.push_back(i);
    }
    made.parts = {{0, 36, kNone}};
    return made;
  }
  scene::Mesh& quad(std::string name, const std::array<Vec3, 4>& corners) {
    auto& made = mesh(std::move(name));
    made.positions.assign(corners.begin(), corners.end());
    made.indices = {0, 1, 2, 0, 2, 3};
    made.parts = {{0, 6, kNone}};
    return made;
  }
};

TEST(WmoFromScene, BuildingsComeBack) {
  const Document original = house_document();
  Diagnostics findings;
  const Document made = building_of(through_gltf(original), findings);
  for (const auto& finding : findings.items()) {
    const bool known = finding.message.find("\"House water\" per tile or corner") != std::string::npos;
    EXPECT_TRUE(known) << finding.code.id << " " << finding.message;
  }
  expect_clean(made);
  const Building before(original, {});
  const Building after(made, {});
  ASSERT_EQ(after.groups.size(), before.groups.size());
  for (std::size_t i = 0; i < before.groups.size(); ++i) {
    EXPECT_EQ(after.group_name(i), before.group_name(i));
    EXPECT_EQ(after.groups[i]->header.flags, before.groups[i]->header.flags);
    EXPECT_EQ(after.groups[i]->header.box, before.groups[i]->header.box);
    EXPECT_EQ(after.groups[i]->header.interior, before.groups[i]->header.interior);
    EXPECT_EQ(after.groups[i]->header.exterior, before.groups[i]->header.exterior);
    EXPECT_EQ(after.groups[i]->header.first_portal, before.groups[i]->header.first_portal);
    EXPECT_EQ(drawn_faces(made, i), drawn_faces(original, i)) << i;
    EXPECT_EQ(GroupParts(*after.groups[i]).lights, GroupParts(*before.groups[i]).lights);
    EXPECT_EQ(GroupParts(*after.groups[i]).doodads, GroupParts(*before.groups[i]).doodads);
  }
  EXPECT_EQ(after.header.ambient_color, before.header.ambient_color);
  EXPECT_EQ(after.header.wmo_id, before.header.wmo_id);
  EXPECT_EQ(after.portals, before.portals);
  EXPECT_EQ(after.portal_vertices, before.portal_vertices);
  EXPECT_EQ(after.portal_references, before.portal_references);
  EXPECT_EQ(after.lights, before.lights);
  EXPECT_EQ(after.doodad_sets, before.doodad_sets);
  ASSERT_EQ(after.doodads.size(), before.doodads.size());
  for (std::size_t i = 0; i < before.doodads.size(); ++i) {
    Doodad doodad = after.doodads[i];
    for (std::size_t k = 0; k < 4; ++k) {
      EXPECT_NEAR(doodad.rotation.at(k), before.doodads[i].rotation.at(k), 5e-5);  // of unit length now
    }
    doodad.rotation = before.doodads[i].rotation;
    EXPECT_EQ(doodad, before.doodads[i]);
  }
  EXPECT_EQ(after.fogs, before.fogs);
  ASSERT_EQ(after.materials.size(), before.materials.size());
  for (const Material& material : before.materials) {
    const auto same =
        std::find_if(after.materials.begin(), after.materials.end(), [&](const Material& other) {
          return name_at(after.texture_names, other.texture1) ==
                 name_at(before.texture_names, material.texture1);
        });
    ASSERT_NE(same, after.materials.end());
    EXPECT_EQ(same->flags, material.flags);
    EXPECT_EQ(same->blend_mode, material.blend_mode);
    EXPECT_EQ(same->glow_color, material.glow_color);
    EXPECT_EQ(same->diffuse_color, material.diffuse_color);
    EXPECT_EQ(same->ground_type, material.ground_type);
  }
  const GroupParts wet(*after.groups[0]);
  const GroupParts was(*before.groups[0]);
  ASSERT_EQ(wet.liquids.size(), 1U);
  EXPECT_EQ(wet.liquids[0]->corner, was.liquids[0]->corner);
  EXPECT_EQ(wet.liquids[0]->x_tiles, was.liquids[0]->x_tiles);
  EXPECT_EQ(wet.liquids[0]->y_tiles, was.liquids[0]->y_tiles);
  for (std::size_t i = 0; i < was.liquids[0]->vertices.size(); ++i) {
    EXPECT_EQ(wet.liquids[0]->vertices.at(i).height, was.liquids[0]->vertices[i].height);
  }
}

/// Moves a node by what it is called.
void move(scene::Scene& scene, std::string_view name, const Vec3& way) {
  for (auto& node : scene.nodes) {
    if (node.name == name) {
      for (std::size_t i = 0; i < 3; ++i) {
        node.rest.translation.at(i) += way.at(i);
      }
    }
  }
}

TEST(WmoFromScene, OntoAnOriginalOnlyEditsChange) {
  Document original = house_document();
  // What no scene has.
  chunk_in<Header>(root_of(original), FourCC{"MOHD"}).padding[3] = 9;
  group_of(original, 1).header.padding[2] = 7;
  const scene::Scene unedited = through_gltf(original);
  const Document before = building_of(unedited);
  Document same = before;
  merge_onto(original, before, same);
  EXPECT_EQ(write(same), write(original));

  scene::Scene edited = unedited;
  move(edited, "chest 0", {1, 0, 0});
  Document moved = building_of(edited);
  merge_onto(original, before, moved);
  Document expected = original;
  chunk_in<Doodads>(root_of(expected), FourCC{"MODD"}).items[0].position[1] += 1;
  EXPECT_EQ(write(moved), write(expected));

  edited = unedited;
  for (auto& mesh : edited.meshes) {
    if (mesh.name == "Room") {
      mesh.positions[0][1] += 0.25F;
    }
  }
  Document lifted = building_of(edited);
  merge_onto(original, before, lifted);
  expect_clean(lifted);
  EXPECT_EQ(lifted.groups()[0]->chunks, original.groups()[0]->chunks);
  EXPECT_NE(lifted.groups()[1]->chunks, original.groups()[1]->chunks);
  EXPECT_EQ(lifted.groups()[1]->header.padding, original.groups()[1]->header.padding);
}

TEST(WmoFromScene, OntoAnOriginalDoodadsTurn) {
  const Document original = house_document();
  const scene::Scene unedited = through_gltf(original);
  const Document before = building_of(unedited);
  const Vec4 was = items_of<Doodads>(original, "MODD")[2].rotation;
  ASSERT_EQ(was, (Vec4{0, 0, 0, 1}));
  for (const std::size_t axis : {0U, 1U, 2U}) {
    scene::Scene edited = unedited;
    for (auto& node : edited.nodes) {
      if (node.name == "knight 2") {
        Vec4 turn{0, 0, 0, 1};  // so little that the other numbers stay
        turn.at(axis) = 0.003F;
        node.rest.rotation = turn;
      }
    }
    Document turned = building_of(edited);
    merge_onto(original, before, turned);
    EXPECT_NE(items_of<Doodads>(turned, "MODD")[2].rotation, was) << axis;
  }
}

TEST(WmoFromScene, OntoAnOriginalBoxesOfGroupsFollow) {
  const Document original = house_document();
  const scene::Scene unedited = through_gltf(original);
  const Document before = building_of(unedited);
  scene::Scene edited = unedited;
  for (auto& mesh : edited.meshes) {
    if (mesh.name == "Room") {
      mesh.positions[0][1] += 100;
    }
  }
  Document raised = building_of(edited);
  merge_onto(original, before, raised);
  const auto& infos = items_of<GroupInfos>(raised, "MOGI");
  EXPECT_EQ(infos.at(0).box, items_of<GroupInfos>(original, "MOGI").at(0).box);
  EXPECT_EQ(infos.at(1).box, raised.groups()[1]->header.box);
  EXPECT_GT(infos.at(1).box.maximum[2], 90);
}

TEST(WmoFromScene, OpeningsMoveWithTheirNodes) {
  const Document original = house_document();
  scene::Scene scene = through_gltf(original);
  bool moved = false;
  for (Index i = 0; i < scene.nodes.size(); ++i) {
    if (scene::extras_of(scene.nodes[i], "wmo")["portal"].integer()) {
      scene.nodes[i].rest.translation[1] += 0.5F;
      std::erase_if(scene.meshes, [&](const scene::Mesh& mesh) { return mesh.node == i; });
      moved = true;
    }
  }
  ASSERT_TRUE(moved);
  const Document made = building_of(scene);
  const auto& before = items_of<Portals>(original, "MOPT");
  const auto& after = items_of<Portals>(made, "MOPT");
  ASSERT_EQ(after.size(), before.size());
  const auto& was = items_of<Points>(original, "MOPV");
  const auto& is = items_of<Points>(made, "MOPV");
  for (std::size_t i = 0; i < after.size(); ++i) {
    EXPECT_EQ(after[i].normal, before[i].normal) << i;
  }
  for (std::size_t i = 0; i < was.size(); ++i) {
    EXPECT_NEAR(is[i][2], was[i][2] + 0.5F, 1e-5) << i;
  }
}

TEST(WmoFromScene, OntoAnOriginalWithoutAChunk) {
  Document original = house_document();
  auto& chunks = group_of(original, 0).chunks;
  const auto removed = std::remove_if(chunks.begin(), chunks.end(),
                                      [](const Chunk& chunk) { return chunk.tag == FourCC{"MOLV"}; });
  ASSERT_NE(removed, chunks.end());
  chunks.erase(removed, chunks.end());
  lay_out(original);
  const scene::Scene unedited = through_gltf(original);
  const Document before = building_of(unedited);
  Document same = before;
  merge_onto(original, before, same);
  EXPECT_EQ(write(same), write(original));

  scene::Scene dark = unedited;
  dark.lights.clear();
  Document edited = building_of(dark);
  merge_onto(original, before, edited);
  EXPECT_TRUE(items_of<Lights>(edited, "MOLT").empty());
  for (const Group* group : edited.groups()) {
    EXPECT_TRUE(GroupParts(*group).lights.empty());
  }
  Document lit = before;
  merge_onto(edited, building_of(dark), lit);
  EXPECT_EQ(items_of<Lights>(lit, "MOLT"), items_of<Lights>(original, "MOLT"));
}

TEST(WmoFromScene, OntoAnOriginalWithoutDoodads) {
  MeshBuilder builder;
  builder.box("Box", {0, 0, 0}, {4, 4, 4});
  const Document original = building_of(builder.scene);
  ASSERT_TRUE(GroupParts(*original.groups().at(0)).doodads.empty());
  builder.node("World\\Chair.mdx", {1, 1, 1});
  Document edited = building_of(builder.scene);
  merge_onto(original, original, edited);
  expect_clean(edited);
  EXPECT_EQ(items_of<Doodads>(edited, "MODD").size(), 1U);
  EXPECT_EQ(GroupParts(*edited.groups().at(0)).doodads, Array<std::uint16_t>{0});
  // And with one more.
  builder.node("World\\Chair.mdx", {2, 1, 1});
  Document more = building_of(builder.scene);
  merge_onto(edited, edited, more);
  expect_clean(more);
  EXPECT_EQ(GroupParts(*more.groups().at(0)).doodads, (Array<std::uint16_t>{0, 1}));
}

TEST(WmoFromScene, OntoKeepsTheVersion) {
  const auto formats = formats_of_scenes();
  const auto wmo = std::find_if(formats.begin(), formats.end(),
                                [](const FormatDescriptor* format) { return format->id == "wmo"; });
  ASSERT_NE(wmo, formats.end());
  const scene::Scene scene = through_gltf(house_document());
  const auto made = [&](const Document& onto, std::optional<std::uint32_t> version) -> std::string {
    const AnyDocument document(identify(write(onto)), onto);
    const Original original{document, scene};
    Diagnostics findings;
    ConvertOptions options;
    options.model.version = version;
    WriteContext context{scene, options, findings, "house.wmo"};
    context.onto = &original;
    const auto file = (*wmo)->from_scene->write(context);
    return file ? "made" : file.error().message;
  };
  EXPECT_EQ(made(house_document(), {}), "made");
  EXPECT_EQ(made(house_document(), 14), "made");
  EXPECT_NE(made(house_document(), 17).find("keeps the original's version (14)"), std::string::npos);
  const auto split = to_later(house_document(), {});
  ASSERT_TRUE(split);
  EXPECT_NE(made(split->root, {}).find("all of its groups"), std::string::npos);
  EXPECT_NE(made(split->groups[0], {}).find("all of its groups"), std::string::npos);
  Document joint = split->root;
  for (const Document& group : split->groups) {
    joint.chunks.insert(joint.chunks.end(), group.chunks.begin(), group.chunks.end());
  }
  EXPECT_EQ(made(joint, {}), "made");
  EXPECT_EQ(made(joint, 17), "made");
}

TEST(WmoFromScene, OntoAnOriginalOfVersion17) {
  const auto split = to_later(house_document(), {});
  ASSERT_TRUE(split);
  SplitBuilding original = *split;
  chunk_in<Header>(original.root.chunks, FourCC{"MOHD"}).flags = 3;
  auto& group = std::get<Group>(original.groups[1].chunks.at(1).body);
  group.header.later = {5, 6};
  group.chunks.push_back({FourCC{"XYZW"}, Opaque{}, Remainder{{1, 2}}, {}});
  original.groups[1].tail = {7};

  scene::Scene scene = through_gltf(house_document());
  const auto parts = [](const scene::Scene& of) { return *to_later(building_of(of), {}); };
  const SplitBuilding before = parts(scene);
  SplitBuilding same = before;
  EXPECT_FALSE(merge_onto(original, before, same).anything);
  const auto bytes = [](const SplitBuilding& building) {
    std::vector<Bytes> all = {write(building.root)};
    for (const Document& file : building.groups) {
      all.push_back(write(file));
    }
    return all;
  };
  EXPECT_EQ(bytes(same), bytes(original));

  move(scene, "chest 0", {1, 0, 0});
  for (auto& mesh : scene.meshes) {
    if (mesh.name == "Room") {
      mesh.positions[0][1] += 0.25F;
    }
  }
  SplitBuilding edited = parts(scene);
  EXPECT_TRUE(merge_onto(original, before, edited).geometry);
  EXPECT_EQ(write(edited.groups[0]), write(original.groups[0]));
  const auto& other = std::get<Group>(edited.groups[1].chunks.at(1).body);
  EXPECT_EQ(other.header.later, group.header.later);
  EXPECT_EQ(other.chunks.back().tag, FourCC{"XYZW"});
  EXPECT_NE(other.find<Points>(FourCC{"MOVT"})->items, group.find<Points>(FourCC{"MOVT"})->items);
  EXPECT_EQ(edited.groups[1].tail, original.groups[1].tail);
  EXPECT_EQ(chunk_in<Header>(edited.root.chunks, FourCC{"MOHD"}).flags, 3U);
  EXPECT_EQ(chunk_in<Doodads>(edited.root.chunks, FourCC{"MODD"}).items[0].position[1],
            chunk_in<Doodads>(original.root.chunks, FourCC{"MODD"}).items[0].position[1] + 1);
  EXPECT_EQ(chunk_in<Materials>(edited.root.chunks, FourCC{"MOMT"}),
            chunk_in<Materials>(original.root.chunks, FourCC{"MOMT"}));
}

TEST(WmoFromScene, AnotherNameOfAGroup) {
  const Document original = house_document();
  scene::Scene scene = through_gltf(original);
  const Document before = building_of(scene);
  for (auto& node : scene.nodes) {
    node.name = node.name == "Room" ? "Parlour" : node.name;
  }
  for (auto& mesh : scene.meshes) {
    mesh.name = mesh.name == "Room" ? "Parlour" : mesh.name;
  }
  Document renamed = building_of(scene);
  merge_onto(original, before, renamed);
  expect_clean(renamed);
  EXPECT_EQ(Building(renamed, {}).group_name(1), "Parlour");
}

TEST(WmoFromScene, WhatIsLostOfLiquidsIsReported) {
  Document original = house_document();
  for (Chunk& chunk : original.chunks) {
    auto* group = std::get_if<Group>(&chunk.body);
    auto* liquids = group == nullptr ? nullptr : group->find<Liquids>(FourCC{"MLIQ"});
    if (liquids != nullptr) {
      liquids->items[0].vertices[0].flow[1] = 9;
      auto& tiles = liquids->items[0].tiles;
      const auto wet = std::find_if(tiles.begin(), tiles.end(), [](auto tile) { return (tile & 15) != 15; });
      *wet = static_cast<std::uint8_t>(*wet | 0xC0U);
    }
  }
  Diagnostics findings;
  ASSERT_TRUE(from_scene(through_gltf(original), {}, findings));
  for (const char* what : {": flow", ": fishable", ": shared"}) {
    EXPECT_TRUE(has(findings, codes::kSceneLost, what)) << what;
  }
}

TEST(WmoFromScene, WithoutCollisionEveryFaceStops) {
  Diagnostics findings;
  const auto made = from_scene(through_gltf(house_document(), false), {}, findings);
  ASSERT_TRUE(made);
  EXPECT_NE(made->lost_collision.find("--collision"), std::string::npos);
  expect_clean(made->document);
}

// --- scenes of others

TEST(WmoFromScene, WhatIsLostOfPicturesIsReported) {
  Diagnostics findings;
  MeshBuilder builder;
  builder.box("Tower", {-10, 0, -10}, {10, 20, 10}).parts[0].material = 0;
  auto& layer = builder.scene.materials.emplace_back().layers.emplace_back();
  layer.texture = 0;
  layer.uv_animation = 0;
  builder.scene.uv_animations.emplace_back();
  builder.scene.textures.emplace_back().replaceable_id = 1;
  ASSERT_TRUE(from_scene(builder.scene, {}, findings));
  EXPECT_TRUE(has(findings, codes::kSceneChanged, "replaceable id"));
  EXPECT_FALSE(has(findings, codes::kSceneChanged, "texture animation"))
      << "at rest it stands in the coordinates";
  builder.scene.clips.emplace_back().channels.emplace_back().target = {scene::Target::Kind::uv_animation, 0,
                                                                       0};
  ASSERT_TRUE(from_scene(builder.scene, {}, findings));
  EXPECT_TRUE(has(findings, codes::kSceneChanged, "texture animation"));
}

TEST(WmoFromScene, NamesSayWhatThingsAre) {
  MeshBuilder builder;
  builder.box("Tower", {-10, 0, -10}, {10, 20, 10});
  builder.box("Interior hall", {-8, 0, -8}, {8, 8, 8});
  builder.quad("Portal door", {{{-1, 0, 8.5F}, {1, 0, 8.5F}, {1, 3, 8.5F}, {-1, 3, 8.5F}}});
  builder.quad("LiquidMagma pit", {{{0, 1, 0}, {0, 1, 12.5F}, {12.5F, 2, 12.5F}, {12.5F, 2, 0}}});
  const Index set = builder.node("Set_Feast");
  const Index chair = builder.node("World\\Chair.mdx", {1, 2, 3});
  builder.scene.nodes[chair].parent = set;
  const Index lamp = builder.node("Lamp", {0, 5, 0});
  scene::Light light;
  light.node = lamp;
  light.color = {1, 0.5F, 0};
  light.intensity = 2;
  light.attenuation_end = 6;
  builder.scene.lights.push_back(light);
  Diagnostics findings;
  const Document made = building_of(builder.scene, findings);
  expect_clean(made);
  const Building building(made, {});
  ASSERT_EQ(building.groups.size(), 2U);
  EXPECT_EQ(building.group_name(1), "Interior hall");
  EXPECT_NE(building.groups[0]->header.flags & GroupHeader::kExterior, 0U);
  EXPECT_NE(building.groups[1]->header.flags & GroupHeader::kInterior, 0U);
  EXPECT_EQ(building.groups[0]->header.exterior[0].batch_count, 1U);
  EXPECT_EQ(building.groups[1]->header.interior[0].vertex_count, 36U);

  // North is +Z: the door looks north, out of the hall.
  ASSERT_EQ(building.portals.size(), 1U);
  EXPECT_EQ(building.portals[0].normal, (Vec3{1, 0, 0}));
  EXPECT_FLOAT_EQ(building.portals[0].distance, -8.5F);
  EXPECT_EQ(building.portal_references, (std::vector<PortalReference>{{0, 1, 1, 0}, {0, 0, -1, 0}}));

  const GroupParts hall(*building.groups[1]);
  const GroupParts tower(*building.groups[0]);
  const auto& wet = tower.liquids.empty() ? hall : tower;
  ASSERT_EQ(wet.liquids.size(), 1U);
  const Liquid& liquid = *wet.liquids[0];
  EXPECT_EQ(liquid_kind(liquid), LiquidKind::magma);
  EXPECT_EQ(liquid.x_tiles, 3);
  EXPECT_EQ(liquid.y_tiles, 3);
  for (std::int32_t y = 0; y < 4; ++y) {
    for (std::int32_t x = 0; x < 4; ++x) {
      const Vec3 at = liquid_position(liquid, kAlphaVersion, x, y);
      EXPECT_NEAR(at[2], 1 + at[1] / 12.5F, 1e-4);
    }
  }

  ASSERT_EQ(building.doodads.size(), 1U);
  EXPECT_EQ(building.doodads[0].position, (Vec3{3, 1, 2}));
  EXPECT_EQ(name_at(building.doodad_names, building.doodads[0].name_offset()), "World\\Chair.mdx");
  ASSERT_EQ(building.doodad_sets.size(), 2U);
  EXPECT_EQ(building.set_name(0), "Set_$DefaultGlobal");
  EXPECT_EQ(building.set_name(1), "Set_Feast");
  EXPECT_EQ(building.doodad_sets[1].count, 1U);
  EXPECT_EQ(hall.doodads, (Array<std::uint16_t>{0}));
  ASSERT_EQ(building.lights.size(), 1U);
  EXPECT_EQ(building.lights[0].color, (Bgra{0, 128, 255, 255}));
  EXPECT_EQ(hall.lights, (Array<std::uint16_t>{0}));
  EXPECT_TRUE(has(findings, codes::kSceneAdded, "white texture"));
  EXPECT_TRUE(has(findings, codes::kSceneAdded, "fog"));
}

TEST(WmoFromScene, ALiquidSlopesWhereverItLies) {
  MeshBuilder builder;
  builder.box("Tower", {20, 0, 40}, {60, 20, 80});
  // Cells are 25 / 6 yards: two by three of them, each with a corner of the mesh only at the ends.
  constexpr float kCell = 25.0F / 6;
  const float west = 8 * kCell;
  const float north = 12 * kCell;
  builder.quad("Liquid pond", {{{west, 3, north},
                                {west, 5, north + 3 * kCell},
                                {west + 2 * kCell, 9, north + 3 * kCell},
                                {west + 2 * kCell, 7, north}}});
  Diagnostics findings;
  const Document made = building_of(builder.scene, findings);
  EXPECT_FALSE(has(findings, codes::kSceneLost, "per tile or corner")) << "nothing says that it had such";
  expect_clean(made);
  const GroupParts parts(*made.groups()[0]);
  ASSERT_EQ(parts.liquids.size(), 1U);
  const Liquid& liquid = *parts.liquids[0];
  EXPECT_EQ(liquid.x_tiles * liquid.y_tiles, 6);
  for (std::int32_t y = 0; y < liquid.y_vertices; ++y) {
    for (std::int32_t x = 0; x < liquid.x_vertices; ++x) {
      const Vec3 at = liquid_position(liquid, kAlphaVersion, x, y);
      EXPECT_NEAR(at[2], 3 + 2 * (at[0] - north) / (3 * kCell) + 4 * (at[1] - west) / (2 * kCell), 1e-3);
    }
  }
}

TEST(WmoFromScene, ALiquidFarAwayIsNoMoreWork) {
  constexpr float kFar = 500000;
  constexpr std::uint32_t kColumns = 20;
  MeshBuilder builder;
  builder.box("Tower", {0, 0, kFar}, {40, 20, kFar + 40});
  auto& pond = builder.mesh("Liquid pond");
  for (std::uint32_t i = 0; i <= kColumns; ++i) {
    const auto west = static_cast<float>(i) * 40;
    pond.positions.push_back({west, 3, kFar});
    pond.positions.push_back({west, 3, kFar + 40});
  }
  for (std::uint32_t i = 0; i < 2 * kColumns; ++i) {
    pond.indices.insert(pond.indices.end(), {i, i + 1, i + 2});
  }
  pond.parts = {{0, 6 * kColumns, kNone}};
  const Document made = building_of(builder.scene);
  EXPECT_EQ(GroupParts(*made.groups().at(0)).liquids.size(), 1U);
}

TEST(WmoFromScene, HolesOfManyCornersAreGoneRound) {
  MeshBuilder builder;
  builder.box("Tower", {-10, 0, -10}, {10, 20, 10});
  builder.box("Interior hall", {-8, 0, -8}, {8, 8, 8});
  auto& hole = builder.mesh("Portal window");
  for (std::size_t i = 0; i < 6; ++i) {
    const double angle = scene::kPi / 3 * static_cast<double>(i);
    hole.positions.push_back(
        {static_cast<float>(2 * scene::cosine(angle)), static_cast<float>(4 + 2 * scene::sine(angle)), 8.5F});
  }
  hole.indices = {0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 5};
  hole.parts = {{0, 12, kNone}};
  const Document made = building_of(builder.scene);
  const Building building(made, {});
  ASSERT_EQ(building.portals.size(), 1U);
  ASSERT_EQ(building.portal_vertices.size(), 6U);
  for (std::size_t i = 0; i < 6; ++i) {
    const auto side = scene::subtract(scene::widen(building.portal_vertices[(i + 1) % 6]),
                                      scene::widen(building.portal_vertices[i]));
    EXPECT_NEAR(scene::length(side), 2, 1e-3) << "corners stand beside their neighbours";
  }
}

TEST(WmoFromScene, MoreGroupsThanTheGameTakesAreJoined) {
  constexpr std::size_t kMany = 400;
  MeshBuilder builder;
  for (std::size_t i = 0; i < kMany; ++i) {
    const auto at = static_cast<float>(i) * 2;
    builder.box("Hut " + std::to_string(i), {at, 0, 0}, {at + 1, 1, 1});
  }
  Diagnostics findings;
  const Document made = building_of(builder.scene, findings);
  const auto groups = made.groups();
  EXPECT_LT(groups.size(), kMany);
  EXPECT_TRUE(has(findings, codes::kSceneChanged, "400 groups joined into " + std::to_string(groups.size())));
  std::size_t faces = 0;
  for (const Group* group : groups) {
    const auto& all = group->find<Faces>(FourCC{"MOPY"})->items;
    faces += all.size();
    EXPECT_TRUE(std::all_of(all.begin(), all.end(), [](const auto& face) { return face[3] == 0; }));
  }
  EXPECT_EQ(faces, kMany * 12);
}

TEST(WmoFromScene, CollisionMeshesSayWhatStops) {
  MeshBuilder builder;
  builder.box("Shed", {0, 0, 0}, {4, 4, 4});
  builder.quad("Shed_collision", {{{0, 0, 5}, {4, 0, 5}, {4, 4, 5}, {0, 4, 5}}});
  const Document made = building_of(builder.scene);
  expect_clean(made);
  const GroupParts parts(*made.groups()[0]);
  ASSERT_EQ(parts.faces.size(), 14U);
  std::size_t details = 0;
  std::size_t barriers = 0;
  for (std::size_t i = 0; i < parts.faces.size(); ++i) {
    details += (parts.faces[i].flags & Faces::kDetail) != 0 ? 1U : 0U;
    barriers += parts.faces[i].material == Faces::kNoMaterial ? 1U : 0U;
  }
  EXPECT_EQ(details, 12U);
  EXPECT_EQ(barriers, 2U);
  EXPECT_EQ(parts.bsp_faces.size(), 2U);
}

TEST(WmoFromScene, BarriersFaceTheirWay) {
  MeshBuilder builder;
  builder.box("Shed", {0, 0, 0}, {4, 4, 4});
  builder.quad("Shed_collision", {{{0, 0, 5}, {4, 0, 5}, {4, 4, 9}, {0, 4, 9}}});
  auto& line = builder.mesh("Line_collision");
  line.positions = {{6, 0, 0}, {6, 0, 1}, {6, 0, 2}};
  line.indices = {0, 1, 2};
  line.parts = {{0, 3, kNone}};
  const Document made = building_of(builder.scene);
  const GroupParts parts(*made.groups()[0]);
  std::size_t seen = 0;
  for (std::size_t face = 0; face < parts.faces.size(); ++face) {
    if (parts.faces[face].material != Faces::kNoMaterial) {
      continue;
    }
    ++seen;
    const auto corner = [&](std::size_t i) {
      return scene::widen(parts.positions[parts.indices[face * 3 + i]]);
    };
    const auto across =
        scene::cross(scene::subtract(corner(1), corner(0)), scene::subtract(corner(2), corner(0)));
    const auto& normal = parts.normals[parts.indices[face * 3]];
    EXPECT_EQ(normal, scene::narrow(scene::unit(across, {0, 0, 1})));
    EXPECT_NEAR(scene::length(scene::widen(normal)), 1, 1e-6);
  }
  EXPECT_GE(seen, 2U);
}

TEST(WmoFromScene, MirrorsTurnTrianglesBack) {
  MeshBuilder builder;
  auto& quad = builder.quad("Wall", {{{-1, 0, 0}, {1, 0, 0}, {1, 2, 0}, {-1, 2, 0}}});
  quad.normals.assign(4, Vec3{0, 0, 1});
  builder.scene.nodes[0].rest.scale = {-1, 1, 1};
  const Document made = building_of(builder.scene);
  const GroupParts parts(*made.groups()[0]);
  const auto& p = parts.positions;
  // Counter-clockwise about the normal, which still looks north.
  EXPECT_EQ(parts.normals[0], (Vec3{1, 0, 0}));
  const float area = (p[1][1] - p[0][1]) * (p[2][2] - p[0][2]) - (p[2][1] - p[0][1]) * (p[1][2] - p[0][2]);
  EXPECT_GT(area, 0);
}

TEST(WmoFromScene, WhatIsTooLargeIsDivided) {
  MeshBuilder builder;
  auto& mesh = builder.mesh("Field");
  constexpr std::uint32_t kSide = 160;
  for (std::uint32_t i = 0; i < kSide * kSide; ++i) {
    mesh.positions.push_back({static_cast<float>(i % kSide), 0, static_cast<float>(i / kSide)});
  }
  for (std::uint32_t row = 0; row + 1 < kSide; ++row) {
    for (std::uint32_t column = 0; column + 1 < kSide; ++column) {
      const std::uint32_t a = row * kSide + column;
      for (const std::uint32_t i : {a, a + kSide, a + 1, a + 1, a + kSide, a + kSide + 1}) {
        mesh.indices.push_back(i);
      }
    }
  }
  mesh.parts = {{0, static_cast<Index>(mesh.indices.size()), kNone}};
  const std::size_t faces = mesh.indices.size() / 3;
  Diagnostics findings;
  const Document made = building_of(builder.scene, findings);
  EXPECT_TRUE(has(findings, codes::kSceneChanged, "was divided into 4 groups"));
  expect_clean(made);
  std::size_t total = 0;
  for (const Group* group : made.groups()) {
    total += GroupParts(*group).faces.size();
  }
  EXPECT_EQ(total, faces);
  const auto later = to_later(made, {});
  ASSERT_TRUE(later);
  EXPECT_EQ(later->groups.size(), made.groups().size());
}

TEST(WmoFromScene, WhatCannotBeIsRefused) {
  EXPECT_EQ(from_scene(scene::Scene{}, {}, Diagnostics::discarded()).error().code, codes::kWriteUnsupported);
  MeshBuilder builder;
  auto& mesh = builder.box("Many", {0, 0, 0}, {1, 1, 1});
  mesh.parts.clear();
  Array<std::uint32_t> indices;
  for (Index i = 0; i < 256; ++i) {
    scene::Texture texture;
    texture.path = "t" + std::to_string(i) + ".blp";
    builder.scene.textures.push_back(texture);
    auto& material = builder.scene.materials.emplace_back();
    material.layers.emplace_back().texture = i;
    mesh.parts.push_back({i * 3, 3, i});
    for (const std::uint32_t vertex : {0U, 1U, 2U}) {
      indices.push_back(vertex);
    }
  }
  mesh.indices = indices;
  EXPECT_EQ(from_scene(builder.scene, {}, Diagnostics::discarded()).error().code, codes::kWriteUnsupported);
  mesh.parts.pop_back();
  EXPECT_TRUE(from_scene(builder.scene, {}, Diagnostics::discarded()));
}

TEST(WmoFromScene, WhatNothingSaysIsAsBuildingsHaveIt) {
  MeshBuilder builder;
  auto& box = builder.box("Box", {0, 0, 0}, {1, 1, 1});
  builder.scene.materials.emplace_back().layers.emplace_back().uv_set = 1;
  box.parts[0].material = 0;
  const Index chair = builder.node("World\\Chair.mdx");
  builder.scene.nodes[chair].rest.scale = {1, 2, 6};
  Diagnostics findings;
  const Document made = building_of(builder.scene, findings);
  const Building building(made, {});
  EXPECT_EQ(building.materials.at(0).diffuse_color, (Bgra{150, 150, 150, 255}));
  const Fog usual{
      0, {}, 0, 0, {444.4445F, 0.25F, {160, 150, 140, 255}}, {222.2222F, -0.5F, {90, 60, 10, 255}}};
  EXPECT_EQ(building.fogs.at(0), usual);
  EXPECT_FLOAT_EQ(building.doodads.at(0).scale, 3);
  EXPECT_EQ(building.doodads.at(0).color, (Bgra{255, 255, 255, 255}));
  EXPECT_EQ(building.header.ambient_color, (Bgra{80, 80, 80, 255}));
  EXPECT_EQ(building.groups.at(0)->header.unique_id, 1U);
  const auto with_picture = from_scene(builder.scene, {}, Diagnostics::discarded());
  ASSERT_TRUE(with_picture);
  ASSERT_EQ(with_picture->pictures.size(), 1U);
  const auto& white = with_picture->pictures[0].image;
  EXPECT_EQ(white.rgba, Bytes(std::size_t{white.width} * white.height * 4, 255));
  EXPECT_TRUE(has(findings, codes::kSceneChanged, "changed to the mean"));
  EXPECT_TRUE(has(findings, codes::kSceneChanged, "first UV set"));
}

TEST(WmoFromScene, LightsReachAsFarAsTheyAreToldTo) {
  MeshBuilder builder;
  builder.box("Box", {0, 0, 0}, {1, 1, 1});
  for (const float end : {0.0F, 7.0F}) {
    auto& light = builder.scene.lights.emplace_back();
    light.node = builder.node("Lamp");
    light.attenuation_start = end / 2;
    light.attenuation_end = end;
  }
  const Document made = building_of(builder.scene);
  const Building building(made, {});
  ASSERT_EQ(building.lights.size(), 2U);
  EXPECT_EQ(building.lights[0].use_attenuation, 0);
  EXPECT_EQ(building.lights[1].use_attenuation, 1);
  EXPECT_EQ(building.lights[1].attenuation_start, 3.5F);
  EXPECT_EQ(building.lights[1].attenuation_end, 7.0F);
}

TEST(WmoFromScene, WhatIsLostIsReported) {
  MeshBuilder builder;
  auto& box = builder.box("Box", {0, 0, 0}, {1, 1, 1});
  box.uv_sets.resize(2);
  box.alpha = 0.5F;
  box.morph_targets.emplace_back();
  builder.scene.clips.emplace_back();
  builder.scene.cameras.emplace_back();
  auto& material = builder.scene.materials.emplace_back();
  material.layers.resize(2);
  material.layers[0].blend = scene::BlendMode::modulate;
  box.parts[0].material = 0;
  Diagnostics findings;
  building_of(builder.scene, findings);
  for (const char* words : {"animations", "morph targets", "UV set", "overall transparency", "cameras"}) {
    EXPECT_TRUE(has(findings, codes::kSceneLost, words)) << words;
  }
  EXPECT_TRUE(has(findings, codes::kSceneChanged, "first layer"));
  EXPECT_TRUE(has(findings, codes::kSceneChanged, "multiplicative"));
}

TEST(WmoFromScene, DoodadsBeyondTheFormatAreReported) {
  constexpr std::size_t kMost = 65535;
  MeshBuilder builder;
  builder.box("Hall", {0, 0, 0}, {1, 1, 1});
  const Index set = builder.node("set_of furniture and lamps");
  for (std::size_t i = 0; i < kMost + 2; ++i) {
    builder.scene.nodes[builder.node("Chair.mdx", {9, 9, 9})].parent = set;
  }
  Diagnostics findings;
  Document made = building_of(builder.scene, findings);
  EXPECT_EQ(chunk_in<Doodads>(root_of(made), FourCC{"MODD"}).items.size(), kMost);
  EXPECT_TRUE(has(findings, codes::kSceneChanged, "doodads beyond the format's 65535 left out: 2"));
  EXPECT_TRUE(has(findings, codes::kSceneChanged, "names of doodad sets truncated to 19 bytes: 1"));
}

// --- the tree

/// The part of space that a leaf stands for.
struct Cell {
  Vec3 low{-1e9F, -1e9F, -1e9F};
  Vec3 high{1e9F, 1e9F, 1e9F};
};

Cell cell_at(const std::vector<BspNode>& nodes, const Vec3& point) {
  Cell cell;
  for (std::size_t at = 0; (nodes[at].flags & BspNode::kLeaf) == 0;) {
    const std::size_t axis = nodes[at].flags & 3U;
    const bool low = point.at(axis) < nodes[at].distance;
    (low ? cell.high : cell.low).at(axis) = nodes[at].distance;
    at = static_cast<std::size_t>(low ? nodes[at].negative : nodes[at].positive);
  }
  return cell;
}

std::vector<std::uint16_t> faces_in(const GroupParts& parts, const Cell& cell) {
  std::vector<std::uint16_t> result;
  for (std::size_t face = 0; face < parts.faces.size(); ++face) {
    bool inside = (parts.faces[face].flags & Faces::kDetail) == 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto [low, high] =
          std::minmax({parts.positions[face * 3][axis], parts.positions[face * 3 + 1][axis],
                       parts.positions[face * 3 + 2][axis]});
      inside = inside && high >= cell.low.at(axis) && low <= cell.high.at(axis);
    }
    if (inside) {
      result.push_back(static_cast<std::uint16_t>(face));
    }
  }
  return result;
}

/// The height at which a line straight down from a point meets a face; far below if it does not.
float met_below(const GroupParts& parts, std::uint16_t face, const Vec3& point) {
  const auto at = [&](std::size_t corner) {
    return scene::widen(parts.positions[std::size_t{face} * 3 + corner]);
  };
  const auto a = at(0);
  const auto ab = scene::subtract(at(1), a);
  const auto ac = scene::subtract(at(2), a);
  const auto ap = scene::subtract(scene::widen(point), a);
  const double area = ab[0] * ac[1] - ac[0] * ab[1];
  if (area == 0) {
    return -1e9F;
  }
  const double u = (ap[0] * ac[1] - ac[0] * ap[1]) / area;
  const double v = (ab[0] * ap[1] - ap[0] * ab[1]) / area;
  const double height = a[2] + u * ab[2] + v * ac[2];
  const bool below = u >= 0 && v >= 0 && u + v <= 1 && height <= double{point[2]};
  return below ? static_cast<float>(height) : -1e9F;
}

/// The floor below a point by the tree alone: leaf after leaf downwards.
float floor_by_tree(const GroupParts& parts, Vec3 point) {
  const Vec3 from = point;
  for (;;) {
    const Cell cell = cell_at(parts.bsp_nodes, point);
    const auto& leaf = parts.bsp_nodes[static_cast<std::size_t>(leaf_at(parts.bsp_nodes, point))];
    float best = -1e9F;
    for (std::size_t i = 0; i < leaf.face_count; ++i) {
      best = std::max(best, met_below(parts, parts.bsp_faces[leaf.first_face + i], from));
    }
    if (best >= cell.low[2] || cell.low[2] <= -1e8F) {
      return best;
    }
    point[2] = std::nextafter(cell.low[2], -1e9F);
  }
}

void expect_sound_tree(const Group& group, unsigned seed) {
  const GroupParts parts(group);
  ASSERT_FALSE(parts.bsp_nodes.empty());
  std::mt19937 random(seed);
  const auto within = [&](std::size_t axis) {
    const float low = group.header.box.minimum.at(axis) - 2;
    const float high = group.header.box.maximum.at(axis) + 2;
    return low + (high - low) * static_cast<float>(random() % 65536) / 65535;
  };
  std::vector<std::uint16_t> solid = faces_in(parts, {});
  std::size_t met = 0;
  std::set<std::int32_t> known;
  for (int i = 0; i < 10000; ++i) {
    const Vec3 point = {within(0), within(1), within(2)};
    const auto at = leaf_at(parts.bsp_nodes, point);
    ASSERT_GE(at, 0);
    const BspNode& leaf = parts.bsp_nodes[static_cast<std::size_t>(at)];
    const Cell cell = cell_at(parts.bsp_nodes, point);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      ASSERT_TRUE(point.at(axis) >= cell.low.at(axis) && point.at(axis) <= cell.high.at(axis));
    }
    if (!known.insert(at).second) {
      continue;  // the same cell, and so the same faces
    }
    std::vector<std::uint16_t> listed(parts.bsp_faces.begin() + leaf.first_face,
                                      parts.bsp_faces.begin() + leaf.first_face + leaf.face_count);
    std::sort(listed.begin(), listed.end());
    ASSERT_EQ(listed, faces_in(parts, cell));
  }
  for (int i = 0; i < 300; ++i) {
    const Vec3 point = {within(0), within(1), within(2)};
    float floor = -1e9F;
    for (const auto face : solid) {
      floor = std::max(floor, met_below(parts, face, point));
    }
    ASSERT_EQ(floor_by_tree(parts, point), floor);
    met += floor > -1e8F ? 1U : 0U;
  }
  EXPECT_GT(met, 30U);
}

TEST(WmoBsp, EveryPointFindsTheFacesAroundIt) {
  const Document house = house_document();
  expect_sound_tree(*house.groups()[0], 1);
  expect_sound_tree(*house.groups()[1], 2);
}

TEST(WmoBsp, LeavesAreAsLargeAsThoseOfTheGame) {
  MeshBuilder builder;
  std::mt19937 random(7);
  const auto real = [&](float size) { return size * static_cast<float>(random() % 65536) / 65535; };
  auto& mesh = builder.mesh("Rubble");
  for (std::uint32_t i = 0; i < 3000; ++i) {
    const Vec3 at = {real(80), real(30), real(60)};
    for (std::uint32_t corner = 0; corner < 3; ++corner) {
      mesh.positions.push_back({at[0] + real(3), at[1] + real(3), at[2] + real(3)});
      mesh.indices.push_back(i * 3 + corner);
    }
  }
  mesh.parts = {{0, 9000, kNone}};
  const Document made = building_of(builder.scene);
  expect_clean(made);
  expect_sound_tree(*made.groups()[0], 3);
  const GroupParts parts(*made.groups()[0]);
  std::size_t leaves = 0;
  std::size_t most = 0;
  for (const auto& node : parts.bsp_nodes) {
    if ((node.flags & BspNode::kLeaf) != 0) {
      ++leaves;
      most = std::max<std::size_t>(most, node.face_count);
    }
  }
  EXPECT_LE(most, 119U);
  EXPECT_GE(leaves, 3000U / 47);
}

TEST(WmoBsp, WaysThatLeadNowhereEnd) {
  std::vector<BspNode> nodes(1);
  nodes[0].negative = -1;
  nodes[0].positive = 0;
  EXPECT_EQ(leaf_at(nodes, {-1, 0, 0}), -1);
  EXPECT_EQ(leaf_at(nodes, {1, 0, 0}), -1) << "round and round";
  nodes[0].positive = 1;
  EXPECT_EQ(leaf_at(nodes, {1, 0, 0}), -1) << "behind the last";
  nodes[0].positive = 7;
  EXPECT_EQ(leaf_at(nodes, {1, 0, 0}), -1);
  EXPECT_EQ(leaf_at({}, {}), -1);
}

TEST(WmoBsp, FewFacesAreNotCut) {
  for (const std::uint32_t faces : {40U, 41U}) {
    MeshBuilder builder;
    auto& mesh = builder.mesh("Steps");
    for (std::uint32_t i = 0; i < faces; ++i) {
      const auto at = static_cast<float>(i) * 4;
      for (const Vec3& corner : {Vec3{at, 0, 0}, Vec3{at + 1, 0, 0}, Vec3{at, 0, 1}}) {
        mesh.indices.push_back(static_cast<std::uint32_t>(mesh.positions.size()));
        mesh.positions.push_back(corner);
      }
    }
    mesh.parts = {{0, faces * 3, kNone}};
    const Document made = building_of(builder.scene);
    EXPECT_EQ(GroupParts(*made.groups()[0]).bsp_nodes.size(), faces == 40 ? 1U : 3U);
  }
}

}  // namespace
}  // namespace thaw::wmo
