// Rules of Forgelight models, materials and actors: sound files have no findings, and each rule is triggered
// by what it is about.
#include <thaw/dma.hpp>
#include <thaw/forgelight.hpp>
#include <thaw/validate.hpp>

#include "formats/forgelight/dme/rules.hpp"
#include "support/files.hpp"
#include "support/findings.hpp"
#include "support/paths.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <map>

namespace thaw::dme {
namespace {

Bytes file(const char* name) { return test::load(test::samples_dir() / "forgelight" / name); }

Document sound() {
  Diagnostics findings;
  auto document = read(file("Human_LOD0.dme"), {}, findings);
  EXPECT_TRUE(document);
  return document ? std::move(*document) : Document{};
}

template <class T>
Diagnostics check(std::string_view format, T document) {
  Identity identity;
  identity.format = find_format(format);
  ValidateOptions options;
  options.target = ValidateTarget::strict;
  return validate(AnyDocument(identity, std::move(document)), options);
}

using test::has;

xml::Document actor(std::string_view text) {
  const auto* begin = reinterpret_cast<const std::uint8_t*>(text.data());
  return {Bytes(begin, begin + text.size())};
}

/// A parameter that names a texture whose name is in no list.
void lose_a_texture(dma::Document& palette) {
  for (auto& material : palette.materials) {
    for (auto& parameter : material.parameters) {
      if (parameter.is_texture() && parameter.word() != 0) {
        palette.names.clear();
        return;
      }
    }
  }
  FAIL() << "the sample has no texture";
}

const std::map<std::string_view, std::function<void(Document&)>>& breakages() {
  using D = Document&;
  static const std::map<std::string_view, std::function<void(D)>> list = {
      {"dme.index", [](D d) { d.meshes[0].indices16[0] = 0xFFFE; }},
      {"dme.triangles", [](D d) { d.draw_calls[0].index_count -= 1; }},
      {"dme.draw-call", [](D d) { d.draw_calls[0].first_vertex = 100000; }},
      {"dme.palette", [](D d) { d.draw_calls[1].first_bone = 5000; }},
      {"dme.bone", [](D d) { d.bone_map[0][0] = 900; }},
      {"dme.blend-index", [](D d) { d.draw_calls[0].bone_count = 0; }},
      {"dme.weights",
       [](D d) {
         // Every byte 3 makes weights of 3 / 255, wherever in the vertex they are.
         auto& data = d.meshes[0].streams[0].data;
         std::fill(data.begin(), data.end(), std::uint8_t{3});
       }},
      {"dme.bind-matrix", [](D d) { d.bone_inverse_binds[0][0] = std::numeric_limits<float>::infinity(); }},
      {"dme.layout-stride",
       [](D d) { d.palette.materials[0].definition = forgelight::hash("NoSuchDefinition"); }},
      {"dme.bounds", [](D d) { d.bounds[1] = d.bounds[0]; }},
      {"dme.texture-name", [](D d) { lose_a_texture(d.palette); }},
      {"dme.material-count", [](D d) { d.palette.materials.clear(); }},
  };
  return list;
}

TEST(DmeRules, SoundFilesHaveNoFindings) {
  const auto model = check("dme", sound());
  for (const auto& finding : model.items()) {
    // As with the one published model, not all parts of the layout are there.
    if (finding.code.id == std::string_view("dme.layout-stride")) {
      EXPECT_NE(finding.message.find("smaller than the layout Character"), std::string::npos);
      continue;
    }
    ADD_FAILURE() << finding.code.id << " " << finding.path << ": " << finding.message;
  }
}

TEST(DmeRules, EachIsTriggered) {
  for (const auto& rule : model_rules()) {
    SCOPED_TRACE(rule.info.code);
    const auto breakage = breakages().find(rule.info.code);
    ASSERT_NE(breakage, breakages().end());
    auto document = sound();
    breakage->second(document);
    EXPECT_TRUE(has(check("dme", std::move(document)), rule.info.code));
  }
  EXPECT_EQ(model_rules().size(), breakages().size());
}

TEST(DmeRules, LayoutThatNoneKnows) {
  auto document = sound();
  breakages().at("dme.layout-stride")(document);
  const auto findings = check("dme", std::move(document));
  const auto& items = findings.items();
  EXPECT_TRUE(std::any_of(items.begin(), items.end(), [](const auto& finding) {
    return finding.message.find("no known layout") != std::string::npos;
  }));
}

TEST(DmeRules, MaterialsOfTheirOwn) {
  Diagnostics findings;
  auto document = dma::read(file("Human_Lod0.dma"), {}, findings);
  ASSERT_TRUE(document);
  EXPECT_FALSE(has(check("dma", *document), "dma.texture-name"));
  lose_a_texture(*document);
  EXPECT_TRUE(has(check("dma", *document), "dma.texture-name"));
}

TEST(DmeRules, Actors) {
  constexpr std::string_view kSound =
      R"(<ActorRuntime><Base fileName="a.dme"/><Lods><Lod fileName="b.dme" distance="10"/>)"
      R"(<Lod fileName="c.dme" distance="20"/></Lods></ActorRuntime>)";
  const auto sound_actor = check("adr", actor(kSound));
  EXPECT_TRUE(sound_actor.items().empty()) << sound_actor.items().front().code.id;
  EXPECT_TRUE(has(check("adr", actor("<ActorRuntime><Lods/></ActorRuntime>")), "adr.no-model"));
  std::string swapped(kSound);
  swapped.replace(swapped.find("\"10\""), 4, "\"30\"");
  EXPECT_TRUE(has(check("adr", actor(swapped)), "adr.lod-order"));
}

}  // namespace
}  // namespace thaw::dme
