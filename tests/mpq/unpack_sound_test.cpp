// Methods for sound. What they are packed as here is what StormLib 9.22 makes.
#include "formats/archives/mpq/unpack_sound.hpp"

#include <thaw/archive.hpp>
#include <thaw/codes.hpp>

#include "bytes/text.hpp"
#include "formats/archives/mpq/decompress.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace thaw::mpq {
namespace {

constexpr std::string_view kText = "the thaw thaws the frost that froze the thawed frost; the frost thaws";

Bytes bytes_of(std::string_view hex) {
  Bytes bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes.push_back(static_cast<std::uint8_t>(std::stoul(std::string(hex.substr(i, 2)), nullptr, 16)));
  }
  return bytes;
}

std::vector<int> samples_of(const Bytes& bytes) {
  std::vector<int> samples;
  for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
    samples.push_back(static_cast<std::int16_t>(bytes[i] | bytes[i + 1] << 8));
  }
  return samples;
}

TEST(Huffman, GivesBackWhatWasPackedWithEachKindOfTable) {
  for (const std::string_view packed :
       {// no byte is expected, and each counts
        "00a073342af3209f15d6efc6aa48736509b0d92777bfdd30cafa9db5e999ab70657b6cb29c735ea99d4c1784ffd6213ee50"
        "0",
        // all are
        "01fd1a85d4af79914bfd9a17b94aead728a45a35a9aa2ff56b5e7da9564d9a8842ead728a47ecd8b5c81926ad5a4aabe19a9"
        "5fa39"
        "06ad5a4aabed4af7991ab6204",
        // texts
        "0238a4385cba385cfa1487f4d5fe4471b8e8abfdd2521c521c2e3d475fed4f8c431cd257fb13c5e1d267b9"}) {
    const auto text = unpack_huffman(bytes_of(packed), 1000);
    ASSERT_TRUE(text) << text.error().message;
    EXPECT_EQ(as_text(*text), kText);
    EXPECT_EQ(unpack_huffman(bytes_of(packed), 9)->size(), 9U);
    EXPECT_EQ(unpack_huffman(bytes_of(packed.substr(0, 40)), 1000).error().code, codes::kMpqData);
  }
  EXPECT_EQ(unpack_huffman(bytes_of("09ffff"), 10).error().code, codes::kMpqData);
  EXPECT_EQ(unpack_huffman({}, 10).error().code, codes::kMpqData);
}

TEST(Adpcm, GivesTheSamplesOfOtherReaders) {
  const std::vector<int> mono = {-30000, -9015,  12606,  -26820, -4295,  16188, -22746, -4316,
                                 16167,  -19382, -952,   19531,  -19403, 3122,  23605,  -15329,
                                 7196,   27679,  -11255, 7175,   -28205, -9775, 10708,  -28226};
  const auto one = unpack_adpcm_mono(
      bytes_of("0004d08a81818181810e014f0a0a4d020a45020a4d0a0a4d0a0a4d0249020a4d"), mono.size() * 2);
  ASSERT_TRUE(one) << one.error().message;
  EXPECT_EQ(samples_of(*one), mono);
  const std::vector<int> stereo = {-30000, -9000,  13370,  -26620, -5060,  16385, -25543, -2045,
                                   16778,  -22528, -1652,  19793,  -18411, 1363,  23910,  -15396,
                                   5480,   26925,  -11279, 8495,   -29899, -8264, 11650,  -26884};
  const auto two = unpack_adpcm_stereo(
      bytes_of("0004d08ad8dc81818181810f818181814b4281054a42034a420342420342420342424a420b4a"),
      stereo.size() * 2);
  ASSERT_TRUE(two) << two.error().message;
  EXPECT_EQ(samples_of(*two), stereo);
  EXPECT_EQ(unpack_adpcm_stereo(bytes_of("0004d08ad8"), 100).error().code, codes::kMpqData);
  EXPECT_EQ(unpack_adpcm_mono(bytes_of("00ffd08a0102"), 100).error().code, codes::kMpqData);
}

TEST(Sound, IsUnpackedByMoreThanOneMethod) {
  Unpacking done;
  EXPECT_FALSE(decompress(bytes_of("41010203"), 100, done));
  EXPECT_EQ(methods_text(done.methods), "ADPCM mono+Huffman");
}

TEST(Sound, AnyBytesGiveAResultWithinBounds) {
  std::mt19937 dice(7);  // NOLINT(cert-msc51-cpp): the same bytes in every run
  for (int i = 0; i < 20000; ++i) {
    Bytes packed(dice() % 400);
    for (auto& byte : packed) {
      byte = static_cast<std::uint8_t>(dice());
    }
    if (!packed.empty()) {
      packed[0] = static_cast<std::uint8_t>(i % 10);
    }
    for (const auto& unpack : {unpack_huffman, unpack_adpcm_mono, unpack_adpcm_stereo}) {
      if (const auto bytes = unpack(packed, 500)) {
        ASSERT_LE(bytes->size(), 500U);
      }
    }
  }
}

}  // namespace
}  // namespace thaw::mpq
