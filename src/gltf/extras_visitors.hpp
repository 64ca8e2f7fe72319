// Fields of a scene as JSON and back: two visitors of one description (gltf/extras_description.hpp), so that
// each key stands in the code once.
#pragma once

#include <thaw/scene.hpp>

#include "bytes/text_encoding.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <type_traits>

namespace thaw::gltf {

/// What a visitor is given: to be filled by the reader, as it is for the writer.
template <class V, class T>
using Extras = std::conditional_t<V::kReads, T, const T>;

// --- single values

inline Value extras_value(bool value) { return value; }
inline Value extras_value(float value) { return value; }
inline Value extras_value(const std::string& value) { return value; }
template <class T>
  requires(std::is_integral_v<T> && !std::is_same_v<T, bool>)
Value extras_value(T value) {
  return static_cast<std::int64_t>(value);
}
inline Value extras_value(const scene::Interval& value) { return Value::List{value.first, value.last}; }
template <class List>
  requires requires(const List& list) { list.begin() != list.end(); }
Value extras_value(const List& list) {
  Value::List values;
  values.reserve(list.size());
  for (const auto& item : list) {
    values.push_back(extras_value(item));
  }
  return {std::move(values)};
}

// What is of another type, no finite number, out of range or of another length is not taken: false.

inline bool take(const Value& from, bool& to) {
  const auto* truth = std::get_if<bool>(&from.storage());
  to = truth != nullptr ? *truth : to;
  return truth != nullptr;
}
inline bool take(const Value& from, float& to) {
  const double number = from.number().value_or(std::numeric_limits<double>::quiet_NaN());
  const bool fits = std::abs(number) <= double{std::numeric_limits<float>::max()};
  to = fits ? static_cast<float>(number) : to;
  return fits;
}
/// Metres per unit of a game, within reason; else 0.
inline float sound_scale(const Value& from) {
  const double scale = from.number().value_or(0);
  return scale > 1e-6 && scale < 1e6 ? static_cast<float>(scale) : 0;
}
inline bool take(const Value& from, std::string& to) {
  const auto* text = std::get_if<std::string>(&from.storage());
  to = text != nullptr ? *text : to;
  return text != nullptr;
}
template <class T>
  requires(std::is_integral_v<T> && !std::is_same_v<T, bool>)
bool take(const Value& from, T& to) {
  const auto number = from.integer();
  static_assert(sizeof(T) < sizeof(*number) || std::is_signed_v<T>);
  const bool fits = number && *number >= std::int64_t{std::numeric_limits<T>::min()} &&
                    *number <= std::int64_t{std::numeric_limits<T>::max()};
  to = fits ? static_cast<T>(*number) : to;
  return fits;
}
inline bool take(const Value& from, scene::Interval& to) {
  return from.list().size() == 2 && take(from[0], to.first) && take(from[1], to.last);
}
template <class T, std::size_t N>
bool take(const Value& from, std::array<T, N>& to) {
  const auto& list = from.list();
  std::array<T, N> values{};
  bool fits = list.size() == N;
  for (std::size_t i = 0; fits && i < N; ++i) {
    fits = take(list[i], values[i]);
  }
  to = fits ? values : to;
  return fits;
}
template <class List>
  requires requires(List& list) { list.emplace_back(); }
bool take(const Value& from, List& to) {
  List values;
  for (const Value& item : from.list()) {
    if (!take(item, values.emplace_back())) {
      return false;
    }
  }
  to = std::move(values);
  return true;
}

// --- visitors

/// Where the members of the format's own object stand: those of fields before those of extras, or after.
enum class Side : std::uint8_t { before, after };

/// Makes an object, its members in the order of the description.
class FieldWriter {
 public:
  static constexpr bool kReads = false;
  /// The format is the name of the object for what the scene has in the source's own terms.
  explicit FieldWriter(const std::string& format) : format_(format.empty() ? "source" : format) {}

  template <class T>
  void field(std::string_view key, const T& value) {
    object_.set(key, extras_value(value));
  }
  /// Left out where it is as usual.
  template <class T>
  void unless(std::string_view key, const T& value, const std::type_identity_t<T>& usual) {
    if (value != usual) {
      field(key, value);
    }
  }
  template <class T>
  void optional(std::string_view key, const std::optional<T>& value) {
    if (value) {
      field(key, *value);
    }
  }
  /// The fields of something that is there or not; where it is, it has this key.
  template <class T>
  void whole(std::string_view /*key*/, const std::optional<T>& value) {
    if (value) {
      describe(*this, *value);
    }
  }
  /// One of the names that `name_of` gives the values up to `last`.
  template <class E>
  void choice(std::string_view key, E value, E /*last*/, std::string_view (*name_of)(E)) {
    object_.set(key, name_of(value));
  }
  void either(std::string_view key, bool value, std::string_view yes, std::string_view no) {
    object_.set(key, value ? yes : no);
  }
  void hash(std::string_view key, std::uint64_t value) { object_.set(key, hex_text(value)); }
  void digits(std::string_view key, const std::array<std::uint8_t, 16>& value) {
    std::string text;
    append_hex(text, value);
    object_.set(key, std::move(text));
  }
  template <class Fields>
  void group(std::string_view key, const Fields& fields) {
    object_.set(key, object_of(fields));
  }
  template <class List>
  void groups(std::string_view key, const List& list) {
    Value::List values;
    values.reserve(list.size());
    for (const auto& item : list) {
      values.push_back(object_of([&](FieldWriter& in) { describe(in, item); }));
    }
    object_.set(key, std::move(values));
  }
  /// The object under the format's name: `fields`, of which any of `keys` states that they are there, and
  /// extras.
  template <class Fields>
  void source(std::initializer_list<std::string_view> /*keys*/, const Value& extras, const Fields& fields,
              Side side = Side::before) {
    Value terms = object_of(fields);
    if (extras.object().empty()) {
      if (terms.empty()) {
        terms = extras;
      }
    } else {
      Value first = side == Side::before ? terms : extras;
      for (const auto& [key, value] : (side == Side::before ? extras : terms).object()) {
        first.set(key, value);
      }
      terms = std::move(first);
    }
    if (!terms.empty()) {
      object_.set(format_, std::move(terms));
    }
  }
  /// Of what has no fields.
  void source(const Value& extras) {
    source({}, extras, [](FieldWriter& /*in*/) {});
  }

  /// Puts in what is no field.
  void set(std::string_view key, Value value) { object_.set(key, std::move(value)); }
  [[nodiscard]] Value take() { return std::move(object_); }

 private:
  template <class Fields>
  [[nodiscard]] Value object_of(const Fields& fields) const {
    FieldWriter in(format_);
    fields(in);
    return in.take();
  }

  std::string format_;
  Value object_ = Value::Object();
};

/// Fills fields from an object. What is not there or not sound leaves them as they were.
class FieldReader {
 public:
  static constexpr bool kReads = true;
  explicit FieldReader(const Value& object) : object_(object) {}

  template <class T>
  void field(std::string_view key, T& value) {
    gltf::take(object_[key], value);
  }
  template <class T>
  void unless(std::string_view key, T& value, const std::type_identity_t<T>& /*usual*/) {
    field(key, value);
  }
  template <class T>
  void optional(std::string_view key, std::optional<T>& value) {
    T found{};
    if (gltf::take(object_[key], found)) {
      value = std::move(found);
    }
  }
  template <class T>
  void whole(std::string_view key, std::optional<T>& value) {
    if (object_.find(key) != nullptr) {
      describe(*this, value.emplace());
    }
  }
  template <class E>
  void choice(std::string_view key, E& value, E last, std::string_view (*name_of)(E)) {
    const std::string& name = object_[key].text();
    for (int i = 0; i <= static_cast<int>(last); ++i) {
      value = name_of(static_cast<E>(i)) == name ? static_cast<E>(i) : value;
    }
  }
  void either(std::string_view key, bool& value, std::string_view yes, std::string_view no) {
    const std::string& name = object_[key].text();
    value = name == yes || (value && name != no);
  }
  void hash(std::string_view key, std::uint64_t& value) {
    value = parse_hex(object_[key].text()).value_or(value);
  }
  void digits(std::string_view key, std::array<std::uint8_t, 16>& value) {
    const Bytes bytes = bytes_of_hex(object_[key].text()).value_or(Bytes());
    std::copy_n(bytes.begin(), std::min(bytes.size(), value.size()), value.begin());
  }
  template <class Fields>
  void group(std::string_view key, const Fields& fields) {
    FieldReader in(object_[key]);
    fields(in);
  }
  template <class List>
  void groups(std::string_view key, List& list) {
    for (const Value& item : object_[key].list()) {
      FieldReader in(item);
      describe(in, list.emplace_back());
    }
  }
  /// Whatever the format is called: an editor may have lost its name.
  template <class Fields>
  void source(std::initializer_list<std::string_view> keys, const Value& /*extras*/, const Fields& fields,
              Side /*side*/ = Side::before) {
    for (const auto& [name, value] : object_.object()) {
      if (std::any_of(keys.begin(), keys.end(),
                      [&, &in = value](std::string_view key) { return in.find(key) != nullptr; })) {
        FieldReader in(value);
        fields(in);
        return;
      }
    }
  }
  void source(const Value& /*extras*/) {}

  [[nodiscard]] const Value& value(std::string_view key) const { return object_[key]; }

 private:
  const Value& object_;
};

}  // namespace thaw::gltf
