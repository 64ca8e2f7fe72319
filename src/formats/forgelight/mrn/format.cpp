#include <thaw/mrn_scene.hpp>

#include "formats/forgelight/mrn/facts.hpp"
#include "formats/forgelight/mrn/format.hpp"
#include "formats/forgelight/mrn/rules.hpp"
#include "formats/list.hpp"
#include "open/order.hpp"

namespace thaw::mrn {

SceneOptions scene_options(const SceneRequest& request) {
  SceneOptions options;
  options.skeleton = request.skeleton;
  options.clips = request.clips;
  options.bones = request.bones;
  return options;
}

namespace {

Evidence recognise(ByteView bytes) { return if_found(layout_of(bytes).has_value(), Evidence::layout); }

void tell(ByteView bytes, Identity& identity) {
  const Layout layout = *layout_of(bytes);
  // The words are those of the platform that the file is for.
  identity.version = layout == Layout::big_endian ? bytes[3] : bytes[0];
  switch (layout) {
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

Result<scene::Scene> open_scene(const open::Order& order, const AnyDocument& any) {
  return to_scene(*any.get_if<Document>(), order.name(), scene_options(order.request), order.findings);
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
    .converts_to = "glb gltf",
    .strongest = Evidence::layout,
    .recognise = recognise,
    .tell = tell,
    .document = document_operations<Document, read>(),
    .facts = facts_of_any<Document, facts_of>,
    .rules = &kBook,
    .to_scene = open_scene,
};

}  // namespace thaw::mrn
