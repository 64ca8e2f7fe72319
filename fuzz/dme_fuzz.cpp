// Models and material lists of Forgelight: what reads writes the same bytes, and becomes a scene and glTF.
#include <thaw/dme_scene.hpp>
#include <thaw/gltf.hpp>

#include "require.hpp"

#include <algorithm>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace thaw;
  const ByteView bytes(data, size);
  Diagnostics diagnostics;
  if (const auto palette = dma::read(bytes, {}, diagnostics)) {
    const Bytes written = dma::write(*palette);
    fuzz::require(std::equal(written.begin(), written.end(), bytes.begin(), bytes.end()));
  }
  const auto document = dme::read(bytes, {}, diagnostics);
  if (!document) {
    return 0;
  }
  const Bytes written = dme::write(*document);
  fuzz::require(std::equal(written.begin(), written.end(), bytes.begin(), bytes.end()));
  const auto scene = dme::to_scene(*document, "fuzz", {}, diagnostics);
  fuzz::require(write_gltf(scene, {}, diagnostics).has_value());
  return 0;
}
