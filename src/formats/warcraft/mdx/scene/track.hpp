// Evaluating tracks as the game does (warcraft3-rendering.md#playing-a-track), and turning them into curves
// of a scene.
#pragma once

#include "formats/warcraft/mdx/scene/math.hpp"

#include <thaw/mdx.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace thaw::mdx {

/// How the values of a track become those of a property.
enum class Conversion : std::uint8_t {
  plain,        ///< times the factor
  translation,  ///< axes turned, times the factor
  rotation,     ///< axes turned, unit quaternion
  scaling,      ///< axes swapped
  color,        ///< R G B as stored
  bgr_color,    ///< keys of B G R
  uv,           ///< the first two components
  uv_angle,     ///< the angle of a quaternion about Z
  visibility,   ///< 0 or 1
  index,        ///< integers below a limit
};

/// What is needed to make a property's curves out of a track.
struct TrackUse {
  const Track* track = nullptr;
  Conversion conversion = Conversion::plain;
  double factor = 1;
  /// What a converted value is added to: the rest translation of a node.
  Double4 offset{};
  /// What the property shows where no curve drives it.
  Double4 rest{};
  /// Conversion::index: values from here on (and below 0) are taken as the rest value.
  std::uint32_t limit = 0;
  Axes axes = Axes::x_right;
  /// As KeyList::holds; a window without keys shows the rest value.
  bool holds = false;
};

struct Key {
  std::int64_t frame = 0;
  Double4 value{};
  Double4 in{};
  Double4 out{};
};

/// A track made ready for playing: converted, fixed, in order.
struct KeyList {
  Interpolation interpolation = Interpolation::none;
  bool rotation = false;
  unsigned components = 1;
  Double4 offset{};
  Double4 fallback{};  ///< where no key lies in the window
  std::vector<Key> keys;
  /// Outside the keys of a window the nearest one counts, in place of interpolating from the last to the
  /// first one.
  bool holds = false;

  // What was fixed.
  bool unsorted = false;
  bool repaired_values = false;
  bool bad_index = false;
};
KeyList prepare(const TrackUse& use);

/// What a track of this tag yields in a window without keys, in the file's terms.
Double4 track_default(FourCC tag);

/// Frames (ms) from start to end, both included.
struct Window {
  std::int64_t start = 0;
  std::int64_t end = 0;
  bool global = false;
};

/// Part of the segment between two keys, as played from t0 to t1. Times are seconds from the window's start
/// as rounded to float, because that is what the curve will hold.
struct Piece {
  double t0 = 0;
  double t1 = 0;
  const Key* from = nullptr;
  const Key* to = nullptr;
  double u0 = 0;  ///< position within the segment at t0; outside 0…1 only when extrapolated
  double u1 = 1;
  bool jump = false;  ///< the curve is broken before this piece
};

/// What a window plays of a track: a constant, or pieces that cover the window.
struct Playback {
  std::optional<Double4> constant;
  std::vector<Piece> pieces;
  const Key* last = nullptr;  ///< the last key within the window
  bool jump_at_end = false;
};
std::size_t keys_within(const KeyList& list, const Window& window);
Playback play(const KeyList& list, const Window& window, bool extrapolate);

/// The value within a segment, without the offset.
Double4 evaluate(const KeyList& list, const Piece& piece, double u);

struct CurveOptions {
  float rotation_tolerance = 2e-5F;
  bool extrapolate = false;
};

/// The curve of a property within a window; a single key where it is constant. Never empty.
scene::Curve make_curve(const KeyList& list, const Window& window, const CurveOptions& options);

/// As make_curve, with the angle about Z of a rotation.
scene::Curve make_angle_curve(const KeyList& list, const Window& window, const CurveOptions& options);

/// True if a curve is one key that equals the rest value.
bool shows_rest(const scene::Curve& curve, const Double4& rest);

}  // namespace thaw::mdx
