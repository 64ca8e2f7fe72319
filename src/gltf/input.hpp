// A glTF file opened for reading: its JSON, its buffers, and checked access to both.
#pragma once

#include <thaw/gltf.hpp>
#include <thaw/value.hpp>

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace thaw::gltf {

// --- JSON with defaults: a member of another type counts as absent

/// A member, or null.
const Value* member(const Value* object, std::string_view name);
/// The elements of a list member; empty if there is none.
const Value::List& list(const Value* object, std::string_view name);
double number(const Value* object, std::string_view name, double fallback);
/// A whole number from 0 to kNone - 1; kNone for all else.
scene::Index index(const Value* object, std::string_view name);
/// The same of an element of a list.
scene::Index index_of(const Value& value);
/// The image of an item of `textures`, of EXT_texture_webp where it has that.
scene::Index image_of(const Value* texture);
const std::string& text(const Value* object, std::string_view name);
/// What write_gltf put under extras.thaw of a part of the file; null if nothing.
const Value& thaw_extras(const Value* part);
/// Whether a material shows one of the scene that was written.
inline bool shows_written(const Value* material) {
  return index(&thaw_extras(material), "material") != scene::kNone;
}
/// Reads up to out.size() numbers; false, and nothing changed, if they are not exactly that many.
bool numbers(const Value* object, std::string_view name, std::span<float> out);

/// Elements of an accessor, one after the other.
struct Elements {
  unsigned components = 0;
  std::size_t count = 0;
  std::vector<float> values;
};

class Input {
 public:
  static Result<Input> open(ByteView bytes, const GltfReadOptions& options, Diagnostics& diagnostics);

  [[nodiscard]] const Value& json() const { return json_; }
  [[nodiscard]] bool base_colors() const { return base_colors_; }          ///< as GltfReadOptions
  [[nodiscard]] bool keeps_materials() const { return keeps_materials_; }  ///< as GltfReadOptions::materials
  /// Whether textures of a scene of this format have their names (GltfReadOptions::names_of).
  [[nodiscard]] bool keeps_names(std::string_view format) const;
  [[nodiscard]] bool reads_surfaces() const { return reads_surfaces_; }  ///< as GltfReadOptions::surfaces
  [[nodiscard]] std::size_t count(std::string_view array) const { return list(&json_, array).size(); }
  /// An element of a top-level array, or null.
  [[nodiscard]] const Value* item(std::string_view array, scene::Index at) const;

  /// The accessor as floats: normalised integers become −1 to 1, sparse values are put in. The error says
  /// what is wrong with it.
  Result<Elements> floats(scene::Index accessor);
  /// The accessor as whole numbers, for indices and joints.
  Result<std::vector<std::uint32_t>> integers(scene::Index accessor);
  [[nodiscard]] const Limits& limits() const { return limits_; }
  /// Takes the room for the pixels of a picture.
  bool spend_pixels(std::size_t bytes);
  /// The file of a picture that the glTF itself holds, or where surfaces are read, that lies next to it; null
  /// for those that are broken or cannot be had.
  std::shared_ptr<const Bytes> picture(scene::Index image);
  /// Takes the room for so many numbers that are made of what the file says; an error if that is far more
  /// than it holds. The accessors above ask by themselves.
  Result<void> spend(std::size_t count);
  /// The same for what a file shows again. A small one may show much: a wood of one tree.
  Result<void> spend_copy(std::size_t count);

 private:
  struct Layout;  ///< where the elements of an accessor lie

  Result<void> parse(ByteView bytes, Diagnostics& diagnostics);
  void unpack_extras();
  void distribute_clips();
  double moves_of(const Value& animation);
  Result<void> parse_binary(ByteView bytes, Diagnostics& diagnostics);
  Result<void> load_buffers(ByteView binary, const GltfReadOptions& options);
  Result<void> unpack_views(std::uint64_t left);
  Result<void> unpack_primitives(std::uint64_t left);
  Result<void> unpack_primitive(const Value& primitive, const Value& packed);
  Result<ByteView> unpack_view(scene::Index at, const Value& packed, ByteView bytes);
  [[nodiscard]] Result<ByteView> part_of_buffer(const Value& part, scene::Index view) const;
  [[nodiscard]] Result<Layout> layout(scene::Index accessor) const;
  [[nodiscard]] Result<ByteView> view(scene::Index view, std::size_t* stride) const;
  [[nodiscard]] Result<ByteView> elements(scene::Index view, std::size_t offset, std::size_t count,
                                          std::size_t size, std::size_t* stride) const;
  Result<void> put_sparse(const Value& sparse, const Layout& at, std::vector<double>& values) const;
  Result<std::vector<double>> values(const Layout& at);

  Value json_;
  Value::List extras_clips_;  ///< of the scene, on their way to the animations
  bool base_colors_ = true;
  bool keeps_materials_ = false;
  bool reads_surfaces_ = false;
  std::string names_of_;
  Limits limits_;
  std::function<Result<Bytes>(std::string_view uri)> open_;
  std::uint64_t pixel_bytes_ = 0;
  Bytes binary_;
  std::vector<Bytes> buffers_;
  std::map<scene::Index, Bytes> unpacked_;                         ///< by view
  std::map<scene::Index, Bytes> unpacked_elements_;                ///< by accessor
  std::map<scene::Index, std::shared_ptr<const Bytes>> pictures_;  ///< by view
  std::uint64_t room_ = 0;  ///< numbers that may still be requested: accessors can share their bytes
  std::uint64_t copies_ = std::uint64_t{1} << 26U;  ///< further ones, of meshes that are shown again
};

}  // namespace thaw::gltf
