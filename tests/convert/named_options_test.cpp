#include <thaw/codes.hpp>
#include <thaw/convert.hpp>

#include <gmock/gmock.h>
#include <map>

namespace thaw {
namespace {

std::string first_value(std::string_view values) {
  if (values.find('|') != std::string_view::npos) {
    return std::string(values.substr(0, values.find('|')));
  }
  // Values of options that are described in words.
  const std::map<std::string_view, std::string> known = {
      {"0 to 23, a name, #RRGGBB or all", "#102030"},
      {"ID=PATH", "1=Textures/red.blp"},
      {"X,Y", "30,41"},
      {"a number from 1 to 8192, or WIDTHxHEIGHT", "640x480"},
      {"none, or start, end and colour: 100,500,#8090a0", "100,500,#8090a0"},
      {"seconds, or a percentage of the clip such as 50%", "12.5%"},
      {"transparent, black, white, gray, #RRGGBB or #RRGGBBAA", "#01020304"}};
  const auto found = known.find(values);
  return found == known.end() ? "1" : found->second;
}

template <class Options>
void expect_all(std::span<const NamedOption> names) {
  for (const NamedOption& option : names) {
    SCOPED_TRACE(option.name);
    Options options;
    EXPECT_TRUE(set_option(options, option.name, first_value(option.values)));
    if (option.values == "text") {
      continue;
    }
    const auto refused = set_option(options, option.name, "(nonsense");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, codes::kOptionValue);
    EXPECT_THAT(refused.error().message, testing::StartsWith(option.name));
  }
  Options options;
  EXPECT_FALSE(set_option(options, "no-such-option", "1"));
}

TEST(NamedOptions, OfConversionsTakeTheirValuesAndNoOthers) {
  expect_all<ConvertOptions>(convert_option_names());
}

TEST(NamedOptions, OfPicturesTakeTheirValuesAndNoOthers) { expect_all<Shot>(shot_option_names()); }

TEST(NamedOptions, ReachTheirMembers) {
  ConvertOptions options;
  for (const auto& [name, value] : std::map<std::string_view, std::string_view>{{"team-color", "#010203"},
                                                                                {"lod", "all"},
                                                                                {"scale", "0.5"},
                                                                                {"quality", "50"},
                                                                                {"hd", "on"},
                                                                                {"no-mipmaps", "on"},
                                                                                {"replaceable", "11=x.blp"},
                                                                                {"clip", "^stand"}}) {
    ASSERT_TRUE(set_option(options, name, value)) << name;
  }
  EXPECT_EQ(options.scene.team_color.color, (scene::Color{1, 2, 3}));
  EXPECT_EQ(options.scene.lod, std::nullopt);
  EXPECT_EQ(options.scene.scale, 0.5F);
  EXPECT_EQ(options.texture.encode.encoding, PixelEncoding::jpeg);
  EXPECT_EQ(options.model.hd, true);
  EXPECT_FALSE(options.texture.encode.mipmaps);
  ASSERT_EQ(options.scene.replaceables.size(), 1U);
  EXPECT_EQ(options.scene.replaceables[0].second, "x.blp");
  EXPECT_TRUE(options.scene.clips.requested("Stand Ready"));
  EXPECT_FALSE(options.scene.clips.requested("Walk"));
  EXPECT_FALSE(set_option(options, "scale", "0"));
  ASSERT_TRUE(set_option(options, "team-color", "all"));
  EXPECT_TRUE(options.scene.all_team_colors);
  ASSERT_TRUE(set_option(options, "team-color", "blue"));
  EXPECT_FALSE(options.scene.all_team_colors);
  ASSERT_TRUE(set_option(options, "texture-format", "keep"));
  EXPECT_TRUE(options.scene.keep_files);
  EXPECT_FALSE(set_option(options, "png-level", "13"));

  Shot shot;
  ASSERT_TRUE(set_option(shot, "background", "#01020304"));
  ASSERT_TRUE(set_option(shot, "fog", "1,2"));
  ASSERT_TRUE(set_option(shot, "time", "50%"));
  EXPECT_EQ(shot.raster.background, (std::array<std::uint8_t, 4>{1, 2, 3, 4}));
  EXPECT_EQ(shot.frame.fog.color[2], 3.0F / 255);
  EXPECT_TRUE(shot.moment && shot.moment->share);
  EXPECT_FALSE(set_option(shot, "fog", "2,1"));
  EXPECT_FALSE(set_option(shot, "time", "101%"));
  EXPECT_FALSE(set_option(shot, "size", "0x10"));
}

}  // namespace
}  // namespace thaw
