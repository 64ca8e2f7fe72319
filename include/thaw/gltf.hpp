// Scenes to glTF 2.0 and back (docs/library/gltf.md), and glTF files as documents.
#pragma once

#include <thaw/bytes.hpp>
#include <thaw/diagnostics.hpp>
#include <thaw/format.hpp>
#include <thaw/inspect.hpp>
#include <thaw/options.hpp>
#include <thaw/scene.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)

namespace thaw {

class Control;

/// How far beyond the core of glTF the output may go.
enum class GltfProfile : std::uint8_t {
  compat,  ///< what every viewer shows: core, unlit, texture transform, lights
  rich,    ///< also KHR_animation_pointer and KHR_node_visibility, none of them required
  /// For a way through Blender and back (docs/user/blender.md): nodes are joints of one skin, nothing rests
  /// at no size, half turns have a key in their middle, and what extras keep stands where it is not lost.
  blender,
};

/// How much of what glTF cannot say stands under extras.thaw (docs/library/gltf.md#extrasthaw).
enum class GltfExtras : std::uint8_t {
  full,     ///< all of it
  minimal,  ///< what an edited file needs to go back into its original: kinds, names, clips, axes, scale
  none,     ///< nothing but axis, scale and these options, at the file
};

/// How the buffers are packed.
enum class GltfCompression : std::uint8_t {
  none,
  meshopt,  ///< EXT_meshopt_compression, which readers must know
};

/// How textures are stored.
enum class GltfTextureFormat : std::uint8_t {
  png,
  jpeg,  ///< lossy: those without alpha, where that is smaller than PNG; the others are PNG
  webp,  ///< lossless, as EXT_texture_webp, which readers must know
  keep,  ///< scene::NamedImage::file byte for byte; PNG without one and for combined textures
};

/// Profile, files and names of the output.
struct GltfOptions {
  GltfProfile profile = GltfProfile::compat;
  GltfExtras extras = GltfExtras::full;  ///< the profile `blender` has them all
  /// Fewer bits: normals, tangents and colours in 8, UVs between 0 and 1 and the keys of rotations in 16.
  /// That is KHR_mesh_quantization, which readers must know. With compression positions, other UVs and all
  /// other keys are rounded to 1/32768 of the largest.
  bool quantize = false;
  GltfCompression compression = GltfCompression::none;
  /// Each clip in a file of its own, name@CLIP.glb, with the nodes that it moves and no meshes; the first
  /// file has no animations.
  bool separate_animations = false;
  /// Models that a scene places several times below one node as EXT_mesh_gpu_instancing, which readers must
  /// know, instead of a tree of nodes for each place.
  bool instances = false;
  bool binary = true;          ///< one .glb; else .gltf with files next to it
  bool embed_images = true;    ///< false: image files next to it
  std::string name = "model";  ///< stem of the file names
  GltfTextureFormat texture_format = GltfTextureFormat::png;
  int png_level = 6;                 ///< 1 (fast) to 12
  int jpeg_quality = 92;             ///< 1 to 100
  std::string generator = {};        ///< asset.generator; empty for the library's own
  const Control* control = nullptr;  ///< as ReadOptions::control
};

/// What a file states of how it was written.
struct WrittenGltf {
  GltfOptions options;  ///< profile, extras, quantize, compression, separate_animations, instances
  std::vector<std::string> missing;  ///< names of images that no source had; without extras alone
  bool all_team_colors = false;      ///< as ImageOptions
  float scale = 0;                   ///< metres per unit of the source; without extras alone, else 0
};

/// How the names of the files next to `name`.gltf begin: as `name` does, in UTF-8 and without what some file
/// systems refuse. Two outputs in one folder share no file if they differ in this by more than case.
std::string gltf_side_stem(std::string_view name);

/// First the .glb or .gltf, then the files that it refers to. Whatever the scene holds, the result is valid:
/// parts that glTF cannot say or that are broken are fixed, left out or kept as extras, and reported. Same
/// scene, same bytes.
///
/// The options that change what a reader finds stand under asset.extras.thaw.options, and read_gltf puts them
/// into SceneSource::written, so that an edited file is compared with the original written in the same way.
///
/// Custom properties of scenes from glTF are not written (scene.lost).
///
/// Pictures are those that load_images left in the scene; textures without one come out untextured.
/// Fails with write.failed if the result would exceed the 4 GiB of a GLB, and with limit.stopped.
Result<std::vector<OutputFile>> write_gltf(const scene::Scene& scene, const GltfOptions& options = {},
                                           Diagnostics& diagnostics = Diagnostics::discarded());
/// The same of a scene that is needed no more: the pixels of a picture are given back once it is encoded,
/// which halves the memory of a model with large textures.
Result<std::vector<OutputFile>> write_gltf(scene::Scene&& scene, const GltfOptions& options = {},
                                           Diagnostics& diagnostics = Diagnostics::discarded());

// glTF 2.0 as a scene: what other programs make, on its way into a game's format.

/// An axis of a file.
enum class GltfAxis : std::uint8_t { x, y, z, minus_x, minus_y, minus_z };

/// Limits, where the files next to a .gltf come from, and what becomes of base colours.
struct GltfReadOptions {
  Limits limits;
  /// Where the model faces, if that is known better than from the file: by `asset.extras.thaw.front`, else +Z
  /// as glTF has it. The scene is turned so that it faces +Z; a file that faces +X becomes one of
  /// Axes::x_right.
  std::optional<GltfAxis> front;
  /// Gives the content of a file that a .gltf refers to by a relative URI, percent-decoded. Without it only
  /// what the file itself holds is read.
  std::function<Result<Bytes>(std::string_view uri)> open;
  /// Base colours of materials multiply the colours of vertices, which only they have in a scene. Primitives
  /// that share their vertices and differ in it have vertices of their own then.
  bool base_colors = true;
  /// Materials are read whole, not by their base colour alone: emission, normals, occlusion, roughness,
  /// metal, cutoffs and transforms of pictures; and so are lights and cameras without extras. Factors go into
  /// the pictures. What is left out then is reported as gltf.unsupported.
  bool surfaces = false;
  /// As `surfaces`, and meshes get the materials that extras keep, with all their layers, textures and
  /// texture animations, and their own colour and opacity, in place of those that glTF shows; what write_gltf
  /// added so that viewers hide things goes. Materials without such extras stay glTF's own.
  bool kept_materials = false;
  /// With `kept_materials`: formats (Scene::source_format, separated by blanks) of the game for which the
  /// scene is read. Scenes of these name their textures as extras keep it. Those of other games, whose files
  /// that game does not have, get the pictures that the file shows, as far as it has them; layers that it
  /// shows as one become one. Empty: all keep their names.
  std::string names_of;
  /// As ReadOptions::control.
  const Control* control = nullptr;
};

/// Reads nodes with those that MSFT_lod names, meshes with all their vertex attributes that a scene has,
/// morph targets, skins, cameras' and lights' nodes, materials by name and base colour, and animations of
/// nodes and weights. A node that carries a mesh is followed by no other: each mesh of the scene has one
/// node, so a mesh that glTF uses twice comes twice. Pictures inside the file come as Texture::content.
/// Strips and fans become triangles; all sets of joints and weights are read; of materials what is beyond the
/// base colour is read with GltfReadOptions::surfaces alone. What write_gltf kept under extras.thaw becomes
/// fields again: of nodes, clips and materials what glTF does not say, and lights, cameras, attachments,
/// events, shapes, emitters and ribbons, with the channels, materials and textures of these
/// (docs/library/gltf.md says which). Extras are retained as they stand.
///
/// Packed views (EXT_meshopt_compression) are unpacked; instances (EXT_mesh_gpu_instancing) become nodes.
///
/// A picture that cannot be read, and streams of lengths that do not fit, cost themselves (gltf.reference).
/// Errors: json.malformed, read.truncated for a GLB without JSON, input.too-large (also for an object of more
/// than 1,024 members outside of extras and extensions); gltf.required for an extension that the file needs
/// and that is not read; gltf.reference for a file without asset or from another major version, for what
/// names something that is not there (a buffer, an item, an element, a vertex), for nodes that are no trees,
/// for more copies than the file can hold, and with `surfaces` for meshes of which the scene shows nothing.
Result<scene::Scene> read_gltf(ByteView bytes, const GltfReadOptions& options = {},
                               Diagnostics& diagnostics = Diagnostics::discarded());

}  // namespace thaw

// glTF files as they stand, so that they can be looked at and written back like any other format. What is in
// them as a scene is read by read_gltf (thaw/gltf.hpp).
//
// Source: glTF 2.0 specification, chapter 4 (GLB).

/// glTF files as they stand.
namespace thaw::gltf {

/// A chunk of a GLB, whatever is in it.
struct Chunk {
  FourCC type;
  Bytes data;

  static constexpr std::size_t kMinSize = 8;
  friend bool operator==(const Chunk&, const Chunk&) = default;
};

/// A GLB, or the text of a .gltf, whose buffers and pictures are other files.
struct Document {
  bool binary = true;
  std::uint32_t version = 2;  ///< of the container
  std::uint32_t length = 0;   ///< of the file, as it states it
  std::vector<Chunk> chunks;  ///< up to the first that is cut off
  std::vector<Gap> gaps;      ///< what follows them
  Bytes text;                 ///< of a .gltf

  /// The characters of the JSON; empty for a GLB without any.
  [[nodiscard]] std::string_view json() const;

  friend bool operator==(const Document&, const Document&) = default;
};

/// Reads the container without looking into its JSON. A chunk that is cut off and a length that is not the
/// file's are reported (with `options.strict` the first of these is the error). Errors: format.unknown for
/// what is neither a GLB nor a text, input.too-large.
Result<Document> read(ByteView bytes, const ReadOptions& options = {},
                      Diagnostics& diagnostics = Diagnostics::discarded());

/// The file's bytes.
Bytes write(const Document& document);

/// Shows every chunk with its offset.
void inspect(const Document& document, Inspector& inspector);

}  // namespace thaw::gltf

#pragma GCC visibility pop
