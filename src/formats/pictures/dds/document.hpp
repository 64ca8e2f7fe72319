// The layout of DDS, once. See dds.md#structure.
#pragma once

#include <thaw/dds.hpp>

#include "describe/description.hpp"

namespace thaw::dds {

struct Context {};

inline constexpr FourCC kMagic{"DDS "};
inline constexpr FourCC kDx10{"DX10"};

template <class V>
void describe(V& v, As<V, PixelFormat>& format) {
  v.field("size", format.size);
  v.field("flags", format.flags);
  v.field("fourCC", format.four_cc.bytes);
  v.field("bits", format.bits);
  v.field("redMask", format.red_mask);
  v.field("greenMask", format.green_mask);
  v.field("blueMask", format.blue_mask);
  v.field("alphaMask", format.alpha_mask);
}

template <class V>
void describe(V& v, As<V, Header10>& header) {
  v.field("format", header.format);
  v.field("dimension", header.dimension);
  v.field("miscFlags", header.misc_flags);
  v.field("arraySize", header.array_size);
  v.field("miscFlags2", header.misc_flags2);
}

/// Bytes of all surfaces after the header: 0 if the pixel format is not known, the largest number there is if
/// the sum exceeds it.
std::uint64_t stated_data_size(const Document& document);

template <class V>
void describe(V& v, As<V, Document>& document) {
  v.tag(kMagic);
  v.field("size", document.size);
  v.field("flags", document.flags);
  v.field("height", document.height);
  v.field("width", document.width);
  v.field("pitch", document.pitch);
  v.field("depth", document.depth);
  v.field("mipCount", document.mip_count);
  v.field("reserved", document.reserved);
  v.object("pixelFormat", document.pixel_format);
  v.field("caps", document.caps);
  v.field("caps2", document.caps2);
  v.field("caps3", document.caps3);
  v.field("caps4", document.caps4);
  v.field("reserved2", document.reserved2);
  if constexpr (V::kReads) {
    const bool extended =
        (document.pixel_format.flags & PixelFormat::kFourCC) != 0 && document.pixel_format.four_cc == kDx10;
    if (extended) {
      document.header10.emplace();
    }
  }
  if (document.header10) {
    v.object("header10", *document.header10);
  }
  const std::size_t size = v.choose(document.data.size(), [&](ByteView rest) {
    return static_cast<std::size_t>(std::min<std::uint64_t>(stated_data_size(document), rest.size()));
  });
  v.bulk("data", document.data, size);
  v.gaps("gaps", document.gaps);
}

}  // namespace thaw::dds
