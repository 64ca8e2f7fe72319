// Every real texture: not a byte is lost, and every one decodes, or is named here.

#include <thaw/blp.hpp>
#include <thaw/dds.hpp>
#include <thaw/image.hpp>

#include <gtest/gtest.h>

#include "support/files.hpp"
#include "support/paths.hpp"

namespace thaw {
namespace {

using test::corpus_dir;
namespace fs = std::filesystem;

template <class Document>
Bytes rewrite(const Result<Document>& document) {
  return document ? write(*document) : Bytes{};
}

/// The same bytes after reading and writing, and the understood share of them.
Bytes rewrite(const Bytes& file) {
  Diagnostics diagnostics;
  if (blp::is_blp(file)) {
    return rewrite(blp::read(file, {}, diagnostics));
  }
  if (dds::is_dds(file)) {
    return rewrite(dds::read(file, {}, diagnostics));
  }
  return rewrite(png::read(file, {}, diagnostics));
}

std::vector<fs::path> textures(const fs::path& part) {
  std::vector<fs::path> paths;
  for (const char* extension : {".blp", ".dds", ".png"}) {
    const auto found = test::files_below(corpus_dir() / part, extension);
    paths.insert(paths.end(), found.begin(), found.end());
  }
  return paths;
}

/// Its table of levels is garbage: offsets of 348 million in a file of 9 KB (blp.md#pitfalls).
constexpr std::string_view kGarbageOffsets =
    "wc3-risk-system/maps/risk_asia.w3x/ReplaceableTextures/CommandButtons/BTNGeneralMedal.blp";

TEST(TextureCorpus, EveryFileOfWarcraft3) {
  THAW_REQUIRE_CORPUS("wc3");
  const auto paths = textures("wc3");
  EXPECT_EQ(paths.size(), 294U + 25U);
  for (const auto& path : paths) {
    SCOPED_TRACE(path.string());
    const Bytes file = test::load(path);
    EXPECT_EQ(rewrite(file), file);
    Diagnostics diagnostics;
    const auto image = decode_texture(file, {}, diagnostics);
    const bool garbage = path == corpus_dir() / "wc3" / kGarbageOffsets;
    ASSERT_EQ(image.has_value(), !garbage);
    if (image) {
      EXPECT_EQ(image->rgba.size(), image->pixels() * 4);
      EXPECT_EQ(diagnostics.count(Severity::severe), 0U);
    } else {
      EXPECT_EQ(image.error().code, codes::kImageMalformed);
    }
  }
}

TEST(TextureCorpus, EveryFileOfTheAlpha) {
  THAW_REQUIRE_CORPUS("alpha");
  const auto paths = textures("alpha");
  EXPECT_GE(paths.size(), 15U);
  for (const auto& path : paths) {
    SCOPED_TRACE(path.string());
    const Bytes file = test::load(path);
    EXPECT_EQ(rewrite(file), file);
    Diagnostics diagnostics;
    EXPECT_TRUE(decode_texture(file, {}, diagnostics));
  }
}

TEST(TextureCorpus, EveryLevelDecodesThatStatesItsSize) {
  THAW_REQUIRE_CORPUS("wc3");
  std::size_t decoded = 0;
  for (const auto& path : test::files_below(corpus_dir() / "wc3", ".blp")) {
    if (path == corpus_dir() / "wc3" / kGarbageOffsets || fs::file_size(path) > 100000) {
      continue;
    }
    SCOPED_TRACE(path.string());
    Diagnostics diagnostics;
    const auto document = blp::read(test::load(path), {}, diagnostics);
    ASSERT_TRUE(document);
    for (std::size_t level = 0; level < level_count(*document); ++level) {
      EXPECT_TRUE(decode(*document, level, {}, diagnostics)) << "level " << level;
      ++decoded;
    }
    EXPECT_EQ(diagnostics.count(Severity::severe), 0U);
  }
  EXPECT_GT(decoded, 1000U);
}

}  // namespace
}  // namespace thaw
