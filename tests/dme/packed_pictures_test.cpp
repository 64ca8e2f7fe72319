// Pictures of surfaces, packed as the game has them.
#include "formats/forgelight/dme/packed_pictures.hpp"

#include <gtest/gtest.h>

#include <array>

namespace thaw::dme {
namespace {

using Pixel = std::array<std::uint8_t, 4>;

Image picture(std::uint32_t width, std::uint32_t height, std::initializer_list<Pixel> pixels) {
  Image image{width, height, {}};
  for (const Pixel& pixel : pixels) {
    image.rgba.insert(image.rgba.end(), pixel.begin(), pixel.end());
  }
  return image;
}

Pixel pixel_of(const Image& image, std::size_t number) {
  Pixel pixel{};
  std::copy_n(image.rgba.begin() + static_cast<std::ptrdiff_t>(number * 4), 4, pixel.begin());
  return pixel;
}

TEST(PackedPictures, NormalsAreInAlphaAndGreenAndNothingIsTinted) {
  const Image packed = packed_normals(picture(2, 1, {{128, 127, 255, 255}, {10, 240, 128, 255}}));
  EXPECT_EQ(pixel_of(packed, 0)[3], 128);
  EXPECT_EQ(pixel_of(packed, 0)[1], 127);
  EXPECT_EQ(pixel_of(packed, 1)[3], 10);
  EXPECT_EQ(pixel_of(packed, 1)[1], 240);
  for (const std::size_t i : {0U, 1U}) {  // dma.md#textures
    EXPECT_GE(pixel_of(packed, i)[0], 50);
    EXPECT_GE(pixel_of(packed, i)[2], 50);
    EXPECT_LE(pixel_of(packed, i)[2], 150);
  }
}

TEST(PackedPictures, MetalIsRedAndRoughnessAlpha) {
  const Image orm = picture(2, 1, {{255, 77, 200, 0}, {0, 5, 6, 0}});
  const PackedSurface packed = packed_surface({&orm, nullptr, nullptr, 1});
  EXPECT_EQ(pixel_of(packed.image, 0), (Pixel{200, 0, 0, 77}));
  EXPECT_EQ(pixel_of(packed.image, 1), (Pixel{6, 0, 0, 5}));
  EXPECT_EQ(packed.off, 0U);
}

TEST(PackedPictures, LightIsAShareOfTheColour) {
  const Image light = picture(1, 1, {{80, 160, 40, 255}});
  const Image color = picture(1, 1, {{100, 200, 50, 255}});
  const PackedSurface packed = packed_surface({nullptr, &light, &color, 1});
  EXPECT_EQ(pixel_of(packed.image, 0)[2], 204);  // four fifths
  EXPECT_LE(packed.off, 1U);
  const PackedSurface brighter = packed_surface({nullptr, &light, &color, 1.25});
  EXPECT_EQ(pixel_of(brighter.image, 0)[2], 255);
  EXPECT_LE(brighter.off, 1U);
}

TEST(PackedPictures, LightOfAnotherColourIsAsFarOffAsItSays) {
  const Image light = picture(1, 1, {{255, 0, 0, 255}});
  const Image color = picture(1, 1, {{255, 255, 255, 255}});
  const PackedSurface packed = packed_surface({nullptr, &light, &color, 1});
  EXPECT_EQ(pixel_of(packed.image, 0)[2], 85);  // a third, the nearest grey
  EXPECT_EQ(packed.off, 170U);
}

TEST(PackedPictures, NothingShinesWhereTheColourIsTransparentOrTheLightTooWeak) {
  const Image light = picture(2, 1, {{200, 200, 200, 255}, {40, 40, 40, 255}});
  const Image color = picture(2, 1, {{255, 255, 255, 0}, {255, 255, 255, 255}});
  const PackedSurface packed = packed_surface({nullptr, &light, &color, 1});
  EXPECT_EQ(pixel_of(packed.image, 0)[2], 0);
  EXPECT_EQ(pixel_of(packed.image, 1)[2], 0);  // 0.2 of 255 and less is none
}

TEST(PackedPictures, TheLargestPictureDecidesAndOthersAreTakenWhereTheyLie) {
  const Image orm = picture(1, 1, {{255, 9, 8, 0}});
  const Image light = picture(2, 2, {{0, 0, 0, 255}, {255, 255, 255, 255}, {0, 0, 0, 255}, {0, 0, 0, 255}});
  const PackedSurface packed = packed_surface({&orm, &light, nullptr, 1});
  ASSERT_EQ(packed.image.pixels(), 4U);
  EXPECT_EQ(pixel_of(packed.image, 1), (Pixel{8, 0, 255, 9}));
  EXPECT_EQ(pixel_of(packed.image, 2), (Pixel{8, 0, 0, 9}));
}

}  // namespace
}  // namespace thaw::dme
