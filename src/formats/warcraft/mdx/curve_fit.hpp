// Fits a smooth function by cubic Hermite pieces.
#pragma once

#include "formats/warcraft/mdx/curve_writer.hpp"

namespace thaw::mdx {

/// The part of the time line that is fitted: u runs from u0 at t0 to u1 at t1.
struct FitSpan {
  double t0 = 0;
  double t1 = 0;
  double u0 = 0;
  double u1 = 1;
};

/// Fitting ends at pieces of this many seconds: where the function itself jumps, no piece is short enough.
inline constexpr double kShortestPiece = 1e-4;

namespace fit {

/// The sign of a quaternion that is nearer to the reference; scalars are left as they are.
inline Double4 aligned(const Double4& value, const Double4& reference, bool rotation) {
  return rotation && dot(value, reference) < 0 ? negated(value) : value;
}

template <class F>
CurveWriter::Point sample(const F& function, double t, double u, double u_per_second, bool rotation) {
  constexpr double kStep = 1e-5;
  const Double4 value = function(u);
  const Double4 before = aligned(function(u - kStep), value, rotation);
  const Double4 after = aligned(function(u + kStep), value, rotation);
  const double per_second = u_per_second / (2 * kStep);
  return {t, value, combine(after, per_second, before, -per_second)};
}

inline Double4 hermite(const CurveWriter::Point& a, const CurveWriter::Point& b, double s) {
  const double length = b.time - a.time;
  const double s2 = s * s;
  const double s3 = s2 * s;
  const Double4 values = combine(a.value, 2 * s3 - 3 * s2 + 1, b.value, 3 * s2 - 2 * s3);
  const Double4 slopes = combine(a.slope, (s3 - 2 * s2 + s) * length, b.slope, (s3 - s2) * length);
  return combine(values, 1, slopes, 1);
}

/// Radians between rotations; the difference of scalars.
inline double distance(const Double4& a, const Double4& b, bool rotation) {
  const Double4 difference = combine(a, 1, b, -1);
  return std::sqrt(dot(difference, difference)) * (rotation ? 2 : 1);
}

/// Do the pieces' inner points stay within the tolerance?
template <class F>
bool close_enough(const F& function, const FitSpan& span, const CurveWriter::Point& a,
                  const CurveWriter::Point& b, double tolerance, bool rotation) {
  for (const double s : {0.1, 0.25, 0.4, 0.5, 0.6, 0.75, 0.9}) {
    Double4 fitted = hermite(a, b, s);
    if (rotation) {
      fitted = normalized(fitted);
    }
    const Double4 exact = aligned(function(span.u0 + (span.u1 - span.u0) * s), fitted, rotation);
    if (!(distance(fitted, exact, rotation) <= tolerance)) {
      return false;
    }
  }
  return true;
}

/// `b.value` has the sign that continues `a.value`.
template <class F>
void halve(const F& function, const FitSpan& span, const CurveWriter::Point& a, CurveWriter::Point b,
           double tolerance, bool rotation, CurveWriter& writer) {
  if (rotation && dot(a.value, b.value) < 0) {
    b.value = negated(b.value);
    b.slope = negated(b.slope);
  }
  // Times of keys are floats, and the slopes must belong to the times that the curve will hold.
  const auto middle = double{static_cast<float>((span.t0 + span.t1) / 2)};
  const bool divisible = span.t1 - span.t0 > kShortestPiece && middle > span.t0 && middle < span.t1;
  if (!divisible) {
    const double per_second = 1 / (span.t1 - span.t0);
    const Double4 chord = combine(b.value, per_second, a.value, -per_second);
    writer.segment({a.time, a.value, chord}, {b.time, b.value, chord});
    return;
  }
  if (close_enough(function, span, a, b, tolerance, rotation)) {
    writer.segment(a, b);
    return;
  }
  const double share = (middle - span.t0) / (span.t1 - span.t0);
  const double u = span.u0 + (span.u1 - span.u0) * share;
  const double speed = (span.u1 - span.u0) / (span.t1 - span.t0);
  const auto knot = sample(function, middle, u, speed, rotation);
  halve(function, {span.t0, middle, span.u0, u}, a, knot, tolerance, rotation, writer);
  halve(function, {middle, span.t1, u, span.u1}, knot, b, tolerance, rotation, writer);
}

}  // namespace fit

/// Appends pieces that stay within the tolerance of `function` (of u, giving Double4): radians with
/// `rotation`, else the value's own unit.
template <class F>
void fit_cubic(const F& function, const FitSpan& span, double tolerance, bool rotation, CurveWriter& writer) {
  const double speed = (span.u1 - span.u0) / (span.t1 - span.t0);
  const auto a = fit::sample(function, span.t0, span.u0, speed, rotation);
  const auto b = fit::sample(function, span.t1, span.u1, speed, rotation);
  fit::halve(function, span, a, b, tolerance, rotation, writer);
}

}  // namespace thaw::mdx
