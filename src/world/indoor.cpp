// Fog in buildings (wmo.md#fogs).
#include "world/indoor.hpp"

#include <thaw/world.hpp>

#include "formats/wow/wmo/building.hpp"
#include "scene/math.hpp"

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

FogAtEye::FogAtEye(const wdt::Map& map, const ViewOptions& options, std::optional<Fog> outdoors)
    : options_(options), names_(wdt::split_names(map.map_object_names)), fog_(outdoors) {
  if (map.is_dungeon() && !map.map_objects.empty()) {
    look_within(map.map_objects.front(), pose_of_map(map.map_objects.front()));
  }
}

void FogAtEye::pass(const wdt::MapObject& object) {
  if (is_near(object) && entered_.insert(object.unique_id).second) {
    look_within(object, pose_of(object));
  }
}

/// Whether the eye is in the box that a placement states, with some room around it.
bool FogAtEye::is_near(const wdt::MapObject& object) const {
  constexpr float kRoom = 1;  // yard
  const auto edge = static_cast<float>(kMapEdge);
  const Vec3& low = object.box_minimum;
  const Vec3& high = object.box_maximum;
  const Box box = {{edge - high[2], edge - high[0], low[1]}, {edge - low[2], edge - low[0], high[1]}};
  return distance_to(options_.camera, box) <= kRoom;
}

void FogAtEye::look_within(const wdt::MapObject& object, const Pose& pose) {
  if (!options_.open_fogs || object.name_id >= names_.size()) {
    return;
  }
  const Vec3& eye = options_.camera;
  const scene::Vec3d apart = {double{eye[0]} - pose.position[0], double{eye[1]} - pose.position[1],
                              double{eye[2]} - pose.position[2]};
  const scene::Mat4d back = scene::compose({}, scene::conjugate(pose.rotation), {1, 1, 1});
  const Vec3 place = scene::narrow(scene::transform_point(back, apart));
  if (const auto fogs = options_.open_fogs(names_[object.name_id], place)) {
    fog_ = indoor_fog(*fogs, place, fog_);
    building_ = to_utf8(names_[object.name_id]);
  }
}

}  // namespace thaw::world
