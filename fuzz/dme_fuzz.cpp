// Models and material lists of Forgelight: what reads writes the same bytes, and becomes a scene and glTF.
#include <thaw/dma.hpp>
#include <thaw/dme.hpp>

#include "checks.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace thaw;
  const ByteView bytes(data, size);
  Diagnostics diagnostics;
  if (const auto palette = dma::read(bytes, {}, diagnostics)) {
    fuzz::check_document(*palette, bytes, dma::read);
  }
  const auto document = dme::read(bytes, {}, diagnostics);
  if (!document) {
    return 0;
  }
  fuzz::check_document(*document, bytes, dme::read);
  const auto scene = dme::to_scene(*document, "fuzz", {}, diagnostics);
  fuzz::check_scene(scene, fuzz::turn_of(bytes));
  fuzz::check_gltf(scene);
  return 0;
}
