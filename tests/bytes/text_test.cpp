#include "bytes/text.hpp"
#include "bytes/hash.hpp"
#include "bytes/number_text.hpp"
#include "bytes/text_encoding.hpp"

#include <gtest/gtest.h>

namespace thaw {
namespace {

TEST(Hex, NumbersAndBytes) {
  EXPECT_EQ(hex_text(0xBEEF), "000000000000beef");
  EXPECT_EQ(hex_text(0xBEEF, 2), "ef");
  EXPECT_EQ(parse_hex("00Beef"), 0xBEEFU);
  EXPECT_EQ(parse_hex("ffffffffffffffff"), ~std::uint64_t{0});
  for (const char* none : {"", "0x1", "-1", "g", "00000000000000001"}) {
    EXPECT_EQ(parse_hex(none), std::nullopt) << none;
  }
  std::string text = "#";
  append_hex(text, to_bytes("\xFF\x0A"));
  EXPECT_EQ(text, "#ff0a");
  EXPECT_EQ(bytes_of_hex("FF0a"), to_bytes("\xFF\x0A"));
  EXPECT_EQ(bytes_of_hex(""), Bytes());
  EXPECT_EQ(bytes_of_hex("ff0"), std::nullopt);
  EXPECT_EQ(bytes_of_hex("+1"), std::nullopt);
}

TEST(WholeNumbers, AreDigitsAlone) {
  EXPECT_EQ(parse_whole("0"), 0U);
  EXPECT_EQ(parse_whole("0042"), 42U);
  EXPECT_EQ(parse_whole("4294967295"), 4294967295U);
  for (const char* none : {"", "4294967296", "-1", "+1", " 1", "1 ", "1.0", "1e3"}) {
    EXPECT_EQ(parse_whole(none), std::nullopt) << none;
  }
}

TEST(GamePaths, PartsAndExtensions) {
  EXPECT_EQ(last_part("Units\\Human/Footman.mdx"), "Footman.mdx");
  EXPECT_EQ(last_part("Footman.mdx"), "Footman.mdx");
  EXPECT_EQ(last_part("Units/"), "");
  EXPECT_EQ(without_extension("v1.2\\Footman.mdx"), "v1.2\\Footman");
  EXPECT_EQ(without_extension("v1.2\\Footman"), "v1.2\\Footman");
  EXPECT_EQ(without_extension("a/.hidden"), "a/.hidden");
  EXPECT_EQ(without_extension("a.tar.gz"), "a.tar");
  EXPECT_EQ(path_stem("Textures\\Sch\xE4"
                      "del.blp"),
            "Sch\xC3\xA4"
            "del");
}

TEST(Text, ByteOrderMark) {
  EXPECT_EQ(without_byte_order_mark("\xEF\xBB\xBFtext"), "text");
  EXPECT_EQ(without_byte_order_mark("\xEF\xBBtext"), "\xEF\xBBtext");
  EXPECT_EQ(without_byte_order_mark(""), "");
}

// The values that the algorithm's authors publish.
TEST(Fnv, PublishedValues) {
  EXPECT_EQ(fnv1a(as_bytes("")), 0xCBF29CE484222325U);
  EXPECT_EQ(fnv1a(as_bytes("a")), 0xAF63DC4C8601EC8CU);
  EXPECT_EQ(fnv1a(as_bytes("foobar")), 0x85944171F73967E8U);
  EXPECT_EQ(WordHash::of("foobar"), 0xBF9CF968U);
  EXPECT_EQ(WordHash::of("FooBar"), 0xBF9CF968U);
}

}  // namespace
}  // namespace thaw
