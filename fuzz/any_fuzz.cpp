// Whatever it is: identified, read, shown, told of, held against its rules.
#include <thaw/format.hpp>
#include <thaw/validate.hpp>

#include "checks.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace thaw;
  const ByteView bytes(data, size);
  ReadOptions options;
  options.limits.max_image_pixels = 1U << 16U;
  Diagnostics diagnostics;
  const auto document = read_any(bytes, options, diagnostics);
  fuzz::require(document || !document.error().message.empty(), "an error without words\n");
  if (document) {
    fuzz::check(test::problems_of(*document, bytes));
    fuzz::require(same_content(*document, *document), "a document unlike itself\n");
    fuzz::require(diff(inspection_of(*document), inspection_of(*document)).empty(),
                  "a difference to itself\n");
    (void)list_tree(inspection_of(*document));
    ValidateOptions validation;
    validation.read = options;
    validation.target = static_cast<ValidateTarget>(fuzz::turn_of(bytes) % kValidateTargets);
    (void)validate(*document, validation);
  }
  return 0;
}
