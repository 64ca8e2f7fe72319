#include <thaw/codes.hpp>
#include <thaw/control.hpp>
#include <thaw/load.hpp>

#include "bytes/number_text.hpp"
#include "formats/descriptor.hpp"
#include "open/parts.hpp"
#include "open/paths.hpp"
#include "open/scene_weight.hpp"

#include <algorithm>

namespace thaw {
namespace open {

std::string SceneContext::name() const { return request.name.empty() ? stem_of(request.path) : request.name; }

scene::ImageOptions image_options(const OpenSceneOptions& request) {
  scene::ImageOptions options;
  options.team_color = request.team_color;
  options.all_team_colors = request.all_team_colors;
  options.keep_files = request.keep_files;
  options.replaceables = request.replaceables;
  options.read = request.read;
  options.longest_side = request.longest_side;
  return options;
}

namespace {

Result<scene::Scene> scene_of(const SceneContext& context, const AnyDocument& document) {
  const FormatDescriptor& format = descriptor_of(document);
  const CodePageScope scope(document.code_page());
  return format.to_scene != nullptr
             ? format.to_scene(context, document)
             : fail(codes::kFormatUnsupported,
                    std::string(document.identity().explanation) + "; it cannot be rendered");
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

/// Loops that run alongside all sequences stay.
Result<void> keep_requested_clips(const OpenSceneOptions& request, scene::Scene& scene) {
  if (!request.clips.requested) {
    return {};
  }
  std::vector<scene::Index> places(scene.clips.size(), scene::kNone);
  scene::Index retained = 0;
  bool any = false;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < scene.clips.size(); ++i) {
    scene::Clip& clip = scene.clips[i];
    const bool requested = !clip.global && request.clips.requested(clip.name);
    any = any || requested;
    if (!clip.global) {
      names.push_back(clip.name);
    }
    if (clip.global || requested) {
      places[i] = retained++;
      std::swap(scene.clips[places[i]], clip);
    }
  }
  scene.clips.resize(retained);
  for (auto& event : scene.events) {
    event.global_loop = event.global_loop < places.size() ? places[event.global_loop] : scene::kNone;
  }
  return any ? Result<void>()
             : fail(codes::kSceneNoClip, "no clip matches; the clips are: " + names_text(names));
}

OpenSceneOptions with_adjacent_files(const AnyDocument& document, OpenSceneOptions request) {
  if (auto* const ask = descriptor_of(document).request_adjacent; ask != nullptr) {
    const CodePageScope scope(document.code_page());
    ask(document, request);
  }
  return request;
}

}  // namespace

std::shared_ptr<scene::Scene> placed_model(const SceneContext& context, std::string_view path) {
  const auto found = context.sources.find(on_disk(path));
  if (!found || identify(found->bytes).format.descriptor().holds_models) {
    return nullptr;
  }
  Diagnostics ignored;
  const auto document = read_any(found->bytes, context.request.read, ignored);
  if (!document) {
    return nullptr;
  }
  OpenSceneOptions request = context.request;
  request.path = on_disk(path);
  request.name.clear();
  request.adjacent.clear();
  auto scene = scene_of({context.sources, request, ignored, context.budget}, *document);
  return scene ? with_pictures(context, request, std::move(*scene)) : nullptr;
}

std::shared_ptr<scene::Scene> with_pictures(const SceneContext& context, const OpenSceneOptions& request,
                                            scene::Scene scene) {
  scene::ImageOptions options = image_options(request);
  std::uint64_t& bound = options.read.limits.max_pixel_bytes;
  bound -= std::min(bound, context.budget == nullptr ? 0 : context.budget->used);
  auto loaded = scene::load_images(scene, context.sources, options, context.findings);
  if (context.budget != nullptr) {
    context.budget->used += scene::pixel_bytes(scene);
    if (!loaded && !context.budget->failure) {
      context.budget->failure = std::move(loaded.error());
    }
  }
  return std::make_shared<scene::Scene>(std::move(scene));
}

}  // namespace open

std::string picture_of_id(const Sources& sources, const OpenSceneOptions& request, std::uint32_t id) {
  const std::string number = std::to_string(id);
  std::string listed = request.path_of_id ? request.path_of_id(id) : "";
  const std::string plain = number + ".blp";
  for (const std::string& name : {listed, open::stem_of(request.path) + "_" + number + ".blp", plain}) {
    if (!name.empty() && sources.find_texture(name)) {
      return name;
    }
  }
  return listed.empty() ? plain : listed;
}

Result<scene::Scene> bare_scene(const AnyDocument& document, const Sources& sources,
                                const OpenSceneOptions& request, Diagnostics& diagnostics) {
  open::PixelBudget budget;
  auto scene = open::scene_of({sources, request, diagnostics, &budget}, document);
  if (is_stopped(request.read.control)) {
    return fail(codes::kStopped, "");
  }
  if (budget.failure) {
    return tl::unexpected<Error>(std::move(*budget.failure));
  }
  if (scene) {
    const auto limited = open::keep_requested_clips(request, *scene).and_then([&] {
      return open::hold_to_bound(*scene, request.max_scene_bytes);
    });
    if (!limited) {
      return tl::unexpected<Error>(limited.error());
    }
    if (request.scale) {
      scene->extras.set("scale", double{*request.scale});  // for the way back
    }
  }
  return scene;
}

Result<std::size_t> resolve_dependencies(scene::Scene& scene, const Sources& sources,
                                         const OpenSceneOptions& request, Diagnostics& diagnostics) {
  const std::size_t morphs = open::attach_morphs({sources, request, diagnostics}, scene);
  if (request.emitter_pictures) {
    open::name_emitter_textures(scene);
    open::add_splats({sources, request, diagnostics}, scene);
  }
  return open::hold_to_bound(scene, request.max_scene_bytes)
      .and_then([&] { return scene::load_images(scene, sources, open::image_options(request), diagnostics); })
      .map([&] { return morphs; });
}

Result<void> check_replaceables(const scene::Scene& scene, const Sources& sources,
                                const OpenSceneOptions& request, Diagnostics& diagnostics) {
  for (const auto& [id, path] : request.replaceables) {
    const auto asks = [&, requested = id](const scene::Texture& texture) {
      return texture.replaceable_id == requested;
    };
    const std::string option = "--replaceable " + std::to_string(id);
    if (!sources.find_texture(path)) {
      return fail(codes::kInputUnreadable, option + ": " + path + " is neither a file nor in any source");
    }
    if (std::none_of(scene.textures.begin(), scene.textures.end(), asks)) {
      diagnostics.add(codes::kOptionEffect, option + ": no texture of the model has this id");
    }
  }
  return {};
}

Result<OpenedScene> open_scene(const AnyDocument& document, const Sources& sources,
                               const OpenSceneOptions& requested, Diagnostics& diagnostics) {
  const OpenSceneOptions request = open::with_adjacent_files(document, requested);
  auto scene = bare_scene(document, sources, request, diagnostics);
  if (!scene) {
    return tl::unexpected<Error>(std::move(scene.error()));
  }
  OpenedScene opened{std::move(*scene), 0};
  return resolve_dependencies(opened.scene, sources, request, diagnostics).map([&](std::size_t morphs) {
    opened.morphs = morphs;
    return std::move(opened);
  });
}

}  // namespace thaw
