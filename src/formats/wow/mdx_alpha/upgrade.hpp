// A WoW Alpha model in the terms of Warcraft III, whose scene and animation rules it shares.
#pragma once

#include <thaw/mdx_alpha.hpp>

namespace thaw::mdx_alpha {

/// What KLIF of PRE2 is called there, where a life never changes: the tag that PREM has for it.
inline constexpr FourCC kUpgradedLife{"KPEL"};

/// Every list keeps its objects and their order, so that indices mean the same in both.
mdx::Document upgrade(const Document& document);

}  // namespace thaw::mdx_alpha
