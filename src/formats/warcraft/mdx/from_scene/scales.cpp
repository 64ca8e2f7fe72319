// Scales that the game's keys cannot hold in the axes of the model: unequal ones below which something
// turns, or along axes that the rest pose turned (mdx.md#nodes). Such a node gets an object with the scene's
// keys as they are, and one below it that leads back to the axes of the model and holds what hangs there.
#include "formats/warcraft/mdx/from_scene/model_builder.hpp"
#include "formats/warcraft/mdx/from_scene/node_terms.hpp"

#include "scene/curve.hpp"
#include "scene/pose.hpp"

#include <algorithm>

namespace thaw::mdx {
namespace {

constexpr double kEven = 1e-6;

Mat4d linear(Mat4d m) {
  m[12] = m[13] = m[14] = 0;
  return m;
}

double differs_by(const Mat4d& a, const Mat4d& b) {
  double most = 0;
  for (std::size_t i = 0; i < 12; ++i) {
    most = std::max(most, std::abs(a.at(i) - b.at(i)));
  }
  return most;
}

bool uneven(const Vec3d& scale) {
  const auto [low, high] = std::minmax({scale[0], scale[1], scale[2]});
  return high - low > kEven * std::max(std::abs(low), std::abs(high));
}

/// A turn and a size, perhaps mirrored.
bool is_even(const Mat4d& m) {
  const scene::Transform parts = scene::decompose(m);
  Vec3d scale = scene::widen(parts.scale);
  scale[0] = std::abs(scale[0]);
  return !uneven(scale) && differs_by(linear(m), linear(scene::compose(parts))) <= kEven * scale[1];
}

/// Rotation and scale of a matrix as constant keys.
ConstantKeys constant_keys(const Mat4d& m) {
  const scene::Transform parts = scene::decompose(m);
  return {normalized(scene::widen(parts.rotation)), scene::widen(parts.scale)};
}

/// Axes along which a matrix scales only, by turns that bring the sum of the squares off the diagonal of
/// its square to nothing (Jacobi).
Mat4d main_axes(const Mat4d& m) {
  Mat4d turned = linear(m);
  Mat4d axes = scene::kIdentity;
  constexpr int kSweeps = 12;  // it converges quadratically
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    for (const auto& [p, q] : {std::pair(0, 1), std::pair(0, 2), std::pair(1, 2)}) {
      const auto column = [&](const Mat4d& of, int i) {
        const auto at = static_cast<std::size_t>(i) * 4;
        return Vec3d{of.at(at), of.at(at + 1), of.at(at + 2)};
      };
      const Vec3d a = column(turned, p);
      const Vec3d b = column(turned, q);
      const double off = scene::dot(a, b);
      if (std::abs(off) <= 1e-17 * (scene::dot(a, a) + scene::dot(b, b))) {
        continue;
      }
      const double ratio = (scene::dot(b, b) - scene::dot(a, a)) / (2 * off);
      const double tangent = (ratio < 0 ? -1 : 1) / (std::abs(ratio) + std::sqrt(1 + ratio * ratio));
      const double cosine = 1 / std::sqrt(1 + tangent * tangent);
      const double sine = tangent * cosine;
      for (Mat4d* both : {&turned, &axes}) {
        const Vec3d x = column(*both, p);
        const Vec3d y = column(*both, q);
        for (std::size_t i = 0; i < 3; ++i) {
          both->at(static_cast<std::size_t>(p) * 4 + i) = cosine * x.at(i) - sine * y.at(i);
          both->at(static_cast<std::size_t>(q) * 4 + i) = sine * x.at(i) + cosine * y.at(i);
        }
      }
    }
  }
  return axes;
}

class ScaleSpreader {
 public:
  explicit ScaleSpreader(ModelBuilder& builder)
      : builder_(builder),
        nodes_(builder.scene.nodes),
        requested_(nodes_.size()),
        used_(builder.objects.size()) {}

  void spread();

 private:
  [[nodiscard]] bool has_uneven() const;
  [[nodiscard]] bool is_exact(Index node) const;
  [[nodiscard]] bool want(Index node);
  void find_used();
  void add(Index node);
  [[nodiscard]] Mat4d above(Index node) const {
    return nodes_[node].parent < node ? builder_.reference[nodes_[node].parent] : scene::kIdentity;
  }
  [[nodiscard]] const std::vector<std::pair<Index, const scene::Curve*>>& curves(Index node,
                                                                                 Property property) const {
    static const std::vector<std::pair<Index, const scene::Curve*>> kNothing;
    const auto found = builder_.channels.find({Target::Kind::node, node, 0, property});
    return found == builder_.channels.end() ? kNothing : found->second;
  }

  ModelBuilder& builder_;
  const std::vector<scene::Node>& nodes_;
  std::vector<bool> requested_;
  std::vector<bool> used_;  ///< by object: something follows it that has no object of the scene's keys
};

bool ScaleSpreader::has_uneven() const {
  for (Index node = 0; node < nodes_.size(); ++node) {
    if (uneven(scene::widen(nodes_[node].rest.scale)) || !is_even(builder_.reference[node])) {
      return true;
    }
    for (const auto& [clip, curve] : curves(node, Property::scale)) {
      const auto& values = curve->values;
      for (std::size_t i = 0; i + 2 < values.size(); i += 3) {
        if (uneven({double{values[i]}, double{values[i + 1]}, double{values[i + 2]}})) {
          return true;
        }
      }
    }
  }
  return false;
}

/// Whether the keys of the usual form say what the scene does, at its keys and between them.
bool ScaleSpreader::is_exact(Index node) const {
  const scene::Transform& rest = nodes_[node].rest;
  const NodeTerms terms(above(node), builder_.reference[node], builder_.scene.axes, 1, 1);
  const double most = std::max(double{builder_.options.tolerance}, kEven);
  const auto fits = [&](const Vec4& rotation, const Vec3& scale) {
    return terms.error(scene::widen(rotation), scene::widen(scale)) <= most;
  };
  std::map<Index, std::pair<const scene::Curve*, const scene::Curve*>> of_clips;
  for (const auto& [clip, curve] : curves(node, Property::rotation)) {
    of_clips[clip].first = curve;
  }
  for (const auto& [clip, curve] : curves(node, Property::scale)) {
    of_clips[clip].second = curve;
  }
  for (const auto& [clip, both] : of_clips) {
    std::vector<const scene::Curve*> moving{both.first, both.second};
    std::erase(moving, nullptr);
    const auto fits_at = [&, &rotation = both.first, &scale = both.second](float time) {
      Vec3 size = rest.scale;
      if (scale != nullptr) {
        scene::evaluate(*scale, time, size);
      }
      return fits(rotation == nullptr ? rest.rotation : scene::evaluate_rotation(*rotation, time), size);
    };
    const auto times = scene::merged_times(moving);
    for (std::size_t i = 0; i < times.size(); ++i) {
      const float next = times[std::min(i + 1, times.size() - 1)];
      if (!fits_at(times[i]) || !fits_at((times[i] + next) / 2)) {
        return false;
      }
    }
  }
  return builder_.scene.clips.empty() || fits(rest.rotation, rest.scale);
}

/// With all above it, up to where the axes are turned and mirrored only.
bool ScaleSpreader::want(Index node) {
  std::vector<Index> chain;
  for (Index at = node; !requested_[at]; at = nodes_[at].parent) {
    const scene::Node& source = nodes_[at];
    const bool inherits = source.inherit_translation && source.inherit_rotation && source.inherit_scale;
    if (!inherits || source.billboard != scene::Billboard::none || source.camera_anchored) {
      return false;
    }
    chain.push_back(at);
    if (source.parent >= at || is_even(builder_.reference[source.parent])) {
      break;
    }
  }
  for (const Index at : chain) {
    requested_[at] = true;
  }
  return true;
}

void ScaleSpreader::find_used() {
  const auto use = [&](Index object) {
    if (object != kNone) {
      used_[object] = true;
    }
  };
  for (const auto& mesh : builder_.scene.meshes) {
    const scene::Skin* skin = scene::sound_skin(builder_.scene, mesh);
    if (skin == nullptr) {
      use(builder_.carrier(mesh.node));
    }
    for (std::size_t j = 0; skin != nullptr && j < skin->joints.size(); ++j) {
      use(builder_.carrier(skin->joints[j]));
    }
  }
  for (Index i = 0; i < builder_.objects.size(); ++i) {
    const SceneObject& object = builder_.objects[i];
    const Index parent = nodes_[object.node].parent;
    if (object.item != kNone) {
      use(builder_.object_of_node[object.node]);
    } else if (!requested_[object.node] && parent < object.node) {
      use(builder_.carrier(parent));
    }
  }
}

void ScaleSpreader::add(Index node) {
  const Index last = builder_.object_of_node[node];
  if (last != kNone && !used_[last]) {
    builder_.objects[last].raw = true;
    builder_.raw_object[node] = last;
    return;
  }
  const auto append = [&](const char* what) -> SceneObject& {
    SceneObject& added = builder_.objects.emplace_back(SceneObject{ObjectKind::helper, node, kNone});
    added.name = nodes_[node].name + what;
    return added;
  };
  append(" motion").raw = true;
  builder_.raw_object[node] = static_cast<Index>(builder_.objects.size() - 1);
  if (last == kNone) {
    return;
  }
  // Back to the axes of the model: a turn and a scale, or else two turns and a scale between them.
  const Mat4d back = linear(scene::inverse(builder_.reference[node]));
  ConstantKeys keys = constant_keys(back);
  Index hangs_at = builder_.raw_object[node];
  if (differs_by(back, scene::compose({}, keys.rotation, keys.scale)) > kEven * scene::length(keys.scale)) {
    const Mat4d axes = main_axes(back);
    SceneObject& stretch = append(" stretch");
    stretch.constant_keys = constant_keys(scene::multiply(back, axes));
    stretch.above = hangs_at;
    hangs_at = static_cast<Index>(builder_.objects.size() - 1);
    keys = constant_keys(scene::inverse(axes));
  }
  builder_.objects[last].constant_keys = keys;
  builder_.objects[last].above = hangs_at;
}

void ScaleSpreader::spread() {
  builder_.raw_object.assign(nodes_.size(), kNone);
  if (!has_uneven()) {
    return;
  }
  std::size_t fitted = 0;
  for (Index node = 0; node < nodes_.size(); ++node) {
    if (builder_.object_of_node[node] != kNone && !is_exact(node)) {
      fitted += want(node) ? 0U : 1U;
    }
  }
  find_used();
  const std::size_t before = builder_.objects.size();
  for (Index node = 0; node < nodes_.size(); ++node) {
    if (requested_[node]) {
      add(node);
    }
  }
  if (builder_.objects.size() > before) {
    builder_.add("helpers added to hold unequal scales: " + std::to_string(builder_.objects.size() - before));
  }
  builder_.fitted = fitted;
}

}  // namespace

void spread_scales(ModelBuilder& builder) { ScaleSpreader(builder).spread(); }

}  // namespace thaw::mdx
