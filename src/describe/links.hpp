// Numbers of a document that follow from where its parts lie. A description says it next to the fields:
//
//   points(v, field, at, unit)   the field says where something begins in the region
//   spans(v, field, at, unit)    it says how far something reaches from there
//   counts(v, field, values)     it says how many elements these values have, which are described next
//   checks(v, field)             it is the CRC-32, its highest byte first, of what follows it in the
//                                region,
//                                whose description ends here
//   repeats(v, field, other)     it says what another field says
//
// For readers and writers that is nothing; a LinkInspector receives it (relocate.hpp).
#pragma once

#include <thaw/inspect.hpp>

#include <array>
#include <cstdint>
#include <type_traits>

namespace thaw {

/// A number of a document that says how far two places of its file lie apart: an offset, a size, a count.
struct Link {
  /// Where the document holds the number, within the data of one of its leaves; `size` bytes.
  const void* field = nullptr;
  std::size_t size = 0;
  /// The number is (`to` - `from`) / `unit`.
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  std::uint64_t unit = 1;
  /// `to` is where something ends, not where something begins.
  bool to_end = false;
};

class LinkInspector : public Inspector {
 public:
  /// Before or after the leaf that has the number.
  virtual void link(const Link& link) = 0;
  /// A checksum of everything after it, which has been shown by now.
  virtual void checksum(const void* field, std::size_t size) = 0;
  virtual void repeat(const void* field, const void* other, std::size_t size) = 0;
};

/// A number as it is stored; of what is none 0.
template <class T>
std::uint64_t linked_number(const T& field) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<std::uint64_t>(field);
  } else if constexpr (std::is_same_v<T, std::array<std::uint8_t, 3>>) {
    return field[0] | unsigned{field[1]} << 8U | unsigned{field[2]} << 16U;
  } else {
    return 0;
  }
}

template <class V, class F>
void with_links(V& v, F&& use) {
  if constexpr (requires { v.inspector(); }) {
    if (auto* links = dynamic_cast<LinkInspector*>(&v.inspector())) {
      use(*links, v.here() - v.offset());
    }
  }
}

template <class V, class T>
void points(V& v, const T& field, std::uint64_t at, std::uint64_t unit = 1) {
  with_links(v, [&](LinkInspector& links, std::uint64_t region) {
    const std::uint64_t distance = linked_number(field) * unit;
    if (distance <= region + at) {
      links.link({&field, sizeof field, region + at - distance, region + at, unit, false});
    }
  });
}

template <class V, class T>
void spans(V& v, const T& field, std::uint64_t at, std::uint64_t unit = 1) {
  with_links(v, [&](LinkInspector& links, std::uint64_t region) {
    if (linked_number(field) > 0) {
      links.link({&field, sizeof field, region + at, region + at + linked_number(field) * unit, unit, true});
    }
  });
}

template <class V, class T, class Values>
void counts(V& v, const T& field, const Values& values) {
  if (!values.empty() && linked_number(field) == values.size()) {
    spans(v, field, v.offset(), sizeof(typename Values::value_type));
  }
}

template <class V, class T>
void checks(V& v, const T& field) {
  with_links(v,
             [&](LinkInspector& links, std::uint64_t /*region*/) { links.checksum(&field, sizeof field); });
}

template <class V, class T>
void repeats(V& v, const T& field, const T& other) {
  with_links(v, [&](LinkInspector& links, std::uint64_t /*region*/) {
    if (field == other) {
      links.repeat(&field, &other, sizeof field);
    }
  });
}

}  // namespace thaw
