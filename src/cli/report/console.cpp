#include "cli/report/console.hpp"

#include "bytes/escape.hpp"
#include "cli/report/text.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <mutex>

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

/// What `paint` makes of each Style, and what ends it.
constexpr std::array<std::string_view, 7> kStyleCodes = {"", "1", "2", "31", "33", "32", "36"};
constexpr std::string_view kPlainCode = "0";

/// Length of what sets a style at the beginning of the text, or 0: only those that `paint` makes, since names
/// in files may hide or blink.
std::size_t style_length(std::string_view text) {
  if (text.substr(0, 2) != "\x1b[") {
    return 0;
  }
  const std::size_t end = text.find('m', 2);
  const std::string_view code = text.substr(2, end == std::string_view::npos ? end : end - 2);
  const bool known = code == kPlainCode || (!code.empty() && std::find(kStyleCodes.begin(), kStyleCodes.end(),
                                                                       code) != kStyleCodes.end());
  return end != std::string_view::npos && known ? end + 1 : 0;
}

/// Of C0 and DEL; the others have no sign of their own.
std::string sign_of(unsigned char control) {
  const unsigned code = control == 0x7F ? 0x21U : control;  // U+2421, or U+2400 and what follows
  return {'\xE2', '\x90', static_cast<char>(0x80U + code)};
}

std::string for_terminal(std::string_view text) {
  std::string result;
  const bool clears = text.substr(0, kClearLine.size()) == kClearLine;
  std::size_t at = clears ? kClearLine.size() : 0;
  result += text.substr(0, at);
  while (at < text.size()) {
    const auto c = static_cast<unsigned char>(text[at]);
    const auto next = static_cast<unsigned char>(at + 1 < text.size() ? text[at + 1] : '\0');
    const std::size_t style = style_length(text.substr(at));
    if (style > 0) {
      result += text.substr(at, style);
      at += style;
    } else if (c == 0xC2 && next >= 0x80 && next < 0xA0) {  // C1
      result += "\xEF\xBF\xBD";
      at += 2;
    } else {
      const bool control = (c < 0x20 && c != '\n' && c != '\t') || c == 0x7F;
      result += control ? sign_of(c) : std::string(1, text[at]);
      ++at;
    }
  }
  return result;
}

/// The line that says how far the run is; two threads write.
struct Status {
  std::mutex mutex;
  bool visible = false;
};

Status& status() {
  static Status line;
  return line;
}

bool put(std::string_view text, std::FILE* stream, bool terminal) {
  if (terminal) {
    return write_terminal(for_terminal(text), stream == stderr);
  }
  return text.empty() || std::fwrite(text.data(), 1, text.size(), stream) == text.size();
}

}  // namespace

namespace {

/// With the lock: takes the line away, so that other text can stand there.
void clear_line() {
  if (status().visible) {
    put(kClearLine, stderr, false);
    status().visible = false;
  }
}

}  // namespace

bool write_stdout(std::string_view text) {
  static const bool kTerminal = stdout_is_terminal();
  if (text.empty()) {
    return true;
  }
  const std::lock_guard lock(status().mutex);
  clear_line();
  return put(text, stdout, kTerminal);
}

bool flush_stdout() { return std::fflush(stdout) == 0 && std::ferror(stdout) == 0; }

void write_stderr(std::string_view text) {
  if (text.empty()) {
    return;
  }
  static const bool kTerminal = stderr_is_terminal();
  const std::lock_guard lock(status().mutex);
  clear_line();
  // What stands on stdout was said before.
  std::fflush(stdout);
  put(text, stderr, kTerminal);
}

void show_status(std::string_view text) {
  static const bool kTerminal = stderr_is_terminal();
  const std::lock_guard lock(status().mutex);
  put(kClearLine, stderr, false);
  put(text, stderr, kTerminal);
  std::fflush(stderr);
  status().visible = true;
}

void clear_status() {
  const std::lock_guard lock(status().mutex);
  clear_line();
}

Exit usage_error(std::string_view command, std::string_view message) {
  write_stderr(concat({"thaw: error usage: ", shown(message), "\n  hint: see `thaw help ", command, "`\n"}));
  return kUsage;
}

bool use_color(const RunSettings& settings, bool stream_is_terminal) {
  if (settings.color != "auto") {
    return settings.color == "always";
  }
  if (is_set("NO_COLOR")) {
    return false;
  }
  return is_set("FORCE_COLOR") || (stream_is_terminal && !dumb_terminal());
}

std::string paint(Style style, std::string_view text, bool color) {
  if (!color || style == Style::plain) {
    return std::string(text);
  }
  std::string painted = "\x1b[";
  painted += kStyleCodes.at(static_cast<std::size_t>(style));
  painted += 'm';
  painted += text;
  painted += "\x1b[";
  painted += kPlainCode;
  painted += 'm';
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

}  // namespace thaw::cli
