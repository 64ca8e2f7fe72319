#include <thaw/open_scene.hpp>

#include "support/paths.hpp"

#include <gmock/gmock.h>
#include <algorithm>
#include <map>

namespace thaw {
namespace {

/// Chosen files of the samples under chosen names; knows what it was asked for.
class Shelf : public Source {
 public:
  void put(const std::string& name, const std::string& sample) {
    files_[name] = test::samples_dir() / sample;
  }
  [[nodiscard]] std::optional<Bytes> read(std::string_view name) const override {
    const auto found = files_.find(std::string(name));
    if (found == files_.end()) {
      return std::nullopt;
    }
    auto bytes = read_file(found->second, {});
    return bytes ? std::optional(std::move(*bytes)) : std::nullopt;
  }
  [[nodiscard]] std::string description() const override { return "shelf"; }

 private:
  std::map<std::string, std::filesystem::path> files_;
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

TEST(OpenScene, SkinsLieBesideModelsOfTheAlpha) {
  const AnyDocument beetle = sample("Creature/Beetle/Beetle.mdx");
  auto shelf = std::make_shared<Shelf>();
  shelf->put("creature/beetle/beetleskin.blp", "Creature/Beetle/BeetleSkin.blp");
  shelf->put("creature/beetle/beetleglow.blp", "Creature/Beetle/BeetleGlow.blp");
  Sources sources;
  sources.add(shelf);
  SceneRequest request;
  request.path = "creature/beetle/beetle.mdx";
  Diagnostics findings;
  EXPECT_GT(placeholders(open_scene(beetle, sources, request, findings)->scene), 0U);
  request.beside = {"creature/beetle/beetleglow.blp", "creature/beetle/beetleskin.blp"};
  EXPECT_EQ(placeholders(open_scene(beetle, sources, request, findings)->scene), 0U);
  // What the caller chooses comes before what lies beside.
  request.replaceables = {{11, "creature/beetle/none.blp"}};
  EXPECT_GT(placeholders(open_scene(beetle, sources, request, findings)->scene), 0U);
}

TEST(OpenScene, ActorsComeWithSkeletonAndMaterials) {
  SceneRequest request;
  request.path = "Human.adr";
  Diagnostics findings;
  const auto human = open_scene(sample("forgelight/Human.adr"), folder("forgelight"), request, findings);
  ASSERT_TRUE(human) << human.error().message;
  EXPECT_EQ(human->scene.name, "Human");
  EXPECT_FALSE(human->scene.meshes.empty());
  EXPECT_FALSE(human->scene.clips.empty());
  EXPECT_EQ(placeholders(human->scene), 0U);
  request.clips.wanted = [](std::string_view) { return false; };
  EXPECT_TRUE(open_scene(sample("forgelight/Human.adr"), folder("forgelight"), request, findings)
                  ->scene.clips.empty());
}

TEST(OpenScene, AnimationsNeedANetwork) {
  const AnyDocument walk = sample("forgelight/Human_Walk.nsa");
  SceneRequest request;
  Diagnostics findings;
  EXPECT_EQ(open_scene(walk, {}, request, findings).error().code.id, codes::kMrnSkeleton.id);
  const AnyDocument network = sample("forgelight/human.mrn");
  request.network = network.get_if<mrn::Document>();
  const auto opened = open_scene(walk, {}, request, findings);
  ASSERT_TRUE(opened) << opened.error().message;
  EXPECT_EQ(opened->scene.clips.size(), 1U);
}

TEST(OpenScene, MapsByTile) {
  const AnyDocument island = sample("World/Maps/Island/Island.wdt");
  const auto* map = island.get_if<wdt::Document>();
  SceneRequest request;
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
  auto shelf = std::make_shared<Shelf>();
  shelf->put("units/knight.mdx", "knight.mdx");
  Sources sources;
  sources.add(shelf);
  const auto models = models_within(host, sources, {});
  ASSERT_EQ(models.size(), 1U);
  EXPECT_EQ(models[0].path, "units/knight");
  EXPECT_FALSE(models[0].scene->meshes.empty());
}

}  // namespace
}  // namespace thaw
