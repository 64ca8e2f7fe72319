// Alpha models: whatever reads writes back the same bytes, is covered by its inspection, and converts.
#include <thaw/format.hpp>
#include <thaw/gltf.hpp>
#include <thaw/mdx_alpha_scene.hpp>
#include <thaw/validate.hpp>

#include "require.hpp"

namespace {

using namespace thaw;
using fuzz::require;

class Covered final : public Inspector {
 public:
  std::uint64_t end_of_leaves = 0;

  void begin(std::string_view /*name*/, bool /*is_list*/, std::uint64_t /*offset*/) override {}
  void end(std::uint64_t /*offset*/) override {}
  void leaf(const Leaf& leaf) override { end_of_leaves = std::max(end_of_leaves, leaf.offset + leaf.size); }
};

void check_strict(ByteView bytes, const Bytes& original) {
  ReadOptions options;
  options.strict = true;
  Diagnostics diagnostics;
  if (const auto document = mdx_alpha::read(bytes, options, diagnostics)) {
    require(mdx_alpha::write(*document) == original);
  }
}

void check_conversion(const mdx_alpha::Document& document) {
  Diagnostics diagnostics;
  const auto scene = mdx_alpha::to_scene(document, {}, diagnostics);
  require(write_gltf(scene, {}, diagnostics).has_value());
  (void)mdx_alpha::skins_beside(document, "model", {"modelskin.blp", "skin.blp"});
  const Bytes warcraft = mdx::write(mdx_alpha::to_warcraft(document, diagnostics));
  require(mdx::read(warcraft, {}, diagnostics).has_value());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ByteView bytes(data, size);
  Diagnostics diagnostics;
  const auto document = mdx_alpha::read(bytes, {}, diagnostics);
  if (!document) {
    return 0;
  }
  const Bytes original(bytes.begin(), bytes.end());
  require(mdx_alpha::write(*document) == original);
  Covered covered;
  mdx_alpha::inspect(*document, covered);
  require(covered.end_of_leaves == size);
  check_strict(bytes, original);
  check_conversion(*document);
  (void)validate(AnyDocument(identify(bytes), *document), {});
  return 0;
}
