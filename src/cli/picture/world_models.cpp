#include "cli/picture/world_models.hpp"

#include <thaw/limit_codes.hpp>
#include <thaw/wow_codes.hpp>

#include "cli/platform/job_control.hpp"
#include "cli/report/text.hpp"
#include "open/parts.hpp"
#include "open/scene_weight.hpp"

namespace thaw::cli {
namespace {

constexpr std::uint64_t kImageLimit = std::uint64_t{48} << 20U;
constexpr std::uint64_t kModelLimit = std::uint64_t{64} << 20U;
constexpr std::uint64_t kBuildings = 4;  // whose files are kept

std::uint64_t weight_of(const Image& image) { return image.rgba.size() + sizeof(Image); }

std::uint64_t weight_of(const scene::Scene& scene) {
  return open::weigh(scene).bytes + scene::pixel_bytes(scene);
}

}  // namespace

WorldModels::WorldModels(const Input& map, const Settings& settings, TextureFolders& folders)
    : map_(map),
      settings_(settings),
      folders_(folders),
      sources_(folders.for_model(map)),
      images_(kImageLimit),
      scenes_(kModelLimit),
      buildings_(kModelLimit) {}

Taken::Taken(const Settings& settings, Diagnostics& findings)
    : findings_(findings), bound_(read_options(settings).limits.max_pixel_bytes) {}

void Taken::fail(Error error) {
  if (!failure_) {
    failure_ = std::move(error);
  }
}

std::shared_ptr<const scene::Scene> Taken::take(const std::shared_ptr<const PlacedModel>& model,
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
  if (model->failure) {
    fail(*model->failure);
  } else if (pixel_bytes_ > bound_) {
    fail({codes::kTooManyPixels,
          {},
          {},
          concat({"with those of ", to_utf8(name), ", pictures of models would take ",
                  std::to_string(pixel_bytes_), " bytes, more than ", std::to_string(bound_)})});
  }
  return failure_ ? nullptr : model->scene;
}

world::OpenTexture WorldModels::textures(Taken& taken) {
  return [this, &taken](std::string_view name) { return open_texture(name, taken); };
}

world::OpenModel WorldModels::models(float scale, Taken& taken) {
  return [this, scale, &taken](world::PlacedKind kind, std::string_view name, std::uint16_t set) {
    return taken.take(open_model(kind, name, set, scale), name);
  };
}

world::OpenTexture WorldModels::liquid_textures() {
  return [this](std::string_view name) { return find_image(name); };
}

world::OpenFogs WorldModels::fogs(bool under_water, Diagnostics& findings) {
  return [this, under_water, &findings](std::string_view name,
                                        const Vec3& place) -> std::optional<std::vector<world::IndoorFog>> {
    const auto files = buildings_.get(
        normalize_game_path(name),
        [&]() -> std::shared_ptr<const BuildingFiles> {
          const auto found = sources_.find(name);
          Diagnostics ignored;
          auto root = found ? wmo::read(found->bytes, read_options(settings_), ignored)
                            : Result<wmo::Document>(fail(codes::kInputUnreadable, ""));
          stop_when_asked();
          if (!root) {
            return nullptr;
          }
          auto groups =
              open::load_groups(*root, std::string(name), sources_, read_options(settings_), ignored);
          return std::make_shared<const BuildingFiles>(BuildingFiles{std::move(*root), std::move(groups)});
        },
        [](const BuildingFiles&) { return kModelLimit / kBuildings; });
    if (files == nullptr) {
      findings.add(
          codes::kWorldModelMissing,
          concat({to_utf8(name), " is not there, or does not read: nothing is known of fog within"}));
      return std::nullopt;
    }
    return world::fogs_around(files->root, open::pointers_to(files->groups), place, under_water);
  };
}

std::shared_ptr<const Image> WorldModels::find_image(std::string_view name) {
  return images_.get(
      normalize_game_path(name),
      [&]() -> std::shared_ptr<const Image> {
        const auto found = sources_.find_texture(name);
        if (!found) {
          return nullptr;
        }
        Diagnostics ignored;
        auto decoded = decode_fitted(found->bytes, longest_side(settings_), read_options(settings_), ignored);
        stop_when_asked();  // what was stopped is nothing to keep for others
        return decoded ? std::make_shared<const Image>(std::move(*decoded)) : nullptr;
      },
      [](const Image& value) { return weight_of(value); });
}

std::shared_ptr<const Image> WorldModels::open_texture(std::string_view name, Taken& taken) {
  auto image = find_image(name);
  if (image == nullptr) {
    taken.findings().add(codes::kTextureMissing,
                         concat({to_utf8(name), " is not there, or does not decode"}));
  }
  return image;
}

std::shared_ptr<const PlacedModel> WorldModels::open_model(world::PlacedKind kind, std::string_view name,
                                                           std::uint16_t set, float scale) {
  return scenes_.get(
      concat({normalize_game_path(name), "#", std::to_string(set)}),
      [&] {
        auto placed = std::make_shared<PlacedModel>();
        OpenSceneOptions request;
        request.read = read_options(settings_);
        request.scale = scale;
        request.collision = settings_.collision;
        request.portals = settings_.portals;
        request.doodad_set = settings_.doodad_set;
        request.longest_side = longest_side(settings_);
        open::PixelPurse purse;
        placed->scene = open::model_on_map({sources_, request, placed->findings, &purse}, kind, name, set);
        stop_when_asked();  // as above
        placed->failure = std::move(purse.failure);
        return std::shared_ptr<const PlacedModel>(std::move(placed));
      },
      [](const PlacedModel& value) { return value.scene == nullptr ? 0 : weight_of(*value.scene); });
}

}  // namespace thaw::cli
