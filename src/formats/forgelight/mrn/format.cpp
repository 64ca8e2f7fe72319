#include <thaw/mrn_scene.hpp>

#include "bytes/number_text.hpp"
#include "formats/forgelight/mrn/conversions.hpp"
#include "formats/forgelight/mrn/facts.hpp"
#include "formats/forgelight/mrn/format.hpp"
#include "formats/forgelight/mrn/rules.hpp"
#include "formats/forgelight/mrn/walk.hpp"
#include "formats/list.hpp"
#include "open/scene_context.hpp"

#include <algorithm>

namespace thaw::mrn {

SceneOptions scene_options(const SceneRequest& request) {
  SceneOptions options;
  options.skeleton = request.skeleton;
  options.clips = request.clips;
  options.bones = request.bones;
  return options;
}

namespace {

/// The largest errors of what was quantised, in words.
std::string error_text(const nsa::Quantised& made) {
  float way = 0;
  float turn = 0;
  for (const auto& error : made.errors) {
    float& worst = error.kind == nsa::kRotation ? turn : way;
    worst = std::max({worst, error.worst[0], error.worst[1], error.worst[2]});
  }
  std::string text = "largest error ";
  append_number(text, way);
  text += " m, ";
  append_number(text, turn * 4);  // of a small rotation the vector is a quarter of the angle
  return text + " radians";
}

}  // namespace

Result<std::pair<nsa::Document, SceneFile>> animation_from_scene(const SceneToWrite& context) {
  if (context.network == nullptr) {
    return fail(codes::kMrnSkeleton, "an animation is written for the skeleton of a network");
  }
  FromSceneOptions options;
  options.clip = context.clip;
  options.skeleton = context.skeleton;
  options.root_motion = context.root_motion;
  return clip_from_scene(context.scene, *context.network, options, context.findings)
      .and_then([](const nsa::Clip& clip) { return nsa::from_curves(clip); })
      .map([](nsa::Quantised&& made) {
        SceneFile file;
        file.counts = {{"channel", made.document.channels()}, {"sample", made.document.samples()}};
        file.note = error_text(made);
        return std::pair(std::move(made.document), std::move(file));
      });
}

namespace {

Result<SceneFile> write_scene(const SceneToWrite& context) {
  return animation_from_scene(context).and_then(
      [&](std::pair<nsa::Document, SceneFile>&& made) -> Result<SceneFile> {
        const auto all = animations(*context.network);
        const auto same = std::find_if(all.begin(), all.end(),
                                       [&](const Animation& other) { return other.name == context.clip; });
        if (same == all.end()) {
          return fail(codes::kWriteUnsupported,
                      "the network has no animation " + context.clip + " that this one could replace");
        }
        Document network = *context.network;
        replace_animation(network, static_cast<std::size_t>(same - all.begin()), std::move(made.first));
        made.second.bytes = write(network);
        return std::move(made.second);
      });
}

constexpr SceneWriter kWriter = {
    .made = "animations", .options = "clip skeleton root-motion", .network = true, .write = write_scene};

Evidence recognise(ByteView bytes) {
  const auto magic = magic_of(bytes);
  return !magic ? Evidence::none : begins_well(bytes, *magic) ? Evidence::layout : Evidence::structure;
}

void report(ByteView bytes, Identity& identity) {
  const auto magic = magic_of(bytes);
  identity.version = magic->version;
  switch (magic->layout) {
    case Layout::big_endian:
      identity.dialect = "big-endian";
      identity.explanation =
          "this is a Forgelight or Morpheme animation network for a big-endian console (MRN), whose layout "
          "is "
          "not known: its bytes are kept as they are";
      break;
    case Layout::le32:
      identity.dialect = "le32";
      identity.explanation =
          "this is a Forgelight or Morpheme animation network for 32-bit machines (MRN), of which only the "
          "packets are known: their content is kept as it is";
      break;
    default:
      identity.dialect = "le64";
      break;
  }
}

Result<scene::Scene> open_scene(const open::SceneContext& context, const AnyDocument& any) {
  return to_scene(*any.get_if<Document>(), context.name(), scene_options(context.request), context.findings);
}

/// Networks are looked at by the rules of their animations, too, which are listed with those.
constexpr RuleBook kBook = {[](std::vector<RuleInfo>& infos) { add_infos(rules(), infos); },
                            document_book<Document, rules, nsa::rules_in_networks>().run};

}  // namespace

const FormatDescriptor kFormat = {
    .id = "mrn",
    .name = "Forgelight animation network (MRN)",
    .extensions = ".mrn .nmb",
    .explanation = "this is a Forgelight or Morpheme animation network (MRN)",
    .strongest = Evidence::layout,
    .recognise = recognise,
    .report = report,
    .document = document_operations<Document, read>(),
    .facts = facts_of_any<Document, facts_of>,
    .rules = &kBook,
    .to_scene = open_scene,
    .models = "animations",
    .scene_options = "skeleton clip root-motion bones",
    .textured = false,
    .from_scene = &kWriter,
    .conversions = kConversions,
};

}  // namespace thaw::mrn
