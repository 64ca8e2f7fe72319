// What glTF cannot say, kept under extras.thaw so that the scene can be rebuilt (docs/gltf.md).
#include "gltf/export.hpp"

#include "scene/clips.hpp"

#include <algorithm>
#include <tuple>

namespace thaw::gltf {
namespace {

template <class Numbers>
Value list_of(const Numbers& numbers) {
  Value::List list;
  list.reserve(numbers.size());
  for (const auto number : numbers) {
    list.emplace_back(number);
  }
  return {std::move(list)};
}

void set_index(Value& value, std::string_view name, Index index) {
  if (index != kNone) {
    value.set(name, index);
  }
}

void set_flag(Value& value, std::string_view name, bool flag) {
  if (flag) {
    value.set(name, true);
  }
}

void set_text(Value& value, std::string_view name, const std::string& text) {
  if (!text.empty()) {
    value.set(name, text);
  }
}

std::string_view billboard_name(scene::Billboard billboard) {
  constexpr std::array<std::string_view, 5> kNames = {"none", "full", "lockX", "lockY", "lockZ"};
  return kNames.at(static_cast<std::size_t>(billboard));
}

std::string_view target_name(Target::Kind kind) {
  constexpr std::array<std::string_view, 8> kNames = {"node",  "mesh",   "layer",   "uvAnimation",
                                                      "light", "camera", "emitter", "ribbon"};
  return kNames.at(static_cast<std::size_t>(kind));
}

std::string_view mode_name(scene::CurveMode mode) {
  constexpr std::array<std::string_view, 3> kNames = {"step", "linear", "cubic"};
  return kNames.at(static_cast<std::size_t>(mode));
}

/// The format's own values, under its name.
void set_source(Value& value, const scene::Scene& scene, const Value& extras) {
  if (!extras.empty()) {
    value.set(scene.source_format.empty() ? "source" : scene.source_format, extras);
  }
}

Value node_value(const scene::Scene& scene, const scene::Node& node) {
  Value value;
  value.set("kind", scene::node_kind_name(node.kind));
  if (!node.inherit_translation || !node.inherit_rotation || !node.inherit_scale) {
    Value inherit;
    inherit.set("translation", node.inherit_translation);
    inherit.set("rotation", node.inherit_rotation);
    inherit.set("scale", node.inherit_scale);
    value.set("inherit", std::move(inherit));
    Value rest;
    rest.set("translation", list_of(node.rest.translation));
    rest.set("rotation", list_of(node.rest.rotation));
    rest.set("scale", list_of(node.rest.scale));
    value.set("rest", std::move(rest));
  }
  if (node.billboard != scene::Billboard::none) {
    value.set("billboard", billboard_name(node.billboard));
  }
  set_flag(value, "cameraAnchored", node.camera_anchored);
  set_source(value, scene, node.extras);
  return value;
}

Value light_value(const scene::Light& light) {
  constexpr std::array<std::string_view, 3> kKinds = {"omni", "directional", "ambient"};
  Value value;
  value.set("kind", kKinds.at(static_cast<std::size_t>(light.kind)));
  value.set("color", list_of(light.color));
  value.set("intensity", light.intensity);
  value.set("ambientColor", list_of(light.ambient_color));
  value.set("ambientIntensity", light.ambient_intensity);
  value.set("attenuationStart", light.attenuation_start);
  value.set("attenuationEnd", light.attenuation_end);
  return value;
}

Value camera_value(const scene::Camera& camera) {
  Value value;
  value.set("name", camera.name);
  set_index(value, "target", camera.target_node);
  value.set("fieldOfView", camera.field_of_view);
  value.set("fieldOfViewAxis", camera.diagonal ? "diagonal" : "horizontal");
  value.set("nearClip", camera.near_clip);
  value.set("farClip", camera.far_clip);
  return value;
}

Value attachment_value(const scene::Attachment& attachment) {
  Value value;
  value.set("id", std::int64_t{attachment.id});
  set_text(value, "path", attachment.path);
  return value;
}

Value event_value(const scene::Event& event) {
  Value value;
  value.set("name", event.name);
  set_index(value, "globalLoop", event.global_loop);
  Value::List frames;
  for (const std::int32_t frame : event.frames) {
    frames.emplace_back(std::int64_t{frame});
  }
  value.set("frames", std::move(frames));
  return value;
}

Value collision_value(const scene::CollisionShape& shape) {
  constexpr std::array<std::string_view, 4> kKinds = {"box", "sphere", "plane", "cylinder"};
  Value value;
  value.set("kind", kKinds.at(static_cast<std::size_t>(shape.kind)));
  Value::List vertices;
  for (const auto& vertex : shape.vertices) {
    vertices.push_back(list_of(vertex));
  }
  value.set("vertices", std::move(vertices));
  value.set("radius", shape.radius);
  return value;
}

Value cells_value(const scene::CellRun& run) {
  Value value;
  value.set("start", run.start);
  value.set("end", run.end);
  value.set("repeat", run.repeat);
  return value;
}

void set_emission(Value& value, const scene::Emitter& emitter) {
  value.set("speed", emitter.speed);
  value.set("variation", emitter.variation);
  value.set("latitude", emitter.latitude);
  value.set("longitude", emitter.longitude);
  value.set("gravity", emitter.gravity);
  value.set("lifeSpan", emitter.life_span);
  value.set("rate", emitter.rate);
  value.set("length", emitter.length);
  value.set("width", emitter.width);
  set_flag(value, "squirt", emitter.squirt);
  set_flag(value, "line", emitter.line);
  set_flag(value, "modelSpace", emitter.model_space);
}

void set_sprites(Value& value, const scene::Emitter& emitter) {
  constexpr std::array<std::string_view, 3> kShapes = {"head", "tail", "both"};
  value.set("blend", blend_name(emitter.blend));
  set_flag(value, "alphaKey", emitter.alpha_key);
  value.set("rows", emitter.rows);
  value.set("columns", emitter.columns);
  value.set("shape", kShapes.at(static_cast<std::size_t>(emitter.shape)));
  value.set("tailLength", emitter.tail_length);
  value.set("middle", emitter.middle);
  Value::List colors;
  for (const auto& color : emitter.colors) {
    colors.push_back(list_of(color));
  }
  value.set("colors", std::move(colors));
  value.set("alphas", list_of(emitter.alphas));
  value.set("scales", list_of(emitter.scales));
  value.set("headLife", cells_value(emitter.head_life));
  value.set("headDecay", cells_value(emitter.head_decay));
  value.set("tailLife", cells_value(emitter.tail_life));
  value.set("tailDecay", cells_value(emitter.tail_decay));
  set_index(value, "texture", emitter.texture);
  value.set("replaceableId", emitter.replaceable_id);
  value.set("priorityPlane", std::int64_t{emitter.priority_plane});
  set_flag(value, "unshaded", emitter.unshaded);
  set_flag(value, "unfogged", emitter.unfogged);
  set_flag(value, "xyQuad", emitter.xy_quad);
  set_flag(value, "sortFarZ", emitter.sort_far_z);
}

Value emitter_value(const scene::Emitter& emitter) {
  constexpr std::array<std::string_view, 3> kKinds = {"sprites", "models", "effect"};
  Value value;
  value.set("kind", kKinds.at(static_cast<std::size_t>(emitter.kind)));
  set_emission(value, emitter);
  if (emitter.kind == scene::Emitter::Kind::sprites) {
    set_sprites(value, emitter);
  } else {
    value.set("path", emitter.path);
  }
  if (emitter.kind == scene::Emitter::Kind::effect) {
    value.set("guide", emitter.guide);
    value.set("color", list_of(emitter.color));
    value.set("alpha", emitter.alpha);
    value.set("replaceableId", emitter.replaceable_id);
  }
  return value;
}

Value ribbon_value(const scene::Ribbon& ribbon) {
  Value value;
  set_index(value, "material", ribbon.material);
  value.set("heightAbove", ribbon.height_above);
  value.set("heightBelow", ribbon.height_below);
  value.set("alpha", ribbon.alpha);
  value.set("color", list_of(ribbon.color));
  value.set("lifeSpan", ribbon.life_span);
  value.set("textureSlot", ribbon.texture_slot);
  value.set("rate", ribbon.rate);
  value.set("rows", ribbon.rows);
  value.set("columns", ribbon.columns);
  value.set("gravity", ribbon.gravity);
  return value;
}

Value texture_value(const scene::Scene& scene, const scene::Texture& texture) {
  Value value;
  set_text(value, "path", texture.path);
  if (texture.replaceable_id != 0) {
    value.set("replaceableId", texture.replaceable_id);
  }
  set_flag(value, "wrapU", texture.wrap_u);
  set_flag(value, "wrapV", texture.wrap_v);
  if (texture.image < scene.images.size()) {
    set_text(value, "file", scene.images[texture.image].source);
    set_flag(value, "placeholder", scene.images[texture.image].placeholder);
  }
  return value.is_null() ? Value(Value::Object{}) : value;
}

Value layer_value(const scene::Scene& scene, const scene::Layer& layer) {
  Value value;
  value.set("blend", blend_name(layer.blend));
  set_index(value, "texture", layer.texture);
  value.set("uvSet", layer.uv_set);
  set_index(value, "uvAnimation", layer.uv_animation);
  value.set("alpha", layer.alpha);
  set_flag(value, "unshaded", layer.unshaded);
  set_flag(value, "twoSided", layer.two_sided);
  set_flag(value, "unfogged", layer.unfogged);
  set_flag(value, "noDepthTest", layer.no_depth_test);
  set_flag(value, "noDepthWrite", layer.no_depth_write);
  set_flag(value, "sphereMap", layer.sphere_map);
  if (layer.physically_based) {
    value.set("physicallyBased", true);
    set_index(value, "normal", layer.normal);
    set_index(value, "orm", layer.orm);
    set_index(value, "emissive", layer.emissive);
    set_index(value, "teamColor", layer.team_color);
    set_index(value, "environment", layer.environment);
    value.set("emissiveGain", layer.emissive_gain);
  }
  set_source(value, scene, layer.extras);
  return value;
}

Value material_value(const scene::Scene& scene, const scene::Material& material) {
  Value value;
  set_text(value, "name", material.name);
  if (material.priority_plane != 0) {
    value.set("priorityPlane", std::int64_t{material.priority_plane});
  }
  Value::List layers;
  for (const auto& layer : material.layers) {
    layers.push_back(layer_value(scene, layer));
  }
  value.set("layers", std::move(layers));
  set_source(value, scene, material.extras);
  return value;
}

Value uv_animation_value(const scene::UvAnimation& animation) {
  Value value;
  value.set("offset", list_of(animation.rest.offset));
  value.set("rotation", animation.rest.rotation);
  value.set("scale", list_of(animation.rest.scale));
  return value;
}

template <class Items, class Convert>
void set_list(Value& value, std::string_view name, const Items& items, const Convert& convert) {
  if (items.empty()) {
    return;
  }
  Value::List list;
  list.reserve(items.size());
  for (const auto& item : items) {
    list.push_back(convert(item));
  }
  value.set(name, std::move(list));
}

Value scene_value(const scene::Scene& scene) {
  Value value;
  Value bounds;
  bounds.set("minimum", list_of(scene.bounds.minimum));
  bounds.set("maximum", list_of(scene.bounds.maximum));
  bounds.set("radius", scene.bounds.radius);
  value.set("bounds", std::move(bounds));
  set_list(value, "textures", scene.textures,
           [&](const scene::Texture& texture) { return texture_value(scene, texture); });
  set_list(value, "materials", scene.materials,
           [&](const scene::Material& material) { return material_value(scene, material); });
  set_list(value, "uvAnimations", scene.uv_animations, uv_animation_value);
  set_source(value, scene, scene.extras);
  return value;
}

Value mesh_value(const scene::Scene& scene, Index index) {
  const scene::Mesh& mesh = scene.meshes[index];
  Value value;
  value.set("mesh", index);
  if (mesh.color != Vec3{1, 1, 1}) {
    value.set("color", list_of(mesh.color));
  }
  if (mesh.alpha != 1) {
    value.set("alpha", mesh.alpha);
  }
  set_source(value, scene, mesh.extras);
  return value;
}

/// Appends to a list of the node's extras; `index` is what channels refer to.
template <class Items, class Convert>
void add_to_nodes(Export& out, std::string_view name, const Items& items, const Convert& convert) {
  std::vector<Value> lists(out.scene.nodes.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items[i].node < lists.size()) {
      Value value;
      value.set("index", static_cast<std::int64_t>(i));
      const Value content_of_item = convert(items[i]);
      for (const auto& [member, content] : std::get<Value::Object>(content_of_item.storage())) {
        value.set(member, content);
      }
      lists[items[i].node].push(std::move(value));
    }
  }
  for (std::size_t node = 0; node < lists.size(); ++node) {
    if (!lists[node].is_null()) {
      out.document.nodes[node].extras.set(name, std::move(lists[node]));
    }
  }
}

}  // namespace

void add_extras(Export& out) {
  const scene::Scene& scene = out.scene;
  for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
    out.document.nodes[i].extras = node_value(scene, scene.nodes[i]);
    if (out.document.nodes[i].name != scene.nodes[i].name) {
      out.document.nodes[i].extras.set("name", scene.nodes[i].name);
    }
  }
  add_to_nodes(out, "lights", scene.lights, light_value);
  add_to_nodes(out, "cameras", scene.cameras, camera_value);
  add_to_nodes(out, "attachments", scene.attachments, attachment_value);
  add_to_nodes(out, "events", scene.events, event_value);
  add_to_nodes(out, "collisionShapes", scene.collision_shapes, collision_value);
  add_to_nodes(out, "emitters", scene.emitters, emitter_value);
  add_to_nodes(out, "ribbons", scene.ribbons, ribbon_value);
  for (Index i = 0; i < out.meshes.size(); ++i) {
    if (out.meshes[i].mesh != kNone) {
      out.document.meshes[out.meshes[i].mesh].extras = mesh_value(scene, i);
    }
  }
  out.document.scene_extras = scene_value(scene);
  out.document.asset_extras.set("version", std::int64_t{1});
  set_text(out.document.asset_extras, "format", scene.source_format);
  set_text(out.document.asset_extras, "front", scene.axes == scene::Axes::x_right ? "+X" : "+Z");
}

bool needs_extras(const Export& out, const scene::Channel& channel) {
  switch (channel.property) {
    case Property::translation:
    case Property::rotation:
    case Property::scale: {
      const scene::Node& node = out.scene.nodes[channel.target.index];
      return !node.inherit_translation || !node.inherit_rotation || !node.inherit_scale;
    }
    case Property::weights:
      return false;
    default:
      return true;
  }
}

Value channel_extras(const scene::Channel& channel) {
  Value value;
  value.set("target", target_name(channel.target.kind));
  value.set("index", channel.target.index);
  if (channel.target.kind == Target::Kind::layer) {
    value.set("layer", channel.target.sub);
  }
  value.set("property", scene::property_name(channel.property));
  value.set("mode", mode_name(channel.curve.mode));
  value.set("times", list_of(channel.curve.times));
  value.set("values", list_of(channel.curve.values));
  return value;
}

namespace {

/// The clip's place on the time line of its events, in ms.
std::optional<std::pair<double, double>> interval_of(const Clip& clip) {
  if (clip.global) {
    return std::pair{0.0, double{clip.duration} * 1000};
  }
  const auto interval = scene::source_interval(clip);
  return interval ? std::optional(
                        std::pair{static_cast<double>(interval->first), static_cast<double>(interval->last)})
                  : std::nullopt;
}

}  // namespace

EventTimes::EventTimes(Export& out) : out_(out) {
  for (Index i = 0; i < out.scene.events.size(); ++i) {
    const scene::Event& event = out.scene.events[i];
    auto& moments = event.global_loop == kNone ? moments_ : of_loop_[event.global_loop];
    for (const std::int32_t frame : event.frames) {
      moments.push_back({frame, i});
    }
  }
  const auto earlier = [](const Moment& a, const Moment& b) {
    return std::tie(a.frame, a.event) < std::tie(b.frame, b.event);
  };
  std::sort(moments_.begin(), moments_.end(), earlier);
  for (auto& [loop, moments] : of_loop_) {
    std::sort(moments.begin(), moments.end(), earlier);
  }
}

Value EventTimes::in_clip(std::size_t clip_index) {
  const Clip& clip = out_.channels.clips()[clip_index];
  const auto interval = interval_of(clip);
  const auto loop = of_loop_.find(static_cast<Index>(clip_index));
  if (!interval || (clip.global && loop == of_loop_.end())) {
    return {};
  }
  const auto& moments = clip.global ? loop->second : moments_;
  const auto first =
      std::lower_bound(moments.begin(), moments.end(), interval->first,
                       [](const Moment& moment, double start) { return moment.frame < start; });
  std::map<Index, Value> times;
  for (auto at = first;
       at != moments.end() && at->frame <= interval->second && out_.budget.spend(kChannelCost); ++at) {
    times[at->event].push(static_cast<float>((at->frame - interval->first) / 1000));
  }
  Value result;
  for (auto& [index, list] : times) {
    const scene::Event& event = out_.scene.events[index];
    Value entry;
    entry.set("event", index);
    entry.set("name", event.name);
    set_index(entry, "node", event.node);
    entry.set("times", std::move(list));
    result.push(std::move(entry));
  }
  return result;
}

}  // namespace thaw::gltf
