// Animation networks: what reads writes the same bytes, and becomes a scene and glTF.
#include <thaw/gltf.hpp>
#include <thaw/mrn_scene.hpp>

#include "require.hpp"

#include <algorithm>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace thaw;
  const ByteView bytes(data, size);
  Diagnostics diagnostics;
  const auto document = mrn::read(bytes, {}, diagnostics);
  if (!document) {
    return 0;
  }
  const Bytes written = mrn::write(*document);
  fuzz::require(std::equal(written.begin(), written.end(), bytes.begin(), bytes.end()));
  mrn::SceneOptions options;
  options.bones = size % 2 == 0;
  options.clips.root_motion = size % 4 < 2;
  const auto scene = mrn::to_scene(*document, "fuzz", options, diagnostics);
  if (!scene) {
    return 0;
  }
  fuzz::require(write_gltf(*scene, {}, diagnostics).has_value());
  (void)mrn::clip_from_scene(*scene, *document, {}, diagnostics);
  return 0;
}
