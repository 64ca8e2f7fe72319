// What of a map the client shows from a place: tiles, chunks and placements within the far clip, far terrain
// beyond, with the fog and the light of the hour. See thaw/world.hpp for the rules.
#pragma once

#include <thaw/wdl.hpp>
#include <thaw/wdt.hpp>
#include <thaw/wmo.hpp>
#include <thaw/world.hpp>

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)

namespace thaw::world {

/// The fogs (MFOG) of the indoor group of a building that a place lies in, both in the building's axes: of
/// several groups whose boxes hold it, the one with the smallest. None where it lies in no such group.
/// `groups` as for wmo::to_scene.
std::optional<std::vector<IndoorFog>> fogs_around(const wmo::Document& building,
                                                  std::span<const wmo::Document* const> groups,
                                                  const Vec3& place, bool under_water = false);
/// The same of a building by its name in the map.
using OpenFogs =
    std::function<std::optional<std::vector<IndoorFog>>(std::string_view name, const Vec3& place)>;

/// Where the eye is, how far it sees, and what time it is.
struct ViewOptions {
  Vec3 camera{};  ///< yards, in the axes of the world
  float far_clip = kMostFarClip;
  float texture_detail = kLeastFarClip;  ///< yards beyond which upper layers begin to fade
  LightQuery light;                      ///< its place is the camera's
  OpenFogs open_fogs = nullptr;          ///< none: the fog is that of outdoors everywhere
};

/// How far something is, and what the fog leaves of it at its nearest point.
struct Seen {
  float distance = 0;
  float visibility = 1;
};

/// A chunk within the far clip.
struct ViewChunk {
  TileIndex tile;
  std::uint8_t x = 0;  ///< column in the tile, 0 to 15
  std::uint8_t y = 0;  ///< row in the tile, 0 to 15
  Seen seen;
  float upper_layers = 1;  ///< how strongly the layers above the first are seen
  std::uint32_t layers = 0;
  std::uint32_t triangles = 0;  ///< of the ground, holes left out
  std::uint32_t liquid_triangles = 0;
};

/// A tile that comes within the far clip.
struct ViewTile {
  TileIndex tile;
  float distance = 0;
  bool exists = false;          ///< the map has it, and it reads
  std::size_t chunks = 0;       ///< of those within the far clip
  std::uint64_t triangles = 0;  ///< of those chunks
};

/// A doodad or a building that stands in a map.
struct ViewPlacement {
  std::optional<TileIndex> tile;  ///< none of the building that is the map
  bool building = false;
  std::string name;  ///< UTF-8; empty where the map has no such name
  std::uint32_t unique_id = 0;
  Vec3 position{};
  Seen seen;
};

/// What is seen from a place.
struct View {
  std::optional<TileIndex> standing_on;  ///< none outside of the map
  std::vector<ViewTile> tiles;           ///< all that come within the far clip
  std::vector<ViewChunk> chunks;         ///< those within it
  std::vector<ViewPlacement>
      placements;                    ///< those that such a chunk refers to, each once; first, what is the map
  std::vector<TileIndex> far_tiles;  ///< areas of the WDL, where no tile is loaded
  std::uint64_t triangles = 0;       ///< of ground and liquids
  std::uint64_t far_triangles = 0;
  std::optional<LightValues> light;  ///< none without lights.lit
  /// Where the eye is: of the building that it is in, else of `light`; none where neither states one.
  std::optional<Fog> fog;
  std::string indoors;  ///< that building's name, UTF-8; empty outdoors
};

/// Reads the tiles within the far clip, and no others. `far` and `lights` may be null. Tiles that do not read
/// are reported and count as not there.
View view_from(const wdt::World& world, const wdl::Document* far, const lit::Document* lights,
               const ViewOptions& options = {}, Diagnostics& diagnostics = Diagnostics::unwanted());

/// How high the ground is at a place, whose own height does not matter; none where there is no tile, no chunk
/// or a hole. Reads that tile.
std::optional<float> ground_at(const wdt::World& world, const Vec3& place,
                               Diagnostics& diagnostics = Diagnostics::unwanted());

/// The box around a chunk's ground; numbers that are none are left out.
Box chunk_box(TileIndex tile, const wdt::Chunk& chunk);

}  // namespace thaw::world

#pragma GCC visibility pop
