// Pictures into BLP and DDS and back.
#include <thaw/blp.hpp>
#include <thaw/dds.hpp>
#include <thaw/image.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "image/texture_files.hpp"

namespace thaw {
namespace {

using test::Pixel;
using test::pixel;

Image filled(std::uint32_t width, std::uint32_t height, const Pixel& color) {
  Image image{width, height, {}};
  for (std::uint64_t i = 0; i < image.pixels(); ++i) {
    for (const auto channel : color) {
      image.rgba.push_back(static_cast<std::uint8_t>(channel));
    }
  }
  return image;
}

void set(Image& image, std::uint32_t x, std::uint32_t y, const Pixel& color) {
  for (std::size_t c = 0; c < 4; ++c) {
    image.rgba[(std::size_t{y} * image.width + x) * 4 + c] = static_cast<std::uint8_t>(color[c]);
  }
}

/// Every pixel has a colour of its own.
Image gradient(std::uint32_t width, std::uint32_t height, bool alpha) {
  Image image = filled(width, height, {0, 0, 0, 255});
  for (std::uint32_t y = 0; y < height; ++y) {
    for (std::uint32_t x = 0; x < width; ++x) {
      set(image, x, y,
          {255 * x / width, 255 * y / height, (x + y) % 256, alpha ? 255 - 200 * y / height : 255});
    }
  }
  return image;
}

double root_mean_square(const Image& a, const Image& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.rgba.size(); ++i) {
    const double difference = a.rgba[i] - b.rgba[i];
    sum += difference * difference;
  }
  return std::sqrt(sum / static_cast<double>(a.rgba.size()));
}

/// Blocks of few and very different pixels lose their details, not their colour.
void expect_near(const Image& seen, const Image& requested, double allowed) {
  ASSERT_EQ(seen.width, requested.width);
  ASSERT_EQ(seen.height, requested.height);
  if (requested.width >= 20) {
    EXPECT_LE(root_mean_square(seen, requested), allowed);
  }
  std::array<double, 4> difference{};
  for (std::size_t i = 0; i < seen.rgba.size(); ++i) {
    difference[i % 4] += seen.rgba[i] - requested.rgba[i];
  }
  for (const double sum : difference) {
    EXPECT_LE(std::fabs(sum) / static_cast<double>(requested.pixels()), 4 * allowed);
  }
}

TEST(Reduce, MeansOfFour) {
  Image image = filled(2, 2, {0, 0, 0, 255});
  set(image, 1, 1, {200, 100, 41, 255});
  EXPECT_EQ(pixel(reduced(image, 1, 1), 0, 0), (Pixel{50, 25, 10, 255}));
}

TEST(Reduce, InvisiblePixelsDoNotBleed) {
  Image image = filled(2, 2, {255, 0, 0, 0});
  set(image, 0, 0, {0, 90, 0, 200});
  EXPECT_EQ(pixel(reduced(image, 1, 1), 0, 0), (Pixel{0, 90, 0, 50}));
  // Nothing to see anywhere: the colours stay, for whoever makes them visible.
  EXPECT_EQ(pixel(reduced(filled(2, 2, {7, 8, 9, 0}), 1, 1), 0, 0), (Pixel{7, 8, 9, 0}));
}

TEST(Reduce, PartsOfPixelsCountByTheirArea) {
  Image image = filled(3, 1, {0, 0, 0, 255});
  set(image, 1, 0, {90, 0, 0, 255});
  const Image half = reduced(image, 2, 1);  // each covers one and a half pixels
  EXPECT_EQ(pixel(half, 0, 0)[0], 30U);
  EXPECT_EQ(pixel(half, 1, 0)[0], 30U);
}

TEST(Reduce, KeepsFlatColors) {
  for (const auto& [width, height] : {std::pair{7U, 5U}, {8U, 4U}, {1U, 9U}}) {
    for (const Image& level : mip_chain(filled(width, height, {13, 77, 200, 99}))) {
      for (std::uint32_t x = 0; x < level.width; ++x) {
        ASSERT_EQ(pixel(level, x, 0), (Pixel{13, 77, 200, 99}));
      }
    }
  }
}

TEST(Reduce, ChainsEndAtOnePixel) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> sizes;
  for (const Image& level : mip_chain(filled(20, 5, {1, 2, 3, 4}))) {
    sizes.emplace_back(level.width, level.height);
    EXPECT_EQ(level.rgba.size(), level.pixels() * 4);
  }
  EXPECT_EQ(sizes,
            (std::vector<std::pair<std::uint32_t, std::uint32_t>>{{20, 5}, {10, 2}, {5, 1}, {2, 1}, {1, 1}}));
}

TEST(Reduce, FitsWithinASide) {
  const auto size = [](std::uint32_t width, std::uint32_t height, std::uint32_t longest) {
    const Image image = fitted(filled(width, height, {1, 1, 1, 255}), longest);
    return std::pair{image.width, image.height};
  };
  EXPECT_EQ(size(64, 32, 0), (std::pair{64U, 32U}));
  EXPECT_EQ(size(64, 32, 64), (std::pair{64U, 32U}));
  EXPECT_EQ(size(64, 32, 16), (std::pair{16U, 8U}));
  EXPECT_EQ(size(30, 60, 20), (std::pair{10U, 20U}));
  EXPECT_EQ(size(100, 1, 10), (std::pair{10U, 1U}));
}

// --- BLP

struct BlpCase {
  const char* name;
  blp::Variant variant;
  PixelEncoding encoding;
  bool alpha;
  double allowed;  ///< root mean square of all channels
};

void PrintTo(const BlpCase& item, std::ostream* stream) { *stream << item.name; }

class BlpEncode : public testing::TestWithParam<BlpCase> {};

TEST_P(BlpEncode, ReadsBackAtEveryLevel) {
  const BlpCase& item = GetParam();
  for (const auto& [width, height] : {std::pair{64U, 32U}, {37U, 21U}, {1U, 1U}}) {
    const Image image = gradient(width, height, item.alpha);
    Diagnostics diagnostics;
    const auto document = blp::encode(image, item.variant, {item.encoding}, diagnostics);
    ASSERT_TRUE(document) << document.error().message;
    const Bytes file = blp::write(*document);
    ReadOptions strict;
    strict.strict = true;
    const auto again = blp::read(file, strict, diagnostics);
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(*again, *document);
    EXPECT_TRUE(diagnostics.items().empty()) << diagnostics.items().front().message;
    const auto levels = mip_chain(image);
    ASSERT_EQ(blp::level_count(*again), levels.size());
    for (std::size_t i = 0; i < levels.size(); ++i) {
      const auto seen = blp::decode(*again, i, {}, diagnostics);
      ASSERT_TRUE(seen) << i << ": " << seen.error().message;
      SCOPED_TRACE(i);
      expect_near(*seen, levels[i], item.allowed);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Encodings, BlpEncode,
    testing::Values(BlpCase{"jpeg", blp::Variant::blp1, PixelEncoding::jpeg, false, 4},
                    BlpCase{"jpeg_alpha", blp::Variant::blp1, PixelEncoding::jpeg, true, 4},
                    BlpCase{"palette", blp::Variant::blp1, PixelEncoding::palette, false, 8},
                    BlpCase{"palette_alpha", blp::Variant::blp1, PixelEncoding::palette, true, 8},
                    BlpCase{"palette2", blp::Variant::blp2, PixelEncoding::palette, true, 8},
                    BlpCase{"bc1", blp::Variant::blp2, PixelEncoding::bc1, false, 6},
                    BlpCase{"bc3", blp::Variant::blp2, PixelEncoding::bc3, true, 6},
                    BlpCase{"bgra", blp::Variant::blp2, PixelEncoding::bgra, true, 0}),
    [](const auto& item) { return std::string(item.param.name); });

TEST(BlpEncode, FewColorsLoseNothing) {
  Image image = filled(32, 32, {0, 0, 0, 255});
  for (std::uint32_t i = 0; i < 1024; ++i) {
    set(image, i % 32, i / 32, {i % 256, 255 - i % 256, i % 256 / 2, i % 7 * 42});
  }
  Diagnostics diagnostics;
  for (const auto variant : {blp::Variant::blp1, blp::Variant::blp2}) {
    const auto document = blp::encode(image, variant, {}, diagnostics);
    ASSERT_TRUE(document);
    EXPECT_EQ(document->content(), blp::Content::palette);
    auto seen = blp::decode(*document, 0, {}, diagnostics);
    ASSERT_TRUE(seen);
    for (std::uint32_t i = 0; i < 1024; ++i) {
      const Pixel requested = pixel(image, i % 32, i / 32);
      const Pixel found = pixel(*seen, i % 32, i / 32);
      ASSERT_EQ(found[3], requested[3]);
      if (requested[3] != 0) {  // colours nobody can see need no entry
        ASSERT_EQ(found, requested) << i;
      }
    }
  }
}

TEST(BlpEncode, EntriesThatNothingUsesAreZero) {
  const Image image = filled(8, 8, {10, 20, 30, 255});
  Diagnostics diagnostics;
  for (const auto encoding : {PixelEncoding::palette, PixelEncoding::bc1, PixelEncoding::bgra}) {
    const auto document = blp::encode(image, blp::Variant::blp2, {encoding}, diagnostics);
    ASSERT_TRUE(document);
    ASSERT_EQ(document->palette.size(), 256U);
    const std::size_t used = encoding == PixelEncoding::palette ? 1 : 0;
    for (std::size_t i = used; i < document->palette.size(); ++i) {
      ASSERT_EQ(document->palette[i], (std::array<std::uint8_t, 4>{})) << i;
    }
  }
}

TEST(BlpEncode, PaletteIsNearToAnOptimum) {
  // 4096 colours on a grid; 256 of them stand for cells of 4 × 2 × 2 steps, whose mean distance is known.
  Image image = filled(64, 64, {0, 0, 0, 255});
  for (std::uint32_t i = 0; i < 4096; ++i) {
    set(image, i % 64, i / 64, {i % 16 * 17, i / 16 % 16 * 17, i / 256 * 17, 255});
  }
  Diagnostics diagnostics;
  const auto document = blp::encode(image, blp::Variant::blp1, {PixelEncoding::palette}, diagnostics);
  ASSERT_TRUE(document);
  const auto seen = blp::decode(*document, 0, {}, diagnostics);
  ASSERT_TRUE(seen);
  // Cells: variance 1.25, 0.25 and 0.25 steps² of 17, over four channels.
  const double grid = 17 * std::sqrt((1.25 + 0.25 + 0.25) / 4);
  EXPECT_LE(root_mean_square(*seen, image), 1.25 * grid);
}

TEST(BlpEncode, JpegLevelsShareAShortHeader) {
  Diagnostics diagnostics;
  const auto document =
      blp::encode(gradient(128, 128, true), blp::Variant::blp1, {PixelEncoding::jpeg}, diagnostics);
  ASSERT_TRUE(document);
  EXPECT_GE(document->jpeg_header.size(), 70U);  // up to the size of the picture
  EXPECT_LE(document->jpeg_header.size(), 624U);
  EXPECT_EQ(document->alpha_bits, 8U);
  EXPECT_EQ(document->has_mipmaps, 1U);
  for (std::size_t i = 1; i < 8; ++i) {
    EXPECT_EQ(document->offsets[i], document->offsets[i - 1] + document->sizes[i - 1]);
  }
}

TEST(BlpEncode, QualityCostsBytes) {
  Diagnostics diagnostics;
  const Image image = gradient(64, 64, false);
  std::vector<std::size_t> sizes;
  for (const int quality : {-5, 30, 90, 1000}) {
    EncodeOptions options{PixelEncoding::jpeg, quality, false};
    const auto document = blp::encode(image, blp::Variant::blp1, options, diagnostics);
    ASSERT_TRUE(document);
    EXPECT_EQ(blp::level_count(*document), 1U);
    sizes.push_back(blp::write(*document).size());
  }
  EXPECT_LT(sizes[0], sizes[1]);
  EXPECT_LT(sizes[1], sizes[2]);
  EXPECT_LT(sizes[2], sizes[3]);
}

TEST(BlpEncode, SaysWhatIsLostOrCannotBe) {
  Diagnostics diagnostics;
  const Image image = gradient(8, 8, true);
  EXPECT_TRUE(blp::encode(image, blp::Variant::blp2, {PixelEncoding::bc1}, diagnostics));
  EXPECT_EQ(diagnostics.items().size(), 1U);
  for (const auto& [variant, encoding] : {std::pair{blp::Variant::blp1, PixelEncoding::bc1},
                                          {blp::Variant::blp2, PixelEncoding::jpeg},
                                          {blp::Variant::blp2, PixelEncoding::bc5}}) {
    const auto refused = blp::encode(image, variant, {encoding}, diagnostics);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, codes::kImageUnsupported);
  }
  const auto empty = blp::encode({}, blp::Variant::blp1, {}, diagnostics);
  ASSERT_FALSE(empty);
  EXPECT_EQ(empty.error().code, codes::kImageMalformed);
}

// --- DDS

TEST(DdsEncode, ReadsBackAtEveryLevel) {
  struct Case {
    PixelEncoding encoding;
    bool alpha;
    std::string_view name;
    double allowed;
  };
  for (const Case& item :
       {Case{PixelEncoding::automatic, false, "bc1", 8}, Case{PixelEncoding::automatic, true, "bc3", 8},
        Case{PixelEncoding::bgra, true, "bgra8", 0}}) {
    const Image image = gradient(40, 20, item.alpha);
    Diagnostics diagnostics;
    const auto document = dds::encode(image, {item.encoding}, diagnostics);
    ASSERT_TRUE(document);
    const Bytes file = dds::write(*document);
    ReadOptions strict;
    strict.strict = true;
    const auto again = dds::read(file, strict, diagnostics);
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(*again, *document);
    EXPECT_TRUE(again->gaps.empty());
    const auto levels = mip_chain(image);
    ASSERT_EQ(dds::level_count(*again), levels.size());
    for (std::size_t i = 0; i < levels.size(); ++i) {
      const auto seen = dds::decode(*again, i, {}, diagnostics);
      ASSERT_TRUE(seen);
      expect_near(*seen, levels[i], item.allowed);
    }
  }
}

TEST(DdsEncode, NormalMapsKeepRedAndGreen) {
  const Image image = gradient(32, 32, false);
  Diagnostics diagnostics;
  const auto document = dds::encode(image, {PixelEncoding::bc5}, diagnostics);
  ASSERT_TRUE(document);
  const auto seen = dds::decode(*document, 0, {}, diagnostics);
  ASSERT_TRUE(seen);
  for (std::uint32_t i = 0; i < 32; ++i) {
    EXPECT_NEAR(pixel(*seen, i, i)[0], pixel(image, i, i)[0], 4);
    EXPECT_NEAR(pixel(*seen, i, i)[1], pixel(image, i, i)[1], 4);
  }
}

TEST(DdsEncode, RefusesWhatDdsHasNot) {
  Diagnostics diagnostics;
  for (const auto encoding : {PixelEncoding::jpeg, PixelEncoding::palette}) {
    const auto refused = dds::encode(gradient(4, 4, false), {encoding}, diagnostics);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, codes::kImageUnsupported);
  }
}

}  // namespace
}  // namespace thaw
