// Smaller models show the same: each step alone, on the samples and on real models.

#include <gtest/gtest.h>
#include <thaw/inspect.hpp>
#include <thaw/mdx.hpp>

#include "formats/warcraft/mdx/optimize/steps.hpp"
#include "support/effort.hpp"
#include "support/files.hpp"
#include "support/mdx_objects.hpp"
#include "support/mdx_oracle.hpp"
#include "support/paths.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace thaw {
namespace {

using mdx::OptimizeStep;
using test::Point;

std::optional<mdx::Document> strict_document(const std::filesystem::path& file) {
  ReadOptions options;
  options.strict = true;
  Diagnostics findings;
  auto document = mdx::read(test::load(file), options, findings);
  return document ? std::optional(std::move(*document)) : std::nullopt;
}

mdx::Document sample(const std::string& name) {
  auto document = strict_document(test::samples_dir() / name);
  EXPECT_TRUE(document) << name;
  return document.value_or(mdx::Document{});
}

mdx::OptimizeOptions only(OptimizeStep step) {
  mdx::OptimizeOptions options;
  options.steps.fill(false);
  options.steps.at(static_cast<std::size_t>(step)) = true;
  return options;
}

mdx::OptimizeResult optimized(const mdx::Document& document, const mdx::OptimizeOptions& options = {}) {
  auto result = mdx::optimize(document, options);
  EXPECT_TRUE(result) << (result ? "" : result.error().message);
  return result ? std::move(*result) : mdx::OptimizeResult{};
}

std::size_t removed(const mdx::OptimizeResult& result, OptimizeStep step) {
  const auto found = std::find_if(result.steps.begin(), result.steps.end(),
                                  [&](const auto& entry) { return entry.step == step; });
  return found == result.steps.end() ? 0 : found->removed;
}

// --- what is shown, by the other evaluator

std::vector<test::Moment> moments_of(const test::MdxOracle& oracle) {
  std::vector<test::Moment> moments;
  const std::size_t count = std::min<std::size_t>(oracle.sequences(), 6);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t sequence = i * oracle.sequences() / count;
    for (const double part : {0.0413, 0.3571, 0.8437}) {
      const double time = oracle.duration(sequence) * part;
      moments.push_back({static_cast<int>(sequence), time, 118.3 + 1.7 * time});
    }
  }
  if (moments.empty()) {
    moments.push_back({-1, 0, 118.3});
  }
  return moments;
}

/// Corner by corner, because equal vertices may have become one.
double worst_corner(const mdx::Geoset& before, const mdx::Geoset& after, const std::vector<Point>& was,
                    const std::vector<Point>& is) {
  double worst = 0;
  EXPECT_EQ(before.indices.size(), after.indices.size());
  for (std::size_t i = 0; i < std::min(before.indices.size(), after.indices.size()); ++i) {
    if (before.indices[i] < was.size() && after.indices[i] < is.size()) {
      const Point& a = was[before.indices[i]];
      const Point& b = is[after.indices[i]];
      const double away = std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
      worst = away <= worst ? worst : away;
    }
  }
  return worst;
}

void expect_same_show(const mdx::Document& before, const mdx::OptimizeResult& result, double max_error,
                      const std::string& about) {
  const test::MdxOracle old_model(before);
  const test::MdxOracle new_model(result.document);
  const auto old_geosets = before.all<mdx::Geosets>();
  const auto new_geosets = result.document.all<mdx::Geosets>();
  ASSERT_EQ(old_geosets.size(), new_geosets.size()) << about;
  // 1e-9 of rounding between two ways to compute the same.
  const double allowed = max_error * result.size + 1e-9 * (1 + result.size);
  for (const auto& moment : moments_of(old_model)) {
    const auto was = old_model.positions(moment);
    const auto is = new_model.positions(moment);
    const auto was_opaque = old_model.opacities(moment);
    const auto is_opaque = new_model.opacities(moment);
    for (std::size_t g = 0; g < old_geosets.size(); ++g) {
      EXPECT_LE(worst_corner(*old_geosets[g], *new_geosets[g], was[g], is[g]), allowed)
          << about << " geoset " << g;
      // The product of two alphas.
      EXPECT_NEAR(was_opaque[g], is_opaque[g], 2.1 * max_error * std::max(1.0, was_opaque[g]) + 1e-7)
          << about << " geoset " << g;
    }
  }
}

/// All corners with the material and opacity that they are drawn with.
std::vector<std::array<double, 5>> all_corners(const mdx::Document& document, const test::MdxOracle& oracle,
                                               const test::Moment& moment) {
  std::vector<std::array<double, 5>> corners;
  const auto positions = oracle.positions(moment);
  const auto opacities = oracle.opacities(moment);
  const auto geosets = document.all<mdx::Geosets>();
  for (std::size_t g = 0; g < geosets.size(); ++g) {
    for (const std::uint16_t index : geosets[g]->indices) {
      if (index < positions[g].size()) {
        const Point& at = positions[g][index];
        corners.push_back({at[0], at[1], at[2], opacities[g], static_cast<double>(geosets[g]->material_id)});
      }
    }
  }
  std::sort(corners.begin(), corners.end());
  return corners;
}

/// To the bit, in whatever order.
void expect_merged_geosets_show_the_same(const mdx::Document& document, const std::string& about) {
  const auto merged = optimized(document, only(OptimizeStep::geosets));
  if (merged.steps.front().removed == 0) {
    return;
  }
  const test::MdxOracle old_model(document);
  const test::MdxOracle new_model(merged.document);
  for (const auto& moment : moments_of(old_model)) {
    EXPECT_EQ(all_corners(document, old_model, moment), all_corners(merged.document, new_model, moment))
        << about;
  }
}

void expect_sound(const mdx::Document& before, const std::string& about) {
  const mdx::OptimizeOptions options;
  const auto result = optimized(before, options);
  EXPECT_LE(result.deviation, options.max_error) << about;
  const Bytes bytes = mdx::write(result.document);
  EXPECT_EQ(bytes.size(), result.bytes_after) << about;
  std::uint64_t won = 0;
  for (const auto& step : result.steps) {
    won += step.bytes_won;
  }
  EXPECT_EQ(result.bytes_before - won, result.bytes_after) << about;
  ReadOptions strict;
  strict.strict = true;
  Diagnostics findings;
  const auto again = mdx::read(bytes, strict, findings);
  ASSERT_TRUE(again) << about;
  mdx::OptimizeOptions apart = options;
  apart.steps.at(static_cast<std::size_t>(OptimizeStep::geosets)) = false;
  expect_same_show(before, optimized(before, apart), options.max_error, about);
  expect_merged_geosets_show_the_same(before, about);
}

TEST(Optimize, Samples) {
  for (const auto& file : test::warcraft_samples()) {
    expect_sound(*strict_document(file), file.string());
  }
}

void check_corpus(std::size_t from) {
  const std::size_t step = 12 * test::one_in();
  const auto files = test::files_below(test::corpus_dir() / "wc3", ".mdx");
  std::size_t compared = 0;
  for (std::size_t i = from; i < files.size(); i += step) {
    if (const auto document = strict_document(files[i])) {
      expect_sound(*document, files[i].string());
      ++compared;
    }
  }
  EXPECT_GT(compared, 60U / test::one_in());
}

TEST(Optimize, RealModels) {
  THAW_REQUIRE_CORPUS("wc3");
  check_corpus(0);
}
TEST(Optimize, OtherRealModels) {
  THAW_REQUIRE_CORPUS("wc3");
  check_corpus(7);
}

// --- each step changes what it says, and nothing else

bool may_change(OptimizeStep step, const std::string& path) {
  const auto has = [&](std::string_view part) { return path.find(part) != std::string::npos; };
  switch (step) {
    case OptimizeStep::tracks:
    case OptimizeStep::keys:
    case OptimizeStep::curves:
      return has("tracks") || has("textureIds");
    case OptimizeStep::texture_animations:
      return has("TXAN") || has("textureAnimationId");
    case OptimizeStep::materials:
      return has("MTLS") || has("materialId");
    case OptimizeStep::textures:
      return has("TEXS") || has("textureId") || has("keys");
    case OptimizeStep::global_sequences:
      return has("GLBS") || has("globalSequenceId");
    case OptimizeStep::nodes:
      return has("BONE") || has("HELP") || has("PIVT") || has("BPOS") || has("Id") || has("matrixIndices") ||
             has("skin");
    case OptimizeStep::geosets:
      return has("GEOS") || has("GEOA") || has("geosetId") || has("geosetAnimationId");
    case OptimizeStep::vertices:
      return has("GEOS");
  }
  return false;
}

void expect_claimed_changes(const mdx::Document& before, const std::string& about) {
  for (const auto step : mdx::kOptimizeSteps) {
    const auto result = optimized(before, only(step));
    const auto differences = diff([&](Inspector& inspector) { inspect(before, inspector); },
                                  [&](Inspector& inspector) { inspect(result.document, inspector); }, 100000);
    EXPECT_EQ(differences.empty(), removed(result, step) == 0) << about;
    for (const auto& difference : differences) {
      EXPECT_TRUE(may_change(step, difference.path))
          << about << ": " << mdx::optimize_step_name(step) << " changed " << difference.path;
    }
  }
}

TEST(Optimize, StepsChangeWhatTheySay) {
  for (const auto& file : test::warcraft_samples()) {
    expect_claimed_changes(*strict_document(file), file.string());
  }
}

TEST(Optimize, StepsChangeWhatTheySayInRealModels) {
  THAW_REQUIRE_CORPUS("wc3");
  const auto files = test::files_below(test::corpus_dir() / "wc3", ".mdx");
  for (std::size_t i = 3; i < files.size(); i += 37) {
    if (const auto document = strict_document(files[i])) {
      expect_claimed_changes(*document, files[i].string());
    }
  }
}

// --- what one adds in vain is found

TEST(Optimize, UnusedAndEqualTexturesAndMaterials) {
  auto document = sample("everything_v800.mdx");
  const auto before = optimized(document);
  auto& textures = document.find<mdx::Textures>()->items;
  auto& materials = document.find<mdx::Materials>()->items;
  textures.insert(textures.begin(), textures.back());  // all indices now mean the one before
  mdx::Texture unused;
  unused.path.assign("Textures\\nobody.blp");
  textures.push_back(unused);
  materials.push_back(materials.front());
  document.find<mdx::Geosets>()->items.front().material_id = static_cast<std::int32_t>(materials.size() - 1);
  const auto after = optimized(document);
  EXPECT_GE(removed(after, OptimizeStep::textures), 1U);
  EXPECT_GE(removed(after, OptimizeStep::materials), 1U);
  for (const auto* texture : after.document.all<mdx::Textures>()) {
    EXPECT_NE(texture->path.view(), "Textures\\nobody.blp");
  }
  EXPECT_EQ(after.document.all<mdx::Materials>().size(), before.document.all<mdx::Materials>().size());
}

TEST(Optimize, UnusedGlobalSequencesAndTheirNumbers) {
  auto document = sample("everything_v800.mdx");
  const auto expected = optimized(document).document;
  auto& durations = document.find<mdx::GlobalSequences>()->durations;
  durations.insert(durations.begin(), 777);  // and everyone now plays the one before
  const auto result = optimized(document);
  EXPECT_GE(removed(result, OptimizeStep::global_sequences), 1U);
  EXPECT_LE(result.document.find<mdx::GlobalSequences>()->durations.size(), durations.size() - 1);
  EXPECT_FALSE(expected.chunks.empty());
}

TEST(Optimize, EqualVerticesBecomeOne) {
  auto document = sample("everything_v800.mdx");
  auto& geoset = document.find<mdx::Geosets>()->items.front();
  const auto twin = static_cast<std::uint16_t>(geoset.positions.size());
  geoset.positions.push_back(geoset.positions[0]);
  geoset.normals.push_back(geoset.normals[0]);
  geoset.vertex_groups.push_back(geoset.vertex_groups[0]);
  for (auto& set : geoset.uv_sets) {
    set.coordinates.push_back(set.coordinates[0]);
  }
  std::replace(geoset.indices.begin(), geoset.indices.end(), std::uint16_t{0}, twin);
  const auto result = optimized(document, only(OptimizeStep::vertices));
  EXPECT_GE(removed(result, OptimizeStep::vertices), 1U);
  expect_same_show(document, result, 0, "a vertex twice");
}

// --- tracks and keys

/// One bone of one sequence, 0 to 1000.
mdx::Document animated(mdx::Track track) {
  mdx::Document document = sample("everything_v800.mdx");
  document.chunks.clear();
  const auto add = [&](FourCC tag, mdx::ChunkBody body) {
    mdx::Chunk chunk;
    chunk.tag = tag;
    chunk.body = std::move(body);
    document.chunks.push_back(std::move(chunk));
  };
  add(FourCC{"VERS"}, mdx::Version{800});
  add(FourCC{"SEQS"}, test::list_of<mdx::Sequence>({test::make_sequence("Stand", 0, 1000)}));
  add(FourCC{"BONE"}, test::list_of<mdx::Bone>({test::make_bone("Bone", 0, -1, {std::move(track)})}));
  add(FourCC{"PIVT"}, test::make_pivots({{0, 0, 0}}));
  return document;
}

std::size_t keys_left(const mdx::Document& document) {
  const auto& tracks = document.all<mdx::Bones>().front()->node.tracks;
  return tracks.empty() ? 0 : tracks.front().size();
}

bool says_that_tracks_stay(const mdx::Document& document, const mdx::OptimizeOptions& options = {}) {
  Diagnostics findings;
  EXPECT_TRUE(mdx::optimize(document, options, findings));
  return findings.items().size() == 1 && findings.items().front().code == codes::kOptimizeTracks;
}

TEST(Optimize, KeysOnALineAreDroppedAndOthersAreNot) {
  using mdx::Interpolation;
  const auto line = test::make_track("KGTR", Interpolation::linear,
                                     {{0, {0, 0, 0}}, {250, {1, 0, 0}}, {500, {2, 0, 0}}, {1000, {4, 0, 0}}});
  EXPECT_EQ(keys_left(optimized(animated(line)).document), 2U);
  EXPECT_FALSE(says_that_tracks_stay(animated(line)));
  const auto bent =
      test::make_track("KGTR", Interpolation::linear,
                       {{0, {0, 0, 0}}, {250, {1.1F, 0, 0}}, {500, {2.2F, 0, 0}}, {1000, {3, 0, 0}}});
  EXPECT_EQ(keys_left(optimized(animated(bent)).document), 3U);
  const auto steps = test::make_track(
      "KGTR", Interpolation::none, {{0, {1, 0, 0}}, {250, {1, 0, 0}}, {500, {2, 0, 0}}, {1000, {2, 0, 0}}});
  EXPECT_EQ(keys_left(optimized(animated(steps)).document), 2U);
}

TEST(Optimize, KeysOfOneFrameStay) {
  const auto jump = test::make_track("KGTR", mdx::Interpolation::linear,
                                     {{0, {0, 0, 0}}, {500, {1, 0, 0}}, {500, {1, 0, 0}}, {1000, {2, 0, 0}}});
  EXPECT_EQ(keys_left(optimized(animated(jump)).document), 4U);
}

TEST(Optimize, TracksThatTooManySequencesShareStay) {
  mdx::Track track = test::make_track("KGTR", mdx::Interpolation::linear, {});
  std::vector<test::TrackKey> keys;
  for (std::int32_t i = 0; i < 4000; ++i) {
    keys.push_back({i, {static_cast<float>(i), 0, 0}});
  }
  mdx::Document document = animated(test::make_track("KGTR", mdx::Interpolation::linear, keys));
  EXPECT_LT(keys_left(optimized(document).document), 1000U) << "on a line";
  auto& sequences = document.find<mdx::Sequences>()->items;
  sequences.assign(400, test::make_sequence("Stand", 0, 4000));
  EXPECT_EQ(keys_left(optimized(document).document), 4000U);
  EXPECT_TRUE(says_that_tracks_stay(document));
  EXPECT_FALSE(says_that_tracks_stay(document, only(OptimizeStep::vertices))) << "no track was to change";
}

TEST(Optimize, TracksStayWhereAllThatIsDroppedIsTooMuch) {
  mdx::Document document = sample("everything_v800.mdx");
  const auto dropped = [&] {
    const auto result = optimized(document);
    return removed(result, OptimizeStep::tracks) + removed(result, OptimizeStep::keys);
  };
  EXPECT_GT(dropped(), 0U);
  document.find<mdx::Materials>()->items.front().layers.back().alpha = std::numeric_limits<float>::infinity();
  EXPECT_EQ(dropped(), 0U);
  EXPECT_TRUE(says_that_tracks_stay(document));
}

TEST(Optimize, KeysThatNoSequenceReachesAreDropped) {
  const auto track =
      test::make_track("KGTR", mdx::Interpolation::linear,
                       {{0, {1, 0, 0}}, {1000, {2, 0, 0}}, {1500, {9, 0, 0}}, {2000, {8, 0, 0}}});
  const auto result = optimized(animated(track));
  EXPECT_EQ(keys_left(result.document), 2U);
  EXPECT_EQ(result.deviation, 0);
}

TEST(Optimize, AConstantKeepsOneKeyAndNothingKeepsNone) {
  const auto constant =
      test::make_track("KGTR", mdx::Interpolation::linear, {{0, {1, 0, 0}}, {700, {1, 0, 0}}});
  EXPECT_EQ(keys_left(optimized(animated(constant)).document), 1U);
  const auto nothing =
      test::make_track("KGTR", mdx::Interpolation::linear, {{0, {0, 0, 0}}, {700, {0, 0, 0}}});
  EXPECT_EQ(removed(optimized(animated(nothing)), OptimizeStep::tracks), 1U);
}

TEST(Optimize, WhatIsRemovedIsMeasuredHoweverMany) {
  // One track at rest, and one key beside its line: as many of the one as of the other.
  auto document = animated(test::make_track("KGTR", mdx::Interpolation::linear,
                                            {{0, {0, 0, 0}}, {500, {50, 0.01F, 0}}, {1000, {100, 0, 0}}}));
  document.find<mdx::Bones>()->items.push_back(test::make_bone(
      "Still", 1, -1, {test::make_track("KGTR", mdx::Interpolation::linear, {{0, {0, 0, 0}}})}));
  document.find<mdx::Pivots>()->points.push_back({100, 0, 0});
  mdx::OptimizeOptions options;
  options.max_error = 1e-3;
  options.steps.fill(false);
  for (const auto step : {OptimizeStep::tracks, OptimizeStep::keys}) {
    options.steps.at(static_cast<std::size_t>(step)) = true;
  }
  const auto result = optimized(document, options);
  EXPECT_EQ(removed(result, OptimizeStep::tracks), 1U);
  EXPECT_EQ(removed(result, OptimizeStep::keys), 1U);
  EXPECT_GT(result.deviation, 9e-5);
  EXPECT_LE(result.deviation, 1e-4);
}

TEST(Optimize, ALargerErrorAllowsMoreAndIsMeasured) {
  std::vector<test::TrackKey> keys;
  for (int i = 0; i <= 100; ++i) {
    keys.push_back({i * 10, {std::sin(static_cast<float>(i) * 0.06F), 0, 0}});
  }
  const auto document = animated(test::make_track("KGTR", mdx::Interpolation::linear, keys));
  std::size_t before = keys.size() + 1;
  for (const double max_error : {1e-5, 1e-3, 0.1}) {
    mdx::OptimizeOptions options;
    options.max_error = max_error;
    const auto result = optimized(document, options);
    EXPECT_LE(result.deviation, max_error);
    EXPECT_LT(keys_left(result.document), before);
    before = keys_left(result.document);
  }
  EXPECT_LT(before, 50U);
}

/// The same turn on three bones: one moves a vertex nearby, one a vertex far away, one nothing.
TEST(Optimize, WhatATurnMovesFarTakesMoreKeys) {
  std::vector<test::TrackKey> keys;
  for (int i = 0; i <= 200; ++i) {
    const double half = 0.4 * std::sin(i * 0.05);
    keys.push_back({i * 5, {static_cast<float>(std::sin(half)), 0, 0, static_cast<float>(std::cos(half))}});
  }
  const auto turn = test::make_track("KGRT", mdx::Interpolation::linear, keys);
  mdx::Document document = animated({});
  document.find<mdx::Pivots>()->points.assign(3, Vec3{});
  document.find<mdx::Bones>()->items = {test::make_bone("Near", 0, -1, {turn}),
                                        test::make_bone("Far", 1, -1, {turn}),
                                        test::make_bone("Nothing", 2, -1, {turn})};
  mdx::Geoset geoset;
  geoset.positions = {{0, 100, 0}, {0, 1000, 0}, {0, 0, 100}};
  geoset.normals.assign(3, Vec3{0, 0, 1});
  geoset.vertex_groups = {0, 1, 0};
  geoset.matrix_groups = {1, 1};
  geoset.matrix_indices = {0, 1};
  geoset.primitive_types.assign(1, mdx::PrimitiveType::triangles);
  geoset.primitive_counts.assign(1, 3);
  geoset.indices = {0, 1, 2};
  mdx::Chunk chunk;
  chunk.tag = FourCC{"MTLS"};
  chunk.body = test::list_of<mdx::Material>({{}});
  document.chunks.push_back(chunk);
  chunk.tag = FourCC{"GEOS"};
  chunk.body = test::list_of<mdx::Geoset>({geoset});
  document.chunks.push_back(chunk);
  mdx::OptimizeOptions options = only(OptimizeStep::keys);
  options.max_error = 1e-3;
  const auto result = optimized(document, options);
  std::vector<std::size_t> left;
  for (const auto* bone : result.document.all<mdx::Bones>()) {
    left.push_back(bone->node.tracks.front().size());
  }
  ASSERT_EQ(left.size(), 3U);
  EXPECT_LT(left[0], left[1]) << "near, far";
  EXPECT_LT(left[2], left[0]) << "nothing, near";
}

/// As tools write them that know no lines.
TEST(Optimize, CurvesBecomeLinesWhereThatIsSmaller) {
  std::vector<test::TrackKey> keys;
  for (int i = 0; i <= 20; ++i) {
    keys.push_back({i * 50, {static_cast<float>(i), 0, 0, 1, 0, 0, 1, 0, 0}});  // value and both tangents
  }
  const auto track = test::make_track("KGTR", mdx::Interpolation::hermite, keys);
  const auto result = optimized(animated(track));
  EXPECT_EQ(removed(result, OptimizeStep::curves), 1U);
  EXPECT_EQ(keys_left(result.document), 2U);
  EXPECT_EQ(result.document.all<mdx::Bones>().front()->node.tracks.front().interpolation,
            mdx::Interpolation::linear);
  EXPECT_LE(result.deviation, 1e-4);
}

/// Two keys whose arcs come half a turn near to each other, for some 70 ms of a minute: there the turn goes
/// the other way round, with jumps that no lines say. Everything before goes to and fro, which lines say as
/// well.
mdx::Track turn_that_is_soon_over() {
  std::vector<test::TrackKey> keys;
  for (int i = 0; i <= 100; ++i) {
    const float half = i % 2 == 0 ? 0.2F : -0.2F;
    const float s = std::sin(half);
    const float c = std::cos(half);
    keys.push_back({i * 50, {s, 0, 0, c, s, 0, 0, c, s, 0, 0, c}});
  }
  constexpr double kArc = 1.5;
  constexpr double kMiddle = 0.4385;
  const double tilt = std::pow(kArc * 0.0006, 2);
  const auto at = [&](double share) {
    const double angle = kArc * (share - kMiddle);
    return std::array<std::array<double, 4>, 2>{
        {{std::sin(angle), 0, 0, std::cos(angle)}, {std::sin(angle), std::cos(angle), 0, -tilt}}};
  };
  const auto add = [&](std::int32_t frame, double share, bool first) {
    std::vector<float> numbers;
    const auto [own, tangent] = at(share);
    for (const auto& part : {own, first ? own : tangent, first ? tangent : own}) {
      for (const double number : part) {
        numbers.push_back(static_cast<float>(number));
      }
    }
    keys.push_back({frame, numbers});
  };
  add(10000, 0, true);
  add(70000, 1, false);
  return test::make_track("KGRT", mdx::Interpolation::hermite, keys);
}

double farthest_turn(const mdx::Track& before, const mdx::Track& after, const mdx::Window& window) {
  const mdx::KeyList old_keys = mdx::prepare(mdx::comparison_use(before));
  const mdx::KeyList new_keys = mdx::prepare(mdx::comparison_use(after));
  const mdx::TrackPlayer was(old_keys, window);
  const mdx::TrackPlayer is(new_keys, window);
  double worst = 0;
  for (std::int64_t frame = window.start; frame <= window.end; ++frame) {
    const double time = static_cast<double>(frame - window.start) / 1000;
    worst = std::max(worst, mdx::difference(old_keys, was.at(time), is.at(time)));
  }
  return worst;
}

TEST(Optimize, ATurnThatIsOverBetweenTwoLooksStays) {
  const mdx::Track track = turn_that_is_soon_over();
  mdx::Document document = animated(track);
  document.find<mdx::Sequences>()->items.front().end = 70000;
  mdx::OptimizeOptions options;
  options.max_error = 0.005;
  const auto result = optimized(document, options);
  const auto& left = result.document.all<mdx::Bones>().front()->node.tracks.front();
  EXPECT_LT(farthest_turn(track, left, {0, 70000, false}), 0.06);
}

// --- geosets and nodes

mdx::Document with_twin_geosets() {
  mdx::Document document = sample("everything_v800.mdx");
  auto& geosets = document.find<mdx::Geosets>()->items;
  geosets.resize(1);
  document.find<mdx::GeosetAnimations>()->items.clear();
  auto& material =
      document.find<mdx::Materials>()->items.at(static_cast<std::size_t>(geosets[0].material_id));
  material.layers.front().filter_mode = mdx::FilterMode::none;
  material.layers.front().shading_flags = 0;
  geosets.push_back(geosets[0]);
  for (auto& position : geosets[1].positions) {
    position[0] += 100;
  }
  return document;
}

TEST(Optimize, GeosetsThatAreSeenTogetherBecomeOne) {
  const mdx::Document document = with_twin_geosets();
  const auto& first = document.find<mdx::Geosets>()->items[0];
  const auto result = optimized(document, only(OptimizeStep::geosets));
  ASSERT_EQ(removed(result, OptimizeStep::geosets), 1U);
  const auto* one = result.document.all<mdx::Geosets>().front();
  EXPECT_EQ(one->positions.size(), 2 * first.positions.size());
  EXPECT_EQ(one->matrix_groups, first.matrix_groups) << "groups of bones are shared";
  EXPECT_EQ(one->indices.size(), one->primitive_counts.front());
  EXPECT_GT(one->extent.maximum[0], first.extent.maximum[0] - 1);
  expect_merged_geosets_show_the_same(document, "twins");
}

TEST(Optimize, GeosetsStayWhereSomebodyCouldReport) {
  mdx::Document blended = with_twin_geosets();
  for (auto& material : blended.find<mdx::Materials>()->items) {
    material.layers.front().filter_mode = mdx::FilterMode::blend;
  }
  mdx::Document selected = with_twin_geosets();
  selected.find<mdx::Geosets>()->items[1].selection_group = 7;
  mdx::Document fading = with_twin_geosets();
  mdx::GeosetAnimation animation;
  animation.geoset_id = 1;
  animation.alpha = 0.5F;
  fading.find<mdx::GeosetAnimations>()->items.push_back(animation);
  for (const auto* document : {&blended, &selected, &fading}) {
    EXPECT_EQ(removed(optimized(*document, only(OptimizeStep::geosets)), OptimizeStep::geosets), 0U);
  }
  animation.geoset_id = 0;
  fading.find<mdx::GeosetAnimations>()->items.push_back(animation);
  const auto both = optimized(fading, only(OptimizeStep::geosets));
  EXPECT_EQ(removed(both, OptimizeStep::geosets), 1U);
  EXPECT_EQ(both.document.all<mdx::GeosetAnimations>().size(), 1U);
  EXPECT_EQ(both.document.all<mdx::GeosetAnimations>().front()->geoset_id, 0);
}

TEST(Optimize, NodesThatMoveNothingGo) {
  mdx::Document document = sample("knight.mdx");
  const mdx::Document before = optimized(document, only(OptimizeStep::nodes)).document;
  auto& pivots = document.find<mdx::Pivots>()->points;
  mdx::Helper idle;
  idle.node = test::make_node("Idle", static_cast<std::int32_t>(pivots.size()));
  pivots.push_back({1, 2, 3});
  pivots.push_back({4, 5, 6});  // of no node
  mdx::Chunk helpers;
  helpers.tag = FourCC{"HELP"};
  helpers.body = test::list_of<mdx::Helper>({idle});
  document.chunks.push_back(helpers);
  const auto result = optimized(document, only(OptimizeStep::nodes));
  EXPECT_GE(removed(result, OptimizeStep::nodes), 2U);
  EXPECT_EQ(result.document.find<mdx::Pivots>()->points, before.find<mdx::Pivots>()->points);
  expect_same_show(document, result, 0, "an idle helper");
}

TEST(Optimize, ASquirtingEmitterKeepsEveryKey) {
  auto document = animated({});
  document.find<mdx::Bones>()->items.front().node.tracks.clear();
  mdx::ParticleEmitter2 emitter;
  emitter.node = test::make_node("Spray", 1);
  emitter.squirt = 1;
  emitter.tracks.push_back(
      test::make_track("KP2E", mdx::Interpolation::none, {{0, {5}}, {300, {5}}, {600, {5}}}));
  mdx::Chunk chunk;
  chunk.tag = FourCC{"PRE2"};
  chunk.body = test::list_of<mdx::ParticleEmitter2>({emitter});
  document.chunks.push_back(chunk);
  EXPECT_EQ(optimized(document).document.all<mdx::ParticleEmitters2>().front()->tracks.front().size(), 3U);
}

TEST(Optimize, DamagedModelsAreRefused) {
  Bytes bytes = mdx::write(sample("everything_v800.mdx"));
  bytes.resize(bytes.size() / 2);
  Diagnostics findings;
  const auto damaged = mdx::read(bytes, {}, findings);
  ASSERT_TRUE(damaged);
  const auto result = mdx::optimize(*damaged);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, codes::kOptimizeDamaged);
}

}  // namespace
}  // namespace thaw
