#include "gltf/scene_reader.hpp"

#include <thaw/codes.hpp>
#include <thaw/control.hpp>

#include "bytes/number_text.hpp"
#include "bytes/text.hpp"
#include "gltf/part_source.hpp"
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

/// No curve where keys and values do not match; an error where they cannot be had.
Result<std::optional<scene::Curve>> read_curve(Input& input, const Value& sampler, unsigned components) {
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
    return std::nullopt;
  }
  curve.times.assign(times->values.begin(), times->values.end());
  curve.values.assign(values->values.begin(), values->values.end());
  return curve;
}

/// What a channel moves, by its node and path or by a pointer (KHR_animation_pointer) to the same.
struct Moved {
  Index node = kNone;  ///< of glTF
  std::string path;
  bool by_pointer = false;
};

Moved moved_by(const Value* target) {
  constexpr std::string_view kNodes = "/nodes/";
  Moved moved{index(target, "node"), text(target, "path"), false};
  if (moved.path != "pointer") {
    return moved;
  }
  moved.by_pointer = true;
  const std::string_view pointer =
      text(member(member(target, "extensions"), "KHR_animation_pointer"), "pointer");
  const std::size_t last = pointer.rfind('/');
  if (!ascii::begins_with(pointer, kNodes) || last < kNodes.size()) {
    return moved;
  }
  if (const auto number = parse_whole(pointer.substr(kNodes.size(), last - kNodes.size()))) {
    moved.node = *number;
    moved.path = pointer.substr(last + 1);
  }
  return moved;
}

bool is_read(const std::string& path) {
  return path == "weights" ||
         std::any_of(kPaths.begin(), kPaths.end(), [&](const Path& known) { return known.name == path; });
}

}  // namespace

/// A clip is as long as its keys, also of what a scene has no place for.
void SceneReader::cover_keys(const Value& sampler, scene::Clip& clip) {
  const auto times = input_.floats(index(&sampler, "input"));
  for (const float time : times ? times->values : std::vector<float>()) {
    clip.duration = std::isfinite(time) ? std::max(clip.duration, time) : clip.duration;
  }
}

void SceneReader::read_channel(const Value& animation, const Value& channel, scene::Clip& clip,
                               const std::string& path) {
  const Moved moved = moved_by(member(&channel, "target"));
  const Index source = moved.node;
  const std::string& what = moved.path;
  const Index node = source < node_of_.size() ? node_of_[source] : kNone;
  const auto& samplers = list(&animation, "samplers");
  const Index sampler = index(&channel, "sampler");
  if (moved.by_pointer && !is_read(what) && sampler < samplers.size()) {
    // What this program wrote is also kept as it was.
    pointed_ += thaw_extras(&animation).is_null() ? 1U : 0U;
    cover_keys(samplers[sampler], clip);
    return;
  }
  if (node == kNone || sampler >= samplers.size()) {
    diagnostics_.add(source == kNone ? codes::kGltfUnsupported : codes::kGltfReference,
                     node == kNone ? "channel without a node of the scene ignored"
                                   : "channel without an existing sampler ignored",
                     {}, path);
    return;
  }
  scene::Channel result;
  unsigned components = 0;
  if (what == "weights") {
    const auto mesh = mesh_of_node_.find(node);
    if (mesh == mesh_of_node_.end()) {
      diagnostics_.add(codes::kGltfUnsupported,
                       "morph weights ignored: the node has no mesh, or an instanced one", {}, path);
      return;
    }
    result.target = {scene::Target::Kind::mesh, mesh->second, 0};
    result.property = scene::Property::weights;
    components = static_cast<unsigned>(scene_.meshes[mesh->second].morph_targets.size());
  } else {
    const auto* known =
        std::find_if(kPaths.begin(), kPaths.end(), [&](const Path& entry) { return entry.name == what; });
    if (known == kPaths.end()) {
      diagnostics_.add(codes::kGltfUnsupported, "channel with the unsupported path \"" + what + "\" ignored",
                       {}, path);
      return;
    }
    result.target = {scene::Target::Kind::node, node, 0};
    result.property = known->property;
    components = known->components;
  }
  auto curve = read_curve(input_, samplers[sampler], components);
  if (!curve) {
    refuse(std::move(curve.error()), path);
    return;
  }
  if (!*curve) {
    diagnostics_.add(codes::kGltfReference, "sampler ignored: its keys and values do not match", {}, path);
    return;
  }
  result.curve = scene::cleaned(**curve, result.property == scene::Property::rotation);
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
    take_extras(animation, "clip", clip);
    const auto& channels = list(animation, "channels");
    for (std::size_t c = 0; c < channels.size() && !is_stopped(control_); ++c) {
      read_channel(*animation, channels[c], clip,
                   "animations[" + std::to_string(i) + "].channels[" + std::to_string(c) + "]");
    }
  }
  if (pointed_ > 0) {
    diagnostics_.add(codes::kSceneLost, "KHR_animation_pointer channels of unsupported targets ignored: " +
                                            std::to_string(pointed_));
  }
}

}  // namespace thaw::gltf
