#include <thaw/codes.hpp>
#include <thaw/convert.hpp>
#include <thaw/m3.hpp>

#include "formats/list.hpp"
#include "formats/wow/m3/edit.hpp"
#include "formats/wow/m3/facts.hpp"
#include "formats/wow/m3/onto.hpp"
#include "formats/wow/m3/rules.hpp"
#include "formats/wow/m3/source_model.hpp"
#include "open/scene_context.hpp"
#include "scene/deviation.hpp"

#include <algorithm>

namespace thaw::m3 {
namespace {

/// The chunks that a file may begin with and needs no others to be known by.
constexpr std::array<std::string_view, 8> kFirstChunks = {"M3DT", "M3SI", "M3ST", "MES3",
                                                          "M3CL", "M3SV", "M3VS", "M3XF"};

Evidence recognise(ByteView bytes) {
  const bool known = std::any_of(kFirstChunks.begin(), kFirstChunks.end(),
                                 [&](std::string_view tag) { return begins_with(bytes, tag); });
  return known ? Evidence::magic : if_found(is_m3(bytes), Evidence::structure);
}

void report(ByteView bytes, Identity& identity) { identity.version = stated_version(bytes); }

Result<scene::Scene> open_scene(const open::SceneContext& context, const AnyDocument& any) {
  const auto* mesh = any.get_if<Document>()->find<Mesh>();
  const std::size_t levels = mesh == nullptr ? 0 : level_layout(*mesh).levels;
  if (context.request.lod && levels > 0 && *context.request.lod >= levels) {
    return fail(codes::kSceneNoLevel, "level " + std::to_string(*context.request.lod) +
                                          " does not exist; the coarsest level is " +
                                          std::to_string(levels - 1));
  }
  SceneOptions options;
  options.scale = context.scale(options.scale);
  options.lod = context.request.lod;
  options.collision = context.request.collision;
  options.path_of = [&](std::uint32_t id) { return picture_of_id(context.sources, context.request, id); };
  return to_scene(*any.get_if<Document>(), context.name(), options, context.findings);
}

Outputs file_of(const WriteContext& context, const Document& document) {
  const Mesh* mesh = document.find<Mesh>();
  const auto* materials = document.find<Materials>();
  const LevelLayout levels = mesh == nullptr ? LevelLayout() : level_layout(*mesh);
  return output_of(
      context, write(document),
      std::array{Facts::Count{"geoset", levels.per_level}, Facts::Count{"level", levels.levels},
                 Facts::Count{"material", materials == nullptr ? 0 : materials->instances.size()}});
}

/// Without an original, what nobody understands of it is gone.
Result<Outputs> write_alone(const WriteContext& context, const FromSceneOptions& options) {
  return from_scene(context.scene, options, context.findings).map([&](const Document& document) {
    std::string unread;
    for (const std::string& tag : SourceModel(context.scene, options.scale).unread) {
      unread += (unread.empty() ? "" : ", ") + tag;
    }
    if (!unread.empty()) {
      context.findings.add(codes::kSceneLost, "chunks of unknown meaning left out: " + unread +
                                                  "; use --onto with the original to preserve them");
    }
    Outputs file = file_of(context, document);
    SceneOptions reading;
    reading.scale = options.scale;
    Diagnostics discarded(0);
    const scene::Scene reread = to_scene(document, context.name(), reading, discarded);
    state_deviation(file,
                    scene::nearest_deviation(context.scene, reread, options.control) / double{options.scale});
    return file;
  });
}

/// --onto.
Result<Outputs> write_onto(const WriteContext& context, FromSceneOptions options) {
  const auto* original = context.onto->document.get_if<Document>();
  if (original == nullptr || original->find<Mesh>() == nullptr) {
    return fail(codes::kWriteUnsupported, "--onto needs an M3 model with a mesh");
  }
  const auto version = original->mesh_version();
  if (options.version && options.version != version) {
    return fail(
        codes::kWriteUnsupported,
        version ? "--onto keeps the original's mesh version (" + std::to_string(*version) +
                      "). Leave out --format-version."
                : "--onto keeps the original's mesh version, which is unknown. Leave out --format-version.");
  }
  options.version = version;
  Diagnostics discarded(0);
  const auto before = from_scene(context.onto->scene, options, discarded);
  if (!before) {
    return tl::unexpected<Error>(before.error());
  }
  Diagnostics findings;
  const auto edited = from_scene(context.scene, options, findings);
  if (edited && is_unedited(*before, *edited)) {
    return file_of(context, *original);  // and nothing is lost
  }
  for (const Diagnostic& finding : findings.items()) {
    context.findings.add(finding);
  }
  return edited.map([&](const Document& document) {
    return file_of(context, merge_onto(*original, *before, document, context.findings));
  });
}

Result<Outputs> write_scene(const WriteContext& context) {
  FromSceneOptions options;
  options.scale = context.scale("m3", options.scale);
  options.version = context.options.model.version;
  options.control = context.control();
  return context.onto == nullptr ? write_alone(context, options) : write_onto(context, options);
}

constexpr std::array<std::uint32_t, 3> kWrittenVersions = {2, 3, 4};
constexpr SceneWriter kWriter = {.label = {}, .layers = true, .onto = true, .write = write_scene};
constexpr RuleBook kBook = document_book<Document, rules>();

}  // namespace

const FormatDescriptor kModel = {
    .id = "m3",
    .name = "World of Warcraft model (M3)",
    .extensions = ".m3",
    .explanation = "this is a World of Warcraft M3 model",
    .strongest = Evidence::magic,
    .recognise = recognise,
    .report = report,
    .document = document_operations<Document, read>(),
    .facts = facts_of_any<Document, facts_of>,
    .rules = &kBook,
    .edit = edit,
    .to_scene = open_scene,
    .models = "M3 models",
    .from_scene = &kWriter,
    .written_versions = kWrittenVersions,
};

const FormatDescriptor kLibrary = {
    .id = "mtl3lib",
    .name = "World of Warcraft material library (M3)",
    .extensions = ".mtl3lib",
    .explanation = "this is a material library of World of Warcraft's M3 models: shaders without geometry",
    .strongest = Evidence::structure,
    .recognise = [](ByteView bytes) { return if_found(is_library(bytes), Evidence::structure); },
    .document = document_operations<Document, read>(),
    .facts = facts_of_any<Document, facts_of>,
    .rules = &kBook,
    .to_scene = open_scene,
};

}  // namespace thaw::m3
