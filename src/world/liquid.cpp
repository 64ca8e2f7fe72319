#include "world/ground.hpp"

#include <thaw/codes.hpp>

#include "bytes/number_text.hpp"
#include "scene/math.hpp"
#include "world/axes.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace thaw::world {
namespace {

using wdt::LiquidKind;

/// Beyond this no world is; what lies under cells that are not shown can be anything (wdt.md#liquids).
constexpr float kMostHeight = 1e5F;

bool is_height(float value) { return std::isfinite(value) && std::fabs(value) < kMostHeight; }

std::uint16_t half(const wdt::LiquidVertex& vertex, std::size_t at) {
  return static_cast<std::uint16_t>(vertex.data.at(at) | vertex.data.at(at + 1) << 8U);
}

/// Adds what is shown of one block.
class BlockMesh {
 public:
  BlockMesh(const wdt::Chunk& chunk, const wdt::Liquid& liquid, LiquidKind kind, float scale,
            scene::Mesh& mesh)
      : chunk_(chunk), liquid_(liquid), kind_(kind), scale_(scale), mesh_(mesh) {
    vertices_.fill(scene::kNone);
  }

  /// Returns how many cells had to be left out.
  std::size_t run() {
    std::size_t bad = 0;
    for (std::size_t row = 0; row < kCellsPerSide; ++row) {
      for (std::size_t column = 0; column < kCellsPerSide; ++column) {
        if (liquid_.shows(row, column)) {
          bad += add_cell(row, column) ? 0U : 1U;
        }
      }
    }
    return bad;
  }

 private:
  bool add_cell(std::size_t row, std::size_t column) {
    const std::size_t top_left = row * wdt::kOuterSide + column;
    const std::array corners = {top_left, top_left + 1, top_left + wdt::kOuterSide,
                                top_left + wdt::kOuterSide + 1};
    for (const std::size_t corner : corners) {
      if (!is_height(liquid_.vertices.at(corner).height)) {
        return false;
      }
    }
    std::array<std::uint32_t, 4> at{};
    for (std::size_t i = 0; i < corners.size(); ++i) {
      at.at(i) = vertex(corners.at(i));
    }
    mesh_.indices.insert(mesh_.indices.end(), {at[0], at[2], at[1], at[1], at[2], at[3]});
    return true;
  }

  std::uint32_t vertex(std::size_t corner) {
    std::uint32_t& index = vertices_.at(corner);
    if (index != scene::kNone) {
      return index;
    }
    index = static_cast<std::uint32_t>(mesh_.positions.size());
    const auto& source = liquid_.vertices.at(corner);
    const std::size_t row =
        std::size_t{chunk_.slot} / kChunksPerSide * kCellsPerSide + corner / wdt::kOuterSide;
    const std::size_t column =
        std::size_t{chunk_.slot} % kChunksPerSide * kCellsPerSide + corner % wdt::kOuterSide;
    mesh_.positions.push_back(to_scene_axes(-static_cast<double>(row) * kCellSize,
                                            -static_cast<double>(column) * kCellSize, double{source.height},
                                            double{scale_}));
    mesh_.normals.push_back({0, 1, 0});
    mesh_.uv_sets[1].push_back({liquid_depth(kind_, source), 0.5F});
    if (kind_ == LiquidKind::magma) {
      constexpr float kMagmaScale = 3.0F / 256;
      mesh_.uv_sets[0].push_back({static_cast<float>(half(source, 0)) * kMagmaScale,
                                  static_cast<float>(half(source, 2)) * kMagmaScale});
    } else {
      mesh_.uv_sets[0].push_back({static_cast<float>(column), static_cast<float>(row)});
    }
    return index;
  }

  const wdt::Chunk& chunk_;
  const wdt::Liquid& liquid_;
  LiquidKind kind_;
  float scale_;
  scene::Mesh& mesh_;
  std::array<std::uint32_t, wdt::kOuterCount> vertices_{};
};

/// The mean of the currents that a block states, in cells per second. What the client makes of radius,
/// amplitude and frequency is not known.
Vec2 current_of(const wdt::Liquid& liquid) {
  const std::size_t count = std::min<std::size_t>(liquid.flow_count, liquid.flows.size());
  Vec2 sum{};
  for (std::size_t i = 0; i < count; ++i) {
    const wdt::FlowVector& flow = liquid.flows.at(i);
    const double length = scene::length({double{flow.direction[0]}, double{flow.direction[1]}, 0});
    const double cells = double{flow.velocity} / length / static_cast<double>(count) / kCellSize;
    if (std::isfinite(cells)) {
      // Columns count eastwards, rows southwards.
      sum[0] -= static_cast<float>(double{flow.direction[1]} * cells);
      sum[1] -= static_cast<float>(double{flow.direction[0]} * cells);
    }
  }
  return sum;
}

}  // namespace

float liquid_depth(LiquidKind kind, const wdt::LiquidVertex& vertex) {
  constexpr float kFull = 255;
  return kind == LiquidKind::magma ? 1.0F : static_cast<float>(vertex.data[0]) / kFull;
}

LiquidSurface liquid_surface(const wdt::Tile& tile, LiquidKind kind, float scale, Diagnostics& diagnostics) {
  LiquidSurface surface;
  scene::Mesh& mesh = surface.mesh;
  mesh.name = std::string(wdt::liquid_name(kind));
  mesh.uv_sets.resize(2);
  std::vector<std::pair<const wdt::Chunk*, Vec2>> chunks;
  for (const auto& chunk : tile.chunks) {
    if (const wdt::Liquid* liquid = chunk.liquid(kind)) {
      chunks.emplace_back(&chunk, current_of(*liquid));
      if (std::find(surface.flows.begin(), surface.flows.end(), chunks.back().second) ==
          surface.flows.end()) {
        surface.flows.push_back(chunks.back().second);
      }
    }
  }
  std::size_t bad = 0;
  for (std::size_t i = 0; i < surface.flows.size(); ++i) {
    const auto first = static_cast<scene::Index>(mesh.indices.size());
    for (const auto& [chunk, flow] : chunks) {
      bad += flow == surface.flows[i] ? BlockMesh(*chunk, *chunk->liquid(kind), kind, scale, mesh).run() : 0;
    }
    mesh.parts.push_back(
        {first, static_cast<scene::Index>(mesh.indices.size()) - first, static_cast<scene::Index>(i)});
  }
  if (bad > 0) {
    diagnostics.add(
        codes::kWorldLiquid,
        counted(bad, "cell") + " of " + mesh.name + " left out, because of heights that are not finite", {},
        "tiles[" + std::to_string(tile.index) + "]");
  }
  return surface;
}

Value flow_extras(const wdt::Tile& tile, LiquidKind kind) {
  Value list = Value::List();
  for (const auto& chunk : tile.chunks) {
    const wdt::Liquid* liquid = chunk.liquid(kind);
    const std::size_t count = liquid != nullptr ? std::min<std::size_t>(liquid->flow_count, 2) : 0;
    for (std::size_t i = 0; i < count; ++i) {
      const auto& flow = liquid->flows.at(i);
      list.push(Value()
                    .set("chunk", std::uint32_t{chunk.slot})
                    .set("center", list_of(flow.center))
                    .set("radius", flow.radius)
                    .set("direction", list_of(flow.direction))
                    .set("velocity", flow.velocity)
                    .set("amplitude", flow.amplitude)
                    .set("frequency", flow.frequency));
    }
  }
  return list;
}

}  // namespace thaw::world
