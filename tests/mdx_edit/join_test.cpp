// Models that hang at others, portraits, and models of HD with their pictures in the classic game.

#include <gtest/gtest.h>
#include <thaw/blp.hpp>
#include <thaw/codes.hpp>
#include <thaw/image.hpp>
#include <thaw/load.hpp>
#include <thaw/mdx.hpp>
#include <thaw/validate.hpp>

#include "support/files.hpp"
#include "support/mdx_objects.hpp"
#include "support/mdx_oracle.hpp"
#include "support/paths.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace thaw {
namespace {

mdx::Document sample_model(const std::string& name) {
  auto document = mdx::read(test::load(test::samples_dir() / name));
  EXPECT_TRUE(document) << name;
  return document.value_or(mdx::Document{});
}

TEST(AttachModel, BothPartsStandWhereTheyBelong) {
  const mdx::Document knight = sample_model("knight.mdx");
  const std::string node = "Hand Right Ref";
  const auto attachments = knight.all<mdx::Attachments>();
  ASSERT_TRUE(std::any_of(attachments.begin(), attachments.end(), [&](const mdx::Attachment* own) {
    return own->node.name.view().substr(0, node.size()) == node;
  })) << "the sample has another name for it";
  mdx::Document document = knight;
  Diagnostics findings;
  EditLog log{{}, findings};
  ASSERT_TRUE(mdx::attach_model(document, knight, node, log));
  ASSERT_TRUE(mdx::write_verified(document)->strict);
  EXPECT_EQ(document.all<mdx::Geosets>().size(), 2 * knight.all<mdx::Geosets>().size());
  EXPECT_EQ(document.all<mdx::Textures>().size(), knight.all<mdx::Textures>().size()) << "they are the same";
  EXPECT_LE(validate(document).count(Severity::severe), 2 * validate(knight).count(Severity::severe));
  const test::MdxOracle was(knight);
  const test::MdxOracle is(document);
  const std::size_t geosets = knight.all<mdx::Geosets>().size();
  for (std::size_t sequence = 0; sequence < was.sequences(); ++sequence) {
    const test::Moment moment{static_cast<int>(sequence), was.duration(sequence) * 0.4, 5};
    const auto before = was.positions(moment);
    const auto after = is.positions(moment);
    for (std::size_t geoset = 0; geoset < geosets; ++geoset) {
      for (std::size_t v = 0; v < before[geoset].size(); ++v) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
          EXPECT_NEAR(after[geoset][v].at(axis), before[geoset][v].at(axis), 1e-3);
        }
      }
    }
    // What hangs moves as one: its vertices keep their distances, but for scales of the nodes above.
    const auto first = is.positions({0, 0, 5});
    const auto apart = [&](const std::vector<test::Point>& own) {
      const auto& a = own.front();
      const auto& b = own.back();
      return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
    };
    EXPECT_NEAR(apart(after[geosets]), apart(first[geosets]), 0.05 * apart(first[geosets]))
        << "nodes breathe";
  }
}

TEST(AttachModel, AnotherVersionComesAlong) {
  mdx::Document document = sample_model("knight.mdx");
  Diagnostics findings;
  EditLog log{{}, findings};
  const mdx::Document other = sample_model("chest.mdx");
  ASSERT_TRUE(mdx::attach_model(document, other, "Origin Ref", log).has_value() ||
              mdx::attach_model(document, other, document.all<mdx::Bones>().front()->node.name.view(), log));
  EXPECT_TRUE(mdx::write_verified(document)->strict);
  EXPECT_FALSE(mdx::attach_model(document, other, "no such node", log));
}

TEST(Portrait, HasTheClipsAndACamera) {
  mdx::Document document = sample_model("knight.mdx");
  for (auto& sequence : document.find<mdx::Sequences>()->items) {
    if (sequence.name.view().substr(0, 8) == "Portrait") {
      sequence.name.assign("Cinematic");
    }
  }
  auto& chunks = document.chunks;
  chunks.erase(std::remove_if(chunks.begin(), chunks.end(),
                              [](const mdx::Chunk& chunk) { return chunk.tag == FourCC{"CAMS"}; }),
               chunks.end());
  Diagnostics findings;
  EditLog log{{}, findings};
  ASSERT_TRUE(mdx::make_portrait(document, log));
  ASSERT_FALSE(document.all<mdx::Sequences>().empty());
  for (const auto* sequence : document.all<mdx::Sequences>()) {
    EXPECT_EQ(sequence->name.view().substr(0, 8), "Portrait");
  }
  ASSERT_EQ(document.all<mdx::Cameras>().size(), 1U);
  const auto& camera = *document.all<mdx::Cameras>().front();
  EXPECT_GT(camera.position[0], camera.target[0]) << "units look along X";
  EXPECT_TRUE(mdx::write_verified(document)->strict);
  document.find<mdx::Sequences>()->items.front().name.assign("Walk");
  document.find<mdx::Sequences>()->items.resize(1);
  EXPECT_FALSE(mdx::make_portrait(document, log));
}

TEST(DisabledIcon, IsGreyAndDark) {
  const Image icon{2, 1, {255, 0, 0, 255, 200, 200, 200, 7}};
  const Image made = disabled_icon(icon);
  EXPECT_EQ(made.rgba[3], 255);
  EXPECT_EQ(made.rgba[7], 7);
  EXPECT_EQ(made.rgba[4], 100);
  EXPECT_EQ(made.rgba[5], 100);
  EXPECT_LT(made.rgba[0] - made.rgba[1], 40);
  EXPECT_GT(made.rgba[0], made.rgba[1]);
}

// --- the classic game

class Pictures : public Source {
 public:
  std::map<std::string, Bytes, std::less<>> files;
  [[nodiscard]] std::optional<Bytes> read(std::string_view name) const override {
    const auto found = files.find(name);
    return found == files.end() ? std::nullopt : std::optional(found->second);
  }
  [[nodiscard]] std::string description() const override { return "pictures"; }
};

Bytes picture(std::uint8_t red, std::uint8_t alpha_left, std::uint8_t alpha_right) {
  Image image{4, 4, {}};
  for (std::uint32_t i = 0; i < 16; ++i) {
    for (const std::uint8_t value :
         {red, std::uint8_t{60}, std::uint8_t{70}, i % 4 < 2 ? alpha_left : alpha_right}) {
      image.rgba.push_back(value);
    }
  }
  return encode_png(image);
}

/// A material of HD and its six pictures.
mdx::Document hd_model() {
  mdx::Document document;
  document.chunks.push_back({FourCC{"VERS"}, mdx::Version{1000}, {}, {}});
  mdx::Textures textures;
  for (const std::string name : {"a.dds", "normal.dds", "orm.dds", "emissive.dds", "", "env.dds", "b.tif"}) {
    mdx::Texture texture;
    texture.path.assign(name.empty() ? "" : "Textures\\" + name);
    texture.replaceable_id = name.empty() ? 1 : 0;
    textures.items.push_back(texture);
  }
  mdx::Materials materials;
  materials.items.resize(2);
  materials.items[0].shader.assign("Shader_HD_DefaultUnit");
  materials.items[0].layers.resize(6);
  for (std::int32_t i = 0; i < 6; ++i) {
    materials.items[0].layers[static_cast<std::size_t>(i)].texture_id = i;
    materials.items[0].layers[static_cast<std::size_t>(i)].has_fresnel = true;
  }
  materials.items[1].layers.resize(1);
  materials.items[1].layers[0].texture_id = 6;
  materials.items[1].layers[0].has_fresnel = true;
  mdx::Geosets geosets;
  geosets.items.resize(2);
  geosets.items[1].material_id = 1;
  document.chunks.push_back({FourCC{"TEXS"}, textures, {}, {}});
  document.chunks.push_back({FourCC{"MTLS"}, materials, {}, {}});
  document.chunks.push_back({FourCC{"GEOS"}, geosets, {}, {}});
  return document;
}

TEST(Classic, PicturesBecomeBlpAndTheMaskLetsTheColourThrough) {
  const mdx::Document original = hd_model();
  auto pictures = std::make_shared<Pictures>();
  pictures->files["textures/a.dds"] = picture(200, 255, 255);
  pictures->files["textures/orm.dds"] = picture(0, 255, 0);  // the left half
  Sources sources;
  sources.add(pictures);
  auto converted = mdx::convert_version(original, 800);
  ASSERT_TRUE(converted);
  const auto made = make_classic(converted->document, original, sources);
  EXPECT_EQ(made.masks, 1U);
  EXPECT_EQ(made.unused, 4U) << "normal, ORM, emissive, environment";
  ASSERT_EQ(made.missing.size(), 1U);
  EXPECT_EQ(made.missing[0], "Textures\\b.tif");
  ASSERT_EQ(made.pictures.size(), 1U);
  EXPECT_EQ(made.pictures[0].first, "a.blp");
  const auto& document = converted->document;
  const auto& layers = document.all<mdx::Materials>()[0]->layers;
  ASSERT_EQ(layers.size(), 2U);
  const auto textures = document.all<mdx::Textures>();
  EXPECT_EQ(textures.at(static_cast<std::size_t>(layers[0].texture_id))->replaceable_id, 1U);
  EXPECT_EQ(textures.at(static_cast<std::size_t>(layers[1].texture_id))->path.view(), "Textures\\a.blp");
  EXPECT_EQ(layers[1].filter_mode, mdx::FilterMode::blend);
  const auto image = decode_texture(made.pictures[0].second);
  ASSERT_TRUE(image);
  EXPECT_EQ(image->rgba[3], 0) << "the colour shows";
  EXPECT_EQ(image->rgba[15], 255) << "the picture shows";
  EXPECT_TRUE(mdx::write_verified(document)->strict);
}

}  // namespace
}  // namespace thaw
