#include "cli/arguments/arguments.hpp"

#include <algorithm>
#include <numeric>

namespace thaw::cli {
namespace {

/// Insertions, deletions, replacements and swaps of neighbours that turn one word into the other.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before;
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> now(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      now[j] = std::min({replaced, last[j] + 1, now[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        now[j] = std::min(now[j], before[j - 2] + 1);
      }
    }
    before = last;
    std::swap(last, now);
  }
  return last.back();
}

}  // namespace

std::string suggest(std::string_view word, const std::vector<std::string_view>& known) {
  const auto initial = [](std::string_view text) {
    const std::size_t at = text.find_first_not_of('-');
    return at == std::string_view::npos ? '\0' : text[at];
  };
  std::string_view best;
  // Further away is no slip of the finger. Of words as near, one with the same first letter comes first.
  std::size_t least = word.size() <= 4 ? 4 : 6;
  for (const auto candidate : known) {
    const bool begun = word.size() >= 2 && candidate.substr(0, word.size()) == word;
    const std::size_t steps = begun ? 1 : distance(word, candidate);
    const std::size_t far = 2 * steps + (initial(word) == initial(candidate) ? 0 : 1);
    if (far < least) {
      least = far;
      best = candidate;
    }
  }
  return best.empty() ? "" : "did you mean " + std::string(best) + "?";
}

}  // namespace thaw::cli
