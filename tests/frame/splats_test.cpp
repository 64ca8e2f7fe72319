// Marks that events lay on the ground: when, where, in which colour and cell.
#include <thaw/frame.hpp>

#include <gtest/gtest.h>

#include <array>

namespace thaw::frame {
namespace {

/// A foot that steps at 0.25 and 0.75 s of a clip of a second that lies from 1000 ms on, and moves along X.
scene::Scene walker(bool looping) {
  scene::Scene scene;
  scene.axes = scene::Axes::x_right;
  scene.nodes.resize(2);
  scene.nodes[1].parent = 0;
  scene.nodes[1].kind = scene::NodeKind::event;
  scene.nodes[1].rest.translation = {0, 3, 0};
  scene::Clip& clip = scene.clips.emplace_back();
  clip.name = "Walk";
  clip.duration = 1;
  clip.looping = looping;
  clip.interval = scene::Interval{1000, 2000};
  scene::Channel& channel = clip.channels.emplace_back();
  channel.target.index = 1;
  channel.curve.components = 3;
  channel.curve.times = {0, 1};
  channel.curve.values = {0, 3, 0, 8, 3, 0};
  scene.events.push_back({1, "FPTxFOOT", scene::kNone, {500, 1250, 1750, 2500}});
  scene::Splat& splat = scene.splats.emplace_back();
  splat.event = 0;
  splat.scale = 0.5F;
  splat.birth = 0.5F;
  splat.pause = 0.25F;
  splat.decay = 0.5F;
  splat.rows = splat.columns = 2;
  splat.birth_cells = {0, 2, 1};
  splat.decay_cells = {3, 3, 1};
  splat.colors = {{{1, 0, 0, 1}, {0, 1, 0, 1}, {0, 0, 1, 0}}};
  return scene;
}

Frame at(const scene::Scene& scene, double time) { return evaluate(scene, {0, time, time}, {}); }

Vec3 middle(const Frame& frame, const Draw& draw) {
  Vec3 sum{};
  for (std::uint32_t i = 0; i < draw.vertex_count; ++i) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      sum.at(axis) += frame.positions.at(draw.base_position + i).at(axis) / 4;
    }
  }
  return sum;
}

TEST(Splats, LieWhereTheNodeWasWhenTheEventHappened) {
  const scene::Scene scene = walker(false);
  EXPECT_TRUE(at(scene, 0.2).draws.empty()) << "not yet";
  const Frame frame = at(scene, 0.8);
  ASSERT_EQ(frame.draws.size(), 2U);
  for (const Draw& draw : frame.draws) {
    EXPECT_EQ(draw.origin, Origin::splat);
    EXPECT_EQ(draw.object, 0U);
    EXPECT_FALSE(draw.depth_write);
  }
  const Vec3 first = middle(frame, frame.draws[0]);
  const Vec3 second = middle(frame, frame.draws[1]);
  EXPECT_NEAR(first[0], 2, 1e-5);
  EXPECT_NEAR(second[0], 6, 1e-5);
  EXPECT_LT(first[1], 0.01F) << "on the ground, not at the node";
  EXPECT_GT(first[1], 0);
  // Half a metre around it, from corner to corner.
  const std::array<Vec2, 4> corners = {{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}};
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vec3& corner = frame.positions.at(frame.draws[0].base_position + i);
    EXPECT_NEAR(corner[0], first[0] + corners.at(i)[0] / 2, 1e-5);
    EXPECT_NEAR(corner[2], first[2] - corners.at(i)[1] / 2, 1e-5);
  }
  EXPECT_EQ(at(scene, 1.6).draws.size(), 1U) << "the first is gone, the second stays behind the clip's end";
  EXPECT_TRUE(at(scene, 2.1).draws.empty());
}

TEST(Splats, StandOnEdgeWithTheirNode) {
  scene::Scene scene = walker(false);
  scene.nodes[1].rest.rotation = {0.70710678F, 0, 0, 0.70710678F};
  const Frame frame = at(scene, 0.3);
  const Draw& draw = frame.draws.at(0);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(frame.positions.at(draw.base_position + i)[2], 0, 1e-5);
  }
}

TEST(Splats, FadeFromColourToColour) {
  const scene::Scene scene = walker(false);
  const auto color = [&](double age) { return at(scene, 0.25 + age).draws.at(0).color; };
  EXPECT_EQ(color(0), (Vec4{1, 0, 0, 1}));
  EXPECT_NEAR(color(0.25)[0], 0.5F, 1e-5);
  EXPECT_NEAR(color(0.25)[1], 0.5F, 1e-5);
  EXPECT_EQ(color(0.6), (Vec4{0, 1, 0, 1})) << "it stays";
  EXPECT_NEAR(color(1)[2], 0.5F, 1e-5);
  EXPECT_NEAR(color(1)[3], 0.5F, 1e-5);
}

TEST(Splats, RunThroughCells) {
  const scene::Scene scene = walker(false);
  const Frame first = at(scene, 0.3);
  const std::array<Vec2, 4> corners = {{{0, 0.5F}, {0.5F, 0.5F}, {0.5F, 0}, {0, 0}}};
  for (std::size_t i = 0; i < corners.size(); ++i) {
    EXPECT_EQ(first.uvs.at(first.draws.at(0).base_uv + i), corners.at(i)) << i;
  }
  const auto corner = [&](double age) {
    const Frame frame = at(scene, 0.25 + age);
    const Vec2& uv = frame.uvs.at(frame.draws.at(0).base_uv);  // left, bottom
    return std::pair(uv[0], uv[1]);
  };
  EXPECT_EQ(corner(0.1), std::pair(0.0F, 0.5F));
  EXPECT_EQ(corner(0.3), std::pair(0.5F, 0.5F));
  EXPECT_EQ(corner(0.9), std::pair(0.5F, 1.0F)) << "another run";
}

TEST(Splats, OfALoopHaveAlwaysBeenThere) {
  const scene::Scene scene = walker(true);
  const Frame start = at(scene, 0);
  ASSERT_EQ(start.draws.size(), 2U) << "those of the turns before";
  EXPECT_EQ(at(scene, 5).draws.size(), 2U);
  EXPECT_EQ(start.positions, at(scene, 5).positions);
  scene::Scene long_lived = scene;
  long_lived.splats[0].pause = 2.25F;
  EXPECT_EQ(at(long_lived, 0).draws.size(), 6U);
}

TEST(Splats, BelongToTheirClipOrLoop) {
  scene::Scene scene = walker(false);
  EXPECT_TRUE(evaluate(scene, {kNone, 0.8, 0.8}, {}).draws.empty()) << "at rest nothing happens";
  Options without;
  without.emitters = false;
  EXPECT_TRUE(evaluate(scene, {0, 0.8, 0.8}, {}, without).draws.empty());
  scene.clips.emplace_back(scene.clips[0]).global = true;
  scene.clips[1].looping = true;
  scene.clips[1].channels.clear();
  scene.events[0].global_loop = 1;
  scene.events[0].frames = {500};
  EXPECT_EQ(evaluate(scene, {kNone, 0, 0.6}, {}).draws.size(), 2U) << "0.1 and 1.1 seconds old";
  scene.events[0].node = 9;
  EXPECT_TRUE(evaluate(scene, {kNone, 0, 0.6}, {}).draws.empty());
}

/// A square that is there for half a second.
std::shared_ptr<const scene::Scene> splash() {
  auto scene = std::make_shared<scene::Scene>();
  scene->nodes.resize(1);
  scene::Mesh& mesh = scene->meshes.emplace_back();
  mesh.node = 0;
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  mesh.indices = {0, 1, 2};
  mesh.parts = {{0, 3, scene::kNone}};
  scene::Clip& clip = scene->clips.emplace_back();
  clip.name = "Birth";
  clip.duration = 0.5F;
  return scene;
}

TEST(Splats, SpawnedModelsPlayTheirClipWhereTheEventHappened) {
  scene::Scene scene = walker(false);
  scene.splats.clear();
  scene.events[0].model = "Objects\\Splash.mdl";
  const Evaluator evaluator(scene, {{"objects/splash", splash()}});
  const auto places = [&](double time) {
    std::vector<float> result;
    const Frame frame = evaluator.evaluate({0, time, time}, {});
    for (const Draw& draw : frame.draws) {
      result.push_back(frame.positions.at(draw.base_position)[0]);
    }
    return result;
  };
  using Places = std::vector<float>;
  EXPECT_EQ(places(0.2), Places());
  EXPECT_EQ(places(0.3), (Places{2})) << "as the node stood after a quarter of a second";
  EXPECT_EQ(places(0.7), (Places{2}));
  EXPECT_EQ(places(0.74), (Places{2}));
  EXPECT_EQ(places(0.8), (Places{6}));
  EXPECT_EQ(places(1.0), (Places{6}));
}

}  // namespace
}  // namespace thaw::frame
