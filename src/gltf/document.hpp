// A glTF document in memory, as far as the writer uses the format: built in any order, printed at the end.
#pragma once

#include <thaw/bytes.hpp>
#include <thaw/scene.hpp>
#include <thaw/value.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace thaw::gltf {

// Of the document here, and with the same "nothing".
using scene::Index;
using scene::kNone;

enum class ComponentType : std::uint16_t {
  i8 = 5120,
  u8 = 5121,
  i16 = 5122,
  u16 = 5123,
  u32 = 5125,
  f32 = 5126
};
enum class BufferTarget : std::uint16_t { none = 0, vertices = 34962, indices = 34963 };

inline constexpr Index kClampToEdge = 33071;

/// EXT_meshopt_compression of a view.
struct Packed {
  std::string_view mode;
  std::string_view filter;
  std::size_t count = 0;
  std::size_t stride = 0;
  std::size_t offset = 0;
  std::size_t length = 0;
};

struct BufferView {
  std::size_t offset = 0;  ///< of a packed view: in what all of them unpack to
  std::size_t length = 0;
  BufferTarget target = BufferTarget::none;
  std::size_t stride = 0;  ///< bytes from one element to the next; of vertices only
  std::optional<Packed> packed;
};

struct Accessor {
  Index view = kNone;
  std::size_t offset = 0;
  ComponentType component = ComponentType::f32;
  bool normalized = false;
  std::string_view type = "SCALAR";
  std::size_t count = 0;
  std::vector<float> minimum;
  std::vector<float> maximum;
};

struct Sampler {
  bool wrap_u = false;
  bool wrap_v = false;
};

struct Texture {
  Index sampler = kNone;
  Index image = kNone;
  friend bool operator==(const Texture&, const Texture&) = default;
};

struct Image {
  std::string name;
  Index view = kNone;  ///< or, if none:
  std::string uri;
  std::string_view type = "png";  ///< or "jpeg", "webp"
};

/// KHR_texture_transform: offset + rotation · scale · uv.
struct TextureTransform {
  Vec2 offset{};
  float rotation = 0;
  Vec2 scale{1, 1};
  friend bool operator==(const TextureTransform&, const TextureTransform&) = default;
};

struct TextureInfo {
  Index texture = kNone;
  unsigned uv_set = 0;
  std::optional<TextureTransform> transform;
};

enum class AlphaMode : std::uint8_t { opaque, mask, blend };

constexpr std::string_view alpha_mode_name(AlphaMode mode) {
  return mode == AlphaMode::opaque ? "OPAQUE" : mode == AlphaMode::mask ? "MASK" : "BLEND";
}

struct Material {
  std::string name;
  AlphaMode alpha_mode = AlphaMode::opaque;
  float alpha_cutoff = 0.5F;
  bool double_sided = false;
  bool unlit = false;
  Vec4 base_color{1, 1, 1, 1};
  float metallic = 0;
  float roughness = 1;
  TextureInfo base_color_texture;
  TextureInfo metallic_roughness_texture;
  TextureInfo occlusion_texture;
  TextureInfo normal_texture;
  TextureInfo emissive_texture;
  Vec3 emissive{};
  float emissive_strength = 1;
  Value extras;
};

using Attributes = std::vector<std::pair<std::string, Index>>;

/// How a primitive reads its indices; 0 to 3 are scene::Wire::Mode.
inline constexpr Index kTriangles = 4;

struct Primitive {
  Attributes attributes;
  Index indices = kNone;
  Index material = kNone;
  std::vector<Index> variants;  ///< KHR_materials_variants: a material for each of the asset's, or none
  Index mode = kTriangles;
  std::vector<Attributes> targets;
};

struct Mesh {
  std::string name;
  std::vector<Primitive> primitives;
  std::vector<float> weights;
  std::vector<std::string> target_names;
  Value extras;
};

struct Node {
  std::string name;
  std::vector<Index> children;
  Vec3 translation{};
  Vec4 rotation{0, 0, 0, 1};
  Vec3 scale{1, 1, 1};
  Index mesh = kNone;
  Index skin = kNone;
  Index camera = kNone;
  Index light = kNone;
  std::optional<bool> visible;  ///< KHR_node_visibility
  std::vector<Index> lods;      ///< MSFT_lod
  std::vector<float> lod_coverage;
  Attributes instances;  ///< EXT_mesh_gpu_instancing: TRANSLATION, ROTATION, SCALE of each
  Value extras;
};

struct Skin {
  std::string name;
  std::vector<Index> joints;
  Index inverse_bind = kNone;
  Index skeleton = kNone;
};

struct Camera {
  std::string name;
  float vertical_fov = 1;
  float near_clip = 0.01F;
  std::optional<float> far_clip;
};

struct Light {
  std::string name;
  bool directional = false;
  Vec3 color{1, 1, 1};
  float intensity = 1;
  std::optional<float> range;
};

struct AnimationSampler {
  Index input = kNone;
  Index output = kNone;
  std::string_view interpolation = "LINEAR";
  friend bool operator==(const AnimationSampler&, const AnimationSampler&) = default;
};

struct AnimationChannel {
  Index sampler = kNone;
  Index node = kNone;
  std::string_view path;
  std::string pointer;  ///< KHR_animation_pointer instead of node and path
};

struct Animation {
  std::string name;
  std::vector<AnimationSampler> samplers;
  std::vector<AnimationChannel> channels;
  Value extras;
};

struct Asset {
  std::string generator;
  std::string scene_name;
  std::vector<Index> roots;
  std::vector<Node> nodes;
  std::vector<Mesh> meshes;
  std::vector<Skin> skins;
  std::vector<Material> materials;
  std::vector<std::string> variants;
  std::vector<Texture> textures;
  std::vector<Sampler> samplers;
  std::vector<Image> images;
  std::vector<Camera> cameras;
  std::vector<Light> lights;
  std::vector<Animation> animations;
  std::vector<Accessor> accessors;
  std::vector<BufferView> views;
  std::size_t buffer_length = 0;
  std::size_t unpacked_length = 0;  ///< of all packed views
  bool quantized = false;           ///< vertices have KHR_mesh_quantization
  std::string buffer_uri;           ///< empty in a GLB
  Value asset_extras;
  Value scene_extras;
};

/// The JSON text. `extensionsUsed` follows from what the document holds.
std::string to_json(const Asset& document);

}  // namespace thaw::gltf
