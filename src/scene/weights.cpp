#include "scene/weights.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace thaw::scene {
namespace {

/// What rounding makes of a sum is no fault.
constexpr double kTolerance = 1e-6;

bool is_usable(std::uint16_t joint, float weight, std::size_t joints) {
  return joint < joints && std::isfinite(weight) && weight >= 0;
}

/// True if an influence had to be dropped.
bool settle_vertex(std::span<std::uint16_t> influences, std::span<float> weights, std::size_t joints) {
  bool dropped = false;
  double sum = 0;
  for (std::size_t i = 0; i < influences.size(); ++i) {
    if (!is_usable(influences[i], weights[i], joints)) {
      dropped = dropped || weights[i] != 0;
      influences[i] = 0;
      weights[i] = 0;
    }
    sum += double{weights[i]};
  }
  if (!(sum > 0)) {
    influences[0] = 0;
    weights[0] = 1;
    return dropped;
  }
  if (std::abs(sum - 1) > kTolerance) {
    for (float& weight : weights) {
      weight = static_cast<float>(double{weight} / sum);
    }
  }
  return dropped;
}

}  // namespace

std::size_t settle_weights(Mesh& mesh, std::size_t joints) {
  std::size_t changed = 0;
  const std::size_t count = mesh.influences;
  for (std::size_t at = 0; count > 0 && at + count <= mesh.weights.size(); at += count) {
    const auto joint = std::span(mesh.joints).subspan(at, count);
    if (settle_vertex(joint, std::span(mesh.weights).subspan(at, count), joints)) {
      ++changed;
    }
  }
  return changed;
}

void equalise_weights(Mesh& mesh) {
  constexpr float kStep = 1.001F / 255;
  const std::size_t count = mesh.influences;
  const std::size_t whole = count == 0 ? 0 : mesh.weights.size() / count * count;
  for (std::size_t at = 0; at < whole; at += count) {
    float low = 1;
    float high = 0;
    for (const float weight : std::span(mesh.weights).subspan(at, count)) {
      low = weight > 0 ? std::min(low, weight) : low;
      high = std::max(high, weight);
    }
    if (high - low > kStep) {
      return;
    }
  }
  for (std::size_t at = 0; at < whole; at += count) {
    const auto weights = std::span(mesh.weights).subspan(at, count);
    const auto used = std::count_if(weights.begin(), weights.end(), [](float weight) { return weight > 0; });
    std::replace_if(
        weights.begin(), weights.end(), [](float weight) { return weight > 0; },
        1 / static_cast<float>(used));
  }
}

}  // namespace thaw::scene
