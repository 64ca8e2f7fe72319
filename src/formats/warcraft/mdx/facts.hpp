// Facts of Warcraft III models for `thaw info`.
#pragma once

#include <thaw/format.hpp>
#include <thaw/mdx.hpp>

#include <functional>

namespace thaw::mdx {

Facts facts_of(const Document& document);

/// Names that may be in a code page: FormatDescriptor::names.
void show_names(const AnyDocument& any, const std::function<void(std::string_view)>& each);

}  // namespace thaw::mdx
