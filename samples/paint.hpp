// Textures painted by formulas, and the files they go into.
#pragma once

#include <thaw/bytes.hpp>

#include <functional>
#include <vector>

namespace thaw::samples {

/// 0 to 1; alpha 1 is opaque.
struct Color {
  double r = 0;
  double g = 0;
  double b = 0;
  double a = 1;
};
Color mix(const Color& from, const Color& to, double share);
Color shaded(const Color& color, double factor);
/// 0 below `from`, 1 above `to`, smooth between.
double ramp(double from, double to, double value);
/// Smooth noise from 0 to 1, about one wave per unit; repeats every `period` units.
double noise(double x, double y, unsigned seed, int period = 256);

class Canvas {
 public:
  Canvas(unsigned width, unsigned height)
      : width_(width), height_(height), pixels_(std::size_t{width} * height) {}

  [[nodiscard]] unsigned width() const { return width_; }
  [[nodiscard]] unsigned height() const { return height_; }
  [[nodiscard]] const Color& at(unsigned x, unsigned y) const { return pixels_[std::size_t{y} * width_ + x]; }
  Color& at(unsigned x, unsigned y) { return pixels_[std::size_t{y} * width_ + x]; }

  /// Calls `color(u, v)` for the middle of each pixel of a part, u and v from 0 to 1.
  void paint(unsigned left, unsigned top, unsigned width, unsigned height,
             const std::function<Color(double u, double v)>& color);
  void paint(const std::function<Color(double u, double v)>& color) { paint(0, 0, width_, height_, color); }

  /// Half the size; each pixel is the mean of four.
  [[nodiscard]] Canvas halved() const;

 private:
  unsigned width_;
  unsigned height_;
  std::vector<Color> pixels_;
};

/// 128 pixels square, of one formula.
Canvas painted(Color (*color)(double u, double v));

/// BLP1 with a palette, all mip levels, and 0 or 8 bits of alpha.
Bytes write_blp(const Canvas& canvas, bool alpha);
/// BLP2 with all mip levels: DXT1, or with alpha DXT5.
Bytes write_blp2(const Canvas& canvas, bool alpha);
/// DDS, all mip levels: BC1, or with alpha BC3.
Bytes write_dds(const Canvas& canvas, bool alpha);

}  // namespace thaw::samples
