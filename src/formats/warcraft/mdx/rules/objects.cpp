// Bones, lights, attachments, events, collision shapes and face effects.
#include "bytes/text.hpp"
#include "formats/warcraft/mdx/rules/table.hpp"

#include <algorithm>

namespace thaw::mdx::rules {
namespace {

// --- bones

void bone_geoset(const Model& model, Report& report) {
  for (const auto& bone : model.bones) {
    if (bone->geoset_id != -1 && !index_in(bone->geoset_id, model.geosets.size())) {
      report.add(bone.path + ".geosetId", say("geoset ", bone->geoset_id, " does not exist"));
    }
  }
}

void bone_geoset_animation(const Model& model, Report& report) {
  for (const auto& bone : model.bones) {
    if (bone->geoset_animation_id != -1 &&
        !index_in(bone->geoset_animation_id, model.geoset_animations.size())) {
      report.add(bone.path + ".geosetAnimationId",
                 say("geoset animation ", bone->geoset_animation_id, " does not exist"));
    }
  }
}

// --- lights

void light_start(const Model& model, Report& report) {
  constexpr float kLeast = 80;
  for (const auto& light : model.lights) {
    if (light->attenuation_start < kLeast) {
      report.add(light.path + ".attenuationStart", say("attenuation starts at ", light->attenuation_start));
    }
  }
}

void light_end(const Model& model, Report& report) {
  constexpr float kMost = 200;
  for (const auto& light : model.lights) {
    if (light->attenuation_end > kMost) {
      report.add(light.path + ".attenuationEnd", say("attenuation ends at ", light->attenuation_end));
    }
  }
}

void light_order(const Model& model, Report& report) {
  for (const auto& light : model.lights) {
    if (!(light->attenuation_end > light->attenuation_start)) {
      report.add(light.path + ".attenuationEnd", say("attenuation ends at ", light->attenuation_end,
                                                     " and starts at ", light->attenuation_start));
    }
  }
}

void light_type(const Model& model, Report& report) {
  for (const auto& light : model.lights) {
    if ((light->type & 0xFFU) > 2) {
      report.add(light.path + ".type", say("type ", light->type));
    }
  }
}

void light_finite(const Model& model, Report& report) {
  for (const auto& light : model.lights) {
    if (!std::isfinite(light->attenuation_start) || !std::isfinite(light->attenuation_end) ||
        !std::isfinite(light->intensity) || !std::isfinite(light->ambient_intensity)) {
      report.add(light.path, "a value is NaN or infinite");
    }
  }
}

// --- attachments

void attachment_path(const Model& model, Report& report) {
  for (const auto& attachment : model.attachments) {
    const auto path = attachment->path.view();
    if (!path.empty() && !ends_with_any(path, {".mdl", ".mdx"})) {
      report.add(attachment.path + ".path", say("\"", path, "\" is not a model"));
    }
  }
}

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
                 say("attachment ", i, " has the id ", attachment->attachment_id));
      return;
    }
  }
}

void attachment_name(const Model& model, Report& report) {
  constexpr std::array<std::string_view, 10> kNames = {"chest",  "feet",     "foot",   "hand",   "head",
                                                       "origin", "overhead", "sprite", "weapon", "birthlink"};
  for (const auto& attachment : model.attachments) {
    const auto words = sequence_words(attachment->node.name.view());
    const bool child = !attachment->path.view().empty();
    if (!child && (words.empty() || std::find(kNames.begin(), kNames.end(), words.front()) == kNames.end())) {
      report.add(attachment.path + ".node.name",
                 say("\"", attachment->node.name.view(), "\" is not an attachment point of the game"));
    }
  }
}

// --- events

void event_empty(const Model& model, Report& report) {
  for (const auto& event : model.events) {
    if (!event->track || event->track->frames.empty()) {
      report.add(event.path, say("\"", event->node.name.view(), "\" has no frames"));
    }
  }
}

/// Calls `use(event, index, frame, frame before)` for every frame but the first.
template <class F>
void for_each_pair(const Model& model, F&& use) {
  for (const auto& event : model.events) {
    const std::size_t count = event->track ? event->track->frames.size() : 0;
    for (std::size_t i = 1; i < count; ++i) {
      if (use(event, i, event->track->frames[i], event->track->frames[i - 1])) {
        break;
      }
    }
  }
}

void event_unsorted(const Model& model, Report& report) {
  for_each_pair(model,
                [&](const Item<EventObject>& event, std::size_t i, std::int32_t frame, std::int32_t before) {
                  if (frame < before) {
                    report.add(say(event.path, ".track.frames[", i, "]"),
                               say("frame ", frame, " comes after frame ", before));
                  }
                  return frame < before;
                });
}

void event_duplicate(const Model& model, Report& report) {
  for_each_pair(
      model, [&](const Item<EventObject>& event, std::size_t i, std::int32_t frame, std::int32_t before) {
        if (frame == before) {
          report.add(say(event.path, ".track.frames[", i, "]"), say("frame ", frame, " occurs twice"));
        }
        return frame == before;
      });
}

void event_negative(const Model& model, Report& report) {
  for (const auto& event : model.events) {
    for (std::size_t i = 0; event->track && i < event->track->frames.size(); ++i) {
      if (event->track->frames[i] < 0) {
        report.add(say(event.path, ".track.frames[", i, "]"), say("frame ", event->track->frames[i]));
        break;
      }
    }
  }
}

void event_global(const Model& model, Report& report) {
  for (const auto& event : model.events) {
    const auto id = event->track ? event->track->global_sequence : -1;
    if (id != -1 && !model.global_interval(id)) {
      report.add(event.path + ".track.globalSequenceId", say("global sequence ", id, " does not exist"));
    }
  }
}

void event_outside(const Model& model, Report& report) {
  for (const auto& event : model.events) {
    if (!event->track || event->track->frames.size() < 2) {
      continue;
    }
    const auto global = model.global_interval(event->track->global_sequence);
    std::size_t outside = 0;
    std::size_t first = 0;
    for (std::size_t i = 0; i < event->track->frames.size(); ++i) {
      const auto frame = event->track->frames[i];
      const bool played = global ? global->holds(frame) : model.sequence_at(frame).has_value();
      if (!played && frame != 0) {
        first = outside++ == 0 ? i : first;
      }
    }
    if (outside > 0) {
      report.add(say(event.path, ".track.frames[", first, "]"),
                 say(outside, " of ", event->track->frames.size(), " frames are outside of all sequences"));
    }
  }
}

void event_no_sequences(const Model& model, Report& report) {
  for (const auto& event : model.events) {
    const auto id = event->track ? event->track->global_sequence : -1;
    if (id == -1 && model.sequences.empty()) {
      report.add(event.path, "the model has no sequences, so the event never occurs");
    }
  }
}

bool is_event_family(std::string_view name) {
  constexpr std::array<std::string_view, 7> kFamilies = {"snd", "spn", "spl", "fpt", "ubr", "mrf", "mrd"};
  const std::string family = ascii::lowered(name.substr(0, 3));
  return std::find(kFamilies.begin(), kFamilies.end(), family) != kFamilies.end();
}

void event_family(const Model& model, Report& report) {
  for (const auto& event : model.events) {
    if (!is_event_family(event->node.name.view())) {
      report.add(event.path + ".node.name",
                 say("\"", event->node.name.view(), "\" is not an event of the game"));
    }
  }
}

void event_name_length(const Model& model, Report& report) {
  constexpr std::size_t kUsual = 8;
  for (const auto& event : model.events) {
    const auto name = event->node.name.view();
    const std::string family = ascii::lowered(name.substr(0, 3));
    if (is_event_family(name) && family != "mrf" && family != "mrd" && name.size() != kUsual) {
      report.add(event.path + ".node.name", say("\"", name, "\" has ", name.size(), " characters"));
    }
  }
}

// --- collision shapes, face effects

void collision_payload(const Model& model, Report& report) {
  for (const auto& shape : model.collisions) {
    const std::size_t expected = shape->type == CollisionShape::Type::box      ? 6
                                 : shape->type == CollisionShape::Type::sphere ? 4
                                                                               : shape->payload.size();
    if (shape->payload.size() != expected || shape->type > CollisionShape::Type::cylinder) {
      report.add(shape.path, say("a shape of type ", static_cast<std::uint32_t>(shape->type), " with ",
                                 shape->payload.size(), " numbers"));
    }
  }
}

void collision_radius(const Model& model, Report& report) {
  for (const auto& shape : model.collisions) {
    if (shape->type == CollisionShape::Type::sphere && shape->payload.size() == 4 &&
        !(shape->payload[3] > 0)) {
      report.add(shape.path + ".payload[3]", say("a sphere of radius ", shape->payload[3]));
    }
  }
}

void collision_none(const Model& model, Report& report) {
  const bool selectable = model.options.kind == AssetKind::unit || model.options.kind == AssetKind::building;
  if (selectable && model.collisions.empty()) {
    report.add("", "the model has no collision shapes");
  }
}

void face_effect_path(const Model& model, Report& report) {
  for (const auto& effect : model.face_effects) {
    const auto path = effect->path.view();
    if (!path.empty() && !ends_with_any(path, {".facefx", ".facefx_ingame"})) {
      report.add(effect.path + ".path", say("\"", path, "\" is not a face effect"));
    }
  }
}

constexpr std::array kObjectRules = {
    ModelRule{{"mdx.bone-geoset",
               {kError, kWarning, kError},
               "bone geoset out of range",
               "The game ignores it. Use -1 for several geosets.",
               true},
              bone_geoset},
    ModelRule{{"mdx.bone-geoset-animation",
               {kError, kWarning, kError},
               "bone geoset animation out of range",
               "The game ignores it. Use -1 for none.",
               true},
              bone_geoset_animation},
    ModelRule{{"mdx.light-start",
               {kWarning, kInfo, kInfo},
               "light attenuation starts below 80",
               "The game's lights start at 80 or more."},
              light_start},
    ModelRule{{"mdx.light-end",
               {kWarning, kInfo, kInfo},
               "light attenuation ends above 200",
               "The game's lights end at 200 or less."},
              light_end},
    ModelRule{{"mdx.light-order",
               {kWarning, kWarning, kWarning},
               "light attenuation ends before it starts",
               "The light has no falloff or does not shine."},
              light_order},
    ModelRule{{"mdx.light-type",
               {kWarning, kInfo, kWarning},
               "unknown light type",
               "Known types are 0 omni, 1 directional and 2 ambient; only the low byte is used."},
              light_type},
    ModelRule{
        {"mdx.light-not-finite", {kError, kError, kError}, "NaN or infinity in a light", "Set a number."},
        light_finite},
    ModelRule{{"mdx.attachment-path",
               {kError, kWarning, kError},
               "attachment path not a model",
               "The path must be empty or end in .mdl or .mdx.",
               true},
              attachment_path},
    ModelRule{{"mdx.attachment-no-origin",
               {kWarning, kInfo, kInfo},
               "no \"Origin Ref\"",
               "The game attaches effects to it; without it they appear elsewhere or not at all.",
               true},
              attachment_origin},
    ModelRule{{"mdx.attachment-ids",
               {kInfo, kInfo, kInfo},
               "attachment ids not 0, 1, 2 …",
               "All tools write them in file order."},
              attachment_ids},
    ModelRule{{"mdx.attachment-name",
               {kInfo, kInfo, kInfo},
               "unknown attachment point",
               "Known points begin with Origin, Overhead, Chest, Head, Hand, Foot, Weapon or Sprite."},
              attachment_name},
    ModelRule{{"mdx.event-empty",
               {kError, kWarning, kError},
               "event without frames",
               "It has no frames. Remove it.",
               true},
              event_empty},
    ModelRule{{"mdx.event-unsorted",
               {kSevere, kWarning, kSevere},
               "event frames out of order",
               "The game skips some of them.",
               true},
              event_unsorted},
    ModelRule{{"mdx.event-duplicate",
               {kWarning, kWarning, kWarning},
               "duplicate event frame",
               "Remove one of them.",
               true},
              event_duplicate},
    ModelRule{
        {"mdx.event-negative", {kWarning, kWarning, kWarning}, "negative event frame", "It never occurs."},
        event_negative},
    ModelRule{{"mdx.event-global-sequence",
               {kError, kWarning, kError},
               "event global sequence out of range",
               "Use -1 for none.",
               true},
              event_global},
    ModelRule{{"mdx.event-outside",
               {kUnused, kUnused, kUnused},
               "event frames outside of all sequences",
               "They never occur."},
              event_outside},
    ModelRule{{"mdx.event-no-sequences",
               {kWarning, kWarning, kWarning},
               "event in a model without sequences",
               "It never occurs."},
              event_no_sequences},
    ModelRule{{"mdx.event-family",
               {kWarning, kWarning, kWarning},
               "unknown event",
               "Names begin with SND, SPN, SPL, FPT, UBR, MRF or MRD."},
              event_family},
    ModelRule{{"mdx.event-name-length",
               {kInfo, kInfo, kInfo},
               "event name not eight characters long",
               "It consists of three letters, any character and a four-character id, such as SNDxAFTB."},
              event_name_length},
    ModelRule{{"mdx.collision-payload",
               {kWarning, kWarning, kWarning},
               "collision shape with a wrong number of values",
               "A box has two corners, a sphere a centre and a radius."},
              collision_payload},
    ModelRule{{"mdx.collision-radius",
               {kWarning, kWarning, kWarning},
               "collision sphere without radius",
               "It cannot be hit."},
              collision_radius},
    ModelRule{{"mdx.collision-none",
               {kWarning, kWarning, kWarning},
               "unit or building without collision shapes",
               "It is hard to select with the mouse."},
              collision_none},
    ModelRule{{"mdx.face-effect-path",
               {kError, kWarning, kError},
               "unexpected extension of a face effect",
               "The path must end in .facefx or .facefx_ingame."},
              face_effect_path},
};

}  // namespace

std::span<const ModelRule> object_rules() { return kObjectRules; }

}  // namespace thaw::mdx::rules
