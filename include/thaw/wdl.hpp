// Far terrain of World of Warcraft's maps (WDL): a coarse lattice of heights per tile, drawn where the
// terrain itself is not loaded. See wdl.md#structure.
#pragma once

#include <thaw/bytes.hpp>
#include <thaw/diagnostics.hpp>
#include <thaw/inspect.hpp>
#include <thaw/options.hpp>

#include <vector>

#pragma GCC visibility push(default)

/// Far terrain of World of Warcraft's maps.
namespace thaw::wdl {

inline constexpr std::size_t kTilesPerSide = 64;                      ///< of the map
inline constexpr std::size_t kTiles = kTilesPerSide * kTilesPerSide;  ///< of the map
inline constexpr std::size_t kOuterSide = 17;                         ///< corners of a tile's chunks
inline constexpr std::size_t kInnerSide = 16;                         ///< their middles
inline constexpr std::size_t kOuterCount = kOuterSide * kOuterSide;   ///< heights of chunk corners in a tile
inline constexpr std::size_t kInnerCount = kInnerSide * kInnerSide;   ///< heights of chunk middles in a tile

/// A tile's heights in whole yards, rows southward, columns eastward.
struct Area {
  std::uint16_t index = 0;  ///< y · 64 + x
  ChunkFrame frame;
  std::array<std::int16_t, kOuterCount> outer{};
  std::array<std::int16_t, kInnerCount> inner{};
  ChunkFrame holes_frame{false, {}, {}};
  /// MAHO of later versions: a row of 16 bits per row of chunks.
  std::array<std::uint16_t, kInnerSide> holes{};

  /// Column in the map, eastward.
  [[nodiscard]] std::size_t x() const { return index % kTilesPerSide; }
  /// Row in the map, southward.
  [[nodiscard]] std::size_t y() const { return index / kTilesPerSide; }
  /// Height of a corner of chunks, in yards; row and column are 0 to 16.
  [[nodiscard]] std::int16_t outer_at(std::size_t row, std::size_t column) const {
    return outer.at(row * kOuterSide + column);
  }
  /// Height of the middle of a chunk, in yards; row and column are 0 to 15.
  [[nodiscard]] std::int16_t inner_at(std::size_t row, std::size_t column) const {
    return inner.at(row * kInnerSide + column);
  }
  /// Whether a chunk is a hole; row and column are 0 to 15.
  [[nodiscard]] bool has_hole(std::size_t row, std::size_t column) const {
    return holes_frame.present && (holes.at(row) >> column & 1U) != 0;
  }

  static constexpr std::size_t kPayload = (kOuterCount + kInnerCount) * 2;
  friend bool operator==(const Area&, const Area&) = default;
};

/// A file: the heights of a whole map.
struct Document {
  ChunkFrame version_frame;
  std::uint32_t version = 18;
  /// MWMO, MWID and MODF of later versions: buildings that are seen from afar.
  ChunkFrame names_frame{false, {}, {}};
  Array<char> names;
  ChunkFrame name_offsets_frame{false, {}, {}};
  Array<std::uint32_t> name_offsets;
  ChunkFrame placements_frame{false, {}, {}};
  Array<std::uint8_t> placements;  ///< records of 64 bytes
  ChunkFrame offsets_frame;
  Array<std::uint32_t> offsets;  ///< MAOF: of MARE in the file, 0 for none; 4096
  std::vector<Area> areas;       ///< MARE, those that are there, ascending by index
  std::vector<Gap> gaps;         ///< what no chunk claims

  /// The heights of the tile in this column and row, or null.
  [[nodiscard]] const Area* area(std::size_t x, std::size_t y) const;
  friend bool operator==(const Document&, const Document&) = default;
};

/// True for MVER, then one of the chunks that only far terrain begins with.
bool is_wdl(ByteView bytes);

/// Damaged parts are preserved and reported. Errors: format.unknown, input.too-large, and with `strict`
/// the first damage.
Result<Document> read(ByteView bytes, const ReadOptions& options = {},
                      Diagnostics& diagnostics = Diagnostics::discarded());

/// The file's bytes, every area where the table says.
Bytes write(const Document& document);

/// Places the areas one after the other, ascending by index, in the table of offsets, and drops the
/// gaps: what a document made or edited by a program needs before it is written.
void lay_out(Document& document);

/// Shows every field with its offset.
void inspect(const Document& document, Inspector& inspector);

}  // namespace thaw::wdl

#pragma GCC visibility pop
