#include <thaw/blp.hpp>
#include <thaw/dds.hpp>
#include <thaw/encode.hpp>
#include <thaw/mdx_convert.hpp>
#include <thaw/mdx_from_scene.hpp>
#include <thaw/mdx_scene.hpp>
#include <thaw/scene_codes.hpp>

#include "bytes/game_path.hpp"

#include "formats/list.hpp"
#include "formats/warcraft/mdx/conversions.hpp"
#include "formats/warcraft/mdx/edit/edits.hpp"
#include "formats/warcraft/mdx/facts.hpp"
#include "formats/warcraft/mdx/format.hpp"
#include "formats/warcraft/mdx/from_scene/onto.hpp"
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

namespace {

/// Sides that the game takes, the next smaller ones.
std::uint32_t power_of_two(std::uint32_t side) {
  std::uint32_t result = 1;
  while (result <= side / 2) {
    result *= 2;
  }
  return result;
}

Result<Bytes> encoded(const Image& image, bool classic, bool normals, Diagnostics& findings) {
  if (classic) {
    return blp::encode(image, blp::Variant::blp1, {}, findings).map([](const blp::Document& document) {
      return blp::write(document);
    });
  }
  EncodeOptions options;
  options.encoding = normals ? PixelEncoding::bc5 : PixelEncoding::automatic;
  return dds::encode(image, options, findings).map([](const dds::Document& document) {
    return dds::write(document);
  });
}

/// What the scene made of others, or a file of its own.
Result<Image> picture_of(const SceneToWrite& order, const ModelPicture& picture) {
  const scene::Texture& texture = order.scene.textures[picture.texture];
  return texture.content ? decode_texture(*texture.content, {}, order.findings)
                         : Result<Image>(picture.image);
}

/// What does not decode is left out, and the model names it all the same.
void encode_pictures(const SceneToWrite& order, const ModelOfScene& model, bool classic, WrittenModel& to) {
  for (const ModelPicture& picture : model.pictures) {
    const std::string name = std::string(last_part(picture.path)) + (classic ? ".blp" : ".dds");
    auto image = picture_of(order, picture);
    if (!image) {
      order.findings.add(codes::kSceneLost, "a picture that is not readable: " + name);
      continue;
    }
    const std::uint32_t width = power_of_two(image->width);
    const std::uint32_t height = power_of_two(image->height);
    if (width != image->width || height != image->height) {
      order.findings.add(codes::kSceneChanged, name + " became " + std::to_string(width) + " × " +
                                                   std::to_string(height) + ", as the game wants its sides");
      image = reduced(*image, width, height);
    }
    auto bytes = encoded(*image, classic, picture.normals, order.findings);
    if (bytes) {
      to.pictures.emplace_back(name, std::move(*bytes));
    } else {
      order.findings.add(codes::kSceneLost, name + ": " + bytes.error().message);
    }
  }
}

/// Of the model that the scene was made of; 800 for all others.
std::uint32_t stated_version_of(const scene::Scene& scene) {
  const auto version = scene.extras["thaw"]["mdx"]["version"].integer().value_or(0);
  const auto* found = std::find(kTargetVersions.begin(), kTargetVersions.end(), version);
  return found == kTargetVersions.end() ? 800 : *found;
}

Bytes as_binary(const Document& document, const SceneToWrite& /*order*/) { return write(document); }

constexpr SceneWriter kWriter = {
    .made = {}, .options = kWriterOptions, .layers = true, .write = [](const SceneToWrite& order) {
      return write_model(order, as_binary);
    }};

}  // namespace

Result<WrittenModel> model_of_scene(const SceneToWrite& order) {
  FromSceneOptions options;
  options.scale = order.scale.value_or(options.scale);
  options.tolerance = order.tolerance.value_or(options.tolerance);
  options.bare = order.bare;
  options.hd = order.hd;
  options.texture_path = order.texture_path;
  std::replace(options.texture_path.begin(), options.texture_path.end(), '/', '\\');
  if (!options.texture_path.empty() && options.texture_path.back() != '\\') {
    options.texture_path += '\\';
  }
  const Document* original = order.onto == nullptr ? nullptr : order.onto->document.get_if<Document>();
  if (order.onto != nullptr && original == nullptr) {
    return fail(codes::kWriteUnsupported, "--onto is for models of Warcraft III");
  }
  const auto stated = stated_version_of(order.scene);
  options.version = order.version.value_or(original != nullptr ? original->version() : stated);
  if (original != nullptr && options.version != original->version()) {
    return fail(codes::kWriteUnsupported, "a model onto one of version " +
                                              std::to_string(original->version()) +
                                              " is of that version; convert it after that");
  }
  auto model = from_scene(order.scene, options, order.findings);
  if (!model) {
    return tl::unexpected<Error>(std::move(model.error()));
  }
  WrittenModel result;
  encode_pictures(order, *model, options.version < 900, result);
  result.document = std::move(model->document);
  if (original != nullptr) {
    Diagnostics unheard(0);
    const auto before = from_scene(order.onto->scene, options, unheard);
    if (!before) {
      return tl::unexpected<Error>(before.error());
    }
    result.document = merge_onto(*original, before->document, result.document, order.findings);
  }
  return result;
}

Result<SceneFile> write_model(const SceneToWrite& order,
                              Bytes (*bytes)(const Document&, const SceneToWrite&)) {
  return model_of_scene(order).map([&](WrittenModel&& model) {
    SceneFile file{bytes(model.document, order),
                   {{"geoset", model.document.all<Geosets>().size()},
                    {"bone", model.document.all<Bones>().size()},
                    {"sequence", model.document.all<Sequences>().size()}}};
    file.beside = std::move(model.pictures);
    return file;
  });
}

const FormatDescriptor kFormat = {
    .id = "mdx",
    .name = "Warcraft III model (MDX)",
    .extensions = ".mdx",
    .explanation = "this is a model of Warcraft III",
    .dialect = "wc3",
    .strongest = Evidence::magic,
    .recognise = recognise,
    .report = report,
    .document = document_operations<Document, read>(),
    .facts = facts_of_any<Document, facts_of>,
    .rules = &kRules,
    .fix = fix,
    .edit = edit,
    .edit_options = kEditOptions,
    .to_scene = open_scene,
    .models = "models",
    .scene_options = kSceneOptions,
    .from_scene = &kWriter,
    .conversions = kConversions,
    .written_versions = kTargetVersions,
};

}  // namespace thaw::mdx
