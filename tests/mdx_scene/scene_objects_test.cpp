// Lights, emitters, ribbons, events, shapes and cameras with their units and tracks.

#include <gtest/gtest.h>
#include <thaw/mdx.hpp>

#include "scene/curve.hpp"
#include "scene/math.hpp"
#include "support/mdx_objects.hpp"
#include "support/promises.hpp"

#include <algorithm>
#include <cmath>

namespace thaw {
namespace {

using mdx::Interpolation;
using scene::Property;
using scene::Target;
using test::make_node;
using test::make_track;

constexpr float kPi = 3.14159265F;

scene::Scene convert(const mdx::Document& document, Diagnostics& diagnostics) {
  mdx::SceneOptions options;
  options.scale = 0.5F;
  auto scene = mdx::to_scene(document, options, diagnostics);
  EXPECT_EQ(test::problems_of(scene), std::vector<std::string>{});
  return scene;
}

scene::Scene convert(const mdx::Document& document) {
  Diagnostics diagnostics;
  return convert(document, diagnostics);
}

/// The first value of a property's curve in the first clip; nothing if there is none.
std::vector<float> first_value(const scene::Scene& scene, Property property) {
  for (const auto& channel : scene.clips.at(0).channels) {
    if (channel.property == property) {
      const auto& values = channel.curve.values;
      return {values.begin(), values.begin() + channel.curve.components};
    }
  }
  return {};
}

using Values = std::vector<float>;

/// A track of one key in the sequence 0…1000.
mdx::Track constant(std::string_view tag, std::vector<float> value) {
  return make_track(tag, Interpolation::linear, {{500, std::move(value)}});
}

mdx::Sequences one_sequence() {
  return test::list_of<mdx::Sequence>({test::make_sequence("Stand", 0, 1000)});
}

mdx::Camera camera_of(std::string_view name, mdx::Tracks tracks) {
  mdx::Camera camera;
  camera.name.assign(name);
  camera.position = {200, 10, 120};
  camera.target = {0, 0, 80};
  camera.field_of_view = 0.75F;
  camera.near_clip = 8;
  camera.far_clip = 1000;
  camera.tracks = std::move(tracks);
  return camera;
}

TEST(SceneObjects, LightsKeepTheirMeaningAndChangeUnits) {
  mdx::Light light;
  light.node = make_node("light", 0);
  light.type = 513;  // the node flag was left in it
  light.attenuation_start = 80;
  light.attenuation_end = 200;
  light.color = {0.25F, 0.5F, 0.75F};
  light.tracks = {constant("KLAE", {300}), constant("KLAC", {0.125F, 0.25F, 0.5F}), constant("KLAV", {0})};
  const auto scene = convert(test::make_document(one_sequence(), test::list_of<mdx::Light>({light})));
  ASSERT_EQ(scene.lights.size(), 1U);
  EXPECT_EQ(scene.lights[0].kind, scene::Light::Kind::directional);
  EXPECT_EQ(scene.lights[0].attenuation_start, 40);
  EXPECT_EQ(scene.lights[0].color, (Vec3{0.25F, 0.5F, 0.75F}));
  EXPECT_EQ(first_value(scene, Property::light_attenuation_end), (Values{150}));
  EXPECT_EQ(first_value(scene, Property::light_color), (Values{0.5F, 0.25F, 0.125F}));
  EXPECT_EQ(first_value(scene, Property::visibility), (Values{0}));
}

TEST(SceneObjects, ExtrasOfLightsAreThoseOfTheVersion) {
  mdx::Light light;
  light.node = make_node("light", 0);
  const auto has = [&](std::uint32_t version, std::string_view name) {
    const auto scene =
        convert(test::make_document(mdx::Version{version}, test::list_of<mdx::Light>({light})));
    return scene.nodes.at(scene.lights.at(0).node).extras.find(name) != nullptr;
  };
  EXPECT_FALSE(has(1100, "shadowIntensity"));
  EXPECT_TRUE(has(1200, "shadowIntensity"));
  EXPECT_FALSE(has(1200, "shadowCasting"));
  EXPECT_TRUE(has(1300, "shadowCasting"));
  EXPECT_FALSE(has(1500, "damping"));
  EXPECT_TRUE(has(1600, "damping"));
}

TEST(SceneObjects, SpriteEmittersUseDegreesAndModelEmittersRadians) {
  mdx::ParticleEmitter2 sprites;
  sprites.node = make_node("sprites", 0);
  sprites.node.flags = mdx::node_flag::kUnshaded | mdx::node_flag::kPre2ModelSpace;
  sprites.latitude = 90;
  sprites.speed = 10;
  sprites.length = 4;
  sprites.width = 6;
  sprites.filter = mdx::ParticleEmitter2::Filter::alpha_key;
  sprites.shape = static_cast<mdx::ParticleEmitter2::Shape>(1698164);
  sprites.segment_alphas = {255, 51, 0};
  sprites.segment_scales = {2, 4, 6};
  sprites.tracks = {constant("KP2L", {180}), constant("KP2S", {20}), constant("KP2N", {8}),
                    constant("KP2V", {1})};
  mdx::ParticleEmitter models;
  models.node = make_node("models", 1);
  models.latitude = 0.5F;
  models.gravity = 30;
  models.path.assign("a\\b.mdl");
  Diagnostics diagnostics;
  const auto scene =
      convert(test::make_document(one_sequence(), test::list_of<mdx::ParticleEmitter2>({sprites}),
                                  test::list_of<mdx::ParticleEmitter>({models})),
              diagnostics);
  ASSERT_EQ(scene.emitters.size(), 2U);
  EXPECT_EQ(scene.emitters[0].kind, scene::Emitter::Kind::models);
  EXPECT_EQ(scene.emitters[0].latitude, 0.5F);
  EXPECT_EQ(scene.emitters[0].gravity, 15);
  EXPECT_EQ(scene.emitters[0].path, "a\\b.mdl");
  const auto& emitter = scene.emitters[1];
  EXPECT_FLOAT_EQ(emitter.latitude, kPi / 2);
  EXPECT_EQ(emitter.length, 2);
  EXPECT_EQ(emitter.width, 3);
  EXPECT_TRUE(emitter.alpha_key && emitter.unshaded && emitter.model_space);
  EXPECT_FALSE(emitter.line);
  EXPECT_EQ(emitter.shape, scene::Emitter::Shape::head);
  EXPECT_EQ(emitter.alphas, (Vec3{1, 0.2F, 0}));
  EXPECT_EQ(emitter.scales, (Vec3{1, 2, 3}));
  EXPECT_EQ(emitter.texture, scene::kNone);
  EXPECT_EQ(diagnostics.count(Severity::warning), 2U);  // no texture, no pivots
  EXPECT_FLOAT_EQ(first_value(scene, Property::emitter_latitude).at(0), kPi);
  EXPECT_EQ(first_value(scene, Property::emitter_speed), (Values{10}));
  EXPECT_EQ(first_value(scene, Property::emitter_length), (Values{4}));
  EXPECT_EQ(first_value(scene, Property::visibility), (Values{}));  // 1 is what it is at rest
}

TEST(SceneObjects, EmittersThatUseATgaThrowItsPicture) {
  mdx::ParticleEmitter emitter;
  emitter.node = make_node("dust", 0);
  emitter.path.assign("Textures\\Dust.tga");
  const auto made = [&](std::uint32_t flags) {
    emitter.node.flags = flags;
    return convert(test::make_document(test::list_of<mdx::ParticleEmitter>({emitter})));
  };
  using namespace mdx::node_flag;
  for (const std::uint32_t flags : {std::uint32_t{kPremUsesTga}, kPremUsesTga | kPremUsesMdl}) {
    const auto scene = made(flags);
    EXPECT_EQ(scene.emitters.at(0).path, "");
    ASSERT_LT(scene.emitters[0].texture, scene.textures.size());
    EXPECT_EQ(scene.textures[scene.emitters[0].texture].path, "Textures\\Dust.tga");
  }
  for (const std::uint32_t flags : {0U, std::uint32_t{kPremUsesMdl}}) {
    const auto scene = made(flags);
    EXPECT_EQ(scene.emitters.at(0).path, "Textures\\Dust.tga");
    EXPECT_EQ(scene.emitters[0].texture, scene::kNone);
  }
}

TEST(SceneObjects, EachFlagAndFilterOfSpritesByItself) {
  const auto emitter_of = [](const mdx::ParticleEmitter2& sprites) {
    return convert(test::make_document(test::list_of<mdx::ParticleEmitter2>({sprites}))).emitters.at(0);
  };
  mdx::ParticleEmitter2 sprites;
  sprites.node = make_node("sprites", 0);
  namespace flag = mdx::node_flag;
  for (unsigned bit = 0; bit <= 32; ++bit) {
    const std::uint32_t flags = bit == 32 ? 0 : std::uint32_t{1} << bit;
    sprites.node.flags = flags;
    const auto emitter = emitter_of(sprites);
    EXPECT_EQ(emitter.unshaded, flags == flag::kUnshaded);
    EXPECT_EQ(emitter.unfogged, flags == flag::kPre2Unfogged);
    EXPECT_EQ(emitter.line, flags == flag::kPre2LineEmitter);
    EXPECT_EQ(emitter.model_space, flags == flag::kPre2ModelSpace);
    EXPECT_EQ(emitter.xy_quad, flags == flag::kPre2XyQuad);
    EXPECT_EQ(emitter.sort_far_z, flags == flag::kSortPrimsFarZ);
  }
  using Filter = mdx::ParticleEmitter2::Filter;
  using scene::BlendMode;
  for (const auto& [filter, blend] :
       {std::pair(Filter::blend, BlendMode::blend), std::pair(Filter::additive, BlendMode::additive),
        std::pair(Filter::modulate, BlendMode::modulate),
        std::pair(Filter::modulate2x, BlendMode::modulate2x),
        std::pair(Filter::alpha_key, BlendMode::blend)}) {
    sprites.filter = filter;
    EXPECT_EQ(emitter_of(sprites).blend, blend);
    EXPECT_EQ(emitter_of(sprites).alpha_key, filter == Filter::alpha_key);
  }
  for (const std::uint32_t shape : {0U, 1U, 2U, 3U}) {
    sprites.shape = static_cast<mdx::ParticleEmitter2::Shape>(shape);
    EXPECT_EQ(static_cast<std::uint32_t>(emitter_of(sprites).shape), shape > 2 ? 0 : shape);
  }
  sprites.squirt = 2;
  sprites.rows = 3;
  sprites.columns = 5;
  sprites.head_life = {1, 2, 3};
  sprites.head_decay = {4, 5, 6};
  sprites.tail_life = {7, 8, 9};
  sprites.tail_decay = {10, 11, 12};
  sprites.replaceable_id = 2;
  sprites.priority_plane = -4;
  const auto emitter = emitter_of(sprites);
  EXPECT_TRUE(emitter.burst);
  EXPECT_EQ(emitter.rows, 3U);
  EXPECT_EQ(emitter.columns, 5U);
  EXPECT_EQ((std::array{emitter.head_life.start, emitter.head_decay.end, emitter.tail_life.repeat,
                        emitter.tail_decay.start}),
            (std::array{1U, 5U, 9U, 10U}));
  EXPECT_EQ(emitter.replaceable_id, 2U);
  EXPECT_EQ(emitter.draw_order, -4);
}

TEST(SceneObjects, EffectsKeepTheirMultipliers) {
  mdx::PopcornEmitter effect;
  effect.node = make_node("effect", 0);
  effect.node.flags = mdx::node_flag::kCornUnfogged;
  effect.speed = 3;
  effect.color = {1, 0.5F, 0};
  effect.path.assign("x.pkfx");
  effect.visibility_guide.assign("Always=off, Death=on");
  effect.tracks = {constant("KPPS", {7}), constant("KPPC", {0.1F, 0.2F, 0.3F}), constant("KPPV", {0})};
  const auto scene =
      convert(test::make_document(one_sequence(), test::list_of<mdx::PopcornEmitter>({effect})));
  ASSERT_EQ(scene.emitters.size(), 1U);
  EXPECT_EQ(scene.emitters[0].kind, scene::Emitter::Kind::effect);
  EXPECT_EQ(scene.emitters[0].speed, 3);
  EXPECT_TRUE(scene.emitters[0].unfogged);
  EXPECT_EQ(scene.emitters[0].guide, "Always=off, Death=on");
  const auto scales = [&](std::uint32_t flag) {
    effect.node.flags = flag;
    const auto made = convert(test::make_document(test::list_of<mdx::PopcornEmitter>({effect})));
    return *made.nodes.at(1).extras.find("popcornScaling") == Value(true);
  };
  EXPECT_TRUE(scales(mdx::node_flag::kCornPopcornScaling));
  EXPECT_FALSE(scales(mdx::node_flag::kCornUnfogged));
  EXPECT_EQ(first_value(scene, Property::emitter_speed), (Values{7}));
  EXPECT_EQ(first_value(scene, Property::emitter_color), (Values{0.1F, 0.2F, 0.3F}));
  EXPECT_EQ(first_value(scene, Property::visibility), (Values{0}));
}

TEST(SceneObjects, RibbonsDefaultToInvisibleWithoutKeys) {
  mdx::RibbonEmitter ribbon;
  ribbon.node = make_node("ribbon", 0);
  ribbon.height_above = 10;
  ribbon.material_id = 3;
  ribbon.tracks = {make_track("KRAL", Interpolation::linear, {{5000, {1}}}),
                   test::make_integer_track("KRTX", {{100, 2}, {600, 5}}),
                   constant("KRCO", {0.1F, 0.2F, 0.3F})};
  const auto scene =
      convert(test::make_document(one_sequence(), test::list_of<mdx::RibbonEmitter>({ribbon})));
  ASSERT_EQ(scene.ribbons.size(), 1U);
  EXPECT_EQ(scene.ribbons[0].height_above, 5);
  EXPECT_EQ(scene.ribbons[0].material, scene::kNone);
  EXPECT_EQ(first_value(scene, Property::ribbon_alpha), (Values{0}));
  EXPECT_EQ(first_value(scene, Property::ribbon_texture_slot), (Values{5}));
  EXPECT_EQ(first_value(scene, Property::ribbon_color), (Values{0.3F, 0.2F, 0.1F}));
}

TEST(SceneObjects, WhateverCanBeHiddenIsHiddenWithItsNode) {
  const auto document_of = [](auto item, std::string_view tag) {
    item.node = make_node("Hidden", 0);
    item.tracks = {constant(tag, {0})};
    return test::make_document(one_sequence(), test::list_of<decltype(item)>({item}));
  };
  auto camera = camera_of("Camera", {constant("KCVS", {0})});
  for (const auto& document :
       {document_of(mdx::Light{}, "KLAV"), document_of(mdx::Attachment{}, "KATV"),
        document_of(mdx::ParticleEmitter{}, "KPEV"), document_of(mdx::ParticleEmitter2{}, "KP2V"),
        document_of(mdx::PopcornEmitter{}, "KPPV"), document_of(mdx::RibbonEmitter{}, "KRVS"),
        test::make_document(one_sequence(), test::list_of<mdx::Camera>({camera}))}) {
    const auto scene = convert(document);
    const auto& channels = scene.clips.at(0).channels;
    const auto hides = [&](const scene::Channel& channel) {
      return channel.property == Property::visibility && channel.target.kind == Target::Kind::node &&
             channel.target.index == 1 && channel.curve.values == Array<float>{0};
    };
    EXPECT_EQ(std::count_if(channels.begin(), channels.end(), hides), 1);
  }
}

TEST(SceneObjects, SoundEmittersAreKnownByTheirNodes) {
  mdx::SoundEmitter sound;
  sound.node = make_node("Sound", 0);
  const auto has = [&](std::string_view name) {
    const auto scene = convert(test::make_document(test::list_of<mdx::SoundEmitter>({sound})));
    return scene.nodes.at(1).extras.find(name) != nullptr;
  };
  EXPECT_TRUE(has("soundEmitter"));
  EXPECT_FALSE(has("tracks"));
  sound.tracks = {constant("KSEK", {1})};
  EXPECT_TRUE(has("tracks"));
}

TEST(SceneObjects, NumbersThatAreNoneAreTheUsual) {
  mdx::RibbonEmitter ribbon;
  ribbon.node = make_node("ribbon", 0);
  ribbon.color = {NAN, 0.5F, INFINITY};
  ribbon.alpha = NAN;
  ribbon.life_span = NAN;
  mdx::ParticleEmitter2 sprites;
  sprites.node = make_node("sprites", 1);
  sprites.tail_length = NAN;
  sprites.middle = INFINITY;
  const auto scene = convert(test::make_document(test::list_of<mdx::RibbonEmitter>({ribbon}),
                                                 test::list_of<mdx::ParticleEmitter2>({sprites})));
  ASSERT_EQ(scene.emitters.size(), 1U);
  EXPECT_EQ(scene.emitters[0].tail_length, 0);
  EXPECT_EQ(scene.emitters[0].middle, 0.5F);
  ASSERT_EQ(scene.ribbons.size(), 1U);
  EXPECT_EQ(scene.ribbons[0].color, (Vec3{1, 0.5F, 1}));
  EXPECT_EQ(scene.ribbons[0].alpha, 1);
  EXPECT_EQ(scene.ribbons[0].life_span, 0);
}

TEST(SceneObjects, EventsKnowTheLoopTheyFireOn) {
  mdx::EventObject in_sequence;
  in_sequence.node = make_node("SNDxAFTB", 0);
  in_sequence.track.emplace();
  in_sequence.track->frames = {100, 300};
  mdx::EventObject in_loop = in_sequence;
  in_loop.node.object_id = 1;
  in_loop.track->global_sequence = 1;
  const auto scene = convert(test::make_document(one_sequence(), test::make_globals({10, 2000}),
                                                 test::list_of<mdx::EventObject>({in_sequence, in_loop})));
  ASSERT_EQ(scene.events.size(), 2U);
  EXPECT_EQ(scene.events[0].frames, (std::vector<std::int32_t>{100, 300}));
  EXPECT_EQ(scene.events[0].global_loop, scene::kNone);
  ASSERT_EQ(scene.events[1].global_loop, 1U);
  EXPECT_EQ(scene.clips[1].name, "global:1");
}

scene::CollisionShape shape_of(mdx::CollisionShape::Type type, std::initializer_list<float> payload) {
  mdx::CollisionShape shape;
  shape.node = make_node("shape", 0);
  shape.type = type;
  shape.payload.assign(payload.begin(), payload.end());
  const auto scene = convert(
      test::make_document(test::list_of<mdx::CollisionShape>({shape}), test::make_pivots({{2, 4, 6}})));
  return scene.collision_shapes.at(0);
}

TEST(SceneObjects, ShapesOfBothLayoutsAreRelativeToTheirNodes) {
  using Kind = scene::CollisionShape::Kind;
  using Type = mdx::CollisionShape::Type;
  using Points = std::vector<Vec3>;
  const auto box = shape_of(Type::box, {0, 0, 0, 4, 8, 12});
  EXPECT_EQ(box.kind, Kind::box);
  EXPECT_EQ(box.vertices, (Points{{-1, -3, -2}, {1, 3, 2}}));
  const auto sphere = shape_of(Type::sphere, {2, 4, 16, 30});
  EXPECT_EQ(sphere.vertices, (Points{{0, 5, 0}}));
  EXPECT_EQ(sphere.radius, 15);
  const auto cylinder = shape_of(Type::cylinder, {2, 4, 6, 2, 4, 26, 8});
  EXPECT_EQ(cylinder.kind, Kind::cylinder);
  EXPECT_EQ(cylinder.vertices, (Points{{0, 0, 0}, {0, 10, 0}}));
  EXPECT_EQ(cylinder.radius, 4);
  const auto engine_cylinder = shape_of(Type::plane, {2, 4, 6, 20, 8});
  EXPECT_EQ(engine_cylinder.kind, Kind::cylinder);
  EXPECT_EQ(engine_cylinder.vertices, cylinder.vertices);
  EXPECT_EQ(engine_cylinder.radius, 4);
  const auto point = shape_of(Type::plane, {2, 4, 16});
  EXPECT_EQ(point.vertices, (Points{{0, 5, 0}}));
  const auto engine_plane = shape_of(Type::cylinder, {100, 40});
  EXPECT_EQ(engine_plane.kind, Kind::plane);
  EXPECT_EQ(engine_plane.vertices, (Points{{-25, 0, -10}, {25, 0, 10}}));
  EXPECT_TRUE(shape_of(Type::box, {1, 2}).vertices.size() <= 2);  // too short for a box
}

// --- cameras

/// Where −Z and +Y of a rotation point to.
std::array<scene::Vec3d, 2> forward_and_up(const Vec4& q) {
  const auto m = scene::compose({0, 0, 0}, scene::widen(q), {1, 1, 1});
  return {scene::Vec3d{-m[8], -m[9], -m[10]}, scene::Vec3d{m[4], m[5], m[6]}};
}

scene::Vec3d direction(const Vec3& from, const Vec3& to) {
  const auto way = scene::subtract(scene::widen(to), scene::widen(from));
  return scene::scaled(way, 1 / scene::length(way));
}

double angle_between(const scene::Vec3d& a, const scene::Vec3d& b) {
  return std::atan2(scene::length(scene::cross(a, b)), scene::dot(a, b));
}

TEST(SceneObjects, CamerasLookAtTheirTargets) {
  const auto scene = convert(
      test::make_document(test::list_of<mdx::Camera>({camera_of("Portrait", {}), camera_of("CAM_1", {})})));
  ASSERT_EQ(scene.cameras.size(), 2U);
  const auto& camera = scene.cameras[0];
  EXPECT_TRUE(camera.diagonal);
  EXPECT_FALSE(scene.cameras[1].diagonal);
  EXPECT_EQ(camera.near_clip, 4);
  EXPECT_EQ(camera.far_clip, 500);
  const auto& node = scene.nodes[camera.node];
  EXPECT_EQ(node.rest.translation, (Vec3{100, 60, -5}));
  const auto [forward, up] = forward_and_up(node.rest.rotation);
  const auto expected = direction(node.rest.translation, scene.nodes[camera.target_node].rest.translation);
  EXPECT_LT(angle_between(forward, expected), 1e-6);
  EXPECT_GT(up[1], 0.9);
}

TEST(SceneObjects, CamerasLookInEveryDirection) {
  for (const Vec3& way : {Vec3{1, 0, 0}, Vec3{-1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, -1, 0}, Vec3{1, 2, 3},
                          Vec3{-1, 2, -3}, Vec3{3, -2, 1}, Vec3{-3, -1, -2}, Vec3{0, 1, 5}, Vec3{1, 0, -5}}) {
    auto camera = camera_of("Portrait", {});
    camera.position = {};
    camera.target = way;
    const auto scene = convert(test::make_document(test::list_of<mdx::Camera>({camera})));
    const auto& node = scene.nodes[scene.cameras.at(0).node];
    const auto [forward, up] = forward_and_up(node.rest.rotation);
    const auto expected =
        direction(node.rest.translation, scene.nodes[scene.cameras[0].target_node].rest.translation);
    EXPECT_LT(angle_between(forward, expected), 1e-6) << way[0] << " " << way[1] << " " << way[2];
    EXPECT_NEAR(scene::dot(scene::cross(forward, {0, 1, 0}), up), 0, 1e-6) << "no roll";
    EXPECT_GT(up[1], 0);
  }
}

TEST(SceneObjects, RollTurnsPortraitsAboutXAndCinematicsAboutTheView) {
  for (const char* name : {"Portrait", "CAM_1"}) {
    auto camera = camera_of(name, {constant("KCRL", {0.3F})});
    camera.position = {200, 0, 80};  // looks along −X, where both rules say the same
    const auto scene = convert(test::make_document(one_sequence(), test::list_of<mdx::Camera>({camera})));
    EXPECT_EQ(first_value(scene, Property::camera_roll), (Values{0.3F}));
    const auto turned = first_value(scene, Property::rotation);
    ASSERT_EQ(turned.size(), 4U);
    const auto [forward, up] = forward_and_up({turned[0], turned[1], turned[2], turned[3]});
    EXPECT_LT(angle_between(forward, {-1, 0, 0}), 1e-6) << name;
    // warcraft3-rendering.md#cameras: (0, −sin(roll), cos(roll)) in the game's axes.
    EXPECT_LT(angle_between(up, {0, std::cos(0.3), std::sin(0.3)}), 1e-6) << name;
  }
}

TEST(SceneObjects, CinematicsRollAboutTheViewWhereverTheyLook) {
  for (const Vec3& way : {Vec3{1, 0, 0}, Vec3{-1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, -1, 0}, Vec3{1, 2, 3},
                          Vec3{-3, 1, -2}, Vec3{0.1F, 5, 0.2F}, Vec3{-0.2F, 5, -0.1F}}) {
    for (const float roll : {0.5F, 1.6F, 3.0F, -2.5F, 3.1F}) {
      auto camera = camera_of("CAM_1", {constant("KCRL", {roll})});
      camera.position = {};
      camera.target = way;
      const auto scene = convert(test::make_document(one_sequence(), test::list_of<mdx::Camera>({camera})));
      const auto turned = first_value(scene, Property::rotation);
      ASSERT_EQ(turned.size(), 4U);
      const auto [forward, up] = forward_and_up({turned[0], turned[1], turned[2], turned[3]});
      // The game's (x, y, z) is (x, z, -y) here.
      const auto expected = direction({}, {way[0], way[2], -way[1]});
      EXPECT_LT(angle_between(forward, expected), 1e-6) << way[0] << " " << way[1] << " " << way[2];
      // warcraft3-rendering.md#cameras: up · cos − right · sin.
      const double level = std::hypot(expected[0], expected[2]);
      const scene::Vec3d right = {-expected[2] / level, 0, expected[0] / level};
      const auto above = scene::cross(right, expected);
      const auto rolled =
          scene::add(scene::scaled(above, std::cos(roll)), scene::scaled(right, -std::sin(roll)));
      EXPECT_LT(angle_between(up, rolled), 2e-6) << way[0] << " " << way[1] << " " << way[2] << " " << roll;
    }
  }
}

TEST(SceneObjects, TracksOfCamerasMoveThemFromWhereTheyStand) {
  const auto scene = convert(test::make_document(
      one_sequence(), test::list_of<mdx::Camera>({camera_of(
                          "Portrait", {constant("KCTR", {2, 4, 6}), constant("KTTR", {20, 40, 60})})})));
  std::vector<Values> places;
  for (const auto& channel : scene.clips.at(0).channels) {
    if (channel.property == Property::translation) {
      EXPECT_EQ(channel.target.index, places.empty() ? scene.cameras[0].node : scene.cameras[0].target_node);
      places.emplace_back(channel.curve.values.begin(), channel.curve.values.end());
    }
  }
  // In half units and (x, z, -y): (200, 10, 120) and (0, 0, 80), and their tracks.
  EXPECT_EQ(places, (std::vector<Values>{{101, 63, -7}, {10, 70, -20}}));
}

TEST(SceneObjects, MovingCamerasKeepTheirTargetInView) {
  const auto moving =
      make_track("KCTR", Interpolation::hermite,
                 {{0, {0, 0, 0, 0, 0, 0, 100, 300, 0}}, {700, {-300, 200, 50, 0, 0, 90, 9, 0, 0}}});
  const auto followed = make_track("KTTR", Interpolation::linear, {{100, {0, 0, 0}}, {400, {0, 50, 0}}});
  const auto scene = convert(test::make_document(
      one_sequence(), test::list_of<mdx::Camera>({camera_of("Portrait", {moving, followed})})));
  const auto& camera = scene.cameras[0];
  const scene::Curve* rotation = nullptr;
  const scene::Curve* position = nullptr;
  const scene::Curve* target = nullptr;
  for (const auto& channel : scene.clips[0].channels) {
    if (channel.property == Property::rotation) {
      rotation = &channel.curve;
    } else if (channel.property == Property::translation) {
      (channel.target.index == camera.node ? position : target) = &channel.curve;
    }
  }
  ASSERT_TRUE(rotation != nullptr && position != nullptr && target != nullptr);
  for (int ms = 0; ms <= 1000; ms += 13) {
    const float time = static_cast<float>(ms) / 1000;
    Vec3 from{};
    Vec3 to{};
    scene::evaluate(*position, time, from);
    scene::evaluate(*target, time, to);
    const auto [forward, up] = forward_and_up(scene::evaluate_rotation(*rotation, time));
    EXPECT_LT(angle_between(forward, direction(from, to)), 4e-5) << ms;
    EXPECT_NEAR(up[1], std::sqrt(1 - forward[1] * forward[1]), 1e-4) << ms;
  }
}

TEST(SceneObjects, ACameraOnTwoClocksFollowsTheSequences) {
  auto shake = constant("KTTR", {0, 50, 0});
  shake.global_sequence = 0;
  Diagnostics diagnostics;
  const auto scene =
      convert(test::make_document(
                  one_sequence(), test::make_globals({300}),
                  test::list_of<mdx::Camera>({camera_of("CAM_1", {shake, constant("KCTR", {0, 9, 0})})})),
              diagnostics);
  const auto rotates = [&](const scene::Clip& clip) {
    return std::any_of(clip.channels.begin(), clip.channels.end(),
                       [](const scene::Channel& channel) { return channel.property == Property::rotation; });
  };
  ASSERT_EQ(scene.clips.size(), 2U);
  EXPECT_TRUE(rotates(scene.clips[0]));
  EXPECT_FALSE(rotates(scene.clips[1]));
  EXPECT_EQ(diagnostics.items().back().code, codes::kSceneApproximated);
}

TEST(SceneObjects, ACameraThatLooksAtItselfHasSomeDirection) {
  auto camera = camera_of("CAM_1", {});
  camera.target = camera.position;
  const auto rotation = [&] {
    const auto scene = convert(test::make_document(test::list_of<mdx::Camera>({camera})));
    return scene.nodes.at(scene.cameras.at(0).node).rest.rotation;
  };
  const auto length = [](const Vec4& q) {
    const auto wide = scene::widen(q);
    return std::sqrt(wide[0] * wide[0] + wide[1] * wide[1] + wide[2] * wide[2] + wide[3] * wide[3]);
  };
  EXPECT_NEAR(length(rotation()), 1, 1e-6);
  camera.target = {camera.position[0], camera.position[1], 500};  // straight up
  EXPECT_NEAR(length(rotation()), 1, 1e-6);
  EXPECT_LT(angle_between(forward_and_up(rotation())[0], {0, 1, 0}), 1e-6);
  camera.target[2] = -500;
  EXPECT_NEAR(length(rotation()), 1, 1e-6);
  EXPECT_LT(angle_between(forward_and_up(rotation())[0], {0, -1, 0}), 1e-6);
}

}  // namespace
}  // namespace thaw
