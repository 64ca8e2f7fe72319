#include "formats/warcraft/mdx/scene_triangles.hpp"

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
    case PrimitiveType::lines:
    case PrimitiveType::line_loop:
    case PrimitiveType::line_strip:
      break;
  }
  result.no_area_types = result.no_area_types || !corners.empty();
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
