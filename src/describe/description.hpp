// Base of all visitors of a description. See docs/dev/architecture.md, "One description per structure".
//
// A description is a function template that names each field of a structure once, in file order:
//
// clang-format off
//   template <class V>
//   void describe(V& v, As<V, Sequence>& s) {
//     v.text("name", s.name);
//     v.field("start", s.start);
//   }
//
// Reader, Writer and InspectionVisitor are visitors with the same member functions:
//
//   field(name, x)            a scalar, an enum of fixed type, or a std::array of them
//   text(name, t)             FixedText<N>
//   tag(fourcc)               a constant that must stand here
//   counted(name, a)          u32 count, then that many plain elements
//   bulk(name, a, n)          n plain elements without a count
//   strings(name, a, n)       n bytes of texts, each ending with its NUL
//   rows(name, a, columns, n) n keyframes of one i32 and some scalars
//   counted_list(name, l)     u32 count, then described elements
//   list(name, l, n)          n described elements
//   array_of(name, a)         a std::array of described elements
//   records(name, l)          described elements of T::kRecordSize bytes to the end of the scope
//   objects(name, l)          described elements to the end of the scope
//   list_of(name, l, body)    a list whose elements `body` writes or shows; readers have their own loop
//   sized(x, min, body)       inclusive u32 size, body, remainder; sized24: its high byte means something else
//   payload(x, tag, size, body)  a chunk's bytes after its header, remainder
//   object(name, x)           one described structure as a member
//   group(name, body)         members that go together without a structure of their own
//   choose(stored, decide)    what a reader must find out from the bytes, and the others know
//   next_is(fourcc, stored)   the usual case of choose: is this tag next?
//   region(body)              a part with offsets of its own
//   block(name, at, size, body), blocks(name, count, each), gaps(name, g)
//                             parts found by offset in the region, and what lies between them
//   expect_at(name, stated)   a part found by order whose offset is stated, too
//   offset()                  of the next byte, from the start of the region
//
// A reader has more, which a description may use after `if constexpr (V::kReads)`: left() and rest() of the
// scope, here() in the input, region_bytes(), context(), note() for a finding, fail() for the end of the scope.
// clang-format on
#pragma once

#include <thaw/bytes.hpp>
#include <thaw/inspect.hpp>

#include <algorithm>
#include <bit>
#include <type_traits>

namespace thaw {

template <class V, class T>
using As = std::conditional_t<V::kReads, T, const T>;

template <class T>
inline constexpr bool kIsStdArray = false;
template <class T, std::size_t N>
inline constexpr bool kIsStdArray<std::array<T, N>> = true;

/// The scalar at the bottom of nested std::arrays, or of an enum.
template <class T, bool = kIsStdArray<T>, bool = std::is_enum_v<T>>
struct ScalarOf {
  static_assert(std::is_arithmetic_v<T>, "not plain data");
  using type = T;
};
template <class T>
struct ScalarOf<T, true, false> : ScalarOf<typename T::value_type> {};
template <class T>
struct ScalarOf<T, false, true> {
  using type = std::underlying_type_t<T>;
};
template <class T>
using Scalar = typename ScalarOf<T>::type;

template <class T>
constexpr ScalarKind scalar_kind() {
  using S = Scalar<T>;
  if constexpr (std::is_same_v<S, float>) {
    return ScalarKind::f32;
  } else if constexpr (std::is_same_v<S, double>) {
    return ScalarKind::f64;
  } else {
    constexpr bool kSigned = std::is_signed_v<S>;
    switch (sizeof(S)) {
      case 1:
        return kSigned ? ScalarKind::i8 : ScalarKind::u8;
      case 2:
        return kSigned ? ScalarKind::i16 : ScalarKind::u16;
      case 4:
        return kSigned ? ScalarKind::i32 : ScalarKind::u32;
      default:
        return kSigned ? ScalarKind::i64 : ScalarKind::u64;
    }
  }
}

/// Copies plain elements between file (little-endian) and host order.
template <class T>
void copy_plain(void* to, const void* from, std::size_t count) {
  if (count == 0) {
    return;
  }
  std::memcpy(to, from, count * sizeof(T));
  if constexpr (std::endian::native == std::endian::big && sizeof(Scalar<T>) > 1) {
    auto* bytes = static_cast<unsigned char*>(to);
    for (std::size_t at = 0; at < count * sizeof(T); at += sizeof(Scalar<T>)) {
      std::reverse(bytes + at, bytes + at + sizeof(Scalar<T>));
    }
  }
}

template <class T>
T load_plain(const void* from) {
  T value;
  copy_plain<T>(&value, from, 1);
  return value;
}

/// Keyframe rows: one i32 and `scalars` scalars of one kind, held as 32-bit words.
struct Columns {
  unsigned scalars = 1;
  ScalarKind kind = ScalarKind::f32;

  [[nodiscard]] constexpr std::size_t words() const { return 1U + scalars; }
};

/// Plain elements to the end of the scope.
template <class V, class T>
void bulk_to_end(V& v, const char* name, T& values) {
  std::size_t count = values.size();
  if constexpr (V::kReads) {
    count = v.left() / sizeof(typename T::value_type);
  }
  v.bulk(name, values, count);
}

}  // namespace thaw
