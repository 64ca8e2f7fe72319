// Models and actors of the Forgelight engine.
#include <thaw/adr_scene.hpp>

#include "open/parts.hpp"

namespace thaw::open {
namespace {

/// The game's own name of the file.
constexpr std::string_view kMaterials = "materials_3.xml";

/// That of the request, else of a source; none is no error.
struct Materials {
  std::optional<materials::Library> own;
  const materials::Library* used = nullptr;
};

Result<void> find_materials(const Order& order, Materials& result) {
  result.used = order.request.library;
  if (result.used != nullptr) {
    return {};
  }
  auto found = order.sources.find(kMaterials);
  if (!found) {
    return {};
  }
  auto library = materials::read_library({std::move(found->bytes)});
  if (!library) {
    library.error().message = std::string(kMaterials) + ": " + library.error().message;
    return tl::unexpected<Error>(std::move(library.error()));
  }
  result.own = std::move(*library);
  result.used = &*result.own;
  return {};
}

}  // namespace

Result<scene::Scene> actor_scene(const Order& order, const xml::Document& document) {
  Materials materials;
  if (auto done = find_materials(order, materials); !done) {
    return tl::unexpected<Error>(std::move(done.error()));
  }
  const auto actor = adr::read_actor(document);
  if (!actor) {
    return tl::unexpected<Error>(actor.error());
  }
  adr::SceneOptions options;
  options.library = materials.used;
  options.skeleton = order.request.skeleton;
  options.clips = order.request.clips;
  options.lod = {!order.request.lod, order.request.lod.value_or(0)};
  options.read = order.request.read;
  return adr::to_scene(*actor, order.name(), order.sources, options, order.findings);
}

Result<scene::Scene> dme_scene(const Order& order, const dme::Document& model) {
  Materials materials;
  if (auto done = find_materials(order, materials); !done) {
    return tl::unexpected<Error>(std::move(done.error()));
  }
  dme::SceneOptions options;
  options.library = materials.used;
  options.sources = &order.sources;
  options.read = order.request.read;
  return dme::to_scene(model, order.name(), options, order.findings);
}

}  // namespace thaw::open
