// Models and actors of the Forgelight engine.
#include <thaw/forgelight.hpp>
#include <thaw/load.hpp>

#include "open/parts.hpp"

namespace thaw::open {
namespace {

/// The game's own name of the file.
constexpr std::string_view kMaterials = "materials_3.xml";

/// That of the request, else of a source; none is no error.
struct Materials {
  std::optional<materials::Library> loaded;
  const materials::Library* used = nullptr;
};

Result<void> find_materials(const SceneContext& context, Materials& result) {
  result.used = context.request.library.get();
  if (result.used != nullptr) {
    return {};
  }
  auto found = context.sources.find(kMaterials);
  if (!found) {
    return {};
  }
  auto library = materials::read_library({std::move(found->bytes)});
  if (!library) {
    library.error().message = std::string(kMaterials) + ": " + library.error().message;
    return tl::unexpected<Error>(std::move(library.error()));
  }
  result.loaded = std::move(*library);
  result.used = &*result.loaded;
  return {};
}

/// A model on the skeleton of a network, as an actor would put them together.
Result<scene::Scene> on_skeleton(const SceneContext& context, const dme::Document& model,
                                 dme::SceneOptions options) {
  const mrn::Document& network = *context.request.network;
  const auto chosen = mrn::find_skeleton(network, context.request.skeleton, context.findings);
  if (!chosen) {
    return tl::unexpected<Error>(chosen.error());
  }
  scene::Scene scene;
  scene.name = context.name();
  scene.source_format = "dme";
  scene.axes = scene::Axes::x_front;
  scene::Node root;
  root.name = scene.name;
  root.kind = scene::NodeKind::root;
  scene.nodes.push_back(std::move(root));
  const auto placed = mrn::add_skeleton(network, *chosen, 0, scene, context.findings);
  dme::BoneNodes bones;
  for (const auto& [bone, node] : placed.by_name) {
    bones.emplace(forgelight::hash_upper(bone), node);
  }
  options.bone_parent = 0;
  dme::add_model(model, scene.name, options, 0, bones, scene, context.findings);
  mrn::add_clips(network, placed, context.request.clips, scene, context.findings);
  for (const auto& [clip, animation] : context.request.animations) {
    mrn::add_clip(network, placed, *animation, clip, context.request.clips, scene, context.findings);
  }
  scene.extras.set("skeleton", mrn::skeletons(network)[*chosen].name);
  return scene;
}

}  // namespace

Result<scene::Scene> actor_scene(const SceneContext& context, const xml::Document& document) {
  Materials materials;
  if (auto done = find_materials(context, materials); !done) {
    return tl::unexpected<Error>(std::move(done.error()));
  }
  const auto actor = adr::read_actor(document);
  if (!actor) {
    return tl::unexpected<Error>(actor.error());
  }
  adr::SceneOptions options;
  options.library = materials.used;
  options.skeleton = context.request.skeleton;
  options.clips = context.request.clips;
  options.animations = context.request.animations;
  options.lod = {!context.request.lod, context.request.lod.value_or(0)};
  options.read = context.request.read;
  return adr::to_scene(*actor, context.name(), context.sources, options, context.findings);
}

Result<scene::Scene> dme_scene(const SceneContext& context, const dme::Document& model) {
  Materials materials;
  if (auto done = find_materials(context, materials); !done) {
    return tl::unexpected<Error>(std::move(done.error()));
  }
  dme::SceneOptions options;
  options.library = materials.used;
  options.sources = &context.sources;
  options.read = context.request.read;
  return context.request.network != nullptr ? on_skeleton(context, model, options)
                                            : dme::to_scene(model, context.name(), options, context.findings);
}

}  // namespace thaw::open
