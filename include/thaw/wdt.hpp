// Maps of World of Warcraft's alpha (WDT): a whole continent in one file. See wdt.md#structure.
//
// Axes of the world: X north, Y west, Z up, in yards. The map has 64 × 64 tiles, row (`y`) southward, column
// (`x`) eastward; a tile has 16 × 16 chunks, a chunk 8 × 8 cells, in the same order.
//
// A document keeps every byte, so that write(read(x)) == x for every file that reads. Whoever wants a few
// tiles of a large map opens it as a `World`, which reads nothing else.
#pragma once

#include <thaw/bytes.hpp>
#include <thaw/diagnostics.hpp>
#include <thaw/inspect.hpp>
#include <thaw/options.hpp>
#include <thaw/validate.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)

// --- positions of tiles

namespace thaw::wdt {

/// A place for a tile in the map: column (`x`) and row (`y`), 0 to 63.
struct TilePosition {
  std::uint8_t x = 0;
  std::uint8_t y = 0;
  friend constexpr bool operator==(const TilePosition&, const TilePosition&) = default;
};

/// Columns and rows of tiles, both ends included; by default all of a map.
struct TileRange {
  std::uint32_t first_x = 0;
  std::uint32_t last_x = 63;
  std::uint32_t first_y = 0;
  std::uint32_t last_y = 63;

  /// Whether a column and row are within it.
  [[nodiscard]] constexpr bool holds(std::uint32_t x, std::uint32_t y) const {
    return x >= first_x && x <= last_x && y >= first_y && y <= last_y;
  }
};

}  // namespace thaw::wdt

/// Maps of World of Warcraft's alpha.
namespace thaw::wdt {

// --- measures (wow-alpha-world.md#grid)

inline constexpr std::size_t kTilesPerSide = 64;                         ///< of the map
inline constexpr std::size_t kTiles = kTilesPerSide * kTilesPerSide;     ///< places for tiles in the map
inline constexpr std::size_t kChunksPerSide = 16;                        ///< of a tile
inline constexpr std::size_t kChunks = kChunksPerSide * kChunksPerSide;  ///< of a tile
inline constexpr std::size_t kCellsPerSide = 8;                          ///< of a chunk
inline constexpr std::size_t kOuterSide = 9;                             ///< corners of cells
inline constexpr std::size_t kOuterCount = kOuterSide * kOuterSide;      ///< corners of all cells of a chunk
/// Corners of cells, then their middles.
inline constexpr std::size_t kHeights = kOuterCount + kCellsPerSide * kCellsPerSide;
inline constexpr std::size_t kMapSide = 64;  ///< texels of alpha and shadow maps per chunk
inline constexpr std::size_t kAlphaSize = kMapSide * kMapSide / 2;   ///< bytes; four bits a texel
inline constexpr std::size_t kShadowSize = kMapSide * kMapSide / 8;  ///< bytes; one bit a texel
inline constexpr std::size_t kMostLayers = 4;                        ///< of a chunk
/// A chunk, head included, must be smaller than this, or the client stops.
inline constexpr std::size_t kChunkLimit = 15000;

/// Rounded (wow-alpha-world.md#grid): what decides where files place things. World has the exact sizes.
inline constexpr double kTileSize = 533.33333;   ///< yards
inline constexpr double kChunkSize = 33.333333;  ///< yards
inline constexpr double kCellSize = 4.1666667;   ///< yards
inline constexpr double kMiddle = 17066.666;     ///< north edge of row 0, west edge of column 0

// --- the map's own part

/// MPHD. Counts are names + 1, or 0 for an empty table (wdt.md#names).
struct Header {
  std::uint32_t doodad_name_count = 0;
  std::uint32_t doodad_names_offset = 0;  ///< of MDNM in the file
  std::uint32_t map_object_name_count = 0;
  std::uint32_t map_object_names_offset = 0;  ///< of MONM in the file
  std::array<std::uint8_t, 112> pad{};
  friend bool operator==(const Header&, const Header&) = default;
};

/// MAIN, one for each place of the map at y · 64 + x.
struct TileEntry {
  std::uint32_t offset = 0;  ///< of MHDR in the file
  std::uint32_t size = 0;    ///< from MHDR to the first MCNK
  std::uint32_t flags = 0;   ///< of the running client
  std::uint32_t async_id = 0;

  /// Whether the map has a tile here.
  [[nodiscard]] constexpr bool exists() const { return offset != 0 && size != 0; }
  friend bool operator==(const TileEntry&, const TileEntry&) = default;
};

/// Texts of a name table in order, by which placements and layers refer to them. NULs before the first are
/// skipped, an empty text in between is one. Bytes as the author wrote them. They live as long as the table.
std::vector<std::string_view> split_names(const Array<char>& table);
/// Those of a temporary table would be gone.
std::vector<std::string_view> split_names(const Array<char>&& table) = delete;
/// The table of these names as the game's own files have it: every name with its NUL.
Array<char> join_names(const std::vector<std::string_view>& names);

/// MODF: a building (WMO) that stands in a tile, or the one that is the map (wdt.md#buildings).
struct MapObject {
  std::uint32_t name_id = 0;  ///< which of the map's WMO names
  std::uint32_t unique_id = 0;
  /// As stored: in the world it is at (kMiddle − z, kMiddle − x, y); a map's own one at (z, x, y).
  Vec3 position{};
  Vec3 rotation{};  ///< degrees: Rz(y + 180) · Ry(x) · Rx(z)
  Vec3 box_minimum{};
  Vec3 box_maximum{};
  std::uint16_t flags = 0;
  std::uint16_t doodad_set = 0;
  std::uint16_t name_set = 0;
  std::uint16_t pad = 0;

  static constexpr std::size_t kRecordSize = 64;
  static constexpr std::size_t kMinSize = kRecordSize;
  friend bool operator==(const MapObject&, const MapObject&) = default;
};

/// Everything before the tiles.
struct Map {
  ChunkFrame version_frame;
  std::uint32_t version = 18;
  ChunkFrame header_frame;
  Header header;
  ChunkFrame tiles_frame;
  Array<TileEntry> tiles;  ///< 4096
  ChunkFrame doodad_names_frame;
  Array<char> doodad_names;  ///< MDNM: models
  ChunkFrame map_object_names_frame;
  Array<char> map_object_names;  ///< MONM: WMOs
  ChunkFrame map_objects_frame;
  /// MODF: a dungeon has one, which may be all there is, or exist in addition to tiles.
  std::vector<MapObject> map_objects;

  /// True if there is a MODF after the names: the map is, or has, one building for the whole of it
  /// (wdt.md#map-buildings).
  [[nodiscard]] bool is_dungeon() const { return map_objects_frame.present; }
  /// The entry of a tile that is there, or null.
  [[nodiscard]] const TileEntry* entry(std::size_t x, std::size_t y) const;
  friend bool operator==(const Map&, const Map&) = default;
};

// --- tiles

/// MHDR. Offsets count from its own content and lead to tags; sizes include the chunk's head.
struct TileHeader {
  std::uint32_t chunk_table_offset = 0;
  std::uint32_t textures_offset = 0;
  std::uint32_t textures_size = 0;
  std::uint32_t doodads_offset = 0;
  std::uint32_t doodads_size = 0;  ///< 0 if there are none
  std::uint32_t map_objects_offset = 0;
  std::uint32_t map_objects_size = 0;  ///< 0 if there are none
  std::array<std::uint8_t, 36> pad{};
  friend bool operator==(const TileHeader&, const TileHeader&) = default;
};

/// MCIN, one for each chunk at y · 16 + x.
struct ChunkEntry {
  std::uint32_t offset = 0;  ///< of MCNK in the file
  std::uint32_t size = 0;    ///< with its head
  std::uint32_t flags = 0;   ///< of the running client
  std::uint32_t async_id = 0;
  friend bool operator==(const ChunkEntry&, const ChunkEntry&) = default;
};

/// MDDF: a model that stands in a tile (wdt.md#doodads).
struct Doodad {
  static constexpr std::uint16_t kBiodome = 1;
  static constexpr std::uint16_t kShrubbery = 2;

  std::uint32_t name_id = 0;  ///< which of the map's doodad names
  std::uint32_t unique_id = 0;
  Vec3 position{};             ///< as stored; see MapObject
  Vec3 rotation{};             ///< degrees; see MapObject
  std::uint16_t scale = 1024;  ///< 1024 is 1
  std::uint16_t flags = 0;

  static constexpr std::size_t kRecordSize = 36;
  static constexpr std::size_t kMinSize = kRecordSize;
  friend bool operator==(const Doodad&, const Doodad&) = default;
};

/// MCLY: a texture over a chunk (wdt.md#layers).
struct Layer {
  static constexpr std::uint32_t kUsesAlpha = 0x100;

  std::uint32_t texture_id = 0;  ///< which of the tile's textures
  std::uint32_t flags = 0;
  std::uint32_t alpha_offset = 0;  ///< in the chunk's alpha maps
  std::uint16_t effect_id = 0xFFFF;
  std::uint16_t pad = 0;

  static constexpr std::size_t kRecordSize = 16;
  static constexpr std::size_t kMinSize = kRecordSize;
  friend bool operator==(const Layer&, const Layer&) = default;
};

/// By the flag of a chunk that states it; a chunk may have several, in this order (wdt.md#liquids).
enum class LiquidKind : std::uint8_t { river, ocean, magma, slime };
inline constexpr std::size_t kLiquidKinds = 4;  ///< values of LiquidKind
/// "river", "ocean", "magma" or "slime".
std::string_view liquid_name(LiquidKind kind);

/// A corner of a cell of a liquid.
struct LiquidVertex {
  /// River and slime: depth, two percentages of flow, filler. Ocean: depth, foam, wet, filler. Magma: two
  /// texture coordinates of 16 bits.
  std::array<std::uint8_t, 4> data{};
  float height = 0;  ///< may be any rubbish where no cell is shown
  friend bool operator==(const LiquidVertex&, const LiquidVertex&) = default;
};

/// A flow around a place; what the client does with it is not known.
struct FlowVector {
  Vec3 center{};
  float radius = 0;
  Vec3 direction{};
  float velocity = 0;
  float amplitude = 0;
  float frequency = 0;
  friend bool operator==(const FlowVector&, const FlowVector&) = default;
};

/// One block of MCLQ: the surface of a liquid (wdt.md#liquids).
struct Liquid {
  float minimum = 0;
  float maximum = 0;
  std::array<LiquidVertex, kOuterCount> vertices{};  ///< 9 × 9, as the outer heights
  std::array<std::uint8_t, 64> cells{};  ///< low half: 15 not shown, 1 ocean, 3 slime, 4 river, 6 magma
  std::uint32_t flow_count = 0;          ///< 0 to 2 of the following are meant
  std::array<FlowVector, 2> flows{};

  static constexpr std::uint8_t kHidden = 0x0F;
  static constexpr std::uint8_t kFishable = 0x40;
  static constexpr std::uint8_t kFatigue = 0x80;
  /// Whether a cell has the liquid; row and column are 0 to 7.
  [[nodiscard]] bool shows(std::size_t row, std::size_t column) const {
    return (cells.at(row * kCellsPerSide + column) & kHidden) != kHidden;
  }

  static constexpr std::size_t kRecordSize = 804;
  static constexpr std::size_t kMinSize = kRecordSize;
  friend bool operator==(const Liquid&, const Liquid&) = default;
};

/// MCSE: a place that sounds (wdt.md#sound-emitters).
struct SoundEmitter {
  std::uint32_t sound_point_id = 0;
  std::uint32_t sound_name_id = 0;
  Vec3 position{};
  float minimum_distance = 0;
  float maximum_distance = 0;
  float cutoff_distance = 0;
  std::uint16_t start_time = 0;
  std::uint16_t end_time = 0;
  std::uint16_t mode = 0;
  std::uint16_t group_silence_minimum = 0;
  std::uint16_t group_silence_maximum = 0;
  std::uint16_t play_instances_minimum = 0;
  std::uint16_t play_instances_maximum = 0;
  std::uint8_t loop_count_minimum = 0;
  std::uint8_t loop_count_maximum = 0;
  std::uint16_t sound_gap_minimum = 0;
  std::uint16_t sound_gap_maximum = 0;

  static constexpr std::size_t kRecordSize = 52;
  static constexpr std::size_t kMinSize = kRecordSize;
  friend bool operator==(const SoundEmitter&, const SoundEmitter&) = default;
};

/// The header of MCNK. Offsets count from its end (wdt.md#chunk-header).
struct ChunkHeader {
  static constexpr std::uint32_t kHasShadow = 1;
  static constexpr std::uint32_t kImpassable = 2;
  static constexpr std::uint32_t kLiquids = 0x3C;

  std::uint32_t flags = 0;
  std::uint32_t x = 0;  ///< column in the tile, 0 to 15
  std::uint32_t y = 0;  ///< row in the tile, 0 to 15
  float radius = 0;
  std::uint32_t layer_count = 0;
  std::uint32_t doodad_reference_count = 0;
  std::uint32_t heights_offset = 0;
  std::uint32_t normals_offset = 0;
  std::uint32_t layers_offset = 0;
  std::uint32_t references_offset = 0;
  std::uint32_t alpha_offset = 0;
  std::uint32_t alpha_size = 0;
  std::uint32_t shadow_offset = 0;
  std::uint32_t shadow_size = 0;
  std::uint16_t area = 0;  ///< number of the area within its zone, no id of later versions
  std::uint16_t zone = 0;
  std::uint32_t map_object_reference_count = 0;
  std::uint16_t holes = 0;  ///< bit row · 4 + column removes 2 × 2 cells
  std::uint16_t holes_pad = 0;
  std::array<std::uint8_t, 16> predominant_layers{};  ///< two bits per cell (predTex)
  std::array<std::uint8_t, 8> no_effect_doodads{};    ///< a bit per cell
  std::uint32_t sound_emitters_offset = 0;
  std::uint32_t sound_emitter_count = 0;
  std::uint32_t liquid_offset = 0;
  std::array<std::uint8_t, 24> pad{};
  friend bool operator==(const ChunkHeader&, const ChunkHeader&) = default;
};

using Normal = std::array<std::int8_t, 3>;  ///< of length 127, in the axes of the world

/// MCNK: one of a tile's 16 × 16 squares of ground.
struct Chunk {
  std::uint16_t slot = 0;  ///< y · 16 + x in the tile's table
  ChunkFrame frame;
  ChunkHeader header;
  /// MCVT: 9 × 9 corners of cells row by row, then the 8 × 8 middles. Height in the world.
  std::array<float, kHeights> heights{};
  std::array<Normal, kHeights> normals{};  ///< MCNR, in the same order
  std::array<std::uint8_t, 13> normals_pad{};
  ChunkFrame layers_frame;
  std::vector<Layer> layers;  ///< MCLY
  ChunkFrame references_frame;
  /// MCRF: which of the tile's doodads, then which of its map objects are drawn with this chunk.
  Array<std::uint32_t> references;
  Array<std::uint8_t> shadow;          ///< MCSH: 64 × 64 bits, the lowest first
  Array<std::uint8_t> alpha;           ///< MCAL: maps of 64 × 64 half bytes, the low one first
  std::vector<Liquid> liquids;         ///< MCLQ: one for each liquid flag
  std::vector<SoundEmitter> emitters;  ///< MCSE

  /// Height of a corner of cells; row and column are 0 to 8.
  [[nodiscard]] float outer(std::size_t row, std::size_t column) const {
    return heights.at(row * kOuterSide + column);
  }
  /// Height of the middle of a cell; row and column are 0 to 7.
  [[nodiscard]] float inner(std::size_t row, std::size_t column) const {
    return heights.at(kOuterCount + row * kCellsPerSide + column);
  }
  /// Whether a cell is a hole; row and column are 0 to 7.
  [[nodiscard]] bool has_hole(std::size_t row, std::size_t column) const {
    return (header.holes >> (row / 2 * 4 + column / 2) & 1U) != 0;
  }
  /// How much of a layer is seen at a texel, 0 to 255; 255 for a layer without a map, 0 outside the maps that
  /// are there. `x` and `y` are 0 to 63.
  [[nodiscard]] std::uint8_t alpha_at(std::size_t layer, std::size_t x, std::size_t y) const {
    constexpr unsigned kSpread = 17;  // 0 to 15 becomes 0 to 255
    if (layer >= layers.size() || (layers[layer].flags & Layer::kUsesAlpha) == 0) {
      return 255;
    }
    const std::size_t at = layers[layer].alpha_offset + y * (kMapSide / 2) + x / 2;
    return at < alpha.size() ? static_cast<std::uint8_t>((alpha[at] >> (x % 2 * 4) & 15U) * kSpread) : 0;
  }
  /// Whether a texel lies in shadow; `x` and `y` are 0 to 63.
  [[nodiscard]] bool shadow_at(std::size_t x, std::size_t y) const {
    const std::size_t at = y * (kMapSide / 8) + x / 8;
    return at < shadow.size() && (shadow[at] >> (x % 8) & 1U) != 0;
  }
  /// The liquid of this kind, or null.
  [[nodiscard]] const Liquid* liquid(LiquidKind kind) const;
  /// Which of the tile's doodads are drawn with the chunk, as many as the header states and there are.
  [[nodiscard]] std::span<const std::uint32_t> doodad_references() const;
  /// Which of the tile's map objects are, in the same way.
  [[nodiscard]] std::span<const std::uint32_t> map_object_references() const;

  /// Bytes before the layers: less is no chunk.
  static constexpr std::size_t kMinPayload = 128 + 580 + 448 + 8 + 8;
  friend bool operator==(const Chunk&, const Chunk&) = default;
};

/// How far north (X, yards) row `row` of a chunk's outer heights lies; for inner heights add half a cell
/// (wdt.md#heights).
double north_of(std::size_t tile_y, std::size_t chunk_y, double row);
/// How far west (Y, yards) column `column` of a chunk's outer heights lies, in the same way.
double west_of(std::size_t tile_x, std::size_t chunk_x, double column);

/// Radius that the client requires of a chunk with these heights (wdt.md#radius).
float radius_of(const Chunk& chunk);

/// One tile: names of its textures, what stands in it, and its ground.
struct Tile {
  std::uint16_t index = 0;  ///< y · 64 + x
  ChunkFrame header_frame;
  TileHeader header;
  ChunkFrame chunk_table_frame;
  Array<ChunkEntry> chunk_table;  ///< MCIN, 256
  ChunkFrame textures_frame;
  Array<char> textures;  ///< MTEX
  ChunkFrame doodads_frame;
  std::vector<Doodad> doodads;  ///< MDDF
  ChunkFrame map_objects_frame;
  std::vector<MapObject> map_objects;  ///< MODF
  /// MCNK, those that are there, ascending by slot; where they lie in the file is in the table.
  std::vector<Chunk> chunks;
  std::vector<Gap> gaps;  ///< what no chunk claims

  /// Column in the map, eastward.
  [[nodiscard]] std::size_t x() const { return index % kTilesPerSide; }
  /// Row in the map, southward.
  [[nodiscard]] std::size_t y() const { return index / kTilesPerSide; }
  /// The chunk of a slot, or null.
  [[nodiscard]] const Chunk* chunk(std::size_t chunk_x, std::size_t chunk_y) const;
  friend bool operator==(const Tile&, const Tile&) = default;
};

/// A map with all its tiles.
struct Document {
  Map map;
  std::vector<Tile> tiles;  ///< those that are there, ascending by index
  std::vector<Gap> gaps;    ///< between the map's own part and the tiles

  /// The tile in this column and row, or null.
  [[nodiscard]] const Tile* tile(std::size_t x, std::size_t y) const;
  friend bool operator==(const Document&, const Document&) = default;
};

/// True for MVER, then an MPHD of 128 bytes or something else that only WoW Alpha maps have there.
bool is_wdt(ByteView bytes);

/// The whole file. Damaged parts are preserved and reported. Errors: format.unknown, input.too-large, and
/// with `strict` the first damage.
Result<Document> read(ByteView bytes, const ReadOptions& options = {},
                      Diagnostics& diagnostics = Diagnostics::discarded());

/// The file's bytes, every part where the tables say.
Bytes write(const Document& document);

/// Gives all parts new places in the client's order without gaps, and takes all offsets, sizes and counts
/// from the content: what a document made or edited by a program needs before it is written. Of references,
/// the number of those to doodads stays as it is stated; flags of liquids are the caller's.
void lay_out(Document& document);

/// Shows every field with its offset.
void inspect(const Document& document, Inspector& inspector);

// --- chunks that come into another tile

/// Which chunks of which tile go, and how many chunks further east and south.
struct ChunkMove {
  TilePosition tile{};
  std::size_t first_x = 0;
  std::size_t last_x = kChunksPerSide - 1;
  std::size_t first_y = 0;
  std::size_t last_y = kChunksPerSide - 1;
  int east = 0;
  int south = 0;

  /// Whether a chunk of the tile goes.
  [[nodiscard]] bool holds(const Chunk& chunk) const {
    const std::size_t x = chunk.slot % kChunksPerSide;
    const std::size_t y = chunk.slot / kChunksPerSide;
    return x >= first_x && x <= last_x && y >= first_y && y <= last_y;
  }
};

// --- a map of which only some tiles are read

/// A map in a file that stays open: tiles are read on request.
class World {
 public:
  /// What stands before the tiles.
  [[nodiscard]] const Map& map() const { return map_; }
  /// Those that are there, row by row.
  [[nodiscard]] const std::vector<TilePosition>& tiles() const { return tiles_; }
  /// Those within a range, row by row.
  [[nodiscard]] std::vector<TilePosition> tiles(const TileRange& range) const;
  /// Whether the map has a tile in this column and row.
  [[nodiscard]] bool has_tile(std::size_t x, std::size_t y) const;
  /// Bytes of the file that belong to a tile; 0 if it is not there.
  [[nodiscard]] std::uint64_t tile_size(std::size_t x, std::size_t y) const;
  /// Reads one tile and nothing else. Findings have offsets in the file. Errors: read.offset if the map does
  /// not have the tile, input.unreadable, input.too-large. May be called by several threads at once.
  [[nodiscard]] Result<Tile> tile(std::size_t x, std::size_t y,
                                  Diagnostics& diagnostics = Diagnostics::discarded()) const;
  /// The tile without its chunks: names, placements, and where the chunks are. Few bytes are read for it.
  [[nodiscard]] Result<Tile> tile_head(std::size_t x, std::size_t y,
                                       Diagnostics& diagnostics = Diagnostics::discarded()) const;

 private:
  friend Result<World> open(std::shared_ptr<const Storage> storage, const ReadOptions& options,
                            Diagnostics& diagnostics);
  World() = default;
  [[nodiscard]] Result<Tile> read_part(std::size_t index, std::uint64_t size, bool chunks,
                                       Diagnostics& diagnostics = Diagnostics::discarded()) const;

  std::shared_ptr<const Storage> storage_;
  ReadOptions options_;
  Map map_;
  std::vector<TilePosition> tiles_;
  Array<std::uint64_t> sizes_;  ///< by index, 0 where there is no tile
};

/// Reads the map's own part. Errors as `read`, and input.unreadable.
Result<World> open(std::shared_ptr<const Storage> storage, const ReadOptions& options = {},
                   Diagnostics& diagnostics = Diagnostics::discarded());

// --- a whole map, one tile in memory at a time

/// A map's file of which one tile at a time is read. It reports what the document of the whole file
/// (`read`) reports: the same findings, errors and events.
class Stream {
 public:
  /// Which tiles are looked at.
  using Requested = std::function<bool(const TilePosition& place)>;

  /// Reads each tile that `requested` names once, and keeps none; without it all are. Findings and errors are
  /// those of `read`, and input.unreadable.
  static Result<Stream> open(std::shared_ptr<const Storage> storage, const ReadOptions& options = {},
                             Diagnostics& diagnostics = Diagnostics::discarded(),
                             const Requested& requested = nullptr);

  /// The map's own part, and where the tiles are.
  [[nodiscard]] const World& world() const { return world_; }
  /// The requested tiles, by their places among World::tiles(): the others are not reported, and what is
  /// reported of those numbers them as `read` does, but in the list of an inspection.
  [[nodiscard]] const std::vector<std::size_t>& chosen() const { return chosen_; }
  /// Whether that is all of them.
  [[nodiscard]] bool is_whole() const { return chosen_.size() == world_.tiles().size(); }
  /// The file.
  [[nodiscard]] const Storage& storage() const { return *storage_; }
  /// Bytes of the file.
  [[nodiscard]] std::uint64_t size() const { return storage_->size(); }

  /// As wdt::inspect. Ends early if ReadOptions::control was stopped, or `failure` says why.
  void inspect(Inspector& inspector) const;
  /// The same as a value, which refers to this.
  [[nodiscard]] Inspection inspection() const;
  /// The first byte in which what `write` gives is not the file's; none if it is the same file.
  [[nodiscard]] std::optional<std::uint64_t> first_difference() const;
  /// Why a tile could be read no more after it was opened, if so: what was reported since is not all.
  [[nodiscard]] std::optional<Error> failure() const;
  /// One tile, by its place among World::tiles; none if it cannot be read (see `failure`).
  [[nodiscard]] std::optional<Tile> tile(std::size_t number) const;
  /// Bytes between the map's own part and the tiles.
  [[nodiscard]] const std::vector<Gap>& gaps() const { return gaps_; }

 private:
  friend class Differences;
  friend class Reading;
  struct State;

  Stream(World world, std::shared_ptr<const Storage> storage, const ReadOptions& options);
  /// What stands around the tiles, of which none is chosen.
  static Result<Stream> begin(std::shared_ptr<const Storage> storage, const ReadOptions& options,
                              Diagnostics& diagnostics);
  /// Reports what a reader reports after the tiles.
  Result<void> end(Diagnostics& diagnostics) const;
  void inspect_map(Inspector& inspector) const;
  void inspect_tile(std::size_t number, Inspector& inspector) const;
  void inspect_gaps(Inspector& inspector) const;
  [[nodiscard]] std::uint64_t offset_of(std::size_t number) const;

  World world_;
  std::shared_ptr<const Storage> storage_;
  ReadOptions options_;
  std::vector<std::size_t> chosen_;
  std::uint64_t map_size_ = 0;
  std::vector<Gap> gaps_;
  std::shared_ptr<State> state_;
};

/// The document of a file, read tile by tile: whoever has something else to do meanwhile reads on when there
/// is time. What comes of it, with findings and errors, is what `read` gives.
class Reading {
 public:
  /// Reads what stands before the tiles.
  static Result<Reading> begin(std::shared_ptr<const Storage> storage, const ReadOptions& options = {},
                               Diagnostics& diagnostics = Diagnostics::discarded());
  /// Reads the next tile; false if there was none left, and `take` has all of the map.
  Result<bool> step(Diagnostics& diagnostics = Diagnostics::discarded());
  [[nodiscard]] std::size_t done() const { return tiles_.size(); }  ///< tiles that were read
  [[nodiscard]] std::size_t count() const { return stream_.world().tiles().size(); }  ///< tiles of the map
  /// What was read so far, once.
  [[nodiscard]] Document take();

 private:
  explicit Reading(Stream stream) : stream_(std::move(stream)) {}

  Stream stream_;
  std::vector<Tile> tiles_;
};

/// As `diff` of the whole documents, two tiles at a time: those that either side requests.
std::vector<Difference> diff(const Stream& left, const Stream& right, std::size_t limit = 1000,
                             const Control* control = nullptr);

/// As `validate` of the whole document, three tiles at a time: the edges of neighbours are compared.
Diagnostics validate(const Stream& map, const ValidateOptions& options = {});

}  // namespace thaw::wdt

#pragma GCC visibility pop
