// Numbers that follow from several parts of a document.
#include "describe/parts.hpp"
#include "formats/wow/m3/document.hpp"

#include <algorithm>

namespace thaw::m3 {

std::size_t uniform_size(std::uint16_t type) {
  switch (static_cast<UniformType>(type)) {
    case UniformType::i32:
    case UniformType::f32:
      return 4;
    case UniformType::f32x2:
      return 8;
    case UniformType::f32x3:
      return 12;
    case UniformType::f32x4:
      return 16;
  }
  return 0;
}

std::size_t known_data_size(const Array<std::uint16_t>& types) {
  std::size_t size = 0;
  for (const std::uint16_t type : types) {
    const std::size_t more = uniform_size(type);
    if (more == 0) {
      break;
    }
    size += more;
  }
  return size;
}

namespace {

template <class T>
std::int32_t count_of(const Array<T>& values) {
  return static_cast<std::int32_t>(values.size());
}

/// Where the values go, in words: aligned to eight bytes, with zeros in between.
template <class T>
std::int32_t place_in(Placer& placer, const Array<T>& values) {
  constexpr std::uint64_t kAlignment = 8;
  if (values.empty()) {
    return 0;
  }
  placer.align(kAlignment, 0);
  return static_cast<std::int32_t>(placer.place(bytes_of(values), kAlignment) / 4);
}

}  // namespace

void lay_out(Materials& materials) {
  constexpr std::uint64_t kStatedHeader = 24;
  const std::size_t size = materials.version >= 4 ? Instance::kLongSize : Instance::kMinSize;
  materials.gaps.clear();
  materials.padding.clear();
  materials.instance_count = static_cast<std::uint32_t>(materials.instances.size());
  materials.instances_at = kStatedHeader / 4;
  Placer placer(kStatedHeader + materials.instances.size() * size, materials.padding);
  for (Instance& instance : materials.instances) {
    instance.uniform_count = count_of(instance.uniform_hashes);
    instance.uniform_data_size = count_of(instance.uniform_data) * 4;
    instance.uniform_hashes_at = place_in(placer, instance.uniform_hashes);
    instance.uniform_types_at = place_in(placer, instance.uniform_types);
    instance.uniform_locations_at = place_in(placer, instance.uniform_locations);
    instance.uniform_data_at = place_in(placer, instance.uniform_data);
    instance.sampler_count = count_of(instance.sampler_hashes);
    instance.sampler_hashes_at = place_in(placer, instance.sampler_hashes);
    instance.sampler_textures_at = place_in(placer, instance.sampler_textures);
    instance.unknown_count = count_of(instance.unknown_hashes);
    instance.unknown_hashes_at = place_in(placer, instance.unknown_hashes);
    instance.unknown_data_at = place_in(placer, instance.unknown_data);
  }
  placer.align(4, 0);
  materials.total_dwords = static_cast<std::uint32_t>(placer.here() / 4);
}

std::string geoset_name(const Mesh& mesh, const Geoset& geoset) {
  const auto* names = mesh.find<Names>(FourCC{"VSTR"});
  if (names == nullptr || geoset.name_start >= names->text.size()) {
    return {};
  }
  constexpr std::size_t kLongest = 256;
  const std::size_t left = std::min<std::size_t>(kLongest, names->text.size() - geoset.name_start);
  const std::size_t size = std::min<std::size_t>(geoset.name_size, left);
  const std::string_view text(names->text.data() + geoset.name_start, size);
  return to_utf8(text.substr(0, text.find('\0')));
}

LevelLayout level_layout(const Mesh& mesh) {
  const auto* geosets = mesh.find<Geosets>(FourCC{"VGEO"});
  const auto* lods = mesh.find<Lods>(FourCC{"LODS"});
  const std::size_t count = geosets == nullptr ? 0 : geosets->items.size();
  const std::size_t per_level = lods == nullptr ? 0 : lods->properties.geosets_per_level;
  if (count == 0 || per_level == 0 || per_level > count) {
    return {count, count == 0 ? 0U : 1U, 0};
  }
  const std::size_t stated = std::size_t{lods->properties.extra_levels} + 1;
  const std::size_t levels = std::min(stated, count / per_level);
  return {per_level, levels, count - levels * per_level};
}

std::optional<std::size_t> material_of(const Mesh& mesh, std::size_t geoset) {
  const auto* batches = mesh.find<Batches>(FourCC{"RBAT"});
  if (batches == nullptr) {
    return std::nullopt;
  }
  const auto last = [&](std::size_t requested) -> std::optional<std::size_t> {
    const auto found = std::find_if(batches->items.rbegin(), batches->items.rend(),
                                    [&](const Batch& batch) { return batch.geoset == requested; });
    return found == batches->items.rend() ? std::nullopt : std::optional<std::size_t>(found->material);
  };
  const auto direct = last(geoset);
  const std::size_t per_level = level_layout(mesh).per_level;
  return direct || per_level == 0 ? direct : last(geoset % per_level);
}

}  // namespace thaw::m3
