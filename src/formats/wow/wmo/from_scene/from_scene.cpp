#include "formats/wow/wmo/from_scene/from_scene.hpp"

#include <thaw/codes.hpp>

#include "formats/wow/wmo/from_scene/wmo_builder.hpp"
#include "scene/liquid.hpp"
#include "scene/losses.hpp"
#include "scene/pose.hpp"
#include "scene/roles.hpp"

#include <algorithm>
#include <cmath>

namespace thaw::wmo {

std::uint32_t NameTable::add(std::string_view name) {
  name = name.substr(0, name.find('\0'));
  const auto known = known_.find(name);
  if (known != known_.end()) {
    return known->second;
  }
  const auto offset = static_cast<std::uint32_t>(strings.text.size());
  strings.text.insert(strings.text.end(), name.begin(), name.end());
  strings.text.push_back('\0');
  known_.emplace(std::string(name), offset);
  return offset;
}

WmoBuilder::WmoBuilder(const scene::Scene& scene_, const FromSceneOptions& options_,
                       Diagnostics& diagnostics_)
    : scene(scene_),
      options(options_),
      diagnostics(diagnostics_),
      units(1 / double{options_.scale}),
      world(scene::Poser(scene_, nullptr).world_matrices(0)) {}

std::optional<std::size_t> WmoBuilder::room_at(const Vec3& point, float more) const {
  std::optional<std::size_t> best;
  double least = 0;
  for (std::size_t i = 0; i < drafts.size(); ++i) {
    const Box& box = drafts[i].box;
    double size = drafts[i].faces.empty() ? 0 : 1;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const bool inside =
          point.at(axis) >= box.minimum.at(axis) - more && point.at(axis) <= box.maximum.at(axis) + more;
      size *= inside ? double{box.maximum.at(axis)} - double{box.minimum.at(axis)} : 0;
    }
    if (size > 0 && (!best || size < least)) {
      best = i;
      least = size;
    }
  }
  return best;
}

namespace {

std::uint8_t byte_of(float value) {
  return static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0F, 1.0F) * 255));
}

}  // namespace

Bgra color_of(const Vec3& color) { return {byte_of(color[2]), byte_of(color[1]), byte_of(color[0]), 255}; }

Bgra color_of(const Value& value, const Bgra& otherwise) {
  Bgra color = otherwise;
  for (std::size_t i = 0; i < color.size() && value.list().size() == color.size(); ++i) {
    color.at(i) = whole<std::uint8_t>(value[i], color.at(i));
  }
  return color;
}

namespace {

void report_losses(WmoBuilder& builder) {
  const scene::Scene& scene = builder.scene;
  const auto lose = [&](std::size_t count, const char* what) {
    if (count > 0) {
      builder.lose(std::string(what) + ": " + std::to_string(count));
    }
  };
  const auto meshes = [&](const auto& test) {
    return static_cast<std::size_t>(
        std::count_if(scene.meshes.begin(), scene.meshes.end(), [&](const scene::Mesh& mesh) {
          return test(mesh) && (mesh.node >= builder.roles.size() || builder.roles[mesh.node] != Role::none);
        }));
  };
  const auto lost_clips = std::count_if(scene.clips.begin(), scene.clips.end(), [](const scene::Clip& clip) {
    return clip.name != scene::kPicturesOfLiquids &&
           clip.name != scene::kCurrents;  // which come by themselves
  });
  lose(static_cast<std::size_t>(lost_clips), "animations left out");
  lose(meshes([](const auto& mesh) { return mesh.skin != kNone; }),
       "meshes written in rest pose without their skin");
  lose(meshes([](const auto& mesh) { return !mesh.morph_targets.empty(); }),
       "meshes written without their morph targets");
  lose(meshes([](const auto& mesh) { return !mesh.wires.empty(); }),
       "meshes written without their points and lines");
  const auto drawn = [&](const scene::Mesh& mesh) {
    return mesh.node < builder.roles.size() && builder.roles[mesh.node] == Role::drawn;
  };
  lose(meshes([&](const auto& mesh) { return mesh.uv_sets.size() > 1 && drawn(mesh); }),
       "meshes reduced to their first UV set");
  lose(meshes([&](const auto& mesh) { return mesh.alpha < 1 && drawn(mesh); }),
       "meshes written without their overall transparency");
  for (const std::string& loss : scene::object_losses(scene, {.lights = true})) {
    builder.lose(loss);
  }
  const auto levels = scene::levels_of_detail(scene);
  lose(meshes([&](const auto& mesh) { return mesh.node < levels.size() && levels[mesh.node].level > 0; }),
       "meshes of coarser levels of detail left out");
  for (const auto& [what, count] : builder.counted_losses) {
    builder.change(what + ": " + std::to_string(count));
  }
  const std::string& skybox = scene::extras_of(scene, "wmo")["skybox"].text();
  if (!skybox.empty()) {
    builder.lose("skybox left out: " + skybox);
  }
}

std::vector<Chunk> root_chunks(WmoBuilder& builder, const std::vector<Group>& groups,
                               const NameTable& group_names, std::vector<PortalReference> references) {
  const Value& extras = scene::extras_of(builder.scene, "wmo");
  Header header;
  header.wmo_id = whole<std::uint32_t>(extras["wmoId"], 0);
  header.ambient_color = color_of(extras["ambientColor"], {80, 80, 80, 255});
  std::vector<GroupInfo> infos;
  for (const Group& group : groups) {
    infos.push_back(
        {0, 0, group.header.flags, group.header.box, static_cast<std::int32_t>(group.header.name)});
  }
  std::vector<Chunk> chunks;
  add_chunk(chunks, FourCC{"MOHD"}, header);
  add_chunk(chunks, FourCC{"MOTX"}, builder.textures.strings);
  add_list(chunks, FourCC{"MOMT"}, std::move(builder.materials));
  add_chunk(chunks, FourCC{"MOGN"}, group_names.strings);
  add_list(chunks, FourCC{"MOGI"}, std::move(infos));
  add_chunk(chunks, FourCC{"MOPV"}, std::move(builder.portal_corners));
  add_list(chunks, FourCC{"MOPT"}, std::move(builder.portals));
  add_list(chunks, FourCC{"MOPR"}, std::move(references));
  add_list(chunks, FourCC{"MOLT"}, std::move(builder.lights));
  add_list(chunks, FourCC{"MODS"}, std::move(builder.doodad_sets));
  add_chunk(chunks, FourCC{"MODN"}, builder.doodad_names.strings);
  add_list(chunks, FourCC{"MODD"}, std::move(builder.doodads));
  add_list(chunks, FourCC{"MFOG"}, std::move(builder.fogs));
  return chunks;
}

Document assemble(WmoBuilder& builder) {
  NameTable names;
  names.add("");
  std::vector<Group> groups;
  std::vector<PortalReference> references;
  for (std::size_t i = 0; i < builder.drafts.size(); ++i) {
    if (!proceed(builder.options.control, "groups", i, builder.drafts.size())) {
      break;
    }
    const Draft& draft = builder.drafts[i];
    Group& group = groups.emplace_back(make_group(builder, draft, i));
    group.header.name = group.header.description = names.add(draft.name);
    group.header.first_portal = static_cast<std::uint32_t>(references.size());
    group.header.portal_count = static_cast<std::uint32_t>(draft.portals.size());
    references.insert(references.end(), draft.portals.begin(), draft.portals.end());
  }
  Document document;
  add_chunk(document.chunks, FourCC{"MVER"}, Version{kAlphaVersion});
  add_chunk(document.chunks, FourCC{"MOMO"},
            Root{root_chunks(builder, groups, names, std::move(references))});
  for (Group& group : groups) {
    add_chunk(document.chunks, FourCC{"MOGP"}, std::move(group));
  }
  lay_out(document);
  return document;
}

}  // namespace

Result<BuildingOfScene> from_scene(const scene::Scene& scene, const FromSceneOptions& options,
                                   Diagnostics& diagnostics) {
  WmoBuilder builder(scene, options, diagnostics);
  find_roles(builder);
  if (auto drafted = draft_groups(builder); !drafted) {
    return tl::unexpected<Error>(std::move(drafted.error()));
  }
  divide_groups(builder);
  add_liquids(builder);
  add_portals(builder);
  add_lights(builder);
  add_doodads(builder);
  add_fogs(builder);
  report_losses(builder);
  BuildingOfScene result;
  result.pictures = std::move(builder.pictures);
  result.lost_collision = std::move(builder.lost_collision);
  result.lost_doodads = std::move(builder.lost_doodads);
  result.document = assemble(builder);
  if (is_stopped(options.control)) {
    return fail(codes::kStopped, "");
  }
  return result;
}

}  // namespace thaw::wmo
