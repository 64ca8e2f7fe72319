// Tiles of maps as scenes, heightmaps, the maps that lie in them, and minimaps.
#pragma once

#include <thaw/convert.hpp>
#include <thaw/load.hpp>
#include <thaw/wdl.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace thaw::conversion {

/// A map, or far terrain alone: one of the two is there.
struct MapFile {
  std::optional<wdt::World> map;
  std::optional<wdl::Document> far;
};
Result<MapFile> open_map_file(const std::shared_ptr<const Storage>& storage, const ReadOptions& options,
                              Diagnostics& findings);

/// Some tiles of a map on their way into one output.
struct TileJob {
  const MapFile& file;
  const MapModels& models;
  const wdl::Document* far;  ///< far terrain of the same map, or null
  std::string_view target;   ///< a word of Format::converts_to
  const std::vector<wdt::TilePosition>& tiles;
  bool map_object = false;  ///< also the building that is the map
  std::string name;         ///< of the map
  std::string file_name;    ///< of the output
  const ConvertOptions& options;
  std::optional<std::pair<float, float>> height_range;  ///< as MapOptions
  ReadOptions read;                                     ///< with the control of this output
  Diagnostics& findings;
};
Result<Outputs> make_tiles(const TileJob& work);

/// The files next to a heightmap or the maps of a tile, in the order in which make_tiles has them.
std::vector<std::string> sidecar_names(std::string_view target, std::string_view file_name);

/// Lowest and highest ground of these tiles, in yards. Tiles that do not read are left out.
std::pair<float, float> height_range(const wdt::World& map, const std::vector<wdt::TilePosition>& tiles,
                                     std::uint32_t grid, const Control* control);

}  // namespace thaw::conversion
