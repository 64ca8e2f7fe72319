// Clips, visibility, and what only the rich profile says.
#include "gltf/written.hpp"
#include "scene/pose.hpp"

#include <cmath>

namespace thaw::test {
namespace {

using scene::BlendMode;
using scene::CurveMode;
using scene::Property;
using scene::Target;
using ::testing::ElementsAre;

std::vector<double> input(const Written& written, int animation, const Value& channel) {
  return written.accessor(at(written.sampler(animation, channel), "input"));
}

std::vector<double> output(const Written& written, int animation, const Value& channel) {
  return written.accessor(at(written.sampler(animation, channel), "output"));
}

std::string interpolation(const Written& written, int animation, const Value& channel) {
  const Value& sampler = written.sampler(animation, channel);
  return has(sampler, "interpolation") ? text(at(sampler, "interpolation")) : "LINEAR";
}

TEST(GltfAnimation, ModesAndSharedTimes) {
  auto scene = empty_scene();
  const auto bone = add_node(scene, "bone");
  const auto other = add_node(scene, "other");
  auto& clip = add_clip(scene, "Walk", 2);
  add_channel(clip, Target::Kind::node, bone, Property::translation,
              curve(CurveMode::linear, 3, {0, 1, 2}, {0, 0, 0, 1, 0, 0, 0, 0, 0}));
  add_channel(clip, Target::Kind::node, bone, Property::scale,
              curve(CurveMode::step, 3, {0, 1, 2}, {1, 1, 1, 2, 2, 2, 1, 1, 1}));
  add_channel(clip, Target::Kind::node, other, Property::translation,
              curve(CurveMode::cubic, 3, {0, 1, 2},
                    {0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0}));
  const Written written = write(scene);
  const Value* linear = written.channel(0, static_cast<int>(bone), "translation");
  const Value* step = written.channel(0, static_cast<int>(bone), "scale");
  const Value* cubic = written.channel(0, static_cast<int>(other), "translation");
  ASSERT_TRUE(linear != nullptr && step != nullptr && cubic != nullptr);
  EXPECT_EQ(interpolation(written, 0, *linear), "LINEAR");
  EXPECT_EQ(interpolation(written, 0, *step), "STEP");
  EXPECT_EQ(interpolation(written, 0, *cubic), "CUBICSPLINE");
  EXPECT_EQ(output(written, 0, *cubic).size(), 27U);
  const double times = number(at(written.sampler(0, *linear), "input"));
  EXPECT_EQ(number(at(written.sampler(0, *step), "input")), times);
  EXPECT_EQ(number(at(written.sampler(0, *cubic), "input")), times);
  EXPECT_EQ(number(at(written.json, "accessors", static_cast<int>(times), "max", 0)), 2);
}

TEST(GltfAnimation, RedundantKeysAndRestAreLeftOut) {
  auto scene = empty_scene();
  const auto bone = add_node(scene, "bone", 0, {1, 0, 0});
  auto& clip = add_clip(scene, "Walk", 4);
  add_channel(clip, Target::Kind::node, bone, Property::translation,
              curve(CurveMode::linear, 3, {0, 1, 2, 3, 4}, {1, 0, 0, 1, 0, 0, 1, 0, 0, 2, 0, 0, 2, 0, 0}));
  add_channel(clip, Target::Kind::node, bone, Property::scale,
              curve(CurveMode::linear, 3, {0, 4}, {1, 1, 1, 1, 1, 1}));
  add_channel(clip, Target::Kind::node, bone, Property::rotation,
              curve(CurveMode::cubic, 4, {0}, {0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0}));
  const Written written = write(scene);
  const Value* moved = written.channel(0, static_cast<int>(bone), "translation");
  ASSERT_NE(moved, nullptr);
  // The last key marks the end of the clip.
  EXPECT_THAT(input(written, 0, *moved), ElementsAre(0, 2, 3, 4));
  EXPECT_EQ(written.channel(0, static_cast<int>(bone), "scale"), nullptr);
  const Value* turned = written.channel(0, static_cast<int>(bone), "rotation");
  ASSERT_NE(turned, nullptr);
  EXPECT_THAT(output(written, 0, *turned), ElementsAre(0, 0, 1, 0));
}

TEST(GltfAnimation, EveryClipLastsAsLongAsInTheGame) {
  auto scene = empty_scene();
  const auto bone = add_node(scene, "bone");
  add_clip(scene, "Stand", 3);
  add_channel(add_clip(scene, "Death", 2), Target::Kind::node, bone, Property::translation,
              curve(CurveMode::cubic, 3, {0, 1}, {0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 5, 0, 0}));
  add_clip(scene, "Nothing", 0);
  const Written written = write(scene);
  ASSERT_EQ(size_of(at(written.json, "animations")), 3);
  const Value* still = written.channel(0, 0, "translation");
  ASSERT_NE(still, nullptr);
  EXPECT_THAT(input(written, 0, *still), ElementsAre(0, 3));
  const Value* moved = written.channel(1, static_cast<int>(bone), "translation");
  ASSERT_NE(moved, nullptr);
  EXPECT_THAT(input(written, 1, *moved), ElementsAre(0, 1, 2));
  // The tangent that led out of the last key must not lead anywhere now.
  EXPECT_EQ(output(written, 1, *moved)[15], 0);
  const Value* moment = written.channel(2, 0, "translation");
  ASSERT_NE(moment, nullptr);
  EXPECT_THAT(input(written, 2, *moment), ElementsAre(0));
}

TEST(GltfAnimation, QuaternionsKeepTheirSide) {
  auto scene = empty_scene();
  const auto bone = add_node(scene, "bone");
  const float half = std::sqrt(0.5F);
  add_channel(add_clip(scene, "Turn", 1), Target::Kind::node, bone, Property::rotation,
              curve(CurveMode::linear, 4, {0, 1}, {0, 0, 0, 2, 0, 0, -half, -half}));
  const Written written = write(scene);
  const auto values = output(written, 0, *written.channel(0, static_cast<int>(bone), "rotation"));
  EXPECT_EQ(values[3], 1);
  EXPECT_NEAR(values[7], half, 1e-7);
}

TEST(GltfAnimation, GlobalLoopsAreAnimationsOfTheirOwn) {
  auto scene = empty_scene();
  const auto bone = add_node(scene, "bone");
  add_clip(scene, "Stand", 1);
  auto& loop = add_clip(scene, "global:0", 0.5F);
  loop.global = true;
  add_channel(loop, Target::Kind::node, bone, Property::translation,
              curve(CurveMode::linear, 3, {0, 0.5F}, {0, 0, 0, 0, 1, 0}));
  const Written written = write(scene);
  EXPECT_EQ(text(at(written.json, "animations", 1, "name")), "global:0");
  EXPECT_TRUE(has(at(written.json, "animations", 1, "extras", "thaw"), "global"));
  EXPECT_EQ(written.channel(0, static_cast<int>(bone), "translation"), nullptr);
}

TEST(GltfAnimation, AClipsOwnChannelWinsOverALoop) {
  auto scene = empty_scene();
  const auto bone = add_node(scene, "bone");
  const auto other = add_node(scene, "other");
  const auto rising = curve(CurveMode::linear, 3, {0, 0.5F}, {0, 0, 0, 0, 1, 0});
  auto& loop = add_clip(scene, "global:0", 0.5F);
  loop.global = true;
  add_channel(loop, Target::Kind::node, bone, Property::translation, rising);
  add_channel(loop, Target::Kind::node, other, Property::translation, rising);
  add_channel(add_clip(scene, "Stand", 1), Target::Kind::node, bone, Property::translation, rising);
  const Written written = write(scene);
  EXPECT_EQ(written.channel(0, static_cast<int>(bone), "translation"), nullptr);
  EXPECT_NE(written.channel(0, static_cast<int>(other), "translation"), nullptr);
  EXPECT_NE(written.channel(1, static_cast<int>(bone), "translation"), nullptr);
}

/// A mesh that Stand shows and Death hides half-way.
scene::Scene vanishing(bool skinned) {
  auto scene = empty_scene();
  const auto quad = add_quad(scene);
  if (skinned) {
    add_skin(scene, quad, {add_node(scene, "bone")});
  }
  add_clip(scene, "Stand", 1);
  add_channel(add_clip(scene, "Death", 1), Target::Kind::mesh, quad, Property::mesh_alpha,
              curve(CurveMode::linear, 1, {0, 1}, {1, 0}));
  return scene;
}

TEST(GltfVisibility, RigidMeshesAreScaled) {
  const auto scene = vanishing(false);
  const int node = static_cast<int>(scene.meshes[0].node);
  const Written written = write(scene);
  const Value* death = written.channel(1, node, "scale");
  ASSERT_NE(death, nullptr);
  EXPECT_EQ(interpolation(written, 1, *death), "STEP");
  const auto times = input(written, 1, *death);
  ASSERT_EQ(times.size(), 3U);
  EXPECT_NEAR(times[1], 0.5, 1e-6);
  EXPECT_THAT(output(written, 1, *death), ElementsAre(1, 1, 1, 0, 0, 0, 0, 0, 0));
  // Stand says that it is there, because viewers leave things as Death left them.
  const Value* stand = written.channel(0, node, "scale");
  ASSERT_NE(stand, nullptr);
  EXPECT_EQ(output(written, 0, *stand)[0], 1);
  EXPECT_FALSE(has(at(written.json, "nodes", node), "scale"));
  // The fade itself is kept.
  const Value& kept = at(written.json, "animations", 1, "extras", "thaw", "channels", 0);
  EXPECT_EQ(text(at(kept, "property")), "meshAlpha");
}

TEST(GltfVisibility, SkinnedMeshesCollapse) {
  const auto scene = vanishing(true);
  const int node = static_cast<int>(scene.meshes[0].node);
  const Written written = write(scene);
  const Value* death = written.channel(1, node, "weights");
  ASSERT_NE(death, nullptr);
  EXPECT_EQ(interpolation(written, 1, *death), "STEP");
  EXPECT_EQ(output(written, 1, *death)[0], 0);
  EXPECT_EQ(output(written, 1, *death)[1], 1);
  EXPECT_EQ(written.channel(1, node, "scale"), nullptr);
  const Value& target = at(written.json, "meshes", 0, "primitives", 0, "targets", 0, "POSITION");
  EXPECT_THAT(written.accessor(target), ElementsAre(0, 0, 0, -1, 0, 0, -1, -1, 0, 0, -1, -0.5));
  EXPECT_EQ(number(at(written.json, "meshes", 0, "weights", 0)), 0);
  EXPECT_EQ(text(at(written.json, "meshes", 0, "extras", "targetNames", 0)), "hidden");
}

TEST(GltfVisibility, SomethingIsThereBeforeAnyClipPlays) {
  auto scene = empty_scene();
  const auto quad = add_quad(scene);
  add_clip(scene, "Decay", 1);
  add_channel(add_clip(scene, "stand - 1", 1), Target::Kind::mesh, quad, Property::mesh_alpha,
              curve(CurveMode::step, 1, {0}, {0}));
  const Written written = write(scene);
  EXPECT_FALSE(has(at(written.json, "nodes", static_cast<int>(scene.meshes[0].node)), "scale"));
}

TEST(GltfVisibility, HiddenBeforeAnyClipPlays) {
  // In the default clip it is not there; the first clip, which shows it, does not count.
  for (const bool skinned : {false, true}) {
    auto scene = empty_scene();
    const auto quad = add_quad(scene);
    if (skinned) {
      add_skin(scene, quad, {add_node(scene, "bone")});
    }
    add_quad(scene);  // a clip that shows nothing at all would be no default
    add_clip(scene, "Decay", 1);
    add_channel(add_clip(scene, "stand - 1", 1), Target::Kind::mesh, quad, Property::mesh_alpha,
                curve(CurveMode::step, 1, {0}, {0}));
    const int node = static_cast<int>(scene.meshes[0].node);
    const Written written = write(scene);
    if (skinned) {
      EXPECT_EQ(number(at(written.json, "meshes", 0, "weights", 0)), 1);
      EXPECT_EQ(output(written, 0, *written.channel(0, node, "weights"))[0], 0);
    } else {
      EXPECT_EQ(number(at(written.json, "nodes", node, "scale", 0)), 0);
      EXPECT_EQ(output(written, 0, *written.channel(0, node, "scale"))[0], 1);
    }
  }
}

TEST(GltfVisibility, AlwaysHidden) {
  auto scene = empty_scene();
  scene.meshes[add_quad(scene)].alpha = 0;
  add_clip(scene, "Stand", 1);
  const Written written = write(scene);
  const int node = static_cast<int>(scene.meshes[0].node);
  EXPECT_EQ(number(at(written.json, "nodes", node, "scale", 0)), 0);
  EXPECT_EQ(written.channel(0, node, "scale"), nullptr);
}

TEST(GltfVisibility, FaintThingsStayAsFaintAsTheyAre) {
  auto scene = empty_scene();
  const auto texture = add_texture(scene, "t", {{1, 2, 3, 255}, {1, 2, 3, 255}});
  const auto quad = add_quad(scene, add_material(scene, {layer(BlendMode::blend, texture)}));
  add_channel(add_clip(scene, "Stand", 1), Target::Kind::mesh, quad, Property::mesh_alpha,
              curve(CurveMode::linear, 1, {0, 0.5F, 1}, {0.25F, 0.375F, 0.25F}));
  const Written written = write(scene);
  EXPECT_EQ(written.channel(0, static_cast<int>(scene.meshes[0].node), "scale"), nullptr);
  EXPECT_EQ(number(at(written.json, "materials", 0, "pbrMetallicRoughness", "baseColorFactor", 3)), 0.25);
}

TEST(GltfVisibility, NodesHideWhatHangsThereButNotTheirChildren) {
  auto scene = empty_scene();
  const auto lamp = add_node(scene, "lamp");
  const auto child = add_node(scene, "child", lamp);
  scene.lights.push_back({});
  scene.lights.back().node = lamp;
  scene.lights.back().intensity = 2;
  scene.lights.back().attenuation_start = 3;
  scene.lights.back().attenuation_end = 8;
  add_channel(add_clip(scene, "Stand", 1), Target::Kind::node, lamp, Property::visibility,
              curve(CurveMode::step, 1, {0, 0.5F}, {0, 1}));
  const Written written = write(scene);
  const int control = 3;
  EXPECT_EQ(number(at(written.json, "nodes", control, "extras", "thaw", "visibilityOf")), lamp);
  EXPECT_THAT(output(written, 0, *written.channel(0, control, "scale")),
              ElementsAre(0, 0, 0, 1, 1, 1, 1, 1, 1));
  EXPECT_EQ(number(at(written.json, "nodes", static_cast<int>(lamp), "children", 0)), child);
  const int light = static_cast<int>(number(at(written.json, "nodes", control, "children", 0)));
  EXPECT_EQ(number(at(written.json, "nodes", light, "extensions", "KHR_lights_punctual", "light")), 0);
  const Value& written_light = at(written.json, "extensions", "KHR_lights_punctual", "lights", 0);
  EXPECT_NEAR(number(at(written_light, "intensity")), 2 * 9 * 3.14159265, 1e-4);
  EXPECT_EQ(number(at(written_light, "range")), 8);
}

/// The written local transforms, put together as glTF says, against the pose of the scene.
TEST(GltfAnimation, InheritFlagsAreBaked) {
  auto scene = empty_scene();
  const auto arm = add_node(scene, "arm", 0, {1, 0, 0});
  const auto banner = add_node(scene, "banner", arm, {0, 1, 0});
  scene.nodes[banner].inherit_rotation = false;
  scene.nodes[banner].inherit_scale = false;
  const float half = std::sqrt(0.5F);
  auto& clip = add_clip(scene, "Wave", 1);
  add_channel(clip, Target::Kind::node, arm, Property::rotation,
              curve(CurveMode::linear, 4, {0, 1}, {0, 0, 0, 1, 0, 0, half, half}));
  add_channel(clip, Target::Kind::node, arm, Property::scale,
              curve(CurveMode::linear, 3, {0, 1}, {1, 1, 1, 2, 2, 2}));
  const Written written = write(scene);
  const Value* rotation = written.channel(0, static_cast<int>(banner), "rotation");
  const Value* scale = written.channel(0, static_cast<int>(banner), "scale");
  ASSERT_TRUE(rotation != nullptr && scale != nullptr);
  const auto as_curve = [&](const Value& channel, unsigned components) {
    scene::Curve result;
    result.components = components;
    for (const double time : input(written, 0, channel)) {
      result.times.push_back(static_cast<float>(time));
    }
    for (const double value : output(written, 0, channel)) {
      result.values.push_back(static_cast<float>(value));
    }
    return result;
  };
  const auto turns = as_curve(*rotation, 4);
  const auto sizes = as_curve(*scale, 3);
  EXPECT_GT(sizes.times.size(), 4U);  // 1 / (1 + t) is no straight line
  const scene::Poser poser(scene, &scene.clips[0]);
  for (int i = 0; i <= 100; ++i) {
    const float time = static_cast<float>(i) / 100;
    Vec3 size{};
    scene::evaluate(sizes, time, size);
    EXPECT_NEAR(size[0] * (1 + time), 1, 2e-3);
    const auto world = scene::quaternion_product(poser.place(arm, time).rotation,
                                                 scene::widen(scene::evaluate_rotation(turns, time)));
    EXPECT_NEAR(scene::rotation_angle(world, {0, 0, 0, 1}), 0, 2e-3);
  }
  // What the game says is kept.
  const Value& extras = at(written.json, "nodes", static_cast<int>(banner), "extras", "thaw");
  EXPECT_TRUE(has(extras, "inherit"));
}

TEST(GltfExtras, EmittersEventsAndClips) {
  auto scene = empty_scene();
  const auto node = add_node(scene, "smoke");
  scene.nodes[node].billboard = scene::Billboard::lock_z;
  scene.nodes[node].extras.set("objectId", 7);
  scene::Emitter emitter;
  emitter.node = node;
  emitter.rate = 12.5F;
  scene.emitters.push_back(emitter);
  scene::Event event;
  event.node = node;
  event.name = "SNDxAFTB";
  event.frames = {500, 1250, 9000};
  scene.events.push_back(event);
  scene::CollisionShape shape;
  shape.node = node;
  shape.kind = scene::CollisionShape::Kind::sphere;
  shape.vertices = {{1, 2, 3}};
  shape.radius = 4;
  scene.collision_shapes.push_back(shape);
  auto& clip = add_clip(scene, "Stand", 1);
  clip.looping = false;
  clip.interval = {1000, 2000};
  add_channel(clip, Target::Kind::emitter, 0, Property::emitter_rate,
              curve(CurveMode::linear, 1, {0, 1}, {0, 0.1F}));
  const Written written = write(scene);
  const Value& extras = at(written.json, "nodes", static_cast<int>(node), "extras", "thaw");
  EXPECT_EQ(text(at(extras, "billboard")), "lockZ");
  EXPECT_EQ(number(at(extras, "mdx", "objectId")), 7);
  EXPECT_EQ(number(at(extras, "emitters", 0, "rate")), 12.5);
  EXPECT_EQ(number(at(extras, "collisionShapes", 0, "vertices", 0, 2)), 3);
  EXPECT_EQ(number(at(extras, "events", 0, "frames", 2)), 9000);
  const Value& animation = at(written.json, "animations", 0, "extras", "thaw");
  EXPECT_EQ(at(animation, "looping"), Value(false));
  ASSERT_EQ(size_of(at(animation, "events", 0, "times")), 1);
  EXPECT_EQ(number(at(animation, "events", 0, "times", 0)), 0.25);
  EXPECT_EQ(text(at(animation, "channels", 0, "property")), "emitterRate");
  EXPECT_EQ(number(at(animation, "channels", 0, "values", 1)), 0.1);
}

const Value* pointer_channel(const Written& written, int animation, const std::string& pointer) {
  const Value& channels = at(written.json, "animations", animation, "channels");
  for (int i = 0; i < size_of(channels); ++i) {
    const Value& target = at(channels, i, "target");
    if (text(at(target, "path")) == "pointer" &&
        text(at(target, "extensions", "KHR_animation_pointer", "pointer")) == pointer) {
      return &at(channels, i);
    }
  }
  return nullptr;
}

TEST(GltfRich, VisibilityAndColor) {
  auto scene = vanishing(true);
  const auto texture = add_texture(scene, "t", {{1, 2, 3, 255}, {1, 2, 3, 255}});
  scene.meshes[0].parts[0].material = add_material(scene, {layer(BlendMode::blend, texture)});
  const Written written = write(scene, GltfProfile::rich);
  const std::string node = std::to_string(scene.meshes[0].node);
  const Value* visible =
      pointer_channel(written, 1, "/nodes/" + node + "/extensions/KHR_node_visibility/visible");
  ASSERT_NE(visible, nullptr);
  EXPECT_THAT(output(written, 1, *visible), ElementsAre(1, 0));
  const Value* color = pointer_channel(written, 1, "/materials/0/pbrMetallicRoughness/baseColorFactor");
  ASSERT_NE(color, nullptr);
  EXPECT_THAT(output(written, 1, *color), ElementsAre(1, 1, 1, 1, 1, 1, 1, 0));
  // Stand resets it, and nothing is required.
  EXPECT_NE(pointer_channel(written, 0, "/materials/0/pbrMetallicRoughness/baseColorFactor"), nullptr);
  EXPECT_FALSE(has(written.json, "extensionsRequired"));
  // The compatible way stays for viewers that do not know the extensions.
  EXPECT_NE(written.channel(1, static_cast<int>(scene.meshes[0].node), "weights"), nullptr);
}

TEST(GltfRich, UvAnimation) {
  auto scene = empty_scene();
  scene.uv_animations.push_back({});
  const auto texture = add_texture(scene, "t", {{1, 2, 3, 255}, {9, 2, 3, 255}});
  auto scrolling = layer(BlendMode::opaque, texture);
  scrolling.uv_animation = 0;
  add_quad(scene, add_material(scene, {scrolling}));
  auto& clip = add_clip(scene, "Stand", 1);
  add_channel(clip, Target::Kind::uv_animation, 0, Property::uv_offset,
              curve(CurveMode::linear, 2, {0, 1}, {0, 0, 1, 0}));
  add_channel(clip, Target::Kind::uv_animation, 0, Property::uv_rotation,
              curve(CurveMode::linear, 1, {0, 1}, {0, 12}));
  const Written written = write(scene, GltfProfile::rich);
  const std::string base =
      "/materials/0/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/";
  const Value* rotation = pointer_channel(written, 0, base + "rotation");
  ASSERT_NE(rotation, nullptr);
  EXPECT_NEAR(output(written, 0, *rotation).back(), -12, 1e-5);
  EXPECT_NE(pointer_channel(written, 0, base + "offset"), nullptr);
  EXPECT_TRUE(has(at(written.json, "materials", 0, "pbrMetallicRoughness", "baseColorTexture", "extensions"),
                  "KHR_texture_transform"));
  const Written compat = write(scene);
  EXPECT_FALSE(has(compat.json, "extensionsUsed"));
}

TEST(GltfRich, LightsAndLayerAlpha) {
  auto scene = empty_scene();
  const auto lamp = add_node(scene, "lamp");
  scene.lights.push_back({});
  scene.lights.back().node = lamp;
  scene.lights.back().kind = scene::Light::Kind::directional;
  scene.lights.back().intensity = 1;
  const auto texture = add_texture(scene, "t", {{1, 2, 3, 255}, {9, 2, 3, 255}});
  const auto quad = add_quad(
      scene, add_material(scene, {layer(BlendMode::opaque, texture), layer(BlendMode::blend, texture)}));
  auto& clip = add_clip(scene, "Stand", 1);
  add_channel(clip, Target::Kind::light, 0, Property::light_intensity,
              curve(CurveMode::linear, 1, {0, 1}, {1, 2}));
  add_channel(clip, Target::Kind::layer, 0, Property::layer_alpha,
              curve(CurveMode::linear, 1, {0, 1}, {1, 0.5F}), 1);
  const Written written = write(scene, GltfProfile::rich);
  const Value* light = pointer_channel(written, 0, "/extensions/KHR_lights_punctual/lights/0/intensity");
  ASSERT_NE(light, nullptr);
  EXPECT_NEAR(output(written, 0, *light)[1], 2 * 3.14159265, 1e-5);
  // A layer of its own opacity is a pass of its own here, and baked in the other profile.
  EXPECT_EQ(size_of(at(written.json, "meshes", static_cast<int>(quad), "primitives")), 2);
  const Value* alpha = pointer_channel(written, 0, "/materials/1/pbrMetallicRoughness/baseColorFactor");
  ASSERT_NE(alpha, nullptr);
  EXPECT_EQ(output(written, 0, *alpha)[7], 0.5);
  EXPECT_EQ(size_of(at(write(scene).json, "meshes", 0, "primitives")), 1);
}

}  // namespace
}  // namespace thaw::test
