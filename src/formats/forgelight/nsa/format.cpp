#include <thaw/convert.hpp>
#include <thaw/mrn.hpp>
#include <thaw/nsa.hpp>

#include "bytes/number_text.hpp"
#include "bytes/text.hpp"
#include "formats/forgelight/mrn/animation_rules.hpp"
#include "formats/forgelight/mrn/facts.hpp"
#include "formats/forgelight/mrn/format.hpp"
#include "formats/list.hpp"
#include "open/paths.hpp"
#include "open/scene_context.hpp"
#include "open/written_scene.hpp"

namespace thaw::nsa {
namespace {

Result<scene::Scene> open_scene(const open::SceneContext& context, const AnyDocument& any) {
  if (context.request.network == nullptr) {
    return fail(codes::kMrnSkeleton,
                "An animation contains no skeleton. Name a network with --skeleton FILE.mrn.");
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

/// A clip's name as that of a file next to another one.
std::string file_of(const std::string& clip, const std::string& reserved) {
  constexpr std::string_view kOthers = "/\\:*?\"<>|";
  std::string name = clip;
  for (char& letter : name) {
    const bool control = static_cast<unsigned char>(letter) < ' ';
    letter = control || kOthers.find(letter) != std::string_view::npos ? '_' : letter;
  }
  name += ascii::same(name, reserved) || name.empty() || name.front() == '.' ? "-2" : "";
  return (name.front() == '.' ? "_" : "") + name + ".nsa";
}

/// The first animation is the requested one, the others lie next to it under their own names.
Result<Outputs> write_scene(const WriteContext& context) {
  const mrn::Document* network = context.options.scene.network.get();
  if (network == nullptr) {
    return fail(codes::kMrnSkeleton,
                "an animation needs the skeleton of a network; name it with --skeleton FILE.mrn");
  }
  return mrn::requested_clips(context)
      .and_then([&](const std::vector<const scene::Clip*>& clips) {
        return mrn::animations_of(context.scene, *network, clips, mrn::from_scene_options(context),
                                  context.findings);
      })
      .map([&](const std::vector<mrn::EncodedAnimation>& encoded) {
        const Document& first = encoded.front().document;
        Outputs file = output_of(
            context, write(first),
            std::array{Facts::Count{"channel", first.channels()}, Facts::Count{"sample", first.samples()}});
        mrn::state_errors(encoded, context.findings, file);
        for (std::size_t i = 1; i < encoded.size(); ++i) {
          file.files.push_back({file_of(encoded[i].name, context.name()), write(encoded[i].document)});
        }
        return file;
      });
}

/// Into the network that is named, as it is.
Result<Outputs> into_network(const FileContext& file) {
  if (file.options.scene.network == nullptr) {
    return fail(codes::kMrnSkeleton,
                "an animation becomes part of a network; name it with --skeleton FILE.mrn");
  }
  mrn::Document network = *file.options.scene.network;
  auto done = mrn::put_animation(network, open::stem_of(file.path), *file.document->get_if<Document>());
  return std::move(done).map([&] {
    Outputs outputs;
    outputs.files.push_back({std::string(file.name), mrn::write(network)});
    const auto count = static_cast<std::int64_t>(mrn::animations(network).size());
    outputs.note = counted(static_cast<std::size_t>(count), "animation");
    outputs.json = {{"animations", count}};
    return outputs;
  });
}
constexpr std::array<Conversion, 1> kConversions = {
    {{"mrn", ".mrn", "animations into networks", false, into_network}}};

Result<Outputs> write_onto(const WriteContext& context) {
  return context.onto != nullptr && context.onto->document.get_if<Document>() == nullptr
             ? fail(codes::kWriteUnsupported, "--onto needs a Forgelight animation (NSA)")
             : open::written_onto(context, write_scene);
}

constexpr SceneWriter kWriter = {
    .label = "animations", .network = true, .adjacent = true, .onto = true, .write = write_onto};
constexpr RuleBook kBook = document_book<Document, rules>();

}  // namespace

const FormatDescriptor kFormat = {
    .id = "nsa",
    .name = "Forgelight animation (NSA)",
    .extensions = ".nsa",
    .explanation = "this is a Forgelight or Morpheme animation (NSA), which needs a skeleton to be shown",
    .strongest = Evidence::table,
    .recognise = [](ByteView bytes) { return if_found(is_nsa(bytes), Evidence::table); },
    .document = document_operations<Document, read>(),
    .facts = facts_of_any<Document, facts_of>,
    .rules = &kBook,
    .to_scene = open_scene,
    .models = "animations",
    .from_scene = &kWriter,
    .conversions = kConversions,
};

}  // namespace thaw::nsa
