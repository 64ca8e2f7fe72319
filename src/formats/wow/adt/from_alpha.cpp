// Alpha maps as later ones (adt.md#from-the-alpha).
#include "bytes/number_text.hpp"
#include "formats/wow/adt/convert.hpp"

#include <map>

namespace thaw::adt {
namespace {

/// What stands after the normals of the client's own files.
constexpr std::array<std::uint8_t, 13> kNormalsPad = {0x00, 0x70, 0xF5, 0x12, 0x00, 0x08, 0x00,
                                                      0x00, 0x00, 0x54, 0xF5, 0x12, 0x00};

template <class Body>
Part part(const char (&tag)[5],
          Body body) {  // NOLINT(cppcoreguidelines-avoid-c-arrays,modernize-avoid-c-arrays)
  return {FourCC{tag}, std::move(body), {}, {}};
}
template <class Body>
Chunk chunk(const char (&tag)[5],
            Body body) {  // NOLINT(cppcoreguidelines-avoid-c-arrays,modernize-avoid-c-arrays)
  return {FourCC{tag}, std::move(body), {}, {}};
}

/// North or west end of a chunk as the later client has it: its arithmetic is that of floats, and to the last
/// bit that of its files.
float corner(std::size_t tile, std::size_t chunk) {
  constexpr float kMiddle = 17066.666F;
  constexpr float kChunk = 33.333332F;
  const float along = static_cast<float>(tile * wdt::kChunksPerSide + chunk) * kChunk;
  return kMiddle - along;
}

void add_heights(const wdt::Chunk& source, TerrainChunk& terrain) {
  Heights heights;
  Normals normals;
  heights.values.assign(wdt::kHeights, 0);
  normals.values.assign(wdt::kHeights, wdt::Normal{});
  normals.pad.assign(kNormalsPad.begin(), kNormalsPad.end());
  const float base = source.heights.front();
  for (std::size_t i = 0; i < wdt::kHeights; ++i) {
    heights.values[interleaved(i)] = source.heights.at(i) - base;
    normals.values[interleaved(i)] = source.normals.at(i);
  }
  terrain.parts.push_back(part("MCVT", std::move(heights)));
  terrain.parts.push_back(part("MCNR", std::move(normals)));
}

ChunkHeader header_of(const wdt::Tile& tile, const wdt::Chunk& source) {
  ChunkHeader header;
  header.flags = source.header.flags;
  if (!source.alpha.empty()) {
    header.flags |= ChunkHeader::kWholeAlpha;
  }
  header.x = source.slot % wdt::kChunksPerSide;
  header.y = source.slot / wdt::kChunksPerSide;
  header.doodad_reference_count = source.header.doodad_reference_count;
  header.area_id = std::uint32_t{source.header.area} | std::uint32_t{source.header.zone} << 16U;
  header.holes = source.header.holes;
  header.predominant_layers = source.header.predominant_layers;
  header.no_effect_doodads = source.header.no_effect_doodads;
  header.position = {corner(tile.y(), header.y), corner(tile.x(), header.x), source.heights.front()};
  return header;
}

TerrainChunk terrain_from(const wdt::Tile& tile, const wdt::Chunk& source, Losses& losses) {
  TerrainChunk terrain;
  terrain.header = header_of(tile, source);
  add_heights(source, terrain);
  terrain.parts.push_back(part("MCLY", Layers{source.layers}));
  terrain.parts.push_back(part("MCRF", References{source.references}));
  if (!source.shadow.empty()) {
    terrain.parts.push_back(part("MCSH", Texels{source.shadow}));
  }
  terrain.parts.push_back(part("MCAL", Texels{source.alpha}));
  Part liquids = part("MCLQ", Liquids{source.liquids});
  if (!source.liquids.empty()) {
    liquids.stated_size = 0;  // as in the client's files: the header has it
  }
  terrain.parts.push_back(std::move(liquids));
  terrain.parts.push_back({FourCC{"MCSE"}, Opaque{}, {}, {{}, Remainder::State::replaces_fields}});
  if (!source.emitters.empty()) {
    losses.report(codes::kTerrainSound, "sound emitters left out, because they refer to WoW Alpha sounds");
  }
  if (source.header.area != 0 || source.header.zone != 0) {
    losses.report(codes::kTerrainArea, "area numbers not converted; later clients use area ids");
  }
  return terrain;
}

/// The names that a tile uses, in the map's order, with their places in a table.
class UsedNames {
 public:
  template <class List>
  UsedNames(const Array<char>& table, const List& placements) : names_(wdt::split_names(table)) {
    for (const auto& placement : placements) {
      if (placement.name_id < names_.size()) {
        numbers_.emplace(placement.name_id, 0);
      }
    }
    std::uint32_t next = 0;
    for (auto& [id, number] : numbers_) {
      number = next++;
    }
  }

  /// The chunks of names and of their places.
  template <class F>
  [[nodiscard]] std::pair<Names, NameOffsets> chunks(F&& later_name) const {
    std::pair<Names, NameOffsets> result;
    for (const auto& [id, number] : numbers_) {
      const std::string name = later_name(names_[id]);
      result.second.values.push_back(static_cast<std::uint32_t>(result.first.table.size()));
      result.first.table.insert(result.first.table.end(), name.begin(), name.end());
      result.first.table.push_back('\0');
    }
    return result;
  }
  /// Gives placements the numbers of their names; those without a name keep a number that is none.
  template <class List>
  void renumber(List& placements, Losses& losses) const {
    for (auto& placement : placements) {
      const auto found = numbers_.find(placement.name_id);
      if (found == numbers_.end()) {
        losses.report(codes::kTerrainPlacement, "placements without a name remain without one");
        placement.name_id = 0xFFFFFFFF;
      } else {
        placement.name_id = found->second;
      }
    }
  }

 private:
  std::vector<std::string_view> names_;
  std::map<std::uint32_t, std::uint32_t> numbers_;
};

}  // namespace

Map map_from_alpha(const wdt::Map& map, const std::vector<wdt::TilePosition>& tiles,
                   Diagnostics& diagnostics) {
  Map result;
  result.tiles.assign(wdt::kTiles, Map::TileEntry{});
  for (const auto& tile : tiles) {
    result.tiles[tile.y * wdt::kTilesPerSide + tile.x][0] = Map::kHasTile;
  }
  if (!map.map_objects.empty()) {
    result.header[0] = Map::kOneMapObject;
    const auto names = wdt::split_names(map.map_object_names);
    result.map_objects = {map.map_objects.front()};
    if (map.map_objects.size() > 1) {
      diagnostics.add(codes::kTerrainPlacement, counted(map.map_objects.size() - 1, "WMO placement") +
                                                    " left out, because a map without terrain has only one");
    }
    wdt::MapObject& object = result.map_objects.front();
    if (object.name_id < names.size()) {
      result.map_object_names = wdt::join_names({names[object.name_id]});
    }
    object.name_id = 0;
    result.map_objects_frame.present = true;
  }
  return result;
}

Document tile_from_alpha(const wdt::Map& map, const wdt::Tile& tile, const std::string& where,
                         Diagnostics& diagnostics) {
  Losses losses(where, diagnostics);
  Document document;
  document.chunks.reserve(wdt::kChunks + 10);
  document.chunks.push_back(chunk("MVER", Version{}));
  document.chunks.push_back(chunk("MHDR", Boxed<TileHeader>()));
  document.chunks.push_back(chunk("MCIN", ChunkTable{}));
  document.chunks.push_back(chunk("MTEX", Names{tile.textures}));
  const UsedNames models(map.doodad_names, tile.doodads);
  auto [model_names, model_offsets] = models.chunks([](std::string_view name) {
    return with_extension(with_extension(name, ".mdl", ".m2"), ".mdx", ".m2");
  });
  document.chunks.push_back(chunk("MMDX", std::move(model_names)));
  document.chunks.push_back(chunk("MMID", std::move(model_offsets)));
  const UsedNames objects(map.map_object_names, tile.map_objects);
  auto [object_names, object_offsets] =
      objects.chunks([](std::string_view name) { return std::string(name); });
  document.chunks.push_back(chunk("MWMO", std::move(object_names)));
  document.chunks.push_back(chunk("MWID", std::move(object_offsets)));
  Doodads doodads{tile.doodads};
  models.renumber(doodads.items, losses);
  document.chunks.push_back(chunk("MDDF", std::move(doodads)));
  MapObjects map_objects{tile.map_objects};
  objects.renumber(map_objects.items, losses);
  document.chunks.push_back(chunk("MODF", std::move(map_objects)));
  for (const auto& source : tile.chunks) {
    if (source.frame.remainder.replaces_fields()) {
      losses.report(codes::kTerrainDamaged, "damaged terrain chunks left out");
      continue;
    }
    document.chunks.push_back(chunk("MCNK", Boxed<TerrainChunk>(terrain_from(tile, source, losses))));
  }
  if (tile.chunks.size() != wdt::kChunks) {
    losses.report(codes::kTerrainDamaged, "the tile has only " + std::to_string(tile.chunks.size()) +
                                              " of 256 terrain chunks; the others remain missing");
  }
  lay_out(document);
  return document;
}

}  // namespace thaw::adt
