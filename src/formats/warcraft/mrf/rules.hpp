// Rules of morph models.
#pragma once

#include <thaw/mrf.hpp>

#include "describe/rules.hpp"

#include <span>

namespace thaw::mrf {

using MorphRule = Rule<DocumentSubject<Document>>;

std::span<const MorphRule> rules();

}  // namespace thaw::mrf
