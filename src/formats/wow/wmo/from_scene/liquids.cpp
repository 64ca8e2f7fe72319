// Meshes of liquids as grids of tiles (wmo.md#liquids).
#include "bytes/text.hpp"
#include "formats/wow/wmo/from_scene/wmo_builder.hpp"
#include "scene/skinned.hpp"

#include <algorithm>
#include <cmath>

namespace thaw::wmo {
namespace {

constexpr double kTile = 100.0 / 24;
/// How far a corner of the mesh may lie off one of the grid and still be the same, in yards.
constexpr double kAdjacent = 2e-3;
constexpr double kMostTiles = 1024;  // on a side

/// What the tile bytes say: water, ocean, magma, slime.
struct Kind {
  std::string_view word;
  std::uint8_t tile;
};
constexpr std::array<Kind, 4> kKinds = {{{"water", 4}, {"ocean", 1}, {"magma", 6}, {"slime", 3}}};

const Kind& kind_of(const WmoBuilder& builder, Index node) {
  const auto& source = builder.scene.nodes[node];
  const std::string& exported = builder.wmo_extras(node)["liquid"].text();
  const std::string& typed = source.properties["wmo_liquid"].text();
  const std::string name = ascii::lowered(source.name);
  for (const Kind& kind : kKinds) {
    if (ascii::same(typed, kind.word) || (typed.empty() && ascii::same(exported, kind.word)) ||
        (typed.empty() && exported.empty() && name.find(kind.word) != std::string::npos)) {
      return kind;
    }
  }
  return kKinds.front();
}

/// Weights of a triangle's corners at a place seen from above; none if it lies outside.
std::optional<Vec3d> shares_at(const std::array<Vec3d, 3>& corners, double x, double y, double slack) {
  const auto& [a, b, c] = corners;
  const double area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
  if (std::abs(area) < 1e-9) {
    return std::nullopt;
  }
  const double of_b = ((x - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (y - a[1])) / area;
  const double of_c = ((b[0] - a[0]) * (y - a[1]) - (x - a[0]) * (b[1] - a[1])) / area;
  const double of_a = 1 - of_b - of_c;
  return std::min({of_a, of_b, of_c}) >= -slack ? std::optional(Vec3d{of_a, of_b, of_c}) : std::nullopt;
}

/// The surface of a liquid.
struct Surface {
  Surface(const WmoBuilder& builder, const scene::Mesh& mesh) {
    const auto rest = scene::rest_mesh(builder.scene, mesh, builder.world);
    for (const Vec3d& position : rest.positions) {
      points.push_back(scene::widen(builder.position(position)));
    }
    for (std::size_t i = 0; i + 3 <= mesh.indices.size(); i += 3) {
      const auto* corner = mesh.indices.data() + i;
      if (std::max({corner[0], corner[1], corner[2]}) < points.size()) {
        triangles.push_back({points[corner[0]], points[corner[1]], points[corner[2]]});
      }
    }
  }
  std::vector<Vec3d> points;
  std::vector<std::array<Vec3d, 3>> triangles;
};

/// First and last line of the grid, which lies at whole tiles, around some places along an axis.
template <class Points>
std::pair<double, double> lines(const Points& points, std::size_t axis) {
  double low = points.front().at(axis);
  double high = low;
  for (const Vec3d& point : points) {
    low = std::min(low, point.at(axis));
    high = std::max(high, point.at(axis));
  }
  return {std::floor((low + kAdjacent) / kTile), std::ceil((high - kAdjacent) / kTile)};
}

/// The tiles around a surface. Before version 17, x runs west and y south from the corner (wmo.md#liquids).
class Grid {
 public:
  explicit Grid(const Surface& surface) : surface_(surface) {
    const auto [south, north] = lines(surface.points, 0);
    const auto [east, west] = lines(surface.points, 1);
    // NOLINTBEGIN(cppcoreguidelines-prefer-member-initializer): both ends come at once
    north_ = north;
    east_ = east;
    good_ = north - south <= kMostTiles && west - east <= kMostTiles && north > south && west > east;
    // NOLINTEND(cppcoreguidelines-prefer-member-initializer)
    if (good_) {
      columns_ = static_cast<std::int32_t>(west - east);
      rows_ = static_cast<std::int32_t>(north - south);
    }
  }

  /// None where it covers the middle of no tile, or takes more tiles or work than a liquid can be worth.
  std::optional<Liquid> liquid(std::uint8_t tile, std::uint16_t material) {
    if (!good_ || !look_at_triangles(tile)) {
      return std::nullopt;
    }
    take_corners();
    Liquid liquid;
    liquid.x_tiles = columns_;
    liquid.y_tiles = rows_;
    liquid.x_vertices = columns_ + 1;
    liquid.y_vertices = rows_ + 1;
    liquid.material = material;
    for (const auto& height : heights_) {
      liquid.vertices.push_back({{}, height.value_or(0)});
    }
    liquid.tiles = std::move(tiles_);
    liquid.corner = {scene::to_float(north_ * kTile), scene::to_float(east_ * kTile),
                     liquid.vertices.front().height};
    return wet_ ? std::optional(std::move(liquid)) : std::nullopt;
  }

 private:
  [[nodiscard]] double x_of(double row) const { return (north_ - row) * kTile; }
  [[nodiscard]] double y_of(double column) const { return (east_ + column) * kTile; }

  bool look_at_triangles(std::uint8_t tile) {
    tiles_.assign(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_), Liquid::kNone);
    heights_.resize(static_cast<std::size_t>(columns_ + 1) * static_cast<std::size_t>(rows_ + 1));
    std::size_t budget = std::size_t{1} << 26U;
    for (const auto& corners : surface_.triangles) {
      const auto [south, north] = lines(corners, 0);
      const auto [east, west] = lines(corners, 1);
      const auto area = static_cast<std::size_t>(std::max(0.0, (north - south + 1) * (west - east + 1)));
      if (area > budget) {
        return false;
      }
      budget -= area;
      look_at(corners, {static_cast<std::int32_t>(north_ - north), static_cast<std::int32_t>(north_ - south)},
              {static_cast<std::int32_t>(east - east_), static_cast<std::int32_t>(west - east_)}, tile);
    }
    return true;
  }

  using Range = std::pair<std::int32_t, std::int32_t>;
  void look_at(const std::array<Vec3d, 3>& corners, Range rows, Range columns, std::uint8_t tile) {
    for (std::int32_t row = std::max(0, rows.first); row <= std::min(rows_, rows.second); ++row) {
      for (std::int32_t column = std::max(0, columns.first); column <= std::min(columns_, columns.second);
           ++column) {
        if (const auto shares = shares_at(corners, x_of(row), y_of(column), 1e-6)) {
          heights_[vertex(row, column)] = scene::to_float(
              (*shares)[0] * corners[0][2] + (*shares)[1] * corners[1][2] + (*shares)[2] * corners[2][2]);
        }
        if (row < rows_ && column < columns_ && shares_at(corners, x_of(row + 0.5), y_of(column + 0.5), 0)) {
          tiles_[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
                 static_cast<std::size_t>(column)] = tile;
          wet_ = true;
        }
      }
    }
  }

  /// A corner of the mesh at one of the grid gives it its height to the last bit.
  void take_corners() {
    for (const Vec3d& point : surface_.points) {
      const double row = std::round(north_ - point[0] / kTile);
      const double column = std::round(point[1] / kTile - east_);
      if (std::abs(x_of(row) - point[0]) <= kAdjacent && std::abs(y_of(column) - point[1]) <= kAdjacent &&
          row >= 0 && column >= 0 && row <= rows_ && column <= columns_) {
        heights_[vertex(static_cast<std::int32_t>(row), static_cast<std::int32_t>(column))] =
            scene::to_float(point[2]);
      }
    }
  }

  [[nodiscard]] std::size_t vertex(std::int32_t row, std::int32_t column) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_ + 1) +
           static_cast<std::size_t>(column);
  }

  const Surface& surface_;
  double north_ = 0;
  double east_ = 0;
  bool good_ = false;
  std::int32_t rows_ = 0;
  std::int32_t columns_ = 0;
  Array<std::uint8_t> tiles_;
  std::vector<std::optional<float>> heights_;
  bool wet_ = false;
};

/// Does the mesh end where tiles do?
bool fits(const Surface& surface) {
  const auto on_line = [](double value) {
    return std::abs(value / kTile - std::round(value / kTile)) * kTile <= kAdjacent;
  };
  return std::all_of(surface.points.begin(), surface.points.end(),
                     [&](const Vec3d& point) { return on_line(point[0]) && on_line(point[1]); });
}

}  // namespace

void add_liquids(WmoBuilder& builder) {
  for (const auto& mesh : builder.scene.meshes) {
    if (mesh.node >= builder.roles.size() || builder.roles[mesh.node] != Role::liquid) {
      continue;
    }
    const Surface surface(builder, mesh);
    if (surface.triangles.empty()) {
      continue;
    }
    const auto material = whole<std::uint16_t>(builder.wmo_extras(mesh.node)["material"], 0);
    auto liquid = Grid(surface).liquid(kind_of(builder, mesh.node).tile, material);
    if (!liquid) {
      builder.lose("liquid \"" + mesh.name + "\" left out: it covers the centre of no tile, or of too many");
      continue;
    }
    if (!fits(surface)) {
      builder.change("liquid \"" + mesh.name + "\" rounded to tiles of 4.17 yards");
    }
    for (const std::string_view lost : {"flow", "fishable", "shared"}) {
      if (builder.wmo_extras(mesh.node)[lost].integer().value_or(0) > 0) {
        builder.lose("data of liquid \"" + mesh.name +
                     "\" per tile or corner left out: " + std::string(lost));
      }
    }
    draft_for(builder, mesh, scene::narrow(surface.points.front())).liquids.push_back(std::move(*liquid));
  }
}

}  // namespace thaw::wmo
