// Each rule of morph models: one document that breaks it, and one that breaks none.
#include <thaw/validate.hpp>

#include "support/files.hpp"
#include "support/findings.hpp"
#include "support/paths.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>

namespace thaw::mrf {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

/// A triangle in two frames.
Document sound() {
  Document document;
  document.header.frame_duration = 0.1F;
  for (const char c : std::string_view("a\\b.blp\0", 8)) {
    document.texture_path.push_back(c);
  }
  document.indices = {0, 1, 2};
  document.uvs = {{0, 0}, {1, 0}, {0, 1}};
  document.frames.resize(2);
  for (auto& frame : document.frames) {
    frame.vertices = {{0, 0, 0, 0, 0, 1}, {1, 0, 0, 0, 0, 1}, {0, 1, 0, 0, 0, 1}};
  }
  lay_out(document);
  return document;
}

Diagnostics check(Document document) {
  Identity identity;
  identity.format = find_format("mrf");
  return validate(AnyDocument(identity, std::move(document)), {});
}

using test::has;

void set_path(Document& document, std::string_view path) {
  document.texture_path.assign(path.begin(), path.end());
  document.texture_path.push_back('\0');
  lay_out(document);
}

TEST(MrfRules, ASoundModelHasNoFindings) {
  const auto findings = check(sound());
  for (const auto& finding : findings.items()) {
    ADD_FAILURE() << finding.code.id << ": " << finding.message;
  }
}

TEST(MrfRules, EachIsTriggered) {
  const std::map<std::string_view, void (*)(Document&)> breakages = {
      {"mrf.magic", [](Document& d) { d.header.magic = FourCC{"morf"}; }},
      {"mrf.counts", [](Document& d) { d.header.index_count = 4; }},
      {"mrf.overlap", [](Document& d) { d.frame_offsets[1] = d.header.uv_offset; }},
      {"mrf.offset-order", [](Document& d) { std::swap(d.frame_offsets[0], d.frame_offsets[1]); }},
      {"mrf.alignment", [](Document& d) { d.frame_offsets[1] += 4; }},
      {"mrf.index", [](Document& d) { d.indices[2] = 3; }},
      {"mrf.duration", [](Document& d) { d.header.frame_duration = 0; }},
      {"mrf.elapsed", [](Document& d) { d.header.elapsed = 0.2F; }},
      {"mrf.debug", [](Document& d) { d.header.debug = 0xDEAD; }},
      {"mrf.radius", [](Document& d) { d.header.radius = -1; }},
      {"mrf.padding", [](Document& d) { d.gaps[1].bytes[0] = 0xCD; }},
      {"mrf.value", [](Document& d) { d.frames[1].vertices[2][4] = kNaN; }},
      {"mrf.texture", [](Document& d) { set_path(d, "a"); }},
      {"mrf.texture-folder", [](Document& d) { set_path(d, "a.b\\c"); }},
  };
  for (const auto& rule : validation_rules()) {
    if (rule.code.substr(0, 4) == "mrf.") {
      const auto breakage = breakages.find(rule.code);
      ASSERT_NE(breakage, breakages.end()) << rule.code;
      auto document = sound();
      breakage->second(document);
      EXPECT_TRUE(has(check(std::move(document)), rule.code)) << rule.code;
    }
  }
}

TEST(MrfRules, FindingsHaveTheirPlaces) {
  auto document = sound();
  document.indices[2] = 3;
  document.header.elapsed = 5;
  const auto findings = check(document);
  ASSERT_EQ(findings.items().size(), 2U);
  EXPECT_EQ(findings.items()[0].offset, 36U);
  EXPECT_EQ(findings.items()[0].path, "header.elapsed");
  EXPECT_EQ(findings.items()[1].offset, document.header.face_offset);
}

TEST(MrfRules, AFaultOfManyFramesIsOneFinding) {
  auto document = sound();
  for (auto& frame : document.frames) {
    frame.vertices[2][4] = kNaN;
  }
  const auto findings = check(document);
  ASSERT_GT(document.frames.size(), 1U);
  ASSERT_EQ(findings.items().size(), 1U);
  EXPECT_NE(findings.items()[0].message.find("more"), std::string::npos) << findings.items()[0].message;
}

/// What the rules say, as "code path".
std::vector<std::string> reported(const Document& document) {
  std::vector<std::string> lines;
  const auto findings = check(document);
  for (const auto& finding : findings.items()) {
    lines.push_back(std::string(finding.code.id) + ' ' + finding.path);
  }
  return lines;
}
using Lines = std::vector<std::string>;

TEST(MrfRules, CountsAtTheirLimits) {
  auto document = sound();
  document.header.vertex_count = 65536;
  EXPECT_FALSE(has(check(document), "mrf.counts"));
  document.header.vertex_count = 65537;
  EXPECT_TRUE(has(check(document), "mrf.counts"));
  document.header.vertex_count = 1;
  EXPECT_FALSE(has(check(document), "mrf.counts"));
  document.header.vertex_count = 0;
  EXPECT_TRUE(has(check(document), "mrf.counts"));
  document = sound();
  document.header.frame_count = 1;
  EXPECT_FALSE(has(check(document), "mrf.counts"));
  document.header.frame_count = 0;
  EXPECT_TRUE(has(check(document), "mrf.counts"));
  document = sound();
  for (const std::uint32_t count : {0U, 3U, 6U}) {
    document.header.index_count = count;
    EXPECT_FALSE(has(check(document), "mrf.counts")) << count;
  }
  for (const std::uint32_t count : {1U, 2U, 5U}) {
    document.header.index_count = count;
    EXPECT_TRUE(has(check(document), "mrf.counts")) << count;
  }
}

TEST(MrfRules, PartsOverlapByOneByteOrNot) {
  auto document = sound();
  const std::uint32_t after = document.frame_offsets[1];
  document.frame_offsets[1] = document.frame_offsets[0] + 72;  // where the first frame ends
  EXPECT_FALSE(has(check(document), "mrf.overlap"));
  document.frame_offsets[1] -= 1;
  const Lines lines = reported(document);
  EXPECT_EQ(std::count(lines.begin(), lines.end(), "mrf.overlap frameOffsets[1]"), 1);
  document.frame_offsets[1] = after;
  // A part of no bytes may lie anywhere.
  document.header.texture_offset = document.frame_offsets[0] + 16;
  document.texture_path.clear();
  EXPECT_FALSE(has(check(document), "mrf.overlap"));
  document.texture_path.push_back('x');
  EXPECT_TRUE(has(check(document), "mrf.overlap"));
  document.header.texture_offset = 87;
  EXPECT_TRUE(has(check(document), "mrf.overlap")) << "the last byte of the header";
  document.header.texture_offset = 88;
  EXPECT_FALSE(has(check(document), "mrf.overlap"));
}

TEST(MrfRules, EachPartIsAligned) {
  using Move = void (*)(Document&);
  const std::map<std::string, Move> moves = {
      {"header.textureOffset", [](Document& d) { d.header.texture_offset += 1; }},
      {"header.faceOffset", [](Document& d) { d.header.face_offset += 8; }},
      {"header.uvOffset", [](Document& d) { d.header.uv_offset += 4; }},
  };
  for (const auto& [path, move] : moves) {
    auto document = sound();
    move(document);
    EXPECT_EQ(reported(document), (Lines{"mrf.alignment " + path}));
  }
  // Frames: where the first lies wrong, and that its distance to the next is another.
  auto document = sound();
  document.frame_offsets[0] += 4;
  EXPECT_EQ(reported(document), (Lines{"mrf.alignment frameOffsets[0]", "mrf.alignment frameOffsets[1]"}));
}

TEST(MrfRules, FramesAreAsFarApartAsTheyAreLong) {
  auto document = sound();
  document.frame_offsets[1] += 16;
  const auto findings = check(document);
  ASSERT_EQ(findings.items().size(), 1U);
  EXPECT_EQ(findings.items()[0].code.id, "mrf.alignment");
  EXPECT_EQ(findings.items()[0].path, "frameOffsets[1]");
  EXPECT_NE(findings.items()[0].message.find("96 bytes after the previous frame instead of 80"),
            std::string::npos)
      << findings.items()[0].message;
}

TEST(MrfRules, OneFindingForAllFramesNamesTheFirst) {
  auto document = sound();
  document.frames.resize(5, document.frames[0]);
  lay_out(document);
  EXPECT_EQ(reported(document), Lines{});
  for (const std::size_t i : {1U, 2U, 4U}) {
    document.frames[i].vertices[i == 1 ? 2 : 0][0] = kNaN;
  }
  const auto findings = check(document);
  ASSERT_EQ(findings.items().size(), 1U);
  EXPECT_EQ(findings.items()[0].path, "frames[1].vertices");
  EXPECT_NE(findings.items()[0].message.find("vertex 2 is not finite; the same applies to 2 more frames"),
            std::string::npos)
      << findings.items()[0].message;
  document.frames[2] = document.frames[4] = document.frames[0];
  const auto alone = check(document);
  ASSERT_EQ(alone.items().size(), 1U);
  EXPECT_EQ(alone.items()[0].message.find("more"), std::string::npos);
}

TEST(MrfRules, UnalignedFramesAreOneFinding) {
  auto document = sound();
  document.header.uv_offset += 4;
  for (auto& offset : document.frame_offsets) {
    offset += 4;
  }
  EXPECT_EQ(reported(document), (Lines{"mrf.alignment header.uvOffset", "mrf.alignment frameOffsets[0]"}));
}

TEST(MrfRules, FramesMayNotLieAtOnePlace) {
  auto document = sound();
  document.frame_offsets[1] = document.frame_offsets[0];
  const auto findings = check(document);
  const auto found = std::find_if(findings.items().begin(), findings.items().end(),
                                  [](const Diagnostic& one) { return one.code.id == "mrf.offset-order"; });
  ASSERT_NE(found, findings.items().end());
  EXPECT_NE(found->message.find("frame 1 is not after that of frame 0"), std::string::npos) << found->message;
  document = sound();
  EXPECT_FALSE(has(check(document), "mrf.offset-order"));
}

TEST(MrfRules, TheLastVertexIsTheHighestIndex) {
  auto document = sound();
  document.indices = {2, 1, 0};
  EXPECT_EQ(reported(document), Lines{});
  document.indices = {3, 1, 4};
  EXPECT_EQ(reported(document), (Lines{"mrf.index indices", "mrf.index indices"}));
}

TEST(MrfRules, DurationsSayWhatIsShown) {
  auto document = sound();
  const auto message = [&](float duration) {
    document.header.frame_duration = duration;
    const auto findings = check(document);
    for (const auto& finding : findings.items()) {
      if (finding.code.id == "mrf.duration") {
        return finding.message;
      }
    }
    return std::string();
  };
  EXPECT_NE(message(0).find("nothing"), std::string::npos);
  EXPECT_NE(message(-0.5F).find("only the last frame"), std::string::npos);
  EXPECT_NE(message(kNaN).find("nothing"), std::string::npos);
  EXPECT_NE(message(std::numeric_limits<float>::infinity()), "");
  EXPECT_EQ(message(1e-6F), "");
}

TEST(MrfRules, TheSizeAfterTheOffsetsIsNoPadding) {
  auto document = sound();
  auto& gap = document.gaps.front();
  ASSERT_EQ(gap.offset, 80 + document.frame_offsets.size() * 4);
  const auto size = static_cast<std::uint32_t>(write(document).size());
  for (std::size_t i = 0; i < 4; ++i) {
    gap.bytes[i] = static_cast<std::uint8_t>(size >> (8 * i));
  }
  EXPECT_FALSE(has(check(document), "mrf.padding"));
  ++gap.bytes[0];
  EXPECT_TRUE(has(check(document), "mrf.padding"));
}

TEST(MrfRules, ARadiusIsANumberFromZeroOn) {
  for (const float radius : {0.0F, 30.0F, -0.5F, kNaN, std::numeric_limits<float>::infinity()}) {
    auto document = sound();
    document.header.radius = radius;
    EXPECT_EQ(has(check(document), "mrf.radius"), radius != 0 && radius != 30) << radius;
  }
}

TEST(MrfRules, ElapsedAtTheEndAndAfterIt) {
  auto document = sound();
  document.header.frame_duration = 0.5F;
  document.header.elapsed = 0.5F;
  EXPECT_EQ(reported(document), Lines{});
  document.header.elapsed = 0.75F;
  EXPECT_EQ(reported(document), (Lines{"mrf.elapsed header.elapsed"}));
  document.header.frame_duration = -0.5F;  // told by another rule
  EXPECT_EQ(reported(document), (Lines{"mrf.duration header.frameDuration"}));
}

TEST(MrfRules, TexturePathsEndAtTheirDot) {
  const auto of = [](std::string_view path) {
    auto document = sound();
    set_path(document, path);
    return reported(document);
  };
  EXPECT_EQ(of("a\\b."), Lines{});
  EXPECT_EQ(of("a\\b.blp"), Lines{});
  EXPECT_EQ(of("a\\b"), (Lines{"mrf.texture header.textureOffset"}));
  EXPECT_EQ(of(""), (Lines{"mrf.texture header.textureOffset"}));
  EXPECT_EQ(of(".blp"), (Lines{"mrf.texture header.textureOffset"}));
  EXPECT_EQ(of("a.b\\c"), (Lines{"mrf.texture-folder header.textureOffset"}));
  EXPECT_EQ(of("a.b/c"), (Lines{"mrf.texture-folder header.textureOffset"}));
  auto after = sound();
  after.texture_path.push_back('/');  // behind the NUL it is no path
  lay_out(after);
  EXPECT_EQ(reported(after), Lines{});
}

TEST(MrfRules, CoordinatesAreNumbers) {
  auto document = sound();
  document.uvs[1][1] = kNaN;
  document.uvs[2][0] = kNaN;
  const auto findings = check(document);
  ASSERT_EQ(findings.items().size(), 1U);
  EXPECT_EQ(findings.items()[0].path, "uvs");
  EXPECT_NE(findings.items()[0].message.find("vertex 1"), std::string::npos) << findings.items()[0].message;
}

TEST(MrfRules, TheGamesOwnFilesAreSound) {
  THAW_REQUIRE_CORPUS("wc3");
  std::size_t files = 0;
  for (const auto& path : test::files_below(test::corpus_dir() / "wc3", ".mrf")) {
    Diagnostics diagnostics;
    const auto document = read(test::load(path), {}, diagnostics);
    ASSERT_TRUE(document) << path;
    const auto findings = check(*document);
    for (const auto& finding : findings.items()) {
      EXPECT_LT(finding.code.severity, Severity::warning)
          << path << ": " << finding.code.id << finding.message;
    }
    ++files;
  }
  EXPECT_GE(files, 2U);
}

}  // namespace
}  // namespace thaw::mrf
