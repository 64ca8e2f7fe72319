#include "scene/front.hpp"

#include "scene/pose.hpp"
#include "scene/skinned.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <vector>

namespace thaw::scene {
namespace {

constexpr std::size_t kMost = 4000;  ///< vertices that are looked at

std::vector<Vec3d> vertices_of(const Scene& scene) {
  const auto world = Poser(scene, nullptr).world_matrices(0);
  std::vector<Vec3d> all;
  for (const Mesh& mesh : scene.meshes) {
    const auto placed = rest_mesh(scene, mesh, world);
    all.insert(all.end(), placed.positions.begin(), placed.positions.end());
  }
  std::vector<Vec3d> some;
  const std::size_t step = all.size() / kMost + 1;
  for (std::size_t i = 0; i < all.size(); i += step) {
    some.push_back(all[i]);
  }
  return some;
}

Vec3d turned_by(unsigned quarters, const Vec3d& p) {
  const std::array<Vec3d, 4> all = {p, Vec3d{p[2], p[1], -p[0]}, Vec3d{-p[0], p[1], -p[2]},
                                    Vec3d{-p[2], p[1], p[0]}};
  return all.at(quarters);
}

/// Space in cells, of which those with a vertex and their neighbours are known.
class Cells {
 public:
  Cells(const std::vector<Vec3d>& vertices, double side) : side_(side) {
    for (const Vec3d& vertex : vertices) {
      const Cell at = cell(vertex);
      for (int i = 0; i < 27; ++i) {
        cells_.insert({at[0] + i % 3 - 1, at[1] + i / 3 % 3 - 1, at[2] + i / 9 - 1});
      }
    }
  }

  /// Of the vertices, turned, how many of 1 lie in known cells.
  [[nodiscard]] double share(const std::vector<Vec3d>& vertices, unsigned quarters) const {
    std::size_t known = 0;
    for (const Vec3d& vertex : vertices) {
      known += cells_.count(cell(turned_by(quarters, vertex)));
    }
    return static_cast<double>(known) / static_cast<double>(vertices.size());
  }

 private:
  using Cell = std::array<std::int64_t, 3>;
  [[nodiscard]] Cell cell(const Vec3d& p) const {
    Cell result{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      constexpr double kEdge = 1e12;
      const double at = p.at(axis) / side_;
      result.at(axis) =
          std::isfinite(at) ? static_cast<std::int64_t>(std::floor(std::clamp(at, -kEdge, kEdge))) : 0;
    }
    return result;
  }

  double side_;
  std::set<Cell> cells_;
};

double size_of(const std::vector<Vec3d>& vertices) {
  double most = 0;
  for (const Vec3d& vertex : vertices) {
    for (const double part : vertex) {
      most = std::isfinite(part) ? std::max(most, std::abs(part)) : most;
    }
  }
  return most;
}

}  // namespace

std::optional<unsigned> quarter_turns(const Scene& model, const Scene& turned) {
  const auto vertices = vertices_of(model);
  const auto others = vertices_of(turned);
  const double size = size_of(others);
  if (vertices.empty() || others.empty() || !(size > 0)) {
    return std::nullopt;
  }
  constexpr double kCells = 100;  // from the middle to the edge
  const Cells cells(others, size / kCells);
  std::array<double, 4> shares{};
  unsigned best = 0;
  for (unsigned quarters = 0; quarters < 4; ++quarters) {
    shares.at(quarters) = cells.share(vertices, quarters);
    best = shares.at(quarters) > shares.at(best) ? quarters : best;
  }
  constexpr double kEnough = 0.5;
  constexpr double kClear = 0.1;
  for (unsigned quarters = 0; quarters < 4; ++quarters) {
    if (quarters != best && shares.at(quarters) > shares.at(best) - kClear) {
      return std::nullopt;
    }
  }
  return shares.at(best) >= kEnough ? std::optional(best) : std::nullopt;
}

namespace {

Vec4d turned_rotation(const Vec4d& rotation, const float* value) {
  return quaternion_product(rotation, {value[0], value[1], value[2], value[3]});
}

Vec3d turned_point(const Vec4d& rotation, const float* value) {
  const Vec4d turned = quaternion_product(
      turned_rotation(rotation, std::array{value[0], value[1], value[2], 0.F}.data()), conjugate(rotation));
  return {turned[0], turned[1], turned[2]};
}

/// Keys and tangents alike: both turn as what they are about does.
void turn(Curve& curve, Property property, const Vec4d& rotation) {
  float* values = curve.values.data();
  const std::size_t size = property == Property::rotation ? 4 : 3;
  for (std::size_t at = 0; at + size <= curve.values.size(); at += size) {
    if (property == Property::rotation) {
      const Vec4d turned = turned_rotation(rotation, values + at);
      std::copy(turned.begin(), turned.end(), values + at);
    } else {
      const Vec3d turned = turned_point(rotation, values + at);
      std::copy(turned.begin(), turned.end(), values + at);
    }
  }
}

}  // namespace

void turn(Scene& scene, const Vec4d& rotation) {
  for (Node& node : scene.nodes) {
    if (node.parent == kNone) {
      const Vec3d place = turned_point(rotation, node.rest.translation.data());
      const Vec4d turned = turned_rotation(rotation, node.rest.rotation.data());
      std::copy(place.begin(), place.end(), node.rest.translation.begin());
      std::copy(turned.begin(), turned.end(), node.rest.rotation.begin());
    }
  }
  for (Clip& clip : scene.clips) {
    for (Channel& channel : clip.channels) {
      const bool moves = channel.property == Property::translation || channel.property == Property::rotation;
      if (moves && channel.target.kind == Target::Kind::node && channel.target.index < scene.nodes.size() &&
          scene.nodes[channel.target.index].parent == kNone) {
        turn(channel.curve, channel.property, rotation);
      }
    }
  }
}

}  // namespace thaw::scene
