#include "formats/wow/wmo/bsp.hpp"

#include "formats/wow/wmo/building.hpp"

#include <algorithm>
#include <cmath>

namespace thaw::wmo {
namespace {

// The one genuine tree at hand (wmo.md#bsp-tree) has 47 faces in a leaf on the average, 119 at most, at most
// 9 planes one below the other, all of them at whole yards.
constexpr std::size_t kFew = 40;
constexpr unsigned kDeepest = 14;

class BspBuilder {
 public:
  explicit BspBuilder(const Array<Vec3>& positions) : positions_(positions) {}

  std::int16_t add(const std::vector<std::uint16_t>& faces, unsigned depth) {
    const auto index = nodes.items.size();
    nodes.items.emplace_back();
    const Cut cut = faces.size() <= kFew || depth >= kDeepest ? Cut{} : best_cut(faces);
    BspNode node;
    if (!cut.found) {
      node.flags = BspNode::kLeaf;
      node.face_count = static_cast<std::uint16_t>(faces.size());
      node.first_face = static_cast<std::uint32_t>(list.items.size());
      list.items.insert(list.items.end(), faces.begin(), faces.end());
    } else {
      node.flags = static_cast<std::uint16_t>(cut.axis);
      node.distance = cut.plane;
      const auto [low, high] = halves(faces, cut);
      node.negative = add(low, depth + 1);
      node.positive = add(high, depth + 1);
    }
    nodes.items[index] = node;
    return static_cast<std::int16_t>(index);
  }

  BspNodes nodes;
  Indices list;

 private:
  struct Cut {
    bool found = false;
    std::size_t axis = 0;
    float plane = 0;
  };
  using Halves = std::array<std::vector<std::uint16_t>, 2>;

  [[nodiscard]] std::pair<float, float> reach(std::uint16_t face, std::size_t axis) const {
    const auto* corner = &positions_[std::size_t{face} * 3];
    return std::minmax({corner[0][axis], corner[1][axis], corner[2][axis]});
  }

  /// A face on the plane, or across it, is on both sides.
  [[nodiscard]] Halves halves(const std::vector<std::uint16_t>& faces, const Cut& cut) const {
    Halves result;
    for (const auto face : faces) {
      const auto [low, high] = reach(face, cut.axis);
      if (low <= cut.plane) {
        result[0].push_back(face);
      }
      if (high >= cut.plane) {
        result[1].push_back(face);
      }
    }
    return result;
  }

  /// Through the middle face of the axis on which it leaves the fewest faces on both sides; at a whole yard
  /// where that is no worse a cut.
  [[nodiscard]] Cut best_cut(const std::vector<std::uint16_t>& faces) const {
    Cut best;
    std::size_t least = faces.size() - faces.size() / 8;  // what is worse is no gain
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const float middle = middle_of(faces, axis);
      for (const float plane : {std::round(middle), middle}) {
        const Cut cut{true, axis, plane};
        const auto [low, high] = halves(faces, cut);
        const std::size_t larger = std::max(low.size(), high.size());
        if (larger < least) {
          least = larger;
          best = cut;
        }
      }
    }
    return best;
  }

  [[nodiscard]] float middle_of(const std::vector<std::uint16_t>& faces, std::size_t axis) const {
    std::vector<float> middles;
    middles.reserve(faces.size());
    for (const auto face : faces) {
      const auto [low, high] = reach(face, axis);
      middles.push_back(low / 2 + high / 2);
    }
    const auto half = middles.begin() + static_cast<std::ptrdiff_t>(middles.size() / 2);
    std::nth_element(middles.begin(), half, middles.end());
    return *half;
  }

  const Array<Vec3>& positions_;
};

}  // namespace

void add_bsp(Group& group) {
  const GroupParts parts(group);
  std::vector<std::uint16_t> solid;
  for (std::size_t i = 0; i < parts.faces.size(); ++i) {
    if ((parts.faces[i].flags & Faces::kDetail) == 0) {
      solid.push_back(static_cast<std::uint16_t>(i));
    }
  }
  if (solid.empty()) {
    return;
  }
  BspBuilder builder(parts.positions);
  builder.add(solid, 0);
  group.header.flags |= GroupHeader::kBsp;
  const auto after = std::find_if(group.chunks.begin(), group.chunks.end(), [](const Chunk& chunk) {
    return chunk.tag == FourCC{"MOCV"} || chunk.tag == FourCC{"MLIQ"};
  });
  const auto at = group.chunks.insert(after, {FourCC{"MOBN"}, std::move(builder.nodes), {}, {}});
  group.chunks.insert(at + 1, {FourCC{"MOBR"}, std::move(builder.list), {}, {}});
}

std::int32_t leaf_at(const std::vector<BspNode>& nodes, const Vec3& point) {
  std::int32_t at = nodes.empty() ? -1 : 0;
  // No way down is longer than there are nodes.
  for (std::size_t steps = 0; at >= 0 && steps < nodes.size(); ++steps) {
    const BspNode& node = nodes[static_cast<std::size_t>(at)];
    if ((node.flags & BspNode::kLeaf) != 0) {
      return at;
    }
    at = point.at(node.flags & 3U) < node.distance ? node.negative : node.positive;
    if (static_cast<std::size_t>(at) >= nodes.size()) {
      return -1;
    }
  }
  return -1;
}

}  // namespace thaw::wmo
