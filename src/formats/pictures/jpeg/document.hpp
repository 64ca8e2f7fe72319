// The layout of JPEG, once. Numbers are big-endian in this format, so they are described as bytes.
#pragma once

#include <thaw/image.hpp>

#include "describe/description.hpp"

#include <array>

namespace thaw::jpeg {

struct Context {};

inline constexpr std::uint8_t kStart = 0xD8;
inline constexpr std::uint8_t kEnd = 0xD9;
inline constexpr std::uint8_t kScan = 0xDA;

/// TEM, RST0 to RST7, SOI and EOI stand alone.
constexpr bool has_length(std::uint8_t marker) {
  return marker != 0x01 && !(marker >= 0xD0 && marker <= kEnd);
}

/// True if a whole segment comes next, its coded pixels aside.
inline bool segment_follows(ByteView rest) {
  constexpr std::size_t kHead = 4;
  if (rest.size() < Segment::kMinSize || rest[0] != 0xFF || rest[1] == 0x00 || rest[1] == 0xFF) {
    return false;
  }
  if (!has_length(rest[1])) {
    return true;
  }
  const std::size_t length = rest.size() < kHead ? 0 : rest[2] * std::size_t{256} + rest[3];
  return length >= 2 && length + 2 <= rest.size();
}

/// Coded pixels end at a marker; 0xFF 0x00 is a byte of them, and restart markers stand among them.
inline std::size_t scan_size(ByteView rest) {
  for (std::size_t i = 0; i + 1 < rest.size(); ++i) {
    const std::uint8_t next = rest[i + 1];
    if (rest[i] == 0xFF && next != 0x00 && next != 0xFF && !(next >= 0xD0 && next <= 0xD7)) {
      return i;
    }
  }
  return rest.size();
}

template <class V>
void describe(V& v, As<V, Segment>& segment) {
  std::uint8_t prefix = 0xFF;
  v.field("prefix", prefix);
  v.field("marker", segment.marker);
  if (has_length(segment.marker)) {
    const std::size_t stated = segment.data.size() + 2;
    std::array<std::uint8_t, 2> length = {static_cast<std::uint8_t>(stated >> 8U),
                                          static_cast<std::uint8_t>(stated)};
    v.field("length", length);
    v.bulk("data", segment.data, length[0] * std::size_t{256} + length[1] - 2);
  }
  if (segment.marker == kScan) {
    v.bulk("scan", segment.scan, v.choose(segment.scan.size(), scan_size));
  }
}

template <class V>
void describe(V& v, As<V, Document>& document) {
  if constexpr (V::kReads) {
    while (segment_follows(v.rest())) {
      Segment& segment = document.segments.emplace_back();
      describe(v, segment);
      if (segment.marker == kEnd) {
        break;
      }
    }
  } else {
    v.objects("segments", document.segments);
  }
  v.gaps("gaps", document.gaps);
}

}  // namespace thaw::jpeg
