#include "formats/pictures/dds/pixel_format.hpp"

#include "formats/pictures/dds/document.hpp"

#include <algorithm>

namespace thaw::dds {
namespace {

constexpr Storage blocks(std::string_view name, BlockFormat format, unsigned alpha_bits,
                         bool premultiplied = false) {
  Storage storage;
  storage.layout = Layout::blocks;
  storage.name = name;
  storage.blocks = format;
  storage.alpha_bits = alpha_bits;
  storage.premultiplied = premultiplied;
  return storage;
}

/// Normals of Doom 3's time: the best of BC3's channels has the red.
constexpr Storage swapped_blocks() {
  Storage storage = blocks("bc3-rxgb", BlockFormat::bc3, 0);
  storage.red_in_alpha = true;
  return storage;
}

constexpr Storage high_range_blocks() {
  Storage storage;
  storage.layout = Layout::blocks_hdr;
  storage.name = "bc6h";
  storage.blocks = BlockFormat::bc7;  // of the same size
  return storage;
}

constexpr Storage masks(std::string_view name, unsigned bits, std::uint32_t red, std::uint32_t green,
                        std::uint32_t blue, std::uint32_t alpha, Layout layout = Layout::masks) {
  Storage storage;
  storage.layout = layout;
  storage.name = name;
  storage.bits = bits;
  storage.red = red;
  storage.green = green;
  storage.blue = blue;
  storage.alpha = alpha;
  storage.alpha_bits = static_cast<unsigned>(std::popcount(alpha));
  return storage;
}

struct FourCCEntry {
  FourCC tag;
  Storage storage;
};
constexpr std::array kFourCCs = {
    FourCCEntry{FourCC{"DXT1"}, blocks("bc1", BlockFormat::bc1, 1)},
    FourCCEntry{FourCC{"DXT2"}, blocks("bc2", BlockFormat::bc2, 4, true)},
    FourCCEntry{FourCC{"DXT3"}, blocks("bc2", BlockFormat::bc2, 4)},
    FourCCEntry{FourCC{"DXT4"}, blocks("bc3", BlockFormat::bc3, 8, true)},
    FourCCEntry{FourCC{"DXT5"}, blocks("bc3", BlockFormat::bc3, 8)},
    FourCCEntry{FourCC{"RXGB"}, swapped_blocks()},
    FourCCEntry{FourCC{"ATI1"}, blocks("bc4", BlockFormat::bc4_unsigned, 0)},
    FourCCEntry{FourCC{"BC4U"}, blocks("bc4", BlockFormat::bc4_unsigned, 0)},
    FourCCEntry{FourCC{"BC4S"}, blocks("bc4-signed", BlockFormat::bc4_signed, 0)},
    FourCCEntry{FourCC{"ATI2"}, blocks("bc5", BlockFormat::bc5_unsigned, 0)},
    FourCCEntry{FourCC{"BC5U"}, blocks("bc5", BlockFormat::bc5_unsigned, 0)},
    FourCCEntry{FourCC{"BC5S"}, blocks("bc5-signed", BlockFormat::bc5_signed, 0)},
};

/// DXGI numbers first..last, typeless and sRGB relatives included.
struct DxgiEntry {
  std::uint32_t first;
  std::uint32_t last;
  Storage storage;
};
constexpr std::array kDxgi = {
    DxgiEntry{23, 24, masks("rgb10a2", 32, 0x3FF, 0xFFC00, 0x3FF00000, 0xC0000000)},
    DxgiEntry{27, 29, masks("rgba8", 32, 0xFF, 0xFF00, 0xFF0000, 0xFF000000)},
    DxgiEntry{48, 49, masks("rg8", 16, 0xFF, 0xFF00, 0, 0)},
    DxgiEntry{60, 61, masks("r8", 8, 0xFF, 0, 0, 0)},
    DxgiEntry{65, 65, masks("a8", 8, 0, 0, 0, 0xFF)},
    DxgiEntry{70, 72, blocks("bc1", BlockFormat::bc1, 1)},
    DxgiEntry{73, 75, blocks("bc2", BlockFormat::bc2, 4)},
    DxgiEntry{76, 78, blocks("bc3", BlockFormat::bc3, 8)},
    DxgiEntry{79, 80, blocks("bc4", BlockFormat::bc4_unsigned, 0)},
    DxgiEntry{81, 81, blocks("bc4-signed", BlockFormat::bc4_signed, 0)},
    DxgiEntry{82, 83, blocks("bc5", BlockFormat::bc5_unsigned, 0)},
    DxgiEntry{84, 84, blocks("bc5-signed", BlockFormat::bc5_signed, 0)},
    DxgiEntry{85, 85, masks("rgb565", 16, 0xF800, 0x7E0, 0x1F, 0)},
    DxgiEntry{86, 86, masks("rgb5a1", 16, 0x7C00, 0x3E0, 0x1F, 0x8000)},
    DxgiEntry{87, 87, masks("bgra8", 32, 0xFF0000, 0xFF00, 0xFF, 0xFF000000)},
    DxgiEntry{88, 88, masks("bgrx8", 32, 0xFF0000, 0xFF00, 0xFF, 0)},
    DxgiEntry{90, 91, masks("bgra8", 32, 0xFF0000, 0xFF00, 0xFF, 0xFF000000)},
    DxgiEntry{92, 93, masks("bgrx8", 32, 0xFF0000, 0xFF00, 0xFF, 0)},
    DxgiEntry{94, 96, high_range_blocks()},
    DxgiEntry{97, 99, blocks("bc7", BlockFormat::bc7, 8)},
    DxgiEntry{115, 115, masks("rgba4", 16, 0xF00, 0xF0, 0xF, 0xF000)},
};

Storage from_dxgi(const Header10& header) {
  constexpr std::uint32_t kPremultiplied = 2;
  constexpr std::uint32_t kOpaque = 3;
  const auto* found = std::find_if(kDxgi.begin(), kDxgi.end(), [&](const DxgiEntry& entry) {
    return header.format >= entry.first && header.format <= entry.last;
  });
  if (found == kDxgi.end()) {
    return {};
  }
  Storage storage = found->storage;
  storage.premultiplied = (header.misc_flags2 & 7U) == kPremultiplied;
  if ((header.misc_flags2 & 7U) == kOpaque) {
    storage.alpha_bits = 0;
  }
  return storage;
}

Storage from_four_cc(FourCC tag) {
  const auto* found = std::find_if(kFourCCs.begin(), kFourCCs.end(),
                                   [&](const FourCCEntry& entry) { return entry.tag == tag; });
  return found == kFourCCs.end() ? Storage{} : found->storage;
}

Storage from_masks(const PixelFormat& format) {
  if (format.bits == 0 || format.bits > 32 || format.bits % 8 != 0) {
    return {};
  }
  const std::uint32_t alpha =
      (format.flags & (PixelFormat::kAlphaPixels | PixelFormat::kAlphaOnly)) != 0 ? format.alpha_mask : 0;
  if ((format.flags & PixelFormat::kRgb) != 0) {
    return masks(alpha != 0 ? "rgba" : "rgb", format.bits, format.red_mask, format.green_mask,
                 format.blue_mask, alpha);
  }
  if ((format.flags & PixelFormat::kLuminance) != 0) {
    return masks("luminance", format.bits, format.red_mask, 0, 0, alpha, Layout::luminance);
  }
  if ((format.flags & PixelFormat::kAlphaOnly) != 0) {
    return masks("alpha", format.bits, 0, 0, 0, alpha);
  }
  return {};
}

}  // namespace

std::uint64_t Storage::slice_size(std::uint32_t width, std::uint32_t height) const {
  switch (layout) {
    case Layout::blocks:
    case Layout::blocks_hdr:
      return block_data_size(block_bytes(blocks), width, height);
    case Layout::masks:
    case Layout::luminance:
      return std::uint64_t{width} * height * (bits / 8);
    case Layout::unknown:
      break;
  }
  return 0;
}

Storage storage_of(const Document& document) {
  if (document.header10) {
    return from_dxgi(*document.header10);
  }
  const PixelFormat& format = document.pixel_format;
  return (format.flags & PixelFormat::kFourCC) != 0 ? from_four_cc(format.four_cc) : from_masks(format);
}

}  // namespace thaw::dds
