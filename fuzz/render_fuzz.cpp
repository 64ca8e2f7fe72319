// Any model becomes a picture: evaluation and rasteriser hold whatever a file says.
#include <thaw/frame.hpp>
#include <thaw/mdx.hpp>
#include <thaw/raster.hpp>

#include "checks.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace thaw;
  Diagnostics diagnostics;
  const auto document = mdx::read(ByteView(data, size), {}, diagnostics);
  if (!document) {
    return 0;
  }
  mdx::SceneOptions scene_options;
  scene_options.max_curve_values = 1U << 16U;
  const scene::Scene scene = mdx::to_scene(*document, scene_options, diagnostics);
  const frame::Evaluator evaluator(scene);
  frame::Options options;
  options.max_triangles = 1U << 14U;
  options.max_particles = 1U << 10U;
  options.wireframe = options.bones = options.collision = true;
  const auto clip = frame::default_clip(scene);
  const auto camera = frame::auto_camera(evaluator, scene, clip, {}, 1, options);
  const auto shown = evaluator.evaluate({clip, 0.3, 0.3}, camera, options);
  fuzz::check(test::problems_of(shown, evaluator.images()));
  raster::Textures textures(evaluator.images());
  raster::Options raster;
  raster.width = raster.height = 32;
  raster.samples = 1;
  raster.max_overdraw = 100;
  const auto one = raster::draw(shown, textures, raster);
  raster.threads = 2;
  const auto two = raster::draw(shown, textures, raster);
  fuzz::check(test::problems_of(one.image));
  fuzz::require(one.image == two.image && one.complete == two.complete);
  return 0;
}
