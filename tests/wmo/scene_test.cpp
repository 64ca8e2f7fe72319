// Buildings as scenes, against a plain computation from the document, and as glTF.
#include <thaw/codes.hpp>
#include <thaw/gltf.hpp>
#include <thaw/mdx.hpp>
#include <thaw/sources.hpp>
#include <thaw/wmo.hpp>

#include "scene/math.hpp"
#include "support/paths.hpp"
#include "wmo/files.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>

namespace thaw::wmo {
namespace {

namespace fs = std::filesystem;
using test::corpus_dir;

Document sample() { return load_document(test::samples_dir() / "house.wmo"); }

scene::Scene scene_of(const Document& document, const SceneOptions& options = {},
                      std::span<const Document* const> groups = {}) {
  Diagnostics diagnostics;
  auto scene = to_scene(document, groups, "building", options, diagnostics);
  EXPECT_TRUE(scene);
  EXPECT_EQ(diagnostics.count(Severity::warning), 0U)
      << (diagnostics.items().empty() ? "" : diagnostics.items().front().message);
  return scene ? std::move(*scene) : scene::Scene{};
}

scene::Index node_named(const scene::Scene& scene, std::string_view name) {
  const auto found = std::find_if(scene.nodes.begin(), scene.nodes.end(),
                                  [&](const scene::Node& node) { return node.name == name; });
  EXPECT_NE(found, scene.nodes.end()) << name;
  return found == scene.nodes.end() ? scene::kNone : static_cast<scene::Index>(found - scene.nodes.begin());
}
bool has_node(const scene::Scene& scene, std::string_view name) {
  return std::any_of(scene.nodes.begin(), scene.nodes.end(),
                     [&](const scene::Node& node) { return node.name == name; });
}

const scene::Mesh& mesh_at(const scene::Scene& scene, std::string_view node) {
  const auto index = node_named(scene, node);
  const auto found = std::find_if(scene.meshes.begin(), scene.meshes.end(),
                                  [&](const scene::Mesh& mesh) { return mesh.node == index; });
  EXPECT_NE(found, scene.meshes.end()) << node;
  return found == scene.meshes.end() ? scene.meshes.at(0) : *found;
}

/// A drawn triangle in the building's own axes, with the material that draws it.
struct Drawn {
  std::array<Vec3, 3> corners;
  std::size_t material;
  friend auto operator<=>(const Drawn&, const Drawn&) = default;
};

/// Straight from the chunks: what batches say, and faces of no batch that have a material.
std::vector<Drawn> drawn_by(const Group& group) {
  const auto& positions = group.find<Points>(FourCC{"MOVT"})->items;
  const auto* indices = group.find<Indices>(FourCC{"MOIN"});
  indices = indices != nullptr ? indices : group.find<Indices>(FourCC{"MOVI"});
  std::vector<Drawn> result;
  const auto add = [&](std::size_t first, std::size_t material) {
    Drawn drawn{{}, material};
    for (std::size_t i = 0; i < 3; ++i) {
      drawn.corners[i] = positions.at(indices->items.at(first + i));
    }
    result.push_back(drawn);
  };
  std::vector<bool> taken(indices->items.size() / 3);
  for (const auto& batch : group.find<Batches>(FourCC{"MOBA"})->items) {
    for (std::size_t i = batch.first_index; i < batch.first_index + batch.index_count; i += 3) {
      add(i, batch.material);
      taken.at(i / 3) = true;
    }
  }
  const auto& faces = *group.find<Faces>(FourCC{"MOPY"});
  for (std::size_t i = 0; i < taken.size(); ++i) {
    if (!taken[i] && faces[i].material != Faces::kNoMaterial) {
      add(i * 3, faces[i].material);
    }
  }
  std::sort(result.begin(), result.end());
  return result;
}

/// The scene's triangles, turned back: north is +Z, west +X, up +Y.
std::vector<Drawn> shown_by(const scene::Scene& scene, const scene::Mesh& mesh, const Document& document) {
  const auto& names = *document.find<Strings>(FourCC{"MOTX"});
  const auto& materials = document.find<Materials>(FourCC{"MOMT"})->items;
  std::map<std::string, std::size_t> by_texture;
  for (std::size_t i = 0; i < materials.size(); ++i) {
    by_texture.emplace(std::string(names.at(materials[i].texture1)), i);
  }
  std::vector<Drawn> result;
  for (const auto& part : mesh.parts) {
    const auto& layer = scene.materials.at(part.material).layers.at(0);
    const auto material = by_texture.at(scene.textures.at(layer.texture).path);
    for (std::size_t i = part.first_index; i < part.first_index + part.index_count; i += 3) {
      Drawn drawn{{}, material};
      for (std::size_t k = 0; k < 3; ++k) {
        const Vec3& p = mesh.positions.at(mesh.indices.at(i + k));
        drawn.corners[k] = {p[2], p[0], p[1]};
      }
      result.push_back(drawn);
    }
  }
  std::sort(result.begin(), result.end());
  return result;
}

/// The share of triangles whose winding agrees with the normals of their corners.
double winding_agreement(const scene::Mesh& mesh) {
  std::size_t agree = 0;
  for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3) {
    const auto at = [&](std::size_t k) { return scene::widen(mesh.positions.at(mesh.indices[i + k])); };
    const auto face = scene::cross(scene::subtract(at(1), at(0)), scene::subtract(at(2), at(0)));
    scene::Vec3d sum{};
    for (std::size_t k = 0; k < 3; ++k) {
      sum = scene::add(sum, scene::widen(mesh.normals.at(mesh.indices[i + k])));
    }
    agree += scene::dot(face, sum) > 0 ? 1U : 0U;
  }
  return static_cast<double>(agree) / static_cast<double>(mesh.indices.size() / 3);
}

TEST(WmoScene, GroupsShowWhatTheirBatchesDraw) {
  std::vector<fs::path> files = {test::samples_dir() / "house.wmo"};
  if (fs::exists(corpus_dir() / "alpha/_derived")) {
    files.push_back(corpus_dir() / "alpha/_derived/trolltent14.wmo");
  }
  for (const auto& path : files) {
    const Document document = load_document(path);
    const scene::Scene scene = scene_of(document);
    const auto groups = document.groups();
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const auto& mesh = scene.meshes.at(i == 0 ? 0 : scene.meshes.size() - 1);
      EXPECT_EQ(shown_by(scene, mesh, document), drawn_by(*groups[i])) << path << " group " << i;
      EXPECT_GT(winding_agreement(mesh), 0.98) << path << " group " << i;
    }
  }
}

TEST(WmoScene, MaterialsGlowAtNightByTheirFlag) {
  Document document = load_document(test::samples_dir() / "house.wmo");
  // The document itself is not const.
  auto& material = const_cast<Materials*>(document.find<Materials>(FourCC{"MOMT"}))->items.at(0);
  material.glow_color = {51, 102, 255, 0};
  const auto glow = [&](std::uint32_t flags) {
    material.flags = flags;
    return scene_of(document).materials.at(0).layers.at(0).night_color;
  };
  EXPECT_EQ(glow(Material::kWindow), (Vec3{0, 0, 0}));
  EXPECT_EQ(glow(Material::kNightGlow), (Vec3{1, 0.4F, 0.2F}));
}

TEST(WmoScene, LaterFilesGiveTheSameScene) {
  THAW_REQUIRE_CORPUS("alpha/_derived");
  const fs::path fixtures = corpus_dir() / "alpha/wowserhq+blizzardry/spec/fixtures";
  const Document root = load_document(fixtures / "trolltent.wmo");
  const Document group = load_document(fixtures / "trolltent_000.wmo");
  const std::array<const Document*, 1> groups = {&group};
  const scene::Scene later = scene_of(root, {}, groups);
  EXPECT_EQ(shown_by(later, later.meshes.at(0), root), drawn_by(*group.groups().at(0)));
  const Document alpha = load_document(corpus_dir() / "alpha/_derived/trolltent14.wmo");
  const scene::Scene first = scene_of(alpha);
  EXPECT_EQ(shown_by(first, first.meshes.at(0), alpha), shown_by(later, later.meshes.at(0), root));
  EXPECT_EQ(first.bounds.minimum, later.bounds.minimum);
  EXPECT_EQ(first.bounds.maximum, later.bounds.maximum);
}

TEST(WmoScene, SecondCoordinatesAreASetAndSecondColorsAreReported) {
  Document house = sample();
  const Group* room = house.groups().at(1);
  auto& chunks =
      const_cast<Group*>(room)->chunks;  // NOLINT(cppcoreguidelines-pro-type-const-cast): of `house`
  const auto copy_of = [&](FourCC tag) {
    return *std::find_if(chunks.begin(), chunks.end(), [&](const Chunk& chunk) { return chunk.tag == tag; });
  };
  Chunk coordinates = copy_of(FourCC{"MOTV"});
  for (auto& uv : std::get<Coordinates>(coordinates.body).items) {
    uv[0] += 3;
  }
  const Chunk colors = copy_of(FourCC{"MOCV"});
  chunks.push_back(std::move(coordinates));
  chunks.push_back(colors);
  Diagnostics findings;
  const auto scene = to_scene(house, {}, "building", {}, findings);
  ASSERT_TRUE(scene);
  const auto& mesh = mesh_at(*scene, "Room");
  ASSERT_EQ(mesh.uv_sets.size(), 2U);
  EXPECT_FLOAT_EQ(mesh.uv_sets[1][5][0], mesh.uv_sets[0][5][0] + 3);
  const auto lost = [](const Diagnostic& finding) { return finding.code == codes::kSceneLost; };
  EXPECT_EQ(std::count_if(findings.items().begin(), findings.items().end(), lost), 1);
}

TEST(WmoScene, VertexColorsAndMaterials) {
  const Document house = sample();
  const scene::Scene scene = scene_of(house);
  const auto& room = mesh_at(scene, "Room");
  const auto& stored = house.groups().at(1)->find<Colors>(FourCC{"MOCV"})->items;
  ASSERT_EQ(room.colors.size(), stored.size());
  for (std::size_t i = 0; i < stored.size(); i += 17) {
    EXPECT_FLOAT_EQ(room.colors[i][0], static_cast<float>(stored[i][2]) / 255) << "red comes third";
    EXPECT_FLOAT_EQ(room.colors[i][2], static_cast<float>(stored[i][0]) / 255);
    EXPECT_EQ(room.colors[i][3], 1);
  }
  const auto layer = [&](std::string_view name) -> const scene::Layer& {
    const auto found = std::find_if(scene.materials.begin(), scene.materials.end(),
                                    [&](const scene::Material& material) { return material.name == name; });
    EXPECT_NE(found, scene.materials.end()) << name;
    return found->layers.at(0);
  };
  EXPECT_EQ(layer("house_ivy").blend, scene::BlendMode::mask);
  EXPECT_TRUE(layer("house_ivy").two_sided);
  EXPECT_TRUE(layer("house_window").unshaded);
  EXPECT_FALSE(layer("house_stone").unshaded);
  EXPECT_TRUE(layer("house_stone (light in colours)").unshaded) << "inside, the light is in the vertices";
  EXPECT_TRUE(scene.textures.at(layer("house_stone").texture).wrap_u);
  EXPECT_TRUE(mesh_at(scene, "House").colors.empty());
}

TEST(WmoScene, LiquidLiesInThePool) {
  const scene::Scene scene = scene_of(sample());
  const auto& water = mesh_at(scene, "House water");
  EXPECT_EQ(water.indices.size(), 12U);
  Vec3 low = water.positions.at(0);
  Vec3 high = low;
  for (const auto& p : water.positions) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], p[axis]);
      high[axis] = std::max(high[axis], p[axis]);
    }
  }
  // The pool: north 1 to 2 cells, west 1 to 3.
  constexpr float kCell = 100.0F / 24;
  EXPECT_NEAR(low[0], kCell, 1e-4);
  EXPECT_NEAR(high[0], 3 * kCell, 1e-4);
  EXPECT_NEAR(low[2], kCell, 1e-4);
  EXPECT_NEAR(high[2], 2 * kCell, 1e-4);
  EXPECT_FLOAT_EQ(low[1], 0.55F);
  EXPECT_EQ(winding_agreement(water), 1.0) << "seen from above";
}

TEST(WmoScene, DoodadSetsAreNodeGroups) {
  const Document house = sample();
  scene::Scene scene = scene_of(house);
  EXPECT_TRUE(has_node(scene, "Set_$DefaultGlobal"));
  EXPECT_FALSE(has_node(scene, "Set_Guard"));
  EXPECT_FALSE(has_node(scene, "knight 1"));
  EXPECT_EQ(scene.nodes.at(node_named(scene, "Set_$DefaultGlobal")).parent, 0U);
  for (const char* target : {"1", "Set_Guard", "set_guard", "all"}) {
    SceneOptions options;
    options.doodad_set = target;
    scene = scene_of(house, options);
    EXPECT_EQ(scene.nodes.at(node_named(scene, "knight 2")).parent, node_named(scene, "Set_Guard")) << target;
    EXPECT_TRUE(has_node(scene, "chest 0")) << target;
  }
  SceneOptions options;
  options.doodad_set = "none";
  EXPECT_FALSE(has_node(scene_of(house, options), "chest 0"));
  options.doodad_set = "Set_Nobody";
  Diagnostics diagnostics;
  const auto none = to_scene(house, {}, "x", options, diagnostics);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, codes::kWmoDoodadSet);
  EXPECT_NE(none.error().message.find("the sets are: 0 Set_$DefaultGlobal, 1 Set_Guard"), std::string::npos)
      << none.error().message;
}

/// A rotation of the building's own axes, as a matrix from the quaternion's formula.
Vec3 rotated(const Vec4& q, const Vec3& v) {
  const double x = q[0], y = q[1], z = q[2], w = q[3];
  const double a = v[0], b = v[1], c = v[2];
  return {
      static_cast<float>((1 - 2 * (y * y + z * z)) * a + 2 * (x * y - z * w) * b + 2 * (x * z + y * w) * c),
      static_cast<float>(2 * (x * y + z * w) * a + (1 - 2 * (x * x + z * z)) * b + 2 * (y * z - x * w) * c),
      static_cast<float>(2 * (x * z - y * w) * a + 2 * (y * z + x * w) * b + (1 - 2 * (x * x + y * y)) * c)};
}

TEST(WmoScene, DoodadsStandWhereTheDocumentPutsThem) {
  Document house = sample();
  for (auto& chunk : std::get<Root>(house.chunks.at(1).body).chunks) {
    if (auto* list = std::get_if<Doodads>(&chunk.body)) {
      list->items[0].rotation = {0.1825742F, 0.3651484F, 0.5477226F, 0.7302967F};
      list->items[0].position = {3, 5, 7};
      list->items[0].scale = 2;
    }
  }
  std::vector<std::string> requested;
  SceneOptions options;
  options.load_model = [&](std::string_view path) {
    requested.emplace_back(path);
    auto model = std::make_shared<scene::Scene>();
    model->nodes.emplace_back();
    return Model{model, kModelTurn};
  };
  options.doodad_set = "all";
  const scene::Scene scene = scene_of(house, options);
  EXPECT_EQ(requested, (std::vector<std::string>{"chest.mdx", "knight.mdl"})) << "once each";
  ASSERT_EQ(scene.models.size(), 2U);
  ASSERT_EQ(scene.placements.size(), 3U);
  const auto& node = scene.nodes.at(scene.placements[0].node);
  const auto matrix = scene::compose(node.rest);
  const auto& doodad = house.find<Doodads>(FourCC{"MODD"})->items.at(0);
  for (const Vec3 v : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}, Vec3{-2, 3, 4}}) {
    const Vec3 r = rotated(doodad.rotation, v);
    const Vec3 expected = {3 + 2 * r[0], 5 + 2 * r[1], 7 + 2 * r[2]};
    // The model's scene has it at (x, z, −y); this one shows north as +Z and west as +X.
    const auto p = scene::transform_point(matrix, {double{v[0]}, double{v[2]}, -double{v[1]}});
    EXPECT_NEAR(p[2], expected[0], 1e-5);
    EXPECT_NEAR(p[0], expected[1], 1e-5);
    EXPECT_NEAR(p[1], expected[2], 1e-5);
  }
}

TEST(WmoScene, PortalsLightsAndFogs) {
  const Document house = sample();
  SceneOptions options;
  options.portals = true;
  options.scale = 0.9144F;
  const scene::Scene scene = scene_of(house, options);
  const auto& portal = scene.nodes.at(node_named(scene, "portal 0"));
  EXPECT_EQ(to_json(*portal.extras.find("sides")), R"([{"group":1,"side":1},{"group":0,"side":-1}])");
  EXPECT_EQ(mesh_at(scene, "portal 0").indices.size(), 6U);
  ASSERT_EQ(scene.lights.size(), 2U);
  EXPECT_FLOAT_EQ(scene.lights[0].color[0], 1);
  EXPECT_FLOAT_EQ(scene.lights[0].attenuation_end, 9 * 0.9144F);
  const auto& lamp = scene.nodes.at(scene.lights[1].node).rest.translation;
  EXPECT_NEAR(lamp[1], 3.4 * 0.9144, 1e-3);
  EXPECT_NEAR(lamp[2], -2 * 0.9144, 1e-3);
  const auto& fog = scene.nodes.at(node_named(scene, "fog 0"));
  EXPECT_EQ(to_json(*fog.extras.find("air")->find("color")), "[190,170,150,255]");
}

TEST(WmoScene, CollisionIsWhatTheTreeHolds) {
  SceneOptions options;
  options.collision = true;
  const Document house = sample();
  const scene::Scene scene = scene_of(house, options);
  const Group& group = *house.groups().at(0);
  const auto& faces = *group.find<Faces>(FourCC{"MOPY"});
  std::size_t solid = 0;
  for (std::size_t i = 0; i < faces.size(); ++i) {
    solid += (faces[i].flags & Faces::kDetail) == 0 ? 1U : 0U;
  }
  const auto& stops = mesh_at(scene, "House collision");
  EXPECT_EQ(stops.indices.size(), solid * 3);
  ASSERT_EQ(stops.parts.size(), 1U) << "it can be seen";
  EXPECT_EQ(stops.parts[0].index_count, stops.indices.size());
  EXPECT_LT(stops.parts[0].material, scene.materials.size());
  EXPECT_LT(solid, faces.size()) << "ivy stops nobody";
  EXPECT_FALSE(has_node(scene_of(house), "House collision"));
}

// --- rules of the scene at their limits
// --------------------------------------------------------------------------------------------------

/// A scene whatever it says, and what it says as "path: message".
std::pair<scene::Scene, std::vector<std::string>> shown_with(const Document& document,
                                                             const SceneOptions& options = {}) {
  Diagnostics diagnostics;
  auto scene = to_scene(document, {}, "building", options, diagnostics);
  EXPECT_TRUE(scene);
  std::vector<std::string> lines;
  for (const auto& finding : diagnostics.items()) {
    lines.push_back(finding.path + ": " + finding.message);
  }
  return {scene ? std::move(*scene) : scene::Scene{}, lines};
}
TEST(WmoScene, EachFlagOfAMaterial) {
  const auto layer = [](std::uint32_t flags, std::uint32_t blend = 0) {
    Document house = sample();
    auto& material = chunk_in<Materials>(root_of(house), FourCC{"MOMT"}).items.at(0);
    material.flags = flags;
    material.blend_mode = blend;
    const auto& name = chunk_in<Strings>(root_of(house), FourCC{"MOTX"}).at(material.texture1);
    const scene::Scene scene = scene_of(house);
    for (const auto& made : scene.materials) {
      if (!made.layers.empty() && made.layers[0].texture < scene.textures.size() &&
          scene.textures[made.layers[0].texture].path == name &&
          made.name.find("light") == std::string::npos) {
        return std::pair(made.layers[0], scene.textures[made.layers[0].texture]);
      }
    }
    throw std::logic_error("no such material");
  };
  const auto is = [&](std::uint32_t flags, bool unshaded, bool unfogged, bool two_sided, bool u, bool v) {
    const auto [made, texture] = layer(flags);
    EXPECT_EQ(made.unshaded, unshaded) << flags;
    EXPECT_EQ(made.unfogged, unfogged) << flags;
    EXPECT_EQ(made.two_sided, two_sided) << flags;
    EXPECT_EQ(texture.wrap_u, u) << flags;
    EXPECT_EQ(texture.wrap_v, v) << flags;
  };
  is(0, false, false, false, true, true);
  is(Material::kUnlit, true, false, false, true, true);
  is(Material::kUnfogged, false, true, false, true, true);
  is(Material::kTwoSided, false, false, true, true, true);
  is(Material::kClampS, false, false, false, false, true);
  is(Material::kClampT, false, false, false, true, false);
  is(Material::kWindow | Material::kNightGlow | Material::kExteriorLight, false, false, false, true, true);
  constexpr std::array kModes = {scene::BlendMode::opaque,   scene::BlendMode::mask,
                                 scene::BlendMode::blend,    scene::BlendMode::additive,
                                 scene::BlendMode::modulate, scene::BlendMode::modulate2x};
  for (std::uint32_t mode = 0; mode < 8; ++mode) {
    EXPECT_EQ(layer(0, mode).first.blend, mode < kModes.size() ? kModes.at(mode) : scene::BlendMode::opaque);
  }
}

TEST(WmoScene, AFileThatEachMaterialWrapsInItsOwnWay) {
  constexpr std::array kWays = {0U, Material::kClampS, Material::kClampT,
                                Material::kClampS | Material::kClampT};
  Document house = sample();
  auto& materials = chunk_in<Materials>(root_of(house), FourCC{"MOMT"}).items;
  ASSERT_GE(materials.size(), kWays.size());
  for (std::size_t i = 0; i < kWays.size(); ++i) {
    materials[i].texture1 = materials[0].texture1;
    materials[i].flags = kWays.at(i);
  }
  const scene::Scene scene = scene_of(house);
  const std::string path =
      to_utf8(chunk_in<Strings>(root_of(house), FourCC{"MOTX"}).at(materials[0].texture1));
  std::set<std::pair<bool, bool>> ways;
  std::size_t count = 0;
  for (const auto& texture : scene.textures) {
    if (texture.path == path) {
      ways.emplace(texture.wrap_u, texture.wrap_v);
      ++count;
    }
  }
  EXPECT_EQ(ways.size(), 4U);
  EXPECT_EQ(count, 4U);
}

TEST(WmoScene, ASecondPictureIsKeptWhereItIsAnother) {
  const auto kept = [](std::uint32_t from, std::uint32_t second) {
    Document house = sample();
    auto& materials = chunk_in<Materials>(root_of(house), FourCC{"MOMT"}).items;
    materials[0].texture2 = second == 0 ? materials[from].texture1 : second;
    const scene::Scene scene = scene_of(house);
    std::set<std::string> all;
    for (const auto& material : scene.materials) {
      if (const Value* name = material.extras.find("texture2")) {
        all.insert(name->text());
      }
    }
    return all;
  };
  Document house = sample();
  const auto& names = chunk_in<Strings>(root_of(house), FourCC{"MOTX"});
  const auto& materials = chunk_in<Materials>(root_of(house), FourCC{"MOMT"}).items;
  EXPECT_EQ(kept(1, 0), std::set<std::string>{to_utf8(names.at(materials[1].texture1))});
  EXPECT_TRUE(kept(0, 0).empty()) << "the same again";
  EXPECT_TRUE(kept(0, 0xFFFFFF).empty()) << "none";
}

TEST(WmoScene, PortalsEndWithTheirCorners) {
  Document house = sample();
  auto& portals = chunk_in<Portals>(root_of(house), FourCC{"MOPT"}).items;
  const auto all = chunk_in<Points>(root_of(house), FourCC{"MOPV"}).items.size();
  portals[0].first_vertex = static_cast<std::uint16_t>(all - 3);
  portals[0].vertex_count = 4;
  SceneOptions options;
  options.portals = true;
  EXPECT_EQ(mesh_at(scene_of(house, options), "portal 0").positions.size(), 3U);
  portals[0].first_vertex = static_cast<std::uint16_t>(all + 1);
  for (const auto& mesh : scene_of(house, options).meshes) {
    EXPECT_NE(mesh.name, "portal 0");
  }
}

TEST(WmoScene, FacesOfNoBatchAreDrawnByTheirMaterial) {
  Document house = sample();
  Group& group = group_of(house, 0);
  chunk_in<Batches>(group.chunks, FourCC{"MOBA"}).items.clear();
  auto& faces = chunk_in<Faces>(group.chunks, FourCC{"MOPY"}).items;
  for (auto& face : faces) {
    face[2] = Faces::kNoMaterial;
  }
  const auto drawn = [&] {
    const scene::Scene scene = scene_of(house);
    const auto node = node_named(scene, "House");
    for (const auto& mesh : scene.meshes) {
      if (mesh.node == node) {
        EXPECT_EQ(scene.nodes[node].kind, scene::NodeKind::mesh);
        return mesh.indices.size();
      }
    }
    EXPECT_EQ(scene.nodes[node].kind, scene::NodeKind::helper);
    return std::size_t{0};
  };
  EXPECT_EQ(drawn(), 0U);
  faces.data()[0][2] = 0;
  EXPECT_EQ(drawn(), 3U);
  faces.data()[faces.size() - 1][2] = 1;
  EXPECT_EQ(drawn(), 6U);
}

TEST(WmoScene, BatchesAndTrianglesBeyondAreCounted) {
  const auto lines = [](const auto& change) {
    Document house = sample();
    Group& group = group_of(house, 0);
    change(chunk_in<Batches>(group.chunks, FourCC{"MOBA"}).items,
           chunk_in<Indices>(group.chunks, FourCC{"MOIN"}).items);
    return shown_with(house).second;
  };
  using Items = std::vector<Batch>;
  using Corners = Array<std::uint16_t>;
  EXPECT_EQ(lines([](Items&, Corners&) {}), Lines{});
  const auto one =
      Lines{"House: triangles with missing vertices, or parts of batches past the last index, left out: 1"};
  for (const std::size_t corner : {0U, 1U, 2U}) {
    EXPECT_EQ(lines([&](Items& batches, Corners& indices) {
                indices.data()[batches[0].first_index + corner] = 0xFFFF;
              }),
              one)
        << corner;
  }
  EXPECT_EQ(lines([](Items& batches, Corners& indices) {
              batches.back().index_count =
                  static_cast<std::uint16_t>(indices.size() - batches.back().first_index + 1);
            }),
            one);
  EXPECT_EQ(lines([](Items& batches, Corners&) { batches[0].material = 200; }).size(), 1U);
}

TEST(WmoScene, ListsThatDoNotFitAreLeftOut) {
  const auto made = [](FourCC tag) {
    Document house = sample();
    for (auto& chunk : group_of(house, 0).chunks) {
      if (chunk.tag == tag) {
        if (auto* points = std::get_if<Points>(&chunk.body)) {
          points->items.resize(points->items.size() - 1);
        } else if (auto* coordinates = std::get_if<Coordinates>(&chunk.body)) {
          coordinates->items.resize(coordinates->items.size() - 1);
        }
      }
    }
    return shown_with(house);
  };
  const auto normals = made(FourCC{"MONR"});
  EXPECT_EQ(normals.second.size(), 1U);
  EXPECT_TRUE(mesh_at(normals.first, "House").normals.empty());
  EXPECT_EQ(mesh_at(normals.first, "House").uv_sets.size(), 1U);
  const auto uvs = made(FourCC{"MOTV"});
  EXPECT_EQ(uvs.second.size(), 1U);
  EXPECT_TRUE(mesh_at(uvs.first, "House").uv_sets.empty());
  EXPECT_FALSE(mesh_at(uvs.first, "House").normals.empty());
  // Colours of one group for another number of vertices.
  Document house = sample();
  Group& room = group_of(house, 1);
  auto& colors = chunk_in<Colors>(room.chunks, FourCC{"MOCV"}).items;
  colors.resize(colors.size() - 1);
  const auto colored = shown_with(house);
  EXPECT_EQ(colored.second.size(), 1U);
  EXPECT_TRUE(mesh_at(colored.first, "Room").colors.empty());
}

TEST(WmoScene, NormalsOfNoLengthPointUpAndNumbersThatAreNoneAreZero) {
  Document house = sample();
  Group& group = group_of(house, 0);
  chunk_in<Points>(group.chunks, FourCC{"MONR"}).items.data()[0] = {0, 0, 0};
  chunk_in<Points>(group.chunks, FourCC{"MONR"}).items.data()[1] = {1, 2, 3};
  chunk_in<Coordinates>(group.chunks, FourCC{"MOTV"}).items.data()[0] = {NAN, 0.5F};
  const scene::Scene scene = scene_of(house);
  const auto& mesh = mesh_at(scene, "House");
  EXPECT_EQ(mesh.normals[0], (Vec3{0, 1, 0}));
  EXPECT_EQ(mesh.normals[1], (Vec3{2, 3, 1}));
  EXPECT_EQ(mesh.uv_sets[0][0], (Vec2{0, 0.5F}));
}

TEST(WmoScene, ExtrasOfGroups) {
  Document house = sample();
  const auto interior = [&](std::uint32_t flags) {
    group_of(house, 0).header.flags = flags;
    const scene::Scene scene = scene_of(house);
    return to_json(*scene.nodes.at(node_named(scene, "House")).extras.find("interior"));
  };
  EXPECT_EQ(interior(0), "true");
  EXPECT_EQ(interior(GroupHeader::kExterior), "false");
  EXPECT_EQ(interior(GroupHeader::kExteriorLit), "false");
  const scene::Scene scene = scene_of(sample());
  const auto& extras = scene.nodes.at(node_named(scene, "Room")).extras;
  EXPECT_EQ(to_json(*extras.find("group")), "1");
  EXPECT_EQ(to_json(*extras.find("portals")), R"({"first":1,"count":1})");
}

TEST(WmoScene, GreenComesSecond) {
  Document house = sample();
  auto& colors = chunk_in<Colors>(group_of(house, 1).chunks, FourCC{"MOCV"}).items;
  colors.data()[0] = {51, 102, 153, 7};
  const scene::Scene scene = scene_of(house);
  const Vec4 color = mesh_at(scene, "Room").colors.at(0);
  EXPECT_FLOAT_EQ(color[0], 0.6F);
  EXPECT_FLOAT_EQ(color[1], 0.4F);
  EXPECT_FLOAT_EQ(color[2], 0.2F);
}

/// The liquid of the sample with one change.
template <class Change>
scene::Scene with_liquid(const Change& change) {
  Document house = sample();
  change(chunk_in<Liquids>(group_of(house, 0).chunks, FourCC{"MLIQ"}).items.at(0));
  return shown_with(house).first;
}

TEST(WmoScene, TilesOfLiquids) {
  const auto triangles = [](const scene::Scene& scene) {
    const auto node = node_named(scene, "House water");
    for (const auto& mesh : scene.meshes) {
      if (mesh.node == node) {
        return mesh.indices.size() / 3;
      }
    }
    return std::size_t{0};
  };
  const auto plain = with_liquid([](Liquid&) {});
  EXPECT_EQ(triangles(plain), 4U);
  EXPECT_EQ(mesh_at(plain, "House water").positions.size(), 6U);
  EXPECT_EQ(triangles(with_liquid([](Liquid& l) { l.tiles.data()[1] = 0x0F; })), 2U) << "one without";
  EXPECT_EQ(triangles(with_liquid([](Liquid& l) { l.tiles.data()[1] = 0xF0; })), 4U);
  EXPECT_EQ(triangles(with_liquid([](Liquid& l) { l.tiles.resize(1); })), 2U) << "a tile that is not there";
  EXPECT_EQ(triangles(with_liquid([](Liquid& l) { l.x_vertices -= 1; })), 2U) << "no corners for the second";
  EXPECT_EQ(triangles(with_liquid([](Liquid& l) { l.x_tiles = 1; })), 2U);
  EXPECT_EQ(triangles(with_liquid([](Liquid& l) { l.x_vertices = 0; })), 0U);
  EXPECT_EQ(triangles(with_liquid([](Liquid& l) { l.y_vertices = 0; })), 0U);
  EXPECT_EQ(triangles(with_liquid([](Liquid& l) { l.y_tiles = 0; })), 0U);
  EXPECT_EQ(triangles(with_liquid([](Liquid& l) {
              l.x_vertices = 2;
              l.y_vertices = 3;
              l.x_tiles = 1;
              l.y_tiles = 2;
              l.tiles = {0x0F, 0x04};
            })),
            2U)
      << "the second of two rows";
  // A tile is a square of 100 / 24 yards, eight of which are a picture's width.
  const auto& water = mesh_at(plain, "House water");
  float most = 0;
  for (const auto& uv : water.uv_sets.at(0)) {
    most = std::max(most, uv[0]);
  }
  EXPECT_FLOAT_EQ(most, 2 * 100.0F / 24 / 8);
  for (const auto& normal : water.normals) {
    EXPECT_EQ(normal, (Vec3{0, 1, 0}));
  }
}

TEST(WmoScene, DetailsOfLiquidsAreCounted) {
  const auto scene = with_liquid([](Liquid& l) {
    l.tiles = {0x44, 0xCF};  // the second has no liquid
    for (auto& vertex : l.vertices) {
      vertex.flow = {};
    }
    l.vertices.data()[1].flow[0] = 1;
  });
  const Value& extras = scene.nodes.at(node_named(scene, "House water")).extras;
  EXPECT_EQ(extras["fishable"].integer(), 1);
  EXPECT_EQ(extras["flow"].integer(), 1);
  EXPECT_FALSE(extras["shared"].integer());
}

TEST(WmoScene, KindsOfLiquids) {
  const auto kind = [](std::uint8_t tile) {
    const scene::Scene scene =
        with_liquid([&](Liquid& l) { std::fill_n(l.tiles.data(), l.tiles.size(), tile); });
    for (const char* word : {"water", "ocean", "magma", "slime"}) {
      if (has_node(scene, std::string("House ") + word)) {
        const auto& mesh = mesh_at(scene, std::string("House ") + word);
        const auto& layer = scene.materials.at(mesh.parts.at(0).material).layers.at(0);
        EXPECT_EQ(layer.blend == scene::BlendMode::opaque, std::string(word) == "magma");
        EXPECT_EQ(layer.unshaded, std::string(word) == "magma");
        EXPECT_EQ(scene.materials.at(mesh.parts.at(0).material).layers.size(),
                  std::string(word) == "water" || std::string(word) == "ocean" ? 2U : 1U);
        EXPECT_FALSE(scene.clips.empty()) << "it moves";
        EXPECT_TRUE(layer.two_sided);
        return std::string(word);
      }
    }
    return std::string();
  };
  EXPECT_EQ(kind(0), "water");
  EXPECT_EQ(kind(4), "water");
  EXPECT_EQ(kind(1), "ocean");
  for (const std::uint8_t magma : {std::uint8_t{2}, std::uint8_t{6}, std::uint8_t{7}, std::uint8_t{0x42}}) {
    EXPECT_EQ(kind(magma), "magma") << int{magma};
  }
  EXPECT_EQ(kind(3), "slime");
  EXPECT_EQ(kind(15), "");
}

TEST(WmoScene, PlacesOfLiquidCorners) {
  Liquid liquid;
  liquid.x_vertices = 3;
  liquid.y_vertices = 2;
  liquid.corner = {10, 20, 30};
  for (const float height : {1.0F, 2.0F, 3.0F, 4.0F, 5.0F}) {
    LiquidVertex vertex;
    vertex.height = height;
    liquid.vertices.push_back(vertex);
  }
  constexpr float kTile = 100.0F / 24;
  EXPECT_EQ(liquid_position(liquid, 17, 0, 0), (Vec3{10, 20, 1}));
  EXPECT_EQ(liquid_position(liquid, 17, 1, 1)[2], 5);
  EXPECT_EQ(liquid_position(liquid, 17, 2, 1)[2], 30) << "without a height, that of the corner";
  EXPECT_FLOAT_EQ(liquid_position(liquid, 17, 2, 1)[0], 10 + 2 * kTile);
  EXPECT_FLOAT_EQ(liquid_position(liquid, 17, 2, 1)[1], 20 + kTile);
  EXPECT_FLOAT_EQ(liquid_position(liquid, 14, 2, 1)[0], 10 - kTile);
  EXPECT_FLOAT_EQ(liquid_position(liquid, 14, 2, 1)[1], 20 + 2 * kTile);
  EXPECT_FLOAT_EQ(liquid_position(liquid, 16, 2, 1)[0], 10 - kTile);
}

TEST(WmoScene, CollisionLeavesOutWhatHasNoCorners) {
  Document house = sample();
  Group& group = group_of(house, 0);
  SceneOptions options;
  options.collision = true;
  const auto size = [&] {
    return mesh_at(shown_with(house, options).first, "House collision").indices.size();
  };
  const std::size_t all = size();
  auto& faces = chunk_in<Faces>(group.chunks, FourCC{"MOPY"}).items;
  std::size_t solid = 0;
  while ((faces.data()[solid][0] & Faces::kDetail) != 0) {
    ++solid;
  }
  auto& indices = chunk_in<Indices>(group.chunks, FourCC{"MOIN"}).items;
  const auto vertices =
      static_cast<std::uint16_t>(chunk_in<Points>(group.chunks, FourCC{"MOVT"}).items.size());
  for (const std::size_t corner : {0U, 1U, 2U}) {
    const auto before = indices.data()[3 * solid + corner];
    indices.data()[3 * solid + corner] = vertices;
    EXPECT_EQ(size(), all - 3) << corner;
    indices.data()[3 * solid + corner] = before;
  }
  // A detail that nothing draws still stops players.
  faces.data()[solid] = {Faces::kDetail, 0, 0, 0};
  EXPECT_EQ(size(), all - 3);
  faces.data()[solid][2] = Faces::kNoMaterial;
  EXPECT_EQ(size(), all);
  // Without a list of the tree all count, with one those that it has.
  chunk_in<Indices>(group.chunks, FourCC{"MOBR"}).items = {static_cast<std::uint16_t>(solid), 0xFFFF};
  EXPECT_EQ(size(), 3U);
}

TEST(WmoScene, LengthsAreScaled) {
  Document house = sample();
  auto& fog = chunk_in<Fogs>(root_of(house), FourCC{"MFOG"}).items.at(0);
  fog.small_radius = 10;
  fog.large_radius = 30;
  fog.air.end = 100;
  fog.air.start_scalar = 0.25F;
  auto& lights = chunk_in<Lights>(root_of(house), FourCC{"MOLT"}).items;
  lights.at(0).use_attenuation = 1;
  lights[0].attenuation_start = 2;
  lights[0].type = 0;
  lights[1].use_attenuation = 0;
  lights[1].attenuation_start = 2;
  lights[1].type = 2;
  SceneOptions options;
  options.scale = 0.5F;
  const scene::Scene scene = scene_of(house, options);
  const auto& extras = scene.nodes.at(node_named(scene, "fog 0")).extras;
  EXPECT_EQ(to_json(*extras.find("smallRadius")), "5");
  EXPECT_EQ(to_json(*extras.find("largeRadius")), "15");
  EXPECT_EQ(to_json(*extras.find("air")->find("start")), "12.5");
  EXPECT_EQ(to_json(*extras.find("air")->find("end")), "50");
  EXPECT_EQ(scene.lights.at(0).attenuation_start, 1);
  EXPECT_EQ(scene.lights.at(1).attenuation_start, 0);
  EXPECT_EQ(scene.lights[1].kind, scene::Light::Kind::directional);
  EXPECT_EQ(scene.lights[0].kind, scene::Light::Kind::omni);
}

TEST(WmoScene, SetsThatShareDoodadsMultiplyThemFourfoldAtMost) {
  const auto doodads = [](std::size_t sets) {
    Document house = sample();
    DoodadSet all;
    all.count = 3;
    chunk_in<DoodadSets>(root_of(house), FourCC{"MODS"}).items.assign(sets, all);
    SceneOptions options;
    options.doodad_set = "all";
    const scene::Scene scene = shown_with(house, options).first;
    return std::count_if(scene.nodes.begin(), scene.nodes.end(),
                         [](const scene::Node& node) { return node.extras.find("doodad") != nullptr; });
  };
  EXPECT_EQ(doodads(1), 3);
  EXPECT_EQ(doodads(4), 12);
  EXPECT_EQ(doodads(5), 12);
}

TEST(WmoScene, SetsReachNoFurtherThanTheDoodads) {
  const auto lines = [](std::uint32_t first, std::uint32_t count) {
    Document house = sample();
    auto& sets = chunk_in<DoodadSets>(root_of(house), FourCC{"MODS"}).items;
    sets.at(0).first = first;
    sets[0].count = count;
    return shown_with(house).second;
  };
  EXPECT_EQ(lines(0, 3), Lines{});
  EXPECT_EQ(lines(3, 0), Lines{});
  EXPECT_EQ(lines(1, 3), Lines{"MODS: doodad set 0 refers to missing doodads, which are left out"});
  EXPECT_EQ(lines(0xFFFFFFFF, 1), Lines{"MODS: doodad set 0 refers to missing doodads, which are left out"});
}

TEST(WmoScene, NamesWithoutEndAreCut) {
  Document house = sample();
  const std::size_t length = 100000;
  for (auto& chunk : house.chunks) {
    auto* root = std::get_if<Root>(&chunk.body);
    for (auto& part : root != nullptr ? root->chunks : house.chunks) {
      if (auto* names = std::get_if<Strings>(&part.body); part.tag == FourCC{"MODN"} && names != nullptr) {
        names->text = Array<char>(length, 'x');
      }
    }
  }
  Diagnostics diagnostics;
  const auto scene = to_scene(house, {}, "building", {}, diagnostics);
  ASSERT_TRUE(scene);
  std::size_t doodads = 0;
  for (const auto& node : scene->nodes) {
    EXPECT_LT(node.name.size(), 300U);
    doodads += node.name.size() > 200 ? 1U : 0U;
  }
  EXPECT_GT(doodads, 0U);
}

TEST(WmoScene, MissingGroupsAreLeftOut) {
  Diagnostics diagnostics;
  const auto later = to_later(sample(), {}, diagnostics);
  ASSERT_TRUE(later);
  const std::array<const Document*, 2> groups = {nullptr, &later->groups[1]};
  Diagnostics findings;
  const auto scene = to_scene(later->root, groups, "x", {}, findings);
  ASSERT_TRUE(scene);
  ASSERT_EQ(findings.items().size(), 1U);
  EXPECT_EQ(findings.items()[0].code, codes::kWmoGroupFile);
  EXPECT_TRUE(has_node(*scene, "Room"));
}

TEST(WmoScene, GroupFilesHaveNumbers) {
  EXPECT_EQ(group_file_name("Tent.wmo", 0), "Tent_000.wmo");
  EXPECT_EQ(group_file_name("Tent.wmo", 1234), "Tent_1234.wmo");
  EXPECT_EQ(group_file_name("a.b.WMO", 17), "a.b_017.WMO");
}

/// With THAW_GLTF_OUT, what is written here goes through the validator (tests/scripts/wmo_validator.sh).
TEST(WmoScene, GlbIsWritten) {
  SceneOptions options;
  options.collision = options.portals = true;
  options.doodad_set = "all";
  const Sources sources = model_sources(test::samples_dir() / "house.wmo", {});
  options.load_model = [&](std::string_view path) {
    Diagnostics findings;
    const auto found = sources.find(path == "knight.mdl" ? "knight.mdx" : path);
    const auto model = found ? mdx::read(found->bytes, {}, findings) : fail(codes::kInputUnreadable, "");
    EXPECT_TRUE(model) << path;
    auto scene = mdx::to_scene(*model, {}, findings);
    scene::load_images(scene, sources, {}, findings);
    return Model{std::make_shared<const scene::Scene>(std::move(scene)), kModelTurn};
  };
  scene::Scene scene = scene_of(sample(), options);
  Diagnostics findings;
  scene::load_images(scene, sources, {}, findings);
  EXPECT_TRUE(findings.items().empty()) << findings.items().front().message;
  const auto files = write_gltf(scene, {}, findings);
  ASSERT_TRUE(files);
  EXPECT_GT(files->front().bytes.size(), 10000U);
  if (const char* folder = std::getenv("THAW_GLTF_OUT"); folder != nullptr) {
    std::ofstream stream(fs::path(folder) / "house.glb", std::ios::binary);
    const auto& bytes = files->front().bytes;
    stream.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }
}

}  // namespace
}  // namespace thaw::wmo
