// What a model keeps on its way through a GLB: bones, batches, instances, its transform, streams that scenes
// have no place for, and with the original all that nobody understands.
#include <thaw/codes.hpp>
#include <thaw/format.hpp>
#include <thaw/gltf.hpp>
#include <thaw/m3.hpp>
#include <thaw/validate.hpp>

#include "formats/wow/m3/onto.hpp"
#include "m3/sample.hpp"
#include "support/findings.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace thaw::m3 {
namespace {

using test::has;

scene::Scene whole_scene(const Document& document) {
  SceneOptions options;
  options.lod.reset();
  options.collision = true;
  return to_scene(document, "waystone", options);
}

scene::Scene through_file(const scene::Scene& scene) {
  const auto files = write_gltf(scene);
  EXPECT_TRUE(files);
  GltfReadOptions reading;
  reading.kept_materials = true;
  auto read_back = read_gltf(files->front().bytes, reading);
  EXPECT_TRUE(read_back);
  return read_back ? std::move(*read_back) : scene::Scene();
}

Document back(const scene::Scene& scene, Diagnostics& diagnostics) {
  const auto made = from_scene(scene, {}, diagnostics);
  EXPECT_TRUE(made) << made.error().message;
  auto again = made ? read(write(*made)) : fail(codes::kWriteUnsupported, "");
  EXPECT_TRUE(again);
  EXPECT_EQ(*again, *made) << "what is made is what is read";
  return again ? std::move(*again) : Document();
}

template <class Body>
const Body& found(const Document& document, FourCC tag) {
  const Mesh* mesh = document.find<Mesh>();
  const Body* body = mesh == nullptr ? nullptr : mesh->find<Body>(tag);
  static const Body kNone;
  EXPECT_NE(body, nullptr) << tag.text();
  return body == nullptr ? kNone : *body;
}

/// A triangle for each of the bones, of which `count` are shared out over its corners.
scene::Scene many_bones(std::size_t bones, std::size_t count) {
  scene::Scene scene;
  scene.nodes.resize(1);
  auto& mesh = scene.meshes.emplace_back();
  auto& skin = scene.skins.emplace_back();
  mesh.node = 0;
  mesh.skin = 0;
  mesh.influences = static_cast<unsigned>(count);
  for (std::uint32_t bone = 0; bone < bones; ++bone) {
    scene::Node& node = scene.nodes.emplace_back();
    node.parent = 0;
    node.kind = scene::NodeKind::bone;
    node.rest.translation = {static_cast<float>(bone), 0, 0};
    skin.joints.push_back(bone + 1);
    scene::Mat4 inverse{};
    inverse[0] = inverse[5] = inverse[10] = inverse[15] = 1;
    inverse[12] = -node.rest.translation[0];
    skin.inverse_bind.push_back(inverse);
    for (std::uint32_t corner = 0; corner < 3; ++corner) {
      mesh.positions.push_back(
          {static_cast<float>(bone) + static_cast<float>(corner == 1), 0, static_cast<float>(corner == 2)});
      mesh.indices.push_back(bone * 3 + corner);
      for (std::size_t share = 0; share < count; ++share) {
        mesh.joints.push_back(static_cast<std::uint16_t>((bone + share) % bones));
        mesh.weights.push_back(1.0F / static_cast<float>(count));
      }
    }
  }
  mesh.parts = {{0, static_cast<scene::Index>(mesh.indices.size()), scene::kNone}};
  return scene;
}

TEST(M3Back, BonesAndTheirShares) {
  const Document original = sample();
  for (const bool file : {false, true}) {
    SCOPED_TRACE(file);
    const auto scene = whole_scene(original);
    Diagnostics findings;
    const Document again = back(file ? through_file(scene) : scene, findings);
    EXPECT_FALSE(has(findings, codes::kSceneLost));
    EXPECT_FALSE(has(findings, codes::kSceneChanged));
    EXPECT_TRUE(has(findings, codes::kUnproven));
    EXPECT_EQ(found<Buffer>(again, FourCC{"VIBP"}), found<Buffer>(original, FourCC{"VIBP"}));
    const auto was = influences(*original.find<Mesh>());
    const auto is = influences(*again.find<Mesh>());
    ASSERT_TRUE(was && is);
    ASSERT_EQ(was->bones.size(), is->bones.size());
    for (std::size_t vertex = 0; vertex < was->bones.size(); ++vertex) {
      for (std::uint16_t bone = 0; bone < 2; ++bone) {
        const auto share = [&](const Influences& all) {
          float sum = 0;
          for (std::size_t i = 0; i < 4; ++i) {
            sum += all.bones[vertex].at(i) == bone ? all.weights[vertex].at(i) : 0;
          }
          return sum;
        };
        ASSERT_NEAR(share(*was), share(*is), 1e-6) << vertex;
      }
    }
    EXPECT_EQ(validate(AnyDocument(Identity(), again), {}).count(Severity::unused), 0U);
  }
}

TEST(M3Back, TheStrongestFourBonesInWholeSteps) {
  Diagnostics findings;
  const Document made = back(many_bones(8, 3), findings);
  EXPECT_FALSE(has(findings, codes::kM3Weights));
  const auto& weights = found<Weights>(made, FourCC{"VWTS"});
  ASSERT_EQ(weights.properties.index_format, FourCC{"4U08"});
  for (std::size_t at = 0; at < weights.data.size(); at += 8) {
    const auto* share = weights.data.data() + at + 4;
    ASSERT_EQ(share[0] + share[1] + share[2] + share[3], 255);
    ASSERT_EQ(share[0], 85);
  }
  ASSERT_TRUE(from_scene(many_bones(8, 6), {}, findings));
  const auto& items = findings.items();
  EXPECT_TRUE(std::any_of(items.begin(), items.end(), [](const Diagnostic& finding) {
    return finding.message.find("24 vertices reduced to the four strongest bones") != std::string::npos;
  }));
}

TEST(M3Back, NumbersOfManyBonesTakeTwoBytes) {
  Diagnostics findings;
  const Document made = back(many_bones(300, 1), findings);
  EXPECT_EQ(found<Weights>(made, FourCC{"VWTS"}).properties.index_format, FourCC{"4U16"});
  const auto all = influences(*made.find<Mesh>());
  ASSERT_TRUE(all);
  EXPECT_EQ(all->bones.back()[0], 299);
  const auto scene = to_scene(made, "many");
  ASSERT_EQ(scene.skins.size(), 1U);
  EXPECT_EQ(scene.nodes[scene.skins[0].joints[299]].rest.translation, (Vec3{299, 0, 0}));
}

TEST(M3Back, WhatNoSkinMovesFollowsTheBoneAboveIt) {
  scene::Scene scene = many_bones(3, 1);
  scene.nodes.push_back({});
  scene.nodes.back().parent = 2;  // a sword in a hand
  scene.nodes.push_back({});
  scene.nodes.back().parent = 0;
  for (const scene::Index node : {4U, 5U}) {
    scene::Mesh mesh;
    mesh.name = "rigid";
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    mesh.indices = {0, 1, 2};
    mesh.parts = {{0, 3, scene::kNone}};
    mesh.node = node;
    scene.meshes.push_back(mesh);
  }
  Diagnostics findings;
  const Document made = back(scene, findings);
  const auto all = influences(*made.find<Mesh>());
  ASSERT_TRUE(all);
  ASSERT_EQ(all->bones.size(), 15U);
  EXPECT_EQ(all->bones[9][0], 1);
  EXPECT_EQ(all->bones[12][0], 3) << "a bone that stands where the model does";
  const auto& positions = std::get<Array<Vec3>>(found<Buffer>(made, FourCC{"VPOS"}).elements);
  EXPECT_EQ(positions[9], (Vec3{1, 0, 0}));
  EXPECT_EQ(positions[12], (Vec3{0, 0, 0}));
}

TEST(M3Back, BatchesAndInstancesStayApart) {
  Document original = sample();
  auto& materials = top<Materials>(original);
  for (std::uint32_t i = 0; i < 4; ++i) {
    materials.instances.push_back(materials.instances[i % 2]);
    materials.instances.back().library = 7000 + i;
  }
  lay_out(materials);
  auto& batches = part<Batches>(original, FourCC{"RBAT"});
  batches.items = {{{}, 1, 4}, {{}, 0, 2}, {{}, 0, 5}, {{}, 1, 3}};
  batches.properties.count = 4;
  const auto scene = through_file(whole_scene(original));
  Diagnostics findings;
  const Document again = back(scene, findings);
  EXPECT_EQ(again.find<Materials>()->instances, materials.instances);
  EXPECT_EQ(found<Batches>(again, FourCC{"RBAT"}).items, batches.items);
  // A geoset that shows something else since has a batch of that, the other keeps its own.
  scene::Scene edited = scene;
  edited.materials.emplace_back().layers.resize(2);
  edited.meshes[0].parts[0].material = static_cast<scene::Index>(edited.materials.size() - 1);
  const Document other = back(edited, findings);
  EXPECT_EQ(found<Batches>(other, FourCC{"RBAT"}).items,
            (std::vector<Batch>{{{}, 1, 4}, {{}, 1, 3}, {{}, 0, 6}, {{}, 0, 7}, {{}, 2, 5}}))
      << "so has the coarser level, which showed what the finest did";
  EXPECT_EQ(other.find<Materials>()->instances.size(), 8U);
}

TEST(M3Back, EachPassIsABatch) {
  scene::Scene scene = many_bones(1, 1);
  auto& layers = scene.materials.emplace_back().layers;
  layers.resize(2);
  layers[1].blend = scene::BlendMode::additive;
  layers[1].texture = 0;
  layers[1].uv_set = 1;
  scene.textures.emplace_back().path = "Textures\\Gutz.blp";
  scene.meshes[0].parts[0].material = 0;
  Diagnostics findings;
  const Document made = back(scene, findings);
  EXPECT_EQ(found<Batches>(made, FourCC{"RBAT"}).items, (std::vector<Batch>{{{}, 0, 0}, {{}, 0, 1}}));
  EXPECT_EQ(made.find<Materials>()->instances[1].blend_mode, 3U);
  std::string reported;
  for (const Diagnostic& finding : findings.items()) {
    reported += finding.message;
  }
  EXPECT_NE(reported.find("without a FileDataID"), std::string::npos) << reported;
  EXPECT_NE(reported.find("first UV set"), std::string::npos) << reported;
}

TEST(M3Back, ColoursOfMeshesAndMaterials) {
  scene::Scene scene = many_bones(1, 1);
  scene.meshes[0].color = {0.2F, 0.4F, 1};
  scene.materials.emplace_back().layers.emplace_back().alpha = 0.6F;
  scene.materials[0].layers[0].blend = scene::BlendMode::blend;
  scene.meshes[0].parts[0].material = 0;
  Diagnostics findings;
  const Document made = back(scene, findings);
  const auto& colors = found<Buffer>(made, FourCC{"VCL0"});
  EXPECT_EQ((std::get<Array<std::array<std::uint8_t, 4>>>(colors.elements)[0]),
            (std::array<std::uint8_t, 4>{51, 102, 255, 153}));
}

TEST(M3Back, TheTransformAndVersions) {
  Document original = sample(4);
  top<ModelTransform>(original).matrix = {0, 2, 0, 0, -2, 0, 0, 0, 0.5F, 0, 2, 0, 3, 4, 5, 1};  // sheared
  top<ModelHeader>(original).properties.version = 2;
  top<ModelHeader>(original).flags = 0x40;
  auto& geosets = part<Geosets>(original, FourCC{"VGEO"});
  geosets.items[0].unknown = 77;
  geosets.items[1].extra[9] = 9;
  scene::Scene scene = through_file(whole_scene(original));
  Diagnostics findings;
  const Document again = back(scene, findings);
  EXPECT_EQ(again.find<ModelTransform>()->matrix, top<ModelTransform>(original).matrix);
  EXPECT_EQ(found<Buffer>(again, FourCC{"VPOS"}), part<Buffer>(original, FourCC{"VPOS"}));
  EXPECT_EQ(again.mesh_version(), 4U);
  EXPECT_EQ(again.find<ModelHeader>()->properties.version, 2U);
  EXPECT_EQ(again.find<ModelHeader>()->flags, 0x40);
  EXPECT_EQ(found<Geosets>(again, FourCC{"VGEO"}), geosets);
  // A root that was moved since moves the vertices.
  scene.nodes[0].rest.translation = {0, 0, 0};
  const Document moved = back(scene, findings);
  EXPECT_EQ(moved.find<ModelTransform>()->matrix, ModelTransform().matrix);
}

TEST(M3Back, StreamsWithoutAPlaceInScenes) {
  Document original = sample();
  auto& chunks = mesh_of(original).chunks;
  std::erase_if(chunks, [](const MeshChunk& chunk) { return chunk.tag == FourCC{"VIBP"}; });
  const std::size_t vertices = part<Buffer>(original, FourCC{"VPOS"}).size();
  Array<float> numbers(vertices * 4);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = static_cast<float>(i % 256) / 255;
  }
  chunks.push_back({FourCC{"VCL1"}, encode(ElementFormat::u8n_x4, numbers, Range::share), {}, {}});
  const scene::Scene made = whole_scene(original);
  for (const auto& mesh : made.meshes) {
    if (mesh.name == "collision") {
      continue;
    }
    ASSERT_EQ(mesh.second_colors.size(), mesh.positions.size());
    EXPECT_NE(mesh.second_colors, mesh.colors);
  }
  scene::Scene scene = through_file(made);
  Diagnostics findings;
  const Document again = back(scene, findings);
  EXPECT_EQ(found<Buffer>(again, FourCC{"VCL1"}), part<Buffer>(original, FourCC{"VCL1"}));
  EXPECT_EQ(found<Weights>(again, FourCC{"VWTS"}), part<Weights>(original, FourCC{"VWTS"}));
  EXPECT_FALSE(has(findings, codes::kSceneLost));
  // Of the finest level alone, the first of them.
  SceneOptions fine;
  const Document one = back(through_file(to_scene(original, "waystone", fine)), findings);
  EXPECT_EQ(found<Buffer>(one, FourCC{"VCL1"}).size(), found<Buffer>(one, FourCC{"VPOS"}).size());
  EXPECT_FALSE(has(findings, codes::kSceneLost));
  // Nobody can tell which vertices they are when these are others.
  scene.meshes[0].positions[0][0] += 1;
  const Document edited = back(scene, findings);
  EXPECT_EQ(edited.find<Mesh>()->find<Buffer>(FourCC{"VCL1"}), nullptr);
  EXPECT_TRUE(has(findings, codes::kSceneLost));
}

TEST(M3Back, WhatNoFieldSaysOfASurfaceIsReported) {
  scene::Scene scene = whole_scene(sample());
  auto& layer = scene.materials.at(scene.meshes.at(0).parts.at(0).material).layers.at(0);
  layer.blend = scene::BlendMode::mask;
  Diagnostics findings;
  back(scene, findings);
  EXPECT_FALSE(has(findings, codes::kSceneLost)) << "instances have a blend mode";
  layer.two_sided = true;
  back(scene, findings);
  EXPECT_TRUE(has(findings, codes::kSceneLost));
}

TEST(M3Back, BindPosesWithShearStandWithoutIt) {
  Document original = sample();
  auto& poses = std::get<Array<Vec4>>(part<Buffer>(original, FourCC{"VIBP"}).elements);
  poses[1] = {0.5F, 1, 0, 0};
  Diagnostics findings;
  const auto scene = to_scene(original, "waystone", {}, findings);
  EXPECT_TRUE(has(findings, codes::kSceneApproximated));
  Diagnostics more;
  const Document again = back(scene, more);
  const auto& was = std::get<Array<Vec3>>(part<Buffer>(original, FourCC{"VPOS"}).elements);
  const auto& is = std::get<Array<Vec3>>(found<Buffer>(again, FourCC{"VPOS"}).elements);
  for (std::size_t i = 0; i < is.size(); ++i) {
    ASSERT_EQ(is[i], was[i]) << "vertices stand as they are stored";
  }
}

TEST(M3Back, WhoGoesByNormalsIsReported) {
  scene::Scene scene = many_bones(1, 1);
  scene.meshes[0].normals.assign(3, Vec3{0, 1, 0});  // the triangle faces the other way
  Diagnostics findings;
  ASSERT_TRUE(from_scene(scene, {}, findings));
  EXPECT_TRUE(has(findings, codes::kSceneChanged));
}

// --- onto an original

struct Onto {
  Document original = sample();
  scene::Scene scene;
  Document before;

  Onto() {
    original.chunks.push_back({FourCC{"M3ST"}, Opaque{}, Remainder{{1, 2, 3}}, {}});
    mesh_of(original).chunks.push_back({FourCC{"VXYZ"}, Opaque{}, Remainder{{9}}, {}});
    top<ModelHeader>(original).unknown2[1] = 5;
    top<Materials>(original).unknown = 11;
    scene = through_file(whole_scene(original));
    before = *from_scene(scene);
  }
  Document merged(const scene::Scene& edited, Diagnostics& findings) const {
    const auto made = from_scene(edited);
    EXPECT_TRUE(made);
    return merge_onto(original, before, *made, findings);
  }
};

/// Tags of what differs.
std::vector<std::string> differences(const Document& a, const Document& b) {
  std::vector<std::string> tags;
  EXPECT_EQ(a.chunks.size(), b.chunks.size());
  for (std::size_t i = 0; i < std::min(a.chunks.size(), b.chunks.size()); ++i) {
    const auto* one = std::get_if<Mesh>(&a.chunks[i].body);
    const auto* other = std::get_if<Mesh>(&b.chunks[i].body);
    for (std::size_t k = 0; one != nullptr && other != nullptr && k < one->chunks.size(); ++k) {
      if (!(one->chunks[k] == other->chunks.at(k))) {
        tags.push_back(one->chunks[k].tag.text());
      }
    }
    if (one == nullptr && !(a.chunks[i] == b.chunks[i])) {
      tags.push_back(a.chunks[i].tag.text());
    }
  }
  return tags;
}

TEST(M3Onto, WhatWasNotEditedStays) {
  const Onto onto;
  Diagnostics findings;
  EXPECT_EQ(write(onto.merged(onto.scene, findings)), write(onto.original));
  scene::Scene edited = onto.scene;
  edited.meshes[0].positions[5][1] += 40;
  const Document moved = onto.merged(edited, findings);
  EXPECT_EQ(differences(moved, onto.original), (std::vector<std::string>{"M3DT", "VPOS"}));
  EXPECT_EQ(top<ModelHeader>(const_cast<Document&>(moved)).unknown2[1], 5U);
  EXPECT_TRUE(has(findings, codes::kSceneChanged)) << "VXYZ";
}

TEST(M3Onto, MaterialsAndNames) {
  const Onto onto;
  Diagnostics findings;
  scene::Scene edited = onto.scene;
  edited.meshes[1].name = "a longer name";
  const Document renamed = onto.merged(edited, findings);
  EXPECT_EQ(differences(renamed, onto.original), (std::vector<std::string>{"VSTR", "VGEO"}));
  edited = onto.scene;
  edited.materials.emplace_back().layers.emplace_back();
  edited.meshes[0].parts[0].material = static_cast<scene::Index>(edited.materials.size() - 1);
  const Document painted = onto.merged(edited, findings);
  EXPECT_EQ(differences(painted, onto.original), (std::vector<std::string>{"M3SI", "RBAT"}));
  EXPECT_EQ(painted.find<Materials>()->instances.size(), 3U);
  EXPECT_EQ(painted.find<Materials>()->unknown, 11U);
  EXPECT_EQ(painted.find<Materials>()->instances[0].library,
            onto.original.find<Materials>()->instances[0].library);
  EXPECT_EQ(painted.find<Materials>()->instances[0].uniform_data,
            onto.original.find<Materials>()->instances[0].uniform_data);
}

TEST(M3Onto, OtherGeometryTakesAllStreams) {
  const Onto onto;
  Diagnostics findings;
  scene::Scene edited = onto.scene;
  edited.meshes.erase(edited.meshes.begin() + 1);
  const Document fewer = onto.merged(edited, findings);
  EXPECT_TRUE(read(write(fewer)));
  EXPECT_EQ(validate(AnyDocument(Identity(), fewer), {}).count(Severity::error), 0U);
  EXPECT_EQ(fewer.chunks.back(), onto.original.chunks.back()) << "M3ST";
  EXPECT_EQ(part<Buffer>(const_cast<Document&>(fewer), FourCC{"VPOS"}),
            found<Buffer>(*from_scene(edited), FourCC{"VPOS"}));
}

}  // namespace
}  // namespace thaw::m3
