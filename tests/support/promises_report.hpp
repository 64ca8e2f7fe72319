// What the checks of promises share: where something is, and what is wrong with it.
#pragma once

#include "support/promises.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>

namespace thaw::test::promises {

/// A place in a value, as a path that is only put into words if something is wrong there.
class FieldPath {
 public:
  static constexpr std::size_t kWhole = ~std::size_t{0};

  FieldPath() = default;
  FieldPath(const FieldPath& outer, const char* name, std::size_t index = kWhole)
      : outer_(&outer), name_(name), index_(index) {}

  [[nodiscard]] std::string text() const;

 private:
  const FieldPath* outer_ = nullptr;
  const char* name_ = "";
  std::size_t index_ = kWhole;
};

class Report {
 public:
  bool expect(bool holds, const FieldPath& at, std::string_view what) {
    if (!holds) {
      add(at, what);
    }
    return holds;
  }
  void expect_index(std::size_t index, std::size_t size, const FieldPath& at) {
    expect(index < size, at, "nothing has this index");
  }
  void expect_index_or_none(scene::Index index, std::size_t size, const FieldPath& at) {
    expect(index < size || index == scene::kNone, at, "nothing has this index");
  }
  void expect_finite(float number, const FieldPath& at) {
    expect(std::isfinite(number), at, "a number that is not finite");
  }
  template <std::size_t N>
  void expect_finite(const std::array<float, N>& numbers, const FieldPath& at) {
    for (const float number : numbers) {
      if (!std::isfinite(number)) {
        add(at, "a number that is not finite");
        return;
      }
    }
  }
  /// Of a list of numbers or vectors, the first that is wrong.
  template <class List>
  void expect_all_finite(const List& list, const FieldPath& at, const char* name) {
    for (std::size_t i = 0; i < list.size() && !full(); ++i) {
      expect_finite(list[i], FieldPath(at, name, i));
    }
  }
  void expect_unit(const Vec4& rotation, const FieldPath& at);
  void expect_text(std::string_view text, const FieldPath& at);

  [[nodiscard]] bool full() const { return problems_.size() >= kEnough; }
  [[nodiscard]] Problems take() { return std::move(problems_); }

 private:
  static constexpr std::size_t kEnough = 20;

  void add(const FieldPath& at, std::string_view what);

  Problems problems_;
};

void check_image(const Image& image, const FieldPath& at, Report& report);
void check_scene(const scene::Scene& scene, const FieldPath& at, Report& report);

}  // namespace thaw::test::promises
