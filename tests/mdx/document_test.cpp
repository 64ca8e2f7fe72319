// What tells models of two games apart, the tracks of a model one by one, and scenes onto models.

#include <gtest/gtest.h>
#include <thaw/convert.hpp>
#include <thaw/format.hpp>
#include <thaw/gltf.hpp>
#include <thaw/mdx.hpp>

#include "formats/list.hpp"
#include "formats/warcraft/mdx/chunk_file.hpp"
#include "formats/warcraft/mdx/track_visit.hpp"
#include "support/files.hpp"
#include "support/mdx_objects.hpp"
#include "support/mdx_raw.hpp"
#include "support/paths.hpp"

#include <algorithm>
#include <map>

namespace thaw {
namespace {

/// A version, and a chunk of so many bytes.
Bytes file_of(std::uint32_t version, std::string_view tag, std::size_t size) {
  return test::mdx_file(version).chunk(tag, test::RawBytes().text("", size)).bytes();
}

TEST(MdxDocument, TheAlphasModelsHaveAByteMore) {
  EXPECT_TRUE(mdx::is_wow_alpha(file_of(1300, "MODL", 373)));
  EXPECT_FALSE(mdx::is_wow_alpha(file_of(1300, "MODL", 372)));
  EXPECT_TRUE(mdx::is_wow_alpha(file_of(1300, "HTST", 0)));
  EXPECT_TRUE(mdx::is_wow_alpha(file_of(1300, "SEQS", 133)));
  EXPECT_FALSE(mdx::is_wow_alpha(file_of(1300, "SEQS", 132)));
  for (const std::uint32_t other : {800U, 1299U, 1501U}) {
    EXPECT_FALSE(mdx::is_wow_alpha(file_of(other, "MODL", 373))) << other;
  }
}

TEST(MdxDocument, TheFirstVersionCountsAndNoneLooksForItWithoutEnd) {
  const auto twice = test::mdx_file(800).chunk("VERS", test::RawBytes().u32(1000)).bytes();
  EXPECT_EQ(mdx::stated_version(twice), 800U);
  const auto after = [](std::size_t chunks) {
    Bytes bytes = test::mdx_file(800).bytes();
    const Bytes version(bytes.begin() + 4, bytes.end());
    bytes.resize(4);
    for (std::size_t i = 0; i < chunks; ++i) {
      const Bytes empty = test::RawBytes().tag("NONE").u32(0).bytes();
      bytes.insert(bytes.end(), empty.begin(), empty.end());
    }
    bytes.insert(bytes.end(), version.begin(), version.end());
    return mdx::stated_version(bytes);
  };
  EXPECT_EQ(after(mdx::kMaxChunks - 1), 800U);
  EXPECT_EQ(after(mdx::kMaxChunks), std::nullopt);
}

TEST(MdxDocument, ASummarySaysWhichSequencesLoop) {
  auto once = test::make_sequence("Death", 1000, 3500);
  once.flags = mdx::Sequence::kNonLooping;
  auto document = test::make_document(
      mdx::Version{800}, test::list_of<mdx::Sequence>({test::make_sequence("Stand", 0, 1000), once}));
  document.chunks[0].tag = FourCC{"VERS"};
  document.chunks[1].tag = FourCC{"SEQS"};
  const Bytes bytes = mdx::write(document);
  const Facts facts = summarize(read_any(bytes).value());
  ASSERT_EQ(facts.clips.size(), 2U);
  EXPECT_TRUE(facts.clips[0].looping);
  EXPECT_FALSE(facts.clips[1].looping);
  EXPECT_EQ(facts.clips[1].seconds, 2.5);
}

TEST(MdxDocument, EveryObjectHasItsTracks) {
  const auto moved = [](std::string_view name, std::int32_t id) {
    return test::make_node(name, id, -1,
                           {test::make_track("KGTR", mdx::Interpolation::linear, {{0, {1, 2, 3}}})});
  };
  mdx::Helper helper;
  helper.node = moved("helper", 0);
  mdx::EventObject event;
  event.node = moved("SND1XXXX", 1);
  mdx::CollisionShape shape;
  shape.node = moved("shape", 2);
  mdx::GeosetAnimation colored;
  colored.flags = mdx::GeosetAnimation::kUseColor;
  colored.color = {0.25F, 0.5F, 0.75F};
  colored.alpha = 0.125F;
  colored.tracks = {test::make_track("KGAO", mdx::Interpolation::linear, {{0, {1}}}),
                    test::make_track("KGAC", mdx::Interpolation::linear, {{0, {1, 1, 1}}})};
  mdx::GeosetAnimation plain = colored;
  plain.flags = 0;
  const auto document = test::make_document(
      test::list_of<mdx::Helper>({helper}), test::list_of<mdx::EventObject>({event}),
      test::list_of<mdx::CollisionShape>({shape}), test::list_of<mdx::GeosetAnimation>({colored, plain}));
  std::map<std::string, int> nodes;
  std::vector<std::optional<mdx::Double4>> colors;
  std::vector<std::optional<mdx::Double4>> alphas;
  mdx::visit_tracks(document, [&](const mdx::Track& track, const mdx::TrackFacts& facts) {
    if (facts.node != nullptr) {
      ++nodes[std::string(facts.node->name.view())];
      EXPECT_EQ(facts.rest, mdx::Double4{}) << "a translation rests at nothing";
    }
    if (track.tag == FourCC{"KGAC"}) {
      colors.push_back(facts.rest);
    } else if (track.tag == FourCC{"KGAO"}) {
      alphas.push_back(facts.rest);
    }
  });
  EXPECT_EQ(nodes, (std::map<std::string, int>{{"SND1XXXX", 1}, {"helper", 1}, {"shape", 1}}));
  ASSERT_EQ(colors.size(), 2U);
  EXPECT_EQ(colors[0], (mdx::Double4{0.75, 0.5, 0.25, 0})) << "keys are B G R";
  EXPECT_EQ(colors[1], std::nullopt) << "of a colour that is not used nothing is certain";
  ASSERT_EQ(alphas.size(), 2U);
  EXPECT_EQ(alphas[0], (mdx::Double4{0.125, 0, 0, 0}));
  EXPECT_EQ(alphas[1], alphas[0]);
}

TEST(MdxDocument, APathForPicturesThatNoneComesToIsReported) {
  const auto formats = formats_of_scenes();
  const auto mdx = std::find_if(formats.begin(), formats.end(),
                                [](const FormatDescriptor* format) { return format->id == "mdx"; });
  ASSERT_NE(mdx, formats.end());
  const scene::Scene scene = mdx::to_scene(*mdx::read(test::load(test::samples_dir() / "knight.mdx")));
  for (const char* path : {"", "war3mapImported/"}) {
    Diagnostics findings;
    ConvertOptions options;
    options.model.texture_path = path;
    const auto written = (*mdx)->from_scene->write({scene, options, findings, "knight.mdx"});
    ASSERT_TRUE(written) << written.error().message;
    EXPECT_EQ(written->files.size(), 1U);
    const auto& items = findings.items();
    const bool reported = std::any_of(items.begin(), items.end(), [](const auto& finding) {
      return finding.message.find("--texture-path war3mapImported/: no texture files are written") !=
             std::string::npos;
    });
    EXPECT_EQ(reported, *path != 0);
  }
}

TEST(MdxDocument, AModelOntoAnotherKeepsItsVersion) {
  const auto formats = formats_of_scenes();
  const auto mdx = std::find_if(formats.begin(), formats.end(),
                                [](const FormatDescriptor* format) { return format->id == "mdx"; });
  ASSERT_NE(mdx, formats.end());
  const Bytes bytes = test::load(test::samples_dir() / "knight.mdx");
  const AnyDocument document = read_any(bytes).value();
  const auto& original = *document.get_if<mdx::Document>();
  Diagnostics findings;
  GltfReadOptions reading;
  reading.kept_materials = true;
  const auto files = write_gltf(mdx::to_scene(original, {}, findings));
  ASSERT_TRUE(files);
  const auto scene = read_gltf(files->front().bytes, reading).value();
  const Original onto{document, scene};
  const auto write_as = [&](std::optional<std::uint32_t> version) {
    ConvertOptions options;
    options.model.version = version;
    WriteContext context{scene, options, findings, "knight.mdx"};
    context.onto = &onto;
    return (*mdx)->from_scene->write(context);
  };
  for (const auto& version : {std::optional<std::uint32_t>(), std::optional(original.version())}) {
    const auto file = write_as(version);
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(file->files.front().bytes, bytes) << "nothing was edited";
  }
  const auto other = write_as(original.version() == 800 ? 1000 : 800);
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, codes::kWriteUnsupported);
}

}  // namespace
}  // namespace thaw
