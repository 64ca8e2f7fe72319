// Ribbons (warcraft3-rendering.md#ribbon-trails): edges that a node leaves behind, and the band between them.
#include "frame/emission.hpp"
#include "frame/stand_in.hpp"
#include "scene/axes.hpp"

#include <algorithm>
#include <cmath>

namespace thaw::frame {
namespace {

using scene::Property;
using scene::Target;

struct Edge {
  Vec3d above{};
  Vec3d below{};
};

class RibbonBuilder {
 public:
  RibbonBuilder(Builder& builder, const Instance& instance, Index index)
      : builder_(builder),
        instance_(instance),
        ribbon_(instance.model.scene->ribbons[index]),
        index_(index),
        target_{Target::Kind::ribbon, index, 0},
        ticks_(instance.moment, double{ribbon_.life_span}),
        depth_(instance.model.skeleton.depth(ribbon_.node)) {}

  void build() {
    find_edges();
    if (edges_.size() < 2) {
      return;
    }
    Draw draw = begin();
    add_band();
    builder_.frame.particles += static_cast<std::uint32_t>(edges_.size());
    draw.index_count = static_cast<std::uint32_t>(builder_.frame.indices.size()) - draw.first_index;
    draw.vertex_count = static_cast<std::uint32_t>(builder_.frame.positions.size()) - draw.base_position;
    const int priority = material() == nullptr ? 0 : material()->draw_order;
    builder_.add(draw, {true, priority, kModeOfRibbons});
  }

 private:
  [[nodiscard]] const scene::Material* material() const {
    const auto& materials = instance_.model.scene->materials;
    return ribbon_.material < materials.size() ? &materials[ribbon_.material] : nullptr;
  }

  /// The newest first. While it emits, the band begins at the node itself.
  void find_edges() {
    if (instance_.now.running && instance_.player.visible(ribbon_.node, instance_.now)) {
      if (!builder_.take_nodes(depth_)) {
        builder_.frame.complete = false;
        return;
      }
      edges_.push_back(edge(0));
    }
    for (std::int64_t tick = ticks_.last(); tick >= ticks_.first(); --tick) {
      const bool full = builder_.frame.particles + edges_.size() >= builder_.options.max_particles;
      if (builder_.ticks_left == 0 || full || !builder_.take_nodes(depth_)) {
        builder_.frame.complete = false;
        return;
      }
      --builder_.ticks_left;
      const Births births = births_at(tick, static_cast<double>(ribbon_.rate), 1);
      const double age = ticks_.age(births.start);
      if (births.count == 0 || age <= 0 || age >= double{ribbon_.life_span}) {
        continue;
      }
      const Times times = instance_.player.times(instance_.moment, age);
      if (times.running && instance_.player.visible(ribbon_.node, times)) {
        edges_.push_back(edge(age));
      }
    }
  }

  [[nodiscard]] Edge edge(double age) const {
    const Times times = instance_.player.times(instance_.moment, age);
    const WorldTransform node = instance_.pose.place(ribbon_.node, times);
    const auto height = [&](Property property, float rest) {
      return double{instance_.player.scalar(target_, property, rest, times)};
    };
    const double above = height(Property::ribbon_height_above, ribbon_.height_above);
    const double below = height(Property::ribbon_height_below, ribbon_.height_below);
    const scene::Axes axes = instance_.model.scene->axes;
    Edge edge{scene::transform_point(node.world, scene::to_y_up(Vec3d{0, above, 0}, axes)),
              scene::transform_point(node.world, scene::to_y_up(Vec3d{0, -below, 0}, axes))};
    const double fall = double{ribbon_.gravity} * age * age / 2;
    edge.above[1] -= fall;
    edge.below[1] -= fall;
    return edge;
  }

  Draw begin() {
    const Frame& frame = builder_.frame;
    Draw draw;
    draw.first_index = static_cast<std::uint32_t>(frame.indices.size());
    draw.base_position = static_cast<std::uint32_t>(frame.positions.size());
    draw.base_uv = static_cast<std::uint32_t>(frame.uvs.size());
    Vec3 color = ribbon_.color;
    instance_.player.read(target_, Property::ribbon_color, instance_.now, color);
    const float alpha =
        instance_.player.scalar(target_, Property::ribbon_alpha, ribbon_.alpha, instance_.now);
    draw.color = {color[0], color[1], color[2], alpha};
    set_blend(draw, scene::BlendMode::blend);
    if (const auto* source = material(); source != nullptr && !source->layers.empty()) {
      const scene::Layer& layer = source->layers.front();
      set_blend(draw, layer.blend);
      draw.texture = sampler_of(instance_.model, layer.texture);
      draw.fogged = !layer.unfogged;
      draw.depth_test = !layer.no_depth_test;
      if (is_missing(instance_.model, layer.texture)) {
        set_soft(builder_, instance_.model, draw);
        draw.uv_matrix = {0, 0, 0, 1, 0.5F, 0};  // soft across, and all along alike
      }
    }
    draw.depth_write = false;
    draw.two_sided = true;
    draw.origin = Origin::ribbon;
    draw.object = index_;
    return draw;
  }

  void add_band() {
    Frame& frame = builder_.frame;
    const double columns = std::max(1.0, static_cast<double>(ribbon_.columns));
    const double rows = std::max(1.0, static_cast<double>(ribbon_.rows));
    const auto rest = static_cast<float>(ribbon_.texture_slot);
    const double slot = std::floor(
        double{instance_.player.scalar(target_, Property::ribbon_texture_slot, rest, instance_.now)});
    const double row = std::floor(slot / columns);
    const double column = slot - row * columns;
    const auto top = static_cast<float>(row / rows);
    const auto bottom = static_cast<float>((row + 1) / rows);
    const auto last = static_cast<double>(edges_.size() - 1);
    for (std::size_t i = 0; i < edges_.size(); ++i) {
      const auto u = static_cast<float>((column + static_cast<double>(i) / last) / columns);
      frame.positions.push_back(scene::narrow(edges_[i].above));
      frame.positions.push_back(scene::narrow(edges_[i].below));
      frame.uvs.push_back({u, top});
      frame.uvs.push_back({u, bottom});
    }
    for (std::uint32_t i = 0; i + 1 < edges_.size(); ++i) {
      for (const std::uint32_t corner : {0U, 1U, 3U, 0U, 3U, 2U}) {
        frame.indices.push_back(2 * i + corner);
      }
    }
  }

  Builder& builder_;
  const Instance& instance_;
  const scene::Ribbon& ribbon_;
  Index index_;
  Target target_;
  Ticks ticks_;
  std::size_t depth_;
  std::vector<Edge> edges_;
};

}  // namespace

void add_ribbons(Builder& builder, const Instance& instance) {
  const scene::Scene& scene = *instance.model.scene;
  for (Index i = 0; i < scene.ribbons.size(); ++i) {
    if (scene.ribbons[i].node < scene.nodes.size()) {
      RibbonBuilder(builder, instance, i).build();
    }
  }
}

}  // namespace thaw::frame
