// What the client of World of Warcraft's alpha shows from a place: how far it sees, what of the ground lies
// within, and the light and fog of the hour. See wow-alpha-world.md#axes; docs/user/worlds.md tells which of
// it is proven and what was chosen where nothing is known.
//
// Lengths are yards in the axes of the world: x north, y west, z up, the middle of the map at 0, 0.
#pragma once

#include <thaw/bytes.hpp>
#include <thaw/lit.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#pragma GCC visibility push(default)

/// What the client of World of Warcraft's alpha shows of its maps.
namespace thaw::world {

// --- the grid (wow-alpha-world.md#grid)

inline constexpr std::uint32_t kTilesPerSide = 64;                ///< of the map
inline constexpr std::uint32_t kChunksPerSide = 16;               ///< of a tile
inline constexpr std::uint32_t kCellsPerSide = 8;                 ///< of a chunk
inline constexpr double kTileSize = 1600.0 / 3;                   ///< yards
inline constexpr double kChunkSize = kTileSize / kChunksPerSide;  ///< yards
inline constexpr double kCellSize = kChunkSize / kCellsPerSide;   ///< yards
/// North and west of the map's north-west corner.
inline constexpr double kMapEdge = kTileSize * kTilesPerSide / 2;
inline constexpr double kMetresPerYard = 0.9144;  ///< for scenes in metres

/// A tile by its column (x, west to east) and row (y, north to south), 0 to 63, as in the names of later
/// files.
struct TileIndex {
  std::uint8_t x = 0;
  std::uint8_t y = 0;

  /// Its place in the file's tables.
  [[nodiscard]] constexpr std::size_t index() const { return std::size_t{y} * kTilesPerSide + x; }
  friend bool operator==(const TileIndex&, const TileIndex&) = default;
  /// In the order of the file: by rows.
  friend bool operator<(const TileIndex& a, const TileIndex& b) { return a.index() < b.index(); }
};

/// A box in the axes of the world.
struct Box {
  Vec3 minimum{};
  Vec3 maximum{};
};

/// The north-west corner of a tile or of a chunk in it (chunk_x column, chunk_y row), at height 0.
Vec3 corner_of(TileIndex tile, std::uint32_t chunk_x = 0, std::uint32_t chunk_y = 0);
/// The tile below a place; none outside of the map.
std::optional<TileIndex> tile_at(const Vec3& place);

// --- distance (wow-alpha-world.md#distance)

inline constexpr float kLeastFarClip = 177;  ///< yards
inline constexpr float kMostFarClip = 777;   ///< yards
/// Beyond the distance of texture detail, the upper layers of the ground fade out over this many yards.
inline constexpr float kLayerFade = 256;

/// The client's console takes values from 177 to 777 and refuses others; so does this.
bool accepts_far_clip(float far_clip);

/// From a place to the nearest point of a box; 0 inside.
float distance_to(const Vec3& place, const Box& box);

/// A tile and how far its square of ground is, heights left aside: they are not known before it is loaded.
struct NearTile {
  TileIndex tile;
  float distance = 0;
};
/// The tiles of the grid that come within the far clip, in the order of the file. No more than 16 do.
std::vector<NearTile> tiles_within(const Vec3& camera, float far_clip);

/// How strongly the layers above the first are seen, 0 to 1, at a distance, where detail ends at `detail`.
float upper_layers(float distance, float detail);

// --- fog (wow-alpha-world.md#fog)

/// Linear fog, in yards from the eye.
struct Fog {
  float start = 0;
  float end = 0;
  Vec3 color{};  ///< R G B, 0 to 1
  friend bool operator==(const Fog&, const Fog&) = default;
};

/// What is still seen of something: 1 before the start, 0 behind the end, linear between. Where the end does
/// not lie behind the start, all is seen before the end and nothing from there on.
float fog_visibility(float distance, float start, float end);

/// One fog of a building (MFOG), its position in the axes of the building or wherever the place is told in.
struct IndoorFog {
  Vec3 position{};
  float small_radius = 0;   ///< full effect within
  float large_radius = 0;   ///< none beyond; 0 or less: the fog has no borders
  bool everywhere = false;  ///< it has no borders, whatever the radii say
  float end = 0;            ///< yards
  float start_scalar = 0;   ///< the fog starts at this share of its end
  Vec3 color{};
};

/// The fog in a group of a building: each of its fogs replaces what stands before it by its weight at the
/// place, the first of all the outdoor fog. With a weight of 1 nothing of the outdoor fog is left; none if
/// there is neither.
std::optional<Fog> indoor_fog(std::span<const IndoorFog> fogs, const Vec3& place,
                              const std::optional<Fog>& outdoor);

// --- light (lit.md#values)

/// Where and when light is asked for.
struct LightQuery {
  Vec3 place{};
  float time = 1440;  ///< half-minutes from midnight, 0 to 2880; others wrap
  float storm = 0;    ///< 0 clear to 1 storm
  bool under_water = false;
  bool indoor_map = false;  ///< the map is one building: positions of lights count from its middle
};

/// How much a light of the file has a say.
struct LightShare {
  std::size_t light = 0;
  float weight = 0;
};

/// What the lights of a map make of a place and a time.
struct LightValues {
  std::size_t tracks = 0;  ///< colours that the file has; those behind are 0
  /// R G B, 0 to 1, by lit::track_name.
  std::array<Vec3, lit::kMostTracks> colors{};
  std::optional<Fog> fog;          ///< none where no light states one
  std::vector<LightShare> shares;  ///< lights that reach the place, in the order in which they were mixed
};

/// The light at a place and time: the light of the whole map, over it each light that reaches the place by
/// its weight – 1 within its radius, falling to 0 over its dropoff – in the order of the file. None for a
/// file without values.
std::optional<LightValues> light_at(const lit::Document& document, const LightQuery& query);

/// Where a light is in the world.
Vec3 light_position(const lit::Light& light, bool indoor_map);

/// A colour over the day: between two markers linearly, over midnight from the last to the first. None
/// without markers.
std::optional<Vec3> color_at(const lit::Values& values, std::size_t track, float time);

/// Fog over the day, in yards: the slots in use, which end with the last that is above 0, are spread evenly
/// over the day. Colour of the track "fog". None if no slot is in use.
std::optional<Fog> fog_at(const lit::Values& values, float time);

}  // namespace thaw::world

#pragma GCC visibility pop
