// A JSON-like value: extras of a scene, reports. Objects keep the order in which members were added.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#pragma GCC visibility push(default)

namespace thaw {

/// Nothing, a truth value, a number, a text, a list, or an object.
class Value {
 public:
  using List = std::vector<Value>;               ///< items in order
  using Member = std::pair<std::string, Value>;  ///< name and value
  using Object = std::vector<Member>;            ///< members in order; names are unique if `set` added them
  /// What a value can be.
  using Storage = std::variant<std::monostate, bool, std::int64_t, float, double, std::string, List, Object>;

  /// Nothing: null.
  Value() = default;
  /// Takes an exception of the memory well, which the variant's own copy of libstdc++ 12 does not.
  Value(const Value& other);
  /// Takes the value over.
  Value(Value&& other) noexcept;
  /// As the copy constructor.
  Value& operator=(const Value& other);
  /// As the move constructor.
  Value& operator=(Value&& other) noexcept;
  ~Value();
  /// A truth value.
  Value(bool value) : storage_(value) {}  // NOLINT(google-explicit-constructor)
  /// An integer.
  Value(int value) : storage_(std::int64_t{value}) {}  // NOLINT(google-explicit-constructor)
  /// An integer.
  Value(std::uint32_t value) : storage_(std::int64_t{value}) {}  // NOLINT(google-explicit-constructor)
  /// An integer.
  Value(std::int64_t value) : storage_(value) {}  // NOLINT(google-explicit-constructor)
  /// A number that stays a float, so that it is written in a float's digits.
  Value(float value) : storage_(value) {}  // NOLINT(google-explicit-constructor)
  /// A number.
  Value(double value) : storage_(value) {}  // NOLINT(google-explicit-constructor)
  /// A text.
  Value(std::string value) : storage_(std::move(value)) {}  // NOLINT(google-explicit-constructor)
  /// A text, copied.
  Value(std::string_view value) : storage_(std::string(value)) {}  // NOLINT(google-explicit-constructor)
  /// A text, copied; not null.
  Value(const char* value) : storage_(std::string(value)) {}  // NOLINT(google-explicit-constructor)
  /// A list.
  Value(List value) : storage_(std::move(value)) {}  // NOLINT(google-explicit-constructor)
  /// An object.
  Value(Object value) : storage_(std::move(value)) {}  // NOLINT(google-explicit-constructor)

  /// The value in its own type.
  [[nodiscard]] const Storage& storage() const { return storage_; }
  /// True for null, which is not the same as 0, false or an empty text.
  [[nodiscard]] bool is_null() const { return std::holds_alternative<std::monostate>(storage_); }
  /// True for null, and for lists and objects without content.
  [[nodiscard]] bool empty() const;

  /// Sets a member. A null value becomes an object first; what is neither stays as it is.
  Value& set(std::string_view name, Value value);
  /// Appends to a list. A null value becomes a list first; what is neither stays as it is.
  Value& push(Value value);
  /// The member of an object; null if there is none, or the value is no object.
  [[nodiscard]] const Value* find(std::string_view name) const;

  /// The member of an object; a null value where there is none, so that paths can be followed, as long as the
  /// value lives: extras["thaw"]["materials"][2]["name"].text()
  [[nodiscard]] const Value& operator[](std::string_view name) const;
  /// The item of a list; a null value where there is none.
  [[nodiscard]] const Value& operator[](std::size_t index) const;

  /// The text; empty if the value is no text.
  [[nodiscard]] const std::string& text() const;
  /// The items; none if the value is no list.
  [[nodiscard]] const List& list() const;
  /// The members; none if the value is no object.
  [[nodiscard]] const Object& object() const;
  /// The integer; none for everything else, numbers with a fraction included.
  [[nodiscard]] std::optional<std::int64_t> integer() const;
  /// The number, of whichever kind; none if the value is no number.
  [[nodiscard]] std::optional<double> number() const;

  /// Whether both are of the same kind and equal; an integer is no float.
  friend bool operator==(const Value& a, const Value& b);

 private:
  Storage storage_;
};

/// Compact JSON. Floats are shortest exact; non-finite numbers become null.
std::string to_json(const Value& value);

}  // namespace thaw

#pragma GCC visibility pop
