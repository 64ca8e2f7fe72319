#include <thaw/scene.hpp>
#include <thaw/sources.hpp>

#include "scene/embedded_images.hpp"

#include <gtest/gtest.h>
#include <map>

namespace thaw::scene {
namespace {

class Memory : public thaw::Source {
 public:
  explicit Memory(std::map<std::string, Bytes> files) : files_(std::move(files)) {}
  [[nodiscard]] std::optional<Bytes> read(std::string_view name) const override {
    const auto found = files_.find(std::string(name));
    return found == files_.end() ? std::nullopt : std::optional(found->second);
  }
  [[nodiscard]] std::string description() const override { return "memory"; }

 private:
  std::map<std::string, Bytes> files_;
};

Bytes tiny_png(std::uint8_t red) {
  Image image{1, 1, {}};
  image.rgba = {red, 2, 3, 255};
  return encode_png(image);
}

struct Loaded {
  Scene scene;
  Diagnostics diagnostics;
  Sources sources;
  ImageOptions options;

  Loaded() {
    sources.add(std::make_shared<Memory>(std::map<std::string, Bytes>{
        {"textures/skin.png", tiny_png(7)},
        {"textures/broken.blp", Bytes(40)},
        {"replaceabletextures/teamcolor/teamcolor03.png", tiny_png(33)},
        {"replaceabletextures/lordaerontree/lordaeronsummertree.png", tiny_png(31)},
        {"my/tree.png", tiny_png(99)}}));
  }
  void texture(const std::string& path, std::uint32_t replaceable = 0) {
    Texture texture;
    texture.path = path;
    texture.replaceable_id = replaceable;
    scene.textures.push_back(texture);
  }
  void load() { load_images(scene, sources, options, diagnostics); }
  [[nodiscard]] const NamedImage& image(std::size_t texture) const {
    return scene.images.at(scene.textures.at(texture).image);
  }
};

TEST(SceneImages, EachPictureOnceUnderAnyName) {
  Loaded loaded;
  loaded.texture("Textures\\Skin.blp");
  loaded.texture("textures/SKIN.blp");
  loaded.load();
  ASSERT_EQ(loaded.scene.images.size(), 1U);
  EXPECT_EQ(loaded.image(1).image.rgba[0], 7);
  EXPECT_EQ(loaded.image(1).source, "textures/skin.png");
  EXPECT_FALSE(loaded.image(1).placeholder);
  EXPECT_TRUE(loaded.diagnostics.items().empty());
}

TEST(SceneImages, MissingAndBrokenBecomePlaceholders) {
  Loaded loaded;
  loaded.texture("Textures\\Gone.blp");
  loaded.texture("Textures\\Broken.blp");
  loaded.texture("", 21);
  loaded.texture("Other\\Gone.blp");
  loaded.load();
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_TRUE(loaded.image(i).placeholder);
    EXPECT_EQ(loaded.image(i).image.rgba[0], 128);
  }
  ASSERT_EQ(loaded.diagnostics.items().size(), 4U);
  EXPECT_EQ(loaded.diagnostics.items()[0].code, codes::kTextureMissing);
  EXPECT_EQ(loaded.diagnostics.items()[0].path, "textures[0]");
  EXPECT_EQ(loaded.diagnostics.items()[1].code, codes::kTextureUndecodable);
  EXPECT_NE(loaded.image(0).name, loaded.image(3).name);
}

TEST(SceneImages, PicturesOfTheGameThatHaveOneColourAreMadeWhereNoSourceHasThem) {
  Loaded loaded;
  loaded.scene.source_format = "mdx";
  loaded.texture("Textures\\White.blp");
  loaded.texture("textures/black32.dds");
  loaded.texture("My\\white.blp");
  loaded.load();
  EXPECT_EQ(loaded.image(0).image.rgba[0], 255);
  EXPECT_FALSE(loaded.image(0).placeholder);
  EXPECT_EQ(loaded.image(1).image.rgba[0], 0);
  EXPECT_TRUE(loaded.image(2).placeholder);
  ASSERT_EQ(loaded.diagnostics.items().size(), 3U);
  EXPECT_EQ(loaded.diagnostics.items()[0].code, codes::kTextureMissing);
  EXPECT_NE(loaded.diagnostics.items()[0].message.find("generated"), std::string::npos);
}

TEST(SceneImages, TeamColorsAreFoundOrMade) {
  Loaded loaded;
  loaded.texture("", 1);
  loaded.texture("", 2);
  loaded.options.team_color = *parse_team_color("blue");
  loaded.load();
  EXPECT_EQ(loaded.image(0).image.rgba[2], 255);
  EXPECT_FALSE(loaded.image(0).placeholder);
  const Image& glow = loaded.image(1).image;
  EXPECT_EQ(glow.rgba[3], 0);
  EXPECT_GT(glow.rgba[(32 * 64 + 32) * 4 + 3], 100);
  EXPECT_TRUE(loaded.diagnostics.items().empty());

  loaded.options.team_color = *parse_team_color("3");
  loaded.load();
  EXPECT_EQ(loaded.image(0).image.rgba[0], 33);
  loaded.options.team_color = *parse_team_color("#102030");
  loaded.load();
  EXPECT_EQ(loaded.image(0).image.rgba[0], 0x10);
}

TEST(SceneImages, AllTeamColorsAreVariants) {
  Loaded loaded;
  loaded.texture("Textures\\Skin.blp");
  loaded.texture("", 1);
  loaded.options.all_team_colors = true;
  for (int again = 0; again < 2; ++again) {
    loaded.load();
    ASSERT_EQ(loaded.scene.variants.size(), 24U);
    EXPECT_EQ(loaded.scene.images.size(), 25U);
    const auto& red = loaded.scene.variants[0];
    EXPECT_EQ(red.name, "red");
    ASSERT_EQ(red.images.size(), 1U);
    EXPECT_EQ(red.images[0], std::pair(1U, loaded.scene.textures[1].image));
    EXPECT_EQ(loaded.scene.variants[3].name, "purple");
    EXPECT_EQ(loaded.scene.images.at(loaded.scene.variants[3].images[0].second).image.rgba[0], 33);
    EXPECT_EQ(loaded.scene.images.at(loaded.scene.variants[1].images[0].second).image.rgba[2], 255);
  }
  loaded.scene.textures.pop_back();
  loaded.load();
  EXPECT_TRUE(loaded.scene.variants.empty());
}

TEST(SceneImages, PngFilesAreKeptOnRequest) {
  Loaded loaded;
  loaded.texture("Textures\\Skin.blp");
  loaded.load();
  EXPECT_EQ(loaded.image(0).file, nullptr);
  loaded.options.keep_files = true;
  loaded.load();
  ASSERT_NE(loaded.image(0).file, nullptr);
  EXPECT_EQ(*loaded.image(0).file, tiny_png(7));
  loaded.options.longest_side = 4;
  loaded.load();
  EXPECT_EQ(loaded.image(0).file, nullptr);
}

TEST(SceneImages, ReplaceablesByTableAndByChoice) {
  Loaded loaded;
  loaded.texture("", 31);
  loaded.load();
  EXPECT_EQ(loaded.image(0).image.rgba[0], 31);
  loaded.options.replaceables.emplace_back(31, "My\\Tree.blp");
  loaded.load();
  EXPECT_EQ(loaded.image(0).image.rgba[0], 99);
}

TEST(SceneImages, TeamColorNames) {
  EXPECT_EQ(parse_team_color("red")->color, (Color{255, 3, 3}));
  EXPECT_EQ(parse_team_color("Light Blue")->player, 9U);
  EXPECT_EQ(parse_team_color("dark_green")->player, 10U);
  EXPECT_EQ(parse_team_color("grey")->player, 8U);
  EXPECT_EQ(parse_team_color("23")->color, (Color{164, 111, 51}));
  EXPECT_EQ(parse_team_color("#FFa000")->color, (Color{255, 160, 0}));
  EXPECT_EQ(parse_team_color("#FFa000")->player, std::nullopt);
  for (const char* wrong : {"", "24", "-1", "#12345", "#1234567", "#gggggg", "octarine", "01"}) {
    EXPECT_FALSE(parse_team_color(wrong).has_value()) << wrong;
  }
}

TEST(ImageFileNames, AreThoseOfTheFilesAndNoneTwice) {
  Scene scene;
  for (const char* path : {"Textures\\a.blp", "b/a.tga", "", "c:?d\x7F.png", ".blp"}) {
    scene.textures.emplace_back().path = path;
  }
  scene.textures.emplace_back().path = std::string(300, 'n') + ".blp";
  ImageFileNames names;
  EXPECT_EQ(names.take(scene, 0), "a");
  EXPECT_EQ(names.take(scene, 1), "a_2");
  EXPECT_EQ(names.take(scene, 0), "a_3");
  EXPECT_EQ(names.take(scene, 2), "texture2");
  EXPECT_EQ(names.take(scene, 3), "c__d_");
  EXPECT_EQ(names.take(scene, 4), "texture4");
  EXPECT_EQ(names.take(scene, 5), std::string(200, 'n'));
}

TEST(EmbeddedImages, HaveContentOrPixels) {
  Scene scene;
  scene.textures.resize(3);
  scene.textures[0].content = std::make_shared<const Bytes>();
  scene.textures[1].image = 0;
  EXPECT_TRUE(is_embedded(scene, 0));
  EXPECT_FALSE(is_embedded(scene, 1)) << "no such image";
  scene.images.emplace_back();
  EXPECT_TRUE(is_embedded(scene, 1));
  EXPECT_FALSE(is_embedded(scene, 2));
  EXPECT_FALSE(is_embedded(scene, 3));
}

}  // namespace
}  // namespace thaw::scene
