// The layout of MDX (dialect wc3), once. See mdx.md#container.
#pragma once

#include <thaw/mdx.hpp>

#include "describe/description.hpp"
#include "formats/warcraft/mdx/layout.hpp"

namespace thaw::mdx {

/// What descriptions need to know of the file around them.
struct Context {
  std::uint32_t version = 800;
  /// Payload bytes of each collision shape of the chunk that is being read, and the next one to use.
  std::vector<std::uint32_t> collision_payloads;
  std::size_t next_collision = 0;
};

template <class V>
void describe(V& v, As<V, Extent>& extent) {
  v.field("boundsRadius", extent.bounds_radius);
  v.field("minimum", extent.minimum);
  v.field("maximum", extent.maximum);
}

template <class V>
void describe(V& v, As<V, Track>& track) {
  v.field("tag", track.tag.bytes);
  auto count = static_cast<std::uint32_t>(track.words.size() / std::max<std::size_t>(1, track.stride()));
  v.field("count", count);
  v.field("interpolation", track.interpolation);
  v.field("globalSequenceId", track.global_sequence);
  const TrackType type = track_type(track.tag);
  if constexpr (V::kReads) {
    if (!v.failed() && type.components == 0) [[unlikely]] {
      v.fail(codes::kTrackUnknown, "tag",
             "unknown track " + track.tag.text() + ", so the size of its keys is not known");
      return;
    }
    if (static_cast<std::uint32_t>(track.interpolation) > 3) [[unlikely]] {
      v.note(codes::kTrackInterpolation, "interpolation",
             "unknown interpolation " + std::to_string(static_cast<std::uint32_t>(track.interpolation)) +
                 "; read as a track without tangents");
    }
  }
  const Columns columns{type.components * (track.has_tangents() ? 3U : 1U),
                        type.integer ? ScalarKind::i32 : ScalarKind::f32};
  v.rows("keys", track.words, columns, count);
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
void describe(V& v, As<V, Version>& version) {
  v.field("version", version.value);
}

template <class V>
void describe(V& v, As<V, Model>& model) {
  v.text("name", model.name);
  v.text("animationFileName", model.animation_file);
  v.object("extent", model.extent);
  v.field("blendTime", model.blend_time);
}

template <class V>
void describe(V& v, As<V, Sequence>& sequence) {
  v.text("name", sequence.name);
  v.field("start", sequence.start);
  v.field("end", sequence.end);
  v.field("moveSpeed", sequence.move_speed);
  v.field("flags", sequence.flags);
  v.field("rarity", sequence.rarity);
  v.field("syncPoint", sequence.sync_point);
  v.object("extent", sequence.extent);
}

template <class V>
void describe(V& v, As<V, Texture>& texture) {
  v.field("replaceableId", texture.replaceable_id);
  v.text("path", texture.path);
  v.field("flags", texture.flags);
}

template <class V>
void describe(V& v, As<V, TextureSlot>& slot) {
  v.field("textureId", slot.texture_id);
  v.field("slot", slot.slot);
  if (v.next_is(FourCC{"KMTF"}, slot.flipbook.has_value())) {
    if constexpr (V::kReads) {
      slot.flipbook.emplace();
    }
    v.object("textureIds", *slot.flipbook);
  }
}

template <class V>
void describe(V& v, As<V, Layer>& layer) {
  const std::uint32_t version = v.context().version;
  v.sized(layer.remainder, Layer::kMinSize, [&] {
    v.field("filterMode", layer.filter_mode);
    v.field("shadingFlags", layer.shading_flags);
    v.field("textureId", layer.texture_id);
    v.field("textureAnimationId", layer.texture_animation_id);
    v.field("coordId", layer.coord_id);
    v.field("alpha", layer.alpha);
    if (version >= 900) {
      v.field("emissiveGain", layer.emissive_gain);
      const bool fresnel = v.choose(
          layer.has_fresnel, [&](ByteView rest) { return version >= 1000 || fresnel_fields_follow(rest); });
      if (fresnel) {
        v.field("fresnelColor", layer.fresnel_color);
        v.field("fresnelOpacity", layer.fresnel_opacity);
        v.field("fresnelTeamColor", layer.fresnel_team_color);
      }
      if constexpr (V::kReads) {
        layer.has_fresnel = fresnel;
      }
    }
    if (version >= 1100) {
      v.field("shaderId", layer.shader_id);
      v.counted_list("slots", layer.slots);
    }
    v.objects("tracks", layer.tracks);
  });
}

template <class V>
void describe(V& v, As<V, Material>& material) {
  const std::uint32_t version = v.context().version;
  v.sized(material.remainder, Material::kMinSize, [&] {
    v.field("priorityPlane", material.priority_plane);
    v.field("flags", material.flags);
    if (version >= 900 && version < 1100) {
      v.text("shader", material.shader);
    }
    v.tag(FourCC{"LAYS"});
    v.counted_list("layers", material.layers);
  });
}

template <class V>
void describe(V& v, As<V, TextureAnimation>& animation) {
  v.sized(animation.remainder, TextureAnimation::kMinSize, [&] { v.objects("tracks", animation.tracks); });
}

template <class V>
void describe(V& v, As<V, UvSet>& set) {
  v.tag(FourCC{"UVBS"});
  v.counted("coordinates", set.coordinates);
}

/// An optional tagged array: present if its tag is next.
template <class V, class OptionalArray>
void describe_optional(V& v, FourCC tag, const char* name, OptionalArray& values) {
  if (v.next_is(tag, values.has_value())) {
    if constexpr (V::kReads) {
      values.emplace();
    }
    v.tag(tag);
    v.counted(name, *values);
  }
}

/// SKIN counts single elements, eight of which belong to a vertex.
template <class V, class OptionalArray>
void describe_skin(V& v, OptionalArray& skin) {
  if (!v.next_is(FourCC{"SKIN"}, skin.has_value())) {
    return;
  }
  if constexpr (V::kReads) {
    skin.emplace();
  }
  v.tag(FourCC{"SKIN"});
  auto count = static_cast<std::uint32_t>(skin->size() * 8);
  v.field("count", count);
  if constexpr (V::kReads) {
    if (count % 8 != 0) [[unlikely]] {
      v.fail(codes::kSizeInvalid, "SKIN",
             "the number of values, " + std::to_string(count) +
                 ", is not a multiple of 8, the values per vertex");
      return;
    }
  }
  v.bulk("skin", *skin, count / 8);
}

template <class V>
void describe(V& v, As<V, Geoset>& geoset) {
  const std::uint32_t version = v.context().version;
  v.sized(geoset.remainder, Geoset::kMinSize, [&] {
    v.tag(FourCC{"VRTX"});
    v.counted("positions", geoset.positions);
    v.tag(FourCC{"NRMS"});
    v.counted("normals", geoset.normals);
    v.tag(FourCC{"PTYP"});
    v.counted("primitiveTypes", geoset.primitive_types);
    v.tag(FourCC{"PCNT"});
    v.counted("primitiveCounts", geoset.primitive_counts);
    v.tag(FourCC{"PVTX"});
    v.counted("indices", geoset.indices);
    v.tag(FourCC{"GNDX"});
    v.counted("vertexGroups", geoset.vertex_groups);
    v.tag(FourCC{"MTGC"});
    v.counted("matrixGroups", geoset.matrix_groups);
    v.tag(FourCC{"MATS"});
    v.counted("matrixIndices", geoset.matrix_indices);
    v.field("materialId", geoset.material_id);
    v.field("selectionGroup", geoset.selection_group);
    v.field("selectionFlags", geoset.selection_flags);
    if (version >= 900) {
      v.field("lod", geoset.lod);
      v.text("lodName", geoset.lod_name);
    }
    v.object("extent", geoset.extent);
    v.counted_list("sequenceExtents", geoset.sequence_extents);
    if (version >= 900) {
      describe_optional(v, FourCC{"TANG"}, "tangents", geoset.tangents);
      if (version < 1400) {
        describe_skin(v, geoset.skin);
      } else {
        describe_skin(v, geoset.wide_skin);
      }
    }
    v.tag(FourCC{"UVAS"});
    v.counted_list("uvSets", geoset.uv_sets);
  });
}

template <class V>
void describe(V& v, As<V, GeosetAnimation>& animation) {
  v.sized(animation.remainder, GeosetAnimation::kMinSize, [&] {
    v.field("alpha", animation.alpha);
    v.field("flags", animation.flags);
    v.field("color", animation.color);
    v.field("geosetId", animation.geoset_id);
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
  const std::uint32_t version = v.context().version;
  v.sized(light.remainder, Light::kMinSize, [&] {
    v.object("node", light.node);
    v.field("type", light.type);
    if (version >= 1300) {
      v.field("shadowCasting", light.shadow_casting);
    }
    v.field("attenuationStart", light.attenuation_start);
    v.field("attenuationEnd", light.attenuation_end);
    v.field("color", light.color);
    v.field("intensity", light.intensity);
    if (version >= 700) {
      v.field("ambientColor", light.ambient_color);
      v.field("ambientIntensity", light.ambient_intensity);
    }
    if (version >= 1200) {
      v.field("shadowIntensity", light.shadow_intensity);
    }
    if (version >= 1300) {
      v.field("shadowCastingStart", light.shadow_casting_start);
      v.field("shadowCastingEnd", light.shadow_casting_end);
    }
    if (version >= 1600) {
      v.field("quadraticFalloff", light.quadratic_falloff);
      v.field("linearFalloff", light.linear_falloff);
      v.field("damping", light.damping);
    }
    v.objects("tracks", light.tracks);
  });
}

template <class V>
void describe(V& v, As<V, Attachment>& attachment) {
  v.sized(attachment.remainder, Attachment::kMinSize, [&] {
    v.object("node", attachment.node);
    v.text("path", attachment.path);
    v.field("attachmentId", attachment.attachment_id);
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

template <class V>
void describe(V& v, As<V, CellRun>& run) {
  v.field("start", run.start);
  v.field("end", run.end);
  v.field("repeat", run.repeat);
}

template <class V>
void describe(V& v, As<V, ParticleEmitter2>& emitter) {
  v.sized(emitter.remainder, ParticleEmitter2::kMinSize, [&] {
    v.object("node", emitter.node);
    v.field("speed", emitter.speed);
    v.field("variation", emitter.variation);
    v.field("latitude", emitter.latitude);
    v.field("gravity", emitter.gravity);
    v.field("lifeSpan", emitter.life_span);
    v.field("emissionRate", emitter.emission_rate);
    v.field("length", emitter.length);
    v.field("width", emitter.width);
    v.field("filterMode", emitter.filter);
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
    v.field("textureId", emitter.texture_id);
    v.field("squirt", emitter.squirt);
    v.field("priorityPlane", emitter.priority_plane);
    v.field("replaceableId", emitter.replaceable_id);
    v.objects("tracks", emitter.tracks);
  });
}

template <class V>
void describe(V& v, As<V, RibbonEmitter>& ribbon) {
  v.sized(ribbon.remainder, RibbonEmitter::kMinSize, [&] {
    v.object("node", ribbon.node);
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
void describe(V& v, As<V, PopcornEmitter>& emitter) {
  v.sized(emitter.remainder, PopcornEmitter::kMinSize, [&] {
    v.object("node", emitter.node);
    v.field("lifeSpan", emitter.life_span);
    v.field("emissionRate", emitter.emission_rate);
    v.field("speed", emitter.speed);
    v.field("color", emitter.color);
    v.field("alpha", emitter.alpha);
    v.field("replaceableId", emitter.replaceable_id);
    v.text("path", emitter.path);
    v.text("animVisibilityGuide", emitter.visibility_guide);
    v.objects("tracks", emitter.tracks);
  });
}

template <class V>
void describe(V& v, As<V, SoundEmitter>& emitter) {
  v.sized(emitter.remainder, SoundEmitter::kMinSize, [&] {
    v.object("node", emitter.node);
    v.objects("tracks", emitter.tracks);
  });
}

template <class V>
void describe(V& v, As<V, EventTrack>& track) {
  v.tag(FourCC{"KEVT"});
  auto count = static_cast<std::uint32_t>(track.frames.size());
  v.field("count", count);
  const bool global = v.choose(track.has_global_sequence,
                               [&](ByteView rest) { return event_has_global_sequence(rest, count); });
  if (global) {
    v.field("globalSequenceId", track.global_sequence);
  }
  if constexpr (V::kReads) {
    track.has_global_sequence = global;
    if (!global && !v.failed()) {
      v.note(codes::kEventWithoutGlobal, "KEVT",
             "event track without the required global sequence id; read without it");
    }
  }
  v.bulk("frames", track.frames, count);
}

template <class V>
void describe(V& v, As<V, EventObject>& event) {
  v.object("node", event.node);
  if (v.next_is(FourCC{"KEVT"}, event.track.has_value())) {
    if constexpr (V::kReads) {
      event.track.emplace();
    }
    v.object("track", *event.track);
  }
}

template <class V>
void describe(V& v, As<V, Camera>& camera) {
  v.sized24(camera.remainder, camera.variant, Camera::kMinSize, [&] {
    v.text("name", camera.name);
    v.field("position", camera.position);
    v.field("fieldOfView", camera.field_of_view);
    v.field("farClip", camera.far_clip);
    v.field("nearClip", camera.near_clip);
    if (camera.variant == 1 || camera.variant == 2) {
      v.field("skipped", camera.skipped);
    }
    v.field("target", camera.target);
    v.objects("tracks", camera.tracks);
  });
}

/// Decides for all shapes of a chunk how many bytes belong to each.
inline void plan_collisions(Context& context, ByteView chunk) {
  context.collision_payloads = plan_collision_payloads(chunk);
  context.next_collision = 0;
}

/// Floats of the next shape: as planned, else as its type usually has.
inline std::size_t collision_floats(Context& context, std::uint32_t type, std::size_t left) {
  const bool planned = context.next_collision < context.collision_payloads.size();
  const std::size_t size =
      planned ? context.collision_payloads[context.next_collision++] : usual_collision_payload(type, left);
  return size / sizeof(float);
}

template <class V>
void describe(V& v, As<V, CollisionShape>& shape) {
  v.object("node", shape.node);
  v.field("type", shape.type);
  const std::size_t count = v.choose(shape.payload.size(), [&](ByteView rest) {
    return collision_floats(v.context(), static_cast<std::uint32_t>(shape.type), rest.size());
  });
  if constexpr (V::kReads) {
    if (!v.failed() && count == 0) [[unlikely]] {
      v.fail(codes::kSizeInvalid, "type",
             "no known layout of a collision shape fits the remaining bytes of the chunk");
      return;
    }
    if (count * sizeof(float) !=
        usual_collision_payload(static_cast<std::uint32_t>(shape.type), ~std::size_t{0})) [[unlikely]] {
      v.note(codes::kCollisionLayout, "type",
             "the collision shape has an unusual size; it is read with " +
                 std::to_string(count * sizeof(float)) + " bytes of values");
    }
  }
  v.bulk("payload", shape.payload, count);
}

template <class V>
void describe(V& v, As<V, FaceEffect>& effect) {
  v.text("target", effect.target);
  v.text("path", effect.path);
}

template <class V>
void describe(V& v, As<V, SoundTrack>& track) {
  v.text("path", track.path);
  v.field("volume", track.volume);
  v.field("pitch", track.pitch);
  v.field("flags", track.flags);
}

template <class V>
void describe(V& v, As<V, ShortSoundTrack>& track) {
  v.text("path", track.path);
  v.field("maxDistance", track.max_distance);
  v.field("minDistance", track.min_distance);
  v.field("channel", track.channel);
}

template <class V>
void describe(V& v, As<V, SoundTracks>& chunk) {
  const bool is_short =
      v.choose(!chunk.short_tracks.empty(), [](ByteView rest) { return has_short_sound_tracks(rest); });
  if (is_short) {
    v.records("", chunk.short_tracks);
  } else {
    v.records("", chunk.tracks);
  }
}

template <class V>
void describe(V& /*v*/, As<V, Opaque>& /*opaque*/) {}

template <class V>
void describe(V& v, As<V, GlobalSequences>& chunk) {
  bulk_to_end(v, "durations", chunk.durations);
}
template <class V>
void describe(V& v, As<V, Pivots>& chunk) {
  bulk_to_end(v, "points", chunk.points);
}
template <class V>
void describe(V& v, As<V, PickGeosets>& chunk) {
  bulk_to_end(v, "geosetIds", chunk.geoset_ids);
}
template <class V>
void describe(V& v, As<V, BindPoses>& chunk) {
  v.counted("poses", chunk.poses);
}

template <class V>
void describe(V& v, As<V, CollisionShapes>& chunk) {
  if constexpr (V::kReads) {
    plan_collisions(v.context(), v.rest());
  }
  v.objects("", chunk.items);
}

template <class V, class T>
void describe_list(V& v, T& chunk) {
  if constexpr (requires { std::remove_cvref_t<T>::Item::kRecordSize; }) {
    v.records("", chunk.items);
  } else {
    v.objects("", chunk.items);
  }
}

}  // namespace thaw::mdx
