// Pictures by their hashes: the same on every machine, with every compiler and for any number of threads.
// `scripts/golden` writes the list anew and shows the pictures.
#include <thaw/bytes.hpp>
#include <thaw/control.hpp>
#include <thaw/lit.hpp>
#include <thaw/load.hpp>
#include <thaw/wdl.hpp>
#include <thaw/wdt.hpp>
#include <thaw/world.hpp>

#include "bytes/hash.hpp"
#include "frame/scenes.hpp"
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
  std::ostringstream text;
  text << std::hex << fnv1a(image.rgba);
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

void check(const std::string& name, const scene::Scene& scene, const frame::PlayTime& moment = {},
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

/// A ball that is smooth on its left and rough on its right, metal above and not below.
TEST(Golden, Surfaces) {
  scene::Scene scene = test::empty_scene();
  Image orm{8, 2, {}};
  for (std::uint32_t i = 0; i < 16; ++i) {
    const auto rough = static_cast<std::uint8_t>(i % 8 * 36);
    orm.rgba.insert(orm.rgba.end(), {255, rough, static_cast<std::uint8_t>(i < 8 ? 255 : 0), 0});
  }
  test::add_picture(scene, "orm", orm);
  const auto material = test::add_material(scene, scene::BlendMode::opaque, scene::kNone);
  scene.materials[material].layers[0].physically_based = true;
  scene.materials[material].layers[0].orm = static_cast<scene::Index>(scene.textures.size() - 1);
  test::add_ball(scene, test::add_node(scene, scene::NodeKind::mesh, {}), material);
  check("surfaces", scene);
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
                                      {"squirt", [](Emitter& e) { e.burst = true; }},
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
  auto attached = std::make_shared<scene::Scene>(test::filter_scene(scene::BlendMode::additive));
  for (auto& node : attached->nodes) {
    node.rest.scale = {0.5F, 0.5F, 0.5F};
  }
  scene::Scene scene = test::empty_scene();
  const auto node = test::add_node(scene, scene::NodeKind::emitter, {0, -1, 0});
  scene.emitters.push_back(test::fountain(node));
  scene.emitters.back().kind = scene::Emitter::Kind::models;
  scene.emitters.back().rate = 4;
  scene.emitters.back().path = "Units\\Guest.mdl";
  const frame::Evaluator evaluator(scene, {{"units/guest", attached}});
  raster::Textures textures(evaluator.images());
  raster::Options options;
  options.width = options.height = kSide;
  const auto frame = evaluator.evaluate({scene::kNone, 3, 3}, test::front_camera(), {});
  check("emitter_models", raster::draw(frame, textures, options).image);
}

TEST(Golden, Ribbons) {
  check("ribbon_blend", test::ribbon_scene(scene::BlendMode::blend), {0, 0.7, 0.7});
  check("ribbon_additive", test::ribbon_scene(scene::BlendMode::additive), {0, 1.2, 1.2});
  check("ribbon_transparent", test::ribbon_scene(scene::BlendMode::mask), {0, 0.1, 0.1});
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
  options = {};
  options.grid = true;
  options.marked_node = 2;
  scene.bounds.radius = 1.5F;
  check("overlay_grid", scene, {}, options);
}

/// A sample as `thaw render` opens it, where nothing but its folder is known.
OpenedScene sample(const std::string& name) {
  const fs::path path = test::samples_dir() / name;
  const auto bytes = read_file(path, {});
  Diagnostics ignored;
  const auto document = read_any(*bytes, {}, ignored);
  OpenSceneOptions request;
  request.path = path.filename().string();
  request.emitter_pictures = true;
  if (path.stem() == "Beetle") {
    request.adjacent = {"Creature/Beetle/BeetleSkin.blp"};
  }
  Sources sources = model_sources(path, {});
  sources.add_folder(test::samples_dir());
  return open_scene(*document, sources, request, ignored).value();
}

void check_sample(const std::string& file, bool all_sample_counts) {
  const std::string name = fs::path(file).filename().string();
  const OpenedScene opened = sample(file);
  const scene::Scene& scene = opened.scene;
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
  EXPECT_GT(frame.triangles, 0U) << name;
  options.threads = 2;
  EXPECT_EQ(one.image, raster::draw(frame, textures, options).image) << name;
  check("sample_" + name, one.image);
  for (const unsigned samples : {1U, 16U}) {
    if (all_sample_counts) {
      options.samples = samples;
      check("sample_" + name + "_" + std::to_string(samples), raster::draw(frame, textures, options).image);
    }
  }
}

TEST(Golden, Samples) {
  for (const char* name :
       {"knight.mdx", "chest.mdx", "everything_v800.mdx", "everything_v1800.mdx", "banner.mrf"}) {
    check_sample(name, true);
  }
  for (const char* name :
       {"everything_v900.mdx", "everything_v1000.mdx", "everything_v1100.mdx", "everything_v1200.mdx",
        "everything_v1300.mdx", "everything_v1400.mdx", "everything_v1600.mdx", "alpha_everything_v1300.mdx",
        "alpha_everything_v1400.mdx", "alpha_everything_v1500.mdx", "Creature/Beetle/Beetle.mdx", "house.wmo",
        "waystone_v2.m3", "waystone_v3.m3", "waystone_v4.m3", "forgelight/Human.adr",
        "World/Maps/Island/Island.wdt", "World/Maps/Island/Island.wdl"}) {
    check_sample(name, false);
  }
}

TEST(Raster, StopsWhenItIsReported) {
  const scene::Scene scene = test::filter_scene(scene::BlendMode::blend);
  const frame::Evaluator evaluator(scene);
  raster::Textures textures(evaluator.images());
  const auto frame = evaluator.evaluate({}, test::front_camera(), {});
  raster::Options options;
  options.width = options.height = kSide;
  Control control;
  control.stop();
  options.control = &control;
  const auto stopped = raster::draw(frame, textures, options);
  EXPECT_TRUE(stopped.stopped);
  EXPECT_FALSE(stopped.complete);
  EXPECT_EQ(stopped.image.width, kSide) << "whoever looks at it finds a picture";
  const Control patient;
  options.control = &patient;
  const auto whole = raster::draw(frame, textures, options);
  EXPECT_TRUE(whole.complete && !whole.stopped);
  options.control = nullptr;
  EXPECT_EQ(raster::draw(frame, textures, options).image, whole.image);
}

// --- maps

Image drawn(const world::Sight& sight, std::uint32_t width, std::uint32_t height) {
  const frame::Evaluator evaluator(sight.scene);
  const frame::Frame frame = evaluator.evaluate({}, sight.camera, sight.options);
  raster::Textures textures(evaluator.images());
  raster::Options options;
  options.width = width;
  options.height = height;
  const auto one = raster::draw(frame, textures, options);
  EXPECT_TRUE(one.complete);
  options.threads = 2;
  EXPECT_EQ(one.image, raster::draw(frame, textures, options).image);
  return one.image;
}

TEST(Golden, Maps) {
  const fs::path folder = test::samples_dir() / "World/Maps/Island";
  Diagnostics findings;
  const auto bytes = read_file(folder / "Island.wdt", {});
  const auto map = wdt::open(memory_storage(*bytes), {}, findings);
  const auto far = wdl::read(*read_file(folder / "Island.wdl", {}), {}, findings);
  const auto lights = lit::read(*read_file(folder / "lights.lit", {}), {}, findings);
  ASSERT_TRUE(map && far && lights);
  world::SceneOptions plain;
  plain.bake_size = 256;
  for (const auto& place : map->tiles()) {
    const auto tile = map->tile(place.x, place.y, findings);
    ASSERT_TRUE(tile);
    check("map_above_" + std::to_string(place.x),
          drawn(world::look_down(map->map(), *tile, "Island", plain, {}, findings), kSide, kSide));
  }
  world::PictureOptions options;
  options.scene = plain;
  options.aspect = 2;
  options.view.camera = {-9050, 20, 60};
  options.heading = -0.3;
  options.pitch = -0.05;
  check("map_noon",
        drawn(world::look_from(*map, &*far, &*lights, "Island", options, findings), 2 * kSide, kSide));
  options.view.light.time = 2280;
  options.view.far_clip = 300;
  check("map_evening",
        drawn(world::look_from(*map, &*far, &*lights, "Island", options, findings), 2 * kSide, kSide));
  check("map_plain",
        drawn(world::look_from(*map, nullptr, nullptr, "Island", options, findings), 2 * kSide, kSide));
}

}  // namespace
}  // namespace thaw
