// What stands on the ground of maps of World of Warcraft and covers it: models and pictures, each opened once
// for all tiles, as many kept as fit into a bound.
#pragma once

#include <thaw/open_scene.hpp>
#include <thaw/world_scene.hpp>
#include <thaw/world_view.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string_view>

#pragma GCC visibility push(default)

namespace thaw {

/// A model as it was opened: once for all scenes of a map.
struct MapModel {
  std::shared_ptr<const scene::Scene> scene;  ///< null: it is not there, or `failure`
  Diagnostics findings;
  std::optional<Error> failure;  ///< limit.pixels
};

/// What one scene of a map has in common: the findings about each of its models are reported once, and the
/// pictures of all its models are bounded together.
class MapSceneParts {
 public:
  /// Bounded by ReadOptions::limits, stopped by its control. `findings` must live as long.
  MapSceneParts(const ReadOptions& read, Diagnostics& findings);

  /// The scene of a model that becomes part of this one; null if there is none, or no room for its pictures.
  std::shared_ptr<const scene::Scene> take(const std::shared_ptr<const MapModel>& model,
                                           std::string_view name);
  [[nodiscard]] Diagnostics& findings() const { return findings_; }  ///< those of the scene
  [[nodiscard]] const ReadOptions& read() const { return read_; }    ///< how its files are read
  /// Why the scene is not complete, if so: limit.pixels.
  [[nodiscard]] const std::optional<Error>& failure() const { return failure_; }

 private:
  ReadOptions read_;
  Diagnostics& findings_;
  std::uint64_t pixel_bytes_ = 0;
  std::set<std::shared_ptr<const MapModel>> models_;
  std::optional<Error> failure_;
};

/// The models and pictures of one map. May be used by several threads at once, each with parts of its own.
class MapModels {
 public:
  /// Of the options count those of buildings and pictures: collision, portals, doodad_set, longest_side.
  MapModels(Sources sources, const OpenSceneOptions& options);
  /// Takes what the other has opened.
  MapModels(MapModels&&) noexcept;
  /// As the move constructor.
  MapModels& operator=(MapModels&&) noexcept;
  MapModels(const MapModels&) = delete;
  MapModels& operator=(const MapModels&) = delete;
  ~MapModels();

  // What follows refers to this and to `parts`, which must live as long as the result.

  /// Textures of the ground; one that is not there or does not decode is reported (texture.missing).
  [[nodiscard]] world::OpenTexture textures(MapSceneParts& parts) const;
  /// The client's pictures of liquids; a missing one is not reported, since no map names it.
  [[nodiscard]] world::OpenTexture liquid_textures(MapSceneParts& parts) const;
  /// Doodads and buildings, `scale` as world::SceneOptions.
  [[nodiscard]] world::OpenModel models(float scale, MapSceneParts& parts) const;
  /// Fog within buildings; one that is not there or does not read is reported (world.model-missing).
  [[nodiscard]] world::OpenFogs fogs(bool under_water, MapSceneParts& parts) const;
  /// These three, as members of the options of a scene of that map.
  void open_for(world::SceneOptions& options, MapSceneParts& parts) const;

  /// Where all is looked for.
  [[nodiscard]] const Sources& sources() const;

 private:
  struct Opened;
  std::unique_ptr<Opened> opened_;
};

}  // namespace thaw

#pragma GCC visibility pop
