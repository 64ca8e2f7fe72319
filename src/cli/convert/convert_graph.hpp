// Networks of states as graphs.
#pragma once

#include "cli/convert/exporters.hpp"

namespace thaw::cli {

/// --to dot and graph-json.
Product make_graph(const Work& work, const mrn::Document& network);

}  // namespace thaw::cli
