// Pictures by their hashes: the same on every machine, with every compiler and for any number of threads.
// `scripts/golden` writes the list anew and shows the pictures.
#include <thaw/format.hpp>
#include <thaw/mdx_scene.hpp>
#include <thaw/mrf_scene.hpp>
#include <thaw/sources.hpp>

#include "frame/scenes.hpp"
#include "support/files.hpp"
#include "support/paths.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

namespace thaw {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kSide = 96;

std::string hash_of(const Image& image) {
  std::uint64_t hash = 0xCBF29CE484222325U;  // FNV-1a
  for (const std::uint8_t byte : image.rgba) {
    hash = (hash ^ byte) * 0x100000001B3U;
  }
  std::ostringstream text;
  text << std::hex << hash;
  return text.str();
}

std::map<std::string, std::string> stored() {
  std::map<std::string, std::string> hashes;
  std::ifstream file(test::root_dir() / "tests/frame/golden.tsv");
  std::string name;
  std::string hash;
  while (file >> name >> hash) {
    hashes[name] = hash;
  }
  return hashes;
}

/// With THAW_GOLDEN, a folder, pictures and their hashes are written there and not compared.
void check(const std::string& name, const Image& image) {
  static const auto hashes = stored();
  ASSERT_GT(image.pixels(), 0U) << name;
  if (const char* folder = std::getenv("THAW_GOLDEN")) {
    const auto done = write_file(fs::path(folder) / (name + ".png"), encode_png(image), true);
    ASSERT_TRUE(done) << name;
    std::ofstream(fs::path(folder) / "golden.tsv", std::ios::app) << name << '\t' << hash_of(image) << '\n';
    return;
  }
  const auto known = hashes.find(name);
  ASSERT_NE(known, hashes.end()) << name << " is not in golden.tsv";
  EXPECT_EQ(hash_of(image), known->second) << name;
}

void check(const std::string& name, const scene::Scene& scene, const frame::Moment& moment = {},
           const frame::Options& options = {}) {
  const Image one = test::picture(scene, moment, test::front_camera(), kSide, 1, options);
  EXPECT_EQ(one, test::picture(scene, moment, test::front_camera(), kSide, 2, options)) << name;
  check(name, one);
}

TEST(Golden, FilterModes) {
  const std::array<const char*, 7> names = {"none",      "transparent", "blend",     "additive",
                                            "add_alpha", "modulate",    "modulate2x"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    check(std::string("filter_") + names.at(i), test::filter_scene(static_cast<scene::BlendMode>(i)));
  }
  frame::Options fog;
  fog.fog = {true, {0.7F, 0.7F, 0.8F}, 3, 7};
  for (const auto mode : {scene::BlendMode::blend, scene::BlendMode::additive, scene::BlendMode::modulate}) {
    check("fog_" + std::to_string(static_cast<int>(mode)), test::filter_scene(mode), {}, fog);
  }
}

TEST(Golden, Billboards) {
  const std::array<const char*, 5> names = {"none", "full", "lock_x", "lock_y", "lock_z"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    check(std::string("billboard_") + names.at(i), test::billboard_scene(static_cast<scene::Billboard>(i)));
  }
}

TEST(Golden, Emitters) {
  struct Kind {
    const char* name;
    void (*change)(scene::Emitter&);
  };
  using scene::Emitter;
  const std::array<Kind, 9> kinds = {{{"head", [](Emitter&) {}},
                                      {"tail", [](Emitter& e) { e.shape = Emitter::Shape::tail; }},
                                      {"both", [](Emitter& e) { e.shape = Emitter::Shape::both; }},
                                      {"line", [](Emitter& e) { e.line = true; }},
                                      {"xy_quad", [](Emitter& e) { e.xy_quad = true; }},
                                      {"model_space", [](Emitter& e) { e.model_space = true; }},
                                      {"squirt", [](Emitter& e) { e.squirt = true; }},
                                      {"blend_sorted",
                                       [](Emitter& e) {
                                         e.blend = scene::BlendMode::blend;
                                         e.sort_far_z = true;
                                       }},
                                      {"cells_alpha_key", [](Emitter& e) {
                                         e.blend = scene::BlendMode::blend;
                                         e.alpha_key = true;
                                         e.rows = e.columns = 2;
                                         e.head_life = {0, 3, 2};
                                         e.head_decay = {3, 3, 1};
                                       }}}};
  for (const auto& kind : kinds) {
    scene::Scene scene = test::empty_scene();
    const auto arm = test::add_node(scene, scene::NodeKind::bone, {0, -1, 0});
    const auto node = test::add_node(scene, scene::NodeKind::emitter, {0, 0.2F, 0}, arm);
    scene.clips.push_back(test::turning_clip(arm));
    scene.emitters.push_back(test::fountain(node));
    kind.change(scene.emitters.back());
    check(std::string("emitter_") + kind.name, scene, {0, 0.4, 0.4});
  }
}

TEST(Golden, ModelEmitter) {
  auto guest = std::make_shared<scene::Scene>(test::filter_scene(scene::BlendMode::additive));
  for (auto& node : guest->nodes) {
    node.rest.scale = {0.5F, 0.5F, 0.5F};
  }
  scene::Scene scene = test::empty_scene();
  const auto node = test::add_node(scene, scene::NodeKind::emitter, {0, -1, 0});
  scene.emitters.push_back(test::fountain(node));
  scene.emitters.back().kind = scene::Emitter::Kind::models;
  scene.emitters.back().rate = 4;
  scene.emitters.back().path = "Units\\Guest.mdl";
  const frame::Evaluator evaluator(scene, {{"units/guest", guest}});
  raster::Textures textures(evaluator.images());
  raster::Options options;
  options.width = options.height = kSide;
  const auto frame = evaluator.evaluate({scene::kNone, 3, 3}, test::front_camera(), {});
  check("emitter_models", raster::draw(frame, textures, options).image);
}

TEST(Golden, Ribbons) {
  check("ribbon_blend", test::ribbon_scene(scene::BlendMode::blend), {0, 0.7, 0.7});
  check("ribbon_additive", test::ribbon_scene(scene::BlendMode::additive), {0, 1.2, 1.2});
  check("ribbon_transparent", test::ribbon_scene(scene::BlendMode::transparent), {0, 0.1, 0.1});
}

TEST(Golden, Overlays) {
  scene::Scene scene = test::filter_scene(scene::BlendMode::blend);
  test::add_node(scene, scene::NodeKind::bone, {0, 0.9F, 0.9F},
                 test::add_node(scene, scene::NodeKind::bone, {}));
  scene::CollisionShape shape;
  shape.node = 1;
  shape.vertices = {{-0.5F, -1, -1}, {0.5F, 0, 0}};
  scene.collision_shapes.push_back(shape);
  shape.kind = scene::CollisionShape::Kind::sphere;
  shape.radius = 0.8F;
  scene.collision_shapes.push_back(shape);
  frame::Options options;
  options.wireframe = options.bones = options.collision = options.extents = true;
  check("overlays", scene, {}, options);
}

scene::Scene sample(const std::string& name) {
  const fs::path path = test::samples_dir() / name;
  const auto bytes = read_file(path, {});
  Diagnostics ignored;
  const auto document = read_any(*bytes, {}, ignored);
  scene::Scene scene = document->get_if<mdx::Document>() != nullptr
                           ? mdx::to_scene(*document->get_if<mdx::Document>(), {}, ignored)
                           : mrf::to_scene(*document->get_if<mrf::Document>(), "sample", {}, ignored);
  scene::load_images(scene, model_sources(path, {}), {}, ignored);
  return scene;
}

TEST(Golden, Samples) {
  for (const char* name : {"knight", "chest", "everything_v800", "everything_v1800", "banner"}) {
    const std::string file = std::string(name) + (std::string(name) == "banner" ? ".mrf" : ".mdx");
    const scene::Scene scene = sample(file);
    const frame::Evaluator evaluator(scene);
    raster::Textures textures(evaluator.images());
    const frame::Index clip = frame::default_clip(scene);
    const double time = clip < scene.clips.size() ? double{scene.clips[clip].duration} / 3 : 0;
    const auto camera = frame::auto_camera(evaluator, scene, clip, {}, 1);
    const auto frame = evaluator.evaluate({clip, time, time}, camera, {});
    raster::Options options;
    options.width = options.height = kSide;
    const auto one = raster::draw(frame, textures, options);
    EXPECT_TRUE(one.complete) << name;
    options.threads = 2;
    EXPECT_EQ(one.image, raster::draw(frame, textures, options).image) << name;
    check(std::string("sample_") + name, one.image);
    for (const unsigned samples : {1U, 16U}) {
      options.samples = samples;
      check(std::string("sample_") + name + "_" + std::to_string(samples),
            raster::draw(frame, textures, options).image);
    }
  }
}

}  // namespace
}  // namespace thaw
