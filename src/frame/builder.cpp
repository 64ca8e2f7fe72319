#include "frame/builder.hpp"

#include "scene/game_rules.hpp"

#include <algorithm>
#include <tuple>

namespace thaw::frame {

bool Builder::take_nodes(std::size_t count) {
  if (count > nodes_left) {
    frame.complete = false;
    return false;
  }
  nodes_left -= count;
  return true;
}

bool Builder::add(Draw draw, const Order& order) {
  const std::uint32_t count = draw.index_count / corners_of(draw.topology);
  if (count == 0) {
    return true;
  }
  constexpr std::uint32_t kCostOfDraw = 32;  // in triangles: a draw takes memory, too
  const std::uint32_t cost = std::max(count, kCostOfDraw);
  if (cost > options.max_triangles - std::min(options.max_triangles, spent_)) {
    frame.complete = false;
    return false;
  }
  spent_ += cost;
  frame.triangles += draw.topology == Topology::triangles ? count : 0;
  entries_.push_back({draw, order, entries_.size()});
  return true;
}

void Builder::finish() {
  std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
    const auto key = [](const Entry& entry) {
      const Order& order = entry.order;
      return order.blended ? std::tuple(true, order.priority, order.mode, entry.turn)
                           : std::tuple(false, 0, 0U, entry.turn);
    };
    return key(a) < key(b);
  });
  frame.draws.reserve(entries_.size());
  for (const auto& entry : entries_) {
    frame.draws.push_back(entry.draw);
  }
}

void set_blend(Draw& draw, scene::BlendMode mode) {
  constexpr float kNearlyClear = 0.02F;
  using scene::BlendMode;
  switch (mode) {
    case BlendMode::opaque:
      draw.blend = Blend::none;
      break;
    case BlendMode::mask:
      draw.blend = Blend::none;
      draw.alpha_cutoff = scene::kKeyCutoff;
      break;
    case BlendMode::blend:
      draw.blend = Blend::alpha;
      break;
    case BlendMode::additive:
    case BlendMode::add_alpha:
      draw.blend = Blend::add;
      break;
    case BlendMode::modulate:
      draw.blend = Blend::modulate;
      draw.alpha_cutoff = kNearlyClear;
      break;
    case BlendMode::modulate2x:
      draw.blend = Blend::modulate2x;
      draw.alpha_cutoff = kNearlyClear;
      break;
  }
  draw.depth_write = draw.blend == Blend::none;
}

Sampler sampler_of(const ModelData& model, Index texture) {
  const scene::Scene& scene = *model.scene;
  if (texture >= scene.textures.size()) {
    return {};
  }
  const scene::Texture& source = scene.textures[texture];
  const bool known = source.image < scene.images.size();
  return {known ? model.first_image + source.image : kNone, source.wrap_u, source.wrap_v};
}

bool is_missing(const ModelData& model, Index texture) {
  const scene::Scene& scene = *model.scene;
  const Index image = texture < scene.textures.size() ? scene.textures[texture].image : kNone;
  return image < scene.images.size() && scene.images[image].placeholder;
}

}  // namespace thaw::frame
