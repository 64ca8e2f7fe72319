#include "gltf/buffer.hpp"

#include "bytes/freed.hpp"
#include "describe/description.hpp"
#include "gltf/meshopt.hpp"
#include "gltf/meshopt_pack.hpp"

#include <algorithm>
#include <cmath>

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
std::uint64_t content_key(ByteView bytes, const Accessor& accessor) {
  constexpr std::uint64_t kPrime = 0x9E3779B97F4A7C15U;
  std::uint64_t key =
      accessor.count * 31 + static_cast<std::uint64_t>(accessor.component) + accessor.type.size();
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

template <class T>
Bytes bytes_of(std::span<const T> values) {
  Bytes bytes;
  bytes.resize(values.size_bytes());
  copy_plain<T>(bytes.data(), values.data(), values.size());
  return bytes;
}

Accessor accessor_of(ComponentType component, unsigned components, std::size_t count) {
  Accessor accessor;
  accessor.component = component;
  accessor.type = type_name(components);
  accessor.count = count;
  return accessor;
}

std::size_t padded(std::size_t size) { return (size + 3) / 4 * 4; }

void pad(Bytes& bytes) { bytes.resize(padded(bytes.size()), 0); }

BufferTarget target_of(bool vertices, bool indices) {
  return vertices ? BufferTarget::vertices : indices ? BufferTarget::indices : BufferTarget::none;
}

}  // namespace

Index Buffer::new_view(const Kind& kind) {
  const bool vertices = kind.use == Use::vertices;
  const bool indices = kind.use == Use::triangles || kind.use == Use::other_indices;
  BufferView view;
  view.target = target_of(vertices, indices);
  view.stride = vertices ? kind.stride : 0;
  document_.views.push_back(view);
  views_.push_back({kind, {}});
  return static_cast<Index>(views_.size() - 1);
}

Index Buffer::find_equal(std::uint64_t key, ByteView bytes, const Accessor& like, const Kind& kind) const {
  const auto found = by_content_.find(key);
  if (found == by_content_.end()) {
    return kNone;
  }
  for (const Index index : found->second) {
    const Accessor& other = document_.accessors[index];
    const View& view = views_[other.view];
    if (other.type == like.type && other.component == like.component && other.count == like.count &&
        other.normalized == like.normalized && other.minimum.empty() == like.minimum.empty() &&
        !(view.kind < kind) && !(kind < view.kind) &&
        std::equal(bytes.begin(), bytes.end(),
                   view.content.begin() + static_cast<std::ptrdiff_t>(other.offset))) {
      return index;
    }
  }
  return kNone;
}

Index Buffer::add(Bytes bytes, Accessor accessor, const Kind& stated) {
  Kind kind = stated;
  if (!compress_ && kind.use == Use::data) {
    kind.stride = 0;  // one view for all
  }
  const std::uint64_t key = content_key(bytes, accessor);
  if (const Index equal = find_equal(key, bytes, accessor, kind); equal != kNone) {
    return equal;
  }
  Index& view = by_kind_.try_emplace(kind, kNone).first->second;
  view = view == kNone ? new_view(kind) : view;
  Bytes& content = views_[view].content;
  if (accessor.component == ComponentType::f32 || kind.use == Use::vertices || kind.use == Use::data) {
    pad(content);
  }
  accessor.view = view;
  accessor.offset = content.size();
  content.insert(content.end(), bytes.begin(), bytes.end());
  document_.accessors.push_back(std::move(accessor));
  const auto index = static_cast<Index>(document_.accessors.size() - 1);
  by_content_[key].push_back(index);
  return index;
}

Index Buffer::add_floats(std::span<const float> values, unsigned components, Use use, bool bounds) {
  Accessor accessor = accessor_of(ComponentType::f32, components, values.size() / components);
  if (bounds && !values.empty()) {
    set_bounds(accessor, values, components);
  }
  return add(bytes_of(values), std::move(accessor), {use, components * sizeof(float), {}});
}

Index Buffer::add_rounded(std::span<const float> values, unsigned components, Use use, bool bounds,
                          bool cubic) {
  if (!quantize_ || !compress_) {
    return add_floats(values, components, use, bounds);
  }
  const std::size_t parts = cubic ? 3 : 1;
  std::array<float, 3> most{};
  for (std::size_t i = 0; i < values.size(); ++i) {
    float& part = most.at(i / components % parts);
    part = std::max(part, std::abs(values[i]));
  }
  if (bounds) {
    most[0] = std::max(most[0], extent_);
  }
  std::vector<float> rounded(values.begin(), values.end());
  Bytes bytes;
  bytes.reserve(values.size_bytes());
  for (std::size_t i = 0; i < rounded.size(); ++i) {
    fold_exponent(rounded[i], most.at(i / components % parts), bytes);
  }
  Accessor accessor = accessor_of(ComponentType::f32, components, values.size() / components);
  if (bounds && !values.empty()) {
    set_bounds(accessor, rounded, components);
  }
  return add(std::move(bytes), std::move(accessor), {use, components * sizeof(float), "EXPONENTIAL"});
}

Index Buffer::add_parts(std::span<const float> values, unsigned components, ComponentType component,
                        float one, Use use) {
  const std::size_t size = component == ComponentType::i16 || component == ComponentType::u16 ? 2 : 1;
  const std::size_t stride = (components * size + 3) / 4 * 4;
  Bytes bytes;
  bytes.reserve(values.size() / components * stride);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto part = static_cast<std::uint32_t>(std::lround(std::clamp(values[i], -1.0F, 1.0F) * one));
    for (std::size_t byte = 0; byte < size; ++byte) {
      bytes.push_back(static_cast<std::uint8_t>(part >> (8 * byte)));
    }
    if ((i + 1) % components == 0) {
      bytes.resize(bytes.size() + stride - components * size, 0);
    }
  }
  Accessor accessor = accessor_of(component, components, values.size() / components);
  accessor.normalized = true;
  return add(std::move(bytes), std::move(accessor), {use, stride, {}});
}

template <class T>
Index Buffer::add_whole(std::span<const T> values, ComponentType component, unsigned components, Use use,
                        bool normalized) {
  Accessor accessor = accessor_of(component, components, values.size() / components);
  accessor.normalized = normalized;
  return add(bytes_of(values), std::move(accessor), {use, components * sizeof(T), {}});
}

Index Buffer::add_uvs(std::span<const Vec2> values) {
  const auto numbers = flat(values);
  const bool inside =
      std::all_of(numbers.begin(), numbers.end(), [](float number) { return number >= 0 && number <= 1; });
  constexpr float kOne = 65535;
  return quantize_ && inside ? add_parts(numbers, 2, ComponentType::u16, kOne, Use::vertices)
                             : add_rounded(numbers, 2, Use::vertices, false, false);
}

Index Buffer::add_normals(std::span<const Vec3> values) {
  constexpr float kOne = 127;
  if (!quantize_) {
    return add_floats(flat(values), 3, Use::vertices);
  }
  document_.quantized = true;
  if (!compress_) {
    return add_parts(flat(values), 3, ComponentType::i8, kOne, Use::vertices);
  }
  Bytes bytes;
  bytes.reserve(values.size() * 4);
  for (const Vec3& value : values) {
    fold_octahedron(value, bytes);
  }
  Accessor accessor = accessor_of(ComponentType::i8, 3, values.size());
  accessor.normalized = true;
  return add(std::move(bytes), std::move(accessor), {Use::vertices, 4, "OCTAHEDRAL"});
}

Index Buffer::add_tangents(std::span<const Vec4> values) {
  constexpr float kOne = 127;
  document_.quantized = document_.quantized || quantize_;
  return quantize_ ? add_parts(flat(values), 4, ComponentType::i8, kOne, Use::vertices)
                   : add_floats(flat(values), 4, Use::vertices);
}

Index Buffer::add_colors(std::span<const Vec4> values) {
  constexpr float kOne = 255;
  return quantize_ ? add_parts(flat(values), 4, ComponentType::u8, kOne, Use::vertices)
                   : add_floats(flat(values), 4, Use::vertices);
}

Index Buffer::add_positions(std::span<const Vec3> values) {
  return add_rounded(flat(values), 3, Use::vertices, true, false);
}

Index Buffer::add_differences(std::span<const Vec3> values) {
  return add_rounded(flat(values), 3, Use::vertices, false, false);
}

Index Buffer::add_joints(std::span<const std::uint16_t> values) {
  const bool small =
      std::all_of(values.begin(), values.end(), [](std::uint16_t joint) { return joint < 256; });
  if (!small) {
    return add_whole(values, ComponentType::u16, 4, Use::vertices);
  }
  Bytes bytes;
  bytes.reserve(values.size());
  for (const std::uint16_t joint : values) {
    bytes.push_back(static_cast<std::uint8_t>(joint));
  }
  return add_whole(ByteView(bytes), ComponentType::u8, 4, Use::vertices);
}

Index Buffer::add_weights(std::span<const Vec4> values) { return add_floats(flat(values), 4, Use::vertices); }

Index Buffer::add_weights(std::span<const std::uint8_t> values) {
  return add_whole(values, ComponentType::u8, 4, Use::vertices, true);
}

Index Buffer::add_weights(std::span<const std::uint16_t> values) {
  return add_whole(values, ComponentType::u16, 4, Use::vertices, true);
}

Index Buffer::add_indices(std::span<const std::uint32_t> values, std::size_t vertex_count, bool triangles) {
  const Use use = triangles || !compress_ ? Use::triangles : Use::other_indices;
  // 0xFFFF restarts primitives.
  if (vertex_count >= 0xFFFF) {
    return add_whole(values, ComponentType::u32, 1, use);
  }
  Array<std::uint16_t> narrow;
  narrow.reserve(values.size());
  for (const std::uint32_t value : values) {
    narrow.push_back(static_cast<std::uint16_t>(value));
  }
  return add_whole(std::span<const std::uint16_t>(narrow), ComponentType::u16, 1, use);
}

Index Buffer::add_times(std::span<const float> values) { return add_floats(values, 1, Use::data, true); }

Index Buffer::add_values(std::span<const float> values, unsigned components, bool cubic) {
  return add_rounded(values, components, Use::data, false, cubic);
}

Index Buffer::add_rotations(std::span<const float> values) {
  constexpr float kOne = 32767;
  constexpr std::size_t kParts = 4;
  if (!quantize_ || !compress_) {
    return quantize_ ? add_parts(values, kParts, ComponentType::i16, kOne, Use::data)
                     : add_floats(values, kParts, Use::data);
  }
  Bytes bytes;
  bytes.reserve(values.size() * 2);
  for (std::size_t at = 0; at + kParts <= values.size(); at += kParts) {
    fold_quaternion(values.subspan(at, kParts), bytes);
  }
  Accessor accessor = accessor_of(ComponentType::i16, kParts, values.size() / kParts);
  accessor.normalized = true;
  return add(std::move(bytes), std::move(accessor), {Use::data, 2 * kParts, "QUATERNION"});
}

Index Buffer::add_matrices(std::span<const float> values) {
  constexpr unsigned kNumbers = 16;
  return add_floats(values, kNumbers, Use::matrices);
}

Index Buffer::add_flags(std::span<const std::uint8_t> values) {
  return add_whole(values, ComponentType::u8, 1, Use::flags);
}

Index Buffer::add_picture() { return new_view({Use::picture, 0, {}}); }

void Buffer::fill_picture(Index view, Bytes bytes) { views_[view].content = std::move(bytes); }

Index Buffer::copy(const Buffer& from, Index accessor) {
  const Accessor& source = from.document_.accessors[accessor];
  const View& view = from.views_[source.view];
  const auto end =
      std::find_if(from.document_.accessors.begin() + accessor + 1, from.document_.accessors.end(),
                   [&](const Accessor& next) { return next.view == source.view; });
  const std::size_t stop = end == from.document_.accessors.end() ? view.content.size() : end->offset;
  const ByteView bytes = ByteView(view.content).subspan(source.offset, stop - source.offset);
  return add(Bytes(bytes.begin(), bytes.end()), source, view.kind);
}

Index Buffer::append(Buffer other) {
  const auto first = static_cast<Index>(views_.size());
  for (auto& view : other.views_) {
    views_.push_back(std::move(view));
  }
  document_.views.insert(document_.views.end(), other.document_.views.begin(), other.document_.views.end());
  document_.quantized = document_.quantized || other.document_.quantized;
  return first;
}

Bytes Buffer::packed(View& view, Packed& how) const {
  constexpr std::size_t kJson = 260;  // what the document says of a packed view
  const Kind& kind = view.kind;
  if (!compress_ || view.content.empty() || kind.use > Use::matrices || kind.use == Use::other_indices) {
    return {};
  }
  const bool triangles = kind.use == Use::triangles;
  how = {triangles ? "TRIANGLES" : "ATTRIBUTES",
         kind.filter,
         view.content.size() / kind.stride,
         kind.stride,
         0,
         0};
  Bytes bytes =
      triangles ? pack_triangles(view.content, kind.stride) : pack_attributes(view.content, kind.stride);
  if (bytes.size() + kJson < view.content.size()) {
    return bytes;
  }
  if (!kind.filter.empty()) {
    if (auto plain = unpack(bytes, {how.mode, how.filter, how.count, how.stride})) {
      view.content = std::move(*plain);
    }
  }
  return {};
}

std::size_t Buffer::lay_out() {
  std::size_t size = 0;
  std::size_t unpacked = 0;
  for (std::size_t i = 0; i < views_.size(); ++i) {
    BufferView& stated = document_.views[i];
    Bytes& content = views_[i].content;
    Packed how;
    Bytes bytes = packed(views_[i], how);
    stated.offset = size;
    stated.length = content.size();
    if (!bytes.empty()) {
      how.offset = size;
      how.length = bytes.size();
      stated.offset = unpacked;
      stated.packed = how;
      unpacked += padded(stated.length);
      content = std::move(bytes);
    }
    size += padded(content.size());
  }
  document_.buffer_length = size;
  document_.unpacked_length = unpacked;
  return size;
}

void Buffer::move_to(Bytes& out) {
  Freed freed;
  for (View& view : views_) {
    const std::size_t end = out.size() + padded(view.content.size());
    out.insert(out.end(), view.content.begin(), view.content.end());
    out.resize(end, 0);
    freed.add(view.content.size());
    Bytes().swap(view.content);
  }
}

}  // namespace thaw::gltf
