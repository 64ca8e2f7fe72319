// Pictures of models in the file manager of this user, drawn by this command.
#pragma once

#include <thaw/diagnostics.hpp>

#include <string>
#include <vector>

namespace thaw::cli {

/// Tells the file manager of this command. What was entered where, a line each; the error is write.failed, or
/// input.unreadable if something lacks that lies beside the command.
Result<std::vector<std::string>> register_thumbnailer();
/// Takes that back, and leaves alone what others entered. What was removed.
Result<std::vector<std::string>> unregister_thumbnailer();

}  // namespace thaw::cli
