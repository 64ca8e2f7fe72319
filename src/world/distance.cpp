#include <thaw/world.hpp>

#include <cmath>

namespace thaw::world {
namespace {

float clamped(double value, double least, double most) {
  return static_cast<float>(std::min(std::max(value, least), most));
}

/// Along one axis, from a place to a span.
double gap(double place, double from, double to) { return std::max({from - place, place - to, 0.0}); }

}  // namespace

Vec3 corner_of(TileIndex tile, std::uint32_t chunk_x, std::uint32_t chunk_y) {
  return {static_cast<float>(kMapEdge - tile.y * kTileSize - chunk_y * kChunkSize),
          static_cast<float>(kMapEdge - tile.x * kTileSize - chunk_x * kChunkSize), 0};
}

std::optional<TileIndex> tile_at(const Vec3& place) {
  const double row = std::floor((kMapEdge - double{place[0]}) / kTileSize);
  const double column = std::floor((kMapEdge - double{place[1]}) / kTileSize);
  if (!(row >= 0 && row < kTilesPerSide && column >= 0 && column < kTilesPerSide)) {
    return std::nullopt;
  }
  return TileIndex{static_cast<std::uint8_t>(column), static_cast<std::uint8_t>(row)};
}

bool accepts_far_clip(float far_clip) { return far_clip >= kLeastFarClip && far_clip <= kMostFarClip; }

float distance_to(const Vec3& place, const Box& box) {
  double square = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double apart = gap(double{place[axis]}, double{box.minimum[axis]}, double{box.maximum[axis]});
    square += apart * apart;
  }
  return static_cast<float>(std::sqrt(square));
}

std::vector<NearTile> tiles_within(const Vec3& camera, float far_clip) {
  std::vector<NearTile> tiles;
  const auto reach = double{far_clip};
  for (std::uint32_t y = 0; y < kTilesPerSide; ++y) {
    const double north = kMapEdge - y * kTileSize;
    const double along = gap(double{camera[0]}, north - kTileSize, north);
    for (std::uint32_t x = 0; x < kTilesPerSide && along <= reach; ++x) {
      const double west = kMapEdge - x * kTileSize;
      const double across = gap(double{camera[1]}, west - kTileSize, west);
      const double distance = std::sqrt(along * along + across * across);
      if (distance <= reach) {
        tiles.push_back(
            {{static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y)}, static_cast<float>(distance)});
      }
    }
  }
  return tiles;
}

float upper_layers(float distance, float detail) {
  // In the client, clamp((256 − (d − detail)) · 128 / 256, 0, 128), where 128 stands for all of it.
  return clamped((double{kLayerFade} - (double{distance} - double{detail})) / double{kLayerFade}, 0, 1);
}

float fog_visibility(float distance, float start, float end) {
  if (!(end > start)) {
    return distance < end ? 1.0F : 0.0F;
  }
  return clamped((double{end} - double{distance}) / (double{end} - double{start}), 0, 1);
}

}  // namespace thaw::world
