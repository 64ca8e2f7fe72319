// Parts that the game needs and a scene may lack: something to hang meshes at, a sequence, a place for what
// is hung at the model's feet.
#include "formats/warcraft/mdx/from_scene/model_builder.hpp"

#include "bytes/text.hpp"

#include <algorithm>

namespace thaw::mdx {

/// Meshes that hang nowhere get a bone at the origin; it is added before objects are numbered in geosets.
void add_missing_bone(ModelBuilder& builder) {
  const auto hangs = [&](const scene::Mesh& mesh) {
    return mesh.skin != kNone || builder.carrier(mesh.node) != kNone || mesh.indices.empty();
  };
  const auto& meshes = builder.scene.meshes;
  const bool required = !std::all_of(meshes.begin(), meshes.end(), hangs);
  const bool from_model = !ModelBuilder::mdx_extras(builder.scene).is_null();
  if (!required || from_model || builder.options.bare) {
    return;
  }
  SceneObject root;
  root.kind = ObjectKind::bone;
  root.name = "Root";
  for (auto& object : builder.objects) {
    ++object.id;
  }
  root.id = 0;
  builder.objects.push_back(root);
  builder.root_bone = static_cast<Index>(builder.objects.size() - 1);
  builder.add("bone \"Root\" added for meshes without a bone");
}

void complete(ModelBuilder& builder) {
  if (builder.options.bare) {
    return;
  }
  auto& document = builder.document;
  if (document.find<Sequences>() == nullptr) {
    Sequence stand;
    stand.name = FixedText<80>("Stand");
    stand.end = 3333;
    chunk_of<Sequences>(document, FourCC{"SEQS"}).items.push_back(stand);
    builder.add("sequence \"Stand\" without motion added");
  }
  const auto attachments = document.all<Attachments>();
  const bool has_origin =
      std::any_of(attachments.begin(), attachments.end(), [](const Attachment* attachment) {
        return ascii::begins_with(attachment->node.name.view(), "origin");
      });
  const auto* model = document.find<Model>();
  const bool from_model = !ModelBuilder::mdx_extras(builder.scene).is_null();
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
  builder.add("attachment \"Origin Ref\" added");
}

}  // namespace thaw::mdx
