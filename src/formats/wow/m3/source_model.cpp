#include "formats/wow/m3/source_model.hpp"

#include "bytes/hash.hpp"
#include "bytes/text_encoding.hpp"
#include "describe/description.hpp"
#include "formats/wow/m3/decide.hpp"

#include <algorithm>

namespace thaw::m3 {
namespace {

using scene::Index;
using scene::kNone;

/// Numbers of batches and of parts that nobody understands: more are no model.
constexpr std::size_t kMostPreserved = std::size_t{1} << 16U;

/// The extras of the source model, in memory or read back from a file.
template <class Part>
const Value& source_extras(const scene::Scene& scene, const Part& part) {
  static const Value kNothing;
  const std::string& format = part.source.format;
  return scene.source_format == "m3" && (format.empty() || format == "m3") ? part.extras : kNothing;
}

/// None of another kind than T holds.
template <class T>
T number_of(const Value& value, T otherwise = 0) {
  const std::int64_t number = value.integer().value_or(otherwise);
  return std::int64_t{static_cast<T>(number)} == number ? static_cast<T>(number) : otherwise;
}

FourCC tag_of(std::string_view text) {
  FourCC tag;
  text.copy(tag.bytes.data(), tag.bytes.size());
  return tag;
}

/// Materials of the scene by their numbers in the model. Where a file came between, those that it keeps are
/// there in their order; without them, a material of glTF states its number.
std::vector<Index> numbered_materials(const scene::Scene& scene) {
  const bool through_file = scene.source.stated;
  const std::size_t all = scene.materials.size();
  std::vector<Index> result(through_file ? scene.source.materials : all, kNone);
  std::size_t next = 0;
  for (Index i = 0; i < all; ++i) {
    const scene::Source& source = scene.materials[i].source;
    const bool restored = source.number == kNone && (!through_file || source.stated);
    const std::size_t number = restored ? next++ : source.number;
    if (number < result.size() && (restored || result[number] == kNone)) {
      result[number] = i;
    }
  }
  return result;
}

std::vector<Batch> batches_of(const Value& list) {
  std::vector<Batch> result;
  for (const Value& pair : list.list()) {
    Batch& batch = result.emplace_back();
    batch.geoset = number_of<std::uint16_t>(pair[std::size_t{0}]);
    batch.material = number_of<std::uint16_t>(pair[std::size_t{1}]);
  }
  return result;
}

bool is_near(const scene::Mat4d& a, const scene::Mat4d& b) {
  return std::equal(a.begin(), a.end(), b.begin(),
                    [](double x, double y) { return std::fabs(x - y) <= 1e-5 * (1 + std::fabs(x)); });
}

}  // namespace

std::string vertex_sum(const scene::Mesh& mesh) {
  Bytes bytes(mesh.positions.size() * sizeof(Vec3));
  copy_plain<Vec3>(bytes.data(), mesh.positions.data(), mesh.positions.size());
  return hex_text(fnv1a(bytes));
}

std::optional<SourceGeoset> source_geoset(const scene::Scene& scene, const scene::Mesh& mesh) {
  const Value& extras = source_extras(scene, mesh);
  if (!extras["geoset"].integer() || mesh.parts.size() != 1) {
    return std::nullopt;
  }
  SourceGeoset geoset;
  geoset.number = number_of<std::uint32_t>(extras["geoset"]);
  geoset.record.vertex_start = number_of<std::uint32_t>(extras["vertexStart"]);
  geoset.record.unknown = number_of<std::uint32_t>(extras["unknown"]);
  for (std::size_t i = 0; i < geoset.record.extra.size(); ++i) {
    geoset.record.extra.at(i) = number_of<std::uint32_t>(extras["extra"][i]);
  }
  geoset.same_vertices = extras["vertices"].text() == vertex_sum(mesh);
  return geoset;
}

SourceModel::SourceModel(const scene::Scene& scene, float scale) {
  const Value& extras = source_extras(scene, scene);
  streams = &extras["streams"];
  mesh_version = number_of<std::uint32_t>(extras["meshVersion"], 3);
  mesh_version = mesh_version < 2 || mesh_version > 4 ? 3 : mesh_version;
  header.properties.version = number_of<std::uint32_t>(extras["header"]["version"], 1);
  header.flags = number_of<std::int32_t>(extras["header"]["flags"]);
  for (const Value& tag : extras["unread"].list()) {
    unread.push_back(tag.text());
  }
  if (extras.is_null()) {
    return;
  }
  batches = batches_of(extras["batches"]);
  per_level = number_of<std::uint32_t>(extras["geosetsPerLevel"]);
  materials = numbered_materials(scene);
  const auto& numbers = extras["transform"].list();
  if (numbers.size() != 16 || scene.nodes.empty() || scene.nodes.front().kind != scene::NodeKind::root) {
    return;
  }
  ModelTransform stored;
  std::transform(numbers.begin(), numbers.end(), stored.matrix.begin(),
                 [](const Value& value) { return static_cast<float>(value.number().value_or(0)); });
  const scene::Mat4d root = scene::compose(scene.nodes.front().rest);
  if (is_near(root, scene::compose(scene::decompose(turned_matrix(stored.matrix, scale))))) {
    transform = stored;
    base = scene::inverse(root);
  }
}

Index SourceModel::shown(std::size_t geoset) const {
  const auto last = [&](std::size_t requested) {
    return std::find_if(batches.rbegin(), batches.rend(),
                        [&](const Batch& batch) { return batch.geoset == requested; });
  };
  auto found = last(geoset);
  if (found == batches.rend() && per_level > 0) {
    found = last(geoset % per_level);
  }
  return found == batches.rend() ? kNone : material(found->material);
}

void keep_model(const Document& document, scene::Scene& scene) {
  Value::List unread;
  const auto look = [&](const auto& chunks) {
    for (const auto& chunk : chunks) {
      const bool raw = std::holds_alternative<Opaque>(chunk.body) || chunk.remainder.replaces_fields();
      // Nothing is known to refer to strings, so that no scene has them.
      if ((raw || chunk.tag == FourCC{"M3ST"}) && unread.size() < kMostPreserved) {
        unread.emplace_back(to_utf8(chunk.tag.view()));
      }
    }
  };
  look(document.chunks);
  if (const Mesh* mesh = document.find<Mesh>()) {
    look(mesh->chunks);
    const auto* found = mesh->find<Batches>(FourCC{"RBAT"});
    Value::List batches;
    for (std::size_t i = 0; found != nullptr && i < std::min(found->items.size(), kMostPreserved); ++i) {
      batches.emplace_back(
          Value::List{std::uint32_t{found->items[i].geoset}, std::uint32_t{found->items[i].material}});
    }
    scene.extras.set("batches", std::move(batches));
    scene.extras.set("geosetsPerLevel", static_cast<std::int64_t>(level_layout(*mesh).per_level));
    if (const auto version = document.mesh_version()) {
      scene.extras.set("meshVersion", *version);
    }
  }
  if (!unread.empty()) {
    scene.extras.set("unread", std::move(unread));
  }
}

SourceStreams::SourceStreams(const SourceModel& model, bool weights) {
  for (const auto& [tag, stream] : model.streams->object()) {
    auto bytes = bytes_of_hex(stream["data"].text());
    if (!bytes || tag.size() != 4 || bytes->empty()) {
      continue;
    }
    Stream& added = streams_.emplace_back();
    added.tag = tag_of(tag);
    added.from = std::move(*bytes);
    if (tag == "VWTS") {
      Weights body;
      body.properties = {tag_of(stream["indexFormat"].text()), tag_of(stream["weightFormat"].text())};
      added.whole = !weights && stream["layout"].text() == "interleaved";
      added.stride = element_size(element_format(body.properties.index_format)) +
                     element_size(element_format(body.properties.weight_format));
      added.body = std::move(body);
    } else {
      Buffer body;
      body.properties.format = tag_of(stream["format"].text());
      added.whole = element_size(body.format()) > 0 && (tag == "VCL1" || (tag == "VIBP" && !weights));
      added.stride = tag == "VIBP" ? 0 : element_size(body.format());
      added.body = std::move(body);
    }
  }
}

void SourceStreams::add(const std::optional<SourceGeoset>& geoset, std::size_t count) {
  for (Stream& stream : streams_) {
    const std::size_t start = geoset ? geoset->record.vertex_start * stream.stride : 0;
    const std::size_t size = count * stream.stride;
    stream.whole = stream.whole && (stream.stride == 0 ||
                                    (geoset && geoset->same_vertices && start + size <= stream.from.size()));
    if (stream.whole && stream.stride > 0) {
      const auto first = stream.from.begin() + static_cast<std::ptrdiff_t>(start);
      stream.to.insert(stream.to.end(), first, first + static_cast<std::ptrdiff_t>(size));
    }
  }
}

void SourceStreams::add_chunks(Mesh& mesh) const {
  for (const Stream& stream : streams_) {
    if (!stream.whole) {
      continue;
    }
    const Bytes& bytes = stream.stride > 0 ? stream.to : stream.from;
    MeshChunk chunk{stream.tag, stream.body, {}, {}};
    if (auto* weights = std::get_if<Weights>(&chunk.body)) {
      weights->data = bytes;
    } else {
      const ElementFormat format = std::get<Buffer>(stream.body).format();
      const std::size_t size = element_size(format);
      chunk.body = gather(format, bytes, size, bytes.size() / size);
    }
    mesh.chunks.push_back(std::move(chunk));
  }
}

std::vector<std::string> SourceStreams::lost() const {
  std::vector<std::string> tags;
  for (const Stream& stream : streams_) {
    if (!stream.whole) {
      tags.push_back(stream.tag.text());
    }
  }
  return tags;
}

}  // namespace thaw::m3
