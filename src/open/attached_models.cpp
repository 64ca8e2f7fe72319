// Models that hang in models.
#include <thaw/codes.hpp>
#include <thaw/mdx.hpp>

#include "open/scene_context.hpp"

#include <algorithm>
#include <set>

namespace thaw {
namespace {

constexpr std::size_t kMostAttachedModels = 64;

std::vector<std::string> named_in(const scene::Scene& scene) {
  std::vector<std::string> paths;
  paths.reserve(scene.attachments.size() + scene.emitters.size());
  for (const auto& attachment : scene.attachments) {
    paths.push_back(attachment.path);
  }
  for (const auto& emitter : scene.emitters) {
    if (emitter.kind == scene::Emitter::Kind::models) {
      paths.push_back(emitter.path);
    }
  }
  for (const auto& event : scene.events) {
    paths.push_back(event.model);
  }
  paths.erase(std::remove(paths.begin(), paths.end(), std::string()), paths.end());
  return paths;
}

/// Models say .mdl of what is a .mdx on disk. Only Warcraft III's hang models at nodes by name.
Result<std::shared_ptr<const scene::Scene>> load_attached_model(const Sources& sources,
                                                                const OpenSceneOptions& requested,
                                                                const std::string& stem) {
  for (const char* extension : {".mdx", ".mdl"}) {
    const auto found = sources.find(stem + extension);
    if (!found) {
      continue;
    }
    Diagnostics ignored(0);
    const auto document = read_any(found->bytes, requested.read, ignored);
    if (!document || document->get_if<mdx::Document>() == nullptr) {
      continue;
    }
    OpenSceneOptions request = requested;
    request.path = stem + extension;
    request.replaceables.clear();
    auto opened = open_scene(*document, sources, request, ignored);
    if (opened) {
      return std::make_shared<const scene::Scene>(std::move(opened->scene));
    }
    if (opened.error().code == codes::kTooManyPixels || opened.error().code == codes::kStopped) {
      return tl::unexpected<Error>(std::move(opened.error()));
    }
  }
  return nullptr;
}

}  // namespace

Result<std::vector<frame::NamedModel>> models_within(const scene::Scene& scene, const Sources& sources,
                                                     const OpenSceneOptions& request) {
  OpenSceneOptions bounded = request;
  std::uint64_t& bound = bounded.read.limits.max_pixel_bytes;
  bound -= std::min(bound, scene::pixel_bytes(scene));
  std::vector<frame::NamedModel> models;
  std::vector<std::string> names = named_in(scene);
  std::set<std::string> seen;
  for (std::size_t i = 0; i < names.size() && models.size() < kMostAttachedModels; ++i) {
    const std::string stem = game_path_without_extension(names[i]);
    if (stem.empty() || !seen.insert(stem).second) {
      continue;
    }
    auto attached = load_attached_model(sources, bounded, stem);
    if (!attached) {
      return tl::unexpected<Error>(std::move(attached.error()));
    }
    if (*attached != nullptr) {
      bound -= std::min(bound, scene::pixel_bytes(**attached));
      const auto further = named_in(**attached);
      names.insert(names.end(), further.begin(), further.end());
      models.push_back({stem, std::move(*attached)});
    }
  }
  return models;
}

}  // namespace thaw
