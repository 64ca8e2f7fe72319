// Each rule of morph models: one document that breaks it, and one that breaks none.
#include <thaw/validate.hpp>

#include "support/files.hpp"
#include "support/findings.hpp"
#include "support/paths.hpp"

#include <gtest/gtest.h>

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
