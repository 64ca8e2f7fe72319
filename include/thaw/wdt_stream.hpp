// A whole map, tile by tile: what looks at all of a file that is too large to be held at once.
#pragma once

#include <thaw/inspect.hpp>
#include <thaw/validate.hpp>
#include <thaw/wdt.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#pragma GCC visibility push(default)

namespace thaw::wdt {

/// A map's file of which one tile at a time is read. What it tells is what the document of the whole file
/// (`read`) tells: the same findings, errors and events.
class Stream {
 public:
  /// Which tiles are looked at.
  using Wanted = std::function<bool(const TilePosition& place)>;

  /// Reads every tile that is wanted once, and keeps none; without `wanted` all are. Findings and errors are
  /// those of `read`, and input.unreadable.
  static Result<Stream> open(std::shared_ptr<const Storage> storage, const ReadOptions& options = {},
                             Diagnostics& diagnostics = Diagnostics::unwanted(),
                             const Wanted& wanted = nullptr);

  /// The map's own part, and where the tiles are.
  [[nodiscard]] const World& world() const { return world_; }
  /// The tiles that are wanted, by their places among World::tiles(): the others are not told of, and what is
  /// told of those numbers them as `read` does, but in the list of an inspection.
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
  /// Why a tile could be read no more after it was opened, if so: what was told since is not all.
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
  /// Tells what a reader tells behind the tiles.
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
                               Diagnostics& diagnostics = Diagnostics::unwanted());
  /// Reads the next tile; false if there was none left, and `take` has all of the map.
  Result<bool> step(Diagnostics& diagnostics = Diagnostics::unwanted());
  [[nodiscard]] std::size_t done() const { return tiles_.size(); }  ///< tiles that were read
  [[nodiscard]] std::size_t count() const { return stream_.world().tiles().size(); }  ///< tiles of the map
  /// What was read so far, once.
  [[nodiscard]] Document take();

 private:
  explicit Reading(Stream stream) : stream_(std::move(stream)) {}

  Stream stream_;
  std::vector<Tile> tiles_;
};

/// As `diff` of the whole documents, two tiles at a time: those that either side wants.
std::vector<Difference> diff(const Stream& left, const Stream& right, std::size_t limit = 1000,
                             const Control* control = nullptr);

/// As `validate` of the whole document, three tiles at a time: the edges of neighbours are compared.
Diagnostics validate(const Stream& map, const ValidateOptions& options = {});

}  // namespace thaw::wdt

#pragma GCC visibility pop
