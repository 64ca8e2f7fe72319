// DDS: every way to name a pixel format, and what surrounds the first level.

#include <thaw/dds.hpp>

#include <gtest/gtest.h>

#include "image/texture_files.hpp"

namespace thaw {
namespace {

using namespace test;

struct OpenedDds {
  explicit OpenedDds(const Bytes& file, std::size_t level = 0) {
    auto read = dds::read(file, {}, diagnostics);
    EXPECT_TRUE(read) << read.error().message;
    if (read) {
      document = std::move(*read);
      EXPECT_EQ(dds::write(document), file);
      image = dds::decode(document, level, {}, diagnostics);
    }
  }

  Diagnostics diagnostics;
  dds::Document document;
  Result<Image> image = fail(codes::kFormatUnknown, "not read");
};

Pixel first_pixel(const Bytes& file) {
  const OpenedDds opened(file);
  EXPECT_TRUE(opened.image) << opened.image.error().message;
  return opened.image ? pixel(*opened.image, 0, 0) : Pixel{};
}

DdsHeader masked(std::uint32_t flags, std::uint32_t bits, std::uint32_t red, std::uint32_t green,
                 std::uint32_t blue, std::uint32_t alpha) {
  DdsHeader header{1, 1, 0, 0, {}, 0};
  header.format.flags = flags;
  header.format.bits = bits;
  header.format.red_mask = red;
  header.format.green_mask = green;
  header.format.blue_mask = blue;
  header.format.alpha_mask = alpha;
  return header;
}

constexpr std::uint32_t kRgb = dds::PixelFormat::kRgb;
constexpr std::uint32_t kRgba = kRgb | dds::PixelFormat::kAlphaPixels;
constexpr std::uint32_t kGrey = dds::PixelFormat::kLuminance;

TEST(Dds, Masks) {
  struct Case {
    DdsHeader header;
    RawBytes data;
    Pixel requested;
  };
  const std::vector<Case> cases = {
      {masked(kRgba, 32, 0xFF0000, 0xFF00, 0xFF, 0xFF000000), raw({1, 2, 3, 4}), {3, 2, 1, 4}},
      {masked(kRgba, 32, 0xFF, 0xFF00, 0xFF0000, 0xFF000000), raw({1, 2, 3, 4}), {1, 2, 3, 4}},
      {masked(kRgb, 32, 0xFF0000, 0xFF00, 0xFF, 0xFF000000), raw({1, 2, 3, 4}), {3, 2, 1, 255}},
      {masked(kRgb, 24, 0xFF0000, 0xFF00, 0xFF, 0), raw({1, 2, 3}), {3, 2, 1, 255}},
      {masked(kRgb, 16, 0xF800, 0x7E0, 0x1F, 0), RawBytes().u16(0x8421), {132, 134, 8, 255}},
      {masked(kRgba, 16, 0x7C00, 0x3E0, 0x1F, 0x8000), RawBytes().u16(0x801F), {0, 0, 255, 255}},
      {masked(kRgba, 16, 0xF00, 0xF0, 0xF, 0xF000), RawBytes().u16(0x4321), {51, 34, 17, 68}},
      {masked(kRgb, 8, 0xE0, 0x1C, 0x3, 0), raw({0b10101110}), {0b10110110, 0b01101101, 0b10101010, 255}},
      {masked(kRgba, 32, 0x3FF00000, 0xFFC00, 0x3FF, 0xC0000000),
       RawBytes().u32(0x80000000U | 0x203U << 20U),
       {0x80, 0, 0, 0xAA}},
      {masked(kGrey, 8, 0xFF, 0, 0, 0), raw({77}), {77, 77, 77, 255}},
      {masked(kGrey | 1U, 16, 0xFF, 0, 0, 0xFF00), raw({77, 5}), {77, 77, 77, 5}},
      {masked(kGrey | 1U, 8, 0x0F, 0, 0, 0xF0), raw({0x2A}), {170, 170, 170, 34}},
      {masked(dds::PixelFormat::kAlphaOnly, 8, 0, 0, 0, 0xFF), raw({9}), {0, 0, 0, 9}},
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    EXPECT_EQ(first_pixel(dds_file(cases[i].header, cases[i].data)), cases[i].requested) << "case " << i;
  }
}

/// Alpha of a block of 16 bytes, then one colour.
RawBytes alpha_block(std::initializer_list<unsigned> alpha, std::uint16_t color) {
  RawBytes block = raw(alpha);
  return block.u16(color).u16(0).u32(0);
}

TEST(Dds, FourCharacterCodes) {
  const RawBytes dxt1 = RawBytes().u16(0xF800).u16(0).u32(0);
  const RawBytes dxt3 = alpha_block({0x44, 0x44, 0x44, 0x44, 0x44, 0x44, 0x44, 0x44}, 0xF800);
  const RawBytes dxt5 = alpha_block({90, 0, 0, 0, 0, 0, 0, 0}, 0xF800);
  const RawBytes bc4 = raw({90, 0, 0, 0, 0, 0, 0, 0});
  RawBytes bc5 = bc4;
  bc5.append(raw({50, 0, 0, 0, 0, 0, 0, 0}));
  struct Case {
    FourCC tag;
    RawBytes data;
    Pixel requested;
    std::string_view encoding;
  };
  const std::vector<Case> cases = {
      {FourCC{"DXT1"}, dxt1, {255, 0, 0, 255}, "bc1"},
      {FourCC{"DXT3"}, dxt3, {255, 0, 0, 68}, "bc2"},
      {FourCC{"DXT5"}, dxt5, {255, 0, 0, 90}, "bc3"},
      {FourCC{"RXGB"}, dxt5, {90, 0, 0, 255}, "bc3-rxgb"},
      {FourCC{"ATI1"}, bc4, {90, 90, 90, 255}, "bc4"},
      {FourCC{"BC4U"}, bc4, {90, 90, 90, 255}, "bc4"},
      {FourCC{"BC4S"}, bc4, {218, 218, 218, 255}, "bc4-signed"},
      {FourCC{"ATI2"}, bc5, {90, 50, 0, 255}, "bc5"},
      {FourCC{"BC5U"}, bc5, {90, 50, 0, 255}, "bc5"},
      {FourCC{"BC5S"}, bc5, {218, 178, 0, 255}, "bc5-signed"},
  };
  for (const auto& [tag, data, requested, encoding] : cases) {
    const OpenedDds opened(dds_file({4, 4, 0, 0, four_cc(tag), 0}, data));
    ASSERT_TRUE(opened.image) << tag.text();
    EXPECT_EQ(pixel(*opened.image, 1, 1), requested) << tag.text();
    EXPECT_EQ(opened.document.encoding(), encoding) << tag.text();
  }
}

TEST(Dds, FourCharacterCodeAdjacentOtherFlags) {
  DdsHeader header{4, 4, 0, 0, four_cc(FourCC{"DXT1"}), 0};
  header.format.flags |= 0x40000000U;
  EXPECT_EQ(first_pixel(dds_file(header, RawBytes().u16(0xF800).u16(0).u32(0))), (Pixel{255, 0, 0, 255}));
}

TEST(Dds, PremultipliedColorsAreDividedByAlpha) {
  // Red 132 of alpha 136 and 90.
  const RawBytes dxt2 = alpha_block({0x88, 0x88, 0x88, 0x88, 0x88, 0x88, 0x88, 0x88}, 0x8000);
  const RawBytes dxt4 = alpha_block({90, 0, 0, 0, 0, 0, 0, 0}, 0x8000);
  EXPECT_EQ(first_pixel(dds_file({4, 4, 0, 0, four_cc(FourCC{"DXT2"}), 0}, dxt2)),
            (Pixel{(132 * 255 + 68) / 136, 0, 0, 136}));
  EXPECT_EQ(first_pixel(dds_file({4, 4, 0, 0, four_cc(FourCC{"DXT4"}), 0}, dxt4)), (Pixel{255, 0, 0, 90}));
}

TEST(Dds, Dx10Formats) {
  const RawBytes bc1 = RawBytes().u16(0xF800).u16(0).u32(0);
  RawBytes four_pixels;
  for (int i = 0; i < 16; ++i) {
    four_pixels.u32(0x04030201);
  }
  for (const std::uint32_t format : {70U, 71U, 72U}) {
    EXPECT_EQ(first_pixel(dx10_file(format, bc1)), (Pixel{255, 0, 0, 255})) << format;
  }
  for (const std::uint32_t format : {27U, 28U, 29U}) {
    EXPECT_EQ(first_pixel(dx10_file(format, four_pixels)), (Pixel{1, 2, 3, 4})) << format;
  }
  for (const std::uint32_t format : {87U, 90U, 91U}) {
    EXPECT_EQ(first_pixel(dx10_file(format, four_pixels)), (Pixel{3, 2, 1, 4})) << format;
  }
  EXPECT_EQ(first_pixel(dx10_file(88, four_pixels)), (Pixel{3, 2, 1, 255}));
  RawBytes bc7 = raw({0x20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  for (const std::uint32_t format : {97U, 98U, 99U}) {
    EXPECT_EQ(first_pixel(dx10_file(format, bc7)), (Pixel{0, 0, 0, 0})) << format;
  }
  EXPECT_EQ(first_pixel(dx10_file(85, RawBytes().u16(0xF800).zeros(30))), (Pixel{255, 0, 0, 255}));
  EXPECT_EQ(first_pixel(dx10_file(86, RawBytes().u16(0xFC00).zeros(30))), (Pixel{255, 0, 0, 255}));
  EXPECT_EQ(first_pixel(dx10_file(115, RawBytes().u16(0x4321).zeros(30))), (Pixel{51, 34, 17, 68}));
  EXPECT_EQ(first_pixel(dx10_file(24, RawBytes().u32(0xC00003FF).zeros(60))), (Pixel{255, 0, 0, 255}));
  EXPECT_EQ(first_pixel(dx10_file(61, RawBytes().u8(8).zeros(15))), (Pixel{8, 0, 0, 255}));
  EXPECT_EQ(first_pixel(dx10_file(49, RawBytes().u8(8).u8(9).zeros(30))), (Pixel{8, 9, 0, 255}));
  EXPECT_EQ(first_pixel(dx10_file(65, RawBytes().u8(8).zeros(15))), (Pixel{0, 0, 0, 8}));
}

TEST(Dds, Dx10AlphaModes) {
  RawBytes pixels;
  for (int i = 0; i < 16; ++i) {
    pixels.u32(0x80402010);
  }
  EXPECT_EQ(first_pixel(dx10_file(28, pixels, {}, 3, 0, 1, 1)), (Pixel{16, 32, 64, 128}));
  EXPECT_EQ(first_pixel(dx10_file(28, pixels, {}, 3, 0, 1, 2)), (Pixel{32, 64, 128, 128}));
  EXPECT_EQ(first_pixel(dx10_file(28, pixels, {}, 3, 0, 1, 3)), (Pixel{16, 32, 64, 255}));
}

TEST(Dds, HighDynamicRangeIsKeptAndRefused) {
  const OpenedDds opened(dx10_file(95, RawBytes().zeros(16)));
  EXPECT_EQ(opened.document.data.size(), 16U);
  EXPECT_EQ(opened.document.encoding(), "bc6h");
  ASSERT_FALSE(opened.image);
  EXPECT_EQ(opened.image.error().code, codes::kImageUnsupported);
}

TEST(Dds, UnknownFormatsAreKeptAndRefused) {
  for (const Bytes& file : {dds_file({4, 4, 0, 0, four_cc(FourCC{"UYVY"}), 0}, RawBytes().zeros(40)),
                            dds_file(masked(0x200, 24, 0xFF, 0, 0, 0), RawBytes().zeros(3)),
                            dds_file(masked(kRgb, 12, 0xF, 0xF0, 0xF00, 0), RawBytes().zeros(3)),
                            dx10_file(2, RawBytes().zeros(256))}) {
    const OpenedDds opened(file);
    EXPECT_TRUE(opened.document.data.empty());
    EXPECT_EQ(opened.document.gaps.size(), 1U);
    ASSERT_FALSE(opened.image);
    EXPECT_EQ(opened.image.error().code, codes::kImageUnsupported);
  }
}

/// A level per colour, 8 × 8, 4 × 4, 2 × 2 and 1 × 1 pixels.
RawBytes chain() {
  RawBytes data;
  for (const std::uint16_t color : std::array<std::uint16_t, 4>{0xF800, 0x07E0, 0x001F, 0xFFFF}) {
    for (int block = 0; block < (color == 0xF800 ? 4 : 1); ++block) {
      data.u16(color).u16(0).u32(0);
    }
  }
  return data;
}

TEST(Dds, Levels) {
  const Bytes file = dds_file({8, 8, 0, 4, four_cc(FourCC{"DXT1"}), 0}, chain());
  const std::array<Pixel, 4> requested = {
      {{255, 0, 0, 255}, {0, 255, 0, 255}, {0, 0, 255, 255}, {255, 255, 255, 255}}};
  for (std::size_t level = 0; level < 4; ++level) {
    const OpenedDds opened(file, level);
    ASSERT_TRUE(opened.image);
    EXPECT_EQ(opened.image->width, 8U >> level);
    EXPECT_EQ(pixel(*opened.image, 0, 0), requested[level]);
    EXPECT_EQ(dds::level_count(opened.document), 4U);
    EXPECT_TRUE(opened.diagnostics.items().empty());
  }
  EXPECT_FALSE(OpenedDds(file, 4).image);
}

TEST(Dds, MoreLevelsThanThereCanBe) {
  const OpenedDds opened(dds_file({8, 8, 0, 0xFFFFFFFF, four_cc(FourCC{"DXT1"}), 0}, chain()));
  EXPECT_EQ(dds::level_count(opened.document), 4U);
  EXPECT_TRUE(opened.image);
}

TEST(Dds, CutDataCostsItsLevels) {
  RawBytes data = chain();
  const Bytes file = dds_file({8, 8, 0, 4, four_cc(FourCC{"DXT1"}), 0}, data);
  Bytes cut(file.begin(), file.end() - 12);
  EXPECT_TRUE(OpenedDds(cut, 1).image);
  const OpenedDds opened(cut, 2);
  ASSERT_FALSE(opened.image);
  EXPECT_EQ(opened.image.error().code, codes::kImageMalformed);
  EXPECT_TRUE(has(opened.diagnostics, codes::kTruncated));
  ReadOptions strict;
  strict.strict = true;
  Diagnostics diagnostics;
  EXPECT_FALSE(dds::read(cut, strict, diagnostics));
}

TEST(Dds, BytesAfterTheData) {
  RawBytes data = chain();
  const OpenedDds opened(dds_file({8, 8, 0, 4, four_cc(FourCC{"DXT1"}), 0}, data.u32(7)));
  ASSERT_EQ(opened.document.gaps.size(), 1U);
  EXPECT_EQ(opened.document.gaps[0].bytes.size(), 4U);
  EXPECT_TRUE(has(opened.diagnostics, codes::kFileTail));
}

TEST(Dds, CubesArraysAndVolumes) {
  const RawBytes block = RawBytes().u16(0xF800).u16(0).u32(0);
  const auto blocks = [&](std::size_t count) { return RawBytes().repeat(block, count); };
  const DdsHeader plain{4, 4, 0, 0, four_cc(FourCC{"DXT1"}), 0};
  DdsHeader cube = plain;
  cube.caps2 = dds::Document::kCubeMap | 0xFC00;
  DdsHeader volume = plain;
  volume.caps2 = dds::Document::kVolume;
  volume.depth = 5;
  volume.mip_count = 3;
  DdsHeader depth_without_volume = plain;
  depth_without_volume.depth = 1;
  struct Case {
    Bytes file;
    std::size_t blocks;
  };
  const std::vector<Case> cases = {
      {dds_file(cube, blocks(6)), 6},
      {dds_file(volume, blocks(5 + 2 + 1)), 8},
      {dds_file(depth_without_volume, blocks(1)), 1},
      {dx10_file(71, blocks(3), {}, 3, 0, 3), 3},
      {dx10_file(71, blocks(12), {}, 3, dds::Header10::kTextureCube, 2), 12},
      {dx10_file(71, blocks(7), {4, 4, 7, 0, {}, 0}, dds::Header10::kTexture3D), 7},
  };
  for (const auto& [file, count] : cases) {
    const OpenedDds opened(file);
    EXPECT_EQ(opened.document.data.size(), count * 8);
    EXPECT_TRUE(opened.document.gaps.empty());
    EXPECT_TRUE(opened.diagnostics.items().empty());
    EXPECT_TRUE(opened.image);
  }
}

TEST(Dds, SizesThatOverflow) {
  for (const std::uint32_t side : {0U, 65536U, 0x7FFFFFFFU, 0xFFFFFFFFU}) {
    for (const Bytes& file :
         {dds_file({side, side, 0, 32, four_cc(FourCC{"DXT5"}), dds::Document::kCubeMap | 0xFC00},
                   RawBytes().zeros(64)),
          dx10_file(71, RawBytes().zeros(64), {side, side, side, 99, {}, 0}, 4, 4, 0xFFFFFFFF)}) {
      const OpenedDds opened(file);
      EXPECT_FALSE(opened.image);
    }
  }
}

TEST(Dds, OtherFiles) {
  Diagnostics diagnostics;
  EXPECT_EQ(dds::read(raw({'D', 'D', 'S', 'x'}).view(), {}, diagnostics).error().code, codes::kFormatUnknown);
  EXPECT_EQ(dds::read(raw({'D', 'D', 'S', ' ', 124}).view(), {}, diagnostics).error().code,
            codes::kTruncated);
}

}  // namespace
}  // namespace thaw
