// Names that are there and differ from each other.
#pragma once

#include <string>
#include <unordered_map>

namespace thaw::scene {

class UniqueNames {
 public:
  /// `name` itself when it is free, else with a number after it.
  std::string add(std::string name, const char* fallback) {
    if (name.empty()) {
      name = fallback;
    }
    // The count only saves looking; what counts is that the result is new.
    std::string unique = name;
    unsigned& number = used_[name];
    while (++number > 1) {
      unique = name + " (" + std::to_string(number) + ")";
      if (used_.find(unique) == used_.end()) {
        break;
      }
    }
    if (unique != name) {
      used_[unique] = 1;
    }
    return unique;
  }

 private:
  std::unordered_map<std::string, unsigned> used_;
};

}  // namespace thaw::scene
