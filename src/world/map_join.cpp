#include <thaw/codes.hpp>
#include <thaw/control.hpp>
#include <thaw/world.hpp>

#include "bytes/number_text.hpp"
#include "formats/wow/wdt/map_writer.hpp"
#include "formats/wow/wdt/moved_chunks.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <vector>

namespace thaw::world {
namespace {

constexpr std::uint32_t kNoNumber = ~std::uint32_t{0};

/// A table of names, to which those of several maps are added.
class JoinedNames {
 public:
  std::uint32_t add(std::string_view name) {
    const auto [entry, fresh] =
        numbers_.emplace(std::string(name), static_cast<std::uint32_t>(names_.size()));
    if (fresh) {
      names_.emplace_back(name);
    }
    return entry->second;
  }
  [[nodiscard]] Array<char> table() const { return wdt::join_names({names_.begin(), names_.end()}); }

 private:
  std::vector<std::string> names_;
  std::map<std::string, std::uint32_t> numbers_;
};

/// One of the maps.
struct Part {
  std::string name;
  std::optional<wdt::World> world;
  std::vector<wdt::TilePosition> tiles;  ///< that are taken of it
  bool whole = false;                    ///< all of its tiles are
  std::vector<std::uint32_t> doodads;    ///< the number that each name has now
  std::vector<std::uint32_t> buildings;
  std::uint32_t first_id = kNoNumber;  ///< unique ids that its tiles have
  std::uint32_t last_id = 0;
  std::uint32_t moved = 0;  ///< by so much they are
};

std::string tile_text(std::size_t x, std::size_t y) { return std::to_string(x) + "_" + std::to_string(y); }

}  // namespace

class MapJoin::Builder {
 public:
  explicit Builder(const JoinOptions& options) : options_(options) {}

  Result<void> open(std::span<const JoinPart> maps, Diagnostics& findings) {
    for (const JoinPart& map : maps) {
      if (auto opened = open(map, findings); !opened) {
        return opened;
      }
    }
    // A map that gives chunks to itself is opened once more.
    if (options_.chunks && maps.size() == 1) {
      if (auto opened = open(maps.front(), findings); !opened) {
        return opened;
      }
    }
    if (auto chosen = choose_tiles(findings); !chosen) {
      return chosen;
    }
    if (count_ == 0) {
      return fail(codes::kWorldNoTile, "");
    }
    if (auto looked = look_at_placements(findings); !looked || !options_.chunks) {
      return looked;
    }
    return take_chunks(findings);
  }

  Result<void> write(Sink& out, Diagnostics& findings) {
    wdt::Map map;
    map.doodad_names = doodads_.table();
    map.map_object_names = buildings_.table();
    map.map_objects = map_objects_;
    wdt::MapWriter writer(out, std::move(map));
    auto done = writer.begin();
    std::size_t number = 0;
    for (std::size_t i = 0; done && i < wdt::kTiles; ++i) {
      if (owner_[i] == kNoNumber) {
        continue;
      }
      if (!proceed(options_.read.control, "tiles", number++, count_)) {
        return fail(codes::kStopped, "");
      }
      auto tile = tile_at(i, findings);
      if (!tile) {
        return tl::unexpected<Error>(std::move(tile.error()));
      }
      if (const std::size_t dropped = chunks_ ? chunks_->put_into(*tile) : 0; dropped > 0) {
        findings.add(codes::kSceneLost, counted(dropped, "placement") + " of the replaced chunks removed", {},
                     tile_text(tile->x(), tile->y()));
      }
      done = writer.add(std::move(*tile));
    }
    return done ? writer.finish() : done;
  }

  [[nodiscard]] std::optional<wdl::Document> far_terrain(std::span<const wdl::Document* const> far) const {
    wdl::Document joined;
    for (std::size_t p = 0; p < std::min(maps(), far.size()); ++p) {
      for (const wdl::Area& area : far[p] == nullptr ? std::vector<wdl::Area>() : far[p]->areas) {
        const auto place = after({static_cast<std::uint8_t>(area.x()), static_cast<std::uint8_t>(area.y())});
        if (place && owner_[*place] == p) {
          joined.areas.push_back(area);
          joined.areas.back().index = static_cast<std::uint16_t>(*place);
        }
      }
    }
    if (joined.areas.empty()) {
      return std::nullopt;
    }
    std::sort(joined.areas.begin(), joined.areas.end(),
              [](const wdl::Area& a, const wdl::Area& b) { return a.index < b.index; });
    for (wdl::Area& area : joined.areas) {
      if (chunks_) {
        chunks_->put_into(area);
      }
    }
    wdl::lay_out(joined);
    return joined;
  }

  [[nodiscard]] std::size_t tiles() const { return count_; }
  [[nodiscard]] std::size_t chunks() const { return chunks_ ? chunks_->size() : 0; }

 private:
  Result<void> open(const JoinPart& map, Diagnostics& findings) {
    auto world = wdt::open(map.storage, options_.read, findings);
    if (!world) {
      world.error().message = map.name + ": " + world.error().message;
      return tl::unexpected<Error>(std::move(world.error()));
    }
    Part& part = parts_.emplace_back();
    part.name = map.name;
    part.world = std::move(*world);
    return {};
  }

  /// Those whose tiles are taken; the last may give chunks alone.
  [[nodiscard]] std::size_t maps() const { return parts_.size() - (options_.chunks ? 1 : 0); }

  /// A tile of the joined map, as it is without chunks of another.
  Result<wdt::Tile> tile_at(std::size_t number, Diagnostics& findings) const {
    const Part& part = parts_[owner_[number]];
    const auto from = before(number);
    auto tile = part.world->tile(from.x, from.y, findings);
    if (tile) {
      renumber(part, *tile, findings);
      tile->index = static_cast<std::uint16_t>(number);
      move(*tile, options_.east * wdt::kTileSize, options_.south * wdt::kTileSize, findings);
    }
    return tile;
  }

  Result<void> take_chunks(Diagnostics& findings) {
    const Part& part = parts_.back();
    auto tile = part.world->tile(options_.chunks->tile.x, options_.chunks->tile.y, findings);
    if (!tile) {
      return tl::unexpected<Error>(std::move(tile.error()));
    }
    renumber(part, *tile, findings);
    move(*tile, options_.chunks->east * wdt::kTileSize / wdt::kChunksPerSide,
         options_.chunks->south * wdt::kTileSize / wdt::kChunksPerSide, findings);
    auto chunks = wdt::MovedChunks::of(std::move(*tile), *options_.chunks);
    if (!chunks) {
      return tl::unexpected<Error>(std::move(chunks.error()));
    }
    chunks_ = std::move(*chunks);
    for (const std::size_t number : chunks_->tiles()) {
      if (owner_[number] == kNoNumber) {
        return fail(codes::kWriteUnsupported, "the map has no tile at the target of the chunks", {},
                    tile_text(number % wdt::kTilesPerSide, number / wdt::kTilesPerSide));
      }
    }
    return look_at_edges(findings);
  }

  Result<void> look_at_edges(Diagnostics& findings) const {
    std::map<std::size_t, std::optional<wdt::Tile>> around;
    Diagnostics heard(0);  // what is wrong with the tiles is reported when they are written
    const auto edges = chunks_->open_edges([&](std::size_t x, std::size_t y) -> const wdt::Chunk* {
      const std::size_t number = y / wdt::kChunksPerSide * wdt::kTilesPerSide + x / wdt::kChunksPerSide;
      if (owner_[number] == kNoNumber) {
        return nullptr;
      }
      const auto [entry, fresh] = around.try_emplace(number);
      if (fresh) {
        auto tile = tile_at(number, heard);
        entry->second = tile ? std::optional(std::move(*tile)) : std::nullopt;
      }
      return entry->second ? entry->second->chunk(x % wdt::kChunksPerSide, y % wdt::kChunksPerSide) : nullptr;
    });
    if (edges.count > 0) {
      findings.add(codes::kTerrainEdge,
                   "height steps of up to " + short_number(double{edges.most}) + " yards at " +
                       counted(edges.count, "edge") + " of inserted chunks",
                   {}, edges.where);
    }
    return {};
  }

  /// Where a tile comes to lie, by number; none outside the map.
  [[nodiscard]] std::optional<std::size_t> after(const wdt::TilePosition& tile) const {
    constexpr int kSide = static_cast<int>(wdt::kTilesPerSide);
    const int x = tile.x + options_.east;
    const int y = tile.y + options_.south;
    const bool within = x >= 0 && x < kSide && y >= 0 && y < kSide;
    return within ? std::optional(static_cast<std::size_t>(y * kSide + x)) : std::nullopt;
  }
  /// Where it lay.
  [[nodiscard]] wdt::TilePosition before(std::size_t number) const {
    constexpr int kSide = static_cast<int>(wdt::kTilesPerSide);
    const int place = static_cast<int>(number);
    return {static_cast<std::uint8_t>(place % kSide - options_.east),
            static_cast<std::uint8_t>(place / kSide - options_.south)};
  }

  /// What stands on a tile and sounds there goes along.
  static void move(wdt::Tile& tile, double yards_east, double yards_south, Diagnostics& findings) {
    if (yards_east == 0 && yards_south == 0) {
      return;
    }
    const auto east = static_cast<float>(yards_east);
    const auto south = static_cast<float>(yards_south);
    const auto stored = [&](Vec3& place) {
      place[0] += east;
      place[2] += south;
    };
    for (auto& doodad : tile.doodads) {
      stored(doodad.position);
    }
    for (auto& object : tile.map_objects) {
      stored(object.position);
      stored(object.box_minimum);
      stored(object.box_maximum);
    }
    bool sounds = false;
    for (auto& chunk : tile.chunks) {
      for (auto& emitter : chunk.emitters) {
        emitter.position[0] -= south;
        emitter.position[1] -= east;
        sounds = true;
      }
    }
    if (sounds) {
      findings.add(codes::kUnproven,
                   "sound positions moved like world positions, which no published file confirms; please "
                   "share the file");
    }
  }

  Result<void> choose_tiles(Diagnostics& findings) {
    owner_.assign(wdt::kTiles, kNoNumber);
    std::size_t replaced = 0;
    for (std::size_t p = 0; p < maps(); ++p) {
      for (const auto& tile : parts_[p].world->tiles(options_.tiles)) {
        const auto place = after(tile);
        if (!place) {
          return fail(codes::kWriteUnsupported,
                      "tile " + tile_text(tile.x, tile.y) + " would be outside the map");
        }
        std::uint32_t& owner = owner_[*place];
        replaced += owner == kNoNumber ? 0U : 1U;
        owner = static_cast<std::uint32_t>(p);
      }
    }
    for (std::size_t i = 0; i < wdt::kTiles; ++i) {
      if (owner_[i] != kNoNumber) {
        parts_[owner_[i]].tiles.push_back(before(i));
        ++count_;
      }
    }
    for (std::size_t p = 0; p < maps(); ++p) {
      parts_[p].whole = parts_[p].tiles.size() == parts_[p].world->tiles().size();
    }
    if (replaced > 0) {
      findings.add(codes::kSceneChanged,
                   counted(replaced, "tile") + " of a later map " +
                       (replaced == 1 ? "replaces an earlier one" : "replace earlier ones"));
    }
    return {};
  }

  /// Which names are used, and which unique ids. A map that is taken whole keeps all of its names.
  Result<void> look_at_placements(Diagnostics& findings) {
    for (Part& part : parts_) {
      const wdt::Map& map = part.world->map();
      const auto doodads = wdt::split_names(map.doodad_names);
      const auto buildings = wdt::split_names(map.map_object_names);
      std::vector<bool> doodads_used(doodads.size(), part.whole);
      std::vector<bool> buildings_used(buildings.size(), part.whole);
      const auto use = [](std::vector<bool>& used, std::uint32_t name) {
        if (name < used.size()) {
          used[name] = true;
        }
      };
      const auto use_doodad = [&](const wdt::Doodad& doodad) {
        use(doodads_used, doodad.name_id);
        note_id(part, doodad.unique_id);
      };
      const auto use_building = [&](const wdt::MapObject& object) {
        use(buildings_used, object.name_id);
        note_id(part, object.unique_id);
      };
      for (const auto& place : part.tiles) {
        const auto head = part.world->tile_head(place.x, place.y, findings);
        if (!head) {
          return tl::unexpected<Error>(head.error());
        }
        std::for_each(head->doodads.begin(), head->doodads.end(), use_doodad);
        std::for_each(head->map_objects.begin(), head->map_objects.end(), use_building);
      }
      if (options_.chunks && &part == &parts_.back()) {
        if (auto used = for_each_moved(part, use_doodad, use_building, findings); !used) {
          return used;
        }
      } else {
        take_building(part, buildings_used, findings);
      }
      part.doodads = add_names(doodads_, doodads, doodads_used);
      part.buildings = add_names(buildings_, buildings, buildings_used);
      for (auto& object : part_objects_) {
        object.name_id =
            object.name_id < part.buildings.size() ? part.buildings[object.name_id] : object.name_id;
        map_objects_.push_back(object);
      }
      part_objects_.clear();
    }
    keep_ids_apart();
    return {};
  }

  /// What stands on the chunks that go.
  template <class UseDoodad, class UseBuilding>
  Result<void> for_each_moved(const Part& part, const UseDoodad& use_doodad, const UseBuilding& use_building,
                              Diagnostics& findings) const {
    const auto tile = part.world->tile(options_.chunks->tile.x, options_.chunks->tile.y, findings);
    if (!tile) {
      return tl::unexpected<Error>(tile.error());
    }
    for (const wdt::Chunk& chunk : tile->chunks) {
      if (options_.chunks->holds(chunk)) {
        for (const std::uint32_t i : chunk.doodad_references()) {
          if (i < tile->doodads.size()) {
            use_doodad(tile->doodads[i]);
          }
        }
        for (const std::uint32_t i : chunk.map_object_references()) {
          if (i < tile->map_objects.size()) {
            use_building(tile->map_objects[i]);
          }
        }
      }
    }
    return {};
  }

  static void note_id(Part& part, std::uint32_t id) {
    part.first_id = std::min(part.first_id, id);
    part.last_id = std::max(part.last_id, id);
  }

  /// The building that is a map, of the first that is one.
  void take_building(const Part& part, std::vector<bool>& used, Diagnostics& findings) {
    const auto& objects = part.world->map().map_objects;
    if (objects.empty()) {
      return;
    }
    if (!map_objects_.empty()) {
      findings.add(codes::kSceneLost, "WMO of the map " + part.name + " left out; a map has only one");
      return;
    }
    part_objects_ = objects;
    for (const auto& object : objects) {
      if (object.name_id < used.size()) {
        used[object.name_id] = true;
      }
    }
  }

  static std::vector<std::uint32_t> add_names(JoinedNames& to, const std::vector<std::string_view>& names,
                                              const std::vector<bool>& used) {
    std::vector<std::uint32_t> numbers(names.size(), kNoNumber);
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (used[i]) {
        numbers[i] = to.add(names[i]);
      }
    }
    return numbers;
  }

  /// A map whose ids meet those of one before gets others, all moved alike: a thing on a border has one id in
  /// all of its tiles.
  void keep_ids_apart() {
    std::uint32_t last = 0;
    bool any = false;
    for (Part& part : parts_) {
      if (part.first_id > part.last_id) {
        continue;
      }
      const bool meets = any && part.first_id <= last;
      const std::uint64_t room = std::uint64_t{kNoNumber} - part.last_id;
      if (meets && std::uint64_t{last} + 1 - part.first_id < room) {
        part.moved = last + 1 - part.first_id;
      }
      last = std::max(last, part.last_id + part.moved);
      any = true;
    }
  }

  static void renumber(const Part& part, wdt::Tile& tile, Diagnostics& findings) {
    std::size_t lost = 0;
    const auto one = [&](std::uint32_t& name, std::uint32_t& id, const std::vector<std::uint32_t>& numbers) {
      if (name < numbers.size()) {
        name = numbers[name];
      } else {
        ++lost;
      }
      id += part.moved;
    };
    for (auto& doodad : tile.doodads) {
      one(doodad.name_id, doodad.unique_id, part.doodads);
    }
    for (auto& object : tile.map_objects) {
      one(object.name_id, object.unique_id, part.buildings);
    }
    std::size_t bytes = 0;
    for (const auto& gap : tile.gaps) {
      bytes += gap.bytes.size();
    }
    const std::string place = tile_text(tile.x(), tile.y());
    if (lost > 0) {
      findings.add(codes::kSceneChanged,
                   counted(lost, "placement") + " written without a name, because the map has none for them",
                   {}, place);
    }
    if (bytes > 0) {
      findings.add(codes::kSceneLost, counted(bytes, "byte") + " outside of all chunks left out", {}, place);
    }
  }

  JoinOptions options_;
  std::vector<Part> parts_;           ///< with chunks that go, the last is the one that gives them
  std::vector<std::uint32_t> owner_;  ///< the part whose tile is taken, by place
  std::size_t count_ = 0;
  JoinedNames doodads_;
  JoinedNames buildings_;
  std::vector<wdt::MapObject> map_objects_;
  std::vector<wdt::MapObject> part_objects_;
  std::optional<wdt::MovedChunks> chunks_;
};

MapJoin::MapJoin(std::unique_ptr<Builder> work) : work_(std::move(work)) {}
MapJoin::MapJoin(MapJoin&&) noexcept = default;
MapJoin& MapJoin::operator=(MapJoin&&) noexcept = default;
MapJoin::~MapJoin() = default;

Result<MapJoin> MapJoin::open(std::span<const JoinPart> maps, const JoinOptions& options,
                              Diagnostics& diagnostics) {
  auto work = std::make_unique<Builder>(options);
  const auto opened = work->open(maps, diagnostics);
  return opened ? Result<MapJoin>(MapJoin(std::move(work))) : tl::unexpected<Error>(opened.error());
}

Result<void> MapJoin::write(Sink& out, Diagnostics& diagnostics) { return work_->write(out, diagnostics); }

std::optional<wdl::Document> MapJoin::far_terrain(std::span<const wdl::Document* const> far) const {
  return work_->far_terrain(far);
}

std::size_t MapJoin::tiles() const { return work_->tiles(); }
std::size_t MapJoin::chunks() const { return work_->chunks(); }

}  // namespace thaw::world
