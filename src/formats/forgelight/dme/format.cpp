#include <thaw/codes.hpp>
#include <thaw/dme.hpp>
#include <thaw/mrn.hpp>
#include <thaw/xml.hpp>

#include "bytes/number_text.hpp"
#include "bytes/text.hpp"
#include "convert/written_pictures.hpp"
#include "formats/forgelight/dme/from_scene.hpp"
#include "formats/forgelight/dme/rules.hpp"
#include "formats/forgelight/shared/facts.hpp"
#include "formats/list.hpp"
#include "open/parts.hpp"
#include "open/written_scene.hpp"
#include "scene/deviation.hpp"
#include "scene/embedded_images.hpp"
#include "scene/source.hpp"

#include <algorithm>
#include <functional>

namespace thaw::dme {
namespace {

void report(ByteView bytes, Identity& identity) { identity.version = stated_version(bytes); }

Result<scene::Scene> open_scene(const open::SceneContext& context, const AnyDocument& any) {
  return open::dme_scene(context, *any.get_if<Document>());
}

/// Textures that are embedded in the scene; of others only the name is written.
void encode_pictures(const WriteContext& context, const ModelOfScene& model, Outputs& file) {
  std::vector<conversion::PictureToWrite> requested;
  for (const ModelTexture& picture : model.pictures) {
    const bool converted = picture.image.pixels() > 0;
    if (converted || scene::is_embedded(context.scene, picture.texture)) {
      const std::string name(without_extension(picture.name));
      requested.push_back({picture.texture, name, converted ? &picture.image : nullptr, false});
    } else {
      context.findings.add(codes::kSceneLost,
                           "texture " + picture.name +
                               " not written, because the scene contains no image for it; " +
                               "the materials refer to it by name");
    }
  }
  auto files = conversion::written_pictures(context, requested, conversion::TextureKind::dds);
  std::move(files.begin(), files.end(), std::back_inserter(file.files));
}

std::string quoted(const std::string& text) { return '"' + xml::escape(text) + '"'; }

/// Where levels begin in metres: as the scene has it of an actor, else as the published one, and further ones
/// twice as far each.
std::vector<double> distances_of(const scene::Scene& scene, std::size_t levels) {
  std::vector<double> usual = {35, 75, 200};
  std::vector<double> stated;
  const auto owner = std::find_if(scene.nodes.begin(), scene.nodes.end(),
                                  [&](const auto& node) { return node.lods.size() + 1 == levels; });
  for (const scene::Index level : owner->lods) {
    const bool known = level < scene.nodes.size();
    stated.push_back(known ? scene::extras_of(scene.nodes[level], "adr")["distance"].number().value_or(0)
                           : 0);
  }
  while (usual.size() < levels) {
    usual.push_back(usual.back() * 2);
  }
  const bool grow = std::adjacent_find(stated.begin(), stated.end(), std::greater_equal<>()) == stated.end();
  return stated.front() > 0 && grow ? stated : usual;
}

/// The name of a level's files, without an ending.
std::string level_name(const WriteContext& context, std::size_t level) {
  return level == 0 ? context.name() : context.name() + "_LOD" + std::to_string(level);
}

std::string files_of(const WriteContext& context, std::size_t level) {
  const std::string name = level_name(context, level);
  return " fileName=" + quoted(name + ".dme") + " paletteName=" + quoted(name + ".dma");
}

/// The actor that combines the model and the files next to it (adr.md#structure). Its network is made of
/// the same scene (`thaw convert scene.glb -o NAME.mrn`).
std::string actor_of(const WriteContext& context, const std::vector<Document>& levels) {
  std::string text = "<ActorRuntime>\r\n";
  if (!levels.front().bone_hashes.empty()) {
    text += "    <AnimationNetwork fileName=" + quoted(context.name() + ".mrn") +
            " animSetName=" + quoted(mrn::skeleton_name(context.scene)) + " />\r\n";
  }
  text += "    <Base" + files_of(context, 0) + " />\r\n";
  if (levels.size() > 1) {
    const auto distances = distances_of(context.scene, levels.size());
    text += "    <Lods>\r\n";
    for (std::size_t level = 1; level < levels.size(); ++level) {
      text += "        <Lod" + files_of(context, level) +
              " distance=" + quoted(short_number(distances[level - 1])) + " />\r\n";
    }
    text += "    </Lods>\r\n";
  }
  return text + "</ActorRuntime>\r\n";
}

Result<Outputs> write_scene(const WriteContext& context) {
  return from_scene(context.scene, context.findings, context.control()).map([&](ModelOfScene&& model) {
    const Document& finest = model.levels.front();
    Outputs file = output_of(
        context, write(finest),
        std::array{Facts::Count{"mesh", finest.meshes.size()}, Facts::Count{"call", finest.draw_calls.size()},
                   Facts::Count{"bone", finest.bone_hashes.size()},
                   Facts::Count{"level", model.levels.size()}});
    Diagnostics discarded(0);
    state_deviation(file,
                    scene::nearest_deviation(context.scene, to_scene(finest, context.name(), {}, discarded),
                                             context.control()));
    file.files.push_back({context.name() + ".adr", to_bytes(actor_of(context, model.levels))});
    for (std::size_t level = 0; level < model.levels.size(); ++level) {
      const std::string name = level_name(context, level);
      if (level > 0) {
        file.files.push_back({name + ".dme", write(model.levels[level])});
      }
      file.files.push_back({name + ".dma", dma::write(model.levels[level].palette)});
    }
    encode_pictures(context, model, file);
    return file;
  });
}

/// That of the original stays.
Result<Outputs> write_without_actor(const WriteContext& context) {
  return write_scene(context).map([](Outputs&& outputs) {
    std::erase_if(outputs.files, [](const OutputFile& file) { return file.name.ends_with(".adr"); });
    return std::move(outputs);
  });
}

/// --onto.
Result<Outputs> write_onto(const WriteContext& context) {
  return context.onto != nullptr && context.onto->document.get_if<Document>() == nullptr
             ? fail(codes::kWriteUnsupported, "--onto needs a Forgelight model (DME)")
             : open::written_onto(context, context.onto == nullptr ? write_scene : write_without_actor);
}

constexpr SceneWriter kWriter = {
    .label = "Forgelight models", .adjacent = true, .surfaces = true, .onto = true, .write = write_onto};

constexpr RuleBook kBook = document_book<Document, model_rules>();

}  // namespace

const FormatDescriptor kFormat = {
    .id = "dme",
    .name = "Forgelight model (DME)",
    .extensions = ".dme",
    .explanation = "this is a Forgelight model (DME)",
    .strongest = Evidence::magic,
    .recognise = [](ByteView bytes) { return by_magic(bytes, "DMOD"); },
    .report = report,
    .document = document_operations<Document, read>(),
    .facts = facts_of_any<Document, forgelight::facts_of>,
    .rules = &kBook,
    .to_scene = open_scene,
    .models = "Forgelight models",
    .from_scene = &kWriter,
};

}  // namespace thaw::dme
