// The layout of MDX (dialect wow-alpha), once. See mdx_alpha.md#structure.
#pragma once

#include <thaw/mdx_alpha.hpp>

#include "formats/warcraft/mdx/document.hpp"

#include <algorithm>

namespace thaw::mdx_alpha {

/// What descriptions need to know of the file around them.
struct Context {
  std::uint32_t version = 1300;
  /// Vertices of each batch of the chunk that is being read, and the next one to use.
  std::vector<std::uint32_t> batch_vertices;
  std::size_t next_batch = 0;
};

/// Columns of a track's keys. A packed rotation shows as its two words, the lower one first.
inline Columns key_columns(TrackKind kind, bool tangents) {
  const unsigned parts = tangents ? 3 : 1;
  switch (kind) {
    case TrackKind::vector:
      return {3 * parts, ScalarKind::f32};
    case TrackKind::rotation:
      return {2 * parts, ScalarKind::u32};
    case TrackKind::index:
      return {1, ScalarKind::i32};
    default:
      return {parts, ScalarKind::f32};
  }
}

template <class V>
void describe(V& v, As<V, Track>& track) {
  v.field("tag", track.tag.bytes);
  auto count = static_cast<std::uint32_t>(track.size());
  v.field("count", count);
  const TrackKind kind = track_kind(track.tag);
  if constexpr (V::kReads) {
    if (!v.failed() && kind == TrackKind::unknown) [[unlikely]] {
      v.fail(codes::kTrackUnknown, "tag", "unknown track " + track.tag.text() + "; preserved as bytes");
      return;
    }
  }
  if (kind != TrackKind::index) {
    v.field("interpolation", track.interpolation);
  }
  v.field("globalSequenceId", track.global_sequence);
  if constexpr (V::kReads) {
    if (static_cast<std::uint32_t>(track.interpolation) > 3) [[unlikely]] {
      v.note(codes::kTrackInterpolation, "interpolation",
             "unknown interpolation " + std::to_string(static_cast<std::uint32_t>(track.interpolation)) +
                 "; read as a track without tangents");
    }
  }
  v.rows("keys", track.words, key_columns(kind, track.has_tangents()), count);
}

template <class V>
void describe(V& v, As<V, Node>& node) {
  v.sized(node.remainder, Node::kMinSize, [&] {
    v.text("name", node.name);
    v.field("objectId", node.object_id);
    v.field("parentId", node.parent_id);
    v.field("flags", node.flags);
    v.objects("tracks", node.tracks);
  });
}

template <class V>
void describe(V& v, As<V, Model>& model) {
  v.text("name", model.name);
  v.text("animationFileName", model.animation_file);
  v.object("extent", model.extent);
  v.field("flags", model.flags);
  v.field("objectCount", model.object_count);
}

template <class V>
void describe(V& v, As<V, Sequence>& sequence) {
  v.text("name", sequence.name);
  v.field("start", sequence.start);
  v.field("end", sequence.end);
  v.field("moveSpeed", sequence.move_speed);
  v.field("flags", sequence.flags);
  v.object("extent", sequence.extent);
  v.field("frequency", sequence.frequency);
  v.field("replayMin", sequence.replay_min);
  v.field("replayMax", sequence.replay_max);
  v.field("blendTime", sequence.blend_time);
}

template <class V>
void describe(V& v, As<V, Layer>& layer) {
  v.sized(layer.remainder, Layer::kMinSize, [&] {
    v.field("filterMode", layer.blend);
    v.field("shadingFlags", layer.flags);
    v.field("textureId", layer.texture_id);
    v.field("textureAnimationId", layer.texture_animation_id);
    v.field("coordId", layer.coord_id);
    v.field("alpha", layer.alpha);
    v.objects("tracks", layer.tracks);
  });
}

template <class V>
void describe(V& v, As<V, Material>& material) {
  v.sized(material.remainder, Material::kMinSize, [&] {
    v.field("priorityPlane", material.priority_plane);
    v.counted_list("layers", material.layers);
  });
}

template <class V>
void describe(V& v, As<V, TextureAnimation>& animation) {
  v.sized(animation.remainder, TextureAnimation::kMinSize, [&] { v.objects("tracks", animation.tracks); });
}

template <class V, class A>
void describe_tagged(V& v, FourCC tag, const char* name, A& values) {
  v.tag(tag);
  v.counted(name, values);
}

/// The number of pairs of all sets, as large as this machine can count.
inline std::size_t uv_pairs(std::uint32_t sets, std::size_t vertices) {
  const std::uint64_t pairs = std::uint64_t{sets} * vertices;
  return static_cast<std::size_t>(std::min<std::uint64_t>(pairs, ~std::size_t{0}));
}

template <class V>
void describe(V& v, As<V, Geoset>& geoset) {
  v.sized(geoset.remainder, Geoset::kMinSize, [&] {
    describe_tagged(v, FourCC{"VRTX"}, "positions", geoset.positions);
    describe_tagged(v, FourCC{"NRMS"}, "normals", geoset.normals);
    v.tag(FourCC{"UVAS"});
    v.field("uvSetCount", geoset.uv_set_count);
    v.bulk("uvs", geoset.uvs, uv_pairs(geoset.uv_set_count, geoset.positions.size()));
    describe_tagged(v, FourCC{"PTYP"}, "primitiveTypes", geoset.primitive_types);
    describe_tagged(v, FourCC{"PCNT"}, "primitiveCounts", geoset.primitive_counts);
    describe_tagged(v, FourCC{"PVTX"}, "indices", geoset.indices);
    describe_tagged(v, FourCC{"GNDX"}, "vertexGroups", geoset.vertex_groups);
    describe_tagged(v, FourCC{"MTGC"}, "matrixGroups", geoset.matrix_groups);
    describe_tagged(v, FourCC{"MATS"}, "matrixIndices", geoset.matrix_indices);
    describe_tagged(v, FourCC{"BIDX"}, "boneIndices", geoset.bone_indices);
    describe_tagged(v, FourCC{"BWGT"}, "boneWeights", geoset.bone_weights);
    v.field("materialId", geoset.material_id);
    v.field("selectionGroup", geoset.selection_group);
    v.field("flags", geoset.flags);
    v.object("extent", geoset.extent);
    v.counted_list("sequenceExtents", geoset.sequence_extents);
  });
}

template <class V>
void describe(V& v, As<V, SectionVertex>& vertex) {
  v.field("position", vertex.position);
  v.field("weights", vertex.weights);
  v.field("bones", vertex.bones);
  v.field("normal", vertex.normal);
  v.field("uvs", vertex.uvs);
}

template <class V>
void describe(V& v, As<V, Section>& section) {
  v.field("materialId", section.material_id);
  v.field("center", section.center);
  v.field("radius", section.radius);
  v.field("selectionGroup", section.selection_group);
  v.field("geosetIndex", section.geoset_index);
  v.field("flags", section.flags);
  v.tag(FourCC{"PVTX"});
  v.field("vertexCount", section.vertex_count);
  v.tag(FourCC{"PTYP"});
  v.field("typeCount", section.type_count);
  v.tag(FourCC{"PVTX"});
  v.field("indexCount", section.index_count);
  v.field("reserved", section.reserved);
}

/// The sections state how many vertices the batches after them have.
inline void plan_batches(Context& context, const std::vector<Section>& sections) {
  context.next_batch = 0;
  context.batch_vertices.clear();
  for (const auto& section : sections) {
    context.batch_vertices.push_back(section.vertex_count);
  }
}

inline std::size_t planned_vertices(Context& context) { return context.batch_vertices[context.next_batch++]; }

template <class V>
void describe(V& v, As<V, Batch>& batch) {
  const std::size_t vertices =
      v.choose(batch.vertices.size(), [&](ByteView /*rest*/) { return planned_vertices(v.context()); });
  v.list("vertices", batch.vertices, vertices);
  v.field("primitiveType", batch.primitive_type);
  v.field("reserved", batch.reserved);
  auto indices = static_cast<std::uint16_t>(batch.indices.size());
  v.field("indexCount", indices);
  v.field("minimumVertex", batch.minimum_vertex);
  v.field("maximumVertex", batch.maximum_vertex);
  v.field("reservedGroup", batch.reserved_group);
  v.bulk("indices", batch.indices, indices);
  const std::size_t padding = v.choose(batch.padding.size(), [&](ByteView rest) {
    return std::min<std::size_t>((8U - indices % 8U) % 8U, rest.size() / sizeof(std::uint16_t));
  });
  v.bulk("padding", batch.padding, padding);
}

template <class V>
void describe(V& v, As<V, Sections>& chunk) {
  v.counted_list("sections", chunk.sections);
  if constexpr (V::kReads) {
    plan_batches(v.context(), chunk.sections);
  }
  v.list("batches", chunk.batches, chunk.sections.size());
}

template <class V>
void describe(V& v, As<V, GeosetAnimation>& animation) {
  v.sized(animation.remainder, GeosetAnimation::kMinSize, [&] {
    v.field("geosetId", animation.geoset_id);
    v.field("alpha", animation.alpha);
    v.field("color", animation.color);
    v.field("flags", animation.flags);
    v.objects("tracks", animation.tracks);
  });
}

template <class V>
void describe(V& v, As<V, Bone>& bone) {
  v.object("node", bone.node);
  v.field("geosetId", bone.geoset_id);
  v.field("geosetAnimationId", bone.geoset_animation_id);
}

template <class V>
void describe(V& v, As<V, Helper>& helper) {
  v.object("node", helper.node);
}

template <class V>
void describe(V& v, As<V, Light>& light) {
  v.sized(light.remainder, Light::kMinSize, [&] {
    v.object("node", light.node);
    v.field("type", light.type);
    v.field("attenuationStart", light.attenuation_start);
    v.field("attenuationEnd", light.attenuation_end);
    v.field("color", light.color);
    v.field("intensity", light.intensity);
    v.field("ambientColor", light.ambient_color);
    v.field("ambientIntensity", light.ambient_intensity);
    v.objects("tracks", light.tracks);
  });
}

template <class V>
void describe(V& v, As<V, Attachment>& attachment) {
  v.sized(attachment.remainder, Attachment::kMinSize, [&] {
    v.object("node", attachment.node);
    v.field("attachmentId", attachment.attachment_id);
    v.field("reserved", attachment.reserved);
    v.text("path", attachment.path);
    v.objects("tracks", attachment.tracks);
  });
}

template <class V>
void describe(V& v, As<V, ParticleEmitter>& emitter) {
  v.sized(emitter.remainder, ParticleEmitter::kMinSize, [&] {
    v.object("node", emitter.node);
    v.field("emissionRate", emitter.emission_rate);
    v.field("gravity", emitter.gravity);
    v.field("longitude", emitter.longitude);
    v.field("latitude", emitter.latitude);
    v.text("path", emitter.path);
    v.field("lifeSpan", emitter.life_span);
    v.field("speed", emitter.speed);
    v.objects("tracks", emitter.tracks);
  });
}

/// What is born: where, how fast, how many.
template <class V>
void describe_birth(V& v, As<V, ParticleEmitter2>& emitter) {
  v.field("emitterSize", emitter.emitter_size);
  v.field("emitterType", emitter.type);
  v.field("speed", emitter.speed);
  v.field("variation", emitter.variation);
  v.field("latitude", emitter.latitude);
  v.field("longitude", emitter.longitude);
  v.field("gravity", emitter.gravity);
  v.field("zSource", emitter.z_source);
  v.field("lifeSpan", emitter.life_span);
  v.field("emissionRate", emitter.emission_rate);
  v.field("length", emitter.length);
  v.field("width", emitter.width);
}

/// How it looks over its life.
template <class V>
void describe_look(V& v, As<V, ParticleEmitter2>& emitter) {
  v.field("rows", emitter.rows);
  v.field("columns", emitter.columns);
  v.field("headOrTail", emitter.shape);
  v.field("tailLength", emitter.tail_length);
  v.field("time", emitter.middle);
  v.field("segmentColors", emitter.segment_colors);
  v.field("segmentAlphas", emitter.segment_alphas);
  v.field("segmentScales", emitter.segment_scales);
  v.object("headLife", emitter.head_life);
  v.object("headDecay", emitter.head_decay);
  v.object("tailLife", emitter.tail_life);
  v.object("tailDecay", emitter.tail_decay);
  v.field("filterMode", emitter.filter);
  v.field("textureId", emitter.texture_id);
  v.field("priorityPlane", emitter.priority_plane);
  v.field("replaceableId", emitter.replaceable_id);
  v.text("geometryModel", emitter.geometry_model);
  v.text("recursionModel", emitter.recursion_model);
}

/// How it moves.
template <class V>
void describe_motion(V& v, As<V, ParticleEmitter2>& emitter) {
  v.field("twinkleFps", emitter.twinkle_fps);
  v.field("twinkleOnOff", emitter.twinkle_on_off);
  v.field("twinkleScale", emitter.twinkle_scale);
  v.field("instantVelocityScale", emitter.instant_velocity_scale);
  v.field("tumble", emitter.tumble);
  v.field("drag", emitter.drag);
  v.field("spin", emitter.spin);
  v.field("wind", emitter.wind);
  v.field("windTime", emitter.wind_time);
  v.field("follow", emitter.follow);
  v.counted("spline", emitter.spline);
  v.field("squirts", emitter.squirts);
}

template <class V>
void describe(V& v, As<V, ParticleEmitter2>& emitter) {
  v.sized(emitter.remainder, ParticleEmitter2::kMinSize, [&] {
    v.object("node", emitter.node);
    describe_birth(v, emitter);
    describe_look(v, emitter);
    describe_motion(v, emitter);
    v.objects("tracks", emitter.tracks);
  });
}

template <class V>
void describe(V& v, As<V, RibbonEmitter>& ribbon) {
  v.sized(ribbon.remainder, RibbonEmitter::kMinSize, [&] {
    v.object("node", ribbon.node);
    v.field("emitterSize", ribbon.emitter_size);
    v.field("heightAbove", ribbon.height_above);
    v.field("heightBelow", ribbon.height_below);
    v.field("alpha", ribbon.alpha);
    v.field("color", ribbon.color);
    v.field("lifeSpan", ribbon.life_span);
    v.field("textureSlot", ribbon.texture_slot);
    v.field("emissionRate", ribbon.emission_rate);
    v.field("rows", ribbon.rows);
    v.field("columns", ribbon.columns);
    v.field("materialId", ribbon.material_id);
    v.field("gravity", ribbon.gravity);
    v.objects("tracks", ribbon.tracks);
  });
}

template <class V>
void describe(V& v, As<V, EventTrack>& track) {
  v.tag(FourCC{"KEVT"});
  auto count = static_cast<std::uint32_t>(track.times.size());
  v.field("count", count);
  v.field("globalSequenceId", track.global_sequence);
  v.bulk("times", track.times, count);
}

template <class V>
void describe(V& v, As<V, EventObject>& event) {
  v.sized(event.remainder, EventObject::kMinSize, [&] {
    v.object("node", event.node);
    if (v.next_is(FourCC{"KEVT"}, event.track.has_value())) {
      if constexpr (V::kReads) {
        event.track.emplace();
      }
      v.object("track", *event.track);
    }
  });
}

/// Floats of a shape; those of an unknown one take what its record holds.
inline std::size_t shape_payload(HitTest::Shape shape, std::size_t left) {
  constexpr std::array<std::size_t, 4> kFloats = {6, 5, 4, 2};
  const auto index = static_cast<std::size_t>(shape);
  return index < kFloats.size() ? kFloats.at(index) : left / sizeof(float);
}

template <class V>
void describe(V& v, As<V, HitTest>& hit) {
  v.sized(hit.remainder, HitTest::kMinSize, [&] {
    v.object("node", hit.node);
    v.field("shape", hit.shape);
    v.bulk("payload", hit.payload, v.choose(hit.payload.size(), [&](ByteView rest) {
      return shape_payload(hit.shape, rest.size());
    }));
  });
}

template <class V>
void describe(V& v, As<V, Camera>& camera) {
  v.sized(camera.remainder, Camera::kMinSize, [&] {
    v.text("name", camera.name);
    v.field("position", camera.position);
    v.field("fieldOfView", camera.field_of_view);
    v.field("farClip", camera.far_clip);
    v.field("nearClip", camera.near_clip);
    v.field("target", camera.target);
    v.objects("tracks", camera.tracks);
  });
}

template <class V>
void describe(V& v, As<V, CollisionMesh>& mesh) {
  describe_tagged(v, FourCC{"VRTX"}, "positions", mesh.positions);
  describe_tagged(v, FourCC{"TRI "}, "indices", mesh.indices);
  describe_tagged(v, FourCC{"NRMS"}, "normals", mesh.normals);
}

/// A count, words that no one has explained, and the objects.
template <class V, class T>
void describe_list_with_word(V& v, T& chunk) {
  auto count = static_cast<std::uint32_t>(chunk.items.size());
  v.field("count", count);
  v.field("reserved", chunk.reserved);
  v.list("", chunk.items, count);
}

template <class V>
void describe(V& v, As<V, Materials>& chunk) {
  describe_list_with_word(v, chunk);
}
template <class V>
void describe(V& v, As<V, Attachments>& chunk) {
  describe_list_with_word(v, chunk);
}
template <class V>
void describe(V& v, As<V, Textures>& chunk) {
  v.records("", chunk.items);
}

}  // namespace thaw::mdx_alpha
