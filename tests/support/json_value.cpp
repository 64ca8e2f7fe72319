#include "support/json_value.hpp"

#include <gtest/gtest.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

namespace thaw::test {
namespace {

class Handler : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, Handler> {
 public:
  bool Null() { return add({}); }
  bool Bool(bool value) { return add(value); }
  bool Int(int value) { return add(std::int64_t{value}); }
  bool Uint(unsigned value) { return add(std::int64_t{value}); }
  bool Int64(std::int64_t value) { return add(value); }
  bool Uint64(std::uint64_t value) { return add(static_cast<double>(value)); }
  bool Double(double value) { return add(value); }
  bool String(const char* text, rapidjson::SizeType length, bool /*copy*/) {
    return add(std::string(text, length));
  }
  bool StartObject() { return begin(Value::Object{}); }
  bool StartArray() { return begin(Value::List{}); }
  bool EndObject(rapidjson::SizeType /*count*/) { return end(); }
  bool EndArray(rapidjson::SizeType /*count*/) { return end(); }
  bool Key(const char* text, rapidjson::SizeType length, bool /*copy*/) {
    keys_.back().assign(text, length);
    return true;
  }

  Value result;

 private:
  bool add(Value value) {
    if (open_.empty()) {
      result = std::move(value);
    } else if (std::holds_alternative<Value::List>(open_.back().storage())) {
      open_.back().push(std::move(value));
    } else {
      open_.back().set(keys_.back(), std::move(value));
    }
    return true;
  }
  bool begin(Value value) {
    open_.push_back(std::move(value));
    keys_.emplace_back();
    return true;
  }
  bool end() {
    Value value = std::move(open_.back());
    open_.pop_back();
    keys_.pop_back();
    return add(std::move(value));
  }

  std::vector<Value> open_;
  std::vector<std::string> keys_;
};

}  // namespace

Value parse_json(std::string_view text) {
  rapidjson::MemoryStream stream(text.data(), text.size());
  rapidjson::Reader reader;
  Handler handler;
  const auto outcome = reader.Parse < rapidjson::kParseFullPrecisionFlag |
                       rapidjson::kParseValidateEncodingFlag > (stream, handler);
  EXPECT_FALSE(outcome.IsError()) << "at " << outcome.Offset();
  return outcome.IsError() ? Value{} : handler.result;
}

const Value& step(const Value& value, std::string_view name) {
  EXPECT_NE(value.find(name), nullptr) << "no member " << name;
  return value[name];
}

const Value& step(const Value& value, int index) {
  const auto at = static_cast<std::size_t>(index);
  EXPECT_TRUE(index >= 0 && at < value.list().size()) << "no element " << index;
  return value[at];
}

bool has(const Value& value, std::string_view name) { return value.find(name) != nullptr; }

int size_of(const Value& value) { return static_cast<int>(value.list().size() + value.object().size()); }

double number(const Value& value) { return value.number().value_or(-1e30); }

std::string text(const Value& value) {
  const auto* content = std::get_if<std::string>(&value.storage());
  return content == nullptr ? std::string("(no text)") : *content;
}

}  // namespace thaw::test
