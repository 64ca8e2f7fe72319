// Scales and moves a WMO. Rounding keeps order, so that what lay on one side of a plane
// of a BSP tree, or within a box, still does.
#include "formats/wow/wmo/edit.hpp"

#include <thaw/wmo.hpp>

#include "bytes/number_text.hpp"
#include "formats/edit_steps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace thaw::wmo {
namespace {

using scene::Similarity;
using WholeBox = std::array<std::int16_t, 6>;

class BuildingPlacer {
 public:
  BuildingPlacer(Document& document, const Similarity& transform, EditLog& log)
      : document_(document), transform_(transform), log_(log), version_(document.version()) {}

  Result<void> run() {
    if (const auto* corners = document_.find<Points>(FourCC{"MOPV"})) {
      portal_corners_ = corners->items;
    }
    each_chunk(document_.chunks, [&](Chunk& chunk) { place(chunk); });
    if (!unknown_.empty()) {
      inexact("", "chunks of unknown content not changed: " + unknown_);
    }
    return refusal_.empty() ? Result<void>() : fail(codes::kEditRefused, refusal_);
  }

 private:
  void inexact(std::string path, std::string message) {
    log_.findings.add(codes::kEditInexact, std::move(message), {}, std::move(path));
  }

  void place(Chunk& chunk) {
    if (std::holds_alternative<Opaque>(chunk.body)) {
      unknown_ += (unknown_.empty() ? "" : ", ") + chunk.tag.text();
    } else if (auto* points = std::get_if<Points>(&chunk.body)) {
      place(*points, chunk.tag);
    } else if (auto* group = std::get_if<Group>(&chunk.body)) {
      place(*group);
    } else if (auto* header = std::get_if<Header>(&chunk.body)) {
      place(*header);
    } else if (auto* planes = std::get_if<Planes>(&chunk.body)) {
      place(*planes);
    } else {
      std::visit(
          [&](auto& body) {
            if constexpr (requires { body.items; }) {
              for (auto& item : body.items) {
                each(item);
              }
            }
          },
          chunk.body);
    }
  }

  /// Of normals only turns would change something.
  void place(Points& points, FourCC tag) const {
    for (Vec3& point : points.items) {
      point = tag == FourCC{"MONR"} ? point : transform_.point(point);
    }
  }

  void place(Box& box) const {
    std::tie(box.minimum, box.maximum) = scene::transformed_box(transform_, box.minimum, box.maximum);
  }

  void place(Header& header) {
    if (version_ < 16) {
      return;
    }
    place(header.box);
    if (header.group_count > 0) {
      inexact("", counted(header.group_count, "group") +
                      " in separate files (NAME_000.wmo …) not changed; apply the same edit to them");
    }
  }

  /// The use of these planes is unknown; they are taken for those of portals.
  void place(Planes& planes) {
    for (Vec4& plane : planes.items) {
      plane[3] = scene::to_float(
          double{plane[3]} * transform_.scale -
          scene::dot({double{plane[0]}, double{plane[1]}, double{plane[2]}}, transform_.offset));
    }
    if (transform_.offset != scene::Vec3d{} && !planes.items.empty()) {
      inexact("MCVP", "planes of MCVP moved like portal planes; their meaning is unknown");
    }
  }

  template <class Item>
  static void each(Item& /*item*/) {}
  void each(GroupInfo& info) { place(info.box); }
  void each(Light& light) {
    light.position = transform_.point(light.position);
    light.attenuation_start = transform_.length(light.attenuation_start);
    light.attenuation_end = transform_.length(light.attenuation_end);
  }
  void each(Doodad& doodad) {
    doodad.position = transform_.point(doodad.position);
    doodad.scale = transform_.length(doodad.scale);
  }
  void each(Fog& fog) {
    fog.position = transform_.point(fog.position);
    for (float* value : {&fog.small_radius, &fog.large_radius, &fog.air.end, &fog.water.end}) {
      *value = transform_.length(*value);
    }
  }
  /// normal · corner + distance is 0; where a file has the other sign, it keeps it.
  void each(Portal& portal) {
    const scene::Vec3d normal = scene::widen(portal.normal);
    double sign = -1;
    if (portal.first_vertex < portal_corners_.size()) {
      const double at = scene::dot(normal, scene::widen(portal_corners_[portal.first_vertex]));
      sign = std::fabs(at + double{portal.distance}) <= std::fabs(at - double{portal.distance}) ? -1 : 1;
    }
    portal.distance = scene::to_float(double{portal.distance} * transform_.scale +
                                      sign * scene::dot(normal, transform_.offset));
  }
  void each(BspNode& node) {
    const std::size_t axis = node.flags & 3U;
    if ((node.flags & BspNode::kLeaf) == 0 && axis < transform_.offset.size()) {
      node.distance = scene::to_float(double{node.distance} * transform_.scale + transform_.offset.at(axis));
    }
  }
  void each(Liquid& liquid) {
    const std::array before = {liquid.x_tiles, liquid.y_tiles};
    if (!place_liquid(liquid, transform_)) {
      refusal_ = before[0] <= 0 || before[1] <= 0
                     ? "a liquid without a grid cannot be scaled"
                     : "a liquid has no complete grid, or too many tiles at this scale";
      return;
    }
    const auto fits = [&](std::int32_t tiles, std::int32_t now) {
      return std::fabs(tiles * transform_.scale - now) < 1e-6;
    };
    if (!fits(before[0], liquid.x_tiles) || !fits(before[1], liquid.y_tiles)) {
      inexact("MLIQ", "liquids are rounded to whole tiles of a fixed size");
    }
  }

  /// Before its chunks: boxes of batches follow from positions.
  void place(Group& group) {
    place(group.header.box);
    const auto* positions = group.find<Points>(FourCC{"MOVT"});
    auto* batches = group.find<Batches>(FourCC{"MOBA"});
    for (std::size_t i = 0; batches != nullptr && i < batches->items.size(); ++i) {
      Batch& batch = batches->items[i];
      if (batch.box != WholeBox{}) {
        const auto drawn = positions == nullptr ? std::nullopt : box_of(positions->items, batch);
        const bool exact = drawn && whole(*drawn) == batch.box;
        batch.box = clipped(exact ? Box{transform_.point(drawn->minimum), transform_.point(drawn->maximum)}
                                  : Box{transform_.point(corner_of(batch.box, 0)),
                                        transform_.point(corner_of(batch.box, 3))});
      }
    }
  }

  static Vec3 corner_of(const WholeBox& box, std::size_t first) {
    return {static_cast<float>(box.at(first)), static_cast<float>(box.at(first + 1)),
            static_cast<float>(box.at(first + 2))};
  }

  static std::optional<Box> box_of(const Array<Vec3>& positions, const Batch& batch) {
    if (batch.first_vertex > batch.last_vertex || batch.last_vertex >= positions.size()) {
      return std::nullopt;
    }
    Box box{positions[batch.first_vertex], positions[batch.first_vertex]};
    for (std::size_t v = batch.first_vertex; v <= batch.last_vertex; ++v) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        box.minimum.at(axis) = std::min(box.minimum.at(axis), positions[v].at(axis));
        box.maximum.at(axis) = std::max(box.maximum.at(axis), positions[v].at(axis));
      }
    }
    return box;
  }

  /// Outwards; none where numbers of 16 bits end.
  static std::optional<WholeBox> whole(const Box& box) {
    WholeBox rounded{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const float low = std::floor(box.minimum.at(axis));
      const float high = std::ceil(box.maximum.at(axis));
      if (!(low >= std::numeric_limits<std::int16_t>::min() &&
            high <= std::numeric_limits<std::int16_t>::max())) {
        return std::nullopt;
      }
      rounded.at(axis) = static_cast<std::int16_t>(low);
      rounded.at(axis + 3) = static_cast<std::int16_t>(high);
    }
    return rounded;
  }

  WholeBox clipped(const Box& box) {
    const auto rounded = whole(box);
    if (!rounded) {
      refusal_ = "batch bounds would exceed 32767 yards, the limit of their fields";
    }
    return rounded.value_or(WholeBox{});
  }

  Document& document_;
  const Similarity& transform_;
  EditLog& log_;
  std::uint32_t version_;
  Array<Vec3> portal_corners_;  ///< before
  std::string unknown_;         ///< tags
  std::string refusal_;
};

}  // namespace

Result<void> place(Document& document, const Placement& placement, EditLog& log) {
  const Similarity transform = scene::similarity_of(placement);
  if (transform.turns) {
    return fail(codes::kEditRefused,
                "A WMO cannot be rotated, because BSP trees and liquids are axis-aligned. Rotate its "
                "placement instead.");
  }
  if (transform.is_identity()) {
    return {};
  }
  Result<void> done = BuildingPlacer(document, transform, log).run();
  if (done) {
    lay_out_groups(document);
    log.changes.push_back({"", "the WMO " + transform.words()});
  }
  return done;
}

}  // namespace thaw::wmo
