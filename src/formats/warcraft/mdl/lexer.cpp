#include "formats/warcraft/mdl/lexer.hpp"

#include "bytes/text.hpp"

#include <algorithm>
#include <cstring>

namespace thaw::mdl {
namespace {

bool starts_with(const char* at, const char* end, std::string_view text) {
  return static_cast<std::size_t>(end - at) >= text.size() && std::memcmp(at, text.data(), text.size()) == 0;
}

}  // namespace

Lexer::Lexer(std::string_view text)
    : begin_(text.data()),
      at_(without_byte_order_mark(text).data()),
      end_(begin_ + text.size()),
      known_(at_),
      line_start_(at_) {}

bool Lexer::skip_comment() {
  if (starts_with(at_, end_, kEmbeddedMark)) {
    at_ += kEmbeddedMark.size();
    return true;
  }
  if (starts_with(at_, end_, "//")) {
    const void* line_end = std::memchr(at_, '\n', left());
    at_ = line_end != nullptr ? static_cast<const char*>(line_end) : end_;
    return true;
  }
  if (starts_with(at_, end_, "/*")) {
    constexpr std::string_view kClose = "*/";
    const char* close = std::search(at_ + 2, end_, kClose.begin(), kClose.end());
    unterminated_comment_ = unterminated_comment_ || close == end_;
    at_ = close == end_ ? end_ : close + kClose.size();
    return true;
  }
  return false;
}

char Lexer::peek_comma() {
  while (at_ < end_ && ((*at_ != ',' && is_blank(*at_)) || (*at_ == '/' && skip_comment()))) {
    at_ += at_ < end_ && *at_ != ',' && is_blank(*at_) ? 1 : 0;
  }
  return at_ < end_ ? *at_ : '\0';
}

Word Lexer::word() {
  if (!is_word_start(peek())) {
    return {};
  }
  const char* start = at_;
  std::uint32_t hash = WordHash::kStart;
  while (at_ < end_ && is_word_char(*at_)) {
    hash = WordHash::add(hash, *at_);
    ++at_;
  }
  return {{start, static_cast<std::size_t>(at_ - start)}, hash};
}

Word Lexer::peek_word() {
  peek();
  const char* start = at_;
  const Word found = word();
  at_ = start;
  return found;
}

bool Lexer::string(std::string_view& content) {
  ++at_;  // the quote
  const char* start = at_;
  const void* found = std::memchr(at_, '"', left());
  if (found != nullptr) {
    const auto* quote = static_cast<const char*>(found);
    content = {start, static_cast<std::size_t>(quote - start)};
    at_ = quote + 1;
    return true;
  }
  at_ = std::find_if(start, end_, [](char c) { return c == '\n' || c == '\r'; });
  content = {start, static_cast<std::size_t>(at_ - start)};
  return false;
}

bool Lexer::integer(std::int64_t& value) {
  peek();
  const char* after = parse_integer(at_, end_, value);
  if (after == at_ || (after < end_ && (*after == '.' || *after == 'e' || *after == 'E'))) {
    return false;
  }
  at_ = after;
  return true;
}

void Lexer::skip_one() {
  const char c = peek();
  std::string_view ignored;
  float number = 0;
  if (c == '"') {
    string(ignored);
  } else if (is_word_start(c)) {
    word();
  } else if (!this->number(number)) {
    skip_char();
  }
}

bool Lexer::skip_braces(std::size_t depth) {
  while (depth > 0) {
    const char c = peek();
    if (at_ == end_) {
      return false;
    }
    if (c == '{') {
      ++depth;
      skip_char();
    } else if (c == '}') {
      --depth;
      skip_char();
    } else {
      skip_one();
    }
  }
  return true;
}

TextPosition Lexer::place(const char* at) {
  if (at < known_) {
    known_ = begin_;
    line_start_ = starts_with(begin_, end_, kByteOrderMark) ? begin_ + kByteOrderMark.size() : begin_;
    line_ = 1;
  }
  for (; known_ < at; ++known_) {
    const bool lone_return = *known_ == '\r' && (known_ + 1 == end_ || known_[1] != '\n');
    if (*known_ == '\n' || lone_return) {
      ++line_;
      line_start_ = known_ + 1;
    }
  }
  const auto column = at < line_start_ ? std::ptrdiff_t{0} : at - line_start_;
  return {line_, static_cast<std::uint32_t>(column) + 1};
}

}  // namespace thaw::mdl
