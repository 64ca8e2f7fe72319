// TGA: every type and depth, packets, orientation, and whether alpha counts.

#include <thaw/tga.hpp>

#include <gtest/gtest.h>

#include "image/texture_files.hpp"

namespace thaw {
namespace {

using namespace test;

struct Header {
  std::uint8_t id_length = 0;
  std::uint8_t map_type = 0;
  std::uint8_t type = 2;
  std::uint16_t map_first = 0;
  std::uint16_t map_length = 0;
  std::uint8_t map_depth = 0;
  std::uint16_t width = 2;
  std::uint16_t height = 2;
  std::uint8_t depth = 24;
  std::uint8_t descriptor = 0x20;
};

RawBytes header_bytes(const Header& header) {
  RawBytes bytes;
  bytes.u8(header.id_length).u8(header.map_type).u8(header.type).u16(header.map_first).u16(header.map_length);
  bytes.u8(header.map_depth).u16(0).u16(0).u16(header.width).u16(header.height);
  return bytes.u8(header.depth).u8(header.descriptor);
}

Bytes tga_file(const Header& header, const RawBytes& rest) {
  return header_bytes(header).append(rest).bytes();
}

struct OpenedTga {
  explicit OpenedTga(const Bytes& file) {
    auto read = tga::read(file, {}, diagnostics);
    EXPECT_TRUE(read) << read.error().message;
    if (read) {
      document = std::move(*read);
      EXPECT_EQ(tga::write(document), file);
      image = tga::decode(document, 0, {}, diagnostics);
    }
  }

  Diagnostics diagnostics;
  tga::Document document;
  Result<Image> image = fail(codes::kFormatUnknown, "not read");
};

/// The red channel, row by row.
std::vector<unsigned> reds(const Result<Image>& image) {
  std::vector<unsigned> values;
  for (std::size_t i = 0; image && i < image->rgba.size(); i += 4) {
    values.push_back(image->rgba[i]);
  }
  return values;
}

const RawBytes kFourPixels = raw({0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 4});

TEST(Tga, Orientation) {
  EXPECT_EQ(reds(OpenedTga(tga_file({.descriptor = 0x20}, kFourPixels)).image),
            (std::vector<unsigned>{1, 2, 3, 4}));
  EXPECT_EQ(reds(OpenedTga(tga_file({.descriptor = 0x00}, kFourPixels)).image),
            (std::vector<unsigned>{3, 4, 1, 2}));
  EXPECT_EQ(reds(OpenedTga(tga_file({.descriptor = 0x30}, kFourPixels)).image),
            (std::vector<unsigned>{2, 1, 4, 3}));
  EXPECT_EQ(reds(OpenedTga(tga_file({.descriptor = 0x10}, kFourPixels)).image),
            (std::vector<unsigned>{4, 3, 2, 1}));
}

TEST(Tga, TrueColorDepths) {
  const auto first = [](std::uint8_t depth, std::uint8_t descriptor, const RawBytes& data) {
    const OpenedTga opened(
        tga_file({.width = 1, .height = 1, .depth = depth, .descriptor = descriptor}, data));
    return opened.image ? pixel(*opened.image, 0, 0) : Pixel{};
  };
  EXPECT_EQ(first(24, 0, raw({1, 2, 3})), (Pixel{3, 2, 1, 255}));
  EXPECT_EQ(first(32, 8, raw({1, 2, 3, 4})), (Pixel{3, 2, 1, 4}));
  EXPECT_EQ(first(15, 0, RawBytes().u16(0x7C01)), (Pixel{255, 0, 8, 255}));
  EXPECT_EQ(first(16, 0, RawBytes().u16(0x03E0)), (Pixel{0, 255, 0, 255})) << "no alpha bit is stated";
  EXPECT_EQ(first(16, 1, RawBytes().u16(0x03E0)), (Pixel{0, 255, 0, 0}));
  EXPECT_EQ(first(16, 1, RawBytes().u16(0x83E0)), (Pixel{0, 255, 0, 255}));
}

TEST(Tga, AlphaOf32BitsThatTheDescriptorDenies) {
  const OpenedTga used(
      tga_file({.width = 2, .height = 1, .depth = 32, .descriptor = 0x20}, raw({1, 2, 3, 0, 5, 6, 7, 99})));
  ASSERT_TRUE(used.image);
  EXPECT_EQ(pixel(*used.image, 0, 0)[3], 0U);
  EXPECT_EQ(pixel(*used.image, 1, 0)[3], 99U);
  const OpenedTga unused(
      tga_file({.width = 2, .height = 1, .depth = 32, .descriptor = 0x20}, raw({1, 2, 3, 0, 5, 6, 7, 0})));
  ASSERT_TRUE(unused.image);
  EXPECT_EQ(pixel(*unused.image, 0, 0)[3], 255U) << "0 everywhere: not written";
}

TEST(Tga, Grey) {
  const OpenedTga grey(tga_file({.type = 3, .width = 2, .height = 1, .depth = 8}, raw({7, 8})));
  ASSERT_TRUE(grey.image);
  EXPECT_EQ(pixel(*grey.image, 1, 0), (Pixel{8, 8, 8, 255}));
  const OpenedTga with_alpha(
      tga_file({.type = 3, .width = 1, .height = 1, .depth = 16, .descriptor = 8}, raw({7, 100})));
  ASSERT_TRUE(with_alpha.image);
  EXPECT_EQ(pixel(*with_alpha.image, 0, 0), (Pixel{7, 7, 7, 100}));
}

TEST(Tga, ColorMap) {
  RawBytes rest = raw({'i', 'd'});
  rest.append(raw({1, 2, 3, 4, 5, 6})).append(raw({10, 11, 12, 0}));
  const OpenedTga mapped(tga_file({.id_length = 2,
                                   .map_type = 1,
                                   .type = 1,
                                   .map_first = 10,
                                   .map_length = 2,
                                   .map_depth = 24,
                                   .depth = 8},
                                  rest));
  ASSERT_TRUE(mapped.image);
  EXPECT_EQ(pixel(*mapped.image, 0, 0), (Pixel{3, 2, 1, 255}));
  EXPECT_EQ(pixel(*mapped.image, 1, 0), (Pixel{6, 5, 4, 255}));
  EXPECT_EQ(pixel(*mapped.image, 0, 1), (Pixel{0, 0, 0, 255})) << "behind the map";
  EXPECT_EQ(pixel(*mapped.image, 1, 1), (Pixel{0, 0, 0, 255})) << "before the map";
  const OpenedTga wide(tga_file({.map_type = 1,
                                 .type = 1,
                                 .map_length = 1,
                                 .map_depth = 32,
                                 .width = 1,
                                 .height = 1,
                                 .depth = 16,
                                 .descriptor = 8},
                                raw({1, 2, 3, 4, 0, 0})));
  ASSERT_TRUE(wide.image);
  EXPECT_EQ(pixel(*wide.image, 0, 0), (Pixel{3, 2, 1, 4}));
}

TEST(Tga, MapThatTrueColorPicturesCarryAlong) {
  RawBytes rest = RawBytes().zeros(3);
  const OpenedTga opened(
      tga_file({.map_type = 1, .map_length = 1, .map_depth = 24}, rest.append(kFourPixels)));
  EXPECT_EQ(reds(opened.image), (std::vector<unsigned>{1, 2, 3, 4}));
}

TEST(Tga, Packets) {
  const OpenedTga opened(
      tga_file({.type = 10, .width = 3, .height = 2}, raw({0x82, 0, 0, 9, 0x02, 0, 0, 1, 0, 0, 2, 0, 0, 3})));
  EXPECT_EQ(reds(opened.image), (std::vector<unsigned>{9, 9, 9, 1, 2, 3}));
  EXPECT_EQ(opened.document.pixels.size(), 14U) << "packets are kept as they are";
  const OpenedTga grey(tga_file({.type = 11, .width = 2, .height = 2, .depth = 8}, raw({0x83, 5})));
  EXPECT_EQ(reds(grey.image), (std::vector<unsigned>{5, 5, 5, 5}));
  RawBytes mapped = raw({1, 2, 3, 4, 5, 6});
  const OpenedTga map(tga_file({.map_type = 1, .type = 9, .map_length = 2, .map_depth = 24, .depth = 8},
                               mapped.append(raw({0x82, 1, 0x00, 0}))));
  EXPECT_EQ(reds(map.image), (std::vector<unsigned>{6, 6, 6, 3}));
}

TEST(Tga, PacketsThatRunPastTheLastPixel) {
  const OpenedTga opened(tga_file({.type = 10, .width = 1, .height = 1}, raw({0xFF, 0, 0, 9, 1, 2, 3})));
  EXPECT_EQ(reds(opened.image), (std::vector<unsigned>{9}));
  EXPECT_EQ(opened.document.gaps.size(), 1U);
}

TEST(Tga, MissingPixels) {
  for (const Bytes& file :
       {tga_file({}, raw({1, 2, 3, 4, 5})), tga_file({.type = 10}, raw({0x81, 0, 0, 9, 0x81, 0})),
        tga_file({.type = 10}, raw({0x82, 0, 0, 9}))}) {
    const OpenedTga opened(file);
    EXPECT_FALSE(opened.image);
    EXPECT_TRUE(has(opened.diagnostics, codes::kTruncated));
    ReadOptions strict;
    strict.strict = true;
    Diagnostics diagnostics;
    EXPECT_FALSE(tga::read(file, strict, diagnostics));
  }
}

/// An extension area that says `attributes`, and the footer that points to it.
RawBytes appendix(std::uint32_t offset, std::uint8_t attributes) {
  RawBytes bytes;
  bytes.u16(495)
      .text("me", 41)
      .zeros(324 + 12)
      .text("job", 41)
      .zeros(6)
      .text("thaw", 41)
      .zeros(3 + 4 + 8 + 12);
  bytes.u8(attributes);
  EXPECT_EQ(bytes.size(), tga::Extension::kSize);
  return bytes.u32(offset).u32(0).text("TRUEVISION-XFILE.", 18);
}

TEST(Tga, ExtensionSaysWhetherAlphaCounts) {
  const auto alpha_of = [](std::uint8_t attributes, std::uint8_t descriptor) {
    RawBytes rest = raw({64, 0, 0, 128});
    rest.append(appendix(22, attributes));
    const OpenedTga opened(tga_file({.width = 1, .height = 1, .depth = 32, .descriptor = descriptor}, rest));
    EXPECT_TRUE(opened.document.extension);
    EXPECT_EQ(opened.document.extension->author.view(), "me");
    EXPECT_TRUE(opened.document.gaps.empty());
    return opened.image ? pixel(*opened.image, 0, 0) : Pixel{};
  };
  EXPECT_EQ(alpha_of(0, 0), (Pixel{0, 0, 64, 255}));
  EXPECT_EQ(alpha_of(3, 0), (Pixel{0, 0, 64, 128}));
  EXPECT_EQ(alpha_of(4, 8), (Pixel{0, 0, 128, 128})) << "premultiplied";
  EXPECT_EQ(alpha_of(0, 8), (Pixel{0, 0, 64, 128})) << "the descriptor says 8 bits";
}

TEST(Tga, FooterWithoutExtension) {
  for (const std::uint32_t offset : {0U, 5U, 1000000U, 0xFFFFFFFFU}) {
    RawBytes rest = kFourPixels;
    rest.u8(1).u8(2).u32(offset).u32(0).text("TRUEVISION-XFILE.", 18);
    const OpenedTga opened(tga_file({}, rest));
    EXPECT_TRUE(opened.document.footer);
    EXPECT_FALSE(opened.document.extension);
    EXPECT_EQ(opened.document.gaps.size(), 1U);
    EXPECT_TRUE(opened.image);
  }
}

TEST(Tga, AFooterMakesATgaOfAHeaderWithoutAnImage) {
  const Header none{.type = 0, .depth = 0};
  EXPECT_FALSE(tga::is_tga(tga_file(none, {})));
  RawBytes rest;
  rest.u32(0).u32(0).text("TRUEVISION-XFILE.", 18);
  EXPECT_TRUE(tga::is_tga(tga_file(none, rest)));
  const OpenedTga opened(tga_file(none, rest));
  EXPECT_TRUE(opened.document.footer);
  EXPECT_FALSE(opened.image);
}

TEST(Tga, Recognition) {
  EXPECT_TRUE(tga::is_tga(tga_file({}, kFourPixels)));
  EXPECT_FALSE(tga::is_tga(tga_file({}, {}))) << "no pixel at all";
  EXPECT_FALSE(tga::is_tga(tga_file({.type = 4}, kFourPixels)));
  EXPECT_FALSE(tga::is_tga(tga_file({.map_type = 2}, kFourPixels)));
  EXPECT_FALSE(tga::is_tga(tga_file({.width = 0}, kFourPixels)));
  EXPECT_FALSE(tga::is_tga(tga_file({.depth = 12}, kFourPixels)));
  EXPECT_FALSE(tga::is_tga(tga_file({.descriptor = 0x80}, kFourPixels)));
  EXPECT_FALSE(tga::is_tga(tga_file({.type = 1, .depth = 8}, kFourPixels))) << "mapped without a map";
  EXPECT_FALSE(tga::is_tga(Bytes(17, std::uint8_t{2})));
}

TEST(Tga, LargestSizeIsRefusedByTheLimit) {
  ReadOptions options;
  options.limits.max_image_pixels = 3;
  Diagnostics diagnostics;
  const auto document = tga::read(tga_file({}, kFourPixels), options, diagnostics);
  ASSERT_TRUE(document);
  EXPECT_EQ(tga::decode(*document, 0, options, diagnostics).error().code, codes::kInputTooLarge);
  EXPECT_FALSE(tga::decode(*document, 1, {}, diagnostics));
}

}  // namespace
}  // namespace thaw
