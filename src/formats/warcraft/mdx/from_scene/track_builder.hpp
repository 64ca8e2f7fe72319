// Curves as the keys of one track: those of all clips on one time line, with one interpolation.
#pragma once

#include "formats/warcraft/mdx/scene/math.hpp"

#include <thaw/mdx.hpp>
#include <thaw/scene.hpp>

#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace thaw::mdx {

/// A clip's place on the time line in ms, both ends included; or the global sequence that it became.
struct ClipSpan {
  std::int64_t first = 0;
  std::int64_t last = 0;
  std::int32_t global = -1;
};

/// How the keys of one property become those of a track.
struct TrackRule {
  FourCC tag;
  /// From the scene's terms to the game's; `offset` is false for tangents.
  std::function<Double4(const Double4& value, bool offset)> convert;
  Double4 rest{};         ///< what the scene shows without a curve, in its terms
  double tolerance = 0;   ///< in the game's terms
  bool rotation = false;  ///< unit quaternions
  bool stepped = false;   ///< the game holds each key
};

/// Between two values; of rotations nearly the angle.
double apart(const Double4& a, const Double4& b, bool rotation);

/// Fits keys to curves, within the rule's tolerance. Rules and curves have to outlive it.
class TrackBuilder {
 public:
  TrackBuilder(const TrackRule& rule, unsigned components) : rule_(rule), components_(components) {}

  void add(const ClipSpan& span, const scene::Curve& curve);
  void add_constant(const ClipSpan& span, const Double4& value);
  /// The runs of sequences, or those of one global sequence; none if they say what shows without them.
  [[nodiscard]] std::optional<Track> finish(std::int32_t global, const Double4& silent);
  [[nodiscard]] bool empty() const { return runs_.empty(); }

 private:
  /// In the game's terms; slopes by second.
  struct Point {
    std::int64_t frame = 0;
    Double4 value{};
    Double4 in{};
    Double4 out{};
    bool moved = false;  ///< it was between two ticks of the game's clock
  };

  struct Run {
    ClipSpan span;
    scene::CurveMode mode = scene::CurveMode::step;
    std::vector<Point> points;
    const scene::Curve* curve = nullptr;  ///< that they are of
  };

  [[nodiscard]] Double4 converted(const Double4& value, bool offset = true) const {
    const Double4 result = rule_.convert(value, offset);
    return rule_.rotation && offset ? normalized(result) : result;
  }
  [[nodiscard]] Double4 evaluated(const scene::Curve& curve, double time) const;
  [[nodiscard]] Run read(const ClipSpan& span, const scene::Curve& curve) const;
  void settle_frames(Run& run, const scene::Curve& curve) const;
  void divide_half_turns(Run& run) const;
  void reduce(Run& run) const;
  static void close(Run& run);
  void emit(const Run& run, scene::CurveMode mode, std::vector<Point>& keys) const;
  void emit_smooth(const Run& run, std::vector<Point>& keys) const;
  [[nodiscard]] Point knot(const Run& run, double frame, const Point& like) const;
  static std::pair<Double4, Double4> inner_points(const Point& a, const Point& b);
  [[nodiscard]] bool one_turn(const Run& run, const Point& a, const Point& b) const;
  void divide_turn(const Run& run, const Point& a, const Point& b, std::vector<Point>& keys) const;
  [[nodiscard]] std::size_t reach(const Run& run, std::size_t from) const;

  const TrackRule& rule_;
  unsigned components_;
  std::vector<Run> runs_;
};

}  // namespace thaw::mdx
