#include "formats/wow/wmo/convert.hpp"

#include "bytes/number_text.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace thaw::wmo {
namespace {

constexpr double kTile = 100.0 / 24;

/// `steps` cells further. Corners of real files are whole multiples of a cell: there the result is exact, so
/// that the way back ends where it began.
float shifted(float corner, std::int64_t steps) {
  const double cells = double{corner} / kTile;
  const double whole = std::floor(cells + 0.5);
  const bool on_grid = std::isfinite(corner) && static_cast<float>(whole * kTile) == corner;
  return static_cast<float>(((on_grid ? whole : cells) + static_cast<double>(steps)) * kTile);
}

template <class Items>
void transpose_grid(const Items& from, Items& to, std::int32_t width, std::int32_t height, bool to_later) {
  const auto size =
      static_cast<std::size_t>(std::max(width, 0)) * static_cast<std::size_t>(std::max(height, 0));
  // Of nothing, one side may still be as long as a number can be.
  if (size == 0 || size != from.size()) {
    to = from;
    return;
  }
  // (i, j) of the old grid lies at (height − 1 − j, i) of the later one, which is `height` wide.
  to.resize(size);
  for (std::size_t j = 0; j < static_cast<std::size_t>(height); ++j) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(width); ++i) {
      const std::size_t here = j * static_cast<std::size_t>(width) + i;
      const std::size_t x = to_later ? static_cast<std::size_t>(height) - 1 - j : j;
      const std::size_t y = to_later ? i : static_cast<std::size_t>(width) - 1 - i;
      to[y * static_cast<std::size_t>(height) + x] = from[here];
    }
  }
}

}  // namespace

Liquid transposed(const Liquid& liquid, bool to_later) {
  Liquid result = liquid;
  std::swap(result.x_vertices, result.y_vertices);
  std::swap(result.x_tiles, result.y_tiles);
  // The old grid runs towards −x from its corner, the later one towards +x.
  const std::int64_t steps =
      to_later ? std::int64_t{liquid.y_vertices} - 1 : std::int64_t{liquid.x_vertices} - 1;
  result.corner[0] = shifted(liquid.corner[0], to_later ? -steps : steps);
  transpose_grid(liquid.vertices, result.vertices, liquid.x_vertices, liquid.y_vertices, to_later);
  transpose_grid(liquid.tiles, result.tiles, liquid.x_tiles, liquid.y_tiles, to_later);
  return result;
}

void note_lost_chunks(const std::vector<Chunk>& chunks, std::span<const FourCC> dropped,
                      const std::string& place, Diagnostics& diagnostics) {
  std::set<std::array<char, 4>> seen;  // tags
  for (const auto& chunk : chunks) {
    const std::string name = chunk.tag.text();
    const bool opaque = std::holds_alternative<Opaque>(chunk.body);
    const bool discarded = std::find(dropped.begin(), dropped.end(), chunk.tag) != dropped.end();
    const bool group = std::holds_alternative<Group>(chunk.body);
    if (opaque) {
      note_lost(diagnostics, "unknown chunk " + name + " left out", place);
    } else if (chunk.remainder.replaces_fields()) {
      note_lost(diagnostics, "damaged chunk " + name + " left out", place);
    } else if (discarded) {
      note_lost(diagnostics, "chunk " + name + " left out", place);
    } else if (!seen.insert(chunk.tag.bytes).second && !group && chunk.tag != FourCC{"MLIQ"}) {
      note_lost(diagnostics, "repeated chunk " + name + " left out", place);
    } else if (!chunk.remainder.bytes.empty()) {
      note_lost(diagnostics,
                counted(chunk.remainder.bytes.size(), "byte") + " after the records of " + name + " left out",
                place);
    }
  }
}

void add_optional_chunks(const GroupParts& parts, const Array<Bgra>& colors, std::vector<Liquid> liquids,
                         Group& group) {
  auto& chunks = group.chunks;
  std::uint32_t& flags = group.header.flags;
  const auto add_indices = [&](FourCC tag, const Array<std::uint16_t>& indices, std::uint32_t flag) {
    if (!indices.empty()) {
      flags |= flag;
      add_chunk(chunks, tag, Indices{indices});
    }
  };
  add_indices(FourCC{"MOLR"}, parts.lights, GroupHeader::kLights);
  add_indices(FourCC{"MODR"}, parts.doodads, GroupHeader::kDoodads);
  if (!parts.bsp_nodes.empty()) {
    flags |= GroupHeader::kBsp;
    add_list(chunks, FourCC{"MOBN"}, parts.bsp_nodes);
    add_chunk(chunks, FourCC{"MOBR"}, Indices{parts.bsp_faces});
  }
  if (!colors.empty()) {
    flags |= GroupHeader::kVertexColors;
    add_chunk(chunks, FourCC{"MOCV"}, Colors{colors});
  }
  if (!liquids.empty()) {
    flags |= GroupHeader::kLiquid;
    add_list(chunks, FourCC{"MLIQ"}, std::move(liquids));
  }
}

Result<void> require_groups(const Building& building) {
  for (std::size_t i = 0; i < building.groups.size(); ++i) {
    if (building.groups[i] == nullptr) {
      return fail(codes::kWriteUnsupported,
                  "the file of group " + std::to_string(i) +
                      " is missing or unreadable; groups (NAME_000.wmo …) must be next to the root");
    }
  }
  if (building.groups.size() != building.group_infos.size()) {
    return fail(codes::kWriteUnsupported, "MOGI lists " + counted(building.group_infos.size(), "group") +
                                              ", but the file has " + std::to_string(building.groups.size()));
  }
  return {};
}

}  // namespace thaw::wmo
