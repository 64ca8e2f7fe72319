// Buildings: what reads writes the same bytes, becomes a scene and glTF, and the other version or an error.
#include <thaw/wmo.hpp>

#include "checks.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace thaw;
  const ByteView bytes(data, size);
  Diagnostics diagnostics;
  const auto document = wmo::read(bytes, {}, diagnostics);
  if (!document) {
    return 0;
  }
  fuzz::check_document(*document, bytes, wmo::read);
  wmo::SceneOptions options;
  options.collision = options.portals = size % 2 == 0;
  options.doodad_set = "all";
  const auto scene = wmo::to_scene(*document, {}, "fuzz", options, diagnostics);
  fuzz::require(scene.has_value());
  fuzz::check_scene(*scene, fuzz::turn_of(bytes));
  fuzz::check_gltf(*scene);
  const wmo::Document* self = &*document;
  const std::span<const wmo::Document* const> groups(&self, 1);
  if (const auto later = wmo::to_later(*document, groups, diagnostics)) {
    for (const auto& group : later->groups) {
      fuzz::check_document(group, wmo::write(group), wmo::read);
    }
  }
  if (const auto alpha = wmo::to_alpha(*document, groups, diagnostics)) {
    fuzz::check_document(*alpha, wmo::write(*alpha), wmo::read);
  }
  return 0;
}
