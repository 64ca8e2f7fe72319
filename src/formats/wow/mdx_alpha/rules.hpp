// Rules of alpha models.
#pragma once

#include <thaw/mdx_alpha.hpp>

#include "describe/rules.hpp"

#include <span>

namespace thaw::mdx_alpha {

using AlphaRule = Rule<DocumentSubject<Document>>;

std::span<const AlphaRule> rules();

}  // namespace thaw::mdx_alpha
