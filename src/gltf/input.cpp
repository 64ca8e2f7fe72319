#include "gltf/input.hpp"

#include <thaw/value.hpp>

#include "bytes/number_text.hpp"
#include "bytes/text.hpp"
#include "bytes/text_encoding.hpp"
#include "describe/limits.hpp"
#include "gltf/clip_matching.hpp"
#include "gltf/document.hpp"
#include "gltf/draco.hpp"
#include "gltf/meshopt.hpp"
#include "gltf/soundness.hpp"
#include "gltf/uri.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

namespace thaw::gltf {
namespace {

using scene::Index;
using scene::kNone;

constexpr std::size_t kHeaderBytes = 12;
constexpr std::size_t kChunkHeaderBytes = 8;
constexpr std::uint32_t kJsonChunk = 0x4E4F534A;
constexpr std::uint32_t kBinaryChunk = 0x004E4942;
/// Members of an object that is not free to its author. glTF has none of more than some dozens, and each is
/// searched from the front, over and over.
constexpr std::size_t kMaxMembers = 1024;

std::uint32_t u32_at(ByteView bytes, std::size_t at) {
  return std::uint32_t{bytes[at]} | std::uint32_t{bytes[at + 1]} << 8U | std::uint32_t{bytes[at + 2]} << 16U |
         std::uint32_t{bytes[at + 3]} << 24U;
}

bool is_binary(ByteView bytes) { return bytes.size() >= 4 && std::memcmp(bytes.data(), "glTF", 4) == 0; }

/// The members of the largest object outside of extras and extensions.
std::size_t most_members(const Value& value) {
  std::size_t most = 0;
  if (const auto* items = std::get_if<Value::List>(&value.storage())) {
    for (const Value& item : *items) {
      most = std::max(most, most_members(item));
    }
  } else if (const auto* object = std::get_if<Value::Object>(&value.storage())) {
    most = object->size();
    for (const auto& [name, inside] : *object) {
      if (name != "extras" && name != "extensions") {
        most = std::max(most, most_members(inside));
      }
    }
  }
  return most;
}

/// How a view is packed; null if it is not.
const Value* packing_of(const Value& view) {
  return member(member(&view, "extensions"), "EXT_meshopt_compression");
}

tl::unexpected<Error> broken(std::string message) { return fail(codes::kGltfReference, std::move(message)); }

/// Of a componentType: bytes, and how to read one as a number.
struct Component {
  std::size_t size = 0;
  double scale = 1;  ///< of the largest value, when normalised
  double (*read)(const std::uint8_t*) = nullptr;
};

template <class T>
double read_as(const std::uint8_t* at) {
  std::array<std::uint8_t, sizeof(T)> bytes{};
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    bytes[std::endian::native == std::endian::little ? i : sizeof(T) - 1 - i] = at[i];
  }
  T value;
  std::memcpy(&value, bytes.data(), sizeof value);
  return static_cast<double>(value);
}

/// Of an accessor or of a part of a sparse one.
std::optional<std::size_t> byte_offset(const Value* object) {
  constexpr double kMost = 1e15;
  const double offset = number(object, "byteOffset", 0);
  return offset >= 0 && offset <= kMost ? std::optional(static_cast<std::size_t>(offset)) : std::nullopt;
}

Component component_of(std::uint64_t type) {
  switch (type) {
    case 5120:
      return {1, 127, read_as<std::int8_t>};
    case 5121:
      return {1, 255, read_as<std::uint8_t>};
    case 5122:
      return {2, 32767, read_as<std::int16_t>};
    case 5123:
      return {2, 65535, read_as<std::uint16_t>};
    case 5125:
      return {4, 4294967295.0, read_as<std::uint32_t>};
    case 5126:
      return {4, 1, read_as<float>};
    default:
      return {};
  }
}

}  // namespace

std::size_t component_size(std::uint64_t type) { return component_of(type).size; }

unsigned components_of(std::string_view type) {
  static constexpr std::array<std::pair<std::string_view, unsigned>, 7> kTypes = {
      {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT2", 4}, {"MAT3", 9}, {"MAT4", 16}}};
  for (const auto& [name, count] : kTypes) {
    if (name == type) {
      return count;
    }
  }
  return 0;
}

// --- JSON

namespace {

const Value& value_of(const Value* object, std::string_view name) {
  static const Value kNothing;
  return object == nullptr ? kNothing : (*object)[name];
}

}  // namespace

const Value* member(const Value* object, std::string_view name) {
  return object == nullptr ? nullptr : object->find(name);
}

const Value::List& list(const Value* object, std::string_view name) { return value_of(object, name).list(); }

Index index_of(const Value& value) {
  const auto whole = value.integer();
  return whole && *whole >= 0 && *whole < std::int64_t{kNone} ? static_cast<Index>(*whole) : kNone;
}

double number(const Value* object, std::string_view name, double fallback) {
  return value_of(object, name).number().value_or(fallback);
}

Index index(const Value* object, std::string_view name) { return index_of(value_of(object, name)); }

Index image_of(const Value* texture) {
  const Value* webp = member(member(texture, "extensions"), "EXT_texture_webp");
  return index(webp != nullptr ? webp : texture, "source");
}

const std::string& text(const Value* object, std::string_view name) { return value_of(object, name).text(); }

bool numbers(const Value* object, std::string_view name, std::span<float> out) {
  const auto& items = list(object, name);
  if (items.size() != out.size()) {
    return false;
  }
  std::vector<float> result;
  for (const Value& item : items) {
    const auto value = item.number();
    if (!value || !std::isfinite(static_cast<float>(*value))) {
      return false;
    }
    result.push_back(static_cast<float>(*value));
  }
  std::copy(result.begin(), result.end(), out.begin());
  return true;
}

const Value& thaw_extras(const Value* part) {
  static const Value kNothing;
  return part == nullptr ? kNothing : (*part)["extras"]["thaw"];
}

// --- the file

bool Input::keeps_names(std::string_view format) const {
  return names_of_.empty() || format == "gltf" || contains_word(names_of_, format);
}

Result<Input> Input::open(ByteView bytes, const GltfReadOptions& options, Diagnostics& diagnostics) {
  if (bytes.size() > options.limits.max_input_bytes) {
    return input_too_large(bytes.size(), options.limits);
  }
  Input input;
  input.base_colors_ = options.base_colors;
  input.keeps_materials_ = options.kept_materials;
  input.reads_surfaces_ = options.surfaces || options.kept_materials;
  input.names_of_ = options.names_of;
  input.limits_ = options.limits;
  input.open_ = options.open;
  if (auto parsed = input.parse(bytes, diagnostics); !parsed) {
    return tl::unexpected<Error>(std::move(parsed.error()));
  }
  if (const std::size_t most = most_members(input.json_); most > kMaxMembers) {
    return fail(codes::kInputTooLarge, "an object has " + std::to_string(most) +
                                           " members; thaw reads at most " + std::to_string(kMaxMembers));
  }
  const std::string version = text(member(&input.json_, "asset"), "version");
  if (version.substr(0, 2) != "2.") {
    return broken(version.empty() ? "asset.version is missing" : "glTF " + version + " instead of version 2");
  }
  if (auto refused = refusal_of(input.json_)) {
    return tl::unexpected<Error>(std::move(*refused));
  }
  input.unpack_extras();
  input.room_ = kFreeNumbers + kNumbersPerByte * bytes.size();
  if (auto loaded = input.load_buffers(input.binary_, options); !loaded) {
    return tl::unexpected<Error>(std::move(loaded.error()));
  }
  if (!input.extras_clips_.empty()) {
    input.distribute_clips();
  }
  return input;
}

namespace {

/// What write_gltf kept as a text (pack_extras); none for all else.
std::optional<Value> unpacked(const Value& part) {
  const std::string& packed = thaw_extras(&part).text();
  auto extras = packed.empty() ? Result<Value>(Value()) : parse_json(as_bytes(packed));
  return extras && !extras->object().empty() ? std::optional(std::move(*extras)) : std::nullopt;
}

void set_extras(Value& part, Value thaw) {
  Value extras = part["extras"];
  extras.set("thaw", std::move(thaw));
  part.set("extras", std::move(extras));
}

}  // namespace

/// Texts become what they were made of.
void Input::unpack_extras() {
  for (const char* array : {"scenes", "nodes", "meshes", "materials"}) {
    const auto& stated = list(&json_, array);
    if (std::none_of(stated.begin(), stated.end(),
                     [](const Value& part) { return !thaw_extras(&part).text().empty(); })) {
      continue;
    }
    Value::List parts = stated;
    for (Value& part : parts) {
      if (auto extras = unpacked(part)) {
        if (const auto& clips = (*extras)["clips"].list(); !clips.empty()) {
          extras_clips_ = clips;
          extras->set("clips", Value());
        }
        set_extras(part, std::move(*extras));
      }
    }
    json_.set(array, std::move(parts));
  }
}

/// How an animation moves nodes (ClipWriter::moves).
double Input::moves_of(const Value& animation) {
  const auto& samplers = list(&animation, "samplers");
  double sum = 0;
  for (const Value& channel : list(&animation, "channels")) {
    const scene::Index sampler = index(&channel, "sampler");
    const std::string& path = text(member(&channel, "target"), "path");
    if (sampler >= samplers.size() || (path != "translation" && path != "rotation" && path != "scale")) {
      continue;
    }
    auto times = floats(index(&samplers[sampler], "input"));
    auto values = floats(index(&samplers[sampler], "output"));
    if (times && values) {
      sum += fingerprint(times->values.size(), values->values);
    }
  }
  return sum;
}

/// Clips that the scene kept go to the animations that they are, which come into their order. What an
/// animation states of itself is newer.
void Input::distribute_clips() {
  const Value::List clips = std::exchange(extras_clips_, {});
  const auto& stated = list(&json_, "animations");
  std::vector<AnimationFacts> facts;
  for (const Value& animation : stated) {
    auto packed = unpacked(animation);
    facts.push_back({animation["name"].text(), packed ? std::move(*packed) : Value(thaw_extras(&animation)),
                     [&] { return moves_of(animation); }});
  }
  const auto claims = recognise_clips(clips, facts);
  std::multimap<std::pair<std::size_t, bool>, Value> placed;  // those of one place in their order
  for (std::size_t i = 0; i < stated.size(); ++i) {
    Value& entry = placed.emplace(std::pair{claims[i].clip, claims[i].copy}, stated[i])->second;
    if (claims[i].clip != ClipClaim::kNew) {
      set_extras(entry, stated_clip(clips[claims[i].clip], facts[i].stated, claims[i].copy));
    }
  }
  Value::List animations;
  for (auto& [place, animation] : placed) {
    animations.push_back(std::move(animation));
  }
  json_.set("animations", std::move(animations));
}

Result<void> Input::parse(ByteView bytes, Diagnostics& diagnostics) {
  if (is_binary(bytes)) {
    return parse_binary(bytes, diagnostics);
  }
  auto json = parse_json(bytes);
  if (!json) {
    return tl::unexpected<Error>(std::move(json.error()));
  }
  json_ = std::move(*json);
  return {};
}

Result<void> Input::parse_binary(ByteView bytes, Diagnostics& diagnostics) {
  std::size_t at = kHeaderBytes;
  bool found = false;
  while (bytes.size() >= at + kChunkHeaderBytes) {
    const std::size_t stated = u32_at(bytes, at);
    const std::uint32_t kind = u32_at(bytes, at + 4);
    at += kChunkHeaderBytes;
    const std::size_t size = std::min(stated, bytes.size() - at);
    if (size < stated) {
      diagnostics.add(codes::kTruncated, "a chunk of the GLB is truncated; read to the end of the file", at);
    }
    const ByteView content = bytes.subspan(at, size);
    if (kind == kJsonChunk && !found) {
      auto json = parse_json(content);
      if (!json) {
        json.error().offset = json.error().offset.value_or(0) + at;
        return tl::unexpected<Error>(std::move(json.error()));
      }
      json_ = std::move(*json);
      found = true;
    } else if (kind == kBinaryChunk && binary_.empty()) {
      binary_.assign(content.begin(), content.end());
    }
    at += size;
  }
  if (!found) {
    return fail(codes::kTruncated, "the GLB has no JSON chunk", bytes.size());
  }
  return {};
}

/// Those of which a view is read. A buffer without a place is there for others to fill.
Result<void> Input::load_buffers(ByteView binary, const GltfReadOptions& options) {
  const auto& stated = list(&json_, "buffers");
  buffers_.resize(stated.size());
  std::vector<bool> requested(stated.size());
  for (const Value& view : list(&json_, "bufferViews")) {
    const Value* packed = packing_of(view);
    if (const Index buffer = index(packed == nullptr ? &view : packed, "buffer"); buffer < requested.size()) {
      requested[buffer] = true;
    }
  }
  for (std::size_t i = 0; i < stated.size(); ++i) {
    const std::string uri = text(&stated[i], "uri");
    if (uri.empty() && i == 0) {
      buffers_[i].assign(binary.begin(), binary.end());
    } else if (auto data = from_data_uri(uri)) {
      buffers_[i] = std::move(*data);
    } else if (requested[i] && !uri.empty()) {
      auto content = options.open && uri.find(':') == std::string::npos
                         ? options.open(percent_decoded(uri))
                         : Result<Bytes>(broken("the external buffer " + uri + " cannot be loaded"));
      if (!content) {
        content.error().path = "buffers[" + std::to_string(i) + "]";
        return tl::unexpected<Error>(std::move(content.error()));
      }
      buffers_[i] = std::move(*content);
    }
  }
  std::uint64_t bytes = 0;
  for (const Bytes& buffer : buffers_) {
    bytes += buffer.size();
  }
  room_ += kNumbersPerByte * bytes;
  auto unpacked = unpack_views(bytes);
  return unpacked ? unpack_primitives(bytes) : unpacked;
}

/// Those that are packed; all others have to be there. They come from different bytes, of which `left` are
/// there, so that what they take has to do with the file's size.
Result<void> Input::unpack_views(std::uint64_t left) {
  for (Index i = 0; i < count("bufferViews"); ++i) {
    const Value* packed = packing_of(*item("bufferViews", i));
    auto bytes = packed == nullptr ? view(i, nullptr) : part_of_buffer(*packed, i);
    if (bytes && packed != nullptr) {
      if (bytes->size() > left) {
        return broken("bufferView " + std::to_string(i) + " shares compressed bytes with other bufferViews");
      }
      left -= bytes->size();
      bytes = unpack_view(i, *packed, *bytes);
    }
    if (!bytes) {
      return tl::unexpected<Error>(std::move(bytes.error()));
    }
  }
  return {};
}

Result<ByteView> Input::unpack_view(Index at, const Value& packed, ByteView bytes) {
  const std::string path = "bufferViews[" + std::to_string(at) + "]";
  const Index elements = index(&packed, "count");
  const Index stride = index(&packed, "byteStride");
  const double length = number(item("bufferViews", at), "byteLength", -1);
  if (elements == kNone || stride == kNone ||
      static_cast<double>(elements) * static_cast<double>(stride) != length) {
    return broken(path + " has a length other than count times byteStride of its compressed data");
  }
  auto unpacked = unpack(bytes, {text(&packed, "mode"), text(&packed, "filter"), elements, stride});
  if (!unpacked) {
    unpacked.error().path = path;
    return tl::unexpected<Error>(std::move(unpacked.error()));
  }
  room_ += kNumbersPerByte * std::min<std::uint64_t>(unpacked->size(), kUsualTimes * bytes.size());
  return ByteView(unpacked_[at] = std::move(*unpacked));
}

/// Those that only KHR_draco_mesh_compression holds, each from bytes of its own, as unpack_views.
Result<void> Input::unpack_primitives(std::uint64_t left) {
  const auto& meshes = list(&json_, "meshes");
  for (std::size_t mesh = 0; mesh < meshes.size(); ++mesh) {
    const auto& primitives = list(&meshes[mesh], "primitives");
    for (std::size_t i = 0; i < primitives.size(); ++i) {
      const Value* packed = member(member(&primitives[i], "extensions"), kDraco);
      const Index positions = index(member(&primitives[i], "attributes"), "POSITION");
      const Value* accessor = item("accessors", positions);
      if (packed == nullptr || index(accessor, "bufferView") != kNone ||
          member(accessor, "sparse") != nullptr ||
          (unpacked_elements_.contains(positions) &&
           unpacked_elements_.contains(index(&primitives[i], "indices")))) {
        continue;
      }
      const double size = number(item("bufferViews", index(packed, "bufferView")), "byteLength", 0);
      auto unpacked = size <= static_cast<double>(left)
                          ? unpack_primitive(primitives[i], *packed)
                          : broken(
                                "the Draco data of the primitives overlaps and exceeds the buffers, which is "
                                "not supported; export the model "
                                "without compression");
      if (!unpacked) {
        unpacked.error().path = "meshes[" + std::to_string(mesh) + "].primitives[" + std::to_string(i) + "]";
        return unpacked;
      }
      left -= static_cast<std::uint64_t>(size);
    }
  }
  return {};
}

const Value* Input::item(std::string_view array, Index at) const {
  const auto& items = list(&json_, array);
  return at < items.size() ? &items[at] : nullptr;
}

// --- accessors

struct Input::Layout {
  const Value* accessor = nullptr;
  Component component;
  unsigned components = 0;
  std::size_t count = 0;
  std::size_t stride = 0;
  ByteView bytes;  ///< of the first to the last element; empty if there is no view
  bool normalized = false;
};

/// Where a view lies, or where what it is unpacked from does.
Result<ByteView> Input::part_of_buffer(const Value& part, Index view) const {
  const Index buffer = index(&part, "buffer");
  if (buffer >= buffers_.size()) {
    return broken("bufferView " + std::to_string(view) + " has no buffer");
  }
  const double offset = number(&part, "byteOffset", 0);
  const double length = number(&part, "byteLength", -1);
  const auto size = static_cast<double>(buffers_[buffer].size());
  if (!(offset >= 0) || !(length >= 0) || !(offset + length <= size)) {
    return broken("bufferView " + std::to_string(view) + " is outside its buffer of " +
                  counted(buffers_[buffer].size(), "byte"));
  }
  return ByteView(buffers_[buffer])
      .subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(length));
}

Result<ByteView> Input::view(Index view, std::size_t* stride) const {
  const Value* found = item("bufferViews", view);
  if (found == nullptr) {
    return broken("bufferView " + std::to_string(view) + " does not exist");
  }
  if (stride != nullptr) {
    const double stated = number(found, "byteStride", 0);
    *stride = stated >= 1 && stated <= 252 ? static_cast<std::size_t>(stated) : 0;
  }
  const auto unpacked = unpacked_.find(view);
  return unpacked == unpacked_.end() ? part_of_buffer(*found, view) : ByteView(unpacked->second);
}

/// The bytes from the first to the last of `count` elements of `size` bytes.
Result<ByteView> Input::elements(Index view_index, std::size_t offset, std::size_t count, std::size_t size,
                                 std::size_t* stride) const {
  std::size_t step = 0;
  auto bytes = view(view_index, &step);
  if (!bytes) {
    return bytes;
  }
  step = step == 0 ? size : step;
  if (stride != nullptr) {
    *stride = step;
  }
  const std::size_t available = bytes->size();
  if (offset > available ||
      (count > 0 && (available - offset < size || (available - offset - size) / step < count - 1))) {
    return broken("an accessor reaches beyond bufferView " + std::to_string(view_index));
  }
  return count == 0 ? ByteView() : bytes->subspan(offset, (count - 1) * step + size);
}

Result<Input::Layout> Input::layout(Index accessor) const {
  Layout at;
  at.accessor = item("accessors", accessor);
  at.component = component_of(index(at.accessor, "componentType"));
  at.components = components_of(text(at.accessor, "type"));
  const Index count = index(at.accessor, "count");
  if (at.accessor == nullptr || at.component.size == 0 || at.components == 0 || count == kNone) {
    return broken(
        "accessor " + std::to_string(accessor) +
        (at.accessor == nullptr ? " does not exist" : " has no valid componentType, type or count"));
  }
  at.count = count;
  const Value* normalized = member(at.accessor, "normalized");
  at.normalized = normalized != nullptr && *normalized == Value(true);
  const Index view_index = index(at.accessor, "bufferView");
  if (view_index == kNone) {
    if (const auto unpacked = unpacked_elements_.find(accessor); unpacked != unpacked_elements_.end()) {
      at.bytes = unpacked->second;
      at.stride = at.component.size * at.components;
    }
    return at;
  }
  const auto offset = byte_offset(at.accessor);
  if (!offset) {
    return broken("accessor " + std::to_string(accessor) + " has an invalid offset");
  }
  auto bytes = elements(view_index, *offset, at.count, at.component.size * at.components, &at.stride);
  if (!bytes) {
    return tl::unexpected<Error>(std::move(bytes.error()));
  }
  at.bytes = *bytes;
  return at;
}

/// As its accessors describe it.
Result<void> Input::unpack_primitive(const Value& primitive, const Value& packed) {
  if (!reads_draco()) {
    return tl::unexpected<Error>(required(kDraco, {}));
  }
  const auto bytes = view(index(&packed, "bufferView"), nullptr);
  if (!bytes) {
    return tl::unexpected<Error>(bytes.error());
  }
  if (const Index mode = index(&primitive, "mode"); mode != kNone && mode != kTriangles) {
    return broken("Draco data of mode " + std::to_string(mode) +
                  " is not supported; only triangles (mode 4) are");
  }
  std::vector<Index> accessors = {index(&primitive, "indices")};
  if (accessors.front() == kNone) {
    return broken("Draco data without an accessor for its triangles");
  }
  std::vector<DracoStream> streams = {{}};
  for (const auto& [name, id] : value_of(&packed, "attributes").object()) {
    accessors.push_back(index(member(&primitive, "attributes"), name));
    streams.push_back({index_of(id)});
  }
  for (std::size_t i = 0; i < accessors.size(); ++i) {
    const auto at = layout(accessors[i]);
    if (!at) {
      return tl::unexpected<Error>(at.error());
    }
    streams[i] = {streams[i].id, index(at->accessor, "componentType"), at->components, at->count};
  }
  auto unpacked = unpack_draco(*bytes, streams.front(), std::span(streams).subspan(1));
  if (!unpacked) {
    return tl::unexpected<Error>(std::move(unpacked.error()));
  }
  std::uint64_t sum = unpacked->corners.size();
  unpacked_elements_[accessors.front()] = std::move(unpacked->corners);
  for (std::size_t i = 1; i < accessors.size(); ++i) {
    sum += unpacked->vertices[i - 1].size();
    unpacked_elements_[accessors[i]] = std::move(unpacked->vertices[i - 1]);
  }
  room_ += kNumbersPerByte * std::min<std::uint64_t>(sum, kUsualTimes * bytes->size());
  return {};
}

Result<void> Input::spend(std::size_t count) {
  if (count > room_) {
    return broken("the accessors refer to far more data than the file contains");
  }
  room_ -= count;
  return {};
}

Result<void> Input::spend_copy(std::size_t count) {
  if (count > copies_) {
    return spend(count);
  }
  copies_ -= count;
  return {};
}

Result<void> Input::put_sparse(const Value& sparse, const Layout& at, std::vector<double>& values) const {
  const Value* where = member(&sparse, "indices");
  const Value* what = member(&sparse, "values");
  const Index count = index(&sparse, "count");
  const Component index_component = component_of(index(where, "componentType"));
  if (count == kNone || index_component.size == 0) {
    return broken(count == kNone ? "a sparse accessor has no valid count"
                                 : "a sparse accessor has indices of an unknown type");
  }
  const std::size_t element = at.component.size * at.components;
  const auto first_index = byte_offset(where);
  const auto first_value = byte_offset(what);
  if (!first_index || !first_value) {
    return broken("a sparse accessor has an invalid offset");
  }
  const auto indices =
      elements(index(where, "bufferView"), *first_index, count, index_component.size, nullptr);
  const auto replaced = elements(index(what, "bufferView"), *first_value, count, element, nullptr);
  if (!indices || !replaced) {
    return tl::unexpected<Error>(indices ? replaced.error() : indices.error());
  }
  for (std::size_t i = 0; i < count; ++i) {
    const double target = index_component.read(indices->data() + i * index_component.size);
    if (!(target >= 0 && target < static_cast<double>(at.count))) {
      return broken("a sparse accessor replaces elements that do not exist");
    }
    for (unsigned c = 0; c < at.components; ++c) {
      values[static_cast<std::size_t>(target) * at.components + c] =
          at.component.read(replaced->data() + i * element + c * at.component.size);
    }
  }
  return {};
}

Result<std::vector<double>> Input::values(const Layout& at) {
  if (auto allowed = spend(at.count * at.components); !allowed) {
    return tl::unexpected<Error>(std::move(allowed.error()));
  }
  std::vector<double> values(at.count * at.components, 0.0);
  for (std::size_t i = 0; !at.bytes.empty() && i < at.count; ++i) {
    for (unsigned c = 0; c < at.components; ++c) {
      values[i * at.components + c] =
          at.component.read(at.bytes.data() + i * at.stride + c * at.component.size);
    }
  }
  if (const Value* sparse = member(at.accessor, "sparse")) {
    if (auto put = put_sparse(*sparse, at, values); !put) {
      return tl::unexpected<Error>(std::move(put.error()));
    }
  }
  return values;
}

bool Input::spend_pixels(std::size_t bytes) {
  const bool room = bytes <= limits_.max_pixel_bytes && pixel_bytes_ <= limits_.max_pixel_bytes - bytes;
  pixel_bytes_ += room ? bytes : 0;
  return room;
}

namespace {

/// Of a kind that glTF knows; others are names of files in a game.
bool is_picture(std::string_view uri) {
  constexpr std::array<std::string_view, 4> kEndings = {".png", ".jpg", ".jpeg", ".webp"};
  return std::any_of(kEndings.begin(), kEndings.end(), [&](std::string_view ending) {
    return uri.size() > ending.size() && ascii::same(uri.substr(uri.size() - ending.size()), ending);
  });
}

}  // namespace

std::shared_ptr<const Bytes> Input::picture(Index image) {
  const Value* source = item("images", image);
  if (auto data = from_data_uri(text(source, "uri"))) {
    return std::make_shared<const Bytes>(std::move(*data));
  }
  const std::string uri = text(source, "uri");
  if (!uri.empty() && reads_surfaces_ && open_ && is_picture(uri)) {
    auto content = open_(percent_decoded(uri));
    return content ? std::make_shared<const Bytes>(std::move(*content)) : nullptr;
  }
  const Index at = index(source, "bufferView");
  if (const auto known = pictures_.find(at); known != pictures_.end()) {
    return known->second;
  }
  const auto bytes = at == kNone ? ByteView() : view(at, nullptr).value_or(ByteView());
  const bool usable = !bytes.empty() && spend(bytes.size() / sizeof(double) + 1);
  return pictures_[at] = usable ? std::make_shared<const Bytes>(bytes.begin(), bytes.end()) : nullptr;
}

Result<Elements> Input::floats(Index accessor) {
  const auto at = layout(accessor);
  if (!at) {
    return tl::unexpected<Error>(at.error());
  }
  auto read = values(*at);
  if (!read) {
    return tl::unexpected<Error>(std::move(read.error()));
  }
  Elements result{at->components, at->count, {}};
  result.values.reserve(read->size());
  for (const double value : *read) {
    const double scaled = at->normalized ? std::max(value / at->component.scale, -1.0) : value;
    const auto narrow = static_cast<float>(scaled);
    result.values.push_back(std::isfinite(narrow) ? narrow : 0.0F);
  }
  return result;
}

Result<std::vector<std::uint32_t>> Input::integers(Index accessor) {
  const auto at = layout(accessor);
  if (!at) {
    return tl::unexpected<Error>(at.error());
  }
  auto read = values(*at);
  if (!read) {
    return tl::unexpected<Error>(std::move(read.error()));
  }
  std::vector<std::uint32_t> result;
  result.reserve(read->size());
  for (const double value : *read) {
    result.push_back(value >= 0 && value < 4294967296.0 ? static_cast<std::uint32_t>(value) : kNone);
  }
  return result;
}

}  // namespace thaw::gltf
