#include <thaw/mrn_scene.hpp>
#include <thaw/nsa.hpp>

#include "formats/forgelight/mrn/animation_rules.hpp"
#include "formats/forgelight/mrn/facts.hpp"
#include "formats/forgelight/mrn/format.hpp"
#include "formats/list.hpp"
#include "open/paths.hpp"
#include "open/scene_context.hpp"

namespace thaw::nsa {
namespace {

Result<scene::Scene> open_scene(const open::SceneContext& context, const AnyDocument& any) {
  if (context.request.network == nullptr) {
    return fail(codes::kMrnSkeleton, "an animation has no skeleton of its own");
  }
  // The clip is known by its file, however its scene is called: so it finds its place in a network again.
  const std::string& path = context.request.path;
  return mrn::to_scene(*any.get_if<Document>(), *context.request.network,
                       path.empty() ? context.name() : open::stem_of(path),
                       mrn::scene_options(context.request), context.findings)
      .map([&](scene::Scene&& scene) {
        scene.name = context.name();
        return std::move(scene);
      });
}

Result<SceneFile> write_scene(const SceneToWrite& context) {
  return mrn::animation_from_scene(context).map([](std::pair<Document, SceneFile>&& made) {
    made.second.bytes = write(made.first);
    return std::move(made.second);
  });
}

constexpr SceneWriter kWriter = {
    .made = "animations", .options = "clip skeleton root-motion", .network = true, .write = write_scene};
constexpr RuleBook kBook = document_book<Document, rules>();

}  // namespace

const FormatDescriptor kFormat = {
    .id = "nsa",
    .name = "Forgelight animation (NSA)",
    .extensions = ".nsa",
    .explanation = "this is a Forgelight or Morpheme animation (NSA), which needs a skeleton to be seen",
    .strongest = Evidence::table,
    .recognise = [](ByteView bytes) { return if_found(is_nsa(bytes), Evidence::table); },
    .document = document_operations<Document, read>(),
    .facts = facts_of_any<Document, facts_of>,
    .rules = &kBook,
    .to_scene = open_scene,
    .models = "animations",
    .scene_options = "skeleton clip root-motion bones",
    .textured = false,
    .from_scene = &kWriter,
};

}  // namespace thaw::nsa
