// Fog in buildings (wmo.md#fogs).
#include <thaw/world_picture.hpp>

#include "formats/wow/wmo/building.hpp"

#include <algorithm>

namespace thaw::world {
namespace {

bool holds(const wmo::Box& box, const Vec3& place) {
  for (std::size_t axis = 0; axis < place.size(); ++axis) {
    if (!(place.at(axis) >= box.minimum.at(axis) && place.at(axis) <= box.maximum.at(axis))) {
      return false;
    }
  }
  return true;
}

double room_in(const wmo::Box& box) {
  double room = 1;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    room *= double{box.maximum.at(axis)} - double{box.minimum.at(axis)};
  }
  return room;
}

IndoorFog indoor(const wmo::Fog& fog, bool under_water) {
  constexpr std::uint32_t kEverywhere = 1;
  constexpr float kFull = 255;
  const wmo::Fog::Values& values = under_water ? fog.water : fog.air;
  IndoorFog result;
  result.position = fog.position;
  result.small_radius = fog.small_radius;
  result.large_radius = fog.large_radius;
  result.everywhere = (fog.flags & kEverywhere) != 0;
  result.end = values.end;
  result.start_scalar = values.start_scalar;
  for (std::size_t channel = 0; channel < 3; ++channel) {
    result.color.at(channel) = static_cast<float>(values.color.at(2 - channel)) / kFull;
  }
  return result;
}

}  // namespace

std::optional<std::vector<IndoorFog>> fogs_around(const wmo::Document& building,
                                                  std::span<const wmo::Document* const> groups,
                                                  const Vec3& place, bool under_water) {
  const wmo::Building parts(building, groups);
  const wmo::GroupHeader* around = nullptr;
  for (const wmo::Group* group : parts.groups) {
    constexpr std::uint32_t kOutdoors = wmo::GroupHeader::kExterior | wmo::GroupHeader::kExteriorLit;
    const bool within =
        group != nullptr && (group->header.flags & kOutdoors) == 0 && holds(group->header.box, place);
    if (within && (around == nullptr || room_in(group->header.box) < room_in(around->box))) {
      around = &group->header;
    }
  }
  if (around == nullptr) {
    return std::nullopt;
  }
  std::vector<IndoorFog> fogs;
  for (auto id = around->fogs.begin(); id != around->fogs.end(); ++id) {
    if (*id < parts.fogs.size() && std::find(around->fogs.begin(), id, *id) == id) {
      fogs.push_back(indoor(parts.fogs[*id], under_water));
    }
  }
  return fogs;
}

}  // namespace thaw::world
