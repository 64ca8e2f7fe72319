#include <thaw/mrf.hpp>
#include <thaw/mrf_scene.hpp>

#include "bytes/number_text.hpp"
#include "convert/written_pictures.hpp"
#include "formats/list.hpp"
#include "formats/warcraft/mrf/rules.hpp"
#include "formats/warcraft/mrf/shown_texture.hpp"
#include "open/parts.hpp"

#include <cmath>

namespace thaw::mrf {
namespace {

Evidence recognise(ByteView bytes) { return by_magic(bytes, "Morf"); }

std::string seconds(double value) {
  std::string text;
  append_number(text, std::round(value * 1000) / 1000);
  return text + " s";
}

/// See mrf.md#playback.
std::string played(const Header& header) {
  const auto step = double{header.frame_duration};
  const double length = step * (static_cast<double>(header.frame_count) - 1);
  const auto elapsed = double{header.elapsed};
  switch (playback(header)) {
    case Playback::nothing:
      return "draws nothing: the frame duration is 0";
    case Playback::last_frame:
      return step < 0 ? "shows only the last frame: the frame duration is negative"
                      : "shows only the last frame: the elapsed time of " + seconds(elapsed) +
                            " lies behind the end at " + seconds(length);
    default:
      break;
  }
  if (header.frame_count == 1) {
    return "shows the only frame";
  }
  const std::string end = " and keeps the last frame";
  if (elapsed < 0) {
    return "shows the first frame for " + seconds(-elapsed) + ", plays " + seconds(length) + " once" + end;
  }
  return elapsed > 0
             ? "begins " + seconds(elapsed) + " into the animation, plays " + seconds(length - elapsed) + end
             : "plays " + seconds(length) + " once" + end;
}

Facts facts_of(const Document& document) {
  Facts facts;
  const std::size_t frames = document.frames.size();
  facts.counts = {{"vertex", frames > 0 ? document.frames.front().vertices.size() : 0},
                  {"triangle", document.indices.size() / 3},
                  {"frame", frames}};
  facts.in_game = played(document.header);
  if (frames > 1 && playback(document.header) == Playback::plays) {
    const auto step = static_cast<double>(document.header.frame_duration);
    facts.clips.push_back({"Morph", step * static_cast<double>(frames - 1), false, 0, 0});
  }
  facts.textures.push_back({to_utf8(document.texture_stem()), 0});
  return facts;
}

Result<scene::Scene> open_scene(const open::SceneContext& context, const AnyDocument& any) {
  SceneOptions options;
  options.scale = context.scale(options.scale);
  options.every = context.request.every;
  options.max_error = context.request.max_error * options.scale;
  return to_scene(*any.get_if<Document>(), context.name(), options, context.findings);
}

/// What the scene carries of the texture that the model names.
std::vector<OutputFile> picture_beside(const WriteContext& context, const FromSceneOptions& options,
                                       const Document& document) {
  const scene::Index shown = shown_texture(context.scene, options);
  if (shown == scene::kNone ||
      (!context.scene.textures[shown].content && context.scene.textures[shown].image == scene::kNone)) {
    return {};
  }
  const conversion::PictureToWrite picture{shown, to_utf8(document.texture_stem()), nullptr, false};
  return conversion::written_pictures(context, {&picture, 1}, conversion::TextureKind::blp1);
}

Result<Outputs> write_scene(const WriteContext& context) {
  FromSceneOptions options;
  options.scale = context.scale("mrf", options.scale);
  options.control = context.control();
  return from_scene(context.scene, options, context.findings).map([&](const Document& document) {
    Outputs file = output_of(context, write(document),
                             std::array{Facts::Count{"frame", document.frames.size()},
                                        Facts::Count{"vertex", document.uvs.size()}});
    auto pictures = picture_beside(context, options, document);
    std::move(pictures.begin(), pictures.end(), std::back_inserter(file.files));
    return file;
  });
}

constexpr SceneWriter kWriter = {
    .made = {}, .colors = false, .beside = true, .surfaces = true, .write = write_scene};
constexpr RuleBook kBook = document_book<Document, rules>();

}  // namespace

const FormatDescriptor kFormat = {
    .id = "mrf",
    .name = "Warcraft III morph model (MRF)",
    .extensions = ".mrf",
    .explanation = "this is a morph model of Warcraft III (MRF)",
    .strongest = Evidence::magic,
    .recognise = recognise,
    .document = document_operations<Document, read>(),
    .facts = facts_of_any<Document, facts_of>,
    .rules = &kBook,
    .to_scene = open_scene,
    .models = "morph models",
    .from_scene = &kWriter,
};

}  // namespace thaw::mrf
