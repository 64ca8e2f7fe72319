#include <thaw/m3_scene.hpp>

#include "formats/list.hpp"
#include "formats/wow/m3/facts.hpp"
#include "formats/wow/m3/rules.hpp"
#include "open/scene_context.hpp"
#include "scene/scale.hpp"

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
    return fail(codes::kSceneNoLevel, "the coarsest level is " + std::to_string(levels - 1));
  }
  SceneOptions options;
  options.scale = context.scale(options.scale);
  options.lod = context.request.lod;
  options.collision = context.request.collision;
  options.path_of = [&](std::uint32_t id) { return picture_of_id(context.sources, context.request, id); };
  return to_scene(*any.get_if<Document>(), context.name(), options, context.findings);
}

Result<SceneFile> write_scene(const SceneToWrite& context) {
  FromSceneOptions options;
  options.scale = context.scale.value_or(scene::stated_scale(context.scene, "m3").value_or(options.scale));
  options.version = context.version.value_or(options.version);
  options.control = context.control;
  return from_scene(context.scene, options, context.findings).map([](const Document& document) {
    const LevelLayout levels = level_layout(*document.find<Mesh>());
    return SceneFile{write(document),
                     {{"geoset", levels.per_level},
                      {"level", levels.levels},
                      {"material", document.find<Materials>()->instances.size()}}};
  });
}

constexpr std::array<std::uint32_t, 3> kWrittenVersions = {2, 3, 4};
constexpr SceneWriter kWriter = {.made = {}, .options = "scale format-version", .write = write_scene};
constexpr RuleBook kBook = document_book<Document, rules>();

}  // namespace

const FormatDescriptor kModel = {
    .id = "m3",
    .name = "World of Warcraft model (M3)",
    .extensions = ".m3",
    .explanation = "this is an M3 model of World of Warcraft",
    .strongest = Evidence::magic,
    .recognise = recognise,
    .report = report,
    .document = document_operations<Document, read>(),
    .facts = facts_of_any<Document, facts_of>,
    .rules = &kBook,
    .to_scene = open_scene,
    .models = "M3 models",
    .scene_options = "scale lod collision listfile",
    .from_scene = &kWriter,
    .written_versions = kWrittenVersions,
};

const FormatDescriptor kLibrary = {
    .id = "mtl3lib",
    .name = "World of Warcraft material library (M3)",
    .extensions = ".mtl3lib",
    .explanation = "this is a material library of World of Warcraft's M3 models: shaders, without a shape",
    .strongest = Evidence::structure,
    .recognise = [](ByteView bytes) { return if_found(is_library(bytes), Evidence::structure); },
    .document = document_operations<Document, read>(),
    .facts = facts_of_any<Document, facts_of>,
    .rules = &kBook,
    .to_scene = open_scene,
};

}  // namespace thaw::m3
