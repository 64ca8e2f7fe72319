#include <thaw/mdx_scene.hpp>

#include "formats/list.hpp"
#include "formats/warcraft/mdx/facts.hpp"
#include "formats/warcraft/mdx/format.hpp"
#include "formats/warcraft/mdx/rules/table.hpp"
#include "open/parts.hpp"

namespace thaw::mdx {
namespace {

Evidence recognise(ByteView bytes) { return is_wow_alpha(bytes) ? Evidence::none : by_magic(bytes, "MDLX"); }

void report(ByteView bytes, Identity& identity) { identity.version = stated_version(bytes); }

}  // namespace

/// Rules of models look at more than the document: what refers to what, and what is damaged.
const RuleBook kRules = {[](std::vector<RuleInfo>& infos) {
                           for (const auto& group : rules::all_rules()) {
                             add_infos(group, infos);
                           }
                         },
                         [](const AnyDocument& any, const ValidateOptions& options) {
                           return validate(*any.get_if<Document>(), options);
                         }};

Result<scene::Scene> open_scene(const open::SceneContext& context, const AnyDocument& any) {
  SceneOptions options;
  options.scale = context.scale(options.scale);
  return to_scene(*any.get_if<Document>(), options, context.findings);
}

Fixed fix(const AnyDocument& any, const ValidateOptions& options,
          const std::vector<std::string_view>& codes) {
  Document document = *any.get_if<Document>();
  std::vector<AppliedFix> changes = fix(document, options, codes);
  return Fixed{AnyDocument(any.identity(), std::move(document)), std::move(changes)};
}

const FormatDescriptor kFormat = {
    .id = "mdx",
    .name = "Warcraft III model (MDX)",
    .extensions = ".mdx",
    .explanation = "this is a model of Warcraft III",
    .dialect = "wc3",
    .converts_to = "glb gltf mdx mdl",
    .strongest = Evidence::magic,
    .recognise = recognise,
    .report = report,
    .document = document_operations<Document, read>(),
    .facts = facts_of_any<Document, facts_of>,
    .rules = &kRules,
    .fix = fix,
    .to_scene = open_scene,
    .models = "models",
    .scene_options = kSceneOptions,
};

}  // namespace thaw::mdx
