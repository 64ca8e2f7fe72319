// BLP1 and BLP2: layouts, alpha planes and the quirks of files in the wild, on files made by hand.

#include <thaw/blp.hpp>

#include <gtest/gtest.h>

#include "image/jpeg_samples.hpp"
#include "image/texture_files.hpp"

namespace thaw {
namespace {

using namespace test;

/// Reads, checks that the bytes come back, and decodes a level.
struct Opened {
  explicit Opened(const Bytes& file, std::size_t level = 0) {
    auto document = blp::read(file, {}, diagnostics);
    EXPECT_TRUE(document) << document.error().message;
    if (document) {
      EXPECT_EQ(blp::write(*document), file);
      image = blp::decode(*document, level, {}, diagnostics);
      levels = blp::level_count(*document);
    }
  }

  Diagnostics diagnostics;
  Result<Image> image = fail(codes::kFormatUnknown, "not read");
  std::size_t levels = 0;
};

TEST(Blp1, PaletteIsBlueGreenRed) {
  const Opened file(paletted_blp1(0, 2, 1, raw({10, 200})));
  ASSERT_TRUE(file.image);
  EXPECT_EQ(pixel(*file.image, 0, 0), (Pixel{30, 20, 10, 255}));
  EXPECT_EQ(pixel(*file.image, 1, 0), (Pixel{600 % 256, 400 % 256, 200, 255}));
  EXPECT_TRUE(file.diagnostics.items().empty());
}

TEST(Blp1, OneBitAlphaBeginsWithTheLowestBit) {
  const Opened file(paletted_blp1(1, 5, 2, raw({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0b10000101, 0b00000010})));
  ASSERT_TRUE(file.image);
  std::vector<unsigned> alpha;
  for (std::size_t i = 0; i < 10; ++i) {
    alpha.push_back(file.image->rgba[i * 4 + 3]);
  }
  EXPECT_EQ(alpha, (std::vector<unsigned>{255, 0, 255, 0, 0, 0, 0, 255, 0, 255}));
}

TEST(Blp1, FourBitAlphaBeginsWithTheLowNibble) {
  const Opened file(paletted_blp1(4, 3, 1, raw({0, 0, 0, 0x4F, 0x08})));
  ASSERT_TRUE(file.image);
  EXPECT_EQ(pixel(*file.image, 0, 0)[3], 255U);
  EXPECT_EQ(pixel(*file.image, 1, 0)[3], 4U * 17);
  EXPECT_EQ(pixel(*file.image, 2, 0)[3], 8U * 17);
}

TEST(Blp1, EightBitAlphaIsAPlane) {
  const Opened file(paletted_blp1(8, 2, 1, raw({1, 2, 7, 0})));
  ASSERT_TRUE(file.image);
  EXPECT_EQ(pixel(*file.image, 0, 0), (Pixel{3, 2, 1, 7}));
  EXPECT_EQ(pixel(*file.image, 1, 0), (Pixel{6, 4, 2, 0}));
}

TEST(Blp1, AlphaPlaneThatIsCutOffLeavesTheColors) {
  const Opened file(paletted_blp1(8, 2, 1, raw({1, 2, 7})));
  ASSERT_TRUE(file.image);
  EXPECT_EQ(pixel(*file.image, 0, 0), (Pixel{3, 2, 1, 255}));
  EXPECT_TRUE(has(file.diagnostics, codes::kImageDamaged));
}

TEST(Blp1, UnusualAlphaBitsOfAPaletteMeanOpaque) {
  const Opened file(paletted_blp1(6, 1, 1, raw({1, 0})));
  ASSERT_TRUE(file.image);
  EXPECT_EQ(pixel(*file.image, 0, 0)[3], 255U);
  EXPECT_TRUE(has(file.diagnostics, codes::kImageAlphaBits));
}

TEST(Blp1, PixelsInsideThePalette) {
  const std::uint32_t data = kBlp1Tables + 2 * 4;
  RawBytes bytes = blp1_header(1, 0, 2, 2, {{data, 4}});
  bytes.u8(1).u8(2).u8(3).u8(0).u8(4).u8(5).u8(6).u8(0);
  const Opened file(bytes.append(raw({0, 1, 1, 77})).bytes());
  ASSERT_TRUE(file.image);
  EXPECT_EQ(pixel(*file.image, 0, 0), (Pixel{3, 2, 1, 255}));
  EXPECT_EQ(pixel(*file.image, 1, 0), (Pixel{6, 5, 4, 255}));
  EXPECT_EQ(pixel(*file.image, 1, 1), (Pixel{0, 0, 0, 255})) << "an entry that the file does not have";
  EXPECT_TRUE(has(file.diagnostics, codes::kImageOddity));
}

TEST(Blp1, LevelsMayShareTheirBytes) {
  const std::uint32_t data = kBlp1Tables + kPaletteSize;
  RawBytes bytes = blp1_header(1, 0, 4, 2, {{data, 8}, {data + 8, 2}, {data + 8, 2}, {data + 4, 6}});
  bytes.append(palette()).append(raw({0, 1, 2, 3, 4, 5, 6, 7, 50, 51, 9, 9}));
  const Bytes file = bytes.bytes();
  Diagnostics diagnostics;
  const auto document = blp::read(file, {}, diagnostics);
  ASSERT_TRUE(document);
  EXPECT_EQ(blp::write(*document), file);
  EXPECT_EQ(document->blocks.size(), 1U) << "overlapping levels are kept once";
  EXPECT_EQ(document->gaps.size(), 1U) << "the two bytes at the end";
  EXPECT_EQ(document->level_data(1).size(), 2U);
  EXPECT_EQ(document->level_data(1).data(), document->level_data(2).data());
  EXPECT_EQ(document->level_data(3)[0], 4U);
  EXPECT_EQ(blp::level_count(*document), 3U) << "the chain ends at 1 × 1";
  const auto smaller = blp::decode(*document, 1, {}, diagnostics);
  ASSERT_TRUE(smaller);
  EXPECT_EQ(smaller->width, 2U);
  EXPECT_EQ(smaller->height, 1U);
  EXPECT_EQ(pixel(*smaller, 1, 0)[2], 51U);
}

TEST(Blp1, LevelOutsideTheFileCostsOnlyItself) {
  const std::uint32_t data = kBlp1Tables + kPaletteSize;
  RawBytes bytes = blp1_header(1, 0, 2, 2, {{347978579, 4}, {data, 1}});
  const Bytes file = bytes.append(palette()).append(raw({5})).bytes();
  Diagnostics diagnostics;
  const auto document = blp::read(file, {}, diagnostics);
  ASSERT_TRUE(document);
  EXPECT_EQ(blp::write(*document), file);
  ASSERT_TRUE(has(diagnostics, codes::kOffsetInvalid));
  EXPECT_EQ(diagnostics.items()[0].offset, 28U);
  EXPECT_EQ(diagnostics.items()[0].path, "offsets[0]");
  EXPECT_FALSE(blp::decode(*document, 0, {}, diagnostics));
  EXPECT_TRUE(blp::decode(*document, 1, {}, diagnostics));
  EXPECT_FALSE(blp::decode(*document, 99, {}, diagnostics));
  ReadOptions strict;
  strict.strict = true;
  const auto refused = blp::read(file, strict, diagnostics);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, codes::kOffsetInvalid);
}

TEST(Blp1, SizeBeyondAllReasonIsNotDecoded) {
  const std::uint32_t data = kBlp1Tables + kPaletteSize;
  RawBytes bytes = blp1_header(1, 0, 2, 2, {{data, 67108864}});
  const Opened file(bytes.append(palette()).append(raw({1, 2, 3, 4})).bytes());
  ASSERT_FALSE(file.image);
  EXPECT_EQ(file.image.error().code, codes::kImageMalformed);
  EXPECT_TRUE(has(file.diagnostics, codes::kTruncated));
}

TEST(Blp1, JpegComponentsAreBlueGreenRedAlpha) {
  const Opened file(jpeg_blp1(flat_jpeg(), 100, 8, 8));
  ASSERT_TRUE(file.image) << file.image.error().message;
  EXPECT_EQ(pixel(*file.image, 0, 0), (Pixel{30, 20, 10, 40}));
  EXPECT_EQ(pixel(*file.image, 7, 7), (Pixel{30, 20, 10, 40}));
  EXPECT_TRUE(file.diagnostics.items().empty());
}

TEST(Blp1, JpegWithoutAlphaBitsIsOpaque) {
  const Opened file(jpeg_blp1(flat_jpeg(), 100, 0, 8));
  ASSERT_TRUE(file.image);
  EXPECT_EQ(pixel(*file.image, 3, 3), (Pixel{30, 20, 10, 255}));
}

TEST(Blp1, JpegHeaderMayBeAnyPrefixOfTheStream) {
  const Bytes stream = flat_jpeg();
  const Opened whole(jpeg_blp1(stream, 0, 8, 8));
  ASSERT_TRUE(whole.image);
  for (std::size_t split = 0; split < stream.size(); ++split) {
    const Opened file(jpeg_blp1(stream, split, 8, 8, split % 3 * 32));
    ASSERT_TRUE(file.image) << "split at " << split << ": " << file.image.error().message;
    EXPECT_EQ(*file.image, *whole.image) << "split at " << split;
  }
}

void expect_gradient(const Bytes& stream) {
  const Opened file(jpeg_blp1(stream, 64, 8, 16));
  ASSERT_TRUE(file.image) << file.image.error().message;
  for (unsigned y = 0; y < 16; ++y) {
    for (unsigned x = 0; x < 16; ++x) {
      const Pixel requested = {4 * x + 4 * y, 8 * y, 8 * x, 255 - 8 * x};
      for (std::size_t channel = 0; channel < 4; ++channel) {
        EXPECT_NEAR(pixel(*file.image, x, y)[channel], requested[channel], 3) << x << " " << y;
      }
    }
  }
}

TEST(Blp1, BaselineJpeg) { expect_gradient(gradient_jpeg()); }
TEST(Blp1, ProgressiveJpeg) { expect_gradient(progressive_jpeg()); }

TEST(Blp1, JpegWithoutEndMarker) {
  Bytes stream = flat_jpeg();
  stream.resize(stream.size() - 2);
  const Opened file(jpeg_blp1(stream, 20, 8, 8));
  ASSERT_TRUE(file.image);
  EXPECT_EQ(pixel(*file.image, 7, 7), (Pixel{30, 20, 10, 40}));
  EXPECT_TRUE(has(file.diagnostics, codes::kImageOddity));
  EXPECT_FALSE(has(file.diagnostics, codes::kImageDamaged));
}

TEST(Blp1, JpegThatBreaksOffGivesItsBeginning) {
  Bytes stream = gradient_jpeg();
  stream.resize(stream.size() - 60);
  const Opened file(jpeg_blp1(stream, 20, 8, 16));
  ASSERT_TRUE(file.image);
  EXPECT_NEAR(pixel(*file.image, 4, 0)[2], 32, 3);
  EXPECT_TRUE(has(file.diagnostics, codes::kImageDamaged));
}

TEST(Blp1, JpegThatIsNone) {
  const Opened file(jpeg_blp1(Bytes(40, 0x55), 10, 8, 8));
  ASSERT_FALSE(file.image);
  EXPECT_EQ(file.image.error().code, codes::kImageMalformed);
  EXPECT_FALSE(file.image.error().message.empty());
}

TEST(Blp1, JpegOfThreeComponents) {
  const Opened file(jpeg_blp1(rgb_jpeg(), 10, 8, 8));
  ASSERT_FALSE(file.image);
  EXPECT_EQ(file.image.error().code, codes::kImageUnsupported);
}

TEST(Blp1, JpegOfAnotherSizeThanStated) {
  const Opened file(jpeg_blp1(flat_jpeg(), 10, 8, 16));
  ASSERT_TRUE(file.image);
  EXPECT_EQ(file.image->width, 8U);
  EXPECT_TRUE(has(file.diagnostics, codes::kImageOddity));
}

/// Sets the size in the frame header of a stream with 4 components.
Bytes with_frame_size(Bytes stream, std::uint16_t side) {
  for (std::size_t i = 0; i + 9 < stream.size(); ++i) {
    if (stream[i] == 0xFF && (stream[i + 1] == 0xC0 || stream[i + 1] == 0xC2)) {
      for (const std::size_t at : {i + 5, i + 7}) {
        stream[at] = static_cast<std::uint8_t>(side >> 8U);
        stream[at + 1] = static_cast<std::uint8_t>(side);
      }
      break;
    }
  }
  return stream;
}

TEST(Blp1, JpegFarTooLargeForItsBytes) {
  const Opened file(jpeg_blp1(with_frame_size(progressive_jpeg(), 60000), 10, 8, 16));
  ASSERT_FALSE(file.image);
  EXPECT_EQ(file.image.error().code, codes::kImageMalformed);
}

TEST(Blp1, LimitOfPixels) {
  ReadOptions options;
  options.limits.max_image_pixels = 63;
  Diagnostics diagnostics;
  for (const Bytes& file : {jpeg_blp1(flat_jpeg(), 10, 8, 8), paletted_blp1(0, 8, 8, RawBytes().zeros(64))}) {
    const auto document = blp::read(file, options, diagnostics);
    ASSERT_TRUE(document);
    const auto image = blp::decode(*document, 0, options, diagnostics);
    ASSERT_FALSE(image);
    EXPECT_EQ(image.error().code, codes::kInputTooLarge);
  }
}

TEST(Blp1, JpegHeaderLargerThanTheFile) {
  RawBytes bytes = blp1_header(0, 8, 8, 8, {{4096, 100}});
  const Opened file(bytes.u32(0xFFFFFFF0).u32(1).bytes());
  EXPECT_FALSE(file.image);
  EXPECT_TRUE(has(file.diagnostics, codes::kTruncated));
}

// --- BLP2
// -----------------------------------------------------------------------------------------------------------

constexpr std::uint32_t kBlp2Data = kBlp2Tables + kPaletteSize;

Bytes blp2(std::uint8_t encoding, std::uint8_t alpha_depth, std::uint8_t alpha_type, std::uint32_t side,
           const RawBytes& data) {
  RawBytes file = blp2_header(encoding, alpha_depth, alpha_type, side, side,
                              {{kBlp2Data, static_cast<std::uint32_t>(data.size())}});
  return file.append(palette()).append(data).bytes();
}

/// A colour block whose selectors are 0 1 2 3 in each row: red to blue where `four`, else three colours.
RawBytes color_block(bool four) {
  RawBytes block;
  block.u16(four ? 0xF800 : 0x001F).u16(four ? 0x001F : 0xF800);
  return block.u8(0xE4).u8(0xE4).u8(0xE4).u8(0xE4);
}

TEST(Blp2, PaletteWithAlpha) {
  const Opened file(blp2(1, 4, 8, 2, raw({1, 2, 3, 4, 0x21, 0x43})));
  ASSERT_TRUE(file.image);
  EXPECT_EQ(pixel(*file.image, 1, 1), (Pixel{12, 8, 4, 4 * 17}));
}

TEST(Blp2, Dxt1) {
  const Opened three(blp2(2, 1, 0, 4, color_block(false)));
  ASSERT_TRUE(three.image);
  EXPECT_EQ(pixel(*three.image, 2, 0), (Pixel{127, 0, 127, 255}));
  EXPECT_EQ(pixel(*three.image, 3, 0), (Pixel{0, 0, 0, 0}));
  const Opened opaque(blp2(2, 0, 0, 4, color_block(false)));
  ASSERT_TRUE(opaque.image);
  EXPECT_EQ(pixel(*opaque.image, 3, 0), (Pixel{0, 0, 0, 255})) << "alphaDepth 0: no one-bit alpha";
  const Opened four(blp2(2, 1, 0, 4, color_block(true)));
  ASSERT_TRUE(four.image);
  EXPECT_EQ(pixel(*four.image, 2, 0), (Pixel{170, 0, 85, 255}));
}

TEST(Blp2, Dxt3AndDxt5) {
  RawBytes dxt3 = raw({0x10, 0x32, 0x54, 0x76, 0x98, 0xBA, 0xDC, 0xFE});
  const Opened with_nibbles(blp2(2, 8, 1, 4, dxt3.append(color_block(true))));
  ASSERT_TRUE(with_nibbles.image);
  EXPECT_EQ(pixel(*with_nibbles.image, 3, 0), (Pixel{85, 0, 170, 3 * 17}));
  RawBytes dxt5 = raw({200, 100, 0b10001000, 0b11000110, 0b11111010, 0, 0, 0});
  const Opened interpolated(blp2(2, 8, 7, 4, dxt5.append(color_block(true))));
  ASSERT_TRUE(interpolated.image);
  EXPECT_EQ(pixel(*interpolated.image, 0, 0)[3], 200U);
  EXPECT_EQ(pixel(*interpolated.image, 1, 0)[3], 100U);
  EXPECT_EQ(pixel(*interpolated.image, 2, 0)[3], (6 * 200 + 100) / 7U);
}

TEST(Blp2, RawPixelsAreBlueGreenRedAlpha) {
  const RawBytes data = raw({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16});
  const Opened file(blp2(3, 136, 2, 2, data));
  ASSERT_TRUE(file.image);
  EXPECT_EQ(pixel(*file.image, 1, 0), (Pixel{7, 6, 5, 8}));
  EXPECT_TRUE(has(file.diagnostics, codes::kImageAlphaBits));
  const Opened opaque(blp2(3, 0, 0, 2, data));
  ASSERT_TRUE(opaque.image);
  EXPECT_EQ(pixel(*opaque.image, 1, 0), (Pixel{7, 6, 5, 255}));
}

TEST(Blp2, Jpeg) {
  const Bytes stream = flat_jpeg();
  const auto offset = static_cast<std::uint32_t>(kBlp2Tables + 4);
  RawBytes bytes;
  bytes.tag("BLP2").u32(0).u8(0).u8(8).u8(0).u8(0).u32(8).u32(8);
  put_level_tables(bytes, {{offset, static_cast<std::uint32_t>(stream.size())}});
  const Opened file(bytes.u32(0).append(raw(stream)).bytes());
  ASSERT_TRUE(file.image);
  EXPECT_EQ(pixel(*file.image, 0, 0), (Pixel{30, 20, 10, 40}));
}

TEST(Blp2, FilesWithoutPalette) {
  // The palette is always present, they say; DXT files without it exist, with the pixels in its place.
  RawBytes bytes = blp2_header(2, 1, 0, 4, 4, {{kBlp2Tables, 8}});
  const Opened file(bytes.append(color_block(true)).bytes());
  ASSERT_TRUE(file.image);
  EXPECT_EQ(pixel(*file.image, 0, 0), (Pixel{255, 0, 0, 255}));
}

TEST(Blp2, UndefinedEncodings) {
  for (const auto& file : {blp2(2, 8, 3, 4, color_block(true)), blp2(9, 8, 0, 4, color_block(true))}) {
    const Opened opened(file);
    ASSERT_FALSE(opened.image);
    EXPECT_EQ(opened.image.error().code, codes::kImageUnsupported);
  }
}

TEST(Blp, OtherFiles) {
  Diagnostics diagnostics;
  const auto other = blp::read(raw({'B', 'L', 'P', '3'}).view(), {}, diagnostics);
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, codes::kFormatUnknown);
  const auto cut = blp::read(raw({'B', 'L', 'P', '1', 0}).view(), {}, diagnostics);
  ASSERT_FALSE(cut);
  EXPECT_EQ(cut.error().code, codes::kTruncated);
}

}  // namespace
}  // namespace thaw
