#include "support/alpha_oracle.hpp"

#include <cmath>
#include <map>

namespace thaw::test {
namespace {

using Quad = AlphaOracle::Quad;
using Matrix = AlphaOracle::Matrix;
using mdx_alpha::Track;

/// mdx_alpha.md#rotations, with divisions in place of shifts.
Quad unpacked(std::int64_t packed) {
  const auto field = [&](std::int64_t divisor, std::int64_t size) {
    auto part = (packed >= 0 ? packed / divisor : -((-(packed + 1)) / divisor) - 1) % size;
    part = part < 0 ? part + size : part;
    return static_cast<double>(part >= size / 2 ? part - size : part);
  };
  const double x = field(std::int64_t{1} << 42, 1 << 22) / 2097152.0;
  const double y = field(std::int64_t{1} << 21, 1 << 21) / 1048576.0;
  const double z = field(1, 1 << 21) / 1048576.0;
  const double r = 1 - x * x - y * y - z * z;
  return {x, y, z, r >= 1 / 1048576.0 ? std::sqrt(r) : 0};
}

float float_of(std::uint32_t word) {
  float value = 0;
  std::memcpy(&value, &word, sizeof value);
  return value;
}

bool turns(const Track& track) { return track.tag == FourCC{"KGRT"}; }

Quad part_of(const Track& track, std::size_t key, std::size_t part) {
  const std::size_t width = turns(track) ? 2 : 3;
  const std::size_t parts = track.interpolation > mdx::Interpolation::linear ? 3 : 1;
  const std::size_t at = key * (1 + width * parts) + 1 + part * width;
  if (turns(track)) {
    const std::uint64_t low = track.words[at];
    const std::uint64_t high = track.words[at + 1];
    return unpacked(static_cast<std::int64_t>(low | high << 32U));
  }
  return {float_of(track.words[at]), float_of(track.words[at + 1]), float_of(track.words[at + 2]), 0};
}

Quad slerp(const Quad& a, Quad b, double t) {
  double cosine = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    cosine += a[i] * b[i];
  }
  if (cosine < 0) {
    cosine = -cosine;
    for (double& part : b) {
      part = -part;
    }
  }
  const double angle = std::acos(std::min(cosine, 1.0));
  Quad result{};
  for (std::size_t i = 0; i < 4; ++i) {
    result[i] = angle < 1e-7
                    ? a[i] + (b[i] - a[i]) * t
                    : (a[i] * std::sin((1 - t) * angle) + b[i] * std::sin(t * angle)) / std::sin(angle);
  }
  return result;
}

Quad between(const Track& track, std::size_t key, double t) {
  const Quad a = part_of(track, key, 0);
  if (track.interpolation == mdx::Interpolation::none) {
    return a;
  }
  const Quad b = part_of(track, key + 1, 0);
  if (track.interpolation == mdx::Interpolation::linear) {
    Quad result = turns(track) ? slerp(a, b, t) : a;
    for (std::size_t i = 0; !turns(track) && i < 3; ++i) {
      result[i] += (b[i] - a[i]) * t;
    }
    return result;
  }
  const Quad out = part_of(track, key, 2);
  const Quad in = part_of(track, key + 1, 1);
  if (turns(track)) {
    return slerp(slerp(a, b, t), slerp(out, in, t), 2 * t * (1 - t));
  }
  Quad result{};
  for (std::size_t i = 0; i < 3; ++i) {
    const double s = 1 - t;
    result[i] =
        track.interpolation == mdx::Interpolation::hermite
            ? a[i] * (1 + 2 * t) * s * s + b[i] * t * t * (3 - 2 * t) + out[i] * t * s * s - in[i] * t * t * s
            : a[i] * s * s * s + 3 * out[i] * t * s * s + 3 * in[i] * t * t * s + b[i] * t * t * t;
  }
  return result;
}

/// mdx_alpha.md#animation: keys outside the range do not count, and outside its keys the nearest one does.
Quad played(const Track& track, double start, double end, double now, const Quad& otherwise) {
  std::vector<std::size_t> keys;
  for (std::size_t i = 0; i < track.size(); ++i) {
    if (track.time(i) >= start && track.time(i) <= end) {
      keys.push_back(i);
    }
  }
  if (keys.empty()) {
    return otherwise;
  }
  std::size_t at = keys.front();
  for (const std::size_t key : keys) {
    at = track.time(key) <= now ? key : at;
  }
  if (now <= track.time(keys.front()) || at == keys.back()) {
    return part_of(track, at, 0);
  }
  return between(track, at, (now - track.time(at)) / (track.time(at + 1) - track.time(at)));
}

/// Columns of the turned and stretched axes.
Matrix matrix_of(const Point& move, const Quad& q, const Point& scale, const Point& pivot) {
  const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  const double x = q[0] / length;
  const double y = q[1] / length;
  const double z = q[2] / length;
  const double w = q[3] / length;
  Matrix m = {{{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w), 0},
               {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w), 0},
               {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y), 0}}};
  for (std::size_t row = 0; row < 3; ++row) {
    double turned_pivot = 0;
    for (std::size_t column = 0; column < 3; ++column) {
      m.at(row).at(column) *= scale.at(column);
      turned_pivot += m.at(row).at(column) * pivot.at(column);
    }
    m.at(row)[3] = pivot.at(row) + move.at(row) - turned_pivot;
  }
  return m;
}

Matrix times(const Matrix& a, const Matrix& b) {
  Matrix result{};
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t column = 0; column < 4; ++column) {
      result.at(row).at(column) = column == 3 ? a.at(row)[3] : 0;
      for (std::size_t k = 0; k < 3; ++k) {
        result.at(row).at(column) += a.at(row).at(k) * b.at(k).at(column);
      }
    }
  }
  return result;
}

Point applied(const Matrix& m, const Point& p) {
  Point result{};
  for (std::size_t row = 0; row < 3; ++row) {
    result.at(row) = m.at(row)[0] * p[0] + m.at(row)[1] * p[1] + m.at(row)[2] * p[2] + m.at(row)[3];
  }
  return result;
}

}  // namespace

double AlphaOracle::duration(std::size_t sequence) const {
  const auto& entry = *document_.all<mdx_alpha::Sequences>().at(sequence);
  return static_cast<double>(entry.end) - static_cast<double>(entry.start);
}

const mdx_alpha::Node* AlphaOracle::node(std::int32_t id) const {
  for (const auto& entry : mdx_alpha::all_nodes(document_)) {
    if (entry.node->object_id == id) {
      return entry.node;
    }
  }
  return nullptr;
}

Point AlphaOracle::pivot(std::int32_t id) const {
  const Vec3& point = document_.find<mdx_alpha::Pivots>()->points.at(static_cast<std::size_t>(id));
  return {point[0], point[1], point[2]};
}

Quad AlphaOracle::value(const mdx_alpha::Node& node, FourCC tag, const Moment& moment,
                        const Quad& otherwise) const {
  const Track* track = find_track(node.tracks, tag);
  if (track == nullptr) {
    return otherwise;
  }
  if (track->global_sequence >= 0) {
    const auto& durations = document_.find<mdx_alpha::GlobalSequences>()->durations;
    const double length = durations.at(static_cast<std::size_t>(track->global_sequence));
    return played(*track, 0, length, length == 0 ? 0 : std::fmod(moment.clock, length), otherwise);
  }
  const auto& sequence = *document_.all<mdx_alpha::Sequences>().at(static_cast<std::size_t>(moment.sequence));
  return played(*track, sequence.start, sequence.end, sequence.start + moment.time, otherwise);
}

Matrix AlphaOracle::world(std::int32_t id, const Moment& moment) const {
  const mdx_alpha::Node& object = *node(id);
  const Quad t = value(object, FourCC{"KGTR"}, moment, {0, 0, 0, 0});
  const Quad r = value(object, FourCC{"KGRT"}, moment, {0, 0, 0, 1});
  const Quad s = value(object, FourCC{"KGSC"}, moment, {1, 1, 1, 0});
  const Matrix local = matrix_of({t[0], t[1], t[2]}, r, {s[0], s[1], s[2]}, pivot(id));
  return object.parent_id == -1 ? local : times(world(object.parent_id, moment), local);
}

Point AlphaOracle::place(std::int32_t object_id, const Moment& moment) const {
  return applied(world(object_id, moment), pivot(object_id));
}

std::vector<std::vector<Point>> AlphaOracle::positions(const Moment& moment) const {
  std::map<std::int32_t, Matrix> worlds;
  std::vector<std::vector<Point>> all;
  for (const auto* geoset : document_.all<mdx_alpha::Geosets>()) {
    auto& points = all.emplace_back();
    for (std::size_t v = 0; v < geoset->positions.size(); ++v) {
      const Vec3& stored = geoset->positions[v];
      const std::size_t group = geoset->vertex_groups[v];
      std::size_t at = 0;
      for (std::size_t i = 0; i < group; ++i) {
        at += geoset->matrix_groups[i];
      }
      const std::size_t count = geoset->matrix_groups[group];
      Point sum{};
      for (std::size_t i = at; i < at + count; ++i) {
        const auto id = static_cast<std::int32_t>(geoset->matrix_indices[i]);
        if (worlds.find(id) == worlds.end()) {
          worlds.emplace(id, world(id, moment));
        }
        const Point moved = applied(worlds.at(id), {stored[0], stored[1], stored[2]});
        for (std::size_t axis = 0; axis < 3; ++axis) {
          sum.at(axis) += moved.at(axis) / static_cast<double>(count);
        }
      }
      points.push_back(sum);
    }
  }
  return all;
}

}  // namespace thaw::test
