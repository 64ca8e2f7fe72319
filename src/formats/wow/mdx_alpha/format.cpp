#include <thaw/mdx.hpp>
#include <thaw/mdx_alpha.hpp>

#include "formats/list.hpp"
#include "formats/warcraft/mdx/conversions.hpp"
#include "formats/warcraft/mdx/format.hpp"
#include "formats/wow/mdx_alpha/collision.hpp"
#include "formats/wow/mdx_alpha/facts.hpp"
#include "formats/wow/mdx_alpha/rules.hpp"
#include "formats/wow/mdx_alpha/source_emitters.hpp"
#include "open/paths.hpp"
#include "open/scene_context.hpp"
#include "open/written_scene.hpp"
#include "scene/deviation.hpp"

#include <numeric>

namespace thaw::mdx_alpha {
namespace {

Evidence recognise(ByteView bytes) {
  return mdx::is_wow_alpha(bytes) ? by_magic(bytes, "MDLX") : Evidence::none;
}

void report(ByteView bytes, Identity& identity) { identity.version = mdx::stated_version(bytes); }

Result<scene::Scene> open_scene(const open::SceneContext& context, const AnyDocument& any) {
  SceneOptions options;
  options.scale = context.scale(options.scale);
  options.swap_inheritance_flags = context.request.swap_inheritance;
  return to_scene(*any.get_if<Document>(), options, context.findings);
}

void request_adjacent(const AnyDocument& any, OpenSceneOptions& request) {
  const auto skins = adjacent_skins(*any.get_if<Document>(), open::stem_of(request.path), request.adjacent);
  request.replaceables.insert(request.replaceables.end(), skins.begin(), skins.end());
}

/// Converts through a model of Warcraft III.
Result<Outputs> convert(const FileContext& file) {
  const std::size_t before = file.findings.items().size();
  const mdx::Document model = to_warcraft(*file.document->get_if<Document>(), file.findings);
  const mdx::Earlier alpha{file.document->identity().version.value_or(0), " of WoW Alpha",
                           file.findings.items().size() - before};
  return mdx::convert_model(model, file, alpha);
}

/// How far this game's keys put vertices from where those of the other game do.
double packing_deviation(const mdx::Document& model, const Document& packed) {
  mdx::SceneOptions options;
  options.scale = 1;
  Diagnostics discarded(0);
  const scene::Scene before = mdx::to_scene(model, options, discarded);
  std::vector<scene::ConvertedMesh> meshes;
  for (scene::Index i = 0; i < before.meshes.size(); ++i) {
    auto& vertices = meshes.emplace_back(scene::ConvertedMesh{i, {}}).vertices;
    vertices.resize(before.meshes[i].positions.size());
    std::iota(vertices.begin(), vertices.end(), 0);
  }
  return scene::largest_deviation(before, to_scene(packed, {}, discarded), meshes);
}

/// Writes through a model of Warcraft III, in yards.
Result<Outputs> write_scene(const WriteContext& context) {
  constexpr std::uint32_t kLongest = 256;  // of WoW Alpha's textures
  mdx::FromSceneOptions options = mdx::options_of(context, "mdx-alpha", SceneOptions().scale);
  auto collision = collision_of(context.scene, 1 / double{options.scale}, context.findings);
  std::optional<scene::Scene> adapted;
  if (throws_models(context.scene)) {
    as_sprites(adapted.emplace(context.scene));
  }
  const scene::Scene& scene = adapted ? *adapted : context.scene;
  return mdx::from_scene(scene, options, context.findings)
      .and_then([&](mdx::ModelOfScene&& model) -> Result<mdx::ModelOfScene> {
        constexpr std::size_t kMostGeosets = 255;  // mdx_alpha.md#limits
        const std::size_t geosets = model.document.all<mdx::Geosets>().size();
        return geosets > kMostGeosets
                   ? fail(codes::kWriteUnsupported,
                          std::to_string(geosets) +
                              " geosets exceed the client's limit of 255. Join meshes that share a material.")
                   : Result<mdx::ModelOfScene>(std::move(model));
      })
      .map([&](const mdx::ModelOfScene& model) {
        Document document = from_warcraft(model.document, context.findings, std::move(collision),
                                          context.scene.source_format == "mdx-alpha");
        restore_emitters(document, scene, context.findings);
        Outputs file = output_of(context, write(document), mdx::counts_of(model.document));
        state_deviation(file, model.deviation + packing_deviation(model.document, document));
        auto pictures =
            mdx::encoded_pictures(context, model.pictures, conversion::TextureKind::blp2, kLongest);
        std::move(pictures.begin(), pictures.end(), std::back_inserter(file.files));
        return file;
      });
}

Result<Outputs> write_onto(const WriteContext& context) {
  return context.onto != nullptr && context.onto->document.get_if<Document>() == nullptr
             ? fail(codes::kWriteUnsupported, "--onto needs a WoW Alpha model")
             : open::written_onto(context, write_scene);
}

constexpr SceneWriter kWriter = {.label = "WoW Alpha models",
                                 .adjacent = true,
                                 .layers = true,
                                 .onto = true,
                                 .target = "mdx-alpha",
                                 .names = "mdx-alpha wmo wdt wdl",
                                 .write = write_onto};

constexpr std::array kConversions = {mdx::to_binary(convert), mdx::to_text(convert)};

constexpr RuleBook kBook = document_book<Document, rules>();

}  // namespace

/// A dialect of MDX by its magic, and a separate format by everything else.
const FormatDescriptor kFormat = {
    .id = "mdx",
    .name = "WoW Alpha model (MDX)",
    .extensions = ".mdx",
    .explanation = "this is a WoW Alpha model (MDX, dialect wow-alpha), not a Warcraft III model",
    .dialect = "wow-alpha",
    .strongest = Evidence::magic,
    .recognise = recognise,
    .report = report,
    .document = document_operations<Document, read>(),
    .facts = facts_of_any<Document, facts_of>,
    .rules = &kBook,
    .to_scene = open_scene,
    .models = "models",
    .from_scene = &kWriter,
    .conversions = kConversions,
    .request_adjacent = request_adjacent,
};

}  // namespace thaw::mdx_alpha
