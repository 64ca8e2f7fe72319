#include <thaw/convert.hpp>
#include <thaw/mdl.hpp>
#include <thaw/mdx.hpp>

#include "bytes/text.hpp"
#include "formats/list.hpp"
#include "formats/warcraft/mdx/conversions.hpp"
#include "formats/warcraft/mdx/edit/edits.hpp"
#include "formats/warcraft/mdx/facts.hpp"
#include "formats/warcraft/mdx/format.hpp"

namespace thaw::mdl {
namespace {

Evidence recognise(ByteView bytes) { return if_found(is_mdl(as_bytes(text_window(bytes))), Evidence::text); }

void report(ByteView bytes, Identity& identity) {
  identity.version = stated_version(bytes.first(std::min(bytes.size(), kTextWindow)));
}

/// The document is that of MDX; only reading and writing are the text's own.
constexpr DocumentOperations operations() {
  DocumentOperations result = document_operations<mdx::Document, read>();
  result.write = [](const AnyDocument& any) { return mdl::write(*any.get_if<mdx::Document>()); };
  return result;
}

Bytes text_of_model(const mdx::Document& document, const WriteContext& context) {
  return write(document, context.options.text, context.findings);
}

constexpr SceneWriter kWriter = {
    .label = {},
    .adjacent = true,
    .layers = true,
    .onto = true,
    .names = mdx::kGame,
    .write = [](const WriteContext& context) { return mdx::write_model(context, text_of_model); }};

}  // namespace

const FormatDescriptor kFormat = {
    .id = "mdl",
    .name = "Warcraft III model as text (MDL)",
    .extensions = ".mdl",
    .explanation = "this is a Warcraft III model as text (MDL)",
    .strongest = Evidence::text,
    .recognise = recognise,
    .report = report,
    .document = operations(),
    .facts = facts_of_any<mdx::Document, mdx::facts_of>,
    .names = mdx::show_names,
    .rules = &mdx::kRules,
    .fix = mdx::fix,
    .edit = mdx::edit,
    .to_scene = mdx::open_scene,
    .models = "models",
    .from_scene = &kWriter,
    .conversions = mdx::kConversions,
    .written_versions = mdx::kTargetVersions,
    .text = true,
};

}  // namespace thaw::mdl
