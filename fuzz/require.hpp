// What a fuzz target promises; libFuzzer takes the abort for a finding.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace thaw::fuzz {

inline void require(bool condition, const char* text = "a promise is broken\n") {
  if (!condition) {
    std::fputs(text, stderr);
    std::abort();
  }
}

}  // namespace thaw::fuzz
