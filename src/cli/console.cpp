#include "cli/console.hpp"

#include "bytes/number_text.hpp"

#include <unistd.h>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace thaw::cli {
namespace {

bool is_set(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets the environment
  return value != nullptr && *value != '\0';
}

bool dumb_terminal() {
  const char* value = std::getenv("TERM");  // NOLINT(concurrency-mt-unsafe)
  return value != nullptr && std::string_view(value) == "dumb";
}

}  // namespace

bool write_stdout(std::string_view text) {
  return text.empty() || std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
}

bool flush_stdout() { return std::fflush(stdout) == 0 && std::ferror(stdout) == 0; }

void write_stderr(std::string_view text) {
  if (text.empty()) {
    return;
  }
  // What stands on stdout was said before.
  std::fflush(stdout);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

bool stdout_is_terminal() { return ::isatty(STDOUT_FILENO) != 0; }
bool stderr_is_terminal() { return ::isatty(STDERR_FILENO) != 0; }

bool use_color(const Settings& settings, bool stream_is_terminal) {
  if (settings.color != "auto") {
    return settings.color == "always";
  }
  if (is_set("NO_COLOR")) {
    return false;
  }
  return is_set("FORCE_COLOR") || (stream_is_terminal && !dumb_terminal());
}

std::string paint(Style style, std::string_view text, bool color) {
  constexpr std::array<std::string_view, 7> kCodes = {"", "1", "2", "31", "33", "32", "36"};
  if (!color || style == Style::plain) {
    return std::string(text);
  }
  std::string painted = "\x1b[";
  painted += kCodes.at(static_cast<std::size_t>(style));
  painted += 'm';
  painted += text;
  painted += "\x1b[0m";
  return painted;
}

std::string human_size(std::uint64_t bytes) {
  constexpr std::array<std::string_view, 5> kUnits = {"B", "KB", "MB", "GB", "TB"};
  constexpr std::uint64_t kStep = 1000;
  std::size_t unit = 0;
  std::uint64_t tenths = bytes * 10;
  while (tenths >= kStep * 10 && unit + 1 < kUnits.size()) {
    tenths = (tenths + kStep / 2) / kStep;
    ++unit;
  }
  std::string text = std::to_string(tenths / 10);
  if (unit > 0 && tenths < 100) {
    text += '.' + std::to_string(tenths % 10);
  }
  text += ' ';
  text += kUnits.at(unit);
  return text;
}

std::string short_number(double number) {
  constexpr int kDigits = 3;
  if (!(number > 0) || !std::isfinite(number)) {
    return "0";
  }
  const double unit = std::pow(10.0, std::floor(std::log10(number)) - (kDigits - 1));
  std::string text;
  append_number(text, static_cast<float>(std::round(number / unit) * unit));
  return text;
}

std::string counted(std::uint64_t count, std::string_view noun) {
  std::string text = std::to_string(count) + ' ';
  text += count != 1 && noun == "vertex" ? "vertice" : noun;
  const std::string_view end = noun.size() > 2 ? noun.substr(noun.size() - 2) : std::string_view();
  const bool hissing = end == "sh" || end == "ch";
  return count == 1 ? text : text + (hissing ? "es" : "s");
}

}  // namespace thaw::cli
