// CAMS.
#include "bytes/finite.hpp"
#include "bytes/text.hpp"
#include "formats/warcraft/mdx/rules/table.hpp"

#include <algorithm>
#include <numbers>

namespace thaw::mdx::rules {
namespace {

bool is_cinematic(const Item<Camera>& camera) {
  return camera->name.view().find("CAM_") != std::string_view::npos;
}

void camera_unused(const Model& model, Report& report) {
  const bool portrait =
      std::any_of(model.sequences.begin(), model.sequences.end(), [](const Item<Sequence>& sequence) {
        return ascii::lowered(trimmed(sequence->name.view())).starts_with("portrait");
      });
  for (const auto& camera : model.cameras) {
    if (!portrait && !is_cinematic(camera)) {
      report.add(camera.path, say("camera \"", camera->name.view(),
                                  "\" is unused, because no sequence begins with Portrait"));
    }
  }
}

void order(const Model& model, Report& report) {
  const auto last_cinematic = std::find_if(model.cameras.rbegin(), model.cameras.rend(), is_cinematic);
  for (auto camera = model.cameras.begin(); camera != last_cinematic.base(); ++camera) {
    if (!is_cinematic(*camera)) {
      report.add(camera->path, say("camera \"", camera->value->name.view(),
                                   "\" comes before a camera with CAM_ in its name"));
      return;
    }
  }
}

constexpr std::array kCameraRules = {
    ModelRule("mdx.camera-clip", always(kWarning), "invalid camera clipping planes",
              "The near plane must not be negative, and the far plane must lie beyond it.",
              each<&Model::cameras, "farClip">([](const Camera& camera) {
                return !(camera.near_clip >= 0)
                           ? say("the near plane ", camera.near_clip, " is not 0 or more")
                       : !(camera.far_clip > camera.near_clip)
                           ? say("the far plane ", camera.far_clip, " is not beyond the near plane ",
                                 camera.near_clip)
                           : "";
              })),
    ModelRule("mdx.camera-unused", always(kUnused), "unused camera",
              "Without CAM_ in its name a camera serves portraits only, but no sequence begins with "
              "Portrait. Remove the camera, or add the sequence.",
              camera_unused),
    ModelRule("mdx.camera-not-finite", {kWarning, kSevere, kError}, "NaN or infinity in a camera",
              "Set finite numbers.", each<&Model::cameras, "position">([](const Camera& camera) {
                return !all_finite(camera.position) || !all_finite(camera.target) ||
                               !std::isfinite(camera.field_of_view)
                           ? "a position or the field of view is NaN or infinite"
                           : "";
              })),
    ModelRule("mdx.camera-no-geometry", {kWarning, kInfo, kWarning}, "camera in a model without geometry",
              "The camera shows nothing. Remove it.", once<"CAMS">([](const Model& model) {
                return !model.cameras.empty() && model.geosets.empty() && !model.has_emitters()
                           ? "the model has a camera but no geometry"
                           : "";
              })),
    ModelRule("mdx.camera-sight", {kWarning, kInfo, kInfo}, "camera very near or very far from its target",
              "The usual range is 32 to 8192 units. Move the target or the camera.",
              each<&Model::cameras, "target">([](const Camera& camera) {
                constexpr float kShortest = 32;
                constexpr float kLongest = 8192;
                float square = 0;
                for (std::size_t axis = 0; axis < 3; ++axis) {
                  const float step = camera.target.at(axis) - camera.position.at(axis);
                  square += step * step;
                }
                const float length = std::sqrt(square);
                return length < kShortest || length > kLongest
                           ? say("the target is ", length, " units away; the usual range is 32 to 8192")
                           : "";
              })),
    ModelRule("mdx.camera-field-of-view", always(kWarning), "camera field of view out of range",
              "It must be above 0 and below pi radians.",
              each<&Model::cameras, "fieldOfView">([](const Camera& camera) {
                constexpr float kHalfTurn =
                    std::numbers::pi_v<float> + 1e-5F;  // half a turn in few digits passes, too
                return !(camera.field_of_view > 0 && camera.field_of_view < kHalfTurn)
                           ? say("the field of view, ", camera.field_of_view,
                                 " radians, is not above 0 and below pi")
                           : "";
              })),
    ModelRule("mdx.camera-order", always(kWarning), "other camera before a cinematic camera",
              "Newer games load only cameras with CAM_ in their names but index animations by all cameras, "
              "so the wrong one moves. Put cinematic cameras first.",
              order),
    ModelRule("mdx.camera-variant", {kInfo, kInfo, kWarning}, "unusual camera variant",
              "The game's files use 0, or 3 from version 1800 on. Older games misread other values. Use one "
              "of these.",
              each<&Model::cameras, "variant">([](const Camera& camera) {
                return camera.variant != 0 && camera.variant != 3
                           ? say("unusual camera variant ", +camera.variant)
                           : "";
              })),
};

}  // namespace

std::span<const ModelRule> camera_rules() { return kCameraRules; }

}  // namespace thaw::mdx::rules
