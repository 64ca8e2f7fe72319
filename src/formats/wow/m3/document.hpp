// The layout of M3 files, each structure once.
#pragma once

#include <thaw/m3.hpp>

#include "bytes/number_text.hpp"
#include "describe/description.hpp"
#include "describe/links.hpp"
#include "describe/scalars.hpp"

#include <algorithm>

namespace thaw {

// Numbers that are held as their bits.
template <>
constexpr ScalarKind scalar_kind<std::array<m3::Half, 2>>() {
  return ScalarKind::f16;
}
template <>
constexpr ScalarKind scalar_kind<std::array<m3::Half, 4>>() {
  return ScalarKind::f16;
}
template <>
constexpr ScalarKind scalar_kind<m3::Packed10>() {
  return kPacked10;
}

}  // namespace thaw

namespace thaw::m3 {

/// What descriptions know of the file around them.
struct Context {
  std::optional<std::uint32_t> mesh_version;  ///< of the mesh that is read
  bool long_geosets = false;
  std::uint32_t material_version = 0;
  Headers headers = Headers::model;
  std::uint64_t claimed = 0;  ///< bytes that the arrays of material instances claim together
};

/// Makes `elements` the alternative of a format; false for unknown ones.
bool prepare(Elements& elements, ElementFormat format);

// --- properties: what follows tag and size
// ---------------------------------------------------------------

template <class V>
void describe(V& v, As<V, Properties>& properties) {
  v.field("propertyA", properties.a);
  v.field("propertyB", properties.b);
}
template <class V>
void describe(V& v, As<V, FormatProperties>& properties) {
  v.field("format", properties.format.bytes);
  v.field("unused", properties.unused);
}
template <class V>
void describe(V& v, As<V, WeightProperties>& properties) {
  v.field("indexFormat", properties.index_format.bytes);
  v.field("weightFormat", properties.weight_format.bytes);
}
template <class V>
void describe(V& v, As<V, VersionProperties>& properties) {
  v.field("version", properties.version);
  v.field("unused", properties.unused);
}
template <class V>
void describe(V& v, As<V, CountProperties>& properties) {
  v.field("count", properties.count);
  v.field("unused", properties.unused);
}
template <class V>
void describe(V& v, As<V, LodProperties>& properties) {
  v.field("extraLevels", properties.extra_levels);
  v.field("geosetsPerLevel", properties.geosets_per_level);
}
template <class V>
void describe(V& v, As<V, HeaderProperties>& properties) {
  v.field("version", properties.version);
  v.field("unknown", properties.unknown);
}

// --- mesh
// -------------------------------------------------------------------------------------------------------

template <class V>
void describe(V& /*v*/, As<V, Opaque>& /*opaque*/) {}

template <class V>
void describe(V& /*v*/, As<V, MeshVersion>& /*version*/) {}

template <class V>
void describe(V& v, As<V, Buffer>& buffer) {
  if constexpr (V::kReads) {
    if (!prepare(buffer.elements, buffer.format())) {
      v.fail(codes::kM3ElementFormat, "format",
             buffer.properties.format.text() + " is not a known element format; preserved as bytes");
      return;
    }
  }
  std::visit([&](auto& elements) { bulk_to_end(v, "elements", elements); }, buffer.elements);
}

/// The layout is decided when the whole mesh is read; until then all bytes are data.
template <class V>
void describe(V& v, As<V, Weights>& weights) {
  bulk_to_end(v, "data", weights.data);
}

template <class V>
void describe(V& v, As<V, Names>& names) {
  v.strings("names", names.text, v.choose(names.text.size(), [](ByteView rest) { return rest.size(); }));
}

template <class V>
void describe(V& v, As<V, Strings>& strings) {
  v.strings("strings", strings.text,
            v.choose(strings.text.size(), [](ByteView rest) { return rest.size(); }));
}

template <class V>
void describe(V& v, As<V, Geoset>& geoset) {
  v.field("unknown", geoset.unknown);
  v.field("nameStart", geoset.name_start);
  v.field("nameSize", geoset.name_size);
  v.field("indexStart", geoset.index_start);
  v.field("indexCount", geoset.index_count);
  v.field("vertexStart", geoset.vertex_start);
  v.field("vertexCount", geoset.vertex_count);
  v.field("zeros", geoset.zeros);
  if (v.context().long_geosets) {
    v.field("extra", geoset.extra);
  }
}

/// The size decides, as far as it can; then the mesh version (m3.md#geosets).
inline bool has_long_records(const Geosets& geosets, std::size_t size,
                             std::optional<std::uint32_t> mesh_version) {
  const std::uint64_t count = geosets.properties.count;
  if (size == count * Geoset::kMinSize || size == count * Geoset::kLongSize) {
    return size != count * Geoset::kMinSize;
  }
  return mesh_version ? *mesh_version >= 4 : size % Geoset::kMinSize != 0 && size % Geoset::kLongSize == 0;
}

template <class V>
void describe(V& v, As<V, Geosets>& geosets) {
  const bool long_records = v.choose(geosets.long_records, [&](ByteView rest) {
    return has_long_records(geosets, rest.size(), v.context().mesh_version);
  });
  const std::size_t size = long_records ? Geoset::kLongSize : Geoset::kMinSize;
  const auto count = v.choose(geosets.items.size(), [&](ByteView rest) { return rest.size() / size; });
  if constexpr (V::kReads) {
    geosets.long_records = long_records;
    const auto version = v.context().mesh_version;
    if (count != geosets.properties.count || (version && (*version >= 4) != long_records)) {
      v.note(codes::kM3GeosetStride, "",
             (count != geosets.properties.count
                  ? "the header states " + counted(geosets.properties.count, "geoset") + ", but the chunk"
                  : "the mesh version is " + std::to_string(*version) + ", but the chunk") +
                 " is read as " + counted(count, "geoset") + " of " + std::to_string(size) + " bytes");
    }
  }
  v.context().long_geosets = long_records;
  v.list("geosets", geosets.items, count);
}

template <class V>
void describe(V& v, As<V, Lod>& lod) {
  v.field("vertexCount", lod.vertex_count);
  v.field("indexCount", lod.index_count);
}
template <class V>
void describe(V& v, As<V, Lods>& lods) {
  v.records("levels", lods.items);
}

template <class V>
void describe(V& v, As<V, Batch>& batch) {
  v.field("zeros", batch.zeros);
  v.field("geoset", batch.geoset);
  v.field("material", batch.material);
}
template <class V>
void describe(V& v, As<V, Batches>& batches) {
  v.records("batches", batches.items);
}

// --- collision
// --------------------------------------------------------------------------------------------------

template <class V>
void describe(V& v, As<V, Points>& points) {
  bulk_to_end(v, "points", points.items);
}
template <class V>
void describe(V& v, As<V, Corners>& corners) {
  bulk_to_end(v, "indices", corners.items);
}

// --- materials
// --------------------------------------------------------------------------------------------------

/// Instances may share arrays, but not so often that a small file becomes a large document.
inline constexpr std::uint64_t kMaxShares = 8;

template <class V, class T>
void describe_part(V& v, const char* name, const std::int32_t& dwords, Array<T>& values, std::int32_t count) {
  if (count <= 0) {
    return;
  }
  const auto elements = static_cast<std::uint64_t>(count);
  if constexpr (V::kReads) {
    v.context().claimed += elements * sizeof(T);
    if (dwords < 0 || v.context().claimed > kMaxShares * v.region_bytes().size()) {
      v.fail(dwords < 0 ? codes::kOffsetInvalid : codes::kOverlap, name,
             dwords < 0 ? "an offset is negative; preserved as bytes"
                        : "the arrays of the instances overlap too often; preserved as bytes");
      return;
    }
  }
  v.block(name, static_cast<std::uint64_t>(dwords) * 4, elements * sizeof(T),
          [&] { v.bulk("", values, static_cast<std::size_t>(elements)); });
}
template <class V, class T>
void describe_part(V& v, const char* name, const std::int32_t& dwords, const Array<T>& values,
                   std::int32_t /*count*/) {
  if (!values.empty()) {
    points(v, dwords, static_cast<std::uint64_t>(dwords) * 4, 4);
    v.block(name, static_cast<std::uint64_t>(dwords) * 4, values.size() * sizeof(T),
            [&] { v.bulk("", values, values.size()); });
  }
}

/// Bytes of the values up to the first of an unknown type.
std::size_t known_data_size(const Array<std::uint16_t>& types);

template <class V>
void describe_arrays(V& v, As<V, Instance>& instance) {
  const std::int32_t uniforms = instance.uniform_count;
  describe_part(v, "uniformHashes", instance.uniform_hashes_at, instance.uniform_hashes, uniforms);
  describe_part(v, "uniformTypes", instance.uniform_types_at, instance.uniform_types, uniforms);
  describe_part(v, "uniformLocations", instance.uniform_locations_at, instance.uniform_locations, uniforms);
  const auto words = static_cast<std::int32_t>(known_data_size(instance.uniform_types) / sizeof(float));
  describe_part(v, "uniformData", instance.uniform_data_at, instance.uniform_data, words);
  const std::int32_t samplers = instance.sampler_count;
  describe_part(v, "samplerHashes", instance.sampler_hashes_at, instance.sampler_hashes, samplers);
  describe_part(v, "samplerTextures", instance.sampler_textures_at, instance.sampler_textures, samplers);
  const std::int32_t unknown = instance.unknown_count;
  describe_part(v, "unknownHashes", instance.unknown_hashes_at, instance.unknown_hashes, unknown);
  describe_part(v, "unknownData", instance.unknown_data_at, instance.unknown_data, unknown);
}

template <class V>
void describe(V& v, As<V, Instance>& instance) {
  v.field("library", instance.library);
  v.field("guid", instance.guid);
  v.field("unknown0", instance.unknown0);
  v.field("blendMode", instance.blend_mode);
  v.field("unknown2", instance.unknown2);
  v.field("uniformCount", instance.uniform_count);
  v.field("uniformDataSize", instance.uniform_data_size);
  v.field("uniformHashesAt", instance.uniform_hashes_at);
  v.field("uniformTypesAt", instance.uniform_types_at);
  v.field("uniformLocationsAt", instance.uniform_locations_at);
  v.field("uniformDataAt", instance.uniform_data_at);
  v.field("samplerCount", instance.sampler_count);
  v.field("samplerHashesAt", instance.sampler_hashes_at);
  v.field("samplerTexturesAt", instance.sampler_textures_at);
  v.field("unknownCount", instance.unknown_count);
  v.field("unknownHashesAt", instance.unknown_hashes_at);
  v.field("unknownDataAt", instance.unknown_data_at);
  if (v.context().material_version >= 4) {
    v.field("version4", instance.version4);
  }
  describe_arrays(v, instance);
}

/// Zeros of less than an alignment.
inline bool is_padding(const Gap& gap) {
  return gap.bytes.size() < 8 &&
         std::all_of(gap.bytes.begin(), gap.bytes.end(), [](std::uint8_t byte) { return byte == 0; });
}

template <class V>
void describe_gaps(V& v, As<V, Materials>& materials) {
  v.gaps("gaps", materials.gaps);
  if constexpr (V::kReads) {
    for (const Gap& gap : materials.gaps) {
      if (is_padding(gap)) {
        materials.padding.push_back(gap);
      }
    }
    std::erase_if(materials.gaps, is_padding);
  } else {
    v.blocks("padding", materials.padding.size(), [&](std::size_t i) {
      const Gap& gap = materials.padding[i];
      v.block("", gap.offset, gap.bytes.size(), [&] { v.bulk("zeros", gap.bytes, gap.bytes.size()); });
    });
  }
}

template <class V>
void describe_blob(V& v, As<V, Materials>& materials) {
  v.field("magic", materials.magic.bytes);
  v.field("version", materials.version);
  v.field("totalDwords", materials.total_dwords);
  v.field("unknown", materials.unknown);
  v.field("instanceCount", materials.instance_count);
  v.field("instancesAt", materials.instances_at);
  if constexpr (V::kReads) {
    const bool known = materials.magic == FourCC{"m3IS"} || materials.magic == FourCC{"m3SI"};
    const bool read = materials.version == 2 || materials.version == 4;
    if (v.failed() || !known || !read) {
      v.fail(codes::kM3Materials, known ? "version" : "magic",
             "unknown layout of material instances: " + materials.magic.text() + " of version " +
                 std::to_string(materials.version) + "; preserved as bytes");
      return;
    }
  }
  v.context().material_version = materials.version;
  v.list("instances", materials.instances,
         v.choose(materials.instances.size(),
                  [&](ByteView /*rest*/) -> std::size_t { return materials.instance_count; }));
  describe_gaps(v, materials);
}

template <class V>
void describe(V& v, As<V, Materials>& materials) {
  v.region([&] { describe_blob(v, materials); });
}

// --- the rest
// ---------------------------------------------------------------------------------------------------

template <class V>
void describe(V& v, As<V, Box>& box) {
  v.field("minimum", box.minimum);
  v.field("maximum", box.maximum);
}

/// As much of it as the file has (m3.md#header).
template <class V>
void describe(V& v, As<V, ModelHeader>& header) {
  const std::size_t present =
      v.choose(header.present, [](ByteView rest) { return std::min(rest.size(), ModelHeader::kSize); });
  if constexpr (V::kReads) {
    header.present = present;
  }
  std::size_t end = 0;
  const auto part = [&](const char* name, auto& value) {
    end += sizeof value;
    if (end <= present) {
      v.field(name, value);
    }
  };
  part("unknown0", header.unknown0);
  part("unknown1", header.unknown1);
  part("unknown2", header.unknown2);
  part("flags", header.flags);
  part("boxMinimum", header.box.minimum);
  part("boxMaximum", header.box.maximum);
  part("radius", header.radius);
  part("box2Minimum", header.box2.minimum);
  part("box2Maximum", header.box2.maximum);
  part("radius2", header.radius2);
  part("particleCount", header.particle_count);
  part("unknown3", header.unknown3);
}

template <class V>
void describe(V& v, As<V, ModelTransform>& transform) {
  v.field("matrix", transform.matrix);
}

// --- chunks, when they are written or shown; document.cpp reads them
// --------------------------------------------

template <class Body>
bool is_opaque(const ChunkOf<Body>& chunk) {
  return std::holds_alternative<Opaque>(chunk.body);
}
inline bool is_opaque(const CollisionChunk& /*chunk*/) { return false; }

/// Shows a document instead of writing it.
template <class V>
inline constexpr bool kShows = requires(V& v) { v.structure("", std::size_t{}); };

template <class V, class C, class F>
void describe_frame(V& v, const C& chunk, std::optional<std::uint32_t> stated_size, F&& properties) {
  v.field("tag", chunk.tag.bytes);
  const std::uint64_t size_at = v.here();
  v.size_word("size", stated_size);
  std::forward<F>(properties)();
  const std::uint64_t start = v.here();
  if constexpr (kShows<V>) {
    if (is_opaque(chunk)) {
      v.raw("bytes", chunk.remainder.bytes);
      return;
    }
  }
  v.payload(chunk.remainder, chunk.tag, 0,
            [&] { std::visit([&](const auto& body) { describe(v, body); }, chunk.body); });
  if (!stated_size) {
    v.patch(size_at, v.here() - start);
  }
}

template <class V, class Body>
  requires(!V::kReads)
void describe(V& v, const ChunkOf<Body>& chunk) {
  describe_frame(v, chunk, chunk.stated_size, [&] {
    if (v.context().headers == Headers::model) {
      std::visit([&](const auto& body) { v.object("properties", body.properties); }, chunk.body);
    }
  });
}

template <class V>
  requires(!V::kReads)
void describe(V& v, const CollisionChunk& chunk) {
  describe_frame(v, chunk, std::nullopt, [&] {
    if (chunk.properties) {
      v.object("properties", *chunk.properties);
    }
  });
}

template <class V>
  requires(!V::kReads)
void describe(V& v, const Mesh& mesh) {
  v.objects("chunks", mesh.chunks);
}

template <class V>
  requires(!V::kReads)
void describe(V& v, const Collision& collision) {
  v.objects("chunks", collision.chunks);
}

}  // namespace thaw::m3
