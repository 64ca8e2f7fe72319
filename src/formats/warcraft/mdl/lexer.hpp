// The characters of an MDL file (mdl.md#characters). There is no stream of tokens: what may come is known
// from what came before, and most of a file is numbers, which are taken straight from the text.
#pragma once

#include <thaw/bytes.hpp>

#include "bytes/number_text.hpp"
#include "formats/warcraft/mdl/keyword.hpp"

#include <cstdint>
#include <string_view>

namespace thaw::mdl {

/// Marks comments that hold what MDL has no words for. To this reader they are no comments at all.
inline constexpr std::string_view kEmbeddedMark = "//@thaw ";

/// Line and column, both from 1; columns count bytes.
struct TextPosition {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
};

class Lexer {
 public:
  explicit Lexer(std::string_view text);

  /// The first character of what comes next, after blanks, commas (which are optional everywhere) and
  /// comments; NUL at the end of the text.
  char peek() {
    while (at_ < end_) {
      const char c = *at_;
      if (!is_blank(c)) {
        if (c != '/' || !skip_comment()) {
          return c;
        }
        continue;
      }
      ++at_;
    }
    return '\0';
  }
  /// As `peek`, but a comma is something.
  char peek_comma();

  [[nodiscard]] bool at_end() { return peek() == '\0' && at_ == end_; }
  bool take(char c) {
    const bool found = peek() == c && at_ < end_;
    at_ += found ? 1 : 0;
    return found;
  }
  void skip_char() { at_ += at_ < end_ ? 1 : 0; }

  /// The word that comes next; empty if it is none.
  Word word();
  /// The word that comes next, without taking it.
  Word peek_word();
  /// The text between the quotes that come next. Without a closing quote the rest of the line, and false.
  bool string(std::string_view& content);
  bool number(float& value) {
    peek();
    const char* after = parse_number(at_, end_, value);
    const bool found = after != at_;
    at_ = after;
    return found;
  }
  /// Digits alone: false if something follows that makes them a decimal fraction.
  bool integer(std::int64_t& value);

  /// Skips past the brace that closes `depth` open ones; false if the text ends first.
  bool skip_braces(std::size_t depth);
  /// Skips one thing: a word, number, string or any other character.
  void skip_one();

  [[nodiscard]] const char* at() const { return at_; }
  [[nodiscard]] std::size_t offset(const char* at) const { return static_cast<std::size_t>(at - begin_); }
  [[nodiscard]] std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }
  [[nodiscard]] bool unterminated_comment() const { return unterminated_comment_; }
  void stop() { at_ = end_; }
  /// Back to a place where it has been.
  void go_back(const char* at) { at_ = at; }

  /// Cheap if places are requested in ascending order.
  TextPosition place(const char* at);

 private:
  static bool is_blank(char c) { return c == ' ' || c == ',' || (c >= '\t' && c <= '\r') || c == '\0'; }
  bool skip_comment();

  const char* begin_;
  const char* at_;
  const char* end_;
  const char* known_;  ///< line and column below are those of this place
  const char* line_start_;
  std::uint32_t line_ = 1;
  bool unterminated_comment_ = false;
};

}  // namespace thaw::mdl
