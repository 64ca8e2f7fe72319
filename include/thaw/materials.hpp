// Definitions of materials of the Forgelight engine (materials_3.xml): which shader draws a material, and how
// the vertices of its models are laid out. See docs/formats/materials.md.
#pragma once

#include <thaw/xml.hpp>

#include <cstdint>
#include <string>
#include <vector>

#pragma GCC visibility push(default)

/// Material definitions of the Forgelight engine.
namespace thaw::materials {

/// How an attribute of a vertex is stored, by the names in materials_3.xml (materials.md#types).
enum class Type : std::uint8_t {
  unknown,
  float1,
  float2,
  float3,
  float4,
  half2,
  half4,
  short2,
  short4,
  short2_normalized,
  short4_normalized,
  ushort2_normalized,
  ushort4_normalized,
  ubyte4,
  ubyte4_normalized,
  d3d_color,
  udec3,
  dec3_normalized,
};
/// Bytes that one takes; 0 for unknown.
std::size_t type_size(Type type);

/// What an attribute of a vertex is for; `unknown` where the library has no use for it.
enum class Usage : std::uint8_t {
  unknown,
  position,
  blend_weight,
  blend_indices,
  normal,
  point_size,
  texcoord,
  tangent,
  binormal,
  color,
};

/// One attribute of a vertex, and where it lies.
struct Entry {
  unsigned stream = 0;
  Type type = Type::unknown;
  Usage usage = Usage::unknown;
  unsigned usage_index = 0;  ///< which of several of this usage
  unsigned offset = 0;       ///< in the stream
  friend bool operator==(const Entry&, const Entry&) = default;
};

/// What the vertices of a mesh consist of, stream by stream.
struct Layout {
  std::string name;
  std::vector<Entry> entries;

  /// Bytes of a stream up to the end of its last entry.
  [[nodiscard]] std::size_t stride(unsigned stream) const;
  /// One joint for each vertex, whose place in the palette is the last byte of the binormal
  /// (materials.md#rigid-vertices).
  [[nodiscard]] bool is_rigid() const;
  friend bool operator==(const Layout&, const Layout&) = default;
};

/// Which shader draws a material, and from what vertices.
struct Definition {
  std::string name;
  std::uint32_t hash = 0;  ///< forgelight::hash of the name
  std::string effect;      ///< of its first draw style, as the layout; empty if it has none
  std::string layout;
};

/// What a materials_3.xml defines.
struct Library {
  std::vector<Layout> layouts;
  std::vector<Definition> definitions;

  /// By the hash of its name, or null.
  [[nodiscard]] const Definition* find_definition(std::uint32_t hash) const;
  /// By its name as written, or null.
  [[nodiscard]] const Layout* find_layout(std::string_view name) const;
};

/// True if the root element is a MaterialDefinitionCollection, or MaterialInfo as in Free Realms.
bool is_materials(std::string_view text);

/// Reads all definitions. The error is xml.syntax or format.foreign.
Result<Library> read_library(const xml::Document& document);

/// Layouts that the engine's models are known to have: for models without a materials_3.xml.
std::vector<Layout> known_layouts();

}  // namespace thaw::materials

#pragma GCC visibility pop
