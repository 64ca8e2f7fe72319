// Models of the Forgelight engine (DME, "DMOD"): PlanetSide 2's version 4, and as far as known the older ones
// of Free Realms and Clone Wars Adventures. See docs/formats/dme.md.
#pragma once

#include <thaw/adr.hpp>
#include <thaw/bytes.hpp>
#include <thaw/diagnostics.hpp>
#include <thaw/dma.hpp>
#include <thaw/inspect.hpp>
#include <thaw/materials.hpp>
#include <thaw/options.hpp>
#include <thaw/scene.hpp>

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#pragma GCC visibility push(default)

/// Models of the Forgelight engine.
namespace thaw::dme {

/// Vertices interleaved as a layout in materials_3.xml says; the model itself does not state it.
struct Stream {
  static constexpr std::size_t kMinSize = 4;

  std::uint32_t stride = 0;  ///< bytes of one vertex
  Bytes data;
  friend bool operator==(const Stream&, const Stream&) = default;
};

/// Vertices and triangles, drawn with the material of the same index (dme.md#meshes).
struct Mesh {
  static constexpr std::size_t kMinSize = 32;

  // From version 4 on. The words have one place in all versions, and other meanings before.
  std::uint32_t first_draw_call = 0;  ///< in Document::draw_calls, from version 4 on
  std::uint32_t draw_call_count = 0;
  std::uint32_t bone_transform_count = 0;
  std::uint32_t unknown = 0xFFFFFFFF;
  /// Size in the low byte, 2 or 4; the highest bit is set at times.
  std::uint32_t index_format = 2;
  std::uint32_t vertex_count = 0;
  std::vector<Stream> streams;  ///< one before version 4
  Array<std::uint16_t> indices16;
  Array<std::uint32_t> indices32;  ///< if they are of four bytes

  /// Bytes of one index as stated, whatever the high bits of the word.
  [[nodiscard]] unsigned index_size() const { return index_format & 0xFFU; }
  /// Indices of either width.
  [[nodiscard]] std::size_t index_count() const { return indices16.size() + indices32.size(); }
  /// Into the mesh's vertices, not counted from a draw call's first.
  [[nodiscard]] std::uint32_t index(std::size_t at) const {
    return indices32.empty() ? indices16[at] : indices32[at];
  }
  friend bool operator==(const Mesh&, const Mesh&) = default;
};

/// A run of a mesh's triangles that is drawn at once, with a palette of bones of its own (dme.md#draw-calls).
struct DrawCall {
  static constexpr std::size_t kMinSize = 36;

  std::uint32_t unknown = 0xFFFFFFFF;
  std::uint32_t first_bone = 0;  ///< of its palette, in Document::bone_map
  std::uint32_t bone_count = 0;
  std::uint32_t delta = 0;
  std::uint32_t unknown_count = 0;  ///< the mesh's bone_transform_count in the file that is known
  std::uint32_t first_vertex = 0;   ///< in the mesh
  std::uint32_t vertex_count = 0;
  std::uint32_t first_index = 0;  ///< in the mesh
  std::uint32_t index_count = 0;
  friend bool operator==(const DrawCall&, const DrawCall&) = default;
};

/// Index of a bone, and its place in the palette of the draw call.
using BoneMapEntry = std::array<std::uint16_t, 2>;
/// Inverse bind matrix: axes x, y, z and translation, three numbers each; a point is a row before it.
using BoneMatrix = std::array<float, 12>;
using Box = std::array<Vec3, 2>;  ///< minimum, maximum

/// The first version with draw calls and bones.
inline constexpr std::uint32_t kDrawCallVersion = 4;

/// A model of any version. What a version does not have is empty.
struct Document {
  std::uint32_t version = 4;
  std::optional<std::uint32_t> stated_palette_length;  ///< of the materials, if they run past the end
  dma::Document palette;                               ///< the model's own materials
  Remainder palette_remainder;
  Box bounds{};  ///< around all vertices, as stated
  std::vector<Mesh> meshes;
  // From version 4 on.
  std::vector<DrawCall> draw_calls;
  Array<BoneMapEntry> bone_map;
  Array<BoneMatrix> bone_inverse_binds;
  Array<Box> bone_bounds;
  Array<std::uint32_t> bone_hashes;  ///< forgelight::hash_upper of the bones' names
  /// A word at the end: 0 in the file that is known.
  std::optional<std::uint32_t> unknown_count;
  /// What follows, or all from the bounds on if that is damaged: then what could be read is there, too.
  Remainder remainder;

  friend bool operator==(const Document&, const Document&) = default;
};

/// True if the bytes begin as a DME file does.
bool is_dme(ByteView bytes);
/// The version after the magic; none if the bytes are not those of a DME file.
std::optional<std::uint32_t> stated_version(ByteView bytes);

/// Reads a model. Errors: read.tag or read.truncated in the first words, input.too-large, with `strict` any
/// damage. Damaged materials and a damaged body are kept raw.
Result<Document> read(ByteView bytes, const ReadOptions& options = {},
                      Diagnostics& diagnostics = Diagnostics::discarded());
/// The file's bytes. Nothing is normalised.
Bytes write(const Document& document);
/// Shows every field with its offset.
void inspect(const Document& document, Inspector& inspector);

}  // namespace thaw::dme

// --- to a scene and back (docs/formats/dme.md). The engine's axes and units are those of glTF: right-handed,
// Y up, metres, characters face +Z

namespace thaw {
class Sources;
}

namespace thaw::dme {

/// Nodes of bones by forgelight::hash_upper of their names.
using BoneNodes = std::map<std::uint32_t, scene::Index>;

/// What a model is shown with besides its own file.
struct SceneOptions {
  /// How vertices are laid out; without it, or where it does not know a material, that is guessed from their
  /// size with the finding dme.layout.
  const materials::Library* library = nullptr;
  /// Materials in place of the model's own.
  const dma::Document* palette = nullptr;
  /// Textures in place of the materials' own.
  std::span<const adr::Alias> aliases;
  /// Where specular and normal maps are found, from which pictures are made; without it only colour comes.
  const Sources* sources = nullptr;
  ReadOptions read;
  /// Where bones hang that nothing carries; the model's parent if kNone.
  scene::Index bone_parent = scene::kNone;
};

/// Adds the model below `parent` (a node, or kNone): one mesh per mesh of the file, one part per draw call,
/// and one skin for all if there are bones. Bones that `bones` has are those nodes; others get nodes where
/// they lie in the bind pose, below the nearest bone that is known to carry them, and are added to `bones`.
void add_model(const Document& document, std::string_view name, const SceneOptions& options,
               scene::Index parent, BoneNodes& bones, scene::Scene& scene,
               Diagnostics& diagnostics = Diagnostics::discarded());

/// The model alone, below a root node. Indices are in range, numbers finite, parents before children.
scene::Scene to_scene(const Document& document, std::string_view name, const SceneOptions& options = {},
                      Diagnostics& diagnostics = Diagnostics::discarded());

/// The layout of a mesh's streams: that of its material's definition if it fits, entries cut to the strides
/// of the file, which win. `guessed` if no definition says it.
struct MeshLayout {
  materials::Layout layout;
  bool guessed = false;
  bool cut = false;  ///< the definition's is larger than the file's vertices
};
/// Looks in `library`, which may be null, for the definition (a hash of its name), then among the layouts
/// that published models have, then at the strides alone. `version` is the model's: before 4 there is one
/// stream.
MeshLayout mesh_layout(const Mesh& mesh, std::uint32_t definition, std::uint32_t version,
                       const materials::Library* library);

}  // namespace thaw::dme

#pragma GCC visibility pop
