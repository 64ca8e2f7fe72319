#pragma once

#include <thaw/codes.hpp>
#include <thaw/diagnostics.hpp>
#include <thaw/options.hpp>

#include <string>

namespace thaw {

inline tl::unexpected<Error> input_too_large(std::uint64_t size, const Limits& limits) {
  return fail(codes::kInputTooLarge, "the input has " + std::to_string(size) + " bytes; the input limit is " +
                                         std::to_string(limits.max_input_bytes));
}

/// A document with its findings: reported, or with `strict` the error if it is broken.
template <class Document>
Result<Document> judged(Document document, const Diagnostics& found, const ReadOptions& options,
                        Diagnostics& diagnostics) {
  for (const Diagnostic& item : found.items()) {
    if (options.strict && item.code.severity >= kBroken) {
      return tl::unexpected<Error>(item);
    }
    diagnostics.add(item);
  }
  return document;
}

}  // namespace thaw
