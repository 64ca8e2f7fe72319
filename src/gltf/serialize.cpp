// The document as JSON. Members that have their default value are left out.
#include "describe/json_writer.hpp"
#include "gltf/document.hpp"

#include <algorithm>
#include <map>

namespace thaw::gltf {
namespace {

constexpr std::string_view kInstancing = "EXT_mesh_gpu_instancing";
constexpr std::string_view kMeshopt = "EXT_meshopt_compression";
constexpr std::string_view kQuantization = "KHR_mesh_quantization";
constexpr std::string_view kWebp = "EXT_texture_webp";
constexpr std::string_view kVariants = "KHR_materials_variants";

bool holds_webp(const Image& image) { return image.type == "webp"; }

class Printer {
 public:
  explicit Printer(const Asset& document) : document_(document) {}

  std::string print();

 private:
  void asset();
  void extensions();
  void root_extensions();
  void scenes();
  void node(const Node& node);
  void node_extensions(const Node& node);
  void node_extras(const Node& node);
  void mesh(const Mesh& mesh);
  void mesh_extras(const Mesh& mesh);
  void primitive(const Primitive& primitive, bool varies);
  void variants(const std::vector<Index>& materials);
  void attributes(const Attributes& attributes);
  void skin(const Skin& skin);
  void material(const Material& material);
  void base_color(const Material& material);
  void material_extensions(const Material& material);
  void texture_info(std::string_view name, const TextureInfo& info);
  void texture_transform(const TextureTransform& transform);
  void texture(const Texture& texture);
  void sampler(const Sampler& sampler);
  void image(const Image& image);
  void camera(const Camera& camera);
  void light(const Light& light);
  void animation(const Animation& animation);
  void channel(const AnimationChannel& channel);
  void accessor(const Accessor& accessor);
  void view(const BufferView& view);
  void packed(const Packed& packed);
  void buffers();

  void number(std::string_view name, std::size_t value) {
    json_.key(name);
    json_.number(static_cast<std::int64_t>(value));
  }
  void number(std::string_view name, float value) {
    json_.key(name);
    json_.number(value);
  }
  void optional_index(std::string_view name, Index value) {
    if (value != kNone) {
      number(name, std::size_t{value});
    }
  }
  void text(std::string_view name, std::string_view value) {
    json_.key(name);
    json_.string(value);
  }
  void optional_text(std::string_view name, std::string_view value) {
    if (!value.empty()) {
      text(name, value);
    }
  }
  template <class Numbers>
  void floats(std::string_view name, const Numbers& values) {
    json_.key(name);
    json_.begin_array();
    for (const float value : values) {
      json_.number(value);
    }
    json_.end_array();
  }
  template <class Numbers>
  void floats_unless(std::string_view name, const Numbers& values, const Numbers& usual) {
    if (!(values == usual)) {
      floats(name, values);
    }
  }
  void indices(std::string_view name, const std::vector<Index>& values) {
    if (values.empty()) {
      return;
    }
    json_.key(name);
    json_.begin_array();
    for (const Index value : values) {
      json_.number(std::int64_t{value});
    }
    json_.end_array();
  }
  void extras(const Value& value) {
    if (!value.empty()) {
      json_.key("extras");
      json_.begin_object();
      thaw_extras(value);
      json_.end_object();
    }
  }
  void thaw_extras(const Value& value) {
    if (!value.empty()) {
      json_.key("thaw");
      json_.value(value);
    }
  }
  void flag(std::string_view name) {
    json_.key(name);
    json_.boolean(true);
  }
  void empty_object(std::string_view name) {
    json_.key(name);
    json_.begin_object();
    json_.end_object();
  }
  template <class Items, class Print>
  void list(std::string_view name, const Items& items, const Print& print) {
    if (items.empty()) {
      return;
    }
    json_.key(name);
    json_.begin_array();
    for (const auto& item : items) {
      json_.begin_object();
      print(item);
      json_.end_object();
    }
    json_.end_array();
  }

  const Asset& document_;
  JsonWriter json_;
};

void Printer::asset() {
  json_.key("asset");
  json_.begin_object();
  text("version", "2.0");
  optional_text("generator", document_.generator);
  extras(document_.asset_extras);
  json_.end_object();
}

void Printer::extensions() {
  bool pointer = false;
  bool visibility = false;
  bool unlit = false;
  bool strength = false;
  bool transform = false;
  bool lods = false;
  bool instances = false;
  for (const auto& animation : document_.animations) {
    for (const auto& channel : animation.channels) {
      pointer = pointer || !channel.pointer.empty();
    }
  }
  for (const auto& node : document_.nodes) {
    visibility = visibility || node.visible.has_value();
    lods = lods || !node.lods.empty();
    instances = instances || !node.instances.empty();
  }
  for (const auto& material : document_.materials) {
    unlit = unlit || material.unlit;
    strength = strength || material.emissive_strength != 1;
    for (const auto* info :
         {&material.base_color_texture, &material.metallic_roughness_texture, &material.occlusion_texture,
          &material.normal_texture, &material.emissive_texture}) {
      transform = transform || (info->texture != kNone && info->transform.has_value());
    }
  }
  const bool webp = std::any_of(document_.images.begin(), document_.images.end(), holds_webp);
  const std::array<std::pair<std::string_view, bool>, 12> used = {{
      {kInstancing, instances},
      {kMeshopt, document_.unpacked_length > 0},
      {kWebp, webp},
      {"KHR_animation_pointer", pointer},
      {"KHR_lights_punctual", !document_.lights.empty()},
      {"KHR_materials_emissive_strength", strength},
      {"KHR_materials_unlit", unlit},
      {kVariants, !document_.variants.empty()},
      {kQuantization, document_.quantized},
      {"KHR_node_visibility", visibility},
      {"KHR_texture_transform", transform},
      {"MSFT_lod", lods},
  }};
  if (std::none_of(used.begin(), used.end(), [](const auto& entry) { return entry.second; })) {
    return;
  }
  json_.key("extensionsUsed");
  json_.begin_array();
  for (const auto& [name, is_used] : used) {
    if (is_used) {
      json_.string(name);
    }
  }
  json_.end_array();
  const auto required = [](const auto& entry) {
    constexpr std::array kRequired = {kInstancing, kMeshopt, kQuantization, kWebp};
    return entry.second && std::find(kRequired.begin(), kRequired.end(), entry.first) != kRequired.end();
  };
  if (std::none_of(used.begin(), used.end(), required)) {
    return;
  }
  json_.key("extensionsRequired");
  json_.begin_array();
  for (const auto& [name, is_used] : used) {
    if (required(std::pair(name, is_used))) {
      json_.string(name);
    }
  }
  json_.end_array();
}

void Printer::scenes() {
  number("scene", std::size_t{0});
  json_.key("scenes");
  json_.begin_array();
  json_.begin_object();
  optional_text("name", document_.scene_name);
  indices("nodes", document_.roots);
  extras(document_.scene_extras);
  json_.end_object();
  json_.end_array();
}

void Printer::node(const Node& node) {
  text("name", node.name);
  indices("children", node.children);
  floats_unless("translation", node.translation, Vec3{});
  floats_unless("rotation", node.rotation, Vec4{0, 0, 0, 1});
  floats_unless("scale", node.scale, Vec3{1, 1, 1});
  optional_index("mesh", node.mesh);
  optional_index("skin", node.skin);
  optional_index("camera", node.camera);
  node_extensions(node);
  node_extras(node);
}

void Printer::node_extras(const Node& node) {
  if (node.lod_coverage.empty()) {
    extras(node.extras);
    return;
  }
  json_.key("extras");
  json_.begin_object();
  floats("MSFT_screencoverage", node.lod_coverage);
  thaw_extras(node.extras);
  json_.end_object();
}

void Printer::node_extensions(const Node& node) {
  if (node.light == kNone && !node.visible && node.lods.empty() && node.instances.empty()) {
    return;
  }
  json_.key("extensions");
  json_.begin_object();
  if (!node.instances.empty()) {
    json_.key(kInstancing);
    json_.begin_object();
    json_.key("attributes");
    json_.begin_object();
    attributes(node.instances);
    json_.end_object();
    json_.end_object();
  }
  if (node.light != kNone) {
    json_.key("KHR_lights_punctual");
    json_.begin_object();
    number("light", std::size_t{node.light});
    json_.end_object();
  }
  if (!node.lods.empty()) {
    json_.key("MSFT_lod");
    json_.begin_object();
    indices("ids", node.lods);
    json_.end_object();
  }
  if (node.visible) {
    json_.key("KHR_node_visibility");
    json_.begin_object();
    json_.key("visible");
    json_.boolean(*node.visible);
    json_.end_object();
  }
  json_.end_object();
}

void Printer::mesh(const Mesh& mesh) {
  text("name", mesh.name);
  const bool varies = std::any_of(mesh.primitives.begin(), mesh.primitives.end(),
                                  [](const Primitive& item) { return !item.variants.empty(); });
  list("primitives", mesh.primitives, [&](const Primitive& item) { primitive(item, varies); });
  if (!mesh.weights.empty()) {
    floats("weights", mesh.weights);
  }
  mesh_extras(mesh);
}

/// Names of morph targets stand in extras by a convention that viewers share.
void Printer::mesh_extras(const Mesh& mesh) {
  if (mesh.target_names.empty()) {
    extras(mesh.extras);
    return;
  }
  json_.key("extras");
  json_.begin_object();
  json_.key("targetNames");
  json_.begin_array();
  for (const auto& name : mesh.target_names) {
    json_.string(name);
  }
  json_.end_array();
  thaw_extras(mesh.extras);
  json_.end_object();
}

void Printer::attributes(const Attributes& attributes) {
  for (const auto& [name, accessor] : attributes) {
    number(name, std::size_t{accessor});
  }
}

void Printer::primitive(const Primitive& primitive, bool varies) {
  json_.key("attributes");
  json_.begin_object();
  attributes(primitive.attributes);
  json_.end_object();
  optional_index("indices", primitive.indices);
  optional_index("material", primitive.material);
  if (primitive.mode != kTriangles) {
    number("mode", std::size_t{primitive.mode});
  }
  list("targets", primitive.targets, [&](const Attributes& target) { attributes(target); });
  // Blender 3.4 expects mappings of every primitive in a mesh in which one has them.
  const bool has_none = varies && primitive.variants.empty() && primitive.material != kNone;
  variants(has_none ? std::vector<Index>(document_.variants.size(), primitive.material) : primitive.variants);
}

void Printer::variants(const std::vector<Index>& materials) {
  if (materials.empty()) {
    return;
  }
  std::map<Index, std::vector<Index>> shown_by;
  for (Index i = 0; i < materials.size(); ++i) {
    shown_by[materials[i]].push_back(i);
  }
  json_.key("extensions");
  json_.begin_object();
  json_.key(kVariants);
  json_.begin_object();
  list("mappings", shown_by, [&](const auto& mapping) {
    number("material", std::size_t{mapping.first});
    indices("variants", mapping.second);
  });
  json_.end_object();
  json_.end_object();
}

void Printer::skin(const Skin& skin) {
  text("name", skin.name);
  indices("joints", skin.joints);
  optional_index("inverseBindMatrices", skin.inverse_bind);
  optional_index("skeleton", skin.skeleton);
}

void Printer::texture_transform(const TextureTransform& transform) {
  json_.key("extensions");
  json_.begin_object();
  json_.key("KHR_texture_transform");
  json_.begin_object();
  // Written even where they are the default: animation pointers refer to them.
  floats("offset", transform.offset);
  number("rotation", transform.rotation);
  floats("scale", transform.scale);
  json_.end_object();
  json_.end_object();
}

void Printer::texture_info(std::string_view name, const TextureInfo& info) {
  if (info.texture == kNone) {
    return;
  }
  json_.key(name);
  json_.begin_object();
  number("index", std::size_t{info.texture});
  if (info.uv_set != 0) {
    number("texCoord", std::size_t{info.uv_set});
  }
  if (info.transform) {
    texture_transform(*info.transform);
  }
  json_.end_object();
}

void Printer::base_color(const Material& material) {
  json_.key("pbrMetallicRoughness");
  json_.begin_object();
  floats_unless("baseColorFactor", material.base_color, Vec4{1, 1, 1, 1});
  texture_info("baseColorTexture", material.base_color_texture);
  if (material.metallic != 1) {
    number("metallicFactor", material.metallic);
  }
  if (material.roughness != 1) {
    number("roughnessFactor", material.roughness);
  }
  texture_info("metallicRoughnessTexture", material.metallic_roughness_texture);
  json_.end_object();
}

void Printer::material_extensions(const Material& material) {
  if (!material.unlit && material.emissive_strength == 1) {
    return;
  }
  json_.key("extensions");
  json_.begin_object();
  if (material.unlit) {
    empty_object("KHR_materials_unlit");
  }
  if (material.emissive_strength != 1) {
    json_.key("KHR_materials_emissive_strength");
    json_.begin_object();
    number("emissiveStrength", material.emissive_strength);
    json_.end_object();
  }
  json_.end_object();
}

void Printer::material(const Material& material) {
  text("name", material.name);
  base_color(material);
  texture_info("normalTexture", material.normal_texture);
  texture_info("occlusionTexture", material.occlusion_texture);
  texture_info("emissiveTexture", material.emissive_texture);
  floats_unless("emissiveFactor", material.emissive, Vec3{});
  if (material.alpha_mode != AlphaMode::opaque) {
    text("alphaMode", alpha_mode_name(material.alpha_mode));
  }
  if (material.alpha_mode == AlphaMode::mask) {
    number("alphaCutoff", material.alpha_cutoff);
  }
  if (material.double_sided) {
    flag("doubleSided");
  }
  material_extensions(material);
  extras(material.extras);
}

void Printer::texture(const Texture& texture) {
  number("sampler", std::size_t{texture.sampler});
  if (!holds_webp(document_.images[texture.image])) {
    number("source", std::size_t{texture.image});
    return;
  }
  json_.key("extensions");
  json_.begin_object();
  json_.key(kWebp);
  json_.begin_object();
  number("source", std::size_t{texture.image});
  json_.end_object();
  json_.end_object();
}

void Printer::sampler(const Sampler& sampler) {
  constexpr std::size_t kLinear = 9729;
  constexpr std::size_t kLinearMipmapLinear = 9987;
  constexpr std::size_t kRepeat = 10497;
  number("magFilter", kLinear);
  number("minFilter", kLinearMipmapLinear);
  number("wrapS", sampler.wrap_u ? kRepeat : kClampToEdge);
  number("wrapT", sampler.wrap_v ? kRepeat : kClampToEdge);
}

void Printer::image(const Image& image) {
  text("name", image.name);
  if (image.view != kNone) {
    text("mimeType", "image/" + std::string(image.type));
    number("bufferView", std::size_t{image.view});
  } else {
    text("uri", image.uri);
  }
}

void Printer::camera(const Camera& camera) {
  text("name", camera.name);
  text("type", "perspective");
  json_.key("perspective");
  json_.begin_object();
  number("yfov", camera.vertical_fov);
  number("znear", camera.near_clip);
  if (camera.far_clip) {
    number("zfar", *camera.far_clip);
  }
  json_.end_object();
}

void Printer::light(const Light& light) {
  text("name", light.name);
  text("type", light.directional ? "directional" : "point");
  floats("color", light.color);
  number("intensity", light.intensity);
  if (light.range) {
    number("range", *light.range);
  }
}

void Printer::channel(const AnimationChannel& channel) {
  number("sampler", std::size_t{channel.sampler});
  json_.key("target");
  json_.begin_object();
  if (channel.pointer.empty()) {
    number("node", std::size_t{channel.node});
    text("path", channel.path);
  } else {
    text("path", "pointer");
    json_.key("extensions");
    json_.begin_object();
    json_.key("KHR_animation_pointer");
    json_.begin_object();
    text("pointer", channel.pointer);
    json_.end_object();
    json_.end_object();
  }
  json_.end_object();
}

void Printer::animation(const Animation& animation) {
  text("name", animation.name);
  list("samplers", animation.samplers, [&](const AnimationSampler& sampler) {
    number("input", std::size_t{sampler.input});
    number("output", std::size_t{sampler.output});
    if (sampler.interpolation != "LINEAR") {
      text("interpolation", sampler.interpolation);
    }
  });
  list("channels", animation.channels, [&](const AnimationChannel& item) { channel(item); });
  extras(animation.extras);
}

void Printer::accessor(const Accessor& accessor) {
  number("bufferView", std::size_t{accessor.view});
  if (accessor.offset != 0) {
    number("byteOffset", accessor.offset);
  }
  number("componentType", static_cast<std::size_t>(accessor.component));
  if (accessor.normalized) {
    flag("normalized");
  }
  number("count", accessor.count);
  text("type", accessor.type);
  if (!accessor.minimum.empty()) {
    floats("min", accessor.minimum);
    floats("max", accessor.maximum);
  }
}

void Printer::view(const BufferView& view) {
  number("buffer", std::size_t{view.packed ? 1U : 0U});
  if (view.offset != 0) {
    number("byteOffset", view.offset);
  }
  number("byteLength", view.length);
  if (view.stride != 0) {
    number("byteStride", view.stride);
  }
  if (view.target != BufferTarget::none) {
    number("target", static_cast<std::size_t>(view.target));
  }
  if (view.packed) {
    packed(*view.packed);
  }
}

void Printer::packed(const Packed& packed) {
  json_.key("extensions");
  json_.begin_object();
  json_.key(kMeshopt);
  json_.begin_object();
  number("buffer", std::size_t{0});
  if (packed.offset != 0) {
    number("byteOffset", packed.offset);
  }
  number("byteLength", packed.length);
  number("byteStride", packed.stride);
  number("count", packed.count);
  text("mode", packed.mode);
  optional_text("filter", packed.filter);
  json_.end_object();
  json_.end_object();
}

void Printer::buffers() {
  if (document_.buffer_length == 0) {
    return;
  }
  json_.key("buffers");
  json_.begin_array();
  json_.begin_object();
  number("byteLength", document_.buffer_length);
  optional_text("uri", document_.buffer_uri);
  json_.end_object();
  if (document_.unpacked_length > 0) {
    json_.begin_object();
    number("byteLength", document_.unpacked_length);
    json_.key("extensions");
    json_.begin_object();
    json_.key(kMeshopt);
    json_.begin_object();
    flag("fallback");
    json_.end_object();
    json_.end_object();
    json_.end_object();
  }
  json_.end_array();
}

void Printer::root_extensions() {
  if (document_.lights.empty() && document_.variants.empty()) {
    return;
  }
  json_.key("extensions");
  json_.begin_object();
  if (!document_.lights.empty()) {
    json_.key("KHR_lights_punctual");
    json_.begin_object();
    list("lights", document_.lights, [&](const Light& item) { light(item); });
    json_.end_object();
  }
  if (!document_.variants.empty()) {
    json_.key(kVariants);
    json_.begin_object();
    list("variants", document_.variants, [&](const std::string& name) { text("name", name); });
    json_.end_object();
  }
  json_.end_object();
}

std::string Printer::print() {
  json_.begin_object();
  asset();
  extensions();
  root_extensions();
  scenes();
  list("nodes", document_.nodes, [&](const Node& item) { node(item); });
  list("meshes", document_.meshes, [&](const Mesh& item) { mesh(item); });
  list("skins", document_.skins, [&](const Skin& item) { skin(item); });
  list("materials", document_.materials, [&](const Material& item) { material(item); });
  list("textures", document_.textures, [&](const Texture& item) { texture(item); });
  list("samplers", document_.samplers, [&](const Sampler& item) { sampler(item); });
  list("images", document_.images, [&](const Image& item) { image(item); });
  list("cameras", document_.cameras, [&](const Camera& item) { camera(item); });
  list("animations", document_.animations, [&](const Animation& item) { animation(item); });
  list("accessors", document_.accessors, [&](const Accessor& item) { accessor(item); });
  list("bufferViews", document_.views, [&](const BufferView& item) { view(item); });
  buffers();
  json_.end_object();
  return std::string(json_.text());
}

}  // namespace

std::string to_json(const Asset& document) { return Printer(document).print(); }

}  // namespace thaw::gltf
