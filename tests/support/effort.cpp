#include "support/effort.hpp"

#include <cstdlib>

#if defined(__SANITIZE_ADDRESS__)
#define THAW_TEST_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || __has_feature(thread_sanitizer)
#define THAW_TEST_SANITIZED 1
#endif
#endif

namespace thaw::test {

std::size_t one_in() {
#if defined(THAW_TEST_SANITIZED)
  return std::getenv("THAW_THOROUGH") == nullptr ? 32
                                                 : 1;  // NOLINT(concurrency-mt-unsafe): tests have one thread
#else
  return 1;
#endif
}

}  // namespace thaw::test
