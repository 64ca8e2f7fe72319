// Keys that come and go, and sequences that are copied: what is played stays what it was.

#include <gtest/gtest.h>
#include <thaw/codes.hpp>
#include <thaw/mdx.hpp>
#include <thaw/validate.hpp>

#include "formats/warcraft/mdx/edit/timeline.hpp"
#include "support/effort.hpp"
#include "support/files.hpp"
#include "support/mdx_objects.hpp"
#include "support/mdx_oracle.hpp"
#include "support/paths.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace thaw {
namespace {

using mdx::Interpolation;
using mdx::TrackSampler;
using mdx::Window;

/// Numbers between -1 and 1; four of them as a rotation.
std::vector<float> numbers(std::mt19937& random, std::size_t components) {
  std::vector<float> values;
  float square = 0;
  for (std::size_t i = 0; i < components; ++i) {
    values.push_back(static_cast<float>(static_cast<double>(random() % 2001) / 1000 - 1));
    square += values.back() * values.back();
  }
  for (float& value : values) {
    value /= components == 4 && square > 0 ? std::sqrt(square) : 1;
  }
  return values;
}

mdx::Track random_track(std::mt19937& random, std::string_view tag, Interpolation interpolation,
                        const std::vector<std::int32_t>& frames) {
  const std::size_t components = tag == "KGRT" ? 4 : tag == "KGTR" ? 3 : 1;
  std::vector<test::TrackKey> keys;
  for (const std::int32_t frame : frames) {
    test::TrackKey key{frame, {}};
    for (int part = 0; part < (interpolation > Interpolation::linear ? 3 : 1); ++part) {
      const auto values = numbers(random, components);
      key.numbers.insert(key.numbers.end(), values.begin(), values.end());
    }
    keys.push_back(key);
  }
  return test::make_track(tag, interpolation, keys);
}

double apart(const mdx::Track& track, const Vec4& a, const Vec4& b) {
  if (track.components() == 4) {
    return scene::rotation_angle(scene::normalized(scene::widen(a)), scene::normalized(scene::widen(b)));
  }
  double worst = 0;
  for (std::size_t i = 0; i < track.components(); ++i) {
    worst = std::max(worst, std::fabs(double{a.at(i)} - double{b.at(i)}));
  }
  return worst;
}

TEST(Timeline, OpeningKeysChangeNothingThatIsPlayed) {
  std::mt19937 random(7);  // NOLINT: the same tracks every time
  const std::array windows = {Window{0, 90, false}, Window{100, 1100, false}, Window{1200, 1300, false}};
  for (const std::string_view tag : {"KGTR", "KGRT", "KGAO"}) {
    for (const auto interpolation : {Interpolation::linear, Interpolation::hermite, Interpolation::bezier}) {
      for (const std::int32_t last : {700, 1099, 1100}) {
        const auto before = random_track(random, tag, interpolation, {50, 300, 420, last, 1250});
        mdx::Track after = before;
        ASSERT_TRUE(mdx::add_opening_key(after, windows[1], windows)) << tag;
        EXPECT_FALSE(mdx::add_opening_key(after, windows[1], windows)) << "there is one";
        EXPECT_GT(after.size(), before.size());
        const TrackSampler was(before);
        const TrackSampler is(after);
        double worst = 0;
        for (const Window& window : windows) {
          for (std::int64_t frame = window.start; frame <= window.end; ++frame) {
            const auto a = was.at(window, static_cast<double>(frame));
            const auto b = is.at(window, static_cast<double>(frame));
            ASSERT_TRUE(a && b);
            worst = std::max(worst, apart(before, *a, *b));
          }
        }
        EXPECT_LT(worst, 1e-4) << tag << " " << static_cast<int>(interpolation) << " " << last;
      }
    }
  }
}

TEST(Timeline, NoOpeningKeyComesIntoAnotherSequence) {
  std::mt19937 random(7);  // NOLINT
  mdx::Track track = random_track(random, "KGTR", Interpolation::linear, {300, 700});
  const mdx::Track before = track;
  const std::array touching = {Window{0, 100, false}, Window{100, 1100, false}};
  EXPECT_FALSE(mdx::add_opening_key(track, touching[1], touching));
  EXPECT_EQ(track, before);
  const std::array twice = {touching[1], touching[1]};
  EXPECT_TRUE(mdx::add_opening_key(track, touching[1], twice));
}

TEST(Timeline, KeysThatNothingReachesGo) {
  std::mt19937 random(7);  // NOLINT
  const std::array windows = {Window{100, 200, false}};
  mdx::Track track = random_track(random, "KGTR", Interpolation::bezier, {0, 50, 100, 150, 200, 250});
  EXPECT_EQ(mdx::drop_unreached_keys(track, windows), 2U);
  ASSERT_EQ(track.size(), 4U);
  EXPECT_EQ(track.frame(0), 0);
  EXPECT_EQ(track.frame(3), 200);
  track = random_track(random, "KGTR", Interpolation::linear, {300, 400});
  EXPECT_EQ(mdx::drop_unreached_keys(track, windows), 1U) << "one stays";
}

std::vector<test::Moment> moments_of(const test::MdxOracle& oracle, std::size_t sequence) {
  std::vector<test::Moment> moments;
  for (const double part : {0.0, 0.13, 0.51, 0.97}) {
    moments.push_back({static_cast<int>(sequence), oracle.duration(sequence) * part, 55.5});
  }
  return moments;
}

/// As a share of the model's size, over the moments of all sequences that both have.
double worst_of_fixing(const mdx::Document& before, const mdx::Document& after) {
  const test::MdxOracle was(before);
  const test::MdxOracle is(after);
  double worst = 0;
  for (std::size_t sequence = 0; sequence < std::min<std::size_t>(was.sequences(), 12); ++sequence) {
    for (const auto& moment : moments_of(was, sequence)) {
      const auto a = was.positions(moment);
      const auto b = is.positions(moment);
      for (std::size_t geoset = 0; geoset < a.size(); ++geoset) {
        for (std::size_t v = 0; v < a[geoset].size(); ++v) {
          for (std::size_t axis = 0; axis < 3; ++axis) {
            worst = std::max(worst, std::fabs(a[geoset][v].at(axis) - b[geoset][v].at(axis)));
          }
        }
      }
      EXPECT_EQ(was.alphas(moment).size(), is.alphas(moment).size());
    }
  }
  return worst / was.size();
}

TEST(Timeline, FixingKeepsThePosesOfRealModels) {
  THAW_REQUIRE_CORPUS("wc3");
  const auto files = test::files_below(test::corpus_dir() / "wc3", ".mdx");
  const std::vector<std::string_view> codes = {"mdx.track-opening",        "mdx.track-outside-sequences",
                                               "mdx.track-beyond-global",  "mdx.bone-unused",
                                               "mdx.texture-unused",       "mdx.material-unused",
                                               "mdx.attachment-no-origin", "mdx.texture-animation-unused"};
  for (std::size_t i = 3; i < files.size(); i += 40 * test::one_in()) {
    const auto before = mdx::read(test::load(files[i]));
    if (!before || before->all<mdx::Geosets>().empty()) {
      continue;
    }
    mdx::Document after = *before;
    fix(after, {}, codes);
    EXPECT_LT(worst_of_fixing(*before, after), 1e-4) << files[i];
    EXPECT_LE(validate(after).count(Severity::severe), validate(*before).count(Severity::severe)) << files[i];
  }
}

TEST(Timeline, AStillSequenceShowsWhereAnotherBegins) {
  mdx::Document document = *mdx::read(test::load(test::samples_dir() / "knight.mdx"));
  const mdx::Document before = document;
  mdx::add_still_sequence(document, "Stand", 1, 0);
  const test::MdxOracle was(before);
  const test::MdxOracle is(document);
  ASSERT_EQ(is.sequences(), was.sequences() + 1);
  const auto requested = was.positions({1, 0, 12});
  for (const double time : {0.0, 333.0, 1000.0}) {
    const auto shown = is.positions({static_cast<int>(was.sequences()), time, 12});
    for (std::size_t geoset = 0; geoset < requested.size(); ++geoset) {
      for (std::size_t v = 0; v < requested[geoset].size(); ++v) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
          EXPECT_NEAR(shown[geoset][v].at(axis), requested[geoset][v].at(axis), 1e-3);
        }
      }
    }
  }
  EXPECT_LT(worst_of_fixing(before, document), 1e-9);
}

double worst_of_copy(const mdx::Document& source, std::size_t from, const mdx::Document& copy,
                     std::size_t to) {
  const test::MdxOracle was(source);
  const test::MdxOracle is(copy);
  double worst = 0;
  for (const auto& moment : moments_of(was, from)) {
    const auto a = was.positions(moment);
    const auto b = is.positions({static_cast<int>(to), moment.time, moment.clock});
    for (std::size_t geoset = 0; geoset < a.size(); ++geoset) {
      for (std::size_t v = 0; v < a[geoset].size(); ++v) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
          worst = std::max(worst, std::fabs(a[geoset][v].at(axis) - b[geoset][v].at(axis)));
        }
      }
    }
  }
  return worst / was.size();
}

TEST(CopyClips, ACopyPlaysAsTheOriginal) {
  const mdx::Document source = *mdx::read(test::load(test::samples_dir() / "knight.mdx"));
  const std::size_t count = source.all<mdx::Sequences>().size();
  // Onto the model itself without movements, and beside movements that are curves.
  for (const auto interpolation :
       {Interpolation::none, Interpolation::linear, Interpolation::hermite, Interpolation::bezier}) {
    mdx::Document document = source;
    if (interpolation != Interpolation::none) {
      for (auto& bone : document.find<mdx::Bones>()->items) {
        for (auto& track : bone.node.tracks) {
          if (track.global_sequence >= 0) {
            continue;
          }
          const auto first = track.value(0);
          std::vector<float> values(first.begin(),
                                    first.begin() + static_cast<std::ptrdiff_t>(track.components()));
          test::TrackKey key{0, {}};
          for (int part = 0; part < (interpolation > Interpolation::linear ? 3 : 1); ++part) {
            key.numbers.insert(key.numbers.end(), values.begin(), values.end());
          }
          const std::string tag = track.tag.text();
          track = test::make_track(tag, interpolation, {key});
        }
      }
    }
    Diagnostics findings;
    EditLog log{{}, findings};
    ASSERT_TRUE(mdx::copy_clips(document, source, "*", {}, log));
    ASSERT_EQ(document.all<mdx::Sequences>().size(), 2 * count);
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_LT(worst_of_copy(source, i, document, count + i), 1e-4)
          << i << " " << static_cast<int>(interpolation);
    }
    if (interpolation == Interpolation::none) {
      EXPECT_LT(worst_of_fixing(source, document), 1e-9) << "what was there stays";
    }
  }
}

TEST(CopyClips, AKeyAloneHasTangentsThatBendNothing) {
  mdx::Document source = *mdx::read(test::load(test::samples_dir() / "knight.mdx"));
  mdx::Document document = source;
  const auto start = static_cast<std::int32_t>(source.all<mdx::Sequences>().front()->start);
  auto& theirs = source.find<mdx::Bones>()->items.front().node.tracks;
  auto& ours = document.find<mdx::Bones>()->items.front().node.tracks;
  theirs = {test::make_track("KGTR", Interpolation::linear, {{start, {1, 2, 3}}})};
  ours = {test::make_track("KGTR", Interpolation::hermite, {{start, {4, 5, 6, 7, 8, 9, 1, 2, 3}}})};
  Diagnostics findings;
  EditLog log{{}, findings};
  const std::string clip(source.all<mdx::Sequences>().front()->name.view());
  ASSERT_TRUE(mdx::copy_clips(document, source, clip, {}, log));
  const mdx::Track& joined = document.find<mdx::Bones>()->items.front().node.tracks.front();
  ASSERT_EQ(joined.size(), 2U);
  const test::TrackKey copied{joined.frame(1), {1, 2, 3, 0, 0, 0, 0, 0, 0}};
  const mdx::Track expected = test::make_track("KGTR", Interpolation::hermite, {copied});
  EXPECT_TRUE(std::equal(expected.words.begin(), expected.words.end(),
                         joined.words.begin() + static_cast<std::ptrdiff_t>(joined.stride())));
}

TEST(CopyClips, NodesThatAreNotThereAreReported) {
  const mdx::Document source = *mdx::read(test::load(test::samples_dir() / "knight.mdx"));
  mdx::Document document = source;
  for (auto& bone : document.find<mdx::Bones>()->items) {
    bone.node.name.assign("My " + std::string(bone.node.name.view()));
  }
  Diagnostics findings;
  EditLog log{{}, findings};
  mdx::BoneNames names;
  for (const auto* bone : source.all<mdx::Bones>()) {
    names.emplace_back(bone->node.name.view(), "My " + std::string(bone->node.name.view()));
  }
  mdx::Document mapped = document;
  ASSERT_TRUE(mdx::copy_clips(mapped, source, "*", names, log));
  const std::size_t count = source.all<mdx::Sequences>().size();
  EXPECT_LT(worst_of_copy(source, 1, mapped, count + 1), 1e-4);
  ASSERT_TRUE(mdx::copy_clips(document, source, "*", {}, log));
  EXPECT_TRUE(std::any_of(findings.items().begin(), findings.items().end(), [](const Diagnostic& finding) {
    return finding.code.id == codes::kEditInexact.id &&
           finding.message.find("not found in this model") != std::string::npos;
  }));
  findings = Diagnostics();
  ASSERT_TRUE(mdx::copy_clips(document, source, "no such", {}, log));
  ASSERT_EQ(findings.items().size(), 1U);
  EXPECT_EQ(findings.items()[0].code.id, codes::kEditNothing.id);
}

}  // namespace
}  // namespace thaw
