#include "support/mdx_oracle.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace thaw::test {
namespace {

using Quad = std::array<double, 4>;

// --- tracks (warcraft3-rendering.md#playing-a-track)

struct KeyAt {
  double frame = 0;
  Quad value{}, in{}, out{};
};

Quad lerp(const Quad& a, const Quad& b, double t) {
  Quad r{};
  for (std::size_t i = 0; i < 4; ++i) {
    r[i] = a[i] + (b[i] - a[i]) * t;
  }
  return r;
}

Quad unit(Quad q) {
  const double n = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (n == 0) {
    return {0, 0, 0, 1};
  }
  for (double& c : q) {
    c /= n;
  }
  return q;
}

Quad slerp(const Quad& a, Quad b, double t) {
  double d = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
  if (d < 0) {
    d = -d;
    for (double& c : b) {
      c = -c;
    }
  }
  if (d >= 1 - 1e-9) {
    return unit(lerp(a, b, t));
  }
  const double theta = std::acos(d);
  const double p = std::sin((1 - t) * theta) / std::sin(theta);
  const double q = std::sin(t * theta) / std::sin(theta);
  return {p * a[0] + q * b[0], p * a[1] + q * b[1], p * a[2] + q * b[2], p * a[3] + q * b[3]};
}

bool is_rotation(FourCC tag) { return tag == FourCC{"KGRT"} || tag == FourCC{"KTAR"}; }

bool is_visibility(FourCC tag) {
  return tag == FourCC{"KLAV"} || tag == FourCC{"KATV"} || tag == FourCC{"KPEV"} || tag == FourCC{"KP2V"} ||
         tag == FourCC{"KRVS"};
}

Quad empty_window_value(FourCC tag) {
  if (is_rotation(tag)) {
    return {0, 0, 0, 1};
  }
  if (tag == FourCC{"KGSC"} || tag == FourCC{"KTAS"}) {
    return {1, 1, 1, 0};
  }
  if (is_visibility(tag) || tag == FourCC{"KMTA"} || tag == FourCC{"KGAO"}) {
    return {1, 0, 0, 0};
  }
  return {0, 0, 0, 0};
}

std::vector<KeyAt> keys_of(const mdx::Track& track) {
  std::vector<KeyAt> keys;
  for (std::size_t i = 0; i < track.size(); ++i) {
    KeyAt key;
    key.frame = track.frame(i);
    const auto read = [&](unsigned part) {
      const Vec4 v = track.value(i, part);
      const Quad q = {v[0], v[1], v[2], v[3]};
      return is_rotation(track.tag) ? unit(q) : q;
    };
    key.value = read(0);
    if (track.has_tangents()) {
      key.in = read(1);
      key.out = read(2);
      // Tangents without direction: there is nothing better than the key itself.
      if (is_rotation(track.tag) && track.value(i, 1) == Vec4{}) {
        key.in = key.value;
      }
      if (is_rotation(track.tag) && track.value(i, 2) == Vec4{}) {
        key.out = key.value;
      }
    }
    keys.push_back(key);
  }
  std::stable_sort(keys.begin(), keys.end(),
                   [](const KeyAt& a, const KeyAt& b) { return a.frame < b.frame; });
  return keys;
}

Quad between(const mdx::Track& track, const KeyAt& a, const KeyAt& b, double t) {
  if (track.interpolation == mdx::Interpolation::none || is_visibility(track.tag)) {
    return a.value;
  }
  const bool rotation = is_rotation(track.tag);
  if (track.interpolation == mdx::Interpolation::linear) {
    return rotation ? slerp(a.value, b.value, t) : lerp(a.value, b.value, t);
  }
  if (rotation) {
    return slerp(slerp(a.value, b.value, t), slerp(a.out, b.in, t), 2 * t * (1 - t));
  }
  Quad r{};
  for (std::size_t i = 0; i < 4; ++i) {
    if (track.interpolation == mdx::Interpolation::hermite) {
      r[i] = a.value[i] * (2 * t * t * t - 3 * t * t + 1) + a.out[i] * (t * t * t - 2 * t * t + t) +
             b.in[i] * (t * t * t - t * t) + b.value[i] * (-2 * t * t * t + 3 * t * t);
    } else {
      const double s = 1 - t;
      r[i] = a.value[i] * s * s * s + 3 * a.out[i] * t * s * s + 3 * b.in[i] * t * t * s +
             b.value[i] * t * t * t;
    }
  }
  return r;
}

Quad play(const mdx::Track& track, double start, double end, double f, bool global) {
  const auto all = keys_of(track);
  std::vector<KeyAt> keys;
  for (const auto& key : all) {
    if (start <= key.frame && key.frame <= end) {
      keys.push_back(key);
    }
  }
  if (keys.empty()) {
    const bool late = global && !all.empty() && all.front().frame > end;
    return late ? all.front().value : empty_window_value(track.tag);
  }
  if (keys.size() == 1) {
    return keys.front().value;
  }
  const KeyAt& first = keys.front();
  const KeyAt& last = keys.back();
  const double length = (first.frame - last.frame) + (end - start);
  if (f >= last.frame) {
    return between(track, last, first, length == 0 ? 0 : (f - last.frame) / length);
  }
  if (f < first.frame) {
    return between(track, last, first, std::clamp(((f - start) + (end - last.frame)) / length, 0.0, 1.0));
  }
  std::size_t lo = 0;
  while (keys[lo + 1].frame <= f) {
    ++lo;
  }
  return between(track, keys[lo], keys[lo + 1], (f - keys[lo].frame) / (keys[lo + 1].frame - keys[lo].frame));
}

// --- matrices, rows of 4

using Matrix = std::array<std::array<double, 4>, 4>;

Matrix identity() { return {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}}; }

Matrix times(const Matrix& a, const Matrix& b) {
  Matrix r{};
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      for (std::size_t k = 0; k < 4; ++k) {
        r[i][j] += a[i][k] * b[k][j];
      }
    }
  }
  return r;
}

Matrix shift(const Point& by) {
  Matrix m = identity();
  for (std::size_t i = 0; i < 3; ++i) {
    m[i][3] = by[i];
  }
  return m;
}

Matrix rotate(const Quad& q) {
  const double x = q[0];
  const double y = q[1];
  const double z = q[2];
  const double w = q[3];
  return {{{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w), 0},
           {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w), 0},
           {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y), 0},
           {0, 0, 0, 1}}};
}

Matrix stretch(const Point& by) {
  Matrix m = identity();
  for (std::size_t i = 0; i < 3; ++i) {
    m[i][i] = by[i];
  }
  return m;
}

Point moved_by(const Matrix& m, const Point& p) {
  Point r{};
  for (std::size_t i = 0; i < 3; ++i) {
    r[i] = m[i][0] * p[0] + m[i][1] * p[1] + m[i][2] * p[2] + m[i][3];
  }
  return r;
}

Quad product(const Quad& a, const Quad& b) {
  return {a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
          a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
          a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
          a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
}

Point widen(const Vec3& v) { return {v[0], v[1], v[2]}; }

// --- nodes (warcraft3-rendering.md#nodes)

struct Placed {
  Matrix world = identity();
  Quad rotation{0, 0, 0, 1};
  Point scale{1, 1, 1};
  Point pivot{};
};

class Placer {
 public:
  Placer(const MdxOracle& oracle, const mdx::Document& document, const std::vector<const mdx::Node*>& nodes,
         const Moment& moment)
      : oracle_(oracle), document_(document), moment_(moment) {
    for (const auto* node : nodes) {
      by_id_.emplace(node->object_id, node);
    }
  }

  /// By object id; null if there is no such node.
  const Placed* place(std::int32_t id) {
    const auto found = by_id_.find(id);
    if (id < 0 || found == by_id_.end()) {
      return nullptr;
    }
    if (const auto done = placed_.find(id); done != placed_.end()) {
      return &done->second;
    }
    const mdx::Node& node = *found->second;
    const Placed* parent = place(node.parent_id);
    return &(placed_[id] = compute(node, parent != nullptr ? *parent : Placed{}));
  }

 private:
  Point pivot(std::int32_t id) const {
    const auto* pivots = document_.find<mdx::Pivots>();
    const auto index = static_cast<std::size_t>(id);
    return pivots != nullptr && index < pivots->points.size() ? widen(pivots->points[index]) : Point{};
  }

  Placed compute(const mdx::Node& node, const Placed& parent) const {
    const Quad t = oracle_.value(find_track(node.tracks, FourCC{"KGTR"}), moment_, {0, 0, 0, 0});
    Quad r = oracle_.value(find_track(node.tracks, FourCC{"KGRT"}), moment_, {0, 0, 0, 1});
    const Quad s = oracle_.value(find_track(node.tracks, FourCC{"KGSC"}), moment_, {1, 1, 1, 0});
    Point scale = {s[0], s[1], s[2]};
    if ((node.flags & mdx::node_flag::kDontInheritScaling) != 0) {
      for (std::size_t i = 0; i < 3; ++i) {
        scale[i] /= parent.scale[i] == 0 ? 1 : parent.scale[i];
      }
    }
    if ((node.flags & mdx::node_flag::kDontInheritRotation) != 0) {
      r = product({-parent.rotation[0], -parent.rotation[1], -parent.rotation[2], parent.rotation[3]}, r);
    }
    Placed result;
    result.pivot = pivot(node.object_id);
    const Point back = {-result.pivot[0], -result.pivot[1], -result.pivot[2]};
    const Matrix local =
        times(times(times(times(shift(result.pivot), shift({t[0], t[1], t[2]})), rotate(r)), stretch(scale)),
              shift(back));
    result.world = times(parent.world, local);
    result.rotation = product(parent.rotation, r);
    for (std::size_t i = 0; i < 3; ++i) {
      result.scale[i] = parent.scale[i] * scale[i];
    }
    if ((node.flags & mdx::node_flag::kDontInheritTranslation) != 0) {
      const Point now = moved_by(parent.world, parent.pivot);
      for (std::size_t i = 0; i < 3; ++i) {
        result.world[i][3] -= now[i] - parent.pivot[i];
      }
    }
    return result;
  }

  const MdxOracle& oracle_;
  const mdx::Document& document_;
  Moment moment_;
  std::map<std::int32_t, const mdx::Node*> by_id_;
  std::map<std::int32_t, Placed> placed_;
};

// --- skinning (warcraft3-rendering.md#skinning)

/// The weighted sum of the places to which several nodes take a vertex; itself if none takes it.
class Blend {
 public:
  Blend(Placer& placer, const Point& vertex) : placer_(placer), vertex_(vertex) {}

  void add(std::int32_t id, double weight) {
    const Placed* node = placer_.place(id);
    if (node == nullptr || weight == 0) {
      return;
    }
    const Point p = moved_by(node->world, vertex_);
    for (std::size_t i = 0; i < 3; ++i) {
      sum_[i] += p[i] * weight;
    }
    weights_ += weight;
  }
  [[nodiscard]] Point result() const {
    if (weights_ == 0) {
      return vertex_;
    }
    return {sum_[0] / weights_, sum_[1] / weights_, sum_[2] / weights_};
  }

 private:
  Placer& placer_;
  Point vertex_;
  Point sum_{};
  double weights_ = 0;
};

template <class Skin>
void add_weights(Blend& blend, const Skin& skin, std::size_t vertex) {
  if (vertex < skin.size()) {
    for (std::size_t i = 0; i < 4; ++i) {
      blend.add(skin[vertex][i], skin[vertex][i + 4] / 255.0);
    }
  }
}

void add_group(Blend& blend, const mdx::Geoset& geoset, std::size_t vertex) {
  if (vertex >= geoset.vertex_groups.size() || geoset.vertex_groups[vertex] >= geoset.matrix_groups.size()) {
    return;
  }
  const std::size_t group = geoset.vertex_groups[vertex];
  std::size_t from = 0;
  for (std::size_t i = 0; i < group; ++i) {
    from += geoset.matrix_groups[i];
  }
  for (std::size_t i = from; i < from + geoset.matrix_groups[group] && i < geoset.matrix_indices.size();
       ++i) {
    blend.add(static_cast<std::int32_t>(geoset.matrix_indices[i]), 1);
  }
}

template <class Body>
void append_nodes(const mdx::Document& document, std::vector<const mdx::Node*>& nodes) {
  for (const auto* item : document.all<Body>()) {
    nodes.push_back(&item->node);
  }
}

}  // namespace

MdxOracle::MdxOracle(const mdx::Document& document)
    : document_(document), sequences_(document.all<mdx::Sequences>()) {
  append_nodes<mdx::Bones>(document, nodes_);
  append_nodes<mdx::Lights>(document, nodes_);
  append_nodes<mdx::Helpers>(document, nodes_);
  append_nodes<mdx::Attachments>(document, nodes_);
  append_nodes<mdx::ParticleEmitters>(document, nodes_);
  append_nodes<mdx::ParticleEmitters2>(document, nodes_);
  append_nodes<mdx::PopcornEmitters>(document, nodes_);
  append_nodes<mdx::RibbonEmitters>(document, nodes_);
  append_nodes<mdx::EventObjects>(document, nodes_);
  append_nodes<mdx::CollisionShapes>(document, nodes_);
}

std::array<double, 4> MdxOracle::value(const mdx::Track* track, const Moment& moment,
                                       const std::array<double, 4>& otherwise) const {
  if (track == nullptr) {
    return otherwise;
  }
  const auto* globals = document_.find<mdx::GlobalSequences>();
  const auto id = static_cast<std::size_t>(track->global_sequence);
  if (track->global_sequence >= 0 && globals != nullptr && id < globals->durations.size()) {
    const double length = globals->durations[id];
    return play(*track, 0, length, length == 0 ? 0 : std::fmod(moment.clock, length), true);
  }
  if (moment.sequence < 0) {
    return otherwise;
  }
  const auto& sequence = *sequences_.at(static_cast<std::size_t>(moment.sequence));
  const double start = static_cast<std::int32_t>(sequence.start);
  return play(*track, start, start + duration(static_cast<std::size_t>(moment.sequence)), start + moment.time,
              false);
}

double MdxOracle::duration(std::size_t sequence) const {
  const auto& s = *sequences_.at(sequence);
  const double start = static_cast<std::int32_t>(s.start);
  const double end = static_cast<std::int32_t>(s.end);
  return std::max(0.0, end - start);
}

std::vector<std::vector<Point>> MdxOracle::positions(const Moment& moment) const {
  Placer placer(*this, document_, nodes_, moment);
  std::vector<std::vector<Point>> all;
  for (const auto* geoset : document_.all<mdx::Geosets>()) {
    auto& points = all.emplace_back();
    for (std::size_t v = 0; v < geoset->positions.size(); ++v) {
      Blend blend(placer, widen(geoset->positions[v]));
      if (geoset->skin && !geoset->skin->empty()) {
        add_weights(blend, *geoset->skin, v);
      } else if (geoset->wide_skin && !geoset->wide_skin->empty()) {
        add_weights(blend, *geoset->wide_skin, v);
      } else {
        add_group(blend, *geoset, v);
      }
      points.push_back(blend.result());
    }
  }
  return all;
}

std::vector<double> MdxOracle::alphas(const Moment& moment) const {
  std::vector<double> alphas(document_.all<mdx::Geosets>().size(), 1.0);
  for (const auto* animation : document_.all<mdx::GeosetAnimations>()) {
    const auto id = static_cast<std::size_t>(animation->geoset_id);
    if (animation->geoset_id >= 0 && id < alphas.size()) {
      alphas[id] =
          value(find_track(animation->tracks, FourCC{"KGAO"}), moment, {animation->alpha, 0, 0, 0})[0];
    }
  }
  return alphas;
}

std::vector<double> MdxOracle::opacities(const Moment& moment) const {
  auto result = alphas(moment);
  const auto geosets = document_.all<mdx::Geosets>();
  const auto materials = document_.all<mdx::Materials>();
  for (std::size_t i = 0; i < geosets.size(); ++i) {
    const auto material = static_cast<std::size_t>(geosets[i]->material_id);
    if (geosets[i]->material_id < 0 || material >= materials.size() || materials[material]->layers.empty()) {
      continue;
    }
    // Of an HD material before version 1100 the first layer speaks for all (mdx.md#shaders).
    const bool folded = materials[material]->shader.view().starts_with("Shader_HD");
    double strongest = 0;
    for (const auto& layer : materials[material]->layers) {
      if (folded && &layer != &materials[material]->layers.front()) {
        break;
      }
      const auto* track = find_track(layer.tracks, FourCC{"KMTA"});
      strongest = std::max(strongest, value(track, moment, {double{layer.alpha}, 0, 0, 0})[0]);
    }
    result[i] *= strongest;
  }
  return result;
}

double MdxOracle::size() const {
  Point low = {1e30, 1e30, 1e30};
  Point high = {-1e30, -1e30, -1e30};
  for (const auto* geoset : document_.all<mdx::Geosets>()) {
    for (const auto& position : geoset->positions) {
      for (std::size_t i = 0; i < 3; ++i) {
        low[i] = std::min(low[i], double{position[i]});
        high[i] = std::max(high[i], double{position[i]});
      }
    }
  }
  return high[0] < low[0] ? 0 : std::hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
}

}  // namespace thaw::test
