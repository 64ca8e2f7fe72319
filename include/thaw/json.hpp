// JSON text as a Value.
#pragma once

#include <thaw/bytes.hpp>
#include <thaw/diagnostics.hpp>
#include <thaw/value.hpp>

#pragma GCC visibility push(default)

namespace thaw {

/// Whole numbers become integers, others doubles. Objects keep the first of members of one name when asked
/// for it. Depth and the number of values are bounded by the text's length. The error is json.malformed with
/// the offset where the text stops making sense.
Result<Value> parse_json(ByteView text);

}  // namespace thaw

#pragma GCC visibility pop
