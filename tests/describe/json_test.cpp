// JSON text as values.

#include <thaw/value.hpp>

#include <gtest/gtest.h>

#include <string>

namespace thaw {
namespace {

Result<Value> parsed(const std::string& text) {
  return parse_json({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

double number(const std::string& text) {
  const auto value = parsed(text);
  const auto* real = value ? std::get_if<double>(&value->storage()) : nullptr;
  return real == nullptr ? -12345 : *real;
}

std::int64_t whole(const std::string& text) {
  const auto value = parsed(text);
  const auto* integer = value ? std::get_if<std::int64_t>(&value->storage()) : nullptr;
  return integer == nullptr ? -12345 : *integer;
}

TEST(Json, WholeNumbersStayWhole) {
  EXPECT_EQ(whole("0"), 0);
  EXPECT_EQ(whole("-7"), -7);
  EXPECT_EQ(whole("123456789012345678"), 123456789012345678);
  EXPECT_EQ(number("12345678901234567890123"), 12345678901234567890123.0);
}

TEST(Json, OthersAreRoundedCorrectly) {
  EXPECT_EQ(number("0.1"), 0.1);
  EXPECT_EQ(number("-2.5e-3"), -0.0025);
  EXPECT_EQ(number("1e5"), 100000.0);
  EXPECT_EQ(number("1.7976931348623157e308"), 1.7976931348623157e308);
  EXPECT_EQ(number("9007199254740993.0"), 9007199254740992.0);
  EXPECT_EQ(number("0." + std::string(60, '0')), 0);
  EXPECT_EQ(number("0." + std::string(400, '0') + "1"), 0) << "too small";
  EXPECT_EQ(number("1e-400"), 0);
}

TEST(Json, NumbersBeyondAllAndNoNumbersAreRefused) {
  for (const char* text : {"1e400", "-1e999999", "1e", "01", "+1", ".5", "1.", "nan", "0x10", "--1"}) {
    const auto value = parsed(text);
    ASSERT_FALSE(value) << text;
    EXPECT_EQ(value.error().code.id, "json.malformed") << text;
  }
}

}  // namespace
}  // namespace thaw
