// Between maps of the alpha and later tiles.
#include <thaw/adt.hpp>
#include <thaw/codes.hpp>
#include <thaw/wdt.hpp>

#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>

#include "support/files.hpp"
#include "support/paths.hpp"

namespace thaw::adt {
namespace {

using test::corpus_dir;
using test::load;

constexpr const char* kTile = "alpha/wowserhq+blizzardry/spec/fixtures/Azeroth_38_46.adt";

Document read_tile(const Bytes& bytes) {
  Diagnostics findings;
  auto document = read(bytes, {}, findings);
  EXPECT_TRUE(document) << document.error().message;
  EXPECT_TRUE(findings.items().empty());
  return document ? std::move(*document) : Document();
}

wdt::Document read_alpha_map(const std::filesystem::path& path) {
  Diagnostics findings;
  auto document = wdt::read(load(path), {}, findings);
  EXPECT_TRUE(document);
  return document ? std::move(*document) : wdt::Document();
}

bool reported(const Diagnostics& findings, Code code) {
  const auto& items = findings.items();
  return std::any_of(items.begin(), items.end(), [&](const auto& item) { return item.code == code; });
}

/// The place of a later height in an alpha chunk, by the rows of 9 and 8.
std::size_t alpha_place(std::size_t later) {
  const std::size_t row = later / 17;
  const std::size_t column = later % 17;
  return column < 9 ? row * 9 + column : 81 + row * 8 + column - 9;
}

/// A tile of one chunk of ground with a shadow, alpha maps and something behind them, whose parts state these
/// sizes.
Bytes tile_with_sizes(std::optional<std::uint32_t> shadow, std::optional<std::uint32_t> alpha) {
  TerrainChunk chunk;
  chunk.parts.push_back({FourCC{"MCVT"}, Heights{}, {}, {}});
  chunk.parts.push_back({FourCC{"MCSH"}, Texels{Array<std::uint8_t>(512, std::uint8_t{0x11})}, shadow, {}});
  chunk.parts.push_back({FourCC{"MCAL"}, Texels{Array<std::uint8_t>(2048, std::uint8_t{0x22})}, alpha, {}});
  chunk.parts.push_back({FourCC{"MCRF"}, References{}, {}, {}});
  Document tile;
  tile.chunks.push_back({FourCC{"MVER"}, Version{}, {}, {}});
  tile.chunks.push_back({FourCC{"MHDR"}, Boxed<TileHeader>(), {}, {}});
  tile.chunks.push_back({FourCC{"MCIN"}, ChunkTable{}, {}, {}});
  tile.chunks.push_back({FourCC{"MCNK"}, Boxed<TerrainChunk>(std::move(chunk)), {}, {}});
  lay_out(tile);
  return write(tile);
}

TEST(Adt, SizesThatAreWrongInAPartAreThoseOfTheHeader) {
  for (const auto& [shadow, alpha] : {std::pair(std::optional(0U), std::optional(0U)),
                                      {std::nullopt, 0U},
                                      {7U, std::nullopt},
                                      {0x11111111U, 2047U}}) {
    const Bytes bytes = tile_with_sizes(shadow, alpha);
    Diagnostics findings;
    const auto tile = read(bytes, {}, findings);
    ASSERT_TRUE(tile) << tile.error().message;
    EXPECT_EQ(write(*tile), bytes);
    const auto ground = tile->terrain();
    ASSERT_EQ(ground.size(), 1U);
    ASSERT_EQ(ground[0]->parts.size(), 4U);
    EXPECT_EQ(ground[0]->find<Texels>(FourCC{"MCSH"})->bytes.size(), 512U);
    EXPECT_EQ(ground[0]->find<Texels>(FourCC{"MCAL"})->bytes.size(), 2048U);
    EXPECT_EQ(findings.items().size(), (shadow ? 1U : 0U) + (alpha ? 1U : 0U));
    for (const auto& finding : findings.items()) {
      EXPECT_EQ(finding.code, codes::kSizeInvalid);
      EXPECT_EQ(finding.code.severity, Severity::severe);
    }
  }
  Diagnostics none;
  EXPECT_TRUE(read(tile_with_sizes({}, {}), {}, none));
  EXPECT_TRUE(none.items().empty());
}

TEST(Adt, TilesAndMapsOfTheCorpusAreExact) {
  THAW_REQUIRE_CORPUS("alpha");
  const Bytes bytes = load(corpus_dir() / kTile);
  const Document tile = read_tile(bytes);
  EXPECT_EQ(write(tile), bytes);
  EXPECT_EQ(tile.terrain().size(), 256U);
  Document again = tile;
  lay_out(again);
  EXPECT_TRUE(write(again) == bytes) << "offsets and sizes follow from the content";
  for (const char* name : {"continent.wdt", "pvpzone.wdt"}) {
    const Bytes map_bytes = load(corpus_dir() / "alpha/wowserhq+format/fixture/map" / name);
    Diagnostics findings;
    const auto map = read_map(map_bytes, {}, findings);
    ASSERT_TRUE(map);
    EXPECT_TRUE(findings.items().empty());
    EXPECT_EQ(write(*map), map_bytes);
    EXPECT_TRUE(std::any_of(map->tiles.begin(), map->tiles.end(),
                            [](const Map::TileEntry& entry) { return (entry[0] & Map::kHasTile) != 0; }));
  }
}

/// The derived map was made from the tile by other hands.
TEST(Adt, TheDerivedMapIsTheTile) {
  THAW_REQUIRE_CORPUS("alpha");
  const Document tile = read_tile(load(corpus_dir() / kTile));
  const auto map = read_alpha_map(corpus_dir() / "alpha/_derived/Azeroth.wdt");
  const auto terrain = tile.terrain();
  const auto& chunks = map.tiles.at(0).chunks;
  ASSERT_EQ(terrain.size(), chunks.size());
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const auto& later = *terrain[i];
    const auto& alpha = chunks[i];
    const auto* heights = later.find<Heights>(FourCC{"MCVT"});
    const auto* normals = later.find<Normals>(FourCC{"MCNR"});
    const auto* layers = later.find<Layers>(FourCC{"MCLY"});
    const auto* shadow = later.find<Texels>(FourCC{"MCSH"});
    ASSERT_TRUE(heights && normals && layers && shadow);
    for (std::size_t k = 0; k < wdt::kHeights; ++k) {
      ASSERT_NEAR(double{alpha.heights.at(alpha_place(k))},
                  double{later.header.position[2]} + double{heights->values[k]}, 1e-4);
      ASSERT_EQ(alpha.normals.at(alpha_place(k)), normals->values[k]);
    }
    EXPECT_EQ(alpha.layers, layers->items);
    EXPECT_EQ(alpha.shadow, shadow->bytes);
    EXPECT_EQ(alpha.header.holes, later.header.holes);
    EXPECT_EQ(alpha.header.area, later.header.area_id);
    EXPECT_NEAR(wdt::north_of(46, alpha.header.y, 0), double{later.header.position[0]}, 1.5e-3);
    EXPECT_NEAR(wdt::west_of(38, alpha.header.x, 0), double{later.header.position[1]}, 1.5e-3);
  }
}

/// A map of the alpha as a later tile: everything but the heights to the last bit as the client's own file.
TEST(Adt, FromAlphaGivesTheClientsFile) {
  THAW_REQUIRE_CORPUS("alpha");
  const Bytes original = load(corpus_dir() / kTile);
  const auto map = read_alpha_map(corpus_dir() / "alpha/_derived/Azeroth.wdt");
  Diagnostics findings;
  Document made = tile_from_alpha(map.map, map.tiles.at(0), "tile 38_46", findings);
  EXPECT_TRUE(reported(findings, codes::kTerrainArea));
  const Bytes bytes = write(made);
  ASSERT_EQ(bytes.size(), original.size());
  const Document source = read_tile(original);
  std::size_t next = 0;
  for (auto& chunk : made.chunks) {
    if (auto* terrain = std::get_if<Boxed<TerrainChunk>>(&chunk.body)) {
      auto& heights = std::get<Heights>((*terrain)->parts.at(0).body).values;
      const auto& expected = source.terrain().at(next)->find<Heights>(FourCC{"MCVT"})->values;
      for (std::size_t k = 0; k < heights.size(); ++k) {
        ASSERT_NEAR(heights[k], expected[k], 1e-4F);
      }
      heights = expected;
      EXPECT_EQ((*terrain)->header, source.terrain().at(next)->header) << next;
      ++next;
    }
  }
  EXPECT_TRUE(write(made) == original);
}

TEST(Adt, ThereAndBackIsTheSame) {
  THAW_REQUIRE_CORPUS("alpha");
  const Document tile = read_tile(load(corpus_dir() / kTile));
  const auto position = tile_position(tile);
  ASSERT_TRUE(position);
  EXPECT_EQ(*position, (wdt::TilePosition{38, 46}));
  Diagnostics findings;
  const std::array placed = {PlacedTile{*position, &tile}};
  const auto map = to_alpha(nullptr, placed, findings);
  const Document again = tile_from_alpha(map.map, map.tiles.at(0), "", findings);
  ASSERT_EQ(again.chunks.size(), tile.chunks.size());
  for (std::size_t i = 0; i < tile.terrain().size(); ++i) {
    EXPECT_EQ(again.terrain()[i]->header, tile.terrain()[i]->header);
    EXPECT_TRUE(again.terrain()[i]->parts.at(1) == tile.terrain()[i]->parts.at(1)) << "normals";
  }
  // What one way rounded stays.
  const std::array second = {PlacedTile{*position, &again}};
  const auto map_again = to_alpha(nullptr, second, findings);
  for (std::size_t i = 0; i < map.tiles[0].chunks.size(); ++i) {
    const auto& a = map.tiles[0].chunks[i];
    const auto& b = map_again.tiles[0].chunks[i];
    for (std::size_t k = 0; k < wdt::kHeights; ++k) {
      ASSERT_NEAR(a.heights.at(k), b.heights.at(k), 1e-4F);
    }
    EXPECT_EQ(a.normals, b.normals);
    EXPECT_EQ(a.shadow, b.shadow);
  }
}

/// All that the synthetic map has goes to a later tile and comes back.
TEST(Adt, AlphaThereAndBackKeepsEverything) {
  THAW_REQUIRE_CORPUS("alpha");
  const auto map = read_alpha_map(corpus_dir() / "alpha/_derived/synth.wdt");
  Diagnostics findings;
  const Document tile = tile_from_alpha(map.map, map.tiles.at(0), "", findings);
  const Document stored = read_tile(write(tile));
  EXPECT_EQ(stored, tile);
  const auto* names = stored.find<Names>(FourCC{"MMDX"});
  ASSERT_NE(names, nullptr);
  EXPECT_EQ(wdt::split_names(names->table), (std::vector<std::string_view>{"World\\Test\\Tree.m2"}));
  EXPECT_NE(stored.terrain()[0]->header.flags & ChunkHeader::kWholeAlpha, 0U);
  const std::array placed = {PlacedTile{{32, 31}, &stored}};
  auto again = to_alpha(nullptr, placed, findings);
  auto expected = map.tiles[0].chunks;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    auto& chunk = again.tiles.at(0).chunks.at(i);
    EXPECT_EQ(chunk.header.radius, wdt::radius_of(chunk));
    for (std::size_t k = 0; k < wdt::kHeights; ++k) {
      ASSERT_NEAR(chunk.heights.at(k), expected[i].heights.at(k), 1e-4F);
    }
    chunk.heights = expected[i].heights;
    chunk.header.radius = expected[i].header.radius;
    EXPECT_TRUE(chunk == expected[i]) << i;
  }
  EXPECT_EQ(again.tiles[0].doodads, map.tiles[0].doodads);
  EXPECT_EQ(again.tiles[0].map_objects, map.tiles[0].map_objects);
  EXPECT_EQ(again.tiles[0].textures, map.tiles[0].textures);
  EXPECT_EQ(wdt::split_names(again.map.doodad_names), wdt::split_names(map.map.doodad_names));
}

// --- what only later tiles have

Part part(FourCC tag, decltype(Part::body) body) { return {tag, std::move(body), {}, {}}; }

TerrainChunk plain_chunk() {
  TerrainChunk chunk;
  Heights heights;
  heights.values.assign(wdt::kHeights, 1.0F);
  Normals normals;
  normals.values.assign(wdt::kHeights, wdt::Normal{0, 0, 127});
  chunk.parts = {part(FourCC{"MCVT"}, heights), part(FourCC{"MCNR"}, normals)};
  chunk.header.position[2] = 10;
  return chunk;
}

Document tile_of(TerrainChunk chunk) {
  Document tile;
  tile.chunks.push_back({FourCC{"MVER"}, Version{}, {}, {}});
  tile.chunks.push_back({FourCC{"MHDR"}, Boxed<TileHeader>(), {}, {}});
  tile.chunks.push_back({FourCC{"MCIN"}, ChunkTable{}, {}, {}});
  tile.chunks.push_back({FourCC{"MCNK"}, Boxed<TerrainChunk>(std::move(chunk)), {}, {}});
  lay_out(tile);
  return tile;
}

wdt::Chunk alpha_chunk(const Document& tile, Diagnostics& findings, const Map* map = nullptr) {
  const std::array placed = {PlacedTile{{1, 2}, &tile}};
  const auto made = to_alpha(map, placed, findings);
  EXPECT_EQ(made.tiles.at(0).chunks.size(), 1U);
  EXPECT_TRUE(reported(findings, codes::kTerrainDamaged)) << "255 chunks are not there";
  return made.tiles.at(0).chunks.at(0);
}

TEST(Adt, AlphaMapsOfAllKindsBecomeFourBits) {
  TerrainChunk chunk = plain_chunk();
  Layers layers;
  layers.items.resize(3);
  layers.items[1].flags = wdt::Layer::kUsesAlpha;
  layers.items[2].flags = wdt::Layer::kUsesAlpha | Layers::kCompressed;
  layers.items[2].alpha_offset = 4096;
  Texels alpha;
  for (std::size_t i = 0; i < 4096; ++i) {
    alpha.bytes.push_back(static_cast<std::uint8_t>(i % 64 * 4));
  }
  for (std::size_t row = 0; row < 32; ++row) {
    alpha.bytes.insert(alpha.bytes.end(), {0x80 | 127, 255, 0x01, 0x88});
  }
  chunk.parts.push_back(part(FourCC{"MCLY"}, layers));
  chunk.parts.push_back(part(FourCC{"MCAL"}, alpha));
  Map map;
  map.header[0] = Map::kEightBitAlpha;
  Diagnostics findings;
  const auto made = alpha_chunk(tile_of(chunk), findings, &map);
  EXPECT_TRUE(reported(findings, codes::kTerrainAlpha));
  ASSERT_EQ(made.alpha.size(), 2 * wdt::kAlphaSize);
  EXPECT_EQ(made.alpha_at(0, 0, 0), 255);
  for (std::size_t x = 0; x < 64; ++x) {
    EXPECT_EQ(made.alpha_at(1, x, 7), (x * 4 + 8) / 17 * 17);
  }
  EXPECT_EQ(made.alpha_at(2, 0, 0), 255);
  EXPECT_EQ(made.alpha_at(2, 63, 1), (0x88 + 8) / 17 * 17);
  EXPECT_EQ(made.heights[0], 11.0F);
}

TEST(Adt, TheLastRowOfOldAlphaMapsIsTheOneThatShows) {
  TerrainChunk chunk = plain_chunk();
  Layers layers;
  layers.items.resize(2);
  layers.items[1].flags = wdt::Layer::kUsesAlpha;
  Texels alpha;
  alpha.bytes.assign(wdt::kAlphaSize, 0x21);  // columns 1 2 1 2 …
  std::fill_n(alpha.bytes.end() - 32, 32, std::uint8_t{0xFF});
  chunk.parts.push_back(part(FourCC{"MCLY"}, layers));
  chunk.parts.push_back(part(FourCC{"MCAL"}, alpha));
  Diagnostics findings;
  const auto shown = alpha_chunk(tile_of(chunk), findings);
  EXPECT_EQ(shown.alpha_at(1, 63, 0), 17) << "column 62 again";
  EXPECT_EQ(shown.alpha_at(1, 0, 63), 17) << "row 62 again";
  chunk.header.flags = ChunkHeader::kWholeAlpha;
  const auto whole = alpha_chunk(tile_of(chunk), findings);
  EXPECT_EQ(whole.alpha, alpha.bytes);
}

TEST(Adt, WaterOfLaterTilesBecomesLiquids) {
  Bytes water(256 * 12 + 24, 0);
  const auto put = [&](std::size_t at, auto value) { std::memcpy(water.data() + at, &value, sizeof value); };
  put(0, std::uint32_t{256 * 12});
  put(4, std::uint32_t{1});
  const std::size_t instance = 256 * 12;
  put(instance, std::uint16_t{3});  // magma
  put(instance + 4, 5.0F);
  put(instance + 8, 6.0F);
  put(instance + 12, std::uint32_t{0x01020302});  // x 2, y 3, 2 × 1 cells
  Document tile = tile_of(plain_chunk());
  tile.chunks.push_back({FourCC{"MH2O"}, Opaque{}, {}, {water, Remainder::State::replaces_fields}});
  lay_out(tile);
  Diagnostics findings;
  const auto made = alpha_chunk(tile, findings);
  EXPECT_EQ(made.header.flags, 0x10U);
  const auto* magma = made.liquid(wdt::LiquidKind::magma);
  ASSERT_NE(magma, nullptr);
  EXPECT_TRUE(magma->shows(3, 2));
  EXPECT_TRUE(magma->shows(3, 3));
  EXPECT_FALSE(magma->shows(3, 4));
  EXPECT_FALSE(magma->shows(0, 0));
  EXPECT_EQ(magma->minimum, 5.0F);
  EXPECT_EQ(magma->vertices[3 * 9 + 2].height, 5.0F);
  for (std::size_t at = 0; at < water.size(); at += 2) {
    Bytes damaged = water;
    damaged[at] = 0xFF;
    damaged[at + 1] = 0xFF;
    tile.chunks.back().remainder.bytes = damaged;
    const auto any = alpha_chunk(tile, findings);
    EXPECT_LE(any.liquids.size(), 4U);
  }
}

void add_doodads(Document& tile, const std::vector<std::string_view>& names,
                 const Array<std::uint32_t>& offsets, const Doodads& doodads) {
  Names table;
  table.table = wdt::join_names(names);
  NameOffsets starts;
  starts.values = offsets;
  tile.chunks.push_back({FourCC{"MMDX"}, table, {}, {}});
  tile.chunks.push_back({FourCC{"MMID"}, starts, {}, {}});
  tile.chunks.push_back({FourCC{"MDDF"}, doodads, {}, {}});
}

TEST(Adt, PlacementsWithoutNamesAreLeftOut) {
  TerrainChunk chunk = plain_chunk();
  References references;
  references.values = {0, 1, 2};
  chunk.header.doodad_reference_count = 3;
  chunk.parts.push_back(part(FourCC{"MCRF"}, references));
  Document tile = tile_of(chunk);
  Doodads doodads;
  doodads.items.resize(3);
  doodads.items[0].name_id = 1;
  doodads.items[1].name_id = 7;
  add_doodads(tile, {"World\\A.M2", "World\\b.mdx"}, {0, 11}, doodads);
  Diagnostics findings;
  const std::array placed = {PlacedTile{{1, 2}, &tile}};
  const auto made = to_alpha(nullptr, placed, findings);
  EXPECT_TRUE(reported(findings, codes::kTerrainPlacement));
  ASSERT_EQ(made.tiles.at(0).doodads.size(), 2U);
  EXPECT_EQ(wdt::split_names(made.map.doodad_names),
            (std::vector<std::string_view>{"World\\b.mdx", "World\\A.MDX"}));
  EXPECT_EQ(made.tiles[0].doodads[1].name_id, 1U);
  EXPECT_EQ(made.tiles[0].chunks[0].references, (Array<std::uint32_t>{0, 1}));
}

TEST(Adt, ReferencesBeyondTheChunksLimitAreLeftOut) {
  TerrainChunk chunk = plain_chunk();
  References references;
  references.values.assign(wdt::kChunkLimit / sizeof(std::uint32_t), 0);
  chunk.header.doodad_reference_count = static_cast<std::uint32_t>(references.values.size());
  chunk.parts.push_back(part(FourCC{"MCRF"}, references));
  Document tile = tile_of(chunk);
  Doodads doodads;
  doodads.items.resize(1);
  add_doodads(tile, {"World\\a.mdx"}, {0}, doodads);
  Diagnostics findings;
  const std::array placed = {PlacedTile{{1, 2}, &tile}};
  const auto made = to_alpha(nullptr, placed, findings);
  EXPECT_TRUE(reported(findings, codes::kTerrainReferences));
  const auto& kept = made.tiles.at(0).chunks.at(0).references;
  EXPECT_GT(kept.size(), 3000U);
  EXPECT_LT(kept.size(), references.values.size());
  EXPECT_EQ(made.tiles[0].chunks[0].header.doodad_reference_count, kept.size());
  // The map is one that the client loads: no chunk reaches the limit, and it reads as it was written.
  Diagnostics reading;
  const Bytes bytes = wdt::write(made);
  const auto again = wdt::read(bytes, {}, reading);
  ASSERT_TRUE(again);
  EXPECT_EQ(wdt::write(*again), bytes);
  EXPECT_EQ(again->tiles.at(0).chunks.at(0).references, kept);
}

TEST(Adt, FileNamesReportPlaces) {
  EXPECT_EQ(tile_file_name("Azeroth", 3, 46), "Azeroth_3_46.adt");
  EXPECT_EQ(tile_position("Azeroth_38_46.ADT"), (wdt::TilePosition{38, 46}));
  EXPECT_EQ(tile_position("a_b_0_63.adt"), (wdt::TilePosition{0, 63}));
  for (const char* other :
       {"Azeroth.adt", "Azeroth_38_64.adt", "Azeroth_38_46.wdt", "38_46.adt", "x_1_.adt"}) {
    EXPECT_FALSE(tile_position(other)) << other;
  }
}

TEST(Adt, EveryCutIsExact) {
  TerrainChunk chunk = plain_chunk();
  Liquids liquids;
  liquids.items.resize(1);
  Part liquid = part(FourCC{"MCLQ"}, liquids);
  liquid.stated_size = 0;
  chunk.header.flags = 4;
  chunk.parts.push_back(liquid);
  chunk.parts.push_back({FourCC{"MCXX"}, Opaque{}, {}, {Bytes(5, 7), Remainder::State::replaces_fields}});
  const Bytes bytes = write(tile_of(chunk));
  for (std::size_t size = 92; size < bytes.size(); size += size < 4180 ? 101 : 1) {
    const Bytes cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    Diagnostics findings;
    const auto document = read(cut, {}, findings);
    ASSERT_TRUE(document) << size;
    ASSERT_TRUE(write(*document) == cut) << size;
  }
}

}  // namespace
}  // namespace thaw::adt
