#include <thaw/codes.hpp>
#include <thaw/world.hpp>

#include "bytes/number_text.hpp"
#include "formats/wow/wdt/map_writer.hpp"
#include "scene/math.hpp"

#include <algorithm>
#include <cmath>

namespace thaw::world {
namespace {

constexpr std::size_t kHalfCells = 2 * wdt::kCellsPerSide;                  // of a chunk
constexpr std::size_t kTileHalfCells = kHalfCells * wdt::kChunksPerSide;    // of a tile
constexpr std::uint32_t kTileTexels = wdt::kMapSide * wdt::kChunksPerSide;  // of alpha and shadow maps
constexpr std::uint32_t kTileCells = wdt::kCellsPerSide * wdt::kChunksPerSide;

float value_at(const GreyImage& image, std::int64_t x, std::int64_t y) {
  const auto within = [](std::int64_t at, std::uint32_t size) {
    return static_cast<std::size_t>(std::clamp<std::int64_t>(at, 0, std::int64_t{size} - 1));
  };
  return image.values[within(y, image.height) * image.width + within(x, image.width)];
}

/// Between the four values around a place, in pixels from the middle of the first.
double between(const GreyImage& image, double x, double y) {
  const double left = std::floor(x);
  const double top = std::floor(y);
  const auto at = [&](std::int64_t column, std::int64_t row) {
    return double{
        value_at(image, static_cast<std::int64_t>(left) + column, static_cast<std::int64_t>(top) + row)};
  };
  const double across = x - left;
  const double down = y - top;
  // What lies on a pixel keeps its value to the last bit.
  const auto mix = [](double a, double b, double share) { return share == 0 ? a : a + (b - a) * share; };
  return mix(mix(at(0, 0), at(1, 0), across), mix(at(0, 1), at(1, 1), across), down);
}

/// A picture of the whole land at the middle of one of `columns` × `rows` fields, 0 to 1.
double share_at(const GreyImage& image, std::size_t column, std::size_t row, std::uint64_t columns,
                std::uint64_t rows) {
  const auto place = [](std::size_t at, std::uint64_t fields, std::uint32_t size) {
    return (static_cast<double>(at) + 0.5) * size / static_cast<double>(fields) - 0.5;
  };
  return between(image, place(column, columns, image.width), place(row, rows, image.height)) /
         (image.bits == 16 ? 65535 : 255);
}

/// The nearest pixel: numbers and borders are not mixed.
std::uint16_t nearest_at(const GreyImage& image, std::size_t column, std::size_t row, std::uint64_t columns,
                         std::uint64_t rows) {
  const auto place = [](std::size_t at, std::uint64_t fields, std::uint32_t size) {
    return static_cast<std::int64_t>((2 * std::uint64_t{at} + 1) * size / (2 * fields));
  };
  return static_cast<std::uint16_t>(
      value_at(image, place(column, columns, image.width), place(row, rows, image.height)));
}

bool is_set(const GreyImage& image, std::size_t column, std::size_t row, std::uint64_t columns,
            std::uint64_t rows) {
  return nearest_at(image, column, row, columns, rows) > (image.bits == 16 ? 0x7FFF : 0x7F);
}

/// Row and column of height `i` of a chunk, in half cells.
std::pair<std::size_t, std::size_t> place_of(std::size_t i) {
  if (i < wdt::kOuterCount) {
    return {i / wdt::kOuterSide * 2, i % wdt::kOuterSide * 2};
  }
  const std::size_t inner = i - wdt::kOuterCount;
  return {inner / wdt::kCellsPerSide * 2 + 1, inner % wdt::kCellsPerSide * 2 + 1};
}

void add_layer(wdt::Chunk& chunk, std::uint32_t texture, const std::vector<unsigned>& alpha) {
  wdt::Layer layer;
  layer.texture_id = texture;
  if (!alpha.empty()) {
    layer.flags = wdt::Layer::kUsesAlpha;
    layer.alpha_offset = static_cast<std::uint32_t>(chunk.alpha.size());
    for (std::size_t i = 0; i < alpha.size(); i += 2) {
      chunk.alpha.push_back(static_cast<std::uint8_t>(alpha[i] | alpha[i + 1] << 4U));
    }
  }
  chunk.layers.push_back(layer);
}

/// Which layer is seen most in each cell, two bits each (wdt.md#chunk-header).
void find_predominant(wdt::Chunk& chunk) {
  constexpr std::size_t kTexels = wdt::kMapSide / wdt::kCellsPerSide;
  for (std::size_t row = 0; row < wdt::kCellsPerSide; ++row) {
    unsigned bits = 0;
    for (std::size_t column = 0; column < wdt::kCellsPerSide; ++column) {
      std::array<double, wdt::kMostLayers> seen{};
      for (std::size_t texel = 0; texel < kTexels * kTexels; ++texel) {
        double left = 1;
        for (std::size_t layer = chunk.layers.size(); layer-- > 0;) {
          const double share =
              chunk.alpha_at(layer, column * kTexels + texel % kTexels, row * kTexels + texel / kTexels) /
              255.0;
          seen.at(layer) += left * share;
          left *= 1 - share;
        }
      }
      const auto most = std::max_element(seen.begin(), seen.end()) - seen.begin();
      bits |= static_cast<unsigned>(most) << (2 * column);
    }
    chunk.header.predominant_layers.at(row * 2) = static_cast<std::uint8_t>(bits);
    chunk.header.predominant_layers.at(row * 2 + 1) = static_cast<std::uint8_t>(bits >> 8U);
  }
}

std::vector<std::string_view> views_of(const std::vector<std::string>& names) {
  return {names.begin(), names.end()};
}

/// As files have it: north, west, up to (from the west edge, up, from the north edge).
Vec3 stored(double north, double west, double up) {
  return {scene::to_float(wdt::kMiddle - west), scene::to_float(up), scene::to_float(wdt::kMiddle - north)};
}

}  // namespace

Result<Land> Land::of(LandPlan plan) {
  const auto refuse = [](std::string why) { return fail(codes::kWriteUnsupported, std::move(why)); };
  if (plan.columns == 0 || plan.rows == 0 || plan.corner.x + plan.columns > wdt::kTilesPerSide ||
      plan.corner.y + plan.rows > wdt::kTilesPerSide) {
    return refuse(std::to_string(plan.columns) + " × " + std::to_string(plan.rows) + " tiles from " +
                  std::to_string(plan.corner.x) + "_" + std::to_string(plan.corner.y) +
                  " are outside the map of 64 × 64");
  }
  if (plan.layers.size() > wdt::kMostLayers) {
    return refuse("the description has " + std::to_string(plan.layers.size()) +
                  " layers; a map has at most 4");
  }
  if (!plan.ground && (plan.heights.width < 2 || plan.heights.height < 2)) {
    return refuse("heights of " + std::to_string(plan.heights.width) + " × " +
                  std::to_string(plan.heights.height) + "; at least 2 × 2 are needed");
  }
  Land land(std::move(plan));
  for (const LandObject& object : land.plan_.objects) {
    auto& names = object.building ? land.building_names_ : land.doodad_names_;
    auto& numbers = object.building ? land.building_numbers_ : land.doodad_numbers_;
    if (numbers.emplace(object.name, static_cast<std::uint32_t>(names.size())).second) {
      names.push_back(object.name);
    }
  }
  return land;
}

double Land::height(std::ptrdiff_t row, std::ptrdiff_t column) const {
  if (plan_.ground) {
    return plan_.ground->at(row, column);
  }
  const GreyImage& image = plan_.heights;
  const auto place = [](std::ptrdiff_t at, std::uint32_t tiles, std::uint32_t size) {
    const double share = static_cast<double>(at) / static_cast<double>(tiles * kTileHalfCells);
    return std::clamp(share, 0.0, 1.0) * (size - 1);
  };
  const double value =
      between(image, place(column, plan_.columns, image.width), place(row, plan_.rows, image.height));
  const double white = image.bits == 16 ? 65535 : 255;
  return double{plan_.low} + (double{plan_.high} - double{plan_.low}) * value / white;
}

double Land::ground_at(double north, double west) const {
  const auto place = [](double coordinate, std::uint32_t first, std::uint32_t tiles) {
    const double cells = (wdt::kMiddle - coordinate) / wdt::kTileSize - first;
    return std::clamp(cells, 0.0, static_cast<double>(tiles)) * kTileHalfCells;
  };
  const double row = place(north, plan_.corner.y, plan_.rows);
  const double column = place(west, plan_.corner.x, plan_.columns);
  const auto top = static_cast<std::ptrdiff_t>(row);
  const auto left = static_cast<std::ptrdiff_t>(column);
  const auto mix = [](double a, double b, double share) { return a + (b - a) * share; };
  const double across = column - static_cast<double>(left);
  return mix(mix(height(top, left), height(top, left + 1), across),
             mix(height(top + 1, left), height(top + 1, left + 1), across), row - static_cast<double>(top));
}

void Land::shape(wdt::Chunk& chunk, std::size_t row, std::size_t column) const {
  constexpr std::ptrdiff_t kStep = 2;
  constexpr double kAcross = kStep * wdt::kCellSize;  // twice as many half cells
  for (std::size_t i = 0; i < wdt::kHeights; ++i) {
    const auto [down, right] = place_of(i);
    const auto r = static_cast<std::ptrdiff_t>(row * kHalfCells + down);
    const auto c = static_cast<std::ptrdiff_t>(column * kHalfCells + right);
    chunk.heights.at(i) = scene::to_float(height(r, c));
    const double north = (height(r - kStep, c) - height(r + kStep, c)) / kAcross;
    const double west = (height(r, c - kStep) - height(r, c + kStep)) / kAcross;
    const double length = std::sqrt(north * north + west * west + 1);
    const auto part = [&](double value) {
      return static_cast<std::int8_t>(std::lround(value / length * 127));
    };
    chunk.normals.at(i) = {part(-north), part(-west), part(1)};
  }
  chunk.header.radius = wdt::radius_of(chunk);
}

void Land::paint(wdt::Chunk& chunk, std::size_t row, std::size_t column) const {
  const std::uint64_t wide = std::uint64_t{plan_.columns} * kTileTexels;
  const std::uint64_t high = std::uint64_t{plan_.rows} * kTileTexels;
  for (std::size_t layer = 0; layer < plan_.layers.size(); ++layer) {
    std::vector<unsigned> alpha;
    bool seen = layer == 0;
    for (std::size_t i = 0; layer > 0 && i < wdt::kMapSide * wdt::kMapSide; ++i) {
      const double share = share_at(plan_.layers[layer].mask, column * wdt::kMapSide + i % wdt::kMapSide,
                                    row * wdt::kMapSide + i / wdt::kMapSide, wide, high);
      alpha.push_back(static_cast<unsigned>(std::lround(std::clamp(share, 0.0, 1.0) * 15)));
      seen = seen || alpha.back() > 0;
    }
    if (seen) {
      add_layer(chunk, static_cast<std::uint32_t>(layer), alpha);
    }
  }
  if (chunk.layers.size() > 1) {
    find_predominant(chunk);
  }
  if (!plan_.shadow) {
    return;
  }
  Array<std::uint8_t> shadow(wdt::kShadowSize, 0);
  bool any = false;
  for (std::size_t i = 0; i < wdt::kMapSide * wdt::kMapSide; ++i) {
    if (is_set(*plan_.shadow, column * wdt::kMapSide + i % wdt::kMapSide,
               row * wdt::kMapSide + i / wdt::kMapSide, wide, high)) {
      shadow[i / 8] = static_cast<std::uint8_t>(shadow[i / 8] | 1U << (i % 8));
      any = true;
    }
  }
  if (any) {
    chunk.header.flags |= wdt::ChunkHeader::kHasShadow;
    chunk.shadow = std::move(shadow);
  }
}

void Land::flood(wdt::Chunk& chunk, std::size_t row, std::size_t column) const {
  constexpr std::array<std::uint8_t, wdt::kLiquidKinds> kCells = {4 | wdt::Liquid::kFishable,
                                                                  1 | wdt::Liquid::kFishable, 6, 3};
  constexpr float kDeep = 32;  // yards, where a liquid is as deep as it says
  const std::uint64_t wide = std::uint64_t{plan_.columns} * kTileCells;
  const std::uint64_t high = std::uint64_t{plan_.rows} * kTileCells;
  std::array<std::optional<wdt::Liquid>, wdt::kLiquidKinds> found;
  for (const LandLiquid& source : plan_.liquids) {
    const auto kind = static_cast<std::size_t>(source.kind);
    wdt::Liquid liquid;
    liquid.cells.fill(wdt::Liquid::kHidden);
    liquid.minimum = liquid.maximum = source.level;
    bool any = false;
    for (std::size_t cell = 0; cell < liquid.cells.size(); ++cell) {
      const std::size_t r = cell / wdt::kCellsPerSide;
      const std::size_t c = cell % wdt::kCellsPerSide;
      const float ground = std::min({chunk.outer(r, c), chunk.outer(r, c + 1), chunk.outer(r + 1, c),
                                     chunk.outer(r + 1, c + 1), chunk.inner(r, c)});
      const bool wet = source.mask ? is_set(*source.mask, column * wdt::kCellsPerSide + c,
                                            row * wdt::kCellsPerSide + r, wide, high)
                                   : ground < source.level;
      if (wet) {
        liquid.cells.at(cell) = kCells.at(kind);
        any = true;
      }
    }
    for (std::size_t i = 0; i < liquid.vertices.size(); ++i) {
      const std::size_t r = i / wdt::kOuterSide;
      const std::size_t c = i % wdt::kOuterSide;
      wdt::LiquidVertex& vertex = liquid.vertices.at(i);
      vertex.height = source.level;
      const float depth = std::clamp((source.level - chunk.outer(r, c)) / kDeep, 0.0F, 1.0F);
      vertex.data[0] = static_cast<std::uint8_t>(std::lround(depth * 255));
      if (source.kind == wdt::LiquidKind::magma) {
        // They go on from chunk to chunk, and from tile to tile after twelve whole pictures.
        const std::size_t u = (column % kChunksPerSide * wdt::kCellsPerSide + c) * 8;
        const std::size_t v = (row % kChunksPerSide * wdt::kCellsPerSide + r) * 8;
        vertex.data = {static_cast<std::uint8_t>(u & 0xFFU), static_cast<std::uint8_t>(u >> 8U),
                       static_cast<std::uint8_t>(v & 0xFFU), static_cast<std::uint8_t>(v >> 8U)};
      }
    }
    if (any && !found.at(kind)) {
      found.at(kind) = liquid;
    }
  }
  for (std::size_t kind = 0; kind < found.size(); ++kind) {
    if (found.at(kind)) {
      chunk.header.flags |= 4U << kind;
      chunk.liquids.push_back(*found.at(kind));
    }
  }
}

namespace {

/// The chunks of a tile that a box in the axes of files reaches into, by slot.
std::vector<std::size_t> chunks_below(const wdt::Tile& tile, const Vec3& low, const Vec3& high) {
  const auto range = [](float from, float to, std::size_t place) {
    const double start = static_cast<double>(place) * wdt::kTileSize;
    const auto chunk = [&](double at) { return std::floor((at - start) / wdt::kChunkSize); };
    const double first = std::max(0.0, chunk(double{from}));
    const double last = std::min(15.0, chunk(double{to}));
    return std::pair(static_cast<int>(std::min(first, 16.0)), static_cast<int>(std::max(last, -1.0)));
  };
  const auto [left, right] = range(low[0], high[0], tile.x());
  const auto [top, bottom] = range(low[2], high[2], tile.y());
  std::vector<std::size_t> slots;
  for (int y = top; y <= bottom; ++y) {
    for (int x = left; x <= right; ++x) {
      slots.push_back(static_cast<std::size_t>(y) * wdt::kChunksPerSide + static_cast<std::size_t>(x));
    }
  }
  return slots;
}

/// A building's own box, where it stands, in the axes of files.
void set_box(wdt::MapObject& object, const LandObject& source) {
  const Pose pose = pose_of(object);
  const scene::Mat4d matrix = scene::compose(pose.position, pose.rotation, {1, 1, 1});
  for (unsigned corner = 0; corner < 8; ++corner) {
    const auto side = [&](std::size_t axis) {
      return double{(corner >> axis & 1U) != 0 ? source.high.at(axis) : source.low.at(axis)};
    };
    const auto place = scene::transform_point(matrix, {side(0), side(1), side(2)});
    const Vec3 at = stored(place[0], place[1], place[2]);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      float& low = object.box_minimum.at(axis);
      float& high = object.box_maximum.at(axis);
      low = corner == 0 ? at.at(axis) : std::min(low, at.at(axis));
      high = corner == 0 ? at.at(axis) : std::max(high, at.at(axis));
    }
  }
}

}  // namespace

/// A model belongs to the chunk that it stands in, a building to all that its box reaches into, of every
/// tile.
void Land::place(wdt::Tile& tile, Diagnostics& diagnostics) const {
  std::vector<std::vector<std::uint32_t>> doodads(wdt::kChunks);
  std::vector<std::vector<std::uint32_t>> buildings(wdt::kChunks);
  for (std::size_t i = 0; i < plan_.objects.size(); ++i) {
    const LandObject& source = plan_.objects[i];
    const double up = source.up.value_or(ground_at(source.north, source.west));
    const auto unique = static_cast<std::uint32_t>(i + 1);
    const Vec3 at = stored(source.north, source.west, up);
    if (source.building) {
      wdt::MapObject object;
      object.name_id = building_numbers_.at(source.name);
      object.unique_id = unique;
      object.position = at;
      object.rotation = source.rotation;
      object.doodad_set = source.set;
      set_box(object, source);
      const auto slots = chunks_below(tile, object.box_minimum, object.box_maximum);
      for (const std::size_t slot : slots) {
        buildings[slot].push_back(static_cast<std::uint32_t>(tile.map_objects.size()));
      }
      if (!slots.empty()) {
        tile.map_objects.push_back(object);
      }
      continue;
    }
    const auto slots = chunks_below(tile, at, at);
    if (slots.empty()) {
      continue;
    }
    wdt::Doodad doodad;
    doodad.name_id = doodad_numbers_.at(source.name);
    doodad.unique_id = unique;
    doodad.position = at;
    doodad.rotation = source.rotation;
    doodad.scale = static_cast<std::uint16_t>(std::clamp(std::round(source.scale * 1024), 1.0, 65535.0));
    doodads[slots.front()].push_back(static_cast<std::uint32_t>(tile.doodads.size()));
    tile.doodads.push_back(doodad);
  }
  std::size_t lost = 0;
  for (wdt::Chunk& chunk : tile.chunks) {
    const std::size_t room = (wdt::kChunkLimit - 1 - wdt::size_of(chunk)) / sizeof(std::uint32_t);
    for (const auto* list : {&doodads[chunk.slot], &buildings[chunk.slot]}) {
      const std::size_t count = std::min(list->size(), room - chunk.references.size());
      chunk.references.insert(chunk.references.end(), list->begin(),
                              list->begin() + static_cast<std::ptrdiff_t>(count));
      lost += list->size() - count;
      if (list == &doodads[chunk.slot]) {
        chunk.header.doodad_reference_count = static_cast<std::uint32_t>(count);
      }
    }
  }
  if (lost > 0) {
    diagnostics.add(
        codes::kSceneLost,
        counted(lost, "reference") + " to objects left out, because chunks are limited to 15000 bytes", {},
        std::to_string(tile.x()) + "_" + std::to_string(tile.y()));
  }
}

wdt::Map Land::map() const {
  wdt::Map map;
  map.doodad_names = wdt::join_names(views_of(doodad_names_));
  map.map_object_names = wdt::join_names(views_of(building_names_));
  return map;
}

wdt::Tile Land::tile(std::size_t x, std::size_t y, Diagnostics& diagnostics) const {
  wdt::Tile tile;
  tile.index = static_cast<std::uint16_t>(y * wdt::kTilesPerSide + x);
  std::vector<std::string_view> textures;
  for (const LandLayer& layer : plan_.layers) {
    textures.emplace_back(layer.texture);
  }
  tile.textures = wdt::join_names(textures);
  const std::uint64_t wide = std::uint64_t{plan_.columns} * wdt::kChunksPerSide;
  const std::uint64_t high = std::uint64_t{plan_.rows} * wdt::kChunksPerSide;
  for (std::size_t slot = 0; slot < wdt::kChunks; ++slot) {
    wdt::Chunk& chunk = tile.chunks.emplace_back();
    chunk.slot = static_cast<std::uint16_t>(slot);
    chunk.header.x = static_cast<std::uint32_t>(slot % wdt::kChunksPerSide);
    chunk.header.y = static_cast<std::uint32_t>(slot / wdt::kChunksPerSide);
    const std::size_t row = (y - plan_.corner.y) * wdt::kChunksPerSide + chunk.header.y;
    const std::size_t column = (x - plan_.corner.x) * wdt::kChunksPerSide + chunk.header.x;
    chunk.header.area = plan_.areas ? nearest_at(*plan_.areas, column, row, wide, high) : plan_.area;
    chunk.header.zone = plan_.zones ? nearest_at(*plan_.zones, column, row, wide, high) : plan_.zone;
    for (std::size_t hole = 0; plan_.holes && hole < 64; ++hole) {
      const std::size_t r = hole / wdt::kCellsPerSide;
      const std::size_t c = hole % wdt::kCellsPerSide;
      if (is_set(*plan_.holes, column * wdt::kCellsPerSide + c, row * wdt::kCellsPerSide + r,
                 wide * wdt::kCellsPerSide, high * wdt::kCellsPerSide)) {
        chunk.header.holes = static_cast<std::uint16_t>(chunk.header.holes | 1U << (r / 2 * 4 + c / 2));
      }
    }
    shape(chunk, row, column);
    paint(chunk, row, column);
    flood(chunk, row, column);
  }
  place(tile, diagnostics);
  return tile;
}

wdl::Area Land::far_area(std::size_t x, std::size_t y) const {
  wdl::Area area;
  area.index = static_cast<std::uint16_t>(y * wdt::kTilesPerSide + x);
  const auto yards = [&](std::size_t row, std::size_t column) {
    const double value = height(static_cast<std::ptrdiff_t>((y - plan_.corner.y) * kTileHalfCells + row),
                                static_cast<std::ptrdiff_t>((x - plan_.corner.x) * kTileHalfCells + column));
    return static_cast<std::int16_t>(std::clamp(std::round(value), -32768.0, 32767.0));
  };
  for (std::size_t i = 0; i < area.outer.size(); ++i) {
    area.outer.at(i) = yards(i / wdl::kOuterSide * kHalfCells, i % wdl::kOuterSide * kHalfCells);
  }
  for (std::size_t i = 0; i < area.inner.size(); ++i) {
    area.inner.at(i) = yards(i / wdl::kInnerSide * kHalfCells + kHalfCells / 2,
                             i % wdl::kInnerSide * kHalfCells + kHalfCells / 2);
  }
  return area;
}

Result<void> Land::write(Sink& out, const Control* control, Diagnostics& diagnostics) const {
  wdt::MapWriter writer(out, map());
  auto done = writer.begin();
  for (std::uint32_t i = 0; done && i < plan_.columns * plan_.rows; ++i) {
    if (!proceed(control, "tiles", i, std::uint64_t{plan_.columns} * plan_.rows)) {
      return fail(codes::kStopped, "");
    }
    done =
        writer.add(tile(plan_.corner.x + i % plan_.columns, plan_.corner.y + i / plan_.columns, diagnostics));
  }
  return done ? writer.finish() : done;
}

wdl::Document Land::far_terrain() const {
  wdl::Document far;
  for (std::uint32_t i = 0; i < plan_.columns * plan_.rows; ++i) {
    far.areas.push_back(far_area(plan_.corner.x + i % plan_.columns, plan_.corner.y + i / plan_.columns));
  }
  wdl::lay_out(far);
  return far;
}

}  // namespace thaw::world
