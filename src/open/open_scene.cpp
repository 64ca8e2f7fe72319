#include <thaw/open_scene.hpp>

#include <thaw/m3_scene.hpp>
#include <thaw/mdx_alpha_scene.hpp>
#include <thaw/mdx_scene.hpp>
#include <thaw/mrf_scene.hpp>
#include <thaw/world_scene.hpp>

#include "open/parts.hpp"
#include "open/paths.hpp"

#include <algorithm>

namespace thaw {
namespace open {

std::string Order::name() const { return request.name.empty() ? stem_of(request.path) : request.name; }

scene::ImageOptions image_options(const SceneRequest& request) {
  scene::ImageOptions options;
  options.team_color = request.team_color;
  options.replaceables = request.replaceables;
  options.read = request.read;
  return options;
}

namespace {

scene::Scene mdx_scene(const Order& order, const mdx::Document& model) {
  mdx::SceneOptions options;
  options.scale = order.scale(options.scale);
  return mdx::to_scene(model, options, order.findings);
}

scene::Scene alpha_scene(const Order& order, const mdx_alpha::Document& model) {
  mdx_alpha::SceneOptions options;
  options.scale = order.scale(options.scale);
  return mdx_alpha::to_scene(model, options, order.findings);
}

scene::Scene morph_scene(const Order& order, const mrf::Document& morph) {
  mrf::SceneOptions options;
  options.scale = order.scale(options.scale);
  options.every = order.request.every;
  options.max_error = order.request.max_error * options.scale;
  return mrf::to_scene(morph, order.name(), options, order.findings);
}

scene::Scene m3_scene(const Order& order, const m3::Document& model) {
  m3::SceneOptions options;
  options.scale = order.scale(options.scale);
  options.lod = order.request.lod;
  options.collision = order.request.collision;
  options.path_of = [&](std::uint32_t id) { return picture_of_id(order.sources, order.request, id); };
  return m3::to_scene(model, order.name(), options, order.findings);
}

mrn::SceneOptions network_options(const SceneRequest& request) {
  mrn::SceneOptions options;
  options.skeleton = request.skeleton;
  options.clips = request.clips;
  options.bones = request.bones;
  return options;
}

Result<scene::Scene> animation_scene(const Order& order, const nsa::Document& animation) {
  if (order.request.network == nullptr) {
    return fail(codes::kMrnSkeleton, "an animation has no skeleton of its own");
  }
  // The clip is known by its file, however its scene is called: so it finds its place in a network again.
  const std::string& path = order.request.path;
  return mrn::to_scene(animation, *order.request.network, path.empty() ? order.name() : stem_of(path),
                       network_options(order.request), order.findings)
      .map([&](scene::Scene&& scene) {
        scene.name = order.name();
        return std::move(scene);
      });
}

Result<scene::Scene> forgelight_scene(const Order& order, const AnyDocument& document) {
  if (const auto* network = document.get_if<mrn::Document>()) {
    return mrn::to_scene(*network, order.name(), network_options(order.request), order.findings);
  }
  if (const auto* animation = document.get_if<nsa::Document>()) {
    return animation_scene(order, *animation);
  }
  if (const auto* model = document.get_if<dme::Document>()) {
    return dme_scene(order, *model);
  }
  const auto* text = document.get_if<xml::Document>();
  if (text != nullptr && document.identity().format == Format::adr) {
    return actor_scene(order, *text);
  }
  return fail(codes::kFormatUnsupported,
              std::string(document.identity().explanation) + "; it has no picture");
}

Result<scene::Scene> world_scene(const Order& order, const AnyDocument& document) {
  if (const auto* building = document.get_if<wmo::Document>()) {
    return building_scene(order, *building);
  }
  if (const auto* map = document.get_if<wdt::Document>()) {
    return map_scene(order, *map);
  }
  if (const auto* far = document.get_if<wdl::Document>()) {
    return world::to_scene(*far, order.name(), order.scale(1));
  }
  return forgelight_scene(order, document);
}

Result<scene::Scene> scene_of(const Order& order, const AnyDocument& document) {
  if (const auto* model = document.get_if<mdx::Document>()) {
    return mdx_scene(order, *model);
  }
  if (const auto* alpha = document.get_if<mdx_alpha::Document>()) {
    return alpha_scene(order, *alpha);
  }
  if (const auto* morph = document.get_if<mrf::Document>()) {
    return morph_scene(order, *morph);
  }
  if (const auto* model = document.get_if<m3::Document>()) {
    return m3_scene(order, *model);
  }
  return world_scene(order, document);
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

/// What stands in something may not be of these: it could hold itself.
bool holds_others(Format format) {
  return format == Format::wmo || format == Format::wdt || format == Format::wdt_later ||
         format == Format::wdl || format == Format::adt || format == Format::adr;
}

/// Loops that run beside all sequences stay.
void keep_wanted_clips(const SceneRequest& request, scene::Scene& scene, Diagnostics& diagnostics) {
  if (!request.clips.wanted) {
    return;
  }
  std::vector<scene::Index> places(scene.clips.size(), scene::kNone);
  scene::Index kept = 0;
  bool any = false;
  for (std::size_t i = 0; i < scene.clips.size(); ++i) {
    scene::Clip& clip = scene.clips[i];
    const bool wanted = !clip.global && request.clips.wanted(clip.name);
    any = any || wanted;
    if (clip.global || wanted) {
      places[i] = kept++;
      std::swap(scene.clips[places[i]], clip);
    }
  }
  scene.clips.resize(kept);
  for (auto& event : scene.events) {
    event.global_loop = event.global_loop < places.size() ? places[event.global_loop] : scene::kNone;
  }
  if (!any) {
    diagnostics.add(codes::kSceneNoClip, "no animation has a name that was asked for");
  }
}

/// Of Warcraft III's models and of buildings nothing lies beside them that has to be guessed.
SceneRequest with_skins(const AnyDocument& document, SceneRequest request) {
  if (const auto* alpha = document.get_if<mdx_alpha::Document>()) {
    const auto skins = mdx_alpha::skins_beside(*alpha, stem_of(request.path), request.beside);
    request.replaceables.insert(request.replaceables.end(), skins.begin(), skins.end());
  }
  return request;
}

}  // namespace

std::shared_ptr<scene::Scene> placed_model(const Order& order, std::string_view path) {
  const auto found = order.sources.find(on_disk(path));
  if (!found || holds_others(identify(found->bytes).format)) {
    return nullptr;
  }
  Diagnostics ignored;
  const auto document = read_any(found->bytes, order.request.read, ignored);
  if (!document) {
    return nullptr;
  }
  SceneRequest request = order.request;
  request.path = on_disk(path);
  request.name.clear();
  request.beside.clear();
  auto scene = scene_of({order.sources, request, ignored}, *document);
  if (!scene) {
    return nullptr;
  }
  scene::load_images(*scene, order.sources, image_options(request), order.findings);
  return std::make_shared<scene::Scene>(std::move(*scene));
}

}  // namespace open

std::string picture_of_id(const Sources& sources, const SceneRequest& request, std::uint32_t id) {
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
                                const SceneRequest& request, Diagnostics& diagnostics) {
  auto scene = open::scene_of({sources, request, diagnostics}, document);
  if (scene) {
    open::keep_wanted_clips(request, *scene, diagnostics);
  }
  return scene;
}

std::size_t dress_scene(scene::Scene& scene, const Sources& sources, const SceneRequest& request,
                        Diagnostics& diagnostics) {
  const std::size_t morphs = open::attach_morphs({sources, request, diagnostics}, scene);
  if (request.emitter_pictures) {
    open::name_emitter_textures(scene);
  }
  scene::load_images(scene, sources, open::image_options(request), diagnostics);
  return morphs;
}

Result<OpenedScene> open_scene(const AnyDocument& document, const Sources& sources, const SceneRequest& asked,
                               Diagnostics& diagnostics) {
  const SceneRequest request = open::with_skins(document, asked);
  auto scene = bare_scene(document, sources, request, diagnostics);
  if (!scene) {
    return tl::unexpected<Error>(std::move(scene.error()));
  }
  OpenedScene opened{std::move(*scene), 0};
  opened.morphs = dress_scene(opened.scene, sources, request, diagnostics);
  return opened;
}

}  // namespace thaw
