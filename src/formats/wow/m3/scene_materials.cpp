// Material instances as materials of a scene, and on the way back (m3.md#materials).
#include "formats/wow/m3/scene_parts.hpp"

#include "bytes/finite.hpp"

#include <algorithm>
#include <map>

namespace thaw::m3 {
namespace {

using scene::BlendMode;
using scene::ShaderInstance;

/// Entries over all materials: instances may share their arrays, so there could be any number.
constexpr std::size_t kMaxEntries = std::size_t{1} << 16U;

/// EGxBlend. What comes after modulate2x is shown as blended (m3.md#materials).
BlendMode blend_of(std::uint32_t mode) {
  constexpr std::array kModes = {BlendMode::opaque,   BlendMode::mask,     BlendMode::blend,
                                 BlendMode::additive, BlendMode::modulate, BlendMode::modulate2x};
  return mode < kModes.size() ? kModes.at(mode) : BlendMode::blend;
}

/// Of `words` floats, or of an integer, that lie at `word`.
auto value_at(const Array<float>& data, std::size_t word, std::size_t words, bool integer) {
  decltype(ShaderInstance::Uniform::value) value;
  if (integer) {
    std::memcpy(&value.emplace<std::int32_t>(), &data[word], sizeof(std::int32_t));
  } else {
    const float* first = data.data() + word;
    value.emplace<std::vector<float>>(first, first + words);
  }
  return value;
}

void add_uniforms(const Instance& instance, std::size_t& entries, ShaderInstance& shader) {
  std::size_t word = 0;
  bool known = true;
  const std::size_t count = std::min({instance.uniform_hashes.size(), instance.uniform_types.size(),
                                      instance.uniform_locations.size(), entries});
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint16_t type = instance.uniform_types[i];
    const std::size_t words = uniform_size(type) / sizeof(float);
    ShaderInstance::Uniform& uniform = shader.uniforms.emplace_back();
    uniform.hash = instance.uniform_hashes[i];
    uniform.type = type;
    uniform.location = instance.uniform_locations[i];
    known = known && words > 0 && word + words <= instance.uniform_data.size();
    if (known) {
      uniform.value = value_at(instance.uniform_data, word, words, type == 0);
      word += words;
    }
  }
  entries -= count;
}

void add_samplers(const Instance& instance, std::size_t& entries, ShaderInstance& shader) {
  const std::size_t count =
      std::min({instance.sampler_hashes.size(), instance.sampler_textures.size(), entries});
  for (std::size_t i = 0; i < count; ++i) {
    shader.samplers.push_back({instance.sampler_hashes[i], instance.sampler_textures[i]});
  }
  entries -= count;
}

void add_unknown(const Instance& instance, std::size_t& entries, ShaderInstance& shader) {
  const std::size_t count = std::min({instance.unknown_hashes.size(), instance.unknown_data.size(), entries});
  for (std::size_t i = 0; i < count; ++i) {
    shader.unknown_data.push_back({instance.unknown_hashes[i], instance.unknown_data[i]});
  }
  entries -= count;
}

// --- the way back

/// As many words as the type has, whatever the value is of: zeros where there is none.
void append_value(const ShaderInstance::Uniform& uniform, Array<float>& data) {
  const std::size_t words = uniform_size(uniform.type) / sizeof(float);
  const auto* floats = std::get_if<std::vector<float>>(&uniform.value);
  const auto* integer = std::get_if<std::int32_t>(&uniform.value);
  for (std::size_t i = 0; i < words; ++i) {
    float word = floats != nullptr && i < floats->size() ? finite_or_zero((*floats)[i]) : 0;
    if (integer != nullptr) {
      std::memcpy(&word, integer, sizeof word);
    }
    data.push_back(word);
  }
}

}  // namespace

ShaderInstance shader_of(const Instance& instance, std::size_t& entries) {
  ShaderInstance shader;
  shader.library = instance.library;
  shader.guid = instance.guid;
  shader.blend_mode = instance.blend_mode;
  shader.unknown0 = instance.unknown0;
  shader.unknown2 = instance.unknown2;
  shader.version4 = instance.version4;
  add_samplers(instance, entries, shader);
  add_uniforms(instance, entries, shader);
  if (instance.unknown_count > 0) {
    add_unknown(instance, entries, shader);
  }
  return shader;
}

Instance instance_from(const ShaderInstance& shader) {
  Instance instance;
  instance.library = shader.library;
  instance.guid = shader.guid;
  instance.blend_mode = shader.blend_mode;
  instance.unknown0 = shader.unknown0;
  instance.unknown2 = shader.unknown2;
  instance.version4 = shader.version4;
  for (const auto& sampler : shader.samplers) {
    instance.sampler_hashes.push_back(sampler.hash);
    instance.sampler_textures.push_back(sampler.file_id);
  }
  bool known = true;  // it is unknown where the values begin that follow one of an unknown type
  for (const auto& uniform : shader.uniforms) {
    instance.uniform_hashes.push_back(uniform.hash);
    instance.uniform_types.push_back(uniform.type);
    instance.uniform_locations.push_back(uniform.location);
    known = known && uniform_size(uniform.type) > 0;
    if (known) {
      append_value(uniform, instance.uniform_data);
    }
  }
  for (const auto& [hash, data] : shader.unknown_data) {
    instance.unknown_hashes.push_back(hash);
    instance.unknown_data.push_back(data);
  }
  return instance;
}

void add_materials(const Materials& materials, const SceneOptions& options, scene::Scene& scene,
                   Diagnostics& diagnostics) {
  std::map<std::int32_t, scene::Index> textures;
  std::size_t entries = kMaxEntries;
  for (const Instance& instance : materials.instances) {
    scene::Material& material = scene.materials.emplace_back();
    material.name = "material " + std::to_string(scene.materials.size() - 1);
    material.shader = shader_of(instance, entries);
    scene::Layer& layer = material.layers.emplace_back();
    layer.blend = blend_of(instance.blend_mode);
    if (instance.sampler_textures.empty() || instance.sampler_textures.back() <= 0) {
      continue;
    }
    const std::int32_t id = instance.sampler_textures.back();
    const auto [entry, fresh] = textures.emplace(id, static_cast<scene::Index>(scene.textures.size()));
    if (fresh) {
      scene::Texture& texture = scene.textures.emplace_back();
      texture.path = options.path_of ? options.path_of(static_cast<std::uint32_t>(id)) : "";
      texture.path = texture.path.empty() ? std::to_string(id) + ".blp" : texture.path;
      texture.wrap_u = texture.wrap_v = true;
    }
    layer.texture = entry->second;
  }
  if (entries == 0) {
    diagnostics.add(codes::kSceneApproximated,
                    "uniforms and samplers after the first " + std::to_string(kMaxEntries) + " left out", {},
                    "M3SI");
  }
}

}  // namespace thaw::m3
