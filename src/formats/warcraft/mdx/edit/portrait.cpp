// The portrait of a unit: its head, and the clips that the game plays there.
#include "formats/warcraft/mdx/edit/parts.hpp"

#include "bytes/text.hpp"
#include "formats/warcraft/mdx/poses.hpp"
#include "formats/warcraft/mdx/rules/extents.hpp"
#include "formats/warcraft/mdx/scene/math.hpp"

#include <algorithm>

namespace thaw::mdx {
namespace {

constexpr float kFieldOfView = 0.7853982F;  // what most portraits of the game have

bool begins(const Sequence& sequence, std::string_view word) {
  return ascii::begins_with(sequence.name.view(), word);
}

/// Those of the portrait itself stay; without any, Stand plays there.
void choose_sequences(Document& document, EditLog& log) {
  const auto sequences = document.all<Sequences>();
  const bool has_portrait = std::any_of(sequences.begin(), sequences.end(), [](const Sequence* sequence) {
    return begins(*sequence, "portrait");
  });
  const std::string_view word = has_portrait ? "portrait" : "stand";
  for (std::size_t i = sequences.size(); i-- > 0;) {
    if (!begins(*document.all<Sequences>()[i], word)) {
      static_cast<void>(remove_things(document, "sequence:" + std::to_string(i), log));
    }
  }
  if (!has_portrait) {
    static_cast<void>(rename_sequences(document, "stand*", "Portrait*", log));
  }
}

rules::Box box_of_vertices(const Document& document) {
  rules::Box box;
  for (const auto* geoset : document.all<Geosets>()) {
    if (geoset->lod <= 0) {
      for (const Vec3& point : geoset->positions) {
        box.add(point);
      }
    }
  }
  return box;
}

/// Where a node stands in the middle of what is played.
Vec3 posed(const Document& document, std::int32_t id, const Vec3& pivot) {
  const Poses poses(document, 1);
  const auto node = poses.node(id);
  if (node < 0) {
    return pivot;
  }
  const scene::Vec3d at = scene::transform_point(poses.matrix(0, node), to_y_up(scene::widen(pivot)));
  return scene::narrow(scene::Vec3d{at[0], -at[2], at[1]});
}

/// Where the head is: a place of that name, else near the top.
Vec3 head_of(Document& document, const rules::Box& box) {
  const auto* pivots = document.find<Pivots>();
  for (const std::string_view name : {"Head Ref", "Bone_Head", "Head - Ref", "Head"}) {
    const auto id = id_of_node(document, name);
    if (id && *id >= 0 && pivots != nullptr && static_cast<std::size_t>(*id) < pivots->points.size()) {
      return posed(document, *id, pivots->points[static_cast<std::size_t>(*id)]);
    }
  }
  const float height = box.maximum[2] - box.minimum[2];
  return {(box.minimum[0] + box.maximum[0]) / 2, (box.minimum[1] + box.maximum[1]) / 2,
          box.maximum[2] - height * 0.15F};
}

/// Units look along X. From a little to the side, the head and the shoulders.
void add_camera(Document& document, EditLog& log) {
  const rules::Box box = box_of_vertices(document);
  if (!box.valid) {
    return;
  }
  const Vec3 head = head_of(document, box);
  const float distance = std::max(1.0F, (box.maximum[2] - box.minimum[2]) * 0.9F);
  Camera camera;
  camera.name.assign("Portrait");
  camera.field_of_view = kFieldOfView;
  camera.near_clip = distance * 0.05F;
  camera.far_clip = distance * 20;
  camera.target = head;
  camera.position = {head[0] + distance * 0.95F, head[1] - distance * 0.3F, head[2] + distance * 0.05F};
  if (document.find<Cameras>() == nullptr) {
    insert_chunk(document, FourCC{"CAMS"}, Cameras{});
  }
  document.find<Cameras>()->items.push_back(camera);
  if (auto* bind = document.find<BindPoses>()) {
    bind->poses.push_back(
        {1, 0, 0, 0, 1, 0, 0, 0, 1, camera.position[0], camera.position[1], camera.position[2]});
  }
  log.changes.push_back({"CAMS[0]", "camera added in front of the head"});
}

}  // namespace

Result<void> make_portrait(Document& document, EditLog& log) {
  choose_sequences(document, log);
  if (document.all<Sequences>().empty()) {
    return fail(codes::kEditRefused,
                "a portrait needs a Portrait or Stand sequence, but the model has neither");
  }
  if (document.all<Cameras>().empty()) {
    add_camera(document, log);
  }
  return {};
}

}  // namespace thaw::mdx
