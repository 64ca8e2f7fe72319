#include <thaw/mrn_scene.hpp>
#include <thaw/nsa.hpp>

#include "bytes/ascii.hpp"
#include "bytes/words.hpp"
#include "formats/forgelight/mrn/animation_rules.hpp"
#include "formats/forgelight/mrn/facts.hpp"
#include "formats/forgelight/mrn/format.hpp"
#include "formats/list.hpp"
#include "open/paths.hpp"
#include "open/scene_context.hpp"

namespace thaw::nsa {
namespace {

Result<scene::Scene> open_scene(const open::SceneContext& context, const AnyDocument& any) {
  if (context.request.network == nullptr) {
    return fail(codes::kMrnSkeleton, "an animation has no skeleton of its own");
  }
  // The clip is known by its file, however its scene is called: so it finds its place in a network again.
  const std::string& path = context.request.path;
  return mrn::to_scene(*any.get_if<Document>(), *context.request.network,
                       path.empty() ? context.name() : open::stem_of(path),
                       mrn::scene_options(context.request), context.findings)
      .map([&](scene::Scene&& scene) {
        scene.name = context.name();
        return std::move(scene);
      });
}

/// A clip's name as that of a file beside another one.
std::string file_of(const std::string& clip, const std::string& taken) {
  constexpr std::string_view kOthers = "/\\:*?\"<>|";
  std::string name = clip;
  for (char& letter : name) {
    const bool control = static_cast<unsigned char>(letter) < ' ';
    letter = control || kOthers.find(letter) != std::string_view::npos ? '_' : letter;
  }
  name += ascii::same(name, taken) || name.empty() || name.front() == '.' ? "-2" : "";
  return (name.front() == '.' ? "_" : "") + name + ".nsa";
}

/// The first animation is what was asked for, the others lie beside it under their own names.
Result<SceneFile> write_scene(const SceneToWrite& context) {
  if (context.network == nullptr) {
    return fail(codes::kMrnSkeleton, "an animation is written for the skeleton of a network");
  }
  return mrn::requested_clips(context)
      .and_then([&](const std::vector<const scene::Clip*>& clips) {
        return mrn::animations_of(context.scene, *context.network, clips, mrn::from_scene_options(context),
                                  context.findings);
      })
      .map([&](const std::vector<mrn::MadeAnimation>& made) {
        SceneFile file;
        const Document& first = made.front().document;
        file.counts = {{"channel", first.channels()}, {"sample", first.samples()}};
        file.note = mrn::error_text(made);
        file.bytes = write(first);
        for (std::size_t i = 1; i < made.size(); ++i) {
          file.beside.emplace_back(file_of(made[i].name, context.name), write(made[i].document));
        }
        return file;
      });
}

/// Into the network of --skeleton, as it is.
Result<ConvertedFiles> into_network(const FileToConvert& file) {
  mrn::Document network = *file.network;
  auto done = mrn::put_animation(network, file.own_name, *file.document->get_if<Document>());
  return std::move(done).map([&] {
    ConvertedFiles made;
    made.files.emplace_back(file.file_name, mrn::write(network));
    const auto count = static_cast<std::int64_t>(mrn::animations(network).size());
    made.note = counted(static_cast<std::size_t>(count), "animation");
    made.json = {{"animations", count}};
    return made;
  });
}
constexpr std::array<Conversion, 1> kConversions = {
    {{"mrn", ".mrn", "animations into networks", "skeleton", false, into_network}}};

constexpr SceneWriter kWriter = {.made = "animations",
                                 .options = "clip skeleton root-motion rate bone-map",
                                 .network = true,
                                 .beside = true,
                                 .write = write_scene};
constexpr RuleBook kBook = document_book<Document, rules>();

}  // namespace

const FormatDescriptor kFormat = {
    .id = "nsa",
    .name = "Forgelight animation (NSA)",
    .extensions = ".nsa",
    .explanation = "this is a Forgelight or Morpheme animation (NSA), which needs a skeleton to be seen",
    .strongest = Evidence::table,
    .recognise = [](ByteView bytes) { return if_found(is_nsa(bytes), Evidence::table); },
    .document = document_operations<Document, read>(),
    .facts = facts_of_any<Document, facts_of>,
    .rules = &kBook,
    .to_scene = open_scene,
    .models = "animations",
    .scene_options = "skeleton clip root-motion bones animation",
    .textured = false,
    .from_scene = &kWriter,
    .conversions = kConversions,
};

}  // namespace thaw::nsa
