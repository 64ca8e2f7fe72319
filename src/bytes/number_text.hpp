// Numbers as text, the only place that knows how: shortest digits that read back as the same number, `.` as
// the decimal point whatever the locale, valid as JSON and as MDL.
#pragma once

#include <cstdint>
#include <string>

namespace thaw {

/// `value` must be finite.
void append_number(std::string& out, float value);
void append_number(std::string& out, double value);
void append_number(std::string& out, std::int64_t value);

}  // namespace thaw
