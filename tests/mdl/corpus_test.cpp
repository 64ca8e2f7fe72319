// Real files. Every model as text and back is the same file; every text reads, and writes as the same model.
#include <thaw/mdl.hpp>
#include <thaw/mdx.hpp>

#include "support/effort.hpp"
#include "support/files.hpp"
#include "support/paths.hpp"

#include <gtest/gtest.h>

namespace thaw::test {
namespace {

constexpr std::size_t kShards = 8;

/// A part of the corpus, so that cases run side by side and none takes long.
class MdlCorpus : public testing::TestWithParam<std::size_t> {
 protected:
  [[nodiscard]] static std::vector<std::filesystem::path> share(const std::string& extension) {
    const auto all = files_below(corpus_dir() / "wc3", extension);
    std::vector<std::filesystem::path> part;
    for (std::size_t i = GetParam(); i < all.size(); i += kShards * one_in()) {
      part.push_back(all[i]);
    }
    return part;
  }
};

void expect_exact(const std::filesystem::path& path, const mdl::WriteOptions& options) {
  const Bytes original = load(path);
  Diagnostics diagnostics;
  const auto model = mdx::read(original, {}, diagnostics);
  if (!model) {
    return;  // a model of another game
  }
  const Bytes text = mdl::write(*model, options, diagnostics);
  Diagnostics findings;
  const auto again = mdl::read(text, {}, findings);
  ASSERT_TRUE(again) << path << ": " << again.error().message;
  EXPECT_TRUE(mdx::write(*again) == original) << path;
  EXPECT_EQ(findings.count(Severity::warning), 0U)
      << path << ": " << (findings.items().empty() ? "" : findings.items()[0].message);
}

TEST_P(MdlCorpus, ModelsAreExactThroughText) {
  THAW_REQUIRE_CORPUS("wc3");
  for (const auto& path : share(".mdx")) {
    expect_exact(path, {});
  }
}

TEST_P(MdlCorpus, ModelsAreExactInTheOtherDialect) {
  THAW_REQUIRE_CORPUS("wc3");
  mdl::WriteOptions options;
  options.dialect = mdl::Dialect::world_editor;
  options.line_ending = mdl::LineEnding::crlf;
  options.indent = 2;
  std::size_t index = 0;
  for (const auto& path : share(".mdx")) {
    if (index++ % 4 == 0) {
      expect_exact(path, options);
    }
  }
}

TEST_P(MdlCorpus, TextsReadAndKeepTheirContent) {
  THAW_REQUIRE_CORPUS("wc3");
  for (const auto& path : share(".mdl")) {
    Diagnostics diagnostics;
    const auto model = mdl::read(load(path), {}, diagnostics);
    ASSERT_TRUE(model) << path << ": " << model.error().message;
    const bool cut = path.filename() == "truncated_after_helper_v800.mdl";
    EXPECT_EQ(diagnostics.count(Severity::error), cut ? 1U : 0U) << path;
    const Bytes text = mdl::write(*model);
    Diagnostics ignored;
    const auto again = mdl::read(text, {}, ignored);
    ASSERT_TRUE(again) << path << ": " << again.error().message;
    EXPECT_TRUE(mdx::write(*again) == mdx::write(*model)) << path;
  }
}

INSTANTIATE_TEST_SUITE_P(Shards, MdlCorpus, testing::Range<std::size_t>(0, kShards));

}  // namespace
}  // namespace thaw::test
