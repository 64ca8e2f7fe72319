// JSON out: RapidJSON's SAX writer without its traps. Numbers are shortest exact, non-finite ones become
// null, text that is not UTF-8 is taken as to_utf8 takes it.
#pragma once

#include <thaw/value.hpp>

#include "bytes/number_text.hpp"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>
#include <cmath>
#include <string>
#include <string_view>

namespace thaw {

class JsonWriter {
 public:
  void begin_object() { writer_.StartObject(); }
  void end_object() { writer_.EndObject(); }
  void begin_array() { writer_.StartArray(); }
  void end_array() { writer_.EndArray(); }

  void key(std::string_view name) { writer_.Key(name.data(), static_cast<rapidjson::SizeType>(name.size())); }
  void null() { writer_.Null(); }
  void boolean(bool value) { writer_.Bool(value); }
  void string(std::string_view text);
  void number(float value) { finite_number(value); }
  void number(double value) { finite_number(value); }
  void number(std::int64_t value) { writer_.Int64(value); }
  void value(const Value& value);

  /// The text so far; complete once every object and array is closed.
  [[nodiscard]] std::string_view text() const { return {buffer_.GetString(), buffer_.GetSize()}; }

 private:
  template <class T>
  void finite_number(T value) {
    // The writer would print a separator and then refuse.
    if (!std::isfinite(value)) {
      writer_.Null();
      return;
    }
    scratch_.clear();
    append_number(scratch_, value);
    writer_.RawValue(scratch_.data(), scratch_.size(), rapidjson::kNumberType);
  }

  rapidjson::StringBuffer buffer_;
  rapidjson::Writer<rapidjson::StringBuffer> writer_{buffer_};
  std::string scratch_;
};

}  // namespace thaw
