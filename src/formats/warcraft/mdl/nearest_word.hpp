// Suggestion for a word that is not known where it stands.
#pragma once

#include "bytes/text.hpp"

#include <string>
#include <string_view>

namespace thaw::mdl {

class NearestWord {
 public:
  explicit NearestWord(std::string_view word)
      : word_(ascii::lowered(word.substr(0, kLongest))), whole_(word.size() <= kLongest) {}

  void offer(std::string_view known) {
    // A longer word than any is no slip of the finger, nor is a third of a word.
    const std::size_t most = word_.size() / 3;
    if (!whole_ || known.size() > word_.size() + most || known.size() + most < word_.size()) {
      return;
    }
    const std::size_t steps = word_distance(word_, ascii::lowered(known));
    if (steps <= most && (best_.empty() || steps < least_)) {
      least_ = steps;
      best_ = known;
    }
  }

  [[nodiscard]] std::string_view best() const { return best_; }

 private:
  static constexpr std::size_t kLongest = 64;
  std::string word_;
  bool whole_ = true;
  std::size_t least_ = 0;
  std::string_view best_;
};

}  // namespace thaw::mdl
