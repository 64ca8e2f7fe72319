#include "formats/wow/wmo/building.hpp"

#include <thaw/wmo.hpp>

#include <algorithm>
#include <cmath>

namespace thaw::wmo {
namespace {

template <class ListBody>
const auto& items_of(const Document& document, FourCC tag) {
  return part_or_empty(document.find<ListBody>(tag)).items;
}

std::vector<const Group*> groups_of(const Document& document, std::span<const Document* const> files) {
  std::vector<const Group*> groups = document.groups();
  if (!groups.empty()) {
    return groups;
  }
  for (const auto* file : files) {
    const auto found = file == nullptr ? std::vector<const Group*>{} : file->groups();
    groups.push_back(found.empty() ? nullptr : found.front());
  }
  return groups;
}

}  // namespace

Building::Building(const Document& document, std::span<const Document* const> group_files)
    : version(document.version()),
      header(part_or_empty(document.find<Header>(FourCC{"MOHD"}))),
      texture_names(part_or_empty(document.find<Strings>(FourCC{"MOTX"}))),
      materials(items_of<Materials>(document, FourCC{"MOMT"})),
      group_names(part_or_empty(document.find<Strings>(FourCC{"MOGN"}))),
      group_infos(items_of<GroupInfos>(document, FourCC{"MOGI"})),
      portal_vertices(items_of<Points>(document, FourCC{"MOPV"})),
      portals(items_of<Portals>(document, FourCC{"MOPT"})),
      portal_references(items_of<PortalReferences>(document, FourCC{"MOPR"})),
      lights(items_of<Lights>(document, FourCC{"MOLT"})),
      doodad_sets(items_of<DoodadSets>(document, FourCC{"MODS"})),
      doodad_names(part_or_empty(document.find<Strings>(FourCC{"MODN"}))),
      doodads(items_of<Doodads>(document, FourCC{"MODD"})),
      fogs(items_of<Fogs>(document, FourCC{"MFOG"})),
      groups(groups_of(document, group_files)) {}

std::string_view name_at(const Strings& names, std::uint64_t offset) {
  constexpr std::size_t kLongest = 260;
  return names.at(offset).substr(0, kLongest);
}

std::string Building::set_name(std::size_t set) const {
  std::string name = to_utf8(doodad_sets[set].name.view());
  return name.empty() ? "set " + std::to_string(set) : name;
}

std::string Building::group_name(std::size_t group) const {
  std::string name;
  if (group < groups.size() && groups[group] != nullptr) {
    name = to_utf8(name_at(group_names, groups[group]->header.name));
  }
  return name.empty() ? "group " + std::to_string(group) : name;
}

// --- lightmaps
// --------------------------------------------------------------------------------------------------

namespace {

constexpr std::size_t kLightmapSide = 256;
constexpr int kDarkest = 24;

/// Where a coordinate falls among the texels of one side, repeating.
std::size_t texel_of(float coordinate) {
  const double wrapped = std::isfinite(coordinate) ? double{coordinate} - std::floor(double{coordinate}) : 0;
  return std::min(static_cast<std::size_t>(wrapped * kLightmapSide), kLightmapSide - 1);
}

std::array<int, 3> wide_color(unsigned packed) {
  const auto five = [](unsigned value) { return static_cast<int>(value << 3U | value >> 2U); };
  const unsigned green = packed >> 5U & 0x3FU;
  return {five(packed & 0x1FU), static_cast<int>(green << 2U | green >> 4U), five(packed >> 11U)};
}

}  // namespace

/// One texel of DXT1: two colours of 16 bits, then two bits per texel.
Bgra lightmap_color(const Lightmap& lightmap, const Vec2& coordinate) {
  constexpr std::size_t kBlock = 8;
  const std::size_t x = texel_of(coordinate[0]);
  const std::size_t y = texel_of(coordinate[1]);
  const std::uint8_t* block = lightmap.texels.data() + (y / 4 * (kLightmapSide / 4) + x / 4) * kBlock;
  const unsigned first = block[0] | static_cast<unsigned>(block[1]) << 8U;
  const unsigned second = block[2] | static_cast<unsigned>(block[3]) << 8U;
  const unsigned choice = static_cast<unsigned>(block[4 + y % 4]) >> (x % 4 * 2) & 3U;
  const auto a = wide_color(first);
  const auto b = wide_color(second);
  Bgra color{0, 0, 0, 255};
  for (std::size_t i = 0; i < 3; ++i) {
    const int between = first > second ? (choice == 2 ? 2 * a[i] + b[i] : a[i] + 2 * b[i]) / 3
                                       : (choice == 2 ? (a[i] + b[i]) / 2 : 0);
    const int value = choice == 0 ? a[i] : choice == 1 ? b[i] : between;
    color[i] = static_cast<std::uint8_t>(std::max(value, kDarkest));
  }
  return color;
}

Array<Bgra> baked_lightmaps(const GroupParts& group) {
  Array<Bgra> colors;
  const std::size_t count = group.positions.size();
  if (group.lightmaps.empty() || group.light_coordinates.size() != count) {
    return colors;
  }
  colors.resize(count, Bgra{255, 255, 255, 255});
  // Batches of good files share no vertices; those of bad ones must not multiply the work.
  std::size_t budget = 4 * count;
  for (const auto& batch : group.batches) {
    const bool exists = batch.lightmap < group.lightmaps.size();
    if (!exists || group.lightmaps[batch.lightmap].texels.size() < Lightmap::kTexels) {
      continue;
    }
    const auto& lightmap = group.lightmaps[batch.lightmap];
    for (std::size_t i = batch.first_vertex; i <= batch.last_vertex && i < count && budget > 0;
         ++i, --budget) {
      colors[i] = lightmap_color(lightmap, group.light_coordinates[i]);
    }
  }
  return colors;
}

// --- liquids
// ----------------------------------------------------------------------------------------------------

LiquidKind liquid_kind(const Liquid& liquid) {
  const auto* tile = std::find_if(liquid.tiles.data(), liquid.tiles.data() + liquid.tiles.size(),
                                  [](std::uint8_t value) { return (value & 0xFU) != Liquid::kNone; });
  if (tile == liquid.tiles.data() + liquid.tiles.size()) {
    return LiquidKind::none;
  }
  switch (*tile & 0xFU) {
    case 1:
      return LiquidKind::ocean;
    case 2:
    case 6:
    case 7:
      return LiquidKind::magma;
    case 3:
      return LiquidKind::slime;
    default:
      return LiquidKind::water;
  }
}

Vec3 liquid_position(const Liquid& liquid, std::uint32_t version, std::int32_t x, std::int32_t y) {
  constexpr double kTile = 100.0 / 24;
  const auto i =
      static_cast<std::size_t>(y) * static_cast<std::size_t>(liquid.x_vertices) + static_cast<std::size_t>(x);
  const float height = i < liquid.vertices.size() ? liquid.vertices[i].height : liquid.corner[2];
  const double along = double{liquid.corner[0]} + (version < 17 ? -kTile * y : kTile * x);
  const double across = double{liquid.corner[1]} + (version < 17 ? kTile * x : kTile * y);
  return {static_cast<float>(along), static_cast<float>(across), height};
}

std::string group_file_name(std::string_view root, std::size_t group) {
  const std::size_t dot = root.find_last_of('.');
  const std::string_view stem = root.substr(0, dot);
  const std::string number = std::to_string(group);
  const std::string zeros(number.size() < 3 ? 3 - number.size() : 0, '0');
  std::string name(stem);
  return name.append("_").append(zeros).append(number).append(
      dot == std::string_view::npos ? ".wmo" : root.substr(dot));
}

}  // namespace thaw::wmo
