#include "gltf/meshopt.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numbers>
#include <string>

namespace thaw::gltf {
namespace {

/// Bytes from front to end. What is not there reads as 0 and is remembered.
class Stream {
 public:
  explicit Stream(ByteView bytes) : bytes_(bytes) {}

  std::uint8_t byte() {
    if (bytes_.empty()) {
      failed_ = true;
      return 0;
    }
    const std::uint8_t next = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return next;
  }
  ByteView take(std::size_t size) {
    if (bytes_.size() < size) {
      failed_ = true;
      return {};
    }
    const ByteView part = bytes_.first(size);
    bytes_ = bytes_.subspan(size);
    return part;
  }
  /// Seven bits each, the lowest first.
  std::uint32_t number() {
    std::uint32_t value = 0;
    for (unsigned shift = 0; shift < 35; shift += 7) {
      const std::uint32_t part = byte();
      value |= (part & 0x7FU) << shift;
      if (part < 0x80) {
        return value;
      }
    }
    failed_ = true;
    return 0;
  }
  [[nodiscard]] bool failed() const { return failed_; }
  /// Nothing was missing, and nothing is left.
  [[nodiscard]] bool is_done() const { return !failed_ && bytes_.empty(); }

 private:
  ByteView bytes_;
  bool failed_ = false;
};

/// A difference with its sign in the lowest bit.
template <class T>
T unfolded(T value) {
  return static_cast<T>((value & 1U) != 0 ? ~(value >> 1U) : value >> 1U);
}

void put(Bytes& to, std::uint32_t value, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) {
    to.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
  }
}

// --- ATTRIBUTES

constexpr std::size_t kGroup = 16;

using Group = std::array<std::uint8_t, kGroup>;

/// Sixteen deltas of `bits` each; those with all bits set follow as bytes.
Group packed_group(Stream& stream, unsigned bits) {
  Group deltas{};
  const ByteView head = stream.take(kGroup * bits / 8);
  const unsigned sentinel = (1U << bits) - 1;
  const unsigned per_byte = 8 / bits;
  for (std::size_t i = 0; i < kGroup && !head.empty(); ++i) {
    const auto place = static_cast<unsigned>(i % per_byte);
    const unsigned delta = head[i / per_byte] >> (8 - bits * (place + 1)) & sentinel;
    deltas.at(i) = delta == sentinel ? stream.byte() : static_cast<std::uint8_t>(delta);
  }
  return deltas;
}

Group read_group(Stream& stream, unsigned kind) {
  Group deltas{};
  if (kind == 3) {
    const ByteView all = stream.take(kGroup);
    std::copy(all.begin(), all.end(), deltas.begin());
    return deltas;
  }
  return kind == 0 ? deltas : packed_group(stream, kind * 2);
}

/// One byte of each of `count` elements, from `at` on.
void read_plane(Stream& stream, std::size_t count, std::size_t stride, std::uint8_t& last, std::uint8_t* at) {
  const std::size_t groups = (count + kGroup - 1) / kGroup;
  const ByteView kinds = stream.take((groups + 3) / 4);
  for (std::size_t group = 0; group < groups && !kinds.empty(); ++group) {
    const unsigned kind = kinds[group / 4] >> (group % 4 * 2) & 3U;
    const Group deltas = read_group(stream, kind);
    for (std::size_t i = group * kGroup; i < std::min(count, (group + 1) * kGroup); ++i) {
      last = static_cast<std::uint8_t>(last + unfolded(deltas.at(i % kGroup)));
      at[i * stride] = last;
    }
  }
}

bool read_attributes(ByteView packed, const Packing& packing, Bytes& out) {
  constexpr std::size_t kBlockBytes = 8192;
  constexpr std::size_t kBlockElements = 256;
  constexpr std::size_t kTail = 32;
  constexpr std::size_t kMostTimes = 64;  // 256 elements have at least four bytes of each of theirs
  const std::size_t stride = packing.stride;
  const std::size_t tail = std::max(kTail, stride);
  if (packed.size() < 1 + tail || packed[0] != 0xA0 || packing.count > packed.size() * kMostTimes / stride) {
    return false;
  }
  out.resize(packing.count * stride);
  const ByteView base = packed.last(stride);
  Bytes last(base.begin(), base.end());
  Stream stream(packed.subspan(1, packed.size() - 1 - tail));
  const std::size_t most = std::min(kBlockBytes / stride / kGroup * kGroup, kBlockElements);
  for (std::size_t first = 0; first < packing.count && !stream.failed(); first += most) {
    const std::size_t count = std::min(most, packing.count - first);
    for (std::size_t plane = 0; plane < stride; ++plane) {
      read_plane(stream, count, stride, last[plane], out.data() + first * stride + plane);
    }
  }
  return stream.is_done();
}

// --- TRIANGLES

/// The sixteen that were added last; 0 is the last of them.
template <class T>
class Recent {
 public:
  void add(T item) { items_.at(++end_ % kGroup) = item; }
  [[nodiscard]] T operator[](unsigned back) const { return items_.at((end_ - back) % kGroup); }

 private:
  std::array<T, kGroup> items_{};
  unsigned end_ = 0;
};

class TriangleReader {
 public:
  TriangleReader(ByteView data, ByteView table) : stream_(data), table_(table) {}

  std::array<std::uint32_t, 3> read(std::uint8_t code) {
    return code < 0xF0 ? adjacent_edge(code) : alone(code);
  }
  [[nodiscard]] bool is_done() const { return stream_.is_done(); }
  [[nodiscard]] bool failed() const { return stream_.failed(); }

 private:
  using Triangle = std::array<std::uint32_t, 3>;
  struct Edge {
    std::uint32_t a = 0;
    std::uint32_t b = 0;
  };

  std::uint32_t explicit_index() { return last_ += unfolded(stream_.number()); }

  Triangle adjacent_edge(std::uint8_t code) {
    const auto [a, b] = edges_[code >> 4U];
    const unsigned what = code & 15U;
    std::uint32_t c = 0;
    if (what == 0) {
      c = next_++;
    } else if (what < 0xD) {
      c = vertices_[what];
    } else if (what < 0xF) {
      c = last_ += what == 0xD ? ~std::uint32_t{0} : 1;
    } else {
      c = explicit_index();
    }
    edges_.add({c, b});
    edges_.add({a, c});
    if (what == 0 || what >= 0xD) {
      vertices_.add(c);
    }
    return {a, b, c};
  }

  /// Three vertices, of which two stand in a byte: 0 is the next, 15 follows, others were met before.
  Triangle alone(std::uint8_t code) {
    const bool tabled = code < 0xFE;
    const unsigned pair = tabled ? table_[code & 15U] : stream_.byte();
    if (!tabled && pair == 0) {
      next_ = 0;
    }
    const auto vertex = [&](unsigned what) {
      return what == 0 ? next_++ : what == 15 && !tabled ? explicit_index() : vertices_[what - 1];
    };
    const std::uint32_t a = code == 0xFF ? explicit_index() : next_++;
    const std::uint32_t b = vertex(pair >> 4U);
    const std::uint32_t c = vertex(pair & 15U);
    edges_.add({b, a});
    edges_.add({c, b});
    edges_.add({a, c});
    const auto is_new = [&](unsigned what) { return what == 0 || (what == 15 && !tabled); };
    vertices_.add(a);
    if (is_new(pair >> 4U)) {
      vertices_.add(b);
    }
    if (is_new(pair & 15U)) {
      vertices_.add(c);
    }
    return {a, b, c};
  }

  Stream stream_;
  ByteView table_;
  Recent<Edge> edges_;
  Recent<std::uint32_t> vertices_;
  std::uint32_t next_ = 0;
  std::uint32_t last_ = 0;
};

bool read_triangles(ByteView packed, const Packing& packing, Bytes& out) {
  constexpr std::size_t kTable = 16;
  const std::size_t count = packing.count / 3;
  if (packing.count % 3 != 0 || packed.size() < 1 + kTable || packed.size() - 1 - kTable < count ||
      packed[0] != 0xE1) {
    return false;
  }
  out.reserve(packing.count * packing.stride);
  const ByteView codes = packed.subspan(1, count);
  TriangleReader reader(packed.subspan(1 + count, packed.size() - 1 - kTable - count), packed.last(kTable));
  for (std::size_t i = 0; i < count && !reader.failed(); ++i) {
    for (const std::uint32_t corner : reader.read(codes[i])) {
      put(out, corner, packing.stride);
    }
  }
  return reader.is_done();
}

// --- INDICES

bool read_indices(ByteView packed, const Packing& packing, Bytes& out) {
  constexpr std::size_t kTail = 4;
  if (packed.size() < 1 + kTail || packed.size() - 1 - kTail < packing.count || packed[0] != 0xD1) {
    return false;
  }
  out.reserve(packing.count * packing.stride);
  Stream stream(packed.subspan(1, packed.size() - 1 - kTail));
  std::array<std::uint32_t, 2> last{};
  for (std::size_t i = 0; i < packing.count && !stream.failed(); ++i) {
    const std::uint32_t value = stream.number();
    std::uint32_t& base = last.at(value & 1U);
    base += unfolded(value >> 1U);
    put(out, base, packing.stride);
  }
  return stream.is_done();
}

// --- filters

template <class T>
std::int32_t load(const std::uint8_t* at) {
  if constexpr (sizeof(T) == 1) {
    return static_cast<std::int8_t>(*at);
  } else {
    return static_cast<std::int16_t>(at[0] | at[1] << 8);
  }
}

/// A part of −1 to 1 as a normalised integer of the size of T.
template <class T>
void store(std::uint8_t* at, float part) {
  constexpr float kMost = sizeof(T) == 1 ? 127.0F : 32767.0F;
  const auto value = static_cast<std::uint32_t>(std::lround(std::clamp(part, -1.0F, 1.0F) * kMost));
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    at[i] = static_cast<std::uint8_t>(value >> (8 * i));
  }
}

/// A vector of length 1 by two parts; the third says what 1 is, the fourth stays.
template <class T>
void unfold_octahedron(std::uint8_t* at) {
  const auto one = static_cast<float>(std::max(1, load<T>(at + 2 * sizeof(T))));
  float x = static_cast<float>(load<T>(at)) / one;
  float y = static_cast<float>(load<T>(at + sizeof(T))) / one;
  const float z = 1 - std::abs(x) - std::abs(y);
  const float below = std::min(z, 0.0F);
  x -= std::copysign(below, x);
  y -= std::copysign(below, y);
  const float length = std::sqrt(x * x + y * y + z * z);
  store<T>(at, x / length);
  store<T>(at + sizeof(T), y / length);
  store<T>(at + 2 * sizeof(T), z / length);
}

/// A rotation by all parts but the largest; the fourth says what 1 is and which that was.
void unfold_quaternion(std::uint8_t* at) {
  constexpr std::size_t kSize = sizeof(std::int16_t);
  const float range = 1 / std::numbers::sqrt2_v<float>;
  const std::int32_t last = load<std::int16_t>(at + 3 * kSize);
  const auto one = static_cast<float>(std::max(3, last | 3));
  const auto largest = static_cast<std::size_t>(last & 3);
  std::array<float, 3> parts{};
  float rest = 1;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    parts.at(i) = static_cast<float>(load<std::int16_t>(at + i * kSize)) / one * range;
    rest -= parts.at(i) * parts.at(i);
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    store<std::int16_t>(at + (largest + i + 1) % 4 * kSize, parts.at(i));
  }
  store<std::int16_t>(at + largest * kSize, std::sqrt(std::max(rest, 0.0F)));
}

/// A whole number times a power of 2, the exponent in the highest byte.
void unfold_exponent(std::uint8_t* at) {
  const std::uint32_t mantissa =
      std::uint32_t{at[0]} | std::uint32_t{at[1]} << 8U | std::uint32_t{at[2]} << 16U;
  const auto whole = static_cast<std::int32_t>(mantissa << 8U) / 256;
  const float value = std::ldexp(static_cast<float>(whole), static_cast<std::int8_t>(at[3]));
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  for (std::size_t i = 0; i < sizeof bits; ++i) {
    at[i] = static_cast<std::uint8_t>(bits >> (8 * i));
  }
}

struct Filter {
  std::string_view name;
  std::size_t stride;  ///< bytes that it takes at once
  void (*apply)(std::uint8_t* at);
};

/// Null for one that there is not, or not for elements of this size.
const Filter* find_filter(const Packing& packing) {
  static constexpr std::array kFilters = {Filter{"OCTAHEDRAL", 4, unfold_octahedron<std::int8_t>},
                                          Filter{"OCTAHEDRAL", 8, unfold_octahedron<std::int16_t>},
                                          Filter{"QUATERNION", 8, unfold_quaternion},
                                          Filter{"EXPONENTIAL", 4, unfold_exponent}};
  const auto* found = std::find_if(kFilters.begin(), kFilters.end(), [&](const Filter& filter) {
    return filter.name == packing.filter && (filter.stride == packing.stride || filter.name == "EXPONENTIAL");
  });
  return found == kFilters.end() ? nullptr : found;
}

tl::unexpected<Error> unpackable(std::string_view what) {
  return fail(codes::kGltfReference, "EXT_meshopt_compression: " + std::string(what));
}

}  // namespace

Result<Bytes> unpack(ByteView packed, const Packing& packing) {
  constexpr std::size_t kMostStride = 256;
  const bool attributes = packing.mode == "ATTRIBUTES";
  const bool plain = packing.filter.empty() || packing.filter == "NONE";
  const bool right_stride =
      attributes ? packing.stride > 0 && packing.stride % 4 == 0 && packing.stride <= kMostStride
                 : packing.stride == 2 || packing.stride == 4;
  if (!right_stride) {
    return unpackable("unsupported element size of " + std::to_string(packing.stride) + " bytes");
  }
  const Filter* filter = plain ? nullptr : find_filter(packing);
  if (!plain && (filter == nullptr || !attributes)) {
    return unpackable(filter == nullptr ? "unknown filter, or unsupported element size for it"
                                        : "a filter applies only to attributes");
  }
  Bytes out;
  const bool read = attributes                    ? read_attributes(packed, packing, out)
                    : packing.mode == "TRIANGLES" ? read_triangles(packed, packing, out)
                    : packing.mode == "INDICES"   ? read_indices(packed, packing, out)
                                                  : false;
  if (!read) {
    return unpackable("the compressed data is damaged");
  }
  for (std::size_t at = 0; filter != nullptr && at < out.size(); at += filter->stride) {
    filter->apply(out.data() + at);
  }
  return out;
}

}  // namespace thaw::gltf
