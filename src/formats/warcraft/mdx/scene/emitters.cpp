// Particle emitters of the three kinds and ribbons (mdx.md#model-emitters, mdx.md#sprite-emitters,
// mdx.md#popcorn-effects, mdx.md#ribbons).
#include "formats/warcraft/mdx/scene/builder.hpp"

namespace thaw::mdx {
namespace {

using scene::Emitter;
using scene::Index;
using scene::kNone;
using scene::Property;
using scene::Target;

/// A field of an emitter and what animates it.
struct Field {
  FourCC tag;
  Property property;
  float Emitter::* member;
  float value;
  double factor = 1;
};

/// Takes the fields and binds their tracks.
void take_fields(SceneBuilder& builder, const Tracks& tracks, const ObjectRef& place, Emitter& emitter,
                 std::span<const Field> fields) {
  const Target target = {Target::Kind::emitter, static_cast<Index>(builder.scene.emitters.size()), 0};
  for (const auto& field : fields) {
    float& member = emitter.*field.member;
    member = to_float(double{finite_or(field.value, 0)} * field.factor);
    builder.bind_scalar(tracks, field.tag, place, target, field.property, member, field.factor);
  }
}

/// Angles of PREM are radians: those of published models are 40° to 118° so (mdx.md#model-emitters).
void add_model_emitter(SceneBuilder& builder, const ParticleEmitter& source, const ObjectRef& place) {
  Emitter emitter;
  emitter.node = builder.node_of_object.at(&source.node);
  emitter.kind = Emitter::Kind::models;
  const std::string path = to_utf8(source.path.view());
  if ((source.node.flags & node_flag::kPremUsesTga) != 0 && !path.empty()) {
    emitter.texture = game_texture(builder, path);
  } else {
    emitter.path = path;
  }
  const double scale = builder.scale();
  const std::array<Field, 6> fields = {{
      {FourCC{"KPEE"}, Property::emitter_rate, &Emitter::rate, source.emission_rate},
      {FourCC{"KPEG"}, Property::emitter_gravity, &Emitter::gravity, source.gravity, scale},
      {FourCC{"KPLN"}, Property::emitter_longitude, &Emitter::longitude, source.longitude},
      {FourCC{"KPLT"}, Property::emitter_latitude, &Emitter::latitude, source.latitude},
      {FourCC{"KPEL"}, Property::emitter_life_span, &Emitter::life_span, source.life_span},
      {FourCC{"KPES"}, Property::emitter_speed, &Emitter::speed, source.speed, scale},
  }};
  take_fields(builder, source.tracks, place, emitter, fields);
  builder.bind_visibility(source.tracks, FourCC{"KPEV"}, place, emitter.node);
  builder.scene.emitters.push_back(std::move(emitter));
}

void take_filter(const ParticleEmitter2& source, Emitter& emitter) {
  switch (source.filter) {
    case ParticleEmitter2::Filter::additive:
      emitter.blend = scene::BlendMode::additive;
      break;
    case ParticleEmitter2::Filter::modulate:
      emitter.blend = scene::BlendMode::modulate;
      break;
    case ParticleEmitter2::Filter::modulate2x:
      emitter.blend = scene::BlendMode::modulate2x;
      break;
    case ParticleEmitter2::Filter::alpha_key:
      emitter.alpha_key = true;
      break;
    case ParticleEmitter2::Filter::blend:
      break;
  }
}

scene::CellRun cells(const CellRun& run) { return {run.start, run.end, run.repeat}; }

void take_sprites(const SceneBuilder& builder, const ParticleEmitter2& source, Emitter& emitter) {
  const auto has = [&](std::uint32_t flag) { return (source.node.flags & flag) != 0; };
  emitter.rows = source.rows;
  emitter.columns = source.columns;
  // Garbage above 2 is a head (mdx.md#reading-damaged-files).
  emitter.shape = source.shape > ParticleEmitter2::Shape::both ? Emitter::Shape::head
                                                               : static_cast<Emitter::Shape>(source.shape);
  emitter.tail_length = finite_or(source.tail_length, 0);
  emitter.middle = finite_or(source.middle, 0.5F);
  for (std::size_t i = 0; i < emitter.colors.size(); ++i) {
    emitter.colors.at(i) = finite_or(source.segment_colors.at(i), 1);
    emitter.alphas[i] = static_cast<float>(source.segment_alphas.at(i)) / 255;
    emitter.scales[i] = to_length(source.segment_scales[i], builder.scale());
  }
  emitter.head_life = cells(source.head_life);
  emitter.head_decay = cells(source.head_decay);
  emitter.tail_life = cells(source.tail_life);
  emitter.tail_decay = cells(source.tail_decay);
  emitter.replaceable_id = source.replaceable_id;
  emitter.draw_order = source.priority_plane;
  emitter.burst = source.squirt != 0;
  emitter.unshaded = has(node_flag::kUnshaded);
  emitter.unfogged = has(node_flag::kPre2Unfogged);
  emitter.line = has(node_flag::kPre2LineEmitter);
  emitter.model_space = has(node_flag::kPre2ModelSpace);
  emitter.xy_quad = has(node_flag::kPre2XyQuad);
  emitter.sort_far_z = has(node_flag::kSortPrimsFarZ);
}

Index texture_of(SceneBuilder& builder, const ParticleEmitter2& source, const ObjectRef& place) {
  if (source.texture_id >= 0 && static_cast<std::size_t>(source.texture_id) < builder.document_textures) {
    return static_cast<Index>(source.texture_id);
  }
  const bool none = source.texture_id == -1 && builder.dialect.texture_may_lack;
  if (source.replaceable_id == 0 && !none) {
    builder.report(codes::kSceneReference, place,
                   "texture " + std::to_string(source.texture_id) + " does not exist; the emitter gets none");
  }
  return kNone;
}

void add_sprite_emitter(SceneBuilder& builder, const ParticleEmitter2& source, const ObjectRef& place) {
  Emitter emitter;
  emitter.node = builder.node_of_object.at(&source.node);
  emitter.kind = Emitter::Kind::sprites;
  const double scale = builder.scale();
  const std::array<Field, 7> fields = {{
      {FourCC{"KP2S"}, Property::emitter_speed, &Emitter::speed, source.speed, scale},
      {FourCC{"KP2R"}, Property::emitter_variation, &Emitter::variation, source.variation},
      {FourCC{"KP2L"}, Property::emitter_latitude, &Emitter::latitude, source.latitude,
       scene::kRadiansPerDegree},
      {FourCC{"KP2G"}, Property::emitter_gravity, &Emitter::gravity, source.gravity, scale},
      {FourCC{"KP2E"}, Property::emitter_rate, &Emitter::rate, source.emission_rate},
      {FourCC{"KP2N"}, Property::emitter_length, &Emitter::length, source.length, scale},
      {FourCC{"KP2W"}, Property::emitter_width, &Emitter::width, source.width, scale},
  }};
  take_fields(builder, source.tracks, place, emitter, fields);
  emitter.life_span = finite_or(source.life_span, 0);
  take_filter(source, emitter);
  take_sprites(builder, source, emitter);
  emitter.texture = texture_of(builder, source, place);
  builder.bind_visibility(source.tracks, FourCC{"KP2V"}, place, emitter.node);
  auto& extras = builder.scene.nodes[emitter.node].extras;
  extras.set("filterMode", static_cast<std::uint32_t>(source.filter));
  extras.set("textureId", std::int64_t{source.texture_id});
  extras.set("squirt", source.squirt);
  builder.scene.emitters.push_back(std::move(emitter));
}

/// The scalars of effects are multipliers and have no unit.
void add_effect(SceneBuilder& builder, const PopcornEmitter& source, const ObjectRef& place) {
  Emitter emitter;
  emitter.node = builder.node_of_object.at(&source.node);
  emitter.kind = Emitter::Kind::effect;
  emitter.path = to_utf8(source.path.view());
  emitter.guide = to_utf8(source.visibility_guide.view());
  emitter.replaceable_id = source.replaceable_id;
  emitter.unshaded = (source.node.flags & node_flag::kUnshaded) != 0;
  emitter.unfogged = (source.node.flags & node_flag::kCornUnfogged) != 0;
  emitter.sort_far_z = (source.node.flags & node_flag::kSortPrimsFarZ) != 0;
  const std::array<Field, 4> fields = {{
      {FourCC{"KPPL"}, Property::emitter_life_span, &Emitter::life_span, source.life_span},
      {FourCC{"KPPE"}, Property::emitter_rate, &Emitter::rate, source.emission_rate},
      {FourCC{"KPPS"}, Property::emitter_speed, &Emitter::speed, source.speed},
      {FourCC{"KPPA"}, Property::emitter_alpha, &Emitter::alpha, source.alpha},
  }};
  take_fields(builder, source.tracks, place, emitter, fields);
  emitter.color = finite_or(source.color, 1);
  const Target target = {Target::Kind::emitter, static_cast<Index>(builder.scene.emitters.size()), 0};
  builder.bind_color(source.tracks, FourCC{"KPPC"}, place, target, Property::emitter_color, emitter.color,
                     Conversion::color);
  builder.bind_visibility(source.tracks, FourCC{"KPPV"}, place, emitter.node);
  builder.scene.nodes[emitter.node].extras.set("popcornScaling",
                                               (source.node.flags & node_flag::kCornPopcornScaling) != 0);
  builder.scene.emitters.push_back(std::move(emitter));
}

void bind_ribbon(SceneBuilder& builder, const RibbonEmitter& source, const scene::Ribbon& ribbon,
                 const ObjectRef& place) {
  const Target target = {Target::Kind::ribbon, static_cast<Index>(place.index), 0};
  const auto scalar = [&](FourCC tag, Property property, float rest, double factor = 1) {
    builder.bind_scalar(source.tracks, tag, place, target, property, rest, factor);
  };
  scalar(FourCC{"KRHA"}, Property::ribbon_height_above, ribbon.height_above, builder.scale());
  scalar(FourCC{"KRHB"}, Property::ribbon_height_below, ribbon.height_below, builder.scale());
  scalar(FourCC{"KRAL"}, Property::ribbon_alpha, ribbon.alpha);
  scalar(FourCC{"KRTX"}, Property::ribbon_texture_slot, static_cast<float>(ribbon.texture_slot));
  builder.bind_color(source.tracks, FourCC{"KRCO"}, place, target, Property::ribbon_color, ribbon.color);
  builder.bind_visibility(source.tracks, FourCC{"KRVS"}, place, ribbon.node);
}

scene::Ribbon ribbon_of(SceneBuilder& builder, const RibbonEmitter& source, const ObjectRef& place) {
  scene::Ribbon ribbon;
  ribbon.node = builder.node_of_object.at(&source.node);
  const auto material = static_cast<std::size_t>(source.material_id);
  if (source.material_id >= 0 && material < builder.scene.materials.size()) {
    ribbon.material = static_cast<Index>(material);
  } else {
    builder.report(
        codes::kSceneReference, place,
        "material " + std::to_string(source.material_id) + " does not exist; the ribbon gets none");
  }
  ribbon.height_above = to_length(source.height_above, builder.scale());
  ribbon.height_below = to_length(source.height_below, builder.scale());
  ribbon.alpha = finite_or(source.alpha, 1);
  ribbon.color = finite_or(source.color, 1);
  ribbon.life_span = finite_or(source.life_span, 0);
  ribbon.texture_slot = source.texture_slot;
  ribbon.rate = source.emission_rate;
  ribbon.rows = source.rows;
  ribbon.columns = source.columns;
  ribbon.gravity = to_length(source.gravity, builder.scale());
  return ribbon;
}

}  // namespace

void build_emitters(SceneBuilder& builder) {
  const auto models = builder.document.all<ParticleEmitters>();
  for (std::size_t i = 0; i < models.size(); ++i) {
    add_model_emitter(builder, *models[i], {FourCC{"PREM"}, i});
  }
  const auto sprites = builder.document.all<ParticleEmitters2>();
  for (std::size_t i = 0; i < sprites.size(); ++i) {
    add_sprite_emitter(builder, *sprites[i], {FourCC{"PRE2"}, i});
  }
  const auto effects = builder.document.all<PopcornEmitters>();
  for (std::size_t i = 0; i < effects.size(); ++i) {
    add_effect(builder, *effects[i], {FourCC{"CORN"}, i});
  }
}

void build_ribbons(SceneBuilder& builder) {
  const auto ribbons = builder.document.all<RibbonEmitters>();
  for (std::size_t i = 0; i < ribbons.size(); ++i) {
    const ObjectRef place = {FourCC{"RIBB"}, i};
    const auto ribbon = ribbon_of(builder, *ribbons[i], place);
    bind_ribbon(builder, *ribbons[i], ribbon, place);
    builder.scene.ribbons.push_back(ribbon);
  }
}

}  // namespace thaw::mdx
