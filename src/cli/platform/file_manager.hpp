// Pictures of models in the file manager of this user, drawn by this command.
#pragma once

#include <thaw/diagnostics.hpp>

#include <string>
#include <vector>

namespace thaw::cli {

/// Registers this command with the file manager. Returns what was entered where, a line each; the error is
/// write.failed, or input.unreadable if something is missing next to the command.
Result<std::vector<std::string>> register_thumbnailer();
/// Takes that back, and leaves alone what others entered. What was removed.
Result<std::vector<std::string>> unregister_thumbnailer();

}  // namespace thaw::cli
