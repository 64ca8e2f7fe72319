// The fog where the eye is, indoors or not.
#pragma once

#include <thaw/wdt.hpp>
#include <thaw/world.hpp>

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace thaw::world {

/// The fog of a building that the eye is in takes the place of what was before.
class FogAtEye {
 public:
  /// A building that is the map is looked into at once. `options` must live as long.
  FogAtEye(const wdt::Map& map, const ViewOptions& options, std::optional<Fog> outdoors);

  /// Looks into a building that stands in a tile, once however often it is named.
  void pass(const wdt::MapObject& object);

  [[nodiscard]] const std::optional<Fog>& fog() const { return fog_; }
  [[nodiscard]] const std::string& building() const { return building_; }  ///< UTF-8; empty outdoors

 private:
  [[nodiscard]] bool is_near(const wdt::MapObject& object) const;
  void look_within(const wdt::MapObject& object, const Pose& pose);

  const ViewOptions& options_;
  std::vector<std::string_view> names_;
  std::optional<Fog> fog_;
  std::string building_;
  std::set<std::uint32_t> entered_;  ///< by unique id
};

}  // namespace thaw::world
