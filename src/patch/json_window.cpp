#include "patch/json_window.hpp"

#include "patch/json_scan.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace thaw {
namespace {

/// What a letter outside of strings does to the depth, or that a string begins.
constexpr std::int8_t kQuote = 2;
constexpr std::array<std::int8_t, 256> kSteps = [] {
  std::array<std::int8_t, 256> steps{};
  steps['{'] = steps['['] = 1;
  steps['}'] = steps[']'] = -1;
  steps['"'] = kQuote;
  return steps;
}();

/// The end of an object or list; null if it does not end.
const char* end_of_brackets(const char* at, const char* end) {
  std::int64_t depth = 0;
  while (at != end) {
    const std::int8_t step = kSteps[static_cast<unsigned char>(*at)];
    if (step == 0) {
      ++at;
    } else if (step == kQuote) {
      at = skip_json_string(at, end);
      if (at == nullptr) {
        return nullptr;
      }
    } else {
      depth += step;
      ++at;
      if (depth <= 0) {
        return at;
      }
    }
  }
  return nullptr;
}

}  // namespace

void JsonWindow::advance(std::size_t drop) {
  const std::string_view dropped = text_.substr(0, drop);
  const std::size_t line = dropped.rfind('\n');
  lines_ += static_cast<std::uint64_t>(std::count(dropped.begin(), dropped.end(), '\n'));
  columns_ = line == std::string_view::npos ? columns_ + dropped.size() : dropped.size() - line - 1;
  if (drop > 0) {
    buffer_.erase(0, drop);
  }
  const std::size_t had = buffer_.size();
  // As much again as there is, so that a long value is not looked at too often.
  std::size_t requested = std::max(piece_, had);
  buffer_.resize(had + requested);
  std::size_t at = had;
  while (!ended_ && requested > 0) {
    const auto got = source_(std::span<char>(buffer_.data() + at, requested));
    if (!got) {
      failure_ = got.error();
    }
    ended_ = !got || *got == 0;
    at += got.value_or(0);
    requested -= got.value_or(0);
  }
  buffer_.resize(at);
  read_ += at - had;
  text_ = buffer_;
}

std::optional<std::size_t> JsonWindow::end_of_value(std::size_t from) const {
  const char* const begin = text_.data();
  const char* const end = begin + text_.size();
  const char* at = skip_blanks(begin + from, end);
  if (at == end) {
    return std::nullopt;
  }
  if (*at == '{' || *at == '[') {
    at = end_of_brackets(at, end);
  } else if (*at == '"') {
    at = skip_json_string(at, end);
  } else {
    at = std::find_if(at, end, [](char c) { return std::strchr(" \n\r\t,]}", c) != nullptr; });
  }
  return at == nullptr || at == end ? std::nullopt : std::optional(static_cast<std::size_t>(at - begin));
}

std::string JsonWindow::line_and_column(const char* at) const {
  const char* const begin = text_.data();
  const std::string_view before(
      begin, static_cast<std::size_t>(std::clamp(at, begin, begin + text_.size()) - begin));
  const std::size_t line = before.rfind('\n');
  const auto lines = static_cast<std::uint64_t>(std::count(before.begin(), before.end(), '\n'));
  const std::uint64_t column =
      line == std::string_view::npos ? columns_ + before.size() : before.size() - line - 1;
  return std::to_string(lines_ + lines + 1) + ':' + std::to_string(column + 1);
}

}  // namespace thaw
