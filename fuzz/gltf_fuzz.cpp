// glTF that comes in: a document that keeps every byte, and a scene or an error; what becomes a model, a
// building, an animation or a network of it reads again; coarser levels are scenes as good; heights are
// numbers.
#include <thaw/gltf.hpp>
#include <thaw/m3.hpp>
#include <thaw/mdx.hpp>
#include <thaw/mdx_alpha.hpp>
#include <thaw/mrf.hpp>
#include <thaw/mrn.hpp>

#include "checks.hpp"
#include "formats/forgelight/dme/from_scene.hpp"
#include "formats/wow/mdx_alpha/collision.hpp"
#include "formats/wow/wmo/from_scene/from_scene.hpp"
#include "scene/simplify.hpp"
#include "world/height_field.hpp"

#include <cmath>

namespace thaw::fuzz {
namespace {

void check_levels(scene::Scene scene) {
  if (std::any_of(scene.nodes.begin(), scene.nodes.end(),
                  [](const auto& node) { return !node.lods.empty(); })) {
    return;
  }
  const auto levels = scene::add_levels(scene, 2, nullptr);
  require(std::is_sorted(levels.rbegin(), levels.rend(),
                         [](const auto& a, const auto& b) { return a.triangles < b.triangles; }));
  check(test::problems_of(scene));
  Diagnostics diagnostics;
  if (const auto model = m3::from_scene(scene, {}, diagnostics)) {
    check_document(*model, m3::write(*model), m3::read);
  }
}

void check_heights(const scene::Scene& scene) {
  const auto found = world::heights_of(scene, {wdt::kMiddle - 5, wdt::kMiddle - 5, 1}, {}, 1, 1, nullptr);
  require(found.has_value());
  for (const auto* heights : {&found->field.corners, &found->field.middles}) {
    require(
        std::all_of(heights->begin(), heights->end(), [](float height) { return std::isfinite(height); }));
  }
}

void check_animation(const scene::Scene& scene, const mrn::Document& network) {
  Diagnostics diagnostics;
  const auto clip = mrn::clip_from_scene(scene, network, {}, diagnostics);
  if (!clip) {
    return;
  }
  check(test::problems_of(*clip));
  if (const auto quantised = nsa::from_curves(*clip, {})) {
    check_document(quantised->document, nsa::write(quantised->document), nsa::read);
  }
}

void check_building(const wmo::Document& building) {
  check_document(building, wmo::write(building), wmo::read);
  const wmo::Document* self = &building;
  Diagnostics diagnostics;
  if (const auto later = wmo::to_later(building, std::span(&self, 1), diagnostics)) {
    for (const auto& group : later->groups) {
      check_document(group, wmo::write(group), wmo::read);
    }
  }
}

}  // namespace
}  // namespace thaw::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace thaw;
  Diagnostics diagnostics;
  const ByteView bytes(data, size);
  if (const auto document = gltf::read(bytes, {}, diagnostics)) {
    fuzz::check_document(*document, bytes, gltf::read);
  }
  GltfReadOptions reading;
  reading.kept_materials = fuzz::turn_of(bytes) % 2 == 0;
  reading.surfaces = fuzz::turn_of(bytes) % 3 == 0;
  reading.names_of = fuzz::turn_of(bytes) % 5 == 0 ? "mdx" : "";
  const auto scene = read_gltf(bytes, reading, diagnostics);
  if (!scene) {
    return 0;
  }
  fuzz::check_scene(*scene, fuzz::turn_of(bytes));
  if (const auto model = m3::from_scene(*scene, {}, diagnostics)) {
    fuzz::check_document(*model, m3::write(*model), m3::read);
  }
  if (const auto model = mdx::from_scene(*scene, {}, diagnostics)) {
    const auto alpha = mdx_alpha::from_warcraft(model->document, diagnostics,
                                                mdx_alpha::collision_of(*scene, 1, diagnostics));
    fuzz::check_document(alpha, mdx_alpha::write(alpha), mdx_alpha::read);
  }
  if (const auto model = dme::from_scene(*scene, diagnostics)) {
    for (const auto& level : model->levels) {
      fuzz::check_document(level, dme::write(level), dme::read);
    }
  }
  if (const auto morph = mrf::from_scene(*scene, {}, diagnostics)) {
    ReadOptions strict;
    strict.strict = true;
    fuzz::require(mrf::read(mrf::write(*morph), strict, diagnostics).has_value());
    fuzz::check_document(*morph, mrf::write(*morph), mrf::read);
  }
  if (const auto building = wmo::from_scene(*scene, {}, diagnostics)) {
    fuzz::check_building(building->document);
  }
  if (const auto network = mrn::network_from_scene(*scene, {}, diagnostics)) {
    fuzz::check_document(*network, mrn::write(*network), mrn::read);
    fuzz::check_animation(*scene, *network);
  }
  fuzz::check_levels(*scene);
  if (fuzz::turn_of(bytes) % 16 == 0) {
    fuzz::check_heights(*scene);
  }
  return 0;
}
