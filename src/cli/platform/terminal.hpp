#pragma once

namespace thaw::cli {

/// Whether somebody reads along.
bool stdout_is_terminal();
bool stderr_is_terminal();

}  // namespace thaw::cli
