// Weights as matrix groups: a group moves its vertices by the average of its bones, so shares other than
// equal ones can only be approximated. Which bones come nearest is measured at moments of the model's
// sequences.
#include "bytes/order.hpp"
#include "formats/warcraft/mdx/convert/conversion_job.hpp"
#include "formats/warcraft/mdx/convert/skin_split.hpp"
#include "formats/warcraft/mdx/poses.hpp"
#include "formats/warcraft/mdx/scene/math.hpp"

#include <algorithm>
#include <map>

namespace thaw::mdx {
namespace {

using scene::Vec3d;

struct BoneWeight {
  std::uint32_t id = 0;
  std::ptrdiff_t node = -1;  ///< of Poses
  double weight = 0;
};

/// At most four bones that exist and have weight.
struct BoneWeights {
  std::array<BoneWeight, kSkinBones> list{};
  std::size_t count = 0;

  void add(std::uint32_t id, std::ptrdiff_t node, double weight) {
    for (std::size_t i = 0; i < count; ++i) {
      if (list.at(i).id == id) {
        list.at(i).weight += weight;
        return;
      }
    }
    list.at(count++) = {id, node, weight};
  }
  /// Weights count in units of 1/255, so equal shares of 255 differ by one.
  [[nodiscard]] bool equal_shares() const {
    const auto [low, high] =
        std::minmax_element(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(count),
                            [](const BoneWeight& a, const BoneWeight& b) { return a.weight < b.weight; });
    return count == 0 || high->weight - low->weight <= 1.001 / 255;
  }
};

/// A set of bones out of the influences, as bits.
struct Choice {
  unsigned bones = 0;
  double deviation = 0;  ///< largest over the moments, squared
  double unlike = 0;     ///< sum of squared differences of weights
};

class GroupBuilder {
 public:
  GroupBuilder(Geoset& geoset, const Poses& poses) : geoset_(geoset), poses_(poses) {}

  void make();
  /// For the bytes of GNDX there may be too many.
  std::vector<GroupBones> groups;
  Array<std::uint32_t> group_of_vertex;
  double deviation = 0;          ///< largest, in units of the game
  std::size_t approximated = 0;  ///< vertices

 private:
  [[nodiscard]] BoneWeights influences(std::size_t vertex) const;
  template <class Skin>
  [[nodiscard]] BoneWeights influences_of(const Skin& skin, std::size_t vertex) const;
  void place_bones(const BoneWeights& influences, const Vec3& position);
  [[nodiscard]] Choice rate(const BoneWeights& influences, unsigned bones) const;
  [[nodiscard]] Choice choose(const BoneWeights& influences) const;
  std::uint32_t group_of(const BoneWeights& influences, unsigned bones);

  Geoset& geoset_;
  const Poses& poses_;
  std::map<GroupBones, std::uint32_t, ListOrder> numbers_;
  std::vector<std::array<Vec3d, kSkinBones>> placed_;  ///< of each moment and bone: where it has the vertex
};

template <class Skin>
BoneWeights GroupBuilder::influences_of(const Skin& skin, std::size_t vertex) const {
  BoneWeights result;
  if (vertex >= skin.size()) {
    return result;
  }
  double sum = 0;
  for (std::size_t i = 0; i < kSkinBones; ++i) {
    const std::uint32_t id = skin[vertex].at(i);
    const double weight = static_cast<double>(skin[vertex].at(i + kSkinBones)) / 255;
    const std::ptrdiff_t node = poses_.node(id);
    if (weight > 0 && node >= 0) {
      result.add(id, node, weight);
      sum += weight;
    }
  }
  for (std::size_t i = 0; i < result.count; ++i) {
    result.list.at(i).weight /= sum;
  }
  return result;
}

BoneWeights GroupBuilder::influences(std::size_t vertex) const {
  return geoset_.wide_skin ? influences_of(*geoset_.wide_skin, vertex) : influences_of(*geoset_.skin, vertex);
}

void GroupBuilder::place_bones(const BoneWeights& influences, const Vec3& position) {
  const Vec3d at = scene::widen(to_position(position, 1));
  placed_.resize(poses_.moments());
  for (std::size_t m = 0; m < placed_.size(); ++m) {
    for (std::size_t i = 0; i < influences.count; ++i) {
      placed_[m].at(i) = scene::transform_point(poses_.matrix(m, influences.list.at(i).node), at);
    }
  }
}

Choice GroupBuilder::rate(const BoneWeights& influences, unsigned bones) const {
  std::array<double, kSkinBones> change{};
  unsigned size = 0;
  for (std::size_t i = 0; i < influences.count; ++i) {
    size += (bones >> i) & 1U;
  }
  Choice choice{bones, 0, 0};
  for (std::size_t i = 0; i < influences.count; ++i) {
    const double share = ((bones >> i) & 1U) != 0 ? 1.0 / size : 0.0;
    change.at(i) = share - influences.list.at(i).weight;
    choice.unlike += change.at(i) * change.at(i);
  }
  for (const auto& places : placed_) {
    Vec3d away{};
    for (std::size_t i = 0; i < influences.count; ++i) {
      away = scene::add(away, scene::scaled(places.at(i), change.at(i)));
    }
    choice.deviation = std::max(choice.deviation, scene::dot(away, away));
  }
  return choice;
}

Choice GroupBuilder::choose(const BoneWeights& influences) const {
  const unsigned all = (1U << influences.count) - 1U;
  if (influences.equal_shares()) {
    return rate(influences, all);
  }
  Choice best = rate(influences, 1);
  for (unsigned bones = 2; bones <= all; ++bones) {
    const Choice choice = rate(influences, bones);
    // Where the sequences do not distinguish sets, the weights do.
    const bool as_near = choice.deviation <= best.deviation * (1 + 1e-6) + 1e-12;
    const bool nearer = choice.deviation * (1 + 1e-6) + 1e-12 < best.deviation;
    if (nearer || (as_near && choice.unlike < best.unlike)) {
      best = choice;
    }
  }
  return best;
}

std::uint32_t GroupBuilder::group_of(const BoneWeights& influences, unsigned bones) {
  GroupBones ids;
  for (std::size_t i = 0; i < influences.count; ++i) {
    if (((bones >> i) & 1U) != 0) {
      ids.push_back(influences.list.at(i).id);
    }
  }
  std::sort(ids.begin(), ids.end());
  const auto [found, fresh] = numbers_.emplace(ids, static_cast<std::uint32_t>(groups.size()));
  if (fresh) {
    groups.push_back(std::move(ids));
  }
  return found->second;
}

void GroupBuilder::make() {
  group_of_vertex.resize(geoset_.positions.size());
  for (std::size_t v = 0; v < geoset_.positions.size(); ++v) {
    const BoneWeights bones = influences(v);
    if (bones.count == 0) {
      group_of_vertex[v] = group_of(bones, 0);  // no bone: it follows the root
      continue;
    }
    place_bones(bones, geoset_.positions[v]);
    const Choice choice = choose(bones);
    approximated += bones.equal_shares() ? 0U : 1U;
    deviation = std::max(deviation, std::sqrt(choice.deviation));
    group_of_vertex[v] = group_of(bones, choice.bones);
  }
}

}  // namespace

Result<std::vector<Geoset>> skin_to_groups(ConversionJob& job, Geoset& geoset, std::size_t index,
                                           const Poses& poses) {
  GroupBuilder builder(geoset, poses);
  builder.make();
  const std::string path = place("GEOS", index);
  if (builder.approximated > 0 || builder.deviation > 0) {
    const std::size_t count = builder.approximated;
    job.lose(codes::kConvertSkin, path + ".skin",
             count == 0
                 ? "weights replaced with equal shares, from which they differ only by rounding to 1/255"
                 : std::to_string(count) + " of " + std::to_string(geoset.positions.size()) +
                       " vertices have unequal weights; replaced with the nearest sets of bones",
             builder.deviation);
  } else {
    job.lose(codes::kConvertUnused, path + ".skin", "weights replaced with equivalent matrix groups");
  }
  geoset.skin.reset();
  geoset.wide_skin.reset();
  auto parts = assign_groups(job, geoset, builder.groups, builder.group_of_vertex);
  if (parts && !parts->empty()) {
    job.lose(codes::kConvertSplit, path,
             std::to_string(builder.groups.size()) +
                 " matrix groups exceed the limit of 256 per geoset; divided into " +
                 std::to_string(parts->size() + 1) + " geosets");
  }
  return parts;
}

}  // namespace thaw::mdx
