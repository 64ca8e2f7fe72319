#include "formats/wow/terrain_facts.hpp"

#include <set>

namespace thaw {
namespace {

class Counts {
 public:
  explicit Counts(Facts& facts) : facts_(facts) {}

  /// What there is none of is not reported.
  Counts& add(std::string_view kind, std::size_t count) {
    if (count > 0) {
      facts_.counts.push_back({kind, count});
    }
    return *this;
  }

 private:
  Facts& facts_;
};

struct Tally {
  std::size_t chunks = 0;
  std::size_t holes = 0;  ///< chunks with some
  std::size_t doodads = 0;
  std::size_t map_objects = 0;
  std::size_t emitters = 0;
  std::array<std::size_t, wdt::kLiquidKinds> liquids{};  ///< chunks with each
};

void count_chunk(const wdt::Chunk& chunk, Tally& tally) {
  ++tally.chunks;
  tally.holes += chunk.header.holes != 0 ? 1U : 0U;
  tally.emitters += chunk.emitters.size();
  for (std::size_t kind = 0; kind < wdt::kLiquidKinds; ++kind) {
    tally.liquids.at(kind) += chunk.liquid(static_cast<wdt::LiquidKind>(kind)) != nullptr ? 1U : 0U;
  }
}

Tally count(const wdt::Document& document) {
  Tally tally;
  for (const auto& tile : document.tiles) {
    tally.doodads += tile.doodads.size();
    tally.map_objects += tile.map_objects.size();
    for (const auto& chunk : tile.chunks) {
      count_chunk(chunk, tally);
    }
  }
  return tally;
}

void add_references(std::string_view kind, const Array<char>& table, Facts& facts) {
  for (const auto name : wdt::split_names(table)) {
    facts.references.push_back({kind, to_utf8(name)});
  }
}

/// "columns 30 to 34, rows 41 to 44" of the places for which `is_there(index)`.
template <class F>
std::string extent_text(F&& is_there) {
  std::array<std::size_t, 4> reach = {wdt::kTilesPerSide, 0, wdt::kTilesPerSide, 0};
  for (std::size_t i = 0; i < wdt::kTiles; ++i) {
    if (is_there(i)) {
      const std::size_t x = i % wdt::kTilesPerSide;
      const std::size_t y = i / wdt::kTilesPerSide;
      reach = {std::min(reach[0], x), std::max(reach[1], x), std::min(reach[2], y), std::max(reach[3], y)};
    }
  }
  const auto span_text = [](const char* what, std::size_t first, std::size_t last) {
    return first == last ? what + (' ' + std::to_string(first))
                         : what + ("s " + std::to_string(first)) + " to " + std::to_string(last);
  };
  return span_text("column", reach[0], reach[1]) + ", " + span_text("row", reach[2], reach[3]);
}

std::string shown(const wdt::Document& document) {
  const bool dungeon = document.map.is_dungeon();
  if (document.tiles.empty()) {
    return dungeon ? "the map consists of one WMO" : "an empty map";
  }
  const auto place = extent_text([&](std::size_t i) {
    return document.tile(i % wdt::kTilesPerSide, i / wdt::kTilesPerSide) != nullptr;
  });
  return (dungeon ? "one WMO and terrain: " : "terrain: ") + place;
}

}  // namespace

Facts facts_of(const wdt::Document& document) {
  Facts facts;
  const Tally tally = count(document);
  Counts counts(facts);
  counts.add("tile", document.tiles.size()).add("chunk", tally.chunks).add("holed chunk", tally.holes);
  constexpr std::array<std::string_view, wdt::kLiquidKinds> kKinds = {"river chunk", "ocean chunk",
                                                                      "magma chunk", "slime chunk"};
  for (std::size_t kind = 0; kind < kKinds.size(); ++kind) {
    counts.add(kKinds.at(kind), tally.liquids.at(kind));
  }
  counts.add("doodad", tally.doodads).add("building", tally.map_objects + document.map.map_objects.size());
  counts.add("sound emitter", tally.emitters);
  add_references("model", document.map.doodad_names, facts);
  add_references("building", document.map.map_object_names, facts);
  std::set<std::string> textures;
  for (const auto& tile : document.tiles) {
    for (const auto name : wdt::split_names(tile.textures)) {
      textures.insert(to_utf8(name));
    }
  }
  for (const auto& path : textures) {
    facts.textures.push_back({path, 0});
  }
  facts.in_game = shown(document);
  return facts;
}

Facts facts_of(const wdl::Document& document) {
  Facts facts;
  std::size_t holes = 0;
  for (const auto& area : document.areas) {
    holes += area.holes_frame.present ? 1U : 0U;
  }
  Counts(facts).add("tile", document.areas.size()).add("holed tile", holes);
  add_references("building", document.names, facts);
  facts.in_game = "drawn where the terrain is not loaded";
  if (!document.areas.empty()) {
    facts.in_game += ": " + extent_text([&](std::size_t i) {
                       return document.area(i % wdl::kTilesPerSide, i / wdl::kTilesPerSide) != nullptr;
                     });
  }
  return facts;
}

Facts facts_of(const adt::Map& map) {
  Facts facts;
  std::size_t tiles = 0;
  for (const auto& entry : map.tiles) {
    tiles += entry[0] & adt::Map::kHasTile;
  }
  Counts(facts).add("tile", tiles).add("building", map.map_objects.size());
  add_references("building", map.map_object_names, facts);
  if (!map.map_objects.empty()) {
    facts.in_game = "the map consists of one WMO";
  } else if (tiles > 0) {
    facts.in_game = "terrain in the adjacent tiles: " + extent_text([&](std::size_t i) {
                      return map.has_tile(i % wdt::kTilesPerSide, i / wdt::kTilesPerSide);
                    });
  }
  return facts;
}

Facts facts_of(const adt::Document& document) {
  Facts facts;
  std::size_t holes = 0;
  std::size_t liquids = 0;
  const auto terrain = document.terrain();
  for (const auto* chunk : terrain) {
    holes += chunk->header.holes != 0 ? 1U : 0U;
    const auto* found = chunk->find<adt::Liquids>(FourCC{"MCLQ"});
    liquids += found != nullptr && !found->items.empty() ? 1U : 0U;
  }
  const auto* doodads = document.find<adt::Doodads>(FourCC{"MDDF"});
  const auto* objects = document.find<adt::MapObjects>(FourCC{"MODF"});
  Counts(facts)
      .add("chunk", terrain.size())
      .add("holed chunk", holes)
      .add("liquid chunk", liquids)
      .add("doodad", doodads != nullptr ? doodads->items.size() : 0)
      .add("building", objects != nullptr ? objects->items.size() : 0);
  const auto table = [&](FourCC tag) {
    const auto* names = document.find<adt::Names>(tag);
    return names != nullptr ? names->table : Array<char>();
  };
  add_references("model", table(FourCC{"MMDX"}), facts);
  add_references("building", table(FourCC{"MWMO"}), facts);
  const Array<char> textures = table(FourCC{"MTEX"});
  for (const auto name : wdt::split_names(textures)) {
    facts.textures.push_back({to_utf8(name), 0});
  }
  return facts;
}

}  // namespace thaw
