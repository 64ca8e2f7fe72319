// Systematic damage to maps: what reads writes the same bytes, converts, and takes memory in proportion.
#include <thaw/adt.hpp>
#include <thaw/format.hpp>
#include <thaw/validate.hpp>
#include <thaw/wdl.hpp>

#include "support/heap.hpp"
#include "support/mutate.hpp"
#include "wdt/reread.hpp"

#include <algorithm>

namespace thaw::wdt {
namespace {

using test::reread;

/// Two chunks of one tile, with everything that a chunk can have.
Document rich_map() {
  Document document;
  document.map.doodad_names = join_names({"A.mdx", "B.mdx"});
  document.map.map_object_names = join_names({"C.wmo"});
  document.map.map_objects.resize(1);
  Tile& tile = document.tiles.emplace_back();
  tile.index = 100;
  tile.textures = join_names({"D.blp", "E.blp"});
  tile.doodads.resize(2);
  tile.doodads[1].name_id = 1;
  tile.map_objects.resize(1);
  for (std::uint16_t slot = 0; slot < 2; ++slot) {
    Chunk& chunk = tile.chunks.emplace_back();
    chunk.slot = slot;
    chunk.header.x = slot;
    chunk.header.flags = 1 | ChunkHeader::kLiquids;
    chunk.header.doodad_reference_count = 2;
    chunk.references = {0, 1, 0};
    chunk.layers.resize(2);
    chunk.layers[1].texture_id = 1;
    chunk.layers[1].flags = Layer::kUsesAlpha;
    chunk.alpha.assign(kAlphaSize, 0x37);
    chunk.shadow.assign(kShadowSize, 0x0F);
    chunk.liquids.resize(kLiquidKinds);
    chunk.emitters.resize(1);
  }
  lay_out(document);
  return document;
}

/// Reads, looks at everything, and converts both ways.
void try_bytes(const Bytes& bytes) {
  constexpr std::size_t kAllowance = std::size_t{64} << 20U;
  const test::HeapMeter meter;
  Diagnostics findings;
  const auto any = read_any(bytes, {}, findings);
  if (any) {
    ASSERT_TRUE(write_any(*any) == bytes);
    (void)validate(*any, {});
    (void)summarize(*any);
    if (const auto* map = any->get_if<Document>()) {
      for (const auto& tile : map->tiles) {
        const auto later = adt::tile_from_alpha(map->map, tile, "", findings);
        Diagnostics again;
        ASSERT_TRUE(adt::read(adt::write(later), {}, again));
      }
    } else if (const auto* tile = any->get_if<adt::Document>()) {
      const std::array placed = {adt::PlacedTile{{1, 1}, tile}};
      (void)adt::to_alpha(nullptr, placed, findings);
    }
  }
  ASSERT_LE(meter.peak(), 16 * bytes.size() + kAllowance);
}

/// A whole-number field of every name, the first that has it, set to whatever breaks readers; and cuts.
void damage(const AnyDocument& document) {
  const Bytes bytes = write_any(document);
  const auto layout = test::layout_of(inspection_of(document));
  std::vector<std::string> seen;
  for (const auto& word : layout.words) {
    if (std::find(seen.begin(), seen.end(), word.name) != seen.end() && word.name != "size") {
      continue;
    }
    seen.push_back(word.name);
    for (const std::uint32_t value : test::hostile_values(bytes, word)) {
      try_bytes(test::with_word(bytes, word, value));
    }
  }
  for (std::size_t i = 0; i < layout.boundaries.size(); i += 1 + layout.boundaries.size() / 64) {
    const auto end =
        static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(layout.boundaries[i] + 1, bytes.size()));
    try_bytes(Bytes(bytes.begin(), bytes.begin() + end));
  }
}

TEST(MapDamage, AlphaMaps) { damage(reread(write(rich_map()))); }

TEST(MapDamage, LaterTiles) {
  const Document map = rich_map();
  Diagnostics findings;
  damage(reread(adt::write(adt::tile_from_alpha(map.map, map.tiles[0], "", findings))));
  damage(reread(adt::write(adt::map_from_alpha(map.map, {{3, 4}}, findings))));
}

TEST(MapDamage, FarTerrain) {
  wdl::Document document;
  document.areas.resize(2);
  document.areas[1].index = 9;
  document.areas[1].holes_frame.present = true;
  wdl::lay_out(document);
  damage(reread(wdl::write(document)));
}

/// All of the table and of a tile's may point anywhere.
TEST(MapDamage, TablesThatPointAnywhere) {
  const Document map = rich_map();
  const Bytes bytes = write(map);
  for (const std::uint32_t target : {0U, 1U, 12U, 148U, 65692U, map.map.tiles[100].offset + 8, 0xFFFFFFFFU}) {
    Bytes damaged = bytes;
    for (std::size_t i = 0; i < kTiles; i += 3) {
      const std::uint32_t place = target + static_cast<std::uint32_t>(i);
      std::memcpy(damaged.data() + 156 + i * 16, &place, 4);
      std::memcpy(damaged.data() + 160 + i * 16, &place, 4);
    }
    try_bytes(damaged);
    damaged = bytes;
    for (std::size_t i = 0; i < kChunks; ++i) {
      const std::uint32_t place = map.tiles[0].chunk_table[0].offset + static_cast<std::uint32_t>(i) * target;
      std::memcpy(damaged.data() + map.map.tiles[100].offset + 80 + i * 16, &place, 4);
    }
    try_bytes(damaged);
  }
}

}  // namespace
}  // namespace thaw::wdt
