// Options of `render` and `thumb` for a picture.
#pragma once

#include <thaw/diagnostics.hpp>
#include <thaw/render.hpp>

#include "cli/arguments/settings.hpp"

#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace thaw::cli {

/// "512", "640x480": width and height.
std::optional<std::pair<std::uint32_t, std::uint32_t>> parse_picture_size(const std::string& text);

/// scene.empty-picture, with what may be the reason.
void report_empty_picture(Diagnostics& findings, const std::string& reason);

/// The error is a usage error in words.
tl::expected<Shot, std::string> parse_shot(const Settings& settings);

}  // namespace thaw::cli
