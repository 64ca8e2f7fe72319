#include "cli/picture/shot.hpp"

#include <thaw/codes.hpp>
#include <thaw/convert.hpp>

#include "cli/report/text.hpp"

namespace thaw::cli {

std::optional<std::pair<std::uint32_t, std::uint32_t>> parse_picture_size(const std::string& text) {
  Shot shot;
  return set_option(shot, "size", text) ? std::optional(std::pair(shot.width, shot.height)) : std::nullopt;
}

void report_empty_picture(Diagnostics& findings, const std::string& reason) {
  findings.add(codes::kSceneEmptyPicture,
               concat({codes::kSceneEmptyPicture.summary, reason.empty() ? "" : ": ", reason}));
}

tl::expected<Shot, std::string> parse_shot(const Settings& settings) {
  Shot shot;
  const auto number = [](const std::optional<std::uint64_t>& value) {
    return value ? std::to_string(*value) : std::string();
  };
  const std::string size = settings.picture_size.empty() && settings.sheet ? "256" : settings.picture_size;
  const std::initializer_list<std::pair<std::string_view, std::string>> stated = {
      {"size", size},
      {"fog", settings.fog},
      {"samples", number(settings.samples)},
      {"time", settings.moment},
      {"light", settings.light}};
  // A fog without a colour has that of the background; without one the background is what pictures have.
  auto done = set_option(shot, "background", settings.background);
  for (const auto& [name, value] : stated) {
    if (done && !value.empty()) {
      done = set_option(shot, name, value);
    }
  }
  if (!done) {
    return tl::unexpected<std::string>("--" + done.error().message);
  }
  shot.clip = settings.clip;
  shot.camera = settings.viewpoint;
  shot.as_stated = settings.play;
  shot.frame.seed = settings.seed.value_or(1);
  shot.frame.emitters = !settings.no_emitters;
  shot.frame.wireframe = settings.wireframe;
  shot.frame.bones = settings.bones;
  shot.frame.collision = settings.collision;
  shot.frame.extents = settings.extents;
  shot.frame.grid = settings.grid_lines;
  return shot;
}

}  // namespace thaw::cli
