// glTF that comes in: a document that keeps every byte, and a scene or an error; what becomes a model, a
// building or a network of it reads again.
#include <thaw/gltf_document.hpp>
#include <thaw/gltf_read.hpp>
#include <thaw/m3_scene.hpp>
#include <thaw/mdx_alpha_convert.hpp>
#include <thaw/mdx_from_scene.hpp>
#include <thaw/mrf_scene.hpp>
#include <thaw/mrn_scene.hpp>

#include "formats/forgelight/dme/from_scene.hpp"
#include "formats/wow/mdx_alpha/collision.hpp"
#include "formats/wow/wmo/from_scene/from_scene.hpp"
#include "kept.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace thaw;
  Diagnostics diagnostics;
  const ByteView bytes(data, size);
  if (const auto document = gltf::read(bytes, {}, diagnostics)) {
    fuzz::document_kept(*document, bytes, gltf::read);
  }
  GltfReadOptions reading;
  reading.kept_materials = fuzz::turn_of(bytes) % 2 == 0;
  reading.surfaces = fuzz::turn_of(bytes) % 3 == 0;
  const auto scene = read_gltf(bytes, reading, diagnostics);
  if (!scene) {
    return 0;
  }
  fuzz::scene_kept(*scene, fuzz::turn_of(bytes));
  if (const auto model = m3::from_scene(*scene, {}, diagnostics)) {
    fuzz::document_kept(*model, m3::write(*model), m3::read);
  }
  if (const auto model = mdx::from_scene(*scene, {}, diagnostics)) {
    const auto alpha = mdx_alpha::from_warcraft(model->document, diagnostics,
                                                mdx_alpha::collision_of(*scene, 1, diagnostics));
    fuzz::document_kept(alpha, mdx_alpha::write(alpha), mdx_alpha::read);
  }
  if (const auto model = dme::from_scene(*scene, diagnostics)) {
    for (const auto& level : model->levels) {
      fuzz::document_kept(level, dme::write(level), dme::read);
    }
  }
  if (const auto morph = mrf::from_scene(*scene, {}, diagnostics)) {
    ReadOptions strict;
    strict.strict = true;
    fuzz::require(mrf::read(mrf::write(*morph), strict, diagnostics).has_value());
    fuzz::document_kept(*morph, mrf::write(*morph), mrf::read);
  }
  if (const auto building = wmo::from_scene(*scene, {}, diagnostics)) {
    fuzz::document_kept(building->document, wmo::write(building->document), wmo::read);
  }
  if (const auto network = mrn::network_from_scene(*scene, {}, diagnostics)) {
    fuzz::document_kept(*network, mrn::write(*network), mrn::read);
  }
  return 0;
}
