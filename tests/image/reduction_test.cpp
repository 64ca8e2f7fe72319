// Images that are reduced while they are decoded.
#include "image/reduction.hpp"

#include <thaw/image.hpp>

#include "bytes/text_encoding.hpp"
#include "image/jpeg.hpp"
#include "image/pixels.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string_view>

namespace thaw {
namespace {

Image noise(std::uint32_t width, std::uint32_t height, bool opaque = false) {
  Image image{width, height, {}};
  std::uint32_t state = width * 7919 + height;
  for (std::uint64_t i = 0; i < image.pixels() * kPixelBytes; ++i) {
    state = state * 1664525U + 1013904223U;
    image.rgba.push_back(opaque && i % kPixelBytes == 3 ? 255 : static_cast<std::uint8_t>(state >> 24U));
  }
  return image;
}

constexpr std::array<std::pair<std::uint32_t, std::uint32_t>, 5> kSizes = {
    {{64, 32}, {63, 31}, {100, 7}, {5, 90}, {1, 1}}};

TEST(Reduction, GivesWhatReducedGivesOfEveryRow) {
  for (const auto& [width, height] : kSizes) {
    const Image image = noise(width, height);
    for (const std::uint32_t longest : {1U, 2U, 16U, 31U, 32U, 99U}) {
      const auto [to_width, to_height] = fitted_size(width, height, longest);
      Reduction reduction(width, height, to_width, to_height);
      for (std::uint32_t y = 0; y < height; ++y) {
        reduction.add(image.rgba.data() + std::size_t{y} * width * kPixelBytes);
      }
      EXPECT_EQ(reduction.take(), fitted(image, longest)) << width << " x " << height << " to " << longest;
    }
  }
}

TEST(DecodeFitted, OfPngIsTheReducedImage) {
  for (const auto& [width, height] : kSizes) {
    const Image image = noise(width, height);
    for (const std::uint32_t longest : {0U, 1U, 16U, 32U, 99U}) {
      const auto decoded = decode_fitted(encode_png(image), longest, {}, Diagnostics::discarded());
      ASSERT_TRUE(decoded) << decoded.error().message;
      EXPECT_EQ(*decoded, fitted(image, longest)) << width << " x " << height << " to " << longest;
    }
  }
}

TEST(DecodeFitted, TakesMorePixelsThanOneThatIsHeldAsAWhole) {
  ReadOptions options;
  options.limits.max_image_pixels = 100;
  const Bytes png = encode_png(noise(30, 30));
  EXPECT_FALSE(decode_texture(png, options));
  EXPECT_FALSE(decode_fitted(png, 0, options, Diagnostics::discarded()));
  const auto decoded = decode_fitted(png, 10, options, Diagnostics::discarded());
  ASSERT_TRUE(decoded) << decoded.error().message;
  EXPECT_EQ(decoded->width, 10U);
  const auto beyond = decode_fitted(encode_png(noise(41, 40)), 10, options, Diagnostics::discarded());
  ASSERT_FALSE(beyond) << "16 times as many, and no more";
  EXPECT_EQ(beyond.error().code, codes::kInputTooLarge);
  EXPECT_FALSE(decode_fitted(png, 20, options, Diagnostics::discarded())) << "what comes out is held";
}

/// 20 × 17 pixels, baseline.
constexpr std::string_view kJpeg =
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWG"
    "kJ6jq62rZ4C8ybqmx5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSk"
    "pKSkpKSkpKSkpKSkpKT/wAARCAARABQDAREAAhEBAxEB/8QAFwABAAMAAAAAAAAAAAAAAAAABAIDBf/EABwQAAEFAQEBAAAA"
    "AAAAAAAAAAABAgMEYTERIf/EABkBAQADAQEAAAAAAAAAAAAAAAQBAwUABv/EABsRAAICAwEAAAAAAAAAAAAAAAACAQMRITES"
    "/9oADAMBAAIRAxEAPwDGjr4VeskJYKjrYR0alghtX5w7yMi3RZFXwoVsnl0sGRVsErsYlghIGoniktbWk4adi1smYDxAazAQ"
    "bEOrFoTbwxo4Pjh//9k=";

TEST(DecodeFitted, OfJpegIsTheReducedImage) {
  const auto jpeg = decode_base64(kJpeg);
  ASSERT_TRUE(jpeg);
  const auto whole = decode_jpeg(*jpeg, {}, Diagnostics::discarded());
  ASSERT_TRUE(whole) << whole.error().message;
  for (const std::uint32_t longest : {0U, 1U, 5U, 10U, 19U, 40U}) {
    const auto decoded = decode_fitted(*jpeg, longest, {}, Diagnostics::discarded());
    ASSERT_TRUE(decoded) << decoded.error().message;
    EXPECT_EQ(*decoded, fitted(*whole, longest)) << longest;
  }
}

TEST(DecodeFitted, OfABrokenPngIsAnError) {
  Bytes png = encode_png(noise(30, 30));
  png.resize(png.size() / 2);
  EXPECT_FALSE(decode_fitted(png, 10, {}, Diagnostics::discarded()));
}

TEST(EachLevel, GivesTheLevelsOfTheChain) {
  const Image image = noise(20, 5);
  std::vector<Image> levels;
  each_level(image, chain_length(20, 5), [&](const Image& level) { levels.push_back(level); });
  EXPECT_EQ(levels, mip_chain(image));
}

}  // namespace
}  // namespace thaw
