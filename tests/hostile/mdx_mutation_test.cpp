// Every cut and every bad number: whatever reads must write back the same bytes, and nothing may crash.
#include <thaw/mdx.hpp>

#include "support/files.hpp"
#include "support/mutate.hpp"
#include "support/paths.hpp"

#include <gtest/gtest.h>

namespace thaw {
namespace {

using test::Layout;

Inspection inspection_of(const mdx::Document& document) {
  return [&](Inspector& inspector) { mdx::inspect(document, inspector); };
}

/// Empty if the mutant is treated right.
std::string check(ByteView mutant) {
  Diagnostics diagnostics;
  const auto document = mdx::read(mutant, {}, diagnostics);
  ReadOptions strict;
  strict.strict = true;
  Diagnostics strict_diagnostics;
  const auto strictly = mdx::read(mutant, strict, strict_diagnostics);
  if (!document) {
    return strictly ? "strict reads what the default does not" : "";
  }
  const Bytes original(mutant.begin(), mutant.end());
  if (mdx::write(*document) != original) {
    return "writes other bytes";
  }
  if (strictly && mdx::write(*strictly) != original) {
    return "strict writes other bytes";
  }
  if (test::layout_of(inspection_of(*document)).end != mutant.size()) {
    return "the inspection does not cover the file";
  }
  return "";
}

/// The bytes of a file that reads, and where its parts lie.
struct Subject {
  Bytes bytes;
  Layout layout;
};
Subject load_subject(const std::filesystem::path& path) {
  Subject subject{test::load(path), {}};
  Diagnostics diagnostics;
  const auto document = mdx::read(subject.bytes, {}, diagnostics);
  EXPECT_TRUE(document) << path;
  if (document) {
    subject.layout = test::layout_of(inspection_of(*document));
  }
  return subject;
}

void cut_everywhere(const Subject& subject) {
  for (const auto at : subject.layout.boundaries) {
    for (const std::uint64_t off : {at, at + 1, at == 0 ? 0 : at - 1}) {
      const auto length = std::min<std::uint64_t>(off, subject.bytes.size());
      ASSERT_EQ(check(ByteView(subject.bytes).first(length)), "") << "cut at " << length;
    }
  }
}

/// Every word, or every `step`th from the `first` on.
void damage_words(const Subject& subject, std::size_t first = 0, std::size_t step = 1) {
  ASSERT_GT(subject.layout.words.size(), 2U);
  for (std::size_t i = first; i < subject.layout.words.size(); i += step) {
    const auto& word = subject.layout.words[i];
    for (const auto value : test::hostile_values(subject.bytes, word)) {
      ASSERT_EQ(check(test::with_word(subject.bytes, word, value)), "")
          << word.name << " at " << word.offset << " set to " << value;
    }
  }
}

class MdxEverything : public testing::TestWithParam<unsigned> {
 protected:
  static Subject subject() {
    const auto name = "everything_v" + std::to_string(GetParam()) + ".mdx";
    return load_subject(test::samples_dir() / name);
  }
};

TEST_P(MdxEverything, CutAtEveryObject) { cut_everywhere(subject()); }

TEST_P(MdxEverything, WordsDamaged) {
  // The versions, which differ in little, share the words.
  const unsigned version = GetParam();
  damage_words(subject(), version / 100 % 4, 4);
}

INSTANTIATE_TEST_SUITE_P(Versions, MdxEverything,
                         testing::Values(800U, 900U, 1000U, 1100U, 1200U, 1300U, 1400U, 1600U, 1800U),
                         [](const auto& version) {
                           return std::string("v").append(std::to_string(version.param));
                         });

TEST(MdxMutation, CutAnywhere) {
  const auto subject = load_subject(test::samples_dir() / "everything_v1800.mdx");
  constexpr std::size_t kStep = 5;  // no whole part of the fields' sizes
  for (std::size_t length = 0; length < subject.bytes.size(); length += kStep) {
    ASSERT_EQ(check(ByteView(subject.bytes).first(length)), "") << "cut at " << length;
  }
}

TEST(MdxMutation, SmallRealFiles) {
  THAW_REQUIRE_CORPUS("wc3");
  unsigned tried = 0;
  for (const auto& path : test::files_below(test::corpus_dir() / "wc3", ".mdx")) {
    // One of 40 is enough of them; damage costs time by the square of the size.
    if (std::filesystem::file_size(path) > 6000 || tried++ % 40 != 0) {
      continue;
    }
    SCOPED_TRACE(path.string());
    const auto subject = load_subject(path);
    cut_everywhere(subject);
    damage_words(subject);
  }
  EXPECT_GT(tried, 40U);
}

}  // namespace
}  // namespace thaw
