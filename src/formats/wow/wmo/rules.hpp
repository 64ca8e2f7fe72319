// Rules of buildings.
#pragma once

#include <thaw/wmo.hpp>

#include "describe/rules.hpp"

#include <span>

namespace thaw::wmo {

using BuildingRule = Rule<DocumentSubject<Document>>;

/// Order, counts, names and what refers to what.
std::span<const BuildingRule> root_rules();
/// Geometry, BSP trees, liquids.
std::span<const BuildingRule> group_rules();

}  // namespace thaw::wmo
