// Maps of the alpha as tiles of Wrath of the Lich King, and back: one input of many files, or the reverse.
#pragma once

#include "cli/inputs.hpp"
#include "cli/settings.hpp"

#include <string>
#include <vector>

namespace thaw::cli {

/// Is this what --to adt-lk and --to wdt are about?
bool is_map_wish(const std::string& wish);

/// `adt-lk`: every map into its tiles and the file beside them, tile by tile. `wdt`: every map with the tiles
/// that lie beside it or are inputs of its name and folder; other tiles that were found, those of one folder
/// and map together; and all other tiles that are named themselves together.
Exit convert_maps(const Settings& settings, const std::string& wish, const std::vector<Input>& inputs);

}  // namespace thaw::cli
