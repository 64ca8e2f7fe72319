// Layout of a new animation.
#pragma once

#include "formats/forgelight/nsa/numbers.hpp"

namespace thaw::nsa {

/// Gives all parts their places in the order of nsa.md#order-of-parts, fills what lies between, and sets the
/// CRC.
void lay_out(Document& document);

}  // namespace thaw::nsa
