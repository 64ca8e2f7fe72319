// Morph models in the scene of the model whose events show them. See mrf.md#binding.
#include "formats/warcraft/mrf/scene_parts.hpp"

#include "scene/clips.hpp"
#include "scene/curve.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace thaw::mrf {
namespace {

using scene::Index;
using scene::kNone;

constexpr std::size_t kPrefixLength = 4;  // MRFx, x being any character
/// Of the weights of all clips: an event costs a file four bytes, what it shows may be long.
constexpr std::uint64_t kMostValues = std::uint64_t{1} << 24U;
constexpr std::string_view kFolder = R"(doodads\cinematic\arthasillidanfight\arthascape)";

/// The ID of an event that shows or hides a morph model.
std::optional<std::string_view> id_of(const scene::Event& event, std::string_view kind) {
  const std::string_view name = event.name;
  if (name.size() <= kPrefixLength || name.substr(0, kind.size()) != kind) {
    return std::nullopt;
  }
  return name.substr(kPrefixLength);
}

class Binding {
 public:
  Binding(const scene::Scene& model, std::string_view id) {
    for (const auto& event : model.events) {
      if (event.global_loop != kNone) {
        continue;
      }
      if (id_of(event, "MRF") == id) {
        shows_.insert(shows_.end(), event.frames.begin(), event.frames.end());
      } else if (id_of(event, "MRD") == id) {
        hides_.insert(hides_.end(), event.frames.begin(), event.frames.end());
      }
    }
    std::sort(shows_.begin(), shows_.end());
    std::sort(hides_.begin(), hides_.end());
  }

  /// A show while it is seen begins anew.
  [[nodiscard]] std::vector<Span> spans(std::int64_t start, std::int64_t end) const {
    std::vector<Span> result;
    const auto seconds = [&](std::int64_t frame) { return static_cast<float>(frame - start) / 1000; };
    for (std::size_t i = 0; i < shows_.size(); ++i) {
      if (shows_[i] < start || shows_[i] > end) {
        continue;
      }
      std::int64_t until = i + 1 < shows_.size() ? std::min<std::int64_t>(shows_[i + 1], end) : end;
      const auto hide = std::upper_bound(hides_.begin(), hides_.end(), shows_[i]);
      if (hide != hides_.end()) {
        until = std::min<std::int64_t>(until, *hide);
      }
      if (until > shows_[i]) {
        result.push_back({seconds(shows_[i]), seconds(until)});
      }
    }
    return result;
  }

 private:
  std::vector<std::int32_t> shows_;
  std::vector<std::int32_t> hides_;
};

void add_key(scene::Curve& curve, float time, std::span<const float> values) {
  if (!curve.times.empty() && time <= curve.times.back()) {
    time = std::nextafter(curve.times.back(), INFINITY);
  }
  curve.times.push_back(time);
  curve.values.insert(curve.values.end(), values.begin(), values.end());
}

/// 1 within the spans, 0 outside.
scene::Curve alpha_curve(const std::vector<Span>& spans, float duration) {
  scene::Curve curve;
  curve.mode = scene::CurveMode::step;
  const auto add = [&](float time, float value) {
    if (!curve.times.empty() && time <= curve.times.back()) {
      curve.values.back() = value;  // one ends where the next begins
      return;
    }
    add_key(curve, time, {&value, 1});
  };
  add(0, 0);
  for (const Span& span : spans) {
    add(span.begin, 1);
    if (span.end < duration) {
      add(span.end, 0);
    }
  }
  return curve;
}

/// Numbers that the curve of `weights_played` takes, at most.
std::uint64_t values_of(const scene::Curve& weights, const std::vector<Span>& spans) {
  return std::uint64_t{spans.size()} * (weights.times.size() + 2) * weights.components;
}

/// A node at the top of the model: morph models are in its space.
Index add_node(scene::Scene& model, const std::string& name) {
  scene::Node node;
  node.name = name;
  node.kind = scene::NodeKind::mesh;
  node.parent = !model.nodes.empty() && model.nodes[0].kind == scene::NodeKind::root ? 0 : kNone;
  model.nodes.push_back(node);
  return static_cast<Index>(model.nodes.size() - 1);
}

std::string mesh_name(std::string_view id) { return "Morph " + std::string(id); }

/// A scene that was read from what was written of it has its morph models already.
bool is_attached(const scene::Scene& scene, std::string_view id) {
  return std::any_of(scene.meshes.begin(), scene.meshes.end(),
                     [name = mesh_name(id)](const scene::Mesh& mesh) { return mesh.name == name; });
}

}  // namespace

scene::Curve weights_played(const scene::Curve& weights, const std::vector<Span>& spans, float elapsed) {
  scene::Curve result;
  result.components = weights.components;
  std::vector<float> values(weights.components);
  for (const Span& span : spans) {
    const float shift = span.begin - elapsed;
    const auto sample = [&](float time) {
      scene::evaluate(weights, time - shift, values);
      add_key(result, time, values);
    };
    sample(span.begin);
    for (const float time : weights.times) {
      if (time + shift > span.begin && time + shift < span.end) {
        sample(time + shift);
      }
    }
    sample(span.end);
  }
  return result;
}

std::vector<std::string> event_ids(const scene::Scene& scene) {
  std::vector<std::string> ids;
  for (const auto& event : scene.events) {
    const auto id = id_of(event, "MRF");
    if (id && std::find(ids.begin(), ids.end(), *id) == ids.end() && !is_attached(scene, *id)) {
      ids.emplace_back(*id);
    }
  }
  return ids;
}

std::string game_path(std::string_view id) { return std::string(kFolder).append(id).append(".mrf"); }

void attach(scene::Scene& model, std::string_view id, const Document& document, const SceneOptions& options,
            Diagnostics& diagnostics) {
  if (document.frames.empty()) {
    return;
  }
  Morph morph = make_morph(document, options, diagnostics);
  const Binding binding(model, id);
  morph.mesh.name = mesh_name(id);
  morph.mesh.node = add_node(model, morph.mesh.name);
  morph.mesh.alpha = 0;  // until an event shows it
  morph.mesh.parts.front().material = add_material(document, model);
  const scene::Target target{scene::Target::Kind::mesh, static_cast<Index>(model.meshes.size()), 0};
  std::uint64_t room = kMostValues;
  for (auto& clip : model.clips) {
    const auto spans = clip.interval && !clip.global
                           ? binding.spans(clip.interval->first, clip.interval->last)
                           : std::vector<Span>();
    if (spans.empty() || playback(document.header) == Playback::nothing) {
      continue;
    }
    clip.channels.push_back({target, scene::Property::mesh_alpha, alpha_curve(spans, clip.duration)});
    const std::uint64_t values = values_of(morph.weights, spans);
    if (morph.weights.empty()) {
      continue;
    }
    if (values > room) {
      diagnostics.add(
          codes::kSceneApproximated,
          "clip " + clip.name +
              " shows the morph model without animation, because the events of all clips need more than " +
              std::to_string(kMostValues) + " values, thaw's limit");
      continue;
    }
    room -= values;
    clip.channels.push_back(
        {target, scene::Property::weights, weights_played(morph.weights, spans, document.header.elapsed)});
  }
  model.meshes.push_back(std::move(morph.mesh));
}

}  // namespace thaw::mrf
