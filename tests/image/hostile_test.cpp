// Hostile textures: cut at every byte, every header word set to every value that breaks readers. Whatever
// reads must write back, decoding must end, and memory must stay in proportion.

#include <thaw/blp.hpp>
#include <thaw/dds.hpp>
#include <thaw/image.hpp>
#include <thaw/tga.hpp>

#include <gtest/gtest.h>

#include "image/jpeg_samples.hpp"
#include "image/texture_files.hpp"
#include "support/heap.hpp"
#include "support/mutate.hpp"

namespace thaw {
namespace {

using namespace test;

/// Small enough that a test over thousands of mutants stays quick.
ReadOptions small_limits() {
  ReadOptions options;
  options.limits.max_image_pixels = 1U << 16U;
  return options;
}

template <class Document>
std::string check(const Result<Document>& document, ByteView file) {
  if (!document) {
    return document.error().message.empty() ? "an error without words" : "";
  }
  if (write(*document) != Bytes(file.begin(), file.end())) {
    return "does not write back";
  }
  Diagnostics diagnostics;
  for (std::size_t level = 0; level <= level_count(*document); ++level) {
    const auto image = decode(*document, level, small_limits(), diagnostics);
    if (image && image->rgba.size() != image->pixels() * 4) {
      return "a picture of another size than it says";
    }
  }
  return "";
}

std::string check(ByteView file) {
  Diagnostics diagnostics;
  decode_texture(file, small_limits(), diagnostics);
  if (blp::is_blp(file)) {
    return check(blp::read(file, {}, diagnostics), file);
  }
  if (dds::is_dds(file)) {
    return check(dds::read(file, {}, diagnostics), file);
  }
  if (png::is_png(file)) {
    return check(png::read(file, {}, diagnostics), file);
  }
  return check(tga::read(file, {}, diagnostics), file);
}

void cut_at_every_byte(const Bytes& file) {
  ASSERT_EQ(check(file), "");
  for (std::size_t size = 0; size < file.size(); ++size) {
    // An exact allocation, so that a sanitizer sees the first byte behind the end.
    const Bytes cut(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size));
    ASSERT_EQ(check(cut), "") << "cut at " << size;
  }
}

/// Sets each aligned word and each single byte of the first `header` bytes.
void damage_header(const Bytes& file, std::size_t header, std::size_t word_size) {
  for (std::size_t at = 0; at + word_size <= std::min(header, file.size()); at += word_size) {
    const Word word{at, word_size, ""};
    for (const std::uint32_t value : hostile_values(file, word)) {
      ASSERT_EQ(check(with_word(file, word, value)), "") << "word at " << at << " set to " << value;
    }
  }
}

Bytes small_palette_blp(std::uint32_t alpha_bits) {
  const std::uint32_t data = kBlp1Tables + 16;
  RawBytes file = blp1_header(1, alpha_bits, 4, 4, {{data, 32}, {data + 32, 8}, {data + 32, 8}});
  return file.append(raw({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})).zeros(44).bytes();
}

Bytes small_dxt_blp() {
  RawBytes file = blp2_header(2, 8, 7, 8, 8, {{kBlp2Tables, 64}, {kBlp2Tables + 64, 16}});
  return file.repeat(raw({9, 3, 7, 200, 1, 77, 5, 6, 0x21, 0xF8, 0x1F, 0, 0xE4, 0x1B, 3, 99}), 5).bytes();
}

TEST(HostileBlp, Palette) {
  for (const std::uint32_t alpha_bits : {1U, 4U, 8U}) {
    const Bytes file = small_palette_blp(alpha_bits);
    cut_at_every_byte(file);
    damage_header(file, file.size(), 4);
  }
}

TEST(HostileBlp, Dxt) {
  const Bytes file = small_dxt_blp();
  cut_at_every_byte(file);
  damage_header(file, 148, 4);
  damage_header(file, 20, 1);
}

TEST(HostileBlp, Jpeg) {
  for (const Bytes& stream : {flat_jpeg(), progressive_jpeg()}) {
    const Bytes file = jpeg_blp1(stream, 64, 8, 16);
    cut_at_every_byte(file);
    damage_header(file, 164, 4);
  }
}

TEST(HostileBlp, EveryByteOfAJpegStream) {
  const Bytes file = jpeg_blp1(gradient_jpeg(), 64, 8, 16);
  for (std::size_t at = 160; at < file.size(); ++at) {
    for (const std::uint8_t value :
         std::array<std::uint8_t, 8>{0x00, 0x01, 0x7F, 0x80, 0xC4, 0xD9, 0xDA, 0xFF}) {
      Bytes mutant = file;
      mutant[at] = value;
      ASSERT_EQ(check(mutant), "") << at;
    }
  }
}

TEST(HostileDds, BlocksAndMasks) {
  const Bytes blocks =
      dds_file({8, 8, 1, 4, four_cc(FourCC{"DXT5"}), 0}, RawBytes().repeat(raw({7, 1, 2, 3}), 28));
  cut_at_every_byte(blocks);
  damage_header(blocks, 128, 4);
  DdsHeader header{4, 4, 0, 1, {}, 0};
  header.format.flags = dds::PixelFormat::kRgb | dds::PixelFormat::kAlphaPixels;
  header.format.bits = 16;
  header.format.red_mask = 0xF800;
  header.format.green_mask = 0x7E0;
  header.format.blue_mask = 0x1F;
  const Bytes masked = dds_file(header, RawBytes().zeros(32));
  cut_at_every_byte(masked);
  damage_header(masked, 128, 4);
}

TEST(HostileDds, Dx10) {
  const Bytes file = dx10_file(98, RawBytes().repeat(raw({0x41, 9, 8, 7}), 8), {8, 4, 1, 2, {}, 0}, 4, 4, 1);
  cut_at_every_byte(file);
  damage_header(file, 148, 4);
  for (std::uint32_t format = 0; format < 140; ++format) {
    ASSERT_EQ(check(with_word(file, {128, 4, ""}, format)), "") << format;
  }
}

Bytes small_tga(unsigned type, unsigned depth, const RawBytes& data) {
  RawBytes file = raw({2, 0, type, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 2, 0, depth, 0x28, 'i', 'd'});
  return file.append(data).zeros(495).u32(40).u32(0).text("TRUEVISION-XFILE.", 18).bytes();
}

TEST(HostileTga, PlainAndPackets) {
  for (const Bytes& file :
       {small_tga(2, 24, RawBytes().zeros(18)),
        small_tga(10, 32, raw({0x82, 1, 2, 3, 4, 0x02, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3})),
        small_tga(3, 8, RawBytes().zeros(6))}) {
    cut_at_every_byte(file);
    damage_header(file, 40, 1);
    damage_header(file, 40, 2);
    damage_header(Bytes(file), file.size() % 2, 2);
    const Word extension{file.size() - 26, 4, ""};
    for (const std::uint32_t value : hostile_values(file, extension)) {
      ASSERT_EQ(check(with_word(file, extension, value)), "") << value;
    }
  }
}

TEST(HostilePng, EveryByte) {
  Image image{6, 5, {}};
  for (std::size_t i = 0; i < 120; ++i) {
    image.rgba.push_back(static_cast<std::uint8_t>(i * i));
  }
  const Bytes file = encode_png(image);
  cut_at_every_byte(file);
  damage_header(file, file.size(), 1);
  damage_header(file, file.size(), 4);
}

// --- memory
// ---------------------------------------------------------------------------------------------------------

constexpr std::size_t kMegabyte = std::size_t{1} << 20U;

template <class Read>
std::size_t peak_of(const Bytes& file, Read&& read) {
  Diagnostics diagnostics;
  const HeapMeter meter;
  const auto document = read(file, ReadOptions{}, diagnostics);
  EXPECT_TRUE(document);
  return meter.peak();
}

TEST(HostileMemory, LevelsThatAllClaimTheWholeFile) {
  RawBytes header = blp1_header(1, 0, 32768, 32768, std::vector<LevelPlace>(16, {0, kMegabyte}));
  const Bytes file = header.zeros(kMegabyte - header.size()).bytes();
  EXPECT_LT(peak_of(file, blp::read), 4 * kMegabyte);
}

TEST(HostileMemory, ManyEmptyChunks) {
  RawBytes file = raw({0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'});
  file.repeat(raw({0, 0, 0, 0, 'n', 'o', 'n', 'e', 0, 0, 0, 0}), kMegabyte / 12);
  EXPECT_LT(peak_of(file.bytes(), png::read), 16 * kMegabyte);
}

TEST(HostileMemory, HeadersThatPromiseTooMuch) {
  const Bytes dds = dds_file({16384, 16384, 0, 15, four_cc(FourCC{"DXT1"}), 0}, RawBytes().zeros(100));
  RawBytes tga = raw({0, 0, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 64, 0, 64, 32, 8});
  tga.repeat(raw({0xFF, 1, 2, 3, 4}), 100);
  const std::uint32_t data = kBlp1Tables + kPaletteSize;
  RawBytes blp = blp1_header(1, 8, 16384, 16384, {{data, 1000}});
  for (const Bytes& file : {dds, tga.bytes(), blp.append(palette()).zeros(1000).bytes()}) {
    Diagnostics diagnostics;
    const HeapMeter meter;
    EXPECT_FALSE(decode_texture(file, {}, diagnostics));
    EXPECT_LT(meter.peak(), kMegabyte);
  }
}

}  // namespace
}  // namespace thaw
