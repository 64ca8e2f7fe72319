// See mdx_alpha.md#hit-tests-and-collision.
#include "formats/wow/mdx_alpha/collision.hpp"

#include <thaw/codes.hpp>

#include "formats/warcraft/mdx/from_scene/conventions.hpp"
#include "scene/axes.hpp"
#include "scene/math.hpp"
#include "scene/pose.hpp"
#include "scene/roles.hpp"
#include "scene/source.hpp"

namespace thaw::mdx_alpha {
namespace {

using scene::Vec3d;

constexpr std::size_t kMostCorners = 0x10000;

class CollisionBuilder {
 public:
  CollisionBuilder(const scene::Scene& scene, double units)
      : scene_(scene), units_(units), worlds_(scene::Poser(scene, nullptr).world_matrices(0)) {}

  void add(const scene::Mesh& mesh) {
    const scene::Mat4d& world = worlds_[mesh.node];
    const auto first = corners_.size();
    for (const Vec3& position : mesh.positions) {
      const Vec3d turned = scene::to_z_up(scene::transform_point(world, scene::widen(position)), scene_.axes);
      corners_.push_back(scene::scaled(turned, units_));
    }
    const bool mirrored = scene::mirrors(world);
    for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3) {
      const std::size_t a = first + mesh.indices[i];
      const std::size_t b = first + mesh.indices[i + (mirrored ? 2 : 1)];
      const std::size_t c = first + mesh.indices[i + (mirrored ? 1 : 2)];
      triangles_.push_back({a, b, c});
    }
  }

  [[nodiscard]] std::size_t corners() const { return corners_.size(); }
  [[nodiscard]] bool empty() const { return triangles_.empty(); }

  [[nodiscard]] CollisionMesh mesh() const {
    CollisionMesh result;
    for (const Vec3d& corner : corners_) {
      result.positions.push_back(scene::narrow(corner));
    }
    for (const auto& [a, b, c] : triangles_) {
      for (const std::size_t corner : {a, b, c}) {
        result.indices.push_back(static_cast<std::uint16_t>(corner));
      }
      const Vec3d across =
          scene::cross(scene::subtract(corners_[b], corners_[a]), scene::subtract(corners_[c], corners_[a]));
      result.normals.push_back(scene::narrow(scene::unit(across, {0, 0, 1})));
    }
    return result;
  }

 private:
  const scene::Scene& scene_;
  double units_;
  std::vector<scene::Mat4d> worlds_;
  std::vector<Vec3d> corners_;
  std::vector<std::array<std::size_t, 3>> triangles_;
};

/// The mesh that the extras of the scene preserve, in its original units.
std::optional<CollisionMesh> source_mesh(const scene::Scene& scene, double units) {
  const Value& extras = scene::extras_of(scene, "mdx-alpha")["collisionMesh"];
  const double factor = units * double{scene::stated_scale(scene, "mdx-alpha").value_or(1)};
  const auto vectors = [](const Value& list, double by) {
    Array<Vec3> result;
    for (const Value& vector : list.list()) {
      Vec3d value{};
      for (std::size_t i = 0; i < 3; ++i) {
        value.at(i) = vector[i].number().value_or(0) * by;
      }
      result.push_back(scene::narrow(value));
    }
    return result;
  };
  CollisionMesh mesh;
  mesh.positions = vectors(extras["positions"], std::abs(factor - 1) < 1e-6 ? 1 : factor);
  mesh.normals = vectors(extras["normals"], 1);
  for (const Value& index : extras["indices"].list()) {
    const auto corner = index.integer().value_or(-1);
    if (corner < 0 || static_cast<std::uint64_t>(corner) >= mesh.positions.size()) {
      return std::nullopt;
    }
    mesh.indices.push_back(static_cast<std::uint16_t>(corner));
  }
  const bool whole = !mesh.indices.empty() && mesh.indices.size() == mesh.normals.size() * 3;
  return whole && mesh.positions.size() <= kMostCorners ? std::optional(std::move(mesh)) : std::nullopt;
}

}  // namespace

std::optional<CollisionMesh> collision_of(const scene::Scene& scene, double units, Diagnostics& diagnostics) {
  if (auto source = source_mesh(scene, units)) {
    return source;
  }
  CollisionBuilder builder(scene, units);
  for (const auto& mesh : scene.meshes) {
    const bool named = mesh.node < scene.nodes.size() && !scene.nodes[mesh.node].source.stated &&
                       mdx::names_collision_mesh(scene.nodes[mesh.node]);
    if (named) {
      builder.add(mesh);
    }
  }
  if (builder.corners() > kMostCorners) {
    diagnostics.add(codes::kSceneLost, "collision mesh left out: " + std::to_string(builder.corners()) +
                                           " corners exceed the format's limit of 65536; simplify it");
    return std::nullopt;
  }
  return builder.empty() ? std::nullopt : std::optional(builder.mesh());
}

}  // namespace thaw::mdx_alpha
