// Buildings (WMO): from one version to another.
#pragma once

#include <thaw/wmo.hpp>

#include "cli/convert/exporters.hpp"

namespace thaw::cli {

/// --to wmo-v14 and wmo-v17.
Result<Product> make_wmo(const Work& work, const wmo::Document& document);

}  // namespace thaw::cli
