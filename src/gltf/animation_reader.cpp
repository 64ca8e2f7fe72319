#include "gltf/scene_reader.hpp"

#include <thaw/control.hpp>

#include "scene/curve.hpp"

#include <algorithm>
#include <cmath>

namespace thaw::gltf {

using scene::Index;
using scene::kNone;

namespace {

struct Path {
  std::string_view name;
  scene::Property property;
  unsigned components;
};
constexpr std::array kPaths = {Path{"translation", scene::Property::translation, 3},
                               Path{"rotation", scene::Property::rotation, 4},
                               Path{"scale", scene::Property::scale, 3}};

scene::CurveMode mode_of(const std::string& interpolation) {
  return interpolation == "STEP"          ? scene::CurveMode::step
         : interpolation == "CUBICSPLINE" ? scene::CurveMode::cubic
                                          : scene::CurveMode::linear;
}

Result<scene::Curve> read_curve(Input& input, const Value& sampler, unsigned components) {
  auto times = input.floats(index(&sampler, "input"));
  if (!times) {
    return tl::unexpected<Error>(std::move(times.error()));
  }
  auto values = input.floats(index(&sampler, "output"));
  if (!values) {
    return tl::unexpected<Error>(std::move(values.error()));
  }
  scene::Curve curve;
  curve.mode = mode_of(text(&sampler, "interpolation"));
  curve.components = components;
  const std::size_t per_key = std::size_t{components} * (curve.mode == scene::CurveMode::cubic ? 3 : 1);
  if (components == 0 || values->values.size() != times->count * per_key) {
    return fail(codes::kGltfReference, "a sampler whose keys and values do not match");
  }
  curve.times.assign(times->values.begin(), times->values.end());
  curve.values.assign(values->values.begin(), values->values.end());
  return curve;
}

}  // namespace

void SceneReader::read_channel(const Value& animation, const Value& channel, scene::Clip& clip,
                               const std::string& path) {
  const Value* target = member(&channel, "target");
  const std::string what = text(target, "path");
  const Index source = index(target, "node");
  const Index node = source < node_of_.size() ? node_of_[source] : kNone;
  const auto& samplers = list(&animation, "samplers");
  const Index sampler = index(&channel, "sampler");
  if (node == kNone || sampler >= samplers.size()) {
    diagnostics_.add(source == kNone ? codes::kGltfUnsupported : codes::kGltfReference,
                     "a channel without a node or sampler", {}, path);
    return;
  }
  scene::Channel result;
  unsigned components = 0;
  if (what == "weights") {
    const auto mesh = mesh_of_node_.find(node);
    if (mesh == mesh_of_node_.end()) {
      return;
    }
    result.target = {scene::Target::Kind::mesh, mesh->second, 0};
    result.property = scene::Property::weights;
    components = static_cast<unsigned>(scene_.meshes[mesh->second].morph_targets.size());
  } else {
    const auto* known =
        std::find_if(kPaths.begin(), kPaths.end(), [&](const Path& entry) { return entry.name == what; });
    if (known == kPaths.end()) {
      diagnostics_.add(codes::kGltfUnsupported, "the path \"" + what + "\" is not read", {}, path);
      return;
    }
    result.target = {scene::Target::Kind::node, node, 0};
    result.property = known->property;
    components = known->components;
  }
  auto curve = read_curve(input_, samplers[sampler], components);
  if (!curve) {
    report(curve.error(), path);
    return;
  }
  result.curve = scene::cleaned(*curve, result.property == scene::Property::rotation);
  if (!result.curve.empty()) {
    clip.duration = std::max(clip.duration, result.curve.times.back());
    clip.channels.push_back(std::move(result));
  }
}

void SceneReader::read_animations() {
  for (Index i = 0; i < input_.count("animations"); ++i) {
    if (!proceed(control_, "clips", i, input_.count("animations"))) {
      return;
    }
    const Value* animation = input_.item("animations", i);
    scene::Clip& clip = scene_.clips.emplace_back();
    clip.name = text(animation, "name");
    if (const Value* extras = member(animation, "extras")) {
      clip.extras = *extras;
    }
    const auto& channels = list(animation, "channels");
    for (std::size_t c = 0; c < channels.size() && !is_stopped(control_); ++c) {
      read_channel(*animation, channels[c], clip,
                   "animations[" + std::to_string(i) + "].channels[" + std::to_string(c) + "]");
    }
  }
}

}  // namespace thaw::gltf
