// Later tiles as a WoW Alpha map (adt.md#to-the-alpha).
#include "bytes/number_text.hpp"
#include "formats/wow/adt/convert.hpp"

#include <algorithm>
#include <map>

namespace thaw::adt {
namespace {

/// Names of all tiles, each once, in the order in which they are met.
class NameTable {
 public:
  std::uint32_t number_of(const std::string& name) {
    const auto [found, fresh] = numbers_.emplace(name, static_cast<std::uint32_t>(numbers_.size()));
    if (fresh) {
      table_.insert(table_.end(), name.begin(), name.end());
      table_.push_back('\0');
    }
    return found->second;
  }
  Array<char> take() { return std::move(table_); }

 private:
  std::map<std::string, std::uint32_t> numbers_;
  Array<char> table_;
};

/// Placements of a tile whose names are known, and what became of the number of each.
template <class T>
struct Moved {
  std::vector<T> items;
  std::vector<std::uint32_t> numbers;  ///< kGone for those without a name

  static constexpr std::uint32_t kUnnamed = 0xFFFFFFFF;
};

/// The name of a placement, or empty.
std::string_view name_at(const Names* names, const NameOffsets* offsets, std::uint32_t id) {
  if (names == nullptr || offsets == nullptr || id >= offsets->values.size() ||
      offsets->values[id] >= names->table.size()) {
    return {};
  }
  const char* from = names->table.data() + offsets->values[id];
  const char* end = names->table.data() + names->table.size();
  return {from, static_cast<std::size_t>(std::find(from, end, '\0') - from)};
}

class TileBuilder {
 public:
  TileBuilder(const PlacedTile& placed, bool eight_bit_alpha, NameTable& models, NameTable& objects,
              Diagnostics& diagnostics)
      : source_(*placed.document),
        eight_bit_alpha_(eight_bit_alpha),
        models_(models),
        objects_(objects),
        losses_("tile " + std::to_string(placed.position.x) + '_' + std::to_string(placed.position.y),
                diagnostics) {
    tile_.index = static_cast<std::uint16_t>(placed.position.y * wdt::kTilesPerSide + placed.position.x);
  }

  wdt::Tile make() {
    if (const auto* textures = source_.find<Names>(FourCC{"MTEX"})) {
      tile_.textures = textures->table;
    }
    add_placements();
    add_chunks();
    report_lost_chunks();
    return std::move(tile_);
  }

 private:
  template <class List, class T>
  Moved<T> move_placements(const List* list, std::string_view names, std::string_view offsets,
                           NameTable& table, const std::vector<T>& /*type*/) {
    Moved<T> moved;
    const auto* name_chunk = source_.find<Names>(tag_of(names));
    const auto* offset_chunk = source_.find<NameOffsets>(tag_of(offsets));
    for (std::size_t i = 0; list != nullptr && i < list->items.size(); ++i) {
      T placement = list->items[i];
      const std::string_view name = name_at(name_chunk, offset_chunk, placement.name_id);
      if (name.empty()) {
        losses_.report(codes::kTerrainPlacement, "placements without a name left out");
        moved.numbers.push_back(Moved<T>::kUnnamed);
        continue;
      }
      placement.name_id = table.number_of(with_extension(name, ".m2", ".mdx"));
      moved.numbers.push_back(static_cast<std::uint32_t>(moved.items.size()));
      moved.items.push_back(placement);
    }
    return moved;
  }

  static FourCC tag_of(std::string_view text) {
    FourCC tag;
    std::copy_n(text.begin(), tag.bytes.size(), tag.bytes.begin());
    return tag;
  }

  void add_placements() {
    auto doodads =
        move_placements(source_.find<Doodads>(FourCC{"MDDF"}), "MMDX", "MMID", models_, tile_.doodads);
    tile_.doodads = std::move(doodads.items);
    doodad_numbers_ = std::move(doodads.numbers);
    auto objects = move_placements(source_.find<MapObjects>(FourCC{"MODF"}), "MWMO", "MWID", objects_,
                                   tile_.map_objects);
    tile_.map_objects = std::move(objects.items);
    object_numbers_ = std::move(objects.numbers);
  }

  // --- chunks

  void add_chunks() {
    std::array<const TerrainChunk*, wdt::kChunks> slots{};
    std::size_t repeated = 0;
    std::size_t outside = 0;
    for (const auto* terrain : source_.terrain()) {
      const std::uint64_t slot = std::uint64_t{terrain->header.y} * wdt::kChunksPerSide + terrain->header.x;
      if (terrain->header.x < wdt::kChunksPerSide && slot < wdt::kChunks && slots.at(slot) == nullptr) {
        slots.at(slot) = terrain;
      } else {
        ++(terrain->header.x < wdt::kChunksPerSide && slot < wdt::kChunks ? repeated : outside);
      }
    }
    if (repeated > 0) {
      losses_.report(codes::kTerrainDamaged, counted(repeated, "terrain chunk") +
                                                 " left out, because an earlier chunk has the same position");
    }
    if (outside > 0) {
      losses_.report(codes::kTerrainDamaged,
                     counted(outside, "terrain chunk") + " left out, because of a position outside the tile");
    }
    for (std::size_t slot = 0; slot < slots.size(); ++slot) {
      if (slots.at(slot) == nullptr) {
        losses_.report(codes::kTerrainDamaged,
                       "the tile has fewer than 256 terrain chunks; the others remain missing");
        continue;
      }
      wdt::Chunk& target = tile_.chunks.emplace_back();
      target.slot = static_cast<std::uint16_t>(slot);
      make_chunk(*slots.at(slot), target);
    }
  }

  void make_chunk(const TerrainChunk& source, wdt::Chunk& target) {
    constexpr std::uint32_t kKnownFlags = 0x3F;
    const ChunkHeader& header = source.header;
    target.header.flags = header.flags & kKnownFlags;
    target.header.x = header.x;
    target.header.y = header.y;
    target.header.area = static_cast<std::uint16_t>(header.area_id);
    target.header.zone = static_cast<std::uint16_t>(header.area_id >> 16U);
    target.header.holes = header.holes;
    target.header.predominant_layers = header.predominant_layers;
    target.header.no_effect_doodads = header.no_effect_doodads;
    if ((header.flags & ~(kKnownFlags | ChunkHeader::kWholeAlpha | ChunkHeader::kHasColors |
                          ChunkHeader::kFineHoles)) != 0) {
      losses_.report(codes::kTerrainFlags, "terrain chunk flags unknown to WoW Alpha left out");
    }
    if ((header.flags & ChunkHeader::kFineHoles) != 0) {
      losses_.report(codes::kTerrainHoles, "holes of single cells left out; those of 2 × 2 cells remain");
    }
    add_heights(source, target);
    add_layers(source, target);
    add_shadow(source, target);
    add_liquids(source, target);
    add_references(source, target);
    target.header.radius = wdt::radius_of(target);
    report_lost_parts(source);
  }

  void add_heights(const TerrainChunk& source, wdt::Chunk& target) {
    const auto* heights = source.find<Heights>(FourCC{"MCVT"});
    const auto* normals = source.find<Normals>(FourCC{"MCNR"});
    const bool whole = heights != nullptr && heights->values.size() >= wdt::kHeights && normals != nullptr &&
                       normals->values.size() >= wdt::kHeights;
    if (!whole) {
      losses_.report(codes::kTerrainDamaged,
                     "terrain chunks without complete heights and normals written flat");
    }
    for (std::size_t i = 0; i < wdt::kHeights; ++i) {
      target.heights.at(i) = source.header.position[2] + (whole ? heights->values[interleaved(i)] : 0.0F);
      target.normals.at(i) = whole ? normals->values[interleaved(i)] : wdt::Normal{0, 0, 127};
    }
  }

  void add_layers(const TerrainChunk& source, wdt::Chunk& target) {
    const auto* layers = source.find<Layers>(FourCC{"MCLY"});
    const auto* alpha = source.find<Texels>(FourCC{"MCAL"});
    const ByteView maps = alpha != nullptr ? ByteView(alpha->bytes) : ByteView();
    for (std::size_t i = 0; layers != nullptr && i < layers->items.size(); ++i) {
      if (target.layers.size() == wdt::kMostLayers) {
        losses_.report(codes::kTerrainLayer, "layers after the fourth left out");
        return;
      }
      constexpr std::uint32_t kKnown = wdt::Layer::kUsesAlpha;
      wdt::Layer layer = layers->items[i];
      if ((layer.flags & ~(kKnown | Layers::kCompressed)) != 0) {
        losses_.report(codes::kTerrainLayer,
                       "layer flags left out, such as animation, overbright or reflection");
      }
      if ((layer.flags & kKnown) != 0) {
        add_alpha(source, maps, layers->items, i, target);
        layer.alpha_offset = static_cast<std::uint32_t>(target.alpha.size() - wdt::kAlphaSize);
      } else {
        layer.alpha_offset = 0;
      }
      layer.flags &= kKnown;
      target.layers.push_back(layer);
    }
  }

  /// Bytes up to the next map: of uncompressed maps they state how many bits a value has.
  static std::size_t map_size(ByteView maps, const std::vector<wdt::Layer>& layers, std::size_t index) {
    const std::size_t from = std::min<std::size_t>(layers[index].alpha_offset, maps.size());
    std::size_t end = maps.size();
    for (const auto& other : layers) {
      if ((other.flags & wdt::Layer::kUsesAlpha) != 0 && other.alpha_offset > from) {
        end = std::min<std::size_t>(end, other.alpha_offset);
      }
    }
    return end - from;
  }

  void add_alpha(const TerrainChunk& source, ByteView maps, const std::vector<wdt::Layer>& layers,
                 std::size_t index, wdt::Chunk& target) {
    constexpr std::size_t kEightBits = wdt::kMapSide * wdt::kMapSide;
    const std::size_t size = map_size(maps, layers, index);
    const std::size_t from = std::min<std::size_t>(layers[index].alpha_offset, maps.size());
    const bool compressed = (layers[index].flags & Layers::kCompressed) != 0;
    const bool eight_bits = !compressed && size >= kEightBits && (eight_bit_alpha_ || size == kEightBits);
    const bool whole = (source.header.flags & ChunkHeader::kWholeAlpha) != 0 || compressed || eight_bits;
    std::array<std::uint8_t, wdt::kAlphaSize> nibbles{};
    if (!read_alpha(maps.subspan(from, size), compressed, eight_bits, whole, nibbles)) {
      losses_.report(codes::kTerrainDamaged, "missing values of truncated alpha maps set to 0");
    }
    if (compressed || eight_bits) {
      losses_.report(codes::kTerrainAlpha, "alpha maps reduced from 256 to 16 steps");
    } else if (!whole) {
      losses_.report(codes::kTerrainAlpha,
                     "last row and column of alpha maps replaced with those that the client shows");
    }
    target.alpha.insert(target.alpha.end(), nibbles.begin(), nibbles.end());
  }

  static void add_shadow(const TerrainChunk& source, wdt::Chunk& target) {
    const auto* shadow = source.find<Texels>(FourCC{"MCSH"});
    const bool there = (source.header.flags & ChunkHeader::kHasShadow) != 0 && shadow != nullptr &&
                       shadow->bytes.size() >= wdt::kShadowSize;
    target.header.flags &= ~std::uint32_t{wdt::ChunkHeader::kHasShadow};
    if (there) {
      target.header.flags |= wdt::ChunkHeader::kHasShadow;
      target.shadow.assign(shadow->bytes.begin(),
                           shadow->bytes.begin() + static_cast<std::ptrdiff_t>(wdt::kShadowSize));
    }
  }

  void add_liquids(const TerrainChunk& source, wdt::Chunk& target) {
    LiquidSet set;
    if (const auto* liquids = source.find<Liquids>(FourCC{"MCLQ"})) {
      std::size_t next = 0;
      for (std::size_t kind = 0; kind < set.size(); ++kind) {
        const bool stated = (source.header.flags >> (kind + 2) & 1U) != 0;
        if (stated && next < liquids->items.size()) {
          set.at(kind) = liquids->items[next++];
        }
      }
    }
    if (const Chunk* water = water_chunk()) {
      if (!read_water(water->remainder.bytes, target.slot, set)) {
        losses_.report(codes::kTerrainDamaged,
                       "water left out, because its data is outside of MH2O or invalid");
      }
      losses_.report(codes::kTerrainWater, "water types reduced to river, ocean, magma and slime");
    }
    target.header.flags &= ~std::uint32_t{wdt::ChunkHeader::kLiquids};
    for (std::size_t kind = 0; kind < set.size(); ++kind) {
      if (set.at(kind)) {
        target.header.flags |= 4U << kind;
        target.liquids.push_back(*set.at(kind));
      }
    }
  }

  [[nodiscard]] const Chunk* water_chunk() const {
    const auto found = std::find_if(source_.chunks.begin(), source_.chunks.end(),
                                    [](const Chunk& chunk) { return chunk.tag == FourCC{"MH2O"}; });
    return found != source_.chunks.end() ? &*found : nullptr;
  }

  void add_references(const TerrainChunk& source, wdt::Chunk& target) {
    const auto* references = source.find<References>(FourCC{"MCRF"});
    if (references == nullptr) {
      return;
    }
    const std::size_t doodads =
        std::min<std::size_t>(source.header.doodad_reference_count, references->values.size());
    std::size_t room = wdt::kChunkLimit - 1 - size_without_references(target);
    room /= sizeof(std::uint32_t);
    for (std::size_t i = 0; i < references->values.size(); ++i) {
      const auto& numbers = i < doodads ? doodad_numbers_ : object_numbers_;
      const std::uint32_t old = references->values[i];
      const std::uint32_t number = old < numbers.size() ? numbers[old] : Moved<wdt::Doodad>::kUnnamed;
      if (number == Moved<wdt::Doodad>::kUnnamed) {
        losses_.report(codes::kTerrainPlacement,
                       "references to missing placements, or to those without a name, left out");
      } else if (target.references.size() >= room) {
        losses_.report(codes::kTerrainReferences,
                       "references to placements left out, because the WoW Alpha client requires terrain "
                       "chunks below 15000 bytes; it may not draw these placements there");
      } else {
        target.references.push_back(number);
        target.header.doodad_reference_count += i < doodads ? 1U : 0U;
      }
    }
  }

  static std::size_t size_without_references(const wdt::Chunk& target) {
    constexpr std::size_t kChunkHead = 8;
    return kChunkHead + wdt::Chunk::kMinPayload + target.layers.size() * wdt::Layer::kRecordSize +
           target.shadow.size() + target.alpha.size() + target.liquids.size() * wdt::Liquid::kRecordSize;
  }

  // --- losses

  void report_lost_parts(const TerrainChunk& source) {
    for (const auto& part : source.parts) {
      if (part.tag == FourCC{"MCCV"} || part.tag == FourCC{"MCLV"}) {
        losses_.report(codes::kTerrainColors, "vertex colours left out (" + part.tag.text() + ")");
      } else if (part.tag == FourCC{"MCSE"} && !part.remainder.bytes.empty()) {
        losses_.report(codes::kTerrainSound,
                       "sound emitters left out, because they refer to sounds of a later client");
      } else if (std::holds_alternative<Opaque>(part.body) && part.tag != FourCC{"MCSE"}) {
        losses_.report(codes::kTerrainChunk,
                       "chunk " + part.tag.text() + " left out; WoW Alpha has no such chunk");
      }
    }
    if (source.header.area_id != 0) {
      losses_.report(codes::kTerrainArea, "area ids not converted; WoW Alpha numbers areas within zones");
    }
  }

  void report_lost_chunks() {
    constexpr FourCC kWater{"MH2O"};
    constexpr FourCC kFlight{"MFBO"};
    for (const auto& chunk : source_.chunks) {
      if ((std::holds_alternative<Opaque>(chunk.body) && chunk.tag != kWater) || chunk.tag == kFlight) {
        const bool damaged = chunk.tag == FourCC{"MCNK"} || chunk.tag == FourCC{"MHDR"};
        losses_.report(codes::kTerrainChunk,
                       "chunk " + chunk.tag.text() + " left out; " +
                           (damaged ? "it is too short" : "WoW Alpha has no such chunk"));
      }
    }
  }

  const Document& source_;
  bool eight_bit_alpha_;
  NameTable& models_;
  NameTable& objects_;
  Losses losses_;
  wdt::Tile tile_;
  std::vector<std::uint32_t> doodad_numbers_;
  std::vector<std::uint32_t> object_numbers_;
};

void add_global(const Map& map, NameTable& objects, wdt::Map& target) {
  if (map.map_objects.empty()) {
    return;
  }
  const auto names = wdt::split_names(map.map_object_names);
  wdt::MapObject object = map.map_objects.front();
  object.name_id = names.empty() ? 0 : objects.number_of(std::string(names.front()));
  target.map_objects = {object};
}

}  // namespace

wdt::Document to_alpha(const Map* map, std::span<const PlacedTile> tiles, Diagnostics& diagnostics) {
  wdt::Document document;
  NameTable models;
  NameTable objects;
  const bool eight_bit_alpha = map != nullptr && (map->header[0] & Map::kEightBitAlpha) != 0;
  if (map != nullptr) {
    add_global(*map, objects, document.map);
  }
  std::vector<const PlacedTile*> order;
  for (const auto& tile : tiles) {
    order.push_back(&tile);
  }
  const auto index_of = [](const PlacedTile* tile) {
    return tile->position.y * wdt::kTilesPerSide + tile->position.x;
  };
  std::sort(order.begin(), order.end(), [&](const PlacedTile* a, const PlacedTile* b) {
    return std::pair(index_of(a), a) < std::pair(index_of(b), b);
  });
  for (const auto* tile : order) {
    if (!document.tiles.empty() && document.tiles.back().index == index_of(tile)) {
      diagnostics.add(codes::kTerrainDamaged, "duplicate tile left out; the first one is written", {},
                      "tile " + std::to_string(tile->position.x) + '_' + std::to_string(tile->position.y));
      continue;
    }
    document.tiles.push_back(TileBuilder(*tile, eight_bit_alpha, models, objects, diagnostics).make());
  }
  document.map.doodad_names = models.take();
  document.map.map_object_names = objects.take();
  wdt::lay_out(document);
  return document;
}

}  // namespace thaw::adt
