// Models that the corpus holds as text and as binary: two programs wrote them, and both must read as one
// model.
#include <thaw/mdl.hpp>
#include <thaw/mdx.hpp>

#include <gtest/gtest.h>

#include "support/files.hpp"
#include "support/paths.hpp"

namespace thaw {
namespace {

struct Twins {
  explicit Twins(const char* stem) {
    const auto folder = test::corpus_dir() / "wc3/war3mdlx/test";
    text = mdl::read(test::load(folder / (std::string(stem) + ".mdl")), {}, diagnostics);
    binary = mdx::read(test::load(folder / (std::string(stem) + ".mdx")), {}, diagnostics);
  }

  Diagnostics diagnostics;
  Result<mdx::Document> text = fail(codes::kFormatUnknown, "not read");
  Result<mdx::Document> binary = fail(codes::kFormatUnknown, "not read");
};

TEST(MdlTwins, AreOneModel) {
  THAW_REQUIRE_CORPUS("wc3");
  for (const char* stem : {"minimal", "test"}) {
    const Twins twins(stem);
    ASSERT_TRUE(twins.text) << stem << ": " << twins.text.error().message;
    ASSERT_TRUE(twins.binary) << stem << ": " << twins.binary.error().message;
    EXPECT_EQ(*twins.text, *twins.binary) << stem;
  }
}

/// The binary has a junk bit among its ribbon's flags (mdx.md#node-flags), and is else the same.
TEST(MdlTwins, AreOneModelButForJunk) {
  THAW_REQUIRE_CORPUS("wc3");
  Twins twins("cube");
  ASSERT_TRUE(twins.text);
  ASSERT_TRUE(twins.binary);
  EXPECT_NE(*twins.text, *twins.binary);
  for (auto& chunk : twins.binary->chunks) {
    if (auto* ribbons = std::get_if<mdx::RibbonEmitters>(&chunk.body)) {
      ASSERT_EQ(ribbons->items.size(), 1U);
      EXPECT_EQ(ribbons->items[0].node.flags, 0x400000U);
      ribbons->items[0].node.flags = 0x4000;
    }
  }
  EXPECT_EQ(*twins.text, *twins.binary);
}

}  // namespace
}  // namespace thaw
