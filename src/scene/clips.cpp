#include "scene/clips.hpp"

#include "bytes/text.hpp"
#include "scene/curve.hpp"
#include "scene/game_rules.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace thaw::scene {
namespace {

/// The words of a clip's name that count, in lower case; numbers and signs between them do not.
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words(1);
  for (const char c : ascii::lowered(name)) {
    if (c >= 'a' && c <= 'z') {
      words.back().push_back(c);
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  if (words.back().empty()) {
    words.pop_back();
  }
  return words;
}

bool begins_with_word(const Clip& clip, std::string_view word) {
  const auto words = words_of(clip.name);
  return !words.empty() && words.front() == word;
}

bool ends_in_portrait(std::string_view name) { return ascii::lowered(name).ends_with("portrait"); }

bool has_clip(const Scene& scene, std::string_view word) {
  return std::any_of(scene.clips.begin(), scene.clips.end(),
                     [&](const Clip& clip) { return !clip.global && begins_with_word(clip, word); });
}

/// The fewer, the better a clip shows the model: its class, and the number of words in its name where that
/// counts. Of portraits the plain one comes before its numbered variants, which games play seldom.
using Rank = std::tuple<unsigned, std::size_t, std::size_t>;

Rank rank_of(const Clip& clip, bool portrait) {
  // "Stand - 2" is a stand like any other, "Stand Portrait" is for something else.
  const auto words = words_of(clip.name);
  const std::string_view first = words.empty() ? std::string_view() : std::string_view(words.front());
  if (portrait && first == "portrait") {
    return {0, words.size(), clip.name.size()};
  }
  return first == "stand" ? Rank{1, words.size(), 0} : Rank{clip.looping ? 2U : 3U, 0, 0};
}

/// Opacities and sizes at one moment.
class Glance {
 public:
  Glance(const Scene& scene, const Clip* clip, float time) : scene_(scene), sizes_(scene.nodes.size()) {
    std::transform(scene.nodes.begin(), scene.nodes.end(), sizes_.begin(),
                   [](const Node& node) { return node.rest.scale; });
    for (const auto& loop : scene.clips) {
      if (loop.global && &loop != clip) {
        add(loop, 0);
      }
    }
    if (clip != nullptr) {
      add(*clip, time);
    }
    find_sizes();
  }

  [[nodiscard]] bool sees_something() const {
    return !scene_.placements.empty() || any(scene_.meshes, [&](const Mesh& mesh) { return sees(mesh); }) ||
           any(scene_.emitters,
               [&](const Emitter& emitter) {
                 return emitter.kind != Emitter::Kind::effect && is_on(emitter.node);
               }) ||
           any(scene_.ribbons, [&](const Ribbon& ribbon) { return is_on(ribbon.node); }) ||
           any(scene_.attachments,
               [&](const Attachment& hung) { return !hung.path.empty() && is_on(hung.node); });
  }

 private:
  using Key = std::tuple<Target::Kind, Index, Index, Property>;

  template <class List, class Test>
  static bool any(const List& list, const Test& test) {
    return std::any_of(list.begin(), list.end(), test);
  }

  void add(const Clip& clip, float time) {
    for (const auto& channel : clip.channels) {
      const bool opacity = channel.property == Property::mesh_alpha ||
                           channel.property == Property::layer_alpha ||
                           channel.property == Property::visibility;
      if (opacity && channel.curve.components == 1 && !channel.curve.empty()) {
        const Target& target = channel.target;
        values_[{target.kind, target.index, target.sub, channel.property}] =
            evaluate_scalar(channel.curve, time);
      }
      const bool scale = channel.property == Property::scale && channel.target.kind == Target::Kind::node;
      if (scale && channel.curve.components == 3 && !channel.curve.empty() &&
          channel.target.index < sizes_.size()) {
        evaluate(channel.curve, time, sizes_[channel.target.index]);
      }
    }
  }

  /// With those of the parents, which stand before their children.
  void find_sizes() {
    for (Index i = 0; i < sizes_.size(); ++i) {
      const Index parent = scene_.nodes[i].parent;
      if (parent < i && scene_.nodes[i].inherit_scale) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
          sizes_[i][axis] *= sizes_[parent][axis];
        }
      }
    }
  }

  [[nodiscard]] float value(Target::Kind kind, Index index, Index sub, Property property, float rest) const {
    const auto found = values_.find({kind, index, sub, property});
    return found == values_.end() ? rest : found->second;
  }

  [[nodiscard]] bool is_on(Index node) const {
    return value(Target::Kind::node, node, 0, Property::visibility, 1) > 0;
  }

  [[nodiscard]] bool sees(const Mesh& mesh) const {
    const auto number = static_cast<Index>(&mesh - scene_.meshes.data());
    const auto shown = [&](const auto& part) { return sees_material(part.material); };
    return value(Target::Kind::mesh, number, 0, Property::mesh_alpha, mesh.alpha) > kInvisible &&
           ((!mesh.indices.empty() && any(mesh.parts, shown)) || any(mesh.wires, shown)) && has_size(mesh);
  }

  [[nodiscard]] bool sees_material(Index material) const {
    if (material >= scene_.materials.size()) {
      return true;
    }
    const auto& layers = scene_.materials[material].layers;
    return any(layers, [&](const Layer& layer) {
      const auto sub = static_cast<Index>(&layer - layers.data());
      return value(Target::Kind::layer, material, sub, Property::layer_alpha, layer.alpha) > kInvisible;
    });
  }

  /// Models hide what they carry by making its bones small.
  [[nodiscard]] bool has_size(const Mesh& mesh) const {
    if (mesh.skin >= scene_.skins.size()) {
      return mesh.node >= scene_.nodes.size() || has_size(mesh.node);
    }
    return any(scene_.skins[mesh.skin].joints, [&](Index joint) { return has_size(joint); });
  }

  [[nodiscard]] bool has_size(Index node) const {
    constexpr float kLeast = 1e-3F;
    return node >= sizes_.size() ||
           any(sizes_[node], [](float factor) { return !(factor > -kLeast && factor < kLeast); });
  }

  const Scene& scene_;
  std::vector<Vec3> sizes_;  ///< by node
  std::map<Key, float> values_;
};

/// Pictures are of the start of clips that loop and of the middle of others; exports rest at the start.
enum class Shown : std::uint8_t { never, sometimes, always };

Shown shown_in(const Scene& scene, const Clip& clip) {
  const bool first = shows_something(scene, &clip, 0);
  const bool middle = clip.looping ? first : shows_something(scene, &clip, clip.duration / 2);
  return first && middle ? Shown::always : first || middle ? Shown::sometimes : Shown::never;
}

}  // namespace

bool is_portrait(const Scene& scene, std::string_view file_name) {
  return ends_in_portrait(file_name) || ends_in_portrait(scene.name) ||
         (has_clip(scene, "portrait") && !has_clip(scene, "stand"));
}

bool shows_something(const Scene& scene, const Clip* clip, float time) {
  const bool nothing = scene.emitters.empty() && scene.ribbons.empty() && scene.placements.empty() &&
                       std::all_of(scene.meshes.begin(), scene.meshes.end(), [](const Mesh& mesh) {
                         return mesh.indices.empty() && mesh.wires.empty();
                       });
  return nothing || Glance(scene, clip, time).sees_something();
}

Index default_clip(const Scene& scene, std::string_view file_name) {
  const bool portrait = is_portrait(scene, file_name);
  std::vector<std::pair<Rank, Index>> order;
  for (Index i = 0; i < scene.clips.size(); ++i) {
    if (!scene.clips[i].global) {
      order.emplace_back(rank_of(scene.clips[i], portrait), i);
    }
  }
  std::sort(order.begin(), order.end());
  Index best = order.empty() ? kNone : order.front().second;
  // Of a model that can never be seen the first is as good as any; few clips show that it is one.
  constexpr std::size_t kMostTried = 64;
  Shown shown = Shown::never;
  for (std::size_t i = 0; i < std::min(order.size(), kMostTried) && shown != Shown::always; ++i) {
    const Shown here = shown_in(scene, scene.clips[order[i].second]);
    if (here > shown) {
      shown = here;
      best = order[i].second;
    }
  }
  return best;
}

namespace {

constexpr double kMostValues = 1U << 24U;  ///< of all clips together

bool moves(const Clip& clip, const Channel& channel) {
  return std::any_of(clip.channels.begin(), clip.channels.end(), [&](const Channel& other) {
    return other.target == channel.target && other.property == channel.property;
  });
}

bool is_usable(const Clip& loop, const Channel& channel) {
  return loop.duration > 0 && !channel.curve.empty() && channel.curve.components > 0;
}

double values_of(const Clip& clip, const Clip& loop, const Channel& channel) {
  const double turns = std::floor(double{clip.duration} / double{loop.duration}) + 1;
  return turns * static_cast<double>(channel.curve.values.size() + std::size_t{2} * channel.curve.components);
}

/// One key: the value of linear and stepped curves, and the tangents of cubic ones.
void add_key(Curve& to, float time, std::span<const float> values) {
  if (!to.times.empty() && time <= to.times.back()) {
    time = std::nextafter(to.times.back(), INFINITY);  // where a turn ends, the next begins
  }
  to.times.push_back(time);
  to.values.insert(to.values.end(), values.begin(), values.end());
}

class Repeater {
 public:
  Repeater(const Curve& curve, bool rotation, float period)
      : curve_(curve), rotation_(rotation), period_(period) {}

  [[nodiscard]] Curve until(float end) const {
    Curve result;
    result.mode = curve_.mode;
    result.components = curve_.components;
    if (curve_.times.size() < 2) {
      result = curve_;
      result.times.front() = 0;
      return result;
    }
    for (double turn = 0; turn * double{period_} < double{end}; ++turn) {
      add_turn(result, turn * double{period_}, end);
    }
    return result;
  }

 private:
  void add_turn(Curve& to, double start, float end) const {
    const std::size_t width = std::size_t{curve_.components} * (curve_.mode == CurveMode::cubic ? 3 : 1);
    if (curve_.times.front() > 0) {
      add_sample(to, start, 0);
    }
    for (std::size_t i = 0; i < curve_.times.size() && curve_.times[i] <= period_; ++i) {
      const double time = start + double{curve_.times[i]};
      if (time > double{end}) {
        add_sample(to, start, static_cast<float>(double{end} - start));  // the way to it ends with the clip
        return;
      }
      add_key(to, static_cast<float>(time), std::span(curve_.values).subspan(i * width, width));
    }
    if (curve_.times.back() < period_) {
      add_sample(to, start, static_cast<float>(std::min(double{period_}, double{end} - start)));
    }
  }

  /// Where a turn is cut, or has no key.
  void add_sample(Curve& to, double start, float time) const {
    const std::size_t width = curve_.components;
    std::vector<float> key = sample(time);
    if (curve_.mode == CurveMode::cubic) {
      constexpr float kStep = 1e-3F;
      const auto before = sample(time - kStep);
      const auto after = sample(time + kStep);
      std::vector<float> slope(width);
      for (std::size_t i = 0; i < width; ++i) {
        slope[i] = (after[i] - before[i]) / (2 * kStep);
      }
      key.insert(key.begin(), slope.begin(), slope.end());
      key.insert(key.end(), slope.begin(), slope.end());
    }
    add_key(to, static_cast<float>(start + double{time}), key);
  }

  [[nodiscard]] std::vector<float> sample(float time) const {
    std::vector<float> value(curve_.components);
    if (rotation_) {
      const Vec4 turned = evaluate_rotation(curve_, time);
      std::copy(turned.begin(), turned.end(), value.begin());
    } else {
      evaluate(curve_, time, value);
    }
    return value;
  }

  const Curve& curve_;
  bool rotation_;
  float period_;
};

void bake(Clip& clip, const Clip& loop, double& room) {
  std::vector<Channel> added;
  for (const auto& channel : loop.channels) {
    if (!is_usable(loop, channel) || moves(clip, channel)) {
      continue;
    }
    room -= values_of(clip, loop, channel);
    const bool rotation = channel.property == Property::rotation && channel.curve.components == 4;
    added.push_back({channel.target, channel.property,
                     Repeater(channel.curve, rotation, loop.duration).until(clip.duration)});
  }
  std::move(added.begin(), added.end(), std::back_inserter(clip.channels));
}

double cost(const Scene& scene, const Clip& loop) {
  double values = 0;
  for (const auto& clip : scene.clips) {
    for (const auto& channel : loop.channels) {
      values += !clip.global && is_usable(loop, channel) ? values_of(clip, loop, channel) : 0;
    }
  }
  return values;
}

/// Clips without channels that were loops, but those that an event names.
void drop_loops(Scene& scene, const std::vector<bool>& baked) {
  std::vector<Index> places(scene.clips.size(), kNone);
  std::vector<Clip> selected;
  for (Index i = 0; i < scene.clips.size(); ++i) {
    const bool fires = std::any_of(scene.events.begin(), scene.events.end(),
                                   [&](const Event& event) { return event.global_loop == i; });
    if (baked[i] && !fires) {
      continue;
    }
    places[i] = static_cast<Index>(selected.size());
    selected.push_back(std::move(scene.clips[i]));
    if (baked[i]) {
      selected.back().channels.clear();
    }
  }
  for (auto& event : scene.events) {
    event.global_loop = event.global_loop < places.size() ? places[event.global_loop] : kNone;
  }
  scene.clips = std::move(selected);
}

}  // namespace

void bake_loops(Scene& scene, Diagnostics& diagnostics) {
  const bool any =
      std::any_of(scene.clips.begin(), scene.clips.end(), [](const Clip& clip) { return !clip.global; });
  if (!any) {
    return;
  }
  std::vector<bool> baked(scene.clips.size());
  double room = kMostValues;
  for (std::size_t i = 0; i < scene.clips.size(); ++i) {
    const Clip& loop = scene.clips[i];
    if (!loop.global) {
      continue;
    }
    if (!(cost(scene, loop) <= room)) {
      diagnostics.add(
          codes::kSceneApproximated,
          "global sequence not repeated in all clips, because it has too many keys; it stays a separate clip",
          {}, "clips[" + std::to_string(i) + "]");
      continue;
    }
    baked[i] = true;
    for (auto& clip : scene.clips) {
      if (!clip.global) {
        bake(clip, loop, room);
      }
    }
  }
  drop_loops(scene, baked);
}

}  // namespace thaw::scene
