// What extras.thaw keeps comes back: to_scene → write_gltf → read_gltf gives equal fields, those that the
// lists of members below name.
#include <thaw/codes.hpp>
#include <thaw/format.hpp>
#include <thaw/gltf.hpp>
#include <thaw/image.hpp>
#include <thaw/load.hpp>
#include <thaw/value.hpp>

#include <gtest/gtest.h>

#include "bytes/text.hpp"
#include "bytes/text_encoding.hpp"
#include "scene/curve.hpp"
#include "support/files.hpp"
#include "support/paths.hpp"
#include "support/promises.hpp"

#include <algorithm>
#include <cmath>

namespace thaw {
namespace {

using scene::Index;
using scene::kNone;
using scene::Property;
using scene::Target;

template <class T>
void expect_equal(const T& a, const T& b) {
  EXPECT_EQ(a, b);
}

template <class T, class... Members>
void expect_same(const T& a, const T& b, Members T::*... members) {
  (expect_equal(a.*members, b.*members), ...);
}

void expect_same(const scene::CellRun& a, const scene::CellRun& b) {
  expect_same(a, b, &scene::CellRun::start, &scene::CellRun::end, &scene::CellRun::repeat);
}

/// One scene, and what came back of it.
class RoundTrip {
 public:
  explicit RoundTrip(scene::Scene scene) : original_(std::move(scene)) {
    // Reported apart by a number of our own, for nodes come back in another order and with others between
    // them.
    for (Index i = 0; i < original_.nodes.size(); ++i) {
      original_.nodes[i].extras.set("roundTrip", i);
    }
    Diagnostics findings;
    const auto files = write_gltf(original_, {}, findings);
    auto back = files ? read_gltf(files->front().bytes, {}, findings) : tl::unexpected<Error>(files.error());
    EXPECT_TRUE(back) << back.error().message;
    back_ = back ? std::move(*back) : scene::Scene();
    node_of_.resize(original_.nodes.size(), kNone);
    for (Index i = 0; i < back_.nodes.size(); ++i) {
      const Value& own = back_.nodes[i].extras["roundTrip"];
      if (const auto number = own.integer()) {
        node_of_.at(static_cast<std::size_t>(*number)) = i;
      }
    }
  }

  void check() {
    check_nodes();
    check_objects();
    check_emitters();
    check_ribbons();
    check_materials();
    check_clips();
    expect_same(original_.bounds, back_.bounds, &scene::Bounds::minimum, &scene::Bounds::maximum,
                &scene::Bounds::radius);
    EXPECT_EQ(original_.axes, back_.axes);
    EXPECT_EQ(original_.source_format, back_.source_format);
    EXPECT_EQ(original_.object_sets, back_.object_sets);
    EXPECT_EQ(original_.vertex_animation, back_.vertex_animation);
    EXPECT_EQ(test::problems_of(back_), test::Problems());
  }

  std::size_t things = 0;    ///< compared
  std::size_t channels = 0;  ///< compared

 private:
  /// Where an index of a node should be after the way through glTF.
  [[nodiscard]] Index node(Index before) const { return before == kNone ? kNone : node_of_.at(before); }

  template <class T, class Check>
  void each(std::vector<T> scene::Scene::* list, const Check& check) {
    const auto& before = original_.*list;
    const auto& after = back_.*list;
    ASSERT_EQ(before.size(), after.size());
    for (std::size_t i = 0; i < before.size(); ++i) {
      SCOPED_TRACE(i);
      EXPECT_EQ(node(before[i].node), after[i].node);
      check(before[i], after[i]);
      ++things;
    }
  }

  void check_nodes() {
    for (Index i = 0; i < original_.nodes.size(); ++i) {
      SCOPED_TRACE(i);
      ASSERT_NE(node_of_[i], kNone);
      using scene::Node;
      const Node& before = original_.nodes[i];
      const Node& after = back_.nodes[node_of_[i]];
      expect_same(before, after, &Node::name, &Node::kind, &Node::inherit_translation,
                  &Node::inherit_rotation, &Node::inherit_scale, &Node::billboard, &Node::camera_anchored);
      if (!before.inherit_rotation || !before.inherit_translation || !before.inherit_scale) {
        expect_same(before.rest, after.rest, &scene::Transform::translation, &scene::Transform::scale);
        for (std::size_t c = 0; c < 4; ++c) {
          EXPECT_NEAR(before.rest.rotation[c], after.rest.rotation[c], 1e-6);
        }
      }
      ++things;
    }
  }

  void check_objects() {
    using scene::Attachment, scene::Camera, scene::CollisionShape, scene::Event, scene::Light;
    each(&scene::Scene::lights, [](const Light& a, const Light& b) {
      expect_same(a, b, &Light::kind, &Light::color, &Light::intensity, &Light::ambient_color,
                  &Light::ambient_intensity, &Light::attenuation_start, &Light::attenuation_end);
    });
    each(&scene::Scene::cameras, [&](const Camera& a, const Camera& b) {
      expect_same(a, b, &Camera::name, &Camera::field_of_view, &Camera::diagonal, &Camera::near_clip,
                  &Camera::far_clip);
      EXPECT_EQ(node(a.target_node), b.target_node);
    });
    each(&scene::Scene::attachments, [](const Attachment& a, const Attachment& b) {
      expect_same(a, b, &Attachment::id, &Attachment::path);
    });
    each(&scene::Scene::events, [](const Event& a, const Event& b) {
      expect_same(a, b, &Event::name, &Event::global_loop, &Event::frames);
    });
    each(&scene::Scene::collision_shapes, [](const CollisionShape& a, const CollisionShape& b) {
      expect_same(a, b, &CollisionShape::kind, &CollisionShape::vertices, &CollisionShape::radius);
    });
  }

  /// What a kind does not have is not kept.
  void check_emitters() {
    using scene::Emitter;
    each(&scene::Scene::emitters, [&](const Emitter& a, const Emitter& b) {
      expect_same(a, b, &Emitter::kind, &Emitter::speed, &Emitter::variation, &Emitter::latitude,
                  &Emitter::longitude, &Emitter::gravity, &Emitter::life_span, &Emitter::rate,
                  &Emitter::length, &Emitter::width, &Emitter::burst, &Emitter::line, &Emitter::model_space);
      if (a.kind == Emitter::Kind::sprites) {
        check_sprites(a, b);
      } else {
        EXPECT_EQ(a.path, b.path);
      }
      if (a.kind == Emitter::Kind::models && a.path.empty()) {
        check_texture(a.texture, b.texture);
      }
      if (a.kind == Emitter::Kind::effect) {
        expect_same(a, b, &Emitter::guide, &Emitter::color, &Emitter::alpha, &Emitter::replaceable_id);
      }
    });
  }

  void check_sprites(const scene::Emitter& a, const scene::Emitter& b) {
    using scene::Emitter;
    expect_same(a, b, &Emitter::blend, &Emitter::alpha_key, &Emitter::rows, &Emitter::columns,
                &Emitter::shape, &Emitter::tail_length, &Emitter::middle, &Emitter::colors, &Emitter::alphas,
                &Emitter::scales, &Emitter::replaceable_id, &Emitter::draw_order, &Emitter::unshaded,
                &Emitter::unfogged, &Emitter::xy_quad, &Emitter::sort_far_z);
    expect_same(a.head_life, b.head_life);
    expect_same(a.head_decay, b.head_decay);
    expect_same(a.tail_life, b.tail_life);
    expect_same(a.tail_decay, b.tail_decay);
    check_texture(a.texture, b.texture);
  }

  void check_ribbons() {
    using scene::Ribbon;
    each(&scene::Scene::ribbons, [&](const Ribbon& a, const Ribbon& b) {
      expect_same(a, b, &Ribbon::height_above, &Ribbon::height_below, &Ribbon::alpha, &Ribbon::color,
                  &Ribbon::life_span, &Ribbon::texture_slot, &Ribbon::rate, &Ribbon::rows, &Ribbon::columns,
                  &Ribbon::gravity);
      ASSERT_EQ(a.material == kNone, b.material == kNone);
      if (a.material != kNone) {
        material_of_.emplace(a.material, b.material);
        check_material(original_.materials.at(a.material), back_.materials.at(b.material));
      }
    });
  }

  void check_texture(Index before, Index after) {
    const bool has_file = before != kNone && (!original_.textures.at(before).path.empty() ||
                                              original_.textures[before].replaceable_id != 0);
    ASSERT_EQ(has_file, after != kNone);
    if (has_file) {
      using scene::Texture;
      expect_same(original_.textures[before], back_.textures.at(after), &Texture::path,
                  &Texture::replaceable_id, &Texture::wrap_u, &Texture::wrap_v);
    }
  }

  void check_material(const scene::Material& before, const scene::Material& after) {
    using scene::Layer, scene::Material;
    expect_same(before, after, &Material::name, &Material::draw_order, &Material::shader);
    ASSERT_EQ(before.layers.size(), after.layers.size());
    for (std::size_t i = 0; i < before.layers.size(); ++i) {
      SCOPED_TRACE(i);
      const Layer& a = before.layers[i];
      const Layer& b = after.layers[i];
      expect_same(a, b, &Layer::blend, &Layer::uv_set, &Layer::alpha, &Layer::unshaded, &Layer::two_sided,
                  &Layer::unfogged, &Layer::no_depth_test, &Layer::no_depth_write, &Layer::sphere_map,
                  &Layer::physically_based, &Layer::emissive_gain, &Layer::fresnel_color,
                  &Layer::fresnel_opacity, &Layer::fresnel_team_color);
      for (const auto of_layer : {&Layer::texture, &Layer::normal, &Layer::orm, &Layer::emissive,
                                  &Layer::team_color, &Layer::environment}) {
        check_texture(a.*of_layer, b.*of_layer);
      }
      ASSERT_EQ(a.uv_animation == kNone, b.uv_animation == kNone);
      if (a.uv_animation != kNone) {
        uv_of_.emplace(a.uv_animation, b.uv_animation);
        EXPECT_EQ(original_.uv_animations.at(a.uv_animation).rest,
                  back_.uv_animations.at(b.uv_animation).rest);
      }
    }
    ++things;
  }

  /// Of glTF's materials, which draw what was one.
  void check_materials() {
    for (const auto& material : back_.materials) {
      if (material.source.number != kNone) {
        const auto& before = original_.materials.at(material.source.number);
        expect_same(before, material, &scene::Material::draw_order, &scene::Material::shader);
        ++things;
      }
    }
  }

  /// Where a channel's target should be; none for what glTF has channels of its own for, or materials made
  /// of.
  [[nodiscard]] std::optional<Target> target_after(const scene::Channel& channel) const {
    Target target = channel.target;
    const auto moved = [&](const std::map<Index, Index>& places) {
      const auto found = places.find(target.index);
      target.index = found == places.end() ? kNone : found->second;
    };
    switch (target.kind) {
      case Target::Kind::node: {
        const scene::Node& own = original_.nodes.at(target.index);
        const bool inherits = own.inherit_translation && own.inherit_rotation && own.inherit_scale;
        target.index = inherits && channel.property != Property::visibility ? kNone : node(target.index);
        break;
      }
      case Target::Kind::mesh:
        target.index = kNone;
        break;
      case Target::Kind::layer:
        moved(material_of_);
        break;
      case Target::Kind::uv_animation:
        moved(uv_of_);
        break;
      default:
        break;
    }
    return target.index == kNone ? std::nullopt : std::optional(target);
  }

  void check_clips() {
    ASSERT_EQ(original_.clips.size(), back_.clips.size());
    for (std::size_t i = 0; i < original_.clips.size(); ++i) {
      SCOPED_TRACE(original_.clips[i].name);
      using scene::Clip;
      expect_same(original_.clips[i], back_.clips[i], &Clip::duration, &Clip::looping, &Clip::global,
                  &Clip::interval, &Clip::sample_rate);
      for (const auto& channel : original_.clips[i].channels) {
        if (const auto target = target_after(channel)) {
          check_channel(channel, *target, back_.clips[i]);
        }
      }
      ++things;
    }
  }

  void check_channel(const scene::Channel& channel, const Target& target, const scene::Clip& clip) {
    SCOPED_TRACE(scene::property_name(channel.property));
    const auto found =
        std::find_if(clip.channels.begin(), clip.channels.end(), [&](const scene::Channel& other) {
          return other.target == target && other.property == channel.property;
        });
    ASSERT_NE(found, clip.channels.end());
    ++channels;
    scene::Curve before = scene::cleaned(channel.curve, channel.property == Property::rotation);
    scene::drop_redundant_keys(before);
    EXPECT_EQ(before.mode, found->curve.mode);
    EXPECT_EQ(before.components, found->curve.components);
    EXPECT_EQ(before.times, found->curve.times);
    ASSERT_EQ(before.values.size(), found->curve.values.size());
    for (std::size_t i = 0; i < before.values.size(); ++i) {
      if (channel.property == Property::layer_texture) {
        check_texture(static_cast<Index>(before.values[i]), static_cast<Index>(found->curve.values[i]));
      } else {
        EXPECT_NEAR(before.values[i], found->curve.values[i],
                    channel.property == Property::rotation ? 1e-6 : 0);
      }
    }
  }

  scene::Scene original_;
  scene::Scene back_;
  std::vector<Index> node_of_;
  std::map<Index, Index> material_of_;
  std::map<Index, Index> uv_of_;
};

/// As `thaw convert` makes it, without pictures; none for what has no scene.
std::optional<scene::Scene> scene_of(const std::filesystem::path& path) {
  Diagnostics findings;
  const auto document = read_any(test::load(path), {}, findings);
  if (!document) {
    return std::nullopt;
  }
  OpenSceneOptions request;
  request.path = path.filename().string();
  auto scene = bare_scene(*document, Sources(), request, findings);
  return scene ? std::optional(std::move(*scene)) : std::nullopt;
}

TEST(GltfKept, EverySampleComesBack) {
  std::size_t scenes = 0;
  std::size_t things = 0;
  std::size_t channels = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(test::samples_dir())) {
    SCOPED_TRACE(entry.path().string());
    if (auto scene = entry.is_regular_file() ? scene_of(entry.path()) : std::nullopt) {
      RoundTrip trip(std::move(*scene));
      trip.check();
      ++scenes;
      things += trip.things;
      channels += trip.channels;
    }
  }
  EXPECT_GT(scenes, 20U);
  EXPECT_GT(things, 500U);
  EXPECT_GT(channels, 100U);
}

TEST(GltfKept, RealModelsComeBack) {
  THAW_REQUIRE_CORPUS("");
  constexpr std::size_t kModels = 30;
  const auto all = test::files_below(test::corpus_dir(), ".mdx");
  std::size_t scenes = 0;
  for (std::size_t i = 0; i < all.size(); i += std::max<std::size_t>(1, all.size() / kModels)) {
    SCOPED_TRACE(all[i].string());
    if (auto scene = scene_of(all[i])) {
      RoundTrip(std::move(*scene)).check();
      ++scenes;
    }
  }
  EXPECT_GE(scenes, std::min(kModels, all.size()) * 9 / 10);
}

// --- for Blender

std::string file_for_blender(const scene::Scene& scene) {
  GltfOptions options;
  options.profile = GltfProfile::blender;
  options.binary = false;
  const auto files = write_gltf(scene, options);
  EXPECT_TRUE(files);
  std::string uri = "data:application/octet-stream;base64,";
  append_base64(uri, files->back().bytes);
  std::string text(files->front().bytes.begin(), files->front().bytes.end());
  const std::size_t at = text.find("\"uri\":\"model.bin\"");
  return at == std::string::npos ? text : text.replace(at + 7, 9, uri);
}

scene::Scene read_whole(const std::string& text) {
  GltfReadOptions options;
  options.kept_materials = true;
  auto scene = read_gltf(as_bytes(text), options);
  EXPECT_TRUE(scene) << scene.error().message;
  EXPECT_EQ(test::problems_of(*scene), test::Problems());
  return scene ? std::move(*scene) : scene::Scene();
}

TEST(GltfKept, WhatBlenderForgetsIsInTheScene) {
  const auto scene = scene_of(test::samples_dir() / "everything_v1000.mdx");
  ASSERT_TRUE(scene);
  const scene::Scene back = read_whole(file_for_blender(*scene));
  EXPECT_EQ(back.axes, scene->axes);
  EXPECT_EQ(back.name, scene->name);
  EXPECT_EQ(back.source_format, scene->source_format);
  ASSERT_EQ(back.clips.size(), scene->clips.size());
  for (std::size_t i = 0; i < back.clips.size(); ++i) {
    EXPECT_EQ(back.clips[i].name, scene->clips[i].name);
    EXPECT_EQ(back.clips[i].duration, scene->clips[i].duration);
    EXPECT_EQ(back.clips[i].global, scene->clips[i].global);
    EXPECT_EQ(back.clips[i].interval, scene->clips[i].interval);
    const auto kept = [](const scene::Clip& clip) {
      return std::count_if(clip.channels.begin(), clip.channels.end(), [](const scene::Channel& channel) {
        return channel.target.kind != Target::Kind::node || channel.property == Property::visibility;
      });
    };
    EXPECT_EQ(kept(back.clips[i]), kept(scene->clips[i])) << back.clips[i].name;
  }
  EXPECT_EQ(back.emitters.size(), scene->emitters.size());
  EXPECT_EQ(back.ribbons.size(), scene->ribbons.size());
  EXPECT_EQ(back.attachments.size(), scene->attachments.size());
  ASSERT_EQ(back.events.size(), scene->events.size());
  for (std::size_t i = 0; i < back.events.size(); ++i) {
    EXPECT_EQ(back.events[i].frames, scene->events[i].frames);
  }
}

TEST(GltfKept, AllNodesAreJointsOfOneSkinForBlenderAndNothingRestsAtNoSize) {
  const auto scene = scene_of(test::samples_dir() / "everything_v1000.mdx");
  ASSERT_TRUE(scene);
  const auto json = parse_json(as_bytes(file_for_blender(*scene)));
  ASSERT_TRUE(json);
  EXPECT_TRUE((*json)["asset"]["extras"].is_null());
  ASSERT_EQ((*json)["skins"].list().size(), 1U);
  EXPECT_GE((*json)["skins"][0]["joints"].list().size() + scene->meshes.size() + 1, scene->nodes.size());
  for (const Value& node : (*json)["nodes"].list()) {
    EXPECT_NE(node["scale"][0].number(), 0.0) << node["name"].text();
    EXPECT_TRUE(node["extras"]["thaw"].is_null() || !node["extras"]["thaw"].text().empty());
  }
  for (const Value& animation : (*json)["animations"].list()) {
    EXPECT_TRUE(animation["extras"].is_null());
  }
}

TEST(GltfKept, HalfTurnsHaveAKeyInTheirMiddleForBlender) {
  scene::Scene scene;
  scene.nodes.emplace_back().name = "root";
  scene::Clip& clip = scene.clips.emplace_back();
  clip.name = "turn";
  clip.duration = 1;
  scene::Channel& channel = clip.channels.emplace_back();
  channel.property = Property::rotation;
  channel.curve.components = 4;
  channel.curve.times = {0, 1};
  channel.curve.values = {0, 0, 0, 1, 0, 1, 0, 0};
  const scene::Scene back = read_whole(file_for_blender(scene));
  ASSERT_EQ(back.clips.size(), 1U);
  const auto& curve = back.clips[0].channels.at(0).curve;
  ASSERT_EQ(curve.times.size(), 3U);
  EXPECT_NEAR(std::abs(curve.values[5]), std::sqrt(0.5), 1e-6);
}

TEST(GltfKept, ANameThatSomeoneGaveStays) {
  scene::Scene scene;
  for (const char* name : {"arm", "arm"}) {
    scene.nodes.emplace_back().name = name;
  }
  scene.nodes[1].parent = 0;
  std::string text = file_for_blender(scene);
  EXPECT_EQ(read_whole(text).nodes[1].name, "arm");
  const std::size_t at = text.find("\"name\":\"arm (2)\"");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 16, "\"name\":\"leg\"");
  EXPECT_EQ(read_whole(text).nodes[1].name, "leg");
}

// --- what others made of it

constexpr std::string_view kWritten = R"json({
"asset":{"version":"2.0"%ASSET%},
"scene":0,"scenes":[{"nodes":[0]}],
"nodes":[
  {"name":"top","children":[1]},
  {"name":"arm (2)","extras":{"thaw":{"kind":"attachment","name":"arm",
    "inherit":{"translation":true,"rotation":false,"scale":true},
    "rest":{"translation":[1,2,3],"rotation":[0,0,0,1],"scale":[1,1,1]},
    "cameras":[{"index":4,"target":0,"fieldOfView":1e300,"nearClip":"x","farClip":9}],
    "lights":[{"index":0,"kind":"sun"}],
    "emitters":[{"texture":7},{"index":-1}],
    "ribbons":[{"material":3}]}}}
],
"animations":[{"name":"a","channels":[],"samplers":[],"extras":{"thaw":{
  "clip":0,"duration":2,"looping":false,"channels":[%CHANNEL%]}}}]
})json";

scene::Scene read_written(std::string_view asset, std::string_view channel) {
  std::string text(kWritten);
  text.replace(text.find("%ASSET%"), 7, asset);
  text.replace(text.find("%CHANNEL%"), 9, channel);
  Diagnostics findings;
  auto scene = read_gltf({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, {}, findings);
  EXPECT_TRUE(scene) << scene.error().message;
  EXPECT_EQ(test::problems_of(*scene), test::Problems());
  return std::move(*scene);
}

constexpr std::string_view kOurs = R"(,"extras":{"thaw":{"version":1}})";
constexpr std::string_view kVisible =
    R"({"target":"node","index":1,"property":"visibility","mode":"step","times":[0,3],"values":[1,0]})";

TEST(GltfKept, EditorsThatRenumberCostTheNumbers) {
  const auto ours = read_written(kOurs, kVisible);
  EXPECT_EQ(ours.nodes.at(1).name, "arm");
  EXPECT_FALSE(ours.nodes[1].inherit_rotation);
  EXPECT_EQ(ours.nodes[1].rest.translation, (Vec3{1, 2, 3}));
  EXPECT_EQ(ours.cameras.at(0).target_node, 0U);
  ASSERT_EQ(ours.clips.at(0).channels.size(), 1U);
  EXPECT_FLOAT_EQ(ours.clips[0].duration, 3) << "not shorter than its keys";
  EXPECT_FALSE(ours.clips[0].looping);
  const auto edited = read_written("", kVisible);
  EXPECT_EQ(edited.nodes.at(1).kind, scene::NodeKind::attachment);
  EXPECT_TRUE(edited.nodes[1].inherit_rotation);
  EXPECT_EQ(edited.nodes[1].rest.translation, (Vec3{0, 0, 0}));
  EXPECT_EQ(edited.cameras.at(0).target_node, kNone);
  EXPECT_TRUE(edited.clips.at(0).channels.empty());
  EXPECT_FLOAT_EQ(edited.clips[0].duration, 2);
}

/// What is not sound is as if it were not there.
TEST(GltfKept, UnsoundValuesAreLeftOut) {
  const auto scene = read_written(kOurs, kVisible);
  EXPECT_EQ(scene.cameras.at(0).field_of_view, 0);
  EXPECT_EQ(scene.cameras[0].near_clip, 0);
  EXPECT_EQ(scene.cameras[0].far_clip, 9);
  EXPECT_EQ(scene.lights.at(0).kind, scene::Light::Kind::omni);
  ASSERT_EQ(scene.emitters.size(), 2U);
  EXPECT_EQ(scene.emitters[0].texture, kNone);
  EXPECT_EQ(scene.ribbons.at(0).material, kNone);
  for (
      const char* channel : {
          R"({"target":"node","index":2,"property":"visibility","mode":"step","times":[0],"values":[1]})",
          R"({"target":"light","index":0,"property":"visibility","mode":"step","times":[0],"values":[1]})",
          R"({"target":"node","index":1,"property":"visibel","mode":"step","times":[0],"values":[1]})",
          R"({"target":"node","index":1,"property":"visibility","mode":"step","times":[0],"values":[1,2]})",
          R"({"target":"node","index":1,"property":"visibility","mode":"step","times":[0],"values":[null]})",
          R"({"target":"node","index":1,"property":"visibility","mode":"cubic","times":[0],"values":[1]})",
          R"({"target":"node","index":1,"property":"visibility","mode":"step","times":[-1],"values":[1]})",
          R"({"target":"mesh","index":0,"property":"meshAlpha","mode":"step","times":[0],"values":[1]})",
          R"({"target":"emitter","index":7,"property":"emitterRate","mode":"step","times":[0],"values":[1]})",
          R"([])",
          R"("x")",
      }) {
    EXPECT_TRUE(read_written(kOurs, channel).clips.at(0).channels.empty()) << channel;
  }
  EXPECT_EQ(read_written(kOurs, R"({"target":"light","index":0,"property":"lightIntensity","mode":"linear",)"
                                R"("times":[0],"values":[1]})")
                .clips.at(0)
                .channels.size(),
            1U);
}

/// What thaw wrote of the source, apart from what somebody typed.
TEST(GltfKept, SourcesBecomeFields) {
  constexpr std::string_view kFile = R"json({"asset":{"version":"2.0","extras":{"thaw":{"options":
    {"extras":"minimal","missing":["a"],"quantize":true,"compress":"meshopt","team-color":"all"}}}},
    "scenes":[{"nodes":[0,1],"extras":{"wc3_clips":"[]","thaw":{"bounds":{"radius":1},"mdx":{"scale":0.5},
      "textures":[{"path":"a.blp","placeholder":true}],"materials":[{},{}]}}}],
    "nodes":[{"name":"bone","extras":{"wc3_kind":"x","thaw":{"node":3,"rest":{},"mdx":{"objectId":7}}}},
      {"name":"new","extras":{"wc3_kind":"bone"}}],
    "animations":[{"channels":[],"samplers":[],
      "extras":{"thaw":{"clip":2,"copy":true,"now":{"events":[1]},"mdx":{"rarity":1}}}}]})json";
  const auto scene = read_gltf(as_bytes(kFile));
  ASSERT_TRUE(scene) << scene.error().message;
  const scene::SceneSource& source = scene->source;
  EXPECT_TRUE(source.stated);
  EXPECT_EQ(source.format, "mdx");
  EXPECT_EQ(source.scale, 0.5F);
  EXPECT_EQ(source.materials, 2U);
  ASSERT_EQ(source.textures.size(), 1U);
  EXPECT_EQ(source.textures[0].path, "a.blp");
  EXPECT_TRUE(source.textures[0].placeholder);
  EXPECT_EQ(source.written->options.extras, GltfExtras::minimal);
  EXPECT_EQ(source.written->options.compression, GltfCompression::meshopt);
  EXPECT_TRUE(source.written->options.quantize && source.written->all_team_colors);
  EXPECT_EQ(source.written->missing, std::vector<std::string>{"a"});
  EXPECT_EQ(scene->properties["wc3_clips"].text(), "[]");
  const auto& nodes = scene->nodes;
  EXPECT_EQ(nodes.at(0).source.number, 3U);
  EXPECT_EQ(nodes[0].extras["objectId"].integer(), 7);
  EXPECT_TRUE(nodes[0].extras["wc3_kind"].is_null());
  EXPECT_EQ(nodes[0].properties["wc3_kind"].text(), "x");
  EXPECT_TRUE(nodes[0].source.stated && !nodes.at(1).source.stated);
  EXPECT_EQ(nodes[1].properties["wc3_kind"].text(), "bone");
  Diagnostics losses;
  ASSERT_TRUE(write_gltf(*scene, {}, losses));
  ASSERT_FALSE(losses.items().empty());
  EXPECT_EQ(losses.items().front().message,
            "custom properties of 3 objects left out (scene, nodes, meshes, materials, animations)");
  const scene::Clip& clip = scene->clips.at(0);
  EXPECT_TRUE(clip.source.copy && !clip.source.loops_stated);
  EXPECT_EQ(clip.source.number, 2U);
  EXPECT_EQ(clip.source.format, "mdx");
}

// --- for another game

Image of_color(std::array<std::uint8_t, 4> color) { return {1, 1, Bytes(color.begin(), color.end())}; }

/// Two triangles: one of two layers, one whose picture was not found.
scene::Scene of_another_game() {
  scene::Scene scene;
  scene.source_format = "adr";
  scene.nodes.emplace_back().name = "Body";
  scene.nodes.back().kind = scene::NodeKind::mesh;
  scene::Mesh& mesh = scene.meshes.emplace_back();
  mesh.node = 0;
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  mesh.normals = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}};
  mesh.uv_sets.push_back({{0, 1}, {1, 1}, {0, 0}});
  mesh.indices = {0, 1, 2, 0, 2, 1};
  mesh.parts = {{0, 3, 0}, {3, 3, 1}};
  scene.images.push_back({"skin", "skin.dds", of_color({200, 0, 0, 255}), false});
  scene.images.push_back({"coat", "coat.dds", of_color({0, 0, 200, 255}), false});
  scene.images.push_back({"gone", {}, of_color({128, 128, 128, 255}), true});
  for (Index i = 0; i < scene.images.size(); ++i) {
    scene::Texture& texture = scene.textures.emplace_back();
    texture.path = scene.images[i].name + ".dds";
    texture.image = i;
  }
  auto& layers = scene.materials.emplace_back().layers;
  layers.resize(2);
  layers[0].texture = 0;
  layers[1].texture = 1;
  layers[1].blend = scene::BlendMode::blend;
  scene.materials.emplace_back().layers.emplace_back().texture = 2;
  return scene;
}

scene::Scene read_for(const std::string& formats, Diagnostics& findings) {
  const auto files = write_gltf(of_another_game());
  GltfReadOptions reading;
  reading.kept_materials = true;
  reading.names_of = formats;
  auto scene = read_gltf(files->front().bytes, reading, findings);
  EXPECT_TRUE(scene) << scene.error().message;
  EXPECT_EQ(test::problems_of(*scene), test::Problems());
  return scene ? std::move(*scene) : scene::Scene();
}

std::size_t reported(const Diagnostics& findings, std::string_view words) {
  const auto& items = findings.items();
  return static_cast<std::size_t>(std::count_if(items.begin(), items.end(), [&](const auto& finding) {
    return finding.code == codes::kSceneLost && finding.message.find(words) != std::string::npos;
  }));
}

TEST(GltfKept, TexturesOfAnotherGameAreThePicturesOfTheFile) {
  Diagnostics findings;
  const scene::Scene scene = read_for("mdx", findings);
  ASSERT_EQ(scene.meshes.size(), 1U);
  ASSERT_EQ(scene.meshes[0].parts.size(), 2U);
  const auto layers_of = [&](std::size_t part) {
    return scene.materials.at(scene.meshes[0].parts[part].material).layers;
  };
  ASSERT_EQ(layers_of(0).size(), 1U) << "the file shows both as one";
  const scene::Texture& coat = scene.textures.at(layers_of(0)[0].texture);
  ASSERT_NE(coat.content, nullptr);
  const auto picture = decode_texture(*coat.content);
  ASSERT_TRUE(picture);
  EXPECT_EQ(std::vector<std::uint8_t>(picture->rgba.begin(), picture->rgba.end()),
            (std::vector<std::uint8_t>{0, 0, 200, 255}));
  const scene::Texture& gone = scene.textures.at(layers_of(1)[0].texture);
  EXPECT_EQ(gone.content, nullptr);
  EXPECT_EQ(gone.path, "gone.dds");
  EXPECT_EQ(
      reported(findings, "textures without an image left out, because their paths belong to another game: 1"),
      1U);
}

TEST(GltfKept, TexturesOfTheGameItselfKeepTheirNames) {
  for (const char* formats : {"", "dme adr"}) {
    Diagnostics findings;
    const scene::Scene scene = read_for(formats, findings);
    const auto& layers = scene.materials.at(scene.meshes.at(0).parts.at(0).material).layers;
    ASSERT_EQ(layers.size(), 2U);
    EXPECT_EQ(scene.textures.at(layers[1].texture).path, "coat.dds");
    EXPECT_EQ(scene.textures.at(layers[1].texture).content, nullptr);
    EXPECT_EQ(reported(findings, "another game"), 0U);
  }
}

}  // namespace
}  // namespace thaw
