#include "raster/triangles.hpp"

#include <algorithm>
#include <cmath>

namespace thaw::raster {
namespace {

using frame::Draw;
using frame::kNone;
using frame::Topology;

constexpr std::size_t kBatchTriangles = 1U << 17U;
/// Beyond the picture's edge, in half pictures, before a triangle is cut there: few are, and coordinates
/// stay small enough for exact edge functions.
constexpr double kGuard = 3;

/// Planes of the view, then those at which triangles are cut.
enum Outside : std::uint32_t {
  kLeft = 1,
  kRight = 2,
  kBottom = 4,
  kTop = 8,
  kNear = 16,
  kFar = 32,
  kGuardLeft = 64,
  kGuardRight = 128,
  kGuardBottom = 256,
  kGuardTop = 512,
  kBroken = 1024,  ///< not a number
};
constexpr std::uint32_t kInvisible = kLeft | kRight | kBottom | kTop | kNear | kFar;
constexpr std::uint32_t kCut = kNear | kFar | kGuardLeft | kGuardRight | kGuardBottom | kGuardTop;

struct Plane {
  std::uint32_t bit;
  std::size_t axis;
  double sign;
  double reach;
};
constexpr std::array<Plane, 6> kPlanes = {{{kNear, 2, -1, 1},
                                           {kFar, 2, 1, 1},
                                           {kGuardLeft, 0, -1, kGuard},
                                           {kGuardRight, 0, 1, kGuard},
                                           {kGuardBottom, 1, -1, kGuard},
                                           {kGuardTop, 1, 1, kGuard}}};

/// Above 0 on the visible side.
double distance(const Plane& plane, const std::array<double, 4>& position) {
  return plane.reach * position[3] - plane.sign * position[plane.axis];
}

std::array<double, 16> product(const frame::Mat4& a, const frame::Mat4& b) {
  std::array<double, 16> result{};
  for (std::size_t column = 0; column < 4; ++column) {
    for (std::size_t row = 0; row < 4; ++row) {
      double sum = 0;
      for (std::size_t i = 0; i < 4; ++i) {
        sum += double{a[i * 4 + row]} * double{b[column * 4 + i]};
      }
      result[column * 4 + row] = sum;
    }
  }
  return result;
}

/// Large triangles lie in many tiles.
bool has_room(const Batch& batch) {
  constexpr std::size_t kMostEntries = std::size_t{1} << 22U;
  return batch.triangles.size() < kBatchTriangles && batch.entries < kMostEntries;
}

}  // namespace

Assembler::Assembler(const frame::Frame& frame, const Options& options)
    : frame_(frame),
      options_(options),
      matrix_(product(frame.projection, frame.view)),
      columns_((static_cast<std::int32_t>(options.width) + kTile - 1) / kTile),
      rows_((static_cast<std::int32_t>(options.height) + kTile - 1) / kTile) {}

bool Assembler::next(Batch& batch) {
  batch.vertices.clear();
  batch.surfaces.clear();
  batch.triangles.clear();
  batch.entries = 0;
  batch.bins.resize(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_));
  for (auto& bin : batch.bins) {
    bin.clear();
  }
  ++batches_begun_;
  while (draw_ < frame_.draws.size() && has_room(batch)) {
    const Draw& draw = frame_.draws[draw_];
    if (!begun_) {
      begin_draw();
    }
    const std::uint32_t corners = corners_of(draw.topology);
    const std::uint32_t count = vertex_count_ == 0 ? 0 : draw.index_count / corners;
    while (primitive_ < count && has_room(batch)) {
      assemble(batch, primitive_++);
    }
    if (primitive_ >= count) {
      ++draw_;
      begun_ = false;
    }
  }
  return !batch.triangles.empty() || draw_ < frame_.draws.size();
}

void Assembler::begin_draw() {
  const Draw& draw = frame_.draws[draw_];
  begun_ = true;
  primitive_ = 0;
  ++draws_begun_;
  vertex_count_ = draw_is_sound(draw) ? draw.vertex_count : 0;
  if (vertices_.size() < vertex_count_) {
    vertices_.resize(vertex_count_);
  }
}

Assembler::ClipVertex& Assembler::vertex_at(std::uint32_t vertex) {
  ClipVertex& known = vertices_[vertex];
  if (known.draw != draws_begun_) {
    known = transformed(frame_.draws[draw_], vertex);
    known.draw = draws_begun_;
  }
  if (known.batch != batches_begun_) {
    known.batch = batches_begun_;
    known.index = kNone;
  }
  return known;
}

bool Assembler::draw_is_sound(const Draw& draw) const {
  const auto fits = [&](std::uint32_t base, std::size_t size) {
    return base == kNone || (base <= size && draw.vertex_count <= size - base);
  };
  return draw.base_position != kNone && fits(draw.base_position, frame_.positions.size()) &&
         fits(draw.base_uv, frame_.uvs.size()) && fits(draw.base_color, frame_.colors.size()) &&
         fits(draw.base_normal, frame_.normals.size()) && fits(draw.base_tangent, frame_.tangents.size()) &&
         draw.first_index <= frame_.indices.size() &&
         draw.index_count <= frame_.indices.size() - draw.first_index;
}

Assembler::ClipVertex Assembler::transformed(const Draw& draw, std::uint32_t vertex) const {
  const Vec3& p = frame_.positions[draw.base_position + vertex];
  const auto& m = matrix_;
  ClipVertex result;
  for (std::size_t row = 0; row < 4; ++row) {
    result.position[row] =
        m[row] * double{p[0]} + m[4 + row] * double{p[1]} + m[8 + row] * double{p[2]} + m[12 + row];
  }
  if (draw.base_uv != kNone) {
    const Vec2& uv = frame_.uvs[draw.base_uv + vertex];
    const auto& t = draw.uv_matrix;
    result.attributes[kU] = t[0] * uv[0] + t[1] * uv[1] + t[4];
    result.attributes[kV] = t[2] * uv[0] + t[3] * uv[1] + t[5];
  }
  for (std::size_t i = 0; i < 4; ++i) {
    constexpr float kByte = 1.0F / 255;
    const float vertex_color =
        draw.base_color == kNone ? 1.0F
                                 : static_cast<float>(frame_.colors[draw.base_color + vertex].at(i)) * kByte;
    result.attributes.at(kRed + i) = vertex_color * draw.color[i];
  }
  if (draw.base_normal != kNone) {
    const Vec3& normal = frame_.normals[draw.base_normal + vertex];
    const Vec4 tangent = draw.base_tangent == kNone ? Vec4{} : frame_.tangents[draw.base_tangent + vertex];
    result.surface = {p[0],      p[1],       p[2],       normal[0],  normal[1],
                      normal[2], tangent[0], tangent[1], tangent[2], tangent[3]};
  }
  mark_outside(result);
  return result;
}

void Assembler::mark_outside(ClipVertex& vertex) {
  const auto& [x, y, z, w] = vertex.position;
  const auto bit = [](bool set, std::uint32_t value) { return set ? value : 0U; };
  // A float has lost its last digit long before this.
  constexpr double kHuge = 1e15;
  const bool sound =
      std::fabs(x) < kHuge && std::fabs(y) < kHuge && std::fabs(z) < kHuge && std::fabs(w) < kHuge;
  vertex.outside = bit(x < -w, kLeft) | bit(x > w, kRight) | bit(y < -w, kBottom) | bit(y > w, kTop) |
                   bit(z < -w, kNear) | bit(z > w, kFar) | bit(x < -kGuard * w, kGuardLeft) |
                   bit(x > kGuard * w, kGuardRight) | bit(y < -kGuard * w, kGuardBottom) |
                   bit(y > kGuard * w, kGuardTop) | bit(!sound, kBroken);
}

void Assembler::assemble(Batch& batch, std::uint32_t primitive) {
  const Draw& draw = frame_.draws[draw_];
  const std::uint32_t corners = corners_of(draw.topology);
  const std::uint32_t* index = &frame_.indices[draw.first_index + std::size_t{primitive} * corners];
  for (std::uint32_t i = 0; i < corners; ++i) {
    if (index[i] >= vertex_count_) {
      return;
    }
  }
  if (draw.topology == Topology::triangles) {
    add_triangle(batch, {&vertex_at(index[0]), &vertex_at(index[1]), &vertex_at(index[2])});
  } else {
    add_line(batch, vertex_at(index[0]), vertex_at(index[corners - 1]));
  }
}

void Assembler::add_triangle(Batch& batch, std::array<ClipVertex*, 3> corners) {
  const std::uint32_t all = corners[0]->outside & corners[1]->outside & corners[2]->outside;
  const std::uint32_t any = corners[0]->outside | corners[1]->outside | corners[2]->outside;
  if ((all & kInvisible) != 0 || (any & kBroken) != 0) {
    return;
  }
  if ((any & kCut) != 0) {
    clip(batch, corners);
    return;
  }
  ScreenTriangle triangle;
  triangle.draw = static_cast<std::uint32_t>(draw_);
  for (std::size_t i = 0; i < 3; ++i) {
    triangle.vertices.at(i) = project(batch, *corners.at(i));
  }
  bin(batch, triangle);
}

/// Cuts along one plane after the other (Sutherland and Hodgman) and draws what is left as a fan.
void Assembler::clip(Batch& batch, const std::array<ClipVertex*, 3>& corners) {
  std::vector<ClipVertex> polygon = {*corners[0], *corners[1], *corners[2]};
  std::vector<ClipVertex> clipped;
  for (const Plane& plane : kPlanes) {
    clipped.clear();
    for (std::size_t i = 0; i < polygon.size(); ++i) {
      const ClipVertex& a = polygon[i];
      const ClipVertex& b = polygon[(i + 1) % polygon.size()];
      const double from = distance(plane, a.position);
      const double to = distance(plane, b.position);
      if (from >= 0) {
        clipped.push_back(a);
      }
      if ((from >= 0) != (to >= 0)) {
        const double part = from / (from - to);
        ClipVertex cut;
        for (std::size_t c = 0; c < 4; ++c) {
          cut.position.at(c) = a.position.at(c) + (b.position.at(c) - a.position.at(c)) * part;
        }
        for (std::size_t c = 0; c < kAttributes; ++c) {
          cut.attributes.at(c) =
              a.attributes.at(c) + (b.attributes.at(c) - a.attributes.at(c)) * static_cast<float>(part);
        }
        for (std::size_t c = 0; c < kSurface; ++c) {
          cut.surface.at(c) =
              a.surface.at(c) + (b.surface.at(c) - a.surface.at(c)) * static_cast<float>(part);
        }
        clipped.push_back(cut);
      }
    }
    polygon.swap(clipped);
    if (polygon.size() < 3) {
      return;
    }
  }
  for (auto& vertex : polygon) {
    vertex.index = kNone;
  }
  for (std::size_t i = 1; i + 1 < polygon.size(); ++i) {
    ScreenTriangle triangle;
    triangle.draw = static_cast<std::uint32_t>(draw_);
    triangle.vertices = {project(batch, polygon[0]), project(batch, polygon[i]),
                         project(batch, polygon[i + 1])};
    bin(batch, triangle);
  }
}

std::uint32_t Assembler::project(Batch& batch, ClipVertex& vertex) const {
  if (vertex.index != kNone) {
    return vertex.index;
  }
  const auto& [x, y, z, w] = vertex.position;
  const double inverse = 1 / std::max(w, 1e-12);
  const auto fixed = [](double share, std::uint32_t size) {
    const double reach = static_cast<double>(size) * kSubpixel;
    return static_cast<std::int32_t>(std::floor(std::clamp(share, -kGuard, kGuard + 1) * reach + 0.5));
  };
  ScreenVertex screen;
  screen.x = fixed((x * inverse + 1) / 2, options_.width);
  screen.y = fixed((1 - y * inverse) / 2, options_.height);
  screen.z = static_cast<float>((z * inverse + 1) / 2);
  screen.inverse_w = static_cast<float>(inverse);
  for (std::size_t i = 0; i < kAttributes; ++i) {
    screen.attributes.at(i) = vertex.attributes.at(i) * screen.inverse_w;
  }
  if (frame_.draws[draw_].base_normal != kNone) {
    screen.surface = static_cast<std::uint32_t>(batch.surfaces.size());
    SurfaceAttributes& surface = batch.surfaces.emplace_back();
    for (std::size_t i = 0; i < kSurface; ++i) {
      surface.at(i) = vertex.surface.at(i) * screen.inverse_w;
    }
  }
  vertex.index = static_cast<std::uint32_t>(batch.vertices.size());
  batch.vertices.push_back(screen);
  return vertex.index;
}

/// A line is a thin rectangle that always faces the viewer, a little in front of what it lies on; a point is
/// one as long as wide.
void Assembler::add_line(Batch& batch, ClipVertex from, ClipVertex to) {
  if ((from.outside & to.outside & kInvisible) != 0 || ((from.outside | to.outside) & kBroken) != 0) {
    return;
  }
  for (const Plane& plane : kPlanes) {
    const double a = distance(plane, from.position);
    const double b = distance(plane, to.position);
    if (a < 0 && b < 0) {
      return;
    }
    if ((a < 0) != (b < 0)) {
      ClipVertex& outer = a < 0 ? from : to;
      const double part = a / (a - b);
      const auto start = from.position;
      for (std::size_t c = 0; c < 4; ++c) {
        outer.position.at(c) = start.at(c) + (to.position.at(c) - start.at(c)) * part;
      }
    }
  }
  from.index = to.index = kNone;
  const std::uint32_t first = project(batch, from);
  const std::uint32_t second = project(batch, to);
  std::array<ScreenVertex, 2> ends = {batch.vertices[first], batch.vertices[second]};
  const auto dx = static_cast<double>(ends[1].x - ends[0].x);
  const auto dy = static_cast<double>(ends[1].y - ends[0].y);
  const double length = std::sqrt(dx * dx + dy * dy);
  const bool point = frame_.draws[draw_].topology == Topology::points;
  if (!(length > 0) && !point) {
    return;
  }
  constexpr float kInFront = 2e-5F;
  constexpr double kPointWidth = 3;  // in lines
  const double half = static_cast<double>(options_.line_width) * kSubpixel / 2 * (point ? kPointWidth : 1);
  if (point) {
    ends[0].x -= static_cast<std::int32_t>(half);
    ends[1].x += static_cast<std::int32_t>(half);
  }
  const auto aside_x = point ? 0 : static_cast<std::int32_t>(std::floor(-dy / length * half + 0.5));
  const auto aside_y = static_cast<std::int32_t>(std::floor((point ? half : dx / length * half) + 0.5));
  const auto base = static_cast<std::uint32_t>(batch.vertices.size());
  for (ScreenVertex& end : ends) {
    end.z = std::max(0.0F, end.z - kInFront);
    for (const std::int32_t side : {1, -1}) {
      ScreenVertex corner = end;
      corner.x += aside_x * side;
      corner.y += aside_y * side;
      batch.vertices.push_back(corner);
    }
  }
  const auto draw = static_cast<std::uint32_t>(draw_);
  bin(batch, {{base, base + 1, base + 2}, draw});
  bin(batch, {{base + 2, base + 1, base + 3}, draw});
}

void Assembler::bin(Batch& batch, const ScreenTriangle& triangle) {
  const ScreenVertex& a = batch.vertices[triangle.vertices[0]];
  const ScreenVertex& b = batch.vertices[triangle.vertices[1]];
  const ScreenVertex& c = batch.vertices[triangle.vertices[2]];
  const std::int64_t area = std::int64_t{b.x - a.x} * (c.y - a.y) - std::int64_t{b.y - a.y} * (c.x - a.x);
  const Draw& draw = frame_.draws[triangle.draw];
  // Counter-clockwise fronts turn negative, because screens count downwards.
  const bool seen = area < 0 || (area > 0 && (draw.two_sided || draw.topology != Topology::triangles));
  if (!seen) {
    return;
  }
  constexpr std::int32_t kPart = kTile * kSubpixel;
  const auto tile = [](std::int32_t at, std::int32_t count) { return std::clamp(at, 0, count - 1); };
  const auto [left, right] = std::minmax({a.x, b.x, c.x});
  const auto [top, bottom] = std::minmax({a.y, b.y, c.y});
  if (right < 0 || bottom < 0 || left >= columns_ * kPart || top >= rows_ * kPart) {
    return;
  }
  const auto index = static_cast<std::uint32_t>(batch.triangles.size());
  batch.triangles.push_back(triangle);
  const std::int32_t first_row = tile(top / kPart, rows_);
  const std::int32_t first_column = tile(left / kPart, columns_);
  const std::int32_t last_row = tile(bottom / kPart, rows_);
  const std::int32_t last_column = tile(right / kPart, columns_);
  batch.entries += static_cast<std::size_t>(last_row - first_row + 1) *
                   static_cast<std::size_t>(last_column - first_column + 1);
  for (std::int32_t row = first_row; row <= last_row; ++row) {
    for (std::int32_t column = first_column; column <= last_column; ++column) {
      batch
          .bins[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
                static_cast<std::size_t>(column)]
          .push_back(index);
    }
  }
}

}  // namespace thaw::raster
