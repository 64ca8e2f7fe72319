// Tiles as a scene.
#include <thaw/codes.hpp>
#include <thaw/control.hpp>
#include <thaw/world.hpp>

#include "bytes/number_text.hpp"
#include "bytes/text.hpp"
#include "scene/bounds.hpp"
#include "world/axes.hpp"
#include "world/bake.hpp"
#include "world/ground.hpp"

#include <algorithm>
#include <cmath>

namespace thaw::world {
namespace {

using scene::Index;
using scene::kNone;

std::string name_of_tile(const wdt::Tile& tile) {
  return "tile " + std::to_string(tile.x()) + "_" + std::to_string(tile.y());
}

scene::Node plain_node(std::string name, Index parent) {
  scene::Node node;
  node.name = std::move(name);
  node.parent = parent;
  node.kind = scene::NodeKind::helper;
  return node;
}

Index add_node(scene::Scene& scene, scene::Node node) {
  scene.nodes.push_back(std::move(node));
  return static_cast<Index>(scene.nodes.size() - 1);
}

Vec3 origin_of(TileIndex tile, float scale) {
  return to_scene_axes(kMapEdge - tile.y * kTileSize, kMapEdge - tile.x * kTileSize, 0, double{scale});
}

scene::Transform transform_of(const Pose& pose, TileIndex tile, float scale) {
  scene::Transform transform;
  transform.translation =
      to_scene_axes(pose.position[0] - (kMapEdge - tile.y * kTileSize),
                    pose.position[1] - (kMapEdge - tile.x * kTileSize), pose.position[2], double{scale});
  transform.rotation = to_scene_axes(pose.rotation);
  const auto size = static_cast<float>(pose.scale);
  transform.scale = {size, size, size};
  return transform;
}

TileIndex index_of(const wdt::Tile& tile) {
  return {static_cast<std::uint8_t>(tile.x()), static_cast<std::uint8_t>(tile.y())};
}

/// Which of the tile's placements any chunk refers to.
template <class F>
std::vector<bool> referenced(const wdt::Tile& tile, std::size_t count, F&& references) {
  std::vector<bool> result(count);
  for (const auto& chunk : tile.chunks) {
    for (const std::uint32_t index : references(chunk)) {
      if (index < count) {
        result[index] = true;
      }
    }
  }
  return result;
}

void report_unseen(const wdt::Tile& tile, const std::vector<bool>& seen, std::string_view list,
                   Diagnostics& diagnostics) {
  const auto unseen = std::count(seen.begin(), seen.end(), false);
  if (unseen > 0) {
    diagnostics.add(codes::kWorldUnseen,
                    counted(static_cast<std::uint64_t>(unseen), "placement") +
                        " without a chunk reference left out, because the client never draws them",
                    {}, "tiles[" + std::to_string(tile.index) + "]." + std::string(list));
  }
}

/// Adds a material of one layer with one texture.
Index add_material(scene::Scene& scene, std::string name, std::optional<scene::Texture> texture) {
  scene::Material material;
  material.name = std::move(name);
  scene::Layer& layer = material.layers.emplace_back();
  if (texture) {
    layer.texture = static_cast<Index>(scene.textures.size());
    scene.textures.push_back(std::move(*texture));
  }
  scene.materials.push_back(std::move(material));
  return static_cast<Index>(scene.materials.size() - 1);
}

/// The chunks by the texture of their lowest layer; kNone for chunks without layers.
ChunkGroups groups_by_texture(const wdt::Tile& tile) {
  ChunkGroups groups{};
  for (const auto& chunk : tile.chunks) {
    groups.at(chunk.slot % wdt::kChunks) = chunk.layers.empty() ? kNone : chunk.layers.front().texture_id;
  }
  return groups;
}

/// The group of chunks that the tile's picture shows is 0.
std::uint32_t group_alone(const wdt::Chunk& chunk) { return 1U + chunk.slot % wdt::kChunks; }

Value tile_extras(const wdt::Tile& tile) {
  Value textures = Value::List();
  for (const std::string_view name : wdt::split_names(tile.textures)) {
    textures.push(to_utf8(name));
  }
  Value sounds = Value::List();
  for (const auto& chunk : tile.chunks) {
    for (const auto& emitter : chunk.emitters) {
      sounds.push(Value()
                      .set("id", emitter.sound_point_id)
                      .set("sound", emitter.sound_name_id)
                      .set("position", list_of(emitter.position))
                      .set("minimumDistance", emitter.minimum_distance)
                      .set("maximumDistance", emitter.maximum_distance));
    }
  }
  Value extras;
  extras.set("tile", Value::List{static_cast<std::uint32_t>(tile.x()), static_cast<std::uint32_t>(tile.y())});
  extras.set("textures", std::move(textures));
  extras.set("chunks", chunk_extras(tile));
  if (!sounds.empty()) {
    extras.set("soundEmitters", std::move(sounds));
  }
  return extras;
}

}  // namespace

SceneBuilder::SceneBuilder(const wdt::Map& map, std::string_view name, SceneOptions options,
                           Diagnostics& diagnostics)
    : map_(map),
      options_(std::move(options)),
      diagnostics_(diagnostics),
      doodad_names_(wdt::split_names(map.doodad_names)),
      building_names_(wdt::split_names(map.map_object_names)) {
  scene_.name = std::string(name);
  scene_.source_format = "wdt";
  scene_.axes = scene::Axes::x_front;
  scene::Node root = plain_node(scene_.name, kNone);
  root.kind = scene::NodeKind::root;
  add_node(scene_, std::move(root));
}

void SceneBuilder::grow(const scene::Mesh& mesh, const Vec3& origin) {
  for (const Vec3& position : mesh.positions) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const float value = origin.at(axis) + position.at(axis);
      float& least = scene_.bounds.minimum.at(axis);
      float& most = scene_.bounds.maximum.at(axis);
      least = bounded_ ? std::min(least, value) : value;
      most = bounded_ ? std::max(most, value) : value;
    }
    bounded_ = true;
  }
}

void SceneBuilder::add_tile(const wdt::Tile& tile, const wdl::Area* far) {
  scene::Node node = plain_node(name_of_tile(tile), 0);
  node.rest.translation = origin_of(index_of(tile), options_.scale);
  node.extras = tile_extras(tile);
  const Index parent = add_node(scene_, std::move(node));
  add_ground(tile, parent, options_.layers.far_terrain ? far : nullptr);
  if (options_.layers.liquid) {
    add_liquids(tile, parent);
  }
  if (options_.layers.doodads) {
    add_doodads(tile, parent);
  }
  if (options_.layers.buildings) {
    add_buildings(tile, parent);
  }
}

void SceneBuilder::add_liquids(const wdt::Tile& tile, Index parent) {
  for (std::size_t i = 0; i < wdt::kLiquidKinds; ++i) {
    const auto kind = static_cast<wdt::LiquidKind>(i);
    auto [mesh, flows] = liquid_surface(tile, kind, options_.scale, diagnostics_);
    if (mesh.indices.empty()) {
      continue;
    }
    if (liquids_ == nullptr) {
      liquids_ = std::make_shared<scene::LiquidMaterials>(scene_, options_.liquid_texture, options_.water);
    }
    const bool reported = liquids_->lacks(liquid_of(kind));
    std::erase_if(mesh.parts, [](const scene::MeshPart& part) { return part.index_count == 0; });
    for (auto& part : mesh.parts) {
      part.material = liquids_->material(liquid_of(kind), flows[part.material]);
    }
    if (!reported && liquids_->lacks(liquid_of(kind))) {
      diagnostics_.add(codes::kSceneApproximated, scene::liquid_path(liquid_of(kind), 1) + " is missing: " +
                                                      mesh.name + " uses generated textures");
    }
    if (Value currents = flow_extras(tile, kind); !currents.empty()) {
      mesh.extras.set("flows", std::move(currents));
    }
    std::string name = mesh.name;
    add_mesh(std::move(mesh), std::move(name), parent, scene_.nodes[parent].rest.translation);
  }
}

scene::Index SceneBuilder::add_mesh(scene::Mesh mesh, std::string name, Index parent, const Vec3& origin) {
  scene::Node node = plain_node(std::move(name), parent);
  node.kind = scene::NodeKind::mesh;
  grow(mesh, origin);
  mesh.node = add_node(scene_, std::move(node));
  scene_.meshes.push_back(std::move(mesh));
  return scene_.meshes.back().node;
}

float SceneBuilder::strength_of_upper_layers(const wdt::Tile& tile, const wdt::Chunk& chunk) const {
  return options_.upper_layers ? options_.upper_layers(index_of(tile), chunk) : 1;
}

/// Of a tile, or of a chunk by itself.
Index SceneBuilder::baked_material(const wdt::Tile& tile, std::uint32_t group) {
  const auto image = static_cast<Index>(scene_.images.size());
  std::string place = std::to_string(tile.x()) + "_" + std::to_string(tile.y());
  const auto upper = [&](const wdt::Chunk& chunk) { return strength_of_upper_layers(tile, chunk); };
  const auto alone = std::find_if(tile.chunks.begin(), tile.chunks.end(),
                                  [&](const wdt::Chunk& chunk) { return group == group_alone(chunk); });
  if (alone == tile.chunks.end()) {
    scene_.images.push_back({scene_.name + "_" + place, "",
                             bake(tile, options_.open_texture, options_.bake_size, upper, options_.control),
                             false});
    return add_material(scene_, "tile " + place, scene::Texture{"", 0, false, false, image});
  }
  place += "_" + std::to_string(alone->slot);
  const std::uint32_t side = options_.chunk_pictures(index_of(tile), *alone);
  scene_.images.push_back({scene_.name + "_" + place, "",
                           bake_alone(tile, *alone, options_.open_texture, side, upper(*alone)), false});
  const Index material = add_material(scene_, "chunk " + place, scene::Texture{"", 0, false, false, image});
  // Coordinates are those of the tile.
  const auto shift = [](std::uint32_t number) {
    return (static_cast<float>(kChunksPerSide - 1) / 2 - static_cast<float>(number)) / kChunksPerSide;
  };
  scene::UvTransform transform;
  transform.offset = {shift(alone->slot % kChunksPerSide), shift(alone->slot / kChunksPerSide)};
  transform.scale = {kChunksPerSide, kChunksPerSide};
  scene_.materials[material].layers.front().uv_animation = static_cast<Index>(scene_.uv_animations.size());
  scene_.uv_animations.push_back({transform});
  return material;
}

Index SceneBuilder::ground_material(const wdt::Tile& tile, std::uint32_t group) {
  if (options_.look == GroundStyle::baked) {
    return baked_material(tile, group);
  }
  const std::string place = std::to_string(tile.x()) + "_" + std::to_string(tile.y());
  const auto textures = wdt::split_names(tile.textures);
  if (options_.look == GroundStyle::plain || group >= textures.size()) {
    return add_material(scene_, "tile " + place, std::nullopt);
  }
  const std::string path = to_utf8(textures[group]);
  const Index material = add_material(scene_, path_stem(path), scene::Texture{path, 0, true, true, kNone});
  scene_.materials[material].layers.front().uv_set = 1;
  return material;
}

void SceneBuilder::add_ground(const wdt::Tile& tile, Index parent, const wdl::Area* far) {
  const Vec3 origin = scene_.nodes[parent].rest.translation;
  const bool splat = options_.look == GroundStyle::splat;
  Index ground = kNone;
  Index material = kNone;
  if (options_.layers.terrain) {
    ChunkGroups groups = splat ? groups_by_texture(tile) : ChunkGroups{};
    for (const wdt::Chunk& chunk : tile.chunks) {
      const bool alone = options_.look == GroundStyle::baked && options_.chunk_pictures &&
                         options_.chunk_pictures(index_of(tile), chunk) > 0;
      std::uint32_t& group = groups.at(chunk.slot % wdt::kChunks);
      group = alone ? group_alone(chunk) : group;
    }
    scene::Mesh mesh = ground_mesh(tile, groups, options_.scale, diagnostics_);
    for (auto& part : mesh.parts) {
      part.material = ground_material(tile, part.material);
    }
    if (!splat) {
      mesh.uv_sets.pop_back();
    }
    if (!mesh.indices.empty()) {
      material = splat ? kNone : mesh.parts.front().material;
      ground = add_mesh(std::move(mesh), "terrain", parent, origin);
    }
  }
  if (far == nullptr) {
    return;
  }
  scene::Mesh mesh = far_mesh(*far, options_.scale);
  mesh.parts.front().material =
      material != kNone ? material : add_material(scene_, "far terrain", std::nullopt);
  // A lesser detail belongs to the scene only through what it stands for.
  const Index node = add_mesh(std::move(mesh), "far terrain", ground != kNone ? kNone : parent, origin);
  if (ground != kNone) {
    scene_.nodes[ground].lods.push_back(node);
  }
}

void SceneBuilder::add_far(const wdl::Area& far, const std::optional<Vec3>& color, const NearGround& near) {
  if (far_material_ == kNone) {
    far_material_ = add_material(scene_, "far terrain", std::nullopt);
    scene_.materials[far_material_].layers.front().unshaded = color.has_value();
    scene_.materials[far_material_].layers.front().two_sided = true;  // walls are seen from both sides
  }
  scene::Mesh mesh = far_mesh(far, options_.scale, near);
  if (mesh.indices.empty()) {
    return;
  }
  mesh.parts.front().material = far_material_;
  if (color) {
    mesh.colors.assign(mesh.positions.size(), Vec4{(*color)[0], (*color)[1], (*color)[2], 1});
  }
  const TileIndex tile{static_cast<std::uint8_t>(far.x()), static_cast<std::uint8_t>(far.y())};
  const Vec3 origin = origin_of(tile, options_.scale);
  const std::string name = "far terrain " + std::to_string(far.x()) + "_" + std::to_string(far.y());
  const Index node = add_mesh(std::move(mesh), name, 0, origin);
  scene_.nodes[node].rest.translation = origin;
}

void SceneBuilder::add_doodads(const wdt::Tile& tile, Index parent) {
  const auto seen = referenced(tile, tile.doodads.size(),
                               [](const wdt::Chunk& chunk) { return chunk.doodad_references(); });
  report_unseen(tile, seen, "doodads", diagnostics_);
  for (std::size_t i = 0; i < tile.doodads.size() && !is_stopped(options_.control); ++i) {
    const wdt::Doodad& doodad = tile.doodads[i];
    if (!seen[i] || !placed_.insert({PlacedKind::doodad, doodad.unique_id}).second) {
      continue;
    }
    const std::string_view name =
        doodad.name_id < doodad_names_.size() ? doodad_names_[doodad.name_id] : std::string_view();
    scene::Node node = plain_node(path_stem(name), parent);
    node.rest = transform_of(pose_of(doodad), index_of(tile), options_.scale);
    node.extras.set("kind", "doodad").set("model", to_utf8(name)).set("uniqueId", doodad.unique_id);
    node.extras.set("flags", std::uint32_t{doodad.flags});
    place(PlacedKind::doodad, name, 0, std::move(node));
  }
}

void SceneBuilder::add_buildings(const wdt::Tile& tile, Index parent) {
  const auto seen = referenced(tile, tile.map_objects.size(),
                               [](const wdt::Chunk& chunk) { return chunk.map_object_references(); });
  report_unseen(tile, seen, "mapObjects", diagnostics_);
  for (std::size_t i = 0; i < tile.map_objects.size() && !is_stopped(options_.control); ++i) {
    const wdt::MapObject& object = tile.map_objects[i];
    if (!seen[i] || !placed_.insert({PlacedKind::building, object.unique_id}).second) {
      continue;
    }
    const std::string_view name =
        object.name_id < building_names_.size() ? building_names_[object.name_id] : std::string_view();
    scene::Node node = plain_node(path_stem(name), parent);
    node.rest = transform_of(pose_of(object), index_of(tile), options_.scale);
    node.extras.set("kind", "building").set("model", to_utf8(name)).set("uniqueId", object.unique_id);
    node.extras.set("flags", std::uint32_t{object.flags}).set("doodadSet", std::uint32_t{object.doodad_set});
    node.extras.set("nameSet", std::uint32_t{object.name_set});
    place(PlacedKind::building, name, object.doodad_set, std::move(node));
  }
}

void SceneBuilder::add_map_object() {
  if (map_.map_objects.empty() || !options_.layers.buildings) {
    return;
  }
  const wdt::MapObject& object = map_.map_objects.front();
  const std::string_view name =
      object.name_id < building_names_.size() ? building_names_[object.name_id] : std::string_view();
  const Pose pose = pose_of_map(object);
  scene::Node node = plain_node(path_stem(name), 0);
  node.rest.translation =
      to_scene_axes(pose.position[0], pose.position[1], pose.position[2], double{options_.scale});
  node.rest.rotation = to_scene_axes(pose.rotation);
  node.extras.set("kind", "building")
      .set("model", to_utf8(name))
      .set("doodadSet", std::uint32_t{object.doodad_set});
  place(PlacedKind::building, name, object.doodad_set, std::move(node));
}

void SceneBuilder::place(PlacedKind kind, std::string_view name, std::uint16_t set, scene::Node node) {
  const auto key = std::tuple(kind, std::string(name), set);
  auto found = models_.find(key);
  if (found == models_.end()) {
    const auto model = options_.open_model && !name.empty() ? options_.open_model(kind, name, set) : nullptr;
    if (model != nullptr) {
      scene_.models.push_back(model);
    } else {
      diagnostics_.add(codes::kWorldModelMissing,
                       name.empty() ? "placements whose name is missing or empty remain without a model"
                                    : "model " + to_utf8(name) +
                                          " not found in any source, or unreadable; its placements remain");
    }
    found =
        models_.emplace(key, model != nullptr ? static_cast<Index>(scene_.models.size() - 1) : kNone).first;
  }
  const Index at = add_node(scene_, std::move(node));
  if (found->second != kNone) {
    scene_.placements.push_back({at, found->second});
  }
}

scene::Scene SceneBuilder::take() {
  Vec3& least = scene_.bounds.minimum;
  Vec3& most = scene_.bounds.maximum;
  double square = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double reach = std::max(std::fabs(double{least.at(axis)}), std::fabs(double{most.at(axis)}));
    square += reach * reach;
  }
  scene_.bounds.radius = static_cast<float>(std::sqrt(square));
  return std::move(scene_);
}

scene::Scene to_scene(const wdl::Document& document, std::string_view name, float scale) {
  scene::Scene scene;
  scene.name = std::string(name);
  scene.source_format = "wdl";
  scene.axes = scene::Axes::x_front;
  scene::Node root = plain_node(scene.name, kNone);
  root.kind = scene::NodeKind::root;
  add_node(scene, std::move(root));
  const Index material = add_material(scene, "far terrain", std::nullopt);
  scene::BoundsOfPoints bounds;
  for (const auto& area : document.areas) {
    const TileIndex tile{static_cast<std::uint8_t>(area.x()), static_cast<std::uint8_t>(area.y())};
    scene::Node node = plain_node("tile " + std::to_string(area.x()) + "_" + std::to_string(area.y()), 0);
    node.kind = scene::NodeKind::mesh;
    node.rest.translation = origin_of(tile, scale);
    scene::Mesh mesh = far_mesh(area, scale);
    for (const Vec3& position : mesh.positions) {
      const Vec3& origin = node.rest.translation;
      bounds.add({origin[0] + position[0], origin[1] + position[1], origin[2] + position[2]});
    }
    mesh.parts.front().material = material;
    mesh.node = add_node(scene, std::move(node));
    scene.meshes.push_back(std::move(mesh));
  }
  scene.bounds = bounds.bounds();
  return scene;
}

}  // namespace thaw::world
