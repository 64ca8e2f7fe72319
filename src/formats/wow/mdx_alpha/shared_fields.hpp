// Fields that models of WoW Alpha and of Warcraft III share by name: the same rows serve both directions.
#pragma once

#include <thaw/bytes.hpp>

#include <algorithm>
#include <cstring>

namespace thaw::mdx_alpha {

/// WoW Alpha's colours begin with blue.
inline Vec3 reversed(const Vec3& color) { return {color[2], color[1], color[0]}; }

inline std::uint32_t bits_of(float value) {
  std::uint32_t word = 0;
  std::memcpy(&word, &value, sizeof word);
  return word;
}

/// Replaces every value of a track of single floats, tangents among them.
template <class Track, class Change>
void change_floats(Track& track, Change change) {
  for (std::size_t key = 0; key < track.size(); ++key) {
    for (unsigned part = 0; part < track.stride() - 1; ++part) {
      track.words[key * track.stride() + 1 + part] = bits_of(change(track.value(key, part)[0]));
    }
  }
}

template <class From, class To>
void copy_sequence(const From& from, To& to) {
  to.name = from.name;
  to.start = from.start;
  to.end = from.end;
  to.move_speed = from.move_speed;
  to.flags = from.flags & To::kNonLooping;
  to.extent = from.extent;
}

template <class From, class To>
void copy_layer(const From& from, To& to) {
  to.texture_id = from.texture_id;
  to.texture_animation_id = from.texture_animation_id;
  to.alpha = from.alpha;
}

template <class From, class To>
void copy_geoset(const From& from, To& to) {
  to.positions = from.positions;
  to.normals = from.normals;
  for (const auto type : from.primitive_types) {
    to.primitive_types.push_back(static_cast<typename decltype(to.primitive_types)::value_type>(type));
  }
  to.primitive_counts = from.primitive_counts;
  to.indices = from.indices;
  to.vertex_groups = from.vertex_groups;
  to.matrix_groups = from.matrix_groups;
  to.material_id = from.material_id;
  to.selection_group = from.selection_group;
  to.extent = from.extent;
  to.sequence_extents = from.sequence_extents;
}

template <class From, class To>
void copy_geoset_animation(const From& from, To& to) {
  to.geoset_id = from.geoset_id;
  to.alpha = from.alpha;
  to.color = reversed(from.color);
  to.flags = (from.flags & From::kUseColor) != 0 ? To::kUseColor : 0;
}

template <class From, class To>
void copy_light(const From& from, To& to) {
  to.type = from.type;
  to.attenuation_start = from.attenuation_start;
  to.attenuation_end = from.attenuation_end;
  to.color = reversed(from.color);
  to.intensity = from.intensity;
  to.ambient_color = reversed(from.ambient_color);
  to.ambient_intensity = from.ambient_intensity;
}

template <class From, class To>
void copy_model_emitter(const From& from, To& to) {
  to.emission_rate = from.emission_rate;
  to.gravity = from.gravity;
  to.longitude = from.longitude;
  to.latitude = from.latitude;
  to.path = from.path;
  to.life_span = from.life_span;
  to.speed = from.speed;
}

/// But for latitudes: Warcraft III has them in degrees.
template <class From, class To>
void copy_emitter(const From& from, To& to) {
  to.speed = from.speed;
  to.variation = from.variation;
  to.gravity = from.gravity;
  to.life_span = from.life_span;
  to.emission_rate = from.emission_rate;
  to.length = from.length;
  to.width = from.width;
  to.filter = from.filter;
  to.rows = from.rows;
  to.columns = from.columns;
  to.shape = from.shape;
  to.tail_length = from.tail_length;
  to.middle = from.middle;
  std::transform(from.segment_colors.begin(), from.segment_colors.end(), to.segment_colors.begin(), reversed);
  to.segment_alphas = from.segment_alphas;
  to.segment_scales = from.segment_scales;
  to.head_life = from.head_life;
  to.head_decay = from.head_decay;
  to.tail_life = from.tail_life;
  to.tail_decay = from.tail_decay;
  to.texture_id = from.texture_id;
  to.priority_plane = from.priority_plane;
  to.replaceable_id = from.replaceable_id;
}

template <class From, class To>
void copy_ribbon(const From& from, To& to) {
  to.height_above = from.height_above;
  to.height_below = from.height_below;
  to.alpha = from.alpha;
  to.color = reversed(from.color);
  to.life_span = from.life_span;
  to.texture_slot = from.texture_slot;
  to.emission_rate = from.emission_rate;
  to.rows = from.rows;
  to.columns = from.columns;
  to.material_id = from.material_id;
  to.gravity = from.gravity;
}

template <class From, class To>
void copy_camera(const From& from, To& to) {
  to.name = from.name;
  to.position = from.position;
  to.field_of_view = from.field_of_view;
  to.far_clip = from.far_clip;
  to.near_clip = from.near_clip;
  to.target = from.target;
}

}  // namespace thaw::mdx_alpha
