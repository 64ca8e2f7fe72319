// WoW Alpha maps as tiles of Wrath of the Lich King, and back: one input of many files, or the reverse.
#pragma once

#include "cli/arguments/settings.hpp"
#include "cli/inputs/inputs.hpp"

#include <string>
#include <vector>

namespace thaw::cli {

/// Is this what --to adt-lk and --to wdt are about?
bool is_map_target(const std::string& target);

/// `adt-lk`: every map into its tiles, each a job, at the end the file next to them. `wdt`: every map with
/// the tiles that lie next to it or are inputs of its name and folder; other tiles that were found, those of
/// one folder and map together; and all other tiles that are named themselves together.
Exit convert_maps(const Settings& settings, const std::string& target, std::vector<Input> inputs);

}  // namespace thaw::cli
