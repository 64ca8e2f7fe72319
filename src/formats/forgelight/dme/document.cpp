#include <thaw/dme.hpp>

#include "describe/inspection.hpp"
#include "describe/reader.hpp"
#include "describe/writer.hpp"
#include "formats/forgelight/dma/document.hpp"

namespace thaw::dme {
namespace {

constexpr FourCC kMagic{"DMOD"};
/// From here on the number of meshes is stated; before, there is one for each material.
constexpr std::uint32_t kMeshCount = 3;

struct Context {
  std::uint32_t version = 0;
  std::uint32_t vertices = 0;  ///< of the mesh that is being described
};

template <class V>
void describe(V& v, As<V, DrawCall>& call) {
  v.field("unknown", call.unknown);
  v.field("firstBone", call.first_bone);
  v.field("boneCount", call.bone_count);
  v.field("delta", call.delta);
  v.field("unknownCount", call.unknown_count);
  v.field("firstVertex", call.first_vertex);
  v.field("vertexCount", call.vertex_count);
  v.field("firstIndex", call.first_index);
  v.field("indexCount", call.index_count);
}

/// A count that follows from an array after other fields.
template <class V>
std::size_t describe_count(V& v, const char* name, std::size_t known) {
  auto count = static_cast<std::uint32_t>(known);
  if constexpr (!V::kReads && requires { v.structure(name, sizeof count); }) {
    v.structure(name, sizeof count);
  } else {
    v.field(name, count);
  }
  return count;
}

/// Of vertices that are counted in the mesh around.
template <class V>
void describe_vertices(V& v, As<V, Stream>& stream) {
  const std::uint64_t size = std::uint64_t{stream.stride} * v.context().vertices;
  if constexpr (V::kReads) {
    if (size > v.left()) {
      v.fail(codes::kCountTooLarge, "data",
             std::to_string(v.context().vertices) + " vertices of " + std::to_string(stream.stride) +
                 " bytes do not fit into the remaining " + std::to_string(v.left()) + " bytes");
      return;
    }
  }
  v.bulk("data", stream.data, static_cast<std::size_t>(size));
}

template <class V>
void describe(V& v, As<V, Stream>& stream) {
  v.field("stride", stream.stride);
  describe_vertices(v, stream);
}

template <class V>
void describe_indices(V& v, As<V, Mesh>& mesh, std::size_t count) {
  if (mesh.index_size() == 2) {
    v.bulk("indices", mesh.indices16, count);
  } else if (mesh.index_size() == 4) {
    v.bulk("indices", mesh.indices32, count);
  } else if constexpr (V::kReads) {
    v.fail(codes::kSizeInvalid, "indexFormat",
           "indices have 2 or 4 bytes, not " + std::to_string(mesh.index_size()));
  }
}

template <class V>
void describe_old_mesh(V& v, As<V, Mesh>& mesh) {
  v.field("unknown0", mesh.first_draw_call);
  v.field("unknown1", mesh.draw_call_count);
  v.field("unknown2", mesh.bone_transform_count);
  v.field("unknown3", mesh.unknown);
  if constexpr (V::kReads) {
    mesh.streams.resize(1);
  }
  const auto each_stream = [&](const char* name, auto&& part) {
    v.blocks(name, mesh.streams.size(), [&](std::size_t i) { part(mesh.streams[i]); });
  };
  each_stream("strides", [&](auto& stream) { v.field("stride", stream.stride); });
  v.field("vertexCount", mesh.vertex_count);
  v.field("indexFormat", mesh.index_format);
  const std::size_t count = describe_count(v, "indexCount", mesh.index_count());
  v.context().vertices = mesh.vertex_count;
  each_stream("streams", [&](auto& stream) { describe_vertices(v, stream); });
  describe_indices(v, mesh, count);
}

template <class V>
void describe(V& v, As<V, Mesh>& mesh) {
  if (v.context().version < kDrawCallVersion) {
    describe_old_mesh(v, mesh);
    return;
  }
  v.field("firstDrawCall", mesh.first_draw_call);
  v.field("drawCallCount", mesh.draw_call_count);
  v.field("boneTransformCount", mesh.bone_transform_count);
  v.field("unknown", mesh.unknown);
  const std::size_t streams = describe_count(v, "streamCount", mesh.streams.size());
  v.field("indexFormat", mesh.index_format);
  const std::size_t indices = describe_count(v, "indexCount", mesh.index_count());
  v.field("vertexCount", mesh.vertex_count);
  v.context().vertices = mesh.vertex_count;
  v.list("streams", mesh.streams, streams);
  describe_indices(v, mesh, indices);
}

template <class V>
void describe_bones(V& v, As<V, Document>& document) {
  v.counted_list("drawCalls", document.draw_calls);
  v.counted("boneMap", document.bone_map);
  v.counted("boneInverseBinds", document.bone_inverse_binds);
  const std::size_t bones = document.bone_inverse_binds.size();
  v.bulk("boneBounds", document.bone_bounds, bones);
  v.bulk("boneHashes", document.bone_hashes, bones);
  if constexpr (V::kReads) {
    if (!v.failed() && v.left() == sizeof(std::uint32_t)) {
      v.field("unknownCount", document.unknown_count.emplace());
    }
  } else if (document.unknown_count) {
    v.field("unknownCount", *document.unknown_count);
  }
}

template <class V>
void describe_body(V& v, As<V, Document>& document) {
  v.field("bounds", document.bounds);
  if (document.version >= kMeshCount) {
    v.counted_list("meshes", document.meshes);
  } else {
    v.list("meshes", document.meshes, document.palette.materials.size());
  }
  if (document.version >= kDrawCallVersion) {
    describe_bones(v, document);
  }
}

template <class V>
void describe_document(V& v, As<V, Document>& document) {
  v.tag(kMagic);
  v.field("version", document.version);
  v.context().version = document.version;
  v.group("palette", [&] {
    dma::describe_sized(v, document.stated_palette_length, document.palette_remainder, FourCC{"DMAT"},
                        [&] { describe(v, document.palette); });
  });
  std::size_t rest = 0;
  if constexpr (V::kReads) {
    if (v.failed()) {
      return;
    }
    rest = v.left();
  }
  v.payload(document.remainder, FourCC{"body"}, rest, [&] { describe_body(v, document); });
}

}  // namespace

bool is_dme(ByteView bytes) {
  return bytes.size() >= 4 && std::memcmp(bytes.data(), kMagic.bytes.data(), 4) == 0;
}

std::optional<std::uint32_t> stated_version(ByteView bytes) {
  return is_dme(bytes) && bytes.size() >= 8 ? std::optional(load_plain<std::uint32_t>(bytes.data() + 4))
                                            : std::nullopt;
}

Result<Document> read(ByteView bytes, const ReadOptions& options, Diagnostics& diagnostics) {
  return read_document<Document>(
      bytes, Context{}, options, diagnostics, Recognition{},
      [](auto& reader, Document& document) { describe_document(reader, document); });
}

Bytes write(const Document& document) {
  return write_document(Context{}, [&](auto& writer) { describe_document(writer, document); });
}

void inspect(const Document& document, Inspector& inspector) {
  InspectionVisitor<Context> v(inspector, {});
  describe_document(v, document);
}

}  // namespace thaw::dme
