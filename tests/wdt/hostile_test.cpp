// Systematic damage to maps: what reads writes the same bytes, converts, and takes memory in proportion.
#include <thaw/adt_convert.hpp>
#include <thaw/format.hpp>
#include <thaw/validate.hpp>

#include <gtest/gtest.h>

#include "bytes/md5.hpp"
#include "support/files.hpp"
#include "support/heap.hpp"
#include "support/mutate.hpp"
#include "support/paths.hpp"

namespace thaw::wdt {
namespace {

/// Two chunks of one tile, with everything that a chunk can have.
Document rich_map() {
  Document document;
  document.map.doodad_names = join_names({"A.mdx", "B.mdx"});
  document.map.map_object_names = join_names({"C.wmo"});
  document.map.map_objects.resize(1);
  Tile& tile = document.tiles.emplace_back();
  tile.index = 100;
  tile.textures = join_names({"D.blp", "E.blp"});
  tile.doodads.resize(2);
  tile.doodads[1].name_id = 1;
  tile.map_objects.resize(1);
  for (std::uint16_t slot = 0; slot < 2; ++slot) {
    Chunk& chunk = tile.chunks.emplace_back();
    chunk.slot = slot;
    chunk.header.x = slot;
    chunk.header.flags = 1 | ChunkHeader::kLiquids;
    chunk.header.doodad_reference_count = 2;
    chunk.references = {0, 1, 0};
    chunk.layers.resize(2);
    chunk.layers[1].texture_id = 1;
    chunk.layers[1].flags = Layer::kUsesAlpha;
    chunk.alpha.assign(kAlphaSize, 0x37);
    chunk.shadow.assign(kShadowSize, 0x0F);
    chunk.liquids.resize(kLiquidKinds);
    chunk.emitters.resize(1);
  }
  lay_out(document);
  return document;
}

/// Reads, looks at everything, and converts both ways.
void try_bytes(const Bytes& bytes) {
  constexpr std::size_t kAllowance = std::size_t{64} << 20U;
  const test::HeapMeter meter;
  Diagnostics findings;
  const auto any = read_any(bytes, {}, findings);
  if (any) {
    ASSERT_TRUE(write_any(*any) == bytes);
    (void)validate(*any, {});
    (void)summarize(*any);
    if (const auto* map = any->get_if<Document>()) {
      for (const auto& tile : map->tiles) {
        const auto later = adt::tile_from_alpha(map->map, tile, "", findings);
        Diagnostics again;
        ASSERT_TRUE(adt::read(adt::write(later), {}, again));
      }
    } else if (const auto* tile = any->get_if<adt::Document>()) {
      const std::array placed = {adt::PlacedTile{{1, 1}, tile}};
      (void)adt::to_alpha(nullptr, placed, findings);
    }
  }
  ASSERT_LE(meter.peak(), 16 * bytes.size() + kAllowance);
}

/// A whole-number field of every name, the first that has it, set to whatever breaks readers; and cuts.
void damage(const AnyDocument& document) {
  const Bytes bytes = write_any(document);
  const auto layout = test::layout_of(inspection_of(document));
  std::vector<std::string> seen;
  for (const auto& word : layout.words) {
    if (std::find(seen.begin(), seen.end(), word.name) != seen.end() && word.name != "size") {
      continue;
    }
    seen.push_back(word.name);
    for (const std::uint32_t value : test::hostile_values(bytes, word)) {
      try_bytes(test::with_word(bytes, word, value));
    }
  }
  for (std::size_t i = 0; i < layout.boundaries.size(); i += 1 + layout.boundaries.size() / 64) {
    const auto end =
        static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(layout.boundaries[i] + 1, bytes.size()));
    try_bytes(Bytes(bytes.begin(), bytes.begin() + end));
  }
}

AnyDocument reread(const Bytes& bytes) {
  Diagnostics findings;
  auto any = read_any(bytes, {}, findings);
  EXPECT_TRUE(any);
  return std::move(*any);
}

TEST(MapDamage, AlphaMaps) { damage(reread(write(rich_map()))); }

TEST(MapDamage, LaterTiles) {
  const Document map = rich_map();
  Diagnostics findings;
  damage(reread(adt::write(adt::tile_from_alpha(map.map, map.tiles[0], "", findings))));
  damage(reread(adt::write(adt::map_from_alpha(map.map, {{3, 4}}, findings))));
}

TEST(MapDamage, FarTerrain) {
  wdl::Document document;
  document.areas.resize(2);
  document.areas[1].index = 9;
  document.areas[1].holes_frame.present = true;
  wdl::lay_out(document);
  damage(reread(wdl::write(document)));
}

/// All of the table and of a tile's may point anywhere.
TEST(MapDamage, TablesThatPointAnywhere) {
  const Document map = rich_map();
  const Bytes bytes = write(map);
  for (const std::uint32_t target : {0U, 1U, 12U, 148U, 65692U, map.map.tiles[100].offset + 8, 0xFFFFFFFFU}) {
    Bytes damaged = bytes;
    for (std::size_t i = 0; i < kTiles; i += 3) {
      const std::uint32_t place = target + static_cast<std::uint32_t>(i);
      std::memcpy(damaged.data() + 156 + i * 16, &place, 4);
      std::memcpy(damaged.data() + 160 + i * 16, &place, 4);
    }
    try_bytes(damaged);
    damaged = bytes;
    for (std::size_t i = 0; i < kChunks; ++i) {
      const std::uint32_t place = map.tiles[0].chunk_table[0].offset + static_cast<std::uint32_t>(i) * target;
      std::memcpy(damaged.data() + map.map.tiles[100].offset + 80 + i * 16, &place, 4);
    }
    try_bytes(damaged);
  }
}

// --- rules: one thing wrong, one finding

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

// --- MD5 (RFC 1321, A.5)

TEST(Md5, HasTheDigestsOfTheStandard) {
  const auto digest = [](std::string_view text) {
    return md5_text(md5({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}));
  };
  EXPECT_EQ(digest(""), "d41d8cd98f00b204e9800998ecf8427e");
  EXPECT_EQ(digest("message digest"), "f96b697d7cb7938d525a2f31aaf161d0");
  EXPECT_EQ(digest("12345678901234567890123456789012345678901234567890123456789012345678901234567890"),
            "57edf4a22be3c955ac49da2e2107b67a");
}

}  // namespace
}  // namespace thaw::wdt
