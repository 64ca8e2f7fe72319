// PNG: what is encoded decodes to the same picture, and files survive being read and written.

#include <thaw/image.hpp>

#include <gtest/gtest.h>

#include "image/png_parts.hpp"
#include "image/texture_files.hpp"

namespace thaw {
namespace {

using namespace test;

/// A picture with smooth, flat and noisy parts.
Image test_image(std::uint32_t width, std::uint32_t height, bool opaque) {
  Image image{width, height, {}};
  std::uint32_t noise = 1;
  for (std::uint32_t y = 0; y < height; ++y) {
    for (std::uint32_t x = 0; x < width; ++x) {
      noise = noise * 1664525U + 1013904223U;
      const bool noisy = x % 16 > 11;
      image.rgba.push_back(static_cast<std::uint8_t>(noisy ? noise >> 24U : x * 3));
      image.rgba.push_back(static_cast<std::uint8_t>(y * 5));
      image.rgba.push_back(static_cast<std::uint8_t>(noisy ? noise >> 16U : 77));
      image.rgba.push_back(static_cast<std::uint8_t>(opaque ? 255 : x ^ y));
    }
  }
  return image;
}

/// Color type of the IHDR chunk.
unsigned color_type(const Bytes& png) { return png.at(25); }

TEST(Png, DecodesToWhatWasEncoded) {
  for (const bool opaque : {true, false}) {
    for (const auto& [width, height] : {std::pair{1U, 1U}, {3U, 5U}, {64U, 64U}, {257U, 19U}, {1U, 300U}}) {
      const Image image = test_image(width, height, opaque);
      for (const int level : {1, 6, 12}) {
        const Bytes png = encode_png(image, level);
        const auto back = decode_png(png, {});
        ASSERT_TRUE(back) << back.error().message;
        EXPECT_EQ(*back, image) << width << "×" << height << " at level " << level;
      }
    }
  }
}

TEST(Png, OpaquePicturesHaveNoAlphaChannel) {
  Image image = test_image(8, 8, true);
  EXPECT_EQ(color_type(encode_png(image)), 2U);
  image.rgba[7] = 254;
  EXPECT_EQ(color_type(encode_png(image)), 6U);
}

TEST(Png, SamePictureSameBytes) {
  const Image image = test_image(100, 50, false);
  EXPECT_EQ(encode_png(image), encode_png(image));
  EXPECT_EQ(encode_png(image, -5), encode_png(image, 1)) << "levels are clamped";
  EXPECT_EQ(encode_png(image, 99), encode_png(image, 12));
}

TEST(Png, PicturesThatCannotBe) {
  EXPECT_TRUE(encode_png({}).empty());
  EXPECT_TRUE(encode_png({2, 2, Bytes(15, std::uint8_t{0})}).empty());
  EXPECT_TRUE(encode_png({0, 7, {}}).empty());
}

TEST(Png, DocumentKeepsEveryChunk) {
  Bytes file = encode_png(test_image(9, 9, false));
  const RawBytes extra = raw({0, 0, 0, 3, 't', 'h', 'A', 'w', 1, 2, 3, 0, 0, 0, 0});
  file.insert(file.begin() + 33, extra.bytes().begin(), extra.bytes().end());
  file.push_back(0x55);
  Diagnostics diagnostics;
  const auto document = png::read(file, {}, diagnostics);
  ASSERT_TRUE(document);
  EXPECT_EQ(png::write(*document), file);
  ASSERT_EQ(document->chunks.size(), 4U);
  EXPECT_EQ(document->chunks[1].type, FourCC{"thAw"});
  EXPECT_EQ(document->chunks[1].data.size(), 3U);
  EXPECT_EQ(document->gaps.size(), 1U);
  EXPECT_TRUE(has(diagnostics, codes::kFileTail));
  EXPECT_TRUE(has(diagnostics, codes::kImageOddity)) << "the checksum of thAw";
  EXPECT_FALSE(has(diagnostics, codes::kImageDamaged));
  const auto image = png::decode(*document, 0, {}, diagnostics);
  ASSERT_TRUE(image) << image.error().message;
  EXPECT_EQ(*image, test_image(9, 9, false));
  EXPECT_FALSE(png::decode(*document, 1, {}, diagnostics));
}

TEST(Png, AWrongSumOfThePixelsIsReportedAndTheyAreRead) {
  const Image image = test_image(9, 9, false);
  auto document = png::read(encode_png(image));
  ASSERT_TRUE(document);
  for (auto& chunk : document->chunks) {
    if (chunk.type == FourCC{"IDAT"}) {
      chunk.data.back() ^= 1U;
      chunk.crc = png::checksum(chunk.type, chunk.data);
    }
  }
  Diagnostics diagnostics;
  const auto read = png::decode(*document, 0, {}, diagnostics);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, image);
  EXPECT_TRUE(has(diagnostics, codes::kImageDamaged));
  ReadOptions strict;
  strict.strict = true;
  EXPECT_FALSE(png::decode(*document, 0, strict, diagnostics));
  EXPECT_FALSE(decode_png(png::write(*document), {})) << "nobody would hear of it";
}

TEST(Png, DamagedPixelsAreAnError) {
  Bytes file = encode_png(test_image(9, 9, false));
  file[50] ^= 0xFFU;
  Diagnostics diagnostics;
  const auto document = png::read(file, {}, diagnostics);
  ASSERT_TRUE(document);
  EXPECT_TRUE(has(diagnostics, codes::kImageDamaged));
  const auto image = decode_png(file, {});
  ASSERT_FALSE(image);
  EXPECT_EQ(image.error().code, codes::kImageMalformed);
}

TEST(Png, CutFiles) {
  const Bytes file = encode_png(test_image(5, 4, false));
  ReadOptions strict;
  strict.strict = true;
  for (std::size_t size = 0; size < file.size(); ++size) {
    const ByteView cut = ByteView(file).first(size);
    Diagnostics diagnostics;
    const auto document = png::read(cut, {}, diagnostics);
    ASSERT_EQ(document.has_value(), size >= 8);
    if (document) {
      EXPECT_EQ(png::write(*document), Bytes(cut.begin(), cut.end()));
      EXPECT_TRUE(has(diagnostics, codes::kTruncated));
      EXPECT_FALSE(png::read(cut, strict, diagnostics));
    }
    // The last row is complete long before the end.
    if (size < file.size() - 30) {
      EXPECT_FALSE(decode_png(cut, {}));
    }
  }
}

std::vector<std::uint8_t> big_endian(std::uint32_t value) {
  return {static_cast<std::uint8_t>(value >> 24U), static_cast<std::uint8_t>(value >> 16U),
          static_cast<std::uint8_t>(value >> 8U), static_cast<std::uint8_t>(value)};
}

std::uint32_t crc32(const Bytes& bytes) {
  std::uint32_t crc = 0xFFFFFFFFU;
  for (const std::uint8_t byte : bytes) {
    crc ^= byte;
    for (int bit = 0; bit < 8; ++bit) {
      crc = crc >> 1U ^ ((crc & 1U) != 0 ? 0xEDB88320U : 0U);
    }
  }
  return ~crc;
}

/// A zlib stream that stores instead of packing.
RawBytes stored(const RawBytes& data) {
  std::uint32_t low = 1;
  std::uint32_t high = 0;
  for (const std::uint8_t byte : data.bytes()) {
    low = (low + byte) % 65521;
    high = (high + low) % 65521;
  }
  const auto size = static_cast<std::uint16_t>(data.size());
  RawBytes stream = raw({0x78, 0x01, 0x01});
  stream.u16(size).u16(static_cast<std::uint16_t>(~size)).append(data);
  for (const auto byte : big_endian(high << 16U | low)) {
    stream.u8(byte);
  }
  return stream;
}

void put_chunk(RawBytes& file, std::string_view type, const RawBytes& data) {
  RawBytes body;
  body.tag(type).append(data);
  for (const auto byte : big_endian(static_cast<std::uint32_t>(data.size()))) {
    file.u8(byte);
  }
  file.append(body);
  for (const auto byte : big_endian(crc32(body.bytes()))) {
    file.u8(byte);
  }
}

/// A PNG of other kinds than the encoder makes, its rows given with their filter bytes.
Bytes png_of(std::uint32_t width, std::uint32_t height, unsigned bits, unsigned color, const RawBytes& rows,
             const std::vector<std::pair<std::string_view, RawBytes>>& before = {}) {
  RawBytes file = raw({0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'});
  RawBytes header;
  for (const std::uint32_t side : {width, height}) {
    for (const auto byte : big_endian(side)) {
      header.u8(byte);
    }
  }
  put_chunk(file, "IHDR", header.append(raw({bits, color, 0U, 0U, 0U})));
  for (const auto& [type, data] : before) {
    put_chunk(file, type, data);
  }
  put_chunk(file, "IDAT", stored(rows));
  put_chunk(file, "IEND", {});
  return file.bytes();
}

TEST(Png, OtherKinds) {
  const auto first = [](const Bytes& file) {
    const auto image = decode_png(file, {});
    EXPECT_TRUE(image) << image.error().message;
    return image ? pixel(*image, 0, 0) : Pixel{};
  };
  EXPECT_EQ(first(png_of(1, 1, 8, 0, raw({0, 99}))), (Pixel{99, 99, 99, 255}));
  EXPECT_EQ(first(png_of(1, 1, 1, 0, raw({0, 0x80}))), (Pixel{255, 255, 255, 255}));
  EXPECT_EQ(first(png_of(1, 1, 8, 4, raw({0, 99, 5}))), (Pixel{99, 99, 99, 5}));
  EXPECT_EQ(first(png_of(1, 1, 16, 2, raw({0, 1, 0, 2, 0, 3, 0}))), (Pixel{1, 2, 3, 255}));
  EXPECT_EQ(
      first(png_of(1, 1, 4, 3, raw({0, 0x10}), {{"PLTE", raw({1, 2, 3, 4, 5, 6})}, {"tRNS", raw({9, 8})}})),
      (Pixel{4, 5, 6, 8}));
}

TEST(Png, SizesBeyondReason) {
  ReadOptions options;
  options.limits.max_image_pixels = 99;
  const auto limited = decode_png(encode_png(test_image(10, 10, true)), options);
  ASSERT_FALSE(limited);
  EXPECT_EQ(limited.error().code, codes::kInputTooLarge);
  const auto large = decode_png(png_of(16000, 16000, 8, 6, raw({0, 1, 2, 3, 4})), {});
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().code, codes::kInputTooLarge);
  const auto bomb = decode_png(png_of(8000, 8000, 8, 6, raw({0, 1, 2, 3, 4})), {});
  ASSERT_FALSE(bomb);
  EXPECT_EQ(bomb.error().code, codes::kImageMalformed) << "no deflate stream of that size holds so much";
}

}  // namespace
}  // namespace thaw
