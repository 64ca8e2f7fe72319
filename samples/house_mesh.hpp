// A group of a building put together from quads.
#pragma once

#include "mesh.hpp"

#include <thaw/wmo.hpp>

#include <functional>
#include <vector>

namespace thaw::samples {

/// What a vertex of an inner room looks like in the light: 0 to 1 per channel.
using Lighting = std::function<Point(const Point& place, const Point& normal)>;

/// Collects quads by material; the faces of a material become one batch.
class GroupMesh {
 public:
  static constexpr std::uint8_t kSolid = wmo::Faces::kRender;
  static constexpr std::uint8_t kDecoration = wmo::Faces::kRender | wmo::Faces::kDetail;

  explicit GroupMesh(std::size_t materials) : parts_(materials) {}

  /// Corners counter-clockwise as seen from the front. Textures repeat every `yards`; U runs along the first
  /// side.
  void quad(std::size_t material, const Point& a, const Point& b, const Point& c, const Point& d,
            double yards, std::uint8_t flags = kSolid);
  /// The same cut into `columns` × `rows`, for vertex colours.
  void grid(std::size_t material, const Point& a, const Point& b, const Point& c, const Point& d,
            double yards, unsigned columns, unsigned rows);
  void triangle(std::size_t material, const Point& a, const Point& b, const Point& c, double yards);
  /// The sides of a box that `sides` names by letters: n s w e (north, …), t (top), b (bottom).
  void box(std::size_t material, const Point& low, const Point& high, double yards, std::string_view sides);
  /// A wall that only stops players.
  void barrier(const Point& a, const Point& b, const Point& c, const Point& d);

  /// With `light`, vertices have colours.
  [[nodiscard]] wmo::Group finish(const Lighting& light = {}) const;

 private:
  struct Corner {
    Point place;
    Point normal;
    double u = 0;
    double v = 0;
  };
  struct Face {
    std::array<Corner, 3> corners;
    std::uint8_t flags = kSolid;
  };

  void face(std::size_t material, const std::array<Point, 3>& corners, double yards, std::uint8_t flags);

  std::vector<std::vector<Face>> parts_;
  std::vector<Face> barriers_;
};

/// Adds MOBN and MOBR over all solid faces: planes across the longest side until few faces are left.
void add_bsp(wmo::Group& group);

}  // namespace thaw::samples
