// Containers, determinism, and scenes that are broken.
#include "gltf/written.hpp"

#include <algorithm>
#include <limits>
#include <set>

namespace thaw::test {
namespace {

using scene::CurveMode;
using scene::Property;
using scene::Target;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

scene::Scene textured_scene() {
  auto scene = empty_scene();
  const auto texture =
      add_texture(scene, "skin", {{255, 0, 0, 255}, {0, 255, 0, 255}, {0, 0, 255, 255}, {9, 9, 9, 255}});
  const auto quad = add_quad(scene, add_material(scene, {layer(scene::BlendMode::opaque, texture)}));
  const auto bone = add_node(scene, "bone", 0, {1, 2, 3});
  add_skin(scene, quad, {bone});
  auto& clip = add_clip(scene, "Stand", 1);
  add_channel(clip, Target::Kind::node, bone, Property::translation,
              curve(CurveMode::linear, 3, {0, 1}, {1, 2, 3, 2, 2, 3}));
  return scene;
}

TEST(GltfStructure, GlbChunks) {
  Diagnostics diagnostics;
  const auto files = write_gltf(textured_scene(), {}, diagnostics);
  ASSERT_TRUE(files.has_value());
  ASSERT_EQ(files->size(), 1U);
  EXPECT_EQ(files->front().name, "model.glb");
  const Bytes& glb = files->front().bytes;
  EXPECT_EQ(word_at(glb, 0), 0x46546C67U);
  EXPECT_EQ(word_at(glb, 4), 2U);
  EXPECT_EQ(word_at(glb, 8), glb.size());
  const std::uint32_t json_size = word_at(glb, 12);
  EXPECT_EQ(json_size % 4, 0U);
  EXPECT_EQ(word_at(glb, 16), 0x4E4F534AU);
  EXPECT_EQ(word_at(glb, 24 + json_size), 0x004E4942U);
  EXPECT_EQ(word_at(glb, 20 + json_size) + json_size + 28, glb.size());
}

TEST(GltfStructure, ViewsAreAlignedAndInside) {
  const Written written = write(textured_scene());
  const auto length = number(at(written.json, "buffers", 0, "byteLength"));
  EXPECT_LE(length, static_cast<double>(written.buffer.size()));
  const Value& views = at(written.json, "bufferViews");
  for (int i = 0; i < size_of(views); ++i) {
    const double offset = has(at(views, i), "byteOffset") ? number(at(views, i, "byteOffset")) : 0;
    EXPECT_EQ(static_cast<int>(offset) % 4, 0);
    EXPECT_LE(offset + number(at(views, i, "byteLength")), length);
  }
}

TEST(GltfStructure, SideFiles) {
  GltfOptions options;
  options.binary = false;
  options.embed_images = false;
  options.name = "Füße 1";
  Diagnostics diagnostics;
  const auto files = write_gltf(textured_scene(), options, diagnostics);
  ASSERT_TRUE(files.has_value());
  keep(*files);
  ASSERT_EQ(files->size(), 3U);
  EXPECT_EQ((*files)[0].name, "Füße 1.gltf");
  const auto& json_bytes = (*files)[0].bytes;
  const Value json = parse_json({reinterpret_cast<const char*>(json_bytes.data()), json_bytes.size()});
  EXPECT_EQ((*files)[1].name, "Füße 1.bin");
  EXPECT_EQ(text(at(json, "buffers", 0, "uri")), "F%C3%BC%C3%9Fe%201.bin");
  EXPECT_EQ(number(at(json, "buffers", 0, "byteLength")), static_cast<double>((*files)[1].bytes.size()));
  EXPECT_EQ((*files)[2].name.substr(0, 9), "Füße 1_");
  EXPECT_EQ(text(at(json, "images", 0, "uri")).substr(0, 19), "F%C3%BC%C3%9Fe%201_");
  EXPECT_FALSE(has(at(json, "images", 0), "bufferView"));
  EXPECT_TRUE(decode_png((*files)[2].bytes, {}).has_value());
}

std::set<std::string> side_files(const std::string& output, const std::string& picture) {
  GltfOptions options;
  options.binary = false;
  options.embed_images = false;
  options.name = output;
  scene::Scene scene = textured_scene();
  scene.images.front().name = picture;
  Diagnostics diagnostics;
  const auto files = write_gltf(scene, options, diagnostics);
  std::set<std::string> names;
  for (std::size_t i = 1; files && i < files->size(); ++i) {
    names.insert((*files)[i].name);
  }
  return names;
}

TEST(GltfStructure, OutputsShareNoSideFile) {
  const std::vector<std::pair<std::string, std::string>> outputs = {
      {"knight", "body_x"}, {"knight_body", "x"}, {"步兵", "x"},     {"骑士", "x"},
      {"Foot Man", "x"},    {"Foot_Man", "x"},    {"Foot.Man", "x"},
  };
  std::set<std::string> all;
  for (const auto& [output, picture] : outputs) {
    const auto names = side_files(output, picture);
    EXPECT_EQ(names.size(), 2U) << output;
    for (const auto& name : names) {
      EXPECT_TRUE(all.insert(name).second) << name;
    }
  }
  EXPECT_TRUE(all.count("步兵.bin") == 1 && all.count("Foot.Man.bin") == 1);
}

TEST(GltfStructure, SideStemsAreNamesEverywhere) {
  EXPECT_EQ(gltf_side_stem("Füße 1.2"), "Füße 1.2");
  EXPECT_EQ(gltf_side_stem("a/b\\c:d\n"), "a_b_c_d_");
  EXPECT_EQ(gltf_side_stem("F\xFC\xDF"
                           "e"),
            "Füße");  // of Windows-1252
  EXPECT_EQ(gltf_side_stem(""), "model");
}

TEST(GltfStructure, SameSceneSameBytes) {
  Diagnostics diagnostics;
  const auto one = write_gltf(textured_scene(), {}, diagnostics);
  const auto two = write_gltf(textured_scene(), {}, diagnostics);
  ASSERT_TRUE(one && two);
  EXPECT_EQ(one->front().bytes, two->front().bytes);
}

TEST(GltfStructure, GeneratorNamesTheLibrary) {
  Diagnostics diagnostics;
  const auto files = write_gltf(empty_scene(), {}, diagnostics);
  ASSERT_TRUE(files.has_value());
  const Bytes& glb = files->front().bytes;
  const Value json = parse_json({reinterpret_cast<const char*>(glb.data()) + 20, word_at(glb, 12)});
  EXPECT_EQ(text(at(json, "asset", "generator")).rfind("thaw ", 0), 0U);
  EXPECT_EQ(text(at(json, "asset", "version")), "2.0");
}

TEST(GltfStructure, SceneWithoutAnything) {
  const Written written = write(scene::Scene{});
  EXPECT_EQ(size_of(at(written.json, "nodes")), 1);
  EXPECT_FALSE(has(written.json, "meshes"));
  EXPECT_FALSE(has(written.json, "bufferViews"));
  EXPECT_TRUE(written.buffer.empty());
}

TEST(GltfStructure, EqualDataIsStoredOnce) {
  auto scene = textured_scene();
  add_quad(scene, 0);
  const Written written = write(scene);
  const auto accessor_of = [&](int mesh, std::string_view name) {
    return number(at(written.json, "meshes", mesh, "primitives", 0, "attributes", name));
  };
  EXPECT_EQ(accessor_of(0, "POSITION"), accessor_of(1, "POSITION"));
  EXPECT_EQ(accessor_of(0, "TEXCOORD_0"), accessor_of(1, "TEXCOORD_0"));
  EXPECT_EQ(size_of(at(written.json, "images")), 1);
}

TEST(GltfStructure, NamesDiffer) {
  auto scene = empty_scene();
  for (int i = 0; i < 3; ++i) {
    add_node(scene, "bone");
    add_quad(scene);
    add_clip(scene, "Stand", 1);
  }
  add_node(scene, "bone (2)");
  add_node(scene, "");
  add_node(scene, "\x80uro \xFF");  // not UTF-8
  const Written written = write(scene);
  for (const std::string_view list : {"nodes", "meshes", "animations", "materials"}) {
    std::set<std::string> names;
    const Value& items = at(written.json, list);
    for (int i = 0; i < size_of(items); ++i) {
      EXPECT_TRUE(names.insert(text(at(items, i, "name"))).second) << list << " " << i;
    }
    EXPECT_EQ(names.count(""), 0U);
  }
  EXPECT_EQ(text(at(written.json, "animations", 0, "name")), "Stand");
  EXPECT_EQ(text(at(written.json, "animations", 1, "name")), "Stand (2)");
}

/// What the specification takes for other values when it is left out, and what tells readers how to load a
/// view.
TEST(GltfStructure, SaysWhatReadersWouldTakeOtherwise) {
  auto scene = textured_scene();
  scene.textures[0].wrap_u = true;
  const Written written = write(scene);
  const Value& primitive = at(written.json, "meshes", 0, "primitives", 0);
  const auto target_of = [&](const Value& accessor) {
    const Value& view = at(written.json, "bufferViews",
                           static_cast<int>(number(at(written.json, "accessors",
                                                      static_cast<int>(number(accessor)), "bufferView"))));
    return has(view, "target") ? number(at(view, "target")) : 0;
  };
  EXPECT_EQ(target_of(at(primitive, "attributes", "POSITION")), 34962);
  EXPECT_EQ(target_of(at(primitive, "indices")), 34963);
  const Value& matrices = at(written.json, "skins", 0, "inverseBindMatrices");
  EXPECT_EQ(target_of(matrices), 0) << "no vertices";
  EXPECT_EQ(target_of(at(written.json, "animations", 0, "samplers", 0, "input")), 0);
  const Value& sampler = at(written.json, "samplers", 0);
  EXPECT_EQ(number(at(sampler, "magFilter")), 9729);
  EXPECT_EQ(number(at(sampler, "minFilter")), 9987);
  EXPECT_EQ(number(at(sampler, "wrapS")), 10497);
  EXPECT_EQ(number(at(sampler, "wrapT")), 33071);
  const Value& surface = at(written.json, "materials", 0, "pbrMetallicRoughness");
  EXPECT_EQ(number(at(surface, "metallicFactor")), 0) << "a game's material shines like no metal";
}

TEST(GltfStructure, EveryJointHasItsMatrix) {
  const Written written = write(textured_scene());
  const Value& skin = at(written.json, "skins", 0);
  const auto matrices = written.accessor(at(skin, "inverseBindMatrices"));
  const auto joints = static_cast<std::size_t>(size_of(at(skin, "joints")));
  ASSERT_EQ(matrices.size(), 16 * joints);
  for (std::size_t i = 0; i < joints; ++i) {
    const int node = static_cast<int>(number(at(skin, "joints", static_cast<int>(i))));
    const bool bone = text(at(written.json, "nodes", node, "name")) == "bone";
    EXPECT_EQ(matrices[16 * i + 12], bone ? -1 : 0) << i;
    EXPECT_EQ(matrices[16 * i + 14], bone ? -3 : 0) << i;
    EXPECT_EQ(matrices[16 * i + 15], 1) << i;
  }
}

TEST(GltfStructure, CamerasSeeAsHighAsInTheGame) {
  auto scene = empty_scene();
  const auto node = add_node(scene, "camera");
  scene.cameras.push_back({"wide", node, scene::kNone, 0.8F, false, 2, 100});
  scene.cameras.push_back({"diagonal", node, scene::kNone, 1, true, 0.5F, 50});
  scene.cameras.push_back({"none", node, scene::kNone, kNan, true, 1, 10});
  scene.cameras.push_back({"round", node, scene::kNone, 3.2F, true, 1, 10});
  const Written written = write(scene);
  const auto of = [&](int camera, std::string_view what) {
    return number(at(written.json, "cameras", camera, "perspective", what));
  };
  EXPECT_NEAR(of(0, "yfov"), 2 * std::atan(std::tan(0.4) * 9 / 16), 1e-6);
  EXPECT_NEAR(of(1, "yfov"), 0.6, 1e-6);
  constexpr double kEighth = 0.78539816339;
  EXPECT_NEAR(of(2, "yfov"), kEighth * 0.6, 1e-6) << "an eighth of a turn where none is said";
  EXPECT_NEAR(of(3, "yfov"), kEighth * 0.6, 1e-6);
  EXPECT_EQ(of(0, "znear"), 2);
  EXPECT_EQ(of(0, "zfar"), 100);
  EXPECT_EQ(of(1, "znear"), 0.5);
}

/// Everything that can be wrong at once: the result is still a glTF file without non-finite numbers (which
/// would be `null` in JSON) and with indices in range.
TEST(GltfStructure, BrokenScene) {
  auto scene = textured_scene();
  scene.nodes[0].rest.rotation = {0, 0, 0, 0};
  scene.nodes[1].rest.translation = {kNan, 0, 0};
  scene.nodes.push_back(scene.nodes[1]);
  scene.nodes.back().parent = 99;
  auto& mesh = scene.meshes[0];
  mesh.positions[1] = {kNan, 1, 1};
  mesh.normals[0] = {0, 0, 0};
  mesh.normals[1] = {kNan, 0, 0};
  mesh.uv_sets[0][0] = {kNan, 0};
  mesh.indices.insert(mesh.indices.end(), {0, 1, 77, 0});
  mesh.parts = {{0, 100, 55}, {3, scene::kNone, 0}, {900, 3, 0}};
  mesh.weights[0] = kNan;
  mesh.joints[1] = 900;
  mesh.color = {kNan, 2, -1};
  mesh.alpha = kNan;
  scene.skins[0].joints.push_back(500);
  scene.skins[0].joints.push_back(scene.skins[0].joints[0]);
  scene.materials[0].layers[0].uv_set = 4000000000U;
  scene.materials[0].layers[0].uv_animation = 70;
  scene.textures[0].image = 0;
  scene.images[0].image.rgba.pop_back();
  auto& clip = scene.clips[0];
  clip.duration = kNan;
  add_channel(clip, Target::Kind::node, 900, Property::scale, curve(CurveMode::linear, 3, {0}, {1, 1, 1}));
  add_channel(clip, Target::Kind::node, 0, Property::scale, curve(CurveMode::linear, 2, {0}, {1, 1}));
  add_channel(clip, Target::Kind::node, 0, Property::rotation,
              curve(CurveMode::linear, 4, {0, 0, -1, kNan, 1, 2},
                    {0, 0, 0, 0, 9, 9, 9, 9, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 2, 0, kNan, 0, 0, 0}));
  add_channel(clip, Target::Kind::layer, 0, Property::layer_alpha, curve(CurveMode::step, 1, {0}, {1}), 9);
  scene.lights.push_back({});
  scene.lights.back().node = 0;
  scene.lights.back().intensity = kNan;
  scene.cameras.push_back({"camera", 0, 700, kNan, true, -1, -2});
  scene.cameras.push_back({"camera", 0, 700, 0.8F, false, 1, 100});
  for (const auto profile : {GltfProfile::compat, GltfProfile::rich}) {
    const Written written = write(scene, profile);
    EXPECT_GT(written.diagnostics.items().size(), 0U);
    EXPECT_EQ(size_of(at(written.json, "animations")), 1);
    EXPECT_EQ(size_of(at(written.json, "cameras")), 2);
    const auto positions =
        written.accessor(at(written.json, "meshes", 0, "primitives", 0, "attributes", "POSITION"));
    EXPECT_TRUE(std::all_of(positions.begin(), positions.end(), [](double x) { return std::isfinite(x); }));
  }
}

}  // namespace
}  // namespace thaw::test
