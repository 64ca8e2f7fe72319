#include "bytes/finite.hpp"
#include "world/axes.hpp"

namespace thaw::world {
namespace {

using scene::Vec4d;

Vec4d turn(std::size_t axis, double degrees) {
  const double angle = degrees * scene::kPi / 360;  // half of it
  Vec4d result = {0, 0, 0, scene::cosine(angle)};
  result.at(axis) = scene::sine(angle);
  return result;
}

double finite(float value) { return double{finite_or_zero(value)}; }

/// Rz(y + 180) · Ry(x) · Rx(z) (wow-alpha-world.md#placements).
Vec4d rotation_of(const Vec3& degrees) {
  return scene::normalized(scene::quaternion_product(
      turn(2, finite(degrees[1]) + 180),
      scene::quaternion_product(turn(1, finite(degrees[0])), turn(0, finite(degrees[2])))));
}

}  // namespace

Pose pose_of(const wdt::Doodad& doodad) {
  return {{kMapEdge - finite(doodad.position[2]), kMapEdge - finite(doodad.position[0]),
           finite(doodad.position[1])},
          rotation_of(doodad.rotation),
          doodad.scale / 1024.0};
}

Pose pose_of(const wdt::MapObject& object) {
  return {{kMapEdge - finite(object.position[2]), kMapEdge - finite(object.position[0]),
           finite(object.position[1])},
          rotation_of(object.rotation),
          1};
}

Pose pose_of_map(const wdt::MapObject& object) {
  return {{finite(object.position[2]), finite(object.position[0]), finite(object.position[1])},
          rotation_of(object.rotation),
          1};
}

}  // namespace thaw::world
