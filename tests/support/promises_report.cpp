#include "support/promises_report.hpp"

namespace thaw::test::promises {

std::string FieldPath::text() const {
  std::string path = outer_ != nullptr ? outer_->text() : std::string();
  if (!path.empty() && *name_ != '\0') {
    path += '.';
  }
  path += name_;
  if (index_ != kWhole) {
    path.append("[").append(std::to_string(index_)).append("]");
  }
  return path;
}

void Report::add(const FieldPath& at, std::string_view what) {
  if (!full()) {
    problems_.push_back(at.text().append(": ").append(what));
  }
}

void Report::expect_unit(const Vec4& rotation, const FieldPath& at) {
  double square = 0;
  for (const float part : rotation) {
    square += double{part} * double{part};
  }
  expect(std::abs(std::sqrt(square) - 1) < 1e-4, at, "no unit quaternion");
}

void Report::expect_text(std::string_view text, const FieldPath& at) {
  expect(to_utf8(text) == text, at, "no UTF-8");
}

void check_image(const Image& image, const FieldPath& at, Report& report) {
  report.expect(image.pixels() > 0, at, "a picture without pixels");
  report.expect(image.rgba.size() == image.pixels() * 4, at, "a picture whose size is not that of its bytes");
}

}  // namespace thaw::test::promises

namespace thaw::test {

Problems problems_of(const Image& image) {
  promises::Report report;
  promises::check_image(image, {}, report);
  return report.take();
}

}  // namespace thaw::test
