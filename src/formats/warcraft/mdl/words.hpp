// Words that stand for values.
#pragma once

#include <thaw/mdx.hpp>

#include "formats/warcraft/mdl/keyword.hpp"

#include <array>
#include <span>

namespace thaw::mdl {

struct NamedValue {
  Keyword word;
  std::uint32_t value;
};
using Words = std::span<const NamedValue>;

inline constexpr std::array kFilterModes = {NamedValue{"None", 0},      NamedValue{"Transparent", 1},
                                            NamedValue{"Blend", 2},     NamedValue{"Additive", 3},
                                            NamedValue{"AddAlpha", 4},  NamedValue{"Modulate", 5},
                                            NamedValue{"Modulate2x", 6}};
inline constexpr std::array kParticleFilters = {NamedValue{"Blend", 0}, NamedValue{"Additive", 1},
                                                NamedValue{"Modulate", 2}, NamedValue{"Modulate2x", 3},
                                                NamedValue{"AlphaKey", 4}};
inline constexpr std::array kParticleShapes = {NamedValue{"Head", 0}, NamedValue{"Tail", 1},
                                               NamedValue{"Both", 2}};
inline constexpr std::array kLightTypes = {NamedValue{"Omnidirectional", 0}, NamedValue{"Directional", 1},
                                           NamedValue{"Ambient", 2}};
inline constexpr std::array kCollisionTypes = {NamedValue{"Box", 0}, NamedValue{"Plane", 1},
                                               NamedValue{"Sphere", 2}, NamedValue{"Cylinder", 3}};
inline constexpr std::array kInterpolations = {NamedValue{"DontInterp", 0}, NamedValue{"Linear", 1},
                                               NamedValue{"Hermite", 2}, NamedValue{"Bezier", 3}};
inline constexpr std::array kPrimitives = {NamedValue{"Points", 0},      NamedValue{"Lines", 1},
                                           NamedValue{"LineLoop", 2},    NamedValue{"LineStrip", 3},
                                           NamedValue{"Triangles", 4},   NamedValue{"TriangleStrip", 5},
                                           NamedValue{"TriangleFan", 6}, NamedValue{"Quads", 7},
                                           NamedValue{"QuadStrip", 8},   NamedValue{"Polygon", 9}};
/// What the community's programs call the textures of a layer from version 1100 on (mdl.md#dialects).
inline constexpr std::array kTextureSlots = {
    NamedValue{"TextureID", 0},          NamedValue{"NormalTextureID", 1},
    NamedValue{"ORMTextureID", 2},       NamedValue{"EmissiveTextureID", 3},
    NamedValue{"TeamColorTextureID", 4}, NamedValue{"ReflectionsTextureID", 5}};

constexpr const NamedValue* find_value(Words words, std::uint32_t value) {
  for (const auto& entry : words) {
    if (entry.value == value) {
      return &entry;
    }
  }
  return nullptr;
}
inline const NamedValue* find_word(Words words, const Word& word) {
  for (const auto& entry : words) {
    if (word.is(entry.word)) {
      return &entry;
    }
  }
  return nullptr;
}

/// The bits that a node gets from the kind of its block, and those that have words there (mdx.md#node-flags).
struct NodeKind {
  std::uint32_t type = 0;
  std::uint32_t words = 0;
};
inline constexpr std::uint32_t kNodeWords = 0xFF;

template <class T>
inline constexpr NodeKind kNodeKind{};
template <>
inline constexpr NodeKind kNodeKind<mdx::Bone>{mdx::node_flag::kBone, kNodeWords};
template <>
inline constexpr NodeKind kNodeKind<mdx::Helper>{0, kNodeWords};
template <>
inline constexpr NodeKind kNodeKind<mdx::Light>{mdx::node_flag::kLight, kNodeWords};
template <>
inline constexpr NodeKind kNodeKind<mdx::EventObject>{mdx::node_flag::kEvent, kNodeWords};
template <>
inline constexpr NodeKind kNodeKind<mdx::Attachment>{mdx::node_flag::kAttachment, kNodeWords};
template <>
inline constexpr NodeKind kNodeKind<mdx::CollisionShape>{mdx::node_flag::kCollision, kNodeWords};
template <>
inline constexpr NodeKind kNodeKind<mdx::RibbonEmitter>{mdx::node_flag::kRibbon, kNodeWords};
template <>
inline constexpr NodeKind kNodeKind<mdx::ParticleEmitter>{
    mdx::node_flag::kEmitter, kNodeWords | mdx::node_flag::kPremUsesMdl | mdx::node_flag::kPremUsesTga};
template <>
inline constexpr NodeKind kNodeKind<mdx::ParticleEmitter2>{
    mdx::node_flag::kEmitter, kNodeWords | mdx::node_flag::kUnshaded | mdx::node_flag::kSortPrimsFarZ |
                                  mdx::node_flag::kPre2LineEmitter | mdx::node_flag::kPre2Unfogged |
                                  mdx::node_flag::kPre2ModelSpace | mdx::node_flag::kPre2XyQuad};
template <>
inline constexpr NodeKind kNodeKind<mdx::PopcornEmitter>{
    mdx::node_flag::kEmitter, kNodeWords | mdx::node_flag::kUnshaded | mdx::node_flag::kSortPrimsFarZ |
                                  mdx::node_flag::kCornUnfogged | mdx::node_flag::kCornPopcornScaling};

/// The text after a block's keyword, or null.
template <class T>
auto* block_name(T& object) {
  if constexpr (requires { object.node.name; }) {
    return &object.node.name;
  } else if constexpr (requires {
                         object.target;
                         object.path;
                       }) {
    return &object.target;
  } else if constexpr (requires { object.name; }) {
    return &object.name;
  } else {
    return static_cast<mdx::Node*>(nullptr);
  }
}
template <class T>
inline constexpr bool kHasBlockName = !std::is_same_v<decltype(block_name(std::declval<T&>())), mdx::Node*>;

}  // namespace thaw::mdl
