#include <thaw/edit.hpp>

#include "bytes/text.hpp"

namespace thaw {
namespace {

constexpr char folded(char c) { return c == '/' ? '\\' : ascii::lower(c); }

bool alike(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return folded(x) == folded(y); });
}

std::size_t find_from(std::string_view text, std::string_view part, std::size_t from) {
  for (std::size_t at = from; at + part.size() <= text.size(); ++at) {
    if (alike(text.substr(at, part.size()), part)) {
      return at;
    }
  }
  return std::string_view::npos;
}

std::vector<std::string_view> between_stars(std::string_view pattern) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t star = pattern.find('*');
    parts.push_back(pattern.substr(0, star));
    if (star == std::string_view::npos) {
      return parts;
    }
    pattern.remove_prefix(star + 1);
  }
}

/// What the stars meet: as little as can be, the last one all that is left.
std::optional<std::vector<std::string_view>> met(std::string_view text, std::string_view pattern) {
  const auto parts = between_stars(pattern);
  std::vector<std::string_view> stars;
  if (parts.size() == 1) {
    return alike(text, pattern) ? std::optional(stars) : std::nullopt;
  }
  const std::string_view first = parts.front();
  const std::string_view last = parts.back();
  if (text.size() < first.size() + last.size() || !alike(text.substr(0, first.size()), first) ||
      !alike(text.substr(text.size() - last.size()), last)) {
    return std::nullopt;
  }
  std::size_t at = first.size();
  const std::string_view middle = text.substr(0, text.size() - last.size());
  for (std::size_t i = 1; i + 1 < parts.size(); ++i) {
    const std::size_t found = find_from(middle, parts[i], at);
    if (found == std::string_view::npos) {
      return std::nullopt;
    }
    stars.push_back(middle.substr(at, found - at));
    at = found + parts[i].size();
  }
  stars.push_back(middle.substr(at));
  return stars;
}

}  // namespace

std::optional<std::string> renamed(std::string_view text, std::string_view pattern,
                                   std::string_view replacement) {
  const auto stars = met(text, pattern);
  if (!stars) {
    return std::nullopt;
  }
  std::string result;
  std::size_t star = 0;
  for (const char c : replacement) {
    if (c == '*' && star < stars->size()) {
      result += (*stars)[star++];
    } else {
      result += c;
    }
  }
  return result;
}

}  // namespace thaw
