// M3 models: what reads writes the same bytes, is validated, and becomes a scene, glTF and a model again.
#include <thaw/m3.hpp>
#include <thaw/validate.hpp>

#include "checks.hpp"
#include "formats/wow/m3/onto.hpp"

namespace {

using namespace thaw;

/// What nobody edited stays as it was; an edit of a sound original gives a model that reads as what it is.
/// If chunks state wrong sizes, the length of the file can decide whether it is recognised, and an edit
/// changes it.
void onto_original(const m3::Document& original, bool is_sound, const m3::Document& before,
                   scene::Scene edited, Diagnostics& diagnostics) {
  fuzz::require(m3::write(m3::merge_onto(original, before, before, diagnostics)) == m3::write(original));
  for (auto& mesh : edited.meshes) {
    mesh.positions.front()[1] += 1;
    mesh.name += "!";
  }
  if (const auto model = m3::from_scene(edited, {}, diagnostics)) {
    const m3::Document merged = m3::merge_onto(original, before, *model, diagnostics);
    fuzz::require(!is_sound || m3::read(m3::write(merged)).has_value());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace thaw;
  const ByteView bytes(data, size);
  Diagnostics diagnostics;
  auto document = m3::read(bytes, {}, diagnostics);
  if (!document) {
    return 0;
  }
  const bool is_sound = diagnostics.count(Severity::severe) == 0;
  fuzz::check_document(*document, bytes, m3::read);
  m3::SceneOptions options;
  options.lod = size % 2 == 0 ? std::optional<std::uint32_t>() : size % 3;
  options.collision = true;
  const auto scene = m3::to_scene(*document, "fuzz", options, diagnostics);
  fuzz::check_scene(scene, fuzz::turn_of(bytes));
  fuzz::check_gltf(scene);
  if (const auto again = m3::from_scene(scene, {}, diagnostics)) {
    fuzz::check_document(*again, m3::write(*again), m3::read);
    fuzz::check(test::problems_of(m3::to_scene(*again, "fuzz", {}, diagnostics)));
    onto_original(*document, is_sound, *again, scene, diagnostics);
  }
  (void)validate(AnyDocument(Identity(), std::move(*document)), {});
  return 0;
}
