// Facts of WoW Alpha models for `thaw info`.
#pragma once

#include <thaw/format.hpp>
#include <thaw/mdx_alpha.hpp>

namespace thaw::mdx_alpha {

Facts facts_of(const Document& document);

}  // namespace thaw::mdx_alpha
