// Rules of texture files, and of the textures that a model names.
#include "support/findings.hpp"
#include "support/mdx_objects.hpp"

#include <thaw/blp.hpp>
#include <thaw/dds.hpp>
#include <thaw/mdx_alpha.hpp>
#include <thaw/sources.hpp>
#include <thaw/validate.hpp>
#include <thaw/wmo.hpp>

#include <gtest/gtest.h>

#include <map>

namespace thaw {
namespace {

/// A paletted picture of 4 × 4 pixels with all its levels.
blp::Document sound_blp() {
  blp::Document document;
  document.compression = 1;
  document.width = document.height = 4;
  document.palette.resize(256);
  std::uint32_t offset = 156 + 1024;
  for (std::size_t level = 0; level < 3; ++level) {
    const std::uint32_t size = (4U >> level) * (4U >> level);
    document.offsets.at(level) = offset;
    document.sizes.at(level) = size;
    document.blocks.push_back({offset, Bytes(size, std::uint8_t{0})});
    offset += size;
  }
  return document;
}

Diagnostics check(blp::Document document) {
  Identity identity;
  identity.format = find_format("blp1");
  return validate(AnyDocument(identity, std::move(document)), {});
}

using test::has;

TEST(TextureRules, ASoundBlpHasNoFindings) {
  const auto findings = check(sound_blp());
  for (const auto& finding : findings.items()) {
    ADD_FAILURE() << finding.code.id << ": " << finding.message;
  }
}

TEST(TextureRules, EachOfBlpIsTriggered) {
  const std::map<std::string_view, void (*)(blp::Document&)> breakages = {
      {"blp.content", [](blp::Document& d) { d.compression = 7; }},
      {"blp.alpha-bits", [](blp::Document& d) { d.alpha_bits = 3; }},
      {"blp.size-large", [](blp::Document& d) { d.width = 1024; }},
      {"blp.size-power-of-two", [](blp::Document& d) { d.width = 3; }},
      {"blp.jpeg-header",
       [](blp::Document& d) {
         d.compression = 0;
         d.jpeg_header.resize(700, std::uint8_t{0});
       }},
      {"blp.mip-beyond", [](blp::Document& d) { d.sizes[5] = 1; }},
      {"blp.mip-shared", [](blp::Document& d) { d.offsets[1] = d.offsets[0]; }},
      {"blp.mip-missing", [](blp::Document& d) { d.sizes[1] = d.sizes[2] = 0; }},
      {"blp.mip-decode", [](blp::Document& d) { d.compression = 0; }},
      {"blp.jpeg-size",
       [](blp::Document& d) {
         // Start of image and the header of a frame of 9 × 8 pixels.
         d.compression = 0;
         d.jpeg_header = {0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 0, 8, 0, 9, 1, 1, 0x11, 0};
       }},
      {"blp.palette-size", [](blp::Document& d) { d.sizes[1] = 3; }},
  };
  for (const auto& rule : validation_rules()) {
    if (rule.code.substr(0, 4) == "blp.") {
      const auto breakage = breakages.find(rule.code);
      ASSERT_NE(breakage, breakages.end()) << rule.code;
      auto document = sound_blp();
      breakage->second(document);
      EXPECT_TRUE(has(check(std::move(document)), rule.code)) << rule.code;
    }
  }
}

/// A picture of 8 × 8 pixels as BLP2, with a palette and 8 bits of alpha.
blp::Document sound_blp2() {
  blp::Document document;
  document.variant = blp::Variant::blp2;
  document.compression = 1;
  document.encoding = 1;
  document.alpha_depth = 8;
  document.alpha_type = 8;
  document.has_mips = 1;
  document.width = document.height = 8;
  document.palette.assign(256, {1, 2, 3, 0});
  std::uint32_t offset = 148 + 1024;
  for (std::size_t level = 0; level < 4; ++level) {
    const std::uint32_t size = 2 * (8U >> level) * (8U >> level);
    document.offsets.at(level) = offset;
    document.sizes.at(level) = size;
    document.blocks.push_back({offset, Bytes(size, std::uint8_t{0})});
    offset += size;
  }
  return document;
}

TEST(TextureRules, EachOfBlp2IsTriggered) {
  const std::map<std::string_view, void (*)(blp::Document&)> breakages = {
      {"blp2.encoding", [](blp::Document& d) { d.alpha_depth = 3; }},
      {"blp2.size-large", [](blp::Document& d) { d.width = 512; }},
      {"blp2.mip-size", [](blp::Document& d) { d.sizes[1] = 31; }},
      {"blp2.palette-padding", [](blp::Document& d) { d.palette[7][3] = 9; }},
  };
  Identity identity;
  identity.format = find_format("blp2");
  ValidateOptions options;
  options.target = ValidateTarget::strict;
  const auto findings = [&](blp::Document document) {
    return validate(AnyDocument(identity, std::move(document)), options);
  };
  const auto sound = findings(sound_blp2());
  EXPECT_TRUE(sound.items().empty()) << sound.items().front().code.id;
  for (const auto& rule : validation_rules()) {
    if (rule.code.substr(0, 5) == "blp2.") {
      const auto breakage = breakages.find(rule.code);
      ASSERT_NE(breakage, breakages.end()) << rule.code;
      auto document = sound_blp2();
      breakage->second(document);
      EXPECT_TRUE(has(findings(std::move(document)), rule.code)) << rule.code;
    }
  }
}

dds::Document sound_dds() {
  dds::Document document;
  document.width = document.height = 8;
  document.mip_count = 4;
  document.pixel_format.flags = dds::PixelFormat::kFourCC;
  document.pixel_format.four_cc = FourCC{"DXT1"};
  document.data.resize(32 + 3 * 8, std::uint8_t{0});
  return document;
}

TEST(TextureRules, EachOfDdsIsTriggered) {
  const std::map<std::string_view, void (*)(dds::Document&)> breakages = {
      {"dds.mip-missing", [](dds::Document& d) { d.mip_count = 1; }},
      {"dds.size-multiple-of-four", [](dds::Document& d) { d.width = 6; }},
      {"dds.size-power-of-two", [](dds::Document& d) { d.width = 6; }},
      {"dds.mip-decode", [](dds::Document& d) { d.data.clear(); }},
  };
  Identity identity;
  identity.format = find_format("dds");
  const auto sound = validate(AnyDocument(identity, sound_dds()), {});
  for (const auto& [code, apply] : breakages) {
    auto document = sound_dds();
    apply(document);
    EXPECT_FALSE(has(sound, code)) << code;
    EXPECT_TRUE(has(validate(AnyDocument(identity, std::move(document)), {}), code)) << code;
  }
}

/// Files in memory.
class Store : public Source {
 public:
  explicit Store(std::map<std::string, Bytes, std::less<>> files) : files_(std::move(files)) {}
  [[nodiscard]] std::optional<Bytes> read(std::string_view name) const override {
    const auto found = files_.find(name);
    return found == files_.end() ? std::nullopt : std::optional(found->second);
  }
  [[nodiscard]] std::string description() const override { return "shelf"; }

 private:
  std::map<std::string, Bytes, std::less<>> files_;
};

Diagnostics check_model(const Bytes& texture, const std::string& name = "a.blp") {
  mdx::Texture reference;
  reference.path.assign("a.blp");
  const auto model = test::make_document(mdx::Version{800}, mdx::Textures{{reference}});
  Sources sources;
  std::map<std::string, Bytes, std::less<>> files;
  files[name] = texture;
  sources.add(std::make_shared<Store>(std::move(files)));
  ValidateOptions options;
  options.sources = &sources;
  return validate(model, options);
}

/// A model and a WMO of WoW Alpha with this texture beside them.
std::pair<Diagnostics, Diagnostics> check_alpha(const Bytes& texture, std::uint32_t version = 14) {
  Sources sources;
  std::map<std::string, Bytes, std::less<>> files;
  files["a.blp"] = texture;
  sources.add(std::make_shared<Store>(std::move(files)));
  ValidateOptions options;
  options.sources = &sources;
  mdx_alpha::Document model;
  mdx_alpha::Texture reference;
  reference.path.assign("a.blp");
  mdx_alpha::Textures textures;
  textures.items = {reference};
  model.chunks.push_back({FourCC{"TEXS"}, textures, {}, {}});
  wmo::Document building;
  wmo::Root root;
  wmo::Strings names;
  for (const char letter : std::string_view("a.blp\0", 6)) {
    names.text.push_back(letter);
  }
  root.chunks.push_back({FourCC{"MOTX"}, names, {}, {}});
  root.chunks.push_back({FourCC{"MOMT"}, wmo::Materials{{wmo::Material{}}}, {}, {}});
  building.chunks.push_back({FourCC{"MVER"}, wmo::Version{version}, {}, {}});
  building.chunks.push_back({FourCC{"MOMO"}, root, {}, {}});
  Identity identity;
  identity.format = find_format("mdx");
  identity.dialect = "wow-alpha";
  Identity of_building;
  of_building.format = find_format("wmo");
  return {validate(AnyDocument(identity, std::move(model)), options),
          validate(AnyDocument(of_building, std::move(building)), options)};
}

TEST(TextureRules, TheAlphaLoadsSmallBlp2Only) {
  const auto blp2 = [](std::uint32_t width, std::uint32_t height) {
    Image image{width, height, Bytes(std::size_t{width} * height * 4, std::uint8_t{200})};
    return blp::write(*blp::encode(image, blp::Variant::blp2, {}));
  };
  const auto found = [](const std::pair<Diagnostics, Diagnostics>& findings) {
    EXPECT_EQ(has(findings.first, "mdx-alpha.texture-file"), has(findings.second, "wmo.texture-file"));
    return has(findings.first, "mdx-alpha.texture-file");
  };
  EXPECT_FALSE(found(check_alpha(blp2(256, 256))));
  EXPECT_TRUE(found(check_alpha(blp2(512, 4))));
  EXPECT_TRUE(found(check_alpha(blp2(4, 512))));
  EXPECT_TRUE(found(check_alpha(blp::write(sound_blp())))) << "BLP1";
  EXPECT_FALSE(has(check_alpha(blp2(512, 4), 17).second, "wmo.texture-file")) << "a later client";
}

TEST(TextureRules, AModelReportsOfItsTextures) {
  const auto sound = check_model(blp::write(sound_blp()));
  for (const auto* code :
       {"texture.missing-file", "texture.undecodable", "texture.unsuitable", "texture.problems"}) {
    EXPECT_FALSE(has(sound, code)) << code;
  }
  EXPECT_TRUE(has(check_model({}, "other.blp"), "texture.missing-file"));
  EXPECT_TRUE(has(check_model(dds::write(sound_dds())), "texture.unsuitable"));
  auto odd = sound_blp();
  odd.width = 3;
  EXPECT_TRUE(has(check_model(blp::write(odd)), "texture.problems"));
  auto broken = sound_blp();
  broken.compression = 0;
  EXPECT_TRUE(has(check_model(blp::write(broken)), "texture.undecodable"));
}

}  // namespace
}  // namespace thaw
