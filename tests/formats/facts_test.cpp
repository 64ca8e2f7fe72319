// What is told of a file at a glance, of one sample of every format.
#include <thaw/format.hpp>

#include "support/files.hpp"
#include "support/paths.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace thaw {
namespace {

Facts facts_of(const std::filesystem::path& path) {
  Diagnostics findings;
  const auto document = read_any(test::load(path), {}, findings);
  EXPECT_TRUE(document) << path;
  return document ? summarize(*document) : Facts();
}

struct Reported {
  const char* file;
  std::string name;
  std::vector<std::pair<std::string_view, std::size_t>> counts;  ///< some of them
  std::size_t clips = 0;
  std::size_t textures = 0;
  bool bounds = false;
};

std::size_t count_of(const Facts& facts, std::string_view kind) {
  for (const auto& count : facts.counts) {
    if (count.kind == kind) {
      return count.count;
    }
  }
  return 0;
}

TEST(Facts, SoundTracksOfAModelAreNamed) {
  const Facts facts = facts_of(test::samples_dir() / "everything_v800.mdx");
  EXPECT_EQ(count_of(facts, "sound track"), 1U);
  ASSERT_EQ(facts.references.size(), 1U);
  EXPECT_EQ(facts.references[0].kind, "sound");
  EXPECT_EQ(facts.references[0].path, "Sound\\Hum.wav");
}

TEST(Facts, OfEveryFormat) {
  const std::vector<Reported> all = {
      {"knight.mdx",
       "Knight",
       {{"geoset", 4}, {"vertex", 2929}, {"triangle", 4296}, {"bone", 17}},
       5,
       5,
       true},
      {"alpha_everything_v1300.mdx",
       "Everything",
       {{"geoset", 2}, {"vertex", 10}, {"camera", 1}},
       3,
       2,
       true},
      {"banner.mrf", "", {{"vertex", 54}, {"triangle", 80}, {"frame", 31}}, 1, 1, true},
      {"waystone_v4.m3", "", {{"geoset", 2}, {"vertex", 2463}, {"level", 2}, {"material", 2}}, 0, 2, true},
      {"forgelight/human.mrn",
       "",
       {{"packet", 13}, {"animation", 5}, {"rig map", 2}, {"event track", 2}, {"event", 4}, {"bone", 22}},
       5,
       0,
       false},
      {"forgelight/Human_Walk.nsa",
       "",
       {{"channel", 21},
        {"sample", 37},
        {"static channel", 34},
        {"dynamic channel", 8},
        {"root channel", 2},
        {"root sample", 37},
        {"byte per second", 1740}},
       1,
       0,
       false},
      {"forgelight/Human_LOD0.dme", "", {{"mesh", 1}, {"vertex", 3177}, {"draw call", 2}}, 0, 3, true},
      {"forgelight/Human_Lod0.dma", "", {{"material", 1}}, 0, 3, false},
      {"forgelight/Human.adr", "Human_LOD0.dme", {{"detail level", 1}, {"texture override", 1}}, 0, 1, false},
      {"house.wmo", "House", {{"group", 2}, {"vertex", 2154}, {"batch", 10}, {"portal", 1}}, 0, 7, true},
      {"World/Maps/Island/Island.wdt", "", {{"tile", 2}, {"chunk", 512}, {"doodad", 4}}, 0, 4, false},
      {"World/Maps/Island/Island.wdl", "", {{"tile", 2}}, 0, 0, false},
      {"World/Maps/Island/lights.lit", "Day", {{"light", 2}, {"value set", 8}, {"marker", 344}}, 0, 0, false},
  };
  for (const auto& reported : all) {
    SCOPED_TRACE(reported.file);
    const Facts facts = facts_of(test::samples_dir() / reported.file);
    EXPECT_EQ(facts.name, reported.name);
    for (const auto& [kind, count] : reported.counts) {
      EXPECT_EQ(count_of(facts, kind), count) << kind;
    }
    EXPECT_EQ(facts.clips.size(), reported.clips);
    EXPECT_EQ(facts.textures.size(), reported.textures);
    EXPECT_EQ(facts.bounds.has_value(), reported.bounds);
  }
}

TEST(Facts, ReportEachLevelOfAnM3) {
  const Facts facts = facts_of(test::samples_dir() / "waystone_v4.m3");
  ASSERT_EQ(facts.levels.size(), 2U);
  EXPECT_EQ(facts.levels[0].geosets, 2U);
  EXPECT_EQ(facts.levels[0].vertices, count_of(facts, "vertex"));
  EXPECT_EQ(facts.levels[0].triangles, count_of(facts, "triangle"));
  EXPECT_EQ(facts.levels[0].batches + facts.levels[1].batches, count_of(facts, "batch"));
  EXPECT_LT(facts.levels[1].triangles, facts.levels[0].triangles);
  EXPECT_GT(facts.levels[1].triangles, 0U);
  EXPECT_TRUE(facts_of(test::samples_dir() / "knight.mdx").levels.empty());
}

TEST(Facts, NameWhatANetworkIsMadeOf) {
  const Facts facts = facts_of(test::samples_dir() / "forgelight/human.mrn");
  const auto named = [&](std::string_view kind, std::string_view path) {
    return std::any_of(facts.references.begin(), facts.references.end(), [&](const auto& reference) {
      return reference.kind == kind && reference.path == path;
    });
  };
  EXPECT_TRUE(named("plugin", "MorphemeCore"));
  EXPECT_TRUE(named("file", "Human_Walk.nsa"));
  EXPECT_TRUE(std::any_of(facts.references.begin(), facts.references.end(),
                          [](const auto& reference) { return reference.kind == "event track"; }));
  ASSERT_EQ(facts.stated.size(), 2U);
  EXPECT_EQ(facts.stated[0].value, "3") << "the version of all animations";
  EXPECT_EQ(facts.stated[1].value, "5 of 5 match") << "checksums";
}

TEST(Facts, OfPictures) {
  struct Seen {
    const char* file;
    std::uint32_t width;
    std::uint32_t height;
    std::uint32_t levels;
    unsigned alpha_bits;
    const char* encoding;
  };
  for (const Seen& seen :
       {Seen{"knight.blp", 256, 128, 9, 0, "palette"}, Seen{"chest_diffuse.dds", 128, 128, 8, 1, "bc1"},
        Seen{"house_ivy.blp", 128, 128, 8, 8, "bc3"}}) {
    SCOPED_TRACE(seen.file);
    const auto picture = facts_of(test::samples_dir() / "Textures" / seen.file).picture;
    ASSERT_TRUE(picture);
    EXPECT_EQ(picture->width, seen.width);
    EXPECT_EQ(picture->height, seen.height);
    EXPECT_EQ(picture->levels, seen.levels);
    EXPECT_EQ(picture->alpha_bits, seen.alpha_bits);
    EXPECT_EQ(picture->encoding, seen.encoding);
  }
}

TEST(Facts, OfEverySeedThatReads) {
  std::size_t reported = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(test::root_dir() / "fuzz/corpus")) {
    if (!entry.is_regular_file()) {
      continue;
    }
    Diagnostics findings;
    if (const auto document = read_any(test::load(entry.path()), {}, findings)) {
      const Facts facts = summarize(*document);
      ++reported;
      EXPECT_TRUE(!facts.picture || facts.picture->levels > 0) << entry.path();
      for (const auto& count : facts.counts) {
        EXPECT_FALSE(count.kind.empty()) << entry.path();
      }
    }
  }
  EXPECT_GT(reported, 200U);
}

}  // namespace
}  // namespace thaw
