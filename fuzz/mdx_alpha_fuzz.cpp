// Alpha models: whatever reads writes back the same bytes, is covered by its inspection, and converts.
#include <thaw/format.hpp>
#include <thaw/mdx_alpha.hpp>
#include <thaw/validate.hpp>

#include "checks.hpp"

namespace {

using namespace thaw;
using fuzz::require;

void check_conversion(const mdx_alpha::Document& document, std::size_t turn) {
  Diagnostics diagnostics;
  const auto scene = mdx_alpha::to_scene(document, {}, diagnostics);
  fuzz::check_scene(scene, turn);
  fuzz::check_gltf(scene);
  (void)mdx_alpha::adjacent_skins(document, "model", {"modelskin.blp", "skin.blp"});
  const auto warcraft = mdx_alpha::to_warcraft(document, diagnostics);
  fuzz::check_document(warcraft, mdx::write(warcraft), mdx::read);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ByteView bytes(data, size);
  Diagnostics diagnostics;
  const auto document = mdx_alpha::read(bytes, {}, diagnostics);
  if (!document) {
    return 0;
  }
  fuzz::check_document(*document, bytes, mdx_alpha::read);
  fuzz::check_strict(bytes, mdx_alpha::read);
  check_conversion(*document, fuzz::turn_of(bytes));
  (void)validate(AnyDocument(identify(bytes), *document), {});
  return 0;
}
