#pragma once

#include <filesystem>

namespace thaw::test {

/// Root of the source tree.
std::filesystem::path root_dir();

/// Files written by the sample generator.
std::filesystem::path samples_dir();

/// Real game files: environment variable THAW_CORPUS, else the configured directory. May be absent; tests
/// begin with THAW_REQUIRE_CORPUS.
std::filesystem::path corpus_dir();

}  // namespace thaw::test

/// Skips the running test when the corpus, or this part of it ("" for all), is absent.
#define THAW_REQUIRE_CORPUS(part)                                                   \
  if (!std::filesystem::exists(::thaw::test::corpus_dir() / (part)))                \
  GTEST_SKIP() << "no corpus at " << (::thaw::test::corpus_dir() / (part)).string() \
               << " (set THAW_CORPUS to a directory of game files)"
