// Rules of alpha models: sound files have no findings, and each rule is triggered by what it is about.
#include <thaw/mdx.hpp>
#include <thaw/mdx_alpha.hpp>
#include <thaw/validate.hpp>

#include "support/files.hpp"
#include "support/findings.hpp"
#include "support/paths.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace thaw {
namespace {

using mdx_alpha::Document;

Document load(const std::filesystem::path& path) {
  Diagnostics findings;
  auto document = mdx_alpha::read(test::load(path), {}, findings);
  EXPECT_TRUE(document) << path;
  return document ? std::move(*document) : Document{};
}
Document sample() { return load(test::samples_dir() / "alpha_everything_v1300.mdx"); }

Diagnostics check(Document document) {
  Identity identity;
  identity.format = find_format("mdx");
  identity.dialect = "wow-alpha";
  ValidateOptions options;
  options.target = ValidateTarget::strict;
  return validate(AnyDocument(identity, std::move(document)), options);
}

using test::has;

void expect_sound(Document document) {
  const auto findings = check(std::move(document));
  for (const auto& finding : findings.items()) {
    ADD_FAILURE() << finding.code.id << " " << finding.path << ": " << finding.message;
  }
}

TEST(AlphaRules, SamplesHaveNoFindings) {
  for (const auto* name :
       {"alpha_everything_v1300.mdx", "alpha_everything_v1500.mdx", "Creature/Beetle/Beetle.mdx"}) {
    expect_sound(load(test::samples_dir() / name));
  }
}

TEST(AlphaRules, BoarHasOnlyTheSwapOfItsExporter) {
  THAW_REQUIRE_CORPUS("alpha");
  const auto findings = check(load(test::corpus_dir() / "alpha" / "GrenderG+MDX-Parser" / "Boar.mdx"));
  for (const auto& finding : findings.items()) {
    EXPECT_EQ(finding.code.severity, Severity::info) << finding.code.id << " " << finding.message;
  }
}

template <class Body>
Body& body(Document& document) {
  for (auto& chunk : document.chunks) {
    if (auto* found = std::get_if<Body>(&chunk.body)) {
      return *found;
    }
  }
  static Body none;
  return none;
}
mdx_alpha::Geoset& geoset(Document& document) { return body<mdx_alpha::Geosets>(document).items.at(0); }
mdx_alpha::Node& node(Document& document) { return body<mdx_alpha::Bones>(document).items.at(1).node; }

TEST(AlphaRules, EachIsTriggered) {
  const std::map<std::string_view, void (*)(Document&)> breakages = {
      {"mdx-alpha.version", [](Document& d) { body<mdx_alpha::Version>(d).value = 1310; }},
      {"mdx-alpha.chunk-missing",
       [](Document& d) {
         d.chunks.erase(std::remove_if(d.chunks.begin(), d.chunks.end(),
                                       [](const auto& chunk) { return chunk.tag == FourCC{"TEXS"}; }),
                        d.chunks.end());
       }},
      {"mdx-alpha.limit", [](Document& d) { body<mdx_alpha::Sequences>(d).items.resize(256); }},
      {"mdx-alpha.sequence-order", [](Document& d) { body<mdx_alpha::Sequences>(d).items[0].start = 900; }},
      {"mdx-alpha.sequence-overlap", [](Document& d) { body<mdx_alpha::Sequences>(d).items[0].end = 700; }},
      {"mdx-alpha.sequence-frequency",
       [](Document& d) { body<mdx_alpha::Sequences>(d).items[0].frequency = 1; }},
      {"mdx-alpha.geoset-counts", [](Document& d) { geoset(d).normals.resize(4); }},
      {"mdx-alpha.geoset-index", [](Document& d) { geoset(d).indices[3] = 5; }},
      {"mdx-alpha.geoset-groups", [](Document& d) { geoset(d).vertex_groups[2] = 3; }},
      {"mdx-alpha.geoset-bones", [](Document& d) { geoset(d).matrix_indices[1] = 99; }},
      {"mdx-alpha.geoset-weights", [](Document& d) { geoset(d).bone_indices[1] = 1; }},
      {"mdx-alpha.node-id", [](Document& d) { node(d).object_id = 0; }},
      {"mdx-alpha.node-order",
       [](Document& d) { std::swap(node(d).object_id, body<mdx_alpha::Bones>(d).items[0].node.object_id); }},
      {"mdx-alpha.node-parent", [](Document& d) { node(d).parent_id = 1; }},
      {"mdx-alpha.track-order", [](Document& d) { node(d).tracks[0].words[0] = 99999; }},
      {"mdx-alpha.track-global", [](Document& d) { node(d).tracks[0].global_sequence = 3; }},
      {"mdx-alpha.track-interpolation",
       [](Document& d) { node(d).tracks[0].interpolation = static_cast<mdx::Interpolation>(4); }},
      {"mdx-alpha.reference", [](Document& d) { geoset(d).material_id = 2; }},
      {"mdx-alpha.collision", [](Document& d) { body<mdx_alpha::CollisionMesh>(d).normals.resize(11); }},
      {"mdx-alpha.bounds", [](Document& d) { geoset(d).positions[0][2] = 9; }},
  };
  for (const auto& rule : validation_rules()) {
    // Of files beside the model: tests/validate/texture_rules_test.cpp.
    if (rule.code.substr(0, 10) == "mdx-alpha." && rule.code != "mdx-alpha.texture-file") {
      const auto breakage = breakages.find(rule.code);
      ASSERT_NE(breakage, breakages.end()) << rule.code;
      auto document = sample();
      breakage->second(document);
      EXPECT_TRUE(has(check(std::move(document)), rule.code)) << rule.code;
    }
  }
}

}  // namespace
}  // namespace thaw
