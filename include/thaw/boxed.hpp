// A value on the heap that copies and compares like one in place.
#pragma once

#include <memory>
#include <utility>

namespace thaw {

/// For the large members of a variant, so that its small ones stay small.
template <class T>
class Boxed {
 public:
  Boxed() : value_(std::make_unique<T>()) {}
  explicit Boxed(T value) : value_(std::make_unique<T>(std::move(value))) {}
  Boxed(const Boxed& other) : value_(std::make_unique<T>(*other)) {}
  /// What was moved from holds nothing and may only be assigned to or destroyed.
  Boxed(Boxed&& other) noexcept = default;
  Boxed& operator=(const Boxed& other) {
    if (this != &other) {
      value_ = std::make_unique<T>(*other);
    }
    return *this;
  }
  Boxed& operator=(Boxed&& other) noexcept = default;
  ~Boxed() = default;

  [[nodiscard]] T& operator*() { return *value_; }
  [[nodiscard]] const T& operator*() const { return *value_; }
  [[nodiscard]] T* operator->() { return value_.get(); }
  [[nodiscard]] const T* operator->() const { return value_.get(); }

  friend bool operator==(const Boxed& a, const Boxed& b) { return *a == *b; }

 private:
  std::unique_ptr<T> value_;
};

}  // namespace thaw
