// Rules of buildings: sound files have no findings, and each rule is triggered by what it is about.
#include <thaw/validate.hpp>
#include <thaw/wmo.hpp>

#include "formats/wow/wmo/rules.hpp"

#include "support/files.hpp"
#include "support/findings.hpp"
#include "support/paths.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>

namespace thaw::wmo {
namespace {

Document sound() {
  Diagnostics findings;
  auto document = read(test::load(test::samples_dir() / "house.wmo"), {}, findings);
  EXPECT_TRUE(document);
  return document ? std::move(*document) : Document{};
}

Diagnostics check(Document document) {
  Identity identity;
  identity.format = find_format("wmo");
  ValidateOptions options;
  options.target = ValidateTarget::strict;
  return validate(AnyDocument(identity, std::move(document)), options);
}

using test::has;

Chunk& chunk_of(std::vector<Chunk>& chunks, FourCC tag) {
  return *std::find_if(chunks.begin(), chunks.end(), [&](const Chunk& chunk) { return chunk.tag == tag; });
}

std::vector<Chunk>& root(Document& document) {
  return std::get<Root>(chunk_of(document.chunks, FourCC{"MOMO"}).body).chunks;
}

Group& group(Document& document) { return std::get<Group>(chunk_of(document.chunks, FourCC{"MOGP"}).body); }

template <class Body>
Body& in_root(Document& document, const char (&tag)[5]) {
  return std::get<Body>(chunk_of(root(document), FourCC{tag}).body);
}

/// Of the first group that has such a chunk.
template <class Body>
Body& in_group(Document& document, const char (&tag)[5]) {
  for (auto& chunk : document.chunks) {
    auto* owner = std::get_if<Group>(&chunk.body);
    if (Body* body = owner == nullptr ? nullptr : owner->find<Body>(FourCC{tag}); body != nullptr) {
      return *body;
    }
  }
  throw std::logic_error(tag);
}

/// Each rule once, by what its code is about.
const std::map<std::string_view, std::function<void(Document&)>>& breakages() {
  using D = Document&;
  static const std::map<std::string_view, std::function<void(D)>> list = {
      {"wmo.order", [](D d) { std::swap(root(d)[1], root(d)[2]); }},
      {"wmo.later-structure", [](D d) { root(d).push_back({FourCC{"MOSB"}, Strings{}, {}, {}}); }},
      {"wmo.counts", [](D d) { ++in_root<Header>(d, "MOHD").material_count; }},
      {"wmo.group-count", [](D d) { ++in_root<Header>(d, "MOHD").group_count; }},
      {"wmo.group-offset", [](D d) { in_root<GroupInfos>(d, "MOGI").items[1].offset += 4; }},
      {"wmo.group-box", [](D d) { in_root<GroupInfos>(d, "MOGI").items[0].box.maximum[2] += 1; }},
      {"wmo.name-offset", [](D d) { in_root<Materials>(d, "MOMT").items[0].texture1 += 1; }},
      {"wmo.doodad-range", [](D d) { in_root<DoodadSets>(d, "MODS").items[0].count += 100; }},
      {"wmo.reference", [](D d) { group(d).header.fogs[0] = 200; }},
      {"wmo.portal-reference", [](D d) { in_root<PortalReferences>(d, "MOPR").items[0].group = 9; }},
      {"wmo.portal-vertices", [](D d) { in_root<Portals>(d, "MOPT").items[0].vertex_count = 999; }},
      {"wmo.attenuation", [](D d) { in_root<Lights>(d, "MOLT").items[0].attenuation_end = -1; }},
      {"wmo.vertex-counts", [](D d) { in_group<Points>(d, "MONR").items.resize(1); }},
      {"wmo.vertex-outside",
       [](D d) {
         auto& points = in_group<Points>(d, "MOVT").items;
         std::vector<Vec3> moved(points.begin(), points.end());
         moved[0][0] += 500;
         points.assign(moved.begin(), moved.end());
       }},
      {"wmo.index", [](D d) { in_group<Indices>(d, "MOIN").items.resize(3); }},
      {"wmo.batch", [](D d) { in_group<Batches>(d, "MOBA").items[0].material = 77; }},
      {"wmo.bsp", [](D d) { in_group<BspNodes>(d, "MOBN").items[0].negative = 99; }},
      {"wmo.flags", [](D d) { group(d).header.flags ^= GroupHeader::kVertexColors; }},
      {"wmo.liquid", [](D d) { in_group<Liquids>(d, "MLIQ").items[0].x_tiles += 1; }},
  };
  return list;
}

TEST(WmoRules, SoundBuildingsHaveNoFindings) {
  const auto findings = check(sound());
  for (const auto& finding : findings.items()) {
    ADD_FAILURE() << finding.code.id << " " << finding.path << ": " << finding.message;
  }
}

TEST(WmoRules, EachIsTriggered) {
  std::size_t rules = 0;
  for (const auto& book : {root_rules(), group_rules()}) {
    for (const auto& rule : book) {
      SCOPED_TRACE(rule.info.code);
      const auto breakage = breakages().find(rule.info.code);
      ASSERT_NE(breakage, breakages().end());
      auto document = sound();
      breakage->second(document);
      EXPECT_TRUE(has(check(std::move(document)), rule.info.code));
      ++rules;
    }
  }
  EXPECT_EQ(rules, breakages().size());
}

TEST(WmoRules, FindingsHaveTheirPlaces) {
  auto document = sound();
  in_root<Lights>(document, "MOLT").items[0].attenuation_end = -1;
  const auto findings = check(document);
  ASSERT_EQ(findings.items().size(), 1U);
  EXPECT_EQ(findings.items()[0].path, "MOMO.MOLT[0].attenuationEnd");
  const auto offset = findings.items()[0].offset;
  ASSERT_TRUE(offset);
  const Bytes bytes = write(document);
  float there = 0;
  std::memcpy(&there, bytes.data() + *offset, sizeof there);
  EXPECT_EQ(there, -1);
}

TEST(WmoRules, TheCorpusIsSoundButForWhatIsKnown) {
  THAW_REQUIRE_CORPUS("alpha");
  std::size_t files = 0;
  for (const auto& path : test::files_below(test::corpus_dir() / "alpha", ".wmo")) {
    Diagnostics diagnostics;
    const auto document = read(test::load(path), {}, diagnostics);
    ASSERT_TRUE(document) << path;
    const auto findings = check(*document);
    for (const auto& finding : findings.items()) {
      EXPECT_LT(finding.code.severity, Severity::error)
          << path << ": " << finding.code.id << " " << finding.path << " " << finding.message;
    }
    ++files;
  }
  EXPECT_GT(files, 0U);
}

}  // namespace
}  // namespace thaw::wmo
