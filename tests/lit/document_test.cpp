// lights.lit: every version back to its bytes, and whatever is done to them.
#include <thaw/format.hpp>
#include <thaw/lit.hpp>
#include <thaw/validate.hpp>

#include "support/mutate.hpp"
#include "support/paths.hpp"

#include <gtest/gtest.h>

namespace thaw::lit {
namespace {

/// A file put together by the offsets of lit.md#structure alone.
class Raw {
 public:
  void word(std::uint32_t value) {
    for (unsigned shift = 0; shift < 32; shift += 8) {
      bytes.push_back(static_cast<std::uint8_t>(value >> shift));
    }
  }
  void real(float value) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    word(bits);
  }
  void zeros(std::size_t count) { bytes.insert(bytes.end(), count, std::uint8_t{0}); }
  void set(std::size_t at, std::uint32_t value) {
    for (unsigned i = 0; i < 4; ++i) {
      bytes[at + i] = static_cast<std::uint8_t>(value >> (8 * i));
    }
  }
  void set_real(std::size_t at, float value) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    set(at, bits);
  }

  Bytes bytes;
};

struct Version {
  std::uint32_t stated = 0;
  std::size_t tracks = 0;
  std::size_t size = 0;
  std::size_t fog_end = 0;
};
constexpr std::array kVersions = {Version{0x80000003, 14, 0x1140, 0xE38},
                                  Version{0x80000004, 18, 0x1550, 0x1248},
                                  Version{0x80000005, 18, 0x15F0, 0x1248}};

/// A light of the whole map and eight values told apart by numbers of their own.
Raw raw_file(const Version& version) {
  Raw raw;
  raw.word(version.stated);
  raw.word(1);
  raw.word(0xFFFFFFFF);
  raw.word(0xFFFFFFFF);
  raw.word(0xFFFFFFFF);
  for (const float number : {1.0F, 2.0F, 3.0F, 4.0F, 5.0F}) {
    raw.real(number);
  }
  raw.bytes.insert(raw.bytes.end(), {'S', 'u', 'n'});
  raw.zeros(29);
  for (std::size_t set = 0; set < 4; ++set) {
    const std::size_t start = raw.bytes.size();
    raw.zeros(version.size);
    raw.set(start, 2);  // markers of track 0
    const std::size_t markers = start + version.tracks * 4;
    raw.set(markers, 100);
    raw.set(markers + 4, 0x00112233);
    raw.set(markers + 8, 200);
    raw.set(markers + 12, 0x00445566);
    raw.set_real(start + version.fog_end, 3600);
    raw.set_real(start + version.fog_end + 0x80, 0.25F);
    raw.set(start + version.fog_end + 0x100, 7);          // highlightSky
    raw.set_real(start + version.fog_end + 0x104, 1.5F);  // sky[0][0]
    raw.set(start + version.fog_end + 0x304, 9);          // cloudMask
  }
  return raw;
}

Result<Document> read_quietly(ByteView bytes) {
  Diagnostics diagnostics;
  return read(bytes, {}, diagnostics);
}

TEST(Lit, EveryVersionLiesWhereThePageSays) {
  for (const Version& version : kVersions) {
    SCOPED_TRACE(version.stated);
    EXPECT_EQ(values_size(version.stated), version.size);
    const Bytes bytes = raw_file(version).bytes;
    Diagnostics diagnostics;
    const auto document = read(bytes, {}, diagnostics);
    ASSERT_TRUE(document) << document.error().message;
    EXPECT_TRUE(diagnostics.items().empty());
    EXPECT_EQ(write(*document), bytes);
    ASSERT_EQ(document->lights.size(), 1U);
    EXPECT_TRUE(document->lights[0].is_default());
    EXPECT_EQ(document->lights[0].position, (Vec3{1, 2, 3}));
    EXPECT_EQ(document->lights[0].dropoff, 5);
    EXPECT_EQ(document->lights[0].name.view(), "Sun");
    ASSERT_EQ(document->values.size(), 4U);
    const Values& values = document->values[3];
    EXPECT_EQ(values.tracks.size(), version.tracks);
    EXPECT_EQ(values.markers(0), 2U);
    EXPECT_EQ(values.tracks[0].time(1), 200);
    EXPECT_EQ(values.tracks[0].color(1), 0x445566U);
    EXPECT_EQ(values.fog_end[0], 3600);
    EXPECT_EQ(values.fog_start_scaler[0], 0.25F);
    EXPECT_EQ(values.highlight_sky, 7);
    EXPECT_EQ(values.sky[0][0], 1.5F);
    EXPECT_EQ(values.cloud_mask, 9);
    EXPECT_EQ(test::layout_of([&](Inspector& inspector) { inspect(*document, inspector); }).end,
              bytes.size());
  }
}

TEST(Lit, OneSetAlone) {
  Raw raw;
  raw.word(kVersion4);
  raw.word(0xFFFFFFFF);
  raw.zeros(0x1550);
  Diagnostics diagnostics;
  const auto document = read(raw.bytes, {}, diagnostics);
  ASSERT_TRUE(document);
  EXPECT_TRUE(diagnostics.items().empty());
  EXPECT_EQ(document->values.size(), 1U);
  EXPECT_EQ(document->find(0, Weather::storm), &document->values[0]);
  EXPECT_EQ(write(*document), raw.bytes);
}

TEST(Lit, TheOldestFormHasTheSizeOfItsOneFile) {
  Raw raw;
  raw.word(2);
  for (int i = 0; i < 3; ++i) {
    raw.word(0xFFFFFFFF);
  }
  raw.word(0);
  for (const float number : {1.0F, 2.0F, 3.0F, 4.0F}) {
    raw.real(number);
  }
  const std::string_view name = "Global Light";
  for (const char c : name) {
    raw.bytes.push_back(static_cast<std::uint8_t>(c));
  }
  raw.zeros(32 - name.size());
  raw.word(77);
  raw.zeros(60);
  for (int set = 0; set < 2; ++set) {
    raw.word(4);
    raw.zeros(0xA24 - 4);
  }
  ASSERT_EQ(raw.bytes.size(), 5324U);
  Diagnostics diagnostics;
  const auto document = read(raw.bytes, {}, diagnostics);
  ASSERT_TRUE(document);
  EXPECT_TRUE(diagnostics.items().empty());
  EXPECT_EQ(write(*document), raw.bytes);
  EXPECT_EQ(document->lights.at(0).name.view(), name);
  EXPECT_EQ(document->lights.at(0).radius, 4);
  EXPECT_EQ(document->lights.at(0).reserved, 77U);
  EXPECT_EQ(document->values.size(), 2U);
  EXPECT_EQ(document->values[1].markers(0), 4U);
  EXPECT_EQ(identify(raw.bytes).format, "lit");
}

TEST(Lit, IsKnownByItsVersion) {
  for (const Version& version : kVersions) {
    const Identity identity = identify(raw_file(version).bytes);
    EXPECT_EQ(identity.format, "lit");
    EXPECT_EQ(identity.version, version.stated & 0xFU);
    EXPECT_TRUE(identity.readable);
  }
  Raw other;
  other.word(2);
  other.word(0xFFFFFFFF);
  other.zeros(100);
  EXPECT_FALSE(is_lit(other.bytes));
  EXPECT_FALSE(is_lit({}));
}

TEST(Lit, KeepsWhatStandsAfter) {
  Bytes bytes = raw_file(kVersions[1]).bytes;
  bytes.push_back(1);
  Diagnostics diagnostics;
  const auto document = read(bytes, {}, diagnostics);
  ASSERT_TRUE(document);
  ASSERT_EQ(diagnostics.items().size(), 1U);
  EXPECT_EQ(diagnostics.items()[0].code.id, codes::kFileTail.id);
  EXPECT_EQ(write(*document), bytes);
}

/// Whatever reads writes the same bytes.
void expect_exact(const Bytes& bytes) {
  if (const auto document = read_quietly(bytes)) {
    ASSERT_EQ(write(*document), bytes);
    ASSERT_EQ(test::layout_of([&](Inspector& inspector) { inspect(*document, inspector); }).end,
              bytes.size());
    (void)validate(AnyDocument(identify(bytes), *document), {});
  }
}

TEST(LitHostile, EveryCutAndEveryCount) {
  const Bytes bytes = raw_file(kVersions[0]).bytes;
  for (std::size_t size = 0; size < bytes.size(); size += size < 90 ? 1 : 61) {
    expect_exact(Bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)));
  }
  for (const std::uint32_t count : {0U, 1U, 2U, 0x7FFFFFFFU, 0x80000000U, 0xFFFFFFFEU, 0xFFFFFFFFU}) {
    Raw raw = raw_file(kVersions[0]);
    raw.set(4, count);
    expect_exact(raw.bytes);
  }
}

TEST(LitHostile, StrictStopsAtTheCut) {
  Bytes bytes = raw_file(kVersions[2]).bytes;
  bytes.resize(bytes.size() - 1);
  Diagnostics diagnostics;
  ReadOptions strict;
  strict.strict = true;
  EXPECT_FALSE(read(bytes, strict, diagnostics));
  const auto document = read(bytes, {}, diagnostics);
  ASSERT_TRUE(document);
  EXPECT_EQ(document->values.size(), 3U);
  EXPECT_EQ(diagnostics.items().at(0).code.id, codes::kTruncated.id);
}

std::vector<std::string> findings_of(const Document& document) {
  std::vector<std::string> ids;
  const Bytes bytes = write(document);
  Diagnostics diagnostics;
  const auto any = read_any(bytes, {}, diagnostics);
  EXPECT_TRUE(any);
  if (any) {
    const Diagnostics findings = validate(*any, {});
    for (const auto& finding : findings.items()) {
      ids.emplace_back(finding.code.id);
      EXPECT_TRUE(finding.offset) << finding.path;
    }
  }
  return ids;
}

TEST(LitRules, EachIsReached) {
  const auto good = read_quietly(raw_file(kVersions[1]).bytes);
  ASSERT_TRUE(good);
  EXPECT_TRUE(findings_of(*good).empty());
  using Ids = std::vector<std::string>;
  Document document = *good;
  document.values.pop_back();
  EXPECT_EQ(findings_of(document), Ids{"lit.length"});
  document = *good;
  document.values[1].counts[3] = 33;
  EXPECT_EQ(findings_of(document), Ids{"lit.marker-count"});
  document = *good;
  document.values[0].tracks[0].words[2] = 50;
  EXPECT_EQ(findings_of(document), Ids{"lit.marker-time"});
  document = *good;
  document.values[0].fog_start_scaler[5] = 2;
  EXPECT_EQ(findings_of(document), Ids{"lit.fog"});
  document = *good;
  document.lights[0].radius = -1;
  EXPECT_EQ(findings_of(document), Ids{"lit.light-place"});
  document = *good;
  document.lights[0].chunk_x = 0;
  EXPECT_EQ(findings_of(document), Ids{"lit.default-light"});
}

}  // namespace
}  // namespace thaw::lit
