#include <thaw/mrf.hpp>

#include "bytes/number_text.hpp"
#include "convert/written_pictures.hpp"
#include "describe/description.hpp"
#include "formats/list.hpp"
#include "formats/warcraft/mrf/rules.hpp"
#include "formats/warcraft/mrf/shown_texture.hpp"
#include "open/parts.hpp"
#include "open/written_scene.hpp"

#include <algorithm>
#include <cmath>

namespace thaw::mrf {
namespace {

/// The game takes any magic. Without that of its own files, all parts have to lie in the file and fill it but
/// for a path and padding.
bool is_laid_out(ByteView bytes) {
  constexpr std::uint64_t kHeader = 80;
  constexpr std::uint64_t kMostVertices = 65536;
  constexpr std::uint64_t kLongestPath = 260;
  const auto word = [&](std::uint64_t at) {
    return std::uint64_t{load_plain<std::uint32_t>(bytes.data() + at)};
  };
  if (bytes.size() < kHeader) {
    return false;
  }
  const std::uint64_t frames = word(4);
  const std::uint64_t vertices = word(8);
  const std::uint64_t indices = word(12);
  if (frames == 0 || frames > bytes.size() / 4 || vertices == 0 || vertices > kMostVertices || indices == 0 ||
      indices % 3 != 0) {
    return false;
  }
  const std::uint64_t table = kHeader + frames * sizeof(std::uint32_t);
  std::uint64_t all = table;
  const auto holds = [&](std::uint64_t at, std::uint64_t size) {
    all += size;
    return at >= table && size <= bytes.size() && at <= bytes.size() - size;
  };
  bool sound = table <= bytes.size() && holds(word(68), 1) &&
               holds(word(72), indices * sizeof(std::uint16_t)) && holds(word(76), vertices * sizeof(Vec2));
  for (std::uint64_t i = 0; sound && i < frames; ++i) {
    sound = holds(word(kHeader + i * sizeof(std::uint32_t)), vertices * sizeof(Vertex));
  }
  return sound && all <= bytes.size() && bytes.size() - all <= kLongestPath + kAlignment * (frames + 5);
}

Evidence recognise(ByteView bytes) {
  const Evidence magic = by_magic(bytes, "Morf");
  return magic != Evidence::none ? magic : if_found(is_laid_out(bytes), Evidence::layout);
}

std::string seconds(double value) {
  std::string text;
  append_number(text, std::round(value * 1000) / 1000);
  return text + " s";
}

template <std::size_t N>
std::string list_text(const std::array<float, N>& values) {
  std::string text;
  for (const float value : values) {
    text += text.empty() ? "" : ", ";
    append_number(text, value);
  }
  return text;
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
                            " is past the end at " + seconds(length);
    default:
      break;
  }
  if (header.frame_count == 1) {
    return "shows the only frame";
  }
  const std::string end = " and holds the last frame";
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
  const Header& header = document.header;
  facts.stated.push_back({"pivot", list_text(header.pivot)});
  facts.stated.push_back({"radius", list_text(std::array{header.radius})});
  if (header.debug != 0) {
    facts.stated.push_back({"debug flag", std::to_string(header.debug)});
  }
  if (frames > 0 && !document.frames.front().vertices.empty()) {
    Facts::Box box;
    const auto& first = document.frames.front().vertices;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto [low, high] =
          std::minmax_element(first.begin(), first.end(),
                              [&](const Vertex& a, const Vertex& b) { return a.at(axis) < b.at(axis); });
      box.minimum.at(axis) = low->at(axis);
      box.maximum.at(axis) = high->at(axis);
    }
    facts.bounds = box;
  }
  return facts;
}

Result<scene::Scene> open_scene(const open::SceneContext& context, const AnyDocument& any) {
  SceneOptions options;
  options.scale = context.scale(options.scale);
  options.every = context.request.every;
  options.max_error = context.request.max_error * options.scale;
  return to_scene(*any.get_if<Document>(), context.name(), options, context.findings);
}

/// The embedded texture of the scene that the model names.
std::vector<OutputFile> embedded_texture_files(const WriteContext& context, const FromSceneOptions& options,
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
    state_deviation(file, largest_deviation(context.scene, options, document));
    auto pictures = embedded_texture_files(context, options, document);
    std::move(pictures.begin(), pictures.end(), std::back_inserter(file.files));
    return file;
  });
}

Result<Outputs> write_onto(const WriteContext& context) {
  return context.onto != nullptr && context.onto->document.get_if<Document>() == nullptr
             ? fail(codes::kWriteUnsupported, "--onto needs a morph model")
             : open::written_onto(context, write_scene);
}

constexpr SceneWriter kWriter = {
    .label = {}, .adjacent = true, .surfaces = true, .onto = true, .write = write_onto};
constexpr RuleBook kBook = document_book<Document, rules>();

}  // namespace

const FormatDescriptor kFormat = {
    .id = "mrf",
    .name = "Warcraft III morph model (MRF)",
    .extensions = ".mrf",
    .explanation = "this is a Warcraft III morph model (MRF)",
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
