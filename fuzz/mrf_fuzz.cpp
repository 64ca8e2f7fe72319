// Morph models: what reads writes the same bytes, and becomes a scene and glTF.
#include <thaw/mrf.hpp>

#include "checks.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace thaw;
  const ByteView bytes(data, size);
  Diagnostics diagnostics;
  const auto document = mrf::read(bytes, {}, diagnostics);
  if (!document) {
    return 0;
  }
  fuzz::check_document(*document, bytes, mrf::read);
  (void)mrf::frame_blend_at(document->header, 1);
  mrf::SceneOptions options;
  options.max_error = size % 2 == 0 ? 0.01F : -1.0F;
  const auto scene = mrf::to_scene(*document, "fuzz", options, diagnostics);
  fuzz::check_scene(scene, fuzz::turn_of(bytes));
  fuzz::check_gltf(scene);
  return 0;
}
