// Attachment points, and the colour of players under materials.
#include "formats/warcraft/mdx/edit/parts.hpp"
#include "formats/warcraft/mdx/shaders.hpp"

#include "bytes/escape.hpp"
#include "bytes/number_text.hpp"

#include <algorithm>
#include <limits>

namespace thaw::mdx {
namespace {

constexpr std::uint32_t kTeamColor = 1;

/// "1,2.5,-3"
std::optional<Vec3> parse_place(std::string_view text) {
  Vec3 place{};
  for (std::size_t axis = 0; axis < place.size(); ++axis) {
    const std::size_t end = text.find(',');
    double number = 0;
    if (!parse_double(text.substr(0, end), number) ||
        (end == std::string_view::npos) != (axis + 1 == place.size())) {
      return std::nullopt;
    }
    place.at(axis) = static_cast<float>(number);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return place;
}

/// The number of its texture, or of the one that has to be added.
std::int32_t team_color_texture(const Document& document) {
  const auto textures = document.all<Textures>();
  const auto known = std::find_if(textures.begin(), textures.end(), [](const Texture* texture) {
    return texture->replaceable_id == kTeamColor;
  });
  return static_cast<std::int32_t>(known - textures.begin());
}

void need_texture(Document& document, std::int32_t index, EditLog& log) {
  if (static_cast<std::size_t>(index) < document.all<Textures>().size()) {
    return;
  }
  if (document.find<Textures>() == nullptr) {
    insert_chunk(document, FourCC{"TEXS"}, Textures{});
  }
  Texture texture;
  texture.replaceable_id = kTeamColor;
  document.find<Textures>()->items.push_back(texture);
  log.changes.push_back({place("TEXS", static_cast<std::size_t>(index)), "texture of the team colour added"});
}

bool shows(const Layer& layer, std::int32_t texture) {
  return layer.slots.empty()
             ? layer.texture_id == texture
             : std::any_of(layer.slots.begin(), layer.slots.end(),
                           [&](const TextureSlot& slot) { return slot.texture_id == texture; });
}

bool is_physical(const Document& document, const Material& material) {
  const auto version = document.version();
  return version >= 1100 ? std::any_of(material.layers.begin(), material.layers.end(),
                                       [](const Layer& layer) { return mdx::is_physical(layer.shader_id); })
                         : version >= 900 && mdx::is_physical(shader_of(material.shader.view()));
}

Layer color_below(const Layer& lowest, std::int32_t texture) {
  Layer layer;
  layer.shading_flags = lowest.shading_flags;
  layer.texture_id = texture;
  layer.coord_id = lowest.coord_id;
  layer.has_fresnel = lowest.has_fresnel;
  layer.shader_id = lowest.shader_id;
  if (!lowest.slots.empty()) {
    TextureSlot slot;
    slot.texture_id = texture;
    layer.slots.push_back(slot);
  }
  return layer;
}

/// The next id follows those of nodes or of pivots. Else pivots would fill a gap, of two thousand million ids
/// at worst.
bool has_room_for_a_node(Document& document) {
  const auto nodes = nodes_by_id(document);
  const auto* pivots = document.find<Pivots>();
  const std::size_t known = std::max(nodes.size(), pivots == nullptr ? 0 : pivots->points.size());
  return nodes.empty() || nodes.rbegin()->first < static_cast<std::int64_t>(known);
}

}  // namespace

Result<void> add_attachment(Document& document, std::string_view what, EditLog& log) {
  const std::size_t colon = what.rfind(':');
  const std::string_view name_and_node = what.substr(0, colon);
  const std::size_t at = name_and_node.find('@');
  const std::string_view name = name_and_node.substr(0, at);
  const auto offset = colon == std::string_view::npos ? Vec3{} : parse_place(what.substr(colon + 1));
  if (name.size() >= FixedText<80>().raw.size()) {
    return fail(codes::kEditPath, shown(what) + ": names are limited to 79 bytes");
  }
  if (name.empty() || !offset) {
    return fail(codes::kEditPath, shown(what) + ": expected NAME[@NODE][:X,Y,Z]");
  }
  if (!has_room_for_a_node(document)) {
    return fail(
        codes::kEditRefused,
        "the model has node ids above the number of its nodes and pivots; `thaw validate` lists them");
  }
  Attachment added;
  Vec3 pivot = *offset;
  if (at != std::string_view::npos) {
    const auto parent = id_of_node(document, name_and_node.substr(at + 1));
    if (!parent) {
      return fail(codes::kEditRefused, "the model has no node \"" + shown(name_and_node.substr(at + 1)) +
                                           "\"; `thaw dump` lists all");
    }
    added.node.parent_id = *parent;
    const auto* pivots = document.find<Pivots>();
    if (pivots != nullptr && static_cast<std::size_t>(*parent) < pivots->points.size()) {
      const Vec3& base = pivots->points[static_cast<std::size_t>(*parent)];
      pivot = {pivot[0] + base[0], pivot[1] + base[1], pivot[2] + base[2]};
    }
  }
  added.node.name.assign(name);
  added.node.flags = node_flag::kAttachment;
  added.node.object_id = add_pivot(document, pivot);
  const auto attachments = document.all<Attachments>();
  constexpr std::int32_t kLastButOne = std::numeric_limits<std::int32_t>::max() - 1;
  std::int32_t id = -1;
  for (const Attachment* known : attachments) {
    id = std::max(id, std::min(known->attachment_id, kLastButOne));
  }
  added.attachment_id = id + 1;
  if (document.find<Attachments>() == nullptr) {
    insert_chunk(document, FourCC{"ATCH"}, Attachments{});
  }
  document.find<Attachments>()->items.push_back(std::move(added));
  log.changes.push_back({place("ATCH", attachments.size()), "added \"" + shown(name) + "\""});
  return {};
}

Result<void> add_team_color(Document& document, std::string_view which, EditLog& log) {
  const auto number = parse_whole(which);
  if (which != "*" && !number) {
    return fail(codes::kEditPath, shown(which) + ": expected a material's number, or * for all");
  }
  const auto team = team_color_texture(document);
  const std::size_t before = log.changes.size();
  for_each<Materials>(document, [&](Material& material, std::size_t index) {
    auto& layers = material.layers;
    const bool meant = which == "*" || *number == index;
    if (!meant || layers.empty() || is_physical(document, material) ||
        std::any_of(layers.begin(), layers.end(), [&](const Layer& layer) { return shows(layer, team); })) {
      return;
    }
    layers.insert(layers.begin(), color_below(layers.front(), team));
    Layer& above = layers[1];
    if (above.filter_mode == FilterMode::none || above.filter_mode == FilterMode::transparent) {
      above.filter_mode = FilterMode::blend;
    }
    log.changes.push_back({place("MTLS", index), "team colour added below the first layer"});
  });
  if (log.changes.size() == before) {
    log.findings.add(codes::kEditNothing,
                     which == "*" ? "no material without team colour, apart from HD materials"
                                  : "no material to change: material " + std::string(which) +
                                        " does not exist, is HD, has no layers or already has team colour");
  } else {
    need_texture(document, team, log);
  }
  return {};
}

}  // namespace thaw::mdx
