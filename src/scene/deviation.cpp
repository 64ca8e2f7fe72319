#include "scene/deviation.hpp"

#include "scene/pose.hpp"

#include <algorithm>
#include <limits>

namespace thaw::scene {
namespace {

/// Vertices that are placed in each of both scenes; more than these only make it slow.
constexpr std::size_t kMostPlaced = 2000000;
constexpr std::size_t kMostMoments = 48;
constexpr std::size_t kFewestMoments = 4;

/// A mesh while nothing moves on.
class PlacedMesh {
 public:
  PlacedMesh(const Scene& scene, Index mesh, const std::vector<Mat4d>& world)
      : mesh_(scene.meshes[mesh]), skin_(sound_skin(scene, mesh_)) {
    for (std::size_t j = 0; skin_ != nullptr && j < skin_->joints.size(); ++j) {
      bones_.push_back(multiply(world[skin_->joints[j]], widen(skin_->inverse_bind[j])));
    }
    if (skin_ == nullptr) {
      bones_.push_back(mesh_.node < world.size() ? world[mesh_.node] : kIdentity);
    }
  }

  [[nodiscard]] Vec3d vertex(std::size_t at) const {
    const Vec3d position = widen(mesh_.positions[at]);
    if (skin_ == nullptr) {
      return transform_point(bones_.front(), position);
    }
    Vec3d sum{};
    double weights = 0;
    for (std::size_t i = at * mesh_.influences; i < (at + 1) * mesh_.influences; ++i) {
      const auto weight = double{mesh_.weights[i]};
      if (weight > 0) {
        sum = add(sum, scaled(transform_point(bones_[mesh_.joints[i]], position), weight));
        weights += weight;
      }
    }
    return weights > 0 ? scaled(sum, 1 / weights) : position;
  }

 private:
  const Mesh& mesh_;
  const Skin* skin_;
  std::vector<Mat4d> bones_;
};

class DeviationMeter {
 public:
  DeviationMeter(const Scene& source, const Scene& result, std::span<const ConvertedMesh> meshes)
      : source_(source), result_(result), meshes_(meshes) {
    for (const ConvertedMesh& mesh : meshes) {
      vertices_ += mesh.vertices.size();
    }
  }

  double measure(const Control* control) {
    std::vector<const Clip*> clips;
    for (const Clip& clip : source_.clips) {
      if (!clip.global) {
        clips.push_back(&clip);
      }
    }
    if (clips.empty()) {
      look(Poser(source_, nullptr), Poser(result_, nullptr), 0);
    }
    const std::size_t room = kMostPlaced / (vertices_ * std::max<std::size_t>(1, clips.size()) + 1);
    const std::size_t moments = std::clamp(room, kFewestMoments, kMostMoments);
    step_ = std::max<std::size_t>(1, moments / std::max<std::size_t>(1, room));
    for (std::size_t i = 0; i < std::min(clips.size(), result_.clips.size()); ++i) {
      if (!proceed(control, "deviations", i, clips.size())) {
        break;
      }
      const Poser before(source_, clips[i]);
      const Poser after(result_, &result_.clips[i]);
      for (std::size_t m = 0; m <= moments; ++m) {
        look(before, after, clips[i]->duration * static_cast<float>(m) / static_cast<float>(moments));
      }
    }
    return largest_;
  }

 private:
  void look(const Poser& before, const Poser& after, float time) {
    const auto here = before.world_matrices(time);
    const auto there = after.world_matrices(time, source_.axes);
    for (std::size_t m = 0; m < std::min(meshes_.size(), result_.meshes.size()); ++m) {
      const PlacedMesh source(source_, meshes_[m].source, here);
      const PlacedMesh result(result_, static_cast<Index>(m), there);
      const auto& vertices = meshes_[m].vertices;
      for (std::size_t v = 0; v < std::min(vertices.size(), result_.meshes[m].positions.size()); v += step_) {
        largest_ = std::max(largest_, length(subtract(source.vertex(vertices[v]), result.vertex(v))));
      }
    }
  }

  const Scene& source_;
  const Scene& result_;
  std::span<const ConvertedMesh> meshes_;
  std::size_t vertices_ = 0;
  std::size_t step_ = 1;
  double largest_ = 0;
};

/// Vertices that triangles use, by their way along a direction in which models have no faces.
class SortedPlaces {
 public:
  SortedPlaces(const Scene& scene, Axes axes) {
    const auto world = Poser(scene, nullptr).world_matrices(0, axes);
    for (Index m = 0; m < scene.meshes.size(); ++m) {
      const PlacedMesh mesh(scene, m, world);
      std::vector<bool> used(scene.meshes[m].positions.size());
      for (const std::uint32_t corner : scene.meshes[m].indices) {
        if (corner < used.size() && !used[corner]) {
          used[corner] = true;
          const Vec3d place = mesh.vertex(corner);
          places_.emplace_back(along(place), place);
        }
      }
    }
    std::sort(places_.begin(), places_.end());
  }

  [[nodiscard]] const std::vector<std::pair<double, Vec3d>>& places() const { return places_; }

  [[nodiscard]] double nearest(const Vec3d& place) const {
    const auto middle = std::lower_bound(places_.begin(), places_.end(), std::pair(along(place), place));
    double best = std::numeric_limits<double>::max();
    const auto look = [&](const std::pair<double, Vec3d>& other) {
      best = std::min(best, length(subtract(other.second, place)));
      return std::abs(other.first - along(place)) < best;
    };
    for (auto at = middle; at != places_.end() && look(*at); ++at) {
    }
    for (auto at = middle; at != places_.begin() && look(*std::prev(at)); --at) {
    }
    return places_.empty() ? 0 : best;
  }

 private:
  static double along(const Vec3d& place) { return dot(place, {0.6123, 0.5345, 0.5827}); }

  std::vector<std::pair<double, Vec3d>> places_;
};

}  // namespace

double nearest_deviation(const Scene& source, const Scene& result, const Control* control) {
  const SortedPlaces before(source, source.axes);
  const SortedPlaces after(result, source.axes);
  constexpr std::size_t kMostSought = 200000;
  const std::size_t step = after.places().size() / kMostSought + 1;
  double largest = 0;
  for (std::size_t i = 0; i < after.places().size() && !is_stopped(control); i += step) {
    largest = std::max(largest, before.nearest(after.places()[i].second));
  }
  return largest;
}

double placed_deviation(const Scene& scene, const std::vector<Mat4d>& here, const std::vector<Mat4d>& there) {
  constexpr std::size_t kMostOfMesh = 500;
  double largest = 0;
  for (Index m = 0; m < scene.meshes.size(); ++m) {
    const PlacedMesh before(scene, m, here);
    const PlacedMesh after(scene, m, there);
    const std::size_t count = scene.meshes[m].positions.size();
    for (std::size_t v = 0; v < count; v += count / kMostOfMesh + 1) {
      largest = std::max(largest, length(subtract(before.vertex(v), after.vertex(v))));
    }
  }
  return largest;
}

double largest_deviation(const Scene& source, const Scene& result, std::span<const ConvertedMesh> meshes,
                         const Control* control) {
  return DeviationMeter(source, result, meshes).measure(control);
}

}  // namespace thaw::scene
