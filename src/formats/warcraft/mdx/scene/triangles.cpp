#include "formats/warcraft/mdx/scene/triangles.hpp"

#include <algorithm>

namespace thaw::mdx {
namespace {

using Indices = std::span<const std::uint16_t>;

class Triangulator {
 public:
  explicit Triangulator(const Geoset& geoset) : vertices_(geoset.positions.size()) {}

  void add_group(PrimitiveType type, Indices corners);

  Triangles result;

 private:
  void add(std::uint16_t a, std::uint16_t b, std::uint16_t c) {
    if (a >= vertices_ || b >= vertices_ || c >= vertices_) {
      result.out_of_range = true;
      return;
    }
    result.indices.insert(result.indices.end(), {a, b, c});
  }
  /// Strips contain triangles without area where they turn.
  void add_proper(std::uint16_t a, std::uint16_t b, std::uint16_t c) {
    if (a != b && b != c && c != a) {
      add(a, b, c);
    }
  }
  void add_strip(Indices corners);
  void add_quads(Indices corners);
  void add_quad_strip(Indices corners);
  void add_fan(Indices corners);

  /// The one of a mode whose groups need not be distinguished, or a new one.
  Array<std::uint32_t>& wire(scene::Wire::Mode mode);
  void add_points(Indices corners);
  void add_line(std::uint16_t a, std::uint16_t b);
  void add_path(scene::Wire::Mode mode, Indices corners);

  std::size_t vertices_;
};

void Triangulator::add_strip(Indices corners) {
  for (std::size_t i = 0; i + 2 < corners.size(); ++i) {
    const std::size_t odd = i % 2;
    add_proper(corners[i + odd], corners[i + 1 - odd], corners[i + 2]);
  }
}

void Triangulator::add_fan(Indices corners) {
  for (std::size_t i = 1; i + 1 < corners.size(); ++i) {
    add_proper(corners[0], corners[i], corners[i + 1]);
  }
}

void Triangulator::add_quads(Indices corners) {
  for (std::size_t i = 0; i + 3 < corners.size(); i += 4) {
    add_fan(corners.subspan(i, 4));
  }
}

void Triangulator::add_quad_strip(Indices corners) {
  for (std::size_t i = 0; i + 3 < corners.size(); i += 2) {
    add_proper(corners[i], corners[i + 1], corners[i + 3]);
    add_proper(corners[i], corners[i + 3], corners[i + 2]);
  }
}

Array<std::uint32_t>& Triangulator::wire(scene::Wire::Mode mode) {
  const bool joined = mode == scene::Wire::Mode::points || mode == scene::Wire::Mode::lines;
  const auto known = std::find_if(result.wires.begin(), result.wires.end(),
                                  [&](const scene::Wire& one) { return joined && one.mode == mode; });
  return known != result.wires.end() ? known->indices
                                     : result.wires.emplace_back(scene::Wire{mode, {}}).indices;
}

void Triangulator::add_points(Indices corners) {
  for (const std::uint16_t corner : corners) {
    if (corner < vertices_) {
      wire(scene::Wire::Mode::points).push_back(corner);
    } else {
      result.out_of_range = true;
    }
  }
}

void Triangulator::add_line(std::uint16_t a, std::uint16_t b) {
  if (a >= vertices_ || b >= vertices_) {
    result.out_of_range = true;
    return;
  }
  auto& indices = wire(scene::Wire::Mode::lines);
  indices.insert(indices.end(), {a, b});
}

/// A path that lacks a vertex becomes the lines that are left of it, and so do paths beyond what any model
/// has: each is a primitive of its own in other formats.
void Triangulator::add_path(scene::Wire::Mode mode, Indices corners) {
  constexpr std::size_t kMostPaths = 256;
  if (corners.size() < 2) {
    return;
  }
  const bool whole =
      std::all_of(corners.begin(), corners.end(), [&](std::uint16_t corner) { return corner < vertices_; });
  if (whole && result.wires.size() < kMostPaths) {
    wire(mode).assign(corners.begin(), corners.end());
    return;
  }
  for (std::size_t i = 0; i + 1 < corners.size(); ++i) {
    add_line(corners[i], corners[i + 1]);
  }
  if (mode == scene::Wire::Mode::line_loop) {
    add_line(corners.back(), corners.front());
  }
}

void Triangulator::add_group(PrimitiveType type, Indices corners) {
  switch (type) {
    case PrimitiveType::triangles:
      for (std::size_t i = 0; i + 2 < corners.size(); i += 3) {
        add(corners[i], corners[i + 1], corners[i + 2]);
      }
      return;
    case PrimitiveType::triangle_strip:
      add_strip(corners);
      return;
    case PrimitiveType::triangle_fan:
    case PrimitiveType::polygons:
      add_fan(corners);
      return;
    case PrimitiveType::quads:
      add_quads(corners);
      return;
    case PrimitiveType::quad_strip:
      add_quad_strip(corners);
      return;
    case PrimitiveType::points:
      add_points(corners);
      return;
    case PrimitiveType::lines:
      for (std::size_t i = 0; i + 1 < corners.size(); i += 2) {
        add_line(corners[i], corners[i + 1]);
      }
      return;
    case PrimitiveType::line_loop:
      add_path(scene::Wire::Mode::line_loop, corners);
      return;
    case PrimitiveType::line_strip:
      add_path(scene::Wire::Mode::line_strip, corners);
      return;
  }
  result.unknown_types = result.unknown_types || !corners.empty();
}

}  // namespace

Triangles triangulate(const Geoset& geoset) {
  Triangulator triangulator(geoset);
  const Indices indices(geoset.indices.data(), geoset.indices.size());
  const std::size_t groups = std::min(geoset.primitive_types.size(), geoset.primitive_counts.size());
  std::size_t used = 0;
  for (std::size_t i = 0; i < groups; ++i) {
    const std::size_t count = std::min<std::size_t>(geoset.primitive_counts[i], indices.size() - used);
    triangulator.result.ragged = triangulator.result.ragged || count != geoset.primitive_counts[i];
    triangulator.add_group(geoset.primitive_types[i], indices.subspan(used, count));
    used += count;
  }
  auto& result = triangulator.result;
  if (groups == 0 && !indices.empty()) {
    // Without groups there is still the only type that any game file uses.
    triangulator.add_group(PrimitiveType::triangles, indices);
    used = indices.size();
    result.ragged = true;
  }
  result.ragged = result.ragged || used != indices.size() ||
                  geoset.primitive_types.size() != geoset.primitive_counts.size();
  return std::move(result);
}

}  // namespace thaw::mdx
