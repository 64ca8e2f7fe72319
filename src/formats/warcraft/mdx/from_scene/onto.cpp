#include "formats/warcraft/mdx/from_scene/onto.hpp"

#include "formats/warcraft/mdx/conversion_job.hpp"

#include <thaw/scene_codes.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>

namespace thaw::mdx {
namespace {

// --- are two values the same, up to what floats lose on their way?

/// Programs compute with floats, and write what they read a little differently.
constexpr float kNoise = 2e-6F;

bool alike(float a, float b) {
  return a == b || std::abs(a - b) <= kNoise * std::max({1.0F, std::abs(a), std::abs(b)});
}
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
bool alike(const Extent& a, const Extent& b) {
  return alike(a.bounds_radius, b.bounds_radius) && alike(a.minimum, b.minimum) &&
         alike(a.maximum, b.maximum);
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

/// Each number by itself: what was not edited beside one that was stays to the bit.
template <std::size_t N>
void pick(std::array<float, N>& original, const std::array<float, N>& before,
          const std::array<float, N>& after) {
  for (std::size_t i = 0; i < N; ++i) {
    original.at(i) = alike(before.at(i), after.at(i)) ? original.at(i) : after.at(i);
  }
}
void pick(Extent& original, const Extent& before, const Extent& after) {
  original.bounds_radius =
      alike(before.bounds_radius, after.bounds_radius) ? original.bounds_radius : after.bounds_radius;
  pick(original.minimum, before.minimum, after.minimum);
  pick(original.maximum, before.maximum, after.maximum);
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

bool same_value(const Track& a, const Track& b, std::size_t key) {
  const std::size_t stride = a.stride();
  const auto* x = a.words.data() + key * stride;
  const auto* y = b.words.data() + key * stride;
  if (track_type(a.tag).integer) {
    return std::equal(x, x + stride, y);
  }
  const unsigned parts = a.has_tangents() ? 3 : 1;
  for (unsigned part = 0; part < parts; ++part) {
    if (!alike(a.value(key, part), b.value(key, part))) {
      return false;
    }
  }
  return a.frame(key) == b.frame(key);
}

bool same_shape(const Track& a, const Track& b) {
  if (a.interpolation != b.interpolation || a.global_sequence != b.global_sequence || a.size() != b.size() ||
      a.tag != b.tag || a.components() == 0) {
    return false;
  }
  for (std::size_t key = 0; key < a.size(); ++key) {
    if (a.frame(key) != b.frame(key)) {
      return false;
    }
  }
  return true;
}

bool alike(const Track& a, const Track& b) {
  if (!same_shape(a, b)) {
    return a == b;
  }
  for (std::size_t key = 0; key < a.size(); ++key) {
    if (!same_value(a, b, key)) {
      return false;
    }
  }
  return true;
}

/// Keys that differ, put into a track that has keys at their times; false if it has not.
bool merge_keys(Track& original, const Track& before, const Track& after) {
  if (!same_shape(before, after)) {
    return false;
  }
  Track merged = original;
  for (std::size_t key = 0; key < after.size(); ++key) {
    if (same_value(before, after, key)) {
      continue;
    }
    std::size_t at = 0;
    while (at < merged.size() && merged.frame(at) != after.frame(key)) {
      ++at;
    }
    if (at == merged.size()) {
      return false;
    }
    const bool tangents = merged.interpolation == after.interpolation && after.has_tangents();
    const std::size_t words = 1 + after.components() * (tangents ? 3U : 1U);
    std::copy_n(after.words.begin() + static_cast<std::ptrdiff_t>(key * after.stride() + 1), words - 1,
                merged.words.begin() + static_cast<std::ptrdiff_t>(at * merged.stride() + 1));
  }
  original = std::move(merged);
  return true;
}

void merge(Tracks& original, const Tracks& before, const Tracks& after) {
  for (const Track& track : after) {
    const Track* was = find_track(before, track.tag);
    const auto own = std::find_if(original.begin(), original.end(),
                                  [&](const Track& other) { return other.tag == track.tag; });
    if (was != nullptr && alike(*was, track)) {
      continue;
    }
    if (own == original.end()) {
      original.push_back(track);
    } else if (was == nullptr || !merge_keys(*own, *was, track)) {
      *own = track;
    }
  }
  for (const Track& was : before) {
    if (find_track(after, was.tag) == nullptr) {
      original.erase(std::remove_if(original.begin(), original.end(),
                                    [&](const Track& own) { return own.tag == was.tag; }),
                     original.end());
    }
  }
}

// --- objects, field by field

void merge(Node& o, const Node& b, const Node& a) {
  pick(o.object_id, b.object_id, a.object_id);  // others were added or removed
  pick(o.name, b.name, a.name);
  pick(o.parent_id, b.parent_id, a.parent_id);
  pick(o.flags, b.flags, a.flags);
  merge(o.tracks, b.tracks, a.tracks);
}
void merge(Bone& o, const Bone& b, const Bone& a) {
  merge(o.node, b.node, a.node);
  pick(o.geoset_id, b.geoset_id, a.geoset_id);
  pick(o.geoset_animation_id, b.geoset_animation_id, a.geoset_animation_id);
}
void merge(Helper& o, const Helper& b, const Helper& a) { merge(o.node, b.node, a.node); }
void merge(Sequence& o, const Sequence& b, const Sequence& a) {
  pick(o.name, b.name, a.name);
  pick(o.start, b.start, a.start);
  pick(o.end, b.end, a.end);
  pick(o.move_speed, b.move_speed, a.move_speed);
  pick(o.flags, b.flags, a.flags);
  pick(o.rarity, b.rarity, a.rarity);
  pick(o.sync_point, b.sync_point, a.sync_point);
  pick(o.extent, b.extent, a.extent);
}
void merge(Texture& o, const Texture& b, const Texture& a) {
  pick(o.replaceable_id, b.replaceable_id, a.replaceable_id);
  pick(o.path, b.path, a.path);
  pick(o.flags, b.flags, a.flags);
}
void merge(Layer& o, const Layer& b, const Layer& a) {
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
  merge(o.tracks, b.tracks, a.tracks);
}
void merge(Material& o, const Material& b, const Material& a) {
  pick(o.priority_plane, b.priority_plane, a.priority_plane);
  pick(o.flags, b.flags, a.flags);
  pick(o.shader, b.shader, a.shader);
  if (o.layers.size() != b.layers.size() || o.layers.size() != a.layers.size()) {
    pick(o.layers, b.layers, a.layers);
    return;
  }
  for (std::size_t i = 0; i < o.layers.size(); ++i) {
    merge(o.layers[i], b.layers[i], a.layers[i]);
  }
}
void merge(TextureAnimation& o, const TextureAnimation& b, const TextureAnimation& a) {
  merge(o.tracks, b.tracks, a.tracks);
}
/// glTF wants unit lengths, so what points where it did stays.
template <std::size_t N>
void merge_directions(Array<std::array<float, N>>& o, const Array<std::array<float, N>>& b,
                      const Array<std::array<float, N>>& a) {
  if (o.size() != a.size()) {
    o = alike(b, a) ? o : a;
    return;
  }
  const auto same_way = [](const std::array<float, N>& x, const std::array<float, N>& y) {
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
    if (edited && !same_way(o[i], a[i])) {
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
void merge(Geoset& o, const Geoset& b, const Geoset& a) {
  if (b.positions.size() != a.positions.size() || o.positions.size() != b.positions.size()) {
    // Other vertices: nothing that is told of each of them can stay.
    const Geoset kept = o;
    o = a;
    o.selection_group = kept.selection_group;
    o.selection_flags = kept.selection_flags;
    o.lod_name = kept.lod_name;
    return;
  }
  if (!alike(b.positions, a.positions)) {
    for (std::size_t i = 0; i < o.positions.size(); ++i) {
      pick(o.positions[i], b.positions[i], a.positions[i]);
    }
  }
  merge_directions(o.normals, b.normals, a.normals);
  merge_faces(o, b, a);
  merge_skin(o, b, a);
  pick(o.material_id, b.material_id, a.material_id);
  pick(o.selection_group, b.selection_group, a.selection_group);
  pick(o.selection_flags, b.selection_flags, a.selection_flags);
  pick(o.lod, b.lod, a.lod);
  pick(o.lod_name, b.lod_name, a.lod_name);
  pick(o.extent, b.extent, a.extent);
  pick(o.sequence_extents, b.sequence_extents, a.sequence_extents);
  if (o.tangents && a.tangents && o.tangents->size() == a.tangents->size()) {
    merge_directions(*o.tangents, b.tangents ? *b.tangents : *a.tangents, *a.tangents);
  } else if (a.tangents) {
    pick(o.tangents, b.tangents, a.tangents);
  }
  for (std::size_t i = 0; i < std::min({o.uv_sets.size(), b.uv_sets.size(), a.uv_sets.size()}); ++i) {
    pick(o.uv_sets[i].coordinates, b.uv_sets[i].coordinates, a.uv_sets[i].coordinates);
  }
  if (b.uv_sets.size() != a.uv_sets.size()) {
    o.uv_sets = a.uv_sets;
  }
}
void merge(GeosetAnimation& o, const GeosetAnimation& b, const GeosetAnimation& a) {
  pick(o.alpha, b.alpha, a.alpha);
  pick(o.flags, b.flags, a.flags);
  pick(o.color, b.color, a.color);
  pick(o.geoset_id, b.geoset_id, a.geoset_id);
  merge(o.tracks, b.tracks, a.tracks);
}
void merge(Light& o, const Light& b, const Light& a) {
  merge(o.node, b.node, a.node);
  pick(o.type, b.type, a.type);
  pick(o.attenuation_start, b.attenuation_start, a.attenuation_start);
  pick(o.attenuation_end, b.attenuation_end, a.attenuation_end);
  pick(o.color, b.color, a.color);
  pick(o.intensity, b.intensity, a.intensity);
  pick(o.ambient_color, b.ambient_color, a.ambient_color);
  pick(o.ambient_intensity, b.ambient_intensity, a.ambient_intensity);
  merge(o.tracks, b.tracks, a.tracks);
}
void merge(Attachment& o, const Attachment& b, const Attachment& a) {
  merge(o.node, b.node, a.node);
  pick(o.path, b.path, a.path);
  pick(o.attachment_id, b.attachment_id, a.attachment_id);
  merge(o.tracks, b.tracks, a.tracks);
}
void merge(ParticleEmitter& o, const ParticleEmitter& b, const ParticleEmitter& a) {
  merge(o.node, b.node, a.node);
  pick(o.emission_rate, b.emission_rate, a.emission_rate);
  pick(o.gravity, b.gravity, a.gravity);
  pick(o.longitude, b.longitude, a.longitude);
  pick(o.latitude, b.latitude, a.latitude);
  pick(o.path, b.path, a.path);
  pick(o.life_span, b.life_span, a.life_span);
  pick(o.speed, b.speed, a.speed);
  merge(o.tracks, b.tracks, a.tracks);
}
void merge(ParticleEmitter2& o, const ParticleEmitter2& b, const ParticleEmitter2& a) {
  merge(o.node, b.node, a.node);
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
  merge(o.tracks, b.tracks, a.tracks);
}
void merge(RibbonEmitter& o, const RibbonEmitter& b, const RibbonEmitter& a) {
  merge(o.node, b.node, a.node);
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
  merge(o.tracks, b.tracks, a.tracks);
}
void merge(PopcornEmitter& o, const PopcornEmitter& b, const PopcornEmitter& a) {
  merge(o.node, b.node, a.node);
  pick(o.life_span, b.life_span, a.life_span);
  pick(o.emission_rate, b.emission_rate, a.emission_rate);
  pick(o.speed, b.speed, a.speed);
  pick(o.color, b.color, a.color);
  pick(o.alpha, b.alpha, a.alpha);
  pick(o.replaceable_id, b.replaceable_id, a.replaceable_id);
  pick(o.path, b.path, a.path);
  pick(o.visibility_guide, b.visibility_guide, a.visibility_guide);
  merge(o.tracks, b.tracks, a.tracks);
}
void merge(EventObject& o, const EventObject& b, const EventObject& a) {
  merge(o.node, b.node, a.node);
  pick(o.track, b.track, a.track);
}
void merge(Camera& o, const Camera& b, const Camera& a) {
  pick(o.name, b.name, a.name);
  pick(o.position, b.position, a.position);
  pick(o.target, b.target, a.target);
  pick(o.field_of_view, b.field_of_view, a.field_of_view);
  pick(o.near_clip, b.near_clip, a.near_clip);
  pick(o.far_clip, b.far_clip, a.far_clip);
  merge(o.tracks, b.tracks, a.tracks);
}
void merge(CollisionShape& o, const CollisionShape& b, const CollisionShape& a) {
  merge(o.node, b.node, a.node);
  pick(o.type, b.type, a.type);
  pick(o.payload, b.payload, a.payload);
}
void merge(FaceEffect& o, const FaceEffect& b, const FaceEffect& a) { o = b == a ? o : a; }

// --- chunks

class Merger {
 public:
  Merger(const Document& original, const Document& before, const Document& after, Diagnostics& diagnostics)
      : original_(original), before_(before), after_(after), diagnostics_(diagnostics), merged_(original) {}

  Document merge_all();

 private:
  template <class Body>
  void merge_lists(const char (&tag)[5]);
  void merge_header();
  void merge_globals();
  void merge_pivots();

  const Document& original_;
  const Document& before_;
  const Document& after_;
  Diagnostics& diagnostics_;
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
std::vector<std::ptrdiff_t> partners(const std::vector<const T*>& before,
                                     const std::vector<const T*>& after) {
  std::vector<std::ptrdiff_t> found(after.size(), -1);
  if (before.size() == after.size()) {
    for (std::size_t i = 0; i < after.size(); ++i) {
      found[i] = static_cast<std::ptrdiff_t>(i);
    }
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
  const auto own = original_.all<Body>();
  const bool same =
      before.size() == after.size() && std::equal(before.begin(), before.end(), after.begin(),
                                                  [](const T* a, const T* b) { return *a == *b; });
  if (same) {
    return;
  }
  const auto along = static_cast<std::size_t>(
      std::count_if(own.begin(), own.end(), [](const T* item) { return comes_along(*item); }));
  const bool all = own.size() == before.size();
  if ((all || along == before.size()) && after.size() == before.size()) {
    std::size_t index = 0;
    each<Body>(merged_, [&](T& item, std::size_t) {
      if (!all && !comes_along(item)) {
        return;
      }
      merge(item, *before[index], *after[index]);
      if constexpr (requires { item.remainder.replaces_fields(); }) {
        if (item.remainder.replaces_fields() && !(*before[index] == *after[index])) {
          item.remainder = {};
        }
      }
      ++index;
    });
    return;
  }
  if (own.size() != before.size()) {
    diagnostics_.add(codes::kSceneChanged,
                     std::string(tag) + " is written anew: a scene does not have each of its parts");
  }
  std::vector<T> items;
  const auto was = partners<T>(before, after);
  for (std::size_t i = 0; i < after.size(); ++i) {
    if (was[i] >= 0 && own.size() == before.size()) {
      const auto at = static_cast<std::size_t>(was[i]);
      items.push_back(*own[at]);
      merge(items.back(), *before[at], *after[i]);
      if constexpr (requires { items.back().node.object_id; }) {
        items.back().node.object_id = after[i]->node.object_id;
      }
    } else {
      items.push_back(*after[i]);
    }
  }
  // The first takes all.
  for (auto& chunk : merged_.chunks) {
    if (auto* body = std::get_if<Body>(&chunk.body)) {
      body->items = std::exchange(items, {});
    }
  }
  if (!items.empty()) {
    std::get<Body>(insert_chunk(merged_, FourCC{tag}, Body()).body).items = std::move(items);
  }
}

void Merger::merge_header() {
  auto* own = merged_.find<Model>();
  const auto* before = before_.find<Model>();
  const auto* after = after_.find<Model>();
  if (own != nullptr && before != nullptr && after != nullptr) {
    pick(own->name, before->name, after->name);
    pick(own->animation_file, before->animation_file, after->animation_file);
    pick(own->extent, before->extent, after->extent);
    pick(own->blend_time, before->blend_time, after->blend_time);
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
  if (auto* own = merged_.find<GlobalSequences>()) {
    *own = is;
  } else {
    insert_chunk(merged_, FourCC{"GLBS"}, is);
  }
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
  auto* own = merged_.find<Pivots>();
  if (own == nullptr) {
    insert_chunk(merged_, FourCC{"PIVT"}, is);
  } else if (own->points.size() == was.points.size() && was.points.size() == is.points.size()) {
    for (std::size_t i = 0; i < is.points.size(); ++i) {
      pick(own->points[i], was.points[i], is.points[i]);
    }
  } else {
    *own = is;
  }
  if (merged_.find<BindPoses>() != nullptr && was.points.size() != is.points.size()) {
    *merged_.find<BindPoses>() = usual_bind_poses(merged_);
  }
}

Document Merger::merge_all() {
  merge_header();
  merge_lists<Sequences>("SEQS");
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
  return std::move(merged_);
}

/// What was made of the scene, with the chunks of the original that a scene knows nothing of.
Document made_anew(const Document& original, const Document& after) {
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
                    Diagnostics& diagnostics) {
  constexpr double kAkin = 0.5;
  if (const double share = share_of_names(after, original); share < kAkin) {
    diagnostics.add(codes::kSceneChanged, "the original is hardly this model: it has " +
                                              std::to_string(std::lround(share * 100)) +
                                              " of 100 objects of the scene by name");
  }
  Document merged = Merger(original, before, after, diagnostics).merge_all();
  if (numbers_hold(merged) || !numbers_hold(original) || !numbers_hold(after)) {
    return merged;
  }
  diagnostics.add(codes::kSceneChanged,
                  "all is written anew: the objects do not fit into the original's numbers");
  return made_anew(original, after);
}

}  // namespace thaw::mdx
