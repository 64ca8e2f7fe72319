// The layout of TGA, once. See tga.md#structure.
#pragma once

#include <thaw/tga.hpp>

#include "describe/description.hpp"
#include "describe/links.hpp"

namespace thaw::tga {

struct Context {
  ByteView file;
};

inline constexpr std::size_t kHeaderSize = 18;

constexpr std::size_t bytes_of_bits(unsigned bits) { return (bits + 7U) / 8U; }

/// Bytes that the pixels take in `rest`, at most all of it.
std::size_t stored_pixel_size(const Document& document, ByteView rest);

/// Pixels that the stored bytes give; 0 if the header's depths make no sense.
std::uint64_t stored_pixels(const Document& document);

/// Finds out whether there is a footer, and an extension that lies inside the file.
void find_appendix(Document& document, ByteView file);

template <class V>
void describe(V& v, As<V, Extension>& extension) {
  v.field("size", extension.size);
  v.text("author", extension.author);
  v.text("comments", extension.comments);
  v.field("date", extension.date);
  v.text("job", extension.job);
  v.field("jobTime", extension.job_time);
  v.text("software", extension.software);
  v.field("softwareVersion", extension.software_version);
  v.field("softwareLetter", extension.software_letter);
  v.field("keyColor", extension.key_color);
  v.field("pixelAspect", extension.pixel_aspect);
  v.field("gamma", extension.gamma);
  v.field("colorCorrectionOffset", extension.color_correction_offset);
  v.field("postageStampOffset", extension.postage_stamp_offset);
  v.field("scanLineOffset", extension.scan_line_offset);
  v.field("attributes", extension.attributes);
}

template <class V>
void describe(V& v, As<V, Footer>& footer) {
  v.field("extensionOffset", footer.extension_offset);
  v.field("developerOffset", footer.developer_offset);
  v.text("signature", footer.signature);
}

template <class V>
void describe(V& v, As<V, Document>& document) {
  auto id_length = static_cast<std::uint8_t>(document.id.size());
  v.field("idLength", id_length);
  v.field("colorMapType", document.color_map_type);
  v.field("imageType", document.image_type);
  v.field("colorMapFirst", document.color_map_first);
  v.field("colorMapLength", document.color_map_length);
  v.field("colorMapDepth", document.color_map_depth);
  v.field("xOrigin", document.x_origin);
  v.field("yOrigin", document.y_origin);
  v.field("width", document.width);
  v.field("height", document.height);
  v.field("depth", document.depth);
  v.field("descriptor", document.descriptor);
  v.bulk("id", document.id, id_length);
  const std::size_t entries = document.color_map_type == 1 ? document.color_map_length : 0;
  v.bulk("colorMap", document.color_map, entries * bytes_of_bits(document.color_map_depth));
  const std::size_t size =
      v.choose(document.pixels.size(), [&](ByteView rest) { return stored_pixel_size(document, rest); });
  v.bulk("pixels", document.pixels, size);
  if constexpr (V::kReads) {
    find_appendix(document, v.context().file);
  }
  if (document.extension) {
    v.block("extension", document.extension_offset, Extension::kSize,
            [&] { describe(v, *document.extension); });
  }
  if (document.footer) {
    points(v, document.footer->extension_offset, document.footer->extension_offset);
    v.block("footer", document.footer_offset, Footer::kSize, [&] { describe(v, *document.footer); });
  }
  v.gaps("gaps", document.gaps);
}

}  // namespace thaw::tga
