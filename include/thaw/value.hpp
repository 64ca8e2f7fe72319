// A JSON-like value: extras of a scene, reports. Objects keep the order in which members were added.
#pragma once

#include <thaw/bytes.hpp>
#include <thaw/diagnostics.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
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
  /// value lives: extras["materials"][2]["name"].text()
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

// --- JSON text as a Value

/// Whole numbers become integers, others doubles. Of members of one name in an object, a look-up finds the
/// first. Depth and the number of values are bounded by the text's length. The error is json.malformed with
/// the offset where the text stops making sense.
Result<Value> parse_json(ByteView text);

// --- a value on the heap that copies and compares like one in place

/// For the large members of a variant, so that its small ones stay small.
template <class T>
class Boxed {
 public:
  /// Holds a T{}.
  Boxed() : value_(std::make_unique<T>()) {}
  /// Holds this value.
  explicit Boxed(T value) : value_(std::make_unique<T>(std::move(value))) {}
  /// Holds a copy of the other's value.
  Boxed(const Boxed& other) : value_(std::make_unique<T>(*other)) {}
  /// What was moved from holds nothing and may only be assigned to or destroyed.
  Boxed(Boxed&& other) noexcept = default;
  /// As the copy constructor.
  Boxed& operator=(const Boxed& other) {
    if (this != &other) {
      value_ = std::make_unique<T>(*other);
    }
    return *this;
  }
  /// As the move constructor.
  Boxed& operator=(Boxed&& other) noexcept = default;
  ~Boxed() = default;

  /// The value; not of a box that was moved from.
  [[nodiscard]] T& operator*() { return *value_; }
  /// The value, to be looked at.
  [[nodiscard]] const T& operator*() const { return *value_; }
  /// A member of the value.
  [[nodiscard]] T* operator->() { return value_.get(); }
  /// A member of the value, to be looked at.
  [[nodiscard]] const T* operator->() const { return value_.get(); }

  /// Boxes are equal if their values are.
  friend bool operator==(const Boxed& a, const Boxed& b) { return *a == *b; }

 private:
  std::unique_ptr<T> value_;
};

}  // namespace thaw

#pragma GCC visibility pop
