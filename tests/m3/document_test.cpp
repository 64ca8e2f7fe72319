// Layout of M3 files: exact, understood, and decided from the bytes.
#include <thaw/edit.hpp>
#include <thaw/format.hpp>
#include <thaw/m3.hpp>

#include "m3/sample.hpp"
#include "support/files.hpp"
#include "support/findings.hpp"
#include "support/mutate.hpp"
#include "support/paths.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace thaw::m3 {
namespace {

using test::corpus_dir;

Inspection inspection_of(const Document& document) {
  return [&document](Inspector& inspector) { inspect(document, inspector); };
}

template <class T>
void put(Bytes& bytes, const T& value) {
  const std::size_t at = bytes.size();
  bytes.resize(at + sizeof value);
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

/// A chunk with a header of 16 bytes.
void put_chunk(Bytes& bytes, FourCC tag, const Bytes& payload, std::uint32_t a = 0, std::uint32_t b = 0) {
  put(bytes, tag.bytes);
  put(bytes, static_cast<std::uint32_t>(payload.size()));
  put(bytes, a);
  put(bytes, b);
  bytes.insert(bytes.end(), payload.begin(), payload.end());
}
std::uint32_t word(FourCC tag) {
  std::uint32_t value = 0;
  std::memcpy(&value, tag.bytes.data(), sizeof value);
  return value;
}

Document read_exactly(const Bytes& bytes, Diagnostics& diagnostics) {
  auto document = read(bytes, {}, diagnostics);
  EXPECT_TRUE(document) << (document ? "" : document.error().message);
  if (!document) {
    return {};
  }
  EXPECT_TRUE(write(*document) == bytes) << "not exact";
  const ByteAccount account = account_bytes(inspection_of(*document));
  EXPECT_EQ(account.understood + account.raw, bytes.size());
  return std::move(*document);
}

using test::has;

// --- the corpus

TEST(M3Corpus, EveryFileIsExactAndUnderstood) {
  THAW_REQUIRE_CORPUS("m3");
  const auto paths = test::files_below(corpus_dir() / "m3" / "synthetic", ".m3");
  ASSERT_EQ(paths.size(), 3U);
  for (const auto& path : paths) {
    SCOPED_TRACE(path.string());
    const Bytes bytes = test::load(path);
    Diagnostics diagnostics;
    const Document document = read_exactly(bytes, diagnostics);
    EXPECT_EQ(account_bytes(inspection_of(document)).raw, 0U);
    EXPECT_EQ(diagnostics.count(Severity::unused), 0U) << "nothing but unproven rules is worth a word";
    const Mesh* mesh = document.find<Mesh>();
    ASSERT_NE(mesh, nullptr);
    const auto* geosets = mesh->find<Geosets>(FourCC{"VGEO"});
    ASSERT_NE(geosets, nullptr);
    EXPECT_EQ(geosets->long_records, document.mesh_version() == 4U);
    ASSERT_EQ(geosets->items.size(), 4U);
    constexpr std::array<std::string_view, 4> kNames = {"body_a", "body_b", "body_a_lod1", "body_b_lod1"};
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(geoset_name(*mesh, geosets->items[i]), kNames.at(i));
      EXPECT_EQ(material_of(*mesh, i), i % 2);
    }
    EXPECT_EQ(level_layout(*mesh).levels, 2U);
    EXPECT_EQ(level_layout(*mesh).per_level, 2U);
  }
}

TEST(M3Corpus, MaterialsHoldWhatTheListSays) {
  THAW_REQUIRE_CORPUS("m3");
  for (const auto* name : {"synth_v3_lod2.m3", "synth_v4_lod2.m3"}) {
    Diagnostics diagnostics;
    const auto document = read_exactly(test::load(corpus_dir() / "m3" / "synthetic" / name), diagnostics);
    const Materials* materials = document.find<Materials>();
    ASSERT_NE(materials, nullptr);
    ASSERT_EQ(materials->instances.size(), 2U);
    EXPECT_EQ(materials->total_dwords, materials->version == 4 ? 94U : 90U);
    const Instance& second = materials->instances[1];
    EXPECT_EQ(second.library, 5614495U);
    EXPECT_EQ(second.guid[15], 0x1F);
    EXPECT_EQ(second.blend_mode, 1U);
    EXPECT_EQ(second.uniform_types, (Array<std::uint16_t>{14, 17}));
    EXPECT_EQ(second.uniform_locations, (Array<std::int32_t>{0, 4}));
    EXPECT_EQ(second.uniform_data, (Array<float>{0.5F, 1, 0.5F, 0.25F, 1}));
    EXPECT_EQ(second.sampler_hashes, (Array<std::uint64_t>{0xAAAAAAAA00000001, 0xAAAAAAAA00000002}));
    EXPECT_EQ(second.sampler_textures, (Array<std::int32_t>{900001, 900101}));
    Materials again = *materials;
    lay_out(again);
    EXPECT_EQ(again, *materials) << "the layout of m3.md#writing";
  }
}

TEST(M3Corpus, WeightsAreDecided) {
  THAW_REQUIRE_CORPUS("m3");
  Diagnostics diagnostics;
  const auto document = read_exactly(test::load(corpus_dir() / "m3/synthetic/synth_v3_skin.m3"), diagnostics);
  const Mesh* mesh = document.find<Mesh>();
  ASSERT_NE(mesh, nullptr);
  ASSERT_NE(mesh->find<Weights>(FourCC{"VWTS"}), nullptr);
  EXPECT_EQ(mesh->find<Weights>(FourCC{"VWTS"})->layout, WeightLayout::interleaved);
  EXPECT_TRUE(has(diagnostics, codes::kUnproven));
  const auto table = influences(*mesh);
  ASSERT_TRUE(table);
  ASSERT_EQ(table->bones.size(), 72U);
  for (std::size_t i = 0; i < 72; ++i) {
    EXPECT_EQ(table->bones[i][0], i % 2);
    EXPECT_EQ(table->weights[i], (Vec4{1, 0, 0, 0}));
  }
}

TEST(M3Corpus, ForeignFilesAreCalledByTheirName) {
  THAW_REQUIRE_CORPUS("m3");
  Diagnostics diagnostics;
  const auto refused = read(test::load(corpus_dir() / "m3/negative/Bunker_SC2.m3"), {}, diagnostics);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, codes::kFormatForeign);
  EXPECT_NE(refused.error().message.find("StarCraft II"), std::string::npos);
}

TEST(M3, ZerosAreCalledEncrypted) {
  Diagnostics diagnostics;
  const auto refused = read(Bytes(64, std::uint8_t{0}), {}, diagnostics);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, codes::kM3Encrypted);
}

// --- strings

Bytes with_strings(std::string_view text) {
  Bytes bytes;
  put_chunk(bytes, FourCC{"M3DT"}, Bytes(88));
  Bytes letters;
  std::for_each(text.begin(), text.end(), [&](char letter) { put(letters, letter); });
  put_chunk(bytes, FourCC{"M3ST"}, letters, 2, 7);
  return bytes;
}

TEST(M3, StringsOfM3STAreShown) {
  constexpr std::string_view kText("body_a\0h\xC3\xB6lz\0", 13);
  Diagnostics diagnostics;
  const Document document = read_exactly(with_strings(kText), diagnostics);
  const auto* strings = document.find<Strings>();
  ASSERT_NE(strings, nullptr);
  EXPECT_EQ(strings->properties.b, 7U);
  EXPECT_TRUE(has(diagnostics, codes::kUnproven)) << "that they are strings";
  EXPECT_EQ(account_bytes(inspection_of(document)).raw, 0U);
  const AnyDocument any = read_any(write(document)).value();
  const auto stated = summarize(any).stated;
  ASSERT_EQ(stated.size(), 2U);
  EXPECT_EQ(stated[0].value, "body_a");
  EXPECT_EQ(stated[1].value, "h\xC3\xB6lz");
  EXPECT_NE(dump_any(any).find("\"body_a\""), std::string::npos);
}

TEST(M3, OtherBytesOfM3STStayRaw) {
  for (const std::string_view bytes : {std::string_view("abc\1\0", 5), std::string_view("abc\xFF\0", 5),
                                       std::string_view("\0\0", 2), std::string_view()}) {
    Diagnostics diagnostics;
    const Document document = read_exactly(with_strings(bytes), diagnostics);
    EXPECT_EQ(document.find<Strings>(), nullptr);
    EXPECT_EQ(account_bytes(inspection_of(document)).raw, bytes.size());
  }
}

// --- buffers

constexpr std::array kStreams = {FourCC{"VPOS"}, FourCC{"VNML"}, FourCC{"VUV0"}, FourCC{"VUV1"},
                                 FourCC{"VUV2"}, FourCC{"VUV3"}, FourCC{"VUV4"}, FourCC{"VUV5"},
                                 FourCC{"VTAN"}, FourCC{"VINX"}, FourCC{"VIBP"}, FourCC{"VCL0"},
                                 FourCC{"VCL1"}};
constexpr std::array kFormats = {ElementFormat::f32x1, ElementFormat::f32x2,  ElementFormat::f32x3,
                                 ElementFormat::f32x4, ElementFormat::f16x2,  ElementFormat::f16x4,
                                 ElementFormat::u32x1, ElementFormat::u16x1,  ElementFormat::u16x4,
                                 ElementFormat::u8x4,  ElementFormat::u8n_x4, ElementFormat::u10n};

/// Extremes, then noise: the same on every machine.
Bytes noise(std::size_t size, std::uint32_t seed) {
  Bytes bytes;
  for (const std::uint32_t extreme :
       {0U, 0xFFFFFFFFU, 0x7F800000U, 0xFF800000U, 0x7FC00000U, 0x7F800001U, 0x00000001U, 0x80000000U,
        0x7FFFFFFFU, 0x3F800000U, 0x7C007BFFU, 0x0001FC00U}) {
    put(bytes, extreme);
  }
  for (std::uint32_t state = seed; bytes.size() < size;) {
    state = state * 1664525U + 1013904223U;
    bytes.push_back(static_cast<std::uint8_t>(state >> 24U));
  }
  bytes.resize(size);
  return bytes;
}

TEST(M3Buffers, EveryFormatIsExactInEveryStream) {
  for (const FourCC stream : kStreams) {
    for (const ElementFormat format : kFormats) {
      SCOPED_TRACE(stream.text() + " " + element_tag(format).text());
      Bytes mesh;
      put_chunk(mesh, stream, noise(480, word(stream)), word(element_tag(format)));
      Bytes bytes;
      put_chunk(bytes, FourCC{"MES3"}, mesh);
      Diagnostics diagnostics;
      const Document document = read_exactly(bytes, diagnostics);
      EXPECT_EQ(account_bytes(inspection_of(document)).raw, 0U);
      ASSERT_NE(document.find<Mesh>(), nullptr);
      const auto* buffer = document.find<Mesh>()->find<Buffer>(stream);
      ASSERT_NE(buffer, nullptr);
      EXPECT_EQ(buffer->size(), 480 / element_size(format));
      EXPECT_EQ(decode(*buffer, Range::as_stored).size(), buffer->size() * element_components(format));
    }
  }
}

/// Bits of floats, so that −0 and not-a-numbers count.
Array<std::uint32_t> bits(const Array<float>& values) {
  Array<std::uint32_t> result(values.size());
  if (!values.empty()) {
    std::memcpy(result.data(), values.data(), values.size() * sizeof(float));
  }
  return result;
}

TEST(M3Buffers, NumbersComeBackFromEveryFormat) {
  for (const ElementFormat format : kFormats) {
    for (const Range range : {Range::as_stored, Range::direction, Range::share}) {
      if (format == ElementFormat::u32x1) {
        continue;  // a float does not hold 32 bits; see the next test
      }
      SCOPED_TRACE(element_tag(format).text());
      Bytes mesh;
      put_chunk(mesh, FourCC{"VCL0"}, noise(65520, 7), word(element_tag(format)));
      Bytes bytes;
      put_chunk(bytes, FourCC{"MES3"}, mesh);
      Diagnostics diagnostics;
      const Document document = read_exactly(bytes, diagnostics);
      const auto* buffer = document.find<Mesh>()->find<Buffer>(FourCC{"VCL0"});
      ASSERT_NE(buffer, nullptr);
      const Array<float> values = decode(*buffer, range);
      Buffer again = encode(format, values, range);
      EXPECT_EQ(bits(decode(again, range)), bits(values));
      EXPECT_EQ(again.properties, buffer->properties);
    }
  }
}

TEST(M3, WhatIntegersCannotHoldIsTheNearestThatTheyCan) {
  using Words = Array<std::array<std::uint16_t, 4>>;
  using Octets = Array<std::array<std::uint8_t, 4>>;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinite = std::numeric_limits<float>::infinity();
  const auto whole = encode(ElementFormat::u16x4, {nan, infinite, -infinite, 2.75F}, Range::as_stored);
  EXPECT_EQ(std::get<Words>(whole.elements), (Words{{0, 65535, 0, 3}}));
  const auto shares = encode(ElementFormat::u8n_x4, {nan, infinite, -1, 0.5F}, Range::share);
  EXPECT_EQ(std::get<Octets>(shares.elements), (Octets{{0, 255, 0, 128}}));
}

/// A file of one stream of texture coordinates in halves, and one of packed normals.
Bytes packed_streams() {
  Bytes halves;
  for (const std::uint32_t two : {0xC0003800U, 0x7E017C00U}) {
    put(halves, two);
  }
  Bytes normals;
  put(normals, 1023U | 511U << 20U | 2U << 30U);
  put(normals, 0U);
  Bytes mesh;
  put_chunk(mesh, FourCC{"VUV0"}, halves, word(FourCC{"2F16"}));
  put_chunk(mesh, FourCC{"VNML"}, normals, word(FourCC{"U10N"}));
  Bytes bytes;
  put_chunk(bytes, FourCC{"M3DT"}, Bytes(88));
  put_chunk(bytes, FourCC{"MES3"}, mesh);
  return bytes;
}

/// The bytes that a dump builds in which one text was replaced, or why none.
std::string built_with(std::string dump, std::string_view from, std::string_view to, Bytes& bytes) {
  const std::size_t at = dump.find(from);
  EXPECT_NE(at, std::string::npos) << from << " in " << dump;
  const auto built = at == std::string::npos ? read_any({}) : build_any(dump.replace(at, from.size(), to));
  bytes = built ? write_any(*built) : Bytes();
  return built ? "" : built.error().message;
}

TEST(M3Buffers, BitsAreShownAndTakenAsNumbers) {
  const Bytes bytes = packed_streams();
  const AnyDocument document = read_any(bytes).value();
  const std::string dump = dump_any(document);
  EXPECT_NE(dump.find(R"([[0.5, -2], ["inf", "nan:7e01"]])"), std::string::npos) << dump;
  EXPECT_NE(dump.find("[[1, 0, 0.49951124, 2], [0, 0, 0]]"), std::string::npos) << dump;
  EXPECT_NE(dump.find("\"u10n[]\""), std::string::npos) << dump;
  Bytes built;
  EXPECT_EQ(built_with(dump, "0.5, -2", "0.5, -2", built), "");
  EXPECT_EQ(built, bytes);

  EXPECT_EQ(built_with(dump, "[0.5, -2]", "[0.25, 8]", built), "");
  const AnyDocument halves = read_any(built).value();
  const auto stream = [](const AnyDocument& any, FourCC tag) {
    return decode(*any.get_if<Document>()->find<Mesh>()->find<Buffer>(tag), Range::as_stored);
  };
  EXPECT_EQ(stream(halves, FourCC{"VUV0"})[0], 0.25F);
  EXPECT_EQ(stream(halves, FourCC{"VUV0"})[1], 8.0F);

  EXPECT_EQ(built_with(dump, "[1, 0, 0.49951124, 2]", "[0, 1, 0.5]", built), "");
  std::uint32_t bits = 0;
  std::memcpy(&bits, built.data() + built.size() - 8, sizeof bits);
  EXPECT_EQ(bits, 1023U << 10U | 512U << 20U);
  for (const std::string_view wrong :
       {"[1.5, 0, 0]", "[0, -0.1, 0]", "[0, 0, 0, 4]", "[0, 0]", "[0, 0, 0, 0, 0]", "[\"nan\", 0, 0]", "7"}) {
    EXPECT_NE(built_with(dump, "[1, 0, 0.49951124, 2]", wrong, built), "") << wrong;
  }
}

TEST(M3Buffers, TheTreeHasTheFirstNumbersAdjacentTheirBits) {
  const Document document = read(packed_streams()).value();
  std::vector<std::string> labels;
  for (const TreeNode& node : list_tree(inspection_of(document))) {
    if (node.name == "elements") {
      labels.push_back(node.label);
    }
  }
  EXPECT_EQ(labels, (std::vector<std::string>{"0.5, -2 of 3800 c000", "[1, 0, 0.49951124, 2] of 9ff003ff"}));
}

TEST(M3Buffers, EveryHalfComesBack) {
  for (std::uint32_t half = 0; half <= 0xFFFF; ++half) {
    const float value = half_to_float(static_cast<std::uint16_t>(half));
    ASSERT_EQ(float_to_half(value), half);
    const unsigned exponent = half >> 10U & 31U;
    if (exponent < 31) {
      const double fraction = (half & 0x3FFU) / 1024.0;
      const double size = exponent == 0 ? std::ldexp(fraction, -14)
                                        : std::ldexp(1 + fraction, static_cast<int>(exponent) - 15);
      ASSERT_EQ(static_cast<double>(value), (half & 0x8000U) != 0 ? -size : size);
    } else {
      ASSERT_EQ(std::isnan(value), (half & 0x3FFU) != 0);
    }
  }
  EXPECT_EQ(float_to_half(65519.0F), 0x7BFF);
  EXPECT_EQ(float_to_half(65520.0F), 0x7C00) << "rounds to infinity";
  EXPECT_EQ(float_to_half(-1e30F), 0xFC00);
  EXPECT_EQ(float_to_half(1.0F + 0.00048828125F), 0x3C00) << "a tie goes to the even one";
  EXPECT_EQ(float_to_half(1.0F + 3 * 0.00048828125F), 0x3C02);
  EXPECT_EQ(float_to_half(std::ldexp(1.0F, -25)), 0x0000);
  EXPECT_EQ(float_to_half(std::ldexp(1.5F, -25)), 0x0001);
  EXPECT_EQ(float_to_half(std::ldexp(1023.75F, -24)), 0x0400) << "rounds up to the first normal one";
}

TEST(M3Buffers, IntegersMeanWhatTheStreamSays) {
  const Array<float> bounds = {-1, 0, 1, 1};
  EXPECT_EQ(decode(encode(ElementFormat::u10n, {-1, 0.5F, 1}, Range::direction), Range::as_stored)[2], 1.0F);
  EXPECT_EQ(decode(encode(ElementFormat::u10n, {-1, 1, 1}, Range::direction), Range::direction)[0], -1.0F);
  EXPECT_EQ(decode(encode(ElementFormat::u8n_x4, bounds, Range::as_stored), Range::as_stored),
            (Array<float>{0, 0, 1, 1}))
      << "clamped";
  EXPECT_EQ(decode(encode(ElementFormat::u16x4, {1, 2, 3, 65535}, Range::as_stored), Range::as_stored),
            (Array<float>{1, 2, 3, 65535}));
  EXPECT_EQ(decode_indices(encode(ElementFormat::u32x1, {70000}, Range::as_stored)),
            (Array<std::uint32_t>{70000}));
  EXPECT_EQ(decode(encode(ElementFormat::u32x1, {0, 4294967295.0F}, Range::as_stored), Range::share),
            (Array<float>{0, 1}));
  EXPECT_TRUE(decode_indices(encode(ElementFormat::u10n, {0, 0, 0}, Range::as_stored)).empty());
}

TEST(M3Buffers, UnknownFormatsAreKeptRaw) {
  Bytes mesh;
  put_chunk(mesh, FourCC{"VPOS"}, noise(24, 1), word(FourCC{"9F99"}));
  put_chunk(mesh, FourCC{"VNML"}, noise(25, 1), word(FourCC{"3F32"}));
  Bytes bytes;
  put_chunk(bytes, FourCC{"MES3"}, mesh);
  Diagnostics diagnostics;
  const Document document = read_exactly(bytes, diagnostics);
  EXPECT_TRUE(has(diagnostics, codes::kM3ElementFormat));
  EXPECT_TRUE(has(diagnostics, codes::kChunkTail)) << "25 bytes are two elements of 12 and one byte";
  EXPECT_EQ(document.find<Mesh>()->find<Buffer>(FourCC{"VPOS"}), nullptr);
  EXPECT_EQ(account_bytes(inspection_of(document)).raw, 25U);
}

// --- decisions

/// A mesh of four vertices with weights of one layout.
Bytes weighted(bool planar, const Bytes& poses, FourCC pose_format) {
  Bytes weights;
  const auto index = [&](unsigned vertex) {
    put(weights, std::array<std::uint8_t, 4>{static_cast<std::uint8_t>(vertex % 2), 1, 0, 0});
  };
  const auto share = [&](unsigned vertex) {
    put(weights, std::array<std::uint8_t, 4>{static_cast<std::uint8_t>(200 + vertex),
                                             static_cast<std::uint8_t>(55 - vertex), 0, 0});
  };
  for (unsigned i = 0; i < 4; ++i) {
    index(i);
    if (!planar) {
      share(i);
    }
  }
  for (unsigned i = 0; planar && i < 4; ++i) {
    share(i);
  }
  Bytes mesh;
  put_chunk(mesh, FourCC{"VPOS"}, Bytes(48, std::uint8_t{0}), word(FourCC{"3F32"}));
  put_chunk(mesh, FourCC{"VWTS"}, weights, word(FourCC{"4U08"}), word(FourCC{"4U8N"}));
  if (!poses.empty()) {
    put_chunk(mesh, FourCC{"VIBP"}, poses, word(pose_format));
  }
  Bytes bytes;
  put_chunk(bytes, FourCC{"MES3"}, mesh);
  return bytes;
}

/// Two poses that move by (1, 2, 3) and (4, 5, 6).
Bytes poses(bool columns, bool short_form) {
  Bytes bytes;
  for (const float first : {1.0F, 4.0F}) {
    std::array<float, 16> m{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    for (std::size_t i = 0; i < 3; ++i) {
      (columns ? m.at(i * 4 + 3) : m.at(12 + i)) = first + static_cast<float>(i);
    }
    for (std::size_t i = 0; i < 16; ++i) {
      if (short_form && (columns ? i >= 12 : i % 4 == 3)) {
        continue;
      }
      put(bytes, m.at(i));
    }
  }
  return bytes;
}

TEST(M3Decisions, LayoutOfWeights) {
  for (const bool planar : {false, true}) {
    Diagnostics diagnostics;
    const Document document = read_exactly(weighted(planar, {}, {}), diagnostics);
    const auto* weights = document.find<Mesh>()->find<Weights>(FourCC{"VWTS"});
    ASSERT_NE(weights, nullptr);
    EXPECT_EQ(weights->layout, planar ? WeightLayout::planar : WeightLayout::interleaved);
    const auto table = influences(*document.find<Mesh>());
    ASSERT_TRUE(table);
    EXPECT_EQ(table->bones[3][0], 1U);
    EXPECT_FLOAT_EQ(table->weights[3][0], 203.0F / 255);
  }
}

TEST(M3Decisions, UndecidableWeightsStayRaw) {
  Bytes bytes = weighted(false, {}, {});
  bytes[16 + 16 + 48 + 16 + 4] = 10;  // the first weight: the sum is no longer 1
  Diagnostics diagnostics;
  const Document document = read_exactly(bytes, diagnostics);
  EXPECT_TRUE(has(diagnostics, codes::kM3Weights));
  EXPECT_FALSE(influences(*document.find<Mesh>()));
  EXPECT_EQ(account_bytes(inspection_of(document)).raw, 32U);
}

TEST(M3Decisions, BonesMustExist) {
  Bytes one = poses(false, false);
  one.resize(64);
  Diagnostics diagnostics;
  const Document document = read_exactly(weighted(false, one, FourCC{"4F32"}), diagnostics);
  EXPECT_TRUE(has(diagnostics, codes::kM3Weights)) << "bone 1 has weight, and there is only one pose";
}

TEST(M3Decisions, LayoutOfBindPoses) {
  struct Case {
    bool columns;
    bool short_form;
    FourCC format;
  };
  for (const auto& [columns, short_form, format] :
       {Case{false, false, FourCC{"4F32"}}, Case{true, false, FourCC{"4F32"}},
        Case{false, true, FourCC{"3F32"}}, Case{true, true, FourCC{"4F32"}}}) {
    Diagnostics diagnostics;
    const Document document = read_exactly(weighted(false, poses(columns, short_form), format), diagnostics);
    const auto found = inverse_bind_poses(*document.find<Mesh>());
    ASSERT_TRUE(found) << columns << short_form;
    ASSERT_EQ(found->size(), 2U);
    EXPECT_EQ((*found)[1], (std::array<float, 16>{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 4, 5, 6, 1}));
  }
}

TEST(M3Decisions, HeadersOfCollision) {
  for (const bool wide : {false, true}) {
    Bytes collision;
    const auto add = [&](FourCC tag, std::size_t size) {
      put(collision, tag.bytes);
      put(collision, static_cast<std::uint32_t>(size));
      if (wide) {
        put(collision, std::uint64_t{5});
      }
      collision.resize(collision.size() + size, std::uint8_t{1});
    };
    add(FourCC{"CPOS"}, 36);
    add(FourCC{"CNML"}, 12);
    add(FourCC{"CINX"}, 6);
    Bytes bytes;
    put_chunk(bytes, FourCC{"M3CL"}, collision);
    Diagnostics diagnostics;
    const Document document = read_exactly(bytes, diagnostics);
    const auto* read = document.find<Collision>();
    ASSERT_NE(read, nullptr);
    EXPECT_EQ(read->long_headers, wide);
    EXPECT_EQ(read->points(FourCC{"CPOS"})->size(), 3U);
    EXPECT_EQ(read->corners()->size(), 3U);
    EXPECT_EQ(account_bytes(inspection_of(document)).raw, 0U);
    bytes[16 + 4] ^= 1U;  // the first size leads astray
    Diagnostics damaged;
    EXPECT_EQ(read_exactly(bytes, damaged).find<Collision>(), nullptr);
    EXPECT_TRUE(has(damaged, codes::kM3Collision));
  }
}

TEST(M3Decisions, LibrariesByTheirSizes) {
  for (const std::size_t header : {16U, 8U, 0U}) {
    Bytes bytes;
    for (const FourCC tag : {FourCC{"m3SL"}, FourCC{"m3DB"}}) {
      put(bytes, tag.bytes);
      put(bytes, header == 0 ? 1000U : 20U);
      bytes.resize(bytes.size() + (header == 16 ? 8 : 0) + 20, std::uint8_t{9});
    }
    Diagnostics diagnostics;
    const Document document = read_exactly(bytes, diagnostics);
    EXPECT_EQ(document.headers, header == 16  ? Headers::model
                                : header == 8 ? Headers::short_headers
                                              : Headers::none);
    EXPECT_EQ(document.chunks.size(), header == 0 ? 0U : 2U);
  }
}

// --- damage

/// Empty if the mutant is treated right.
std::string check(ByteView mutant) {
  Diagnostics diagnostics;
  const auto document = read(mutant, {}, diagnostics);
  ReadOptions strict;
  strict.strict = true;
  Diagnostics strict_diagnostics;
  const auto strictly = read(mutant, strict, strict_diagnostics);
  if (!document) {
    return strictly ? "strict reads what the default does not" : "";
  }
  const Bytes original(mutant.begin(), mutant.end());
  if (write(*document) != original || (strictly && write(*strictly) != original)) {
    return "writes other bytes";
  }
  return test::layout_of(inspection_of(*document)).end == mutant.size() ? ""
                                                                        : "the inspection does not cover it";
}

class M3Hostile : public testing::TestWithParam<const char*> {};

TEST_P(M3Hostile, CutsAndWords) {
  THAW_REQUIRE_CORPUS("m3");
  const Bytes bytes = test::load(corpus_dir() / "m3" / "synthetic" / GetParam());
  Diagnostics diagnostics;
  const auto document = read(bytes, {}, diagnostics);
  ASSERT_TRUE(document);
  const auto layout = test::layout_of(inspection_of(*document));
  for (const auto at : layout.boundaries) {
    for (const std::uint64_t length : {at, at + 1}) {
      const auto cut = std::min<std::uint64_t>(length, bytes.size());
      ASSERT_EQ(check(ByteView(bytes).first(cut)), "") << "cut at " << cut;
    }
  }
  // A third of the words; the geosets' fields are many, and only ever compared with what is there.
  for (std::size_t i = 0; i < layout.words.size(); i += 3) {
    const auto& damaged = layout.words[i];
    for (const auto value : test::hostile_values(bytes, damaged)) {
      ASSERT_EQ(check(test::with_word(bytes, damaged, value)), "")
          << damaged.name << " at " << damaged.offset << " set to " << value;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Files, M3Hostile, testing::Values("synth_v4_lod2.m3", "synth_v3_skin.m3"),
                         [](const auto& file) { return std::string(file.param).substr(0, 8); });

/// Any known chunk may be the first.
TEST(M3, AnotherFirstChunkIsNoOtherFormat) {
  const auto exact = [](const Bytes& bytes, const std::string& what) {
    SCOPED_TRACE(what);
    EXPECT_EQ(identify(bytes).format, "m3");
    EXPECT_EQ(identify(bytes).version, stated_version(write(sample())));
    Diagnostics findings;
    const auto document = read(bytes, {}, findings);
    ASSERT_TRUE(document);
    EXPECT_EQ(write(*document), bytes);
    EXPECT_GT(findings.items().size(), 0U);
  };
  const Document good = sample();
  for (std::size_t i = 1; i < good.chunks.size(); ++i) {
    Document turned = good;
    std::rotate(turned.chunks.begin(), turned.chunks.begin() + static_cast<std::ptrdiff_t>(i),
                turned.chunks.end());
    exact(write(turned), turned.chunks.front().tag.text());
  }
  // Tags that no file is known to begin with, each with nothing in it.
  const Bytes whole = write(good);
  for (const char* tag : {"M3PT", "M3VR", "VPOS", "VNML", "VUV0", "VINX", "VGEO", "LODS", "RBAT", "CPOS"}) {
    Bytes bytes(16);
    std::fill(bytes.begin(), bytes.end(), std::uint8_t{0});
    std::memcpy(bytes.data(), tag, 4);
    bytes.insert(bytes.end(), whole.begin(), whole.end());
    exact(bytes, tag);
    // The beginning is enough, one chunk alone is not.
    EXPECT_EQ(identify(ByteView(bytes).first(1024)).format, "m3");
    EXPECT_NE(identify(ByteView(bytes).first(16)).format, "m3");
  }
}

}  // namespace
}  // namespace thaw::m3
