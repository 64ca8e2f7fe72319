// MDX: whatever reads writes back the same bytes, reads again to the same, and converts.
#include <thaw/gltf.hpp>
#include <thaw/mdx.hpp>
#include <thaw/mdx_scene.hpp>

#include "require.hpp"

#include <cstdlib>

namespace {

using namespace thaw;

class Covered final : public Inspector {
 public:
  std::uint64_t end_of_leaves = 0;

  void begin(std::string_view /*name*/, bool /*is_list*/, std::uint64_t /*offset*/) override {}
  void end(std::uint64_t /*offset*/) override {}
  void leaf(const Leaf& leaf) override { end_of_leaves = std::max(end_of_leaves, leaf.offset + leaf.size); }
};

using fuzz::require;

void check_strict(ByteView bytes, const Bytes& original) {
  ReadOptions options;
  options.strict = true;
  Diagnostics diagnostics;
  if (const auto document = mdx::read(bytes, options, diagnostics)) {
    require(mdx::write(*document) == original);
  }
}

void check_conversion(const mdx::Document& document) {
  Diagnostics diagnostics;
  auto scene = mdx::to_scene(document, {}, diagnostics);
  // A small picture for every texture, so that materials are built in full.
  scene.images.push_back({"tiny", "", Image{2, 2, Bytes(16, std::uint8_t{128})}, true});
  for (auto& texture : scene.textures) {
    texture.image = static_cast<scene::Index>(scene.images.size() - 1);
  }
  GltfOptions options;
  options.profile = document.chunks.size() % 2 == 0 ? GltfProfile::compat : GltfProfile::rich;
  require(write_gltf(scene, options, diagnostics).has_value());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ByteView bytes(data, size);
  Diagnostics diagnostics;
  const auto document = mdx::read(bytes, {}, diagnostics);
  if (!document) {
    return 0;
  }
  const Bytes original(bytes.begin(), bytes.end());
  require(mdx::write(*document) == original);
  Covered covered;
  mdx::inspect(*document, covered);
  require(covered.end_of_leaves == size);
  check_strict(bytes, original);
  check_conversion(*document);
  return 0;
}
