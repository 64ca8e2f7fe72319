// Deviation of a changed model from the original: both are evaluated and compared.
#include "bytes/finite.hpp"
#include "formats/warcraft/mdx/optimize/steps.hpp"
#include "formats/warcraft/mdx/poses.hpp"
#include "formats/warcraft/mdx/rules/tracks.hpp"

#include <algorithm>
#include <map>

namespace thaw::mdx {
namespace {

constexpr std::size_t kMoments = 256;
/// Products of moments and vertices; above it fewer moments are looked at.
constexpr std::size_t kMaxWork = std::size_t{1} << 25U;

/// The largest difference over a window. Without `after`, the track is gone and the rest value shows.
double track_deviation(const KeyList& before, const KeyList* after, const Double4& rest,
                       const Window& window) {
  const TrackPlayer old_player(before, window);
  const std::optional<TrackPlayer> new_player =
      after == nullptr ? std::nullopt : std::optional<TrackPlayer>(std::in_place, *after, window);
  const auto now = [&](double time) { return new_player ? new_player->at(time) : rest; };
  if (old_player.playback().constant) {
    return difference(before, *old_player.playback().constant, now(0));
  }
  double worst = 0;
  for (const auto& piece : old_player.playback().pieces) {
    // Not at the very end: there the next piece may begin with a jump.
    for (const double share : {0.0, 0.21, 0.43, 0.5, 0.77, 0.98}) {
      const double time = piece.t0 + (piece.t1 - piece.t0) * share;
      worst = std::max(worst, difference(before, old_player.at(time), now(time)));
    }
  }
  return worst;
}

double tracks_deviation(const Document& before, const Document& after, const TimeLines& lines,
                        const Units& units) {
  std::map<TrackLocation, const Track*> remaining;
  visit_tracks(after,
               [&](const Track& track, const TrackFacts& facts) { remaining.emplace(facts.place, &track); });
  double worst = 0;
  visit_tracks(before, [&](const Track& track, const TrackFacts& facts) {
    const auto found = remaining.find(facts.place);
    const Track* now = found == remaining.end() ? nullptr : found->second;
    // Nodes are measured where they are, with all that hangs on them.
    if (facts.node != nullptr || facts.fixed || (now != nullptr && *now == track)) {
      return;
    }
    const KeyList old_list = prepare(comparison_use(track));
    const KeyList new_list = now == nullptr ? KeyList{} : prepare(comparison_use(*now));
    for (const auto& window : lines.of(track)) {
      const double away = track_deviation(old_list, now == nullptr ? nullptr : &new_list,
                                          facts.rest.value_or(Double4{}), window);
      worst = std::max(worst, away / units.of(track, facts));
    }
  });
  return worst;
}

/// Changes of one moment: what each node's matrix has become different by.
class Change {
 public:
  Change(const Poses& before, const Poses& after, std::size_t moment)
      : before_(before), after_(after), moment_(moment) {}

  void add(std::int64_t object_id, double weight) {
    const std::ptrdiff_t node = before_.node(object_id);
    const std::ptrdiff_t same = after_.node(object_id);
    if (node < 0 || same < 0 || weight == 0) {
      return;
    }
    const auto& a = before_.matrix(moment_, node);
    const auto& b = after_.matrix(moment_, same);
    for (std::size_t i = 0; i < sum_.size(); ++i) {
      sum_[i] += (b[i] - a[i]) * weight;
    }
    weight_ += weight;
  }
  /// 0 for a position that is not finite.
  [[nodiscard]] double at(const Vec3& point) const {
    return weight_ == 0 || !all_finite(point)
               ? 0
               : scene::length(scene::transform_point(sum_, scene::widen(to_position(point, 1)))) / weight_;
  }

 private:
  const Poses& before_;
  const Poses& after_;
  std::size_t moment_;
  scene::Mat4d sum_{};
  double weight_ = 0;
};

class PositionMeter {
 public:
  PositionMeter(const Document& before, const Poses& old_poses, const Poses& new_poses)
      : document_(before), old_(old_poses), new_(new_poses) {}

  double worst() {
    for (std::size_t moment = 0; moment < std::min(old_.moments(), new_.moments()); ++moment) {
      for (const auto* geoset : document_.all<Geosets>()) {
        measure(*geoset, moment);
      }
      measure_pivots(moment);
    }
    return worst_;
  }

 private:
  void take(double distance) { worst_ = distance <= worst_ ? worst_ : distance; }

  void measure(const Geoset& geoset, std::size_t moment) {
    if (geoset.skin) {
      measure_skin(geoset, *geoset.skin, moment);
    } else if (geoset.wide_skin) {
      measure_skin(geoset, *geoset.wide_skin, moment);
    } else {
      measure_groups(geoset, moment);
    }
  }

  template <class Skin>
  void measure_skin(const Geoset& geoset, const Skin& skin, std::size_t moment) {
    for (std::size_t v = 0; v < std::min(geoset.positions.size(), skin.size()); ++v) {
      Change change(old_, new_, moment);
      for (std::size_t i = 0; i < 4; ++i) {
        change.add(skin[v].at(i), static_cast<double>(skin[v].at(i + 4)));
      }
      take(change.at(geoset.positions[v]));
    }
  }

  void measure_groups(const Geoset& geoset, std::size_t moment) {
    std::vector<Change> changes;
    std::size_t next = 0;
    for (const std::uint32_t count : geoset.matrix_groups) {
      auto& change = changes.emplace_back(old_, new_, moment);
      for (std::uint32_t i = 0; i < count && next < geoset.matrix_indices.size(); ++i) {
        change.add(geoset.matrix_indices[next++], 1);
      }
    }
    for (std::size_t v = 0; v < std::min(geoset.positions.size(), geoset.vertex_groups.size()); ++v) {
      if (geoset.vertex_groups[v] < changes.size()) {
        take(changes[geoset.vertex_groups[v]].at(geoset.positions[v]));
      }
    }
  }

  void measure_pivots(std::size_t moment) {
    const auto* pivots = document_.find<Pivots>();
    for (std::size_t id = 0; pivots != nullptr && id < pivots->points.size(); ++id) {
      Change change(old_, new_, moment);
      change.add(static_cast<std::int64_t>(id), 1);
      take(change.at(pivots->points[id]));
    }
  }

  const Document& document_;
  const Poses& old_;
  const Poses& new_;
  double worst_ = 0;
};

void include(const Array<Vec3>& points, Vec3& low, Vec3& high) {
  for (const auto& point : points) {
    for (std::size_t i = 0; i < point.size(); ++i) {
      if (std::isfinite(point[i])) {
        low[i] = std::min(low[i], point[i]);
        high[i] = std::max(high[i], point[i]);
      }
    }
  }
}

}  // namespace

Double4 TrackPlayer::at(double time) const {
  if (playback_.constant) {
    return *playback_.constant;
  }
  const auto& pieces = playback_.pieces;
  auto piece =
      std::upper_bound(pieces.begin(), pieces.end(), time, [](double t, const Piece& p) { return t < p.t0; });
  piece -= piece == pieces.begin() ? 0 : 1;
  const double share = std::clamp((time - piece->t0) / (piece->t1 - piece->t0), 0.0, 1.0);
  return evaluate(list_, *piece, piece->u0 + (piece->u1 - piece->u0) * share);
}

TimeLines::TimeLines(const Document& document) {
  for (const auto* sequence : document.all<Sequences>()) {
    const std::int64_t start = static_cast<std::int32_t>(sequence->start);
    const std::int64_t end = static_cast<std::int32_t>(sequence->end);
    sequences.push_back({start, std::max(start, end), false});
  }
  for (const auto& chunk : document.chunks) {
    if (const auto* chunk_globals = std::get_if<GlobalSequences>(&chunk.body)) {
      for (const std::uint32_t duration : chunk_globals->durations) {
        globals.push_back({0, duration, true});
      }
    }
  }
}

std::span<const Window> TimeLines::of(const Track& track) const {
  if (track.global_sequence == -1) {
    return sequences;
  }
  const auto id = static_cast<std::size_t>(track.global_sequence);
  if (track.global_sequence < 0 || id >= globals.size()) {
    return {};
  }
  return {&globals[id], 1};
}

TrackUse comparison_use(const Track& track) {
  TrackUse use;
  use.track = &track;
  if (rules::is_visibility(track.tag)) {
    use.conversion = Conversion::visibility;
  } else if (track.components() == 4) {
    use.conversion = track.tag == FourCC{"KTAR"} ? Conversion::uv_angle : Conversion::rotation;
  } else if (track.components() == 3) {
    use.conversion = Conversion::color;  // three numbers in their order
  }
  return use;
}

double model_size(const Document& document) {
  constexpr float kFar = std::numeric_limits<float>::max();
  Vec3 low = {kFar, kFar, kFar};
  Vec3 high = {-kFar, -kFar, -kFar};
  for (const auto* geoset : document.all<Geosets>()) {
    include(geoset->positions, low, high);
  }
  const auto* pivots = document.find<Pivots>();
  if (!(low[0] < high[0]) && pivots != nullptr) {
    include(pivots->points, low, high);
  }
  double square = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double extent = double{high[axis]} - double{low[axis]};
    square += extent * extent;
  }
  const double size = std::sqrt(square);
  return low[0] <= high[0] && size > 0 ? size : 1;
}

double measure_deviation(const Document& before, const Document& after, const TimeLines& lines,
                         const Units& units, double size) {
  std::size_t vertices = 1;
  for (const auto* geoset : before.all<Geosets>()) {
    vertices += geoset->positions.size();
  }
  const std::size_t moments = std::clamp<std::size_t>(kMaxWork / vertices, 8, kMoments);
  const Poses old_poses(before, moments);
  const Poses new_poses(after, moments);
  const double moved = PositionMeter(before, old_poses, new_poses).worst() / size;
  return std::max(moved, tracks_deviation(before, after, lines, units));
}

}  // namespace thaw::mdx
