// Every real model becomes a sound scene whose vertices are where the game puts them.

#include <gtest/gtest.h>
#include <thaw/mdx.hpp>

#include "support/files.hpp"
#include "support/mdx_oracle.hpp"
#include "support/paths.hpp"
#include "support/promises.hpp"
#include "support/scene_pose.hpp"

#include <algorithm>
#include <cmath>

namespace thaw {
namespace {

using test::Moment;
using test::Point;

mdx::Document document_of(const std::filesystem::path& path) {
  Diagnostics diagnostics;
  auto document = mdx::read(test::load(path), {}, diagnostics);
  EXPECT_TRUE(document) << path;
  return document ? std::move(*document) : mdx::Document{};
}

TEST(SceneCorpus, EveryModelBecomesASoundScene) {
  THAW_REQUIRE_CORPUS("wc3");
  const auto files = test::files_below(test::corpus_dir() / "wc3", ".mdx");
  ASSERT_GT(files.size(), 1000U);
  for (const auto& file : files) {
    Diagnostics diagnostics;
    const auto document = document_of(file);
    const auto scene = mdx::to_scene(document, {}, diagnostics);
    EXPECT_EQ(test::problems_of(scene), std::vector<std::string>{}) << file;
    EXPECT_EQ(scene.meshes.size(), document.all<mdx::Geosets>().size()) << file;
    EXPECT_EQ(diagnostics.count(Severity::error), 0U) << file;
  }
}

/// The largest distance between where the scene and the oracle have a vertex, in sizes of the model.
double worst_distance(const std::vector<std::vector<Point>>& scene,
                      const std::vector<std::vector<Point>>& game, double scale, double size) {
  EXPECT_EQ(scene.size(), game.size());
  double worst = 0;
  for (std::size_t g = 0; g < std::min(scene.size(), game.size()); ++g) {
    EXPECT_EQ(scene[g].size(), game[g].size());
    for (std::size_t v = 0; v < std::min(scene[g].size(), game[g].size()); ++v) {
      const Point& a = scene[g][v];
      const Point& b = game[g][v];
      const double distance = std::hypot(a[0] - b[0] * scale, a[1] - b[2] * scale, a[2] + b[1] * scale);
      worst = distance <= worst ? worst : distance;  // also takes NaN
    }
  }
  return worst / (size * scale);
}

/// Up to `count` numbers from 0 to below `size`, evenly spread.
std::vector<std::size_t> spread(std::size_t size, std::size_t count) {
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < std::min(size, count); ++i) {
    result.push_back(size <= count ? i : i * size / count);
  }
  return result;
}

/// Moments of one clip. Not on round milliseconds: where a curve jumps, the last digit of the clock would
/// decide on which side of it the two computations are.
std::vector<Moment> moments_of(const test::MdxOracle& oracle, std::size_t sequence) {
  std::vector<Moment> moments;
  for (const double part : {0.0, 0.131, 0.377, 0.629, 0.912, 0.999}) {
    const double time = oracle.duration(sequence) * part;
    moments.push_back({static_cast<int>(sequence), time, 777.31 + time * 1.7});
  }
  return moments;
}

void compare(const std::filesystem::path& file, double& worst) {
  constexpr double kScale = 0.01;
  constexpr double kAllowed = 1e-4;
  const auto document = document_of(file);
  Diagnostics diagnostics;
  const auto scene = mdx::to_scene(document, {}, diagnostics);
  const test::MdxOracle oracle(document);
  double own = 0;
  for (const std::size_t sequence : spread(oracle.sequences(), 5)) {
    for (const auto& moment : moments_of(oracle, sequence)) {
      const test::SceneMoment now = {static_cast<scene::Index>(sequence), moment.time / 1000,
                                     moment.clock / 1000};
      const double distance =
          worst_distance(scene_positions(scene, now), oracle.positions(moment), kScale, oracle.size());
      ASSERT_LE(distance, kAllowed) << file << " sequence " << sequence << " at " << moment.time;
      own = std::max(own, distance);
      const auto played = scene_alphas(scene, now);
      const auto expected = oracle.alphas(moment);
      for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_NEAR(played[i], expected[i], 1e-4) << file << " geoset " << i << " at " << moment.time;
      }
    }
  }
  worst = std::max(worst, own);
}

TEST(SceneCorpus, VerticesAreWhereTheGamePutsThem) {
  THAW_REQUIRE_CORPUS("wc3");
  double worst = 0;
  int compared = 0;
  const auto files = test::files_below(test::corpus_dir() / "wc3", ".mdx");
  for (const std::size_t index : spread(files.size(), 160)) {
    const auto document = document_of(files[index]);
    const test::MdxOracle oracle(document);
    if (oracle.size() > 0 && oracle.sequences() > 0) {
      compare(files[index], worst);
      ++compared;
    }
  }
  EXPECT_GE(compared, 80);
  RecordProperty("worst", std::to_string(worst));
  std::cout << compared << " models, worst distance " << worst << " of the model's size\n";
}

}  // namespace
}  // namespace thaw
