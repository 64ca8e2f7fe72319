// Things that games leave out of a picture (warcraft3-rendering.md#layers).
#pragma once

#include <thaw/scene.hpp>

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace thaw::scene {

/// Opacities up to this are not drawn.
inline constexpr float kInvisible = 0.01F;

/// Pixels of Transparent layers and of keyed particles with less opacity are not drawn.
inline constexpr float kKeyCutoff = 0.75F;

// What model emitters throw (warcraft3-rendering.md#thrown-models).

/// True for a model emitter that throws its texture instead of a model (EmitterUsesTGA).
inline bool throws_picture(const Emitter& emitter) {
  return emitter.kind == Emitter::Kind::models && emitter.path.empty() && emitter.texture != kNone;
}

// Textures that have the colour of a player (warcraft3-rendering.md#team-colours).

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
