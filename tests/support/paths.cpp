#include "support/paths.hpp"

#include <cstdlib>

namespace thaw::test {

namespace {

std::filesystem::path from_environment(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
  return value != nullptr && *value != '\0' ? value : otherwise;
}

}  // namespace

std::filesystem::path root_dir() { return THAW_TEST_ROOT; }
std::filesystem::path samples_dir() { return from_environment("THAW_SAMPLES", THAW_TEST_SAMPLES); }
std::filesystem::path corpus_dir() { return from_environment("THAW_CORPUS", THAW_TEST_CORPUS); }

}  // namespace thaw::test
