// The shaders of the game (mdx.md#shaders): layers name theirs by number from MDX 1100 on, materials in 900
// to 1099 do by name.
#pragma once

#include "bytes/text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace thaw::mdx {

inline constexpr std::uint32_t kShaderLegacy = 0;
inline constexpr std::uint32_t kShaderUnit = 1;
inline constexpr std::uint32_t kShaderFixedFunction = 2;
inline constexpr std::uint32_t kShaderCrystal = 24;

struct Shader {
  std::uint32_t id;
  std::string_view name;
};

inline constexpr std::array<Shader, 4> kShaders = {{{kShaderLegacy, "Shader_SD_Legacy"},
                                                    {kShaderUnit, "Shader_HD_DefaultUnit"},
                                                    {kShaderFixedFunction, "Shader_SD_FixedFunction"},
                                                    {kShaderCrystal, "Shader_HD_Crystal"}}};

/// Those of HD: six textures, for diffuse, normal, ORM, emissive, team colour and environment.
inline constexpr std::size_t kPhysicalTextures = 6;

constexpr bool is_physical(std::uint32_t shader) { return shader == kShaderUnit || shader == kShaderCrystal; }

/// Null for numbers that models do not use.
inline const Shader* find_shader(std::uint32_t id) {
  const auto* found =
      std::find_if(kShaders.begin(), kShaders.end(), [&](const Shader& shader) { return shader.id == id; });
  return found == kShaders.end() ? nullptr : found;
}

/// In any case of letters; null for names that the game does not know, which it takes for kShaderLegacy.
inline const Shader* find_shader(std::string_view name) {
  const auto* found = std::find_if(kShaders.begin(), kShaders.end(),
                                   [&](const Shader& shader) { return ascii::same(shader.name, name); });
  return found == kShaders.end() ? nullptr : found;
}

inline std::uint32_t shader_of(std::string_view name) {
  const Shader* found = find_shader(name);
  return found == nullptr ? kShaderLegacy : found->id;
}

}  // namespace thaw::mdx
