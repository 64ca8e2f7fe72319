#include "cli/world_models.hpp"

#include <thaw/image.hpp>

#include "cli/makers.hpp"
#include "cli/text.hpp"

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

/// Models of Warcraft III are turned otherwise than the ground and what else stands on it: (x, y, z) of them
/// is (x, z, −y), not (y, z, x).
scene::Scene turned(scene::Scene model) {
  constexpr float kHalfRoot = 0.70710678F;
  scene::Scene result;
  result.name = model.name;
  scene::Node& node = result.nodes.emplace_back();
  node.name = model.name;
  node.rest.rotation = {0, -kHalfRoot, 0, kHalfRoot};
  result.models.push_back(std::make_shared<const scene::Scene>(std::move(model)));
  result.placements.push_back({0, 0});
  return result;
}

/// References say .mdl of what is .mdx on disk (§2.5).
std::string on_disk(std::string_view name) {
  std::string path = normalize_game_path(name);
  if (path.size() > 4 && path.substr(path.size() - 4) == ".mdl") {
    path.back() = 'x';
  }
  return path;
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
  return [this, scale](world::PlacedKind /*kind*/, std::string_view name, std::uint16_t set) {
    return open_model(name, set, scale);
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
        return decoded ? std::make_shared<const Image>(std::move(*decoded)) : nullptr;
      },
      [](const Image& value) { return weight_of(value); });
  if (image == nullptr) {
    findings.add(codes::kTextureMissing, concat({to_utf8(name), " is not there, or does not decode"}));
  }
  return image;
}

std::shared_ptr<const scene::Scene> WorldModels::open_model(std::string_view name, std::uint16_t set,
                                                            float scale) {
  const std::string path = on_disk(name);
  return scenes_.get(
      concat({path, "#", std::to_string(set)}),
      [&]() -> std::shared_ptr<const scene::Scene> {
        auto found = sources_.find(path);
        if (!found) {
          return nullptr;
        }
        const Identity identity = identify(found->bytes);
        Content content{std::move(found->bytes), identity, false};
        Diagnostics ignored;
        const auto document = read_any(content.bytes, read_options(settings_), ignored);
        if (!document) {
          return nullptr;
        }
        Settings settings = settings_;
        settings.scale = double{scale};
        if (settings.doodad_set.empty() && set != 0) {  // the caller's wish comes before the map's
          settings.doodad_set = std::to_string(set);
        }
        const Work work{map_, content, Target::glb, path, settings, {}, folders_, ignored};
        auto scene = make_scene(work, *document);
        if (!scene) {
          return nullptr;
        }
        scene::ImageOptions images;
        images.read = read_options(settings_);
        scene::load_images(*scene, sources_, images, ignored);
        const bool foreign = scene->source_format == "mdx";
        return std::make_shared<const scene::Scene>(foreign ? turned(std::move(*scene)) : std::move(*scene));
      },
      [](const scene::Scene& value) { return weight_of(value); });
}

}  // namespace thaw::cli
