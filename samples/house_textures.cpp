#include "build.hpp"
#include "house.hpp"

#include <cmath>

namespace thaw::samples {
namespace {

double fraction(double value) { return value - std::floor(value); }

/// Distance to the next joint of a wall of stones, `rows` high and `columns` wide, every second row shifted.
struct Stone {
  double joint = 0;
  unsigned number = 0;
};
Stone stone_at(double u, double v, int columns, int rows) {
  const double y = v * rows;
  const int row = static_cast<int>(std::floor(y));
  const double x = u * columns + (row % 2 == 0 ? 0.0 : 0.5);
  const int column = static_cast<int>(std::floor(x)) % columns;
  const double inside_x = fraction(x);
  const double inside_y = fraction(y);
  const double joint =
      std::min(std::min(inside_x, 1 - inside_x) * rows / columns, std::min(inside_y, 1 - inside_y));
  return {joint, static_cast<unsigned>(row * columns + column)};
}

/// A number from 0 to 1 that looks like chance.
double chance(unsigned number) {
  number = (number ^ 61U) * 2654435761U;
  number ^= number >> 15U;
  return static_cast<double>(number % 1024U) / 1024;
}

Color stone(double u, double v) {
  const Stone at = stone_at(u, v, 4, 6);
  const double tone = 0.72 + 0.35 * chance(at.number) + 0.22 * (noise(u * 16, v * 16, 91, 16) - 0.5);
  const Color base = mix({0.52, 0.50, 0.46}, {0.44, 0.47, 0.50}, chance(at.number + 77));
  return mix({0.20, 0.19, 0.17}, shaded(base, tone),
             ramp(0.02, 0.10, at.joint + 0.04 * noise(u * 32, v * 32, 92, 32)));
}

Color planks(double u, double v) {
  const double across = u * 4;
  const auto board = static_cast<unsigned>(std::floor(across));
  const double edge = std::min(fraction(across), 1 - fraction(across));
  const double grain = noise(across * 8, v * 4 + board * 5, 93, 256);
  const Color wood = shaded(mix({0.40, 0.26, 0.14}, {0.52, 0.36, 0.20}, chance(board)), 0.75 + 0.4 * grain);
  return mix({0.10, 0.06, 0.03}, wood, ramp(0.01, 0.07, edge));
}

Color plaster(double u, double v) {
  const double rough = noise(u * 8, v * 8, 94, 8) * 0.6 + noise(u * 32, v * 32, 95, 32) * 0.4;
  const Color wall = shaded({0.84, 0.77, 0.63}, 0.86 + 0.2 * rough);
  // A frame of beams: posts, a rail, and a brace in every field.
  const double post = std::min(u, 1 - u);
  const double rail = std::min(v, 1 - v);
  const double brace = std::abs((u - 0.5) * 0.9 + (v - 0.5) * 0.45);
  const double beam = std::min({post, rail, brace});
  const Color wood = shaded({0.27, 0.17, 0.10}, 0.7 + 0.6 * noise(u * 6, v * 40, 96, 256));
  const Color shadow = shaded(wall, 1 - 0.25 * ramp(0.09, 0.06, beam));
  return mix(shadow, wood, ramp(0.065, 0.055, beam));
}

Color roof(double u, double v) {
  const double y = v * 8;
  const int row = static_cast<int>(std::floor(y));
  const double x = u * 8 + (row % 2 == 0 ? 0.0 : 0.5);
  const double inside_x = fraction(x) - 0.5;
  const double inside_y = fraction(y);
  const auto tile = static_cast<unsigned>(row * 8 + static_cast<int>(std::floor(x)) % 8);
  const double edge = inside_y - (0.35 - 1.4 * inside_x * inside_x);
  const Color base = mix({0.55, 0.20, 0.13}, {0.42, 0.17, 0.13}, chance(tile));
  const double light = 0.75 + 0.35 * inside_y + 0.25 * (noise(u * 24, v * 24, 97, 24) - 0.5);
  return mix({0.15, 0.06, 0.05}, shaded(base, light),
             ramp(0.0, 0.12, std::abs(edge)) * ramp(0.02, 0.1, 0.5 - std::abs(inside_x)));
}

Color grass(double u, double v) {
  const double patches = noise(u * 4, v * 4, 98, 4);
  const double blades = noise(u * 48, v * 24, 99, 256) * 0.5 + noise(u * 24, v * 48, 100, 256) * 0.5;
  return shaded(mix({0.20, 0.33, 0.10}, {0.36, 0.42, 0.16}, patches), 0.65 + 0.7 * blades);
}

/// Leaves that leave holes; thinner towards the top of the wall.
Color ivy(double u, double v) {
  const double leaves = noise(u * 12, v * 12, 101, 12) * 0.65 + noise(u * 28, v * 28, 102, 28) * 0.35;
  const double bound = 0.30 + 0.32 * fraction(1 - v) + 0.10 * std::sin(2 * kPi * u * 2);
  Color color =
      shaded(mix({0.10, 0.24, 0.08}, {0.30, 0.46, 0.16}, leaves), 0.8 + 0.4 * noise(u * 40, v * 40, 103, 40));
  color.a = leaves > bound ? 1 : 0;
  return color;
}

Color window(double u, double v) {
  const double frame = std::min({u, 1 - u, v, 1 - v});
  const double bars = std::min(std::abs(fraction(u * 3) - 0.5), std::abs(fraction(v * 4) - 0.5));
  const double glow = 1.1 - 0.9 * std::sqrt((u - 0.5) * (u - 0.5) + (v - 0.6) * (v - 0.6));
  const Color glass = shaded({1.0, 0.78, 0.36}, glow);
  const Color lead = {0.16, 0.12, 0.08};
  return mix(lead, glass, ramp(0.06, 0.08, frame) * ramp(0.46, 0.44, 0.5 - bars));
}

}  // namespace

std::vector<std::pair<std::string_view, Canvas>> house_textures() {
  return {{"house_stone.blp", painted(stone)},  {"house_plaster.blp", painted(plaster)},
          {"house_roof.blp", painted(roof)},    {"house_planks.blp", painted(planks)},
          {"house_grass.blp", painted(grass)},  {"house_ivy.blp", painted(ivy)},
          {"house_window.blp", painted(window)}};
}

}  // namespace thaw::samples
