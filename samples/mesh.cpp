#include "mesh.hpp"

#include "build.hpp"

#include <algorithm>
#include <cmath>

namespace thaw::samples {
namespace {

double length(const Point& a) { return std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]); }

double signed_power(double base, double power) {
  return std::copysign(std::pow(std::abs(base), power), base);
}

/// Where `share` of the way lies between the entries of a list: index and rest.
std::pair<std::size_t, double> segment_of(double share, std::size_t count) {
  const double place = std::clamp(share, 0.0, 1.0) * static_cast<double>(count - 1);
  const auto index = std::min(static_cast<std::size_t>(place), count - 2);
  return {index, place - static_cast<double>(index)};
}

/// The difference of a shape along one parameter, from inside the unit square.
Point slope(const Shape& shape, double u, double v, double du, double dv) {
  constexpr double kStep = 1e-3;
  const auto inside = [](double x) { return std::clamp(x, 2 * kStep, 1 - 2 * kStep); };
  const double at_u = inside(u);
  const double at_v = inside(v);
  return shape(at_u + du * kStep, at_v + dv * kStep) - shape(at_u - du * kStep, at_v - dv * kStep);
}

}  // namespace

Point operator+(const Point& a, const Point& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Point operator-(const Point& a, const Point& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Point operator*(const Point& a, double factor) { return {a[0] * factor, a[1] * factor, a[2] * factor}; }
Point cross(const Point& a, const Point& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Point normalized(const Point& a) {
  const double size = length(a);
  return size > 1e-12 ? a * (1 / size) : Point{0, 0, 1};
}
Point rotated(const Point& point, const Point& axis, double radians) {
  const Point unit = normalized(axis);
  const double along =
      (unit[0] * point[0] + unit[1] * point[1] + unit[2] * point[2]) * (1 - std::cos(radians));
  return point * std::cos(radians) + cross(unit, point) * std::sin(radians) + unit * along;
}

Binding rigid(std::int32_t bone) {
  return [bone](double, double) { return Bind{{{bone, 1.0}}}; };
}

Shape lathe(std::vector<Ring> profile) {
  return [profile = std::move(profile)](double u, double v) -> Point {
    const auto [index, rest] = segment_of(v, profile.size());
    const Ring& from = profile[index];
    const Ring& to = profile[index + 1];
    const double radius = from.radius + (to.radius - from.radius) * rest;
    const double angle = kPi + 2 * kPi * u;
    return {radius * std::cos(angle), radius * std::sin(angle),
            from.height + (to.height - from.height) * rest};
  };
}

Shape rounded_box(const Point& half_size, double power) {
  return [half_size, power](double u, double v) -> Point {
    const double around = kPi + 2 * kPi * u;
    const double down = kPi * (0.5 - v);
    const double ring = signed_power(std::cos(down), power);
    return {half_size[0] * ring * signed_power(std::cos(around), power),
            half_size[1] * ring * signed_power(std::sin(around), power),
            half_size[2] * signed_power(std::sin(down), power)};
  };
}

Shape tube(std::vector<Point> line, std::vector<double> radii) {
  return [line = std::move(line), radii = std::move(radii)](double u, double v) {
    const auto [index, rest] = segment_of(v, line.size());
    const Point center = line[index] + (line[index + 1] - line[index]) * rest;
    const double radius = radii[index] + (radii[index + 1] - radii[index]) * rest;
    // The direction at a joint is that between its neighbours, so that bends stay smooth.
    const auto tangent = [&](std::size_t at) {
      return normalized(line[std::min(at + 1, line.size() - 1)] - line[at == 0 ? 0 : at - 1]);
    };
    const Point along = normalized(tangent(index) * (1 - rest) + tangent(index + 1) * rest);
    const Point helper = std::abs(along[0]) < 0.9 ? Point{1, 0, 0} : Point{0, 1, 0};
    const Point side = normalized(cross(along, helper));
    const double angle = -2 * kPi * u;
    return center + side * (radius * std::cos(angle)) + cross(along, side) * (radius * std::sin(angle));
  };
}

Shape moved(Shape shape, const Point& by) {
  return [shape = std::move(shape), by](double u, double v) { return shape(u, v) + by; };
}
Shape turned(Shape shape, const Point& axis, double radians) {
  return [shape = std::move(shape), axis, radians](double u, double v) {
    return rotated(shape(u, v), axis, radians);
  };
}
Shape scaled(Shape shape, const Point& by) {
  return [shape = std::move(shape), by](double u, double v) -> Point {
    const Point at = shape(u, v);
    return {at[0] * by[0], at[1] * by[1], at[2] * by[2]};
  };
}

void Mesh::add(const Shape& shape, unsigned columns, unsigned rows, const UvRect& rect,
               const Binding& binding) {
  const auto first = vertices_.size();
  for (unsigned row = 0; row <= rows; ++row) {
    for (unsigned column = 0; column <= columns; ++column) {
      const double u = static_cast<double>(column) / columns;
      const double v = static_cast<double>(row) / rows;
      const Point along_u = slope(shape, u, v, 1, 0);
      Vertex vertex{
          shape(u, v),  normalized(cross(slope(shape, u, v, 0, 1), along_u)), normalized(along_u), 0, 0,
          binding(u, v)};
      vertex.u = rect.left + (rect.right - rect.left) * u;
      vertex.v = rect.top + (rect.bottom - rect.top) * v;
      vertices_.push_back(std::move(vertex));
    }
  }
  const auto at = [&](unsigned column, unsigned row) { return first + row * (columns + 1U) + column; };
  const auto triangle = [&](std::size_t a, std::size_t b, std::size_t c) {
    const Point side = vertices_[b].position - vertices_[a].position;
    if (length(cross(side, vertices_[c].position - vertices_[a].position)) > 1e-6) {
      for (const auto index : {a, b, c}) {
        indices_.push_back(static_cast<std::uint16_t>(index));
      }
    }
  };
  for (unsigned row = 0; row < rows; ++row) {
    for (unsigned column = 0; column < columns; ++column) {
      triangle(at(column, row), at(column, row + 1), at(column + 1, row));
      triangle(at(column + 1, row), at(column, row + 1), at(column + 1, row + 1));
    }
  }
}

mdx::Geoset Mesh::common_geoset(std::int32_t material_id) const {
  mdx::Geoset geoset;
  geoset.uv_sets.resize(1);
  for (const Vertex& vertex : vertices_) {
    geoset.positions.push_back(snap(vertex.position[0], vertex.position[1], vertex.position[2]));
    geoset.normals.push_back(snap(vertex.normal[0], vertex.normal[1], vertex.normal[2]));
    geoset.uv_sets[0].coordinates.push_back({snap(vertex.u), snap(vertex.v)});
  }
  geoset.indices.assign(indices_.begin(), indices_.end());
  geoset.primitive_types = {mdx::PrimitiveType::triangles};
  geoset.primitive_counts = {static_cast<std::uint32_t>(indices_.size())};
  geoset.material_id = material_id;
  geoset.extent = extent_of(geoset.positions);
  return geoset;
}

mdx::Geoset Mesh::matrix_group_geoset(std::int32_t material_id) const {
  mdx::Geoset geoset = common_geoset(material_id);
  std::vector<std::vector<std::int32_t>> groups;
  for (const Vertex& vertex : vertices_) {
    std::vector<std::int32_t> bones;
    for (const auto& [bone, weight] : vertex.bind.bones) {
      bones.push_back(bone);
    }
    auto found = std::find(groups.begin(), groups.end(), bones);
    if (found == groups.end()) {
      found = groups.insert(groups.end(), bones);
    }
    geoset.vertex_groups.push_back(static_cast<std::uint8_t>(found - groups.begin()));
  }
  for (const auto& group : groups) {
    geoset.matrix_groups.push_back(static_cast<std::uint32_t>(group.size()));
    for (const auto bone : group) {
      geoset.matrix_indices.push_back(static_cast<std::uint32_t>(bone));
    }
  }
  return geoset;
}

mdx::Geoset Mesh::skin_geoset(std::int32_t material_id, std::uint32_t bone_count) const {
  mdx::Geoset geoset = common_geoset(material_id);
  geoset.tangents.emplace();
  geoset.skin.emplace();
  for (const Vertex& vertex : vertices_) {
    const Vec3 tangent = snap(vertex.tangent[0], vertex.tangent[1], vertex.tangent[2]);
    geoset.tangents->push_back({tangent[0], tangent[1], tangent[2], 1});
    std::array<std::uint8_t, 8> entry{};
    unsigned left = 255;
    for (std::size_t i = 0; i < vertex.bind.bones.size(); ++i) {
      const auto& [bone, weight] = vertex.bind.bones[i];
      const bool last = i + 1 == vertex.bind.bones.size();
      const unsigned share = last ? left : static_cast<unsigned>(std::lround(weight * 255));
      entry.at(i) = static_cast<std::uint8_t>(bone);
      entry.at(4 + i) = static_cast<std::uint8_t>(share);
      left -= share;
    }
    geoset.skin->push_back(entry);
  }
  geoset.vertex_groups.resize(vertices_.size(), 255);
  for (std::uint32_t bone = 0; bone < bone_count; ++bone) {
    geoset.matrix_groups.push_back(1);
    geoset.matrix_indices.push_back(bone);
  }
  return geoset;
}

}  // namespace thaw::samples
