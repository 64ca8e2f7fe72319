// Block compression against values worked out by hand from the definitions of BC1 to BC5 and BC7.

#include "image/blocks.hpp"

#include <thaw/image.hpp>

#include <gtest/gtest.h>

#include "image/texture_files.hpp"

namespace thaw {
namespace {

using namespace test;

Image decode(BlockFormat format, const RawBytes& blocks, std::uint32_t width = 4, std::uint32_t height = 4) {
  Image image{width, height, Bytes(std::size_t{width} * height * 4, std::uint8_t{0xCD})};
  EXPECT_EQ(blocks.size(), block_data_size(block_bytes(format), width, height));
  decode_blocks(format, blocks.bytes().data(), width, height, image.rgba.data());
  return image;
}

TEST(Blocks, Bc1ExpandsByRepeatingHighBits) {
  // 5 bits 16 → 132, 6 bits 33 → 134, 5 bits 1 → 8.
  RawBytes block;
  block.u16(16U << 11U | 33U << 5U | 1U).u16(0).zeros(4);
  EXPECT_EQ(pixel(decode(BlockFormat::bc1, block), 0, 0), (Pixel{132, 134, 8, 255}));
}

TEST(Blocks, Bc1FourColors) {
  RawBytes block;
  block.u16(0xFFFF).u16(0x0000).u8(0xE4).u8(0x1B).u8(0x00).u8(0xFF);
  const Image image = decode(BlockFormat::bc1, block);
  const std::array<unsigned, 4> levels = {255, 0, 170, 85};
  for (std::size_t x = 0; x < 4; ++x) {
    EXPECT_EQ(pixel(image, x, 0)[0], levels[x]);
    EXPECT_EQ(pixel(image, x, 1)[0], levels[3 - x]);
    EXPECT_EQ(pixel(image, x, 2)[0], 255U);
    EXPECT_EQ(pixel(image, x, 3), (Pixel{85, 85, 85, 255}));
  }
}

TEST(Blocks, Bc1ThreeColorsWhereTheOrderIsReversedOrEqual) {
  RawBytes block;
  block.u16(0x0000).u16(0xFFFF).zeros(0).u32(0xE4E4E4E4);
  const Image image = decode(BlockFormat::bc1, block);
  EXPECT_EQ(pixel(image, 2, 0), (Pixel{127, 127, 127, 255}));
  EXPECT_EQ(pixel(image, 3, 0), (Pixel{0, 0, 0, 0}));
  RawBytes equal;
  equal.u16(0xFFFF).u16(0xFFFF).u32(0xFFFFFFFF);
  EXPECT_EQ(pixel(decode(BlockFormat::bc1, equal), 0, 0), (Pixel{0, 0, 0, 0}));
}

TEST(Blocks, Bc2AndBc3AlwaysHaveFourColors) {
  for (const BlockFormat format : {BlockFormat::bc2, BlockFormat::bc3}) {
    RawBytes block;
    block.zeros(8).u16(0x0000).u16(0xFFFF).u32(0xFFFFFFFF);
    EXPECT_EQ(pixel(decode(format, block), 0, 0), (Pixel{170, 170, 170, 0}));
  }
}

TEST(Blocks, Bc2AlphaNibblesRunFromLowToHigh) {
  RawBytes block = raw({0x10, 0x32, 0x54, 0x76, 0x98, 0xBA, 0xDC, 0xFE});
  const Image image = decode(BlockFormat::bc2, block.zeros(8));
  for (std::size_t i = 0; i < 16; ++i) {
    EXPECT_EQ(image.rgba[i * 4 + 3], i * 17);
  }
}

/// Selectors 0 to 7, twice.
RawBytes all_selectors() { return raw({0x88, 0xC6, 0xFA, 0x88, 0xC6, 0xFA}); }

TEST(Blocks, Bc3AlphaOfEightValues) {
  RawBytes block = raw({210, 0});
  const Image image = decode(BlockFormat::bc3, block.append(all_selectors()).zeros(8));
  const std::array<unsigned, 8> requested = {210, 0, 180, 150, 120, 90, 60, 30};
  for (std::size_t i = 0; i < 16; ++i) {
    EXPECT_EQ(image.rgba[i * 4 + 3], requested[i % 8]);
  }
}

TEST(Blocks, Bc3AlphaOfSixValues) {
  RawBytes block = raw({10, 110});
  const Image image = decode(BlockFormat::bc3, block.append(all_selectors()).zeros(8));
  const std::array<unsigned, 8> requested = {10, 110, 30, 50, 70, 90, 0, 255};
  for (std::size_t i = 0; i < 16; ++i) {
    EXPECT_EQ(image.rgba[i * 4 + 3], requested[i % 8]);
  }
}

TEST(Blocks, Bc4IsGrey) {
  RawBytes block = raw({210, 0});
  const Image image = decode(BlockFormat::bc4_unsigned, block.append(all_selectors()));
  EXPECT_EQ(pixel(image, 2, 0), (Pixel{180, 180, 180, 255}));
}

TEST(Blocks, Bc4SignedSpansTheWholeRange) {
  // −127 and −128 are both −1, 127 is 1; 0 lies between 127 and 128.
  RawBytes block = raw({0x7F, 0x81});
  const Image image = decode(BlockFormat::bc4_signed, block.append(all_selectors()));
  EXPECT_EQ(pixel(image, 0, 0)[0], 255U);
  EXPECT_EQ(pixel(image, 1, 0)[0], 0U);
  EXPECT_EQ(pixel(image, 2, 0)[0], (254U * 6 / 7 * 255 + 127) / 254);
  RawBytes lowest = raw({0x80, 0x81});
  const Image equal = decode(BlockFormat::bc4_signed, lowest.append(all_selectors()));
  EXPECT_EQ(pixel(equal, 0, 0)[0], 0U);
  EXPECT_EQ(pixel(equal, 3, 1)[0], 255U) << "equal ends: six values, the last is the highest";
  RawBytes zero = raw({0, 0x80, 0, 0, 0, 0, 0, 0});
  EXPECT_EQ(pixel(decode(BlockFormat::bc4_signed, zero), 0, 0)[0], 128U);
}

TEST(Blocks, Bc5IsRedThenGreen) {
  RawBytes block = raw({10, 0, 0, 0, 0, 0, 0, 0, 20, 0, 0, 0, 0, 0, 0, 0});
  EXPECT_EQ(pixel(decode(BlockFormat::bc5_unsigned, block), 3, 3), (Pixel{10, 20, 0, 255}));
  RawBytes with_sign = raw({0x7F, 0, 0, 0, 0, 0, 0, 0, 0x81, 0, 0, 0, 0, 0, 0, 0});
  EXPECT_EQ(pixel(decode(BlockFormat::bc5_signed, with_sign), 3, 3), (Pixel{255, 0, 0, 255}));
}

/// Bits from the lowest on, as BC7 stores its fields.
class BitWriter {
 public:
  BitWriter& put(unsigned value, unsigned count) {
    for (unsigned i = 0; i < count; ++i, ++at_) {
      bytes_[at_ / 8] = static_cast<std::uint8_t>(bytes_[at_ / 8] | (value >> i & 1U) << (at_ % 8));
    }
    return *this;
  }
  [[nodiscard]] unsigned written() const { return at_; }
  [[nodiscard]] RawBytes block() const {
    RawBytes result;
    for (const std::uint8_t byte : bytes_) {
      result.u8(byte);
    }
    return result;
  }

 private:
  std::array<std::uint8_t, 16> bytes_{};
  unsigned at_ = 0;
};

TEST(Blocks, Bc7Mode6HasOneSubsetAndParityBits) {
  BitWriter bits;
  bits.put(1U << 6U, 7);
  for (const unsigned channel : {100U, 50U, 25U, 127U}) {  // R G B A of 7 bits, both ends
    bits.put(channel, 7).put(0, 7);
  }
  bits.put(1, 1).put(0, 1);
  bits.put(0, 3).put(15, 4).put(8, 4);  // pixel 0 lacks its high bit
  const Image image = decode(BlockFormat::bc7, bits.block());
  EXPECT_EQ(pixel(image, 0, 0), (Pixel{201, 101, 51, 255}));
  EXPECT_EQ(pixel(image, 1, 0), (Pixel{0, 0, 0, 0}));
  // Weight 34 of 64.
  EXPECT_EQ(pixel(image, 2, 0),
            (Pixel{(201 * 30 + 32) / 64, (101 * 30 + 32) / 64, (51 * 30 + 32) / 64, (255 * 30 + 32) / 64}));
}

TEST(Blocks, Bc7Mode5RotatesAlphaIntoAColor) {
  BitWriter bits;
  bits.put(1U << 5U, 6).put(1, 2);  // rotation 1: red and alpha change places
  bits.put(127, 7).put(127, 7);     // stored as red
  bits.put(64, 7).put(64, 7).put(0, 7).put(0, 7);
  bits.put(10, 8).put(10, 8);  // stored as alpha
  const Image image = decode(BlockFormat::bc7, bits.block());
  EXPECT_EQ(pixel(image, 0, 0), (Pixel{10, 129, 0, 255}));
}

TEST(Blocks, Bc7Mode4HasTwoIndexSets) {
  for (const unsigned exchanged : {0U, 1U}) {
    BitWriter bits;
    bits.put(1U << 4U, 5).put(0, 2).put(exchanged, 1);
    for (int channel = 0; channel < 3; ++channel) {
      bits.put(0, 5).put(31, 5);
    }
    bits.put(0, 6).put(63, 6);
    bits.put(0, 1).put(3, 2);  // pixel 1 has the last of four values in the first set
    for (int i = 2; i < 16; ++i) {
      bits.put(0, 2);
    }
    bits.put(0, 2).put(1, 3);  // and the second of eight in the other
    const Image image = decode(BlockFormat::bc7, bits.block());
    const unsigned second = (255 * 9 + 32) / 64;
    const unsigned color = exchanged == 0 ? 255 : second;
    const unsigned alpha = exchanged == 0 ? second : 255;
    EXPECT_EQ(pixel(image, 1, 0), (Pixel{color, color, color, alpha}));
    EXPECT_EQ(pixel(image, 0, 0), (Pixel{0, 0, 0, 0}));
  }
}

TEST(Blocks, Bc7Mode1SplitsThePixelsInTwo) {
  BitWriter bits;
  bits.put(1U << 1U, 2).put(13, 6);  // partition 13: upper half, lower half
  for (int channel = 0; channel < 3; ++channel) {
    bits.put(63, 6).put(63, 6).put(0, 6).put(0, 6);
  }
  bits.put(1, 1).put(0, 1);  // parity is shared by the ends of a subset
  const Image image = decode(BlockFormat::bc7, bits.block());
  EXPECT_EQ(pixel(image, 3, 1), (Pixel{255, 255, 255, 255}));
  EXPECT_EQ(pixel(image, 0, 2), (Pixel{0, 0, 0, 255}));
}

TEST(Blocks, Bc7Mode2SplitsThePixelsInThree) {
  BitWriter bits;
  bits.put(1U << 2U, 3).put(8, 6);  // partition 8: two rows, one row, one row
  for (int channel = 0; channel < 3; ++channel) {
    bits.put(31, 5).put(31, 5).put(0, 5).put(0, 5).put(16, 5).put(16, 5);
  }
  const Image image = decode(BlockFormat::bc7, bits.block());
  EXPECT_EQ(pixel(image, 1, 1)[0], 255U);
  EXPECT_EQ(pixel(image, 2, 2)[0], 0U);
  EXPECT_EQ(pixel(image, 3, 3)[0], 132U);
}

TEST(Blocks, Bc7BlockWithoutModeIsTransparentBlack) {
  RawBytes block = raw({0});
  for (int i = 0; i < 15; ++i) {
    block.u8(0xFF);
  }
  EXPECT_EQ(pixel(decode(BlockFormat::bc7, block), 2, 2), (Pixel{0, 0, 0, 0}));
}

TEST(Blocks, PicturesEndInsideBlocks) {
  // Each block has one colour; whatever the size, each pixel shows the block that it lies in.
  for (std::uint32_t height = 1; height <= 9; ++height) {
    for (std::uint32_t width = 1; width <= 37; ++width) {
      RawBytes blocks;
      const std::uint32_t columns = (width + 3) / 4;
      const std::uint32_t rows = (height + 3) / 4;
      for (std::uint32_t i = 0; i < columns * rows; ++i) {
        blocks.u16(static_cast<std::uint16_t>(i + 1)).u16(0).u32(0);
      }
      const Image image = decode(BlockFormat::bc1, blocks, width, height);
      for (std::uint32_t y = 0; y < height; ++y) {
        for (std::uint32_t x = 0; x < width; ++x) {
          const unsigned blue = (y / 4 * columns + x / 4 + 1) & 31U;
          ASSERT_EQ(pixel(image, x, y)[2], blue << 3U | blue >> 2U) << width << "×" << height;
        }
      }
    }
  }
}

}  // namespace
}  // namespace thaw
