// Description of extras.thaw, which keeps what glTF has no place for: what stands under which key, for the
// writer and the reader alike (docs/library/gltf.md).
#pragma once

#include <thaw/gltf.hpp>

#include "gltf/clip_matching.hpp"
#include "gltf/extras_visitors.hpp"

namespace thaw::gltf {

// --- names

/// The name at the value's place.
template <class E, std::size_t N>
constexpr std::string_view name_at(const std::array<std::string_view, N>& names, E value) {
  return names.at(static_cast<std::size_t>(value));
}
inline std::string_view billboard_name(scene::Billboard billboard) {
  constexpr std::array<std::string_view, 5> kNames = {"none", "full", "lockX", "lockY", "lockZ"};
  return name_at(kNames, billboard);
}
inline std::string_view light_name(scene::Light::Kind kind) {
  constexpr std::array<std::string_view, 3> kNames = {"omni", "directional", "ambient"};
  return name_at(kNames, kind);
}
inline std::string_view shape_name(scene::CollisionShape::Kind kind) {
  constexpr std::array<std::string_view, 4> kNames = {"box", "sphere", "plane", "cylinder"};
  return name_at(kNames, kind);
}
inline std::string_view emitter_name(scene::Emitter::Kind kind) {
  constexpr std::array<std::string_view, 3> kNames = {"sprites", "models", "effect"};
  return name_at(kNames, kind);
}
inline std::string_view sprite_name(scene::Emitter::Shape shape) {
  constexpr std::array<std::string_view, 3> kNames = {"head", "tail", "both"};
  return name_at(kNames, shape);
}
inline std::string_view blend_name(scene::BlendMode mode) {
  constexpr std::array<std::string_view, 7> kNames = {"none",     "transparent", "blend",     "additive",
                                                      "addAlpha", "modulate",    "modulate2x"};
  return name_at(kNames, mode);
}
inline std::string_view target_name(scene::Target::Kind kind) {
  constexpr std::array<std::string_view, 8> kNames = {"node",  "mesh",   "layer",   "uvAnimation",
                                                      "light", "camera", "emitter", "ribbon"};
  return name_at(kNames, kind);
}
inline std::string_view mode_name(scene::CurveMode mode) {
  constexpr std::array<std::string_view, 3> kNames = {"step", "linear", "cubic"};
  return name_at(kNames, mode);
}

inline std::string_view extras_name(GltfExtras extras) {
  constexpr std::array<std::string_view, 3> kNames = {"full", "minimal", "none"};
  return name_at(kNames, extras);
}
inline std::string_view compression_name(GltfCompression compression) {
  constexpr std::array<std::string_view, 2> kNames = {"none", "meshopt"};
  return name_at(kNames, compression);
}

inline bool inherits_all(const scene::Node& node) {
  return node.inherit_translation && node.inherit_rotation && node.inherit_scale;
}

inline constexpr std::array<std::pair<std::string_view, scene::Property>, 3> kMoves = {
    {{"translation", scene::Property::translation},
     {"rotation", scene::Property::rotation},
     {"scale", scene::Property::scale}}};

/// Blender cuts names to so many bytes.
inline constexpr std::size_t kLongestName = 63;

// --- descriptions

/// What is as usual is left out.
template <class V>
void describe(V& v, Extras<V, WrittenGltf>& written) {
  auto& options = written.options;
  if (V::kReads || options.extras != GltfExtras::full) {
    v.choice("extras", options.extras, GltfExtras::none, extras_name);
  }
  v.unless("missing", written.missing, {});
  v.unless("quantize", options.quantize, false);
  if (V::kReads || options.compression != GltfCompression::none) {
    v.choice("compress", options.compression, GltfCompression::meshopt, compression_name);
  }
  if (V::kReads || options.separate_animations) {
    v.either("animations", options.separate_animations, "separate", "together");
  }
  v.unless("instances", options.instances, false);
  if (V::kReads || written.all_team_colors) {
    v.either("team-color", written.all_team_colors, "all", "one");
  }
  v.unless("scale", written.scale, 0);
}

/// A node that leaves out part of what its parents do stands elsewhere in glTF, hence `rest`.
template <class V>
void describe(V& v, Extras<V, scene::Node>& node) {
  v.choice("kind", node.kind, scene::NodeKind::mesh, scene::node_kind_name);
  if (V::kReads || !inherits_all(node)) {
    v.group("inherit", [&](V& in) {
      in.field("translation", node.inherit_translation);
      in.field("rotation", node.inherit_rotation);
      in.field("scale", node.inherit_scale);
    });
    v.group("rest", [&](V& in) {
      in.field("translation", node.rest.translation);
      in.field("rotation", node.rest.rotation);
      in.field("scale", node.rest.scale);
    });
  }
  if (V::kReads || node.billboard != scene::Billboard::none) {
    v.choice("billboard", node.billboard, scene::Billboard::lock_z, billboard_name);
  }
  v.unless("cameraAnchored", node.camera_anchored, false);
  v.source(node.extras);
}

template <class V>
void describe(V& v, Extras<V, scene::Light>& light) {
  v.choice("kind", light.kind, scene::Light::Kind::ambient, light_name);
  v.field("color", light.color);
  v.field("intensity", light.intensity);
  v.field("ambientColor", light.ambient_color);
  v.field("ambientIntensity", light.ambient_intensity);
  v.field("attenuationStart", light.attenuation_start);
  v.field("attenuationEnd", light.attenuation_end);
}

template <class V>
void describe(V& v, Extras<V, scene::Camera>& camera) {
  v.field("name", camera.name);
  v.unless("target", camera.target_node, scene::kNone);
  v.field("fieldOfView", camera.field_of_view);
  v.either("fieldOfViewAxis", camera.diagonal, "diagonal", "horizontal");
  v.field("nearClip", camera.near_clip);
  v.field("farClip", camera.far_clip);
}

template <class V>
void describe(V& v, Extras<V, scene::Attachment>& attachment) {
  v.field("id", attachment.id);
  v.unless("path", attachment.path, {});
}

template <class V>
void describe(V& v, Extras<V, scene::Event>& event) {
  v.field("name", event.name);
  v.unless("globalLoop", event.global_loop, scene::kNone);
  v.field("frames", event.frames);
}

template <class V>
void describe(V& v, Extras<V, scene::CollisionShape>& shape) {
  v.choice("kind", shape.kind, scene::CollisionShape::Kind::cylinder, shape_name);
  v.field("vertices", shape.vertices);
  v.field("radius", shape.radius);
}

template <class V>
void describe(V& v, Extras<V, scene::CellRun>& run) {
  v.field("start", run.start);
  v.field("end", run.end);
  v.field("repeat", run.repeat);
}

template <class V>
void describe_sprites(V& v, Extras<V, scene::Emitter>& emitter) {
  const auto cells = [&](std::string_view key, Extras<V, scene::CellRun>& run) {
    v.group(key, [&](V& in) { describe(in, run); });
  };
  v.choice("blend", emitter.blend, scene::BlendMode::modulate2x, blend_name);
  v.unless("alphaKey", emitter.alpha_key, false);
  v.field("rows", emitter.rows);
  v.field("columns", emitter.columns);
  v.choice("shape", emitter.shape, scene::Emitter::Shape::both, sprite_name);
  v.field("tailLength", emitter.tail_length);
  v.field("middle", emitter.middle);
  v.field("colors", emitter.colors);
  v.field("alphas", emitter.alphas);
  v.field("scales", emitter.scales);
  cells("headLife", emitter.head_life);
  cells("headDecay", emitter.head_decay);
  cells("tailLife", emitter.tail_life);
  cells("tailDecay", emitter.tail_decay);
  v.unless("texture", emitter.texture, scene::kNone);
  v.field("replaceableId", emitter.replaceable_id);
  v.field("priorityPlane", emitter.draw_order);
  v.unless("unshaded", emitter.unshaded, false);
  v.unless("unfogged", emitter.unfogged, false);
  v.unless("xyQuad", emitter.xy_quad, false);
  v.unless("sortFarZ", emitter.sort_far_z, false);
}

template <class V>
void describe(V& v, Extras<V, scene::Emitter>& emitter) {
  v.choice("kind", emitter.kind, scene::Emitter::Kind::effect, emitter_name);
  v.field("speed", emitter.speed);
  v.field("variation", emitter.variation);
  v.field("latitude", emitter.latitude);
  v.field("longitude", emitter.longitude);
  v.field("gravity", emitter.gravity);
  v.field("lifeSpan", emitter.life_span);
  v.field("rate", emitter.rate);
  v.field("length", emitter.length);
  v.field("width", emitter.width);
  v.unless("squirt", emitter.burst, false);
  v.unless("line", emitter.line, false);
  v.unless("modelSpace", emitter.model_space, false);
  if (emitter.kind == scene::Emitter::Kind::sprites) {
    describe_sprites(v, emitter);
  } else {
    v.field("path", emitter.path);
  }
  if (emitter.kind == scene::Emitter::Kind::models && emitter.path.empty()) {
    v.unless("texture", emitter.texture, scene::kNone);
  }
  if (emitter.kind == scene::Emitter::Kind::effect) {
    v.field("guide", emitter.guide);
    v.field("color", emitter.color);
    v.field("alpha", emitter.alpha);
    v.field("replaceableId", emitter.replaceable_id);
  }
}

template <class V>
void describe(V& v, Extras<V, scene::Ribbon>& ribbon) {
  v.unless("material", ribbon.material, scene::kNone);
  v.field("heightAbove", ribbon.height_above);
  v.field("heightBelow", ribbon.height_below);
  v.field("alpha", ribbon.alpha);
  v.field("color", ribbon.color);
  v.field("lifeSpan", ribbon.life_span);
  v.field("textureSlot", ribbon.texture_slot);
  v.field("rate", ribbon.rate);
  v.field("rows", ribbon.rows);
  v.field("columns", ribbon.columns);
  v.field("gravity", ribbon.gravity);
}

template <class V>
void describe(V& v, Extras<V, scene::Texture>& texture) {
  v.unless("path", texture.path, {});
  v.unless("replaceableId", texture.replaceable_id, 0);
  v.unless("wrapU", texture.wrap_u, false);
  v.unless("wrapV", texture.wrap_v, false);
}

template <class V>
void describe(V& v, Extras<V, scene::Layer>& layer) {
  v.choice("blend", layer.blend, scene::BlendMode::modulate2x, blend_name);
  v.unless("texture", layer.texture, scene::kNone);
  v.field("uvSet", layer.uv_set);
  v.unless("uvAnimation", layer.uv_animation, scene::kNone);
  v.field("alpha", layer.alpha);
  v.unless("unshaded", layer.unshaded, false);
  v.unless("twoSided", layer.two_sided, false);
  v.unless("unfogged", layer.unfogged, false);
  v.unless("noDepthTest", layer.no_depth_test, false);
  v.unless("noDepthWrite", layer.no_depth_write, false);
  v.unless("sphereMap", layer.sphere_map, false);
  v.unless("physicallyBased", layer.physically_based, false);
  if (layer.physically_based) {
    v.unless("normal", layer.normal, scene::kNone);
    v.unless("orm", layer.orm, scene::kNone);
    v.unless("emissive", layer.emissive, scene::kNone);
    v.unless("teamColor", layer.team_color, scene::kNone);
    v.unless("environment", layer.environment, scene::kNone);
    v.field("emissiveGain", layer.emissive_gain);
  }
  v.unless("fresnelColor", layer.fresnel_color, {1, 1, 1});
  v.unless("fresnelOpacity", layer.fresnel_opacity, 0);
  v.unless("fresnelTeamColor", layer.fresnel_team_color, 0);
  v.source(layer.extras);
}

template <class V>
void describe(V& v, Extras<V, scene::ShaderInstance::Sampler>& sampler) {
  v.hash("hash", sampler.hash);
  v.field("fileDataId", sampler.file_id);
}

inline Value uniform_value(const scene::ShaderInstance::Uniform& uniform) {
  if (const auto* integer = std::get_if<std::int32_t>(&uniform.value)) {
    return extras_value(*integer);
  }
  const auto* floats = std::get_if<std::vector<float>>(&uniform.value);
  return floats == nullptr     ? Value()
         : floats->size() == 1 ? extras_value(floats->front())
                               : extras_value(*floats);
}

/// JSON does not distinguish a whole float from an integer, the type does.
inline void take_uniform(const Value& from, scene::ShaderInstance::Uniform& uniform) {
  std::int32_t integer = 0;
  float number = 0;
  std::vector<float> numbers;
  if (uniform.type == scene::ShaderInstance::kInteger && take(from, integer)) {
    uniform.value = integer;
  } else if (take(from, number)) {
    uniform.value = std::vector<float>{number};
  } else if (!from.list().empty() && take(from, numbers)) {
    uniform.value = std::move(numbers);
  }
}

template <class V>
void describe(V& v, Extras<V, scene::ShaderInstance::Uniform>& uniform) {
  v.hash("hash", uniform.hash);
  v.field("type", uniform.type);
  v.field("location", uniform.location);
  if constexpr (V::kReads) {
    take_uniform(v.value("value"), uniform);
  } else if (Value value = uniform_value(uniform); !value.is_null()) {
    v.set("value", std::move(value));
  }
}

template <class V>
void describe(V& v, Extras<V, scene::ShaderInstance::Unknown>& unknown) {
  v.hash("hash", unknown.hash);
  v.field("data", unknown.data);
}

template <class V>
void describe(V& v, Extras<V, scene::ShaderInstance>& shader) {
  v.field("library", shader.library);
  v.digits("guid", shader.guid);
  v.field("blendMode", shader.blend_mode);
  v.field("unknown0", shader.unknown0);
  v.field("unknown2", shader.unknown2);
  v.field("version4", shader.version4);
  v.groups("samplers", shader.samplers);
  v.groups("uniforms", shader.uniforms);
  if (V::kReads || !shader.unknown_data.empty()) {
    v.groups("unknownData", shader.unknown_data);
  }
}

template <class V>
void describe(V& v, Extras<V, scene::VertexAnimation>& animation) {
  v.field("frameDuration", animation.frame_duration);
  v.field("frameCount", animation.frame_count);
  v.field("elapsed", animation.elapsed);
  v.field("radius", animation.radius);
  v.field("pivot", animation.pivot);
  v.field("texture", animation.texture);
}

template <class V>
void describe(V& v, Extras<V, scene::ObjectSet>& set) {
  v.field("name", set.name);
  v.field("first", set.first);
  v.field("count", set.count);
  v.field("shown", set.shown);
}

template <class V>
void describe(V& v, Extras<V, scene::Material>& material) {
  v.unless("name", material.name, {});
  v.unless("priorityPlane", material.draw_order, 0);
  v.groups("layers", material.layers);
  v.source({"guid"}, material.extras, [&](V& in) { in.whole("guid", material.shader); });
}

template <class V>
void describe(V& v, Extras<V, scene::UvAnimation>& animation) {
  v.field("offset", animation.rest.offset);
  v.field("rotation", animation.rest.rotation);
  v.field("scale", animation.rest.scale);
}

template <class V>
void describe(V& v, Extras<V, scene::Bounds>& bounds) {
  v.field("minimum", bounds.minimum);
  v.field("maximum", bounds.maximum);
  v.field("radius", bounds.radius);
}

/// The source's own part of a scene; its lists are kept one by one.
template <class V>
void describe_source(V& v, Extras<V, scene::Scene>& scene) {
  const auto fields = [&](V& in) {
    in.whole("frameDuration", scene.vertex_animation);
    if (V::kReads || !scene.object_sets.empty()) {
      in.groups("doodadSets", scene.object_sets);
    }
  };
  v.source({"frameDuration", "doodadSets"}, scene.extras, fields, Side::after);
}

template <class V>
void describe(V& v, Extras<V, scene::Clip>& clip) {
  v.field("duration", clip.duration);
  v.field("looping", clip.looping);
  v.unless("global", clip.global, false);
}
template <class V>
void describe_source(V& v, Extras<V, scene::Clip>& clip) {
  v.source({"interval", "rate"}, clip.extras, [&](V& in) {
    in.optional("interval", clip.interval);
    in.optional("rate", clip.sample_rate);
  });
}

template <class V>
void describe(V& v, Extras<V, scene::Channel>& channel) {
  v.choice("target", channel.target.kind, scene::Target::Kind::ribbon, target_name);
  v.field("index", channel.target.index);
  if (channel.target.kind == scene::Target::Kind::layer) {
    v.field("layer", channel.target.sub);
  }
  v.choice("property", channel.property, scene::Property::ribbon_texture_slot, scene::property_name);
  v.choice("mode", channel.curve.mode, scene::CurveMode::cubic, mode_name);
  v.field("times", channel.curve.times);
  v.field("values", channel.curve.values);
}

}  // namespace thaw::gltf
