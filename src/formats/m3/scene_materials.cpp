// Material instances as materials of a scene, and their extras on the way back (§6).
#include "formats/m3/scene_parts.hpp"

#include "bytes/finite.hpp"
#include "bytes/hex.hpp"

#include <algorithm>
#include <map>

namespace thaw::m3 {
namespace {

using scene::BlendMode;

/// Entries of extras over all materials: instances may share their arrays, so there could be any number.
constexpr std::size_t kMaxEntries = std::size_t{1} << 16U;

template <class Numbers>
Value list_of(const Numbers& numbers) {
  Value::List list;
  for (const auto number : numbers) {
    list.emplace_back(std::int64_t{number});
  }
  return {std::move(list)};
}

/// EGxBlend. What comes behind modulate2x is shown as blended (§6.2).
BlendMode blend_of(std::uint32_t mode) {
  constexpr std::array kModes = {BlendMode::none,     BlendMode::transparent, BlendMode::blend,
                                 BlendMode::additive, BlendMode::modulate,    BlendMode::modulate2x};
  return mode < kModes.size() ? kModes.at(mode) : BlendMode::blend;
}

Value value_of(const Array<float>& data, std::size_t word, std::size_t words, bool integer) {
  if (integer) {
    std::int32_t number = 0;
    std::memcpy(&number, &data[word], sizeof number);
    return std::int64_t{number};
  }
  if (words == 1) {
    return data[word];
  }
  Value::List list;
  for (std::size_t i = 0; i < words; ++i) {
    list.emplace_back(data[word + i]);
  }
  return {std::move(list)};
}

Value uniforms_of(const Instance& instance, std::size_t& entries) {
  Value::List list;
  std::size_t word = 0;
  bool known = true;
  const std::size_t count = std::min({instance.uniform_hashes.size(), instance.uniform_types.size(),
                                      instance.uniform_locations.size(), entries});
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint16_t type = instance.uniform_types[i];
    const std::size_t words = uniform_size(type) / sizeof(float);
    Value uniform;
    uniform.set("hash", hex_text(instance.uniform_hashes[i]));
    uniform.set("type", std::int64_t{type});
    uniform.set("location", std::int64_t{instance.uniform_locations[i]});
    known = known && words > 0 && word + words <= instance.uniform_data.size();
    if (known) {
      uniform.set("value", value_of(instance.uniform_data, word, words, type == 0));
      word += words;
    }
    list.push_back(std::move(uniform));
  }
  entries -= count;
  return {std::move(list)};
}

Value samplers_of(const Instance& instance, std::size_t& entries) {
  Value::List list;
  const std::size_t count =
      std::min({instance.sampler_hashes.size(), instance.sampler_textures.size(), entries});
  for (std::size_t i = 0; i < count; ++i) {
    Value sampler;
    sampler.set("hash", hex_text(instance.sampler_hashes[i]));
    sampler.set("fileDataId", std::int64_t{instance.sampler_textures[i]});
    list.push_back(std::move(sampler));
  }
  entries -= count;
  return {std::move(list)};
}

Value unknown_of(const Instance& instance, std::size_t& entries) {
  Value::List list;
  const std::size_t count = std::min({instance.unknown_hashes.size(), instance.unknown_data.size(), entries});
  for (std::size_t i = 0; i < count; ++i) {
    Value entry;
    entry.set("hash", hex_text(instance.unknown_hashes[i]));
    entry.set("data", list_of(instance.unknown_data[i]));
    list.push_back(std::move(entry));
  }
  entries -= count;
  return {std::move(list)};
}

// --- the way back

/// 0 for what is no finite number.
double finite_number(const Value& value) { return finite_or_zero(value.number().value_or(0)); }

template <class T>
T whole_of(const Value& value) {
  constexpr auto kLeast = static_cast<double>(std::numeric_limits<T>::min());
  constexpr auto kMost = static_cast<double>(std::numeric_limits<T>::max());
  return static_cast<T>(std::clamp(finite_number(value), kLeast, kMost));
}

std::uint64_t hash_of(const Value& value) { return parse_hex(value["hash"].text()).value_or(0); }

void add_value(Instance& instance, std::uint16_t type, const Value& value) {
  for (std::size_t i = 0; i < uniform_size(type) / sizeof(float); ++i) {
    const Value& part = value.list().empty() ? value : value[i];
    auto number = static_cast<float>(finite_number(part));
    if (type == 0) {
      const auto integer = whole_of<std::int32_t>(part);
      std::memcpy(&number, &integer, sizeof number);
    }
    instance.uniform_data.push_back(number);
  }
}

template <class T, std::size_t N>
void fill(std::array<T, N>& to, const Value& from, std::string_view name) {
  const auto& list = from[name].list();
  for (std::size_t i = 0; i < std::min(N, list.size()); ++i) {
    to.at(i) = whole_of<T>(list[i]);
  }
}

}  // namespace

Value extras_of(const Instance& instance, std::size_t& entries) {
  Value value;
  std::string guid;
  append_hex(guid, instance.guid);
  value.set("library", instance.library);
  value.set("guid", guid);
  value.set("blendMode", instance.blend_mode);
  value.set("unknown0", instance.unknown0);
  value.set("unknown2", list_of(instance.unknown2));
  value.set("version4", list_of(instance.version4));
  value.set("samplers", samplers_of(instance, entries));
  value.set("uniforms", uniforms_of(instance, entries));
  if (instance.unknown_count > 0) {
    value.set("unknownData", unknown_of(instance, entries));
  }
  return value;
}

std::optional<Instance> instance_from(const Value& extras) {
  if (extras.find("guid") == nullptr || extras.find("samplers") == nullptr) {
    return std::nullopt;
  }
  Instance instance;
  instance.library = whole_of<std::uint32_t>(extras["library"]);
  const Bytes guid = bytes_of_hex(extras["guid"].text()).value_or(Bytes());
  std::copy_n(guid.begin(), std::min(guid.size(), instance.guid.size()), instance.guid.begin());
  instance.blend_mode = whole_of<std::uint32_t>(extras["blendMode"]);
  instance.unknown0 = whole_of<std::uint32_t>(extras["unknown0"]);
  fill(instance.unknown2, extras, "unknown2");
  fill(instance.version4, extras, "version4");
  for (const Value& sampler : extras["samplers"].list()) {
    instance.sampler_hashes.push_back(hash_of(sampler));
    instance.sampler_textures.push_back(whole_of<std::int32_t>(sampler["fileDataId"]));
  }
  bool known = true;  // nobody can tell where the values begin that stand behind one of an unknown type
  for (const Value& uniform : extras["uniforms"].list()) {
    const auto type = whole_of<std::uint16_t>(uniform["type"]);
    instance.uniform_hashes.push_back(hash_of(uniform));
    instance.uniform_types.push_back(type);
    instance.uniform_locations.push_back(whole_of<std::int32_t>(uniform["location"]));
    known = known && uniform_size(type) > 0;
    if (known) {
      add_value(instance, type, uniform["value"]);
    }
  }
  for (const Value& entry : extras["unknownData"].list()) {
    instance.unknown_hashes.push_back(hash_of(entry));
    fill(instance.unknown_data.emplace_back(), entry, "data");
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
    material.extras = extras_of(instance, entries);
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
    diagnostics.add(codes::kSceneApproximated, "more uniforms and samplers than extras can hold", {}, "M3SI");
  }
}

}  // namespace thaw::m3
