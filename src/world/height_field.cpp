#include "world/height_field.hpp"

#include <thaw/codes.hpp>

#include "bytes/text.hpp"
#include "scene/math.hpp"
#include "scene/pose.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace thaw::world {
namespace {

constexpr std::size_t kLandCells = wdt::kCellsPerSide * wdt::kChunksPerSide;  // of a tile
constexpr float kNowhere = -std::numeric_limits<float>::infinity();

bool is_terrain(const scene::Scene& scene, const scene::Mesh& mesh) {
  return mesh.node < scene.nodes.size() && ascii::begins_with(scene.nodes[mesh.node].name, "terrain");
}

/// A vertex on the lattice of half cells, counted from the land's corner.
struct OnLattice {
  double row = 0;
  double column = 0;
  float up = 0;
};

class HeightFinder {
 public:
  HeightFinder(const scene::Scene& scene, const SceneOrigin& place, const wdt::TilePosition& corner,
               std::size_t columns, std::size_t rows)
      : scene_(scene),
        place_(place),
        corner_(corner),
        worlds_(scene::Poser(scene, nullptr).world_matrices(0)) {
    field_.rows = rows * kLandCells;
    field_.columns = columns * kLandCells;
    field_.corners.assign((field_.rows + 1) * (field_.columns + 1), kNowhere);
    field_.middles.assign(field_.rows * field_.columns, kNowhere);
  }

  Result<FoundHeights> run(const Control* control) {
    const auto& meshes = scene_.meshes;
    const bool named =
        std::any_of(meshes.begin(), meshes.end(), [&](const auto& mesh) { return is_terrain(scene_, mesh); });
    std::vector<OnLattice> all;
    for (const auto& mesh : meshes) {
      if (mesh.node >= worlds_.size() || (named && !is_terrain(scene_, mesh))) {
        continue;
      }
      std::vector<OnLattice> vertices;
      for (const Vec3& position : mesh.positions) {
        vertices.push_back(on_lattice(scene::transform_point(worlds_[mesh.node], scene::widen(position))));
      }
      constexpr std::size_t kOften = std::size_t{3} * 4096;
      for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3) {
        if (i % kOften == 0 && !proceed(control, "triangles", i, mesh.indices.size())) {
          return fail(codes::kStopped, "");
        }
        cover(vertices[mesh.indices[i]], vertices[mesh.indices[i + 1]], vertices[mesh.indices[i + 2]]);
      }
      all.insert(all.end(), vertices.begin(), vertices.end());
    }
    take_vertices(all);
    return rounded();
  }

 private:
  [[nodiscard]] OnLattice on_lattice(const scene::Vec3d& p) const {
    constexpr double kHalfCell = wdt::kTileSize / (2 * kLandCells);
    const double north = place_.north + p[2] * place_.yards;
    const double west = place_.west + p[0] * place_.yards;
    return {(wdt::kMiddle - north - corner_.y * wdt::kTileSize) / kHalfCell,
            (wdt::kMiddle - west - corner_.x * wdt::kTileSize) / kHalfCell,
            scene::to_float(p[1] * place_.yards)};
  }

  /// Null where the lattice has no height, and outside the land.
  float* height_at(std::ptrdiff_t row, std::ptrdiff_t column) {
    const bool corner = row % 2 == 0;
    if (row < 0 || column < 0 || corner != (column % 2 == 0)) {
      return nullptr;
    }
    const auto r = static_cast<std::size_t>(row) / 2;
    const auto c = static_cast<std::size_t>(column) / 2;
    const std::size_t more = corner ? 1 : 0;
    if (r >= field_.rows + more || c >= field_.columns + more) {
      return nullptr;
    }
    return corner ? &field_.corners[r * (field_.columns + 1) + c] : &field_.middles[r * field_.columns + c];
  }

  /// All places below a triangle.
  void cover(const OnLattice& a, const OnLattice& b, const OnLattice& c) {
    constexpr double kEdge = 1e-3;  // of a half cell, which floats far from the world's middle are off
    const double area = (b.column - a.column) * (c.row - a.row) - (c.column - a.column) * (b.row - a.row);
    if (!std::isfinite(area) || std::abs(area) < 1e-9) {
      return;
    }
    const auto [low, high] = std::minmax({a.row, b.row, c.row});
    const auto [left, right] = std::minmax({a.column, b.column, c.column});
    // A triangle may lie anywhere; outside the land there is nothing to look at.
    const auto within = [](double at, std::size_t cells) {
      return static_cast<std::ptrdiff_t>(std::clamp(at, -1.0, 2.0 * static_cast<double>(cells) + 1));
    };
    const auto first = [&](double at, std::size_t cells) {
      return within(std::ceil(std::max(at - kEdge, 0.0)), cells);
    };
    const auto last = [&](double at, std::size_t cells) { return within(std::floor(at + kEdge), cells); };
    const double slack = kEdge * std::max(high - low, right - left) / std::abs(area);
    for (auto row = first(low, field_.rows); row <= last(high, field_.rows); ++row) {
      for (auto column = first(left, field_.columns); column <= last(right, field_.columns); ++column) {
        float* height = height_at(row, column);
        if (height == nullptr) {
          continue;
        }
        const auto y = static_cast<double>(row);
        const auto x = static_cast<double>(column);
        const double u = ((x - a.column) * (c.row - a.row) - (c.column - a.column) * (y - a.row)) / area;
        const double v = ((b.column - a.column) * (y - a.row) - (x - a.column) * (b.row - a.row)) / area;
        if (u >= -slack && v >= -slack && u + v <= 1 + slack) {
          const double up =
              double{a.up} + u * (double{b.up} - double{a.up}) + v * (double{c.up} - double{a.up});
          *height = std::max(*height, scene::to_float(up));
        }
      }
    }
  }

  /// What is interpolated is rounded; what stands there is not.
  void take_vertices(const std::vector<OnLattice>& vertices) {
    constexpr double kNear = 5e-3;  // of a half cell
    std::vector<std::pair<float*, float>> exact;
    for (const OnLattice& vertex : vertices) {
      const double row = std::round(vertex.row);
      const double column = std::round(vertex.column);
      const bool near = std::abs(vertex.row - row) <= kNear && std::abs(vertex.column - column) <= kNear;
      float* height = near && std::abs(row) < 1e6 && std::abs(column) < 1e6 && std::isfinite(vertex.up)
                          ? height_at(static_cast<std::ptrdiff_t>(row), static_cast<std::ptrdiff_t>(column))
                          : nullptr;
      // One that lies below another triangle is not what is seen.
      if (height != nullptr && vertex.up >= *height - 1e-3F * std::max(1.0F, std::abs(*height))) {
        exact.emplace_back(height, vertex.up);
      }
    }
    std::sort(exact.begin(), exact.end());
    for (const auto& [height, up] : exact) {
      *height = up;
    }
  }

  [[nodiscard]] FoundHeights rounded() {
    FoundHeights found;
    for (auto* heights : {&field_.corners, &field_.middles}) {
      for (float& height : *heights) {
        found.missing += height == kNowhere ? 1U : 0U;
        height = height == kNowhere ? 0 : height;
      }
    }
    found.field = std::move(field_);
    return found;
  }

  const scene::Scene& scene_;
  SceneOrigin place_;
  wdt::TilePosition corner_;
  std::vector<scene::Mat4d> worlds_;
  HeightField field_;
};

}  // namespace

double HeightField::at(std::ptrdiff_t row, std::ptrdiff_t column) const {
  const auto within = [](std::ptrdiff_t at, std::size_t cells) {
    return static_cast<std::size_t>(
        std::clamp<std::ptrdiff_t>(at, 0, 2 * static_cast<std::ptrdiff_t>(cells)));
  };
  const std::size_t r = within(row, rows);
  const std::size_t c = within(column, columns);
  if (r % 2 == 1 && c % 2 == 1) {
    return double{middles[r / 2 * columns + c / 2]};
  }
  const auto corner = [&](std::size_t y, std::size_t x) { return double{corners[y * (columns + 1) + x]}; };
  const double here = corner(r / 2, c / 2);
  return r % 2 == c % 2 ? here : (here + corner((r + 1) / 2, (c + 1) / 2)) / 2;
}

Result<FoundHeights> heights_of(const scene::Scene& scene, const SceneOrigin& place,
                                const wdt::TilePosition& corner, std::size_t columns, std::size_t rows,
                                const Control* control) {
  return HeightFinder(scene, place, corner, columns, rows).run(control);
}

}  // namespace thaw::world
