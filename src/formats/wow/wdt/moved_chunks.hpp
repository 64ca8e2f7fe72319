// Chunks on their way from one tile into others (docs/user/worlds.md#chunks-of-another-map).
#pragma once

#include <thaw/wdl.hpp>
#include <thaw/wdt.hpp>

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace thaw::wdt {

/// By how much chunks do not meet the ones around them.
struct OpenEdges {
  std::size_t count = 0;
  float most = 0;     ///< yards
  std::string where;  ///< of the widest
};

/// Chunks with their textures and what stands on them, at the places that they come to lie. Of a place, x and
/// y count chunks over the whole map.
class MovedChunks {
 public:
  MovedChunks(const MovedChunks&) = delete;
  MovedChunks(MovedChunks&&) = default;
  MovedChunks& operator=(const MovedChunks&) = delete;
  MovedChunks& operator=(MovedChunks&&) = default;
  ~MovedChunks() = default;

  /// `from` is the tile that has them, with names, ids and places as they are to be. Errors:
  /// write.unsupported for chunks that are missing, damaged, outside the map, or beyond what a chunk can be.
  static Result<MovedChunks> of(Tile from, const ChunkMove& move);

  /// Indices of the tiles that they come into, ascending.
  [[nodiscard]] std::vector<std::size_t> tiles() const;
  /// How many.
  [[nodiscard]] std::size_t size() const { return chunks_.size(); }
  /// The one that comes to lie there, or null.
  [[nodiscard]] const Chunk* at(std::size_t x, std::size_t y) const;
  /// Those of the tile's chunks for which there are others here become these. Textures and placements that
  /// the tile has already are its own; what none of its chunks names any more is dropped. Returns how many
  /// placements were.
  std::size_t put_into(Tile& to) const;
  /// Far terrain as high as the chunks, in their corners and middles.
  void put_into(wdl::Area& area) const;
  /// Edges between these and the others; `other` finds those, or null.
  [[nodiscard]] OpenEdges open_edges(
      const std::function<const Chunk*(std::size_t x, std::size_t y)>& other) const;

 private:
  explicit MovedChunks(Tile from) : from_(std::move(from)) {}

  Tile from_;
  std::map<std::pair<std::size_t, std::size_t>, const Chunk*> chunks_;  ///< by row and column; of from_
};

}  // namespace thaw::wdt
