// What a frame holds: vertices beside another evaluation of the same scene, order, states, emission, limits.
#include <thaw/format.hpp>
#include <thaw/mdx.hpp>
#include <thaw/sources.hpp>

#include "frame/scenes.hpp"
#include "raster/triangles.hpp"
#include "support/files.hpp"
#include "support/paths.hpp"
#include "support/promises.hpp"
#include "support/scene_pose.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace thaw {
namespace {

using frame::Draw;
using frame::Frame;

std::optional<scene::Scene> model(const std::filesystem::path& path) {
  const auto bytes = read_file(path, {});
  Diagnostics ignored;
  const auto document = bytes ? read_any(*bytes, {}, ignored) : tl::unexpected<Error>(bytes.error());
  const auto* mdx = document ? document->get_if<mdx::Document>() : nullptr;
  return mdx == nullptr ? std::nullopt : std::optional(mdx::to_scene(*mdx, {}, ignored));
}

/// Billboards and anchors are left to the pictures: the other evaluation has no viewer.
void without_viewer(scene::Scene& scene) {
  for (auto& node : scene.nodes) {
    node.billboard = scene::Billboard::none;
    node.camera_anchored = false;
  }
}

/// How far the vertices of shown meshes are from where they belong, as a share of the scene's size.
double farthest(const scene::Scene& scene, scene::Index clip, double time) {
  const auto expected = test::scene_positions(scene, {clip, time, time});
  const auto alphas = test::scene_alphas(scene, {clip, time, time});
  const Frame frame = frame::evaluate(scene, {clip, time, time}, {});
  double worst = 0;
  double size = 1e-3;
  for (const Draw& draw : frame.draws) {
    if (draw.origin != frame::Origin::mesh || !(alphas[draw.object] > 0.02)) {
      continue;
    }
    const auto& points = expected[draw.object];
    EXPECT_EQ(points.size(), draw.vertex_count);
    for (std::size_t v = 0; v < points.size(); ++v) {
      for (std::size_t i = 0; i < 3; ++i) {
        worst = std::max(worst, std::fabs(points[v][i] - double{frame.positions[draw.base_position + v][i]}));
        size = std::max(size, std::fabs(points[v][i]));
      }
    }
  }
  return worst / size;
}

void compare_clips(scene::Scene scene, const std::string& name) {
  without_viewer(scene);
  for (scene::Index clip = 0; clip < scene.clips.size() && clip < 4; ++clip) {
    if (!scene.clips[clip].global) {
      const double time = double{scene.clips[clip].duration} * 0.37;
      EXPECT_LT(farthest(scene, clip, time), 2e-5) << name << " clip " << clip;
    }
  }
}

TEST(Frame, VerticesOfSamples) {
  for (const char* name : {"knight.mdx", "chest.mdx", "everything_v800.mdx", "everything_v1800.mdx"}) {
    const auto scene = model(test::samples_dir() / name);
    ASSERT_TRUE(scene) << name;
    compare_clips(*scene, name);
  }
}

TEST(Frame, VerticesOfGameModels) {
  THAW_REQUIRE_CORPUS("wc3");
  const auto files = test::files_below(test::corpus_dir() / "wc3", ".mdx");
  std::size_t compared = 0;
  for (std::size_t i = 0; i < files.size(); i += 101) {
    if (std::filesystem::file_size(files[i]) < 600000) {
      if (const auto scene = model(files[i])) {
        compare_clips(*scene, files[i].string());
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 0U);
}

TEST(Frame, OrderIsOpaqueThenPlaneThenMode) {
  scene::Scene scene = test::empty_scene();
  const auto node = test::add_node(scene, scene::NodeKind::mesh, {});
  const std::array<std::pair<scene::BlendMode, int>, 5> kinds = {{{scene::BlendMode::additive, 0},
                                                                  {scene::BlendMode::blend, 2},
                                                                  {scene::BlendMode::opaque, 9},
                                                                  {scene::BlendMode::blend, 0},
                                                                  {scene::BlendMode::modulate, -1}}};
  for (const auto& [mode, plane] : kinds) {
    const auto material = test::add_material(scene, mode, 0);
    scene.materials[material].draw_order = plane;
    test::add_square(scene, node, material);
  }
  std::vector<scene::Index> order;
  for (const Draw& draw : frame::evaluate(scene, {}, {}).draws) {
    order.push_back(draw.object);
  }
  EXPECT_EQ(order, (std::vector<scene::Index>{2, 4, 3, 0, 1}));
}

TEST(Frame, ParticlesAreSteadyAndDependOnTheSeed) {
  scene::Scene scene = test::empty_scene();
  scene.emitters.push_back(test::fountain(test::add_node(scene, scene::NodeKind::emitter, {})));
  const frame::Evaluator evaluator(scene);
  const auto at = [&](double time, std::uint64_t seed) {
    frame::Options options;
    options.seed = seed;
    return evaluator.evaluate({scene::kNone, time, time}, test::front_camera(), options);
  };
  // Twenty a second that live for one and a half.
  for (const double time : {0.0, 1.0, 17.25, 100000.5}) {
    EXPECT_NEAR(at(time, 1).particles, 30, 1) << time;
  }
  EXPECT_EQ(at(3, 1).positions, at(3, 1).positions);
  EXPECT_NE(at(3, 1).positions, at(3, 2).positions);
  // What was there a moment ago is still there, a little further on.
  const Frame before = at(3, 1);
  const Frame after = at(3.001, 1);
  ASSERT_EQ(before.positions.size(), after.positions.size());
  for (std::size_t i = 0; i < before.positions.size(); ++i) {
    EXPECT_NEAR(before.positions[i][1], after.positions[i][1], 0.01);
  }
}

TEST(Frame, SquirtFiresWithItsKeys) {
  scene::Scene scene = test::empty_scene();
  scene.emitters.push_back(test::fountain(test::add_node(scene, scene::NodeKind::emitter, {})));
  scene.emitters.back().burst = true;
  scene.emitters.back().life_span = 0.3F;
  scene::Clip clip;
  clip.duration = 2;
  clip.looping = false;
  scene::Channel rate;
  rate.target = {scene::Target::Kind::emitter, 0, 0};
  rate.property = scene::Property::emitter_rate;
  rate.curve.mode = scene::CurveMode::step;
  rate.curve.times = {0, 0.5F, 1, 2};
  rate.curve.values = {0, 7, 0, 0};
  clip.channels.push_back(rate);
  scene.clips.push_back(clip);
  const auto particles = [&](double time) { return frame::evaluate(scene, {0, time, time}, {}).particles; };
  EXPECT_EQ(particles(0.4), 0U);
  EXPECT_EQ(particles(0.6), 7U);
  EXPECT_EQ(particles(0.9), 0U);
}

TEST(Frame, BillboardsFaceTheViewer) {
  const scene::Scene scene = test::billboard_scene(scene::Billboard::full);
  const frame::Camera camera = test::front_camera();
  const Frame frame = frame::evaluate(scene, {}, camera);
  ASSERT_FALSE(frame.draws.empty());
  // All four corners lie in one plane across the line of sight.
  const Vec3 back = {frame.view[2], frame.view[6], frame.view[10]};
  const auto depth = [&](std::size_t i) {
    const Vec3& p = frame.positions[frame.draws[0].base_position + i];
    return p[0] * back[0] + p[1] * back[1] + p[2] * back[2];
  };
  // The node itself is turned by 30°, which a billboard keeps.
  EXPECT_NEAR(depth(0) + depth(2), depth(1) + depth(3), 1e-5);
}

/// From the axes of Warcraft III to those of the alpha of World of Warcraft: a quarter turn.
Vec3 swung(const Vec3& v) { return {-v[2], v[1], v[0]}; }

template <class Values>
void swing(Values& values, std::size_t components) {
  for (std::size_t i = 0; i + 2 < values.size(); i += components) {
    const Vec3 v = swung({values[i], values[i + 1], values[i + 2]});
    std::copy(v.begin(), v.end(), values.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

/// The same model, as a source with the other axes has it.
scene::Scene swung(scene::Scene scene) {
  scene.axes = scene::Axes::x_front;
  for (auto& node : scene.nodes) {
    auto& rest = node.rest;
    rest.translation = swung(rest.translation);
    swing(rest.rotation, 4);
    std::swap(rest.scale[0], rest.scale[2]);
  }
  for (auto& mesh : scene.meshes) {
    std::transform(mesh.positions.begin(), mesh.positions.end(), mesh.positions.begin(),
                   [](const Vec3& v) { return swung(v); });
    std::transform(mesh.normals.begin(), mesh.normals.end(), mesh.normals.begin(),
                   [](const Vec3& v) { return swung(v); });
  }
  for (auto& clip : scene.clips) {
    for (auto& channel : clip.channels) {
      if (channel.property == scene::Property::rotation || channel.property == scene::Property::translation) {
        swing(channel.curve.values, channel.curve.components);
      }
    }
  }
  return scene;
}

TEST(Frame, WhatDependsOnTheSourcesAxesTurnsWithThem) {
  std::vector<scene::Scene> scenes;
  for (const auto kind : {scene::Billboard::full, scene::Billboard::lock_x, scene::Billboard::lock_y,
                          scene::Billboard::lock_z}) {
    scenes.push_back(test::billboard_scene(kind));
  }
  scenes.push_back(test::ribbon_scene(scene::BlendMode::blend));
  for (const bool flat : {false, true}) {
    scene::Scene& scene = scenes.emplace_back(test::empty_scene());
    scene.emitters.push_back(test::fountain(test::add_node(scene, scene::NodeKind::emitter, {})));
    scene.emitters[0].xy_quad = flat;
    scene.emitters[0].length = 2;
  }
  const frame::Camera camera = test::front_camera();
  frame::Camera turned = camera;
  turned.eye = swung(camera.eye);
  turned.target = swung(camera.target);
  for (std::size_t i = 0; i < scenes.size(); ++i) {
    const frame::PlayTime moment = {scenes[i].clips.empty() ? scene::kNone : 0, 0.7, 0.7};
    const Frame one = frame::evaluate(scenes[i], moment, camera);
    const Frame other = frame::evaluate(swung(scenes[i]), moment, turned);
    ASSERT_EQ(one.positions.size(), other.positions.size()) << i;
    ASSERT_FALSE(one.positions.empty()) << i;
    for (std::size_t v = 0; v < one.positions.size(); ++v) {
      const Vec3 expected = swung(one.positions[v]);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        ASSERT_NEAR(expected[axis], other.positions[v][axis], 1e-4) << i << " vertex " << v;
      }
    }
  }
  const frame::View view = {0.3F, 0.2F, 1, {}, {}};
  const scene::Scene other = swung(scenes[0]);
  const Vec3 expected =
      swung(frame::auto_camera(frame::Evaluator(scenes[0]), scenes[0], scene::kNone, view, 1).eye);
  const Vec3 eye = frame::auto_camera(frame::Evaluator(other), other, scene::kNone, view, 1).eye;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    EXPECT_NEAR(expected[axis], eye[axis], 1e-3);
  }
}

TEST(Frame, LockedBillboardsThatDoNotInheritRotationFaceTheViewerAllTheSame) {
  const auto corners = [](bool turned_parent) {
    scene::Scene scene = test::billboard_scene(scene::Billboard::lock_z);
    const auto above = test::add_node(scene, scene::NodeKind::bone, {});
    scene.nodes[above].rest.rotation = {0, turned_parent ? 0.7071068F : 0, 0, turned_parent ? 0.7071068F : 1};
    const auto node = test::add_node(scene, scene::NodeKind::bone, {}, above);
    scene.nodes[node].billboard = scene::Billboard::lock_z;
    scene.nodes[node].inherit_rotation = false;
    test::add_square(scene, node, 0, 0.8F);
    const Frame frame = frame::evaluate(scene, {}, test::front_camera());
    const Draw& draw = frame.draws.back();
    return std::vector<Vec3>(frame.positions.begin() + draw.base_position,
                             frame.positions.begin() + draw.base_position + draw.vertex_count);
  };
  const auto plain = corners(false);
  const auto turned = corners(true);
  ASSERT_EQ(plain.size(), turned.size());
  for (std::size_t v = 0; v < plain.size(); ++v) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      EXPECT_NEAR(plain[v][axis], turned[v][axis], 1e-5);
    }
  }
}

TEST(Frame, PortraitsAreModelsOfPortraitsAlone) {
  const auto scene_of = [](std::vector<std::string> clips, std::size_t cameras) {
    scene::Scene scene;
    for (auto& name : clips) {
      scene.clips.emplace_back().name = std::move(name);
    }
    scene.cameras.resize(cameras);
    return scene;
  };
  EXPECT_TRUE(frame::is_portrait(scene_of({"Portrait", "portrait talk"}, 1)));
  EXPECT_FALSE(frame::is_portrait(scene_of({"Portrait"}, 0)));
  EXPECT_FALSE(frame::is_portrait(scene_of({"Portrait", "Stand"}, 1)));
  EXPECT_TRUE(frame::is_portrait(scene_of({"Portrait", "Stand"}, 1), "Footman_Portrait"));
  EXPECT_TRUE(frame::is_portrait(scene_of({"Portrait", "Base"}, 1)));
  EXPECT_FALSE(frame::is_portrait(scene_of({}, 1)));
  scene::Scene with_loop = scene_of({"Portrait", "global sequence 0"}, 1);
  with_loop.clips.back().global = true;
  EXPECT_TRUE(frame::is_portrait(with_loop));
}

TEST(Frame, AClipsOwnChannelWinsOverALoop) {
  scene::Scene scene = test::empty_scene();
  test::add_square(scene, 0, scene::kNone);
  const auto add_alpha = [&](bool global, float alpha) {
    scene::Clip& clip = scene.clips.emplace_back();
    clip.duration = 1;
    clip.global = global;
    scene::Channel& channel = clip.channels.emplace_back();
    channel.target = {scene::Target::Kind::mesh, 0, 0};
    channel.property = scene::Property::mesh_alpha;
    channel.curve.components = 1;
    channel.curve.times = {0};
    channel.curve.values = {alpha};
  };
  add_alpha(false, 1);
  add_alpha(true, 0);
  EXPECT_FALSE(frame::evaluate(scene, {0, 0, 0}, test::front_camera()).draws.empty());
  EXPECT_TRUE(frame::evaluate(scene, {scene::kNone, 0, 0}, test::front_camera()).draws.empty());
}

TEST(Frame, WhatHasNoColorsAtAllShowsItsForm) {
  const auto color = [](scene::Index texture) {
    scene::Scene scene = test::empty_scene();
    test::add_square(scene, 0, test::add_material(scene, scene::BlendMode::opaque, texture));
    frame::Options options;
    options.lighting = frame::Lighting::none;
    const Frame frame = frame::evaluate(scene, {}, test::front_camera(), options);
    return frame.colors.at(frame.draws.front().base_color)[0];
  };
  EXPECT_EQ(color(0), 255);
  EXPECT_EQ(color(scene::kNone), 153);
}

TEST(Frame, WhatHasNoMaterialIsLit) {
  scene::Scene scene = test::empty_scene();
  test::add_square(scene, 0, scene::kNone);
  frame::Options options;
  options.lighting = frame::Lighting::scene;  // which has no light
  Frame frame = frame::evaluate(scene, {}, test::front_camera(), options);
  ASSERT_EQ(frame.draws.size(), 1U);
  ASSERT_NE(frame.draws[0].base_color, scene::kNone);
  EXPECT_EQ(frame.colors.at(frame.draws[0].base_color)[0], 0);
  options.lighting = frame::Lighting::renderer;
  frame = frame::evaluate(scene, {}, test::front_camera(), options);
  EXPECT_GT(frame.colors.at(frame.draws[0].base_color)[0], 0);
}

/// Wide, tall and deep rectangles fill the picture in one direction.
TEST(Frame, AutoCameraComesAsNearAsItCan) {
  for (const Vec3& sides : {Vec3{0, 1, 9}, Vec3{0, 9, 1}, Vec3{9, 1, 0}}) {
    scene::Scene scene = test::empty_scene();
    test::add_square(scene, 0, scene::kNone);
    for (Vec3& corner : scene.meshes[0].positions) {
      corner = {(corner[2] > 0 ? 1.0F : -1.0F) * sides[0], corner[1] * sides[1], corner[2] * sides[2]};
    }
    const frame::Evaluator evaluator(scene);
    const auto camera = frame::auto_camera(evaluator, scene, scene::kNone, {}, 1);
    const Frame frame = evaluator.evaluate({}, camera, {});
    float most = 0;
    for (const Vec3& p : scene.meshes[0].positions) {
      const auto view = [&](std::size_t row) {
        return frame.view[row] * p[0] + frame.view[4 + row] * p[1] + frame.view[8 + row] * p[2] +
               frame.view[12 + row];
      };
      for (const std::size_t axis : {0U, 1U}) {
        most = std::max(most, std::fabs(frame.projection[axis * 5] * view(axis) / view(2)));
      }
    }
    EXPECT_GT(most, 0.8F);
    EXPECT_LE(most, 1.0F);
  }
}

TEST(Frame, AutoCameraSeesEverything) {
  for (const char* name : {"knight.mdx", "everything_v800.mdx"}) {
    const auto scene = model(test::samples_dir() / name);
    ASSERT_TRUE(scene);
    const frame::Evaluator evaluator(*scene);
    const auto clip = frame::default_clip(*scene);
    for (const float aspect : {0.5F, 1.0F, 2.0F}) {
      const auto camera = frame::auto_camera(evaluator, *scene, clip, {}, aspect);
      const Frame frame = evaluator.evaluate({clip, 0, 0}, camera, {});
      for (const Draw& draw : frame.draws) {
        for (std::uint32_t v = 0;
             v < draw.vertex_count && draw.origin == frame::Origin::mesh && draw.blend == frame::Blend::none;
             ++v) {
          const Vec3& p = frame.positions[draw.base_position + v];
          const auto view = [&](std::size_t row) {
            return frame.view[row] * p[0] + frame.view[4 + row] * p[1] + frame.view[8 + row] * p[2] +
                   frame.view[12 + row];
          };
          EXPECT_LE(std::fabs(frame.projection[0] * view(0)), -view(2) * 1.001F) << name;
          EXPECT_LE(std::fabs(frame.projection[5] * view(1)), -view(2) * 1.001F) << name;
        }
      }
    }
  }
}

/// Two bones, one unit apart, that go along X in two seconds.
scene::Scene walk(float far) {
  scene::Scene scene = test::empty_scene();
  test::add_node(scene, scene::NodeKind::bone, {});
  test::add_node(scene, scene::NodeKind::bone, {0, 1, 0});
  scene::Clip& clip = scene.clips.emplace_back();
  clip.duration = 2;
  scene::Channel channel;
  channel.target = {scene::Target::Kind::node, 0, 0};
  channel.property = scene::Property::translation;
  channel.curve.components = 3;
  channel.curve.times = {0, 2};
  channel.curve.values = {0, 0, 0, far, 0, 0};
  clip.channels.push_back(channel);
  return scene;
}

TEST(Frame, TheCameraGoesWithWhatWalksAway) {
  EXPECT_EQ(frame::travel(walk(10), 0), (Vec3{5, 0, 0}));
  EXPECT_EQ(frame::travel(walk(0.1F), 0), (Vec3{})) << "about where it was";
  scene::Scene leap = walk(1);
  EXPECT_EQ(frame::travel(leap, 0), (Vec3{0.5F, 0, 0}));
  leap.clips[0].looping = false;
  EXPECT_EQ(frame::travel(leap, 0), (Vec3{})) << "what happens once stays about where it was";
  EXPECT_EQ(frame::travel(walk(10), scene::kNone), (Vec3{}));
  EXPECT_EQ(frame::travel(test::empty_scene(), 0), (Vec3{}));
  frame::Options bones;
  bones.bones = true;
  const auto seen = [&](const scene::Scene& scene, const Vec3& travel) {
    frame::View view;
    view.travel = travel;
    return frame::auto_camera(frame::Evaluator(scene), scene, 0, view, 1, bones);
  };
  const frame::Camera still = seen(walk(0), {});
  const frame::Camera followed = seen(walk(10), {5, 0, 0});
  const frame::Camera whole = seen(walk(10), {});
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(followed.eye[i], still.eye[i], 1e-4);
    EXPECT_NEAR(followed.target[i], still.target[i], 1e-4);
  }
  EXPECT_GT(whole.target[0], 1.0F);
}

// --- hostile scenes

TEST(Hostile, NumbersThatAreNone) {
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), 1e38F, -1e30F}) {
    scene::Scene scene = test::filter_scene(scene::BlendMode::blend);
    scene.meshes[0].positions[1][1] = bad;
    scene.meshes[1].uv_sets[0][2][0] = bad;
    scene.nodes[1].rest.scale = {bad, 1, bad};
    scene.emitters.push_back(test::fountain(2));
    scene.emitters[0].rate = bad;
    scene.emitters[0].life_span = bad;
    scene.emitters[0].scales[1] = bad;
    scene.ribbons.push_back({});
    scene.ribbons[0].node = 1;
    scene.ribbons[0].life_span = bad;
    scene.ribbons[0].rate = 0xFFFFFFFF;
    const frame::Camera camera = frame::auto_camera(frame::Evaluator(scene), scene, scene::kNone, {}, 1);
    EXPECT_EQ(test::picture(scene, {scene::kNone, double{bad}, double{bad}}, camera, 32).pixels(), 1024U);
    frame::Camera nowhere;
    nowhere.eye = {bad, bad, bad};
    nowhere.near_clip = bad;
    nowhere.field_of_view = bad;
    EXPECT_EQ(test::picture(scene, {}, nowhere, 32).pixels(), 1024U);
  }
}

TEST(Hostile, IndicesThatPointNowhere) {
  scene::Scene scene = test::filter_scene(scene::BlendMode::blend);
  scene.meshes[0].indices[2] = 99;
  scene.meshes[1].parts[0].material = 77;
  scene.attachments.push_back({500, 0, "x"});
  scene.lights.push_back({});
  scene.lights[0].node = 900;
  scene.emitters.push_back(test::fountain(1000));
  scene.ribbons.push_back({});
  scene.placements.push_back({3000, 2});
  scene.cameras.push_back({});
  EXPECT_FALSE(frame::scene_camera(scene, 0, {}, 1));
  EXPECT_TRUE(frame::evaluate(scene, {}, {}).draws.empty());
}

TEST(Hostile, FramesThatPointNowhere) {
  Frame frame = frame::evaluate(test::filter_scene(scene::BlendMode::opaque), {}, test::front_camera());
  ASSERT_EQ(frame.draws.size(), 2U);
  frame.draws[0].index_count = 300;
  frame.draws[1].texture.image = 12;
  frame.indices[7] = 1000;
  raster::Textures none({});
  raster::Options options;
  options.width = 40;
  options.height = 7;
  EXPECT_EQ(raster::draw(frame, none, options).image.pixels(), 280U);
  options.width = 0;
  EXPECT_EQ(raster::draw(frame, none, options).image.pixels(), 0U);
}

TEST(Hostile, TrianglesInManyTilesEndTheirBatch) {
  Frame frame = frame::evaluate(test::filter_scene(scene::BlendMode::opaque), {}, test::front_camera());
  Draw draw = frame.draws.at(0);
  const std::vector<std::uint32_t> square(frame.indices.begin() + draw.first_index,
                                          frame.indices.begin() + draw.first_index + draw.index_count);
  constexpr std::size_t kTimes = 20000;
  frame.indices.clear();
  for (std::size_t i = 0; i < kTimes; ++i) {
    frame.indices.insert(frame.indices.end(), square.begin(), square.end());
  }
  draw.first_index = 0;
  draw.index_count = static_cast<std::uint32_t>(frame.indices.size());
  draw.two_sided = true;
  frame.draws = {draw};
  raster::Options options;
  options.width = options.height = 2048;
  raster::Assembler assembler(frame, options);
  raster::Batch batch;
  std::size_t batches = 0;
  std::size_t triangles = 0;
  for (; assembler.next(batch); ++batches) {
    EXPECT_LE(batch.entries, (std::size_t{1} << 22U) + batch.bins.size());
    triangles += batch.triangles.size();
  }
  EXPECT_GT(batches, 1U);
  EXPECT_EQ(triangles, kTimes * square.size() / 3);
}

TEST(Hostile, WorkIsBounded) {
  scene::Scene scene = test::empty_scene();
  const auto node = test::add_node(scene, scene::NodeKind::mesh, {});
  const auto material = test::add_material(scene, scene::BlendMode::additive, 1);
  scene.materials[material].layers.resize(3000, scene.materials[material].layers[0]);
  test::add_square(scene, node, material, 30);
  const frame::Evaluator evaluator(scene);
  raster::Textures textures(evaluator.images());
  raster::Options options;
  options.width = options.height = 32;
  options.max_overdraw = 50;
  const auto picture = raster::draw(evaluator.evaluate({}, test::front_camera(), {}), textures, options);
  EXPECT_FALSE(picture.complete);
  frame::Options few;
  few.max_triangles = 320;
  const Frame frame = evaluator.evaluate({}, test::front_camera(), few);
  EXPECT_FALSE(frame.complete);
  EXPECT_EQ(frame.draws.size(), 10U);
}

TEST(Hostile, WorkOfEmittersGrowsWithTheirDepth) {
  scene::Scene scene = test::empty_scene();
  scene::Index node = 0;
  for (std::size_t i = 0; i < 20000; ++i) {
    node = test::add_node(scene, scene::NodeKind::helper, {}, node);
  }
  scene.clips.push_back(test::turning_clip(node));  // so that its place is asked for at each birth
  for (int i = 0; i < 20; ++i) {
    scene.emitters.push_back(test::fountain(node));
    scene.emitters.back().rate = 1000;
  }
  const Frame frame = frame::evaluate(scene, {0, 1.9, 1.9}, test::front_camera());
  EXPECT_FALSE(frame.complete);
  EXPECT_LT(frame.particles, 3000U) << "of 30,000";
  EXPECT_GT(frame.particles, 0U);
}

/// Already the one edge that a ribbon of no rate has takes the places of all nodes above it.
TEST(Hostile, WorkOfRibbonsGrowsWithTheirDepth) {
  const auto complete = [](std::size_t depth) {
    scene::Scene scene = test::empty_scene();
    scene::Index node = 0;
    for (std::size_t i = 0; i < depth; ++i) {
      node = test::add_node(scene, scene::NodeKind::helper, {}, node);
    }
    scene::Ribbon ribbon = test::ribbon_scene(scene::BlendMode::blend).ribbons.front();
    ribbon.node = node;
    ribbon.material = scene::kNone;
    ribbon.rate = 0;
    ribbon.life_span = 0;
    scene.ribbons.assign(300, ribbon);  // with one edge each, and one moment that has none
    return frame::evaluate(scene, {0, 0.5, 0.5}, test::front_camera()).complete;
  };
  EXPECT_TRUE(complete(10));
  EXPECT_FALSE(complete(20000));
}

TEST(Hostile, ModelsThatHangInThemselves) {
  auto attached = std::make_shared<scene::Scene>(test::filter_scene(scene::BlendMode::opaque));
  attached->attachments.push_back({1, 0, "guest.mdl"});
  attached->attachments.push_back({2, 0, "guest.mdl"});
  const frame::Evaluator evaluator(*attached, {{"guest", attached}});
  const Frame frame = evaluator.evaluate({}, test::front_camera(), {});
  EXPECT_EQ(frame.draws.size(), 2U * (1 + 2 + 4 + 8));
}

scene::Scene one_square() {
  scene::Scene scene = test::empty_scene();
  const auto node = test::add_node(scene, scene::NodeKind::mesh, {});
  test::add_square(scene, node, test::add_material(scene, scene::BlendMode::opaque, 0));
  return scene;
}

TEST(Frame, ReflectionsGoByTheNormalAsItIsSeen) {
  scene::Scene scene = one_square();
  scene.materials[0].layers[0].sphere_map = true;
  const Vec3 normal = {0.48F, 0.8F, 0.36F};
  scene.meshes[0].normals.assign(4, normal);
  const Frame frame = frame::evaluate(scene, {}, test::front_camera());
  ASSERT_EQ(frame.draws.size(), 1U);
  const auto along = [&](std::size_t row) {
    return normal[0] * frame.view[row] + normal[1] * frame.view[4 + row] + normal[2] * frame.view[8 + row];
  };
  ASSERT_LT(frame.draws[0].base_uv, frame.uvs.size());
  const Vec2 uv = frame.uvs[frame.draws[0].base_uv];
  EXPECT_NEAR(uv[0], 0.5F + 0.5F * along(0), 1e-5);
  EXPECT_NEAR(uv[1], 0.5F - 0.5F * along(1), 1e-5);
}

/// It keeps its distance from where it hangs, on the way to the eye.
TEST(Frame, WhatIsAnchoredToTheCameraStandsBeforeIt) {
  scene::Scene scene = one_square();
  scene.nodes[0].rest.translation = {0.5F, 0.25F, -0.5F};
  scene.nodes[1].camera_anchored = true;
  scene.nodes[1].rest.translation = {0, 0.3F, 0.4F};
  scene.meshes[0].positions.assign(4, {});
  const frame::Camera camera = test::front_camera();
  const Frame frame = frame::evaluate(scene, {}, camera);
  ASSERT_FALSE(frame.positions.empty());
  Vec3 to_eye{};
  float length = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    to_eye[i] = camera.eye[i] - scene.nodes[0].rest.translation[i];
    length += to_eye[i] * to_eye[i];
  }
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(frame.positions[0][i],
                scene.nodes[0].rest.translation[i] + to_eye[i] / std::sqrt(length) * 0.5F, 1e-5);
  }
}

TEST(Frame, ASetOfCoordinatesThatIsNotThereIsTheFirst) {
  scene::Scene scene = one_square();
  scene.materials[0].layers[0].uv_set = 1;
  const Frame frame = frame::evaluate(scene, {}, test::front_camera());
  ASSERT_EQ(frame.draws.size(), 1U);
  ASSERT_LT(frame.draws[0].base_uv, frame.uvs.size());
  EXPECT_EQ(frame.uvs[frame.draws[0].base_uv], scene.meshes[0].uv_sets[0][0]);
}

TEST(Frame, WhatGlowsAtNightIsDrawnOnceMoreThen) {
  scene::Scene scene = one_square();
  scene.materials[0].layers[0].night_color = {1, 0.5F, 0};
  const auto draws = [&](float night) {
    frame::Options options;
    options.night = night;
    return frame::evaluate(scene, {}, test::front_camera(), options).draws;
  };
  EXPECT_EQ(draws(0).size(), 1U);
  const auto dusk = draws(0.5F);
  ASSERT_EQ(dusk.size(), 2U);
  EXPECT_EQ(dusk[1].blend, frame::Blend::add);
  EXPECT_EQ(dusk[1].color, (Vec4{0.5F, 0.25F, 0, dusk[0].color[3]}));
  EXPECT_EQ(dusk[1].texture.image, dusk[0].texture.image);
  scene.materials[0].layers[0].night_color = {};
  EXPECT_EQ(draws(1).size(), 1U);
}

TEST(Frame, MeshesWhoseArraysDoNotFitAreLeftOut) {
  const auto draws = [](void (*change)(scene::Mesh&)) {
    scene::Scene scene = one_square();
    change(scene.meshes[0]);
    return frame::evaluate(scene, {}, test::front_camera()).draws.size();
  };
  EXPECT_EQ(draws([](scene::Mesh&) {}), 1U);
  EXPECT_EQ(draws([](scene::Mesh& mesh) { mesh.normals.clear(); }), 1U);
  EXPECT_EQ(draws([](scene::Mesh& mesh) { mesh.normals.pop_back(); }), 0U);
  EXPECT_EQ(draws([](scene::Mesh& mesh) { mesh.colors.resize(3); }), 0U);
  EXPECT_EQ(draws([](scene::Mesh& mesh) { mesh.uv_sets[0].pop_back(); }), 0U);
  EXPECT_EQ(draws([](scene::Mesh& mesh) { mesh.morph_targets.emplace_back().positions.resize(5); }), 0U);
  EXPECT_EQ(draws([](scene::Mesh& mesh) { mesh.morph_targets.emplace_back().normals.resize(5); }), 0U);
}

TEST(Frame, PointsAndLinesAreDrawn) {
  using Mode = scene::Wire::Mode;
  const auto indices = [](Mode mode) {
    scene::Scene scene = test::empty_scene();
    const auto material = test::add_material(scene, scene::BlendMode::opaque, 0);
    test::add_square(scene, test::add_node(scene, scene::NodeKind::mesh, {}), material);
    scene::Mesh& mesh = scene.meshes[0];
    mesh.indices.clear();
    mesh.parts.clear();
    mesh.wires.push_back({mode, {0, 1, 2, 3}, material});
    const frame::Evaluator evaluator(scene);
    const Frame frame = evaluator.evaluate({}, test::front_camera());
    EXPECT_EQ(test::problems_of(frame, evaluator.images()), test::Problems());
    EXPECT_EQ(frame.draws.size(), 1U);
    EXPECT_EQ(frame.triangles, 0U);
    EXPECT_EQ(frame.draws[0].topology,
              mode == Mode::points ? frame::Topology::points : frame::Topology::lines);
    raster::Textures textures(evaluator.images());
    const Image image = raster::draw(frame, textures, {}).image;
    EXPECT_TRUE(
        std::any_of(image.rgba.begin(), image.rgba.end(), [](std::uint8_t byte) { return byte != 0; }));
    return std::vector<std::uint32_t>(
        frame.indices.begin() + frame.draws[0].first_index,
        frame.indices.begin() + frame.draws[0].first_index + frame.draws[0].index_count);
  };
  using Indices = std::vector<std::uint32_t>;
  EXPECT_EQ(indices(Mode::points), (Indices{0, 1, 2, 3}));
  EXPECT_EQ(indices(Mode::lines), (Indices{0, 1, 2, 3}));
  EXPECT_EQ(indices(Mode::line_strip), (Indices{0, 1, 1, 2, 2, 3}));
  EXPECT_EQ(indices(Mode::line_loop), (Indices{0, 1, 1, 2, 2, 3, 3, 0}));
}

TEST(Frame, AMeshFitsIntoRoomThatIsJustEnough) {
  scene::Scene scene = one_square();
  scene::Mesh& mesh = scene.meshes[0];
  const auto square = mesh.indices;
  while (mesh.indices.size() < 96) {
    mesh.indices.insert(mesh.indices.end(), square.begin(), square.end());
  }
  mesh.parts[0].index_count = 96;
  frame::Options options;
  options.max_triangles = 32;
  const auto draws = [&] { return frame::evaluate(scene, {}, test::front_camera(), options).draws.size(); };
  EXPECT_EQ(draws(), 1U);
  mesh.normals.clear();
  mesh.uv_sets.clear();
  mesh.positions.resize(96);  // as many as corners
  EXPECT_EQ(draws(), 1U);
  mesh.positions.resize(97);
  EXPECT_EQ(draws(), 0U);
}

TEST(Frame, ModelsThatArePlacedInModelsAreSeen) {
  auto scene = std::make_shared<scene::Scene>(test::filter_scene(scene::BlendMode::opaque));
  const auto draws = [&] { return frame::evaluate(*scene, {}, test::front_camera()).draws.size(); };
  const std::size_t alone = draws();
  for (std::size_t depth = 2; depth <= 4; ++depth) {
    auto outer = std::make_shared<scene::Scene>(test::filter_scene(scene::BlendMode::opaque));
    outer->models.push_back(scene);
    outer->placements.push_back({1, 0});
    scene = outer;
    EXPECT_EQ(draws(), depth * alone);
  }
}

}  // namespace
}  // namespace thaw
