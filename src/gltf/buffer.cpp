#include "gltf/buffer.hpp"

#include "document/description.hpp"

#include <algorithm>

namespace thaw::gltf {
namespace {

std::string_view type_name(unsigned components) {
  switch (components) {
    case 1:
      return "SCALAR";
    case 2:
      return "VEC2";
    case 3:
      return "VEC3";
    case 16:
      return "MAT4";
    default:
      return "VEC4";
  }
}

/// Good enough to find equal data; what it finds is compared.
std::uint64_t content_key(ByteView bytes, const Accessor& accessor, BufferTarget target) {
  constexpr std::uint64_t kPrime = 0x9E3779B97F4A7C15U;
  std::uint64_t key = accessor.count * 31 + static_cast<std::uint64_t>(accessor.component) +
                      static_cast<std::uint64_t>(target) * 7 + accessor.type.size();
  std::size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, 8);
    key = (key ^ word) * kPrime;
    key ^= key >> 29U;
  }
  for (; at < bytes.size(); ++at) {
    key = (key ^ bytes[at]) * kPrime;
  }
  return key;
}

void set_bounds(Accessor& accessor, std::span<const float> values, unsigned components) {
  accessor.minimum.assign(values.begin(), values.begin() + components);
  accessor.maximum = accessor.minimum;
  for (std::size_t i = 0; i < values.size(); ++i) {
    float& low = accessor.minimum[i % components];
    float& high = accessor.maximum[i % components];
    low = std::min(low, values[i]);
    high = std::max(high, values[i]);
  }
}

template <class T>
std::span<const float> flat(std::span<const T> values) {
  return {values.empty() ? nullptr : values.data()->data(), values.size() * std::tuple_size_v<T>};
}

void pad(Bytes& bytes) { bytes.resize((bytes.size() + 3) / 4 * 4, 0); }

}  // namespace

Index Buffer::new_view(BufferTarget target, std::size_t stride) {
  document_.views.push_back({0, 0, target, stride});
  contents_.emplace_back();
  return static_cast<Index>(contents_.size() - 1);
}

Index Buffer::find_equal(std::uint64_t key, ByteView bytes, const Accessor& like) const {
  const auto found = by_content_.find(key);
  if (found == by_content_.end()) {
    return kNone;
  }
  for (const Index index : found->second) {
    const Accessor& other = document_.accessors[index];
    const Bytes& content = contents_[other.view];
    if (other.type == like.type && other.component == like.component && other.count == like.count &&
        other.normalized == like.normalized && other.minimum.empty() == like.minimum.empty() &&
        std::equal(bytes.begin(), bytes.end(), content.begin() + static_cast<std::ptrdiff_t>(other.offset))) {
      return index;
    }
  }
  return kNone;
}

template <class T>
Index Buffer::add(std::span<const T> values, std::size_t count, const Layout& layout) {
  Bytes bytes;
  bytes.resize(values.size_bytes());
  copy_plain<T>(bytes.data(), values.data(), values.size());
  Accessor accessor;
  accessor.component = layout.component;
  accessor.normalized = layout.normalized;
  accessor.type = type_name(layout.components);
  accessor.count = count;
  if constexpr (std::is_same_v<T, float>) {
    if (layout.bounds && !values.empty()) {
      set_bounds(accessor, values, layout.components);
    }
  }
  const std::uint64_t key = content_key(bytes, accessor, layout.target);
  if (const Index equal = find_equal(key, bytes, accessor); equal != kNone) {
    if (document_.views[document_.accessors[equal].view].target == layout.target) {
      return equal;
    }
  }
  const std::size_t stride = layout.components * sizeof(T);
  Index& view = layout.shared_view != nullptr ? *layout.shared_view
                                              : vertices_.try_emplace(stride, kNone).first->second;
  if (view == kNone) {
    view = new_view(layout.target, layout.target == BufferTarget::vertices ? stride : 0);
  }
  Bytes& content = contents_[view];
  pad(content);
  accessor.view = view;
  accessor.offset = content.size();
  content.insert(content.end(), bytes.begin(), bytes.end());
  document_.accessors.push_back(std::move(accessor));
  const auto index = static_cast<Index>(document_.accessors.size() - 1);
  by_content_[key].push_back(index);
  return index;
}

Index Buffer::add_vertices(std::span<const Vec2> values) {
  return add(flat(values), values.size(), {ComponentType::f32, 2, BufferTarget::vertices, false, nullptr});
}

Index Buffer::add_vertices(std::span<const Vec3> values) {
  return add(flat(values), values.size(), {ComponentType::f32, 3, BufferTarget::vertices, false, nullptr});
}

Index Buffer::add_vertices(std::span<const Vec4> values) {
  return add(flat(values), values.size(), {ComponentType::f32, 4, BufferTarget::vertices, false, nullptr});
}

Index Buffer::add_positions(std::span<const Vec3> values) {
  return add(flat(values), values.size(), {ComponentType::f32, 3, BufferTarget::vertices, true, nullptr});
}

Index Buffer::add_joints(std::span<const std::uint16_t> values) {
  const bool small =
      std::all_of(values.begin(), values.end(), [](std::uint16_t joint) { return joint < 256; });
  if (!small) {
    return add(values, values.size() / 4, {ComponentType::u16, 4, BufferTarget::vertices, false, nullptr});
  }
  Bytes bytes;
  bytes.reserve(values.size());
  for (const std::uint16_t joint : values) {
    bytes.push_back(static_cast<std::uint8_t>(joint));
  }
  return add(ByteView(bytes), values.size() / 4,
             {ComponentType::u8, 4, BufferTarget::vertices, false, nullptr});
}

Index Buffer::add_weights(std::span<const std::uint8_t> values) {
  return add(values, values.size() / 4, {ComponentType::u8, 4, BufferTarget::vertices, false, nullptr, true});
}

Index Buffer::add_indices(std::span<const std::uint32_t> values, std::size_t vertex_count) {
  // 0xFFFF restarts primitives.
  if (vertex_count >= 0xFFFF) {
    return add(values, values.size(), {ComponentType::u32, 1, BufferTarget::indices, false, &long_indices_});
  }
  Array<std::uint16_t> narrow;
  narrow.reserve(values.size());
  for (const std::uint32_t value : values) {
    narrow.push_back(static_cast<std::uint16_t>(value));
  }
  return add(std::span<const std::uint16_t>(narrow), narrow.size(),
             {ComponentType::u16, 1, BufferTarget::indices, false, &short_indices_});
}

Index Buffer::add_times(std::span<const float> values) {
  return add(values, values.size(), {ComponentType::f32, 1, BufferTarget::none, true, &data_});
}

Index Buffer::add_values(std::span<const float> values, unsigned components) {
  return add(values, values.size() / components,
             {ComponentType::f32, components, BufferTarget::none, false, &data_});
}

Index Buffer::add_matrices(std::span<const float> values) {
  return add(values, values.size() / 16, {ComponentType::f32, 16, BufferTarget::none, false, &matrices_});
}

Index Buffer::add_flags(std::span<const std::uint8_t> values) {
  return add(values, values.size(), {ComponentType::u8, 1, BufferTarget::none, false, &data_});
}

Index Buffer::add_picture(const Bytes& bytes) {
  const Index view = new_view(BufferTarget::none);
  contents_[view] = bytes;
  return view;
}

Index Buffer::append(Buffer other) {
  const auto first = static_cast<Index>(contents_.size());
  for (auto& content : other.contents_) {
    contents_.push_back(std::move(content));
  }
  document_.views.insert(document_.views.end(), other.document_.views.begin(), other.document_.views.end());
  return first;
}

Bytes Buffer::finish() {
  std::size_t size = 0;
  for (const auto& content : contents_) {
    size += (content.size() + 3) / 4 * 4;
  }
  Bytes buffer;
  buffer.reserve(size);
  for (std::size_t view = 0; view < contents_.size(); ++view) {
    document_.views[view].offset = buffer.size();
    document_.views[view].length = contents_[view].size();
    buffer.insert(buffer.end(), contents_[view].begin(), contents_[view].end());
    pad(buffer);
    Bytes().swap(contents_[view]);
  }
  document_.buffer_length = buffer.size();
  return buffer;
}

}  // namespace thaw::gltf
