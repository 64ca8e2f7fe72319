#include "formats/forgelight/dme/scene_parts.hpp"

#include <thaw/codes.hpp>

#include <cmath>

namespace thaw::dme {
namespace {

void note_version(const Document& document, Diagnostics& diagnostics) {
  constexpr std::uint32_t kNewest = 4;
  if (document.version > kNewest) {
    diagnostics.add(codes::kDmeVersion,
                    "unknown version " + std::to_string(document.version) + " is read as version 4");
  } else if (document.version < kNewest) {
    diagnostics.add(codes::kUnproven,
                    "version " + std::to_string(document.version) +
                        " is read by the rules of another program, which no published file confirms; "
                        "please share the file");
  }
}

void set_bounds(const Document& document, scene::Scene& scene) {
  double square = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const float low = document.bounds[0][axis];
    const float high = document.bounds[1][axis];
    if (!std::isfinite(low) || !std::isfinite(high)) {
      return;
    }
    scene.bounds.minimum[axis] = low;
    scene.bounds.maximum[axis] = high;
    const double reach = std::max(std::fabs(double{low}), std::fabs(double{high}));
    square += reach * reach;
  }
  scene.bounds.radius = static_cast<float>(std::min(std::sqrt(square), 3e38));
}

}  // namespace

void add_model(const Document& document, std::string_view name, const SceneOptions& options,
               scene::Index parent, BoneNodes& bones, scene::Scene& scene, Diagnostics& diagnostics) {
  note_version(document, diagnostics);
  const dma::Document& palette = options.palette != nullptr ? *options.palette : document.palette;
  Build build{document, palette, options, scene, diagnostics, parent, scene::kNone, {}};
  add_bones(build, bones);
  add_materials(build);
  for (std::size_t i = 0; i < document.meshes.size(); ++i) {
    std::string mesh_name(name);
    mesh_name += document.meshes.size() > 1 ? "_" + std::to_string(i) : "";
    add_mesh(build, i, mesh_name);
  }
  set_bounds(document, scene);
}

scene::Scene to_scene(const Document& document, std::string_view name, const SceneOptions& options,
                      Diagnostics& diagnostics) {
  scene::Scene scene;
  scene.name = name;
  scene.source_format = "dme";
  scene.axes = scene::Axes::x_front;
  scene::Node root;
  root.name = name;
  root.kind = scene::NodeKind::root;
  scene.nodes.push_back(std::move(root));
  BoneNodes bones;
  add_model(document, name, options, 0, bones, scene, diagnostics);
  return scene;
}

}  // namespace thaw::dme
