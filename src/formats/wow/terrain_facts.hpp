// Facts of maps for `thaw info`.
#pragma once

#include <thaw/adt.hpp>
#include <thaw/format.hpp>
#include <thaw/wdl.hpp>
#include <thaw/wdt.hpp>

namespace thaw {

/// Liquids and holes only of tiles whose chunks were read.
Facts facts_of(const wdt::Document& document);
Facts facts_of(const wdl::Document& document);
Facts facts_of(const adt::Map& map);
Facts facts_of(const adt::Document& document);

}  // namespace thaw
