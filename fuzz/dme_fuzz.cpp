// Models and material lists of Forgelight: what reads writes the same bytes, and becomes a scene and glTF.
#include <thaw/dma.hpp>
#include <thaw/dme.hpp>
#include <thaw/gltf.hpp>

#include "kept.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace thaw;
  const ByteView bytes(data, size);
  Diagnostics diagnostics;
  if (const auto palette = dma::read(bytes, {}, diagnostics)) {
    fuzz::document_kept(*palette, bytes, dma::read);
  }
  const auto document = dme::read(bytes, {}, diagnostics);
  if (!document) {
    return 0;
  }
  fuzz::document_kept(*document, bytes, dme::read);
  const auto scene = dme::to_scene(*document, "fuzz", {}, diagnostics);
  fuzz::scene_kept(scene, fuzz::turn_of(bytes));
  fuzz::require(write_gltf(scene, {}, diagnostics).has_value());
  return 0;
}
