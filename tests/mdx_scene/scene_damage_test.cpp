// Damaged models: whatever reads becomes a sound scene.

#include <gtest/gtest.h>
#include <thaw/mdx.hpp>

#include "support/files.hpp"
#include "support/mutate.hpp"
#include "support/paths.hpp"
#include "support/promises.hpp"

namespace thaw {
namespace {

using Problems = std::vector<std::string>;

Problems problems_of_file(ByteView bytes) {
  Diagnostics diagnostics;
  const auto document = mdx::read(bytes, {}, diagnostics);
  return document ? test::problems_of(mdx::to_scene(*document, {}, diagnostics)) : Problems{};
}

class SceneDamage : public testing::TestWithParam<const char*> {};

TEST_P(SceneDamage, EveryWordWithSomeBadValue) {
  const auto bytes = test::load(test::samples_dir() / GetParam());
  Diagnostics diagnostics;
  const auto document = mdx::read(bytes, {}, diagnostics);
  ASSERT_TRUE(document);
  const auto layout = test::layout_of([&](Inspector& inspector) { mdx::inspect(*document, inspector); });
  ASSERT_GT(layout.words.size(), 100U);
  std::size_t turn = 0;
  for (const auto& word : layout.words) {
    const auto values = test::hostile_values(bytes, word);
    const auto value = values[turn++ % values.size()];
    ASSERT_EQ(problems_of_file(test::with_word(bytes, word, value)), Problems{})
        << word.name << " at " << word.offset << " set to " << value;
  }
}

/// All numbers at once: every float of the file that is not part of a count or a tag may be anything.
TEST_P(SceneDamage, NumbersThatAreNone) {
  const auto bytes = test::load(test::samples_dir() / GetParam());
  for (const std::uint32_t poison : {0x7FC00000U, 0xFF800000U, 0x7F7FFFFFU, 0xFF7FFFFFU}) {
    for (std::size_t phase = 0; phase < 12; ++phase) {
      auto mutant = bytes;
      for (std::size_t at = 64 + phase * 4; at + 4 <= mutant.size(); at += 48) {
        std::uint32_t word = 0;
        std::memcpy(&word, &mutant[at], sizeof word);
        // Floats of everyday size: from 2^-20 to 2^20, either sign.
        const std::uint32_t exponent = (word >> 23U) & 0xFFU;
        if (exponent > 107 && exponent < 147) {
          std::memcpy(&mutant[at], &poison, sizeof poison);
        }
      }
      ASSERT_EQ(problems_of_file(mutant), Problems{}) << std::hex << poison << " phase " << phase;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Samples, SceneDamage,
                         testing::Values("everything_v800.mdx", "everything_v1000.mdx",
                                         "everything_v1800.mdx"),
                         [](const auto& file) {
                           const std::string name = file.param;
                           return name.substr(11, name.find('.') - 11);
                         });

}  // namespace
}  // namespace thaw
