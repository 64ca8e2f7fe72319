// Every sample and every real file: as a document, as a scene and as frames, all promises are kept.
#include <thaw/load.hpp>

#include "support/files.hpp"
#include "support/paths.hpp"
#include "support/promises.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

namespace thaw {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> all_files(const fs::path& directory) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(directory)) {
    if (entry.is_regular_file()) {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

struct Count {
  unsigned documents = 0;
  unsigned scenes = 0;
};

frame::Options everything_shown() {
  frame::Options options;
  options.wireframe = options.bones = options.collision = options.extents = options.grid = true;
  options.max_triangles = 1U << 18U;
  options.max_particles = 1U << 12U;
  return options;
}

void check_scene(const fs::path& path, const AnyDocument& document, bool frames, Count& count) {
  OpenSceneOptions request;
  request.path = path.filename().string();
  request.collision = request.portals = request.bones = true;
  Diagnostics findings;
  const auto opened = open_scene(document, model_sources(path, {}), request, findings);
  if (opened) {
    ++count.scenes;
    EXPECT_EQ(test::problems_of(opened->scene), test::Problems());
    if (frames) {
      EXPECT_EQ(test::problems_of_frames(opened->scene, everything_shown()), test::Problems());
    }
  }
}

constexpr std::size_t kMostForDump = std::size_t{1} << 18U;

void check_file(const fs::path& path, bool frames, Count& count) {
  SCOPED_TRACE(path.string());
  const Bytes bytes = test::load(path);
  Diagnostics findings;
  const auto document = read_any(bytes, {}, findings);
  if (document) {
    ++count.documents;
    EXPECT_EQ(test::problems_of(*document, bytes), test::Problems());
    if (bytes.size() <= kMostForDump) {
      EXPECT_EQ(test::problems_of_dump(*document), test::Problems());
    }
    check_scene(path, *document, frames, count);
  }
}

TEST(Promises, Samples) {
  Count count;
  for (const auto& path : all_files(test::samples_dir())) {
    check_file(path, true, count);
  }
  EXPECT_GT(count.documents, 50U);
  EXPECT_GT(count.scenes, 20U);
}

/// Models of Warcraft III are many and alike: all in an optimised build are still too many for one test.
TEST(Promises, Corpus) {
  THAW_REQUIRE_CORPUS("");
  Count count;
  std::size_t turn = 0;
  for (const auto& path : all_files(test::corpus_dir())) {
    const bool is_common = path.string().find("/wc3/") != std::string::npos;
    if (!is_common || turn++ % 8 == 0) {
      check_file(path, !is_common || turn % 16 == 1, count);
    }
  }
  std::cout << count.documents << " documents, " << count.scenes << " scenes\n";
  EXPECT_GT(count.documents, 100U);
  EXPECT_GT(count.scenes, 100U);
}

}  // namespace
}  // namespace thaw
