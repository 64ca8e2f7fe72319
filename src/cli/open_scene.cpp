#include "cli/open_scene.hpp"

#include <thaw/gltf_read.hpp>
#include <thaw/mdx_scene.hpp>

#include "cli/convert_morph.hpp"
#include "cli/text.hpp"

#include <algorithm>
#include <set>

namespace thaw::cli {
namespace {

/// Models within models that are loaded for one picture.
constexpr std::size_t kMostGuests = 64;

scene::ImageOptions image_options(const Work& work) {
  scene::ImageOptions options;
  options.team_color = work.team_color;
  options.read = read_options(work.settings);
  return options;
}

/// Emitters may name a replaceable picture that no texture of the model does.
void name_emitter_textures(scene::Scene& scene) {
  for (auto& emitter : scene.emitters) {
    if (emitter.kind != scene::Emitter::Kind::sprites || emitter.replaceable_id == 0) {
      continue;
    }
    const auto known =
        std::find_if(scene.textures.begin(), scene.textures.end(), [&](const scene::Texture& texture) {
          return texture.path.empty() && texture.replaceable_id == emitter.replaceable_id;
        });
    emitter.texture = static_cast<scene::Index>(known - scene.textures.begin());
    if (known == scene.textures.end()) {
      scene::Texture texture;
      texture.replaceable_id = emitter.replaceable_id;
      scene.textures.push_back(texture);
    }
  }
}

std::vector<std::string> guests_of(const scene::Scene& scene) {
  std::vector<std::string> paths;
  for (const auto& attachment : scene.attachments) {
    paths.push_back(attachment.path);
  }
  for (const auto& emitter : scene.emitters) {
    if (emitter.kind == scene::Emitter::Kind::models) {
      paths.push_back(emitter.path);
    }
  }
  paths.erase(std::remove(paths.begin(), paths.end(), std::string()), paths.end());
  return paths;
}

std::string stem_of(const std::string& path) {
  const std::string name = normalize_game_path(path);
  const auto dot = name.find_last_of('.');
  const auto slash = name.find_last_of('/');
  const bool extension = dot != std::string::npos && (slash == std::string::npos || dot > slash);
  return extension ? name.substr(0, dot) : name;
}

/// Models say .mdl of what is a .mdx on disk.
std::shared_ptr<const scene::Scene> load_guest(const Work& work, const Sources& sources,
                                               const std::string& stem) {
  for (const char* extension : {".mdx", ".mdl"}) {
    const auto found = sources.find(stem + extension);
    if (!found) {
      continue;
    }
    Diagnostics ignored(0);
    const auto document = read_any(found->bytes, read_options(work.settings), ignored);
    const auto* model = document ? document->get_if<mdx::Document>() : nullptr;
    if (model == nullptr) {
      continue;
    }
    mdx::SceneOptions options;
    options.scale = work.scale(options.scale);
    auto scene = std::make_shared<scene::Scene>(mdx::to_scene(*model, options, ignored));
    name_emitter_textures(*scene);
    scene::load_images(*scene, sources, image_options(work), ignored);
    return scene;
  }
  return nullptr;
}

void load_guests(const Work& work, const Sources& sources, ShownScene& shown) {
  std::vector<std::string> open = guests_of(shown.scene);
  std::set<std::string> seen;
  for (std::size_t i = 0; i < open.size() && shown.models.size() < kMostGuests; ++i) {
    const std::string stem = stem_of(open[i]);
    if (stem.empty() || !seen.insert(stem).second) {
      continue;
    }
    if (auto guest = load_guest(work, sources, stem)) {
      const auto further = guests_of(*guest);
      open.insert(open.end(), further.begin(), further.end());
      shown.models.push_back({stem, std::move(guest)});
    }
  }
}

Result<scene::Scene> scene_of(const Work& work) {
  const Format format = work.content.identity.format;
  if (format == Format::glb || format == Format::gltf) {
    return read_gltf(work.content.bytes, gltf_options(work.input, work.settings), work.findings);
  }
  const auto document = read_any(work.content.bytes, read_options(work.settings), work.findings);
  if (!document) {
    return tl::unexpected<Error>(document.error());
  }
  if (auto scene = make_scene(work, *document)) {
    return std::move(*scene);
  }
  return fail(codes::kFormatUnsupported, concat({work.content.identity.explanation, "; it has no picture"}));
}

}  // namespace

Result<ShownScene> open_scene(const Work& work) {
  auto scene = scene_of(work);
  if (!scene) {
    return tl::unexpected<Error>(std::move(scene.error()));
  }
  ShownScene shown;
  shown.scene = std::move(*scene);
  const Sources sources = work.folders.for_model(work.input);
  attach_morphs(shown.scene, sources, work.scale(0), work.settings, work.findings);
  name_emitter_textures(shown.scene);
  scene::load_images(shown.scene, sources, image_options(work), work.findings);
  load_guests(work, sources, shown);
  shown.textures = shown.scene.images.size();
  shown.missing_textures = static_cast<std::size_t>(
      std::count_if(shown.scene.images.begin(), shown.scene.images.end(),
                    [](const scene::NamedImage& image) { return image.placeholder; }));
  if (work.content.identity.version) {
    shown.version = static_cast<std::uint32_t>(*work.content.identity.version);
  }
  return shown;
}

}  // namespace thaw::cli
