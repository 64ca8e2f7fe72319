// The map's own part: names, table of tiles, the object that is the map.
#include "formats/wow/wdt/rules/table.hpp"

#include <algorithm>

namespace thaw::wdt::rules {
namespace {

constexpr auto kTileEntries = [](const Subject& subject, const auto& use) {
  walk(subject.document.map.tiles, "MAIN.tiles", use);
};

void sizes(const Subject& subject, Report& report) {
  const Map& map = subject.document.map;
  if (!map.header_frame.remainder.empty()) {
    report.add("MPHD", "the size of MPHD is not 128 bytes");
  }
  if (map.tiles.size() != kTiles || !map.tiles_frame.remainder.empty()) {
    report.add("MAIN", "the size of MAIN is not 65536 bytes");
  }
}

void name_counts(const Subject& subject, Report& report) {
  const Map& map = subject.document.map;
  const auto check = [&](const char* path, std::uint32_t stated, const Array<char>& table) {
    const std::size_t names = split_names(table).size();
    const bool fits = names == 0 ? stated <= 1 : stated == names + 1;
    if (!fits) {
      report.add(path, say("a count of ", stated, " is stated for ", counted_noun(names, "name"),
                           "; the client's files state ", names == 0 ? 0 : names + 1));
    }
  };
  check("MPHD.doodadNameCount", map.header.doodad_name_count, map.doodad_names);
  check("MPHD.mapObjectNameCount", map.header.map_object_name_count, map.map_object_names);
}

void name_characters(const Subject& subject, Report& report) {
  const auto check = [&](const std::string& path, const Array<char>& table) {
    const auto names = split_names(table);
    for (std::size_t i = 0; i < names.size(); ++i) {
      const bool plain = std::all_of(names[i].begin(), names[i].end(), [](char byte) {
        return static_cast<unsigned char>(byte) >= 0x20 && static_cast<unsigned char>(byte) < 0x7F;
      });
      if (!plain || names[i].empty()) {
        report.add(at(path, i), names[i].empty() ? "the name is empty"
                                                 : "the name has characters other than printable ASCII");
      }
    }
  };
  check("MDNM.names", subject.document.map.doodad_names);
  check("MONM.names", subject.document.map.map_object_names);
  for_each_tile(subject, [&](const Tile& tile, std::size_t number) {
    check(tile_path(number, "MTEX.names"), tile.textures);
  });
}

void tile_range(const Subject& subject, Report& report) {
  const Map& map = subject.document.map;
  for (std::size_t i = 0; i < map.tiles.size(); ++i) {
    if (map.tiles[i].exists() && subject.document.tile(i % kTilesPerSide, i / kTilesPerSide) == nullptr) {
      report.add(at("MAIN.tiles", i),
                 say("the tile at ", map.tiles[i].offset, " is outside the file or overlaps another"));
    }
  }
}

void tile_order(const Subject& subject, Report& report) {
  const Map& map = subject.document.map;
  std::uint32_t last = 0;
  for (std::size_t i = 0; i < map.tiles.size(); ++i) {
    if (map.tiles[i].exists() && map.tiles[i].offset < last) {
      report.add(at("MAIN.tiles", i), "the tile is stored before a tile that precedes it in the table");
    }
    last = std::max(last, map.tiles[i].exists() ? map.tiles[i].offset : 0);
  }
}

void entry_size(const Subject& subject, Report& report) {
  for (const Tile& tile : subject.document.tiles) {
    const TileEntry& entry = subject.document.map.tiles[tile.index];
    std::uint32_t first = 0xFFFFFFFF;
    for (const Chunk& chunk : tile.chunks) {
      first = std::min(first, tile.chunk_table[chunk.slot].offset);
    }
    if (!tile.chunks.empty() && entry.size != first - entry.offset) {
      report.add(at("MAIN.tiles", tile.index), say("the tile at ", entry.offset, " has a size of ",
                                                   entry.size, " bytes, but its first MCNK is at ", first));
    }
  }
}

void map_object(const Subject& subject, Report& report) {
  const Map& map = subject.document.map;
  if (map.map_objects_frame.present &&
      (map.map_objects.size() != 1 || !map.map_objects_frame.remainder.empty())) {
    report.add("MODF",
               say("MODF has ", counted_noun(map.map_objects.size(), "object"),
                   map.map_objects_frame.remainder.empty() ? " instead of 1" : " and a truncated one"));
  }
  const std::size_t names = split_names(map.map_object_names).size();
  for (std::size_t i = 0; i < map.map_objects.size(); ++i) {
    if (map.map_objects[i].name_id >= names) {
      report.add(say("MODF[", i, "].nameId"),
                 say("name ", map.map_objects[i].name_id, " does not exist; the count is ", names));
    }
  }
}

void unclaimed(const Subject& subject, Report& report) {
  const auto report_all = [&](const std::string& path, const std::vector<Gap>& gaps) {
    for (std::size_t i = 0; i < gaps.size(); ++i) {
      report.add(at(path, i), say(counted(gaps[i].bytes.size(), "byte"), " outside of all chunks"));
    }
  };
  report_all("gaps", subject.document.gaps);
  for_each_tile(subject, [&](const Tile& tile, std::size_t number) {
    report_all(tile_path(number, "gaps"), tile.gaps);
  });
}

constexpr std::array kMapRules = {
    MapRule("wdt.version", always(kError), "version other than 18",
            "The client reads maps of version 18 only. Convert later maps with `thaw convert FILE --to wdt`.",
            once<"MVER.version">([](const Document& document) {
              return document.map.version_frame.present && document.map.version != 18
                         ? say("version ", document.map.version, " instead of 18")
                         : "";
            })),
    MapRule("wdt.sizes", always(kError), "wrong size of MPHD or MAIN",
            "The client always reads 128 bytes of MPHD and 65536 of MAIN. Write the map again.", sizes),
    MapRule("wdt.name-count", always(kWarning), "name count does not match the names",
            "The count is the number of names plus one, or 0 for an empty table. A wrong count of WMO names "
            "crashes the client. Correct the count.",
            name_counts),
    MapRule("wdt.name-text", always(kWarning), "name empty or not printable ASCII",
            "The client's names are printable ASCII; an empty one shifts the indices of later names. Rename "
            "the file, or remove the empty name.",
            name_characters),
    MapRule("wdt.tile-range", always(kError), "tile outside the file, or overlapping another",
            "Tiles must be inside the file and must not overlap; otherwise their content is missing or that "
            "of another. Restore the file, or write the map again.",
            tile_range),
    MapRule("wdt.tile-order", always(kWarning), "tiles not in table order",
            "The client's files store tiles in ascending order, row by row. Write the map again.",
            tile_order),
    MapRule("wdt.entry-half", always(kWarning), "tile offset without a size, or size without an offset",
            "Readers use either of them to detect a tile, so that some see it and others do not. Set both, "
            "or both to 0.",
            each<kTileEntries>([](const TileEntry& entry) {
              return (entry.offset == 0) != (entry.size == 0)
                         ? say("the offset is ", entry.offset, ", but the size is ", entry.size)
                         : "";
            })),
    MapRule("wdt.entry-size", always(kWarning), "tile size does not end at the first MCNK",
            "A tile's size is measured from MHDR to the first MCNK. Set this size.", entry_size),
    MapRule("wdt.entry-flags", always(kInfo), "runtime flags or id of a tile in the file",
            "The client sets them while it runs. Set them to 0.",
            each<kTileEntries>([](const TileEntry& entry) {
              return entry.flags != 0 || entry.async_id != 0
                         ? say("flags ", entry.flags, " and id ", entry.async_id, " instead of 0")
                         : "";
            })),
    MapRule("wdt.map-object", always(kError), "MODF without exactly one object, or with a missing name",
            "A map has no MODF, or one of 64 bytes with a valid name. Remove MODF, or correct its name.",
            map_object),
    MapRule("wdt.unclaimed", always(kWarning), "bytes outside of all chunks",
            "The client's files have none, neither between chunks nor after the last tile. Nothing needs to "
            "be done.",
            unclaimed),
};

}  // namespace

std::span<const MapRule> map_rules() { return kMapRules; }

}  // namespace thaw::wdt::rules
