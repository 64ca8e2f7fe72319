// Properties of the blocks of MDL, once for reading and writing (mdl.md#blocks).
//
// Each block is a function template that names its properties in the order in which they are written. The
// reader runs it for every property that it meets, and the one whose name fits takes the value, so that any
// order reads; the writer runs it once. Both have the same member functions:
//
//   number(name, x)              a number, or with std::array a vector in braces
//   optional(name, x, absent)    left out if it has this value
//   embedded(name, x, absent)    the same, in a comment that only this program reads
//   index(name, word, x)         an index, or a word for -1
//   text(name, t)                a quoted text, left out if empty
//   flag(name, word, bit)        a bare word for a bit
//   bits(name, word, expected)   embeds a whole word of bits that is not what the flags alone say
//   choice(name, words, x)       a bare word out of several, embedded as a number if there is none for it
//   named(name, words, x)        the same after the property's name
//   animated(name, tag, tracks, x, absent, show)   a constant or keyframes
//   track(name, tag, tracks)     keyframes only
//   track_order(tracks...)       embeds the order of tracks
//   rows(name, a), list(name, l), block(name, body)
//   since(version, body)         what the format has from a version on
#pragma once

#include <thaw/mdx.hpp>

#include "describe/description.hpp"
#include "formats/warcraft/mdl/words.hpp"

namespace thaw::mdl {

/// Where a word is MDL, and not merely a comment.
enum class Known : std::uint8_t { everywhere, world_editor, community };

/// When a constant is written.
enum class Show : std::uint8_t { differing, always };

constexpr Vec3 kWhite{1, 1, 1};

// --- shared
// -------------------------------------------------------------------------------------------------------

template <class V>
void extent(V& v, As<V, mdx::Extent>& extent) {
  v.optional("MinimumExtent", extent.minimum, Vec3{});
  v.optional("MaximumExtent", extent.maximum, Vec3{});
  v.optional("BoundsRadius", extent.bounds_radius, 0.0F);
}

template <class V>
void properties(V& v, As<V, mdx::Extent>& object) {
  extent(v, object);
}

/// The part that all objects of the hierarchy share. `more` names what else the block has bits for.
template <class V, class N, class F>
void node(V& v, N& node, const NodeKind& kind, F&& more) {
  using namespace mdx::node_flag;
  v.alias("BillboardLockX", "BillboardedLockX");
  v.alias("BillboardLockY", "BillboardedLockY");
  v.alias("BillboardLockZ", "BillboardedLockZ");
  v.name(node.name);
  v.number("ObjectId", node.object_id);
  v.optional("Parent", node.parent_id, -1);
  v.inheritance(node.flags);
  v.flag("Billboarded", node.flags, kBillboarded);
  v.flag("BillboardedLockX", node.flags, kBillboardedLockX);
  v.flag("BillboardedLockY", node.flags, kBillboardedLockY);
  v.flag("BillboardedLockZ", node.flags, kBillboardedLockZ);
  v.flag("CameraAnchored", node.flags, kCameraAnchored);
  more();
  v.bits("Flags", node.flags, kind.type | (node.flags & kind.words));
  v.track("Translation", FourCC{"KGTR"}, node.tracks);
  v.track("Rotation", FourCC{"KGRT"}, node.tracks);
  v.track("Scaling", FourCC{"KGSC"}, node.tracks);
}
template <class V, class N>
void node(V& v, N& object, const NodeKind& kind) {
  node(v, object, kind, [] {});
}

// --- model, sequences, textures
// -----------------------------------------------------------------------------------

template <class V>
void properties(V& v, As<V, mdx::Version>& version) {
  v.number("FormatVersion", version.value);
}

template <class V>
void properties(V& v, As<V, mdx::Model>& model) {
  v.name(model.name);
  v.statistics();
  v.number("BlendTime", model.blend_time);
  v.text("AnimationFile", model.animation_file);
  extent(v, model.extent);
}

template <class V>
void properties(V& v, As<V, mdx::Sequence>& sequence) {
  v.name(sequence.name);
  v.interval("Interval", sequence.start, sequence.end);
  v.flag("NonLooping", sequence.flags, mdx::Sequence::kNonLooping);
  v.bits("Flags", sequence.flags, sequence.flags & mdx::Sequence::kNonLooping);
  v.optional("MoveSpeed", sequence.move_speed, 0.0F);
  v.optional("Rarity", sequence.rarity, 0.0F);
  v.optional("SyncPoint", sequence.sync_point, std::uint32_t{0});
  extent(v, sequence.extent);
}

template <class V>
void properties(V& v, As<V, mdx::GlobalSequences>& sequences) {
  v.values("Duration", sequences.durations);
}

template <class V>
void properties(V& v, As<V, mdx::Texture>& texture) {
  using mdx::Texture;
  v.required_text("Image", texture.path);
  v.optional("ReplaceableId", texture.replaceable_id, std::uint32_t{0});
  v.flag("WrapWidth", texture.flags, Texture::kWrapWidth);
  v.flag("WrapHeight", texture.flags, Texture::kWrapHeight);
  v.bits("Flags", texture.flags, texture.flags & (Texture::kWrapWidth | Texture::kWrapHeight));
}

// --- materials
// ----------------------------------------------------------------------------------------------------

template <class V>
void layer_flags(V& v, As<V, mdx::Layer>& layer) {
  using mdx::Layer;
  constexpr std::uint32_t kWords = 0x7FF;
  auto& flags = layer.shading_flags;
  v.alias("SphereEnvironmentMap", "SphereEnvMap");
  v.flag("Unshaded", flags, Layer::kUnshaded);
  v.flag("SphereEnvMap", flags, Layer::kSphereEnvMap);
  v.flag("WrapWidth", flags, Layer::kWrapWidth, Known::world_editor);
  v.flag("WrapHeight", flags, Layer::kWrapHeight, Known::world_editor);
  v.flag("TwoSided", flags, Layer::kTwoSided);
  v.flag("Unfogged", flags, Layer::kUnfogged);
  v.flag("NoDepthTest", flags, Layer::kNoDepthTest);
  v.flag("NoDepthSet", flags, Layer::kNoDepthSet);
  v.flag("Unlit", flags, Layer::kUnlit, Known::world_editor);
  v.flag("BackFacesForShadows", flags, Layer::kBackFacesForShadows, Known::world_editor);
  v.flag("AmbientOcclusion", flags, Layer::kAmbientOcclusion, Known::world_editor);
  v.bits("Flags", flags, flags & kWords);
}

template <class V>
void properties(V& v, As<V, mdx::Layer>& layer) {
  v.alias("Emissive", "EmissiveGain");
  v.alias("FresnelAlpha", "FresnelOpacity");
  v.named("FilterMode", kFilterModes, layer.filter_mode);
  v.shader(layer);
  layer_flags(v, layer);
  v.textures(layer);
  v.optional("TVertexAnimId", layer.texture_animation_id, -1);
  v.optional("CoordId", layer.coord_id, std::uint32_t{0});
  v.animated("Alpha", FourCC{"KMTA"}, layer.tracks, layer.alpha, 1.0F);
  v.since(900, [&] {
    v.animated("EmissiveGain", FourCC{"KMTE"}, layer.tracks, layer.emissive_gain, 1.0F);
    v.fresnel(layer, [&] {
      v.animated("FresnelColor", FourCC{"KFC3"}, layer.tracks, layer.fresnel_color, kWhite);
      v.animated("FresnelOpacity", FourCC{"KFCA"}, layer.tracks, layer.fresnel_opacity, 0.0F);
      v.animated("FresnelTeamColor", FourCC{"KFTC"}, layer.tracks, layer.fresnel_team_color, 0.0F);
    });
  });
  v.track_order(layer.tracks);
}

template <class V>
void properties(V& v, As<V, mdx::Material>& material) {
  using mdx::Material;
  constexpr std::uint32_t kWords = Material::kConstantColor | Material::kTwoSided |
                                   Material::kSortPrimsNearZ | Material::kSortPrimsFarZ |
                                   Material::kFullResolution;
  auto& flags = material.flags;
  v.flag("ConstantColor", flags, Material::kConstantColor);
  v.flag("TwoSided", flags, Material::kTwoSided);
  v.flag("SortPrimsNearZ", flags, Material::kSortPrimsNearZ);
  v.alias("SortPrimitives", "SortPrimsFarZ");
  v.flag("SortPrimsFarZ", flags, Material::kSortPrimsFarZ);
  v.flag("FullResolution", flags, Material::kFullResolution);
  v.ignored("Unfogged");
  v.bits("Flags", flags, flags & kWords);
  v.optional("PriorityPlane", material.priority_plane, 0);
  v.material_shader(material);
  v.list("Layer", material.layers);
}

template <class V>
void properties(V& v, As<V, mdx::TextureAnimation>& animation) {
  v.track("Translation", FourCC{"KTAT"}, animation.tracks);
  v.track("Rotation", FourCC{"KTAR"}, animation.tracks);
  v.track("Scaling", FourCC{"KTAS"}, animation.tracks);
  v.track_order(animation.tracks);
}

// --- geosets
// ------------------------------------------------------------------------------------------------------

template <class V>
void properties(V& v, As<V, mdx::Geoset>& geoset) {
  v.rows("Vertices", geoset.positions);
  v.rows("Normals", geoset.normals);
  v.uv_sets("TVertices", geoset.uv_sets);
  v.values_block("VertexGroup", geoset.vertex_groups);
  v.since(900, [&] {
    v.optional_rows("Tangents", geoset.tangents);
    v.skin("SkinWeights", geoset);
  });
  v.faces("Faces", geoset);
  v.groups("Groups", geoset);
  extent(v, geoset.extent);
  v.list("Anim", geoset.sequence_extents);
  v.number("MaterialID", geoset.material_id);
  v.number("SelectionGroup", geoset.selection_group);
  v.selection(geoset);
  v.since(900, [&] {
    v.optional("LevelOfDetail", geoset.lod, 0);
    v.alias("LevelOfDetailName", "Name");
    v.text("Name", geoset.lod_name, Known::community);
  });
}

template <class V>
void properties(V& v, As<V, mdx::GeosetAnimation>& animation) {
  v.flag("DropShadow", animation.flags, mdx::GeosetAnimation::kDropShadow);
  v.animated("Alpha", FourCC{"KGAO"}, animation.tracks, animation.alpha, 1.0F);
  v.geoset_color(animation);
  v.index("GeosetId", "None", animation.geoset_id);
  v.track_order(animation.tracks);
}

// --- objects of the hierarchy
// -------------------------------------------------------------------------------------

template <class V>
void properties(V& v, As<V, mdx::Bone>& bone) {
  node(v, bone.node, kNodeKind<mdx::Bone>);
  v.index("GeosetId", "Multiple", bone.geoset_id);
  v.index("GeosetAnimId", "None", bone.geoset_animation_id);
  v.track_order(bone.node.tracks);
}

template <class V>
void properties(V& v, As<V, mdx::Helper>& helper) {
  node(v, helper.node, kNodeKind<mdx::Helper>);
  v.track_order(helper.node.tracks);
}

template <class V>
void properties(V& v, As<V, mdx::Light>& light) {
  const mdx::Light usual;
  auto& tracks = light.tracks;
  node(v, light.node, kNodeKind<mdx::Light>);
  v.choice("Type", kLightTypes, light.type);
  v.animated("AttenuationStart", FourCC{"KLAS"}, tracks, light.attenuation_start, usual.attenuation_start,
             Show::always);
  v.animated("AttenuationEnd", FourCC{"KLAE"}, tracks, light.attenuation_end, usual.attenuation_end,
             Show::always);
  v.animated_bgr("Color", FourCC{"KLAC"}, tracks, light.color, usual.color, Show::always);
  v.animated("Intensity", FourCC{"KLAI"}, tracks, light.intensity, usual.intensity, Show::always);
  v.since(700, [&] {
    v.foreign("AmbientColor", "AmbColor");
    v.foreign("AmbientIntensity", "AmbIntensity");
    v.animated_bgr("AmbColor", FourCC{"KLBC"}, tracks, light.ambient_color, usual.ambient_color,
                   Show::always);
    v.animated("AmbIntensity", FourCC{"KLBI"}, tracks, light.ambient_intensity, usual.ambient_intensity,
               Show::always);
  });
  v.since(1200, [&] { v.optional("ShadowIntensity", light.shadow_intensity, usual.shadow_intensity); });
  v.since(1300, [&] {
    v.flag_number("ShadowCasting", light.shadow_casting);
    v.animated("ShadowCastingStart", FourCC{"KLSS"}, tracks, light.shadow_casting_start, 0.0F);
    v.animated("ShadowCastingEnd", FourCC{"KLSE"}, tracks, light.shadow_casting_end, 0.0F);
  });
  v.since(1600, [&] {
    v.animated("QuadraticFalloff", FourCC{"KLQF"}, tracks, light.quadratic_falloff, usual.quadratic_falloff);
    v.animated("LinearFalloff", FourCC{"KLLF"}, tracks, light.linear_falloff, usual.linear_falloff);
    v.animated("Damping", FourCC{"KLDA"}, tracks, light.damping, usual.damping);
  });
  v.visibility(FourCC{"KLAV"}, tracks);
  v.track_order(light.node.tracks, tracks);
}

template <class V>
void properties(V& v, As<V, mdx::Attachment>& attachment) {
  node(v, attachment.node, kNodeKind<mdx::Attachment>);
  v.number("AttachmentID", attachment.attachment_id);
  v.text("Path", attachment.path);
  v.visibility(FourCC{"KATV"}, attachment.tracks);
  v.track_order(attachment.node.tracks, attachment.tracks);
}

template <class V>
void properties(V& v, As<V, mdx::ParticleEmitter>& emitter) {
  const mdx::ParticleEmitter usual;
  using namespace mdx::node_flag;
  auto& tracks = emitter.tracks;
  node(v, emitter.node, kNodeKind<mdx::ParticleEmitter>, [&] {
    v.flag("EmitterUsesMDL", emitter.node.flags, kPremUsesMdl);
    v.flag("EmitterUsesTGA", emitter.node.flags, kPremUsesTga);
  });
  v.animated("EmissionRate", FourCC{"KPEE"}, tracks, emitter.emission_rate, usual.emission_rate,
             Show::always);
  v.animated("Gravity", FourCC{"KPEG"}, tracks, emitter.gravity, usual.gravity, Show::always);
  v.animated("Longitude", FourCC{"KPLN"}, tracks, emitter.longitude, usual.longitude, Show::always);
  v.animated("Latitude", FourCC{"KPLT"}, tracks, emitter.latitude, usual.latitude, Show::always);
  v.visibility(FourCC{"KPEV"}, tracks);
  v.particle([&] {
    v.animated("LifeSpan", FourCC{"KPEL"}, tracks, emitter.life_span, usual.life_span, Show::always);
    v.foreign("Speed", "InitVelocity");
    v.animated("InitVelocity", FourCC{"KPES"}, tracks, emitter.speed, usual.speed, Show::always);
    v.text("Path", emitter.path);
  });
  v.track_order(emitter.node.tracks, tracks);
}

template <class V>
void cells(V& v, As<V, mdx::ParticleEmitter2>& emitter) {
  v.cell_run("LifeSpanUVAnim", emitter.head_life);
  v.cell_run("DecayUVAnim", emitter.head_decay);
  v.cell_run("TailUVAnim", emitter.tail_life);
  v.cell_run("TailDecayUVAnim", emitter.tail_decay);
}

template <class V>
void properties(V& v, As<V, mdx::ParticleEmitter2>& emitter) {
  const mdx::ParticleEmitter2 usual;
  using namespace mdx::node_flag;
  auto& tracks = emitter.tracks;
  auto& flags = emitter.node.flags;
  node(v, emitter.node, kNodeKind<mdx::ParticleEmitter2>, [&] {
    v.flag("SortPrimsFarZ", flags, kSortPrimsFarZ);
    v.flag("LineEmitter", flags, kPre2LineEmitter);
    v.flag("Unfogged", flags, kPre2Unfogged);
    v.flag("ModelSpace", flags, kPre2ModelSpace);
    v.flag("Unshaded", flags, kUnshaded);
    v.flag("XYQuad", flags, kPre2XyQuad);
  });
  v.animated("Speed", FourCC{"KP2S"}, tracks, emitter.speed, usual.speed, Show::always);
  v.animated("Variation", FourCC{"KP2R"}, tracks, emitter.variation, usual.variation, Show::always);
  v.animated("Latitude", FourCC{"KP2L"}, tracks, emitter.latitude, usual.latitude, Show::always);
  v.animated("Gravity", FourCC{"KP2G"}, tracks, emitter.gravity, usual.gravity, Show::always);
  v.visibility(FourCC{"KP2V"}, tracks);
  v.flag_number("Squirt", emitter.squirt);
  v.number("LifeSpan", emitter.life_span);
  v.animated("EmissionRate", FourCC{"KP2E"}, tracks, emitter.emission_rate, usual.emission_rate,
             Show::always);
  // One family of programs exchanges the two (mdl.md#length-and-width).
  v.exchange("Length", "Width");
  v.animated("Length", FourCC{"KP2N"}, tracks, emitter.length, usual.length, Show::always);
  v.animated("Width", FourCC{"KP2W"}, tracks, emitter.width, usual.width, Show::always);
  v.choice("Filter", kParticleFilters, emitter.filter);
  v.number("Rows", emitter.rows);
  v.number("Columns", emitter.columns);
  v.choice("Shape", kParticleShapes, emitter.shape);
  v.number("TailLength", emitter.tail_length);
  v.number("Time", emitter.middle);
  v.segment_colors("SegmentColor", emitter.segment_colors);
  v.number("Alpha", emitter.segment_alphas);
  v.number("ParticleScaling", emitter.segment_scales);
  cells(v, emitter);
  v.number("TextureID", emitter.texture_id);
  v.optional("ReplaceableId", emitter.replaceable_id, std::uint32_t{0});
  v.optional("PriorityPlane", emitter.priority_plane, 0);
  v.track_order(emitter.node.tracks, tracks);
}

template <class V>
void properties(V& v, As<V, mdx::RibbonEmitter>& ribbon) {
  const mdx::RibbonEmitter usual;
  auto& tracks = ribbon.tracks;
  node(v, ribbon.node, kNodeKind<mdx::RibbonEmitter>);
  v.animated("HeightAbove", FourCC{"KRHA"}, tracks, ribbon.height_above, usual.height_above, Show::always);
  v.animated("HeightBelow", FourCC{"KRHB"}, tracks, ribbon.height_below, usual.height_below, Show::always);
  v.animated("Alpha", FourCC{"KRAL"}, tracks, ribbon.alpha, usual.alpha, Show::always);
  v.animated_bgr("Color", FourCC{"KRCO"}, tracks, ribbon.color, usual.color, Show::always);
  v.animated("TextureSlot", FourCC{"KRTX"}, tracks, ribbon.texture_slot, usual.texture_slot, Show::always);
  v.visibility(FourCC{"KRVS"}, tracks);
  v.number("EmissionRate", ribbon.emission_rate);
  v.number("LifeSpan", ribbon.life_span);
  v.optional("Gravity", ribbon.gravity, 0.0F);
  v.number("Rows", ribbon.rows);
  v.number("Columns", ribbon.columns);
  v.number("MaterialID", ribbon.material_id);
  v.track_order(ribbon.node.tracks, tracks);
}

template <class V>
void properties(V& v, As<V, mdx::PopcornEmitter>& emitter) {
  const mdx::PopcornEmitter usual;
  using namespace mdx::node_flag;
  auto& tracks = emitter.tracks;
  auto& flags = emitter.node.flags;
  node(v, emitter.node, kNodeKind<mdx::PopcornEmitter>, [&] {
    v.flag("Unshaded", flags, kUnshaded);
    v.flag("SortPrimsFarZ", flags, kSortPrimsFarZ);
    v.flag("Unfogged", flags, kCornUnfogged);
    v.flag("PopcornScaling", flags, kCornPopcornScaling);
  });
  v.animated("LifeSpan", FourCC{"KPPL"}, tracks, emitter.life_span, usual.life_span, Show::always);
  v.animated("EmissionRate", FourCC{"KPPE"}, tracks, emitter.emission_rate, usual.emission_rate,
             Show::always);
  v.animated("Speed", FourCC{"KPPS"}, tracks, emitter.speed, usual.speed, Show::always);
  v.animated("Color", FourCC{"KPPC"}, tracks, emitter.color, usual.color, Show::always);
  v.animated("Alpha", FourCC{"KPPA"}, tracks, emitter.alpha, usual.alpha, Show::always);
  v.visibility(FourCC{"KPPV"}, tracks);
  v.optional("ReplaceableId", emitter.replaceable_id, std::uint32_t{0});
  v.required_text("Path", emitter.path);
  v.required_text("AnimVisibilityGuide", emitter.visibility_guide);
  v.track_order(emitter.node.tracks, tracks);
}

template <class V>
void properties(V& v, As<V, mdx::EventObject>& event) {
  node(v, event.node, kNodeKind<mdx::EventObject>);
  v.event_track("EventTrack", event.track);
  v.track_order(event.node.tracks);
}

template <class V>
void properties(V& v, As<V, mdx::Camera>& camera) {
  auto& tracks = camera.tracks;
  v.name(camera.name);
  v.embedded_number("Variant", camera.variant);
  v.embedded("Skipped", camera.skipped, std::array<std::uint32_t, 3>{});
  v.number("Position", camera.position);
  v.track("Translation", FourCC{"KCTR"}, tracks);
  v.track("Rotation", FourCC{"KCRL"}, tracks);
  v.number("FieldOfView", camera.field_of_view);
  v.number("FarClip", camera.far_clip);
  v.number("NearClip", camera.near_clip);
  v.scalar_key("DOFDistance", FourCC{"IDUF"}, tracks);
  v.scalar_key("FocalLength", FourCC{"ELAF"}, tracks);
  v.scalar_key("FStop", FourCC{"PTSF"}, tracks);
  v.track("FocusDistanceKeys", FourCC{"IDUF"}, tracks);
  v.track("FocalLengthKeys", FourCC{"ELAF"}, tracks);
  v.track("FStopKeys", FourCC{"PTSF"}, tracks);
  v.block("Target", [&] {
    v.number("Position", camera.target);
    v.track("Translation", FourCC{"KTTR"}, tracks);
  });
  v.visibility(FourCC{"KCVS"}, tracks);
  v.track_order(tracks);
}

template <class V>
void properties(V& v, As<V, mdx::CollisionShape>& shape) {
  node(v, shape.node, kNodeKind<mdx::CollisionShape>);
  v.choice("Type", kCollisionTypes, shape.type);
  v.shape(shape);
  v.track_order(shape.node.tracks);
}

template <class V>
void properties(V& v, As<V, mdx::FaceEffect>& effect) {
  v.name(effect.target);
  v.required_text("Path", effect.path);
}

template <class V>
void properties(V& v, As<V, mdx::BindPoses>& poses) {
  v.rows("Matrices", poses.poses);
}

// --- the file
// -----------------------------------------------------------------------------------------------------

/// All blocks, in the order in which they are written (mdl.md#order).
template <class V>
void blocks(V& v) {
  v.template single<mdx::Version>("Version", FourCC{"VERS"});
  v.embedded_file();
  v.template single<mdx::Model>("Model", FourCC{"MODL"});
  v.template group<mdx::Sequences>("Sequences", "Anim", FourCC{"SEQS"});
  v.template counted<mdx::GlobalSequences>("GlobalSequences", FourCC{"GLBS"});
  v.template group<mdx::Textures>("Textures", "Bitmap", FourCC{"TEXS"});
  v.template group<mdx::Materials>("Materials", "Material", FourCC{"MTLS"});
  v.template group<mdx::TextureAnimations>("TextureAnims", "TVertexAnim", FourCC{"TXAN"});
  v.template each<mdx::Geosets>("Geoset", FourCC{"GEOS"});
  v.template each<mdx::GeosetAnimations>("GeosetAnim", FourCC{"GEOA"});
  v.template each<mdx::Bones>("Bone", FourCC{"BONE"});
  v.template each<mdx::Lights>("Light", FourCC{"LITE"});
  v.template each<mdx::Helpers>("Helper", FourCC{"HELP"});
  v.template each<mdx::Attachments>("Attachment", FourCC{"ATCH"});
  v.pivots("PivotPoints", FourCC{"PIVT"});
  v.template each<mdx::ParticleEmitters>("ParticleEmitter", FourCC{"PREM"});
  v.template each<mdx::ParticleEmitters2>("ParticleEmitter2", FourCC{"PRE2"});
  v.template each<mdx::PopcornEmitters>("ParticleEmitterPopcorn", FourCC{"CORN"});
  v.template each<mdx::RibbonEmitters>("RibbonEmitter", FourCC{"RIBB"});
  v.template each<mdx::Cameras>("Camera", FourCC{"CAMS"});
  v.template each<mdx::EventObjects>("EventObject", FourCC{"EVTS"});
  v.template each<mdx::CollisionShapes>("CollisionShape", FourCC{"CLID"});
  v.template each<mdx::FaceEffects>("FaceFX", FourCC{"FAFX"});
  v.template single<mdx::BindPoses>("BindPose", FourCC{"BPOS"});
  v.gliders("Glider", FourCC{"DILG"});
}

}  // namespace thaw::mdl
