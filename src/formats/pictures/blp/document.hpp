// The layout of BLP1 and BLP2, once. See blp.md#structure and blp.md#blp2.
#pragma once

#include <thaw/blp.hpp>

#include "describe/description.hpp"
#include "describe/links.hpp"

namespace thaw::blp {

struct Context {
  std::uint64_t file_size = 0;
};

inline constexpr std::size_t kPaletteEntries = 256;

constexpr FourCC magic(Variant variant) { return variant == Variant::blp1 ? FourCC{"BLP1"} : FourCC{"BLP2"}; }

/// Palette entries in front of the first level; some writers store fewer than 256 (blp.md#pitfalls).
std::size_t palette_entries(const Document& document, std::uint64_t palette_offset, std::size_t bytes_left);

/// A run of bytes that levels claim.
struct Extent {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};
/// The levels' places, cut at the end of the file and joined where they overlap, in the file's order.
std::vector<Extent> level_extents(const Document& document, std::uint64_t file_size);

/// A block is called after the first level that begins with it.
const char* block_name(const Document& document, std::uint64_t offset);

template <class V>
void describe_header(V& v, As<V, Document>& document) {
  v.tag(magic(document.variant));
  v.field("compression", document.compression);
  if (document.variant == Variant::blp1) {
    v.field("alphaBits", document.alpha_bits);
  } else {
    v.field("encoding", document.encoding);
    v.field("alphaDepth", document.alpha_depth);
    v.field("alphaType", document.alpha_type);
    v.field("hasMips", document.has_mips);
  }
  v.field("width", document.width);
  v.field("height", document.height);
  if (document.variant == Variant::blp1) {
    v.field("extra", document.extra);
    v.field("hasMipmaps", document.has_mipmaps);
  }
  v.field("offsets", document.offsets);
  v.field("sizes", document.sizes);
}

template <class V>
void describe_tables(V& v, As<V, Document>& document) {
  if (document.content() == Content::jpeg) {
    v.field("jpegHeaderSize", document.jpeg_header_size);
    const std::size_t size = v.choose(document.jpeg_header.size(), [&](ByteView rest) -> std::size_t {
      return std::min<std::size_t>(document.jpeg_header_size, rest.size());
    });
    counts(v, document.jpeg_header_size, document.jpeg_header);
    v.bulk("jpegHeader", document.jpeg_header, size);
  } else {
    const std::size_t entries = v.choose(document.palette.size(), [&](ByteView rest) {
      return palette_entries(document, v.here(), rest.size());
    });
    v.bulk("palette", document.palette, entries);
  }
}

template <class V>
void describe(V& v, As<V, Document>& document) {
  describe_header(v, document);
  describe_tables(v, document);
  if constexpr (V::kReads) {
    if (v.failed()) {
      return;
    }
  }
  if constexpr (V::kReads) {
    for (const Extent& extent : level_extents(document, v.context().file_size)) {
      Block& block = document.blocks.emplace_back();
      block.offset = extent.begin;
      const auto size = static_cast<std::size_t>(extent.end - extent.begin);
      v.block(block_name(document, block.offset), block.offset, size,
              [&] { v.bulk("data", block.data, size); });
    }
  } else {
    for (std::size_t level = 0; level < Document::kLevels; ++level) {
      if (document.sizes[level] != 0) {
        points(v, document.offsets[level], document.offsets[level]);
        spans(v, document.sizes[level], document.offsets[level]);
      }
    }
    for (const Block& block : document.blocks) {
      v.block(block_name(document, block.offset), block.offset, block.data.size(),
              [&] { v.bulk("data", block.data, block.data.size()); });
    }
  }
  v.gaps("gaps", document.gaps);
}

}  // namespace thaw::blp
