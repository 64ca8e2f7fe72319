// lights.lit of the sample map: a day for the whole map, and a glade with a light of its own.
#pragma once

#include <thaw/lit.hpp>

namespace thaw::samples {

lit::Document lights();

}  // namespace thaw::samples
