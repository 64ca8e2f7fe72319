// What is drawn in place of pictures and models that were not found.
#include <thaw/control.hpp>

#include "frame/scenes.hpp"
#include "frame/stand_in.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace thaw::frame {
namespace {

using scene::BlendMode;
using scene::NodeKind;

/// The spot's picture was not found.
scene::Scene scene_with_a_loss() {
  scene::Scene scene = test::empty_scene();
  scene.images[1].placeholder = true;
  return scene;
}

struct Seen {
  Frame frame;
  Index soft = kNone;  ///< the picture of soft spots

  explicit Seen(const scene::Scene& scene, const PlayTime& moment = {}) {
    const Evaluator evaluator(scene);
    frame = evaluator.evaluate(moment, test::front_camera());
    soft = static_cast<Index>(evaluator.images().size() - 1);
  }
};

scene::Scene fountain_scene(BlendMode blend) {
  scene::Scene scene = scene_with_a_loss();
  const auto node = test::add_node(scene, NodeKind::emitter, {});
  scene.emitters.push_back(test::fountain(node));
  scene.emitters[0].blend = blend;
  scene.emitters[0].rows = scene.emitters[0].columns = 4;
  scene.clips.push_back(test::turning_clip(node));
  scene.clips[0].looping = true;
  return scene;
}

TEST(StandIn, ParticlesWithoutTheirPictureAreWholeSpots) {
  const Seen seen(fountain_scene(BlendMode::additive), {0, 1, 1});
  ASSERT_EQ(seen.frame.draws.size(), 1U);
  const Draw& draw = seen.frame.draws[0];
  EXPECT_EQ(draw.texture.image, seen.soft);
  EXPECT_EQ(draw.blend, Blend::add);
  EXPECT_EQ(seen.frame.stand_ins, 1U);
  ASSERT_GE(seen.frame.uvs.size(), 4U);
  EXPECT_EQ(seen.frame.uvs[0], (Vec2{1, 0})) << "not one of sixteen cells";
  EXPECT_EQ(seen.frame.uvs[2], (Vec2{0, 1}));
}

TEST(StandIn, WhatWouldOnlyDarkenHasItsOwnColor) {
  const Seen seen(fountain_scene(BlendMode::modulate), {0, 1, 1});
  ASSERT_EQ(seen.frame.draws.size(), 1U);
  EXPECT_EQ(seen.frame.draws[0].blend, Blend::alpha);
  EXPECT_EQ(seen.frame.draws[0].alpha_cutoff, 0);
}

TEST(StandIn, WithItsPictureNothingStandsIn) {
  scene::Scene scene = fountain_scene(BlendMode::additive);
  scene.images[1].placeholder = false;
  const Seen seen(scene, {0, 1, 1});
  ASSERT_EQ(seen.frame.draws.size(), 1U);
  EXPECT_EQ(seen.frame.draws[0].texture.image, 1U);
  EXPECT_EQ(seen.frame.stand_ins, 0U);
}

TEST(StandIn, RibbonsAreSoftAcross) {
  scene::Scene scene = test::ribbon_scene(BlendMode::additive);
  scene.images[1].placeholder = true;
  const Seen seen(scene, {0, 1, 1});
  ASSERT_EQ(seen.frame.draws.size(), 1U);
  EXPECT_EQ(seen.frame.draws[0].texture.image, seen.soft);
  EXPECT_EQ(seen.frame.draws[0].uv_matrix, (std::array<float, 6>{0, 0, 0, 1, 0.5F, 0}));
}

TEST(StandIn, AGlowThatIsAllOfAPartIsASpotOrAFaintForm) {
  scene::Scene scene = scene_with_a_loss();
  const auto node = test::add_node(scene, NodeKind::mesh, {});
  test::add_square(scene, node, test::add_material(scene, BlendMode::additive, 1));
  const Seen spot(scene);
  ASSERT_EQ(spot.frame.draws.size(), 1U);
  EXPECT_EQ(spot.frame.draws[0].texture.image, spot.soft);
  EXPECT_EQ(spot.frame.draws[0].color[3], 1);

  scene.meshes[0].uv_sets[0] = {{0, 4}, {4, 4}, {4, 0}, {0, 0}};  // the picture sixteen times
  const Seen form(scene);
  ASSERT_EQ(form.frame.draws.size(), 1U);
  EXPECT_EQ(form.frame.draws[0].texture.image, kNone);
  EXPECT_LT(form.frame.draws[0].color[3], 0.5F);
  EXPECT_EQ(form.frame.stand_ins, 1U);

  // Beside a body it would be a bright box that nobody made.
  test::add_square(scene, node, test::add_material(scene, BlendMode::opaque, 0));
  const Seen body(scene);
  ASSERT_EQ(body.frame.draws.size(), 1U);
  EXPECT_EQ(body.frame.draws[0].blend, Blend::none);
  EXPECT_EQ(body.frame.stand_ins, 0U);
}

TEST(StandIn, OtherGlowsReflectionsAndShadowsAreLeftOut) {
  scene::Scene scene = scene_with_a_loss();
  const auto node = test::add_node(scene, NodeKind::mesh, {});
  const auto material = test::add_material(scene, BlendMode::additive, 1);
  test::add_square(scene, node, material);
  scene::Layer skin;
  skin.texture = 0;
  scene.materials[material].layers.push_back(skin);
  EXPECT_EQ(Seen(scene).frame.draws.size(), 1U) << "the skin alone";
  scene.materials[material].layers.pop_back();
  scene.materials[material].layers[0].sphere_map = true;
  EXPECT_TRUE(Seen(scene).frame.draws.empty());
  scene.materials[material].layers[0].sphere_map = false;
  scene.materials[material].layers[0].blend = BlendMode::modulate;
  EXPECT_TRUE(Seen(scene).frame.draws.empty());
}

TEST(StandIn, GreyWithoutLightIsLit) {
  scene::Scene scene = scene_with_a_loss();
  const auto node = test::add_node(scene, NodeKind::mesh, {});
  const auto material = test::add_material(scene, BlendMode::opaque, 1);
  scene.materials[material].layers[0].unshaded = true;
  test::add_square(scene, node, material);
  EXPECT_NE(Seen(scene).frame.draws.at(0).base_color, kNone);
  scene.images[1].placeholder = false;
  EXPECT_EQ(Seen(scene).frame.draws.at(0).base_color, kNone);
}

TEST(StandIn, ModelsThatAreThrownAndNotThereAreSparks) {
  scene::Scene scene = fountain_scene(BlendMode::blend);
  scene.emitters[0].kind = scene::Emitter::Kind::models;
  scene.emitters[0].path = "nowhere";
  const Seen seen(scene, {0, 1, 1});
  ASSERT_EQ(seen.frame.draws.size(), 1U);
  EXPECT_EQ(seen.frame.draws[0].texture.image, seen.soft);
  EXPECT_EQ(seen.frame.draws[0].blend, Blend::add);
  EXPECT_GT(seen.frame.particles, 10U);
}

TEST(StandIn, SparksHaveNoPicture) {
  scene::Emitter emitter;
  emitter.kind = scene::Emitter::Kind::models;
  emitter.replaceable_id = 2;
  emitter.model_space = true;
  const scene::Emitter sparks = as_sprites(test::empty_scene(), emitter);
  EXPECT_EQ(sparks.kind, scene::Emitter::Kind::sprites);
  EXPECT_EQ(sparks.texture, scene::kNone);
  EXPECT_EQ(sparks.replaceable_id, 0U);
  EXPECT_FALSE(sparks.model_space);
  EXPECT_EQ(sparks.colors[0], (Vec3{1, 0.85F, 0.6F}));
  emitter.texture = 0;
  for (const Vec3& color : as_sprites(test::empty_scene(), emitter).colors) {
    EXPECT_EQ(color, (Vec3{1, 1, 1})) << "a picture has its own";
  }
}

TEST(StandIn, AThrownPictureIsDrawnAsSprites) {
  scene::Scene scene = fountain_scene(BlendMode::additive);
  scene.emitters[0].kind = scene::Emitter::Kind::models;
  scene.emitters[0].texture = 0;
  const Seen seen(scene, {0, 1, 1});
  ASSERT_EQ(seen.frame.draws.size(), 1U);
  EXPECT_EQ(seen.frame.draws[0].texture.image, scene.textures[0].image);
  EXPECT_EQ(seen.frame.draws[0].blend, Blend::alpha);
  EXPECT_EQ(seen.frame.stand_ins, 0U);
  EXPECT_GT(seen.frame.particles, 10U);
  scene.emitters[0].path = "nowhere";  // of a model, whatever picture is named beside it
  EXPECT_EQ(Seen(scene, {0, 1, 1}).frame.stand_ins, 1U);
}

TEST(StandIn, AnEffectIsOneGlowInItsColorWhileItIsOn) {
  scene::Scene scene = scene_with_a_loss();
  scene::Emitter effect;
  effect.kind = scene::Emitter::Kind::effect;
  effect.node = test::add_node(scene, NodeKind::emitter, {0, 1, 0});
  effect.color = {1, 0.5F, 0};
  effect.rate = effect.life_span = effect.speed = 1;
  scene.emitters.push_back(effect);
  const Seen seen(scene);
  ASSERT_EQ(seen.frame.draws.size(), 1U);
  EXPECT_EQ(seen.frame.particles, 1U);
  ASSERT_EQ(seen.frame.colors.size(), 4U);
  EXPECT_EQ(seen.frame.colors[0], (std::array<std::uint8_t, 4>{255, 128, 0, 255}));
  float middle = 0;
  for (const Vec3& corner : seen.frame.positions) {
    middle += corner[1] / 4;
  }
  EXPECT_NEAR(middle, 1, 1e-5F);
  const auto size = [&] {
    const Frame frame = Seen(scene).frame;
    return frame.positions.at(2)[1] - frame.positions.at(0)[1];
  };
  const float usual = size();
  scene.emitters[0].speed = 3;
  EXPECT_FLOAT_EQ(size(), 2 * usual) << "what flies farther";
  scene.emitters[0].speed = 1;
  scene.emitters[0].life_span = 0.5F;
  EXPECT_FLOAT_EQ(size(), 0.75F * usual);
  EXPECT_EQ(Seen(scene).frame.colors[0][3], 128) << "half as many are there";
  scene.emitters[0].rate = 2;
  EXPECT_EQ(Seen(scene).frame.colors[0][3], 255);
  scene.emitters[0].life_span = 0;
  EXPECT_TRUE(Seen(scene).frame.draws.empty());
  scene.emitters[0].life_span = 1;
  scene.emitters[0].rate = 0;
  EXPECT_TRUE(Seen(scene).frame.draws.empty());
  scene.emitters[0].rate = 1;
  scene.emitters[0].alpha = 0;
  EXPECT_TRUE(Seen(scene).frame.draws.empty());
}

TEST(StandIn, ScenesOfOtherNodesShowThem) {
  scene::Scene scene = test::empty_scene();
  test::add_node(scene, NodeKind::attachment, {1, 0, 0});
  Options bones;
  bones.bones = true;
  const Evaluator evaluator(scene);
  EXPECT_EQ(evaluator.evaluate({}, test::front_camera(), bones).draws.at(0).index_count, 6U);
  scene::Scene other = scene;
  test::add_node(other, NodeKind::bone, {0, 5, 0});
  const Evaluator with_bone(other);
  const Frame frame = with_bone.evaluate({}, test::front_camera(), bones);
  EXPECT_EQ(frame.draws.at(0).index_count, 6U) << "of the bone alone";
  EXPECT_NEAR(frame.positions.at(0)[1], 5, 0.2F);
}

float distance_of(const Camera& camera) {
  const Vec3 d = {camera.eye[0] - camera.target[0], camera.eye[1] - camera.target[1],
                  camera.eye[2] - camera.target[2]};
  return std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

TEST(FrameCamera, AGeosetThatIsHardlyMoreThanAPointIsNotWhatIsFramed) {
  scene::Scene scene = fountain_scene(BlendMode::additive);
  const auto node = test::add_node(scene, NodeKind::mesh, {});
  test::add_square(scene, node, test::add_material(scene, BlendMode::blend, 0), 1e-4F);
  EXPECT_GT(distance_of(auto_camera(Evaluator(scene), scene, 0, {}, 1)), 1);
}

TEST(FrameCamera, AGeosetThatIsALineIsFramed) {
  for (const auto& [across, up] : {std::pair(1.0F, 1e-4F), std::pair(1e-4F, 1.0F)}) {
    scene::Scene alone = test::empty_scene();
    scene::Scene with_sparks = fountain_scene(BlendMode::additive);
    for (scene::Scene* scene : {&alone, &with_sparks}) {
      const auto node = test::add_node(*scene, NodeKind::mesh, {});
      test::add_square(*scene, node, test::add_material(*scene, BlendMode::opaque, 0));
      for (Vec3& corner : scene->meshes.back().positions) {
        corner = {0, corner[1] * up, corner[2] * across};
      }
    }
    EXPECT_FLOAT_EQ(distance_of(auto_camera(Evaluator(with_sparks), with_sparks, 0, {}, 1)),
                    distance_of(auto_camera(Evaluator(alone), alone, kNone, {}, 1)))
        << across;
  }
}

TEST(FrameCamera, OneMomentAloneCanBeFramed) {
  scene::Scene scene = test::empty_scene();
  const auto node = test::add_node(scene, NodeKind::mesh, {});
  test::add_square(scene, node, test::add_material(scene, BlendMode::opaque, 0));
  scene::Clip flight;
  flight.duration = 1;
  scene::Channel path;
  path.target = {scene::Target::Kind::node, node, 0};
  path.property = scene::Property::translation;
  path.curve.components = 3;
  path.curve.times = {0, 1};
  path.curve.values = {0, 0, 0, 0, 40, 0};
  flight.channels.push_back(path);
  scene.clips.push_back(flight);
  const Evaluator evaluator(scene);
  View end;
  end.moment = 1;
  const Camera near = auto_camera(evaluator, scene, 0, end, 1);
  EXPECT_NEAR(near.target[1], 40, 1);
  EXPECT_LT(distance_of(near) * 4, distance_of(auto_camera(evaluator, scene, 0, {}, 1)));
}

TEST(FrameCamera, AStopEndsTheFraming) {
  scene::Scene scene = test::empty_scene();
  test::add_square(scene, test::add_node(scene, NodeKind::mesh, {}),
                   test::add_material(scene, BlendMode::opaque, 0));
  const Evaluator evaluator(scene);
  Control control;
  control.stop();
  Options options;
  options.control = &control;
  const Frame frame = evaluator.evaluate({}, test::front_camera(), options);
  EXPECT_TRUE(frame.draws.empty());
  EXPECT_FALSE(frame.complete);
  EXPECT_TRUE(std::isfinite(auto_camera(evaluator, scene, kNone, {}, 1, options).eye[0]));
}

}  // namespace
}  // namespace thaw::frame
