// Maps and far terrain of World of Warcraft's alpha: many outputs of one input.
#pragma once

#include "cli/batch.hpp"
#include "cli/inputs.hpp"
#include "cli/run_files.hpp"
#include "cli/settings.hpp"

#include <string>
#include <vector>

namespace thaw::cli {

/// Takes the maps and far terrain out of `inputs`, if the wish is something that they become.
std::vector<Input> take_worlds(std::vector<Input>& inputs, const std::string& wish);

/// Into a folder: one output per tile, on --jobs threads, in memory that does not grow with the map. Into a
/// file: all tiles together. Ends with a summary in a batch and where there is more
/// than one output.
Exit convert_worlds(const Settings& settings, const std::string& wish, const std::vector<Input>& worlds,
                    RunFiles& files);

}  // namespace thaw::cli
