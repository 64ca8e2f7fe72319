// What the game wants and a scene may lack: something to hang meshes at, a sequence, a place for what is
// hung at the model's feet.
#include "formats/warcraft/mdx/from_scene/maker.hpp"

#include "bytes/ascii.hpp"

#include <algorithm>

namespace thaw::mdx {

/// Meshes that hang nowhere get a bone at the origin; it is added before objects are numbered in geosets.
void add_missing_bone(ModelMaker& maker) {
  const auto hangs = [&](const scene::Mesh& mesh) {
    return mesh.skin != kNone || maker.carrier(mesh.node) != kNone || mesh.indices.empty();
  };
  const auto& meshes = maker.scene.meshes;
  const bool wanted = !std::all_of(meshes.begin(), meshes.end(), hangs);
  const bool from_model = !ModelMaker::own(maker.scene.extras).is_null();
  if (!wanted || from_model || maker.options.bare) {
    return;
  }
  SceneObject root;
  root.kind = ObjectKind::bone;
  root.name = "Root";
  for (auto& object : maker.objects) {
    ++object.id;
  }
  root.id = 0;
  maker.objects.push_back(root);
  maker.root_bone = static_cast<Index>(maker.objects.size() - 1);
  maker.add("bone \"Root\" added for meshes without a bone");
}

void complete(ModelMaker& maker) {
  if (maker.options.bare) {
    return;
  }
  auto& document = maker.document;
  if (document.find<Sequences>() == nullptr) {
    Sequence stand;
    stand.name = FixedText<80>("Stand");
    stand.end = 3333;
    chunk_of<Sequences>(document, FourCC{"SEQS"}).items.push_back(stand);
    maker.add("sequence \"Stand\" without motion added");
  }
  const auto attachments = document.all<Attachments>();
  const bool has_origin =
      std::any_of(attachments.begin(), attachments.end(), [](const Attachment* attachment) {
        return ascii::begins_with(attachment->node.name.view(), "origin");
      });
  const auto* model = document.find<Model>();
  const bool from_model = !ModelMaker::own(maker.scene.extras).is_null();
  if (has_origin || from_model || model == nullptr) {
    return;
  }
  auto& pivots = chunk_of<Pivots>(document, FourCC{"PIVT"}).points;
  Attachment origin;
  origin.node.name = FixedText<80>("Origin Ref");
  origin.node.object_id = static_cast<std::int32_t>(pivots.size());
  origin.node.flags = node_flag::kAttachment;
  origin.attachment_id = static_cast<std::int32_t>(attachments.size());
  pivots.push_back({});
  chunk_of<Attachments>(document, FourCC{"ATCH"}).items.push_back(std::move(origin));
  maker.add("attachment \"Origin Ref\" added");
}

}  // namespace thaw::mdx
