// Texture files put together by hand.
#pragma once

#include <thaw/blp.hpp>
#include <thaw/dds.hpp>

#include "support/findings.hpp"
#include "support/raw_bytes.hpp"

#include <array>
#include <vector>

namespace thaw::test {

/// Where a level lies and what it says of itself.
struct LevelPlace {
  std::uint32_t offset = 0;
  std::uint32_t size = 0;
};

inline void put_level_tables(RawBytes& file, const std::vector<LevelPlace>& levels) {
  for (std::size_t i = 0; i < blp::Document::kLevels; ++i) {
    file.u32(i < levels.size() ? levels[i].offset : 0);
  }
  for (std::size_t i = 0; i < blp::Document::kLevels; ++i) {
    file.u32(i < levels.size() ? levels[i].size : 0);
  }
}

inline constexpr std::uint32_t kBlp1Tables = 156;
inline constexpr std::uint32_t kBlp2Tables = 148;
inline constexpr std::uint32_t kPaletteSize = 1024;

/// Header and tables; what follows begins at kBlp1Tables.
inline RawBytes blp1_header(std::uint32_t content, std::uint32_t alpha_bits, std::uint32_t width,
                            std::uint32_t height, const std::vector<LevelPlace>& levels) {
  RawBytes file;
  file.tag("BLP1").u32(content).u32(alpha_bits).u32(width).u32(height).u32(4).u32(levels.size() > 1 ? 1 : 0);
  put_level_tables(file, levels);
  return file;
}

/// Header and tables; what follows begins at kBlp2Tables.
inline RawBytes blp2_header(std::uint8_t encoding, std::uint8_t alpha_depth, std::uint8_t alpha_type,
                            std::uint32_t width, std::uint32_t height,
                            const std::vector<LevelPlace>& levels) {
  RawBytes file;
  file.tag("BLP2").u32(1).u8(encoding).u8(alpha_depth).u8(alpha_type).u8(levels.size() > 1 ? 1 : 0);
  file.u32(width).u32(height);
  put_level_tables(file, levels);
  return file;
}

/// Entry i is B = i, G = 2i, R = 3i (modulo 256), x = 99.
inline RawBytes palette() {
  RawBytes bytes;
  for (unsigned i = 0; i < 256; ++i) {
    bytes.u8(static_cast<std::uint8_t>(i)).u8(static_cast<std::uint8_t>(2 * i));
    bytes.u8(static_cast<std::uint8_t>(3 * i)).u8(99);
  }
  return bytes;
}

/// A paletted BLP1 of one level: indices and alpha as given.
inline Bytes paletted_blp1(std::uint32_t alpha_bits, std::uint32_t width, std::uint32_t height,
                           const RawBytes& pixels) {
  const std::uint32_t data = kBlp1Tables + kPaletteSize;
  RawBytes file =
      blp1_header(1, alpha_bits, width, height, {{data, static_cast<std::uint32_t>(pixels.size())}});
  return file.append(palette()).append(pixels).bytes();
}

inline RawBytes raw(const Bytes& bytes) {
  RawBytes result;
  for (const std::uint8_t byte : bytes) {
    result.u8(byte);
  }
  return result;
}
inline RawBytes raw(std::initializer_list<unsigned> bytes) {
  RawBytes result;
  for (const unsigned byte : bytes) {
    result.u8(static_cast<std::uint8_t>(byte));
  }
  return result;
}

/// A BLP1 of one JPEG level, cut into shared header and level at `split`.
inline Bytes jpeg_blp1(const Bytes& stream, std::size_t split, std::uint32_t alpha_bits, std::uint32_t side,
                       std::size_t gap = 0) {
  const auto header_size = static_cast<std::uint32_t>(split);
  const auto offset = static_cast<std::uint32_t>(kBlp1Tables + 4 + split + gap);
  RawBytes file =
      blp1_header(0, alpha_bits, side, side, {{offset, static_cast<std::uint32_t>(stream.size() - split)}});
  file.u32(header_size);
  const RawBytes bytes = raw(stream);
  for (std::size_t i = 0; i < split; ++i) {
    file.u8(stream[i]);
  }
  for (std::size_t i = 0; i < gap; ++i) {
    file.u8(0xEE);
  }
  for (std::size_t i = split; i < stream.size(); ++i) {
    file.u8(stream[i]);
  }
  return file.bytes();
}

struct DdsHeader {
  std::uint32_t width = 4;
  std::uint32_t height = 4;
  std::uint32_t depth = 0;
  std::uint32_t mip_count = 0;
  dds::PixelFormat format;
  std::uint32_t caps2 = 0;
};

inline RawBytes dds_header(const DdsHeader& header) {
  RawBytes file;
  file.tag("DDS ").u32(124).u32(0x1007).u32(header.height).u32(header.width).u32(0);
  file.u32(header.depth).u32(header.mip_count).zeros(44);
  const dds::PixelFormat& format = header.format;
  file.u32(32).u32(format.flags).text(format.four_cc.view(), 4).u32(format.bits);
  file.u32(format.red_mask).u32(format.green_mask).u32(format.blue_mask).u32(format.alpha_mask);
  return file.u32(0x1000).u32(header.caps2).zeros(12);
}

inline dds::PixelFormat four_cc(FourCC tag) {
  dds::PixelFormat format;
  format.flags = dds::PixelFormat::kFourCC;
  format.four_cc = tag;
  return format;
}

inline Bytes dds_file(const DdsHeader& header, const RawBytes& data) {
  return dds_header(header).append(data).bytes();
}

/// A DDS with a DX10 header, 4×4 pixels unless said otherwise.
inline Bytes dx10_file(std::uint32_t format, const RawBytes& data, DdsHeader header = {},
                       std::uint32_t dimension = 3, std::uint32_t misc = 0, std::uint32_t array_size = 1,
                       std::uint32_t misc2 = 0) {
  header.format = four_cc(FourCC{"DX10"});
  RawBytes file = dds_header(header);
  return file.u32(format).u32(dimension).u32(misc).u32(array_size).u32(misc2).append(data).bytes();
}

using Pixel = std::array<unsigned, 4>;

inline Pixel pixel(const Image& image, std::size_t x, std::size_t y) {
  const std::uint8_t* at = image.rgba.data() + (y * image.width + x) * 4;
  return {at[0], at[1], at[2], at[3]};
}

/// True if a finding with this code is among those.
}  // namespace thaw::test
