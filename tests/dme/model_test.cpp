// Models, materials and actors of Forgelight: the published ones, those of the samples, made-up ones, damage.
#include <thaw/codes.hpp>
#include <thaw/convert.hpp>
#include <thaw/dma.hpp>
#include <thaw/dme.hpp>
#include <thaw/forgelight.hpp>
#include <thaw/format.hpp>
#include <thaw/gltf.hpp>
#include <thaw/image.hpp>
#include <thaw/load.hpp>
#include <thaw/sources.hpp>
#include <thaw/xml.hpp>

#include <gtest/gtest.h>

#include "bytes/half.hpp"
#include "bytes/text.hpp"
#include "formats/forgelight/dme/vertices.hpp"
#include "scene/math.hpp"
#include "support/files.hpp"
#include "support/heap.hpp"
#include "support/mutate.hpp"
#include "support/paths.hpp"
#include "support/promises.hpp"

#include <algorithm>

namespace thaw {
namespace {

using namespace test;
using scene::add;
using scene::compose;
using scene::cross;
using scene::dot;
using scene::inverse;
using scene::length;
using scene::multiply;
using scene::subtract;
using scene::translation_of;
namespace fs = std::filesystem;

fs::path model_path() {
  return corpus_dir() / "mrn/forgelight-dme/Armor_TR_Male_HeavyAssault_Look001_Lod0.dme";
}
fs::path materials_path() { return corpus_dir() / "mrn/forgelight-materials/materials_3_2013.xml"; }
fs::path sample_path(const std::string& name) { return samples_dir() / "forgelight" / name; }

dme::Document read_model(ByteView bytes) {
  Diagnostics findings;
  auto document = dme::read(bytes, {}, findings);
  EXPECT_TRUE(document);
  EXPECT_TRUE(findings.items().empty());
  return document.value_or(dme::Document{});
}

materials::Library library_at(const fs::path& path) {
  return materials::read_library({test::load(path)}).value_or(materials::Library{});
}

std::size_t count(const Diagnostics& findings, const Code& code) {
  const auto& items = findings.items();
  return static_cast<std::size_t>(
      std::count_if(items.begin(), items.end(), [&](const Diagnostic& d) { return d.code == code; }));
}

// --- hashes
// -----------------------------------------------------------------------------------------------------

TEST(Hashes, AreThoseOfTheEngine) {
  EXPECT_EQ(forgelight::hash("WORLDROOT"), 2726916658U);
  EXPECT_EQ(forgelight::hash_upper("worldRoot"), 2726916658U);
  EXPECT_EQ(forgelight::hash("HEAD"), 898299046U);
  EXPECT_EQ(forgelight::hash("Character"), 2201291178U);
  EXPECT_EQ(forgelight::hash("BaseDiffuse"), 2999197982U);
  EXPECT_EQ(forgelight::parameter_name(forgelight::hash("TilingTint")), "TilingTint");
  EXPECT_EQ(forgelight::parameter_name(1), "");
}

TEST(Hashes, KnownBonesHaveTheirParentsBeforeThem) {
  std::vector<std::string_view> seen = {""};
  for (const auto& bone : forgelight::known_bones()) {
    EXPECT_NE(std::find(seen.begin(), seen.end(), bone.parent), seen.end()) << bone.name;
    seen.push_back(bone.name);
  }
  EXPECT_EQ(seen.size(), 81U);
}

// --- the published model
// ----------------------------------------------------------------------------------------

TEST(PublishedModel, IsKeptToTheByteAndUnderstood) {
  THAW_REQUIRE_CORPUS("mrn/forgelight-dme");
  const Bytes bytes = test::load(model_path());
  const dme::Document model = read_model(bytes);
  EXPECT_EQ(dme::write(model), bytes);
  const auto account = account_bytes([&](Inspector& inspector) { dme::inspect(model, inspector); });
  EXPECT_EQ(account.raw, 0U);
  EXPECT_EQ(account.understood, bytes.size());
  ASSERT_EQ(model.meshes.size(), 1U);
  EXPECT_EQ(model.meshes[0].vertex_count, 33342U);
  EXPECT_EQ(model.meshes[0].indices16.size(), 58284U);
  ASSERT_EQ(model.draw_calls.size(), 2U);
  EXPECT_EQ(model.draw_calls[1].first_bone, 64U);
  EXPECT_EQ(model.bone_map.size(), 82U);
  ASSERT_EQ(model.palette.materials.size(), 1U);
  EXPECT_EQ(model.palette.materials[0].definition, forgelight::hash("Character"));
  EXPECT_EQ(model.palette.materials[0].parameters.size(), 27U);
  EXPECT_EQ(model.palette.texture_names().size(), 7U);
}

TEST(PublishedModel, AllBonesHaveNames) {
  THAW_REQUIRE_CORPUS("mrn/forgelight-dme");
  const dme::Document model = read_model(test::load(model_path()));
  ASSERT_EQ(model.bone_hashes.size(), 80U);
  std::size_t known = 0;
  for (const auto hash : model.bone_hashes) {
    known += forgelight::known_bone(hash) != nullptr ? 1U : 0U;
  }
  EXPECT_EQ(known, 80U);
}

scene::Scene published_scene(Diagnostics& findings) {
  const dme::Document model = read_model(test::load(model_path()));
  const materials::Library library = library_at(materials_path());
  dme::SceneOptions options;
  options.library = &library;
  return dme::to_scene(model, "soldier", options, findings);
}

/// Mean distance of the vertices of a part from the bone that holds them most, in the bind pose.
double mean_distance(const scene::Scene& scene, const scene::Mesh& mesh, const scene::MeshPart& part) {
  std::vector<scene::Vec3d> places;
  for (const auto& matrix : scene.skins[mesh.skin].inverse_bind) {
    scene::Mat4d wide{};
    std::copy(matrix.begin(), matrix.end(), wide.begin());
    places.push_back(translation_of(inverse(wide)));
  }
  std::vector<bool> seen(mesh.positions.size());
  double sum = 0;
  std::size_t vertices = 0;
  for (std::size_t i = part.first_index; i < part.first_index + part.index_count; ++i) {
    const std::size_t vertex = mesh.indices[i];
    if (seen[vertex]) {
      continue;
    }
    seen[vertex] = true;
    const auto first = mesh.weights.begin() + static_cast<std::ptrdiff_t>(vertex * mesh.influences);
    const auto best = std::max_element(first, first + mesh.influences) - first;
    const std::size_t joint = mesh.joints[vertex * mesh.influences + static_cast<std::size_t>(best)];
    sum += length(subtract(scene::widen(mesh.positions[vertex]), places[joint]));
    ++vertices;
  }
  return sum / static_cast<double>(vertices);
}

TEST(PublishedModel, PalettesOfDrawCallsPutVerticesAtTheirBones) {
  THAW_REQUIRE_CORPUS("mrn/forgelight-materials");
  Diagnostics findings;
  const scene::Scene scene = published_scene(findings);
  EXPECT_EQ(problems_of(scene), std::vector<std::string>());
  EXPECT_EQ(count(findings, codes::kDmeStride), 1U) << "the file's vertices are smaller than their layout";
  EXPECT_EQ(count(findings, codes::kDmeLayout), 0U);
  ASSERT_EQ(scene.meshes.size(), 1U);
  const scene::Mesh& mesh = scene.meshes[0];
  ASSERT_EQ(mesh.parts.size(), 2U);
  EXPECT_LE(mean_distance(scene, mesh, mesh.parts[0]), 0.1765);
  EXPECT_LE(mean_distance(scene, mesh, mesh.parts[1]), 0.1985);
  EXPECT_EQ(mesh.uv_sets.size(), 2U);
  EXPECT_EQ(scene.materials[0].name, "Character");
  EXPECT_EQ(scene.textures[0].path, "Armor_TR_Shared_All_C.dds");
}

TEST(PublishedModel, NormalsPointOutwards) {
  THAW_REQUIRE_CORPUS("mrn/forgelight-materials");
  Diagnostics findings;
  const scene::Scene scene = published_scene(findings);
  const scene::Mesh& mesh = scene.meshes.at(0);
  std::size_t agree = 0;
  double volume = 0;
  for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
    std::array<scene::Vec3d, 3> p;
    scene::Vec3d normal{};
    for (std::size_t k = 0; k < 3; ++k) {
      p.at(k) = scene::widen(mesh.positions[mesh.indices[i + k]]);
      normal = add(normal, scene::widen(mesh.normals[mesh.indices[i + k]]));
    }
    const scene::Vec3d face = cross(subtract(p[1], p[0]), subtract(p[2], p[0]));
    agree += dot(face, normal) > 0 ? 1U : 0U;
    volume += dot(p[0], cross(p[1], p[2])) / 6;
  }
  EXPECT_GT(static_cast<double>(agree), 0.99 * static_cast<double>(mesh.indices.size()) / 3);
  EXPECT_NEAR(volume, 0.158, 0.002);
  EXPECT_EQ(mesh.tangents.size(), mesh.positions.size());
}

TEST(PublishedModel, BonesStandWhereTheirMatricesSay) {
  THAW_REQUIRE_CORPUS("mrn/forgelight-dme");
  Diagnostics findings;
  const scene::Scene scene = dme::to_scene(read_model(test::load(model_path())), "soldier", {}, findings);
  const scene::Skin& skin = scene.skins.at(0);
  for (std::size_t i = 0; i < skin.joints.size(); ++i) {
    scene::Mat4d world = scene::kIdentity;
    for (scene::Index node = skin.joints[i]; node != scene::kNone; node = scene.nodes[node].parent) {
      world = multiply(compose(scene.nodes[node].rest), world);
    }
    scene::Mat4d bind{};
    std::copy(skin.inverse_bind[i].begin(), skin.inverse_bind[i].end(), bind.begin());
    const scene::Mat4d product = multiply(world, bind);
    for (std::size_t k = 0; k < product.size(); ++k) {
      ASSERT_NEAR(product.at(k), scene::kIdentity.at(k), 1e-5) << scene.nodes[skin.joints[i]].name;
    }
  }
  const auto& toe = *std::find_if(scene.nodes.begin(), scene.nodes.end(),
                                  [](const scene::Node& node) { return node.name == "L_TOE"; });
  EXPECT_EQ(scene.nodes[toe.parent].name, "L_BALL");
}

// --- layouts
// ----------------------------------------------------------------------------------------------------

TEST(Materials, ThePublishedDefinitionsAreRead) {
  THAW_REQUIRE_CORPUS("mrn/forgelight-materials");
  const materials::Library library = library_at(materials_path());
  EXPECT_EQ(library.layouts.size(), 70U);
  EXPECT_EQ(library.definitions.size(), 240U);
  EXPECT_EQ(std::count_if(library.definitions.begin(), library.definitions.end(),
                          [](const auto& definition) { return definition.layout.empty(); }),
            5);
  const auto* character = library.find_definition(2201291178U);
  ASSERT_NE(character, nullptr);
  EXPECT_EQ(character->layout, "Character");
}

TEST(Materials, LayoutsThatAreKnownAreThoseOfTheGame) {
  THAW_REQUIRE_CORPUS("mrn/forgelight-materials");
  const materials::Library library = library_at(materials_path());
  for (const auto& known : materials::known_layouts()) {
    const auto* real = library.find_layout(known.name);
    ASSERT_NE(real, nullptr) << known.name;
    EXPECT_EQ(real->stride(0), known.stride(0)) << known.name;
    EXPECT_EQ(real->stride(1), known.stride(1)) << known.name;
    for (std::size_t i = 0; i < std::min(real->entries.size(), known.entries.size()); ++i) {
      EXPECT_EQ(real->entries[i].offset, known.entries[i].offset) << known.name << ' ' << i;
      if (known.entries[i].usage != materials::Usage::unknown) {
        EXPECT_EQ(real->entries[i].usage, known.entries[i].usage) << known.name << ' ' << i;
      }
    }
  }
}

TEST(Materials, FreeRealmsHasASchemaOfItsOwn) {
  constexpr std::string_view kText =
      "<MaterialInfo><InputLayouts><InputLayout Name=\"A\"><Entry Stream=\"0\" Offset=\"0\" Type=\"Float3\" "
      "Usage=\"Position\"/><Entry Stream=\"0\" Offset=\"16\" Type=\"Short2n\" Usage=\"Texcoord\" "
      "UsageIndex=\"1\"/></InputLayout></InputLayouts></MaterialInfo>";
  const auto library = materials::read_library({to_bytes(kText)});
  ASSERT_TRUE(library);
  ASSERT_EQ(library->layouts.size(), 1U);
  EXPECT_EQ(library->layouts[0].stride(0), 20U);
  EXPECT_EQ(library->layouts[0].entries[1].usage_index, 1U);
}

TEST(Vertices, HalfFloats) {
  EXPECT_EQ(half_to_float(0x3C00), 1.0F);
  EXPECT_EQ(half_to_float(0xC000), -2.0F);
  EXPECT_EQ(half_to_float(0x0001), 5.9604645e-8F);
  EXPECT_EQ(half_to_float(0x03FF), 6.097555e-5F);
  EXPECT_EQ(half_to_float(0x7BFF), 65504.0F);
  EXPECT_EQ(half_to_float(0x8000), 0.0F);
}

/// A triangle in one draw call of which each vertex hangs at one bone by its binormal's last byte.
dme::Document rigid_model() {
  dme::Document model;
  dma::Material material;
  material.definition = forgelight::hash("CharacterRigid");
  model.palette.materials.push_back(material);
  dme::Mesh mesh;
  mesh.vertex_count = 3;
  mesh.draw_call_count = 2;
  mesh.streams = {{12, Bytes(36, 0)}, {20, Bytes(60, 128)}};
  const std::array<float, 9> corners = {0, 0, 0, 0, 1, 0, 1, 0, 0};
  std::memcpy(mesh.streams[0].data.data(), corners.data(), sizeof corners);
  for (std::size_t i = 0; i < 3; ++i) {
    std::uint8_t* v = &mesh.streams[1].data[i * 20];
    const std::array<std::uint8_t, 8> space = {255, 128, 128, 255,
                                               128, 255, 128, static_cast<std::uint8_t>(i == 2 ? 0 : i)};
    std::copy(space.begin(), space.end(), v);
  }
  mesh.indices16 = {0, 1, 2};
  model.meshes.push_back(mesh);
  dme::DrawCall call;
  call.first_bone = 1;
  call.bone_count = 2;
  call.index_count = 3;
  model.draw_calls = {dme::DrawCall{}, call};
  model.bone_map = {{0, 0}, {2, 0}, {1, 1}};
  for (std::uint32_t i = 0; i < 3; ++i) {
    model.bone_inverse_binds.push_back({1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0});
    model.bone_bounds.push_back({});
    model.bone_hashes.push_back(i);
  }
  return model;
}

TEST(Scene, RigidLayoutsNameTheirBoneInTheBinormal) {
  Diagnostics findings;
  const scene::Scene scene = dme::to_scene(rigid_model(), "rigid", {}, findings);
  EXPECT_EQ(problems_of(scene), std::vector<std::string>());
  ASSERT_EQ(scene.meshes.size(), 1U);
  EXPECT_EQ(scene.meshes[0].influences, 1U);
  EXPECT_EQ(scene.meshes[0].joints, (Array<std::uint16_t>{2, 1, 2}));
  EXPECT_EQ(count(findings, codes::kDmeLayout), 0U) << "the material's name tells the layout";
}

TEST(Scene, LayoutsAreGuessedAndSaid) {
  dme::Document model = rigid_model();
  model.palette.materials[0].definition = 1;
  model.meshes[0].streams[1].stride = 16;
  model.meshes[0].streams[1].data.resize(48);
  Diagnostics findings;
  const scene::Scene scene = dme::to_scene(model, "guessed", {}, findings);
  EXPECT_EQ(count(findings, codes::kDmeLayout), 1U);
  EXPECT_EQ(scene.meshes.at(0).uv_sets.size(), 2U);
}

// --- materials of made-up models

void set_names(dme::Document& model, const std::vector<std::string>& names) {
  model.palette.names.clear();
  for (const auto& name : names) {
    model.palette.names.insert(model.palette.names.end(), name.begin(), name.end());
    model.palette.names.push_back('\0');
  }
}

dma::Parameter texture_parameter(std::uint32_t semantic, std::string_view name) {
  dma::Parameter parameter;
  parameter.semantic = semantic;
  parameter.parameter_class = dma::Parameter::kObject;
  parameter.type = dma::Parameter::kTexture;
  const std::uint32_t hash = forgelight::hash_upper(name);
  for (unsigned shift = 0; shift < 32; shift += 8) {
    parameter.data.push_back(static_cast<std::uint8_t>(hash >> shift));
  }
  return parameter;
}

/// One of a colour and a specular map.
dma::Material lit_material(std::string_view color, std::string_view specular) {
  dma::Material material;
  material.definition = forgelight::hash("CharacterRigid");
  material.parameters = {texture_parameter(forgelight::hash("BaseDiffuse"), color),
                         texture_parameter(forgelight::hash("Spec"), specular)};
  return material;
}

/// Pictures of one colour, and how often each was asked for.
struct Pictures : Source {
  std::map<std::string, std::array<std::uint8_t, 4>, std::less<>> colors;
  mutable std::map<std::string, std::size_t, std::less<>> requested;

  [[nodiscard]] std::optional<Bytes> read(std::string_view name) const override {
    ++requested[std::string(name)];
    const auto found = colors.find(name);
    if (found == colors.end()) {
      return std::nullopt;
    }
    Image image{1, 1, {}};
    image.rgba.assign(found->second.begin(), found->second.end());
    return encode_png(image);
  }
  [[nodiscard]] std::string description() const override { return "pictures"; }
};

TEST(SceneMaterials, ExtrasStayInProportion) {
  const std::string longest(260, 'a');
  const std::string too_long(100000, 'b');
  dme::Document model = rigid_model();
  set_names(model, {longest, too_long});
  for (std::uint32_t i = 0; i < 3000; ++i) {
    model.palette.materials[0].parameters.push_back(texture_parameter(i, i % 2 == 0 ? longest : too_long));
  }
  Diagnostics findings;
  const HeapMeter meter;
  const scene::Scene scene = dme::to_scene(model, "x", {}, findings);
  EXPECT_LE(meter.peak(), std::size_t{8} << 20U);
  const Value* textures = scene.materials.at(0).extras.find("textures");
  ASSERT_NE(textures, nullptr);
  EXPECT_EQ(std::get<Value::Object>(textures->storage()).size(), 1024U);
  EXPECT_EQ(count(findings, codes::kSceneApproximated), 1U);
}

TEST(SceneMaterials, TheFirstOfASemanticCountsAndAnAliasBeforeIt) {
  dme::Document model = rigid_model();
  set_names(model, {"one.dds", "two.dds"});
  const std::uint32_t color = forgelight::hash("BaseDiffuse");
  model.palette.materials.assign(2, {});
  for (auto& material : model.palette.materials) {
    material.parameters = {texture_parameter(color, "one.dds"), texture_parameter(color, "two.dds")};
  }
  const std::array<adr::Alias, 3> aliases = {adr::Alias{"", "not.dds", color, 1, false},
                                             adr::Alias{"", "three.dds", color, 1, true},
                                             adr::Alias{"", "four.dds", color, 1, true}};
  dme::SceneOptions options;
  options.aliases = aliases;
  Diagnostics findings;
  const scene::Scene scene = dme::to_scene(model, "x", options, findings);
  const auto path = [&](std::size_t material) {
    return scene.textures.at(scene.materials.at(material).layers.at(0).texture).path;
  };
  EXPECT_EQ(path(0), "one.dds");
  EXPECT_EQ(path(1), "three.dds");
  EXPECT_EQ(to_json(*scene.materials.at(1).extras.find("textures")), R"({"BaseDiffuse":"three.dds"})");
}

scene::Scene with_pictures(const dme::Document& model, const std::shared_ptr<Pictures>& pictures,
                           Diagnostics& findings) {
  Sources sources;
  sources.add(pictures);
  dme::SceneOptions options;
  options.sources = &sources;
  return dme::to_scene(model, "x", options, findings);
}

TEST(SceneMaterials, LightIsOfBothMaps) {
  dme::Document model = rigid_model();
  set_names(model, {"red_C.png", "green_C.png", "x_S.png"});
  model.palette.materials = {lit_material("red_C.png", "x_S.png"), lit_material("green_C.png", "x_S.png"),
                             lit_material("red_C.png", "x_S.png")};
  auto pictures = std::make_shared<Pictures>();
  pictures->colors = {
      {"red_c.png", {255, 0, 0, 255}}, {"green_c.png", {0, 255, 0, 255}}, {"x_s.png", {0, 0, 255, 255}}};
  Diagnostics findings;
  const scene::Scene scene = with_pictures(model, pictures, findings);
  EXPECT_EQ(problems_of(scene), std::vector<std::string>());
  const auto light = [&](std::size_t material) {
    const auto& texture = scene.textures.at(scene.materials.at(material).layers.at(0).emissive);
    return scene.images.at(texture.image).image.rgba;
  };
  EXPECT_EQ(light(0), (Bytes{255, 0, 0, 255}));
  EXPECT_EQ(light(1), (Bytes{0, 255, 0, 255}));
  EXPECT_EQ(light(2), light(0));
  EXPECT_EQ(scene.images.size(), 3U) << "metal and roughness once, light twice";
}

TEST(SceneMaterials, WhatGivesNoPictureIsTriedOnce) {
  dme::Document model = rigid_model();
  set_names(model, {"red_C.png", "dark_S.png", "missing_S.png"});
  model.palette.materials.clear();
  for (int i = 0; i < 20; ++i) {
    model.palette.materials.push_back(lit_material("red_C.png", "dark_S.png"));
    model.palette.materials.push_back(lit_material("red_C.png", "missing_S.png"));
  }
  auto pictures = std::make_shared<Pictures>();
  pictures->colors = {{"red_c.png", {255, 0, 0, 255}}, {"dark_s.png", {0, 0, 0, 255}}};
  Diagnostics findings;
  const scene::Scene scene = with_pictures(model, pictures, findings);
  EXPECT_LE(pictures->requested["missing_s.png"], 2U);  // as it is, and its stem with .png
  EXPECT_LE(pictures->requested["dark_s.png"], 2U);
  EXPECT_EQ(count(findings, codes::kTextureMissing), 1U);
  EXPECT_EQ(scene.materials.at(0).layers.at(0).emissive, scene::kNone);
}

TEST(Document, OlderVersionsHaveOneStreamAndNoBones) {
  for (const std::uint32_t version : {2U, 3U}) {
    dme::Document model = rigid_model();
    model.version = version;
    model.draw_calls.clear();
    model.bone_map.clear();
    model.bone_inverse_binds.clear();
    model.bone_bounds.clear();
    model.bone_hashes.clear();
    model.meshes[0].streams.resize(1);
    const Bytes bytes = dme::write(model);
    Diagnostics findings;
    const auto again = dme::read(bytes, {}, findings);
    ASSERT_TRUE(again);
    EXPECT_EQ(*again, model);
    EXPECT_EQ(dme::write(*again), bytes);
    const scene::Scene scene = dme::to_scene(*again, "old", {}, findings);
    EXPECT_EQ(scene.meshes.size(), 1U);
    EXPECT_EQ(count(findings, codes::kUnproven), 1U);
  }
}

// --- XML and actors
// ----------------------------------------------------------------------------------------------

TEST(Xml, ReportsWhatStandsWhere) {
  constexpr std::string_view kText =
      "\xEF\xBB\xBF<?xml version='1.0'?><!DOCTYPE a [<!ENTITY x \"y>\">]><!-- <b> -->\n<a k=\"1 &lt; 2 "
      "&#x41;&x;\" "
      "l='\"'>text<b/><![CDATA[<c>]]><b k = \"2\"></b></a> ";
  const auto tree = xml::parse(kText);
  ASSERT_TRUE(tree) << tree.error().message;
  ASSERT_EQ(tree->elements.size(), 3U);
  EXPECT_EQ(tree->attribute(0, "k"), "1 < 2 A&x;");
  EXPECT_EQ(tree->attribute(0, "l"), "\"");
  EXPECT_EQ(tree->attribute(0, "m"), "");
  const auto first = tree->child(0, "b");
  EXPECT_EQ(tree->attribute(tree->child(0, "b", first), "k"), "2");
  EXPECT_EQ(xml::root_name(kText), "a");
  const Bytes bytes = to_bytes(kText);
  Diagnostics findings;
  const auto document = xml::read(bytes, {}, findings);
  ASSERT_TRUE(document);
  EXPECT_EQ(xml::write(*document), bytes);
  const auto account = account_bytes([&](Inspector& inspector) { xml::inspect(*document, inspector); });
  EXPECT_EQ(account.understood, bytes.size());
  EXPECT_EQ(account.raw, 0U);
}

TEST(Xml, ShowsEveryAttributeUnderANameOfItsOwn) {
  Diagnostics findings;
  const auto document = xml::read(
      to_bytes("<a element=\"1\" b=\"2\" b=\"3\" \xE9=\"4\" children=\"5\"><c/></a>"), {}, findings);
  ASSERT_TRUE(document);
  EXPECT_EQ(dump_json([&](Inspector& inspector) { xml::inspect(*document, inspector); }),
            "{\n  \"root\": {\n    \"element\": \"a\",\n    \"element#2\": \"1\",\n    \"b\": \"2\",\n"
            "    \"b#2\": \"3\",\n    \"\u00E9\": \"4\",\n    \"children#2\": \"5\",\n    \"children\": [\n"
            "      {\n        \"element\": \"c\"\n      }\n    ]\n  }\n}\n");
}

TEST(Xml, RefusesWhatIsNoTree) {
  for (const std::string_view text : {"", "text", "<a>", "</a>", "<a></b>", "<a/><b/>", "<a b=c/>",
                                      "<a b=\"c/>", "<a b/>", "<!-- ", "<a", "<>"}) {
    const auto tree = xml::parse(text);
    ASSERT_FALSE(tree) << text;
    EXPECT_EQ(tree.error().code, codes::kXmlSyntax);
    EXPECT_LE(*tree.error().offset, text.size());
  }
  std::string deep;
  for (int i = 0; i < 300; ++i) {
    deep += "<a>";
  }
  EXPECT_FALSE(xml::parse(deep));
}

TEST(Actor, ThePublishedOne) {
  THAW_REQUIRE_CORPUS("mrn/forgelight-dme");
  const Bytes bytes = test::load(corpus_dir() / "mrn/forgelight-dme/Armor_TR_Male_HeavyAssault_Look001.adr");
  EXPECT_EQ(identify(bytes).format, "adr");
  const auto actor = adr::read_actor({bytes});
  ASSERT_TRUE(actor);
  EXPECT_EQ(actor->network, "ThirdPerson.mrn");
  EXPECT_EQ(actor->animation_set, "Male");
  EXPECT_EQ(actor->base.model, "Armor_TR_Male_HeavyAssault_Look001_Lod0.dme");
  ASSERT_EQ(actor->lods.size(), 3U);
  EXPECT_EQ(actor->lods[1].distance, 75.0F);
  ASSERT_EQ(actor->aliases.size(), 5U);
  EXPECT_EQ(actor->aliases[4].semantic, forgelight::hash("BaseDiffuse"));
}

Sources sample_sources() {
  Sources sources;
  sources.add_folder(samples_dir() / "forgelight");
  return sources;
}

TEST(Actor, OfTheSamplesWalks) {
  const auto actor = adr::read_actor({test::load(sample_path("Human.adr"))});
  ASSERT_TRUE(actor);
  Diagnostics findings;
  adr::SceneOptions options;
  options.clips.requested = [](std::string_view name) { return name == "Human_Walk"; };
  const Sources sources = sample_sources();
  const auto scene = adr::to_scene(*actor, "human", sources, options, findings);
  ASSERT_TRUE(scene) << scene.error().message;
  EXPECT_EQ(problems_of(*scene), std::vector<std::string>());
  EXPECT_EQ(count(findings, codes::kAdrBones), 0U) << "every bone of the model is one of the skeleton";
  EXPECT_EQ(count(findings, codes::kAdrMissing), 0U);
  ASSERT_EQ(scene->clips.size(), 1U);
  ASSERT_EQ(scene->meshes.size(), 1U);
  EXPECT_EQ(scene->meshes[0].parts.size(), 2U);
  EXPECT_EQ(scene->images.size(), 3U) << "normals, metal and roughness, own light";
  const scene::Skin& skin = scene->skins.at(0);
  for (std::size_t i = 0; i < skin.joints.size(); ++i) {
    scene::Mat4d world = scene::kIdentity;
    for (scene::Index node = skin.joints[i]; node != scene::kNone; node = scene->nodes[node].parent) {
      world = multiply(compose(scene->nodes[node].rest), world);
    }
    scene::Mat4d bind{};
    std::copy(skin.inverse_bind[i].begin(), skin.inverse_bind[i].end(), bind.begin());
    const scene::Mat4d product = multiply(world, bind);
    for (std::size_t k = 0; k < product.size(); ++k) {
      ASSERT_NEAR(product.at(k), scene::kIdentity.at(k), 0.002) << scene->nodes[skin.joints[i]].name;
    }
  }
  EXPECT_TRUE(write_gltf(*scene, {}, findings));
}

TEST(Actor, ABoneThatTheSkeletonHasNotIsReported) {
  struct ChangedModel : Source {
    [[nodiscard]] std::optional<Bytes> read(std::string_view name) const override {
      if (name != "human_lod0.dme") {
        return std::nullopt;
      }
      Diagnostics findings;
      auto model = dme::read(test::load(sample_path("Human_LOD0.dme")), {}, findings);
      EXPECT_TRUE(model);
      model->bone_hashes.back() ^= 1U;
      return dme::write(*model);
    }
    [[nodiscard]] std::string description() const override { return "changed"; }
  };
  const auto actor = adr::read_actor({test::load(sample_path("Human.adr"))});
  ASSERT_TRUE(actor);
  Sources sources = sample_sources();
  sources.add(std::make_shared<ChangedModel>());
  Diagnostics findings;
  const auto scene = adr::to_scene(*actor, "human", sources, {}, findings);
  ASSERT_TRUE(scene);
  EXPECT_EQ(problems_of(*scene), std::vector<std::string>());
  EXPECT_EQ(count(findings, codes::kAdrBones), 1U);
}

TEST(Actor, StandsWithoutItsNetwork) {
  const auto actor = adr::read_actor({test::load(sample_path("Human.adr"))});
  Sources sources;
  struct OnlyModel : Source {
    [[nodiscard]] std::optional<Bytes> read(std::string_view name) const override {
      return name == "human_lod0.dme" ? std::optional(test::load(sample_path("Human_LOD0.dme")))
                                      : std::nullopt;
    }
    [[nodiscard]] std::string description() const override { return "model"; }
  };
  sources.add(std::make_shared<OnlyModel>());
  Diagnostics findings;
  const auto scene = adr::to_scene(*actor, "human", sources, {}, findings);
  ASSERT_TRUE(scene);
  EXPECT_EQ(problems_of(*scene), std::vector<std::string>());
  EXPECT_EQ(count(findings, codes::kAdrMissing), 1U);
  EXPECT_FALSE(adr::to_scene(*actor, "human", Sources(), {}, findings));
}

// --- damage
// -----------------------------------------------------------------------------------------------------

/// Whatever reads writes the same bytes and becomes a sound scene.
void expect_sound(const Bytes& bytes, bool with_scene) {
  Diagnostics findings;
  const auto document = dme::read(bytes, {}, findings);
  if (!document) {
    return;
  }
  ASSERT_EQ(dme::write(*document), bytes);
  if (with_scene) {
    ASSERT_EQ(problems_of(dme::to_scene(*document, "x", {}, findings)), std::vector<std::string>());
  }
}

TEST(Damage, EndsInFindings) {
  const Bytes bytes = dme::write(rigid_model());
  const dme::Document model = read_model(bytes);
  const Layout layout = layout_of([&](Inspector& inspector) { dme::inspect(model, inspector); });
  for (std::size_t end = 0; end < bytes.size(); ++end) {
    expect_sound(Bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(end)), end % 4 == 0);
  }
  for (const auto& word : layout.words) {
    for (const auto value : hostile_values(bytes, word)) {
      expect_sound(with_word(bytes, word, value), true);
    }
  }
}

/// Damage of the palette beside damage of the meshes.
TEST(Damage, OfBothPartsIsReported) {
  Bytes bytes = dme::write(rigid_model());
  bytes[8] = 8;  // the palette ends before its names, and the meshes are counted in the wrong place
  bytes.resize(20 + sizeof(dme::Box));
  bytes.insert(bytes.end(), 4, 0xFF);
  Diagnostics findings;
  const auto model = dme::read(bytes, {}, findings);
  ASSERT_TRUE(model);
  EXPECT_TRUE(model->palette_remainder.replaces_fields());
  EXPECT_TRUE(model->remainder.replaces_fields());
  EXPECT_EQ(problems_of(*model, bytes), std::vector<std::string>());
  const Inspection inspection = [&](Inspector& inspector) { dme::inspect(*model, inspector); };
  EXPECT_TRUE(diff(inspection, inspection).empty());
}

TEST(Damage, StrictReadersStop) {
  Bytes bytes = dme::write(rigid_model());
  bytes.resize(bytes.size() - 8);
  Diagnostics findings;
  EXPECT_TRUE(dme::read(bytes, {}, findings));
  ReadOptions strict;
  strict.strict = true;
  EXPECT_FALSE(dme::read(bytes, strict, findings));
}

TEST(Damage, DrawCallsCannotMultiplyTriangles) {
  dme::Document model = rigid_model();
  model.meshes[0].indices16.resize(30000, 0);
  model.draw_calls.resize(20000, model.draw_calls[1]);
  for (auto& call : model.draw_calls) {
    call.index_count = 30000;
  }
  model.meshes[0].draw_call_count = 20000;
  Diagnostics findings;
  const HeapMeter meter;
  const scene::Scene scene = dme::to_scene(model, "x", {}, findings);
  EXPECT_LE(scene.meshes.at(0).indices.size(), 60000U);
  EXPECT_LE(meter.peak(), std::size_t{64} << 20U);
}

TEST(FromScene, TheColourOfAMeshIsThatOfItsVertices) {
  scene::Scene scene;
  scene.nodes.emplace_back().kind = scene::NodeKind::mesh;
  scene::Mesh& mesh = scene.meshes.emplace_back();
  mesh.node = 0;
  mesh.positions = {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 1, 0}};
  mesh.indices = {0, 1, 2};
  mesh.parts.push_back({0, 3, 0});
  mesh.color = {1, 0, 0.2F};
  scene.materials.emplace_back().layers.emplace_back();
  const auto back = [&] {
    const auto files = write_gltf(scene);
    const auto made = convert({files->front().bytes, "red.glb"}, {"dme", {}}, {}, {});
    return open_scene(*read_any(made->files.front().bytes), {}, {}).value().scene.meshes.front().colors;
  };
  ASSERT_EQ(back().size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(back()[0].at(i), mesh.color.at(i), 1.0 / 255);
  }
  scene.meshes.front().colors.resize(3, Vec4{0.5F, 1, 1, 1});
  EXPECT_NEAR(back()[2][0], 0.5, 1.0 / 255) << "times its own";
}

}  // namespace
}  // namespace thaw
