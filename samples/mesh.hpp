// Meshes from parametric surfaces.
#pragma once

#include <thaw/mdx.hpp>

#include <functional>
#include <vector>

namespace thaw::samples {

using Point = std::array<double, 3>;

Point operator+(const Point& a, const Point& b);
Point operator-(const Point& a, const Point& b);
Point operator*(const Point& a, double factor);
Point cross(const Point& a, const Point& b);
Point normalized(const Point& a);
/// Turns about an axis through the origin.
Point rotated(const Point& point, const Point& axis, double radians);

/// A part of a texture, 0 to 1, V from the top.
struct UvRect {
  double left = 0;
  double top = 0;
  double right = 1;
  double bottom = 1;
};

/// Weights of object ids; equal shares in SD models.
struct Bind {
  std::vector<std::pair<std::int32_t, double>> bones;
};

using Shape = std::function<Point(double u, double v)>;
using Binding = std::function<Bind(double u, double v)>;
Binding rigid(std::int32_t bone);

/// Radius and height of one ring of a solid of revolution about Z.
struct Ring {
  double radius = 0;
  double height = 0;
};
/// A surface of revolution; V runs along the profile from its first ring, U counter-clockwise from behind
/// (−X), so that +X is in the middle of the texture.
Shape lathe(std::vector<Ring> profile);
/// A box with rounded edges: `power` 1 is an ellipsoid, smaller is boxier.
Shape rounded_box(const Point& half_size, double power);
/// A tube of changing radius along a line of points.
Shape tube(std::vector<Point> line, std::vector<double> radii);
Shape moved(Shape shape, const Point& by);
Shape turned(Shape shape, const Point& axis, double radians);
Shape scaled(Shape shape, const Point& by);

class Mesh {
 public:
  /// Adds a grid of `columns` × `rows` quads. The front is where U runs to the right while V runs down.
  void add(const Shape& shape, unsigned columns, unsigned rows, const UvRect& rect, const Binding& binding);

  /// A geoset skinned by matrix groups (mdx.md#matrix-groups).
  [[nodiscard]] mdx::Geoset matrix_group_geoset(std::int32_t material_id) const;
  /// A geoset skinned by SKIN, with tangents (mdx.md#weights).
  [[nodiscard]] mdx::Geoset skin_geoset(std::int32_t material_id, std::uint32_t bone_count) const;

 private:
  struct Vertex {
    Point position{};
    Point normal{};
    Point tangent{};  ///< the direction in which U grows
    double u = 0;
    double v = 0;
    Bind bind;
  };

  [[nodiscard]] mdx::Geoset common_geoset(std::int32_t material_id) const;

  std::vector<Vertex> vertices_;
  std::vector<std::uint16_t> indices_;
};

}  // namespace thaw::samples
