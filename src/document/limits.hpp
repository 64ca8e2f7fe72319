#pragma once

#include <thaw/codes.hpp>
#include <thaw/diagnostics.hpp>
#include <thaw/options.hpp>

#include <string>

namespace thaw {

inline tl::unexpected<Error> input_too_large(std::uint64_t size, const Limits& limits) {
  return fail(codes::kInputTooLarge,
              std::to_string(size) + " bytes; the limit is " + std::to_string(limits.max_input_bytes));
}

}  // namespace thaw
