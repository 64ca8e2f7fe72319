// A value on the heap that copies and compares like one in place.
#pragma once

#include <memory>
#include <utility>

#pragma GCC visibility push(default)

namespace thaw {

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
