// What a fuzz target promises; libFuzzer takes the abort for a finding.
#pragma once

#include <thaw/bytes.hpp>

#include <cstdio>
#include <cstdlib>

#ifdef __has_feature  // of clang alone
#if __has_feature(memory_sanitizer)
#include <sanitizer/msan_interface.h>
#define THAW_FUZZ_SEES_UNSET
#endif
#endif

namespace thaw::fuzz {

inline void require(bool condition, const char* text = "a promise is broken\n") {
  if (!condition) {
    std::fputs(text, stderr);
    std::abort();
  }
}

/// With MemorySanitizer: that what would be written to a file was set, which copying alone does not look at.
inline void require_set([[maybe_unused]] ByteView bytes) {
#ifdef THAW_FUZZ_SEES_UNSET
  __msan_check_mem_is_initialized(bytes.data(), bytes.size());
#endif
}

}  // namespace thaw::fuzz
