// A value on the heap: keeps a large alternative of a variant from making all others as large.
#pragma once

#include <memory>
#include <utility>

namespace thaw {

/// Copies and compares as its value does. Moved-from boxes may only be assigned to or destroyed.
template <class T>
class Boxed {
 public:
  Boxed() : value_(std::make_unique<T>()) {}
  // NOLINTNEXTLINE(google-explicit-constructor,hicpp-explicit-conversions): a box stands for its value
  Boxed(T value) : value_(std::make_unique<T>(std::move(value))) {}
  Boxed(const Boxed& other) : value_(std::make_unique<T>(*other.value_)) {}
  Boxed(Boxed&&) noexcept = default;
  Boxed& operator=(const Boxed& other) {
    if (this != &other) {
      value_ = std::make_unique<T>(*other.value_);
    }
    return *this;
  }
  Boxed& operator=(Boxed&&) noexcept = default;
  ~Boxed() = default;

  [[nodiscard]] T& operator*() { return *value_; }
  [[nodiscard]] const T& operator*() const { return *value_; }
  [[nodiscard]] T* operator->() { return value_.get(); }
  [[nodiscard]] const T* operator->() const { return value_.get(); }

  friend bool operator==(const Boxed& a, const Boxed& b) { return *a.value_ == *b.value_; }

 private:
  std::unique_ptr<T> value_;
};

}  // namespace thaw
