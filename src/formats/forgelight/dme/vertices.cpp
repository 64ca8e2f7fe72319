#include "formats/forgelight/dme/vertices.hpp"

#include "bytes/half.hpp"
#include "describe/description.hpp"

#include <cmath>

namespace thaw::dme {
namespace {

using materials::Type;
using Numbers = std::array<float, 4>;

template <class T, std::size_t N>
Numbers load_numbers(const std::uint8_t* from, float divisor) {
  Numbers numbers{};
  for (std::size_t i = 0; i < N; ++i) {
    numbers[i] = static_cast<float>(load_plain<T>(from + i * sizeof(T))) / divisor;
    numbers[i] = std::isfinite(numbers[i]) ? numbers[i] : 0;
  }
  return numbers;
}

template <std::size_t N>
Numbers load_halves(const std::uint8_t* from) {
  Numbers numbers{};
  for (std::size_t i = 0; i < N; ++i) {
    const float value = half_to_float(load_plain<std::uint16_t>(from + i * 2));
    numbers[i] = std::isfinite(value) ? value : 0;
  }
  return numbers;
}

/// Three numbers of ten bits, the first lowest.
Numbers load_tens(const std::uint8_t* from, bool normalized) {
  const auto word = load_plain<std::uint32_t>(from);
  Numbers numbers{};
  for (unsigned i = 0; i < 3; ++i) {
    const std::uint32_t bits = (word >> (10 * i)) & 0x3FFU;
    const int with_sign = bits >= 512 ? static_cast<int>(bits) - 1024 : static_cast<int>(bits);
    numbers[i] = normalized ? static_cast<float>(with_sign) / 511 : static_cast<float>(bits);
  }
  return numbers;
}

}  // namespace

Attribute::Attribute(const Mesh& mesh, const materials::Layout& layout, materials::Usage usage,
                     unsigned index) {
  for (const auto& entry : layout.entries) {
    if (entry.usage != usage || entry.usage_index != index || entry.stream >= mesh.streams.size()) {
      continue;
    }
    const Stream& stream = mesh.streams[entry.stream];
    const std::size_t size = materials::type_size(entry.type);
    if (size > 0 && entry.offset + size <= stream.stride &&
        stream.data.size() >= std::uint64_t{stream.stride} * mesh.vertex_count && mesh.vertex_count > 0) {
      data_ = stream.data.data() + entry.offset;
      stride_ = stream.stride;
      type_ = entry.type;
    }
    return;
  }
}

std::array<std::uint8_t, 4> Attribute::bytes(std::size_t vertex) const {
  return load_plain<std::array<std::uint8_t, 4>>(data_ + vertex * stride_);
}

std::array<float, 4> Attribute::at(std::size_t vertex) const {
  const std::uint8_t* from = data_ + vertex * stride_;
  switch (type_) {
    case Type::float1:
      return load_numbers<float, 1>(from, 1);
    case Type::float2:
      return load_numbers<float, 2>(from, 1);
    case Type::float3:
      return load_numbers<float, 3>(from, 1);
    case Type::float4:
      return load_numbers<float, 4>(from, 1);
    case Type::half2:
      return load_halves<2>(from);
    case Type::half4:
      return load_halves<4>(from);
    case Type::short2:
      return load_numbers<std::int16_t, 2>(from, 1);
    case Type::short4:
      return load_numbers<std::int16_t, 4>(from, 1);
    case Type::short2_normalized:
      return load_numbers<std::int16_t, 2>(from, 32767);
    case Type::short4_normalized:
      return load_numbers<std::int16_t, 4>(from, 32767);
    case Type::ushort2_normalized:
      return load_numbers<std::uint16_t, 2>(from, 65535);
    case Type::ushort4_normalized:
      return load_numbers<std::uint16_t, 4>(from, 65535);
    case Type::ubyte4:
      return load_numbers<std::uint8_t, 4>(from, 1);
    case Type::ubyte4_normalized:
    case Type::d3d_color:
      return load_numbers<std::uint8_t, 4>(from, 255);
    case Type::udec3:
      return load_tens(from, false);
    case Type::dec3_normalized:
      return load_tens(from, true);
    default:
      return {};
  }
}

}  // namespace thaw::dme
