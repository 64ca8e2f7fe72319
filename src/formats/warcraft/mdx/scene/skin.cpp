#include "formats/warcraft/mdx/scene/skin.hpp"

#include <algorithm>

namespace thaw::mdx {
namespace {

using scene::Index;

constexpr Index kRootNode = 0;

struct Influence {
  std::uint16_t joint = 0;
  double weight = 0;
};
using Influences = std::vector<Influence>;

/// Adds to the weight of a joint that is there already.
void merge(Influences& influences, std::uint16_t joint, double weight) {
  const auto same = [&](const Influence& influence) { return influence.joint == joint; };
  const auto found = std::find_if(influences.begin(), influences.end(), same);
  if (found == influences.end()) {
    influences.push_back({joint, weight});
  } else {
    found->weight += weight;
  }
}

class SkinBuilder {
 public:
  SkinBuilder(const SceneBuilder& builder, const Geoset& geoset) : builder_(builder), geoset_(geoset) {}

  SkinBinding groups();
  template <class T>
  SkinBinding weights(const Array<std::array<T, 8>>& skin);

 private:
  std::uint16_t joint_of(Index node);
  Influences group(std::size_t from, std::size_t count);
  template <class T>
  Influences vertex(const std::array<T, 8>& entry);
  void store(std::size_t vertex, const Influences& influences);
  void allocate(unsigned influences);
  SkinBinding finish();

  const SceneBuilder& builder_;
  const Geoset& geoset_;
  SkinBinding result_;
  std::unordered_map<Index, std::uint16_t> joint_of_node_;
  bool moved_ = false;  ///< some vertex follows more than the root
};

std::uint16_t SkinBuilder::joint_of(Index node) {
  constexpr std::size_t kMaxJoints = 65535;
  const auto found = joint_of_node_.find(node);
  if (found != joint_of_node_.end()) {
    return found->second;
  }
  if (result_.nodes.size() >= kMaxJoints) {
    result_.too_many = true;
    return 0;
  }
  const auto joint = static_cast<std::uint16_t>(result_.nodes.size());
  result_.nodes.push_back(node);
  joint_of_node_.emplace(node, joint);
  return joint;
}

/// The average of the group's matrices: equal weights, those of a node that is named twice added.
Influences SkinBuilder::group(std::size_t from, std::size_t count) {
  std::vector<Index> nodes;
  for (std::size_t i = from; i < from + count; ++i) {
    const auto found = builder_.node_of_id.find(static_cast<std::int32_t>(geoset_.matrix_indices[i]));
    if (found == builder_.node_of_id.end()) {
      result_.missing_nodes = true;
    } else {
      nodes.push_back(found->second);
    }
  }
  std::sort(nodes.begin(), nodes.end());
  Influences influences;
  std::size_t used = 0;
  for (std::size_t i = 0; i < nodes.size();) {
    const auto end = std::upper_bound(nodes.begin() + static_cast<std::ptrdiff_t>(i), nodes.end(), nodes[i]);
    const auto next = static_cast<std::size_t>(end - nodes.begin());
    if (influences.size() == kMaxInfluences) {
      result_.too_many = true;
      break;
    }
    influences.push_back({joint_of(nodes[i]), static_cast<double>(next - i)});
    used += next - i;
    i = next;
  }
  for (auto& influence : influences) {
    influence.weight /= static_cast<double>(used);
  }
  return influences;
}

void SkinBuilder::allocate(unsigned influences) {
  result_.influences = influences;
  result_.joints.assign(geoset_.positions.size() * influences, 0);
  result_.weights.assign(geoset_.positions.size() * influences, 0);
}

void SkinBuilder::store(std::size_t vertex, const Influences& influences) {
  const std::size_t base = vertex * result_.influences;
  if (influences.empty()) {
    result_.without_group = true;
    result_.joints[base] = joint_of(kRootNode);
    result_.weights[base] = 1;
    return;
  }
  moved_ = true;
  for (std::size_t i = 0; i < influences.size(); ++i) {
    result_.joints[base + i] = influences[i].joint;
    result_.weights[base + i] = to_float(influences[i].weight);
  }
}

SkinBinding SkinBuilder::finish() {
  if (!moved_) {
    result_.influences = 0;
    result_.joints.clear();
    result_.weights.clear();
    result_.nodes.clear();
  }
  return std::move(result_);
}

SkinBinding SkinBuilder::groups() {
  constexpr std::size_t kAddressable = 256;
  std::vector<Influences> groups;
  std::size_t from = 0;
  for (std::size_t i = 0; i < std::min(kAddressable, geoset_.matrix_groups.size()); ++i) {
    const std::size_t left = geoset_.matrix_indices.size() - from;
    const std::size_t count = std::min<std::size_t>(geoset_.matrix_groups[i], left);
    result_.ragged = result_.ragged || count != geoset_.matrix_groups[i];
    groups.push_back(group(from, count));
    from += count;
  }
  std::size_t most = 1;
  for (const auto& influences : groups) {
    most = std::max(most, influences.size());
  }
  allocate(static_cast<unsigned>(most));
  const std::size_t vertices = geoset_.positions.size();
  result_.ragged = result_.ragged || geoset_.vertex_groups.size() != vertices;
  for (std::size_t i = 0; i < vertices; ++i) {
    const bool known = i < geoset_.vertex_groups.size() && geoset_.vertex_groups[i] < groups.size();
    store(i, known ? groups[geoset_.vertex_groups[i]] : Influences{});
  }
  return finish();
}

template <class T>
Influences SkinBuilder::vertex(const std::array<T, 8>& entry) {
  Influences influences;
  unsigned stated = 0;
  double sum = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const unsigned weight = entry[i + 4];
    stated += weight;
    if (weight == 0) {
      continue;
    }
    const auto found = builder_.node_of_id.find(static_cast<std::int32_t>(entry[i]));
    if (found == builder_.node_of_id.end()) {
      result_.missing_nodes = true;
      continue;
    }
    merge(influences, joint_of(found->second), weight);
    sum += weight;
  }
  result_.not_normalized = result_.not_normalized || stated != 255;
  for (auto& influence : influences) {
    influence.weight /= sum;
  }
  return influences;
}

template <class T>
SkinBinding SkinBuilder::weights(const Array<std::array<T, 8>>& skin) {
  constexpr unsigned kPerVertex = 4;
  allocate(kPerVertex);
  const std::size_t vertices = geoset_.positions.size();
  result_.ragged = skin.size() != vertices;
  for (std::size_t i = 0; i < vertices; ++i) {
    store(i, i < skin.size() ? vertex(skin[i]) : Influences{});
  }
  return finish();
}

}  // namespace

SkinBinding bind_skin(const SceneBuilder& builder, const Geoset& geoset) {
  SkinBuilder binder(builder, geoset);
  if (geoset.skin && !geoset.skin->empty()) {
    return binder.weights(*geoset.skin);
  }
  if (geoset.wide_skin && !geoset.wide_skin->empty()) {
    return binder.weights(*geoset.wide_skin);
  }
  return binder.groups();
}

}  // namespace thaw::mdx
