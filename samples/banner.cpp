#include "banner.hpp"

#include "mesh.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace thaw::samples {
namespace {

constexpr unsigned kColumns = 8;
constexpr unsigned kRows = 5;
constexpr unsigned kFrames = 31;
constexpr double kWidth = 90;
constexpr double kHeight = 50;
constexpr double kTurn = 6.283185307179586;

/// The pole is where u is 0; waves run away from it and grow.
Point place(double u, double v, double phase) {
  const double wave = std::sin(kTurn * (1.2 * u + 0.15 * v - phase));
  return {-kWidth * u * (1 - 0.04 * u * wave), 14 * u * wave, 120 - kHeight * v - 4 * u * u};
}

Point normal(double u, double v, double phase) {
  constexpr double kStep = 1e-4;
  const Point along = place(u + kStep, v, phase) - place(u - kStep, v, phase);
  const Point down = place(u, v + kStep, phase) - place(u, v - kStep, phase);
  return normalized(cross(down, along));
}

mrf::Frame frame(double phase) {
  mrf::Frame result;
  for (unsigned row = 0; row <= kRows; ++row) {
    for (unsigned column = 0; column <= kColumns; ++column) {
      const double u = static_cast<double>(column) / kColumns;
      const double v = static_cast<double>(row) / kRows;
      const Point p = place(u, v, phase);
      const Point n = normal(u, v, phase);
      mrf::Vertex vertex{};
      for (std::size_t axis = 0; axis < 3; ++axis) {
        vertex[axis] = static_cast<float>(p[axis]);
        vertex[3 + axis] = static_cast<float>(n[axis]);
      }
      result.vertices.push_back(vertex);
    }
  }
  return result;
}

Color cloth(double u, double v) {
  const Color red{0.62, 0.07, 0.09, 1};
  const Color gold{0.93, 0.72, 0.22, 1};
  const double x = (u - 0.5) * kWidth;
  const double y = (v - 0.5) * kHeight;
  const double radius = std::sqrt(x * x + y * y);
  const double rays = 9 + 5 * std::cos(8 * std::atan2(y, x));
  const double sun = 1 - ramp(rays - 0.8, rays + 0.8, radius);
  const double edge = ramp(0.44 * kHeight - 0.6, 0.44 * kHeight + 0.6, std::fabs(y));
  const double weave = 0.88 + 0.12 * noise(u * 40, v * 22, 7);
  return shaded(mix(red, gold, std::max(sun, edge)), weave);
}

}  // namespace

Canvas banner_cloth() {
  Canvas canvas(128, 64);
  canvas.paint(cloth);
  return canvas;
}

mrf::Document banner() {
  mrf::Document document;
  document.header.frame_duration = 0.05F;
  document.header.radius = 160;
  constexpr std::string_view kPath = "Textures\\banner.blp";
  document.texture_path.assign(kPath.begin(), kPath.end());
  document.texture_path.push_back('\0');
  for (unsigned row = 0; row < kRows; ++row) {
    for (unsigned column = 0; column < kColumns; ++column) {
      const auto corner = static_cast<std::uint16_t>(row * (kColumns + 1) + column);
      const auto below = static_cast<std::uint16_t>(corner + kColumns + 1);
      for (const int index : {int{corner}, int{below}, corner + 1, corner + 1, int{below}, below + 1}) {
        document.indices.push_back(static_cast<std::uint16_t>(index));
      }
    }
  }
  for (unsigned row = 0; row <= kRows; ++row) {
    for (unsigned column = 0; column <= kColumns; ++column) {
      document.uvs.push_back({static_cast<float>(column) / kColumns, static_cast<float>(row) / kRows});
    }
  }
  for (unsigned i = 0; i < kFrames; ++i) {
    document.frames.push_back(frame(static_cast<double>(i % (kFrames - 1)) / (kFrames - 1)));
  }
  mrf::lay_out(document);
  return document;
}

}  // namespace thaw::samples
