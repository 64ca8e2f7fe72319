#include "cli/report/bug.hpp"

#include <thaw/version.hpp>

#include "bytes/escape.hpp"

namespace thaw::cli {
namespace {

std::string& command_line() {
  static std::string line;
  return line;
}

std::string quoted(const std::string& word) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+./:,@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) {
    return word;
  }
  std::string text(1, '\'');
  for (const char c : word) {
    text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return text + '\'';
}

}  // namespace

void remember_command_line(const std::vector<std::string>& words) {
  for (const auto& word : words) {
    command_line() += ' ' + quoted(word);
  }
}

std::string bug_message(std::string_view subject, std::string_view what) {
  std::string text = shown(subject);
  text += ": error bug: ";
  text += shown(what);
  text += "\n  This is an error in thaw ";
  text += version();
  if (!revision().empty()) {
    text += " (" + std::string(revision()) + ")";
  }
  text += ", not in your file. Please report it with the file and this command:\n    thaw" +
          shown(command_line()) + '\n';
  return text;
}

}  // namespace thaw::cli
