#include "formats/warcraft/mdx/from_scene/onto_surface.hpp"

#include "formats/warcraft/mdx/scene/triangles.hpp"
#include "scene/math.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>

namespace thaw::mdx {
namespace {

/// Of positions and coordinates that went through another program.
constexpr float kNear = 1e-5F;
/// Cosine of the angle that directions may differ by: programs keep them in few bits.
constexpr double kSameDirection = 0.9998;

using Triangle = std::array<std::uint32_t, 3>;

/// Values of both geosets, numbered so that those that are near each other have one number.
class Steps {
 public:
  void add(float value) { values_.push_back(value); }
  void settle() {
    std::sort(values_.begin(), values_.end());
    for (std::size_t i = 1; i < values_.size(); ++i) {
      if (values_[i] - values_[i - 1] > kNear * std::max(1.0F, std::abs(values_[i]))) {
        starts_.push_back(values_[i]);
      }
    }
  }
  [[nodiscard]] std::uint32_t of(float value) const {
    return static_cast<std::uint32_t>(std::upper_bound(starts_.begin(), starts_.end(), value) -
                                      starts_.begin());
  }

 private:
  std::vector<float> values_;
  std::vector<float> starts_;
};

float sound(float value) { return std::isfinite(value) ? value : 0; }

/// The bones of a vertex with their shares, by name.
std::string bones_of(const Surface& surface, std::size_t vertex) {
  const Geoset& geoset = surface.geoset;
  std::map<std::string, std::uint32_t> shares;
  const auto add = [&](std::int64_t id, std::uint32_t share) {
    const auto name = surface.names.find(id);
    shares[name == surface.names.end() ? std::to_string(id) : name->second] += share;
  };
  const auto add_all = [&](const auto& entry) {
    for (std::size_t i = 0; i < 4; ++i) {
      if (entry.at(i + 4) > 0) {
        add(entry.at(i), entry.at(i + 4));
      }
    }
  };
  if (geoset.wide_skin && vertex < geoset.wide_skin->size()) {
    add_all((*geoset.wide_skin)[vertex]);
  } else if (geoset.skin && vertex < geoset.skin->size()) {
    add_all((*geoset.skin)[vertex]);
  } else if (vertex < geoset.vertex_groups.size()) {
    const std::size_t group = geoset.vertex_groups[vertex];
    std::size_t first = 0;
    for (std::size_t i = 0; i < std::min(group, geoset.matrix_groups.size()); ++i) {
      first += geoset.matrix_groups[i];
    }
    for (std::size_t i = 0; group < geoset.matrix_groups.size() && i < geoset.matrix_groups[group] &&
                            first + i < geoset.matrix_indices.size();
         ++i) {
      add(geoset.matrix_indices[first + i], 1);
    }
  }
  std::string text;
  for (const auto& [name, share] : shares) {
    text += name + '\n' + std::to_string(share) + '\n';
  }
  return text;
}

/// Numbers for the vertices of two geosets: those that differ in nothing but their directions have one.
class Corners {
 public:
  Corners(const Surface& a, const Surface& b) : uv_sets_(a.geoset.uv_sets.size()) {
    for (const Surface* surface : {&a, &b}) {
      each_number(surface->geoset, [&](std::size_t axis, float value) { steps(axis).add(value); });
    }
    for (Steps& one : steps_) {
      one.settle();
    }
    first_ = numbered(a, bones_of_first_);
    second_ = numbered(b, bones_of_second_);
  }

  [[nodiscard]] const std::vector<std::uint32_t>& first() const { return first_; }
  [[nodiscard]] const std::vector<std::uint32_t>& second() const { return second_; }
  /// Of a vertex of each.
  [[nodiscard]] bool same_bones(std::size_t a, std::size_t b) const {
    return bones_of_first_[a] == bones_of_second_[b];
  }

 private:
  Steps& steps(std::size_t axis) {
    steps_.resize(std::max(steps_.size(), axis + 1));
    return steps_[axis];
  }

  template <class Use>
  void each_number(const Geoset& geoset, const Use& use) const {
    for (std::size_t vertex = 0; vertex < geoset.positions.size(); ++vertex) {
      each_number_of(geoset, vertex, use);
    }
  }
  template <class Use>
  void each_number_of(const Geoset& geoset, std::size_t vertex, const Use& use) const {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      use(axis, sound(geoset.positions[vertex].at(axis)));
    }
    for (std::size_t set = 0; set < std::min(uv_sets_, geoset.uv_sets.size()); ++set) {
      const auto& all = geoset.uv_sets[set].coordinates;
      for (std::size_t axis = 0; vertex < all.size() && axis < 2; ++axis) {
        use(3 + 2 * set + axis, sound(all[vertex].at(axis)));
      }
    }
  }

  std::vector<std::uint32_t> numbered(const Surface& surface, std::vector<std::uint32_t>& bones) {
    std::vector<std::uint32_t> numbers;
    for (std::size_t vertex = 0; vertex < surface.geoset.positions.size(); ++vertex) {
      bones.push_back(bone_number(surface, vertex));
      std::vector<std::uint32_t> key{bones.back()};
      each_number_of(surface.geoset, vertex,
                     [&](std::size_t axis, float value) { key.push_back(steps_[axis].of(value)); });
      const auto next = static_cast<std::uint32_t>(numbers_.size());
      numbers.push_back(numbers_.try_emplace(std::move(key), next).first->second);
    }
    return numbers;
  }
  /// Vertices of one group have the same bones.
  std::uint32_t bone_number(const Surface& surface, std::size_t vertex) {
    const Geoset& geoset = surface.geoset;
    const bool grouped = !geoset.skin && !geoset.wide_skin && vertex < geoset.vertex_groups.size();
    if (!grouped) {
      return bone_number(bones_of(surface, vertex));
    }
    const auto [entry, fresh] = groups_.try_emplace({&surface, geoset.vertex_groups[vertex]}, 0);
    if (fresh) {
      entry->second = bone_number(bones_of(surface, vertex));
    }
    return entry->second;
  }
  std::uint32_t bone_number(const std::string& bones) {
    return bones_.try_emplace(bones, static_cast<std::uint32_t>(bones_.size())).first->second;
  }

  std::size_t uv_sets_;
  std::vector<Steps> steps_;
  std::map<std::string, std::uint32_t> bones_;
  std::map<std::pair<const Surface*, std::size_t>, std::uint32_t> groups_;
  std::map<std::vector<std::uint32_t>, std::uint32_t> numbers_;
  std::vector<std::uint32_t> first_;
  std::vector<std::uint32_t> second_;
  std::vector<std::uint32_t> bones_of_first_;
  std::vector<std::uint32_t> bones_of_second_;
};

/// The same triangle always begins with the same corner.
Triangle turned(Triangle triangle) {
  std::rotate(triangle.begin(), std::min_element(triangle.begin(), triangle.end()), triangle.end());
  return triangle;
}

Triangle sorted(Triangle triangle) {
  std::sort(triangle.begin(), triangle.end());
  return triangle;
}

/// The vertices of each triangle that is more than a line, and the corners that they are.
struct Faces {
  Faces(const Geoset& geoset, const std::vector<std::uint32_t>& corner_of) {
    const auto indices = triangulate(geoset).indices;
    for (std::size_t first = 0; first + 2 < indices.size(); first += 3) {
      const Triangle face{indices[first], indices[first + 1], indices[first + 2]};
      Triangle corner{};
      for (std::size_t i = 0; i < 3; ++i) {
        corner.at(i) = face.at(i) < corner_of.size() ? corner_of[face.at(i)] : 0;
      }
      if (corner[0] != corner[1] && corner[1] != corner[2] && corner[0] != corner[2]) {
        vertices.push_back(face);
        corners.push_back(corner);
        faces.insert(turned(corner));
        unordered.insert(sorted(corner));
      }
    }
  }

  /// Numbers of the faces that another geoset does not have. Of those over each other, programs leave one.
  [[nodiscard]] std::vector<std::size_t> missing_in(const Faces& other, bool one_of_each) const {
    std::vector<std::size_t> missing;
    for (std::size_t i = 0; i < corners.size(); ++i) {
      const bool there = other.faces.contains(turned(corners[i])) ||
                         (one_of_each && other.unordered.contains(sorted(corners[i])));
      if (!there) {
        missing.push_back(i);
      }
    }
    return missing;
  }

  std::vector<Triangle> vertices;
  std::vector<Triangle> corners;
  std::set<Triangle> faces;
  std::set<Triangle> unordered;
};

class SurfaceMerger {
 public:
  SurfaceMerger(Geoset& original, const Surface& before, const Surface& after)
      : original_(original),
        before_(before.geoset),
        after_(after.geoset),
        corners_(before, after),
        was_(before_, corners_.first()),
        is_(after_, corners_.second()),
        partner_(before_.positions.size()) {}

  bool merge() {
    if (original_.positions.size() != before_.positions.size() ||
        before_.uv_sets.size() != after_.uv_sets.size() ||
        original_.uv_sets.size() != before_.uv_sets.size() || !pair_faces()) {
      return false;
    }
    Geoset merged = original_;
    // Vertices of faces without area are nobody's corners.
    const bool same_order =
        before_.indices == after_.indices && before_.positions.size() == after_.positions.size();
    for (std::size_t vertex = 0; vertex < partner_.size(); ++vertex) {
      if (partner_[vertex] || same_order) {
        take_corner(merged, vertex, partner_[vertex].value_or(vertex));
      }
      if (partner_[vertex] && corners_.first()[vertex] != corners_.second()[*partner_[vertex]]) {
        take_tangent(merged, vertex, *partner_[vertex]);
      }
    }
    turn_normals(merged);
    original_ = std::move(merged);
    return true;
  }

 private:
  /// Triangles that are others now, one for one in their order.
  bool pair_faces() {
    const auto missing = was_.missing_in(is_, true);
    const auto added = is_.missing_in(was_, false);
    if (missing.size() != added.size()) {
      return false;
    }
    for (std::size_t i = 0; i < missing.size(); ++i) {
      if (!pair_corners(missing[i], added[i])) {
        return false;
      }
    }
    return stays_whole(missing);
  }

  /// In the turn that has most corners in common.
  bool pair_corners(std::size_t missing, std::size_t added) {
    std::size_t best = 0;
    std::size_t most = 0;
    for (std::size_t turn = 0; turn < 3; ++turn) {
      std::size_t same = 0;
      for (std::size_t i = 0; i < 3; ++i) {
        same += was_.corners[missing].at(i) == is_.corners[added].at((i + turn) % 3) ? 1U : 0U;
      }
      if (same > most) {
        most = same;
        best = turn;
      }
    }
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint32_t vertex = was_.vertices[missing].at(i);
      const std::uint32_t other = is_.vertices[added].at((i + best) % 3);
      if (!corners_.same_bones(vertex, other)) {
        return false;
      }
      auto& partner = partner_[vertex];
      if (partner && corners_.second()[*partner] != corners_.second()[other]) {
        return false;  // it would be two
      }
      partner = other;
    }
    return true;
  }

  /// Whether no triangle that is as before has a vertex that is not.
  [[nodiscard]] bool stays_whole(const std::vector<std::size_t>& missing) const {
    std::size_t next = 0;
    for (std::size_t i = 0; i < was_.vertices.size(); ++i) {
      if (next < missing.size() && missing[next] == i) {
        ++next;
        continue;
      }
      for (const std::uint32_t vertex : was_.vertices[i]) {
        if (partner_[vertex] && corners_.second()[*partner_[vertex]] != corners_.first()[vertex]) {
          return false;
        }
      }
    }
    return true;
  }

  void take_corner(Geoset& merged, std::size_t vertex, std::size_t other) const {
    const auto take = [](auto& to, const auto& was, const auto& now) {
      for (std::size_t i = 0; i < to.size(); ++i) {
        const float apart = std::abs(was.at(i) - now.at(i));
        to.at(i) = apart <= kNear * std::max(1.0F, std::abs(was.at(i))) ? to.at(i) : now.at(i);
      }
    };
    take(merged.positions[vertex], before_.positions[vertex], after_.positions[other]);
    for (std::size_t set = 0; set < merged.uv_sets.size(); ++set) {
      auto& coordinates = merged.uv_sets[set].coordinates;
      const auto& was = before_.uv_sets[set].coordinates;
      const auto& now = after_.uv_sets[set].coordinates;
      if (vertex < coordinates.size() && vertex < was.size() && other < now.size()) {
        take(coordinates[vertex], was[vertex], now[other]);
      }
    }
  }

  /// Tangents follow from the rest, and programs make them again: those of others stay.
  void take_tangent(Geoset& merged, std::size_t vertex, std::size_t other) const {
    if (merged.tangents && after_.tangents && vertex < merged.tangents->size() &&
        other < after_.tangents->size()) {
      (*merged.tangents)[vertex] = (*after_.tangents)[other];
    }
  }

  static double along(const Vec3& a, const Vec3& b) {
    double product = 0;
    double of_a = 0;
    double of_b = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      product += double{a.at(i)} * double{b.at(i)};
      of_a += double{a.at(i)} * double{a.at(i)};
      of_b += double{b.at(i)} * double{b.at(i)};
    }
    const double lengths = std::sqrt(of_a * of_b);
    return lengths > 0 && std::isfinite(lengths) ? product / lengths : 1;
  }

  /// Vertices all of whose faces have an area: at others programs lose directions, or make some up.
  [[nodiscard]] std::vector<bool> lit() const {
    std::vector<bool> seen(before_.positions.size());
    std::vector<bool> flat(before_.positions.size());
    const auto indices = triangulate(before_).indices;
    for (std::size_t first = 0; first + 2 < indices.size(); first += 3) {
      auto& list = has_area(&indices[first]) ? seen : flat;
      for (std::size_t i = 0; i < 3; ++i) {
        list[indices[first + i]] = true;
      }
    }
    for (std::size_t vertex = 0; vertex < seen.size(); ++vertex) {
      seen[vertex] = seen[vertex] && !flat[vertex];
    }
    return seen;
  }

  [[nodiscard]] bool has_area(const std::uint32_t* face) const {
    const auto side = [&](std::size_t to) {
      const Vec3& a = before_.positions[face[0]];
      const Vec3& b = before_.positions[face[to]];
      return scene::Vec3d{double{b[0]} - double{a[0]}, double{b[1]} - double{a[1]},
                          double{b[2]} - double{a[2]}};
    };
    constexpr double kFlat = 1e-6;  // sine of the angle between two sides
    const auto a = side(1);
    const auto b = side(2);
    return scene::length(scene::cross(a, b)) > kFlat * scene::length(a) * scene::length(b);
  }

  /// Of the directions at a corner the nearest.
  void turn_normals(Geoset& merged) const {
    const auto lit_vertices = lit();
    std::multimap<std::uint32_t, const Vec3*> directions;
    for (std::size_t i = 0; i < std::min(after_.normals.size(), corners_.second().size()); ++i) {
      directions.emplace(corners_.second()[i], &after_.normals[i]);
    }
    constexpr std::size_t kMost = 64;  // at one corner
    for (std::size_t vertex = 0; vertex < std::min(merged.normals.size(), before_.normals.size()); ++vertex) {
      if (!lit_vertices[vertex]) {
        continue;
      }
      const std::uint32_t corner =
          partner_[vertex] ? corners_.second()[*partner_[vertex]] : corners_.first()[vertex];
      const Vec3* nearest = nullptr;
      std::size_t tried = 0;
      for (auto at = directions.lower_bound(corner);
           at != directions.end() && at->first == corner && tried < kMost; ++at, ++tried) {
        if (nearest == nullptr ||
            along(before_.normals[vertex], *at->second) > along(before_.normals[vertex], *nearest)) {
          nearest = at->second;
        }
      }
      if (nearest != nullptr && tried < kMost && along(before_.normals[vertex], *nearest) < kSameDirection) {
        merged.normals[vertex] = *nearest;
      }
    }
  }

  Geoset& original_;
  const Geoset& before_;
  const Geoset& after_;
  Corners corners_;
  Faces was_;
  Faces is_;
  std::vector<std::optional<std::size_t>> partner_;  ///< by vertex of `before`, of those that are others now
};

}  // namespace

double share_of_triangles(const Surface& a, const Surface& b) {
  const Corners corners(a, b);
  const Faces first(a.geoset, corners.first());
  const Faces second(b.geoset, corners.second());
  const auto all = static_cast<double>(first.corners.size());
  return all == 0 ? 0 : (all - static_cast<double>(first.missing_in(second, false).size())) * 100 / all;
}

bool merge_surface(Geoset& original, const Surface& before, const Surface& after) {
  return SurfaceMerger(original, before, after).merge();
}

}  // namespace thaw::mdx
