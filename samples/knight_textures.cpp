#include "build.hpp"
#include "knight.hpp"

#include <algorithm>
#include <cmath>

namespace thaw::samples {
namespace {

constexpr Color kGoldColor{0.86, 0.62, 0.20};
constexpr Color kDark{0.03, 0.03, 0.05};

double distance(double x, double y) { return std::sqrt(x * x + y * y); }

/// Polished metal: light from above, streaks around, a dark lower edge.
Color metal(const Color& base, double u, double v, unsigned seed) {
  const double streaks = noise(u * 3, v * 40, seed) * 0.10 + noise(u * 16, v * 16, seed + 1) * 0.08;
  const double light = 1.14 - 0.38 * v + 0.16 * ramp(0.30, 0.12, std::abs(v - 0.30));
  const Color color = shaded(base, light - 0.10 + streaks);
  return shaded(color, 1 - 0.45 * ramp(0.90, 1.0, v) + 0.25 * ramp(0.07, 0.0, v));
}

Color steel(double u, double v) { return metal({0.47, 0.51, 0.58}, u, v, 11); }

Color gold(double u, double v) {
  const Color base = metal(kGoldColor, u, v, 23);
  const double engraving = 0.5 + 0.5 * std::sin(2 * kPi * (u * 10 + 0.25 * std::sin(2 * kPi * v * 2)));
  return shaded(base, 0.92 + 0.16 * engraving);
}

Color steel_with_rivets(double u, double v) {
  Color color = steel(u, v);
  for (const double line : {0.10, 0.86}) {
    const double across = std::abs(std::fmod(u * 8, 1.0) - 0.5) / 8;
    const double reach = distance(across, v - line);
    color = mix(color, shaded(kDark, 1), 0.55 * ramp(0.034, 0.024, reach));
    color = mix(color, {0.92, 0.93, 0.96}, ramp(0.024, 0.012, distance(across - 0.003, v - line + 0.004)));
  }
  return color;
}

Color leather(double u, double v) {
  const double grain = noise(u * 12, v * 12, 31) * 0.35 + noise(u * 30, v * 30, 32) * 0.25;
  Color color = shaded({0.36, 0.21, 0.11}, 0.75 + grain);
  const double seam = std::abs(v - 0.5);
  const double stitch = std::fmod(u * 14, 1.0) < 0.6 ? 1 : 0;
  color = mix(color, {0.78, 0.66, 0.42}, 0.8 * stitch * ramp(0.03, 0.015, seam));
  return shaded(color, 1.1 - 0.3 * v);
}

Color mail(double u, double v) {
  const double row = std::floor(v * 14);
  const double x = std::fmod(u * 14 + (static_cast<int>(row) % 2 == 0 ? 0 : 0.5), 1.0) - 0.5;
  const double y = std::fmod(v * 14, 1.0) - 0.5;
  const double ring = std::abs(distance(x, y) - 0.36);
  const Color link = mix({0.52, 0.55, 0.61}, {0.80, 0.82, 0.86}, ramp(0.1, -0.4, y));
  return shaded(mix(link, kDark, ramp(0.10, 0.2, ring) * 0.85), 1.05 - 0.35 * v);
}

/// The great helm around its axis: the face is in the middle.
Color helm(double u, double v) {
  Color color = steel(u, v * 0.9);
  const double x = (u - 0.5) * 2 * kPi;  // angle from the front
  // A cross of gold on the face, and a hem all around.
  const double vertical = std::abs(x);
  const double horizontal = std::abs(x) < 1.5 ? std::abs(v - 0.40) * 4 : 1;
  const double cross = std::min({vertical, horizontal, (1 - v) * 4});
  color = cross < 0.16 ? gold(u * 2, v) : shaded(color, 1 - 0.45 * ramp(0.22, 0.16, cross));
  const double slit_x = std::abs(x) - 0.62;
  if (std::abs(slit_x) < 0.40 && std::abs(v - 0.475) < 0.030) {
    color =
        mix(kDark, {0.35, 0.75, 1.0}, 0.75 * ramp(0.22, 0.03, distance(std::abs(x) - 0.50, (v - 0.475) * 4)));
  }
  for (int row = 0; row < 4; ++row) {
    for (int column = 0; column < 3; ++column) {
      const double hole = distance(std::abs(x) - 0.36 - 0.2 * column, (v - 0.64 - 0.07 * row) * 3.2);
      color = mix(color, kDark, ramp(0.075, 0.05, hole));
    }
  }
  return color;
}

// --- cloth
// -----------------------------------------------------------------------------------------------------

Color over(const Color& below, const Color& above) {
  const double alpha = above.a + below.a * (1 - above.a);
  const auto channel = [&](double b, double a) {
    return alpha > 0 ? (a * above.a + b * below.a * (1 - above.a)) / alpha : 0;
  };
  return {channel(below.r, above.r), channel(below.g, above.g), channel(below.b, above.b), alpha};
}

/// Team colour shows where this is transparent; folds darken it.
Color cape(double u, double v) {
  const double wave = std::sin(2 * kPi * (u * 4 + 0.15 * std::sin(5 * v)));
  const double weave = noise(u * 40, v * 80, 41) - 0.5;
  Color color{0, 0, 0.02, std::clamp(0.20 + 0.20 * wave + 0.22 * v + 0.14 * weave, 0.02, 0.7)};
  const double edge = std::min({u, 1 - u, (1 - v) * 2});
  const double trim = ramp(0.085, 0.07, edge);
  const double diamond = std::abs(std::fmod(u * 8, 1.0) - 0.5) + std::abs((1 - v) * 16 - 0.55);
  Color border = shaded(kGoldColor, 0.75 + 0.4 * noise(u * 20, v * 40, 42));
  border = mix(border, {0.98, 0.90, 0.60}, 0.8 * ramp(0.5, 0.3, diamond));
  border.a = trim;
  return over(color, border);
}

/// A snow crystal: six arms with two pairs of branches each.
double crystal(double x, double y) {
  const double radius = distance(x, y);
  const double turned = std::abs(std::remainder(std::atan2(x, -y), kPi / 3));
  const double along = radius * std::cos(turned);
  const double across = radius * std::sin(turned);
  double reach = std::max(across - 0.035, along - 0.62);
  for (const double root : {0.22, 0.40}) {
    const double out = along - root - across * 0.58;
    reach = std::min(reach, std::max(std::abs(out) - 0.045, across - 0.62 * (0.70 - root)));
  }
  return ramp(0.03, -0.01, reach);
}

Color shield(double u, double v) {
  const double x = (u - 0.5) * 2;
  const double y = (v - 0.5) * 2;
  const double outline = std::max(std::abs(x), std::abs(y) * 0.98);
  const double edge = std::max(outline, std::abs(x) + ramp(0.1, 1.0, y) * 0.0);
  Color color{
      0, 0, 0.02,
      std::clamp(0.08 + 0.28 * ramp(0.2, 1.0, v) + 0.15 * (noise(u * 9, v * 18, 51) - 0.5), 0.0, 0.6)};
  const double mark = crystal(x * 1.08, (y + 0.12) * 1.45);
  const Color white = shaded({0.93, 0.96, 1.0}, 1.04 - 0.16 * v);
  color = over(color, {white.r, white.g, white.b, mark});
  Color border = shaded(kGoldColor, 1.12 - 0.45 * v + 0.2 * noise(u * 20, v * 30, 52));
  border.a = ramp(0.78, 0.82, edge);
  color = over(color, border);
  const Color groove{0.10, 0.06, 0.02, 0.8 * ramp(0.05, 0.02, std::abs(edge - 0.79))};
  return over(color, groove);
}

void paint(Canvas& canvas, const Region& region, Color (*color)(double, double)) {
  canvas.paint(region.left, region.top, region.width, region.height, color);
}

}  // namespace

Canvas knight_armor() {
  Canvas canvas(256, 128);
  paint(canvas, kHelm, helm);
  paint(canvas, kSteel, steel_with_rivets);
  paint(canvas, kGold, gold);
  paint(canvas, kLeather, leather);
  paint(canvas, kMail, mail);
  return canvas;
}

Canvas knight_cloth() {
  Canvas canvas(128, 128);
  paint(canvas, kCape, cape);
  paint(canvas, kShield, shield);
  return canvas;
}

Canvas knight_glow() {
  Canvas canvas(32, 64);
  canvas.paint([](double u, double v) {
    const double across = 1 - std::abs(u - 0.5) * 2;
    const double flames = noise(u * 4, v * 8, 61, 8) * 0.6 + noise(u * 8, v * 16, 62, 16) * 0.4;
    return shaded({0.25, 0.62, 1.0}, std::pow(across, 1.5) * (0.25 + flames));
  });
  return canvas;
}

Canvas knight_rune() {
  Canvas canvas(64, 64);
  canvas.paint([](double u, double v) {
    const double x = (u - 0.5) * 2;
    const double y = (v - 0.5) * 2;
    const double radius = distance(x, y);
    const double angle = std::atan2(y, x);
    double light = ramp(0.06, 0.0, std::abs(radius - 0.90)) + 0.8 * ramp(0.05, 0.0, std::abs(radius - 0.66));
    const double tick = std::abs(std::remainder(angle, kPi / 12)) * radius;
    light += 0.9 * ramp(0.045, 0.01, tick) * ramp(0.12, 0.09, std::abs(radius - 0.78));
    light += 0.8 * crystal(x * 1.02, y * 1.02);
    light += 0.22 * ramp(1.0, 0.2, radius);
    return shaded({0.22, 0.55, 0.95}, std::min(1.0, light) * ramp(1.0, 0.94, radius));
  });
  return canvas;
}

}  // namespace thaw::samples
