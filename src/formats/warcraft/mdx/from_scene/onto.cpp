#include "formats/warcraft/mdx/from_scene/onto.hpp"

#include "formats/warcraft/mdx/convert/conversion_job.hpp"
#include "formats/warcraft/mdx/from_scene/onto_surface.hpp"
#include "formats/warcraft/mdx/optimize/steps.hpp"

#include <thaw/codes.hpp>

#include "bytes/number_text.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <string>

namespace thaw::mdx {
namespace {

// --- are two values the same, up to the rounding of floats?

bool alike(float a, float b) { return same_float(a, b); }
template <class T>
  requires(!std::is_floating_point_v<T>)
bool alike(const T& a, const T& b) {
  return a == b;
}
template <std::size_t N>
bool alike(const std::array<float, N>& a, const std::array<float, N>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), [](float x, float y) { return alike(x, y); });
}
template <std::size_t N>
bool alike(const Array<std::array<float, N>>& a, const Array<std::array<float, N>>& b) {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(), [](const auto& x, const auto& y) { return alike(x, y); });
}
/// Measured of vertices that clips move, so that what each of them loses adds up.
constexpr float kExtentNoise = 1e-3F;

bool alike_extent(float a, float b) {
  return alike(a, b) || std::abs(a - b) <= kExtentNoise * std::max({1.0F, std::abs(a), std::abs(b)});
}
bool alike_extent(const Vec3& a, const Vec3& b) {
  return std::equal(a.begin(), a.end(), b.begin(), [](float x, float y) { return alike_extent(x, y); });
}
bool alike(const Extent& a, const Extent& b) {
  return alike_extent(a.bounds_radius, b.bounds_radius) && alike_extent(a.minimum, b.minimum) &&
         alike_extent(a.maximum, b.maximum);
}
bool alike(const std::vector<Extent>& a, const std::vector<Extent>& b) {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(), [](const auto& x, const auto& y) { return alike(x, y); });
}
bool alike(const std::optional<Array<Vec4>>& a, const std::optional<Array<Vec4>>& b) {
  return a.has_value() == b.has_value() && (!a || alike(*a, *b));
}

template <class T>
void pick(T& original, const T& before, const T& after) {
  if (!alike(before, after)) {
    original = after;
  }
}

/// Each number by itself: what was not edited next to one that was stays to the bit.
template <std::size_t N>
void pick(std::array<float, N>& original, const std::array<float, N>& before,
          const std::array<float, N>& after) {
  for (std::size_t i = 0; i < N; ++i) {
    original.at(i) = alike(before.at(i), after.at(i)) ? original.at(i) : after.at(i);
  }
}
void pick(Extent& original, const Extent& before, const Extent& after) {
  const auto pick_number = [](float& to, float was, float now) { to = alike_extent(was, now) ? to : now; };
  pick_number(original.bounds_radius, before.bounds_radius, after.bounds_radius);
  for (std::size_t i = 0; i < 3; ++i) {
    pick_number(original.minimum.at(i), before.minimum.at(i), after.minimum.at(i));
    pick_number(original.maximum.at(i), before.maximum.at(i), after.maximum.at(i));
  }
}
void pick(std::vector<Extent>& original, const std::vector<Extent>& before,
          const std::vector<Extent>& after) {
  if (original.size() != before.size() || before.size() != after.size()) {
    original = alike(before, after) ? original : after;
    return;
  }
  for (std::size_t i = 0; i < original.size(); ++i) {
    pick(original[i], before[i], after[i]);
  }
}

/// What merging has to know in addition to the objects, and what it counts.
struct Merging {
  const Document& before;
  const Document& after;
  TimeLines lines{after};
  std::vector<Window> original_sequences = {};  ///< of the original, in the order of those of `after`
  ObjectNames before_names = {};
  ObjectNames after_names = {};
  std::map<std::string, std::int64_t> after_ids = {};
  double place_noise = 0;   ///< in units of the game
  double far = 0;           ///< in units, between places of curves that are the same
  std::size_t tracks = 0;   ///< of which all keys are others
  std::size_t geosets = 0;  ///< of other triangles
};

/// Whether keys say nothing, so that it is no edit where none are left.
bool only_rests(const Track& track) {
  constexpr std::array kMoves = {FourCC{"KGTR"}, FourCC{"KGRT"}, FourCC{"KGSC"}};
  if (std::find(kMoves.begin(), kMoves.end(), track.tag) == kMoves.end()) {
    return false;
  }
  const Double4 rest = track_default(track.tag);
  constexpr double kNothing = 3e-4;  // as curves are the same
  for (std::size_t key = 0; key < track.size(); ++key) {
    const Vec4 value = track.value(key);
    for (std::size_t i = 0; i < track.components(); ++i) {
      if (std::abs(double{value.at(i)} - rest.at(i)) > kNothing) {
        return false;
      }
    }
  }
  return true;
}

void merge(Tracks& original, const Tracks& before, const Tracks& after, Merging& m) {
  for (const Track& track : after) {
    const Track* was = find_track(before, track.tag);
    const auto existing = std::find_if(original.begin(), original.end(),
                                       [&](const Track& other) { return other.tag == track.tag; });
    if (was != nullptr && *was == track) {
      continue;
    }
    if (existing == original.end() || was == nullptr) {
      if (existing != original.end()) {
        *existing = track;
      } else {
        original.push_back(track);
      }
    } else if (merge_track(*existing, *was, track, m.lines.of(track),
                           track.global_sequence < 0 ? std::span<const Window>(m.original_sequences)
                                                     : m.lines.of(track),
                           m.far) == TrackMerge::rewritten) {
      ++m.tracks;
    }
  }
  for (const Track& was : before) {
    if (find_track(after, was.tag) == nullptr && !only_rests(was)) {
      original.erase(std::remove_if(original.begin(), original.end(),
                                    [&](const Track& existing) { return existing.tag == was.tag; }),
                     original.end());
    }
  }
}

// --- objects, field by field

void merge(Node& o, const Node& b, const Node& a, Merging& m) {
  pick(o.object_id, b.object_id, a.object_id);  // others were added or removed
  pick(o.name, b.name, a.name);
  pick(o.parent_id, b.parent_id, a.parent_id);
  pick(o.flags, b.flags, a.flags);
  merge(o.tracks, b.tracks, a.tracks, m);
}
void merge(Bone& o, const Bone& b, const Bone& a, Merging& m) {
  merge(o.node, b.node, a.node, m);
  pick(o.geoset_id, b.geoset_id, a.geoset_id);
  pick(o.geoset_animation_id, b.geoset_animation_id, a.geoset_animation_id);
}
void merge(Helper& o, const Helper& b, const Helper& a, Merging& m) { merge(o.node, b.node, a.node, m); }
void merge(Sequence& o, const Sequence& b, const Sequence& a, Merging& /*m*/) {
  pick(o.name, b.name, a.name);
  pick(o.start, b.start, a.start);
  pick(o.end, b.end, a.end);
  pick(o.move_speed, b.move_speed, a.move_speed);
  pick(o.flags, b.flags, a.flags);
  pick(o.rarity, b.rarity, a.rarity);
  pick(o.sync_point, b.sync_point, a.sync_point);
  pick(o.extent, b.extent, a.extent);
}
void merge(Texture& o, const Texture& b, const Texture& a, Merging& /*m*/) {
  pick(o.replaceable_id, b.replaceable_id, a.replaceable_id);
  pick(o.path, b.path, a.path);
  pick(o.flags, b.flags, a.flags);
}
void merge(Layer& o, const Layer& b, const Layer& a, Merging& m) {
  pick(o.filter_mode, b.filter_mode, a.filter_mode);
  pick(o.shading_flags, b.shading_flags, a.shading_flags);
  pick(o.texture_id, b.texture_id, a.texture_id);
  pick(o.texture_animation_id, b.texture_animation_id, a.texture_animation_id);
  pick(o.coord_id, b.coord_id, a.coord_id);
  pick(o.alpha, b.alpha, a.alpha);
  pick(o.emissive_gain, b.emissive_gain, a.emissive_gain);
  pick(o.fresnel_color, b.fresnel_color, a.fresnel_color);
  pick(o.fresnel_opacity, b.fresnel_opacity, a.fresnel_opacity);
  pick(o.fresnel_team_color, b.fresnel_team_color, a.fresnel_team_color);
  pick(o.shader_id, b.shader_id, a.shader_id);
  pick(o.slots, b.slots, a.slots);
  merge(o.tracks, b.tracks, a.tracks, m);
}
void merge(Material& o, const Material& b, const Material& a, Merging& m) {
  pick(o.priority_plane, b.priority_plane, a.priority_plane);
  pick(o.flags, b.flags, a.flags);
  pick(o.shader, b.shader, a.shader);
  if (o.layers.size() != b.layers.size() || o.layers.size() != a.layers.size()) {
    pick(o.layers, b.layers, a.layers);
    return;
  }
  for (std::size_t i = 0; i < o.layers.size(); ++i) {
    merge(o.layers[i], b.layers[i], a.layers[i], m);
  }
}
void merge(TextureAnimation& o, const TextureAnimation& b, const TextureAnimation& a, Merging& m) {
  merge(o.tracks, b.tracks, a.tracks, m);
}
/// glTF requires unit lengths, so what points where it did stays.
template <std::size_t N>
void merge_directions(Array<std::array<float, N>>& o, const Array<std::array<float, N>>& b,
                      const Array<std::array<float, N>>& a) {
  if (o.size() != a.size()) {
    o = alike(b, a) ? o : a;
    return;
  }
  const auto same_direction = [](const std::array<float, N>& x, const std::array<float, N>& y) {
    double along = 0;
    double of_x = 0;
    double of_y = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      along += double{x.at(i)} * double{y.at(i)};
      of_x += double{x.at(i)} * double{x.at(i)};
      of_y += double{y.at(i)} * double{y.at(i)};
    }
    constexpr double kSame = 1 - 1e-8;
    return along >= kSame * std::sqrt(of_x * of_y) && x.back() * y.back() >= (N == 4 ? 0.0F : -1e30F);
  };
  for (std::size_t i = 0; i < o.size(); ++i) {
    const bool edited = i >= b.size() || !alike(b[i], a[i]);
    if (edited && !same_direction(o[i], a[i])) {
      o[i] = a[i];
    }
  }
}
/// What follows from the triangles together goes together.
void merge_faces(Geoset& o, const Geoset& b, const Geoset& a) {
  if (b.indices == a.indices) {
    return;
  }
  o.primitive_types = a.primitive_types;
  o.primitive_counts = a.primitive_counts;
  o.indices = a.indices;
}
void merge_skin(Geoset& o, const Geoset& b, const Geoset& a) {
  const bool same = b.vertex_groups == a.vertex_groups && b.matrix_groups == a.matrix_groups &&
                    b.matrix_indices == a.matrix_indices && b.skin == a.skin && b.wide_skin == a.wide_skin;
  if (same) {
    return;
  }
  o.vertex_groups = a.vertex_groups;
  o.matrix_groups = a.matrix_groups;
  o.matrix_indices = a.matrix_indices;
  o.skin = a.skin;
  o.wide_skin = a.wide_skin;
}
/// Bones have the ids of the edited model.
void renumber_bones(Geoset& o, const Geoset& b, const Merging& m) {
  if (o.matrix_indices != b.matrix_indices) {
    return;
  }
  const auto renumber = [&](auto& id) {
    const auto name = m.before_names.find(id);
    const auto now = name == m.before_names.end() ? m.after_ids.end() : m.after_ids.find(name->second);
    if (now != m.after_ids.end()) {
      id = static_cast<std::decay_t<decltype(id)>>(now->second);
    }
  };
  const auto renumber_shares = [&](auto& entries) {
    for (auto& entry : entries) {
      for (std::size_t i = 0; i < 4; ++i) {
        renumber(entry.at(i));
      }
    }
  };
  std::for_each(o.matrix_indices.begin(), o.matrix_indices.end(), renumber);
  if (o.skin) {
    renumber_shares(*o.skin);
  }
  if (o.wide_skin) {
    renumber_shares(*o.wide_skin);
  }
}

/// Vertex by vertex, where each is still there.
void merge_vertices(Geoset& o, const Geoset& b, const Geoset& a) {
  for (std::size_t i = 0; i < o.positions.size(); ++i) {
    pick(o.positions[i], b.positions[i], a.positions[i]);
  }
  merge_directions(o.normals, b.normals, a.normals);
  merge_faces(o, b, a);
  merge_skin(o, b, a);
  for (std::size_t i = 0; i < std::min({o.uv_sets.size(), b.uv_sets.size(), a.uv_sets.size()}); ++i) {
    pick(o.uv_sets[i].coordinates, b.uv_sets[i].coordinates, a.uv_sets[i].coordinates);
  }
  if (b.uv_sets.size() != a.uv_sets.size()) {
    o.uv_sets = a.uv_sets;
  }
}

void merge_tangents(Geoset& o, const Geoset& b, const Geoset& a) {
  if (o.tangents && a.tangents && o.tangents->size() == a.tangents->size()) {
    merge_directions(*o.tangents, b.tangents ? *b.tangents : *a.tangents, *a.tangents);
  } else if (a.tangents) {
    pick(o.tangents, b.tangents, a.tangents);
  }
}

/// Other vertices: nothing that stands for each of them can stay.
void take_shape(Geoset& o, const Geoset& a) {
  o.positions = a.positions;
  o.normals = a.normals;
  o.primitive_types = a.primitive_types;
  o.primitive_counts = a.primitive_counts;
  o.indices = a.indices;
  o.vertex_groups = a.vertex_groups;
  o.matrix_groups = a.matrix_groups;
  o.matrix_indices = a.matrix_indices;
  o.skin = a.skin;
  o.wide_skin = a.wide_skin;
  o.tangents = a.tangents;
  o.uv_sets = a.uv_sets;
}

void merge_shape(Geoset& o, const Geoset& b, const Geoset& a, Merging& m) {
  const bool same_order = b.indices == a.indices && o.positions.size() == b.positions.size() &&
                          b.positions.size() == a.positions.size();
  if (merge_surface(o, {b, m.before_names}, {a, m.after_names})) {
    renumber_bones(o, b, m);
  } else if (same_order) {
    merge_vertices(o, b, a);
    merge_tangents(o, b, a);
  } else {
    ++m.geosets;
    take_shape(o, a);
  }
}

void merge(Geoset& o, const Geoset& b, const Geoset& a, Merging& m) {
  merge_shape(o, b, a, m);
  pick(o.material_id, b.material_id, a.material_id);
  pick(o.selection_group, b.selection_group, a.selection_group);
  pick(o.selection_flags, b.selection_flags, a.selection_flags);
  pick(o.lod, b.lod, a.lod);
  pick(o.lod_name, b.lod_name, a.lod_name);
  pick(o.extent, b.extent, a.extent);
  pick(o.sequence_extents, b.sequence_extents, a.sequence_extents);
}
void merge(GeosetAnimation& o, const GeosetAnimation& b, const GeosetAnimation& a, Merging& m) {
  pick(o.alpha, b.alpha, a.alpha);
  pick(o.flags, b.flags, a.flags);
  pick(o.color, b.color, a.color);
  pick(o.geoset_id, b.geoset_id, a.geoset_id);
  merge(o.tracks, b.tracks, a.tracks, m);
}
void merge(Light& o, const Light& b, const Light& a, Merging& m) {
  merge(o.node, b.node, a.node, m);
  pick(o.type, b.type, a.type);
  pick(o.attenuation_start, b.attenuation_start, a.attenuation_start);
  pick(o.attenuation_end, b.attenuation_end, a.attenuation_end);
  pick(o.color, b.color, a.color);
  pick(o.intensity, b.intensity, a.intensity);
  pick(o.ambient_color, b.ambient_color, a.ambient_color);
  pick(o.ambient_intensity, b.ambient_intensity, a.ambient_intensity);
  merge(o.tracks, b.tracks, a.tracks, m);
}
void merge(Attachment& o, const Attachment& b, const Attachment& a, Merging& m) {
  merge(o.node, b.node, a.node, m);
  pick(o.path, b.path, a.path);
  pick(o.attachment_id, b.attachment_id, a.attachment_id);
  merge(o.tracks, b.tracks, a.tracks, m);
}
void merge(ParticleEmitter& o, const ParticleEmitter& b, const ParticleEmitter& a, Merging& m) {
  merge(o.node, b.node, a.node, m);
  pick(o.emission_rate, b.emission_rate, a.emission_rate);
  pick(o.gravity, b.gravity, a.gravity);
  pick(o.longitude, b.longitude, a.longitude);
  pick(o.latitude, b.latitude, a.latitude);
  pick(o.path, b.path, a.path);
  pick(o.life_span, b.life_span, a.life_span);
  pick(o.speed, b.speed, a.speed);
  merge(o.tracks, b.tracks, a.tracks, m);
}
void merge(ParticleEmitter2& o, const ParticleEmitter2& b, const ParticleEmitter2& a, Merging& m) {
  merge(o.node, b.node, a.node, m);
  pick(o.speed, b.speed, a.speed);
  pick(o.variation, b.variation, a.variation);
  pick(o.latitude, b.latitude, a.latitude);
  pick(o.gravity, b.gravity, a.gravity);
  pick(o.life_span, b.life_span, a.life_span);
  pick(o.emission_rate, b.emission_rate, a.emission_rate);
  pick(o.length, b.length, a.length);
  pick(o.width, b.width, a.width);
  pick(o.filter, b.filter, a.filter);
  pick(o.rows, b.rows, a.rows);
  pick(o.columns, b.columns, a.columns);
  pick(o.shape, b.shape, a.shape);
  pick(o.tail_length, b.tail_length, a.tail_length);
  pick(o.middle, b.middle, a.middle);
  for (std::size_t i = 0; i < o.segment_colors.size(); ++i) {
    pick(o.segment_colors.at(i), b.segment_colors.at(i), a.segment_colors.at(i));
  }
  pick(o.segment_alphas, b.segment_alphas, a.segment_alphas);
  pick(o.segment_scales, b.segment_scales, a.segment_scales);
  pick(o.head_life, b.head_life, a.head_life);
  pick(o.head_decay, b.head_decay, a.head_decay);
  pick(o.tail_life, b.tail_life, a.tail_life);
  pick(o.tail_decay, b.tail_decay, a.tail_decay);
  pick(o.texture_id, b.texture_id, a.texture_id);
  pick(o.squirt, b.squirt, a.squirt);
  pick(o.priority_plane, b.priority_plane, a.priority_plane);
  pick(o.replaceable_id, b.replaceable_id, a.replaceable_id);
  merge(o.tracks, b.tracks, a.tracks, m);
}
void merge(RibbonEmitter& o, const RibbonEmitter& b, const RibbonEmitter& a, Merging& m) {
  merge(o.node, b.node, a.node, m);
  pick(o.height_above, b.height_above, a.height_above);
  pick(o.height_below, b.height_below, a.height_below);
  pick(o.alpha, b.alpha, a.alpha);
  pick(o.color, b.color, a.color);
  pick(o.life_span, b.life_span, a.life_span);
  pick(o.texture_slot, b.texture_slot, a.texture_slot);
  pick(o.emission_rate, b.emission_rate, a.emission_rate);
  pick(o.rows, b.rows, a.rows);
  pick(o.columns, b.columns, a.columns);
  pick(o.material_id, b.material_id, a.material_id);
  pick(o.gravity, b.gravity, a.gravity);
  merge(o.tracks, b.tracks, a.tracks, m);
}
void merge(PopcornEmitter& o, const PopcornEmitter& b, const PopcornEmitter& a, Merging& m) {
  merge(o.node, b.node, a.node, m);
  pick(o.life_span, b.life_span, a.life_span);
  pick(o.emission_rate, b.emission_rate, a.emission_rate);
  pick(o.speed, b.speed, a.speed);
  pick(o.color, b.color, a.color);
  pick(o.alpha, b.alpha, a.alpha);
  pick(o.replaceable_id, b.replaceable_id, a.replaceable_id);
  pick(o.path, b.path, a.path);
  pick(o.visibility_guide, b.visibility_guide, a.visibility_guide);
  merge(o.tracks, b.tracks, a.tracks, m);
}
void merge(EventObject& o, const EventObject& b, const EventObject& a, Merging& m) {
  merge(o.node, b.node, a.node, m);
  pick(o.track, b.track, a.track);
}
void merge(Camera& o, const Camera& b, const Camera& a, Merging& m) {
  pick(o.name, b.name, a.name);
  pick(o.position, b.position, a.position);
  pick(o.target, b.target, a.target);
  pick(o.field_of_view, b.field_of_view, a.field_of_view);
  pick(o.near_clip, b.near_clip, a.near_clip);
  pick(o.far_clip, b.far_clip, a.far_clip);
  merge(o.tracks, b.tracks, a.tracks, m);
}
void merge(CollisionShape& o, const CollisionShape& b, const CollisionShape& a, Merging& m) {
  merge(o.node, b.node, a.node, m);
  pick(o.type, b.type, a.type);
  const bool same =
      std::equal(b.payload.begin(), b.payload.end(), a.payload.begin(), a.payload.end(),
                 [&](float x, float y) { return std::abs(double{x} - double{y}) <= m.place_noise; });
  o.payload = same ? o.payload : a.payload;
}
void merge(FaceEffect& o, const FaceEffect& b, const FaceEffect& a, Merging& /*m*/) { o = b == a ? o : a; }

// --- chunks

double place_noise(const Document& document);
/// Names of objects that are the same in both models: one that has another name and the same number was
/// renamed.
void name_objects(Merging& merging);

class Merger {
 public:
  Merger(const Document& original, const Document& before, const Document& after,
         std::span<const SequenceMove> moves, Diagnostics& diagnostics)
      : original_(arranged(original, moves_of_original(original, before, moves))),
        before_(arranged(before, moves)),
        after_(after),
        moves_(moves),
        diagnostics_(diagnostics),
        merged_(original_) {
    for (const SequenceMove& move : moves_of_original(original, before, moves)) {
      merging_.original_sequences.push_back(move.now);
    }
    merging_.place_noise = place_noise(before_);
    constexpr double kFar = 1.2e-4;  // of the model's size: each of both directions fits keys within 5e-5
    merging_.far = kFar * model_size(before_);
    name_objects(merging_);
  }

  Document merge_all();

 private:
  static Document arranged(const Document& document, std::span<const SequenceMove> moves);
  static std::vector<SequenceMove> moves_of_original(const Document& original, const Document& before,
                                                     std::span<const SequenceMove> moves);
  template <class Body>
  void merge_lists(const char (&tag)[5]);
  template <class Body>
  void put_items(const char (&tag)[5], std::vector<typename Body::Item> items);
  void merge_sequences();
  void merge_header();
  void merge_globals();
  void merge_pivots();
  [[nodiscard]] Pivots pivots_by_name(const Pivots& original, const Pivots& was, const Pivots& is) const;
  [[nodiscard]] bool near(const Vec3& a, const Vec3& b) const;
  void keep_extents();
  void report() const;

  const Document original_;
  const Document before_;
  const Document& after_;
  std::span<const SequenceMove> moves_;
  Diagnostics& diagnostics_;
  Merging merging_{before_, after_};
  Document merged_;
};

/// The key by which an object is known where their number changed.
template <class T>
std::string_view name_of(const T& item) {
  if constexpr (requires { item.node.name; }) {
    return item.node.name.view();
  } else if constexpr (requires { item.path.view(); }) {
    return item.path.view();
  } else if constexpr (requires { item.name.view(); }) {
    return item.name.view();
  } else {
    return {};
  }
}

/// For each item of `after` that of `before` which it was; −1 for new ones.
template <class T>
std::vector<std::ptrdiff_t> partners(const std::vector<const T*>& before, const std::vector<const T*>& after,
                                     const Merging& /*m*/) {
  std::vector<std::ptrdiff_t> found(after.size(), -1);
  if (before.size() == after.size()) {
    std::iota(found.begin(), found.end(), 0);
    return found;
  }
  std::vector<bool> used(before.size());
  const auto match = [&](const auto& same) {
    for (std::size_t j = 0; j < after.size(); ++j) {
      for (std::size_t i = 0; found[j] < 0 && i < before.size(); ++i) {
        if (!used[i] && same(*before[i], *after[j])) {
          used[i] = true;
          found[j] = static_cast<std::ptrdiff_t>(i);
        }
      }
    }
  };
  constexpr std::size_t kMost = 4096;  // keeps the search in proportion
  if (before.size() <= kMost && after.size() <= kMost) {
    match([](const T& a, const T& b) { return a == b; });
    match([](const T& a, const T& b) { return !name_of(a).empty() && name_of(a) == name_of(b); });
  }
  return found;
}

/// Geosets have no names: the one that has most of the triangles, and at least half.
std::vector<std::ptrdiff_t> partners(const std::vector<const Geoset*>& before,
                                     const std::vector<const Geoset*>& after, const Merging& m) {
  std::vector<std::ptrdiff_t> found(after.size(), -1);
  if (before.size() == after.size()) {
    std::iota(found.begin(), found.end(), 0);
    return found;
  }
  std::vector<bool> used(before.size());
  constexpr std::size_t kMost = 64;
  for (std::size_t j = 0; j < after.size() && before.size() <= kMost && after.size() <= kMost; ++j) {
    double best = 50;
    for (std::size_t i = 0; i < before.size(); ++i) {
      const double share =
          used[i] ? 0 : share_of_triangles({*before[i], m.before_names}, {*after[j], m.after_names});
      if (share > best) {
        best = share;
        found[j] = static_cast<std::ptrdiff_t>(i);
      }
    }
    if (found[j] >= 0) {
      used[static_cast<std::size_t>(found[j])] = true;
    }
  }
  return found;
}

/// The nodes of all objects of a model.
template <class Use>
void each_node(const Document& document, const Use& use) {
  const auto each_of = [&](const auto& items) {
    for (const auto* item : items) {
      use(item->node);
    }
  };
  each_of(document.all<Bones>());
  each_of(document.all<Lights>());
  each_of(document.all<Helpers>());
  each_of(document.all<Attachments>());
  each_of(document.all<ParticleEmitters>());
  each_of(document.all<ParticleEmitters2>());
  each_of(document.all<PopcornEmitters>());
  each_of(document.all<RibbonEmitters>());
  each_of(document.all<EventObjects>());
  each_of(document.all<CollisionShapes>());
}

/// Whether each object has a number of its own, with a pivot, and a parent that is there.
bool numbers_hold(const Document& document) {
  std::set<std::int64_t> ids;
  std::size_t count = 0;
  each_node(document, [&](const Node& node) {
    ids.insert(node.object_id);
    ++count;
  });
  bool parents = true;
  each_node(document, [&](const Node& node) {
    parents = parents && (node.parent_id == -1 || ids.contains(node.parent_id));
  });
  const auto* pivots = document.find<Pivots>();
  return parents && ids.size() == count &&
         (ids.empty() || (*ids.begin() >= 0 && pivots != nullptr &&
                          *ids.rbegin() < static_cast<std::int64_t>(pivots->points.size())));
}

/// By id; of several of one name each has a number.
ObjectNames numbered_names(const Document& document) {
  ObjectNames names;
  std::map<std::string, std::size_t> counts;
  each_node(document, [&](const Node& node) { names.emplace(node.object_id, node.name.view()); });
  for (auto& [id, name] : names) {
    name += '\n' + std::to_string(++counts[name]);
  }
  return names;
}

void name_objects(Merging& merging) {
  merging.before_names = numbered_names(merging.before);
  merging.after_names = numbered_names(merging.after);
  const auto named = [](const ObjectNames& names) {
    std::set<std::string> all;
    for (const auto& [id, name] : names) {
      all.insert(name);
    }
    return all;
  };
  const auto before = named(merging.before_names);
  const auto after = named(merging.after_names);
  for (auto& [id, name] : merging.after_names) {
    const auto same = merging.before_names.find(id);
    if (!before.contains(name) && same != merging.before_names.end() && !after.contains(same->second)) {
      name = same->second;
    }
    merging.after_ids.emplace(name, id);
  }
}

/// How many objects of one model have a name that one of the other has, too.
double share_of_names(const Document& of, const Document& in) {
  std::set<std::string_view> names;
  each_node(in, [&](const Node& node) { names.insert(node.name.view()); });
  std::size_t count = 0;
  std::size_t known = 0;
  each_node(of, [&](const Node& node) {
    ++count;
    known += names.count(node.name.view());
  });
  return count == 0 ? 1 : static_cast<double>(known) / static_cast<double>(count);
}

/// Whether a scene that was a glTF file has this part of the original.
template <class T>
bool comes_along(const T& /*part*/) {
  return true;
}
bool comes_along(const Geoset& geoset) { return !geoset.indices.empty(); }

template <class Body>
void Merger::merge_lists(const char (&tag)[5]) {
  using T = typename Body::Item;
  const auto before = before_.all<Body>();
  const auto after = after_.all<Body>();
  const auto originals = original_.all<Body>();
  const bool same =
      before.size() == after.size() && std::equal(before.begin(), before.end(), after.begin(),
                                                  [](const T* a, const T* b) { return *a == *b; });
  if (same) {
    return;
  }
  const auto along = static_cast<std::size_t>(
      std::count_if(originals.begin(), originals.end(), [](const T* item) { return comes_along(*item); }));
  const bool all = originals.size() == before.size();
  if ((all || along == before.size()) && after.size() == before.size()) {
    std::size_t index = 0;
    for_each<Body>(merged_, [&](T& item, std::size_t) {
      if (!all && !comes_along(item)) {
        return;
      }
      merge(item, *before[index], *after[index], merging_);
      if constexpr (requires { item.remainder.replaces_fields(); }) {
        if (item.remainder.replaces_fields() && !(*before[index] == *after[index])) {
          item.remainder = {};
        }
      }
      ++index;
    });
    return;
  }
  if (originals.size() != before.size()) {
    diagnostics_.add(
        codes::kSceneChanged,
        "chunk " + std::string(tag) + " rewritten, because a scene cannot represent all of its objects");
  }
  std::vector<T> items;
  const auto was = partners(before, after, merging_);
  for (std::size_t i = 0; i < after.size(); ++i) {
    if (was[i] >= 0 && originals.size() == before.size()) {
      const auto at = static_cast<std::size_t>(was[i]);
      items.push_back(*originals[at]);
      merge(items.back(), *before[at], *after[i], merging_);
      if constexpr (requires { items.back().node.object_id; }) {
        items.back().node.object_id = after[i]->node.object_id;
      }
    } else {
      items.push_back(*after[i]);
    }
  }
  put_items<Body>(tag, std::move(items));
}

/// Of several chunks the first takes all.
template <class Body>
void Merger::put_items(const char (&tag)[5], std::vector<typename Body::Item> items) {
  for (auto& chunk : merged_.chunks) {
    if (auto* body = std::get_if<Body>(&chunk.body)) {
      body->items = std::exchange(items, {});
    }
  }
  if (!items.empty()) {
    std::get<Body>(insert_chunk(merged_, FourCC{tag}, Body()).body).items = std::move(items);
  }
}

/// The model on the time line of the edited one, with its extents by sequence.
Document Merger::arranged(const Document& document, std::span<const SequenceMove> moves) {
  Document result = document;
  if (moves.empty()) {
    return result;
  }
  const std::size_t count = document.all<Sequences>().size();
  retime(result, moves);
  for_each<Geosets>(result, [&](Geoset& geoset, std::size_t) {
    if (geoset.sequence_extents.size() != count) {
      return;
    }
    std::vector<Extent> extents;
    for (const SequenceMove& move : moves) {
      const auto was = static_cast<std::size_t>(move.was);
      extents.push_back(move.was >= 0 && was < count ? geoset.sequence_extents[was] : Extent{});
    }
    geoset.sequence_extents = std::move(extents);
  });
  return result;
}

/// Sequences that lie over each other in the original have other places in all models converted from it,
/// which is no move.
std::vector<SequenceMove> Merger::moves_of_original(const Document& original, const Document& before,
                                                    std::span<const SequenceMove> moves) {
  const TimeLines original_lines(original);
  const TimeLines was(before);
  std::vector<SequenceMove> result(moves.begin(), moves.end());
  for (SequenceMove& move : result) {
    const auto at = static_cast<std::size_t>(move.was);
    if (move.was >= 0 && at < original_lines.sequences.size() && at < was.sequences.size() &&
        move.now.start == was.sequences[at].start && move.now.end == was.sequences[at].end) {
      move.now = original_lines.sequences[at];
    }
  }
  return result;
}

void Merger::merge_sequences() {
  const auto before = before_.all<Sequences>();
  const auto after = after_.all<Sequences>();
  const auto originals = original_.all<Sequences>();
  if (originals.size() != before.size() || after.size() != moves_.size()) {
    merge_lists<Sequences>("SEQS");
    return;
  }
  std::vector<Sequence> items;
  for (std::size_t i = 0; i < after.size(); ++i) {
    const auto was = static_cast<std::size_t>(moves_[i].was);
    items.push_back(moves_[i].was < 0 ? *after[i] : *originals[was]);
    if (moves_[i].was >= 0) {
      merge(items.back(), *before[was], *after[i], merging_);
    }
  }
  const bool same = std::equal(items.begin(), items.end(), originals.begin(), originals.end(),
                               [](const Sequence& a, const Sequence* b) { return a == *b; });
  if (!same) {
    put_items<Sequences>("SEQS", std::move(items));
  }
}

void Merger::merge_header() {
  auto* merged = merged_.find<Model>();
  const auto* before = before_.find<Model>();
  const auto* after = after_.find<Model>();
  if (merged != nullptr && before != nullptr && after != nullptr) {
    pick(merged->name, before->name, after->name);
    pick(merged->animation_file, before->animation_file, after->animation_file);
    pick(merged->extent, before->extent, after->extent);
    pick(merged->blend_time, before->blend_time, after->blend_time);
  }
}

void Merger::merge_globals() {
  const auto* before = before_.find<GlobalSequences>();
  const auto* after = after_.find<GlobalSequences>();
  const GlobalSequences none;
  const auto& was = before == nullptr ? none : *before;
  const auto& is = after == nullptr ? none : *after;
  if (was == is) {
    return;
  }
  if (auto* merged = merged_.find<GlobalSequences>()) {
    *merged = is;
  } else {
    insert_chunk(merged_, FourCC{"GLBS"}, is);
  }
}

/// What places of bones may be off: they are sums of those above.
double place_noise(const Document& document) {
  double largest = 1;
  const auto* pivots = document.find<Pivots>();
  for (const Vec3& point : pivots == nullptr ? Array<Vec3>() : pivots->points) {
    for (const float part : point) {
      largest = std::max(largest, std::isfinite(part) ? std::abs(double{part}) : 0);
    }
  }
  constexpr double kNoise = 1e-6;
  return kNoise * largest;
}

/// Where objects were added or removed: those that stay keep theirs.
Pivots Merger::pivots_by_name(const Pivots& original, const Pivots& was, const Pivots& is) const {
  std::map<std::string, std::size_t> before;
  for (const auto& [id, name] : merging_.before_names) {
    before.emplace(name, static_cast<std::size_t>(id));
  }
  Pivots result = is;
  for (const auto& [id, name] : merging_.after_names) {
    const auto found = before.find(name);
    const auto at = static_cast<std::size_t>(id);
    if (found != before.end() && found->second < std::min(original.points.size(), was.points.size()) &&
        at < is.points.size() && near(was.points[found->second], is.points[at])) {
      result.points[at] = original.points[found->second];
    }
  }
  return result;
}

bool Merger::near(const Vec3& a, const Vec3& b) const {
  return std::equal(a.begin(), a.end(), b.begin(), [&](float x, float y) {
    return std::abs(double{x} - double{y}) <= merging_.place_noise;
  });
}

void Merger::merge_pivots() {
  const auto* before = before_.find<Pivots>();
  const auto* after = after_.find<Pivots>();
  const Pivots none;
  const auto& was = before == nullptr ? none : *before;
  const auto& is = after == nullptr ? none : *after;
  if (was == is) {
    return;
  }
  if (std::equal(was.points.begin(), was.points.end(), is.points.begin(), is.points.end(),
                 [&](const Vec3& x, const Vec3& y) { return near(x, y); })) {
    return;
  }
  auto* merged = merged_.find<Pivots>();
  if (merged == nullptr) {
    insert_chunk(merged_, FourCC{"PIVT"}, is);
  } else if (merged->points.size() == was.points.size() && was.points.size() == is.points.size()) {
    for (std::size_t i = 0; i < is.points.size(); ++i) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const float now = is.points[i].at(axis);
        if (std::abs(double{now} - double{was.points[i].at(axis)}) > merging_.place_noise) {
          merged->points[i].at(axis) = now;
        }
      }
    }
  } else {
    *merged = pivots_by_name(*merged, was, is);
  }
  if (merged_.find<BindPoses>() != nullptr && was.points.size() != is.points.size()) {
    *merged_.find<BindPoses>() = usual_bind_poses(merged_);
  }
}

Document Merger::merge_all() {
  merge_header();
  merge_sequences();
  merge_globals();
  merge_lists<Textures>("TEXS");
  merge_lists<Materials>("MTLS");
  merge_lists<TextureAnimations>("TXAN");
  merge_lists<Geosets>("GEOS");
  merge_lists<GeosetAnimations>("GEOA");
  merge_lists<Bones>("BONE");
  merge_lists<Lights>("LITE");
  merge_lists<Helpers>("HELP");
  merge_lists<Attachments>("ATCH");
  merge_lists<ParticleEmitters>("PREM");
  merge_lists<ParticleEmitters2>("PRE2");
  merge_lists<PopcornEmitters>("CORN");
  merge_lists<RibbonEmitters>("RIBB");
  merge_lists<EventObjects>("EVTS");
  merge_lists<Cameras>("CAMS");
  merge_lists<CollisionShapes>("CLID");
  merge_lists<FaceEffects>("FAFX");
  merge_pivots();
  keep_extents();
  report();
  return std::move(merged_);
}

/// What extents are measured of.
Document moving_parts(Document document) {
  std::erase_if(document.chunks, [](const Chunk& chunk) {
    return !std::holds_alternative<Geosets>(chunk.body) && !std::holds_alternative<Bones>(chunk.body) &&
           !std::holds_alternative<Helpers>(chunk.body) && !std::holds_alternative<Pivots>(chunk.body) &&
           !std::holds_alternative<Sequences>(chunk.body);
  });
  for_each<Sequences>(document, [](Sequence& sequence, std::size_t) {
    Sequence span;
    span.start = sequence.start;
    span.end = sequence.end;
    sequence = span;
  });
  for_each<Geosets>(document, [](Geoset& geoset, std::size_t) {
    geoset.extent = {};
    geoset.sequence_extents.clear();
    geoset.material_id = 0;
  });
  return document;
}

/// Where nothing that moves was edited, extents are those of the original, which need not be those that were
/// measured.
void Merger::keep_extents() {
  if (!(moving_parts(merged_) == moving_parts(original_))) {
    return;
  }
  if (auto* merged = merged_.find<Model>(); merged != nullptr) {
    merged->extent = original_.find<Model>()->extent;
  }
  const auto sequences = original_.all<Sequences>();
  for_each<Sequences>(merged_,
                      [&](Sequence& merged, std::size_t i) { merged.extent = sequences[i]->extent; });
  const auto geosets = original_.all<Geosets>();
  for_each<Geosets>(merged_, [&](Geoset& merged, std::size_t i) {
    merged.extent = geosets[i]->extent;
    merged.sequence_extents = geosets[i]->sequence_extents;
  });
}

/// What could not be recognised.
void Merger::report() const {
  if (merging_.geosets > 0) {
    diagnostics_.add(codes::kSceneEdited,
                     std::to_string(merging_.geosets) + " of " +
                         counted(after_.all<Geosets>().size(), "geoset") +
                         " rewritten, because of triangles that differ from the original's");
  }
  if (merging_.tracks > 0) {
    diagnostics_.add(
        codes::kSceneEdited,
        counted(merging_.tracks, "track") + " rewritten: the edited keys do not fit between the original's");
  }
}

/// The model of the scene with the chunks of the original that a scene cannot hold.
Document rewritten_document(const Document& original, const Document& after) {
  Document result = after;
  for (const auto& chunk : original.chunks) {
    if (std::holds_alternative<Opaque>(chunk.body) || std::holds_alternative<SoundTracks>(chunk.body)) {
      result.chunks.push_back(chunk);
    }
  }
  return result;
}

}  // namespace

Document merge_onto(const Document& original, const Document& before, const Document& after,
                    std::span<const SequenceMove> moves, Diagnostics& diagnostics) {
  constexpr double kAkin = 0.5;
  if (const double share = share_of_names(after, original); share < kAkin) {
    diagnostics.add(codes::kSceneChanged, "the original seems to be another model: it has only " +
                                              std::to_string(std::lround(share * 100)) +
                                              " % of the input's objects by name");
  }
  Document merged = Merger(original, before, after, moves, diagnostics).merge_all();
  if (numbers_hold(merged) || !numbers_hold(original) || !numbers_hold(after)) {
    return merged;
  }
  diagnostics.add(codes::kSceneChanged,
                  "the whole model was rewritten: the objects do not match the original's ids");
  return rewritten_document(original, after);
}

}  // namespace thaw::mdx
