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

const Value& nothing() {
  static const Value kNothing;
  return kNothing;
}

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
  const Value* member = value.find(name);
  EXPECT_NE(member, nullptr) << "no member " << name;
  return member == nullptr ? nothing() : *member;
}

const Value& step(const Value& value, int index) {
  const auto* list = std::get_if<Value::List>(&value.storage());
  const bool there = list != nullptr && index >= 0 && static_cast<std::size_t>(index) < list->size();
  EXPECT_TRUE(there) << "no element " << index;
  return there ? (*list)[static_cast<std::size_t>(index)] : nothing();
}

bool has(const Value& value, std::string_view name) { return value.find(name) != nullptr; }

int size_of(const Value& value) {
  if (const auto* list = std::get_if<Value::List>(&value.storage())) {
    return static_cast<int>(list->size());
  }
  const auto* object = std::get_if<Value::Object>(&value.storage());
  return object == nullptr ? 0 : static_cast<int>(object->size());
}

double number(const Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value.storage())) {
    return static_cast<double>(*integer);
  }
  const auto* real = std::get_if<double>(&value.storage());
  return real == nullptr ? -1e30 : *real;
}

std::string text(const Value& value) {
  const auto* content = std::get_if<std::string>(&value.storage());
  return content == nullptr ? std::string("(no text)") : *content;
}

}  // namespace thaw::test
