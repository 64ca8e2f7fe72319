// The rules of maps and of far terrain: one thing wrong, one finding.
#include <thaw/validate.hpp>
#include <thaw/wdl.hpp>
#include <thaw/wdt.hpp>

#include "support/files.hpp"
#include "support/paths.hpp"
#include "wdt/reread.hpp"

#include <algorithm>
#include <limits>

namespace thaw::wdt {
namespace {

using test::reread;

std::vector<std::string> codes_of(Document document, bool places) {
  if (places) {
    lay_out(document);
  }
  std::vector<std::string> codes;
  const AnyDocument any = reread(write(document));
  const auto findings = validate(any, {});
  for (const auto& finding : findings.items()) {
    if (std::find(codes.begin(), codes.end(), finding.code.id) == codes.end()) {
      codes.emplace_back(finding.code.id);
    }
  }
  return codes;
}

/// A map that no rule objects to.
Document good_map() {
  Document document;
  document.map.doodad_names = join_names({"A.mdx"});
  Tile& tile = document.tiles.emplace_back();
  tile.index = 100;
  tile.textures = join_names({"D.blp"});
  tile.doodads.resize(1);
  for (std::uint16_t slot = 0; slot < kChunks; ++slot) {
    Chunk& chunk = tile.chunks.emplace_back();
    chunk.slot = slot;
    chunk.header.x = slot % kChunksPerSide;
    chunk.header.y = slot / kChunksPerSide;
    chunk.header.area = 1;
    chunk.normals.fill({0, 0, 127});
    chunk.header.radius = radius_of(chunk);
    chunk.layers.resize(1);
  }
  tile.chunks[9].references = {0};
  tile.chunks[9].header.doodad_reference_count = 1;
  lay_out(document);
  return document;
}

TEST(MapRules, EachFindsWhatItIsAbout) {
  using Codes = std::vector<std::string>;
  const Document good = good_map();
  EXPECT_EQ(codes_of(good, true), Codes());
  struct Case {
    const char* code;
    bool places;  ///< laid out anew after the change
    void (*change)(Document&);
  };
  const std::vector<Case> cases = {
      {"wdt.version", false, [](Document& d) { d.map.version = 17; }},
      {"wdt.name-count", false, [](Document& d) { d.map.header.doodad_name_count = 9; }},
      {"wdt.name-text", true, [](Document& d) { d.map.doodad_names[0] = '\xE4'; }},
      {"wdt.entry-half", false, [](Document& d) { d.map.tiles[3].size = 5; }},
      {"wdt.entry-size", false, [](Document& d) { d.map.tiles[100].size -= 1; }},
      {"wdt.entry-flags", false, [](Document& d) { d.map.tiles[3].flags = 1; }},
      {"wdt.tile-range", false, [](Document& d) { d.map.tiles[3] = {0x7FFFFFFF, 9, 0, 0}; }},
      {"wdt.unclaimed", false, [](Document& d) { d.gaps.push_back({write(d).size(), {1, 2, 3}}); }},
      {"wdt.tile-order", false,
       [](Document& d) {
         Tile second = d.tiles[0];
         second.index = 101;
         second.doodads.clear();
         second.chunks[9].references.clear();
         second.chunks[9].header.doodad_reference_count = 0;
         d.tiles.push_back(std::move(second));
         lay_out(d);
         // The second tile goes to the front of the file, the first behind it, with all that says where they
         // are.
         const std::uint32_t begin = d.map.tiles[100].offset;
         const std::uint32_t first_size = d.map.tiles[101].offset - begin;
         const auto second_size = static_cast<std::uint32_t>(write(d).size()) - begin - first_size;
         d.map.tiles[101].offset = begin;
         d.map.tiles[100].offset = begin + second_size;
         for (auto& entry : d.tiles[0].chunk_table) {
           entry.offset += second_size;
         }
         for (auto& entry : d.tiles[1].chunk_table) {
           entry.offset -= first_size;
         }
       }},
      {"tile.records", false, [](Document& d) { d.tiles[0].doodads_frame.stated_size = 38; }},
      {"mcnk.reference-count", false,
       [](Document& d) { d.tiles[0].chunks[9].header.doodad_reference_count = 2; }},
      {"mcnk.height", false,
       [](Document& d) { d.tiles[0].chunks[9].heights[12] = std::numeric_limits<float>::quiet_NaN(); }},
      {"mcnk.normal-direction", false, [](Document& d) { d.tiles[0].chunks[9].normals.fill({127, 0, 0}); }},
      {"wdt.map-object", true, [](Document& d) { d.map.map_objects.resize(1); }},
      {"tile.header-size", false, [](Document& d) { d.tiles[0].header.textures_size = 1; }},
      {"tile.chunk-missing", true, [](Document& d) { d.tiles[0].chunks.pop_back(); }},
      {"tile.chunk-size", false, [](Document& d) { d.tiles[0].chunk_table[3].size = 99; }},
      {"tile.chunk-limit", true, [](Document& d) { d.tiles[0].chunks[9].references.resize(4000, 0); }},
      {"tile.name-id", false, [](Document& d) { d.tiles[0].doodads[0].name_id = 1; }},
      {"tile.unique-id", true,
       [](Document& d) {
         d.tiles[0].doodads.resize(2);
         d.tiles[0].chunks[9].references = {0, 1};
         d.tiles[0].chunks[9].header.doodad_reference_count = 2;
       }},
      {"tile.unreferenced", true, [](Document& d) { d.tiles[0].chunks[9].references.clear(); }},
      {"tile.placement", false, [](Document& d) { d.tiles[0].doodads[0].scale = 0; }},
      {"tile.edge", false, [](Document& d) { d.tiles[0].chunks[40].heights[0] = 0.05F; }},
      {"mcnk.place", false, [](Document& d) { d.tiles[0].chunks[40].header.x = 3; }},
      {"mcnk.layers", false, [](Document& d) { d.tiles[0].chunks[40].header.layer_count = 3; }},
      {"mcnk.reference", false,
       [](Document& d) {
         d.tiles[0].chunks[9].references[0] = 0;
         d.tiles[0].chunks[9].header.doodad_reference_count = 0;
         d.tiles[0].chunks[9].header.map_object_reference_count = 1;
       }},
      {"mcnk.texture", false, [](Document& d) { d.tiles[0].chunks[9].layers[0].texture_id = 1; }},
      {"mcnk.alpha-size", true, [](Document& d) { d.tiles[0].chunks[9].alpha.resize(5, 0); }},
      {"mcnk.shadow-size", true,
       [](Document& d) {
         d.tiles[0].chunks[9].shadow.resize(5, 0);
         d.tiles[0].chunks[9].header.flags = 1;
       }},
      {"mcnk.shadow-flag", false, [](Document& d) { d.tiles[0].chunks[9].header.flags = 1; }},
      {"mcnk.radius", false, [](Document& d) { d.tiles[0].chunks[9].header.radius = 0; }},
      {"mcnk.normal-length", false, [](Document& d) { d.tiles[0].chunks[9].normals[3] = {0, 0, 1}; }},
      {"mcnk.flags", false, [](Document& d) { d.tiles[0].chunks[9].header.flags = 0x40; }},
      {"mcnk.area", false, [](Document& d) { d.tiles[0].chunks[9].header.area = 0; }},
      {"mcnk.liquid", true,
       [](Document& d) {
         d.tiles[0].chunks[9].header.flags = 4;
         d.tiles[0].chunks[9].liquids.resize(1);
         d.tiles[0].chunks[9].liquids[0].flow_count = 3;
       }},
  };
  for (const auto& test : cases) {
    Document document = good;
    test.change(document);
    const auto codes = codes_of(document, test.places);
    EXPECT_NE(std::find(codes.begin(), codes.end(), test.code), codes.end())
        << test.code << " among " << ::testing::PrintToString(codes);
    EXPECT_LE(codes.size(), 2U) << test.code << " among " << ::testing::PrintToString(codes);
  }
}

TEST(MapRules, WhatFollowsATableOfAnotherSizeIsLostToo) {
  Document document = good_map();
  document.map.tiles_frame.stated_size = 65520;
  const auto codes = codes_of(document, false);
  EXPECT_NE(std::find(codes.begin(), codes.end(), "wdt.sizes"), codes.end());
}

TEST(FarRules, EachFindsWhatItIsAbout) {
  Diagnostics diagnostics;
  const auto good =
      wdl::read(test::load(test::samples_dir() / "World/Maps/Island/Island.wdl"), {}, diagnostics);
  ASSERT_TRUE(good);
  const auto codes = [](const wdl::Document& document) {
    std::vector<std::string> found;
    const auto findings = validate(reread(wdl::write(document)), {});
    for (const auto& finding : findings.items()) {
      found.emplace_back(finding.code.id);
    }
    return found;
  };
  EXPECT_EQ(codes(*good), std::vector<std::string>());
  const std::vector<std::pair<const char*, void (*)(wdl::Document&)>> cases = {
      {"wdl.version", [](wdl::Document& d) { d.version = 17; }},
      {"wdl.table", [](wdl::Document& d) { d.offsets_frame.stated_size = 16380; }},
      {"wdl.area", [](wdl::Document& d) { d.offsets[0] = 12; }},
      {"wdl.unknown",
       [](wdl::Document& d) {
         d.areas[0].holes_frame.present = true;
         lay_out(d);
       }},
  };
  for (const auto& [code, change] : cases) {
    wdl::Document document = *good;
    change(document);
    const auto found = codes(document);
    EXPECT_NE(std::find(found.begin(), found.end(), code), found.end())
        << code << " among " << ::testing::PrintToString(found);
  }
}

}  // namespace
}  // namespace thaw::wdt
