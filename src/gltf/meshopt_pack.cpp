#include "gltf/meshopt_pack.hpp"

#include "gltf/meshopt.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

namespace thaw::gltf {
namespace {

constexpr std::size_t kRun = 16;

/// A difference with its sign in the lowest bit.
std::uint8_t folded(std::uint8_t from, std::uint8_t to) {
  const auto difference = static_cast<std::uint8_t>(to - from);
  const unsigned doubled = unsigned{difference} << 1U;
  return static_cast<std::uint8_t>(doubled ^ ((difference & 0x80U) != 0 ? 0xFFU : 0U));
}

void put_number(Bytes& out, std::uint32_t value) {
  for (; value > 0x7F; value >>= 7U) {
    out.push_back(static_cast<std::uint8_t>(value | 0x80U));
  }
  out.push_back(static_cast<std::uint8_t>(value));
}

// --- ATTRIBUTES

/// Sixteen deltas of `bits` each; those that do not fit follow as bytes.
void put_run(Bytes& out, std::span<const std::uint8_t, kRun> deltas, unsigned bits) {
  const unsigned sentinel = (1U << bits) - 1;
  const std::size_t per_byte = 8 / bits;
  for (std::size_t i = 0; i < kRun; i += per_byte) {
    unsigned byte = 0;
    for (std::size_t k = 0; k < per_byte; ++k) {
      byte = byte << bits | std::min<unsigned>(deltas[i + k], sentinel);
    }
    out.push_back(static_cast<std::uint8_t>(byte));
  }
  std::copy_if(deltas.begin(), deltas.end(), std::back_inserter(out),
               [&](std::uint8_t delta) { return delta >= sentinel; });
}

/// The shortest of the four kinds of a group.
unsigned kind_of_run(std::span<const std::uint8_t, kRun> deltas) {
  const auto bytes = [&](unsigned bits) {
    const unsigned sentinel = (1U << bits) - 1;
    return kRun * bits / 8 +
           static_cast<std::size_t>(std::count_if(deltas.begin(), deltas.end(),
                                                  [&](std::uint8_t delta) { return delta >= sentinel; }));
  };
  if (std::all_of(deltas.begin(), deltas.end(), [](std::uint8_t delta) { return delta == 0; })) {
    return 0;
  }
  const unsigned packed = bytes(2) <= bytes(4) ? 1 : 2;
  return bytes(packed * 2) < kRun ? packed : 3;
}

void put_plane(Bytes& out, std::span<const std::uint8_t> deltas) {
  const std::size_t groups = deltas.size() / kRun;
  const std::size_t kinds = out.size();
  out.resize(kinds + (groups + 3) / 4, 0);
  for (std::size_t group = 0; group < groups; ++group) {
    const std::span<const std::uint8_t, kRun> part(deltas.data() + group * kRun, kRun);
    const unsigned kind = kind_of_run(part);
    out[kinds + group / 4] |= static_cast<std::uint8_t>(kind << (group % 4 * 2));
    if (kind == 3) {
      out.insert(out.end(), part.begin(), part.end());
    } else if (kind != 0) {
      put_run(out, part, kind * 2);
    }
  }
}

// --- TRIANGLES

/// The sixteen that were added last.
template <class T>
class RecentValues {
 public:
  void add(T item) {
    end_ = (end_ + 1) % kRun;
    items_.at(end_) = item;
    count_ = std::min(count_ + 1, kRun);
  }
  /// How many were added since; none if it is not among the last `among`.
  [[nodiscard]] std::optional<unsigned> find(const T& item, std::size_t among) const {
    for (std::size_t back = 0; back < std::min(among, count_); ++back) {
      if (items_.at((end_ + kRun - back) % kRun) == item) {
        return static_cast<unsigned>(back);
      }
    }
    return std::nullopt;
  }

 private:
  std::array<T, kRun> items_{};
  std::size_t end_ = 0;
  std::size_t count_ = 0;
};

/// Pairs of corners that need no byte of their own: those that follow a new vertex most often.
constexpr std::array<std::uint8_t, kRun> kPairs = {0x00, 0x10, 0x01, 0x20, 0x02, 0x30, 0x03, 0x12,
                                                   0x21, 0x31, 0x13, 0x23, 0x32, 0x40, 0,    0};

class TriangleWriter {
 public:
  void add(std::array<std::uint32_t, 3> triangle) {
    if (triangle == std::array<std::uint32_t, 3>{0, 1, 2} && next_ != 0) {
      codes_.push_back(0xFE);  // begins anew
      data_.push_back(0);
      next_ = 3;
      add_all(triangle, true, true);
      return;
    }
    for (unsigned turn = 0; turn < 3; ++turn) {
      if (const auto edge = edges_.find({triangle[0], triangle[1]}, kRun - 1)) {
        adjacent_edge(*edge, triangle);
        return;
      }
      std::rotate(triangle.begin(), triangle.begin() + 1, triangle.end());
    }
    alone(triangle);
  }

  Bytes take() {
    Bytes out{0xE1};
    out.insert(out.end(), codes_.begin(), codes_.end());
    out.insert(out.end(), data_.begin(), data_.end());
    out.insert(out.end(), kPairs.begin(), kPairs.end());
    return out;
  }

 private:
  using Triangle = std::array<std::uint32_t, 3>;
  using Edge = std::pair<std::uint32_t, std::uint32_t>;

  void put_explicit(std::uint32_t index) {
    const std::uint32_t difference = index - last_;
    put_number(data_, difference << 1U ^ ((difference & 0x80000000U) != 0 ? ~std::uint32_t{0} : 0U));
    last_ = index;
  }

  void adjacent_edge(unsigned edge, const Triangle& triangle) {
    const auto [a, b, c] = triangle;
    constexpr std::size_t kKnown = 13;
    unsigned what = 15;
    const auto known = vertices_.find(c, kKnown);
    if (c == next_) {
      ++next_;
      what = 0;
    } else if (known && *known > 0) {
      what = *known;
    } else if (c == last_ - 1 || c == last_ + 1) {
      what = c == last_ + 1 ? 14 : 13;
      last_ = c;
    } else {
      put_explicit(c);
    }
    codes_.push_back(static_cast<std::uint8_t>(edge << 4U | what));
    edges_.add({c, b});
    edges_.add({a, c});
    if (what == 0 || what >= 13) {
      vertices_.add(c);
    }
  }

  void alone(Triangle triangle) {
    for (unsigned turn = 0; turn < 2 && triangle[0] != next_; ++turn) {
      std::rotate(triangle.begin(), triangle.begin() + 1, triangle.end());
    }
    const bool fresh = triangle[0] == next_;
    next_ += fresh ? 1 : 0;
    const auto what_of = [&](std::uint32_t corner) -> unsigned {
      if (corner == next_) {
        ++next_;
        return 0;
      }
      constexpr std::size_t kKnown = 14;
      const auto known = vertices_.find(corner, kKnown);
      return known ? *known + 1 : 15;
    };
    const unsigned second = what_of(triangle[1]);
    const unsigned third = what_of(triangle[2]);
    const auto pair = static_cast<std::uint8_t>(second << 4U | third);
    const auto* tabled = std::find(kPairs.begin(), kPairs.end() - 2, pair);
    if (fresh && tabled != kPairs.end() - 2) {
      codes_.push_back(static_cast<std::uint8_t>(0xF0 | (tabled - kPairs.begin())));
    } else {
      codes_.push_back(fresh ? 0xFE : 0xFF);
      data_.push_back(pair);
      if (!fresh) {
        put_explicit(triangle[0]);
      }
      for (const auto& [what, corner] : {std::pair{second, triangle[1]}, std::pair{third, triangle[2]}}) {
        if (what == 15) {
          put_explicit(corner);
        }
      }
    }
    add_all(triangle, second == 0 || second == 15, third == 0 || third == 15);
  }

  void add_all(const Triangle& triangle, bool second, bool third) {
    const auto [a, b, c] = triangle;
    edges_.add({b, a});
    edges_.add({c, b});
    edges_.add({a, c});
    vertices_.add(a);
    if (second) {
      vertices_.add(b);
    }
    if (third) {
      vertices_.add(c);
    }
  }

  Bytes codes_;
  Bytes data_;
  RecentValues<Edge> edges_;
  RecentValues<std::uint32_t> vertices_;
  std::uint32_t next_ = 0;
  std::uint32_t last_ = 0;
};

// --- filters

void put_whole(Bytes& out, std::int32_t value, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) {
    out.push_back(static_cast<std::uint8_t>(static_cast<std::uint32_t>(value) >> (8 * i)));
  }
}

}  // namespace

Bytes pack_attributes(ByteView elements, std::size_t stride) {
  constexpr std::size_t kBlockBytes = 8192;
  constexpr std::size_t kBlockElements = 256;
  constexpr std::size_t kTail = 32;
  const std::size_t total = elements.size() / stride;
  const std::size_t most = std::min(kBlockBytes / stride / kRun * kRun, kBlockElements);
  Bytes out{0xA0};
  Bytes base(stride, 0);
  std::copy_n(elements.begin(), std::min(stride, elements.size()), base.begin());
  Bytes last = base;
  Bytes deltas;
  for (std::size_t first = 0; first < total; first += most) {
    const std::size_t count = std::min(most, total - first);
    for (std::size_t plane = 0; plane < stride; ++plane) {
      deltas.assign((count + kRun - 1) / kRun * kRun, 0);
      for (std::size_t i = 0; i < count; ++i) {
        const std::uint8_t value = elements[(first + i) * stride + plane];
        deltas[i] = folded(last[plane], value);
        last[plane] = value;
      }
      put_plane(out, deltas);
    }
  }
  out.resize(out.size() + (stride < kTail ? kTail - stride : 0), 0);
  out.insert(out.end(), base.begin(), base.end());
  return out;
}

Bytes pack_triangles(ByteView corners, std::size_t stride) {
  TriangleWriter writer;
  const auto corner = [&](std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < stride; ++i) {
      value |= std::uint32_t{corners[at * stride + i]} << (8 * i);
    }
    return value;
  };
  for (std::size_t at = 0; (at + 3) * stride <= corners.size(); at += 3) {
    writer.add({corner(at), corner(at + 1), corner(at + 2)});
  }
  return writer.take();
}

void fold_exponent(float& number, float most, Bytes& out) {
  constexpr int kBits = 15;
  constexpr int kLeast = -100;
  int exponent = 0;
  static_cast<void>(std::frexp(most, &exponent));
  exponent = std::max(exponent - kBits, kLeast);
  const auto whole = static_cast<std::int32_t>(std::lround(std::ldexp(number, -exponent)));
  number = std::ldexp(static_cast<float>(whole), exponent);
  put_whole(out, whole, 3);
  put_whole(out, exponent, 1);
}

void fold_octahedron(std::span<const float> vector, Bytes& out) {
  constexpr float kOne = 127;
  const float sum = std::abs(vector[0]) + std::abs(vector[1]) + std::abs(vector[2]);
  float x = sum > 0 ? vector[0] / sum : 0;
  float y = sum > 0 ? vector[1] / sum : 0;
  if (vector[2] < 0) {
    const float folded_x = (1 - std::abs(y)) * (x < 0 ? -1.0F : 1.0F);
    y = (1 - std::abs(x)) * (y < 0 ? -1.0F : 1.0F);
    x = folded_x;
  }
  put_whole(out, static_cast<std::int32_t>(std::lround(x * kOne)), 1);
  put_whole(out, static_cast<std::int32_t>(std::lround(y * kOne)), 1);
  put_whole(out, static_cast<std::int32_t>(kOne), 1);
  put_whole(out, 0, 1);
}

void fold_quaternion(std::span<const float> rotation, Bytes& out) {
  constexpr float kOne = 32767;
  std::size_t most = 0;
  for (std::size_t i = 1; i < 4; ++i) {
    most = std::abs(rotation[i]) > std::abs(rotation[most]) ? i : most;
  }
  const float scale = std::numbers::sqrt2_v<float> * (rotation[most] < 0 ? -1.0F : 1.0F) * kOne;
  for (std::size_t i = 1; i < 4; ++i) {
    put_whole(
        out,
        static_cast<std::int32_t>(std::lround(std::clamp(rotation[(most + i) % 4] * scale, -kOne, kOne))), 2);
  }
  put_whole(out, static_cast<std::int32_t>((static_cast<std::uint32_t>(kOne) & ~3U) | most), 2);
}

}  // namespace thaw::gltf
