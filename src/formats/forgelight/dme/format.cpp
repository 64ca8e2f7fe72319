#include <thaw/dds.hpp>
#include <thaw/dme.hpp>
#include <thaw/image.hpp>
#include <thaw/mrn_scene.hpp>
#include <thaw/scene_codes.hpp>
#include <thaw/xml.hpp>

#include "bytes/text.hpp"
#include "formats/forgelight/dme/from_scene.hpp"
#include "formats/forgelight/dme/rules.hpp"
#include "formats/forgelight/shared/facts.hpp"
#include "formats/list.hpp"
#include "open/parts.hpp"

namespace thaw::dme {
namespace {

void report(ByteView bytes, Identity& identity) { identity.version = stated_version(bytes); }

Result<scene::Scene> open_scene(const open::SceneContext& context, const AnyDocument& any) {
  return open::dme_scene(context, *any.get_if<Document>());
}

/// What the scene carries as a file, or made of others.
Result<Image> picture_of(const scene::Scene& scene, const scene::Texture& texture, Diagnostics& findings) {
  if (texture.content != nullptr) {
    return decode_texture(*texture.content, {}, findings);
  }
  if (texture.image < scene.images.size()) {
    return scene.images[texture.image].image;
  }
  return fail(codes::kTextureMissing, "the scene has no such picture, so that only its name is written");
}

/// Of the layer of colour; what the game keeps in its alpha is not that of glTF.
void encode_pictures(const SceneToWrite& order, const ModelOfScene& model, SceneFile& file) {
  for (const auto& [name, texture] : model.pictures) {
    auto picture = picture_of(order.scene, order.scene.textures[texture], order.findings)
                       .and_then([&](const Image& image) { return dds::encode(image, {}, order.findings); });
    if (picture) {
      file.beside.emplace_back(name, dds::write(*picture));
    } else {
      order.findings.add(codes::kSceneLost, name + ": " + picture.error().message);
    }
  }
}

std::string quoted(const std::string& text) { return '"' + xml::escape(text) + '"'; }

/// The actor that puts the model and what lies beside it together (adr.md#structure). Its network is made of
/// the same scene (`thaw convert scene.glb -o NAME.mrn`).
std::string actor_of(const SceneToWrite& order, const Document& model) {
  std::string text = "<ActorRuntime>\r\n";
  if (!model.bone_hashes.empty()) {
    text += "    <AnimationNetwork fileName=" + quoted(order.name + ".mrn") +
            " animSetName=" + quoted(mrn::skeleton_name(order.scene)) + " />\r\n";
  }
  text += "    <Base fileName=" + quoted(order.name + ".dme") +
          " paletteName=" + quoted(order.name + ".dma") + " />\r\n";
  return text + "</ActorRuntime>\r\n";
}

Result<SceneFile> write_scene(const SceneToWrite& order) {
  return from_scene(order.scene, order.findings, order.control).map([&](ModelOfScene&& model) {
    const Document& document = model.document;
    SceneFile file;
    file.bytes = write(document);
    file.counts = {{"mesh", document.meshes.size()},
                   {"call", document.draw_calls.size()},
                   {"bone", document.bone_hashes.size()}};
    file.beside.emplace_back(order.name + ".adr", to_bytes(actor_of(order, document)));
    file.beside.emplace_back(order.name + ".dma", dma::write(document.palette));
    encode_pictures(order, model, file);
    return file;
  });
}

constexpr SceneWriter kWriter = {
    .made = "models of Forgelight", .options = "", .beside = true, .write = write_scene};

constexpr RuleBook kBook = document_book<Document, model_rules>();

}  // namespace

const FormatDescriptor kFormat = {
    .id = "dme",
    .name = "Forgelight model (DME)",
    .extensions = ".dme",
    .explanation = "this is a model of the Forgelight engine (DME)",
    .strongest = Evidence::magic,
    .recognise = [](ByteView bytes) { return by_magic(bytes, "DMOD"); },
    .report = report,
    .document = document_operations<Document, read>(),
    .facts = facts_of_any<Document, forgelight::facts_of>,
    .rules = &kBook,
    .to_scene = open_scene,
    .models = "models of Forgelight",
    .scene_options = "materials skeleton animation clip root-motion",
    .from_scene = &kWriter,
};

}  // namespace thaw::dme
