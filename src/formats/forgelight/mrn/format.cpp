#include <thaw/convert.hpp>
#include <thaw/mrn.hpp>

#include "bytes/escape.hpp"
#include "bytes/number_text.hpp"
#include "formats/forgelight/mrn/built_network.hpp"
#include "formats/forgelight/mrn/conversions.hpp"
#include "formats/forgelight/mrn/edit.hpp"
#include "formats/forgelight/mrn/facts.hpp"
#include "formats/forgelight/mrn/format.hpp"
#include "formats/forgelight/mrn/rules.hpp"
#include "formats/forgelight/mrn/walk.hpp"
#include "formats/list.hpp"
#include "open/scene_context.hpp"

#include <algorithm>

namespace thaw::mrn {

SceneOptions scene_options(const OpenSceneOptions& request) {
  SceneOptions options;
  options.skeleton = request.skeleton;
  options.clips = request.clips;
  options.bones = request.bones;
  options.animations = request.animations;
  return options;
}

namespace {

tl::unexpected<Error> no_clip(const std::vector<std::string>& names) {
  return fail(codes::kSceneNoClip, "no clip matches; the clips are: " + names_text(names));
}

std::string number(double value) {
  std::string text;
  append_number(text, static_cast<float>(value));
  return text;
}

}  // namespace

FromSceneOptions from_scene_options(const WriteContext& context) {
  FromSceneOptions options;
  options.skeleton = context.options.scene.skeleton;
  options.root_motion = context.options.scene.clips.root_motion;
  options.rate = context.options.model.rate;
  options.bone_names = context.options.model.bone_names;
  options.control = context.control();
  return options;
}

void state_errors(const std::vector<EncodedAnimation>& encoded, const Diagnostics& findings, Outputs& file) {
  CurveError worst;
  for (const auto& animation : encoded) {
    worst.translation = std::max(worst.translation, animation.error.translation);
    worst.turn = std::max(worst.turn, animation.error.turn);
    worst.scale = std::max(worst.scale, animation.error.scale);
    worst.vertex = std::max({worst.vertex, animation.error.vertex, animation.error.translation});
  }
  const std::string sizes = worst.scale > 0 ? ", scale " + number(worst.scale) : "";
  state_deviation(file, worst.vertex);
  file.details = "  largest error " + number(worst.translation) + " m, " + number(worst.turn) + " degrees" +
                 sizes + "\n";
  for (const auto& finding : findings.items()) {
    file.details += finding.code == codes::kMrnJoin ? "  " + shown(finding.message) + "\n" : "";
  }
}

Result<std::vector<const scene::Clip*>> requested_clips(const WriteContext& context) {
  if (context.clips.empty()) {
    std::vector<std::string> names;
    for (const auto& clip : context.scene.clips) {
      names.push_back(clip.name);
    }
    return names.empty() ? fail(codes::kSceneNoClip, "the scene has no animation") : no_clip(names);
  }
  return clips_to_make(context.scene, context.clips);
}

namespace {

Result<Outputs> write_new(const WriteContext& context) {
  return requested_clips(context)
      .and_then([&](const std::vector<const scene::Clip*>& clips) {
        return network_of(context.scene, clips, from_scene_options(context), context.findings);
      })
      .map([&](const BuiltNetwork& built) {
        Outputs file = output_of(context, write(built.document),
                                 std::array{Facts::Count{"bone", built.bones},
                                            Facts::Count{"animation", built.animations.size()}});
        state_errors(built.animations, context.findings, file);
        return file;
      });
}

Result<Outputs> write_into(const WriteContext& context) {
  auto encoded = requested_clips(context).and_then([&](const std::vector<const scene::Clip*>& clips) {
    return animations_of(context.scene, *context.options.scene.network, clips, from_scene_options(context),
                         context.findings);
  });
  if (!encoded) {
    return tl::unexpected<Error>(std::move(encoded.error()));
  }
  Document network = *context.options.scene.network;
  for (auto& animation : *encoded) {
    if (auto done = put_animation(network, animation.name, std::move(animation.document)); !done) {
      return tl::unexpected<Error>(std::move(done.error()));
    }
  }
  Outputs file = output_of(context, write(network), std::array{Facts::Count{"animation", encoded->size()}});
  state_errors(*encoded, context.findings, file);
  return file;
}

/// --onto: animations that are what they were stay to the byte, others come in their places.
Result<Outputs> write_onto(const WriteContext& context) {
  const auto* original = context.onto->document.get_if<Document>();
  if (original == nullptr) {
    return fail(codes::kWriteUnsupported, "--onto needs an animation network (MRN)");
  }
  const auto options = from_scene_options(context);
  auto encoded = requested_clips(context).and_then([&](const std::vector<const scene::Clip*>& clips) {
    return animations_of(context.scene, *original, clips, options, context.findings);
  });
  if (!encoded) {
    return tl::unexpected<Error>(std::move(encoded.error()));
  }
  Diagnostics discarded(0);
  const auto before = animations_of(context.onto->scene, *original,
                                    clips_to_make(context.onto->scene, context.clips), options, discarded);
  const auto stays = [&](const EncodedAnimation& animation) {
    return before && std::any_of(before->begin(), before->end(), [&](const EncodedAnimation& existing) {
             return existing.name == animation.name && existing.document == animation.document;
           });
  };
  encoded->erase(std::remove_if(encoded->begin(), encoded->end(), stays), encoded->end());
  Document network = *original;
  for (auto& animation : *encoded) {
    if (auto done = put_animation(network, animation.name, std::move(animation.document)); !done) {
      return tl::unexpected<Error>(std::move(done.error()));
    }
  }
  Outputs file = output_of(context, write(network), std::array{Facts::Count{"animation", encoded->size()}});
  state_errors(*encoded, context.findings, file);
  return file;
}

Result<Outputs> write_scene(const WriteContext& context) {
  return context.onto != nullptr                    ? write_onto(context)
         : context.options.scene.network == nullptr ? write_new(context)
                                                    : write_into(context);
}

constexpr SceneWriter kWriter = {
    .label = "networks", .network = true, .new_network = true, .onto = true, .write = write_scene};

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
          "is unknown; its bytes are preserved unchanged";
      break;
    case Layout::le32:
      identity.dialect = "le32";
      identity.explanation =
          "this is a Forgelight or Morpheme animation network for 32-bit machines (MRN); its packets are "
          "listed, their content is preserved unchanged";
      break;
    default:
      identity.dialect = "le64";
      break;
  }
}

Result<scene::Scene> open_scene(const open::SceneContext& context, const AnyDocument& any) {
  const auto& network = *any.get_if<Document>();
  if (const auto& is_requested = context.request.clips.requested) {
    std::vector<std::string> names;
    for (const Animation& animation : animations(network)) {
      names.push_back(animation.name);
    }
    if (!names.empty() && std::none_of(names.begin(), names.end(), is_requested)) {
      return no_clip(names);
    }
  }
  return to_scene(network, context.name(), scene_options(context.request), context.findings);
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
    .edit = edit,
    .to_scene = open_scene,
    .models = "animations",
    .from_scene = &kWriter,
    .conversions = kConversions,
};

}  // namespace thaw::mrn
