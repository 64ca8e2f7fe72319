// What `thaw info` tells of models.
#pragma once

#include <thaw/format.hpp>
#include <thaw/mdx.hpp>

namespace thaw::mdx {

Facts facts_of(const Document& document);

}  // namespace thaw::mdx
