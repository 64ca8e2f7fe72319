#include "cli/picture/shot.hpp"

#include <thaw/scene_codes.hpp>

#include "bytes/hex.hpp"
#include "cli/report/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <tuple>

namespace thaw::cli {
namespace {

constexpr std::uint32_t kLargestSide = 8192;

std::optional<double> number_of(std::string_view text) {
  constexpr double kMost = 1e9;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && value > -kMost && value < kMost ? std::optional(value) : std::nullopt;
}

using Color = std::array<std::uint8_t, 4>;

std::optional<Color> parse_background(const std::string& text) {
  struct Name {
    std::string_view name;
    Color color;
  };
  static constexpr std::array<Name, 6> kNames = {{{"", {0x3C, 0x42, 0x48, 255}},
                                                  {"transparent", {0, 0, 0, 0}},
                                                  {"black", {0, 0, 0, 255}},
                                                  {"white", {255, 255, 255, 255}},
                                                  {"gray", {128, 128, 128, 255}},
                                                  {"grey", {128, 128, 128, 255}}}};
  for (const auto& entry : kNames) {
    if (text == entry.name) {
      return entry.color;
    }
  }
  const auto channels = text[0] == '#' ? bytes_of_hex(std::string_view(text).substr(1)) : std::nullopt;
  Color color{0, 0, 0, 255};
  if (!channels || (channels->size() != 3 && channels->size() != 4)) {
    return std::nullopt;
  }
  std::copy(channels->begin(), channels->end(), color.begin());
  return color;
}

/// "none" or "START,END[,COLOR]"; without a colour, that of the background.
bool parse_fog(const std::string& text, const Color& background, frame::Fog& fog) {
  if (text == "none") {
    return true;
  }
  const auto parts = split(text, ',');
  const auto start = number_of(parts.front());
  const auto end = parts.size() > 1 ? number_of(parts[1]) : std::nullopt;
  const auto color = parts.size() > 2 ? parse_background(std::string(parts[2])) : std::optional(background);
  if (parts.size() > 3 || !start || !end || !color || *start < 0 || *end < *start) {
    return false;
  }
  fog.enabled = true;
  fog.start = static_cast<float>(*start);
  fog.end = static_cast<float>(*end);
  for (std::size_t i = 0; i < 3; ++i) {
    fog.color.at(i) = static_cast<float>(color->at(i)) / 255;
  }
  return true;
}

/// "1.5", "50%"; nothing is before the start of a clip, and no share behind its end
std::optional<ShotMoment> parse_moment(std::string_view text) {
  const bool share = text.back() == '%';
  const auto number = number_of(text.substr(0, text.size() - (share ? 1 : 0)));
  const bool may_be = number && *number >= 0 && (!share || *number <= 100);
  return may_be ? std::optional(ShotMoment{*number, share}) : std::nullopt;
}

frame::Lighting lighting_of(const std::string& name) {
  return name == "overhead" ? frame::Lighting::overhead
         : name == "scene"  ? frame::Lighting::scene
         : name == "none"   ? frame::Lighting::none
                            : frame::Lighting::renderer;
}

}  // namespace

std::optional<std::pair<std::uint32_t, std::uint32_t>> parse_picture_size(const std::string& text) {
  const auto parts = split(text, 'x');
  if (parts.size() > 2) {
    return std::nullopt;
  }
  const auto side = [](std::string_view part) -> std::uint32_t {
    const auto number = number_of(part);
    const bool whole = number && *number >= 1 && *number <= kLargestSide &&
                       part.find_first_not_of("0123456789") == std::string_view::npos;
    return whole ? static_cast<std::uint32_t>(*number) : 0;
  };
  const std::uint32_t width = side(parts.front());
  const std::uint32_t height = side(parts.back());
  return width > 0 && height > 0 ? std::optional(std::pair(width, height)) : std::nullopt;
}

void report_empty_picture(Diagnostics& findings, const std::string& reason) {
  findings.add(codes::kSceneEmptyPicture,
               concat({codes::kSceneEmptyPicture.summary, reason.empty() ? "" : ": ", reason}));
}

tl::expected<Shot, std::string> parse_shot(const Settings& settings) {
  Shot shot;
  const auto size = parse_picture_size(!settings.picture_size.empty() ? settings.picture_size
                                       : settings.sheet               ? "256"
                                                                      : "512");
  if (!size) {
    return tl::unexpected<std::string>("--size " + settings.picture_size +
                                       ": a number from 1 to 8192, or two with an x between them");
  }
  std::tie(shot.width, shot.height) = *size;
  const auto background = parse_background(settings.background);
  if (!background) {
    return tl::unexpected<std::string>("--background " + settings.background +
                                       ": transparent, black, white, gray, #RRGGBB or #RRGGBBAA");
  }
  shot.raster.background = *background;
  if (!settings.fog.empty() && !parse_fog(settings.fog, *background, shot.frame.fog)) {
    return tl::unexpected<std::string>(
        "--fog " + settings.fog +
        ": none, or where it starts and where it is thick, and a colour: 100,500,#8090a0");
  }
  const std::uint64_t samples = settings.samples.value_or(4);
  if (samples != 1 && samples != 4 && samples != 8 && samples != 16) {
    return tl::unexpected<std::string>("--samples must be 1, 4, 8 or 16");
  }
  shot.raster.samples = static_cast<unsigned>(samples);
  if (!settings.moment.empty()) {
    shot.moment = parse_moment(settings.moment);
    if (!shot.moment) {
      return tl::unexpected<std::string>(
          "--time " + settings.moment +
          ": seconds from 0 on, or a share of the clip like 50%; of a map, --hour");
    }
  }
  shot.clip = settings.clip;
  shot.camera = settings.viewpoint;
  shot.as_stated = settings.play;
  shot.frame.seed = settings.seed.value_or(1);
  shot.frame.lighting = lighting_of(settings.light);
  shot.frame.emitters = !settings.no_emitters;
  shot.frame.wireframe = settings.wireframe;
  shot.frame.bones = settings.bones;
  shot.frame.collision = settings.collision;
  shot.frame.extents = settings.extents;
  shot.frame.grid = settings.grid_lines;
  return shot;
}

}  // namespace thaw::cli
