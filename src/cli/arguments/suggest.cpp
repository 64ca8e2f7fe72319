#include "cli/arguments/arguments.hpp"

#include "bytes/text.hpp"

namespace thaw::cli {
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
    const std::size_t steps = begun ? 1 : word_distance(word, candidate);
    const std::size_t far = 2 * steps + (initial(word) == initial(candidate) ? 0 : 1);
    if (far < least) {
      least = far;
      best = candidate;
    }
  }
  return best.empty() ? "" : "did you mean " + std::string(best) + "?";
}

}  // namespace thaw::cli
