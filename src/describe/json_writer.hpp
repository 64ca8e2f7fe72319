// The piece of JSON that does not depend on structure.
#pragma once

#include <thaw/value.hpp>

#include "bytes/number_text.hpp"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <new>
#include <string>
#include <string_view>

namespace thaw {

/// Appends a JSON string. `text` must be UTF-8 (see to_utf8).
void append_json_string(std::string& out, std::string_view text);

// JSON out: RapidJSON's SAX writer without its traps. Numbers are shortest exact, non-finite ones become
// null, text that is not UTF-8 is taken as to_utf8 takes it.

/// RapidJSON's own goes on with a null pointer where there is no memory.
class JsonMemory {
 public:
  static constexpr bool kNeedFree = true;
  // NOLINTBEGIN(readability-identifier-naming): names that RapidJSON calls
  static void* Malloc(std::size_t size) { return size == 0 ? nullptr : ::operator new(size); }
  static void* Realloc(void* old, std::size_t old_size, std::size_t size) {
    void* place = Malloc(size);
    if (place != nullptr && old != nullptr) {
      std::memcpy(place, old, std::min(old_size, size));
    }
    Free(old);
    return place;
  }
  static void Free(void* place) { ::operator delete(place); }
  // NOLINTEND(readability-identifier-naming)
};

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

  using Buffer = rapidjson::GenericStringBuffer<rapidjson::UTF8<>, JsonMemory>;
  Buffer buffer_;
  rapidjson::Writer<Buffer, rapidjson::UTF8<>, rapidjson::UTF8<>, JsonMemory> writer_{buffer_};
  std::string scratch_;
};

}  // namespace thaw
