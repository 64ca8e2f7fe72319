// Names, paths, things that go and come: what was asked for changes, and nothing else.

#include <gtest/gtest.h>
#include <thaw/codes.hpp>
#include <thaw/mdx.hpp>
#include <thaw/validate.hpp>

#include "support/files.hpp"
#include "support/mdx_objects.hpp"
#include "support/mdx_oracle.hpp"
#include "support/paths.hpp"

#include <algorithm>
#include <limits>
#include <set>

namespace thaw {
namespace {

mdx::Document sample(const std::string& name) {
  auto document = mdx::read(test::load(test::samples_dir() / name));
  EXPECT_TRUE(document) << name;
  return document.value_or(mdx::Document{});
}

struct Log {
  Diagnostics findings;
  EditLog log{{}, findings};
};

bool found(const Diagnostics& findings, const Code& code) {
  return std::any_of(findings.items().begin(), findings.items().end(),
                     [&](const Diagnostic& finding) { return finding.code.id == code.id; });
}

std::size_t worst_findings(const mdx::Document& document) {
  return validate(document).count(Severity::severe);
}

/// The rest of the model stands where it stood.
void expect_same_poses(const mdx::Document& before, const mdx::Document& after) {
  const test::MdxOracle was(before);
  const test::MdxOracle is(after);
  for (std::size_t sequence = 0; sequence < was.sequences(); ++sequence) {
    const test::Moment moment{static_cast<int>(sequence), was.duration(sequence) * 0.4, 77};
    EXPECT_EQ(was.positions(moment), is.positions(moment));
  }
}

TEST(Renamed, PatternsMeetWholeTexts) {
  EXPECT_EQ(renamed("Attack", "attack", "Spell"), "Spell");
  EXPECT_EQ(renamed("Attack - 2", "attack*", "Spell*"), "Spell - 2");
  EXPECT_EQ(renamed("Textures\\a\\b.blp", "textures/*/*.blp", "x\\*_*.dds"), "x\\a_b.dds");
  EXPECT_EQ(renamed("aaa", "*a", "[*]"), "[aa]");
  EXPECT_EQ(renamed("abcabc", "a*c", "*"), "bcab");
  EXPECT_EQ(renamed("Attack", "*", "X*X*"), "XAttackX*");
  EXPECT_EQ(renamed("Attack", "Att", "X"), std::nullopt);
  EXPECT_EQ(renamed("aba", "ab*ba", "X"), std::nullopt);
  EXPECT_EQ(renamed("ab", "a*b*c", "X"), std::nullopt);
  EXPECT_EQ(renamed("", "*", "X"), "X");
}

TEST(MdxEdit, SequencesAreRenamedAndNothingElse) {
  const mdx::Document before = sample("knight.mdx");
  mdx::Document document = before;
  const std::string name(before.all<mdx::Sequences>().front()->name.view());
  Log log;
  ASSERT_TRUE(mdx::rename_sequences(document, name, "Other", log.log));
  ASSERT_EQ(log.log.changes.size(), 1U);
  EXPECT_EQ(log.log.changes[0].path, "SEQS[0].name");
  EXPECT_EQ(document.all<mdx::Sequences>().front()->name.view(), "Other");
  EXPECT_TRUE(log.findings.items().empty());
  document.find<mdx::Sequences>()->items.front().name.assign(name);
  EXPECT_EQ(document, before);

  ASSERT_TRUE(mdx::rename_sequences(document, "no such", "Other", log.log));
  EXPECT_TRUE(found(log.findings, codes::kEditNothing));
  EXPECT_EQ(document, before);
  const auto failed = mdx::rename_sequences(document, "*", std::string(80, 'x'), log.log);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code.id, codes::kEditRefused.id);
}

TEST(MdxEdit, PathsOfAllKindsChange) {
  mdx::Document document = sample("everything_v1800.mdx");
  document.find<mdx::Model>()->animation_file.assign("Units\\a.mdx");
  Log log;
  ASSERT_TRUE(mdx::repath(document, "*", "new\\*", log.log));
  std::size_t paths = 0;
  const auto look = [&](const auto& items) {
    for (const auto* item : items) {
      const std::string_view path = item->path.view();
      paths += path.empty() ? 0U : 1U;
      EXPECT_TRUE(path.empty() || path.substr(0, 4) == "new\\") << path;
    }
  };
  look(document.all<mdx::Textures>());
  look(document.all<mdx::Attachments>());
  look(document.all<mdx::ParticleEmitters>());
  look(document.all<mdx::PopcornEmitters>());
  look(document.all<mdx::FaceEffects>());
  const auto& file = document.find<mdx::Model>()->animation_file;
  paths += file.view().empty() ? 0U : 1U;
  EXPECT_TRUE(file.view().empty() || file.view().substr(0, 4) == "new\\");
  EXPECT_GT(paths, 3U);
  EXPECT_EQ(log.log.changes.size(), paths);
}

TEST(MdxEdit, PathsOfSecondChunksAreThoseOfTheTree) {
  mdx::Document document = mdx::read(test::load(test::samples_dir() / "knight.mdx")).value();
  const auto textures = std::find_if(document.chunks.begin(), document.chunks.end(),
                                     [](const auto& chunk) { return chunk.tag == FourCC{"TEXS"}; });
  ASSERT_NE(textures, document.chunks.end());
  const mdx::Chunk copy = *textures;
  document.chunks.push_back(copy);
  Log log;
  ASSERT_TRUE(mdx::repath(document, "Textures\\knight.blp", "x.blp", log.log));
  std::vector<std::string> paths;
  for (const auto& change : log.log.changes) {
    paths.push_back(change.path);
  }
  EXPECT_EQ(paths, (std::vector<std::string>{"TEXS[0].path", "TEXS#2[0].path"}));
}

TEST(MdxEdit, OfAGeosetItsAnimationGoesToo) {
  mdx::Document document = sample("everything_v800.mdx");
  const auto geosets = document.all<mdx::Geosets>().size();
  ASSERT_GT(geosets, 1U);
  mdx::GeosetAnimation last;
  last.geoset_id = static_cast<std::int32_t>(geosets) - 1;
  document.find<mdx::GeosetAnimations>()->items.push_back(last);
  const auto animations = document.all<mdx::GeosetAnimations>().size();
  const auto of_first = static_cast<std::size_t>(
      std::count_if(document.find<mdx::GeosetAnimations>()->items.begin(),
                    document.find<mdx::GeosetAnimations>()->items.end(),
                    [](const mdx::GeosetAnimation& animation) { return animation.geoset_id == 0; }));
  auto& bone = document.find<mdx::Bones>()->items.front();
  bone.geoset_id = 1;
  bone.geoset_animation_id = static_cast<std::int32_t>(animations) - 1;
  const mdx::Geoset second = *document.all<mdx::Geosets>()[1];
  Log log;
  ASSERT_TRUE(mdx::remove_things(document, "geoset:0", log.log));
  EXPECT_EQ(document.all<mdx::Geosets>().size(), geosets - 1);
  EXPECT_EQ(*document.all<mdx::Geosets>()[0], second);
  ASSERT_EQ(document.all<mdx::GeosetAnimations>().size(), animations - of_first);
  EXPECT_EQ(document.all<mdx::GeosetAnimations>().back()->geoset_id, static_cast<std::int32_t>(geosets) - 2);
  EXPECT_EQ(document.find<mdx::Bones>()->items.front().geoset_id, 0);
  EXPECT_EQ(document.find<mdx::Bones>()->items.front().geoset_animation_id,
            static_cast<std::int32_t>(animations - of_first) - 1);
}

TEST(MdxEdit, OfASequenceItsBoundsGoToo) {
  mdx::Document document = sample("knight.mdx");
  const auto sequences = document.all<mdx::Sequences>().size();
  for (std::size_t i = 0; i < sequences; ++i) {
    document.find<mdx::Geosets>()->items[0].sequence_extents[i].bounds_radius = static_cast<float>(i);
  }
  Log log;
  ASSERT_TRUE(mdx::remove_things(document, "sequence:1", log.log));
  EXPECT_EQ(document.all<mdx::Sequences>().size(), sequences - 1);
  const auto& extents = document.find<mdx::Geosets>()->items[0].sequence_extents;
  ASSERT_EQ(extents.size(), sequences - 1);
  EXPECT_EQ(extents[0].bounds_radius, 0);
  EXPECT_EQ(extents[1].bounds_radius, 2);
  EXPECT_EQ(worst_findings(document), worst_findings(sample("knight.mdx")));
}

TEST(MdxEdit, WhatHungAtANodeHangsAtItsParentAndIdsCloseUp) {
  const mdx::Document before = sample("everything_v1800.mdx");
  const std::size_t nodes = before.find<mdx::Pivots>()->points.size();
  for (const std::string kind : {"attachment", "emitter", "ribbon", "event", "collision", "light"}) {
    mdx::Document document = before;
    Log log;
    ASSERT_TRUE(mdx::remove_things(document, kind, log.log)) << kind;
    ASSERT_FALSE(log.log.changes.empty()) << kind;
    const std::size_t left = document.find<mdx::Pivots>()->points.size();
    EXPECT_LT(left, nodes) << kind;
    EXPECT_LE(worst_findings(document), worst_findings(before)) << kind;
    expect_same_poses(before, document);
    if (const auto* poses = before.find<mdx::BindPoses>()) {
      EXPECT_EQ(poses->poses.size() - document.find<mdx::BindPoses>()->poses.size(), nodes - left) << kind;
    }
  }
  mdx::Document chain;
  mdx::Pivots pivots;
  mdx::Helpers helpers;
  for (std::int32_t id = 0; id < 4; ++id) {
    helpers.items.push_back({test::make_node("n" + std::to_string(id), id, id - 1)});
    pivots.points.push_back({static_cast<float>(id), 0, 0});
  }
  chain.chunks.push_back({FourCC{"HELP"}, helpers, {}, {}});
  chain.chunks.push_back({FourCC{"PIVT"}, pivots, {}, {}});
  Log log;
  ASSERT_TRUE(mdx::remove_things(chain, "helper:n1", log.log));
  ASSERT_TRUE(mdx::remove_things(chain, "helper:n2", log.log));
  const auto left = chain.all<mdx::Helpers>();
  ASSERT_EQ(left.size(), 2U);
  EXPECT_EQ(left[1]->node.object_id, 1);
  EXPECT_EQ(left[1]->node.parent_id, 0);
  EXPECT_EQ(chain.find<mdx::Pivots>()->points[1][0], 3);
}

TEST(MdxEdit, WhatIsInUseStays) {
  mdx::Document document = sample("knight.mdx");
  const mdx::Document before = document;
  Log log;
  for (const std::string what : {"bone", "texture", "material", "geoset-animation"}) {
    const auto failed = mdx::remove_things(document, what, log.log);
    ASSERT_FALSE(failed) << what;
    EXPECT_EQ(failed.error().code.id,
              what == "geoset-animation" ? codes::kEditPath.id : codes::kEditRefused.id);
    EXPECT_EQ(document, before) << what;
  }
  mdx::Texture unused;
  unused.path.assign("unused.blp");
  auto& textures = document.find<mdx::Textures>()->items;
  textures.push_back(unused);
  ASSERT_TRUE(mdx::remove_things(document, "texture:Unused*", log.log));
  EXPECT_EQ(document, before);
  const std::int32_t shown = document.find<mdx::Materials>()->items.front().layers.front().texture_id;
  textures.insert(textures.begin(), unused);
  document.find<mdx::Materials>()->items.front().layers.front().texture_id += 1;
  document.find<mdx::Materials>()->items.resize(1);
  document.find<mdx::Materials>()->items.front().layers.resize(1);
  ASSERT_TRUE(mdx::remove_things(document, "texture:0", log.log));
  EXPECT_EQ(document.find<mdx::Materials>()->items.front().layers.front().texture_id, shown);
}

TEST(MdxEdit, AttachmentsComeToANodeOrTheOrigin) {
  for (const std::string name : {"everything_v800.mdx", "everything_v1800.mdx", "chest.mdx"}) {
    const mdx::Document before = sample(name);
    mdx::Document document = before;
    Log log;
    const std::string bone(document.all<mdx::Bones>().front()->node.name.view());
    ASSERT_TRUE(mdx::add_attachment(document, "Weapon Ref@" + bone + ":1,2,3.5", log.log)) << name;
    ASSERT_TRUE(mdx::add_attachment(document, "Free Ref", log.log)) << name;
    const auto attachments = document.all<mdx::Attachments>();
    const auto& added = *attachments[attachments.size() - 2];
    const auto& points = document.find<mdx::Pivots>()->points;
    const auto parent = static_cast<std::size_t>(added.node.parent_id);
    const auto own = static_cast<std::size_t>(added.node.object_id);
    EXPECT_EQ(points[own][2], points[parent][2] + 3.5F) << name;
    EXPECT_EQ(attachments.back()->node.parent_id, -1) << name;
    EXPECT_EQ(points.size(), before.find<mdx::Pivots>()->points.size() + 2) << name;
    std::set<std::int32_t> ids;
    for (const auto* attachment : attachments) {
      EXPECT_TRUE(ids.insert(attachment->attachment_id).second) << name;
    }
    expect_same_poses(before, document);
    EXPECT_LE(worst_findings(document), worst_findings(before)) << name;
    EXPECT_TRUE(mdx::write_verified(document)->strict);
    ASSERT_TRUE(mdx::remove_things(document, "attachment:Weapon Ref", log.log));
    ASSERT_TRUE(mdx::remove_things(document, "attachment:Free Ref", log.log));
    if (before.find<mdx::Attachments>() != nullptr) {
      EXPECT_EQ(document, before) << name;
    }
  }
  mdx::Document document = sample("knight.mdx");
  Log log;
  auto& points = document.find<mdx::Pivots>()->points;
  const std::size_t nodes = points.size();
  points.clear();
  points.shrink_to_fit();
  ASSERT_TRUE(mdx::add_attachment(document, "Ref:1,2,3", log.log));
  Array<Vec3> expected(nodes, Vec3{});
  expected.push_back({1, 2, 3});
  EXPECT_EQ(points, expected) << "pivots that the model lacks";
  document.find<mdx::Attachments>()->items.back().attachment_id = std::numeric_limits<std::int32_t>::max();
  ASSERT_TRUE(mdx::add_attachment(document, "Ref after the last id", log.log));
  EXPECT_EQ(document.find<mdx::Attachments>()->items.back().attachment_id,
            std::numeric_limits<std::int32_t>::max());
  document.find<mdx::Bones>()->items.back().node.object_id = std::numeric_limits<std::int32_t>::max();
  EXPECT_FALSE(mdx::add_attachment(document, "Ref", log.log)) << "there is no pivot up to there";
  EXPECT_FALSE(mdx::add_attachment(document, "Ref@nobody", log.log));
  EXPECT_FALSE(mdx::add_attachment(document, "Ref:1,2", log.log));
  EXPECT_FALSE(mdx::add_attachment(document, "", log.log));
}

TEST(MdxEdit, TheColourOfThePlayerComesBelow) {
  mdx::Document document = sample("knight.mdx");
  auto& material = document.find<mdx::Materials>()->items.front();
  material.layers.resize(1);
  material.layers[0].filter_mode = mdx::FilterMode::none;
  for (auto& texture : document.find<mdx::Textures>()->items) {
    texture.replaceable_id = 0;
  }
  const auto textures = document.all<mdx::Textures>().size();
  Log log;
  ASSERT_TRUE(mdx::add_team_color(document, "0", log.log));
  ASSERT_EQ(document.all<mdx::Textures>().size(), textures + 1);
  EXPECT_EQ(document.all<mdx::Textures>().back()->replaceable_id, 1U);
  const auto& layers = document.all<mdx::Materials>().front()->layers;
  ASSERT_EQ(layers.size(), 2U);
  EXPECT_EQ(layers[0].texture_id, static_cast<std::int32_t>(textures));
  EXPECT_EQ(layers[1].filter_mode, mdx::FilterMode::blend);
  const mdx::Document once = document;
  ASSERT_TRUE(mdx::add_team_color(document, "*", log.log));
  EXPECT_EQ(document.all<mdx::Materials>().front()->layers, once.all<mdx::Materials>().front()->layers);
  EXPECT_FALSE(mdx::add_team_color(document, "first", log.log));
}

}  // namespace
}  // namespace thaw
