// Dump, tree, diff and byte account, over documents that hold what is hard to show.

#include <thaw/format.hpp>
#include <thaw/mdx.hpp>

#include "describe/scalars.hpp"
#include "support/files.hpp"
#include "support/paths.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <bit>
#include <cmath>
#include <limits>

namespace thaw {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

template <class Body>
mdx::Chunk chunk(FourCC tag, Body body) {
  mdx::Chunk chunk;
  chunk.tag = tag;
  chunk.body = std::move(body);
  return chunk;
}

mdx::Track move_track(std::initializer_list<std::int32_t> frames) {
  mdx::Track track;
  track.tag = FourCC{"KGTR"};
  track.interpolation = mdx::Interpolation::linear;
  for (const auto frame : frames) {
    track.words.push_back(static_cast<std::uint32_t>(frame));
    for (const float value : {0.5F, 0.1F, static_cast<float>(frame)}) {
      track.words.push_back(std::bit_cast<std::uint32_t>(value));
    }
  }
  return track;
}

mdx::Document sample() {
  mdx::Document document;
  document.chunks.push_back(chunk(FourCC{"VERS"}, mdx::Version{800}));
  mdx::Sequences sequences;
  for (const auto* name : {"Stand", "Walk"}) {
    sequences.items.emplace_back().name = FixedText<80>(name);
  }
  document.chunks.push_back(chunk(FourCC{"SEQS"}, std::move(sequences)));
  mdx::Bones bones;
  auto& bone = bones.items.emplace_back();
  bone.node.name = FixedText<80>("Root");
  bone.node.tracks = {move_track({0, 100})};
  document.chunks.push_back(chunk(FourCC{"BONE"}, std::move(bones)));
  mdx::Pivots pivots;
  pivots.points.resize(3, Vec3{1, 2, 3});
  document.chunks.push_back(chunk(FourCC{"PIVT"}, std::move(pivots)));
  mdx::Chunk unknown;
  unknown.tag = FourCC{"XYZW"};
  unknown.remainder.state = Remainder::State::replaces_fields;
  unknown.remainder.bytes.assign(5, std::uint8_t{0xAB});
  document.chunks.push_back(std::move(unknown));
  return document;
}

Inspection inspection(const mdx::Document& document) {
  return [&document](Inspector& inspector) { mdx::inspect(document, inspector); };
}

mdx::Sequence& sequence(mdx::Document& document, std::size_t index) {
  return document.find<mdx::Sequences>()->items[index];
}

TEST(Dump, ShowsFieldsRowsAndRawBytes) {
  const mdx::Document document = sample();
  const std::string json = dump_json(inspection(document));
  EXPECT_THAT(json, HasSubstr(R"("tag": "VERS",)"));
  EXPECT_THAT(json, HasSubstr(R"("version": 800)"));
  EXPECT_THAT(json, HasSubstr(R"("points": [[1, 2, 3], [1, 2, 3], [1, 2, 3]])"));
  EXPECT_THAT(json, HasSubstr(R"("keys": [[0, 0.5, 0.1, 0], [100, 0.5, 0.1, 100]])"));
  EXPECT_THAT(json, HasSubstr(R"("bytes": {"raw": "ababababab"})"));
  EXPECT_THAT(json, Not(HasSubstr("inclusiveSize")));
}

TEST(Dump, WritesNumbersThatJsonHasNotAsText) {
  mdx::Document document = sample();
  sequence(document, 0).move_speed = std::numeric_limits<float>::infinity();
  sequence(document, 0).rarity = std::bit_cast<float>(0x7FC00001U);
  sequence(document, 1).move_speed = -std::numeric_limits<float>::infinity();
  sequence(document, 1).rarity = std::bit_cast<float>(0x7FC00000U);
  const std::string json = dump_json(inspection(document));
  EXPECT_THAT(json, HasSubstr(R"("moveSpeed": "inf")"));
  EXPECT_THAT(json, HasSubstr(R"("moveSpeed": "-inf")"));
  EXPECT_THAT(json, HasSubstr(R"("rarity": "nan:7fc00001")"));
  EXPECT_THAT(json, HasSubstr(R"("rarity": "nan")"));
}

TEST(Dump, KeepsTheBytesOfTextsThatAStringWouldLose) {
  mdx::Document document = sample();
  sequence(document, 0).name = FixedText<80>("a\"b\\\n\x01");
  sequence(document, 1).name = FixedText<80>("caf\xE9");
  const std::string json = dump_json(inspection(document));
  EXPECT_THAT(json, HasSubstr(R"("name": "a\"b\\\n\u0001")"));
  EXPECT_THAT(json, HasSubstr("\"name\": {\"text\": \"caf\xC3\xA9\", \"raw\": \"636166e900"));
  sequence(document, 1).name = FixedText<80>("Walk");
  sequence(document, 1).name.raw.back() = 'x';
  EXPECT_THAT(dump_json(inspection(document)), HasSubstr(R"({"text": "Walk", "raw": "57616c6b00)"));
}

TEST(Dump, OfNothingIsAnObject) {
  EXPECT_EQ(dump_json([](Inspector&) {}), "{}\n");
}

TEST(Scalars, HalvesAreExact) {
  const auto text = [](std::uint16_t half) {
    std::string out;
    append_scalar(out, ScalarKind::f16, &half);
    return out;
  };
  EXPECT_EQ(text(0x3C00), "1");
  EXPECT_EQ(text(0xC000), "-2");
  EXPECT_EQ(text(0x3555), "0.33325195");
  EXPECT_EQ(text(0x0001), "5.9604645e-08");
  EXPECT_EQ(text(0x7C00), "inf");
  EXPECT_EQ(text(0x7E01), "nan:7e01");
}

TEST(Scalars, SizesMatchTheirKinds) {
  EXPECT_EQ(scalar_size(ScalarKind::u8), 1U);
  EXPECT_EQ(scalar_size(ScalarKind::f16), 2U);
  EXPECT_EQ(scalar_size(ScalarKind::i32), 4U);
  EXPECT_EQ(scalar_size(ScalarKind::f64), 8U);
}

TEST(Tree, NamesOffsetsSizesAndLabels) {
  const mdx::Document document = sample();
  const std::vector<TreeNode> nodes = list_tree(inspection(document), 2);
  ASSERT_GE(nodes.size(), 6U);
  EXPECT_EQ(nodes[0], (TreeNode{0, "VERS", 4, 12, {}, "", false}));
  EXPECT_EQ(nodes[1], (TreeNode{0, "SEQS", 16, 8 + 2 * 132, 2, "", false}));
  EXPECT_EQ(nodes[2], (TreeNode{1, "[0]", 24, 132, {}, "Stand", false}));
  EXPECT_EQ(nodes[3], (TreeNode{1, "[1]", 156, 132, {}, "Walk", false}));
  EXPECT_EQ(nodes[4].name, "BONE");
  EXPECT_EQ(nodes[5].label, "Root");
  const TreeNode& raw = nodes.back();
  EXPECT_TRUE(raw.raw);
  EXPECT_EQ(raw.size, 5U);
  EXPECT_EQ(raw.offset + raw.size, mdx::write(document).size());
}

TEST(Tree, TracksGoByTheirTags) {
  const mdx::Document document = sample();
  const std::string tree = print_tree(inspection(document));
  EXPECT_THAT(tree, HasSubstr("KGTR\n"));
  EXPECT_THAT(tree, HasSubstr("keys ×2\n"));
  EXPECT_THAT(tree, HasSubstr("bytes  (not understood)\n"));
}

TEST(Tree, NumbersRepeatedChunksAsPathsDo) {
  mdx::Document document = sample();
  document.chunks.push_back(chunk(FourCC{"VERS"}, mdx::Version{900}));
  document.chunks.push_back(chunk(FourCC{"VERS"}, mdx::Version{1000}));
  std::vector<std::string> names;
  for (const TreeNode& node : list_tree(inspection(document), 1)) {
    names.push_back(node.name);
  }
  EXPECT_THAT(names, ElementsAre("VERS", "SEQS", "BONE", "PIVT", "XYZW", "VERS#2", "VERS#3"));
}

TEST(Account, CountsWhatIsNotUnderstood) {
  const mdx::Document document = sample();
  const ByteAccount account = account_bytes(inspection(document));
  EXPECT_EQ(account.raw, 5U);
  EXPECT_EQ(account.understood + account.raw, mdx::write(document).size());
  EXPECT_DOUBLE_EQ(ByteAccount{}.share(), 1.0);
}

std::vector<std::string> reported(const mdx::Document& left, const mdx::Document& right,
                                  std::size_t limit = 100) {
  std::vector<std::string> lines;
  for (const auto& difference : diff(inspection(left), inspection(right), limit)) {
    lines.push_back(difference.path + ": " + difference.left + " | " + difference.right);
  }
  return lines;
}

TEST(Diff, FindsNothingBetweenEquals) { EXPECT_THAT(reported(sample(), sample()), IsEmpty()); }

TEST(Diff, ReportsFieldsByPath) {
  mdx::Document other = sample();
  sequence(other, 1).name = FixedText<80>("Run");
  sequence(other, 1).extent.minimum[1] = 4;
  EXPECT_THAT(reported(sample(), other), ElementsAre(R"(SEQS[1].name: "Walk" | "Run")",
                                                     "SEQS[1].extent.minimum: [0, 0, 0] | [0, 4, 0]"));
}

TEST(Diff, SumsArraysUp) {
  mdx::Document other = sample();
  other.find<mdx::Pivots>()->points[1] = Vec3{9, 9, 9};
  other.find<mdx::Pivots>()->points.push_back(Vec3{});
  EXPECT_THAT(reported(sample(), other),
              ElementsAre("PIVT.points[1]: 3 elements; [1, 2, 3] | 4 elements; [9, 9, 9] (1 of 3 differ)"));
}

TEST(Diff, ReportsKeysAndRawBytes) {
  mdx::Document other = sample();
  other.find<mdx::Bones>()->items[0].node.tracks = {move_track({0, 200})};
  other.chunks.back().remainder.bytes[2] = 0;
  EXPECT_THAT(
      reported(sample(), other),
      ElementsAre(
          "BONE[0].node.tracks[KGTR].keys[1]: [100, 0.5, 0.1, 100] | [200, 0.5, 0.1, 200] (1 of 2 differ)",
          "XYZW.bytes[2]: ab | 00 (1 of 5 differ)"));
}

TEST(Diff, ReportsBytesAfterAText) {
  mdx::Document other = sample();
  sequence(other, 0).name.raw.back() = 'x';
  EXPECT_THAT(reported(sample(), other),
              ElementsAre(R"(SEQS[0].name: "Stand" | "Stand" (bytes after the string differ))"));
}

TEST(Diff, ReportsWhatOneSideLacksOnce) {
  mdx::Document other = sample();
  other.chunks.erase(other.chunks.begin() + 1);
  EXPECT_THAT(reported(sample(), other), ElementsAre("SEQS: 272 bytes | "));
  EXPECT_THAT(reported(other, sample()), ElementsAre("SEQS:  | 272 bytes"));
  other = sample();
  other.find<mdx::Sequences>()->items.pop_back();
  EXPECT_THAT(reported(sample(), other), ElementsAre("SEQS[1]: 132 bytes | "));
}

TEST(Diff, ReportsAnotherOrder) {
  mdx::Document other = sample();
  std::swap(other.chunks[1], other.chunks[2]);
  EXPECT_THAT(reported(sample(), other),
              ElementsAre(R"(order: "VERS SEQS BONE PIVT XYZW" | "VERS BONE SEQS PIVT XYZW")"));
}

TEST(Diff, KeepsRepeatedChunksApart) {
  mdx::Document left = sample();
  left.chunks.push_back(chunk(FourCC{"VERS"}, mdx::Version{900}));
  mdx::Document right = left;
  std::get<mdx::Version>(right.chunks.back().body).value = 1000;
  EXPECT_THAT(reported(left, right), ElementsAre("VERS#2.version: 900 | 1000"));
}

TEST(Diff, StopsAtTheLimit) {
  mdx::Document other = sample();
  for (std::size_t i = 0; i < 2; ++i) {
    sequence(other, i).start = 7;
    sequence(other, i).end = 9;
  }
  EXPECT_EQ(reported(sample(), other, 3).size(), 3U);
}

/// Every byte of every file is shown exactly once, whatever the format.
TEST(Corpus, InspectionCoversEveryByte) {
  THAW_REQUIRE_CORPUS("wc3");
  std::size_t files = 0;
  for (const auto* extension : {".mdx", ".blp", ".dds", ".mrf"}) {
    for (const auto& path : test::files_below(test::corpus_dir() / "wc3", extension)) {
      const Bytes bytes = test::load(path);
      Diagnostics findings;
      const auto document = read_any(bytes, {}, findings);
      ASSERT_TRUE(document) << path << document.error().message;
      const ByteAccount account = account_bytes(inspection_of(*document));
      EXPECT_EQ(account.understood + account.raw, bytes.size()) << path;
      EXPECT_EQ(write_any(*document), bytes) << path;
      ++files;
    }
  }
  EXPECT_GT(files, 1400U);
}

}  // namespace
}  // namespace thaw
