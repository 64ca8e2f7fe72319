// The objects of the hierarchy, each in its chunk: bones, helpers, lights, attachments, emitters, ribbons,
// events, collision shapes (mdx.md#nodes, mdx.md#node-flags).
#include "formats/warcraft/mdx/convert/first_version.hpp"
#include "formats/warcraft/mdx/from_scene/model_builder.hpp"
#include "formats/warcraft/mdx/from_scene/node_terms.hpp"
#include "scene/game_rules.hpp"

#include <algorithm>

namespace thaw::mdx {
namespace {

std::uint32_t kind_flag(ObjectKind kind) {
  switch (kind) {
    case ObjectKind::bone:
      return node_flag::kBone;
    case ObjectKind::light:
      return node_flag::kLight;
    case ObjectKind::helper:
      return 0;
    case ObjectKind::attachment:
      return node_flag::kAttachment;
    case ObjectKind::model_emitter:
    case ObjectKind::sprite_emitter:
    case ObjectKind::effect:
      return node_flag::kEmitter;
    case ObjectKind::ribbon:
      return node_flag::kRibbon;
    case ObjectKind::event:
      return node_flag::kEvent;
    case ObjectKind::collision:
      return node_flag::kCollision;
  }
  return 0;
}

scene::Billboard billboard_in(std::uint32_t flags) {
  using scene::Billboard;
  return (flags & node_flag::kBillboarded) != 0        ? Billboard::full
         : (flags & node_flag::kBillboardedLockX) != 0 ? Billboard::lock_x
         : (flags & node_flag::kBillboardedLockY) != 0 ? Billboard::lock_y
         : (flags & node_flag::kBillboardedLockZ) != 0 ? Billboard::lock_z
                                                       : Billboard::none;
}

std::uint32_t flags_of(const scene::Node& node, ObjectKind kind, bool swapped) {
  constexpr std::uint32_t kBillboards = 0x78;
  const auto stated = static_cast<std::uint32_t>(
      std::clamp<std::int64_t>(ModelBuilder::mdx_extras(node)["flags"].integer().value_or(0), 0, 0xFFFFFFFF));
  std::uint32_t flags = (stated & ~0xFFU) | kind_flag(kind);
  flags |= node.inherit_translation ? 0 : node_flag::kDontInheritTranslation;
  flags |= (swapped ? node.inherit_rotation : node.inherit_scale) ? 0 : node_flag::kDontInheritScaling;
  flags |= (swapped ? node.inherit_scale : node.inherit_rotation) ? 0 : node_flag::kDontInheritRotation;
  flags |= node.camera_anchored ? node_flag::kCameraAnchored : 0;
  if (billboard_in(stated) == node.billboard) {
    return flags | (stated & kBillboards);
  }
  constexpr std::array<std::uint32_t, 5> kBits = {0, node_flag::kBillboarded, node_flag::kBillboardedLockX,
                                                  node_flag::kBillboardedLockY, node_flag::kBillboardedLockZ};
  return flags | kBits.at(static_cast<std::size_t>(node.billboard));
}

void set_bit(std::uint32_t& flags, std::uint32_t bit, bool on) { flags = on ? flags | bit : flags & ~bit; }

/// Only the place: the axes are those of the scene.
Mat4d placed(const Mat4d& m) { return scene::compose(scene::translation_of(m), {0, 0, 0, 1}, {1, 1, 1}); }

double longest_axis(const Mat4d& m) {
  return std::max({scene::length({m[0], m[1], m[2]}), scene::length({m[4], m[5], m[6]}),
                   scene::length({m[8], m[9], m[10]})});
}

/// At most 1: a share of a smaller size is as much smaller.
double shortest_size(const Vec3d& size) {
  constexpr double kHidden = 1e-6;
  double shortest = 1;
  for (const double factor : size) {
    shortest = std::abs(factor) > kHidden ? std::min(shortest, std::abs(factor)) : shortest;
  }
  return shortest;
}

class ItemBuilder {
 public:
  explicit ItemBuilder(ModelBuilder& builder) : builder_(builder) {}

  void make();

 private:
  Node node(const SceneObject& object);
  [[nodiscard]] Index parent_of(const SceneObject& object) const;
  void add_keys(Node& output, const SceneObject& object);
  void make(const SceneObject& object);
  void add_bone(const SceneObject& object);
  void add_light(const SceneObject& object);
  void add_attachment(const SceneObject& object);
  void add_model_emitter(const SceneObject& object);
  void add_sprite_emitter(const SceneObject& object);
  void add_effect(const SceneObject& object);
  void add_ribbon(const SceneObject& object);
  void add_event(const SceneObject& object);
  void add_shape(const SceneObject& object);
  [[nodiscard]] std::vector<std::int32_t> frames_of(const scene::Event& event);
  [[nodiscard]] const Value& mdx_extras(const SceneObject& object) const {
    static const Value kNothing;
    return object.node == kNone ? kNothing : ModelBuilder::mdx_extras(builder_.scene.nodes[object.node]);
  }
  [[nodiscard]] std::int32_t number(const SceneObject& object, const char* key, std::int32_t usual) const {
    return static_cast<std::int32_t>(
        std::clamp<std::int64_t>(mdx_extras(object)[key].integer().value_or(usual), -2147483647, 2147483647));
  }
  template <class Body>
  Body& chunk(const char (&tag)[5]) {
    return chunk_of<Body>(builder_.document, FourCC{tag});
  }

  ModelBuilder& builder_;
  std::size_t lost_frames_ = 0;
};

void ItemBuilder::add_keys(Node& output, const SceneObject& object) {
  const scene::Node& source = builder_.scene.nodes[object.node];
  const Mat4d& reference = builder_.reference[object.node];
  const Index parent = source.parent < object.node ? source.parent : kNone;
  const Mat4d outer = parent == kNone ? scene::kIdentity : builder_.reference[parent];
  const bool below_raw = object.raw && parent != kNone && builder_.raw_object[parent] != kNone;
  const Mat4d above = object.constant_keys ? scene::kIdentity : below_raw ? placed(outer) : outer;
  const NodeTerms terms(above,
                        object.constant_keys ? scene::kIdentity
                        : object.raw         ? placed(reference)
                                             : reference,
                        builder_.scene.axes, builder_.units, builder_.size);
  const Target target{Target::Kind::node, object.node, object.constant_keys ? kNone : 0};
  const scene::Transform& rest = source.rest;
  // What stands above keys of the scene's own terms enlarges their errors.
  const double tolerance =
      double{builder_.options.tolerance} / (below_raw ? std::max(1.0, longest_axis(outer)) : 1);
  TrackRule rule;
  rule.tag = FourCC{"KGTR"};
  rule.convert = [&](const Double4& v, bool offset) { return terms.translation(v, offset); };
  rule.rest = {double{rest.translation[0]}, double{rest.translation[1]}, double{rest.translation[2]}, 0};
  rule.rest = object.constant_keys ? Double4{} : rule.rest;
  rule.tolerance = tolerance * builder_.size;
  builder_.add_track(output.tracks, builder_.track(target, Property::translation, rule));
  rule.tag = FourCC{"KGRT"};
  rule.convert = [&](const Double4& v, bool offset) { return terms.rotation(v, offset); };
  rule.rest =
      object.constant_keys ? object.constant_keys->rotation : scene::normalized(scene::widen(rest.rotation));
  rule.tolerance = double{builder_.options.tolerance};
  rule.rotation = true;
  builder_.add_track(output.tracks, builder_.track(target, Property::rotation, rule));
  rule.tag = FourCC{"KGSC"};
  rule.convert = [&](const Double4& v, bool /*offset*/) { return terms.scale(v); };
  const Vec3d size = object.constant_keys ? object.constant_keys->scale : scene::widen(rest.scale);
  rule.rest = {size[0], size[1], size[2], 0};
  rule.rotation = false;
  rule.tolerance *= object.raw ? shortest_size(size) : 1;
  builder_.add_track(output.tracks, builder_.track(target, Property::scale, rule));
}

/// As an index of the builder's objects.
Index ItemBuilder::parent_of(const SceneObject& object) const {
  const Index parent = builder_.scene.nodes[object.node].parent;
  if (object.constant_keys) {
    return object.above;
  }
  if (!object.has_node_keys) {
    return builder_.object_of_node[object.node];
  }
  if (parent == kNone) {
    return kNone;
  }
  const bool below_raw = object.raw && builder_.raw_object[parent] != kNone;
  return below_raw ? builder_.raw_object[parent] : builder_.carrier(parent);
}

Node ItemBuilder::node(const SceneObject& object) {
  Node result;
  result.object_id = object.id;
  if (object.node == kNone) {
    result.name = fixed<80>(builder_, object.name);
    result.flags = kind_flag(object.kind);
    return result;
  }
  const scene::Node& source = builder_.scene.nodes[object.node];
  const std::string& name = object.name.empty() ? source.name : object.name;
  result.name = fixed<80>(builder_, name.empty() ? "Node " + std::to_string(object.node) : name);
  result.flags = object.name.empty() ? flags_of(source, object.kind, builder_.options.swap_inheritance_flags)
                                     : kind_flag(object.kind);
  const Index above = parent_of(object);
  result.parent_id = above == kNone ? -1 : builder_.objects[above].id;
  if (object.has_node_keys) {
    add_keys(result, object);
  }
  return result;
}

void ItemBuilder::add_bone(const SceneObject& object) {
  Bone bone;
  bone.node = node(object);
  bone.geoset_id = number(object, "geosetId", -1);
  bone.geoset_animation_id = number(object, "geosetAnimationId", -1);
  const auto in_range = [](std::int32_t id, std::size_t count) {
    return id >= 0 && static_cast<std::size_t>(id) < count ? id : -1;
  };
  bone.geoset_id = builder_.geoset_of(bone.geoset_id);
  bone.geoset_id = in_range(bone.geoset_id, builder_.document.all<Geosets>().size());
  bone.geoset_animation_id =
      in_range(bone.geoset_animation_id, builder_.document.all<GeosetAnimations>().size());
  chunk<Bones>("BONE").items.push_back(std::move(bone));
}

void ItemBuilder::add_light(const SceneObject& object) {
  const scene::Light& source = builder_.scene.lights[object.item];
  const Target target{Target::Kind::light, object.item, 0};
  Light light;
  light.node = node(object);
  const auto kind = static_cast<std::uint32_t>(source.kind);
  const auto stated = static_cast<std::uint32_t>(number(object, "type", static_cast<std::int32_t>(kind)));
  light.type = (stated & 0xFFU) == kind ? stated : kind;
  light.attenuation_start = builder_.length(source.attenuation_start);
  light.attenuation_end = builder_.length(source.attenuation_end);
  light.color = source.color;
  light.intensity = source.intensity;
  light.ambient_color = source.ambient_color;
  light.ambient_intensity = source.ambient_intensity;
  auto& tracks = light.tracks;
  builder_.add_scalar(tracks, FourCC{"KLAS"}, target, Property::light_attenuation_start,
                      source.attenuation_start, builder_.units);
  builder_.add_scalar(tracks, FourCC{"KLAE"}, target, Property::light_attenuation_end, source.attenuation_end,
                      builder_.units);
  builder_.add_scalar(tracks, FourCC{"KLAI"}, target, Property::light_intensity, source.intensity);
  builder_.add_scalar(tracks, FourCC{"KLBI"}, target, Property::light_ambient_intensity,
                      source.ambient_intensity);
  builder_.add_color(tracks, FourCC{"KLAC"}, target, Property::light_color, source.color);
  builder_.add_color(tracks, FourCC{"KLBC"}, target, Property::light_ambient_color, source.ambient_color);
  builder_.add_visibility(tracks, FourCC{"KLAV"}, source.node);
  chunk<Lights>("LITE").items.push_back(std::move(light));
}

void ItemBuilder::add_attachment(const SceneObject& object) {
  const scene::Attachment& source = builder_.scene.attachments[object.item];
  Attachment attachment;
  attachment.node = node(object);
  attachment.path = fixed<260>(builder_, source.path);
  attachment.attachment_id = source.id;
  builder_.add_visibility(attachment.tracks, FourCC{"KATV"}, source.node);
  chunk<Attachments>("ATCH").items.push_back(std::move(attachment));
}

void ItemBuilder::add_model_emitter(const SceneObject& object) {
  const scene::Emitter& source = builder_.scene.emitters[object.item];
  const Target target{Target::Kind::emitter, object.item, 0};
  ParticleEmitter emitter;
  emitter.node = node(object);
  const bool picture = scene::throws_picture(source) && source.texture < builder_.scene.textures.size();
  if (picture) {
    emitter.node.flags |= node_flag::kPremUsesTga;
  } else if ((emitter.node.flags & (node_flag::kPremUsesMdl | node_flag::kPremUsesTga)) == 0) {
    emitter.node.flags |= node_flag::kPremUsesMdl;
  }
  emitter.emission_rate = source.rate;
  emitter.gravity = builder_.length(source.gravity);
  emitter.longitude = source.longitude;
  emitter.latitude = source.latitude;
  emitter.path = fixed<260>(builder_, picture ? builder_.scene.textures[source.texture].path : source.path);
  emitter.life_span = source.life_span;
  emitter.speed = builder_.length(source.speed);
  const auto scalar = [&](const char(&tag)[5], Property property, float rest, double factor = 1) {
    builder_.add_scalar(emitter.tracks, FourCC{tag}, target, property, rest, factor);
  };
  scalar("KPEE", Property::emitter_rate, source.rate);
  scalar("KPEG", Property::emitter_gravity, source.gravity, builder_.units);
  scalar("KPLN", Property::emitter_longitude, source.longitude);
  scalar("KPLT", Property::emitter_latitude, source.latitude);
  scalar("KPEL", Property::emitter_life_span, source.life_span);
  scalar("KPES", Property::emitter_speed, source.speed, builder_.units);
  builder_.add_visibility(emitter.tracks, FourCC{"KPEV"}, source.node);
  chunk<ParticleEmitters>("PREM").items.push_back(std::move(emitter));
}

ParticleEmitter2::Filter filter_of(const scene::Emitter& source) {
  using Filter = ParticleEmitter2::Filter;
  if (source.alpha_key) {
    return Filter::alpha_key;
  }
  switch (source.blend) {
    case scene::BlendMode::additive:
    case scene::BlendMode::add_alpha:
      return Filter::additive;
    case scene::BlendMode::modulate:
      return Filter::modulate;
    case scene::BlendMode::modulate2x:
      return Filter::modulate2x;
    default:
      return Filter::blend;
  }
}

void ItemBuilder::add_sprite_emitter(const SceneObject& object) {
  const scene::Emitter& source = builder_.scene.emitters[object.item];
  const Target target{Target::Kind::emitter, object.item, 0};
  ParticleEmitter2 emitter;
  emitter.node = node(object);
  auto& flags = emitter.node.flags;
  set_bit(flags, node_flag::kUnshaded, source.unshaded);
  set_bit(flags, node_flag::kPre2Unfogged, source.unfogged);
  set_bit(flags, node_flag::kPre2LineEmitter, source.line);
  set_bit(flags, node_flag::kPre2ModelSpace, source.model_space);
  set_bit(flags, node_flag::kPre2XyQuad, source.xy_quad);
  set_bit(flags, node_flag::kSortPrimsFarZ, source.sort_far_z);
  emitter.speed = builder_.length(source.speed);
  emitter.variation = source.variation;
  emitter.latitude = to_float(double{source.latitude} / scene::kRadiansPerDegree);
  emitter.gravity = builder_.length(source.gravity);
  emitter.life_span = source.life_span;
  emitter.emission_rate = source.rate;
  emitter.length = builder_.length(source.length);
  emitter.width = builder_.length(source.width);
  emitter.filter = filter_of(source);
  emitter.rows = source.rows;
  emitter.columns = source.columns;
  emitter.shape = static_cast<ParticleEmitter2::Shape>(source.shape);
  emitter.tail_length = source.tail_length;
  emitter.middle = source.middle;
  emitter.segment_colors = source.colors;
  for (std::size_t i = 0; i < 3; ++i) {
    emitter.segment_alphas.at(i) =
        static_cast<std::uint8_t>(std::lround(std::clamp(source.alphas.at(i), 0.0F, 1.0F) * 255));
    emitter.segment_scales.at(i) = builder_.length(source.scales.at(i));
  }
  const auto cells = [](const scene::CellRun& run) { return CellRun{run.start, run.end, run.repeat}; };
  emitter.head_life = cells(source.head_life);
  emitter.head_decay = cells(source.head_decay);
  emitter.tail_life = cells(source.tail_life);
  emitter.tail_decay = cells(source.tail_decay);
  emitter.texture_id = source.texture < builder_.texture_ids.size() ? builder_.texture_ids[source.texture]
                       : source.replaceable_id != 0                 ? number(object, "textureId", 0)
                                                                    : 0;
  emitter.squirt = source.burst ? 1U : 0U;
  emitter.priority_plane = source.draw_order;
  emitter.replaceable_id = source.replaceable_id;
  const auto scalar = [&](const char(&tag)[5], Property property, float rest, double factor = 1) {
    builder_.add_scalar(emitter.tracks, FourCC{tag}, target, property, rest, factor);
  };
  scalar("KP2S", Property::emitter_speed, source.speed, builder_.units);
  scalar("KP2R", Property::emitter_variation, source.variation);
  scalar("KP2L", Property::emitter_latitude, source.latitude, 1 / scene::kRadiansPerDegree);
  scalar("KP2G", Property::emitter_gravity, source.gravity, builder_.units);
  scalar("KP2E", Property::emitter_rate, source.rate);
  scalar("KP2N", Property::emitter_length, source.length, builder_.units);
  scalar("KP2W", Property::emitter_width, source.width, builder_.units);
  builder_.add_visibility(emitter.tracks, FourCC{"KP2V"}, source.node);
  chunk<ParticleEmitters2>("PRE2").items.push_back(std::move(emitter));
}

void ItemBuilder::add_effect(const SceneObject& object) {
  const scene::Emitter& source = builder_.scene.emitters[object.item];
  const Target target{Target::Kind::emitter, object.item, 0};
  if (builder_.options.version < first_version(FourCC{"CORN"})) {  // the game refuses the file
    builder_.lose("effect " + source.path + " replaced with a helper (it needs version 900)");
    chunk<Helpers>("HELP").items.push_back({node(object)});
    chunk<Helpers>("HELP").items.back().node.flags &=
        ~(node_flag::kEmitter | node_flag::kUnshaded | node_flag::kSortPrimsFarZ | node_flag::kCornUnfogged |
          node_flag::kCornPopcornScaling);
    return;
  }
  PopcornEmitter emitter;
  emitter.node = node(object);
  set_bit(emitter.node.flags, node_flag::kCornUnfogged, source.unfogged);
  emitter.life_span = source.life_span;
  emitter.emission_rate = source.rate;
  emitter.speed = source.speed;
  emitter.color = source.color;
  emitter.alpha = source.alpha;
  emitter.replaceable_id = source.replaceable_id;
  emitter.path = fixed<260>(builder_, source.path);
  emitter.visibility_guide = fixed<260>(builder_, source.guide);
  const auto scalar = [&](const char(&tag)[5], Property property, float rest) {
    builder_.add_scalar(emitter.tracks, FourCC{tag}, target, property, rest);
  };
  scalar("KPPA", Property::emitter_alpha, source.alpha);
  builder_.add_color(emitter.tracks, FourCC{"KPPC"}, target, Property::emitter_color, source.color, false);
  scalar("KPPE", Property::emitter_rate, source.rate);
  scalar("KPPL", Property::emitter_life_span, source.life_span);
  scalar("KPPS", Property::emitter_speed, source.speed);
  builder_.add_visibility(emitter.tracks, FourCC{"KPPV"}, source.node);
  chunk<PopcornEmitters>("CORN").items.push_back(std::move(emitter));
}

void ItemBuilder::add_ribbon(const SceneObject& object) {
  const scene::Ribbon& source = builder_.scene.ribbons[object.item];
  const Target target{Target::Kind::ribbon, object.item, 0};
  RibbonEmitter ribbon;
  ribbon.node = node(object);
  ribbon.height_above = builder_.length(source.height_above);
  ribbon.height_below = builder_.length(source.height_below);
  ribbon.alpha = source.alpha;
  ribbon.color = source.color;
  ribbon.life_span = source.life_span;
  ribbon.texture_slot = source.texture_slot;
  ribbon.emission_rate = source.rate;
  ribbon.rows = source.rows;
  ribbon.columns = source.columns;
  ribbon.material_id =
      source.material < builder_.scene.materials.size() ? static_cast<std::int32_t>(source.material) : 0;
  ribbon.gravity = builder_.length(source.gravity);
  const auto scalar = [&](const char(&tag)[5], Property property, float rest, double factor = 1) {
    builder_.add_scalar(ribbon.tracks, FourCC{tag}, target, property, rest, factor);
  };
  scalar("KRHA", Property::ribbon_height_above, source.height_above, builder_.units);
  scalar("KRHB", Property::ribbon_height_below, source.height_below, builder_.units);
  scalar("KRAL", Property::ribbon_alpha, source.alpha);
  builder_.add_color(ribbon.tracks, FourCC{"KRCO"}, target, Property::ribbon_color, source.color);
  builder_.add_scalar(ribbon.tracks, FourCC{"KRTX"}, target, Property::ribbon_texture_slot,
                      static_cast<float>(source.texture_slot), 1, true);
  builder_.add_visibility(ribbon.tracks, FourCC{"KRVS"}, source.node);
  chunk<RibbonEmitters>("RIBB").items.push_back(std::move(ribbon));
}

/// Moments move with the clip that they are in.
std::vector<std::int32_t> ItemBuilder::frames_of(const scene::Event& event) {
  std::vector<std::int32_t> frames;
  const auto& clips = builder_.scene.clips;
  const bool loops = event.global_loop < clips.size();
  for (const std::int32_t frame : event.frames) {
    if (loops) {
      frames.push_back(frame);
      continue;
    }
    bool found = false;
    for (std::size_t i = 0; i < clips.size(); ++i) {
      const auto& interval = clips[i].interval;
      if (builder_.spans[i].global < 0 && interval && frame >= interval->first && frame <= interval->last) {
        const std::int64_t moved = builder_.spans[i].first + (frame - interval->first);
        if (moved <= builder_.spans[i].last) {
          frames.push_back(static_cast<std::int32_t>(moved));
          found = true;
        }
      }
    }
    // Between the sequences nothing hears it, but it is still there.
    const auto inside = [&](const ClipSpan& span) {
      return span.global < 0 && frame >= span.first && frame <= span.last;
    };
    if (!found && std::none_of(builder_.spans.begin(), builder_.spans.end(), inside)) {
      frames.push_back(frame);
      found = true;
    }
    lost_frames_ += found ? 0 : 1;
  }
  std::sort(frames.begin(), frames.end());
  frames.erase(std::unique(frames.begin(), frames.end()), frames.end());
  return frames;
}

void ItemBuilder::add_event(const SceneObject& object) {
  const scene::Event& source = builder_.scene.events[object.item];
  EventObject event;
  event.node = node(object);
  if (!source.name.empty()) {
    event.node.name = fixed<80>(builder_, source.name);
  }
  const auto frames = frames_of(source);
  if (!frames.empty() || source.frames.empty()) {
    EventTrack track;
    track.global_sequence =
        source.global_loop < builder_.spans.size() ? builder_.spans[source.global_loop].global : -1;
    track.frames.assign(frames.begin(), frames.end());
    event.track = std::move(track);
  }
  chunk<EventObjects>("EVTS").items.push_back(std::move(event));
}

void ItemBuilder::add_shape(const SceneObject& object) {
  const scene::CollisionShape& source = builder_.scene.collision_shapes[object.item];
  CollisionShape shape;
  shape.node = node(object);
  using Kind = scene::CollisionShape::Kind;
  shape.type = source.kind == Kind::box      ? CollisionShape::Type::box
               : source.kind == Kind::sphere ? CollisionShape::Type::sphere
               : source.kind == Kind::plane  ? CollisionShape::Type::plane
                                             : CollisionShape::Type::cylinder;
  const Vec3d base = scene::translation_of(builder_.reference[object.node]);
  std::vector<Vec3> corners;
  for (const Vec3& vertex : source.vertices) {
    corners.push_back(builder_.position(scene::add(base, scene::widen(vertex))));
  }
  const std::size_t required = source.kind == Kind::sphere ? 1 : 2;
  if (corners.size() < required) {
    builder_.lose("collision shape \"" + builder_.scene.nodes[object.node].name +
                  "\" lacks corners; the missing ones are set to 0");
    corners.resize(required);
  }
  if (source.kind == Kind::box) {
    for (std::size_t i = 0; i < 3; ++i) {
      const auto [low, high] = std::minmax({corners[0].at(i), corners[1].at(i)});
      const std::pair ends(low, high);
      corners[0].at(i) = ends.first;
      corners[1].at(i) = ends.second;
    }
  }
  for (std::size_t i = 0; i < required; ++i) {
    shape.payload.insert(shape.payload.end(), corners[i].begin(), corners[i].end());
  }
  if (source.kind == Kind::sphere || source.kind == Kind::cylinder) {
    shape.payload.push_back(builder_.length(source.radius));
  }
  chunk<CollisionShapes>("CLID").items.push_back(std::move(shape));
}

void ItemBuilder::make(const SceneObject& object) {
  switch (object.kind) {
    case ObjectKind::bone:
      return add_bone(object);
    case ObjectKind::light:
      return add_light(object);
    case ObjectKind::helper:
      chunk<Helpers>("HELP").items.push_back({node(object)});
      return;
    case ObjectKind::attachment:
      return add_attachment(object);
    case ObjectKind::model_emitter:
      return add_model_emitter(object);
    case ObjectKind::sprite_emitter:
      return add_sprite_emitter(object);
    case ObjectKind::effect:
      return add_effect(object);
    case ObjectKind::ribbon:
      return add_ribbon(object);
    case ObjectKind::event:
      return add_event(object);
    case ObjectKind::collision:
      return add_shape(object);
  }
}

void ItemBuilder::make() {
  auto& objects = builder_.objects;
  std::vector<Index> order(objects.size());
  for (Index i = 0; i < order.size(); ++i) {
    order[i] = i;
  }
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return objects[a].id < objects[b].id; });
  Array<Vec3> pivots;
  for (const Index i : order) {
    make(objects[i]);
    pivots.push_back(objects[i].node == kNone
                         ? Vec3{}
                         : builder_.position(scene::translation_of(builder_.reference[objects[i].node])));
  }
  if (!pivots.empty()) {
    chunk<Pivots>("PIVT").points = std::move(pivots);
  }
  if (lost_frames_ > 0) {
    builder_.lose("event times outside of all sequences left out: " + std::to_string(lost_frames_));
  }
}

}  // namespace

void make_objects(ModelBuilder& builder) { ItemBuilder(builder).make(); }

}  // namespace thaw::mdx
