#include <thaw/mrf.hpp>

#include "describe/inspection.hpp"
#include "describe/parts.hpp"
#include "describe/reader.hpp"
#include "describe/writer.hpp"

#include <algorithm>
#include <cmath>

namespace thaw::mrf {
namespace {

/// Seconds beyond which a time is no time: infinities, NaN and noise read as a float.
constexpr double kEndless = 1e9;

struct Context {};

template <class V>
void describe(V& v, As<V, Header>& header) {
  v.field("magic", header.magic.bytes);
  v.field("frameCount", header.frame_count);
  v.field("vertexCount", header.vertex_count);
  v.field("indexCount", header.index_count);
  v.field("frameDuration", header.frame_duration);
  v.field("pivot", header.pivot);
  v.field("radius", header.radius);
  v.field("elapsed", header.elapsed);
  v.field("debug", header.debug);
  v.field("ignored", header.ignored);
  v.field("textureOffset", header.texture_offset);
  v.field("faceOffset", header.face_offset);
  v.field("uvOffset", header.uv_offset);
}

/// The path ends with its NUL. Without one it ends where the next part begins, or with the file.
std::size_t path_length(const Document& document, ByteView file) {
  const std::size_t from = document.header.texture_offset;
  if (from >= file.size()) {
    return 0;
  }
  std::size_t end = file.size();
  const auto stop_at = [&](std::uint32_t part) {
    if (part > from) {
      end = std::min<std::size_t>(end, part);
    }
  };
  stop_at(document.header.face_offset);
  stop_at(document.header.uv_offset);
  std::for_each(document.frame_offsets.begin(), document.frame_offsets.end(), stop_at);
  const auto path = file.subspan(from, end - from);
  const auto nul = std::find(path.begin(), path.end(), 0);
  return static_cast<std::size_t>(nul - path.begin()) + (nul == path.end() ? 0U : 1U);
}

template <class V, class T>
void describe_part(V& v, const char* name, const std::uint32_t& at, As<V, Array<T>>& values,
                   const auto& count) {
  points(v, at, at);
  v.block(name, at, std::uint64_t{count} * sizeof(T), [&] {
    counts(v, count, values);
    v.bulk(name, values, static_cast<std::size_t>(count));
  });
}

template <class V>
void describe(V& v, As<V, Document>& document) {
  v.object("header", document.header);
  counts(v, document.header.frame_count, document.frame_offsets);
  v.bulk("frameOffsets", document.frame_offsets, document.header.frame_count);
  std::size_t path_size = document.texture_path.size();
  if constexpr (V::kReads) {
    path_size = path_length(document, v.region_bytes());
    document.frames.resize(document.frame_offsets.size());
  }
  const Header& header = document.header;
  points(v, header.texture_offset, header.texture_offset);
  v.block("texturePath", header.texture_offset, path_size,
          [&] { v.strings("texts", document.texture_path, path_size); });
  describe_part<V, std::uint16_t>(v, "indices", header.face_offset, document.indices, header.index_count);
  describe_part<V, Vec2>(v, "uvs", header.uv_offset, document.uvs, header.vertex_count);
  v.blocks("frames", document.frames.size(), [&](std::size_t i) {
    const std::uint64_t size = std::uint64_t{header.vertex_count} * sizeof(Vertex);
    points(v, document.frame_offsets[i], document.frame_offsets[i]);
    v.block("", document.frame_offsets[i], size, [&] {
      counts(v, header.vertex_count, document.frames[i].vertices);
      v.bulk("vertices", document.frames[i].vertices, static_cast<std::size_t>(header.vertex_count));
    });
  });
  v.gaps("gaps", document.gaps);
}

}  // namespace

std::string_view Document::texture_stem() const {
  const auto* end = std::find_if(texture_path.data(), texture_path.data() + texture_path.size(),
                                 [](char byte) { return byte == '.' || byte == '\0'; });
  return {texture_path.data(), static_cast<std::size_t>(end - texture_path.data())};
}

Result<Document> read(ByteView bytes, const ReadOptions& options, Diagnostics& diagnostics) {
  return read_document<Document>(bytes, Context{}, options, diagnostics, Recognition{},
                                 [](auto& reader, Document& document) { describe(reader, document); });
}

Bytes write(const Document& document) {
  return write_document(Context{}, [&](auto& writer) { describe(writer, document); });
}

void inspect(const Document& document, Inspector& inspector) {
  InspectionVisitor<Context> v(inspector, {});
  describe(v, document);
}

void lay_out(Document& document) {
  constexpr std::uint64_t kHeaderSize = 80;
  Header& header = document.header;
  const std::size_t vertices = document.uvs.size();
  header.frame_count = static_cast<std::uint32_t>(document.frames.size());
  header.vertex_count = static_cast<std::uint32_t>(vertices);
  header.index_count = static_cast<std::uint32_t>(document.indices.size());
  document.frame_offsets.resize(document.frames.size());
  document.gaps.clear();

  std::uint64_t at = kHeaderSize + document.frames.size() * sizeof(std::uint32_t);
  const auto place = [&](std::uint64_t size) {
    const std::uint64_t aligned = align_up(at, kAlignment);
    if (aligned > at) {
      document.gaps.push_back({at, Bytes(static_cast<std::size_t>(aligned - at), 0)});
    }
    at = aligned + size;
    return static_cast<std::uint32_t>(aligned);
  };
  header.texture_offset = place(document.texture_path.size());
  header.face_offset = place(document.indices.size() * sizeof(std::uint16_t));
  header.uv_offset = place(vertices * sizeof(Vec2));
  for (std::size_t i = 0; i < document.frames.size(); ++i) {
    document.frames[i].vertices.resize(vertices, Vertex{});
    document.frame_offsets[i] = place(vertices * sizeof(Vertex));
  }
  place(0);
}

Playback playback(const Header& header) {
  const double end = (static_cast<double>(header.frame_count) - 1) * double{header.frame_duration};
  if (header.frame_duration == 0 || header.frame_count == 0 || !(std::abs(end) < kEndless)) {
    return Playback::nothing;
  }
  return header.frame_duration < 0 || double{header.elapsed} > end ? Playback::last_frame : Playback::plays;
}

FrameBlend frame_blend_at(const Header& header, float seconds) {
  const std::uint32_t last = header.frame_count == 0 ? 0 : header.frame_count - 1;
  if (playback(header) != Playback::plays) {
    return {last, last, 0};
  }
  const double time = double{header.elapsed} + double{seconds};
  const double position = time / double{header.frame_duration};
  if (!(position > 0)) {
    return {0, 0, 0};
  }
  if (position >= last) {
    return {last, last, 0};
  }
  const auto frame = static_cast<std::uint32_t>(position);
  return {frame, frame + 1, static_cast<float>(position - frame)};
}

}  // namespace thaw::mrf
