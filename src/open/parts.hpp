// Parts of open_scene (<thaw/load.hpp>), by family of formats.
#pragma once

#include <thaw/dme.hpp>
#include <thaw/wdt.hpp>
#include <thaw/wmo.hpp>
#include <thaw/world.hpp>
#include <thaw/xml.hpp>

#include "open/scene_context.hpp"

namespace thaw::open {

scene::ImageOptions image_options(const OpenSceneOptions& request);

/// A file can request more groups than any client takes.
inline constexpr std::size_t kMostGroups = 4096;
/// "a/House_003.wmo" for group 3 of "a/House.wmo".
std::string group_path(const std::string& building, std::size_t group);

using GroupDocuments = std::vector<std::optional<wmo::Document>>;
/// The group files of a root file of version 17 at `path`; those that are missing are reported.
GroupDocuments load_groups(const wmo::Document& root, const std::string& path, const Sources& sources,
                           const ReadOptions& options, Diagnostics& findings);
/// Null where there is none.
std::vector<const wmo::Document*> pointers_to(const GroupDocuments& documents);

Result<scene::Scene> building_scene(const SceneContext& context, const wmo::Document& building);
Result<scene::Scene> map_scene(const SceneContext& context, const wdt::Document& map);
Result<scene::Scene> actor_scene(const SceneContext& context, const xml::Document& document);
Result<scene::Scene> dme_scene(const SceneContext& context, const dme::Document& model);

/// What stands in a building. Null for files that are not there or are no models; their own findings
/// about anything but pictures are not reported.
std::shared_ptr<scene::Scene> placed_model(const SceneContext& context, std::string_view path);
/// A model within another scene, with its pictures as far as the budget has room for them.
std::shared_ptr<scene::Scene> with_pictures(const SceneContext& context, const OpenSceneOptions& request,
                                            scene::Scene scene);
/// What stands on a map, in the map's axes.
std::shared_ptr<const scene::Scene> model_on_map(const SceneContext& context, world::PlacedKind kind,
                                                 std::string_view path, std::uint16_t set);

/// What events of a model of Warcraft III lay on the ground, where the sources have the game's tables.
void add_splats(const SceneContext& context, scene::Scene& scene);

std::size_t attach_morphs(const SceneContext& context, scene::Scene& model);

}  // namespace thaw::open
