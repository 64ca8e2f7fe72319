#include <thaw/load.hpp>
#include <thaw/mrn.hpp>
#include <thaw/wdt.hpp>
#include <thaw/wmo.hpp>

#include "bytes/text.hpp"
#include "support/paths.hpp"

#include <gmock/gmock.h>
#include <algorithm>
#include <map>

namespace thaw {
namespace {

/// Chosen files of the samples, and others, under chosen names.
class Store : public Source {
 public:
  void put(const std::string& name, const std::string& sample) {
    files_[name] = read_file(test::samples_dir() / sample, {}).value();
  }
  void put(const std::string& name, Bytes bytes) { files_[name] = std::move(bytes); }
  [[nodiscard]] std::optional<Bytes> read(std::string_view name) const override {
    const auto found = files_.find(std::string(name));
    return found == files_.end() ? std::nullopt : std::optional(found->second);
  }
  [[nodiscard]] std::string description() const override { return "shelf"; }

 private:
  std::map<std::string, Bytes> files_;
};

AnyDocument sample(const std::string& name) {
  Diagnostics findings;
  const auto bytes = read_file(test::samples_dir() / name, {});
  return read_any(*bytes, {}, findings).value();
}

Sources folder(const std::string& name) {
  Sources sources;
  sources.add_folder(test::samples_dir() / name);
  return sources;
}

std::size_t placeholders(const scene::Scene& scene) {
  return static_cast<std::size_t>(std::count_if(scene.images.begin(), scene.images.end(),
                                                [](const auto& image) { return image.placeholder; }));
}

TEST(OpenScene, SkinsLieAdjacentModelsOfTheAlpha) {
  const AnyDocument beetle = sample("Creature/Beetle/Beetle.mdx");
  auto store = std::make_shared<Store>();
  store->put("creature/beetle/beetleskin.blp", "Creature/Beetle/BeetleSkin.blp");
  store->put("creature/beetle/beetleglow.blp", "Creature/Beetle/BeetleGlow.blp");
  Sources sources;
  sources.add(store);
  OpenSceneOptions request;
  request.path = "creature/beetle/beetle.mdx";
  Diagnostics findings;
  EXPECT_GT(placeholders(open_scene(beetle, sources, request, findings)->scene), 0U);
  request.adjacent = {"creature/beetle/beetleglow.blp", "creature/beetle/beetleskin.blp"};
  EXPECT_EQ(placeholders(open_scene(beetle, sources, request, findings)->scene), 0U);
  // What the caller chooses comes before what lies beside.
  request.replaceables = {{11, "creature/beetle/none.blp"}};
  EXPECT_GT(placeholders(open_scene(beetle, sources, request, findings)->scene), 0U);
}

TEST(OpenScene, ActorsComeWithSkeletonAndMaterials) {
  OpenSceneOptions request;
  request.path = "Human.adr";
  Diagnostics findings;
  const auto human = open_scene(sample("forgelight/Human.adr"), folder("forgelight"), request, findings);
  ASSERT_TRUE(human) << human.error().message;
  EXPECT_EQ(human->scene.name, "Human");
  EXPECT_FALSE(human->scene.meshes.empty());
  EXPECT_FALSE(human->scene.clips.empty());
  EXPECT_EQ(placeholders(human->scene), 0U);
  request.clips.requested = [](std::string_view) { return false; };
  const auto still = open_scene(sample("forgelight/Human.adr"), folder("forgelight"), request, findings);
  ASSERT_FALSE(still);
  EXPECT_EQ(still.error().code, codes::kSceneNoClip);
}

TEST(OpenScene, AnimationsNeedANetwork) {
  const AnyDocument walk = sample("forgelight/Human_Walk.nsa");
  OpenSceneOptions request;
  Diagnostics findings;
  EXPECT_EQ(open_scene(walk, {}, request, findings).error().code.id, codes::kMrnSkeleton.id);
  const AnyDocument network = sample("forgelight/human.mrn");
  request.network = std::make_shared<const mrn::Document>(*network.get_if<mrn::Document>());
  const auto opened = open_scene(walk, {}, request, findings);
  ASSERT_TRUE(opened) << opened.error().message;
  EXPECT_EQ(opened->scene.clips.size(), 1U);
}

TEST(OpenScene, MapsByTile) {
  const AnyDocument island = sample("World/Maps/Island/Island.wdt");
  const auto* map = island.get_if<wdt::Document>();
  OpenSceneOptions request;
  request.path = "Island.wdt";
  Diagnostics findings;
  const auto first = open_scene(island, {}, request, findings);
  ASSERT_TRUE(first);
  EXPECT_FALSE(first->scene.meshes.empty());
  for (const auto& tile : map->tiles) {
    request.tiles.push_back({static_cast<std::uint8_t>(tile.x()), static_cast<std::uint8_t>(tile.y())});
  }
  const auto all = open_scene(island, {}, request, findings);
  EXPECT_EQ(all->scene.meshes.size() > first->scene.meshes.size(), map->tiles.size() > 1);
  request.tiles = {{0, 0}};
  ASSERT_EQ(map->tile(0, 0), nullptr);
  EXPECT_TRUE(open_scene(island, {}, request, findings)->scene.meshes.empty());
}

/// A map of the alpha that is nothing but one building.
Bytes dungeon(std::string_view building) {
  Bytes bytes;
  const auto put = [&](std::string_view text) {
    std::transform(text.begin(), text.end(), std::back_inserter(bytes),
                   [](char c) { return static_cast<std::uint8_t>(c); });
  };
  const auto add = [&](std::string_view tag, std::size_t size, std::string_view content) {
    put(std::string(tag.rbegin(), tag.rend()));
    for (unsigned shift = 0; shift < 32; shift += 8) {
      bytes.push_back(static_cast<std::uint8_t>(size >> shift));
    }
    put(content);
    bytes.insert(bytes.end(), size - content.size(), 0);
  };
  add("MVER", 4, "\x12");
  add("MPHD", 128, "");
  add("MAIN", 65536, "");
  add("MDNM", 0, "");
  add("MONM", building.size() + 1, building);
  add("MODF", 64, "");
  return bytes;
}

TEST(OpenScene, ABuildingMayNotHoldTheMapThatItStandsIn) {
  Diagnostics findings;
  auto house = *sample("house.wmo").get_if<wmo::Document>();
  for (auto& chunk : house.chunks) {
    if (auto* root = std::get_if<wmo::Root>(&chunk.body)) {
      for (auto& part : root->chunks) {
        if (auto* names = std::get_if<wmo::Strings>(&part.body);
            names != nullptr && part.tag == FourCC{"MODN"}) {
          constexpr std::string_view kMap = "loop.wdt";
          names->text = Array<char>(kMap.begin(), kMap.end());
          names->text.push_back('\0');
        }
        if (auto* doodads = std::get_if<wmo::Doodads>(&part.body)) {
          for (auto& doodad : doodads->items) {
            doodad.set_name_offset(0);
          }
        }
      }
    }
  }
  auto store = std::make_shared<Store>();
  store->put("house.wmo", wmo::write(house));
  store->put("loop.wdt", dungeon("house.wmo"));
  Sources sources;
  sources.add(store);
  for (const std::string name : {"house.wmo", "loop.wdt"}) {
    const auto document = read_any(*store->read(name), {}, findings);
    ASSERT_TRUE(document) << name;
    OpenSceneOptions request;
    request.path = name;
    const auto opened = open_scene(*document, sources, request, findings);
    ASSERT_TRUE(opened) << name << ": " << opened.error().message;
    EXPECT_FALSE(opened->scene.meshes.empty() && opened->scene.models.empty()) << name;
  }
}

TEST(OpenScene, ClipsByName) {
  OpenSceneOptions request;
  request.clips.requested = [](std::string_view name) { return name == "Death"; };
  Diagnostics findings;
  const auto all = open_scene(sample("everything_v800.mdx"), {}, {}, findings);
  const auto one = open_scene(sample("everything_v800.mdx"), {}, request, findings);
  const auto sequences = [](const scene::Scene& scene, bool global) {
    return std::count_if(scene.clips.begin(), scene.clips.end(),
                         [&](const scene::Clip& clip) { return clip.global == global; });
  };
  ASSERT_TRUE(all && one);
  EXPECT_GT(sequences(all->scene, false), 1);
  EXPECT_EQ(sequences(one->scene, false), 1);
  EXPECT_GT(sequences(all->scene, true), 0);
  EXPECT_EQ(sequences(one->scene, true), sequences(all->scene, true)) << "loops stay";
  ASSERT_EQ(one->scene.events.size(), all->scene.events.size());
  for (std::size_t i = 0; i < one->scene.events.size(); ++i) {
    const auto before = all->scene.events[i].global_loop;
    const auto now = one->scene.events[i].global_loop;
    ASSERT_EQ(before == scene::kNone, now == scene::kNone);
    if (now != scene::kNone) {
      EXPECT_EQ(one->scene.clips.at(now).name, all->scene.clips.at(before).name);
    }
  }
  request.clips.requested = [](std::string_view) { return false; };
  const auto none = open_scene(sample("everything_v800.mdx"), {}, request, findings);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, codes::kSceneNoClip);
}

TEST(OpenScene, PicturesAreNoModels) {
  Diagnostics findings;
  const auto opened = open_scene(sample("Textures/knight.blp"), {}, {}, findings);
  EXPECT_EQ(opened.error().code.id, codes::kFormatUnsupported.id);
}

TEST(OpenScene, ModelsWithinModels) {
  scene::Scene host;
  host.attachments.resize(3);
  host.attachments[0].path = R"(Units\Knight.MDL)";
  host.attachments[1].path = "units/knight.mdx";
  host.attachments[2].path = "units/nobody.mdx";
  auto store = std::make_shared<Store>();
  store->put("units/knight.mdx", "knight.mdx");
  Sources sources;
  sources.add(store);
  const auto models = models_within(host, sources, {}).value();
  ASSERT_EQ(models.size(), 1U);
  EXPECT_EQ(models[0].path, "units/knight");
  EXPECT_FALSE(models[0].scene->meshes.empty());
}

/// A table of the game: heads, then rows.
Bytes table(const std::vector<std::vector<std::string>>& rows) {
  std::string text = "ID;PWXL;N;E\n";
  for (std::size_t y = 0; y < rows.size(); ++y) {
    for (std::size_t x = 0; x < rows[y].size(); ++x) {
      text += "C;X" + std::to_string(x + 1) + ";Y" + std::to_string(y + 1) + ";K" + rows[y][x] + "\n";
    }
  }
  text += "E\n";
  return to_bytes(text);
}

TEST(OpenScene, EventsLaySplatsAsTheTablesOfTheGameSay) {
  const std::string text = R"(Version { FormatVersion 800, }
Model "steps" { BlendTime 150, }
Sequences 1 { Anim "Walk" { Interval { 0, 1000 }, } }
Helper "root" { ObjectId 0, }
EventObject "FPTxFOOT" { ObjectId 1, EventTrack 1 { 500, } }
EventObject "ubrxHOLE" { ObjectId 2, EventTrack 1 { 100, } }
EventObject "SPLxNONE" { ObjectId 3, EventTrack 1 { 100, } }
EventObject "SNDxFOOT" { ObjectId 4, EventTrack 1 { 100, } }
PivotPoints 5 { { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 }, }
)";
  const auto document = read_any(to_bytes(text), {}, Diagnostics::discarded());
  ASSERT_TRUE(document);
  auto store = std::make_shared<Store>();
  store->put("splats/splatdata.slk",
             table({{"SplatID", "file", "BlendMode", "Scale", "Rows", "Columns", "Lifespan", "Decay",
                     "UVLifespanStart", "UVLifespanEnd", "LifespanRepeat", "StartR", "MiddleA", "EndG"},
                    {"\"FOOT\"", "\"Print\"", "1", "30.5", "2", "4", "1.5", "2", "1", "3", "2", "255", "51",
                     "102"}}));
  store->put("splats/ubersplatdata.slk",
             table({{"Name", "file", "BlendMode", "Scale", "BirthTime", "PauseTime", "Decay"},
                    {"HOLE", "Crater", "9", "-4", "1", "2", "nonsense"}}));
  Sources sources;
  sources.add(store);
  OpenSceneOptions request;
  request.emitter_pictures = true;
  Diagnostics findings;
  const auto opened = open_scene(*document, sources, request, findings);
  ASSERT_TRUE(opened);
  const scene::Scene& scene = opened->scene;
  ASSERT_EQ(scene.splats.size(), 2U) << "those that the tables have, and no sounds";
  const scene::Splat& print = scene.splats[0];
  EXPECT_EQ(scene.events.at(print.event).name, "FPTxFOOT");
  EXPECT_EQ(scene.textures.at(print.texture).path, "ReplaceableTextures\\Splats\\Print.blp");
  EXPECT_EQ(print.blend, scene::BlendMode::additive);
  EXPECT_FLOAT_EQ(print.scale, 0.305F);
  EXPECT_EQ(print.rows, 2U);
  EXPECT_EQ(print.columns, 4U);
  EXPECT_EQ(print.birth, 1.5F);
  EXPECT_EQ(print.pause, 0);
  EXPECT_EQ(print.decay, 2);
  EXPECT_EQ(print.birth_cells.end, 3U);
  EXPECT_EQ(print.birth_cells.repeat, 2U);
  EXPECT_EQ(print.colors[0], (Vec4{1, 0, 0, 0}));
  EXPECT_FLOAT_EQ(print.colors[1][3], 0.2F);
  EXPECT_FLOAT_EQ(print.colors[2][1], 0.4F);
  const scene::Splat& hole = scene.splats[1];
  EXPECT_EQ(hole.blend, scene::BlendMode::blend) << "a filter that there is not";
  EXPECT_EQ(hole.scale, 0);
  EXPECT_EQ(hole.birth, 1);
  EXPECT_EQ(hole.pause, 2);
  EXPECT_EQ(hole.decay, 0);
  request.emitter_pictures = false;
  EXPECT_TRUE(open_scene(*document, sources, request, findings)->scene.splats.empty()) << "nothing for glTF";
}

}  // namespace
}  // namespace thaw
