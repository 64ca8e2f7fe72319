// Targets and output paths of `convert` for a file.
#pragma once

#include <thaw/convert.hpp>

#include "cli/arguments/settings.hpp"
#include "cli/inputs/inputs.hpp"

#include <filesystem>
#include <string>

namespace thaw::cli {

/// What content becomes with --to or the extension of OUT in mind; none if it cannot become that.
std::optional<TargetInfo> choose_target(const Identity& identity, const std::string& requested);

/// The word of the target that --to or the extension of OUT requests, or "" if neither does. The error is a
/// usage error in words.
tl::expected<std::string, std::string> requested_target(const Settings& settings);

/// Has the path an extension of something that `convert` makes?
bool has_target_extension(const std::filesystem::path& path);

/// The format that the name of an output says, of those that have such documents; that of the document where
/// the name says nothing, or what the input's name says already; none where it says another.
std::optional<Format> written_as(const AnyDocument& document, const std::filesystem::path& path,
                                 const std::filesystem::path& input);

/// Whether the name of an output says that it is of another format than this.
bool says_another_format(const std::filesystem::path& path, Format format);

/// --output is missing, or is or shall be a folder: it ends in /, is one already, or `several` outputs go
/// there.
bool names_folder(const Settings& settings, bool several);

/// The one output is what is written to stdout.
bool goes_to_stdout(const Settings& settings);

}  // namespace thaw::cli
