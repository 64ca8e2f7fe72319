// Rules of M3 models.
#pragma once

#include <thaw/m3.hpp>

#include "describe/rules.hpp"

#include <span>

namespace thaw::m3 {

using ModelRule = Rule<DocumentSubject<Document>>;

std::span<const ModelRule> rules();

}  // namespace thaw::m3
