// The templates of TextReader, for the files that implement it.
#pragma once

#include "bytes/hash.hpp"
#include "formats/warcraft/mdl/reader.hpp"

#include <limits>
#include <type_traits>

namespace thaw::mdl {

// --- values
// -------------------------------------------------------------------------------------------------------

template <class T>
bool TextReader::read_value(T& value) {
  static_assert(std::is_integral_v<T>);
  using Limits = std::numeric_limits<T>;
  // Words of 32 bits are written with and without a sign.
  constexpr std::int64_t kLeast =
      sizeof(T) == 4 ? std::numeric_limits<std::int32_t>::min() : static_cast<std::int64_t>(Limits::min());
  constexpr std::int64_t kMost =
      sizeof(T) == 4 ? std::numeric_limits<std::uint32_t>::max() : static_cast<std::int64_t>(Limits::max());
  std::int64_t number = 0;
  const bool found = read_integer(number, kLeast, kMost);
  value = static_cast<T>(number);
  return found;
}

template <class T, std::size_t N>
bool TextReader::read_value(std::array<T, N>& values) {
  const bool braced = lexer_.take('{');
  for (T& value : values) {
    if (!read_value(value)) {
      if (braced) {
        lexer_.skip_braces(1);
      }
      return false;
    }
  }
  if (braced) {
    expect_close();
  }
  return true;
}

// --- arrays
// -------------------------------------------------------------------------------------------------------

template <class T>
bool TextReader::read_row(T& row) {
  const bool braced = lexer_.take('{');
  if constexpr (kIsStdArray<T>) {
    for (auto& value : row) {
      if (!read_value(value)) {
        lexer_.skip_braces(braced ? 2 : 1);
        return false;
      }
    }
  } else if (!read_value(row)) {
    lexer_.skip_braces(braced ? 2 : 1);
    return false;
  }
  if (braced) {
    expect_close();
  }
  return true;
}

/// Rows up to the closing brace, with or without braces of their own.
template <class T>
void TextReader::read_rows(Array<T>& values, std::optional<std::uint64_t> count, bool opened) {
  values.clear();
  if (!opened) {
    return;
  }
  const char* const start = property_;
  constexpr std::size_t kScalars =
      sizeof(T) / sizeof(Scalar<T>);          // NOLINT(bugprone-sizeof-expression): 1 of scalars
  constexpr std::size_t kLeastPerScalar = 2;  // a digit and something after it
  values.reserve(static_cast<std::size_t>(
      std::min<std::uint64_t>(count.value_or(0), lexer_.left() / (kScalars * kLeastPerScalar))));
  while (!closing("rows")) {
    T row{};
    if (!read_row(row)) {
      break;
    }
    values.push_back(row);
  }
  if (values.capacity() > 2 * values.size()) {
    values.shrink_to_fit();
  }
  if (count && *count != values.size() && !error_) {
    report(codes::kMdlCount, start,
           "the list states " + thaw::counted(*count, "item") + ", but contains " +
               std::to_string(values.size()));
  }
}

// --- objects
// ------------------------------------------------------------------------------------------------------

/// Objects that stand in a chunk of their own, and not inside others.
template <class T>
inline constexpr bool kOwnsChunk = !std::is_same_v<T, mdx::Layer> && !std::is_same_v<T, mdx::Extent>;

template <class T>
void TextReader::prepare(T& object) {
  if constexpr (requires { object.node.flags; }) {
    object.node.flags = kNodeKind<T>.type;
  }
  if constexpr (std::is_same_v<T, mdx::Layer>) {
    object.has_fresnel = version_ >= 1000;
  }
}

template <class T>
void TextReader::read_object(const Keyword& /*name*/, T& object, const Header& header) {
  prepare(object);
  if constexpr (kHasBlockName<T>) {
    assign(*block_name(object), header.name);
  }
  if (header.opened) {
    members([&] {
      properties(*this, object);
      read_whole();
    });
  }
  finish(object);
}

template <class T>
void TextReader::read_item(const Keyword& name, std::vector<T>& items, FourCC tag) {
  scopes_.push_back({name.text, items.size()});
  const char* const start = property_;
  const Header header = open(name);
  if (charge(sizeof(T))) {
    whole_.reset();
    read_object(name, items.emplace_back(), header);
    if constexpr (kOwnsChunk<T>) {
      if (whole_) {
        property_ = start;
        restore(tag, items.back());
      }
    }
  }
  scopes_.pop_back();
}

template <class T>
void TextReader::restore(FourCC tag, T& object) {
  const EmbeddedObject whole = std::move(*whole_);
  whole_.reset();
  if (fnv1a(object_bytes(tag, object, version_)) != whole.checksum) {
    report(codes::kMdlStale, property_,
           "the object's text was edited; the original bytes embedded in its comment are discarded");
    return;
  }
  auto chunk = read_chunk(tag, whole.bytes, {}, version_);
  auto* list = chunk ? std::get_if<mdx::List<T>>(&chunk->body) : nullptr;
  if (list == nullptr || list->items.size() != 1) {
    report(codes::kMdlValue, property_,
           "the bytes embedded in the object's comment contain no such object; its text is used");
    return;
  }
  object = std::move(list->items.front());
}

template <class Body>
Body& TextReader::chunk(FourCC tag) {
  if (auto* found = document_.find<Body>()) {
    return *found;
  }
  mdx::Chunk& added = document_.chunks.emplace_back();
  added.tag = tag;
  return added.body.emplace<Body>();
}

// --- blocks of the file
// -------------------------------------------------------------------------------------------

template <class Body>
void TextReader::single(const Keyword& name, FourCC tag) {
  on(name, [&] {
    scopes_.push_back({name.text, {}});
    const Header header = open(name);
    Body body;
    read_object(name, body, header);
    chunk<Body>(tag) = std::move(body);
    scopes_.pop_back();
  });
}

template <class Body>
void TextReader::group(const Keyword& name, const Keyword& item, FourCC tag) {
  again(name, [&] {
    const char* const start = property_;
    scopes_.push_back({name.text, {}});
    const Header header = open(name);
    auto& items = chunk<Body>(tag).items;
    const std::size_t before = items.size();
    if (header.opened) {
      members([&] { again(item, [&] { read_item(item, items, tag); }); });
    }
    if (header.count && *header.count != items.size() - before && !error_) {
      report(codes::kMdlCount, start,
             "the block states " + thaw::counted(*header.count, "object") + ", but contains " +
                 std::to_string(items.size() - before));
    }
    scopes_.pop_back();
  });
}

}  // namespace thaw::mdl
