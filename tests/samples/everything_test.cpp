// The sample with everything must have everything: the hostile tests stand on it.
#include <thaw/mdx.hpp>

#include "support/files.hpp"
#include "support/paths.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace thaw {
namespace {

mdx::Document load_everything(unsigned version, Diagnostics& diagnostics) {
  const auto bytes = test::load(test::samples_dir() / ("everything_v" + std::to_string(version) + ".mdx"));
  auto document = mdx::read(bytes, {}, diagnostics);
  EXPECT_TRUE(document);
  return document ? std::move(*document) : mdx::Document{};
}

/// Names of leaves, so that tags of tracks can be told from values.
class TagCollector final : public Inspector {
 public:
  std::set<std::string> tags;

  void begin(std::string_view /*name*/, bool /*is_list*/, std::uint64_t /*offset*/) override {}
  void end(std::uint64_t /*offset*/) override {}
  void leaf(const Leaf& leaf) override {
    if (leaf.name == "tag" && leaf.data != nullptr && leaf.size == 4) {
      tags.emplace(static_cast<const char*>(leaf.data), 4);
    }
    if (leaf.name == "damaged") {
      ADD_FAILURE() << "a part that does not read at " << leaf.offset;
    }
  }
};

class Everything : public testing::TestWithParam<unsigned> {};

TEST_P(Everything, SaysOnlyWhatIsMeant) {
  Diagnostics diagnostics;
  const auto document = load_everything(GetParam(), diagnostics);
  std::map<std::string_view, int> codes;
  for (const auto& item : diagnostics.items()) {
    ++codes[item.code.id];
  }
  const std::map<std::string_view, int> expected = {{"read.object-tail", 2},         {"read.chunk-tail", 1},
                                                    {"read.chunk-unknown", 2},       {"read.file-tail", 1},
                                                    {"event.no-global-sequence", 1}, {"collision.layout", 2}};
  EXPECT_EQ(codes, expected);
  EXPECT_EQ(document.version(), GetParam());
}

TEST_P(Everything, HasEveryTagOfItsVersion) {
  Diagnostics diagnostics;
  const auto document = load_everything(GetParam(), diagnostics);
  TagCollector found;
  mdx::inspect(document, found);
  std::set<std::string> expected = {
      "VERS", "MODL", "SEQS", "GLBS", "TEXS", "SNDS", "SNEM", "MTLS", "TXAN", "GEOS", "GEOA", "BONE",
      "LITE", "HELP", "ATCH", "PIVT", "PREM", "PRE2", "RIBB", "EVTS", "CAMS", "CLID", "DILG", "MDVI",
      "INFO", "KGTR", "KGRT", "KGSC", "KMTF", "KMTA", "KTAT", "KTAR", "KTAS", "KGAO", "KGAC", "KLAS",
      "KLAE", "KLAC", "KLAI", "KLBI", "KLBC", "KLAV", "KATV", "KPEE", "KPEG", "KPLN", "KPLT", "KPEL",
      "KPES", "KPEV", "KP2S", "KP2R", "KP2L", "KP2G", "KP2E", "KP2N", "KP2W", "KP2V", "KRHA", "KRHB",
      "KRAL", "KRCO", "KRTX", "KRVS", "KCTR", "KTTR", "KCRL", "KCVS", "IDUF", "ELAF", "PTSF", "KSEK"};
  const auto since = [&](unsigned version, std::initializer_list<const char*> tags) {
    if (GetParam() >= version) {
      expected.insert(tags.begin(), tags.end());
    }
  };
  since(900, {"BPOS", "FAFX", "CORN", "KMTE", "KPPA", "KPPC", "KPPE", "KPPL", "KPPS", "KPPV"});
  since(1000, {"KFC3", "KFCA", "KFTC"});
  since(1300, {"KLSS", "KLSE"});
  since(1600, {"KLQF", "KLLF", "KLDA"});
  EXPECT_EQ(found.tags, expected);
}

TEST_P(Everything, FieldsStandWhereTheirVersionBegins) {
  Diagnostics diagnostics;
  const unsigned version = GetParam();
  const auto document = load_everything(version, diagnostics);
  const auto materials = document.all<mdx::Materials>();
  EXPECT_EQ(materials.size(), version >= 900 ? 3U : 2U);
  EXPECT_EQ(!materials.back()->shader.view().empty(), version >= 900 && version < 1100);
  EXPECT_EQ(materials[0]->layers[1].slots.size(), version >= 1100 ? 1U : 0U);
  EXPECT_EQ(materials[0]->layers[1].emissive_gain, version >= 900 ? 1.5F : 1.0F);
  EXPECT_EQ(materials[0]->layers[1].has_fresnel, version >= 1000);
  const auto& last = *document.all<mdx::Geosets>().back();
  EXPECT_EQ(last.skin.has_value(), version >= 900 && version < 1400);
  EXPECT_EQ(last.wide_skin.has_value(), version >= 1400);
  EXPECT_EQ(document.all<mdx::Lights>()[0]->linear_falloff, version >= 1600 ? 0.125F : 0.0F);
}

INSTANTIATE_TEST_SUITE_P(Versions, Everything,
                         testing::Values(800U, 900U, 1000U, 1100U, 1200U, 1300U, 1400U, 1600U, 1800U),
                         [](const auto& version) {
                           return std::string("v").append(std::to_string(version.param));
                         });

}  // namespace
}  // namespace thaw
