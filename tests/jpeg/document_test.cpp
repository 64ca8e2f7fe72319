// JPEG as a format: segments, facts, rules, as a texture.
#include <thaw/format.hpp>
#include <thaw/image.hpp>
#include <thaw/validate.hpp>

#include "image/jpeg.hpp"
#include "support/findings.hpp"

#include <gtest/gtest.h>

namespace thaw {
namespace {

/// A grey picture of 8 × 8, the smallest that a baseline stream can hold: every coefficient is 0.
Bytes grey_picture() {
  Bytes bytes = {0xFF, 0xD8, 0xFF, 0xDB, 0x00, 0x43, 0x00};
  bytes.insert(bytes.end(), 64, std::uint8_t{1});
  const Bytes frame = {0xFF, 0xC0, 0x00, 0x0B, 8, 0, 8, 0, 8, 1, 1, 0x11, 0};
  bytes.insert(bytes.end(), frame.begin(), frame.end());
  for (const std::uint8_t kind : {std::uint8_t{0x00}, std::uint8_t{0x10}}) {
    // One code of one bit, for the symbol 0.
    const Bytes table = {0xFF, 0xC4, 0x00, 0x14, kind, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    bytes.insert(bytes.end(), table.begin(), table.end());
  }
  const Bytes scan = {0xFF, 0xDA, 0x00, 0x08, 1, 1, 0, 0, 63, 0, 0x3F, 0xFF, 0xD9};
  bytes.insert(bytes.end(), scan.begin(), scan.end());
  return bytes;
}

jpeg::Document read_good(const Bytes& bytes) {
  Diagnostics findings;
  auto document = jpeg::read(bytes, {}, findings);
  EXPECT_TRUE(findings.items().empty());
  return document.value();
}

TEST(Jpeg, WritesWhatItRead) {
  const Bytes bytes = grey_picture();
  const auto document = read_good(bytes);
  EXPECT_EQ(document.segments.size(), 7U);
  EXPECT_EQ(jpeg::write(document), bytes);
  EXPECT_EQ(account_bytes([&](Inspector& inspector) { jpeg::inspect(document, inspector); }).raw, 0U);
}

TEST(Jpeg, ReadsItsFrame) {
  const auto frame = jpeg::frame_of(read_good(grey_picture()));
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->width, 8U);
  EXPECT_EQ(frame->height, 8U);
  EXPECT_EQ(frame->components, 1U);
  EXPECT_FALSE(frame->progressive);
}

TEST(Jpeg, EveryPrefixIsKeptAndReported) {
  const Bytes whole = grey_picture();
  for (std::size_t size = 4; size < whole.size(); ++size) {
    const ByteView cut = ByteView(whole).first(size);
    Diagnostics findings;
    const auto document = jpeg::read(cut, {}, findings);
    ASSERT_TRUE(document) << size;
    EXPECT_TRUE(test::has(findings, codes::kTruncated.id)) << size;
    const Bytes written = jpeg::write(*document);
    EXPECT_TRUE(std::equal(written.begin(), written.end(), cut.begin(), cut.end())) << size;
    ReadOptions strict;
    strict.strict = true;
    EXPECT_EQ(jpeg::read(cut, strict, findings).error().code, codes::kTruncated) << size;
  }
}

TEST(Jpeg, BytesAfterTheEndAreKept) {
  Bytes bytes = grey_picture();
  bytes.push_back(7);
  Diagnostics findings;
  const auto document = jpeg::read(bytes, {}, findings);
  ASSERT_TRUE(document);
  EXPECT_TRUE(test::has(findings, codes::kFileTail.id));
  EXPECT_EQ(jpeg::write(*document), bytes);
}

TEST(Jpeg, IsAFormatLikeOthers) {
  Diagnostics findings;
  const auto any = read_any(grey_picture(), {}, findings);
  ASSERT_TRUE(any);
  EXPECT_EQ(any->identity().format, "jpeg");
  const Facts facts = summarize(*any);
  ASSERT_TRUE(facts.picture);
  EXPECT_EQ(facts.picture->encoding, "jpeg grey");
  const auto image = decode_texture(write_any(*any), {}, findings);
  ASSERT_TRUE(image);
  EXPECT_EQ(image->pixels(), 64U);
}

TEST(Jpeg, RulesSayWhatGamesAndDecodersReject) {
  Diagnostics findings;
  const auto sound = validate(*read_any(grey_picture(), {}, findings), {});
  EXPECT_TRUE(test::has(sound, "jpeg.refused"));
  EXPECT_FALSE(test::has(sound, "jpeg.decode"));
  EXPECT_FALSE(test::has(sound, "jpeg.components"));
  auto document = read_good(grey_picture());
  document.segments[2].data[5] = 2;
  const auto odd = validate(AnyDocument(Identity(), document), {});
  EXPECT_TRUE(test::has(odd, "jpeg.components"));
  EXPECT_TRUE(test::has(odd, "jpeg.decode"));
}

}  // namespace
}  // namespace thaw
