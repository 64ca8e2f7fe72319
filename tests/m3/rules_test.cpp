// The rules of M3: one thing wrong, one finding.
#include <thaw/format.hpp>
#include <thaw/validate.hpp>

#include "m3/sample.hpp"

#include <algorithm>
#include <functional>
#include <limits>

namespace thaw::m3 {
namespace {

TEST(M3Rules, SoundModelsHaveNoFindings) {
  for (const unsigned version : {2U, 3U, 4U}) {
    const auto findings = validate(AnyDocument(Identity(), sample(version)), {});
    for (const auto& finding : findings.items()) {
      ADD_FAILURE() << finding.code.id << ' ' << finding.path << ' ' << finding.message;
    }
  }
}

TEST(M3Rules, EachIsBrokenOnce) {
  struct Case {
    std::string_view code;
    std::function<void(Document&)> damage;
  };
  const auto remove = [](FourCC tag) {
    return [tag](Document& document) {
      std::erase_if(mesh_of(document).chunks, [&](const MeshChunk& chunk) { return chunk.tag == tag; });
    };
  };
  const auto leave_over = [](FourCC tag) {
    return [tag](Document& document) {
      for (auto& chunk : mesh_of(document).chunks) {
        if (chunk.tag == tag) {
          chunk.remainder.bytes = {1};
        }
      }
    };
  };
  const auto geoset = [](auto change) {
    return [change](Document& document) { change(part<Geosets>(document, FourCC{"VGEO"}).items[1]); };
  };
  const auto buffer = [](FourCC tag, auto change) {
    return [tag, change](Document& document) {
      change(std::get<Array<Vec3>>(part<Buffer>(document, tag).elements));
    };
  };
  const std::vector<Case> cases = {
      {"m3.missing", remove(FourCC{"LODS"})},
      {"m3.buffer", leave_over(FourCC{"VPOS"})},
      {"m3.buffer-optional", leave_over(FourCC{"VUV1"})},
      {"m3.stream-length", buffer(FourCC{"VNML"}, [](auto& normals) { normals.pop_back(); })},
      {"m3.index",
       [](Document& d) {
         std::get<Array<std::uint16_t>>(part<Buffer>(d, FourCC{"VINX"}).elements)[0] = 65535;
       }},
      {"m3.index-foreign", geoset([](Geoset& g) { g.vertex_count = 1; })},
      {"m3.index-range", geoset([](Geoset& g) { g.index_start = 4000000000U; })},
      {"m3.triangles", geoset([](Geoset& g) { --g.index_count; })},
      {"m3.levels", [](Document& d) { ++part<Lods>(d, FourCC{"LODS"}).properties.extra_levels; }},
      {"m3.level-sums", [](Document& d) { ++part<Lods>(d, FourCC{"LODS"}).items[1].index_count; }},
      {"m3.name", geoset([](Geoset& g) { g.name_size = 1000; })},
      {"m3.batch", [](Document& d) { part<Batches>(d, FourCC{"RBAT"}).items[0].material = 9; }},
      {"m3.materials-size", [](Document& d) { ++top<Materials>(d).total_dwords; }},
      {"m3.uniforms", [](Document& d) { top<Materials>(d).instances[0].uniform_types[2] = 99; }},
      {"m3.value", buffer(FourCC{"VPOS"}, [](auto& p) { p[0][0] = std::numeric_limits<float>::infinity(); })},
      {"m3.normal", buffer(FourCC{"VNML"}, [](auto& n) { n[3] = {2, 0, 0}; })},
      {"m3.facing", buffer(FourCC{"VNML"},
                           [](auto& normals) {
                             for (auto& n : normals) {
                               n = {-n[0], -n[1], -n[2]};
                             }
                           })},
      {"m3.bounds", [](Document& d) { top<ModelHeader>(d).box.maximum[2] = 1; }},
      {"m3.header-size", [](Document& d) { top<ModelHeader>(d).present = 40; }},
      {"m3.collision",
       [](Document& d) { std::get<Corners>(top<Collision>(d).chunks[2].body).items[0] = 60000; }},
  };
  for (const Case& broken : cases) {
    SCOPED_TRACE(broken.code);
    Document document = sample();
    broken.damage(document);
    const auto findings = validate(AnyDocument(Identity(), document), {});
    const auto& items = findings.items();
    const auto found = std::find_if(items.begin(), items.end(),
                                    [&](const Diagnostic& item) { return item.code.id == broken.code; });
    ASSERT_NE(found, items.end());
    EXPECT_TRUE(found->offset) << found->path << " is no path of the file";
  }
  const auto rules = validation_rules();
  const auto own = std::count_if(rules.begin(), rules.end(),
                                 [](const RuleInfo& rule) { return rule.code.substr(0, 3) == "m3."; });
  EXPECT_EQ(static_cast<std::size_t>(own), cases.size()) << "every rule is broken here";
}

}  // namespace
}  // namespace thaw::m3
