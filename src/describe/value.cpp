#include <thaw/bytes.hpp>
#include <thaw/value.hpp>

#include "bytes/number_text.hpp"
#include "describe/json_writer.hpp"

#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>
#include <algorithm>

namespace thaw {
namespace {

const Value& null_value() {
  static const Value kNull;
  return kNull;
}

struct JsonVisitor {
  JsonWriter& writer;

  void operator()(std::monostate /*value*/) const { writer.null(); }
  void operator()(bool value) const { writer.boolean(value); }
  void operator()(std::int64_t value) const { writer.number(value); }
  void operator()(float value) const { writer.number(value); }
  void operator()(double value) const { writer.number(value); }
  void operator()(const std::string& value) const { writer.string(value); }
  void operator()(const Value::List& list) const {
    writer.begin_array();
    for (const auto& item : list) {
      writer.value(item);
    }
    writer.end_array();
  }
  void operator()(const Value::Object& object) const {
    writer.begin_object();
    for (const auto& [name, member] : object) {
      writer.key(to_utf8(name));
      writer.value(member);
    }
    writer.end_object();
  }
};

}  // namespace

// The alternative is copied by itself: where that throws inside a variant of strings and lists, libstdc++ 12
// calls the destructor of an alternative that is none.
Value::Value(Value&& other) noexcept = default;
Value& Value::operator=(Value&& other) noexcept = default;
Value::~Value() = default;
bool operator==(const Value& a, const Value& b) { return a.storage_ == b.storage_; }

Value::Value(const Value& other)
    : storage_(std::visit(
          [](const auto& value) {
            auto copy = value;
            return Storage(std::move(copy));
          },
          other.storage_)) {}

Value& Value::operator=(const Value& other) {
  if (this != &other) {
    Value copy(other);
    storage_ = std::move(copy.storage_);
  }
  return *this;
}

void JsonWriter::string(std::string_view text) {
  const std::string utf8 = to_utf8(text);
  writer_.String(utf8.data(), static_cast<rapidjson::SizeType>(utf8.size()));
}

void JsonWriter::value(const Value& value) { std::visit(JsonVisitor{*this}, value.storage()); }

bool Value::empty() const {
  if (const auto* list = std::get_if<List>(&storage_)) {
    return list->empty();
  }
  if (const auto* object = std::get_if<Object>(&storage_)) {
    return object->empty();
  }
  return is_null();
}

Value& Value::set(std::string_view name, Value value) {
  if (is_null()) {
    storage_.emplace<Object>();
  }
  auto* object = std::get_if<Object>(&storage_);
  if (object == nullptr) {
    return *this;
  }
  const auto found = std::find_if(object->begin(), object->end(),
                                  [&](const Member& member) { return member.first == name; });
  if (found != object->end()) {
    found->second = std::move(value);
  } else {
    object->emplace_back(std::string(name), std::move(value));
  }
  return *this;
}

Value& Value::push(Value value) {
  if (is_null()) {
    storage_.emplace<List>();
  }
  if (auto* list = std::get_if<List>(&storage_)) {
    list->push_back(std::move(value));
  }
  return *this;
}

const Value* Value::find(std::string_view name) const {
  const Object& members = object();
  const auto found = std::find_if(members.begin(), members.end(),
                                  [&](const Member& member) { return member.first == name; });
  return found == members.end() ? nullptr : &found->second;
}

const Value& Value::operator[](std::string_view name) const {
  const Value* found = find(name);
  return found == nullptr ? null_value() : *found;
}

const Value& Value::operator[](std::size_t index) const {
  const List& items = list();
  return index < items.size() ? items[index] : null_value();
}

const std::string& Value::text() const {
  static const std::string kNone;
  const auto* text = std::get_if<std::string>(&storage_);
  return text == nullptr ? kNone : *text;
}

const Value::List& Value::list() const {
  static const List kNone;
  const auto* list = std::get_if<List>(&storage_);
  return list == nullptr ? kNone : *list;
}

const Value::Object& Value::object() const {
  static const Object kNone;
  const auto* object = std::get_if<Object>(&storage_);
  return object == nullptr ? kNone : *object;
}

std::optional<std::int64_t> Value::integer() const {
  const auto* integer = std::get_if<std::int64_t>(&storage_);
  return integer == nullptr ? std::nullopt : std::optional(*integer);
}

std::optional<double> Value::number() const {
  if (const auto* integer = std::get_if<std::int64_t>(&storage_)) {
    return static_cast<double>(*integer);
  }
  if (const auto* single = std::get_if<float>(&storage_)) {
    return double{*single};
  }
  const auto* real = std::get_if<double>(&storage_);
  return real == nullptr ? std::nullopt : std::optional(*real);
}

std::string to_json(const Value& value) {
  JsonWriter writer;
  writer.value(value);
  return std::string(writer.text());
}

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
  /// What ended the reading.
  [[nodiscard]] std::string_view why() const { return why_; }

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
    if (!parse_double(text, value)) {
      why_ = "a number of the JSON is out of range";
      return false;
    }
    return add(value);
  }

  bool start(Value::Storage content) {
    if (open_.size() >= kMaxDepth) {
      why_ = "the JSON has more than 256 levels of nesting";
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
      why_ = "the JSON has too many values for its size";
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
  std::string_view why_;
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
                std::string(refused && !builder.why().empty() ? builder.why() : "invalid JSON from here on"),
                result.Offset());
  }
  return builder.take();
}

}  // namespace thaw
