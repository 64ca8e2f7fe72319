// Bounds of what a model shows while its sequences play (mdx.md#extents).
#include "formats/warcraft/mdx/from_scene/model_builder.hpp"

#include "formats/warcraft/mdx/rules/extents.hpp"
#include "scene/pose.hpp"

#include <thaw/mdx.hpp>

namespace thaw::mdx {
namespace {

using rules::Box;

/// Vertices that are looked at; more than these only make it slow.
constexpr std::size_t kMostLooks = 4000000;
constexpr std::size_t kMoments = 12;

void unite(Box& box, const Box& other) {
  if (other.valid) {
    box.add(other.minimum);
    box.add(other.maximum);
    box.radius = std::max(box.radius, other.radius);
  }
}

class ExtentMeasurer {
 public:
  explicit ExtentMeasurer(Document& document) : document_(document) {
    SceneOptions options;
    options.scale = 1;
    Diagnostics discarded(0);
    scene_ = to_scene(document, options, discarded);
  }

  /// False if it was stopped.
  bool measure(const Control* control);

 private:
  void look(const std::vector<Mat4d>& world, std::vector<Box>& boxes) const;
  [[nodiscard]] std::vector<Box> boxes_in(const scene::Clip& clip, std::size_t moments) const;

  Document& document_;
  scene::Scene scene_;
};

void ExtentMeasurer::look(const std::vector<Mat4d>& world, std::vector<Box>& boxes) const {
  for (std::size_t m = 0; m < scene_.meshes.size(); ++m) {
    const auto& mesh = scene_.meshes[m];
    const scene::Skin* skin = scene::sound_skin(scene_, mesh);
    std::vector<Mat4d> moved;
    for (std::size_t j = 0; skin != nullptr && j < skin->joints.size(); ++j) {
      moved.push_back(scene::multiply(world[skin->joints[j]], scene::widen(skin->inverse_bind[j])));
    }
    // A box of its own for rounding: floats of several sums differ in their last digits.
    Box box;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      const Vec3d at = scene::widen(mesh.positions[v]);
      Vec3d sum = skin == nullptr ? scene::transform_point(world[mesh.node], at) : Vec3d{};
      for (unsigned i = 0; skin != nullptr && i < mesh.influences; ++i) {
        const std::size_t share = v * mesh.influences + i;
        if (mesh.weights[share] > 0) {
          sum = scene::add(sum, scene::scaled(scene::transform_point(moved[mesh.joints[share]], at),
                                              double{mesh.weights[share]}));
        }
      }
      box.add(scene::to_z_up(scene::narrow(sum)));
    }
    unite(boxes[m], box);
  }
}

std::vector<Box> ExtentMeasurer::boxes_in(const scene::Clip& clip, std::size_t moments) const {
  std::vector<Box> boxes(scene_.meshes.size());
  const scene::Poser poser(scene_, &clip);
  for (std::size_t i = 0; i <= moments; ++i) {
    const float time =
        clip.duration * static_cast<float>(i) / static_cast<float>(std::max<std::size_t>(1, moments));
    look(poser.world_matrices(time), boxes);
  }
  return boxes;
}

bool ExtentMeasurer::measure(const Control* control) {
  auto* geosets = document_.find<Geosets>();
  auto* sequences = document_.find<Sequences>();
  auto* model = document_.find<Model>();
  const std::size_t meshes = scene_.meshes.size();
  std::vector<Box> resting(meshes);
  look(scene::Poser(scene_, nullptr).world_matrices(0), resting);
  Box whole;
  for (const Box& box : resting) {
    unite(whole, box);
  }
  std::size_t vertices = 1;
  for (const auto& mesh : scene_.meshes) {
    vertices += mesh.positions.size() * std::max(1U, mesh.influences);
  }
  const std::size_t count = sequences == nullptr ? 0 : sequences->items.size();
  const std::size_t moments =
      std::clamp<std::size_t>(kMostLooks / vertices / std::max<std::size_t>(1, count), 1, kMoments);
  std::vector<std::vector<Box>> of_clips;
  for (std::size_t i = 0; i < count && i < scene_.clips.size(); ++i) {
    if (!proceed(control, "bounds", i, count)) {
      return false;
    }
    of_clips.push_back(boxes_in(scene_.clips[i], moments));
    Box united;
    for (const Box& box : of_clips.back()) {
      unite(united, box);
    }
    sequences->items[i].extent = rules::extent_of(united.valid ? united : whole);
  }
  for (std::size_t m = 0; geosets != nullptr && m < geosets->items.size() && m < meshes; ++m) {
    auto& geoset = geosets->items[m];
    geoset.extent = rules::extent_of(resting[m]);
    geoset.sequence_extents.clear();
    for (const auto& boxes : of_clips) {
      geoset.sequence_extents.push_back(rules::extent_of(boxes[m].valid ? boxes[m] : resting[m]));
    }
  }
  if (model != nullptr) {
    model->extent = rules::extent_of(whole);
  }
  return !is_stopped(control);
}

}  // namespace

bool measure_extents(Document& document, const Control* control) {
  return ExtentMeasurer(document).measure(control);
}

}  // namespace thaw::mdx
