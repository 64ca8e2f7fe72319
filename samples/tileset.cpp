// The ground of the island. Pictures of the ground repeat eight times in a chunk, so all noise has the
// picture's period.
#include "build.hpp"
#include "terrain.hpp"

#include <cmath>

namespace thaw::samples {
namespace {

double waves(double u, double v, int count, unsigned seed) {
  return noise(u * count, v * count, seed, count);
}

Color grass(double u, double v) {
  const double blades = waves(u, v, 32, 121) * 0.5 + waves(u, v, 64, 122) * 0.5;
  const Color meadow = mix({0.23, 0.36, 0.10}, {0.32, 0.41, 0.13}, waves(u, v, 4, 120));
  return shaded(meadow, 0.7 + 0.6 * blades);
}

/// Cracks run where two waves are alike.
Color rock(double u, double v) {
  const double crack = std::abs(waves(u, v, 4, 124) - waves(u, v, 8, 125));
  const Color face = mix({0.40, 0.38, 0.36}, {0.56, 0.53, 0.47}, waves(u, v, 8, 126));
  const double grain = 0.8 + 0.4 * waves(u, v, 64, 127);
  return mix({0.20, 0.19, 0.18}, shaded(face, grain), ramp(0.01, 0.09, crack));
}

Color sand(double u, double v) {
  const double ripple = std::sin(2 * kPi * (v * 8 + 0.6 * waves(u, v, 4, 128)));
  return shaded({0.80, 0.71, 0.50}, 0.9 + 0.06 * ripple + 0.12 * waves(u, v, 64, 129));
}

Color path(double u, double v) {
  const double pebble = ramp(0.62, 0.72, waves(u, v, 16, 130));
  const Color soil = shaded({0.42, 0.31, 0.20}, 0.75 + 0.5 * waves(u, v, 32, 131));
  return mix(soil, shaded({0.55, 0.50, 0.43}, 0.8 + 0.4 * waves(u, v, 64, 132)), pebble);
}

}  // namespace

std::vector<std::pair<std::string_view, Canvas>> tileset() {
  return {{"Grass.blp", painted(grass)},
          {"Rock.blp", painted(rock)},
          {"Sand.blp", painted(sand)},
          {"Path.blp", painted(path)}};
}

}  // namespace thaw::samples
