#include <thaw/codes.hpp>
#include <thaw/load.hpp>

#include "bytes/text.hpp"
#include "open/parts.hpp"
#include "open/scene_weight.hpp"

#include <list>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace thaw {
namespace {

constexpr std::uint64_t kImageLimit = std::uint64_t{48} << 20U;
constexpr std::uint64_t kModelLimit = std::uint64_t{64} << 20U;
constexpr std::uint64_t kBuildings = 4;  // whose files are kept

/// Values by name; those that were not used for longest go when they weigh too much together.
template <class T>
class Pool {
 public:
  explicit Pool(std::uint64_t limit) : limit_(limit) {}

  /// `make` is called without the lock, so that two threads may make the same. What is made while the work is
  /// stopped is not complete, and not kept.
  template <class F, class W>
  std::shared_ptr<const T> get(const std::string& name, const Control* control, F&& make, W&& weigh) {
    {
      const std::lock_guard lock(mutex_);
      if (const auto found = entries_.find(name); found != entries_.end()) {
        order_.splice(order_.begin(), order_, found->second.place);
        return found->second.value;
      }
    }
    std::shared_ptr<const T> value = make();
    if (is_stopped(control)) {
      return nullptr;
    }
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
  std::list<std::string> order_;  ///< the last used in front
  std::map<std::string, Entry> entries_;
};

/// A building as its files have it.
struct BuildingFiles {
  wmo::Document root;
  std::vector<std::optional<wmo::Document>> groups;
};

std::uint64_t weight_of(const Image& image) { return image.rgba.size() + sizeof(Image); }

std::uint64_t weight_of(const scene::Scene& scene) {
  return open::weigh(scene).bytes + scene::pixel_bytes(scene);
}

}  // namespace

MapSceneParts::MapSceneParts(const ReadOptions& read, Diagnostics& findings)
    : read_(read), findings_(findings) {}

std::shared_ptr<const scene::Scene> MapSceneParts::take(const std::shared_ptr<const MapModel>& model,
                                                        std::string_view name) {
  if (failure_ || model == nullptr) {
    return nullptr;
  }
  if (models_.insert(model).second) {
    for (const auto& finding : model->findings.items()) {
      findings_.add(finding);
    }
    pixel_bytes_ += model->scene == nullptr ? 0 : scene::pixel_bytes(*model->scene);
  }
  const std::uint64_t bound = read_.limits.max_pixel_bytes;
  if (model->failure) {
    failure_ = model->failure;
  } else if (pixel_bytes_ > bound) {
    failure_ =
        Error{codes::kTooManyPixels,
              {},
              {},
              "with those of " + to_utf8(name) + ", the textures of models would need " +
                  std::to_string(pixel_bytes_) + " bytes, more than the limit of " + std::to_string(bound)};
  }
  return failure_ ? nullptr : model->scene;
}

struct MapModels::Opened {
  Opened(Sources from, const OpenSceneOptions& how) : sources(std::move(from)) {
    request.collision = how.collision;
    request.portals = how.portals;
    request.doodad_set = how.doodad_set;
    request.longest_side = how.longest_side;
  }

  std::shared_ptr<const Image> image(std::string_view name, const ReadOptions& read) {
    return images.get(
        normalize_game_path(name), read.control,
        [&]() -> std::shared_ptr<const Image> {
          const auto found = sources.find_texture(name);
          if (!found) {
            return nullptr;
          }
          auto decoded = decode_fitted(found->bytes, request.longest_side, read, Diagnostics::discarded());
          return decoded ? std::make_shared<const Image>(std::move(*decoded)) : nullptr;
        },
        [](const Image& value) { return weight_of(value); });
  }

  std::shared_ptr<const MapModel> model(world::PlacedKind kind, std::string_view name, std::uint16_t set,
                                        float scale, const ReadOptions& read) {
    return models.get(
        normalize_game_path(name) + "#" + std::to_string(set), read.control,
        [&] {
          auto placed = std::make_shared<MapModel>();
          OpenSceneOptions model_request = request;
          model_request.read = read;
          model_request.scale = scale;
          open::PixelBudget budget;
          placed->scene =
              open::model_on_map({sources, model_request, placed->findings, &budget}, kind, name, set);
          placed->failure = std::move(budget.failure);
          return std::shared_ptr<const MapModel>(std::move(placed));
        },
        [](const MapModel& value) { return value.scene == nullptr ? 0 : weight_of(*value.scene); });
  }

  std::shared_ptr<const BuildingFiles> building(std::string_view name, const ReadOptions& read) {
    return buildings.get(
        normalize_game_path(name), read.control,
        [&]() -> std::shared_ptr<const BuildingFiles> {
          const auto found = sources.find(name);
          auto root = found ? wmo::read(found->bytes, read, Diagnostics::discarded())
                            : Result<wmo::Document>(fail(codes::kInputUnreadable, ""));
          if (!root) {
            return nullptr;
          }
          auto groups = open::load_groups(*root, std::string(name), sources, read, Diagnostics::discarded());
          return std::make_shared<const BuildingFiles>(BuildingFiles{std::move(*root), std::move(groups)});
        },
        [](const BuildingFiles&) { return kModelLimit / kBuildings; });
  }

  Sources sources;
  OpenSceneOptions request;
  Pool<Image> images{kImageLimit};
  Pool<MapModel> models{kModelLimit};
  Pool<BuildingFiles> buildings{kModelLimit};
};

MapModels::MapModels(Sources sources, const OpenSceneOptions& options)
    : opened_(std::make_unique<Opened>(std::move(sources), options)) {}
MapModels::MapModels(MapModels&&) noexcept = default;
MapModels& MapModels::operator=(MapModels&&) noexcept = default;
MapModels::~MapModels() = default;

world::OpenTexture MapModels::textures(MapSceneParts& parts) const {
  return [opened = opened_.get(), &parts](std::string_view name) {
    auto image = opened->image(name, parts.read());
    if (image == nullptr) {
      parts.findings().add(
          codes::kTextureMissing,
          "texture " + to_utf8(name) + " not found in any source, or not decoded; a plain colour is used");
    }
    return image;
  };
}

world::OpenTexture MapModels::liquid_textures(MapSceneParts& parts) const {
  return
      [opened = opened_.get(), &parts](std::string_view name) { return opened->image(name, parts.read()); };
}

world::OpenModel MapModels::models(float scale, MapSceneParts& parts) const {
  return [opened = opened_.get(), scale, &parts](world::PlacedKind kind, std::string_view name,
                                                 std::uint16_t set) {
    return parts.take(opened->model(kind, name, set, scale, parts.read()), name);
  };
}

world::OpenFogs MapModels::fogs(bool under_water, MapSceneParts& parts) const {
  return [opened = opened_.get(), under_water, &parts](
             std::string_view name, const Vec3& place) -> std::optional<std::vector<world::IndoorFog>> {
    const auto files = opened->building(name, parts.read());
    if (files == nullptr) {
      parts.findings().add(
          codes::kWorldModelMissing,
          "the WMO " + to_utf8(name) + " is missing or unreadable; the fog inside it is unknown");
      return std::nullopt;
    }
    return world::fogs_around(files->root, open::pointers_to(files->groups), place, under_water);
  };
}

void MapModels::open_for(world::SceneOptions& options, MapSceneParts& parts) const {
  options.open_texture = textures(parts);
  options.liquid_texture = liquid_textures(parts);
  options.open_model = models(options.scale, parts);
}

const Sources& MapModels::sources() const { return opened_->sources; }

}  // namespace thaw
