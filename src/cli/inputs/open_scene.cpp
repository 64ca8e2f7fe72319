#include "cli/inputs/open_scene.hpp"

#include <thaw/codes.hpp>
#include <thaw/gltf.hpp>

#include "cli/convert/options.hpp"
#include "cli/inputs/replaceables.hpp"
#include "cli/report/text.hpp"
#include "scene/game_rules.hpp"
#include "scene/roles.hpp"

#include <algorithm>

namespace thaw::cli {
namespace {

/// A mesh that stops players stands before what is to be seen: it is shown as glass.
void show_collision_through(scene::Scene& scene) {
  const auto bare = [](const scene::MeshPart& part) { return part.material == scene::kNone; };
  const auto glass = static_cast<scene::Index>(scene.materials.size());
  bool any = false;
  for (auto& mesh : scene.meshes) {
    if (scene::is_collision(scene, mesh) && std::all_of(mesh.parts.begin(), mesh.parts.end(), bare)) {
      mesh.parts = {{0, static_cast<scene::Index>(mesh.indices.size()), glass}};
      mesh.color = {0.95F, 0.75F, 0.15F};
      mesh.alpha = 0.35F;
      any = true;
    }
  }
  if (any) {
    scene::Layer& layer = scene.materials.emplace_back().layers.emplace_back();
    layer.blend = scene::BlendMode::blend;
    layer.unshaded = true;
    layer.two_sided = true;
  }
}

/// glTF is no document: what comes of it is a scene already.
Result<OpenedScene> gltf_scene(const ConversionInput& work, const Sources& sources,
                               const OpenSceneOptions& request) {
  GltfReadOptions reading = gltf_options(work.input, work.settings);
  reading.surfaces = true;
  return read_gltf(work.content.bytes, reading, work.findings).and_then([&](scene::Scene&& scene) {
    OpenedScene opened{std::move(scene), 0};
    return resolve_dependencies(opened.scene, sources, request, work.findings)
        .map([&](std::size_t morphs) { opened.morphs = morphs; })

        .map([&] { return std::move(opened); });
  });
}

/// Reports options about what neither the scene nor a model in it has.
void check_options(const ShownScene& shown, const Settings& settings, Diagnostics& findings) {
  const auto any = [&](const auto& has) {
    return has(shown.scene) || std::any_of(shown.models.begin(), shown.models.end(),
                                           [&](const frame::NamedModel& model) { return has(*model.scene); });
  };
  const auto emits = [](const scene::Scene& scene) {
    return !scene.emitters.empty() || !scene.ribbons.empty();
  };
  const auto check = [&](std::string_view option, bool works, std::string_view why) {
    if (settings.is_given(option) && !works) {
      findings.add(codes::kOptionEffect, concat({"--", option, ": ", why}));
    }
  };
  check("team-color", any(scene::has_team_color), "no input uses a player's colour");
  check("no-emitters", any(emits), "no input has an emitter");
  check("seed", any(emits), "no input has an emitter");
}

Result<OpenedScene> opened_scene(const ConversionInput& work, const Sources& sources,
                                 const OpenSceneOptions& request) {
  if (is_gltf(work.content.identity)) {
    return gltf_scene(work, sources, request);
  }
  return read_content(work.content, work.settings, work.findings).and_then([&](const AnyDocument& document) {
    return thaw::open_scene(document, sources, request, work.findings);
  });
}

}  // namespace

Result<ShownScene> open_scene(const ConversionInput& work) {
  auto options = options_of(work);
  if (!options) {
    return tl::unexpected<Error>(std::move(options.error()));
  }
  OpenSceneOptions& request = options->scene;
  request.emitter_pictures = true;
  request.longest_side = longest_side(work.settings);
  request.bones = true;  // a skeleton without a character has nothing else to show
  const Sources sources = sources_of(work);
  auto opened = opened_scene(work, sources, request);
  if (!opened) {
    return tl::unexpected<Error>(std::move(opened.error()));
  }
  if (auto checked = check_replaceables(opened->scene, sources, request, work.findings); !checked) {
    return tl::unexpected<Error>(std::move(checked.error()));
  }
  ShownScene shown;
  shown.scene = std::move(opened->scene);
  shown.file_name = work.output.filename().string();
  show_collision_through(shown.scene);
  auto models = models_within(shown.scene, sources, request);
  if (!models) {
    return tl::unexpected<Error>(std::move(models.error()));
  }
  shown.models = std::move(*models);
  report_outside(work.input, sources, work.findings);
  check_options(shown, work.settings, work.findings);
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
