// Animations: bytes, decoding beside independently computed values, and the quantiser's promise.
#include <thaw/nsa.hpp>
#include <thaw/validate.hpp>

#include "support/files.hpp"
#include "support/json_value.hpp"
#include "support/mutate.hpp"
#include "support/paths.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

namespace thaw::nsa {
namespace {

using Vec = std::array<double, 3>;
using Quaternion = std::array<double, 4>;

std::filesystem::path synthetic() { return test::corpus_dir() / "mrn" / "synthetic"; }

Document read_good(ByteView bytes) {
  Diagnostics diagnostics;
  auto document = read(bytes, {}, diagnostics);
  EXPECT_TRUE(document) << (document ? "" : document.error().message);
  EXPECT_EQ(diagnostics.count(Severity::warning), 0U);
  return document ? std::move(*document) : Document{};
}

/// A file, which ends at a multiple of 16.
Bytes file_of(const Document& document) {
  Bytes bytes = write(document);
  bytes.resize((bytes.size() + 15) / 16 * 16);
  return bytes;
}

Clip decode_good(const Document& document) {
  Diagnostics diagnostics;
  Clip clip = decode(document, diagnostics);
  EXPECT_EQ(diagnostics.count(Severity::warning), 0U)
      << (diagnostics.items().empty() ? "" : diagnostics.items().front().message);
  return clip;
}

// --- beside the expected values
// ---------------------------------------------------------------------------------------

template <std::size_t N>
double distance(const std::array<float, N>& value, const Value& expected) {
  double plain = 0;
  double turned = 0;  // q and -q are the same rotation
  for (std::size_t i = 0; i < N; ++i) {
    const double wanted = test::number(test::at(expected, static_cast<int>(i)));
    plain = std::max(plain, std::abs(double{value[i]} - wanted));
    turned = std::max(turned, std::abs(double{value[i]} + wanted));
  }
  return N == 4 ? std::min(plain, turned) : plain;
}

/// A list of samples, or the one value of a channel that does not move.
template <class Values>
double worst(const Values& values, const Value& expected, bool moving) {
  if (!moving) {
    return values.size() == 1 ? distance(values[0], expected) : 1e9;
  }
  double result = static_cast<int>(values.size()) == test::size_of(expected) ? 0 : 1e9;
  for (std::size_t i = 0; i < values.size() && result < 1e9; ++i) {
    result = std::max(result, distance(values[i], test::at(expected, static_cast<int>(i))));
  }
  return result;
}

template <class Track>
int compare(const std::vector<Track>& tracks, const Value& clip, const char* still, const char* moving) {
  int compared = 0;
  for (const char* kind : {still, moving}) {
    const Value* channels = clip.find(kind);
    if (channels == nullptr) {
      continue;
    }
    for (const auto& [name, expected] : std::get<Value::Object>(channels->storage())) {
      const auto number = static_cast<std::uint16_t>(std::stoi(name));
      const auto track = std::find_if(tracks.begin(), tracks.end(),
                                      [&](const Track& item) { return item.channel == number; });
      EXPECT_NE(track, tracks.end()) << kind << name;
      if (track != tracks.end()) {
        EXPECT_LT(worst(track->values, expected, kind == moving), 1e-5) << kind << name;
        ++compared;
      }
    }
  }
  EXPECT_EQ(static_cast<int>(tracks.size()), compared) << still << moving;
  return compared;
}

TEST(Nsa, EveryChannelIsAsExpected) {
  THAW_REQUIRE_CORPUS("mrn");
  const Bytes text = test::load(synthetic() / "synth_v26_expected.json");
  const Value all = test::parse_json({reinterpret_cast<const char*>(text.data()), text.size()});
  int compared = 0;
  for (const char* name : {"Male_Walk", "Male_OneBone", "Male_Pose"}) {
    SCOPED_TRACE(name);
    const Clip clip = decode_good(read_good(test::load(synthetic() / (std::string(name) + ".nsa"))));
    const Value& expected = test::at(all, name);
    compared += compare(clip.translations, expected, "sT", "T");
    compared += compare(clip.rotations, expected, "sR", "R");
    EXPECT_EQ(clip.root.has_value(), test::has(expected, "rootT"));
    if (!clip.root) {
      continue;
    }
    EXPECT_LT(worst(clip.root->translations, test::at(expected, "rootT"), true), 1e-5);
    const bool turns = test::has(expected, "rootR");
    const Value& turn = test::at(expected, turns ? "rootR" : "rootRconst");
    EXPECT_LT(worst(clip.root->rotations, turn, turns), 1e-5);
  }
  EXPECT_EQ(compared, 54);
}

TEST(Nsa, FilesAreExactAndUnderstood) {
  THAW_REQUIRE_CORPUS("mrn");
  for (const auto& path : test::files_below(synthetic(), ".nsa")) {
    const Bytes bytes = test::load(path);
    const Document document = read_good(bytes);
    EXPECT_EQ(write(document), bytes) << path;
    EXPECT_EQ(account_bytes([&](Inspector& inspector) { inspect(document, inspector); }).raw, 0U) << path;
    EXPECT_EQ(computed_crc(bytes), stated_crc(document)) << path;
  }
}

TEST(Nsa, WritesInTheLayoutOfTheSamples) {
  THAW_REQUIRE_CORPUS("mrn");
  for (const auto& path : test::files_below(synthetic(), ".nsa")) {
    const Bytes bytes = test::load(path);
    const Clip clip = decode_good(read_good(bytes));
    const auto again = from_curves(clip, {});
    ASSERT_TRUE(again) << again.error().message;
    const Bytes written = write(again->document);
    EXPECT_EQ(written.size(), bytes.size()) << path;
    EXPECT_EQ(computed_crc(written), stated_crc(again->document));
    EXPECT_EQ(again->document.header.static_at, read_good(bytes).header.static_at);
    EXPECT_EQ(again->document.header.root_at, read_good(bytes).header.root_at);
    EXPECT_EQ(decode_good(read_good(written)), decode_good(again->document));
  }
}

// --- the quantiser
// ----------------------------------------------------------------------------------------------------

Quaternion product(const Quaternion& a, const Quaternion& b) {
  return {a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
          a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
          a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
          a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
}

Quaternion wide(const Vec4& q) { return {double{q[0]}, double{q[1]}, double{q[2]}, double{q[3]}}; }

Vec4 unit(const Quaternion& q) {
  const double size = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  return {static_cast<float>(q[0] / size), static_cast<float>(q[1] / size), static_cast<float>(q[2] / size),
          static_cast<float>(q[3] / size)};
}

/// Walks of every size and speed, some of them not moving at all on an axis, or not at all.
class RandomCurves {
 public:
  explicit RandomCurves(std::uint32_t seed) : random_(seed) {}

  Clip clip(std::uint16_t channels, std::uint32_t samples) {
    Clip clip;
    clip.rate = 30;
    clip.duration = static_cast<float>(samples - 1) / 30;
    clip.channels = channels;
    clip.samples = samples;
    for (std::uint16_t channel = 0; channel < channels; ++channel) {
      clip.translations.push_back({channel, places(samples)});
      clip.rotations.push_back({channel, turns(samples)});
    }
    clip.root = RootMotion{30, places(samples), turns(samples)};
    return clip;
  }

 private:
  double between(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }

  Array<Vec3> places(std::uint32_t samples) {
    const double size = std::pow(10.0, between(-4, 1));
    const bool flat = between(0, 1) < 0.3;
    Vec at = {between(-2, 2), between(-2, 2), between(-2, 2)};
    Array<Vec3> values;
    for (std::uint32_t i = 0; i < samples; ++i) {
      at[0] += between(-size, size) / 10;
      at[1] += flat ? 0 : between(-size, size);
      at[2] += between(0, size) / 100;
      values.push_back({static_cast<float>(at[0]), static_cast<float>(at[1]), static_cast<float>(at[2])});
    }
    return values;
  }

  Array<Vec4> turns(std::uint32_t samples) {
    const double size = std::pow(10.0, between(-4, 0));
    Quaternion at = {between(-1, 1), between(-1, 1), between(-1, 1), between(-1, 1)};
    Array<Vec4> values;
    for (std::uint32_t i = 0; i < samples; ++i) {
      at = product(at, {between(-size, size), between(-size, size), between(-size, size), 1});
      at = wide(unit(at));
      values.push_back(unit(at));
    }
    return values;
  }

  std::mt19937 random_;
};

double length(const Vec3& v) {
  return std::sqrt(double{v[0]} * double{v[0]} + double{v[1]} * double{v[1]} + double{v[2]} * double{v[2]});
}

/// Half a step, and what becoming a float costs.
void expect_half_step(const Array<Vec3>& wanted, const Array<Vec3>& got, const Vec3& step) {
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const Vec3& value = got[got.size() == 1 ? 0 : i];
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double rounding = std::abs(double{wanted[i][axis]}) * 1.2e-7 + 1e-12;
      ASSERT_LE(std::abs(double{wanted[i][axis]} - double{value[axis]}), double{step[axis]} / 2 + rounding);
    }
  }
}

/// Steps are those of the rotation vector: a rotation that is off by a vector d is off by at most d from the
/// other's point of view.
void expect_half_step(const Array<Vec4>& wanted, const Array<Vec4>& got, const Vec3& step) {
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const Quaternion q = wide(got[got.size() == 1 ? 0 : i]);
    const Vec way = to_rotation_vector(product({-q[0], -q[1], -q[2], q[3]}, wide(wanted[i])));
    const double off = std::sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
    ASSERT_LE(off, length(step) / 2 + 1.5e-7);
  }
}

const ChannelError& error_of(const Quantised& made, Kind kind, std::uint16_t channel, bool root) {
  return *std::find_if(made.errors.begin(), made.errors.end(), [&](const ChannelError& error) {
    return error.kind == kind && error.channel == channel && error.root == root;
  });
}

void check_quantised(const Clip& clip) {
  const auto made = from_curves(clip, {});
  ASSERT_TRUE(made) << made.error().message;
  for (const ChannelError& error : made->errors) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      ASSERT_LE(error.worst[axis], error.step[axis] / 2 * 1.00001F + 1e-9F) << error.channel;
    }
  }
  const Clip again = decode_good(read_good(write(made->document)));
  ASSERT_EQ(again.translations.size(), clip.translations.size());
  ASSERT_EQ(again.rotations.size(), clip.rotations.size());
  for (std::uint16_t i = 0; i < clip.channels; ++i) {
    expect_half_step(clip.translations[i].values, again.translations[i].values,
                     error_of(*made, kTranslation, i, false).step);
    expect_half_step(clip.rotations[i].values, again.rotations[i].values,
                     error_of(*made, kRotation, i, false).step);
  }
  expect_half_step(clip.root->translations, again.root->translations,
                   error_of(*made, kTranslation, 0, true).step);
  expect_half_step(clip.root->rotations, again.root->rotations, error_of(*made, kRotation, 0, true).step);
}

TEST(Nsa, AThousandRandomCurvesComeBackWithinHalfAStep) {
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(seed);
    ASSERT_NO_FATAL_FAILURE(check_quantised(RandomCurves(seed).clip(10, 24)));
  }
}

TEST(Nsa, MoreChannelsThanSetsShareThem) {
  const Clip clip = RandomCurves(7).clip(400, 5);
  const auto made = from_curves(clip, {});
  ASSERT_TRUE(made);
  EXPECT_EQ(made->document.factors[kTranslation].size(), 256U);
  EXPECT_EQ(made->document.factors[kRotation].size(), 256U);
  check_quantised(clip);
}

TEST(Nsa, ScalesComeBack) {
  Clip clip;
  clip.rate = 10;
  clip.duration = 0.2F;
  clip.channels = 3;
  clip.samples = 3;
  clip.scales = {{0, {{2, 2, 2}}}, {2, {{1, 1, 1}, {1.5F, 1, 1}, {2, 1, 0.5F}}}};
  const auto made = from_curves(clip, {});
  ASSERT_TRUE(made) << made.error().message;
  Diagnostics diagnostics;
  const Clip again = decode(read_good(write(made->document)), diagnostics);
  EXPECT_EQ(diagnostics.items().front().code, codes::kUnproven);
  ASSERT_EQ(again.scales.size(), 2U);
  expect_half_step(clip.scales[0].values, again.scales[0].values, {0, 0, 0});
  expect_half_step(clip.scales[1].values, again.scales[1].values, error_of(*made, kScale, 2, false).step);
}

TEST(Nsa, WhatCannotBeQuantisedIsRefused) {
  const Clip good = RandomCurves(1).clip(2, 3);
  const auto refused = [&](auto&& spoil) {
    Clip clip = good;
    spoil(clip);
    const auto made = from_curves(clip, {});
    return !made && made.error().code == codes::kWriteUnsupported;
  };
  EXPECT_TRUE(from_curves(good, {}));
  EXPECT_TRUE(refused([](Clip& clip) { clip.rate = 0; }));
  EXPECT_TRUE(refused([](Clip& clip) { clip.channels = 1; }));
  EXPECT_TRUE(refused([](Clip& clip) { clip.translations[1].channel = 0; }));
  EXPECT_TRUE(refused([](Clip& clip) { clip.rotations[0].values.pop_back(); }));
  EXPECT_TRUE(refused([](Clip& clip) { clip.translations[0].values[0][1] = NAN; }));
  EXPECT_TRUE(refused([](Clip& clip) { clip.rotations[0].values[0] = {0, 0, 0, 0}; }));
  EXPECT_TRUE(refused([](Clip& clip) { clip.root->translations.pop_back(); }));
}

// --- layouts that writers differ in
// ----------------------------------------------------------------------------------------

TEST(Nsa, RowsOfRotationsArePadded) {
  DynamicSegment segment;
  segment.samples = 13;
  const auto row = [&](std::uint32_t channels, std::uint64_t space) {
    segment.counts[kRotation] = channels;
    segment.at[kRotation] = {0x40, 0x40 + space};
    return rotation_row(segment);
  };
  EXPECT_EQ(row(1, 13 * 8), 8U);
  EXPECT_EQ(row(2, 13 * 12), 12U);
  EXPECT_EQ(row(5, 13 * 32), 32U);
  EXPECT_EQ(row(1, 13 * 6), 6U) << "rows without padding, if only those fit";
  EXPECT_EQ(row(2, 13 * 16), 16U) << "rows padded to eight, if those alone explain the space";
  EXPECT_EQ(row(2, 13 * 12 + 8), 12U);
}

TEST(Nsa, AStaticSegmentMayLeaveOutFactors) {
  Clip clip;
  clip.rate = 30;
  clip.channels = 2;
  clip.rotations = {{0, {{0, 0, 0, 1}}}, {1, {{0.6F, 0, 0, 0.8F}}}};
  Document document = from_curves(clip, {}).value().document;
  const Clip usual = decode_good(document);
  // The factors of the translations, of which there are none, fall away: what follows moves up.
  document.still->records = 1;
  document.still->data_at[kRotation] -= sizeof(Factors);
  document.gaps.clear();
  EXPECT_EQ(decode_good(read_good(file_of(document))), usual);
}

/// The same animation as the older games have it.
Document as_version_24(const Document& v26) {
  Document document;
  document.layout = Layout::v24;
  document.factors = v26.factors;
  document.moving = v26.moving;
  document.still = v26.still;
  document.root = v26.root;
  document.static_lists = v26.static_lists;
  for (std::size_t kind = 0; kind < 2; ++kind) {
    document.pointers_v24[kind] = {0x180 + 0x20 * kind};
  }
  document.pointers_v24[2] = {0x1000};
  HeaderV24& header = document.header_v24;
  header.alignment = 16;
  header.duration = v26.duration();
  header.rate = v26.rate();
  header.channels = v26.channels();
  header.sets = 1;
  header.static_lists_at = {0x100, 0x120};
  header.dynamic_lists_at = {0x140, 0x150};
  header.segments_at = 0x160;
  header.translation_means = v26.header.translation_means;
  header.factor_counts = {4, 4};
  header.factors_at = {0x200, 0x300};
  header.static_at = 0x400;
  header.root_at = 0x600;
  document.static_lists[kScale].reset();
  document.moving[0].lists[kScale].reset();
  DynamicSegment& moving = *document.moving[0].segment;
  moving.at = {{{0x40, 0xC0}, {0x100, 0x300}, {0, 0}}};
  document.root->translations_at = 0x70;
  document.root->rotations_at = 0xA0;
  return document;
}

TEST(Nsa, Version24HasAHeaderOfItsOwn) {
  const Document v26 = from_curves(RandomCurves(3).clip(4, 6), {}).value().document;
  const Bytes bytes = file_of(as_version_24(v26));
  EXPECT_EQ(layout_of(bytes), Layout::v24);
  const Document again = read_good(bytes);
  EXPECT_EQ(write(again), bytes);
  EXPECT_EQ(decode_good(again), decode_good(v26));
}

TEST(Nsa, RulesNameTheSetOfVersion24) {
  Document document = as_version_24(from_curves(RandomCurves(3).clip(4, 6), {}).value().document);
  document.header_v24.channels = 1;
  const Bytes bytes = file_of(document);
  std::set<std::string> paths;
  const Diagnostics report = validate(AnyDocument(identify(bytes), read_good(bytes)), {});
  for (const auto& finding : report.items()) {
    if (finding.code.id == "nsa.channel-range") {
      paths.insert(finding.path);
      EXPECT_TRUE(finding.offset) << finding.path;
    }
  }
  EXPECT_EQ(paths,
            (std::set<std::string>{"sets[0].dynamicRotationChannels", "sets[0].dynamicTranslationChannels"}));
}

// --- damage
// -----------------------------------------------------------------------------------------------------------

/// Empty if the mutant is treated right.
std::string check(const Bytes& mutant) {
  for (const bool strict : {false, true}) {
    ReadOptions options;
    options.strict = strict;
    Diagnostics diagnostics;
    const auto document = read(mutant, options, diagnostics);
    if (document && write(*document) != mutant) {
      return "writes other bytes";
    }
    if (document && !strict) {
      const Clip clip = decode(*document, diagnostics);
      if (test::layout_of([&](Inspector& inspector) { inspect(*document, inspector); }).end !=
          mutant.size()) {
        return "the inspection does not cover the file";
      }
      (void)from_curves(clip, {});
    }
  }
  return "";
}

TEST(Nsa, CutAnywhere) {
  const Bytes bytes = test::load(test::samples_dir() / "forgelight" / "Human_Walk.nsa");
  for (std::size_t size = 0; size < bytes.size(); size += size < 0x300 ? 1 : 37) {
    const Bytes cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    ASSERT_EQ(check(cut), "") << size;
  }
}

TEST(Nsa, AnyWordMayBeAnything) {
  Clip clip = RandomCurves(5).clip(3, 4);
  clip.scales = {{1, {{1, 1, 1}, {2, 2, 2}, {1, 1, 1}, {2, 2, 2}}}, {2, {{3, 3, 3}}}};
  const Bytes bytes = write(from_curves(clip, {}).value().document);
  for (std::size_t at = 0; at + 4 <= bytes.size(); at += 4) {
    const auto left = static_cast<std::uint32_t>(bytes.size() - at);
    for (const std::uint32_t word : {0U, 1U, 0x40U, left, 0x7FFFFFFFU, 0x80000000U, 0xFFFFFFFFU}) {
      Bytes mutant = bytes;
      std::memcpy(mutant.data() + at, &word, sizeof word);
      ASSERT_EQ(check(mutant), "") << at << " set to " << word;
    }
  }
}

}  // namespace
}  // namespace thaw::nsa
