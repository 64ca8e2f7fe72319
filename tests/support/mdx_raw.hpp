// The smallest objects of MDX as bytes.
#pragma once

#include "support/raw_bytes.hpp"

namespace thaw::test {

inline RawBytes mdx_file(std::uint32_t version) {
  RawBytes file;
  file.tag("MDLX").chunk("VERS", RawBytes().u32(version));
  return file;
}

/// A node whose tracks are `tracks`.
inline RawBytes mdx_node(std::string_view name, std::int32_t object_id, const RawBytes& tracks = {}) {
  RawBytes content;
  content.text(name, 80).i32(object_id).i32(-1).u32(0).append(tracks);
  return RawBytes().sized(content);
}

/// A track header; keys follow.
inline RawBytes mdx_track(std::string_view tag, std::uint32_t count, std::uint32_t interpolation) {
  RawBytes track;
  track.tag(tag).u32(count).u32(interpolation).i32(-1);
  return track;
}

/// A version-800 geoset with `vertices` vertices, no faces, and one UV set.
inline RawBytes mdx_geoset(std::uint32_t vertices) {
  RawBytes content;
  content.tag("VRTX").u32(vertices).zeros(vertices * 12).tag("NRMS").u32(vertices).zeros(vertices * 12);
  for (const auto* tag : {"PTYP", "PCNT", "PVTX", "GNDX", "MTGC", "MATS"}) {
    content.tag(tag).u32(0);
  }
  content.zeros(12 + 28 + 4).tag("UVAS").u32(1).tag("UVBS").u32(vertices).zeros(vertices * 8);
  return RawBytes().sized(content);
}

}  // namespace thaw::test
