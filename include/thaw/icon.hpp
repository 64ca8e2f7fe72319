// Icons of commands as Warcraft III has them.
#pragma once

#include <thaw/image.hpp>

#pragma GCC visibility push(default)

namespace thaw {

/// The icon of what cannot be used (DISBTN…): nearly without colour, and half as bright. Alpha stays.
Image disabled_icon(const Image& icon);

}  // namespace thaw

#pragma GCC visibility pop
