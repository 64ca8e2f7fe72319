// Each version to each other, on the samples and on twenty real models.

#include "mdx_convert/all_pairs.hpp"
#include "support/files.hpp"
#include "support/paths.hpp"

namespace thaw {
namespace {

TEST(ConvertPairs, Samples) {
  for (const auto& file : test::warcraft_samples()) {
    test::convert_each_to_each(test::read_strictly(test::load(file), file.string()), file.string());
  }
}

struct Model {
  std::filesystem::path path;
  std::uint32_t version = 0;
};

/// Ten of version 800, spread, and ten of later ones; of a size that leaves time for all pairs.
std::vector<Model> twenty_models() {
  constexpr std::uintmax_t kLargest = 180000;
  constexpr std::size_t kOfEach = 10;
  std::vector<Model> classic;
  std::vector<Model> later;
  for (const auto& file : test::files_below(test::corpus_dir() / "wc3", ".mdx")) {
    const Bytes bytes = test::load(file);
    ReadOptions strict;
    strict.strict = true;
    Diagnostics findings;
    if (bytes.size() > kLargest || !mdx::read(bytes, strict, findings)) {
      continue;
    }
    const std::uint32_t version = mdx::stated_version(bytes).value_or(0);
    (version == 800 ? classic : later).push_back({file, version});
  }
  std::vector<Model> chosen;
  for (const auto* models : {&classic, &later}) {
    for (std::size_t i = 0; i < kOfEach && !models->empty(); ++i) {
      chosen.push_back((*models)[i * models->size() / kOfEach]);
    }
  }
  return chosen;
}

void convert_quarter(std::size_t quarter) {
  const auto models = twenty_models();
  ASSERT_EQ(models.size(), 20U);
  for (std::size_t i = quarter; i < models.size(); i += 4) {
    const auto& file = models[i].path;
    test::convert_each_to_each(test::read_strictly(test::load(file), file.string()), file.string());
  }
}

TEST(ConvertPairs, TwentyModelsFirstQuarter) {
  THAW_REQUIRE_CORPUS("wc3");
  convert_quarter(0);
}
TEST(ConvertPairs, TwentyModelsSecondQuarter) {
  THAW_REQUIRE_CORPUS("wc3");
  convert_quarter(1);
}
TEST(ConvertPairs, TwentyModelsThirdQuarter) {
  THAW_REQUIRE_CORPUS("wc3");
  convert_quarter(2);
}
TEST(ConvertPairs, TwentyModelsFourthQuarter) {
  THAW_REQUIRE_CORPUS("wc3");
  convert_quarter(3);
}

TEST(ConvertPairs, ClassicModelsComeBackFromReforgedExactly) {
  THAW_REQUIRE_CORPUS("wc3");
  int compared = 0;
  for (const auto& file : test::files_below(test::corpus_dir() / "wc3", ".mdx")) {
    const Bytes bytes = test::load(file);
    Diagnostics findings;
    const auto document = mdx::read(bytes, {}, findings);
    if (!document || document->version() != 800) {
      continue;
    }
    const auto there = mdx::convert_version(*document, 1000);
    if (!there || !there->losses.empty()) {
      continue;
    }
    const auto back = mdx::convert_version(there->document, 800);
    ASSERT_TRUE(back) << file;
    ASSERT_EQ(mdx::write(back->document), bytes) << file << test::codes_of(*back);
    ++compared;
  }
  EXPECT_GT(compared, 1000);
}

TEST(ConvertPairs, ClassicModelsGetWeights) {
  THAW_REQUIRE_CORPUS("wc3");
  constexpr std::size_t kEvery = 12;
  std::size_t classic = 0;
  std::size_t weighted = 0;
  for (const auto& file : test::files_below(test::corpus_dir() / "wc3", ".mdx")) {
    Diagnostics findings;
    const auto document = mdx::read(test::load(file), {}, findings);
    if (!document || document->version() != 800 || classic++ % kEvery != 0) {
      continue;
    }
    mdx::ConversionOptions options;
    options.weights = true;
    const auto there = mdx::convert_version(*document, 1000, options);
    if (!there) {
      continue;
    }
    test::expect_same_play(*document, *there, file.string());
    for (const auto* geoset : there->document.all<mdx::Geosets>()) {
      weighted += geoset->skin ? 1U : 0U;
    }
  }
  EXPECT_GT(weighted, 200U);
}

/// The heaviest ones: weights of many bones, several textures per layer.
TEST(ConvertPairs, LargeModelsBecomeClassic) {
  THAW_REQUIRE_CORPUS("wc3");
  int compared = 0;
  for (const auto& file : test::files_below(test::corpus_dir() / "wc3", ".mdx")) {
    const Bytes bytes = test::load(file);
    if (bytes.size() > 300000 && mdx::stated_version(bytes).value_or(0) >= 900) {
      test::checked_conversion(test::read_strictly(bytes, file.string()), 800, file.string());
      ++compared;
    }
  }
  EXPECT_GE(compared, 8);
}

}  // namespace
}  // namespace thaw
