// What `thaw info` tells of each format.

#include <thaw/format.hpp>

#include "bytes/number_text.hpp"
#include "formats/forgelight/facts.hpp"
#include "formats/m3/facts.hpp"
#include "formats/mdx_alpha/facts.hpp"
#include "formats/mrn/facts.hpp"
#include "formats/terrain_facts.hpp"
#include "formats/wmo/facts.hpp"

#include <cmath>

namespace thaw {
namespace {

template <class Body>
std::size_t items(const mdx::Document& document) {
  return document.all<Body>().size();
}

std::size_t vertices(const mdx::Document& document) {
  std::size_t count = 0;
  for (const auto* geoset : document.all<mdx::Geosets>()) {
    count += geoset->positions.size();
  }
  return count;
}

std::size_t triangles(const mdx::Document& document) {
  std::size_t indices = 0;
  for (const auto* geoset : document.all<mdx::Geosets>()) {
    indices += geoset->indices.size();
  }
  return indices / 3;
}

void count_objects(const mdx::Document& document, Facts& facts) {
  const auto add = [&](std::string_view kind, std::size_t count) {
    if (count > 0) {
      facts.counts.push_back({kind, count});
    }
  };
  add("geoset", items<mdx::Geosets>(document));
  add("vertex", vertices(document));
  add("triangle", triangles(document));
  add("material", items<mdx::Materials>(document));
  add("texture animation", items<mdx::TextureAnimations>(document));
  add("bone", items<mdx::Bones>(document));
  add("helper", items<mdx::Helpers>(document));
  add("attachment", items<mdx::Attachments>(document));
  add("light", items<mdx::Lights>(document));
  add("camera", items<mdx::Cameras>(document));
  add("event", items<mdx::EventObjects>(document));
  add("collision shape", items<mdx::CollisionShapes>(document));
  add("model emitter", items<mdx::ParticleEmitters>(document));
  add("particle emitter", items<mdx::ParticleEmitters2>(document));
  add("ribbon emitter", items<mdx::RibbonEmitters>(document));
  add("popcorn emitter", items<mdx::PopcornEmitters>(document));
  add("sound emitter", items<mdx::SoundEmitters>(document));
  add("face effect", items<mdx::FaceEffects>(document));
}

constexpr double kMillisecond = 0.001;

void list_clips(const mdx::Document& document, Facts& facts) {
  for (const auto* sequence : document.all<mdx::Sequences>()) {
    const double length = static_cast<double>(sequence->end) - static_cast<double>(sequence->start);
    facts.clips.push_back({to_utf8(sequence->name.view()), length * kMillisecond,
                           (sequence->flags & mdx::Sequence::kNonLooping) == 0, sequence->move_speed,
                           sequence->rarity});
  }
  if (const auto* loops = document.find<mdx::GlobalSequences>()) {
    for (const auto duration : loops->durations) {
      facts.loops.push_back(static_cast<double>(duration) * kMillisecond);
    }
  }
}

Facts facts_of(const mdx::Document& document) {
  Facts facts;
  if (const auto* model = document.find<mdx::Model>()) {
    facts.name = to_utf8(model->name.view());
    facts.bounds = Facts::Box{model->extent.minimum, model->extent.maximum, model->extent.bounds_radius};
  }
  count_objects(document, facts);
  list_clips(document, facts);
  for (const auto* texture : document.all<mdx::Textures>()) {
    facts.textures.push_back(
        {to_utf8(texture->path.view()), texture->replaceable_id, replaceable_name(texture->replaceable_id)});
  }
  return facts;
}

// --- textures
// ---------------------------------------------------------------------------------------------------

Facts picture(std::uint32_t width, std::uint32_t height, std::size_t levels, unsigned alpha_bits,
              std::string_view encoding) {
  Facts facts;
  facts.picture =
      Facts::Picture{width, height, static_cast<std::uint32_t>(levels), alpha_bits, std::string(encoding)};
  return facts;
}

std::string_view encoding_name(blp::Content content) {
  switch (content) {
    case blp::Content::jpeg:
      return "jpeg";
    case blp::Content::palette:
      return "palette";
    case blp::Content::dxt1:
      return "bc1";
    case blp::Content::dxt3:
      return "bc2";
    case blp::Content::dxt5:
      return "bc3";
    case blp::Content::bgra:
      return "bgra";
    default:
      return "unknown";
  }
}

Facts facts_of(const blp::Document& document) {
  return picture(document.width, document.height, level_count(document), document.alpha(),
                 encoding_name(document.content()));
}

Facts facts_of(const dds::Document& document) {
  return picture(document.width, document.height, level_count(document), document.alpha(),
                 document.encoding());
}

std::string_view encoding_name(tga::ImageType type) {
  switch (type) {
    case tga::ImageType::color_mapped:
      return "palette";
    case tga::ImageType::true_color:
      return "bgr";
    case tga::ImageType::grey:
      return "grey";
    case tga::ImageType::color_mapped_rle:
      return "palette rle";
    case tga::ImageType::true_color_rle:
      return "bgr rle";
    case tga::ImageType::grey_rle:
      return "grey rle";
    default:
      return "none";
  }
}

Facts facts_of(const tga::Document& document) {
  return picture(document.width, document.height, level_count(document),
                 document.descriptor & tga::Document::kAlphaBits, encoding_name(document.image_type));
}

Facts facts_of(const png::Document& document) {
  constexpr std::size_t kHeader = 13;
  constexpr std::array<std::string_view, 7> kKinds = {"grey",       "unknown", "rgb", "palette",
                                                      "grey alpha", "unknown", "rgba"};
  if (document.chunks.empty() || document.chunks.front().data.size() < kHeader) {
    return picture(0, 0, 0, 0, "unknown");
  }
  const Bytes& header = document.chunks.front().data;
  const auto big_endian = [&](std::size_t at) {
    return std::uint32_t{header[at]} << 24U | std::uint32_t{header[at + 1]} << 16U |
           std::uint32_t{header[at + 2]} << 8U | std::uint32_t{header[at + 3]};
  };
  const unsigned depth = header[8];
  const std::size_t kind = header[9];
  const bool alpha = kind == 4 || kind == 6;
  return picture(big_endian(0), big_endian(4), level_count(document), alpha ? depth : 0,
                 kind < kKinds.size() ? kKinds.at(kind) : "unknown");
}

// --- morph models
// -----------------------------------------------------------------------------------------------

std::string seconds(double value) {
  std::string text;
  append_number(text, std::round(value * 1000) / 1000);
  return text + " s";
}

/// Format page warcraft3, §6, Playback.
std::string played(const mrf::Header& header) {
  const auto step = double{header.frame_duration};
  const double length = step * (static_cast<double>(header.frame_count) - 1);
  const auto elapsed = double{header.elapsed};
  switch (mrf::playback(header)) {
    case mrf::Playback::nothing:
      return "draws nothing: the frame duration is 0";
    case mrf::Playback::last_frame:
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

Facts facts_of(const mrf::Document& document) {
  Facts facts;
  const std::size_t frames = document.frames.size();
  facts.counts = {{"vertex", frames > 0 ? document.frames.front().vertices.size() : 0},
                  {"triangle", document.indices.size() / 3},
                  {"frame", frames}};
  facts.in_game = played(document.header);
  if (frames > 1 && mrf::playback(document.header) == mrf::Playback::plays) {
    const auto step = static_cast<double>(document.header.frame_duration);
    facts.clips.push_back({"Morph", step * static_cast<double>(frames - 1), false, 0, 0});
  }
  facts.textures.push_back({to_utf8(document.texture_stem()), 0});
  return facts;
}

// --- lights
// ---------------------------------------------------------------------------------------------------

Facts facts_of(const lit::Document& document) {
  std::size_t markers = 0;
  for (const auto& values : document.values) {
    for (std::size_t track = 0; track < values.tracks.size(); ++track) {
      markers += values.markers(track);
    }
  }
  Facts facts;
  facts.counts = {
      {"light", document.lights.size()}, {"value set", document.values.size()}, {"marker", markers}};
  for (const auto& light : document.lights) {
    if (light.is_default()) {
      facts.name = to_utf8(light.name.view());
    }
  }
  return facts;
}
using forgelight::facts_of;

}  // namespace

Facts summarize(const AnyDocument& document) {
  return std::visit([](const auto& value) { return facts_of(value); }, document.storage());
}

std::string_view replaceable_name(std::uint32_t replaceable_id) {
  switch (replaceable_id) {
    case 1:
      return "team colour";
    case 2:
      return "team glow";
    case 11:
      return "cliff";
    case 21:
      return "cursor";
    case 31:
      return "Lordaeron tree";
    case 32:
      return "Ashenvale tree";
    case 33:
      return "Barrens tree";
    case 34:
      return "Northrend tree";
    case 35:
      return "mushroom tree";
    case 36:
      return "ruins tree";
    case 37:
      return "Outland mushroom tree";
    default:
      return "";
  }
}

}  // namespace thaw
