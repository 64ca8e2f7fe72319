// Textures that have the colour of a player (warcraft3-rendering.md#team-colours).
#pragma once

#include <thaw/scene.hpp>

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace thaw::scene {

/// Models of World of Warcraft's alpha number their replaceable textures in another way than Warcraft III.
inline constexpr std::string_view kAlphaModel = "mdx-alpha";
inline constexpr std::uint32_t kTeamColorId = 1;
inline constexpr std::uint32_t kTeamGlowId = 2;

/// Whether anything has the colour of a player.
inline bool has_team_color(const Scene& scene) {
  return scene.source_format != kAlphaModel &&
         std::any_of(scene.textures.begin(), scene.textures.end(), [](const Texture& texture) {
           return texture.path.empty() &&
                  (texture.replaceable_id == kTeamColorId || texture.replaceable_id == kTeamGlowId);
         });
}

}  // namespace thaw::scene
