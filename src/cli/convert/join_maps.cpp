#include "cli/convert/join_maps.hpp"

#include <thaw/scene_codes.hpp>
#include <thaw/sources.hpp>
#include <thaw/wow_codes.hpp>

#include "cli/convert/convert_kinds.hpp"
#include "cli/inputs/distinct.hpp"
#include "cli/jobs/engine.hpp"
#include "cli/jobs/save.hpp"
#include "cli/jobs/save_archive.hpp"
#include "cli/jobs/unused_options.hpp"
#include "cli/platform/job_control.hpp"
#include "cli/report/report.hpp"
#include "cli/report/text.hpp"
#include "formats/wow/wdt/map_writer.hpp"

#include <algorithm>
#include <limits>
#include <map>

namespace thaw::cli {
namespace {

namespace fs = std::filesystem;

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
  const Input* input = nullptr;
  std::optional<wdt::World> world;
  std::vector<wdt::TilePosition> tiles;  ///< that are taken of it
  bool whole = false;                    ///< all of its tiles are
  std::vector<std::uint32_t> doodads;    ///< the number that each name has now
  std::vector<std::uint32_t> buildings;
  std::uint32_t first_id = kNoNumber;  ///< unique ids that its tiles have
  std::uint32_t last_id = 0;
  std::uint32_t moved = 0;  ///< by so much they are
};

class Join {
 public:
  Join(const Settings& settings, const TileRange& range, const TileShift& shift,
       const std::optional<wdt::ChunkMove>& move)
      : settings_(settings), range_(range), shift_(shift), chunk_move_(move) {}

  Result<void> open(const std::vector<Input>& inputs, Diagnostics& findings) {
    for (const Input& input : inputs) {
      if (auto opened = open(input, findings); !opened) {
        return opened;
      }
    }
    // A map that gives chunks to itself is opened once more.
    if (chunk_move_ && inputs.size() == 1) {
      if (auto opened = open(inputs.front(), findings); !opened) {
        return opened;
      }
    }
    if (auto chosen = choose_tiles(findings); !chosen) {
      return chosen;
    }
    if (count_ == 0) {
      return fail(codes::kWorldNoTile, "");
    }
    if (auto looked = look_at_placements(findings); !looked || !chunk_move_) {
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
      if (!proceed(current_control(), "tiles", number++, count_)) {
        stop_when_asked();
      }
      auto tile = tile_at(i, findings);
      if (!tile) {
        return tl::unexpected<Error>(std::move(tile.error()));
      }
      if (const std::size_t dropped = chunks_ ? chunks_->put_into(*tile) : 0; dropped > 0) {
        findings.add(codes::kSceneLost,
                     concat({counted(dropped, "placement"), " that stood on the chunks before alone"}), {},
                     concat({std::to_string(tile->x()), "_", std::to_string(tile->y())}));
      }
      done = writer.add(std::move(*tile));
    }
    return done ? writer.finish() : done;
  }

  /// Of the tiles that are taken, as far as there is far terrain beside their maps.
  [[nodiscard]] std::optional<Bytes> far_terrain(Diagnostics& findings) const {
    wdl::Document far;
    for (std::size_t p = 0; p < maps(); ++p) {
      const fs::path beside = fs::path(parts_[p].input->path).replace_extension(".wdl");
      const auto bytes = read_file(beside, read_options(settings_).limits);
      const auto own = bytes ? wdl::read(*bytes, read_options(settings_), findings)
                             : Result<wdl::Document>(tl::unexpected<Error>(bytes.error()));
      for (const wdl::Area& area : own ? own->areas : std::vector<wdl::Area>()) {
        const auto place = after({static_cast<std::uint8_t>(area.x()), static_cast<std::uint8_t>(area.y())});
        if (place && owner_[*place] == p) {
          far.areas.push_back(area);
          far.areas.back().index = static_cast<std::uint16_t>(*place);
        }
      }
    }
    if (far.areas.empty()) {
      return std::nullopt;
    }
    std::sort(far.areas.begin(), far.areas.end(),
              [](const wdl::Area& a, const wdl::Area& b) { return a.index < b.index; });
    for (wdl::Area& area : far.areas) {
      if (chunks_) {
        chunks_->put_into(area);
      }
    }
    wdl::lay_out(far);
    return wdl::write(far);
  }

  /// "16 tiles of 2 maps", "4 chunks into 16 tiles".
  [[nodiscard]] std::string facts() const {
    const std::string tiles = counted(count_, "tile");
    return chunks_ ? concat({counted(chunks_->size(), "chunk"), " into ", tiles})
                   : concat({tiles, " of ", counted(parts_.size(), "map")});
  }

 private:
  Result<void> open(const Input& input, Diagnostics& findings) {
    auto storage = input_storage(input, settings_);
    if (!storage) {
      return tl::unexpected<Error>(std::move(storage.error()));
    }
    auto world = wdt::open(std::move(*storage), read_options(settings_), findings);
    if (!world) {
      world.error().message = concat({input.name, ": ", world.error().message});
      return tl::unexpected<Error>(std::move(world.error()));
    }
    Part& part = parts_.emplace_back();
    part.input = &input;
    part.world = std::move(*world);
    return {};
  }

  /// Those whose tiles are taken; the last may give chunks alone.
  [[nodiscard]] std::size_t maps() const { return parts_.size() - (chunk_move_ ? 1 : 0); }

  /// A tile of the joined map, as it is without chunks of another.
  Result<wdt::Tile> tile_at(std::size_t number, Diagnostics& findings) const {
    const Part& part = parts_[owner_[number]];
    const auto from = before(number);
    auto tile = part.world->tile(from.x, from.y, findings);
    if (tile) {
      renumber(part, *tile, findings);
      tile->index = static_cast<std::uint16_t>(number);
      move(*tile, shift_.x * wdt::kTileSize, shift_.y * wdt::kTileSize, findings);
    }
    return tile;
  }

  Result<void> take_chunks(Diagnostics& findings) {
    const Part& part = parts_.back();
    auto tile = part.world->tile(chunk_move_->tile.x, chunk_move_->tile.y, findings);
    if (!tile) {
      return tl::unexpected<Error>(std::move(tile.error()));
    }
    renumber(part, *tile, findings);
    move(*tile, chunk_move_->east * wdt::kTileSize / wdt::kChunksPerSide,
         chunk_move_->south * wdt::kTileSize / wdt::kChunksPerSide, findings);
    auto chunks = wdt::MovedChunks::of(std::move(*tile), *chunk_move_);
    if (!chunks) {
      return tl::unexpected<Error>(std::move(chunks.error()));
    }
    chunks_ = std::move(*chunks);
    for (const std::size_t number : chunks_->tiles()) {
      if (owner_[number] == kNoNumber) {
        return fail(codes::kWriteUnsupported, "the map has no tile here for chunks to be put into", {},
                    concat({std::to_string(number % wdt::kTilesPerSide), "_",
                            std::to_string(number / wdt::kTilesPerSide)}));
      }
    }
    return look_at_edges(findings);
  }

  Result<void> look_at_edges(Diagnostics& findings) const {
    std::map<std::size_t, std::optional<wdt::Tile>> around;
    Diagnostics heard(0);  // what is wrong with the tiles is told when they are written
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
                   concat({counted(edges.count, "edge"), " of chunks that were put in, by up to ",
                           short_number(double{edges.most}), " yards"}),
                   {}, edges.where);
    }
    return {};
  }

  /// Where a tile comes to lie, by number; none beside the map.
  [[nodiscard]] std::optional<std::size_t> after(const wdt::TilePosition& tile) const {
    constexpr int kSide = static_cast<int>(wdt::kTilesPerSide);
    const int x = tile.x + shift_.x;
    const int y = tile.y + shift_.y;
    const bool within = x >= 0 && x < kSide && y >= 0 && y < kSide;
    return within ? std::optional(static_cast<std::size_t>(y * kSide + x)) : std::nullopt;
  }
  /// Where it lay.
  [[nodiscard]] wdt::TilePosition before(std::size_t number) const {
    constexpr int kSide = static_cast<int>(wdt::kTilesPerSide);
    const int place = static_cast<int>(number);
    return {static_cast<std::uint8_t>(place % kSide - shift_.x),
            static_cast<std::uint8_t>(place / kSide - shift_.y)};
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
                   "places of sounds are moved as those of the world, which no file proves");
    }
  }

  Result<void> choose_tiles(Diagnostics& findings) {
    owner_.assign(wdt::kTiles, kNoNumber);
    std::size_t replaced = 0;
    for (std::size_t p = 0; p < maps(); ++p) {
      for (const auto& tile : tiles_of(*parts_[p].world, range_)) {
        const auto place = after(tile);
        if (!place) {
          return fail(codes::kWriteUnsupported,
                      concat({"the tile ", std::to_string(tile.x), "_", std::to_string(tile.y),
                              " would lie beside the map"}));
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
      findings.add(codes::kSceneChanged, concat({counted(replaced, "tile"), " of a map that comes later ",
                                                 replaced == 1 ? "replaces" : "replace", " earlier ones"}));
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
      if (chunk_move_ && &part == &parts_.back()) {
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
    const auto tile = part.world->tile(chunk_move_->tile.x, chunk_move_->tile.y, findings);
    if (!tile) {
      return tl::unexpected<Error>(tile.error());
    }
    for (const wdt::Chunk& chunk : tile->chunks) {
      if (chunk_move_->holds(chunk)) {
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
      findings.add(codes::kSceneLost, concat({"the building that is the map ", part.input->name}));
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
    const std::string place = concat({std::to_string(tile.x()), "_", std::to_string(tile.y())});
    if (lost > 0) {
      findings.add(codes::kSceneChanged, concat({counted(lost, "placement"), " of names that the map lacks"}),
                   {}, place);
    }
    if (bytes > 0) {
      findings.add(codes::kSceneLost, concat({counted(bytes, "byte"), " that belong to no chunk"}), {},
                   place);
    }
  }

  const Settings& settings_;
  const TileRange& range_;
  const TileShift& shift_;
  const std::optional<wdt::ChunkMove>& chunk_move_;
  std::vector<Part> parts_;           ///< with chunks that go, the last is the one that gives them
  std::vector<std::uint32_t> owner_;  ///< the part whose tile is taken, by place
  std::size_t count_ = 0;
  JoinedNames doodads_;
  JoinedNames buildings_;
  std::vector<wdt::MapObject> map_objects_;
  std::vector<wdt::MapObject> part_objects_;
  std::optional<wdt::MovedChunks> chunks_;
};

/// Why the command line cannot be carried out; empty if it can.
std::string objection(const Settings& settings, const std::vector<Input>& inputs) {
  for (const Input& input : inputs) {
    if (identify_file(input).format != "wdt") {
      return concat({input.name, " is no map of the alpha, which others are: convert it to one first"});
    }
    std::error_code error;
    if (fs::equivalent(input.path, settings.output, error)) {
      return concat({"-o ", settings.output, " is one of the inputs"});
    }
  }
  if (settings.output.empty() || extension_of(settings.output) != ".wdt") {
    return "maps become one map, which -o names, such as Joined.wdt";
  }
  if (settings.chunks.empty() && !settings.move_chunks.empty()) {
    return "--move-chunks is for those that --chunks names";
  }
  if (!settings.chunks.empty() && !settings.move_tiles.empty()) {
    return "--move-tiles and --chunks: one at a time";
  }
  if (!settings.chunks.empty() && inputs.size() == 1 && settings.move_chunks.empty()) {
    return "--chunks of a single map go elsewhere in it, which --move-chunks says";
  }
  Run run{"convert", "converted", convert_kinds(), {}};
  Job job{inputs.front()};
  job.kind = convert_kind(find_format("wdt"), "wdt");
  run.jobs.push_back(std::move(job));
  return unused_option(settings, run);
}

}  // namespace

Exit join_maps(const Settings& settings, const std::vector<Input>& inputs, const TileRange& range) {
  const auto shift = parse_shift(settings.move_tiles);
  if (!shift) {
    return usage_error("convert",
                       concat({"--move-tiles ", settings.move_tiles, " is not as 2,-1, in tiles"}));
  }
  const auto move = parse_chunks(settings.chunks, settings.move_chunks);
  if (!settings.chunks.empty() && !move) {
    return usage_error("convert",
                       concat({"--chunks ", settings.chunks, " --move-chunks ", settings.move_chunks,
                               ": a tile and its chunks are as 31,48:4-7,0-3, a way as 3,-16"}));
  }
  if (const std::string why = objection(settings, inputs); !why.empty()) {
    return usage_error("convert", why);
  }
  ArchiveReport report{"convert", "converted", ""};
  Join join(settings, range, *shift, move);
  const fs::path far_path = fs::path(settings.output).replace_extension(".wdl");
  auto opened = join.open(inputs, report.findings);
  const auto far = opened ? join.far_terrain(report.findings) : std::nullopt;
  std::error_code error;
  if (far && !settings.force && fs::exists(far_path, error)) {
    opened = fail(codes::kWriteExists, to_utf8(far_path.string()));
  }
  if (!opened) {
    return fail_with("convert", settings, opened.error());
  }
  report.facts = join.facts();
  const Exit exit = save_archive(
      settings, settings.output,
      [&](Sink& out, ArchiveReport& told) { return join.write(out, told.findings); }, std::move(report));
  if (exit != kOk || settings.dry_run || !far) {
    return exit;
  }
  const auto saved = save_file(far_path, *far, settings.force);
  return saved ? exit : fail_with("convert", settings, saved.error());
}

}  // namespace thaw::cli
