// Chunks of a fixed order: tag, size, content. World of Warcraft writes their tags backwards.
#pragma once

#include <thaw/codes.hpp>
#include <thaw/inspect.hpp>

#include "bytes/text.hpp"
#include "describe/description.hpp"

#include <string>

namespace thaw {

/// How a tag stands in the file: MVER as REVM.
constexpr FourCC backwards(FourCC tag) {
  std::swap(tag.bytes[0], tag.bytes[3]);
  std::swap(tag.bytes[1], tag.bytes[2]);
  return tag;
}

enum class Presence : std::uint8_t { required, optional };

/// The head and the content of a chunk that is there. `size` is of its content.
template <class V, class F>
void framed_content(V& v, FourCC tag, As<V, ChunkFrame>& frame, F&& body) {
  v.tag(backwards(tag));
  if constexpr (V::kReads) {
    std::uint32_t size = 0;
    v.field("size", size);
    if (v.failed()) {
      return;  // what holds the chunk keeps it
    }
    if (size > v.left()) {
      frame.stated_size = size;
      v.note(codes::kChunkOverrun, "",
             "chunk " + tag.text() + " states a size of " + std::to_string(size) + " bytes, but " +
                 std::to_string(v.left()) + " remain; read to the end");
    }
    v.payload(frame.remainder, FourCC{}, size, std::forward<F>(body));
  } else {
    const std::uint64_t size_at = v.here();
    v.size_word("size", frame.stated_size);
    const std::uint64_t start = v.here();
    v.payload(frame.remainder, FourCC{}, 0, std::forward<F>(body));
    if (!frame.stated_size) {
      v.patch(size_at, v.here() - start);
    }
  }
}

/// A chunk that stands here if its tag is next. Its members have paths that begin with `tag`.
template <class V, class F>
void framed(V& v, FourCC tag, As<V, ChunkFrame>& frame, Presence presence, F&& body) {
  const bool present = v.next_is(backwards(tag), frame.present);
  if constexpr (V::kReads) {
    frame.present = present;
    if (!present && presence == Presence::required && !v.failed()) {
      v.note(codes::kTagExpected, tag.text().c_str(), "the chunk " + tag.text() + " is missing here");
    }
  }
  if (present) {
    v.group(tag.text().c_str(), [&] { framed_content<V>(v, tag, frame, std::forward<F>(body)); });
  }
}
template <class V, class F>
void framed(V& v, FourCC tag, As<V, ChunkFrame>& frame, F&& body) {
  framed<V>(v, tag, frame, Presence::required, std::forward<F>(body));
}

/// After everything that was found in its place: a chunk that the end of the file cuts off?
template <class V>
void check_last_gap(V& v, const std::vector<Gap>& gaps) {
  constexpr std::size_t kHead = 8;
  if constexpr (V::kReads) {
    const bool at_end =
        !gaps.empty() && gaps.back().offset + gaps.back().bytes.size() == v.region_bytes().size();
    if (v.failed() || !at_end || !begins_like_tag(gaps.back().bytes)) {
      return;
    }
    const ByteView rest = gaps.back().bytes;
    if (rest.size() < kHead || load_plain<std::uint32_t>(rest.data() + 4) > rest.size() - kHead) {
      v.note(codes::kTruncated, "gaps", "the end of the file cuts off a chunk; its bytes are preserved");
    }
  }
}

template <class V>
void strings_to_end(V& v, const char* name, As<V, Array<char>>& texts) {
  std::size_t size = texts.size();
  if constexpr (V::kReads) {
    size = v.left();
  }
  v.strings(name, texts, size);
}

}  // namespace thaw
