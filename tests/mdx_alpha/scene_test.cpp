// Alpha models as scenes: against an evaluation of the document, against the same model in another format,
// and for any damage.
#include <thaw/gltf.hpp>
#include <thaw/mdx_alpha.hpp>

#include "support/alpha_oracle.hpp"
#include "support/files.hpp"
#include "support/mdx_objects.hpp"
#include "support/mutate.hpp"
#include "support/paths.hpp"
#include "support/promises.hpp"
#include "support/scene_pose.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace thaw {
namespace {

using mdx_alpha::Document;
using test::Moment;
using test::Point;

Document document_of(const std::filesystem::path& path) {
  Diagnostics findings;
  auto document = mdx_alpha::read(test::load(path), {}, findings);
  EXPECT_TRUE(document) << path;
  return document ? std::move(*document) : Document{};
}

std::filesystem::path boar_folder() { return test::corpus_dir() / "alpha" / "GrenderG+MDX-Parser"; }

scene::Scene scene_of(const Document& document, std::size_t warnings = 0) {
  Diagnostics findings;
  auto scene = mdx_alpha::to_scene(document, {}, findings);
  EXPECT_EQ(findings.count(Severity::warning), warnings)
      << (findings.items().empty() ? "" : findings.items().front().message);
  EXPECT_EQ(test::problems_of(scene), std::vector<std::string>{});
  return scene;
}

/// (x, y, z) of the game is (y, z, x) of the scene.
Point turned(const Point& p) { return {p[1], p[2], p[0]}; }

double distance(const Point& a, const Point& b) { return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); }

/// Every clip at twenty times.
double worst_distance(const Document& document, const scene::Scene& scene) {
  const test::AlphaOracle oracle(document);
  double worst = 0;
  for (std::size_t sequence = 0; sequence < oracle.sequences(); ++sequence) {
    for (int step = 0; step < 20; ++step) {
      // Off the milliseconds: where a curve jumps, the last digit would decide on which side of it we are.
      const double time = oracle.duration(sequence) * (step + 0.137) / 20;
      const double clock = 777.31 + time * 1.7;
      const auto game = oracle.positions({static_cast<int>(sequence), time, clock});
      const auto shown =
          test::scene_positions(scene, {static_cast<scene::Index>(sequence), time / 1000, clock / 1000});
      EXPECT_EQ(game.size(), shown.size());
      for (std::size_t g = 0; g < std::min(game.size(), shown.size()); ++g) {
        EXPECT_EQ(game[g].size(), shown[g].size());
        for (std::size_t v = 0; v < std::min(game[g].size(), shown[g].size()); ++v) {
          const double off = distance(turned(game[g][v]), shown[g][v]);
          worst = off <= worst ? worst : off;  // also takes NaN
        }
      }
    }
  }
  return worst;
}

TEST(AlphaScene, ClipsOfBoarAreAsTheDocumentSays) {
  THAW_REQUIRE_CORPUS("alpha");
  const Document document = document_of(boar_folder() / "Boar.mdx");
  const auto scene = scene_of(document);
  EXPECT_EQ(scene.clips.size(), 10U);
  EXPECT_EQ(scene.meshes.size(), 2U);
  EXPECT_EQ(scene.attachments.size(), 9U);
  EXPECT_EQ(scene.cameras.size(), 1U);
  EXPECT_EQ(scene.collision_shapes.size(), 1U);
  const double worst = worst_distance(document, scene);
  EXPECT_LE(worst, 1e-4);
  std::cout << "worst distance " << worst << " yards\n";
}

TEST(AlphaScene, ClipsOfSamplesAreAsTheDocumentSays) {
  const Document beetle = document_of(test::samples_dir() / "Creature" / "Beetle" / "Beetle.mdx");
  EXPECT_LE(worst_distance(beetle, scene_of(beetle)), 1e-4);
  // All interpolations, keys that begin late, global sequences; without the inheritance flags, which the
  // oracle does not have.
  Document everything = document_of(test::samples_dir() / "alpha_everything_v1300.mdx");
  for (auto& chunk : everything.chunks) {
    if (auto* bones = std::get_if<mdx_alpha::Bones>(&chunk.body)) {
      bones->items[1].node.flags = 0;
      bones->items[1].node.tracks[0].global_sequence = 0;
      bones->items[1].node.tracks[1].global_sequence = 2;
    }
    if (auto* helpers = std::get_if<mdx_alpha::Helpers>(&chunk.body)) {
      helpers->items[0].node.flags = 0;
    }
  }
  EXPECT_LE(worst_distance(everything, scene_of(everything)), 1e-4);
}

TEST(AlphaScene, EverythingComesOver) {
  const Document document = document_of(test::samples_dir() / "alpha_everything_v1300.mdx");
  const auto scene = scene_of(document);
  EXPECT_EQ(scene.source_format, "mdx-alpha");
  EXPECT_EQ(scene.emitters.size(), 4U);
  EXPECT_EQ(scene.ribbons.size(), 1U);
  EXPECT_EQ(scene.lights.size(), 2U);
  EXPECT_EQ(scene.collision_shapes.size(), 4U);
  const auto& plane = scene.emitters[1];
  EXPECT_FLOAT_EQ(plane.latitude, 0.5F);
  EXPECT_FLOAT_EQ(plane.longitude, 3);
  EXPECT_TRUE(plane.xy_quad);
  EXPECT_EQ(scene.emitters[2].kind, scene::Emitter::Kind::models);
  EXPECT_EQ(scene.emitters[2].path, "Everything\\Stone.mdl");
  // B G R in the file.
  EXPECT_EQ(scene.lights[0].color, (Vec3{1, 0.75F, 0.5F}));
  EXPECT_EQ(scene.meshes[0].color, (Vec3{1, 0.5F, 0.25F}));
  const auto has = [&](scene::Property property) {
    const auto& channels = scene.clips[0].channels;
    return std::any_of(channels.begin(), channels.end(),
                       [&](const scene::Channel& channel) { return channel.property == property; });
  };
  for (const auto property :
       {scene::Property::emitter_longitude, scene::Property::emitter_life_span, scene::Property::visibility,
        scene::Property::mesh_alpha, scene::Property::uv_offset, scene::Property::camera_roll,
        scene::Property::ribbon_color, scene::Property::light_intensity}) {
    EXPECT_TRUE(has(property)) << scene::property_name(property);
  }
}

TEST(AlphaScene, SectionsOfVersion1500AreSkinned) {
  const Document document = document_of(test::samples_dir() / "alpha_everything_v1500.mdx");
  const auto scene = scene_of(document);
  ASSERT_EQ(scene.meshes.size(), 2U);
  EXPECT_EQ(scene.meshes[0].positions.size(), 5U);
  EXPECT_EQ(scene.meshes[0].indices.size(), 9U);
  EXPECT_EQ(scene.meshes[0].uv_sets.size(), 2U);
  ASSERT_NE(scene.meshes[0].skin, scene::kNone);
  EXPECT_NEAR(scene.meshes[0].weights[0], 200.0 / 255, 1e-6);
}

TEST(AlphaScene, CameraLooksAtItsTarget) {
  const Document document = document_of(test::samples_dir() / "Creature" / "Beetle" / "Beetle.mdx");
  const auto scene = scene_of(document);
  const auto& camera = scene.cameras.at(0);
  EXPECT_EQ(scene.nodes[camera.node].rest.translation, (Vec3{0.8F, 1.4F, 4}));
  EXPECT_EQ(scene.nodes[camera.target_node].rest.translation, (Vec3{0, 0.7F, 0.8F}));
}

// --- the same model as an M2, made by another tool (mdx_alpha.md#the-same-model-as-m2)
// ----------------------------------------------------------------------------------------------------------

template <class T>
T at(const Bytes& bytes, std::size_t offset) {
  T value{};
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

struct M2Vertex {
  Vec3 position{};
  std::array<std::uint8_t, 4> weights{};
  std::array<std::uint8_t, 4> bones{};
  Vec3 normal{};
  Vec2 uv{};
};

TEST(AlphaScene, GeometryOfBoarIsThatOfItsM2) {
  THAW_REQUIRE_CORPUS("alpha");
  const Document document = document_of(boar_folder() / "Boar.mdx");
  const auto scene = scene_of(document);
  const Bytes m2 = test::load(boar_folder() / "Boar.m2");
  const Bytes skin = test::load(boar_folder() / "Boar00.skin");
  const std::size_t count = at<std::uint32_t>(m2, 0x3C);
  std::vector<M2Vertex> vertices;
  for (std::size_t i = 0; i < count; ++i) {
    vertices.push_back(at<M2Vertex>(m2, at<std::uint32_t>(m2, 0x40) + 48 * i));
  }
  std::size_t found = 0;
  std::size_t alike = 0;
  std::size_t triangles = 0;
  for (const auto& mesh : scene.meshes) {
    triangles += mesh.indices.size();
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      const Vec3& p = mesh.positions[v];  // (y, z, x)
      const Vec3& n = mesh.normals[v];
      const auto first = mesh.weights.begin() + static_cast<std::ptrdiff_t>(v * mesh.influences);
      const auto bones = std::count_if(first, first + static_cast<std::ptrdiff_t>(mesh.influences),
                                       [](float weight) { return weight > 0; });
      const auto same = std::find_if(vertices.begin(), vertices.end(), [&](const M2Vertex& other) {
        // That tool mirrors Y.
        const auto near_to = [](float a, float b) { return std::abs(a - b) < 1e-3F; };
        return near_to(other.position[0], p[2]) && near_to(other.position[1], -p[0]) &&
               near_to(other.position[2], p[1]) && near_to(other.uv[0], mesh.uv_sets[0][v][0]) &&
               near_to(other.uv[1], mesh.uv_sets[0][v][1]) &&
               4 - std::count(other.weights.begin(), other.weights.end(), 0) == bones;
      });
      if (same != vertices.end()) {
        ++found;
        alike += same->normal[0] * n[2] - same->normal[1] * n[0] + same->normal[2] * n[1] > 0.9F ? 1U : 0U;
      }
    }
  }
  // It also moves 11 vertices, and makes normals of its own.
  EXPECT_EQ(count, 401U);
  EXPECT_GE(found, 380U);
  EXPECT_GT(alike, count / 2);
  EXPECT_EQ(triangles, at<std::uint32_t>(skin, 12));
}

TEST(AlphaScene, SequencesOfBoarAreThoseOfItsM2) {
  THAW_REQUIRE_CORPUS("alpha");
  const auto scene = scene_of(document_of(boar_folder() / "Boar.mdx"));
  const Bytes m2 = test::load(boar_folder() / "Boar.m2");
  ASSERT_GE(at<std::uint32_t>(m2, 0x1C), scene.clips.size());
  for (std::size_t i = 0; i < scene.clips.size(); ++i) {
    const std::size_t entry = at<std::uint32_t>(m2, 0x20) + 64 * i;
    // That tool cuts the second Stand at 5 seconds.
    const double length = std::min<double>(scene.clips[i].duration, 5);
    EXPECT_NEAR(length * 1000, at<std::uint32_t>(m2, entry + 4), 1e-3) << scene.clips[i].name;
    const auto* speed = scene.clips[i].extras.find("moveSpeed");
    ASSERT_NE(speed, nullptr);
    EXPECT_EQ(*speed, Value(at<float>(m2, entry + 8)));
  }
}

// --- skins
// ------------------------------------------------------------------------------------------------------

TEST(AlphaSkins, TheFolderReports) {
  const Document document = document_of(test::samples_dir() / "Creature" / "Beetle" / "Beetle.mdx");
  const auto skin = [&](const std::vector<std::string>& files) {
    const auto found = mdx_alpha::adjacent_skins(document, "Beetle", files);
    return found.empty() ? std::string() : found.front().second;
  };
  EXPECT_EQ(skin({"beetleskinred.blp", "beetle.blp", "BeetleSkin.blp"}), "beetle.blp");
  EXPECT_EQ(skin({"beetleskinred.blp", "x/BeetleSkin.blp"}), "x/BeetleSkin.blp");
  EXPECT_EQ(skin({"beetleskinred.blp", "beetleskinblue.blp", "beetlea.blp"}), "beetleskinblue.blp");
  EXPECT_EQ(skin({"beetleglow.blp", "beetlered.blp"}), "beetlered.blp");  // the model names the glow
  EXPECT_EQ(skin({"batskin.blp", "rock.blp"}), "batskin.blp");
  EXPECT_EQ(skin({"rock.blp", "beetleskin.tga"}), "");
}

// --- Warcraft III
// -------------------------------------------------------------------------------------------------------

TEST(AlphaToWarcraft, LosesOnlyWhatItSays) {
  Diagnostics findings;
  const auto model =
      mdx_alpha::to_warcraft(document_of(test::samples_dir() / "alpha_everything_v1300.mdx"), findings);
  EXPECT_GT(findings.items().size(), 5U);
  ReadOptions strict;
  strict.strict = true;
  Diagnostics again;
  const auto read = mdx::read(mdx::write(model), strict, again);
  ASSERT_TRUE(read);
  EXPECT_TRUE(*read == model);
  EXPECT_EQ(again.count(Severity::warning), 0U);
  EXPECT_EQ(model.version(), 800U);
  EXPECT_EQ(model.all<mdx::CollisionShapes>().size(), 4U);
}

TEST(AlphaToWarcraft, SaysThatTracksWhichHoldPlayOtherwise) {
  const auto reported = [](const std::vector<test::TrackKey>& keys) {
    Document document;
    mdx_alpha::Sequences sequences;
    sequences.items.emplace_back();
    sequences.items[0].start = 100;
    sequences.items[0].end = 200;
    document.chunks.push_back({FourCC{"VERS"}, mdx_alpha::Version{}, {}, {}});
    document.chunks.push_back({FourCC{"SEQS"}, sequences, {}, {}});
    mdx_alpha::Bones bones;
    bones.items.emplace_back();
    mdx_alpha::Track& track = bones.items[0].node.tracks.emplace_back();
    track.tag = FourCC{"KGTR"};
    track.interpolation = mdx::Interpolation::linear;
    track.words = test::make_track("KGTR", mdx::Interpolation::linear, keys).words;
    document.chunks.push_back({FourCC{"BONE"}, bones, {}, {}});
    Diagnostics findings;
    mdx_alpha::to_warcraft(document, findings);
    return std::any_of(findings.items().begin(), findings.items().end(), [](const Diagnostic& finding) {
      return finding.code == codes::kConvertTrack && finding.message.substr(0, 16) == "1 track changed ";
    });
  };
  EXPECT_TRUE(reported({{120, {0, 0, 0}}, {180, {1, 0, 0}}}));
  EXPECT_TRUE(reported({{0, {5, 0, 0}}, {100, {0, 0, 0}}, {180, {1, 0, 0}}, {300, {2, 0, 0}}}));
  EXPECT_FALSE(reported({{100, {0, 0, 0}}, {200, {1, 0, 0}}})) << "keys at both ends";
  EXPECT_FALSE(reported({{120, {1, 0, 0}}, {180, {1, 0, 0}}})) << "nothing moves";
  EXPECT_FALSE(reported({{150, {1, 0, 0}}})) << "one key holds in both";
  EXPECT_FALSE(reported({{300, {0, 0, 0}}, {400, {1, 0, 0}}})) << "none within";
}

// --- damage
// -----------------------------------------------------------------------------------------------------------

TEST(AlphaSceneDamage, AnyNumberGivesASoundScene) {
  for (const auto* name : {"alpha_everything_v1300.mdx", "alpha_everything_v1500.mdx"}) {
    const Bytes bytes = test::load(test::samples_dir() / name);
    const Document document = document_of(test::samples_dir() / name);
    const auto layout =
        test::layout_of([&](Inspector& inspector) { mdx_alpha::inspect(document, inspector); });
    for (std::size_t i = 0; i < layout.words.size(); i += 5) {
      const auto values = test::hostile_values(bytes, layout.words[i]);
      const Bytes mutant = test::with_word(bytes, layout.words[i], values[i % values.size()]);
      Diagnostics findings;
      const auto damaged = mdx_alpha::read(mutant, {}, findings);
      if (!damaged) {
        continue;
      }
      const auto scene = mdx_alpha::to_scene(*damaged, {}, findings);
      ASSERT_EQ(test::problems_of(scene), std::vector<std::string>{})
          << layout.words[i].name << " at " << layout.words[i].offset;
    }
  }
}

}  // namespace
}  // namespace thaw
