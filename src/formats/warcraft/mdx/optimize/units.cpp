// Weight of a difference in a track.
#include "formats/warcraft/mdx/optimize/steps.hpp"
#include "formats/warcraft/mdx/rules/tracks.hpp"

#include <algorithm>

namespace thaw::mdx {
namespace {

bool is_one_of(FourCC tag, std::initializer_list<FourCC> tags) {
  return std::find(tags.begin(), tags.end(), tag) != tags.end();
}

bool is_length(FourCC tag) { return is_one_of(tag, {FourCC{"KGTR"}, FourCC{"KCTR"}, FourCC{"KTTR"}}); }

/// Values whose usual range is 0 to 1, angles, and scales.
bool is_share(FourCC tag) {
  return is_one_of(
      tag, {FourCC{"KGRT"}, FourCC{"KGSC"}, FourCC{"KTAT"}, FourCC{"KTAR"}, FourCC{"KTAS"}, FourCC{"KMTA"},
            FourCC{"KGAO"}, FourCC{"KGAC"}, FourCC{"KLAC"}, FourCC{"KLBC"}, FourCC{"KRCO"}, FourCC{"KRAL"},
            FourCC{"KPPA"}, FourCC{"KPPC"}, FourCC{"KFC3"}, FourCC{"KFCA"}, FourCC{"KFTC"}, FourCC{"KCRL"}});
}

/// Things hang or fly out where nobody can see how far: this much of the model's size.
constexpr double kHangs = 0.25;
constexpr double kFlies = 1;
/// Less says nothing: a turn about nothing may still be seen.
constexpr double kLeast = 0.05;

/// Hierarchies are some twenty deep; keeps the work in proportion.
constexpr std::size_t kDeepest = 256;

class Reaches {
 public:
  Reaches(const Document& document, double size) : size_(size) {
    if (const auto* pivots = document.find<Pivots>()) {
      pivots_ = pivots->points;
    }
    for (const auto& chunk : document.chunks) {
      std::visit([&](const auto& body) { add_nodes(body); }, chunk.body);
    }
    for (const auto* geoset : document.all<Geosets>()) {
      add_vertices(*geoset);
    }
  }

  /// What a node moves is what its children move, too.
  std::map<std::int32_t, double> all() const {
    std::map<std::int32_t, double> reaches = direct_reach_;
    for (const auto& [id, direct] : direct_reach_) {
      double reach = direct;
      std::int32_t at = id;
      for (std::size_t steps = 0; steps < kDeepest; ++steps) {
        const auto parent = parents_.find(at);
        if (parent == parents_.end() || !parents_.contains(parent->second)) {
          break;
        }
        reach += distance(at, pivot(parent->second));
        at = parent->second;
        double& known = reaches[at];
        known = std::max(known, reach);
      }
    }
    return reaches;
  }

 private:
  template <class Body>
  void add_nodes(const Body& body) {
    if constexpr (requires { body.items.front().node; }) {
      using Item = typename Body::Item;
      constexpr bool kBare = std::is_same_v<Item, Bone> || std::is_same_v<Item, Helper>;
      constexpr bool kHolds = std::is_same_v<Item, Attachment> || std::is_same_v<Item, EventObject> ||
                              std::is_same_v<Item, CollisionShape>;
      for (const auto& item : body.items) {
        parents_.emplace(item.node.object_id, item.node.parent_id);
        grow(item.node.object_id, size_ * (kBare ? kLeast : kHolds ? kHangs : kFlies));
      }
    }
  }

  void add_vertices(const Geoset& geoset) {
    const auto of_skin = [&](const auto& skin) {
      for (std::size_t v = 0; v < std::min(geoset.positions.size(), skin.size()); ++v) {
        for (std::size_t i = 0; i < 4; ++i) {
          if (skin[v].at(i + 4) != 0) {
            reach_vertex(skin[v].at(i), geoset.positions[v]);
          }
        }
      }
    };
    if (geoset.skin) {
      of_skin(*geoset.skin);
    } else if (geoset.wide_skin) {
      of_skin(*geoset.wide_skin);
    } else {
      add_groups(geoset);
    }
  }

  void add_groups(const Geoset& geoset) {
    std::vector<std::size_t> starts{0};
    for (const std::uint32_t count : geoset.matrix_groups) {
      starts.push_back(std::min(geoset.matrix_indices.size(), starts.back() + count));
    }
    for (std::size_t v = 0; v < std::min(geoset.positions.size(), geoset.vertex_groups.size()); ++v) {
      const std::size_t group = geoset.vertex_groups[v];
      for (std::size_t i = group + 1 < starts.size() ? starts[group] : 0;
           group + 1 < starts.size() && i < starts[group + 1]; ++i) {
        reach_vertex(static_cast<std::int32_t>(geoset.matrix_indices[i]), geoset.positions[v]);
      }
    }
  }

  void reach_vertex(std::int32_t id, const Vec3& vertex) { grow(id, distance(id, vertex)); }
  void grow(std::int32_t id, double reach) {
    double& known = direct_reach_[id];
    known = std::isfinite(reach) ? std::max(known, reach) : known;
  }
  [[nodiscard]] Vec3 pivot(std::int32_t id) const {
    return id >= 0 && static_cast<std::size_t>(id) < pivots_.size() ? pivots_[static_cast<std::size_t>(id)]
                                                                    : Vec3{};
  }
  [[nodiscard]] double distance(std::int32_t id, const Vec3& point) const {
    return scene::length(scene::subtract(scene::widen(pivot(id)), scene::widen(point)));
  }

  double size_;
  Array<Vec3> pivots_;
  std::map<std::int32_t, double> direct_reach_;
  std::map<std::int32_t, std::int32_t> parents_;
};

}  // namespace

Units::Units(const Document& document, double size) : size_(size), reach_(Reaches(document, size).all()) {}

double Units::of(const Track& track, const TrackFacts& facts) const {
  if (is_length(track.tag)) {
    return size_;
  }
  if (facts.node != nullptr) {
    const auto found = reach_.find(facts.node->object_id);
    return found == reach_.end() ? 1 : size_ / found->second;
  }
  if (is_share(track.tag) || track_type(track.tag).integer || rules::is_visibility(track.tag)) {
    return 1;
  }
  double largest = 1e-6;
  for (std::size_t k = 0; k < track.size(); ++k) {
    for (const float component : track.value(k)) {
      largest = std::isfinite(component) ? std::max(largest, std::abs(double{component})) : largest;
    }
  }
  const double rest_value = facts.rest ? std::abs((*facts.rest)[0]) : 0;
  return std::isfinite(rest_value) ? std::max(largest, rest_value) : largest;
}

}  // namespace thaw::mdx
