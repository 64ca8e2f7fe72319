// M3 models: what reads writes the same bytes, is validated, and becomes a scene, glTF and a model again.
#include <thaw/gltf.hpp>
#include <thaw/m3_scene.hpp>
#include <thaw/validate.hpp>

#include "require.hpp"

#include <algorithm>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace thaw;
  const ByteView bytes(data, size);
  Diagnostics diagnostics;
  auto document = m3::read(bytes, {}, diagnostics);
  if (!document) {
    return 0;
  }
  const Bytes written = m3::write(*document);
  fuzz::require(std::equal(written.begin(), written.end(), bytes.begin(), bytes.end()));
  m3::SceneOptions options;
  options.lod = size % 2 == 0 ? std::optional<std::uint32_t>() : size % 3;
  options.collision = true;
  const auto scene = m3::to_scene(*document, "fuzz", options, diagnostics);
  fuzz::require(write_gltf(scene, {}, diagnostics).has_value());
  if (const auto again = m3::from_scene(scene, {}, diagnostics)) {
    fuzz::require(m3::read(m3::write(*again), {}, diagnostics).has_value());
  }
  (void)validate(AnyDocument(Identity(), std::move(*document)), {});
  return 0;
}
