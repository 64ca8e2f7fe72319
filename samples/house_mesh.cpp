#include "house_mesh.hpp"

#include "build.hpp"

#include <algorithm>
#include <cmath>

namespace thaw::samples {
namespace {

/// Across a face: the axis in which it extends least.
std::size_t main_axis(const Point& normal) {
  std::size_t axis = 0;
  for (std::size_t i = 1; i < 3; ++i) {
    axis = std::abs(normal[i]) > std::abs(normal[axis]) ? i : axis;
  }
  return axis;
}

std::uint8_t channel(double value) {
  return static_cast<std::uint8_t>(std::clamp(value, 0.0, 1.0) * 255 + 0.5);
}

}  // namespace

void GroupMesh::face(std::size_t material, const std::array<Point, 3>& corners, double yards,
                     std::uint8_t flags) {
  const Point normal = normalized(cross(corners[1] - corners[0], corners[2] - corners[0]));
  // Textures lie flat on what they cover, upright on walls: V runs down.
  const std::size_t axis = main_axis(normal);
  Face face;
  face.flags = flags;
  for (std::size_t i = 0; i < 3; ++i) {
    const Point& p = corners[i];
    const double slope = axis == 2 ? 1 : 0;
    const double u = axis == 0   ? p[1] * (normal[0] > 0 ? 1 : -1)
                     : axis == 1 ? p[0] * (normal[1] > 0 ? -1 : 1)
                                 : p[1];
    const double v = slope > 0 ? p[0] * std::sqrt(1 + std::pow(normal[0] / normal[2], 2)) : -p[2];
    face.corners[i] = {p, normal, u / yards, v / yards};
  }
  (material < parts_.size() ? parts_[material] : barriers_).push_back(face);
}

void GroupMesh::quad(std::size_t material, const Point& a, const Point& b, const Point& c, const Point& d,
                     double yards, std::uint8_t flags) {
  face(material, {a, b, c}, yards, flags);
  face(material, {a, c, d}, yards, flags);
}

void GroupMesh::triangle(std::size_t material, const Point& a, const Point& b, const Point& c, double yards) {
  face(material, {a, b, c}, yards, kSolid);
}

void GroupMesh::grid(std::size_t material, const Point& a, const Point& b, const Point& c, const Point& d,
                     double yards, unsigned columns, unsigned rows) {
  const auto at = [&](unsigned column, unsigned row) {
    const double s = static_cast<double>(column) / columns;
    const double t = static_cast<double>(row) / rows;
    const Point low = a + (b - a) * s;
    const Point high = d + (c - d) * s;
    return low + (high - low) * t;
  };
  for (unsigned row = 0; row < rows; ++row) {
    for (unsigned column = 0; column < columns; ++column) {
      quad(material, at(column, row), at(column + 1, row), at(column + 1, row + 1), at(column, row + 1),
           yards);
    }
  }
}

void GroupMesh::box(std::size_t material, const Point& low, const Point& high, double yards,
                    std::string_view sides) {
  const auto [x, y, z] = low;
  const auto [X, Y, Z] = high;
  const auto wants = [&](char side) { return sides.find(side) != std::string_view::npos; };
  if (wants('n')) {
    quad(material, {X, y, z}, {X, Y, z}, {X, Y, Z}, {X, y, Z}, yards);
  }
  if (wants('s')) {
    quad(material, {x, Y, z}, {x, y, z}, {x, y, Z}, {x, Y, Z}, yards);
  }
  if (wants('w')) {
    quad(material, {X, Y, z}, {x, Y, z}, {x, Y, Z}, {X, Y, Z}, yards);
  }
  if (wants('e')) {
    quad(material, {x, y, z}, {X, y, z}, {X, y, Z}, {x, y, Z}, yards);
  }
  if (wants('t')) {
    quad(material, {x, y, Z}, {X, y, Z}, {X, Y, Z}, {x, Y, Z}, yards);
  }
  if (wants('b')) {
    quad(material, {x, Y, z}, {X, Y, z}, {X, y, z}, {x, y, z}, yards);
  }
}

void GroupMesh::barrier(const Point& a, const Point& b, const Point& c, const Point& d) {
  quad(parts_.size(), a, b, c, d, 1, wmo::Faces::kCollision);
}

wmo::Group GroupMesh::finish(const Lighting& light) const {
  wmo::Group group;
  auto& faces = add_chunk<wmo::Faces>(group, FourCC{"MOPY"});
  auto& positions = add_chunk<wmo::Points>(group, FourCC{"MOVT"});
  auto& normals = add_chunk<wmo::Points>(group, FourCC{"MONR"});
  auto& coordinates = add_chunk<wmo::Coordinates>(group, FourCC{"MOTV"});
  auto& lightmap = add_chunk<wmo::Coordinates>(group, FourCC{"MOLV"});
  auto& indices = add_chunk<wmo::Indices>(group, FourCC{"MOIN"});
  auto& batches = add_chunk<wmo::Batches>(group, FourCC{"MOBA"});
  wmo::Colors colors;
  const auto put = [&](const Face& face, std::uint8_t material) {
    faces.items.push_back({face.flags, wmo::Faces::kNoMaterial, material, 0});
    for (const auto& corner : face.corners) {
      indices.items.push_back(static_cast<std::uint16_t>(positions.items.size()));
      positions.items.push_back(snap(corner.place[0], corner.place[1], corner.place[2]));
      normals.items.push_back(snap(corner.normal[0], corner.normal[1], corner.normal[2]));
      coordinates.items.push_back({snap(corner.u), snap(corner.v)});
      lightmap.items.push_back({0, 0});
      if (light) {
        const Point lit = light(corner.place, corner.normal);
        colors.items.push_back({channel(lit[2]), channel(lit[1]), channel(lit[0]), 255});
      }
    }
  };
  for (std::size_t material = 0; material < parts_.size(); ++material) {
    if (parts_[material].empty()) {
      continue;
    }
    wmo::Batch batch;
    batch.material = static_cast<std::uint8_t>(material);
    batch.first_index = static_cast<std::uint32_t>(indices.items.size());
    for (const auto& face : parts_[material]) {
      put(face, static_cast<std::uint8_t>(material));
    }
    batch.index_count = static_cast<std::uint16_t>(indices.items.size() - batch.first_index);
    batch.first_vertex = static_cast<std::uint16_t>(batch.first_index);
    batch.last_vertex = static_cast<std::uint16_t>(indices.items.size() - 1);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      float low = positions.items[batch.first_vertex][axis];
      float high = low;
      for (std::size_t i = batch.first_vertex; i <= batch.last_vertex; ++i) {
        low = std::min(low, positions.items[i][axis]);
        high = std::max(high, positions.items[i][axis]);
      }
      batch.box[axis] = static_cast<std::int16_t>(std::floor(low));
      batch.box[axis + 3] = static_cast<std::int16_t>(std::ceil(high));
    }
    batches.items.push_back(batch);
  }
  for (const auto& face : barriers_) {
    put(face, wmo::Faces::kNoMaterial);
  }
  if (light) {
    group.header.flags |= wmo::GroupHeader::kVertexColors;
    add_chunk(group, FourCC{"MOCV"}, std::move(colors));
  }
  return group;
}

// --- BSP
// --------------------------------------------------------------------------------------------------------

namespace {

class BspBuilder {
 public:
  explicit BspBuilder(const Array<Vec3>& positions) : positions_(positions) {}

  std::int16_t add(const std::vector<std::uint16_t>& faces, unsigned depth) {
    constexpr std::size_t kFew = 12;
    constexpr unsigned kDeepest = 8;
    const auto index = nodes.items.size();
    nodes.items.emplace_back();
    const std::size_t axis = longest_axis(faces);
    const float plane = middle(faces, axis);
    std::array<std::vector<std::uint16_t>, 2> halves;
    for (const auto face : faces) {
      const auto [low, high] = reach(face, axis);
      if (low <= plane) {
        halves[0].push_back(face);
      }
      if (high >= plane) {
        halves[1].push_back(face);
      }
    }
    const bool useless = halves[0].size() == faces.size() || halves[1].size() == faces.size();
    wmo::BspNode node;
    if (faces.size() <= kFew || depth >= kDeepest || useless) {
      node.flags = wmo::BspNode::kLeaf;
      node.face_count = static_cast<std::uint16_t>(faces.size());
      node.first_face = static_cast<std::uint32_t>(list.items.size());
      list.items.insert(list.items.end(), faces.begin(), faces.end());
    } else {
      node.flags = static_cast<std::uint16_t>(axis);
      node.distance = plane;
      node.negative = add(halves[0], depth + 1);
      node.positive = add(halves[1], depth + 1);
    }
    nodes.items[index] = node;
    return static_cast<std::int16_t>(index);
  }

  wmo::BspNodes nodes;
  wmo::Indices list;

 private:
  [[nodiscard]] std::pair<float, float> reach(std::uint16_t face, std::size_t axis) const {
    const auto* corner = &positions_[std::size_t{face} * 3];
    return {std::min({corner[0][axis], corner[1][axis], corner[2][axis]}),
            std::max({corner[0][axis], corner[1][axis], corner[2][axis]})};
  }

  [[nodiscard]] std::pair<float, float> reach(const std::vector<std::uint16_t>& faces,
                                              std::size_t axis) const {
    std::pair<float, float> all = reach(faces.front(), axis);
    for (const auto face : faces) {
      const auto one = reach(face, axis);
      all = {std::min(all.first, one.first), std::max(all.second, one.second)};
    }
    return all;
  }

  [[nodiscard]] std::size_t longest_axis(const std::vector<std::uint16_t>& faces) const {
    std::size_t longest = 0;
    float length = -1;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto [low, high] = reach(faces, axis);
      if (high - low > length) {
        longest = axis;
        length = high - low;
      }
    }
    return longest;
  }

  [[nodiscard]] float middle(const std::vector<std::uint16_t>& faces, std::size_t axis) const {
    const auto [low, high] = reach(faces, axis);
    return snap(double{low + high} / 2);
  }

  const Array<Vec3>& positions_;
};

}  // namespace

void add_bsp(wmo::Group& group) {
  const auto& faces = *group.find<wmo::Faces>(FourCC{"MOPY"});
  std::vector<std::uint16_t> solid;
  for (std::size_t i = 0; i < faces.size(); ++i) {
    if ((faces[i].flags & wmo::Faces::kDetail) == 0) {
      solid.push_back(static_cast<std::uint16_t>(i));
    }
  }
  if (solid.empty()) {
    return;
  }
  BspBuilder builder(group.find<wmo::Points>(FourCC{"MOVT"})->items);
  builder.add(solid, 0);
  group.header.flags |= wmo::GroupHeader::kBsp;
  const auto colors = std::find_if(group.chunks.begin(), group.chunks.end(),
                                   [](const wmo::Chunk& chunk) { return chunk.tag == FourCC{"MOCV"}; });
  const auto at = group.chunks.insert(colors, {FourCC{"MOBN"}, std::move(builder.nodes), {}, {}});
  group.chunks.insert(at + 1, {FourCC{"MOBR"}, std::move(builder.list), {}, {}});
}

}  // namespace thaw::samples
