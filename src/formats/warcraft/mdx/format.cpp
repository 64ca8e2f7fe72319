#include <thaw/codes.hpp>
#include <thaw/convert.hpp>
#include <thaw/mdx.hpp>

#include "bytes/text.hpp"
#include "formats/list.hpp"
#include "formats/warcraft/mdx/conversions.hpp"
#include "formats/warcraft/mdx/edit/edits.hpp"
#include "formats/warcraft/mdx/facts.hpp"
#include "formats/warcraft/mdx/format.hpp"
#include "formats/warcraft/mdx/from_scene/onto.hpp"
#include "formats/warcraft/mdx/map_folder.hpp"
#include "formats/warcraft/mdx/rules/table.hpp"
#include "open/parts.hpp"
#include "scene/source.hpp"

#include <map>

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
  options.swap_inheritance_flags = context.request.swap_inheritance;
  return to_scene(*any.get_if<Document>(), options, context.findings);
}

Fixed fix(const AnyDocument& any, const ValidateOptions& options, const std::vector<std::string_view>& codes,
          Diagnostics& findings) {
  Document document = *any.get_if<Document>();
  std::vector<AppliedFix> changes = fix(document, options, codes, findings);
  return Fixed{AnyDocument(any.identity(), std::move(document)), std::move(changes)};
}

namespace {

/// Of the model that the scene was made of; 800 for all others.
std::uint32_t stated_version_of(const scene::Scene& scene) {
  const auto version = scene::extras_of(scene, "mdx")["version"].integer().value_or(0);
  const auto* found = std::find(kTargetVersions.begin(), kTargetVersions.end(), version);
  return found == kTargetVersions.end() ? 800 : *found;
}

Bytes as_binary(const Document& document, const WriteContext& /*context*/) { return write(document); }

constexpr SceneWriter kWriter = {
    .label = {},
    .adjacent = true,
    .layers = true,
    .onto = true,
    .names = kGame,
    .write = [](const WriteContext& context) { return write_model(context, as_binary); }};

/// What a WoW Alpha model says and extras keep, as the conversion without glTF states it.
void report_alpha_losses(const scene::Scene& scene, Diagnostics& findings) {
  const auto alphas = [](const auto& part) -> const Value& { return scene::extras_of(part, "mdx-alpha"); };
  const auto report = [&](bool lost, const char* what) {
    if (lost) {
      findings.add(codes::kSceneLost, what);
    }
  };
  const Value& model = alphas(scene);
  report(model["flags"].integer().value_or(0) != 0,
         "model flags left out, such as ground following or always animated");
  report(!model["collisionMesh"]["indices"].list().empty(), "collision mesh left out");
  report(std::any_of(scene.clips.begin(), scene.clips.end(),
                     [&](const scene::Clip& clip) {
                       const Value& extras = alphas(clip);
                       return extras["frequency"].number().value_or(1) != 1 ||
                              extras["replay"][1].number().value_or(0) != 0 ||
                              extras["blendTime"].number().value_or(0) != 0;
                     }),
         "frequencies, repetitions or blend times of sequences left out");
  constexpr double kPlane = 1;
  report(std::any_of(scene.emitters.begin(), scene.emitters.end(),
                     [&](const scene::Emitter& emitter) {
                       return emitter.node < scene.nodes.size() &&
                              alphas(scene.nodes[emitter.node])["emitterType"].number().value_or(kPlane) !=
                                  kPlane;
                     }),
         "emitter shapes other than planes left out");
}

}  // namespace

std::vector<OutputFile> encoded_pictures(const WriteContext& context,
                                         const std::vector<ModelPicture>& pictures,
                                         conversion::TextureKind kind, std::uint32_t longest) {
  std::vector<conversion::PictureToWrite> to_write;
  for (const ModelPicture& picture : pictures) {
    const bool has_pixels = picture.image.pixels() > 0;
    to_write.push_back(
        {picture.texture, picture.path, has_pixels ? &picture.image : nullptr, picture.normals});
  }
  return conversion::written_pictures(context, to_write, kind, longest);
}

FromSceneOptions options_of(const WriteContext& context, std::string_view dialect, float unit) {
  FromSceneOptions options;
  const ModelOptions& model = context.options.model;
  options.scale = context.scale(dialect, unit);
  options.tolerance = model.tolerance.value_or(options.tolerance);
  options.bare = model.bare;
  options.swap_inheritance_flags = context.options.scene.swap_inheritance;
  options.hd = model.hd;
  options.control = context.control();
  options.texture_path = context.texture_folder();
  return options;
}

namespace {

/// Textures keep their names in a model of the same game, whose files they are. Those of a map come with it
/// alone; not all have a picture of their own in the glTF.
void report_unwritten(const WriteContext& context, const std::vector<ModelPicture>& pictures) {
  std::string of_map;
  std::string of_game;
  for (const auto& texture : context.scene.source.textures) {
    const std::string_view path = texture.path;
    const bool written = std::any_of(pictures.begin(), pictures.end(), [&](const ModelPicture& picture) {
      return picture.path == path.substr(0, path.find_last_of('.'));
    });
    if (!path.empty() && !written && !texture.placeholder) {
      std::string& paths = in_map_folder(path) ? of_map : of_game;
      paths += (paths.empty() ? "" : ", ") + std::string(path);
    }
  }
  if (!of_map.empty()) {
    context.findings.add(
        codes::kSceneLost,
        "textures not written; the model keeps their paths, at which the map must contain them: " + of_map);
  }
  if (!of_game.empty()) {
    context.findings.add(
        codes::kSceneGameFile,
        "textures not written; the model keeps their paths, at which the game must contain them: " + of_game);
  }
}

/// Of a map's textures the model names the files that are written.
void name_written(const std::vector<ModelPicture>& pictures, std::string_view ending, Document& document,
                  Diagnostics& findings) {
  auto* textures = document.find<Textures>();
  if (textures == nullptr) {
    return;
  }
  for (auto& texture : textures->items) {
    const std::string path(texture.path.view());
    const std::string stem = path.substr(0, path.find_last_of('.'));
    const bool written = in_map_folder(path) && std::any_of(pictures.begin(), pictures.end(),
                                                            [&](const auto& it) { return it.path == stem; });
    if (written && !ascii::same(path.substr(stem.size()), ending)) {
      texture.path.assign(stem + std::string(ending));
      findings.add(codes::kSceneChanged, "texture path " + path + " changed to " + stem +
                                             std::string(ending) + ", the file that is written");
    }
  }
}

/// Pictures from several folders lie in one, where no two may have a name.
void rename_doubles(std::vector<ModelPicture>& pictures, Document& document, Diagnostics& findings) {
  auto* textures = document.find<Textures>();
  std::map<std::string, std::string> path_by_name;
  for (ModelPicture& picture : pictures) {
    const std::string before = picture.path;
    const std::size_t folder = before.size() - last_part(before).size();
    const auto name = [&] { return ascii::lowered(std::string_view(picture.path).substr(folder)); };
    for (int number = 2; path_by_name.try_emplace(name(), before).first->second != before; ++number) {
      picture.path = before + '-' + std::to_string(number);
    }
    if (picture.path == before || textures == nullptr) {
      continue;
    }
    for (auto& texture : textures->items) {
      const std::string path(texture.path.view());
      const std::string stem = path.substr(0, path.find_last_of('.'));
      if (stem == before) {
        texture.path.assign(picture.path + path.substr(stem.size()));
        findings.add(codes::kSceneChanged, "texture path " + path + " changed to " +
                                               std::string(texture.path.view()) +
                                               ", because another texture has the same name");
      }
    }
  }
}

/// Models of other games may have events that never happen, which this one refuses.
void drop_empty_events(const WriteContext& context, Document& document) {
  const auto dropped = scene::extras_of(context.scene, "mdx").is_null()
                           ? thaw::fix(document, {}, {"mdx.event-empty"})
                           : std::vector<AppliedFix>{};
  if (!dropped.empty()) {
    context.findings.add(codes::kSceneLost,
                         "events without times left out: " + std::to_string(dropped.size()));
  }
}

/// What the unedited original becomes. Textures and losses that it shares with `model` go from there: the
/// original has what they are about.
Result<Document> unedited_model(const WriteContext& context, const FromSceneOptions& options,
                                ModelOfScene& model, Diagnostics& findings) {
  Diagnostics shared;
  auto before = from_scene(context.onto->scene, options, shared);
  if (!before) {
    return tl::unexpected<Error>(std::move(before.error()));
  }
  std::erase_if(model.pictures, [&](const ModelPicture& picture) {
    return std::any_of(before->pictures.begin(), before->pictures.end(),
                       [&](const ModelPicture& other) { return other.path == picture.path; });
  });
  Diagnostics rest;
  for (const Diagnostic& finding : findings.items()) {
    const bool known =
        std::any_of(shared.items().begin(), shared.items().end(), [&](const Diagnostic& other) {
          return other.code == finding.code && other.path == finding.path && other.message == finding.message;
        });
    if (!known) {
      rest.add(finding);
    }
  }
  findings = std::move(rest);
  return std::move(before->document);
}

}  // namespace

Result<WrittenModel> model_of_scene(const WriteContext& context) {
  FromSceneOptions options = options_of(context, "mdx", FromSceneOptions().scale);
  const Document* original = context.onto == nullptr ? nullptr : context.onto->document.get_if<Document>();
  if (context.onto != nullptr && original == nullptr) {
    return fail(codes::kWriteUnsupported, "--onto needs a Warcraft III model");
  }
  const auto stated = stated_version_of(context.scene);
  options.version =
      context.options.model.version.value_or(original != nullptr ? original->version() : stated);
  if (original != nullptr && options.version != original->version()) {
    return fail(codes::kWriteUnsupported, "--onto keeps the original's version (" +
                                              std::to_string(original->version()) +
                                              "). Convert the result to change it.");
  }
  const auto kind = options.version < 900 ? conversion::TextureKind::blp1 : conversion::TextureKind::dds;
  Diagnostics findings;
  auto model = from_scene(context.scene, options, findings);
  if (!model) {
    return tl::unexpected<Error>(std::move(model.error()));
  }
  std::optional<Document> before;
  if (original != nullptr) {
    auto unedited = unedited_model(context, options, *model, findings);
    if (!unedited) {
      return tl::unexpected<Error>(std::move(unedited.error()));
    }
    before = std::move(*unedited);
  }
  for (const Diagnostic& finding : findings.items()) {
    context.findings.add(finding);
  }
  report_alpha_losses(context.scene, context.findings);
  if (original == nullptr) {
    drop_empty_events(context, model->document);
    report_unwritten(context, model->pictures);
    rename_doubles(model->pictures, model->document, context.findings);
    name_written(model->pictures, conversion::ending_of(kind), model->document, context.findings);
  } else {
    model->pictures.erase(std::remove_if(model->pictures.begin(), model->pictures.end(),
                                         [](const auto& picture) { return in_map_folder(picture.path); }),
                          model->pictures.end());  // the original's map has them
  }
  WrittenModel result;
  result.pictures = encoded_pictures(context, model->pictures, kind);
  result.document = std::move(model->document);
  result.deviation = before ? std::nullopt : std::optional(model->deviation);
  if (before) {
    result.document =
        *before == result.document
            ? *original  // nothing was edited
            : merge_onto(*original, *before, result.document,
                         sequence_moves(context.onto->scene, *before, context.scene, result.document),
                         context.findings);
  }
  return result;
}

std::vector<Facts::Count> counts_of(const Document& document) {
  return {{"geoset", document.all<Geosets>().size()},
          {"bone", document.all<Bones>().size()},
          {"sequence", document.all<Sequences>().size()}};
}

Result<Outputs> write_model(const WriteContext& context,
                            Bytes (*bytes)(const Document&, const WriteContext&)) {
  return model_of_scene(context).map([&](WrittenModel&& model) {
    Outputs file = output_of(context, bytes(model.document, context), counts_of(model.document));
    if (model.deviation) {
      state_deviation(file, *model.deviation);
    }
    std::move(model.pictures.begin(), model.pictures.end(), std::back_inserter(file.files));
    return file;
  });
}

const FormatDescriptor kFormat = {
    .id = "mdx",
    .name = "Warcraft III model (MDX)",
    .extensions = ".mdx",
    .explanation = "this is a Warcraft III model",
    .dialect = "wc3",
    .strongest = Evidence::magic,
    .recognise = recognise,
    .report = report,
    .document = document_operations<Document, read>(),
    .facts = facts_of_any<Document, facts_of>,
    .names = show_names,
    .rules = &kRules,
    .fix = fix,
    .edit = edit,
    .to_scene = open_scene,
    .models = "models",
    .from_scene = &kWriter,
    .conversions = kConversions,
    .written_versions = kTargetVersions,
};

}  // namespace thaw::mdx
