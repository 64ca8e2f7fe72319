// glTF as a scene.
#include <thaw/codes.hpp>
#include <thaw/gltf.hpp>
#include <thaw/mdx.hpp>
#include <thaw/sources.hpp>

#include <gtest/gtest.h>

#include "gltf/draco.hpp"
#include "support/files.hpp"
#include "support/paths.hpp"

#include <algorithm>
#include <cmath>

namespace thaw {
namespace {

/// Positions of a triangle and of three further points, then indices 0 1 2 and 0 2 1 as bytes.
constexpr std::string_view kBuffer =
    "data:application/octet-stream;base64,"
    "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"  // (0,0,0) (1,0,0) (0,1,0)
    "AAECAAIB";

std::string json_of(std::string_view primitive, std::string_view more = "", std::string_view accessors = "") {
  std::string text =
      R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0,"name":"n"}],)";
  text += R"("buffers":[{"byteLength":42,"uri":")";
  text += kBuffer;
  text += R"("}],"bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":6}],)";
  text += R"("accessors":[{"bufferView":0,"componentType":5126,"type":"VEC3","count":3},)";
  text += R"({"bufferView":1,"componentType":5121,"type":"SCALAR","count":6})";
  text += accessors;
  text += R"(],"meshes":[{"primitives":[)";
  text += primitive;
  text += "]}]";
  text += more;
  return text + "}";
}

ByteView bytes_of(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

struct Read {
  explicit Read(const std::string& text) : scene(read_gltf(bytes_of(text), {}, diagnostics)) {}
  Diagnostics diagnostics;
  Result<scene::Scene> scene;
};

TEST(GltfRead, TrianglesWithIndices) {
  const Read read(json_of(R"({"attributes":{"POSITION":0},"indices":1})"));
  ASSERT_TRUE(read.scene) << read.scene.error().message;
  ASSERT_EQ(read.scene->meshes.size(), 1U);
  const auto& mesh = read.scene->meshes[0];
  EXPECT_EQ(mesh.positions[1], (Vec3{1, 0, 0}));
  EXPECT_EQ(std::vector<std::uint32_t>(mesh.indices.begin(), mesh.indices.end()),
            (std::vector<std::uint32_t>{0, 1, 2, 0, 2, 1}));
  EXPECT_EQ(read.scene->nodes[0].name, "n");
  EXPECT_TRUE(read.diagnostics.items().empty());
}

/// Primitives over the same vertices whose materials differ in nothing but their colour.
TEST(GltfRead, BaseColorsAreColorsOfVertices) {
  const std::string first = R"({"attributes":{"POSITION":0},"indices":1,"material":0})";
  const std::string second = R"({"attributes":{"POSITION":0},"indices":1,"material":1})";
  const std::string text =
      json_of(first + ',' + second,
              R"(,"materials":[{},{"pbrMetallicRoughness":{"baseColorFactor":[0.21586050,1,0,0.5]}}])");
  const Read read(text);
  ASSERT_TRUE(read.scene) << read.scene.error().message;
  const auto& mesh = read.scene->meshes.at(0);
  ASSERT_EQ(mesh.positions.size(), 6U);
  ASSERT_EQ(mesh.colors.size(), 6U);
  EXPECT_EQ(mesh.colors[0], (Vec4{1, 1, 1, 1}));
  EXPECT_NEAR(mesh.colors[3][0], 128 / 255.0, 1e-6);
  EXPECT_EQ(mesh.colors[3][1], 1);
  EXPECT_EQ(mesh.colors[3][2], 0);
  Diagnostics diagnostics;
  GltfReadOptions plain;
  plain.base_colors = false;
  const auto without = read_gltf(bytes_of(text), plain, diagnostics);
  ASSERT_TRUE(without);
  EXPECT_EQ(without->meshes.at(0).positions.size(), 3U);
  EXPECT_TRUE(without->meshes.at(0).colors.empty());
}

/// What is written to be seen is light in between, and comes back.
TEST(GltfRead, ColorsOfVerticesComeBack) {
  const Read read(json_of(R"({"attributes":{"POSITION":0},"indices":1})"));
  scene::Scene scene = *read.scene;
  const auto level = [](int value) { return static_cast<float>(value / 255.0); };
  scene.meshes.at(0).colors = {{level(1), level(64), level(128), 1},
                               {level(200), level(255), 0, 0.5F},
                               {level(2), level(10), level(11), 1}};
  Diagnostics diagnostics;
  const auto files = write_gltf(scene, {}, diagnostics);
  ASSERT_TRUE(files);
  const auto back = read_gltf(files->front().bytes, {}, diagnostics);
  ASSERT_TRUE(back) << back.error().message;
  ASSERT_EQ(back->meshes.at(0).colors.size(), 3U);
  for (std::size_t v = 0; v < 3; ++v) {
    for (std::size_t part = 0; part < 4; ++part) {
      EXPECT_NEAR(back->meshes[0].colors[v][part], scene.meshes[0].colors[v][part], 1e-5) << v << ' ' << part;
    }
  }
}

TEST(GltfRead, StripsAndFansBecomeTriangles) {
  const Read strip(json_of(R"({"attributes":{"POSITION":0},"indices":1,"mode":5})"));
  ASSERT_TRUE(strip.scene);
  const auto& indices = strip.scene->meshes[0].indices;
  EXPECT_EQ(std::vector<std::uint32_t>(indices.begin(), indices.begin() + 6),
            (std::vector<std::uint32_t>{0, 1, 2, 1, 0, 2}));
  const Read fan(json_of(R"({"attributes":{"POSITION":0},"indices":1,"mode":6})"));
  ASSERT_TRUE(fan.scene);
  EXPECT_EQ(fan.scene->meshes[0].indices.size(), 12U);
  const Read lines(json_of(R"({"attributes":{"POSITION":0},"indices":1,"mode":1})"));
  ASSERT_TRUE(lines.scene);
  EXPECT_TRUE(lines.diagnostics.items().empty());
  ASSERT_EQ(lines.scene->meshes[0].wires.size(), 1U);
  EXPECT_EQ(lines.scene->meshes[0].wires[0].mode, scene::Wire::Mode::lines);
}

TEST(GltfRead, PrimitivesOfTheSameVerticesShareThem) {
  const Read read(
      json_of(R"({"attributes":{"POSITION":0},"indices":1},{"attributes":{"POSITION":0},"indices":1})"));
  ASSERT_TRUE(read.scene);
  EXPECT_EQ(read.scene->meshes[0].positions.size(), 3U);
  EXPECT_EQ(read.scene->meshes[0].parts.size(), 2U);
}

TEST(GltfRead, PrimitivesThatShareOnlyPositionsKeepTheirOwnRest) {
  // TEXCOORD_0 is zeros in one and the first numbers of the buffer in the other.
  const std::string sets =
      R"(,{"componentType":5126,"type":"VEC2","count":3},{"bufferView":0,"byteOffset":12,"componentType":5126,"type":"VEC2","count":3})";
  const std::string first = R"({"attributes":{"POSITION":0,"TEXCOORD_0":2}})";
  const std::string second = R"({"attributes":{"POSITION":0,"TEXCOORD_0":3}})";
  const Read read(json_of(first + "," + second + "," + first, "", sets));
  ASSERT_TRUE(read.scene) << read.scene.error().message;
  const auto& mesh = read.scene->meshes.at(0);
  ASSERT_EQ(mesh.positions.size(), 6U);
  ASSERT_EQ(mesh.uv_sets.size(), 1U);
  EXPECT_EQ(mesh.uv_sets[0][0], (Vec2{0, 0}));
  EXPECT_EQ(mesh.uv_sets[0][3], (Vec2{1, 0}));
  EXPECT_EQ(std::vector<std::uint32_t>(mesh.indices.begin(), mesh.indices.end()),
            (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 0, 1, 2}));
  // What others lack costs nobody what he has, in whatever order they come.
  const std::string bare = R"({"attributes":{"POSITION":0}})";
  const std::string with_normals = R"({"attributes":{"POSITION":0,"NORMAL":0}})";
  for (const std::string& all : {second + "," + bare, bare + "," + second, second + "," + with_normals}) {
    const Read mixed(json_of(all, "", sets));
    ASSERT_TRUE(mixed.scene);
    const auto& both = mixed.scene->meshes.at(0);
    ASSERT_EQ(both.positions.size(), 6U);
    ASSERT_EQ(both.uv_sets.size(), 1U) << all;
    const std::size_t own = all.find(second) == 0 ? 0 : 3;
    EXPECT_EQ(both.uv_sets[0].at(own), (Vec2{1, 0})) << all;
    EXPECT_EQ(both.uv_sets[0].at(3 - own), (Vec2{0, 0})) << all;
    EXPECT_EQ(both.normals.size(), all.find("NORMAL") == std::string::npos ? 0U : 6U);
  }
  // Targets are never taken over.
  const std::string moved = R"({"attributes":{"POSITION":0},"targets":[{"POSITION":0}]})";
  const Read still(json_of(moved + R"(,{"attributes":{"POSITION":0}})"));
  ASSERT_TRUE(still.scene);
  ASSERT_EQ(still.scene->meshes.at(0).morph_targets.size(), 1U);
  EXPECT_EQ(still.scene->meshes[0].morph_targets[0].positions.at(4), (Vec3{0, 0, 0}));
}

TEST(GltfRead, ObjectsOfThousandsOfMembersAreRefused) {
  const auto junk = [](int count) {
    std::string text;
    for (int i = 0; i < count; ++i) {
      text += R"("":0,)";
    }
    return text;
  };
  const std::string sound = json_of(R"({"attributes":{"POSITION":0}})");
  const auto with = [&](std::string_view place, const std::string& text) {
    std::string changed = sound;
    changed.insert(changed.find(place) + place.size(), text);
    return changed;
  };
  for (const std::string_view place : {R"({)", R"("accessors":[{)", R"("attributes":{)"}) {
    const Read read(with(place, junk(5000)));
    ASSERT_FALSE(read.scene);
    EXPECT_EQ(read.scene.error().code, codes::kInputTooLarge);
    EXPECT_TRUE(Read(with(place, junk(500))).scene);
  }
  EXPECT_TRUE(Read(with("{", R"("extras":{)" + junk(5000) + R"("a":0},)")).scene);
}

TEST(GltfRead, AMeshThatManyNodesShowStaysInProportion) {
  std::string text = R"({"asset":{"version":"2.0"},"meshes":[{"primitives":[],"name":")" +
                     std::string(40000, 'n') + R"(","extras":{"a":")" + std::string(40000, 'e') +
                     R"("}}],"nodes":[{"mesh":0})";
  for (int i = 1; i < 5000; ++i) {
    text += R"(,{"mesh":0})";
  }
  const Read read(text + "]}");
  ASSERT_FALSE(read.scene);
  EXPECT_EQ(read.scene.error().code, codes::kGltfReference);
  EXPECT_EQ(read.scene.error().path, "meshes[0]");
}

TEST(GltfRead, PrimitivesThatComeBackToTheirVerticesKeepToThem) {
  // The triangle of accessor 0, that of accessor 2 (no view: all zero), the first again; none has indices.
  const Read read(
      json_of(R"({"attributes":{"POSITION":0}},{"attributes":{"POSITION":2}},{"attributes":{"POSITION":0}})",
              "", R"(,{"componentType":5126,"type":"VEC3","count":3})"));
  ASSERT_TRUE(read.scene) << read.scene.error().message;
  const auto& mesh = read.scene->meshes.at(0);
  EXPECT_EQ(mesh.positions.size(), 6U);
  EXPECT_EQ(std::vector<std::uint32_t>(mesh.indices.begin(), mesh.indices.end()),
            (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 0, 1, 2}));
}

TEST(GltfRead, WhatAFileDoesNotHoldHasALimit) {
  // Many vertices without bytes, and targets that move none of them.
  std::string targets;
  for (int i = 0; i < 3000; ++i) {
    targets += targets.empty() ? "{}" : ",{}";
  }
  const Read read(json_of(R"({"attributes":{"POSITION":2},"targets":[)" + targets + "]}", "",
                          R"(,{"componentType":5126,"type":"VEC3","count":100000})"));
  ASSERT_TRUE(read.scene) << read.scene.error().message;
  EXPECT_EQ(read.scene->meshes.at(0).positions.size(), 100000U);
  std::uint64_t numbers = 0;
  for (const auto& mesh : read.scene->meshes) {
    for (const auto& target : mesh.morph_targets) {
      EXPECT_TRUE(target.positions.empty() || target.positions.size() == mesh.positions.size());
      numbers += target.positions.size() * 3;
    }
  }
  EXPECT_LT(numbers, std::uint64_t{1} << 22U);
}

TEST(GltfRead, SparseAccessors) {
  const Read read(json_of(
      R"({"attributes":{"POSITION":2}})", "",
      R"(,{"componentType":5126,"type":"VEC3","count":3,"sparse":{"count":1,"indices":{"bufferView":1,"byteOffset":1,"componentType":5121},"values":{"bufferView":0,"byteOffset":12}}})"));
  ASSERT_TRUE(read.scene);
  const auto& mesh = read.scene->meshes[0];
  ASSERT_EQ(mesh.positions.size(), 3U);
  EXPECT_EQ(mesh.positions[0], (Vec3{0, 0, 0}));
  EXPECT_EQ(mesh.positions[1], (Vec3{1, 0, 0}));
}

TEST(GltfRead, NodesStandWhereTheySay) {
  const Read read(
      R"({"asset":{"version":"2.0"},"scene":1,"scenes":[{"nodes":[0]},{"nodes":[1]}],"nodes":[{"name":"other"},
      {"name":"n","children":[2],"translation":[1,2,3],"rotation":[0,0,3,4],"scale":[4,5,6]},{"name":"below"}]})");
  ASSERT_TRUE(read.scene);
  const auto named = [&](std::string_view name) {
    const auto& nodes = read.scene->nodes;
    return std::find_if(nodes.begin(), nodes.end(), [&](const auto& node) { return node.name == name; });
  };
  ASSERT_NE(named("n"), read.scene->nodes.end());
  EXPECT_EQ(named("other"), read.scene->nodes.end()) << "it is in the other scene";
  EXPECT_EQ(named("n")->rest.translation, (Vec3{1, 2, 3}));
  EXPECT_EQ(named("n")->rest.rotation, (Vec4{0, 0, 0.6F, 0.8F})) << "of unit length";
  EXPECT_EQ(named("n")->rest.scale, (Vec3{4, 5, 6}));
  EXPECT_EQ(named("below")->rest.scale, (Vec3{1, 1, 1}));
}

TEST(GltfRead, ExtensionsThatNothingReadsAreReportedByName) {
  const Read read(R"({"asset":{"version":"2.0"},"scenes":[{"nodes":[0,1]}],"nodes":[
      {"mesh":0,"extensions":{"ACME_sway":{}}},{"extensions":{"KHR_node_visibility":{"visible":false}}}],
      "textures":[{"extensions":{"KHR_texture_basisu":{"source":0}}}],
      "meshes":[{"primitives":[{"attributes":{"POSITION":0},"extensions":{"KHR_draco_mesh_compression":{}}}]}],
      "buffers":[{"uri":"data:;base64,AAAAAAAAAAAAAAAA","byteLength":12}],
      "bufferViews":[{"buffer":0,"byteLength":12}],
      "accessors":[{"bufferView":0,"componentType":5126,"type":"VEC3","count":1}]})");
  ASSERT_TRUE(read.scene) << read.scene.error().message;
  std::vector<std::string> reported;
  for (const auto& finding : read.diagnostics.items()) {
    if (finding.code == codes::kGltfUnsupported) {
      reported.push_back(finding.message);
    }
  }
  EXPECT_EQ(reported, (std::vector<std::string>{"unsupported ACME_sway ignored: 1 node",
                                                "unsupported KHR_node_visibility ignored: 1 node",
                                                "unsupported KHR_texture_basisu ignored: 1 texture"}));
}

TEST(GltfRead, TrianglesMaySayThatTheyAre) {
  const Read read(json_of(R"({"attributes":{"POSITION":0},"indices":1,"mode":4})"));
  ASSERT_TRUE(read.scene);
  EXPECT_EQ(read.scene->meshes.at(0).indices.size(), 6U);
  EXPECT_TRUE(read.diagnostics.items().empty());
}

/// Only files beside a .gltf are asked for, each by its decoded name.
TEST(GltfRead, BuffersThatLieElsewhereAreNotFetched) {
  const auto read_with = [](std::string_view uri, std::vector<std::string>& requested,
                            Diagnostics& diagnostics) {
    GltfReadOptions options;
    options.open = [&](std::string_view name) -> Result<Bytes> {
      requested.emplace_back(name);
      return Bytes(36, 0);
    };
    const std::string text =
        R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],"buffers":[{"byteLength":36,"uri":")" +
        std::string(uri) +
        R"("}],"bufferViews":[{"buffer":0,"byteLength":36}],"accessors":[{"bufferView":0,"componentType":5126,"type":"VEC3","count":3}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}]})";
    return read_gltf(bytes_of(text), options, diagnostics);
  };
  std::vector<std::string> requested;
  Diagnostics diagnostics;
  auto scene = read_with("a%20b.bin", requested, diagnostics);
  ASSERT_TRUE(scene);
  EXPECT_EQ(requested, std::vector<std::string>{"a b.bin"});
  EXPECT_EQ(scene->meshes.at(0).positions.size(), 3U);
  EXPECT_TRUE(diagnostics.items().empty());
  for (const char* uri : {"http://example.org/a.bin", "file:a.bin"}) {
    requested.clear();
    Diagnostics findings;
    const auto refused = read_with(uri, requested, findings);
    ASSERT_FALSE(refused) << uri;
    EXPECT_TRUE(requested.empty()) << uri;
    EXPECT_EQ(refused.error().path, "buffers[0]");
  }
}

TEST(GltfRead, SparseAccessorsThatMakeNoSense) {
  const std::string indices = R"("indices":{"bufferView":1,"byteOffset":1,"componentType":5121})";
  const std::string values = R"("values":{"bufferView":0,"byteOffset":12})";
  const std::string nowhere = R"("indices":{"bufferView":7,"componentType":5121})";
  const std::string nothing = R"("values":{"bufferView":7})";
  const std::string untyped = R"("indices":{"bufferView":1,"componentType":5})";
  const std::string before = R"("values":{"bufferView":0,"byteOffset":-1})";
  const std::string beyond = R"("indices":{"bufferView":0,"byteOffset":15,"componentType":5121})";  // 128
  for (const std::string& sparse :
       {indices + ',' + values, R"("count":1,)" + nowhere + ',' + values,
        R"("count":1,)" + indices + ',' + nothing, R"("count":1,)" + untyped + ',' + values,
        R"("count":1,)" + indices + ',' + before, R"("count":1,)" + beyond + ',' + values}) {
    const Read read(json_of(R"({"attributes":{"POSITION":2}})", "",
                            R"(,{"componentType":5126,"type":"VEC3","count":3,"sparse":{)" + sparse + "}}"));
    ASSERT_FALSE(read.scene) << sparse;
    EXPECT_EQ(read.scene.error().code, codes::kGltfReference) << sparse;
  }
}

/// The whole range of a normalised byte is 0 to 1 without a sign and −1 to 1 with one, where −128 is −1, too.
TEST(GltfRead, NormalisedNumbersHaveTheirRange) {
  std::string text =
      json_of(R"({"attributes":{"POSITION":0,"COLOR_0":2,"NORMAL":3}})", "",
              R"(,{"bufferView":2,"componentType":5121,"normalized":true,"type":"VEC3","count":3},)"
              R"({"bufferView":2,"componentType":5120,"normalized":true,"type":"VEC3","count":3})");
  // Nine bytes: 0 51 255, 127 128 129, 0 0 0.
  text.replace(text.find(R"(],"bufferViews":[)"), 1,
               R"(,{"byteLength":9,"uri":"data:application/octet-stream;base64,ADP/f4CBAAAA"}])");
  const std::string last = R"({"buffer":0,"byteOffset":36,"byteLength":6})";
  text.insert(text.find(last) + last.size(), R"(,{"buffer":1,"byteLength":9})");
  const Read read(text);
  ASSERT_TRUE(read.scene);
  const auto& mesh = read.scene->meshes.at(0);
  ASSERT_EQ(mesh.normals.size(), 3U);
  EXPECT_EQ(mesh.normals[1], (Vec3{1, -1, -1}));
  EXPECT_EQ(mesh.normals[0], (Vec3{0, 51.0F / 127, -1.0F / 127}));
  ASSERT_EQ(mesh.colors.size(), 3U);
  EXPECT_EQ(mesh.colors[0][2], 1) << "255";
  EXPECT_EQ(mesh.colors[0][0], 0);
  EXPECT_NEAR(mesh.colors[0][1], 0.484529, 1e-5) << "0.2, which is linear, as it is stored";
  EXPECT_EQ(mesh.colors[0][3], 1);
}

TEST(GltfRead, AnimationsAndMatrices) {
  std::string text = json_of(
      R"({"attributes":{"POSITION":0}})",
      R"(,"animations":[{"name":"a","channels":[{"sampler":0,"target":{"node":0,"path":"translation"}}],"samplers":[{"input":2,"output":3}]}])",
      R"(,{"bufferView":0,"byteOffset":8,"componentType":5126,"type":"SCALAR","count":2},{"bufferView":0,"componentType":5126,"type":"VEC3","count":2})");
  const auto node = text.find(R"({"mesh":0,)");
  text.insert(node + 1, R"("matrix":[2,0,0,0,0,2,0,0,0,0,2,0,5,6,7,1],)");
  const Read read(text);
  ASSERT_TRUE(read.scene);
  EXPECT_EQ(read.scene->nodes[0].rest.translation, (Vec3{5, 6, 7}));
  EXPECT_NEAR(read.scene->nodes[0].rest.scale[1], 2, 1e-6);
  ASSERT_EQ(read.scene->clips.size(), 1U);
  EXPECT_EQ(read.scene->clips[0].duration, 1);
  EXPECT_EQ(read.scene->clips[0].channels[0].curve.values.size(), 6U);
}

TEST(GltfRead, PointersToNodesMoveThemAndOthersAreReported) {
  const auto channel = [](std::string_view pointer) {
    return R"({"sampler":0,"target":{"path":"pointer","extensions":{"KHR_animation_pointer":{"pointer":")" +
           std::string(pointer) + R"("}}}})";
  };
  const Read read(json_of(
      R"({"attributes":{"POSITION":0}})",
      R"(,"animations":[{"name":"a","channels":[)" + channel("/nodes/0/translation") + "," +
          channel("/materials/0/alphaCutoff") + "," + channel("/nodes/7") +
          R"(],"samplers":[{"input":2,"output":3}]},{"name":"b","channels":[)" + channel("/cameras/0/x") +
          R"(],"samplers":[{"input":2,"output":2}]}])",
      R"(,{"bufferView":0,"byteOffset":8,"componentType":5126,"type":"SCALAR","count":2},{"bufferView":0,"componentType":5126,"type":"VEC3","count":2})"));
  ASSERT_TRUE(read.scene);
  ASSERT_EQ(read.scene->clips.size(), 2U);
  ASSERT_EQ(read.scene->clips[0].channels.size(), 1U);
  EXPECT_EQ(read.scene->clips[0].channels[0].property, scene::Property::translation);
  EXPECT_EQ(read.scene->clips[1].duration, 1) << "as long as the keys that are left out";
  ASSERT_EQ(read.diagnostics.items().size(), 1U);
  EXPECT_EQ(read.diagnostics.items()[0].code, codes::kSceneLost);
  EXPECT_EQ(read.diagnostics.items()[0].message,
            "KHR_animation_pointer channels of unsupported targets ignored: 3");
}

/// What is left of such a file is not what was meant.
TEST(GltfRead, DamageIsRefused) {
  const std::string triangle = R"({"attributes":{"POSITION":0},"indices":2})";
  for (const auto& [text, message] : {
           std::pair(json_of(R"({"attributes":{"POSITION":9}})"),
                     "meshes[0].primitives[0].attributes.POSITION is 9; the number of accessors is 2"),
           std::pair(json_of(R"({"attributes":{"POSITION":1}})"),
                     "positions are not three-component vectors"),
           std::pair(json_of(R"({"attributes":{"POSITION":2}})", "",
                             R"(,{"bufferView":0,"componentType":5126,"type":"VEC3","count":4})"),
                     "accessors[2] ends at byte 48, but bufferViews[0] has 36 bytes"),
           std::pair(json_of(R"({"attributes":{"POSITION":2}})", "",
                             R"(,{"componentType":5126,"type":"VEC3","count":4000000000})"),
                     "the accessors refer to far more data than the file contains"),
           std::pair(
               json_of(triangle, "",
                       R"(,{"bufferView":0,"byteOffset":13,"componentType":5121,"type":"SCALAR","count":3})"),
               "triangles refer to vertex 128; the count is 3"),
           std::pair(json_of(triangle, R"(,"skins":[{"joints":[5]}])",
                             R"(,{"bufferView":1,"componentType":5121,"type":"SCALAR","count":3})"),
                     "skins[0].joints[0] is 5; the number of nodes is 1"),
       }) {
    const Read read(text);
    ASSERT_FALSE(read.scene) << message;
    EXPECT_EQ(read.scene.error().code, codes::kGltfReference) << message;
    EXPECT_EQ(read.scene.error().message, message);
  }
}

TEST(GltfRead, LoopsAndStrangersAmongNodesAreRefused) {
  const auto nodes = [](const std::string& list) {
    return Read(R"({"asset":{"version":"2.0"},"nodes":)" + list + R"(,"scenes":[{"nodes":[0]}]})");
  };
  EXPECT_EQ(nodes(R"([{"children":[1]},{"children":[0]}])").scene.error().message,
            "nodes[0] is its own ancestor");
  EXPECT_EQ(nodes(R"([{"children":[0]}])").scene.error().message, "nodes[0] is its own ancestor");
  EXPECT_EQ(nodes(R"([{"children":[1,2]},{},{"children":[1]}])").scene.error().message,
            "nodes[1] is a child of two nodes: nodes[0] and nodes[2]");
  EXPECT_EQ(nodes(R"([{"children":[7,-1]}])").scene.error().message,
            "nodes[0].children[0] is 7; the number of nodes is 1, and 1 more fault");
  EXPECT_EQ(nodes(R"([{"children":[1]},{"children":[2]},{}])").scene->nodes.size(), 3U);
}

/// Packers write coordinates in whole numbers and what undoes them into the material, of which extras that
/// they leave as they were know nothing.
TEST(GltfRead, CoordinatesInWholeNumbersOfKeptMaterials) {
  const std::string primitive = R"({"attributes":{"POSITION":0,"TEXCOORD_0":2},"material":0})";
  // 0 1, 2 0, 2 1 of bytes.
  const std::string accessor = R"(,{"bufferView":1,"componentType":5121,"type":"VEC2","count":3})";
  const auto text = [&](const std::string& extras) {
    return json_of(
        primitive,
        R"(,"textures":[{"source":0}],"images":[{"uri":"a.png"}],"materials":[{"pbrMetallicRoughness":)"
        R"({"baseColorTexture":{"index":0,"extensions":{"KHR_texture_transform":)"
        R"({"offset":[0.25,0],"scale":[0.5,2]}}}})" +
            extras + "}]",
        accessor);
  };
  GltfReadOptions options;
  options.kept_materials = true;
  const auto kept = read_gltf(bytes_of(text(R"(,"extras":{"thaw":{"material":0}})")), options);
  ASSERT_TRUE(kept) << kept.error().message;
  EXPECT_EQ(kept->meshes.at(0).uv_sets.at(0)[1], (Vec2{1.25F, 0}));
  EXPECT_EQ(kept->meshes.at(0).uv_sets.at(0)[2], (Vec2{1.25F, 2}));
  // The material itself says it otherwise.
  const auto own = read_gltf(bytes_of(text("")), options);
  ASSERT_TRUE(own) << own.error().message;
  EXPECT_EQ(own->meshes.at(0).uv_sets.at(0)[1], (Vec2{2, 0}));
  EXPECT_EQ(own->uv_animations.size(), 1U);
}

TEST(GltfRead, InstancesAreNodes) {
  const auto with = [](const std::string& attributes) {
    std::string text =
        json_of(R"({"attributes":{"POSITION":0}})", R"(,"extensionsRequired":["EXT_mesh_gpu_instancing"])",
                R"(,{"bufferView":0,"byteOffset":12,"componentType":5126,"type":"VEC3","count":2})"
                R"(,{"bufferView":0,"byteOffset":0,"componentType":5126,"type":"VEC3","count":3})"
                R"(,{"bufferView":1,"componentType":5120,"normalized":true,"type":"VEC4","count":1})");
    const std::string_view node = R"({"mesh":0,)";
    text.insert(text.find(node) + node.size(),
                R"("translation":[5,0,0],"extensions":{"EXT_mesh_gpu_instancing":{"attributes":{)" +
                    attributes + "}}},");
    return Read(text);
  };
  const Read read(with(R"("TRANSLATION":2,"_HEIGHT":0)"));
  ASSERT_TRUE(read.scene) << read.scene.error().message;
  ASSERT_EQ(read.scene->meshes.size(), 2U);
  ASSERT_EQ(read.scene->nodes.size(), 3U);
  EXPECT_EQ(read.scene->nodes[0].rest.translation, (Vec3{5, 0, 0}));
  for (std::size_t i = 0; i < 2; ++i) {
    const auto& mesh = read.scene->meshes[i];
    EXPECT_EQ(mesh.positions.size(), 3U);
    const auto& node = read.scene->nodes.at(mesh.node);
    EXPECT_EQ(node.parent, 0U);
    EXPECT_EQ(node.name, i == 0 ? "n_1" : "n_2");
    EXPECT_EQ(node.rest.translation, (i == 0 ? Vec3{1, 0, 0} : Vec3{0, 1, 0}));
    EXPECT_EQ(node.rest.scale, (Vec3{1, 1, 1}));
  }
  ASSERT_EQ(read.diagnostics.items().size(), 1U);
  EXPECT_EQ(read.diagnostics.items()[0].message, "unsupported instance attribute _HEIGHT ignored");
  const Read turned(with(R"("ROTATION":4)"));  // 0 1 2 0 of 127
  ASSERT_TRUE(turned.scene) << turned.scene.error().message;
  EXPECT_NEAR(turned.scene->nodes.at(1).rest.rotation[1], std::sqrt(0.2), 1e-6);
  EXPECT_EQ(with(R"("TRANSLATION":2,"SCALE":3)").scene.error().message,
            "instance attributes have different lengths");
  EXPECT_EQ(with(R"("TRANSLATION":9)").scene.error().code, codes::kGltfReference);
}

/// By its name, and with what helps where something does.
TEST(GltfRead, WhatAFileRequiresIsReadOrRefused) {
  const auto requiring = [](const std::string& name) {
    return Read(json_of(R"({"attributes":{"POSITION":0}})", R"(,"extensionsRequired":[")" + name + R"("])"));
  };
  for (const char* known : {"KHR_mesh_quantization", "KHR_texture_transform", "KHR_materials_unlit"}) {
    EXPECT_TRUE(requiring(known).scene) << known;
  }
  for (const auto& [name, help] : {std::pair("KHR_texture_basisu", "`gltf-transform ktxdecompress IN OUT`"),
                                   std::pair("EXT_texture_avif", "`gltf-transform png --formats '*' IN OUT`"),
                                   std::pair("ACME_of_tomorrow", "which is not supported")}) {
    const Read read(requiring(name));
    ASSERT_FALSE(read.scene) << name;
    EXPECT_EQ(read.scene.error().code, codes::kGltfRequired);
    EXPECT_NE(read.scene.error().message.find(name), std::string::npos) << name;
    EXPECT_NE(read.scene.error().message.find(help), std::string::npos) << read.scene.error().message;
  }
  // Not demanded, and nothing else holds the vertices.
  const Read packed(
      json_of(R"({"attributes":{"POSITION":2},"extensions":{"KHR_draco_mesh_compression":{"bufferView":0}}})",
              "", R"(,{"componentType":5126,"type":"VEC3","count":3})"));
  ASSERT_FALSE(packed.scene);
  EXPECT_EQ(packed.scene.error().code, gltf::reads_draco() ? codes::kGltfReference : codes::kGltfRequired);
  EXPECT_EQ(packed.scene.error().path, "meshes[0].primitives[0]");
}

/// Who asks for what is seen gets no scene without any of it.
TEST(GltfRead, MeshesThatTheSceneDoesNotShow) {
  std::string text = json_of(R"({"attributes":{"POSITION":0}})");
  text.replace(text.find(R"({"mesh":0,)"), 10, "{");
  GltfReadOptions seen;
  seen.surfaces = true;
  const auto scene = read_gltf(bytes_of(text), seen);
  ASSERT_FALSE(scene);
  EXPECT_EQ(scene.error().message, "the scene uses none of the file's 1 mesh");
  EXPECT_TRUE(Read(text).scene) << "an animation needs none";
  const auto two =
      read_gltf(bytes_of(json_of(R"({"attributes":{"POSITION":0},"indices":2})", "",
                                 R"(,{"bufferView":1,"componentType":5121,"type":"SCALAR","count":2})")),
                seen);
  ASSERT_FALSE(two);
  EXPECT_EQ(two.error().message, "none of the file's meshes has a complete triangle, line or point");
}

TEST(GltfRead, MaterialsReportWhichCoordinatesTheyTake) {
  const Read read(R"({"asset":{"version":"2.0"},"nodes":[{}],"scenes":[{"nodes":[0]}],"images":[{"name":"a"}],
    "textures":[{"source":0}],"materials":[{"alphaMode":"BLEND","pbrMetallicRoughness":{"baseColorFactor":[1,1,1,0.5],
    "baseColorTexture":{"index":0,"texCoord":1,"extensions":{"KHR_texture_transform":{"scale":[2,2]}}}}}]})");
  ASSERT_TRUE(read.scene);
  ASSERT_EQ(read.scene->materials.size(), 1U);
  EXPECT_EQ(read.scene->materials[0].layers.at(0).uv_set, 1U);
  EXPECT_EQ(read.scene->materials[0].layers.at(0).alpha, 0.5F);
  const auto& findings = read.diagnostics.items();
  EXPECT_TRUE(std::any_of(findings.begin(), findings.end(), [](const Diagnostic& finding) {
    return finding.code == codes::kGltfUnsupported && finding.path == "materials[0]";
  }));
}

TEST(GltfRead, OpaqueMaterialsHaveNoAlpha) {
  const Read read(R"({"asset":{"version":"2.0"},"nodes":[{}],"scenes":[{"nodes":[0]}],
    "materials":[{"pbrMetallicRoughness":{"baseColorFactor":[1,1,1,0]}}]})");
  ASSERT_TRUE(read.scene);
  EXPECT_EQ(read.scene->materials.at(0).layers.at(0).alpha, 1.0F);
}

/// Whatever shows a mesh again is a copy. Where that would be far more than the file holds, it is refused.
TEST(GltfRead, ManyNodesThatShowOneMesh) {
  const auto shown = [](std::size_t times, const std::string& primitives) {
    std::string json = json_of(primitives);
    std::string nodes;
    std::string roots;
    for (std::size_t i = 0; i < times; ++i) {
      nodes += std::string(i == 0 ? "" : ",") + R"({"mesh":0})";
      roots += (i == 0 ? "" : ",") + std::to_string(i);
    }
    const auto put = [&](const std::string& key, const std::string& list) {
      const std::size_t at = json.find(key);
      EXPECT_NE(at, std::string::npos) << json;
      const std::size_t end = json.find(']', at);
      json.replace(at, end - at, key + list);
    };
    put(R"("scenes":[{"nodes":[)", roots);
    put(R"("nodes":[{)", nodes.substr(1));
    return Read(json);
  };
  const Read few(shown(3, R"({"attributes":{"POSITION":0}})"));
  ASSERT_TRUE(few.scene) << few.scene.error().message;
  ASSERT_EQ(few.scene->meshes.size(), 3U);
  EXPECT_EQ(few.scene->meshes[2].positions, few.scene->meshes[0].positions);
  EXPECT_EQ(few.scene->meshes[2].node, 2U);
  std::string targets;
  for (int i = 0; i < 20000; ++i) {
    targets += i == 0 ? "{}" : ",{}";
  }
  const Read many(shown(5000, R"({"attributes":{"POSITION":0},"targets":[)" + targets + "]}"));
  ASSERT_FALSE(many.scene);
  EXPECT_EQ(many.scene.error().message,
            "the mesh is used by more nodes than a file of this size can contain");
}

TEST(GltfRead, Errors) {
  EXPECT_EQ(Read("{").scene.error().code, codes::kJsonMalformed);
  EXPECT_EQ(Read("[1,]").scene.error().code, codes::kJsonMalformed);
  EXPECT_EQ(Read("{}").scene.error().code, codes::kGltfReference);
  EXPECT_EQ(Read(R"({"asset":{"version":"1.0"}})").scene.error().code, codes::kGltfReference);
  EXPECT_EQ(Read(std::string("glTF\2\0\0\0", 8)).scene.error().code, codes::kTruncated);
  EXPECT_EQ(Read(std::string(100000, '[')).scene.error().code, codes::kJsonMalformed);
}

/// What the writer makes comes back: vertices, skins, clips.
TEST(GltfRead, ReadsWhatIsWritten) {
  for (const char* name : {"knight.mdx", "chest.mdx"}) {
    Diagnostics diagnostics;
    const auto document = mdx::read(test::load(test::samples_dir() / name), {}, diagnostics);
    ASSERT_TRUE(document);
    const auto scene = mdx::to_scene(*document, {}, diagnostics);
    const auto files = write_gltf(scene, {}, diagnostics);
    ASSERT_TRUE(files);
    Diagnostics findings;
    const auto back = read_gltf(files->front().bytes, {}, findings);
    ASSERT_TRUE(back);
    EXPECT_TRUE(findings.items().empty()) << findings.items().front().message;
    ASSERT_EQ(back->meshes.size(), scene.meshes.size());
    for (std::size_t i = 0; i < scene.meshes.size(); ++i) {
      EXPECT_EQ(back->meshes[i].positions, scene.meshes[i].positions);
      EXPECT_GT(back->meshes[i].influences, 0U);
    }
    EXPECT_EQ(back->clips.size(), scene.clips.size());
    for (std::size_t i = 0; i < scene.clips.size(); ++i) {
      EXPECT_NEAR(back->clips[i].duration, scene.clips[i].duration, 1e-3) << scene.clips[i].name;
    }
  }
}

TEST(GltfRead, AnyBytesGiveAResultOrAnError) {
  Diagnostics diagnostics;
  const auto document = mdx::read(test::load(test::samples_dir() / "everything_v1100.mdx"), {}, diagnostics);
  ASSERT_TRUE(document);
  const auto files = write_gltf(mdx::to_scene(*document, {}, diagnostics), {}, diagnostics);
  ASSERT_TRUE(files);
  Bytes bytes = files->front().bytes;
  for (std::size_t size = 0; size < bytes.size(); size += 1 + bytes.size() / 60) {
    Diagnostics findings;
    (void)read_gltf(ByteView(bytes).subspan(0, size), {}, findings);
  }
  // Digits of the JSON: indices, counts, offsets.
  std::size_t changed = 0;
  for (std::size_t i = 20; i < bytes.size() && bytes[i] != 0; ++i) {
    if (bytes[i] < '0' || bytes[i] > '9' || ++changed % 97 != 0) {
      continue;
    }
    const std::uint8_t old = bytes[i];
    for (const char c : {'9', '-', '"'}) {
      bytes[i] = static_cast<std::uint8_t>(c);
      Diagnostics findings;
      (void)read_gltf(bytes, {}, findings);
    }
    bytes[i] = old;
  }
}

// --- pictures

/// 16 × 8 pixels of one colour: (200, 40, 20), and grey 90.
constexpr std::string_view kRedJpeg =
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAIBAQEBAQIBAQECAgICAgQDAgICAgUEBAMEBgUGBgYFBgYGBwkIBgcJBwYGCAsICQoKCgoK"
    "BggLDAsKDAkKCgr/2wBDAQICAgICAgUDAwUKBwYHCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoK"
    "Cgr/wAARCAAIABADASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAj/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAA"
    "AAAAAAAAAAAACAn/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCVwBrVIf/Z";
constexpr std::string_view kGreyJpeg =
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAIBAQEBAQIBAQECAgICAgQDAgICAgUEBAMEBgUGBgYFBgYGBwkIBgcJBwYGCAsICQoKCgoK"
    "BggLDAsKDAkKCgr/wAALCAAIABABAREA/8QAFQABAQAAAAAAAAAAAAAAAAAAAAj/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/9oACAEBAAA/"
    "AJnH/9k=";

std::string with_pictures(std::string_view images) {
  return json_of(
      R"({"attributes":{"POSITION":0},"indices":1,"material":0})",
      std::string(R"(,"materials":[{"pbrMetallicRoughness":{"baseColorTexture":{"index":0}}}],)"
                  R"("textures":[{"source":0,"sampler":0}],"samplers":[{"wrapS":33071}],"images":)") +
          std::string(images));
}

TEST(GltfRead, PicturesInsideAreThoseOfTheModel) {
  const Read read(with_pictures(std::string(R"([{"name":"a.blp","uri":"data:image/jpeg;base64,)") +
                                std::string(kRedJpeg) + R"("},{"uri":"data:image/jpeg;base64,)" +
                                std::string(kGreyJpeg) + R"("},{"uri":"a%20b.png"}])"));
  ASSERT_TRUE(read.scene);
  scene::Scene scene = *read.scene;
  ASSERT_EQ(scene.textures.size(), 3U);
  EXPECT_FALSE(scene.textures[0].wrap_u);
  EXPECT_TRUE(scene.textures[0].wrap_v) << "glTF repeats pictures where nothing is said";
  EXPECT_EQ(scene.textures[2].path, "a b.png");
  Diagnostics findings;
  scene::load_images(scene, Sources(), {}, findings);
  ASSERT_EQ(scene.images.size(), 3U);
  const Image& red = scene.images[scene.textures[0].image].image;
  ASSERT_EQ(red.pixels(), 128U);
  EXPECT_NEAR(red.rgba[0], 200, 3);
  EXPECT_NEAR(red.rgba[1], 40, 3);
  EXPECT_NEAR(red.rgba[2], 20, 3);
  EXPECT_EQ(red.rgba[3], 255);
  const Image& grey = scene.images[scene.textures[1].image].image;
  EXPECT_NEAR(grey.rgba[0], 90, 2);
  EXPECT_EQ(grey.rgba[0], grey.rgba[2]);
  EXPECT_TRUE(scene.images[scene.textures[2].image].placeholder);
}

TEST(GltfRead, BrokenPicturesCostThemselves) {
  for (const std::string& image : {std::string(R"([{"uri":"data:image/jpeg;base64,/9j/4AAQ"}])"),
                                   std::string(R"([{"bufferView":1}])"), std::string(R"([{}])")}) {
    const Read read(with_pictures(image));
    ASSERT_TRUE(read.scene) << image;
    scene::Scene scene = *read.scene;
    Diagnostics findings;
    scene::load_images(scene, Sources(), {}, findings);
    ASSERT_EQ(scene.images.size(), 1U) << image;
    EXPECT_TRUE(scene.images[0].placeholder) << image;
    EXPECT_EQ(findings.items().size(), 1U) << image;
  }
}

TEST(GltfRead, OurOwnPicturesComeBack) {
  const auto bytes = read_file(test::samples_dir() / "chest.mdx", {});
  Diagnostics findings;
  scene::Scene scene = mdx::to_scene(*mdx::read(*bytes, {}, findings), {}, findings);
  scene::load_images(scene, model_sources(test::samples_dir() / "chest.mdx", {}), {}, findings);
  const auto files = write_gltf(scene, {}, findings);
  ASSERT_TRUE(files);
  auto again = read_gltf(files->front().bytes, {}, findings);
  ASSERT_TRUE(again);
  scene::load_images(*again, Sources(), {}, findings);
  ASSERT_FALSE(again->images.empty());
  for (const auto& image : again->images) {
    EXPECT_FALSE(image.placeholder) << image.name;
  }
}

}  // namespace
}  // namespace thaw
