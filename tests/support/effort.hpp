#pragma once

#include <cstddef>

namespace thaw::test {

/// How much a test that repeats itself for a long time leaves out: it tries one in so many. 1, which is all,
/// without sanitizers, or with THAW_THOROUGH in the environment; else 32, because what takes seconds takes a
/// minute then.
std::size_t one_in();

}  // namespace thaw::test
