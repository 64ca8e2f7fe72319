// The files in samples/files/ are what the generator writes.
#include "support/files.hpp"
#include "support/paths.hpp"

#include <gtest/gtest.h>

namespace thaw {
namespace {

TEST(SampleFiles, AreWhatTheGeneratorWrites) {
  namespace fs = std::filesystem;
  const fs::path committed = test::root_dir() / "samples" / "files";
  unsigned count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(committed)) {
    if (!entry.is_regular_file()) {
      continue;
    }
    const fs::path name = fs::relative(entry.path(), committed);
    const Bytes written = test::load(test::samples_dir() / name);
    EXPECT_TRUE(written == test::load(entry.path())) << name;
    ++count;
  }
  EXPECT_GE(count, 7U);
}

}  // namespace
}  // namespace thaw
