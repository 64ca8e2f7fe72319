// Whatever a document holds comes back from its text to the last bit.
#include <thaw/mdl.hpp>

#include "support/files.hpp"
#include "support/mdx_objects.hpp"
#include "support/mdx_raw.hpp"
#include "support/paths.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace thaw::test {
namespace {

std::string text_of(const mdx::Document& document, const mdl::WriteOptions& options = {}) {
  const Bytes bytes = mdl::write(document, options);
  return {bytes.begin(), bytes.end()};
}

mdx::Document read_text(std::string_view text) {
  Diagnostics diagnostics;
  auto document =
      mdl::read({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, {}, diagnostics);
  EXPECT_TRUE(document) << (document ? "" : document.error().message);
  return document ? std::move(*document) : mdx::Document();
}

void expect_exact(ByteView file) {
  Diagnostics diagnostics;
  const auto document = mdx::read(file, {}, diagnostics);
  ASSERT_TRUE(document);
  for (const auto dialect : {mdl::Dialect::community, mdl::Dialect::world_editor}) {
    mdl::WriteOptions options;
    options.dialect = dialect;
    const std::string text = text_of(*document, options);
    EXPECT_TRUE(mdx::write(read_text(text)) == Bytes(file.begin(), file.end())) << text.substr(0, 4000);
  }
}

TEST(MdlEmbedded, SamplesAreExactInBothDialects) {
  for (const auto& path : warcraft_samples()) {
    SCOPED_TRACE(path.string());
    expect_exact(load(path));
  }
}

TEST(MdlEmbedded, ADocumentOfNothingIsExact) {
  expect_exact(RawBytes().tag("MDLX").view());
  expect_exact(mdx_file(800).view());
}

TEST(MdlEmbedded, ChunksThatTextDoesNotKnow) {
  RawBytes file = mdx_file(1800);
  file.chunk("INFO", RawBytes().u32(1).u32(2)).chunk("\x01\"\xFF ", RawBytes().u8(9)).chunk("PREM", {});
  file.chunk("SNDS", RawBytes().zeros(56)).chunk("PREM", {}).text("tail", 4);
  expect_exact(file.view());
}

TEST(MdlEmbedded, DamagedAndRepeatedChunks) {
  RawBytes file = mdx_file(800);
  file.chunk("BONE", RawBytes().append(mdx_node("a", 0)).i32(-1).i32(-1).u32(77));
  file.chunk("GEOS", RawBytes().append(mdx_geoset(2)).append(RawBytes().sized(RawBytes().text("junk", 4))));
  file.chunk("BONE", RawBytes().append(mdx_node("b", 1)).i32(0).i32(0));
  file.tag("PIVT").u32(1000).f32(1).f32(2).f32(3);
  expect_exact(file.view());
}

// Alone, such a chunk of such a version would be one of WoW Alpha.
TEST(MdlEmbedded, BytesBehindTheSequencesOfAVersionThatTwoGamesHave) {
  RawBytes file = mdx_file(1300);
  file.chunk("MODL", RawBytes().zeros(372)).chunk("SEQS", RawBytes().text("Stand", 80).zeros(52).zeros(28));
  expect_exact(file.view());
}

TEST(MdlEmbedded, OddTextsNumbersAndFlags) {
  mdx::Document document = make_document(mdx::Version{800}, mdx::Model{}, mdx::Bones{}, mdx::Lights{});
  const char* const tags[] = {"VERS", "MODL", "BONE", "LITE"};
  for (std::size_t i = 0; i < document.chunks.size(); ++i) {
    std::copy_n(tags[i], 4, document.chunks[i].tag.bytes.begin());
  }
  auto& model = *document.find<mdx::Model>();
  model.name.assign("with \"quotes\" and \n lines");
  std::copy_n("PDR", 3, model.animation_file.raw.begin() + 252);
  model.extent.bounds_radius = std::numeric_limits<float>::infinity();
  model.extent.minimum = {-0.0F, 1e-45F, 16777217.0F};
  mdx::Bone bone =
      make_bone("Leg_L\\", 0, -1,
                {make_track("KGSC", mdx::Interpolation::linear, {{-5, {1, 1, 1}}}, 3),
                 make_track("KGTR", mdx::Interpolation::bezier, {{0, {1, 2, 3, 4, 5, 6, 7, 8, 9}}})});
  bone.node.name.raw.fill('x');
  bone.node.flags = 0x80000002U;
  const std::uint32_t odd_nan = 0xFFC12345U;
  bone.node.tracks[0].words[1] = odd_nan;
  document.find<mdx::Bones>()->items.push_back(bone);
  mdx::Light light;
  light.type = 513;
  light.intensity = 5;
  light.tracks.push_back(make_track("KLAI", static_cast<mdx::Interpolation>(9), {{1, {2}}}));
  document.find<mdx::Lights>()->items.push_back(light);
  expect_exact(mdx::write(document));
}

TEST(MdlEmbedded, ANormalModelNeedsNoComments) {
  mdx::Document document =
      make_document(mdx::Version{800}, mdx::Model{}, list_of<mdx::Bone>({make_bone("Root", 0)}));
  document.chunks[0].tag = FourCC{"VERS"};
  document.chunks[1].tag = FourCC{"MODL"};
  document.chunks[2].tag = FourCC{"BONE"};
  document.find<mdx::Bones>()->items[0].node.flags = mdx::node_flag::kBone;
  EXPECT_EQ(text_of(document).find("//"), std::string::npos);
}

TEST(MdlEmbedded, PlainTextReportsWhatItLoses) {
  RawBytes file = mdx_file(800);
  file.chunk("INFO", RawBytes().u32(1));
  Diagnostics diagnostics;
  const auto document = mdx::read(file.view(), {}, diagnostics);
  mdl::WriteOptions options;
  options.plain = true;
  Diagnostics lost;
  const Bytes text = mdl::write(*document, options, lost);
  EXPECT_EQ(std::string(text.begin(), text.end()).find("//@"), std::string::npos);
  ASSERT_EQ(lost.items().size(), 1U);
  EXPECT_EQ(lost.items()[0].code, codes::kMdlLost);
}

/// Bytes that are carried for an object give way when someone edits its text.
TEST(MdlEmbedded, EditedTextWinsOverEmbeddedBytes) {
  mdx::Sequence sequence = make_sequence("Stand", 0, 100);
  const std::uint32_t odd_nan = 0x7FC00001U;
  std::memcpy(&sequence.rarity, &odd_nan, sizeof odd_nan);
  mdx::Document document = make_document(mdx::Version{800}, list_of<mdx::Sequence>({sequence}));
  document.chunks[0].tag = FourCC{"VERS"};
  document.chunks[1].tag = FourCC{"SEQS"};
  std::string text = text_of(document);
  EXPECT_NE(text.find("//@thaw Whole"), std::string::npos);
  expect_exact(mdx::write(document));
  text.replace(text.find("100"), 3, "200");
  Diagnostics diagnostics;
  const auto edited =
      mdl::read({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, {}, diagnostics);
  ASSERT_TRUE(edited);
  EXPECT_EQ(edited->find<mdx::Sequences>()->items[0].end, 200U);
  ASSERT_EQ(diagnostics.items().size(), 1U);
  EXPECT_EQ(diagnostics.items()[0].code, codes::kMdlStale);
}

TEST(MdlEmbedded, OptionsShapeTheText) {
  mdx::Sequence sequence = make_sequence("Stand", 0, 100);
  sequence.rarity = 1.0F / 3;
  const mdx::Document document = make_document(mdx::Version{800}, list_of<mdx::Sequence>({sequence}));
  mdl::WriteOptions options;
  options.indent = 2;
  options.line_ending = mdl::LineEnding::crlf;
  options.precision = 3;
  EXPECT_NE(text_of(document, options).find("\r\n    Rarity 0.333,\r\n"), std::string::npos);
  options = {};
  EXPECT_NE(text_of(document, options).find("\n\t\tRarity 0.33333334,\n"), std::string::npos);
  sequence.rarity = 4;
  options.dialect = mdl::Dialect::world_editor;
  EXPECT_NE(text_of(make_document(list_of<mdx::Sequence>({sequence})), options).find("Rarity 4.0,"),
            std::string::npos);
}

}  // namespace
}  // namespace thaw::test
