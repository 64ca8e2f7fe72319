// Textures that the user chooses for replaceable ids: --replaceable ID=FILE.
#pragma once

#include <thaw/scene.hpp>
#include <thaw/sources.hpp>

#include "cli/arguments/settings.hpp"

#include <cstdint>
#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

namespace thaw::cli {

struct Replaceables {
  /// As ImageOptions::replaceables.
  std::vector<std::pair<std::uint32_t, std::string>> paths;
  /// Holds the files that were named; null without any.
  std::shared_ptr<const Source> files;
};

/// A name that is a file on disk means that file, another one is a game path. Of several for one id the last
/// counts.
Replaceables chosen_replaceables(const SceneSettings& settings);

/// Value of --team-color where glTF is written.
inline constexpr std::string_view kAllTeamColors = "all";
/// The colour of --team-color, red without it. The error is a usage error in words.
tl::expected<scene::TeamColor, std::string> requested_team_color(const SceneSettings& settings);

/// What the options say that cannot be; empty if nothing does.
std::string check_replaceables(const SceneSettings& settings);

}  // namespace thaw::cli
