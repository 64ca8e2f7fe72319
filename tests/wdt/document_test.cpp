#include <thaw/wdl.hpp>
#include <thaw/wdt.hpp>

#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <mutex>

#include "support/files.hpp"
#include "support/paths.hpp"
#include "support/raw_bytes.hpp"

namespace thaw::wdt {
namespace {

using test::corpus_dir;
using test::load;
using test::RawBytes;

Bytes head_of(const Bytes& bytes, std::size_t size) {
  return {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)};
}

Document read_good(const Bytes& bytes) {
  Diagnostics findings;
  auto document = read(bytes, {}, findings);
  EXPECT_TRUE(document) << document.error().message;
  for (const auto& finding : findings.items()) {
    ADD_FAILURE() << finding.code.id << ' ' << finding.path << ' ' << finding.message;
  }
  return document ? std::move(*document) : Document();
}

/// A map of these tiles, flat, with a name and a placement in each.
Document small_map(const std::vector<std::uint16_t>& indices) {
  Document document;
  document.map.doodad_names = join_names({"World\\Tree.mdx"});
  for (const auto index : indices) {
    Tile& tile = document.tiles.emplace_back();
    tile.index = index;
    tile.textures = join_names({"Tileset\\Grass.blp"});
    tile.doodads.emplace_back().unique_id = index;
    for (std::uint16_t slot = 0; slot < kChunks; ++slot) {
      Chunk& chunk = tile.chunks.emplace_back();
      chunk.slot = slot;
      chunk.header.x = slot % kChunksPerSide;
      chunk.header.y = slot / kChunksPerSide;
      chunk.heights.fill(static_cast<float>(index));
      chunk.normals.fill({0, 0, 127});
      chunk.header.radius = radius_of(chunk);
      chunk.layers.emplace_back();
    }
    tile.chunks[7].references = {0};
    tile.chunks[7].header.doodad_reference_count = 1;
  }
  lay_out(document);
  return document;
}

/// Counts what is read, and from where.
class CountedStorage : public Storage {
 public:
  explicit CountedStorage(Bytes bytes) : bytes_(std::move(bytes)), touched_(bytes_.size(), false) {}

  [[nodiscard]] std::uint64_t size() const override { return bytes_.size(); }
  [[nodiscard]] bool read(std::uint64_t offset, std::span<std::uint8_t> out) const override {
    if (offset > bytes_.size() || out.size() > bytes_.size() - offset) {
      return false;
    }
    const std::lock_guard lock(mutex_);
    std::copy_n(bytes_.data() + offset, out.size(), out.data());
    std::fill_n(touched_.begin() + static_cast<std::ptrdiff_t>(offset), out.size(), true);
    ++reads;
    return true;
  }
  [[nodiscard]] std::size_t touched(std::size_t from, std::size_t to) const {
    const auto begin = touched_.begin();
    return static_cast<std::size_t>(
        std::count(begin + static_cast<std::ptrdiff_t>(from), begin + static_cast<std::ptrdiff_t>(to), true));
  }

  mutable std::size_t reads = 0;

 private:
  Bytes bytes_;
  mutable std::vector<bool> touched_;
  mutable std::mutex mutex_;
};

// --- the corpus' own numbers (wdt.md#test-files)

TEST(Wdt, SyntheticMapHasTheNumbersOfThePage) {
  THAW_REQUIRE_CORPUS("alpha/_derived/synth.wdt");
  const Bytes bytes = load(corpus_dir() / "alpha/_derived/synth.wdt");
  const Document document = read_good(bytes);
  EXPECT_EQ(write(document), bytes);
  EXPECT_TRUE(document.gaps.empty());
  const Map& map = document.map;
  EXPECT_EQ(map.header.doodad_name_count, 2U);
  EXPECT_EQ(map.header.map_object_names_offset, 65721U);
  EXPECT_EQ(split_names(map.doodad_names), (std::vector<std::string_view>{"World\\Test\\Tree.mdx"}));
  EXPECT_EQ(split_names(map.map_object_names), (std::vector<std::string_view>{"World\\wmo\\Test\\Hut.wmo"}));
  EXPECT_FALSE(map.is_dungeon());
  ASSERT_NE(map.entry(32, 31), nullptr);
  EXPECT_EQ(map.entry(31, 32), nullptr);
  const Tile* tile = document.tile(32, 31);
  ASSERT_NE(tile, nullptr);
  EXPECT_EQ(tile->chunks.size(), kChunks);
  EXPECT_TRUE(tile->gaps.empty());
  std::size_t rivers = 0;
  for (const Chunk& chunk : tile->chunks) {
    const bool river = chunk.header.x == chunk.header.y;
    EXPECT_EQ(chunk.header.flags, river ? 5U : 1U);
    EXPECT_EQ(chunk.layers.size(), 2U);
    EXPECT_EQ(chunk.header.holes, chunk.slot == 9 * 16 + 2 ? 0x8001U : 0U);
    rivers += chunk.liquids.size();
  }
  EXPECT_EQ(rivers, 16U);
  EXPECT_EQ(tile->chunk(3, 3)->doodad_references().size(), 1U);
  EXPECT_EQ(tile->chunk(5, 5)->map_object_references().size(), 1U);
  EXPECT_TRUE(tile->chunk(2, 9)->has_hole(1, 1));
  EXPECT_TRUE(tile->chunk(2, 9)->has_hole(6, 7));
  EXPECT_FALSE(tile->chunk(2, 9)->has_hole(2, 0));
}

TEST(Wdt, SyntheticMapHoldsItsFunctions) {
  THAW_REQUIRE_CORPUS("alpha/_derived/synth.wdt");
  const Document document = read_good(load(corpus_dir() / "alpha/_derived/synth.wdt"));
  const auto height = [](double row, double column) {
    return 20 * std::sin(row / 17) + 12 * std::cos(column / 11);
  };
  for (const Chunk& chunk : document.tiles.at(0).chunks) {
    for (std::size_t i = 0; i < kOuterCount; ++i) {
      const double row = chunk.header.y * 8.0 + static_cast<double>(i / 9);
      const double column = chunk.header.x * 8.0 + static_cast<double>(i % 9);
      ASSERT_NEAR(double{chunk.outer(i / 9, i % 9)}, height(row, column), 1e-4);
      if (i / 9 < 8 && i % 9 < 8) {
        ASSERT_NEAR(double{chunk.inner(i / 9, i % 9)}, height(row + 0.5, column + 0.5), 1e-4);
      }
    }
    for (std::size_t i = 0; i < kMapSide * kMapSide; ++i) {
      const std::size_t x = i % kMapSide;
      const std::size_t y = i / kMapSide;
      ASSERT_EQ(chunk.alpha_at(1, x, y), 17 * std::min<std::size_t>(15, x / 4));
      ASSERT_EQ(chunk.shadow_at(x, y), chunk.shadow_at(0, 0) != ((x / 8 + y / 8) % 2 != 0));
    }
    EXPECT_EQ(chunk.alpha_at(0, 5, 5), 255);
    if (const Liquid* river = chunk.liquid(LiquidKind::river)) {
      EXPECT_EQ(river->vertices[40].height, 0.5F);
      EXPECT_EQ(river->vertices[40].data[0], 100);
      EXPECT_TRUE(river->shows(7, 7));
      EXPECT_EQ(chunk.liquid(LiquidKind::slime), nullptr);
    }
  }
}

TEST(Wdt, DerivedMapMeetsItself) {
  THAW_REQUIRE_CORPUS("alpha/_derived/Azeroth.wdt");
  const Bytes bytes = load(corpus_dir() / "alpha/_derived/Azeroth.wdt");
  const Document document = read_good(bytes);
  EXPECT_EQ(write(document), bytes);
  EXPECT_TRUE(split_names(document.map.doodad_names).empty());
  const Tile& tile = document.tiles.at(0);
  EXPECT_EQ(tile.x(), 38U);
  EXPECT_EQ(tile.y(), 46U);
  for (std::size_t i = 0; i < kChunks; ++i) {
    const std::size_t x = i % 16;
    const std::size_t y = i / 16;
    for (std::size_t k = 0; k < kOuterSide; ++k) {
      if (x < 15) {
        ASSERT_NEAR(tile.chunk(x, y)->outer(k, 8), tile.chunk(x + 1, y)->outer(k, 0), 1e-3F);
      }
      if (y < 15) {
        ASSERT_NEAR(tile.chunk(x, y)->outer(8, k), tile.chunk(x, y + 1)->outer(0, k), 1e-3F);
      }
    }
  }
}

/// A file that is laid out anew is the same where its writer kept the client's order.
TEST(Wdt, LayingOutFindsTheSamePlaces) {
  THAW_REQUIRE_CORPUS("alpha/_derived");
  for (const char* name : {"alpha/_derived/Azeroth.wdt", "alpha/_derived/synth.wdt"}) {
    const Bytes bytes = load(corpus_dir() / name);
    Document document = read_good(bytes);
    lay_out(document);
    EXPECT_TRUE(write(document) == bytes) << name;
  }
}

// --- names

TEST(Wdt, NamesAreCountedAsTheGameDoes) {
  const auto split = [](std::string_view text) {
    const Array<char> table(text.begin(), text.end());
    std::vector<std::string> names;
    for (const auto name : split_names(table)) {
      names.emplace_back(name);
    }
    return names;
  };
  using Names = std::vector<std::string>;
  using namespace std::string_view_literals;
  EXPECT_EQ(split(""sv), Names());
  EXPECT_EQ(split("\0"sv), Names());
  EXPECT_EQ(split("a\0"sv), Names({"a"}));
  EXPECT_EQ(split("a\0\0"sv), Names({"a"}));
  EXPECT_EQ(split("\0a\0\0b\0"sv), Names({"a", "", "b"}));
  EXPECT_EQ(split("a\0b"sv), Names({"a", "b"}));
}

/// The head of RazorfenDowns.wdt as it is known (wdt.md#worked-example): an empty MDNM, odd offsets, a map
/// object and tiles.
TEST(Wdt, AMapObjectAndTilesMayStandTogether) {
  Document document = small_map({27 * 64 + 26});
  document.map.doodad_names.clear();
  document.map.map_object_names =
      join_names({"World\\wmo\\Dungeon\\KL_Razorfen\\RazorfenDowns_instance.wmo"});
  document.map.map_objects.emplace_back().unique_id = 0xFFFFFFFF;
  Tile& tile = document.tiles[0];
  tile.textures.clear();
  tile.doodads.clear();
  for (Chunk& chunk : tile.chunks) {
    chunk.layers.clear();
    chunk.references.clear();
  }
  lay_out(document);
  const Bytes bytes = write(document);
  const Document again = read_good(bytes);
  EXPECT_EQ(again, document);
  EXPECT_TRUE(again.map.is_dungeon());
  EXPECT_EQ(again.map.header, (Header{0, 65692, 2, 65700, {}}));
  EXPECT_EQ(again.map.entry(26, 27)->offset, 65837U);
  EXPECT_EQ(again.map.entry(26, 27)->size, 4200U);
  const TileHeader& header = again.tiles[0].header;
  EXPECT_EQ(header, (TileHeader{64, 4168, 8, 4176, 0, 4184, 0, {}}));
  EXPECT_EQ(again.tiles[0].chunk_table[0].offset, 70037U);
  const ChunkHeader& chunk = again.tiles[0].chunks[0].header;
  EXPECT_EQ(chunk.radius, 23.570227F);
  EXPECT_EQ(chunk.normals_offset, 580U);
  EXPECT_EQ(chunk.layers_offset, 1028U);
  EXPECT_EQ(chunk.references_offset, 1036U);
  for (const auto offset :
       {chunk.alpha_offset, chunk.shadow_offset, chunk.sound_emitters_offset, chunk.liquid_offset}) {
    EXPECT_EQ(offset, 1044U);
  }
}

TEST(Wdt, AMapOfOneObjectHasNoTiles) {
  Document document;
  document.map.map_object_names = join_names({"World\\wmo\\Inside.wmo"});
  document.map.map_objects.emplace_back().doodad_set = 3;
  lay_out(document);
  const Document again = read_good(write(document));
  EXPECT_EQ(again, document);
  EXPECT_TRUE(again.tiles.empty());
}

// --- one tile of many

TEST(Wdt, OneTileIsReadAlone) {
  const Document document = small_map({5, 64, 65, 4095});
  const auto storage = std::make_shared<CountedStorage>(write(document));
  Diagnostics findings;
  const auto world = open(storage, {}, findings);
  ASSERT_TRUE(world);
  EXPECT_EQ(world->map(), document.map);
  EXPECT_EQ(world->tiles(), (std::vector<TilePosition>{{5, 0}, {0, 1}, {1, 1}, {63, 63}}));
  const std::size_t first = document.map.tiles[5].offset;
  EXPECT_EQ(storage->touched(first + 8, storage->size()), 0U) << "of the tiles not more than a head";
  const auto tile = world->tile(1, 1, findings);
  ASSERT_TRUE(tile);
  EXPECT_EQ(*tile, document.tiles[2]);
  const auto from = document.map.tiles[65].offset;
  const auto to = document.map.tiles[4095].offset;
  EXPECT_EQ(storage->touched(from, to), to - from);
  EXPECT_EQ(storage->touched(first + 8, from), 0U);
  EXPECT_EQ(storage->touched(to, storage->size()), 0U);
  EXPECT_LT(storage->reads, 12U);
  EXPECT_FALSE(world->tile(2, 1, findings));
  EXPECT_FALSE(world->tile(64, 0, findings));
  const auto head = world->tile_head(63, 63, findings);
  ASSERT_TRUE(head);
  EXPECT_EQ(head->doodads, document.tiles[3].doodads);
  EXPECT_EQ(head->textures, document.tiles[3].textures);
  EXPECT_TRUE(head->chunks.empty());
  EXPECT_EQ(storage->touched(to, storage->size()), document.map.tiles[4095].size);
  EXPECT_TRUE(findings.items().empty());
}

TEST(Wdt, FindingsOfOneTileHavePlacesInTheFile) {
  Document document = small_map({1, 2});
  document.tiles[1].chunks[3].header.alpha_offset = 0;
  const Bytes bytes = write(document);
  Diagnostics whole;
  ASSERT_TRUE(read(bytes, {}, whole));
  Diagnostics alone;
  const auto world = open(memory_storage(bytes), {}, alone);
  ASSERT_TRUE(world && world->tile(2, 0, alone));
  ASSERT_EQ(whole.items().size(), 1U);
  ASSERT_EQ(alone.items().size(), 1U);
  EXPECT_EQ(whole.items()[0].path, "tiles[1].MCNK[3].header.alphaOffset");
  EXPECT_EQ(alone.items()[0].path, "MCNK[3].header.alphaOffset");
  EXPECT_EQ(alone.items()[0].offset, whole.items()[0].offset);
}

// --- damage

TEST(Wdt, EveryCutReadsAndIsExact) {
  const Bytes bytes = write(small_map({3}));
  for (std::size_t size = 20; size < bytes.size(); size += size < 66000 ? 7001 : 2111) {
    const Bytes cut = head_of(bytes, size);
    Diagnostics findings;
    const auto document = read(cut, {}, findings);
    ASSERT_TRUE(document) << size;
    EXPECT_FALSE(findings.items().empty());
    EXPECT_TRUE(write(*document) == cut) << size;
  }
}

TEST(Wdt, TilesMayLieInAnyOrder) {
  Document document = small_map({3, 9});
  std::swap(document.map.tiles[3], document.map.tiles[9]);
  std::swap(document.tiles[0], document.tiles[1]);
  std::swap(document.tiles[0].index, document.tiles[1].index);
  const Bytes bytes = write(document);
  EXPECT_EQ(read_good(bytes), document);
  EXPECT_EQ(document.tiles[0].doodads[0].unique_id, 9U);
}

TEST(Wdt, ADamagedChunkHarmsNoOther) {
  Document document = small_map({3});
  const std::size_t at = document.tiles[0].chunk_table[8].offset;
  Bytes bytes = write(document);
  bytes[at + 8 + 0x34] = 0xFF;  // size of the shadow
  Diagnostics findings;
  auto again = read(bytes, {}, findings);
  ASSERT_TRUE(again);
  EXPECT_EQ(write(*again), bytes);
  EXPECT_TRUE(again->tiles[0].chunks[8].frame.remainder.replaces_fields());
  again->tiles[0].chunks[8] = document.tiles[0].chunks[8];
  EXPECT_EQ(*again, document);
  ReadOptions strict;
  strict.strict = true;
  EXPECT_FALSE(read(bytes, strict, findings));
}

TEST(Wdt, ChunksThatCannotBeAreKeptAsBytes) {
  for (const std::size_t target : {std::size_t{0}, std::size_t{70000}, std::size_t{0xFFFFFFF0}}) {
    Document document = small_map({3});
    document.tiles[0].chunk_table[8].offset =
        target == 0 ? document.tiles[0].chunk_table[7].offset : static_cast<std::uint32_t>(target);
    Bytes bytes = write(small_map({3}));
    const std::size_t entry = document.map.tiles[3].offset + 8 + 64 + 8 + std::size_t{8} * 16;
    std::memcpy(bytes.data() + entry, &document.tiles[0].chunk_table[8].offset, 4);
    Diagnostics findings;
    const auto again = read(bytes, {}, findings);
    ASSERT_TRUE(again);
    EXPECT_EQ(again->tiles[0].chunks.size(), kChunks - 1);
    EXPECT_EQ(again->tiles[0].chunk(8, 0), nullptr);
    EXPECT_EQ(again->tiles[0].gaps.size(), 1U);
    EXPECT_TRUE(write(*again) == bytes);
  }
}

TEST(Wdt, OtherFilesAreRefused) {
  Diagnostics findings;
  EXPECT_FALSE(read(RawBytes().chunk("REVM", RawBytes().u32(18)).bytes(), {}, findings));
  const Bytes later =
      RawBytes().chunk("REVM", RawBytes().u32(18)).chunk("DHPM", RawBytes().zeros(32)).bytes();
  EXPECT_EQ(read(later, {}, findings).error().code, codes::kFormatUnknown);
  EXPECT_EQ(open(memory_storage(later), {}, findings).error().code, codes::kFormatUnknown);
}

}  // namespace
}  // namespace thaw::wdt

namespace thaw::wdl {
namespace {

using test::RawBytes;

Document far_terrain() {
  Document document;
  for (const std::uint16_t index : std::array<std::uint16_t, 2>{5, 70}) {
    Area& area = document.areas.emplace_back();
    area.index = index;
    for (std::size_t i = 0; i < area.outer.size(); ++i) {
      area.outer.at(i) = static_cast<std::int16_t>(static_cast<int>(i) - index);
    }
  }
  lay_out(document);
  return document;
}

TEST(Wdl, ADocumentReadsBack) {
  const Document document = far_terrain();
  const Bytes bytes = write(document);
  EXPECT_EQ(bytes.size(), 12 + 8 + 16384 + 2 * (8 + 1090));
  Diagnostics findings;
  const auto again = read(bytes, {}, findings);
  ASSERT_TRUE(again);
  EXPECT_TRUE(findings.items().empty());
  EXPECT_EQ(*again, document);
  ASSERT_NE(again->area(6, 1), nullptr);
  EXPECT_EQ(again->area(6, 1)->outer_at(1, 0), 17 - 70);
  EXPECT_EQ(again->area(5, 1), nullptr);
  EXPECT_FALSE(again->areas[0].has_hole(0, 0));
}

TEST(Wdl, LaterFilesWithBuildingsAndHolesAreExact) {
  RawBytes offsets;
  const std::uint32_t first = 12 + (8 + 5) + (8 + 4) + (8 + 64) + 8 + 16384;
  offsets.zeros(4 * 9).u32(first).zeros(4 * (kTiles - 10));
  RawBytes bytes;
  bytes.chunk("REVM", RawBytes().u32(18)).chunk("OMWM", RawBytes().text("a.wm", 5));
  bytes.chunk("DIWM", RawBytes().u32(0)).chunk("FDOM", RawBytes().zeros(64)).chunk("FOAM", offsets);
  bytes.chunk("ERAM", RawBytes().zeros(1090)).chunk("OHAM", RawBytes().u16(2).zeros(30));
  bytes.chunk("XXXX", RawBytes().zeros(3));
  Diagnostics findings;
  const auto document = read(bytes.bytes(), {}, findings);
  ASSERT_TRUE(document);
  EXPECT_TRUE(findings.items().empty());
  EXPECT_EQ(write(*document), bytes.bytes());
  ASSERT_EQ(document->areas.size(), 1U);
  EXPECT_TRUE(document->areas[0].has_hole(0, 1));
  EXPECT_FALSE(document->areas[0].has_hole(1, 1));
  ASSERT_EQ(document->gaps.size(), 1U);
  EXPECT_EQ(document->gaps[0].bytes.size(), 11U);
}

TEST(Wdl, DamageIsKept) {
  const Bytes bytes = write(far_terrain());
  for (std::size_t size = 20; size < bytes.size(); size += size < 16000 ? 997 : 13) {
    const Bytes cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    Diagnostics findings;
    const auto document = read(cut, {}, findings);
    ASSERT_TRUE(document) << size;
    EXPECT_EQ(write(*document), cut);
  }
  for (const std::uint32_t offset : {1U, 20U, 16404U, 16405U, 0xFFFFFFFFU}) {
    Bytes patched = bytes;
    std::memcpy(patched.data() + 20 + std::size_t{70} * 4, &offset, 4);
    Diagnostics findings;
    const auto document = read(patched, {}, findings);
    ASSERT_TRUE(document) << offset;
    EXPECT_EQ(document->areas.size(), 1U);
    EXPECT_EQ(findings.items().size(), 1U);
    EXPECT_EQ(write(*document), patched);
  }
}

}  // namespace
}  // namespace thaw::wdl
