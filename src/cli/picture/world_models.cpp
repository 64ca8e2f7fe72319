#include "cli/picture/world_models.hpp"

#include <thaw/image.hpp>

#include "cli/platform/job_control.hpp"
#include "cli/report/text.hpp"
#include "open/parts.hpp"

namespace thaw::cli {
namespace {

constexpr std::uint64_t kImageLimit = std::uint64_t{48} << 20U;
constexpr std::uint64_t kModelLimit = std::uint64_t{64} << 20U;

std::uint64_t weight_of(const Image& image) { return image.rgba.size() + sizeof(Image); }

std::uint64_t weight_of(const scene::Scene& scene) {
  std::uint64_t weight = sizeof(scene::Scene) + scene.nodes.size() * sizeof(scene::Node);
  for (const auto& mesh : scene.meshes) {
    weight += mesh.positions.size() * (sizeof(Vec3) * 3 + sizeof(Vec2)) +
              mesh.indices.size() * sizeof(std::uint32_t);
  }
  for (const auto& clip : scene.clips) {
    for (const auto& channel : clip.channels) {
      weight += (channel.curve.times.size() + channel.curve.values.size()) * sizeof(float);
    }
  }
  for (const auto& image : scene.images) {
    weight += weight_of(image.image);
  }
  for (const auto& model : scene.models) {
    weight += model != nullptr ? weight_of(*model) : 0;
  }
  return weight;
}

}  // namespace

WorldModels::WorldModels(const Input& map, const Settings& settings, TextureFolders& folders)
    : map_(map),
      settings_(settings),
      folders_(folders),
      sources_(folders.for_model(map)),
      images_(kImageLimit),
      scenes_(kModelLimit) {}

world::OpenTexture WorldModels::textures(Diagnostics& findings) {
  return [this, &findings](std::string_view name) { return open_texture(name, findings); };
}

world::OpenModel WorldModels::models(float scale) {
  return [this, scale](world::PlacedKind kind, std::string_view name, std::uint16_t set) {
    return open_model(kind, name, set, scale);
  };
}

std::shared_ptr<const Image> WorldModels::open_texture(std::string_view name, Diagnostics& findings) {
  auto image = images_.get(
      normalize_game_path(name),
      [&]() -> std::shared_ptr<const Image> {
        const auto found = sources_.find_texture(name);
        if (!found) {
          return nullptr;
        }
        Diagnostics ignored;
        auto decoded = decode_texture(found->bytes, read_options(settings_), ignored);
        stop_when_asked();  // what was stopped is nothing to keep for others
        return decoded ? std::make_shared<const Image>(std::move(*decoded)) : nullptr;
      },
      [](const Image& value) { return weight_of(value); });
  if (image == nullptr) {
    findings.add(codes::kTextureMissing, concat({to_utf8(name), " is not there, or does not decode"}));
  }
  return image;
}

std::shared_ptr<const scene::Scene> WorldModels::open_model(world::PlacedKind kind, std::string_view name,
                                                            std::uint16_t set, float scale) {
  return scenes_.get(
      concat({normalize_game_path(name), "#", std::to_string(set)}),
      [&] {
        Diagnostics ignored;
        SceneRequest request;
        request.read = read_options(settings_);
        request.scale = scale;
        request.collision = settings_.collision;
        request.portals = settings_.portals;
        request.doodad_set = settings_.doodad_set;
        open::PixelPurse purse;
        auto model = open::model_on_map({sources_, request, ignored, &purse}, kind, name, set);
        stop_when_asked();  // as above
        return purse.failure ? nullptr : model;
      },
      [](const scene::Scene& value) { return weight_of(value); });
}

}  // namespace thaw::cli
