// The layout of WMO, once. See wmo.md#structure.
#pragma once

#include <thaw/wmo.hpp>

#include "describe/description.hpp"
#include "describe/links.hpp"

namespace thaw::wmo {

/// What descriptions need to know of the file around them.
struct Context {
  std::uint32_t version = kAlphaVersion;
  std::size_t chunk_count = 0;  ///< read so far
  /// Where names begin to which others refer; known to those who show.
  std::uint64_t textures_at = 0, group_names_at = 0, models_at = 0;
};

constexpr bool is_alpha(std::uint32_t version) { return version <= 15; }
constexpr bool is_later(std::uint32_t version) { return version >= 17; }

/// A whole number that the file has in 16 bits and the document in 32.
template <class V, class Word>
void describe_short(V& v, const char* name, Word& word) {
  auto stored = static_cast<std::uint16_t>(word);
  v.field(name, stored);
  if constexpr (V::kReads) {
    word = stored;
  }
}

/// Records of a size that depends on the version, to the end of the chunk.
template <class V, class Items>
void describe_records(V& v, Items& items, std::size_t record_size) {
  v.list("", items, v.choose(items.size(), [&](ByteView rest) { return rest.size() / record_size; }));
}

// --- root
// -------------------------------------------------------------------------------------------------------

template <class V>
void describe(V& v, As<V, Version>& version) {
  v.field("version", version.value);
}

template <class V>
void describe(V& v, As<V, Box>& box) {
  v.field("minimum", box.minimum);
  v.field("maximum", box.maximum);
}

template <class V>
void describe(V& v, As<V, Header>& header) {
  v.field("nMaterials", header.material_count);
  v.field("nGroups", header.group_count);
  v.field("nPortals", header.portal_count);
  v.field("nLights", header.light_count);
  v.field("nDoodadNames", header.doodad_name_count);
  v.field("nDoodadDefs", header.doodad_count);
  v.field("nDoodadSets", header.doodad_set_count);
  v.field("ambientColor", header.ambient_color);
  v.field("wmoId", header.wmo_id);
  if (is_alpha(v.context().version)) {
    v.field("padding", header.padding);
  } else {
    v.object("box", header.box);
    v.field("flags", header.flags);
  }
}

template <class V>
void describe(V& v, As<V, Material>& material) {
  const bool alpha = is_alpha(v.context().version);
  if (alpha) {
    v.field("version", material.version);
    v.field("flags", material.flags);
  } else {
    v.field("flags", material.flags);
    v.field("shader", material.version);
  }
  v.field("blendMode", material.blend_mode);
  v.field("texture1", material.texture1);
  v.field("sidnColor", material.glow_color);
  v.field("frameSidnColor", material.frame_glow_color);
  v.field("texture2", material.texture2);
  v.field("diffuseColor", material.diffuse_color);
  v.field("groundType", material.ground_type);
  v.field("padding", material.padding);
  if constexpr (!V::kReads) {
    points(v, material.texture1, v.context().textures_at + material.texture1);
    points(v, material.texture2, v.context().textures_at + material.texture2);
  }
  if (!alpha) {
    v.field("later", material.later);
  }
}

template <class V>
void describe(V& v, As<V, GroupInfo>& info) {
  if (is_alpha(v.context().version)) {
    v.field("offset", info.offset);
    v.field("size", info.size);
    points(v, info.offset, info.offset);
    spans(v, info.size, info.offset);
  }
  v.field("flags", info.flags);
  v.object("box", info.box);
  v.field("name", info.name);
  if constexpr (!V::kReads) {
    points(v, info.name, v.context().group_names_at + static_cast<std::uint64_t>(info.name));
  }
}

template <class V>
void describe(V& v, As<V, Portal>& portal) {
  v.field("firstVertex", portal.first_vertex);
  v.field("vertexCount", portal.vertex_count);
  v.field("normal", portal.normal);
  v.field("distance", portal.distance);
}

template <class V>
void describe(V& v, As<V, PortalReference>& reference) {
  v.field("portal", reference.portal);
  v.field("group", reference.group);
  v.field("side", reference.side);
  v.field("padding", reference.padding);
}

template <class V>
void describe(V& v, As<V, Light>& light) {
  v.field("type", light.type);
  v.field("useAttenuation", light.use_attenuation);
  v.field("padding", light.padding);
  v.field("color", light.color);
  v.field("position", light.position);
  v.field("intensity", light.intensity);
  if (!is_alpha(v.context().version)) {
    v.field("rotation", light.rotation);
  }
  v.field("attenuationStart", light.attenuation_start);
  v.field("attenuationEnd", light.attenuation_end);
}

template <class V>
void describe(V& v, As<V, DoodadSet>& set) {
  v.text("name", set.name);
  v.field("first", set.first);
  v.field("count", set.count);
  v.field("padding", set.padding);
}

template <class V>
void describe(V& v, As<V, Doodad>& doodad) {
  v.field("name", doodad.name);
  if constexpr (!V::kReads) {
    points(v, doodad.name, v.context().models_at + doodad.name_offset());
  }
  v.field("flags", doodad.flags);
  v.field("position", doodad.position);
  v.field("rotation", doodad.rotation);
  v.field("scale", doodad.scale);
  v.field("color", doodad.color);
}

template <class V>
void describe(V& v, As<V, Fog::Values>& values) {
  v.field("end", values.end);
  v.field("startScalar", values.start_scalar);
  v.field("color", values.color);
}

template <class V>
void describe(V& v, As<V, Fog>& fog) {
  v.field("flags", fog.flags);
  v.field("position", fog.position);
  v.field("smallRadius", fog.small_radius);
  v.field("largeRadius", fog.large_radius);
  v.object("air", fog.air);
  v.object("water", fog.water);
}

// --- groups
// -----------------------------------------------------------------------------------------------------

template <class V>
void describe(V& v, As<V, BatchRun>& run) {
  v.field("firstVertex", run.first_vertex);
  v.field("vertexCount", run.vertex_count);
  v.field("firstBatch", run.first_batch);
  v.field("batchCount", run.batch_count);
}

template <class V>
void describe_wide_tail(V& v, As<V, GroupHeader>& header) {
  v.field("fogs", header.fogs);
  v.field("liquid", header.liquid);
  static constexpr std::array kInterior = {"interior0", "interior1", "interior2", "interior3"};
  static constexpr std::array kExterior = {"exterior0", "exterior1", "exterior2", "exterior3"};
  for (std::size_t i = 0; i < kInterior.size(); ++i) {
    v.object(kInterior[i], header.interior[i]);
  }
  for (std::size_t i = 0; i < kExterior.size(); ++i) {
    v.object(kExterior[i], header.exterior[i]);
  }
  v.field("uniqueId", header.unique_id);
  v.field("padding", header.padding);
}

template <class V>
void describe_narrow_tail(V& v, As<V, GroupHeader>& header) {
  v.field("transitionBatches", header.transition_batches);
  v.field("interiorBatches", header.interior_batches);
  v.field("exteriorBatches", header.exterior_batches);
  v.field("batchPadding", header.batch_padding);
  v.field("fogs", header.fogs);
  v.field("liquid", header.liquid);
  v.field("uniqueId", header.unique_id);
  v.field("later", header.later);
}

/// 128 bytes in version 14 and 68 later; where the first chunk does not follow the head that the
/// version requires, but the other one, that one is meant (wmo.md#group-header).
bool has_wide_header(ByteView group, std::uint32_t version);

template <class V>
void describe(V& v, As<V, GroupHeader>& header) {
  const bool wide =
      v.choose(header.wide, [&](ByteView rest) { return has_wide_header(rest, v.context().version); });
  if constexpr (V::kReads) {
    header.wide = wide;
  }
  v.field("name", header.name);
  v.field("description", header.description);
  v.field("flags", header.flags);
  v.object("box", header.box);
  if (wide) {
    v.field("firstPortal", header.first_portal);
    v.field("portalCount", header.portal_count);
    describe_wide_tail(v, header);
  } else {
    describe_short(v, "firstPortal", header.first_portal);
    describe_short(v, "portalCount", header.portal_count);
    describe_narrow_tail(v, header);
  }
}

template <class V>
void describe(V& v, As<V, Batch>& batch) {
  const std::uint32_t version = v.context().version;
  if (is_later(version)) {
    v.field("box", batch.box);
    v.field("firstIndex", batch.first_index);
  } else {
    v.field("lightmap", batch.lightmap);
    v.field("material", batch.material);
    v.field("box", batch.box);
    describe_short(v, "firstIndex", batch.first_index);
  }
  v.field("indexCount", batch.index_count);
  v.field("firstVertex", batch.first_vertex);
  v.field("lastVertex", batch.last_vertex);
  v.field("flags", batch.flags);
  if (is_later(version)) {
    v.field("material", batch.material);
  } else {
    v.field("padding", batch.padding);
  }
  if (version == 16) {
    v.field("extra", batch.extra);
  }
}

template <class V>
void describe(V& v, As<V, BspNode>& node) {
  v.field("flags", node.flags);
  v.field("negative", node.negative);
  v.field("positive", node.positive);
  v.field("faceCount", node.face_count);
  v.field("firstFace", node.first_face);
  v.field("distance", node.distance);
}

template <class V>
void describe(V& v, As<V, Lightmap>& lightmap) {
  v.bulk("texels", lightmap.texels, Lightmap::kTexels);
  v.field("padding", lightmap.padding);
}

template <class V>
void describe(V& v, As<V, LiquidVertex>& vertex) {
  v.field("flow", vertex.flow);
  v.field("height", vertex.height);
}

/// The product of two counts that a file states; more than any file has if one is negative.
constexpr std::size_t area(std::int32_t width, std::int32_t height) {
  constexpr std::uint64_t kMost = ~std::size_t{0};
  const bool negative = width < 0 || height < 0;
  return static_cast<std::size_t>(
      negative ? kMost
               : std::min(kMost, static_cast<std::uint64_t>(width) * static_cast<std::uint64_t>(height)));
}

template <class V>
void describe(V& v, As<V, Liquid>& liquid) {
  v.field("xVertices", liquid.x_vertices);
  v.field("yVertices", liquid.y_vertices);
  v.field("xTiles", liquid.x_tiles);
  v.field("yTiles", liquid.y_tiles);
  v.field("corner", liquid.corner);
  v.field("material", liquid.material);
  v.list("vertices", liquid.vertices, area(liquid.x_vertices, liquid.y_vertices));
  v.bulk("tiles", liquid.tiles, area(liquid.x_tiles, liquid.y_tiles));
}

// --- bodies
// -----------------------------------------------------------------------------------------------------

template <class V>
void describe(V& /*v*/, As<V, Opaque>& /*opaque*/) {}
template <class V>
void describe(V& v, As<V, Strings>& strings) {
  v.strings("texts", strings.text, v.choose(strings.text.size(), [](ByteView rest) { return rest.size(); }));
}
template <class V>
void describe(V& v, As<V, Points>& chunk) {
  bulk_to_end(v, "points", chunk.items);
}
template <class V>
void describe(V& v, As<V, Planes>& chunk) {
  bulk_to_end(v, "planes", chunk.items);
}
template <class V>
void describe(V& v, As<V, Coordinates>& chunk) {
  bulk_to_end(v, "coordinates", chunk.items);
}
template <class V>
void describe(V& v, As<V, Indices>& chunk) {
  bulk_to_end(v, "indices", chunk.items);
}
template <class V>
void describe(V& v, As<V, Runs>& chunk) {
  bulk_to_end(v, "runs", chunk.items);
}
template <class V>
void describe(V& v, As<V, Colors>& chunk) {
  bulk_to_end(v, "colors", chunk.items);
}
template <class V>
void describe(V& v, As<V, LightmapRectangles>& chunk) {
  bulk_to_end(v, "rectangles", chunk.items);
}
template <class V>
void describe(V& v, As<V, Faces>& chunk) {
  if (is_later(v.context().version)) {
    bulk_to_end(v, "faces", chunk.later);
  } else {
    bulk_to_end(v, "faces", chunk.items);
  }
}

/// Bytes that a record of a list takes in the file.
template <class Item>
constexpr std::size_t record_size(std::uint32_t version) {
  if constexpr (std::is_same_v<Item, Material>) {
    return is_alpha(version) ? 44 : 64;
  } else if constexpr (std::is_same_v<Item, GroupInfo>) {
    return is_alpha(version) ? 40 : 32;
  } else if constexpr (std::is_same_v<Item, Light>) {
    return is_alpha(version) ? 32 : 48;
  } else if constexpr (std::is_same_v<Item, Batch>) {
    return version == 16 ? 32 : 24;
  } else {
    return Item::kRecordSize;
  }
}

template <class V, class T>
void describe_items(V& v, T& chunk) {
  using Item = typename std::remove_cvref_t<T>::Item;
  if constexpr (std::is_same_v<Item, Liquid>) {
    v.objects("", chunk.items);
  } else {
    describe_records(v, chunk.items, record_size<Item>(v.context().version));
  }
}

}  // namespace thaw::wmo
