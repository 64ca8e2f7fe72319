#include "scene/simplify.hpp"

#include <thaw/control.hpp>

#include "scene/pose.hpp"
#include "scene/roles.hpp"
#include "scene/skinned.hpp"

#include <map>
#include <queue>
#include <set>
#include <tuple>

namespace thaw::scene {
namespace {

constexpr std::uint32_t kNowhere = ~std::uint32_t{0};
/// A triangle that turns further than this (cosine) is one that folds over.
constexpr double kLeastTurn = 0.2;
/// How much more than the surface an open border holds, and a seam on it.
constexpr double kBorderWeight = 10;
constexpr double kSeamWeight = 1;
/// What it costs that a vertex follows other bones, as a share of the way to the other.
constexpr double kBoneWeight = 0.1;

/// The sum of squared distances from planes, each weighed (Garland and Heckbert).
struct Quadric {
  std::array<double, 10> terms{};

  void add_plane(const Vec3d& normal, const Vec3d& place, double weight) {
    const double d = -dot(normal, place);
    const std::array<double, 4> plane = {normal[0], normal[1], normal[2], d};
    std::size_t at = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t j = i; j < 4; ++j) {
        terms.at(at++) += weight * plane.at(i) * plane.at(j);
      }
    }
  }
  void add(const Quadric& other) {
    for (std::size_t i = 0; i < terms.size(); ++i) {
      terms.at(i) += other.terms.at(i);
    }
  }
  [[nodiscard]] double at(const Vec3d& p) const {
    const auto& t = terms;
    return t[0] * p[0] * p[0] + t[4] * p[1] * p[1] + t[7] * p[2] * p[2] + t[9] +
           2 * (t[1] * p[0] * p[1] + t[2] * p[0] * p[2] + t[5] * p[1] * p[2] + t[3] * p[0] + t[6] * p[1] +
                t[8] * p[2]);
  }
};

/// How far a point is from a triangle, squared.
double distance_to(const Vec3d& p, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  const Vec3d ab = subtract(b, a);
  const Vec3d ac = subtract(c, a);
  const Vec3d ap = subtract(p, a);
  const Vec3d normal = cross(ab, ac);
  const double area = dot(normal, normal);
  if (area > 0) {
    const double v = dot(cross(ap, ac), normal) / area;
    const double w = dot(cross(ab, ap), normal) / area;
    if (v >= 0 && w >= 0 && v + w <= 1) {
      const double off = dot(ap, normal);
      return off * off / area;
    }
  }
  const auto to_edge = [&](const Vec3d& from, const Vec3d& to) {
    const Vec3d direction = subtract(to, from);
    const double size = dot(direction, direction);
    const double share = size > 0 ? std::clamp(dot(subtract(p, from), direction) / size, 0.0, 1.0) : 0;
    const Vec3d off = subtract(p, add(from, scaled(direction, share)));
    return dot(off, off);
  };
  return std::min({to_edge(a, b), to_edge(b, c), to_edge(c, a)});
}

}  // namespace

/// Vertices at one place are one to the surface; those of seams keep apart what hangs on them.
class Simplifier::Surface {
 public:
  explicit Surface(const Mesh& mesh) : source_(mesh) {
    weld();
    take_triangles();
    quadrics_.resize(places_.size());
    stamps_.assign(places_.size(), 0);
    gathered_.resize(places_.size());
    for (std::uint32_t t = 0; t < triangles_.size(); ++t) {
      add_planes(t);
    }
    for (std::uint32_t place = 0; place < fans_.size(); ++place) {
      push_around(place);
    }
  }

  void reduce(std::size_t requested, double most) {
    bool moved = true;
    while (left_ > requested && moved) {
      moved = false;
      std::vector<Step> waiting;
      while (left_ > requested && !steps_.empty()) {
        const Step step = steps_.top();
        steps_.pop();
        if (stamps_[step.from] != step.from_stamp || stamps_[step.to] != step.to_stamp) {
          continue;
        }
        if (const auto wedges = wedges_of(step.from, step.to); wedges && stays_near(step, most)) {
          collapse(step, *wedges);
          moved = true;
        } else {
          waiting.push_back(step);
        }
      }
      // What could not be may be possible when its surroundings are others.
      for (const Step& step : waiting) {
        steps_.push(step);
      }
    }
  }

  [[nodiscard]] std::size_t left() const { return left_; }

  [[nodiscard]] double error() const {
    double worst = 0;
    for (std::uint32_t place = 0; place < gathered_.size(); ++place) {
      if (gathered_[place].empty()) {
        continue;
      }
      std::set<std::uint32_t> near;
      for (const std::uint32_t around : ring(place)) {
        const auto fan = live(around);
        near.insert(fan.begin(), fan.end());
      }
      for (const std::uint32_t lost : gathered_[place]) {
        double least = std::numeric_limits<double>::infinity();
        for (const std::uint32_t t : near) {
          least = std::min(least, distance_to(places_[lost], corner(t, 0), corner(t, 1), corner(t, 2)));
        }
        worst = std::max(worst, std::isfinite(least) ? least : 0);
      }
    }
    return std::sqrt(worst);
  }

  [[nodiscard]] Mesh mesh() const {
    Mesh result;
    result.name = source_.name;
    result.influences = source_.influences;
    result.skin = source_.skin;
    result.color = source_.color;
    result.alpha = source_.alpha;
    std::vector<std::uint32_t> numbers(source_.positions.size(), kNowhere);
    std::vector<std::uint32_t> used;
    for (const Triangle& triangle : triangles_) {
      if (triangle.live) {
        for (const std::uint32_t vertex : triangle.vertices) {
          numbers[vertex] = 0;
        }
      }
    }
    for (std::uint32_t vertex = 0; vertex < numbers.size(); ++vertex) {
      if (numbers[vertex] != kNowhere) {
        numbers[vertex] = static_cast<std::uint32_t>(used.size());
        used.push_back(vertex);
      }
    }
    take_vertices(result, used);
    for (std::size_t part = 0; part < source_.parts.size(); ++part) {
      const auto first = static_cast<Index>(result.indices.size());
      for (const Triangle& triangle : triangles_) {
        if (triangle.live && triangle.part == part) {
          for (const std::uint32_t vertex : triangle.vertices) {
            result.indices.push_back(numbers[vertex]);
          }
        }
      }
      result.parts.push_back(
          {first, static_cast<Index>(result.indices.size()) - first, source_.parts[part].material});
    }
    return result;
  }

 private:
  struct Triangle {
    std::array<std::uint32_t, 3> vertices{};
    std::size_t part = 0;
    bool live = true;
  };
  /// A place moves onto another.
  struct Step {
    double cost = 0;
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::uint32_t from_stamp = 0;
    std::uint32_t to_stamp = 0;

    friend bool operator<(const Step& a, const Step& b) {  // the cheapest is the largest
      return std::tie(a.cost, a.from, a.to) > std::tie(b.cost, b.from, b.to);
    }
  };
  /// Which vertex becomes which other.
  using Wedges = std::map<std::uint32_t, std::uint32_t>;
  enum class Edge : std::uint8_t { inner, seam, border, tangled };

  void weld() {
    std::map<std::array<float, 3>, std::uint32_t> found;
    for (const Vec3& position : source_.positions) {
      const auto [entry, fresh] = found.try_emplace(position, static_cast<std::uint32_t>(places_.size()));
      if (fresh) {
        places_.push_back(widen(position));
      }
      place_of_.push_back(entry->second);
    }
    fans_.resize(places_.size());
  }

  void take_triangles() {
    for (std::size_t part = 0; part < source_.parts.size(); ++part) {
      const std::size_t first = source_.parts[part].first_index;
      const std::size_t end =
          std::min<std::size_t>(first + source_.parts[part].index_count, source_.indices.size());
      for (std::size_t i = first; i + 3 <= end; i += 3) {
        Triangle triangle{{source_.indices[i], source_.indices[i + 1], source_.indices[i + 2]}, part, true};
        const auto& v = triangle.vertices;
        if (std::max({v[0], v[1], v[2]}) >= place_of_.size() || place_of_[v[0]] == place_of_[v[1]] ||
            place_of_[v[1]] == place_of_[v[2]] || place_of_[v[2]] == place_of_[v[0]]) {
          continue;
        }
        for (const std::uint32_t vertex : v) {
          fans_[place_of_[vertex]].push_back(static_cast<std::uint32_t>(triangles_.size()));
        }
        triangles_.push_back(triangle);
      }
    }
    left_ = triangles_.size();
  }

  [[nodiscard]] const Vec3d& corner(std::uint32_t t, std::size_t i) const {
    return places_[place_of_[triangles_[t].vertices.at(i)]];
  }
  [[nodiscard]] Vec3d doubled_area(std::uint32_t t) const {
    return cross(subtract(corner(t, 1), corner(t, 0)), subtract(corner(t, 2), corner(t, 0)));
  }
  /// The vertex of a triangle at a place; kNowhere if it does not touch it.
  [[nodiscard]] std::uint32_t vertex_at(std::uint32_t t, std::uint32_t place) const {
    for (const std::uint32_t vertex : triangles_[t].vertices) {
      if (place_of_[vertex] == place) {
        return vertex;
      }
    }
    return kNowhere;
  }
  [[nodiscard]] std::vector<std::uint32_t> live(std::uint32_t place) const {
    std::vector<std::uint32_t> fan;
    std::copy_if(fans_[place].begin(), fans_[place].end(), std::back_inserter(fan),
                 [&](std::uint32_t t) { return triangles_[t].live && vertex_at(t, place) != kNowhere; });
    return fan;
  }
  [[nodiscard]] std::set<std::uint32_t> ring(std::uint32_t place) const {
    std::set<std::uint32_t> found;
    for (const std::uint32_t t : live(place)) {
      for (const std::uint32_t vertex : triangles_[t].vertices) {
        found.insert(place_of_[vertex]);
      }
    }
    found.erase(place);
    return found;
  }

  [[nodiscard]] Edge kind_of(const std::vector<std::uint32_t>& fan, std::uint32_t from,
                             std::uint32_t to) const {
    std::array<std::uint32_t, 2> sides{};
    std::size_t count = 0;
    for (const std::uint32_t t : fan) {
      if (vertex_at(t, to) != kNowhere) {
        if (count == sides.size()) {
          return Edge::tangled;
        }
        sides.at(count++) = t;
      }
    }
    if (count < 2) {
      return Edge::border;
    }
    const auto [a, b] = sides;
    const bool same = triangles_[a].part == triangles_[b].part && vertex_at(a, from) == vertex_at(b, from) &&
                      vertex_at(a, to) == vertex_at(b, to);
    return same ? Edge::inner : Edge::seam;
  }

  void add_planes(std::uint32_t t) {
    const Vec3d normal = doubled_area(t);
    const double size = length(normal);
    if (!(size > 0) || !std::isfinite(size)) {
      return;
    }
    const Vec3d up = scaled(normal, 1 / size);
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint32_t from = place_of_[triangles_[t].vertices.at(i)];
      const std::uint32_t to = place_of_[triangles_[t].vertices.at((i + 1) % 3)];
      quadrics_[from].add_plane(up, corner(t, i), size / 2);
      const Edge kind = kind_of(fans_[from], from, to);
      if (kind == Edge::inner) {
        continue;
      }
      // A wall on the edge holds it where it is.
      const Vec3d along = subtract(places_[to], places_[from]);
      const Vec3d wall = unit(cross(along, up), {0, 0, 0});
      const double weight = dot(along, along) * (kind == Edge::seam ? kSeamWeight : kBorderWeight);
      quadrics_[from].add_plane(wall, places_[from], weight);
      quadrics_[to].add_plane(wall, places_[from], weight);
    }
  }

  void push_around(std::uint32_t place) {
    for (const std::uint32_t other : ring(place)) {
      push(place, other);
      push(other, place);
    }
  }

  void push(std::uint32_t from, std::uint32_t to) {
    Quadric both = quadrics_[from];
    both.add(quadrics_[to]);
    const Vec3d direction = subtract(places_[to], places_[from]);
    const double size = dot(direction, direction);
    const double cost =
        std::max(0.0, both.at(places_[to])) + kBoneWeight * size * size * other_bones(from, to);
    if (std::isfinite(cost)) {
      steps_.push({cost, from, to, stamps_[from], stamps_[to]});
    }
  }

  /// 0 for the same bones, 1 for all others.
  [[nodiscard]] double other_bones(std::uint32_t from, std::uint32_t to) const {
    const std::size_t count = source_.influences;
    if (count == 0 || source_.weights.size() < place_of_.size() * count ||
        source_.joints.size() < place_of_.size() * count) {
      return 0;
    }
    const auto fan = live(from);
    const auto with_both =
        std::find_if(fan.begin(), fan.end(), [&](std::uint32_t t) { return vertex_at(t, to) != kNowhere; });
    if (with_both == fan.end()) {
      return 0;
    }
    std::map<std::uint16_t, double> shares;
    const std::size_t a = vertex_at(*with_both, from) * count;
    const std::size_t b = vertex_at(*with_both, to) * count;
    for (std::size_t i = 0; i < count; ++i) {
      shares[source_.joints[a + i]] += double{source_.weights[a + i]};
      shares[source_.joints[b + i]] -= double{source_.weights[b + i]};
    }
    double sum = 0;
    for (const auto& [joint, share] : shares) {
      sum += std::fabs(share) / 2;
    }
    return sum;
  }

  /// Where the vertices of a place go with it; none if it must not move there.
  [[nodiscard]] std::optional<Wedges> wedges_of(std::uint32_t from, std::uint32_t to) const {
    const auto fan = live(from);
    const auto around = ring(from);
    if (!around.contains(to) || !may_move(fan, around, from, to) || !keeps_apart(fan, around, to) ||
        folds(fan, from, to)) {
      return std::nullopt;
    }
    Wedges wedges;
    for (const std::uint32_t t : fan) {
      const std::uint32_t target = vertex_at(t, to);
      if (target != kNowhere && wedges.emplace(vertex_at(t, from), target).first->second != target) {
        return std::nullopt;
      }
    }
    const bool whole = std::all_of(fan.begin(), fan.end(),
                                   [&](std::uint32_t t) { return wedges.contains(vertex_at(t, from)); });
    return whole ? std::optional(std::move(wedges)) : std::nullopt;
  }

  /// What lies on borders or seams goes along them, and stays where they meet or end.
  [[nodiscard]] bool may_move(const std::vector<std::uint32_t>& fan, const std::set<std::uint32_t>& around,
                              std::uint32_t from, std::uint32_t to) const {
    std::size_t lines = 0;
    for (const std::uint32_t other : around) {
      const Edge kind = kind_of(fan, from, other);
      if (kind == Edge::tangled) {
        return false;
      }
      lines += kind == Edge::inner ? 0U : 1U;
    }
    return lines == 0 || (lines == 2 && kind_of(fan, from, to) != Edge::inner);
  }

  /// No two sheets of the surface become one: the ends have no common neighbours except next to their edge.
  [[nodiscard]] bool keeps_apart(const std::vector<std::uint32_t>& fan, const std::set<std::uint32_t>& around,
                                 std::uint32_t to) const {
    const auto others = ring(to);
    const auto common = std::count_if(around.begin(), around.end(),
                                      [&](std::uint32_t place) { return others.contains(place); });
    return common == std::count_if(fan.begin(), fan.end(),
                                   [&](std::uint32_t t) { return vertex_at(t, to) != kNowhere; });
  }

  [[nodiscard]] bool folds(const std::vector<std::uint32_t>& fan, std::uint32_t from,
                           std::uint32_t to) const {
    return std::any_of(fan.begin(), fan.end(), [&](std::uint32_t t) {
      if (vertex_at(t, to) != kNowhere) {
        return false;
      }
      const Vec3d before = doubled_area(t);
      const Vec3d after = moved_area(t, from, to);
      return !(dot(before, after) > kLeastTurn * length(before) * length(after));
    });
  }

  [[nodiscard]] std::array<Vec3d, 3> moved(std::uint32_t t, std::uint32_t from, std::uint32_t to) const {
    std::array<Vec3d, 3> corners{};
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint32_t place = place_of_[triangles_[t].vertices.at(i)];
      corners.at(i) = places_[place == from ? to : place];
    }
    return corners;
  }
  [[nodiscard]] Vec3d moved_area(std::uint32_t t, std::uint32_t from, std::uint32_t to) const {
    const auto corners = moved(t, from, to);
    return cross(subtract(corners[1], corners[0]), subtract(corners[2], corners[0]));
  }

  /// Everything that has come to the two places, from the triangles around the one that is left.
  [[nodiscard]] bool stays_near(const Step& step, double most) const {
    std::vector<std::array<Vec3d, 3>> after;
    for (const std::uint32_t place : {step.from, step.to}) {
      for (const std::uint32_t t : live(place)) {
        if (vertex_at(t, step.from) == kNowhere || vertex_at(t, step.to) == kNowhere) {
          after.push_back(moved(t, step.from, step.to));
        }
      }
    }
    const auto is_near = [&](std::uint32_t lost) {
      return std::any_of(after.begin(), after.end(), [&](const std::array<Vec3d, 3>& corners) {
        return distance_to(places_[lost], corners[0], corners[1], corners[2]) <= most * most;
      });
    };
    return is_near(step.from) &&
           std::all_of(gathered_[step.from].begin(), gathered_[step.from].end(), is_near) &&
           std::all_of(gathered_[step.to].begin(), gathered_[step.to].end(), is_near);
  }

  void collapse(const Step& step, const Wedges& wedges) {
    for (const std::uint32_t t : live(step.from)) {
      if (vertex_at(t, step.to) != kNowhere) {
        triangles_[t].live = false;
        --left_;
        continue;
      }
      for (std::uint32_t& vertex : triangles_[t].vertices) {
        const auto wedge = wedges.find(vertex);
        vertex = wedge == wedges.end() ? vertex : wedge->second;
      }
      fans_[step.to].push_back(t);
    }
    fans_[step.to] = live(step.to);
    fans_[step.from].clear();
    quadrics_[step.to].add(quadrics_[step.from]);
    auto& gathered = gathered_[step.to];
    gathered.push_back(step.from);
    gathered.insert(gathered.end(), gathered_[step.from].begin(), gathered_[step.from].end());
    gathered_[step.from].clear();
    ++stamps_[step.from];
    ++stamps_[step.to];
    push_around(step.to);
  }

  void take_vertices(Mesh& result, const std::vector<std::uint32_t>& used) const {
    const auto take = [&](const auto& from, auto& to, std::size_t each) {
      if (from.size() != source_.positions.size() * each) {
        return;
      }
      for (const std::uint32_t vertex : used) {
        const auto at = from.begin() + static_cast<std::ptrdiff_t>(vertex * each);
        to.insert(to.end(), at, at + static_cast<std::ptrdiff_t>(each));
      }
    };
    take(source_.positions, result.positions, 1);
    take(source_.normals, result.normals, 1);
    take(source_.tangents, result.tangents, 1);
    take(source_.colors, result.colors, 1);
    take(source_.second_colors, result.second_colors, 1);
    for (const auto& set : source_.uv_sets) {
      take(set, result.uv_sets.emplace_back(), 1);
    }
    take(source_.joints, result.joints, source_.influences);
    take(source_.weights, result.weights, source_.influences);
  }

  const Mesh& source_;
  std::vector<Vec3d> places_;
  std::vector<std::uint32_t> place_of_;  ///< of each vertex
  std::vector<Triangle> triangles_;
  std::vector<std::vector<std::uint32_t>> fans_;  ///< triangles at each place
  std::vector<Quadric> quadrics_;
  std::vector<std::uint32_t> stamps_;
  std::vector<std::vector<std::uint32_t>> gathered_;  ///< places that have moved to each
  std::priority_queue<Step> steps_;
  std::size_t left_ = 0;
};

Simplifier::Simplifier(const Mesh& mesh) : surface_(std::make_unique<Surface>(mesh)) {}
Simplifier::~Simplifier() = default;
void Simplifier::reduce(std::size_t triangles, double most) { surface_->reduce(triangles, most); }
Mesh Simplifier::mesh() const { return surface_->mesh(); }
std::size_t Simplifier::triangles() const { return surface_->left(); }
double Simplifier::error() const { return surface_->error(); }

namespace {

/// A mesh on its way through the levels.
struct Chain {
  Index mesh = 0;
  Mat4d place = kIdentity;  ///< where it is at rest
  double scale = 1;         ///< how much longer an edge is there, at most
  std::unique_ptr<Simplifier> simplifier;
};

double largest_scale(const Mat4d& m) {
  return std::max({length({m[0], m[1], m[2]}), length({m[4], m[5], m[6]}), length({m[8], m[9], m[10]})});
}

Mat4d place_of(const Scene& scene, const Mesh& mesh, const std::vector<Mat4d>& world) {
  if (const Skin* skin = mesh.influences > 0 ? sound_skin(scene, mesh) : nullptr; skin != nullptr) {
    return multiply(world[skin->joints.front()], widen(skin->inverse_bind.front()));
  }
  return mesh.node < world.size() ? world[mesh.node] : kIdentity;
}

/// From corner to corner of the box around all meshes.
double size_of(const Scene& scene, const std::vector<Chain>& chains) {
  Vec3d low{};
  Vec3d high{};
  bool any = false;
  for (const Chain& chain : chains) {
    for (const Vec3& position : scene.meshes[chain.mesh].positions) {
      const Vec3d at = transform_point(chain.place, widen(position));
      for (std::size_t axis = 0; axis < 3; ++axis) {
        low.at(axis) = any ? std::min(low.at(axis), at.at(axis)) : at.at(axis);
        high.at(axis) = any ? std::max(high.at(axis), at.at(axis)) : at.at(axis);
      }
      any = true;
    }
  }
  return length(subtract(high, low));
}

/// Levels stand on nodes without a parent: what places the mesh is in its vertices.
void settle(Mesh& mesh, const Mat4d& place) {
  if (place == kIdentity) {
    return;
  }
  const Mat4d directions = directions_of(place);
  for (Vec3& position : mesh.positions) {
    position = narrow(transform_point(place, widen(position)));
  }
  for (Vec3& normal : mesh.normals) {
    normal = narrow(unit(transform_point(directions, widen(normal)), {0, 1, 0}));
  }
  for (Vec4& tangent : mesh.tangents) {
    const Vec3d along{double{tangent[0]}, double{tangent[1]}, double{tangent[2]}};
    const Vec3d turned = subtract(transform_point(place, along), translation_of(place));
    const Vec3 direction = narrow(unit(turned, {1, 0, 0}));
    tangent = {direction[0], direction[1], direction[2], mirrors(place) ? -tangent[3] : tangent[3]};
  }
  for (std::size_t i = 0; mirrors(place) && i + 3 <= mesh.indices.size(); i += 3) {
    std::swap(mesh.indices[i + 1], mesh.indices[i + 2]);
  }
}

std::vector<Chain> chains_of(const Scene& scene) {
  const auto world = Poser(scene, nullptr).world_matrices(0);
  std::vector<Chain> chains;
  for (Index i = 0; i < scene.meshes.size(); ++i) {
    const Mesh& mesh = scene.meshes[i];
    if (!is_collision(scene, mesh) && mesh.node < scene.nodes.size() && !mesh.indices.empty()) {
      Chain& chain = chains.emplace_back();
      chain.mesh = i;
      chain.place = place_of(scene, mesh, world);
      chain.scale = largest_scale(chain.place);
    }
  }
  return chains;
}

void add_level(Scene& scene, const Chain& chain, std::size_t level) {
  Mesh coarser = chain.simplifier->mesh();
  const Mesh& source = scene.meshes[chain.mesh];
  const std::string suffix = "_lod" + std::to_string(level);
  if (source.influences == 0 || sound_skin(scene, source) == nullptr) {
    settle(coarser, chain.place);
  }
  coarser.name += suffix;
  coarser.node = static_cast<Index>(scene.nodes.size());
  Node node;
  node.name = scene.nodes[source.node].name + suffix;
  node.kind = NodeKind::mesh;
  scene.nodes[source.node].lods.push_back(coarser.node);
  scene.nodes.push_back(std::move(node));
  scene.meshes.push_back(std::move(coarser));
}

}  // namespace

std::vector<SimplifiedLevel> add_levels(Scene& scene, std::size_t count, const Control* control) {
  // What is taken from here is read while meshes are added to the scene.
  std::vector<Mesh> sources;
  std::vector<Chain> chains = chains_of(scene);
  const double size = size_of(scene, chains);
  sources.reserve(chains.size());
  SimplifiedLevel whole;
  for (Chain& chain : chains) {
    sources.push_back(scene.meshes[chain.mesh]);
    chain.simplifier = std::make_unique<Simplifier>(sources.back());
    whole.triangles += chain.simplifier->triangles();
  }
  std::vector<SimplifiedLevel> levels = {whole};
  double most = size * kFirstLevelError;
  for (std::size_t level = 1; level <= count; ++level, most *= 2) {
    SimplifiedLevel next;
    for (std::size_t i = 0; i < chains.size(); ++i) {
      if (!proceed(control, "levels", (level - 1) * chains.size() + i, count * chains.size())) {
        return levels;
      }
      Simplifier& simplifier = *chains[i].simplifier;
      const std::size_t all = sources[i].indices.size() / 3;
      const double scale = chains[i].scale;
      simplifier.reduce(all >> std::min<std::size_t>(level, 31), scale > 0 ? most / scale : 0);
      next.triangles += simplifier.triangles();
      next.error = std::max(next.error, size > 0 ? simplifier.error() * scale / size : 0);
    }
    if (next.triangles * 10 > levels.back().triangles * 9) {
      break;
    }
    for (const Chain& chain : chains) {
      add_level(scene, chain, level);
    }
    levels.push_back(next);
  }
  return levels;
}

}  // namespace thaw::scene
