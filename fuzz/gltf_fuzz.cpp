// glTF that comes in: a scene or an error, and what becomes a morph model reads again.
#include <thaw/gltf_read.hpp>
#include <thaw/mrf_scene.hpp>

#include "require.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace thaw;
  Diagnostics diagnostics;
  const auto scene = read_gltf(ByteView(data, size), {}, diagnostics);
  if (!scene) {
    return 0;
  }
  if (const auto morph = mrf::from_scene(*scene, {}, diagnostics)) {
    ReadOptions strict;
    strict.strict = true;
    fuzz::require(mrf::read(mrf::write(*morph), strict, diagnostics).has_value());
  }
  return 0;
}
