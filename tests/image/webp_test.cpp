#include "image/webp.hpp"

#include <thaw/codes.hpp>
#include <thaw/image.hpp>

#include <gtest/gtest.h>

namespace thaw {
namespace {

Image pattern(std::uint32_t width, std::uint32_t height) {
  Image image{width, height, {}};
  for (std::uint64_t i = 0; i < image.pixels() * 4; ++i) {
    image.rgba.push_back(static_cast<std::uint8_t>(i * i / 7));
  }
  return image;
}

TEST(WebP, KeepsEveryPixel) {
  for (const Image& image : {pattern(1, 1), pattern(7, 300), pattern(64, 64)}) {
    const auto file = encode_webp(image, nullptr);
    ASSERT_TRUE(file.has_value());
    EXPECT_TRUE(is_webp(*file));
    const auto again = decode_texture(*file);
    ASSERT_TRUE(again.has_value());
    EXPECT_EQ(*again, image);
    EXPECT_EQ(*encode_webp(image, nullptr), *file);
  }
}

TEST(WebP, DamageAndLimitsAreErrors) {
  const Bytes file = *encode_webp(pattern(64, 64), nullptr);
  for (const std::size_t size : {std::size_t{12}, std::size_t{24}, file.size() / 2}) {
    const auto broken = decode_texture(ByteView(file).first(size));
    ASSERT_FALSE(broken.has_value()) << size;
    EXPECT_EQ(broken.error().code, codes::kImageMalformed);
  }
  ReadOptions options;
  options.limits.max_image_pixels = 64 * 64 - 1;
  const auto large = decode_texture(file, options);
  ASSERT_FALSE(large.has_value());
  EXPECT_EQ(large.error().code, codes::kInputTooLarge);
  for (const Image& image : {Image{}, pattern(16384, 1)}) {
    EXPECT_EQ(encode_webp(image, nullptr).error().code, codes::kImageMalformed);
  }
}

}  // namespace
}  // namespace thaw
