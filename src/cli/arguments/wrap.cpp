#include "cli/arguments/wrap.hpp"

#include "cli/platform/terminal.hpp"
#include "cli/report/text.hpp"

#include <algorithm>

namespace thaw::cli {
namespace {

/// Characters: the texts hold some beyond ASCII.
std::size_t length_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

/// As the terminal has it, within what can be read.
std::size_t line_width() {
  constexpr std::size_t kUsual = 100;
  return std::clamp<std::size_t>(terminal_width().value_or(kUsual), 60, 120);
}

}  // namespace

void append_wrapped(std::string& out, std::string_view text, std::size_t at, std::size_t indent) {
  const std::size_t width = line_width();
  const std::size_t first = at;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(" |"), text.size() - 1) + 1;
    const std::string_view word = text.substr(0, end);
    const std::size_t length = length_of(word) - (word.back() == ' ' ? 1 : 0);
    if (at + length > width && at > indent && at != first) {
      out.erase(out.find_last_not_of(' ') + 1);
      out += '\n';
      out.append(indent, ' ');
      at = indent;
    }
    out += word;
    at += length_of(word);
    text.remove_prefix(end);
  }
}

std::string columns(std::string_view lines, std::size_t width) {
  std::string text;
  while (!lines.empty()) {
    const std::size_t end = lines.find('\n');
    const std::string_view line = lines.substr(0, end);
    const std::size_t tab = line.find('\t');
    const std::string_view left = line.substr(0, tab);
    text += "  ";
    append_wrapped(text, left, 2, 8);
    if (tab != std::string_view::npos) {
      const std::size_t column = width + 4;
      const bool fits = length_of(left) <= width;
      text += fits ? std::string(width - length_of(left) + 2, ' ') : concat({"\n", std::string(column, ' ')});
      append_wrapped(text, line.substr(tab + 1), column, column);
    }
    text += '\n';
    lines.remove_prefix(std::min(lines.size(), end + 1));
  }
  return text;
}

}  // namespace thaw::cli
