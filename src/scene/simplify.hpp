// Meshes with fewer triangles, of the vertices that they have (docs/dev/decisions/simplifier-of-our-own.md).
#pragma once

#include "scene/math.hpp"

#include <memory>

namespace thaw::scene {

/// Takes triangles away by moving a vertex onto a neighbour, the one first that changes the surface least.
/// Borders, seams of UVs and normals, and borders between parts move along themselves alone; what is left has
/// the vertices that it had, with all that hangs on them.
class Simplifier {
 public:
  /// The mesh has to outlive it.
  explicit Simplifier(const Mesh& mesh);
  ~Simplifier();
  Simplifier(const Simplifier&) = delete;
  Simplifier(Simplifier&&) = delete;
  Simplifier& operator=(const Simplifier&) = delete;
  Simplifier& operator=(Simplifier&&) = delete;

  /// Goes on until there are no more than so many triangles, or until every other step would take a vertex
  /// further than `most` from the surface.
  void reduce(std::size_t triangles, double most);
  /// As it is now: no wires, no morph targets, and of the vertices those that triangles use.
  [[nodiscard]] Mesh mesh() const;
  [[nodiscard]] std::size_t triangles() const;
  /// No vertex of the whole mesh is further from the surface as it is now.
  [[nodiscard]] double error() const;

 private:
  class Surface;
  std::unique_ptr<Surface> surface_;
};

/// What a level of detail has of all meshes.
struct SimplifiedLevel {
  std::size_t triangles = 0;
  double error = 0;  ///< as Simplifier::error, of the worst mesh, as a share of the model's size
};

/// The share of the model's size, from corner to corner, by which vertices of level 1 may be off; of each
/// level after it twice that of the one before, as it is made to be seen half as large.
inline constexpr double kFirstLevelError = 0.01;

/// Gives each mesh but those for collision up to `count` coarser forms (Node::lods), each level with half the
/// triangles of the one before, as far as it comes within its error; ends before a level that would be hardly
/// coarser than the one before. The scene has no levels. The first of what it returns is what was there.
std::vector<SimplifiedLevel> add_levels(Scene& scene, std::size_t count, const Control* control);

}  // namespace thaw::scene
