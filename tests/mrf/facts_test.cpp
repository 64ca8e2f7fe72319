// What a morph model says of itself at a glance, and what becomes of scenes that are written as one.
#include <thaw/format.hpp>
#include <thaw/mrf.hpp>

#include <gtest/gtest.h>

namespace thaw::mrf {
namespace {

/// A triangle in as many frames, each half a second.
Document triangle(std::size_t frames) {
  Document document;
  document.header.frame_duration = 0.5F;
  const std::string path = "Textures\\Cape.blp";
  document.texture_path.assign(path.begin(), path.end());
  document.texture_path.push_back('\0');
  document.indices = {0, 1, 2};
  document.uvs = {{0, 0}, {1, 0}, {0, 1}};
  document.frames.resize(frames);
  lay_out(document);
  return document;
}

Facts facts_of(const Document& document) {
  const Bytes bytes = write(document);
  const auto any = read_any(bytes);
  EXPECT_TRUE(any);
  return any ? summarize(*any) : Facts{};
}

std::size_t counted(const Facts& facts, std::string_view kind) {
  for (const auto& count : facts.counts) {
    if (count.kind == kind) {
      return count.count;
    }
  }
  return 0;
}

TEST(MrfFacts, CountsAndClip) {
  const Facts facts = facts_of(triangle(3));
  EXPECT_EQ(counted(facts, "vertex"), 3U);
  EXPECT_EQ(counted(facts, "triangle"), 1U);
  EXPECT_EQ(counted(facts, "frame"), 3U);
  ASSERT_EQ(facts.clips.size(), 1U);
  EXPECT_EQ(facts.clips[0].name, "Morph");
  EXPECT_EQ(facts.clips[0].seconds, 1.0);
  EXPECT_FALSE(facts.clips[0].looping);
  ASSERT_EQ(facts.textures.size(), 1U);
  EXPECT_EQ(facts.textures[0].path, "Textures\\Cape");
  EXPECT_EQ(facts.textures[0].replaceable_id, 0U);
}

TEST(MrfFacts, StatesPivotRadiusAndBounds) {
  Document document = triangle(2);
  document.header.pivot = {1, 2, 3};
  document.header.radius = 30;
  document.header.debug = 7;
  document.frames[0].vertices = {{0, 0, -4, 0, 0, 1}, {5, 0, 0, 0, 0, 1}, {0, 6, 0, 0, 0, 1}};
  const Facts facts = facts_of(document);
  ASSERT_EQ(facts.stated.size(), 3U);
  EXPECT_EQ(facts.stated[0].value, "1, 2, 3");
  EXPECT_EQ(facts.stated[1].value, "30");
  EXPECT_EQ(facts.stated[2].value, "7");
  ASSERT_TRUE(facts.bounds);
  EXPECT_EQ(facts.bounds->minimum, (Vec3{0, 0, -4}));
  EXPECT_EQ(facts.bounds->maximum, (Vec3{5, 6, 0}));
}

TEST(MrfFacts, AnyMagicIsTakenWhereTheHeaderFits) {
  Document document = triangle(3);
  for (const auto magic : {FourCC{"Morf"}, FourCC{"ABCD"}, FourCC{}}) {
    document.header.magic = magic;
    const Bytes bytes = write(document);
    EXPECT_EQ(identify(bytes).format, "mrf") << magic.text();
  }
  const Bytes bytes = write(document);
  for (const std::size_t at : {4U, 8U, 12U, 68U, 72U, 76U, 80U}) {  // counts and offsets
    Bytes broken = bytes;
    broken[at + 2] = 0x7F;
    EXPECT_NE(identify(broken).format, "mrf") << at;
  }
  document = triangle(1);
  document.header.magic = FourCC{};
  EXPECT_EQ(identify(write(document)).format, "mrf") << "one frame is enough";
  Bytes longer = bytes;
  longer.resize(longer.size() + 1000, std::uint8_t{1});
  EXPECT_NE(identify(longer).format, "mrf") << "most of it belongs to no part";
  Bytes moved = bytes;
  const auto coordinates_at = [&](std::size_t at) {
    for (unsigned i = 0; i < 4; ++i) {
      moved[76 + i] = static_cast<std::uint8_t>(at >> 8 * i);
    }
    return identify(moved).format;
  };
  EXPECT_EQ(coordinates_at(bytes.size() - 3 * sizeof(Vec2)), "mrf") << "they end with the file";
  EXPECT_NE(coordinates_at(bytes.size() - 3 * sizeof(Vec2) + 1), "mrf") << "and after it";
  document = triangle(60);
  document.header.magic = FourCC{};
  EXPECT_EQ(identify(write(document)).format, "mrf") << "most of it belongs to the frames";
}

TEST(MrfFacts, OneFrameIsNoClip) {
  const Facts facts = facts_of(triangle(1));
  EXPECT_EQ(counted(facts, "vertex"), 3U);
  EXPECT_EQ(counted(facts, "frame"), 1U);
  EXPECT_TRUE(facts.clips.empty());
  EXPECT_EQ(facts.in_game, "shows the only frame");
}

TEST(MrfFacts, SaysWhatTheGameShows) {
  auto document = triangle(5);
  const auto shown = [&](float duration, float elapsed) {
    document.header.frame_duration = duration;
    document.header.elapsed = elapsed;
    return facts_of(document);
  };
  EXPECT_EQ(shown(0.5F, 0).in_game, "plays 2 s once and holds the last frame");
  EXPECT_EQ(shown(0.5F, 0.25F).in_game,
            "begins 0.25 s into the animation, plays 1.75 s and holds the last frame");
  EXPECT_EQ(shown(0.5F, -0.25F).in_game,
            "shows the first frame for 0.25 s, plays 2 s once and holds the last frame");
  EXPECT_EQ(shown(1.0F / 3, 0).in_game, "plays 1.333 s once and holds the last frame");
  const Facts after = shown(0.5F, 2.5F);
  EXPECT_EQ(after.in_game, "shows only the last frame: the elapsed time of 2.5 s is past the end at 2 s");
  EXPECT_TRUE(after.clips.empty());
  EXPECT_EQ(shown(-0.5F, 0).in_game, "shows only the last frame: the frame duration is negative");
  const Facts nothing = shown(0, 0);
  EXPECT_EQ(nothing.in_game, "draws nothing: the frame duration is 0");
  EXPECT_TRUE(nothing.clips.empty());
}

TEST(MrfFacts, WithoutFramesThereIsNoVertex) {
  auto document = triangle(2);
  document.frames.clear();
  document.uvs.clear();
  lay_out(document);
  const Facts facts = facts_of(document);
  EXPECT_EQ(counted(facts, "vertex"), 0U);
  EXPECT_EQ(counted(facts, "frame"), 0U);
}

}  // namespace
}  // namespace thaw::mrf
