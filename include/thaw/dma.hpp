// Material lists of the Forgelight engine (DMAT): alone in .dma files, or inside a model (dme.hpp). See
// docs/formats/dma.md.
#pragma once

#include <thaw/bytes.hpp>
#include <thaw/diagnostics.hpp>
#include <thaw/inspect.hpp>
#include <thaw/options.hpp>

#include <optional>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)

/// Material lists of the Forgelight engine.
namespace thaw::dma {

/// A value for a parameter of a shader. Class and type are those of Direct3D's effects.
struct Parameter {
  static constexpr std::size_t kMinSize = 16;
  static constexpr std::uint32_t kObject = 4;   ///< parameter class of textures
  static constexpr std::uint32_t kTexture = 5;  ///< parameter type: 5 to 9 are textures

  std::uint32_t semantic = 0;  ///< forgelight::hash of the parameter's name
  std::uint32_t parameter_class = 0;
  std::uint32_t type = 0;
  Bytes data;

  /// Whether the data names a texture, by its hash.
  [[nodiscard]] bool is_texture() const { return type >= kTexture && type <= 9; }
  /// The first word of the data; 0 if there is none. Of a texture, forgelight::hash_upper of its name.
  [[nodiscard]] std::uint32_t word() const;
  friend bool operator==(const Parameter&, const Parameter&) = default;
};

/// One material: the definition that draws it, and values for the parameters of its shader
/// (dma.md#materials).
struct Material {
  static constexpr std::size_t kMinSize = 8;

  std::uint32_t name_hash = 0;  ///< of what is not known
  /// As stated; what is written where the record is damaged or runs past the end, else counted.
  std::optional<std::uint32_t> stated_length;
  std::uint32_t definition = 0;  ///< forgelight::hash of a definition's name in materials_3.xml
  std::vector<Parameter> parameters;
  Remainder remainder;

  /// The first parameter with this hash of its name, or null.
  [[nodiscard]] const Parameter* find(std::uint32_t semantic) const;
  friend bool operator==(const Material&, const Material&) = default;
};

/// A list of materials, and the names of the textures in it.
struct Document {
  static constexpr std::uint32_t kVersion = 1;

  std::uint32_t version = kVersion;
  Array<char> names;  ///< of textures, each with a NUL after it
  std::vector<Material> materials;
  Bytes tail;  ///< bytes after the last material

  /// The names one by one.
  [[nodiscard]] std::vector<std::string_view> texture_names() const;
  friend bool operator==(const Document&, const Document&) = default;
};

/// Reads a list. Errors: read.tag, and read.truncated or read.count where the list itself is cut off,
/// input.too-large. Damage inside one material's record is kept there.
Result<Document> read(ByteView bytes, const ReadOptions& options = {},
                      Diagnostics& diagnostics = Diagnostics::discarded());
/// The file's bytes. Nothing is normalised.
Bytes write(const Document& document);
/// Shows every field with its offset.
void inspect(const Document& document, Inspector& inspector);

}  // namespace thaw::dma

#pragma GCC visibility pop
