#include <thaw/value.hpp>

#include "bytes/number_text.hpp"

#include <gtest/gtest.h>
#include <limits>

namespace thaw {
namespace {

TEST(SceneValue, MembersKeepTheirOrder) {
  Value value;
  value.set("z", 1).set("a", "text").set("z", 2);
  EXPECT_EQ(to_json(value), R"({"z":2,"a":"text"})");
  EXPECT_EQ(*value.find("a"), Value("text"));
  EXPECT_EQ(value.find("b"), nullptr);
  Value list;
  list.push(true).push(Value()).push(Value::Object{});
  EXPECT_EQ(to_json(list), "[true,null,{}]");
}

TEST(SceneValue, WrongUseChangesNothing) {
  Value number = 5;
  number.set("a", 1).push(2);
  EXPECT_EQ(number, Value(5));
  EXPECT_EQ(number.find("a"), nullptr);
  EXPECT_FALSE(number.empty());
  EXPECT_TRUE(Value().empty());
  EXPECT_TRUE(Value(Value::List{}).empty());
}

TEST(SceneValue, PathsLeadSomewhereOrToNull) {
  Value root;
  root.set("list", Value().push(1).push(Value().set("name", "second"))).set("half", 0.5F).set("third", 1.5);
  EXPECT_EQ(root["list"][0].integer(), 1);
  EXPECT_EQ(root["list"][1]["name"].text(), "second");
  EXPECT_EQ(root["list"].list().size(), 2U);
  EXPECT_EQ(root.object().size(), 3U);
  EXPECT_EQ(root["list"][0].number(), 1.0);
  EXPECT_EQ(root["half"].number(), 0.5);
  EXPECT_EQ(root["third"].number(), 1.5);
  for (const Value& none :
       {root["list"][2], root["list"]["name"], root[0], root["none"]["of"]["these"], Value()}) {
    EXPECT_TRUE(none.is_null());
    EXPECT_EQ(none.text(), "");
    EXPECT_TRUE(none.list().empty() && none.object().empty());
    EXPECT_FALSE(none.integer() || none.number());
  }
  EXPECT_FALSE(root["half"].integer());
}

TEST(SceneValue, Numbers) {
  Value list;
  list.push(0.1F).push(0.1).push(-0.0F).push(1e30F).push(std::numeric_limits<float>::infinity());
  list.push(std::int64_t{1} << 60U).push(16777217.0);
  EXPECT_EQ(to_json(list), "[0.1,0.1,-0,1e+30,null,1152921504606846976,16777217]");
}

TEST(SceneValue, TextIsAlwaysUtf8) {
  Value value;
  value.set("\xE9", "\x80 \"\n");
  EXPECT_EQ(to_json(value), "{\"\xC3\xA9\":\"\xE2\x82\xAC \\\"\\n\"}");
}

TEST(NumberText, Shortest) {
  std::string text;
  append_number(text, 16777216.0F);
  text += ' ';
  append_number(text, std::numeric_limits<float>::denorm_min());
  text += ' ';
  append_number(text, 1.0 / 3);
  EXPECT_EQ(text, "16777216 1e-45 0.3333333333333333");
}

}  // namespace
}  // namespace thaw
