#include "formats/wow/m3/decide.hpp"

#include "bytes/finite.hpp"
#include "formats/wow/m3/document.hpp"

#include <algorithm>
#include <cmath>

namespace thaw::m3 {
namespace {

constexpr unsigned kInfluences = 4;

bool counts_bones(ElementFormat format) {
  return format == ElementFormat::u8x4 || format == ElementFormat::u16x4 || format == ElementFormat::u16x1 ||
         format == ElementFormat::u32x1;
}

struct Table {
  unsigned components = 0;
  Array<float> bones;
  Array<float> weights;
};

/// Indices and weights of `count` vertices under one assumption; the bytes must have the size for it.
Table table_of(const Weights& weights, WeightLayout layout, std::size_t count) {
  const auto indices = element_format(weights.properties.index_format);
  const auto shares = element_format(weights.properties.weight_format);
  const std::size_t index_size = element_size(indices);
  const std::size_t share_size = element_size(shares);
  const ByteView bytes = weights.data;
  const bool interleaved = layout == WeightLayout::interleaved;
  const std::size_t shares_at = interleaved ? index_size : index_size * count;
  Table table;
  table.components = element_components(indices);
  table.bones = decode(gather(indices, bytes, interleaved ? index_size + share_size : index_size, count),
                       Range::as_stored);
  table.weights = decode(gather(shares, bytes.subspan(std::min(shares_at, bytes.size())),
                                interleaved ? index_size + share_size : share_size, count),
                         Range::share);
  return table;
}

/// Do the weights of each vertex add up to 1, on bones that exist?
bool is_plausible(const Table& table, std::optional<std::size_t> bones) {
  constexpr float kTolerance = 0.02F;  // four roundings to 1/255
  for (std::size_t at = 0; at < table.weights.size(); at += table.components) {
    float sum = 0;
    for (std::size_t i = at; i < at + table.components; ++i) {
      const float weight = table.weights[i];
      if (!(weight >= 0) || (weight > 0 && bones && !(table.bones[i] < static_cast<float>(*bones)))) {
        return false;
      }
      sum += weight;
    }
    if (!(std::fabs(sum - 1) <= kTolerance)) {
      return false;
    }
  }
  return true;
}

std::size_t vertex_count(const Mesh& mesh) {
  const auto* positions = mesh.find<Buffer>(FourCC{"VPOS"});
  return positions == nullptr ? 0 : positions->size();
}

WeightLayout decided_layout(const Mesh& mesh, const Weights& weights) {
  const auto indices = element_format(weights.properties.index_format);
  const auto shares = element_format(weights.properties.weight_format);
  const std::size_t count = vertex_count(mesh);
  if (!counts_bones(indices) || shares == ElementFormat::unknown || count == 0 ||
      element_components(indices) != element_components(shares) ||
      weights.data.size() / count != element_size(indices) + element_size(shares) ||
      weights.data.size() % count != 0) {
    return WeightLayout::unknown;
  }
  std::optional<std::size_t> bones;
  if (const auto poses = inverse_bind_poses(mesh)) {
    bones = poses->size();
  }
  const bool interleaved = is_plausible(table_of(weights, WeightLayout::interleaved, count), bones);
  // One vertex lies the same either way.
  const bool planar = count > 1 && is_plausible(table_of(weights, WeightLayout::planar, count), bones);
  return interleaved == planar ? WeightLayout::unknown
         : interleaved         ? WeightLayout::interleaved
                               : WeightLayout::planar;
}

void decide_weights(Mesh& mesh, Diagnostics& findings) {
  for (auto& chunk : mesh.chunks) {
    auto* weights = std::get_if<Weights>(&chunk.body);
    if (weights == nullptr || chunk.remainder.replaces_fields()) {
      continue;
    }
    weights->layout = decided_layout(mesh, *weights);
    if (weights->layout == WeightLayout::unknown) {
      chunk.remainder.bytes = std::move(weights->data);
      weights->data.clear();
      findings.add(codes::kM3Weights,
                   "ambiguous weights: neither or both of the two possible layouts give a sum of 1; "
                   "preserved as bytes",
                   {}, "VWTS");
    } else {
      findings.add(codes::kUnproven,
                   std::string(weights->layout == WeightLayout::interleaved
                                   ? "weights are read as indices and weights per vertex"
                                   : "weights are read as all indices, then all weights") +
                       ", which no published file confirms; please share the file",
                   {}, "VWTS");
    }
  }
}

/// The format that each stream has where it was seen (m3.md#streams); unknown for streams that were never
/// read.
ElementFormat usual_format(FourCC tag) {
  if (tag == FourCC{"VPOS"} || tag == FourCC{"VNML"}) {
    return ElementFormat::f32x3;
  }
  if (tag == FourCC{"VTAN"}) {
    return ElementFormat::f32x4;
  }
  if (tag == FourCC{"VINX"}) {
    return ElementFormat::u16x1;
  }
  return tag.view().substr(0, 3) == "VUV" ? ElementFormat::f32x2 : ElementFormat::unknown;
}

void note_formats(const Mesh& mesh, Diagnostics& findings) {
  for (const auto& chunk : mesh.chunks) {
    const auto* buffer = std::get_if<Buffer>(&chunk.body);
    if (buffer == nullptr || chunk.remainder.replaces_fields() ||
        buffer->format() == usual_format(chunk.tag)) {
      continue;
    }
    const std::string format = buffer->properties.format.text();
    const bool colors = chunk.tag == FourCC{"VCL0"} || chunk.tag == FourCC{"VCL1"};
    findings.add(codes::kUnproven,
                 (colors ? "colours of format " + format + " are read as red, green, blue and alpha"
                         : "elements are read as " + format) +
                     ", which no published file confirms; please share the file",
                 {}, chunk.tag.text());
  }
}

void note_version(const Mesh& mesh, Diagnostics& findings) {
  if (const auto* version = mesh.find<MeshVersion>(FourCC{"M3VR"})) {
    const auto number = version->properties.version;
    if (number < 2 || number > 4) {
      findings.add(codes::kVersionUnknown,
                   "unknown mesh version " + std::to_string(number) + " is read like version " +
                       (number < 2 ? "2" : "4"),
                   {}, "M3VR");
    }
  }
}

// --- bind poses
// -------------------------------------------------------------------------------------------------

using Matrix = std::array<float, 16>;

bool near(float value, float requested) { return std::fabs(value - requested) <= 1e-3F; }

/// Matrices of 16 numbers: the row or column that is 0 0 0 1 shows the other one as the translation.
std::optional<std::vector<Matrix>> square_poses(const Array<float>& values) {
  constexpr std::size_t kNumbers = 16;
  if (values.empty() || values.size() % kNumbers != 0) {
    return std::nullopt;
  }
  bool rows = true;
  bool columns = true;
  std::vector<Matrix> poses(values.size() / kNumbers);
  for (std::size_t i = 0; i < poses.size(); ++i) {
    Matrix& pose = poses[i];
    std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(i * kNumbers), kNumbers, pose.begin());
    rows = rows && near(pose[3], 0) && near(pose[7], 0) && near(pose[11], 0) && near(pose[15], 1);
    columns = columns && near(pose[12], 0) && near(pose[13], 0) && near(pose[14], 0) && near(pose[15], 1);
  }
  if (!rows && !columns) {
    return std::nullopt;
  }
  for (Matrix& pose : poses) {
    for (std::size_t row = 0; row < 4 && !rows; ++row) {
      for (std::size_t column = row + 1; column < 4; ++column) {
        std::swap(pose[row * 4 + column], pose[column * 4 + row]);
      }
    }
    pose[3] = pose[7] = pose[11] = 0;
    pose[15] = 1;
  }
  return poses;
}

/// Matrices of 12 numbers: four rows of three, or with elements of four numbers three columns of four.
std::optional<std::vector<Matrix>> short_poses(const Array<float>& values, unsigned components) {
  constexpr std::size_t kNumbers = 12;
  if (values.empty() || values.size() % kNumbers != 0 || (components != 3 && components != 4)) {
    return std::nullopt;
  }
  std::vector<Matrix> poses(values.size() / kNumbers);
  for (std::size_t i = 0; i < poses.size(); ++i) {
    poses[i][15] = 1;
    for (std::size_t n = 0; n < kNumbers; ++n) {
      const std::size_t row = components == 3 ? n / 3 : n % 4;
      const std::size_t column = components == 3 ? n % 3 : n / 4;
      poses[i][row * 4 + column] = values[i * kNumbers + n];
    }
  }
  return poses;
}

void note_poses(const Mesh& mesh, Diagnostics& findings) {
  if (mesh.find<Buffer>(FourCC{"VIBP"}) != nullptr && !inverse_bind_poses(mesh)) {
    findings.add(codes::kM3Weights,
                 "bind poses are not matrices in any possible layout; the model is read without bones", {},
                 "VIBP");
  }
}

}  // namespace

Buffer gather(ElementFormat format, ByteView bytes, std::size_t stride, std::size_t count) {
  Buffer buffer;
  buffer.properties.format = element_tag(format);
  if (!prepare(buffer.elements, format)) {
    return buffer;
  }
  std::visit(
      [&](auto& elements) {
        using Element = typename std::remove_cvref_t<decltype(elements)>::value_type;
        elements.resize(count);
        for (std::size_t i = 0; i < count; ++i) {
          copy_plain<Element>(&elements[i], bytes.data() + i * stride, 1);
        }
      },
      buffer.elements);
  return buffer;
}

void decide(Mesh& mesh, Diagnostics& findings) {
  note_version(mesh, findings);
  note_formats(mesh, findings);
  note_poses(mesh, findings);
  decide_weights(mesh, findings);
}

std::optional<Influences> influences(const Mesh& mesh) {
  const auto* weights = mesh.find<Weights>(FourCC{"VWTS"});
  const std::size_t count = vertex_count(mesh);
  if (weights == nullptr || weights->layout == WeightLayout::unknown || count == 0 ||
      weights->data.size() != count * (element_size(element_format(weights->properties.index_format)) +
                                       element_size(element_format(weights->properties.weight_format)))) {
    return std::nullopt;
  }
  const Table table = table_of(*weights, weights->layout, count);
  Influences result;
  result.bones.resize(count);
  result.weights.resize(count);
  for (std::size_t vertex = 0; vertex < count; ++vertex) {
    for (std::size_t i = 0; i < std::min(table.components, kInfluences); ++i) {
      const std::size_t at = vertex * table.components + i;
      result.bones[vertex][i] = static_cast<std::uint16_t>(std::clamp(table.bones[at], 0.0F, 65535.0F));
      result.weights[vertex][i] = table.weights[at];
    }
  }
  return result;
}

std::optional<std::vector<std::array<float, 16>>> inverse_bind_poses(const Mesh& mesh) {
  const auto* buffer = mesh.find<Buffer>(FourCC{"VIBP"});
  if (buffer == nullptr) {
    return std::nullopt;
  }
  const Array<float> values = decode(*buffer, Range::as_stored);
  if (!all_finite(values)) {
    return std::nullopt;
  }
  auto poses = square_poses(values);
  return poses ? poses : short_poses(values, element_components(buffer->format()));
}

}  // namespace thaw::m3
