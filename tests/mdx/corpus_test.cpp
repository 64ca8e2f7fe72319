// Every real model: not a byte is lost, and strict reading agrees with an independent strict reader.

#include <gtest/gtest.h>
#include <thaw/mdx.hpp>
#include <thaw/sources.hpp>

#include "formats/warcraft/mdx/convert/missing_chunks.hpp"

#include "support/paths.hpp"

#include <fstream>
#include <sstream>

namespace thaw {
namespace {

using test::corpus_dir;

struct StrictRow {
  std::string path;
  bool readable = false;
};

/// What an independent strict reader makes of each model of the corpus.
std::vector<StrictRow> strict_rows() {
  std::vector<StrictRow> rows;
  std::ifstream table(corpus_dir() / "wc3" / "STRICT.tsv");
  std::string line;
  std::getline(table, line);
  while (std::getline(table, line)) {
    std::istringstream cells(line);
    std::string path;
    std::string size;
    std::string version;
    std::string verdict;
    std::getline(cells, path, '\t');
    std::getline(cells, size, '\t');
    std::getline(cells, version, '\t');
    std::getline(cells, verdict, '\t');
    rows.push_back({path, verdict == "ok"});
  }
  return rows;
}

TEST(MdxCorpus, EveryModelWritesBackExactly) {
  THAW_REQUIRE_CORPUS("wc3");
  const auto rows = strict_rows();
  ASSERT_GT(rows.size(), 1000U);
  for (const auto& row : rows) {
    const auto bytes = read_file(corpus_dir() / "wc3" / row.path, {});
    ASSERT_TRUE(bytes) << row.path;
    Diagnostics diagnostics;
    const auto document = mdx::read(*bytes, {}, diagnostics);
    ASSERT_TRUE(document) << row.path << ": " << document.error().message;
    EXPECT_EQ(mdx::write(*document), *bytes) << row.path;
  }
}

/// The other reader takes BPOS as it comes; its count of 0x20000000 in 48 bytes is an error here.
constexpr std::string_view kOnlyOursIsStricter = "hivewe/tests/fixtures/mdx/bpos_count_overflow_v900.mdx";

TEST(MdxCorpus, StrictReadingAgreesWithAnIndependentReader) {
  THAW_REQUIRE_CORPUS("wc3");
  ReadOptions strict;
  strict.strict = true;
  for (const auto& row : strict_rows()) {
    const auto bytes = read_file(corpus_dir() / "wc3" / row.path, {});
    ASSERT_TRUE(bytes) << row.path;
    Diagnostics diagnostics;
    // The other reader does not look at what is referred to: fixtures of single chunks are whole to it.
    const auto read = mdx::read(*bytes, {}, diagnostics);
    const bool complete = read && mdx::missing_chunks(*read).empty();
    const bool expected = row.readable && complete && row.path != kOnlyOursIsStricter;
    EXPECT_EQ(mdx::read(*bytes, strict, diagnostics).has_value(), expected) << row.path;
  }
}

TEST(MdxCorpus, WowAlphaModelsAreNamedNotParsed) {
  THAW_REQUIRE_CORPUS("alpha");
  const auto bytes = read_file(corpus_dir() / "alpha" / "GrenderG+MDX-Parser" / "Boar.mdx", {});
  ASSERT_TRUE(bytes);
  EXPECT_TRUE(mdx::is_wow_alpha(*bytes));
  Diagnostics diagnostics;
  const auto document = mdx::read(*bytes, {}, diagnostics);
  ASSERT_FALSE(document);
  EXPECT_EQ(document.error().code, codes::kFormatForeign);
  EXPECT_NE(document.error().message.find("WoW Alpha"), std::string::npos);
}

}  // namespace
}  // namespace thaw
