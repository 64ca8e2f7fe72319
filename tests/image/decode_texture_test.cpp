// Any texture, recognised by content; the largest level that decodes.

#include <thaw/image.hpp>

#include <gtest/gtest.h>

#include "image/jpeg_samples.hpp"
#include "image/texture_files.hpp"

namespace thaw {
namespace {

using namespace test;

TEST(DecodeTexture, RecognisesContent) {
  Image image{1, 1, Bytes{1, 2, 3, 4}};
  RawBytes tga = raw({0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 32, 8, 3, 2, 1, 4});
  DdsHeader header{1, 1, 0, 0, {}, 0};
  header.format.flags = dds::PixelFormat::kRgb | dds::PixelFormat::kAlphaPixels;
  header.format.bits = 32;
  header.format.red_mask = 0xFF;
  header.format.green_mask = 0xFF00;
  header.format.blue_mask = 0xFF0000;
  header.format.alpha_mask = 0xFF000000;
  for (const Bytes& file : {encode_png(image), tga.bytes(), dds_file(header, raw({1, 2, 3, 4}))}) {
    Diagnostics diagnostics;
    const auto decoded = decode_texture(file, {}, diagnostics);
    ASSERT_TRUE(decoded) << decoded.error().message;
    EXPECT_EQ(*decoded, image);
    EXPECT_TRUE(diagnostics.items().empty());
  }
  Diagnostics diagnostics;
  const auto blp = decode_texture(jpeg_blp1(flat_jpeg(), 100, 8, 8), {}, diagnostics);
  ASSERT_TRUE(blp);
  EXPECT_EQ(pixel(*blp, 0, 0), (Pixel{30, 20, 10, 40}));
  const auto none = decode_texture(raw({'G', 'I', 'F', '8', '9', 'a'}).view(), {}, diagnostics);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, codes::kFormatUnknown);
}

TEST(DecodeTexture, FallsBackToTheNextLevel) {
  const std::uint32_t data = kBlp1Tables + kPaletteSize;
  RawBytes bytes = blp1_header(1, 0, 4, 4, {{data, 3}, {900000, 4}, {data, 1}});
  const Bytes file = bytes.append(palette()).append(raw({10, 0, 0})).bytes();
  Diagnostics diagnostics;
  const auto image = decode_texture(file, {}, diagnostics);
  ASSERT_TRUE(image) << image.error().message;
  EXPECT_EQ(image->width, 1U);
  EXPECT_EQ(pixel(*image, 0, 0), (Pixel{30, 20, 10, 255}));
  std::vector<std::string> broken;
  for (const Diagnostic& item : diagnostics.items()) {
    if (item.code == codes::kImageMip) {
      broken.push_back(item.path);
    }
  }
  EXPECT_EQ(broken, (std::vector<std::string>{"levels[0]", "levels[1]"}));
}

TEST(DecodeTexture, NothingDecodes) {
  for (const Bytes& file :
       {blp1_header(1, 0, 4, 4, {}).append(palette()).bytes(),
        dds_file({4, 4, 0, 0, four_cc(FourCC{"DXT1"}), 0}, {}), jpeg_blp1(Bytes(9, 0x11), 0, 8, 8)}) {
    Diagnostics diagnostics;
    const auto image = decode_texture(file, {}, diagnostics);
    ASSERT_FALSE(image);
    EXPECT_EQ(image.error().code, codes::kImageMalformed);
  }
}

TEST(DecodeTexture, UndefinedEncodingIsNotTriedLevelByLevel) {
  Diagnostics diagnostics;
  const auto image = decode_texture(dx10_file(95, RawBytes().zeros(16)), {}, diagnostics);
  ASSERT_FALSE(image);
  EXPECT_EQ(image.error().code, codes::kImageUnsupported);
  EXPECT_FALSE(has(diagnostics, codes::kImageMip));
}

}  // namespace
}  // namespace thaw
