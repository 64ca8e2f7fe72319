// One file for each rule by which a robust reader goes on (mdx.md#reading-damaged-files,
// mdx.md#choosing-between-readings): what is said, where, and that the bytes come back.
#include <thaw/mdx.hpp>

#include "support/mdx_raw.hpp"

#include <gtest/gtest.h>

#include <ostream>

namespace thaw {
namespace {

using test::mdx_file;
using test::mdx_geoset;
using test::mdx_node;
using test::mdx_track;
using test::RawBytes;

/// Bytes of "MDLX", VERS and the header of the chunk behind it.
constexpr std::uint64_t kPayload = 4 + 12 + 8;

struct Finding {
  Code code;
  std::uint64_t offset;
  std::string path;
};

struct Rule {
  const char* name;
  RawBytes file;
  std::vector<Finding> findings;
  /// Strict reading ends with the first finding; otherwise it only notes it too.
  bool stops_strict;
  /// What the reader must have understood beside the damage.
  bool (*holds)(const mdx::Document&);
};

template <class Body>
std::size_t count_of(const mdx::Document& document) {
  return document.all<Body>().size();
}

RawBytes helpers(const RawBytes& second) {
  // Behind the damage another chunk, which must read.
  return mdx_file(800)
      .chunk("HELP", RawBytes().append(mdx_node("first", 0)).append(second))
      .chunk("GLBS", RawBytes().u32(1000));
}
bool first_helper_and_globals(const mdx::Document& document) {
  const auto* globals = document.find<mdx::GlobalSequences>();
  return count_of<mdx::Helpers>(document) == 1 && globals != nullptr && globals->durations.size() == 1;
}

Rule size_too_small() {
  return {"InclusiveSizeTooSmall",
          helpers(RawBytes().u32(95).zeros(92)),
          {{codes::kSizeInvalid, kPayload + 96, "HELP[1].node.inclusiveSize"}},
          true,
          first_helper_and_globals};
}
Rule size_zero() {
  return {"InclusiveSizeZero",
          helpers(RawBytes().u32(0).zeros(92)),
          {{codes::kSizeInvalid, kPayload + 96, "HELP[1].node.inclusiveSize"}},
          true,
          first_helper_and_globals};
}
Rule size_too_large() {
  return {"InclusiveSizeTooLarge",
          helpers(RawBytes().u32(97).zeros(92)),
          {{codes::kSizeInvalid, kPayload + 96, "HELP[1].node.inclusiveSize"}},
          true,
          first_helper_and_globals};
}
Rule object_cut() {
  return {"ObjectCutShort",
          helpers(RawBytes().u8(96).zeros(2)),
          {{codes::kTruncated, kPayload + 96, "HELP[1].node.inclusiveSize"}},
          true,
          first_helper_and_globals};
}

Rule last_chunk_overruns() {
  auto file = mdx_file(800).tag("PIVT").u32(36).zeros(24);
  return {
      "LastChunkPastTheEnd", file, {{codes::kChunkOverrun, kPayload, ""}}, false, [](const mdx::Document& d) {
        return d.find<mdx::Pivots>()->points.size() == 2;
      }};
}
Rule trailing_bytes() {
  auto file = mdx_file(800).chunk("PIVT", RawBytes().zeros(12)).zeros(7);
  return {"BytesBehindTheLastChunk",
          file,
          {{codes::kFileTail, kPayload + 12, ""}},
          false,
          [](const mdx::Document& d) { return d.tail.size() == 7; }};
}

template <class Body>
Rule partial_record(const char* name, const char* tag, std::size_t record) {
  auto file = mdx_file(900).chunk(tag, RawBytes().zeros(2 * record + 3));
  return {name, file, {{codes::kChunkTail, kPayload + 2 * record, tag}}, false, [](const mdx::Document& d) {
            return d.chunks.back().remainder.bytes.size() == 3 &&
                   !d.chunks.back().remainder.replaces_fields() && d.find<Body>() != nullptr;
          }};
}

Rule foreign_interpolation() {
  auto track = mdx_track("KGTR", 2, 7).zeros(2 * 16);
  return {"UnknownInterpolation",
          mdx_file(800).chunk("HELP", mdx_node("n", 0, track)),
          {{codes::kTrackInterpolation, kPayload + 96 + 16, "HELP[0].node.tracks[0].interpolation"}},
          false,
          [](const mdx::Document& d) { return d.all<mdx::Helpers>()[0]->node.tracks.at(0).size() == 2; }};
}
Rule foreign_interpolation_with_tangents() {
  // Three values a key: without tangents the rest of the object is no track.
  auto track = mdx_track("KGTR", 1, 4).zeros(4 + 36);
  return {"UnknownInterpolationThatDoesNotFit",
          mdx_file(800).chunk("HELP", mdx_node("n", 0, track)),
          {{codes::kTrackInterpolation, kPayload + 96 + 16, "HELP[0].node.tracks[0].interpolation"},
           {codes::kTrackUnknown, kPayload + 96 + 16 + 16 + 16, "HELP[0].node.tracks[1].tag"}},
          false,
          [](const mdx::Document& d) { return d.all<mdx::Helpers>()[0]->node.remainder.replaces_fields(); }};
}
Rule unknown_track() {
  auto tracks = mdx_track("KGTR", 1, 0).zeros(16).append(mdx_track("KXYZ", 1, 0)).zeros(8);
  return {"UnknownTrack",
          mdx_file(800).chunk("HELP", mdx_node("n", 0, tracks)),
          {{codes::kTrackUnknown, kPayload + 96 + 32 + 16, "HELP[0].node.tracks[1].tag"}},
          true,
          [](const mdx::Document& d) { return d.all<mdx::Helpers>()[0]->node.tracks.size() == 1; }};
}
Rule track_count_too_large() {
  auto tracks = mdx_track("KGTR", 0xFFFFFFFF, 0).zeros(16);
  return {"TrackCountTooLarge",
          mdx_file(800).chunk("HELP", mdx_node("n", 0, tracks)),
          {{codes::kCountTooLarge, kPayload + 96 + 16, "HELP[0].node.tracks[0].keys"}},
          true,
          [](const mdx::Document& d) { return d.all<mdx::Helpers>()[0]->node.remainder.replaces_fields(); }};
}

Rule geoset_count_too_large() {
  auto broken = mdx_geoset(1);
  Bytes bytes = broken.bytes();
  std::fill_n(bytes.begin() + 8, 4, std::uint8_t{0xFF});
  RawBytes damaged;
  for (const auto byte : bytes) {
    damaged.u8(byte);
  }
  auto file =
      mdx_file(800).chunk("GEOS", RawBytes().append(mdx_geoset(2)).append(damaged).append(mdx_geoset(3)));
  const std::uint64_t at = kPayload + mdx_geoset(2).size() + 12;
  return {"GeosetCountTooLarge",
          file,
          {{codes::kCountTooLarge, at, "GEOS[1].positions"}},
          true,
          [](const mdx::Document& d) {
            const auto geosets = d.all<mdx::Geosets>();
            return geosets.size() == 3 && geosets[1]->remainder.replaces_fields() &&
                   geosets[2]->positions.size() == 3;
          }};
}
Rule foreign_tag_in_geoset() {
  RawBytes content;
  content.tag("VRTX").u32(0).tag("XXXX").u32(0).zeros(6 * 8 + 12 + 28 + 4).tag("UVAS").u32(0);
  return {"ForeignTagInGeoset",
          mdx_file(800).chunk("GEOS", RawBytes().sized(content)),
          {{codes::kTagExpected, kPayload + 12, "GEOS[0].NRMS"}},
          true,
          [](const mdx::Document& d) { return d.all<mdx::Geosets>()[0]->remainder.replaces_fields(); }};
}
Rule geoset_tail() {
  Bytes bytes = mdx_geoset(1).bytes();
  bytes[0] = static_cast<std::uint8_t>(bytes[0] + 4);
  RawBytes geoset;
  for (const auto byte : bytes) {
    geoset.u8(byte);
  }
  geoset.zeros(4);
  return {"BytesBehindAnObject",
          mdx_file(800).chunk("GEOS", geoset),
          {{codes::kObjectTail, kPayload + geoset.size() - 4, "GEOS[0]"}},
          false,
          [](const mdx::Document& d) { return d.all<mdx::Geosets>()[0]->remainder.bytes.size() == 4; }};
}

RawBytes event(std::string_view name, bool global, std::uint32_t count) {
  RawBytes bytes = mdx_node(name, 0);
  bytes.tag("KEVT").u32(count);
  if (global) {
    bytes.i32(-1);
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    bytes.u32(100 * i);
  }
  return bytes;
}
Rule event_without_global_sequence() {
  auto chunk = RawBytes().append(event("SNDxAAAA", false, 2)).append(event("SNDxBBBB", true, 3));
  return {"EventWithoutGlobalSequence",
          mdx_file(800).chunk("EVTS", chunk),
          {{codes::kEventWithoutGlobal, kPayload + 96 + 8, "EVTS[0].track.KEVT"}},
          false,
          [](const mdx::Document& d) {
            const auto events = d.all<mdx::EventObjects>();
            return events.size() == 2 && events[0]->track->frames.size() == 2 &&
                   !events[0]->track->has_global_sequence && events[1]->track->has_global_sequence &&
                   events[1]->track->frames.size() == 3;
          }};
}
Rule event_without_track() {
  auto chunk = RawBytes().append(mdx_node("SNDxAAAA", 0)).append(event("SNDxBBBB", true, 0));
  return {"EventWithoutTrack", mdx_file(800).chunk("EVTS", chunk), {}, false, [](const mdx::Document& d) {
            const auto events = d.all<mdx::EventObjects>();
            return events.size() == 2 && !events[0]->track && events[1]->track;
          }};
}

Rule engine_plane() {
  // As in the one real file with a type 3.
  auto chunk = RawBytes().append(mdx_node("Sphere", 0)).u32(2).zeros(16);
  chunk.append(mdx_node("Plane_Col", 1)).u32(3).f32(100).f32(100);
  return {"EnginePlane",
          mdx_file(800).chunk("CLID", chunk),
          {{codes::kCollisionLayout, kPayload + 96 + 20 + 96 + 4, "CLID[1].type"}},
          false,
          [](const mdx::Document& d) {
            return d.all<mdx::CollisionShapes>()[1]->payload == Array<float>{100, 100};
          }};
}
Rule engine_cylinder_between_shapes() {
  auto chunk = RawBytes().append(mdx_node("Cylinder_Col", 0)).u32(1).zeros(20);
  chunk.append(mdx_node("Box", 1)).u32(0).zeros(24);
  return {"EngineCylinderBetweenShapes",
          mdx_file(800).chunk("CLID", chunk),
          {{codes::kCollisionLayout, kPayload + 96 + 4, "CLID[0].type"}},
          false,
          [](const mdx::Document& d) { return d.all<mdx::CollisionShapes>()[0]->payload.size() == 5; }};
}
Rule unknown_shape() {
  auto chunk =
      RawBytes().append(mdx_node("Box", 0)).u32(0).zeros(24).append(mdx_node("?", 1)).u32(9).zeros(8);
  return {"UnknownShape",
          mdx_file(800).chunk("CLID", chunk),
          {{codes::kSizeInvalid, kPayload + 96 + 28 + 96 + 4, "CLID[1].type"}},
          true,
          [](const mdx::Document& d) { return count_of<mdx::CollisionShapes>(d) == 1; }};
}

Rule duplicate_chunk() {
  const auto chunk = RawBytes().append(mdx_node("h", 0));
  return {"DuplicateChunk",
          mdx_file(800).chunk("HELP", chunk).chunk("HELP", chunk),
          {{codes::kChunkDuplicate, 4 + 12 + 2 * 104, "HELP"}},
          false,
          [](const mdx::Document& d) { return count_of<mdx::Helpers>(d) == 2; }};
}
Rule version_second() {
  RawBytes file;
  file.tag("MDLX").chunk("INFO", RawBytes().zeros(4)).chunk("VERS", RawBytes().u32(1200));
  file.chunk("LITE", RawBytes().sized(mdx_node("l", 0).zeros(4 + 8 + 16 + 16).f32(0.5F)));
  return {"VersionNotFirst", file, {{codes::kChunkUnknown, 12, ""}}, false, [](const mdx::Document& d) {
            return d.version() == 1200 && d.all<mdx::Lights>()[0]->shadow_intensity == 0.5F;
          }};
}
Rule version_after_its_use() {
  RawBytes file;
  file.tag("MDLX").chunk("LITE", RawBytes().sized(mdx_node("l", 0).zeros(4 + 8 + 16 + 16).f32(0.5F)));
  file.chunk("VERS", RawBytes().u32(1200));
  return {"VersionBehindItsUse", file, {}, false, [](const mdx::Document& d) {
            return d.all<mdx::Lights>()[0]->shadow_intensity == 0.5F;
          }};
}
Rule version_absent() {
  RawBytes file;
  file.tag("MDLX").chunk("GLBS", RawBytes().u32(5));
  return {"VersionAbsent", file, {{codes::kVersionMissing, 0, "VERS"}}, false, [](const mdx::Document& d) {
            return d.version() == 800 && !d.find<mdx::Version>();
          }};
}
Rule version_unknown() {
  return {"VersionUnknown",
          mdx_file(801).chunk("GLBS", RawBytes().u32(5)),
          {{codes::kVersionUnknown, 0, "VERS"}},
          false,
          [](const mdx::Document& d) { return d.version() == 801 && d.find<mdx::GlobalSequences>(); }};
}
Rule only_magic() {
  return {"OnlyTheMagic",
          RawBytes().tag("MDLX"),
          {{codes::kVersionMissing, 0, "VERS"}},
          false,
          [](const mdx::Document& d) { return d.chunks.empty(); }};
}
Rule empty_chunks() {
  return {"EmptyChunks",
          mdx_file(800).chunk("PREM", {}).chunk("SEQS", {}),
          {},
          false,
          [](const mdx::Document& d) {
            return d.chunks.size() == 3 && d.find<mdx::ParticleEmitters>() && d.find<mdx::Sequences>();
          }};
}
Rule unknown_chunk() {
  return {"UnknownChunk",
          mdx_file(800).chunk("MDVI", RawBytes().zeros(5)).chunk("GLBS", RawBytes().u32(1)),
          {{codes::kChunkUnknown, kPayload, ""}},
          false,
          [](const mdx::Document& d) { return d.find<mdx::GlobalSequences>() != nullptr; }};
}
Rule unterminated_text() {
  RawBytes node;
  node.u32(96).text(std::string(80, 'n'), 80).zeros(12);
  return {"TextWithoutTerminator",
          mdx_file(800).chunk("HELP", node),
          {{codes::kTextUnterminated, kPayload + 84, "HELP[0].node.name"}},
          false,
          [](const mdx::Document& d) { return d.all<mdx::Helpers>()[0]->node.name.view().size() == 80; }};
}
Rule camera_variant() {
  const auto body = RawBytes().text("c", 80).zeros(36);
  auto file = mdx_file(800).chunk(
      "CAMS", RawBytes().u32(120U | 3U << 24U).append(body).u32(132U | 2U << 24U).append(body).zeros(12));
  return {"CameraVariants", file, {}, false, [](const mdx::Document& d) {
            const auto cameras = d.all<mdx::Cameras>();
            return cameras.size() == 2 && cameras[0]->variant == 3 && cameras[1]->variant == 2;
          }};
}
/// Version 900 leaves open whether fresnel fields stand before the tracks
/// (mdx.md#fresnel-fields-of-version-900).
RawBytes layer_900(std::size_t fresnel_bytes, const RawBytes& tracks) {
  RawBytes layer;
  layer.sized(RawBytes().zeros(24 + 4 + fresnel_bytes).append(tracks));
  RawBytes material;
  material.zeros(8 + 80).tag("LAYS").u32(1).append(layer);
  return mdx_file(900).chunk("MTLS", RawBytes().sized(material));
}
Rule fresnel_at_900() {
  return {
      "FresnelAt900", layer_900(20, mdx_track("KMTA", 1, 0).zeros(8)), {}, false, [](const mdx::Document& d) {
        const auto& layer = d.all<mdx::Materials>()[0]->layers.at(0);
        return layer.has_fresnel && layer.tracks.size() == 1;
      }};
}
Rule no_fresnel_at_900() {
  return {"NoFresnelAt900",
          layer_900(0, mdx_track("KMTA", 1, 0).zeros(8)),
          {},
          false,
          [](const mdx::Document& d) {
            const auto& layer = d.all<mdx::Materials>()[0]->layers.at(0);
            return !layer.has_fresnel && layer.tracks.size() == 1;
          }};
}

std::vector<Rule> rules() {
  return {size_too_small(),
          size_zero(),
          size_too_large(),
          object_cut(),
          last_chunk_overruns(),
          trailing_bytes(),
          partial_record<mdx::Sequences>("PartialSequence", "SEQS", 132),
          partial_record<mdx::Textures>("PartialTexture", "TEXS", 268),
          partial_record<mdx::Pivots>("PartialPivot", "PIVT", 12),
          partial_record<mdx::GlobalSequences>("PartialGlobalSequence", "GLBS", 4),
          partial_record<mdx::FaceEffects>("PartialFaceEffect", "FAFX", 340),
          partial_record<mdx::PickGeosets>("PartialPickGeoset", "DILG", 4),
          foreign_interpolation(),
          foreign_interpolation_with_tangents(),
          unknown_track(),
          track_count_too_large(),
          geoset_count_too_large(),
          foreign_tag_in_geoset(),
          geoset_tail(),
          event_without_global_sequence(),
          event_without_track(),
          engine_plane(),
          engine_cylinder_between_shapes(),
          unknown_shape(),
          duplicate_chunk(),
          version_second(),
          version_after_its_use(),
          version_absent(),
          version_unknown(),
          only_magic(),
          empty_chunks(),
          unknown_chunk(),
          unterminated_text(),
          camera_variant(),
          fresnel_at_900(),
          no_fresnel_at_900()};
}

std::string text_of(const Finding& finding) {
  return std::string(finding.code.id) + " at " + std::to_string(finding.offset) + " [" + finding.path + "]";
}
std::vector<std::string> text_of(const std::vector<Finding>& findings) {
  std::vector<std::string> lines;
  for (const auto& finding : findings) {
    lines.push_back(text_of(finding));
  }
  return lines;
}
std::vector<std::string> text_of(const Diagnostics& diagnostics) {
  std::vector<std::string> lines;
  for (const auto& item : diagnostics.items()) {
    lines.push_back(text_of(Finding{item.code, item.offset.value_or(0), item.path}));
    EXPECT_FALSE(item.message.empty());
  }
  return lines;
}

void PrintTo(const Rule& rule, std::ostream* stream) { *stream << rule.name; }

class MdxRules : public testing::TestWithParam<Rule> {};

TEST_P(MdxRules, SaysWhatIsWrongAndReadsOn) {
  const Rule& rule = GetParam();
  Diagnostics diagnostics;
  const auto document = mdx::read(rule.file.view(), {}, diagnostics);
  ASSERT_TRUE(document);
  EXPECT_EQ(text_of(diagnostics), text_of(rule.findings));
  EXPECT_TRUE(rule.holds(*document));
}

TEST_P(MdxRules, KeepsTheBytes) {
  const Rule& rule = GetParam();
  Diagnostics diagnostics;
  const auto document = mdx::read(rule.file.view(), {}, diagnostics);
  ASSERT_TRUE(document);
  EXPECT_EQ(mdx::write(*document), rule.file.bytes());
}

TEST_P(MdxRules, StrictStopsAtTheSamePlace) {
  const Rule& rule = GetParam();
  ReadOptions options;
  options.strict = true;
  Diagnostics diagnostics;
  const auto document = mdx::read(rule.file.view(), options, diagnostics);
  if (!rule.stops_strict) {
    return;
  }
  ASSERT_FALSE(document);
  const Error& error = document.error();
  EXPECT_EQ(text_of(Finding{error.code, error.offset.value_or(0), error.path}),
            text_of(rule.findings.front()));
}

INSTANTIATE_TEST_SUITE_P(Rules, MdxRules, testing::ValuesIn(rules()),
                         [](const auto& rule) { return std::string(rule.param.name); });

// --- what does not read at all -----------------------------------------------------------------------------

Code error_of(const RawBytes& file, const ReadOptions& options = {}) {
  Diagnostics diagnostics;
  const auto document = mdx::read(file.view(), options, diagnostics);
  return document ? Code{"read", Severity::info, ""} : document.error().code;
}

TEST(MdxRefusal, NoBytes) { EXPECT_EQ(error_of({}).id, "format.unknown"); }
TEST(MdxRefusal, AnotherMagic) {
  EXPECT_EQ(error_of(RawBytes().tag("MDLY").zeros(100)).id, "format.unknown");
}
TEST(MdxRefusal, LongerThanTheLimit) {
  ReadOptions options;
  options.limits.max_input_bytes = 10;
  EXPECT_EQ(error_of(mdx_file(800), options).id, "input.too-large");
}
TEST(MdxRefusal, WowAlphaBySizeOfModl) {
  EXPECT_EQ(error_of(mdx_file(1300).chunk("MODL", RawBytes().zeros(373))).id, "format.foreign");
}
TEST(MdxRefusal, WowAlphaBySizeOfSeqs) {
  EXPECT_EQ(error_of(mdx_file(1500).chunk("SEQS", RawBytes().zeros(4 + 140))).id, "format.foreign");
}
TEST(MdxRefusal, WowAlphaByHtst) {
  EXPECT_EQ(error_of(mdx_file(1400).chunk("HTST", RawBytes().zeros(4))).id, "format.foreign");
}
TEST(MdxRefusal, TheSameChunksAtOtherVersionsRead) {
  EXPECT_EQ(error_of(mdx_file(1200).chunk("HTST", RawBytes().zeros(4))).id, "read");
  EXPECT_EQ(error_of(mdx_file(1400).chunk("MODL", RawBytes().zeros(372))).id, "read");
}

}  // namespace
}  // namespace thaw
