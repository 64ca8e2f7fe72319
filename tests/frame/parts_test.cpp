// The parts that a frame is put together from, each at its limits: light, the clocks of emitters, lines over
// the picture, projections and cameras.
#include "frame/emission.hpp"
#include "frame/scenes.hpp"
#include "scene/math.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace thaw::frame {
namespace {

constexpr float kNone32 = std::numeric_limits<float>::quiet_NaN();

// --- light
// --------------------------------------------------------------------------------------------------

void expect_near(const Vec3& a, const Vec3& b) {
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(a[i], b[i], 1e-5) << i;
  }
}

TEST(FrameLight, OverheadIsBrightAboveAndNotAtAllDarkBelow) {
  const LightRig rig(Lighting::overhead, Viewer{});
  expect_near(rig.at({}, {0, 1, 0}), {1, 1, 1});
  expect_near(rig.at({}, {0.8F, 0.6F, 0}), {1, 1, 1});
  expect_near(rig.at({}, {1, 0, 0}), {0.7F, 0.7F, 0.7F});
  expect_near(rig.at({}, {0.96F, 0.2F, 0}), {0.9F, 0.9F, 0.9F});
  expect_near(rig.at({}, {0, -1, 0}), {0.7F, 0.7F, 0.7F});
  expect_near(rig.at({}, {0, 0, 1}), {0.7F, 0.7F, 0.7F});
}

TEST(FrameLight, NoneIsFullBrightness) {
  LightRig rig(Lighting::none, Viewer{});
  expect_near(rig.at({1, 2, 3}, {0, 0, 1}), {1, 1, 1});
  scene::Light light;
  light.color = {1, 0, 0};
  light.intensity = 9;
  rig.add(light, WorldTransform{});
  expect_near(rig.at({1, 2, 3}, {0, 0, 1}), {1, 1, 1});
}

TEST(FrameLight, TheRenderersKeyLightComesFromAboveTheLeftShoulder) {
  const LightRig rig(Lighting::renderer, Viewer{});
  const auto brightness = [&](Vec3 normal) { return rig.at({}, normal)[0]; };
  EXPECT_GT(brightness({0, 1, 0}), brightness({0, -1, 0}));
  EXPECT_GT(brightness({-1, 0, 0}), brightness({1, 0, 0}));
  EXPECT_GT(brightness({0, 0, 1}), brightness({0, 0, -1}));
  expect_near(rig.at({}, {0, -1, 0}), {0.46F, 0.46F, 0.48F});
  for (const Vec3& normal : {Vec3{-0.4673F, 0.7222F, 0.5098F}, Vec3{0, 1, 0}, Vec3{-1, 0, 0}}) {
    EXPECT_LE(brightness(normal), 1.15F);
  }
  // It goes with the viewer.
  Viewer after;
  after.right = {-1, 0, 0};
  after.back = {0, 0, -1};
  const LightRig other(Lighting::renderer, after);
  expect_near(other.at({}, {1, 0, 0}), rig.at({}, {-1, 0, 0}));
  expect_near(other.at({}, {0, 0, -1}), rig.at({}, {0, 0, 1}));
}

TEST(FrameLight, LightsFadeBetweenStartAndEnd) {
  const auto lit = [](float start, float end, float distance) {
    LightRig rig(Lighting::scene, Viewer{});
    scene::Light light;
    light.kind = scene::Light::Kind::omni;
    light.color = {0.5F, 0.25F, 1};
    light.intensity = 1;
    light.attenuation_start = start;
    light.attenuation_end = end;
    WorldTransform place;
    place.world = scene::compose({0, double{distance}, 0}, {0, 0, 0, 1}, {1, 1, 1});
    rig.add(light, place);
    EXPECT_EQ(rig.at({}, {0, -1, 0}), Vec3{}) << "from behind";
    return rig.at({}, {0, 1, 0})[0];
  };
  EXPECT_FLOAT_EQ(lit(2, 4, 1), 0.5F);
  EXPECT_FLOAT_EQ(lit(2, 4, 2), 0.5F);
  EXPECT_FLOAT_EQ(lit(2, 4, 3), 0.25F);
  EXPECT_FLOAT_EQ(lit(2, 4, 3.5F), 0.125F);
  EXPECT_EQ(lit(2, 4, 4), 0);
  EXPECT_EQ(lit(2, 4, 9), 0);
  // Without a range it is there to its end.
  EXPECT_FLOAT_EQ(lit(3, 3, 3), 0.5F);
  EXPECT_EQ(lit(3, 3, 3.01F), 0);
  EXPECT_FLOAT_EQ(lit(5, 3, 2), 0.5F);
}

TEST(FrameLight, ALightShinesFromWhereItIs) {
  LightRig rig(Lighting::scene, Viewer{});
  scene::Light light;
  light.kind = scene::Light::Kind::omni;
  light.color = {0.5F, 0.25F, 1};
  light.intensity = 1;
  light.attenuation_end = 12;
  WorldTransform place;
  place.world = scene::compose({3, 6, 2}, {0, 0, 0, 1}, {1, 1, 1});
  rig.add(light, place);
  const Vec3 here = {1, 2, -2};  // 2, 4 and 4 away: half of its reach
  expect_near(rig.at(here, {1, 0, 0}), {0.5F / 6, 0.25F / 6, 1.0F / 6});
  expect_near(rig.at(here, {0, 1, 0}), {0.5F / 3, 0.25F / 3, 1.0F / 3});
  expect_near(rig.at(here, {0, 0, 1}), {0.5F / 3, 0.25F / 3, 1.0F / 3});
  expect_near(rig.at({3, 6, 2}, {0, 0, 1}), {0, 0, 0});
}

TEST(FrameLight, AmbientDirectionalAndWhatALightAddsToAmbient) {
  LightRig rig(Lighting::scene, Viewer{});
  expect_near(rig.at({}, {0, 1, 0}), {0, 0, 0});
  scene::Light light;
  light.kind = scene::Light::Kind::ambient;
  light.color = {0.5F, 0.25F, 0.125F};
  light.intensity = 0.5F;
  rig.add(light, WorldTransform{});
  expect_near(rig.at({}, {0, 1, 0}), {0.25F, 0.125F, 0.0625F});
  light.kind = scene::Light::Kind::directional;
  light.ambient_color = {0.25F, 0, 0};
  light.ambient_intensity = 0.5F;
  rig.add(light, WorldTransform{});
  expect_near(rig.at({}, {0, -1, 0}), {0.375F, 0.125F, 0.0625F});
  expect_near(rig.at({50, 60, 70}, {0, 0.6F, 0.8F}), {0.525F, 0.2F, 0.1F});
  light.intensity = 100;
  rig.add(light, WorldTransform{});
  EXPECT_EQ(rig.at({}, {0, 1, 0}), (Vec3{1, 1, 1})) << "no brighter than full";
}

// --- clocks
// --------------------------------------------------------------------------------------------------

TEST(FrameClock, WrappedTimesLieBelowThePeriod) {
  EXPECT_EQ(wrapped(0, 2), 0);
  EXPECT_EQ(wrapped(1.5, 2), 1.5);
  EXPECT_EQ(wrapped(2, 2), 0);
  EXPECT_EQ(wrapped(5, 2), 1);
  EXPECT_EQ(wrapped(-0.5, 2), 1.5);
  EXPECT_EQ(wrapped(-1e-30, 2), 0) << "which is not its end";
  EXPECT_EQ(wrapped(3, 0), 0);
  EXPECT_EQ(wrapped(3, -2), 0);
  EXPECT_EQ(wrapped(std::numeric_limits<double>::infinity(), 2), 0);
  EXPECT_EQ(wrapped(std::numeric_limits<double>::quiet_NaN(), 2), 0);
}

TEST(FrameClock, TicksReachBackAsLongAsALife) {
  const Ticks now({kNone, 1, 1}, 0.5);
  EXPECT_EQ(now.last(), 60);
  EXPECT_EQ(now.first(), 30);
  EXPECT_DOUBLE_EQ(now.age(0.25), 0.75);
  EXPECT_EQ(Ticks({kNone, 1, 1}, 0).first(), 60);
  EXPECT_EQ(Ticks({kNone, 1, 1}, -3).first(), 60);
  EXPECT_EQ(Ticks({kNone, 0, 0}, 1e9).first(), -300 * 60) << "no further than five minutes";
  EXPECT_EQ(Ticks({kNone, double{kNone32}, 0}, 1).last(), 0);
  EXPECT_EQ(Ticks({kNone, 1, 1}, double{kNone32}).first(), 60);
}

TEST(FrameClock, BirthsOfASteadyRateAreEvenlySpaced) {
  for (const double rate : {0.5, 7.0, 20.0, 60.0, 250.0}) {
    double last = 0;
    std::size_t count = 0;
    for (std::int64_t tick = 0; tick < 600; ++tick) {
      const Births births = births_at(tick, rate, 2048);
      for (std::uint32_t i = 0; i < births.count; ++i) {
        const double at = births.start + births.step * i;
        EXPECT_NEAR(at - last, 1 / rate, 1e-9) << rate;
        EXPECT_GT(at, static_cast<double>(tick) * kTick - 1e-9);
        EXPECT_LE(at, static_cast<double>(tick + 1) * kTick + 1e-9);
        last = at;
        ++count;
      }
    }
    EXPECT_NEAR(static_cast<double>(count), rate * 10, 1) << rate;
  }
  EXPECT_EQ(births_at(3, 0, 10).count, 0U);
  EXPECT_EQ(births_at(3, -5, 10).count, 0U);
  EXPECT_EQ(births_at(3, double{kNone32}, 10).count, 0U);
  EXPECT_EQ(births_at(3, std::numeric_limits<double>::infinity(), 10).count, 0U);
  EXPECT_EQ(births_at(3, 1e6, 10).count, 10U) << "at most";
}

/// A fountain that bursts with the keys of its rate.
std::uint32_t burst(scene::Curve curve, bool looping, double time, double life = 0.01, float duration = 2) {
  scene::Scene scene = test::empty_scene();
  scene.emitters.push_back(test::fountain(test::add_node(scene, scene::NodeKind::emitter, {})));
  scene.emitters[0].burst = true;
  scene.emitters[0].life_span = static_cast<float>(life);
  scene::Clip clip;
  clip.duration = duration;
  clip.looping = looping;
  scene::Channel channel;
  channel.target = {scene::Target::Kind::emitter, 0, 0};
  channel.property = scene::Property::emitter_rate;
  channel.curve = std::move(curve);
  channel.curve.components = 1;
  clip.channels.push_back(std::move(channel));
  scene.clips.push_back(std::move(clip));
  return evaluate(scene, {0, time, time}, test::front_camera()).particles;
}

TEST(FrameClock, KeysThatBeginSomethingBurst) {
  scene::Curve curve;
  curve.mode = scene::CurveMode::step;
  curve.times = {0, 1, 2};
  curve.values = {3, 5, 3};
  EXPECT_EQ(burst(curve, false, 1.001), 5U);
  EXPECT_EQ(burst(curve, false, 0.9), 0U);
  EXPECT_EQ(burst(curve, false, 0.001), 0U) << "the first only repeats the last";
  curve.values = {3.9F, 5, 4};
  EXPECT_EQ(burst(curve, false, 0.001), 3U) << "whole particles";
  curve.values = {-3, 5, 5};
  EXPECT_EQ(burst(curve, false, 0.001), 0U);
  curve.times = {0.5F};
  curve.values = {4};
  EXPECT_EQ(burst(curve, false, 0.501), 4U) << "one key is no repetition";
  curve.mode = scene::CurveMode::cubic;
  curve.values = {100, 6, 200};
  EXPECT_EQ(burst(curve, false, 0.501), 6U) << "between its tangents";
}

TEST(FrameClock, ALoopsFirstKeyBurstsInTheTickThatItEndsIn) {
  scene::Curve curve;
  curve.mode = scene::CurveMode::step;
  curve.times = {0, 1};
  curve.values = {3, 5};
  EXPECT_EQ(burst(curve, true, 1.988, 0.01, 1.99F), 3U);
  curve.times = {0.5F, 1};
  EXPECT_EQ(burst(curve, true, 1.988, 0.01, 1.99F), 0U);
}

TEST(FrameClock, WithoutKeysABurstIsOnceAtTheBeginning) {
  scene::Scene scene = test::empty_scene();
  scene.emitters.push_back(test::fountain(test::add_node(scene, scene::NodeKind::emitter, {})));
  scene.emitters[0].burst = true;
  scene.emitters[0].rate = 8.7F;
  scene.emitters[0].life_span = 1;
  const auto particles = [&](double time) {
    return evaluate(scene, {kNone, time, time}, test::front_camera()).particles;
  };
  EXPECT_EQ(particles(0.5), 8U);
  EXPECT_EQ(particles(1.5), 0U);
  EXPECT_EQ(particles(-0.1), 0U);
}

// --- lines over the picture
// --------------------------------------------------------------------------------------------------

Frame with_lines(const scene::Scene& scene, void (*ask)(Options&)) {
  Options options;
  options.surfaces = options.emitters = false;
  ask(options);
  return evaluate(scene, {}, test::front_camera(), options);
}

/// The farthest that lines of an origin reach on each axis.
Vec3 reach(const Frame& frame, Origin origin) {
  Vec3 most{};
  for (const Draw& draw : frame.draws) {
    for (std::uint32_t i = 0; draw.origin == origin && i < draw.vertex_count; ++i) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        most[axis] = std::max(most[axis], std::abs(frame.positions[draw.base_position + i][axis]));
      }
    }
  }
  return most;
}

TEST(FrameLines, ExtentsAreABoxAndASphere) {
  scene::Scene scene = test::empty_scene();
  scene.bounds = {{-1, -2, -3}, {4, 5, 6}, 0};
  Frame frame = with_lines(scene, [](Options& o) { o.extents = true; });
  ASSERT_EQ(frame.draws.size(), 1U);
  EXPECT_EQ(frame.draws[0].origin, Origin::extents);
  EXPECT_EQ(frame.draws[0].topology, Topology::lines);
  EXPECT_EQ(frame.draws[0].index_count, 24U) << "twelve edges";
  EXPECT_EQ(frame.draws[0].vertex_count, 24U);
  EXPECT_FALSE(frame.draws[0].depth_test);
  EXPECT_EQ(reach(frame, Origin::extents), (Vec3{4, 5, 6}));
  // Each edge goes along one axis, four of them along each.
  std::array<int, 3> along{};
  for (std::size_t i = 0; i < frame.indices.size(); i += 2) {
    const Vec3& a = frame.positions[frame.indices[i]];
    const Vec3& b = frame.positions[frame.indices[i + 1]];
    int differ = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      differ += a[axis] != b[axis] ? 1 : 0;
      along.at(axis) += a[axis] != b[axis] ? 1 : 0;
    }
    EXPECT_EQ(differ, 1);
  }
  EXPECT_EQ(along, (std::array<int, 3>{4, 4, 4}));
  scene.bounds.radius = 10;
  frame = with_lines(scene, [](Options& o) { o.extents = true; });
  EXPECT_EQ(frame.draws[0].index_count, 24U + 3 * 64) << "and three circles";
  const Vec3 sphere = reach(frame, Origin::extents);
  expect_near(sphere, {10, 10, 10});
  EXPECT_EQ(frame.triangles, 0U) << "lines are none";
}

TEST(FrameLines, TheGridGoesWithTheModelsSize) {
  const auto grid = [](float radius) {
    scene::Scene scene = test::empty_scene();
    scene.bounds.radius = radius;
    const Frame frame = with_lines(scene, [](Options& o) { o.grid = true; });
    EXPECT_EQ(frame.draws.at(0).index_count, 2U * 2 * 21);
    const Vec3 most = reach(frame, Origin::grid);
    EXPECT_EQ(most[1], 0);
    EXPECT_EQ(most[0], most[2]);
    return most[0];
  };
  for (const float radius : {0.003F, 0.02F, 0.7F, 1.0F, 3.0F, 9.9F, 10.0F, 42.0F, 5000.0F}) {
    EXPECT_GE(grid(radius), radius) << radius;
    EXPECT_LE(grid(radius), radius * 2) << radius;
  }
  EXPECT_GE(grid(0), 1e-3F) << "as of the least size that there is";
  EXPECT_LE(grid(0), 2e-3F);
  EXPECT_GE(grid(1e30F), 1e6F);
  EXPECT_LE(grid(1e30F), 2e6F);
}

TEST(FrameLines, BonesHaveACrossAndALineToTheirParent) {
  scene::Scene scene = test::empty_scene();
  scene.bounds.radius = 100;
  const auto hip = test::add_node(scene, scene::NodeKind::bone, {0, 10, 0});
  test::add_node(scene, scene::NodeKind::helper, {5, 0, 0}, hip);
  test::add_node(scene, scene::NodeKind::mesh, {9, 0, 0}, hip);
  Frame frame = with_lines(scene, [](Options& o) { o.bones = true; });
  ASSERT_EQ(frame.draws.size(), 1U);
  // Three lines each, one to the parent: a root is none, and a mesh is no bone.
  EXPECT_EQ(frame.draws[0].index_count, 2U * (3 + 3 + 1));
  expect_near(reach(frame, Origin::bones), {6, 11, 1});
  scene.bounds.radius = 0;
  frame = with_lines(scene, [](Options& o) { o.bones = true; });
  expect_near(reach(frame, Origin::bones), {5.25F, 10.25F, 0.25F});  // nothing else is to be seen
}

TEST(FrameLines, AMarkedNodeShowsItsAxes) {
  scene::Scene scene = test::empty_scene();
  scene.bounds.radius = 10;
  const auto node = test::add_node(scene, scene::NodeKind::bone, {20, 0, 0});
  scene.nodes[node].rest.scale = {3, 3, 3};
  Options options;
  options.marked_node = node;
  Frame frame = evaluate(scene, {}, test::front_camera(), options);
  ASSERT_EQ(frame.draws.size(), 3U);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const Draw& draw = frame.draws[axis];
    EXPECT_EQ(draw.index_count, 2U);
    EXPECT_EQ(draw.color[axis], 1);
    EXPECT_EQ(draw.color[(axis + 1) % 3], 0.25F);
    expect_near(frame.positions[draw.base_position], {20, 0, 0});
    Vec3 end = {20, 0, 0};
    end[axis] += 1.5F;  // as long whatever the node's size is
    expect_near(frame.positions[draw.base_position + 1], end);
  }
  options.marked_node = static_cast<Index>(scene.nodes.size());
  EXPECT_TRUE(evaluate(scene, {}, test::front_camera(), options).draws.empty());
}

TEST(FrameLines, ShapesOfCollision) {
  using Kind = scene::CollisionShape::Kind;
  const auto lines = [](Kind kind, std::size_t vertices, float radius) {
    scene::Scene scene = test::empty_scene();
    scene::CollisionShape shape;
    shape.kind = kind;
    shape.node = test::add_node(scene, scene::NodeKind::collision, {0, 100, 0});
    shape.radius = radius;
    shape.vertices.assign(vertices, Vec3{1, 2, 3});
    if (vertices > 1) {
      shape.vertices[1] = {1, 7, 3};
    }
    scene.collision_shapes.push_back(shape);
    const Frame frame = with_lines(scene, [](Options& o) { o.collision = true; });
    if (frame.draws.empty()) {
      return std::pair(0U, Vec3{});
    }
    return std::pair(frame.draws[0].index_count / 2, reach(frame, Origin::collision));
  };
  EXPECT_EQ(lines(Kind::box, 2, 0).first, 12U);
  EXPECT_EQ(lines(Kind::plane, 2, 0).first, 12U);
  EXPECT_EQ(lines(Kind::box, 1, 0).first, 0U);
  const auto sphere = lines(Kind::sphere, 1, 4);
  EXPECT_EQ(sphere.first, 96U);
  expect_near(sphere.second, {5, 106, 7});
  EXPECT_EQ(lines(Kind::sphere, 0, 4).first, 0U);
  const auto cylinder = lines(Kind::cylinder, 2, 4);
  EXPECT_EQ(cylinder.first, 2U * 32 + 4);
  expect_near(cylinder.second, {5, 107, 7});
  EXPECT_EQ(lines(Kind::cylinder, 1, 4).first, 0U);
}

TEST(FrameLines, SidesOfACylinderGoFromEndToEnd) {
  scene::Scene scene = test::empty_scene();
  scene::CollisionShape shape;
  shape.kind = scene::CollisionShape::Kind::cylinder;
  shape.node = test::add_node(scene, scene::NodeKind::collision, {0, 100, 0});
  shape.radius = 4;
  shape.vertices = {{1, 2, 3}, {1, 7, 3}};
  scene.collision_shapes.push_back(shape);
  const Frame frame = with_lines(scene, [](Options& o) { o.collision = true; });
  const Draw& draw = frame.draws.at(0);
  const auto end = [&](std::uint32_t from_last) {
    const std::uint32_t index = frame.indices.at(draw.first_index + draw.index_count - 1 - from_last);
    return frame.positions.at(draw.base_position + index);
  };
  for (std::uint32_t line = 0; line < 4; ++line) {
    const Vec3 top = end(line * 2);
    const Vec3 bottom = end(line * 2 + 1);
    expect_near(top, {bottom[0], 107, bottom[2]});
    EXPECT_NEAR(bottom[1], 102, 1e-4);
    EXPECT_NEAR(std::hypot(top[0] - 1, top[2] - 3), 4, 1e-4);
  }
}

TEST(FrameLines, EdgesOfAllTriangles) {
  scene::Scene scene = test::empty_scene();
  test::add_square(scene, 0, scene::kNone);
  const Frame frame = with_lines(scene, [](Options& o) { o.wireframe = true; });
  const auto edges = std::find_if(frame.draws.begin(), frame.draws.end(),
                                  [](const Draw& draw) { return draw.origin == Origin::wireframe; });
  ASSERT_NE(edges, frame.draws.end());
  ASSERT_EQ(edges->index_count, 2U * 3 * 2);
  const auto* first = &frame.indices.at(edges->first_index);
  EXPECT_EQ(std::vector<std::uint32_t>(first, first + 12),
            (std::vector<std::uint32_t>{0, 1, 1, 2, 2, 0, 0, 2, 2, 3, 3, 0}));
}

// --- cameras
// --------------------------------------------------------------------------------------------------

Vec3 projected(const Camera& camera, const Vec3& point) {
  const scene::Scene scene = test::empty_scene();
  const Frame frame = evaluate(scene, {}, camera);
  const auto times = [](const Mat4& m, const Vec4& v) {
    Vec4 result{};
    for (std::size_t row = 0; row < 4; ++row) {
      for (std::size_t column = 0; column < 4; ++column) {
        result[row] += m[column * 4 + row] * v[column];
      }
    }
    return result;
  };
  const Vec4 clip = times(frame.projection, times(frame.view, {point[0], point[1], point[2], 1}));
  return {clip[0] / clip[3], clip[1] / clip[3], clip[2] / clip[3]};
}

TEST(FrameCamera, PerspectiveReachesFromNearToFar) {
  Camera camera;
  camera.eye = {0, 0, 10};
  camera.near_clip = 2;
  camera.far_clip = 20;
  camera.aspect = 2;
  camera.field_of_view = 1.5707964F;
  expect_near(projected(camera, {0, 0, 8}), {0, 0, -1});
  expect_near(projected(camera, {0, 0, -10}), {0, 0, 1});
  expect_near(projected(camera, {0, 10, 0}), {0, 1, 0.7777778F});
  expect_near(projected(camera, {20, -10, 0}), {1, -1, 0.7777778F});
}

TEST(FrameCamera, ParallelProjectionSeesItsHeight) {
  Camera camera;
  camera.eye = {0, 0, 10};
  camera.near_clip = 2;
  camera.far_clip = 20;
  camera.aspect = 2;
  camera.height = 6;
  expect_near(projected(camera, {6, 3, 8}), {1, 1, -1});
  expect_near(projected(camera, {-6, -3, -10}), {-1, -1, 1});
  expect_near(projected(camera, {0, 0, -1}), {0, 0, 0});
  camera.height = 0.5F;
  expect_near(projected(camera, {0.5F, 0.25F, 8}), {1, 1, -1});
  // The viewer is a direction (w = 0) in parallel views, a position (w = 1) in perspective.
  const auto viewer = [&] { return evaluate(test::empty_scene(), {}, camera).illumination.viewer; };
  EXPECT_EQ(viewer(), (Vec4{0, 0, 1, 0}));
  camera.height = 0;
  EXPECT_EQ(viewer(), (Vec4{0, 0, 10, 1}));
}

TEST(FrameCamera, WhatACameraOfTheSceneSays) {
  scene::Scene scene = test::empty_scene();
  const auto node = test::add_node(scene, scene::NodeKind::camera, {0, 0, 10});
  scene::Camera source;
  source.node = node;
  source.target_node = test::add_node(scene, scene::NodeKind::helper, {0, 0, 4});
  source.field_of_view = 1;
  source.near_clip = 2;
  source.far_clip = 50;
  source.diagonal = true;
  scene.cameras.push_back(source);
  const auto camera = [&](float aspect) { return *scene_camera(scene, 0, {}, aspect); };
  expect_near(camera(1).eye, {0, 0, 10});
  expect_near(camera(1).target, {0, 0, 4});
  expect_near(camera(1).up, {0, 1, 0});
  EXPECT_FLOAT_EQ(camera(1).field_of_view, 1 / std::sqrt(2.0F));
  EXPECT_FLOAT_EQ(camera(2).field_of_view, 1 / std::sqrt(5.0F));
  EXPECT_EQ(camera(2).aspect, 2);
  EXPECT_EQ(camera(1).near_clip, 2);
  EXPECT_EQ(camera(1).far_clip, 50);
  scene.cameras[0].diagonal = false;  // across a picture of 16 by 9
  EXPECT_NEAR(camera(1).field_of_view, 2 * std::atan(std::tan(0.5) * 9 / 16), 1e-5);
  scene.cameras[0].target_node = kNone;
  expect_near(camera(1).target, {0, 0, 9});
  scene.cameras[0].near_clip = 0.5F;
  EXPECT_EQ(camera(1).near_clip, 0.5F);
  for (const auto& [near, far] : {std::pair(0.0F, 50.0F), std::pair(-1.0F, 50.0F), std::pair(2.0F, 2.0F)}) {
    scene.cameras[0].near_clip = near;
    scene.cameras[0].far_clip = far;
    EXPECT_FLOAT_EQ(camera(1).near_clip, 0.02F);
    EXPECT_FLOAT_EQ(camera(1).far_clip, 100);
  }
  for (const float angle : {0.0F, 0.001F, kNone32}) {
    scene.cameras[0].field_of_view = angle;
    EXPECT_EQ(camera(1).field_of_view, Camera().field_of_view);
  }
  scene.cameras[0].diagonal = true;
  scene.cameras[0].field_of_view = 3;
  EXPECT_EQ(camera(0).field_of_view, Camera().field_of_view);
  EXPECT_FALSE(scene_camera(scene, 1, {}, 1));
}

TEST(FrameCamera, PlanesOfACameraThatSeesEverythingStandOffIt) {
  const scene::Scene scene = test::filter_scene(scene::BlendMode::opaque);
  const Evaluator evaluator(scene);
  const Camera camera = auto_camera(evaluator, scene, kNone, {}, 1);
  const auto eye = scene::widen(camera.eye);
  const auto direction = scene::subtract(scene::widen(camera.target), eye);
  const double away = scene::length(direction);
  double nearest = 1e300;
  double farthest = 0;
  const Frame frame = evaluator.evaluate({}, camera, {});
  for (const Vec3& point : frame.positions) {
    const double depth = scene::dot(scene::subtract(scene::widen(point), eye), direction) / away;
    nearest = std::min(nearest, depth);
    farthest = std::max(farthest, depth);
  }
  EXPECT_NEAR(away, (nearest + farthest) / 2, 1e-4 * away);
  EXPECT_NEAR(camera.near_clip, std::max(nearest, away * 0.02) * 0.8, 1e-3 * away);
  EXPECT_NEAR(camera.far_clip, farthest * 1.5 + away * 0.5, 1e-3 * away);
}

TEST(FrameCamera, PortraitsAreKnownByTheirName) {
  scene::Scene scene;
  EXPECT_FALSE(portrait_camera(scene));
  scene.cameras.resize(3);
  EXPECT_EQ(portrait_camera(scene), 0U);
  scene.cameras[1].name = "My PORTRAIT cam";
  scene.cameras[2].name = "portrait";
  EXPECT_EQ(portrait_camera(scene), 1U);
}

TEST(FrameCamera, ClipsAreFoundByNameNumberAndBeginning) {
  scene::Scene scene;
  for (const char* name : {"Stand Ready", "Stand", "1", "Walk"}) {
    scene.clips.emplace_back().name = name;
  }
  EXPECT_EQ(find_clip(scene, "stand"), 1U) << "the whole name before one that begins so";
  EXPECT_EQ(find_clip(scene, "STA"), 0U);
  EXPECT_EQ(find_clip(scene, "1"), 2U) << "a name before a number";
  EXPECT_EQ(find_clip(scene, "0"), 0U);
  EXPECT_EQ(find_clip(scene, "3"), 3U);
  EXPECT_FALSE(find_clip(scene, "4"));
  EXPECT_FALSE(find_clip(scene, ""));
  EXPECT_FALSE(find_clip(scene, "Death"));
}

TEST(FrameBytes, SharesBecomeBytes) {
  EXPECT_EQ(to_byte(0), 0);
  EXPECT_EQ(to_byte(1), 255);
  EXPECT_EQ(to_byte(0.5F), 128);
  EXPECT_EQ(to_byte(-1), 0);
  EXPECT_EQ(to_byte(7), 255);
  EXPECT_EQ(to_byte(0.49F / 255), 0);
  EXPECT_EQ(to_byte(0.51F / 255), 1);
  EXPECT_EQ(to_byte(254.6F / 255), 255);
  EXPECT_EQ(to_byte(kNone32), 0);
}

}  // namespace
}  // namespace thaw::frame
