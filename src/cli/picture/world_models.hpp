// What stands on the ground of maps and covers it: each opened once, as many kept as fit into a bound.
#pragma once

#include <thaw/sources.hpp>
#include <thaw/world_picture.hpp>

#include "cli/arguments/settings.hpp"
#include "cli/inputs/textures.hpp"

#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace thaw::cli {

/// Values by name; those that were not asked for longest go when they weigh too much together. Safe to use
/// from several threads; what is handed out stays with whoever has it.
template <class T>
class Pool {
 public:
  explicit Pool(std::uint64_t limit) : limit_(limit) {}

  /// `make` is called without the lock, so that two threads may make the same; they make the same then.
  template <class F, class W>
  std::shared_ptr<const T> get(const std::string& name, F&& make, W&& weigh) {
    {
      const std::lock_guard lock(mutex_);
      if (const auto found = entries_.find(name); found != entries_.end()) {
        order_.splice(order_.begin(), order_, found->second.place);
        return found->second.value;
      }
    }
    std::shared_ptr<const T> value = make();
    const std::uint64_t weight = value != nullptr ? weigh(*value) : 0;
    const std::lock_guard lock(mutex_);
    if (entries_.find(name) == entries_.end()) {
      order_.push_front(name);
      entries_.emplace(name, Entry{value, weight, order_.begin()});
      total_ += weight;
      shrink();
    }
    return value;
  }

 private:
  struct Entry {
    std::shared_ptr<const T> value;
    std::uint64_t weight = 0;
    std::list<std::string>::iterator place;
  };

  void shrink() {
    while (total_ > limit_ && order_.size() > 1) {
      const auto last = entries_.find(order_.back());
      total_ -= last->second.weight;
      entries_.erase(last);
      order_.pop_back();
    }
  }

  std::uint64_t limit_;
  std::uint64_t total_ = 0;
  std::mutex mutex_;
  std::list<std::string> order_;  ///< the last asked for in front
  std::map<std::string, Entry> entries_;
};

/// A model as it was opened: once for all scenes of a map.
struct PlacedModel {
  std::shared_ptr<const scene::Scene> scene;  ///< null: it is not there, or `failure`
  Diagnostics findings;
  std::optional<Error> failure;  ///< limit.pixels
};

/// What is taken into one scene of a map: told there once, and bounded together.
class Taken {
 public:
  Taken(const Settings& settings, Diagnostics& findings);

  /// Null if there is no model, or no room for its pictures.
  std::shared_ptr<const scene::Scene> take(const std::shared_ptr<const PlacedModel>& model,
                                           std::string_view name);
  [[nodiscard]] Diagnostics& findings() { return findings_; }
  void fail(Error error);
  /// Why the scene is not whole, if so.
  [[nodiscard]] const std::optional<Error>& failure() const { return failure_; }

 private:
  Diagnostics& findings_;
  std::uint64_t bound_;
  std::uint64_t pixel_bytes_ = 0;
  std::set<std::shared_ptr<const PlacedModel>> models_;
  std::optional<Error> failure_;
};

/// A building as its files have it.
struct BuildingFiles {
  wmo::Document root;
  std::vector<std::optional<wmo::Document>> groups;
};

/// The pictures and models of one map.
class WorldModels {
 public:
  WorldModels(const Input& map, const Settings& settings, TextureFolders& folders);

  /// Findings about what does not decode go to `taken`, which must live as long as the result.
  [[nodiscard]] world::OpenTexture textures(Taken& taken);
  [[nodiscard]] world::OpenModel models(float scale, Taken& taken);
  /// The client's pictures of liquids; that there is none is nothing to tell of.
  [[nodiscard]] world::OpenTexture liquid_textures();
  /// A building that is not there, or does not read, is told to `findings`, which must live as long as the
  /// result.
  [[nodiscard]] world::OpenFogs fogs(bool under_water, Diagnostics& findings = Diagnostics::unwanted());
  [[nodiscard]] const Sources& sources() const { return sources_; }

 private:
  std::shared_ptr<const Image> find_image(std::string_view name);
  std::shared_ptr<const Image> open_texture(std::string_view name, Taken& taken);
  std::shared_ptr<const PlacedModel> open_model(world::PlacedKind kind, std::string_view name,
                                                std::uint16_t set, float scale);

  const Input& map_;
  const Settings& settings_;
  TextureFolders& folders_;
  Sources sources_;
  Pool<Image> images_;
  Pool<PlacedModel> scenes_;
  Pool<BuildingFiles> buildings_;
};

}  // namespace thaw::cli
