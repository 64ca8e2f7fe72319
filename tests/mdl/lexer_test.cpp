#include "formats/warcraft/mdl/lexer.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <random>

namespace thaw::mdl {
namespace {

TEST(MdlLexer, CommentsAndCommasAreBlanksAnywhere) {
  Lexer lexer("// first\n a ,, /* b { \" */ c // \"d\"\r\n,}");
  EXPECT_EQ(lexer.word().text, "a");
  EXPECT_EQ(lexer.word().text, "c");
  EXPECT_TRUE(lexer.take('}'));
  EXPECT_TRUE(lexer.at_end());
}

TEST(MdlLexer, EmbeddedCommentsAreText) {
  Lexer lexer("//@thaw Flags 7,\n//@thawed\n// @thaw no\nend");
  EXPECT_EQ(lexer.word().text, "Flags");
  std::int64_t value = 0;
  EXPECT_TRUE(lexer.integer(value));
  EXPECT_EQ(value, 7);
  EXPECT_EQ(lexer.word().text, "end");
}

TEST(MdlLexer, StringsHaveNoEscapes) {
  Lexer lexer("\"a\\\" \"b\nc\" \"open\nnext");
  std::string_view text;
  EXPECT_TRUE(lexer.peek() == '"' && lexer.string(text));
  EXPECT_EQ(text, "a\\");
  EXPECT_TRUE(lexer.peek() == '"' && lexer.string(text));
  EXPECT_EQ(text, "b\nc");
  EXPECT_EQ(lexer.peek(), '"');
  EXPECT_FALSE(lexer.string(text));
  EXPECT_EQ(text, "open");
  EXPECT_EQ(lexer.word().text, "next");
}

TEST(MdlLexer, PlacesCountLinesOfEveryKind) {
  const std::string_view text =
      "\xEF\xBB\xBF"
      "ab\n\tc\r\nd\re";
  Lexer lexer(text);
  const auto place_of = [&](char c) { return lexer.place(text.data() + text.find(c)); };
  EXPECT_EQ(place_of('a').line, 1U);
  EXPECT_EQ(place_of('a').column, 1U);
  EXPECT_EQ(place_of('c').line, 2U);
  EXPECT_EQ(place_of('c').column, 2U);
  EXPECT_EQ(place_of('d').line, 3U);
  EXPECT_EQ(place_of('e').line, 4U);
  EXPECT_EQ(place_of('b').line, 1U) << "also backwards";
  EXPECT_EQ(place_of('b').column, 2U);
}

TEST(MdlLexer, WordsIgnoreCase) {
  static constexpr Keyword kWord{"EmitterUsesMDL"};
  Lexer lexer("emitterusesmdl EmitterUsesMDLx");
  EXPECT_TRUE(lexer.word().is(kWord));
  EXPECT_FALSE(lexer.word().is(kWord));
}

float parsed(std::string_view text) {
  float value = -12345;
  const char* end = parse_number(text.data(), text.data() + text.size(), value);
  EXPECT_EQ(end, text.data() + text.size()) << text;
  return value;
}

TEST(MdlNumbers, EverySpellingThatIsMet) {
  EXPECT_EQ(parsed("0000"), 0.0F);
  EXPECT_EQ(parsed("+060"), 60.0F);
  EXPECT_EQ(parsed("-.5"), -0.5F);
  EXPECT_EQ(parsed("7."), 7.0F);
  EXPECT_EQ(parsed("-1.5e+03"), -1500.0F);
  EXPECT_EQ(parsed("1E-2"), 0.01F);
  EXPECT_TRUE(std::signbit(parsed("-0")));
  EXPECT_EQ(parsed("1e39"), std::numeric_limits<float>::infinity());
  EXPECT_EQ(parsed("1e-60"), 0.0F);
  EXPECT_EQ(parsed("1e999999999999"), std::numeric_limits<float>::infinity());
  EXPECT_EQ(parsed("1e-45"), std::numeric_limits<float>::denorm_min());
  for (const auto* text : {"inf", "INF", "+inf", "1.#INF", "1.#INF"}) {
    EXPECT_EQ(parsed(text), std::numeric_limits<float>::infinity()) << text;
  }
  EXPECT_EQ(parsed("-1.#INF"), -std::numeric_limits<float>::infinity());
  for (const std::string_view text :
       {"1.#INF00", "1.#inf0000000000", "1.#J", "1.#IO", "1.$", "1.#INF000e+000"}) {
    EXPECT_EQ(parsed(text), std::numeric_limits<float>::infinity()) << text;
    EXPECT_EQ(parsed("-" + std::string(text)), -std::numeric_limits<float>::infinity()) << text;
  }
  for (const std::string_view text : {"1.#QNAN0", "1.#QNAN", "1.#QNB", "1.#QO", "1.#R", "1.#SNAN00", "1.#SNB",
                                      "1.#SO", "1.#T", "1.#IND00", "1.#IND000e+000"}) {
    EXPECT_TRUE(std::isnan(parsed(text))) << text;
    EXPECT_TRUE(std::isnan(parsed("-" + std::string(text)))) << text;
  }
  for (const auto* text : {"nan", "NaN", "-nan(ind)", "-1.#IND", "1.#QNAN", "nan(snan)"}) {
    EXPECT_TRUE(std::isnan(parsed(text))) << text;
  }
}

TEST(MdlNumbers, NoNumberTakesNothing) {
  for (const std::string_view text : {"", "-", "+", ".", "e5", "x", "{", "1.#"}) {
    float value = 0;
    EXPECT_EQ(parse_number(text.data(), text.data() + text.size(), value), text.data()) << text;
  }
}

TEST(MdlNumbers, RoundAsTheCLibraryDoes) {
  std::mt19937_64 random(7);  // NOLINT(bugprone-random-generator-seed): the same every time
  for (int i = 0; i < 200000; ++i) {
    std::string text = random() % 2 == 0 ? "-" : "";
    const auto digits = 1 + random() % 22;
    const auto point = random() % (digits + 1);
    for (std::uint64_t k = 0; k < digits; ++k) {
      text += k == point ? "." : "";
      text += static_cast<char>('0' + random() % 10);
    }
    if (random() % 3 == 0) {
      text += 'e' + std::to_string(static_cast<int>(random() % 90) - 50);
    }
    ASSERT_EQ(parsed(text), std::strtof(text.c_str(), nullptr)) << text;
  }
}

TEST(MdlNumbers, MiddlesBetweenFloatsRoundExactly) {
  std::mt19937 random(11);  // NOLINT(bugprone-random-generator-seed)
  for (int i = 0; i < 50000; ++i) {
    const auto bits = static_cast<std::uint32_t>(random()) & 0x7FFFFFFFU;
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    if (!std::isfinite(value) || value > 1e30F) {
      continue;
    }
    const double middle = (double{value} + double{std::nextafter(value, 1e38F)}) / 2;
    std::array<char, 400> text{};
    ASSERT_GT(std::snprintf(text.data(), text.size(), "%.*f", 170, middle), 0);
    ASSERT_EQ(parsed(text.data()), std::strtof(text.data(), nullptr)) << text.data();
  }
}

TEST(MdlNumbers, ShortestTextReadsBackToTheSameBits) {
  std::mt19937 random(13);  // NOLINT(bugprone-random-generator-seed)
  for (int i = 0; i < 200000; ++i) {
    const auto bits = static_cast<std::uint32_t>(random());
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    if (!std::isfinite(value)) {
      continue;
    }
    std::string text;
    append_any_number(text, value);
    const float again = parsed(text);
    ASSERT_EQ(std::memcmp(&again, &value, sizeof value), 0) << text;
  }
}

}  // namespace
}  // namespace thaw::mdl
