// Lines over the picture: bones, collision shapes, what the model states of its size, a grid, a marked node.
#include "frame/builder.hpp"

#include <algorithm>

namespace thaw::frame {
namespace {

class Lines {
 public:
  Lines(Builder& builder, Origin origin, const Vec4& color) : builder_(builder), frame_(builder.frame) {
    draw_.topology = Topology::lines;
    draw_.origin = origin;
    draw_.color = color;
    draw_.blend = Blend::alpha;
    draw_.depth_test = false;
    draw_.depth_write = false;
    draw_.fogged = false;
    draw_.base_position = static_cast<std::uint32_t>(frame_.positions.size());
    draw_.first_index = static_cast<std::uint32_t>(frame_.indices.size());
  }
  Lines(const Lines&) = delete;
  Lines(Lines&&) = delete;
  Lines& operator=(const Lines&) = delete;
  Lines& operator=(Lines&&) = delete;
  ~Lines() = default;

  void add(const Vec3d& from, const Vec3d& to) {
    for (const Vec3d* end : {&from, &to}) {
      frame_.indices.push_back(static_cast<std::uint32_t>(frame_.positions.size()) - draw_.base_position);
      frame_.positions.push_back(scene::narrow(*end));
    }
  }

  void add_box(const scene::Mat4d& world, const Vec3& least, const Vec3& most) {
    const auto corner = [&](unsigned bits) {
      return scene::transform_point(world, {double{(bits & 1U) != 0 ? most[0] : least[0]},
                                            double{(bits & 2U) != 0 ? most[1] : least[1]},
                                            double{(bits & 4U) != 0 ? most[2] : least[2]}});
    };
    for (unsigned bits = 0; bits < 8; ++bits) {
      for (const unsigned axis : {1U, 2U, 4U}) {
        if ((bits & axis) == 0) {
          add(corner(bits), corner(bits | axis));
        }
      }
    }
  }

  /// A circle about `middle` in the plane of two axes, each as long as the radius.
  void add_circle(const scene::Mat4d& world, const Vec3d& middle, const Vec3d& a, const Vec3d& b) {
    constexpr int kSegments = 32;
    const auto point = [&](int i) {
      const double angle = 2 * scene::kPi * i / kSegments;
      return scene::transform_point(world,
                                    scene::add(middle, scene::add(scene::scaled(a, scene::cosine(angle)),
                                                                  scene::scaled(b, scene::sine(angle)))));
    };
    for (int i = 0; i < kSegments; ++i) {
      add(point(i), point(i + 1));
    }
  }

  void finish() {
    draw_.index_count = static_cast<std::uint32_t>(frame_.indices.size()) - draw_.first_index;
    draw_.vertex_count = static_cast<std::uint32_t>(frame_.positions.size()) - draw_.base_position;
    builder_.add(draw_, {true, kOverlayPriority, 0});
  }

 private:
  Builder& builder_;
  Frame& frame_;
  Draw draw_;
};

bool is_joint(const scene::Node& node) {
  return node.kind == scene::NodeKind::bone || node.kind == scene::NodeKind::helper;
}

/// Bones; of a scene that has none, what else stands in it.
std::vector<Index> shown_nodes(const scene::Scene& scene) {
  const bool joints = std::any_of(scene.nodes.begin(), scene.nodes.end(), is_joint);
  std::vector<Index> shown;
  for (Index node = 0; node < scene.nodes.size(); ++node) {
    const scene::NodeKind kind = scene.nodes[node].kind;
    const bool thing = kind != scene::NodeKind::root && kind != scene::NodeKind::mesh;
    if (joints ? is_joint(scene.nodes[node]) : thing) {
      shown.push_back(node);
    }
  }
  return shown;
}

/// Half as long as a node's cross. Where nothing but nodes is to be seen they are not to be overlooked.
double reach_of_crosses(const Instance& instance, const std::vector<Index>& nodes) {
  const scene::Scene& scene = *instance.model.scene;
  double reach = double{scene.bounds.radius > 0 ? scene.bounds.radius : 1} * 0.01;
  if (scene.meshes.empty() && !nodes.empty()) {
    const auto place = [&](Index node) { return scene::translation_of(instance.places[node].world); };
    for (const Index node : nodes) {
      reach = std::max(reach, scene::length(scene::subtract(place(node), place(nodes.front()))) * 0.05);
    }
  }
  return reach;
}

void add_bones(Builder& builder, const Instance& instance) {
  const scene::Scene& scene = *instance.model.scene;
  Lines lines(builder, Origin::bones, {0.2F, 1, 0.4F, 0.9F});
  const std::vector<Index> nodes = shown_nodes(scene);
  const double cross = reach_of_crosses(instance, nodes);
  for (const Index node : nodes) {
    const Vec3d at = scene::translation_of(instance.places[node].world);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      Vec3d arm{};
      arm[axis] = cross;
      lines.add(scene::subtract(at, arm), scene::add(at, arm));
    }
    const Index parent = instance.model.skeleton.parent(node);
    if (parent != kNone && scene.nodes[parent].kind != scene::NodeKind::root) {
      lines.add(scene::translation_of(instance.places[parent].world), at);
    }
  }
  lines.finish();
}

/// Ten squares or more from the middle to each side, a power of ten units wide or half of one.
void add_grid(Builder& builder, const scene::Scene& scene) {
  constexpr double kLeast = 1e-3;
  constexpr double kMost = 1e6;
  constexpr int kSquares = 10;
  const double reach = std::clamp(double{scene.bounds.radius}, kLeast, kMost);
  double step = kMost;
  while (step / 2 * kSquares > reach) {
    step = step / 2 * kSquares > reach * 5 ? step / 10 : step / 2;
  }
  Lines lines(builder, Origin::grid, {0.6F, 0.6F, 0.65F, 0.35F});
  const double end = step * kSquares;
  for (int i = -kSquares; i <= kSquares; ++i) {
    const double at = step * i;
    lines.add({at, 0, -end}, {at, 0, end});
    lines.add({-end, 0, at}, {end, 0, at});
  }
  lines.finish();
}

void add_mark(Builder& builder, const Instance& instance) {
  const scene::Mat4d& world = instance.places[builder.options.marked_node].world;
  const float radius = instance.model.scene->bounds.radius;
  const double length = double{radius > 0 ? radius : 1} * 0.15;
  const Vec3d at = scene::translation_of(world);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    Vec4 color{0.25F, 0.25F, 0.25F, 1};
    color.at(axis) = 1;
    Lines lines(builder, Origin::mark, color);
    Vec3d arm{};
    arm[axis] = 1;
    const Vec3d ahead = scene::subtract(scene::transform_point(world, arm), at);
    const double scale = scene::length(ahead);
    lines.add(at, scene::add(at, scene::scaled(ahead, scale > 1e-12 ? length / scale : 0)));
    lines.finish();
  }
}

void add_sphere(Lines& lines, const scene::Mat4d& world, const Vec3d& middle, double r) {
  lines.add_circle(world, middle, {r, 0, 0}, {0, r, 0});
  lines.add_circle(world, middle, {0, r, 0}, {0, 0, r});
  lines.add_circle(world, middle, {0, 0, r}, {r, 0, 0});
}

void add_shape(Lines& lines, const scene::CollisionShape& shape, const scene::Mat4d& world) {
  using Kind = scene::CollisionShape::Kind;
  const auto r = double{shape.radius};
  const auto& v = shape.vertices;
  if (v.size() >= 2 && (shape.kind == Kind::box || shape.kind == Kind::plane)) {
    lines.add_box(world, v[0], v[1]);
  } else if (!v.empty() && shape.kind == Kind::sphere) {
    add_sphere(lines, world, scene::widen(v[0]), r);
  } else if (v.size() >= 2 && shape.kind == Kind::cylinder) {
    for (const Vec3& end : {v[0], v[1]}) {
      lines.add_circle(world, scene::widen(end), {r, 0, 0}, {0, 0, r});
    }
    for (const double side : {-r, r}) {
      const Vec3d x = {side, 0, 0};
      const Vec3d z = {0, 0, side};
      for (const Vec3d& edge : {x, z}) {
        lines.add(scene::transform_point(world, scene::add(scene::widen(v[0]), edge)),
                  scene::transform_point(world, scene::add(scene::widen(v[1]), edge)));
      }
    }
  }
}

}  // namespace

void add_overlays(Builder& builder, const Instance& instance) {
  const scene::Scene& scene = *instance.model.scene;
  if (builder.options.bones) {
    add_bones(builder, instance);
  }
  if (builder.options.collision) {
    Lines lines(builder, Origin::collision, {1, 0.8F, 0.1F, 0.9F});
    for (const auto& shape : scene.collision_shapes) {
      const bool placed = shape.node < instance.places.size();
      add_shape(lines, shape, placed ? instance.places[shape.node].world : scene::kIdentity);
    }
    lines.finish();
  }
  if (builder.options.extents) {
    Lines lines(builder, Origin::extents, {0.4F, 0.7F, 1, 0.9F});
    lines.add_box(scene::kIdentity, scene.bounds.minimum, scene.bounds.maximum);
    if (scene.bounds.radius > 0) {
      add_sphere(lines, scene::kIdentity, {}, double{scene.bounds.radius});
    }
    lines.finish();
  }
  if (builder.options.grid && instance.depth == 0) {
    add_grid(builder, scene);
  }
  if (builder.options.marked_node < instance.places.size() && instance.depth == 0) {
    add_mark(builder, instance);
  }
}

}  // namespace thaw::frame
