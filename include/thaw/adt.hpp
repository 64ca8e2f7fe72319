// Map tiles of World of Warcraft as of Wrath of the Lich King (ADT version 18), and the map file next to them
// (WDT). See adt.md#structure.
//
// Both keep every byte, so that write(read(x)) == x for every file that reads. What alpha maps share with
// them (placements, layers, liquids) has the types of thaw::wdt.
#pragma once

#include <thaw/bytes.hpp>
#include <thaw/diagnostics.hpp>
#include <thaw/inspect.hpp>
#include <thaw/options.hpp>
#include <thaw/value.hpp>
#include <thaw/wdt.hpp>

#include <span>
#include <string>
#include <variant>
#include <vector>

#pragma GCC visibility push(default)

/// Map tiles of World of Warcraft as of Wrath of the Lich King, and the map file next to them.
namespace thaw::adt {

// --- parts of a terrain chunk

/// Something whose bytes are the chunk's remainder.
struct Opaque {
  friend bool operator==(const Opaque&, const Opaque&) = default;
};

/// MCVT: above the chunk's own position. Rows of 9 corners and 8 middles by turns.
struct Heights {
  Array<float> values;
  friend bool operator==(const Heights&, const Heights&) = default;
};

/// MCNR, in the order of the heights. The 13 bytes after them are not part of the stated size.
struct Normals {
  Array<wdt::Normal> values;
  Array<std::uint8_t> pad;
  friend bool operator==(const Normals&, const Normals&) = default;
};

/// MCLY: the textures over a chunk. The flag 0x200 says that the alpha map is compressed.
struct Layers {
  static constexpr std::uint32_t kCompressed = 0x200;

  std::vector<wdt::Layer> items;
  friend bool operator==(const Layers&, const Layers&) = default;
};

/// MCRF: which of the tile's doodads, then which of its map objects are drawn with the chunk.
struct References {
  Array<std::uint32_t> values;
  friend bool operator==(const References&, const References&) = default;
};

/// MCSH, the shadow map, and MCAL, the alpha maps: bytes as they are.
struct Texels {
  Array<std::uint8_t> bytes;
  friend bool operator==(const Texels&, const Texels&) = default;
};

/// MCLQ: liquids. Its stated size is 0 in the client's files; the chunk's header has it.
struct Liquids {
  std::vector<wdt::Liquid> items;
  friend bool operator==(const Liquids&, const Liquids&) = default;
};

/// MCCV: one colour per height, blue, green, red, alpha.
struct Colors {
  Array<std::array<std::uint8_t, 4>> values;
  friend bool operator==(const Colors&, const Colors&) = default;
};

/// A chunk inside a terrain chunk: its tag, and what it holds by that tag.
struct Part {
  FourCC tag;  ///< as read by people: MCVT
  std::variant<Opaque, Heights, Normals, Layers, References, Texels, Liquids, Colors> body;
  /// Where it is not the size of the content.
  std::optional<std::uint32_t> stated_size;
  Remainder remainder;
  friend bool operator==(const Part&, const Part&) = default;
};

/// The header of MCNK. Offsets count from the chunk's tag and lead to tags; sizes include their heads.
struct ChunkHeader {
  static constexpr std::uint32_t kHasShadow = 1;
  static constexpr std::uint32_t kLiquids = 0x3C;
  static constexpr std::uint32_t kHasColors = 0x40;
  /// Alpha maps have 64 rows and columns; without it the client puts the last but one in place of the last.
  static constexpr std::uint32_t kWholeAlpha = 0x8000;
  static constexpr std::uint32_t kFineHoles = 0x10000;

  std::uint32_t flags = 0;
  std::uint32_t x = 0;  ///< column in the tile, 0 to 15
  std::uint32_t y = 0;  ///< row in the tile, 0 to 15
  std::uint32_t layer_count = 0;
  std::uint32_t doodad_reference_count = 0;
  std::uint32_t heights_offset = 0;
  std::uint32_t normals_offset = 0;
  std::uint32_t layers_offset = 0;
  std::uint32_t references_offset = 0;
  std::uint32_t alpha_offset = 0;
  std::uint32_t alpha_size = 0;
  std::uint32_t shadow_offset = 0;
  std::uint32_t shadow_size = 0;  ///< without its head
  std::uint32_t area_id = 0;
  std::uint32_t map_object_reference_count = 0;
  std::uint16_t holes = 0;
  std::uint16_t holes_pad = 0;
  std::array<std::uint8_t, 16> predominant_layers{};
  std::array<std::uint8_t, 8> no_effect_doodads{};
  std::uint32_t sound_emitters_offset = 0;
  std::uint32_t sound_emitter_count = 0;
  std::uint32_t liquid_offset = 0;
  std::uint32_t liquid_size = 0;
  Vec3 position{};  ///< north, west, and what the heights are above
  std::uint32_t colors_offset = 0;
  std::uint32_t lights_offset = 0;
  std::uint32_t pad = 0;
  friend bool operator==(const ChunkHeader&, const ChunkHeader&) = default;
};

/// MCNK: one of a tile's 16 × 16 squares of ground.
struct TerrainChunk {
  ChunkHeader header;
  std::vector<Part> parts;  ///< in the file's order

  /// The body of the first part of a type and tag, or null.
  template <class Body>
  [[nodiscard]] const Body* find(FourCC tag) const {
    for (const auto& part : parts) {
      if (part.tag == tag && !part.remainder.replaces_fields()) {
        return std::get_if<Body>(&part.body);
      }
    }
    return nullptr;
  }
  friend bool operator==(const TerrainChunk&, const TerrainChunk&) = default;
};

// --- a tile

/// MVER: the version of the file.
struct Version {
  std::uint32_t value = 18;  ///< 18 of every tile that is known
  friend bool operator==(const Version&, const Version&) = default;
};

/// MHDR. Offsets count from its own content and lead to tags.
struct TileHeader {
  static constexpr std::uint32_t kHasFlightBounds = 1;

  std::uint32_t flags = 0;
  std::uint32_t chunk_table_offset = 0;
  std::uint32_t textures_offset = 0;
  std::uint32_t models_offset = 0;
  std::uint32_t model_offsets_offset = 0;
  std::uint32_t map_objects_offset = 0;
  std::uint32_t map_object_offsets_offset = 0;
  std::uint32_t doodads_offset = 0;
  std::uint32_t placements_offset = 0;
  std::uint32_t flight_bounds_offset = 0;
  std::uint32_t water_offset = 0;
  std::uint32_t texture_flags_offset = 0;
  std::array<std::uint32_t, 4> unused{};
  friend bool operator==(const TileHeader&, const TileHeader&) = default;
};

/// MCIN, one for each terrain chunk at y · 16 + x: offsets in the file, sizes with heads.
struct ChunkTable {
  Array<wdt::ChunkEntry> entries;
  friend bool operator==(const ChunkTable&, const ChunkTable&) = default;
};

/// MTEX, MMDX and MWMO: names of textures, models and map objects, each with a NUL after it.
struct Names {
  Array<char> table;
  friend bool operator==(const Names&, const Names&) = default;
};

/// MMID and MWID: where in their table names begin; placements refer to them by number.
struct NameOffsets {
  Array<std::uint32_t> values;
  friend bool operator==(const NameOffsets&, const NameOffsets&) = default;
};

/// MDDF: models that stand in the tile.
struct Doodads {
  std::vector<wdt::Doodad> items;
  friend bool operator==(const Doodads&, const Doodads&) = default;
};

/// MODF: map objects (WMO) that stand in the tile.
struct MapObjects {
  std::vector<wdt::MapObject> items;
  friend bool operator==(const MapObjects&, const MapObjects&) = default;
};

/// MFBO: how high and low one may fly, at 3 × 3 places.
struct FlightBounds {
  std::array<std::int16_t, 9> maximum{};
  std::array<std::int16_t, 9> minimum{};
  friend bool operator==(const FlightBounds&, const FlightBounds&) = default;
};

/// Whether a chunk holds this body in a Boxed, so that the small ones stay small.
template <class Body>
inline constexpr bool kIsBoxed = std::is_same_v<Body, TileHeader> || std::is_same_v<Body, TerrainChunk> ||
                                 std::is_same_v<Body, FlightBounds>;

/// A chunk of the file: its tag, and what it holds by that tag.
struct Chunk {
  FourCC tag;  ///< as read by people: MHDR
  std::variant<Opaque, Version, Boxed<TileHeader>, ChunkTable, Names, NameOffsets, Doodads, MapObjects,
               Boxed<TerrainChunk>, Boxed<FlightBounds>>
      body;
  /// Where it is not the size of the content: the chunk runs past the end of the file.
  std::optional<std::uint32_t> stated_size;
  Remainder remainder;
  friend bool operator==(const Chunk&, const Chunk&) = default;
};

/// A tile: every chunk of its file, also those that are unknown, damaged or repeated.
struct Document {
  std::vector<Chunk> chunks;  ///< in the file's order
  Bytes tail;                 ///< too few bytes for a chunk

  /// The body of the first readable chunk of this tag, or null.
  template <class Body>
  [[nodiscard]] const Body* find(FourCC tag) const {
    for (const auto& chunk : chunks) {
      if (chunk.tag == tag && !chunk.remainder.replaces_fields()) {
        if constexpr (kIsBoxed<Body>) {
          const auto* boxed = std::get_if<Boxed<Body>>(&chunk.body);
          return boxed != nullptr ? &**boxed : nullptr;
        } else {
          return std::get_if<Body>(&chunk.body);
        }
      }
    }
    return nullptr;
  }
  /// All terrain chunks that read, in the file's order.
  [[nodiscard]] std::vector<const TerrainChunk*> terrain() const;
  friend bool operator==(const Document&, const Document&) = default;
};

/// True for MVER, then an MHDR of 64 bytes that MCIN follows: what later versions have not.
bool is_adt(ByteView bytes);

/// Damaged parts are preserved and reported. Errors: format.unknown, input.too-large, and with `strict`
/// the first damage.
Result<Document> read(ByteView bytes, const ReadOptions& options = {},
                      Diagnostics& diagnostics = Diagnostics::discarded());
/// The file's bytes. Nothing is normalised.
Bytes write(const Document& document);
/// Shows every field with its offset.
void inspect(const Document& document, Inspector& inspector);

/// Takes all offsets, sizes and counts from the content: what a document made or edited by a program needs
/// before it is written. Of references, the number of those to doodads stays as it is stated.
void lay_out(Document& document);

// --- a map

/// The WDT next to the tiles.
struct Map {
  static constexpr std::uint32_t kOneMapObject = 1;  ///< the map is a building
  static constexpr std::uint32_t kEightBitAlpha = 4;
  static constexpr std::uint32_t kHasTile = 1;  ///< of a tile's entry

  using TileEntry = std::array<std::uint32_t, 2>;  ///< flags, id of the running client

  ChunkFrame version_frame;
  std::uint32_t version = 18;
  ChunkFrame header_frame;
  std::array<std::uint32_t, 8> header{};  ///< MPHD: flags first
  ChunkFrame tiles_frame;
  Array<TileEntry> tiles;  ///< MAIN: 4096 at y · 64 + x
  ChunkFrame map_object_names_frame;
  Array<char> map_object_names;  ///< MWMO
  ChunkFrame map_objects_frame{false, {}, {}};
  std::vector<wdt::MapObject> map_objects;  ///< MODF
  Bytes tail;

  /// Whether the table has a tile in this column and row; false outside of the map.
  [[nodiscard]] bool has_tile(std::size_t x, std::size_t y) const {
    const std::size_t index = y * wdt::kTilesPerSide + x;
    return x < wdt::kTilesPerSide && index < tiles.size() && (tiles[index][0] & kHasTile) != 0;
  }
  friend bool operator==(const Map&, const Map&) = default;
};

/// True for MVER, then an MPHD of 32 bytes.
bool is_map(ByteView bytes);

/// The table of tiles alone; the tiles are files of their own. Fails without the two chunks that `is_map`
/// requires, and beyond the limits.
Result<Map> read_map(ByteView bytes, const ReadOptions& options = {},
                     Diagnostics& diagnostics = Diagnostics::discarded());
/// The file's bytes. Nothing is normalised.
Bytes write(const Map& map);
/// Shows every field with its offset.
void inspect(const Map& map, Inspector& inspector);

// --- from and to maps of WoW Alpha (adt.md#from-the-alpha). Losses are findings terrain.*

/// The WDT next to the tiles of a WoW Alpha map. `has_tile(x, y)` chooses among those that exist.
Map map_from_alpha(const wdt::Map& map, const std::vector<wdt::TilePosition>& tiles,
                   Diagnostics& diagnostics = Diagnostics::discarded());

/// One tile, laid out. Names are those that its placements use; of map objects and models, `.mdx` becomes
/// `.m2`. Paths of findings begin with `where`.
Document tile_from_alpha(const wdt::Map& map, const wdt::Tile& tile, const std::string& where,
                         Diagnostics& diagnostics = Diagnostics::discarded());

/// "Map_32_48.adt": how the client finds a tile of a map.
std::string tile_file_name(std::string_view map, std::size_t x, std::size_t y);

/// Column and row from such a name, whatever the map is called; none for other names.
std::optional<wdt::TilePosition> tile_position(std::string_view file_name);

/// Where a tile says that it is, by the position of its first terrain chunk; none if it says nothing usable.
std::optional<wdt::TilePosition> tile_position(const Document& document);

/// A tile on its way into a WoW Alpha map.
struct PlacedTile {
  wdt::TilePosition position;
  const Document* document = nullptr;
};

/// A WoW Alpha map, laid out. `map` may be null: then alpha maps are of four bits unless their sizes say
/// otherwise. Duplicate tiles are reported and left out.
wdt::Document to_alpha(const Map* map, std::span<const PlacedTile> tiles,
                       Diagnostics& diagnostics = Diagnostics::discarded());

}  // namespace thaw::adt

#pragma GCC visibility pop
