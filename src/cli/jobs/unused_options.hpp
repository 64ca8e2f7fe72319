// Options that were given and that nothing in the run reads.
#pragma once

#include "cli/jobs/engine.hpp"

#include <string>

namespace thaw::cli {

/// Names the first option of the command line that some kind of job of the command reads, but none of this
/// run, and says who does; empty if there is none. A run without anything to make uses whatever it is given.
std::string unused_option(const Settings& settings, const Run& run);

/// Why an option that chooses inputs has nothing to choose from; empty if all have.
std::string objection_to_choice(const Settings& settings);
/// Says that stdin is named more than once, as an input or as the list of inputs; empty if it is not.
std::string objection_to_stdin(const Settings& settings);

}  // namespace thaw::cli
