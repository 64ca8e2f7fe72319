#include "patch/json_scan.hpp"

#include "bytes/text_encoding.hpp"
#include "bytes/utf8.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace thaw {
namespace {

std::optional<std::uint32_t> hex_unit(std::string_view rest) {
  constexpr std::size_t kDigits = 4;
  const auto value = rest.size() < kDigits ? std::nullopt : parse_hex(rest.substr(0, kDigits));
  return value ? std::optional(static_cast<std::uint32_t>(*value)) : std::nullopt;
}

/// `at` stands after "\u"; it moves past the digits.
bool append_unicode(std::string& text, std::string_view body, std::size_t& at) {
  const auto first = hex_unit(body.substr(at));
  if (!first) {
    return false;
  }
  at += 4;
  std::uint32_t point = *first;
  if (point >= 0xD800 && point < 0xDC00) {
    const auto second = body.substr(at, 2) == "\\u" ? hex_unit(body.substr(at + 2)) : std::nullopt;
    if (!second || *second < 0xDC00 || *second > 0xDFFF) {
      return false;
    }
    at += 6;
    point = 0x10000 + ((point - 0xD800) << 10U) + (*second - 0xDC00);
  } else if (point >= 0xDC00 && point <= 0xDFFF) {
    return false;
  }
  append_utf8(text, point);
  return true;
}

char escaped(char letter) {
  constexpr std::string_view kLetters = "\"\\/bfnrt";
  constexpr std::string_view kMeaning = "\"\\/\b\f\n\r\t";
  const std::size_t at = kLetters.find(letter);
  return at == std::string_view::npos ? '\0' : kMeaning[at];
}

}  // namespace

const char* skip_json_string(const char* at, const char* end) {
  if (at == end || *at != '"') {
    return nullptr;
  }
  for (++at; at != end; ++at) {
    if (*at == '"') {
      return at + 1;
    }
    if (*at == '\\') {
      ++at;
      if (at == end) {
        return nullptr;
      }
    }
  }
  return nullptr;
}

const char* skip_json(const char* at, const char* end, const char*& wrong) {
  // One bit of `lists` for each open bracket would not do for 256 levels.
  std::string open;
  at = skip_blanks(at, end);
  const auto fails = [&] {
    wrong = at;
    return nullptr;
  };
  bool value_next = true;
  while (true) {
    at = skip_blanks(at, end);
    if (at == end) {
      return fails();
    }
    const char c = *at;
    if (value_next && (c == '{' || c == '[')) {
      if (open.size() >= kJsonDepth) {
        return fails();
      }
      open += c == '{' ? '}' : ']';
      ++at;
      at = skip_blanks(at, end);
      if (at != end && *at == open.back()) {
        value_next = false;
        continue;
      }
    } else if (value_next) {
      const char* after = c == '"' ? skip_json_string(at, end) : std::find_if(at, end, [](char letter) {
        return std::strchr(" \n\r\t,]}", letter) != nullptr;
      });
      if (after == nullptr || after == at) {
        return fails();
      }
      at = after;
      value_next = false;
    } else if (!open.empty() && c == ',') {
      ++at;
      value_next = true;
    } else if (!open.empty() && c == open.back()) {
      ++at;
      open.pop_back();
    } else {
      return fails();
    }
    if (open.empty()) {
      return at;
    }
    if (value_next && open.back() == '}') {  // a name
      at = skip_blanks(at, end);
      const char* after = skip_json_string(at, end);
      const char* colon = after == nullptr ? nullptr : skip_blanks(after, end);
      if (colon == nullptr || colon == end || *colon != ':') {
        return fails();
      }
      at = colon + 1;
    }
  }
}

std::optional<std::string> json_string(std::string_view quoted) {
  if (quoted.size() < 2) {
    return std::nullopt;
  }
  const std::string_view body = quoted.substr(1, quoted.size() - 2);
  if (body.find('\\') == std::string_view::npos) {
    return std::string(body);
  }
  std::string text;
  for (std::size_t at = 0; at < body.size();) {
    if (body[at] != '\\') {
      text += body[at++];
      continue;
    }
    const char letter = at + 1 < body.size() ? body[at + 1] : '\0';
    at += 2;
    if (letter == 'u') {
      if (!append_unicode(text, body, at)) {
        return std::nullopt;
      }
    } else if (escaped(letter) != '\0') {
      text += escaped(letter);
    } else {
      return std::nullopt;
    }
  }
  return text;
}

std::string line_and_column(std::string_view text, const char* at) {
  const char* begin = text.data();
  const char* end = std::clamp(at, begin, begin + text.size());
  const auto lines = std::count(begin, end, '\n');
  const char* line = end;
  while (line != begin && line[-1] != '\n') {
    --line;
  }
  return std::to_string(lines + 1) + ':' + std::to_string(end - line + 1);
}

}  // namespace thaw
