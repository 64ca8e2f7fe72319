// Buildings with their group files and doodads, and maps with what stands on them.
#include <thaw/codes.hpp>
#include <thaw/control.hpp>
#include <thaw/image.hpp>
#include <thaw/wmo.hpp>
#include <thaw/world.hpp>

#include "open/parts.hpp"
#include "open/paths.hpp"

#include <algorithm>
#include <map>

namespace thaw::open {

std::string group_path(const std::string& building, std::size_t group) {
  const auto slash = building.find_last_of("/\\");
  const std::size_t name = slash == std::string::npos ? 0 : slash + 1;
  return building.substr(0, name) + wmo::group_file_name(building.substr(name), group);
}

GroupDocuments load_groups(const wmo::Document& root, const std::string& path, const Sources& sources,
                           const ReadOptions& options, Diagnostics& findings) {
  GroupDocuments documents;
  const auto* infos = root.find<wmo::GroupInfos>(FourCC{"MOGI"});
  if (!root.groups().empty() || infos == nullptr) {
    return documents;
  }
  for (std::size_t i = 0; i < std::min(infos->items.size(), kMostGroups); ++i) {
    auto& document = documents.emplace_back();
    const std::string name = group_path(path, i);
    const auto found = sources.find(name);
    if (!found) {
      findings.add(codes::kWmoGroupFile, name);
      continue;
    }
    auto read = wmo::read(found->bytes, options, findings);
    if (read) {
      document = std::move(*read);
    } else {
      findings.add(codes::kWmoGroupFile, name + ": " + read.error().message);
    }
  }
  return documents;
}

std::vector<const wmo::Document*> pointers_to(const GroupDocuments& documents) {
  std::vector<const wmo::Document*> result;
  for (const auto& document : documents) {
    result.push_back(document ? &*document : nullptr);
  }
  return result;
}

namespace {

/// Models of Warcraft III are turned otherwise than what World of Warcraft builds with.
bool is_foreign(const scene::Scene& model) { return model.source_format == "mdx"; }

scene::Scene turned(scene::Scene model) {
  scene::Scene result;
  result.name = model.name;
  scene::Node& node = result.nodes.emplace_back();
  node.name = model.name;
  node.rest.rotation = wmo::kModelTurn;
  result.models.push_back(std::make_shared<const scene::Scene>(std::move(model)));
  result.placements.push_back({0, 0});
  return result;
}

/// Null where there is none that decodes.
std::shared_ptr<const Image> find_picture(const SceneContext& context, std::string_view name) {
  const auto found = context.sources.find_texture(name);
  Diagnostics ignored;
  auto image = found
                   ? decode_fitted(found->bytes, context.request.longest_side, context.request.read, ignored)
                   : fail(codes::kTextureMissing, "");
  return image ? std::make_shared<const Image>(std::move(*image)) : nullptr;
}

/// Each model of a map and each ground texture once.
class MapModels {
 public:
  MapModels(const SceneContext& context, float scale) : context_(context), request_(context.request) {
    request_.scale = scale;
    request_.replaceables.clear();
  }

  std::shared_ptr<const scene::Scene> model(world::PlacedKind kind, std::string_view name,
                                            std::uint16_t set) {
    const auto [entry, fresh] = models_.try_emplace({on_disk(name), set});
    if (fresh) {
      Diagnostics ignored;
      entry->second = model_on_map({context_.sources, request_, ignored, context_.budget}, kind, name, set);
    }
    return entry->second;
  }

  std::shared_ptr<const Image> texture(std::string_view name) {
    const auto [entry, fresh] = textures_.try_emplace(normalize_game_path(name));
    if (fresh) {
      entry->second = find_picture(context_, name);
      if (entry->second == nullptr) {
        context_.findings.add(
            codes::kTextureMissing,
            "texture " + entry->first + " not found in any source, or not decoded; a plain colour is used");
      }
    }
    return entry->second;
  }

 private:
  SceneContext context_;
  OpenSceneOptions request_;
  std::map<std::pair<std::string, std::uint16_t>, std::shared_ptr<const scene::Scene>> models_;
  std::map<std::string, std::shared_ptr<const Image>> textures_;
};

std::vector<const wdt::Tile*> requested_tiles(const OpenSceneOptions& request, const wdt::Document& map) {
  std::vector<const wdt::Tile*> tiles;
  for (const auto& position : request.tiles) {
    if (const auto* tile = map.tile(position.x, position.y)) {
      tiles.push_back(tile);
    }
  }
  if (request.tiles.empty() && !map.tiles.empty()) {
    tiles.push_back(&map.tiles.front());
  }
  return tiles;
}

}  // namespace

Result<scene::Scene> building_scene(const SceneContext& context, const wmo::Document& building) {
  const GroupDocuments groups =
      load_groups(building, context.request.path, context.sources, context.request.read, context.findings);
  wmo::SceneOptions options;
  options.scale = context.scale(options.scale);
  options.doodad_set = context.request.doodad_set;
  options.collision = context.request.collision;
  options.portals = context.request.portals;
  options.liquid_texture = [&](std::string_view name) { return find_picture(context, name); };
  OpenSceneOptions inner = context.request;
  inner.scale = options.scale;
  inner.replaceables.clear();
  options.load_model = [&](std::string_view path) -> wmo::Model {
    const auto scene = placed_model({context.sources, inner, context.findings, context.budget}, path);
    const bool turn = scene != nullptr && is_foreign(*scene);
    return {scene, turn ? wmo::kModelTurn : Vec4{0, 0, 0, 1}};
  };
  return wmo::to_scene(building, pointers_to(groups), context.name(), options, context.findings);
}

namespace {

std::shared_ptr<scene::Scene> placed_building(const SceneContext& context, std::string_view path,
                                              const std::string& set) {
  const auto found = context.sources.find(on_disk(path));
  if (!found) {
    return nullptr;
  }
  Diagnostics ignored;
  const auto building = wmo::read(found->bytes, context.request.read, ignored);
  if (!building) {
    return nullptr;
  }
  OpenSceneOptions request = context.request;
  request.path = on_disk(path);
  request.name.clear();
  request.doodad_set = set;
  const SceneContext nested{context.sources, request, context.findings, context.budget};
  auto scene = building_scene(nested, *building);
  if (!scene) {  // a map may request a doodad set that the building does not have
    request.doodad_set.clear();
    scene = building_scene(nested, *building);
  }
  if (!scene) {
    return nullptr;
  }
  return with_pictures(context, request, std::move(*scene));
}

}  // namespace

std::shared_ptr<const scene::Scene> model_on_map(const SceneContext& context, world::PlacedKind kind,
                                                 std::string_view path, std::uint16_t set) {
  if (kind == world::PlacedKind::building) {
    // The caller's request comes before the map's.
    const std::string& target = context.request.doodad_set;
    return placed_building(context, path, target.empty() ? std::to_string(set) : target);
  }
  auto scene = placed_model(context, path);
  if (scene != nullptr && is_foreign(*scene)) {
    *scene = turned(std::move(*scene));
  }
  return scene;
}

Result<scene::Scene> map_scene(const SceneContext& context, const wdt::Document& map) {
  world::SceneOptions options;
  options.scale = context.scale(options.scale);
  MapModels models(context, options.scale);
  options.open_model = [&](world::PlacedKind kind, std::string_view name, std::uint16_t set) {
    return models.model(kind, name, set);
  };
  options.open_texture = [&](std::string_view name) { return models.texture(name); };
  options.liquid_texture = [&](std::string_view name) { return find_picture(context, name); };
  options.control = context.request.read.control;
  world::SceneBuilder builder(map.map, context.name(), options, context.findings);
  if (map.map.is_dungeon()) {
    builder.add_map_object();
  }
  const auto tiles = requested_tiles(context.request, map);
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    if (!proceed(context.request.read.control, "tiles", i, tiles.size())) {
      return fail(codes::kStopped, "");
    }
    builder.add_tile(*tiles[i]);
  }
  return builder.take();
}

}  // namespace thaw::open
