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

namespace thaw {

class Value {
 public:
  using List = std::vector<Value>;
  using Member = std::pair<std::string, Value>;
  using Object = std::vector<Member>;
  using Storage = std::variant<std::monostate, bool, std::int64_t, float, double, std::string, List, Object>;

  Value() = default;
  /// Takes an exception of the memory well, which the variant's own copy of libstdc++ 12 does not.
  Value(const Value& other);
  Value(Value&& other) noexcept = default;
  Value& operator=(const Value& other);
  Value& operator=(Value&& other) noexcept = default;
  ~Value() = default;
  Value(bool value) : storage_(value) {}                           // NOLINT(google-explicit-constructor)
  Value(int value) : storage_(std::int64_t{value}) {}              // NOLINT(google-explicit-constructor)
  Value(std::uint32_t value) : storage_(std::int64_t{value}) {}    // NOLINT(google-explicit-constructor)
  Value(std::int64_t value) : storage_(value) {}                   // NOLINT(google-explicit-constructor)
  Value(float value) : storage_(value) {}                          // NOLINT(google-explicit-constructor)
  Value(double value) : storage_(value) {}                         // NOLINT(google-explicit-constructor)
  Value(std::string value) : storage_(std::move(value)) {}         // NOLINT(google-explicit-constructor)
  Value(std::string_view value) : storage_(std::string(value)) {}  // NOLINT(google-explicit-constructor)
  Value(const char* value) : storage_(std::string(value)) {}       // NOLINT(google-explicit-constructor)
  Value(List value) : storage_(std::move(value)) {}                // NOLINT(google-explicit-constructor)
  Value(Object value) : storage_(std::move(value)) {}              // NOLINT(google-explicit-constructor)

  [[nodiscard]] const Storage& storage() const { return storage_; }
  [[nodiscard]] bool is_null() const { return std::holds_alternative<std::monostate>(storage_); }
  [[nodiscard]] bool empty() const;

  /// Sets a member; a null value becomes an object first.
  Value& set(std::string_view name, Value value);
  /// Appends to a list; a null value becomes a list first.
  Value& push(Value value);
  /// The member of an object, or null.
  [[nodiscard]] const Value* find(std::string_view name) const;

  /// The member of an object, the item of a list; a null value where there is none, so that paths can be
  /// followed, as long as the value lives: extras["thaw"]["materials"][2]["name"].text()
  [[nodiscard]] const Value& operator[](std::string_view name) const;
  [[nodiscard]] const Value& operator[](std::size_t index) const;

  /// What the value is, or nothing: no text, no items, no members, no number.
  [[nodiscard]] const std::string& text() const;
  [[nodiscard]] const List& list() const;
  [[nodiscard]] const Object& object() const;
  [[nodiscard]] std::optional<std::int64_t> integer() const;
  /// Of all kinds of numbers.
  [[nodiscard]] std::optional<double> number() const;

  friend bool operator==(const Value&, const Value&) = default;

 private:
  Storage storage_;
};

/// Compact JSON. Floats are shortest exact; non-finite numbers become null.
std::string to_json(const Value& value);

}  // namespace thaw
