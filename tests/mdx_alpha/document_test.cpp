// Alpha models as documents: every byte, packed rotations, damage, what the one genuine file says.
#include <thaw/format.hpp>
#include <thaw/mdx_alpha.hpp>

#include "support/files.hpp"
#include "support/mutate.hpp"
#include "support/paths.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace thaw {
namespace {

using mdx_alpha::Document;

Inspection inspection_of(const Document& document) {
  return [&](Inspector& inspector) { mdx_alpha::inspect(document, inspector); };
}

Document read_clean(const std::filesystem::path& path) {
  Diagnostics findings;
  ReadOptions strict;
  strict.strict = true;
  auto document = mdx_alpha::read(test::load(path), strict, findings);
  EXPECT_TRUE(document) << path;
  EXPECT_TRUE(findings.items().empty()) << path << ": " << findings.items().front().message;
  return document ? std::move(*document) : Document{};
}

std::filesystem::path boar() { return test::corpus_dir() / "alpha" / "GrenderG+MDX-Parser" / "Boar.mdx"; }

void expect_exact(const std::filesystem::path& path) {
  const Document document = read_clean(path);
  const Bytes bytes = test::load(path);
  EXPECT_EQ(mdx_alpha::write(document), bytes) << path;
  const auto account = account_bytes(inspection_of(document));
  EXPECT_EQ(account.raw, 0U) << path;
  EXPECT_EQ(account.understood, bytes.size()) << path;
}

TEST(AlphaDocument, SamplesAreExactAndUnderstood) {
  for (const auto* name : {"alpha_everything_v1300.mdx", "alpha_everything_v1400.mdx",
                           "alpha_everything_v1500.mdx", "Creature/Beetle/Beetle.mdx"}) {
    expect_exact(test::samples_dir() / name);
  }
}

TEST(AlphaDocument, BoarIsExactAndUnderstood) {
  THAW_REQUIRE_CORPUS("alpha");
  expect_exact(boar());
  const Document document = read_clean(boar());
  EXPECT_EQ(document.version(), 1300U);
  const auto* model = document.find<mdx_alpha::Model>();
  ASSERT_NE(model, nullptr);
  EXPECT_EQ(model->flags, 1U);
  EXPECT_EQ(model->object_count, 57U);
  EXPECT_EQ(document.all<mdx_alpha::Sequences>().size(), 10U);
  EXPECT_FLOAT_EQ(document.all<mdx_alpha::Sequences>()[0]->move_speed, 8.333333F);
  EXPECT_EQ(document.all<mdx_alpha::Bones>().size(), 26U);
  EXPECT_EQ(mdx_alpha::all_nodes(document).size(), 57U);
  EXPECT_EQ(document.find<mdx_alpha::Pivots>()->points.size(), 57U);
  EXPECT_EQ(document.find<mdx_alpha::CollisionMesh>()->normals.size(), 12U);
}

TEST(AlphaDocument, ObjectsOfBoarAreNumberedInOrder) {
  THAW_REQUIRE_CORPUS("alpha");
  const Document document = read_clean(boar());
  std::int32_t next = 0;
  for (const auto& entry : mdx_alpha::all_nodes(document)) {
    EXPECT_EQ(entry.node->object_id, next++) << entry.chunk.text() << entry.index;
  }
}

TEST(AlphaDocument, PackedRotationsOfBoarComeBack) {
  THAW_REQUIRE_CORPUS("alpha");
  const Document document = read_clean(boar());
  std::size_t keys = 0;
  for (const auto& entry : mdx_alpha::all_nodes(document)) {
    const auto* track = find_track(entry.node->tracks, FourCC{"KGRT"});
    for (std::size_t key = 0; track != nullptr && key < track->size(); ++key, ++keys) {
      const auto rotation = mdx_alpha::unpack_rotation(track->packed(key));
      ASSERT_EQ(mdx_alpha::pack_rotation(rotation), track->packed(key));
      const Vec4 rounded = track->value(key);
      EXPECT_NEAR(std::hypot(std::hypot(rounded[0], rounded[1]), std::hypot(rounded[2], rounded[3])), 1,
                  2e-3);
    }
  }
  EXPECT_EQ(keys, 8478U);
}

TEST(AlphaDocument, PackedRotationsReachTheirEnds) {
  using mdx_alpha::pack_rotation;
  using mdx_alpha::unpack_rotation;
  const auto one = unpack_rotation(pack_rotation({0, 0, 0, 1}));
  EXPECT_EQ(one, (std::array<double, 4>{0, 0, 0, 1}));
  const auto turned = unpack_rotation(pack_rotation({0.5, -0.5, 0.5, -0.5}));
  EXPECT_EQ(turned, (std::array<double, 4>{-0.5, 0.5, -0.5, 0.5}));
  const auto half = unpack_rotation(pack_rotation({-1, 0, 0, 0}));
  EXPECT_EQ(half, (std::array<double, 4>{-1, 0, 0, 0}));
  const auto nearly = unpack_rotation(pack_rotation({1, 0, 0, 0}));
  EXPECT_NEAR(nearly[0], 1, 1e-6);
  EXPECT_EQ(pack_rotation({std::nan(""), 0, 0, 1}), 0);
}

/// mdx_alpha.md#skinning: BIDX and BWGT say what the groups say, for vertices sorted by group.
TEST(AlphaDocument, BonesOfVerticesFollowFromGroups) {
  THAW_REQUIRE_CORPUS("alpha");
  const Document document = read_clean(boar());
  std::size_t differ = 0;
  for (const auto* geoset : document.all<mdx_alpha::Geosets>()) {
    std::vector<std::uint8_t> groups(geoset->vertex_groups.begin(), geoset->vertex_groups.end());
    std::sort(groups.begin(), groups.end());
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const auto first = std::accumulate(geoset->matrix_groups.begin(),
                                         geoset->matrix_groups.begin() + groups[i], std::size_t{0});
      std::uint32_t bones = 0;
      for (std::uint32_t k = 0; k < geoset->matrix_groups[groups[i]]; ++k) {
        bones |= geoset->matrix_indices[first + k] << (8 * k);
      }
      differ += bones == geoset->bone_indices[i] ? 0U : 1U;
    }
  }
  EXPECT_EQ(differ, 2U);
}

TEST(AlphaDocument, IsRecognisedByContent) {
  const auto identity = identify(test::load(test::samples_dir() / "alpha_everything_v1500.mdx"));
  EXPECT_EQ(identity.dialect, "wow-alpha");
  EXPECT_EQ(identity.version, 1500U);
  EXPECT_TRUE(identity.readable);
  // Warcraft III has versions 1300 to 1500, too.
  Bytes bytes = test::load(test::samples_dir() / "everything_v1800.mdx");
  bytes[12] = 0x14;
  bytes[13] = 0x05;
  EXPECT_EQ(identify(bytes).dialect, "wc3");
  Diagnostics findings;
  const auto foreign = mdx_alpha::read(bytes, {}, findings);
  ASSERT_FALSE(foreign);
  EXPECT_EQ(foreign.error().code, codes::kFormatForeign);
}

/// Empty if the mutant is treated right.
std::string check(ByteView mutant) {
  Diagnostics findings;
  const auto document = mdx_alpha::read(mutant, {}, findings);
  if (!document) {
    return "";
  }
  const Bytes original(mutant.begin(), mutant.end());
  if (mdx_alpha::write(*document) != original) {
    return "writes other bytes";
  }
  return test::layout_of(inspection_of(*document)).end == mutant.size()
             ? ""
             : "the inspection does not cover the file";
}

class AlphaDamage : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    bytes_ = test::load(test::samples_dir() / GetParam());
    Diagnostics findings;
    const auto document = mdx_alpha::read(bytes_, {}, findings);
    ASSERT_TRUE(document);
    layout_ = test::layout_of(inspection_of(*document));
  }
  Bytes bytes_;
  test::Layout layout_;
};

TEST_P(AlphaDamage, CutAtEveryObject) {
  for (const auto at : layout_.boundaries) {
    for (const std::uint64_t off : {at, at + 1, at == 0 ? 0 : at - 1}) {
      const auto length = std::min<std::uint64_t>(off, bytes_.size());
      ASSERT_EQ(check(ByteView(bytes_).first(length)), "") << "cut at " << length;
    }
  }
}

TEST_P(AlphaDamage, WordsDamaged) {
  ASSERT_GT(layout_.words.size(), 100U);
  for (const auto& word : layout_.words) {
    for (const auto value : test::hostile_values(bytes_, word)) {
      ASSERT_EQ(check(test::with_word(bytes_, word, value)), "") << word.name << " at " << word.offset;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Samples, AlphaDamage,
                         testing::Values("alpha_everything_v1300.mdx", "alpha_everything_v1500.mdx"),
                         [](const auto& sample) { return std::string(sample.param).substr(17, 5); });

}  // namespace
}  // namespace thaw
