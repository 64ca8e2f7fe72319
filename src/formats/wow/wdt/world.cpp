// Maps of which only some tiles are read.
#include "describe/limits.hpp"
#include "formats/wow/wdt/document.hpp"

#include "describe/reader.hpp"

#include <limits>

namespace thaw::wdt {
namespace {

constexpr std::uint64_t kChunkHead = 8;

/// Returns where the chunks of the map end, before those of its tiles: after the last in the client's order.
std::optional<std::uint64_t> end_of_map_part(const Storage& storage) {
  constexpr std::array kTags = {FourCC{"MVER"}, FourCC{"MPHD"}, FourCC{"MAIN"},
                                FourCC{"MDNM"}, FourCC{"MONM"}, FourCC{"MODF"}};
  std::uint64_t at = 0;
  for (std::size_t next = 0; next < kTags.size() && storage.size() - at >= kChunkHead;) {
    std::array<std::uint8_t, kChunkHead> head{};
    if (!storage.read(at, head)) {
      return std::nullopt;
    }
    const auto is_head = [&](FourCC tag) {
      return std::memcmp(head.data(), backwards(tag).bytes.data(), tag.bytes.size()) == 0;
    };
    while (next < kTags.size() && !is_head(kTags.at(next))) {
      ++next;
    }
    if (next++ < kTags.size()) {
      at += std::min(storage.size() - at, kChunkHead + load_plain<std::uint32_t>(head.data() + 4));
    }
  }
  constexpr std::uint64_t kRecognizable = 20;  // whatever the first size says
  return std::max(at, std::min(storage.size(), kRecognizable));
}

}  // namespace

Result<Bytes> read_bytes(const Storage& storage, std::uint64_t at, std::uint64_t size, const Limits& limits) {
  if (size > limits.max_input_bytes) {
    return input_too_large(size, limits);
  }
  Bytes bytes(static_cast<std::size_t>(size));
  if (!storage.read(at, bytes)) {
    return fail(codes::kInputUnreadable,
                std::to_string(size) + " bytes of the map cannot be read from the file", at);
  }
  return bytes;
}

bool World::has_tile(std::size_t x, std::size_t y) const { return tile_size(x, y) > 0; }

std::uint64_t World::tile_size(std::size_t x, std::size_t y) const {
  return x < kTilesPerSide && y < kTilesPerSide ? sizes_[y * kTilesPerSide + x] : 0;
}

Result<Tile> World::read_part(std::size_t index, std::uint64_t size, bool chunks,
                              Diagnostics& diagnostics) const {
  const std::uint64_t offset = map_.tiles[index].offset;
  auto bytes = read_bytes(*storage_, offset, size, options_.limits);
  if (!bytes) {
    return tl::unexpected<Error>(std::move(bytes.error()));
  }
  Tile tile;
  tile.index = static_cast<std::uint16_t>(index);
  Diagnostics findings(std::numeric_limits<std::size_t>::max());  // the caller's list says how many are kept
  ReadOptions options = options_;
  options.control = nullptr;  // one tile is read at once: how many of them is the caller's to report
  Reader<Context> reader(*bytes, Context{offset, !chunks}, options, findings);
  describe(reader, tile);
  const auto in_file = [&](Diagnostic finding) {
    finding.offset = finding.offset ? std::optional(*finding.offset + offset) : std::nullopt;
    return finding;
  };
  for (const auto& finding : findings.items()) {
    diagnostics.add(in_file(finding));
  }
  if (reader.failed()) {
    return tl::unexpected<Error>(in_file(*reader.failure()));
  }
  return tile;
}

Result<Tile> World::tile(std::size_t x, std::size_t y, Diagnostics& diagnostics) const {
  if (!has_tile(x, y)) {
    return fail(codes::kOffsetInvalid, "the map has no tile " + std::to_string(x) + "_" + std::to_string(y));
  }
  return read_part(y * kTilesPerSide + x, tile_size(x, y), true, diagnostics);
}

Result<Tile> World::tile_head(std::size_t x, std::size_t y, Diagnostics& diagnostics) const {
  if (!has_tile(x, y)) {
    return tile(x, y, diagnostics);
  }
  const std::size_t index = y * kTilesPerSide + x;
  return read_part(index, std::min<std::uint64_t>(tile_size(x, y), map_.tiles[index].size), false,
                   diagnostics);
}

std::vector<TilePosition> World::tiles(const TileRange& range) const {
  std::vector<TilePosition> chosen;
  std::copy_if(tiles_.begin(), tiles_.end(), std::back_inserter(chosen),
               [&](const TilePosition& tile) { return range.holds(tile.x, tile.y); });
  return chosen;
}

Result<World> open(std::shared_ptr<const Storage> storage, const ReadOptions& options,
                   Diagnostics& diagnostics) {
  const auto size = end_of_map_part(*storage);
  if (!size) {
    return fail(codes::kInputUnreadable, "the beginning of the map file cannot be read");
  }
  const auto bytes = read_bytes(*storage, 0, *size, options.limits);
  if (!bytes) {
    return tl::unexpected<Error>(bytes.error());
  }
  auto map = read_document<Map>(*bytes, Context{}, options, diagnostics, recognition(*bytes),
                                [](auto& reader, Map& head) { describe(reader, head); });
  if (!map) {
    return tl::unexpected<Error>(std::move(map.error()));
  }
  World world;
  world.map_ = std::move(*map);
  world.sizes_ = tile_extents(world.map_, storage->size());
  for (std::size_t i = 0; i < kTiles; ++i) {
    if (world.sizes_[i] > 0) {
      world.tiles_.push_back(
          {static_cast<std::uint8_t>(i % kTilesPerSide), static_cast<std::uint8_t>(i / kTilesPerSide)});
    }
  }
  Diagnostics found;
  const std::uint64_t rest = storage->size() - *size;
  if (world.tiles_.empty() && rest > 0 && rest < kChunkHead) {
    const auto tail = read_bytes(*storage, *size, rest, options.limits);
    if (tail && begins_like_tag(*tail)) {
      found.add(codes::kTruncated, "chunk truncated by the end of the file", size, "gaps");
    }
  }
  for_each_lost_tile(world.map_, storage->size(), [&](Diagnostic lost) { found.add(std::move(lost)); });
  world.storage_ = std::move(storage);
  world.options_ = options;
  return judged(std::move(world), found, options, diagnostics);
}

}  // namespace thaw::wdt
