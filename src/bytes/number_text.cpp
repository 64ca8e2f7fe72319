#include "bytes/number_text.hpp"

#include <array>
#include <charconv>

namespace thaw {
namespace {

template <class T>
void append(std::string& out, T value) {
  std::array<char, 32> text{};  // the longest double has 24 characters
  const auto result = std::to_chars(text.data(), text.data() + text.size(), value);
  out.append(text.data(), result.ptr);
}

}  // namespace

void append_number(std::string& out, float value) { append(out, value); }
void append_number(std::string& out, double value) { append(out, value); }
void append_number(std::string& out, std::int64_t value) { append(out, value); }

}  // namespace thaw
