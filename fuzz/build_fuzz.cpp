// Files from dumps: of whatever reads the same file, and of any text a file that reads as it says, or an
// error; any text as a patch.
#include <thaw/edit.hpp>

#include "patch/build.hpp"

#include "require.hpp"

#include <algorithm>
#include <string_view>

namespace {

using namespace thaw;

/// As the text comes, in small pieces, it is the same file as of the whole text.
void built_as_it_comes(std::string_view text) {
  const auto whole = lay_bytes(text).and_then(assemble);
  MemorySink out;
  std::size_t at = 0;
  const auto source = [&](std::span<char> buffer) -> Result<std::size_t> {
    const std::size_t size = std::min({std::size_t{50}, buffer.size(), text.size() - at});
    std::copy_n(text.begin() + static_cast<std::ptrdiff_t>(at), size, buffer.begin());
    at += size;
    return size;
  };
  const auto leaves = build_as_it_comes(source, out, 200);
  fuzz::require(leaves || !leaves.error().message.empty(), "an error without words\n");
  fuzz::require(!leaves || whole, "as it comes, a text is built that as a whole is not\n");
  fuzz::require(!leaves || out.bytes() == whole->bytes, "as it comes, a text is another file\n");
}

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
  built_as_it_comes(text);
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
