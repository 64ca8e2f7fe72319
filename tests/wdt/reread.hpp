#pragma once

#include <thaw/format.hpp>

#include <gtest/gtest.h>

namespace thaw::test {

/// What was written, as whatever it is taken for.
inline AnyDocument reread(const Bytes& bytes) {
  Diagnostics findings;
  auto any = read_any(bytes, {}, findings);
  EXPECT_TRUE(any);
  return std::move(*any);
}

}  // namespace thaw::test
