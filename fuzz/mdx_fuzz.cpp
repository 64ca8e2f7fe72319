// MDX: whatever reads writes back the same bytes, reads again to the same, as text too, and converts.
#include <thaw/gltf.hpp>
#include <thaw/mdx.hpp>

#include "checks.hpp"

namespace {

using namespace thaw;

using fuzz::require;

void check_conversion(const mdx::Document& document, std::size_t turn) {
  Diagnostics diagnostics;
  auto scene = mdx::to_scene(document, {}, diagnostics);
  // A small picture for every texture, so that materials are built in full.
  scene.images.push_back({"tiny", "", Image{2, 2, Bytes(16, std::uint8_t{128})}, true});
  for (auto& texture : scene.textures) {
    texture.image = static_cast<scene::Index>(scene.images.size() - 1);
  }
  fuzz::check_scene(scene, turn);
  GltfOptions options;
  options.profile = document.chunks.size() % 2 == 0 ? GltfProfile::compat : GltfProfile::rich;
  fuzz::check_gltf(scene, options);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ByteView bytes(data, size);
  Diagnostics diagnostics;
  const auto document = mdx::read(bytes, {}, diagnostics);
  if (!document) {
    return 0;
  }
  fuzz::check_document(*document, bytes, mdx::read);
  fuzz::check_text(*document);
  fuzz::check_strict(bytes, mdx::read);
  check_conversion(*document, fuzz::turn_of(bytes));
  return 0;
}
