// What the parts of a document mean together.
#include "formats/m3/document.hpp"

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

/// Places arrays one behind the other, aligned to eight bytes; what lies between them becomes padding.
class Placer {
 public:
  Placer(std::uint64_t start, std::vector<Gap>& padding) : at_(start), padding_(padding) {}

  template <class T>
  std::int32_t place(const Array<T>& values) {
    constexpr std::uint64_t kAlignment = 8;
    if (values.empty()) {
      return 0;
    }
    pad(kAlignment);
    const std::uint64_t start = at_;
    at_ += values.size() * sizeof(T);
    return static_cast<std::int32_t>(start / 4);
  }

  std::uint64_t finish() {
    pad(4);
    return at_;
  }

 private:
  void pad(std::uint64_t alignment) {
    const std::uint64_t more = (alignment - at_ % alignment) % alignment;
    if (more > 0) {
      padding_.push_back({at_, Bytes(static_cast<std::size_t>(more), std::uint8_t{0})});
    }
    at_ += more;
  }

  std::uint64_t at_;
  std::vector<Gap>& padding_;
};

template <class T>
std::int32_t count_of(const Array<T>& values) {
  return static_cast<std::int32_t>(values.size());
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
    instance.uniform_hashes_at = placer.place(instance.uniform_hashes);
    instance.uniform_types_at = placer.place(instance.uniform_types);
    instance.uniform_locations_at = placer.place(instance.uniform_locations);
    instance.uniform_data_at = placer.place(instance.uniform_data);
    instance.sampler_count = count_of(instance.sampler_hashes);
    instance.sampler_hashes_at = placer.place(instance.sampler_hashes);
    instance.sampler_textures_at = placer.place(instance.sampler_textures);
    instance.unknown_count = count_of(instance.unknown_hashes);
    instance.unknown_hashes_at = placer.place(instance.unknown_hashes);
    instance.unknown_data_at = placer.place(instance.unknown_data);
  }
  materials.total_dwords = static_cast<std::uint32_t>(placer.finish() / 4);
}

std::string geoset_name(const Mesh& mesh, const Geoset& geoset) {
  const Names* names = mesh.find<Names>(FourCC{"VSTR"});
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
  const Geosets* geosets = mesh.find<Geosets>(FourCC{"VGEO"});
  const Lods* lods = mesh.find<Lods>(FourCC{"LODS"});
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
  const Batches* batches = mesh.find<Batches>(FourCC{"RBAT"});
  if (batches == nullptr) {
    return std::nullopt;
  }
  const auto last = [&](std::size_t wanted) -> std::optional<std::size_t> {
    for (auto batch = batches->items.rbegin(); batch != batches->items.rend(); ++batch) {
      if (batch->geoset == wanted) {
        return batch->material;
      }
    }
    return std::nullopt;
  };
  const auto own = last(geoset);
  const std::size_t per_level = level_layout(mesh).per_level;
  return own || per_level == 0 ? own : last(geoset % per_level);
}

}  // namespace thaw::m3
