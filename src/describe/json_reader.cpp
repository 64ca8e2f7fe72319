
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include <thaw/value.hpp>

#include "bytes/number_text.hpp"

namespace thaw {
namespace {

constexpr std::size_t kMaxDepth = 256;
/// A value costs forty bytes; a hostile text needs two for one.
constexpr std::size_t kFreeValues = std::size_t{1} << 18U;
constexpr std::size_t kBytesPerValue = 6;

/// Builds the value while RapidJSON calls.
class Builder {
 public:
  explicit Builder(std::size_t text_size) : room_(kFreeValues + text_size / kBytesPerValue) {}

  // The names and signatures are RapidJSON's.
  // NOLINTBEGIN(readability-identifier-naming)
  bool Null() { return add({}); }
  bool Bool(bool value) { return add(value); }
  bool Int(int value) { return add(value); }
  bool Uint(unsigned value) { return add(value); }
  bool Int64(std::int64_t value) { return add(value); }
  bool Uint64(std::uint64_t value) { return add(static_cast<double>(value)); }
  bool Double(double value) { return add(value); }
  bool RawNumber(const char* text, rapidjson::SizeType size, bool /*copy*/) {
    return add_number({text, size});
  }
  bool String(const char* text, rapidjson::SizeType size, bool /*copy*/) {
    return add(std::string_view(text, size));
  }
  bool Key(const char* text, rapidjson::SizeType size, bool /*copy*/) {
    open_.back().key.assign(text, size);
    return true;
  }
  bool StartObject() { return start(Value::Object()); }
  bool EndObject(rapidjson::SizeType /*count*/) { return end(); }
  bool StartArray() { return start(Value::List()); }
  bool EndArray(rapidjson::SizeType /*count*/) { return end(); }
  // NOLINTEND(readability-identifier-naming)

  Value take() { return std::move(result_); }

 private:
  struct Open {
    Value::Storage content;
    std::string key;  ///< of the member that comes next
  };

  /// RapidJSON's own numbers shift by the width of a zero (0.000…0).
  bool add_number(std::string_view text) {
    std::int64_t whole = 0;
    if (parse_integer(text.data(), text.data() + text.size(), whole) == text.data() + text.size()) {
      return add(whole);
    }
    double value = 0;
    return parse_double(text, value) && add(value);
  }

  bool start(Value::Storage content) {
    if (open_.size() >= kMaxDepth) {
      return false;
    }
    open_.push_back({std::move(content), {}});
    return true;
  }

  bool end() {
    Value::Storage content = std::move(open_.back().content);
    open_.pop_back();
    if (auto* list = std::get_if<Value::List>(&content)) {
      return add(Value(std::move(*list)));
    }
    return add(Value(std::move(std::get<Value::Object>(content))));
  }

  bool add(Value value) {
    if (room_ == 0) {
      return false;
    }
    --room_;
    if (open_.empty()) {
      result_ = std::move(value);
    } else if (auto* list = std::get_if<Value::List>(&open_.back().content)) {
      list->push_back(std::move(value));
    } else {
      std::get<Value::Object>(open_.back().content)
          .emplace_back(std::move(open_.back().key), std::move(value));
    }
    return true;
  }

  std::vector<Open> open_;
  Value result_;
  std::size_t room_;
};

}  // namespace

Result<Value> parse_json(ByteView text) {
  rapidjson::MemoryStream stream(reinterpret_cast<const char*>(text.data()), text.size());
  rapidjson::Reader reader;
  Builder builder(text.size());
  constexpr unsigned kFlags = rapidjson::kParseIterativeFlag | rapidjson::kParseNumbersAsStringsFlag |
                              rapidjson::kParseValidateEncodingFlag;
  const auto result = reader.Parse<kFlags>(stream, builder);
  if (result.IsError()) {
    const bool refused = result.Code() == rapidjson::kParseErrorTermination;
    return fail(codes::kJsonMalformed,
                refused ? "JSON of too many or too deeply nested values, or with a number beyond all"
                        : "not JSON from here on",
                result.Offset());
  }
  return builder.take();
}

}  // namespace thaw
