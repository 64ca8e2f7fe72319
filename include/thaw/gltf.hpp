// A scene as glTF 2.0. What becomes what is told in docs/library/gltf.md.
#pragma once

#include <thaw/bytes.hpp>
#include <thaw/diagnostics.hpp>
#include <thaw/outputs.hpp>
#include <thaw/scene.hpp>

#include <cstdint>
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
  bool binary = true;          ///< one .glb; else .gltf with files beside it
  bool embed_images = true;    ///< false: image files beside it
  std::string name = "model";  ///< stem of the file names
  GltfTextureFormat texture_format = GltfTextureFormat::png;
  int png_level = 6;                 ///< 1 (fast) to 12
  int jpeg_quality = 92;             ///< 1 to 100
  std::string generator = {};        ///< asset.generator; empty for the library's own
  const Control* control = nullptr;  ///< as ReadOptions::control
};

/// How the names of the files beside `name`.gltf begin: as `name` does, in UTF-8 and without what some file
/// systems refuse. Two outputs in one folder share no file if they differ in this by more than case.
std::string gltf_side_stem(std::string_view name);

/// First the .glb or .gltf, then the files that it refers to. Whatever the scene holds, the result is valid:
/// parts that glTF cannot say or that are broken are mended, left out or kept as extras, and reported. Same
/// scene, same bytes.
///
/// The options that change what a reader finds stand under asset.extras.thaw.options, and read_gltf puts them
/// into the scene's extras, so that an edited file is compared with the original written in the same way.
///
/// Pictures are those that load_images left in the scene; textures without one come out untextured.
/// Fails with write.failed if the result would exceed the 4 GiB of a GLB, and with limit.stopped.
Result<std::vector<OutputFile>> write_gltf(const scene::Scene& scene, const GltfOptions& options = {},
                                           Diagnostics& diagnostics = Diagnostics::unwanted());
/// The same of a scene that is needed no more: the pixels of a picture are given back once it is encoded,
/// which halves the memory of a model with large textures.
Result<std::vector<OutputFile>> write_gltf(scene::Scene&& scene, const GltfOptions& options = {},
                                           Diagnostics& diagnostics = Diagnostics::unwanted());

}  // namespace thaw

#pragma GCC visibility pop
