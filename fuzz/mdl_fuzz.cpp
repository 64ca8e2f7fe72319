// MDL: whatever reads can be written, in every dialect, and reads again as the same model; and whatever text
// gives converts to MDX and back.
#include <thaw/mdl.hpp>

#include "checks.hpp"

namespace {

using namespace thaw;

using fuzz::require;

void check_written(const mdx::Document& document, const mdl::WriteOptions& options) {
  Diagnostics ignored;
  const auto again = mdl::read(mdl::write(document, options, ignored), {}, ignored);
  require(again.has_value());
  require(options.plain || options.precision > 0 || mdx::write(*again) == mdx::write(document));
}

mdl::WriteOptions options_of(std::size_t choice) {
  mdl::WriteOptions options;
  options.dialect = choice % 2 == 0 ? mdl::Dialect::community : mdl::Dialect::world_editor;
  options.plain = choice % 3 == 0;
  options.precision = choice % 5 == 0 ? 6 : 0;
  options.line_ending = choice % 7 == 0 ? mdl::LineEnding::crlf : mdl::LineEnding::lf;
  return options;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ByteView bytes(data, size);
  Diagnostics diagnostics;
  const auto document = mdl::read(bytes, {}, diagnostics);
  if (document) {
    const Bytes binary = mdx::write(*document);
    fuzz::check_document(*document, binary, mdx::read);
    fuzz::check_text(mdx::read(binary, {}, diagnostics).value());
    check_written(*document, {});
    check_written(*document, options_of(size));
    ReadOptions strict;
    strict.strict = true;
    const auto refused = mdl::read(bytes, strict, diagnostics);
    require(!refused || mdx::write(*refused) == mdx::write(*document));
  }
  return 0;
}
