// Animations: bytes, decoding beside independently computed values, and the quantiser's promise.
#include <thaw/codes.hpp>
#include <thaw/mrn.hpp>
#include <thaw/nsa.hpp>
#include <thaw/validate.hpp>

#include "formats/forgelight/nsa/description.hpp"
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
    const double requested = test::number(test::at(expected, static_cast<int>(i)));
    plain = std::max(plain, std::abs(double{value[i]} - requested));
    turned = std::max(turned, std::abs(double{value[i]} + requested));
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
void expect_half_step(const Array<Vec3>& requested, const Array<Vec3>& got, const Vec3& step) {
  for (std::size_t i = 0; i < requested.size(); ++i) {
    const Vec3& value = got[got.size() == 1 ? 0 : i];
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double rounding = std::abs(double{requested[i][axis]}) * 1.2e-7 + 1e-12;
      ASSERT_LE(std::abs(double{requested[i][axis]} - double{value[axis]}),
                double{step[axis]} / 2 + rounding);
    }
  }
}

/// Steps are those of the rotation vector: a rotation that is off by a vector d is off by at most d from the
/// other's point of view.
void expect_half_step(const Array<Vec4>& requested, const Array<Vec4>& got, const Vec3& step) {
  for (std::size_t i = 0; i < requested.size(); ++i) {
    const Quaternion q = wide(got[got.size() == 1 ? 0 : i]);
    const Vec difference = to_rotation_vector(product({-q[0], -q[1], -q[2], q[3]}, wide(requested[i])));
    const double off = std::sqrt(difference[0] * difference[0] + difference[1] * difference[1] +
                                 difference[2] * difference[2]);
    ASSERT_LE(off, length(step) / 2 + 1.5e-7);
  }
}

const ChannelError& error_of(const Quantised& quantised, Kind kind, std::uint16_t channel, bool root) {
  return *std::find_if(quantised.errors.begin(), quantised.errors.end(), [&](const ChannelError& error) {
    return error.kind == kind && error.channel == channel && error.root == root;
  });
}

void check_quantised(const Clip& clip) {
  const auto quantised = from_curves(clip, {});
  ASSERT_TRUE(quantised) << quantised.error().message;
  for (const ChannelError& error : quantised->errors) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      ASSERT_LE(error.worst[axis], error.step[axis] / 2 * 1.00001F + 1e-9F) << error.channel;
    }
  }
  const Clip again = decode_good(read_good(write(quantised->document)));
  ASSERT_EQ(again.translations.size(), clip.translations.size());
  ASSERT_EQ(again.rotations.size(), clip.rotations.size());
  for (std::uint16_t i = 0; i < clip.channels; ++i) {
    expect_half_step(clip.translations[i].values, again.translations[i].values,
                     error_of(*quantised, kTranslation, i, false).step);
    expect_half_step(clip.rotations[i].values, again.rotations[i].values,
                     error_of(*quantised, kRotation, i, false).step);
  }
  expect_half_step(clip.root->translations, again.root->translations,
                   error_of(*quantised, kTranslation, 0, true).step);
  expect_half_step(clip.root->rotations, again.root->rotations,
                   error_of(*quantised, kRotation, 0, true).step);
}

TEST(Nsa, AThousandRandomCurvesComeBackWithinHalfAStep) {
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(seed);
    ASSERT_NO_FATAL_FAILURE(check_quantised(RandomCurves(seed).clip(10, 24)));
  }
}

TEST(Nsa, MoreChannelsThanSetsShareThem) {
  const Clip clip = RandomCurves(7).clip(400, 5);
  const auto quantised = from_curves(clip, {});
  ASSERT_TRUE(quantised);
  EXPECT_EQ(quantised->document.factors[kTranslation].size(), 256U);
  EXPECT_EQ(quantised->document.factors[kRotation].size(), 256U);
  check_quantised(clip);
}

TEST(Nsa, ScalesComeBack) {
  Clip clip;
  clip.rate = 10;
  clip.duration = 0.2F;
  clip.channels = 3;
  clip.samples = 3;
  clip.scales = {{0, {{2, 2, 2}}}, {2, {{1, 1, 1}, {1.5F, 1, 1}, {2, 1, 0.5F}}}};
  const auto quantised = from_curves(clip, {});
  ASSERT_TRUE(quantised) << quantised.error().message;
  Diagnostics diagnostics;
  const Clip again = decode(read_good(write(quantised->document)), diagnostics);
  EXPECT_EQ(diagnostics.items().front().code, codes::kUnproven);
  ASSERT_EQ(again.scales.size(), 2U);
  expect_half_step(clip.scales[0].values, again.scales[0].values, {0, 0, 0});
  expect_half_step(clip.scales[1].values, again.scales[1].values,
                   error_of(*quantised, kScale, 2, false).step);
}

TEST(Nsa, WhatCannotBeQuantisedIsRefused) {
  const Clip good = RandomCurves(1).clip(2, 3);
  const auto refused = [&](auto&& spoil) {
    Clip clip = good;
    spoil(clip);
    const auto quantised = from_curves(clip, {});
    return !quantised && quantised.error().code == codes::kWriteUnsupported;
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

TEST(Nsa, Version24WithoutSetsHasTheSegmentOfItsHeader) {
  Document document = as_version_24(from_curves(RandomCurves(3).clip(4, 6), {}).value().document);
  document.header_v24.sets = 0;
  document.pointers_v24 = {};
  document.header_v24.dynamic_at = 0x1000;
  document.moving[0].lists = {};
  Document again = read_good(file_of(document));
  ASSERT_EQ(again.moving.size(), 1U);
  EXPECT_TRUE(again.moving[0].segment);
  EXPECT_EQ(again.samples(), 6U);
  document.header_v24.dynamic_at = 0;
  document.moving.clear();
  again = read_good(file_of(document));
  EXPECT_TRUE(again.moving.empty());
  EXPECT_EQ(again.samples(), 1U);
}

/// Where a static segment of a file with so many records of factors keeps its pointers, none of which is set.
Bytes static_segment(unsigned records, std::array<std::uint32_t, 2> counts, std::uint64_t translations,
                     std::uint64_t rotations) {
  Bytes bytes(0x100, 0);
  std::memcpy(bytes.data(), counts.data(), sizeof counts);
  const std::size_t size = 0x30 + 24 * records;
  std::memcpy(bytes.data() + size - 24, &translations, sizeof translations);
  std::memcpy(bytes.data() + size - 16, &rotations, sizeof rotations);
  return bytes;
}

TEST(Nsa, RecordsOfFactorsAreWhatMakesThePointersFit) {
  EXPECT_EQ(factor_records(static_segment(2, {1, 1}, 0x60, 0x66), 0), 2U);
  EXPECT_EQ(factor_records(static_segment(1, {1, 1}, 0x48, 0x4E), 0), 1U);
  EXPECT_EQ(factor_records(static_segment(0, {1, 1}, 0x30, 0x36), 0), 0U);
  EXPECT_EQ(factor_records(static_segment(1, {0, 1}, 0, 0x48), 0), 1U);
  EXPECT_EQ(factor_records(static_segment(2, {0, 0}, 0, 0), 0), 2U);
  // Values may end where the file does, and not behind it.
  EXPECT_EQ(factor_records(static_segment(1, {1, 1}, 0x48, 0xFA), 0), 1U);
  EXPECT_EQ(factor_records(static_segment(1, {1, 1}, 0x48, 0xFB), 0), 2U);
  // Nor may they begin within the segment.
  EXPECT_EQ(factor_records(static_segment(1, {1, 1}, 0x48, 0x47), 0), 2U);
  // Only what lies in the file counts.
  const Bytes bytes = static_segment(2, {0, 0}, 0, 0);
  EXPECT_EQ(factor_records(ByteView(bytes).first(0x60), 0), 2U);
  EXPECT_EQ(factor_records(ByteView(bytes).first(0x5F), 0), 1U);
  EXPECT_EQ(factor_records(ByteView(bytes).first(0x47), 0), 0U);
  EXPECT_EQ(factor_records(ByteView(bytes).first(0x70), 0x40), 0U);
  EXPECT_EQ(factor_records(ByteView(bytes).first(0x2F), 0), 2U);
  EXPECT_EQ(factor_records(bytes, 0x101), 2U);
}

/// Two channels: the first stays, the second goes from one place to another in two samples.
Clip two_channels() {
  Clip clip;
  clip.rate = 10;
  clip.duration = 0.1F;
  clip.channels = 2;
  clip.samples = 2;
  clip.translations = {{0, {{1, 2, 3}}}, {1, {{1, 10, 100}, {3, 14, 108}}}};
  clip.rotations = {{0, {{0, 0, 0, 1}}}, {1, {{0, 0, 0, 1}, {0.6F, 0, 0, 0.8F}}}};
  return clip;
}

TEST(Nsa, ANewFileHasNoFindings) {
  for (const std::uint16_t channels : {std::uint16_t{3}, std::uint16_t{4}}) {
    const Bytes bytes = write(from_curves(RandomCurves(2).clip(channels, 6), {}).value().document);
    Diagnostics diagnostics;
    const auto document = read(bytes, {}, diagnostics);
    ASSERT_TRUE(document);
    EXPECT_TRUE(diagnostics.items().empty()) << diagnostics.items()[0].message;
    EXPECT_TRUE(validate(*read_any(bytes)).items().empty());
    EXPECT_FALSE(document->still->scale_factors);
    EXPECT_FALSE(document->scale_means);
    EXPECT_EQ(computed_crc(bytes), stated_crc(*document));
    EXPECT_EQ(bytes.size() % 16, 0U);
  }
}

TEST(Nsa, FactsStateVersionAndChecksum) {
  Bytes bytes = write(from_curves(two_channels(), {}).value().document);
  const auto stated = [&] { return summarize(*read_any(bytes)).stated; };
  ASSERT_EQ(stated().size(), 4U);
  EXPECT_EQ(stated()[0].value, "3");
  EXPECT_TRUE(stated()[1].value.ends_with(", as computed")) << stated()[1].value;
  bytes[0] ^= 1U;
  EXPECT_NE(stated()[1].value.find(", computed is "), std::string::npos) << stated()[1].value;
}

TEST(Nsa, FactsStateWhatTheSamplesAre) {
  const auto stated = summarize(*read_any(write(from_curves(two_channels(), {}).value().document))).stated;
  ASSERT_EQ(stated.size(), 4U);
  EXPECT_EQ(stated[2].value, "2 channels, from (1, 2, 3) to (3, 14, 108)");
  EXPECT_EQ(stated[3].value, "2 channels, up to 73.7° from their first sample");
}

/// What `dump --decoded` shows.
std::string decoded_json(const AnyDocument& document, Diagnostics& findings) {
  return dump_json(
      [&](Inspector& inspector) { EXPECT_TRUE(mrn::inspect_decoded(document, inspector, findings)); });
}

TEST(Nsa, DecodedSamplesAreShown) {
  using test::at;
  using test::number;
  Clip clip = two_channels();
  clip.root = RootMotion{5, {{1, 2, 3}, {2, 2, 3}}, {}};
  const AnyDocument document = read_any(write(from_curves(clip, {}).value().document)).value();
  Diagnostics findings;
  const Value shown = test::parse_json(decoded_json(document, findings));
  EXPECT_EQ(number(at(shown, "version")), 3);
  EXPECT_EQ(test::text(at(shown, "checksum")), test::text(at(shown, "computedChecksum")));
  EXPECT_EQ(number(at(shown, "samples")), 2);
  const Clip decoded = decode(*document.get_if<Document>());
  ASSERT_EQ(test::size_of(at(shown, "translations")), 2);
  for (int i = 0; i < 2; ++i) {
    const VectorTrack& track = decoded.translations[static_cast<std::size_t>(i)];
    const Value& one = at(shown, "translations", i);
    EXPECT_EQ(number(at(one, "channel")), track.channel);
    ASSERT_EQ(test::size_of(at(one, "values")), static_cast<int>(track.values.size()));
    EXPECT_NEAR(number(at(one, "values", 0, 2)), double{track.values.front()[2]}, 1e-5);
  }
  EXPECT_NEAR(number(at(shown, "translations", 1, "values", 1, 2)), 108, 0.1);
  EXPECT_NEAR(number(at(shown, "rotations", 1, "values", 1, 0)), 0.6, 1e-4);
  EXPECT_EQ(number(at(shown, "root", "rate")), 5);
  EXPECT_EQ(test::size_of(at(shown, "root", "translations")), 2);
  EXPECT_TRUE(findings.items().empty());
}

TEST(Nsa, WhatCannotBeDecodedIsAFinding) {
  const AnyDocument document = read_any(write(from_curves(two_channels(), {}).value().document)).value();
  Document less = *document.get_if<Document>();
  less.moving.front().lists[kTranslation].reset();
  Diagnostics findings;
  decoded_json(AnyDocument(document.identity(), less), findings);
  EXPECT_GT(findings.count(codes::kNsaChannel.severity), 0U);
}

TEST(Nsa, OtherDocumentsHaveNoSamples) {
  const AnyDocument other = read_any(test::load(test::samples_dir() / "chest.mdx")).value();
  bool shown = true;
  account_bytes([&](Inspector& inspector) {
    shown = mrn::inspect_decoded(other, inspector, Diagnostics::discarded());
  });
  EXPECT_FALSE(shown);
}

TEST(Nsa, HeadersOfNewFiles) {
  Clip clip = two_channels();
  clip.root = RootMotion{0, {{1, 2, 3}, {2, 2, 3}}, {}};
  QuantiseOptions options;
  options.version = 7;
  const Quantised quantised = from_curves(clip, options).value();
  const Header& header = quantised.document.header;
  EXPECT_EQ(header.version, 7U);
  EXPECT_EQ(header.alignment, 16U);
  EXPECT_EQ(header.static_size, 0xC0U);
  EXPECT_EQ(header.channels, 2U);
  EXPECT_EQ(header.animated_channels, 2U);
  EXPECT_EQ(header.duration, 0.1F);
  EXPECT_EQ(header.rate, 10);
  EXPECT_EQ(header.reserved, 0U);
  EXPECT_EQ(header.padding, 0U);
  ASSERT_TRUE(quantised.document.root);
  const RootSegment& root = *quantised.document.root;
  EXPECT_EQ(root.version, 1U);
  EXPECT_EQ(root.alignment, 16U);
  EXPECT_EQ(root.rate, 10) << "that of the clip, without one of its own";
  EXPECT_EQ(root.samples, 2U);
  EXPECT_EQ(root.rotation, (std::array<float, 6>{0, 0, 0, 1, 0, 0}));
  EXPECT_EQ(root.size, 0x60U + 8U);
  clip.translations.pop_back();
  clip.rotations.pop_back();
  EXPECT_EQ(from_curves(clip, {}).value().document.header.animated_channels, 1U);
  EXPECT_FALSE(from_curves(clip, {}).value().document.moving[0].segment) << "nothing moves";
  clip.root = RootMotion{};
  EXPECT_FALSE(from_curves(clip, {}).value().document.root) << "a way without values is none";
}

TEST(Nsa, ChannelsAreCountedFromTheirMiddle) {
  const Quantised quantised = from_curves(two_channels(), {}).value();
  EXPECT_EQ(quantised.document.header.translation_means, (Factors{Vec3{2, 12, 104}, Vec3{0, 0, 0}}));
  const DynamicSegment& segment = *quantised.document.moving[0].segment;
  ASSERT_EQ(segment.infos[kRotation].size(), 4U) << "a multiple of four";
  EXPECT_EQ(segment.infos[kRotation][0], (Info{128, 128, 128, 0, 0, 0})) << "the rotation that is none";
  EXPECT_EQ(segment.infos[kRotation][3], segment.infos[kRotation][0]);
  EXPECT_EQ(segment.rotations.size(), 8U) << "rows of whole words";
  EXPECT_EQ(segment.rotations[3], 0U);
  // What does not move has no steps to be wrong by.
  EXPECT_EQ(error_of(quantised, kTranslation, 0, false).step, Vec3{});
  EXPECT_EQ(error_of(quantised, kTranslation, 0, false).worst, Vec3{});
  const Vec3 step = error_of(quantised, kTranslation, 1, false).step;
  EXPECT_NEAR(step[0], 2.0 / 0x7FF, 1e-6);
  EXPECT_NEAR(step[1], 4.0 / 0x7FF, 1e-6);
  EXPECT_NEAR(step[2], 8.0 / 0x3FF, 1e-6);
}

TEST(Nsa, AlmostStillIsStill) {
  Clip clip = two_channels();
  clip.rotations.clear();
  const auto moves = [&](Vec3 by, float still) {
    clip.translations[1].values = {{0, 0, 0}, by};
    QuantiseOptions options;
    options.still = still;
    return from_curves(clip, options).value().document.moving[0].segment.has_value();
  };
  EXPECT_FALSE(moves({0.5F, 0, 0}, 0.5F));
  EXPECT_TRUE(moves({0.5F, 0, 0}, 0.4999F));
  EXPECT_TRUE(moves({0, -0.5F, 0}, 0.4999F));
  EXPECT_TRUE(moves({0, 0, 0.5F}, 0.4999F));
  clip.translations.pop_back();
  const auto turns = [&](std::size_t axis, float still) {
    Vec4 turned = {0, 0, 0, 0.8F};
    turned[axis] = 0.6F;
    clip.rotations = {{1, {{0, 0, 0, 1}, turned}}};
    QuantiseOptions options;
    options.still = still;
    return from_curves(clip, options).value().document.moving[0].segment.has_value();
  };
  for (const std::size_t axis : {0U, 1U, 2U}) {  // the vector is 0.6 / 1.8
    EXPECT_TRUE(turns(axis, 0.333F)) << axis;
    EXPECT_FALSE(turns(axis, 0.334F)) << axis;
  }
}

TEST(Nsa, LimitsOfWhatCanBeQuantised) {
  const auto error = [](const auto& change) {
    Clip clip = two_channels();
    clip.root = RootMotion{30, {{0, 0, 0}, {1, 0, 0}}, {{0, 0, 0, 1}, {0.6F, 0, 0, 0.8F}}};
    change(clip);
    const auto quantised = from_curves(clip, {});
    return quantised ? std::string() : quantised.error().message;
  };
  EXPECT_EQ(error([](Clip&) {}), "");
  EXPECT_EQ(error([](Clip& c) { c.channels = 65535; }), "");
  EXPECT_NE(error([](Clip& c) { c.channels = 65536; }), "");
  EXPECT_NE(error([](Clip& c) {
              c.channels = 0;
              c.translations.clear();
              c.rotations.clear();
            }),
            "");
  EXPECT_EQ(error([](Clip& c) { c.translations[1].channel = 2; }),
            "channel 2 does not exist; the count is 2");
  EXPECT_EQ(error([](Clip& c) { c.translations[0].channel = 1; }), "channel 1 occurs twice");
  EXPECT_EQ(error([](Clip& c) { c.rotations[1].values.push_back({0, 0, 0, 1}); }),
            "channel 1 has 3 samples instead of 2");
  EXPECT_EQ(error([](Clip& c) { c.translations[0].values.clear(); }), "channel 0 has 0 samples instead of 2");
  EXPECT_NE(error([](Clip& c) { c.samples = 0; }), "");
  EXPECT_EQ(error([](Clip& c) { c.rate = 1e4F; }), "");
  EXPECT_NE(error([](Clip& c) { c.rate = 1.001e4F; }), "");
  EXPECT_NE(error([](Clip& c) { c.rate = -1; }), "");
  EXPECT_EQ(error([](Clip& c) { c.duration = 0; }), "");
  EXPECT_NE(error([](Clip& c) { c.duration = -0.1F; }), "");
  EXPECT_NE(error([](Clip& c) { c.duration = INFINITY; }), "");
  EXPECT_EQ(error([](Clip& c) { c.rotations[0].values[0] = {0, 0, 0, 1.0004F}; }), "");
  EXPECT_EQ(error([](Clip& c) { c.rotations[0].values[0] = {0, 0, 0, 0.9996F}; }), "");
  EXPECT_NE(error([](Clip& c) { c.rotations[0].values[0] = {0, 0, 0, 1.0006F}; }), "");
  EXPECT_NE(error([](Clip& c) { c.rotations[0].values[0] = {0, 0, 0, 0.9994F}; }), "");
  EXPECT_NE(error([](Clip& c) { c.scales = {{0, {{NAN, 1, 1}}}}; }), "");
  // The root motion.
  EXPECT_NE(error([](Clip& c) { c.root->translations[1][2] = INFINITY; }), "");
  EXPECT_NE(error([](Clip& c) { c.root->rotations[1][2] = NAN; }), "");
  EXPECT_NE(error([](Clip& c) { c.root->rotations[1] = {0, 0, 0, 2}; }), "");
  EXPECT_EQ(error([](Clip& c) { c.root->translations.push_back({2, 0, 0}); }),
            "the root motion has 3 translations and 2 rotations; their numbers must be equal");
  EXPECT_EQ(error([](Clip& c) { c.root->translations.pop_back(); }), "") << "one counts for all";
  EXPECT_EQ(error([](Clip& c) { c.root->rotations.pop_back(); }), "");
  EXPECT_EQ(error([](Clip& c) { c.root->rotations.clear(); }), "");
}

TEST(Nsa, ARootMotionOfOnePlaceAndManyTurns) {
  Clip clip = two_channels();
  clip.root = RootMotion{20, {{1, 2, 3}}, {{0, 0, 0, 1}, {0.6F, 0, 0, 0.8F}, {0, 0, 0, 1}}};
  const Quantised quantised = from_curves(clip, {}).value();
  EXPECT_EQ(quantised.document.root->rate, 20);
  EXPECT_EQ(quantised.document.root->samples, 3U);
  const Clip again = decode_good(read_good(write(quantised.document)));
  ASSERT_TRUE(again.root);
  EXPECT_EQ(again.root->translations, (Array<Vec3>{{1, 2, 3}, {1, 2, 3}, {1, 2, 3}}));
  ASSERT_EQ(again.root->rotations.size(), 3U);
  EXPECT_NEAR(again.root->rotations[1][0], 0.6, 1e-4);
  EXPECT_NEAR(again.root->rotations[1][3], 0.8, 1e-4);
  // And the other way round.
  clip.root = RootMotion{20, {{1, 2, 3}, {4, 2, 3}}, {{0.6F, 0, 0, 0.8F}}};
  const Clip other = decode_good(read_good(write(from_curves(clip, {}).value().document)));
  ASSERT_EQ(other.root->translations.size(), 2U);
  EXPECT_NEAR(other.root->translations[1][0], 4, 1e-6);
  ASSERT_EQ(other.root->rotations.size(), 1U);
  EXPECT_NEAR(other.root->rotations[0][0], 0.6, 1e-6);
}

TEST(Nsa, AConstantRotationOfNothingIsNone) {
  Clip clip = two_channels();
  clip.root = RootMotion{20, {{1, 2, 3}, {4, 2, 3}}, {}};
  Document document = from_curves(clip, {}).value().document;
  EXPECT_EQ(decode_good(document).root->rotations, (Array<Vec4>{{0, 0, 0, 1}}));
  document.root->rotation = {0, 0, 0, 2, 9, 9};
  EXPECT_EQ(decode_good(document).root->rotations, (Array<Vec4>{{0, 0, 0, 1}})) << "made unit";
  document.root->rotation = {0, 0, 0, 0, 9, 9};
  EXPECT_TRUE(decode_good(document).root->rotations.empty());
  document.root->rotation = {NAN, 0, 0, INFINITY, 0, 0};
  EXPECT_TRUE(decode_good(document).root->rotations.empty());
}

/// What decoding says, as "path: message".
std::vector<std::string> reported(const Document& document) {
  Diagnostics diagnostics;
  decode(document, diagnostics);
  std::vector<std::string> lines;
  for (const auto& finding : diagnostics.items()) {
    EXPECT_EQ(finding.code, codes::kNsaChannel);
    lines.push_back(finding.path + ": " + finding.message);
  }
  return lines;
}
using Lines = std::vector<std::string>;

TEST(Nsa, ChannelsThatMoveComeBeforeTheSameThatDoNot) {
  const Document good = from_curves(two_channels(), {}).value().document;
  EXPECT_EQ(reported(good), Lines{});
  Document twice = good;
  twice.static_lists[kTranslation]->channels = {1};
  EXPECT_EQ(reported(twice), Lines{"translations: channel 1 occurs twice; an animated one is preferred"});
  const Clip clip = decode(twice);
  ASSERT_EQ(clip.translations.size(), 1U);
  EXPECT_EQ(clip.translations[0].values.size(), 2U);
  Document beyond = good;
  beyond.static_lists[kTranslation]->channels = {2};
  EXPECT_EQ(reported(beyond), Lines{"translations: channel 2 left out; the animation has 2 channels"});
  EXPECT_EQ(decode(beyond).translations.size(), 1U);
}

TEST(Nsa, ListsDataAndCountsHaveToAgree) {
  const Document good = from_curves(two_channels(), {}).value().document;
  Document document = good;
  document.static_lists[kRotation]->channels.push_back(1);
  EXPECT_EQ(reported(document),
            Lines{"static.rotations: 2 channels listed, 1 stated, 1 stored; the first 1 are read"});
  document = good;
  document.static_lists[kRotation].reset();
  EXPECT_EQ(reported(document),
            Lines{"static.rotations: 0 channels listed, 1 stated, 1 stored; the first 0 are read"});
  document = good;
  document.still.reset();
  EXPECT_EQ(reported(document),
            (Lines{"static.translations: 1 channels listed, 0 stated, 0 stored; the first 0 are read",
                   "static.rotations: 1 channels listed, 0 stated, 0 stored; the first 0 are read"}));
  document = good;
  document.moving[0].segment.reset();
  EXPECT_EQ(reported(document),
            (Lines{"dynamic.translations: 1 channels listed, 0 stated, 0 stored; the first 0 are read",
                   "dynamic.rotations: 1 channels listed, 0 stated, 0 stored; the first 0 are read"}));
  // A row too few is no row.
  document = good;
  document.moving[0].segment->translations.pop_back();
  EXPECT_EQ(reported(document).size(), 1U);
  EXPECT_EQ(decode(document).translations.size(), 1U);
  EXPECT_EQ(decode(document).rotations.size(), 2U);
  // Sets of factors are counted from 0.
  document = good;
  for (const std::size_t axis : {0U, 1U, 2U}) {
    document = good;
    document.moving[0].segment->infos[kTranslation][0][3 + axis] = 1;
    EXPECT_EQ(reported(document),
              Lines{"dynamic.translations[0]: factor set out of range; the channel stays in bind pose"})
        << axis;
  }
}

TEST(Nsa, ScalesWithoutFactorsAreLeftOut) {
  Clip clip = two_channels();
  clip.scales = {{0, {{2, 2, 2}}}, {1, {{1, 1, 1}, {2, 2, 2}}}};
  Document document = from_curves(clip, {}).value().document;
  EXPECT_EQ(decode(document).scales.size(), 2U);
  document.still->scale_factors.reset();
  EXPECT_EQ(decode(document).scales.size(), 1U);
  document.scale_means.reset();
  Diagnostics diagnostics;
  EXPECT_TRUE(decode(document, diagnostics).scales.empty());
  ASSERT_EQ(diagnostics.items().size(), 2U);
  EXPECT_EQ(diagnostics.items()[0].path, "static.scales");
  EXPECT_EQ(diagnostics.items()[1].path, "dynamic.scales");
}

TEST(Nsa, UnusualRowsAreReported) {
  Document document = from_curves(two_channels(), {}).value().document;
  DynamicSegment& segment = *document.moving[0].segment;
  segment.rotations = {segment.rotations[0], segment.rotations[1], segment.rotations[2],
                       segment.rotations[4], segment.rotations[5], segment.rotations[6]};
  segment.at[kRotation][1] = segment.at[kRotation][0] + 12;
  document.gaps.clear();
  Diagnostics diagnostics;
  const auto again = read(file_of(document), {}, diagnostics);
  ASSERT_TRUE(again);
  ASSERT_EQ(diagnostics.items().size(), 1U);
  EXPECT_EQ(diagnostics.items()[0].code, codes::kUnproven);
  EXPECT_EQ(decode_good(*again).rotations.size(), 2U);
}

TEST(Nsa, AFileThatEndsInsideItsPaddingHasLostItsEnd) {
  const Bytes bytes = write(from_curves(two_channels(), {}).value().document);
  const auto truncated = [](ByteView file) {
    Diagnostics diagnostics;
    EXPECT_TRUE(read(file, {}, diagnostics));
    return std::any_of(diagnostics.items().begin(), diagnostics.items().end(),
                       [](const Diagnostic& finding) { return finding.code == codes::kTruncated; });
  };
  EXPECT_FALSE(truncated(bytes));
  EXPECT_TRUE(truncated(ByteView(bytes).first(bytes.size() - 1)));
  EXPECT_TRUE(truncated(ByteView(bytes).first(bytes.size() - 4)));
  EXPECT_FALSE(truncated(ByteView(bytes).first(bytes.size() - 16)));
  Bytes four = bytes;
  four[0x14] = 4;
  EXPECT_FALSE(truncated(ByteView(four).first(four.size() - 4)));
  EXPECT_TRUE(truncated(ByteView(four).first(four.size() - 3)));
  four[0x14] = 8;
  EXPECT_FALSE(truncated(ByteView(four).first(four.size() - 3))) << "an alignment that nobody knows";
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
