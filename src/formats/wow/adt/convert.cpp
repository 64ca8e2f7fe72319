#include "formats/wow/adt/convert.hpp"

#include "bytes/text.hpp"
#include "describe/description.hpp"

#include <algorithm>
#include <cmath>

namespace thaw::adt {
namespace {

/// A number of up to two digits at the end of `text`, which is cut off; none if there is none.
std::optional<unsigned> take_number(std::string_view& text) {
  std::size_t start = text.size();
  while (start > 0 && text.size() - start < 2 && text[start - 1] >= '0' && text[start - 1] <= '9') {
    --start;
  }
  if (start == text.size()) {
    return std::nullopt;
  }
  unsigned number = 0;
  for (const char digit : text.substr(start)) {
    number = number * 10 + static_cast<unsigned>(digit - '0');
  }
  text = text.substr(0, start);
  return number;
}

}  // namespace

std::string with_extension(std::string_view name, std::string_view from, std::string_view to) {
  if (from.empty() || !ascii::ends_with(name, from)) {
    return std::string(name);
  }
  const char last_letter = name[name.size() - from.size() + 1];
  const bool capitals = last_letter >= 'A' && last_letter <= 'Z';
  std::string changed(name.substr(0, name.size() - from.size()));
  for (const char c : to) {
    changed += capitals ? ascii::upper(c) : c;
  }
  return changed;
}

std::string tile_file_name(std::string_view map, std::size_t x, std::size_t y) {
  return std::string(map) + '_' + std::to_string(x) + '_' + std::to_string(y) + ".adt";
}

std::optional<wdt::TilePosition> tile_position(std::string_view file_name) {
  constexpr std::string_view kExtension = ".adt";
  const std::string changed = with_extension(file_name, kExtension, "");
  if (changed.size() == file_name.size()) {
    return std::nullopt;
  }
  std::string_view rest = changed;
  const auto y = take_number(rest);
  if (!y || rest.empty() || rest.back() != '_') {
    return std::nullopt;
  }
  rest.remove_suffix(1);
  const auto x = take_number(rest);
  if (!x || rest.empty() || rest.back() != '_' || *x >= wdt::kTilesPerSide || *y >= wdt::kTilesPerSide) {
    return std::nullopt;
  }
  return wdt::TilePosition{static_cast<std::uint8_t>(*x), static_cast<std::uint8_t>(*y)};
}

std::optional<wdt::TilePosition> tile_position(const Document& document) {
  const auto terrain = document.terrain();
  if (terrain.empty()) {
    return std::nullopt;
  }
  const ChunkHeader& header = terrain.front()->header;
  const auto place = [](float corner, std::uint32_t chunk) {
    const double chunks = (wdt::kMiddle - double{corner}) / wdt::kChunkSize - chunk;
    return std::floor(chunks / wdt::kChunksPerSide + 0.5);
  };
  const double x = place(header.position[1], header.x);
  const double y = place(header.position[0], header.y);
  const auto inside = [](double at) { return at >= 0 && at < wdt::kTilesPerSide; };
  if (!inside(x) || !inside(y)) {
    return std::nullopt;
  }
  return wdt::TilePosition{static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y)};
}

// --- alpha maps

namespace {

using Values = std::array<std::uint8_t, wdt::kMapSide * wdt::kMapSide>;

/// Runs of one value, and values as they are, by turns: the highest bit says which, the rest how many.
bool decompress(ByteView map, Values& values) {
  std::size_t at = 0;
  for (std::size_t filled = 0; filled < values.size();) {
    if (at >= map.size()) {
      return false;
    }
    const bool run = (map[at] & 0x80U) != 0;
    const std::size_t count = std::min<std::size_t>(map[at] & 0x7FU, values.size() - filled);
    ++at;
    if (count == 0) {
      continue;
    }
    if (map.size() - at < (run ? 1 : count)) {
      return false;
    }
    for (std::size_t i = 0; i < count; ++i) {
      values.at(filled++) = map[run ? at : at + i];
    }
    at += run ? 1 : count;
  }
  return true;
}

bool read_values(ByteView map, bool compressed, bool eight_bits, Values& values) {
  if (compressed) {
    return decompress(map, values);
  }
  if (map.size() < (eight_bits ? values.size() : wdt::kAlphaSize)) {
    return false;
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    constexpr unsigned kSpread = 17;
    values.at(i) =
        eight_bits ? map[i] : static_cast<std::uint8_t>((map[i / 2] >> (i % 2 * 4) & 15U) * kSpread);
  }
  return true;
}

}  // namespace

bool read_alpha(ByteView map, bool compressed, bool eight_bits, bool whole,
                std::array<std::uint8_t, wdt::kAlphaSize>& nibbles) {
  Values values{};
  const bool good = read_values(map, compressed, eight_bits, values);
  constexpr std::size_t kLast = wdt::kMapSide - 1;
  for (std::size_t i = 0; i < wdt::kMapSide && !whole; ++i) {
    values.at(i * wdt::kMapSide + kLast) = values.at(i * wdt::kMapSide + kLast - 1);
  }
  for (std::size_t i = 0; i < wdt::kMapSide && !whole; ++i) {
    values.at(kLast * wdt::kMapSide + i) = values.at((kLast - 1) * wdt::kMapSide + i);
  }
  for (std::size_t i = 0; i < nibbles.size(); ++i) {
    const auto nibble = [](std::uint8_t value) { return (value + 8U) / 17U; };
    nibbles.at(i) = static_cast<std::uint8_t>(nibble(values.at(2 * i)) | nibble(values.at(2 * i + 1)) << 4U);
  }
  return good;
}

// --- water of later versions (MH2O)

namespace {

struct WaterInstance {
  std::uint16_t type = 0;
  std::uint16_t vertex_format = 0;
  float minimum = 0;
  float maximum = 0;
  std::size_t x = 0;
  std::size_t y = 0;
  std::size_t width = 0;
  std::size_t height = 0;
  std::uint32_t cells_at = 0;
  std::uint32_t vertices_at = 0;
};

/// A part of MH2O's content, or nothing if it does not lie inside it.
std::optional<ByteView> part_at(ByteView water, std::uint64_t at, std::uint64_t size) {
  return at <= water.size() && size <= water.size() - at
             ? std::optional(water.subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(size)))
             : std::nullopt;
}

std::optional<WaterInstance> read_instance(ByteView water, std::uint64_t at) {
  constexpr std::size_t kSize = 24;
  const auto bytes = part_at(water, at, kSize);
  if (!bytes) {
    return std::nullopt;
  }
  const std::uint8_t* from = bytes->data();
  WaterInstance instance;
  instance.type = load_plain<std::uint16_t>(from);
  instance.vertex_format = load_plain<std::uint16_t>(from + 2);
  instance.minimum = load_plain<float>(from + 4);
  instance.maximum = load_plain<float>(from + 8);
  instance.x = from[12];
  instance.y = from[13];
  instance.width = from[14];
  instance.height = from[15];
  instance.cells_at = load_plain<std::uint32_t>(from + 16);
  instance.vertices_at = load_plain<std::uint32_t>(from + 20);
  const bool inside = instance.x + instance.width <= wdt::kCellsPerSide &&
                      instance.y + instance.height <= wdt::kCellsPerSide && instance.width > 0 &&
                      instance.height > 0;
  return inside ? std::optional(instance) : std::nullopt;
}

/// Types of the client's LiquidType table come in fours: water, ocean, magma, slime.
wdt::LiquidKind kind_of(std::uint16_t type) {
  return static_cast<wdt::LiquidKind>(type == 0 ? 0 : (type - 1) % wdt::kLiquidKinds);
}

constexpr std::array<std::uint8_t, wdt::kLiquidKinds> kCellKinds = {4, 1, 6, 3};

bool add_cells(ByteView water, const WaterInstance& instance, wdt::LiquidKind kind, wdt::Liquid& liquid) {
  const std::size_t count = instance.width * instance.height;
  const auto bits =
      instance.cells_at == 0 ? std::optional(ByteView()) : part_at(water, instance.cells_at, (count + 7) / 8);
  for (std::size_t i = 0; i < count && bits; ++i) {
    const bool shown = bits->empty() || ((*bits)[i / 8] >> (i % 8) & 1U) != 0;
    const std::size_t row = instance.y + i / instance.width;
    const std::size_t column = instance.x + i % instance.width;
    if (shown) {
      liquid.cells.at(row * wdt::kCellsPerSide + column) =
          static_cast<std::uint8_t>(kCellKinds.at(static_cast<std::size_t>(kind)) | wdt::Liquid::kFishable);
    }
  }
  return bits.has_value();
}

/// Formats: 0 heights and depths, 1 heights and texture coordinates, 2 depths, 3 all of them.
bool add_vertices(ByteView water, const WaterInstance& instance, wdt::LiquidKind kind, wdt::Liquid& liquid) {
  const std::size_t columns = instance.width + 1;
  const std::size_t count = columns * (instance.height + 1);
  const bool heights = instance.vertices_at != 0 && instance.vertex_format != 2;
  const bool uvs = instance.vertex_format == 1 || instance.vertex_format == 3;
  const bool depths =
      instance.vertices_at != 0 && (instance.vertex_format == 0 || instance.vertex_format >= 2);
  const std::size_t uvs_at = heights ? count * 4 : 0;
  const std::size_t depths_at = uvs_at + (uvs && heights ? count * 4 : 0);
  const auto bytes = part_at(water, instance.vertices_at, depths_at + (depths ? count : 0));
  for (std::size_t i = 0; i < count && bytes; ++i) {
    const std::size_t row = instance.y + i / columns;
    auto& vertex = liquid.vertices.at(row * wdt::kOuterSide + instance.x + i % columns);
    vertex.height = heights ? load_plain<float>(bytes->data() + i * 4) : instance.minimum;
    if (kind == wdt::LiquidKind::magma && uvs && heights) {
      std::copy_n(bytes->data() + uvs_at + i * 4, 4, vertex.data.begin());
    } else if (depths) {
      vertex.data[0] = (*bytes)[depths_at + i];
    }
  }
  return bytes.has_value();
}

void set_limits(wdt::Liquid& liquid) {
  bool any = false;
  for (std::size_t i = 0; i < liquid.cells.size() * 4; ++i) {
    const std::size_t row = i / 4 / wdt::kCellsPerSide;
    const std::size_t column = i / 4 % wdt::kCellsPerSide;
    const float level = liquid.vertices.at((row + i % 4 / 2) * wdt::kOuterSide + column + i % 2).height;
    if (liquid.shows(row, column)) {
      liquid.minimum = any ? std::min(liquid.minimum, level) : level;
      liquid.maximum = any ? std::max(liquid.maximum, level) : level;
      any = true;
    }
  }
}

}  // namespace

bool read_water(ByteView water, std::size_t slot, LiquidSet& liquids) {
  constexpr std::uint64_t kHeader = 12;
  constexpr std::uint32_t kMostInstances = 16;
  const auto header = part_at(water, slot * kHeader, kHeader);
  if (!header) {
    return false;
  }
  const auto first = load_plain<std::uint32_t>(header->data());
  const auto count = load_plain<std::uint32_t>(header->data() + 4);
  bool good = count <= kMostInstances;
  for (std::uint32_t i = 0; i < std::min(count, kMostInstances); ++i) {
    const auto instance = read_instance(water, std::uint64_t{first} + i * std::uint64_t{24});
    if (!instance) {
      return false;
    }
    const wdt::LiquidKind kind = kind_of(instance->type);
    auto& liquid = liquids.at(static_cast<std::size_t>(kind));
    if (!liquid) {
      liquid.emplace();
      liquid->cells.fill(wdt::Liquid::kHidden);
      for (auto& vertex : liquid->vertices) {
        vertex.height = instance->minimum;
      }
    }
    good = add_cells(water, *instance, kind, *liquid) && good;
    good = add_vertices(water, *instance, kind, *liquid) && good;
    set_limits(*liquid);
  }
  return good;
}

}  // namespace thaw::adt
