// Bones, lights, attachments, events, collision shapes and face effects.
#include "bytes/text.hpp"
#include "formats/warcraft/mdx/rules/table.hpp"

#include <algorithm>
#include <span>

namespace thaw::mdx::rules {
namespace {

void attachment_origin(const Model& model, Report& report) {
  const bool found =
      std::any_of(model.attachments.begin(), model.attachments.end(), [](const Item<Attachment>& attachment) {
        return ascii::lowered(trimmed(attachment->node.name.view())).starts_with("origin ref");
      });
  if (!found) {
    report.add(model.attachments.empty() ? "" : "ATCH", "no attachment point is named \"Origin Ref\"");
  }
}

void attachment_ids(const Model& model, Report& report) {
  for (std::size_t i = 0; i < model.attachments.size(); ++i) {
    const auto& attachment = model.attachments[i];
    if (attachment->attachment_id < 0 || static_cast<std::size_t>(attachment->attachment_id) != i) {
      report.add(attachment.path + ".attachmentId",
                 say("attachment ", i, " has the id ", attachment->attachment_id, " instead of ", i));
      return;
    }
  }
}

std::span<const std::int32_t> frames_of(const EventObject& event) {
  return event.track ? std::span<const std::int32_t>(event.track->frames) : std::span<const std::int32_t>();
}

bool is_event_family(std::string_view name) {
  constexpr std::array<std::string_view, 7> kFamilies = {"snd", "spn", "spl", "fpt", "ubr", "mrf", "mrd"};
  const std::string family = ascii::lowered(name.substr(0, 3));
  return std::find(kFamilies.begin(), kFamilies.end(), family) != kFamilies.end();
}

constexpr std::array kObjectRules = {
    ModelRule("mdx.bone-geoset", {kError, kWarning, kError}, "bone geoset out of range",
              "The game ignores it. Use -1 for several geosets or none.", kFixable,
              each<&Model::bones, "geosetId">([](const Bone& bone, const Model& model) {
                return bone.geoset_id != -1 && !index_in(bone.geoset_id, model.geosets.size())
                           ? say("geoset ", bone.geoset_id, " does not exist")
                           : "";
              })),
    ModelRule("mdx.bone-geoset-animation", {kError, kWarning, kError}, "bone geoset animation out of range",
              "The game ignores it. Use -1 for none.", kFixable,
              each<&Model::bones, "geosetAnimationId">([](const Bone& bone, const Model& model) {
                return bone.geoset_animation_id != -1 &&
                               !index_in(bone.geoset_animation_id, model.geoset_animations.size())
                           ? say("geoset animation ", bone.geoset_animation_id, " does not exist")
                           : "";
              })),
    ModelRule("mdx.light-start", {kWarning, kInfo, kInfo}, "light attenuation starts below 80",
              "The game's lights start at 80 or more. Use 80 or more.",
              each<&Model::lights, "attenuationStart">([](const Light& light) {
                constexpr float kLeast = 80;
                return light.attenuation_start < kLeast
                           ? say("attenuation starts at ", light.attenuation_start,
                                 "; the game's lights start at ", kLeast, " or more")
                           : "";
              })),
    ModelRule("mdx.light-end", {kWarning, kInfo, kInfo}, "light attenuation ends above 200",
              "The game's lights end at 200 or less. Use 200 or less.",
              each<&Model::lights, "attenuationEnd">([](const Light& light) {
                constexpr float kMost = 200;
                return light.attenuation_end > kMost ? say("attenuation ends at ", light.attenuation_end,
                                                           "; the game's lights end at ", kMost, " or less")
                                                     : "";
              })),
    ModelRule("mdx.light-order", always(kWarning), "light attenuation does not end after its start",
              "The light has no falloff or does not shine. Set the end above the start.",
              each<&Model::lights, "attenuationEnd">([](const Light& light) {
                return !(light.attenuation_end > light.attenuation_start)
                           ? say("attenuation ends at ", light.attenuation_end, ", not after its start at ",
                                 light.attenuation_start)
                           : "";
              })),
    ModelRule(
        "mdx.light-type", {kWarning, kInfo, kWarning}, "unknown light type",
        "Known types are 0 omni, 1 directional and 2 ambient; only the low byte is used. Use one of these.",
        each<&Model::lights, "type">([](const Light& light) {
          return (light.type & 0xFFU) > 2 ? say("unknown light type ", light.type & 0xFFU) : "";
        })),
    ModelRule("mdx.light-not-finite", always(kError), "NaN or infinity in a light", "Set finite numbers.",
              each<&Model::lights>([](const Light& light) {
                return !std::isfinite(light.attenuation_start) || !std::isfinite(light.attenuation_end) ||
                               !std::isfinite(light.intensity) || !std::isfinite(light.ambient_intensity)
                           ? "an attenuation or intensity is NaN or infinite"
                           : "";
              })),
    ModelRule("mdx.attachment-path", {kError, kWarning, kError}, "attachment path not a model",
              "The path must be empty or end in .mdl or .mdx.", kFixable,
              each<&Model::attachments, "path">([](const Attachment& attachment) {
                const auto path = attachment.path.view();
                return !path.empty() && !ends_with_any(path, {".mdl", ".mdx"})
                           ? say("the attached path \"", path, "\" does not end in .mdl or .mdx")
                           : "";
              })),
    ModelRule("mdx.attachment-no-origin", {kWarning, kInfo, kInfo}, "no attachment point \"Origin Ref\"",
              "The game attaches effects to it; without it they appear elsewhere or not at all. Add it.",
              kFixable, attachment_origin),
    ModelRule("mdx.attachment-ids", always(kInfo), "attachment ids not 0, 1, 2 …",
              "All tools number them in file order. Renumber the attachments.", attachment_ids),
    ModelRule(
        "mdx.attachment-name", always(kInfo), "unknown attachment point",
        "Known points begin with Origin, Overhead, Chest, Head, Hand, Foot, Feet, Weapon, Sprite or "
        "Birthlink. Rename the attachment if the game should find it.",
        each<&Model::attachments, "node.name">([](const Attachment& attachment) {
          constexpr std::array<std::string_view, 10> kNames = {
              "chest", "feet", "foot", "hand", "head", "origin", "overhead", "sprite", "weapon", "birthlink"};
          const auto words = sequence_words(attachment.node.name.view());
          const bool child = !attachment.path.view().empty();
          const bool known =
              !words.empty() && std::find(kNames.begin(), kNames.end(), words.front()) != kNames.end();
          return !child && !known
                     ? say("\"", attachment.node.name.view(), "\" is not an attachment point of the game")
                     : "";
        })),
    ModelRule("mdx.event-empty", {kError, kWarning, kError}, "event without frames",
              "It never occurs. Remove it.", kFixable, each<&Model::events>([](const EventObject& event) {
                return !event.track || event.track->frames.empty()
                           ? say("event \"", event.node.name.view(), "\" has no frames and never occurs")
                           : "";
              })),
    ModelRule("mdx.event-unsorted", {kSevere, kWarning, kSevere}, "event frames out of order",
              "The game skips some of them. Sort them.", kFixable,
              each<&Model::events, "track.frames">([](const EventObject& event) {
                const auto frames = frames_of(event);
                return first_of(frames.size(), [&](std::size_t i) {
                  return i > 0 && frames[i] < frames[i - 1]
                             ? say("frame ", frames[i], " comes after frame ", frames[i - 1])
                             : "";
                });
              })),
    ModelRule("mdx.event-duplicate", always(kWarning), "duplicate event frame", "Remove one of them.",
              kFixable, each<&Model::events, "track.frames">([](const EventObject& event) {
                const auto frames = frames_of(event);
                return first_of(frames.size(), [&](std::size_t i) {
                  return i > 0 && frames[i] == frames[i - 1] ? say("frame ", frames[i], " occurs twice") : "";
                });
              })),
    ModelRule("mdx.event-negative", always(kWarning), "negative event frame",
              "The event never occurs there. Use a frame within a sequence.",
              each<&Model::events, "track.frames">([](const EventObject& event) {
                const auto frames = frames_of(event);
                return first_of(frames.size(), [&](std::size_t i) {
                  return frames[i] < 0
                             ? say("frame ", frames[i], " is negative; the event never occurs there")
                             : "";
                });
              })),
    ModelRule(
        "mdx.event-global-sequence", {kError, kWarning, kError}, "event global sequence out of range",
        "Use -1 for none.", kFixable,
        each<&Model::events, "track.globalSequenceId">([](const EventObject& event, const Model& model) {
          const auto id = event.track ? event.track->global_sequence : -1;
          return id != -1 && !model.global_interval(id) ? say("global sequence ", id, " does not exist") : "";
        })),
    ModelRule("mdx.event-outside", always(kUnused),
              "event frames outside of all sequences or of their global sequence",
              "The event never occurs there. Move them into a sequence, or lengthen the global sequence.",
              each<&Model::events, "track.frames">([](const EventObject& event, const Model& model) {
                const auto frames = frames_of(event);
                const auto global =
                    event.track ? model.global_interval(event.track->global_sequence) : std::nullopt;
                const auto outside = count_faults(frames.size(), [&](std::size_t i) {
                  const bool played =
                      global ? global->holds(frames[i]) : model.sequence_at(frames[i]).has_value();
                  return !played && frames[i] != 0 && frames.size() > 1;
                });
                return outside.count > 0 ? Fault(say(outside.count, " of ", frames.size(), " frames outside ",
                                                     global ? "the global sequence" : "of all sequences"))
                                               .at(outside.first)
                                         : "";
              })),
    ModelRule("mdx.event-no-sequences", always(kWarning), "event in a model without sequences",
              "It never occurs. Add a sequence.",
              each<&Model::events>([](const EventObject& event, const Model& model) {
                const auto id = event.track ? event.track->global_sequence : -1;
                return id == -1 && model.sequences.empty()
                           ? "the model has no sequences, so the event never occurs"
                           : "";
              })),
    ModelRule("mdx.event-family", always(kWarning), "unknown event",
              "Names begin with SND, SPN, SPL, FPT, UBR, MRF or MRD. Rename the event, or remove it.",
              each<&Model::events, "node.name">([](const EventObject& event) {
                return !is_event_family(event.node.name.view())
                           ? say("\"", event.node.name.view(), "\" is not an event of the game")
                           : "";
              })),
    ModelRule("mdx.event-name-length", always(kInfo), "event name not eight characters long",
              "An event name consists of three letters, any character and a four-character id, such as "
              "SNDxAFTB. Rename the event.",
              each<&Model::events, "node.name">([](const EventObject& event) {
                constexpr std::size_t kUsual = 8;
                const auto name = event.node.name.view();
                const std::string family = ascii::lowered(name.substr(0, 3));
                return is_event_family(name) && family != "mrf" && family != "mrd" && name.size() != kUsual
                           ? say("event name \"", name, "\" has ", counted_noun(name.size(), "character"),
                                 " instead of ", kUsual)
                           : "";
              })),
    ModelRule(
        "mdx.collision-payload", always(kWarning),
        "collision shape of unknown type or with a wrong number of values",
        "Known types are 0 box, 1 plane, 2 sphere and 3 cylinder. A box has two corners, a sphere a centre "
        "and a radius. Export the model again.",
        each<&Model::collisions>([](const CollisionShape& shape) -> Fault {
          const std::size_t expected = shape.type == CollisionShape::Type::box      ? 6
                                       : shape.type == CollisionShape::Type::sphere ? 4
                                                                                    : shape.payload.size();
          if (shape.type > CollisionShape::Type::cylinder) {
            return say("unknown type ", static_cast<std::uint32_t>(shape.type), " of a collision shape");
          }
          return shape.payload.size() != expected
                     ? say("a ", shape.type == CollisionShape::Type::box ? "box" : "sphere", " of ",
                           counted_noun(shape.payload.size(), "number"), " instead of ", expected)
                     : "";
        })),
    ModelRule("mdx.collision-radius", always(kWarning), "radius of a collision sphere not above 0",
              "It cannot be hit. Set a radius.",
              each<&Model::collisions, "payload[3]">([](const CollisionShape& shape) {
                return shape.type == CollisionShape::Type::sphere && shape.payload.size() == 4 &&
                               !(shape.payload[3] > 0)
                           ? say("the sphere's radius ", shape.payload[3], " is not above 0")
                           : "";
              })),
    ModelRule("mdx.collision-none", always(kWarning), "unit or building without collision shapes",
              "It is hard to select with the mouse. Add a collision shape.", once([](const Model& model) {
                const bool selectable =
                    model.options.kind == AssetKind::unit || model.options.kind == AssetKind::building;
                return selectable && model.collisions.empty() ? "the model has no collision shapes" : "";
              })),
    ModelRule("mdx.face-effect-path", {kError, kWarning, kError}, "unexpected extension of a face effect",
              "The path must end in .facefx or .facefx_ingame.",
              each<&Model::face_effects, "path">([](const FaceEffect& effect) {
                const auto path = effect.path.view();
                return !path.empty() && !ends_with_any(path, {".facefx", ".facefx_ingame"})
                           ? say("\"", path, "\" does not end in .facefx or .facefx_ingame")
                           : "";
              })),
};

}  // namespace

std::span<const ModelRule> object_rules() { return kObjectRules; }

}  // namespace thaw::mdx::rules
