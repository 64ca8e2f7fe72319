#include "cli/inputs/inputs.hpp"

#include "bytes/text.hpp"

namespace thaw::cli {
namespace {

/// `[abc]`, `[a-z]`, `[!a]` at the start of `pattern`; its length, or 0 if it does not end.
std::size_t class_length(std::string_view pattern) {
  const std::size_t first = pattern.size() > 1 && pattern[1] == '!' ? 3 : 2;
  const std::size_t end = pattern.find(']', first);
  return end == std::string_view::npos ? 0 : end + 1;
}

bool in_class(std::string_view body, char c) {
  const bool negated = !body.empty() && body.front() == '!';
  bool found = false;
  for (std::size_t i = negated ? 1 : 0; i < body.size(); ++i) {
    if (i + 2 < body.size() && body[i + 1] == '-') {
      found = found || (ascii::lower(body[i]) <= c && c <= ascii::lower(body[i + 2]));
      i += 2;
    } else {
      found = found || ascii::lower(body[i]) == c;
    }
  }
  return found != negated;
}

/// Length of the pattern's first item if it matches the character, else 0.
std::size_t match_one(std::string_view pattern, char c) {
  if (pattern.front() == '?') {
    return c == '/' ? 0 : 1;
  }
  if (pattern.front() == '[') {
    if (const std::size_t length = class_length(pattern); length > 0) {
      return in_class(pattern.substr(1, length - 2), c) && c != '/' ? length : 0;
    }
  }
  return ascii::lower(pattern.front()) == c ? 1 : 0;
}

/// Goes back to the last star only, so the time is at most pattern times text. A `*` met after a `**` may end
/// at a `/`, whereupon the `**` takes over.
bool match(std::string_view pattern, std::string_view text) {
  struct Star {
    std::size_t pattern = std::string_view::npos;
    std::size_t text = 0;
  };
  Star narrow;
  Star wide;
  std::size_t p = 0;
  std::size_t t = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      const bool crosses = pattern.substr(p, 2) == "**";
      p += crosses ? 2 : 1;
      (crosses ? wide : narrow) = {p, t};
      if (crosses) {
        narrow = {};
        // `**/` also means no folder at all.
        if (p < pattern.size() && pattern[p] == '/' && match(pattern.substr(p + 1), text.substr(t))) {
          return true;
        }
      }
      continue;
    }
    const std::size_t step = p < pattern.size() ? match_one(pattern.substr(p), ascii::lower(text[t])) : 0;
    if (step > 0) {
      p += step;
      ++t;
    } else if (narrow.pattern != std::string_view::npos && text[narrow.text] != '/') {
      p = narrow.pattern;
      t = ++narrow.text;
    } else if (wide.pattern != std::string_view::npos) {
      p = wide.pattern;
      t = ++wide.text;
      narrow = {};
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

}  // namespace

bool matches_glob(std::string_view pattern, std::string_view path) {
  if (pattern.find('/') == std::string_view::npos) {
    path = path.substr(path.find_last_of('/') + 1);
  }
  return match(pattern, path);
}

}  // namespace thaw::cli
