// Properties that glTF cannot say, under extras.thaw so that the scene can be rebuilt (docs/library/gltf.md).
#include "bytes/number_text.hpp"
#include "bytes/text.hpp"
#include "gltf/export.hpp"
#include "gltf/extras_description.hpp"

#include <algorithm>
#include <tuple>

namespace thaw::gltf {
namespace {

template <class T>
Value extras_object(const scene::Scene& scene, const T& part) {
  FieldWriter writer(scene.source_format);
  describe(writer, part);
  return writer.take();
}

Value texture_value(const scene::Scene& scene, const scene::Texture& texture) {
  Value value = extras_object(scene, texture);
  if (texture.image < scene.images.size()) {
    const scene::NamedImage& image = scene.images[texture.image];
    if (!image.source.empty()) {
      value.set("file", image.source);
    }
    if (image.placeholder) {
      value.set("placeholder", true);
    }
  }
  return value;
}

Value scene_value(const scene::Scene& scene) {
  FieldWriter writer(scene.source_format);
  writer.set("bounds", extras_object(scene, scene.bounds));
  const auto set_list = [&](std::string_view name, const auto& items, const auto& value_of) {
    Value::List list;
    list.reserve(items.size());
    for (const auto& item : items) {
      list.push_back(value_of(scene, item));
    }
    if (!list.empty()) {
      writer.set(name, std::move(list));
    }
  };
  set_list("textures", scene.textures, texture_value);
  set_list("materials", scene.materials, extras_object<scene::Material>);
  set_list("uvAnimations", scene.uv_animations, extras_object<scene::UvAnimation>);
  describe_source(writer, scene);
  return writer.take();
}

/// Colour and opacity are in the materials, too, where read_gltf takes them from.
Value mesh_value(const scene::Scene& scene, Index index) {
  const scene::Mesh& mesh = scene.meshes[index];
  FieldWriter writer(scene.source_format);
  writer.field("mesh", index);
  writer.unless("color", mesh.color, {1, 1, 1});
  writer.unless("alpha", mesh.alpha, 1);
  writer.source(mesh.extras);
  return writer.take();
}

/// Appends to a list of the node's extras; `index` is what channels refer to.
template <class Items>
void add_to_nodes(Export& out, std::string_view name, const Items& items) {
  std::vector<Value> lists(out.scene.nodes.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items[i].node < lists.size()) {
      FieldWriter writer(out.scene.source_format);
      writer.field("index", i);
      describe(writer, items[i]);
      lists[items[i].node].push(writer.take());
    }
  }
  for (std::size_t node = 0; node < lists.size(); ++node) {
    if (!lists[node].is_null()) {
      out.document.nodes[node].extras.set(name, std::move(lists[node]));
    }
  }
}

WrittenGltf written_as(const Export& out) {
  WrittenGltf written;
  written.options = out.options;
  written.options.extras = out.extras();
  for (const auto& image : out.scene.images) {
    if (image.placeholder && out.extras() != GltfExtras::full) {
      written.missing.push_back(image.name);
    }
  }
  written.all_team_colors = !out.document.variants.empty();
  if (out.extras() == GltfExtras::none) {
    written.scale = sound_scale(out.scene.extras["scale"]);
  }
  return written;
}

}  // namespace

void add_extras(Export& out) {
  const scene::Scene& scene = out.scene;
  for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
    out.document.nodes[i].extras = extras_object(scene, scene.nodes[i]);
    if (out.for_blender()) {
      out.document.nodes[i].extras.set("node", static_cast<Index>(i));
    }
    const std::string& written = out.document.nodes[i].name;
    if (written != scene.nodes[i].name || (out.for_blender() && written.size() > kLongestName)) {
      out.document.nodes[i].extras.set("name", scene.nodes[i].name);
      if (out.for_blender()) {
        out.document.nodes[i].extras.set("written", written);
      }
    }
  }
  add_to_nodes(out, "lights", scene.lights);
  add_to_nodes(out, "cameras", scene.cameras);
  add_to_nodes(out, "attachments", scene.attachments);
  add_to_nodes(out, "events", scene.events);
  add_to_nodes(out, "collisionShapes", scene.collision_shapes);
  add_to_nodes(out, "emitters", scene.emitters);
  add_to_nodes(out, "ribbons", scene.ribbons);
  for (Index i = 0; i < out.meshes.size(); ++i) {
    if (out.meshes[i].mesh != kNone) {
      Value& extras = out.document.meshes[out.meshes[i].mesh].extras = mesh_value(scene, i);
      if (out.for_blender() && !out.meshes[i].visibility->initially()) {
        extras.set("hidden", true);
      }
    }
  }
  out.document.scene_extras = scene_value(scene);
  out.document.asset_extras.set("version", std::int64_t{1});
  if (!scene.source_format.empty()) {
    out.document.asset_extras.set("format", scene.source_format);
  }
  out.document.asset_extras.set("front", scene.axes == scene::Axes::x_right ? "+X" : "+Z");
  if (Value options = extras_object(scene, written_as(out)); !options.empty()) {
    out.document.asset_extras.set("options", std::move(options));
  }
}

namespace {

/// True if what the writer makes of this channel cannot be turned back into it.
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

}  // namespace

namespace {

/// Which members of extras GltfExtras::minimal has, and which of the source's own object in them.
struct Needed {
  std::string_view members;
  std::string_view source;
};

void reduce(Value& extras, const std::string& format, const Needed& needed) {
  Value rest;
  for (const auto& [name, value] : extras.object()) {
    if (contains_word(needed.members, name)) {
      rest.set(name, value);
    } else if (name == format) {
      Value source;
      for (const auto& [key, member] : value.object()) {
        if (contains_word(needed.source, key)) {
          source.set(key, member);
        }
      }
      if (!source.is_null()) {
        rest.set(name, std::move(source));
      }
    }
  }
  extras = std::move(rest);
}

/// What is lost without extras, in the words of a finding.
void report_dropped(Export& out) {
  const scene::Scene& scene = out.scene;
  const auto channels = [&](bool (*requested)(const Export&, const scene::Channel&)) {
    std::size_t count = 0;
    for (const auto& clip : out.channels.clips()) {
      count += static_cast<std::size_t>(
          std::count_if(clip.channels.begin(), clip.channels.end(),
                        [&](const auto& channel) { return requested(out, channel); }));
    }
    return count;
  };
  const auto ambient =
      static_cast<std::size_t>(std::count_if(scene.lights.begin(), scene.lights.end(), [](const auto& light) {
        return light.kind == scene::Light::Kind::ambient;
      }));
  const auto layered = static_cast<std::size_t>(
      std::count_if(scene.materials.begin(), scene.materials.end(),
                    [](const auto& material) { return material.layers.size() > 1; }));
  const std::array<std::pair<std::size_t, std::string_view>, 8> dropped = {
      {{scene.emitters.size(), "emitter"},
       {scene.ribbons.size(), "ribbon"},
       {scene.attachments.size(), "attachment"},
       {scene.events.size(), "event"},
       {scene.collision_shapes.size(), "collision shape"},
       {ambient, "ambient light"},
       {out.extras() == GltfExtras::none ? layered : 0, "layered material"},
       {channels(needs_extras), "curve"}}};
  std::string list;
  for (const auto& [count, kind] : dropped) {
    if (count > 0) {
      list += (list.empty() ? "" : ", ") + counted(count, kind);
    }
  }
  if (!list.empty()) {
    out.diagnostics.add(codes::kSceneApproximated,
                        "extras left out: a model converted from this file alone lacks " + list, {}, {});
  }
}

void reduce_extras(Export& out) {
  auto& document = out.document;
  const std::string& format = out.scene.source_format;
  const bool all = out.extras() == GltfExtras::none;
  const auto reduce_all = [&](auto& parts, const Needed& needed) {
    for (auto& part : parts) {
      reduce(part.extras, format, all ? Needed{} : needed);
    }
  };
  reduce(document.scene_extras, format,
         all ? Needed{} : Needed{"textures materials uvAnimations", "scale version doodadSets"});
  reduce_all(document.nodes, {"kind name placed visibilityOf", "bone bspNodes portal"});
  reduce_all(document.meshes, {"", "level"});
  reduce_all(document.materials, {"material blend layers surface", ""});
  reduce_all(document.animations, {"clip duration looping global", "interval rate"});
  report_dropped(out);
}

}  // namespace

/// Programs drop what stands at animations and at the file, and change numbers and truth values of the rest:
/// a text stays as it is.
void pack_extras(Export& out) {
  if (out.extras() != GltfExtras::full) {
    reduce_extras(out);
  }
  if (!out.for_blender()) {
    return;
  }
  auto& document = out.document;
  Value clips;
  for (auto& animation : document.animations) {
    Value clip = std::exchange(animation.extras, Value());
    clip.set("animation", animation.name);
    clips.push(std::move(clip));
  }
  document.scene_extras.set("name", out.scene.name);
  document.scene_extras.set("file", std::exchange(document.asset_extras, Value()));
  document.scene_extras.set("clips", std::move(clips));
  const auto pack = [](Value& extras) { extras = extras.empty() ? Value() : Value(thaw::to_json(extras)); };
  const auto pack_all = [&](auto& parts) {
    for (auto& part : parts) {
      pack(part.extras);
    }
  };
  pack(document.scene_extras);
  pack_all(document.nodes);
  pack_all(document.meshes);
  pack_all(document.materials);
}

Value clip_extras(const Export& out, std::size_t number, Value events) {
  const Clip& clip = out.channels.clips()[number];
  FieldWriter writer(out.scene.source_format);
  writer.field("clip", number);
  describe(writer, clip);
  Value::List channels;
  for (const auto& channel : clip.channels) {
    if (needs_extras(out, channel)) {
      channels.push_back(extras_object(out.scene, channel));
    }
  }
  if (!channels.empty()) {
    writer.set("channels", std::move(channels));
  }
  if (!events.is_null()) {
    writer.set("events", std::move(events));
  }
  describe_source(writer, clip);
  return writer.take();
}

namespace {

/// The clip's place on the time line of its events, in ms.
std::optional<std::pair<double, double>> interval_of(const Clip& clip) {
  if (clip.global) {
    return std::pair{0.0, double{clip.duration} * 1000};
  }
  return clip.interval ? std::optional(std::pair{static_cast<double>(clip.interval->first),
                                                 static_cast<double>(clip.interval->last)})
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
  const auto earlier = [](const EventTime& a, const EventTime& b) {
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
                       [](const EventTime& moment, double start) { return moment.frame < start; });
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
    if (event.node != kNone) {
      entry.set("node", event.node);
    }
    entry.set("times", std::move(list));
    result.push(std::move(entry));
  }
  return result;
}

}  // namespace thaw::gltf
