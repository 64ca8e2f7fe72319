// Maps of World of Warcraft's alpha, of which one file becomes many.
#include "convert/map_plan.hpp"

#include <thaw/adt.hpp>
#include <thaw/codes.hpp>

#include "bytes/text.hpp"
#include "convert/map_tiles.hpp"

#include <algorithm>
#include <mutex>

namespace thaw::conversion {
namespace {

std::string tile_text(wdt::TilePosition tile) {
  return std::to_string(tile.x) + "_" + std::to_string(tile.y);
}

/// What distinguishes outputs of different targets in one folder.
std::string_view suffix_of(std::string_view target) {
  return target == "heightmap" ? "_height" : target == "maps" ? "_alpha" : target == "minimap" ? "_map" : "";
}

std::string_view extension_of(std::string_view target) {
  return target == "glb" ? ".glb" : target == "gltf" ? ".gltf" : ".png";
}

ReadOptions with_control(ReadOptions read, const Control* control) {
  read.control = control;
  return read;
}

/// Tiles as scenes and pictures.
class TilePlan final : public ConvertPlan {
 public:
  TilePlan(MapFile file, const ConvertInput& input, const ConvertTarget& target,
           const ConvertOptions& options, const Sources& sources)
      : file_(std::move(file)),
        stem_(without_extension(last_part(input.name))),
        target_(target.word),
        options_(options),
        models_(sources, options.scene) {
    options_.scene.read.control = nullptr;  // which need not live as long as the plan
    options_.map.scene.scale = options.scene.scale.value_or(options.map.scene.scale);
  }

  /// Errors: world.no-tile.
  Result<void> list(const std::string& file_name) {
    std::vector<wdt::TilePosition> tiles;
    if (file_.map) {
      tiles = file_.map->tiles(options_.map.tiles);
      const auto& requested = options_.scene.tiles;
      if (!requested.empty()) {
        std::erase_if(tiles, [&](const wdt::TilePosition& tile) {
          return std::find(requested.begin(), requested.end(), tile) == requested.end();
        });
      }
      open_far();
    }
    const bool building = file_.map && file_.map->map().is_dungeon() && makes_scenes();
    if (tiles.empty() && !file_.far && !building) {
      return fail(codes::kWorldNoTile, "");
    }
    all_tiles_ = tiles;
    if (!options_.map.by_tile || file_.far) {
      add(file_name, std::move(tiles), building);
      return {};
    }
    if (building) {
      add({}, {}, true);
    }
    for (const auto& tile : tiles) {
      add({}, {tile}, false);
    }
    return {};
  }

  [[nodiscard]] std::vector<std::string> sidecars(std::size_t /*number*/,
                                                  std::string_view file_name) const override {
    return sidecar_names(target_, file_name);
  }

  Result<Outputs> make(std::size_t number, std::string_view file_name, const Control* control,
                       Diagnostics& diagnostics) const override {
    const PlannedOutput& output = outputs()[number];
    const ReadOptions read = with_control(options_.scene.read, control);
    const TileJob work{file_,
                       models_,
                       far_ ? &*far_ : nullptr,
                       target_,
                       output.tiles,
                       buildings_[number],
                       stem_,
                       std::string(file_name.empty() ? output.file_name : file_name),
                       options_,
                       common_range(control),
                       read,
                       diagnostics};
    return make_tiles(work).map([&](Outputs&& result) {
      result.note += without_far_.empty() ? "" : " · " + without_far_;
      return std::move(result);
    });
  }

 private:
  void add(std::string name, std::vector<wdt::TilePosition> tiles, bool building) {
    PlannedOutput output;
    if (name.empty()) {
      const bool one = tiles.size() == 1 && !file_.far;
      name = stem_ + (one ? "_" + tile_text(tiles.front()) : "");
      name.append(suffix_of(target_)).append(extension_of(target_));
    }
    output.file_name = std::move(name);
    output.more_sidecars = target_ == "gltf" || (makes_scenes() && file_.map &&
                                                 options_.map.scene.look == world::GroundStyle::splat);
    output.tiles = std::move(tiles);
    plan_output(std::move(output));
    buildings_.push_back(building);
  }

  /// The far terrain of a map lies next to it.
  void open_far() {
    if (!options_.map.scene.layers.far_terrain) {
      return;
    }
    const std::string name = stem_ + ".wdl";
    if (const auto found = models_.sources().find(name)) {
      if (auto far = wdl::read(found->bytes, options_.scene.read, Diagnostics::discarded())) {
        far_ = std::move(*far);
        return;
      }
    }
    without_far_ = "far terrain " + name + " left out: not found in any source, or unreadable";
  }

  /// One scale for the heights of all tiles, or neighbours would not meet.
  std::optional<std::pair<float, float>> common_range(const Control* control) const {
    const bool by_tile = target_ == "heightmap" && options_.map.by_tile && !file_.far;
    if (options_.map.height_range || !by_tile || all_tiles_.size() < 2) {
      return options_.map.height_range;
    }
    const std::lock_guard lock(mutex_);
    if (!range_) {
      const auto range = height_range(*file_.map, all_tiles_, options_.map.grid, control);
      if (is_stopped(control)) {
        return range;
      }
      range_ = range;
    }
    return range_;
  }

  [[nodiscard]] bool makes_scenes() const { return target_ == "glb" || target_ == "gltf"; }

  MapFile file_;
  std::string stem_;
  std::string target_;
  ConvertOptions options_;
  MapModels models_;
  std::optional<wdl::Document> far_;          ///< of the same name next to the map
  std::string without_far_;                   ///< why it is missing where it should be there
  std::vector<wdt::TilePosition> all_tiles_;  ///< of all outputs
  std::vector<bool> buildings_;               ///< whether an output shows the building that is the map
  mutable std::mutex mutex_;                  ///< of the range
  mutable std::optional<std::pair<float, float>> range_;
};

/// A map as tiles of Wrath of the Lich King, and the file that lists them.
class LaterTilesPlan final : public ConvertPlan {
 public:
  LaterTilesPlan(wdt::World map, const ConvertInput& input, const ConvertOptions& options)
      : map_(std::move(map)), options_(options), tiles_(map_.tiles(options.map.tiles)) {
    const std::string stem(without_extension(last_part(input.name)));
    for (const auto& tile : tiles_) {
      plan_output({adt::tile_file_name(stem, tile.x, tile.y), {tile}});
    }
    plan_output({stem + ".wdt", {}, false, true});
  }

  /// Errors: world.no-tile.
  Result<void> check() const {
    return tiles_.empty() && !map_.map().is_dungeon() ? fail(codes::kWorldNoTile, "") : Result<void>();
  }

  Result<Outputs> make(std::size_t number, std::string_view file_name, const Control* control,
                       Diagnostics& diagnostics) const override {
    const PlannedOutput& output = outputs()[number];
    const auto one_file = [&](Bytes bytes) {
      Outputs result;
      result.files.push_back(
          {std::string(file_name.empty() ? output.file_name : file_name), std::move(bytes)});
      return result;
    };
    if (is_stopped(control)) {
      return fail(codes::kStopped, "");
    }
    if (output.last) {
      return one_file(adt::write(adt::map_from_alpha(map_.map(), tiles_, diagnostics)));
    }
    const wdt::TilePosition place = output.tiles.front();
    return map_.tile(place.x, place.y, diagnostics).map([&](const wdt::Tile& tile) {
      return one_file(
          adt::write(adt::tile_from_alpha(map_.map(), tile, "tile " + tile_text(place), diagnostics)));
    });
  }

 private:
  wdt::World map_;
  ConvertOptions options_;
  std::vector<wdt::TilePosition> tiles_;
};

using PlanResult = Result<std::unique_ptr<const ConvertPlan>>;

PlanResult plan_later_tiles(const std::shared_ptr<const Storage>& storage, const ConvertInput& input,
                            const ConvertOptions& options, Diagnostics& diagnostics) {
  return wdt::open(storage, options.scene.read, diagnostics).and_then([&](wdt::World&& map) -> PlanResult {
    auto plan = std::make_unique<LaterTilesPlan>(std::move(map), input, options);
    const auto checked = plan->check();
    return checked ? PlanResult(std::move(plan)) : tl::unexpected<Error>(checked.error());
  });
}

PlanResult plan_tiles(const std::shared_ptr<const Storage>& storage, const ConvertInput& input,
                      const ConvertTarget& target, const ConvertOptions& options, const Sources& sources,
                      Diagnostics& diagnostics) {
  return open_map_file(storage, options.scene.read, diagnostics).and_then([&](MapFile&& file) -> PlanResult {
    auto plan = std::make_unique<TilePlan>(std::move(file), input, target, options, sources);
    const auto listed = plan->list(target.file_name);
    return listed ? PlanResult(std::move(plan)) : tl::unexpected<Error>(listed.error());
  });
}

}  // namespace

PlanResult plan_map(const ConvertInput& input, const ConvertTarget& target, const ConvertOptions& options,
                    const Sources& sources, Diagnostics& diagnostics) {
  const auto storage = input.storage != nullptr
                           ? input.storage
                           : memory_storage(Bytes(input.bytes.begin(), input.bytes.end()));
  if (target.word == "wdt") {
    return fail(codes::kFormatUnsupported, "a WDT can only be converted to a WDT by joining maps");
  }
  return target.word == "adt-lk" ? plan_later_tiles(storage, input, options, diagnostics)
                                 : plan_tiles(storage, input, target, options, sources, diagnostics);
}

}  // namespace thaw::conversion
