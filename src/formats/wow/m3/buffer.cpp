// Elements of buffers as numbers, and back (m3.md#element-formats).
#include "formats/wow/m3/document.hpp"

#include "bytes/half.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace thaw::m3 {
namespace {

struct FormatRow {
  FourCC tag;
  ElementFormat format;
  std::size_t size;
  unsigned components;
};
constexpr std::array kFormats = {FormatRow{FourCC{"1F32"}, ElementFormat::f32x1, 4, 1},
                                 FormatRow{FourCC{"2F32"}, ElementFormat::f32x2, 8, 2},
                                 FormatRow{FourCC{"3F32"}, ElementFormat::f32x3, 12, 3},
                                 FormatRow{FourCC{"4F32"}, ElementFormat::f32x4, 16, 4},
                                 FormatRow{FourCC{"2F16"}, ElementFormat::f16x2, 4, 2},
                                 FormatRow{FourCC{"4F16"}, ElementFormat::f16x4, 8, 4},
                                 FormatRow{FourCC{"1U32"}, ElementFormat::u32x1, 4, 1},
                                 FormatRow{FourCC{"1U16"}, ElementFormat::u16x1, 2, 1},
                                 FormatRow{FourCC{"4U16"}, ElementFormat::u16x4, 8, 4},
                                 FormatRow{FourCC{"4U08"}, ElementFormat::u8x4, 4, 4},
                                 FormatRow{FourCC{"4U8N"}, ElementFormat::u8n_x4, 4, 4},
                                 FormatRow{FourCC{"U10N"}, ElementFormat::u10n, 4, 3}};

const FormatRow* row_of(ElementFormat format) {
  for (const FormatRow& row : kFormats) {
    if (row.format == format) {
      return &row;
    }
  }
  return nullptr;
}

constexpr unsigned kTenBits = 0x3FF;

/// What integers of a format are divided by; 0: they stand for themselves.
float divisor(ElementFormat format, Range range) {
  switch (format) {
    case ElementFormat::u8n_x4:
      return 255;
    case ElementFormat::u10n:
      return 1023;
    case ElementFormat::u8x4:
      return range == Range::share ? 255.0F : 0.0F;
    case ElementFormat::u16x1:
    case ElementFormat::u16x4:
      return range == Range::share ? 65535.0F : 0.0F;
    case ElementFormat::u32x1:
      return range == Range::share ? 4294967295.0F : 0.0F;
    default:
      return 0;
  }
}

bool is_signed(ElementFormat format, Range range) {
  return range == Range::direction && (format == ElementFormat::u8n_x4 || format == ElementFormat::u10n);
}

/// Integers as the numbers that they stand for.
class Scale {
 public:
  Scale(ElementFormat format, Range range)
      : divisor_(divisor(format, range)), signed_(is_signed(format, range)) {}

  [[nodiscard]] float decoded(std::uint32_t stored) const {
    if (divisor_ == 0) {
      return static_cast<float>(stored);
    }
    const float share = static_cast<float>(stored) / divisor_;
    return signed_ ? share * 2 - 1 : share;
  }

  [[nodiscard]] std::uint32_t encoded(float value, std::uint32_t most) const {
    double wide = std::isnan(value) ? 0 : double{value};
    if (divisor_ != 0) {
      wide = (signed_ ? (wide + 1) / 2 : wide) * static_cast<double>(most);
    }
    return static_cast<std::uint32_t>(std::floor(std::clamp(wide, 0.0, static_cast<double>(most)) + 0.5));
  }

 private:
  float divisor_;
  bool signed_;
};

template <class T>
constexpr bool kIsHalves = std::is_same_v<T, std::array<Half, 2>> || std::is_same_v<T, std::array<Half, 4>>;

constexpr std::array kShifts = {0U, 10U, 20U};

template <class T>
void append_element(Array<float>& to, const T& element, const Scale& scale) {
  if constexpr (std::is_same_v<T, float>) {
    to.push_back(element);
  } else if constexpr (std::is_integral_v<T>) {
    to.push_back(scale.decoded(element));
  } else if constexpr (std::is_same_v<T, Packed10>) {
    for (const unsigned shift : kShifts) {
      to.push_back(scale.decoded(static_cast<std::uint32_t>(element) >> shift & kTenBits));
    }
  } else {
    for (const auto component : element) {
      if constexpr (kIsHalves<T>) {
        to.push_back(thaw::half_to_float(static_cast<std::uint16_t>(component)));
      } else if constexpr (std::is_same_v<decltype(component), const float>) {
        to.push_back(component);
      } else {
        to.push_back(scale.decoded(component));
      }
    }
  }
}

template <class T>
T encoded_element(const float* values, const Scale& scale) {
  if constexpr (std::is_same_v<T, float>) {
    return *values;
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(scale.encoded(*values, std::numeric_limits<T>::max()));
  } else if constexpr (std::is_same_v<T, Packed10>) {
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < kShifts.size(); ++i) {
      bits |= scale.encoded(values[i], kTenBits) << kShifts.at(i);
    }
    return Packed10{bits};
  } else {
    T element{};
    for (std::size_t i = 0; i < element.size(); ++i) {
      using Component = typename T::value_type;
      if constexpr (std::is_same_v<Component, float>) {
        element[i] = values[i];
      } else if constexpr (kIsHalves<T>) {
        element[i] = Half{float_to_half(values[i])};
      } else {
        element[i] = static_cast<Component>(scale.encoded(values[i], std::numeric_limits<Component>::max()));
      }
    }
    return element;
  }
}

}  // namespace

ElementFormat element_format(FourCC tag) {
  for (const FormatRow& row : kFormats) {
    if (row.tag == tag) {
      return row.format;
    }
  }
  return ElementFormat::unknown;
}

FourCC element_tag(ElementFormat format) {
  const FormatRow* row = row_of(format);
  return row != nullptr ? row->tag : FourCC{};
}

std::size_t element_size(ElementFormat format) {
  const FormatRow* row = row_of(format);
  return row != nullptr ? row->size : 0;
}

unsigned element_components(ElementFormat format) {
  const FormatRow* row = row_of(format);
  return row != nullptr ? row->components : 0;
}

bool prepare(Elements& elements, ElementFormat format) {
  switch (format) {
    case ElementFormat::f32x1:
      elements.emplace<Array<float>>();
      return true;
    case ElementFormat::f32x2:
      elements.emplace<Array<Vec2>>();
      return true;
    case ElementFormat::f32x3:
      elements.emplace<Array<Vec3>>();
      return true;
    case ElementFormat::f32x4:
      elements.emplace<Array<Vec4>>();
      return true;
    case ElementFormat::f16x2:
      elements.emplace<Array<std::array<Half, 2>>>();
      return true;
    case ElementFormat::f16x4:
      elements.emplace<Array<std::array<Half, 4>>>();
      return true;
    case ElementFormat::u16x4:
      elements.emplace<Array<std::array<std::uint16_t, 4>>>();
      return true;
    case ElementFormat::u8x4:
    case ElementFormat::u8n_x4:
      elements.emplace<Array<std::array<std::uint8_t, 4>>>();
      return true;
    case ElementFormat::u16x1:
      elements.emplace<Array<std::uint16_t>>();
      return true;
    case ElementFormat::u32x1:
      elements.emplace<Array<std::uint32_t>>();
      return true;
    case ElementFormat::u10n:
      elements.emplace<Array<Packed10>>();
      return true;
    default:
      return false;
  }
}

std::size_t Buffer::size() const {
  return std::visit([](const auto& values) { return values.size(); }, elements);
}

float half_to_float(std::uint16_t half) { return thaw::half_to_float(half); }

std::uint16_t float_to_half(float value) { return thaw::float_to_half(value); }

Array<float> decode(const Buffer& buffer, Range range) {
  const ElementFormat format = buffer.format();
  const Scale scale(format, range);
  Array<float> result;
  result.reserve(buffer.size() * element_components(format));
  std::visit(
      [&](const auto& elements) {
        for (const auto& element : elements) {
          append_element(result, element, scale);
        }
      },
      buffer.elements);
  return result;
}

Buffer encode(ElementFormat format, const Array<float>& values, Range range) {
  Buffer buffer;
  const unsigned components = element_components(format);
  if (!prepare(buffer.elements, format)) {
    return buffer;
  }
  buffer.properties.format = element_tag(format);
  const Scale scale(format, range);
  std::visit(
      [&](auto& elements) {
        using Element = typename std::remove_cvref_t<decltype(elements)>::value_type;
        for (std::size_t at = 0; at + components <= values.size(); at += components) {
          elements.push_back(encoded_element<Element>(values.data() + at, scale));
        }
      },
      buffer.elements);
  return buffer;
}

Array<std::uint32_t> decode_indices(const Buffer& buffer) {
  Array<std::uint32_t> result;
  if (const auto* words = std::get_if<Array<std::uint16_t>>(&buffer.elements)) {
    result.assign(words->begin(), words->end());
  } else if (const auto* wide = std::get_if<Array<std::uint32_t>>(&buffer.elements)) {
    result = *wide;
  }
  return result;
}

}  // namespace thaw::m3
