// Files from dumps: of whatever reads the same file, and of any text a file that reads as it says, or an
// error; any text as a patch.
#include <thaw/edit.hpp>

#include "require.hpp"

#include <string_view>

namespace {

using namespace thaw;

void built_again(const AnyDocument& document) {
  const auto built = build_any(dump_any(document));
  fuzz::require(built.has_value(), "the dump of a document cannot be built\n");
  fuzz::require(same_content(document, *built), "another document was built of a dump\n");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ByteView bytes(data, size);
  if (const auto document = read_any(bytes)) {
    built_again(*document);
  }
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto built = build_any(text);
  fuzz::require(built || !built.error().message.empty(), "an error without words\n");
  if (built) {
    built_again(*built);
    Editor editor(*built);
    fuzz::require(!editor.patch("[{}]") && editor.edits() == 0, "a patch of nothing was applied\n");
  } else if (const auto small =
                 read_any(ByteView(reinterpret_cast<const std::uint8_t*>("MDLXVERS\4\0\0\0 \3\0\0"), 16))) {
    Editor editor(*small);
    if (editor.patch(text)) {
      (void)editor.document();
    }
  }
  return 0;
}
