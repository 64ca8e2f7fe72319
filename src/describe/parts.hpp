// Targets of pointers, any of which may lead nowhere: such a part is reported and left out, and its bytes
// stay among the gaps of its region.
#pragma once

#include <thaw/diagnostics.hpp>

#include "describe/description.hpp"
#include "describe/links.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace thaw {

inline constexpr std::uint64_t kNowhere = ~std::uint64_t{0};

/// A pointer relative to `base`, as an offset in the region. Does not wrap.
constexpr std::uint64_t pointed(std::uint64_t base, std::uint64_t pointer) {
  return pointer > kNowhere - base ? kNowhere : base + pointer;
}

/// Does not wrap.
constexpr std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  return b != 0 && a > kNowhere / b ? kNowhere : a * b;
}

constexpr std::uint64_t align_up(std::uint64_t value, std::uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

/// For readers: does the region hold these bytes?
template <class V>
bool holds(V& v, std::uint64_t at, std::uint64_t size) {
  const std::uint64_t region = v.region_bytes().size();
  return at <= region && size <= region - at;
}

/// The same, and reports if not.
template <class V>
bool reaches(V& v, const char* name, std::uint64_t at, std::uint64_t size) {
  if (holds(v, at, size)) {
    return true;
  }
  v.note(codes::kOffsetInvalid, name,
         at == kNowhere || size == kNowhere
             ? "a pointer or count is out of bounds; its part is not read"
             : "the " + std::to_string(size) + " bytes at offset " + std::to_string(at) +
                   " are not within the " + std::to_string(v.region_bytes().size()) +
                   " bytes that contain them; they are not read");
  return false;
}

/// `count` plain elements at an offset of the region; none if they do not lie inside.
template <class V, class Count, class Values>
void array_at(V& v, const char* name, const std::uint64_t& at, const Count& count, Values& values) {
  const std::uint64_t size = product(count, sizeof(typename Values::value_type));
  if constexpr (V::kReads) {
    if (count == 0 || v.failed() || !reaches(v, name, at, size)) {
      return;
    }
  } else if (values.empty()) {
    return;
  }
  points(v, at, at);
  v.block(name, at, size, [&] {
    counts(v, count, values);
    v.bulk("values", values, static_cast<std::size_t>(count));
  });
}

/// The same at a pointer relative to `base`, if it is not null.
template <class V, class Count, class Values>
void array_after(V& v, const char* name, std::uint64_t base, const std::uint64_t& pointer, const Count& count,
                 Values& values) {
  if (pointer != 0) {
    points(v, pointer, pointed(base, pointer));
    array_at(v, name, pointed(base, pointer), count, values);
  }
}

/// A part that is there if its pointer leads somewhere, which `present` keeps.
template <class V, class Flag, class F>
void block_if(V& v, const char* name, const std::uint64_t& at, std::uint64_t size, Flag& present, F&& body) {
  if constexpr (V::kReads) {
    present = !v.failed() && reaches(v, name, at, size);
  }
  if (present) {
    points(v, at, at);
    v.block(name, at, size, std::forward<F>(body));
  }
}

/// Something to describe that is no structure of its own.
template <class F>
struct Group {
  F body;
};
template <class V, class F>
void describe(V& /*v*/, const Group<F>& group) {
  group.body();
}

/// Parts that belong together, under one name.
template <class V, class F>
void group(V& v, const char* name, F body) {
  Group<F> together{std::move(body)};
  v.object(name, together);
}

/// Bytes between parts that only fill: one value, zero or the 0xCD of the tools of the time.
inline bool is_fill(std::uint8_t byte) { return byte == 0 || byte == 0xCD; }

/// The length of the run of equal bytes at the start.
inline std::size_t run_length(ByteView bytes) {
  const auto end =
      std::find_if(bytes.begin(), bytes.end(), [&](std::uint8_t byte) { return byte != bytes.front(); });
  return static_cast<std::size_t>(end - bytes.begin());
}

/// True for a few runs of fill.
inline bool is_fill(ByteView bytes) {
  constexpr int kMostRuns = 4;
  for (int run = 0; run < kMostRuns && !bytes.empty() && is_fill(bytes.front()); ++run) {
    bytes = bytes.subspan(run_length(bytes));
  }
  return bytes.empty();
}

/// Shows a run of fill as what it is: one byte, repeated.
template <class V>
void show_fill(V& v, ByteView run) {
  v.field("byte", run.front());
  v.structure("repeated", run.size() - 1);
}

/// As `gaps`, but bytes that only fill count as understood.
template <class V, class Gaps>
void padded_gaps(V& v, Gaps& gaps) {
  if constexpr (requires(V& visitor) { visitor.structure("", std::size_t{}); }) {
    std::vector<Gap> fill;
    std::vector<Gap> others;
    for (const Gap& gap : gaps) {
      if (!is_fill(ByteView(gap.bytes))) {
        others.push_back(gap);
        continue;
      }
      for (ByteView rest = gap.bytes; !rest.empty(); rest = rest.subspan(run_length(rest))) {
        const ByteView run = rest.first(run_length(rest));
        fill.push_back({gap.offset + (gap.bytes.size() - rest.size()), Bytes(run.begin(), run.end())});
      }
    }
    if (!fill.empty()) {
      v.blocks("fill", fill.size(), [&](std::size_t i) {
        v.block("", fill[i].offset, fill[i].bytes.size(), [&] { show_fill(v, fill[i].bytes); });
      });
    }
    if (!others.empty()) {
      v.gaps("gaps", others);
    }
  } else {
    v.gaps("gaps", gaps);
  }
}

/// Bytes in sequence that ought to be fill.
template <class V, class Fill>
void fill_bytes(V& v, const char* name, Fill& bytes, std::size_t size) {
  if constexpr (requires(V& visitor) { visitor.structure("", std::size_t{}); }) {
    if (bytes.empty()) {
      return;
    }
    if (is_fill(ByteView(bytes)) && run_length(bytes) == bytes.size()) {
      v.field(name, bytes.front());
      v.structure("repeated", bytes.size() - 1);
    } else {
      v.raw(name, bytes);
    }
  } else if (size > 0) {
    v.bulk(name, bytes, size);
  }
}

// Gives the parts of a new file their places.

/// Hands out places one after the other and keeps the gaps between them, filled with 0xCD as by the tools of
/// the time.
class Placer {
 public:
  Placer(std::uint64_t at, std::vector<Gap>& gaps) : at_(at), gaps_(gaps) {}

  [[nodiscard]] std::uint64_t here() const { return at_; }

  std::uint64_t place(std::uint64_t size, std::uint64_t alignment) {
    align(alignment);
    const std::uint64_t place = at_;
    at_ += size;
    return place;
  }

  void align(std::uint64_t alignment, std::uint8_t byte = kFill) {
    fill(align_up(at_, alignment) - at_, byte);
  }

  void fill(std::uint64_t size, std::uint8_t byte = kFill) {
    if (size > 0) {
      gaps_.push_back({at_, Bytes(static_cast<std::size_t>(size), byte)});
      at_ += size;
    }
  }

 private:
  static constexpr std::uint8_t kFill = 0xCD;

  std::uint64_t at_;
  std::vector<Gap>& gaps_;
};

template <class Values>
std::uint64_t bytes_of(const Values& values) {
  return values.size() * sizeof(typename Values::value_type);
}

}  // namespace thaw
